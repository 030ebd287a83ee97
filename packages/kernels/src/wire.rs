//! What the kernel writes down: requests, results, receipts.

/// Version 1.
pub mod v1 {
    use identity::{Digest, Fingerprint, Finite, SafeInteger};
    use serde::{Deserialize, Deserializer, Serialize};

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
    }

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
    fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        Option::deserialize(deserializer)
    }
}
