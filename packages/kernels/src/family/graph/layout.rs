//! Places for nodes, so that they can be drawn: layout, which measures nothing.
//!
//! Stress majorization (E. Gansner, Y. Koren and S. North, Graph Drawing 2004, LNCS 3383, 239): the nodes move one by one,
//! in the order of their keys, to where the squared relative errors of their distances to all others are least for a
//! bound that touches the stress from above; the stress never rises. The distance wanted between two nodes is the number
//! of links of a shortest path, direction ignored; between nodes that nothing connects it is one more than the longest
//! of these. Nodes start from their distances to four of them that lie far apart, with a third coordinate and a little
//! noise from SHA-256 over seed and key. The result is centered, and turned so that x has the widest spread and z the
//! least (principal axes); the node farthest along an axis is on its positive side.
//!
//! Time O(nodes²) a step and O(nodes · links) before; memory 2 bytes for every pair: up to [`MAX_LAYOUT_NODES`] nodes.

use identity::Digest;

use super::links::{Adjacency, Graph};

/// The most nodes that are placed.
pub(super) const MAX_LAYOUT_NODES: usize = 1_000;
/// Sweeps of the eigenvalue method; three coordinates need fewer.
const SWEEPS: usize = 16;

/// Places, one a node, in links.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) places: Vec<[f64; 3]>,
    /// Mean over pairs of the squared relative error of the distance.
    pub(super) stress: f64,
}

/// The distances wanted.
pub(super) struct Distances {
    n_nodes: usize,
    links: Vec<u16>,
    /// What stands between nodes that nothing connects, if there are such.
    pub(super) apart: Option<u16>,
}

impl Distances {
    pub(super) fn new(neighbors: &Adjacency) -> Self {
        const NONE: u16 = u16::MAX;
        let n_nodes = neighbors.n_nodes();
        let mut links = vec![NONE; n_nodes * n_nodes];
        let mut order = Vec::with_capacity(n_nodes);
        let mut longest = 0;
        for (source, row) in links.chunks_exact_mut(n_nodes).enumerate() {
            row[source] = 0;
            order.clear();
            order.push(source);
            let mut at = 0;
            while let Some(node_idx) = order.get(at).copied() {
                at += 1;
                for next in neighbors.of(node_idx) {
                    let next = *next as usize;
                    if row[next] == NONE {
                        row[next] = row[node_idx] + 1;
                        longest = longest.max(row[next]);
                        order.push(next);
                    }
                }
            }
        }
        let apart = links.contains(&NONE).then_some(longest + 1);
        if let Some(apart) = apart {
            for distance in &mut links {
                if *distance == NONE {
                    *distance = apart;
                }
            }
        }
        Self {
            n_nodes,
            links,
            apart,
        }
    }

    fn row(&self, node_idx: usize) -> &[u16] {
        &self.links[node_idx * self.n_nodes..(node_idx + 1) * self.n_nodes]
    }

    /// The node farthest from those in `from`, the first of equal ones.
    fn farthest(&self, from: &[usize]) -> usize {
        let mut best = (0, 0);
        for node_idx in 0..self.n_nodes {
            let row = self.row(node_idx);
            let nearest = from.iter().map(|other| row[*other]).min().unwrap_or(0);
            if nearest > best.0 {
                best = (nearest, node_idx);
            }
        }
        best.1
    }
}

/// Places after some steps, and after twice as many; `told` hears of every step and may stop.
pub(super) fn steps<E>(
    graph: &Graph,
    distances: &Distances,
    seed: i64,
    n_steps: &[usize],
    mut told: impl FnMut(usize) -> Result<(), E>,
) -> Result<Vec<Layout>, E> {
    let mut places = first_places(graph, distances, seed);
    let last = n_steps.iter().copied().max().unwrap_or(0);
    let mut layouts = Vec::with_capacity(n_steps.len());
    for step in 1..=last {
        told(step)?;
        for node_idx in 0..places.len() {
            places[node_idx] = nearer(&places, distances.row(node_idx), node_idx);
        }
        if n_steps.contains(&step) {
            layouts.push(Layout {
                stress: stress(&places, distances),
                places: turned(places.clone()),
            });
        }
    }
    Ok(layouts)
}

fn first_places(graph: &Graph, distances: &Distances, seed: i64) -> Vec<[f64; 3]> {
    let first = distances.farthest(&[0]);
    let second = distances.farthest(&[first]);
    let third = distances.farthest(&[first, second]);
    let fourth = distances.farthest(&[third]);
    let place = |(node_idx, key): (usize, &String)| {
        let row = distances.row(node_idx);
        let between = |a: usize, b: usize| (f64::from(row[a]) - f64::from(row[b])) / 2.0;
        let noise = noise(seed, key);
        [
            between(first, second) + 0.1 * noise[0],
            between(third, fourth) + 0.1 * noise[1],
            noise[2],
        ]
    };
    graph.keys.iter().enumerate().map(place).collect()
}

/// Three numbers in `[−1, 1)` from the name of a node.
fn noise(seed: i64, key: &str) -> [f64; 3] {
    let digest = Digest::of(format!("{seed}:layout:{key}").as_bytes());
    let bytes = digest.as_bytes();
    let one = |at: usize| {
        let word = bytes[at..at + 4]
            .iter()
            .fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
        f64::from(word) / f64::from(1_u32 << 31) - 1.0
    };
    [one(0), one(4), one(8)]
}

/// Where a node errs least, the others staying where they are.
fn nearer(places: &[[f64; 3]], wanted: &[u16], node_idx: usize) -> [f64; 3] {
    let here = places[node_idx];
    let (mut sum, mut weights) = ([0.0; 3], 0.0);
    for (other_idx, there) in places.iter().enumerate() {
        if other_idx == node_idx {
            continue;
        }
        let wanted = f64::from(wanted[other_idx]);
        let weight = 1.0 / (wanted * wanted);
        let apart = [here[0] - there[0], here[1] - there[1], here[2] - there[2]];
        let length = length(apart);
        let stretch = if length > 1e-9 { wanted / length } else { 0.0 };
        for axis in 0..3 {
            sum[axis] += weight * (there[axis] + stretch * apart[axis]);
        }
        weights += weight;
    }
    sum.map(|sum| sum / weights)
}

fn length(v: [f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

fn stress(places: &[[f64; 3]], distances: &Distances) -> f64 {
    let (mut sum, mut n_pairs) = (0.0, 0_u64);
    for (a, here) in places.iter().enumerate() {
        for (there, wanted) in places[a + 1..].iter().zip(&distances.row(a)[a + 1..]) {
            let wanted = f64::from(*wanted);
            let error = length([here[0] - there[0], here[1] - there[1], here[2] - there[2]]) / wanted - 1.0;
            sum += error * error;
            n_pairs += 1;
        }
    }
    if n_pairs == 0 { 0.0 } else { sum / n_pairs as f64 }
}

/// Centered, widest along x, the farthest node on the positive side of every axis; never −0.
fn turned(mut places: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    let n = places.len() as f64;
    for axis in 0..3 {
        let mean = places.iter().fold(0.0, |sum, place| sum + place[axis]) / n;
        for place in &mut places {
            place[axis] -= mean;
        }
    }
    let axes = principal_axes(&places);
    for place in &mut places {
        let old = *place;
        *place = axes.map(|axis| axis[0] * old[0] + axis[1] * old[1] + axis[2] * old[2]);
    }
    for axis in 0..3 {
        let mut farthest = 0.0_f64;
        for place in &places {
            if place[axis].abs() > farthest.abs() {
                farthest = place[axis];
            }
        }
        let sign = if farthest < 0.0 { -1.0 } else { 1.0 };
        for place in &mut places {
            place[axis] = place[axis] * sign + 0.0;
        }
    }
    places
}

/// The directions of greatest, middle and least spread, by Jacobi's method.
fn principal_axes(places: &[[f64; 3]]) -> [[f64; 3]; 3] {
    let mut spread = [[0.0_f64; 3]; 3];
    for place in places {
        for (row, a) in spread.iter_mut().zip(place) {
            for (cell, b) in row.iter_mut().zip(place) {
                *cell += a * b;
            }
        }
    }
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if spread[p][q] == 0.0 {
                continue;
            }
            let theta = (spread[q][q] - spread[p][p]) / (2.0 * spread[p][q]);
            let sign = if theta < 0.0 { -1.0 } else { 1.0 };
            let tangent = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            for row in &mut spread {
                let (a, b) = (row[p], row[q]);
                (row[p], row[q]) = (cosine * a - sine * b, sine * a + cosine * b);
            }
            let (a, b) = (spread[p], spread[q]);
            let (c, d) = (axes[p], axes[q]);
            for k in 0..3 {
                (spread[p][k], spread[q][k]) = (cosine * a[k] - sine * b[k], sine * a[k] + cosine * b[k]);
                (axes[p][k], axes[q][k]) = (cosine * c[k] - sine * d[k], sine * c[k] + cosine * d[k]);
            }
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| spread[*b][*b].total_cmp(&spread[*a][*a]).then(a.cmp(b)));
    order.map(|axis| axes[axis])
}
