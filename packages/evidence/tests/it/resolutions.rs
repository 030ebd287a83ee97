//! Each way in which a use no longer finds what it pinned, beside the use that does.

use evidence::wire::v1::EvidenceUse;
use evidence::{Claim, Disposition, Resolution, resolve};
use identity::{Digest, Fingerprint, SafeInteger};
use kernels::wire::v1::{Receipt, ReceiptBundle};
use refusal::{Code, Reason, Stage};

use crate::{ROWS, SUMMARY, issued, minted, receipt};

/// A use of the summary after a change, resolved in the bundle it was minted from.
fn changed(change: impl FnOnce(&mut EvidenceUse)) -> (String, Reason) {
    let (bundle, attestation) = issued();
    let mut one = minted(&bundle, &attestation)[SUMMARY].clone();
    assert_eq!(resolve(&one, &bundle).word(), "RESOLVED");
    change(&mut one);
    let resolution = resolve(&one, &bundle);
    (resolution.word().to_owned(), resolution.refusal(&one).reason())
}

#[test]
fn a_use_resolves_to_its_receipt() {
    let (bundle, attestation) = issued();
    for (receipt_id, one) in minted(&bundle, &attestation) {
        let Resolution::Resolved(resolved) = resolve(&one, &bundle) else {
            panic!("{receipt_id} resolves")
        };
        assert_eq!(resolved.receipt().receipt_id, receipt_id);
        assert_eq!(resolved.claim(), Claim::Eligible);
    }
}

#[test]
fn a_use_that_was_altered_does_not() {
    let word = |(word, reason): (String, Reason), expected: &str, because: Reason| {
        assert_eq!((word.as_str(), reason), (expected, because));
    };
    let other = Digest::of(b"something else");
    let dataset = Fingerprint::from_bytes([7; 32]);
    word(
        changed(|one| one.dataset_fingerprint = dataset),
        "DATASET_MISMATCH",
        Reason::WrongDataset,
    );
    word(
        changed(|one| one.kernel_version.push('x')),
        "KERNEL_MISMATCH",
        Reason::WrongKernel,
    );
    word(
        changed(|one| one.bundle_content_digest = other),
        "WRONG_RECEIPT",
        Reason::WrongReceipt,
    );
    word(
        changed(|one| one.receipt_content_digest = other),
        "WRONG_RECEIPT",
        Reason::WrongReceipt,
    );
    word(
        changed(|one| one.receipt_id = ROWS.to_owned()),
        "WRONG_RECEIPT",
        Reason::WrongReceipt,
    );
    word(
        changed(|one| one.receipt_id = "nothing".to_owned()),
        "RECEIPT_NOT_FOUND",
        Reason::MissingRequired,
    );
    word(
        changed(|one| one.consumer_id = "anyone".to_owned()),
        "UNKNOWN_CONSUMER",
        Reason::UnauthorizedPolicy,
    );
    word(
        changed(|one| one.consumer_id = kernels::ROWS_CONSUMER.to_owned()),
        "PROFILE_MISMATCH",
        Reason::EvidenceWeakened,
    );
    word(
        changed(|one| one.requirement_profile_id = "anything/v1".to_owned()),
        "PROFILE_MISMATCH",
        Reason::EvidenceWeakened,
    );
    word(
        changed(|one| one.requirement_profile_digest = other),
        "WRONG_PROFILE_VERSION",
        Reason::WrongProfileVersion,
    );
    word(
        changed(|one| one.admission_policy_id.push('x')),
        "WRONG_POLICY_VERSION",
        Reason::UnauthorizedPolicy,
    );
    word(
        changed(|one| one.admission_policy_digest = other),
        "WRONG_POLICY_VERSION",
        Reason::UnauthorizedPolicy,
    );
}

#[test]
fn a_receipt_that_was_altered_is_not_the_one_referenced() {
    let (bundle, attestation) = issued();
    let uses = minted(&bundle, &attestation);
    let mut altered = bundle.clone();
    receipt(&mut altered, SUMMARY).limitations.clear();
    assert_eq!(resolve(&uses[SUMMARY], &altered), Resolution::WrongReceipt);
    assert_eq!(
        resolve(&uses[ROWS], &altered),
        Resolution::WrongReceipt,
        "the bundle around it changed"
    );
    let mut unsound = bundle.clone();
    receipt(&mut unsound, SUMMARY).sample_support.rows_used = SafeInteger::ZERO;
    let resolution = resolve(&uses[SUMMARY], &unsound);
    assert_eq!(resolution.word(), "UNSOUND_BUNDLE");
    assert_eq!(resolution.refusal(&uses[SUMMARY]).code(), Code::InvalidInput);
    assert_eq!(resolve(&uses[SUMMARY], &bundle).word(), "RESOLVED");
}

/// A use minted from a bundle whose summary was changed before, so that digests agree and only the profile can mind.
fn minted_after(change: impl FnOnce(&mut Receipt)) -> (ReceiptBundle, EvidenceUse) {
    let (mut bundle, attestation) = issued();
    change(receipt(&mut bundle, SUMMARY));
    let one = minted(&bundle, &attestation)[SUMMARY].clone();
    (bundle, one)
}

#[test]
fn a_profile_minds_violated_assumptions_and_missing_axes_only() {
    let (bundle, one) = minted_after(|receipt| receipt.assumptions[0].status = "violated".to_owned());
    let resolution = resolve(&one, &bundle);
    assert_eq!(
        resolution,
        Resolution::ViolatedAssumption("the rows are independent".to_owned())
    );
    assert_eq!(resolution.refusal(&one).code(), Code::ClaimNotAdmissible);

    let (bundle, one) = minted_after(|receipt| {
        receipt.sample_support.rows_used = SafeInteger::ZERO;
        receipt.sample_support.rows_excluded = receipt.sample_support.total_rows;
    });
    let resolution = resolve(&one, &bundle);
    assert_eq!(resolution.word(), "MISSING_REQUIRED_AXIS");
    assert_eq!(resolution.refusal(&one).reason(), Reason::RequiredAxisMissing);

    for status in ["satisfied", "unchecked", "notTestableFromData"] {
        let (bundle, one) = minted_after(|receipt| receipt.assumptions[0].status = status.to_owned());
        assert_eq!(resolve(&one, &bundle).word(), "RESOLVED", "{status}");
    }
    let (bundle, one) = minted_after(|receipt| receipt.uncertainty = None);
    assert_eq!(
        resolve(&one, &bundle).word(),
        "RESOLVED",
        "a summary need not state uncertainty"
    );
}

#[test]
fn a_receipt_that_does_not_stand_is_refused_for_its_own_reason() {
    let (bundle, attestation) = issued();
    let one = &minted(&bundle, &attestation)[SUMMARY];
    let cases = [
        (
            Disposition::Withdrawn { revision: 4 },
            "WITHDRAWN",
            Reason::Withdrawn,
        ),
        (
            Disposition::Retracted { revision: 4 },
            "RETRACTED",
            Reason::Retracted,
        ),
        (
            Disposition::Superseded {
                revision: 4,
                by: "newer".to_owned(),
            },
            "SUPERSEDED",
            Reason::Superseded,
        ),
        (
            Disposition::Unknown {
                why: "no feed".to_owned(),
            },
            "UNKNOWN",
            Reason::DispositionUnknown,
        ),
    ];
    for (disposition, word, reason) in cases {
        let refusal = disposition.refusal(one);
        assert_eq!((disposition.word(), refusal.reason()), (word, reason));
        assert_eq!(
            (refusal.code(), refusal.stage()),
            (Code::EvidenceUnavailable, Stage::EvidencePolicy)
        );
        assert_eq!(refusal.subjects(), [SUMMARY]);
        assert_eq!(disposition.revision(), (word != "UNKNOWN").then_some(4));
    }
    let valid = Disposition::Valid { revision: 4 };
    assert_eq!((valid.word(), valid.revision()), ("VALID", Some(4)));
}

#[test]
fn every_refusal_is_shown_at_the_evidence_stage() {
    let (bundle, attestation) = issued();
    let one = &minted(&bundle, &attestation)[SUMMARY];
    let resolutions = [
        resolve(one, &bundle),
        Resolution::UnresolvedAssumption("x".to_owned()),
        Resolution::MissingRequiredAxis(evidence::Axis::Uncertainty),
        Resolution::ReceiptNotFound,
    ];
    for resolution in resolutions {
        let refusal = resolution.refusal(one);
        assert_eq!(refusal.stage(), Stage::EvidencePolicy);
        assert_eq!(refusal.policy(), Some(one.requirement_profile_id.as_str()));
        assert!(refusal.retry().is_some());
    }
}
