//! Properties over generated tables.

use proptest::prelude::*;

use crate::{CellRef, Dataset, ImportOptions, Missing, import, reimport};

/// A cell before it is written; `None` is missing.
#[derive(Clone, Debug)]
enum Cell {
    Integer(i64),
    Decimal(f64),
    Text(String),
    Missing,
}

fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        3 => (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Cell::Integer),
        3 => any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(Cell::Decimal),
        3 => "[a-c\",;\n\\\\ é😀\u{e000}|\t-]{0,6}".prop_map(Cell::Text),
        1 => Just(Cell::Missing),
    ]
}

/// A table whose columns are numeric, textual or mixed.
fn table() -> impl Strategy<Value = Vec<Vec<Cell>>> {
    (1_usize..5, 1_usize..12).prop_flat_map(|(n_columns, n_rows)| {
        let column = prop_oneof![
            prop::collection::vec(cell(), n_rows),
            prop::collection::vec((-100_i64..100).prop_map(Cell::Integer), n_rows),
            prop::collection::vec(
                any::<f64>()
                    .prop_filter("finite", |v| v.is_finite())
                    .prop_map(Cell::Decimal),
                n_rows
            ),
        ];
        prop::collection::vec(column, n_columns)
    })
}

fn text_of(cell: &Cell) -> String {
    match cell {
        Cell::Integer(value) => value.to_string(),
        // Always with an exponent, so that no integer beyond 2^53 is written.
        Cell::Decimal(value) => format!("{value:e}"),
        Cell::Text(text) => text.clone(),
        Cell::Missing => String::new(),
    }
}

fn to_csv(columns: &[Vec<Cell>], delimiter: char) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut csv: Vec<String> = vec![
        (0..columns.len())
            .map(|n| format!("c{n}"))
            .collect::<Vec<_>>()
            .join(&delimiter.to_string()),
    ];
    for row_idx in 0..columns[0].len() {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| quoted(&text_of(&column[row_idx])))
            .collect();
        csv.push(cells.join(&delimiter.to_string()));
    }
    csv.join("\n")
}

fn to_json(dataset: &Dataset) -> String {
    let mut rows = Vec::new();
    for row_idx in 0..dataset.n_rows() {
        let mut members = Vec::new();
        for column in dataset.columns() {
            let value = match column.cell(row_idx) {
                CellRef::Number(value) => format!("{value:e}"),
                CellRef::Integer(value) => value.to_string(),
                CellRef::Text(text) => serde_json::to_string(text).unwrap(),
                CellRef::Missing(_) => "null".to_owned(),
            };
            members.push(format!(
                "{}:{value}",
                serde_json::to_string(column.name()).unwrap()
            ));
        }
        rows.push(format!("{{{}}}", members.join(",")));
    }
    format!("[{}]", rows.join(","))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn bytes_and_recipe_reproduce_the_dataset(columns in table(), semicolon in any::<bool>()) {
        let delimiter = if semicolon { ';' } else { ',' };
        let csv = to_csv(&columns, delimiter);
        let options = ImportOptions { delimiter: Some(delimiter), ..ImportOptions::named("p") };
        let first = import(csv.as_bytes(), &options).unwrap();
        let again = reimport(csv.as_bytes(), &first.recipe).unwrap();
        prop_assert_eq!(&again, &first.dataset);
        prop_assert_eq!(again.fingerprint(), first.dataset.fingerprint());
        let second = import(csv.as_bytes(), &options).unwrap();
        prop_assert_eq!(second.recipe.id(), first.recipe.id());
        prop_assert_eq!(first.dataset.n_rows(), columns[0].len());
    }

    #[test]
    fn numbers_survive_exactly(columns in table()) {
        let import = import(to_csv(&columns, ',').as_bytes(), &ImportOptions::named("p")).unwrap();
        for (column, cells) in import.dataset.columns().iter().zip(&columns) {
            for (row_idx, cell) in cells.iter().enumerate() {
                match (column.cell(row_idx), cell) {
                    (CellRef::Integer(found), Cell::Integer(value)) => prop_assert_eq!(found, *value),
                    (CellRef::Number(found), Cell::Decimal(value)) => prop_assert_eq!(found, *value),
                    #[expect(clippy::cast_precision_loss, reason = "generated within ±(2^53−1)")]
                    (CellRef::Number(found), Cell::Integer(value)) => prop_assert_eq!(found, *value as f64),
                    (CellRef::Text(found), cell) => prop_assert_eq!(found, text_of(cell)),
                    (CellRef::Missing(how), cell) => {
                        prop_assert_eq!(how, Missing::Token);
                        let text = text_of(cell);
                        prop_assert!(["", "-", "--"].contains(&text.trim_matches([' ', '\t'])), "{:?}", text);
                    }
                    (found, cell) => prop_assert!(false, "{:?} from {:?}", found, cell),
                }
            }
        }
    }

    #[test]
    fn json_of_the_same_content_has_the_same_fingerprint(columns in table()) {
        let csv = import(to_csv(&columns, ',').as_bytes(), &ImportOptions::named("p")).unwrap().dataset;
        let json = import(to_json(&csv).as_bytes(), &ImportOptions::named("p")).unwrap().dataset;
        // JSON says what is text and what is a number, so a column that is text only because its numbers were mixed
        // with text may get another kind; where all kinds agree, so do the fingerprints.
        let kinds = |dataset: &Dataset| dataset.columns().iter().map(crate::Column::kind).collect::<Vec<_>>();
        prop_assume!(kinds(&csv) == kinds(&json));
        prop_assert_eq!(json.fingerprint(), csv.fingerprint());
    }

    #[test]
    fn row_order_is_part_of_the_identity(columns in table(), at in any::<prop::sample::Index>()) {
        let n_rows = columns[0].len();
        prop_assume!(n_rows > 1);
        let first = at.index(n_rows - 1);
        let mut swapped = columns.clone();
        for column in &mut swapped {
            column.swap(first, first + 1);
        }
        let of = |columns: &[Vec<Cell>]| import(to_csv(columns, ',').as_bytes(), &ImportOptions::named("p")).unwrap().dataset;
        let (before, after) = (of(&columns), of(&swapped));
        let row = |dataset: &Dataset, row_idx: usize| {
            dataset.columns().iter().map(|column| format!("{:?}", column.number(row_idx)) + &format!("{:?}", column.cell(row_idx))).collect::<Vec<_>>()
        };
        let rows_differ = row(&before, first) != row(&before, first + 1)
            && (0..columns.len()).any(|c| {
                let null = |row_idx| before.columns()[c].missing(row_idx).is_some();
                before.columns()[c].cell(first) != before.columns()[c].cell(first + 1) && !(null(first) && null(first + 1))
            });
        prop_assert_eq!(before.fingerprint() != after.fingerprint(), rows_differ);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let lossy = String::from_utf8_lossy(&bytes).into_owned();
        for input in [bytes.as_slice(), lossy.as_bytes()] {
            if let Ok(import) = import(input, &ImportOptions::named("p")) {
                prop_assert_eq!(reimport(input, &import.recipe).unwrap(), import.dataset);
            }
        }
    }

    #[test]
    fn nothing_like_json_or_csv_makes_it_panic(text in "[\\[\\]{}\",:;a1e.+\\-\\\\u\n\r ]{0,60}", json in any::<bool>()) {
        let format = if json { crate::Format::JsonRows } else { crate::Format::Csv };
        let options = ImportOptions { format: Some(format), ..ImportOptions::named("p") };
        if let Ok(import) = import(text.as_bytes(), &options) {
            prop_assert_eq!(reimport(text.as_bytes(), &import.recipe).unwrap(), import.dataset);
        }
    }
}
