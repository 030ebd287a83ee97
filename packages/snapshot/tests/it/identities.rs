//! What moves a snapshot's identity, and what can't (falsifier F01).

use dataset::{Declaration, ImportOptions};
use identity::{Digest, Envelope, Limits, SealError};
use snapshot::wire::v1::SnapshotBody;
use snapshot::{Snapshot, SnapshotError, normalize};

use crate::{MEASURES, analyses, penguin_snapshot, penguins, rows, snapshot_of, statistics, table, uses};

fn reopened(bytes: &[u8]) -> Snapshot {
    identity::decode::<Envelope<SnapshotBody>>(bytes, &Limits::default())
        .unwrap()
        .into_inner()
        .open()
        .unwrap()
}

#[test]
fn the_same_analyses_are_the_same_snapshot() {
    let (a, b) = (penguin_snapshot(), penguin_snapshot());
    assert_eq!(a.id(), b.id());
    assert_eq!(a.to_canonical().unwrap(), b.to_canonical().unwrap());
    assert!(a.id().to_string().starts_with("semantic-snapshot-v1:"));
    assert_eq!(reopened(&a.to_canonical().unwrap()), a);
}

#[test]
fn the_order_in_which_analyses_are_given_does_not_count() {
    let (first, second) = (rows(&MEASURES), statistics(&MEASURES));
    let dataset = penguins();
    let made = analyses(&dataset, &[first, second]);
    let uses = uses(&dataset, &made);
    let swapped = [made[1].clone(), made[0].clone()];
    let (a, b) = (
        normalize(&dataset, &made, &uses, &[]),
        normalize(&dataset, &swapped, &uses, &[]),
    );
    assert_eq!(a.unwrap().id(), b.unwrap().id());
}

#[test]
fn another_request_is_another_snapshot() {
    let dataset = penguins();
    let base = snapshot_of(&dataset, &[rows(&MEASURES)]);
    let swapped = snapshot_of(
        &dataset,
        &[rows(&["body_mass_g", "flipper_length_mm", "bill_length_mm"])],
    );
    let more = snapshot_of(&dataset, &[rows(&MEASURES), statistics(&MEASURES)]);
    assert_ne!(base.id(), swapped.id());
    assert_ne!(base.id(), more.id());
    assert_eq!(base.id(), snapshot_of(&dataset, &[rows(&MEASURES)]).id());
}

#[test]
fn another_profile_or_policy_is_another_snapshot_of_the_same_dataset() {
    let dataset = penguins();
    let made = analyses(&dataset, &[rows(&MEASURES)]);
    let minted = uses(&dataset, &made);
    let base = normalize(&dataset, &made, &minted, &[]).unwrap();
    let changes: [fn(&mut evidence::wire::v1::EvidenceUse); 4] = [
        |one| one.requirement_profile_digest = Digest::of(b"a stricter profile"),
        |one| one.requirement_profile_id = "forma-row-projection/v2".to_owned(),
        |one| one.admission_policy_digest = Digest::of(b"another policy"),
        |one| one.bundle_content_digest = Digest::of(b"another bundle"),
    ];
    for change in changes {
        let mut changed = minted.clone();
        changed.values_mut().for_each(change);
        let other = normalize(&dataset, &made, &changed, &[]).unwrap();
        assert_ne!(other.id(), base.id());
        assert_eq!(
            other.body().analytical_dataset_fingerprint,
            base.body().analytical_dataset_fingerprint
        );
        assert_eq!(
            other.body().sources[0].analytical_content_ref,
            base.body().sources[0].analytical_content_ref
        );
    }
}

#[test]
fn a_measurement_that_was_confirmed_is_another_snapshot() {
    let of = |options: &ImportOptions| {
        let dataset = dataset::import(b"mass_kg\n1\n2\n", options).unwrap().dataset;
        (
            dataset.fingerprint(),
            snapshot_of(&dataset, &[rows(&["mass_kg"])]).id(),
        )
    };
    let (inferred, declared) = (
        of(&ImportOptions::named("t")),
        of(&ImportOptions::named("t").declare(Declaration::of("mass_kg").unit("kg"))),
    );
    assert_eq!(inferred.0, declared.0, "the same dataset");
    assert_ne!(inferred.1, declared.1, "resting on another receipt");
}

/// F01: nothing that is decided after the analyses has a place in the body, so it can't enter the identity.
#[test]
fn perspective_and_decision_metadata_have_no_place() {
    let body = String::from_utf8(identity::canonical::to_vec(penguin_snapshot().body()).unwrap()).unwrap();
    let decode = |text: &str| identity::decode::<SnapshotBody>(text.as_bytes(), &Limits::default());
    decode(&body).unwrap();
    for member in [
        "decisionId",
        "decisionTimestamp",
        "model",
        "rank",
        "nodeId",
        "branchId",
        "intent",
        "perspective",
        "question",
        "purpose",
        "candidateId",
        "templateId",
        "planId",
        "device",
        "load",
        "capturedAt",
        "runtimeInstance",
        "fileName",
        "presentationHints",
        "preferences",
    ] {
        let extra = body.replacen('{', &format!("{{\"{member}\":\"x\","), 1);
        assert!(decode(&extra).is_err(), "{member} beside the members of the body");
        let inside = body.replacen(
            "\"sources\":[{",
            &format!("\"sources\":[{{\"{member}\":\"x\","),
            1,
        );
        assert_ne!(inside, body);
        assert!(decode(&inside).is_err(), "{member} in a source");
        let state = body.replacen(
            "\"status\":\"AVAILABLE\"}",
            &format!("\"status\":\"AVAILABLE\",\"{member}\":1}}"),
            1,
        );
        assert!(decode(&state).is_err(), "{member} in a state");
    }
}

#[test]
fn an_envelope_under_another_identity_is_refused() {
    let (snapshot, other) = (
        penguin_snapshot(),
        snapshot_of(&table("x\n1\n2\n"), &[rows(&["x"])]),
    );
    let text = String::from_utf8(snapshot.to_canonical().unwrap()).unwrap();
    let forged = text.replace(&snapshot.id().to_string(), &other.id().to_string());
    let envelope = identity::decode::<Envelope<SnapshotBody>>(forged.as_bytes(), &Limits::default()).unwrap();
    let error = envelope.into_inner().open().unwrap_err();
    assert!(matches!(error, SealError::IdentityMismatch { .. }));
    assert_eq!(
        SnapshotError::from(error).refusal().reason(),
        refusal::Reason::Integrity
    );
    reopened(text.as_bytes());
}

#[test]
fn vocabulary_and_normalizer_are_pinned() {
    // Changing either changes every snapshot; these digests are how anyone notices.
    assert_eq!(snapshot::vocabulary().digest.to_string(), VOCABULARY);
    assert_eq!(snapshot::normalizer().digest.to_string(), NORMALIZER);
    let codes = snapshot::limitation_codes();
    assert!(
        codes
            .windows(2)
            .all(|pair| identity::utf16_cmp(pair[0], pair[1]).is_lt()),
        "{codes:?}"
    );
}

const VOCABULARY: &str = "sha256:4355c76054258eca6f882908df4c454afa8da513f98c217ce2a7968d97479c6d";
const NORMALIZER: &str = "sha256:43518cf496a470fbd936287e1087021bfd6b470d1183dc91843c91f667962221";
