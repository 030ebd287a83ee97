//! What was seen of each feed: how a folder that was set back is told from a folder that never went further.

use std::collections::BTreeMap;

use identity::{Digest, Limits, SafeInteger};
use serde::{Deserialize, Serialize};

use crate::{Custody, CustodyError};

/// The highest revision seen of each feed, with the digest of its payload. The program keeps it outside the folders that
/// it is about, so that a folder restored from a backup is a rollback.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen(BTreeMap<String, (u64, Digest)>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wire {
    schema_version: SafeInteger,
    feeds: BTreeMap<String, Mark>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Mark {
    revision: SafeInteger,
    payload_digest: Digest,
}

impl Seen {
    /// Nothing yet.
    #[must_use]
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Reads what was kept.
    ///
    /// # Errors
    /// [`CustodyError::SeenUnreadable`] when it is no such text: what was seen is not guessed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CustodyError> {
        let unreadable = |why: String| CustodyError::SeenUnreadable { why };
        let wire = identity::decode::<Wire>(bytes, &Limits::new().with_max_bytes(1 << 20))
            .map_err(|error| unreadable(error.to_string()))?
            .into_inner();
        if wire.schema_version.get() != 1 {
            return Err(unreadable("schemaVersion is 1".to_owned()));
        }
        wire.feeds
            .into_iter()
            .map(|(feed, mark)| match mark.revision.to_u64() {
                Some(revision) => Ok((feed, (revision, mark.payload_digest))),
                None => Err(unreadable(format!("{feed} has a negative revision"))),
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The text to keep.
    ///
    /// # Errors
    /// [`CustodyError::SeenUnreadable`] for a revision beyond 2^53; no folder holds that many statements.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CustodyError> {
        let unreadable = |why: String| CustodyError::SeenUnreadable { why };
        let mut feeds = BTreeMap::new();
        for (feed, (revision, digest)) in &self.0 {
            let revision = i64::try_from(*revision)
                .ok()
                .and_then(|revision| SafeInteger::new(revision).ok())
                .ok_or_else(|| unreadable(format!("{feed} has revision {revision}")))?;
            let mark = Mark {
                revision,
                payload_digest: *digest,
            };
            feeds.insert(feed.clone(), mark);
        }
        let schema_version = SafeInteger::new(1).map_err(|error| unreadable(error.to_string()))?;
        identity::canonical::to_vec(&Wire {
            schema_version,
            feeds,
        })
        .map_err(|error| unreadable(error.to_string()))
    }

    /// Revision and payload digest last seen of a feed.
    #[must_use]
    pub fn of(&self, feed: &str) -> Option<(u64, Digest)> {
        self.0.get(feed).copied()
    }

    /// Takes note of a folder that was just opened against this very record. A custody without a folder leaves nothing
    /// to remember. Returns whether anything is new.
    pub fn note(&mut self, custody: &Custody) -> bool {
        let Some(folder) = custody.folder() else {
            return false;
        };
        let Some(last) = folder.statements().last() else {
            return false;
        };
        let mark = (last.revision(), last.digest());
        match self.0.get(folder.feed_id()) {
            Some(held) if held.0 >= mark.0 => false,
            _ => {
                self.0.insert(folder.feed_id().to_owned(), mark);
                true
            }
        }
    }
}
