//! From a variant's elements and their rows to a [`Scene`]: the only reader of backend elements here.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy::math::Vec3;
use identity::Digest;
use kernels::leaf::Columns;
use plan::PlanError;
use plan::element::{self, Along, AxisPlace, LabelInk, LineInk, Look, Points, SurfaceInk, Typed, VAlign};
use plan::wire::v1::{Element, SpatialPlan};

use crate::StageError;
use crate::scene::{Body, Line, Mark, MarkSet, Plane, Scene, Solid, SolidSet, Surface};
use crate::text::{Align, Atlas, Facing, Label, Typeface, VerticalAlign, Weight, letters};
use crate::theme::{Ink, number_of};

/// Reads a backend plan.
///
/// # Errors
/// [`StageError::Element`] for an element that can't be read, [`StageError::LeafMissing`] for one whose rows were not
/// handed in.
pub(crate) fn scene(
    backend: &SpatialPlan,
    leaves: &BTreeMap<Digest, Columns>,
    face: &mut Typeface,
) -> Result<Scene, StageError> {
    let typed: Vec<(&Element, Typed)> = backend
        .elements
        .iter()
        .map(|element| {
            Ok((
                element,
                element::read(element).map_err(|error| broken(element, &error))?,
            ))
        })
        .collect::<Result<_, StageError>>()?;
    let caps = || {
        typed.iter().filter_map(|(_, typed)| match typed {
            Typed::Label(label) => Some(label.cap_height),
            _ => None,
        })
    };
    // The tallest text, when there is smaller, is the heading and stands a step bolder.
    let (smallest, tallest) = (caps().fold(f64::MAX, f64::min), caps().fold(0.0, f64::max));
    let mut scene = Scene {
        sets: Vec::new(),
        solids: Vec::new(),
        lines: Vec::new(),
        surfaces: Vec::new(),
        letters: Vec::new(),
        atlas: Atlas::new(),
        volume: None,
        banner: None,
    };
    let mut symbols = [Vec::new(), Vec::new()];
    let mut keys = BTreeMap::new();
    for (element, typed) in &typed {
        match typed {
            Typed::Points(points) => {
                let leaf = leaf_of(element, points.leaf, leaves)?;
                let keys = keys.entry(points.leaf).or_insert_with(|| row_keys(leaf));
                let set = marks(element, points, leaf, keys)?;
                if set.plane.is_none() {
                    let (low, high) = extent(points);
                    let (least, most) = scene.volume.unwrap_or((low, high));
                    scene.volume = Some((least.min(low), most.max(high)));
                }
                if !set.marks.is_empty() {
                    scene.sets.push(set);
                }
            }
            Typed::Boxes(_) | Typed::Path(_) | Typed::Links(_) => {
                let digest = match typed {
                    Typed::Boxes(boxes) => boxes.leaf,
                    Typed::Path(path) => path.leaf,
                    Typed::Links(links) => links.leaf,
                    _ => continue,
                };
                let leaf = leaf_of(element, digest, leaves)?;
                let keys = keys.entry(digest).or_insert_with(|| row_keys(leaf));
                let set = solids(element, typed, leaf, keys)?;
                for solid in &set.solids {
                    let (a, b) = (Vec3::from_array(solid.a), Vec3::from_array(solid.b));
                    let (least, most) = scene.volume.unwrap_or((a, a));
                    scene.volume = Some((least.min(a.min(b)), most.max(a.max(b))));
                }
                if !set.solids.is_empty() {
                    scene.solids.push(set);
                }
            }
            Typed::Glyph(glyph) => symbols[usize::from(glyph.facing == element::Facing::Still)].push(Mark {
                position: to_f32(glyph.at),
                diameter: glyph.diameter as f32,
                look: look(Look {
                    color: glyph.color,
                    shape: glyph.shape,
                }),
            }),
            Typed::Trajectory(line) => scene.lines.push(Line {
                a: to_f32(line.from),
                width: line.width as f32,
                b: to_f32(line.to),
                ink: match line.ink {
                    LineInk::Axis => Ink::Axis,
                    LineInk::Grid => Ink::Grid,
                    LineInk::Frame => Ink::Frame,
                    LineInk::Conjecture => Ink::Conjecture,
                } as u32,
            }),
            Typed::Surface(surface) => scene.surfaces.push(Surface {
                origin: to_f32(surface.origin),
                ink: match surface.ink {
                    SurfaceInk::Wall => Ink::Wall,
                    SurfaceInk::Board => Ink::Board,
                } as u32,
                u: to_f32(surface.u),
                pad_u: 0,
                v: to_f32(surface.v),
                pad_v: 0,
            }),
            Typed::Label(label) => {
                let is_heading = label.cap_height == tallest && tallest > smallest;
                let set = set_in_type(label, is_heading);
                if !face.has_letters(set.weight, set.text) {
                    return Err(StageError::NoLetters {
                        element: element.id.clone(),
                        text: label.text.clone(),
                    });
                }
                letters(&set, face, &mut scene.atlas, &mut scene.letters);
            }
        }
    }
    scene.surfaces.splice(0..0, scene.volume.and_then(shadow));
    for (marks, is_still) in symbols
        .into_iter()
        .zip([false, true])
        .filter(|(marks, _)| !marks.is_empty())
    {
        let (low, high) = bounds(&marks);
        scene.sets.push(MarkSet {
            element: String::new(),
            marks,
            keys: Arc::from([]),
            plane: None,
            is_still,
            opacity: 1.0,
            low,
            high,
        });
    }
    Ok(scene)
}

/// A soft shadow on the floor, so that a volume is seen to stand on it; what is flat casts none.
fn shadow((low, high): (Vec3, Vec3)) -> Option<Surface> {
    let size = high - low;
    (size.min_element() > 0.2).then(|| {
        let room = 0.22 * size;
        Surface {
            origin: [low.x - room.x, low.y - 2e-3, low.z - room.z],
            ink: Ink::Shadow as u32,
            u: [size.x + 2.0 * room.x, 0.0, 0.0],
            pad_u: 0,
            v: [0.0, 0.0, size.z + 2.0 * room.z],
            pad_v: 0,
        }
    })
}

fn leaf_of<'a>(
    element: &Element,
    digest: Digest,
    leaves: &'a BTreeMap<Digest, Columns>,
) -> Result<&'a Columns, StageError> {
    leaves.get(&digest).ok_or_else(|| StageError::LeafMissing {
        element: element.id.clone(),
        leaf: digest.to_string(),
    })
}

fn broken(element: &Element, error: &PlanError) -> StageError {
    StageError::Element {
        element: element.id.clone(),
        why: error.to_string(),
    }
}

fn row_keys(leaf: &Columns) -> Arc<[Box<str>]> {
    (0..leaf.n_rows())
        .map(|row| leaf.row_key(row).into_boxed_str())
        .collect()
}

/// The keys of the rows that have a mark, in the order of the marks.
fn of_rows(keys: &Arc<[Box<str>]>, rows: &[u32]) -> Arc<[Box<str>]> {
    if rows.len() == keys.len() {
        return Arc::clone(keys);
    }
    rows.iter()
        .filter_map(|row| keys.get(*row as usize).cloned())
        .collect()
}

fn marks(
    element: &Element,
    points: &Points,
    leaf: &Columns,
    keys: &Arc<[Box<str>]>,
) -> Result<MarkSet, StageError> {
    let broken = |error: PlanError| broken(element, &error);
    let placer = points.over(leaf).map_err(broken)?;
    let mut marks = Vec::with_capacity(placer.n_rows());
    for row in placer.rows().iter().map(|row| *row as usize) {
        let group = placer.group(row).map_err(broken)?;
        let own = points.look(group).ok_or_else(|| StageError::Element {
            element: element.id.clone(),
            why: format!("group {group} has no look"),
        })?;
        marks.push(Mark {
            position: to_f32(placer.place(row).map_err(broken)?),
            diameter: points.diameter as f32,
            look: look(own),
        });
    }
    let (low, high) = bounds(&marks);
    Ok(MarkSet {
        element: element.id.clone(),
        marks,
        keys: of_rows(keys, placer.rows()),
        plane: plane(points),
        is_still: false,
        opacity: points.opacity as f32,
        low,
        high,
    })
}

/// The cuboids or stretches of an element over a leaf.
fn solids(
    element: &Element,
    typed: &Typed,
    leaf: &Columns,
    keys: &Arc<[Box<str>]>,
) -> Result<SolidSet, StageError> {
    let broken = |error: PlanError| broken(element, &error);
    let rgb = |color: [u8; 3]| {
        let [r, g, b] = color;
        u32::from_le_bytes([r, g, b, 0]) | (number_of(color) << 28)
    };
    let mut set = SolidSet {
        element: element.id.clone(),
        body: Body::Stretches,
        solids: Vec::new(),
        keys: Arc::from([]),
        opacity: 1.0,
    };
    let mut rows = Vec::new();
    match typed {
        Typed::Boxes(boxes) => {
            let placer = boxes.over(leaf).map_err(broken)?;
            for row in placer.rows() {
                let (a, b) = placer.place(*row as usize).map_err(broken)?;
                set.solids.push(Solid {
                    a: to_f32(a),
                    b: to_f32(b),
                    width: 0.0,
                    look: rgb(placer.color(*row as usize).map_err(broken)?),
                });
            }
            (set.body, set.opacity) = (Body::Boxes, boxes.opacity as f32);
            rows = placer.rows().to_vec();
        }
        Typed::Path(path) => {
            let placer = path.over(leaf).map_err(broken)?;
            let mut stretch = |from: u32, to: u32| {
                set.solids.push(Solid {
                    a: to_f32(placer.place(from as usize).map_err(broken)?),
                    b: to_f32(placer.place(to as usize).map_err(broken)?),
                    width: path.width as f32,
                    look: rgb(path.color),
                });
                rows.push(from);
                Ok::<(), StageError>(())
            };
            let all = placer.rows();
            for (at, row) in all.iter().enumerate() {
                let begins = at == 0 || placer.is_broken_before(*row);
                match all.get(at + 1).filter(|next| !placer.is_broken_before(**next)) {
                    Some(next) => stretch(*row, *next)?,
                    // A row between two gaps is a dot.
                    None if begins => stretch(*row, *row)?,
                    None => {}
                }
            }
            set.opacity = path.opacity as f32;
        }
        Typed::Links(links) => {
            let placer = links.over(leaf).map_err(broken)?;
            for row in 0..placer.n_rows() {
                let [a, b] = placer.ends(row).map_err(broken)?;
                set.solids.push(Solid {
                    a: to_f32(a),
                    b: to_f32(b),
                    width: links.width as f32,
                    look: rgb(links.color),
                });
                rows.push(u32::try_from(row).unwrap_or(u32::MAX));
            }
            set.opacity = links.opacity as f32;
        }
        Typed::Points(_) | Typed::Surface(_) | Typed::Trajectory(_) | Typed::Glyph(_) | Typed::Label(_) => {}
    }
    set.keys = of_rows(keys, &rows);
    Ok(set)
}

/// Marks with one fixed coordinate lie on the wall of that coordinate.
fn plane(points: &Points) -> Option<Plane> {
    let is_fixed = |axis: &AxisPlace| matches!(axis, AxisPlace::Fixed(_));
    match points.axes.each_ref().map(is_fixed) {
        [false, false, true] => Some(Plane {
            u: Vec3::X,
            v: Vec3::Y,
        }),
        [true, false, false] => Some(Plane {
            u: Vec3::Z,
            v: Vec3::Y,
        }),
        [false, true, false] => Some(Plane {
            u: Vec3::X,
            v: Vec3::Z,
        }),
        _ => None,
    }
}

/// The box that an element's scales can fill.
fn extent(points: &Points) -> (Vec3, Vec3) {
    let ends = points.axes.each_ref().map(|axis| match axis {
        AxisPlace::Column { from, to, .. } => (from.min(*to) as f32, from.max(*to) as f32),
        AxisPlace::Band(band) => (band.from.min(band.to) as f32, band.from.max(band.to) as f32),
        AxisPlace::Fixed(at) => (*at as f32, *at as f32),
    });
    (
        Vec3::from_array(ends.map(|end| end.0)),
        Vec3::from_array(ends.map(|end| end.1)),
    )
}

fn bounds(marks: &[Mark]) -> (Vec3, Vec3) {
    marks.iter().map(|mark| Vec3::from_array(mark.position)).fold(
        (Vec3::splat(f32::MAX), Vec3::splat(f32::MIN)),
        |(low, high), at| (low.min(at), high.max(at)),
    )
}

pub(crate) fn look(look: Look) -> u32 {
    let [r, g, b] = look.color;
    u32::from_le_bytes([r, g, b, look.shape as u8]) | (number_of(look.color) << 28)
}

/// Analysis is in f64; what is drawn is within a micrometer of it: the stage is a few meters wide.
fn to_f32(at: [f64; 3]) -> [f32; 3] {
    at.map(|meters| meters as f32)
}

fn set_in_type(label: &element::Label, is_heading: bool) -> Label<'_> {
    Label {
        text: &label.text,
        anchor: to_f32(label.at),
        cap_height: label.cap_height as f32,
        align: match label.align {
            element::Align::Start => Align::Start,
            element::Align::Center => Align::Center,
            element::Align::End => Align::End,
        },
        valign: match label.valign {
            VAlign::Top => VerticalAlign::Top,
            VAlign::Middle => VerticalAlign::Middle,
            VAlign::Bottom => VerticalAlign::Bottom,
        },
        facing: match label.facing {
            element::Facing::Viewer => Facing::Viewer,
            element::Facing::Front => Facing::Front,
            element::Facing::Still => Facing::Still,
        },
        along: label.along.map(|axis| match axis {
            Along::X => 0,
            Along::Y => 1,
            Along::Z => 2,
        }),
        ink: match label.ink {
            LabelInk::Ink => Ink::Ink,
            LabelInk::Muted => Ink::Muted,
            LabelInk::Caveat => Ink::Caveat,
            LabelInk::Conjecture => Ink::Conjecture,
        },
        weight: if is_heading {
            Weight::SemiBold
        } else {
            Weight::Regular
        },
        wrap_width: label.wrap_width.map(|width| width as f32),
    }
}
