//! `temporal`: a series in the order of time: order, gaps, trend.
//!
//! Rows are those with a time and a value in every series, in the order of time; rows of one time follow each other by
//! row key, which is disclosed. The leaf holds times and values in that order and, where there is a gap, a column `gap`
//! that is `yes` in the first row behind one. Nothing is filled in or resampled: a step
//! longer than a stated number of median steps is a gap, and gaps are told, not closed. Times are exact counts.
//!
//! The content does not depend on the order of rows in the dataset when they have keys. Sorting needs all rows;
//! the sums of the least squares line are mergeable ([`crate::gram::Gram`]). Time is that of sorting, and quadratic for
//! slopes of pairs, which are given up to 3,000 rows.

mod clock;
mod instant;
mod order;
mod receipts;
mod trend;

use dataset::{Column, ColumnKind, Dataset, Scale};
use identity::Finite;

use self::clock::Times;
use self::trend::Found;
use super::{Family, Parts, own_name, resolve};
use crate::analysis::Provenance;
use crate::cases::Cases;
use crate::error::KernelError;
use crate::leaf::{Columns, LeafColumn, LeafValues, RowKeys};
use crate::output::{Filled, Measure, Output, Shape, Slot, column_producer};
use crate::receipt::{self, Method};
use crate::rows;
use crate::settings::Settings;
use crate::summary::{count, finite};
use crate::wire::v1::{Content, Interval, TemporalContent, TemporalRequest, Test, Trend};

/// The method behind `temporal:<claim>` receipts.
pub(crate) const TEMPORAL_METHOD: &str = "temporal/ordered-series";
const METHOD_VERSION: &str = "1.0.0";

const LEVEL: f64 = 0.95;
const GAP_FACTOR: f64 = 1.5;
/// The method of the slope's interval.
const SEN: &str = "sen-1968";

/// Whether a row of the leaf is the first behind a gap; `temporal.gap` where a column is called so.
const GAP: &str = "gap";

/// The producer of what is said about the rows as a whole.
const SERIES: &str = "series";

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "temporal",
    answers: "a series in the order of time: order, gaps, trend",
    consumer: "nemosyne:consumer/forma-temporal/v1",
    receipts: "temporal:<claim>",
    needs_columns: true,
    has_leaf: true,
    further_leaves: 0,
    producers: &["column:<name>", SERIES],
    paths: &[
        "autocorrelation",
        "end",
        "gapCount",
        "kendallTau",
        "lineSlope",
        "medianStep",
        "rowKeys",
        "rowsExcluded",
        "rowsUsed",
        "slope",
        "slopeInterval",
        "start",
        "time",
        "totalRows",
        "values",
    ],
};

const WHOLE: [&str; 7] = [
    "rowsUsed",
    "rowsExcluded",
    "totalRows",
    "start",
    "end",
    "medianStep",
    "gapCount",
];

/// The request of columns and settings: `time` is the column that tells the time (the first one if not stated), `unit`
/// the unit of a time that is a number, `per` the unit of time that slopes are per, `gap` the factor of a gap, `level`
/// the confidence level.
pub(crate) fn request(
    columns: Vec<String>,
    settings: &mut Settings<'_>,
) -> Result<TemporalRequest, KernelError> {
    let time = settings
        .text("time")
        .map(str::to_owned)
        .or_else(|| columns.first().cloned());
    let time_unit = settings.word("unit", &clock::UNIT_CODES)?.map(str::to_owned);
    let per = settings.word("per", &clock::UNIT_CODES)?.map(str::to_owned);
    let constant = |value: f64| Finite::new(value).expect("the constants of this module are finite");
    let request = TemporalRequest {
        time: time.ok_or(KernelError::NoColumns)?,
        time_unit,
        per,
        gap_factor: settings.number("gap")?.unwrap_or_else(|| constant(GAP_FACTOR)),
        confidence_level: settings.number("level")?.unwrap_or_else(|| constant(LEVEL)),
        columns,
    };
    check(&request)?;
    Ok(request)
}

fn check(request: &TemporalRequest) -> Result<(), KernelError> {
    let wrong = |setting: &str, problem: String| {
        Err(KernelError::Setting {
            family: FAMILY.word,
            setting: setting.to_owned(),
            problem,
        })
    };
    if request.columns.len() < 2 {
        return Err(KernelError::ColumnCount {
            family: FAMILY.word,
            needed: "a column of times and at least one column of numbers",
            found: request.columns.len(),
        });
    }
    if !request.columns.contains(&request.time) {
        return wrong(
            "time",
            format!("names `{}`, which is none of the columns", request.time),
        );
    }
    for (setting, unit) in [("unit", &request.time_unit), ("per", &request.per)] {
        if let Some(unit) = unit
            && clock::seconds(unit).is_none()
        {
            return wrong(
                setting,
                format!("must be one of {}", clock::UNIT_CODES.join(", ")),
            );
        }
    }
    if request.gap_factor.get() < 1.0 {
        return wrong("gap", "must be at least 1".to_owned());
    }
    let level = request.confidence_level.get();
    if !(level > 0.0 && level < 1.0) {
        return Err(KernelError::ConfidenceLevel { found: level });
    }
    Ok(())
}

/// The one TEMPORAL column, when the first one is none: what tells the time if nobody says.
pub(crate) fn time_by_kind<'a>(dataset: &Dataset, columns: &'a [String]) -> Option<&'a str> {
    let is_time = |name: &&String| {
        let tells = |column: &Column| {
            column.kind() == ColumnKind::Temporal || column.model().scale() == Scale::Temporal
        };
        dataset.column(name).is_some_and(tells)
    };
    match columns.iter().filter(is_time).collect::<Vec<_>>()[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// That nobody said which column holds the times: it is never the first one by default.
pub(crate) fn no_time(dataset: &Dataset, columns: &[String]) -> KernelError {
    let elsewhere: Vec<&str> = dataset
        .columns()
        .iter()
        .filter(|column| column.kind() == ColumnKind::Temporal || column.model().scale() == Scale::Temporal)
        .map(Column::name)
        .collect();
    let others = if elsewhere.is_empty() {
        String::new()
    } else {
        format!("; the table has {}", elsewhere.join(", "))
    };
    KernelError::MeaningMissing {
        family: FAMILY.word,
        missing: format!(
            "one column of times, and {} do not say which of them it is{others}. Name it with time=COLUMN among the columns",
            columns.join(", ")
        ),
    }
}

impl TemporalRequest {
    /// The series, in the order of the request.
    pub(crate) fn series(&self) -> Vec<&String> {
        self.columns.iter().filter(|name| **name != self.time).collect()
    }
}

pub(crate) fn slots(request: &TemporalRequest) -> Vec<Slot> {
    let mut slots = vec![
        Slot::derived(column_producer(&request.time), "time", Shape::Vector),
        Slot::observed(SERIES, "rowKeys", Shape::Vector),
    ];
    slots.extend(WHOLE.map(|path| Slot::derived(SERIES, path, Shape::Number)));
    for name in request.series() {
        let producer = column_producer(name);
        slots.push(Slot::observed(producer.clone(), "values", Shape::Vector));
        slots.push(Slot::derived(producer.clone(), "slope", Shape::Number));
        slots.push(Slot::derived(producer.clone(), "slopeInterval", Shape::Interval));
        for path in ["kendallTau", "lineSlope", "autocorrelation"] {
            slots.push(Slot::derived(producer.clone(), path, Shape::Number));
        }
    }
    slots
}

pub(crate) fn answer(dataset: &Dataset, request: &TemporalRequest) -> Result<Parts, KernelError> {
    check(request)?;
    let columns = resolve(dataset, &request.columns)?;
    let (time, series): (Vec<&Column>, Vec<&Column>) = columns
        .iter()
        .copied()
        .partition(|column| column.name() == request.time);
    if let Some(wrong) = series.iter().find(|column| column.kind() != ColumnKind::Numeric) {
        return Err(KernelError::KindUnsupported {
            column: wrong.name().to_owned(),
            kind: wrong.kind(),
            family: FAMILY.word,
            needed: "NUMERIC columns for series",
        });
    }
    let Cases {
        rows: mut order,
        excluded,
    } = Cases::at_least(dataset, &columns, FAMILY.word, 2)?;
    let time = time[0];
    let mut times = clock::read(time, &order, request.time_unit.as_deref())?;
    let n_tied = order::sort(dataset, &mut order, &mut times.counts);
    let steps = order::steps(&times.counts);
    let median_step = order::median(&steps);
    let factor = request.gap_factor.get();
    let behind = median_step.map_or_else(Vec::new, |median| order::behind_gaps(&steps, median, factor));
    let n_gaps = behind.len();
    let leaf = leaf(dataset, time, &series, &order, &times, &behind)?;

    let per = request.per.as_deref().unwrap_or(times.per).to_owned();
    let parameters = parameters(request, &times, &per);
    let method = Method {
        name: TEMPORAL_METHOD,
        version: METHOD_VERSION,
        parameters: &parameters,
    };
    let ground = receipts::Ground {
        dataset,
        request,
        time,
        times: &times,
        per: &per,
        steps: &steps,
        median_step,
        n_tied,
        n_gaps,
        n_used: order.len(),
        method: &method,
    };
    let (mut issued, mut limitations) = (Vec::new(), Vec::new());
    let (receipt, own) = ground.of_order(&columns);
    issued.push(receipt);
    limitations.extend(own);
    let units_each = unit_ratio(&per, &times.unit);
    let mut trends = Vec::new();
    for column in &series {
        let values: Vec<f64> = order
            .iter()
            .filter_map(|row_idx| column.number(*row_idx).known())
            .collect();
        let found = trend::find(&times.counts, &values, units_each, request.confidence_level.get());
        let meaningful = receipts::has_sums(column);
        let independent = receipts::forbidden(column).is_none();
        let record = record(column, &per, found, request, meaningful, independent);
        let (receipt, own) =
            ground.of_trend(column, &record, values.windows(2).all(|pair| pair[0] == pair[1]));
        issued.push(receipt);
        limitations.extend(own);
        trends.push(record);
    }
    let ends = (times.counts.first().copied(), times.counts.last().copied());
    let end = |value: Option<f64>| value.and_then(finite).unwrap_or_else(|| count(0).into());
    let content = TemporalContent {
        total_rows: count(dataset.n_rows()),
        rows_used: count(order.len()),
        excluded: excluded.clone(),
        leaf: leaf.digest(),
        time: request.time.clone(),
        time_unit: times.unit.clone(),
        origin: times.origin.to_owned(),
        start: end(ends.0),
        end: end(ends.1),
        tied: count(n_tied),
        median_step: median_step.and_then(finite),
        gap_count: count(n_gaps),
        gaps: median_step.map_or_else(Vec::new, |median| {
            order::gaps(dataset, &order, &steps, median, factor)
        }),
        trends,
    };
    let provenance = Provenance {
        method: TEMPORAL_METHOD,
        method_version: METHOD_VERSION,
        parameters,
        seed: None,
        normalization: "none",
        missingness: "complete-case",
        sampling: "none",
        approximation: "EXACT",
        total_rows: content.total_rows,
        rows_used: content.rows_used,
        excluded,
        preserves: &["row identity", "exact values", "order and distance in time"],
        loses: &["rows without a time or a value in every series"],
    };
    Ok(Parts {
        outputs: outputs(dataset, request, &content),
        content: Content::Temporal(content),
        leaf: Some(leaf),
        further_leaves: Vec::new(),
        receipts: issued,
        provenance,
        limitations,
    })
}

/// How many units of the times one unit of the slope has.
fn unit_ratio(per: &str, unit: &str) -> f64 {
    match (clock::seconds(per), clock::seconds(unit)) {
        (Some(above), Some(below)) if per != unit => above / below,
        _ => 1.0,
    }
}

/// Times and values in the order of time. The keys have the same text whether or not that is the order of the import.
fn leaf(
    dataset: &Dataset,
    time: &Column,
    series: &[&Column],
    order: &[usize],
    times: &Times,
    behind: &[usize],
) -> Result<Columns, KernelError> {
    let ascending = order.windows(2).all(|pair| pair[0] < pair[1]);
    let keys = if ascending {
        rows::row_keys(dataset, order)?
    } else {
        RowKeys::Keys(
            order
                .iter()
                .map(|row_idx| dataset.row_key(*row_idx).to_string())
                .collect(),
        )
    };
    let mut columns = vec![LeafColumn::new(
        time.name(),
        LeafValues::Numbers(times.counts.clone()),
    )];
    for column in series {
        let values = order.iter().filter_map(|row_idx| column.number(*row_idx).known());
        columns.push(LeafColumn::new(
            column.name(),
            LeafValues::Numbers(values.collect()),
        ));
    }
    if !behind.is_empty() {
        let mut gap = vec!["no".to_owned(); order.len()];
        for place in behind {
            "yes".clone_into(&mut gap[*place]);
        }
        let name = own_name(FAMILY.word, GAP, columns.iter().map(LeafColumn::name));
        columns.push(LeafColumn::new(name, LeafValues::of_words(&gap)));
    }
    Ok(Columns::new(keys, columns)?)
}

fn record(
    column: &Column,
    per: &str,
    found: Found,
    request: &TemporalRequest,
    meaningful: bool,
    independent: bool,
) -> Trend {
    let pairs = found.pairs.filter(|_| meaningful);
    let number = |value: f64| finite(value + 0.0);
    Trend {
        column: column.name().to_owned(),
        per: per.to_owned(),
        slope: pairs.and_then(|pairs| number(pairs.slope)),
        interval: pairs.filter(|_| independent).and_then(|pairs| {
            Some(Interval {
                lower: number(pairs.lower)?,
                upper: number(pairs.upper)?,
                level: request.confidence_level,
                method: SEN.to_owned(),
            })
        }),
        kendall_tau: pairs.and_then(|pairs| pairs.tau).and_then(number),
        test: pairs
            .filter(|_| independent)
            .and_then(|pairs| pairs.test)
            .and_then(|(z, tail)| {
                Some(Test {
                    name: "mann-kendall-normal".to_owned(),
                    statistic: number(z)?,
                    degrees: Vec::new(),
                    p_value: number(tail)?,
                })
            }),
        line_slope: found
            .line
            .filter(|_| meaningful)
            .and_then(|(slope, _)| number(slope)),
        line_standard_error: found
            .line
            .filter(|_| meaningful && independent)
            .and_then(|(_, error)| number(error)),
        autocorrelation: found.autocorrelation.filter(|_| meaningful).and_then(number),
    }
}

fn parameters(request: &TemporalRequest, times: &Times, per: &str) -> Vec<(String, String)> {
    vec![
        ("columns".to_owned(), receipt::joined(&request.columns)),
        ("confidenceLevel".to_owned(), request.confidence_level.to_string()),
        ("gapFactor".to_owned(), request.gap_factor.to_string()),
        ("missingness".to_owned(), "complete-case".to_owned()),
        ("origin".to_owned(), times.origin.to_owned()),
        ("pairsUpTo".to_owned(), trend::MAX_PAIRED.to_string()),
        ("per".to_owned(), per.to_owned()),
        ("ties".to_owned(), "by row key".to_owned()),
        ("time".to_owned(), request.time.clone()),
        ("timeUnit".to_owned(), times.unit.clone()),
    ]
}

/// Fills the slots in their order.
fn outputs(dataset: &Dataset, request: &TemporalRequest, content: &TemporalContent) -> Vec<Output> {
    let status = dataset
        .column(&request.time)
        .and_then(|column| column.model().unit())
        .map_or("declared", |unit| unit.status().word());
    let unit = Some((content.time_unit.clone(), status.to_owned()));
    let clock = |label: &str| Measure::bare(label, Scale::Interval).in_unit(unit.clone());
    let rows = |label: &str, n| (Measure::bare(label, Scale::Count), Filled::count(n));
    let time = clock(&request.time).in_frame(&content.origin);
    let excluded = count((content.total_rows.get() - content.rows_used.get()).unsigned_abs() as usize);
    let mut filled = vec![
        (time.clone(), Filled::InLeaf),
        (Measure::bare("row keys", Scale::Identifier), Filled::InLeaf),
        rows("rows used", content.rows_used),
        rows("rows excluded", excluded),
        rows("rows in the dataset", content.total_rows),
        (time.clone().labeled("first time"), Filled::Number(content.start)),
        (time.labeled("last time"), Filled::Number(content.end)),
        (
            clock("median step"),
            Filled::number(content.median_step, "all rows have one time"),
        ),
        rows("gaps", content.gap_count),
    ];
    for trend in &content.trends {
        let values = Measure::of_named(dataset, &trend.column);
        let column = dataset.column(&trend.column);
        let slope_unit = column
            .and_then(receipts::unit_of)
            .map(|(unit, status)| (format!("{unit}/{}", trend.per), status));
        let slope =
            Measure::bare(format!("trend of {}", trend.column), Scale::Interval).in_unit(slope_unit.clone());
        let line = Measure::bare(
            format!("least squares slope of {}", trend.column),
            Scale::Interval,
        )
        .in_unit(slope_unit);
        let bare = |what: &str| Measure::bare(format!("{what} of {}", trend.column), Scale::Interval);
        let interval = trend.interval.as_ref();
        const NOT_GIVEN: &str = "the limitations say why";
        filled.extend([
            (values, Filled::InLeaf),
            (slope.clone(), Filled::number(trend.slope, NOT_GIVEN)),
            (
                slope,
                interval.map_or(Filled::Absent(NOT_GIVEN), |one| {
                    Filled::Interval(one.lower, one.upper)
                }),
            ),
            (
                bare("Kendall's tau"),
                Filled::number(trend.kendall_tau, NOT_GIVEN),
            ),
            (line, Filled::number(trend.line_slope, NOT_GIVEN)),
            (
                bare("lag 1 autocorrelation"),
                Filled::number(trend.autocorrelation, NOT_GIVEN),
            ),
        ]);
    }
    let slots = slots(request);
    debug_assert_eq!(slots.len(), filled.len(), "every slot is filled");
    slots
        .into_iter()
        .zip(filled)
        .map(|(slot, (measure, filled))| Output::new(slot, measure, filled))
        .collect()
}
