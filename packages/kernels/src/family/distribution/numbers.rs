//! Histogram, distribution function, density and shape of a NUMERIC column.

use dataset::{Column, Dataset};
use identity::Finite;
use rayon::prelude::*;

use super::{Described, texts};
use crate::binning::{self, Axis, BinCounts, MAX_BINS, Spread};
use crate::error::KernelError;
use crate::kde;
use crate::limitation::{Limitation, LimitationCode, counted};
use crate::receipt::{self, Claim, Method, SATISFIED, UNCHECKED, assumption};
use crate::shape::{Shape, Survey, Surveyed};
use crate::summary::{self, count, declared_dependent, finite};
use crate::wilson;
use crate::wire::v1::distribution::{
    BandwidthRule, BinRule, ColumnDistribution, DistributionFunction, DistributionPart, Histogram,
    KernelDensity,
};
use crate::wire::v1::{Assumption, DistributionRequest, Sensitivity, Uncertainty};

/// The name of the band's method: Dvoretzky, Kiefer and Wolfowitz (1956) with Massart's constant (Annals of Probability
/// 18 (1990) 1269): the whole function lies within `√(ln(2/α) / 2n)` of the empirical one with probability `1 − α`, for
/// every distribution.
const BAND_METHOD: &str = "dvoretzky-kiefer-wolfowitz-massart";
/// Up to so many steps of a distribution function are all listed.
const ALL_STEPS: usize = 512;
/// Otherwise those at so many equal shares.
const STEPS: usize = 256;

/// One column on its way.
struct Work<'a> {
    column: &'a Column,
    request: &'a DistributionRequest,
    /// Ascending when the distribution function or the density is asked for.
    values: Vec<f64>,
    surveyed: Surveyed,
    interquartile_range: Option<f64>,
    limitations: Vec<Limitation>,
    sensitivity: Vec<Sensitivity>,
    assumptions: Vec<Assumption>,
    /// Whether the bins' shares have intervals.
    has_shares: bool,
    /// Phrases of the estimand.
    quantities: Vec<String>,
}

pub(super) fn describe(
    dataset: &Dataset,
    column: &Column,
    request: &DistributionRequest,
    method: &Method<'_>,
) -> Result<Described, KernelError> {
    let scale = column.model().scale();
    let mut work = Work::new(column, request);
    let has = |part| request.parts.contains(&part) && !work.values.is_empty();
    let asks = [
        has(DistributionPart::Histogram) && texts::allows_bins(scale),
        has(DistributionPart::DistributionFunction) && texts::allows_order(scale),
        has(DistributionPart::KernelDensity) && texts::allows_differences(scale),
    ];
    let shape = work.shape();
    let histogram = if asks[0] { Some(work.histogram()?) } else { None };
    let function = asks[1].then(|| work.distribution_function());
    let density = if asks[2] { work.density() } else { None };
    let n = work.values.len();
    let record = ColumnDistribution {
        column: column.name().to_owned(),
        count: count(n),
        missing: count(column.n_rows() - n),
        skewness: shape.and_then(|(skewness, _)| finite(skewness)),
        excess_kurtosis: shape.and_then(|(_, kurtosis)| finite(kurtosis)),
        histogram,
        distribution_function: function,
        kernel_density: density,
        levels: None,
    };
    work.limitations.extend(super::super::unit_inferred(&[column]));
    let has_band = record
        .distribution_function
        .as_ref()
        .is_some_and(|function| function.band.is_some());
    let unit = column
        .model()
        .unit()
        .map_or_else(String::new, |unit| format!(" ({})", unit.text()));
    let quantities: Vec<&str> = work.quantities.iter().map(String::as_str).collect();
    let claim = Claim {
        id: format!("distribution:{}", column.name()),
        estimand: format!(
            "{} of {}{unit} over the rows of dataset {} that have a value",
            receipt::listed(&quantities),
            column.name(),
            dataset.name(),
        ),
        columns: &[column],
        n_rows: dataset.n_rows(),
        n_used: n,
        geometry: None,
        assumptions: work.assumptions,
        uncertainty: (has_band || work.has_shares).then(|| Uncertainty {
            method: if has_band { BAND_METHOD } else { wilson::METHOD }.to_owned(),
            lower: None,
            upper: None,
            standard_error: None,
        }),
        stability: None,
        sensitivity: work.sensitivity,
        limitations: &work.limitations,
    };
    Ok(Described {
        receipt: receipt::issue(dataset, claim, method),
        record,
        limitations: work.limitations,
    })
}

impl<'a> Work<'a> {
    fn new(column: &'a Column, request: &'a DistributionRequest) -> Self {
        let mut values: Vec<f64> = column.numbers_known().collect();
        let scale = column.model().scale();
        let has_order = texts::allows_order(scale);
        let beyond_bins = |part: &DistributionPart| *part != DistributionPart::Histogram;
        let sorts = has_order && request.parts.iter().any(beyond_bins);
        if sorts {
            // Equal doubles are the same bits: there is one zero and no NaN.
            values.par_sort_unstable_by(f64::total_cmp);
        }
        let surveyed = Survey::of_all(&values);
        // The rules next to the chosen one are tried too, so quartiles are always needed.
        let interquartile_range = match (has_order, sorts) {
            (false, _) => None,
            (true, true) => summary::interquartile_range_of_sorted(&values),
            (true, false) => summary::interquartile_range(&mut values),
        };
        let mut limitations: Vec<Limitation> = texts::missing(column, values.len()).into_iter().collect();
        let mut say = |code, text: String| limitations.push(Limitation::new(code, text).about(column.name()));
        match surveyed.extent {
            None => say(
                LimitationCode::TooFewValues,
                "no value, so there is no distribution".to_owned(),
            ),
            Some((least, greatest)) if least == greatest => say(
                LimitationCode::ConstantValues,
                "all values are equal, so there is one bin, no shape and no density".to_owned(),
            ),
            Some(_) => {}
        }
        let unmeant = if !texts::allows_bins(scale) {
            Some("a histogram, a distribution function, a density and a shape have")
        } else if !texts::allows_order(scale) {
            Some("a distribution function, a density and a shape have")
        } else if !texts::allows_differences(scale) {
            Some("a density and a shape have")
        } else {
            None
        };
        if let Some(what) = unmeant {
            say(
                LimitationCode::NotMeaningfulOnScale,
                format!("{what} no meaning on the {scale} scale"),
            );
        }
        Self {
            column,
            request,
            values,
            surveyed,
            interquartile_range,
            limitations,
            sensitivity: Vec::new(),
            assumptions: Vec::new(),
            has_shares: false,
            quantities: vec!["counts".to_owned()],
        }
    }

    fn say(&mut self, code: LimitationCode, sentence: impl Into<String>) {
        self.limitations
            .push(Limitation::new(code, sentence).about(self.column.name()));
    }

    fn unit(&self) -> String {
        let unit = self.column.model().unit();
        unit.map_or_else(String::new, |unit| format!(" {}", unit.text()))
    }

    fn shape(&mut self) -> Option<(f64, f64)> {
        if !texts::allows_differences(self.column.model().scale()) {
            return None;
        }
        let shape = Shape::of_all(self.surveyed.center()?, &self.values);
        self.quantities.push("skewness".to_owned());
        self.quantities.push("excess kurtosis".to_owned());
        shape
    }

    fn histogram(&mut self) -> Result<Histogram, KernelError> {
        let (least, greatest) = self.surveyed.extent.unwrap_or_default();
        let spread = Spread {
            n: self.values.len(),
            least,
            greatest,
            interquartile_range: self.interquartile_range,
            deviation: self.surveyed.deviation_of_all(),
            whole: self.surveyed.whole,
        };
        let cut = |rule| binning::cut(&spread, rule, 1, MAX_BINS);
        let axis = cut(self.request.bins).map_err(|problem| KernelError::Setting {
            family: super::FAMILY.word,
            setting: "width".to_owned(),
            problem: format!("{problem} (column {})", self.column.name()),
        })?;
        let counts = BinCounts::of_all(&axis, &self.values);
        let neighbors = neighbors(self.request.bins, &axis);
        let tried: Vec<(String, Axis)> = neighbors
            .into_iter()
            .filter_map(|(text, rule)| Some((text, cut(rule).ok()?)))
            .collect();
        let fullest = fullest(&axis, &counts);
        let moved = |other: &Axis| {
            let (low, high) = self::fullest(other, &BinCounts::of_all(other, &self.values));
            high <= fullest.0 || low >= fullest.1
        };
        let materially_changed = tried.iter().any(|(_, other)| moved(other));
        let tested_values = tried
            .iter()
            .map(|(text, other)| format!("{text}: {}", counted(other.n_bins(), "bin")))
            .collect();
        self.sensitivity.push(Sensitivity {
            factor: "bins (changed when a fullest bin lies apart from the fullest one here)".to_owned(),
            tested_values,
            materially_changed,
        });
        let unit = self.unit();
        self.quantities.push(format!(
            "histogram of {} of width {}{unit} ({})",
            counted(axis.n_bins(), "bin"),
            Shown(axis.width),
            axis.rule
        ));
        for note in &axis.notes {
            self.say(LimitationCode::BinnedResolution, note.clone());
        }
        let kind = if spread.whole && axis.width.fract() == 0.0 && axis.edges[0].fract() == 0.0 {
            format!(
                "each bin holds {} alike and tells none of them apart",
                counted(axis.width as usize, "whole number")
            )
        } else {
            format!(
                "values in a bin {}{unit} wide are not told apart",
                Shown(axis.width)
            )
        };
        self.say(LimitationCode::BinnedResolution, kind);
        self.shares(axis.n_bins());
        Ok(Histogram {
            rule: axis.rule.to_owned(),
            width: finite(axis.width).unwrap_or_default(),
            edges: axis.edges.iter().filter_map(|edge| finite(*edge)).collect(),
            counts: counts.into_iter().map(|n| count(n as usize)).collect(),
        })
    }

    fn no_interval(&mut self) {
        let said = texts::no_interval(self.column);
        if !self.limitations.contains(&said) {
            self.limitations.push(said);
        }
    }

    fn assume_independence(&mut self) {
        let assumed = receipt::independence(&[self.column]);
        if !self.assumptions.contains(&assumed) {
            self.assumptions.push(assumed);
        }
    }

    /// What the intervals of the bins' shares assume.
    fn shares(&mut self, n_bins: usize) {
        if declared_dependent(self.column.model().observation_structure()) {
            self.no_interval();
            return;
        }
        let what = "the intervals of the shares assume";
        self.limitations.extend(texts::independence(self.column, what));
        if n_bins > 1 {
            let text = format!(
                "{} with a Wilson interval each, none widened for their number",
                counted(n_bins, "bin")
            );
            self.say(LimitationCode::ManyComparisons, text);
        }
        self.has_shares = true;
        self.assume_independence();
    }

    fn distribution_function(&mut self) -> DistributionFunction {
        let n = self.values.len();
        let (complete, steps) = steps(&self.values);
        let structure = self.column.model().observation_structure();
        let band = if declared_dependent(structure) {
            self.no_interval();
            None
        } else {
            self.limitations.extend(texts::independence(
                self.column,
                "the band of the distribution function assumes",
            ));
            self.assume_independence();
            finite(band(n, self.request.confidence_level.get()))
        };
        if !complete {
            let text = format!(
                "{} of the distribution function are listed; between them it lies between theirs",
                counted(steps.len(), "step")
            );
            self.say(LimitationCode::BinnedResolution, text);
        }
        self.quantities.push("empirical distribution function".to_owned());
        let at_or_below = |value: &f64| self.values.partition_point(|other| other <= value);
        DistributionFunction {
            complete,
            at_or_below: steps.iter().map(|value| count(at_or_below(value))).collect(),
            values: steps.into_iter().filter_map(finite).collect(),
            band,
        }
    }

    fn density(&mut self) -> Option<KernelDensity> {
        let (rule, bandwidth) = self.bandwidth()?;
        let n_points = self.request.points.get() as usize;
        let estimate = |bandwidth: f64, n_points: usize| {
            let kept = kde::keep(&self.values, bandwidth);
            kde::estimate(&self.values, &kept, bandwidth, n_points)
        };
        let Some(found) = estimate(bandwidth, n_points) else {
            let text = "the density exceeds the range of doubles, so it is not given";
            self.say(LimitationCode::OutOfRange, text);
            return None;
        };
        let [half, double] = [bandwidth / 2.0, bandwidth * 2.0].map(|h| (h, estimate(h, n_points)));
        let points = [n_points / 2, n_points * 2].map(|n| (n, estimate(bandwidth, n)));
        let modes_text =
            |modes: Option<usize>| modes.map_or("none".to_owned(), |modes| counted(modes, "mode"));
        let modes = |one: &Option<kde::Estimate>| one.as_ref().map(|one| one.modes);
        let by_bandwidth = [&half, &double];
        let by_points = [&points[0], &points[1]];
        let sensitivity = [
            Sensitivity {
                factor: "bandwidth (changed when the number of modes does)".to_owned(),
                tested_values: by_bandwidth
                    .map(|(h, one)| format!("{}: {}", Shown(*h), modes_text(modes(one))))
                    .to_vec(),
                materially_changed: by_bandwidth
                    .iter()
                    .any(|(_, one)| modes(one) != Some(found.modes)),
            },
            Sensitivity {
                factor: "points (changed when the number of modes does)".to_owned(),
                tested_values: by_points
                    .map(|(n, one)| format!("{n}: {}", modes_text(modes(one))))
                    .to_vec(),
                materially_changed: by_points.iter().any(|(_, one)| modes(one) != Some(found.modes)),
            },
        ];
        self.sensitivity.extend(sensitivity);
        let text = format!(
            "the density is smoothed over {}{}; peaks nearer to each other are one",
            Shown(bandwidth),
            self.unit()
        );
        self.say(LimitationCode::FreeParameter, text);
        let (least, greatest) = self.surveyed.extent.unwrap_or_default();
        if bandwidth > greatest - least {
            let text = "the bandwidth is wider than the range of the values, so the density shows the kernel and not the values";
            self.say(LimitationCode::BinnedResolution, text);
        }
        if (found.to - found.from) / (n_points - 1) as f64 > bandwidth {
            let text = "the points of the density are farther apart than its bandwidth, so peaks between them are unseen";
            self.say(LimitationCode::BinnedResolution, text);
        }
        let n_distinct = 1 + self.values.windows(2).filter(|pair| pair[0] < pair[1]).count();
        let n = self.values.len();
        let detail = format!("{n_distinct} of {n} values are distinct");
        let status = if n_distinct == n { SATISFIED } else { UNCHECKED };
        self.assumptions
            .push(assumption("the values are continuous", status, detail));
        if n_distinct < n {
            let text = format!(
                "{}, and the density spreads equal values as if they were not",
                counted(n - n_distinct, "value") + " repeat others"
            );
            self.say(LimitationCode::TiesPresent, text);
        }
        self.quantities.push(format!(
            "normal kernel density of bandwidth {}{} ({rule})",
            Shown(bandwidth),
            self.unit()
        ));
        Some(KernelDensity {
            rule: rule.to_owned(),
            bandwidth: finite(bandwidth)?,
            from: finite(found.from)?,
            to: finite(found.to)?,
            density: found
                .density
                .iter()
                .filter_map(|density| finite(*density))
                .collect(),
            error_bound: finite(found.error_bound)?,
            modes: count(found.modes),
        })
    }

    /// The rule that is used and its bandwidth; `None` when no rule gives one.
    fn bandwidth(&mut self) -> Option<(&'static str, f64)> {
        let n = self.values.len() as f64;
        let deviation = self.surveyed.deviation.filter(|deviation| *deviation > 0.0);
        let shrink = libm::pow(n, -0.2);
        if let BandwidthRule::Stated { bandwidth } = self.request.bandwidth {
            let (least, greatest) = self.surveyed.extent?;
            return (least < greatest).then_some((bandwidth_word(self.request.bandwidth), bandwidth.get()));
        }
        let Some(deviation) = deviation else {
            if self.surveyed.deviation.is_none() && self.values.len() > 1 {
                self.say(
                    LimitationCode::OutOfRange,
                    "the standard deviation exceeds the largest double, so no rule gives a bandwidth",
                );
            } else if self.values.len() == 1 {
                self.say(LimitationCode::TooFewValues, "one value has no density");
            }
            return None;
        };
        let quartile_range = self.interquartile_range.filter(|range| *range > 0.0);
        let bandwidth = match self.request.bandwidth {
            BandwidthRule::Silverman {} => {
                let robust = quartile_range.map_or(deviation, |range| deviation.min(range / 1.34));
                0.9 * robust * shrink
            }
            BandwidthRule::Scott {} => deviation * shrink,
            BandwidthRule::Stated { bandwidth } => bandwidth.get(),
        };
        Some((bandwidth_word(self.request.bandwidth), bandwidth)).filter(|(_, bandwidth)| *bandwidth > 0.0)
    }
}

/// The word of a bandwidth rule.
pub(super) const fn bandwidth_word(rule: BandwidthRule) -> &'static str {
    match rule {
        BandwidthRule::Silverman {} => "silverman",
        BandwidthRule::Scott {} => "scott",
        BandwidthRule::Stated { .. } => "stated",
    }
}

/// The rules next to one: the other rules, or half and twice as many.
fn neighbors(rule: BinRule, axis: &Axis) -> Vec<(String, BinRule)> {
    let number = |n: usize| {
        let bins = count(n);
        (format!("number {n}"), BinRule::Number { bins })
    };
    match rule {
        BinRule::Number { .. } => vec![
            number((axis.n_bins() / 2).max(1)),
            number((axis.n_bins() * 2).min(MAX_BINS)),
        ],
        BinRule::Width { width } => [width.get() / 2.0, width.get() * 2.0]
            .into_iter()
            .filter_map(finite)
            .map(|width| (format!("width {width}"), BinRule::Width { width }))
            .collect(),
        BinRule::FreedmanDiaconis {} | BinRule::Scott {} | BinRule::Sturges {} | BinRule::SquareRoot {} => [
            BinRule::FreedmanDiaconis {},
            BinRule::Scott {},
            BinRule::Sturges {},
            BinRule::SquareRoot {},
        ]
        .into_iter()
        .filter(|other| *other != rule)
        .map(|other| (binning::word(other).to_owned(), other))
        .collect(),
    }
}

/// The ends of the fullest bin, the first of several.
fn fullest(axis: &Axis, counts: &[u64]) -> (f64, f64) {
    let most = counts.iter().copied().max().unwrap_or(0);
    let bin = counts.iter().position(|n| *n == most).unwrap_or(0);
    (axis.edges[bin], axis.edges[bin + 1])
}

/// Distinct values at which the distribution function steps: all of them when they are few, else those at equal shares.
fn steps(sorted: &[f64]) -> (bool, Vec<f64>) {
    let mut all: Vec<f64> = Vec::new();
    for value in sorted {
        if all.last() != Some(value) {
            if all.len() == ALL_STEPS {
                let n = sorted.len();
                let at_share = |step: usize| sorted[(step * n).div_ceil(STEPS).max(1) - 1];
                let mut some: Vec<f64> = (0..=STEPS).map(at_share).collect();
                some.dedup();
                return (false, some);
            }
            all.push(*value);
        }
    }
    (true, all)
}

/// Half the width of the band, at most 1.
fn band(n: usize, level: f64) -> f64 {
    (libm::log(2.0 / (1.0 - level)) / (2.0 * n as f64))
        .sqrt()
        .min(1.0)
}

/// A number with four digits, for sentences; the content has them all.
struct Shown(f64);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let magnitude = libm::floor(libm::log10(self.0.abs().max(f64::MIN_POSITIVE)));
        if (-4.0..9.0).contains(&magnitude) {
            let unit = libm::pow(10.0, 3.0 - magnitude);
            let rounded = if magnitude >= 3.0 {
                libm::round(self.0)
            } else {
                libm::round(self.0 * unit) / unit
            };
            let text = Finite::new(rounded).map_or_else(|_| String::new(), |value| value.to_string());
            f.write_str(&text)
        } else {
            write!(f, "{:.3e}", self.0)
        }
    }
}
