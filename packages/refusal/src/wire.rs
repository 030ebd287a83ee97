//! `RefusalV1` as it is written down and read back.

/// Version 1.
pub mod v1 {
    use serde::{Deserialize, Serialize};

    /// `{ code, stage, reason, subjectRefs, owningPolicyRef?, cause?, retryCondition? }`.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Refusal {
        /// One of the ten code words.
        pub code: String,
        /// One of the seven stage words.
        pub stage: String,
        /// The reason word.
        pub reason: String,
        /// Names of what was refused.
        pub subject_refs: Vec<String>,
        /// The policy that owns the rule.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub owning_policy_ref: Option<String>,
        /// Sentence, place, upstream refusal.
        pub cause: Cause,
        /// What to do next.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub retry_condition: Option<String>,
    }

    /// See [`crate::Cause`].
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Cause {
        /// The sentence.
        pub text: String,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub place: Option<String>,
        /// How many subjects are not named; left out when all are.
        #[serde(default, skip_serializing_if = "is_zero")]
        pub unnamed_subjects: u64,
        /// What the upstream owner said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub upstream: Option<Box<Refusal>>,
    }

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands the field by reference"
    )]
    fn is_zero(count: &u64) -> bool {
        *count == 0
    }
}

use crate::{Cause, Code, Reason, Refusal, Stage};

/// A written refusal that is not one of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefusalWireError {
    /// The code word is not one of the ten; the file was written by another program.
    #[error("unknown refusal code {0:?}")]
    Code(String),
    /// The stage word is not one of the seven.
    #[error("unknown refusal stage {0:?}")]
    Stage(String),
    /// The reason does not belong to the code.
    #[error("reason {reason:?} does not belong to code {code}")]
    Reason {
        /// The code it was written under.
        code: Code,
        /// The word as written.
        reason: String,
    },
    /// More subjects than a refusal may name.
    #[error("a refusal names {0} subjects; the most is 64")]
    Subjects(usize),
}

impl Refusal {
    /// The wire form.
    #[must_use]
    pub fn to_wire(&self) -> v1::Refusal {
        v1::Refusal {
            code: self.code().word().to_owned(),
            stage: self.stage.word().to_owned(),
            reason: self.reason.word().to_owned(),
            subject_refs: self.subjects.clone(),
            owning_policy_ref: self.policy.clone(),
            cause: v1::Cause {
                text: self.cause.text.clone(),
                place: self.cause.place.clone(),
                unnamed_subjects: self.cause.unnamed,
                upstream: self
                    .cause
                    .upstream
                    .as_ref()
                    .map(|inner| Box::new(inner.to_wire())),
            },
            retry_condition: self.retry.clone(),
        }
    }

    /// Reads a written refusal back; words outside the closed tables are errors.
    ///
    /// # Errors
    /// [`RefusalWireError`] when a code, stage or reason is not ours, or too many subjects are named.
    pub fn from_wire(wire: v1::Refusal) -> Result<Self, RefusalWireError> {
        let code = Code::ALL
            .into_iter()
            .find(|code| code.word() == wire.code)
            .ok_or(RefusalWireError::Code(wire.code))?;
        let stage = Stage::ALL
            .into_iter()
            .find(|stage| stage.word() == wire.stage)
            .ok_or(RefusalWireError::Stage(wire.stage))?;
        let reason = Reason::parse(code, &wire.reason).ok_or(RefusalWireError::Reason {
            code,
            reason: wire.reason,
        })?;
        if wire.subject_refs.len() > crate::MAX_SUBJECTS {
            return Err(RefusalWireError::Subjects(wire.subject_refs.len()));
        }
        let upstream = match wire.cause.upstream {
            Some(inner) => Some(Box::new(Self::from_wire(*inner)?)),
            None => None,
        };
        Ok(Self {
            stage,
            reason,
            subjects: wire.subject_refs,
            policy: wire.owning_policy_ref,
            cause: Box::new(Cause {
                text: wire.cause.text,
                place: wire.cause.place,
                unnamed: wire.cause.unnamed_subjects,
                upstream,
            }),
            retry: wire.retry_condition,
        })
    }
}
