mod camera;
mod drawing;
mod exact;
mod focus;
mod governor;
mod motion;
mod pick;
mod read;
mod scale;
mod solids;
mod text;
mod theme;

use std::sync::Arc;

use bevy::math::Vec3;

use crate::scene::{Mark, MarkSet, Plane, Scene};
use crate::text::Atlas;

/// Marks of 4 cm with keys, one element.
fn marks(element: &str, plane: Option<Plane>, at: &[(&str, [f32; 3], u32)]) -> MarkSet {
    let marks: Vec<Mark> = at
        .iter()
        .map(|(_, position, look)| Mark {
            position: *position,
            diameter: 0.04,
            look: *look,
        })
        .collect();
    let place = |mark: &Mark| Vec3::from_array(mark.position);
    MarkSet {
        element: element.to_owned(),
        keys: at
            .iter()
            .map(|(key, _, _)| Box::from(*key))
            .collect::<Arc<[Box<str>]>>(),
        plane,
        is_still: false,
        opacity: 1.0,
        low: marks.iter().map(place).fold(Vec3::MAX, Vec3::min),
        high: marks.iter().map(place).fold(Vec3::MIN, Vec3::max),
        marks,
    }
}

fn scene(sets: Vec<MarkSet>) -> Scene {
    Scene {
        sets,
        solids: Vec::new(),
        lines: Vec::new(),
        surfaces: Vec::new(),
        letters: Vec::new(),
        atlas: Atlas::new(),
        volume: Some((Vec3::splat(-0.5), Vec3::splat(0.5))),
        banner: None,
    }
}
