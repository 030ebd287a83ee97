//! Reasons: a closed word for each way of failing, each belonging to exactly one code.

use std::fmt;

use crate::Code;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $code:ident $word:literal),+ $(,)?) => {
        /// The typed reason under a code; bounded, so behavior and documentation can be complete.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason { $($(#[$doc])* $name),+ }

        impl Reason {
            /// Every reason, grouped by code.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The code this reason belongs to.
            #[must_use]
            pub const fn code(self) -> Code {
                match self { $(Self::$name => Code::$code),+ }
            }

            /// The word on every surface.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }
        }
    };
}

reasons! {
    /// Bytes that are not what they claim to be.
    Malformed = InvalidInput "MALFORMED",
    /// A field or version shape this contract does not have.
    UnknownShape = InvalidInput "UNKNOWN_SHAPE",
    /// A capability that was written down instead of minted.
    ForgedCapability = InvalidInput "FORGED_CAPABILITY",
    /// A name that fits none or several objects.
    AmbiguousReference = InvalidInput "AMBIGUOUS_REFERENCE",
    /// A digest, length or identity that does not match its content.
    Integrity = InvalidInput "INTEGRITY",
    /// A declared limit was passed.
    Bounds = InvalidInput "BOUNDS",
    /// A needed choice was not stated.
    NotStated = InvalidInput "NOT_STATED",
    /// The file or folder can't be read or written.
    Unreachable = InvalidInput "UNREACHABLE",
    /// No adapter for this family.
    FamilyUnsupported = SemanticsUnsupported "FAMILY_UNSUPPORTED",
    /// No such relation between these kinds.
    RelationUnsupported = SemanticsUnsupported "RELATION_UNSUPPORTED",
    /// Going on would need a meaning nobody stated.
    InventedMeaning = SemanticsUnsupported "INVENTED_MEANING",
    /// The column's kind can't carry what was asked of it.
    MeasurementUnsupported = SemanticsUnsupported "MEASUREMENT_UNSUPPORTED",
    /// Required evidence was never issued.
    MissingRequired = EvidenceUnavailable "MISSING_REQUIRED",
    /// The evidence was retracted.
    Retracted = EvidenceUnavailable "RETRACTED",
    /// The evidence was withdrawn by its owner.
    Withdrawn = EvidenceUnavailable "WITHDRAWN",
    /// Newer evidence took its place.
    Superseded = EvidenceUnavailable "SUPERSEDED",
    /// The evidence is about another dataset.
    WrongDataset = EvidenceUnavailable "WRONG_DATASET",
    /// The evidence came from another kernel.
    WrongKernel = EvidenceUnavailable "WRONG_KERNEL",
    /// The receipt's content is not the one that was referenced.
    WrongReceipt = EvidenceUnavailable "WRONG_RECEIPT",
    /// The requirement profile is another version.
    WrongProfileVersion = EvidenceUnavailable "WRONG_PROFILE_VERSION",
    /// An axis the profile asks for is absent.
    RequiredAxisMissing = EvidenceUnavailable "REQUIRED_AXIS_MISSING",
    /// Nobody can say whether the evidence still stands.
    DispositionUnknown = EvidenceUnavailable "DISPOSITION_UNKNOWN",
    /// The analysis is invalid for this claim.
    ClaimInvalid = ClaimNotAdmissible "INVALID",
    /// The claim's owner abstained.
    ClaimAbstained = ClaimNotAdmissible "ABSTAIN",
    /// The claim could only be falsified by a machine.
    MachineFalsificationOnly = ClaimNotAdmissible "MACHINE_FALSIFICATION_ONLY",
    /// A stated assumption of the method is violated or unresolved.
    AssumptionUnmet = ClaimNotAdmissible "ASSUMPTION_UNMET",
    /// Units, frames or support do not agree.
    IncompatibleFrames = ClaimNotAdmissible "INCOMPATIBLE_FRAMES",
    /// Conjecture offered as a claim.
    ConjectureAsClaim = ClaimNotAdmissible "CONJECTURE_AS_CLAIM",
    /// The context or its activation is no longer current.
    Stale = ContextIncompatible "STALE",
    /// Another node, dataset or snapshot than the one at hand.
    WrongSubject = ContextIncompatible "WRONG_SUBJECT",
    /// The policy scope does not cover this task, domain or need.
    ScopeMismatch = ContextIncompatible "SCOPE_MISMATCH",
    /// The perspective points at something the snapshot does not hold.
    UnresolvedPerspective = ContextIncompatible "UNRESOLVED_PERSPECTIVE",
    /// The perspective would narrow the population, which is a new analysis.
    NarrowsPopulation = ContextIncompatible "NARROWS_POPULATION",
    /// An obligation was dropped, demoted or replaced.
    ObligationWeakened = PolicyViolation "OBLIGATION_WEAKENED",
    /// A mandatory obligation is not covered by the candidate.
    ObligationUncovered = PolicyViolation "OBLIGATION_UNCOVERED",
    /// Evidence requirements were weakened or replaced.
    EvidenceWeakened = PolicyViolation "EVIDENCE_WEAKENED",
    /// A policy that the program does not pin.
    UnauthorizedPolicy = PolicyViolation "UNAUTHORIZED_POLICY",
    /// A promised detail has no working route.
    RouteMissing = PolicyViolation "ROUTE_MISSING",
    /// No legal binding carries the meaning.
    NoLegalBinding = BindingUnavailable "NO_LEGAL_BINDING",
    /// A qualified fallback was needed and none exists.
    NoQualifiedFallback = BindingUnavailable "NO_QUALIFIED_FALLBACK",
    /// The transform is not in the pinned table.
    UnknownTransform = BindingUnavailable "UNKNOWN_TRANSFORM",
    /// The channel is not in the pinned table.
    UnknownChannel = BindingUnavailable "UNKNOWN_CHANNEL",
    /// The values lie outside the transform's domain.
    OutsideDomain = BindingUnavailable "OUTSIDE_DOMAIN",
    /// The mapping is known to mislead in this scope.
    Contraindicated = BindingUnavailable "CONTRAINDICATED",
    /// The device has no such channel.
    DeviceLacksChannel = ResourceUnsatisfiable "DEVICE_LACKS_CHANNEL",
    /// More elements or bytes than the device's budget.
    OverBudget = ResourceUnsatisfiable "OVER_BUDGET",
    /// An accessibility need can't be met.
    AccessibilityUnmet = ResourceUnsatisfiable "ACCESSIBILITY_UNMET",
    /// No graphics device answers.
    NoGraphicsDevice = ResourceUnsatisfiable "NO_GRAPHICS_DEVICE",
    /// The mapping is not qualified for production.
    NotQualified = UseNotPermitted "NOT_QUALIFIED",
    /// Study use without an authorization.
    NoStudyAuthorization = UseNotPermitted "NO_STUDY_AUTHORIZATION",
    /// The authorization is past its end.
    AuthorizationExpired = UseNotPermitted "AUTHORIZATION_EXPIRED",
    /// The authorization is for something else.
    WrongAuthorization = UseNotPermitted "WRONG_AUTHORIZATION",
    /// The qualification was withdrawn.
    QualificationWithdrawn = UseNotPermitted "QUALIFICATION_WITHDRAWN",
    /// A study-only result asked for in production.
    StudyOnly = UseNotPermitted "STUDY_ONLY",
    /// A version of the format this program does not execute.
    VersionUnsupported = ReplayUnsupported "VERSION_UNSUPPORTED",
    /// The pinned compiler or transform is not here.
    ImplementationMissing = ReplayUnsupported "IMPLEMENTATION_MISSING",
    /// A needed artifact is not in the package or not in the pinned table.
    ArtifactMissing = ReplayUnsupported "ARTIFACT_MISSING",
    /// Another dialect that carries a name like ours.
    Dialect = ReplayUnsupported "DIALECT",
}

impl Reason {
    /// The reason with this word under this code.
    #[must_use]
    pub fn parse(code: Code, word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|reason| reason.code() == code && reason.word() == word)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
