//! A column on a scale, categories in bands, some of the rows: what elements over a leaf are placed by.

use kernels::leaf::Columns;
use representation::{Scale, TransformKind};

use super::parameters::{Reader, Writer};
use crate::PlanError;

/// Columns of numbers through one transform: domain in their unit, range in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    /// The scale.
    pub scale: Scale,
    /// At the domain's lower end, in meters.
    pub from: f64,
    /// At the domain's upper end, in meters.
    pub to: f64,
}

impl Scaled {
    /// A scale with its ends.
    ///
    /// # Errors
    /// [`representation::TransformError`] for a domain or range without extent.
    pub fn new(
        kind: TransformKind,
        (min, max): (f64, f64),
        (from, to): (f64, f64),
    ) -> Result<Self, representation::TransformError> {
        Ok(Self {
            scale: kind.scale(min, max, from, to)?,
            from,
            to,
        })
    }

    pub(super) fn read(reader: &mut Reader<'_>, name: &str) -> Result<Self, PlanError> {
        let key = format!("{name}.transform");
        let wrong = |reader: &Reader<'_>, error: representation::TransformError| {
            reader.wrong(&key, error.to_string())
        };
        let kind = TransformKind::named(reader.text(&key)?).map_err(|error| wrong(reader, error))?;
        let min = reader.number(&format!("{name}.domainMin"))?;
        let max = reader.number(&format!("{name}.domainMax"))?;
        let from = reader.number(&format!("{name}.from"))?;
        let to = reader.number(&format!("{name}.to"))?;
        Self::new(kind, (min, max), (from, to)).map_err(|error| wrong(reader, error))
    }

    pub(super) fn write(&self, writer: &mut Writer, name: &str) {
        writer
            .text(&format!("{name}.transform"), self.scale.kind().id())
            .number(&format!("{name}.domainMin"), self.scale.min())
            .number(&format!("{name}.domainMax"), self.scale.max())
            .number(&format!("{name}.from"), self.from)
            .number(&format!("{name}.to"), self.to);
    }

    pub(super) fn at(&self, column: &str, value: f64) -> Result<f64, PlanError> {
        self.scale.apply(value).map_err(|error| PlanError::Transform {
            column: column.to_owned(),
            error,
        })
    }
}

/// Categories in bands of equal width, in the order of the labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Column of the leaf.
    pub column: String,
    /// Labels in order, each once.
    pub labels: Vec<String>,
    /// Where the first band begins, in meters.
    pub from: f64,
    /// Where the last band ends, in meters.
    pub to: f64,
}

impl Band {
    pub(super) fn read(reader: &mut Reader<'_>, name: &str) -> Result<Self, PlanError> {
        let column = reader.text(&format!("{name}.band"))?.to_owned();
        let key = format!("{name}.labels");
        let labels = texts(reader, &key)?;
        let (from, to) = (
            reader.number(&format!("{name}.from"))?,
            reader.number(&format!("{name}.to"))?,
        );
        if labels.is_empty() || from == to {
            return Err(reader.wrong(&key, "gives no band any width"));
        }
        Ok(Self {
            column,
            labels,
            from,
            to,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer, name: &str) {
        writer
            .text(&format!("{name}.band"), &self.column)
            .text(&format!("{name}.labels"), &json(&self.labels))
            .number(&format!("{name}.from"), self.from)
            .number(&format!("{name}.to"), self.to);
    }

    /// Width of one band in meters.
    #[must_use]
    pub fn width(&self) -> f64 {
        (self.to - self.from).abs() / self.labels.len() as f64
    }

    /// The middle of a band in meters.
    #[must_use]
    pub fn middle(&self, band_idx: usize) -> f64 {
        self.from + (self.to - self.from) * ((band_idx as f64 + 0.5) / self.labels.len() as f64)
    }

    /// The band of a row, by the codes of its column and what [`Self::bands`] said of them.
    pub(super) fn at(
        &self,
        codes: &[u32],
        bands: &[Option<usize>],
        row_idx: usize,
    ) -> Result<usize, PlanError> {
        let code = codes.get(row_idx).ok_or(PlanError::NoSuchRow {
            row_idx,
            n_rows: codes.len(),
        })?;
        let found = usize::try_from(*code)
            .ok()
            .and_then(|code| bands.get(code).copied());
        found
            .flatten()
            .ok_or_else(|| PlanError::NoSuchGroup(format!("{code} of {}", self.column)))
    }

    /// For each code of the leaf's column, which band it is; none where no band has its label.
    pub(super) fn bands<'a>(&self, leaf: &'a Columns) -> Result<(&'a [u32], Vec<Option<usize>>), PlanError> {
        let missing = || PlanError::NotInLeaf {
            column: self.column.clone(),
            needed: "categories",
        };
        let (labels, codes) = leaf.categories(&self.column).ok_or_else(missing)?;
        let band = |label: &String| self.labels.iter().position(|known| known == label);
        Ok((codes, labels.iter().map(band).collect()))
    }
}

/// Some of the rows: those with one category.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rows {
    /// Column of the leaf.
    pub column: String,
    /// The category.
    pub label: String,
}

impl Rows {
    pub(super) fn read(reader: &mut Reader<'_>, name: &str) -> Result<Option<Self>, PlanError> {
        let key = format!("{name}.column");
        if !reader.has(&key) {
            return Ok(None);
        }
        Ok(Some(Self {
            column: reader.text(&key)?.to_owned(),
            label: reader.text(&format!("{name}.label"))?.to_owned(),
        }))
    }

    pub(super) fn write(rows: Option<&Self>, writer: &mut Writer, name: &str) {
        if let Some(rows) = rows {
            writer
                .text(&format!("{name}.column"), &rows.column)
                .text(&format!("{name}.label"), &rows.label);
        }
    }

    /// The places of these rows in the leaf, rising; of all rows when none are chosen.
    ///
    /// # Errors
    /// [`PlanError::NotInLeaf`] when there is no such column of categories.
    pub fn places(rows: Option<&Self>, leaf: &Columns) -> Result<Vec<u32>, PlanError> {
        let all = 0..u32::try_from(leaf.n_rows()).unwrap_or(u32::MAX);
        let Some(rows) = rows else {
            return Ok(all.collect());
        };
        let missing = || PlanError::NotInLeaf {
            column: rows.column.clone(),
            needed: "categories",
        };
        let (labels, codes) = leaf.categories(&rows.column).ok_or_else(missing)?;
        let wanted = labels
            .iter()
            .position(|label| *label == rows.label)
            .and_then(|at| u32::try_from(at).ok());
        Ok(all
            .zip(codes)
            .filter(|(_, code)| Some(**code) == wanted)
            .map(|(at, _)| at)
            .collect())
    }
}

/// The numbers of a column.
pub(super) fn numbers<'a>(leaf: &'a Columns, column: &str) -> Result<&'a [f64], PlanError> {
    leaf.number(column).ok_or_else(|| PlanError::NotInLeaf {
        column: column.to_owned(),
        needed: "numbers",
    })
}

/// A value of a row.
pub(super) fn value(values: &[f64], row_idx: usize) -> Result<f64, PlanError> {
    values.get(row_idx).copied().ok_or(PlanError::NoSuchRow {
        row_idx,
        n_rows: values.len(),
    })
}

/// Several texts in one parameter: a JSON array without white space, each text once.
pub(super) fn texts(reader: &mut Reader<'_>, key: &str) -> Result<Vec<String>, PlanError> {
    let text = reader.text(key)?;
    let texts: Vec<String> =
        serde_json::from_str(text).map_err(|_| reader.wrong(key, "is not a JSON array of texts"))?;
    let twice = texts
        .iter()
        .enumerate()
        .any(|(at, one)| texts[..at].contains(one));
    if twice || json(&texts) != text {
        return Err(reader.wrong(key, "names a text twice, or is not written in one way"));
    }
    Ok(texts)
}

/// As [`texts`] reads it.
pub(super) fn json(texts: &[String]) -> String {
    serde_json::to_string(texts).unwrap_or_default()
}
