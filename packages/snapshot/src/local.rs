//! Local identities: a source, a node and a relation are named by what they are, never by the snapshot around them.

use evidence::wire::v1::EvidenceUse;
use identity::{CanonicalError, Digest, Identity, identify};
use kernels::wire::v1::Request;
use serde::Serialize;

use crate::wire::v1::{Node, Provenance, Relation, Source, State};
use crate::{NodeKind, RelationKind, SourceKind};

/// A source record without its identity.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SourceRecord<'a> {
    family: &'a str,
    request: &'a Request,
    analytical_request_digest: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<&'a Provenance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    analytical_content_ref: Option<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaf_ref: Option<Digest>,
    #[serde(skip_serializing_if = "<[Digest]>::is_empty")]
    further_leaf_refs: &'a [Digest],
    evidence_uses: &'a [EvidenceUse],
    state: &'a State,
}

/// What a source is before it has a name.
pub(crate) struct Unnamed {
    pub(crate) request: Request,
    pub(crate) analytical_request_digest: Digest,
    pub(crate) provenance: Option<Provenance>,
    pub(crate) analytical_content_ref: Option<Digest>,
    pub(crate) leaf_ref: Option<Digest>,
    pub(crate) further_leaf_refs: Vec<Digest>,
    pub(crate) evidence_uses: Vec<EvidenceUse>,
    pub(crate) state: State,
}

impl Unnamed {
    pub(crate) fn named(self) -> Result<Source, CanonicalError> {
        let source_id = identify(&SourceRecord {
            family: self.request.family(),
            request: &self.request,
            analytical_request_digest: self.analytical_request_digest,
            provenance: self.provenance.as_ref(),
            analytical_content_ref: self.analytical_content_ref,
            leaf_ref: self.leaf_ref,
            further_leaf_refs: &self.further_leaf_refs,
            evidence_uses: &self.evidence_uses,
            state: &self.state,
        })?;
        Ok(Source {
            source_id,
            family: self.request.family().to_owned(),
            request: self.request,
            analytical_request_digest: self.analytical_request_digest,
            provenance: self.provenance,
            analytical_content_ref: self.analytical_content_ref,
            leaf_ref: self.leaf_ref,
            further_leaf_refs: self.further_leaf_refs,
            evidence_uses: self.evidence_uses,
            state: self.state,
        })
    }
}

/// `H(semantic-source-v1, the record without sourceId)`; what the record states in its place is left out.
///
/// # Errors
/// [`CanonicalError`] when the record has no canonical text; cannot happen for a decoded one.
pub fn source_id(source: &Source) -> Result<Identity<SourceKind>, CanonicalError> {
    identify(&SourceRecord {
        family: &source.family,
        request: &source.request,
        analytical_request_digest: source.analytical_request_digest,
        provenance: source.provenance.as_ref(),
        analytical_content_ref: source.analytical_content_ref,
        leaf_ref: source.leaf_ref,
        further_leaf_refs: &source.further_leaf_refs,
        evidence_uses: &source.evidence_uses,
        state: &source.state,
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeRecord<'a> {
    source_id: Identity<SourceKind>,
    producer_semantic_id: &'a str,
    property_path: &'a str,
}

/// `H(semantic-node-v1, {sourceId, producerSemanticId, propertyPath})`.
///
/// # Errors
/// [`CanonicalError`]; cannot happen, since texts have a canonical text.
pub fn node_id(
    source_id: Identity<SourceKind>,
    producer_semantic_id: &str,
    property_path: &str,
) -> Result<Identity<NodeKind>, CanonicalError> {
    identify(&NodeRecord {
        source_id,
        producer_semantic_id,
        property_path,
    })
}

/// [`node_id`] of a node that has one.
pub(crate) fn node_id_of(node: &Node) -> Result<Identity<NodeKind>, CanonicalError> {
    node_id(node.source_id, &node.producer_semantic_id, &node.property_path)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RelationRecord<'a> {
    #[serde(rename = "type")]
    relation_type: &'a str,
    source_node_id: Identity<NodeKind>,
    target_node_id: Identity<NodeKind>,
    source_id: Identity<SourceKind>,
}

/// `H(semantic-relation-v1, {type, sourceNodeId, targetNodeId, sourceId})`.
///
/// # Errors
/// [`CanonicalError`]; cannot happen, since texts have a canonical text.
pub fn relation_id(
    relation_type: &str,
    source_node_id: Identity<NodeKind>,
    target_node_id: Identity<NodeKind>,
    source_id: Identity<SourceKind>,
) -> Result<Identity<RelationKind>, CanonicalError> {
    identify(&RelationRecord {
        relation_type,
        source_node_id,
        target_node_id,
        source_id,
    })
}

/// [`relation_id`] of a relation that has one.
pub(crate) fn relation_id_of(relation: &Relation) -> Result<Identity<RelationKind>, CanonicalError> {
    relation_id(
        &relation.relation_type,
        relation.source_node_id,
        relation.target_node_id,
        relation.source_id,
    )
}

/// The word of a state in coverage.
#[must_use]
pub const fn status(state: &State) -> &'static str {
    match state {
        State::Available {} => "AVAILABLE",
        State::Unavailable { .. } => "UNAVAILABLE",
        State::Refused { .. } => "REFUSED",
    }
}
