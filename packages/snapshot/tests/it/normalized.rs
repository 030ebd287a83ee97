//! What a snapshot says of the penguins, and of what is not there.

use evidence::compare_uses;
use identity::SafeInteger;
use kernels::{ROWS, STATISTICS};
use refusal::{Code, Reason};
use snapshot::wire::v1::{Node, State, Value};
use snapshot::{Path, SnapshotError, SnapshotView, column_producer, find, node, normalize, source};

use crate::{MEASURES, analyses, penguin_snapshot, penguins, rows, snapshot_of, statistics, table, uses};

fn number(node: &Node) -> f64 {
    match node.value {
        Some(Value::Number(number)) => number.get(),
        _ => panic!("{} holds no number", node.property_path),
    }
}

#[test]
fn the_rows_source_names_content_leaf_and_evidence() {
    let snapshot = penguin_snapshot();
    let mut columns = MEASURES.to_vec();
    columns.push("species");
    let analyses = analyses(&penguins(), &[rows(&columns), statistics(&MEASURES)]);
    let found: Vec<_> = snapshot.available(ROWS).collect();
    let [rows] = found[..] else {
        panic!("one projection")
    };
    assert_eq!(rows.analytical_request_digest, analyses[0].request_digest());
    assert_eq!(rows.analytical_content_ref, Some(analyses[0].content_digest()));
    assert_eq!(rows.leaf_ref, Some(analyses[0].leaf().unwrap().digest()));
    assert_eq!(rows.evidence_uses.len(), 1);
    let provenance = rows.provenance.as_ref().unwrap();
    assert_eq!(
        (provenance.total_rows.get(), provenance.rows_used.get()),
        (344, 342)
    );
    assert_eq!(
        (provenance.approximation.as_str(), provenance.sampling.as_str()),
        ("EXACT", "none")
    );
    assert_eq!(provenance.excluded[0].row_count, SafeInteger::from(2));

    let summary = snapshot.available(STATISTICS).next().unwrap();
    assert_eq!((summary.leaf_ref, summary.evidence_uses.len()), (None, 3));
    assert!(
        summary
            .evidence_uses
            .windows(2)
            .all(|pair| compare_uses(&pair[0], &pair[1]).is_lt())
    );
    assert_eq!(source(&snapshot, rows.source_id), Some(rows));
}

#[test]
fn nodes_have_their_names_types_and_units() {
    let snapshot = penguin_snapshot();
    for (column, unit) in MEASURES.into_iter().zip(["mm", "g", "mm"]) {
        let values = find(&snapshot, &column_producer(column), "values").unwrap();
        assert_eq!(node(&snapshot, values.node_id), Some(values));
        assert_eq!(
            (values.epistemic_status.as_str(), &values.value),
            ("OBSERVED", &None)
        );
        let descriptor = &values.descriptor;
        assert_eq!(
            (descriptor.label.as_str(), descriptor.value_type.as_str()),
            (column, "vector")
        );
        assert_eq!(
            (descriptor.unit.as_deref(), descriptor.unit_status.as_deref()),
            (Some(unit), Some("inferred"))
        );
        assert_eq!(descriptor.scale.as_deref(), Some("ratio"));
        let mean = find(&snapshot, &column_producer(column), "mean").unwrap();
        assert_eq!(
            (mean.epistemic_status.as_str(), mean.descriptor.unit.as_deref()),
            ("DERIVED", Some(unit))
        );
        let interval = find(&snapshot, &column_producer(column), Path::MeanInterval.word()).unwrap();
        let Some(Value::Interval(lower, upper)) = interval.value else {
            panic!("an interval")
        };
        assert!(lower.get() < number(mean) && number(mean) < upper.get());
        let quartile = |p: &str| number(find(&snapshot, &column_producer(column), p).unwrap());
        assert!(quartile("quantile:0.25") < quartile("quantile:0.75"));
        let missing = find(&snapshot, &column_producer(column), "missing").unwrap();
        assert_eq!((number(missing), missing.descriptor.unit.clone()), (2.0, None));
    }
    let species = find(&snapshot, "column:species", "values").unwrap();
    assert_eq!(species.descriptor.scale.as_deref(), Some("nominal"));
    assert_eq!(
        (&species.descriptor.unit, &species.descriptor.unit_status),
        (&None, &None)
    );
    let whole = |path: &str| number(find(&snapshot, "projection", path).unwrap());
    assert_eq!(
        (whole("rowsUsed"), whole("rowsExcluded"), whole("totalRows")),
        (342.0, 2.0, 344.0)
    );
    let keys = find(&snapshot, "projection", "rowKeys").unwrap();
    assert_eq!(
        (
            keys.descriptor.value_type.as_str(),
            keys.epistemic_status.as_str()
        ),
        ("vector", "OBSERVED")
    );
}

#[test]
fn consecutive_columns_of_a_projection_are_row_aligned() {
    let snapshot = penguin_snapshot();
    let id = |column: &str| {
        find(&snapshot, &column_producer(column), "values")
            .unwrap()
            .node_id
    };
    assert_eq!(snapshot.body().relations.len(), 3);
    let relation = snapshot
        .relation(id("flipper_length_mm"), id("body_mass_g"))
        .unwrap();
    assert_eq!(relation.source_node_id, id("flipper_length_mm"));
    assert_eq!(
        snapshot.relation(id("body_mass_g"), id("flipper_length_mm")),
        Some(relation)
    );
    assert_eq!(
        snapshot.relation(id("flipper_length_mm"), id("bill_length_mm")),
        None
    );
}

#[test]
fn limitations_carry_code_and_sentence() {
    let snapshot = penguin_snapshot();
    let rows = snapshot.available(ROWS).next().unwrap().source_id;
    let of_rows: Vec<(&str, &str)> = snapshot
        .limitations_of(rows)
        .map(|limitation| (limitation.code.as_str(), limitation.description.as_str()))
        .collect();
    assert_eq!(
        of_rows,
        [
            (
                "MEASUREMENT_ERROR_UNSTATED",
                "values as recorded; how exactly they were measured is not stated"
            ),
            ("ROWS_EXCLUDED_MISSING", "2 rows excluded: missing"),
            (
                "UNIT_INFERRED",
                "mm of flipper_length_mm, bill_length_mm; g of body_mass_g: as read off the name, not confirmed"
            ),
        ]
    );
    let summary = snapshot.available(STATISTICS).next().unwrap().source_id;
    let independence = snapshot
        .limitations_of(summary)
        .find(|one| one.code == "INDEPENDENCE_UNTESTED")
        .unwrap();
    assert!(
        independence
            .description
            .starts_with("flipper_length_mm, body_mass_g, bill_length_mm: ")
    );
    assert!(
        snapshot_of(&table("g\na\nb\na\n"), &[rows_of_g()])
            .body()
            .limitations
            .is_empty()
    );
}

fn rows_of_g() -> kernels::wire::v1::Request {
    rows(&["g"])
}

#[test]
fn what_does_not_exist_is_unavailable_with_its_reason() {
    let snapshot = snapshot_of(&table("x,y\n1,1\n,2\n"), &[statistics(&["x", "y"])]);
    let state = |column: &str, path: &str| find(&snapshot, column, path).unwrap().state.clone();
    let reason = || State::Unavailable {
        reason: "one value has no spread".to_owned(),
    };
    assert_eq!(state("column:x", "standardDeviation"), reason());
    assert_eq!(state("column:x", "meanInterval"), reason());
    assert_eq!(state("column:x", "mean"), State::Available {});
    assert_eq!(state("column:y", "standardDeviation"), State::Available {});
}

#[test]
fn a_request_that_was_not_answered_is_covered_and_has_no_value() {
    let dataset = penguins();
    let analyses = analyses(&dataset, &[rows(&MEASURES)]);
    let uses = uses(&dataset, &analyses);
    let refused = statistics(&["species"]);
    let state = State::Refused {
        owning_reason: kernels::analyze(&dataset, &refused).unwrap_err().to_string(),
    };
    let absent = State::Unavailable {
        reason: "not computed".to_owned(),
    };
    let asked = [(refused, state.clone()), (statistics(&["year"]), absent.clone())];
    let snapshot = normalize(&dataset, &analyses, &uses, &asked).unwrap();
    let mut covered: Vec<(&str, &str)> = snapshot
        .body()
        .coverage
        .iter()
        .map(|covered| (covered.family.as_str(), covered.status.as_str()))
        .collect();
    covered.sort_unstable();
    assert_eq!(
        covered,
        [
            ("rows", "AVAILABLE"),
            ("statistics", "REFUSED"),
            ("statistics", "UNAVAILABLE")
        ]
    );
    for source in snapshot
        .body()
        .sources
        .iter()
        .filter(|source| source.family == STATISTICS)
    {
        assert!(source.state == state || source.state == absent);
        assert_eq!(
            (
                source.analytical_content_ref,
                source.leaf_ref,
                source.provenance.is_some()
            ),
            (None, None, false)
        );
        assert!(source.evidence_uses.is_empty());
        assert_eq!(snapshot.nodes_of(source.source_id).count(), 0);
    }
    let without = normalize(&dataset, &analyses, &uses, &[]).unwrap();
    assert_ne!(
        without.id(),
        snapshot.id(),
        "what was asked for in vain is part of what is known"
    );
}

#[test]
fn a_name_in_two_projections_needs_its_source() {
    let snapshot = snapshot_of(
        &penguins(),
        &[rows(&["body_mass_g"]), rows(&["body_mass_g", "year"])],
    );
    assert_eq!(find(&snapshot, "column:body_mass_g", "values"), None);
    assert!(find(&snapshot, "column:year", "values").is_some());
    for source in snapshot.available(ROWS) {
        let values = snapshot
            .find_in(source.source_id, "column:body_mass_g", "values")
            .unwrap();
        assert_eq!(values.source_id, source.source_id);
    }
}

#[test]
fn analyses_need_their_own_evidence() {
    let dataset = penguins();
    let analyses = analyses(&dataset, &[rows(&MEASURES)]);
    let minted = uses(&dataset, &analyses);
    let refused = |uses: &_| normalize(&dataset, &analyses, uses, &[]).unwrap_err();

    let error = refused(&std::collections::BTreeMap::new());
    assert!(matches!(error, SnapshotError::NoEvidence { .. }));
    assert_eq!(error.refusal().reason(), Reason::MissingRequired);

    let mut wrong = minted.clone();
    wrong
        .values_mut()
        .for_each(|one| one.receipt_content_digest = identity::Digest::of(b"another"));
    let error = refused(&wrong);
    assert!(matches!(
        error,
        SnapshotError::WrongEvidence { what: "content", .. }
    ));
    assert_eq!(error.refusal().code(), Code::EvidenceUnavailable);

    let mut wrong = minted.clone();
    wrong.values_mut().for_each(|one| one.kernel_version.push('x'));
    assert!(matches!(
        refused(&wrong),
        SnapshotError::WrongEvidence { what: "kernel", .. }
    ));

    let other = table("flipper_length_mm,body_mass_g,bill_length_mm\n1,2,3\n");
    let error = normalize(&other, &analyses, &minted, &[]).unwrap_err();
    assert!(matches!(error, SnapshotError::WrongDataset { .. }));

    normalize(&dataset, &analyses, &minted, &[]).unwrap();
}

#[test]
fn requests_are_asked_once_and_answered_or_not() {
    let dataset = penguins();
    let made = analyses(&dataset, &[rows(&MEASURES)]);
    let uses = uses(&dataset, &made);
    let absent = || State::Unavailable {
        reason: "not computed".to_owned(),
    };

    assert_eq!(
        normalize(&dataset, &[], &uses, &[]).unwrap_err(),
        SnapshotError::Nothing
    );
    let twice = normalize(&dataset, &made, &uses, &[(rows(&MEASURES), absent())]).unwrap_err();
    assert!(matches!(twice, SnapshotError::RepeatedRequest { .. }));
    let claimed = [(statistics(&MEASURES), State::Available {})];
    let error = normalize(&dataset, &made, &uses, &claimed).unwrap_err();
    assert!(matches!(error, SnapshotError::NotAnswered { .. }));
    assert_eq!(error.refusal().reason(), Reason::ForgedCapability);
    let silent = [(
        statistics(&MEASURES),
        State::Unavailable {
            reason: String::new(),
        },
    )];
    assert!(matches!(
        normalize(&dataset, &made, &uses, &silent),
        Err(SnapshotError::Seal(_))
    ));
    normalize(&dataset, &made, &uses, &[(statistics(&MEASURES), absent())]).unwrap();
}
