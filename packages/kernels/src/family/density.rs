//! `density`: how densely the cells of two or three NUMERIC columns are filled, over complete cases.
//!
//! Each axis is cut by a rule ([`crate::binning`]) over the values of the rows that enter, so a row without a value on one
//! axis stretches none. The leaf holds the cells with at least one row, in the order of the axes: of each axis `A` the
//! center `center:A` and the edges `A.lower` and `A.upper`, then counts, densities and intervals of shares. Everything
//! rests on counts and extremes, so the order of the rows cannot matter.
//!
//! Mergeable: [`cells`], once the edges are known. Takes time in proportion to the rows; memory for the rows' values
//! and for one count a cell, occupied or not.

mod cells;

use dataset::{Column, ColumnKind, Dataset, Scale};

use self::cells::{counts_of, fullest, is_apart, key, place};
use super::distribution::{check_rule, level, parsed_rule, rule_text, wrong_rule};
use super::{Family, Parts, resolve, unit_inferred};
use crate::analysis::Provenance;
use crate::binning::{self, Axis, Spread};
use crate::cases::{Cases, MISSING};
use crate::error::KernelError;
use crate::leaf::{Columns, LeafColumn, LeafValues, RowKeys};
use crate::limitation::{Limitation, LimitationCode, counted};
use crate::output::{Filled, Measure, Output, Shape, Slot, column_producer};
use crate::receipt::{self, Claim, Method};
use crate::settings::Settings;
use crate::shape::Survey;
use crate::summary::{self, count, declared_dependent, finite};
use crate::wilson::{self, Wilson};
use crate::wire::v1::density::DensityAxis;
use crate::wire::v1::distribution::BinRule;
use crate::wire::v1::{Content, DensityContent, DensityRequest, Sensitivity, Uncertainty};

const METHOD: &str = "density/binned-counts";
const METHOD_VERSION: &str = "1.0.0";
/// The most bins of an axis, of two and of three: about a million cells.
const MAX_BINS: [usize; 2] = [1024, 100];
/// The producer of what is said about the cells.
const CELLS: &str = "cells";

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "density",
    answers: "how densely the cells of two or three NUMERIC columns are filled",
    consumer: "nemosyne:consumer/forma-density/v1",
    receipts: "density:<a>,<b>,…",
    needs_columns: true,
    has_leaf: true,
    further_leaves: 0,
    producers: &[CELLS, "column:<name>"],
    paths: &[
        "binWidth",
        "bins",
        "counts",
        "densities",
        "edges",
        "fullestCell",
        "marginalCounts",
        "occupiedCells",
        "rowKeys",
        "rowsExcluded",
        "rowsUsed",
        "shareIntervals",
        "totalRows",
    ],
};

pub(crate) fn request(
    columns: Vec<String>,
    settings: &mut Settings<'_>,
) -> Result<DensityRequest, KernelError> {
    let bins = match settings.text("bins") {
        None => vec![BinRule::Scott {}; columns.len()],
        Some(text) => {
            let rules: Option<Vec<BinRule>> = text.split(',').map(|part| parsed_rule(part.trim())).collect();
            match rules.ok_or_else(|| wrong_rule(settings, text))?.as_slice() {
                [rule] => vec![*rule; columns.len()],
                rules if rules.len() == columns.len() => rules.to_vec(),
                rules => {
                    let problem = format!("must be one for all axes or one each, not {}", rules.len());
                    return Err(settings.wrong("bins", problem));
                }
            }
        }
    };
    Ok(DensityRequest {
        columns,
        bins,
        confidence_level: level(settings)?,
    })
}

pub(crate) fn slots(request: &DensityRequest) -> Vec<Slot> {
    let whole = |path: &'static str, shape| Slot::derived(CELLS, path, shape);
    let of_axis = |column: &String| {
        let slot = |path: &'static str, shape| Slot::derived(column_producer(column), path, shape);
        [
            slot("edges", Shape::Vector),
            slot("marginalCounts", Shape::Vector),
            slot("bins", Shape::Number),
            slot("binWidth", Shape::Number),
        ]
    };
    let mut slots: Vec<Slot> = request.columns.iter().flat_map(of_axis).collect();
    slots.extend(["counts", "densities", "shareIntervals"].map(|path| whole(path, Shape::Vector)));
    slots.push(whole("rowKeys", Shape::Vector));
    slots.push(whole("fullestCell", Shape::Text));
    slots.extend(
        ["occupiedCells", "rowsUsed", "rowsExcluded", "totalRows"].map(|path| whole(path, Shape::Number)),
    );
    slots
}

fn check(dataset: &Dataset, request: &DensityRequest) -> Result<usize, KernelError> {
    let n_axes = request.columns.len();
    if !(2..=3).contains(&n_axes) {
        return Err(KernelError::ColumnCount {
            family: FAMILY.word,
            needed: "two or three columns",
            found: n_axes,
        });
    }
    let level = request.confidence_level.get();
    if !(level > 0.0 && level < 1.0) {
        return Err(KernelError::ConfidenceLevel { found: level });
    }
    if request.bins.len() != n_axes {
        return Err(KernelError::Setting {
            family: FAMILY.word,
            setting: "bins".to_owned(),
            problem: format!(
                "must be one for each of {n_axes} axes, not {}",
                request.bins.len()
            ),
        });
    }
    let limit = MAX_BINS[n_axes - 2];
    for rule in &request.bins {
        check_rule(FAMILY.word, *rule, limit)?;
    }
    for column in resolve(dataset, &request.columns)? {
        if column.kind() != ColumnKind::Numeric {
            return Err(KernelError::KindUnsupported {
                column: column.name().to_owned(),
                kind: column.kind(),
                family: FAMILY.word,
                needed: "NUMERIC columns",
            });
        }
        let scale = column.model().scale();
        if matches!(scale, Scale::Identifier | Scale::Nominal) {
            return Err(KernelError::ScaleUnsupported {
                column: column.name().to_owned(),
                scale,
                family: FAMILY.word,
                needed: "scales whose neighboring values are alike",
            });
        }
    }
    Ok(limit)
}

/// What is known of each axis before it is cut.
fn spreads(values: &[Vec<f64>]) -> Vec<Spread> {
    let spread = |values: &Vec<f64>| {
        let surveyed = Survey::of_all(values);
        let (least, greatest) = surveyed.extent.unwrap_or_default();
        Spread {
            n: values.len(),
            least,
            greatest,
            interquartile_range: summary::interquartile_range(&mut values.clone()),
            deviation: surveyed.deviation_of_all(),
            whole: surveyed.whole,
        }
    };
    values.iter().map(spread).collect()
}

fn cut_all(
    spreads: &[Spread],
    rules: &[BinRule],
    limit: usize,
    names: &[String],
) -> Result<Vec<Axis>, KernelError> {
    let n_axes = spreads.len() as u32;
    let one = |((spread, rule), name): ((&Spread, &BinRule), &String)| {
        binning::cut(spread, *rule, n_axes, limit).map_err(|problem| KernelError::Setting {
            family: FAMILY.word,
            setting: "width".to_owned(),
            problem: format!("{problem} (column {name})"),
        })
    };
    spreads.iter().zip(rules).zip(names).map(one).collect()
}

/// Half and twice as many bins on every axis: does the fullest cell stay?
fn sensitivity(
    axes: &[Axis],
    counts: &[u64],
    spreads: &[Spread],
    values: &[Vec<f64>],
    rows: &[usize],
    limit: usize,
) -> Sensitivity {
    let cell = fullest(counts);
    let mut tested_values = Vec::new();
    let mut materially_changed = false;
    for by in [0.5, 2.0] {
        let others: Option<Vec<Axis>> = spreads
            .iter()
            .zip(axes)
            .map(|(spread, axis)| {
                let bins = ((axis.n_bins() as f64 * by) as usize).clamp(1, limit);
                let rule = BinRule::Number { bins: count(bins) };
                binning::cut(spread, rule, axes.len() as u32, limit).ok()
            })
            .collect();
        let Some(others) = others else { continue };
        let other = fullest(&counts_of(&others, values, rows));
        let bins: Vec<String> = others.iter().map(|axis| axis.n_bins().to_string()).collect();
        tested_values.push(format!("{} bins", bins.join(" × ")));
        materially_changed |= is_apart(axes, cell, &others, other);
    }
    Sensitivity {
        factor: "bins (changed when a fullest cell lies apart from the fullest one here)".to_owned(),
        tested_values,
        materially_changed,
    }
}

pub(crate) fn answer(dataset: &Dataset, request: &DensityRequest) -> Result<Parts, KernelError> {
    let limit = check(dataset, request)?;
    let columns = resolve(dataset, &request.columns)?;
    let cases = Cases::at_least(dataset, &columns, FAMILY.word, 1)?;
    let values: Vec<Vec<f64>> = columns.iter().map(|column| cases.numbers(column)).collect();
    let n_used = cases.rows.len();
    let rows: Vec<usize> = (0..n_used).collect();
    let spreads = spreads(&values);
    let axes = cut_all(&spreads, &request.bins, limit, &request.columns)?;
    let counts = counts_of(&axes, &values, &rows);
    let sensitivity = sensitivity(&axes, &counts, &spreads, &values, &rows, limit);
    let cells = Cells::new(
        &request.columns,
        &axes,
        &counts,
        n_used,
        request.confidence_level.get(),
    );

    let dependent = columns
        .iter()
        .find(|column| declared_dependent(column.model().observation_structure()));
    let mut limitations = limitations(dataset, &columns, &axes, &spreads, n_used);
    limitations.extend(cells.limitation());
    let mut assumptions = Vec::new();
    if let Some(column) = dependent {
        let structure = column.model().observation_structure();
        let text = format!("the rows are declared {structure}, so no interval for independent rows is given");
        limitations.push(Limitation::new(LimitationCode::IntervalNotGiven, text).about(column.name()));
    } else {
        let independence = receipt::independence(&columns);
        if independence.status != receipt::SATISFIED {
            let text = "the intervals of the shares assume independent rows, which the data can't show";
            limitations.push(Limitation::new(LimitationCode::IndependenceUntested, text));
        }
        assumptions.push(independence);
        let text = format!(
            "{} have an interval each, none widened for their number",
            counted(cells.n, "cell")
        );
        limitations.push(Limitation::new(LimitationCode::ManyComparisons, text));
    }
    let parameters = vec![
        (
            "bins".to_owned(),
            request
                .bins
                .iter()
                .map(|rule| rule_text(*rule))
                .collect::<Vec<_>>()
                .join(","),
        ),
        ("columns".to_owned(), receipt::joined(&request.columns)),
        ("confidenceLevel".to_owned(), request.confidence_level.to_string()),
        ("missingness".to_owned(), "complete-case".to_owned()),
    ];
    let method = Method {
        name: METHOD,
        version: METHOD_VERSION,
        parameters: &parameters,
    };
    let names: Vec<&str> = request.columns.iter().map(String::as_str).collect();
    let shape: Vec<String> = axes.iter().map(|axis| axis.n_bins().to_string()).collect();
    let claim = Claim {
        id: format!("density:{}", receipt::joined(&request.columns)),
        estimand: format!(
            "rows in each of {} cells of {}, and their share of the rows of dataset {} that have all of them",
            shape.join(" × "),
            receipt::listed(&names),
            dataset.name(),
        ),
        columns: &columns,
        n_rows: dataset.n_rows(),
        n_used,
        geometry: None,
        assumptions,
        uncertainty: dependent.is_none().then(|| Uncertainty {
            method: wilson::METHOD.to_owned(),
            lower: None,
            upper: None,
            standard_error: None,
        }),
        stability: None,
        sensitivity: vec![sensitivity],
        limitations: &limitations,
    };
    let receipt = receipt::issue(dataset, claim, &method);
    let fullest_cell = key(&place(&axes, fullest(&counts)));
    let leaf = cells.leaf(dependent.is_none())?;
    let content = DensityContent {
        total_rows: count(dataset.n_rows()),
        rows_used: count(n_used),
        excluded: cases.excluded.clone(),
        axes: wire_axes(&columns, &axes, &counts),
        occupied_cells: count(leaf.n_rows()),
        fullest_cell,
        leaf: leaf.digest(),
    };
    let provenance = Provenance {
        method: METHOD,
        method_version: METHOD_VERSION,
        parameters,
        seed: None,
        normalization: "none",
        missingness: "complete-case",
        sampling: "none",
        approximation: "BINNED",
        total_rows: count(dataset.n_rows()),
        rows_used: count(n_used),
        excluded: cases.excluded,
        preserves: &["counts", "joint distribution by cells", "extremes"],
        loses: &[
            "row identity",
            "differences within a cell",
            "rows without a value in every column",
        ],
    };
    let outputs = outputs(request, &columns, &content, &leaf, dependent.is_some());
    Ok(Parts {
        outputs,
        content: Content::Density(content),
        leaf: Some(leaf),
        further_leaves: Vec::new(),
        receipts: vec![receipt],
        provenance,
        limitations,
    })
}

fn limitations(
    dataset: &Dataset,
    columns: &[&Column],
    axes: &[Axis],
    spreads: &[Spread],
    n_used: usize,
) -> Vec<Limitation> {
    let mut limitations = Vec::new();
    let n_excluded = dataset.n_rows() - n_used;
    if n_excluded > 0 {
        let text = format!("{} excluded: {MISSING}", counted(n_excluded, "row"));
        limitations.push(Limitation::new(LimitationCode::RowsExcludedMissing, text));
    }
    for ((column, axis), spread) in columns.iter().zip(axes).zip(spreads) {
        let mut say = |code, text: &str| limitations.push(Limitation::new(code, text).about(column.name()));
        axis.notes
            .iter()
            .for_each(|note| say(LimitationCode::BinnedResolution, note));
        if spread.least == spread.greatest {
            say(
                LimitationCode::ConstantValues,
                "all values are equal, so the axis has one bin",
            );
        }
    }
    let text = "rows in one cell are not told apart, and another number of bins gives other cells";
    limitations.push(Limitation::new(LimitationCode::BinnedResolution, text));
    limitations.extend(unit_inferred(columns));
    limitations
}

/// The occupied cells, column by column.
struct Cells {
    n: usize,
    keys: Vec<String>,
    /// Of each axis the centers, then of each axis both edges.
    places: Vec<(String, Vec<f64>)>,
    counts: Vec<f64>,
    /// Empty when one exceeds the range of doubles.
    densities: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Cells {
    fn new(names: &[String], axes: &[Axis], counts: &[u64], n_used: usize, level: f64) -> Self {
        let occupied: Vec<usize> = (0..counts.len()).filter(|cell| counts[*cell] > 0).collect();
        let places: Vec<Vec<usize>> = occupied.iter().map(|cell| place(axes, *cell)).collect();
        let center = |axis: &Axis, bin: usize| axis.edges[bin] / 2.0 + axis.edges[bin + 1] / 2.0 + 0.0;
        let along = |idx: usize, of: &dyn Fn(usize) -> f64| places.iter().map(|bins| of(bins[idx])).collect();
        let mut placed: Vec<(String, Vec<f64>)> = Vec::with_capacity(3 * axes.len());
        for (idx, (name, axis)) in names.iter().zip(axes).enumerate() {
            placed.push((format!("center:{name}"), along(idx, &|bin| center(axis, bin))));
        }
        for (idx, (name, axis)) in names.iter().zip(axes).enumerate() {
            placed.push((format!("{name}.lower"), along(idx, &|bin| axis.edges[bin] + 0.0)));
            placed.push((
                format!("{name}.upper"),
                along(idx, &|bin| axis.edges[bin + 1] + 0.0),
            ));
        }
        let wilson = Wilson::new(n_used, level);
        let intervals: Vec<(f64, f64)> = occupied
            .iter()
            .map(|cell| wilson.interval(counts[*cell] as usize))
            .collect();
        let density = |(cell, bins): (&usize, &Vec<usize>)| {
            let share = counts[*cell] as f64 / n_used as f64;
            let widths = axes
                .iter()
                .zip(bins)
                .map(|(axis, bin)| axis.edges[bin + 1] - axis.edges[*bin]);
            widths.fold(share, |density, width| density / width)
        };
        let densities: Vec<f64> = occupied.iter().zip(&places).map(density).collect();
        let is_there = densities
            .iter()
            .all(|density| density.is_finite() && *density > 0.0);
        Self {
            n: occupied.len(),
            keys: places.iter().map(|bins| key(bins)).collect(),
            places: placed,
            counts: occupied.iter().map(|cell| counts[*cell] as f64).collect(),
            densities: if is_there { densities } else { Vec::new() },
            lower: intervals.iter().map(|(lower, _)| *lower).collect(),
            upper: intervals.iter().map(|(_, upper)| *upper).collect(),
        }
    }

    fn limitation(&self) -> Option<Limitation> {
        let text = "a density exceeds the range of doubles, so none is given; the counts are";
        self.densities
            .is_empty()
            .then(|| Limitation::new(LimitationCode::OutOfRange, text))
    }

    fn leaf(self, has_intervals: bool) -> Result<Columns, KernelError> {
        let mut columns: Vec<(String, Vec<f64>)> = self.places;
        columns.push(("count".to_owned(), self.counts));
        if !self.densities.is_empty() {
            columns.push(("density".to_owned(), self.densities));
        }
        if has_intervals {
            columns.push(("shareLower".to_owned(), self.lower));
            columns.push(("shareUpper".to_owned(), self.upper));
        }
        let columns = columns
            .into_iter()
            .map(|(name, values)| LeafColumn::new(name, LeafValues::Numbers(values)));
        Ok(Columns::new(RowKeys::Keys(self.keys), columns.collect())?)
    }
}

fn wire_axes(columns: &[&Column], axes: &[Axis], counts: &[u64]) -> Vec<DensityAxis> {
    let mut marginal: Vec<Vec<usize>> = axes.iter().map(|axis| vec![0; axis.n_bins()]).collect();
    for (cell, n) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
        for (bins, bin) in marginal.iter_mut().zip(place(axes, cell)) {
            bins[bin] += *n as usize;
        }
    }
    let axis = |((column, axis), marginal): ((&&Column, &Axis), Vec<usize>)| DensityAxis {
        column: column.name().to_owned(),
        unit: column.model().unit().map(|unit| unit.text().to_owned()),
        rule: axis.rule.to_owned(),
        width: finite(axis.width).unwrap_or_default(),
        edges: axis.edges.iter().filter_map(|edge| finite(*edge)).collect(),
        counts: marginal.into_iter().map(count).collect(),
    };
    columns.iter().zip(axes).zip(marginal).map(axis).collect()
}

fn outputs(
    request: &DensityRequest,
    columns: &[&Column],
    content: &DensityContent,
    leaf: &Columns,
    is_dependent: bool,
) -> Vec<Output> {
    let counting = |label: &str| Measure::bare(label, Scale::Count);
    let n_excluded = content.total_rows.get() - content.rows_used.get();
    let output = |slot: Slot| {
        let at = columns
            .iter()
            .position(|column| slot.producer == column_producer(column.name()));
        let (measure, filled) = match (slot.path.as_str(), at) {
            ("edges", Some(idx)) => (Measure::of(columns[idx]), Filled::InLeaf),
            ("marginalCounts", Some(idx)) => (counting(columns[idx].name()), Filled::InContent),
            ("bins", Some(idx)) => (
                counting(columns[idx].name()),
                Filled::count(count(content.axes[idx].counts.len())),
            ),
            (_, Some(idx)) => (Measure::of(columns[idx]), Filled::Number(content.axes[idx].width)),
            ("counts", None) => (Measure::counted("count"), Filled::InLeaf),
            ("rowKeys", None) => (
                Measure::bare("keys of the cells", Scale::Identifier),
                Filled::InLeaf,
            ),
            ("densities", None) => (
                Measure::bare("share of the rows by volume", Scale::Ratio),
                if leaf.number("density").is_some() {
                    Filled::InLeaf
                } else {
                    Filled::Absent("a density exceeds the range of doubles")
                },
            ),
            ("shareIntervals", None) => (
                Measure::bare("share of the rows", Scale::Proportion),
                if is_dependent {
                    Filled::Absent("the rows are declared to depend on each other")
                } else {
                    Filled::InLeaf
                },
            ),
            ("fullestCell", None) => (
                Measure::bare("fullest cell", Scale::Identifier),
                Filled::Text(content.fullest_cell.clone()),
            ),
            ("occupiedCells", None) => (counting("occupied cells"), Filled::count(content.occupied_cells)),
            ("rowsUsed", None) => (counting("rows used"), Filled::count(content.rows_used)),
            ("rowsExcluded", None) => (
                counting("rows excluded"),
                Filled::count(count(n_excluded as usize)),
            ),
            _ => (counting("rows in the dataset"), Filled::count(content.total_rows)),
        };
        Output::new(slot, measure, filled)
    };
    slots(request).into_iter().map(output).collect()
}
