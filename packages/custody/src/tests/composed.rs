//! What ships and what a folder says, together: what counts, what counts no more and how, and what a folder can't do.

use evidence::{Disposition, Dispositions as _};
use forma::{Answer, Authorities as _, DecisionStanding};
use identity::SafeInteger;
use knowledge::wire::v1::{Arrangement, DeviceClass, Mapping};
use knowledge::{Qualification, Question};
use obligations::wire::v1::Predicate;
use representation::wire::v2::Channel;
use serde_json::json;

use super::place::{Place, TODAY, decision, qualification, says};
use super::{custody, receipt, row_use};
use crate::wire::v1::{StatementKind, Status, Subject, Threshold};
use crate::{Custody, CustodyError, Seen, Word};

type Edit<'a> = &'a dyn Fn(&mut serde_json::Value);

const NAME: &str = "custody:depth-order@1";

fn asked(custody: &Custody, device: DeviceClass) -> Qualification {
    let question = Question {
        mapping: Mapping {
            channel: Channel::PositionZ,
            arrangement: Arrangement::FreeVolume,
        },
        predicate: Predicate::Order,
        device,
        scope: &custody.pins().scope,
        n_marks: Some(3),
    };
    custody.table().answer(custody.manifest(), &question)
}

fn qualified() -> Place {
    let place = Place::new();
    place
        .signs(1, StatementKind::Qualification, &qualification("1", 1))
        .unwrap();
    place
}

#[test]
fn a_signed_qualification_counts_where_it_was_signed_and_for_what_it_says() {
    let place = qualified();
    let here = place.opens().unwrap();
    let yes = Qualification::Qualified {
        decision: NAME.to_owned(),
    };
    assert_eq!(asked(&here, DeviceClass::PcvrHeadset), yes);
    assert_eq!(
        here.decision(NAME),
        Answer::Known(DecisionStanding::Stands { revision: 1 })
    );
    let statement = &here.statements()[0];
    let entries = &here.manifest().body().entries;
    let entry = entries
        .iter()
        .find(|entry| entry.id == "custody:depth-order")
        .unwrap();
    assert_eq!(entry.content_digest, statement.body_digest());
    assert_eq!(here.artifact(&entry.content_digest), Some(statement.body()));
    assert!(
        entry.authority_ref.starts_with("Ada (sha256:"),
        "{}",
        entry.authority_ref
    );
    assert_eq!(
        here.policy("custody:depth-order"),
        Answer::Known(here.table().pin(NAME).unwrap())
    );

    let other_device = asked(&here, DeviceClass::StandaloneHeadset);
    let Qualification::Unvalidated { text } = other_device else {
        panic!("{other_device:?}")
    };
    assert!(
        text.contains(NAME) && text.contains("covers a PC headset only"),
        "{text}"
    );
    assert_eq!(asked(&custody(), DeviceClass::PcvrHeadset).word(), "UNVALIDATED");
    assert_eq!(custody().decision(NAME), Answer::Absent);
    assert_ne!(here.manifest().id(), custody().manifest().id());
    assert_eq!(here.digest(), custody().digest(), "what ships is what ships");
}

/// Each way of not counting any more is its own answer, in the statement, at the door and in the sentence.
#[test]
fn what_counts_no_more_says_how() {
    let ended = |status: Option<Status>, on: &str| {
        let place = Place::new();
        let until = Some("2026-12-31");
        place
            .signs_on(
                &[1],
                StatementKind::Qualification,
                &qualification("1", 1),
                TODAY,
                until,
            )
            .unwrap();
        if let Some(status) = status {
            let subject = decision(&place.opens().unwrap(), "1");
            place
                .signs(1, StatementKind::Disposition, &says(&subject, status))
                .unwrap();
        }
        place.opens_on(on, &Seen::nothing()).unwrap()
    };
    let stands = ended(None, "2026-12-31");
    assert_eq!(asked(&stands, DeviceClass::PcvrHeadset).word(), "QUALIFIED");
    let by = "another".to_owned();
    let cases = [
        (
            Some(Status::Withdrawn),
            TODAY,
            DecisionStanding::Withdrawn { revision: 2 },
            "was withdrawn at revision 2",
        ),
        (
            Some(Status::Retracted),
            TODAY,
            DecisionStanding::Retracted { revision: 2 },
            "was retracted at revision 2",
        ),
        (
            Some(Status::Superseded),
            TODAY,
            DecisionStanding::Superseded { revision: 2, by },
            "was superseded by another at revision 2",
        ),
        (
            None,
            "2027-01-01",
            DecisionStanding::Expired {
                revision: 1,
                on: "2026-12-31".to_owned(),
            },
            "expired: 2026-12-31 was its last day",
        ),
    ];
    for (status, on, standing, says) in cases {
        let custody = ended(status, on);
        assert_eq!(custody.statements()[0].word().to_string(), says);
        assert_eq!(custody.decision(NAME), Answer::Known(standing));
        let answer = asked(&custody, DeviceClass::PcvrHeadset);
        let Qualification::Unvalidated { text } = answer else {
            panic!("{answer:?}")
        };
        assert!(text.contains("any more") && text.contains(says), "{text}");
        assert!(custody.table().pin(NAME).is_none());
        assert_eq!(custody.manifest().id(), super::custody().manifest().id());
    }
}

#[test]
fn a_statement_from_the_future_does_not_count_yet() {
    let place = Place::new();
    place
        .signs_on(
            &[1],
            StatementKind::Qualification,
            &qualification("1", 1),
            "2027-03-01",
            None,
        )
        .unwrap();
    let custody = place.opens().unwrap();
    assert!(matches!(custody.statements()[0].word(), Word::NotYet { .. }));
    assert_eq!(custody.decision(NAME), Answer::Absent);
    assert_eq!(asked(&custody, DeviceClass::PcvrHeadset).word(), "UNVALIDATED");
    let later = place.opens_on("2027-03-01", &Seen::nothing()).unwrap();
    assert_eq!(asked(&later, DeviceClass::PcvrHeadset).word(), "QUALIFIED");
}

#[test]
fn replaced_once_is_replaced_for_good() {
    let place = qualified();
    let second = |supersedes: Option<&str>| {
        let mut body = qualification("2", 1);
        body["supersedes"] = json!(supersedes);
        body["revision"] = json!(2);
        if supersedes.is_none() {
            body.as_object_mut().unwrap().remove("supersedes");
        }
        place.signs(1, StatementKind::Qualification, &body)
    };
    let beside = second(None).unwrap_err();
    assert!(beside.to_string().contains("which it supersedes"), "{beside}");
    second(Some(NAME)).unwrap();
    let custody = place.opens().unwrap();
    let by = "custody:depth-order@2".to_owned();
    assert_eq!(
        custody.decision(NAME),
        Answer::Known(DecisionStanding::Superseded {
            revision: 2,
            by: by.clone()
        })
    );
    assert_eq!(
        asked(&custody, DeviceClass::PcvrHeadset),
        Qualification::Qualified { decision: by }
    );
    let body = says(&decision(&custody, "2"), Status::Withdrawn);
    place.signs(1, StatementKind::Disposition, &body).unwrap();
    let after = place.opens().unwrap();
    assert_eq!(asked(&after, DeviceClass::PcvrHeadset).word(), "UNVALIDATED");
}

#[test]
fn a_folder_takes_no_name_that_ships_and_retires_no_harm() {
    let place = Place::new();
    let sign = |edit: &dyn Fn(&mut serde_json::Value)| {
        let mut body = qualification("1", 1);
        edit(&mut body);
        place.signs(1, StatementKind::Qualification, &body)
    };
    let cases: [(Edit<'_>, &str); 6] = [
        (
            &|body| body["id"] = json!("position-order-monitor"),
            "begins with `custody:`",
        ),
        (
            &|body| body["decidedBy"] = json!("Nemosyne founders"),
            "decidedBy names who signed",
        ),
        (
            &|body| body["kind"] = json!("CONTRAINDICATION"),
            "a QUALIFICATION statement",
        ),
        (
            &|body| body["supersedes"] = json!("depth-monitor@1"),
            "no folder retires it",
        ),
        (&|body| body["claims"] = json!([]), "names its claims"),
        (&|body| body["weight"] = json!(7), "does not know"),
    ];
    for (edit, says) in cases {
        let error = sign(edit).expect_err(says);
        assert!(error.to_string().contains(says), "{says}: {error}");
    }
    let pin = custody().table().pin("depth-monitor@1").unwrap();
    let harm = Subject::Decision {
        id: pin.id,
        version: pin.version,
        digest: pin.digest,
    };
    let retired = place.signs(1, StatementKind::Disposition, &says(&harm, Status::Withdrawn));
    assert!(
        matches!(retired, Err(CustodyError::StatementInvalid { .. })),
        "{retired:?}"
    );
    assert_eq!(
        place.opens().unwrap().statements().len(),
        0,
        "what is refused is not written"
    );
    sign(&|_| ()).unwrap();
}

#[test]
fn a_shipped_qualification_that_a_folder_takes_back_is_gone_there() {
    let place = Place::new();
    let name = "position-order-headset@1";
    let pin = custody().table().pin(name).unwrap();
    let subject = Subject::Decision {
        id: pin.id,
        version: pin.version,
        digest: pin.digest,
    };
    place
        .signs(1, StatementKind::Disposition, &says(&subject, Status::Retracted))
        .unwrap();
    let here = place.opens().unwrap();
    assert_eq!(
        here.decision(name),
        Answer::Known(DecisionStanding::Retracted { revision: 1 })
    );
    assert!(here.table().pin(name).is_none());
    assert_eq!(
        custody().decision(name),
        Answer::Known(DecisionStanding::Stands { revision: 0 })
    );
}

#[test]
fn two_owners_are_two_people_and_not_two_keys() {
    let threshold = Threshold {
        kind: StatementKind::Qualification,
        owners: SafeInteger::new(2).unwrap(),
    };
    let place = Place::with(&[threshold]);
    place.trusts(
        "ada-2",
        "Ada",
        &super::place::private(5),
        &[crate::wire::v1::Role::Qualify],
    );
    let sign = |numbers: &[u8]| {
        place.signs_on(
            numbers,
            StatementKind::Qualification,
            &qualification("1", 1),
            TODAY,
            None,
        )
    };
    for numbers in [&[1][..], &[1, 5]] {
        let error = sign(numbers).unwrap_err();
        assert!(error.to_string().contains("signed by 2 owners"), "{error}");
    }
    sign(&[1, 2]).unwrap();
    assert_eq!(place.opens().unwrap().statements()[0].signers().len(), 2);
}

/// Who ceases to be trusted does not thereby vouch for what they took back.
#[test]
fn a_retraction_is_not_undone_by_taking_its_signer_away() {
    let (named, other) = (row_use(b"named"), row_use(b"other"));
    let place = Place::new();
    let name = "position-order-monitor@1";
    let pin = custody().table().pin(name).unwrap();
    let decision = Subject::Decision {
        id: pin.id,
        version: pin.version,
        digest: pin.digest,
    };
    for subject in [receipt(&named), decision] {
        place
            .signs(1, StatementKind::Disposition, &says(&subject, Status::Retracted))
            .unwrap();
    }
    let control = place.opens().unwrap();
    assert_eq!(
        control.disposition(&named),
        Disposition::Retracted { revision: 1 }
    );
    std::fs::remove_file(place.at("keys/ada.json")).unwrap();
    let orphaned = place.opens().unwrap();
    let standing = orphaned.disposition(&named);
    let Disposition::Unknown { why } = standing else {
        panic!("{standing:?}")
    };
    assert!(
        why.contains("statement 1") && why.contains("not a trusted key"),
        "{why}"
    );
    assert_eq!(orphaned.disposition(&other), Disposition::Valid { revision: 20 });
    assert_eq!(orphaned.decision(name), Answer::Absent);
    assert_eq!(
        orphaned.decision("position-order-headset@1"),
        Answer::Known(DecisionStanding::Stands { revision: 0 })
    );
}

#[test]
fn a_retraction_in_a_folder_is_a_retraction_and_final() {
    let (named, other) = (row_use(b"named"), row_use(b"other"));
    let place = Place::new();
    place
        .signs(
            1,
            StatementKind::Disposition,
            &says(&receipt(&named), Status::Retracted),
        )
        .unwrap();
    let here = place.opens().unwrap();
    assert_eq!(here.disposition(&named), Disposition::Retracted { revision: 1 });
    assert_eq!(here.disposition(&other), Disposition::Valid { revision: 20 });
    assert_eq!(custody().disposition(&named), Disposition::Valid { revision: 20 });
    let undone = place
        .signs(
            1,
            StatementKind::Disposition,
            &says(&receipt(&named), Status::Valid),
        )
        .unwrap_err();
    assert!(undone.to_string().contains("a retraction is final"), "{undone}");
    let empty = place
        .signs(1, StatementKind::Disposition, &json!({ "entries": [] }))
        .unwrap_err();
    assert!(empty.to_string().contains("speaks of something"), "{empty}");
}

#[test]
fn a_source_that_is_silent_too_long_vouches_for_nothing_and_retracts_nothing() {
    let (named, other) = (row_use(b"named"), row_use(b"other"));
    let place = Place::new();
    place
        .signs(1, StatementKind::Qualification, &qualification("1", 1))
        .unwrap();
    let much_later = "2028-01-01";
    let on = |day: &str| place.opens_on(day, &Seen::nothing()).unwrap();
    assert_eq!(
        on(much_later).disposition(&other).word(),
        "VALID",
        "it never spoke of evidence"
    );
    place
        .signs(
            1,
            StatementKind::Disposition,
            &says(&receipt(&named), Status::Retracted),
        )
        .unwrap();
    assert_eq!(
        on("2027-03-01").disposition(&other).word(),
        "VALID",
        "90 days later"
    );
    let stale = on("2027-03-02").disposition(&other);
    let Disposition::Unknown { why } = stale else {
        panic!("{stale:?}")
    };
    assert!(
        why.contains("stale, not retracted") && why.contains("nemosyne:policy/freshness@1"),
        "{why}"
    );
    assert_eq!(on(much_later).disposition(&named).word(), "RETRACTED");
    place
        .signs_on(
            &[1],
            StatementKind::Disposition,
            &json!({ "asOf": "2027-12-31", "entries": [] }),
            "2027-12-31",
            None,
        )
        .unwrap();
    assert_eq!(
        on(much_later).disposition(&other).word(),
        "VALID",
        "a sign of life"
    );
}

#[test]
fn a_statement_can_be_taken_back_by_its_digest() {
    let place = Place::new();
    let signed = place
        .signs(
            1,
            StatementKind::ReviewerStatement,
            &json!({ "says": "The legend misleads." }),
        )
        .unwrap();
    assert!(place.opens().unwrap().statements()[0].stands());
    let subject = Subject::Statement {
        payload_digest: signed.digest,
    };
    place
        .signs(1, StatementKind::Disposition, &says(&subject, Status::Withdrawn))
        .unwrap();
    assert_eq!(
        place.opens().unwrap().statements()[0].word(),
        &Word::Withdrawn { revision: 2 }
    );
}
