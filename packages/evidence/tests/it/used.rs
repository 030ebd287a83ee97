//! Uses are minted from bundle and attestation alone, each member pinned.

use evidence::{
    EvidenceError, FORMA_DESCRIPTIVE_SUMMARY, FORMA_ROW_PROJECTION, ProfileRegistry, admission_policy,
    compare_uses, uses,
};
use refusal::{Code, Reason};

use crate::{ROWS, SUMMARY, issued, issued_for, minted, receipt, table};

#[test]
fn every_attested_receipt_gets_one_use_with_its_consumers_profile() {
    let (bundle, attestation) = issued();
    let minted = minted(&bundle, &attestation);
    let ids: Vec<&str> = minted.keys().map(String::as_str).collect();
    assert_eq!(ids, ["descriptive:length_m", SUMMARY, ROWS]);
    let (registry, policy) = (ProfileRegistry::forma_v1(), admission_policy());
    for (receipt_id, one) in &minted {
        assert_eq!(one.receipt_id, *receipt_id);
        assert_eq!(one.dataset_fingerprint, bundle.dataset_fingerprint);
        assert_eq!(
            one.bundle_content_digest,
            identity::canonical::digest(&bundle).unwrap()
        );
        let issued = bundle
            .receipts
            .iter()
            .find(|receipt| receipt.receipt_id == *receipt_id)
            .unwrap();
        assert_eq!(
            one.receipt_content_digest,
            identity::canonical::digest(issued).unwrap()
        );
        assert_eq!(
            (one.admission_policy_id.as_str(), one.admission_policy_digest),
            (policy.id(), policy.digest())
        );
        let (consumer, profile) = if receipt_id == ROWS {
            (kernels::ROWS_CONSUMER, FORMA_ROW_PROJECTION)
        } else {
            (kernels::STATISTICS_CONSUMER, FORMA_DESCRIPTIVE_SUMMARY)
        };
        assert_eq!(
            (one.consumer_id.as_str(), one.requirement_profile_id.as_str()),
            (consumer, profile)
        );
        assert_eq!(
            one.requirement_profile_digest,
            registry.get(profile).unwrap().digest()
        );
    }
}

#[test]
fn a_receipt_nobody_attests_gets_no_use() {
    let (bundle, mut attestation) = issued();
    attestation
        .consumers
        .retain(|consumer| consumer.consumer_id == kernels::ROWS_CONSUMER);
    let minted = minted(&bundle, &attestation);
    assert_eq!(minted.keys().collect::<Vec<_>>(), [ROWS]);
}

#[test]
fn an_attestation_belongs_to_its_bundle() {
    let (bundle, attestation) = issued();
    let (_, other) = issued_for(&table("mass_kg,length_m\n1,2\n2,3\n"));
    let refused = |attestation| {
        uses(
            &bundle,
            &attestation,
            &ProfileRegistry::forma_v1(),
            &admission_policy(),
        )
        .unwrap_err()
    };
    assert!(matches!(refused(other), EvidenceError::DatasetMismatch { .. }));

    let mut wrong = attestation.clone();
    wrong.kernel_version = "other-kernel/1".to_owned();
    assert_eq!(refused(wrong).refusal().reason(), Reason::WrongKernel);

    let mut wrong = attestation.clone();
    wrong.schema_version = "2".to_owned();
    assert_eq!(refused(wrong).refusal().reason(), Reason::UnknownShape);

    let mut wrong = attestation.clone();
    wrong.consumers[0].receipt_ids[0] = "rows:nothing".to_owned();
    let error = refused(wrong);
    assert!(matches!(error, EvidenceError::ReceiptNotFound { .. }));
    assert_eq!(error.refusal().reason(), Reason::MissingRequired);

    let mut wrong = attestation.clone();
    wrong.consumers[0].consumer_id = "nemosyne:consumer/anything/v1".to_owned();
    let error = refused(wrong);
    assert!(matches!(error, EvidenceError::UnknownConsumer { .. }));
    assert_eq!(error.refusal().code(), Code::PolicyViolation);

    let mut wrong = attestation.clone();
    wrong.consumers.swap(0, 1);
    assert!(matches!(refused(wrong), EvidenceError::Consumer { .. }));

    let mut wrong = attestation.clone();
    wrong.consumers[0].receipt_ids.clear();
    assert!(matches!(refused(wrong), EvidenceError::Consumer { .. }));

    let mut wrong = attestation.clone();
    let again = wrong.consumers[0].receipt_ids[0].clone();
    wrong.consumers[1].receipt_ids.push(again);
    let error = refused(wrong);
    assert_eq!(
        error,
        EvidenceError::RepeatedUse {
            receipt_id: ROWS.to_owned()
        }
    );

    minted(&bundle, &attestation);
}

#[test]
fn another_receipt_is_another_use() {
    let (bundle, attestation) = issued();
    let (mut other, _) = issued();
    receipt(&mut other, SUMMARY)
        .limitations
        .push("one more".to_owned());
    let (before, after) = (minted(&bundle, &attestation), minted(&other, &attestation));
    assert_ne!(
        before[SUMMARY].receipt_content_digest,
        after[SUMMARY].receipt_content_digest
    );
    assert_eq!(
        before[ROWS].receipt_content_digest,
        after[ROWS].receipt_content_digest
    );
    assert_ne!(
        before[ROWS].bundle_content_digest,
        after[ROWS].bundle_content_digest
    );
}

#[test]
fn uses_are_ordered_member_by_member_as_utf16_orders_texts() {
    let (bundle, attestation) = issued();
    let one = minted(&bundle, &attestation)[ROWS].clone();
    let with = |change: &dyn Fn(&mut evidence::wire::v1::EvidenceUse)| {
        let mut other = one.clone();
        change(&mut other);
        other
    };
    let (low, high) = (
        with(&|one| one.receipt_id = "\u{10000}".to_owned()),
        with(&|one| {
            one.receipt_id = "\u{e000}".to_owned();
        }),
    );
    assert!(compare_uses(&low, &high).is_lt());
    assert!(low > high, "bytes order them the other way");
    let late = with(&|one| one.consumer_id = "zzz".to_owned());
    assert!(
        compare_uses(&late, &low).is_lt(),
        "the receipt counts before the consumer"
    );
    assert!(compare_uses(&one, &one.clone()).is_eq());
    for change in [
        with(&|one| one.kernel_version.push('x')),
        with(&|one| one.requirement_profile_id.push('x')),
        with(&|one| one.admission_policy_id.push('x')),
    ] {
        assert!(compare_uses(&one, &change).is_lt());
    }
}

#[test]
fn the_tables_of_the_path_are_pinned() {
    // Changing a profile or the policy changes every snapshot; these digests are how anyone notices.
    let registry = ProfileRegistry::forma_v1();
    let digests: Vec<(&str, String)> = registry
        .profiles()
        .iter()
        .map(|profile| (profile.id(), profile.digest().to_string()))
        .collect();
    let found: Vec<(&str, &str)> = digests
        .iter()
        .map(|(id, digest)| (*id, digest.as_str()))
        .collect();
    assert_eq!(found, PROFILES);
    assert_eq!(admission_policy().digest().to_string(), POLICY);
}

const PROFILES: [(&str, &str); 10] = [
    (
        "forma-descriptive-summary/v1",
        "sha256:2a0a21a166947452e697667a3a0a4f90a3f16a21b3e9dc2a10150cd160a507b6",
    ),
    (
        "forma-row-projection/v1",
        "sha256:ca8d352b88af7108d4a5112b766e01f11066519d551f9be15acb190221c6e2e6",
    ),
    (
        "forma-cluster/v1",
        "sha256:beac6a8e4ba276e9c89d86e340e3e99336ab73303309389b768325d3e1d76b2e",
    ),
    (
        "forma-density/v1",
        "sha256:f572e0cf92e9bf6f60742917915817628d2d3537b03b53366d8c7f26012a8a6e",
    ),
    (
        "forma-dependency/v1",
        "sha256:502f2ef25db09678abc1c8e4558033194d7fe75683bc7098cd1926092b010611",
    ),
    (
        "forma-distribution/v1",
        "sha256:c08c781486cd1224522af1f3cdfbcdbbf0e115d6bc4c1b831047a2e9e9b62c15",
    ),
    (
        "forma-graph/v1",
        "sha256:f5fe801764246c97e06b5c288f2c5bfb7b48931b1759b77f597325eab9470a82",
    ),
    (
        "forma-projection/v1",
        "sha256:a14c2e26848542b784a3241b88fe884c6b5132ea2174bcca1fc0167eb0a368a1",
    ),
    (
        "forma-temporal/v1",
        "sha256:23c01a43d6850b02ced39d8b3fe8a5be8f4459b3ea237b797a10d1b003c38a39",
    ),
    (
        "inferential-claim/v1",
        "sha256:4b548fd35faa54b8dce966aa48cd2334e1755460fb573d027de68123b950be9f",
    ),
];
const POLICY: &str = "sha256:63f77aa8ad4a958731d516fc68878f73ae2664154ec98bf4dc2558e9bd495110";
