//! How long a source's last word is good for: from the pinned policy, and on a day that comes in.

use evidence::wire::v1::PinnedRef;
use identity::{Digest, Limits};
use knowledge::Date;

use crate::CustodyError;
use crate::wire::v1;
use crate::wire::v1::SourceKind;

/// The pinned policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freshness {
    wire: v1::Freshness,
    pin: PinnedRef,
}

impl Freshness {
    /// Reads the policy and checks its rules.
    ///
    /// # Errors
    /// [`CustodyError::FileDecode`] or [`CustodyError::Invalid`].
    pub(crate) fn from_bytes(path: &str, bytes: &[u8]) -> Result<Self, CustodyError> {
        let wire = identity::decode::<v1::Freshness>(bytes, &Limits::new().with_max_bytes(64 * 1024))
            .map_err(|error| CustodyError::FileDecode {
                path: path.to_owned(),
                error,
            })?
            .into_inner();
        let rule = |holds: bool, text: &str| {
            if holds {
                Ok(())
            } else {
                Err(CustodyError::invalid(&wire.id, text))
            }
        };
        rule(wire.schema_version.get() == 1, "schemaVersion is 1")?;
        let kinds: Vec<SourceKind> = wire.sources.iter().map(|source| source.source).collect();
        rule(
            kinds == [SourceKind::Shipped, SourceKind::Folder],
            "it speaks of each kind of source once, in order",
        )?;
        rule(
            wire.sources
                .iter()
                .all(|source| source.max_age_days.is_none_or(|most| most.get() > 0)),
            "an age is positive",
        )?;
        rule(
            wire.sources.iter().all(|source| !source.reason.trim().is_empty()),
            "each bound gives its reason",
        )?;
        let pin = PinnedRef {
            id: wire.id.clone(),
            version: wire.version.clone(),
            digest: Digest::of(bytes),
        };
        Ok(Self { wire, pin })
    }

    /// Its reference.
    #[must_use]
    pub fn pinned(&self) -> &PinnedRef {
        &self.pin
    }

    /// What it says.
    #[must_use]
    pub fn content(&self) -> &v1::Freshness {
        &self.wire
    }

    /// Why a source whose last sign of life was `last` no longer vouches for anything on the day `now`, when it does
    /// not. What it took back stays taken back.
    #[must_use]
    pub fn stale(&self, kind: SourceKind, name: &str, last: Date, now: Date) -> Option<String> {
        let source = self.wire.sources.iter().find(|source| source.source == kind)?;
        let most = source.max_age_days?.get();
        let age = now.days_since(&last);
        (age > most).then(|| {
            format!(
                "{name} last spoke on {last}, {age} days ago, and {}@{} allows {most}: stale, not retracted",
                self.pin.id, self.pin.version
            )
        })
    }
}
