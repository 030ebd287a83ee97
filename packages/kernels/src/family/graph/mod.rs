//! `graph`: degree, components, centrality, communities and a layout of linked nodes.
//!
//! Nodes and links come from the links of a dataset, or from two columns that name the ends of links. Links of a node
//! with itself are counted and left out of every measure; several links between two nodes are merged into one, whose
//! weight is the sum of theirs. The leaf has one row a node; a graph with a layout has a further leaf, one row a link. Nodes stand in the order of their keys, so nothing depends on the order in a file; only
//! rows without a key column are known by their place.
//!
//! Which states are partial sums: the links by their ends ([`links::LinkSet`]). Everything else needs all links at
//! once; the modules say what it costs.

mod centrality;
mod communities;
mod layout;
mod limitations;
mod links;
mod outputs;
mod read;
mod receipts;
mod request;
mod structure;

use dataset::Dataset;
use identity::{Digest, SafeInteger};

use self::communities::Communities;
use self::layout::{Distances, Layout, MAX_LAYOUT_NODES};
use self::read::{Read, distribution};
use super::{Family, Parts};
use crate::analysis::Provenance;
use crate::error::KernelError;
use crate::leaf::{Columns, LeafColumn, LeafValues, RowKeys};
use crate::receipt;
use crate::summary::{count, finite};
use crate::watch::Watch;
use crate::wire::v1::graph::{
    DegreeCount, GraphCommunities, GraphCounts, GraphLayout, GraphLink, GraphStructure,
};
use crate::wire::v1::{Content, GraphContent, GraphRequest};

pub(crate) use self::outputs::slots;
pub(crate) use self::request::request;

/// The method behind `graph:<what>` receipts.
pub(crate) const METHOD: &str = "graph/merged-links";
const METHOD_VERSION: &str = "1.0.0";

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "graph",
    answers: "degree, components, centrality, communities and a layout of linked nodes",
    consumer: "nemosyne:consumer/forma-graph/v1",
    receipts: "graph:structure, graph:communities, graph:layout",
    needs_columns: false,
    has_leaf: true,
    further_leaves: 1,
    producers: &["communities", "layout", "structure"],
    paths: &[
        "betweenness",
        "communities",
        "community",
        "communitySizes",
        "component",
        "components",
        "degree",
        "degreeAssortativity",
        "degreeDistribution",
        "density",
        "inDegree",
        "isolatedNodes",
        "largestComponent",
        "linkEnds",
        "links",
        "linksExcluded",
        "meanClustering",
        "modularity",
        "nodeKeys",
        "nodes",
        "outDegree",
        "pageRank",
        "parallelLinks",
        "reciprocity",
        "rowKeys",
        "rowsExcluded",
        "rowsUsed",
        "selfLoops",
        "strength",
        "stress",
        "strongComponents",
        "totalRows",
        "transitivity",
        "x",
        "y",
        "z",
    ],
};

/// Links that the content can hold.
const MAX_CONTENT_LINKS: usize = 4_096;
const MAX_CONTENT_SIZES: usize = 4_096;
/// Everything computed, before it is told.
struct Found<'a> {
    read: Read<'a>,
    components: structure::Groups,
    strong: Option<usize>,
    closure: structure::Closure,
    assortativity: Option<f64>,
    betweenness: Option<Vec<f64>>,
    page_rank: Vec<f64>,
    communities: Vec<Communities>,
    /// After the steps of the request, after half and after twice as many, and from the next seed.
    layouts: Option<Layouts>,
}

struct Layouts {
    apart: Option<u16>,
    asked: Layout,
    half: f64,
    twice: f64,
    other_seed: f64,
}

pub(crate) fn answer(
    dataset: &Dataset,
    request: &GraphRequest,
    watch: &mut Watch<'_>,
) -> Result<Parts, KernelError> {
    request::check(request)?;
    watch.tell("reading links", 0, None)?;
    let read = read::read(dataset, request)?;
    let found = find(read, request, watch)?;
    watch.tell("trying other parameters", 0, None)?;
    let sensitivity = receipts::sensitivity(&found, request);
    let parameters = parameters(&found.read, request);
    let leaf = leaf(dataset, &found)?;
    let links_leaf = found
        .layouts
        .as_ref()
        .map(|layouts| links_leaf(&found, &layouts.asked));
    let links_leaf = links_leaf.transpose()?;
    let content = content(
        &found,
        request,
        leaf.digest(),
        links_leaf.as_ref().map(Columns::digest),
    );
    let limitations = limitations::limitations(&found);
    let receipts = receipts::receipts(dataset, &found, &parameters, &limitations, sensitivity);
    let outputs = outputs::outputs(&found, &content, request);
    let provenance = Provenance {
        method: METHOD,
        method_version: METHOD_VERSION,
        parameters,
        seed: Some(request.seed),
        normalization: "none",
        missingness: "links without an end or a weight are left out",
        sampling: "none",
        approximation: "EXACT",
        total_rows: count(found.read.n_rows),
        rows_used: count(found.read.n_rows_used),
        excluded: found.read.excluded.clone(),
        preserves: &["who is linked to whom", "node identity", "components", "degrees"],
        loses: &[
            "links of a node with itself",
            "how many links two nodes have",
            "attributes of links that were not chosen",
        ],
    };
    Ok(Parts {
        content: Content::Graph(Box::new(content)),
        leaf: Some(leaf),
        further_leaves: links_leaf.into_iter().collect(),
        outputs,
        receipts,
        provenance,
        limitations: limitations.all(),
    })
}

fn find<'a>(read: Read<'a>, request: &GraphRequest, watch: &mut Watch<'_>) -> Result<Found<'a>, KernelError> {
    let graph = &read.graph;
    let n_starts = request.starts.get() as usize;
    watch.tell("counting components and triangles", 0, None)?;
    let components = structure::connected(&graph.neighbors, None);
    let strong = graph.directed.then(|| structure::n_strong(&graph.out));
    let closure = structure::closure(&graph.neighbors);
    let assortativity = structure::assortativity(graph);
    watch.tell("following shortest paths", 0, Some(graph.n_nodes()))?;
    let betweenness = centrality::betweenness_fits(graph).then(|| centrality::betweenness(&graph.out));
    let page_rank = centrality::page_rank(graph, request.damping.get());
    watch.tell("searching communities", 0, Some(n_starts))?;
    let communities = communities::search(graph, request.resolution.get(), request.seed.get(), n_starts);
    let layouts = if graph.n_nodes() <= MAX_LAYOUT_NODES {
        Some(layouts(&read, request, watch)?)
    } else {
        None
    };
    Ok(Found {
        read,
        components,
        strong,
        closure,
        assortativity,
        betweenness,
        page_rank,
        communities,
        layouts,
    })
}

fn layouts(read: &Read<'_>, request: &GraphRequest, watch: &mut Watch<'_>) -> Result<Layouts, KernelError> {
    let graph = &read.graph;
    let distances = Distances::new(&graph.neighbors);
    let (seed, n_steps) = (request.seed.get(), request.layout_steps.get() as usize);
    let wanted = [n_steps.div_ceil(2), n_steps, 2 * n_steps];
    let mut told = |step: usize| watch.tell("placing nodes", step, Some(3 * n_steps));
    let mut found = layout::steps(graph, &distances, seed, &wanted, &mut told)?;
    let other = layout::steps(graph, &distances, seed + 1, &[n_steps], |step| {
        told(2 * n_steps + step)
    })?;
    let twice = found.pop().map_or(0.0, |layout| layout.stress);
    let asked = found.pop().unwrap_or(Layout {
        places: Vec::new(),
        stress: 0.0,
    });
    Ok(Layouts {
        apart: distances.apart,
        half: found.pop().map_or(asked.stress, |layout| layout.stress),
        other_seed: other.last().map_or(0.0, |layout| layout.stress),
        asked,
        twice,
    })
}

fn parameters(read: &Read<'_>, request: &GraphRequest) -> Vec<(String, String)> {
    let links = match request.columns.as_slice() {
        [source, target, ..] => receipt::joined(&[source, target]),
        _ => "the links of the dataset".to_owned(),
    };
    let direction = match (read.graph.directed, read.direction_stated) {
        (true, _) => "from source to target",
        (false, true) => "none, as stated",
        (false, false) => "none, as nobody stated it",
    };
    let weight = request.weight.clone().unwrap_or_else(|| "none".to_owned());
    [
        ("links", links),
        ("direction", direction.to_owned()),
        ("weight", weight),
        ("selfLoops", "counted, left out".to_owned()),
        ("parallelLinks", "merged, weights added".to_owned()),
        ("damping", request.damping.to_string()),
        ("resolution", request.resolution.to_string()),
        ("seed", request.seed.to_string()),
        ("starts", request.starts.to_string()),
        ("layoutSteps", request.layout_steps.to_string()),
        ("layoutDimensions", "3".to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

/// One row a node, in the order of the keys.
fn leaf(dataset: &Dataset, found: &Found<'_>) -> Result<Columns, KernelError> {
    let graph = &found.read.graph;
    let n_nodes = graph.n_nodes();
    let keys = if !found.read.nodes_are_rows {
        let node = |key: &String| format!("node:{key}");
        RowKeys::Keys(graph.keys.iter().map(node).collect())
    } else if dataset.key_column().is_some() {
        RowKeys::Keys(graph.keys.clone())
    } else {
        RowKeys::Ordinals((1..).take(n_nodes).collect())
    };
    let degrees = |of: &links::Adjacency| (0..n_nodes).map(|idx| of.degree(idx) as f64).collect();
    let mut columns = vec![("degree", numbers(degrees(&graph.neighbors)))];
    if graph.directed {
        columns.push(("inDegree", numbers(degrees(&graph.inward))));
        columns.push(("outDegree", numbers(degrees(&graph.out))));
    }
    if found.read.weighted {
        let strengths = (0..n_nodes).map(|idx| graph.neighbors.strength(idx));
        columns.push(("strength", numbers(strengths.collect())));
    }
    columns.push(("component", groups(&found.components)));
    if let Some(betweenness) = &found.betweenness {
        columns.push(("betweenness", numbers(betweenness.clone())));
    }
    columns.push(("pageRank", numbers(found.page_rank.clone())));
    columns.push(("community", groups(&found.communities[0].groups)));
    if let Some(layouts) = &found.layouts {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let coordinates = layouts.asked.places.iter().map(|place| place[axis]);
            columns.push((name, numbers(coordinates.collect())));
        }
    }
    let columns = columns
        .into_iter()
        .map(|(name, values)| LeafColumn::new(name, values));
    Ok(Columns::new(keys, columns.collect())?)
}

/// One row a merged link, in the order of its ends: their places in the leaf of nodes and in the layout. Links of a
/// node with itself are not there, and of parallel links there is one, with the sum of their weights.
fn links_leaf(found: &Found<'_>, layout: &Layout) -> Result<Columns, KernelError> {
    let graph = &found.read.graph;
    let key = |(from, to, _): &(u32, u32, f64)| {
        let ends = [&graph.keys[*from as usize], &graph.keys[*to as usize]];
        format!("link:{}", receipt::joined(&ends))
    };
    let of = |number: &dyn Fn(&(u32, u32, f64)) -> f64| numbers(graph.links.iter().map(number).collect());
    let mut columns = vec![
        LeafColumn::new("from", of(&|link| f64::from(link.0))),
        LeafColumn::new("to", of(&|link| f64::from(link.1))),
        LeafColumn::new("weight", of(&|link| link.2)),
    ];
    for (end, names) in [["x0", "y0", "z0"], ["x1", "y1", "z1"]].into_iter().enumerate() {
        for (axis, name) in names.into_iter().enumerate() {
            let place = |link: &(u32, u32, f64)| {
                let node = if end == 0 { link.0 } else { link.1 };
                layout.places[node as usize][axis]
            };
            columns.push(LeafColumn::new(name, of(&place)));
        }
    }
    let keys = RowKeys::Keys(graph.links.iter().map(key).collect());
    Ok(Columns::new(keys, columns)?)
}

fn numbers(values: Vec<f64>) -> LeafValues {
    LeafValues::Numbers(values)
}

/// Groups by their number from 1, as names: the largest is `1`.
fn groups(groups: &structure::Groups) -> LeafValues {
    let mut order: Vec<(String, usize)> = (0..groups.n()).map(|idx| ((idx + 1).to_string(), idx)).collect();
    // Digits alone: this order is theirs as UTF-16 too.
    order.sort_unstable();
    let mut code = vec![0_u32; groups.n()];
    for (place, (_, idx)) in (0_u32..).zip(&order) {
        code[*idx] = place;
    }
    LeafValues::Categories {
        labels: order.into_iter().map(|(label, _)| label).collect(),
        codes: groups.of_node.iter().map(|group| code[*group as usize]).collect(),
    }
}

fn content(
    found: &Found<'_>,
    request: &GraphRequest,
    leaf: Digest,
    links_leaf: Option<Digest>,
) -> GraphContent {
    let (read, graph) = (&found.read, &found.read.graph);
    let n_nodes = graph.n_nodes();
    let number = |value: f64| finite(value).expect("a quotient of counts is finite");
    let degrees = |of: &links::Adjacency| {
        let one = |(degree, nodes): (usize, usize)| DegreeCount {
            degree: count(degree),
            nodes: count(nodes),
        };
        let counted = distribution((0..n_nodes).map(|idx| of.degree(idx)));
        counted.into_iter().map(one).collect::<Vec<_>>()
    };
    let link = |(source, target, weight): &(u32, u32, f64)| GraphLink {
        source: graph.keys[*source as usize].clone(),
        target: graph.keys[*target as usize].clone(),
        weight: read.weighted.then_some(*weight).and_then(finite),
    };
    let best = &found.communities[0];
    GraphContent {
        columns: request.columns.clone(),
        total_rows: count(read.n_rows),
        rows_used: count(read.n_rows_used),
        excluded: read.excluded.clone(),
        directed: graph.directed,
        counts: GraphCounts {
            nodes: count(n_nodes),
            links: count(graph.links.len()),
            stated_links: count(read.n_stated),
            links_excluded: count(read.n_excluded),
            self_loops: count(graph.n_self_loops),
            parallel_links: count(graph.n_parallel),
            isolated_nodes: count(
                (0..n_nodes)
                    .filter(|idx| graph.neighbors.degree(*idx) == 0)
                    .count(),
            ),
            components: count(found.components.n()),
            largest_component: count(found.components.sizes[0]),
            strong_components: found.strong.map(count),
        },
        structure: GraphStructure {
            density: number(structure::density(graph)),
            reciprocity: graph.directed.then(|| number(structure::reciprocity(graph))),
            transitivity: found.closure.transitivity.map(number),
            mean_clustering: found.closure.mean_clustering.map(number),
            degree_assortativity: found.assortativity.map(number),
        },
        degrees: degrees(&graph.neighbors),
        in_degrees: graph.directed.then(|| degrees(&graph.inward)),
        out_degrees: graph.directed.then(|| degrees(&graph.out)),
        links: (graph.links.len() <= MAX_CONTENT_LINKS).then(|| graph.links.iter().map(link).collect()),
        communities: GraphCommunities {
            count: count(best.groups.n()),
            sizes: best
                .groups
                .sizes
                .iter()
                .take(MAX_CONTENT_SIZES)
                .map(|n| count(*n))
                .collect(),
            modularity: number(best.modularity),
        },
        layout: found.layouts.as_ref().map(|layouts| GraphLayout {
            stress: number(layouts.asked.stress),
            apart: layouts.apart.map(|apart| SafeInteger::from(u32::from(apart))),
        }),
        leaf,
        links_leaf,
    }
}

#[cfg(test)]
#[path = "../../tests/graph.rs"]
mod tests;
