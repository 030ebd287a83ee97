//! Links as stated, and the graph they make: nodes in the order of their keys, links merged, neighbors at hand.
//!
//! [`LinkSet`] is a [`Partial`]: counts and the sorted weights of every pair of ends, so it does not matter in which
//! order or on how many machines links were read. Everything after it needs all links at once.

use std::collections::BTreeMap;

use identity::utf16_cmp;

use crate::error::KernelError;
use crate::partial::Partial;

/// One link as stated.
#[derive(Clone, Debug)]
pub(crate) struct Stated {
    pub(crate) source: String,
    pub(crate) target: String,
    /// 1 where links weigh alike.
    pub(crate) weight: f64,
}

/// The links of a part of the data, by their ends.
///
/// Time O(links · log links); memory in proportion to the distinct pairs of ends and the stated links.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LinkSet {
    /// By source and target as stated; weights in increasing order, so that their sum has one value.
    by_ends: BTreeMap<(String, String), Vec<f64>>,
}

impl Partial for LinkSet {
    type Chunk<'a> = &'a [Stated];
    type Answer = Vec<(String, String, Vec<f64>)>;

    fn of(chunk: &[Stated]) -> Self {
        let mut by_ends: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
        for link in chunk {
            let ends = (link.source.clone(), link.target.clone());
            by_ends.entry(ends).or_default().push(link.weight);
        }
        for weights in by_ends.values_mut() {
            weights.sort_unstable_by(f64::total_cmp);
        }
        Self { by_ends }
    }

    fn merge(mut self, other: Self) -> Self {
        for (ends, weights) in other.by_ends {
            let merged = self.by_ends.entry(ends).or_default();
            merged.extend(weights);
            merged.sort_unstable_by(f64::total_cmp);
        }
        self
    }

    fn finish(self) -> Self::Answer {
        let one = |((source, target), weights)| (source, target, weights);
        self.by_ends.into_iter().map(one).collect()
    }
}

/// Neighbors by node, in increasing order, with the weight of what links them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adjacency {
    starts: Vec<usize>,
    ends: Vec<u32>,
    weights: Vec<f64>,
}

impl Adjacency {
    /// From `(node, neighbor, weight)` in any order; equal pairs are added up in increasing order of weight.
    pub(super) fn new(n_nodes: usize, mut arcs: Vec<(u32, u32, f64)>) -> Self {
        arcs.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let mut starts = vec![0; n_nodes + 1];
        let (mut ends, mut weights): (Vec<u32>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut last = None;
        for (node, neighbor, weight) in arcs {
            if last == Some((node, neighbor)) {
                if let Some(merged) = weights.last_mut() {
                    *merged += weight;
                }
                continue;
            }
            last = Some((node, neighbor));
            starts[node as usize + 1] += 1;
            ends.push(neighbor);
            weights.push(weight);
        }
        for node_idx in 0..n_nodes {
            starts[node_idx + 1] += starts[node_idx];
        }
        Self {
            starts,
            ends,
            weights,
        }
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn n_arcs(&self) -> usize {
        self.ends.len()
    }

    /// The neighbors of a node.
    pub(crate) fn of(&self, node_idx: usize) -> &[u32] {
        &self.ends[self.starts[node_idx]..self.starts[node_idx + 1]]
    }

    /// The neighbors of a node with the weight to each.
    pub(crate) fn weighted(&self, node_idx: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[node_idx]..self.starts[node_idx + 1];
        self.ends[range.clone()]
            .iter()
            .zip(&self.weights[range])
            .map(|(end, weight)| (*end as usize, *weight))
    }

    /// The sum of the weights of a node, in the order of its neighbors.
    pub(crate) fn strength(&self, node_idx: usize) -> f64 {
        let weights = &self.weights[self.starts[node_idx]..self.starts[node_idx + 1]];
        weights.iter().fold(0.0, |sum, weight| sum + weight)
    }

    pub(crate) fn degree(&self, node_idx: usize) -> usize {
        self.starts[node_idx + 1] - self.starts[node_idx]
    }

    pub(crate) fn has(&self, node_idx: usize, neighbor: u32) -> bool {
        self.of(node_idx).binary_search(&neighbor).is_ok()
    }
}

/// Nodes and merged links; a node's index is its place in the order of the keys and leaves this family only as a key.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// Keys in order: by UTF-16 code units, or by ordinal for numbered rows.
    pub(crate) keys: Vec<String>,
    pub(crate) directed: bool,
    /// Merged links in order of their ends; without direction, the earlier node first.
    pub(crate) links: Vec<(u32, u32, f64)>,
    pub(crate) n_self_loops: usize,
    pub(crate) n_parallel: usize,
    /// Whatever the direction; where links run both ways between two nodes, their weights add up.
    pub(crate) neighbors: Adjacency,
    /// Along the direction; equal to `neighbors` without one.
    pub(crate) out: Adjacency,
    /// Against the direction; equal to `neighbors` without one.
    pub(crate) inward: Adjacency,
}

/// Who the nodes are.
pub(crate) enum Nodes {
    /// These, in this order, whether they have links or not; every end is one of them.
    Known(Vec<String>),
    /// Whatever links name.
    Named,
}

impl Graph {
    /// The graph of a set of links.
    pub(super) fn new(set: LinkSet, nodes: Nodes, directed: bool) -> Result<Self, KernelError> {
        let stated = set.finish();
        let (keys, index) = indexed(nodes, &stated);
        let node = |key: &String| {
            index.get(key).copied().ok_or_else(|| KernelError::LinkUnusable {
                link: format!("to or from `{key}`"),
                problem: format!("`{key}` is no node of the dataset"),
            })
        };
        let (mut n_self_loops, mut n_parallel) = (0, 0);
        let mut merged: BTreeMap<(u32, u32), Vec<f64>> = BTreeMap::new();
        for (source, target, weights) in &stated {
            let (source, target) = (node(source)?, node(target)?);
            if source == target {
                n_self_loops += weights.len();
                continue;
            }
            let ends = if directed || source < target {
                (source, target)
            } else {
                (target, source)
            };
            merged.entry(ends).or_default().extend(weights);
        }
        let mut links = Vec::with_capacity(merged.len());
        for ((source, target), mut weights) in merged {
            n_parallel += weights.len() - 1;
            weights.sort_unstable_by(f64::total_cmp);
            links.push((
                source,
                target,
                weights.iter().fold(0.0, |sum, weight| sum + weight),
            ));
        }
        let n_nodes = keys.len();
        let forth = || links.iter().copied();
        let back = || {
            links
                .iter()
                .map(|(source, target, weight)| (*target, *source, *weight))
        };
        let neighbors = Adjacency::new(n_nodes, forth().chain(back()).collect());
        let (out, inward) = if directed {
            (
                Adjacency::new(n_nodes, forth().collect()),
                Adjacency::new(n_nodes, back().collect()),
            )
        } else {
            (neighbors.clone(), neighbors.clone())
        };
        Ok(Self {
            keys,
            directed,
            links,
            n_self_loops,
            n_parallel,
            neighbors,
            out,
            inward,
        })
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.keys.len()
    }
}

fn indexed(nodes: Nodes, stated: &[(String, String, Vec<f64>)]) -> (Vec<String>, BTreeMap<String, u32>) {
    let keys = match nodes {
        Nodes::Known(keys) => keys,
        Nodes::Named => {
            let ends = stated.iter().flat_map(|(source, target, _)| [source, target]);
            let mut keys: Vec<String> = ends.cloned().collect();
            keys.sort_unstable_by(|a, b| utf16_cmp(a, b));
            keys.dedup();
            keys
        }
    };
    let index = keys.iter().cloned().zip(0_u32..).collect();
    (keys, index)
}
