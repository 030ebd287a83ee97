//! The trend of a series: Theil and Sen's slope, Kendall's tau, the least squares line, and what neighbors in time share.
//!
//! - slope: the median of `(yⱼ − yᵢ)/(tⱼ − tᵢ)` over all pairs of different times (H. Theil, Proceedings of the Royal
//!   Netherlands Academy of Sciences 53 (1950) 386); interval by order statistics of these slopes with Kendall's variance
//!   for ties (P. K. Sen, Journal of the American Statistical Association 63 (1968) 1379), ranks rounded half to even,
//! - tau-b and the Mann-Kendall test by its normal approximation with the variance for ties in both, without a correction
//!   for continuity (M. G. Kendall, Rank Correlation Methods (1975)),
//! - the least squares line by exact sums ([`crate::family::dependency::fit`]),
//! - lag 1: `Σ eᵢ·eᵢ₊₁ / Σ eᵢ²` of what the line leaves over, in the order of time.
//!
//! Pairs take quadratic time and memory, so slopes and tau are given up to [`MAX_PAIRED`] rows; the line for any number.
//! Its sums are mergeable; pairs and neighbors need all rows. Order matters only between neighbors, where rows of one
//! time follow each other by key.

use crate::exact::Moments;
use crate::family::dependency::fit::{self, Fit};
use crate::gram::Gram;
use crate::student;

/// The most rows for slopes of pairs: 4.5 million of them.
pub(super) const MAX_PAIRED: usize = 3_000;

/// A trend in units of value for one unit of time.
pub(super) struct Found {
    pub(super) pairs: Option<Paired>,
    /// Slope and standard error of the least squares line.
    pub(super) line: Option<(f64, f64)>,
    pub(super) autocorrelation: Option<f64>,
}

/// What all pairs of rows say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Paired {
    pub(super) slope: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
    /// Absent when all values, or all times, are equal.
    pub(super) tau: Option<f64>,
    /// Kendall's S over its standard deviation, and the tail on both sides.
    pub(super) test: Option<(f64, f64)>,
}

/// Of times in order and the values there; `per` is how many units of the times one unit of the slope has.
pub(super) fn find(times: &[f64], values: &[f64], per: f64, level: f64) -> Found {
    let line = fit::fit(&Gram::of_columns(&[times.to_vec(), values.to_vec()]), 1).ok();
    Found {
        pairs: paired(times, values, per, level),
        autocorrelation: line
            .as_ref()
            .and_then(|line| autocorrelation(line, times, values)),
        line: line.and_then(|line| {
            let (slope, error) = (line.slopes[0].value * per, line.slopes[0].standard_error * per);
            (slope.is_finite() && error.is_finite()).then_some((slope, error))
        }),
    }
}

fn paired(times: &[f64], values: &[f64], per: f64, level: f64) -> Option<Paired> {
    let n = times.len();
    if !(3..=MAX_PAIRED).contains(&n) {
        return None;
    }
    let mut slopes = Vec::with_capacity(n * (n - 1) / 2);
    let mut score = 0_i64;
    for i in 0..n {
        for j in i + 1..n {
            if times[i] == times[j] {
                continue;
            }
            let (rise, run) = (values[j] - values[i], times[j] - times[i]);
            slopes.push(rise / run * per);
            score += i64::from(rise > 0.0) - i64::from(rise < 0.0);
        }
    }
    if slopes.is_empty() || slopes.iter().any(|slope| !slope.is_finite()) {
        return None;
    }
    slopes.sort_unstable_by(f64::total_cmp);
    let middle = slopes.len() / 2;
    let slope = if slopes.len() % 2 == 1 {
        slopes[middle]
    } else {
        slopes[middle - 1] / 2.0 + slopes[middle] / 2.0
    };
    let ties = [runs(times.to_vec()), runs(values.to_vec())];
    let size = n as f64;
    let sum = |ties: &[f64], term: &dyn Fn(f64) -> f64| ties.iter().map(|t| term(*t)).sum::<f64>();
    let fifth = |t: f64| t * (t - 1.0) * (2.0 * t + 5.0);
    let (second, third) = (|t: f64| t * (t - 1.0), |t: f64| t * (t - 1.0) * (t - 2.0));
    let plain = (fifth(size) - sum(&ties[0], &fifth) - sum(&ties[1], &fifth)) / 18.0;
    let variance = plain
        + sum(&ties[0], &second) * sum(&ties[1], &second) / (2.0 * size * (size - 1.0))
        + sum(&ties[0], &third) * sum(&ties[1], &third) / (9.0 * size * (size - 1.0) * (size - 2.0));
    let half = student::normal_quantile(level) * plain.max(0.0).sqrt();
    let n_slopes = slopes.len() as f64;
    let last = slopes.len() - 1;
    let low = (libm::rint((n_slopes - half) / 2.0) - 1.0).max(0.0) as usize;
    let high = (libm::rint((n_slopes + half) / 2.0).max(0.0) as usize).min(last);
    let pairs_of = |ties: &[f64]| (second(size) - sum(ties, &second)) / 2.0;
    let whole = (pairs_of(&ties[0]) * pairs_of(&ties[1])).sqrt();
    Some(Paired {
        slope,
        lower: slopes[low.min(last)],
        upper: slopes[high],
        tau: (whole > 0.0).then(|| (score as f64 / whole).clamp(-1.0, 1.0)),
        test: (variance > 0.0).then(|| {
            let z = score as f64 / variance.sqrt();
            (z, libm::erfc(z.abs() * std::f64::consts::FRAC_1_SQRT_2))
        }),
    })
}

/// Sizes of the groups of equal values, those of one left out.
fn runs(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let sizes = values.chunk_by(|a, b| a == b).map(|run| run.len() as f64);
    sizes.filter(|size| *size > 1.0).collect()
}

fn autocorrelation(line: &Fit, times: &[f64], values: &[f64]) -> Option<f64> {
    let residuals = line.residuals(&[times], values);
    if line.residual_deviation == 0.0 {
        return None;
    }
    let standard: Vec<f64> = residuals
        .iter()
        .map(|residual| residual / line.residual_deviation)
        .collect();
    let (mut products, mut squares) = (Moments::new(), Moments::new());
    for pair in standard.windows(2) {
        products.add(pair[0] * pair[1]);
    }
    for value in &standard {
        squares.add(value * value);
    }
    let n = standard.len() as f64;
    let correlation = products.mean()? * (n - 1.0) / (squares.mean()? * n);
    correlation.is_finite().then_some(correlation)
}
