//! How columns depend on each other.

use identity::SafeInteger;
use serde::{Deserialize, Serialize};

use super::Exclusion;

/// The request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DependencyRequest {
    /// Column names in the order asked for.
    pub columns: Vec<String>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DependencyContent {
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows used.
    pub rows_used: SafeInteger,
    /// Rows left out, by reason.
    pub excluded: Vec<Exclusion>,
}
