//! How densely cells of a space of columns are filled.

use identity::{Digest, Finite, SafeInteger};
use serde::{Deserialize, Serialize};

use super::Exclusion;
use super::distribution::BinRule;

/// The request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DensityRequest {
    /// Two or three NUMERIC columns, in the order of the axes.
    pub columns: Vec<String>,
    /// How each axis is cut into bins, in the order of the columns.
    pub bins: Vec<BinRule>,
    /// Level of the interval of each cell's share, in `(0, 1)`.
    pub confidence_level: Finite,
}

/// The answer; the cells that hold a row are in the leaf, by `cell:i,j` or `cell:i,j,k`, counted from 0 along the axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DensityContent {
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows with a value on every axis.
    pub rows_used: SafeInteger,
    /// Rows left out, by reason.
    pub excluded: Vec<Exclusion>,
    /// The axes in request order.
    pub axes: Vec<DensityAxis>,
    /// Cells that hold at least one row.
    pub occupied_cells: SafeInteger,
    /// The cell with most rows, the first in the order of the axes among equals.
    pub fullest_cell: String,
    /// Digest of the leaf's bytes (`kernels::leaf`).
    pub leaf: Digest,
}

/// One axis, cut into bins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DensityAxis {
    /// Column name.
    pub column: String,
    /// Unit text where one is known or inferred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The rule that was used; another than asked for where that one gives nothing.
    pub rule: String,
    /// Width of each bin, up to the rounding of the edges, in the column's unit.
    pub width: Finite,
    /// Ends of the bins, increasing strictly, one more than bins. A bin takes its lower end and not its upper one; the
    /// last takes both.
    pub edges: Vec<Finite>,
    /// Rows in each bin, whatever the other axes.
    pub counts: Vec<SafeInteger>,
}
