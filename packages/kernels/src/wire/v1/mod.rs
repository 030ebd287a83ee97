//! Version 1.

pub mod cluster;
pub mod density;
pub mod dependency;
pub mod distribution;
pub mod graph;
pub mod projection;
mod receipt;
mod statistics;
pub mod temporal;

use identity::{Digest, Finite, SafeInteger};
use serde::{Deserialize, Serialize};

pub use cluster::{ClusterContent, ClusterGroup, ClusterMethod, ClusterRequest, Standardize};
pub use density::{DensityContent, DensityRequest};
pub use dependency::{
    Coefficient, Correlation, DependencyClaim, DependencyContent, DependencyRequest, GroupMean, Influence,
    Regression, Test, VarianceAnalysis,
};
pub use distribution::{DistributionContent, DistributionRequest};
pub use graph::{GraphContent, GraphRequest};
pub use projection::{Component, ProjectionContent, ProjectionRequest};
pub use receipt::*;
pub use statistics::*;
pub use temporal::{Gap, TemporalContent, TemporalRequest, Trend};

/// An exact analytical request; its canonical digest is the request's identity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "family",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Request {
    /// Descriptive statistics of numeric columns.
    Statistics {
        /// Column names in the order asked for.
        columns: Vec<String>,
        /// Probabilities for type 7 quantiles, strictly increasing in `[0, 1]`.
        quantiles: Vec<Finite>,
        /// Confidence level of the interval of the mean, in `(0, 1)`.
        confidence_level: Finite,
    },
    /// Governed row projection: complete cases of the chosen columns, by row key.
    Rows {
        /// Column names in the order asked for.
        columns: Vec<String>,
    },
    /// See [`distribution`].
    Distribution(DistributionRequest),
    /// See [`dependency`].
    Dependency(DependencyRequest),
    /// See [`density`].
    Density(DensityRequest),
    /// See [`cluster`].
    Cluster(ClusterRequest),
    /// See [`graph`].
    Graph(GraphRequest),
    /// See [`temporal`].
    Temporal(TemporalRequest),
    /// See [`projection`].
    Projection(ProjectionRequest),
}

/// A kernel's answer: the small JSON part; bulk values live in a leaf named by digest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "family",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Content {
    /// One record a column, in request order.
    Statistics {
        /// The records.
        columns: Vec<ColumnStatistics>,
    },
    /// The projection's shape; the values are in the leaf.
    Rows {
        /// Columns of the leaf in order.
        columns: Vec<ProjectedColumn>,
        /// Rows in the dataset.
        total_rows: SafeInteger,
        /// Rows in the leaf.
        rows_used: SafeInteger,
        /// Rows left out, by reason; the counts add up to `totalRows - rowsUsed`.
        excluded: Vec<Exclusion>,
        /// Digest of the leaf's bytes (`kernels::leaf`).
        leaf: Digest,
    },
    /// See [`distribution`].
    Distribution(DistributionContent),
    /// See [`dependency`].
    Dependency(DependencyContent),
    /// See [`density`].
    Density(DensityContent),
    /// See [`cluster`].
    Cluster(ClusterContent),
    /// See [`graph`].
    Graph(Box<GraphContent>),
    /// See [`temporal`].
    Temporal(TemporalContent),
    /// See [`projection`].
    Projection(ProjectionContent),
}

/// Rows left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Exclusion {
    /// Such as `missing`.
    pub reason: String,
    /// The columns that caused it, declared order.
    pub columns: Vec<String>,
    /// How many rows.
    pub row_count: SafeInteger,
}
