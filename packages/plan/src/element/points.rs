//! `POINTS`: one mark a row of a leaf, and the one function that says where each mark stands.

use identity::Digest;
use kernels::leaf::Columns;
use representation::{Scale, TransformKind, palette};

use super::parameters::{Reader, Writer};
use super::shapes::{Shape, color, hex, shape};
use crate::PlanError;
use crate::wire::v1::{Element, ElementKind};

/// One mark a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Digest of the rows leaf.
    pub leaf: Digest,
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
        let text = reader.text("leaf")?;
        let leaf = Digest::parse(text).map_err(|error| reader.wrong("leaf", error.to_string()))?;
        let [x, y, z] = AXES;
        let axes = [
            axis(&mut reader, x)?,
            axis(&mut reader, y)?,
            axis(&mut reader, z)?,
        ];
        let diameter = reader.positive("diameter")?;
        let opacity = reader.positive("opacity")?;
        if opacity > 1.0 {
            return Err(reader.wrong("opacity", format!("{opacity} is more than one")));
        }
        let groups = groups(&mut reader)?;
        reader.finish()?;
        Ok(Self {
            leaf,
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
        for (name, axis) in AXES.into_iter().zip(&self.axes) {
            match axis {
                AxisPlace::Fixed(at) => {
                    writer.number(&format!("{name}.fixed"), *at);
                }
                AxisPlace::Column {
                    column,
                    scale,
                    from,
                    to,
                } => {
                    writer
                        .text(&format!("{name}.column"), column)
                        .text(&format!("{name}.transform"), scale.kind().id())
                        .number(&format!("{name}.domainMin"), scale.min())
                        .number(&format!("{name}.domainMax"), scale.max())
                        .number(&format!("{name}.from"), *from)
                        .number(&format!("{name}.to"), *to);
                }
            }
        }
        writer
            .number("diameter", self.diameter)
            .number("opacity", self.opacity);
        match &self.groups {
            Groups::One(look) => {
                writer
                    .text("shape", look.shape.word())
                    .text("color", &hex(look.color));
            }
            Groups::By { column, groups } => {
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
        writer.element(id, primitive, ElementKind::Points)
    }

    /// Binds the element to its rows, so that placing a mark costs no look-up.
    ///
    /// # Errors
    /// [`PlanError::NotInLeaf`] when a column is missing or of the other kind, [`PlanError::NoSuchGroup`] when a
    /// category has no look.
    pub fn over<'a>(&self, leaf: &'a Columns) -> Result<Placer<'a>, PlanError> {
        let [x, y, z] = &self.axes;
        let groups = match &self.groups {
            Groups::One(_) => None,
            Groups::By { column, groups } => {
                let missing = || PlanError::NotInLeaf {
                    column: column.clone(),
                    needed: "categories",
                };
                let (labels, codes) = leaf.categories(column).ok_or_else(missing)?;
                let of_label = |label: &String| {
                    let at = groups.iter().position(|group| group.label == *label);
                    at.ok_or_else(|| PlanError::NoSuchGroup(label.clone()))
                };
                Some((
                    codes,
                    labels.iter().map(of_label).collect::<Result<Vec<usize>, _>>()?,
                ))
            }
        };
        Ok(Placer {
            n_rows: leaf.n_rows(),
            axes: [bound(x, leaf)?, bound(y, leaf)?, bound(z, leaf)?],
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
            for value in *values {
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
        let supposed = |look: &Look| look.shape == Shape::CrossedDiamond;
        match &self.groups {
            Groups::One(look) => supposed(look),
            Groups::By { groups, .. } => groups.iter().any(|group| supposed(&group.look)),
        }
    }

    /// How the marks of a group look; all marks have the look of group 0 when there are no groups.
    #[must_use]
    pub fn look(&self, group_idx: usize) -> Option<Look> {
        match &self.groups {
            Groups::One(look) => Some(*look),
            Groups::By { groups, .. } => groups.get(group_idx).map(|group| group.look),
        }
    }
}

fn axis(reader: &mut Reader<'_>, name: &str) -> Result<AxisPlace, PlanError> {
    let fixed = format!("{name}.fixed");
    if reader.has(&fixed) {
        return reader.number(&fixed).map(AxisPlace::Fixed);
    }
    let column = reader.text(&format!("{name}.column"))?.to_owned();
    let key = format!("{name}.transform");
    let kind =
        TransformKind::named(reader.text(&key)?).map_err(|error| reader.wrong(&key, error.to_string()))?;
    let min = reader.number(&format!("{name}.domainMin"))?;
    let max = reader.number(&format!("{name}.domainMax"))?;
    let from = reader.number(&format!("{name}.from"))?;
    let to = reader.number(&format!("{name}.to"))?;
    let scale = kind
        .scale(min, max, from, to)
        .map_err(|error| reader.wrong(&key, error.to_string()))?;
    Ok(AxisPlace::Column {
        column,
        scale,
        from,
        to,
    })
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
    axes: [Bound<'a>; 3],
    groups: Option<(&'a [u32], Vec<usize>)>,
}

#[derive(Clone, Debug)]
enum Bound<'a> {
    Values(&'a [f64], Scale, String),
    Fixed(f64),
}

fn bound<'a>(axis: &AxisPlace, leaf: &'a Columns) -> Result<Bound<'a>, PlanError> {
    match axis {
        AxisPlace::Fixed(at) => Ok(Bound::Fixed(*at)),
        AxisPlace::Column { column, scale, .. } => {
            let missing = || PlanError::NotInLeaf {
                column: column.clone(),
                needed: "numbers",
            };
            Ok(Bound::Values(
                leaf.number(column).ok_or_else(missing)?,
                *scale,
                column.clone(),
            ))
        }
    }
}

impl Placer<'_> {
    /// Rows, hence marks.
    #[must_use]
    pub const fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Where the mark of a row stands: x, y, z in meters.
    ///
    /// # Errors
    /// [`PlanError::NoSuchRow`] past the last row, [`PlanError::Transform`] when a value does not fit its scale.
    pub fn place(&self, row_idx: usize) -> Result<[f64; 3], PlanError> {
        let at = |axis: &Bound<'_>| match axis {
            Bound::Fixed(at) => Ok(*at),
            Bound::Values(values, scale, column) => {
                let value = values.get(row_idx).ok_or(PlanError::NoSuchRow {
                    row_idx,
                    n_rows: self.n_rows,
                })?;
                scale.apply(*value).map_err(|error| PlanError::Transform {
                    column: column.clone(),
                    error,
                })
            }
        };
        let [x, y, z] = &self.axes;
        Ok([at(x)?, at(y)?, at(z)?])
    }

    /// The group of a row; 0 when there are no groups.
    ///
    /// # Errors
    /// [`PlanError::NoSuchRow`] past the last row.
    pub fn group(&self, row_idx: usize) -> Result<usize, PlanError> {
        let missing = PlanError::NoSuchRow {
            row_idx,
            n_rows: self.n_rows,
        };
        let Some((codes, of_code)) = &self.groups else {
            return if row_idx < self.n_rows {
                Ok(0)
            } else {
                Err(missing)
            };
        };
        let code = codes.get(row_idx).ok_or_else(|| missing.clone())?;
        usize::try_from(*code)
            .ok()
            .and_then(|code| of_code.get(code))
            .copied()
            .ok_or(missing)
    }
}
