//! Statistics and row projections.

use identity::{Finite, SafeInteger};
use serde::{Deserialize, Serialize};

/// Descriptive statistics of one column; a quantity that does not exist is absent, never zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ColumnStatistics {
    /// Column name.
    pub column: String,
    /// Values used.
    pub count: SafeInteger,
    /// Cells without a value.
    pub missing: SafeInteger,
    /// Arithmetic mean, in the column's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<Finite>,
    /// Confidence interval of the mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_interval: Option<Interval>,
    /// Sample standard deviation, `n - 1` in the denominator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_deviation: Option<Finite>,
    /// Smallest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Finite>,
    /// Largest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Finite>,
    /// Type 7 quantiles in request order.
    pub quantiles: Vec<Quantile>,
}

/// An interval with its method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Interval {
    /// Lower end.
    pub lower: Finite,
    /// Upper end.
    pub upper: Finite,
    /// Confidence level in `(0, 1)`.
    pub level: Finite,
    /// Method name, such as `student-t`.
    pub method: String,
}

/// One quantile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Quantile {
    /// Probability in `[0, 1]`.
    pub probability: Finite,
    /// Value in the column's unit.
    pub value: Finite,
}

/// A column of the projection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProjectedColumn {
    /// Column name.
    pub name: String,
    /// `NUMERIC` or `CATEGORICAL`.
    pub kind: String,
    /// Unit text where one is known or inferred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Categories in the order of their codes; absent for numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub categories: Option<Vec<String>>,
}
