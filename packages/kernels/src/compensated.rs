//! Sums in a stated order, with what rounding lost added at the end.
//!
//! A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, Zeitschrift für angewandte
//! Mathematik und Mechanik 54 (1974) 39: the error is below `u·|Σx| + n²u²·Σ|x|` to first order, so for sums of terms of
//! one sign a unit in the last place. Faster than [`crate::exact`], and, unlike it, only as independent of order as the
//! order it is given.

/// A sum with its rounding errors kept apart.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compensated {
    sum: f64,
    lost: f64,
}

impl Compensated {
    pub(crate) fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.lost += if self.sum.abs() >= term.abs() {
            self.sum - sum + term
        } else {
            term - sum + self.sum
        };
        self.sum = sum;
    }

    pub(crate) fn total(self) -> f64 {
        self.sum + self.lost
    }
}

/// The compensated sum of terms in their order.
pub(crate) fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let mut sum = Compensated::default();
    terms.for_each(|term| sum.add(term));
    sum.total()
}
