//! Groups of rows that lie together.

use identity::{Digest, Finite, SafeInteger};
use serde::{Deserialize, Serialize};

use super::Exclusion;

/// The request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClusterRequest {
    /// Column names in the order asked for.
    pub columns: Vec<String>,
    /// The method with its parameters.
    pub method: ClusterMethod,
    /// Absent for the rule: `zscore` unless all columns have one unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standardize: Option<Standardize>,
    /// How often rows are drawn again to see whether the groups return.
    pub repetitions: SafeInteger,
    /// The seed of everything that is drawn.
    pub seed: SafeInteger,
}

/// A method; what is absent in it follows from the rows by a rule that the receipt states.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "name",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum ClusterMethod {
    /// Groups around means.
    Kmeans {
        /// How many groups.
        k: SafeInteger,
        /// How many starts; the best is kept.
        starts: SafeInteger,
    },
    /// Groups that are dense at one scale.
    Dbscan {
        /// The radius, in the distances of the space.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        epsilon: Option<Finite>,
        /// How many rows within the radius make a core, itself counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min_points: Option<SafeInteger>,
    },
    /// Groups that persist over scales.
    Hdbscan {
        /// The least size of a group.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min_size: Option<SafeInteger>,
        /// The distance to which nearest row tells the density, itself counted.
        min_points: SafeInteger,
    },
}

/// How columns are put on one scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Standardize {
    /// As recorded.
    None,
    /// Minus the mean, divided by the sample standard deviation.
    Zscore,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClusterContent {
    /// Columns of the space.
    pub columns: Vec<String>,
    /// The method with every parameter as used.
    pub method: ClusterMethod,
    /// How the columns were put on one scale.
    pub standardize: Standardize,
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows used.
    pub rows_used: SafeInteger,
    /// Rows left out, by reason.
    pub excluded: Vec<Exclusion>,
    /// The groups by number; none when the method finds none.
    pub groups: Vec<ClusterGroup>,
    /// Rows that belong to no group; absent for a method that leaves no row out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise_rows: Option<SafeInteger>,
    /// Mean adjusted Rand index of the groups with those of drawn rows; noise counts as one more group.
    pub adjusted_rand_index: Finite,
    /// Sum of squared distances to the centers, in squared distances of the space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Finite>,
    /// Mean silhouette, from −1 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silhouette: Option<Finite>,
    /// Digest of the leaf's bytes (`kernels::leaf`).
    pub leaf: Digest,
}

/// One group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClusterGroup {
    /// `c1`, `c2` and so on, by rising center.
    pub label: String,
    /// Rows in it.
    pub size: SafeInteger,
    /// Mean of each column over its rows, in the column's unit.
    pub center: Vec<Finite>,
    /// Mean Jaccard coefficient with the group of drawn rows that is most like it.
    pub jaccard: Finite,
    /// Excess of mass; absent for a method without densities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excess_of_mass: Option<Finite>,
}
