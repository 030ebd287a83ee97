//! The import recipe that is hashed.

use identity::utf16_cmp;
use serde::{Deserialize, Serialize};

use crate::column::{CellForm, ColumnKind, MAX_TOKENS};
use crate::measure::{
    Basis, BasisSource, MeasurementModel, ObservationStructure, Scale, Status, Unit, UnitSystem,
};
use crate::options::{Compression, Encoding, Format, Header};
use crate::style::NumberStyle;
use crate::words;

/// Everything that was decided about an import: bytes and this give the dataset again, with nothing inferred.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecipeBody {
    /// The dataset's name.
    pub name: String,
    /// The source's format.
    #[serde(with = "words")]
    pub format: Format,
    /// The source's encoding; present exactly for formats that are text.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "words::option")]
    pub encoding: Option<Encoding>,
    /// What was packed around the source; absent when nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "words::option")]
    pub compression: Option<Compression>,
    /// How the CSV is structured; present for CSV alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub csv: Option<CsvStructure>,
    /// The sheet that is read; present for workbooks alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// How the links of a graph are read; present for graphs alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<LinkStructure>,
    /// The column that names the rows; absent when they are numbered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_column: Option<String>,
    /// The decisions, one a column, in declared order.
    pub columns: Vec<ColumnDecision>,
}

/// How a CSV file is structured. What is absent is as RFC 4180 and programs have it: a header in the first record, no
/// line before it, a decimal point and nothing between digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CsvStructure {
    /// One ASCII character between fields.
    pub delimiter: String,
    /// One ASCII character around fields, doubled inside.
    pub quote: String,
    /// ABSENT when the first record is a row; else left out.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "words::option")]
    pub header: Option<Header>,
    /// How many lines stand before the table; left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_lines: Option<u64>,
    /// `,` when numbers have a decimal comma; else left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal_mark: Option<String>,
    /// One character between groups of three digits; left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thousands: Option<String>,
}

/// How the links of a graph are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkStructure {
    /// The column whose values the ends name; left out when they are places in the list of nodes, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<String>,
}

/// What was decided about a column, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ColumnDecision {
    /// Its name.
    pub name: String,
    /// Its kind.
    #[serde(with = "words")]
    pub kind: ColumnKind,
    /// How its cells are held.
    #[serde(with = "words")]
    pub cells: CellForm,
    /// Why it has this kind.
    pub why: String,
    /// The texts that stand for "no value", in UTF-16 order.
    pub missing_tokens: Vec<String>,
    /// What its values mean.
    pub measurement: Measurement,
}

/// A measurement model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measurement {
    /// The scale.
    #[serde(with = "words")]
    pub scale: Scale,
    /// How rows depend on each other.
    #[serde(with = "words")]
    pub observation_structure: ObservationStructure,
    /// How firmly the scale stands.
    #[serde(with = "words")]
    pub status: Status,
    /// The unit, when one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<MeasurementUnit>,
    /// The reasons.
    pub basis: Vec<MeasurementBasis>,
}

/// A unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MeasurementUnit {
    /// The code.
    pub text: String,
    /// Whose vocabulary the code is in.
    #[serde(with = "words")]
    pub system: UnitSystem,
    /// As the source or the person wrote it.
    pub written: String,
    /// How firmly it stands.
    #[serde(with = "words")]
    pub status: Status,
}

/// One reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MeasurementBasis {
    /// What it rests on.
    #[serde(with = "words")]
    pub source: BasisSource,
    /// Why that leads to the statement.
    pub rationale: String,
}

/// Why a recipe body is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// The name is empty. Way out: a recipe written by this program has one.
    #[error("the recipe names no dataset")]
    NoName,
    /// There are no columns. Way out: as above.
    #[error("the recipe has no columns")]
    NoColumns,
    /// CSV without a CSV structure, or another format with one.
    #[error("a recipe has a CSV structure exactly when its format is CSV")]
    Structure,
    /// A text format without an encoding of text, or the other way around.
    #[error("a recipe has an encoding of text exactly when its format is text")]
    Encoding,
    /// A workbook without a sheet, or a sheet without a workbook.
    #[error("a recipe names a sheet exactly when its format is XLSX")]
    Sheet,
    /// Delimiter or quote is not one ASCII character, a line break, a letter or digit, or they are the same.
    #[error("delimiter `{delimiter}` and quote `{quote}` can't structure a CSV file")]
    Characters {
        /// The delimiter.
        delimiter: String,
        /// The quote.
        quote: String,
    },
    /// A graph without a link structure, another format with one, or ends that name no column.
    #[error("a recipe has a link structure exactly when its format is a graph, and its ends name a column")]
    Links,
    /// A member says what its absence says already, or holds what can't mark a number.
    #[error("the member `{0}` of the CSV structure is not one that an import writes")]
    Csv(&'static str),
    /// A column has no name, or a name twice.
    #[error("column {position} has an empty or a repeated name")]
    ColumnName {
        /// Which column, from 1.
        position: usize,
    },
    /// The key column is not among the columns.
    #[error("the key column `{0}` is not among the columns")]
    Key(String),
    /// NUMERIC columns hold numbers and no others do.
    #[error("column `{0}` has a kind and a cell form that don't go together")]
    CellForm(String),
    /// Missing tokens are sorted by UTF-16 code units, unique, and few.
    #[error("the missing tokens of column `{0}` are not sorted, not unique, or too many")]
    Tokens(String),
    /// A unit without text.
    #[error("the unit of column `{0}` is empty")]
    Unit(String),
}

impl identity::Kind for RecipeBody {
    const TAG: &'static str = "import-recipe-v1";
}

impl identity::Body for RecipeBody {
    const ID_MEMBER: &'static str = "recipeId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = RecipeError;

    fn check(&self) -> Result<(), RecipeError> {
        if self.name.is_empty() {
            return Err(RecipeError::NoName);
        }
        if self.columns.is_empty() {
            return Err(RecipeError::NoColumns);
        }
        if self.csv.is_some() != (self.format == Format::Csv) {
            return Err(RecipeError::Structure);
        }
        if let Some(csv) = &self.csv {
            csv.check()?;
        }
        if self.links.is_some() != (self.format == Format::NodeLink) {
            return Err(RecipeError::Links);
        }
        if self.format.is_text() != self.encoding.is_some() {
            return Err(RecipeError::Encoding);
        }
        if (self.format == Format::Xlsx) != self.sheet.is_some() {
            return Err(RecipeError::Sheet);
        }
        let mut names = std::collections::BTreeSet::new();
        for (column_idx, column) in self.columns.iter().enumerate() {
            if column.name.is_empty() || !names.insert(column.name.as_str()) {
                return Err(RecipeError::ColumnName {
                    position: column_idx + 1,
                });
            }
            column.check()?;
        }
        match self.links.as_ref().and_then(|links| links.ends.as_deref()) {
            Some(ends) if !names.contains(ends) => return Err(RecipeError::Links),
            Some(_) | None => {}
        }
        match &self.key_column {
            Some(key) if !names.contains(key.as_str()) => Err(RecipeError::Key(key.clone())),
            Some(_) | None => Ok(()),
        }
    }
}

impl CsvStructure {
    pub(crate) fn new(delimiter: u8, quote: u8) -> Self {
        Self {
            delimiter: char::from(delimiter).to_string(),
            quote: char::from(quote).to_string(),
            header: None,
            skip_lines: None,
            decimal_mark: None,
            thousands: None,
        }
    }

    /// How numbers are written.
    pub(crate) fn style(&self) -> NumberStyle {
        let first = |text: &Option<String>| text.as_deref().and_then(|text| text.chars().next());
        NumberStyle {
            decimal: first(&self.decimal_mark).unwrap_or('.'),
            thousands: first(&self.thousands),
        }
    }

    /// Delimiter and quote as bytes, once they are known to be fit for it.
    pub(crate) fn bytes(&self) -> Result<(u8, u8), RecipeError> {
        let fit = |text: &str| match *text.as_bytes() {
            [byte @ (b'\t' | b' '..=b'~')] if !byte.is_ascii_alphanumeric() => Some(byte),
            _ => None,
        };
        match (fit(&self.delimiter), fit(&self.quote)) {
            (Some(delimiter), Some(quote)) if delimiter != quote => Ok((delimiter, quote)),
            _ => Err(RecipeError::Characters {
                delimiter: self.delimiter.clone(),
                quote: self.quote.clone(),
            }),
        }
    }

    fn check(&self) -> Result<(), RecipeError> {
        self.bytes()?;
        let many = |text: &Option<String>| text.as_ref().is_some_and(|text| text.chars().count() != 1);
        let style = self.style();
        let fault = if self.header == Some(Header::Present) {
            "header"
        } else if self.skip_lines == Some(0) {
            "skipLines"
        } else if many(&self.decimal_mark) || (self.decimal_mark.is_some() && style.decimal != ',') {
            "decimalMark"
        } else if many(&self.thousands) || style.fault().is_some() {
            "thousands"
        } else {
            return Ok(());
        };
        Err(RecipeError::Csv(fault))
    }
}

impl ColumnDecision {
    fn check(&self) -> Result<(), RecipeError> {
        let numeric = self.kind == ColumnKind::Numeric;
        if numeric == (self.cells == CellForm::Text) {
            return Err(RecipeError::CellForm(self.name.clone()));
        }
        let sorted = self
            .missing_tokens
            .windows(2)
            .all(|pair| utf16_cmp(&pair[0], &pair[1]).is_lt());
        if !sorted || self.missing_tokens.len() > MAX_TOKENS {
            return Err(RecipeError::Tokens(self.name.clone()));
        }
        if self
            .measurement
            .unit
            .as_ref()
            .is_some_and(|unit| unit.text.is_empty())
        {
            return Err(RecipeError::Unit(self.name.clone()));
        }
        Ok(())
    }
}

impl Measurement {
    pub(crate) fn of(model: &MeasurementModel) -> Self {
        Self {
            scale: model.scale,
            observation_structure: model.observation_structure,
            status: model.status,
            unit: model.unit.as_ref().map(|unit| MeasurementUnit {
                text: unit.text.clone(),
                system: unit.system,
                written: unit.written.clone(),
                status: unit.status,
            }),
            basis: model
                .basis
                .iter()
                .map(|basis| MeasurementBasis {
                    source: basis.source,
                    rationale: basis.rationale.clone(),
                })
                .collect(),
        }
    }

    pub(crate) fn model(&self) -> MeasurementModel {
        MeasurementModel {
            scale: self.scale,
            observation_structure: self.observation_structure,
            unit: self.unit.as_ref().map(|unit| Unit {
                text: unit.text.clone(),
                system: unit.system,
                written: unit.written.clone(),
                status: unit.status,
            }),
            status: self.status,
            basis: self
                .basis
                .iter()
                .map(|basis| Basis {
                    source: basis.source,
                    rationale: basis.rationale.clone(),
                })
                .collect(),
        }
    }
}
