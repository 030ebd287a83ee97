//! Outlines of marks by signed distance: the twin of `shapes.wgsl`, so that a ray meets what is drawn.
//!
//! Units are radii of a disc of the same area; less than zero is inside.

use bevy::math::Vec2;

/// Radius of the circle around each shape.
const REACH: [f32; 9] = [1.0, 1.56, 1.26, 1.26, 1.39, 1.39, 1.25, 1.68, 1.86];

/// Number of the shape above the color of a look; an unknown one counts as the last, as where it is drawn.
fn kind(look: u32) -> usize {
    (((look >> 24) & 15) as usize).min(REACH.len() - 1)
}

/// How far the shape of a look reaches from its middle.
pub(crate) fn reach(look: u32) -> f32 {
    REACH[kind(look)]
}

/// Signed distance from the outline of a look's shape.
pub(crate) fn outline(look: u32, p: Vec2) -> f32 {
    match kind(look) {
        0 => p.length() - 1.0,
        1 => triangle(p),
        2 => rectangle(p, Vec2::splat(0.886)),
        3 => rectangle(turned(p), Vec2::splat(0.886)),
        4 => plus(turned(p)),
        5 => plus(p),
        6 => (p.length() - 0.95).abs() - 0.30,
        7 => star(p),
        // What is hollow here is filled with paper: the whole of it is the mark.
        _ => rectangle(turned(p), Vec2::splat(1.16)) - 0.13,
    }
}

fn rectangle(p: Vec2, half: Vec2) -> f32 {
    let q = p.abs() - half;
    q.max(Vec2::ZERO).length() + q.x.max(q.y).min(0.0)
}

fn turned(p: Vec2) -> Vec2 {
    Vec2::new(p.x + p.y, p.y - p.x) * 0.70711
}

fn plus(p: Vec2) -> f32 {
    let (long, short) = (1.33, 0.40);
    rectangle(p, Vec2::new(long, short)).min(rectangle(p, Vec2::new(short, long)))
}

fn triangle(q: Vec2) -> f32 {
    let (k, r) = (3.0_f32.sqrt(), 1.347);
    let mut p = Vec2::new(q.x.abs() - r, q.y + r / k);
    if p.x + k * p.y > 0.0 {
        p = Vec2::new(p.x - k * p.y, -k * p.x - p.y) / 2.0;
    }
    p.x -= p.x.clamp(-2.0 * r, 0.0);
    -p.length() * p.y.signum()
}

fn star(q: Vec2) -> f32 {
    let outer = 1.68;
    let one = Vec2::new(0.809_017, -0.587_785_25);
    let other = Vec2::new(-one.x, one.y);
    let mut p = Vec2::new(q.x.abs(), q.y);
    p -= 2.0 * one.dot(p).max(0.0) * one;
    p -= 2.0 * other.dot(p).max(0.0) * other;
    p = Vec2::new(p.x.abs(), p.y - outer);
    let along = 0.48 * Vec2::new(0.587_785_25, 0.809_017) - Vec2::Y;
    let h = (p.dot(along) / along.dot(along)).clamp(0.0, outer);
    (p - along * h).length() * (p.y * along.x - p.x * along.y).signum()
}
