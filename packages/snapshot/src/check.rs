//! Every rule of a snapshot that the shape of its body can't express.

use std::collections::{BTreeMap, BTreeSet};

use identity::{CanonicalError, Identity, Kind, utf16_cmp};
use kernels::{Shape, Slot, column_producer};

use crate::error::SnapshotInvalid;
use crate::local::{node_id, node_id_of, relation_id, relation_id_of, source_id, status};
use crate::vocabulary::{self, Path, ROW_ALIGNED};
use crate::wire::v1::{Coverage, Node, Provenance, SnapshotBody, Source, State, Value};
use crate::{NodeKind, RelationKind, SourceKind};

type Checked = Result<(), SnapshotInvalid>;

const APPROXIMATIONS: &[&str] = &["EXACT", "BINNED", "SAMPLED", "ESTIMATED", "BOUNDED"];

pub(crate) fn check(body: &SnapshotBody) -> Checked {
    pinned(
        "/semanticVocabulary",
        &body.semantic_vocabulary,
        &vocabulary::vocabulary(),
    )?;
    pinned("/normalizer", &body.normalizer, &vocabulary::normalizer())?;
    if body.kernel_version.is_empty() {
        return Err(word("/kernelVersion", "", "the version of a kernel"));
    }
    orders(body)?;
    let mut sources = BTreeMap::new();
    for (idx, source) in body.sources.iter().enumerate() {
        check_source(&format!("/sources/{idx}"), source, body)?;
        sources.insert(source.source_id, source);
    }
    coverage(body)?;
    nodes(body, &sources)?;
    relations(body, &sources)?;
    limitations(body, &sources)
}

/// A snapshot is written in the one vocabulary by the one normalizer of this version.
fn pinned(
    place: &str,
    found: &evidence::wire::v1::PinnedRef,
    expected: &evidence::wire::v1::PinnedRef,
) -> Checked {
    if found == expected {
        return Ok(());
    }
    let text = |pin: &evidence::wire::v1::PinnedRef| format!("{} {} {}", pin.id, pin.version, pin.digest);
    Err(word(place, &text(found), &text(expected)))
}

/// Declared sets stand in their order, each member once.
fn orders(body: &SnapshotBody) -> Checked {
    let by_coverage = |a: &Coverage, b: &Coverage| {
        let by_family = utf16_cmp(&a.family, &b.family);
        by_family
            .then_with(|| a.analytical_request_digest.cmp(&b.analytical_request_digest))
            .is_lt()
    };
    in_order("/coverage", &body.coverage, by_coverage)?;
    in_order("/sources", &body.sources, |a, b| a.source_id < b.source_id)?;
    in_order("/nodes", &body.nodes, |a, b| a.node_id < b.node_id)?;
    in_order("/relations", &body.relations, |a, b| {
        a.relation_id < b.relation_id
    })?;
    in_order("/limitations", &body.limitations, |a, b| {
        utf16_cmp(&a.code, &b.code)
            .then_with(|| a.source_id.cmp(&b.source_id))
            .is_lt()
    })
}

fn in_order<T>(list: &str, members: &[T], precedes: impl Fn(&T, &T) -> bool) -> Checked {
    match members.windows(2).position(|pair| !precedes(&pair[0], &pair[1])) {
        Some(idx) => Err(SnapshotInvalid::Order {
            place: format!("{list}/{}", idx + 1),
        }),
        None => Ok(()),
    }
}

fn check_source(place: &str, source: &Source, body: &SnapshotBody) -> Checked {
    if source.family != source.request.family() {
        return Err(word(
            &format!("{place}/family"),
            &source.family,
            source.request.family(),
        ));
    }
    let columns = source.request.columns();
    let family = kernels::family(&source.request);
    if columns.is_empty() && family.needs_columns
        || columns
            .iter()
            .enumerate()
            .any(|(idx, name)| columns[..idx].contains(name))
    {
        let problem = "a request names the columns that its family needs, each once";
        return Err(SnapshotInvalid::State {
            place: format!("{place}/request"),
            problem,
        });
    }
    let digest = identity::canonical::digest(&source.request).map_err(canonical(place))?;
    if digest != source.analytical_request_digest {
        return Err(SnapshotInvalid::LocalIdentity {
            place: format!("{place}/analyticalRequestDigest"),
            claimed: source.analytical_request_digest.to_string(),
            computed: digest.to_string(),
        });
    }
    same_identity(&format!("{place}/sourceId"), source.source_id, source_id(source))?;
    check_state(place, source)?;
    in_order(&format!("{place}/evidenceUses"), &source.evidence_uses, |a, b| {
        evidence::compare_uses(a, b).is_lt()
    })?;
    for (idx, evidence_use) in source.evidence_uses.iter().enumerate() {
        let place = || format!("{place}/evidenceUses/{idx}");
        if evidence_use.dataset_fingerprint != body.analytical_dataset_fingerprint {
            return Err(SnapshotInvalid::Evidence {
                place: place(),
                what: "dataset",
            });
        }
        if evidence_use.kernel_version != body.kernel_version {
            return Err(SnapshotInvalid::Evidence {
                place: place(),
                what: "kernel",
            });
        }
    }
    match &source.provenance {
        Some(provenance) => check_provenance(&format!("{place}/provenance"), provenance),
        None => Ok(()),
    }
}

/// An available source has everything; another has no content, no values and no evidence for them.
fn check_state(place: &str, source: &Source) -> Checked {
    let wrong = |problem| {
        Err(SnapshotInvalid::State {
            place: place.to_owned(),
            problem,
        })
    };
    match &source.state {
        State::Available {} => {
            if source.provenance.is_none() || source.analytical_content_ref.is_none() {
                return wrong("an AVAILABLE source states its provenance and content");
            }
            if source.evidence_uses.is_empty() {
                return wrong("an AVAILABLE source rests on evidence");
            }
            if source.leaf_ref.is_some() != kernels::family(&source.request).has_leaf {
                return wrong("a source has a leaf exactly when its family has bulk values");
            }
            if source.further_leaf_refs.len() > kernels::family(&source.request).further_leaves {
                return wrong("a source has no more further leaves than its family may give");
            }
        }
        State::Unavailable { reason }
        | State::Refused {
            owning_reason: reason,
        } => {
            if reason.is_empty() {
                return wrong("a source that is not AVAILABLE says why");
            }
            let has_leaf = source.leaf_ref.is_some() || !source.further_leaf_refs.is_empty();
            if source.analytical_content_ref.is_some() || has_leaf {
                return wrong("a source that is not AVAILABLE has no content");
            }
            if !source.evidence_uses.is_empty() {
                return wrong("a source that is not AVAILABLE has no evidence");
            }
        }
    }
    Ok(())
}

fn check_provenance(place: &str, provenance: &Provenance) -> Checked {
    for (name, text) in [
        ("method", &provenance.method),
        ("methodVersion", &provenance.method_version),
        ("normalization", &provenance.normalization),
        ("missingness", &provenance.missingness),
        ("sampling", &provenance.sampling),
    ] {
        if text.is_empty() {
            return Err(word(
                &format!("{place}/{name}"),
                "",
                "a text; `none` is said, not implied",
            ));
        }
    }
    if !APPROXIMATIONS.contains(&provenance.approximation.as_str()) {
        return Err(word(
            &format!("{place}/approximation"),
            &provenance.approximation,
            &APPROXIMATIONS.join(", "),
        ));
    }
    let wrong = |problem: String| {
        Err(SnapshotInvalid::Support {
            place: place.to_owned(),
            problem,
        })
    };
    let (total, used) = (provenance.total_rows.get(), provenance.rows_used.get());
    if used < 0 || used > total {
        return wrong(format!("{used} rows used of {total}"));
    }
    if provenance
        .excluded
        .iter()
        .any(|exclusion| exclusion.reason.is_empty() || exclusion.row_count.get() < 1)
    {
        return wrong("an exclusion has no reason or no row".to_owned());
    }
    let sum = provenance
        .excluded
        .iter()
        .fold(0_i64, |sum, one| sum.saturating_add(one.row_count.get()));
    if sum != total - used {
        return wrong(format!("exclusions account for {sum} rows of {}", total - used));
    }
    Ok(())
}

/// Each request is covered once, with the status of its source.
fn coverage(body: &SnapshotBody) -> Checked {
    if body.coverage.is_empty() {
        return Err(SnapshotInvalid::Incomplete {
            what: "a request".to_owned(),
        });
    }
    let key = |family: &str, digest| (family.to_owned(), digest);
    let mut by_request = BTreeMap::new();
    for (idx, source) in body.sources.iter().enumerate() {
        if by_request
            .insert(key(&source.family, source.analytical_request_digest), source)
            .is_some()
        {
            return Err(SnapshotInvalid::Order {
                place: format!("/sources/{idx}/analyticalRequestDigest"),
            });
        }
    }
    for (idx, covered) in body.coverage.iter().enumerate() {
        let place = format!("/coverage/{idx}");
        let Some(source) = by_request.remove(&key(&covered.family, covered.analytical_request_digest)) else {
            let found = format!("{} request {}", covered.family, covered.analytical_request_digest);
            return Err(SnapshotInvalid::Dangling { place, found });
        };
        if covered.status != status(&source.state) {
            return Err(word(
                &format!("{place}/status"),
                &covered.status,
                status(&source.state),
            ));
        }
    }
    match by_request.into_keys().next() {
        Some((family, digest)) => Err(SnapshotInvalid::Incomplete {
            what: format!("the coverage of {family} request {digest}"),
        }),
        None => Ok(()),
    }
}

/// Each node is one that its source's request calls for, and none of those is missing.
fn nodes(body: &SnapshotBody, sources: &BTreeMap<Identity<SourceKind>, &Source>) -> Checked {
    let mut slots: BTreeMap<(Identity<SourceKind>, String, String), Slot> = BTreeMap::new();
    for source in sources
        .values()
        .filter(|source| source.state == (State::Available {}))
    {
        for slot in kernels::slots(&source.request) {
            slots.insert((source.source_id, slot.producer.clone(), slot.path.clone()), slot);
        }
    }
    for (idx, node) in body.nodes.iter().enumerate() {
        let place = format!("/nodes/{idx}");
        same_identity(&format!("{place}/nodeId"), node.node_id, node_id_of(node))?;
        let Some(source) = sources.get(&node.source_id) else {
            return Err(dangling(&format!("{place}/sourceId"), node.source_id));
        };
        if source.state != (State::Available {}) {
            let problem = "a source that is not AVAILABLE has no nodes";
            return Err(SnapshotInvalid::State { place, problem });
        }
        let key = (
            node.source_id,
            node.producer_semantic_id.clone(),
            node.property_path.clone(),
        );
        let Some(slot) = slots.remove(&key) else {
            let found = format!("{}/{}", node.producer_semantic_id, node.property_path);
            let expected = format!("a property of the {} request", source.family);
            return Err(word(&place, &found, &expected));
        };
        check_node(&place, node, &slot)?;
    }
    match slots.into_values().next() {
        Some(slot) => Err(SnapshotInvalid::Incomplete {
            what: format!("the node {}/{}", slot.producer, slot.path),
        }),
        None => Ok(()),
    }
}

fn check_node(place: &str, node: &Node, slot: &Slot) -> Checked {
    let descriptor = &node.descriptor;
    if descriptor.value_type != slot.shape.word() {
        return Err(word(
            &format!("{place}/descriptor/valueType"),
            &descriptor.value_type,
            slot.shape.word(),
        ));
    }
    let epistemic_status = vocabulary::epistemic_status(slot.observed);
    if node.epistemic_status != epistemic_status {
        return Err(word(
            &format!("{place}/epistemicStatus"),
            &node.epistemic_status,
            epistemic_status,
        ));
    }
    let wrong = |problem| {
        Err(SnapshotInvalid::State {
            place: place.to_owned(),
            problem,
        })
    };
    if descriptor.label.is_empty() {
        return wrong("a node has a label");
    }
    if descriptor.unit.is_some() != descriptor.unit_status.is_some() {
        return wrong("a unit and its standing are stated together");
    }
    match (&node.state, &node.value, slot.shape) {
        (State::Available {}, None, Shape::Vector)
        | (State::Available {}, Some(Value::Number(_)), Shape::Number)
        | (State::Available {}, Some(Value::Text(_)), Shape::Text) => {}
        (State::Unavailable { .. } | State::Refused { .. }, None, _) if !slot.observed => {}
        (State::Available {}, Some(Value::Interval(lower, upper)), Shape::Interval) if lower <= upper => {}
        (State::Available {}, Some(Value::Interval(..)), Shape::Interval) => {
            return wrong("an interval runs upward");
        }
        (State::Available {}, ..) => return wrong("the value is not of the descriptor's type"),
        (_, None, _) => return wrong("the values of an AVAILABLE source's rows are AVAILABLE"),
        (_, Some(_), _) => return wrong("a node that is not AVAILABLE has no value"),
    }
    match &node.state {
        State::Unavailable { reason }
        | State::Refused {
            owning_reason: reason,
        } if reason.is_empty() => wrong("a node that is not AVAILABLE says why"),
        State::Available {} | State::Unavailable { .. } | State::Refused { .. } => Ok(()),
    }
}

/// Exactly the consecutive columns of each projection are related.
fn relations(body: &SnapshotBody, sources: &BTreeMap<Identity<SourceKind>, &Source>) -> Checked {
    let mut expected = BTreeSet::new();
    for (id, source) in sources {
        if source.state != (State::Available {}) || source.family != kernels::ROWS {
            continue;
        }
        for pair in source.request.columns().windows(2) {
            expected.insert(aligned(*id, pair).map_err(canonical("/relations"))?);
        }
    }
    let nodes: BTreeSet<Identity<NodeKind>> = body.nodes.iter().map(|node| node.node_id).collect();
    for (idx, relation) in body.relations.iter().enumerate() {
        let place = format!("/relations/{idx}");
        if relation.relation_type != ROW_ALIGNED {
            return Err(word(
                &format!("{place}/type"),
                &relation.relation_type,
                ROW_ALIGNED,
            ));
        }
        same_identity(
            &format!("{place}/relationId"),
            relation.relation_id,
            relation_id_of(relation),
        )?;
        for (end, id) in [
            ("sourceNodeId", relation.source_node_id),
            ("targetNodeId", relation.target_node_id),
        ] {
            if !nodes.contains(&id) {
                return Err(dangling(&format!("{place}/{end}"), id));
            }
        }
        if !sources.contains_key(&relation.source_id) {
            return Err(dangling(&format!("{place}/sourceId"), relation.source_id));
        }
        if !expected.remove(&relation.relation_id) {
            let problem = "no projection is the authority for this relation";
            return Err(SnapshotInvalid::State { place, problem });
        }
    }
    match expected.first() {
        Some(id) => Err(SnapshotInvalid::Incomplete {
            what: format!("the relation {id}"),
        }),
        None => Ok(()),
    }
}

/// The identity of the relation between two consecutive columns of a projection.
fn aligned(id: Identity<SourceKind>, pair: &[String]) -> Result<Identity<RelationKind>, CanonicalError> {
    let values = |column: &str| node_id(id, &column_producer(column), Path::Values.word());
    relation_id(ROW_ALIGNED, values(&pair[0])?, values(&pair[1])?, id)
}

fn limitations(body: &SnapshotBody, sources: &BTreeMap<Identity<SourceKind>, &Source>) -> Checked {
    let codes = vocabulary::limitation_codes();
    for (idx, limitation) in body.limitations.iter().enumerate() {
        let place = format!("/limitations/{idx}");
        if !codes.contains(&limitation.code.as_str()) {
            return Err(word(
                &format!("{place}/code"),
                &limitation.code,
                "a code of the vocabulary",
            ));
        }
        if !sources.contains_key(&limitation.source_id) {
            return Err(dangling(&format!("{place}/sourceId"), limitation.source_id));
        }
        if limitation.description.is_empty() {
            return Err(SnapshotInvalid::State {
                place,
                problem: "a limitation says what it is",
            });
        }
    }
    Ok(())
}

fn same_identity<K: Kind>(
    place: &str,
    claimed: Identity<K>,
    computed: Result<Identity<K>, CanonicalError>,
) -> Checked {
    let computed = computed.map_err(canonical(place))?;
    if claimed == computed {
        return Ok(());
    }
    Err(SnapshotInvalid::LocalIdentity {
        place: place.to_owned(),
        claimed: claimed.to_string(),
        computed: computed.to_string(),
    })
}

fn dangling<K: Kind>(place: &str, id: Identity<K>) -> SnapshotInvalid {
    SnapshotInvalid::Dangling {
        place: place.to_owned(),
        found: id.to_string(),
    }
}

fn word(place: &str, found: &str, expected: &str) -> SnapshotInvalid {
    SnapshotInvalid::Word {
        place: place.to_owned(),
        found: found.to_owned(),
        expected: expected.to_owned(),
    }
}

fn canonical(place: &str) -> impl Fn(CanonicalError) -> SnapshotInvalid + '_ {
    move |error| SnapshotInvalid::Canonical {
        place: place.to_owned(),
        problem: error.to_string(),
    }
}
