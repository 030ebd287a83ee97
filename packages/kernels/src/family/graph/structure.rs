//! How a graph hangs together: components, triangles, degrees at both ends of a link.
//!
//! Everything here is counted in integers and divided once, so no order of summation shows, with one exception: the mean
//! clustering coefficient adds one fraction a node in the order of the keys, with a relative error below `n · 2^−53`.
//!
//! Time O(nodes + links) for components (R. Tarjan, SIAM J. Comput. 1 (1972) 146, without recursion) and O(links^1.5) for
//! triangles (each link looks from its node of smaller degree; N. Chiba and T. Nishizeki, SIAM J. Comput. 14 (1985) 210).
//! Memory O(nodes + links). Degree assortativity: M. E. J. Newman, Phys. Rev. Lett. 89 (2002) 208701, equation 4, and
//! Phys. Rev. E 67 (2003) 026126 for links with direction.

use super::links::{Adjacency, Graph};

/// A set of groups of nodes: one number a node, from 0, the largest group first, equal ones by their first node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Groups {
    pub(crate) of_node: Vec<u32>,
    pub(crate) sizes: Vec<usize>,
}

impl Groups {
    /// The same groups with numbers that depend on nothing but who is together.
    pub(crate) fn numbered(labels: &[u32]) -> Self {
        let n_labels = labels.iter().max().map_or(0, |label| *label as usize + 1);
        let (mut sizes, mut first) = (vec![0_usize; n_labels], vec![usize::MAX; n_labels]);
        for (node_idx, label) in labels.iter().enumerate() {
            let label = *label as usize;
            sizes[label] += 1;
            first[label] = first[label].min(node_idx);
        }
        let mut order: Vec<usize> = (0..n_labels).filter(|label| sizes[*label] > 0).collect();
        order.sort_unstable_by(|a, b| sizes[*b].cmp(&sizes[*a]).then(first[*a].cmp(&first[*b])));
        let mut number = vec![0; n_labels];
        for (place, label) in (0_u32..).zip(&order) {
            number[*label] = place;
        }
        Self {
            of_node: labels.iter().map(|label| number[*label as usize]).collect(),
            sizes: order.into_iter().map(|label| sizes[label]).collect(),
        }
    }

    pub(crate) fn n(&self) -> usize {
        self.sizes.len()
    }
}

/// Nodes that hang together along `neighbors`, which go both ways, inside the groups of `within`.
pub(super) fn connected(neighbors: &Adjacency, within: Option<&[u32]>) -> Groups {
    let n_nodes = neighbors.n_nodes();
    let mut labels = vec![u32::MAX; n_nodes];
    let mut waiting = Vec::new();
    let mut label = 0;
    for start in 0..n_nodes {
        if labels[start] != u32::MAX {
            continue;
        }
        labels[start] = label;
        waiting.push(start);
        while let Some(node_idx) = waiting.pop() {
            for next in neighbors.of(node_idx) {
                let next = *next as usize;
                let together = within.is_none_or(|groups| groups[next] == groups[node_idx]);
                if together && labels[next] == u32::MAX {
                    labels[next] = label;
                    waiting.push(next);
                }
            }
        }
        label += 1;
    }
    Groups::numbered(&labels)
}

/// How many sets of nodes reach each other along the links.
pub(super) fn n_strong(out: &Adjacency) -> usize {
    const NEW: usize = usize::MAX;
    let n_nodes = out.n_nodes();
    let (mut found, mut low) = (vec![NEW; n_nodes], vec![0; n_nodes]);
    let mut open = vec![false; n_nodes];
    let (mut stack, mut path): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    let (mut clock, mut n_sets) = (0, 0);
    for start in 0..n_nodes {
        if found[start] != NEW {
            continue;
        }
        path.push((start, 0));
        while let Some((node_idx, at)) = path.pop() {
            if at == 0 {
                found[node_idx] = clock;
                low[node_idx] = clock;
                clock += 1;
                stack.push(node_idx);
                open[node_idx] = true;
            } else {
                let child = out.of(node_idx)[at - 1] as usize;
                if open[child] {
                    low[node_idx] = low[node_idx].min(low[child]);
                }
            }
            match out.of(node_idx).get(at) {
                Some(next) => {
                    path.push((node_idx, at + 1));
                    let next = *next as usize;
                    if found[next] == NEW {
                        path.push((next, 0));
                    }
                }
                None if low[node_idx] == found[node_idx] => {
                    n_sets += 1;
                    while let Some(member) = stack.pop() {
                        open[member] = false;
                        if member == node_idx {
                            break;
                        }
                    }
                }
                None => {}
            }
        }
    }
    n_sets
}

/// Paths of two links and the triangles that close them.
#[derive(Debug, PartialEq)]
pub(super) struct Closure {
    /// Closed paths of all paths of two links; `None` without such a path.
    pub(super) transitivity: Option<f64>,
    /// Mean over nodes with two neighbors or more; `None` without such a node.
    pub(super) mean_clustering: Option<f64>,
}

pub(super) fn closure(neighbors: &Adjacency) -> Closure {
    let n_nodes = neighbors.n_nodes();
    let mut triangles = vec![0_u64; n_nodes];
    let rank = |idx: usize| (neighbors.degree(idx), idx);
    for a in 0..n_nodes {
        let later: Vec<u32> = later_of(neighbors, a, rank);
        for (place, b) in later.iter().enumerate() {
            for c in &later[place + 1..] {
                if neighbors.has(*b as usize, *c) {
                    triangles[a] += 1;
                    triangles[*b as usize] += 1;
                    triangles[*c as usize] += 1;
                }
            }
        }
    }
    let (mut n_paths, mut n_closed) = (0_u64, 0_u64);
    let (mut sum, mut n_with) = (0.0, 0_u64);
    for (node_idx, closed) in triangles.into_iter().enumerate() {
        let degree = neighbors.degree(node_idx) as u64;
        let paths = degree * degree.saturating_sub(1) / 2;
        n_paths += paths;
        n_closed += closed;
        if paths > 0 {
            n_with += 1;
            sum += closed as f64 / paths as f64;
        }
    }
    Closure {
        transitivity: (n_paths > 0).then(|| n_closed as f64 / n_paths as f64),
        mean_clustering: (n_with > 0).then(|| sum / n_with as f64),
    }
}

/// The neighbors after a node in an order by degree: at most √(2·links) of them.
fn later_of<K: Ord>(neighbors: &Adjacency, node_idx: usize, rank: impl Fn(usize) -> K) -> Vec<u32> {
    let later = |next: &&u32| rank(**next as usize) > rank(node_idx);
    neighbors.of(node_idx).iter().filter(later).copied().collect()
}

/// Links there are of links there could be.
pub(super) fn density(graph: &Graph) -> f64 {
    let n_nodes = graph.n_nodes() as u64;
    let pairs = n_nodes * (n_nodes - 1) / if graph.directed { 1 } else { 2 };
    graph.links.len() as f64 / pairs as f64
}

/// Links whose opposite exists too.
pub(super) fn reciprocity(graph: &Graph) -> f64 {
    let returned = |(source, target, _): &&(u32, u32, f64)| graph.out.has(*target as usize, *source);
    graph.links.iter().filter(returned).count() as f64 / graph.links.len() as f64
}

/// The correlation of the degrees at both ends of a link: with direction, of the links that leave the source and those
/// that arrive at the target. `None` when the degrees at one end are all equal.
pub(super) fn assortativity(graph: &Graph) -> Option<f64> {
    let (mut n, mut xs, mut ys, mut xx, mut yy, mut xy) = (0_i128, 0_i128, 0_i128, 0_i128, 0_i128, 0_i128);
    let mut pair = |x: usize, y: usize| {
        let (x, y) = (x as i128, y as i128);
        n += 1;
        xs += x;
        ys += y;
        xx += x * x;
        yy += y * y;
        xy += x * y;
    };
    for (source, target, _) in &graph.links {
        let (source, target) = (*source as usize, *target as usize);
        pair(graph.out.degree(source), graph.inward.degree(target));
        if !graph.directed {
            pair(graph.out.degree(target), graph.inward.degree(source));
        }
    }
    let (x_spread, y_spread) = (n * xx - xs * xs, n * yy - ys * ys);
    if x_spread == 0 || y_spread == 0 {
        return None;
    }
    let together = (n * xy - xs * ys) as f64;
    let apart = (x_spread as f64).sqrt() * (y_spread as f64).sqrt();
    Some((together / apart).clamp(-1.0, 1.0))
}
