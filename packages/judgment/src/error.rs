//! Why something is no judgment, or not about this.

use identity::{CanonicalError, DecodeError, Rule};
use refusal::{Reason, Refusal, Stage};

use crate::BodyError;

/// What can be wrong with a judgment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgmentError {
    /// The file is no judgment. Way out: write it with `judge`, or correct what the text names.
    #[error("this is no judgment: {0}")]
    Decode(DecodeError),
    /// Another version of the schema. Way out: read it with the reader of that version.
    #[error("this judgment has schema version {found}; this program reads {expected}")]
    Version {
        /// As stated.
        found: u64,
        /// As read here.
        expected: u64,
    },
    /// A rule that the shape can't express is broken. Way out: the inner error says.
    #[error("this judgment is not well formed: {0}")]
    Body(#[from] BodyError),
    /// It has no canonical text. Way out: a defect; report it.
    #[error("this judgment has no canonical text: {0}")]
    Canonical(#[from] CanonicalError),
    /// Its content was changed after it got its name. Way out: take it again from its author; a changed judgment is
    /// another judgment.
    #[error("the judgment claims to be {claimed}, but its content is {computed}")]
    Altered {
        /// As stated.
        claimed: String,
        /// As computed.
        computed: String,
    },
    /// A text that names no judgment. Way out: copy the name from `judge list`.
    #[error("{found:?} names no judgment: {why}")]
    NoName {
        /// As written.
        found: String,
        /// What is wrong with it.
        why: String,
    },
    /// It is about another decision. Way out: judge what is at hand; a judgment is never carried over.
    #[error("the judgment is about the {what} {about}; here it is {here}")]
    OtherSubject {
        /// Result, plan, context or snapshot.
        what: &'static str,
        /// What it is about.
        about: String,
        /// What is at hand.
        here: String,
    },
    /// The plan has no such variant. Way out: name one that it has.
    #[error("the plan has no variant {variant}; it has {}", known.join(", "))]
    NoVariant {
        /// As named.
        variant: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// The variant shows no such binding. Way out: name one that `explain` lists.
    #[error("{variant} shows nothing by the binding {binding}")]
    NoBinding {
        /// As named.
        binding: String,
        /// The variant.
        variant: String,
    },
    /// No such obligation was fixed. Way out: name one that `explain` lists.
    #[error("the obligation {obligation} is not among those fixed in {set}")]
    NoObligation {
        /// As named.
        obligation: String,
        /// The set.
        set: String,
    },
    /// No person confirmed it, in this custody. Way out: `judge confirm`.
    #[error("{id} is not confirmed by anybody whom this custody trusts to review: {why}")]
    NotConfirmed {
        /// The judgment.
        id: String,
        /// What there is instead.
        why: String,
    },
}

impl JudgmentError {
    /// The refusal that every surface shows.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        const DECODE: Stage = Stage::DecodeIntegrity;
        let refuse = |stage, reason, next: &str| Refusal::new(stage, reason, self.to_string()).next(next);
        match self {
            Self::Decode(error) => {
                let reason = match error.rule {
                    Rule::Bytes => Reason::Bounds,
                    _ => Reason::Malformed,
                };
                refuse(
                    DECODE,
                    reason,
                    "write it with `nemosyne judge`, or correct what the text names",
                )
                .at(format!("{} at byte {}", error.pointer, error.offset))
            }
            Self::Version { .. } => refuse(
                DECODE,
                Reason::UnknownShape,
                "read it with a program of that version",
            ),
            Self::Body(error) => match error {
                BodyError::TooLong { .. } => refuse(DECODE, Reason::Bounds, "shorten it"),
                BodyError::Text { .. } | BodyError::Control { .. } => {
                    refuse(DECODE, Reason::Malformed, "write something plain in it")
                }
            },
            Self::Canonical(_) => refuse(DECODE, Reason::Malformed, "report this as a defect"),
            Self::Altered { claimed, .. } => refuse(
                DECODE,
                Reason::Integrity,
                "take it again from its author: a changed judgment is another judgment",
            )
            .about(claimed.clone()),
            Self::NoName { found, .. } => refuse(
                DECODE,
                Reason::AmbiguousReference,
                "copy the name from `nemosyne judge list`",
            )
            .about(found.clone()),
            Self::OtherSubject { about, .. } => refuse(
                Stage::ContextIdentity,
                Reason::WrongSubject,
                "judge what is at hand: a judgment is never carried over to something else",
            )
            .about(about.clone()),
            Self::NoVariant { variant, .. } => {
                refuse(DECODE, Reason::AmbiguousReference, "name one of its variants").about(variant.clone())
            }
            Self::NoBinding { binding, .. } => refuse(
                DECODE,
                Reason::AmbiguousReference,
                "name a binding that `nemosyne explain` lists for this variant",
            )
            .about(binding.clone()),
            Self::NoObligation { obligation, .. } => refuse(
                DECODE,
                Reason::AmbiguousReference,
                "name an obligation that `nemosyne explain` lists",
            )
            .about(obligation.clone()),
            Self::NotConfirmed { id, .. } => refuse(
                DECODE,
                Reason::AmbiguousReference,
                "let a person confirm it with `nemosyne judge confirm`, or leave it out",
            )
            .about(id.clone()),
        }
    }
}
