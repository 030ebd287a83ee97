//! Where a ray meets cuboids and stretches of line: the twin of `solids.wgsl`. And one numbering for all that stands for
//! rows in a scene, marks first, then solids.

use bevy::math::{Vec2, Vec3};

use crate::aim::{Aim, Passing};
use crate::bvh::Bounds;
use crate::scene::{Body, Scene, Solid, SolidSet};

/// The thinnest stretch that is drawn, to the smallest mark: 0.75 pixels to 1.25 on either side.
const THIN: f32 = 0.6;

/// Meters before the eye at which a stretch is cut.
const NEAREST: f32 = 0.01;

impl Scene {
    /// Sets of marks, then sets of solids.
    pub(crate) fn n_sets(&self) -> usize {
        self.sets.len() + self.solids.len()
    }

    /// The solids of a set that is none of marks.
    pub(crate) fn solids_of(&self, set: usize) -> Option<&SolidSet> {
        self.solids.get(set.checked_sub(self.sets.len())?)
    }

    /// Element of the plan; empty for symbols of the legend.
    pub(crate) fn element_of(&self, set: usize) -> &str {
        match self.sets.get(set) {
            Some(marks) => &marks.element,
            None => self.solids_of(set).map_or("", |solids| &solids.element),
        }
    }

    /// Row keys of a set.
    pub(crate) fn keys_of(&self, set: usize) -> &std::sync::Arc<[Box<str>]> {
        match self.sets.get(set) {
            Some(marks) => &marks.keys,
            None => &self.solids[set - self.sets.len()].keys,
        }
    }

    /// How many things a set has.
    pub(crate) fn count_of(&self, set: usize) -> usize {
        match self.sets.get(set) {
            Some(marks) => marks.marks.len(),
            None => self.solids_of(set).map_or(0, |solids| solids.solids.len()),
        }
    }

    /// Where a thing lies.
    pub(crate) fn bounds_of(&self, set: usize, thing: usize) -> Bounds {
        match self.sets.get(set) {
            Some(marks) => Bounds::at(Vec3::from_array(marks.marks[thing].position)),
            None => bounds(&self.solids[set - self.sets.len()].solids[thing]),
        }
    }
}

/// The box around a solid, without the width of a stretch.
fn bounds(solid: &Solid) -> Bounds {
    let (a, b) = (Vec3::from_array(solid.a), Vec3::from_array(solid.b));
    Bounds {
        low: a.min(b),
        high: a.max(b),
    }
}

/// Where a ray goes through a box that is grown by what may be missed, and whether at all; meters along the ray. From
/// inside a box none of its faces is seen.
pub(crate) fn through(aim: &Aim, bounds: &Bounds, grown: f32) -> Option<(f32, f32)> {
    let (mut enter, mut leave) = (f32::MIN, f32::MAX);
    for axis in 0..3 {
        let (low, high) = (bounds.low[axis] - grown, bounds.high[axis] + grown);
        let (from, toward) = (aim.ray.origin[axis], aim.ray.direction[axis]);
        if toward == 0.0 {
            if from < low || from > high {
                return None;
            }
            continue;
        }
        let (one, other) = ((low - from) / toward, (high - from) / toward);
        enter = enter.max(one.min(other));
        leave = leave.min(one.max(other));
    }
    (enter <= leave && leave > 0.0).then_some((enter, leave))
}

/// Meters by which a thing in a box may be missed at most.
pub(crate) fn room(aim: &Aim, bounds: &Bounds, slack: f32) -> f32 {
    if slack == 0.0 {
        return 0.0;
    }
    let away = if aim.eye.is_parallel {
        1.0
    } else {
        (bounds.middle() - aim.eye.place).length() + bounds.half().length()
    };
    slack * away
}

/// How a ray meets a solid: by how much it misses it, and where. A cuboid that is missed is missed by the whole slack.
pub(crate) fn meet(
    aim: &Aim,
    passing: &Passing,
    body: Body,
    solid: &Solid,
    slack: f32,
) -> Option<(f32, f32)> {
    match body {
        Body::Boxes => {
            let bounds = bounds(solid);
            let hit = through(aim, &bounds, 0.0).filter(|(enter, _)| *enter > 0.0);
            if let Some((enter, _)) = hit {
                return Some((0.0, enter));
            }
            if slack == 0.0 || through(aim, &bounds, 0.0).is_some() {
                return None;
            }
            let (enter, _) = through(aim, &bounds, room(aim, &bounds, slack))?;
            (enter > 0.0).then_some((slack, enter))
        }
        Body::Stretches => stretch(passing, solid, slack),
    }
}

fn stretch(passing: &Passing, solid: &Solid, slack: f32) -> Option<(f32, f32)> {
    let (a, b) = (Vec3::from_array(solid.a), Vec3::from_array(solid.b));
    let (wa, wb) = (passing.weight_of(a), passing.weight_of(b));
    if wa.max(wb) <= NEAREST {
        return None;
    }
    // Cut at the eye.
    let cut = |from: Vec3, to: Vec3, near: f32, far: f32| {
        if near < NEAREST {
            from.lerp(to, (NEAREST - near) / (far - near))
        } else {
            from
        }
    };
    let (a, b) = (cut(a, b, wa, wb), cut(b, a, wb, wa));
    let (wa, wb) = (wa.max(NEAREST), wb.max(NEAREST));
    let (pa, pb) = (passing.beside(a) / wa, passing.beside(b) / wb);
    let half = |weight: f32| (0.5 * solid.width / weight).max(THIN * passing.least());
    let run = pb - pa;
    let h = (-pa.dot(run) / run.length_squared().max(1e-16)).clamp(0.0, 1.0);
    let nearest: Vec2 = pa + run * h;
    let radius = half(wa) + (half(wb) - half(wa)) * h;
    let miss = (nearest.length() - radius).max(0.0);
    // One over the distance is even in the picture, from one round end's tip to the other's.
    let (length, ends) = (run.length(), half(wa) + half(wb));
    let part = ((h * length + half(wa)) / (length + ends)).clamp(0.0, 1.0);
    let weight = 1.0 / ((1.0 - part) / wa + part / wb);
    let distance = match passing.distance_at(weight) {
        Some(distance) => distance,
        None => passing.along(a.lerp(b, h)),
    };
    (miss <= slack && distance > 0.0).then_some((miss, distance))
}
