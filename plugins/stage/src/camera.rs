//! Where the viewer stands: a camera that turns around what it looks at.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::core_pipeline::tonemapping::{DebandDither, Tonemapping};
use bevy::input::mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll, MouseScrollUnit};
use bevy::prelude::*;
use bevy::render::view::Msaa;

/// A camera that orbits its target. Drag turns, drag with the right or middle button (or Shift) moves, the wheel nears.
#[derive(Component, Clone, Debug, PartialEq)]
#[require(Camera3d, Camera, Msaa::Off, Tonemapping::None, DebandDither::Disabled)]
pub struct OrbitCamera {
    home: plan::Camera,
    target: Vec3,
    distance: f32,
    /// Radians around the vertical; 0 looks along −z.
    yaw: f32,
    /// Radians above the horizontal.
    pitch: f32,
    /// Only its field of view is read.
    lens: plan::Camera,
    /// Set to false while a panel or another tool has the pointer.
    pub listens: bool,
}

/// Straight up is allowed, over the top is not.
const STEEPEST: f32 = FRAC_PI_2;
const NEAREST: f32 = 0.15;
const FARTHEST: f32 = 30.0;

impl OrbitCamera {
    /// A camera at its home.
    #[must_use]
    pub fn new(home: plan::Camera) -> Self {
        let mut camera = Self {
            home,
            target: Vec3::ZERO,
            distance: 1.0,
            yaw: 0.0,
            pitch: 0.0,
            lens: home,
            listens: true,
        };
        camera.go(home);
        camera
    }

    /// Goes to a viewpoint.
    pub fn go(&mut self, viewpoint: plan::Camera) {
        let meters = |at: [f64; 3]| Vec3::from_array(at.map(|meter| meter as f32));
        self.target = meters(viewpoint.target);
        let away = meters(viewpoint.eye) - self.target;
        self.distance = away.length().max(NEAREST);
        let flat = away.x.hypot(away.z);
        self.pitch = away.y.atan2(flat);
        // From straight above, the front stays at the lower edge.
        self.yaw = if flat > 1e-5 * self.distance {
            away.x.atan2(away.z)
        } else {
            0.0
        };
        self.lens = viewpoint;
    }

    /// Goes home.
    pub fn go_home(&mut self) {
        self.go(self.home);
    }

    /// Turns by radians around the vertical and toward the top.
    pub fn turn(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw).rem_euclid(TAU);
        self.pitch = (self.pitch + pitch).clamp(-STEEPEST, STEEPEST);
    }

    /// Nears by a factor below 1, draws back by one above.
    pub fn near(&mut self, factor: f32) {
        self.distance = (self.distance * factor).clamp(NEAREST, FARTHEST);
    }

    /// Moves the target by parts of the view's height, to the right and up.
    pub fn shift(&mut self, right: f32, up: f32) {
        let height = 2.0 * self.distance * (0.5 * self.fov_y(plan::Camera::ASPECT as f32)).tan();
        let rotation = self.rotation();
        self.target += (rotation * Vec3::X * right + rotation * Vec3::Y * up) * height;
    }

    fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch)
    }

    /// Radians from the lower to the upper edge of a picture with this aspect; the sides are kept in narrow ones.
    fn fov_y(&self, aspect: f32) -> f32 {
        self.lens.fov_for(f64::from(aspect)).to_radians() as f32
    }

    /// Where it stands.
    #[must_use]
    pub fn eye(&self) -> Vec3 {
        self.target + self.rotation() * Vec3::Z * self.distance
    }

    fn transform(&self) -> Transform {
        let rotation = self.rotation();
        Transform {
            translation: self.target + rotation * Vec3::Z * self.distance,
            rotation,
            scale: Vec3::ONE,
        }
    }
}

/// Pointer and wheel turn, move and near every camera that listens.
pub(crate) fn steer(
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    motion: Option<Res<AccumulatedMouseMotion>>,
    scroll: Option<Res<AccumulatedMouseScroll>>,
    mut cameras: Query<(&mut OrbitCamera, &Camera)>,
) {
    let (Some(buttons), Some(motion), Some(scroll)) = (buttons, motion, scroll) else {
        return;
    };
    let is_shifted = keys.is_some_and(|keys| keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]));
    for (mut orbit, camera) in &mut cameras {
        if !orbit.listens {
            continue;
        }
        let height = camera
            .logical_viewport_size()
            .map_or(720.0, |size| size.y.max(1.0));
        let delta = motion.delta / height;
        if delta != Vec2::ZERO {
            let drags = buttons.pressed(MouseButton::Left);
            if buttons.any_pressed([MouseButton::Right, MouseButton::Middle]) || (drags && is_shifted) {
                orbit.shift(-delta.x, delta.y);
            } else if drags {
                orbit.turn(-delta.x * 3.2, delta.y * 3.2);
            }
        }
        let lines = match scroll.unit {
            MouseScrollUnit::Line => scroll.delta.y,
            MouseScrollUnit::Pixel => scroll.delta.y / 60.0,
        };
        if lines != 0.0 {
            orbit.near((-0.12 * lines).exp());
        }
    }
}

/// Puts cameras where they are to be, with the field of view that their picture's shape asks for.
pub(crate) fn place(mut cameras: Query<(Ref<OrbitCamera>, Ref<Camera>, &mut Transform, &mut Projection)>) {
    for (orbit, camera, mut transform, mut projection) in &mut cameras {
        if !orbit.is_changed() && !camera.is_changed() {
            continue;
        }
        *transform = orbit.transform();
        let aspect = camera
            .logical_viewport_size()
            .map_or(plan::Camera::ASPECT as f32, |size| size.x / size.y);
        let fov = orbit.fov_y(aspect);
        let is_same = matches!(&*projection, Projection::Perspective(known) if known.fov == fov);
        if !is_same {
            *projection = Projection::Perspective(PerspectiveProjection {
                fov,
                near: 0.02,
                aspect_ratio: aspect,
                ..default()
            });
        }
    }
}
