//! Every rule of every document, each broken once, against the whole document beside it.

use identity::{Body, Sealed, canonical};
use obligations::wire::v1::Predicate;
use refusal::Reason;
use serde_json::{Value, json};

use super::{acceptance, acceptance_body, authorization, authorization_body, freeze, freeze_body, protocol};
use crate::wire::v1::AuthorizationBody;
use crate::{Acceptance, Documents, MAX_TEXT, StudyError, control, read_freeze, read_protocol, template};

fn rule<B: Body<Invalid = StudyError> + Clone>(whole: &B, change: impl FnOnce(&mut B)) -> String {
    assert!(Sealed::seal(whole.clone()).is_ok(), "the control is whole");
    let mut broken = whole.clone();
    change(&mut broken);
    match Sealed::seal(broken) {
        Err(identity::SealError::Invalid(StudyError::Invalid { rule, .. })) => rule,
        other => panic!("sealed: {:?}", other.map(|sealed| sealed.id())),
    }
}

fn edited(text: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(text).expect("JSON");
    change(&mut value);
    serde_json::to_vec(&value).expect("JSON")
}

#[test]
fn a_protocol_says_everything() {
    let whole = template();
    let long = "x".repeat(MAX_TEXT + 1);
    for (says, broken) in [
        ("title is empty", rule(&whole, |it| it.title = "  ".to_owned())),
        (
            "question is longer",
            rule(&whole, |it| it.question = long.clone()),
        ),
        (
            "population holds control",
            rule(&whole, |it| it.population = "a\u{1b}[2J".to_owned()),
        ),
        ("hypotheses has 0 items", rule(&whole, |it| it.hypotheses.clear())),
        (
            "conditions stand in order",
            rule(&whole, |it| it.design.conditions.reverse()),
        ),
        ("SINGLE_ARM", rule(&whole, |it| it.design.conditions.truncate(1))),
        (
            "no equals sign",
            rule(&whole, |it| it.design.conditions[0].id = "a=b".to_owned()),
        ),
        (
            "tasks is a name",
            rule(&whole, |it| it.tasks[0].id = "T 1".to_owned()),
        ),
        (
            "tasks/maxSeconds is 0",
            rule(&whole, |it| it.tasks[0].max_seconds = 0.into()),
        ),
        (
            "PRIMARY",
            rule(&whole, |it| it.outcome_measures.retain(|one| one.id == "time")),
        ),
        ("plannedN is 0", rule(&whole, |it| it.planned_n = 0.into())),
        (
            "ethicsReference is empty",
            rule(&whole, |it| it.ethics_reference.clear()),
        ),
    ] {
        assert!(broken.contains(says), "{says}: {broken}");
    }
}

#[test]
fn a_protocol_is_read_closed() {
    let text = canonical::to_vec(&template()).expect("canonical");
    assert_eq!(read_protocol(&text).expect("it is whole").id(), protocol().id());
    let more = edited(&text, |it| it["amendment"] = json!("also"));
    let Err(StudyError::Decode { error, .. }) = read_protocol(&more) else {
        panic!("it was read");
    };
    assert_eq!(error.rule.name(), "UNKNOWN_MEMBER");
    let refusal = read_protocol(&more).expect_err("no").refusal();
    assert_eq!(refusal.reason(), Reason::UnknownShape);
}

#[test]
fn a_freeze_names_what_it_lets_happen() {
    let whole = freeze_body();
    for (says, broken) in [
        ("treatments has 0 items", rule(&whole, |it| it.treatments.clear())),
        (
            "treatments stand in order",
            rule(&whole, |it| it.treatments.reverse()),
        ),
        (
            "treatments stand in order",
            rule(&whole, |it| it.treatments[1] = it.treatments[0].clone()),
        ),
        (
            "controlMappings stand in order",
            rule(&whole, |it| it.control_mappings.reverse()),
        ),
        (
            "exactly those that control mappings name",
            rule(&whole, |it| it.accepted_contraindications.clear()),
        ),
        (
            "exactly those that control mappings name",
            rule(&whole, |it| {
                it.accepted_contraindications.push("hue@1".to_owned());
            }),
        ),
        (
            "ORDER is carried by a control mapping and not withheld",
            rule(&whole, |it| it.withheld_claims = vec![Predicate::Ratio]),
        ),
        (
            "exposure/maxSeconds",
            rule(&whole, |it| it.exposure.max_seconds = 1_000_000.into()),
        ),
        (
            "exposure/maxExposures",
            rule(&whole, |it| it.exposure.max_exposures = 0.into()),
        ),
        ("devices has 0 items", rule(&whole, |it| it.devices.clear())),
        ("devices stand in order", rule(&whole, |it| it.devices.reverse())),
    ] {
        assert!(broken.contains(says), "{says}: {broken}");
    }
}

#[test]
fn a_freeze_is_what_it_hashes_to() {
    let text = freeze().to_canonical().expect("canonical");
    assert_eq!(read_freeze(&text).expect("it is whole").id(), freeze().id());
    assert!(freeze().id().to_string().starts_with("study-freeze-v2:"));
    let altered = edited(&text, |it| it["body"]["devices"] = json!(["DESKTOP_MONITOR"]));
    let Err(StudyError::Altered { claimed, .. }) = read_freeze(&altered) else {
        panic!("it was read");
    };
    assert_eq!(claimed, freeze().id().to_string());
    let older = edited(&text, |it| it["schemaVersion"] = json!(1));
    assert!(matches!(
        read_freeze(&older),
        Err(StudyError::Version { found: 1, .. })
    ));
}

#[test]
fn a_control_mapping_is_typed_in_words() {
    let one = control("position_z:FREE_VOLUME:ORDER:depth-monitor@1").expect("it is one");
    assert_eq!(one.contraindication.as_deref(), Some("depth-monitor@1"));
    assert_eq!(
        control("position_z:FREE_VOLUME:ORDER")
            .expect("it is one")
            .contraindication,
        None
    );
    for (text, says) in [
        ("position_z", "CHANNEL:ARRANGEMENT:CLAIM"),
        ("depth:FREE_VOLUME:ORDER", "no channel"),
        ("position_z:FREE:ORDER", "no arrangement"),
        ("position_z:FREE_VOLUME:order", "no claim"),
        ("position_z:FREE_VOLUME:OR\"DER", "no claim"),
    ] {
        let error = control(text).expect_err(text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn an_acceptance_holds_what_was_accepted() {
    let text = canonical::to_vec(&acceptance_body()).expect("canonical");
    let read = Acceptance::read(&text).expect("it is whole");
    assert_eq!(read.freeze().id(), freeze().id());
    assert_eq!(read.protocol().id(), protocol().id());
    let altered = edited(&text, |it| it["protocol"]["body"]["plannedN"] = json!(2));
    assert!(matches!(
        Acceptance::read(&altered),
        Err(StudyError::Altered {
            what: "study protocol",
            ..
        })
    ));
    let mut other = template();
    other.planned_n = 2.into();
    let mut body = acceptance_body();
    body.protocol = crate::Protocol::seal(other).expect("it is whole").to_wire();
    assert!(matches!(
        Acceptance::seal(body),
        Err(StudyError::Another {
            member: "protocol",
            ..
        })
    ));
    let mut body = acceptance_body();
    let mut strange = freeze_body();
    strange.treatments[0].condition = "hologram".to_owned();
    body.freeze = crate::Freeze::seal(strange).expect("it is whole").to_wire();
    let error = Acceptance::seal(body).expect_err("no such condition").to_string();
    assert!(error.contains("no condition hologram"), "{error}");
}

#[test]
fn an_authorization_is_bounded() {
    let whole = authorization_body();
    for (says, broken) in [
        (
            "reference is a name",
            rule(&whole, |it| it.reference = "a study".to_owned()),
        ),
        (
            "authorizedBy is empty",
            rule(&whole, |it| it.authorized_by.clear()),
        ),
        ("devices has 0 items", rule(&whole, |it| it.devices.clear())),
        (
            "last day",
            rule(&whole, |it| it.expires_on = super::day("2026-11-30")),
        ),
    ] {
        assert!(broken.contains(says), "{says}: {broken}");
    }
    let text = canonical::to_vec(&whole).expect("canonical");
    assert_eq!(
        AuthorizationBody::read(&text).expect("it is whole").id(),
        authorization().id()
    );
}

#[test]
fn documents_travel_as_texts_and_come_back() {
    let documents = Documents::of(&acceptance(), &authorization()).expect("they belong together");
    let [protocol, freeze, authorization] = documents.texts();
    let read = Documents::read(protocol, freeze, authorization).expect("they came back");
    assert_eq!(read.to_ref(), documents.to_ref());
    assert_eq!(read.terms(), documents.terms());
    let altered = edited(freeze, |it| {
        it["body"]["withheldClaims"] = json!(["ORDER", "RATIO"]);
    });
    assert!(matches!(
        Documents::read(protocol, &altered, authorization),
        Err(StudyError::Altered { .. })
    ));
}
