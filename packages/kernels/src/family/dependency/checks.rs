//! What the data say of a method's assumptions: tests with a name, a statistic and a stated threshold.
//!
//! A test that does not object proves nothing, and the details say so. The tests, each as recorded for SciPy or
//! statsmodels in `tests/vectors/dependency`:
//!
//! - normal distribution: C. M. Jarque, A. K. Bera, International Statistical Review 55 (1987) 163; its chi-squared limit
//!   with two degrees has the tail `exp(−JB/2)`; not used below 20 values,
//! - equal spread around a fit: R. Koenker, Journal of Econometrics 17 (1981) 107, in its F form,
//! - equal spread of groups: M. B. Brown, A. B. Forsythe, Journal of the American Statistical Association 69 (1974) 364,
//! - a straight line: J. B. Ramsey, Journal of the Royal Statistical Society B 31 (1969) 350, with the squared fit.

use crate::exact::Moments;
use crate::receipt::{SATISFIED, UNCHECKED, VIOLATED, assumption};
use crate::wire::v1::Assumption;

/// A test speaks against an assumption when its tail is below this.
pub(super) const THRESHOLD: f64 = 0.05;

/// The fewest values for the Jarque-Bera test, whose distribution is a limit.
const FEWEST: usize = 20;

/// A statistic and its tail probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Checked {
    pub(crate) statistic: f64,
    pub(crate) tail: f64,
}

impl Checked {
    /// The assumption with what this test says of it; `None` where the test could not be made, and `why`.
    pub(super) fn judge(tested: Option<Self>, text: &str, test: &str, why: &str) -> Assumption {
        match tested {
            None => assumption(text, UNCHECKED, why),
            Some(Self { statistic, tail }) if tail < THRESHOLD => assumption(
                text,
                VIOLATED,
                format!("{test} objects: statistic {statistic:.4}, p {tail:.3e}, below {THRESHOLD}"),
            ),
            Some(Self { statistic, tail }) => assumption(
                text,
                SATISFIED,
                format!(
                    "{test} does not object: statistic {statistic:.4}, p {tail:.4}, not below {THRESHOLD}; that is no proof"
                ),
            ),
        }
    }
}

/// Jarque and Bera's test of a normal distribution; `None` below 20 values and for constants.
pub(crate) fn jarque_bera(values: &[f64]) -> Option<Checked> {
    let n = values.len();
    if n < FEWEST {
        return None;
    }
    let mut moments = Moments::new();
    values.iter().for_each(|value| moments.add(*value));
    let (mean, deviation) = (moments.mean()?, moments.standard_deviation()?);
    if deviation == 0.0 {
        return None;
    }
    let standard = || values.iter().map(|value| (value - mean) / deviation);
    let mean_of = |power: i32| {
        let mut moments = Moments::new();
        for value in standard() {
            let term = (0..power).fold(1.0, |product, _| product * value);
            if !term.is_finite() {
                return None;
            }
            moments.add(term);
        }
        moments.mean()
    };
    let (second, third, fourth) = (mean_of(2)?, mean_of(3)?, mean_of(4)?);
    let skewness = third / (second * second.sqrt());
    let excess = fourth / (second * second) - 3.0;
    let statistic = n as f64 / 6.0 * (skewness * skewness + excess * excess / 4.0);
    let tail = libm::exp(-statistic / 2.0);
    statistic.is_finite().then_some(Checked { statistic, tail })
}

/// The median by value.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len();
    let (low, high) = (values[(n - 1) / 2], values[n / 2]);
    low / 2.0 + high / 2.0
}
