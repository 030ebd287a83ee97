//! Receipts: what each claim is about, on what it rests, and what it can't say.

use dataset::{Column, Dataset, ObservationStructure, Scale};
use identity::Finite;

use crate::cases::MISSING;
use crate::limitation::Limitation;
use crate::rows::Projection;
use crate::summary::{INTERVAL_METHOD, Normality, Summary, count, declared_dependent, finite};
use crate::wire::v1::{
    AnalyticalAdmission, Assumption, ExclusionReason, Geometry, MeasurementBasis, MeasurementContext,
    MeasurementModel, MeasurementRecord, MethodProvenance, Receipt, SampleSupport, Sensitivity, Stability,
    Uncertainty,
};

/// What both families write into a receipt's provenance.
pub(crate) struct Method<'a> {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) parameters: &'a [(String, String)],
}

/// Every measurement model is admitted, inferred ones too; receipts and snapshots say which are inferred.
pub(crate) const SEMANTIC_ADMISSION: &str = "allowInferred";

pub(crate) const NOT_TESTABLE: &str = "notTestableFromData";
pub(crate) const SATISFIED: &str = "satisfied";
pub(crate) const UNCHECKED: &str = "unchecked";
pub(crate) const VIOLATED: &str = "violated";

/// A claim with everything a receipt says of it; what a claim does not have is `None` or empty, and a profile that
/// asks for it refuses.
pub(crate) struct Claim<'a> {
    /// Name of receipt and claim, such as `density:a,b`.
    pub(crate) id: String,
    pub(crate) estimand: String,
    pub(crate) columns: &'a [&'a Column],
    /// Rows (or nodes, where those are the cases) of which `n_used` entered; the rest lack a value.
    pub(crate) n_rows: usize,
    pub(crate) n_used: usize,
    pub(crate) geometry: Option<Geometry>,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) uncertainty: Option<Uncertainty>,
    pub(crate) stability: Option<Stability>,
    pub(crate) sensitivity: Vec<Sensitivity>,
    pub(crate) limitations: &'a [Limitation],
}

/// The receipt of a claim.
pub(crate) fn issue(dataset: &Dataset, claim: Claim<'_>, method: &Method<'_>) -> Receipt {
    Receipt {
        receipt_id: claim.id.clone(),
        claim_id: claim.id,
        estimand: claim.estimand,
        measurement_context: measurement_context(claim.columns),
        geometry: claim.geometry,
        assumptions: claim.assumptions,
        sample_support: support(claim.n_rows, claim.n_used, claim.columns),
        uncertainty: claim.uncertainty,
        stability: claim.stability,
        sensitivity: claim.sensitivity,
        limitations: texts(claim.limitations),
        method_provenance: provenance(dataset, method),
    }
}

/// One assumption with its standing.
pub(crate) fn assumption(assumption: &str, status: &str, detail: impl Into<String>) -> Assumption {
    Assumption {
        assumption: assumption.to_owned(),
        status: status.to_owned(),
        detail: detail.into(),
    }
}

/// The text of the assumption that rows are independent, by which readers of receipts know it.
pub const ROWS_INDEPENDENT: &str = "the rows are independent";

/// Whether the rows of all columns are independent: nobody can see that in data, but somebody may know it.
pub(crate) fn independence(columns: &[&Column]) -> Assumption {
    let declared = columns
        .iter()
        .all(|column| column.model().observation_structure() == ObservationStructure::Iid);
    if declared {
        let detail = "declared independent and identically distributed at import; the data can't show it";
        assumption(ROWS_INDEPENDENT, SATISFIED, detail)
    } else {
        let detail = "nobody stated how the rows depend on each other";
        assumption(ROWS_INDEPENDENT, NOT_TESTABLE, detail)
    }
}

/// The receipt `descriptive:<column>`.
pub(crate) fn of_statistics(
    dataset: &Dataset,
    column: &Column,
    summary: &Summary,
    method: &Method<'_>,
) -> Receipt {
    let statistics = &summary.statistics;
    let unit = column
        .model()
        .unit()
        .map_or_else(String::new, |unit| format!(" ({})", unit.text()));
    let claim_id = format!("descriptive:{}", column.name());
    let mut quantities = vec!["count"];
    quantities.extend(statistics.mean.map(|_| "mean"));
    quantities.extend(statistics.mean_interval.as_ref().map(|_| "interval of the mean"));
    quantities.extend(statistics.standard_deviation.map(|_| "standard deviation"));
    quantities.extend(statistics.minimum.map(|_| "extremes"));
    quantities.extend((!statistics.quantiles.is_empty()).then_some("quantiles"));
    let estimand = format!(
        "{} of {}{unit} over the rows of dataset {} that have a value",
        listed(&quantities),
        column.name(),
        dataset.name(),
    );
    let n_used = statistics.count.get() as usize;
    Receipt {
        receipt_id: claim_id.clone(),
        claim_id,
        estimand,
        measurement_context: measurement_context(&[column]),
        geometry: None,
        assumptions: interval_assumptions(column, summary),
        sample_support: support(dataset.n_rows(), n_used, &[column]),
        uncertainty: summary
            .statistics
            .mean_interval
            .as_ref()
            .map(|interval| Uncertainty {
                method: INTERVAL_METHOD.to_owned(),
                lower: Some(interval.lower),
                upper: Some(interval.upper),
                standard_error: summary.standard_error.and_then(finite),
            }),
        stability: None,
        sensitivity: Vec::new(),
        limitations: texts(&summary.limitations),
        method_provenance: provenance(dataset, method),
    }
}

/// The receipt `rows:<a>,<b>,…`.
pub(crate) fn of_rows(
    dataset: &Dataset,
    columns: &[&Column],
    projection: &Projection,
    limitations: &[Limitation],
    method: &Method<'_>,
) -> Receipt {
    let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
    let claim_id = format!("rows:{}", joined(&names));
    let rows = if dataset.key_column().is_some() {
        "keyed"
    } else {
        "numbered"
    };
    let estimand = format!(
        "the recorded values of {} in each {rows} row of dataset {} that has them all; nothing is estimated",
        listed(&names),
        dataset.name(),
    );
    let n_used = projection.leaf.n_rows();
    let n_excluded = dataset.n_rows() - n_used;
    let representative = Assumption {
        assumption: "the rows used stand for the rows left out".to_owned(),
        status: if n_excluded == 0 { SATISFIED } else { NOT_TESTABLE }.to_owned(),
        detail: if n_excluded == 0 {
            "no row is left out".to_owned()
        } else {
            format!(
                "{n_excluded} of {} rows lack a value, and why is not recorded",
                dataset.n_rows()
            )
        },
    };
    let identity = Assumption {
        assumption: "each row has one key".to_owned(),
        status: SATISFIED.to_owned(),
        detail: match dataset.key_column() {
            Some(key) => format!("the values of {} are unique and complete", key.name()),
            None => "rows are numbered in the order of the import".to_owned(),
        },
    };
    Receipt {
        receipt_id: claim_id.clone(),
        claim_id,
        estimand,
        measurement_context: measurement_context(columns),
        geometry: None,
        assumptions: vec![identity, representative],
        sample_support: support(dataset.n_rows(), n_used, columns),
        uncertainty: None,
        stability: None,
        sensitivity: Vec::new(),
        limitations: texts(limitations),
        method_provenance: provenance(dataset, method),
    }
}

fn interval_assumptions(column: &Column, summary: &Summary) -> Vec<Assumption> {
    if summary.statistics.mean_interval.is_none() {
        return Vec::new();
    }
    debug_assert!(
        !declared_dependent(column.model().observation_structure()),
        "no interval is given then"
    );
    let n = summary.statistics.count;
    let rule = |skewness: f64| {
        let needed = 25.0 * skewness * skewness;
        format!(
            "skewness {skewness:.2} asks for more than {needed:.1} values (Cochran 1977, 2.15), and there are {n}"
        )
    };
    let (status, detail) = match summary.normality {
        Normality::Supported { skewness } => (SATISFIED, rule(skewness)),
        Normality::Doubtful { skewness } => (
            UNCHECKED,
            format!("the check does not support it: {}", rule(skewness)),
        ),
        Normality::Unchecked(why) => (UNCHECKED, format!("rests on {n} values; {why}")),
    };
    vec![
        independence(&[column]),
        assumption("the mean is about normally distributed", status, detail),
    ]
}

/// ESTABLISHED when the scale of at least one column is known, by whatever means; each record says by which.
fn measurement_context(columns: &[&Column]) -> MeasurementContext {
    if columns
        .iter()
        .all(|column| column.model().scale() == Scale::Unknown)
    {
        return MeasurementContext::NotEstablished {};
    }
    MeasurementContext::Established {
        records: columns.iter().map(|column| record(column)).collect(),
        semantic_admission_policy: Some(SEMANTIC_ADMISSION.to_owned()),
        analytical_admission: Some(AnalyticalAdmission {
            status: "admitted".to_owned(),
            issues: Vec::new(),
        }),
    }
}

fn record(column: &Column) -> MeasurementRecord {
    let model = column.model();
    let known = model.scale() != Scale::Unknown;
    let basis = model.basis().iter().map(|basis| MeasurementBasis {
        source: basis.source().word().to_owned(),
        rationale: basis.rationale().to_owned(),
    });
    MeasurementRecord {
        model: MeasurementModel {
            column: column.name().to_owned(),
            scale: model.scale().word().to_owned(),
            observation_structure: model.observation_structure().word().to_owned(),
            compositional_group: None,
        },
        status: if known { model.status().word() } else { "unknown" }.to_owned(),
        basis: basis.collect(),
    }
}

fn support(n_rows: usize, n_used: usize, columns: &[&Column]) -> SampleSupport {
    let n_excluded = n_rows - n_used;
    let reason = ExclusionReason {
        reason: MISSING.to_owned(),
        row_count: count(n_excluded),
    };
    SampleSupport {
        total_rows: count(n_rows),
        rows_used: count(n_used),
        rows_excluded: count(n_excluded),
        columns: columns.iter().map(|column| column.name().to_owned()).collect(),
        policy: if n_excluded == 0 {
            "fullDataset"
        } else {
            "completeCase"
        }
        .to_owned(),
        exclusion_reasons: if n_excluded == 0 { Vec::new() } else { vec![reason] },
    }
}

fn provenance(dataset: &Dataset, method: &Method<'_>) -> MethodProvenance {
    MethodProvenance {
        method: method.name.to_owned(),
        method_version: method.version.to_owned(),
        kernel_version: crate::KERNEL_VERSION.to_owned(),
        dataset_fingerprint: dataset.fingerprint(),
        parameters: method.parameters.to_vec(),
    }
}

fn texts(limitations: &[Limitation]) -> Vec<String> {
    limitations.iter().map(Limitation::text).collect()
}

/// Names one after the other, so that different lists have different texts: a comma or backslash in a name gets a
/// backslash.
pub(crate) fn joined<S: AsRef<str>>(names: &[S]) -> String {
    let escape = |name: &S| name.as_ref().replace('\\', "\\\\").replace(',', "\\,");
    names.iter().map(escape).collect::<Vec<_>>().join(",")
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

/// Numbers with the text they have in canonical JSON.
pub(crate) fn numbers(values: &[Finite]) -> String {
    values.iter().map(Finite::to_string).collect::<Vec<_>>().join(",")
}
