//! Rows in the order of time, and the steps between them.

use dataset::Dataset;

use crate::summary::{count, finite};
use crate::wire::v1::Gap;

/// The most gaps that are told by name.
const MAX_GAPS: usize = 1_000;

/// Puts rows in the order of time, rows of one time in the order of their keys: `rows` and `times` alike. Returns how
/// many rows share their time with the row before.
pub(super) fn sort(dataset: &Dataset, rows: &mut Vec<usize>, times: &mut Vec<f64>) -> usize {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|a, b| {
        let by_key = || {
            if dataset.key_column().is_none() {
                return rows[*a].cmp(&rows[*b]);
            }
            let key = |idx: usize| dataset.row_key(rows[idx]).to_string();
            identity::utf16_cmp(&key(*a), &key(*b))
        };
        times[*a].total_cmp(&times[*b]).then_with(by_key)
    });
    *rows = order.iter().map(|idx| rows[*idx]).collect();
    *times = order.iter().map(|idx| times[*idx]).collect();
    times.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

/// Steps between different times, in order, each with the place of the row behind it.
pub(super) fn steps(times: &[f64]) -> Vec<(usize, f64)> {
    let pairs = times.windows(2).enumerate();
    pairs
        .filter(|(_, pair)| pair[0] != pair[1])
        .map(|(idx, pair)| (idx + 1, pair[1] - pair[0]))
        .collect()
}

/// The median step.
pub(super) fn median(steps: &[(usize, f64)]) -> Option<f64> {
    if steps.is_empty() {
        return None;
    }
    let mut lengths: Vec<f64> = steps.iter().map(|(_, length)| *length).collect();
    Some(crate::family::dependency::checks::median(&mut lengths))
}

/// The places of the rows behind steps that are longer than `factor` median steps.
pub(super) fn behind_gaps(steps: &[(usize, f64)], median: f64, factor: f64) -> Vec<usize> {
    let long = steps.iter().filter(|(_, length)| *length > factor * median);
    long.map(|(behind, _)| *behind).collect()
}

/// How many steps are longer than `factor` median steps.
pub(super) fn n_gaps(steps: &[(usize, f64)], median: f64, factor: f64) -> usize {
    behind_gaps(steps, median, factor).len()
}

/// The first of them by row keys.
pub(super) fn gaps(
    dataset: &Dataset,
    rows: &[usize],
    steps: &[(usize, f64)],
    median: f64,
    factor: f64,
) -> Vec<Gap> {
    let key = |idx: usize| dataset.row_key(rows[idx]).to_string();
    let long = steps.iter().filter(|(_, length)| *length > factor * median);
    let gap = |(behind, length): &(usize, f64)| {
        Some(Gap {
            after: key(behind - 1),
            before: key(*behind),
            step: finite(*length)?,
        })
    };
    long.take(MAX_GAPS).filter_map(gap).collect()
}

/// `3 of 99 steps`.
pub(super) fn told(n: usize, steps: &[(usize, f64)]) -> String {
    format!("{} of {} steps", count(n).get(), steps.len())
}
