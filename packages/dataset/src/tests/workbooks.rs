//! Excel workbooks: a sheet is a table or is refused with the cell that keeps it from being one.

use super::column;
use super::columnar::vector;
use crate::{
    Bound, ColumnKind, Format, ImportError, ImportOptions, Imported, Limits, Measured, NoteCode, import,
    reimport,
};

fn read(name: &str, options: &ImportOptions) -> Imported {
    import(&vector(name), options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn refused(name: &str) -> ImportError {
    import(&vector(name), &ImportOptions::named("t")).expect_err(name)
}

#[test]
fn a_sheet_has_the_identity_of_the_same_csv() {
    let options = ImportOptions::named("t");
    let book = read("stations.xlsx", &options);
    let csv = "station,count,level,open,when,day\n\
        Örebro,3,0.5,true,2007-11-11T09:30:15,2007-11-11\n\
        \"a \"\"quoted\"\" name, with comma\",-2,-1e-7,false,1969-12-31T23:59:59.25,1999-02-28\n\
        ,9007199254740991,123456.75,,,\n\
        NA,,,true,2000-02-29T12:00:00,2000-02-29\n\
        Örebro,0,0.1,true,2007-11-11T09:30:15,9999-12-31\n";
    let csv = import(csv.as_bytes(), &options).unwrap();
    assert_eq!(book.dataset.fingerprint(), csv.dataset.fingerprint());
    assert_eq!(
        reimport(&vector("stations.xlsx"), &book.recipe).unwrap(),
        book.dataset
    );
    assert_eq!(column(&book.dataset, "when").kind(), ColumnKind::Temporal);
    let body = book.recipe.body();
    assert_eq!(
        (body.format, body.sheet.as_deref()),
        (Format::Xlsx, Some("Stations"))
    );
    assert!(body.encoding.is_none());
    let others = book
        .report
        .notes()
        .find(|(_, note)| note.code == NoteCode::NotRead)
        .unwrap();
    assert!(others.1.text.contains("`Other`"), "{}", others.1.text);
}

#[test]
fn a_named_sheet_is_read_and_an_unknown_one_is_refused() {
    let sheet = |name: &str| ImportOptions {
        sheet: Some(name.to_owned()),
        ..ImportOptions::named("t")
    };
    let other = read("stations.xlsx", &sheet("Other"));
    assert_eq!(other.dataset.columns()[0].name(), "x");
    assert_eq!(
        reimport(&vector("stations.xlsx"), &other.recipe).unwrap(),
        other.dataset
    );
    let error = import(&vector("stations.xlsx"), &sheet("Oter")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no sheet `Oter`; the workbook has `Stations`, `Other`"
    );
}

#[test]
fn a_table_may_stand_anywhere_and_formulas_are_told() {
    let book = read("formulas.xlsx", &ImportOptions::named("t"));
    assert_eq!(book.dataset.n_rows(), 2);
    assert_eq!(column(&book.dataset, "id").number(1), Measured::Known(2.0));
    let noted = |code| book.report.notes().any(|(_, note)| note.code == code);
    assert!(noted(NoteCode::Formulas) && noted(NoteCode::BlankLines));
    // Nobody computed the formulas, so there is no result; that is a gap and no zero.
    assert_eq!(column(&book.dataset, "twice").n_missing(), 2);
}

#[test]
fn what_is_no_table_is_refused_with_its_cell() {
    assert_eq!(
        refused("refused-error.xlsx").to_string(),
        "cell B2 of sheet `Stations` holds the error #DIV/0!"
    );
    assert!(matches!(
        refused("refused-merged.xlsx"),
        ImportError::MergedCells { .. }
    ));
    assert_eq!(
        refused("refused-merged.xlsx").place().unwrap().to_string(),
        "cell A2 of sheet `Stations`"
    );
    assert!(matches!(
        refused("refused-beside.xlsx"),
        ImportError::BesideTable { .. }
    ));
    assert_eq!(
        refused("refused-beside.xlsx").place().unwrap().to_string(),
        "cell C3 of sheet `Stations`"
    );
    // Who declares the error's text says that it means "no value".
    let declared = ImportOptions {
        missing_tokens: Some(vec!["#DIV/0!".to_owned()]),
        ..ImportOptions::named("t")
    };
    let book = read("refused-error.xlsx", &declared);
    assert_eq!(column(&book.dataset, "b").missing_token(0), Some("#DIV/0!"));
    assert_eq!(
        reimport(&vector("refused-error.xlsx"), &book.recipe).unwrap(),
        book.dataset
    );
}

#[test]
fn bounds_hold_before_anything_is_kept() {
    let bytes = vector("stations.xlsx");
    let within = |limits| {
        import(
            &bytes,
            &ImportOptions {
                limits,
                ..ImportOptions::named("t")
            },
        )
    };
    let tight = Limits {
        max_bytes: bytes.len(),
        ..Limits::DEFAULT
    };
    let error = within(tight).unwrap_err();
    assert!(
        matches!(
            error,
            ImportError::Limit {
                bound: Bound::Decompressed,
                ..
            }
        ),
        "{error}"
    );
    for (limits, expected) in [
        (
            Limits {
                max_rows: 4,
                ..Limits::DEFAULT
            },
            Bound::Rows,
        ),
        (
            Limits {
                max_columns: 5,
                ..Limits::DEFAULT
            },
            Bound::Columns,
        ),
        (
            Limits {
                max_cells: 20,
                ..Limits::DEFAULT
            },
            Bound::Cells,
        ),
        (
            Limits {
                max_cell_bytes: 10,
                ..Limits::DEFAULT
            },
            Bound::CellBytes,
        ),
    ] {
        match within(limits).unwrap_err() {
            ImportError::Limit { bound, place, .. } => {
                assert_eq!(bound, expected);
                assert!(place.is_some());
            }
            other => panic!("{other}"),
        }
    }
    assert!(
        within(Limits {
            max_rows: 5,
            max_columns: 6,
            max_cells: 30,
            ..Limits::DEFAULT
        })
        .is_ok()
    );
}

#[test]
fn a_damaged_workbook_never_panics() {
    for name in ["stations.xlsx", "formulas.xlsx"] {
        let bytes = vector(name);
        for at in (0..bytes.len()).step_by(5) {
            assert!(
                import(&bytes[..at], &ImportOptions::named("t")).is_err(),
                "{name} cut at {at}"
            );
            let mut changed = bytes.clone();
            changed[at] ^= [0x01, 0x80, 0xff][at % 3];
            if let Ok(book) = import(&changed, &ImportOptions::named("t")) {
                assert_eq!(
                    reimport(&changed, &book.recipe).unwrap(),
                    book.dataset,
                    "{name} at {at}"
                );
            }
        }
    }
}
