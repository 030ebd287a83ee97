//! What a person is told who stated something that does not fit, or brought what is no table.

use crate::{Declaration, ImportError, ImportOptions, NoteCode, import};

fn with_missing(tokens: &[&str]) -> ImportOptions {
    let mut options = ImportOptions::named("t");
    options.missing_tokens = Some(tokens.iter().map(|token| (*token).to_owned()).collect());
    options
}

fn unused(csv: &str, tokens: &[&str]) -> Vec<String> {
    let report = import(csv.as_bytes(), &with_missing(tokens)).unwrap().report;
    let notes = report
        .notes()
        .filter(|(_, note)| note.code == NoteCode::TokenUnused);
    notes.map(|(_, note)| note.text.clone()).collect()
}

#[test]
fn a_token_that_no_cell_holds_is_named() {
    let csv = "a,b\n1,x\n-9,y\nNA,z\n";
    assert_eq!(
        unused(csv, &["-9", "n.a."]),
        ["`--missing n.a.`: no cell holds that text, spelled so"]
    );
    assert!(unused(csv, &["-9", "NA"]).is_empty());
    let json = br#"[{"a": "x"}, {"a": "-"}]"#;
    let told = |token: &str| import(json, &with_missing(&[token])).unwrap().report.to_string();
    assert!(!told("-").contains("no cell holds"));
    assert!(told("?").contains("no cell holds"));
}

#[test]
fn stated_tokens_take_the_place_of_the_usual_ones_and_the_report_says_so() {
    let csv = b"a\n1\nNA\n";
    let said = "the other usual texts are values";
    let stated = import(csv, &with_missing(&["1"])).unwrap().report.to_string();
    assert!(stated.contains(said), "{stated}");
    let usual = import(csv, &ImportOptions::named("t"))
        .unwrap()
        .report
        .to_string();
    assert!(!usual.contains(said), "{usual}");
}

#[test]
fn links_tell_what_they_state() {
    let graph = |link: &str| {
        let json = format!(r#"{{"nodes": [{{"id": "a"}}, {{"id": "b"}}], "links": [{link}]}}"#);
        let report = import(json.as_bytes(), &ImportOptions::named("g"))
            .unwrap()
            .report;
        (
            report.to_wire().graph.clone().unwrap().members,
            report.to_string(),
        )
    };
    let (members, told) = graph(r#"{"source": "a", "target": "b", "value": 3, "kind": "x"}"#);
    assert_eq!(members, ["kind", "value"]);
    assert!(told.contains("each may state kind, value"), "{told}");
    let (members, told) = graph(r#"{"source": "a", "target": "b"}"#);
    assert!(members.is_empty() && !told.contains("each may state"), "{told}");
}

#[test]
fn a_date_that_is_not_iso_is_shown_how() {
    let options = |csv: &str| {
        let declared = Declaration::of("day").kind(crate::ColumnKind::Temporal);
        import(csv.as_bytes(), &ImportOptions::named("t").declare(declared))
    };
    let refusal = options("day\n31.05.2024\n").unwrap_err().refusal().to_string();
    assert!(refusal.contains("2024-05-31 09:30:15"), "{refusal}");
    assert!(options("day\n2024-05-31\n").is_ok());
}

#[test]
fn a_map_is_called_a_map() {
    let refused = |json: &str| match import(json.as_bytes(), &ImportOptions::named("t")) {
        Err(ImportError::UnsupportedVariant { found, .. }) => Some(found),
        _ => None,
    };
    let geo = r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}}]}"#;
    assert_eq!(refused(geo).as_deref(), Some("a GeoJSON map"));
    let feature = r#" {"geometry": null, "properties": {"a": 1}, "type": "Feature"}"#;
    assert_eq!(refused(feature).as_deref(), Some("a GeoJSON map"));
    let topo = r#"{"type": "Topology", "arcs": [], "objects": {}}"#;
    assert_eq!(refused(topo).as_deref(), Some("a TopoJSON map"));
    // A table with such words in it is a table.
    let rows = "{\"type\": \"Feature\", \"n\": 1}\n{\"type\": \"Topology\", \"n\": 2}\n";
    assert!(import(rows.as_bytes(), &ImportOptions::named("t")).is_ok());
}

#[test]
fn an_array_of_arrays_is_no_csv() {
    let json = "[[1, 2], [3, 4]]";
    let error = import(json.as_bytes(), &ImportOptions::named("t")).unwrap_err();
    assert!(error.to_string().contains("row object"), "{error}");
    let deep = "[".repeat(100_000);
    assert!(import(deep.as_bytes(), &ImportOptions::named("t")).is_err());
    let csv = "[a],[b]\n1,2\n";
    let dataset = import(csv.as_bytes(), &ImportOptions::named("t"))
        .unwrap()
        .dataset;
    assert_eq!(dataset.columns()[0].name(), "[a]");
}

#[test]
fn one_instant_has_one_identity_in_every_format() {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, TimestampMillisecondArray};

    let fingerprint = |bytes: &[u8]| {
        let imported = import(bytes, &ImportOptions::named("t")).unwrap();
        let column = &imported.dataset.columns()[0];
        assert_eq!(column.kind(), crate::ColumnKind::Temporal);
        let text = format!("{:?}", column.cell(1));
        assert!(text.contains("\"2024-01-01T09:30:15.25\""), "{text}");
        imported.dataset.fingerprint()
    };
    let csv = fingerprint(b"at\n2024-01-01 00:00:00\n2024-01-01 09:30:15.250\n");
    assert_eq!(
        csv,
        fingerprint(b"at\n2024-01-01T00:00\n2024-01-01T09:30:15.25\n")
    );
    let json = br#"[{"at": "2024-01-01T00:00:00.000"}, {"at": "2024-01-01T09:30:15.250"}]"#;
    assert_eq!(csv, fingerprint(json));
    let instants = TimestampMillisecondArray::from(vec![1_704_067_200_000, 1_704_101_415_250]);
    let batch = super::columnar::batch(vec![("at", Arc::new(instants) as ArrayRef)]);
    for bytes in super::columnar::every_form(&batch) {
        assert_eq!(csv, fingerprint(&bytes));
    }
    let texts = arrow_array::StringArray::from(vec!["2024-01-01 00:00", "2024-01-01 09:30:15.250"]);
    let batch = super::columnar::batch(vec![("at", Arc::new(texts) as ArrayRef)]);
    for bytes in super::columnar::every_form(&batch) {
        assert_eq!(csv, fingerprint(&bytes));
    }
    // A day is not its midnight.
    let day = import(
        b"at\n2024-01-01\n2024-01-01 09:30:15.250\n",
        &ImportOptions::named("t"),
    );
    assert_ne!(csv, day.unwrap().dataset.fingerprint());
}
