//! Bounds on what an import may take in.

use std::fmt;

/// The bounds of an import; passing one is a typed error that says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole file, and of what it decompresses to.
    pub max_bytes: usize,
    /// Data rows, the header not counted.
    pub max_rows: usize,
    /// Columns.
    pub max_columns: usize,
    /// Cells: rows times columns.
    pub max_cells: usize,
    /// Bytes of one cell or one column name.
    pub max_cell_bytes: usize,
}

impl Limits {
    /// 2 GiB, 20 million rows, 4,096 columns, 400 million cells, 1 MiB a cell.
    pub const DEFAULT: Self = Self {
        max_bytes: 2 << 30,
        max_rows: 20_000_000,
        max_columns: 4_096,
        max_cells: 400_000_000,
        max_cell_bytes: 1 << 20,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Which bound was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// [`Limits::max_bytes`].
    Bytes,
    /// [`Limits::max_bytes`], of what the file decompresses to.
    Decompressed,
    /// [`Limits::max_rows`].
    Rows,
    /// [`Limits::max_columns`].
    Columns,
    /// [`Limits::max_cells`].
    Cells,
    /// [`Limits::max_cell_bytes`].
    CellBytes,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "bytes in the file",
            Self::Decompressed => "bytes once decompressed",
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Cells => "cells",
            Self::CellBytes => "bytes in one cell",
        })
    }
}
