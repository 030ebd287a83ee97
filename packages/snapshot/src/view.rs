//! Looking things up in a snapshot.

use identity::Identity;

use crate::wire::v1::{Limitation, Node, Relation, SnapshotBody, Source, State};
use crate::{NodeKind, Snapshot, SourceKind};

/// Look-ups in a snapshot; none of them searches by likeness.
pub trait SnapshotView {
    /// What is looked in.
    fn view(&self) -> &SnapshotBody;

    /// The node with this identity.
    fn node(&self, id: Identity<NodeKind>) -> Option<&Node> {
        let nodes = &self.view().nodes;
        let idx = nodes.binary_search_by(|node| node.node_id.cmp(&id)).ok()?;
        nodes.get(idx)
    }

    /// The source with this identity.
    fn source(&self, id: Identity<SourceKind>) -> Option<&Source> {
        let sources = &self.view().sources;
        let idx = sources
            .binary_search_by(|source| source.source_id.cmp(&id))
            .ok()?;
        sources.get(idx)
    }

    /// The one node with this producer and property; `None` when there is none, and when several sources have it, as
    /// when two projections share a column. [`SnapshotView::find_in`] tells those apart.
    fn find(&self, producer: &str, path: &str) -> Option<&Node> {
        let mut found = self.view().nodes.iter().filter(|node| is(node, producer, path));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The node of a source with this producer and property.
    fn find_in(&self, source_id: Identity<SourceKind>, producer: &str, path: &str) -> Option<&Node> {
        self.nodes_of(source_id).find(|node| is(node, producer, path))
    }

    /// The nodes of a source, by identity.
    fn nodes_of(&self, source_id: Identity<SourceKind>) -> impl Iterator<Item = &Node> {
        self.view()
            .nodes
            .iter()
            .filter(move |node| node.source_id == source_id)
    }

    /// The sources of a family that are available, by identity.
    fn available(&self, family: &str) -> impl Iterator<Item = &Source> {
        self.view()
            .sources
            .iter()
            .filter(move |source| source.family == family && source.state == (State::Available {}))
    }

    /// The limitations of a source, by code.
    fn limitations_of(&self, source_id: Identity<SourceKind>) -> impl Iterator<Item = &Limitation> {
        self.view()
            .limitations
            .iter()
            .filter(move |limitation| limitation.source_id == source_id)
    }

    /// The relation between two nodes in either direction.
    fn relation(&self, a: Identity<NodeKind>, b: Identity<NodeKind>) -> Option<&Relation> {
        self.view().relations.iter().find(|relation| {
            let ends = (relation.source_node_id, relation.target_node_id);
            ends == (a, b) || ends == (b, a)
        })
    }
}

/// The node with this identity.
#[must_use]
pub fn node(snapshot: &Snapshot, id: Identity<NodeKind>) -> Option<&Node> {
    snapshot.body().node(id)
}

/// The source with this identity.
#[must_use]
pub fn source(snapshot: &Snapshot, id: Identity<SourceKind>) -> Option<&Source> {
    snapshot.body().source(id)
}

/// The one node with this producer and property, as [`SnapshotView::find`].
#[must_use]
pub fn find<'a>(snapshot: &'a Snapshot, producer: &str, path: &str) -> Option<&'a Node> {
    snapshot.body().find(producer, path)
}

fn is(node: &Node, producer: &str, path: &str) -> bool {
    node.producer_semantic_id == producer && node.property_path == path
}

impl SnapshotView for SnapshotBody {
    fn view(&self) -> &SnapshotBody {
        self
    }
}

impl SnapshotView for Snapshot {
    fn view(&self) -> &SnapshotBody {
        self.body()
    }
}
