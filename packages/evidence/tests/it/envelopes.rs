//! The closed envelope of a package: what goes in comes out, and nothing else is taken.

use evidence::wire::v1::ReceiptEnvelope;
use evidence::{EvidenceEnvelope, EvidenceError, ProfileRegistry, admission_policy};
use identity::Limits;
use refusal::{Code, Reason};

use crate::{ROWS, issued, minted};

fn envelope() -> EvidenceEnvelope {
    let (bundle, attestation) = issued();
    let uses = minted(&bundle, &attestation);
    EvidenceEnvelope::new(bundle, &uses).unwrap()
}

fn opened(change: impl FnOnce(&mut ReceiptEnvelope)) -> Result<EvidenceEnvelope, EvidenceError> {
    let mut wire = envelope().to_wire().clone();
    change(&mut wire);
    EvidenceEnvelope::open(wire)
}

#[test]
fn what_was_minted_is_minted_again_from_the_bytes() {
    let (bundle, attestation) = issued();
    let written = envelope().to_bytes().unwrap();
    let read = EvidenceEnvelope::from_bytes(&written, &Limits::default()).unwrap();
    assert_eq!(read, envelope());
    assert_eq!(read.to_bytes().unwrap(), written);
    assert_eq!(read.bundle(), &bundle);
    let uses = read
        .evidence_uses(&ProfileRegistry::forma_v1(), &admission_policy())
        .unwrap();
    assert_eq!(uses, minted(&bundle, &attestation));
    let ids: Vec<&str> = read.uses().iter().map(|one| one.receipt_id.as_str()).collect();
    assert_eq!(
        ids,
        [ROWS, "descriptive:mass_kg", "descriptive:length_m"],
        "in the order of issue"
    );
}

#[test]
fn the_bytes_are_closed() {
    let written = String::from_utf8(envelope().to_bytes().unwrap()).unwrap();
    let read = |text: &str| EvidenceEnvelope::from_bytes(text.as_bytes(), &Limits::default());
    let cases = [
        written.replacen("{\"bundle\"", "{\"authority\":true,\"bundle\"", 1),
        written.replacen("\"stability\":null,", "", 1),
        written.replacen("\"receiptId\"", "\"receiptId\":\"a\",\"receiptId\"", 1),
        format!("{written} x"),
    ];
    for text in cases {
        assert_ne!(text, written);
        let error = read(&text).unwrap_err();
        assert!(matches!(error, EvidenceError::Decode(_)), "{error}");
        assert!(error.refusal().cause().place.is_some());
    }
    read(&written).unwrap();
}

#[test]
fn uses_name_receipts_of_the_bundle_once() {
    let error = opened(|wire| wire.uses.push(wire.uses[0].clone())).unwrap_err();
    assert_eq!(
        error,
        EvidenceError::RepeatedUse {
            receipt_id: ROWS.to_owned()
        }
    );
    let error = opened(|wire| wire.uses[0].receipt_id = "rows:nothing".to_owned()).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::MissingRequired);
    let error = opened(|wire| wire.uses[0].consumer_id.clear()).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::Malformed);
    let error = opened(|wire| wire.schema_version = "2".to_owned()).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::UnknownShape);
    opened(|wire| wire.uses.truncate(1)).unwrap();
    opened(|_| {}).unwrap();
}

#[test]
fn a_path_governs_what_it_governs() {
    let on_path = |envelope: EvidenceEnvelope| {
        envelope.evidence_uses(&ProfileRegistry::forma_v1(), &admission_policy())
    };
    let stranger =
        opened(|wire| wire.uses[0].consumer_id = "nemosyne:consumer/descriptive-statistics/v1".to_owned());
    let error = on_path(stranger.unwrap()).unwrap_err();
    assert!(matches!(error, EvidenceError::UnknownConsumer { .. }));
    let weaker = opened(|wire| wire.uses[0].requirement_profile_id = "descriptive-summary/v1".to_owned());
    let error = on_path(weaker.unwrap()).unwrap_err();
    assert!(matches!(error, EvidenceError::ProfileMismatch { .. }));
    assert_eq!(error.refusal().code(), Code::PolicyViolation);
    on_path(envelope()).unwrap();
}
