//! What packages of format version 3 are held to: one consumer, two profiles, for ever.

use evidence::wire::v1::ReceiptEnvelope;
use evidence::{
    AdmissionPolicy, BindingRefusal, DESCRIPTIVE_STATISTICS, DESCRIPTIVE_SUMMARY, EvidenceError,
    HistoricEnvelope, INFERENTIAL_CLAIM, ProfileRegistry, UseOutcome,
};
use identity::Limits;
use refusal::Reason;

use crate::{SUMMARY, issued, receipt};

fn envelope(change: impl FnOnce(&mut ReceiptEnvelope)) -> Result<HistoricEnvelope, EvidenceError> {
    let (bundle, _) = issued();
    let mut envelope = ReceiptEnvelope {
        schema_version: "1".to_owned(),
        bundle,
        uses: vec![evidence::wire::v1::ReceiptUse {
            consumer_id: DESCRIPTIVE_STATISTICS.to_owned(),
            receipt_id: SUMMARY.to_owned(),
            requirement_profile_id: DESCRIPTIVE_SUMMARY.to_owned(),
        }],
    };
    change(&mut envelope);
    let bytes = identity::canonical::to_vec(&envelope).unwrap();
    HistoricEnvelope::from_bytes(&bytes, &Limits::default())
}

fn outcome(change: impl FnOnce(&mut ReceiptEnvelope)) -> UseOutcome {
    envelope(change).unwrap().bind().uses()[0].outcome.clone()
}

/// A consumer or profile added here would change what every archive of version 3 is held to.
#[test]
fn the_table_is_frozen() {
    let (policy, registry) = (AdmissionPolicy::package_v3(), ProfileRegistry::package_v3());
    let consumers: Vec<&str> = policy
        .consumers()
        .iter()
        .map(|consumer| consumer.consumer_id.as_str())
        .collect();
    assert_eq!(consumers, ["nemosyne:consumer/descriptive-statistics/v1"]);
    let profiles: Vec<&str> = registry.profiles().iter().map(|profile| profile.id()).collect();
    assert_eq!(profiles, ["descriptive-summary/v1", "inferential-claim/v1"]);
    assert_eq!(policy.digest().hex(), POLICY_DIGEST);
    // The Forma path governs others, and none of them here.
    for consumer in AdmissionPolicy::forma_v1().consumers() {
        assert!(policy.consumer(&consumer.consumer_id).is_none(), "{consumer:?}");
    }
}

const POLICY_DIGEST: &str = "24672fc12327533dafd469da8f285338f6dc0a714648290dc70f49ae6f977e97";

#[test]
fn a_use_is_bound_or_its_outcome_says_why_not() {
    assert_eq!(outcome(|_| {}), UseOutcome::Resolved);
    assert_eq!(
        outcome(|envelope| envelope.uses[0].receipt_id = "descriptive:nothing".to_owned()),
        UseOutcome::ReceiptNotFound
    );
    assert_eq!(
        outcome(|envelope| envelope.uses[0].consumer_id = kernels::STATISTICS_CONSUMER.to_owned()),
        UseOutcome::UnknownConsumer
    );
    assert_eq!(
        outcome(|envelope| envelope.uses[0].requirement_profile_id = INFERENTIAL_CLAIM.to_owned()),
        UseOutcome::ProfileMismatch {
            expected: DESCRIPTIVE_SUMMARY.to_owned()
        }
    );
    let violated = outcome(|envelope| {
        let assumptions = &mut receipt(&mut envelope.bundle, SUMMARY).assumptions;
        assumptions[0].status = "violated".to_owned();
    });
    assert!(
        matches!(violated, UseOutcome::ViolatedAssumption(_)),
        "{violated:?}"
    );
    assert_eq!(outcome(|envelope| envelope.uses.clear()), UseOutcome::MissingUse);
}

#[test]
fn outcomes_are_classed_in_two_and_refused_in_words() {
    let governed = envelope(|_| {}).unwrap().bind();
    assert!(governed.first_refused().is_none() && governed.refusal().is_none());
    for (uses, classed, reason) in [
        (None, BindingRefusal::ConsumerNotGoverned, Reason::MissingRequired),
        (
            Some((kernels::ROWS_CONSUMER, DESCRIPTIVE_SUMMARY)),
            BindingRefusal::ConsumerNotGoverned,
            Reason::UnauthorizedPolicy,
        ),
        (
            Some((DESCRIPTIVE_STATISTICS, INFERENTIAL_CLAIM)),
            BindingRefusal::ConsumerPolicyRefused,
            Reason::EvidenceWeakened,
        ),
    ] {
        let binding = envelope(|envelope| match uses {
            None => envelope.uses.clear(),
            Some((consumer, profile)) => {
                envelope.uses[0].consumer_id = consumer.to_owned();
                envelope.uses[0].requirement_profile_id = profile.to_owned();
            }
        });
        let binding = binding.unwrap().bind();
        assert_eq!(binding.first_refused().unwrap().1, classed);
        let refusal = binding.refusal().unwrap();
        assert_eq!(refusal.reason(), reason);
        assert!(refusal.cause().text.contains(classed.word()), "{refusal}");
    }
}

/// The hazard: were the Forma path's table asked about an old archive, the archive would no longer be governed.
#[test]
fn another_paths_table_gives_another_answer() {
    let envelope = envelope(|_| {}).unwrap();
    let elsewhere = envelope.bind_on(&ProfileRegistry::forma_v1(), &AdmissionPolicy::forma_v1());
    assert_eq!(elsewhere.uses()[0].outcome, UseOutcome::UnknownConsumer);
    assert!(!elsewhere.is_package_v3());
    let own = envelope.bind_on(&ProfileRegistry::package_v3(), &AdmissionPolicy::package_v3());
    assert_eq!(own, envelope.bind());
    assert_eq!(own.uses()[0].outcome, UseOutcome::Resolved);
}

#[test]
fn the_envelope_is_closed_and_sound() {
    let twice = envelope(|envelope| envelope.uses.push(envelope.uses[0].clone()));
    assert!(
        matches!(twice, Err(EvidenceError::RepeatedUse { .. })),
        "{twice:?}"
    );
    let unnamed = envelope(|envelope| envelope.uses[0].receipt_id.clear());
    assert!(
        matches!(unnamed, Err(EvidenceError::Consumer { .. })),
        "{unnamed:?}"
    );
    let later = envelope(|envelope| envelope.schema_version = "2".to_owned());
    assert!(
        matches!(later, Err(EvidenceError::SchemaVersion { .. })),
        "{later:?}"
    );
    let unsound = envelope(|envelope| envelope.bundle.kernel_version = "another".to_owned());
    assert!(
        matches!(unsound, Err(EvidenceError::KernelMismatch { .. })),
        "{unsound:?}"
    );
    envelope(|_| {}).unwrap();
}
