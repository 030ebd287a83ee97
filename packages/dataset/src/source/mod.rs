//! Sources: bytes of a known format become rows of raw cells, without a word about what the cells mean.

pub(crate) mod csv_rows;
pub(crate) mod json_rows;
pub(crate) mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;

use crate::error::{ImportError, Place};
use crate::limits::{Bound, Limits};

/// A cell as the source writes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RawCell<'a> {
    /// A CSV field: text that may stand for anything.
    Field(&'a str),
    /// A JSON string: text that its author calls text.
    String(Cow<'a, str>),
    /// A JSON number, as written.
    Number(&'a str),
    /// A JSON boolean.
    Bool(bool),
    /// JSON null.
    Null,
    /// No such member in this row.
    Absent,
}

impl RawCell<'_> {
    /// The cell's text; `None` for null and absent.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Field(text) | Self::Number(text) => Some(text),
            Self::String(text) => Some(text),
            Self::Bool(true) => Some("true"),
            Self::Bool(false) => Some("false"),
            Self::Null | Self::Absent => None,
        }
    }
}

/// Where a row stands; cheap to make for every row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPlace {
    /// The data row, from 1.
    pub(crate) row: usize,
    /// CSV: the line where the record begins. JSON: 0.
    pub(crate) line: u64,
    /// Byte offset where the row begins.
    pub(crate) offset: usize,
}

impl RowPlace {
    /// The place of one cell, for messages.
    pub(crate) fn of(self, column: &str) -> Place {
        if self.line > 0 {
            return Place::Line {
                line: self.line,
                row: self.row,
            };
        }
        Place::Pointer {
            pointer: format!("/{}/{}", self.row - 1, escape_pointer(column)),
            offset: self.offset,
        }
    }
}

/// A reference token of RFC 6901.
pub(crate) fn escape_pointer(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// What takes the rows of a source, one after the other.
pub(crate) trait RowSink {
    /// Takes one row; `cells` has one cell for each column.
    fn row(&mut self, place: RowPlace, cells: &[RawCell<'_>]) -> Result<(), ImportError>;
}

/// Refuses empty and repeated names; names equal in normal form C count as repeated.
pub(crate) fn check_names(
    names: &[String],
    limits: &Limits,
    place: &dyn Fn(usize) -> Place,
) -> Result<(), ImportError> {
    if names.len() > limits.max_columns {
        return Err(ImportError::Limit {
            bound: Bound::Columns,
            limit: limits.max_columns,
            place: Some(place(limits.max_columns)),
        });
    }
    let mut positions = BTreeMap::new();
    for (name_idx, name) in names.iter().enumerate() {
        if name.is_empty() {
            return Err(ImportError::EmptyColumnName {
                position: name_idx + 1,
                place: place(name_idx),
            });
        }
        if name.len() > limits.max_cell_bytes {
            return Err(ImportError::Limit {
                bound: Bound::CellBytes,
                limit: limits.max_cell_bytes,
                place: Some(place(name_idx)),
            });
        }
        let normal: String = name.nfc().collect();
        if let Some(first) = positions.insert(normal, name_idx) {
            return Err(ImportError::DuplicateColumn {
                name: name.clone(),
                first: first + 1,
                second: name_idx + 1,
            });
        }
    }
    Ok(())
}

/// Checks the row and cell counts before a row is taken.
pub(crate) fn check_counts(
    row: usize,
    n_columns: usize,
    limits: &Limits,
    place: Place,
) -> Result<(), ImportError> {
    let (bound, limit) = if row > limits.max_rows {
        (Bound::Rows, limits.max_rows)
    } else if row.saturating_mul(n_columns) > limits.max_cells {
        (Bound::Cells, limits.max_cells)
    } else {
        return Ok(());
    };
    Err(ImportError::Limit {
        bound,
        limit,
        place: Some(place),
    })
}
