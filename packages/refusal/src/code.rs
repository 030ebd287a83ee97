//! Codes and stages: closed, ordered, written in capitals on every surface.

use std::fmt;

/// What kind of no this is; decides behavior. Source: the authority decision, section 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// The input is malformed, ambiguous, tampered with or over a bound.
    InvalidInput,
    /// A family or relation is not supported; going on would need invented meaning.
    SemanticsUnsupported,
    /// Required evidence is missing, withdrawn, retracted, or about something else.
    EvidenceUnavailable,
    /// The analytical claim itself does not hold up under its policy.
    ClaimNotAdmissible,
    /// The context is stale or does not belong to this snapshot, dataset or node.
    ContextIncompatible,
    /// A candidate tried to weaken what was fixed, or used a policy it may not use.
    PolicyViolation,
    /// No legal, qualified perceptual binding carries a mandatory meaning.
    BindingUnavailable,
    /// A legal binding exists, but this device, budget or accessibility need can't carry it out.
    ResourceUnsatisfiable,
    /// The requested use is not permitted by qualification or authorization.
    UseNotPermitted,
    /// The historical contract can't be restored safely by this program.
    ReplayUnsupported,
}

impl Code {
    /// All ten, in the order of the decision.
    pub const ALL: [Self; 10] = [
        Self::InvalidInput,
        Self::SemanticsUnsupported,
        Self::EvidenceUnavailable,
        Self::ClaimNotAdmissible,
        Self::ContextIncompatible,
        Self::PolicyViolation,
        Self::BindingUnavailable,
        Self::ResourceUnsatisfiable,
        Self::UseNotPermitted,
        Self::ReplayUnsupported,
    ];

    /// The word on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::InvalidInput => "INVALID_INPUT",
            Self::SemanticsUnsupported => "SEMANTICS_UNSUPPORTED",
            Self::EvidenceUnavailable => "EVIDENCE_UNAVAILABLE",
            Self::ClaimNotAdmissible => "CLAIM_NOT_ADMISSIBLE",
            Self::ContextIncompatible => "CONTEXT_INCOMPATIBLE",
            Self::PolicyViolation => "POLICY_VIOLATION",
            Self::BindingUnavailable => "BINDING_UNAVAILABLE",
            Self::ResourceUnsatisfiable => "RESOURCE_UNSATISFIABLE",
            Self::UseNotPermitted => "USE_NOT_PERMITTED",
            Self::ReplayUnsupported => "REPLAY_UNSUPPORTED",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Where the refusal arose; the order is the order of validation, and the first failing stage is primary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Bytes, shapes, digests and bounds.
    DecodeIntegrity,
    /// Committed context and identities.
    ContextIdentity,
    /// Evidence, dispositions and claim policy.
    EvidencePolicy,
    /// The fixed obligation policy against what the candidate did.
    FixedPolicy,
    /// Bindings, qualification and permitted use.
    BindingUse,
    /// Device, accessibility and budget.
    Budget,
    /// The recheck before the swap.
    AdoptionRecheck,
}

impl Stage {
    /// All seven, in order.
    pub const ALL: [Self; 7] = [
        Self::DecodeIntegrity,
        Self::ContextIdentity,
        Self::EvidencePolicy,
        Self::FixedPolicy,
        Self::BindingUse,
        Self::Budget,
        Self::AdoptionRecheck,
    ];

    /// The word on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::DecodeIntegrity => "DECODE_INTEGRITY",
            Self::ContextIdentity => "CONTEXT_IDENTITY",
            Self::EvidencePolicy => "EVIDENCE_POLICY",
            Self::FixedPolicy => "FIXED_POLICY",
            Self::BindingUse => "BINDING_USE",
            Self::Budget => "BUDGET",
            Self::AdoptionRecheck => "ADOPTION_RECHECK",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
