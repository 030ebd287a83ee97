//! What this crate refuses, and what to do about it.

use identity::{DecodeError, Rule};
use investigation::InvestigationError;
use refusal::{Reason, Refusal, Stage};

use crate::wire::policy::v1::RoleFilter;

/// Why obligations were not fixed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObligationError {
    /// The policy file is not JSON of its shape. Way out: the pinned file.
    #[error("the policy can't be read: {0}")]
    Decode(#[from] DecodeError),
    /// The policy says something impossible. Way out: a corrected policy under a new version.
    #[error("the policy `{policy}` is no policy: {why}")]
    Policy {
        /// Its name.
        policy: String,
        /// What is wrong.
        why: String,
    },
    /// The context does not belong to the snapshot. Way out: the inner error says.
    #[error(transparent)]
    Context(#[from] InvestigationError),
    /// The policy does not cover the context's scope. Way out: a scope that it lists.
    #[error("the policy `{policy}` does not cover the scope {scope}")]
    OutsideScope {
        /// The policy.
        policy: String,
        /// Name and version of the scope.
        scope: String,
    },
    /// The context has no perspective. Way out: commit one that puts a variable in front.
    #[error("the context puts nothing in front")]
    NothingForeground,
    /// The snapshot refers to something it does not hold. Way out: normalize again.
    #[error("the snapshot is inconsistent: {why}")]
    Snapshot {
        /// What is missing.
        why: String,
    },
    /// The program does not know this property. Way out: a version that does.
    #[error("{property}, of the family {family}, is a property that no obligation is known for")]
    UnknownProperty {
        /// Family.
        family: String,
        /// Property and producer.
        property: String,
    },
    /// The policy neither owes something for this combination nor is silent about it. Way out: a policy that does; nothing
    /// is assumed.
    #[error("the policy `{policy}` says nothing about {subject} as {}", role_word(*role))]
    NoRule {
        /// The policy.
        policy: String,
        /// Property and producer.
        subject: String,
        /// Its role in the perspective.
        role: RoleFilter,
    },
    /// Two roles of one property are owed different things. Way out: a perspective that names it once.
    #[error("{predicate} of {property} is owed twice, differently")]
    Conflict {
        /// The property.
        property: String,
        /// The predicate.
        predicate: &'static str,
    },
    /// The source lacks evidence that the rule asks for. Way out: receipts under the profile.
    #[error("{subject} has no evidence under the profile {profile}, which {predicate} asks for")]
    MissingEvidence {
        /// Property and producer.
        subject: String,
        /// The profile.
        profile: String,
        /// The predicate.
        predicate: &'static str,
    },
    /// A stored obligation breaks a rule of its shape. Way out: fetch the set again.
    #[error("the obligation {obligation} is malformed: {why}")]
    Malformed {
        /// Its identity as stated.
        obligation: String,
        /// What is wrong.
        why: String,
    },
    /// A stored set does not hash to what it claims. Way out: fetch it again; an identity is never corrected.
    #[error("the obligation set was altered: {why}")]
    Integrity {
        /// What differs.
        why: String,
    },
    /// A stored set is about something else. Way out: the snapshot and context it was derived from.
    #[error("the obligations are about the {what} {found}, not about {expected}")]
    WrongSubject {
        /// Snapshot or context.
        what: &'static str,
        /// The one at hand.
        expected: String,
        /// The one in the set.
        found: String,
    },
    /// A stored set was derived under another policy. Way out: that policy, if it is pinned.
    #[error("the obligations stand under {found}, not under {expected}")]
    AnotherPolicy {
        /// The policy at hand.
        expected: String,
        /// The policy of the set.
        found: String,
    },
    /// A stored set is not what the policy demands. Way out: the set that it does demand.
    #[error("the obligations are not those that the policy fixes: {}", differences.join("; "))]
    Weakened {
        /// Each departure.
        differences: Vec<String>,
    },
}

/// A role as people read it.
pub(crate) const fn role_word(role: RoleFilter) -> &'static str {
    match role {
        RoleFilter::Foreground => "a foreground variable",
        RoleFilter::Grouping => "the grouping variable",
        RoleFilter::HeldConstant => "something held constant",
        RoleFilter::ComparisonFrame => "the comparison frame",
        RoleFilter::TemporalFrame => "the temporal frame",
        RoleFilter::Background => "something the perspective does not name",
        RoleFilter::Any => "anything",
    }
}

impl ObligationError {
    /// The refusal that people and programs see.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let (stage, reason, next) = match self {
            Self::Context(inner) => return inner.refusal(),
            Self::Decode(error) => {
                let reason = match error.rule {
                    Rule::UnknownMember => Reason::UnknownShape,
                    Rule::Depth | Rule::Bytes | Rule::StringLength | Rule::Items | Rule::Members => {
                        Reason::Bounds
                    }
                    _ => Reason::Malformed,
                };
                (
                    Stage::DecodeIntegrity,
                    reason,
                    "Use the policy file that this program pins.",
                )
            }
            Self::Policy { .. } => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "Use the policy file that this program pins.",
            ),
            Self::OutsideScope { .. } => (
                Stage::ContextIdentity,
                Reason::ScopeMismatch,
                "Commit the context under a scope that the policy lists.",
            ),
            Self::NothingForeground => (
                Stage::ContextIdentity,
                Reason::UnresolvedPerspective,
                "Commit a perspective with a foreground variable.",
            ),
            Self::Snapshot { .. } => (
                Stage::DecodeIntegrity,
                Reason::Integrity,
                "Normalize the analyses again.",
            ),
            Self::UnknownProperty { .. } => (
                Stage::EvidencePolicy,
                Reason::FamilyUnsupported,
                "Leave the analysis out, or use a program whose policy knows it.",
            ),
            Self::NoRule { .. } => (
                Stage::EvidencePolicy,
                Reason::InventedMeaning,
                "Leave it out of the perspective; nothing is assumed about what it obliges to.",
            ),
            Self::Conflict { .. } => (
                Stage::ContextIdentity,
                Reason::AmbiguousReference,
                "Name each property in one role only.",
            ),
            Self::MissingEvidence { .. } => (
                Stage::EvidencePolicy,
                Reason::MissingRequired,
                "Analyze again so that the kernel issues the receipt, and normalize with its uses.",
            ),
            Self::Malformed { .. } => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "Fetch the obligation set again from its owner.",
            ),
            Self::Integrity { .. } => (
                Stage::DecodeIntegrity,
                Reason::Integrity,
                "Fetch the obligation set again from its owner.",
            ),
            Self::WrongSubject { .. } => (
                Stage::ContextIdentity,
                Reason::WrongSubject,
                "Use the snapshot and the context that the set was derived from.",
            ),
            Self::AnotherPolicy { .. } => (
                Stage::FixedPolicy,
                Reason::UnauthorizedPolicy,
                "Derive anew under the policy that is pinned.",
            ),
            Self::Weakened { .. } => (
                Stage::FixedPolicy,
                Reason::ObligationWeakened,
                "Take the obligations as they are and change the candidate; another question is another context.",
            ),
        };
        let refusal = Refusal::new(stage, reason, sentence_case(&self.to_string())).next(next);
        match self {
            Self::Decode(error) => refusal.at(format!("{} at byte {}", error.pointer, error.offset)),
            Self::Policy { policy, .. } => refusal.about(policy),
            Self::OutsideScope { policy, scope } => refusal.about(scope).under(policy),
            Self::UnknownProperty { property, .. } => refusal.about(property),
            Self::NoRule { policy, subject, .. } => refusal.about(subject).under(policy),
            Self::Conflict { property, .. } => refusal.about(property),
            Self::MissingEvidence { subject, profile, .. } => refusal.about(subject).under(profile),
            Self::Malformed { obligation, .. } => refusal.about(obligation),
            Self::WrongSubject { found, .. } => refusal.about(found),
            Self::AnotherPolicy { found, expected } => refusal.about(found).under(expected),
            Self::Weakened { differences } => differences.iter().fold(refusal, Refusal::about),
            Self::Context(_) | Self::NothingForeground | Self::Snapshot { .. } | Self::Integrity { .. } => {
                refusal
            }
        }
    }
}

fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string())
        .unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
