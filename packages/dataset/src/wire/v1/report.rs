//! The import report that `--json` prints; written, never read back.

use serde::Serialize;

use super::recipe::{CsvStructure, Measurement};
use crate::column::{CellForm, ColumnKind};
use crate::options::{Compression, Encoding, Format};
use crate::report::NoteCode;
use crate::words;

/// What an import found and decided.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportBody {
    /// The dataset's name.
    pub name: String,
    /// The dataset's identity, `sha256-canonical-dataset-v1`.
    pub fingerprint: String,
    /// The recipe's identity.
    pub recipe_id: String,
    /// The source's format.
    #[serde(serialize_with = "words::serialize")]
    pub format: Format,
    /// The source's encoding; null for formats that are no text.
    #[serde(serialize_with = "words::option::serialize")]
    pub encoding: Option<Encoding>,
    /// What was packed around the source; null for nothing.
    #[serde(serialize_with = "words::option::serialize")]
    pub compression: Option<Compression>,
    /// The sheet that was read; null for formats without sheets.
    pub sheet: Option<String>,
    /// How the CSV is structured; null for other formats.
    pub csv: Option<CsvStructure>,
    /// The links of a graph; null for tables.
    pub graph: Option<GraphSummary>,
    /// What was stated about the whole file, by the names of the flags; the rest was detected or is as always.
    pub stated: Vec<String>,
    /// The key column; null when rows are numbered.
    pub key_column: Option<String>,
    /// Data rows.
    pub n_rows: usize,
    /// The columns in declared order.
    pub columns: Vec<ColumnSummary>,
    /// What is odd about the file as a whole.
    pub notes: Vec<NoteText>,
}

/// What an import found and decided about a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ColumnSummary {
    /// Its name.
    pub name: String,
    /// Its kind.
    #[serde(serialize_with = "words::serialize")]
    pub kind: ColumnKind,
    /// How its cells are held.
    #[serde(serialize_with = "words::serialize")]
    pub cells: CellForm,
    /// Why it has this kind.
    pub why: String,
    /// What its values mean.
    pub measurement: Measurement,
    /// Rows with a value.
    pub n_values: usize,
    /// Rows without one.
    pub n_missing: usize,
    /// Of these, JSON null.
    pub n_null: usize,
    /// Of these, rows that lack the member.
    pub n_absent: usize,
    /// Of these, missing tokens.
    pub missing_tokens: Vec<CountedToken>,
    /// Distinct values.
    pub n_distinct: usize,
    /// The least number; null for other kinds.
    pub min: Option<f64>,
    /// The greatest number; null for other kinds.
    pub max: Option<f64>,
    /// The earliest date; null for other kinds.
    pub first: Option<String>,
    /// The latest date; null for other kinds.
    pub last: Option<String>,
    /// What is odd about it.
    pub notes: Vec<NoteText>,
}

/// The links of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GraphSummary {
    /// How many links.
    pub n_links: usize,
    /// The column that ends name; null when they are places in the list of nodes.
    pub ends: Option<String>,
    /// Whether links have a direction; null when the file does not say.
    pub directed: Option<bool>,
    /// Whether two nodes may be linked more than once; null when the file does not say.
    pub multigraph: Option<bool>,
    /// What links state beside their ends, in UTF-16 order.
    pub members: Vec<String>,
}

/// A missing token and how often it occurs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CountedToken {
    /// The text.
    pub token: String,
    /// How many cells hold it.
    pub count: usize,
}

/// Something odd.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteText {
    /// Which kind of oddity.
    #[serde(serialize_with = "words::serialize")]
    pub code: NoteCode,
    /// In a sentence.
    pub text: String,
}
