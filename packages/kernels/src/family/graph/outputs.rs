//! What a graph answer says, property by property.

use dataset::Scale;
use identity::SafeInteger;

use super::{Found, MAX_LAYOUT_NODES};
use crate::output::{Filled, Measure, Output, Shape, Slot, support_slots};
use crate::wire::v1::{GraphContent, GraphRequest};

const STRUCTURE: &str = "structure";
const COMMUNITIES: &str = "communities";
const LAYOUT: &str = "layout";

const COUNTS: [&str; 8] = [
    "nodes",
    "links",
    "linksExcluded",
    "selfLoops",
    "parallelLinks",
    "isolatedNodes",
    "components",
    "largestComponent",
];
const MEASURES: [&str; 6] = [
    "strongComponents",
    "density",
    "reciprocity",
    "transitivity",
    "meanClustering",
    "degreeAssortativity",
];
const NODE_VALUES: [&str; 7] = [
    "degree",
    "inDegree",
    "outDegree",
    "strength",
    "component",
    "betweenness",
    "pageRank",
];

/// The same for every request: what a graph lacks is absent and says why.
pub(crate) fn slots(_request: &GraphRequest) -> Vec<Slot> {
    let number = |path: &str| Slot::derived(STRUCTURE, path, Shape::Number);
    let vector = |path: &str| Slot::derived(STRUCTURE, path, Shape::Vector);
    let mut slots: Vec<Slot> = COUNTS.iter().chain(&MEASURES).map(|path| number(path)).collect();
    slots.push(Slot::observed(STRUCTURE, "nodeKeys", Shape::Vector));
    slots.push(Slot::observed(STRUCTURE, "linkEnds", Shape::Vector));
    slots.extend(support_slots(STRUCTURE));
    slots.push(vector("degreeDistribution"));
    slots.extend(NODE_VALUES.iter().map(|path| vector(path)));
    slots.push(Slot::derived(COMMUNITIES, "communities", Shape::Number));
    slots.push(Slot::derived(COMMUNITIES, "modularity", Shape::Number));
    slots.push(Slot::derived(COMMUNITIES, "communitySizes", Shape::Vector));
    slots.push(Slot::derived(COMMUNITIES, "community", Shape::Vector));
    slots.push(Slot::derived(LAYOUT, "stress", Shape::Number));
    slots.extend(["x", "y", "z"].map(|axis| Slot::derived(LAYOUT, axis, Shape::Vector)));
    slots
}

pub(super) fn outputs(found: &Found<'_>, content: &GraphContent, request: &GraphRequest) -> Vec<Output> {
    let output = |slot: Slot| {
        let (measure, filled) = filled(found, content, request, &slot.path);
        Output::new(slot, measure, filled)
    };
    slots(request).into_iter().map(output).collect()
}

const NO_DIRECTION: &str = "links have no direction";

fn filled(
    found: &Found<'_>,
    content: &GraphContent,
    request: &GraphRequest,
    path: &str,
) -> (Measure, Filled) {
    let counted = |label: &str, n| (Measure::bare(label, Scale::Count), Filled::count(n));
    let measured = |label: &str, value, why| (Measure::bare(label, Scale::Ratio), Filled::number(value, why));
    let in_leaf = |label: &str, scale, there: bool, why| {
        let filled = if there {
            Filled::InLeaf
        } else {
            Filled::Absent(why)
        };
        (Measure::bare(label, scale), filled)
    };
    let (counts, structure) = (&content.counts, &content.structure);
    let directed = content.directed;
    let place = |axis: &str| {
        let measure = Measure::bare(format!("layout {axis}"), Scale::Interval).in_frame("layout");
        let filled = if found.layouts.is_some() {
            Filled::InLeaf
        } else {
            Filled::Absent(NO_LAYOUT)
        };
        (measure, filled)
    };
    match path {
        "nodes" => counted("nodes", counts.nodes),
        "links" => counted("links", counts.links),
        "linksExcluded" => counted("links left out", counts.links_excluded),
        "selfLoops" => counted("links of a node with itself", counts.self_loops),
        "parallelLinks" => counted("links merged into others", counts.parallel_links),
        "isolatedNodes" => counted("nodes without links", counts.isolated_nodes),
        "components" => counted("components", counts.components),
        "largestComponent" => counted("nodes in the largest component", counts.largest_component),
        "strongComponents" => (
            Measure::bare("strongly connected components", Scale::Count),
            Filled::number(counts.strong_components.map(Into::into), NO_DIRECTION),
        ),
        "density" => measured("density", Some(structure.density), "it is always given"),
        "reciprocity" => measured("reciprocity", structure.reciprocity, NO_DIRECTION),
        "transitivity" => measured(
            "transitivity",
            structure.transitivity,
            "no node has two neighbors",
        ),
        "meanClustering" => measured(
            "mean clustering coefficient of nodes with at least two neighbors",
            structure.mean_clustering,
            "no node has two neighbors",
        ),
        "degreeAssortativity" => (
            Measure::bare("degree assortativity", Scale::Interval),
            Filled::number(
                structure.degree_assortativity,
                "all degrees at the ends of links are equal",
            ),
        ),
        "rowKeys" => in_leaf("keys of the marks", Scale::Identifier, true, ""),
        "rowsUsed" => (Measure::counted("rows used"), Filled::count(content.rows_used)),
        "totalRows" => (
            Measure::counted("rows in the dataset"),
            Filled::count(content.total_rows),
        ),
        "rowsExcluded" => {
            let excluded = SafeInteger::new(content.total_rows.get() - content.rows_used.get());
            (
                Measure::counted("rows excluded"),
                Filled::count(excluded.unwrap_or(content.total_rows)),
            )
        }
        "nodeKeys" => in_leaf("node keys", Scale::Identifier, true, ""),
        "linkEnds" => {
            let filled = if content.links_leaf.is_some() {
                Filled::InLeaf
            } else if content.links.is_some() {
                Filled::InContent
            } else {
                Filled::Absent("more than 4,096 links; they stand in the dataset")
            };
            (Measure::bare("ends of links", Scale::Identifier), filled)
        }
        "degreeDistribution" => (Measure::bare("nodes by degree", Scale::Count), Filled::InContent),
        "degree" => in_leaf("degree", Scale::Count, true, ""),
        "inDegree" => in_leaf("links that arrive", Scale::Count, directed, NO_DIRECTION),
        "outDegree" => in_leaf("links that leave", Scale::Count, directed, NO_DIRECTION),
        "strength" => in_leaf(
            "strength",
            Scale::Ratio,
            request.weight.is_some(),
            "no weight is stated",
        ),
        "component" => in_leaf("component", Scale::Nominal, true, ""),
        "betweenness" => in_leaf(
            "betweenness",
            Scale::Ratio,
            found.betweenness.is_some(),
            "exact shortest paths are beyond 400 million steps",
        ),
        "pageRank" => in_leaf("PageRank", Scale::Proportion, true, ""),
        "communities" => counted("communities", content.communities.count),
        "modularity" => (
            Measure::bare("modularity", Scale::Interval),
            Filled::Number(content.communities.modularity),
        ),
        "communitySizes" => (
            Measure::bare("nodes by community", Scale::Count),
            Filled::InContent,
        ),
        "community" => in_leaf("community", Scale::Nominal, true, ""),
        "stress" => measured(
            "stress of the layout",
            content.layout.as_ref().map(|layout| layout.stress),
            NO_LAYOUT,
        ),
        axis => place(axis),
    }
}

const NO_LAYOUT: &str = "more than 1,000 nodes are not placed";
const _: () = assert!(MAX_LAYOUT_NODES == 1_000, "the reason above names the limit");
