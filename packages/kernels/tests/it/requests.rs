//! Requests that are refused, each beside one that is not.

use dataset::{ColumnKind, Declaration, ImportOptions};
use kernels::{KernelError, analyze, bundle};
use refusal::{Code, Reason};

use crate::{answer, penguins, rows, statistics, statistics_at, table, table_with};

const MIXED: &str = "x,y,group,note,day,empty\n\
                     1,2,a,what a,2020-01-01,\n\
                     2,,b,long,2020-01-02,\n\
                     3,4,a,and free,2020-01-03,\n\
                     4,5,b,text this,2020-01-04,\n\
                     5,6,a,is; nobody,2020-01-05,\n\
                     6,7,b,groups by it,2020-01-06,\n\
                     7,8,a,so it,2020-01-07,\n\
                     8,9,b,is not,2020-01-08,\n\
                     9,9,a,a category,2020-01-09,\n\
                     10,9,b,but text,2020-01-10,\n\
                     11,9,a,of twelve,2020-01-11,\n\
                     12,9,b,or more,2020-01-12,\n\
                     13,9,a,words,2020-01-13,\n\
                     14,9,b,here,2020-01-14,\n";

#[test]
fn an_unknown_name_gets_the_nearest_one() {
    let error = analyze(&penguins(), &rows(&["body_mass_g", "Flipper Length mm"])).unwrap_err();
    let expected = KernelError::UnknownColumn {
        name: "Flipper Length mm".to_owned(),
        nearest: Some("flipper_length_mm".to_owned()),
    };
    assert_eq!(error, expected);
    assert_eq!(
        error.to_string(),
        "the dataset has no column `Flipper Length mm`; did you mean `flipper_length_mm`?"
    );
    assert_eq!(error.refusal().reason(), Reason::AmbiguousReference);
    let far = analyze(&penguins(), &statistics(&["altitude"])).unwrap_err();
    assert_eq!(far.to_string(), "the dataset has no column `altitude`");
    answer(&penguins(), &rows(&["body_mass_g", "flipper_length_mm"]));
}

#[test]
fn columns_are_named_and_named_once() {
    let dataset = table("x,y\n1,2\n3,4\n");
    for request in [rows(&[]), statistics(&[])] {
        assert_eq!(analyze(&dataset, &request).unwrap_err(), KernelError::NoColumns);
    }
    for request in [rows(&["x", "y", "x"]), statistics(&["x", "y", "x"])] {
        let expected = KernelError::RepeatedColumn { name: "x".to_owned() };
        assert_eq!(analyze(&dataset, &request).unwrap_err(), expected);
    }
    let many: Vec<String> = (0..65).map(|idx| format!("c{idx}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let error = analyze(&dataset, &rows(&many)).unwrap_err();
    assert_eq!(error, KernelError::TooManyColumns { found: 65, limit: 64 });
    assert_eq!(error.refusal().reason(), Reason::Bounds);
    answer(&dataset, &rows(&["x", "y"]));
    answer(&dataset, &statistics(&["x", "y"]));
}

#[test]
fn each_family_takes_its_kinds() {
    let dataset = table(MIXED);
    let kinds = ["x", "y", "group", "note", "day", "empty"].map(|name| dataset.column(name).unwrap().kind());
    use ColumnKind::{Categorical, Numeric, Temporal, Text, Unknown};
    assert_eq!(kinds, [Numeric, Numeric, Categorical, Text, Temporal, Unknown]);

    for (name, taken) in [
        ("x", true),
        ("y", true),
        ("group", true),
        ("note", false),
        ("day", false),
        ("empty", false),
    ] {
        assert_eq!(
            analyze(&dataset, &rows(&["x", name][usize::from(name == "x")..])).is_ok(),
            taken,
            "rows of {name}"
        );
        let only_numbers = taken && name != "group";
        assert_eq!(
            analyze(&dataset, &statistics(&[name])).is_ok(),
            only_numbers,
            "statistics of {name}"
        );
    }
    let error = analyze(&dataset, &rows(&["x", "note"])).unwrap_err();
    let text = "column `note` is TEXT, and rows needs NUMERIC or CATEGORICAL columns; free text, names and mixed values \
                are neither measured nor grouped";
    assert_eq!(error.to_string(), text);
    let refusal = error.refusal();
    assert_eq!(
        (refusal.code(), refusal.reason()),
        (Code::SemanticsUnsupported, Reason::MeasurementUnsupported)
    );
    assert_eq!(refusal.subjects(), ["note"]);
}

#[test]
fn levels_and_probabilities_lie_where_they_mean_something() {
    let dataset = table("x\n1\n2\n");
    for level in [0.0, 1.0, -0.5, 95.0] {
        let error = analyze(&dataset, &statistics_at(&["x"], &[], level)).unwrap_err();
        assert_eq!(error, KernelError::ConfidenceLevel { found: level });
    }
    for probabilities in [&[-0.1][..], &[1.1], &[0.5, 0.5], &[0.5, 0.25], &[0.0; 102]] {
        let error = analyze(&dataset, &statistics_at(&["x"], probabilities, 0.95)).unwrap_err();
        assert!(matches!(error, KernelError::Probabilities { .. }), "{error}");
        assert_eq!(error.refusal().code(), Code::InvalidInput);
    }
    answer(&dataset, &statistics_at(&["x"], &[0.0, 0.5, 1.0], 0.999));
}

#[test]
fn a_projection_needs_one_complete_row() {
    let dataset = table("x,y\n1,\n,2\n3,\n");
    let error = analyze(&dataset, &rows(&["x", "y"])).unwrap_err();
    let columns = vec!["x".to_owned(), "y".to_owned()];
    assert_eq!(
        error,
        KernelError::NoCompleteRows {
            columns,
            total_rows: 3
        }
    );
    assert_eq!(error.refusal().code(), Code::ClaimNotAdmissible);
    answer(&dataset, &rows(&["x"]));
}

#[test]
fn a_bundle_is_of_one_dataset_and_names_each_receipt_once() {
    let (dataset, other) = (table("x,y\n1,2\n3,4\n"), table("x,y\n1,2\n3,5\n"));
    let analyses = [
        answer(&dataset, &rows(&["x"])),
        answer(&other, &statistics(&["x"])),
    ];
    let error = bundle(&dataset, &analyses).unwrap_err();
    assert!(matches!(error, KernelError::WrongDataset { .. }));
    assert_eq!(error.refusal().reason(), Reason::WrongDataset);

    let differing = [
        answer(&dataset, &statistics(&["x"])),
        answer(&dataset, &statistics_at(&["x"], &[0.1], 0.95)),
    ];
    let error = bundle(&dataset, &differing).unwrap_err();
    assert_eq!(
        error,
        KernelError::ReceiptConflict {
            receipt_id: "descriptive:x".to_owned()
        }
    );

    let overlapping = [
        answer(&dataset, &statistics(&["x"])),
        answer(&dataset, &statistics(&["x", "y"])),
    ];
    let (receipts, attestation) = bundle(&dataset, &overlapping).unwrap();
    let ids: Vec<&str> = receipts
        .receipts
        .iter()
        .map(|receipt| receipt.receipt_id.as_str())
        .collect();
    assert_eq!(ids, ["descriptive:x", "descriptive:y"]);
    assert_eq!(attestation.consumers.len(), 1);
    assert_eq!(attestation.consumers[0].receipt_ids, ids);
}

#[test]
fn a_declared_kind_decides() {
    let options = ImportOptions::named("t").declare(Declaration::of("code").kind(ColumnKind::Categorical));
    let dataset = table_with("code\n1\n2\n1\n", &options);
    assert!(analyze(&dataset, &statistics(&["code"])).is_err());
    answer(&dataset, &rows(&["code"]));
    answer(&table("code\n1\n2\n1\n"), &statistics(&["code"]));
}
