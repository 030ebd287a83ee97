//! Free room in the home view: where words can stand off the data, off every other word, and inside the picture.
//!
//! Reckoned in pixels of a picture of 1280 x 720 as [`Camera::project`] gives them; a label that faces the viewer is a
//! rectangle there, the data volume the hull of its eight corners.

use knowledge::wire::v1::DeviceClass;
use representation::volume;

use super::words;
use crate::element::{self, Align, Facing, Label, Typed, VAlign};
use crate::wire::v1::Element;
use crate::{Camera, PlanError};

const WIDE: f64 = 1280.0;
const HIGH: f64 = 720.0;
/// Room below the last baseline, in cap heights: descenders.
const DESCENT: f64 = 0.32;
/// Free pixels around words, and at the edge of the picture.
const APART: f64 = 4.0;
const EDGE: f64 = 10.0;
/// Pixels between two places that are tried.
const STEP: f64 = 4.0;
/// What it costs in pixels when the line to the mark runs over words.
const CROSSING: f64 = 400.0;
/// Meters between a mark and where the line to it ends.
const OFF_MARK: f64 = 0.032;

#[derive(Clone, Copy, Debug)]
struct Rect {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Rect {
    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right + APART
            && other.left < self.right + APART
            && self.top < other.bottom + APART
            && other.top < self.bottom + APART
    }

    fn with(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn nearest(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (x.clamp(self.left, self.right), y.clamp(self.top, self.bottom))
    }

    fn corners(&self) -> [(f64, f64); 4] {
        [
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        ]
    }

    /// Whether the segment enters the rectangle (Liang and Barsky, 1984).
    fn is_crossed(&self, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> bool {
        let (dx, dy) = (x1 - x0, y1 - y0);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (step, room) in [
            (-dx, x0 - self.left),
            (dx, self.right - x0),
            (-dy, y0 - self.top),
            (dy, self.bottom - y0),
        ] {
            if step == 0.0 {
                if room < 0.0 {
                    return false;
                }
            } else if step < 0.0 {
                enter = enter.max(room / step);
            } else {
                leave = leave.min(room / step);
            }
        }
        enter <= leave
    }
}

/// Where words stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The anchor of the label, upper left, in meters.
    pub(super) at: [f64; 3],
    /// Its widest line, in meters.
    pub(super) wrap: f64,
    /// The mark, a little off it.
    pub(super) anchor: [f64; 3],
    /// Where the line to the mark begins.
    pub(super) end: [f64; 3],
}

pub(super) struct Room {
    camera: Camera,
    taken: Vec<Rect>,
    hull: Vec<(f64, f64)>,
    /// Distance ahead of the eye at which words stand, in meters, and pixels a meter there.
    ahead: f64,
    scale: f64,
}

impl Room {
    /// The room that these elements leave; those of the primitives of `column` stand together, and nothing between them.
    pub(super) fn around(
        device: DeviceClass,
        elements: &[Element],
        column: &[&str],
    ) -> Result<Self, PlanError> {
        let camera = Camera::home(device);
        let (_, _, forward) = camera.basis();
        let middle = [
            f64::midpoint(volume::X_MIN, volume::X_MAX),
            f64::midpoint(volume::Y_MIN, volume::Y_MAX),
            f64::midpoint(volume::Z_MIN, volume::Z_MAX),
        ];
        let ahead = (0..3)
            .map(|axis| (middle[axis] - camera.eye[axis]) * forward[axis])
            .sum();
        let mut room = Self {
            camera,
            taken: Vec::new(),
            hull: hull(camera),
            ahead,
            scale: scale_at(camera, ahead),
        };
        let mut together: Option<Rect> = None;
        for element in elements {
            let rect = match element::read(element)? {
                Typed::Label(label) => room.of_label(&label),
                Typed::Glyph(glyph) if element.supposed.is_none() => {
                    let (x, y, scale) = room.seen(glyph.at, glyph.facing);
                    let half = glyph.diameter / 2.0 * scale;
                    Some(Rect {
                        left: x - half,
                        top: y - half,
                        right: x + half,
                        bottom: y + half,
                    })
                }
                Typed::Glyph(_)
                | Typed::Points(_)
                | Typed::Boxes(_)
                | Typed::Path(_)
                | Typed::Links(_)
                | Typed::Surface(_)
                | Typed::Trajectory(_) => None,
            };
            let Some(rect) = rect else { continue };
            if column.contains(&element.representation_primitive_id.as_str()) {
                together = Some(together.map_or(rect, |all: Rect| all.with(&rect)));
            } else {
                room.taken.push(rect);
            }
        }
        room.taken.extend(together);
        Ok(room)
    }

    /// Pixels from left and top, and pixels a meter.
    fn seen(&self, at: [f64; 3], facing: Facing) -> (f64, f64, f64) {
        if facing == Facing::Still {
            let scale = scale_at(self.camera, at[2]);
            return (WIDE / 2.0 + at[0] * scale, HIGH / 2.0 - at[1] * scale, scale);
        }
        match self.camera.project(at, WIDE, HIGH) {
            Some(seen) => (seen.x, seen.y, seen.pixels_per_meter),
            None => (-WIDE, -HIGH, 0.0),
        }
    }

    fn of_label(&self, label: &Label) -> Option<Rect> {
        let (x, y, scale) = self.seen(label.at, label.facing);
        let (wide, high) = extent(
            &label.text,
            label.cap_height,
            label.wrap_width.unwrap_or(f64::INFINITY),
        );
        let left = match label.align {
            Align::Start => 0.0,
            Align::Center => -wide / 2.0,
            Align::End => -wide,
        };
        let top = match label.valign {
            VAlign::Top => 0.0,
            VAlign::Middle => -high / 2.0,
            VAlign::Bottom => -high,
        };
        (scale > 0.0).then_some(Rect {
            left: x + left * scale,
            top: y + top * scale,
            right: x + (left + wide) * scale,
            bottom: y + (top + high + DESCENT * label.cap_height) * scale,
        })
    }

    /// The free place nearest to one of the anchors, and takes it.
    pub(super) fn find(
        &mut self,
        text: &str,
        cap_height: f64,
        wraps: &[f64],
        anchors: &[[f64; 3]],
    ) -> Option<Found> {
        let seen: Vec<(f64, f64)> = anchors
            .iter()
            .map(|anchor| {
                let (x, y, _) = self.seen(*anchor, Facing::Viewer);
                (x, y)
            })
            .collect();
        let mut best: Option<(f64, Rect, f64, usize)> = None;
        for wrap in wraps {
            let (wide, high) = extent(text, cap_height, *wrap);
            let size = (wide * self.scale, (high + DESCENT * cap_height) * self.scale);
            let mut top = EDGE;
            while top + size.1 + EDGE <= HIGH {
                let mut left = EDGE;
                while left + size.0 + EDGE <= WIDE {
                    let rect = Rect {
                        left,
                        top,
                        right: left + size.0,
                        bottom: top + size.1,
                    };
                    for (at, anchor) in seen.iter().enumerate() {
                        let near = rect.nearest(*anchor);
                        let mut cost = libm::hypot(anchor.0 - near.0, anchor.1 - near.1);
                        if best.as_ref().is_some_and(|(least, ..)| *least <= cost) || !self.is_free(&rect) {
                            continue;
                        }
                        if self.taken.iter().any(|taken| taken.is_crossed(*anchor, near)) {
                            cost += CROSSING;
                        }
                        if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                            best = Some((cost, rect, *wrap, at));
                        }
                    }
                    left += STEP;
                }
                top += STEP;
            }
        }
        let (_, rect, wrap, at) = best?;
        self.taken.push(rect);
        let anchor = *anchors.get(at)?;
        let near = rect.nearest(seen[at]);
        let end = self.point(near.0, near.1);
        let away: [f64; 3] = std::array::from_fn(|axis| end[axis] - anchor[axis]);
        let run = libm::sqrt(away.iter().map(|part| part * part).sum());
        let off = if run > 2.0 * OFF_MARK { OFF_MARK / run } else { 0.0 };
        Some(Found {
            at: self.point(rect.left, rect.top),
            wrap,
            anchor: std::array::from_fn(|axis| anchor[axis] + off * away[axis]),
            end,
        })
    }

    fn is_free(&self, rect: &Rect) -> bool {
        !self.taken.iter().any(|taken| taken.overlaps(rect)) && is_apart(&self.hull, &rect.corners())
    }

    /// The point of the stage frame that a place in the picture shows at the distance of the words.
    fn point(&self, x: f64, y: f64) -> [f64; 3] {
        let (right, up, forward) = self.camera.basis();
        let (across, above) = ((x - WIDE / 2.0) / self.scale, (HIGH / 2.0 - y) / self.scale);
        std::array::from_fn(|axis| {
            self.camera.eye[axis] + self.ahead * forward[axis] + across * right[axis] + above * up[axis]
        })
    }
}

/// Pixels a meter at a distance ahead of the eye.
fn scale_at(camera: Camera, ahead: f64) -> f64 {
    let half = libm::tan(camera.fov_for(WIDE / HIGH).to_radians() / 2.0);
    HIGH / 2.0 / half / ahead
}

/// Width and height of words in meters.
fn extent(text: &str, cap_height: f64, wrap: f64) -> (f64, f64) {
    let lines = words::lines(text, cap_height, wrap);
    let wide = lines
        .iter()
        .map(|line| words::width(line, cap_height))
        .fold(0.0, f64::max);
    (wide, words::height(lines.len(), cap_height))
}

/// The convex hull of the volume's corners in the picture (Andrew's monotone chain).
fn hull(camera: Camera) -> Vec<(f64, f64)> {
    let mut corners = Vec::new();
    for x in [volume::X_MIN, volume::X_MAX] {
        for y in [volume::Y_MIN, volume::Y_MAX] {
            for z in [volume::Z_MIN, volume::Z_MAX] {
                corners.extend(camera.project([x, y, z], WIDE, HIGH).map(|seen| (seen.x, seen.y)));
            }
        }
    }
    corners.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let turn =
        |o: (f64, f64), a: (f64, f64), b: (f64, f64)| (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0);
    let half = |corners: &mut dyn Iterator<Item = (f64, f64)>| {
        let mut side: Vec<(f64, f64)> = Vec::new();
        for corner in corners {
            while side.len() >= 2 && turn(side[side.len() - 2], side[side.len() - 1], corner) <= 0.0 {
                side.pop();
            }
            side.push(corner);
        }
        side.pop();
        side
    };
    let mut hull = half(&mut corners.iter().copied());
    hull.extend(half(&mut corners.iter().rev().copied()));
    hull
}

/// Whether an edge of one of two convex outlines separates them by at least [`APART`].
fn is_apart(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let separates = |outline: &[(f64, f64)]| {
        (0..outline.len()).any(|at| {
            let (p, q) = (outline[at], outline[(at + 1) % outline.len()]);
            let long = libm::hypot(q.0 - p.0, q.1 - p.1).max(1e-9);
            let normal = ((q.1 - p.1) / long, (p.0 - q.0) / long);
            let range = |outline: &[(f64, f64)]| {
                outline
                    .iter()
                    .map(|point| point.0 * normal.0 + point.1 * normal.1)
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                        (low.min(value), high.max(value))
                    })
            };
            let ((low_a, high_a), (low_b, high_b)) = (range(a), range(b));
            high_a + APART <= low_b || high_b + APART <= low_a
        })
    };
    separates(a) || separates(b)
}
