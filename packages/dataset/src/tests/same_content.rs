//! One content, written in every format: one identity, whatever the types, the gaps and the texts.

use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, StringArray};
use proptest::prelude::*;

use super::columnar::{batch, every_form, slowly};
use crate::{Dataset, Format, ImportOptions, import, reimport};

/// A column of one type, as authors of typed files have them.
#[derive(Clone, Debug)]
enum Typed {
    Integers(Vec<Option<i64>>),
    Reals(Vec<Option<f64>>),
    Texts(Vec<Option<String>>, bool),
    Bools(Vec<Option<bool>>),
    Days(Vec<Option<i32>>),
}

fn typed(n_rows: usize) -> impl Strategy<Value = Typed> {
    let finite = || any::<f64>().prop_filter("finite", |value| value.is_finite());
    let text = || "[a-c,;\"\\\\ é😀\u{e000}\t-]{0,5}|NA|\\.|007";
    prop_oneof![
        prop::collection::vec(
            prop::option::of(-9_007_199_254_740_993_i64..=9_007_199_254_740_993),
            n_rows
        )
        .prop_map(Typed::Integers),
        prop::collection::vec(prop::option::of(-3_i64..3), n_rows).prop_map(Typed::Integers),
        prop::collection::vec(prop::option::of(finite()), n_rows).prop_map(Typed::Reals),
        (
            prop::collection::vec(prop::option::of(text()), n_rows),
            any::<bool>()
        )
            .prop_map(|(texts, keyed)| Typed::Texts(texts, keyed)),
        prop::collection::vec(prop::option::of(any::<bool>()), n_rows).prop_map(Typed::Bools),
        prop::collection::vec(prop::option::of(-719_528_i32..=2_932_896), n_rows).prop_map(Typed::Days),
    ]
}

impl Typed {
    fn array(&self) -> ArrayRef {
        match self {
            Self::Integers(values) => Arc::new(Int64Array::from(values.clone())),
            Self::Reals(values) => Arc::new(Float64Array::from(values.clone())),
            Self::Bools(values) => Arc::new(BooleanArray::from(values.clone())),
            Self::Days(values) => Arc::new(Date32Array::from(values.clone())),
            Self::Texts(texts, false) => Arc::new(StringArray::from(texts.clone())),
            Self::Texts(texts, true) => {
                let mut keys = StringDictionaryBuilder::<Int32Type>::new();
                texts.iter().for_each(|text| keys.append_option(text.as_deref()));
                Arc::new(keys.finish())
            }
        }
    }

    /// The cell as JSON.
    fn json(&self, row_idx: usize) -> String {
        let quoted = |text: &str| serde_json::to_string(text).unwrap();
        let cell = match self {
            Self::Integers(values) => values[row_idx].map(|value| value.to_string()),
            Self::Reals(values) => values[row_idx].map(|value| format!("{value:e}")),
            Self::Bools(values) => values[row_idx].map(|value| value.to_string()),
            Self::Days(values) => values[row_idx].map(|days| quoted(&day(days))),
            Self::Texts(texts, _) => texts[row_idx].as_deref().map(quoted),
        };
        cell.unwrap_or_else(|| "null".to_owned())
    }

    /// The cell as a CSV field.
    fn field(&self, row_idx: usize) -> String {
        let cell = match self {
            Self::Integers(values) => values[row_idx].map(|value| value.to_string()),
            Self::Reals(values) => values[row_idx].map(|value| format!("{value:e}")),
            Self::Bools(values) => values[row_idx].map(|value| value.to_string()),
            Self::Days(values) => values[row_idx].map(day),
            Self::Texts(texts, _) => texts[row_idx].clone(),
        };
        format!("\"{}\"", cell.unwrap_or_default().replace('"', "\"\""))
    }
}

/// A day as text, counted the slow way: year by year, month by month.
fn day(days: i32) -> String {
    let leap = |year: i32| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let length = |year: i32| if leap(year) { 366 } else { 365 };
    let (mut year, mut left) = (1970, days);
    while left < 0 {
        year -= 1;
        left += length(year);
    }
    while left >= length(year) {
        left -= length(year);
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for n_days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < n_days {
            break;
        }
        left -= n_days;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", left + 1)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn one_content_has_one_identity_in_every_format(
        columns in (1_usize..5, 1_usize..14).prop_flat_map(|(n_columns, n_rows)| {
            prop::collection::vec(typed(n_rows), n_columns)
        })
    ) {
        let names: Vec<String> = (0..columns.len()).map(|n| format!("c{n}")).collect();
        let arrays = names.iter().map(String::as_str).zip(columns.iter().map(Typed::array));
        let batch = batch(arrays.collect());
        let n_rows = batch.num_rows();
        let lines = |open: &str, close: &str, cell: &dyn Fn(usize, usize) -> String, between: &str| -> Vec<String> {
            (0..n_rows).map(|row_idx| {
                let cells: Vec<String> = (0..columns.len()).map(|column_idx| cell(column_idx, row_idx)).collect();
                format!("{open}{}{close}", cells.join(between))
            }).collect()
        };
        let csv = format!(
            "{}\n{}\n",
            names.join(","),
            lines("", "", &|column_idx, row_idx| columns[column_idx].field(row_idx), ",").join("\n"),
        );
        let json = lines("{", "}", &|column_idx, row_idx| {
            format!("\"c{column_idx}\":{}", columns[column_idx].json(row_idx))
        }, ",");
        let json = format!("[{}]", json.join(","));
        let options = ImportOptions { format: Some(Format::Csv), delimiter: Some(','), ..ImportOptions::named("p") };
        let csv = import(csv.as_bytes(), &options).unwrap().dataset;
        let json = import(json.as_bytes(), &ImportOptions::named("p")).unwrap();
        let kinds = |dataset: &Dataset| dataset.columns().iter().map(crate::Column::kind).collect::<Vec<_>>();
        for bytes in every_form(&batch) {
            let options = ImportOptions::named("p");
            let held = import(&bytes, &options).unwrap();
            // What JSON says of types, a typed file says too: equal always, not only where kinds agree.
            prop_assert_eq!(kinds(&held.dataset), kinds(&json.dataset));
            prop_assert_eq!(held.dataset.fingerprint(), json.dataset.fingerprint());
            // A CSV has no types, so text that looks like numbers is numbers there.
            if kinds(&held.dataset) == kinds(&csv) {
                prop_assert_eq!(held.dataset.fingerprint(), csv.fingerprint());
            }
            prop_assert_eq!(&reimport(&bytes, &held.recipe).unwrap(), &held.dataset);
            prop_assert_eq!(&slowly(&bytes, &options).dataset, &held.dataset);
        }
    }
}
