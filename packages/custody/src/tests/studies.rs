//! Acceptances and authorizations in a folder: what runs, and every way in which it does not.

use forma::{Answer, Authorities as _, StudyStanding, WithheldBecause};
use identity::{Digest, Identity, SafeInteger, identify};
use knowledge::wire::v1::DeviceClass;
use obligations::wire::v1::Predicate;
use representation::wire::v2::GraphBody;
use serde_json::{Value, json};
use study::wire::v1::{AcceptanceBody, AuthorizationBody, ExposureBound};
use study::wire::v2::{FreezeBody, Treatment};
use study::{Authorization, Freeze, Protocol, control, template};

use super::custody;
use super::place::{Place, TODAY, day, private, says};
use crate::wire::v1::{Role, StatementKind, Status, Subject};
use crate::{Custody, CustodyError, Seen};

const ACCEPTANCE: StatementKind = StatementKind::ProtocolAcceptance;
const AUTHORIZATION: StatementKind = StatementKind::StudyAuthorization;

fn graph() -> Identity<GraphBody> {
    identify("a picture").unwrap()
}

fn protocol() -> Protocol {
    Protocol::seal(template()).unwrap()
}

fn exposure() -> ExposureBound {
    ExposureBound {
        max_seconds: SafeInteger::from(60),
        max_exposures: SafeInteger::from(1),
    }
}

fn freeze() -> Freeze {
    let pins = custody().pins().clone();
    Freeze::seal(FreezeBody {
        protocol_id: Identity::parse(&protocol().id().to_string()).unwrap(),
        treatments: vec![Treatment {
            condition: "stereo".to_owned(),
            graph_id: graph(),
            snapshot_id: identify("snapshot").unwrap(),
            context_id: identify("context").unwrap(),
            obligation_set_id: identify("obligations").unwrap(),
        }],
        control_mappings: vec![control("position_z:FREE_VOLUME:ORDER").unwrap()],
        accepted_contraindications: Vec::new(),
        withheld_claims: vec![Predicate::Order],
        exposure: exposure(),
        devices: vec![DeviceClass::PcvrHeadset],
        scope: pins.scope,
        knowledge_manifest_id: custody().manifest().id(),
        compiler_ref: pins.compiler,
    })
    .unwrap()
}

fn acceptance() -> Value {
    let body = AcceptanceBody {
        protocol: protocol().to_wire(),
        freeze: freeze().to_wire(),
        accepted_by: "Dora, review board".to_owned(),
        accepted_on: day("2026-11-01"),
        ethics_approval: "Vote 7".to_owned(),
    };
    serde_json::to_value(body).unwrap()
}

fn authorization(reference: &str) -> Value {
    let body = AuthorizationBody {
        reference: reference.to_owned(),
        protocol_id: Identity::parse(&protocol().id().to_string()).unwrap(),
        freeze_id: Identity::parse(&freeze().id().to_string()).unwrap(),
        authorized_by: "Ada, head of the laboratory".to_owned(),
        scope: custody().pins().scope.clone(),
        devices: vec![DeviceClass::PcvrHeadset],
        exposure: exposure(),
        valid_from: day("2026-11-02"),
        expires_on: day("2026-12-24"),
    };
    Authorization::seal(body.clone()).unwrap();
    serde_json::to_value(body).unwrap()
}

/// Ada authorizes; Dora, with number 4, accepts.
fn place() -> Place {
    let place = Place::new();
    place.trusts("dora", "Dora", &private(4), &[Role::AcceptProtocol]);
    place
}

fn running() -> Place {
    let place = place();
    place.signs(4, ACCEPTANCE, &acceptance()).unwrap();
    place.signs(1, AUTHORIZATION, &authorization("one")).unwrap();
    place
}

fn withheld(custody: &Custody, reference: &str) -> (WithheldBecause, String) {
    match custody.study(reference) {
        Answer::Known(StudyStanding::Withheld(withheld)) => (withheld.because, withheld.why),
        other => panic!("{other:?}"),
    }
}

fn runs(custody: &Custody, reference: &str) -> bool {
    matches!(custody.study(reference), Answer::Known(StudyStanding::Runs(_)))
}

#[test]
fn two_hands_let_a_study_run() {
    let custody = running().opens().unwrap();
    let Answer::Known(StudyStanding::Runs(grant)) = custody.study("one") else {
        panic!("it does not run");
    };
    assert_eq!(grant.treatments, [graph()]);
    assert_eq!(custody.treatment(graph()).as_deref(), Some("one"));
    assert_eq!(custody.treatment(identify("another").unwrap()), None);
    assert_eq!(custody.study("two"), Answer::Absent);
    for digest in [
        grant.documents.protocol_digest,
        grant.documents.freeze_digest,
        grant.documents.authorization_digest,
    ] {
        let text = custody.artifact(&digest).expect("packages carry it");
        assert_eq!(Digest::of(text), digest);
    }
}

#[test]
fn an_authorization_that_does_not_count_says_why() {
    let lonely = place();
    lonely.signs(1, AUTHORIZATION, &authorization("one")).unwrap();
    let (because, why) = withheld(&lonely.opens().unwrap(), "one");
    assert_eq!(because, WithheldBecause::Unfounded);
    assert!(why.contains("nobody in this folder accepted"), "{why}");

    lonely.signs(1, ACCEPTANCE, &acceptance()).unwrap();
    let (because, why) = withheld(&lonely.opens().unwrap(), "one");
    assert_eq!(because, WithheldBecause::Unfounded);
    assert!(why.contains("does not say yes to itself"), "{why}");

    lonely.signs(4, ACCEPTANCE, &acceptance()).unwrap();
    assert!(
        runs(&lonely.opens().unwrap(), "one"),
        "one sound acceptance is enough"
    );
}

#[test]
fn an_authorization_has_its_days_and_its_end() {
    let place = running();
    let on = |today: &str| place.opens_on(today, &Seen::nothing()).unwrap();
    assert!(runs(&on("2026-12-24"), "one"));
    assert_eq!(withheld(&on("2026-12-25"), "one").0, WithheldBecause::Expired);

    let subject = |place: &Place, revision: usize| Subject::Statement {
        payload_digest: place.opens().unwrap().statements()[revision - 1].digest(),
    };
    let (ended, unaccepted) = (running(), running());
    let end = says(&subject(&ended, 2), Status::Withdrawn);
    ended.signs(1, StatementKind::Disposition, &end).unwrap();
    let custody = ended.opens().unwrap();
    let (because, why) = withheld(&custody, "one");
    assert_eq!(because, WithheldBecause::Ended);
    assert!(why.contains("withdrawn at revision 3"), "{why}");
    assert_eq!(custody.treatment(graph()), None);

    let end = says(&subject(&unaccepted, 1), Status::Retracted);
    unaccepted.signs(1, StatementKind::Disposition, &end).unwrap();
    let (because, why) = withheld(&unaccepted.opens().unwrap(), "one");
    assert_eq!(because, WithheldBecause::Unfounded);
    assert!(
        why.contains("acceptance of its protocol at revision 1 was retracted"),
        "{why}"
    );
}

#[test]
fn a_body_is_what_its_kind_says_and_a_reference_is_used_once() {
    let place = running();
    let mut altered = acceptance();
    altered["protocol"]["body"]["plannedN"] = json!(2);
    for (number, kind, body, says) in [
        (4, ACCEPTANCE, altered, "claims study-protocol-v1:"),
        (1, AUTHORIZATION, json!({ "reference": "two" }), "can't be read"),
        (1, AUTHORIZATION, authorization("one"), "was used before"),
    ] {
        let error = place.signs(number, kind, &body).unwrap_err();
        assert!(matches!(error, CustodyError::StatementInvalid { .. }), "{error}");
        assert!(error.to_string().contains(says), "{says}: {error}");
    }
    place.signs(1, AUTHORIZATION, &authorization("two")).unwrap();
    assert!(runs(&place.opens().unwrap(), "two"), "the control");
    assert!(
        place
            .signs_on(&[4], AUTHORIZATION, &authorization("three"), TODAY, None)
            .is_err()
    );
}
