//! The closed receipt envelope of a package: a bundle with the uses made of it.

use std::collections::{BTreeMap, BTreeSet};

use identity::Limits;
use kernels::wire::v1::ReceiptBundle;

use crate::bundle::check_bundle;
use crate::error::EvidenceError;
use crate::policy::AdmissionPolicy;
use crate::profile::ProfileRegistry;
use crate::uses::mint;
use crate::wire::v1::{EvidenceUse, ReceiptEnvelope, ReceiptUse};

/// A sound bundle with uses of receipts that it holds, no triple of consumer, receipt and profile twice.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceEnvelope(ReceiptEnvelope);

impl EvidenceEnvelope {
    /// Puts a bundle and the uses minted from it together, in the order of receipts in the bundle.
    ///
    /// # Errors
    /// As [`EvidenceEnvelope::open`].
    pub fn new(bundle: ReceiptBundle, uses: &BTreeMap<String, EvidenceUse>) -> Result<Self, EvidenceError> {
        let place = |receipt_id: &str| {
            bundle
                .receipts
                .iter()
                .position(|receipt| receipt.receipt_id == receipt_id)
                .unwrap_or(usize::MAX)
        };
        let mut sorted: Vec<&EvidenceUse> = uses.values().collect();
        sorted.sort_by_key(|evidence_use| place(&evidence_use.receipt_id));
        let uses = sorted.into_iter().map(|evidence_use| ReceiptUse {
            consumer_id: evidence_use.consumer_id.clone(),
            receipt_id: evidence_use.receipt_id.clone(),
            requirement_profile_id: evidence_use.requirement_profile_id.clone(),
        });
        let uses = uses.collect();
        Self::open(ReceiptEnvelope {
            schema_version: "1".to_owned(),
            bundle,
            uses,
        })
    }

    /// Checks an envelope that was read. It does not say whether its consumers are governed;
    /// [`EvidenceEnvelope::evidence_uses`] does, on a path.
    ///
    /// # Errors
    /// [`EvidenceError`] when the bundle is unsound, a use names a receipt it does not hold, or a triple occurs twice.
    pub fn open(envelope: ReceiptEnvelope) -> Result<Self, EvidenceError> {
        if envelope.schema_version != "1" {
            return Err(EvidenceError::SchemaVersion {
                what: "envelope",
                found: envelope.schema_version,
            });
        }
        check_bundle(&envelope.bundle)?;
        let mut seen = BTreeSet::new();
        for ReceiptUse {
            consumer_id,
            receipt_id,
            requirement_profile_id,
        } in &envelope.uses
        {
            if [consumer_id, receipt_id, requirement_profile_id]
                .iter()
                .any(|text| text.is_empty())
            {
                let problem = "has a use with an empty name";
                return Err(EvidenceError::Consumer {
                    consumer_id: consumer_id.clone(),
                    problem,
                });
            }
            if !envelope
                .bundle
                .receipts
                .iter()
                .any(|receipt| receipt.receipt_id == *receipt_id)
            {
                return Err(EvidenceError::ReceiptNotFound {
                    consumer_id: consumer_id.clone(),
                    receipt_id: receipt_id.clone(),
                });
            }
            if !seen.insert((consumer_id, receipt_id, requirement_profile_id)) {
                return Err(EvidenceError::RepeatedUse {
                    receipt_id: receipt_id.clone(),
                });
            }
        }
        Ok(Self(envelope))
    }

    /// Reads an envelope from the bytes of its package member: closed, bounded, then checked.
    ///
    /// # Errors
    /// [`EvidenceError::Decode`] with pointer and offset, else as [`EvidenceEnvelope::open`].
    pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<Self, EvidenceError> {
        Self::open(identity::decode::<ReceiptEnvelope>(bytes, limits)?.into_inner())
    }

    /// The canonical bytes of the package member.
    ///
    /// # Errors
    /// [`EvidenceError::Canonical`]; cannot happen, since every number in an envelope is finite and safe.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EvidenceError> {
        Ok(identity::canonical::to_vec(&self.0)?)
    }

    /// The bundle.
    #[must_use]
    pub fn bundle(&self) -> &ReceiptBundle {
        &self.0.bundle
    }

    /// The uses in order.
    #[must_use]
    pub fn uses(&self) -> &[ReceiptUse] {
        &self.0.uses
    }

    /// What is written down.
    #[must_use]
    pub fn to_wire(&self) -> &ReceiptEnvelope {
        &self.0
    }

    /// The evidence uses on a path, by receipt: the same that were minted when the envelope was made on that path.
    ///
    /// # Errors
    /// [`EvidenceError`] when the path does not govern a consumer, gives it another profile, or requires one that has
    /// no use.
    pub fn evidence_uses(
        &self,
        registry: &ProfileRegistry,
        policy: &AdmissionPolicy,
    ) -> Result<BTreeMap<String, EvidenceUse>, EvidenceError> {
        mint(&self.0.bundle, &self.0.uses, registry, policy)
    }
}
