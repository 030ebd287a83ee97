//! How the values of each column are distributed.

use identity::{Digest, Finite, SafeInteger};
use serde::{Deserialize, Serialize};

use super::Exclusion;

/// The request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DistributionRequest {
    /// Column names in the order asked for, NUMERIC or CATEGORICAL.
    pub columns: Vec<String>,
    /// What is asked about numbers, each once, in the order of [`DistributionPart::ALL`].
    pub parts: Vec<DistributionPart>,
    /// How many bins the histogram has.
    pub bins: BinRule,
    /// How far the kernel smooths.
    pub bandwidth: BandwidthRule,
    /// Points at which the density is estimated.
    pub points: SafeInteger,
    /// Level of the band and of the intervals of shares, in `(0, 1)`.
    pub confidence_level: Finite,
}

/// A description of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DistributionPart {
    /// Counts by bins.
    Histogram,
    /// The empirical distribution function.
    DistributionFunction,
    /// A kernel density estimate.
    KernelDensity,
}

impl DistributionPart {
    /// Every part, in the order of requests.
    pub const ALL: [Self; 3] = [Self::Histogram, Self::DistributionFunction, Self::KernelDensity];
}

/// How an axis is cut into bins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "camelCase", deny_unknown_fields)]
pub enum BinRule {
    /// Twice the interquartile range over the cube root of n (Freedman and Diaconis 1981).
    FreedmanDiaconis {},
    /// About 3.49 standard deviations over the cube root of n (Scott 1979).
    Scott {},
    /// `1 + log2 n` bins (Sturges 1926).
    Sturges {},
    /// `√n` bins.
    SquareRoot {},
    /// So many.
    Number {
        /// How many.
        bins: SafeInteger,
    },
    /// So wide, from a multiple of the width.
    Width {
        /// In the column's unit.
        width: Finite,
    },
}

/// How far a kernel smooths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "camelCase", deny_unknown_fields)]
pub enum BandwidthRule {
    /// `0.9 · min(s, IQR/1.34) · n^(−1/5)` (Silverman 1986, 3.31).
    Silverman {},
    /// `s · n^(−1/5)` (Scott 1992, 6.42).
    Scott {},
    /// So far.
    Stated {
        /// Standard deviation of the kernel, in the column's unit.
        bandwidth: Finite,
    },
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DistributionContent {
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows with a value in at least one column.
    pub rows_used: SafeInteger,
    /// The other rows.
    pub excluded: Vec<Exclusion>,
    /// One record a column, in request order.
    pub columns: Vec<ColumnDistribution>,
    /// Digest of the leaf's bytes (`kernels::leaf`): one row a bin or level.
    pub leaf: Digest,
}

/// How the values of one column are distributed; what does not exist or was not asked for is absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ColumnDistribution {
    /// Column name.
    pub column: String,
    /// Values used.
    pub count: SafeInteger,
    /// Cells without a value.
    pub missing: SafeInteger,
    /// Third standardized moment, `n` in the denominators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skewness: Option<Finite>,
    /// Fourth standardized moment less 3, `n` in the denominators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excess_kurtosis: Option<Finite>,
    /// Counts by bins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub histogram: Option<Histogram>,
    /// The empirical distribution function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution_function: Option<DistributionFunction>,
    /// A kernel density estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel_density: Option<KernelDensity>,
    /// Counts by category, of a CATEGORICAL column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<LevelShare>>,
}

/// Counts of values by bins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Histogram {
    /// The rule that was used; another than asked for where that one gives nothing.
    pub rule: String,
    /// Width of each bin, up to the rounding of the edges, in the column's unit.
    pub width: Finite,
    /// Ends of the bins, increasing strictly, one more than bins. A bin takes its lower end and not its upper one; the
    /// last takes both.
    pub edges: Vec<Finite>,
    /// Values in each bin; they add up to the column's count.
    pub counts: Vec<SafeInteger>,
}

/// The empirical distribution function at values of the column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DistributionFunction {
    /// Whether every step is listed; otherwise the function is exact at each listed value and between its neighbors'
    /// elsewhere.
    pub complete: bool,
    /// Values that occur, increasing strictly.
    pub values: Vec<Finite>,
    /// How many values are at most so great.
    pub at_or_below: Vec<SafeInteger>,
    /// Half the width of the band in which the whole distribution function lies, as a share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<Finite>,
}

/// A kernel density estimate on a regular grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KernelDensity {
    /// The rule that was used; another than asked for where that one gives nothing.
    pub rule: String,
    /// Standard deviation of the normal kernel, in the column's unit.
    pub bandwidth: Finite,
    /// First point, three bandwidths below the least value.
    pub from: Finite,
    /// Last point, three bandwidths above the greatest value.
    pub to: Finite,
    /// The estimate at equally spaced points, per unit of the column.
    pub density: Vec<Finite>,
    /// No estimate is farther than this from the sum over all values.
    pub error_bound: Finite,
    /// How many peaks the estimate has on the grid.
    pub modes: SafeInteger,
}

/// How often a category occurs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LevelShare {
    /// The category.
    pub level: String,
    /// How many rows have it.
    pub count: SafeInteger,
    /// Of the rows with a value.
    pub share: Finite,
    /// Lower end of the share's interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<Finite>,
    /// Upper end of the share's interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<Finite>,
}
