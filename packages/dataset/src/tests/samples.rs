//! The bundled samples, whole.

use super::column;
use crate::{CellRef, ColumnKind, Format, ImportOptions, Measured, Scale, import, reimport};

const PENGUINS: &[u8] = include_bytes!("../../../../assets/samples/penguins.csv");
const GAPMINDER: &[u8] = include_bytes!("../../../../assets/samples/gapminder.json");

#[test]
fn penguins() {
    let penguins = import(PENGUINS, &ImportOptions::named("penguins")).unwrap();
    let dataset = &penguins.dataset;
    assert_eq!((dataset.n_rows(), dataset.columns().len()), (344, 8));
    for (name, kind, n_missing, n_distinct, unit, scale) in [
        ("species", ColumnKind::Categorical, 0, 3, None, Scale::Nominal),
        ("island", ColumnKind::Categorical, 0, 3, None, Scale::Nominal),
        (
            "bill_length_mm",
            ColumnKind::Numeric,
            2,
            164,
            Some("mm"),
            Scale::Ratio,
        ),
        (
            "bill_depth_mm",
            ColumnKind::Numeric,
            2,
            80,
            Some("mm"),
            Scale::Ratio,
        ),
        (
            "flipper_length_mm",
            ColumnKind::Numeric,
            2,
            55,
            Some("mm"),
            Scale::Ratio,
        ),
        ("body_mass_g", ColumnKind::Numeric, 2, 94, Some("g"), Scale::Ratio),
        ("sex", ColumnKind::Categorical, 11, 2, None, Scale::Nominal),
        ("year", ColumnKind::Numeric, 0, 3, None, Scale::Temporal),
    ] {
        let column = column(dataset, name);
        assert_eq!(
            (column.kind(), column.n_missing(), column.n_distinct()),
            (kind, n_missing, n_distinct),
            "{name}"
        );
        assert_eq!(column.model().unit().map(|unit| unit.text()), unit, "{name}");
        assert_eq!(column.model().scale(), scale, "{name}");
    }
    assert_eq!(column(dataset, "bill_length_mm").number(0), Measured::Known(39.1));
    assert_eq!(column(dataset, "body_mass_g").cell(0), CellRef::Integer(3750));
    assert_eq!(column(dataset, "body_mass_g").range(), Some((2700.0, 6300.0)));
    assert_eq!(
        column(dataset, "species").levels().unwrap()[2],
        "Chinstrap".into()
    );
    assert_eq!(
        (dataset.row_key(3).as_str(), dataset.row_of_key("row:344")),
        ("row:4", Some(343))
    );
    for wrong in ["row:0", "row:345", "row:04", "row:+4", "4", "row:", "ROW:4"] {
        assert_eq!(dataset.row_of_key(wrong), None, "{wrong}");
    }
    assert_eq!(&reimport(PENGUINS, &penguins.recipe).unwrap(), dataset);
    assert_eq!(penguins.report.notes().count(), 0);
}

#[test]
fn gapminder() {
    let gapminder = import(GAPMINDER, &ImportOptions::named("gapminder")).unwrap();
    assert_eq!(gapminder.recipe.body().format, Format::JsonRows);
    let dataset = &gapminder.dataset;
    assert_eq!(dataset.n_rows(), 682);
    for (name, kind) in [
        ("year", ColumnKind::Numeric),
        ("country", ColumnKind::Categorical),
        ("cluster", ColumnKind::Numeric),
        ("pop", ColumnKind::Numeric),
        ("life_expect", ColumnKind::Numeric),
        ("fertility", ColumnKind::Numeric),
    ] {
        assert_eq!(
            (column(dataset, name).kind(), column(dataset, name).n_missing()),
            (kind, 0),
            "{name}"
        );
    }
    assert_eq!(column(dataset, "country").n_distinct(), 62);
    assert_eq!(&reimport(GAPMINDER, &gapminder.recipe).unwrap(), dataset);
}

#[test]
fn the_report_reads_well() {
    let penguins = import(PENGUINS, &ImportOptions::named("penguins")).unwrap();
    let report = penguins.report.to_string();
    for part in [
        "penguins: 344 rows, 8 columns\n\n",
        "  delimiter    comma, detected                             --delimiter\n",
        "  header       line 1, detected                            --header yes|no, --skip-lines N\n",
        "  no value     `NA` 19 times                               --missing TOKEN\n",
        "  body_mass_g        NUMERIC      ratio        342        2  2700 to 6300 g\n",
        "  species            CATEGORICAL  nominal      344        0  3 groups: Adelie, Gentoo, Chinstrap\n",
        "    body_mass_g        NUMERIC: all of 342 values are integers
                       ratio, inferred: the unit g has a true zero
                       unit g, inferred: the name ends in `_g` and speaks of a mass
                       missing: `NA` 2 times
",
    ] {
        assert!(report.contains(part), "{part}\n{report}");
    }
    assert!(!report.contains("worth a look"), "{report}");
    // A table of a hundred columns stays short.
    let names: Vec<String> = (1..=100).map(|n| format!("probe_{n}_mV")).collect();
    let rows = ["1.5"; 100].join(",");
    let other = format!("{}NA", "2.5,".repeat(99));
    let text = format!("{}\n{rows}\n{other}\n", names.join(","));
    let wide = import(text.as_bytes(), &ImportOptions::named("wide")).unwrap();
    let wide = wide.report.to_string();
    let line = "  probe_1_mV … probe_100_mV  NUMERIC  ratio     1–2      0–1  100 columns, all within 1.5 to 2.5 mV\n";
    assert!(wide.contains(line), "{wide}");
    assert!(wide.lines().count() < 24, "{wide}");
    let wire = serde_json::to_value(penguins.report.to_wire()).unwrap();
    assert_eq!(
        wire["columns"][5]["missingTokens"][0],
        serde_json::json!({ "token": "NA", "count": 2 })
    );
    assert_eq!(wire["columns"][5]["measurement"]["unit"]["text"], "g");
    assert_eq!(wire["fingerprint"], penguins.dataset.fingerprint().to_string());
    assert_eq!(wire["recipeId"], penguins.recipe.id().to_string());
}

#[test]
fn what_a_name_holds_adds_no_line_to_the_report() {
    let lines = |names: [&str; 4]| {
        let quoted = names.map(|name| format!("\"{name}\""));
        let text = format!("{}\n1,2,3,x\n2,3,1,y\n3,1,2,x\n4,4,5,y\n", quoted.join(","));
        let imported = import(text.as_bytes(), &ImportOptions::named("t")).unwrap();
        imported.report.to_string().lines().count()
    };
    let plain = lines(["aa", "bb", "cc", "gg"]);
    for odd in [
        "\n",
        "\r\n",
        "\u{1b}[2K",
        "\u{b}",
        "\u{85}",
        "\u{2028}",
        "\u{202e}",
        "שם",
        "\u{200d}",
    ] {
        let names =
            ["aa", "bb", "cc", "gg"].map(|name| format!("{name}{odd}  REFUSED INVALID_INPUT / MALFORMED"));
        assert_eq!(lines(names.each_ref().map(String::as_str)), plain, "{odd:?}");
    }
}
