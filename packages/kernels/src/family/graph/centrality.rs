//! Who stands between others, and where a walker ends up.
//!
//! Betweenness: U. Brandes, J. Math. Sociol. 25 (2001) 163; every link has length 1, direction counts, ends do not.
//! Time O(nodes · links), so it is exact up to [`MAX_BETWEENNESS_STEPS`] and left out beyond; memory O(nodes) for every 64
//! sources. Sources are taken 64 at a time in the order of the keys, and the parts added in that order, whatever thread
//! was first: the error is that of adding `n` doubles, below `n · 2^−53` of the sum of parts.
//!
//! PageRank: L. Page and S. Brin, Computer Networks 30 (1998) 107. The power method contracts by the damping at every
//! step, so after `k` steps the sum of absolute errors is below `2 · damping^k`; `k` is chosen for 1e-15, and what a node
//! without a way out holds is spread over all. Time O(links) a step.

use rayon::prelude::*;

use super::links::{Adjacency, Graph};

/// The most nodes times nodes and links for exact betweenness.
pub(super) const MAX_BETWEENNESS_STEPS: u64 = 400_000_000;
/// Sources in one part.
const SOURCES: usize = 64;
/// The greatest damping.
pub(super) const MAX_DAMPING: f64 = 0.99;

/// Whether exact betweenness is within reach.
pub(super) fn betweenness_fits(graph: &Graph) -> bool {
    let n_nodes = graph.n_nodes() as u64;
    n_nodes * (n_nodes + graph.out.n_arcs() as u64) <= MAX_BETWEENNESS_STEPS
}

/// The share of the shortest paths between two other nodes that pass through a node, over all ordered pairs of others.
pub(super) fn betweenness(out: &Adjacency) -> Vec<f64> {
    let n_nodes = out.n_nodes();
    let sources: Vec<usize> = (0..n_nodes).collect();
    let parts: Vec<Vec<f64>> = sources
        .par_chunks(SOURCES)
        .map(|sources| {
            let mut search = Search::new(n_nodes);
            let mut part = vec![0.0; n_nodes];
            for source in sources {
                search.from(out, *source, &mut part);
            }
            part
        })
        .collect();
    let mut total = vec![0.0; n_nodes];
    for part in parts {
        for (sum, value) in total.iter_mut().zip(part) {
            *sum += value;
        }
    }
    if n_nodes > 2 {
        let pairs = ((n_nodes - 1) * (n_nodes - 2)) as f64;
        for value in &mut total {
            *value /= pairs;
        }
    }
    total
}

/// What a search from one source needs, used again for the next.
struct Search {
    /// Steps from the source; `u32::MAX` before a node is found.
    steps: Vec<u32>,
    /// Shortest paths from the source.
    paths: Vec<f64>,
    /// Dependencies of the source on a node.
    rests: Vec<f64>,
    order: Vec<usize>,
}

impl Search {
    fn new(n_nodes: usize) -> Self {
        Self {
            steps: vec![u32::MAX; n_nodes],
            paths: vec![0.0; n_nodes],
            rests: vec![0.0; n_nodes],
            order: Vec::with_capacity(n_nodes),
        }
    }

    fn from(&mut self, out: &Adjacency, source: usize, part: &mut [f64]) {
        self.order.clear();
        self.order.push(source);
        (self.steps[source], self.paths[source]) = (0, 1.0);
        let mut at = 0;
        while let Some(node_idx) = self.order.get(at).copied() {
            at += 1;
            let step = self.steps[node_idx] + 1;
            for next in out.of(node_idx) {
                let next = *next as usize;
                if self.steps[next] == u32::MAX {
                    self.steps[next] = step;
                    self.order.push(next);
                }
                if self.steps[next] == step {
                    self.paths[next] += self.paths[node_idx];
                }
            }
        }
        for node_idx in self.order.iter().rev().copied() {
            let step = self.steps[node_idx] + 1;
            let mut rest = 0.0;
            for next in out.of(node_idx) {
                let next = *next as usize;
                if self.steps[next] == step {
                    rest += self.paths[node_idx] / self.paths[next] * (1.0 + self.rests[next]);
                }
            }
            self.rests[node_idx] = rest;
            if node_idx != source {
                part[node_idx] += rest;
            }
        }
        for node_idx in &self.order {
            self.steps[*node_idx] = u32::MAX;
            (self.paths[*node_idx], self.rests[*node_idx]) = (0.0, 0.0);
        }
    }
}

/// Where a walker is found who follows links by their weight with probability `damping` and jumps anywhere else.
/// The parts add up to 1.
pub(super) fn page_rank(graph: &Graph, damping: f64) -> Vec<f64> {
    let n_nodes = graph.n_nodes();
    let even = 1.0 / n_nodes as f64;
    let strengths: Vec<f64> = (0..n_nodes).map(|idx| graph.out.strength(idx)).collect();
    let mut ranks = vec![even; n_nodes];
    let mut shares = vec![0.0; n_nodes];
    for _ in 0..n_steps(damping) {
        let mut stuck = 0.0;
        for (node_idx, rank) in ranks.iter().enumerate() {
            let strength = strengths[node_idx];
            if strength > 0.0 {
                shares[node_idx] = rank / strength;
            } else {
                stuck += rank;
            }
        }
        let jump = ((1.0 - damping) + damping * stuck) * even;
        let mut moved = 0.0;
        for (node_idx, rank) in ranks.iter_mut().enumerate() {
            let arrive = |sum: f64, (from, weight): (usize, f64)| sum + weight * shares[from];
            let next = jump + damping * graph.inward.weighted(node_idx).fold(0.0, arrive);
            moved += (next - *rank).abs();
            *rank = next;
        }
        if moved <= f64::EPSILON * even {
            break;
        }
    }
    ranks
}

/// Steps after which `2 · damping^k` is below 1e-15.
pub(super) fn n_steps(damping: f64) -> usize {
    let mut left = 2.0;
    let mut n = 1;
    while left > 1e-15 && damping > 0.0 {
        left *= damping;
        n += 1;
    }
    n
}
