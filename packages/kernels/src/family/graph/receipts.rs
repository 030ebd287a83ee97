//! The receipts `graph:structure`, `graph:communities` and `graph:layout`.

use dataset::Dataset;

use super::communities::{self, Communities, agreement};
use super::limitations::{Limitations, agreement_of_starts};
use super::{Found, METHOD, METHOD_VERSION, centrality};
use crate::limitation::Limitation;
use crate::receipt::{self, Claim, Method, NOT_TESTABLE, SATISFIED, UNCHECKED, assumption};
use crate::summary::{count, finite};
use crate::wire::v1::{Assumption, Geometry, GraphRequest, Receipt, Sensitivity, Stability};

/// Two groupings that agree less than this are different ones.
pub(super) const LEAST_AGREEMENT: f64 = 0.9;
/// Stresses that differ by more than this part of themselves are different ones.
const STRESS_MARGIN: f64 = 0.05;
/// How many nodes of the highest rank must be the same for another damping.
const TOP: usize = 10;

/// What happens for the neighbors of every free parameter.
pub(super) struct Tried {
    structure: Vec<Sensitivity>,
    communities: Vec<Sensitivity>,
    layout: Vec<Sensitivity>,
}

pub(super) fn sensitivity(found: &Found<'_>, request: &GraphRequest) -> Tried {
    Tried {
        structure: vec![damping(found, request)],
        communities: resolution_and_starts(found, request),
        layout: layout(found, request),
    }
}

fn tried(factor: &str, rule: &str, values: &[String], materially_changed: bool) -> Sensitivity {
    Sensitivity {
        factor: format!("{factor} ({rule})"),
        tested_values: values.to_vec(),
        materially_changed,
    }
}

fn damping(found: &Found<'_>, request: &GraphRequest) -> Sensitivity {
    let damping = request.damping.get();
    let others = [
        damping * 0.9,
        centrality::MAX_DAMPING.min(damping + (1.0 - damping) * 0.5),
    ];
    let top = |ranks: &[f64]| {
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        // Ranks that differ by rounding alone are equal, and then the key decides.
        let rounded = |idx: usize| (ranks[idx] * 1e12).round() as u64;
        order.sort_by(|a, b| rounded(*b).cmp(&rounded(*a)).then(a.cmp(b)));
        order.truncate(TOP);
        order.sort_unstable();
        order
    };
    let asked = top(&found.page_rank);
    let graph = &found.read.graph;
    let changed = |other: &f64| top(&centrality::page_rank(graph, *other)) != asked;
    tried(
        "damping",
        "changed when the ten nodes of highest PageRank are not the same",
        &others.map(|value| value.to_string()),
        others.iter().any(changed),
    )
}

fn resolution_and_starts(found: &Found<'_>, request: &GraphRequest) -> Vec<Sensitivity> {
    const RULE: &str = "changed when the groups agree by less than 0.9, adjusted Rand index";
    let graph = &found.read.graph;
    let (resolution, seed) = (request.resolution.get(), request.seed.get());
    let n_starts = request.starts.get() as usize;
    let differs =
        |other: &[Communities]| agreement(&found.communities[0].groups, &other[0].groups) < LEAST_AGREEMENT;
    let others = [resolution / 2.0, resolution * 2.0];
    let by_resolution = others
        .iter()
        .any(|other| differs(&communities::search(graph, *other, seed, n_starts)));
    let fewer = n_starts.div_ceil(2);
    let by_starts = differs(&communities::search(graph, resolution, seed, fewer));
    let by_seed = differs(&communities::search(graph, resolution, seed + 1, n_starts));
    vec![
        tried(
            "resolution",
            RULE,
            &others.map(|value| value.to_string()),
            by_resolution,
        ),
        tried("starts", RULE, &[fewer.to_string()], by_starts),
        tried("seed", RULE, &[(seed + 1).to_string()], by_seed),
    ]
}

fn layout(found: &Found<'_>, request: &GraphRequest) -> Vec<Sensitivity> {
    const RULE: &str = "changed when the stress differs by more than 5 percent of itself";
    let Some(layouts) = &found.layouts else {
        return Vec::new();
    };
    let asked = layouts.asked.stress;
    let differs = |other: f64| (other - asked).abs() > STRESS_MARGIN * asked.max(1e-6);
    let n_steps = request.layout_steps.get() as usize;
    let values = [n_steps.div_ceil(2), 2 * n_steps].map(|steps| steps.to_string());
    vec![
        tried(
            "layoutSteps",
            RULE,
            &values,
            differs(layouts.half) || differs(layouts.twice),
        ),
        tried(
            "seed",
            RULE,
            &[(request.seed.get() + 1).to_string()],
            differs(layouts.other_seed),
        ),
    ]
}

pub(super) fn receipts(
    dataset: &Dataset,
    found: &Found<'_>,
    parameters: &[(String, String)],
    limitations: &Limitations,
    tried: Tried,
) -> Vec<Receipt> {
    let method = Method {
        name: METHOD,
        version: METHOD_VERSION,
        parameters,
    };
    let graph = &found.read.graph;
    let of = format!(
        "the {} nodes and {} links of dataset {}",
        graph.n_nodes(),
        graph.links.len(),
        dataset.name()
    );
    let mut structure = claim(
        dataset,
        found,
        "structure",
        format!(
            "counts, components, density, mean clustering over the nodes with at least two neighbors, degree assortativity, \
             betweenness as a share of the pairs of other nodes, and PageRank of {of}, none with a unit"
        ),
        &limitations.structure,
    );
    structure.assumptions.push(assumption(
        "every link is one step of a path",
        NOT_TESTABLE,
        "lengths of links are not stated; weights are not taken as lengths",
    ));
    structure.sensitivity = tried.structure;
    let best = &found.communities[0];
    let mut communities = claim(
        dataset,
        found,
        "communities",
        format!("the grouping of {of} in which most links lie inside groups beyond chance, by modularity"),
        &limitations.communities,
    );
    communities.assumptions.push(assumption(
        "the groups are more than chance would give",
        UNCHECKED,
        format!(
            "modularity is {:.3} for {} groups; random graphs can reach such values too, and none were tried",
            best.modularity,
            best.groups.n()
        ),
    ));
    communities.stability = agreement_of_starts(&found.communities).and_then(|score| {
        Some(Stability {
            method: "adjusted Rand index of the other starts with the best one, mean".to_owned(),
            score: finite(score)?,
            repetitions: count(found.communities.len() - 1),
        })
    });
    communities.sensitivity = tried.communities;
    let mut layout = claim(
        dataset,
        found,
        "layout",
        format!("places for drawing {of}; they measure nothing, and nothing is estimated"),
        &limitations.layout,
    );
    layout.geometry = Some(Geometry {
        columns: Vec::new(),
        metric: "links of a shortest path".to_owned(),
        transformations: vec!["stress majorization in three dimensions".to_owned()],
        missingness_policy: "one more than the longest path where nothing connects".to_owned(),
    });
    layout.assumptions.push(assumption(
        "nobody reads places as data",
        NOT_TESTABLE,
        "distances follow the links as far as the stress says; axes and directions follow nothing",
    ));
    layout.sensitivity = tried.layout;
    [structure, communities, layout]
        .map(|claim| receipt::issue(dataset, claim, &method))
        .to_vec()
}

fn claim<'a>(
    dataset: &Dataset,
    found: &'a Found<'_>,
    what: &str,
    estimand: String,
    limitations: &'a [Limitation],
) -> Claim<'a> {
    Claim {
        id: format!("graph:{what}"),
        estimand,
        columns: &found.read.columns,
        n_rows: found.read.n_rows,
        n_used: found.read.n_rows_used,
        geometry: None,
        assumptions: common(dataset, found),
        uncertainty: None,
        stability: None,
        sensitivity: Vec::new(),
        limitations,
    }
}

fn common(dataset: &Dataset, found: &Found<'_>) -> Vec<Assumption> {
    let read = &found.read;
    let one_name = if read.nodes_are_rows {
        let detail = match dataset.key_column() {
            Some(key) => format!("the values of {} are unique and complete", key.name()),
            None => "rows are numbered in the order of the import".to_owned(),
        };
        assumption("each node has one key", SATISFIED, detail)
    } else {
        assumption(
            "equal names are one node, different names are two",
            NOT_TESTABLE,
            "names are taken as written in both columns",
        )
    };
    let (status, detail) = match (read.direction_stated, read.graph.directed) {
        (true, true) => (SATISFIED, "from source to target, as stated"),
        (true, false) => (SATISFIED, "none, as stated"),
        (false, _) => (UNCHECKED, "nobody stated it; links are taken without direction"),
    };
    vec![
        one_name,
        assumption("the direction of links is meant as it is taken", status, detail),
        assumption(
            "every link between these nodes is recorded",
            NOT_TESTABLE,
            format!(
                "{} links are stated, {} of them left out for lack of an end or a weight",
                read.n_stated, read.n_excluded
            ),
        ),
    ]
}
