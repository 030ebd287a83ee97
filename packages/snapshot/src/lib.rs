//! The decision-independent semantic snapshot with its normalizer.
//!
//! **Never** knows a question, a perspective, a candidate, a device or a screen.

mod body;
mod view;
pub mod wire;

pub use body::{RELATION_TYPES, SnapshotBodyError, node_id, relation_id, source_id, status};
pub use view::{find, node, source};

/// A sealed snapshot: identity with checked body.
pub type Snapshot = identity::Sealed<wire::v1::SnapshotBody>;

/// Marks the identity of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {}

impl identity::Kind for SourceKind {
    const TAG: &'static str = "semantic-source-v1";
}

/// Marks the identity of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {}

impl identity::Kind for NodeKind {
    const TAG: &'static str = "semantic-node-v1";
}

/// Marks the identity of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {}

impl identity::Kind for RelationKind {
    const TAG: &'static str = "semantic-relation-v1";
}

impl identity::Kind for wire::v1::SnapshotBody {
    const TAG: &'static str = "semantic-snapshot-v1";
}
