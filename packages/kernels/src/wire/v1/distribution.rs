//! How the values of each column are distributed.

use identity::SafeInteger;
use serde::{Deserialize, Serialize};

use super::Exclusion;

/// The request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DistributionRequest {
    /// Column names in the order asked for.
    pub columns: Vec<String>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DistributionContent {
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows used.
    pub rows_used: SafeInteger,
    /// Rows left out, by reason.
    pub excluded: Vec<Exclusion>,
}
