//! A brush: everything in a rectangle of the picture, or in a ball in the room.

use bevy::prelude::*;

use crate::bvh::{Bounds, Lies};

/// What a brush takes in: rows whose mark has its middle there. What stands behind other marks is taken, too; what is
/// hidden is not.
#[derive(Clone, Debug, PartialEq)]
pub struct Brush {
    room: Room,
    pub(crate) element_id: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Room {
    Ball {
        middle: Vec3,
        radius: f32,
    },
    /// Inside of every face: outward direction and what it may reach.
    Faces(Vec<(Vec3, f32)>),
}

impl Brush {
    /// A ball in the room: a fingertip or the tip of a controller. A radius that is no positive number takes nothing in.
    #[must_use]
    pub fn sphere(middle: Vec3, radius: f32) -> Self {
        Self {
            room: Room::Ball { middle, radius },
            element_id: None,
        }
    }

    /// A rectangle between two corners in logical pixels of the camera's viewport, through the whole depth.
    #[must_use]
    pub fn rectangle(camera: &Camera, transform: &GlobalTransform, one: Vec2, other: Vec2) -> Option<Self> {
        let (low, high) = (one.min(other), one.max(other));
        if !(low.cmplt(high).all() && low.is_finite() && high.is_finite()) {
            return Some(Self::nothing());
        }
        let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
        let ray = |corner| camera.viewport_to_world(transform, corner).ok();
        let middle = ray(0.5 * (low + high))?;
        let inside = middle.get_point(1.0);
        let mut faces = vec![(-*transform.forward(), -transform.forward().dot(middle.origin))];
        for (at, corner) in corners.into_iter().enumerate() {
            let (ray, next) = (ray(corner)?, ray(corners[(at + 1) % 4])?);
            let normal = ray
                .direction
                .cross(next.origin + *next.direction - ray.origin)
                .normalize_or_zero();
            let outward = if normal.dot(inside - ray.origin) > 0.0 {
                -normal
            } else {
                normal
            };
            faces.push((outward, outward.dot(ray.origin)));
        }
        Some(Self {
            room: Room::Faces(faces),
            element_id: None,
        })
    }

    /// Means the marks of one element alone. Without it all that fill space are meant, and where none does, those on walls.
    #[must_use]
    pub fn of_element(self, element_id: &str) -> Self {
        Self {
            element_id: Some(element_id.to_owned()),
            ..self
        }
    }

    fn nothing() -> Self {
        Self::sphere(Vec3::ZERO, 0.0)
    }

    /// Whether a place is taken in.
    pub(crate) fn holds(&self, place: Vec3) -> bool {
        match &self.room {
            Room::Ball { middle, radius } => {
                place.distance_squared(*middle) < radius * radius && *radius > 0.0
            }
            Room::Faces(faces) => faces.iter().all(|(outward, most)| outward.dot(place) < *most),
        }
    }

    /// How a box lies to it; at its rim, across.
    pub(crate) fn lies(&self, bounds: &Bounds) -> Lies {
        let (middle, half) = (bounds.middle(), bounds.half());
        let rim = 1e-5 * (middle.abs() + half).element_sum();
        match &self.room {
            Room::Ball {
                middle: center,
                radius,
            } => {
                let away = (middle - center).abs();
                let nearest = (away - half).max(Vec3::ZERO).length();
                let farthest = (away + half).length();
                if nearest - radius > rim {
                    Lies::Outside
                } else if farthest - radius < -rim {
                    Lies::Inside
                } else {
                    Lies::Across
                }
            }
            Room::Faces(faces) => {
                let reach = |outward: &Vec3| outward.abs().dot(half);
                let is_beyond =
                    |(outward, most): &(Vec3, f32)| outward.dot(middle) - reach(outward) > most + rim;
                let is_within =
                    |(outward, most): &(Vec3, f32)| outward.dot(middle) + reach(outward) < most - rim;
                if faces.iter().any(is_beyond) {
                    Lies::Outside
                } else if faces.iter().all(is_within) {
                    Lies::Inside
                } else {
                    Lies::Across
                }
            }
        }
    }
}
