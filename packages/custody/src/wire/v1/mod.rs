//! Version 1: closed shapes without logic.

mod feed;
mod folder;

pub use feed::{DispositionFeed, Statement, Status, Subject};
pub use folder::{
    Algorithm, Disposed, DispositionBody, Envelope, FolderKind, FolderRecord, Freshness, FreshnessKind, Head,
    KeyRecord, Payload, Role, Signature, Source, SourceKind, StatementKind, Threshold,
};
