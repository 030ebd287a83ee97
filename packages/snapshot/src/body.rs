//! What a snapshot body must satisfy to be one, whoever wrote it down.

use std::collections::{BTreeMap, BTreeSet};

use identity::{Body, CanonicalError, Digest, Identity, canonical, identify, utf16_cmp};

use crate::wire::v1::{Node, Relation, SnapshotBody, Source, State};
use crate::{NodeKind, RelationKind, SourceKind};

/// The closed relation types.
pub const RELATION_TYPES: [&str; 1] = ["ROW_ALIGNED"];

/// A written snapshot that contradicts itself.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotBodyError {
    /// A declared set is out of order or holds something twice; write it in the stated order.
    #[error("{list} is out of order or repeats an element at {at}")]
    Order {
        /// The list.
        list: &'static str,
        /// The element where it happens.
        at: String,
    },
    /// A local identity does not recompute from its record; the record was edited.
    #[error("{claimed} does not recompute; its content gives {computed}")]
    LocalIdentity {
        /// As written.
        claimed: String,
        /// As computed.
        computed: String,
    },
    /// A reference leads nowhere.
    #[error("{from} points at {to}, which the snapshot does not hold")]
    Dangling {
        /// Where the reference stands.
        from: String,
        /// What it names.
        to: String,
    },
    /// A state and its members disagree: an available source without content, an unavailable one with some.
    #[error("{source_id}: {why}")]
    State {
        /// The source or node.
        source_id: String,
        /// What disagrees.
        why: &'static str,
    },
    /// A word outside the closed vocabulary.
    #[error("{word:?} is no {what}")]
    Word {
        /// Which vocabulary.
        what: &'static str,
        /// The word.
        word: String,
    },
    /// A value that has no canonical form.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

/// The identity of a source: over its record without `sourceId`.
///
/// # Errors
/// [`CanonicalError`] when the record holds a value without canonical form.
pub fn source_id(source: &Source) -> Result<Identity<SourceKind>, CanonicalError> {
    #[derive(serde::Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Record<'a> {
        family: &'a str,
        request: &'a kernels::wire::v1::Request,
        analytical_request_digest: Digest,
        #[serde(skip_serializing_if = "Option::is_none")]
        provenance: Option<&'a crate::wire::v1::Provenance>,
        #[serde(skip_serializing_if = "Option::is_none")]
        analytical_content_ref: Option<Digest>,
        #[serde(skip_serializing_if = "Option::is_none")]
        leaf_ref: Option<Digest>,
        evidence_uses: &'a [evidence::wire::v1::EvidenceUse],
        state: &'a State,
    }
    identify(&Record {
        family: &source.family,
        request: &source.request,
        analytical_request_digest: source.analytical_request_digest,
        provenance: source.provenance.as_ref(),
        analytical_content_ref: source.analytical_content_ref,
        leaf_ref: source.leaf_ref,
        evidence_uses: &source.evidence_uses,
        state: &source.state,
    })
}

/// The identity of a node: over its source, producer name and property path.
///
/// # Errors
/// [`CanonicalError`] never happens for these types; kept because the writer can say so.
pub fn node_id(
    source_id: Identity<SourceKind>,
    producer_semantic_id: &str,
    property_path: &str,
) -> Result<Identity<NodeKind>, CanonicalError> {
    #[derive(serde::Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Record<'a> {
        source_id: Identity<SourceKind>,
        producer_semantic_id: &'a str,
        property_path: &'a str,
    }
    identify(&Record { source_id, producer_semantic_id, property_path })
}

/// The identity of a relation: over its type, endpoints and authority.
///
/// # Errors
/// [`CanonicalError`] never happens for these types; kept because the writer can say so.
pub fn relation_id(
    relation_type: &str,
    source_node_id: Identity<NodeKind>,
    target_node_id: Identity<NodeKind>,
    source_id: Identity<SourceKind>,
) -> Result<Identity<RelationKind>, CanonicalError> {
    #[derive(serde::Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Record<'a> {
        r#type: &'a str,
        source_node_id: Identity<NodeKind>,
        target_node_id: Identity<NodeKind>,
        source_id: Identity<SourceKind>,
    }
    identify(&Record { r#type: relation_type, source_node_id, target_node_id, source_id })
}

impl Body for SnapshotBody {
    const ID_MEMBER: &'static str = "snapshotId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = SnapshotBodyError;

    fn check(&self) -> Result<(), SnapshotBodyError> {
        self.orders()?;
        let sources: BTreeMap<_, _> = self.sources.iter().map(|source| (source.source_id, source)).collect();
        let nodes: BTreeSet<_> = self.nodes.iter().map(|node| node.node_id).collect();
        for source in &self.sources {
            check_source(source)?;
            let covered = self.coverage.iter().any(|covered| {
                covered.family == source.family
                    && covered.analytical_request_digest == source.analytical_request_digest
                    && covered.status == status(&source.state)
            });
            if !covered {
                return Err(SnapshotBodyError::Dangling {
                    from: source.source_id.to_string(),
                    to: "its line in coverage".to_owned(),
                });
            }
        }
        for node in &self.nodes {
            check_node(node, &sources)?;
        }
        for relation in &self.relations {
            check_relation(relation, &sources, &nodes)?;
        }
        for limitation in &self.limitations {
            if !sources.contains_key(&limitation.source_id) {
                return Err(dangling(&limitation.code, &limitation.source_id));
            }
        }
        Ok(())
    }
}

impl SnapshotBody {
    fn orders(&self) -> Result<(), SnapshotBodyError> {
        ordered("coverage", &self.coverage, |c| format!("{}\u{0}{}", c.family, c.analytical_request_digest))?;
        ordered("sources", &self.sources, |s| s.source_id.to_string())?;
        ordered("nodes", &self.nodes, |n| n.node_id.to_string())?;
        ordered("relations", &self.relations, |r| r.relation_id.to_string())?;
        ordered("limitations", &self.limitations, |l| format!("{}\u{0}{}\u{0}{}", l.code, l.source_id, l.description))
    }
}

/// The word of a state.
#[must_use]
pub fn status(state: &State) -> &'static str {
    match state {
        State::Available => "AVAILABLE",
        State::Unavailable { .. } => "UNAVAILABLE",
        State::Refused { .. } => "REFUSED",
    }
}

fn ordered<T>(list: &'static str, items: &[T], key: impl Fn(&T) -> String) -> Result<(), SnapshotBodyError> {
    let keys: Vec<String> = items.iter().map(key).collect();
    for pair in keys.windows(2) {
        if utf16_cmp(&pair[0], &pair[1]) != std::cmp::Ordering::Less {
            return Err(SnapshotBodyError::Order { list, at: pair[1].replace('\u{0}', " ") });
        }
    }
    Ok(())
}

fn check_source(source: &Source) -> Result<(), SnapshotBodyError> {
    let computed = source_id(source)?;
    if computed != source.source_id {
        return Err(SnapshotBodyError::LocalIdentity {
            claimed: source.source_id.to_string(),
            computed: computed.to_string(),
        });
    }
    let request_digest = canonical::digest(&source.request)?;
    if request_digest != source.analytical_request_digest {
        return Err(SnapshotBodyError::LocalIdentity {
            claimed: source.analytical_request_digest.to_string(),
            computed: request_digest.to_string(),
        });
    }
    if !source.evidence_uses.windows(2).all(|pair| pair[0] < pair[1]) {
        return Err(SnapshotBodyError::Order { list: "evidenceUses", at: source.source_id.to_string() });
    }
    let available = source.state == State::Available;
    let why = if available && source.analytical_content_ref.is_none() {
        "available without content"
    } else if available && source.provenance.is_none() {
        "available without provenance"
    } else if !available && (source.analytical_content_ref.is_some() || source.leaf_ref.is_some()) {
        "not available, yet it has content"
    } else {
        return Ok(());
    };
    Err(SnapshotBodyError::State { source_id: source.source_id.to_string(), why })
}

fn check_node(
    node: &Node,
    sources: &BTreeMap<Identity<SourceKind>, &Source>,
) -> Result<(), SnapshotBodyError> {
    let Some(source) = sources.get(&node.source_id) else {
        return Err(dangling(&node.node_id.to_string(), &node.source_id));
    };
    let computed = node_id(node.source_id, &node.producer_semantic_id, &node.property_path)?;
    if computed != node.node_id {
        return Err(SnapshotBodyError::LocalIdentity {
            claimed: node.node_id.to_string(),
            computed: computed.to_string(),
        });
    }
    if !["OBSERVED", "DERIVED", "IMPUTED"].contains(&node.epistemic_status.as_str()) {
        return Err(SnapshotBodyError::Word { what: "grounded status", word: node.epistemic_status.clone() });
    }
    if node.state != State::Available && node.value.is_some() {
        return Err(SnapshotBodyError::State {
            source_id: node.node_id.to_string(),
            why: "not available, yet it has a value",
        });
    }
    if node.state == State::Available && source.state != State::Available {
        return Err(SnapshotBodyError::State {
            source_id: node.node_id.to_string(),
            why: "available under a source that is not",
        });
    }
    Ok(())
}

fn check_relation(
    relation: &Relation,
    sources: &BTreeMap<Identity<SourceKind>, &Source>,
    nodes: &BTreeSet<Identity<NodeKind>>,
) -> Result<(), SnapshotBodyError> {
    if !RELATION_TYPES.contains(&relation.relation_type.as_str()) {
        return Err(SnapshotBodyError::Word { what: "relation type", word: relation.relation_type.clone() });
    }
    for end in [relation.source_node_id, relation.target_node_id] {
        if !nodes.contains(&end) {
            return Err(dangling(&relation.relation_id.to_string(), &end));
        }
    }
    if !sources.contains_key(&relation.source_id) {
        return Err(dangling(&relation.relation_id.to_string(), &relation.source_id));
    }
    let computed = relation_id(
        &relation.relation_type,
        relation.source_node_id,
        relation.target_node_id,
        relation.source_id,
    )?;
    if computed != relation.relation_id {
        return Err(SnapshotBodyError::LocalIdentity {
            claimed: relation.relation_id.to_string(),
            computed: computed.to_string(),
        });
    }
    Ok(())
}

fn dangling(from: &str, to: &impl std::fmt::Display) -> SnapshotBodyError {
    SnapshotBodyError::Dangling { from: from.to_owned(), to: to.to_string() }
}
