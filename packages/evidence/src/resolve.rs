//! Does an evidence use still find its receipt, under the profile and policy it was minted for?

use identity::Digest;
use kernels::wire::v1::{Receipt, ReceiptBundle};
use refusal::{Reason, Refusal, Stage};

use crate::bundle::check_bundle;
use crate::claim::{Claim, claim_standing};
use crate::policy::AdmissionPolicy;
use crate::profile::{Axis, ProfileRegistry};
use crate::wire::v1::EvidenceUse;

/// The answer to [`resolve`].
#[derive(Clone, Debug, PartialEq)]
pub enum Resolution<'a> {
    /// The receipt was found and satisfies its profile.
    Resolved(Resolved<'a>),
    /// The bundle itself is unsound.
    UnsoundBundle(String),
    /// The use is about another dataset than the bundle.
    DatasetMismatch,
    /// The use names another kernel than the bundle.
    KernelMismatch,
    /// The bundle holds no such receipt.
    ReceiptNotFound,
    /// The receipt, or the bundle around it, has other content than was referenced.
    WrongReceipt,
    /// The consumer is not governed on this path.
    UnknownConsumer,
    /// The consumer asks for another profile than the policy gives it.
    ProfileMismatch,
    /// The profile has the name but not the content that was referenced.
    WrongProfileVersion,
    /// The policy is not the one of this path, by name or content.
    WrongPolicyVersion,
    /// The profile minds a violated assumption; this one.
    ViolatedAssumption(String),
    /// The profile minds an unresolved assumption; this one.
    UnresolvedAssumption(String),
    /// The receipt does not state an axis the profile requires.
    MissingRequiredAxis(Axis),
}

/// A receipt that was found as referenced and satisfies its profile; only [`resolve`] makes one.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved<'a> {
    receipt: &'a Receipt,
    claim: Claim,
}

impl<'a> Resolved<'a> {
    /// The receipt.
    #[must_use]
    pub fn receipt(&self) -> &'a Receipt {
        self.receipt
    }

    /// Whether its claim holds up.
    #[must_use]
    pub fn claim(&self) -> Claim {
        self.claim
    }
}

/// One bundle, checked and hashed once, in which any number of uses are resolved under the profiles and policy of the
/// Forma path.
#[derive(Clone, Debug)]
pub struct Resolver<'a> {
    checked: Checked<'a>,
    registry: ProfileRegistry,
    policy: AdmissionPolicy,
}

impl<'a> Resolver<'a> {
    /// Checks and hashes the bundle; an unsound one is the answer of every [`Resolver::resolve`].
    #[must_use]
    pub fn new(bundle: &'a ReceiptBundle) -> Self {
        Self {
            checked: Checked::new(bundle),
            registry: ProfileRegistry::forma_v1(),
            policy: AdmissionPolicy::forma_v1(),
        }
    }

    /// [`resolve`] in this bundle.
    #[must_use]
    pub fn resolve(&self, evidence_use: &EvidenceUse) -> Resolution<'a> {
        self.checked.resolve(evidence_use, &self.registry, &self.policy)
    }
}

/// Resolves a use in a bundle under the profiles and policy of the Forma path.
///
/// Checked in this order: bundle, dataset, kernel, consumer, policy, profile, receipt, violated assumption, unresolved
/// assumption, axes in declared order.
#[must_use]
pub fn resolve<'a>(evidence_use: &EvidenceUse, bundle: &'a ReceiptBundle) -> Resolution<'a> {
    Resolver::new(bundle).resolve(evidence_use)
}

/// [`resolve`] on another path.
#[must_use]
pub fn resolve_on<'a>(
    evidence_use: &EvidenceUse,
    bundle: &'a ReceiptBundle,
    registry: &ProfileRegistry,
    policy: &AdmissionPolicy,
) -> Resolution<'a> {
    Checked::new(bundle).resolve(evidence_use, registry, policy)
}

#[derive(Clone, Debug)]
struct Checked<'a> {
    bundle: &'a ReceiptBundle,
    unsound: Option<String>,
    digest: Option<Digest>,
}

impl<'a> Checked<'a> {
    fn new(bundle: &'a ReceiptBundle) -> Self {
        Self {
            bundle,
            unsound: check_bundle(bundle).err().map(|error| error.to_string()),
            digest: identity::canonical::digest(bundle).ok(),
        }
    }

    fn resolve(
        &self,
        evidence_use: &EvidenceUse,
        registry: &ProfileRegistry,
        policy: &AdmissionPolicy,
    ) -> Resolution<'a> {
        let bundle = self.bundle;
        if evidence_use.dataset_fingerprint != bundle.dataset_fingerprint {
            return Resolution::DatasetMismatch;
        }
        if evidence_use.kernel_version != bundle.kernel_version {
            return Resolution::KernelMismatch;
        }
        if let Some(problem) = &self.unsound {
            return Resolution::UnsoundBundle(problem.clone());
        }
        let Some(governed) = policy.consumer(&evidence_use.consumer_id) else {
            return Resolution::UnknownConsumer;
        };
        let same_policy = evidence_use.admission_policy_id == policy.id()
            && evidence_use.admission_policy_digest == policy.digest()
            && registry.path() == policy.path();
        if !same_policy {
            return Resolution::WrongPolicyVersion;
        }
        if governed.requirement_profile_id != evidence_use.requirement_profile_id {
            return Resolution::ProfileMismatch;
        }
        let Some(profile) = registry
            .get(&evidence_use.requirement_profile_id)
            .filter(|profile| profile.digest() == evidence_use.requirement_profile_digest)
        else {
            return Resolution::WrongProfileVersion;
        };
        let Some(receipt) = bundle
            .receipts
            .iter()
            .find(|receipt| receipt.receipt_id == evidence_use.receipt_id)
        else {
            return Resolution::ReceiptNotFound;
        };
        let as_referenced = identity::canonical::digest(receipt) == Ok(evidence_use.receipt_content_digest)
            && self.digest == Some(evidence_use.bundle_content_digest);
        if !as_referenced {
            return Resolution::WrongReceipt;
        }
        if let Some(assumption) = profile.violated(receipt) {
            return Resolution::ViolatedAssumption(assumption.assumption.clone());
        }
        if let Some(assumption) = profile.unresolved(receipt) {
            return Resolution::UnresolvedAssumption(assumption.assumption.clone());
        }
        if let Some(axis) = profile.missing_axis(receipt) {
            return Resolution::MissingRequiredAxis(axis);
        }
        Resolution::Resolved(Resolved {
            receipt,
            claim: claim_standing(receipt, profile),
        })
    }
}

impl Resolution<'_> {
    /// The word on every surface.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Resolved(_) => "RESOLVED",
            Self::UnsoundBundle(_) => "UNSOUND_BUNDLE",
            Self::DatasetMismatch => "DATASET_MISMATCH",
            Self::KernelMismatch => "KERNEL_MISMATCH",
            Self::ReceiptNotFound => "RECEIPT_NOT_FOUND",
            Self::WrongReceipt => "WRONG_RECEIPT",
            Self::UnknownConsumer => "UNKNOWN_CONSUMER",
            Self::ProfileMismatch => "PROFILE_MISMATCH",
            Self::WrongProfileVersion => "WRONG_PROFILE_VERSION",
            Self::WrongPolicyVersion => "WRONG_POLICY_VERSION",
            Self::ViolatedAssumption(_) => "VIOLATED_ASSUMPTION",
            Self::UnresolvedAssumption(_) => "UNRESOLVED_ASSUMPTION",
            Self::MissingRequiredAxis(_) => "MISSING_REQUIRED_AXIS",
        }
    }

    /// The refusal for a use that is not taken. Total, so that nobody reads silence as a yes: a resolved use that is
    /// refused all the same is refused for missing evidence.
    #[must_use]
    pub fn refusal(&self, evidence_use: &EvidenceUse) -> Refusal {
        let receipt_id = &evidence_use.receipt_id;
        let (reason, text, next) = match self {
            Self::Resolved(_) => (
                Reason::MissingRequired,
                format!("Receipt {receipt_id} resolves, but this use of it is not accepted."),
                "See the refusal that this one accompanies.",
            ),
            Self::UnsoundBundle(problem) => (
                Reason::Malformed,
                format!("The receipts around {receipt_id} are unsound: {problem}."),
                "Run the analysis again, so that sound receipts are issued.",
            ),
            Self::DatasetMismatch => (
                Reason::WrongDataset,
                format!("Receipt {receipt_id} is about another dataset."),
                "Run the analysis on the dataset at hand.",
            ),
            Self::KernelMismatch => (
                Reason::WrongKernel,
                format!(
                    "Receipt {receipt_id} was issued by kernel {}.",
                    evidence_use.kernel_version
                ),
                "Run the analysis again with this kernel.",
            ),
            Self::ReceiptNotFound => (
                Reason::MissingRequired,
                format!("Receipt {receipt_id} is not among the receipts."),
                "Run the analysis that issues it.",
            ),
            Self::WrongReceipt => (
                Reason::WrongReceipt,
                format!("Receipt {receipt_id} has other content than was referenced."),
                "Normalize again from the current receipts.",
            ),
            Self::UnknownConsumer => (
                Reason::UnauthorizedPolicy,
                format!(
                    "Consumer {} is not governed on this path.",
                    evidence_use.consumer_id
                ),
                "Use a governed consumer.",
            ),
            Self::ProfileMismatch => (
                Reason::EvidenceWeakened,
                format!(
                    "Consumer {} must not ask for profile {}.",
                    evidence_use.consumer_id, evidence_use.requirement_profile_id
                ),
                "Ask for the profile that the policy names.",
            ),
            Self::WrongProfileVersion => (
                Reason::WrongProfileVersion,
                format!(
                    "Profile {} is not the version that receipt {receipt_id} was held to.",
                    evidence_use.requirement_profile_id
                ),
                "Normalize again under the current profile; this gives a new snapshot.",
            ),
            Self::WrongPolicyVersion => (
                Reason::UnauthorizedPolicy,
                format!(
                    "Policy {} is not the pinned one.",
                    evidence_use.admission_policy_id
                ),
                "Normalize again under the pinned policy; this gives a new snapshot.",
            ),
            Self::ViolatedAssumption(assumption) => (
                Reason::AssumptionUnmet,
                format!("Receipt {receipt_id} violates the assumption that {assumption}."),
                "Choose an analysis whose assumptions hold.",
            ),
            Self::UnresolvedAssumption(assumption) => (
                Reason::AssumptionUnmet,
                format!("Receipt {receipt_id} leaves open whether {assumption}."),
                "Establish the assumption, or choose an analysis without it.",
            ),
            Self::MissingRequiredAxis(axis) => (
                Reason::RequiredAxisMissing,
                format!("Receipt {receipt_id} does not state its {}.", axis.word()),
                "Run an analysis that states it on data that allow it.",
            ),
        };
        Refusal::new(Stage::EvidencePolicy, reason, text)
            .about(receipt_id)
            .under(&evidence_use.requirement_profile_id)
            .next(next)
    }
}
