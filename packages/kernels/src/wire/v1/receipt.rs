//! Receipts, bundles and attestations as they are hashed and stored.

use identity::{Fingerprint, Finite, SafeInteger};
use serde::{Deserialize, Deserializer, Serialize};

/// An evidence receipt: these twelve members, all present, `null` where nothing is claimed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Receipt {
    /// Receipt name, unique in its bundle; not a hash.
    pub receipt_id: String,
    /// Claim name, such as `descriptive:body_mass_g`.
    pub claim_id: String,
    /// What quantity of what population.
    pub estimand: String,
    /// Measurement context.
    pub measurement_context: MeasurementContext,
    /// Geometry of a metric, when one is used.
    #[serde(deserialize_with = "present")]
    pub geometry: Option<Geometry>,
    /// Assumptions and whether they hold.
    pub assumptions: Vec<Assumption>,
    /// Rows used and left out.
    pub sample_support: SampleSupport,
    /// Uncertainty of the main quantity.
    #[serde(deserialize_with = "present")]
    pub uncertainty: Option<Uncertainty>,
    /// Stability over seeds.
    #[serde(deserialize_with = "present")]
    pub stability: Option<Stability>,
    /// Sensitivity to free parameters; empty means not performed.
    pub sensitivity: Vec<Sensitivity>,
    /// What the numbers can't say.
    pub limitations: Vec<String>,
    /// How it was computed.
    pub method_provenance: MethodProvenance,
}

/// Whether the measurement of the columns is established.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "status",
    rename_all = "SCREAMING_SNAKE_CASE",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum MeasurementContext {
    /// Nothing is known.
    NotEstablished {},
    /// Models for the columns are known.
    Established {
        /// One record a column, at least one.
        records: Vec<MeasurementRecord>,
        /// `allowInferred`, `requireDeclared`, `requireConfirmed` or `null`.
        #[serde(deserialize_with = "present")]
        semantic_admission_policy: Option<String>,
        /// Outcome of the analytical admission, when one ran.
        #[serde(deserialize_with = "present")]
        analytical_admission: Option<AnalyticalAdmission>,
    },
}

/// Outcome of admitting the measurement for the analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnalyticalAdmission {
    /// `admitted` or `rejected`.
    pub status: String,
    /// Problems found.
    pub issues: Vec<AdmissionIssue>,
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AdmissionIssue {
    /// The column, if one is to blame.
    #[serde(deserialize_with = "present")]
    pub column: Option<String>,
    /// The reason.
    pub reason: String,
}

/// A column's measurement model and its standing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MeasurementRecord {
    /// The model.
    pub model: MeasurementModel,
    /// `inferred`, `declared`, `confirmed`, `ambiguous` or `unknown`.
    pub status: String,
    /// Grounds.
    pub basis: Vec<MeasurementBasis>,
}

/// Scale and structure of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MeasurementModel {
    /// Column name.
    pub column: String,
    /// `ratio`, `interval`, `nominal`, …
    pub scale: String,
    /// `iid`, `grouped`, …, `unknown`.
    pub observation_structure: String,
    /// Group of parts of a whole, when there is one.
    #[serde(deserialize_with = "present")]
    pub compositional_group: Option<String>,
}

/// One ground for a measurement model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MeasurementBasis {
    /// Such as `header`.
    pub source: String,
    /// Why.
    pub rationale: String,
}

/// Metric geometry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Geometry {
    /// Columns of the space.
    pub columns: Vec<String>,
    /// Metric name.
    pub metric: String,
    /// Transformations applied first.
    pub transformations: Vec<String>,
    /// What happens to missing values.
    pub missingness_policy: String,
}

/// One assumption of the method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Assumption {
    /// The assumption.
    pub assumption: String,
    /// `satisfied`, `violated`, `unchecked` or `notTestableFromData`.
    pub status: String,
    /// Detail.
    pub detail: String,
}

/// Rows used and left out; `rowsExcluded` is exactly the difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SampleSupport {
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows used.
    pub rows_used: SafeInteger,
    /// Rows left out.
    pub rows_excluded: SafeInteger,
    /// Columns involved.
    pub columns: Vec<String>,
    /// `fullDataset`, `completeCase`, …
    pub policy: String,
    /// Counts by reason.
    pub exclusion_reasons: Vec<ExclusionReason>,
}

/// A reason with its count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExclusionReason {
    /// The reason.
    pub reason: String,
    /// Rows.
    pub row_count: SafeInteger,
}

/// Uncertainty with a named method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Uncertainty {
    /// Method name.
    pub method: String,
    /// Lower end.
    #[serde(deserialize_with = "present")]
    pub lower: Option<Finite>,
    /// Upper end.
    #[serde(deserialize_with = "present")]
    pub upper: Option<Finite>,
    /// Standard error.
    #[serde(deserialize_with = "present")]
    pub standard_error: Option<Finite>,
}

/// Stability over repetitions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Stability {
    /// Method name.
    pub method: String,
    /// Score.
    pub score: Finite,
    /// Repetitions.
    pub repetitions: SafeInteger,
}

/// Sensitivity to one factor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sensitivity {
    /// The factor.
    pub factor: String,
    /// Values tried.
    pub tested_values: Vec<String>,
    /// Whether the result changed materially.
    pub materially_changed: bool,
}

/// How, with what, from what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MethodProvenance {
    /// Method name.
    pub method: String,
    /// Method version.
    pub method_version: String,
    /// Kernel version.
    pub kernel_version: String,
    /// Dataset.
    pub dataset_fingerprint: Fingerprint,
    /// Parameters in producer order.
    pub parameters: Vec<(String, String)>,
}

/// All receipts of one kernel over one dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReceiptBundle {
    /// The text `"1"`.
    pub schema_version: String,
    /// Dataset.
    pub dataset_fingerprint: Fingerprint,
    /// Kernel.
    pub kernel_version: String,
    /// Receipts, unique by `receiptId`, in order of issue.
    pub receipts: Vec<Receipt>,
}

/// The kernel's statement which receipts each semantic consumer may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Attestation {
    /// The text `"1"`.
    pub schema_version: String,
    /// Dataset.
    pub dataset_fingerprint: Fingerprint,
    /// Kernel.
    pub kernel_version: String,
    /// Consumers, sorted by id.
    pub consumers: Vec<AttestedConsumer>,
}

/// One consumer with at least one receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AttestedConsumer {
    /// Such as `nemosyne:consumer/forma-statistics/v1`.
    pub consumer_id: String,
    /// Unique receipt ids in order of issue.
    pub receipt_ids: Vec<String>,
}

/// A member that is there even when it claims nothing: `null` is read, absence is refused.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}
