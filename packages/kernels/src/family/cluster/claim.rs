//! What the receipt of groups says.

use dataset::Dataset;

use super::agreement::{FRACTION, MATERIAL};
use super::plan::{Method, Plan};
use super::{Found, WORD};
use crate::analysis::Provenance;
use crate::family::space::Space;
use crate::limitation::{Limitation, LimitationCode, counted};
use crate::receipt::{self, Claim, NOT_TESTABLE, UNCHECKED, assumption};
use crate::summary::{count, finite};
use crate::wire::v1::{
    Assumption, ClusterContent, ClusterMethod, ClusterRequest, Receipt, Sensitivity, Stability, Standardize,
};

const VERSION: &str = "1.0.0";
/// Groups that return with less are not to be trusted (Hennig 2007).
const DISSOLVED: f64 = 0.6;
/// Groups that return with less are a pattern whose rows are doubtful (Hennig 2007).
const DOUBTFUL: f64 = 0.75;

pub(super) struct Told {
    pub(super) receipt: Receipt,
    pub(super) provenance: Provenance,
    pub(super) limitations: Vec<Limitation>,
}

pub(super) fn of(
    dataset: &Dataset,
    space: &Space<'_>,
    request: &ClusterRequest,
    plan: &Plan,
    found: &Found,
    content: &ClusterContent,
    sensitivity: Vec<Sensitivity>,
) -> Told {
    let (word, name) = match plan.method {
        Method::Kmeans { .. } => ("kmeans", "cluster/k-means"),
        Method::Dbscan { .. } => ("dbscan", "cluster/dbscan"),
        Method::Hdbscan { .. } => ("hdbscan", "cluster/hdbscan"),
    };
    let parameters = parameters(space, request, plan);
    let method = receipt::Method {
        name,
        version: VERSION,
        parameters: &parameters,
    };
    let limitations = limitations(space, plan, found, content, &sensitivity);
    let claim = Claim {
        id: format!("{WORD}:{word}:{}", space.joined()),
        estimand: estimand(dataset, space, plan),
        columns: &space.columns,
        n_rows: space.n_rows,
        n_used: space.n(),
        geometry: Some(space.geometry("euclidean")),
        assumptions: assumptions(space, plan),
        uncertainty: None,
        stability: Some(Stability {
            method: format!(
                "draws of {} rows in {} without replacement: mean adjusted Rand index, noise as one more group",
                FRACTION.0, FRACTION.1
            ),
            score: content.adjusted_rand_index,
            repetitions: request.repetitions,
        }),
        sensitivity,
        limitations: &limitations,
    };
    let receipt = receipt::issue(dataset, claim, &method);
    let provenance = Provenance {
        method: name,
        method_version: VERSION,
        seed: Some(request.seed),
        normalization: match space.standardize {
            Standardize::None => "none",
            Standardize::Zscore => "zscore by column",
        },
        missingness: "complete-case",
        sampling: "none for the groups; draws of four rows in five for their stability",
        approximation: match plan.method {
            Method::Kmeans { .. } => "ESTIMATED",
            Method::Dbscan { .. } | Method::Hdbscan { .. } => "EXACT",
        },
        total_rows: content.total_rows,
        rows_used: content.rows_used,
        excluded: space.excluded.clone(),
        preserves: &["row identity", "which rows lie together"],
        loses: &[
            "distances between rows",
            "columns that were not chosen",
            "order within a group",
        ],
        parameters,
    };
    Told {
        receipt,
        provenance,
        limitations,
    }
}

fn estimand(dataset: &Dataset, space: &Space<'_>, plan: &Plan) -> String {
    let names = space.names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let unit = match (space.standardize, space.unit()) {
        (Standardize::Zscore, _) => "standard deviations".to_owned(),
        (Standardize::None, Some((unit, _))) => unit,
        (Standardize::None, None) => "the columns' own units".to_owned(),
    };
    let groups = match plan.method {
        Method::Kmeans { k, .. } => {
            format!("the division into {k} groups with a small sum of squared distances to the groups' means")
        }
        Method::Dbscan { radius, min_points } => format!(
            "the groups of rows that hang together where {min_points} rows or more lie within {radius}"
        ),
        Method::Hdbscan { min_size, min_points } => format!(
            "the groups of at least {min_size} rows that persist over scales of density, told by the distance to \
             the {min_points}th nearest row"
        ),
    };
    format!(
        "{groups}, among the rows of dataset {} that have {}; Euclidean distances in {unit}; of these rows, not of a \
         population",
        dataset.name(),
        receipt::listed(&names),
    )
}

fn parameters(space: &Space<'_>, request: &ClusterRequest, plan: &Plan) -> Vec<(String, String)> {
    let stated = |stated: bool, rule: &str| if stated { "stated" } else { rule }.to_owned();
    let mut parameters = vec![("columns".to_owned(), space.joined())];
    let mut add = |name: &str, value: String| parameters.push((name.to_owned(), value));
    match (plan.method, &request.method) {
        (Method::Kmeans { k, n_starts }, _) => {
            add("k", k.to_string());
            add("maxSteps", super::kmeans::MAX_STEPS.to_string());
            add("seeding", "k-means++".to_owned());
            add("starts", n_starts.to_string());
        }
        (Method::Dbscan { radius, min_points }, asked) => {
            let (by_radius, by_points) = match asked {
                ClusterMethod::Dbscan { epsilon, min_points } => (epsilon.is_some(), min_points.is_some()),
                ClusterMethod::Kmeans { .. } | ClusterMethod::Hdbscan { .. } => (false, false),
            };
            add(
                "borderTies",
                "nearest core, then first by value and key".to_owned(),
            );
            add(
                "epsilon",
                finite(radius).map_or_else(String::new, |radius| radius.to_string()),
            );
            add(
                "epsilonRule",
                stated(by_radius, "knee of the distances to the minPoints-th nearest row"),
            );
            add("minPoints", min_points.to_string());
            add(
                "minPointsRule",
                stated(by_points, "twice the columns, at least 4"),
            );
        }
        (Method::Hdbscan { min_size, min_points }, asked) => {
            let by_size = matches!(
                asked,
                ClusterMethod::Hdbscan {
                    min_size: Some(_),
                    ..
                }
            );
            add("minPoints", min_points.to_string());
            add("minSize", min_size.to_string());
            add("minSizeRule", stated(by_size, "one row in fifty, at least 5"));
            add("selection", "excess of mass, never the whole".to_owned());
            add("ties", "nearer rows join first, then all at once".to_owned());
        }
    }
    add("materialChange", format!("adjusted Rand index below {MATERIAL}"));
    add("metric", "euclidean".to_owned());
    add("missingness", "complete-case".to_owned());
    add("repetitions", request.repetitions.get().to_string());
    add("seed", request.seed.get().to_string());
    let word = match space.standardize {
        Standardize::None => "none",
        Standardize::Zscore => "zscore",
    };
    add("standardize", word.to_owned());
    add("standardizeRule", space.because.to_owned());
    add("subsample", format!("{}/{}", FRACTION.0, FRACTION.1));
    parameters
}

fn assumptions(space: &Space<'_>, plan: &Plan) -> Vec<Assumption> {
    let (shape, detail) = match plan.method {
        Method::Kmeans { .. } => (
            "groups are round and spread alike",
            "k-means draws straight borders half way between means whatever the shape",
        ),
        Method::Dbscan { .. } => (
            "one scale of density fits all groups",
            "the sensitivity to epsilon says what nearby scales give",
        ),
        Method::Hdbscan { .. } => (
            "there are several groups or none",
            "the whole is never taken as one group, so one group alone is told as none",
        ),
    };
    vec![
        assumption(
            "rows that are near in these columns are alike",
            NOT_TESTABLE,
            "what nearness means is for who knows the columns",
        ),
        space.unit_assumption(),
        assumption(shape, UNCHECKED, detail),
        space.independent("draws for the stability take them one by one"),
        space.representative(),
    ]
}

fn limitations(
    space: &Space<'_>,
    plan: &Plan,
    found: &Found,
    content: &ClusterContent,
    sensitivity: &[Sensitivity],
) -> Vec<Limitation> {
    let mut limitations = Vec::new();
    let mut add = |code, text: String| limitations.push(Limitation::new(code, text));
    let changing: Vec<&str> = sensitivity
        .iter()
        .filter(|one| one.materially_changed)
        .map(|one| one.factor.as_str())
        .collect();
    add(
        LimitationCode::FreeParameter,
        if changing.is_empty() {
            "parameters were chosen; no neighboring value changes the groups materially".to_owned()
        } else {
            format!(
                "parameters were chosen; the groups change materially with {}",
                receipt::listed(&changing)
            )
        },
    );
    add(
        LimitationCode::IntervalNotGiven,
        "groups are described, not estimated; their stability says how far they return".to_owned(),
    );
    if let Method::Kmeans { n_starts, .. } = plan.method {
        let mut text = format!("the best of {n_starts} starts, which need not be the best there is");
        if !found.settled {
            text.push_str("; it had not settled when it was stopped");
        }
        add(LimitationCode::LocalOptimum, text);
        add(
            LimitationCode::SeedDependent,
            "starts and draws follow from the seed; the sensitivity says what other seeds give".to_owned(),
        );
    } else {
        add(
            LimitationCode::SeedDependent,
            "draws for the stability follow from the seed; the groups do not".to_owned(),
        );
    }
    let n_noise = found.n_noise();
    if found.n_groups == 0 {
        add(
            LimitationCode::NoisePoints,
            "no group was found; every row is noise".to_owned(),
        );
    } else if n_noise > 0 {
        let text = format!(
            "{} of {} noise: in no group, and not alike for that",
            counted(n_noise, "row"),
            count(space.n()).get()
        );
        add(LimitationCode::NoisePoints, text);
    }
    for group in &content.groups {
        let jaccard = group.jaccard.get();
        if jaccard < DOUBTFUL {
            let verdict = if jaccard < DISSOLVED {
                "not to be trusted"
            } else {
                "which rows belong to it is doubtful"
            };
            let text = format!("mean Jaccard coefficient {jaccard:.2}; {verdict}");
            limitations
                .push(Limitation::new(LimitationCode::GroupsUnstable, text).about(group.label.as_str()));
        }
    }
    limitations.extend(space.limitations());
    limitations
}
