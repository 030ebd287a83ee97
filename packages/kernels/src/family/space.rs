//! Rows as points in a space of NUMERIC columns.
//!
//! The points stand in the order of their values, column by column, and of their row keys where all values are equal.
//! What is computed from them in that order does not depend on the order of the rows in the dataset.

use std::cmp::Ordering;

use dataset::{Column, ColumnKind, Dataset, ObservationStructure, Status};

use super::resolve;
use crate::cases::Cases;
use crate::error::KernelError;
use crate::exact::Moments;
use crate::leaf::{LeafError, RowKeys};
use crate::limitation::{Limitation, LimitationCode, counted};
use crate::receipt::{self, NOT_TESTABLE, SATISFIED, UNCHECKED, VIOLATED};
use crate::summary::allows_mean;
use crate::wire::v1::{Assumption, Exclusion, Geometry, Standardize};

/// Without standardization, the extent of a column must lie between these, so that no square leaves the doubles.
const EXTENTS: (f64, f64) = (1e-140, 1e140);

/// The complete cases of some columns as a space.
pub(crate) struct Space<'a> {
    pub(crate) family: &'static str,
    pub(crate) columns: Vec<&'a Column>,
    pub(crate) n_rows: usize,
    /// The row of the dataset at each place.
    pub(crate) rows: Vec<usize>,
    /// The values as recorded, by column, at each place.
    pub(crate) values: Vec<Vec<f64>>,
    pub(crate) excluded: Vec<Exclusion>,
    pub(crate) means: Vec<f64>,
    /// Sample standard deviations; 0 for a constant column.
    pub(crate) deviations: Vec<f64>,
    pub(crate) standardize: Standardize,
    /// Why so.
    pub(crate) because: &'static str,
}

impl<'a> Space<'a> {
    /// Of named columns, standardized as stated, else when they have no unit in common.
    ///
    /// # Errors
    /// What the columns can't carry, and fewer than `needed` complete rows.
    pub(crate) fn of(
        dataset: &'a Dataset,
        names: &[String],
        family: &'static str,
        standardize: Option<Standardize>,
        needed: usize,
    ) -> Result<Self, KernelError> {
        let columns = resolve(dataset, names)?;
        for column in &columns {
            check(column, family)?;
        }
        let cases = Cases::at_least(dataset, &columns, family, needed)?;
        let unsorted: Vec<Vec<f64>> = columns
            .iter()
            .map(|column| cases.numbers(column).into_iter().map(|x| x + 0.0).collect())
            .collect();
        let mut places: Vec<usize> = (0..cases.rows.len()).collect();
        places.sort_unstable_by(|a, b| {
            let by_value = |values: &Vec<f64>| values[*a].total_cmp(&values[*b]);
            let unequal = unsorted.iter().map(by_value).find(|order| order.is_ne());
            unequal.unwrap_or_else(|| by_key(dataset, cases.rows[*a], cases.rows[*b]))
        });
        let (standardize, because) = match standardize {
            Some(stated) => (stated, "stated"),
            None if common_unit(&columns).is_some() => (Standardize::None, "the columns have one unit"),
            None => (Standardize::Zscore, "the columns have no unit in common"),
        };
        let sorted = |values: &Vec<f64>| places.iter().map(|place| values[*place]).collect();
        let mut space = Self {
            family,
            n_rows: dataset.n_rows(),
            rows: places.iter().map(|place| cases.rows[*place]).collect(),
            values: unsorted.iter().map(sorted).collect(),
            excluded: cases.excluded,
            means: Vec::new(),
            deviations: Vec::new(),
            standardize,
            because,
            columns,
        };
        space.measure()?;
        Ok(space)
    }

    fn measure(&mut self) -> Result<(), KernelError> {
        for (column, values) in self.columns.iter().zip(&self.values) {
            let mut moments = Moments::new();
            values.iter().for_each(|value| moments.add(*value));
            let (mean, deviation) = match (moments.mean(), moments.standard_deviation()) {
                (Some(mean), Some(deviation)) => (mean, deviation),
                _ => {
                    let problem = format!("the spread of {} exceeds the range of doubles", column.name());
                    return Err(self.undetermined(problem));
                }
            };
            self.means.push(mean + 0.0);
            self.deviations.push(deviation);
        }
        if self.deviations.iter().all(|deviation| *deviation == 0.0) {
            return Err(self.undetermined("all rows are alike in these columns".to_owned()));
        }
        if self.standardize == Standardize::None {
            let extent = |values: &Vec<f64>| {
                let least = values.iter().copied().fold(f64::INFINITY, f64::min);
                values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least
            };
            let outside = |width: f64| width != 0.0 && !(EXTENTS.0..=EXTENTS.1).contains(&width);
            let idx = self.values.iter().position(|values| outside(extent(values)));
            if let Some(column) = idx.map(|idx| self.columns[idx]) {
                let problem = format!(
                    "the extent of {} is too near the bounds of doubles; standardize=zscore has an answer",
                    column.name()
                );
                return Err(self.undetermined(problem));
            }
        }
        Ok(())
    }

    pub(crate) fn undetermined(&self, problem: String) -> KernelError {
        KernelError::Undetermined {
            family: self.family,
            columns: self.names(),
            problem,
        }
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.columns
            .iter()
            .map(|column| column.name().to_owned())
            .collect()
    }

    /// How many points.
    pub(crate) fn n(&self) -> usize {
        self.rows.len()
    }

    /// The coordinates under a standardization: as recorded, or in standard deviations from the mean.
    pub(crate) fn points(&self, standardize: Standardize) -> Points {
        let n_dims = self.columns.len();
        let mut at = Vec::with_capacity(self.n() * n_dims);
        for place in 0..self.n() {
            at.extend((0..n_dims).map(|dim| self.coordinate(standardize, dim, place)));
        }
        Points { n_dims, at }
    }

    pub(crate) fn coordinate(&self, standardize: Standardize, dim: usize, place: usize) -> f64 {
        let value = self.values[dim][place];
        match standardize {
            Standardize::None => value,
            Standardize::Zscore if self.deviations[dim] == 0.0 => 0.0,
            Standardize::Zscore => (value - self.means[dim]) / self.deviations[dim] + 0.0,
        }
    }

    /// The unit of distances: that of the columns, when they have one and are not standardized.
    pub(crate) fn unit(&self) -> Option<(String, String)> {
        match self.standardize {
            Standardize::None => common_unit(&self.columns),
            Standardize::Zscore => None,
        }
    }

    /// What the receipt says of the metric.
    pub(crate) fn geometry(&self, metric: &str) -> Geometry {
        let transformations = match self.standardize {
            Standardize::None => Vec::new(),
            Standardize::Zscore => {
                vec!["each column minus its mean, divided by its sample standard deviation (n-1)".to_owned()]
            }
        };
        Geometry {
            columns: self.names(),
            metric: metric.to_owned(),
            transformations,
            missingness_policy: "completeCase".to_owned(),
        }
    }

    /// Whether one number of a distance means one thing: a sum of squares in different units has none.
    pub(crate) fn unit_assumption(&self) -> Assumption {
        let units: Option<Vec<&str>> = self
            .columns
            .iter()
            .map(|column| Some(column.model().unit()?.text()))
            .collect();
        let (status, detail) = match (self.standardize, self.unit(), units) {
            (Standardize::Zscore, ..) => (
                SATISFIED,
                "each column is in its own standard deviations".to_owned(),
            ),
            (Standardize::None, Some((unit, standing)), _) => (SATISFIED, format!("{unit}, {standing}")),
            (Standardize::None, None, Some(units)) => {
                let text = format!(
                    "the units are {}; columns weigh by the size of their numbers",
                    units.join(", ")
                );
                (VIOLATED, text)
            }
            (Standardize::None, None, None) => (UNCHECKED, "not every column's unit is known".to_owned()),
        };
        receipt::assumption("the columns have one unit, or are standardized", status, detail)
    }

    /// Whether the rows that were used stand for all.
    pub(crate) fn representative(&self) -> Assumption {
        let n_excluded = self.n_rows - self.n();
        let (status, detail) = if n_excluded == 0 {
            (SATISFIED, "no row is left out".to_owned())
        } else {
            let text = format!(
                "{n_excluded} of {} rows lack a value, and why is not recorded",
                self.n_rows
            );
            (NOT_TESTABLE, text)
        };
        receipt::assumption("the rows used stand for the rows left out", status, detail)
    }

    /// Whether the rows were observed one apart from the other.
    pub(crate) fn independent(&self, what_rests_on_it: &str) -> Assumption {
        let is_iid = |column: &&Column| column.model().observation_structure() == ObservationStructure::Iid;
        let (status, detail) = if self.columns.iter().all(is_iid) {
            (SATISFIED, "declared at import".to_owned())
        } else {
            (
                NOT_TESTABLE,
                format!("nobody stated how the rows depend on each other; {what_rests_on_it}"),
            )
        };
        receipt::assumption("rows were observed one apart from the other", status, detail)
    }

    /// What cannot be said because of the columns themselves.
    pub(crate) fn limitations(&self) -> Vec<Limitation> {
        let mut limitations = Vec::new();
        let n_excluded = self.n_rows - self.n();
        if n_excluded > 0 {
            let text = format!("{} excluded: missing", counted(n_excluded, "row"));
            limitations.push(Limitation::new(LimitationCode::RowsExcludedMissing, text));
        }
        for (column, deviation) in self.columns.iter().zip(&self.deviations) {
            if *deviation == 0.0 {
                let text = "all values are equal, so the column tells no rows apart";
                limitations.push(Limitation::new(LimitationCode::ConstantValues, text).about(column.name()));
            }
        }
        if self.standardize == Standardize::Zscore {
            let text = format!(
                "distances are in standard deviations, not in units; {}",
                self.because
            );
            limitations.push(Limitation::new(LimitationCode::Standardized, text));
        }
        limitations.extend(super::unit_inferred(&self.columns));
        let text = "values as recorded; how exactly they were measured is not stated";
        limitations.push(Limitation::new(LimitationCode::MeasurementErrorUnstated, text));
        limitations
    }

    /// The row keys in the order of the dataset, and the place of each.
    pub(crate) fn keyed(&self, dataset: &Dataset) -> Result<(RowKeys, Vec<usize>), LeafError> {
        let mut places: Vec<usize> = (0..self.n()).collect();
        places.sort_unstable_by_key(|place| self.rows[*place]);
        let rows: Vec<usize> = places.iter().map(|place| self.rows[*place]).collect();
        Ok((crate::rows::row_keys(dataset, &rows)?, places))
    }

    pub(crate) fn joined(&self) -> String {
        receipt::joined(&self.names())
    }
}

fn check(column: &Column, family: &'static str) -> Result<(), KernelError> {
    if column.kind() != ColumnKind::Numeric {
        return Err(KernelError::KindUnsupported {
            column: column.name().to_owned(),
            kind: column.kind(),
            family,
            needed: "NUMERIC columns",
        });
    }
    if !allows_mean(column.model().scale()) {
        return Err(KernelError::ScaleUnsupported {
            column: column.name().to_owned(),
            scale: column.model().scale(),
            family,
            needed: "differences that mean something: ratio, interval or count",
        });
    }
    Ok(())
}

fn by_key(dataset: &Dataset, a: usize, b: usize) -> Ordering {
    if dataset.key_column().is_none() {
        return a.cmp(&b);
    }
    identity::utf16_cmp(dataset.row_key(a).as_str(), dataset.row_key(b).as_str())
}

/// The unit that all columns have, with the weakest standing among them.
fn common_unit(columns: &[&Column]) -> Option<(String, String)> {
    let units: Option<Vec<_>> = columns.iter().map(|column| column.model().unit()).collect();
    let units = units?;
    let first = units.first()?;
    if units.iter().any(|unit| unit.text() != first.text()) {
        return None;
    }
    let inferred = units.iter().find(|unit| unit.status() == Status::Inferred);
    let weakest = inferred.unwrap_or(first);
    Some((weakest.text().to_owned(), weakest.status().word().to_owned()))
}

/// Points by their coordinates.
pub(crate) struct Points {
    pub(crate) n_dims: usize,
    /// One point after the other.
    pub(crate) at: Vec<f64>,
}

impl Points {
    pub(crate) fn n(&self) -> usize {
        self.at.len() / self.n_dims
    }

    pub(crate) fn point(&self, place: usize) -> &[f64] {
        &self.at[place * self.n_dims..(place + 1) * self.n_dims]
    }

    pub(crate) fn distance_squared(&self, a: usize, b: usize) -> f64 {
        distance_squared(self.point(a), self.point(b))
    }

    /// The points at some places, in that order.
    pub(crate) fn subset(&self, places: &[usize]) -> Self {
        let at = places.iter().flat_map(|place| self.point(*place)).copied();
        Self {
            n_dims: self.n_dims,
            at: at.collect(),
        }
    }

    /// How many different points there are; equal points stand together.
    pub(crate) fn n_distinct(&self) -> usize {
        let differs = |place: &usize| *place == 0 || self.point(*place) != self.point(place - 1);
        (0..self.n()).filter(differs).count()
    }
}

/// The squared Euclidean distance, summed in the order of the columns; the same both ways.
pub(crate) fn distance_squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}
