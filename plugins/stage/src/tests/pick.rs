//! The mark under a ray, told by its key.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;

use super::{marks, scene};
use crate::embodiment::Embodiment;
use crate::scene::{MarkSet, Plane};
use crate::{Aim, Picked, Picking};

const WALL: Plane = Plane {
    u: Vec3::X,
    v: Vec3::Y,
};

fn pick_in(sets: Vec<MarkSet>, shown: bool, aim: Aim) -> Option<Picked> {
    let mut world = World::new();
    let mut embodiment = Embodiment::over(1, scene(sets));
    embodiment.shown = shown;
    world.spawn(embodiment);
    world
        .run_system_once(move |picking: Picking| picking.pick(&aim))
        .unwrap()
}

fn pick(sets: Vec<MarkSet>, aim: Aim) -> Option<String> {
    pick_in(sets, true, aim).map(|picked| format!("{}/{}", picked.element_id, picked.row_key))
}

/// From z = 2 straight back, at a place.
fn along_z(x: f32, y: f32) -> Aim {
    Aim::along(Ray3d::new(Vec3::new(x, y, 2.0), Dir3::NEG_Z), 0.002)
}

fn two() -> Vec<MarkSet> {
    vec![marks(
        "volume",
        None,
        &[("far", [0.0, 0.0, -0.2], 0), ("near", [0.01, 0.0, 0.2], 0)],
    )]
}

#[test]
fn the_nearer_of_two_marks_under_the_ray_is_met() {
    assert_eq!(pick(two(), along_z(0.0, 0.0)).as_deref(), Some("volume/near"));
    assert_eq!(
        pick(two(), along_z(-0.015, 0.0)).as_deref(),
        Some("volume/far"),
        "only the far one is there"
    );
    assert_eq!(pick(two(), along_z(0.3, 0.0)), None);
}

#[test]
fn the_answer_is_the_key_whatever_the_order_of_marks() {
    let order = |keys: [(&'static str, f32); 3]| {
        let at = keys.map(|(key, x)| (key, [x, 0.0, 0.0], 0));
        pick(vec![marks("volume", None, &at)], along_z(0.2, 0.0))
    };
    assert_eq!(
        order([("a", 0.0), ("b", 0.2), ("c", 0.4)]).as_deref(),
        Some("volume/b")
    );
    assert_eq!(
        order([("b", 0.2), ("c", 0.4), ("a", 0.0)]).as_deref(),
        Some("volume/b")
    );
}

#[test]
fn a_hidden_view_is_not_asked() {
    assert!(pick_in(two(), false, along_z(0.0, 0.0)).is_none());
    let picked = pick_in(two(), true, along_z(0.0, 0.0)).unwrap();
    assert!((picked.distance - 1.8).abs() < 1e-6);
    assert_eq!(picked.position, Vec3::new(0.01, 0.0, 0.2));
}

#[test]
fn a_hit_wins_over_a_nearer_near_miss() {
    let sets = vec![marks(
        "volume",
        None,
        &[("missed", [0.022, 0.0, 0.2], 0), ("hit", [0.0, 0.0, -0.2], 0)],
    )];
    assert_eq!(
        pick(sets.clone(), along_z(0.0, 0.0)).as_deref(),
        Some("volume/hit")
    );
    let only_near = vec![marks("volume", None, &[("missed", [0.022, 0.0, 0.2], 0)])];
    assert_eq!(
        pick(only_near.clone(), along_z(0.0, 0.0)).as_deref(),
        Some("volume/missed")
    );
    let strict = Aim {
        slack: 0.0,
        ..along_z(0.0, 0.0)
    };
    assert_eq!(pick(only_near, strict), None);
}

#[test]
fn flat_marks_are_met_where_the_ray_meets_their_wall() {
    let wall = || vec![marks("wall", Some(WALL), &[("flat", [0.0, 0.0, -0.6], 0)])];
    // Seen at 60 degrees from the wall's normal: half as wide, and not met through the air beside it.
    let slanted = |beside: f32| {
        let direction = Dir3::new(Vec3::new(3.0_f32.sqrt(), 0.0, -1.0)).unwrap();
        let through = Vec3::new(beside, 0.0, -0.6);
        Aim::along(Ray3d::new(through - *direction * 2.0, direction), 0.0)
    };
    assert_eq!(pick(wall(), slanted(0.019)).as_deref(), Some("wall/flat"));
    assert_eq!(pick(wall(), slanted(0.021)), None);
}

#[test]
fn symbols_of_the_legend_stand_for_no_row() {
    assert_eq!(
        pick(
            vec![marks("", None, &[("", [0.0, 0.0, 0.0], 0)])],
            along_z(0.0, 0.0)
        ),
        None
    );
    assert!(
        pick(
            vec![marks("volume", None, &[("x", [0.0, 0.0, 0.0], 0)])],
            along_z(0.0, 0.0)
        )
        .is_some()
    );
}

#[test]
fn what_is_behind_the_eye_is_not_met() {
    let behind = Aim::along(Ray3d::new(Vec3::new(0.0, 0.0, -2.0), Dir3::NEG_Z), 0.01);
    assert_eq!(pick(two(), behind), None);
    let ahead = Aim::along(Ray3d::new(Vec3::new(0.0, 0.0, -2.0), Dir3::Z), 0.01);
    assert_eq!(
        pick(two(), ahead).as_deref(),
        Some("volume/far"),
        "from behind, the far one is nearer"
    );
}
