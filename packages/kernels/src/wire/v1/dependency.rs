//! How columns depend on each other.

use identity::{Digest, Finite, SafeInteger};
use serde::{Deserialize, Serialize};

use super::{Exclusion, Interval};

/// The request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DependencyRequest {
    /// Column names in the order asked for.
    pub columns: Vec<String>,
    /// Those of the columns that name groups; the others are numbers.
    pub groups: Vec<String>,
    /// What is asked, each once.
    pub claims: Vec<DependencyClaim>,
    /// The column that a regression explains by the other numbers; there exactly when a regression is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// Confidence level of every interval, in `(0, 1)`.
    pub confidence_level: Finite,
}

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DependencyClaim {
    /// Pearson's correlation of every pair of numbers.
    Pearson,
    /// Spearman's rank correlation of every pair of numbers.
    Spearman,
    /// Linear regression of one column of numbers on the others, with intercept.
    Regression,
    /// One-way analysis of variance of every column of numbers by every column of groups.
    Anova,
}

/// The answer. Every claim rests on the same rows: those with a value in all columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DependencyContent {
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows used.
    pub rows_used: SafeInteger,
    /// Rows left out, by reason.
    pub excluded: Vec<Exclusion>,
    /// Correlations, by pair in the order of the request.
    pub correlations: Vec<Correlation>,
    /// The regression, if asked.
    pub regressions: Vec<Regression>,
    /// Analyses of variance, by response and group column in the order of the request.
    pub variances: Vec<VarianceAnalysis>,
    /// Digest of the leaf's bytes (`kernels::leaf`): one row a claim that has an estimate.
    pub leaf: Digest,
}

/// The correlation of two columns; what does not exist is absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Correlation {
    /// `pearson` or `spearman`.
    pub claim: DependencyClaim,
    /// The first column of the pair.
    pub first: String,
    /// The second.
    pub second: String,
    /// The coefficient, from −1 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coefficient: Option<Finite>,
    /// Its confidence interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The test that it is zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// The row without which the coefficient changes most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub influence: Option<Influence>,
}

/// A test statistic with its degrees of freedom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Test {
    /// Such as `student-t` or `f`.
    pub name: String,
    /// The statistic.
    pub statistic: Finite,
    /// Degrees of freedom, numerator first.
    pub degrees: Vec<SafeInteger>,
    /// The probability of a statistic at least as far out, were the tested effect zero and every assumption true.
    pub p_value: Finite,
}

/// The row that a quantity depends on most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Influence {
    /// Key of the row.
    pub row: String,
    /// Which quantity.
    pub quantity: String,
    /// The quantity without the row; absent when it does not exist then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<Finite>,
}

/// A linear regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Regression {
    /// The column that is explained.
    pub response: String,
    /// The intercept.
    pub intercept: Coefficient,
    /// One slope a predictor, in the order of the request.
    pub slopes: Vec<Coefficient>,
    /// Residual standard deviation, in the response's unit.
    pub residual_standard_deviation: Finite,
    /// Residual degrees of freedom.
    pub residual_degrees: SafeInteger,
    /// Share of the response's sum of squares that the fit explains.
    pub r_squared: Finite,
    /// The F test that all slopes are zero; absent for a perfect fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// Condition number of the standardized predictors.
    pub condition_number: Finite,
    /// The row without which a slope changes most, in standard errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub influence: Option<Influence>,
}

/// One coefficient of a regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Coefficient {
    /// The predictor, or `intercept`.
    pub term: String,
    /// The estimate.
    pub estimate: Finite,
    /// Its standard error.
    pub standard_error: Finite,
    /// Its confidence interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The test that it is zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
}

/// A one-way analysis of variance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VarianceAnalysis {
    /// The column of numbers.
    pub response: String,
    /// The column of groups.
    pub group: String,
    /// Sum of squares between groups.
    pub between_sum_of_squares: Finite,
    /// Degrees of freedom between groups.
    pub between_degrees: SafeInteger,
    /// Sum of squares within groups.
    pub within_sum_of_squares: Finite,
    /// Degrees of freedom within groups.
    pub within_degrees: SafeInteger,
    /// Standard deviation within groups, in the response's unit.
    pub within_standard_deviation: Finite,
    /// Share of the sum of squares that lies between groups; absent when all values are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eta_squared: Option<Finite>,
    /// The F test that all groups have one mean; absent when no group spreads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// The groups, by name in UTF-16 order.
    pub groups: Vec<GroupMean>,
    /// The row without which eta squared changes most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub influence: Option<Influence>,
}

/// One group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupMean {
    /// The group's name.
    pub name: String,
    /// Rows in it.
    pub count: SafeInteger,
    /// Their mean, in the response's unit.
    pub mean: Finite,
    /// Its confidence interval, by the standard deviation within all groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}
