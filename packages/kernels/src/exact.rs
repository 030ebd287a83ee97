//! Sums without rounding: every double is added as the integer it is, so the order of the terms cannot matter.
//!
//! A finite double is `±m · 2^e` with `m < 2^53` and `−1074 ≤ e ≤ 971`; its square is `m² · 2^2e`. Both are integers in
//! units of `2^−1074` and `2^−2148`, and a register of 32-bit limbs holds any sum of up to 2^63 of them. Rounding
//! happens once, at the end:
//!
//! - mean: the exact sum divided by `n`, rounded half to even; the double nearest to the true mean of the doubles,
//! - standard deviation: `√((n·Σx² − (Σx)²) / (n·(n−1)))` with an exact numerator. By the inequality of Cauchy and
//!   Schwarz it is never negative, so a negative variance can't be represented, and no digits cancel. The quotient is
//!   rounded once and the root once: within one unit in the last place of the true value for these doubles.
//!
//! Source: the long accumulator of U. Kulisch, Computer Arithmetic and Validity (2013), chapter 8.

pub(crate) mod integer;

use std::cmp::Ordering;

use crate::partial::Partial;

/// The unit of sums: the smallest subnormal.
pub(crate) const SUM_UNIT_EXP: i32 = -1074;
pub(crate) const SQUARE_UNIT_EXP: i32 = 2 * SUM_UNIT_EXP;
/// 2098 bits of the largest double, 63 for the count, one for the sign.
pub(crate) const SUM_LIMBS: usize = 68;
/// 4196 bits of the largest square, 63 for the count, one for the sign.
pub(crate) const SQUARE_LIMBS: usize = 134;
/// Additions before a limb, which takes less than 2^32 each time, could overflow its 63 bits.
const MAX_PENDING: u32 = 1 << 30;
/// Values that are added up in machine words when they are small integers: 2^12 squares below 2^46 fit.
const BLOCK: usize = 1 << 12;

/// Count, sum and sum of squares of finite doubles, without rounding.
#[derive(Clone, Debug)]
pub(crate) struct Moments {
    n: u64,
    sum: Register,
    squares: Register,
}

impl Moments {
    pub(crate) fn new() -> Self {
        Self {
            n: 0,
            sum: Register::new(SUM_LIMBS),
            squares: Register::new(SQUARE_LIMBS),
        }
    }

    /// Takes one finite double.
    pub(crate) fn add(&mut self, value: f64) {
        debug_assert!(value.is_finite());
        let (negative, significand, exp) = parts(value);
        self.n += 1;
        if significand == 0 {
            return;
        }
        let exp = exp.unsigned_abs() as usize;
        self.sum.add(negative, u128::from(significand), exp);
        self.squares
            .add(false, u128::from(significand) * u128::from(significand), 2 * exp);
    }

    /// Takes finite doubles.
    pub(crate) fn add_all(&mut self, values: &[f64]) {
        for block in values.chunks(BLOCK) {
            if !self.add_small_integers(block) {
                block.iter().for_each(|value| self.add(*value));
            }
        }
    }

    /// Takes a block of integers within ±2^23, whose sums fit a machine word; otherwise takes nothing and tells so.
    fn add_small_integers(&mut self, block: &[f64]) -> bool {
        debug_assert!(block.len() <= BLOCK);
        let (mut sum, mut squares, mut fit) = (0_i64, 0_i64, true);
        for value in block {
            let integer = *value as i32;
            fit &= f64::from(integer) == *value && integer.unsigned_abs() <= 1 << 23;
            let integer = i64::from(integer);
            sum = sum.wrapping_add(integer);
            squares = squares.wrapping_add(integer.wrapping_mul(integer));
        }
        if !fit {
            return false;
        }
        self.n += block.len() as u64;
        let one = SUM_UNIT_EXP.unsigned_abs() as usize;
        self.sum.add(sum < 0, u128::from(sum.unsigned_abs()), one);
        self.squares
            .add(false, u128::from(squares.unsigned_abs()), 2 * one);
        true
    }

    /// The double nearest to the mean; `None` without values. Always between the least and the greatest of them.
    pub(crate) fn mean(&self) -> Option<f64> {
        if self.n == 0 {
            return None;
        }
        self.sum.over(self.n)
    }

    /// The sample standard deviation; `None` below two values, and when it exceeds the largest double.
    pub(crate) fn standard_deviation(&self) -> Option<f64> {
        if self.n < 2 {
            return None;
        }
        let mut quotient = self.scaled_deviation().shifted_up(8);
        let rest = quotient.divide(self.n) | quotient.divide(self.n - 1);
        let unit_exp = SQUARE_UNIT_EXP - 8 * 32;
        let Some(top) = quotient.n_bits().checked_sub(1) else {
            return Some(0.0);
        };
        // variance = v · 2^e with 1 ≤ v < 4 and e even.
        let exp = (top as i32 + unit_exp) & !1;
        let variance = quotient.to_f64(unit_exp - exp, rest)?;
        let deviation = libm::ldexp(variance.sqrt(), exp / 2);
        deviation.is_finite().then_some(deviation)
    }

    /// `n·Σx² − (Σx)²` in units of `2^−2148`.
    fn scaled_deviation(&self) -> Magnitude {
        let (_, sum) = self.sum.value();
        let (_, mut squares) = self.squares.value();
        squares.multiply(self.n);
        squares.minus(&sum.squared())
    }
}

/// Mergeable: the registers hold integers, whose sum knows no order.
impl Partial for Moments {
    type Chunk<'a> = &'a [f64];
    type Answer = (u64, Option<f64>, Option<f64>);

    fn of(chunk: &[f64]) -> Self {
        let mut moments = Self::new();
        moments.add_all(chunk);
        moments
    }

    fn merge(mut self, other: Self) -> Self {
        self.n += other.n;
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
        self
    }

    /// Count, mean and sample standard deviation.
    fn finish(self) -> Self::Answer {
        (self.n, self.mean(), self.standard_deviation())
    }
}

/// Sign, significand and exponent above the unit: `value = ±significand · 2^(exp − 1074)`.
pub(crate) fn parts(value: f64) -> (bool, u64, i32) {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let negative = bits >> 63 == 1;
    if biased == 0 {
        (negative, fraction, 0)
    } else {
        (negative, fraction | 1 << 52, biased - 1)
    }
}

/// A signed integer in limbs of base 2^32, least first, with carries put off.
#[derive(Clone, Debug)]
pub(crate) struct Register {
    limbs: Vec<i64>,
    pending: u32,
}

impl Register {
    pub(crate) fn new(n_limbs: usize) -> Self {
        Self {
            limbs: vec![0; n_limbs],
            pending: 0,
        }
    }

    /// Adds `±significand · 2^shift`; the significand has at most 106 bits.
    pub(crate) fn add(&mut self, negative: bool, significand: u128, shift: usize) {
        if self.pending == MAX_PENDING {
            carry(&mut self.limbs);
            self.pending = 0;
        }
        self.pending += 1;
        let (first, offset) = (shift / 32, shift % 32);
        let mut rest = significand >> (32 - offset);
        let mut limb = (significand << offset) as u32;
        let mut idx = first;
        loop {
            let term = i64::from(limb);
            self.limbs[idx] += if negative { -term } else { term };
            if rest == 0 {
                break;
            }
            limb = rest as u32;
            rest >>= 32;
            idx += 1;
        }
    }

    /// Adds everything another register of the same length holds.
    pub(crate) fn merge(&mut self, other: &Self) {
        let mut others = other.limbs.clone();
        carry(&mut others);
        carry(&mut self.limbs);
        for (limb, term) in self.limbs.iter_mut().zip(others) {
            *limb += term;
        }
        self.pending = 2;
    }

    /// A sum of doubles divided by `n`: the double nearest to the true quotient, `None` beyond the doubles.
    pub(crate) fn over(&self, n: u64) -> Option<f64> {
        let (negative, magnitude) = self.value();
        // 128 bits below the unit, so that what the division leaves over only decides ties.
        let mut quotient = magnitude.shifted_up(4);
        let rest = quotient.divide(n);
        let mean = quotient.to_f64(SUM_UNIT_EXP - 128, rest)?;
        Some(if negative { 0.0 - mean } else { mean })
    }

    /// Sign and magnitude.
    fn value(&self) -> (bool, Magnitude) {
        let mut limbs = self.limbs.clone();
        let negative = carry(&mut limbs) < 0;
        if negative {
            limbs = self.limbs.iter().map(|limb| -limb).collect();
            carry(&mut limbs);
        }
        let limbs = limbs.into_iter().map(|limb| limb as u32).collect();
        (negative, Magnitude(limbs).trimmed())
    }
}

/// Brings every limb but the last into `0..2^32`; the last keeps its sign in place while more may be added. Returns
/// what the last one sends beyond itself: 0, or −1 for a negative number.
fn carry(limbs: &mut [i64]) -> i64 {
    let mut carried = 0;
    let last = limbs.len() - 1;
    for limb in &mut limbs[..last] {
        let total = *limb + carried;
        *limb = total & 0xffff_ffff;
        carried = total >> 32;
    }
    limbs[last] += carried;
    limbs[last] >> 32
}

/// A natural number in limbs of base 2^32, least first, without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Magnitude(Vec<u32>);

impl Magnitude {
    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn n_bits(&self) -> usize {
        self.0
            .last()
            .map_or(0, |limb| self.0.len() * 32 - limb.leading_zeros() as usize)
    }

    /// Times `2^(32 · n_limbs)`.
    fn shifted_up(&self, n_limbs: usize) -> Self {
        let mut limbs = vec![0; n_limbs];
        limbs.extend_from_slice(&self.0);
        Self(limbs).trimmed()
    }

    fn multiply(&mut self, factor: u64) {
        let mut carried: u128 = 0;
        for limb in &mut self.0 {
            let total = u128::from(*limb) * u128::from(factor) + carried;
            *limb = total as u32;
            carried = total >> 32;
        }
        while carried != 0 {
            self.0.push(carried as u32);
            carried >>= 32;
        }
    }

    /// Divides in place, rounding down; tells whether something was left over.
    fn divide(&mut self, divisor: u64) -> bool {
        let mut rest: u128 = 0;
        for limb in self.0.iter_mut().rev() {
            let total = rest << 32 | u128::from(*limb);
            *limb = (total / u128::from(divisor)) as u32;
            rest = total % u128::from(divisor);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        rest != 0
    }

    fn squared(&self) -> Self {
        let mut limbs = vec![0_u32; 2 * self.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            let mut carried: u64 = 0;
            for (j, b) in self.0.iter().enumerate() {
                let total = u64::from(*a) * u64::from(*b) + u64::from(limbs[i + j]) + carried;
                limbs[i + j] = total as u32;
                carried = total >> 32;
            }
            limbs[i + self.0.len()] = carried as u32;
        }
        Self(limbs).trimmed()
    }

    /// The difference; `other` is never greater.
    fn minus(mut self, other: &Self) -> Self {
        debug_assert!(self.compare(other) != Ordering::Less);
        let mut borrowed = false;
        for (idx, limb) in self.0.iter_mut().enumerate() {
            let taken = u64::from(other.0.get(idx).copied().unwrap_or(0)) + u64::from(borrowed);
            borrowed = u64::from(*limb) < taken;
            *limb = u64::from(*limb).wrapping_sub(taken) as u32;
        }
        self.trimmed()
    }

    fn compare(&self, other: &Self) -> Ordering {
        let by_len = self.0.len().cmp(&other.0.len());
        by_len.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    fn bit(&self, idx: usize) -> bool {
        self.0
            .get(idx / 32)
            .is_some_and(|limb| limb >> (idx % 32) & 1 == 1)
    }

    /// The nearest double to `self · 2^unit_exp`, ties to even; `rest` says that the true value is slightly more.
    /// `None` when it exceeds the largest double.
    fn to_f64(&self, unit_exp: i32, rest: bool) -> Option<f64> {
        let n_bits = self.n_bits() as i32;
        if n_bits == 0 {
            return Some(0.0);
        }
        let exp = n_bits - 1 + unit_exp;
        // Subnormals have fewer digits the smaller they are.
        let digits = 53.min(exp + 1 - SUM_UNIT_EXP);
        if digits < 0 {
            return Some(0.0);
        }
        let dropped = n_bits - digits;
        let mut kept = (0..digits).rev().fold(0_u64, |kept, idx| {
            kept << 1 | u64::from(dropped + idx >= 0 && self.bit((dropped + idx) as usize))
        });
        if dropped > 0 {
            let half = (dropped - 1) as usize;
            let below = rest || (0..half).any(|idx| self.bit(idx));
            if self.bit(half) && (below || kept & 1 == 1) {
                kept += 1;
            }
        }
        let value = libm::ldexp(kept as f64, dropped + unit_exp);
        value.is_finite().then_some(value)
    }
}

#[cfg(test)]
#[path = "tests/exact.rs"]
mod tests;
