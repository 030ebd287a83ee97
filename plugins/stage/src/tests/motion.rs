//! From view to view: the plain pictures at both ends, no data between, one number a frame.

use std::time::Duration;

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use knowledge::wire::v1::DeviceClass;

use super::{marks, scene};
use crate::embodiment::Embodiment;
use crate::headless::{Headless, Picture};
use crate::motion::{MOST_IN_MOTION, Motion, Passage, WhyCut, begin};
use crate::scene::{Line, MarkSet};
use crate::{Aim, Brush, Graphics, Picking};

const RED: u32 = 0x00_00_00_FF;

fn at(x: f32, y: f32) -> [f32; 3] {
    [x, y, 0.0]
}

fn old() -> Vec<MarkSet> {
    vec![marks(
        "volume",
        None,
        &[("a", at(-0.4, 0.0), RED), ("b", at(0.4, 0.0), RED)],
    )]
}

fn new() -> Vec<MarkSet> {
    vec![marks(
        "volume",
        None,
        &[("c", at(0.0, -0.3), RED), ("a", at(-0.4, 0.3), RED)],
    )]
}

fn embodiment(number: u64, sets: Vec<MarkSet>) -> Embodiment {
    let mut scene = scene(sets);
    scene.lines.push(Line {
        a: [-0.6, -0.4, 0.0],
        width: 0.02,
        b: [0.6, -0.4, 0.0],
        ink: crate::Ink::Axis as u32,
    });
    let mut embodiment = Embodiment::over(number, scene);
    embodiment.shown = true;
    embodiment
}

struct Two {
    headless: Headless,
    root: Entity,
}

const SIZE: (u32, u32) = (160, 90);

impl Two {
    /// The old view, shown.
    fn stand(sets: Vec<MarkSet>, motion: Motion) -> Self {
        let eye = plan::Camera {
            eye: [0.0, 0.0, 3.0],
            target: [0.0; 3],
            fov_y_deg: 20.0,
        };
        Self::stand_before(eye, SIZE, sets, motion)
    }

    fn stand_before(eye: plan::Camera, size: (u32, u32), sets: Vec<MarkSet>, motion: Motion) -> Self {
        let mut headless = Headless::new(Graphics::open().unwrap(), size, eye).unwrap();
        headless.app.insert_resource(motion);
        headless
            .app
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        let root = headless.app.world_mut().spawn(embodiment(1, sets)).id();
        headless.step();
        Self { headless, root }
    }

    /// The new one in its place, as `show` does it.
    fn swap(&mut self, sets: Vec<MarkSet>) {
        let world = self.headless.app.world_mut();
        let root = world.spawn(embodiment(2, sets)).id();
        begin(world, self.root, root, DeviceClass::DesktopMonitor);
        world.despawn(self.root);
        self.root = root;
    }

    /// The picture after so many milliseconds more; no time passes while it is taken.
    fn after(&mut self, millis: u64) -> Picture {
        let pass = |two: &mut Self, millis| {
            let time = Duration::from_millis(millis);
            two.headless
                .app
                .insert_resource(TimeUpdateStrategy::ManualDuration(time));
        };
        pass(self, millis);
        self.headless.step();
        pass(self, 0);
        self.headless.picture().unwrap()
    }

    fn is_moving(&self) -> bool {
        self.headless
            .app
            .world()
            .get::<Embodiment>(self.root)
            .unwrap()
            .is_moving()
    }

    fn passage(&self) -> Option<Passage> {
        self.headless.app.world().get_resource().cloned()
    }
}

fn smooth() -> Motion {
    Motion::Smooth(Duration::from_millis(400))
}

/// Rows of the picture above the words at its lower edge, without the axis.
fn marks_of(picture: &Picture) -> Vec<[u8; 3]> {
    let reddish = |pixel: &[u8; 3]| u16::from(pixel[0]) > u16::from(pixel[2]) + 40;
    let pixels = picture
        .rgb
        .chunks_exact(3)
        .map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    pixels
        .map(|pixel| if reddish(&pixel) { pixel } else { [0; 3] })
        .collect()
}

/// Whether the axis is drawn: dark pixels along it, where no mark stands.
fn has_axis(picture: &Picture) -> bool {
    // 85 pixels a meter: 0.4 m below the middle.
    let at = (79 * 160 + 60) * 3;
    picture.rgb[at] < 0xD0
}

#[test]
fn at_both_ends_marks_are_where_the_plain_views_have_them_and_between_they_are_not() {
    let plain = |sets| Two::stand(sets, Motion::Reduced).after(0);
    let (before, after) = (plain(old()), plain(new()));
    assert!(has_axis(&before) && has_axis(&after));
    let mut two = Two::stand(old(), smooth());
    two.swap(new());
    let first = two.after(0);
    assert!(two.is_moving());
    assert_eq!(marks_of(&first), marks_of(&before));
    assert!(!has_axis(&first), "the old axis is gone before marks move");
    let middle = two.after(200);
    assert!(two.is_moving() && !has_axis(&middle));
    assert_ne!(marks_of(&middle), marks_of(&before));
    assert_ne!(marks_of(&middle), marks_of(&after));
    assert!(marks_of(&middle).iter().any(|pixel| *pixel != [0; 3]));
    let nearly = two.after(199);
    assert!(
        two.is_moving() && !has_axis(&nearly),
        "the new axis comes when marks stand"
    );
    let stands = two.after(1);
    assert!(!two.is_moving());
    assert_eq!(stands.rgb, after.rgb);
}

#[test]
fn a_picture_in_motion_is_labeled_and_one_that_stands_is_not() {
    let home = plan::Camera::home(DeviceClass::DesktopMonitor);
    let mut two = Two::stand_before(home, (640, 360), Vec::new(), smooth());
    two.swap(new());
    let moving = two.after(200);
    let ink = |picture: &Picture| {
        let low = &picture.rgb[320 * 640 * 3..];
        low.chunks_exact(3)
            .filter(|pixel| u16::from(pixel[0]) > u16::from(pixel[2]) + 0x20)
            .count()
    };
    assert!(ink(&moving) > 100, "words at the lower edge");
    assert_eq!(ink(&two.after(400)), 0);
}

#[test]
fn nothing_is_met_or_brushed_while_marks_move() {
    let mut two = Two::stand(old(), smooth());
    let met = |two: &mut Two| {
        let aim = Aim::along(Ray3d::new(Vec3::new(-0.4, 0.3, 2.0), Dir3::NEG_Z), 0.0);
        let world = two.headless.app.world_mut();
        let met = world
            .run_system_once(move |picking: Picking| picking.pick(&aim))
            .unwrap();
        let brush = Brush::sphere(Vec3::ZERO, 9.0);
        let brushed = world.get::<Embodiment>(two.root).unwrap().brushed(&brush).len();
        (met.map(|met| met.row_key), brushed)
    };
    two.swap(new());
    two.after(200);
    assert_eq!(met(&mut two), (None, 0));
    two.after(300);
    assert_eq!(met(&mut two), (Some("a".to_owned()), 2));
}

#[test]
fn reduced_motion_cuts_and_so_do_too_many_marks_and_both_are_recorded() {
    let mut two = Two::stand(old(), Motion::Reduced);
    two.swap(new());
    assert_eq!(two.passage(), Some(Passage::Cut(WhyCut::Reduced)));
    assert!(!two.is_moving());
    let keys: Vec<String> = (0..=MOST_IN_MOTION).map(|row| row.to_string()).collect();
    let many: Vec<_> = keys.iter().map(|key| (key.as_str(), at(0.0, 0.0), RED)).collect();
    let mut two = Two::stand(old(), smooth());
    two.swap(vec![marks("volume", None, &many)]);
    assert_eq!(
        two.passage(),
        Some(Passage::Cut(WhyCut::Marks(MOST_IN_MOTION + 1)))
    );
    let mut two = Two::stand(old(), smooth());
    two.swap(vec![marks("volume", None, &many[1..])]);
    let moved = Passage::Moved {
        n_moved: 0,
        n_entered: MOST_IN_MOTION,
        n_left: 2,
        duration: Duration::from_millis(400),
    };
    assert_eq!(two.passage(), Some(moved));
    // Whoever asks for reduced motion meanwhile has it.
    two.after(10);
    assert!(two.is_moving());
    two.headless.app.insert_resource(Motion::Reduced);
    two.after(10);
    assert!(!two.is_moving());
}

#[test]
fn a_duration_is_kept_between_its_ends() {
    let after = |millis, passed| {
        let mut two = Two::stand(old(), Motion::Smooth(Duration::from_millis(millis)));
        two.swap(new());
        two.after(passed);
        two.is_moving()
    };
    assert!(after(1, 299) && !after(1, 300));
    assert!(after(90_000, 799) && !after(90_000, 800));
}

#[test]
fn what_moves_costs_one_uniform_a_frame_and_leaves_nothing_on_the_device() {
    let mut two = Two::stand(old(), smooth());
    two.swap(new());
    two.after(100);
    let before = crate::draw::written(&two.headless.app);
    two.after(10);
    let uniform = crate::draw::written(&two.headless.app) - before;
    assert!(uniform > 0 && uniform < 1024, "{uniform} bytes");
    two.after(500);
    let before = crate::draw::written(&two.headless.app);
    two.after(10);
    assert_eq!(crate::draw::written(&two.headless.app), before, "it stands");
    assert_eq!(two.headless.held().unwrap().embodiments, 1);
}
