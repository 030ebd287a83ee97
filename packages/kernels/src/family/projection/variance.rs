//! The matrix whose components are looked for, and how far its eigenvalues hang on single rows.
//!
//! Covariances come from the corrected two-pass algorithm (T. F. Chan, G. H. Golub, R. J. LeVeque, The American
//! Statistician 37 (1983) 242) over deviations from exactly summed means, with dot products as if in twice the precision
//! (T. Ogita, S. M. Rump, S. Oishi, SIAM Journal on Scientific Computing 26 (2005) 1955: error below `u·|s| + n²u²·Σ|xy|`),
//! in the order of the space. Nothing cancels, whatever the offset of a column.
//!
//! How far an eigenvalue `λ` with direction `v` hangs on a row is its influence (F. Critchley, Influence in principal
//! components analysis, Biometrika 72 (1985) 627): `s² − λ` for a covariance and `s² − λ·Σ vⱼ²·zⱼ²` for a correlation,
//! where `s` is the row's score. The mean square of the influences over `n` is the squared standard error of `λ` (the
//! infinitesimal jackknife of L. A. Jaeckel, 1972, also in B. Efron, The Jackknife (1982), chapter 6). It assumes no
//! normal distribution, as the usual `λ·√(2/n)` does, and holds for correlations, where that does not.

use super::jacobi::{Eigen, Square};
use crate::compensated::sum;
use crate::family::space::Space;
use crate::wire::v1::Standardize;

/// Deviations from the mean, column by column: in standard deviations for `zscore`, else in units.
pub(super) fn deviations(space: &Space<'_>, standardize: Standardize) -> Vec<Vec<f64>> {
    let of_column = |dim: usize| {
        let deviation = |place: usize| match standardize {
            Standardize::None => space.values[dim][place] - space.means[dim] + 0.0,
            Standardize::Zscore => space.coordinate(standardize, dim, place),
        };
        (0..space.n()).map(deviation).collect()
    };
    (0..space.columns.len()).map(of_column).collect()
}

/// Covariances of deviations; correlations when they are standardized, with ones on the diagonal and zeros for a
/// constant column.
pub(super) fn matrix(space: &Space<'_>, deviations: &[Vec<f64>], standardize: Standardize) -> Square {
    let n_dims = deviations.len();
    let n = space.n() as f64;
    let sums: Vec<f64> = deviations
        .iter()
        .map(|column| sum(column.iter().copied()))
        .collect();
    let about = |i: usize, j: usize| dot(&deviations[i], &deviations[j]) - sums[i] * sums[j] / n;
    let mut matrix = Square::zero(n_dims);
    for i in 0..n_dims {
        for j in 0..=i {
            let value = about(i, j);
            matrix.set(i, j, value);
            matrix.set(j, i, value);
        }
    }
    let raw = matrix.clone();
    for i in 0..n_dims {
        for j in 0..n_dims {
            let value = match standardize {
                Standardize::None => raw.get(i, j) / (n - 1.0),
                Standardize::Zscore if raw.get(i, i) == 0.0 || raw.get(j, j) == 0.0 => 0.0,
                Standardize::Zscore if i == j => 1.0,
                Standardize::Zscore => {
                    (raw.get(i, j) / (raw.get(i, i).sqrt() * raw.get(j, j).sqrt())).clamp(-1.0, 1.0)
                }
            };
            matrix.set(i, j, value);
        }
    }
    matrix
}

/// `x·y` and what its rounding lost, by T. J. Dekker, Numerische Mathematik 18 (1971) 224.
fn product(x: f64, y: f64) -> (f64, f64) {
    let halves = |x: f64| {
        let scaled = 134_217_729.0 * x;
        let high = scaled - (scaled - x);
        (high, x - high)
    };
    let product = x * y;
    let ((x_high, x_low), (y_high, y_low)) = (halves(x), halves(y));
    let lost = x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low);
    (product, lost)
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    let (mut total, mut lost) = (0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (term, of_product) = product(*x, *y);
        let next = total + term;
        let back = next - total;
        lost += (total - (next - back)) + (term - back) + of_product;
        total = next;
    }
    total + lost
}

/// The scores on a direction, by place.
pub(super) fn scores(deviations: &[Vec<f64>], direction: &[f64]) -> Vec<f64> {
    let n = deviations.first().map_or(0, Vec::len);
    let score = |place: usize| {
        let terms = deviations
            .iter()
            .zip(direction)
            .map(|(column, v)| v * column[place]);
        terms.sum::<f64>() + 0.0
    };
    (0..n).map(score).collect()
}

/// The influence of each row on each of some eigenvalues, and on the total variance.
pub(super) struct Influence {
    of_value: Vec<Vec<f64>>,
    of_total: Vec<f64>,
}

impl Influence {
    /// Of the rows on the first `n_values` eigenvalues.
    pub(super) fn of(
        deviations: &[Vec<f64>],
        eigen: &Eigen,
        scores: &[Vec<f64>],
        standardize: Standardize,
        total: f64,
    ) -> Self {
        let n = deviations.first().map_or(0, Vec::len);
        let of_one = |(idx, scores): (usize, &Vec<f64>)| {
            let value = eigen.values[idx];
            let one = |place: usize| {
                let weight = match standardize {
                    Standardize::None => 1.0,
                    Standardize::Zscore => {
                        let entries = eigen.vectors[idx].iter().zip(deviations);
                        entries.map(|(v, z)| v * v * z[place] * z[place]).sum()
                    }
                };
                scores[place] * scores[place] - value * weight
            };
            (0..n).map(one).collect()
        };
        let of_total = |place: usize| match standardize {
            Standardize::None => deviations.iter().map(|d| d[place] * d[place]).sum::<f64>() - total,
            Standardize::Zscore => 0.0,
        };
        Self {
            of_value: scores.iter().enumerate().map(of_one).collect(),
            of_total: (0..n).map(of_total).collect(),
        }
    }

    /// The standard error of an eigenvalue.
    pub(super) fn of_variance(&self, idx: usize) -> f64 {
        standard_error(self.of_value[idx].iter().copied())
    }

    /// The standard error of an eigenvalue's share in the total.
    pub(super) fn of_ratio(&self, idx: usize, ratio: f64, total: f64) -> f64 {
        let pairs = self.of_value[idx].iter().zip(&self.of_total);
        standard_error(pairs.map(|(value, of_total)| (value - ratio * of_total) / total))
    }

    /// The standard error of the gap from one eigenvalue to the next.
    pub(super) fn of_gap(&self, idx: usize) -> f64 {
        let pairs = self.of_value[idx].iter().zip(&self.of_value[idx + 1]);
        standard_error(pairs.map(|(value, next)| value - next))
    }
}

fn standard_error(influences: impl Iterator<Item = f64>) -> f64 {
    let mut n = 0.0;
    let squares = sum(influences.map(|influence| {
        n += 1.0;
        influence * influence
    }));
    (squares / (n * (n - 1.0))).sqrt()
}
