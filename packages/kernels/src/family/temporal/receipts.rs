//! The receipts of an ordered series: one for the order, one for each trend.

use dataset::{Column, Dataset, ObservationStructure, Scale};

use super::clock::Times;
use super::trend::MAX_PAIRED;
use super::{SEN, order};
use crate::family::unit_inferred;
use crate::limitation::{Limitation, LimitationCode, counted};
use crate::receipt::{
    self, Claim, Method, NOT_TESTABLE, SATISFIED, UNCHECKED, VIOLATED, assumption, joined, listed,
};
use crate::student;
use crate::summary::declared_dependent;
use crate::wire::v1::{Receipt, Sensitivity, TemporalRequest, Trend, Uncertainty};

/// Factors that are tried beside the stated one.
const FACTORS: [f64; 3] = [1.25, 2.0, 3.0];

pub(super) struct Ground<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) request: &'a TemporalRequest,
    pub(super) time: &'a Column,
    pub(super) times: &'a Times,
    pub(super) per: &'a str,
    pub(super) steps: &'a [(usize, f64)],
    pub(super) median_step: Option<f64>,
    pub(super) n_tied: usize,
    pub(super) n_gaps: usize,
    pub(super) n_used: usize,
    pub(super) method: &'a Method<'a>,
}

impl Ground<'_> {
    /// The receipt `temporal:order:<time>`.
    pub(super) fn of_order(&self, columns: &[&Column]) -> (Receipt, Vec<Limitation>) {
        let limitations = self.shared(columns);
        let factor = self.request.gap_factor.get();
        let tried = self.median_step.map(|median| {
            let found = FACTORS.map(|factor| (factor, order::n_gaps(self.steps, median, factor)));
            Sensitivity {
                factor: "gapFactor; material when a neighboring factor finds another number of gaps"
                    .to_owned(),
                tested_values: found.iter().map(|(factor, n)| format!("{factor}: {n}")).collect(),
                materially_changed: found.iter().any(|(_, n)| *n != self.n_gaps),
            }
        });
        let ordered = assumption(
            "every row has one place in time",
            if self.n_tied == 0 { SATISFIED } else { VIOLATED },
            if self.n_tied == 0 {
                "no two rows share a time".to_owned()
            } else {
                let tied = counted(self.n_tied, "row");
                format!(
                    "{tied} at the time of the row before; such rows follow each other by key, which measures nothing"
                )
            },
        );
        let even = assumption(
            "no step is longer than others",
            if self.n_gaps == 0 { SATISFIED } else { VIOLATED },
            format!(
                "{} are longer than {factor} median steps",
                order::told(self.n_gaps, self.steps)
            ),
        );
        let zones = assumption("times have one origin", NOT_TESTABLE, self.times.zones.clone());
        let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
        let estimand = format!(
            "the order of the rows of dataset {} that have a value in each of {}, by {} in {}, and the steps between \
             them; nothing is estimated",
            self.dataset.name(),
            listed(&names),
            self.time.name(),
            self.times.unit,
        );
        let receipt = self.issue(
            format!("temporal:order:{}", joined(&[self.time.name()])),
            estimand,
            columns,
            vec![ordered, even, zones, self.days()],
            None,
            tried.into_iter().collect(),
            &limitations,
        );
        (receipt, limitations)
    }

    /// The receipt `temporal:trend:<series>`.
    pub(super) fn of_trend(
        &self,
        column: &Column,
        trend: &Trend,
        constant: bool,
    ) -> (Receipt, Vec<Limitation>) {
        let columns = [self.time, column];
        let mut limitations = self.shared(&columns);
        let mut add = |code, text: String| limitations.push(Limitation::new(code, text).about(column.name()));
        add(
            LimitationCode::MeasurementErrorUnstated,
            "how exactly the values were measured is not stated".to_owned(),
        );
        add(
            LimitationCode::BeyondRange,
            "a trend over the times that were seen says nothing about others".to_owned(),
        );
        if self.request.columns.len() > 2 {
            add(
                LimitationCode::ManyComparisons,
                format!(
                    "one of {} trends; no interval is widened for that",
                    self.request.columns.len() - 1
                ),
            );
        }
        if constant {
            add(LimitationCode::ConstantValues, "all values are equal".to_owned());
        }
        if !has_sums(column) {
            let scale = column.model().scale();
            add(
                LimitationCode::NotMeaningfulOnScale,
                format!("a slope has no meaning on the {scale} scale"),
            );
        } else if trend.slope.is_none() {
            let text = if self.n_used > MAX_PAIRED {
                format!(
                    "slopes of all pairs are computed up to {MAX_PAIRED} rows, and there are {}",
                    self.n_used
                )
            } else {
                "a trend needs three rows at two times, and slopes within the doubles".to_owned()
            };
            add(LimitationCode::IntervalNotGiven, text);
        } else if let Some(structure) = forbidden(column) {
            let text =
                format!("the rows are declared {structure}, so no interval for independent rows is given");
            add(LimitationCode::IntervalNotGiven, text);
        } else {
            add(
                LimitationCode::IndependenceUntested,
                "the interval assumes values that are independent but for the trend".to_owned(),
            );
        }
        let near = self.near(trend);
        if let (VIOLATED, Some(correlation)) = (near.status.as_str(), trend.autocorrelation) {
            let r = correlation.get();
            let text = if r > 0.0 && r < 1.0 {
                let widening = ((1.0 + r) / (1.0 - r)).sqrt();
                format!(
                    "neighbors in time correlate by {r:.3}, so the interval should be about {widening:.2} times as wide"
                )
            } else {
                format!("neighbors in time correlate by {r:.3}, so the interval is wider than it should be")
            };
            add(LimitationCode::AutocorrelationPresent, text);
        }
        let sensitivity = estimator(trend);
        let unit = unit_of(column).map_or_else(
            || format!("the unit of {} per {}", column.name(), self.per),
            |(unit, _)| format!("{unit} per {}", self.per),
        );
        let estimand = format!(
            "median slope of {} by {} between pairs of times ({unit}) over the rows of dataset {} that have every value \
             of the request",
            column.name(),
            self.time.name(),
            self.dataset.name(),
        );
        let straight = assumption(
            "the change with time goes one way at one rate",
            UNCHECKED,
            "not tested; the least squares slope differs from the median slope where it does not",
        );
        let receipt = self.issue(
            format!("temporal:trend:{}", joined(&[column.name()])),
            estimand,
            &columns,
            vec![near, straight, self.days()],
            trend.interval.as_ref().map(|interval| Uncertainty {
                method: SEN.to_owned(),
                lower: Some(interval.lower),
                upper: Some(interval.upper),
                standard_error: None,
            }),
            sensitivity.into_iter().collect(),
            &limitations,
        );
        (receipt, limitations)
    }

    #[expect(clippy::too_many_arguments, reason = "a receipt has these parts")]
    fn issue(
        &self,
        id: String,
        estimand: String,
        columns: &[&Column],
        assumptions: Vec<crate::wire::v1::Assumption>,
        uncertainty: Option<Uncertainty>,
        sensitivity: Vec<Sensitivity>,
        limitations: &[Limitation],
    ) -> Receipt {
        let claim = Claim {
            id,
            estimand,
            columns,
            n_rows: self.dataset.n_rows(),
            n_used: self.n_used,
            geometry: None,
            assumptions,
            uncertainty,
            stability: None,
            sensitivity,
            limitations,
        };
        receipt::issue(self.dataset, claim, self.method)
    }

    fn shared(&self, columns: &[&Column]) -> Vec<Limitation> {
        let mut limitations = Vec::new();
        let mut add = |code, text: String| limitations.push(Limitation::new(code, text));
        let n_excluded = self.dataset.n_rows() - self.n_used;
        if n_excluded > 0 {
            let rows = counted(n_excluded, "row");
            add(
                LimitationCode::RowsExcludedMissing,
                format!("{rows} excluded for lack of a time or of a value in a series"),
            );
        }
        if self.n_tied > 0 {
            let rows = counted(self.n_tied, "row");
            add(
                LimitationCode::TiesPresent,
                format!(
                    "{rows} at the time of the row before; their order among each other is that of their keys"
                ),
            );
        }
        if self.n_gaps > 0 {
            let factor = self.request.gap_factor;
            let told = order::told(self.n_gaps, self.steps);
            add(
                LimitationCode::GapsPresent,
                format!("{told} are longer than {factor} median steps; nothing is filled in"),
            );
        }
        limitations.extend(unit_inferred(columns));
        limitations
    }

    /// That neighbors in time do not resemble each other beyond the trend: the bounds are those of independent values.
    fn near(&self, trend: &Trend) -> crate::wire::v1::Assumption {
        let text = "values near in time are no more alike than others, but for the trend";
        let Some(correlation) = trend.autocorrelation else {
            return assumption(
                text,
                UNCHECKED,
                "there is no least squares line that leaves something over",
            );
        };
        let bound = student::normal_quantile(0.95) / (self.n_used as f64).sqrt();
        let status = if correlation.get().abs() > bound {
            VIOLATED
        } else {
            SATISFIED
        };
        let uneven = if self.n_gaps > 0 {
            "; steps are uneven, so neighbors are not equally near"
        } else {
            ""
        };
        let detail = format!(
            "neighbors correlate by {:.4} about the least squares line; independent values stay within {bound:.4} in 95 of \
             100 series{uneven}",
            correlation.get()
        );
        assumption(text, status, detail)
    }

    fn days(&self) -> crate::wire::v1::Assumption {
        let status = if self.times.n_leap > 0 {
            VIOLATED
        } else {
            SATISFIED
        };
        assumption("days have 86,400 seconds", status, self.times.calendar.clone())
    }
}

/// Materially changed: the least squares slope has another sign or lies outside the interval.
fn estimator(trend: &Trend) -> Option<Sensitivity> {
    let (slope, line) = (trend.slope?, trend.line_slope?);
    let outside = trend
        .interval
        .as_ref()
        .is_some_and(|interval| line < interval.lower || line > interval.upper);
    Some(Sensitivity {
        factor:
            "estimator; material when the least squares slope has another sign or lies outside the interval"
                .to_owned(),
        tested_values: vec![format!("theil-sen: {slope}"), format!("least squares: {line}")],
        materially_changed: outside || slope.get().signum() != line.get().signum(),
    })
}

/// A declared structure other than an order in time that forbids intervals for independent rows.
pub(super) fn forbidden(column: &Column) -> Option<ObservationStructure> {
    let structure = column.model().observation_structure();
    (declared_dependent(structure) && structure != ObservationStructure::TemporalSequence)
        .then_some(structure)
}

/// Whether differences of values mean something.
pub(super) fn has_sums(column: &Column) -> bool {
    !matches!(
        column.model().scale(),
        Scale::Identifier | Scale::Nominal | Scale::Circular | Scale::Ordinal
    )
}

/// A column's unit and its standing.
pub(super) fn unit_of(column: &Column) -> Option<(String, String)> {
    let unit = column.model().unit()?;
    Some((unit.text().to_owned(), unit.status().word().to_owned()))
}
