//! `TRAJECTORY`, `SURFACE`, `GLYPH`: lines, quads and single symbols.

use representation::palette;

use super::label::{ALONG, Along, FACING, Facing};
use super::parameters::{Reader, Writer};
use crate::PlanError;
use crate::wire::v1::{Element, ElementKind};

/// Outlines of marks, told apart without color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// A disc.
    Circle,
    /// Point up.
    Triangle,
    /// Sides level.
    Square,
    /// A square on its corner.
    Diamond,
    /// Two diagonal bars.
    Cross,
    /// Two level bars.
    Plus,
    /// A disc with a hole.
    Ring,
    /// Five points.
    Star,
    /// A hollow square on its corner with a cross in it: conjecture, and never a row.
    CrossedDiamond,
}

impl Shape {
    /// All that rows can have, in the order of the palette.
    pub const ALL: [Self; 8] = [
        Self::Circle,
        Self::Triangle,
        Self::Square,
        Self::Diamond,
        Self::Cross,
        Self::Plus,
        Self::Ring,
        Self::Star,
    ];

    /// The word in plans.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::CrossedDiamond => palette::CONJECTURE_MARK,
            row => palette::SHAPES[row as usize],
        }
    }

    /// The shape of a word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .chain([Self::CrossedDiamond])
            .find(|shape| shape.word() == word)
    }
}

pub(super) fn shape(reader: &mut Reader<'_>, key: &str) -> Result<Shape, PlanError> {
    let word = reader.text(key)?;
    Shape::named(word).ok_or_else(|| reader.wrong(key, format!("`{word}` is no shape")))
}

pub(super) fn color(reader: &mut Reader<'_>, key: &str) -> Result<[u8; 3], PlanError> {
    let text = reader.text(key)?;
    rgb(text).ok_or_else(|| reader.wrong(key, format!("`{text}` is not `#rrggbb`")))
}

/// sRGB bytes of `#rrggbb`.
pub(crate) fn rgb(text: &str) -> Option<[u8; 3]> {
    if !palette::is_color(text) {
        return None;
    }
    let byte = |at: usize| {
        text.get(at..at + 2)
            .and_then(|pair| u8::from_str_radix(pair, 16).ok())
    };
    Some([byte(1)?, byte(3)?, byte(5)?])
}

/// `#rrggbb` of sRGB bytes.
pub(super) fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A line segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trajectory {
    /// From, in meters.
    pub from: [f64; 3],
    /// To, in meters.
    pub to: [f64; 3],
    /// Width in meters.
    pub width: f64,
    /// How it is inked.
    pub ink: LineInk,
    /// The axis on which it is a level, for a level of conjecture.
    pub level: Option<Along>,
}

/// How lines are inked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineInk {
    /// An axis.
    Axis,
    /// A grid line at a tick.
    Grid,
    /// An edge of the volume.
    Frame,
    /// Conjecture: broken.
    Conjecture,
}

const LINE: [(&str, LineInk); 4] = [
    ("axis", LineInk::Axis),
    ("grid", LineInk::Grid),
    ("frame", LineInk::Frame),
    ("conjecture", LineInk::Conjecture),
];

impl Trajectory {
    /// Reads a `TRAJECTORY`.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a parameter is missing, unknown, of the wrong type or out of bounds.
    pub fn read(element: &Element) -> Result<Self, PlanError> {
        let mut reader = Reader::of(element, ElementKind::Trajectory)?;
        let line = Self {
            from: reader.triple(["x0", "y0", "z0"])?,
            to: reader.triple(["x1", "y1", "z1"])?,
            width: reader.positive("width")?,
            ink: reader.word("ink", &LINE)?,
            level: if reader.has("level") {
                Some(reader.word("level", &ALONG)?)
            } else {
                None
            },
        };
        if line.level.is_some() && line.ink != LineInk::Conjecture {
            return Err(reader.wrong("level", "is for lines of conjecture"));
        }
        reader.finish()?;
        Ok(line)
    }

    /// Writes it as an element of a primitive.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a number is not finite.
    pub fn write(&self, id: &str, primitive: &str) -> Result<Element, PlanError> {
        let mut writer = Writer::default();
        writer
            .triple(["x0", "y0", "z0"], self.from)
            .triple(["x1", "y1", "z1"], self.to)
            .number("width", self.width)
            .word("ink", &LINE, &self.ink);
        if let Some(level) = &self.level {
            writer.word("level", &ALONG, level);
        }
        writer.element(id, primitive, ElementKind::Trajectory)
    }
}

/// A flat quad `origin + s u + t v` for `s`, `t` in `[0, 1]`; `u x v` is its front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// One corner, in meters.
    pub origin: [f64; 3],
    /// First edge, in meters.
    pub u: [f64; 3],
    /// Second edge, in meters.
    pub v: [f64; 3],
    /// How it is inked.
    pub ink: SurfaceInk,
}

/// How surfaces are inked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceInk {
    /// A wall of the volume.
    Wall,
    /// A board that text stands on.
    Board,
}

const SURFACE: [(&str, SurfaceInk); 2] = [("wall", SurfaceInk::Wall), ("board", SurfaceInk::Board)];

impl Surface {
    /// Reads a `SURFACE`.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a parameter is missing, unknown or of the wrong type.
    pub fn read(element: &Element) -> Result<Self, PlanError> {
        let mut reader = Reader::of(element, ElementKind::Surface)?;
        let surface = Self {
            origin: reader.triple(["ox", "oy", "oz"])?,
            u: reader.triple(["ux", "uy", "uz"])?,
            v: reader.triple(["vx", "vy", "vz"])?,
            ink: reader.word("ink", &SURFACE)?,
        };
        reader.finish()?;
        Ok(surface)
    }

    /// Writes it as an element of a primitive.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a number is not finite.
    pub fn write(&self, id: &str, primitive: &str) -> Result<Element, PlanError> {
        let mut writer = Writer::default();
        writer
            .triple(["ox", "oy", "oz"], self.origin)
            .triple(["ux", "uy", "uz"], self.u)
            .triple(["vx", "vy", "vz"], self.v)
            .word("ink", &SURFACE, &self.ink);
        writer.element(id, primitive, ElementKind::Surface)
    }
}

/// One symbol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glyph {
    /// Center, in meters of the stage frame; of the viewer's frame when it faces [`Facing::Still`].
    pub at: [f64; 3],
    /// Diameter in meters.
    pub diameter: f64,
    /// Outline.
    pub shape: Shape,
    /// sRGB.
    pub color: [u8; 3],
    /// [`Facing::Viewer`] or [`Facing::Still`].
    pub facing: Facing,
    /// The axis along which it was moved to its wall, for a glyph of conjecture; its place on that axis shows nothing.
    pub flat: Option<Along>,
}

impl Glyph {
    /// Reads a `GLYPH`.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a parameter is missing, unknown, of the wrong type or out of bounds.
    pub fn read(element: &Element) -> Result<Self, PlanError> {
        let mut reader = Reader::of(element, ElementKind::Glyph)?;
        let glyph = Self {
            at: reader.triple(["x", "y", "z"])?,
            diameter: reader.positive("diameter")?,
            shape: shape(&mut reader, "shape")?,
            color: color(&mut reader, "color")?,
            facing: reader.word("facing", &FACING)?,
            flat: if reader.has("flat") {
                Some(reader.word("flat", &ALONG)?)
            } else {
                None
            },
        };
        if glyph.flat.is_some() && glyph.shape != Shape::CrossedDiamond {
            return Err(reader.wrong("flat", "is for symbols of conjecture"));
        }
        if glyph.facing == Facing::Front {
            return Err(reader.wrong("facing", "is viewer or still for a symbol"));
        }
        reader.finish()?;
        Ok(glyph)
    }

    /// Writes it as an element of a primitive.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a number is not finite.
    pub fn write(&self, id: &str, primitive: &str) -> Result<Element, PlanError> {
        let mut writer = Writer::default();
        writer
            .triple(["x", "y", "z"], self.at)
            .number("diameter", self.diameter)
            .text("shape", self.shape.word())
            .text("color", &hex(self.color))
            .word("facing", &FACING, &self.facing);
        if let Some(flat) = &self.flat {
            writer.word("flat", &ALONG, flat);
        }
        writer.element(id, primitive, ElementKind::Glyph)
    }
}
