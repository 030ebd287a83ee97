//! Orthogonal directions of the greatest variance.

use identity::{Digest, Finite, SafeInteger};
use serde::{Deserialize, Serialize};

use super::{Exclusion, Interval, Standardize};

/// The request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProjectionRequest {
    /// Column names in the order asked for.
    pub columns: Vec<String>,
    /// How many components are told.
    pub components: SafeInteger,
    /// Absent for the rule: `zscore` unless all columns have one unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standardize: Option<Standardize>,
    /// Confidence level of the intervals, in `(0, 1)`.
    pub level: Finite,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProjectionContent {
    /// Columns of the space.
    pub columns: Vec<String>,
    /// How the columns were put on one scale: `none` for components of the covariance, `zscore` of the correlation.
    pub standardize: Standardize,
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows used.
    pub rows_used: SafeInteger,
    /// Rows left out, by reason.
    pub excluded: Vec<Exclusion>,
    /// Mean of each column, in its unit: where all scores are zero.
    pub means: Vec<Finite>,
    /// Sample standard deviation of each column, in its unit; absent when columns are as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_deviations: Option<Vec<Finite>>,
    /// The components that are told, by falling variance.
    pub components: Vec<Component>,
    /// The variance of all components, told or not.
    pub total_variance: Finite,
    /// The share of the told components in it.
    pub explained_ratio: Finite,
    /// Greatest deviation of the directions from orthonormal ones.
    pub orthogonality_residual: Finite,
    /// Greatest deviation of the matrix made again from all components, relative to its greatest entry.
    pub reconstruction_residual: Finite,
    /// Digest of the leaf's bytes (`kernels::leaf`).
    pub leaf: Digest,
}

/// One component.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Component {
    /// `pc1`, `pc2` and so on.
    pub label: String,
    /// Variance of the scores.
    pub variance: Finite,
    /// Its confidence interval; absent where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variance_interval: Option<Interval>,
    /// Its share in the total variance.
    pub variance_ratio: Finite,
    /// Its confidence interval; absent where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variance_ratio_interval: Option<Interval>,
    /// The unit direction, one number a column; the one of the greatest magnitude is positive.
    pub loadings: Vec<Finite>,
}
