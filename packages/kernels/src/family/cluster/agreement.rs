//! How far groups return: when rows are drawn again, and when a parameter is another.
//!
//! Stability: from every draw of four rows in five, without replacement, the groups are found anew. A group's Jaccard
//! coefficient is with the group of the draw that is most like it (C. Hennig, Cluster-wise assessment of cluster
//! stability, Computational Statistics & Data Analysis 52 (2007) 258, who takes below 0.6 as not to be trusted and from
//! 0.75 as a valid stable group); all groups together are compared by the adjusted Rand index (L. Hubert, P. Arabie,
//! Journal of Classification 2 (1985) 193), with noise as one more group. Draws keep rows apart that are apart: drawing
//! with replacement would make equal rows, which are dense by construction.

use rayon::prelude::*;

use super::plan::Plan;
use crate::compensated::sum;
use crate::error::KernelError;
use crate::family::seeded::Seeded;
use crate::family::space::{Points, Space};
use crate::watch::Watch;
use crate::wire::v1::{Sensitivity, Standardize};

/// Of rows, as many are drawn.
pub(super) const FRACTION: (usize, usize) = (4, 5);
/// Groups from other parameters with less agreement are a material change.
pub(super) const MATERIAL: f64 = 0.8;
/// Draws between two words to whoever waits.
const AT_ONCE: usize = 8;
/// Streams of draws begin here; starts of k-means have lesser ones.
const DRAWS: u64 = 1 << 32;

const TRYING: &str = "trying neighboring parameters";

/// How far the groups return.
pub(super) struct Returned {
    pub(super) adjusted_rand: f64,
    /// By group.
    pub(super) jaccard: Vec<f64>,
}

/// Finds the groups of drawn rows.
pub(super) fn stability(
    points: &Points,
    plan: &Plan,
    groups: &[Option<u32>],
    n_groups: usize,
    n_draws: usize,
    watch: &mut Watch<'_>,
) -> Result<Returned, KernelError> {
    let n = points.n();
    let n_drawn = (n * FRACTION.0).div_ceil(FRACTION.1);
    let draw = |draw: u64| {
        let places = Seeded::new(plan.seed, DRAWS + draw).subset(n, n_drawn);
        let found = plan.run(&points.subset(&places));
        let kept: Vec<Option<u32>> = places.iter().map(|place| groups[*place]).collect();
        let table = Table::of(&kept, n_groups, &found.groups, found.n_groups);
        (table.adjusted_rand(), table.jaccard())
    };
    let mut draws: Vec<(f64, Vec<Option<f64>>)> = Vec::with_capacity(n_draws);
    while draws.len() < n_draws {
        watch.tell("finding groups of drawn rows", draws.len(), Some(n_draws))?;
        let next = draws.len()..n_draws.min(draws.len() + AT_ONCE);
        let together: Vec<_> = next.into_par_iter().map(|idx| draw(idx as u64)).collect();
        draws.extend(together);
    }
    let mean_of = |group: usize| {
        let known: Vec<f64> = draws.iter().filter_map(|(_, jaccard)| jaccard[group]).collect();
        if known.is_empty() {
            0.0
        } else {
            sum(known.iter().copied()) / known.len() as f64
        }
    };
    Ok(Returned {
        adjusted_rand: sum(draws.iter().map(|(index, _)| *index)) / n_draws as f64 + 0.0,
        jaccard: (0..n_groups).map(mean_of).collect(),
    })
}

/// Finds the groups with neighboring parameters, one factor at a time.
pub(super) fn sensitivity(
    space: &Space<'_>,
    plan: &Plan,
    groups: &[Option<u32>],
    n_groups: usize,
    watch: &mut Watch<'_>,
) -> Result<Vec<Sensitivity>, KernelError> {
    let points = space.points(space.standardize);
    let agreement = |points: &Points, other: &Plan| {
        let found = other.run(points);
        Table::of(groups, n_groups, &found.groups, found.n_groups).adjusted_rand()
    };
    let mut all: Vec<Sensitivity> = Vec::new();
    for (factor, neighbors) in plan.neighbors(points.n_distinct()) {
        watch.tell(TRYING, all.len(), None)?;
        let tried: Vec<(String, f64)> = neighbors
            .into_iter()
            .map(|(value, other)| (value, agreement(&points, &other)))
            .collect();
        all.push(told(factor, &tried));
    }
    watch.tell(TRYING, all.len(), None)?;
    let (word, other) = match space.standardize {
        Standardize::None => ("zscore", Standardize::Zscore),
        Standardize::Zscore => ("none", Standardize::None),
    };
    let points = space.points(other);
    let tried = match plan.in_another_space(&points) {
        Some(other) => told("standardize", &[(word.to_owned(), agreement(&points, &other))]),
        None => Sensitivity {
            factor: "standardize".to_owned(),
            tested_values: vec![format!("{word}: no answer")],
            materially_changed: true,
        },
    };
    all.push(tried);
    Ok(all)
}

fn told(factor: &str, tried: &[(String, f64)]) -> Sensitivity {
    let value = |(value, index): &(String, f64)| format!("{value}: adjusted Rand index {index:.3}");
    Sensitivity {
        factor: factor.to_owned(),
        tested_values: tried.iter().map(value).collect(),
        materially_changed: tried.iter().any(|(_, index)| *index < MATERIAL),
    }
}

/// How many rows each pair of groups shares, noise last.
pub(super) struct Table {
    n_ours: usize,
    n_theirs: usize,
    shared: Vec<u64>,
}

impl Table {
    pub(super) fn of(ours: &[Option<u32>], n_ours: usize, theirs: &[Option<u32>], n_theirs: usize) -> Self {
        let mut shared = vec![0; (n_ours + 1) * (n_theirs + 1)];
        let at = |group: &Option<u32>, n_groups: usize| group.map_or(n_groups, |group| group as usize);
        for (our, their) in ours.iter().zip(theirs) {
            shared[at(our, n_ours) * (n_theirs + 1) + at(their, n_theirs)] += 1;
        }
        Self {
            n_ours,
            n_theirs,
            shared,
        }
    }

    fn ours(&self, our: usize) -> u64 {
        self.shared[our * (self.n_theirs + 1)..][..=self.n_theirs]
            .iter()
            .sum()
    }

    fn theirs(&self, their: usize) -> u64 {
        self.shared.iter().skip(their).step_by(self.n_theirs + 1).sum()
    }

    /// 1 for equal groups, about 0 for unrelated ones.
    pub(super) fn adjusted_rand(&self) -> f64 {
        // Pairs of at most 2^26 rows are integers below 2^53.
        let pairs = |n: u64| (n * n.saturating_sub(1) / 2) as f64;
        let ours: f64 = (0..=self.n_ours).map(|our| pairs(self.ours(our))).sum();
        let theirs: f64 = (0..=self.n_theirs).map(|their| pairs(self.theirs(their))).sum();
        let both: f64 = self.shared.iter().map(|n| pairs(*n)).sum();
        let all = pairs(self.shared.iter().sum());
        if all == 0.0 {
            return 1.0;
        }
        let expected = ours / all * theirs;
        let most = f64::midpoint(ours, theirs);
        if most == expected {
            return 1.0;
        }
        (both - expected) / (most - expected)
    }

    /// For each of our groups that has rows, the coefficient with the most alike of theirs.
    pub(super) fn jaccard(&self) -> Vec<Option<f64>> {
        let theirs: Vec<u64> = (0..self.n_theirs).map(|their| self.theirs(their)).collect();
        let best = |our: usize| {
            let n_ours = self.ours(our);
            let coefficient = |(their, n_theirs): (usize, &u64)| {
                let n_both = self.shared[our * (self.n_theirs + 1) + their];
                n_both as f64 / (n_ours + n_theirs - n_both) as f64
            };
            let best = theirs.iter().enumerate().map(coefficient).fold(0.0, f64::max);
            (n_ours > 0).then_some(best)
        };
        (0..self.n_ours).map(best).collect()
    }
}
