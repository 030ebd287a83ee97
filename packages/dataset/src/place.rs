//! Places in a source, as people find them.

use std::fmt;

/// Where in the source something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A CSV record.
    Line {
        /// The line of the file where the record begins, from 1.
        line: u64,
        /// The data row, from 1; 0 is the header.
        row: usize,
    },
    /// A place in JSON.
    Pointer {
        /// RFC 6901 pointer.
        pointer: String,
        /// Byte offset from the start of the file, a byte order mark included.
        offset: usize,
    },
    /// A row of a file that holds columns.
    Row {
        /// The row, from 1.
        row: usize,
    },
    /// A cell of a spreadsheet.
    Cell {
        /// The sheet.
        sheet: String,
        /// Column letters and row number, as the spreadsheet shows them.
        cell: String,
    },
    /// A byte offset from the start of the file.
    Offset(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line, row: 0 } => write!(f, "line {line} (the header)"),
            Self::Line { line, row } => write!(f, "line {line} (row {row})"),
            Self::Pointer { pointer, offset } => write!(f, "`{pointer}` (byte {offset})"),
            Self::Row { row } => write!(f, "row {row}"),
            Self::Cell { sheet, cell } => write!(f, "cell {cell} of sheet `{sheet}`"),
            Self::Offset(offset) => write!(f, "byte {offset}"),
        }
    }
}
