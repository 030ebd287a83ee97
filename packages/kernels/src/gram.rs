//! Sums of columns and of their products, without rounding: all that correlations and linear regressions need.
//!
//! A product of two doubles is an integer in units of `2^−2148`, so the register of [`crate::exact`] holds any sum of
//! them exactly. The state is a [`Partial`]: chunks of rows can be added in any order on any number of workers. Memory
//! is about 1 KiB for each pair of columns, whatever the number of rows; time is proportional to rows times pairs.

use crate::exact::integer::Integer;
use crate::exact::{Register, SQUARE_LIMBS, SUM_LIMBS, parts};
use crate::partial::{Partial, together_over};

/// Rows of one chunk when the work is shared out.
const CHUNK: usize = 1 << 14;

/// Count, sums and sums of products of columns.
#[derive(Clone, Debug)]
pub(crate) struct Gram {
    n: u64,
    sums: Vec<Register>,
    /// Of columns `i ≥ j`, at `i·(i + 1)/2 + j`.
    products: Vec<Register>,
    /// The greatest power of two that divides every value of a column, in units of `2^−1074`; `None` when all are zero.
    powers: Vec<Option<usize>>,
}

impl Partial for Gram {
    /// Columns of equal length, finite doubles.
    type Chunk<'a> = &'a [&'a [f64]];
    type Answer = Self;

    fn of(columns: &[&[f64]]) -> Self {
        let n_rows = columns.first().map_or(0, |column| column.len());
        let mut gram = Self::empty(columns.len());
        let mut row = vec![0.0; columns.len()];
        for row_idx in 0..n_rows {
            for (value, column) in row.iter_mut().zip(columns) {
                *value = column[row_idx];
            }
            gram.count(&row, false);
        }
        gram
    }

    fn merge(mut self, other: Self) -> Self {
        self.n += other.n;
        let pairs = self.sums.iter_mut().zip(&other.sums);
        for (register, term) in pairs.chain(self.products.iter_mut().zip(&other.products)) {
            register.merge(term);
        }
        for (power, term) in self.powers.iter_mut().zip(other.powers) {
            *power = least(*power, term);
        }
        self
    }

    fn finish(self) -> Self {
        self
    }
}

fn least(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Gram {
    fn empty(n_columns: usize) -> Self {
        Self {
            n: 0,
            sums: vec![Register::new(SUM_LIMBS); n_columns],
            products: vec![Register::new(SQUARE_LIMBS); n_columns * (n_columns + 1) / 2],
            powers: vec![None; n_columns],
        }
    }

    /// Of whole columns, in chunks on the threads of the current pool.
    pub(crate) fn of_columns(columns: &[Vec<f64>]) -> Self {
        let n_rows = columns.first().map_or(0, Vec::len);
        together_over(n_rows, CHUNK, |rows| {
            let slices: Vec<&[f64]> = columns.iter().map(|column| &column[rows.clone()]).collect();
            Self::of(&slices)
        })
    }

    /// Without one row that was counted.
    pub(crate) fn without(&self, row: &[f64]) -> Self {
        let mut gram = self.clone();
        gram.count(row, true);
        gram
    }

    /// Adds a row, or takes it away again.
    fn count(&mut self, row: &[f64], away: bool) {
        self.n = if away { self.n - 1 } else { self.n + 1 };
        let terms: Vec<(bool, u64, i32)> = row.iter().map(|value| parts(*value)).collect();
        for (i, (negative, significand, exp)) in terms.iter().enumerate() {
            if *significand == 0 {
                continue;
            }
            let shift = exp.unsigned_abs() as usize;
            if !away {
                let zeros = significand.trailing_zeros() as usize;
                self.powers[i] = least(self.powers[i], Some(shift + zeros));
            }
            self.sums[i].add(*negative != away, u128::from(*significand), shift);
            for (j, (other_negative, other, other_exp)) in terms[..=i].iter().enumerate() {
                if *other == 0 {
                    continue;
                }
                let product = u128::from(*significand) * u128::from(*other);
                let shift = shift + other_exp.unsigned_abs() as usize;
                let negative = (negative != other_negative) != away;
                self.products[i * (i + 1) / 2 + j].add(negative, product, shift);
            }
        }
    }

    /// Rows counted.
    pub(crate) fn n(&self) -> u64 {
        self.n
    }

    /// The sum of a column in units of `2^−1074`.
    pub(crate) fn sum(&self, i: usize) -> Integer {
        Integer::held(&self.sums[i])
    }

    /// The double nearest to a column's mean. There is at least one row.
    pub(crate) fn mean(&self, i: usize) -> f64 {
        self.sums[i]
            .over(self.n.max(1))
            .expect("a mean lies between the doubles it is made of")
    }

    /// `n·Σxy − Σx·Σy` in units of `2^−2148`: `n` times the sum of products about the means; for `i = j` never negative.
    pub(crate) fn about_means(&self, i: usize, j: usize) -> Integer {
        let (i, j) = (i.max(j), i.min(j));
        let products = Integer::held(&self.products[i * (i + 1) / 2 + j]);
        let sums = self.sum(i).times(&self.sum(j));
        products.times(&Integer::new(self.n)).minus(&sums)
    }

    /// The power of two in every value of a column, in units of `2^−1074`.
    pub(crate) fn power(&self, i: usize) -> usize {
        self.powers[i].unwrap_or(0)
    }
}

#[cfg(test)]
#[path = "tests/gram.rs"]
mod tests;
