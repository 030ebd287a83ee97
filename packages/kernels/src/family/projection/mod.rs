//! `projection`: principal components of NUMERIC columns: explained variance, loadings, scores.
//!
//! K. Pearson, Philosophical Magazine 2 (1901) 559; H. Hotelling, Journal of Educational Psychology 24 (1933) 417. The
//! components of the covariance where all columns have one unit, else of the correlation, unless it is stated. Matrix and
//! intervals are made by [`variance`], eigenvalues by [`jacobi`]; all of it over the complete cases in the order of their
//! values, so neither the order of rows nor threads show. The sign of a component is a convention: its loading of the
//! greatest magnitude is positive, of loadings alike to nine digits the first. Where the gap between two eigenvalues is
//! less than twice its standard error, their directions are said not to be determined against each other (G. R. North
//! and others, Monthly Weather Review 110 (1982) 699, whose rule of thumb takes the error for normal values).
//!
//! Time O(n·d² + d³), memory O(n·d). The sums of products that a covariance needs are mergeable once means are known;
//! here they are taken in one order. Scores need the components first.

mod claim;
mod jacobi;
mod variance;

use dataset::{Dataset, Scale};
use identity::Finite;

use self::jacobi::Eigen;
use self::variance::Influence;
use super::space::Space;
use super::{Family, Parts};
use crate::compensated::sum;
use crate::error::KernelError;
use crate::leaf::{Columns, LeafColumn, LeafValues};
use crate::output::{Filled, Measure, Output, Shape, Slot};
use crate::settings::Settings;
use crate::student;
use crate::summary::{count, declared_dependent, finite};
use crate::wire::v1::{Component, Content, Interval, ProjectionContent, ProjectionRequest, Standardize};

const WORD: &str = "projection";

/// The producer of what is said about all components.
const COMPONENTS: &str = "components";

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: WORD,
    answers: "principal components of NUMERIC columns: explained variance, loadings, scores",
    consumer: "nemosyne:consumer/forma-projection/v1",
    receipts: "projection:<a>,<b>,…",
    needs_columns: true,
    has_leaf: true,
    further_leaves: 0,
    producers: &["component:<number>", COMPONENTS],
    paths: &[
        "explainedRatio",
        "loadings",
        "orthogonalityResidual",
        "reconstructionResidual",
        "rowKeys",
        "rowsExcluded",
        "rowsUsed",
        "scores",
        "totalRows",
        "totalVariance",
        "variance",
        "varianceInterval",
        "varianceRatio",
        "varianceRatioInterval",
    ],
};

/// The name of the intervals' method.
const INTERVAL_METHOD: &str = "infinitesimal-jackknife";
/// Residuals from here on would mean that the numbers are wrong.
const RESIDUAL_LIMIT: f64 = 1e-12;
/// Eigenvalues below so many times the greatest, times the columns, are rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

pub(crate) fn request(
    columns: Vec<String>,
    settings: &mut Settings<'_>,
) -> Result<ProjectionRequest, KernelError> {
    let level = Finite::new(0.95).expect("the constants of this module are finite");
    let request = ProjectionRequest {
        components: settings
            .natural("components")?
            .unwrap_or(count(columns.len().min(3))),
        columns,
        standardize: super::cluster::standardize(settings)?,
        level: settings.number("level")?.unwrap_or(level),
    };
    check(&request)?;
    Ok(request)
}

fn check(request: &ProjectionRequest) -> Result<(), KernelError> {
    let (n_told, n_columns) = (request.components.get(), request.columns.len());
    if n_columns == 1 {
        return Err(KernelError::ColumnCount {
            family: WORD,
            needed: "two columns or more",
            found: 1,
        });
    }
    if n_columns > 0 && !(1..=n_columns as i64).contains(&n_told) {
        return Err(KernelError::Setting {
            family: WORD,
            setting: "components".to_owned(),
            problem: format!("must be from 1 to the number of columns, {n_columns}, not {n_told}"),
        });
    }
    if !(request.level.get() > 0.0 && request.level.get() < 1.0) {
        return Err(KernelError::ConfidenceLevel {
            found: request.level.get(),
        });
    }
    Ok(())
}

pub(crate) fn slots(request: &ProjectionRequest) -> Vec<Slot> {
    use Shape::{Interval, Number, Vector};
    let of_one = |number: i64| {
        let told = [
            ("variance", Number),
            ("varianceInterval", Interval),
            ("varianceRatio", Number),
            ("varianceRatioInterval", Interval),
            ("loadings", Vector),
            ("scores", Vector),
        ];
        told.map(|(path, shape)| Slot::derived(format!("component:{number}"), path, shape))
    };
    let whole = [
        "totalVariance",
        "explainedRatio",
        "orthogonalityResidual",
        "reconstructionResidual",
        "rowsUsed",
        "rowsExcluded",
        "totalRows",
    ];
    (1..=request.components.get())
        .flat_map(of_one)
        .chain(whole.map(|path| Slot::derived(COMPONENTS, path, Number)))
        .chain([Slot::observed(COMPONENTS, "rowKeys", Vector)])
        .collect()
}

/// What was found, all components of it.
struct Found {
    eigen: Eigen,
    total: f64,
    influence: Influence,
    /// Components without variance come from here on.
    n_positive: usize,
    orthogonality: f64,
    reconstruction: f64,
    /// Scores on the told components, by place.
    scores: Vec<Vec<f64>>,
}

pub(crate) fn answer(dataset: &Dataset, request: &ProjectionRequest) -> Result<Parts, KernelError> {
    check(request)?;
    let space = Space::of(dataset, &request.columns, WORD, request.standardize, 3)?;
    let n_told = usize::try_from(request.components.get()).unwrap_or(0);
    let found = find(&space, n_told)?;
    let level = request.level;
    let is_dependent = space
        .columns
        .iter()
        .any(|column| declared_dependent(column.model().observation_structure()));
    let components: Option<Vec<Component>> = (0..n_told)
        .map(|idx| component(&space, &found, idx, (!is_dependent).then_some(level)))
        .collect();
    let beyond = || space.undetermined("variances exceed the range of doubles".to_owned());
    let components = components.ok_or_else(beyond)?;
    let leaf = leaf(dataset, &space, &found)?;
    let told: f64 = sum(found.eigen.values[..n_told].iter().copied());
    let numbers = |values: &[f64]| -> Option<Vec<Finite>> { values.iter().map(|x| finite(*x)).collect() };
    let (Some(means), Some(deviations), Some(total_variance)) = (
        numbers(&space.means),
        numbers(&space.deviations),
        finite(found.total),
    ) else {
        return Err(beyond());
    };
    let small = |x: f64| finite(x + 0.0).expect("a residual below its limit and a share are finite");
    let content = ProjectionContent {
        columns: space.names(),
        standardize: space.standardize,
        total_rows: count(space.n_rows),
        rows_used: count(space.n()),
        excluded: space.excluded.clone(),
        means,
        standard_deviations: (space.standardize == Standardize::Zscore).then_some(deviations),
        components,
        total_variance,
        explained_ratio: small((told / found.total).clamp(0.0, 1.0)),
        orthogonality_residual: small(found.orthogonality),
        reconstruction_residual: small(found.reconstruction),
        leaf: leaf.digest(),
    };
    let outputs = slots(request)
        .into_iter()
        .map(|slot| output(&space, &content, slot))
        .collect();
    let told = claim::of(dataset, &space, request, &found, &content);
    Ok(Parts {
        content: Content::Projection(content),
        leaf: Some(leaf),
        further_leaves: Vec::new(),
        outputs,
        receipts: vec![told.receipt],
        provenance: told.provenance,
        limitations: told.limitations,
    })
}

fn find(space: &Space<'_>, n_told: usize) -> Result<Found, KernelError> {
    let deviations = variance::deviations(space, space.standardize);
    let matrix = variance::matrix(space, &deviations, space.standardize);
    if !matrix.at.iter().all(|x| x.is_finite()) || matrix.greatest() == 0.0 {
        return Err(space.undetermined("its variances exceed the range of doubles".to_owned()));
    }
    let eigen = jacobi::eigen(&matrix);
    let (orthogonality, reconstruction) = (eigen.orthogonality(), eigen.reconstruction(&matrix));
    if orthogonality.max(reconstruction) >= RESIDUAL_LIMIT || orthogonality.is_nan() {
        return Err(space.undetermined("the rotations did not settle".to_owned()));
    }
    let total = sum((0..matrix.n).map(|idx| matrix.get(idx, idx)));
    let floor = ROUNDING * matrix.n as f64 * eigen.values[0];
    let n_positive = eigen.values.iter().take_while(|value| **value > floor).count();
    // One more than is told, for the gap to it.
    let n_scored = (n_told + 1).min(matrix.n);
    let mut scores: Vec<Vec<f64>> = eigen.vectors[..n_scored]
        .iter()
        .map(|direction| variance::scores(&deviations, direction))
        .collect();
    let influence = Influence::of(&deviations, &eigen, &scores, space.standardize, total);
    scores.truncate(n_told);
    Ok(Found {
        eigen,
        total,
        influence,
        n_positive,
        orthogonality,
        reconstruction,
        scores,
    })
}

/// Interval of a quantity on a scale where it has no bounds, moved back.
fn interval(level: Finite, lower: f64, upper: f64) -> Option<Interval> {
    Some(Interval {
        lower: finite(lower)?,
        upper: finite(upper)?,
        level,
        method: INTERVAL_METHOD.to_owned(),
    })
}

fn component(space: &Space<'_>, found: &Found, idx: usize, level: Option<Finite>) -> Option<Component> {
    let value = if idx < found.n_positive {
        found.eigen.values[idx]
    } else {
        0.0
    };
    let ratio = (value / found.total).clamp(0.0, 1.0);
    let (mut of_variance, mut of_ratio) = (None, None);
    if let Some(level) = level.filter(|_| idx < found.n_positive) {
        let t = student::two_sided_quantile(level.get(), space.n() as u64 - 1);
        let width = t * found.influence.of_variance(idx) / value;
        of_variance = interval(level, value * libm::exp(-width), value * libm::exp(width));
        let width = t * found.influence.of_ratio(idx, ratio, found.total) / (ratio * (1.0 - ratio));
        // A share of one has no logit.
        if width.is_finite() {
            let odds = ratio / (1.0 - ratio);
            let share = |odds: f64| odds / (1.0 + odds);
            let (lower, upper) = (odds * libm::exp(-width), odds * libm::exp(width));
            of_ratio = upper
                .is_finite()
                .then_some(())
                .and_then(|()| interval(level, share(lower), share(upper)));
        }
    }
    Some(Component {
        label: format!("pc{}", idx + 1),
        variance: finite(value)?,
        variance_interval: of_variance,
        variance_ratio: finite(ratio)?,
        variance_ratio_interval: of_ratio,
        loadings: found.eigen.vectors[idx]
            .iter()
            .map(|x| finite(*x))
            .collect::<Option<_>>()?,
    })
}

fn leaf(dataset: &Dataset, space: &Space<'_>, found: &Found) -> Result<Columns, KernelError> {
    let (row_keys, places) = space.keyed(dataset)?;
    let column = |(idx, scores): (usize, &Vec<f64>)| {
        let values = places.iter().map(|place| scores[*place]).collect();
        LeafColumn::new(format!("pc{}", idx + 1), LeafValues::Numbers(values))
    };
    Ok(Columns::new(
        row_keys,
        found.scores.iter().enumerate().map(column).collect(),
    )?)
}

/// How much the scores on the first component are those of the other standardization: the magnitude of their
/// correlation; `None` when the other has no components.
fn first_correlation(space: &Space<'_>, found: &Found) -> Option<f64> {
    let other = match space.standardize {
        Standardize::None => Standardize::Zscore,
        Standardize::Zscore => Standardize::None,
    };
    let deviations = variance::deviations(space, other);
    let matrix = variance::matrix(space, &deviations, other);
    if !matrix.at.iter().all(|x| x.is_finite()) || matrix.greatest() == 0.0 {
        return None;
    }
    let others = variance::scores(&deviations, &jacobi::eigen(&matrix).vectors[0]);
    let ours = &found.scores[0];
    let products = |a: &[f64], b: &[f64]| sum(a.iter().zip(b).map(|(x, y)| x * y));
    let correlation =
        products(ours, &others) / (products(ours, ours).sqrt() * products(&others, &others).sqrt());
    correlation.is_finite().then(|| correlation.abs().min(1.0))
}

fn output(space: &Space<'_>, content: &ProjectionContent, slot: Slot) -> Output {
    let bare = |scale| Measure::bare(slot.path.as_str(), scale);
    let square = space
        .unit()
        .map(|(unit, standing)| (format!("({unit})²"), standing));
    let told = slot
        .producer
        .strip_prefix("component:")
        .and_then(|number| number.parse::<usize>().ok());
    let component = told.and_then(|number| content.components.get(number.checked_sub(1)?));
    let labeled = |scale| match component {
        Some(component) => bare(scale).labeled(format!("{} {}", component.label, slot.path)),
        None => bare(scale),
    };
    let of_interval = |interval: Option<&Interval>| match interval {
        Some(interval) => Filled::Interval(interval.lower, interval.upper),
        None => Filled::Absent("the limitations say why"),
    };
    let (measure, filled) = match (slot.path.as_str(), component) {
        ("variance", Some(one)) => (
            labeled(Scale::Ratio).in_unit(square),
            Filled::Number(one.variance),
        ),
        ("varianceInterval", Some(one)) => {
            let filled = of_interval(one.variance_interval.as_ref());
            (labeled(Scale::Ratio).in_unit(square), filled)
        }
        ("varianceRatio", Some(one)) => (labeled(Scale::Ratio), Filled::Number(one.variance_ratio)),
        ("varianceRatioInterval", Some(one)) => (
            labeled(Scale::Ratio),
            of_interval(one.variance_ratio_interval.as_ref()),
        ),
        ("loadings", _) => (labeled(Scale::Interval), Filled::InContent),
        ("scores", _) => (labeled(Scale::Interval).in_unit(space.unit()), Filled::InLeaf),
        ("totalVariance", _) => (
            bare(Scale::Ratio).in_unit(square),
            Filled::Number(content.total_variance),
        ),
        ("explainedRatio", _) => (bare(Scale::Ratio), Filled::Number(content.explained_ratio)),
        ("orthogonalityResidual", _) => (bare(Scale::Ratio), Filled::Number(content.orthogonality_residual)),
        ("reconstructionResidual", _) => (
            bare(Scale::Ratio),
            Filled::Number(content.reconstruction_residual),
        ),
        ("rowsUsed", _) => (bare(Scale::Count), Filled::count(content.rows_used)),
        ("rowsExcluded", _) => {
            let n_excluded = count(space.n_rows - space.n());
            (bare(Scale::Count), Filled::count(n_excluded))
        }
        ("totalRows", _) => (bare(Scale::Count), Filled::count(content.total_rows)),
        _ => (Measure::bare("row keys", Scale::Identifier), Filled::InLeaf),
    };
    Output::new(slot, measure, filled)
}

/// Which told components have a variance too near the next one's for their directions to be told apart.
fn undirected(found: &Found, n_told: usize) -> Vec<usize> {
    let is_near = |idx: &usize| {
        idx + 1 < found.n_positive
            && found.eigen.values[*idx] - found.eigen.values[idx + 1] < 2.0 * found.influence.of_gap(*idx)
    };
    (0..n_told.min(found.eigen.values.len().saturating_sub(1)))
        .filter(is_near)
        .collect()
}
