//! One-way analysis of variance: how much of the spread of numbers lies between groups.
//!
//! Both sums of squares are sums of terms that are never negative, each the rounding of an exact integer:
//! between groups `(N·Sᵢ − nᵢ·S)²/(nᵢ·N²)`, within a group `(nᵢ·Qᵢ − Sᵢ²)/nᵢ` with exact sums `S` and sums of squares `Q`.
//! So nothing cancels, at any offset of the values, and each sum of squares is within a few units in the last place of
//! the true value for the doubles at hand. What the rounding of the data to doubles costs is stated.
//!
//! Group means have intervals by the standard deviation within all groups. Time is linear in the rows but for the
//! medians of the test of equal spread, which sort. Group sums are mergeable ([`crate::gram::Gram`] a group).

use std::collections::BTreeMap;

use dataset::{Column, ColumnKind};

use super::checks::{self, Checked};
use super::correlation::{influential, no_row_decides};
use super::ground::{Ground, Numbers, has_sums, lossy, normality_limitation, number, test};
use crate::beta;
use crate::error::KernelError;
use crate::exact::integer::Integer;
use crate::exact::{Moments, SQUARE_UNIT_EXP};
use crate::gram::Gram;
use crate::limitation::{Limitation, LimitationCode};
use crate::partial::Partial;
use crate::receipt::{self, Claim, Method, VIOLATED, joined};
use crate::student;
use crate::summary::count;
use crate::wire::v1::{GroupMean, Influence, Receipt, Sensitivity, Uncertainty, VarianceAnalysis};

/// The most groups of one analysis.
pub(super) const MAX_GROUPS: usize = 1_000;

const INTERVAL: &str = "student-t-within-groups";

pub(super) struct Answer {
    pub(super) record: VarianceAnalysis,
    pub(super) receipt: Receipt,
    pub(super) limitations: Vec<Limitation>,
}

/// Sums of squares with their degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Squares {
    pub(crate) between: f64,
    pub(crate) within: f64,
    pub(crate) between_degrees: u64,
    pub(crate) within_degrees: u64,
}

impl Squares {
    /// Of groups that all have a value; `None` when there are fewer than two groups, no row to spare, or sums beyond
    /// the doubles.
    pub(crate) fn of(groups: &[Gram]) -> Option<Self> {
        let whole = groups.iter().cloned().reduce(Gram::merge)?;
        let n = whole.n();
        let n_groups = groups.len() as u64;
        if n_groups < 2 || n <= n_groups {
            return None;
        }
        let total = whole.sum(0);
        let all = Integer::new(n);
        let (mut between, mut within) = (Moments::new(), Moments::new());
        for group in groups {
            let size = Integer::new(group.n());
            let distance = group.sum(0).times(&all).minus(&total.times(&size));
            let square = distance.times(&distance).scaled(SQUARE_UNIT_EXP.into());
            let divisor = size.times(&all).times(&all).scaled(0);
            between.add(square.over(divisor).get()?);
            let spread = group.about_means(0, 0).scaled(SQUARE_UNIT_EXP.into());
            within.add(spread.over(size.scaled(0)).get()?);
        }
        // The mean of the terms is their exact sum, rounded once, over a small integer.
        let sum = |terms: &Moments| {
            terms
                .mean()
                .map(|mean| mean * n_groups as f64)
                .filter(|sum| sum.is_finite())
        };
        Some(Self {
            between: sum(&between)?,
            within: sum(&within)?,
            between_degrees: n_groups - 1,
            within_degrees: n - n_groups,
        })
    }

    /// `None` when no group spreads.
    pub(crate) fn f(&self) -> Option<f64> {
        if self.within == 0.0 {
            return None;
        }
        let f = (self.between / self.between_degrees as f64) / (self.within / self.within_degrees as f64);
        f.is_finite().then_some(f)
    }

    fn eta_squared(&self) -> Option<f64> {
        let whole = self.between + self.within;
        (whole > 0.0 && whole.is_finite()).then(|| self.between / whole)
    }

    fn deviation(&self) -> f64 {
        (self.within / self.within_degrees as f64).sqrt()
    }
}

struct Groups<'a> {
    names: Vec<&'a str>,
    /// The places of each group's rows among the cases.
    cases: Vec<Vec<usize>>,
    grams: Vec<Gram>,
}

pub(super) fn analyze(
    ground: &Ground<'_>,
    response: &Numbers<'_>,
    group: &Column,
    method: &Method<'_>,
) -> Result<Answer, KernelError> {
    if !has_sums(response.column) {
        return Err(KernelError::ScaleUnsupported {
            column: response.name().to_owned(),
            scale: response.column.model().scale(),
            family: "dependency",
            needed: "a scale on which sums have a meaning, for an analysis of variance",
        });
    }
    let names = || vec![response.name().to_owned(), group.name().to_owned()];
    let groups = Groups::of(ground, response, group)?;
    let too_few = |what, found, needed| KernelError::TooFew {
        family: "dependency",
        what,
        found,
        needed,
        columns: names(),
    };
    if groups.names.len() < 2 {
        return Err(too_few("groups with complete rows", groups.names.len(), 2));
    }
    if ground.rows.len() <= groups.names.len() {
        return Err(too_few(
            "complete rows",
            ground.rows.len(),
            groups.names.len() + 1,
        ));
    }
    let undetermined = || KernelError::Undetermined {
        family: "dependency",
        columns: names(),
        problem: "sums of squares exceed the doubles".to_owned(),
    };
    let squares = Squares::of(&groups.grams).ok_or_else(undetermined)?;

    let columns = [response.column, group];
    let independent = ground.dependence(&columns).is_none();
    let mut limitations = ground.limitations(&columns);
    limitations.extend(lossy_within(response, &groups, &squares).or_else(|| lossy(response)));
    let spread = Checked::judge(
        brown_forsythe(&groups, &response.values),
        "the groups spread alike",
        "the Brown-Forsythe test",
        "no group spreads about its median",
    );
    if spread.status == VIOLATED {
        let text = "the groups spread differently, which the F test and the intervals assume they do not";
        limitations.push(Limitation::new(LimitationCode::UnequalVariances, text));
    }
    let normal = Checked::judge(
        checks::jarque_bera(&groups.residuals(&response.values)),
        "the values of each group are normally distributed about its mean",
        "the Jarque-Bera test of what the group means leave over",
        "needs 20 rows and groups that vary",
    );
    limitations.extend(normality_limitation(&normal));
    if squares.eta_squared().is_none() {
        let text = "all values are equal, so no share of the spread lies between groups";
        limitations.push(Limitation::new(LimitationCode::ConstantValues, text).about(response.name()));
    }
    let influence = influence(ground, response, &groups, &squares);
    let left_out = influence
        .as_ref()
        .map(|influence| left_out(influence, &squares, ground.level));
    limitations.extend(influential(left_out.as_ref()));
    let assumptions = vec![
        normal,
        spread,
        ground.independence(&columns),
        no_row_decides(left_out.as_ref(), "every row is needed, or all values are equal"),
    ];
    let record = record(ground, response, group, &groups, &squares, independent, influence);
    let unit = response.column.model().unit();
    let estimand = format!(
        "means of {}{} in the groups of {}, and the share of its sum of squares that lies between them, over the rows of \
         dataset {} that have every value of the request; the stated uncertainty is the standard error of the mean of \
         the smallest group",
        response.name(),
        unit.map_or_else(String::new, |unit| format!(" ({})", unit.text())),
        group.name(),
        ground.dataset.name(),
    );
    let smallest = groups.grams.iter().map(Gram::n).min().unwrap_or(1);
    let receipt = receipt::issue(
        ground.dataset,
        Claim {
            id: format!(
                "dependency:anova:{}~{}",
                joined(&[response.name()]),
                joined(&[group.name()])
            ),
            estimand,
            columns: &columns,
            n_rows: ground.dataset.n_rows(),
            n_used: ground.rows.len(),
            geometry: None,
            assumptions,
            uncertainty: independent.then(|| Uncertainty {
                method: INTERVAL.to_owned(),
                lower: None,
                upper: None,
                standard_error: number(squares.deviation() / (smallest as f64).sqrt()),
            }),
            stability: None,
            sensitivity: left_out.into_iter().collect(),
            limitations: &limitations,
        },
        method,
    );
    Ok(Answer {
        record,
        receipt,
        limitations,
    })
}

impl<'a> Groups<'a> {
    fn of(ground: &Ground<'_>, response: &Numbers<'_>, group: &'a Column) -> Result<Self, KernelError> {
        let Some(levels) = group.levels() else {
            return Err(KernelError::KindUnsupported {
                column: group.name().to_owned(),
                kind: group.kind(),
                family: "dependency",
                needed: "CATEGORICAL columns for groups",
            });
        };
        let mut by_level: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (case_idx, row_idx) in ground.rows.iter().enumerate() {
            if let Some(level_idx) = group.level_idx(*row_idx) {
                by_level.entry(level_idx).or_default().push(case_idx);
            }
        }
        if by_level.len() > MAX_GROUPS {
            return Err(KernelError::TooMany {
                method: "an analysis of variance",
                what: "groups",
                found: by_level.len(),
                limit: MAX_GROUPS,
            });
        }
        let mut named: Vec<(&str, Vec<usize>)> = by_level
            .into_iter()
            .map(|(level_idx, cases)| (&*levels[level_idx], cases))
            .collect();
        named.sort_by(|(a, _), (b, _)| identity::utf16_cmp(a, b));
        let (names, cases): (Vec<&str>, Vec<Vec<usize>>) = named.into_iter().unzip();
        let gram = |cases: &Vec<usize>| Gram::of_columns(&[pick(&response.values, cases)]);
        Ok(Self {
            grams: cases.iter().map(gram).collect(),
            names,
            cases,
        })
    }

    fn residuals(&self, values: &[f64]) -> Vec<f64> {
        let groups = self.cases.iter().zip(&self.grams);
        let residuals = groups.flat_map(|(cases, gram)| {
            let mean = gram.mean(0);
            cases.iter().map(move |case_idx| values[*case_idx] - mean)
        });
        residuals.collect()
    }
}

fn pick(values: &[f64], cases: &[usize]) -> Vec<f64> {
    cases.iter().map(|case_idx| values[*case_idx]).collect()
}

/// The F test of distances from the group's median.
fn brown_forsythe(groups: &Groups<'_>, values: &[f64]) -> Option<Checked> {
    let distances = groups.cases.iter().map(|cases| {
        let middle = checks::median(&mut pick(values, cases));
        let distances: Vec<f64> = pick(values, cases)
            .iter()
            .map(|value| (value - middle).abs())
            .collect();
        distances
            .iter()
            .all(|distance| distance.is_finite())
            .then(|| Gram::of(&[&distances]))
    });
    let squares = Squares::of(&distances.collect::<Option<Vec<Gram>>>()?)?;
    let statistic = squares.f()?;
    let tail = beta::f_tail(statistic, squares.between_degrees, squares.within_degrees);
    Some(Checked { statistic, tail })
}

fn record(
    ground: &Ground<'_>,
    response: &Numbers<'_>,
    group: &Column,
    groups: &Groups<'_>,
    squares: &Squares,
    independent: bool,
    influence: Option<Influence>,
) -> VarianceAnalysis {
    let t = student::two_sided_quantile(ground.level, squares.within_degrees);
    let means = groups.names.iter().zip(&groups.grams).map(|(name, gram)| {
        let (mean, half) = (gram.mean(0), t * squares.deviation() / (gram.n() as f64).sqrt());
        GroupMean {
            name: (*name).to_owned(),
            count: count(gram.n() as usize),
            mean: number(mean).expect("a mean lies between finite values"),
            interval: ground
                .interval(mean - half, mean + half, INTERVAL)
                .filter(|_| independent),
        }
    });
    let known = |value: f64| number(value).expect("sums of squares were checked to be finite");
    let (between, within) = (squares.between_degrees, squares.within_degrees);
    VarianceAnalysis {
        response: response.name().to_owned(),
        group: group.name().to_owned(),
        between_sum_of_squares: known(squares.between),
        between_degrees: count(between as usize),
        within_sum_of_squares: known(squares.within),
        within_degrees: count(within as usize),
        within_standard_deviation: known(squares.deviation()),
        eta_squared: squares.eta_squared().and_then(number),
        test: squares
            .f()
            .filter(|_| independent)
            .and_then(|f| test("f", f, &[between, within], beta::f_tail(f, between, within))),
        groups: means.collect(),
        influence,
    }
}

/// The digits that the spread within groups lost to the rounding of the values, which may be more than those of the
/// spread of all values.
fn lossy_within(response: &Numbers<'_>, groups: &Groups<'_>, squares: &Squares) -> Option<Limitation> {
    let whole = groups.grams.iter().cloned().reduce(Gram::merge)?;
    let text = crate::summary::conditioning(whole.mean(0), squares.deviation(), &response.values)?;
    Some(Limitation::new(LimitationCode::ConditioningLossy, text).about(response.name()))
}

/// The row without which eta squared changes most, searched in doubles and computed exactly for the one reported.
fn influence(
    ground: &Ground<'_>,
    response: &Numbers<'_>,
    groups: &Groups<'_>,
    squares: &Squares,
) -> Option<Influence> {
    let eta = squares.eta_squared()?;
    if squares.within_degrees < 2 {
        return None;
    }
    let whole = groups.grams.iter().cloned().reduce(Gram::merge)?;
    let (n, mean, total) = (whole.n() as f64, whole.mean(0), squares.between + squares.within);
    let mut changes = vec![0.0; response.values.len()];
    for (cases, gram) in groups.cases.iter().zip(&groups.grams) {
        let (size, group_mean) = (gram.n() as f64, gram.mean(0));
        for case_idx in cases {
            let value = response.values[*case_idx];
            let (from_mean, from_group) = (value - mean, value - group_mean);
            let left = total - n / (n - 1.0) * from_mean * from_mean;
            let within = match gram.n() {
                1 => squares.within,
                _ => squares.within - size / (size - 1.0) * from_group * from_group,
            };
            let without = if left > 1e-9 * total {
                1.0 - (within / left).clamp(0.0, 1.0)
            } else {
                0.0
            };
            changes[*case_idx] = (without - eta).abs();
        }
    }
    let case_idx = ground.most_changed(&changes)?;
    let row = [response.values[case_idx]];
    let left: Vec<Gram> = groups
        .cases
        .iter()
        .zip(&groups.grams)
        .map(|(cases, gram)| {
            if cases.contains(&case_idx) {
                gram.without(&row)
            } else {
                gram.clone()
            }
        })
        .filter(|gram| gram.n() > 0)
        .collect();
    Some(Influence {
        row: ground.key(case_idx),
        quantity: "etaSquared".to_owned(),
        without: Squares::of(&left)
            .and_then(|left| left.eta_squared())
            .and_then(number),
    })
}

/// Materially changed: without the row the F test comes out differently at the request's level, or eta squared moves by
/// a tenth of itself.
fn left_out(influence: &Influence, squares: &Squares, level: f64) -> Sensitivity {
    let tail = |eta: f64| {
        let (between, within) = (squares.between_degrees, squares.within_degrees);
        let f = eta / (1.0 - eta) * within as f64 / between as f64;
        if f.is_finite() {
            beta::f_tail(f, between, within)
        } else {
            0.0
        }
    };
    let eta = squares.eta_squared().unwrap_or(0.0);
    let changed = influence.without.is_none_or(|without| {
        let without = without.get();
        (without - eta).abs() > 0.1 * eta || (tail(without) < 1.0 - level) != (tail(eta) < 1.0 - level)
    });
    let found = influence
        .without
        .map_or_else(|| "none".to_owned(), |value| value.to_string());
    Sensitivity {
        factor: "leave out one row; material when eta squared moves by a tenth or the F test comes out differently".to_owned(),
        tested_values: vec![format!("without {}: eta squared is {found}", influence.row)],
        materially_changed: changed,
    }
}

/// Whether a column can name groups.
pub(super) fn names_groups(column: &Column) -> bool {
    column.kind() == ColumnKind::Categorical
}
