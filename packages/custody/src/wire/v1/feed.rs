//! The disposition feed.

use identity::{Digest, Fingerprint, SafeInteger};
use serde::{Deserialize, Serialize};

/// An append-only list of statements about what stands and what no longer does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DispositionFeed {
    /// 1.
    pub schema_version: SafeInteger,
    /// Name of the feed; a longer feed of the same name continues it.
    pub feed_id: String,
    /// Who issues it.
    pub issued_by: String,
    /// Revision of the last statement.
    pub revision: SafeInteger,
    /// In order of revision, which strictly increases.
    pub statements: Vec<Statement>,
}

/// One statement. The last one about a subject holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Statement {
    /// Revision of the feed that this statement made.
    pub revision: SafeInteger,
    /// Date, `YYYY-MM-DD`.
    pub issued_on: String,
    /// About what.
    pub subject: Subject,
    /// How it stands from here on.
    pub status: Status,
    /// What took its place; present exactly when superseded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// Why, in a sentence.
    pub reason: String,
}

/// What a statement is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "SCREAMING_SNAKE_CASE",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Subject {
    /// Every receipt that this kernel issues to this consumer under this profile.
    Issuance {
        /// Kernel.
        kernel_version: String,
        /// Governed consumer.
        consumer_id: String,
        /// Requirement profile.
        requirement_profile_id: String,
    },
    /// One dataset, and so every receipt about it.
    Dataset {
        /// Its fingerprint.
        dataset_fingerprint: Fingerprint,
    },
    /// One receipt.
    Receipt {
        /// Digest of its canonical bytes.
        receipt_content_digest: Digest,
    },
    /// One knowledge decision or policy.
    Decision {
        /// Name.
        id: String,
        /// Version text.
        version: String,
        /// Digest of its bytes.
        digest: Digest,
    },
    /// One signed statement of a custody folder: an authorization, an acceptance, a reviewer's word.
    Statement {
        /// Digest of its payload's bytes.
        payload_digest: Digest,
    },
}

/// How a subject stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// It stands.
    Valid,
    /// Something newer took its place.
    Superseded,
    /// Its owner took it back; a later statement may restore it.
    Withdrawn,
    /// It was wrong. Nothing restores it.
    Retracted,
}
