//! Wilson's score interval of a share: `(k + z²/2 ± z·√(k(n−k)/n + z²/4)) / (n + z²)`.
//!
//! Never outside `[0, 1]`, never without width, also for shares of 0 and 1. Source: E. B. Wilson, JASA 22 (1927) 209;
//! L. D. Brown, T. T. Cai, A. DasGupta, Statistical Science 16 (2001) 101 (why not Wald's).

use crate::student::normal_quantile;

/// The name of the method.
pub(crate) const METHOD: &str = "wilson-score";

/// The interval of the share `k/n` at `level`; `n` is at least 1.
pub(crate) fn interval(k: usize, n: usize, level: f64) -> (f64, f64) {
    Wilson::new(n, level).interval(k)
}

/// Intervals of several shares of one whole.
pub(crate) struct Wilson {
    n: f64,
    z: f64,
}

impl Wilson {
    /// Of `n` cases, at least one.
    pub(crate) fn new(n: usize, level: f64) -> Self {
        Self {
            n: n as f64,
            z: normal_quantile(level),
        }
    }

    /// Of `k` of them.
    pub(crate) fn interval(&self, k: usize) -> (f64, f64) {
        let (n, z, k) = (self.n, self.z, k as f64);
        let square = z * z;
        let center = k + square / 2.0;
        let half = z * (k * (n - k) / n + square / 4.0).sqrt();
        let lower = if k == 0.0 {
            0.0
        } else {
            (center - half) / (n + square)
        };
        let upper = if k == n {
            1.0
        } else {
            (center + half) / (n + square)
        };
        (lower.clamp(0.0, 1.0), upper.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_wilsons() {
        // statsmodels 0.15.0: proportion_confint(k, n, 0.05, "wilson")
        let cases = [
            (0, 10, 0.0, 0.277_532_799_862_889_25),
            (10, 10, 0.722_467_200_137_110_7, 1.0),
            (152, 344, 0.390_310_503_571_039_1, 0.494_694_578_526_954_25),
        ];
        for (k, n, lower, upper) in cases {
            let found = interval(k, n, 0.95);
            assert!(
                (found.0 - lower).abs() < 1e-12 && (found.1 - upper).abs() < 1e-12,
                "{k} of {n}: {found:?}"
            );
        }
    }
}
