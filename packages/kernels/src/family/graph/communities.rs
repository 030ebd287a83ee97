//! Groups of nodes with more links inside than chance would put there.
//!
//! Modularity at resolution γ is `Σ_c (L_c/m − γ·(k_c/2m)²)`, with the weight `L_c` inside a group, the weight `k_c` at its
//! nodes and `m` of all links (M. E. J. Newman and M. Girvan, Phys. Rev. E 69 (2004) 026113; J. Reichardt and
//! S. Bornholdt, Phys. Rev. E 74 (2006) 016110). Links count without direction; where they run both ways, both count.
//!
//! The search is that of V. Blondel et al., J. Stat. Mech. (2008) P10008: nodes move one by one to the neighboring group
//! that gains most, groups become nodes, and so on. A group that fell apart is cut into its pieces, which gains too. The
//! search goes on from what it found, node by node again, until it finds the same; so every group hangs together (the fault that V. Traag et al., Sci. Rep. 9 (2019) 5233
//! found in the original). Each start visits the nodes in the order of SHA-256 over seed, start and node key, so neither
//! the order of nodes nor that of links in the file shows. The best modularity wins; between equal ones, the grouping
//! whose numbers come first.
//!
//! Time O(links) a pass, a handful of passes a level; memory O(nodes + links) for every start. Sums run in the order of
//! the keys; the error of modularity is below `(n + 2) · 2^−52`.

use identity::Digest;
use rayon::prelude::*;

use super::links::{Adjacency, Graph};
use super::structure::{Groups, connected};

/// A gain smaller than this, in parts of all weight, is none: moves that only exchange rounding errors never end.
const LEAST_GAIN: f64 = 1e-12;
/// Passes over all nodes of a level, and restarts after cutting; hardly ever reached.
const MAX_PASSES: usize = 100;

/// Groups with their modularity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Communities {
    pub(crate) groups: Groups,
    pub(crate) modularity: f64,
}

/// What the search found from each start, the best first.
pub(super) fn search(graph: &Graph, resolution: f64, seed: i64, n_starts: usize) -> Vec<Communities> {
    let starts: Vec<usize> = (0..n_starts).collect();
    let mut found: Vec<Communities> = starts
        .par_iter()
        .map(|start| {
            let order = order(&graph.keys, seed, *start);
            let groups = from_start(&graph.neighbors, resolution, &order);
            let modularity = modularity(&graph.neighbors, &groups, resolution);
            Communities { groups, modularity }
        })
        .collect();
    let better = |a: &Communities, b: &Communities| {
        let by_modularity = b.modularity.total_cmp(&a.modularity);
        by_modularity.then_with(|| a.groups.of_node.cmp(&b.groups.of_node))
    };
    found.sort_by(better);
    found
}

/// The nodes in the order of a start.
fn order(keys: &[String], seed: i64, start: usize) -> Vec<usize> {
    let mut by_digest: Vec<(Digest, usize)> = keys
        .iter()
        .enumerate()
        .map(|(node_idx, key)| (Digest::of(format!("{seed}:{start}:{key}").as_bytes()), node_idx))
        .collect();
    by_digest.sort_unstable();
    by_digest.into_iter().map(|(_, node_idx)| node_idx).collect()
}

/// The modularity of groups.
pub(crate) fn modularity(neighbors: &Adjacency, groups: &Groups, resolution: f64) -> f64 {
    let (mut inside, mut total) = (vec![0.0; groups.n()], vec![0.0; groups.n()]);
    let mut all = 0.0;
    for node_idx in 0..neighbors.n_nodes() {
        let group = groups.of_node[node_idx];
        for (next, weight) in neighbors.weighted(node_idx) {
            total[group as usize] += weight;
            all += weight;
            if groups.of_node[next] == group {
                inside[group as usize] += weight;
            }
        }
    }
    let part = |(inside, total): (f64, f64)| {
        let share = total / all;
        inside / all - resolution * share * share
    };
    inside
        .into_iter()
        .zip(total)
        .map(part)
        .fold(0.0, |sum, part| sum + part)
}

/// How far two groupings agree beyond chance: the adjusted Rand index (L. Hubert and P. Arabie, J. Classif. 2 (1985)
/// 193), 1 for equal ones and about 0 for unrelated ones. Counted in integers and divided once.
pub(crate) fn agreement(a: &Groups, b: &Groups) -> f64 {
    let pairs = |n: usize| (n as i128) * (n as i128 - 1) / 2;
    let mut together: Vec<(u32, u32)> = a.of_node.iter().copied().zip(b.of_node.iter().copied()).collect();
    together.sort_unstable();
    let both: i128 = together
        .chunk_by(|one, other| one == other)
        .map(|cell| pairs(cell.len()))
        .sum();
    let in_a: i128 = a.sizes.iter().map(|n| pairs(*n)).sum();
    let in_b: i128 = b.sizes.iter().map(|n| pairs(*n)).sum();
    let all = pairs(a.of_node.len());
    let apart = (in_a + in_b) * all - 2 * in_a * in_b;
    if apart == 0 {
        return 1.0;
    }
    (2 * (both * all - in_a * in_b)) as f64 / apart as f64 + 0.0
}

fn from_start(neighbors: &Adjacency, resolution: f64, order: &[usize]) -> Groups {
    // Node by place in the order, so that levels can count from 0.
    let mut place = vec![0_u32; order.len()];
    for (at, node_idx) in (0_u32..).zip(order) {
        place[*node_idx] = at;
    }
    let mut groups = Groups {
        of_node: place,
        sizes: vec![1; order.len()],
    };
    for _ in 0..MAX_PASSES {
        let found = ascend(neighbors, resolution, order, &groups.of_node);
        let found = connected(neighbors, Some(&found));
        if found == groups {
            break;
        }
        groups = found;
    }
    groups
}

/// Moves nodes, then groups of them, until nothing gains.
fn ascend(neighbors: &Adjacency, resolution: f64, order: &[usize], labels: &[u32]) -> Vec<u32> {
    let mut level = Level {
        adjacency: neighbors.clone(),
        inside: vec![0.0; neighbors.n_nodes()],
    };
    let mut visit = order.to_vec();
    let mut start = renumbered(labels, order);
    // The node of the level for every node of the graph.
    let mut holder: Vec<u32> = (0_u32..).take(neighbors.n_nodes()).collect();
    loop {
        let moved = level.moves(resolution, &visit, start);
        let groups = renumbered(&moved, &visit);
        for held in &mut holder {
            *held = groups[*held as usize];
        }
        let n_groups = groups.iter().max().map_or(0, |last| *last as usize + 1);
        if n_groups == level.adjacency.n_nodes() {
            return holder;
        }
        level = level.folded(&groups, n_groups);
        visit = (0..n_groups).collect();
        start = (0_u32..).take(n_groups).collect();
    }
}

/// The same groups, numbered as they are first met.
fn renumbered(labels: &[u32], visit: &[usize]) -> Vec<u32> {
    let n_labels = labels.iter().max().map_or(0, |last| *last as usize + 1);
    let mut number = vec![u32::MAX; n_labels];
    let mut next = 0;
    for node_idx in visit {
        let label = labels[*node_idx] as usize;
        if number[label] == u32::MAX {
            number[label] = next;
            next += 1;
        }
    }
    labels.iter().map(|label| number[*label as usize]).collect()
}

/// Groups as nodes: the weight between them, and twice the weight inside each.
struct Level {
    adjacency: Adjacency,
    inside: Vec<f64>,
}

impl Level {
    /// Moves nodes one by one until a pass moves none; a group for every node.
    fn moves(&self, resolution: f64, visit: &[usize], mut group: Vec<u32>) -> Vec<u32> {
        let n_nodes = self.adjacency.n_nodes();
        let strength: Vec<f64> = (0..n_nodes)
            .map(|idx| self.adjacency.strength(idx) + self.inside[idx])
            .collect();
        let all: f64 = strength.iter().sum();
        let mut total = vec![0.0; n_nodes];
        for (node_idx, strength) in strength.iter().enumerate() {
            total[group[node_idx] as usize] += strength;
        }
        let mut toward = vec![0.0; n_nodes];
        let mut touched: Vec<u32> = Vec::new();
        for _ in 0..MAX_PASSES {
            let mut n_moved = 0_usize;
            for node_idx in visit.iter().copied() {
                let home = group[node_idx];
                for (next, weight) in self.adjacency.weighted(node_idx) {
                    let to = group[next];
                    if toward[to as usize] == 0.0 {
                        touched.push(to);
                    }
                    toward[to as usize] += weight;
                }
                let own = strength[node_idx];
                total[home as usize] -= own;
                let gain = |to: u32| toward[to as usize] - resolution * own * total[to as usize] / all;
                let (mut best, mut most) = (home, gain(home));
                for to in &touched {
                    let gained = gain(*to);
                    let more = gained - most;
                    if more > LEAST_GAIN * all
                        || (more.abs() <= LEAST_GAIN * all && best != home && *to < best)
                    {
                        (best, most) = (*to, gained);
                    }
                }
                total[best as usize] += own;
                n_moved += usize::from(best != home);
                group[node_idx] = best;
                for to in touched.drain(..) {
                    toward[to as usize] = 0.0;
                }
            }
            if n_moved == 0 {
                break;
            }
        }
        group
    }

    fn folded(&self, groups: &[u32], n_groups: usize) -> Self {
        let mut inside = vec![0.0; n_groups];
        let mut arcs = Vec::new();
        for (node_idx, within) in self.inside.iter().enumerate() {
            let group = groups[node_idx];
            inside[group as usize] += within;
            for (next, weight) in self.adjacency.weighted(node_idx) {
                if groups[next] == group {
                    inside[group as usize] += weight;
                } else {
                    arcs.push((group, groups[next], weight));
                }
            }
        }
        Self {
            adjacency: Adjacency::new(n_groups, arcs),
            inside,
        }
    }
}
