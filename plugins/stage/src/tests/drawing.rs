//! What reaches the pixels: the nearer mark on top, walls behind or in front, shapes where they belong.

use plan::Camera;

use super::{marks, scene};
use crate::embodiment::Embodiment;
use crate::headless::{Headless, Picture};
use crate::scene::{Plane, Scene};
use crate::{Emphasis, Graphics};

const RED: u32 = 0x00_00_00_FF;
const BLUE: u32 = 0x00_FF_00_00;
const PAPER: [u8; 3] = [0xF7, 0xF6, 0xF2];

fn from(eye: [f64; 3]) -> Camera {
    Camera {
        eye,
        target: [0.0; 3],
        fov_y_deg: 10.0,
    }
}

pub(super) fn look(scene: Scene, eye: [f64; 3], emphasis: Option<&str>) -> Picture {
    let mut headless = Headless::new(Graphics::open().unwrap(), (160, 90), from(eye)).unwrap();
    let mut embodiment = Embodiment::over(1, scene);
    embodiment.shown = true;
    headless.app.world_mut().spawn(embodiment);
    headless
        .app
        .insert_resource(Emphasis(emphasis.map(str::to_owned)));
    headless.picture().unwrap()
}

pub(super) fn pixel(picture: &Picture, x: usize, y: usize) -> [u8; 3] {
    let at = (y * picture.width as usize + x) * 3;
    [picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]]
}

pub(super) fn center(picture: &Picture) -> [u8; 3] {
    pixel(picture, 80, 45)
}

#[test]
fn the_nearer_mark_is_on_top_from_both_sides_and_in_both_orders() {
    let (front, back) = (("front", [0.0, 0.0, 0.3], RED), ("back", [0.0, 0.0, -0.3], BLUE));
    for order in [[front, back], [back, front]] {
        let set = || vec![marks("volume", None, &order)];
        assert_eq!(
            center(&look(scene(set()), [0.0, 0.0, 3.0], None)),
            [255, 0, 0],
            "{order:?}"
        );
        assert_eq!(
            center(&look(scene(set()), [0.0, 0.0, -3.0], None)),
            [0, 0, 255],
            "{order:?}"
        );
    }
}

#[test]
fn a_wall_is_behind_the_volume_from_inside_and_before_it_from_outside() {
    let plane = Plane {
        u: bevy::math::Vec3::X,
        v: bevy::math::Vec3::Y,
    };
    let sets = || {
        vec![
            marks("wall", Some(plane), &[("r", [0.0, 0.0, -0.5], BLUE)]),
            marks("volume", None, &[("r", [0.0, 0.0, 0.0], RED)]),
        ]
    };
    assert_eq!(center(&look(scene(sets()), [0.0, 0.0, 3.0], None)), [255, 0, 0]);
    assert_eq!(center(&look(scene(sets()), [0.0, 0.0, -3.0], None)), [0, 0, 255]);
}

#[test]
fn a_mark_covers_its_disc_and_the_rest_is_paper() {
    let picture = look(
        scene(vec![marks("volume", None, &[("r", [0.0, 0.0, 0.0], RED)])]),
        [0.0, 0.0, 3.0],
        None,
    );
    // 90 pixels over 2 tan(5 degrees) 3 m: a mark of 4 cm is 6.9 pixels wide.
    assert_eq!(center(&picture), [255, 0, 0]);
    assert_eq!(pixel(&picture, 80 + 7, 45), PAPER);
    assert_eq!(pixel(&picture, 80, 45 - 7), PAPER);
    assert_eq!(pixel(&picture, 2, 2), PAPER);
}

#[test]
fn a_ring_is_open_and_a_plus_has_arms() {
    let shaped = |kind: u32| {
        let mut set = marks("volume", None, &[("r", [0.0, 0.0, 0.0], RED | kind << 24)]);
        set.marks[0].diameter = 0.2;
        look(scene(vec![set]), [0.0, 0.0, 3.0], None)
    };
    assert_eq!(center(&shaped(6)), PAPER, "a ring has a hole");
    assert_eq!(center(&shaped(0)), [255, 0, 0], "a disc has none");
    // Radius 17 pixels: 20 to the right is inside a plus, which reaches 1.33, and outside a disc.
    assert_eq!(pixel(&shaped(5), 80 + 20, 45), [255, 0, 0]);
    assert_eq!(pixel(&shaped(0), 80 + 20, 45), PAPER);
    assert_eq!(pixel(&shaped(5), 80 + 12, 45 - 12), PAPER, "between the arms");
}

#[test]
fn an_emphasized_mark_is_seen_through_what_stands_before_it() {
    let sets = || {
        vec![marks(
            "volume",
            None,
            &[("front", [0.0, 0.0, 0.3], RED), ("back", [0.0, 0.0, -0.3], BLUE)],
        )]
    };
    assert_eq!(
        center(&look(scene(sets()), [0.0, 0.0, 3.0], Some("back"))),
        [0, 0, 255]
    );
    assert_eq!(
        center(&look(scene(sets()), [0.0, 0.0, 3.0], Some("nobody"))),
        [255, 0, 0]
    );
}
