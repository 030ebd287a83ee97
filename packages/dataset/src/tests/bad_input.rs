//! What can be wrong with a file or an option: each a typed error that names the place, beside a control that is right.

use refusal::{Code, Stage};

use super::{column, imported, notes, refused};
use crate::{
    Bound, CellRef, ColumnKind, Declaration, Encoding, Header, ImportError, ImportOptions, Limits, Measured,
    Missing, Place, QuotingFault, import, reimport, reimport_within,
};

fn line(line: u64, row: usize) -> Place {
    Place::Line { line, row }
}

fn pointer(pointer: &str, offset: usize) -> Place {
    Place::Pointer {
        pointer: pointer.to_owned(),
        offset,
    }
}

#[test]
fn emptiness_has_distinct_answers() {
    assert_eq!(refused(""), ImportError::ZeroBytes);
    assert_eq!(refused(" \n\t\n"), ImportError::Blank);
    assert_eq!(refused("\u{feff}"), ImportError::Blank);
    assert_eq!(refused("a,b\n"), ImportError::HeaderOnly { n_columns: 2 });
    assert_eq!(refused("a,b"), ImportError::HeaderOnly { n_columns: 2 });
    assert_eq!(refused("[]"), ImportError::NoRows);
    assert_eq!(refused("[{},{}]"), ImportError::NoColumns);
    assert_eq!(imported("a,b\n1,2\n").dataset.n_rows(), 1);
    assert_eq!(imported("[{\"a\":1}]").dataset.n_rows(), 1);
}

#[test]
fn one_row_constant_and_all_missing_columns_import() {
    let one = imported("name,x,y\nAda,1.5,\n");
    assert_eq!(one.dataset.n_rows(), 1);
    assert_eq!(column(&one.dataset, "x").number(0), Measured::Known(1.5));
    let gone = column(&one.dataset, "y");
    assert_eq!((gone.kind(), gone.n_missing()), (ColumnKind::Unknown, 1));
    assert_eq!(gone.cell(0), CellRef::Missing(Missing::Token));
    assert_eq!(gone.missing_token(0), Some(""));
    assert_eq!(notes(&one, Some("y")), ["ALL_MISSING"]);

    let constant = imported("x,y\n7,1\n7,2\n7,3\n");
    let sevens = column(&constant.dataset, "x");
    assert_eq!(
        (sevens.kind(), sevens.range(), sevens.n_distinct()),
        (ColumnKind::Numeric, Some((7.0, 7.0)), 1)
    );
    assert_eq!(notes(&constant, Some("x")), ["CONSTANT"]);
    assert!(notes(&constant, Some("y")).is_empty());

    let all_gone = imported("x,y\nNA,1\n,2\nNA,3\n");
    let gone = column(&all_gone.dataset, "x");
    assert_eq!(
        (gone.kind(), gone.n_missing(), gone.n_by_token()),
        (ColumnKind::Unknown, 3, vec![1, 2])
    );
}

#[test]
fn not_utf8_names_the_byte_and_a_guess() {
    let error = import(b"a,b\n1,caf\xe9\n", &ImportOptions::named("t")).unwrap_err();
    let ImportError::NotUtf8 {
        offset: 9,
        byte: 0xe9,
        line: 2,
        suggestions,
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(suggestions[0].encoding, Encoding::Windows1252);
    assert_eq!(suggestions[0].reading, "café");
    assert!(error.refusal().to_string().contains("--encoding windows-1252"));
    let with_bom = import(b"\xef\xbb\xbfa,b\n1,caf\xe9\n", &ImportOptions::named("t")).unwrap_err();
    assert!(matches!(with_bom, ImportError::NotUtf8 { offset: 12, .. }));
    assert!(matches!(
        refused("a,b\n1,\0\n"),
        ImportError::NotText {
            offset: 6,
            line: 2,
            looks_utf16: false
        }
    ));
    assert!(
        matches!(refused("PK\u{3}\u{4}…"), ImportError::UnsupportedFormat { found } if found.contains("XLSX"))
    );
    assert!(matches!(refused("PAR1…"), ImportError::Damaged { .. }));
    assert_eq!(imported("a,b\n1,café\n").dataset.n_rows(), 1);
}

#[test]
fn ragged_rows_name_line_row_and_counts() {
    let short = ImportError::Ragged {
        place: line(3, 2),
        found: 2,
        expected: 3,
        than: "the header",
    };
    assert_eq!(refused("a,b,c\n1,2,3\n4,5\n"), short);
    assert_eq!(refused("a,b,c\r\n1,2,3\r\n4,5\r\n"), short);
    let long = refused("a,b\n\"x\ny\",2\n1,2,3\n");
    assert!(matches!(long, ImportError::Ragged { place, found: 3, expected: 2, .. } if place == line(4, 2)));
    assert_eq!(imported("a,b,c\n1,2,3\n4,5,6\n").dataset.n_rows(), 2);
}

#[test]
fn a_cell_of_ten_thousand_characters_is_kept_whole() {
    let long: String = "Ünï,\"quoted\"\n".chars().cycle().take(10_000).collect();
    let text = format!("k,v\n1,\"{}\"\n2,short\n", long.replace('"', "\"\""));
    let import = imported(&text);
    assert_eq!(column(&import.dataset, "v").cell(0), CellRef::Text(&long));
    assert_eq!(column(&import.dataset, "v").kind(), ColumnKind::Text);
    assert_eq!(
        notes(&import, Some("v")),
        ["LONG_VALUE", "POSSIBLE_KEY"].map(str::to_owned)[..1]
    );
}

#[test]
fn headers_are_names_and_each_name_is_one() {
    let repeated = ImportError::DuplicateColumn {
        name: "a".to_owned(),
        first: 1,
        second: 3,
    };
    assert_eq!(refused("a,b,a\n1,2,3\n"), repeated);
    assert_eq!(refused("a,b, a \n1,2,3\n"), repeated);
    // One é is a letter, the other a letter with an accent: two names, and a warning.
    let alike = imported("\u{e9},e\u{301}\n1,2\n");
    assert_eq!(alike.dataset.columns().len(), 2);
    assert_eq!(notes(&alike, None), ["NEAR_NAMES"]);
    assert!(matches!(
        refused("a,,c\n1,2,3\n"),
        ImportError::EmptyColumnName { position: 2, place } if place == line(1, 0)
    ));
    assert!(matches!(
        refused("[{\"\":1}]"),
        ImportError::EmptyColumnName { position: 1, .. }
    ));
    assert!(
        matches!(refused("1,2\n3,4\n"), ImportError::HeaderLooksLikeData { header } if header == ["1", "2"])
    );
    let years = ImportOptions {
        header: Some(Header::Present),
        ..ImportOptions::named("t")
    };
    assert_eq!(import(b"2001,2002\n3,4\n", &years).unwrap().dataset.n_rows(), 1);
    assert_eq!(imported("a,b,A\n1,2,3\n").dataset.columns().len(), 3);
}

#[test]
fn quotes_pair_up_or_the_record_is_named() {
    let fault = |text: &str| match refused(text) {
        ImportError::Quoting { place, offset, fault } => (place, offset, fault),
        other => panic!("{other}"),
    };
    assert_eq!(
        fault("a,b\n1,\"2\n3,4\n"),
        (line(2, 1), 6, QuotingFault::Unclosed)
    );
    assert_eq!(
        fault("a,b\n\"1\"x,2\n"),
        (line(2, 1), 6, QuotingFault::TextAfterClosing)
    );
    let import = imported("a,b\n\"1,5\",\"say \"\"hi\"\"\"\nx,6\" pipe\n");
    assert_eq!(column(&import.dataset, "a").cell(0), CellRef::Text("1,5"));
    assert_eq!(column(&import.dataset, "b").cell(0), CellRef::Text("say \"hi\""));
    assert_eq!(column(&import.dataset, "b").cell(1), CellRef::Text("6\" pipe"));
}

#[test]
fn blank_lines_are_counted_and_lines_stay_right() {
    let import = imported("\na,b\n1,2\n\n\n3,4\n\n");
    assert_eq!(import.dataset.n_rows(), 2);
    assert_eq!(notes(&import, None), ["BLANK_LINES"]);
    let error = refused("a,b\r\n1,2\r\n\r\n\r\n3\r\n");
    assert!(matches!(error, ImportError::Ragged { place, .. } if place == line(5, 2)));
    for clean in ["a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4\r"] {
        let import = imported(clean);
        assert_eq!(
            (import.dataset.n_rows(), notes(&import, None)),
            (2, vec![]),
            "{clean:?}"
        );
    }
}

#[test]
fn json_rows_are_strict() {
    let syntax = |text: &str| match refused(text) {
        ImportError::JsonSyntax { place, expected } => (place, expected),
        other => panic!("{other}"),
    };
    assert_eq!(
        refused("[{\"a\":1,\"b\":[2]}]"),
        ImportError::Nested {
            place: pointer("/0/b", 12),
            found: "an array",
        }
    );
    assert!(matches!(
        refused("[{\"a\":{}}]"),
        ImportError::Nested {
            found: "an object",
            ..
        }
    ));
    assert_eq!(
        refused("[{\"a\":1},{\"a/b\":1,\"a/b\":2}]"),
        ImportError::DuplicateMember {
            place: pointer("/1/a~1b", 18),
        }
    );
    // The same member under another spelling is the same member.
    assert!(matches!(
        refused(r#"[{"a":1,"\u0061":2}]"#),
        ImportError::DuplicateMember { .. }
    ));
    assert_eq!(syntax("[{\"a\":1}] x").0, pointer("", 10));
    assert_eq!(syntax("[{\"a\":1},]").0, pointer("/1", 9));
    assert_eq!(syntax("[{\"a\":01}]").0, pointer("/0/a", 7));
    assert_eq!(syntax("[{\"a\":NaN}]").0, pointer("/0/a", 6));
    assert_eq!(syntax("[{\"a\":-}]").0, pointer("/0/a", 7));
    assert_eq!(syntax("[{\"a\":1.}]").0, pointer("/0/a", 8));
    assert_eq!(syntax("[{\"a\":\"\\ud800\"}]").0, pointer("/0/a", 13));
    assert_eq!(syntax("[{\"a\":\"\\udc00\\ud800\"}]").0, pointer("/0/a", 13));
    assert_eq!(syntax("[{\"a\":\"\\x\"}]").0, pointer("/0/a", 8));
    assert_eq!(syntax("[{\"a\":\"b\nc\"}]").0, pointer("/0/a", 8));
    assert_eq!(syntax("[{\"a\":\"b").0, pointer("/0/a", 8));
    assert_eq!(syntax("{\"rows\":[]}").0, pointer("", 0));
    assert_eq!(syntax("[{\"a\":1}").0, pointer("/0", 8));
    let fine = imported("\u{feff} [ { \"a\" : \"\\ud83d\\ude00\\n\\u00e9\" , \"b\" : -1.5e3 } , { } ] ");
    assert_eq!(column(&fine.dataset, "a").cell(0), CellRef::Text("😀\né"));
    assert_eq!(column(&fine.dataset, "b").cell(0), CellRef::Number(-1500.0));
    assert_eq!(
        column(&fine.dataset, "b").cell(1),
        CellRef::Missing(Missing::Absent)
    );
}

#[test]
fn declarations_that_the_data_contradict() {
    let declare = |kind| ImportOptions::named("t").declare(Declaration::of("x").kind(kind));
    let error = import(b"x\n1\n2\nthree\n", &declare(ColumnKind::Numeric)).unwrap_err();
    assert!(
        matches!(&error, ImportError::NotANumber { column, place, value, .. }
        if column == "x" && *place == line(4, 3) && value == "three")
    );
    assert_eq!(error.refusal().subjects(), ["x"]);
    assert!(import(b"x\n1\n2\n3\n", &declare(ColumnKind::Numeric)).is_ok());
    for (text, problem) in [
        ("x\n9007199254740993\n", "2^53"),
        ("x\n1e400\n", "double"),
        ("[{\"x\":\"12\"}]", "JSON string"),
    ] {
        let error = import(text.as_bytes(), &declare(ColumnKind::Numeric)).unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
    }
    let error = import(b"x\n2007-01-01\n2007\n", &declare(ColumnKind::Temporal)).unwrap_err();
    assert!(matches!(error, ImportError::NotADate { place, .. } if place == line(3, 2)));
    assert!(import(b"x\n2007-01-01\nNA\n", &declare(ColumnKind::Temporal)).is_ok());
    assert!(matches!(
        import(b"x\n1\n", &declare(ColumnKind::Unknown)),
        Err(ImportError::Option { .. })
    ));
    let twice = declare(ColumnKind::Text).declare(Declaration::of("x"));
    assert!(matches!(
        import(b"x\n1\n", &twice),
        Err(ImportError::Option { .. })
    ));
    let padded = import(b"x\n007\n008\n", &declare(ColumnKind::Numeric)).unwrap();
    assert_eq!(column(&padded.dataset, "x").cell(0), CellRef::Integer(7));
}

#[test]
fn options_that_can_not_be_followed() {
    let text = b"species,body_mass_g\na,1\nb,2\n";
    let near = import(text, &ImportOptions::named("t").with_key("body mass")).unwrap_err();
    assert_eq!(
        near,
        ImportError::UnknownColumn {
            name: "body mass".to_owned(),
            purpose: "name the rows",
            nearest: Some("body_mass_g".to_owned()),
        }
    );
    assert!(near.to_string().contains("did you mean `body_mass_g`?"));
    let far = import(text, &ImportOptions::named("t").declare(Declaration::of("wing"))).unwrap_err();
    assert!(matches!(far, ImportError::UnknownColumn { nearest: None, .. }));
    assert_eq!(
        import(text, &ImportOptions::named("")).unwrap_err(),
        ImportError::NoName
    );
    for (delimiter, quote) in [
        (Some('"'), None),
        (Some('é'), None),
        (Some('a'), None),
        (Some('\n'), None),
    ] {
        let options = ImportOptions {
            delimiter,
            quote,
            ..ImportOptions::named("t")
        };
        assert!(
            matches!(import(text, &options), Err(ImportError::Option { .. })),
            "{delimiter:?}"
        );
    }
    let spaced = ImportOptions {
        missing_tokens: Some(vec![" NA".to_owned()]),
        ..ImportOptions::named("t")
    };
    assert!(matches!(import(text, &spaced), Err(ImportError::Option { .. })));
}

#[test]
fn keys_are_there_and_unique() {
    let options = ImportOptions::named("t").with_key("id");
    let good = import(b"id,x\nb,1\na,2\n", &options).unwrap();
    assert_eq!(good.dataset.row_key(0).as_str(), "b");
    assert_eq!(
        (good.dataset.row_of_key("a"), good.dataset.row_of_key("c")),
        (Some(1), None)
    );
    assert_eq!(good.dataset.row_of_key("row:1"), None);
    assert_eq!(
        column(&good.dataset, "id").model().scale(),
        crate::Scale::Identifier
    );
    assert_eq!(
        import(b"id,x\nb,1\na,2\nb,3\na,4\n", &options).unwrap_err(),
        ImportError::KeyRepeated {
            column: "id".to_owned(),
            key: "b".to_owned(),
            first_row: 1,
            row: 3,
        }
    );
    assert_eq!(
        import(b"id,x\nb,1\n,2\n", &options).unwrap_err(),
        ImportError::KeyMissing {
            column: "id".to_owned(),
            row: 2,
        }
    );
    let numbers = import(b"id,x\n12,1\n3,2\n", &options).unwrap().dataset;
    assert_eq!(
        (
            numbers.row_of_key("12"),
            numbers.row_of_key("3"),
            numbers.row_of_key("03")
        ),
        (Some(0), Some(1), None)
    );
}

#[test]
fn limits_are_kept_and_named() {
    let within = |limits: Limits| {
        let options = ImportOptions {
            limits,
            ..ImportOptions::named("t")
        };
        import(b"aa,b\n12345,2\n3,4\n", &options).map(|import| import.dataset.n_rows())
    };
    let exact = Limits {
        max_bytes: 17,
        max_rows: 2,
        max_columns: 2,
        max_cells: 4,
        max_cell_bytes: 5,
    };
    assert_eq!(within(exact), Ok(2));
    let bound = |limits| match within(limits) {
        Err(ImportError::Limit { bound, .. }) => bound,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        bound(Limits {
            max_bytes: 16,
            ..exact
        }),
        Bound::Bytes
    );
    assert_eq!(bound(Limits { max_rows: 1, ..exact }), Bound::Rows);
    assert_eq!(
        bound(Limits {
            max_columns: 1,
            ..exact
        }),
        Bound::Columns
    );
    assert_eq!(
        bound(Limits {
            max_cells: 3,
            ..exact
        }),
        Bound::Cells
    );
    assert_eq!(
        bound(Limits {
            max_cell_bytes: 4,
            ..exact
        }),
        Bound::CellBytes
    );
    let json = |limits| {
        let options = ImportOptions {
            limits,
            ..ImportOptions::named("t")
        };
        import(b"[{\"aa\":\"12345\",\"b\":2},{\"b\":3}]", &options).map(|import| import.dataset.n_rows())
    };
    let exact = Limits {
        max_bytes: 99,
        ..exact
    };
    assert_eq!(json(exact), Ok(2));
    for limits in [
        Limits { max_rows: 1, ..exact },
        Limits {
            max_columns: 1,
            ..exact
        },
        Limits {
            max_cells: 3,
            ..exact
        },
        Limits {
            max_cell_bytes: 4,
            ..exact
        },
    ] {
        assert!(
            matches!(json(limits), Err(ImportError::Limit { place: Some(_), .. })),
            "{limits:?}"
        );
    }
}

#[test]
fn other_bytes_than_the_recipe_was_made_for() {
    let import = imported("a,b,c\n1,x,2007-01-01\n2,y,NA\n");
    let again = |text: &str| reimport(text.as_bytes(), &import.recipe);
    assert_eq!(
        again("a,b,c\n1,x,2007-01-01\n2,y,NA\n"),
        Ok(import.dataset.clone())
    );
    for other in [
        "a,b\n1,x\n",
        "a,b,d\n1,x,2007-01-01\n",
        "a,b,c\n1.5,x,2007-01-01\n",
        "a,b,c\none,x,2007-01-01\n",
        "a,b,c\n1,x,yesterday\n",
        "\u{feff}a,b,c\n1,x,2007-01-01\n2,y,NA\n",
    ] {
        assert!(
            matches!(again(other), Err(ImportError::RecipeMismatch { .. })),
            "{other}"
        );
    }
    let tight = Limits {
        max_rows: 1,
        ..Limits::DEFAULT
    };
    let error = reimport_within(b"a,b,c\n1,x,2007-01-01\n2,y,NA\n", &import.recipe, &tight).unwrap_err();
    assert!(matches!(
        error,
        ImportError::Limit {
            bound: Bound::Rows,
            ..
        }
    ));
}

#[test]
fn every_error_is_a_refusal_with_a_way_out() {
    for text in [
        "",
        " ",
        "a\n",
        "[]",
        "[{}]",
        "PAR1",
        "a,a\n1,2\n",
        "a,\n1,2\n",
        "1\n2\n",
        "a,b\n1\n",
        "a\n\"b\n",
        "[",
        "[{\"a\":[]}]",
        "[{\"a\":1,\"a\":1}]",
    ] {
        let error = refused(text);
        let refusal = error.refusal();
        assert_eq!(
            (refusal.code(), refusal.stage()),
            (Code::InvalidInput, Stage::DecodeIntegrity)
        );
        assert_eq!(refusal.cause().text, error.to_string());
        assert!(refusal.retry().is_some_and(|retry| !retry.is_empty()));
        assert_eq!(refusal.cause().place.is_some(), error.place().is_some());
    }
}
