//! Every rule of a body, broken once, beside the body that keeps them all.

use identity::{Body, Digest, Envelope, Fingerprint, Finite, Identity, Kind, Limits, SafeInteger};
use refusal::{Code, Stage};
use serde_json::Value as Json;
use snapshot::wire::v1::{SnapshotBody, State, Value};
use snapshot::{NodeKind, RelationKind, SnapshotInvalid, SourceKind, normalize, relation_id, source_id};

use crate::{MEASURES, analyses, penguin_snapshot, penguins, rows, statistics, uses};

/// A body with an available projection and summary, and a refused request.
fn body() -> SnapshotBody {
    let dataset = penguins();
    let made = analyses(&dataset, &[rows(&MEASURES), statistics(&["body_mass_g"])]);
    let refused = State::Refused {
        owning_reason: "species is CATEGORICAL".to_owned(),
    };
    let asked = [(statistics(&["species"]), refused)];
    normalize(&dataset, &made, &uses(&dataset, &made), &asked)
        .unwrap()
        .into_body()
}

fn parsed<K: Kind>(digit: char) -> Identity<K> {
    Identity::parse(&format!("{}:{}", K::TAG, String::from(digit).repeat(64))).unwrap()
}

fn place(body: &SnapshotBody, family: &str, available: bool) -> usize {
    let wanted = |source: &snapshot::wire::v1::Source| {
        source.family == family && (source.state == State::Available {}) == available
    };
    body.sources.iter().position(wanted).unwrap()
}

fn node(body: &SnapshotBody, path: &str) -> usize {
    body.nodes
        .iter()
        .position(|node| node.property_path == path)
        .unwrap()
}

/// The error of a body after a change that leaves every identity as it was.
fn broken(change: impl FnOnce(&mut SnapshotBody)) -> SnapshotInvalid {
    let mut body = body();
    body.check().unwrap();
    change(&mut body);
    let error = body.check().unwrap_err();
    let refusal = error.refusal();
    assert_eq!(
        (refusal.code(), refusal.stage()),
        (Code::InvalidInput, Stage::DecodeIntegrity)
    );
    error
}

/// The error of a body whose source was changed and given the identity of the change, with everything that names it.
fn forged(available: bool, change: impl FnOnce(&mut snapshot::wire::v1::Source)) -> SnapshotInvalid {
    broken(|body| {
        let idx = if available {
            place(body, "rows", true)
        } else {
            place(body, "statistics", false)
        };
        change(&mut body.sources[idx]);
        let (old, new) = (
            body.sources[idx].source_id,
            source_id(&body.sources[idx]).unwrap(),
        );
        body.sources[idx].source_id = new;
        for limitation in body.limitations.iter_mut().filter(|one| one.source_id == old) {
            limitation.source_id = new;
        }
        body.sources.sort_by_key(|source| source.source_id);
        body.limitations
            .sort_by(|a, b| a.code.cmp(&b.code).then(a.source_id.cmp(&b.source_id)));
    })
}

#[test]
fn declared_sets_stand_in_their_order_without_repetition() {
    let order = |error| match error {
        SnapshotInvalid::Order { place } => place,
        error => panic!("{error}"),
    };
    assert_eq!(order(broken(|body| body.coverage.swap(0, 1))), "/coverage/1");
    assert_eq!(order(broken(|body| body.sources.swap(0, 1))), "/sources/1");
    assert_eq!(order(broken(|body| body.nodes.swap(3, 4))), "/nodes/4");
    assert_eq!(order(broken(|body| body.relations.swap(0, 1))), "/relations/1");
    assert_eq!(
        order(broken(|body| body.limitations.swap(0, 1))),
        "/limitations/1"
    );
    assert_eq!(
        order(broken(|body| body.nodes.insert(0, body.nodes[0].clone()))),
        "/nodes/1"
    );
    assert_eq!(
        order(broken(|body| body.coverage.insert(0, body.coverage[0].clone()))),
        "/coverage/1"
    );
    let repeated = forged(true, |source| {
        source.evidence_uses.push(source.evidence_uses[0].clone());
    });
    assert!(order(repeated).ends_with("/evidenceUses/1"));
}

#[test]
fn local_identities_recompute() {
    let is_local =
        |error: SnapshotInvalid| assert!(matches!(error, SnapshotInvalid::LocalIdentity { .. }), "{error}");
    is_local(broken(|body| {
        let idx = place(body, "rows", true);
        body.sources[idx].analytical_content_ref = Some(Digest::of(b"other content"));
    }));
    is_local(broken(|body| {
        let idx = place(body, "rows", true);
        body.sources[idx].provenance.as_mut().unwrap().parameters.clear();
    }));
    is_local(broken(|body| body.nodes[0].producer_semantic_id.push('x')));
    is_local(broken(|body| {
        body.relations[0].source_node_id = body.relations[0].target_node_id;
    }));
    is_local(forged(true, |source| {
        source.analytical_request_digest = Digest::of(b"another request");
    }));
}

#[test]
fn references_resolve() {
    let dangles =
        |error: SnapshotInvalid| assert!(matches!(error, SnapshotInvalid::Dangling { .. }), "{error}");
    dangles(broken(|body| {
        body.limitations[0].source_id = parsed::<SourceKind>('0');
    }));
    dangles(broken(|body| {
        body.coverage[0].analytical_request_digest = Digest::from_bytes([0; 32]);
    }));
    dangles(broken(|body| {
        let idx = node(body, "mean");
        body.nodes[idx].source_id = parsed::<SourceKind>('0');
        let node = &mut body.nodes[idx];
        node.node_id =
            snapshot::node_id(node.source_id, &node.producer_semantic_id, &node.property_path).unwrap();
        body.nodes.sort_by_key(|node| node.node_id);
    }));
    dangles(broken(|body| {
        let relation = &mut body.relations[0];
        relation.target_node_id = parsed::<NodeKind>('f');
        relation.relation_id = relation_id(
            "ROW_ALIGNED",
            relation.source_node_id,
            relation.target_node_id,
            relation.source_id,
        )
        .unwrap();
        body.relations.sort_by_key(|relation| relation.relation_id);
    }));
}

#[test]
fn what_is_not_available_has_no_content() {
    let state = |error: SnapshotInvalid| match error {
        SnapshotInvalid::State { problem, .. } => problem,
        error => panic!("{error}"),
    };
    let without_content = "a source that is not AVAILABLE has no content";
    assert_eq!(
        state(forged(false, |source| source.analytical_content_ref =
            Some(Digest::of(b"forged")))),
        without_content
    );
    assert_eq!(
        state(forged(false, |source| source.leaf_ref = Some(Digest::of(b"forged")))),
        without_content
    );
    assert_eq!(
        state(forged(false, |source| source.further_leaf_refs =
            vec![Digest::of(b"forged")])),
        without_content
    );
    let evidence = body().sources[place(&body(), "rows", true)].evidence_uses.clone();
    assert_eq!(
        state(forged(false, |source| source.evidence_uses = evidence)),
        "a source that is not AVAILABLE has no evidence"
    );
    assert_eq!(
        state(forged(false, |source| source.state = State::Unavailable {
            reason: String::new()
        })),
        "a source that is not AVAILABLE says why"
    );
    assert_eq!(
        state(broken(|body| {
            let refused = body.sources[place(body, "statistics", false)].source_id;
            let idx = node(body, "mean");
            body.nodes[idx].source_id = refused;
            let node = &mut body.nodes[idx];
            node.node_id =
                snapshot::node_id(refused, &node.producer_semantic_id, &node.property_path).unwrap();
            body.nodes.sort_by_key(|node| node.node_id);
        })),
        "a source that is not AVAILABLE has no nodes"
    );
}

#[test]
fn what_is_available_has_everything() {
    let state = |error: SnapshotInvalid| match error {
        SnapshotInvalid::State { problem, .. } => problem,
        error => panic!("{error}"),
    };
    let whole = "an AVAILABLE source states its provenance and content";
    assert_eq!(state(forged(true, |source| source.provenance = None)), whole);
    assert_eq!(
        state(forged(true, |source| source.analytical_content_ref = None)),
        whole
    );
    assert_eq!(
        state(forged(true, |source| source.leaf_ref = None)),
        "a source has a leaf exactly when its family has bulk values"
    );
    assert_eq!(
        state(forged(true, |source| source.further_leaf_refs =
            vec![Digest::of(b"forged")])),
        "a source has no more further leaves than its family may give"
    );
    assert_eq!(
        state(forged(true, |source| source.evidence_uses.clear())),
        "an AVAILABLE source rests on evidence"
    );
    assert_eq!(
        state(broken(|body| {
            let idx = node(body, "mean");
            body.nodes[idx].value = None;
        })),
        "the value is not of the descriptor's type"
    );
    assert_eq!(
        state(broken(|body| {
            let idx = node(body, "mean");
            body.nodes[idx].value = Some(Value::Text("about 4 kg".to_owned()));
        })),
        "the value is not of the descriptor's type"
    );
    assert_eq!(
        state(broken(|body| {
            let idx = node(body, "mean");
            body.nodes[idx].state = State::Unavailable {
                reason: "withheld".to_owned(),
            };
        })),
        "a node that is not AVAILABLE has no value"
    );
    assert_eq!(
        state(broken(|body| {
            let idx = node(body, "meanInterval");
            body.nodes[idx].value = Some(Value::Interval(Finite::ONE, Finite::ZERO));
        })),
        "an interval runs upward"
    );
    assert_eq!(
        state(broken(|body| {
            let idx = node(body, "values");
            body.nodes[idx].descriptor.unit_status = None;
        })),
        "a unit and its standing are stated together"
    );
}

#[test]
fn nothing_that_was_asked_for_is_left_out() {
    let missing = |error: SnapshotInvalid| match error {
        SnapshotInvalid::Incomplete { what } => what,
        error => panic!("{error}"),
    };
    let dropped = missing(broken(|body| {
        let idx = node(body, "rowsExcluded");
        body.nodes.remove(idx);
    }));
    assert_eq!(dropped, "the node projection/rowsExcluded");
    assert!(missing(broken(|body| drop(body.relations.remove(0)))).starts_with("the relation "));
    assert!(missing(broken(|body| drop(body.coverage.remove(0)))).starts_with("the coverage of "));
    assert_eq!(
        missing(broken(|body| {
            body.coverage.clear();
            body.sources.clear();
        })),
        "a request"
    );
}

#[test]
fn words_are_those_of_the_vocabulary() {
    let word = |error: SnapshotInvalid| match error {
        SnapshotInvalid::Word { place, .. } => place,
        error => panic!("{error}"),
    };
    assert_eq!(
        word(broken(
            |body| body.semantic_vocabulary.version = "2.0.0".to_owned()
        )),
        "/semanticVocabulary"
    );
    assert_eq!(
        word(broken(|body| body.normalizer.digest = Digest::of(b"another"))),
        "/normalizer"
    );
    assert_eq!(word(broken(|body| body.kernel_version.clear())), "/kernelVersion");
    assert_eq!(
        word(broken(|body| body.coverage[0].status = "PARTIAL".to_owned())),
        "/coverage/0/status"
    );
    assert_eq!(
        word(broken(|body| body.limitations[0].code = "ABOUT_RIGHT".to_owned())),
        "/limitations/0/code"
    );
    assert_eq!(
        word(broken(
            |body| body.nodes[0].epistemic_status = "IMPUTED".to_owned()
        )),
        "/nodes/0/epistemicStatus"
    );
    assert_eq!(
        word(broken(
            |body| body.nodes[0].descriptor.value_type = "boolean".to_owned()
        )),
        "/nodes/0/descriptor/valueType"
    );
    let renamed = word(broken(|body| {
        let idx = node(body, "mean");
        let node = &mut body.nodes[idx];
        node.property_path = "median".to_owned();
        node.node_id = snapshot::node_id(node.source_id, &node.producer_semantic_id, "median").unwrap();
        body.nodes.sort_by_key(|node| node.node_id);
    }));
    assert!(renamed.starts_with("/nodes/"));
    let relation = word(broken(|body| {
        let relation = &mut body.relations[0];
        relation.relation_type = "CAUSES".to_owned();
        relation.relation_id = relation_id(
            "CAUSES",
            relation.source_node_id,
            relation.target_node_id,
            relation.source_id,
        )
        .unwrap();
        body.relations.sort_by_key(|relation| relation.relation_id);
    }));
    assert!(relation.ends_with("/type"));
    let approximation = forged(true, |source| {
        source.provenance.as_mut().unwrap().approximation = "NEARLY".to_owned();
    });
    assert!(word(approximation).ends_with("/provenance/approximation"));
}

#[test]
fn evidence_is_about_the_snapshots_dataset_and_kernel() {
    let about = |error: SnapshotInvalid| match error {
        SnapshotInvalid::Evidence { what, .. } => what,
        error => panic!("{error}"),
    };
    let other = Fingerprint::from_bytes([7; 32]);
    assert_eq!(
        about(forged(true, |source| source.evidence_uses[0].dataset_fingerprint = other)),
        "dataset"
    );
    assert_eq!(
        about(forged(true, |source| source.evidence_uses[0]
            .kernel_version
            .push('x'))),
        "kernel"
    );
    assert_eq!(
        about(broken(|body| body.analytical_dataset_fingerprint = other)),
        "dataset"
    );
}

#[test]
fn rows_add_up() {
    let support = |error: SnapshotInvalid| match error {
        SnapshotInvalid::Support { problem, .. } => problem,
        error => panic!("{error}"),
    };
    let changed = |change: fn(&mut snapshot::wire::v1::Provenance)| {
        support(forged(true, |source| change(source.provenance.as_mut().unwrap())))
    };
    assert_eq!(
        changed(|made| made.rows_used = SafeInteger::from(343)),
        "exclusions account for 2 rows of 1"
    );
    assert_eq!(
        changed(|made| made.rows_used = SafeInteger::from(345)),
        "345 rows used of 344"
    );
    assert_eq!(
        changed(|made| made.excluded.clear()),
        "exclusions account for 0 rows of 2"
    );
    assert_eq!(
        changed(|made| made.excluded[0].row_count = SafeInteger::from(-2)),
        "an exclusion has no reason or no row"
    );
}

#[test]
fn no_relation_is_invented() {
    let error = broken(|body| {
        let rows = body.sources[place(body, "rows", true)].source_id;
        let values: Vec<Identity<NodeKind>> = body
            .nodes
            .iter()
            .filter(|node| node.source_id == rows && node.property_path == "values")
            .map(|node| node.node_id)
            .collect();
        let existing: Vec<Identity<RelationKind>> =
            body.relations.iter().map(|one| one.relation_id).collect();
        for (from, to) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            let id = relation_id("ROW_ALIGNED", values[from], values[to], rows).unwrap();
            if !existing.contains(&id) {
                let mut invented = body.relations[0].clone();
                invented.relation_id = id;
                (invented.source_node_id, invented.target_node_id) = (values[from], values[to]);
                body.relations.push(invented);
                body.relations.sort_by_key(|relation| relation.relation_id);
                return;
            }
        }
    });
    let SnapshotInvalid::State { problem, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(problem, "no projection is the authority for this relation");
}

/// The preimage of a source is its wire record without `sourceId`, member for member.
#[test]
fn a_source_hashes_to_its_record_without_its_identity() {
    for source in &body().sources {
        let mut record = serde_json::to_value(source).unwrap();
        record.as_object_mut().unwrap().remove("sourceId").unwrap();
        let id: Identity<SourceKind> = identity::identify(&record).unwrap();
        assert_eq!(id, source.source_id);
    }
    for relation in &body().relations {
        let mut record = serde_json::to_value(relation).unwrap();
        record.as_object_mut().unwrap().remove("relationId").unwrap();
        assert_eq!(
            identity::identify::<RelationKind, _>(&record).unwrap(),
            relation.relation_id
        );
    }
    for node in &body().nodes {
        let whole = serde_json::to_value(node).unwrap();
        let record: serde_json::Map<String, Json> = ["sourceId", "producerSemanticId", "propertyPath"]
            .into_iter()
            .map(|member| (member.to_owned(), whole[member].clone()))
            .collect();
        assert_eq!(identity::identify::<NodeKind, _>(&record).unwrap(), node.node_id);
    }
}

/// Whatever single text or number of an envelope is changed, it does not open as the same snapshot.
#[test]
fn no_leaf_of_an_envelope_changes_unseen() {
    let snapshot = penguin_snapshot();
    let whole: Json = serde_json::from_slice(&snapshot.to_canonical().unwrap()).unwrap();
    let mut pointers = Vec::new();
    leaves(&whole, String::new(), &mut pointers);
    assert!(pointers.len() > 300, "{}", pointers.len());
    for pointer in pointers {
        let mut changed = whole.clone();
        let leaf = changed.pointer_mut(&pointer).unwrap();
        *leaf = match leaf {
            Json::String(text) => Json::String(format!("{text}x")),
            Json::Number(number) => Json::from(number.as_f64().unwrap() + 1.0),
            other => panic!("{other} at {pointer}"),
        };
        let bytes = serde_json::to_vec(&changed).unwrap();
        let opened = identity::decode::<Envelope<SnapshotBody>>(&bytes, &Limits::default())
            .map(|envelope| envelope.into_inner().open().is_ok());
        assert!(!opened.unwrap_or(false), "{pointer}");
    }
}

fn leaves(value: &Json, pointer: String, found: &mut Vec<String>) {
    match value {
        Json::Object(members) => {
            for (name, member) in members {
                leaves(
                    member,
                    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
                    found,
                );
            }
        }
        Json::Array(items) => {
            for (idx, item) in items.iter().enumerate() {
                leaves(item, format!("{pointer}/{idx}"), found);
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => found.push(pointer),
    }
}
