//! Complete cases: the rows with a value in every chosen column, and the others counted by which columns lack one.

use std::collections::BTreeMap;

use dataset::{Column, Dataset};

use crate::error::KernelError;
use crate::summary::count;
use crate::wire::v1::Exclusion;

/// The reason for leaving a row out.
pub(crate) const MISSING: &str = "missing";

/// Beyond so many combinations of missing columns, exclusions are told in one record.
const MAX_EXCLUSIONS: usize = 64;

/// The rows that enter, in the order of the dataset.
pub(crate) struct Cases {
    pub(crate) rows: Vec<usize>,
    pub(crate) excluded: Vec<Exclusion>,
}

impl Cases {
    /// The complete cases of `columns`.
    pub(crate) fn of(n_rows: usize, columns: &[&Column]) -> Self {
        let (rows, excluded) = complete_rows(n_rows, columns);
        Self { rows, excluded }
    }

    /// The same, refused when there are fewer than `needed`.
    pub(crate) fn at_least(
        dataset: &Dataset,
        columns: &[&Column],
        family: &'static str,
        needed: usize,
    ) -> Result<Self, KernelError> {
        let cases = Self::of(dataset.n_rows(), columns);
        let names = || columns.iter().map(|column| column.name().to_owned()).collect();
        if cases.rows.is_empty() {
            return Err(KernelError::NoCompleteRows {
                columns: names(),
                total_rows: dataset.n_rows(),
            });
        }
        if cases.rows.len() < needed {
            return Err(KernelError::TooFew {
                family,
                what: "complete rows",
                found: cases.rows.len(),
                needed,
                columns: names(),
            });
        }
        Ok(cases)
    }

    /// The numbers of a NUMERIC column in these rows.
    pub(crate) fn numbers(&self, column: &Column) -> Vec<f64> {
        let known = |row_idx: &usize| column.number(*row_idx).known();
        self.rows.iter().filter_map(known).collect()
    }
}

/// The rows with a value in every column, and the others counted by which columns lack one.
fn complete_rows(n_rows: usize, columns: &[&Column]) -> (Vec<usize>, Vec<Exclusion>) {
    let mut rows = Vec::with_capacity(n_rows);
    let mut lacking: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    for row_idx in 0..n_rows {
        let lacks = |idx: &usize| columns[*idx].missing(row_idx).is_some();
        if !(0..columns.len()).any(|idx| lacks(&idx)) {
            rows.push(row_idx);
            continue;
        }
        *lacking
            .entry((0..columns.len()).filter(lacks).collect())
            .or_default() += 1;
    }
    if lacking.len() > MAX_EXCLUSIONS {
        let n_lacking = lacking.values().sum();
        let involved = (0..columns.len())
            .filter(|idx| lacking.keys().any(|set| set.contains(idx)))
            .collect();
        lacking = BTreeMap::from([(involved, n_lacking)]);
    }
    let excluded = lacking.into_iter().map(|(set, n)| Exclusion {
        reason: MISSING.to_owned(),
        columns: set
            .into_iter()
            .map(|idx| columns[idx].name().to_owned())
            .collect(),
        row_count: count(n),
    });
    (rows, excluded.collect())
}

/// Rows with a value in at least one column, and the others.
pub(crate) fn with_any_value(dataset: &Dataset, columns: &[&Column]) -> (usize, Vec<Exclusion>) {
    let n_rows = dataset.n_rows();
    let has_any = |row_idx: &usize| columns.iter().any(|column| column.missing(*row_idx).is_none());
    let n_used = if columns.iter().any(|column| column.is_complete()) {
        n_rows
    } else {
        (0..n_rows).filter(has_any).count()
    };
    let excluded = (n_used < n_rows).then(|| Exclusion {
        reason: MISSING.to_owned(),
        columns: columns.iter().map(|column| column.name().to_owned()).collect(),
        row_count: count(n_rows - n_used),
    });
    (n_used, excluded.into_iter().collect())
}
