//! Why a recorded step can't be repeated, or came out differently.

use package::PackageError;
use refusal::{Reason, Refusal, Stage};

/// A replay that stopped.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The package could not be read on. Way out: fetch an intact copy.
    #[error("{0}")]
    Package(#[from] PackageError),
    /// An implementation that the package names is not part of this program. Way out: open the package with a program
    /// that has it, or adapt it.
    #[error("the package was made by {what} {recorded}; this program has {here}")]
    ImplementationMissing {
        /// Kind of implementation.
        what: &'static str,
        /// The one that the package names.
        recorded: String,
        /// The one that is here.
        here: String,
    },
    /// A step gave something else than the record says. Way out: the record was edited, or the implementation does not
    /// keep its version's promise; fetch the package again from its author.
    #[error("{what} does not come out as recorded: {rebuilt} instead of {recorded}")]
    Differs {
        /// What was compared.
        what: &'static str,
        /// The record.
        recorded: String,
        /// What came out.
        rebuilt: String,
    },
    /// A step refuses what the record says it accepted. Way out: as for [`Self::Differs`].
    #[error("{what} refuses what is recorded: {}", refusal.cause().text)]
    Refused {
        /// Which step.
        what: &'static str,
        /// What it says.
        refusal: Box<Refusal>,
    },
    /// Knowledge or policy has changed since, so the recorded result is not the one that would be admitted now. Way out:
    /// adapt it, which makes a new result.
    #[error("{what} has changed since: the package has {recorded}, this program {here}")]
    Superseded {
        /// What has changed.
        what: &'static str,
        /// The recorded one.
        recorded: String,
        /// The present one.
        here: String,
    },
    /// A receipt that the package does not hold. Way out: one of those it does; the nearest are named.
    #[error("the package holds no receipt {receipt}")]
    NoReceipt {
        /// The name asked for.
        receipt: String,
        /// The nearest names.
        nearest: Vec<String>,
    },
    /// A study's package without a running study. Way out: ask the study's owner.
    #[error("this package belongs to a study: {why}")]
    StudyProhibits {
        /// What the study owner says.
        why: String,
    },
}

impl ReplayError {
    /// The refusal that every surface shows.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let refuse = |stage, reason, next: &str| Refusal::new(stage, reason, self.to_string()).next(next);
        match self {
            Self::Package(error) => error.refusal(),
            Self::ImplementationMissing { recorded, .. } => refuse(
                Stage::DecodeIntegrity,
                Reason::ImplementationMissing,
                "open it with a program that has the implementation, inspect it as history, or adapt it",
            )
            .about(recorded.clone()),
            Self::Differs { what, .. } => refuse(
                Stage::DecodeIntegrity,
                Reason::Integrity,
                "the record was edited after the fact: fetch the package from its author, or build it again from its data",
            )
            .about(*what),
            Self::Refused { what, refusal } => refuse(
                refusal.stage(),
                refusal.reason(),
                "the record was edited after the fact: fetch the package from its author, or build it again from its data",
            )
            .about(*what)
            .because((**refusal).clone()),
            Self::Superseded { what, .. } => refuse(
                Stage::FixedPolicy,
                Reason::UnauthorizedPolicy,
                "adapt the package: that makes a new result under what holds now",
            )
            .about(*what),
            Self::NoReceipt { receipt, nearest } => refuse(
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                &format!("name one of its receipts, such as {}", nearest.join(" or ")),
            )
            .about(receipt.clone()),
            Self::StudyProhibits { .. } => refuse(
                Stage::BindingUse,
                Reason::NoStudyAuthorization,
                "ask the study's owner for a current authorization",
            ),
        }
    }

    /// Whether an implementation is missing, rather than something being wrong.
    #[must_use]
    pub fn is_missing_implementation(&self) -> bool {
        matches!(self, Self::ImplementationMissing { .. })
    }
}
