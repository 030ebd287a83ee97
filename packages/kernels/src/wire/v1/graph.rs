//! What links connect: nodes, links, components, centrality, communities and a layout.

use identity::{Digest, Finite, SafeInteger};
use serde::{Deserialize, Serialize};

use super::Exclusion;

/// The request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GraphRequest {
    /// None for the links of the dataset; else the column of sources, the column of targets and, when links are
    /// weighted, the column of weights.
    pub columns: Vec<String>,
    /// The column of weights, or the member of the dataset's links that holds them; links weigh alike without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
    /// Whether links have a direction.
    pub direction: Direction,
    /// The probability, in `[0, 0.99]`, with which the walker of PageRank follows a link.
    pub damping: Finite,
    /// How much a community must be denser than chance; greater gives smaller communities. Positive.
    pub resolution: Finite,
    /// From which the orders of moves and the first places of nodes follow.
    pub seed: SafeInteger,
    /// How many times the search for communities starts, each time in another order; from 1 to 100.
    pub starts: SafeInteger,
    /// How many times the layout moves every node; from 1 to 1,000.
    pub layout_steps: SafeInteger,
}

/// Whether links have a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// As the file says; without one when it does not say.
    AsStated,
    /// From source to target.
    Directed,
    /// None.
    Undirected,
}

/// The answer. A quantity that does not exist is absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GraphContent {
    /// As in the request.
    pub columns: Vec<String>,
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows used: those that state a link, or, for the links of a dataset, those that are nodes, which all are.
    pub rows_used: SafeInteger,
    /// Rows left out, by reason.
    pub excluded: Vec<Exclusion>,
    /// Whether links were taken with their direction.
    pub directed: bool,
    /// What was counted.
    pub counts: GraphCounts,
    /// Measures of the whole.
    pub structure: GraphStructure,
    /// How many nodes have how many links, in order of degree.
    pub degrees: Vec<DegreeCount>,
    /// The same for links that arrive; only with direction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_degrees: Option<Vec<DegreeCount>>,
    /// The same for links that leave; only with direction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_degrees: Option<Vec<DegreeCount>>,
    /// The merged links in the order of their ends' keys; absent when there are more than 4,096.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<GraphLink>>,
    /// Groups of nodes.
    pub communities: GraphCommunities,
    /// How well the layout keeps distances; absent above 1,000 nodes, where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<GraphLayout>,
    /// Digest of the leaf's bytes (`kernels::leaf`): one row a node.
    pub leaf: Digest,
    /// Digest of the further leaf: one row a merged link with the places of its ends; there exactly with a layout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links_leaf: Option<Digest>,
}

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GraphCounts {
    /// Nodes.
    pub nodes: SafeInteger,
    /// Links after merging, between different nodes.
    pub links: SafeInteger,
    /// Links as stated, in the file or the rows.
    pub stated_links: SafeInteger,
    /// Stated links left out for lack of an end or of a weight.
    pub links_excluded: SafeInteger,
    /// Stated links of a node with itself, left out of every measure.
    pub self_loops: SafeInteger,
    /// Stated links merged into another one between the same nodes.
    pub parallel_links: SafeInteger,
    /// Nodes without a link to another one.
    pub isolated_nodes: SafeInteger,
    /// Sets of nodes that hang together, whatever the direction of links.
    pub components: SafeInteger,
    /// Nodes in the largest of them.
    pub largest_component: SafeInteger,
    /// Sets of nodes that reach each other along the direction of links; only with direction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strong_components: Option<SafeInteger>,
}

/// Measures of the whole; each between −1 and 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GraphStructure {
    /// Links there are of links there could be.
    pub density: Finite,
    /// Links whose opposite exists too; only with direction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reciprocity: Option<Finite>,
    /// Paths of two links that a third one closes; absent when there is no such path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transitivity: Option<Finite>,
    /// Mean over the nodes with two neighbors or more of the pairs of their neighbors that are linked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_clustering: Option<Finite>,
    /// Correlation of the degrees at both ends of a link; absent when all are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degree_assortativity: Option<Finite>,
}

/// How many nodes have one degree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DegreeCount {
    /// Links of a node.
    pub degree: SafeInteger,
    /// Nodes with so many.
    pub nodes: SafeInteger,
}

/// A merged link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GraphLink {
    /// Key of a node.
    pub source: String,
    /// Key of another one; without direction, the later one in the order of keys.
    pub target: String,
    /// Sum of the weights; only when weights are stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<Finite>,
}

/// Groups of nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GraphCommunities {
    /// How many.
    pub count: SafeInteger,
    /// Nodes in each of the largest 4,096, in the order of their labels `1`, `2`, …
    pub sizes: Vec<SafeInteger>,
    /// Links inside communities beyond those that chance would put there, at the resolution of the request.
    pub modularity: Finite,
}

/// How well places keep distances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GraphLayout {
    /// Mean over pairs of the squared relative error of the distance; 0 is perfect.
    pub stress: Finite,
    /// The distance, in links, that stands between nodes that nothing connects; absent when all hang together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<SafeInteger>,
}
