//! Axes cut into bins by a stated rule.
//!
//! Bins are as wide as each other up to the rounding of their edges, and the edges are the doubles that are written: a
//! value lies in the bin whose lower edge is at most the value and whose upper edge is above it; the last bin takes its
//! upper edge too. Rules that give a width give `⌈range / width⌉` bins from the least to the greatest value, with the
//! edges of `numpy.linspace`.
//!
//! Whole numbers: a bin's width is then a whole number of at least 1 and its edges are whole, so each bin holds as many
//! whole numbers as the next and none looks fuller for holding one more. A stated number of bins becomes the largest fair
//! one below it.
//!
//! No bin is without width: edges that would round to one double make the bins fewer.
//!
//! Sources: D. Freedman, P. Diaconis, Z. Wahrscheinlichkeitstheorie 57 (1981) 453; D. W. Scott, Biometrika 66 (1979) 605
//! and Multivariate Density Estimation (1992) 3.4 (several axes: the exponent is `1/(d + 2)`); H. A. Sturges, JASA 21
//! (1926) 65.

use std::f64::consts::PI;

use crate::partial::{CHUNK_ROWS, Partial, together};
use crate::wire::v1::distribution::BinRule;

/// The most bins of one axis.
pub(crate) const MAX_BINS: usize = 4096;
/// Up to here whole numbers and their neighbors are doubles.
const LARGEST_WHOLE: f64 = (1_u64 << 52) as f64;

/// What rules look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    /// How many values; at least one.
    pub(crate) n: usize,
    pub(crate) least: f64,
    pub(crate) greatest: f64,
    /// Type 7, where the values have an order.
    pub(crate) interquartile_range: Option<f64>,
    /// With `n` in the denominator, where there is one.
    pub(crate) deviation: Option<f64>,
    /// Whether every value is whole.
    pub(crate) whole: bool,
}

/// A cut axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    /// The rule that was used.
    pub(crate) rule: &'static str,
    pub(crate) width: f64,
    /// Increasing strictly; at least two.
    pub(crate) edges: Vec<f64>,
    /// What the bins are otherwise than asked for, and why.
    pub(crate) notes: Vec<String>,
}

/// The word of a rule.
pub(crate) const fn word(rule: BinRule) -> &'static str {
    match rule {
        BinRule::FreedmanDiaconis {} => "freedman-diaconis",
        BinRule::Scott {} => "scott",
        BinRule::Sturges {} => STURGES,
        BinRule::SquareRoot {} => "square-root",
        BinRule::Number { .. } => "number",
        BinRule::Width { .. } => "width",
    }
}

const STURGES: &str = "sturges";

/// What a rule asks for.
#[derive(Clone, Copy)]
enum Wanted {
    Bins(f64),
    Width(f64),
}

/// Cuts an axis, one of `n_axes`, into at most `limit` bins.
///
/// # Errors
/// A sentence without a subject when a stated width makes too many bins, or none that doubles can tell apart.
pub(crate) fn cut(spread: &Spread, rule: BinRule, n_axes: u32, limit: usize) -> Result<Axis, String> {
    if let BinRule::Width { width } = rule {
        return by_width(spread, width.get(), limit);
    }
    let mut notes = Vec::new();
    if spread.least == spread.greatest {
        let edges = around(spread.least, spread.whole);
        let width = edges[1] - edges[0];
        let rule = word(rule);
        return Ok(Axis {
            rule,
            width,
            edges,
            notes,
        });
    }
    let range = spread.greatest - spread.least;
    let sturges = Wanted::Bins(libm::ceil(libm::log2(spread.n as f64) + 1.0));
    let asked = wanted(spread, rule, n_axes).filter(|_| range.is_finite());
    let (used, wanted) = match asked {
        Some(wanted) => (word(rule), wanted),
        None if matches!(
            rule,
            BinRule::Number { .. } | BinRule::SquareRoot {} | BinRule::Sturges {}
        ) =>
        {
            // A number of bins needs no finite range.
            (word(rule), wanted(spread, rule, n_axes).unwrap_or(sturges))
        }
        None => {
            notes.push(format!(
                "{} gives no width for these values, so {STURGES} is used",
                word(rule)
            ));
            (STURGES, sturges)
        }
    };
    let n_wanted = match wanted {
        Wanted::Bins(bins) => bins,
        Wanted::Width(width) => libm::ceil(range / width),
    };
    let n_wanted = n_wanted.max(1.0);
    if n_wanted > limit as f64 {
        notes.push(format!("{used} asks for {n_wanted} bins; {limit} are used"));
    }
    let n_bins = n_wanted.min(limit as f64) as usize;
    let (width, edges) = if is_lattice(spread) {
        let per_bin = match wanted {
            Wanted::Width(width) if n_wanted <= limit as f64 => libm::round(width).max(1.0),
            Wanted::Width(_) | Wanted::Bins(_) => libm::ceil((range + 1.0) / n_bins as f64),
        };
        let per_bin = per_bin.max(libm::ceil((range + 1.0) / limit as f64));
        let n_fair = libm::ceil((range + 1.0) / per_bin);
        if matches!(rule, BinRule::Number { .. }) && n_fair < n_bins as f64 {
            notes.push(format!(
                "{n_bins} bins were asked for; {n_fair} of {per_bin} whole numbers each are fair"
            ));
        }
        let edge = |idx: usize| spread.least + idx as f64 * per_bin;
        (per_bin, (0..=n_fair as usize).map(edge).collect())
    } else {
        let edges = even_edges(spread.least, spread.greatest, n_bins);
        let n_made = edges.len() - 1;
        if n_made < n_bins {
            notes.push(format!(
                "between the least and the greatest value there are doubles for {n_made} bins only"
            ));
        }
        let width = spread.greatest / n_made as f64 - spread.least / n_made as f64;
        let width = if range.is_finite() {
            range / n_made as f64
        } else {
            width
        };
        (width, edges)
    };
    Ok(Axis {
        rule: used,
        width,
        edges,
        notes,
    })
}

/// What a rule asks for; `None` when it gives no positive width.
fn wanted(spread: &Spread, rule: BinRule, n_axes: u32) -> Option<Wanted> {
    let n = spread.n as f64;
    let shrink = || libm::pow(n, -1.0 / f64::from(n_axes + 2));
    let width = |width: f64| (width > 0.0 && width.is_finite()).then_some(Wanted::Width(width));
    match rule {
        BinRule::FreedmanDiaconis {} => width(2.0 * spread.interquartile_range? * shrink()),
        BinRule::Scott {} => width(libm::cbrt(24.0 * PI.sqrt()) * spread.deviation? * shrink()),
        BinRule::Sturges {} => Some(Wanted::Bins(libm::ceil(libm::log2(n) + 1.0))),
        BinRule::SquareRoot {} if n_axes == 1 => Some(Wanted::Bins(libm::ceil(n.sqrt()))),
        BinRule::SquareRoot {} => {
            let each = libm::pow(n, 1.0 / f64::from(2 * n_axes));
            Some(Wanted::Bins(libm::ceil(each)))
        }
        BinRule::Number { bins } => Some(Wanted::Bins(bins.get() as f64)),
        BinRule::Width { .. } => None,
    }
}

/// Whether the bins hold whole numbers; a range as wide as 2^52 has room for any bins.
fn is_lattice(spread: &Spread) -> bool {
    spread.whole && spread.least.abs() <= LARGEST_WHOLE / 4.0 && spread.greatest.abs() <= LARGEST_WHOLE / 4.0
}

/// The one bin of equal values.
fn around(value: f64, whole: bool) -> Vec<f64> {
    let (low, high) = if whole && value.abs() < LARGEST_WHOLE {
        (value, value + 1.0)
    } else {
        (value - 0.5, value + 0.5)
    };
    if low < high && low <= value && value <= high && high.is_finite() && low.is_finite() {
        return vec![low, high];
    }
    match value.next_up() {
        high if high.is_finite() => vec![value, high],
        _ => vec![value.next_down(), value],
    }
}

/// Edges at equal distances; fewer when doubles can't tell them apart.
fn even_edges(least: f64, greatest: f64, n_bins: usize) -> Vec<f64> {
    let mut n_bins = n_bins.max(1);
    loop {
        let step = (greatest - least) / n_bins as f64;
        let inner = |idx: usize| {
            if step.is_finite() {
                least + idx as f64 * step
            } else {
                let share = idx as f64 / n_bins as f64;
                least * (1.0 - share) + greatest * share
            }
        };
        let mut edges: Vec<f64> = (0..n_bins).map(inner).collect();
        edges.push(greatest);
        if n_bins == 1 || edges.windows(2).all(|pair| pair[0] < pair[1]) {
            return edges;
        }
        n_bins /= 2;
    }
}

fn by_width(spread: &Spread, width: f64, limit: usize) -> Result<Axis, String> {
    if !(width > 0.0 && width.is_finite()) {
        return Err(format!("must be greater than 0, not {width}"));
    }
    let too_narrow = || format!("is {width}, narrower than doubles can tell values of this size apart");
    let mut first = libm::floor(spread.least / width);
    let mut last = libm::floor(spread.greatest / width) + 1.0;
    if !(first.abs() < LARGEST_WHOLE && last.abs() < LARGEST_WHOLE) {
        return Err(too_narrow());
    }
    if first * width > spread.least {
        first -= 1.0;
    }
    if last * width <= spread.greatest {
        last += 1.0;
    }
    let n_bins = last - first;
    if n_bins > limit as f64 {
        return Err(format!(
            "is {width}, which makes {n_bins} bins; the most is {limit}"
        ));
    }
    let edges: Vec<f64> = (0..=n_bins as usize)
        .map(|idx| (first + idx as f64) * width)
        .collect();
    let is_apart = edges.windows(2).all(|pair| pair[0] < pair[1]);
    let holds_all = edges[0] <= spread.least && spread.greatest <= edges[edges.len() - 1];
    if !(is_apart && holds_all && edges.iter().all(|edge| edge.is_finite())) {
        return Err(too_narrow());
    }
    let mut notes = Vec::new();
    if spread.whole && width.fract() != 0.0 {
        notes.push(format!(
            "bins of width {width} do not hold as many whole numbers each"
        ));
    }
    Ok(Axis {
        rule: "width",
        width,
        edges,
        notes,
    })
}

impl Axis {
    /// How many bins.
    pub(crate) fn n_bins(&self) -> usize {
        self.edges.len() - 1
    }

    /// The bin of a value within the edges, by the edges themselves: the guess by division is only where to look first.
    pub(crate) fn bin(&self, value: f64) -> usize {
        let last = self.n_bins() - 1;
        let guess = (value - self.edges[0]) / self.width;
        let mut bin = (guess as usize).min(last);
        while value < self.edges[bin] && bin > 0 {
            bin -= 1;
        }
        while bin < last && value >= self.edges[bin + 1] {
            bin += 1;
        }
        bin
    }
}

/// How many values lie in each bin of an axis. Mergeable, given the axis.
#[derive(Clone, Debug)]
pub(crate) struct BinCounts<'e> {
    axis: &'e Axis,
    counts: Vec<u64>,
}

impl<'e> BinCounts<'e> {
    /// Of all values, in chunks.
    pub(crate) fn of_all(axis: &'e Axis, values: &[f64]) -> Vec<u64> {
        together(values, CHUNK_ROWS, |chunk| Self::of((axis, chunk))).finish()
    }
}

impl<'e> Partial for BinCounts<'e> {
    type Chunk<'a> = (&'e Axis, &'a [f64]);
    type Answer = Vec<u64>;

    fn of((axis, values): Self::Chunk<'_>) -> Self {
        let mut counts = vec![0; axis.n_bins()];
        for value in values {
            counts[axis.bin(*value)] += 1;
        }
        Self { axis, counts }
    }

    fn merge(mut self, other: Self) -> Self {
        debug_assert_eq!(self.axis, other.axis, "counts of one axis");
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self
    }

    fn finish(self) -> Vec<u64> {
        self.counts
    }
}

#[cfg(test)]
#[path = "tests/binning.rs"]
mod tests;
