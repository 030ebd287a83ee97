//! Why custody does not open, or does not take a feed.

use identity::DecodeError;
use knowledge::KnowledgeError;
use refusal::{Reason, Refusal, Stage};

/// What can be wrong with what the program trusts.
#[derive(Debug, thiserror::Error)]
pub enum CustodyError {
    /// A shipped file is not the one this program pins. Way out: install the program again; a pinned digest is never
    /// corrected to fit.
    #[error("the shipped file {path} is pinned as {pinned}, but its content is {found}")]
    Tampered {
        /// Path below `assets`.
        path: String,
        /// The digest in the source.
        pinned: String,
        /// The digest of what is there.
        found: String,
    },
    /// A file that the program needs is not among what ships. Way out: install the program again.
    #[error("the shipped file {path} is missing")]
    Missing {
        /// Path below `assets`.
        path: String,
    },
    /// The shipped manifest has another identity than the pinned one, so this program would name the same knowledge
    /// differently. Way out: a defect of the program; report it.
    #[error("the knowledge manifest is pinned as {pinned}, but comes out as {found}")]
    Manifest {
        /// The identity in the source.
        pinned: String,
        /// The identity that was computed.
        found: String,
    },
    /// A shipped entry or policy of the knowledge table is not what it should be. Way out: as the inner error says.
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
    /// The shipped obligation policy can't be read. Way out: as the inner error says.
    #[error(transparent)]
    Obligations(#[from] obligations::ObligationError),
    /// A shipped scope can't be read. Way out: as the inner error says.
    #[error(transparent)]
    Scope(#[from] investigation::InvestigationError),
    /// A disposition feed is no JSON of its closed shape. Way out: take the feed again from its issuer.
    #[error("the disposition feed can't be read: {0}")]
    Decode(DecodeError),
    /// A disposition feed breaks a rule. Way out: take the feed again from its issuer.
    #[error("the disposition feed {feed} is not valid: {rule}")]
    Invalid {
        /// Name of the feed.
        feed: String,
        /// The rule.
        rule: String,
    },
    /// A feed is older than the one at hand; accepting it would bring back what was withdrawn. Way out: take the
    /// newest feed.
    #[error("the disposition feed {feed} is at revision {found}, and {held} was seen before: a rollback")]
    Rollback {
        /// Name of the feed.
        feed: String,
        /// Revision at hand.
        held: i64,
        /// Revision offered.
        found: i64,
    },
    /// A feed says something else about a revision that was seen before, or carries another name. Way out: ask its
    /// issuer which of the two is theirs.
    #[error("the disposition feed {found} does not continue {held}: they part after revision {agreed}")]
    Fork {
        /// Name of the feed at hand.
        held: String,
        /// Name of the feed offered.
        found: String,
        /// Last revision on which both agree; 0 when none.
        agreed: i64,
    },
}

impl CustodyError {
    pub(crate) fn invalid(feed: &str, rule: impl Into<String>) -> Self {
        Self::Invalid {
            feed: feed.to_owned(),
            rule: rule.into(),
        }
    }

    /// The refusal that says this.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        const STAGE: Stage = Stage::DecodeIntegrity;
        const AGAIN: &str = "Install the program again; a pinned digest is never corrected to fit.";
        const FEED: &str = "Take the newest feed again from its issuer.";
        match self {
            Self::Tampered { path, .. } => Refusal::new(STAGE, Reason::Integrity, self.to_string())
                .about(path.clone())
                .next(AGAIN),
            Self::Missing { path } => Refusal::new(STAGE, Reason::Unreachable, self.to_string())
                .about(path.clone())
                .next(AGAIN),
            Self::Manifest { found, .. } => Refusal::new(STAGE, Reason::Integrity, self.to_string())
                .about(found.clone())
                .next(AGAIN),
            Self::Knowledge(error) => error.refusal(),
            Self::Obligations(error) => error.refusal(),
            Self::Scope(error) => error.refusal(),
            Self::Decode(error) => Refusal::new(STAGE, Reason::Malformed, self.to_string())
                .at(format!("{} at byte {}", error.pointer, error.offset))
                .next(FEED),
            Self::Invalid { feed, .. } => Refusal::new(STAGE, Reason::Malformed, self.to_string())
                .about(feed.clone())
                .next(FEED),
            Self::Rollback { feed, .. } => Refusal::new(STAGE, Reason::Integrity, self.to_string())
                .about(feed.clone())
                .next(FEED),
            Self::Fork { found, .. } => Refusal::new(STAGE, Reason::Integrity, self.to_string())
                .about(found.clone())
                .next("Ask the issuer which of the two feeds is theirs."),
        }
    }
}
