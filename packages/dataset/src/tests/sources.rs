//! How text sources are read: encodings, gzip, line ends, marks, headers; each beside a file that is read as it is.

use std::io::Write as _;

use super::{column, imported, notes, refused};
use crate::{
    CellRef, Compression, Encoding, Format, Header, ImportError, ImportOptions, Imported, Place, import,
    reimport,
};

fn options(change: impl FnOnce(&mut ImportOptions)) -> ImportOptions {
    let mut options = ImportOptions::named("t");
    change(&mut options);
    options
}

/// Imports under what is stated, and again by the recipe alone.
fn stated(bytes: &[u8], change: impl FnOnce(&mut ImportOptions)) -> Imported {
    let imported = import(bytes, &options(change)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(reimport(bytes, &imported.recipe).unwrap(), imported.dataset);
    imported
}

fn refused_when(bytes: &[u8], change: impl FnOnce(&mut ImportOptions)) -> ImportError {
    import(bytes, &options(change)).expect_err("a refusal")
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn utf16(text: &str, high_first: bool) -> Vec<u8> {
    let pair = |unit: u16| {
        if high_first {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    };
    text.encode_utf16().flat_map(pair).collect()
}

#[test]
fn one_table_in_six_encodings_is_one_dataset() {
    let text = "name,x\ncafé,1\nnaïve,2\n";
    let plain = imported(text);
    let with_mark = |encoding: &[u8], rest: Vec<u8>| [encoding.to_vec(), rest].concat();
    for (bytes, encoding) in [
        (
            with_mark(b"\xef\xbb\xbf", text.as_bytes().to_vec()),
            Encoding::Utf8Bom,
        ),
        (with_mark(b"\xff\xfe", utf16(text, false)), Encoding::Utf16Le),
        (with_mark(b"\xfe\xff", utf16(text, true)), Encoding::Utf16Be),
    ] {
        let found = stated(&bytes, |_| {});
        assert_eq!(found.recipe.body().encoding, Some(encoding));
        assert_eq!(found.dataset.fingerprint(), plain.dataset.fingerprint());
    }
    for (bytes, encoding) in [
        (utf16(text, false), Encoding::Utf16Le),
        (b"name,x\ncaf\xe9,1\nna\xefve,2\n".to_vec(), Encoding::Windows1252),
        (b"name,x\ncaf\x8e,1\nna\x95ve,2\n".to_vec(), Encoding::Macintosh),
    ] {
        let found = stated(&bytes, |options| options.encoding = Some(encoding));
        assert_eq!(found.recipe.body().encoding, Some(encoding));
        assert_eq!(found.dataset.fingerprint(), plain.dataset.fingerprint());
        assert!(
            import(&bytes, &ImportOptions::named("t")).is_err(),
            "{encoding} is not guessed"
        );
    }
}

#[test]
fn a_refused_byte_shows_what_it_would_say() {
    let error = import(b"name\nM\xfcller\n", &ImportOptions::named("t")).unwrap_err();
    let ImportError::NotUtf8 { suggestions, .. } = &error else {
        panic!("{error}")
    };
    let readings: Vec<(Encoding, &str)> = suggestions
        .iter()
        .map(|suggestion| (suggestion.encoding, suggestion.reading.as_str()))
        .collect();
    assert_eq!(readings[0], (Encoding::Windows1252, "Müller"));
    assert!(
        readings.contains(&(Encoding::Windows1251, "Mьller")),
        "{readings:?}"
    );
    let japanese = encoding_rs::SHIFT_JIS
        .encode("名前,年\n太郎,3\n花子,4\n")
        .0
        .into_owned();
    let error = import(&japanese, &ImportOptions::named("t")).unwrap_err();
    assert!(error.to_string().contains("Shift_JIS"), "{error}");
    let found = stated(&japanese, |options| options.encoding = Some(Encoding::ShiftJis));
    assert_eq!(found.dataset.columns()[0].name(), "名前");
}

#[test]
fn what_is_stated_about_an_encoding_is_held_to() {
    let marked = b"\xef\xbb\xbfa\n1\n";
    assert!(matches!(
        refused_when(marked, |options| options.encoding = Some(Encoding::Windows1252)),
        ImportError::EncodingContradicted {
            marked: Encoding::Utf8Bom,
            stated: Encoding::Windows1252
        }
    ));
    assert_eq!(
        stated(marked, |options| options.encoding = Some(Encoding::Utf8))
            .dataset
            .n_rows(),
        1
    );
    let error = refused_when(b"a\n\x81\x20\n", |options| {
        options.encoding = Some(Encoding::ShiftJis);
    });
    assert!(
        matches!(
            error,
            ImportError::NotInEncoding {
                offset: 2,
                byte: 0x81,
                line: 2,
                ..
            }
        ),
        "{error}"
    );
    let odd = stated(b"a,b\nx\x81,1\n", |options| {
        options.encoding = Some(Encoding::Windows1252);
    });
    assert_eq!(notes(&odd, None), ["CONTROL_CHARACTERS"]);
    let nul = refused_when(&utf16("a,b\n1,2\n", false), |_| {});
    assert!(
        matches!(
            nul,
            ImportError::NotText {
                looks_utf16: true,
                ..
            }
        ),
        "{nul}"
    );
    assert!(nul.refusal().to_string().contains("--encoding UTF-16LE"));
}

#[test]
fn gzip_around_every_format_changes_nothing_but_the_recipe() {
    for text in [
        "a,b\n1,x\n2,y\n",
        "[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"}]",
        "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n",
    ] {
        let plain = imported(text);
        let bytes = packed(text.as_bytes());
        let found = stated(&bytes, |_| {});
        assert_eq!(found.dataset, plain.dataset);
        assert_eq!(found.recipe.body().format, plain.recipe.body().format);
        assert_eq!(found.recipe.body().compression, Some(Compression::Gzip));
        assert_eq!(plain.recipe.body().compression, None);
        assert!(matches!(
            reimport(text.as_bytes(), &found.recipe),
            Err(ImportError::RecipeMismatch { .. })
        ));
    }
    let cut = packed(b"a,b\n1,2\n");
    let error = refused_when(&cut[..cut.len() - 4], |_| {});
    assert!(
        matches!(error, ImportError::Gzip { cut_short: true, .. }),
        "{error}"
    );
    let bomb = packed(&vec![b'1'; 2_000_000]);
    let error = refused_when(&bomb, |options| options.limits.max_bytes = 1_000_000);
    assert!(matches!(error, ImportError::Limit { .. }), "{error}");
}

#[test]
fn lines_end_as_they_will_and_are_counted_right() {
    let lf = imported("a,b\n1,x\n2,y\n");
    for text in ["a,b\r1,x\r2,y\r", "a,b\r\n1,x\r\n2,y", "a,b\r1,x\r2,y"] {
        assert_eq!(imported(text).dataset, lf.dataset, "{text:?}");
        assert!(notes(&imported(text), None).is_empty());
    }
    let mixed = imported("a,b\r\n1,x\n2,y\r");
    assert_eq!(mixed.dataset, lf.dataset);
    assert_eq!(notes(&mixed, None), ["MIXED_LINE_ENDS"]);
    // A line break inside quotes ends no line of the table.
    assert!(notes(&imported("a,b\r\n1,\"x\ny\"\r\n"), None).is_empty());
    for (text, line) in [
        ("a,b\r1,x\r2\r", 3),
        ("a,b\r\n\r\n1,x\r\n2", 4),
        ("a,b\n1,\"x\ry\"\n2\n", 4),
    ] {
        let error = refused(text);
        assert!(
            matches!(&error, ImportError::Ragged { place, .. } if *place == Place::Line { line, row: 2 }),
            "{text:?}: {error}"
        );
    }
}

#[test]
fn a_last_line_without_an_end_is_a_row_and_nothing_more() {
    let whole = imported("a,b\n1,x\n2,y\n");
    assert_eq!(imported("a,b\n1,x\n2,y").dataset, whole.dataset);
    let cut = refused("a,b\n1,x\n2");
    assert!(matches!(
        cut,
        ImportError::Ragged {
            place: Place::Line { line: 3, row: 2 },
            ..
        }
    ));
    assert_eq!(cut.to_string(), "line 3 (row 2) has 1 field, the header has 2");
    let open = refused("a,b\n1,x\n2,\"y");
    assert!(matches!(
        open,
        ImportError::Quoting {
            place: Place::Line { line: 3, row: 2 },
            ..
        }
    ));
}

#[test]
fn a_decimal_comma_is_detected_where_nothing_speaks_against_it() {
    let german = imported("art;masse\nA;2,25\nB;0,5\nC;12\n");
    let masse = column(&german.dataset, "masse");
    assert_eq!(masse.cell(0), CellRef::Number(2.25));
    assert_eq!(notes(&german, None), ["DECIMAL_COMMA"]);
    assert_eq!(
        german.dataset.fingerprint(),
        imported("art,masse\nA,2.25\nB,0.5\nC,12\n").dataset.fingerprint()
    );
    let stated_point = stated(b"art;masse\nA;3,14\nB;0,5\n", |options| {
        options.decimal_mark = Some('.');
    });
    assert_eq!(
        column(&stated_point.dataset, "masse").cell(0),
        CellRef::Text("3,14")
    );
    // A number with a point beside it, or three digits behind every comma: nobody can know.
    for text in ["a;b\n3,14;2.5\n", "a;b\n1,234;x\n5,678;y\n"] {
        let unclear = imported(text);
        assert_eq!(
            column(&unclear.dataset, "a").kind(),
            crate::ColumnKind::Categorical,
            "{text}"
        );
        assert_eq!(notes(&unclear, Some("a")), ["OTHER_NUMBERS"]);
    }
    // Under a decimal comma, points are separators, which nobody declared.
    let grouped = "n;m\n1.234,56;1,5\n7,5;2,5\n";
    let found = imported(grouped);
    assert_eq!(column(&found.dataset, "n").cell(0), CellRef::Text("1.234,56"));
    let declared = stated(grouped.as_bytes(), |options| options.thousands = Some('.'));
    assert_eq!(column(&declared.dataset, "n").cell(0), CellRef::Number(1234.56));
    assert!(matches!(
        refused_when(b"a;b\n3,14;2\n", |options| options.thousands = Some('x')),
        ImportError::Option { .. }
    ));
}

#[test]
fn a_header_is_looked_for_and_can_be_stated() {
    let none = imported("5.1,3.5,setosa\n4.9,3.0,setosa\n");
    assert_eq!(notes(&none, None), ["NO_HEADER"]);
    assert_eq!(
        (none.dataset.n_rows(), none.dataset.columns()[2].name()),
        (2, "column_3")
    );
    for text in [
        "country,1990,1991,1992\nA,1,2,3\n",
        "q,0.25,0.5,0.75\nA,1,2,3\n",
        "x,2020,2019\nA,1,2\n",
    ] {
        let names = imported(text);
        assert_eq!(
            (names.dataset.n_rows(), notes(&names, None)),
            (1, vec!["NUMERIC_NAMES".to_owned()]),
            "{text}"
        );
    }
    for text in ["1,2\n3,4\n", "150,4,a\n1,2,3\n", "2001,2002\n3,4\n"] {
        let error = refused(text);
        assert!(
            matches!(error, ImportError::HeaderLooksLikeData { .. }),
            "{text}: {error}"
        );
        let way = error.refusal().to_string();
        assert!(
            ["--header yes", "--header no", "--skip-lines 1"]
                .iter()
                .all(|flag| way.contains(flag))
        );
        let yes = stated(text.as_bytes(), |options| options.header = Some(Header::Present));
        let no = stated(text.as_bytes(), |options| options.header = Some(Header::Absent));
        assert_eq!((yes.dataset.n_rows(), no.dataset.n_rows()), (1, 2));
    }
    assert_eq!(
        imported("a,b\n1,2\n").recipe.body().csv.as_ref().unwrap().header,
        None
    );
    let apart = refused("made by a logger\na;b\n1;2\n3;4\n");
    assert!(
        matches!(
            apart,
            ImportError::FirstLineApart {
                n_first: 1,
                n_others: 2,
                ..
            }
        ),
        "{apart}"
    );
    let spreadsheet = imported("sep=|\r\na|b\r\n1|2\r\n");
    assert_eq!(spreadsheet.dataset, imported("a,b\n1,2\n").dataset);
    assert_eq!(notes(&spreadsheet, None), ["SEPARATOR_LINE"]);
    let value = imported("Adelie,x\nAdelie,y\nGentoo,z\n");
    assert_eq!(notes(&value, Some("Adelie")), ["NAME_AS_VALUE"]);
}

#[test]
fn skipped_lines_count_as_lines() {
    let text = b"about this file\n\na,b\n1,2\n3\n";
    let error = refused_when(text, |options| options.skip_lines = 2);
    assert!(
        matches!(
            error,
            ImportError::Ragged {
                place: Place::Line { line: 5, row: 2 },
                ..
            }
        ),
        "{error}"
    );
    let found = stated(&text[..text.len() - 2], |options| options.skip_lines = 2);
    assert_eq!(
        (found.dataset.n_rows(), found.dataset.columns()[0].name()),
        (1, "a")
    );
    assert!(matches!(
        refused_when(text, |options| options.skip_lines = 5),
        ImportError::Option { .. }
    ));
}

#[test]
fn what_is_stated_about_another_format_is_not_passed_over() {
    let json = b"[{\"a\":1}]";
    let changes: [fn(&mut ImportOptions); 7] = [
        |options| options.delimiter = Some(';'),
        |options| options.decimal_mark = Some(','),
        |options| options.thousands = Some(','),
        |options| options.header = Some(Header::Present),
        |options| options.skip_lines = 1,
        |options| options.sheet = Some("one".to_owned()),
        |options| options.ends = Some(crate::Ends::Position),
    ];
    for change in changes {
        let error = refused_when(json, change);
        assert!(error.to_string().contains("is about"), "{error}");
    }
    assert_eq!(
        stated(json, |options| options.encoding = Some(Encoding::Utf8))
            .dataset
            .n_rows(),
        1
    );
}

#[test]
fn rows_on_lines_are_rows() {
    let array = imported("[{\"a\":1,\"b\":null},{\"a\":2}]");
    let lines = imported("{\"a\":1,\"b\":null}\n{\"a\":2}\n");
    assert_eq!(lines.recipe.body().format, Format::JsonLines);
    assert_eq!(lines.dataset, array.dataset);
    assert_eq!(
        imported("{\"a\":1,\"b\":null}\r\n\r\n{\"a\":2}").dataset,
        array.dataset
    );
    let broken = refused("{\"a\":1}\n{\"a\":x}\n");
    assert!(
        matches!(&broken, ImportError::JsonSyntax { place: Place::Pointer { pointer, .. }, .. } if pointer == "/1/a"),
        "{broken}"
    );
    assert!(matches!(
        refused("{\"a\":1} {\"a\":2}"),
        ImportError::JsonSyntax { .. }
    ));
    assert!(matches!(
        refused("{\"a\":{}}\n{\"a\":2}"),
        ImportError::Nested { .. }
    ));
    let one = stated(b"{\"a\":1}", |options| options.format = Some(Format::JsonLines));
    assert_eq!(one.dataset.n_rows(), 1);
}

#[test]
fn what_is_stated_about_all_rows_is_said_of_each_column() {
    use crate::{Declaration, ObservationStructure};
    let found = stated(b"a,b\n1,2\n", |options| {
        options.observation_structure = Some(ObservationStructure::Iid);
        options.declarations = vec![Declaration::of("b").observations(ObservationStructure::Grouped)];
    });
    let structure = |name| column(&found.dataset, name).model().observation_structure();
    assert_eq!(
        (structure("a"), structure("b")),
        (ObservationStructure::Iid, ObservationStructure::Grouped)
    );
}
