//! Which mark a ray meets. The answer is a row key; an instance index never leaves this file.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::embodiment::Embodiment;
use crate::scene::MarkSet;

/// A ray, with the angle by which it may miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// From the eye, the controller or the finger; its direction has length one.
    pub ray: Ray3d,
    /// Meters by which a mark may be missed for each meter of distance. A hit always wins over a near miss.
    pub slack: f32,
}

/// Pixels by which a cursor may miss a mark.
const SLACK_PIXELS: f32 = 4.0;

impl Aim {
    /// Through a cursor position in logical pixels of the camera's viewport.
    #[must_use]
    pub fn at_cursor(camera: &Camera, transform: &GlobalTransform, cursor: Vec2) -> Option<Self> {
        let ray = camera.viewport_to_world(transform, cursor).ok()?;
        let beside = camera
            .viewport_to_world(transform, cursor + Vec2::new(SLACK_PIXELS, 0.0))
            .ok()?;
        let cosine = ray.direction.dot(*beside.direction).clamp(-1.0, 1.0);
        Some(Self {
            ray,
            slack: cosine.acos().tan(),
        })
    }
}

/// A mark that was met.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    /// Element of the plan.
    pub element_id: String,
    /// The row it stands for.
    pub row_key: String,
    /// Meters along the ray.
    pub distance: f32,
    /// Where it stands, meters in the stage frame.
    pub position: Vec3,
}

/// Asks what is under a ray.
#[derive(SystemParam)]
#[allow(
    missing_debug_implementations,
    reason = "a system parameter has no printable form"
)]
pub struct Picking<'w, 's> {
    embodiments: Query<'w, 's, &'static Embodiment>,
}

impl Picking<'_, '_> {
    /// The mark on top under the ray, of the view that is drawn; hidden views are not asked. A mark counts by the disc of its
    /// area, whatever its shape.
    #[must_use]
    pub fn pick(&self, aim: &Aim) -> Option<Picked> {
        let shown = self.embodiments.iter().filter(|embodiment| embodiment.shown);
        nearest(shown.flat_map(|embodiment| &embodiment.scene.sets), aim)
    }
}

/// One mark met, in the order in which it is preferred: hit before near miss, then near before far, then the smaller miss.
#[derive(Clone, Copy, Debug)]
struct Met<'a> {
    set: &'a MarkSet,
    index: usize,
    distance: f32,
    /// Beyond the mark's edge, meters for each meter of distance; 0 for a hit.
    miss: f32,
}

fn nearest<'a>(sets: impl Iterator<Item = &'a MarkSet>, aim: &Aim) -> Option<Picked> {
    let mut best: Option<Met<'_>> = None;
    for set in sets.filter(|set| !set.element.is_empty()) {
        for index in 0..set.marks.len() {
            if let Some(met) = meet(set, index, aim)
                && best.is_none_or(|best| (met.miss, met.distance) < (best.miss, best.distance))
            {
                best = Some(met);
            }
        }
    }
    best.map(|met| Picked {
        element_id: met.set.element.clone(),
        row_key: met.set.keys[met.index].to_string(),
        distance: met.distance,
        position: Vec3::from_array(met.set.marks[met.index].position),
    })
}

fn meet<'a>(set: &'a MarkSet, index: usize, aim: &Aim) -> Option<Met<'a>> {
    let mark = &set.marks[index];
    let center = Vec3::from_array(mark.position);
    let distance = match set.plane {
        // Where the ray meets the wall.
        Some(plane) => {
            let normal = plane.u.cross(plane.v);
            (center - aim.ray.origin).dot(normal) / aim.ray.direction.dot(normal)
        }
        // Where it passes a mark that faces it.
        None => (center - aim.ray.origin).dot(*aim.ray.direction),
    };
    if !(distance > 0.0 && distance.is_finite()) {
        return None;
    }
    let beside = aim.ray.get_point(distance).distance(center);
    let miss = ((beside - 0.5 * mark.diameter) / distance).max(0.0);
    (miss <= aim.slack).then_some(Met {
        set,
        index,
        distance,
        miss,
    })
}
