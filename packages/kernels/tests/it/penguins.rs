//! The bundled penguins, against what R says of them.

use dataset::ImportOptions;
use identity::Digest;
use kernels::wire::v1::Content;

use crate::{answer, codes, finite, penguins, record, rows, statistics, table_with};

#[test]
fn statistics_agree_with_r() {
    // R 4: mean, sd, quantile(type = 7), t.test()$conf.int of palmerpenguins::penguins$body_mass_g.
    let analysis = answer(&penguins(), &statistics(&["body_mass_g"]));
    let record = record(&analysis);
    assert_eq!((record.count.get(), record.missing.get()), (342, 2));
    let near = |found: identity::Finite, expected: f64| (found.get() - expected).abs() < 5e-4;
    assert!(near(record.mean.unwrap(), 4201.7544));
    assert!(near(record.standard_deviation.unwrap(), 801.9545));
    let interval = record.mean_interval.as_ref().unwrap();
    assert!(
        near(interval.lower, 4116.4579) && near(interval.upper, 4287.0508),
        "{interval:?}"
    );
    assert_eq!(
        (interval.level, interval.method.as_str()),
        (finite(0.95), "student-t")
    );
    assert_eq!(
        (record.minimum, record.maximum),
        (Some(finite(2700.0)), Some(finite(6300.0)))
    );
    let quantiles: Vec<f64> = record
        .quantiles
        .iter()
        .map(|quantile| quantile.value.get())
        .collect();
    assert_eq!(quantiles, [3550.0, 4050.0, 4750.0]);
}

#[test]
fn two_rows_are_excluded_from_the_projection() {
    let dataset = penguins();
    let analysis = answer(
        &dataset,
        &rows(&["flipper_length_mm", "body_mass_g", "bill_length_mm", "species"]),
    );
    let Content::Rows {
        columns,
        total_rows,
        rows_used,
        excluded,
        leaf,
    } = analysis.content()
    else {
        panic!("rows were asked for");
    };
    assert_eq!((total_rows.get(), rows_used.get()), (344, 342));
    assert_eq!(excluded.len(), 1);
    assert_eq!(
        excluded[0].columns,
        ["flipper_length_mm", "body_mass_g", "bill_length_mm"]
    );
    assert_eq!(excluded[0].row_count.get(), 2);
    assert_eq!(columns[0].unit.as_deref(), Some("mm"));
    assert_eq!(
        columns[3].categories.as_deref().unwrap(),
        ["Adelie", "Chinstrap", "Gentoo"]
    );
    assert!(
        analysis
            .limitations()
            .iter()
            .any(|limitation| limitation.text() == "2 rows excluded: missing")
    );
    assert_eq!(
        codes(&analysis),
        [
            "MEASUREMENT_ERROR_UNSTATED",
            "ROWS_EXCLUDED_MISSING",
            "UNIT_INFERRED"
        ]
    );

    let values = analysis.leaf().unwrap();
    assert_eq!(*leaf, values.digest());
    assert_eq!(*leaf, Digest::of(analysis.leaf_bytes().unwrap()));
    // Row 4 has no measurements; row 5 follows row 3.
    assert_eq!(
        (values.row_key(2), values.row_key(3)),
        ("row:3".to_owned(), "row:5".to_owned())
    );
    assert_eq!(values.row_of_key("row:4"), None);
    let row_idx = values.row_of_key("row:5").unwrap();
    let source = dataset.row_of_key("row:5").unwrap();
    let number = |column: &str| dataset.column(column).unwrap().number(source).known();
    for column in ["flipper_length_mm", "body_mass_g", "bill_length_mm"] {
        assert_eq!(
            values.number(column).map(|values| values[row_idx]),
            number(column)
        );
    }
    let (labels, codes) = values.categories("species").unwrap();
    assert_eq!(labels[codes[row_idx] as usize], "Adelie");
}

#[test]
fn the_same_request_gives_the_same_bytes_and_another_gives_others() {
    let request = rows(&["flipper_length_mm", "body_mass_g"]);
    let (a, b) = (answer(&penguins(), &request), answer(&penguins(), &request));
    assert_eq!(a, b);
    assert_eq!(a.request_digest(), b.request_digest());
    let other = answer(&penguins(), &rows(&["body_mass_g", "flipper_length_mm"]));
    assert_ne!(a.request_digest(), other.request_digest());
    assert_ne!(a.content_digest(), other.content_digest());
}

#[test]
fn statistics_do_not_depend_on_the_order_of_rows() {
    let csv = include_str!("../../../../assets/samples/penguins.csv");
    let (header, body) = csv.split_once('\n').unwrap();
    let mut lines: Vec<&str> = body.lines().collect();
    let request = statistics(&[
        "flipper_length_mm",
        "body_mass_g",
        "bill_length_mm",
        "bill_depth_mm",
    ]);
    let expected = answer(&penguins(), &request);
    for turn in 1..20 {
        let n = lines.len();
        for idx in 0..n {
            lines.swap(idx, (idx * 7 + turn * 31) % n);
        }
        let shuffled = format!("{header}\n{}\n", lines.join("\n"));
        let dataset = table_with(&shuffled, &ImportOptions::named("penguins"));
        assert_ne!(
            dataset.fingerprint(),
            penguins().fingerprint(),
            "the rows did move"
        );
        assert_eq!(
            answer(&dataset, &request).content_bytes(),
            expected.content_bytes()
        );
    }
}
