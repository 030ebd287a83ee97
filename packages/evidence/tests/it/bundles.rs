//! The rules of receipts, each broken once.

use evidence::{EvidenceError, check_bundle};
use identity::{Fingerprint, Finite, SafeInteger};
use kernels::wire::v1::{MeasurementContext, Receipt, ReceiptBundle, Stability};
use refusal::Code;

use crate::{ROWS, SUMMARY, issued, receipt};

fn broken(change: impl FnOnce(&mut ReceiptBundle)) -> EvidenceError {
    let (mut bundle, _) = issued();
    check_bundle(&bundle).unwrap();
    change(&mut bundle);
    check_bundle(&bundle).unwrap_err()
}

#[test]
fn a_bundle_is_of_one_dataset_and_kernel() {
    let other = Fingerprint::from_bytes([7; 32]);
    let error = broken(|bundle| receipt(bundle, ROWS).method_provenance.dataset_fingerprint = other);
    assert!(matches!(error, EvidenceError::DatasetMismatch { .. }));
    let error = broken(|bundle| receipt(bundle, ROWS).method_provenance.kernel_version.push('x'));
    assert!(matches!(error, EvidenceError::KernelMismatch { .. }));
    let error = broken(|bundle| bundle.schema_version = "01".to_owned());
    assert!(matches!(error, EvidenceError::SchemaVersion { .. }));
    let error = broken(|bundle| {
        let again = bundle.receipts[0].clone();
        bundle.receipts.push(again);
    });
    assert_eq!(
        error,
        EvidenceError::RepeatedReceipt {
            receipt_id: ROWS.to_owned()
        }
    );
    assert_eq!(error.refusal().code(), Code::InvalidInput);
}

type Change = fn(&mut Receipt);

/// What is broken, how, and the sentence that says so.
const BROKEN: &[(Change, &str)] = &[
    (|receipt| receipt.estimand.clear(), "estimand is empty"),
    (|receipt| receipt.claim_id.clear(), "claimId is empty"),
    (
        |receipt| receipt.method_provenance.method.clear(),
        "method is empty",
    ),
    (
        |receipt| receipt.assumptions[0].status = "probably".to_owned(),
        "`probably` is no assumption status",
    ),
    (
        |receipt| receipt.sample_support.policy = "best".to_owned(),
        "`best` is no support policy",
    ),
    (
        |receipt| receipt.sample_support.rows_used = SafeInteger::from(3),
        "5 rows less 3 used are not 0 excluded",
    ),
    (
        |receipt| receipt.sample_support.rows_used = SafeInteger::from(-1),
        "a number of rows is negative",
    ),
    (
        |receipt| {
            receipt
                .sample_support
                .exclusion_reasons
                .push(kernels::wire::v1::ExclusionReason {
                    reason: "missing".to_owned(),
                    row_count: SafeInteger::from(1),
                });
        },
        "reasons explain 1 excluded rows of 0",
    ),
    (
        |receipt| {
            let uncertainty = receipt.uncertainty.as_mut().unwrap();
            std::mem::swap(&mut uncertainty.lower, &mut uncertainty.upper);
        },
        "the uncertainty runs from",
    ),
    (
        |receipt| receipt.uncertainty.as_mut().unwrap().standard_error = Some(Finite::new(-1.0).unwrap()),
        "the standard error is negative",
    ),
    (
        |receipt| receipt.uncertainty.as_mut().unwrap().method.clear(),
        "the uncertainty names no method",
    ),
    (
        |receipt| {
            receipt.stability = Some(Stability {
                method: "seeds".to_owned(),
                score: Finite::ONE,
                repetitions: SafeInteger::ZERO,
            });
        },
        "the stability names no method or has no repetition",
    ),
    (
        |receipt| {
            receipt.measurement_context = MeasurementContext::Established {
                records: Vec::new(),
                semantic_admission_policy: None,
                analytical_admission: None,
            };
        },
        "the measurement is ESTABLISHED without a record",
    ),
    (
        |receipt| established(receipt).model.scale = "absolute".to_owned(),
        "`absolute` is no scale",
    ),
    (
        |receipt| established(receipt).status = "guessed".to_owned(),
        "`guessed` is no measurement status",
    ),
];

fn established(receipt: &mut Receipt) -> &mut kernels::wire::v1::MeasurementRecord {
    match &mut receipt.measurement_context {
        MeasurementContext::Established { records, .. } => &mut records[0],
        MeasurementContext::NotEstablished {} => panic!("the scale was inferred"),
    }
}

#[test]
fn a_receipt_that_contradicts_itself_is_refused() {
    for (change, sentence) in BROKEN {
        let error = broken(|bundle| change(receipt(bundle, SUMMARY)));
        let EvidenceError::Receipt { receipt_id, problem } = &error else {
            panic!("{error}")
        };
        assert_eq!(receipt_id, SUMMARY);
        assert!(problem.starts_with(sentence), "{problem} is not {sentence}");
        assert_eq!(error.refusal().subjects(), [SUMMARY]);
    }
}
