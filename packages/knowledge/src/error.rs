//! Why knowledge is not there, or not what it should be.

use identity::DecodeError;
use refusal::{Reason, Refusal, Stage};

use crate::wire::v1::EntryKind;

/// What can be wrong with an artifact, a manifest, or a name that should resolve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KnowledgeError {
    /// An artifact is no JSON of its closed shape. Way out: take the file again from its owner.
    #[error("knowledge artifact {digest}: {error}")]
    Decode {
        /// Digest of the bytes.
        digest: String,
        /// What is wrong, and where.
        error: DecodeError,
    },
    /// The bytes do not hash to the digest they are pinned by. Way out: take the file again from its owner; a pinned
    /// digest is never corrected to fit.
    #[error("{reference} is pinned as {pinned}, but its content is {found}")]
    Tampered {
        /// `id@version`, or the digest when no name was read yet.
        reference: String,
        /// The digest that was asked for.
        pinned: String,
        /// The digest that is there.
        found: String,
    },
    /// Nothing under this name is in the closed table. Way out: use what the table holds, or a program that holds
    /// this version; nothing is fetched.
    #[error("{reference} is not in the closed knowledge table")]
    Absent {
        /// `id@version`, or a digest.
        reference: String,
        /// The kind that was asked for, when it is an entry.
        kind: Option<EntryKind>,
    },
    /// Two artifacts share one name, so a reference would not say which. Way out: give one another version.
    #[error("{reference} names two artifacts")]
    Ambiguous {
        /// `id@version`.
        reference: String,
    },
    /// An artifact or manifest breaks a rule of its kind. Way out: the rule says what is asked for.
    #[error("{reference}: {rule}")]
    Invalid {
        /// `id@version`, or `manifest`.
        reference: String,
        /// The rule it breaks.
        rule: String,
    },
    /// A manifest describes an artifact differently than the artifact does. Way out: derive the manifest from the
    /// table ([`crate::Table::manifest`]).
    #[error("the manifest's entry {reference} disagrees with its artifact about {member}")]
    Disagrees {
        /// `id@version`.
        reference: String,
        /// The member.
        member: &'static str,
    },
    /// More entries than the bound. Way out: a manifest lists what one decision uses.
    #[error("{found} {what}, {most} is the most")]
    Bounds {
        /// What there is too much of.
        what: &'static str,
        /// How many.
        found: usize,
        /// How many are allowed.
        most: usize,
    },
}

impl KnowledgeError {
    pub(crate) fn invalid(reference: &str, rule: impl Into<String>) -> Self {
        Self::Invalid {
            reference: reference.to_owned(),
            rule: rule.into(),
        }
    }

    /// The refusal that says this.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let refusal = match self {
            Self::Decode { digest, error } => {
                let reason = match error.rule {
                    identity::Rule::UnknownMember => Reason::UnknownShape,
                    _ => Reason::Malformed,
                };
                Refusal::new(Stage::DecodeIntegrity, reason, self.to_string())
                    .about(digest.clone())
                    .at(format!("{} at byte {}", error.pointer, error.offset))
                    .next("Take the file again from its owner.")
            }
            Self::Tampered { reference, .. } => {
                Refusal::new(Stage::DecodeIntegrity, Reason::Integrity, self.to_string())
                    .about(reference.clone())
                    .next("Take the file again from its owner; a pinned digest is never corrected to fit.")
            }
            Self::Absent { reference, kind } => {
                let reason = match kind {
                    Some(EntryKind::Transform) => Reason::UnknownTransform,
                    Some(EntryKind::Channel) => Reason::UnknownChannel,
                    Some(EntryKind::Recipe | EntryKind::Qualification | EntryKind::Contraindication)
                    | None => Reason::ArtifactMissing,
                };
                Refusal::new(Stage::BindingUse, reason, self.to_string())
                    .about(reference.clone())
                    .next(
                        "Use what the table holds, or a program that holds this version; nothing is fetched.",
                    )
            }
            Self::Ambiguous { reference } => Refusal::new(
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                self.to_string(),
            )
            .about(reference.clone())
            .next("Give one of the two another version."),
            Self::Invalid { reference, .. } => {
                Refusal::new(Stage::DecodeIntegrity, Reason::Malformed, self.to_string())
                    .about(reference.clone())
                    .next("Correct the file under a new version and pin its digest.")
            }
            Self::Disagrees { reference, .. } => {
                Refusal::new(Stage::DecodeIntegrity, Reason::Integrity, self.to_string())
                    .about(reference.clone())
                    .next("Derive the manifest from the table.")
            }
            Self::Bounds { .. } => Refusal::new(Stage::DecodeIntegrity, Reason::Bounds, self.to_string())
                .next("List only what one decision uses."),
        };
        refusal.under("forma-knowledge-manifest-v1")
    }
}
