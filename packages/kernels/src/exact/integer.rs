//! Signed integers of any length, and the doubles that quotients of them become.
//!
//! What linear algebra needs and no more: sums, products, division where nothing is left over. Products take time in
//! proportion to the product of the lengths.
//!
//! Source: T. Jebelean, An algorithm for exact division, Journal of Symbolic Computation 15 (1993) 169.

use std::cmp::Ordering;

use super::{Magnitude, Register};

/// An integer; zero is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    negative: bool,
    magnitude: Magnitude,
}

impl Integer {
    pub(crate) fn new(value: u64) -> Self {
        Self::of(
            false,
            Magnitude(vec![value as u32, (value >> 32) as u32]).trimmed(),
        )
    }

    /// What a register holds, in the register's unit.
    pub(crate) fn held(register: &Register) -> Self {
        let (negative, magnitude) = register.value();
        Self::of(negative, magnitude)
    }

    fn of(negative: bool, magnitude: Magnitude) -> Self {
        Self {
            negative: negative && !magnitude.0.is_empty(),
            magnitude,
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.magnitude.0.is_empty()
    }

    #[cfg(test)]
    pub(crate) fn is_negative(&self) -> bool {
        self.negative
    }

    pub(crate) fn n_bits(&self) -> usize {
        self.magnitude.n_bits()
    }

    pub(crate) fn negated(mut self) -> Self {
        self.negative = !self.negative && !self.is_zero();
        self
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        Self::of(
            self.negative != other.negative,
            self.magnitude.times(&other.magnitude),
        )
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        if self.negative == other.negative {
            return Self::of(self.negative, self.magnitude.plus(&other.magnitude));
        }
        match self.magnitude.compare(&other.magnitude) {
            Ordering::Less => Self::of(other.negative, other.magnitude.clone().minus(&self.magnitude)),
            Ordering::Equal | Ordering::Greater => {
                Self::of(self.negative, self.magnitude.clone().minus(&other.magnitude))
            }
        }
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.clone().negated())
    }

    /// The quotient of a division that leaves nothing over.
    pub(crate) fn divided_exactly(&self, divisor: &Self) -> Self {
        Self::of(
            self.negative != divisor.negative,
            self.magnitude.divided_exactly(&divisor.magnitude),
        )
    }

    /// Divided by a power of two that divides it.
    pub(crate) fn shifted_down(&self, n_bits: usize) -> Self {
        Self::of(self.negative, self.magnitude.shifted_down(n_bits))
    }

    /// The nearest scaled double of `self · 2^unit_exp`.
    pub(crate) fn scaled(&self, unit_exp: i64) -> Scaled {
        let n_bits = self.n_bits() as i32;
        if n_bits == 0 {
            return Scaled::ZERO;
        }
        let magnitude = self
            .magnitude
            .to_f64(1 - n_bits, false)
            .expect("a number below 4 is a double");
        Scaled {
            significand: if self.negative { -magnitude } else { magnitude },
            exp: i64::from(n_bits - 1) + unit_exp,
        }
    }
}

impl Magnitude {
    fn times(&self, other: &Self) -> Self {
        let mut limbs = vec![0_u32; self.0.len() + other.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            let mut carried: u64 = 0;
            for (j, b) in other.0.iter().enumerate() {
                let total = u64::from(*a) * u64::from(*b) + u64::from(limbs[i + j]) + carried;
                limbs[i + j] = total as u32;
                carried = total >> 32;
            }
            limbs[i + other.0.len()] = carried as u32;
        }
        Self(limbs).trimmed()
    }

    fn plus(&self, other: &Self) -> Self {
        let n_limbs = self.0.len().max(other.0.len());
        let mut carried = 0;
        let limb = |one: &Self, idx: usize| u64::from(one.0.get(idx).copied().unwrap_or(0));
        let mut limbs: Vec<u32> = (0..n_limbs)
            .map(|idx| {
                let total = limb(self, idx) + limb(other, idx) + carried;
                carried = total >> 32;
                total as u32
            })
            .collect();
        limbs.push(carried as u32);
        Self(limbs).trimmed()
    }

    fn shifted_down(&self, n_bits: usize) -> Self {
        let (first, offset) = (n_bits / 32, n_bits % 32);
        let limb = |idx: usize| u64::from(self.0.get(idx).copied().unwrap_or(0));
        let n_limbs = self.0.len().saturating_sub(first);
        let limbs = (0..n_limbs).map(|idx| {
            let pair = limb(first + idx) | limb(first + idx + 1) << 32;
            (pair >> offset) as u32
        });
        Self(limbs.collect()).trimmed()
    }

    fn n_trailing_zeros(&self) -> usize {
        let first = self.0.iter().position(|limb| *limb != 0).unwrap_or(0);
        let limb = self.0.get(first).copied().unwrap_or(0);
        32 * first + limb.trailing_zeros() as usize % 32
    }

    /// Jebelean's division from the least limb: each limb of the quotient is the limb that makes the rest vanish there.
    fn divided_exactly(&self, divisor: &Self) -> Self {
        debug_assert!(!divisor.0.is_empty(), "nothing is divided by zero");
        if self.0.is_empty() {
            return self.clone();
        }
        let zeros = divisor.n_trailing_zeros();
        let divisor = divisor.shifted_down(zeros);
        let mut rest = self.shifted_down(zeros).0;
        let inverse = inverse_of_odd(divisor.0[0]);
        let n_limbs = (rest.len() + 1).saturating_sub(divisor.0.len());
        let mut quotient = Vec::with_capacity(n_limbs);
        for at in 0..n_limbs {
            let limb = rest[at].wrapping_mul(inverse);
            let mut borrowed: u64 = 0;
            for (idx, place) in rest.iter_mut().enumerate().skip(at) {
                let product = match divisor.0.get(idx - at) {
                    Some(other) => u64::from(limb) * u64::from(*other),
                    None if borrowed == 0 => break,
                    None => 0,
                };
                let taken = product + borrowed;
                borrowed = (taken >> 32) + u64::from(*place < taken as u32);
                *place = place.wrapping_sub(taken as u32);
            }
            quotient.push(limb);
        }
        debug_assert!(rest.iter().all(|limb| *limb == 0), "something was left over");
        Self(quotient).trimmed()
    }
}

/// The inverse modulo 2^32 by Newton's iteration, each step of which doubles the digits that are right.
fn inverse_of_odd(odd: u32) -> u32 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2_u32.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// A double with an exponent of its own, so that nothing between an integer and the final result overflows. Each
/// operation rounds once: the relative error of a result is about 1.1e-16 for every operation in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scaled {
    /// 0, or from 1 up to 2 in magnitude.
    significand: f64,
    exp: i64,
}

impl Scaled {
    pub(crate) const ZERO: Self = Self {
        significand: 0.0,
        exp: 0,
    };

    /// Of a finite double.
    pub(crate) fn new(value: f64) -> Self {
        Self {
            significand: value,
            exp: 0,
        }
        .normal()
    }

    fn normal(self) -> Self {
        if self.significand == 0.0 {
            return Self::ZERO;
        }
        let (fraction, exp) = libm::frexp(self.significand);
        Self {
            significand: 2.0 * fraction,
            exp: self.exp + i64::from(exp) - 1,
        }
    }

    pub(crate) fn times(self, other: Self) -> Self {
        Self {
            significand: self.significand * other.significand,
            exp: self.exp + other.exp,
        }
        .normal()
    }

    /// The divisor is not zero.
    pub(crate) fn over(self, divisor: Self) -> Self {
        debug_assert!(divisor.significand != 0.0);
        Self {
            significand: self.significand / divisor.significand,
            exp: self.exp - divisor.exp,
        }
        .normal()
    }

    /// Of a number that is not negative.
    pub(crate) fn root(self) -> Self {
        let odd = self.exp.rem_euclid(2);
        let significand = if odd == 1 {
            2.0 * self.significand
        } else {
            self.significand
        };
        Self {
            significand: significand.sqrt(),
            exp: (self.exp - odd) / 2,
        }
        .normal()
    }

    /// The double; `None` beyond the largest one.
    pub(crate) fn get(self) -> Option<f64> {
        let exp = self.exp.clamp(-3000, 3000) as i32;
        // Adding 0 leaves no −0 where a negative number vanishes.
        let value = libm::ldexp(self.significand, exp) + 0.0;
        value.is_finite().then_some(value)
    }
}

#[cfg(test)]
#[path = "../tests/integer.rs"]
mod tests;
