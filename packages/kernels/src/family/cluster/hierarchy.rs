//! Groups at every density, and the ones that persist.
//!
//! R. J. G. B. Campello, D. Moulavi, J. Sander, Density-based clustering based on hierarchical density estimates, PAKDD
//! (2013) 160. Points join at mutual reachability distances; read from the top, a group parts where at least two parts
//! have the least size, and sheds points otherwise. Density is `λ = 1 / distance`. A group's excess of mass is the sum
//! over its points of the λ at which they leave it minus the λ at which it arose; of a group and the groups within it,
//! the selection keeps whichever has more, the outer on a tie. The whole is never a group: there are two groups or none.
//!
//! Three rules make the answer independent of the order of rows. Of joins at one mutual reachability distance the one of
//! nearer rows comes first, so a row between two groups goes to the nearer one. Joins that tie in that too are one join,
//! of as many parts as there are, where binary trees would put them in some order. And a distance of zero counts as the
//! least positive distance, so that equal rows are no denser than the densest rows that can be told apart.

use super::spanning::{Edge, Sets};

/// A join of parts at one distance. Points come first among the ids, then joins by rising distance.
struct Join {
    distance: f64,
    parts: Vec<u32>,
    n_points: usize,
}

/// A group of the condensed tree.
struct Group {
    parent: Option<usize>,
    /// λ at which it arose.
    born: f64,
    /// λ of the last event in it.
    last: f64,
    mass: f64,
}

/// What was selected.
pub(super) struct Selected {
    /// Number of the group of each place; `None` for noise.
    pub(super) groups: Vec<Option<u32>>,
    /// λ at which a point leaves over the last λ of its group, at most 1; 0 for noise.
    pub(super) strengths: Vec<f64>,
    /// The excess of mass of each group.
    pub(super) masses: Vec<f64>,
}

/// The groups that persist among `n` points joined by `edges`.
pub(super) fn select(n: usize, mut edges: Vec<Edge>, min_size: usize) -> Selected {
    let none = Selected {
        groups: vec![None; n],
        strengths: vec![0.0; n],
        masses: Vec::new(),
    };
    let positive = edges
        .iter()
        .map(|edge| edge.distance)
        .filter(|distance| *distance > 0.0);
    let least = positive.fold(f64::INFINITY, f64::min);
    if !least.is_finite() {
        return none;
    }
    for edge in &mut edges {
        edge.distance = edge.distance.max(least);
    }
    edges.sort_unstable_by(|x, y| {
        x.distance
            .total_cmp(&y.distance)
            .then(x.apart.total_cmp(&y.apart))
    });
    let joins = join(n, &edges);
    let (groups, left) = condense(n, &joins, min_size);
    choose(&groups, &left)
}

/// The joins by rising distance; the last one is of everything.
fn join(n: usize, edges: &[Edge]) -> Vec<Join> {
    let mut sets = Sets::new(n);
    let mut id_of_root: Vec<u32> = (0..n as u32).collect();
    let mut joins: Vec<Join> = Vec::new();
    for level in edges.chunk_by(|x, y| (x.distance, x.apart) == (y.distance, y.apart)) {
        let mut roots: Vec<u32> = level
            .iter()
            .flat_map(|edge| [edge.a, edge.b])
            .map(|place| sets.root(place))
            .collect();
        roots.sort_unstable();
        roots.dedup();
        for edge in level {
            sets.join(edge.a, edge.b);
        }
        // A root is the least place of its set, so parts come in the order of their least places.
        let mut parts: Vec<(u32, u32)> = roots
            .iter()
            .map(|root| (sets.root(*root), id_of_root[*root as usize]))
            .collect();
        parts.sort_by_key(|(root, _)| *root);
        for parts in parts.chunk_by(|x, y| x.0 == y.0) {
            let parts_of: Vec<u32> = parts.iter().map(|(_, id)| *id).collect();
            id_of_root[parts[0].0 as usize] = (n + joins.len()) as u32;
            joins.push(Join {
                distance: level[0].distance,
                n_points: parts_of.iter().map(|id| size(n, &joins, *id)).sum(),
                parts: parts_of,
            });
        }
    }
    joins
}

fn size(n: usize, joins: &[Join], id: u32) -> usize {
    (id as usize).checked_sub(n).map_or(1, |idx| joins[idx].n_points)
}

/// The groups, parents first, and for each point the group and λ at which it left.
fn condense(n: usize, joins: &[Join], min_size: usize) -> (Vec<Group>, Vec<(usize, f64)>) {
    let mut groups = vec![Group {
        parent: None,
        born: 0.0,
        last: 0.0,
        mass: 0.0,
    }];
    let mut left = vec![(0, 0.0); n];
    let mut open = vec![(joins.len() - 1, 0_usize)];
    let mut shed = Vec::new();
    while let Some((join_idx, group_idx)) = open.pop() {
        let Join { distance, parts, .. } = &joins[join_idx];
        let lambda = 1.0 / distance;
        let is_large = |id: &u32| size(n, joins, *id) >= min_size && *id as usize >= n;
        let n_large = parts.iter().filter(|id| is_large(id)).count();
        groups[group_idx].last = groups[group_idx].last.max(lambda);
        for id in parts {
            let part_size = size(n, joins, *id);
            let goes_on = n_large == 1 && is_large(id);
            if goes_on {
                open.push((*id as usize - n, group_idx));
                continue;
            }
            groups[group_idx].mass += part_size as f64 * (lambda - groups[group_idx].born);
            if is_large(id) {
                groups.push(Group {
                    parent: Some(group_idx),
                    born: lambda,
                    last: lambda,
                    mass: 0.0,
                });
                open.push((*id as usize - n, groups.len() - 1));
                continue;
            }
            shed.push(*id);
            while let Some(id) = shed.pop() {
                match (id as usize).checked_sub(n) {
                    Some(idx) => shed.extend(&joins[idx].parts),
                    None => left[id as usize] = (group_idx, lambda),
                }
            }
        }
    }
    (groups, left)
}

fn choose(groups: &[Group], left: &[(usize, f64)]) -> Selected {
    // Children stand after their parents.
    let mut within = vec![0.0; groups.len()];
    let mut is_kept = vec![false; groups.len()];
    for (idx, group) in groups.iter().enumerate().rev() {
        let Some(parent) = group.parent else {
            continue;
        };
        // A group that arises and parts at one distance has no mass and is none.
        is_kept[idx] = group.mass > 0.0 && within[idx] <= group.mass;
        within[parent] += group.mass.max(within[idx]);
    }
    let mut number: Vec<Option<u32>> = vec![None; groups.len()];
    let mut kept: Vec<usize> = Vec::new();
    for (idx, group) in groups.iter().enumerate() {
        number[idx] = group.parent.and_then(|parent| number[parent]);
        if number[idx].is_none() && is_kept[idx] {
            number[idx] = Some(kept.len() as u32);
            kept.push(idx);
        }
    }
    let strength = |(group_idx, lambda): &(usize, f64)| {
        number[*group_idx].map_or(0.0, |number| {
            let last = groups[kept[number as usize]].last;
            lambda.min(last) / last
        })
    };
    Selected {
        groups: left.iter().map(|(group_idx, _)| number[*group_idx]).collect(),
        strengths: left.iter().map(strength).collect(),
        masses: kept.iter().map(|idx| groups[*idx].mass).collect(),
    }
}
