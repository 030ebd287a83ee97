//! What the receipt of components says.

use dataset::{Dataset, ObservationStructure};

use super::{Found, INTERVAL_METHOD, WORD, first_correlation, undirected};
use crate::analysis::Provenance;
use crate::family::space::Space;
use crate::limitation::{Limitation, LimitationCode};
use crate::receipt::{self, Claim, UNCHECKED, assumption};
use crate::summary::finite;
use crate::wire::v1::{
    Assumption, ProjectionContent, ProjectionRequest, Receipt, Sensitivity, Standardize, Uncertainty,
};

const METHOD: &str = "projection/principal-components";
const VERSION: &str = "1.0.0";
/// First scores that correlate less, up to sign, are a material change.
const MATERIAL: f64 = 0.9;

pub(super) struct Told {
    pub(super) receipt: Receipt,
    pub(super) provenance: Provenance,
    pub(super) limitations: Vec<Limitation>,
}

pub(super) fn of(
    dataset: &Dataset,
    space: &Space<'_>,
    request: &ProjectionRequest,
    found: &Found,
    content: &ProjectionContent,
) -> Told {
    let word = match space.standardize {
        Standardize::None => "none",
        Standardize::Zscore => "zscore",
    };
    let parameters: Vec<(String, String)> = [
        ("columns", space.joined()),
        ("components", request.components.get().to_string()),
        ("confidenceLevel", request.level.to_string()),
        ("denominator", "n-1".to_owned()),
        ("eigen", "cyclic Jacobi".to_owned()),
        ("interval", INTERVAL_METHOD.to_owned()),
        (
            "materialChange",
            format!("correlation of first scores below {MATERIAL}"),
        ),
        ("missingness", "complete-case".to_owned()),
        (
            "sign",
            "loading of the greatest magnitude positive, the first on a tie".to_owned(),
        ),
        ("standardize", word.to_owned()),
        ("standardizeRule", space.because.to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let method = receipt::Method {
        name: METHOD,
        version: VERSION,
        parameters: &parameters,
    };
    let sensitivity = sensitivity(space, found, content);
    let limitations = limitations(space, found, content, &sensitivity);
    let claim = Claim {
        id: format!("{WORD}:{}", space.joined()),
        estimand: estimand(dataset, space, content),
        columns: &space.columns,
        n_rows: space.n_rows,
        n_used: space.n(),
        geometry: Some(space.geometry("euclidean, orthogonal projection")),
        assumptions: assumptions(space),
        uncertainty: uncertainty(found, content),
        stability: None,
        sensitivity,
        limitations: &limitations,
    };
    let receipt = receipt::issue(dataset, claim, &method);
    let provenance = Provenance {
        method: METHOD,
        method_version: VERSION,
        seed: None,
        normalization: match space.standardize {
            Standardize::None => "centered by column",
            Standardize::Zscore => "zscore by column",
        },
        missingness: "complete-case",
        sampling: "none",
        approximation: "EXACT",
        total_rows: content.total_rows,
        rows_used: content.rows_used,
        excluded: space.excluded.clone(),
        preserves: &["row identity", "variance along the told components"],
        loses: &["variance across the told components", "what is not linear"],
        parameters,
    };
    Told {
        receipt,
        provenance,
        limitations,
    }
}

fn estimand(dataset: &Dataset, space: &Space<'_>, content: &ProjectionContent) -> String {
    let names = space.names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (of, unit) = match (space.standardize, space.unit()) {
        (Standardize::Zscore, _) => ("correlation", "standard deviations".to_owned()),
        (Standardize::None, Some((unit, _))) => ("covariance", unit),
        (Standardize::None, None) => ("covariance", "the columns' own units".to_owned()),
    };
    let n_told = content.components.len();
    let first = if n_told == 1 {
        "first component".to_owned()
    } else {
        format!("first {n_told} components")
    };
    format!(
        "variances, directions and scores of the {first} of the {of} of {} over the rows of dataset {} that have them \
         all; scores in {unit}",
        receipt::listed(&names),
        dataset.name(),
    )
}

/// Of the main quantity, the share of the first component.
fn uncertainty(found: &Found, content: &ProjectionContent) -> Option<Uncertainty> {
    let first = content.components.first()?;
    let interval = first.variance_ratio_interval.as_ref()?;
    let error = found
        .influence
        .of_ratio(0, first.variance_ratio.get(), found.total);
    Some(Uncertainty {
        method: format!(
            "{INTERVAL_METHOD} of the logit of the first component's share, level {}",
            interval.level
        ),
        lower: Some(interval.lower),
        upper: Some(interval.upper),
        standard_error: finite(error),
    })
}

fn sensitivity(space: &Space<'_>, found: &Found, content: &ProjectionContent) -> Vec<Sensitivity> {
    // All components are found at once, so how many are told changes none of them.
    let n_told = content.components.len();
    let near = [n_told - 1, n_told + 1];
    let near = near.iter().filter(|n| (1..=space.columns.len()).contains(n));
    let (word, correlation) = match space.standardize {
        Standardize::None => ("zscore", first_correlation(space, found)),
        Standardize::Zscore => ("none", first_correlation(space, found)),
    };
    let tried = match correlation {
        Some(correlation) => format!("{word}: first scores correlate {correlation:.3}, up to sign"),
        None => format!("{word}: no answer"),
    };
    vec![
        Sensitivity {
            factor: "components".to_owned(),
            tested_values: near.map(|n| format!("{n}: the same components")).collect(),
            materially_changed: false,
        },
        Sensitivity {
            factor: "standardize".to_owned(),
            tested_values: vec![tried],
            materially_changed: correlation.is_none_or(|correlation| correlation < MATERIAL),
        },
    ]
}

fn assumptions(space: &Space<'_>) -> Vec<Assumption> {
    vec![
        assumption(
            "what matters in these columns varies along straight lines",
            UNCHECKED,
            "components see covariances only",
        ),
        space.unit_assumption(),
        space.independent("the intervals take them so"),
        space.representative(),
    ]
}

fn limitations(
    space: &Space<'_>,
    found: &Found,
    content: &ProjectionContent,
    sensitivity: &[Sensitivity],
) -> Vec<Limitation> {
    let mut limitations = Vec::new();
    let mut add = |code, text: String| limitations.push(Limitation::new(code, text));
    add(
        LimitationCode::SignArbitrary,
        "the sign of a component is a convention; with it turn all its loadings and scores".to_owned(),
    );
    if sensitivity.iter().any(|one| one.materially_changed) {
        add(
            LimitationCode::FreeParameter,
            "the components change materially with whether columns are standardized".to_owned(),
        );
    }
    let n_told = content.components.len();
    let near: Vec<String> = undirected(found, n_told)
        .into_iter()
        .map(|idx| format!("pc{} and pc{}", idx + 1, idx + 2))
        .collect();
    if !near.is_empty() {
        let text = "their variances differ by less than twice the standard error of the difference, so each direction \
                    may lie anywhere in the plane of both";
        limitations.push(Limitation::new(LimitationCode::DirectionUndetermined, text).about(near.join(", ")));
    }
    let mut add = |code, text: String| limitations.push(Limitation::new(code, text));
    let n_columns = space.columns.len();
    if found.n_positive < n_columns {
        let rank = found.n_positive;
        add(
            LimitationCode::Collinear,
            format!(
                "{n_columns} columns vary in {rank} directions only; the others have no variance and no direction"
            ),
        );
    }
    let lacks = |one: &crate::wire::v1::Component| {
        one.variance_interval.is_none() || one.variance_ratio_interval.is_none()
    };
    let is_iid =
        |column: &&dataset::Column| column.model().observation_structure() == ObservationStructure::Iid;
    if content.components.iter().any(lacks) {
        add(
            LimitationCode::IntervalNotGiven,
            "an interval is given only for independent rows and for a share between none and all".to_owned(),
        );
    }
    if !content.components.iter().all(lacks) && !space.columns.iter().all(is_iid) {
        add(
            LimitationCode::IndependenceUntested,
            "the intervals assume independent rows, which the data can't show".to_owned(),
        );
    }
    limitations.extend(space.limitations());
    limitations
}
