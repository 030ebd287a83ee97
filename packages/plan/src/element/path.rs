//! `PATH`: a line through rows in the order of the leaf; `LINKS`: one line a row, between two places.

use identity::Digest;
use kernels::leaf::Columns;

use super::parameters::{Reader, Writer};
use super::points::{AxisPlace, Bound, all_at};
use super::scaled::{Rows, Scaled, numbers, value};
use super::shapes::{color, hex};
use crate::PlanError;
use crate::wire::v1::{Element, ElementKind};

const AXES: [&str; 3] = ["x", "y", "z"];

/// A line through rows in the order of the leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Digest of the leaf.
    pub leaf: Digest,
    /// Which of its rows; all when none are chosen.
    pub rows: Option<Rows>,
    /// Where it passes along x, y, z.
    pub axes: [AxisPlace; 3],
    /// Rows before which the line is broken: nothing is drawn between such a row and the one before it.
    pub breaks: Option<Rows>,
    /// Width in meters.
    pub width: f64,
    /// sRGB.
    pub color: [u8; 3],
    /// Opacity in `(0, 1]`; carries nothing.
    pub opacity: f64,
}

impl Path {
    /// Reads `PATH`.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a parameter is missing, unknown, of the wrong type or out of bounds.
    pub fn read(element: &Element) -> Result<Self, PlanError> {
        let mut reader = Reader::of(element, ElementKind::Path)?;
        let [x, y, z] = AXES;
        let path = Self {
            leaf: reader.digest("leaf")?,
            rows: Rows::read(&mut reader, "rows")?,
            axes: [
                AxisPlace::read(&mut reader, x)?,
                AxisPlace::read(&mut reader, y)?,
                AxisPlace::read(&mut reader, z)?,
            ],
            breaks: Rows::read(&mut reader, "breaks")?,
            width: reader.positive("width")?,
            color: color(&mut reader, "color")?,
            opacity: reader.part("opacity")?,
        };
        reader.finish()?;
        Ok(path)
    }

    /// Writes it as an element of a primitive.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a number is not finite.
    pub fn write(&self, id: &str, primitive: &str) -> Result<Element, PlanError> {
        let mut writer = Writer::default();
        writer.text("leaf", &self.leaf.to_string());
        Rows::write(self.rows.as_ref(), &mut writer, "rows");
        for (name, axis) in AXES.into_iter().zip(&self.axes) {
            axis.write(&mut writer, name);
        }
        Rows::write(self.breaks.as_ref(), &mut writer, "breaks");
        writer
            .number("width", self.width)
            .text("color", &hex(self.color))
            .number("opacity", self.opacity);
        writer.element(id, primitive, ElementKind::Path)
    }

    /// Binds the element to its rows.
    ///
    /// # Errors
    /// [`PlanError::NotInLeaf`] when a column is missing or of the other kind.
    pub fn over<'a>(&self, leaf: &'a Columns) -> Result<PathPlacer<'a>, PlanError> {
        let [x, y, z] = &self.axes;
        let breaks = match &self.breaks {
            Some(breaks) => Rows::places(Some(breaks), leaf)?,
            None => Vec::new(),
        };
        Ok(PathPlacer {
            rows: Rows::places(self.rows.as_ref(), leaf)?,
            axes: [x.bound(leaf)?, y.bound(leaf)?, z.bound(leaf)?],
            breaks,
        })
    }
}

/// `PATH` bound to its rows.
#[derive(Clone, Debug)]
pub struct PathPlacer<'a> {
    rows: Vec<u32>,
    axes: [Bound<'a>; 3],
    breaks: Vec<u32>,
}

impl PathPlacer<'_> {
    /// Places in the leaf of the rows that the line passes, in its order.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Where the line passes a row: x, y, z in meters.
    ///
    /// # Errors
    /// As [`super::Placer::place`].
    pub fn place(&self, row_idx: usize) -> Result<[f64; 3], PlanError> {
        all_at(&self.axes, row_idx)
    }

    /// Whether the line is broken before a row.
    #[must_use]
    pub fn is_broken_before(&self, row_idx: u32) -> bool {
        self.breaks.binary_search(&row_idx).is_ok()
    }
}

/// One line a row, between two places.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    /// Digest of the leaf.
    pub leaf: Digest,
    /// The columns of where links begin, along x, y, z.
    pub from: [String; 3],
    /// The columns of where they end.
    pub to: [String; 3],
    /// The scales of x, y, z.
    pub axes: [Scaled; 3],
    /// Width in meters; means nothing.
    pub width: f64,
    /// sRGB.
    pub color: [u8; 3],
    /// Opacity in `(0, 1]`; carries nothing.
    pub opacity: f64,
}

impl Links {
    /// Reads `LINKS`.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a parameter is missing, unknown, of the wrong type or out of bounds.
    pub fn read(element: &Element) -> Result<Self, PlanError> {
        let mut reader = Reader::of(element, ElementKind::Links)?;
        let [x, y, z] = AXES;
        let mut ends = |end: &str| -> Result<[String; 3], PlanError> {
            let mut column = |axis: &str| reader.text(&format!("{axis}.{end}Column")).map(str::to_owned);
            Ok([column(x)?, column(y)?, column(z)?])
        };
        let (from, to) = (ends("from")?, ends("to")?);
        let links = Self {
            leaf: reader.digest("leaf")?,
            from,
            to,
            axes: [
                Scaled::read(&mut reader, x)?,
                Scaled::read(&mut reader, y)?,
                Scaled::read(&mut reader, z)?,
            ],
            width: reader.positive("width")?,
            color: color(&mut reader, "color")?,
            opacity: reader.part("opacity")?,
        };
        reader.finish()?;
        Ok(links)
    }

    /// Writes it as an element of a primitive.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a number is not finite.
    pub fn write(&self, id: &str, primitive: &str) -> Result<Element, PlanError> {
        let mut writer = Writer::default();
        writer.text("leaf", &self.leaf.to_string());
        for (at, name) in AXES.into_iter().enumerate() {
            writer
                .text(&format!("{name}.fromColumn"), &self.from[at])
                .text(&format!("{name}.toColumn"), &self.to[at]);
            self.axes[at].write(&mut writer, name);
        }
        writer
            .number("width", self.width)
            .text("color", &hex(self.color))
            .number("opacity", self.opacity);
        writer.element(id, primitive, ElementKind::Links)
    }

    /// Binds the element to its rows.
    ///
    /// # Errors
    /// [`PlanError::NotInLeaf`] when a column is missing or of the other kind.
    pub fn over<'a>(&'a self, leaf: &'a Columns) -> Result<LinkPlacer<'a>, PlanError> {
        let columns = |names: &[String; 3]| -> Result<[&'a [f64]; 3], PlanError> {
            let [x, y, z] = names;
            Ok([numbers(leaf, x)?, numbers(leaf, y)?, numbers(leaf, z)?])
        };
        Ok(LinkPlacer {
            links: self,
            n_rows: leaf.n_rows(),
            from: columns(&self.from)?,
            to: columns(&self.to)?,
        })
    }
}

/// `LINKS` bound to their rows.
#[derive(Clone, Debug)]
pub struct LinkPlacer<'a> {
    links: &'a Links,
    n_rows: usize,
    from: [&'a [f64]; 3],
    to: [&'a [f64]; 3],
}

impl LinkPlacer<'_> {
    /// Rows, hence links.
    #[must_use]
    pub const fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Both ends of a row's link, in meters.
    ///
    /// # Errors
    /// [`PlanError::NoSuchRow`] past the last row, [`PlanError::Transform`] when a value does not fit its scale.
    pub fn ends(&self, row_idx: usize) -> Result<[[f64; 3]; 2], PlanError> {
        let place = |columns: &[&[f64]; 3], names: &[String; 3]| -> Result<[f64; 3], PlanError> {
            let mut at = [0.0; 3];
            for axis in 0..3 {
                at[axis] = self.links.axes[axis].at(&names[axis], value(columns[axis], row_idx)?)?;
            }
            Ok(at)
        };
        Ok([
            place(&self.from, &self.links.from)?,
            place(&self.to, &self.links.to)?,
        ])
    }
}
