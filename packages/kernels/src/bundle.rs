//! All receipts of several analyses, and who may use which.

use std::collections::BTreeMap;

use dataset::Dataset;

use crate::analysis::Analysis;
use crate::error::KernelError;
use crate::family;
use crate::wire::v1::{Attestation, AttestedConsumer, Receipt, ReceiptBundle};

/// The governed consumer of `descriptive:<column>` receipts on the Forma path.
pub const STATISTICS_CONSUMER: &str = family::statistics::FAMILY.consumer;
/// The governed consumer of `rows:<columns>` receipts on the Forma path.
pub const ROWS_CONSUMER: &str = family::rows::FAMILY.consumer;

/// Puts the receipts of analyses of one dataset together and attests which consumer may use which. A receipt that two
/// analyses issue alike enters once.
///
/// # Errors
/// [`KernelError::WrongDataset`] for an analysis of another dataset, [`KernelError::ReceiptConflict`] when two different
/// receipts share a name.
pub fn bundle(dataset: &Dataset, analyses: &[Analysis]) -> Result<(ReceiptBundle, Attestation), KernelError> {
    let fingerprint = dataset.fingerprint();
    let mut receipts: Vec<Receipt> = Vec::new();
    // Ids are ASCII, so this order is theirs as UTF-16 too.
    let mut by_consumer: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for analysis in analyses {
        if analysis.dataset_fingerprint() != fingerprint {
            return Err(KernelError::WrongDataset {
                expected: fingerprint.to_string(),
                found: analysis.dataset_fingerprint().to_string(),
            });
        }
        let ids = by_consumer
            .entry(family::family(analysis.request()).consumer)
            .or_default();
        for receipt in analysis.receipts() {
            match receipts
                .iter()
                .find(|known| known.receipt_id == receipt.receipt_id)
            {
                Some(known) if known == receipt => continue,
                Some(_) => {
                    return Err(KernelError::ReceiptConflict {
                        receipt_id: receipt.receipt_id.clone(),
                    });
                }
                None => {}
            }
            ids.push(receipt.receipt_id.clone());
            receipts.push(receipt.clone());
        }
    }
    let consumers =
        by_consumer
            .into_iter()
            .filter(|(_, ids)| !ids.is_empty())
            .map(|(consumer_id, receipt_ids)| AttestedConsumer {
                consumer_id: consumer_id.to_owned(),
                receipt_ids,
            });
    let attestation = Attestation {
        schema_version: "1".to_owned(),
        dataset_fingerprint: fingerprint,
        kernel_version: crate::KERNEL_VERSION.to_owned(),
        consumers: consumers.collect(),
    };
    let bundle = ReceiptBundle {
        schema_version: "1".to_owned(),
        dataset_fingerprint: fingerprint,
        kernel_version: crate::KERNEL_VERSION.to_owned(),
        receipts,
    };
    Ok((bundle, attestation))
}
