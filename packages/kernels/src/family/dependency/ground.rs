//! What every claim of a request shares: the rows, the level, and the sentences that always hold.

use dataset::{Column, Dataset, ObservationStructure, Scale};
use identity::Finite;

use super::checks::THRESHOLD;
use crate::exact::Moments;
use crate::family::unit_inferred;
use crate::limitation::{Limitation, LimitationCode, counted};
use crate::receipt::{self, NOT_TESTABLE, SATISFIED, assumption};
use crate::summary::{conditioning, count, declared_dependent, finite};
use crate::wire::v1::{Assumption, Interval, Test};

/// The complete cases of a request.
pub(super) struct Ground<'a> {
    pub(super) dataset: &'a Dataset,
    /// Their places in the dataset.
    pub(super) rows: Vec<usize>,
    pub(super) level: f64,
    /// Claims made at once.
    pub(super) n_claims: usize,
}

/// A column of numbers on that ground.
pub(super) struct Numbers<'a> {
    pub(super) column: &'a Column,
    pub(super) values: Vec<f64>,
}

impl Numbers<'_> {
    pub(super) fn name(&self) -> &str {
        self.column.name()
    }

    pub(super) fn is_constant(&self) -> bool {
        self.values.windows(2).all(|pair| pair[0] == pair[1])
    }
}

impl Ground<'_> {
    /// The key of a case.
    pub(super) fn key(&self, case_idx: usize) -> String {
        self.dataset.row_key(self.rows[case_idx]).to_string()
    }

    /// Of two cases that are equal otherwise, whether the first one comes first: by key text, or by ordinal.
    pub(super) fn comes_first(&self, a: usize, b: usize) -> bool {
        if self.dataset.key_column().is_none() {
            return self.rows[a] < self.rows[b];
        }
        identity::utf16_cmp(&self.key(a), &self.key(b)).is_lt()
    }

    /// The case with the greatest change, by key where several share it. Infinite: there is no quantity without it.
    pub(super) fn most_changed(&self, changes: &[f64]) -> Option<usize> {
        (0..changes.len()).reduce(|best, idx| {
            let greater = changes[idx] > changes[best]
                || (changes[idx] == changes[best] && self.comes_first(idx, best));
            if greater { idx } else { best }
        })
    }

    /// The observation structure that forbids intervals for independent rows, if one was declared.
    pub(super) fn dependence(&self, columns: &[&Column]) -> Option<ObservationStructure> {
        let structures = columns
            .iter()
            .map(|column| column.model().observation_structure());
        structures
            .into_iter()
            .find(|structure| declared_dependent(*structure))
    }

    /// What limits every claim about these columns.
    pub(super) fn limitations(&self, columns: &[&Column]) -> Vec<Limitation> {
        let mut limitations = vec![Limitation::new(
            LimitationCode::AssociationOnly,
            "what goes together in these rows; no cause is shown",
        )];
        let n_excluded = self.dataset.n_rows() - self.rows.len();
        if n_excluded > 0 {
            let text = format!(
                "{} excluded for lack of a value in a column of the request",
                counted(n_excluded, "row")
            );
            limitations.push(Limitation::new(LimitationCode::RowsExcludedMissing, text));
        }
        if self.n_claims > 1 {
            let text = format!(
                "one of {} claims at once; nothing is widened for that",
                self.n_claims
            );
            limitations.push(Limitation::new(LimitationCode::ManyComparisons, text));
        }
        limitations.push(Limitation::new(
            LimitationCode::MeasurementErrorUnstated,
            "how exactly values were measured is not stated; errors weaken what goes together",
        ));
        limitations.extend(unit_inferred(columns));
        match self.dependence(columns) {
            Some(structure) => {
                let text = format!(
                    "the rows are declared {structure}, so no interval or test for independent rows is given"
                );
                limitations.push(Limitation::new(LimitationCode::IntervalNotGiven, text));
            }
            None if receipt::independence(columns).status == SATISFIED => {}
            None => limitations.push(Limitation::new(
                LimitationCode::IndependenceUntested,
                "intervals and tests assume independent rows, which the data can't show",
            )),
        }
        limitations
    }

    /// That the rows are independent, with what was declared.
    pub(super) fn independence(&self, columns: &[&Column]) -> Assumption {
        let Some(structure) = self.dependence(columns) else {
            return receipt::independence(columns);
        };
        let detail = format!("the rows are declared {structure}");
        assumption(receipt::ROWS_INDEPENDENT, NOT_TESTABLE, detail)
    }

    /// An interval at the request's level; absent beyond the doubles.
    pub(super) fn interval(&self, lower: f64, upper: f64, method: &str) -> Option<Interval> {
        Some(Interval {
            lower: finite(lower + 0.0)?,
            upper: finite(upper + 0.0)?,
            level: finite(self.level)?,
            method: method.to_owned(),
        })
    }
}

/// A test as the content keeps it; absent beyond the doubles.
pub(super) fn test(name: &str, statistic: f64, degrees: &[u64], tail: f64) -> Option<Test> {
    Some(Test {
        name: name.to_owned(),
        statistic: finite(statistic + 0.0)?,
        degrees: degrees.iter().map(|n| count(*n as usize)).collect(),
        p_value: finite(tail)?,
    })
}

/// Says that the stored doubles lost digits of the spread, where they did.
pub(super) fn lossy(numbers: &Numbers<'_>) -> Option<Limitation> {
    let mut moments = Moments::new();
    numbers.values.iter().for_each(|value| moments.add(*value));
    let text = conditioning(moments.mean()?, moments.standard_deviation()?, &numbers.values)?;
    Some(Limitation::new(LimitationCode::ConditioningLossy, text).about(numbers.name()))
}

/// Says that an assumption about a distribution is doubtful or was not tested.
pub(super) fn normality_limitation(assumption: &Assumption) -> Option<Limitation> {
    let text = match assumption.status.as_str() {
        crate::receipt::VIOLATED => {
            format!("the interval assumes a normal distribution, and a test at {THRESHOLD} objects")
        }
        crate::receipt::UNCHECKED => {
            "the interval assumes a normal distribution, which was not tested".to_owned()
        }
        _ => return None,
    };
    Some(Limitation::new(LimitationCode::NormalityUntested, text))
}

/// Whether adding values up means something on the scale.
pub(super) fn has_sums(column: &Column) -> bool {
    has_order(column) && column.model().scale() != Scale::Ordinal
}

/// Whether the order of values means something on the scale.
pub(super) fn has_order(column: &Column) -> bool {
    !matches!(
        column.model().scale(),
        Scale::Identifier | Scale::Nominal | Scale::Circular
    )
}

/// A finite number that is not −0.
pub(super) fn number(value: f64) -> Option<Finite> {
    finite(value + 0.0)
}
