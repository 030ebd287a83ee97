//! The pictures of a sheet: home, three sides, the legend.

use std::collections::BTreeSet;

use forma::Admission;
use knowledge::wire::v1::DeviceClass;
use plan::Camera as Place;
use plan::element::{self, Facing, LabelInk, Typed};
use representation::wire::v2::Placement;
use stage::headless::{Headless, Picture};
use stage::{Graphics, StageError, Without};

use super::{GUTTER, MARGIN, SHAPE, TEXT, WIDTH, primitives};
use crate::output::Stop;
use crate::picture::{self, Sight};
use crate::show;
use crate::viewed::Viewed;

/// Home, front, above and right, each around the whole volume with its labels.
fn places(device: DeviceClass, study: bool, has_words: bool) -> [Place; 4] {
    let home = Place::home(device);
    let away: [f64; 3] = std::array::from_fn(|axis| home.eye[axis] - home.target[axis]);
    let length = away.iter().map(|part| part * part).sum::<f64>().sqrt();
    // A narrow lens from afar keeps edges parallel; the mark of a study is made for the lens of a monitor.
    let around = |target: [f64; 3], out: [f64; 3], meters: f64, lens: f64| {
        let fov_y_deg = if study { 33.0 } else { lens };
        let wide = 2.0 * (fov_y_deg.to_radians() / 2.0).tan() * Place::ASPECT;
        Place {
            eye: std::array::from_fn(|axis| target[axis] + out[axis] * meters / wide),
            target,
            fov_y_deg,
        }
    };
    // Words of conjecture stand to the right of what they name.
    let (beside, wide) = if has_words { (0.22, 2.75) } else { (-0.02, 2.42) };
    // Sides are measured where their labels stand: before the volume, on its floor, on its left.
    [
        around([beside, 0.5, 0.0], away.map(|part| part / length), wide, 11.0),
        around([-0.07, 0.48, 0.6], [0.0, 0.0, 1.0], 1.95, 6.0),
        around([0.04, 0.0, 0.03], [0.0, 1.0, 0.000_3], 1.95, 6.0),
        around([-0.6, 0.48, 0.07], [1.0, 0.0, 0.0], 1.95, 6.0),
    ]
}

fn open(
    viewed: &Viewed,
    sight: &Sight,
    size: (u32, u32),
    place: Place,
    without: BTreeSet<String>,
) -> Result<Headless, Stop> {
    let refuse = |error: StageError| Stop::from(error.refusal());
    let graphics = Graphics::open().map_err(refuse)?;
    let mut headless = Headless::supersampled(graphics, size, sight.supersample, place).map_err(refuse)?;
    headless.app.insert_resource(picture::colors(sight.theme));
    headless.app.insert_resource(Without(without));
    show::request(&mut headless.app, viewed)?;
    Ok(headless)
}

pub(super) fn views(viewed: &Viewed, sight: &Sight) -> Result<Vec<Picture>, Stop> {
    let study = matches!(viewed.readmitted.admission, Admission::StudyOnly(_));
    let unit = sight.size.0 as f32 / WIDTH;
    let width = (WIDTH - 2.0 * MARGIN - GUTTER) / 2.0 * unit;
    let size = (width.round() as u32, (width * SHAPE).round() as u32);
    let boards = primitives(viewed, |at| {
        matches!(at, Placement::Title | Placement::Legend | Placement::CaveatBoard)
    });
    // From above, the titles of x and z have no room: there the caption alone names them.
    let titles = primitives(viewed, |at| matches!(at, Placement::AxisX | Placement::AxisZ));
    let titles = titles.iter().map(|primitive| format!("{primitive}.title"));
    // Words of conjecture have their places for home; from the sides they would lie on one another.
    let supposed = supposed(viewed)?;
    let sides: BTreeSet<String> = boards.iter().cloned().chain(supposed.iter().cloned()).collect();
    let untitled = sides.iter().cloned().chain(titles).collect();
    let from = |places: &[Place], without| {
        let mut headless = open(viewed, sight, size, places[0], without)?;
        places
            .iter()
            .map(|place| {
                headless.look_from(*place);
                headless.picture().map_err(|error| Stop::from(error.refusal()))
            })
            .collect::<Result<Vec<_>, Stop>>()
    };
    let [home, front, above, right] = places(viewed.device, study, !supposed.is_empty());
    let mut views = from(&[home], boards)?;
    views.extend(from(&[front], sides.clone())?);
    views.extend(from(&[above], untitled)?);
    views.extend(from(&[right], sides)?);
    Ok(views)
}

/// Elements that are words of conjecture within the views, with the lines that lead to them.
fn supposed(viewed: &Viewed) -> Result<BTreeSet<String>, Stop> {
    let boards = primitives(viewed, |at| at == Placement::CaveatBoard);
    let mut found = BTreeSet::new();
    for element in &viewed.variant()?.backend.elements {
        let is_word =
            matches!(element::read(element), Ok(Typed::Label(label)) if label.ink == LabelInk::Conjecture);
        if is_word && !boards.contains(&element.representation_primitive_id) {
            found.extend(
                element
                    .id
                    .strip_suffix(".label")
                    .map(|stem| format!("{stem}.leader")),
            );
            found.insert(element.id.clone());
        }
    }
    Ok(found)
}

/// The legend as it is drawn, in the size of text, cut out of a picture of nothing else.
pub(super) fn legend(viewed: &Viewed, sight: &Sight) -> Result<Option<Picture>, Stop> {
    let legends = primitives(viewed, |at| at == Placement::Legend);
    let variant = viewed.variant()?;
    let home = Place::home(viewed.device);
    let label = variant.backend.elements.iter().find_map(|element| {
        let is_legend = legends.contains(&element.representation_primitive_id);
        match element::read(element) {
            Ok(Typed::Label(label)) if is_legend => Some(label),
            _ => None,
        }
    });
    let Some(label) = label else { return Ok(None) };
    let per_meter = match label.facing {
        Facing::Still => 0.5 / (home.fov_y_deg.to_radians() / 2.0).tan() / label.at[2],
        _ => home
            .project(label.at, Place::ASPECT, 1.0)
            .map_or(0.5, |seen| seen.pixels_per_meter),
    };
    // Capitals of the typeface are 0.73 of an em.
    let cap = f64::from(TEXT * sight.size.0 as f32 / WIDTH) * 0.73;
    let height = (cap / (label.cap_height * per_meter)).ceil().clamp(64.0, 8192.0);
    let size = ((height * Place::ASPECT).ceil() as u32, height as u32);
    let others = primitives(viewed, |at| at != Placement::Legend);
    let picture = open(viewed, sight, size, home, others)?
        .picture()
        .map_err(|error| Stop::from(error.refusal()))?;
    // On a monitor the mark of a study stands around the column of words and over it.
    let is_study = matches!(viewed.readmitted.admission, Admission::StudyOnly(_));
    let window = if is_study && viewed.device == DeviceClass::DesktopMonitor {
        [0.62, 0.125, 0.985, 0.97]
    } else {
        [0.0, 0.0, 1.0, 1.0]
    };
    Ok(cut(&picture, window))
}

/// What is not paper within a part of a picture; nothing when all of it is.
fn cut(picture: &Picture, window: [f32; 4]) -> Option<Picture> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let part = |share: f32, length: usize| ((share * length as f32) as usize).min(length);
    let (left, right) = (part(window[0], width), part(window[2], width));
    let (top, bottom) = (part(window[1], height), part(window[3], height));
    let paper = &picture.rgb[(top * width + left) * 3..][..3];
    let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
    for y in top..bottom {
        for x in left..right {
            if &picture.rgb[(y * width + x) * 3..][..3] != paper {
                low = [low[0].min(x), low[1].min(y)];
                high = [high[0].max(x + 1), high[1].max(y + 1)];
            }
        }
    }
    if low[0] >= high[0] {
        return None;
    }
    let rows = (low[1]..high[1]).map(|y| &picture.rgb[(y * width + low[0]) * 3..(y * width + high[0]) * 3]);
    Some(Picture {
        width: (high[0] - low[0]) as u32,
        height: (high[1] - low[1]) as u32,
        rgb: rows.flatten().copied().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_keeps_what_is_not_paper() {
        let mut picture = Picture {
            width: 20,
            height: 10,
            rgb: vec![200; 600],
        };
        assert_eq!(cut(&picture, [0.0, 0.0, 1.0, 1.0]), None);
        picture.rgb[(4 * 20 + 7) * 3] = 0;
        picture.rgb[(6 * 20 + 9) * 3] = 0;
        let cut = cut(&picture, [0.0, 0.0, 1.0, 1.0]).unwrap();
        assert_eq!((cut.width, cut.height), (3, 3));
    }
}
