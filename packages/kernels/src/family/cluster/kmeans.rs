//! k-means: groups around means.
//!
//! S. P. Lloyd, Least squares quantization in PCM, IEEE Transactions on Information Theory 28 (1982) 129, from seeds
//! drawn by D. Arthur, S. Vassilvitskii, k-means++: the advantages of careful seeding, SODA (2007) 1027; the least sum of
//! squares among several starts is kept, the earliest on a tie.
//!
//! Seeds are drawn along the order of the space and compensated sums are taken along it, so nothing depends on the order of rows or on threads. A point as near to two centers belongs to the one numbered first.
//! A center without points moves to the point farthest from its own center, the first on a tie. O(n·k·d) a step; memory
//! O(n·d). The sums of a step given its centers are mergeable; the seeds need all points in order.

use rayon::prelude::*;

use super::Found;
use crate::compensated::{Compensated, sum};
use crate::family::seeded::Seeded;
use crate::family::space::{Points, distance_squared};

/// Steps of one start before it is given up on as not settled.
pub(super) const MAX_STEPS: usize = 300;

/// The best of several starts, each with its own stream under the seed.
pub(super) fn run(points: &Points, k: usize, n_starts: usize, seed: u64) -> Found {
    let k = k.min(points.n_distinct());
    let start = |idx: usize| {
        let mut seeded = Seeded::new(seed, idx as u64);
        settle(points, seeds(points, k, &mut seeded))
    };
    let starts: Vec<Settled> = (0..n_starts).into_par_iter().map(start).collect();
    let best = starts
        .into_iter()
        .reduce(|best, next| if next.inertia < best.inertia { next } else { best });
    let Some(best) = best else {
        return Found::of(vec![None; points.n()]);
    };
    let distances = best.squared.iter().map(|squared| squared.sqrt());
    Found {
        n_groups: k,
        distances: Some(distances.collect()),
        inertia: Some(best.inertia),
        settled: best.settled,
        ..Found::of(best.nearest.iter().map(|center| Some(*center)).collect())
    }
}

/// The settled groups of one start.
struct Settled {
    nearest: Vec<u32>,
    squared: Vec<f64>,
    inertia: f64,
    settled: bool,
}

fn seeds(points: &Points, k: usize, seeded: &mut Seeded) -> Vec<f64> {
    let n = points.n();
    let mut chosen = vec![seeded.below(n)];
    let mut squared: Vec<f64> = (0..n)
        .map(|place| points.distance_squared(place, chosen[0]))
        .collect();
    while chosen.len() < k {
        let total = sum(squared.iter().copied());
        let mark = seeded.unit() * total;
        let mut passed = Compensated::default();
        let passes = |weight: &f64| {
            passed.add(*weight);
            *weight > 0.0 && passed.total() > mark
        };
        // Rounding can leave the mark unpassed at the very end; then the last point off all centers is drawn.
        let drawn = squared.iter().position(passes);
        let last = || squared.iter().rposition(|weight| *weight > 0.0);
        let Some(drawn) = drawn.or_else(last) else {
            break;
        };
        chosen.push(drawn);
        for (place, least) in squared.iter_mut().enumerate() {
            *least = least.min(points.distance_squared(place, drawn));
        }
    }
    chosen
        .iter()
        .flat_map(|place| points.point(*place))
        .copied()
        .collect()
}

fn settle(points: &Points, mut centers: Vec<f64>) -> Settled {
    let n_dims = points.n_dims;
    let mut nearest = assign(points, &centers);
    let mut settled = false;
    for _ in 0..MAX_STEPS {
        centers = means(points, &nearest, centers.len() / n_dims);
        let next = assign(points, &centers);
        settled = next.iter().zip(&nearest).all(|(next, now)| next.0 == now.0);
        nearest = next;
        if settled {
            break;
        }
    }
    let (nearest, squared): (Vec<u32>, Vec<f64>) = nearest.into_iter().unzip();
    Settled {
        inertia: sum(squared.iter().copied()),
        nearest,
        squared,
        settled,
    }
}

pub(super) fn assign(points: &Points, centers: &[f64]) -> Vec<(u32, f64)> {
    let one = |place: usize| {
        let mut best = (0, f64::INFINITY);
        for (idx, center) in (0_u32..).zip(centers.chunks_exact(points.n_dims)) {
            let squared = distance_squared(points.point(place), center);
            if squared < best.1 {
                best = (idx, squared);
            }
        }
        best
    };
    (0..points.n())
        .into_par_iter()
        .with_min_len(1024)
        .map(one)
        .collect()
}

pub(super) fn means(points: &Points, nearest: &[(u32, f64)], k: usize) -> Vec<f64> {
    let n_dims = points.n_dims;
    let mut sums = vec![Compensated::default(); k * n_dims];
    let mut counts = vec![0_usize; k];
    for (place, (center, _)) in nearest.iter().enumerate() {
        counts[*center as usize] += 1;
        let sums = &mut sums[*center as usize * n_dims..][..n_dims];
        for (sum, x) in sums.iter_mut().zip(points.point(place)) {
            sum.add(*x);
        }
    }
    let mut centers: Vec<f64> = Vec::with_capacity(k * n_dims);
    let mut moved: Vec<usize> = Vec::new();
    for center in 0..k {
        if counts[center] > 0 {
            let sums = &sums[center * n_dims..][..n_dims];
            centers.extend(sums.iter().map(|sum| sum.total() / counts[center] as f64));
            continue;
        }
        let mut farthest = (0, -1.0);
        for (place, (_, squared)) in nearest.iter().enumerate() {
            if *squared > farthest.1 && !moved.contains(&place) {
                farthest = (place, *squared);
            }
        }
        moved.push(farthest.0);
        centers.extend(points.point(farthest.0));
    }
    centers
}

/// The mean over all points of how much nearer each is to its own group than to the nearest other one, from −1 to 1 (P.
/// J. Rousseeuw, Journal of Computational and Applied Mathematics 20 (1987) 53); a point alone in its group counts 0.
/// Looks at all pairs.
pub(super) fn silhouette(points: &Points, groups: &[Option<u32>], n_groups: usize) -> Option<f64> {
    if n_groups < 2 || groups.len() <= n_groups {
        return None;
    }
    let mut sizes = vec![0_usize; n_groups];
    groups
        .iter()
        .flatten()
        .for_each(|group| sizes[*group as usize] += 1);
    let one = |place: usize| {
        let own = groups[place]? as usize;
        let mut sums = vec![Compensated::default(); n_groups];
        for (other, group) in groups.iter().enumerate() {
            if let Some(group) = group {
                sums[*group as usize].add(points.distance_squared(place, other).sqrt());
            }
        }
        if sizes[own] == 1 {
            return Some(0.0);
        }
        let inside = sums[own].total() / (sizes[own] - 1) as f64;
        let others = (0..n_groups).filter(|group| *group != own);
        let outside = others
            .map(|group| sums[group].total() / sizes[group] as f64)
            .fold(f64::INFINITY, f64::min);
        let widest = inside.max(outside);
        Some(if widest > 0.0 {
            (outside - inside) / widest
        } else {
            0.0
        })
    };
    let each: Vec<Option<f64>> = (0..groups.len()).into_par_iter().map(one).collect();
    let n_known = each.iter().flatten().count();
    Some(sum(each.iter().flatten().copied()) / n_known as f64 + 0.0)
}
