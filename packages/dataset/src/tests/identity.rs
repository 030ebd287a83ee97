//! The dataset identity: the golden vector, what it covers and what it leaves out.

use serde_json::{Value, json};

use super::{column, imported};
use crate::column::{Cells, STATE_ABSENT, STATE_NULL, STATE_VALUE};
use crate::measure::{ObservationStructure, Scale, Status};
use crate::{Column, ColumnKind, Dataset, Edges, ImportOptions, MeasurementModel, import};

fn bare(name: &str, kind: ColumnKind, cells: Cells, states: Vec<u8>) -> Column {
    Column {
        name: name.to_owned(),
        kind,
        model: MeasurementModel {
            scale: Scale::Unknown,
            observation_structure: ObservationStructure::Unknown,
            unit: None,
            status: Status::Inferred,
            basis: Vec::new(),
        },
        cells,
        states,
        tokens: Vec::new(),
    }
}

fn levels(levels: &[&str]) -> Cells {
    Cells::Levels {
        codes: (0..2)
            .map(|code| if levels.is_empty() { 0 } else { code })
            .collect(),
        levels: levels.iter().map(|level| Box::from(*level)).collect(),
    }
}

fn edges(list: Value) -> Edges {
    let list = list.as_array().unwrap().iter();
    Edges::new(list.map(|edge| edge.as_object().unwrap().clone()).collect()).unwrap()
}

/// Rebuilt from the facts about the upstream fixture `q2-dataset-identity-golden.json`: two rows, columns U+E000 and
/// U+10000 whose UTF-16 order is not their UTF-8 order, a label that one row lacks and the other has as null, and two
/// edges with numeric and textual ends and a nested member.
fn golden() -> Dataset {
    let columns = vec![
        bare(
            "\u{e000}",
            ColumnKind::Categorical,
            levels(&["bmp-a", "bmp-b"]),
            Vec::new(),
        ),
        bare(
            "\u{10000}",
            ColumnKind::Categorical,
            levels(&["supp-a", "supp-b"]),
            Vec::new(),
        ),
        bare(
            "label",
            ColumnKind::Categorical,
            levels(&[]),
            vec![STATE_ABSENT, STATE_NULL],
        ),
        bare(
            "value",
            ColumnKind::Numeric,
            Cells::Integer(vec![42, 0]),
            vec![STATE_VALUE; 2],
        ),
    ];
    let edges = edges(json!([
        {
            "target": 1, "source": 0, "weight": 0.5, "active": true,
            "relation": { "\u{e000}": "bmp-edge", "z": 3, "\u{10000}": "supp-edge" },
        },
        { "target": "row-a", "kind": "stable", "source": "row-b" },
    ]));
    Dataset::assemble(
        "q2-cross-language-golden-v1".to_owned(),
        columns,
        2,
        None,
        Some(edges),
    )
    .unwrap()
}

#[test]
fn the_golden_vector() {
    let golden = golden();
    assert_eq!(
        golden.fingerprint().to_string(),
        "086ee326ccea7d4921c5287c2285957f0ced5b34fd1c8a3be98cb6be387bf0d9"
    );
    let other = golden.with_edges(edges(json!([{ "source": "0", "target": 1 }])));
    let numeric = golden.with_edges(edges(json!([{ "source": 0, "target": 1 }])));
    assert_ne!(other.fingerprint(), numeric.fingerprint());
    assert_ne!(other.fingerprint(), golden.fingerprint());
}

#[test]
fn edges_are_checked() {
    let refused = |list: Value| {
        let list = list.as_array().unwrap().iter();
        let error = Edges::new(list.map(|edge| edge.as_object().unwrap().clone()).collect()).unwrap_err();
        error.refusal().cause().place.clone().unwrap()
    };
    assert_eq!(
        refused(json!([{ "source": 0, "target": 1 }, { "source": 0 }])),
        "/edges/1"
    );
    assert_eq!(refused(json!([{ "source": 0, "target": null }])), "/edges/0");
    assert_eq!(
        refused(json!([{ "source": 0, "target": 1, "weight": "heavy" }])),
        "/edges/0"
    );
    assert_eq!(
        refused(json!([{ "source": 0, "target": 9_007_199_254_740_993_u64 }])),
        "/edges/0"
    );
    let plain = imported("a\n1\n").dataset;
    assert_ne!(
        plain.with_edges(edges(json!([]))).fingerprint(),
        plain.fingerprint()
    );
}

/// The same text by the general canonical writer, from the dataset's public face.
fn canonical_by_value(dataset: &Dataset) -> Vec<u8> {
    let row = |row_idx: usize| {
        let cells = dataset.columns().iter().map(|column| {
            let value = match column.cell(row_idx) {
                crate::CellRef::Number(value) => json!(value),
                crate::CellRef::Integer(value) => json!(value),
                crate::CellRef::Text(text) => json!(text),
                crate::CellRef::Missing(_) => Value::Null,
            };
            (column.name().to_owned(), value)
        });
        Value::Object(cells.collect())
    };
    let columns = dataset
        .columns()
        .iter()
        .map(|column| json!({ "name": column.name(), "type": column.kind().word() }));
    let value = json!({
        "name": dataset.name(),
        "columns": columns.collect::<Vec<_>>(),
        "rows": (0..dataset.n_rows()).map(row).collect::<Vec<_>>(),
    });
    ::identity::canonical::to_vec(&value).unwrap()
}

#[test]
fn streamed_text_is_the_canonical_text() {
    let text = "z,\u{10000},\u{e000},\"q\"\"\",d\n1,a\u{1}b,\"line\nbreak\",\\,1e21\n-0,tab\there,ü\u{7f},/,1e-7\nNA,,x,y,-0.0\n";
    let dataset = imported(text).dataset;
    let mut streamed = Vec::new();
    dataset.canonical_text(|bytes| streamed.extend_from_slice(bytes));
    assert_eq!(
        String::from_utf8_lossy(&streamed),
        String::from_utf8_lossy(&canonical_by_value(&dataset))
    );
    assert_eq!(
        ::identity::Digest::of(&streamed).hex(),
        dataset.fingerprint().to_string()
    );
    assert_eq!(column(&dataset, "d").kind(), ColumnKind::Numeric);
}

#[test]
fn a_large_dataset_is_written_in_pieces() {
    let mut text = String::from("n,g,t\n");
    for row in 0..60_000 {
        text.push_str(&format!(
            "{},{},\"note {row} of many\"\n",
            f64::from(row) / 7.0,
            ["a", "b", "c"][row as usize % 3]
        ));
    }
    let dataset = imported(&text).dataset;
    let (mut n_pieces, mut longest) = (0, 0);
    let mut whole = Vec::new();
    dataset.canonical_text(|bytes| {
        n_pieces += 1;
        longest = longest.max(bytes.len());
        whole.extend_from_slice(bytes);
    });
    assert!(
        n_pieces > 10 && longest < 66_000,
        "{n_pieces} pieces, the longest {longest}"
    );
    assert_eq!(whole, canonical_by_value(&dataset));
}

#[test]
fn what_changes_the_identity_and_what_does_not() {
    let of = |text: &str| imported(text).dataset.fingerprint();
    let base = of("a,b\n1,x\n2,y\n");
    for same in [
        "a;b\r\n1;x\r\n2;y\r\n",
        "\u{feff}a,b\n1,x\n2,y",
        "\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\"y\"\n",
        "a,b\n1.0,x\n2,y\n",
        r#"[{"a":1,"b":"x"},{"b":"y","a":2}]"#,
    ] {
        assert_eq!(of(same), base, "{same}");
    }
    for other in [
        "a,b\n2,y\n1,x\n",
        "b,a\nx,1\ny,2\n",
        "a,c\n1,x\n2,y\n",
        "a,b\n1,x\n3,y\n",
        "a,b\n1,x\n",
        "a,b\n1,x\nNA,y\n",
        r#"[{"a":"1","b":"x"},{"b":"y","a":"2"}]"#,
    ] {
        assert_ne!(of(other), base, "{other}");
    }
    let named = import(b"a,b\n1,x\n2,y\n", &ImportOptions::named("u")).unwrap();
    assert_ne!(named.dataset.fingerprint(), base);
    let keyed = import(b"a,b\n1,x\n2,y\n", &ImportOptions::named("t").with_key("b")).unwrap();
    assert_eq!(keyed.dataset.fingerprint(), base);
    // However a value is missing, it is null here.
    let token = of("a,b\n1,x\nNA,y\n");
    assert_eq!(of(r#"[{"a":1,"b":"x"},{"a":null,"b":"y"}]"#), token);
    assert_eq!(of(r#"[{"a":1,"b":"x"},{"b":"y"}]"#), token);
}

#[test]
fn recipes_travel_and_are_checked() {
    let text = "id,mass_g,when\n01,1.5,2007-01-01\n02,,2007-01-02\n";
    let import = imported(text);
    let bytes = import.recipe.to_canonical().unwrap();
    let decode = |bytes: &[u8]| {
        let envelope = ::identity::decode::<::identity::Envelope<crate::wire::v1::RecipeBody>>(
            bytes,
            &::identity::Limits::default(),
        );
        envelope.map(|checked| checked.into_inner().open())
    };
    let opened = decode(&bytes).unwrap().unwrap();
    assert_eq!(opened, import.recipe);
    assert_eq!(crate::reimport(text.as_bytes(), &opened).unwrap(), import.dataset);
    assert!(opened.id().to_string().starts_with("import-recipe-v1:"));

    let text = String::from_utf8(bytes).unwrap();
    let changed = text.replace("\"delimiter\":\",\"", "\"delimiter\":\";\"");
    assert!(matches!(
        decode(changed.as_bytes()),
        Ok(Err(::identity::SealError::IdentityMismatch { .. }))
    ));
    for (from, to) in [
        ("\"kind\":\"NUMERIC\"", "\"kind\":\"TEXT\""),
        ("\"delimiter\":\",\"", "\"delimiter\":\"\\\"\""),
        ("\"name\":\"mass_g\"", "\"name\":\"id\""),
        ("\"format\":\"CSV\"", "\"format\":\"JSON_ROWS\""),
        ("\"missingTokens\":[\"\"]", "\"missingTokens\":[\"b\",\"a\"]"),
        (
            "\"unit\":{\"status\":\"inferred\",\"system\":\"UCUM\",\"text\":\"g\"",
            "\"unit\":{\"status\":\"inferred\",\"system\":\"UCUM\",\"text\":\"\"",
        ),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        assert!(
            matches!(
                decode(changed.as_bytes()),
                Ok(Err(::identity::SealError::Invalid(_)))
            ),
            "{to}"
        );
    }
    let changed = text.replace("\"kind\":\"NUMERIC\"", "\"kind\":\"NUMBERS\"");
    assert!(decode(changed.as_bytes()).is_err());
}
