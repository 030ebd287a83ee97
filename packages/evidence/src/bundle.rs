//! The rules of receipts that their shape can't express.

use std::collections::BTreeSet;

use kernels::wire::v1::{MeasurementContext, Receipt, ReceiptBundle, SampleSupport};

use crate::error::EvidenceError;

const ASSUMPTION_STATUS: &[&str] = &["satisfied", "violated", "unchecked", "notTestableFromData"];
const MEASUREMENT_STATUS: &[&str] = &["inferred", "declared", "confirmed", "ambiguous", "unknown"];
const SEMANTIC_ADMISSION: &[&str] = &["allowInferred", "requireDeclared", "requireConfirmed"];
const SUPPORT_POLICY: &[&str] = &[
    "fullDataset",
    "completeCase",
    "pairwiseComplete",
    "filteredSubset",
    "imputed",
    "other",
];
const SCALES: &[&str] = &[
    "unknown",
    "identifier",
    "nominal",
    "ordinal",
    "interval",
    "ratio",
    "count",
    "proportion",
    "compositional",
    "circular",
    "temporal",
    "spatialCoordinate",
];
const STRUCTURES: &[&str] = &[
    "unknown",
    "iid",
    "grouped",
    "repeatedMeasures",
    "temporalSequence",
    "spatial",
    "spatiotemporal",
];

/// Checks a bundle: its version, unique receipt names, one dataset and kernel throughout, known words, and support whose
/// numbers add up.
///
/// # Errors
/// [`EvidenceError`] for the first rule that is broken.
pub fn check_bundle(bundle: &ReceiptBundle) -> Result<(), EvidenceError> {
    if bundle.schema_version != "1" {
        return Err(EvidenceError::SchemaVersion {
            what: "bundle",
            found: bundle.schema_version.clone(),
        });
    }
    let mut names = BTreeSet::new();
    for receipt in &bundle.receipts {
        let receipt_id = receipt.receipt_id.clone();
        if !names.insert(receipt.receipt_id.as_str()) {
            return Err(EvidenceError::RepeatedReceipt { receipt_id });
        }
        let provenance = &receipt.method_provenance;
        if provenance.dataset_fingerprint != bundle.dataset_fingerprint {
            return Err(EvidenceError::DatasetMismatch {
                what: format!("receipt `{receipt_id}`"),
                expected: bundle.dataset_fingerprint.to_string(),
                found: provenance.dataset_fingerprint.to_string(),
            });
        }
        if provenance.kernel_version != bundle.kernel_version {
            return Err(EvidenceError::KernelMismatch {
                what: format!("receipt `{receipt_id}`"),
                expected: bundle.kernel_version.clone(),
                found: provenance.kernel_version.clone(),
            });
        }
        check_receipt(receipt).map_err(|problem| EvidenceError::Receipt { receipt_id, problem })?;
    }
    Ok(())
}

fn check_receipt(receipt: &Receipt) -> Result<(), String> {
    let provenance = &receipt.method_provenance;
    for (name, text) in [
        ("receiptId", &receipt.receipt_id),
        ("claimId", &receipt.claim_id),
        ("estimand", &receipt.estimand),
        ("method", &provenance.method),
        ("methodVersion", &provenance.method_version),
        ("kernelVersion", &provenance.kernel_version),
    ] {
        if text.is_empty() {
            return Err(format!("{name} is empty"));
        }
    }
    check_measurement(&receipt.measurement_context)?;
    for assumption in &receipt.assumptions {
        known("assumption status", &assumption.status, ASSUMPTION_STATUS)?;
    }
    check_support(&receipt.sample_support)?;
    if let Some(uncertainty) = &receipt.uncertainty {
        if uncertainty.method.is_empty() {
            return Err("the uncertainty names no method".to_owned());
        }
        if let (Some(lower), Some(upper)) = (uncertainty.lower, uncertainty.upper)
            && lower > upper
        {
            return Err(format!("the uncertainty runs from {lower} down to {upper}"));
        }
        if uncertainty.standard_error.is_some_and(|error| error.get() < 0.0) {
            return Err("the standard error is negative".to_owned());
        }
    }
    if let Some(stability) = &receipt.stability
        && (stability.method.is_empty() || stability.repetitions.get() < 1)
    {
        return Err("the stability names no method or has no repetition".to_owned());
    }
    Ok(())
}

fn check_measurement(context: &MeasurementContext) -> Result<(), String> {
    let MeasurementContext::Established {
        records,
        semantic_admission_policy,
        analytical_admission,
    } = context
    else {
        return Ok(());
    };
    if records.is_empty() {
        return Err("the measurement is ESTABLISHED without a record".to_owned());
    }
    for record in records {
        known("measurement status", &record.status, MEASUREMENT_STATUS)?;
        known("scale", &record.model.scale, SCALES)?;
        known(
            "observation structure",
            &record.model.observation_structure,
            STRUCTURES,
        )?;
    }
    if let Some(policy) = semantic_admission_policy {
        known("semantic admission policy", policy, SEMANTIC_ADMISSION)?;
    }
    match analytical_admission {
        Some(admission) => known(
            "analytical admission",
            &admission.status,
            &["admitted", "rejected"],
        ),
        None => Ok(()),
    }
}

fn check_support(support: &SampleSupport) -> Result<(), String> {
    known("support policy", &support.policy, SUPPORT_POLICY)?;
    let (total, used, excluded) = (
        support.total_rows.get(),
        support.rows_used.get(),
        support.rows_excluded.get(),
    );
    if total < 0 || used < 0 || excluded < 0 {
        return Err("a number of rows is negative".to_owned());
    }
    if total - used != excluded {
        return Err(format!(
            "{total} rows less {used} used are not {excluded} excluded"
        ));
    }
    let mut explained = 0_i64;
    for reason in &support.exclusion_reasons {
        if reason.reason.is_empty() || reason.row_count.get() < 0 {
            return Err("a reason for exclusion has no name or a negative count".to_owned());
        }
        explained = explained.saturating_add(reason.row_count.get());
    }
    if explained > excluded {
        return Err(format!("reasons explain {explained} excluded rows of {excluded}"));
    }
    Ok(())
}

fn known(what: &str, word: &str, words: &[&str]) -> Result<(), String> {
    if words.contains(&word) {
        Ok(())
    } else {
        Err(format!("`{word}` is no {what}"))
    }
}
