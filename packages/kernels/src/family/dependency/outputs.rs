//! What a dependency answer says, property by property.

use dataset::{Dataset, Scale};

use super::regression::quotient;
use super::{CLAIMS, PAIRS};
use crate::output::{Filled, Measure, Output, Shape, Slot, column_producer, support, support_slots};
use crate::receipt::joined;
use crate::wire::v1::{
    Coefficient, Correlation, DependencyClaim, DependencyContent, DependencyRequest, Interval,
    VarianceAnalysis,
};

/// The producer of what is said about a regression as a whole.
const MODEL: &str = "model";

const MODEL_NUMBERS: [&str; 5] = [
    "intercept",
    "rSquared",
    "residualStandardDeviation",
    "fStatistic",
    "conditionNumber",
];
const VARIANCE_NUMBERS: [&str; 5] = [
    "etaSquared",
    "fStatistic",
    "betweenSumOfSquares",
    "withinSumOfSquares",
    "withinStandardDeviation",
];

/// What stands in the leaf of all pairs together.
const OF_PAIRS: [&str; 4] = ["pearson", "pearsonIntervals", "pearsonFirst", "pearsonSecond"];
/// What stands in the leaf of all groups of a column.
const OF_GROUPS: [&str; 3] = ["groupMeans", "groupMeanIntervals", "groupNames"];

const NOT_GIVEN: &str = "the limitations say why";

fn pair(first: &str, second: &str) -> String {
    format!("pair:{}", joined(&[first, second]))
}

/// A response and a column of groups as one text.
pub(super) fn term(response: &str, group: &str) -> String {
    format!("{}~{}", joined(&[response]), joined(&[group]))
}

pub(crate) fn slots(request: &DependencyRequest) -> Vec<Slot> {
    let asks = |claim| request.claims.contains(&claim);
    let mut slots = Vec::new();
    for (first, second) in request.pairs() {
        for (claim, path) in [
            (DependencyClaim::Pearson, "pearson"),
            (DependencyClaim::Spearman, "spearman"),
        ] {
            if asks(claim) {
                slots.push(Slot::derived(pair(first, second), path, Shape::Number));
                slots.push(Slot::derived(
                    pair(first, second),
                    format!("{path}Interval"),
                    Shape::Interval,
                ));
            }
        }
    }
    if asks(DependencyClaim::Regression) {
        slots.extend(MODEL_NUMBERS.map(|path| Slot::derived(MODEL, path, Shape::Number)));
        slots.push(Slot::derived(MODEL, "interceptInterval", Shape::Interval));
        for name in request.predictors() {
            slots.push(Slot::derived(column_producer(name), "slope", Shape::Number));
            slots.push(Slot::derived(
                column_producer(name),
                "slopeInterval",
                Shape::Interval,
            ));
        }
    }
    if asks(DependencyClaim::Anova) {
        for (name, group) in request.grouped() {
            let producer = format!("groups:{}", term(name, group));
            slots.extend(VARIANCE_NUMBERS.map(|path| Slot::derived(producer.clone(), path, Shape::Number)));
            slots.extend(OF_GROUPS.map(|path| Slot::derived(producer.clone(), path, Shape::Vector)));
        }
    }
    if asks(DependencyClaim::Pearson) {
        slots.extend(OF_PAIRS.map(|path| Slot::derived(PAIRS, path, Shape::Vector)));
    }
    slots.extend(support_slots(CLAIMS));
    slots
}

/// Fills the slots in their order.
pub(super) fn outputs(
    dataset: &Dataset,
    request: &DependencyRequest,
    content: &DependencyContent,
) -> Vec<Output> {
    let mut filled: Vec<(Measure, Filled)> = Vec::new();
    for record in &content.correlations {
        filled.extend(correlation(record));
    }
    for record in &content.regressions {
        let response = Measure::of_named(dataset, &record.response);
        let ratio = |label: &str| Measure::bare(label, Scale::Ratio);
        let of_response = |label: String| response.clone().labeled(label);
        let explained = record.response.as_str();
        let numbers = [
            (
                of_response(format!("intercept of {explained}")),
                Filled::Number(record.intercept.estimate),
            ),
            (ratio("R squared"), Filled::Number(record.r_squared)),
            (
                of_response(format!("residual standard deviation of {explained}")),
                Filled::Number(record.residual_standard_deviation),
            ),
            (
                ratio("F statistic"),
                Filled::number(record.test.as_ref().map(|test| test.statistic), NOT_GIVEN),
            ),
            (ratio("condition number"), Filled::Number(record.condition_number)),
            (
                of_response(format!("intercept of {explained}")),
                interval(record.intercept.interval.as_ref()),
            ),
        ];
        filled.extend(numbers);
        for slope in &record.slopes {
            filled.extend(of_slope(dataset, &record.response, slope));
        }
    }
    for record in &content.variances {
        filled.extend(variance(dataset, record));
    }
    if request.claims.contains(&DependencyClaim::Pearson) {
        filled.extend(pairs(content));
    }
    for output in support(CLAIMS, content.rows_used, content.total_rows) {
        filled.push((output.measure, output.filled));
    }
    let slots = slots(request);
    debug_assert_eq!(slots.len(), filled.len(), "every slot is filled");
    slots
        .into_iter()
        .zip(filled)
        .map(|(slot, (measure, filled))| Output::new(slot, measure, filled))
        .collect()
}

/// What stands in the leaf of all pairs together, where Pearson's correlation is asked.
fn pairs(content: &DependencyContent) -> [(Measure, Filled); 4] {
    let records = || {
        let all = content.correlations.iter();
        all.filter(|record| record.claim == DependencyClaim::Pearson && record.coefficient.is_some())
    };
    let there = in_leaf(records().next().is_some());
    let intervals = in_leaf(records().any(|record| record.interval.is_some()));
    let coefficient = Measure::bare("Pearson correlation", Scale::Interval)
        .in_unit(Some(("dimensionless".to_owned(), "confirmed".to_owned())));
    let name = |label: &str| Measure::bare(label, Scale::Nominal);
    [
        (coefficient.clone(), there.clone()),
        (coefficient, intervals),
        (name("one column"), there.clone()),
        (name("other column"), there),
    ]
}

fn in_leaf(is_there: bool) -> Filled {
    if is_there {
        Filled::InLeaf
    } else {
        Filled::Absent(NOT_GIVEN)
    }
}

fn interval(interval: Option<&Interval>) -> Filled {
    interval.map_or(Filled::Absent(NOT_GIVEN), |interval| {
        Filled::Interval(interval.lower, interval.upper)
    })
}

fn correlation(record: &Correlation) -> [(Measure, Filled); 2] {
    let word = if record.claim == DependencyClaim::Pearson {
        "Pearson"
    } else {
        "Spearman"
    };
    let label = format!("{word} correlation of {} and {}", record.first, record.second);
    let measure = Measure::bare(label, Scale::Interval);
    let number = Filled::number(
        record.coefficient,
        "a column is constant, or its scale allows no correlation",
    );
    [
        (measure.clone(), number),
        (measure, interval(record.interval.as_ref())),
    ]
}

fn of_slope(dataset: &Dataset, response: &str, slope: &Coefficient) -> [(Measure, Filled); 2] {
    let unit_of = |name: &str| dataset.column(name).and_then(|column| column.model().unit());
    let label = format!("slope of {response} by {}", slope.term);
    let measure =
        Measure::bare(label, Scale::Interval).in_unit(quotient(unit_of(response), unit_of(&slope.term)));
    [
        (measure.clone(), Filled::Number(slope.estimate)),
        (measure, interval(slope.interval.as_ref())),
    ]
}

fn variance(dataset: &Dataset, record: &VarianceAnalysis) -> [(Measure, Filled); 8] {
    let response = Measure::of_named(dataset, &record.response);
    let squared = response.unit.clone().map(|(unit, status)| {
        let plain = unit.chars().all(char::is_alphabetic);
        (
            if plain {
                format!("{unit}2")
            } else {
                format!("({unit})2")
            },
            status,
        )
    });
    let about = format!("{} by {}", record.response, record.group);
    let ratio = |label: String| Measure::bare(label, Scale::Ratio);
    let squares = |label: &str| ratio(format!("{label} of {about}")).in_unit(squared.clone());
    [
        (
            ratio(format!("eta squared of {about}")),
            Filled::number(record.eta_squared, "all values are equal"),
        ),
        (
            ratio(format!("F statistic of {about}")),
            Filled::number(record.test.as_ref().map(|test| test.statistic), NOT_GIVEN),
        ),
        (
            squares("sum of squares between groups"),
            Filled::Number(record.between_sum_of_squares),
        ),
        (
            squares("sum of squares within groups"),
            Filled::Number(record.within_sum_of_squares),
        ),
        (
            ratio(format!("standard deviation within groups of {about}")).in_unit(response.unit.clone()),
            Filled::Number(record.within_standard_deviation),
        ),
        (
            response.clone().labeled(format!("mean of {about}")),
            in_leaf(!record.groups.is_empty()),
        ),
        (
            response.labeled(format!("mean of {about}")),
            in_leaf(record.groups.iter().any(|group| group.interval.is_some())),
        ),
        (
            Measure::bare(record.group.clone(), Scale::Nominal),
            in_leaf(!record.groups.is_empty()),
        ),
    ]
}
