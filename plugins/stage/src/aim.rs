//! Rays, and how what they meet turns toward whoever looks.

use bevy::prelude::*;

use crate::scene::Plane;

/// A ray, with the angle by which it may miss: through a pixel, or out of a hand. Both are asked alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// From the near plane, the controller or the finger; its direction has length one.
    pub ray: Ray3d,
    /// Meters by which a mark may be missed for each meter of distance. A hit always wins over a near miss.
    pub slack: f32,
    /// Who sees the marks that the ray is to meet.
    pub eye: Eye,
}

/// Where marks are seen from: they turn toward it, and from far away they are drawn larger than they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    /// Where it stands, meters; for parallel rays any place on the line of sight behind everything.
    pub place: Vec3,
    /// To the right of the picture, length one.
    pub right: Dir3,
    /// To its upper edge, length one.
    pub up: Dir3,
    /// Radius of the smallest mark that is drawn, meters for each meter of distance; meters where rays are parallel.
    pub least: f32,
    /// Whether rays are parallel.
    pub is_parallel: bool,
}

/// Pixels by which a cursor may miss a mark.
const SLACK_PIXELS: f32 = 4.0;

/// Radius in pixels of the smallest mark that is drawn: `SMALLEST` of the shaders.
const SMALLEST_PIXELS: f32 = 1.25;

impl Aim {
    /// Through a cursor position in logical pixels of the camera's viewport.
    #[must_use]
    pub fn at_cursor(camera: &Camera, transform: &GlobalTransform, cursor: Vec2) -> Option<Self> {
        let ray = camera.viewport_to_world(transform, cursor).ok()?;
        let eye = Eye::of(camera, transform)?;
        // Pixels per meter at one meter, logical and on the device.
        let lens = 0.5 * camera.clip_from_view().y_axis.y;
        let logical = lens * camera.logical_viewport_size()?.y;
        Some(Self {
            ray,
            slack: SLACK_PIXELS / logical,
            eye,
        })
    }

    /// Out of a hand: a controller's ray or a finger's. Marks face the ray, and none is larger than it is: `slack` says
    /// how steady a hand has to be.
    #[must_use]
    pub fn along(ray: Ray3d, slack: f32) -> Self {
        let up = ray.direction.any_orthonormal_vector();
        let unit = |axis: Vec3, other| Dir3::new(axis).unwrap_or(other);
        let right = ray.direction.cross(up);
        Self {
            ray,
            slack,
            eye: Eye {
                place: ray.origin,
                right: unit(right, Dir3::X),
                up: unit(up, Dir3::Y),
                least: 0.0,
                is_parallel: false,
            },
        }
    }
}

impl Eye {
    /// The eye of a camera.
    #[must_use]
    pub fn of(camera: &Camera, transform: &GlobalTransform) -> Option<Self> {
        let height = camera.physical_viewport_size()?.y as f32;
        let clip_from_view = camera.clip_from_view();
        let is_parallel = clip_from_view.w_axis.w == 1.0;
        let place = transform.translation();
        Some(Self {
            place: if is_parallel {
                place - transform.forward() * FAR_BEHIND
            } else {
                place
            },
            right: transform.right(),
            up: transform.up(),
            least: SMALLEST_PIXELS / (0.5 * height * clip_from_view.y_axis.y),
            is_parallel,
        })
    }

    /// Where it looks.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        self.up.cross(*self.right)
    }
}

/// Meters from a picture of parallel rays to the eye that it is drawn for.
const FAR_BEHIND: f32 = 1e4;

/// A ray before flat things that all face one way: where it passes each is linear in that thing's place, so that the same
/// few numbers serve a mark and a box of many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passing {
    origin: Vec3,
    /// Dotted with the way from the origin to a thing: where it lies beside the ray, in the things' own two directions.
    x: Vec3,
    y: Vec3,
    /// The same: distance along the ray.
    along: Vec3,
    /// The same, and an offset: meters of distance for which a slack counts.
    weight: Vec3,
    weight_offset: f32,
    least: f32,
}

/// Where a ray passes one thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    /// The place on the ray, from the thing's middle in the thing's two directions, meters.
    pub(crate) beside: Vec2,
    /// Meters along the ray.
    pub(crate) distance: f32,
    /// Multiplies an angle to meters.
    pub(crate) weight: f32,
    /// Radius of the smallest that is drawn there.
    pub(crate) least: f32,
}

/// Where a ray passes things in a box, at best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearby {
    /// No thing is nearer to the ray.
    pub(crate) beside: f32,
    pub(crate) distance: f32,
    pub(crate) weight: f32,
    pub(crate) least: f32,
}

/// Parts by which sums of a few products of floats can be off, generously.
const ROUNDING: f32 = 2e-6;

impl Passing {
    /// Before marks that face the eye, or lie in a plane; nothing when the ray runs along them.
    pub(crate) fn before(aim: &Aim, plane: Option<Plane>) -> Option<Self> {
        let (origin, direction) = (aim.ray.origin, *aim.ray.direction);
        let forward = aim.eye.forward();
        let (x, y, normal) = match plane {
            Some(plane) => (plane.u, plane.v, plane.u.cross(plane.v)),
            None => (*aim.eye.right, *aim.eye.up, forward),
        };
        let toward = normal.dot(direction);
        if toward.abs() < 1e-6 {
            return None;
        }
        let along = normal / toward;
        let (weight, weight_offset) = if aim.eye.is_parallel {
            (Vec3::ZERO, 1.0)
        } else {
            (forward, forward.dot(origin - aim.eye.place))
        };
        Some(Self {
            origin,
            x: x - x.dot(direction) * along,
            y: y - y.dot(direction) * along,
            along,
            weight,
            weight_offset,
            least: aim.eye.least,
        })
    }

    /// Meters for which an angle counts at a place; negative behind the eye.
    pub(crate) fn weight_of(&self, place: Vec3) -> f32 {
        self.weight.dot(place - self.origin) + self.weight_offset
    }

    /// From the ray to a place, in the things' two directions, meters.
    pub(crate) fn beside(&self, place: Vec3) -> Vec2 {
        let to = place - self.origin;
        Vec2::new(self.x.dot(to), self.y.dot(to))
    }

    /// Radius of the smallest mark, meters for each meter of weight.
    pub(crate) fn least(&self) -> f32 {
        self.least
    }

    /// Meters along the ray to the plane through a place.
    pub(crate) fn along(&self, place: Vec3) -> f32 {
        self.along.dot(place - self.origin)
    }

    /// The same where the weight is known; nothing where it is the same everywhere.
    pub(crate) fn distance_at(&self, weight: f32) -> Option<f32> {
        let per_meter = self.weight.dot(self.along) / self.along.length_squared();
        (per_meter != 0.0).then(|| {
            (weight - self.weight_offset) * self.along.length_squared() / self.weight.dot(self.along)
        })
    }

    /// Where it passes a thing; nothing for one that is not ahead.
    pub(crate) fn pass(&self, middle: Vec3) -> Option<Passed> {
        let to = middle - self.origin;
        let distance = self.along.dot(to);
        let weight = self.weight.dot(to) + self.weight_offset;
        (distance > 0.0 && distance.is_finite() && weight > 0.0).then_some(Passed {
            beside: -Vec2::new(self.x.dot(to), self.y.dot(to)),
            distance,
            weight,
            least: self.least * weight,
        })
    }

    /// The same for a box of middles: never farther, never lighter than any of them.
    pub(crate) fn pass_all(&self, middle: Vec3, half: Vec3) -> Option<Nearby> {
        let to = middle - self.origin;
        let size = to.abs() + half;
        let span = |axis: Vec3| axis.abs().dot(half) + ROUNDING * axis.abs().dot(size);
        let apart = |axis: Vec3| (axis.dot(to).abs() - span(axis)).max(0.0);
        let farthest = self.along.dot(to) + span(self.along);
        let weight = self.weight.dot(to) + span(self.weight) + self.weight_offset * (1.0 + ROUNDING);
        (farthest > 0.0 && weight > 0.0).then(|| Nearby {
            beside: apart(self.x).hypot(apart(self.y)) * (1.0 - ROUNDING),
            distance: self.along.dot(to) - span(self.along),
            weight,
            least: self.least * weight * (1.0 + ROUNDING),
        })
    }
}
