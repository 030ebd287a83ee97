//! Why evidence was not accepted.

use identity::{CanonicalError, DecodeError};
use refusal::{Reason, Refusal, Stage};

/// Why a bundle, an attestation or an envelope was refused as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    /// The bytes are no closed receipt envelope. Way out: fetch the package again from its owner.
    #[error("the receipt envelope can't be read: {0}")]
    Decode(#[from] DecodeError),
    /// Another schema version. Way out: read it with the program that wrote it.
    #[error("the {what} has schema version `{found}`; this path reads `1`")]
    SchemaVersion {
        /// Bundle, attestation or envelope.
        what: &'static str,
        /// The version found.
        found: String,
    },
    /// A receipt that breaks a rule of receipts. Way out: its issuer must issue it again.
    #[error("receipt `{receipt_id}`: {problem}")]
    Receipt {
        /// The receipt.
        receipt_id: String,
        /// The rule.
        problem: String,
    },
    /// Two receipts with one name. Way out: as for [`Self::Receipt`].
    #[error("two receipts are named `{receipt_id}`")]
    RepeatedReceipt {
        /// The name.
        receipt_id: String,
    },
    /// Evidence about another dataset. Way out: run the analysis on the dataset at hand.
    #[error("the {what} is about dataset {found}, not {expected}")]
    DatasetMismatch {
        /// What is about another dataset.
        what: String,
        /// The dataset of the bundle.
        expected: String,
        /// The other one.
        found: String,
    },
    /// Evidence of another kernel. Way out: run the analysis again.
    #[error("the {what} comes from kernel `{found}`, not `{expected}`")]
    KernelMismatch {
        /// What comes from another kernel.
        what: String,
        /// The kernel of the bundle.
        expected: String,
        /// The other one.
        found: String,
    },
    /// A use of a receipt that the bundle does not hold. Way out: bundle the analysis that issues it.
    #[error("consumer `{consumer_id}` uses receipt `{receipt_id}`, which the bundle does not hold")]
    ReceiptNotFound {
        /// The consumer.
        consumer_id: String,
        /// The receipt.
        receipt_id: String,
    },
    /// A consumer that the path does not govern. Way out: none; a consumer is added with a new path version.
    #[error("consumer `{consumer_id}` is not governed on path {path}")]
    UnknownConsumer {
        /// The consumer.
        consumer_id: String,
        /// The path.
        path: String,
    },
    /// A use under another profile than its consumer's. Way out: use the profile of the policy.
    #[error("consumer `{consumer_id}` must ask for profile `{expected}`, not `{found}`")]
    ProfileMismatch {
        /// The consumer.
        consumer_id: String,
        /// Its profile.
        expected: String,
        /// The one asked for.
        found: String,
    },
    /// The policy names a profile that the registry lacks. Way out: pair registry and policy of one path.
    #[error("profile `{profile_id}` is not in the registry of path {path}")]
    UnknownProfile {
        /// The profile.
        profile_id: String,
        /// The path.
        path: String,
    },
    /// Registry and policy of different paths. Way out: take both from one path.
    #[error("the profiles are of path {profiles}, the policy is of path {policy}")]
    PathMismatch {
        /// The path of the registry.
        profiles: String,
        /// The path of the policy.
        policy: String,
    },
    /// A consumer that is attested or used badly: twice, out of order or for nothing. Way out: its issuer corrects it.
    #[error("consumer `{consumer_id}` {problem}")]
    Consumer {
        /// The consumer.
        consumer_id: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// The same use twice, or one receipt for two consumers. Way out: as for [`Self::Consumer`].
    #[error("receipt `{receipt_id}` is used twice")]
    RepeatedUse {
        /// The receipt.
        receipt_id: String,
    },
    /// A consumer that the path requires has no use. Way out: run its analysis.
    #[error("consumer `{consumer_id}` has no receipt")]
    MissingUse {
        /// The consumer.
        consumer_id: String,
    },
    /// No canonical text. Cannot happen for evidence that was decoded or issued by a kernel.
    #[error("the evidence has no canonical text: {0}")]
    Canonical(#[from] CanonicalError),
}

impl EvidenceError {
    /// The refusal every surface shows.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let (stage, reason, next) = match self {
            Self::Decode(_) | Self::Canonical(_) => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "fetch the package again from its owner",
            ),
            Self::SchemaVersion { .. } => (
                Stage::DecodeIntegrity,
                Reason::UnknownShape,
                "read it with the program that wrote it",
            ),
            Self::Receipt { .. } | Self::Consumer { .. } => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "run the analysis again, so that a sound receipt is issued",
            ),
            Self::RepeatedReceipt { .. } | Self::RepeatedUse { .. } => (
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                "bundle each receipt once",
            ),
            Self::DatasetMismatch { .. } => (
                Stage::EvidencePolicy,
                Reason::WrongDataset,
                "run the analysis on the dataset at hand",
            ),
            Self::KernelMismatch { .. } => (
                Stage::EvidencePolicy,
                Reason::WrongKernel,
                "run the analysis again with this kernel",
            ),
            Self::ReceiptNotFound { .. } | Self::MissingUse { .. } => (
                Stage::EvidencePolicy,
                Reason::MissingRequired,
                "run the analysis that issues the receipt",
            ),
            Self::UnknownConsumer { .. } | Self::UnknownProfile { .. } | Self::PathMismatch { .. } => (
                Stage::EvidencePolicy,
                Reason::UnauthorizedPolicy,
                "use the consumers and profiles of this path",
            ),
            Self::ProfileMismatch { .. } => (
                Stage::EvidencePolicy,
                Reason::EvidenceWeakened,
                "ask for the profile that the policy names",
            ),
        };
        let refusal = Refusal::new(stage, reason, self.to_string()).next(next);
        match self {
            Self::Decode(error) => refusal.at(format!("`{}` (byte {})", error.pointer, error.offset)),
            Self::Receipt { receipt_id, .. }
            | Self::RepeatedReceipt { receipt_id }
            | Self::RepeatedUse { receipt_id } => refusal.about(receipt_id),
            Self::ReceiptNotFound {
                consumer_id,
                receipt_id,
            } => refusal.about(receipt_id).about(consumer_id),
            Self::UnknownConsumer { consumer_id, .. }
            | Self::Consumer { consumer_id, .. }
            | Self::MissingUse { consumer_id } => refusal.about(consumer_id),
            Self::ProfileMismatch {
                consumer_id, found, ..
            } => refusal.about(consumer_id).under(found),
            Self::UnknownProfile { profile_id, .. } => refusal.about(profile_id),
            Self::SchemaVersion { .. }
            | Self::DatasetMismatch { .. }
            | Self::KernelMismatch { .. }
            | Self::PathMismatch { .. }
            | Self::Canonical(_) => refusal,
        }
    }
}
