//! Named places to look from, and the projection that says what is seen from there.

use knowledge::wire::v1::DeviceClass;

/// A perspective camera: where it is, what it looks at, how wide it sees. Up is +y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it is, in meters of the stage frame.
    pub eye: [f64; 3],
    /// What stands in the middle of the picture, in meters.
    pub target: [f64; 3],
    /// Vertical field of view in degrees, for pictures of [`Camera::ASPECT`] and wider.
    pub fov_y_deg: f64,
}

/// A point as a picture shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// From the left edge, in pixels.
    pub x: f64,
    /// From the top edge, in pixels.
    pub y: f64,
    /// Pixels that one meter takes at this depth, parallel to the picture.
    pub pixels_per_meter: f64,
}

/// One field of view for every place before a monitor, in degrees, so that what stands still before the viewer has the
/// same place in every picture.
const MONITOR_FOV: f64 = 33.0;

impl Camera {
    /// Width by height that the layout is made for.
    pub const ASPECT: f64 = 16.0 / 9.0;

    /// Where a variant is first seen from: three quarters, from the front right, a little above, so that back wall, side
    /// wall and floor all stand behind the volume and the boards beside it. In a headset it is where the wearer stands.
    #[must_use]
    pub const fn home(device: DeviceClass) -> Self {
        match device {
            DeviceClass::DesktopMonitor => Self {
                eye: [1.75, 1.42, 3.1],
                target: [0.62, 0.535, 0.0],
                fov_y_deg: MONITOR_FOV,
            },
            DeviceClass::PcvrHeadset | DeviceClass::StandaloneHeadset => Self {
                eye: [1.0, 1.55, 2.2],
                target: [0.5, 0.65, -0.3],
                fov_y_deg: 60.0,
            },
        }
    }

    /// Straight at the back wall: x across, y up.
    #[must_use]
    pub const fn front() -> Self {
        Self {
            eye: [0.62, 0.6, 3.9],
            target: [0.62, 0.6, 0.0],
            fov_y_deg: MONITOR_FOV,
        }
    }

    /// Straight down on the floor: x across, z towards the lower edge. A hair off the vertical, so that up is defined.
    #[must_use]
    pub const fn top() -> Self {
        Self {
            eye: [0.62, 4.5, 0.001],
            target: [0.62, 0.0, 0.0],
            fov_y_deg: MONITOR_FOV,
        }
    }

    /// Straight at the side wall: z across, growing to the left, y up.
    #[must_use]
    pub const fn side() -> Self {
        Self {
            eye: [3.9, 0.6, -0.62],
            target: [0.0, 0.6, -0.62],
            fov_y_deg: MONITOR_FOV,
        }
    }

    /// The camera of this name: `home`, `front`, `top`, `side`.
    #[must_use]
    pub fn named(name: &str, device: DeviceClass) -> Option<Self> {
        match name {
            "home" => Some(Self::home(device)),
            "front" => Some(Self::front()),
            "top" => Some(Self::top()),
            "side" => Some(Self::side()),
            _ => None,
        }
    }

    /// The vertical field of view in degrees for a picture of this aspect (width by height): wider than
    /// [`Camera::ASPECT`] shows more at the sides, narrower keeps the sides and shows more above and below.
    #[must_use]
    pub fn fov_for(&self, aspect: f64) -> f64 {
        if aspect >= Self::ASPECT || aspect <= 0.0 {
            return self.fov_y_deg;
        }
        let half = libm::tan(self.fov_y_deg.to_radians() / 2.0) * Self::ASPECT / aspect;
        (2.0 * libm::atan(half)).to_degrees()
    }

    /// Where a point of the stage frame stands in a picture of this size in pixels; nothing behind the eye.
    #[must_use]
    pub fn project(&self, point: [f64; 3], width: f64, height: f64) -> Option<Seen> {
        let (right, up, forward) = self.basis();
        let offset = minus(point, self.eye);
        let depth = dot(offset, forward);
        if depth <= 1e-6 {
            return None;
        }
        let half = libm::tan(self.fov_for(width / height).to_radians() / 2.0);
        let pixels_per_meter = height / 2.0 / half / depth;
        Some(Seen {
            x: width / 2.0 + dot(offset, right) * pixels_per_meter,
            y: height / 2.0 - dot(offset, up) * pixels_per_meter,
            pixels_per_meter,
        })
    }

    /// Right, up and forward as unit vectors.
    #[must_use]
    pub fn basis(&self) -> ([f64; 3], [f64; 3], [f64; 3]) {
        let forward = unit(minus(self.target, self.eye));
        let right = unit(cross(forward, [0.0, 1.0, 0.0]));
        (right, cross(right, forward), forward)
    }

    /// The angle in degrees between the direction of view and an axis (0 for x, 1 for y, 2 for z), from 0 to 90. Labels
    /// that belong to an axis lie on one another when it is small.
    #[must_use]
    pub fn angle_to_axis(&self, axis_idx: usize) -> f64 {
        let (_, _, forward) = self.basis();
        let along = forward.get(axis_idx).copied().unwrap_or(0.0);
        libm::acos(libm::fabs(along).min(1.0)).to_degrees()
    }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = libm::sqrt(dot(a, a));
    [a[0] / length, a[1] / length, a[2] / length]
}
