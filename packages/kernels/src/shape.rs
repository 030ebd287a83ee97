//! What one pass over numbers gives (count, exact sums, extremes), and the shape that a second pass adds.
//!
//! The shape is the third and the fourth moment of `z = (x − mean) / s` with `n` in the denominator of `s`, each power
//! rounded toward zero to a multiple of 2^−44 and added as an integer, so the order of the values cannot matter. With the
//! mean and `s` exact but for their last rounding, a third moment is within `2^−44 + 2^−50 · (κ + E|z|³)` of that of the
//! doubles, a fourth within `2^−44 + 2^−50 · (κ·E|z|³ + E z⁴)`, where `κ = |mean| / s`.
//!
//! [`Survey`] and [`Shape`] are mergeable; quantiles need all values.

use crate::exact::Moments;
use crate::partial::{CHUNK_ROWS, Partial, together};

/// From here on every double is whole.
const LARGEST_FRACTION: f64 = (1_u64 << 53) as f64;

/// Count, exact sums, extremes.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    moments: Moments,
    extent: Option<(f64, f64)>,
    whole: bool,
}

/// What a survey finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Surveyed {
    pub(crate) n: usize,
    pub(crate) mean: Option<f64>,
    /// With `n − 1` in the denominator.
    pub(crate) deviation: Option<f64>,
    /// Least and greatest value.
    pub(crate) extent: Option<(f64, f64)>,
    /// Whether every value is whole.
    pub(crate) whole: bool,
}

impl Survey {
    /// Of all values, in chunks.
    pub(crate) fn of_all(values: &[f64]) -> Surveyed {
        together(values, CHUNK_ROWS, Self::of).finish()
    }
}

impl Partial for Survey {
    type Chunk<'a> = &'a [f64];
    type Answer = Surveyed;

    fn of(values: &[f64]) -> Self {
        let mut extent: Option<(f64, f64)> = None;
        let mut whole = true;
        if let Some(first) = values.first() {
            let (mut least, mut greatest) = (*first, *first);
            for value in values {
                // The values hold no NaN.
                least = if *value < least { *value } else { least };
                greatest = if *value > greatest { *value } else { greatest };
                whole &= (*value as i64) as f64 == *value || value.abs() >= LARGEST_FRACTION;
            }
            extent = Some((least, greatest));
        }
        Self {
            moments: Moments::of(values),
            extent,
            whole,
        }
    }

    fn merge(self, other: Self) -> Self {
        let extent = match (self.extent, other.extent) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
        Self {
            moments: self.moments.merge(other.moments),
            extent,
            whole: self.whole && other.whole,
        }
    }

    fn finish(self) -> Surveyed {
        let (n, mean, deviation) = self.moments.finish();
        Surveyed {
            n: n as usize,
            mean,
            deviation,
            extent: self.extent,
            whole: self.whole,
        }
    }
}

impl Surveyed {
    /// The standard deviation with `n` in the denominator.
    pub(crate) fn deviation_of_all(&self) -> Option<f64> {
        let n = self.n as f64;
        self.deviation.map(|deviation| deviation * ((n - 1.0) / n).sqrt())
    }

    /// Mean and a deviation above zero, which a shape needs.
    pub(crate) fn center(&self) -> Option<Center> {
        let deviation = self.deviation_of_all().filter(|deviation| *deviation > 0.0)?;
        // Differences of the largest doubles overflow, so everything large is taken smaller.
        let scale = if deviation > 1.0 { 1.0 / 256.0 } else { 1.0 };
        Some(Center {
            scale,
            mean: self.mean? * scale,
            deviation: deviation * scale,
        })
    }
}

/// Where values are standardized to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Center {
    scale: f64,
    mean: f64,
    deviation: f64,
}

/// Sums of powers of standardized values, in units of 2^−44.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    n: u64,
    cubes: i128,
    fourths: i128,
}

const UNIT: f64 = (1_u64 << 44) as f64;
/// Below this a fixed-point number fits a machine word.
const WORD: f64 = (1_u64 << 62) as f64;

fn fixed(value: f64) -> i128 {
    let scaled = value * UNIT;
    if scaled.abs() < WORD {
        i128::from(scaled as i64)
    } else {
        scaled as i128
    }
}

impl Shape {
    /// Skewness and excess kurtosis of all values, in chunks.
    pub(crate) fn of_all(center: Center, values: &[f64]) -> Option<(f64, f64)> {
        together(values, CHUNK_ROWS, |chunk| Self::of((center, chunk))).finish()
    }
}

impl Partial for Shape {
    type Chunk<'a> = (Center, &'a [f64]);
    /// Skewness and excess kurtosis; `None` without values.
    type Answer = Option<(f64, f64)>;

    fn of((center, values): (Center, &[f64])) -> Self {
        let (mut cubes, mut fourths) = (0, 0);
        for value in values {
            let z = (value * center.scale - center.mean) / center.deviation;
            let square = z * z;
            cubes += fixed(square * z);
            fourths += fixed(square * square);
        }
        Self {
            n: values.len() as u64,
            cubes,
            fourths,
        }
    }

    fn merge(self, other: Self) -> Self {
        Self {
            n: self.n + other.n,
            cubes: self.cubes + other.cubes,
            fourths: self.fourths + other.fourths,
        }
    }

    fn finish(self) -> Option<(f64, f64)> {
        if self.n == 0 {
            return None;
        }
        let mean = |sum: i128| sum as f64 / UNIT / self.n as f64;
        Some((mean(self.cubes), mean(self.fourths) - 3.0))
    }
}

#[cfg(test)]
#[path = "tests/shape.rs"]
mod tests;
