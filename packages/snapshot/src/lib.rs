//! The decision-independent semantic snapshot with its normalizer.
//!
//! **Never** knows a question, a perspective, a candidate, a device or a screen.
//!
//! [`normalize`] projects finished analyses with their evidence uses into one closed body. Equal analyses under equal
//! profiles give the same identity on every machine; another request, receipt, profile or policy gives another one.
//! Nothing that was decided later can enter: the body has no member for it, and [`normalize`] takes nothing that knows
//! it.
//!
//! # Sources and nodes
//! | source | producer | property | type | status |
//! |---|---|---|---|---|
//! | `rows` | `column:<name>` | `values` (in the leaf) | vector | OBSERVED |
//! | `rows` | `projection` | `rowKeys` (in the leaf) | vector | OBSERVED |
//! | `rows` | `projection` | `rowsUsed`, `rowsExcluded`, `totalRows` | number | DERIVED |
//! | any other | as [`kernels::FAMILIES`] says | as it says there | number, interval, text, vector | DERIVED |
//!
//! The analysis says what it gives ([`kernels::Output`]); the snapshot adds identity, standing and relations. A record
//! is complete when it has exactly the nodes of [`kernels::slots`] of each request.
//!
//! A quantity that does not exist is a node in state UNAVAILABLE without a value. A request that was not answered is a
//! source in state UNAVAILABLE or REFUSED without nodes: it supports saying so, never a value. Source: the authority
//! decision, section 4.

mod check;
mod error;
mod local;
mod normalize;
mod view;
mod vocabulary;
pub mod wire;

pub use error::{SnapshotError, SnapshotInvalid};
pub use kernels::{PROJECTION, column_producer, quantile_path};
pub use local::{node_id, relation_id, source_id, status};
pub use normalize::normalize;
pub use view::{SnapshotView, find, node, source};
pub use vocabulary::{Path, ROW_ALIGNED, limitation_codes, normalizer, vocabulary};

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

impl identity::Body for wire::v1::SnapshotBody {
    const ID_MEMBER: &'static str = "snapshotId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = SnapshotInvalid;

    fn check(&self) -> Result<(), SnapshotInvalid> {
        check::check(self)
    }
}

/// A checked snapshot under its identity.
///
/// Only [`normalize`] and opening a checked envelope make one. No member for anything that was decided later exists:
///
/// ```
/// let body = br#"{"analyticalDatasetFingerprint":"","decisionId":"d1"}"#;
/// let refused = identity::decode::<snapshot::wire::v1::SnapshotBody>(body, &identity::Limits::default());
/// assert!(refused.is_err());
/// ```
pub type Snapshot = identity::Sealed<wire::v1::SnapshotBody>;
