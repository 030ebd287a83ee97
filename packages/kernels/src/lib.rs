//! Deterministic analyses: the only place where a number is computed from data.
//!
//! **Never** knows what a number is for: no purpose, picture, policy, screen or file.
//!
//! # Families
//! | family | answers | receipt | bulk values |
//! |---|---|---|---|
//! | `statistics` | count, missing, mean with interval, standard deviation, extremes, type 7 quantiles of NUMERIC columns | `descriptive:<column>` each | none |
//! | `cluster` | groups of rows that lie together: HDBSCAN, DBSCAN, k-means, with their stability | `cluster:<method>:<a>,<b>,…` | a [`leaf`] |
//! | `projection` | principal components of NUMERIC columns: explained variance, loadings, scores | `projection:<a>,<b>,…` | a [`leaf`] |
//! | `dependency` | correlations of pairs, linear regression, one-way analysis of variance | `dependency:<claim>` each | a [`leaf`] |
//! | `temporal` | rows in the order of time, gaps, trends with interval | `temporal:<claim>` each | a [`leaf`] |
//! | `distribution` | histograms, densities, counts of categories and intervals of proportions | `distribution:<column>` each | a [`leaf`] |
//! | `density` | counts of rows in the cells of two or three columns | `density:<a>,<b>` | a [`leaf`] |
//! | `graph` | nodes and links: components, centrality, communities, a layout that is none | `graph:structure`, `graph:communities`, `graph:layout` | a [`leaf`] of nodes, another of links |
//! | `rows` | the complete cases of NUMERIC and CATEGORICAL columns, by row key | `rows:<a>,<b>,…` | a [`leaf`] |
//!
//! [`analyze`] answers one request; [`bundle`] puts the receipts of several together. Sums are exact, so statistics have
//! the same bytes for every order of the rows; mean and standard deviation are within one unit in the last place of the
//! true values for the doubles at hand, and the interval's quantile has a relative error below 3e-14. What does not
//! exist (the spread of one value, the mean of identifiers) is absent, and a [`Limitation`] says why.

mod analysis;
mod beta;
mod binning;
mod bundle;
mod cases;
mod compensated;
mod error;
mod exact;
mod family;
mod gram;
mod in_leaf;
mod kde;
pub mod leaf;
mod limitation;
mod output;
mod partial;
mod port;
mod receipt;
mod rows;
mod settings;
mod shape;
mod solve;
mod student;
mod summary;
mod told;
mod watch;
mod wilson;
pub mod wire;

pub use analysis::{Analysis, Provenance, analyze, analyze_with};
pub use bundle::{ROWS_CONSUMER, STATISTICS_CONSUMER, bundle};
pub use error::KernelError;
pub use family::rows::ROWS_METHOD;
pub use family::statistics::{MAX_QUANTILES, METHOD_VERSION, STATISTICS_METHOD, quantile_path};
pub use family::{FAMILIES, Family, MAX_COLUMNS, ROWS, STATISTICS, family, request, request_about, slots};
pub use in_leaf::{InLeaf, holds, in_leaf, producers};
pub use limitation::{Limitation, LimitationCode};
pub use output::{Filled, Measure, Output, PROJECTION, Shape, Slot, column_producer};
pub use partial::Partial;
pub use port::{AnalyticalPort, InProcess, unheard};
pub use receipt::ROWS_INDEPENDENT;
pub use told::{UNSTATED, told, told_error, told_interval};
pub use watch::{Listener, Progress};

/// The kernel's version, in every receipt. It changes with any number a kernel gives.
pub const KERNEL_VERSION: &str = "nemosyne-kernel/1.2.0";
