//! A density estimate with a normal kernel: the mean of normal curves around the values, at points of a regular grid.
//!
//! Up to [`DIRECT`] values each curve is added, values in ascending order. Beyond, each value is split between the two
//! nearest of evenly spaced knots in proportion to its distance (in units of 2^−20, so the sums are integers and know no
//! order), and the curves of the knots are added in ascending order: linear interpolation of the kernel, whose error is at
//! most `(δ/h)²/8` of its peak for knots `δ` apart, because the second derivative of the normal density is nowhere
//! larger than its peak. Curves farther than 8.5 bandwidths are left out; there they are below 2.1e-16 of the peak.
//! [`Estimate::error_bound`] is the sum of these with the rounding.
//!
//! Takes points × min(values, 17·h/δ) time; memory for the knots. [`Knots`] are mergeable.
//!
//! Sources: B. W. Silverman, Density Estimation (1986) 2.4, 3.4; M. C. Jones, H. W. Lotwick, Applied Statistics 33
//! (1984) 120 (linear binning).

use std::f64::consts::{PI, SQRT_2};

use rayon::prelude::*;

use crate::partial::{Partial, together};

/// Up to so many values are added one by one.
pub(crate) const DIRECT: usize = 2_000;
/// Knots in one bandwidth.
const KNOTS_PER_BANDWIDTH: f64 = 128.0;
/// The most knots.
const MAX_KNOTS: f64 = 131_072.0;
/// Bandwidths beyond which a curve is left out.
const REACH: f64 = 8.5;
/// Bandwidths that the grid reaches beyond the values.
const MARGIN: f64 = 3.0;
/// What one value weighs.
const WEIGHT: u64 = 1 << 20;
/// Values in one chunk, so that adding the knots of chunks costs little beside them.
const CHUNK: usize = 1 << 20;

/// An estimate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) density: Vec<f64>,
    pub(crate) error_bound: f64,
    pub(crate) modes: usize,
}

/// How the values are held.
pub(crate) enum Kept<'a> {
    /// Each of them, in ascending order.
    Values(&'a [f64]),
    /// By knots.
    Knots {
        least: f64,
        distance: f64,
        weights: Vec<u64>,
    },
}

/// Values, kept so that curves of this bandwidth can be added.
pub(crate) fn keep(sorted: &[f64], bandwidth: f64) -> Kept<'_> {
    let (Some(least), Some(greatest)) = (sorted.first(), sorted.last()) else {
        return Kept::Values(sorted);
    };
    if sorted.len() <= DIRECT {
        return Kept::Values(sorted);
    }
    let range = greatest - least;
    let n_gaps = libm::ceil(range / bandwidth * KNOTS_PER_BANDWIDTH).clamp(1.0, MAX_KNOTS - 1.0);
    let knots = Knots {
        least: *least,
        distance: range / n_gaps,
        weights: vec![0; n_gaps as usize + 1],
    };
    let weights = together(sorted, CHUNK, |chunk| Knots::of((&knots, chunk))).finish();
    Kept::Knots {
        least: *least,
        distance: knots.distance,
        weights,
    }
}

/// Evenly spaced knots with what lies on each.
#[derive(Clone, Debug)]
struct Knots {
    least: f64,
    distance: f64,
    weights: Vec<u64>,
}

impl Partial for Knots {
    /// Where the knots are, and values.
    type Chunk<'a> = (&'a Knots, &'a [f64]);
    type Answer = Vec<u64>;

    fn of((knots, values): Self::Chunk<'_>) -> Self {
        let mut weights = vec![0; knots.weights.len()];
        let last = weights.len() - 2;
        for value in values {
            let place = (value - knots.least) / knots.distance;
            let below = (place as usize).min(last);
            let share = ((place - below as f64) * WEIGHT as f64).clamp(0.0, WEIGHT as f64);
            let above = libm::round(share) as u64;
            weights[below + 1] += above;
            weights[below] += WEIGHT - above;
        }
        Self {
            least: knots.least,
            distance: knots.distance,
            weights,
        }
    }

    fn merge(mut self, other: Self) -> Self {
        for (weight, more) in self.weights.iter_mut().zip(&other.weights) {
            *weight += more;
        }
        self
    }

    fn finish(self) -> Vec<u64> {
        self.weights
    }
}

/// The estimate at `n_points` from three bandwidths below the least value to three above the greatest.
///
/// `sorted` ascends; `None` when the grid or a density exceeds the range of doubles.
pub(crate) fn estimate(sorted: &[f64], kept: &Kept<'_>, bandwidth: f64, n_points: usize) -> Option<Estimate> {
    let (least, greatest) = (*sorted.first()?, *sorted.last()?);
    let from = least - MARGIN * bandwidth;
    let to = greatest + MARGIN * bandwidth;
    let step = (to - from) / (n_points - 1) as f64;
    let n = sorted.len() as f64;
    let peak = 1.0 / ((2.0 * PI).sqrt() * bandwidth);
    if !(step > 0.0 && step.is_finite() && peak.is_finite() && peak > 0.0) {
        return None;
    }
    let at = |idx: usize| {
        let point = from + idx as f64 * step;
        match kept {
            Kept::Values(values) => {
                let first = values.partition_point(|value| *value < point - REACH * bandwidth);
                let beyond = values.partition_point(|value| *value <= point + REACH * bandwidth);
                let curves = values[first..beyond]
                    .iter()
                    .map(|value| curve((point - value) / bandwidth));
                curves.sum::<f64>() / n * peak
            }
            Kept::Knots {
                least,
                distance,
                weights,
            } => {
                let place =
                    |value: f64| ((value - least) / distance).clamp(0.0, weights.len() as f64) as usize;
                let first = place(point - REACH * bandwidth);
                let beyond = (place(point + REACH * bandwidth) + 1).min(weights.len());
                let mut sum = 0.0;
                for (knot, weight) in weights.iter().enumerate().take(beyond).skip(first) {
                    if *weight > 0 {
                        let value = least + knot as f64 * distance;
                        sum += *weight as f64 * curve((point - value) / bandwidth);
                    }
                }
                sum / WEIGHT as f64 / n * peak
            }
        }
    };
    let density: Vec<f64> = (0..n_points).into_par_iter().map(at).collect();
    // A point is a rounded double, and so is its distance from a value.
    let misplaced = f64::EPSILON * from.abs().max(to.abs()) / bandwidth;
    let error_bound = peak * (relative_bound(kept, bandwidth) + misplaced);
    if !density.iter().all(|value| value.is_finite()) || !error_bound.is_finite() {
        return None;
    }
    let modes = modes(&density, error_bound);
    Some(Estimate {
        from,
        to,
        density,
        error_bound,
        modes,
    })
}

/// The normal curve with peak 1.
fn curve(z: f64) -> f64 {
    let z = z / SQRT_2;
    libm::exp(-(z * z))
}

/// What is left out or rounded, of the kernel's peak.
fn relative_bound(kept: &Kept<'_>, bandwidth: f64) -> f64 {
    let left_out = 2.2e-16;
    match kept {
        // One rounding an addition, and a few in each curve.
        Kept::Values(values) => left_out + (values.len() as f64 + 80.0) * f64::EPSILON,
        Kept::Knots {
            distance, weights, ..
        } => {
            let ratio = distance / bandwidth;
            let rounded_weight = ratio / WEIGHT as f64;
            left_out + ratio * ratio / 8.0 + rounded_weight + (weights.len() as f64 + 80.0) * f64::EPSILON
        }
    }
}

/// How often the density falls after it rose, by more than its error and a billionth of its greatest value.
fn modes(density: &[f64], error_bound: f64) -> usize {
    let greatest = density.iter().copied().fold(0.0, f64::max);
    let least_change = (2.0 * error_bound).max(greatest * 1e-9);
    let (mut modes, mut rising, mut extreme) = (0, true, 0.0);
    for value in density {
        if rising {
            extreme = value.max(extreme);
            if *value < extreme - least_change {
                (modes, rising, extreme) = (modes + 1, false, *value);
            }
        } else {
            extreme = value.min(extreme);
            if *value > extreme + least_change {
                (rising, extreme) = (true, *value);
            }
        }
    }
    // The grid ends three bandwidths beyond the values, where a lone peak may still be too flat to have fallen.
    (modes + usize::from(rising && extreme > least_change)).max(1)
}

#[cfg(test)]
#[path = "tests/kde.rs"]
mod tests;
