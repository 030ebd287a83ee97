//! One signed statement, and how it stands.

use core::fmt;
use core::ops::Range;

use identity::canonical::{self, CanonicalError};
use identity::{DecodeError, Digest, Limits};
use knowledge::Date;
use serde::de::IgnoredAny;

use crate::dsse::MAX_BYTES;
use crate::wire::v1::{Head, Payload, StatementKind};

/// Most bytes of a body.
pub const MAX_BODY_BYTES: usize = 16 << 20;

const OPENING: &[u8] = br#"{"body":"#;

/// Who signed, as the folder knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    /// SHA-256 of the public key.
    pub key_id: Digest,
    /// The key's name in the folder.
    pub name: String,
    /// Whose key it is.
    pub owner: String,
}

/// How a statement stands. Only [`Word::Stands`] permits anything; each of the others is an answer of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// It counts.
    Stands,
    /// A later statement took it back.
    Withdrawn {
        /// That statement's revision.
        revision: u64,
    },
    /// A later statement said that it was wrong.
    Retracted {
        /// That statement's revision.
        revision: u64,
    },
    /// Another took its place.
    Superseded {
        /// The revision that said so.
        revision: u64,
        /// What took its place.
        by: String,
    },
    /// Its last day is over. Nobody took it back.
    Expired {
        /// The last day.
        on: Date,
    },
    /// It is dated in the future.
    NotYet {
        /// Its first day.
        from: Date,
    },
    /// Its signers are not trusted for it, so it says nothing here.
    NotCounted {
        /// Why.
        why: String,
    },
}

impl Word {
    /// The word on every surface.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Stands => "STANDS",
            Self::Withdrawn { .. } => "WITHDRAWN",
            Self::Retracted { .. } => "RETRACTED",
            Self::Superseded { .. } => "SUPERSEDED",
            Self::Expired { .. } => "EXPIRED",
            Self::NotYet { .. } => "NOT_YET",
            Self::NotCounted { .. } => "NOT_COUNTED",
        }
    }
}

/// In words, to follow a name: `was withdrawn at revision 3`.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stands => f.write_str("stands"),
            Self::Withdrawn { revision } => write!(f, "was withdrawn at revision {revision}"),
            Self::Retracted { revision } => write!(f, "was retracted at revision {revision}"),
            Self::Superseded { revision, by } => write!(f, "was superseded by {by} at revision {revision}"),
            Self::Expired { on } => write!(f, "expired: {on} was its last day"),
            Self::NotYet { from } => write!(f, "holds from {from} on"),
            Self::NotCounted { why } => write!(f, "is not counted: {why}"),
        }
    }
}

/// A statement of a folder: its signatures were verified against the keys that the folder trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub(crate) head: Head,
    pub(crate) payload: Vec<u8>,
    pub(crate) body: Range<usize>,
    pub(crate) digest: Digest,
    pub(crate) signers: Vec<Signer>,
    pub(crate) unknown: Vec<Digest>,
    pub(crate) word: Word,
}

impl Statement {
    /// Kind.
    #[must_use]
    pub fn kind(&self) -> StatementKind {
        self.head.kind
    }

    /// Place in the chain, from 1.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.head.revision.to_u64().unwrap_or(0)
    }

    /// Digest of the payload, by which the next statement and dispositions name this one.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The day it was signed, as its signer says; days do not go back along the chain.
    #[must_use]
    pub fn issued_on(&self) -> Date {
        self.head.issued_on
    }

    /// Its last day, if it has one.
    #[must_use]
    pub fn expires_on(&self) -> Option<Date> {
        self.head.expires_on
    }

    /// The exact bytes of the body, JSON. Its reader decodes and checks it.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.payload.get(self.body.clone()).unwrap_or_default()
    }

    /// Digest of the body's exact bytes; for a decision, the digest of its artifact.
    #[must_use]
    pub fn body_digest(&self) -> Digest {
        Digest::of(self.body())
    }

    /// The exact bytes that were signed.
    #[must_use]
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// Those who signed and are known here.
    #[must_use]
    pub fn signers(&self) -> &[Signer] {
        &self.signers
    }

    /// Keys that signed and are not known here; their signatures say nothing.
    #[must_use]
    pub fn unknown_signers(&self) -> &[Digest] {
        &self.unknown
    }

    /// How it stands on the day for which the folder was opened.
    #[must_use]
    pub fn word(&self) -> &Word {
        &self.word
    }

    /// Whether it counts.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.word == Word::Stands
    }
}

/// The bytes of a payload: `{"body":`, the body, then the rest of the canonical text of the head.
pub(crate) fn assemble(head: &Head, body: &[u8]) -> Result<Vec<u8>, CanonicalError> {
    let rest = canonical::to_vec(head)?;
    let mut payload = Vec::with_capacity(OPENING.len() + body.len() + rest.len());
    payload.extend_from_slice(OPENING);
    payload.extend_from_slice(body);
    payload.push(b',');
    payload.extend_from_slice(rest.get(1..).unwrap_or_default());
    Ok(payload)
}

/// Why bytes are no payload.
#[derive(Debug)]
pub(crate) enum NoPayload {
    Decode(DecodeError),
    /// The head is not written as it would be signed.
    NotCanonical,
}

/// Reads a payload: its head, and where its body stands.
pub(crate) fn split(payload: &[u8]) -> Result<(Head, Range<usize>), NoPayload> {
    let read = identity::decode::<Payload<IgnoredAny>>(payload, &Limits::new().with_max_bytes(MAX_BYTES))
        .map_err(NoPayload::Decode)?
        .into_inner();
    let head = Head {
        expires_on: read.expires_on,
        feed_id: read.feed_id,
        issued_on: read.issued_on,
        kind: read.kind,
        previous: read.previous,
        revision: read.revision,
        schema_version: read.schema_version,
    };
    let rest = canonical::to_vec(&head).map_err(|_| NoPayload::NotCanonical)?;
    let rest = rest.get(1..).unwrap_or_default();
    let body = payload
        .strip_prefix(OPENING)
        .and_then(|after| after.strip_suffix(rest))
        .and_then(|body| body.strip_suffix(b","))
        .ok_or(NoPayload::NotCanonical)?;
    Ok((head, OPENING.len()..OPENING.len() + body.len()))
}
