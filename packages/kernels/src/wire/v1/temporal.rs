//! A series in the order of time.

use identity::{Digest, Finite, SafeInteger};
use serde::{Deserialize, Serialize};

use super::{Exclusion, Interval, Test};

/// The request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TemporalRequest {
    /// Column names in the order asked for; all but the time are series of numbers.
    pub columns: Vec<String>,
    /// The column that tells the time.
    pub time: String,
    /// The unit of a time that is a number, as a UCUM code, where the column states none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_unit: Option<String>,
    /// The unit of time that slopes are per, as a UCUM code; days for dates and the time's own unit for numbers if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per: Option<String>,
    /// A step counts as a gap when it is longer than so many median steps.
    pub gap_factor: Finite,
    /// Confidence level of every interval, in `(0, 1)`.
    pub confidence_level: Finite,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TemporalContent {
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows used.
    pub rows_used: SafeInteger,
    /// Rows left out, by reason.
    pub excluded: Vec<Exclusion>,
    /// Digest of the leaf's bytes (`kernels::leaf`): time and series in the order of time, then of row keys.
    pub leaf: Digest,
    /// The column that tells the time.
    pub time: String,
    /// The unit of the leaf's times, as a UCUM code.
    pub time_unit: String,
    /// What the leaf's times count from: `utc` and `local` from the beginning of 1970, `asRecorded` as the column does.
    pub origin: String,
    /// The first time.
    pub start: Finite,
    /// The last time.
    pub end: Finite,
    /// Rows that share their time with the row before.
    pub tied: SafeInteger,
    /// Median of the steps between times; absent when there is one time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_step: Option<Finite>,
    /// Steps that are longer than the request's factor allows.
    pub gap_count: SafeInteger,
    /// The first of them, at most 1,000, in the order of time.
    pub gaps: Vec<Gap>,
    /// The trend of each series, in the order of the request.
    pub trends: Vec<Trend>,
}

/// A step that is longer than others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Gap {
    /// Key of the last row before it.
    pub after: String,
    /// Key of the first row behind it.
    pub before: String,
    /// Its length in the unit of the times.
    pub step: Finite,
}

/// The trend of one series; what does not exist is absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Trend {
    /// The series.
    pub column: String,
    /// The unit of time that the slopes are per, as a UCUM code.
    pub per: String,
    /// Median of the slopes between all pairs of times (Theil and Sen).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slope: Option<Finite>,
    /// Its confidence interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// Kendall's tau-b of time and value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kendall_tau: Option<Finite>,
    /// The Mann-Kendall test that there is no trend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// Slope of the least squares line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_slope: Option<Finite>,
    /// Its standard error for independent values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_standard_error: Option<Finite>,
    /// Correlation of neighbors in time about the least squares line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autocorrelation: Option<Finite>,
}
