//! Dispositions: does a receipt still stand, in the words of who can say so?

use refusal::{Reason, Refusal, Stage};

use crate::wire::v1::EvidenceUse;

/// Who can say whether a receipt still stands; custody implements it.
pub trait Dispositions {
    /// How the used receipt stands now. What is not known is [`Disposition::Unknown`], never valid.
    fn disposition(&self, evidence_use: &EvidenceUse) -> Disposition;
}

/// How a receipt stands. Revisions only increase in a feed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Disposition {
    /// It stands.
    Valid {
        /// The feed's revision that says so.
        revision: u64,
    },
    /// Its owner withdrew it.
    Withdrawn {
        /// The feed's revision that says so.
        revision: u64,
    },
    /// It was found wrong.
    Retracted {
        /// The feed's revision that says so.
        revision: u64,
    },
    /// Newer evidence took its place.
    Superseded {
        /// The feed's revision that says so.
        revision: u64,
        /// The newer evidence.
        by: String,
    },
    /// Nobody can say, or two say different things.
    Unknown {
        /// Why not.
        why: String,
    },
}

impl Disposition {
    /// The word on every surface.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Valid { .. } => "VALID",
            Self::Withdrawn { .. } => "WITHDRAWN",
            Self::Retracted { .. } => "RETRACTED",
            Self::Superseded { .. } => "SUPERSEDED",
            Self::Unknown { .. } => "UNKNOWN",
        }
    }

    /// The revision that says so; `None` when nobody does.
    #[must_use]
    pub const fn revision(&self) -> Option<u64> {
        match self {
            Self::Valid { revision }
            | Self::Withdrawn { revision }
            | Self::Retracted { revision }
            | Self::Superseded { revision, .. } => Some(*revision),
            Self::Unknown { .. } => None,
        }
    }

    /// The refusal for a use whose receipt does not stand. Total, so that nobody reads silence as a yes: a valid
    /// receipt whose use is refused all the same is refused for missing evidence.
    #[must_use]
    pub fn refusal(&self, evidence_use: &EvidenceUse) -> Refusal {
        let receipt_id = &evidence_use.receipt_id;
        let again = "Run the analysis again, so that a current receipt exists.";
        let (reason, text, next) = match self {
            Self::Valid { revision } => (
                Reason::MissingRequired,
                format!(
                    "Receipt {receipt_id} stands at revision {revision}, but this use of it is not accepted."
                ),
                "See the refusal that this one accompanies.",
            ),
            Self::Withdrawn { revision } => (
                Reason::Withdrawn,
                format!("Receipt {receipt_id} was withdrawn at revision {revision}."),
                again,
            ),
            Self::Retracted { revision } => (
                Reason::Retracted,
                format!("Receipt {receipt_id} was retracted at revision {revision}."),
                "Read why, and make a new analysis; there is no override.",
            ),
            Self::Superseded { revision, by } => (
                Reason::Superseded,
                format!("Receipt {receipt_id} was superseded by {by} at revision {revision}."),
                "Use the newer evidence; this gives a new snapshot.",
            ),
            Self::Unknown { why } => (
                Reason::DispositionUnknown,
                format!("Nobody can say whether receipt {receipt_id} still stands: {why}."),
                "See who speaks of it with `nemosyne custody list`; a source that is stale or silent has to speak again.",
            ),
        };
        Refusal::new(Stage::EvidencePolicy, reason, text)
            .about(receipt_id)
            .next(next)
    }
}
