//! `LABEL`: text at a place.

use super::parameters::{Reader, Writer};
use crate::PlanError;
use crate::wire::v1::{Element, ElementKind};

/// Text at a place in the stage frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What is said, on one line unless `wrap_width` breaks it.
    pub text: String,
    /// The anchor, in meters of the stage frame; of the viewer's frame when it faces [`Facing::Still`].
    pub at: [f64; 3],
    /// Height of a capital letter, in meters.
    pub cap_height: f64,
    /// Where the anchor stands on a line.
    pub align: Align,
    /// Where the anchor stands among the lines.
    pub valign: VAlign,
    /// Which way the text faces.
    pub facing: Facing,
    /// How it is inked.
    pub ink: LabelInk,
    /// Widest line in meters; text without it stays on one line.
    pub wrap_width: Option<f64>,
    /// The axis it belongs to.
    pub along: Option<Along>,
}

/// Where the anchor stands on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At its start.
    Start,
    /// At its center.
    Center,
    /// At its end.
    End,
}

/// Where the anchor stands among the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VAlign {
    /// At the cap height of the first.
    Top,
    /// Halfway between cap height of the first and baseline of the last.
    Middle,
    /// At the baseline of the last.
    Bottom,
}

/// Which way text faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// Parallel to the image, upright, turned about the anchor.
    Viewer,
    /// In a plane of constant z, read from +z.
    Front,
    /// Still before the viewer wherever the viewer goes: the anchor is in the viewer's frame, in meters to the right of
    /// the middle of the picture, above it, and ahead of the eye.
    Still,
}

/// How text is inked; the stage has a color for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelInk {
    /// Plain.
    Ink,
    /// Quiet: units, ticks.
    Muted,
    /// A caveat.
    Caveat,
    /// Words of a conjecture.
    Conjecture,
}

/// The axis a label belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// Across.
    X,
    /// Up.
    Y,
    /// Deep.
    Z,
}

const ALIGN: [(&str, Align); 3] = [
    ("start", Align::Start),
    ("center", Align::Center),
    ("end", Align::End),
];
const VALIGN: [(&str, VAlign); 3] = [
    ("top", VAlign::Top),
    ("middle", VAlign::Middle),
    ("bottom", VAlign::Bottom),
];
pub(super) const FACING: [(&str, Facing); 3] = [
    ("viewer", Facing::Viewer),
    ("front", Facing::Front),
    ("still", Facing::Still),
];
const INK: [(&str, LabelInk); 4] = [
    ("ink", LabelInk::Ink),
    ("muted", LabelInk::Muted),
    ("caveat", LabelInk::Caveat),
    ("conjecture", LabelInk::Conjecture),
];
pub(super) const ALONG: [(&str, Along); 3] = [("x", Along::X), ("y", Along::Y), ("z", Along::Z)];

impl Label {
    /// Reads a `LABEL`.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a parameter is missing, unknown, of the wrong type or out of bounds.
    pub fn read(element: &Element) -> Result<Self, PlanError> {
        let mut reader = Reader::of(element, ElementKind::Label)?;
        let text = reader.text("text")?.to_owned();
        if text.is_empty() || text.chars().any(char::is_control) {
            return Err(reader.wrong("text", "is empty or holds control characters"));
        }
        let label = Self {
            text,
            at: reader.triple(["x", "y", "z"])?,
            cap_height: reader.positive("capHeight")?,
            align: reader.word("align", &ALIGN)?,
            valign: reader.word("valign", &VALIGN)?,
            facing: reader.word("facing", &FACING)?,
            ink: reader.word("ink", &INK)?,
            wrap_width: if reader.has("wrapWidth") {
                Some(reader.positive("wrapWidth")?)
            } else {
                None
            },
            along: if reader.has("along") {
                Some(reader.word("along", &ALONG)?)
            } else {
                None
            },
        };
        reader.finish()?;
        Ok(label)
    }

    /// Writes it as an element of a primitive.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a number is not finite.
    pub fn write(&self, id: &str, primitive: &str) -> Result<Element, PlanError> {
        let mut writer = Writer::default();
        writer
            .text("text", &self.text)
            .triple(["x", "y", "z"], self.at)
            .number("capHeight", self.cap_height)
            .word("align", &ALIGN, &self.align)
            .word("valign", &VALIGN, &self.valign)
            .word("facing", &FACING, &self.facing)
            .word("ink", &INK, &self.ink);
        if let Some(width) = self.wrap_width {
            writer.number("wrapWidth", width);
        }
        if let Some(along) = &self.along {
            writer.word("along", &ALONG, along);
        }
        writer.element(id, primitive, ElementKind::Label)
    }
}
