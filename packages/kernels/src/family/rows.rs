//! `rows`: the complete cases of NUMERIC and CATEGORICAL columns, by row key.

use dataset::{ColumnKind, Dataset, Scale};

use super::{Family, Parts, ROWS, resolve, unit_inferred};
use crate::analysis::Provenance;
use crate::error::KernelError;
use crate::limitation::{Limitation, LimitationCode};
use crate::output::{Filled, Measure, Output, PROJECTION, Shape, Slot, column_producer};
use crate::receipt::{self, Method};
use crate::rows;
use crate::summary::count;
use crate::wire::v1::Content;

/// The method behind `rows:<columns>` receipts.
pub const ROWS_METHOD: &str = "projection/complete-case";
/// The version of the method.
const METHOD_VERSION: &str = "1.0.0";

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: ROWS,
    answers: "the complete cases of NUMERIC and CATEGORICAL columns, by row key",
    consumer: "nemosyne:consumer/forma-rows/v1",
    receipts: "rows:<a>,<b>,…",
    needs_columns: true,
    has_leaf: true,
    further_leaves: 0,
    producers: &["column:<name>", PROJECTION],
    paths: &["rowKeys", "rowsExcluded", "rowsUsed", "totalRows", "values"],
};

pub(crate) fn slots(columns: &[String]) -> Vec<Slot> {
    let values = columns
        .iter()
        .map(|column| Slot::observed(column_producer(column), "values", Shape::Vector));
    let keys = Slot::observed(PROJECTION, "rowKeys", Shape::Vector);
    let counts =
        ["rowsUsed", "rowsExcluded", "totalRows"].map(|path| Slot::derived(PROJECTION, path, Shape::Number));
    values.chain([keys]).chain(counts).collect()
}

fn outputs(dataset: &Dataset, names: &[String], n_used: usize) -> Vec<Output> {
    let n_rows = dataset.n_rows();
    let output = |(slot_idx, slot): (usize, Slot)| {
        let (measure, filled) = match slot.path.as_str() {
            "values" => (Measure::of_named(dataset, &names[slot_idx]), Filled::InLeaf),
            "rowKeys" => (Measure::bare("row keys", Scale::Identifier), Filled::InLeaf),
            "rowsUsed" => (
                Measure::bare("rows used", Scale::Count),
                Filled::count(count(n_used)),
            ),
            "rowsExcluded" => (
                Measure::bare("rows excluded", Scale::Count),
                Filled::count(count(n_rows - n_used)),
            ),
            _ => (
                Measure::bare("rows in the dataset", Scale::Count),
                Filled::count(count(n_rows)),
            ),
        };
        Output::new(slot, measure, filled)
    };
    slots(names).into_iter().enumerate().map(output).collect()
}

pub(crate) fn answer(dataset: &Dataset, names: &[String]) -> Result<Parts, KernelError> {
    let columns = resolve(dataset, names)?;
    for column in &columns {
        rows::check_kind(column)?;
    }
    let projection = rows::project(dataset, &columns)?;
    let row_identity = match dataset.key_column() {
        Some(key) => format!("key:{}", key.name()),
        None => "ordinal".to_owned(),
    };
    let parameters = vec![
        ("columns".to_owned(), receipt::joined(names)),
        ("missingness".to_owned(), "complete-case".to_owned()),
        ("rowIdentity".to_owned(), row_identity),
    ];
    let method = Method {
        name: ROWS_METHOD,
        version: METHOD_VERSION,
        parameters: &parameters,
    };
    let mut limitations = projection.limitations.clone();
    limitations.extend(unit_inferred(&columns));
    if columns.iter().any(|column| column.kind() == ColumnKind::Numeric) {
        let text = "values as recorded; how exactly they were measured is not stated";
        limitations.push(Limitation::new(LimitationCode::MeasurementErrorUnstated, text));
    }
    let receipt = receipt::of_rows(dataset, &columns, &projection, &limitations, &method);
    let n_used = projection.leaf.n_rows();
    let provenance = Provenance {
        method: ROWS_METHOD,
        method_version: METHOD_VERSION,
        parameters,
        seed: None,
        normalization: "none",
        missingness: "complete-case",
        sampling: "none",
        approximation: "EXACT",
        total_rows: count(dataset.n_rows()),
        rows_used: count(n_used),
        excluded: projection.excluded.clone(),
        preserves: &["row identity", "exact values", "alignment of values in a row"],
        loses: &[
            "rows without a value in every column",
            "columns that were not chosen",
        ],
    };
    let content = Content::Rows {
        columns: projection.columns,
        total_rows: count(dataset.n_rows()),
        rows_used: count(n_used),
        excluded: projection.excluded,
        leaf: projection.leaf.digest(),
    };
    Ok(Parts {
        outputs: outputs(dataset, names, n_used),
        content,
        leaf: Some(projection.leaf),
        further_leaves: Vec::new(),
        receipts: vec![receipt],
        provenance,
        limitations,
    })
}
