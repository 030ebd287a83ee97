//! The registry that packages of format version 3 were held to, and what it says about their recorded uses.
//!
//! One consumer, two profiles, frozen: nothing that a later path governs is added here, so an archive that was bound
//! under this table is bound under it for ever. The Forma path has consumers of its own
//! ([`AdmissionPolicy::forma_v1`]); put into this table they would turn every version 3 archive into one that lacks a
//! use. Source: the authority decision, sections 9 and 12 (F11).

use std::collections::BTreeSet;

use identity::Limits;
use kernels::wire::v1::{Receipt, ReceiptBundle};
use refusal::{Reason, Refusal, Stage};

use crate::bundle::check_bundle;
use crate::error::EvidenceError;
use crate::policy::{AdmissionPolicy, PACKAGE_V3_POLICY};
use crate::profile::{Axis, Profile, ProfileRegistry};
use crate::wire::v1::{ReceiptEnvelope, ReceiptUse};

/// The receipt envelope of a version 3 package: closed and sound. Whether its uses are governed is
/// [`HistoricEnvelope::bind`]'s to say; a use of a receipt that is not there is an outcome of binding, not damage.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoricEnvelope(ReceiptEnvelope);

impl HistoricEnvelope {
    /// Reads an envelope from the bytes of its member: closed, bounded, then checked.
    ///
    /// # Errors
    /// [`EvidenceError`] when the text is not the closed shape, the bundle is unsound, a use has an empty name, or a
    /// triple of consumer, receipt and profile occurs twice.
    pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<Self, EvidenceError> {
        let envelope = identity::decode::<ReceiptEnvelope>(bytes, limits)?.into_inner();
        if envelope.schema_version != "1" {
            return Err(EvidenceError::SchemaVersion {
                what: "envelope",
                found: envelope.schema_version,
            });
        }
        check_bundle(&envelope.bundle)?;
        let mut seen = BTreeSet::new();
        for one in &envelope.uses {
            let triple = (&one.consumer_id, &one.receipt_id, &one.requirement_profile_id);
            if triple.0.is_empty() || triple.1.is_empty() || triple.2.is_empty() {
                return Err(EvidenceError::Consumer {
                    consumer_id: one.consumer_id.clone(),
                    problem: "has a use with an empty name",
                });
            }
            if !seen.insert(triple) {
                return Err(EvidenceError::RepeatedUse {
                    receipt_id: one.receipt_id.clone(),
                });
            }
        }
        Ok(Self(envelope))
    }

    /// The bundle.
    #[must_use]
    pub fn bundle(&self) -> &ReceiptBundle {
        &self.0.bundle
    }

    /// The recorded uses in order.
    #[must_use]
    pub fn uses(&self) -> &[ReceiptUse] {
        &self.0.uses
    }

    /// What the registry of version 3 says about the recorded uses.
    #[must_use]
    pub fn bind(&self) -> Binding {
        self.bind_on(&ProfileRegistry::package_v3(), &AdmissionPolicy::package_v3())
    }

    /// [`HistoricEnvelope::bind`] under another table: each use in order, then each required consumer without one.
    #[must_use]
    pub fn bind_on(&self, registry: &ProfileRegistry, policy: &AdmissionPolicy) -> Binding {
        let recorded = self.0.uses.iter().map(|one| BoundUse {
            consumer_id: one.consumer_id.clone(),
            receipt_id: Some(one.receipt_id.clone()),
            requirement_profile_id: one.requirement_profile_id.clone(),
            outcome: bind_use(one, self.bundle(), registry, policy),
        });
        let lacking = policy.consumers().iter().filter(|governed| {
            governed.required
                && !self
                    .uses()
                    .iter()
                    .any(|one| one.consumer_id == governed.consumer_id)
        });
        let lacking = lacking.map(|governed| BoundUse {
            consumer_id: governed.consumer_id.clone(),
            receipt_id: None,
            requirement_profile_id: governed.requirement_profile_id.clone(),
            outcome: UseOutcome::MissingUse,
        });
        Binding {
            policy_id: policy.id().to_owned(),
            uses: recorded.chain(lacking).collect(),
        }
    }
}

fn bind_use(
    one: &ReceiptUse,
    bundle: &ReceiptBundle,
    registry: &ProfileRegistry,
    policy: &AdmissionPolicy,
) -> UseOutcome {
    let Some(governed) = policy.consumer(&one.consumer_id) else {
        return UseOutcome::UnknownConsumer;
    };
    if governed.requirement_profile_id != one.requirement_profile_id {
        return UseOutcome::ProfileMismatch {
            expected: governed.requirement_profile_id.clone(),
        };
    }
    let Some(profile) = registry.get(&one.requirement_profile_id) else {
        return UseOutcome::UnknownProfile;
    };
    match bundle
        .receipts
        .iter()
        .find(|receipt| receipt.receipt_id == one.receipt_id)
    {
        Some(receipt) => resolve(receipt, profile),
        None => UseOutcome::ReceiptNotFound,
    }
}

/// Violated assumption, unresolved assumption, axes in declared order.
fn resolve(receipt: &Receipt, profile: &Profile) -> UseOutcome {
    if let Some(assumption) = profile.violated(receipt) {
        return UseOutcome::ViolatedAssumption(assumption.assumption.clone());
    }
    if let Some(assumption) = profile.unresolved(receipt) {
        return UseOutcome::UnresolvedAssumption(assumption.assumption.clone());
    }
    match profile.missing_axis(receipt) {
        Some(axis) => UseOutcome::MissingRequiredAxis(axis),
        None => UseOutcome::Resolved,
    }
}

/// What the registry says about one recorded use, or about a consumer without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UseOutcome {
    /// Bound, and its receipt satisfies the profile.
    Resolved,
    /// Bound, and the bundle holds no such receipt.
    ReceiptNotFound,
    /// Bound, and the profile minds this violated assumption.
    ViolatedAssumption(String),
    /// Bound, and the profile minds this unresolved assumption.
    UnresolvedAssumption(String),
    /// Bound, and the receipt does not state this axis.
    MissingRequiredAxis(Axis),
    /// The consumer is not governed.
    UnknownConsumer,
    /// The consumer is governed under another profile.
    ProfileMismatch {
        /// Its profile.
        expected: String,
    },
    /// The profile is not in the table.
    UnknownProfile,
    /// A governed consumer has no use at all.
    MissingUse,
}

impl UseOutcome {
    /// The word on every surface.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Resolved => "RESOLVED",
            Self::ReceiptNotFound => "RECEIPT_NOT_FOUND",
            Self::ViolatedAssumption(_) => "VIOLATED_ASSUMPTION",
            Self::UnresolvedAssumption(_) => "UNRESOLVED_ASSUMPTION",
            Self::MissingRequiredAxis(_) => "MISSING_REQUIRED_AXIS",
            Self::UnknownConsumer => "UNKNOWN_CONSUMER",
            Self::ProfileMismatch { .. } => "PROFILE_MISMATCH",
            Self::UnknownProfile => "UNKNOWN_REQUIREMENT_PROFILE",
            Self::MissingUse => "MISSING_USE",
        }
    }

    /// How the format classes this outcome: nothing when the use is bound and resolved.
    #[must_use]
    pub const fn classed(&self) -> Option<BindingRefusal> {
        match self {
            Self::Resolved => None,
            Self::UnknownConsumer | Self::MissingUse => Some(BindingRefusal::ConsumerNotGoverned),
            Self::ReceiptNotFound
            | Self::ViolatedAssumption(_)
            | Self::UnresolvedAssumption(_)
            | Self::MissingRequiredAxis(_)
            | Self::ProfileMismatch { .. }
            | Self::UnknownProfile => Some(BindingRefusal::ConsumerPolicyRefused),
        }
    }
}

/// The two ways in which a version 3 archive and the registry disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingRefusal {
    /// Archive and registry do not name the same governed consumers.
    ConsumerNotGoverned,
    /// The consumer is governed, and the use does not satisfy its policy.
    ConsumerPolicyRefused,
}

impl BindingRefusal {
    /// The word on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ConsumerNotGoverned => "CONSUMER_NOT_GOVERNED",
            Self::ConsumerPolicyRefused => "CONSUMER_POLICY_REFUSED",
        }
    }
}

/// One use with its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundUse {
    /// The consumer.
    pub consumer_id: String,
    /// The receipt it uses; none when a governed consumer has no use.
    pub receipt_id: Option<String>,
    /// The profile it asks for, or would have to.
    pub requirement_profile_id: String,
    /// What the registry says.
    pub outcome: UseOutcome,
}

/// What the registry says about an envelope as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    policy_id: String,
    uses: Vec<BoundUse>,
}

impl Binding {
    /// Each recorded use in order, then each governed consumer without one.
    #[must_use]
    pub fn uses(&self) -> &[BoundUse] {
        &self.uses
    }

    /// The policy that was asked.
    #[must_use]
    pub fn policy_id(&self) -> &str {
        &self.policy_id
    }

    /// The first use that is not bound and resolved.
    #[must_use]
    pub fn first_refused(&self) -> Option<(&BoundUse, BindingRefusal)> {
        self.uses
            .iter()
            .find_map(|one| Some((one, one.outcome.classed()?)))
    }

    /// Why the uses are not taken as governed; nothing when all are.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        let (one, classed) = self.first_refused()?;
        let (consumer, word) = (&one.consumer_id, one.outcome.word());
        let receipt = one.receipt_id.as_deref().unwrap_or_default();
        let (reason, why) = match &one.outcome {
            UseOutcome::Resolved => return None,
            UseOutcome::MissingUse => (
                Reason::MissingRequired,
                format!("it records no use by {consumer}, which this format version governs"),
            ),
            UseOutcome::UnknownConsumer => (
                Reason::UnauthorizedPolicy,
                format!("it records a use by {consumer}, which this format version does not govern"),
            ),
            UseOutcome::ProfileMismatch { expected } => (
                Reason::EvidenceWeakened,
                format!(
                    "{consumer} asks for {}, and the profile of that consumer is {expected}",
                    one.requirement_profile_id
                ),
            ),
            UseOutcome::UnknownProfile => (
                Reason::UnauthorizedPolicy,
                format!(
                    "{} is no profile of this format version",
                    one.requirement_profile_id
                ),
            ),
            UseOutcome::ReceiptNotFound => (
                Reason::MissingRequired,
                format!("receipt {receipt} is used and not in the bundle"),
            ),
            UseOutcome::ViolatedAssumption(assumption) => (
                Reason::AssumptionUnmet,
                format!("receipt {receipt} violates the assumption that {assumption}"),
            ),
            UseOutcome::UnresolvedAssumption(assumption) => (
                Reason::AssumptionUnmet,
                format!("receipt {receipt} leaves open whether {assumption}"),
            ),
            UseOutcome::MissingRequiredAxis(axis) => (
                Reason::RequiredAxisMissing,
                format!("receipt {receipt} does not state its {}", axis.word()),
            ),
        };
        let text = format!("{} ({word}): {why}.", classed.word());
        let refusal = Refusal::new(Stage::EvidencePolicy, reason, text)
            .about(consumer)
            .under(&self.policy_id)
            .next("export the investigation again with the program that wrote it, or admit its data anew");
        Some(match &one.receipt_id {
            Some(receipt) => refusal.about(receipt),
            None => refusal,
        })
    }

    /// Whether this is the answer of the registry of version 3.
    #[must_use]
    pub fn is_package_v3(&self) -> bool {
        self.policy_id == PACKAGE_V3_POLICY
    }
}
