//! DBSCAN: groups of points that are dense at one scale.
//!
//! M. Ester, H.-P. Kriegel, J. Sander, X. Xu, A density-based algorithm for discovering clusters, KDD (1996) 226. A
//! point with at least `min_points` points within ε, itself among them, is a core; cores within ε of each other are in
//! one group. A border point, within ε of a core without being one, belongs to the group of its nearest core and on a
//! tie of the core that comes first in the order of the space, where the original takes whichever group is found first.
//! Time grows with the pairs within ε; memory O(n).

use rayon::prelude::*;

use super::neighbors::Tree;
use super::spanning::Sets;
use super::{Found, Standing};
use crate::family::space::Points;

/// The groups at `radius`.
pub(super) fn run(points: &Points, radius: f64, min_points: usize) -> Found {
    let tree = Tree::of(points);
    let n = points.n();
    let is_core = |place: usize| {
        let mut n_within = 0;
        tree.within(points.point(place), radius, &mut |_, _| n_within += 1);
        n_within >= min_points
    };
    let cores: Vec<bool> = (0..n).into_par_iter().map(is_core).collect();
    let mut sets = Sets::new(n);
    for place in (0..n).filter(|place| cores[*place]) {
        tree.within(points.point(place), radius, &mut |other, _| {
            if cores[other] && other < place {
                sets.join(other as u32, place as u32);
            }
        });
    }
    let nearest_core = |place: usize| {
        let mut nearest: Option<(f64, usize)> = None;
        tree.within(points.point(place), radius, &mut |other, squared| {
            let closer = nearest.is_none_or(|(least, at)| squared < least || squared == least && other < at);
            if cores[other] && closer {
                nearest = Some((squared, other));
            }
        });
        nearest.map(|(_, core)| core)
    };
    let belongs_to = |place: usize| {
        if cores[place] {
            Some(place)
        } else {
            nearest_core(place)
        }
    };
    let of_core: Vec<Option<usize>> = (0..n).into_par_iter().map(belongs_to).collect();
    let mut number_of_root = vec![None; n];
    let mut n_groups = 0;
    let mut groups = vec![None; n];
    for place in 0..n {
        let Some(core) = of_core[place] else {
            continue;
        };
        let root = sets.root(core as u32) as usize;
        groups[place] = Some(*number_of_root[root].get_or_insert_with(|| {
            n_groups += 1;
            n_groups - 1
        }));
    }
    let standing = |(is_core, group): (&bool, &Option<u32>)| match (is_core, group) {
        (true, _) => Standing::Core,
        (false, Some(_)) => Standing::Border,
        (false, None) => Standing::Noise,
    };
    let standings = cores.iter().zip(&groups).map(standing).collect();
    Found {
        n_groups: n_groups as usize,
        standings: Some(standings),
        ..Found::of(groups)
    }
}

/// The radius where the distances to the `min_points`-th nearest point, itself counted, turn upward: of all of them in
/// rising order the one farthest below the chord from the first to the last, the earliest on a tie (the knee of V.
/// Satopää and others, ICDCSW (2011) 166, without smoothing). `None` when all are equal or the knee is at zero.
pub(super) fn knee(points: &Points, min_points: usize) -> Option<f64> {
    let mut distances = Tree::of(points).kth_squared(min_points);
    distances
        .iter_mut()
        .for_each(|distance| *distance = distance.sqrt());
    distances.sort_unstable_by(f64::total_cmp);
    let (first, last) = (*distances.first()?, *distances.last()?);
    let n_steps = (distances.len() - 1) as f64;
    let mut farthest = (0.0, None);
    for (idx, distance) in distances.iter().enumerate() {
        let below = idx as f64 / n_steps - (distance - first) / (last - first);
        if below > farthest.0 {
            farthest = (below, Some(*distance));
        }
    }
    farthest.1.filter(|radius| *radius > 0.0)
}
