//! Ticks at round numbers: which values an axis names, and how they are written.
//!
//! A tick is an integer multiple of 1, 2, 2.5 or 5 times a power of ten. Its label is written from the integers, its
//! value is the double nearest to that decimal, so neither carries the noise of repeated addition. Which step is taken
//! follows Talbot, Lin & Hanrahan, An Extension of Wilkinson's Algorithm for Positioning Tick Labels on Axes, IEEE
//! TVCG 16(6), 2010: round steps, close cover of the data and a count near the target are weighed against each other;
//! the terms used here are simpler and documented at [`nice`].

mod dates;

pub use dates::dates;

use crate::wire::v2::Domain;
use identity::Finite;

/// Limitation code of an axis over a column whose values are all equal.
pub const CONSTANT_DOMAIN: &str = "CONSTANT_DOMAIN";

/// Limitation code of an axis over a column whose values differ by less than a double can grade.
pub const NEARLY_CONSTANT_DOMAIN: &str = "NEARLY_CONSTANT_DOMAIN";

/// Ticks that a layout asks for along one axis of the volume.
pub const TARGET: usize = 6;

const MOST: i128 = 40;
const MANTISSAS: [(i128, f64); 4] = [(100, 1.0), (50, 0.75), (25, 0.3), (20, 0.6)];

/// Why an axis has no ticks.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TickError {
    /// An end is NaN or infinite, or the ends are swapped. Way out: finite values in order.
    #[error("{min} to {max} is no interval")]
    NoInterval {
        /// Lower end.
        min: f64,
        /// Upper end.
        max: f64,
    },
    /// The width is beyond what a double holds. Way out: another unit.
    #[error("from {min} to {max} is too wide for a number to hold")]
    TooWide {
        /// Lower end.
        min: f64,
        /// Upper end.
        max: f64,
    },
    /// No round number lies between the ends, or they are closer than doubles can grade. Way out: another unit.
    #[error("{min} and {max} are too close for distinct ticks")]
    TooNarrow {
        /// Lower end.
        min: f64,
        /// Upper end.
        max: f64,
    },
}

/// One named value of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Value in the axis's unit.
    pub value: f64,
    /// As written, without the unit.
    pub label: String,
}

impl Tick {
    /// The label with its unit, such as `200 mm`.
    #[must_use]
    pub fn with_unit(&self, unit: Option<&str>) -> String {
        match unit {
            Some(unit) => format!("{} {unit}", self.label),
            None => self.label.clone(),
        }
    }
}

/// Ticks over an interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// Lower end of the axis.
    pub min: f64,
    /// Upper end of the axis.
    pub max: f64,
    /// In increasing order, all within the ends.
    pub ticks: Vec<Tick>,
}

/// A domain for a column whose values run from `min` to `max`: nice ends where the values differ, else a stated
/// widening of half a tick on both sides with the limitation code that says so.
///
/// # Errors
/// [`TickError`] when the values are not finite or their span is beyond a double.
pub fn domain(min: f64, max: f64, target: usize) -> Result<(Ticks, Option<&'static str>), TickError> {
    interval(min, max)?;
    if min == max {
        return Ok((around(min)?, Some(CONSTANT_DOMAIN)));
    }
    match nice(min, max, target) {
        Err(TickError::TooNarrow { .. }) => {
            let wide = around(min + (max - min) / 2.0)?;
            if wide.min <= min && max <= wide.max {
                Ok((wide, Some(NEARLY_CONSTANT_DOMAIN)))
            } else {
                Err(TickError::TooNarrow { min, max })
            }
        }
        other => other.map(|ticks| (ticks, None)),
    }
}

/// Ticks whose first and last enclose `min..max`, so that the axis ends at round numbers.
///
/// Of the steps 1, 2, 2.5 and 5 times a power of ten it takes the one with the greatest
/// `0.2 * roundness + 0.25 * cover + 0.5 * count`: roundness 1, 0.6, 0.3, 0.75 for these four; cover `1 - 50 (a² + b²)`
/// for overhangs `a` and `b` in widths of the data; count `2 - max(n/t, t/n)` for `n` ticks with target `t`. The first
/// of equals wins, coarse steps first.
///
/// # Errors
/// [`TickError`] when the ends are no interval, too wide or too close.
pub fn nice(min: f64, max: f64, target: usize) -> Result<Ticks, TickError> {
    search(min, max, target, true)
}

/// Ticks within `min..max`, ends included where they are round.
///
/// # Errors
/// As [`nice`].
pub fn inside(min: f64, max: f64, target: usize) -> Result<Ticks, TickError> {
    search(min, max, target, false)
}

/// Powers of ten within a positive interval, with 2 and 5 between them when there are few; [`inside`] when even those
/// are too few.
///
/// # Errors
/// As [`nice`]; also when `min` is zero or less.
pub fn decades(min: f64, max: f64, target: usize) -> Result<Ticks, TickError> {
    spread(min, max)?;
    if min <= 0.0 {
        return Err(TickError::NoInterval { min, max });
    }
    let first = exponent(min);
    let last = exponent(max);
    for mantissas in [&[1][..], &[1, 2, 5][..]] {
        let mut ticks = Vec::new();
        for power in first..=last {
            for mantissa in mantissas {
                let value = decimal(*mantissa, power);
                if value >= min && value <= max {
                    ticks.push(Tick {
                        value,
                        label: written(*mantissa, power, last),
                    });
                }
            }
        }
        if ticks.len() >= target.min(4) {
            let keep = ticks.len().div_ceil(target.max(1) * 2).max(1);
            let ticks = ticks.into_iter().step_by(keep).collect();
            return Ok(Ticks { min, max, ticks });
        }
    }
    inside(min, max, target)
}

/// The axis of a single value: one tick at it, half a tick of room on both sides. The tick is the power of ten at or
/// below the value's size, or 1 for zero.
///
/// # Errors
/// [`TickError::TooWide`] or [`TickError::TooNarrow`] at the ends of what doubles hold.
pub fn around(value: f64) -> Result<Ticks, TickError> {
    interval(value, value)?;
    let step = if value == 0.0 {
        1.0
    } else {
        decimal(1, exponent(value))
    };
    let (min, max) = (value - step / 2.0, value + step / 2.0);
    if !(max - min).is_finite() {
        return Err(TickError::TooWide { min, max });
    }
    if min >= value || max <= value {
        return Err(TickError::TooNarrow { min, max });
    }
    Ok(Ticks {
        min,
        max,
        ticks: vec![Tick {
            value,
            label: plain(value),
        }],
    })
}

/// A measured number as people read it: the shortest decimal that reads back as the same double.
#[must_use]
pub fn plain(value: f64) -> String {
    Finite::new(value).map_or_else(|_| "not a number".to_owned(), |finite| finite.to_string())
}

impl Ticks {
    /// The ends as a domain.
    ///
    /// # Errors
    /// None in practice: both ends are finite.
    pub fn domain(&self) -> Result<Domain, identity::NumberError> {
        Ok(Domain::Interval {
            min: Finite::new(self.min)?,
            max: Finite::new(self.max)?,
        })
    }
}

fn interval(min: f64, max: f64) -> Result<(), TickError> {
    if min.is_finite() && max.is_finite() && min <= max {
        Ok(())
    } else {
        Err(TickError::NoInterval { min, max })
    }
}

fn spread(min: f64, max: f64) -> Result<f64, TickError> {
    interval(min, max)?;
    let span = max - min;
    if !span.is_finite() {
        return Err(TickError::TooWide { min, max });
    }
    // Doubles near the ends must grade the span finely enough for ticks to differ and to be told apart.
    if span <= min.abs().max(max.abs()) * 1e-12 || span < f64::MIN_POSITIVE {
        return Err(TickError::TooNarrow { min, max });
    }
    Ok(span)
}

fn search(min: f64, max: f64, target: usize, cover: bool) -> Result<Ticks, TickError> {
    let span = spread(min, max)?;
    let target = target.max(2);
    let top = exponent(span);
    let mut best: Option<(f64, Ticks)> = None;
    for power in (top - 2..=top + 1).rev() {
        for (mantissa, roundness) in MANTISSAS {
            let Some(multiples) = multiples(min, max, mantissa, power - 2, cover) else {
                continue;
            };
            let score = 0.2 * roundness
                + 0.25 * closeness(min, max, span, &multiples)
                + 0.5 * fill(multiples.count(), target);
            // Written out only where they are the best so far: spelling numbers is what takes time.
            if best.as_ref().is_none_or(|(other, _)| score > *other)
                && let Some(ticks) = multiples.ticks(min, max, cover)
            {
                best = Some((score, ticks));
            }
        }
    }
    best.map(|(_, ticks)| ticks)
        .ok_or(TickError::TooNarrow { min, max })
}

fn closeness(min: f64, max: f64, span: f64, multiples: &Multiples) -> f64 {
    let below = (min - multiples.low) / span;
    let above = (multiples.high - max) / span;
    1.0 - 50.0 * (below * below + above * above)
}

fn fill(count: usize, target: usize) -> f64 {
    let ratio = count as f64 / target as f64;
    2.0 - ratio.max(1.0 / ratio)
}

/// Consecutive multiples of `mantissa * 10^power`, from the double `low` to the double `high`.
struct Multiples {
    mantissa: i128,
    power: i32,
    first: i128,
    last: i128,
    low: f64,
    high: f64,
}

/// The multiples of `mantissa * 10^power` that enclose (`cover`) or lie within `min..max`; none when they are fewer
/// than two, more than [`MOST`], or beyond exact integers.
fn multiples(min: f64, max: f64, mantissa: i128, power: i32, cover: bool) -> Option<Multiples> {
    let (mantissa, power) = shortest(mantissa, power);
    let step = decimal(mantissa, power);
    if step <= 0.0 || !step.is_finite() {
        return None;
    }
    let at = |index: i128| decimal(index * mantissa, power);
    let mut first = whole(libm::floor(min / step))?;
    let mut last = whole(libm::ceil(max / step))?;
    // Rounding moves an end by a step or two, far less than what makes these too many.
    if last - first > 2 * MOST {
        return None;
    }
    while at(first) > min {
        first -= 1;
    }
    while at(first + 1) <= min {
        first += 1;
    }
    while at(last) < max {
        last += 1;
    }
    while at(last - 1) >= max {
        last -= 1;
    }
    if !cover {
        first += i128::from(at(first) < min);
        last -= i128::from(at(last) > max);
    }
    if last - first < 1 || last - first >= MOST {
        return None;
    }
    let (low, high) = (at(first), at(last));
    if !low.is_finite() || !high.is_finite() || !(high - low).is_finite() {
        return None;
    }
    Some(Multiples {
        mantissa,
        power,
        first,
        last,
        low,
        high,
    })
}

impl Multiples {
    fn count(&self) -> usize {
        usize::try_from(self.last - self.first + 1).unwrap_or(usize::MAX)
    }

    /// Written out; none when doubles do not tell them apart.
    fn ticks(&self, min: f64, max: f64, cover: bool) -> Option<Ticks> {
        let size = exponent(self.low.abs().max(self.high.abs()));
        let ticks: Vec<Tick> = (self.first..=self.last)
            .map(|index| Tick {
                value: decimal(index * self.mantissa, self.power),
                label: written(index * self.mantissa, self.power, size),
            })
            .collect();
        if ticks.windows(2).any(|pair| pair[0].value >= pair[1].value) {
            return None;
        }
        let (min, max) = if cover { (self.low, self.high) } else { (min, max) };
        Some(Ticks { min, max, ticks })
    }
}

/// Without trailing zeros in the mantissa.
const fn shortest(mantissa: i128, power: i32) -> (i128, i32) {
    let (mut mantissa, mut power) = (mantissa, power);
    while mantissa % 10 == 0 {
        mantissa /= 10;
        power += 1;
    }
    (mantissa, power)
}

fn whole(value: f64) -> Option<i128> {
    (libm::fabs(value) < 4_503_599_627_370_496.0).then_some(value as i128)
}

/// The powers of ten that are doubles.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The double nearest to `digits * 10^power`. Where both factors are doubles, one rounding gives it (Clinger, How to
/// Read Floating Point Numbers Accurately, PLDI 1990); elsewhere it is read from the decimal.
fn decimal(digits: i128, power: i32) -> f64 {
    if let Some(ten) = TENS.get(power.unsigned_abs() as usize)
        && digits.unsigned_abs() <= 1 << 53
    {
        let digits = digits as f64;
        return if power < 0 { digits / ten } else { digits * ten };
    }
    format!("{digits}e{power}").parse().unwrap_or(f64::NAN)
}

/// The power of ten of the first digit, exactly.
fn exponent(value: f64) -> i32 {
    let text = format!("{:e}", value.abs());
    text.rsplit_once('e')
        .and_then(|(_, power)| power.parse().ok())
        .unwrap_or(0)
}

/// Writes `digits * 10^power` for an axis whose largest number has its first digit at `size`: plainly up to seven digits
/// and down to 0.0001, else with one common power of ten.
fn written(digits: i128, power: i32, size: i32) -> String {
    if digits == 0 {
        return "0".to_owned();
    }
    if (-4..7).contains(&size) {
        fixed(digits, power)
    } else {
        format!("{}e{size}", fixed(digits, power - size))
    }
}

/// `digits * 10^power` without exponent.
fn fixed(digits: i128, power: i32) -> String {
    let sign = if digits < 0 { "-" } else { "" };
    let text = digits.unsigned_abs().to_string();
    match usize::try_from(-power) {
        Ok(places) if places > 0 => {
            let text = format!("{text:0>width$}", width = places + 1);
            let (whole, part) = text.split_at(text.len() - places);
            format!("{sign}{whole}.{part}")
        }
        _ => format!("{sign}{text}{}", "0".repeat(usize::try_from(power).unwrap_or(0))),
    }
}
