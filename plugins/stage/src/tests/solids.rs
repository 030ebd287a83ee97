//! Cuboids and stretches of line: they hide and are hidden by depth, beside the marks.

use super::drawing::{center, look, pixel};
use super::{marks, scene};
use crate::scene::{Body, Scene, Solid, SolidSet};

const RED: u32 = 0x00_00_00_FF;
const BLUE: u32 = 0x00_FF_00_00;
const PAPER: [u8; 3] = [0xF7, 0xF6, 0xF2];

pub(super) fn solids(body: Body, opacity: f32, all: &[Solid]) -> Scene {
    let mut scene = scene(vec![marks("volume", None, &[("m", [0.0, 0.0, -0.3], BLUE)])]);
    scene.solids.push(SolidSet {
        element: "solid".to_owned(),
        body,
        keys: all.iter().map(|_| Box::from("r")).collect(),
        solids: all.to_vec(),
        opacity,
    });
    scene
}

pub(super) fn cuboid(z: f32) -> Solid {
    Solid {
        a: [-0.1, -0.1, z - 0.05],
        b: [0.1, 0.1, z + 0.05],
        width: 0.0,
        look: RED,
    }
}

fn bar(z: f32, width: f32) -> Solid {
    Solid {
        a: [-0.1, 0.0, z],
        b: [0.1, 0.0, z],
        width,
        look: RED,
    }
}

fn is_red([r, g, b]: [u8; 3]) -> bool {
    r > 200 && g < 40 && b < 40
}

#[test]
fn a_cuboid_hides_what_is_behind_it_and_is_hidden_by_what_is_before_it() {
    let scene = || solids(Body::Boxes, 1.0, &[cuboid(0.0)]);
    assert!(is_red(center(&look(scene(), [0.0, 0.0, 3.0], None))));
    assert_eq!(
        center(&look(scene(), [0.0, 0.0, -3.0], None)),
        [0, 0, 255],
        "from behind, the mark stands before it"
    );
    // 90 pixels over 2 tan(5 degrees) 3 m: its near face of 20 cm is 35 pixels wide.
    let picture = look(scene(), [0.0, 0.0, 3.0], None);
    assert!(is_red(pixel(&picture, 80 + 14, 45)));
    assert_eq!(pixel(&picture, 80 + 22, 45), PAPER);
}

#[test]
fn edges_keep_adjacent_cuboids_apart_and_level_faces_are_lighter() {
    let beside = Solid {
        a: [0.1, -0.1, -0.05],
        b: [0.3, 0.1, 0.05],
        ..cuboid(0.0)
    };
    let picture = look(
        solids(Body::Boxes, 1.0, &[cuboid(0.0), beside]),
        [0.0, 0.0, 3.0],
        None,
    );
    let dark = (90..105).map(|x| pixel(&picture, x, 45)[0]).min().unwrap();
    assert!(dark < 190, "a line between the two: {dark}");
    assert!(is_red(pixel(&picture, 80, 45)) && is_red(pixel(&picture, 110, 45)));
    let above = look(solids(Body::Boxes, 1.0, &[cuboid(0.0)]), [0.0, 2.9, 0.6], None);
    assert!(
        center(&above)[0] > center(&picture)[0],
        "the top takes more light"
    );
}

#[test]
fn what_is_sheer_is_laid_over_what_is_solid_and_hides_nothing() {
    let over = center(&look(
        solids(Body::Boxes, 0.5, &[cuboid(0.0)]),
        [0.0, 0.0, 3.0],
        None,
    ));
    assert!(over[0] > 100 && over[2] > 100, "both are seen: {over:?}");
    let behind = center(&look(
        solids(Body::Boxes, 0.5, &[cuboid(0.0)]),
        [0.0, 0.0, -3.0],
        None,
    ));
    assert_eq!(behind, [0, 0, 255], "a mark before it is as it was");
}

#[test]
fn a_stretch_has_its_width_its_depth_and_never_less_than_a_pixel() {
    let wide = |z| solids(Body::Stretches, 1.0, &[bar(z, 0.04)]);
    let picture = look(wide(0.0), [0.0, 0.0, 3.0], None);
    assert!(is_red(center(&picture)));
    assert!(is_red(pixel(&picture, 80 + 12, 45)), "along it");
    assert_eq!(pixel(&picture, 80 + 12, 45 - 6), PAPER, "beside it");
    assert_eq!(center(&look(wide(-0.4), [0.0, 0.0, 3.0], None)), [0, 0, 255]);
    let thin = look(
        solids(Body::Stretches, 1.0, &[bar(0.0, 1e-6)]),
        [0.0, 0.0, 3.0],
        None,
    );
    let seen = (42..49).any(|y| pixel(&thin, 80 + 12, y)[1] < 140);
    assert!(seen, "a line without width is still a line");
}
