//! `distribution`: histogram by a stated rule, empirical distribution function and kernel density of NUMERIC columns;
//! counts of the levels of CATEGORICAL ones. Each column by its own values, whatever their order. The bins and levels
//! stand in the content and, one row each, in the leaf (the table in `leaf.rs`).
//!
//! Mergeable: counts by bins once the edges are known, counts by levels, weights of the kernel's knots, and what the
//! edges rest on ([`Survey`](crate::shape::Survey)), except quartiles, for which all values are needed, as for the
//! steps of the distribution function. Takes time in proportion to the values for histograms, `n log n` for the other
//! parts, and memory for the values of as many columns as there are threads.

mod leaf;
mod levels;
mod numbers;
mod texts;

use dataset::{Column, ColumnKind, Dataset, Scale};
use identity::{Finite, SafeInteger};
use rayon::prelude::*;

use super::{Family, Parts, resolve};
use crate::analysis::Provenance;
use crate::binning::{self, MAX_BINS};
use crate::cases::with_any_value;
use crate::error::KernelError;
use crate::limitation::Limitation;
use crate::output::{Filled, Measure, Output, Shape, Slot, column_producer, support, support_slots};
use crate::receipt::Method;
use crate::settings::Settings;
use crate::summary::{count, declared_dependent};
use crate::wire::v1::distribution::{BandwidthRule, BinRule, ColumnDistribution, DistributionPart};
use crate::wire::v1::{Content, DistributionContent, DistributionRequest, Receipt};

/// The method behind `distribution:<column>` receipts.
const METHOD: &str = "distribution/binned-counts";
const METHOD_VERSION: &str = "1.0.0";
/// The fewest and the most points of a density.
const POINTS: std::ops::RangeInclusive<i64> = 16..=4096;
const DEFAULT_POINTS: i32 = 256;

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "distribution",
    answers: "histogram by a stated rule, empirical distribution function and kernel density of NUMERIC columns, counts \
              of the levels of CATEGORICAL ones",
    consumer: "nemosyne:consumer/forma-distribution/v1",
    receipts: "distribution:<column>",
    needs_columns: true,
    has_leaf: true,
    further_leaves: 0,
    producers: &[BINS_AND_LEVELS, "column:<name>"],
    paths: &[
        BANDWIDTH,
        BIN_WIDTH,
        BINS,
        "count",
        DISTRIBUTION_BAND,
        DISTRIBUTION_FUNCTION,
        EDGES,
        "excessKurtosis",
        HISTOGRAM,
        KERNEL_DENSITY,
        LEVEL_NAMES,
        LEVELS,
        "missing",
        MODES,
        "rowKeys",
        "rowsExcluded",
        "rowsUsed",
        SHARE_INTERVALS,
        "skewness",
        "totalRows",
    ],
};

const BANDWIDTH: &str = "bandwidth";
const BIN_WIDTH: &str = "binWidth";
const BINS: &str = "bins";
const DISTRIBUTION_BAND: &str = "distributionBand";
const DISTRIBUTION_FUNCTION: &str = "distributionFunction";
const EDGES: &str = "edges";
const HISTOGRAM: &str = "histogram";
const KERNEL_DENSITY: &str = "kernelDensity";
const LEVEL_NAMES: &str = "levelNames";
const LEVELS: &str = "levels";
const MODES: &str = "modes";
const SHARE_INTERVALS: &str = "shareIntervals";
/// The producer of what is said about all bins and levels together.
const BINS_AND_LEVELS: &str = "bins";

const fn part_word(part: DistributionPart) -> &'static str {
    match part {
        DistributionPart::Histogram => HISTOGRAM,
        DistributionPart::DistributionFunction => DISTRIBUTION_FUNCTION,
        DistributionPart::KernelDensity => KERNEL_DENSITY,
    }
}

pub(crate) fn request(
    columns: Vec<String>,
    settings: &mut Settings<'_>,
) -> Result<DistributionRequest, KernelError> {
    let parts = match settings.text("parts") {
        None => DistributionPart::ALL.to_vec(),
        Some(text) => {
            let named: Vec<&str> = text.split(',').map(str::trim).collect();
            let known = |word: &&str| DistributionPart::ALL.iter().any(|part| part_word(*part) == *word);
            if !named.iter().all(known) {
                let words = DistributionPart::ALL.map(part_word).join(", ");
                return Err(settings.wrong("parts", format!("must be some of {words}, not `{text}`")));
            }
            let parts = DistributionPart::ALL.into_iter();
            parts.filter(|part| named.contains(&part_word(*part))).collect()
        }
    };
    let bins = bin_rule(settings, BinRule::FreedmanDiaconis {})?;
    let bandwidth = match settings.text("bandwidth") {
        None | Some("silverman") => BandwidthRule::Silverman {},
        Some("scott") => BandwidthRule::Scott {},
        Some(text) => {
            let stated = text.parse::<f64>().ok().and_then(|value| Finite::new(value).ok());
            let bandwidth = stated.ok_or_else(|| {
                settings.wrong(
                    "bandwidth",
                    format!("must be silverman, scott or a number, not `{text}`"),
                )
            })?;
            BandwidthRule::Stated { bandwidth }
        }
    };
    Ok(DistributionRequest {
        columns,
        parts,
        bins,
        bandwidth,
        points: settings
            .natural("points")?
            .unwrap_or_else(|| SafeInteger::from(DEFAULT_POINTS)),
        confidence_level: level(settings)?,
    })
}

/// The setting `level`; 0.95 when it is not stated.
pub(crate) fn level(settings: &mut Settings<'_>) -> Result<Finite, KernelError> {
    let usual = || Finite::new(0.95).expect("the constants of this module are finite");
    Ok(settings.number("level")?.unwrap_or_else(usual))
}

/// The settings `bins`, a rule or a number, and `width`.
fn bin_rule(settings: &mut Settings<'_>, otherwise: BinRule) -> Result<BinRule, KernelError> {
    let bins = settings.text("bins");
    let width = settings.number("width")?;
    match (bins, width) {
        (Some(_), Some(_)) => Err(settings.wrong(
            "width",
            "can't be stated beside `bins`: state one of them".to_owned(),
        )),
        (None, Some(width)) => Ok(BinRule::Width { width }),
        (None, None) => Ok(otherwise),
        (Some(text), None) => parsed_rule(text).ok_or_else(|| wrong_rule(settings, text)),
    }
}

/// A rule of bins by its word, or their number.
pub(crate) fn parsed_rule(text: &str) -> Option<BinRule> {
    let rules = [
        BinRule::FreedmanDiaconis {},
        BinRule::Scott {},
        BinRule::Sturges {},
        BinRule::SquareRoot {},
    ];
    let number = || {
        let bins = text.parse::<u32>().ok()?;
        Some(BinRule::Number {
            bins: SafeInteger::from(bins),
        })
    };
    rules
        .into_iter()
        .find(|rule| binning::word(*rule) == text)
        .or_else(number)
}

pub(crate) fn wrong_rule(settings: &Settings<'_>, text: &str) -> KernelError {
    let problem =
        format!("must be freedman-diaconis, scott, sturges, square-root or a natural number, not `{text}`");
    settings.wrong(BINS, problem)
}

/// Refuses a number of bins that no axis can have.
pub(crate) fn check_rule(family: &'static str, rule: BinRule, limit: usize) -> Result<(), KernelError> {
    let wrong = |setting: &str, problem: String| {
        Err(KernelError::Setting {
            family,
            setting: setting.to_owned(),
            problem,
        })
    };
    match rule {
        BinRule::Number { bins } if !(1..=limit as i64).contains(&bins.get()) => {
            wrong(BINS, format!("must lie between 1 and {limit}, not {bins}"))
        }
        BinRule::Width { width } if width.get() <= 0.0 => {
            wrong("width", format!("must be greater than 0, not {width}"))
        }
        BinRule::FreedmanDiaconis {}
        | BinRule::Scott {}
        | BinRule::Sturges {}
        | BinRule::SquareRoot {}
        | BinRule::Number { .. }
        | BinRule::Width { .. } => Ok(()),
    }
}

fn check(request: &DistributionRequest) -> Result<(), KernelError> {
    let wrong = |setting: &str, problem: String| {
        Err(KernelError::Setting {
            family: FAMILY.word,
            setting: setting.to_owned(),
            problem,
        })
    };
    let level = request.confidence_level.get();
    if !(level > 0.0 && level < 1.0) {
        return Err(KernelError::ConfidenceLevel { found: level });
    }
    check_rule(FAMILY.word, request.bins, MAX_BINS)?;
    if !POINTS.contains(&request.points.get()) {
        let (least, most) = (POINTS.start(), POINTS.end());
        return wrong(
            "points",
            format!("must lie between {least} and {most}, not {}", request.points),
        );
    }
    if let BandwidthRule::Stated { bandwidth } = request.bandwidth
        && bandwidth.get() <= 0.0
    {
        return wrong(BANDWIDTH, format!("must be greater than 0, not {bandwidth}"));
    }
    if request.parts.windows(2).any(|pair| pair[0] >= pair[1]) {
        return wrong("parts", "must name each part once, in their order".to_owned());
    }
    Ok(())
}

pub(crate) fn slots(request: &DistributionRequest) -> Vec<Slot> {
    let has = |part| request.parts.contains(&part);
    let of_column = |column: &String| {
        let slot = |path: &'static str, shape| Slot::derived(column_producer(column), path, shape);
        let mut slots = vec![slot("count", Shape::Number), slot("missing", Shape::Number)];
        slots.push(slot(LEVELS, Shape::Vector));
        slots.push(slot(LEVEL_NAMES, Shape::Vector));
        slots.push(slot(SHARE_INTERVALS, Shape::Vector));
        slots.push(slot("skewness", Shape::Number));
        slots.push(slot("excessKurtosis", Shape::Number));
        if has(DistributionPart::Histogram) {
            slots.push(slot(HISTOGRAM, Shape::Vector));
            slots.push(slot(EDGES, Shape::Vector));
            slots.push(slot(BINS, Shape::Number));
            slots.push(slot(BIN_WIDTH, Shape::Number));
        }
        if has(DistributionPart::DistributionFunction) {
            slots.push(slot(DISTRIBUTION_FUNCTION, Shape::Vector));
            slots.push(slot(DISTRIBUTION_BAND, Shape::Number));
        }
        if has(DistributionPart::KernelDensity) {
            slots.push(slot(KERNEL_DENSITY, Shape::Vector));
            slots.push(slot(BANDWIDTH, Shape::Number));
            slots.push(slot(MODES, Shape::Number));
        }
        slots
    };
    let whole = support_slots(BINS_AND_LEVELS);
    request.columns.iter().flat_map(of_column).chain(whole).collect()
}

/// What a column says, with what it can't say.
struct Described {
    record: ColumnDistribution,
    receipt: Receipt,
    limitations: Vec<Limitation>,
}

pub(crate) fn answer(dataset: &Dataset, request: &DistributionRequest) -> Result<Parts, KernelError> {
    check(request)?;
    let columns = resolve(dataset, &request.columns)?;
    for column in &columns {
        if !matches!(column.kind(), ColumnKind::Numeric | ColumnKind::Categorical) {
            return Err(KernelError::KindUnsupported {
                column: column.name().to_owned(),
                kind: column.kind(),
                family: FAMILY.word,
                needed: "NUMERIC or CATEGORICAL columns",
            });
        }
    }
    let parameters = parameters(request);
    let method = Method {
        name: METHOD,
        version: METHOD_VERSION,
        parameters: &parameters,
    };
    let describe = |column: &&Column| match column.kind() {
        ColumnKind::Numeric => numbers::describe(dataset, column, request, &method),
        _ => levels::describe(dataset, column, request, &method),
    };
    let mut described = Vec::with_capacity(columns.len());
    // As many columns at once as there are threads, so that no more of them are held in memory.
    for some in columns.chunks(rayon::current_num_threads()) {
        let some: Result<Vec<Described>, KernelError> = some.par_iter().map(describe).collect();
        described.extend(some?);
    }
    let mut outputs = Vec::new();
    let mut slots = slots(request).into_iter();
    let (mut records, mut receipts, mut limitations) = (Vec::new(), Vec::new(), Vec::new());
    for (column, one) in columns.iter().zip(described) {
        let own = slots.by_ref().take(n_slots(request));
        outputs.extend(own.map(|slot| output(column, &one.record, slot)));
        records.push(one.record);
        receipts.push(one.receipt);
        limitations.extend(one.limitations);
    }
    let leaf = leaf::leaf(&columns, &records, request.confidence_level.get())?;
    let (n_used, excluded) = with_any_value(dataset, &columns);
    outputs.extend(support(BINS_AND_LEVELS, count(n_used), count(dataset.n_rows())));
    let provenance = Provenance {
        method: METHOD,
        method_version: METHOD_VERSION,
        parameters,
        seed: None,
        normalization: "none",
        missingness: "each column by its own values",
        sampling: "none",
        approximation: "BINNED",
        total_rows: count(dataset.n_rows()),
        rows_used: count(n_used),
        excluded: excluded.clone(),
        preserves: &["shape of the distribution", "counts", "extremes"],
        loses: &[
            "row identity",
            "differences within a bin",
            "relations between columns",
        ],
    };
    Ok(Parts {
        content: Content::Distribution(DistributionContent {
            total_rows: count(dataset.n_rows()),
            rows_used: count(n_used),
            excluded,
            columns: records,
            leaf: leaf.digest(),
        }),
        leaf: Some(leaf),
        further_leaves: Vec::new(),
        outputs,
        receipts,
        provenance,
        limitations,
    })
}

fn n_slots(request: &DistributionRequest) -> usize {
    let whole = support_slots(BINS_AND_LEVELS).len();
    (slots(request).len() - whole) / request.columns.len().max(1)
}

fn parameters(request: &DistributionRequest) -> Vec<(String, String)> {
    let parts: Vec<&str> = request.parts.iter().map(|part| part_word(*part)).collect();
    let bandwidth = match request.bandwidth {
        BandwidthRule::Silverman {} | BandwidthRule::Scott {} => {
            numbers::bandwidth_word(request.bandwidth).to_owned()
        }
        BandwidthRule::Stated { bandwidth } => bandwidth.to_string(),
    };
    vec![
        (BANDWIDTH.to_owned(), bandwidth),
        (BINS.to_owned(), rule_text(request.bins)),
        ("confidenceLevel".to_owned(), request.confidence_level.to_string()),
        ("kernel".to_owned(), "normal".to_owned()),
        ("parts".to_owned(), parts.join(",")),
        ("points".to_owned(), request.points.to_string()),
    ]
}

/// A rule as settings state it.
pub(crate) fn rule_text(rule: BinRule) -> String {
    match rule {
        BinRule::Number { bins } => bins.to_string(),
        BinRule::Width { width } => format!("width {width}"),
        BinRule::FreedmanDiaconis {} | BinRule::Scott {} | BinRule::Sturges {} | BinRule::SquareRoot {} => {
            binning::word(rule).to_owned()
        }
    }
}

/// Of the bins or levels in the leaf, if there are any.
fn share_intervals(column: &Column, record: &ColumnDistribution, why: &'static str) -> Filled {
    let has_bins = record.histogram.is_some();
    let has_levels = record.levels.as_ref().is_some_and(|levels| !levels.is_empty());
    if declared_dependent(column.model().observation_structure()) {
        Filled::Absent("the rows are declared to depend on each other")
    } else if (has_bins || has_levels) && record.count.get() > 0 {
        Filled::InLeaf
    } else if record.levels.is_none() && record.count.get() > 0 {
        Filled::Absent("no histogram was asked for or made, so there are no shares")
    } else {
        Filled::Absent(why)
    }
}

fn output(column: &Column, record: &ColumnDistribution, slot: Slot) -> Output {
    let name = column.name();
    let bare = |scale| Measure::bare(name, scale);
    let why = texts::absence(column, record);
    let in_content = |is_there: bool| {
        if is_there {
            Filled::InContent
        } else {
            Filled::Absent(why)
        }
    };
    let in_leaf = |is_there: bool| {
        if is_there {
            Filled::InLeaf
        } else {
            Filled::Absent(why)
        }
    };
    let counted = |n: Option<usize>| n.map_or(Filled::Absent(why), |n| Filled::count(count(n)));
    let histogram = record.histogram.as_ref();
    let function = record.distribution_function.as_ref();
    let density = record.kernel_density.as_ref();
    let (measure, filled) = match slot.path.as_str() {
        "count" => (bare(Scale::Count), Filled::count(record.count)),
        "missing" => (bare(Scale::Count), Filled::count(record.missing)),
        LEVELS => (Measure::counted("count"), in_leaf(record.levels.is_some())),
        LEVEL_NAMES => (bare(Scale::Nominal), in_leaf(record.levels.is_some())),
        EDGES => (Measure::of(column), in_leaf(histogram.is_some())),
        "skewness" => (bare(Scale::Interval), Filled::number(record.skewness, why)),
        "excessKurtosis" => (bare(Scale::Interval), Filled::number(record.excess_kurtosis, why)),
        SHARE_INTERVALS => (bare(Scale::Proportion), share_intervals(column, record, why)),
        HISTOGRAM => (Measure::counted("count"), in_leaf(histogram.is_some())),
        BINS => (
            bare(Scale::Count),
            counted(histogram.map(|histogram| histogram.counts.len())),
        ),
        BIN_WIDTH => (
            Measure::of(column),
            Filled::number(histogram.map(|histogram| histogram.width), why),
        ),
        DISTRIBUTION_FUNCTION => (bare(Scale::Proportion), in_content(function.is_some())),
        DISTRIBUTION_BAND => (
            bare(Scale::Proportion),
            Filled::number(function.and_then(|function| function.band), why),
        ),
        KERNEL_DENSITY => (
            bare(Scale::Ratio).in_unit(texts::reciprocal_unit(column)),
            in_content(density.is_some()),
        ),
        BANDWIDTH => (
            Measure::of(column),
            Filled::number(density.map(|density| density.bandwidth), why),
        ),
        _ => (
            bare(Scale::Count),
            density.map_or(Filled::Absent(why), |density| Filled::count(density.modes)),
        ),
    };
    Output::new(slot, measure, filled)
}
