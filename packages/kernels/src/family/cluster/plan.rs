//! A method with every parameter fixed.

use super::neighbors::Tree;
use super::{Found, Standing, dbscan, hierarchy, kmeans, spanning};
use crate::family::space::Points;
use crate::summary::{count, finite};
use crate::wire::v1::ClusterMethod;

/// What is run on all rows, on drawn rows, and with neighboring parameters.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) method: Method,
    pub(super) seed: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Method {
    Kmeans { k: usize, n_starts: usize },
    Dbscan { radius: f64, min_points: usize },
    Hdbscan { min_size: usize, min_points: usize },
}

impl Plan {
    pub(super) fn run(&self, points: &Points) -> Found {
        match self.method {
            Method::Kmeans { k, n_starts } => kmeans::run(points, k, n_starts, self.seed),
            Method::Dbscan { radius, min_points } => dbscan::run(points, radius, min_points),
            Method::Hdbscan { min_size, min_points } => hdbscan(points, min_size, min_points),
        }
    }

    /// The request's method with every parameter as used.
    pub(super) fn as_used(&self) -> ClusterMethod {
        match self.method {
            Method::Kmeans { k, n_starts } => ClusterMethod::Kmeans {
                k: count(k),
                starts: count(n_starts),
            },
            Method::Dbscan { radius, min_points } => ClusterMethod::Dbscan {
                epsilon: finite(radius),
                min_points: Some(count(min_points)),
            },
            Method::Hdbscan { min_size, min_points } => ClusterMethod::Hdbscan {
                min_size: Some(count(min_size)),
                min_points: count(min_points),
            },
        }
    }

    /// Plans with one parameter moved to its neighbors, by parameter.
    pub(super) fn neighbors(&self, n_distinct: usize) -> Vec<(&'static str, Vec<(String, Self)>)> {
        let with = |method: Method| Self {
            method,
            ..self.clone()
        };
        match self.method {
            Method::Kmeans { k, n_starts } => {
                let near_k = [k - 1, k + 1]
                    .into_iter()
                    .filter(|k| (2..=n_distinct).contains(k));
                let seeds = [self.seed + 1, self.seed + 2].map(|seed| {
                    let plan = Self { seed, ..self.clone() };
                    (seed.to_string(), plan)
                });
                let twice = with(Method::Kmeans {
                    k,
                    n_starts: 2 * n_starts,
                });
                vec![
                    (
                        "k",
                        near_k
                            .map(|k| (k.to_string(), with(Method::Kmeans { k, n_starts })))
                            .collect(),
                    ),
                    ("seed", seeds.into()),
                    ("starts", vec![((2 * n_starts).to_string(), twice)]),
                ]
            }
            Method::Dbscan { radius, min_points } => {
                let radii = [0.9 * radius, 1.1 * radius]
                    .map(|radius| (radius.to_string(), with(Method::Dbscan { radius, min_points })));
                let near = around(min_points, 1).map(|min_points| {
                    (
                        min_points.to_string(),
                        with(Method::Dbscan { radius, min_points }),
                    )
                });
                vec![("epsilon", radii.into()), ("minPoints", near.collect())]
            }
            Method::Hdbscan { min_size, min_points } => {
                let points = around(min_points, 1).map(|min_points| {
                    (
                        min_points.to_string(),
                        with(Method::Hdbscan { min_size, min_points }),
                    )
                });
                let sizes = around(min_size, 2).map(|min_size| {
                    (
                        min_size.to_string(),
                        with(Method::Hdbscan { min_size, min_points }),
                    )
                });
                vec![("minPoints", points.collect()), ("minSize", sizes.collect())]
            }
        }
    }

    /// The same in a space with other distances, where a radius has to be found anew; `None` when there is none.
    pub(super) fn in_another_space(&self, points: &Points) -> Option<Self> {
        // Squares of differences, summed over the columns, stay within the doubles.
        let room = 8.0 * points.n_dims as f64;
        if points.at.iter().any(|x| !(x * x * room).is_finite()) {
            return None;
        }
        let method = match self.method {
            Method::Dbscan { min_points, .. } => Method::Dbscan {
                radius: dbscan::knee(points, min_points)?,
                min_points,
            },
            method @ (Method::Kmeans { .. } | Method::Hdbscan { .. }) => method,
        };
        Some(Self {
            method,
            ..self.clone()
        })
    }
}

/// A fifth less and a fifth more, at least one, not below `least`.
fn around(n: usize, least: usize) -> impl Iterator<Item = usize> {
    let step = (n / 5).max(1);
    [n.saturating_sub(step), n + step]
        .into_iter()
        .filter(move |n| *n >= least)
}

fn hdbscan(points: &Points, min_size: usize, min_points: usize) -> Found {
    let tree = Tree::of(points);
    let core = tree.kth_squared(min_points);
    let edges = spanning::minimum_tree(&tree, &core);
    let selected = hierarchy::select(points.n(), edges, min_size);
    let standing = |group: &Option<u32>| group.map_or(Standing::Noise, |_| Standing::Member);
    let standings = selected.groups.iter().map(standing).collect();
    Found {
        n_groups: selected.masses.len(),
        standings: Some(standings),
        strengths: Some(selected.strengths),
        core_distances: Some(core.iter().map(|squared| squared.sqrt()).collect()),
        masses: Some(selected.masses),
        ..Found::of(selected.groups)
    }
}
