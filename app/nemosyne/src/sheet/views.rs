//! The pictures of a sheet: home, three sides, the legend.

use std::collections::BTreeSet;

use forma::Admission;
use knowledge::wire::v1::DeviceClass;
use plan::Camera as Place;
use plan::element::{self, Align, Facing, Label, LabelInk, Typed, VAlign};
use plan::layout::words;
use representation::volume::{X_MAX, X_MIN, Y_MAX, Y_MIN, Z_MAX, Z_MIN};
use representation::wire::v2::Placement;
use stage::headless::{Headless, Picture};
use stage::{Graphics, StageError, Without};

use super::{GUTTER, MARGIN, SHAPE, TEXT, WIDTH, primitives};
use crate::output::Stop;
use crate::picture::{self, Sight};
use crate::show;
use crate::viewed::Viewed;

/// What has to be in a view: the corners of the volume, and the boxes of its labels around their anchors, in meters.
struct Content {
    corners: Vec<[f64; 3]>,
    labels: Vec<Label>,
}

impl Content {
    fn of(viewed: &Viewed, without: &BTreeSet<String>) -> Result<Self, Stop> {
        let ends = [[X_MIN, X_MAX], [Y_MIN, Y_MAX], [Z_MIN, Z_MAX]];
        let corner = |nth: usize| std::array::from_fn(|axis| ends[axis][nth >> axis & 1]);
        let elements = &viewed.variant()?.backend.elements;
        let labels = elements
            .iter()
            .filter(|element| {
                !without.contains(&element.id) && !without.contains(&element.representation_primitive_id)
            })
            .filter_map(|element| match element::read(element) {
                Ok(Typed::Label(label)) if label.facing != Facing::Still => Some(label),
                _ => None,
            });
        Ok(Self {
            corners: (0..8).map(corner).collect(),
            labels: labels.collect(),
        })
    }

    /// Left, top, right, bottom of all of it in a picture that is one wide and [`SHAPE`] high.
    fn bounds(&self, place: &Place) -> [f64; 4] {
        let height = f64::from(SHAPE);
        let mut bounds = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
        let mut holds = |left: f64, top: f64, right: f64, bottom: f64| {
            bounds = [
                bounds[0].min(left),
                bounds[1].min(top),
                bounds[2].max(right),
                bounds[3].max(bottom),
            ];
        };
        for seen in self
            .corners
            .iter()
            .filter_map(|at| place.project(*at, 1.0, height))
        {
            holds(seen.x, seen.y, seen.x, seen.y);
        }
        for label in &self.labels {
            // Along an axis that is looked along, labels step aside.
            let is_aside = label
                .along
                .is_some_and(|axis| place.angle_to_axis(axis as usize) < 6.0);
            let Some(seen) = place.project(label.at, 1.0, height).filter(|_| !is_aside) else {
                continue;
            };
            let wrap = label.wrap_width.unwrap_or(f64::MAX);
            let lines = words::lines(&label.text, label.cap_height, wrap);
            let widest = lines.iter().map(|line| words::width(line, label.cap_height));
            let wide = widest.fold(0.0, f64::max) * seen.pixels_per_meter;
            let high = words::height(lines.len(), label.cap_height) * seen.pixels_per_meter;
            let left = seen.x
                - match label.align {
                    Align::Start => 0.0,
                    Align::Center => wide / 2.0,
                    Align::End => wide,
                };
            let top = seen.y
                - match label.valign {
                    VAlign::Top => 0.0,
                    VAlign::Middle => high / 2.0,
                    VAlign::Bottom => high,
                };
            holds(left, top, left + wide, top + high);
        }
        bounds
    }

    /// From this direction through this lens, as near as all of it allows; at least this many meters are seen.
    fn framed(&self, out: [f64; 3], lens: Lens, least: f64) -> (Place, f64) {
        let (mut target, mut meters) = ([0.0, 0.6, 0.0], least.max(2.0));
        let (wide, high) = (0.98, 0.98 * f64::from(SHAPE));
        for _ in 0..8 {
            let place = around(target, out, meters, lens);
            let [left, top, right, bottom] = self.bounds(&place);
            let (right_of, up, _) = place.basis();
            let per_meter = 1.0 / meters;
            let aside = ((left + right) / 2.0 - 0.5) / per_meter;
            let above = (f64::from(SHAPE) / 2.0 - (top + bottom) / 2.0) / per_meter;
            target = std::array::from_fn(|axis| target[axis] + right_of[axis] * aside + up[axis] * above);
            let needed = ((right - left) / wide).max((bottom - top) / high);
            meters = (meters * needed).max(least);
        }
        (around(target, out, meters, lens), meters)
    }
}

/// A place from which a plane through the target is this many meters wide.
fn around(target: [f64; 3], out: [f64; 3], meters: f64, lens: Lens) -> Place {
    let half = meters / 2.0 / Place::ASPECT;
    let (fov_y_deg, away) = match lens {
        Lens::Degrees(degrees) => (degrees, half / (degrees.to_radians() / 2.0).tan()),
        Lens::Away(away) => ((2.0 * (half / away).atan()).to_degrees(), away),
    };
    Place {
        eye: std::array::from_fn(|axis| target[axis] + out[axis] * away),
        target,
        fov_y_deg,
    }
}

/// What stays when more or less is to be seen.
#[derive(Clone, Copy)]
enum Lens {
    /// The angle of view; the eye moves.
    Degrees(f64),
    /// Meters to the eye, and so the perspective.
    Away(f64),
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
    let sides: BTreeSet<String> = boards.iter().cloned().chain(supposed(viewed)?).collect();
    let untitled: BTreeSet<String> = sides.iter().cloned().chain(titles).collect();
    let home = Place::home(viewed.device);
    let away: [f64; 3] = std::array::from_fn(|axis| home.eye[axis] - home.target[axis]);
    let length = away.iter().map(|part| part * part).sum::<f64>().sqrt();
    // Labels have their places for the perspective of home. From the sides, a narrow lens keeps edges parallel. The mark of a
    // study is made for the lens of a monitor.
    let lens = |other| if study { Lens::Degrees(33.0) } else { other };
    let looks = [
        (away.map(|part| part / length), lens(Lens::Away(length)), boards),
        ([0.0, 0.0, 1.0], lens(Lens::Degrees(6.0)), sides.clone()),
        ([0.0, 1.0, 0.000_3], lens(Lens::Degrees(6.0)), untitled),
        ([1.0, 0.0, 0.0], lens(Lens::Degrees(6.0)), sides),
    ];
    let contents = looks
        .iter()
        .map(|(_, _, without)| Content::of(viewed, without))
        .collect::<Result<Vec<_>, Stop>>()?;
    // The three sides have one scale.
    let side = looks.iter().zip(&contents).skip(1);
    let scale = side
        .map(|((out, lens, _), content)| content.framed(*out, *lens, 0.0).1)
        .fold(0.0, f64::max);
    let mut views = Vec::new();
    for (nth, ((out, lens, without), content)) in looks.into_iter().zip(&contents).enumerate() {
        let (place, _) = content.framed(out, lens, if nth == 0 { 0.0 } else { scale });
        let mut headless = open(viewed, sight, size, place, without)?;
        views.push(headless.picture().map_err(|error| Stop::from(error.refusal()))?);
    }
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
