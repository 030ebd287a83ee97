//! Governed row projection: the complete cases of the chosen columns, by row key.

use dataset::{Column, ColumnKind, Dataset};

use crate::cases::{Cases, MISSING};
use crate::error::KernelError;
use crate::leaf::{Columns, LeafColumn, LeafError, LeafValues, RowKeys};
use crate::limitation::{Limitation, LimitationCode, counted};
use crate::wire::v1::{Exclusion, ProjectedColumn};

pub(crate) struct Projection {
    pub(crate) columns: Vec<ProjectedColumn>,
    pub(crate) leaf: Columns,
    pub(crate) excluded: Vec<Exclusion>,
    pub(crate) limitations: Vec<Limitation>,
}

pub(crate) fn project(dataset: &Dataset, columns: &[&Column]) -> Result<Projection, KernelError> {
    let names = || columns.iter().map(|column| column.name().to_owned()).collect();
    let Cases { rows, excluded } = Cases::of(dataset.n_rows(), columns);
    if rows.is_empty() {
        return Err(KernelError::NoCompleteRows {
            columns: names(),
            total_rows: dataset.n_rows(),
        });
    }
    let mut limitations = Vec::new();
    let n_excluded = dataset.n_rows() - rows.len();
    if n_excluded > 0 {
        let text = format!("{} excluded: {MISSING}", counted(n_excluded, "row"));
        limitations.push(Limitation::new(LimitationCode::RowsExcludedMissing, text));
    }
    let mut leaf_columns = Vec::with_capacity(columns.len());
    let mut projected = Vec::with_capacity(columns.len());
    for column in columns {
        let values = values(column, &rows, &mut limitations);
        projected.push(described(column, &values));
        leaf_columns.push(LeafColumn::new(column.name(), values));
    }
    let row_keys = row_keys(dataset, &rows)?;
    let leaf = Columns::new(row_keys, leaf_columns)?;
    Ok(Projection {
        columns: projected,
        leaf,
        excluded,
        limitations,
    })
}

fn values(column: &Column, rows: &[usize], limitations: &mut Vec<Limitation>) -> LeafValues {
    let Some(levels) = column.levels() else {
        let numbers = rows.iter().filter_map(|row_idx| column.number(*row_idx).known());
        return LeafValues::Numbers(numbers.collect());
    };
    let mut used = vec![false; levels.len()];
    for row_idx in rows {
        if let Some(level_idx) = column.level_idx(*row_idx) {
            used[level_idx] = true;
        }
    }
    let mut sorted: Vec<usize> = (0..levels.len()).collect();
    sorted.sort_by(|a, b| identity::utf16_cmp(&levels[*a], &levels[*b]));
    let (present, absent): (Vec<usize>, Vec<usize>) = sorted.into_iter().partition(|idx| used[*idx]);
    if !absent.is_empty() {
        let names: Vec<&str> = absent.iter().map(|idx| &*levels[*idx]).collect();
        let text = format!("no complete row in {}", names.join(", "));
        limitations.push(Limitation::new(LimitationCode::CategoryWithoutRows, text).about(column.name()));
    }
    let mut code_of_level = vec![0; levels.len()];
    for (code, level_idx) in (0_u32..).zip(&present) {
        code_of_level[*level_idx] = code;
    }
    let codes = rows
        .iter()
        .filter_map(|row_idx| column.level_idx(*row_idx))
        .map(|level| code_of_level[level]);
    LeafValues::Categories {
        codes: codes.collect(),
        labels: present.into_iter().map(|idx| levels[idx].to_string()).collect(),
    }
}

fn described(column: &Column, values: &LeafValues) -> ProjectedColumn {
    ProjectedColumn {
        name: column.name().to_owned(),
        kind: column.kind().word().to_owned(),
        unit: column.model().unit().map(|unit| unit.text().to_owned()),
        categories: match values {
            LeafValues::Numbers(_) => None,
            LeafValues::Categories { labels, .. } => Some(labels.clone()),
        },
    }
}

/// The keys of some rows of the dataset, in their order.
pub(crate) fn row_keys(dataset: &Dataset, rows: &[usize]) -> Result<RowKeys, LeafError> {
    if dataset.key_column().is_some() {
        return Ok(RowKeys::Keys(
            rows.iter()
                .map(|row_idx| dataset.row_key(*row_idx).to_string())
                .collect(),
        ));
    }
    let ordinal = |row_idx: &usize| u32::try_from(row_idx + 1).ok();
    let ordinals: Option<Vec<u32>> = rows.iter().map(ordinal).collect();
    let too_many = LeafError::Limit {
        what: "rows",
        found: dataset.n_rows(),
        limit: u32::MAX as usize,
    };
    ordinals.map(RowKeys::Ordinals).ok_or(too_many)
}

/// Whether a column can be projected.
pub(crate) fn check_kind(column: &Column) -> Result<(), KernelError> {
    match column.kind() {
        ColumnKind::Numeric | ColumnKind::Categorical => Ok(()),
        kind @ (ColumnKind::Temporal | ColumnKind::Text | ColumnKind::Unknown) => {
            Err(KernelError::KindUnsupported {
                column: column.name().to_owned(),
                kind,
                family: crate::ROWS,
                needed: "NUMERIC or CATEGORICAL columns",
            })
        }
    }
}
