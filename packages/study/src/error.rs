//! Why a document is none, or gives no permission.

use forma::WithheldBecause;
use identity::{DecodeError, Rule};
use knowledge::Date;
use refusal::{Reason, Refusal, Stage};

/// What can be wrong with the documents of a study.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StudyError {
    /// Text that is no document of this kind. Way out: write what the place says, or start from the template.
    #[error("the {what} can't be read: {error}")]
    Decode {
        /// Which document.
        what: &'static str,
        /// What is wrong with the text.
        error: DecodeError,
    },
    /// A document breaks a rule. Way out: as the rule says.
    #[error("the {what} is not valid: {rule}")]
    Invalid {
        /// Which document.
        what: &'static str,
        /// The rule.
        rule: String,
    },
    /// A document does not hash to the identity it claims. Way out: fetch it again; an identity is never corrected.
    #[error("the {what} claims {claimed}, but its content is {computed}")]
    Altered {
        /// Which document.
        what: &'static str,
        /// As stated.
        claimed: String,
        /// As computed.
        computed: String,
    },
    /// A document of another version. Way out: the program of that version.
    #[error("the {what} is of version {found}, this program reads version {expected}")]
    Version {
        /// Which document.
        what: &'static str,
        /// As stated.
        found: u64,
        /// As read here.
        expected: u64,
    },
    /// Two documents that belong together name different ones. Way out: sign for the documents at hand.
    #[error("the {what} is for {member} {found}, not for {expected}")]
    Another {
        /// Which document.
        what: &'static str,
        /// What it names.
        member: &'static str,
        /// The one it names.
        found: String,
        /// The one at hand.
        expected: String,
    },
    /// A document that nobody signed. Way out: have it signed.
    #[error("nobody signed the {what}")]
    Unsigned {
        /// Which document.
        what: &'static str,
    },
    /// Acceptance and authorization come from one hand. Way out: somebody else accepts the protocol.
    #[error("{who} signed both the acceptance and the authorization; a study does not say yes to itself")]
    OneHand {
        /// Whose hand.
        who: String,
    },
    /// The authorization allows more than the freeze. Way out: authorize at most what was frozen.
    #[error("the authorization allows more than the freeze: {what}")]
    Wider {
        /// In what.
        what: String,
    },
    /// The authorization begins before the protocol was accepted. Way out: begin on or after that day.
    #[error("the protocol was accepted on {accepted}, and the authorization begins before that, on {from}")]
    AcceptedLate {
        /// Day of the acceptance.
        accepted: Date,
        /// First day of the authorization.
        from: Date,
    },
    /// The authorization is not valid yet. Way out: wait.
    #[error("its first day is {from}")]
    NotYet {
        /// First day.
        from: Date,
    },
    /// The authorization is past its last day. Nothing was altered. Way out: a new authorization.
    #[error("its last day was {on}")]
    Expired {
        /// Last day.
        on: Date,
    },
}

impl StudyError {
    /// The kind of reason for which an authorization permits nothing.
    #[must_use]
    pub const fn because(&self) -> WithheldBecause {
        match self {
            Self::NotYet { .. } => WithheldBecause::NotYet,
            Self::Expired { .. } => WithheldBecause::Expired,
            Self::Decode { .. }
            | Self::Invalid { .. }
            | Self::Altered { .. }
            | Self::Version { .. }
            | Self::Another { .. }
            | Self::Unsigned { .. }
            | Self::OneHand { .. }
            | Self::Wider { .. }
            | Self::AcceptedLate { .. } => WithheldBecause::Unfounded,
        }
    }

    /// The refusal that people and programs see.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let (stage, reason, next) = match self {
            Self::Decode { error, .. } => {
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
                    "Correct the text at that place; `nemosyne study template` prints a protocol to start from.",
                )
            }
            Self::Invalid { .. } => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "Correct the document and freeze, accept and authorize it anew.",
            ),
            Self::Altered { .. } => (
                Stage::DecodeIntegrity,
                Reason::Integrity,
                "Fetch the document again from the study's owner.",
            ),
            Self::Version { .. } => (
                Stage::DecodeIntegrity,
                Reason::UnknownShape,
                "Use the program that wrote it.",
            ),
            Self::Another { .. } => (
                Stage::BindingUse,
                Reason::WrongAuthorization,
                "Accept and authorize the same protocol and the same freeze.",
            ),
            Self::Unsigned { .. } => (
                Stage::BindingUse,
                Reason::NoStudyAuthorization,
                "Have it signed with a key that custody trusts for it.",
            ),
            Self::OneHand { .. } => (
                Stage::BindingUse,
                Reason::WrongAuthorization,
                "Have the protocol accepted by somebody who does not authorize the study.",
            ),
            Self::Wider { .. } => (
                Stage::BindingUse,
                Reason::WrongAuthorization,
                "Authorize at most what was frozen and accepted.",
            ),
            Self::AcceptedLate { .. } => (
                Stage::BindingUse,
                Reason::WrongAuthorization,
                "Authorize from the day of the acceptance on.",
            ),
            Self::NotYet { .. } => (
                Stage::BindingUse,
                Reason::WrongAuthorization,
                "Wait for its first day.",
            ),
            Self::Expired { .. } => (
                Stage::BindingUse,
                Reason::AuthorizationExpired,
                "Ask the study's owner for a new authorization.",
            ),
        };
        let refusal = Refusal::new(stage, reason, sentence(&self.to_string())).next(next);
        match self {
            Self::Decode { what, error } => refusal
                .about(*what)
                .at(format!("{} at byte {}", error.pointer, error.offset)),
            Self::Invalid { what, .. }
            | Self::Altered { what, .. }
            | Self::Version { what, .. }
            | Self::Another { what, .. }
            | Self::Unsigned { what } => refusal.about(*what),
            Self::OneHand { who } => refusal.about(who.as_str()),
            Self::Wider { .. } | Self::AcceptedLate { .. } | Self::NotYet { .. } | Self::Expired { .. } => {
                refusal
            }
        }
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
