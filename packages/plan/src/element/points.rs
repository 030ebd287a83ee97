//! `POINTS`: one mark a row of a leaf, and the one function that says where each mark stands.

use identity::Digest;
use kernels::leaf::Columns;
use representation::{Scale, palette};

use super::parameters::{Reader, Writer};
use super::scaled::{Band, Rows, Scaled};
use super::shapes::{Shape, color, hex, shape};
use crate::PlanError;
use crate::wire::v1::{Element, ElementKind};

/// One mark a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Digest of the leaf.
    pub leaf: Digest,
    /// Which of its rows; all when none are chosen.
    pub rows: Option<Rows>,
    /// Where marks stand along x, y, z.
    pub axes: [AxisPlace; 3],
    /// Diameter of a mark in meters.
    pub diameter: f64,
    /// Opacity in `(0, 1]`; carries nothing.
    pub opacity: f64,
    /// One look for all, or one a group.
    pub groups: Groups,
}

/// Where marks stand along one axis.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisPlace {
    /// By a column through a transform.
    Column {
        /// Column of the leaf.
        column: String,
        /// The scale: domain in the column's unit, range in meters.
        scale: Scale,
        /// At the domain's lower end, in meters.
        from: f64,
        /// At the domain's upper end, in meters.
        to: f64,
    },
    /// In the middle of the band of a category.
    Band(Band),
    /// All at one place, in meters.
    Fixed(f64),
}

/// How marks look.
#[derive(Clone, Debug, PartialEq)]
pub enum Groups {
    /// All the same.
    One(Look),
    /// By the category of a column.
    By {
        /// Column of the leaf.
        column: String,
        /// Groups in the order of the legend, at most eight.
        groups: Vec<Group>,
    },
}

/// Color and shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// sRGB.
    pub color: [u8; 3],
    /// Outline.
    pub shape: Shape,
}

/// One group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Category as written in the data.
    pub label: String,
    /// How its marks look.
    pub look: Look,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Points {
    /// Reads `POINTS`.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a parameter is missing, unknown, of the wrong type or out of bounds.
    pub fn read(element: &Element) -> Result<Self, PlanError> {
        let mut reader = Reader::of(element, ElementKind::Points)?;
        let leaf = reader.digest("leaf")?;
        let rows = Rows::read(&mut reader, "rows")?;
        let [x, y, z] = AXES;
        let axes = [
            AxisPlace::read(&mut reader, x)?,
            AxisPlace::read(&mut reader, y)?,
            AxisPlace::read(&mut reader, z)?,
        ];
        let diameter = reader.positive("diameter")?;
        let opacity = reader.part("opacity")?;
        let groups = Groups::read(&mut reader)?;
        reader.finish()?;
        Ok(Self {
            leaf,
            rows,
            axes,
            diameter,
            opacity,
            groups,
        })
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
        writer
            .number("diameter", self.diameter)
            .number("opacity", self.opacity);
        self.groups.write(&mut writer);
        writer.element(id, primitive, ElementKind::Points)
    }

    /// Binds the element to its rows, so that placing a mark costs no look-up.
    ///
    /// # Errors
    /// [`PlanError::NotInLeaf`] when a column is missing or of the other kind, [`PlanError::NoSuchGroup`] when a
    /// category has no look.
    pub fn over<'a>(&self, leaf: &'a Columns) -> Result<Placer<'a>, PlanError> {
        let [x, y, z] = &self.axes;
        let groups = self.groups.codes(leaf)?;
        Ok(Placer {
            n_rows: leaf.n_rows(),
            rows: Rows::places(self.rows.as_ref(), leaf)?,
            axes: [x.bound(leaf)?, y.bound(leaf)?, z.bound(leaf)?],
            groups,
        })
    }

    /// Where the mark of a row stands: x, y, z in meters. Stage, replay and tests share this function.
    ///
    /// # Errors
    /// As [`Points::over`] and [`Placer::place`].
    pub fn place(&self, leaf: &Columns, row_idx: usize) -> Result<[f64; 3], PlanError> {
        self.over(leaf)?.place(row_idx)
    }

    /// The largest residual along each axis that shows a column, in the column's unit: how far a mark that is placed in
    /// single precision may lie from its row's value. See [`Scale::residual`].
    ///
    /// # Errors
    /// As [`Points::over`] and [`Placer::place`].
    pub fn residuals(&self, leaf: &Columns) -> Result<[Option<f64>; 3], PlanError> {
        let placer = self.over(leaf)?;
        let mut largest = [None; 3];
        for (largest, axis) in largest.iter_mut().zip(&placer.axes) {
            let Bound::Values(values, scale, column) = axis else {
                continue;
            };
            let mut most = 0.0_f64;
            for row_idx in &placer.rows {
                let value = &super::scaled::value(values, *row_idx as usize)?;
                let residual = scale.residual(*value).map_err(|error| PlanError::Transform {
                    column: column.clone(),
                    error,
                })?;
                most = most.max(residual);
            }
            *largest = Some(most);
        }
        Ok(largest)
    }

    /// Whether any of its marks has the shape of conjecture, which no row may have.
    pub(super) fn looks_supposed(&self) -> bool {
        self.groups.looks_supposed()
    }

    /// How the marks of a group look; all marks have the look of group 0 when there are no groups.
    #[must_use]
    pub fn look(&self, group_idx: usize) -> Option<Look> {
        self.groups.look(group_idx)
    }
}

impl AxisPlace {
    pub(super) fn read(reader: &mut Reader<'_>, name: &str) -> Result<Self, PlanError> {
        let fixed = format!("{name}.fixed");
        if reader.has(&fixed) {
            return reader.number(&fixed).map(Self::Fixed);
        }
        if reader.has(&format!("{name}.band")) {
            return Band::read(reader, name).map(Self::Band);
        }
        let column = reader.text(&format!("{name}.column"))?.to_owned();
        let Scaled { scale, from, to } = Scaled::read(reader, name)?;
        Ok(Self::Column {
            column,
            scale,
            from,
            to,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer, name: &str) {
        match self {
            Self::Fixed(at) => {
                writer.number(&format!("{name}.fixed"), *at);
            }
            Self::Band(band) => band.write(writer, name),
            Self::Column {
                column,
                scale,
                from,
                to,
            } => {
                writer.text(&format!("{name}.column"), column);
                let (scale, from, to) = (*scale, *from, *to);
                Scaled { scale, from, to }.write(writer, name);
            }
        }
    }

    pub(super) fn bound<'a>(&self, leaf: &'a Columns) -> Result<Bound<'a>, PlanError> {
        Ok(match self {
            Self::Fixed(at) => Bound::Fixed(*at),
            Self::Band(band) => {
                let (codes, bands) = band.bands(leaf)?;
                Bound::Bands(codes, bands, band.clone())
            }
            Self::Column { column, scale, .. } => {
                Bound::Values(super::scaled::numbers(leaf, column)?, *scale, column.clone())
            }
        })
    }
}

/// The codes of a leaf's column, and for each of them its group.
pub(super) type Codes<'a> = (&'a [u32], Vec<usize>);

impl Groups {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, PlanError> {
        groups(reader)
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        match self {
            Self::One(look) => {
                writer
                    .text("shape", look.shape.word())
                    .text("color", &hex(look.color));
            }
            Self::By { column, groups } => {
                writer
                    .text("group.column", column)
                    .number("group.count", groups.len() as f64);
                for (at, group) in groups.iter().enumerate() {
                    writer
                        .text(&format!("group.{at}.label"), &group.label)
                        .text(&format!("group.{at}.color"), &hex(group.look.color))
                        .text(&format!("group.{at}.shape"), group.look.shape.word());
                }
            }
        }
    }

    /// The codes of the leaf's column, and for each of them its group; nothing when all look the same.
    pub(super) fn codes<'a>(&self, leaf: &'a Columns) -> Result<Option<Codes<'a>>, PlanError> {
        let Self::By { column, groups } = self else {
            return Ok(None);
        };
        let missing = || PlanError::NotInLeaf {
            column: column.clone(),
            needed: "categories",
        };
        let (labels, codes) = leaf.categories(column).ok_or_else(missing)?;
        let of_label = |label: &String| {
            let at = groups.iter().position(|group| group.label == *label);
            at.ok_or_else(|| PlanError::NoSuchGroup(label.clone()))
        };
        let of_code = labels.iter().map(of_label).collect::<Result<Vec<usize>, _>>()?;
        Ok(Some((codes, of_code)))
    }

    pub(super) fn looks_supposed(&self) -> bool {
        let supposed = |look: &Look| look.shape == Shape::CrossedDiamond;
        match self {
            Self::One(look) => supposed(look),
            Self::By { groups, .. } => groups.iter().any(|group| supposed(&group.look)),
        }
    }

    /// How a group looks; group 0 when there are no groups.
    #[must_use]
    pub fn look(&self, group_idx: usize) -> Option<Look> {
        match self {
            Self::One(look) => Some(*look),
            Self::By { groups, .. } => groups.get(group_idx).map(|group| group.look),
        }
    }
}

fn groups(reader: &mut Reader<'_>) -> Result<Groups, PlanError> {
    if !reader.has("group.column") {
        return Ok(Groups::One(Look {
            color: color(reader, "color")?,
            shape: shape(reader, "shape")?,
        }));
    }
    let column = reader.text("group.column")?.to_owned();
    let count = reader.number("group.count")?;
    let known = (1..=palette::MOST).find(|known| *known as f64 == count);
    let count = known.ok_or_else(|| reader.wrong("group.count", format!("{count} is not from 1 to 8")))?;
    let mut groups: Vec<Group> = Vec::with_capacity(count);
    for at in 0..count {
        let key = format!("group.{at}.label");
        let label = reader.text(&key)?.to_owned();
        let look = Look {
            color: color(reader, &format!("group.{at}.color"))?,
            shape: shape(reader, &format!("group.{at}.shape"))?,
        };
        if groups.iter().any(|group| group.label == label) {
            return Err(reader.wrong(&key, "occurs twice"));
        }
        if groups.iter().any(|group| group.look.shape == look.shape) {
            return Err(reader.wrong(&format!("group.{at}.shape"), "is another group's shape"));
        }
        groups.push(Group { label, look });
    }
    Ok(Groups::By { column, groups })
}

/// `POINTS` bound to its rows.
#[derive(Clone, Debug)]
pub struct Placer<'a> {
    n_rows: usize,
    rows: Vec<u32>,
    axes: [Bound<'a>; 3],
    groups: Option<Codes<'a>>,
}

#[derive(Clone, Debug)]
pub(super) enum Bound<'a> {
    Values(&'a [f64], Scale, String),
    Bands(&'a [u32], Vec<Option<usize>>, Band),
    Fixed(f64),
}

impl Bound<'_> {
    pub(super) fn at(&self, row_idx: usize) -> Result<f64, PlanError> {
        match self {
            Self::Fixed(at) => Ok(*at),
            Self::Values(values, scale, column) => {
                let value = super::scaled::value(values, row_idx)?;
                scale.apply(value).map_err(|error| PlanError::Transform {
                    column: column.clone(),
                    error,
                })
            }
            Self::Bands(codes, bands, band) => band.at(codes, bands, row_idx).map(|at| band.middle(at)),
        }
    }
}

impl Placer<'_> {
    /// Rows of the leaf; those that have a mark are [`Self::rows`].
    #[must_use]
    pub const fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Places in the leaf of the rows that have a mark, rising: the n-th mark is that of the n-th of them.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Where the mark of a row stands: x, y, z in meters.
    ///
    /// # Errors
    /// [`PlanError::NoSuchRow`] past the last row, [`PlanError::Transform`] when a value does not fit its scale,
    /// [`PlanError::NoSuchGroup`] for a category without band.
    pub fn place(&self, row_idx: usize) -> Result<[f64; 3], PlanError> {
        all_at(&self.axes, row_idx)
    }

    /// The group of a row; 0 when there are no groups.
    ///
    /// # Errors
    /// [`PlanError::NoSuchRow`] past the last row.
    pub fn group(&self, row_idx: usize) -> Result<usize, PlanError> {
        if row_idx >= self.n_rows {
            let n_rows = self.n_rows;
            return Err(PlanError::NoSuchRow { row_idx, n_rows });
        }
        group_of(self.groups.as_ref(), row_idx)
    }
}

/// Where a row stands on all three axes.
pub(super) fn all_at(axes: &[Bound<'_>; 3], row_idx: usize) -> Result<[f64; 3], PlanError> {
    let [x, y, z] = axes;
    Ok([x.at(row_idx)?, y.at(row_idx)?, z.at(row_idx)?])
}

/// The group of a row; 0 when there are no groups.
pub(super) fn group_of(groups: Option<&Codes<'_>>, row_idx: usize) -> Result<usize, PlanError> {
    let Some((codes, of_code)) = groups else {
        return Ok(0);
    };
    let missing = || PlanError::NoSuchRow {
        row_idx,
        n_rows: codes.len(),
    };
    let code = codes.get(row_idx).ok_or_else(missing)?;
    let code = usize::try_from(*code).ok();
    code.and_then(|code| of_code.get(code))
        .copied()
        .ok_or_else(missing)
}
