//! Typed readers of backend elements: which parameters each kind has, in which units, and nothing else.
//!
//! Numbers are in meters of the stage frame (right-handed, y up, z towards the home viewer) unless said otherwise.
//!
//! | kind | parameters |
//! |---|---|
//! | `POINTS` | `leaf` (digest of the rows); for each of `x` `y` `z` either `a.column` `a.transform` `a.domainMin` `a.domainMax` (column's unit) `a.from` `a.to`, or `a.fixed`; `diameter`; `opacity` in (0, 1]; ungrouped `shape` `color`; grouped `group.column` `group.count` and for each group `group.N.label` `.color` `.shape` |
//! | `BOXES` | `leaf`; for each axis one of: `a.lower` `a.upper` (columns) `a.inset` with a scale as above; `a.column` `a.base` (a value) with a scale; `a.column` `a.thickness` with a scale; `a.band` (column of categories) `a.labels` (JSON array) `a.from` `a.to` `a.part`; `a.low` `a.high`; `opacity`; look as `POINTS`, or `ramp.column` `ramp.domainMin` `ramp.domainMax` `ramp.stops` (JSON array of colors) |
//! | `PATH` | `leaf`; axes as `POINTS`; `width` `color` `opacity`; optional `breaks.column` `breaks.label`: rows before which the line is broken |
//! | `LINKS` | `leaf`; for each axis `a.fromColumn` `a.toColumn` with a scale; `width` `color` `opacity` |
//! | `TRAJECTORY` | `x0` `y0` `z0` `x1` `y1` `z1` `width`, `ink`: `axis` `grid` `frame` `conjecture`, optional `level`: `x` `y` `z` |
//! | `SURFACE` | origin `ox` `oy` `oz`, edges `ux` `uy` `uz` and `vx` `vy` `vz` (u × v is its front), `ink`: `wall` `board` |
//! | `GLYPH` | `x` `y` `z` `diameter` `shape` `color`, `facing`: `viewer` `still`, optional `flat`: `x` `y` `z` |
//! | `LABEL` | `text` `x` `y` `z` `capHeight`, `align`: `start` `center` `end`, `valign`: `top` `middle` `bottom`, `facing`: `viewer` `front` `still`, `ink`: `ink` `muted` `caveat` `conjecture`, optional `wrapWidth`, optional `along`: `x` `y` `z` |
//!
//! An axis of `POINTS` or `PATH` may also be `a.band` `a.labels` `a.from` `a.to`: the middle of the band of a category.
//! Whatever is over a leaf may name some of its rows, `rows.column` `rows.label`: those with that category.
//!
//! Shapes: circle, triangle, square, diamond, cross, plus, ring, star. Colors: `#rrggbb`, sRGB.
//!
//! Conjecture has its own: the shape crossed_diamond (hollow, with a cross in it) and the ink `conjecture`, in which lines
//! are broken. An element has one of them exactly when it names what it supposes. `level` says on which axis a line of
//! conjecture is a level, `flat` along which axis a glyph of conjecture was moved to its wall.
//!
//! A label's anchor is the point that `align` and `valign` name: of its first line's cap height and last baseline, over
//! all lines for `middle`. `front` lies in a plane of constant z and reads from +z; `viewer` turns about its anchor until
//! it is parallel to the image, upright. Text wraps at spaces so that no line is wider than `wrapWidth`, a longer word is
//! broken; baselines stand [`LINE_PITCH`] cap heights apart. `along` says which axis the label belongs to: a renderer may
//! hide it while looking along that axis, where all labels of it would lie on one another.

mod boxes;
mod label;
mod parameters;
mod path;
mod points;
mod ramp;
mod scaled;
mod shapes;

pub use boxes::{BoxPlacer, Boxes, Extent, MOST_INSET, Paint};

pub use label::{Align, Along, Facing, Label, LabelInk, VAlign};
pub use path::{LinkPlacer, Links, Path, PathPlacer};
pub use points::{AxisPlace, Group, Groups, Look, Placer, Points};
pub use ramp::Ramp;
pub use scaled::{Band, Rows, Scaled};
pub(crate) use shapes::rgb;
pub use shapes::{Glyph, LineInk, Shape, Surface, SurfaceInk, Trajectory};

/// Bytes of one mark in the instance buffer: position 3 x f32, diameter f32, color 4 x u8, shape u32, row u32, element
/// u32. A variant's `memoryBytes` is this times its marks.
pub const BYTES_PER_MARK: usize = 32;

/// Distance of two baselines in cap heights.
pub const LINE_PITCH: f64 = 1.75;

/// Most parameters of an element.
pub const MOST_PARAMETERS: usize = 64;

/// Most elements of a backend plan.
pub const MOST_ELEMENTS: usize = 1024;

use identity::Digest;

use crate::PlanError;
use crate::wire::v1::{Element, ElementKind};

/// Reads an element as its kind says.
///
/// # Errors
/// [`PlanError::Parameter`] for the first parameter that is missing, unknown, of the wrong type or out of bounds.
pub fn read(element: &Element) -> Result<Typed, PlanError> {
    let typed = match element.primitive {
        ElementKind::Points => Typed::Points(Box::new(Points::read(element)?)),
        ElementKind::Boxes => Typed::Boxes(Box::new(Boxes::read(element)?)),
        ElementKind::Path => Typed::Path(Box::new(Path::read(element)?)),
        ElementKind::Links => Typed::Links(Box::new(Links::read(element)?)),
        ElementKind::Surface => Typed::Surface(Surface::read(element)?),
        ElementKind::Trajectory => Typed::Trajectory(Trajectory::read(element)?),
        ElementKind::Glyph => Typed::Glyph(Glyph::read(element)?),
        ElementKind::Label => Typed::Label(Label::read(element)?),
    };
    looks_like_what_it_is(element, &typed)?;
    Ok(typed)
}

/// Conjecture looks like conjecture, and nothing else does.
fn looks_like_what_it_is(element: &Element, typed: &Typed) -> Result<(), PlanError> {
    let (key, looks, may) = match typed {
        Typed::Points(points) => ("shape", points.looks_supposed(), false),
        Typed::Boxes(boxes) => ("shape", boxes.looks_supposed(), false),
        Typed::Path(_) | Typed::Links(_) => ("color", false, false),
        Typed::Surface(_) => ("ink", false, false),
        Typed::Trajectory(line) => ("ink", line.ink == LineInk::Conjecture, true),
        Typed::Glyph(glyph) => ("shape", glyph.shape == Shape::CrossedDiamond, true),
        Typed::Label(label) => ("ink", label.ink == LabelInk::Conjecture, true),
    };
    let is = element.supposed.is_some();
    let why = match (is, looks) {
        (true, _) if !may || element.semantic_node_id.is_some() => "shows data and conjecture at once",
        (true, false) => "is that of data, and the element shows conjecture",
        (false, true) => "is that of conjecture, and the element shows none",
        _ => return Ok(()),
    };
    Err(PlanError::Parameter {
        element: element.id.clone(),
        key: key.to_owned(),
        why: why.to_owned(),
    })
}

/// An element with typed parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    /// One mark a row of a leaf.
    Points(Box<Points>),
    /// One cuboid a row of a leaf.
    Boxes(Box<Boxes>),
    /// A line through rows of a leaf.
    Path(Box<Path>),
    /// One line a row of a leaf.
    Links(Box<Links>),
    /// A flat quad.
    Surface(Surface),
    /// A line segment.
    Trajectory(Trajectory),
    /// One symbol.
    Glyph(Glyph),
    /// Text.
    Label(Label),
}

impl Typed {
    /// The leaf whose rows it draws; none for what draws no rows.
    #[must_use]
    pub fn leaf(&self) -> Option<Digest> {
        match self {
            Self::Points(points) => Some(points.leaf),
            Self::Boxes(boxes) => Some(boxes.leaf),
            Self::Path(path) => Some(path.leaf),
            Self::Links(links) => Some(links.leaf),
            Self::Surface(_) | Self::Trajectory(_) | Self::Glyph(_) | Self::Label(_) => None,
        }
    }
}

impl Typed {
    /// Which rows of its leaf it draws; none when it draws all of them, or none at all.
    #[must_use]
    pub fn rows(&self) -> Option<&Rows> {
        match self {
            Self::Points(points) => points.rows.as_ref(),
            Self::Boxes(boxes) => boxes.rows.as_ref(),
            Self::Path(path) => path.rows.as_ref(),
            Self::Links(_) | Self::Surface(_) | Self::Trajectory(_) | Self::Glyph(_) | Self::Label(_) => None,
        }
    }
}

impl ElementKind {
    /// Whether it draws rows of a leaf, one mark each.
    #[must_use]
    pub const fn draws_rows(self) -> bool {
        matches!(self, Self::Points | Self::Boxes | Self::Path | Self::Links)
    }
}
