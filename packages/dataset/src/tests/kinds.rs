//! Kinds, missing tokens, units and scales: what is inferred from what, as data.

use super::{column, imported, notes};
use crate::ColumnKind::{Categorical, Numeric, Temporal, Text, Unknown};
use crate::{
    CellRef, ColumnKind, Declaration, ImportOptions, Measured, Missing, ObservationStructure, RefusedReason,
    Scale, Status, UnitSystem, import,
};

fn kind_of(cells: &[&str]) -> ColumnKind {
    let text = format!(
        "x,other\n{}\n",
        cells
            .iter()
            .map(|cell| format!("{cell},0"))
            .collect::<Vec<_>>()
            .join("\n")
    );
    column(&imported(&text).dataset, "x").kind()
}

#[test]
fn kinds_by_rule() {
    let names: Vec<String> = (0..13).map(|n| format!("name {n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let four_each: Vec<&str> = names.iter().cycle().take(52).copied().collect();
    for (cells, kind) in [
        (&["1", "2", "-3"][..], Numeric),
        (&["1.5", "2", "1e3"], Numeric),
        (&["1", "NA", "."], Numeric),
        (&["007", "123"], Text),
        (&["0", "10", "0.5"], Numeric),
        (&["00.5", "1"], Text),
        (&["9007199254740991", "1"], Numeric),
        (&["9007199254740992", "1"], Text),
        (&["1e400", "1"], Text),
        (&["+4912", "+4913"], Text),
        (&["+0.5", "-0.5"], Numeric),
        (&["+1", "2"], Numeric),
        (&["1", "2", "three"], Text),
        (&["inf", "1"], Text),
        (&["2007-11-11", "2008-01-31"], Temporal),
        (&["2007-11-11T09:30:00Z", "NA"], Temporal),
        (&["2007-11-11", "11/11/2007"], Categorical),
        (&["2007-11-11", "2007"], Text),
        (&["a", "b", "a"], Categorical),
        (&["true", "false"], Categorical),
        (&names[..12], Categorical),
        (&names, Text),
        (&four_each, Categorical),
        (&four_each[..51], Text),
        (&["", "NA", "-"], Unknown),
    ] {
        assert_eq!(kind_of(cells), kind, "{cells:?}");
    }
}

#[test]
fn reasons_name_the_first_offender() {
    let import = imported("a,b,c,d\n1,007,9007199254740992,x\n2.5,8,1,1\n");
    let why: Vec<&str> = import
        .recipe
        .body()
        .columns
        .iter()
        .map(|column| column.why.as_str())
        .collect();
    assert_eq!(
        why[0],
        "all of 2 values are numbers, 1 decimal, 1 written as integers"
    );
    assert!(why[1].contains("`007` at line 2 (row 1)"), "{}", why[1]);
    assert!(
        why[2].contains("2^53") && why[2].contains("identifiers"),
        "{}",
        why[2]
    );
    assert!(
        why[3].starts_with("mixed kinds: 1 of 2 values are numbers, but `x` at line 2"),
        "{}",
        why[3]
    );
    assert_eq!(column(&import.dataset, "b").model().scale(), Scale::Identifier);
    assert_eq!(column(&import.dataset, "b").cell(0), CellRef::Text("007"));
}

#[test]
fn integers_stay_exact() {
    let import = imported("big,mixed\n9007199254740991,9007199254740991\n-9007199254740991,0.5\n");
    assert_eq!(
        column(&import.dataset, "big").cell(0),
        CellRef::Integer(9_007_199_254_740_991)
    );
    assert_eq!(
        column(&import.dataset, "big").cell(1),
        CellRef::Integer(-9_007_199_254_740_991)
    );
    assert_eq!(
        column(&import.dataset, "mixed").cell(0),
        CellRef::Number(9_007_199_254_740_991.0)
    );
    let long = imported("x\n0.1234567890123456789\n1e-7\n");
    assert_eq!(notes(&long, Some("x")), ["PRECISION"]);
    assert_eq!(
        column(&long.dataset, "x").number(0),
        Measured::Known(0.123_456_789_012_345_68)
    );
}

#[test]
fn absent_null_token_and_value_stay_apart() {
    let import = imported(r#"[{"x":1,"g":"a"},{"x":null,"g":""},{"g":"NA"},{"x":"NA","g":null},{"x":0}]"#);
    let x = column(&import.dataset, "x");
    assert_eq!(x.kind(), Numeric);
    let states: Vec<CellRef<'_>> = (0..5).map(|row_idx| x.cell(row_idx)).collect();
    assert_eq!(
        states,
        [
            CellRef::Integer(1),
            CellRef::Missing(Missing::Null),
            CellRef::Missing(Missing::Absent),
            CellRef::Missing(Missing::Token),
            CellRef::Integer(0),
        ]
    );
    assert_eq!(
        (x.n_missing(), x.n_null(), x.n_absent(), x.n_by_token()),
        (3, 1, 1, vec![1])
    );
    assert_eq!(
        (x.missing_token(3), x.missing_token(1), x.missing_token(0)),
        (Some("NA"), None, None)
    );
    assert_eq!(x.number(2), Measured::Missing(Missing::Absent));
    assert_eq!(x.number(4), Measured::Known(0.0));
    let g = column(&import.dataset, "g");
    assert_eq!(
        g.number(0),
        Measured::Refused(RefusedReason::NotNumeric(Categorical))
    );
    assert_eq!(
        (g.missing_token(1), g.missing_token(2), g.missing(3), g.missing(4)),
        (Some(""), Some("NA"), Some(Missing::Null), Some(Missing::Absent))
    );
}

#[test]
fn missing_tokens_depend_on_the_company_they_keep() {
    let import = imported("n,t,code\n1,x,DE\n-,-,NA\n.,.,ZA\nNA,NA,US\n3,y,FR\n");
    assert_eq!(column(&import.dataset, "n").missing_tokens(), ["-", ".", "NA"]);
    assert_eq!(column(&import.dataset, "t").missing_tokens(), ["NA"]);
    assert_eq!(column(&import.dataset, "t").cell(1), CellRef::Text("-"));
    assert_eq!(notes(&import, Some("t")), ["TOKEN_KEPT", "TOKEN_KEPT"]);
    // NA among country codes is Namibia.
    assert_eq!(column(&import.dataset, "code").cell(1), CellRef::Text("NA"));
    assert_eq!(column(&import.dataset, "code").n_missing(), 0);
    assert_eq!(notes(&import, Some("code")), ["TOKEN_KEPT", "POSSIBLE_KEY"]);

    let declared = ImportOptions {
        missing_tokens: Some(vec!["-999".to_owned(), "unknown".to_owned()]),
        ..ImportOptions::named("t")
    };
    let import = crate::import(b"n,t\n-999,NA\n1,unknown\n2,b\n,c\n", &declared).unwrap();
    let n = column(&import.dataset, "n");
    assert_eq!(
        (n.kind(), n.missing_tokens(), n.n_by_token()),
        (
            Numeric,
            &["", "-999", "unknown"].map(str::to_owned)[..],
            vec![1, 1, 0]
        )
    );
    assert_eq!(column(&import.dataset, "t").cell(0), CellRef::Text("NA"));
}

#[test]
fn json_types_count() {
    let import = imported(r#"[{"s":"12","b":true,"m":1,"n":1.0},{"s":"13","b":false,"m":"a","n":2}]"#);
    assert_eq!(column(&import.dataset, "s").kind(), Categorical);
    assert_eq!(notes(&import, Some("s")), ["QUOTED_NUMBERS"]);
    assert_eq!(
        column(&import.dataset, "b").levels().unwrap(),
        [Box::from("true"), Box::from("false")]
    );
    assert_eq!(column(&import.dataset, "m").kind(), Text);
    assert_eq!(column(&import.dataset, "m").cell(0), CellRef::Text("1"));
    assert_eq!(column(&import.dataset, "n").cell(0), CellRef::Number(1.0));
}

#[test]
fn models_say_what_they_rest_on() {
    let text = "body_mass_g,temperature_Cel,year,n_children,lat,rating,share_pct,group\n1,2,2007,3,4.5,5,6,a\n2,3,2008,0,5.5,1,7,b\n";
    let import = imported(text);
    let model = |name: &str| column(&import.dataset, name).model().clone();
    for (name, scale, unit) in [
        ("body_mass_g", Scale::Ratio, Some("g")),
        ("temperature_Cel", Scale::Interval, Some("Cel")),
        ("year", Scale::Temporal, None),
        ("n_children", Scale::Count, None),
        ("lat", Scale::SpatialCoordinate, None),
        ("rating", Scale::Interval, None),
        ("share_pct", Scale::Proportion, Some("%")),
        ("group", Scale::Nominal, None),
    ] {
        let model = model(name);
        assert_eq!(
            (model.scale(), model.unit().map(|unit| unit.text())),
            (scale, unit),
            "{name}"
        );
        assert_eq!(
            (model.status(), model.observation_structure()),
            (Status::Inferred, ObservationStructure::Unknown)
        );
        assert!(!model.basis().is_empty() && model.basis().iter().all(|basis| !basis.rationale().is_empty()));
    }
    let declared = Declaration {
        column: "rating".to_owned(),
        scale: Some(Scale::Ordinal),
        observation_structure: Some(ObservationStructure::RepeatedMeasures),
        unit: Some("stars".to_owned()),
        confirmed: true,
        kind: None,
    };
    let options = ImportOptions::named("t")
        .declare(declared)
        .declare(Declaration::of("body_mass_g").unit("kg"));
    let import = crate::import(text.as_bytes(), &options).unwrap();
    let rating = column(&import.dataset, "rating").model();
    assert_eq!(
        (rating.scale(), rating.status()),
        (Scale::Ordinal, Status::Confirmed)
    );
    assert_eq!(
        rating.unit().map(|unit| (unit.text(), unit.system())),
        Some(("stars", UnitSystem::AsWritten))
    );
    let mass = column(&import.dataset, "body_mass_g").model();
    assert_eq!(
        mass.unit().map(|unit| (unit.text(), unit.status())),
        Some(("kg", Status::Declared))
    );
    assert_eq!(
        (mass.scale_status(), mass.status()),
        (Status::Inferred, Status::Inferred)
    );
}

#[test]
fn oddities_are_told_and_nothing_is_changed() {
    let text = "x,g\n 1,Male\n2,male\n3,female\n-999,female\n";
    let import = imported(text);
    assert_eq!(notes(&import, Some("x")), ["SPACES", "POSSIBLE_MISSING_CODE"]);
    assert_eq!(notes(&import, Some("g")), ["NEAR_LEVELS"]);
    assert_eq!(column(&import.dataset, "x").number(3), Measured::Known(-999.0));
    assert_eq!(column(&import.dataset, "g").levels().map(<[_]>::len), Some(3));
    let calm = imported("x,g\n97,male\n98,male\n99,female\n100,female\n");
    assert!(notes(&calm, Some("x")).is_empty() && notes(&calm, Some("g")).is_empty());
}

#[test]
fn delimiters_are_found() {
    for (text, delimiter) in [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb\n1,5\t2;5\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("a\n1\n", ","),
        ("name;note\n\"x;y\";\"a,b,c\"\n", ";"),
        ("a,b;c\n1,2;3\n", ","),
    ] {
        let import = imported(text);
        let csv = import.recipe.body().csv.as_ref().unwrap();
        assert_eq!(
            (csv.delimiter.as_str(), csv.quote.as_str()),
            (delimiter, "\""),
            "{text:?}"
        );
    }
    let options = ImportOptions {
        delimiter: Some(':'),
        quote: Some('\''),
        ..ImportOptions::named("t")
    };
    let import = import(b"a:b\n'1:5':2\n", &options).unwrap();
    assert_eq!(column(&import.dataset, "a").cell(0), CellRef::Text("1:5"));
}

#[test]
fn nearest_names() {
    let dataset = imported("bill_length_mm,body_mass_g,species\n1,2,a\n").dataset;
    for (wrong, right) in [
        ("bill_lenght_mm", Some("bill_length_mm")),
        ("Body Mass g", Some("body_mass_g")),
        ("speices", Some("species")),
        ("island", None),
    ] {
        assert_eq!(dataset.nearest_column_name(wrong), right);
    }
}
