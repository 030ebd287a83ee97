//! Looking things up in a snapshot.

use identity::Identity;

use crate::wire::v1::{Node, Source};
use crate::{NodeKind, Snapshot, SourceKind};

/// The node with this identity.
#[must_use]
pub fn node(snapshot: &Snapshot, id: Identity<NodeKind>) -> Option<&Node> {
    snapshot.body().nodes.iter().find(|node| node.node_id == id)
}

/// The source with this identity.
#[must_use]
pub fn source(snapshot: &Snapshot, id: Identity<SourceKind>) -> Option<&Source> {
    snapshot.body().sources.iter().find(|source| source.source_id == id)
}

/// The first node with this producer name and property path, such as `column:body_mass_g` and `values`.
#[must_use]
pub fn find<'a>(snapshot: &'a Snapshot, producer: &str, path: &str) -> Option<&'a Node> {
    snapshot
        .body()
        .nodes
        .iter()
        .find(|node| node.producer_semantic_id == producer && node.property_path == path)
}
