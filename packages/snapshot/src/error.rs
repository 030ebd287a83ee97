//! Why a snapshot was not made, or not accepted.

use identity::{CanonicalError, SealError};
use refusal::{Reason, Refusal, Stage};

/// Why analyses did not become a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// Nothing was asked for. Way out: answer at least one request.
    #[error("a snapshot needs at least one request")]
    Nothing,
    /// An analysis of another dataset. Way out: analyze the dataset at hand.
    #[error("the {family} analysis is of dataset {found}, not {expected}")]
    WrongDataset {
        /// The family.
        family: String,
        /// The dataset at hand.
        expected: String,
        /// The other one.
        found: String,
    },
    /// A receipt without an evidence use. Way out: bundle the analysis and mint its uses.
    #[error("receipt `{receipt_id}` has no evidence use, so nothing may rest on it")]
    NoEvidence {
        /// The receipt.
        receipt_id: String,
    },
    /// An evidence use of another receipt with that name. Way out: mint the uses from the bundle of these analyses.
    #[error("the evidence use of receipt `{receipt_id}` pins another receipt: its {what} differs")]
    WrongEvidence {
        /// The receipt.
        receipt_id: String,
        /// The member that differs.
        what: &'static str,
    },
    /// The same request twice. Way out: ask once.
    #[error("the {family} request {digest} occurs twice")]
    RepeatedRequest {
        /// The family.
        family: String,
        /// The request.
        digest: String,
    },
    /// A request said to be available without its analysis. Way out: pass the analysis.
    #[error("the {family} request is called AVAILABLE, but there is no analysis of it")]
    NotAnswered {
        /// The family.
        family: String,
    },
    /// A column that the dataset does not have. Cannot happen for analyses of that dataset.
    #[error("the dataset has no column `{column}`")]
    UnknownColumn {
        /// The column.
        column: String,
    },
    /// No canonical text. Cannot happen: every number in an analysis is finite and safe.
    #[error("the snapshot has no canonical text: {0}")]
    Canonical(#[from] CanonicalError),
    /// The body breaks a rule of snapshots. From [`crate::normalize`] a defect; from a file, see the inner error.
    #[error(transparent)]
    Seal(#[from] SealError<SnapshotInvalid>),
}

impl SnapshotError {
    /// The refusal every surface shows.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let (stage, reason, next) = match self {
            Self::Nothing => (
                Stage::DecodeIntegrity,
                Reason::NotStated,
                "ask for at least one analysis",
            ),
            Self::WrongDataset { .. } => (
                Stage::EvidencePolicy,
                Reason::WrongDataset,
                "analyze the dataset at hand",
            ),
            Self::NoEvidence { .. } => (
                Stage::EvidencePolicy,
                Reason::MissingRequired,
                "bundle the analysis, so that a governed consumer may use its receipt",
            ),
            Self::WrongEvidence { .. } => (
                Stage::EvidencePolicy,
                Reason::WrongReceipt,
                "mint the uses from the bundle of these analyses",
            ),
            Self::RepeatedRequest { .. } => (
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                "ask for each analysis once",
            ),
            Self::NotAnswered { .. } => (
                Stage::DecodeIntegrity,
                Reason::ForgedCapability,
                "pass the analysis that answers the request",
            ),
            Self::UnknownColumn { .. } => (
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                "use the exact name of a column",
            ),
            Self::Canonical(_) => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "report this as a defect of the normalizer",
            ),
            Self::Seal(SealError::Invalid(invalid)) => return invalid.refusal(),
            Self::Seal(SealError::IdentityMismatch { .. }) => (
                Stage::DecodeIntegrity,
                Reason::Integrity,
                "fetch the snapshot again from its owner",
            ),
            Self::Seal(SealError::SchemaVersion { .. }) => (
                Stage::DecodeIntegrity,
                Reason::UnknownShape,
                "read it with the program that wrote it",
            ),
            Self::Seal(SealError::Canonical(_)) => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "fetch the snapshot again from its owner",
            ),
        };
        let refusal = Refusal::new(stage, reason, self.to_string()).next(next);
        match self {
            Self::NoEvidence { receipt_id } | Self::WrongEvidence { receipt_id, .. } => {
                refusal.about(receipt_id)
            }
            Self::UnknownColumn { column } => refusal.about(column),
            Self::Nothing
            | Self::WrongDataset { .. }
            | Self::RepeatedRequest { .. }
            | Self::NotAnswered { .. }
            | Self::Canonical(_)
            | Self::Seal(_) => refusal,
        }
    }
}

/// Which rule a well-formed body breaks; `place` is a JSON pointer into the body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotInvalid {
    /// A declared set that is not in its order, or holds a member twice. Way out: its writer must sort.
    #[error("`{place}` does not follow the member before it")]
    Order {
        /// The member.
        place: String,
    },
    /// A local identity that its record does not hash to, so one of them was altered. Way out: fetch it again.
    #[error("`{place}` is {claimed}, but its record hashes to {computed}")]
    LocalIdentity {
        /// The identity.
        place: String,
        /// As stated.
        claimed: String,
        /// As computed.
        computed: String,
    },
    /// A reference to something the snapshot does not hold. Way out: fetch it again.
    #[error("`{place}` refers to {found}, which the snapshot does not hold")]
    Dangling {
        /// The reference.
        place: String,
        /// What it names.
        found: String,
    },
    /// A word outside its closed vocabulary. Way out: read it with the program that knows the word.
    #[error("`{place}` is `{found}`, not {expected}")]
    Word {
        /// The member.
        place: String,
        /// The word found.
        found: String,
        /// What would do.
        expected: String,
    },
    /// A state and content that contradict each other. Way out: its writer must state what is there.
    #[error("`{place}`: {problem}")]
    State {
        /// The record.
        place: String,
        /// The contradiction.
        problem: &'static str,
    },
    /// Evidence that is about something else. Way out: normalize again from the evidence of these analyses.
    #[error("`{place}` is about another {what} than the snapshot")]
    Evidence {
        /// The use.
        place: String,
        /// Dataset or kernel.
        what: &'static str,
    },
    /// Rows that do not add up. Way out: its writer must count again.
    #[error("`{place}`: {problem}")]
    Support {
        /// The provenance.
        place: String,
        /// What does not add up.
        problem: String,
    },
    /// A node, relation or coverage entry that the request calls for and the snapshot lacks. Way out: normalize again.
    #[error("{what} is missing")]
    Incomplete {
        /// What is missing.
        what: String,
    },
    /// A record without canonical text. Cannot happen for a decoded body.
    #[error("`{place}` has no canonical text: {problem}")]
    Canonical {
        /// The record.
        place: String,
        /// Why not.
        problem: String,
    },
}

impl SnapshotInvalid {
    /// The refusal every surface shows: INVALID_INPUT at DECODE_INTEGRITY.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let reason = match self {
            Self::LocalIdentity { .. } => Reason::Integrity,
            Self::Dangling { .. } => Reason::AmbiguousReference,
            Self::Word { .. } => Reason::UnknownShape,
            Self::Order { .. }
            | Self::State { .. }
            | Self::Evidence { .. }
            | Self::Support { .. }
            | Self::Incomplete { .. }
            | Self::Canonical { .. } => Reason::Malformed,
        };
        let refusal = Refusal::new(Stage::DecodeIntegrity, reason, self.to_string())
            .next("fetch the snapshot again from its owner, or normalize again");
        match self {
            Self::Order { place }
            | Self::LocalIdentity { place, .. }
            | Self::Dangling { place, .. }
            | Self::Word { place, .. }
            | Self::State { place, .. }
            | Self::Evidence { place, .. }
            | Self::Support { place, .. }
            | Self::Canonical { place, .. } => refusal.at(place),
            Self::Incomplete { .. } => refusal,
        }
    }
}
