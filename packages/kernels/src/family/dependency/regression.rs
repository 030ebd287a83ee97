//! Linear regression of one column on the others: the fit of [`super::fit`] with intervals, tests and influence.

use dataset::{Column, Unit};

use super::checks::{self, Checked};
use super::correlation::{influential, no_row_decides};
use super::fit::{self, Estimated, Fit, NoFit};
use super::ground::{Ground, Numbers, has_sums, lossy, normality_limitation, number, test};
use crate::beta;
use crate::error::KernelError;
use crate::gram::Gram;
use crate::limitation::{Limitation, LimitationCode};
use crate::receipt::{self, Claim, Method, SATISFIED, VIOLATED, assumption, joined, listed};
use crate::student;
use crate::summary::count;
use crate::wire::v1::{Coefficient, Influence, Receipt, Regression, Sensitivity, Uncertainty};

/// Condition numbers and variance inflation factors from here on are disclosed as collinear (D. A. Belsley, E. Kuh,
/// R. E. Welsch, Regression Diagnostics (1980); the factor of ten is the usual rule).
const CONDITION_LIMIT: f64 = 30.0;
const INFLATION_LIMIT: f64 = 10.0;

const INTERVAL: &str = "student-t";

pub(super) struct Answer {
    pub(super) record: Regression,
    pub(super) receipt: Receipt,
    pub(super) limitations: Vec<Limitation>,
}

pub(super) fn regress(
    ground: &Ground<'_>,
    predictors: &[&Numbers<'_>],
    response: &Numbers<'_>,
    method: &Method<'_>,
) -> Result<Answer, KernelError> {
    let all: Vec<&Numbers<'_>> = predictors.iter().copied().chain([response]).collect();
    for numbers in &all {
        if !has_sums(numbers.column) {
            return Err(KernelError::ScaleUnsupported {
                column: numbers.name().to_owned(),
                scale: numbers.column.model().scale(),
                family: "dependency",
                needed: "a scale on which sums have a meaning, for a regression",
            });
        }
    }
    if response.is_constant() {
        return Err(KernelError::Undetermined {
            family: "dependency",
            columns: vec![response.name().to_owned()],
            problem: "all its values are equal, so there is nothing to explain".to_owned(),
        });
    }
    let values: Vec<Vec<f64>> = all.iter().map(|numbers| numbers.values.clone()).collect();
    let gram = Gram::of_columns(&values);
    let fit = fit::fit(&gram, predictors.len()).map_err(|why| refused(ground, predictors, &all, &why))?;

    let columns: Vec<&Column> = all.iter().map(|numbers| numbers.column).collect();
    let names: Vec<&str> = predictors.iter().map(|numbers| numbers.name()).collect();
    let slices: Vec<&[f64]> = values[..predictors.len()].iter().map(Vec::as_slice).collect();
    let residuals = fit.residuals(&slices, &response.values);
    let independent = ground.dependence(&columns).is_none();

    let mut limitations = ground.limitations(&columns);
    limitations.extend(all.iter().filter_map(|numbers| lossy(numbers)));
    limitations.extend(collinear(&fit, &names));
    let normal = Checked::judge(
        checks::jarque_bera(&residuals),
        "the residuals are normally distributed",
        "the Jarque-Bera test of the residuals",
        "needs 20 rows and residuals that vary",
    );
    limitations.extend(normality_limitation(&normal));
    let spread = Checked::judge(
        koenker(&values[..predictors.len()], &residuals),
        "the residuals spread alike everywhere",
        "Koenker's test of the squared residuals",
        "the squared residuals have no fit by the predictors",
    );
    if spread.status == VIOLATED {
        let text = "the residuals spread differently along the predictors, so intervals and p values are off";
        limitations.push(Limitation::new(LimitationCode::UnequalVariances, text));
    }
    let straight = Checked::judge(
        reset(&values, &fit),
        "the response follows the predictors in straight lines",
        "Ramsey's test with the squared fit",
        "the squared fit is a combination of the predictors, or rows are too few",
    );
    if straight.status == VIOLATED {
        let text = "a test objects to straight lines, so a slope says little about parts of the range";
        limitations.push(Limitation::new(LimitationCode::CurvedRelation, text));
    }
    let changes = fit.changes(&slices, &residuals);
    let influence = influence(ground, &gram, &values, &fit, &changes);
    let left_out = influence
        .as_ref()
        .map(|(influence, slope_idx)| left_out(influence, &fit.slopes[*slope_idx]));
    limitations.extend(influential(left_out.as_ref()));
    let condition = if collinear(&fit, &names).is_some() {
        VIOLATED
    } else {
        SATISFIED
    };
    let mut assumptions = vec![straight, normal, spread];
    assumptions.push(assumption(
        "no predictor is nearly a combination of the others",
        condition,
        format!(
            "condition number {:.1} of the standardized predictors, greatest variance inflation factor {:.1}; {} and {} are the limits",
            fit.condition, fit.inflation.0, CONDITION_LIMIT, INFLATION_LIMIT
        ),
    ));
    assumptions.push(ground.independence(&columns));
    assumptions.push(no_row_decides(
        left_out.as_ref(),
        "the fit needs every row there is",
    ));

    let record = record(ground, &fit, &names, response, independent, influence);
    let main = record.slopes.first();
    let estimand = format!(
        "slopes of {}{} by {}, each with the others held, and intercept, by least squares over the rows of dataset {} \
         that have every value of the request; each slope in the unit of {} for one unit of its predictor{}; the stated \
         uncertainty is that of the first slope",
        response.name(),
        unit_note(response.column),
        listed(&names),
        ground.dataset.name(),
        response.name(),
        slope_units(predictors, response.column),
    );
    let receipt = receipt::issue(
        ground.dataset,
        Claim {
            id: format!(
                "dependency:regression:{}~{}",
                joined(&[response.name()]),
                joined(&names)
            ),
            estimand,
            columns: &columns,
            n_rows: ground.dataset.n_rows(),
            n_used: ground.rows.len(),
            geometry: None,
            assumptions,
            uncertainty: main.filter(|_| independent).map(|slope| Uncertainty {
                method: INTERVAL.to_owned(),
                lower: slope.interval.as_ref().map(|interval| interval.lower),
                upper: slope.interval.as_ref().map(|interval| interval.upper),
                standard_error: Some(slope.standard_error),
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

fn refused(
    ground: &Ground<'_>,
    predictors: &[&Numbers<'_>],
    all: &[&Numbers<'_>],
    why: &NoFit,
) -> KernelError {
    let columns = all.iter().map(|numbers| numbers.name().to_owned()).collect();
    let undetermined = |problem: String| KernelError::Undetermined {
        family: "dependency",
        columns,
        problem,
    };
    match why {
        NoFit::Dependent(idx) if predictors[*idx].is_constant() => undetermined(format!(
            "all values of {} are equal, so it has no slope",
            predictors[*idx].name()
        )),
        NoFit::Dependent(idx) => undetermined(format!(
            "{} is exactly a combination of the predictors before it, so its slope is not determined",
            predictors[*idx].name()
        )),
        NoFit::TooFewRows => KernelError::TooFew {
            family: "dependency",
            what: "complete rows",
            found: ground.rows.len(),
            needed: predictors.len() + 2,
            columns: all.iter().map(|numbers| numbers.name().to_owned()).collect(),
        },
        NoFit::OutOfRange => {
            undetermined("the values range over more magnitudes than doubles can answer".to_owned())
        }
    }
}

fn record(
    ground: &Ground<'_>,
    fit: &Fit,
    names: &[&str],
    response: &Numbers<'_>,
    independent: bool,
    influence: Option<(Influence, usize)>,
) -> Regression {
    let degrees = fit.residual_degrees;
    let t = student::two_sided_quantile(ground.level, degrees);
    let coefficient = |term: &str, estimated: &Estimated| {
        let Estimated {
            value,
            standard_error,
        } = *estimated;
        let half = t * standard_error;
        let statistic = value / standard_error;
        Coefficient {
            term: term.to_owned(),
            estimate: number(value).expect("a fit holds finite numbers"),
            standard_error: number(standard_error).expect("a fit holds finite numbers"),
            interval: ground
                .interval(value - half, value + half, INTERVAL)
                .filter(|_| independent),
            test: (independent && standard_error > 0.0)
                .then(|| {
                    test(
                        "student-t",
                        statistic,
                        &[degrees],
                        student::outside(statistic.abs(), degrees),
                    )
                })
                .flatten(),
        }
    };
    let n_slopes = fit.slopes.len() as u64;
    Regression {
        response: response.name().to_owned(),
        intercept: coefficient("intercept", &fit.intercept),
        slopes: names
            .iter()
            .zip(&fit.slopes)
            .map(|(name, slope)| coefficient(name, slope))
            .collect(),
        residual_standard_deviation: number(fit.residual_deviation).expect("a fit holds finite numbers"),
        residual_degrees: count(degrees as usize),
        r_squared: number(fit.r_squared).expect("a fit holds finite numbers"),
        test: fit
            .f
            .filter(|_| independent)
            .and_then(|f| test("f", f, &[n_slopes, degrees], beta::f_tail(f, n_slopes, degrees))),
        condition_number: number(fit.condition).expect("a fit holds finite numbers"),
        influence: influence.map(|(influence, _)| influence),
    }
}

fn collinear(fit: &Fit, names: &[&str]) -> Option<Limitation> {
    let (factor, idx) = fit.inflation;
    if fit.condition < CONDITION_LIMIT && factor < INFLATION_LIMIT {
        return None;
    }
    let text = format!(
        "predictors nearly determine each other (condition number {:.1}, the variance of the slope of {} is {factor:.1} \
         times what it were alone), so what each adds is badly determined",
        fit.condition, names[idx]
    );
    Some(Limitation::new(LimitationCode::Collinear, text))
}

/// The row without which a slope moves most in standard errors, and that slope from exact sums without the row.
fn influence(
    ground: &Ground<'_>,
    gram: &Gram,
    values: &[Vec<f64>],
    fit: &Fit,
    changes: &[(f64, usize)],
) -> Option<(Influence, usize)> {
    if fit.residual_degrees < 2 || fit.residual_deviation == 0.0 {
        return None;
    }
    let sizes: Vec<f64> = changes.iter().map(|(size, _)| *size).collect();
    let case_idx = ground.most_changed(&sizes)?;
    let slope_idx = changes[case_idx].1;
    let row: Vec<f64> = values.iter().map(|column| column[case_idx]).collect();
    let without = fit::fit(&gram.without(&row), fit.slopes.len()).ok();
    let influence = Influence {
        row: ground.key(case_idx),
        quantity: format!("slope:{}", slope_idx + 1),
        without: without.and_then(|without| number(without.slopes[slope_idx].value)),
    };
    Some((influence, slope_idx))
}

/// Materially changed: without the row the slope changes sign or moves by more than its standard error.
fn left_out(influence: &Influence, slope: &Estimated) -> Sensitivity {
    let changed = influence.without.is_none_or(|without| {
        without.get().signum() != slope.value.signum()
            || (without.get() - slope.value).abs() > slope.standard_error
    });
    let found = influence
        .without
        .map_or_else(|| "no fit".to_owned(), |value| value.to_string());
    Sensitivity {
        factor:
            "leave out one row; material when a slope changes sign or moves by more than its standard error"
                .to_owned(),
        tested_values: vec![format!(
            "without {}: {} is {found}",
            influence.row, influence.quantity
        )],
        materially_changed: changed,
    }
}

/// Koenker's test: whether the predictors explain the squared residuals.
pub(crate) fn koenker(predictors: &[Vec<f64>], residuals: &[f64]) -> Option<Checked> {
    let mut columns = predictors.to_vec();
    columns.push(residuals.iter().map(|residual| residual * residual).collect());
    if columns.last()?.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let fit = fit::fit(&Gram::of_columns(&columns), predictors.len()).ok()?;
    let (statistic, n_slopes) = (fit.f?, predictors.len() as u64);
    let tail = beta::f_tail(statistic, n_slopes, fit.residual_degrees);
    Some(Checked { statistic, tail })
}

/// Ramsey's test: whether the squared fit explains anything more.
pub(crate) fn reset(values: &[Vec<f64>], fit: &Fit) -> Option<Checked> {
    let (response, predictors) = values.split_last()?;
    let slices: Vec<&[f64]> = predictors.iter().map(Vec::as_slice).collect();
    let squared = fit
        .about_mean(&slices, response.len())
        .into_iter()
        .map(|fitted| fitted * fitted);
    let mut columns = predictors.to_vec();
    columns.push(squared.collect());
    if columns.last()?.iter().any(|value| !value.is_finite()) {
        return None;
    }
    columns.push(response.clone());
    let wider = fit::fit(&Gram::of_columns(&columns), predictors.len() + 1).ok()?;
    let added = wider.slopes.last()?;
    if added.standard_error == 0.0 {
        return None;
    }
    let statistic = (added.value / added.standard_error) * (added.value / added.standard_error);
    let tail = beta::f_tail(statistic, 1, wider.residual_degrees);
    statistic.is_finite().then_some(Checked { statistic, tail })
}

fn unit_note(column: &Column) -> String {
    column
        .model()
        .unit()
        .map_or_else(String::new, |unit| format!(" ({})", unit.text()))
}

fn slope_units(predictors: &[&Numbers<'_>], response: &Column) -> String {
    let known: Vec<String> = predictors
        .iter()
        .filter_map(|numbers| {
            let (unit, _) = quotient(response.model().unit(), numbers.column.model().unit())?;
            Some(format!("{unit} for {}", numbers.name()))
        })
        .collect();
    if known.is_empty() {
        String::new()
    } else {
        format!(" ({})", known.join(", "))
    }
}

/// The unit of a quotient of two columns and its standing: the weaker of both. Nothing when one is unknown.
pub(crate) fn quotient(above: Option<&Unit>, below: Option<&Unit>) -> Option<(String, String)> {
    let (above, below) = (above?, below?);
    let plain = below
        .text()
        .chars()
        .all(|letter| letter.is_alphanumeric() || "%[]_".contains(letter));
    let divisor = if plain {
        below.text().to_owned()
    } else {
        format!("({})", below.text())
    };
    let weaker = above.status().min(below.status());
    Some((format!("{}/{divisor}", above.text()), weaker.word().to_owned()))
}
