//! Cost and limits: a still camera writes nothing, a moving one its uniform alone, and no extent breaks the drawing.

use bevy::math::Vec3;
use plan::Camera;

use super::drawing::{center, look};
use super::{marks, scene};
use crate::embodiment::Embodiment;
use crate::headless::Headless;
use crate::scene::{BYTES_PER_MARK, Mark, Scene};
use crate::states::HIDDEN;
use crate::{Graphics, OrbitCamera, draw};

const RED: u32 = 0x00_00_00_FF;

fn many(count: u16) -> Scene {
    let mut set = marks("volume", None, &[("m", [0.0; 3], RED)]);
    set.marks = (0..count)
        .map(|at| Mark {
            position: [f32::from(at) * 1e-4, 0.0, 0.0],
            diameter: 0.01,
            look: RED,
        })
        .collect();
    set.keys = (0..count).map(|at| Box::from(format!("row:{at}"))).collect();
    scene(vec![set])
}

fn shown(scene: Scene) -> Headless {
    let home = Camera {
        eye: [0.0, 0.0, 3.0],
        target: [0.0; 3],
        fov_y_deg: 10.0,
    };
    let mut headless = Headless::new(Graphics::open().unwrap(), (64, 64), home).unwrap();
    let mut embodiment = Embodiment::over(1, scene);
    embodiment.shown = true;
    headless.app.world_mut().spawn(embodiment);
    headless.picture().unwrap();
    headless
}

/// Bytes written in one frame, after a turn of the camera or without.
fn writes(headless: &mut Headless, turn: f32) -> u64 {
    let before = draw::written(&headless.app);
    let world = headless.app.world_mut();
    let mut cameras = world.query::<&mut OrbitCamera>();
    if turn != 0.0 {
        cameras.single_mut(world).unwrap().turn(turn, 0.0);
    }
    headless.step();
    draw::written(&headless.app) - before
}

#[test]
fn a_still_camera_writes_nothing_and_a_moving_one_as_much_for_any_number_of_marks() {
    let moved = [10, 4000].map(|count| {
        let mut headless = shown(many(count));
        assert_eq!(writes(&mut headless, 0.0), 0, "{count} marks, still");
        assert_eq!(writes(&mut headless, 0.0), 0, "{count} marks, still again");
        writes(&mut headless, 0.1)
    });
    assert!(moved[0] > 0, "the control: a camera that moved is written");
    assert_eq!(moved[0], moved[1]);
    assert!(moved[0] < 1024, "the uniform: {} bytes", moved[0]);
}

#[test]
fn a_mark_takes_at_most_24_bytes() {
    assert!(BYTES_PER_MARK <= 24);
    let (few, more) = (many(10).bytes(), many(110).bytes());
    assert_eq!(more - few, 100 * BYTES_PER_MARK);
}

#[test]
fn what_is_tiny_huge_empty_or_all_in_one_place_is_drawn_or_not_but_breaks_nothing() {
    let at = |places: &[[f32; 3]], diameter| {
        let mut set = marks("volume", None, &[("m", [0.0; 3], RED)]);
        set.marks = places
            .iter()
            .map(|position| Mark {
                position: *position,
                diameter,
                look: RED,
            })
            .collect();
        set.keys = places.iter().map(|_| Box::from("m")).collect();
        let mut scene = scene(vec![set]);
        let (low, high) = places
            .iter()
            .map(|place| Vec3::from_array(*place))
            .fold((Vec3::MAX, Vec3::MIN), |(low, high), place| {
                (low.min(place), high.max(place))
            });
        scene.volume = (!places.is_empty()).then_some((low, high));
        scene
    };
    let eye = [0.0, 0.0, 3.0];
    let red = [255, 0, 0];
    assert_ne!(center(&look(at(&[], 0.04), eye, None)), red, "no marks, no mark");
    assert_eq!(center(&look(at(&[[0.0; 3]; 100], 0.04), eye, None)), red);
    assert_eq!(
        center(&look(at(&[[0.0; 3], [1e-9, 1e-9, 1e-9]], 0.04), eye, None)),
        red
    );
    let far = [[0.0; 3], [1e12, -1e12, 1e12], [-1e12, 1e12, -1e12]];
    assert_eq!(center(&look(at(&far, 0.04), eye, None)), red);
    assert_eq!(
        center(&look(at(&[[0.0; 3]], 1e12), eye, None)),
        red,
        "larger than any picture"
    );
    assert_eq!(
        center(&look(at(&[[0.0; 3]], 1e-12), eye, None)),
        red,
        "never smaller than a few pixels"
    );
}

#[test]
fn what_is_hidden_leaves_its_pixels_to_what_is_behind_it_and_costs_bytes_of_its_own_alone() {
    const BLUE: u32 = 0x00_FF_00_00;
    let two = [("front", [0.0, 0.0, 0.3], RED), ("back", [0.0, 0.0, -0.3], BLUE)];
    let mut headless = shown(scene(vec![marks("volume", None, &two)]));
    let seen = |headless: &mut Headless| {
        let picture = headless.picture().unwrap();
        let at = (32 * 64 + 32) * picture.rgb.len() / (64 * 64);
        [picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]]
    };
    assert_eq!(seen(&mut headless), [255, 0, 0]);
    let mut set = |state| {
        let before = draw::written(&headless.app);
        let world = headless.app.world_mut();
        let mut embodiments = world.query::<&Embodiment>();
        let embodiment = embodiments.single(world).unwrap();
        embodiment.states.write(|sets| sets[0].set(0, state));
        let color = seen(&mut headless);
        (color, draw::written(&headless.app) - before)
    };
    let (color, bytes) = set(HIDDEN);
    assert_eq!(color, [0, 0, 255], "what was behind it is seen");
    assert!((1..=4).contains(&bytes), "{bytes} bytes");
    assert_eq!(set(0).0, [255, 0, 0], "and it comes back");
}
