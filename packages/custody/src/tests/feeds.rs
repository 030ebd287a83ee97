//! Feeds: what they say, what they leave unsaid, and which continuation is one.

use evidence::{Disposition, Dispositions as _};
use forma::{Answer, Authorities as _, DecisionStanding};
use identity::Digest;
use refusal::Reason;
use serde_json::{Value, json};

use super::{DAY, custody, receipt, row_use};
use crate::shipped::{FEED, FILES};
use crate::wire::v1::{Status, Subject};
use crate::{Custody, CustodyError, Feed};

type Edit = fn(&mut Value);

fn told(custody: Custody, subject: Subject, status: Status) -> Custody {
    let by = (status == Status::Superseded).then(|| "sha256:newer".to_owned());
    let bytes = custody
        .feed()
        .appended(DAY, subject, status, by, "A test says so.")
        .unwrap();
    custody.with_feed(&bytes).unwrap()
}

fn shipped_feed() -> Value {
    let file = FILES.iter().find(|file| file.path == FEED).unwrap();
    serde_json::from_slice(file.bytes).unwrap()
}

fn bytes(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

#[test]
fn what_this_program_issues_stands_until_somebody_says_otherwise() {
    let custody = custody();
    for consumer in evidence::admission_policy().consumers() {
        let mut asked = row_use(b"receipt");
        asked.consumer_id.clone_from(&consumer.consumer_id);
        asked
            .requirement_profile_id
            .clone_from(&consumer.requirement_profile_id);
        let answer = custody.disposition(&asked);
        assert!(
            matches!(answer, Disposition::Valid { .. }),
            "{} {answer:?}",
            consumer.consumer_id
        );
    }
}

/// The whole way: bytes, rows, receipt, use, and the word of the feed on it before and after a retraction.
#[test]
fn a_receipt_of_this_kernel_stands_until_it_is_retracted() {
    let csv = b"length_mm,mass_g\n181,3750\n186,3800\n195,\n";
    let dataset = dataset::import(csv, &dataset::ImportOptions::default())
        .unwrap()
        .dataset;
    let columns = vec!["length_mm".to_owned(), "mass_g".to_owned()];
    let analysis = kernels::analyze(&dataset, &kernels::wire::v1::Request::Rows { columns }).unwrap();
    let (bundle, attestation) = kernels::bundle(&dataset, &[analysis]).unwrap();
    let registry = evidence::ProfileRegistry::forma_v1();
    let uses = evidence::uses(&bundle, &attestation, &registry, &evidence::admission_policy()).unwrap();
    assert_eq!(uses.len(), 1);
    for (receipt_id, evidence_use) in &uses {
        assert_eq!(
            custody().disposition(evidence_use).word(),
            "VALID",
            "{receipt_id}"
        );
        let retracted = told(custody(), receipt(evidence_use), Status::Retracted);
        let answer = retracted.disposition(evidence_use);
        assert_eq!(answer, Disposition::Retracted { revision: 21 });
        assert_eq!(answer.refusal(evidence_use).reason(), Reason::Retracted);
    }
}

#[test]
fn what_nobody_speaks_of_is_unknown() {
    let custody = custody();
    assert_eq!(custody.disposition(&row_use(b"r")).word(), "VALID");
    let others: [fn(&mut evidence::wire::v1::EvidenceUse); 3] = [
        |asked| asked.kernel_version = "nemosyne-kernel/0.9.0".to_owned(),
        |asked| asked.consumer_id = "nemosyne:consumer/other/v1".to_owned(),
        |asked| asked.requirement_profile_id = "forma-row-projection/v2".to_owned(),
    ];
    for change in others {
        let mut asked = row_use(b"r");
        change(&mut asked);
        let answer = custody.disposition(&asked);
        assert!(
            matches!(&answer, Disposition::Unknown { why } if why.contains("no disposition feed")),
            "{answer:?}"
        );
        assert_eq!(answer.refusal(&asked).reason(), Reason::DispositionUnknown);
    }
}

#[test]
fn a_statement_about_one_receipt_touches_that_receipt() {
    let (named, other) = (row_use(b"named"), row_use(b"other"));
    let cases = [
        (Status::Retracted, Disposition::Retracted { revision: 21 }),
        (Status::Withdrawn, Disposition::Withdrawn { revision: 21 }),
        (
            Status::Superseded,
            Disposition::Superseded {
                revision: 21,
                by: "sha256:newer".to_owned(),
            },
        ),
    ];
    for (status, expected) in cases {
        let custody = told(custody(), receipt(&named), status);
        assert_eq!(custody.disposition(&named), expected);
        assert_eq!(custody.disposition(&other), Disposition::Valid { revision: 20 });
    }
}

#[test]
fn a_retracted_dataset_takes_every_receipt_with_it_and_a_valid_one_gives_none() {
    let asked = row_use(b"r");
    let dataset = Subject::Dataset {
        dataset_fingerprint: asked.dataset_fingerprint,
    };
    let retracted = told(custody(), dataset.clone(), Status::Retracted);
    assert_eq!(retracted.disposition(&asked).word(), "RETRACTED");
    let mut foreign = row_use(b"r");
    foreign.kernel_version = "other/1".to_owned();
    let vouched = told(custody(), dataset, Status::Valid);
    assert_eq!(vouched.disposition(&foreign).word(), "UNKNOWN");
    assert_eq!(vouched.disposition(&asked).word(), "VALID");
}

#[test]
fn a_withdrawal_can_be_undone_and_a_retraction_cannot() {
    let asked = row_use(b"r");
    let withdrawn = told(custody(), receipt(&asked), Status::Withdrawn);
    let restored = told(withdrawn, receipt(&asked), Status::Valid);
    assert_eq!(restored.disposition(&asked), Disposition::Valid { revision: 22 });
    let retracted = told(custody(), receipt(&asked), Status::Retracted);
    let undone = retracted
        .feed()
        .appended(DAY, receipt(&asked), Status::Valid, None, "Never mind.");
    assert!(undone.unwrap_err().to_string().contains("a retraction is final"));
}

#[test]
fn an_older_state_of_the_feed_is_a_rollback() {
    let asked = row_use(b"r");
    let newer = told(custody(), receipt(&asked), Status::Retracted);
    let newest = bytes(&serde_json::to_value(FeedText(&newer)).unwrap());
    assert!(newer.clone().with_feed(&newest).is_ok());
    let error = newer.with_feed(&bytes(&shipped_feed())).unwrap_err();
    assert!(
        matches!(
            error,
            CustodyError::Rollback {
                held: 21,
                found: 20,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(error.refusal().reason(), Reason::Integrity);
}

/// The wire text of a custody's own feed.
struct FeedText<'a>(&'a Custody);

impl serde::Serialize for FeedText<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let feed = self.0.feed();
        json!({
            "schemaVersion": 1,
            "feedId": feed.id(),
            "issuedBy": "Nemosyne founders",
            "revision": feed.revision(),
            "statements": feed.statements(),
        })
        .serialize(serializer)
    }
}

#[test]
fn a_feed_that_rewrites_what_was_said_is_a_fork() {
    let extended = |edit: &dyn Fn(&mut Value)| {
        let mut feed = shipped_feed();
        let mut third = feed["statements"][1].clone();
        third["revision"] = json!(21);
        feed["statements"].as_array_mut().unwrap().push(third);
        feed["revision"] = json!(21);
        edit(&mut feed);
        custody().with_feed(&bytes(&feed))
    };
    assert_eq!(extended(&|_| ()).unwrap().feed().revision(), 21);
    let agreed = |edit: &dyn Fn(&mut Value)| match extended(edit) {
        Err(CustodyError::Fork { agreed, .. }) => agreed,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        agreed(&|feed| feed["statements"][1]["reason"] = json!("Rewritten.")),
        1
    );
    assert_eq!(
        agreed(&|feed| feed["statements"][0]["status"] = json!("WITHDRAWN")),
        0
    );
    assert_eq!(
        agreed(&|feed| drop(feed["statements"].as_array_mut().unwrap().remove(0))),
        0
    );
    assert_eq!(agreed(&|feed| feed["feedId"] = json!("nemosyne:feed/mine")), 0);
    assert_eq!(agreed(&|feed| feed["issuedBy"] = json!("Somebody")), 0);
}

#[test]
fn feeds_keep_their_rules() {
    let read = |edit: &dyn Fn(&mut Value)| {
        let mut feed = shipped_feed();
        edit(&mut feed);
        Feed::from_bytes(&bytes(&feed))
    };
    assert!(read(&|_| ()).is_ok());
    let cases: [(Edit, &str); 11] = [
        (
            |feed| feed["statements"][1]["revision"] = json!(1),
            "strictly increase",
        ),
        (
            |feed| feed["statements"][0]["revision"] = json!(0),
            "strictly increase",
        ),
        (|feed| feed["revision"] = json!(21), "that of its last statement"),
        (|feed| feed["statements"] = json!([]), "at least one statement"),
        (
            |feed| feed["statements"][1]["issuedOn"] = json!("2026-11-30"),
            "dated before",
        ),
        (
            |feed| feed["statements"][1]["issuedOn"] = json!("soon"),
            "no date",
        ),
        (
            |feed| feed["statements"][1]["reason"] = json!(" "),
            "gives no reason",
        ),
        (
            |feed| feed["statements"][1]["status"] = json!("SUPERSEDED"),
            "supersededBy",
        ),
        (
            |feed| feed["statements"][1]["supersededBy"] = json!("x"),
            "supersededBy",
        ),
        (|feed| feed["schemaVersion"] = json!(2), "schemaVersion"),
        (|feed| feed["feedId"] = json!(""), "have a name"),
    ];
    for (edit, expected) in cases {
        let error = read(&edit).unwrap_err();
        assert!(
            matches!(error, CustodyError::Invalid { .. }) && error.to_string().contains(expected),
            "{error}"
        );
    }
    for edit in [
        (|feed: &mut Value| feed["signature"] = json!("trust me")) as Edit,
        |feed| feed["statements"][0]["status"] = json!("ADMITTED"),
        |feed| feed["statements"][0]["subject"]["kind"] = json!("EVERYTHING"),
    ] {
        assert!(matches!(read(&edit), Err(CustodyError::Decode(_))));
    }
}

#[test]
fn two_sources_that_differ_on_a_subject_are_believed_by_nobody() {
    let (asked, other) = (row_use(b"named"), row_use(b"other"));
    let second = |subject: Subject, status: &str| {
        json!({
            "schemaVersion": 1,
            "feedId": "nemosyne:feed/second",
            "issuedBy": "Somebody else",
            "revision": 9,
            "statements": [{
                "revision": 9,
                "issuedOn": DAY,
                "subject": subject,
                "status": status,
                "reason": "A second source."
            }]
        })
    };
    let issuance = Subject::Issuance {
        kernel_version: asked.kernel_version.clone(),
        consumer_id: asked.consumer_id.clone(),
        requirement_profile_id: asked.requirement_profile_id.clone(),
    };
    let with = |custody: Custody, subject: &Subject, status| {
        custody
            .with_source(&bytes(&second(subject.clone(), status)))
            .unwrap()
    };
    let doubted = with(custody(), &issuance, "RETRACTED");
    let answer = doubted.disposition(&asked);
    assert!(
        matches!(&answer, Disposition::Unknown { why } if why.contains("says VALID and")),
        "{answer:?}"
    );
    let agreed = with(custody(), &issuance, "VALID");
    assert_eq!(agreed.disposition(&asked), Disposition::Valid { revision: 20 });
    // Of another subject it speaks alone, and the gravest word on any of them holds.
    let named = with(custody(), &receipt(&asked), "RETRACTED");
    assert_eq!(named.disposition(&asked), Disposition::Retracted { revision: 9 });
    assert_eq!(named.disposition(&other), Disposition::Valid { revision: 20 });
    let contradicted = told(
        with(custody(), &receipt(&asked), "VALID"),
        receipt(&asked),
        Status::Retracted,
    );
    assert_eq!(contradicted.disposition(&asked).word(), "UNKNOWN");
    let both = told(named, receipt(&asked), Status::Retracted);
    assert_eq!(both.disposition(&asked).word(), "RETRACTED");
    let twice = both.with_source(&bytes(&second(receipt(&asked), "VALID")));
    assert!(matches!(twice, Err(CustodyError::Fork { .. })));
}

#[test]
fn a_withdrawn_decision_no_longer_counts() {
    let name = "position-order-monitor@1";
    let custody = custody();
    let pin = custody.table().pin(name).unwrap();
    let subject = |digest| Subject::Decision {
        id: pin.id.clone(),
        version: pin.version.clone(),
        digest,
    };
    let silent = Answer::Known(DecisionStanding::Stands { revision: 0 });
    assert_eq!(custody.decision(name), silent);
    for status in [Status::Withdrawn, Status::Retracted, Status::Superseded] {
        let told = told(custody.clone(), subject(pin.digest), status);
        let expected = match status {
            Status::Retracted => DecisionStanding::Retracted { revision: 21 },
            Status::Superseded => DecisionStanding::Superseded {
                revision: 21,
                by: "sha256:newer".to_owned(),
            },
            Status::Withdrawn | Status::Valid => DecisionStanding::Withdrawn { revision: 21 },
        };
        assert_eq!(told.decision(name), Answer::Known(expected));
        assert_eq!(told.decision("position-order-headset@1"), silent);
    }
    let confirmed = told(custody.clone(), subject(pin.digest), Status::Valid);
    assert_eq!(
        confirmed.decision(name),
        Answer::Known(DecisionStanding::Stands { revision: 21 })
    );
    let altered = told(custody, subject(Digest::of(b"another decision")), Status::Valid);
    assert!(matches!(altered.decision(name), Answer::Tampered(_)));
}
