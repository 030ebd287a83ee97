//! The dirt that real tables have, each beside what a careful reader expects of it.

use super::{column, imported, notes};
use crate::{
    CellRef, ColumnKind, Declaration, Header, ImportError, ImportOptions, Imported, Measured, Missing, Scale,
    import, reimport,
};

macro_rules! vector {
    ($name:literal) => {
        include_bytes!(concat!("../../../../tests/vectors/dirt/", $name)).as_slice()
    };
}

/// Imports a vector, and again by its recipe alone.
fn twice(bytes: &[u8], options: &ImportOptions) -> Imported {
    let imported = import(bytes, options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(reimport(bytes, &imported.recipe).unwrap(), imported.dataset);
    imported
}

fn named(bytes: &[u8]) -> Imported {
    twice(bytes, &ImportOptions::named("t"))
}

/// How often the text `token` stands for "no value".
fn n_of_token(imported: &Imported, name: &str, token: &str) -> usize {
    let column = column(&imported.dataset, name);
    let counts = column.n_by_token();
    let at = column.missing_tokens().iter().position(|known| known == token);
    at.map_or(0, |at| counts[at])
}

#[test]
fn cars_are_rows_and_not_their_names() {
    let bytes = vector!("cars-minted.json");
    let cars = named(bytes);
    let missing = |name| {
        let column = column(&cars.dataset, name);
        (column.n_missing(), column.n_null())
    };
    assert_eq!(missing("Miles_per_Gallon"), (8, 8));
    assert_eq!(missing("Horsepower"), (6, 6));
    assert_eq!(cars.dataset.n_rows(), 406);
    assert_eq!(column(&cars.dataset, "Name").n_distinct(), 406 - 95);
    assert_eq!(cars.dataset.row_key(405).as_str(), "row:406");
    assert!(!notes(&cars, Some("Name")).contains(&"POSSIBLE_KEY".to_owned()));
    assert!(matches!(
        import(bytes, &ImportOptions::named("t").with_key("Name")),
        Err(ImportError::KeyRepeated { .. })
    ));
}

#[test]
fn a_point_and_null_are_two_states() {
    let penguins = named(vector!("penguins.json"));
    let sex = column(&penguins.dataset, "Sex");
    assert_eq!(
        (sex.kind(), sex.n_null(), sex.n_missing()),
        (ColumnKind::Categorical, 10, 10)
    );
    assert_eq!(sex.levels().unwrap().len(), 3);
    assert_eq!(notes(&penguins, Some("Sex")), ["TOKEN_KEPT"]);
    let stated = ImportOptions {
        missing_tokens: Some(vec![".".to_owned()]),
        ..ImportOptions::named("t")
    };
    let stated = twice(vector!("penguins.json"), &stated);
    let sex = column(&stated.dataset, "Sex");
    assert_eq!(
        (sex.n_null(), sex.n_missing(), sex.levels().unwrap().len()),
        (10, 11, 2)
    );
    assert_eq!(n_of_token(&stated, "Sex", "."), 1);
}

#[test]
fn titles_that_are_numbers_stay_titles_and_late_years_are_told() {
    let movies = named(vector!("movies-minted.json"));
    let title = column(&movies.dataset, "Title");
    assert_eq!((title.kind(), title.n_null()), (ColumnKind::Text, 1));
    for (row_idx, text) in [(2, "1776"), (4, "1941"), (5, "300")] {
        assert_eq!(title.cell(row_idx), CellRef::Text(text));
    }
    let date = column(&movies.dataset, "Release Date");
    assert_eq!(date.cell(1), CellRef::Text("Dec 31 2046"));
    let report = movies.report.to_string();
    assert!(
        report.contains("dates written as `Jun 12 1998` with years from 1928 to 2046; they stay text"),
        "{report}"
    );
}

#[test]
fn absent_null_and_value_are_three_states() {
    let countries = named(vector!("countries.json"));
    let comment = column(&countries.dataset, "_comment");
    assert_eq!(
        (comment.n_rows(), comment.n_absent(), comment.n_null()),
        (620, 619, 0)
    );
    assert_eq!(comment.cell(0), CellRef::Text("Data courtesy of Gapminder.org"));
    assert_eq!(comment.cell(1), CellRef::Missing(Missing::Absent));
    let before = column(&countries.dataset, "p_fertility");
    assert_eq!((before.n_absent(), before.n_null()), (62, 0));
    let three = imported("[{\"a\":1},{\"a\":null},{}]");
    let a = column(&three.dataset, "a");
    assert_eq!(
        [a.cell(0), a.cell(1), a.cell(2)],
        [
            CellRef::Integer(1),
            CellRef::Missing(Missing::Null),
            CellRef::Missing(Missing::Absent)
        ]
    );
}

#[test]
fn leading_zeros_survive() {
    let zips = named(vector!("zipcodes-head.csv"));
    let code = column(&zips.dataset, "zip_code");
    assert_eq!(
        (code.kind(), code.model().scale()),
        (ColumnKind::Text, Scale::Identifier)
    );
    assert_eq!(code.cell(0), CellRef::Text("00501"));
    assert_eq!(
        column(&zips.dataset, "latitude").number(0),
        Measured::Known(40.922326)
    );
}

#[test]
fn a_great_integer_beside_a_gap_stays_exact_or_is_refused() {
    for text in [
        "id,x\n1577134800018226901,1\n,2\n",
        "[{\"id\":1577134800018226901,\"x\":1},{\"id\":null,\"x\":2}]",
        "{\"id\":1577134800018226901,\"x\":1}\n{\"x\":2}\n",
    ] {
        let id = imported(text);
        let id = column(&id.dataset, "id");
        assert_eq!(id.cell(0), CellRef::Text("1577134800018226901"), "{text}");
        assert_eq!(id.n_missing(), 1);
        let declared = ImportOptions::named("t").declare(Declaration::of("id").kind(ColumnKind::Numeric));
        assert!(matches!(
            import(text.as_bytes(), &declared),
            Err(ImportError::NotANumber { .. })
        ));
    }
}

#[test]
fn a_line_about_the_file_is_no_header() {
    let bytes = vector!("breast_cancer-head.csv");
    let error = import(bytes, &ImportOptions::named("t")).unwrap_err();
    let ImportError::FirstLineApart {
        first,
        n_first: 4,
        n_others: 31,
        n_agreeing: 40,
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(first, &["569", "30", "malignant", "benign"]);
    assert!(error.refusal().to_string().contains("--skip-lines 1"));
    // A header of the same length would be a guess.
    let iris = vector!("iris.csv");
    let error = import(iris, &ImportOptions::named("t")).unwrap_err();
    assert!(
        matches!(&error, ImportError::HeaderLooksLikeData { header } if header[..2] == ["150", "4"]),
        "{error}"
    );
    for (bytes, n_rows, n_columns) in [(bytes, 40, 31), (iris, 150, 5)] {
        let skipped = ImportOptions {
            skip_lines: 1,
            ..ImportOptions::named("t")
        };
        let skipped = twice(bytes, &skipped);
        let dataset = &skipped.dataset;
        assert_eq!((dataset.n_rows(), dataset.columns().len()), (n_rows, n_columns));
        assert_eq!(dataset.columns()[0].name(), "column_1");
        assert_eq!(notes(&skipped, None), ["NO_HEADER"]);
        let csv = skipped.recipe.body().csv.clone().unwrap();
        assert_eq!((csv.skip_lines, csv.header), (Some(1), Some(Header::Absent)));
    }
}

#[test]
fn penguins_raw_come_whole() {
    let raw = named(vector!("penguins-raw.csv"));
    assert_eq!((raw.dataset.n_rows(), raw.dataset.columns().len()), (344, 17));
    assert_eq!(
        column(&raw.dataset, "Stage").cell(0),
        CellRef::Text("Adult, 1 Egg Stage")
    );
    assert_eq!(
        n_of_token(&raw, "Comments", "NA"),
        column(&raw.dataset, "Comments").n_missing()
    );
    assert_eq!(
        column(&raw.dataset, "Body Mass (g)")
            .model()
            .unit()
            .unwrap()
            .text(),
        "g"
    );
    assert_eq!(column(&raw.dataset, "Date Egg").kind(), ColumnKind::Temporal);
}

#[test]
fn right_to_left_names_and_joiners_are_names() {
    let text = "שם,نام\u{200c}ها,משקל (g)\nא,ب,1\nב,پ,2\n";
    let import = imported(text);
    let names: Vec<&str> = import
        .dataset
        .columns()
        .iter()
        .map(|column| column.name())
        .collect();
    assert_eq!(names, ["שם", "نام\u{200c}ها", "משקל (g)"]);
    assert!(notes(&import, None).is_empty());
    let alike = imported("a,a\u{200d}\n1,2\n");
    assert_eq!(
        (alike.dataset.columns().len(), notes(&alike, None)),
        (2, vec!["NEAR_NAMES".to_owned()])
    );
}

#[test]
fn instants_and_northings_are_exact_numbers() {
    let text = "t,north\n1577134800018,5412345.678\n1577134800019,5412345.679\n";
    let import = imported(text);
    assert_eq!(
        column(&import.dataset, "t").cell(1),
        CellRef::Integer(1_577_134_800_019)
    );
    assert_eq!(
        column(&import.dataset, "north").cell(0),
        CellRef::Number(5_412_345.678)
    );
}

#[test]
fn separators_between_digits_are_read_only_when_declared() {
    let text = "id,north\n1,\"5,412,345.678\"\n2,\"5,412,345.679\"\n";
    let found = imported(text);
    assert_eq!(column(&found.dataset, "north").kind(), ColumnKind::Categorical);
    assert_eq!(notes(&found, Some("north")), ["OTHER_NUMBERS"]);
    assert!(found.report.to_string().contains("`--thousands ','` reads them"));
    let declared = ImportOptions {
        thousands: Some(','),
        ..ImportOptions::named("t")
    };
    let declared = twice(text.as_bytes(), &declared);
    assert_eq!(
        column(&declared.dataset, "north").cell(0),
        CellRef::Number(5_412_345.678)
    );
    let plain = imported("id,north\n1,5412345.678\n2,5412345.679\n");
    assert_eq!(plain.dataset.fingerprint(), declared.dataset.fingerprint());
}

#[test]
fn codes_can_be_declared_groups() {
    let gapminder = include_bytes!("../../../../assets/samples/gapminder.json");
    let found = named(gapminder);
    assert_eq!(column(&found.dataset, "cluster").kind(), ColumnKind::Numeric);
    assert_eq!(notes(&found, Some("cluster")), ["POSSIBLE_GROUPS"]);
    let options = ImportOptions::named("t").declare(Declaration::of("cluster").kind(ColumnKind::Categorical));
    let declared = twice(gapminder, &options);
    let cluster = column(&declared.dataset, "cluster");
    assert_eq!(
        (cluster.kind(), cluster.model().scale()),
        (ColumnKind::Categorical, Scale::Nominal)
    );
    assert_eq!(cluster.levels().unwrap().len(), 6);
}
