//! The cells of a space that is cut along its axes: their counts, names and places.

use crate::binning::Axis;
use crate::partial::{Partial, together};

/// Rows in one chunk, so that adding the cells of chunks costs little beside them.
const CHUNK: usize = 1 << 20;

/// Counts of every cell, the last axis first to change. Mergeable, given the axes.
#[derive(Clone, Debug)]
struct CellCounts(Vec<u64>);

impl Partial for CellCounts {
    /// The axes, their values row by row, and which of the rows.
    type Chunk<'a> = (&'a [Axis], &'a [Vec<f64>], &'a [usize]);
    type Answer = Vec<u64>;

    fn of((axes, values, rows): Self::Chunk<'_>) -> Self {
        let mut counts = vec![0; axes.iter().map(Axis::n_bins).product()];
        for row in rows {
            let place = axes.iter().zip(values);
            let cell = place.fold(0, |cell, (axis, values)| {
                cell * axis.n_bins() + axis.bin(values[*row])
            });
            counts[cell] += 1;
        }
        Self(counts)
    }

    fn merge(mut self, other: Self) -> Self {
        for (n, more) in self.0.iter_mut().zip(&other.0) {
            *n += more;
        }
        self
    }

    fn finish(self) -> Vec<u64> {
        self.0
    }
}

pub(super) fn counts_of(axes: &[Axis], values: &[Vec<f64>], rows: &[usize]) -> Vec<u64> {
    together(rows, CHUNK, |rows| CellCounts::of((axes, values, rows))).finish()
}

/// The bins of a cell along the axes.
pub(super) fn place(axes: &[Axis], mut cell: usize) -> Vec<usize> {
    let mut bins = vec![0; axes.len()];
    for (bin, axis) in bins.iter_mut().zip(axes).rev() {
        *bin = cell % axis.n_bins();
        cell /= axis.n_bins();
    }
    bins
}

pub(super) fn key(bins: &[usize]) -> String {
    let bins: Vec<String> = bins.iter().map(usize::to_string).collect();
    format!("cell:{}", bins.join(","))
}

/// The fullest cell, the first of several.
pub(super) fn fullest(counts: &[u64]) -> usize {
    let most = counts.iter().copied().max().unwrap_or(0);
    counts.iter().position(|n| *n == most).unwrap_or(0)
}

/// Whether two cells share no inner point.
pub(super) fn is_apart(axes: &[Axis], cell: usize, others: &[Axis], other: usize) -> bool {
    let (bins, other_bins) = (place(axes, cell), place(others, other));
    (0..axes.len()).any(|idx| {
        let (low, high) = (axes[idx].edges[bins[idx]], axes[idx].edges[bins[idx] + 1]);
        let (other_low, other_high) = (
            others[idx].edges[other_bins[idx]],
            others[idx].edges[other_bins[idx] + 1],
        );
        other_high <= low || other_low >= high
    })
}
