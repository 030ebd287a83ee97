//! Evidence uses: the tuples that pin one receipt to one consumer, profile and policy.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use identity::utf16_cmp;
use kernels::wire::v1::{Attestation, ReceiptBundle};

use crate::bundle::check_bundle;
use crate::error::EvidenceError;
use crate::policy::AdmissionPolicy;
use crate::profile::{Profile, ProfileRegistry};
use crate::wire::v1::{EvidenceUse, ReceiptUse};

/// The evidence uses that a bundle and its kernel's attestation give on the path of `registry` and `policy`, by receipt.
///
/// # Errors
/// [`EvidenceError`] when the bundle is unsound, the attestation is about something else or names a consumer the policy
/// does not govern, or a receipt is attested twice or not held.
pub fn uses(
    bundle: &ReceiptBundle,
    attestation: &Attestation,
    registry: &ProfileRegistry,
    policy: &AdmissionPolicy,
) -> Result<BTreeMap<String, EvidenceUse>, EvidenceError> {
    if attestation.schema_version != "1" {
        return Err(EvidenceError::SchemaVersion {
            what: "attestation",
            found: attestation.schema_version.clone(),
        });
    }
    if attestation.dataset_fingerprint != bundle.dataset_fingerprint {
        return Err(EvidenceError::DatasetMismatch {
            what: "attestation".to_owned(),
            expected: bundle.dataset_fingerprint.to_string(),
            found: attestation.dataset_fingerprint.to_string(),
        });
    }
    if attestation.kernel_version != bundle.kernel_version {
        return Err(EvidenceError::KernelMismatch {
            what: "attestation".to_owned(),
            expected: bundle.kernel_version.clone(),
            found: attestation.kernel_version.clone(),
        });
    }
    let mut attested = Vec::new();
    let mut last: Option<&str> = None;
    for consumer in &attestation.consumers {
        let wrong = |problem| EvidenceError::Consumer {
            consumer_id: consumer.consumer_id.clone(),
            problem,
        };
        if last.is_some_and(|last| utf16_cmp(last, &consumer.consumer_id).is_ge()) {
            return Err(wrong("is attested twice or out of order"));
        }
        if consumer.receipt_ids.is_empty() {
            return Err(wrong("is attested without a receipt"));
        }
        last = Some(&consumer.consumer_id);
        for receipt_id in &consumer.receipt_ids {
            let Some(governed) = policy.consumer(&consumer.consumer_id) else {
                return Err(unknown_consumer(&consumer.consumer_id, policy));
            };
            attested.push(ReceiptUse {
                consumer_id: consumer.consumer_id.clone(),
                receipt_id: receipt_id.clone(),
                requirement_profile_id: governed.requirement_profile_id.clone(),
            });
        }
    }
    mint(bundle, &attested, registry, policy)
}

/// Mints the tuples of these uses; the only place that does.
pub(crate) fn mint(
    bundle: &ReceiptBundle,
    receipt_uses: &[ReceiptUse],
    registry: &ProfileRegistry,
    policy: &AdmissionPolicy,
) -> Result<BTreeMap<String, EvidenceUse>, EvidenceError> {
    check_bundle(bundle)?;
    let bundle_content_digest = identity::canonical::digest(bundle)?;
    let mut minted = BTreeMap::new();
    for receipt_use in receipt_uses {
        let profile = profile_of(receipt_use, registry, policy)?;
        let ReceiptUse {
            consumer_id,
            receipt_id,
            ..
        } = receipt_use;
        let Some(receipt) = bundle
            .receipts
            .iter()
            .find(|receipt| receipt.receipt_id == *receipt_id)
        else {
            return Err(EvidenceError::ReceiptNotFound {
                consumer_id: consumer_id.clone(),
                receipt_id: receipt_id.clone(),
            });
        };
        let evidence_use = EvidenceUse {
            dataset_fingerprint: bundle.dataset_fingerprint,
            kernel_version: bundle.kernel_version.clone(),
            bundle_content_digest,
            receipt_id: receipt_id.clone(),
            receipt_content_digest: identity::canonical::digest(receipt)?,
            consumer_id: consumer_id.clone(),
            requirement_profile_id: profile.id().to_owned(),
            requirement_profile_digest: profile.digest(),
            admission_policy_id: policy.id().to_owned(),
            admission_policy_digest: policy.digest(),
        };
        if minted.insert(receipt_id.clone(), evidence_use).is_some() {
            return Err(EvidenceError::RepeatedUse {
                receipt_id: receipt_id.clone(),
            });
        }
    }
    let lacking = policy.consumers().iter().find(|governed| {
        governed.required
            && !receipt_uses
                .iter()
                .any(|one| one.consumer_id == governed.consumer_id)
    });
    match lacking {
        Some(governed) => Err(EvidenceError::MissingUse {
            consumer_id: governed.consumer_id.clone(),
        }),
        None => Ok(minted),
    }
}

fn profile_of<'a>(
    receipt_use: &ReceiptUse,
    registry: &'a ProfileRegistry,
    policy: &AdmissionPolicy,
) -> Result<&'a Profile, EvidenceError> {
    if registry.path() != policy.path() {
        return Err(EvidenceError::PathMismatch {
            profiles: registry.path().to_owned(),
            policy: policy.path().to_owned(),
        });
    }
    let governed = policy
        .consumer(&receipt_use.consumer_id)
        .ok_or_else(|| unknown_consumer(&receipt_use.consumer_id, policy))?;
    if governed.requirement_profile_id != receipt_use.requirement_profile_id {
        return Err(EvidenceError::ProfileMismatch {
            consumer_id: receipt_use.consumer_id.clone(),
            expected: governed.requirement_profile_id.clone(),
            found: receipt_use.requirement_profile_id.clone(),
        });
    }
    registry
        .get(&governed.requirement_profile_id)
        .ok_or_else(|| EvidenceError::UnknownProfile {
            profile_id: governed.requirement_profile_id.clone(),
            path: registry.path().to_owned(),
        })
}

fn unknown_consumer(consumer_id: &str, policy: &AdmissionPolicy) -> EvidenceError {
    EvidenceError::UnknownConsumer {
        consumer_id: consumer_id.to_owned(),
        path: policy.path().to_owned(),
    }
}

/// The order of evidence uses in a declared set: member by member, texts by UTF-16 code units.
#[must_use]
pub fn compare_uses(a: &EvidenceUse, b: &EvidenceUse) -> Ordering {
    a.dataset_fingerprint
        .cmp(&b.dataset_fingerprint)
        .then_with(|| utf16_cmp(&a.kernel_version, &b.kernel_version))
        .then_with(|| a.bundle_content_digest.cmp(&b.bundle_content_digest))
        .then_with(|| utf16_cmp(&a.receipt_id, &b.receipt_id))
        .then_with(|| a.receipt_content_digest.cmp(&b.receipt_content_digest))
        .then_with(|| utf16_cmp(&a.consumer_id, &b.consumer_id))
        .then_with(|| utf16_cmp(&a.requirement_profile_id, &b.requirement_profile_id))
        .then_with(|| a.requirement_profile_digest.cmp(&b.requirement_profile_digest))
        .then_with(|| utf16_cmp(&a.admission_policy_id, &b.admission_policy_id))
        .then_with(|| a.admission_policy_digest.cmp(&b.admission_policy_digest))
}
