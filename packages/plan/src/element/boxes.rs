//! `BOXES`: one cuboid a row of a leaf: bars, cells, intervals.

use identity::Digest;
use kernels::leaf::Columns;

use super::parameters::{Reader, Writer};
use super::points::{Groups, Look};
use super::ramp::Ramp;
use super::scaled::{Band, Rows, Scaled, numbers, value};
use crate::PlanError;
use crate::wire::v1::{Element, ElementKind};

/// One cuboid a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Boxes {
    /// Digest of the leaf.
    pub leaf: Digest,
    /// Which of its rows; all when none are chosen.
    pub rows: Option<Rows>,
    /// How far a cuboid reaches along x, y, z.
    pub extents: [Extent; 3],
    /// How cuboids are colored.
    pub paint: Paint,
    /// Opacity in `(0, 1]`; carries nothing.
    pub opacity: f64,
}

/// How far cuboids reach along one axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// From one column to another: bins, intervals.
    Span {
        /// Column of the lower ends.
        lower: String,
        /// Column of the upper ends.
        upper: String,
        /// The scale of both.
        along: Scaled,
        /// Taken off both ends, in meters, so that neighbors stay apart; at most [`MOST_INSET`] of the extent.
        inset: f64,
    },
    /// From a fixed value to that of a column: bars.
    From {
        /// The value where all begin, within the domain.
        base: f64,
        /// Column of the values.
        column: String,
        /// The scale.
        along: Scaled,
    },
    /// Around the value of a column.
    Around {
        /// Column of the values.
        column: String,
        /// The scale.
        along: Scaled,
        /// Extent of all in meters; means nothing.
        thickness: f64,
    },
    /// Within the band of a category.
    Band {
        /// The bands.
        band: Band,
        /// Part of the band that is filled, in `(0, 1]`; means nothing.
        part: f64,
    },
    /// All alike, in meters.
    Fixed {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
}

/// How cuboids are colored.
#[derive(Clone, Debug, PartialEq)]
pub enum Paint {
    /// One color, or one a group; shapes of groups stand in the legend alone.
    Groups(Groups),
    /// By a column through a ramp.
    Ramp(Ramp),
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// The part of a span that an inset takes off each end at most: a tenth is left.
pub const MOST_INSET: f64 = 0.45;

impl Boxes {
    /// Reads `BOXES`.
    ///
    /// # Errors
    /// [`PlanError::Parameter`] when a parameter is missing, unknown, of the wrong type or out of bounds.
    pub fn read(element: &Element) -> Result<Self, PlanError> {
        let mut reader = Reader::of(element, ElementKind::Boxes)?;
        let leaf = reader.digest("leaf")?;
        let rows = Rows::read(&mut reader, "rows")?;
        let [x, y, z] = AXES;
        let extents = [
            extent(&mut reader, x)?,
            extent(&mut reader, y)?,
            extent(&mut reader, z)?,
        ];
        let paint = if reader.has("ramp.column") {
            Paint::Ramp(Ramp::read(&mut reader, "ramp")?)
        } else {
            Paint::Groups(Groups::read(&mut reader)?)
        };
        let opacity = reader.part("opacity")?;
        reader.finish()?;
        Ok(Self {
            leaf,
            rows,
            extents,
            paint,
            opacity,
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
        for (name, extent) in AXES.into_iter().zip(&self.extents) {
            match extent {
                Extent::Span {
                    lower,
                    upper,
                    along,
                    inset,
                } => {
                    writer
                        .text(&format!("{name}.lower"), lower)
                        .text(&format!("{name}.upper"), upper)
                        .number(&format!("{name}.inset"), *inset);
                    along.write(&mut writer, name);
                }
                Extent::From { base, column, along } => {
                    writer
                        .text(&format!("{name}.column"), column)
                        .number(&format!("{name}.base"), *base);
                    along.write(&mut writer, name);
                }
                Extent::Around {
                    column,
                    along,
                    thickness,
                } => {
                    writer
                        .text(&format!("{name}.column"), column)
                        .number(&format!("{name}.thickness"), *thickness);
                    along.write(&mut writer, name);
                }
                Extent::Band { band, part } => {
                    writer.number(&format!("{name}.part"), *part);
                    band.write(&mut writer, name);
                }
                Extent::Fixed { low, high } => {
                    writer
                        .number(&format!("{name}.low"), *low)
                        .number(&format!("{name}.high"), *high);
                }
            }
        }
        match &self.paint {
            Paint::Groups(groups) => groups.write(&mut writer),
            Paint::Ramp(ramp) => ramp.write(&mut writer, "ramp"),
        }
        writer.number("opacity", self.opacity);
        writer.element(id, primitive, ElementKind::Boxes)
    }

    /// Binds the element to its rows, so that placing a cuboid costs no look-up.
    ///
    /// # Errors
    /// [`PlanError::NotInLeaf`] when a column is missing or of the other kind, [`PlanError::NoSuchGroup`] when a
    /// category has no look.
    pub fn over<'a>(&'a self, leaf: &'a Columns) -> Result<BoxPlacer<'a>, PlanError> {
        let [x, y, z] = &self.extents;
        let paint = match &self.paint {
            Paint::Groups(groups) => Brush::Groups(groups, groups.codes(leaf)?),
            Paint::Ramp(ramp) => Brush::Ramp(ramp, numbers(leaf, &ramp.column)?),
        };
        Ok(BoxPlacer {
            rows: Rows::places(self.rows.as_ref(), leaf)?,
            extents: [bound(x, leaf)?, bound(y, leaf)?, bound(z, leaf)?],
            paint,
        })
    }
}

impl Boxes {
    pub(super) fn looks_supposed(&self) -> bool {
        matches!(&self.paint, Paint::Groups(groups) if groups.looks_supposed())
    }
}

fn extent(reader: &mut Reader<'_>, name: &str) -> Result<Extent, PlanError> {
    let key = |part: &str| format!("{name}.{part}");
    if reader.has(&key("band")) {
        let band = Band::read(reader, name)?;
        let part = reader.part(&key("part"))?;
        return Ok(Extent::Band { band, part });
    }
    if reader.has(&key("low")) {
        let (low, high) = (reader.number(&key("low"))?, reader.number(&key("high"))?);
        if low >= high {
            return Err(reader.wrong(&key("high"), format!("{high} is not above {low}")));
        }
        return Ok(Extent::Fixed { low, high });
    }
    if reader.has(&key("lower")) {
        let (lower, upper) = (
            reader.text(&key("lower"))?.to_owned(),
            reader.text(&key("upper"))?.to_owned(),
        );
        let inset = reader.number(&key("inset"))?;
        if inset < 0.0 {
            return Err(reader.wrong(&key("inset"), format!("{inset} is negative")));
        }
        let along = Scaled::read(reader, name)?;
        return Ok(Extent::Span {
            lower,
            upper,
            along,
            inset,
        });
    }
    let column = reader.text(&key("column"))?.to_owned();
    if reader.has(&key("base")) {
        let base = reader.number(&key("base"))?;
        let along = Scaled::read(reader, name)?;
        if along.scale.apply(base).is_err() {
            return Err(reader.wrong(&key("base"), format!("{base} is not in the domain")));
        }
        return Ok(Extent::From { base, column, along });
    }
    let thickness = reader.positive(&key("thickness"))?;
    let along = Scaled::read(reader, name)?;
    Ok(Extent::Around {
        column,
        along,
        thickness,
    })
}

/// `BOXES` bound to their rows.
#[derive(Clone, Debug)]
pub struct BoxPlacer<'a> {
    rows: Vec<u32>,
    extents: [Bound<'a>; 3],
    paint: Brush<'a>,
}

#[derive(Clone, Debug)]
enum Bound<'a> {
    Span([Values<'a>; 2], &'a Scaled, f64),
    /// Values, scale, and where all begin in meters.
    From(Values<'a>, &'a Scaled, f64),
    /// Values, scale and thickness in meters.
    Around(Values<'a>, &'a Scaled, f64),
    /// Codes, the band of each code, bands, and the part of a band that is filled.
    Band(&'a [u32], Vec<Option<usize>>, &'a Band, f64),
    Fixed(f64, f64),
}

/// The numbers of a column with its name.
#[derive(Clone, Copy, Debug)]
struct Values<'a> {
    column: &'a str,
    values: &'a [f64],
}

impl<'a> Values<'a> {
    fn of(leaf: &'a Columns, column: &'a str) -> Result<Self, PlanError> {
        let values = numbers(leaf, column)?;
        Ok(Self { column, values })
    }

    fn at(&self, row_idx: usize, along: &Scaled) -> Result<f64, PlanError> {
        along.at(self.column, value(self.values, row_idx)?)
    }
}

#[derive(Clone, Debug)]
enum Brush<'a> {
    Groups(&'a Groups, Option<(&'a [u32], Vec<usize>)>),
    Ramp(&'a Ramp, &'a [f64]),
}

fn bound<'a>(extent: &'a Extent, leaf: &'a Columns) -> Result<Bound<'a>, PlanError> {
    Ok(match extent {
        Extent::Span {
            lower,
            upper,
            along,
            inset,
        } => Bound::Span(
            [Values::of(leaf, lower)?, Values::of(leaf, upper)?],
            along,
            *inset,
        ),
        Extent::From { base, column, along } => {
            Bound::From(Values::of(leaf, column)?, along, along.at(column, *base)?)
        }
        Extent::Around {
            column,
            along,
            thickness,
        } => Bound::Around(Values::of(leaf, column)?, along, *thickness),
        Extent::Band { band, part } => {
            let (codes, bands) = band.bands(leaf)?;
            Bound::Band(codes, bands, band, *part)
        }
        Extent::Fixed { low, high } => Bound::Fixed(*low, *high),
    })
}

impl BoxPlacer<'_> {
    /// Places in the leaf of the rows that have a cuboid, rising: the n-th cuboid is that of the n-th of them.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The lowest and the highest corner of a row's cuboid, in meters.
    ///
    /// # Errors
    /// [`PlanError::NoSuchRow`] past the last row, [`PlanError::Transform`] when a value does not fit its scale,
    /// [`PlanError::NoSuchGroup`] for a category without band.
    pub fn place(&self, row_idx: usize) -> Result<([f64; 3], [f64; 3]), PlanError> {
        let [x, y, z] = &self.extents;
        let (x, y, z) = (reach(x, row_idx)?, reach(y, row_idx)?, reach(z, row_idx)?);
        Ok(([x.0, y.0, z.0], [x.1, y.1, z.1]))
    }

    /// The color of a row's cuboid, sRGB.
    ///
    /// # Errors
    /// As [`Self::place`].
    pub fn color(&self, row_idx: usize) -> Result<[u8; 3], PlanError> {
        match &self.paint {
            Brush::Ramp(ramp, values) => ramp.color(value(values, row_idx)?),
            Brush::Groups(groups, codes) => {
                let group_idx = super::points::group_of(codes.as_ref(), row_idx)?;
                let look = groups.look(group_idx).map(|look: Look| look.color);
                look.ok_or(PlanError::NoSuchRow {
                    row_idx,
                    n_rows: self.rows.len(),
                })
            }
        }
    }
}

/// Lower and upper end in meters.
fn reach(bound: &Bound<'_>, row_idx: usize) -> Result<(f64, f64), PlanError> {
    let sorted = |a: f64, b: f64| (a.min(b), a.max(b));
    match bound {
        Bound::Fixed(low, high) => Ok((*low, *high)),
        Bound::Span([lowers, uppers], along, inset) => {
            let (low, high) = sorted(lowers.at(row_idx, along)?, uppers.at(row_idx, along)?);
            let inset = inset.min((high - low) * MOST_INSET);
            Ok((low + inset, high - inset))
        }
        Bound::From(values, along, base) => Ok(sorted(*base, values.at(row_idx, along)?)),
        Bound::Around(values, along, thickness) => {
            let middle = values.at(row_idx, along)?;
            Ok((middle - thickness / 2.0, middle + thickness / 2.0))
        }
        Bound::Band(codes, bands, band, part) => {
            let band_idx = band.at(codes, bands, row_idx)?;
            let (middle, half) = (band.middle(band_idx), band.width() * part / 2.0);
            Ok((middle - half, middle + half))
        }
    }
}
