//! A linear least squares fit with intercept, in exact arithmetic.
//!
//! The normal equations lose nothing here: sums of products about the means are integers ([`crate::gram`]), the system is
//! solved over integers ([`crate::solve`]), and each reported number is one quotient of integers (or its root). So
//! coefficients, standard errors, R² and F are within a few units in the last place of the true values for the doubles
//! at hand, however badly conditioned the columns are, and no order of rows changes a bit. What the rounding of the
//! data to doubles costs remains, and is stated.
//!
//! Memory is that of the integers; time is rows times pairs of columns, and `p³` products of long integers.

use crate::exact::SQUARE_UNIT_EXP;
use crate::exact::integer::{Integer, Scaled};
use crate::gram::Gram;
use crate::solve::{self, Solution};

/// The most bits that the determinant of a system may have; beyond, columns range over too many magnitudes.
const MAX_BITS: usize = 200_000;

/// Why there is no fit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoFit {
    /// A predictor is exactly a combination of those before it (or constant).
    Dependent(usize),
    /// No more rows than coefficients.
    TooFewRows,
    /// Values range over so many magnitudes that the integers become too long, or a result exceeds the doubles.
    OutOfRange,
}

/// A coefficient with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimated {
    pub(crate) value: f64,
    pub(crate) standard_error: f64,
}

/// A fit; the columns of the Gram are the predictors and then the response.
pub(crate) struct Fit {
    pub(crate) intercept: Estimated,
    pub(crate) slopes: Vec<Estimated>,
    pub(crate) residual_deviation: f64,
    pub(crate) residual_degrees: u64,
    pub(crate) r_squared: f64,
    /// Absent for a perfect fit.
    pub(crate) f: Option<f64>,
    pub(crate) condition: f64,
    /// The greatest variance inflation factor and its predictor.
    pub(crate) inflation: (f64, usize),
    /// `n · (the inverse of the sums of squares about the means)`, for standardized predictors.
    inverse: Vec<Vec<f64>>,
    spreads: Vec<Scaled>,
    means: Vec<f64>,
    response_mean: f64,
}

/// Fits the last column of the Gram by the others.
pub(crate) fn fit(gram: &Gram, n_predictors: usize) -> Result<Fit, NoFit> {
    let (p, n) = (n_predictors, gram.n());
    let residual_degrees = n.checked_sub(p as u64 + 1).filter(|degrees| *degrees > 0);
    let residual_degrees = residual_degrees.ok_or(NoFit::TooFewRows)?;
    let powers: Vec<usize> = (0..=p).map(|i| gram.power(i)).collect();
    let about = |i: usize, j: usize| gram.about_means(i, j).shifted_down(powers[i] + powers[j]);
    let matrix: Vec<Vec<Integer>> = (0..p).map(|i| (0..p).map(|j| about(i, j)).collect()).collect();
    let right: Vec<Integer> = (0..p).map(|i| about(i, p)).collect();
    let total = about(p, p);
    let n_bits = matrix.iter().enumerate().map(|(i, row)| row[i].n_bits());
    if n_bits.sum::<usize>() + total.n_bits() > MAX_BITS {
        return Err(NoFit::OutOfRange);
    }
    let Solution {
        determinant,
        numerators,
        adjugate,
    } = solve::solve(&matrix, &right).map_err(NoFit::Dependent)?;

    // determinant · n · (sum of squares), explained and left over; both are never negative.
    let dot = |a: &[Integer], b: &[Integer]| {
        let terms = a.iter().zip(b).map(|(a, b)| a.times(b));
        terms.fold(Integer::new(0), |sum, term| sum.plus(&term))
    };
    let explained = dot(&numerators, &right);
    let whole = determinant.times(&total);
    let left = whole.minus(&explained);
    let det = determinant.scaled(0);
    let response_exp = 2 * powers[p] as i64 + i64::from(SQUARE_UNIT_EXP);
    let degrees = Scaled::new(residual_degrees as f64);
    let size = Scaled::new(n as f64);
    let variance = left.scaled(response_exp).over(det.times(size).times(degrees));

    let get = |value: Scaled| value.get().ok_or(NoFit::OutOfRange);
    let two = |exp: i64| Integer::new(1).scaled(exp);
    let mut slopes = Vec::with_capacity(p);
    for j in 0..p {
        let exp = powers[p] as i64 - powers[j] as i64;
        let inverse = size
            .times(adjugate[j][j].scaled(-2 * powers[j] as i64 - i64::from(SQUARE_UNIT_EXP)))
            .over(det);
        slopes.push(Estimated {
            value: get(numerators[j].scaled(exp).over(det))?,
            standard_error: get(variance.times(inverse).root())?,
        });
    }
    let sums: Vec<Integer> = (0..=p).map(|i| gram.sum(i).shifted_down(powers[i])).collect();
    let level = determinant.times(&sums[p]).minus(&dot(&numerators, &sums[..p]));
    let spread: Vec<Integer> = adjugate.iter().map(|row| dot(row, &sums[..p])).collect();
    let at_zero = determinant.plus(&dot(&spread, &sums[..p]));
    let intercept = Estimated {
        value: get(level
            .scaled(powers[p] as i64 + i64::from(crate::exact::SUM_UNIT_EXP))
            .over(det.times(size)))?,
        standard_error: get(variance.times(at_zero.scaled(0)).over(det.times(size)).root())?,
    };
    let inflated = |i: usize| {
        let factor = matrix[i][i].scaled(0).times(adjugate[i][i].scaled(0)).over(det);
        factor.get().unwrap_or(f64::MAX)
    };
    let inflation = (1..p).fold((inflated(0), 0), |worst, i| {
        let factor = inflated(i);
        if factor > worst.0 { (factor, i) } else { worst }
    });
    let root = |i: usize| matrix[i][i].scaled(0).root();
    let entry = |i: usize, j: usize| {
        matrix[i][j]
            .scaled(0)
            .over(root(i).times(root(j)))
            .get()
            .unwrap_or(0.0)
    };
    let inverse_entry = |i: usize, j: usize| {
        let scaled = adjugate[i][j].scaled(0).times(root(i)).times(root(j)).over(det);
        scaled.get().unwrap_or(f64::MAX)
    };
    let square = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
        (0..p).map(|i| (0..p).map(|j| entry(i, j)).collect()).collect()
    };
    let inverse = square(&inverse_entry);
    let condition =
        (solve::greatest_eigenvalue(square(&entry)) * solve::greatest_eigenvalue(inverse.clone())).sqrt();
    let f = (!left.is_zero()).then(|| {
        explained
            .scaled(0)
            .times(degrees)
            .over(left.scaled(0).times(Scaled::new(p as f64)))
    });
    Ok(Fit {
        intercept,
        slopes,
        residual_deviation: get(variance.root())?,
        residual_degrees,
        r_squared: if total.is_zero() {
            0.0
        } else {
            get(explained.scaled(0).over(whole.scaled(0)))?
        },
        f: f.map(get).transpose()?,
        condition: if condition.is_finite() {
            condition
        } else {
            return Err(NoFit::OutOfRange);
        },
        inflation,
        inverse,
        spreads: (0..p)
            .map(|i| {
                let unit = two(2 * powers[i] as i64 + i64::from(SQUARE_UNIT_EXP));
                matrix[i][i].scaled(0).times(unit).over(size).root()
            })
            .collect(),
        means: (0..p).map(|i| gram.mean(i)).collect(),
        response_mean: gram.mean(p),
    })
}

impl Fit {
    /// What the fit leaves over at each row: rounded sums about the means, for tests of the residuals only.
    pub(crate) fn residuals(&self, predictors: &[&[f64]], response: &[f64]) -> Vec<f64> {
        let fitted = self.about_mean(predictors, response.len());
        response
            .iter()
            .zip(fitted)
            .map(|(y, fitted)| (y - self.response_mean) - fitted)
            .collect()
    }

    /// The fitted values less the response's mean.
    pub(crate) fn about_mean(&self, predictors: &[&[f64]], n_rows: usize) -> Vec<f64> {
        let mut fitted = vec![0.0; n_rows];
        for ((column, mean), slope) in predictors.iter().zip(&self.means).zip(&self.slopes) {
            for (fitted, x) in fitted.iter_mut().zip(*column) {
                *fitted += slope.value * (x - mean);
            }
        }
        fitted
    }

    /// For each row the greatest change of a slope without it, in standard errors of the fit, and the slope's index:
    /// `S⁻¹·(x − x̄)·e/(1 − h)` (R. D. Cook, Technometrics 19 (1977) 15). Rounded; infinite where the fit does not exist
    /// without the row.
    pub(crate) fn changes(&self, predictors: &[&[f64]], residuals: &[f64]) -> Vec<(f64, usize)> {
        let p = self.slopes.len();
        let spreads: Vec<f64> = self
            .spreads
            .iter()
            .map(|spread| spread.get().unwrap_or(f64::INFINITY))
            .collect();
        let n = residuals.len() as f64;
        let mut z = vec![0.0; p];
        let change = |(row_idx, residual): (usize, &f64)| {
            for i in 0..p {
                z[i] = (predictors[i][row_idx] - self.means[i]) / spreads[i];
            }
            let pulled: Vec<f64> = self
                .inverse
                .iter()
                .map(|row| row.iter().zip(&z).map(|(a, b)| a * b).sum())
                .collect();
            let leverage = 1.0 / n + pulled.iter().zip(&z).map(|(a, b)| a * b).sum::<f64>();
            let left = 1.0 - leverage;
            // The standard error of a standardized slope is the residual deviation times the root of the inverse.
            let one = |i: usize| {
                let error = self.residual_deviation * self.inverse[i][i].sqrt();
                if left <= 1e-9 {
                    f64::INFINITY
                } else if error == 0.0 {
                    0.0
                } else {
                    (pulled[i] * residual / left / error).abs()
                }
            };
            (1..p).fold((one(0), 0), |worst, i| {
                let change = one(i);
                if change > worst.0 { (change, i) } else { worst }
            })
        };
        residuals.iter().enumerate().map(change).collect()
    }
}
