//! What the fixtures come out as. The digests here were printed by the program that minted them.

use evidence::{AdmissionPolicy, BindingRefusal, ProfileRegistry, UseOutcome};
use package::FormatVersion;
use package::legacy::{DigestAlgorithm, DigestFact, RecordedIdentity, Strength};
use refusal::{Code, Reason};

use crate::{FIXTURES, RECEIPTS, fixture, opened, packed, path};

const POOLS: &str = "2afa668845f37c6f07440f636171627cc5f6e9903a2de77a50ea28b468b85743";
const SNAILS: &str = "8fb1fc048d48f3230e168d6f952a1caa43f3270bbd4d3a2fbbfbcaad02149503";
const ODD: &str = "f96c6b3dcf5e145ac225c778f1451d2240e9c8c5838b9a08a3529deae319a645";

/// Fixture, version, dataset, dataset at the end, investigation digest.
type Golden = (
    &'static str,
    FormatVersion,
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
);

const GOLDENS: [Golden; 9] = [
    (
        "v1-decimal",
        FormatVersion::V1,
        "708768962",
        Some(SNAILS),
        Some("702dcc7e16705cd7bb14f64171c6d47b1ddafc18f3464728604093e7c23fd5cf"),
    ),
    ("v1-requests", FormatVersion::V1, POOLS, None, None),
    (
        "v2",
        FormatVersion::V2,
        POOLS,
        Some(SNAILS),
        Some("b895c58d705b7b5d36bd752a3d23aeab054fb1971bb7beba14f428976bc5b031"),
    ),
    (
        "v2-unlabeled",
        FormatVersion::V2,
        POOLS,
        Some(SNAILS),
        Some("cad3607613e0f66c4205efbe0e915fee8c2573a4746aa1b3beab7859cee3ac3e"),
    ),
    ("v2-plain", FormatVersion::V2, POOLS, Some(POOLS), None),
    (
        "v3-governed",
        FormatVersion::V3,
        POOLS,
        Some(SNAILS),
        Some("76addaa650e337522ec5adb603e5ce59c3e569aa8bcaa8385dc041c523b82bd9"),
    ),
    (
        "v3-no-uses",
        FormatVersion::V3,
        POOLS,
        Some(SNAILS),
        Some("ddc71b8ef314314d79af36ce2565a22696eb23f512b2fad37dfa3038831383e0"),
    ),
    (
        "v3-supplementary",
        FormatVersion::V3,
        ODD,
        Some(ODD),
        Some("e82164724272c5044151818122dbd84c92d990008a5e3d4f5c91939aedf7c1b5"),
    ),
    (
        "v3-with-forma",
        FormatVersion::V3,
        POOLS,
        Some(SNAILS),
        Some("76addaa650e337522ec5adb603e5ce59c3e569aa8bcaa8385dc041c523b82bd9"),
    ),
];

#[test]
fn every_recorded_digest_is_computed_again() {
    assert_eq!(GOLDENS.len(), FIXTURES.len());
    for (name, version, dataset, end, digest) in GOLDENS {
        let package = fixture(name);
        assert_eq!(package.version(), version, "{name}");
        assert_eq!(package::dispatch(&path(name)).unwrap(), version, "{name}");
        assert_eq!(package.manifest().dataset.text(), dataset, "{name}");
        let state = package.state().map(|state| state.fingerprint.as_str());
        assert_eq!(state, end, "{name}");
        match (digest, package.digest()) {
            (Some(digest), DigestFact::Equal(found)) => assert_eq!(digest, found, "{name}"),
            (None, DigestFact::NotRecorded) => assert_eq!(name, "v2-plain"),
            (None, DigestFact::NotRecomputable(why)) => {
                assert_eq!(name, "v1-requests");
                assert!(why.contains("not here"), "{why}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_three_identities_of_early_packages_are_told_apart() {
    let early = fixture("v1-decimal");
    assert_eq!(
        early.manifest().dataset,
        RecordedIdentity::SeedHash("708768962".to_owned())
    );
    assert_eq!(early.dataset().seed_hash(), "708768962");
    assert_eq!(early.dataset().fingerprint(), POOLS);
    assert_eq!(early.strength(), Strength::Checksums);
    assert!(early.facts().intact.sentence.contains("would not be noticed"));
    for (name, strength) in [
        ("v1-requests", Strength::Dataset),
        ("v2-plain", Strength::Dataset),
        ("v2-unlabeled", Strength::Digest),
        ("v2", Strength::Digest),
        ("v3-governed", Strength::Digest),
    ] {
        assert_eq!(fixture(name).strength(), strength, "{name}");
    }
    assert_eq!(
        fixture("v2-unlabeled").manifest().digest_algorithm,
        DigestAlgorithm::Schema1
    );
}

#[test]
fn what_people_wrote_is_there_to_read() {
    for name in ["v1-decimal", "v2", "v2-unlabeled", "v3-governed"] {
        let package = fixture(name);
        assert_eq!(package.dataset().name, "tide_pools");
        assert_eq!(package.dataset().n_rows(), 5);
        assert_eq!(package.dataset().n_missing("temperature_c"), 1);
        assert_eq!(package.dataset().cell(4, "temperature_c"), "-0.5");
        let kinds: Vec<&str> = package.events().iter().map(|event| event.kind.as_str()).collect();
        assert_eq!(
            kinds,
            [
                "load",
                "analysis",
                "observation",
                "analysis",
                "undo",
                "redo",
                "undo",
                "seek",
                "finding",
                "annotation",
                "structure",
                "refusal"
            ]
        );
        assert_eq!(package.results().len(), 2);
        assert_eq!(package.results()[0].output_fingerprint, SNAILS);
        assert_eq!(package.results()[0].warnings, ["one cell was empty"]);
        assert_eq!(package.observations()[0].notes, "The warm pools hold few snails.");
        assert_eq!(package.findings()[0].confidence.as_deref(), Some("preliminary"));
        assert_eq!(package.annotations()[0].target_id.as_deref(), Some("p5"));
        let decision = package.decision().unwrap();
        assert_eq!(decision.candidate.as_deref(), Some("DISTRIBUTION_FIELD"));
        assert_eq!(decision.alternatives, [("CLUSTER_REGIONS".to_owned(), Some(0.5))]);
        assert_eq!(package.discoveries()[0].tests[0].1, "INCONCLUSIVE");
        let context = package.manifest().research_context.as_ref().unwrap();
        assert_eq!(
            context.research_question.as_deref(),
            Some("Do warm pools hold fewer snails?")
        );
        // Two filters, both undone once: version 7 after the seek.
        assert!((package.state().unwrap().dataset_version - 7.0).abs() < f64::EPSILON);
    }
    assert_eq!(fixture("v2").nil_outcomes()[0].failed.len(), 1);
    assert_eq!(fixture("v1-requests").events()[0].operation, "filter");
}

/// The receipts are bound under the registry of version 3, whatever other paths govern.
#[test]
fn version_3_is_bound_under_its_own_registry() {
    let governed = fixture("v3-governed");
    let receipts = governed.receipts().unwrap();
    assert!(receipts.binding.is_package_v3());
    assert_eq!(receipts.binding.first_refused(), None);
    assert!(governed.facts().evidence.unwrap().fact.holds());
    assert_eq!(
        receipts.member_digest,
        "786869571f9dcb69bbfac89a2ec4a28d9571b04a0202b706cc567a0f696c7ecc"
    );
    // Control: under the Forma path the same uses are not governed. The outcome is the registry's.
    let elsewhere = receipts
        .envelope
        .bind_on(&ProfileRegistry::forma_v1(), &AdmissionPolicy::forma_v1());
    assert!(!elsewhere.is_package_v3());
    assert_eq!(elsewhere.uses()[0].outcome, UseOutcome::UnknownConsumer);
}

#[test]
fn a_version_3_without_uses_is_intact_and_not_governed() {
    let package = fixture("v3-no-uses");
    let binding = &package.receipts().unwrap().binding;
    let (one, classed) = binding.first_refused().unwrap();
    assert_eq!(classed, BindingRefusal::ConsumerNotGoverned);
    assert_eq!(one.outcome, UseOutcome::MissingUse);
    let facts = package.facts();
    assert!(facts.intact.fact.holds() && facts.complete.fact.holds());
    let evidence = facts.evidence.unwrap();
    assert!(
        evidence.sentence.contains("CONSUMER_NOT_GOVERNED"),
        "{}",
        evidence.sentence
    );
    assert_eq!(evidence.fact.refusal().unwrap().reason(), Reason::MissingRequired);
    assert!(fixture("v3-governed").facts().evidence.unwrap().fact.holds());
}

#[test]
fn nothing_of_it_runs_or_is_trusted() {
    for name in FIXTURES {
        let package = fixture(name);
        let facts = package.facts();
        assert!(facts.intact.fact.holds() && facts.complete.fact.holds(), "{name}");
        let replayable = facts.replayable.fact.refusal().unwrap();
        assert_eq!(replayable.code(), Code::ReplayUnsupported, "{name}");
        assert!(
            replayable.cause().text.contains("inspected and not executed"),
            "{name}"
        );
        let executable = facts.executable_now.fact.refusal().unwrap();
        assert_eq!(executable.code(), Code::ReplayUnsupported, "{name}");
        assert!(!facts.trusted_by.fact.holds(), "{name}");
        let error = package::open(&path(name), &package::Limits::DEFAULT).unwrap_err();
        assert_eq!(error.refusal().code(), Code::ReplayUnsupported, "{name}");
    }
}

/// A member that only a later version reads is compared with its checksum and not read.
#[test]
fn a_later_members_claims_are_not_read() {
    let package = fixture("v3-with-forma");
    assert_eq!(package.unread().collect::<Vec<_>>(), ["investigation/forma.json"]);
    assert_eq!(package.facts(), {
        let mut facts = fixture("v3-governed").facts();
        facts.intact.sentence = facts.intact.sentence.replace("all 7 members", "all 8 members");
        facts
    });
    assert_eq!(fixture("v3-governed").unread().count(), 0);
    // In version 2 the receipts are such a member.
    let mut members = crate::contents(&crate::bytes("v2"));
    members.push((RECEIPTS.to_owned(), b"{\"anything\": 1}".to_vec()));
    let package = opened(&packed(&members)).unwrap();
    assert!(package.receipts().is_none());
    assert!(package.unread().any(|name| name == RECEIPTS));
}
