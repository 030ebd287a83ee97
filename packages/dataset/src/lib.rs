//! Datasets: typed columns with missing values, what they measure, who the rows are, and how bytes become all that.
//!
//! **Never** knows a question, an analysis, a screen, a locale or a file system: it takes bytes, computes no statistic
//! beyond counts, ranges and the fences of the import report, and repairs nothing in silence.
//!
//! # From bytes to a dataset
//! [`import`] reads every format of [`Format`], packed with gzip or not. It detects and infers what nobody stated, by the
//! rules in the sections below, and puts every decision into a [`Recipe`]; [`reimport`] gives the same [`Dataset`] from the
//! same bytes and the recipe, inferring nothing. [`import_with`] tells how far it is and can be stopped. What the [`ImportReport`] shows as detected, [`ImportOptions`] can state.
//!
//! # Text
//! A byte order mark is taken at its word; without one, text is UTF-8 or in the encoding that is stated, and decoding is
//! strict. Bytes that are not UTF-8 are refused where nothing is stated, with what the place would say in likely
//! encodings. Delimiter, decimal comma and header of a CSV are detected where nothing speaks against it, and a line that
//! may be names or a row is asked about; marks between thousands are read only when declared. Offsets in messages count
//! the bytes of the file, or of its text in UTF-8 when it is packed or in another encoding.
//!
//! # Files of columns
//! Parquet and Arrow IPC say what is a number, a text or a date, and are taken at their word; dates and times become
//! ISO 8601 text, so that a CSV of the same content has the same identity. NaN is the missing token `NaN`; an infinity is
//! refused unless declared missing. Nested columns are refused by name. Of a workbook (feature `xlsx`), one sheet is read:
//! a row of names and the rows under it; error cells, merged cells and values beside the table are refused by cell.
//! Whatever a file promises is checked against the file and the [`Limits`] before it is believed.
//!
//! # Graphs
//! A JSON graph gives its nodes as rows and its links as [`Edges`], each end resolved to a row ([`Edges::rows`]).
//!
//! # Cells
//! A cell is a number, an exact integer, a text, or missing in one of three ways that stay apart: JSON null, a member
//! that is absent, or a text that stands for "no value" ([`Missing`]). Numbers are finite doubles or integers within
//! ±(2^53−1). [`Column::number`] answers [`Measured`], never NaN.
//!
//! # Kinds
//! No value: UNKNOWN. All numbers: NUMERIC, unless a leading zero, an integer beyond ±(2^53−1), a number beyond doubles or
//! a plus sign on every integer shows that they identify: TEXT. Some numbers and some not: TEXT. All ISO 8601 dates:
//! TEMPORAL. At most 12 distinct texts, or at most 1,000 that occur four times on average: CATEGORICAL. Else TEXT.
//! A TEMPORAL column holds one text for one instant, whatever the file: `2024-05-31 09:30` and `2024-05-31T09:30:00.000`
//! are `2024-05-31T09:30:00`. Its offset stays as written, but that of zero is `Z`; a day is a day and not its midnight.
//!
//! # Rows
//! A row's key is the text in the declared key column, or `row:N` with N its place in the import from 1. It is no part
//! of the dataset's identity.
//!
//! # Identity
//! [`Dataset::fingerprint`] is `sha256-canonical-dataset-v1`: the SHA-256 of the canonical JSON (RFC 8785) of columns
//! (name and kind), edges if there are any, name, and rows. All three ways of missing are `null` in it, and 1 equals
//! 1.0; recipe and columns keep those differences. Every format of the same content has the same fingerprint.

mod build;
mod column;
mod dataset;
mod decide;
mod declare;
mod edges;
mod encoding;
mod error;
mod fingerprint;
mod held;
mod import;
mod limits;
mod literal;
mod lookalikes;
mod measure;
mod oddities;
mod options;
mod page;
mod place;
mod progress;
mod report;
mod source;
mod style;
mod survey;
#[cfg(test)]
mod tests;
mod units;
pub mod wire;
mod words;

pub use column::{
    CellForm, CellRef, Column, ColumnKind, Measured, Missing, MissingReason, Numbers, RefusedReason,
};
pub use dataset::{Dataset, RowKey};
pub use edges::{EdgeError, Edges};
pub use error::{ImportError, Place, QuotingFault, Suggestion};
pub use import::{Imported, import, import_with, reimport, reimport_within};
pub use limits::{Bound, Limits};
pub use measure::{
    Basis, BasisSource, MeasurementModel, ObservationStructure, Scale, Status, Unit, UnitSystem,
};
pub use options::{Compression, Declaration, Encoding, Ends, Format, Header, ImportOptions};
pub use progress::{Listener, Phase, Progress};
pub use report::{ImportReport, Note, NoteCode};
pub use words::Word;

/// Everything that was decided about an import, under its identity `import-recipe-v1`. It names no bytes: whoever keeps
/// both binds them.
pub type Recipe = identity::Sealed<wire::v1::RecipeBody>;
