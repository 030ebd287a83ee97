//! Correlations of pairs.
//!
//! - Pearson: `Sxy/√(Sxx·Syy)` with exact sums about the means, so no digits cancel and the coefficient is within three
//!   units in the last place of the true value for the doubles at hand. Interval: Fisher's z,
//!   `tanh(atanh r ± z/√(n − 3))` (R. A. Fisher, Metron 1 (1921) 3). Test: `r·√((n − 2)/(1 − r²))` is Student's t with
//!   `n − 2` degrees.
//! - Spearman: the same of ranks, equal values sharing the mean of their ranks. Interval: Fisher's z with the variance
//!   `(1 + r²/2)/(n − 3)` (D. G. Bonett, T. A. Wright, Psychometrika 65 (2000) 23). Test: as above, an approximation.
//! - Influence: the coefficient without each row, searched in doubles and, for the row that is reported, computed from
//!   exact sums again. Time is linear for Pearson; for Spearman ranks change with each row, so it takes quadratic time
//!   and is left out above [`MAX_RANKED`] rows, which the receipt says.

use super::checks::{self, Checked};
use super::ground::{Ground, Numbers, has_order, has_sums, lossy, normality_limitation, number, test};
use crate::exact::integer::Scaled;
use crate::gram::Gram;
use crate::limitation::{Limitation, LimitationCode};
use crate::receipt::{self, Claim, Method, SATISFIED, UNCHECKED, VIOLATED, assumption, joined};
use crate::student;
use crate::wire::v1::{
    Assumption, Correlation, DependencyClaim, Influence, Interval, Receipt, Sensitivity, Uncertainty,
};

pub(super) const FISHER: &str = "fisher-z";
pub(super) const BONETT_WRIGHT: &str = "bonett-wright-z";

/// The most rows for the influence on a rank correlation.
pub(super) const MAX_RANKED: usize = 2_000;

/// Below this share of the spread that is left without a row, its influence is computed exactly at once.
const LITTLE_LEFT: f64 = 1e-6;

/// A correlation with its receipt and what it can't say.
pub(super) struct Answer {
    pub(super) record: Correlation,
    pub(super) receipt: Receipt,
    pub(super) limitations: Vec<Limitation>,
}

/// The coefficient of two columns of sums.
#[derive(Clone, Copy)]
struct Estimate {
    r: f64,
    /// `1 − r²`, from an exact difference.
    rest: f64,
}

/// `None` when a column is constant.
fn estimate(gram: &Gram) -> Option<Estimate> {
    let (xx, yy, xy) = (
        gram.about_means(0, 0),
        gram.about_means(1, 1),
        gram.about_means(0, 1),
    );
    if xx.is_zero() || yy.is_zero() {
        return None;
    }
    let product = xx.times(&yy);
    let whole = product.scaled(0);
    let rest = product.minus(&xy.times(&xy)).scaled(0).over(whole);
    let r = xy.scaled(0).over(xx.scaled(0).times(yy.scaled(0)).root());
    Some(Estimate {
        r: r.get()?.clamp(-1.0, 1.0),
        rest: rest.get()?,
    })
}

pub(super) fn pearson(ground: &Ground<'_>, x: &Numbers<'_>, y: &Numbers<'_>, method: &Method<'_>) -> Answer {
    let gram = Gram::of_columns(&[x.values.clone(), y.values.clone()]);
    let meaningful = has_sums(x.column) && has_sums(y.column);
    let found = estimate(&gram).filter(|_| meaningful);
    let influence = found.and_then(|found| {
        let changes = changes(&gram, found, x, y);
        let case_idx = ground.most_changed(&changes)?;
        let without = estimate(&gram.without(&[x.values[case_idx], y.values[case_idx]]));
        Some((case_idx, without.map(|without| without.r)))
    });
    let influence = influence.filter(|_| ground.rows.len() > 3);
    let mut assumptions = vec![assumption(
        "the relation is a straight line",
        UNCHECKED,
        "not tested; the rank correlation of the pair shows a relation that bends but never turns",
    )];
    let normal = match (checks::jarque_bera(&x.values), checks::jarque_bera(&y.values)) {
        (Some(a), Some(b)) => Some(if a.tail <= b.tail { a } else { b }),
        _ => None,
    };
    let normal = Checked::judge(
        normal,
        "both columns are normally distributed",
        "the Jarque-Bera test of the column that is further from it",
        "needs 20 rows and columns that vary",
    );
    let mut limitations: Vec<Limitation> = [lossy(x), lossy(y)].into_iter().flatten().collect();
    limitations.extend(normality_limitation(&normal));
    assumptions.push(normal);
    let about = About {
        claim: DependencyClaim::Pearson,
        word: "pearson",
        quantity: "Pearson correlation",
        scale_needed: "sums have",
        interval: FISHER,
        meaningful,
    };
    finish(
        ground,
        x,
        y,
        method,
        &about,
        found,
        influence,
        assumptions,
        limitations,
    )
}

pub(super) fn spearman(ground: &Ground<'_>, x: &Numbers<'_>, y: &Numbers<'_>, method: &Method<'_>) -> Answer {
    let ranks = [doubled_ranks(&x.values), doubled_ranks(&y.values)];
    let columns = ranks
        .each_ref()
        .map(|ranks| ranks.iter().map(|rank| *rank as f64).collect());
    let meaningful = has_order(x.column) && has_order(y.column);
    let found = estimate(&Gram::of_columns(&columns)).filter(|_| meaningful);
    let n = ground.rows.len();
    let influence = found.filter(|_| n > 3 && n <= MAX_RANKED).and_then(|found| {
        let without: Vec<Option<f64>> = (0..n).map(|idx| rank_without(&ranks, idx)).collect();
        let change = |without: &Option<f64>| without.map_or(f64::INFINITY, |r| (r - found.r).abs());
        let changes: Vec<f64> = without.iter().map(change).collect();
        let case_idx = ground.most_changed(&changes)?;
        Some((case_idx, without[case_idx]))
    });
    let assumptions = vec![assumption(
        "the relation never turns",
        UNCHECKED,
        "not tested: a relation that rises and falls can have no rank correlation",
    )];
    let mut limitations = Vec::new();
    let tied: Vec<&str> = [(x, &ranks[0]), (y, &ranks[1])]
        .into_iter()
        .filter(|(_, ranks)| has_ties(ranks))
        .map(|(numbers, _)| numbers.name())
        .collect();
    if !tied.is_empty() {
        let text = "equal values share the mean of their ranks";
        limitations.push(Limitation::new(LimitationCode::TiesPresent, text).about(tied.join(", ")));
    }
    let about = About {
        claim: DependencyClaim::Spearman,
        word: "spearman",
        quantity: "Spearman rank correlation",
        scale_needed: "order has",
        interval: BONETT_WRIGHT,
        meaningful,
    };
    finish(
        ground,
        x,
        y,
        method,
        &about,
        found,
        influence,
        assumptions,
        limitations,
    )
}

struct About {
    claim: DependencyClaim,
    word: &'static str,
    quantity: &'static str,
    scale_needed: &'static str,
    interval: &'static str,
    meaningful: bool,
}

#[expect(
    clippy::too_many_arguments,
    reason = "the two correlations differ in all of these"
)]
fn finish(
    ground: &Ground<'_>,
    x: &Numbers<'_>,
    y: &Numbers<'_>,
    method: &Method<'_>,
    about: &About,
    found: Option<Estimate>,
    influence: Option<(usize, Option<f64>)>,
    mut assumptions: Vec<Assumption>,
    own: Vec<Limitation>,
) -> Answer {
    let n = ground.rows.len();
    let columns = [x.column, y.column];
    let mut limitations = ground.limitations(&columns);
    limitations.extend(own);
    if !about.meaningful {
        let text = format!(
            "no {}: {} no meaning on the scale of a column",
            about.quantity, about.scale_needed
        );
        limitations.push(Limitation::new(LimitationCode::NotMeaningfulOnScale, text));
    }
    for constant in [x, y].into_iter().filter(|numbers| numbers.is_constant()) {
        let text = "all values are equal, so nothing correlates with it";
        limitations.push(Limitation::new(LimitationCode::ConstantValues, text).about(constant.name()));
    }
    let independent = ground.dependence(&columns).is_none();
    let interval = found
        .filter(|_| independent)
        .and_then(|found| bounds(about.interval, found.r, n, ground.level))
        .and_then(|(lower, upper)| ground.interval(lower, upper, about.interval));
    if let (Some(found), None, true) = (found, &interval, independent) {
        let text = if found.r.abs() >= 1.0 {
            "the rows lie on one line, so the interval has no width and is not given"
        } else {
            "an interval needs at least 4 rows"
        };
        limitations.push(Limitation::new(LimitationCode::IntervalNotGiven, text));
    }
    let degrees = n as u64 - 2;
    let t = found
        .filter(|found| independent && degrees > 0 && found.rest > 0.0)
        .and_then(|found| {
            let statistic = found.r * (degrees as f64 / found.rest).sqrt();
            test(
                "student-t",
                statistic,
                &[degrees],
                student::outside(statistic.abs(), degrees),
            )
        });
    assumptions.push(ground.independence(&columns));
    let mut sensitivity = Vec::new();
    if let (Some(found), Some((case_idx, without))) = (found, influence) {
        let left_out = leave_one_out(&ground.key(case_idx), found.r, without, interval.as_ref());
        assumptions.push(no_row_decides(Some(&left_out), ""));
        limitations.extend(influential(Some(&left_out)));
        sensitivity.push(left_out);
        sensitivity.extend(levels(about.interval, found.r, n, ground.level).filter(|_| interval.is_some()));
    } else if found.is_some() {
        let why = format!("not computed below 4 rows, and for ranks above {MAX_RANKED} rows");
        assumptions.push(no_row_decides(None, &why));
    }
    let estimand = format!(
        "{} of {} and {} over the rows of dataset {} that have every value of the request; without unit, from -1 to 1",
        about.quantity,
        x.name(),
        y.name(),
        ground.dataset.name()
    );
    let receipt = receipt::issue(
        ground.dataset,
        Claim {
            id: format!("dependency:{}:{}", about.word, joined(&[x.name(), y.name()])),
            estimand,
            columns: &columns,
            n_rows: ground.dataset.n_rows(),
            n_used: n,
            geometry: None,
            assumptions,
            uncertainty: interval.as_ref().map(|interval| Uncertainty {
                method: about.interval.to_owned(),
                lower: Some(interval.lower),
                upper: Some(interval.upper),
                standard_error: None,
            }),
            stability: None,
            sensitivity,
            limitations: &limitations,
        },
        method,
    );
    let record = Correlation {
        claim: about.claim,
        first: x.name().to_owned(),
        second: y.name().to_owned(),
        coefficient: found.and_then(|found| number(found.r)),
        interval,
        test: t,
        influence: influence.map(|(case_idx, without)| Influence {
            row: ground.key(case_idx),
            quantity: "coefficient".to_owned(),
            without: without.and_then(number),
        }),
    };
    Answer {
        record,
        receipt,
        limitations,
    }
}

/// The interval on the scale of Fisher's z; `None` below 4 rows and for a perfect correlation.
fn bounds(method: &str, r: f64, n: usize, level: f64) -> Option<(f64, f64)> {
    if n < 4 || r.abs() >= 1.0 {
        return None;
    }
    let variance = if method == BONETT_WRIGHT {
        1.0 + r * r / 2.0
    } else {
        1.0
    };
    let half = student::normal_quantile(level) * (variance / (n - 3) as f64).sqrt();
    let z = libm::atanh(r);
    Some((libm::tanh(z - half), libm::tanh(z + half)))
}

/// Says that one row decides a result, where its leave-one-out sensitivity shows it.
pub(super) fn influential(left_out: Option<&Sensitivity>) -> Option<Limitation> {
    let left_out = left_out.filter(|left_out| left_out.materially_changed)?;
    let text = format!("one row decides: {}", left_out.tested_values.join(", "));
    Some(Limitation::new(LimitationCode::InfluentialRow, text))
}

/// That no single row decides a result, by its leave-one-out sensitivity.
pub(super) fn no_row_decides(left_out: Option<&Sensitivity>, why_unchecked: &str) -> Assumption {
    let text = "no single row decides the result";
    match left_out {
        None => assumption(text, UNCHECKED, why_unchecked),
        Some(left_out) => {
            let status = if left_out.materially_changed {
                VIOLATED
            } else {
                SATISFIED
            };
            assumption(
                text,
                status,
                format!("the greatest change, {}", left_out.tested_values.join(", ")),
            )
        }
    }
}

/// Materially changed: without the row the coefficient changes sign, leaves the interval, or does not exist.
fn leave_one_out(key: &str, r: f64, without: Option<f64>, interval: Option<&Interval>) -> Sensitivity {
    let outside = |value: f64| {
        interval.is_some_and(|interval| value < interval.lower.get() || value > interval.upper.get())
    };
    let changed = without.is_none_or(|value| value.signum() != r.signum() || outside(value));
    let text = match without.and_then(number) {
        Some(value) => format!("without {key}: {value}"),
        None => format!("without {key}: no correlation"),
    };
    Sensitivity {
        factor: "leave out one row; material when the sign changes or the coefficient leaves the interval"
            .to_owned(),
        tested_values: vec![text],
        materially_changed: changed,
    }
}

/// Materially changed: whether the interval holds zero depends on the level.
fn levels(method: &str, r: f64, n: usize, level: f64) -> Option<Sensitivity> {
    let tried = [0.9, 0.95, 0.99];
    let holds_zero =
        |level: f64| bounds(method, r, n, level).map(|(lower, upper)| lower <= 0.0 && upper >= 0.0);
    let stated = holds_zero(level)?;
    Some(Sensitivity {
        factor: "confidenceLevel; material when it decides whether the interval holds zero".to_owned(),
        tested_values: tried.iter().map(|level| format!("{level}")).collect(),
        materially_changed: tried.iter().any(|other| holds_zero(*other) != Some(stated)),
    })
}

/// How much Pearson's coefficient changes without each row: with `u = (x − x̄)/√Sxx`, `v` likewise and
/// `k = n/(n − 1)` it becomes `(r − k·u·v)/√((1 − k·u²)(1 − k·v²))`.
fn changes(gram: &Gram, found: Estimate, x: &Numbers<'_>, y: &Numbers<'_>) -> Vec<f64> {
    let n = gram.n() as f64;
    let k = n / (n - 1.0);
    let spread = |i: usize| {
        gram.about_means(i, i)
            .scaled(crate::exact::SQUARE_UNIT_EXP.into())
            .over(Scaled::new(n))
            .root()
    };
    let (x_mean, y_mean) = (gram.mean(0), gram.mean(1));
    let (x_spread, y_spread) = (spread(0), spread(1));
    let share = |value: f64, mean: f64, spread: Scaled| {
        let distance = value / 2.0 - mean / 2.0;
        Scaled::new(distance)
            .over(spread)
            .get()
            .map_or(f64::INFINITY, |share| 2.0 * share)
    };
    let change = |(x_value, y_value): (&f64, &f64)| {
        let (u, v) = (
            share(*x_value, x_mean, x_spread),
            share(*y_value, y_mean, y_spread),
        );
        let (x_left, y_left) = (1.0 - k * u * u, 1.0 - k * v * v);
        let without = if x_left > LITTLE_LEFT && y_left > LITTLE_LEFT {
            Some((found.r - k * u * v) / (x_left * y_left).sqrt())
        } else {
            estimate(&gram.without(&[*x_value, *y_value])).map(|without| without.r)
        };
        without.map_or(f64::INFINITY, |without| (without - found.r).abs())
    };
    x.values.iter().zip(&y.values).map(change).collect()
}

/// Twice the rank of each value, from 2; equal values share the mean of their ranks.
pub(crate) fn doubled_ranks(values: &[f64]) -> Vec<u64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0; values.len()];
    let mut start = 0;
    for run in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let doubled = (2 * start + run.len() + 1) as u64;
        for idx in run {
            ranks[*idx] = doubled;
        }
        start += run.len();
    }
    ranks
}

fn has_ties(ranks: &[u64]) -> bool {
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

/// Spearman's coefficient without one row: its greater ranks fall by one, its equals by a half.
fn rank_without(ranks: &[Vec<u64>; 2], out: usize) -> Option<f64> {
    let fallen = |ranks: &[u64], idx: usize| match ranks[idx].cmp(&ranks[out]) {
        std::cmp::Ordering::Less => ranks[idx] as i64,
        std::cmp::Ordering::Equal => ranks[idx] as i64 - 1,
        std::cmp::Ordering::Greater => ranks[idx] as i64 - 2,
    };
    let n = ranks[0].len();
    let (mut xx, mut yy, mut xy) = (0_i64, 0_i64, 0_i64);
    // Doubled ranks of n − 1 values have the mean n.
    let mean = n as i64;
    for idx in (0..n).filter(|idx| *idx != out) {
        let (a, b) = (fallen(&ranks[0], idx) - mean, fallen(&ranks[1], idx) - mean);
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    (xx > 0 && yy > 0).then(|| (xy as f64 / ((xx as f64).sqrt() * (yy as f64).sqrt())).clamp(-1.0, 1.0))
}
