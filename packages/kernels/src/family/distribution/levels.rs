//! Counts of the levels of a CATEGORICAL column.

use dataset::{Column, Dataset};

use super::{Described, texts};
use crate::error::KernelError;
use crate::limitation::{Limitation, LimitationCode, counted};
use crate::receipt::{self, Claim, Method};
use crate::summary::{count, declared_dependent, finite};
use crate::wilson;
use crate::wire::v1::distribution::{ColumnDistribution, LevelShare};
use crate::wire::v1::{DistributionRequest, Uncertainty};

/// The most levels of one column.
const MAX_LEVELS: usize = 2048;

pub(super) fn describe(
    dataset: &Dataset,
    column: &Column,
    request: &DistributionRequest,
    method: &Method<'_>,
) -> Result<Described, KernelError> {
    let levels = column.levels().unwrap_or_default();
    if levels.len() > MAX_LEVELS {
        return Err(KernelError::TooMany {
            method: super::FAMILY.word,
            what: "levels",
            found: levels.len(),
            limit: MAX_LEVELS,
        });
    }
    let mut counts = vec![0_usize; levels.len()];
    for level_idx in (0..column.n_rows()).filter_map(|row_idx| column.level_idx(row_idx)) {
        counts[level_idx] += 1;
    }
    let n: usize = counts.iter().sum();
    let mut limitations = texts::missing(column, n).into_iter().collect::<Vec<_>>();
    let has_interval = n > 0 && !declared_dependent(column.model().observation_structure());
    if has_interval {
        limitations.extend(texts::independence(column, "the intervals of the shares assume"));
        if levels.len() > 1 {
            let text = format!(
                "{} have an interval each, none widened for their number",
                counted(levels.len(), "level")
            );
            limitations.push(Limitation::new(LimitationCode::ManyComparisons, text).about(column.name()));
        }
    } else if n > 0 {
        limitations.push(texts::no_interval(column));
    }
    let level = request.confidence_level.get();
    let share = |(level_idx, k): (usize, &usize)| {
        let interval = has_interval.then(|| wilson::interval(*k, n, level));
        LevelShare {
            level: levels[level_idx].to_string(),
            count: count(*k),
            share: finite(if n == 0 { 0.0 } else { *k as f64 / n as f64 }).unwrap_or_default(),
            lower: interval.and_then(|(lower, _)| finite(lower)),
            upper: interval.and_then(|(_, upper)| finite(upper)),
        }
    };
    let mut shares: Vec<LevelShare> = counts.iter().enumerate().map(share).collect();
    // Levels stand in the order of the rows; by name they do not.
    shares.sort_by(|a, b| identity::utf16_cmp(&a.level, &b.level));
    let record = ColumnDistribution {
        column: column.name().to_owned(),
        count: count(n),
        missing: count(column.n_rows() - n),
        skewness: None,
        excess_kurtosis: None,
        histogram: None,
        distribution_function: None,
        kernel_density: None,
        levels: Some(shares),
    };
    let mut assumptions = Vec::new();
    if has_interval {
        assumptions.push(receipt::independence(&[column]));
    }
    let claim = Claim {
        id: format!("distribution:{}", column.name()),
        estimand: format!(
            "counts and shares of the {} of {} over the rows of dataset {} that have a value",
            counted(levels.len(), "level"),
            column.name(),
            dataset.name()
        ),
        columns: &[column],
        n_rows: dataset.n_rows(),
        n_used: n,
        geometry: None,
        assumptions,
        uncertainty: has_interval.then(|| Uncertainty {
            method: wilson::METHOD.to_owned(),
            lower: None,
            upper: None,
            standard_error: None,
        }),
        stability: None,
        sensitivity: Vec::new(),
        limitations: &limitations,
    };
    Ok(Described {
        receipt: receipt::issue(dataset, claim, method),
        record,
        limitations,
    })
}
