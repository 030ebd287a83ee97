//! How a claim stands, and what is said when it does not.

use evidence::{Claim, FORMA_DESCRIPTIVE_SUMMARY, ProfileRegistry, claim_standing};
use identity::SafeInteger;
use kernels::wire::v1::{MeasurementContext, Receipt};
use refusal::{Code, Reason};

use crate::{SUMMARY, issued, receipt};

fn standing(change: impl FnOnce(&mut Receipt)) -> Claim {
    let (mut bundle, _) = issued();
    let receipt = receipt(&mut bundle, SUMMARY);
    change(receipt);
    claim_standing(
        receipt,
        ProfileRegistry::forma_v1()
            .get(FORMA_DESCRIPTIVE_SUMMARY)
            .unwrap(),
    )
}

fn measured(receipt: &mut Receipt, status: &str, policy: &str, admission: &str) {
    let MeasurementContext::Established {
        records,
        semantic_admission_policy,
        analytical_admission,
    } = &mut receipt.measurement_context
    else {
        panic!("the scale was inferred");
    };
    records[0].status = status.to_owned();
    *semantic_admission_policy = Some(policy.to_owned());
    analytical_admission.as_mut().unwrap().status = admission.to_owned();
}

#[test]
fn a_claim_stands_as_its_receipt_says() {
    assert_eq!(standing(|_| {}), Claim::Eligible);
    assert_eq!(
        standing(|receipt| receipt.assumptions[0].status = "violated".to_owned()),
        Claim::Invalid
    );
    assert_eq!(
        standing(|receipt| receipt.sample_support.rows_used = SafeInteger::ZERO),
        Claim::Abstain
    );
    assert_eq!(
        standing(|receipt| receipt.measurement_context = MeasurementContext::NotEstablished {}),
        Claim::MachineFalsificationOnly
    );
    let cases = [
        ("inferred", "allowInferred", "admitted", Claim::Eligible),
        ("inferred", "requireDeclared", "admitted", Claim::RequiresHuman),
        ("declared", "requireDeclared", "admitted", Claim::Eligible),
        ("declared", "requireConfirmed", "admitted", Claim::RequiresHuman),
        ("confirmed", "requireConfirmed", "admitted", Claim::Eligible),
        ("ambiguous", "allowInferred", "admitted", Claim::RequiresHuman),
        ("confirmed", "allowInferred", "rejected", Claim::Invalid),
    ];
    for (status, policy, admission, expected) in cases {
        let found = standing(|receipt| measured(receipt, status, policy, admission));
        assert_eq!(found, expected, "{status} under {policy}, {admission}");
    }
}

#[test]
fn each_standing_is_refused_in_its_own_words() {
    let cases = [
        (Claim::RequiresHuman, "REQUIRES_HUMAN", Reason::AssumptionUnmet),
        (Claim::Invalid, "INVALID", Reason::ClaimInvalid),
        (Claim::Abstain, "ABSTAIN", Reason::ClaimAbstained),
        (
            Claim::MachineFalsificationOnly,
            "MACHINE_FALSIFICATION_ONLY",
            Reason::MachineFalsificationOnly,
        ),
        (Claim::Unresolved, "UNRESOLVED", Reason::AssumptionUnmet),
    ];
    for (claim, word, reason) in cases {
        let refusal = claim.refusal(SUMMARY);
        assert_eq!((claim.word(), refusal.reason()), (word, reason));
        assert_eq!(refusal.code(), Code::ClaimNotAdmissible);
        assert!(refusal.cause().text.contains(SUMMARY));
    }
    assert_eq!(Claim::Eligible.word(), "ELIGIBLE");
}
