//! `statistics`: descriptive statistics of NUMERIC columns, each by its own values.

use dataset::{Column, ColumnKind, Dataset, Scale};
use identity::Finite;
use rayon::prelude::*;

use super::{Family, Parts, STATISTICS, resolve, unit_inferred};
use crate::analysis::Provenance;
use crate::cases::with_any_value;
use crate::error::KernelError;
use crate::output::{Filled, Measure, Output, Shape, Slot, column_producer};
use crate::receipt::{self, Method};
use crate::settings::Settings;
use crate::summary::{self, count};
use crate::wire::v1::{ColumnStatistics, Content, Interval, Quantile, Request};

/// The method behind `descriptive:<column>` receipts.
pub const STATISTICS_METHOD: &str = "descriptive/exact-moments";
/// The version of the method.
pub const METHOD_VERSION: &str = "1.1.0";
/// The most quantiles in one request.
pub const MAX_QUANTILES: usize = 101;

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: STATISTICS,
    answers: "count, missing, mean with interval, standard deviation, extremes, type 7 quantiles of NUMERIC columns",
    consumer: "nemosyne:consumer/forma-statistics/v1",
    receipts: "descriptive:<column>",
    needs_columns: true,
    has_leaf: false,
    further_leaves: 0,
    producers: &["column:<name>"],
    paths: &[
        "count",
        "maximum",
        "mean",
        "meanInterval",
        "minimum",
        "missing",
        "quantile:<probability>",
        "standardDeviation",
    ],
};

const NUMBERS: [&str; 6] = [
    "count",
    "missing",
    "mean",
    "standardDeviation",
    "minimum",
    "maximum",
];
const MEAN_INTERVAL: &str = "meanInterval";

/// Probabilities of the quantiles when none are stated.
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// Confidence level when none is stated.
const LEVEL: f64 = 0.95;

/// The property of a quantile: `quantile:` and the probability as canonical JSON writes it.
#[must_use]
pub fn quantile_path(probability: Finite) -> String {
    format!("quantile:{probability}")
}

pub(crate) fn request(columns: Vec<String>, settings: &mut Settings<'_>) -> Result<Request, KernelError> {
    let constant = |value: f64| Finite::new(value).expect("the constants of this module are finite");
    let quantiles = match settings.text("quantiles") {
        None => QUANTILES.map(constant).to_vec(),
        Some(text) => {
            let one = |part: &str| {
                part.trim()
                    .parse::<f64>()
                    .ok()
                    .and_then(|value| Finite::new(value).ok())
            };
            let all: Option<Vec<Finite>> = text.split(',').map(one).collect();
            all.ok_or_else(|| {
                settings.wrong("quantiles", format!("must be numbers with commas, not `{text}`"))
            })?
        }
    };
    Ok(Request::Statistics {
        columns,
        quantiles,
        confidence_level: settings.number("level")?.unwrap_or_else(|| constant(LEVEL)),
    })
}

pub(crate) fn slots(columns: &[String], quantiles: &[Finite]) -> Vec<Slot> {
    let of_column = |column: &String| {
        let producer = column_producer(column);
        let number = |path: String| Slot::derived(producer.clone(), path, Shape::Number);
        let mut slots: Vec<Slot> = NUMBERS.map(|path| number(path.to_owned())).to_vec();
        slots.push(Slot::derived(producer.clone(), MEAN_INTERVAL, Shape::Interval));
        slots.extend(quantiles.iter().map(|p| number(quantile_path(*p))));
        slots
    };
    columns.iter().flat_map(of_column).collect()
}

fn outputs(
    dataset: &Dataset,
    names: &[String],
    probabilities: &[Finite],
    records: &[ColumnStatistics],
) -> Vec<Output> {
    let mut slots = slots(names, probabilities).into_iter();
    let n_each = NUMBERS.len() + 1 + probabilities.len();
    let mut outputs = Vec::with_capacity(n_each * records.len());
    for record in records {
        for slot in slots.by_ref().take(n_each) {
            let is_count = slot.path == "count" || slot.path == "missing";
            let measure = if is_count {
                Measure::bare(&record.column, Scale::Count)
            } else {
                Measure::of_named(dataset, &record.column)
            };
            let filled = filled(record, &slot.path);
            outputs.push(Output::new(slot, measure, filled));
        }
    }
    outputs
}

fn filled(record: &ColumnStatistics, path: &str) -> Filled {
    let number = match path {
        "count" => Some(record.count.into()),
        "missing" => Some(record.missing.into()),
        "mean" => record.mean,
        "standardDeviation" => record.standard_deviation,
        "minimum" => record.minimum,
        "maximum" => record.maximum,
        _ => {
            let quantile = |one: &&Quantile| quantile_path(one.probability) == path;
            record
                .quantiles
                .iter()
                .find(quantile)
                .map(|quantile| quantile.value)
        }
    };
    if let (Some(Interval { lower, upper, .. }), MEAN_INTERVAL) = (&record.mean_interval, path) {
        return Filled::Interval(*lower, *upper);
    }
    let why = match record.count.get() {
        0 => "the column has no value",
        1 if record.mean.is_some() => "one value has no spread",
        _ if record.mean.is_none() => "it has no meaning on the column's scale",
        _ => "the limitations say why",
    };
    Filled::number(number, why)
}

pub(crate) fn answer(
    dataset: &Dataset,
    names: &[String],
    probabilities: &[Finite],
    level: f64,
) -> Result<Parts, KernelError> {
    if !(level > 0.0 && level < 1.0) {
        return Err(KernelError::ConfidenceLevel { found: level });
    }
    check_probabilities(probabilities)?;
    let columns = resolve(dataset, names)?;
    if let Some(column) = columns.iter().find(|column| column.kind() != ColumnKind::Numeric) {
        return Err(KernelError::KindUnsupported {
            column: column.name().to_owned(),
            kind: column.kind(),
            family: STATISTICS,
            needed: "NUMERIC columns",
        });
    }
    let parameters = vec![
        (
            "confidenceLevel".to_owned(),
            Finite::new(level).map_or_else(|_| String::new(), |x| x.to_string()),
        ),
        ("interval".to_owned(), summary::INTERVAL_METHOD.to_owned()),
        ("quantileType".to_owned(), "7".to_owned()),
        ("quantiles".to_owned(), receipt::numbers(probabilities)),
        ("standardDeviationDenominator".to_owned(), "n-1".to_owned()),
    ];
    let method = Method {
        name: STATISTICS_METHOD,
        version: METHOD_VERSION,
        parameters: &parameters,
    };
    let (mut records, mut receipts, mut limitations) = (Vec::new(), Vec::new(), Vec::new());
    let mut summaries = Vec::with_capacity(columns.len());
    // As many columns at once as there are threads, so that no more of them are held in memory.
    for some in columns.chunks(rayon::current_num_threads()) {
        let summarize = |column: &&Column| summary::summarize(column, probabilities, level);
        summaries.par_extend(some.par_iter().map(summarize));
    }
    for (column, mut summary) in columns.iter().zip(summaries) {
        summary.limitations.extend(unit_inferred(&[column]));
        receipts.push(receipt::of_statistics(dataset, column, &summary, &method));
        records.push(summary.statistics);
        limitations.extend(summary.limitations);
    }
    let n_rows = dataset.n_rows();
    let (n_used, excluded) = with_any_value(dataset, &columns);
    let provenance = Provenance {
        method: STATISTICS_METHOD,
        method_version: METHOD_VERSION,
        parameters,
        seed: None,
        normalization: "none",
        missingness: "each column by its own values",
        sampling: "none",
        approximation: "EXACT",
        total_rows: count(n_rows),
        rows_used: count(n_used),
        excluded,
        preserves: &["location", "spread", "quantiles", "extremes"],
        loses: &[
            "row identity",
            "shape of the distribution",
            "relations between columns",
        ],
    };
    let outputs = outputs(dataset, names, probabilities, &records);
    Ok(Parts {
        outputs,
        content: Content::Statistics { columns: records },
        leaf: None,
        further_leaves: Vec::new(),
        receipts,
        provenance,
        limitations,
    })
}

fn check_probabilities(probabilities: &[Finite]) -> Result<(), KernelError> {
    let wrong = |found: String| {
        Err(KernelError::Probabilities {
            limit: MAX_QUANTILES,
            found,
        })
    };
    if probabilities.len() > MAX_QUANTILES {
        return wrong(format!("there are {}", probabilities.len()));
    }
    if let Some(outside) = probabilities.iter().find(|p| !(0.0..=1.0).contains(&p.get())) {
        return wrong(format!("{outside} is outside"));
    }
    match probabilities.windows(2).find(|pair| pair[0] >= pair[1]) {
        Some(pair) => wrong(format!("{} does not follow {}", pair[1], pair[0])),
        None => Ok(()),
    }
}
