//! What one variant looks like in numbers, ready for upload: no entity, no device.

use std::sync::Arc;

use bevy::math::Vec3;
use bytemuck::{Pod, Zeroable};

use crate::text::Atlas;

/// Bytes of one mark on the device: 16 for its place and size, 4 for its look, 1 for its state.
pub const BYTES_PER_MARK: usize = size_of::<Mark>() + size_of::<u8>();

/// Bytes of a cuboid or a stretch on the device: 32 for its places, 4 for its look, 1 for its state.
pub(crate) const BYTES_PER_SOLID: usize = 37;

/// One mark. Its identity is the row key at the same index of [`MarkSet::keys`], never the index itself.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Mark {
    /// Meters.
    pub(crate) position: [f32; 3],
    /// Diameter of the circle that has the mark's area, meters.
    pub(crate) diameter: f32,
    /// sRGB red, green, blue from the low byte; above them four bits of shape, and four with the number of the color
    /// among those that themes know.
    pub(crate) look: u32,
}

/// The marks of one element, drawn at once.
#[derive(Clone, Debug)]
pub(crate) struct MarkSet {
    /// Element of the plan; empty for the symbols of the legend, which stand for no row.
    pub(crate) element: String,
    pub(crate) marks: Vec<Mark>,
    /// Row keys, one a mark; none for symbols of the legend.
    pub(crate) keys: Arc<[Box<str>]>,
    /// Set for marks that lie on a wall.
    pub(crate) plane: Option<Plane>,
    /// Whether they stand still before the viewer; positions are then meters right, up and ahead of the eye.
    pub(crate) is_still: bool,
    pub(crate) opacity: f32,
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
}

/// A cuboid, or a stretch of a line with round ends. What it stands for is the row key at the same index of
/// [`SolidSet::keys`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Solid {
    /// The lowest corner, or one end, in meters.
    pub(crate) a: [f32; 3],
    /// The highest corner, or the other end.
    pub(crate) b: [f32; 3],
    /// Of a stretch, meters.
    pub(crate) width: f32,
    /// As that of a [`Mark`], without shape.
    pub(crate) look: u32,
}

/// What solids of a set are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// Cuboids.
    Boxes,
    /// Stretches of line.
    Stretches,
}

/// The solids of one element, drawn at once.
#[derive(Clone, Debug)]
pub(crate) struct SolidSet {
    /// Element of the plan.
    pub(crate) element: String,
    pub(crate) body: Body,
    pub(crate) solids: Vec<Solid>,
    /// Row keys, one a solid; of a stretch of a path, the row where it begins.
    pub(crate) keys: Arc<[Box<str>]>,
    /// Below 1 the set is laid over what is solid and hides nothing.
    pub(crate) opacity: f32,
}

impl SolidSet {
    /// Whether it can be seen through.
    pub(crate) fn is_sheer(&self) -> bool {
        self.opacity < 1.0
    }
}

/// The two directions in which a flat mark extends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    pub(crate) u: Vec3,
    pub(crate) v: Vec3,
}

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Line {
    pub(crate) a: [f32; 3],
    /// Meters.
    pub(crate) width: f32,
    pub(crate) b: [f32; 3],
    pub(crate) ink: u32,
}

/// One quad.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Surface {
    pub(crate) origin: [f32; 3],
    pub(crate) ink: u32,
    pub(crate) u: [f32; 3],
    pub(crate) pad_u: u32,
    pub(crate) v: [f32; 3],
    pub(crate) pad_v: u32,
}

/// One letter of a label.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Letter {
    pub(crate) anchor: [f32; 3],
    /// Ink in the low byte; above it what `text::layout` says.
    pub(crate) style: u32,
    /// Left, bottom, right, top from the anchor, meters.
    pub(crate) place: [f32; 4],
    /// Left, bottom, right, top in the atlas, texels.
    pub(crate) texels: [f32; 4],
}

/// Everything of one variant.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) sets: Vec<MarkSet>,
    pub(crate) solids: Vec<SolidSet>,
    pub(crate) lines: Vec<Line>,
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) letters: Vec<Letter>,
    pub(crate) atlas: Atlas,
    /// The box that the space-filling marks need: what is before it and what behind it decides the drawing order.
    pub(crate) volume: Option<(Vec3, Vec3)>,
    /// The words over a picture that is no claim.
    pub(crate) banner: Option<String>,
}

impl Scene {
    /// Bytes that the device needs for it.
    pub(crate) fn bytes(&self) -> usize {
        let marks: usize = self.sets.iter().map(|set| set.marks.len()).sum();
        let solids: usize = self.solids.iter().map(|set| set.solids.len()).sum();
        marks * BYTES_PER_MARK
            + solids * BYTES_PER_SOLID
            + self.lines.len() * size_of::<Line>()
            + self.surfaces.len() * size_of::<Surface>()
            + self.letters.len() * size_of::<Letter>()
            + self.atlas.texels.len()
    }

    /// The largest buffer that can't be split; marks can.
    pub(crate) fn largest_buffer(&self) -> usize {
        let whole = [
            self.lines.len() * size_of::<Line>(),
            self.surfaces.len() * size_of::<Surface>(),
            self.letters.len() * size_of::<Letter>(),
        ];
        whole.into_iter().max().unwrap_or(0)
    }
}
