//! Drafts as values and as files.

use identity::{Kind as _, Rule};
use serde_json::{Value, json};

use super::{Decision, critique_of, draft, meaning_of};
use crate::wire::v1::{Confidence, CritiqueBody, Instrument, MeaningBody};
use crate::{BodyError, Draft, Judgment, JudgmentError, JudgmentId, MAX_TEXT};

fn edited(draft: &Draft, edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(&draft.to_bytes().unwrap()).unwrap();
    edit(&mut value);
    serde_json::to_vec(&value).unwrap()
}

#[test]
fn both_kinds_come_back_from_their_files() {
    let decision = Decision::flowers();
    let critique = draft(decision.target());
    let meaning = Draft::meaning(meaning_of(decision.target())).unwrap();
    for (written, tag) in [(critique, CritiqueBody::TAG), (meaning, MeaningBody::TAG)] {
        let read = Draft::from_bytes(&written.to_bytes().unwrap()).unwrap();
        assert_eq!(read, written);
        let id = read.judgment().id();
        assert!(id.to_string().starts_with(&format!("{tag}:")));
        assert_eq!(JudgmentId::parse(&id.to_string()), Ok(id));
    }
}

/// Names are the same everywhere: the texts of these two bodies, hashed once and kept here.
#[test]
fn equal_words_have_equal_names() {
    let decision = Decision::flowers();
    let mut spaced = critique_of(decision.target());
    spaced.says = format!("  {}\n", spaced.says);
    let spaced = Draft::critique(spaced).unwrap();
    assert_eq!(spaced, draft(decision.target()));
    let mut other = critique_of(decision.target());
    other.says.push('!');
    assert_ne!(
        Draft::critique(other).unwrap().judgment().id(),
        spaced.judgment().id()
    );
}

#[test]
fn a_changed_file_is_another_judgment() {
    let written = draft(Decision::flowers().target());
    let bytes = edited(&written, |file| {
        file["critique"]["body"]["says"] = json!("It is fine.");
    });
    let error = Draft::from_bytes(&bytes).unwrap_err();
    assert!(matches!(error, JudgmentError::Altered { .. }), "{error}");
    assert!(Draft::from_bytes(&edited(&written, |_| {})).is_ok());
}

/// A file can't say that it is confirmed: there is no place for it.
#[test]
fn no_file_confirms_itself() {
    let written = draft(Decision::flowers().target());
    type Edit = fn(&mut Value);
    let edits: [Edit; 4] = [
        |file| file["state"] = json!("CONFIRMED"),
        |file| file["critique"]["state"] = json!("CONFIRMED"),
        |file| file["critique"]["body"]["confirmed"] = json!(true),
        |file| file["critique"]["body"]["author"]["confirmedBy"] = json!("me"),
    ];
    for edit in edits {
        let error = Draft::from_bytes(&edited(&written, edit)).unwrap_err();
        assert!(matches!(error, JudgmentError::Decode(_)), "{error}");
    }
    // What a reviewer signs is no draft either.
    let statement = written.to_confirm().unwrap();
    assert!(matches!(
        Draft::from_bytes(&statement),
        Err(JudgmentError::Decode(_))
    ));
}

#[test]
fn bad_bodies_are_told_apart() {
    let target = Decision::flowers().target();
    let with = |edit: fn(&mut CritiqueBody)| {
        let mut body = critique_of(target.clone());
        edit(&mut body);
        match Draft::critique(body) {
            Ok(_) => None,
            Err(JudgmentError::Body(error)) => Some(error),
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(with(|_| {}), None);
    assert_eq!(
        with(|body| body.says = " \n ".to_owned()),
        Some(BodyError::Text { member: "says" })
    );
    assert_eq!(
        with(|body| body.says = "x".repeat(MAX_TEXT + 1)),
        Some(BodyError::TooLong {
            member: "says",
            bytes: MAX_TEXT + 1,
            most: MAX_TEXT
        })
    );
    assert_eq!(
        with(|body| body.says = "\u{1b}[31mred".to_owned()),
        Some(BodyError::Control { member: "says" })
    );
    assert_eq!(
        with(|body| body.author.name = "Ada\nExample".to_owned()),
        Some(BodyError::Control {
            member: "author.name"
        })
    );
    assert_eq!(
        with(|body| body.instrument = Instrument::ModelParsed { model: String::new() }),
        Some(BodyError::Text {
            member: "instrument.model"
        })
    );
    assert_eq!(with(|body| body.says = "two\nlines".to_owned()), None);
}

#[test]
fn shapes_are_closed() {
    let written = draft(Decision::flowers().target());
    let unknown = edited(&written, |file| {
        file["critique"]["body"]["target"]["part"]["weight"] = json!(1);
    });
    let Err(JudgmentError::Decode(error)) = Draft::from_bytes(&unknown) else {
        panic!("it is open")
    };
    assert!(
        matches!(error.rule, Rule::UnknownMember | Rule::Shape(_)),
        "{error}"
    );
    let marked = edited(&written, |file| {
        file["critique"]["body"]["instrument"] = json!({ "kind": "DESK", "trusted": true });
    });
    assert!(matches!(
        Draft::from_bytes(&marked),
        Err(JudgmentError::Decode(_))
    ));
    let huge = vec![b' '; 70_000];
    let Err(JudgmentError::Decode(error)) = Draft::from_bytes(&huge) else {
        panic!("it is unbounded")
    };
    assert_eq!(error.rule, Rule::Bytes);
    let day = edited(&written, |file| {
        file["critique"]["body"]["saidOn"] = json!("2026-02-30");
    });
    assert!(matches!(Draft::from_bytes(&day), Err(JudgmentError::Decode(_))));
    let version = edited(&written, |file| file["critique"]["schemaVersion"] = json!(2));
    assert!(matches!(
        Draft::from_bytes(&version),
        Err(JudgmentError::Version { .. })
    ));
}

#[test]
fn confidence_stays_as_stated() {
    let mut body = meaning_of(Decision::flowers().target());
    body.confidence = Confidence::Stated {
        words: "quite sure".to_owned(),
    };
    let draft = Draft::meaning(body).unwrap();
    let Judgment::Meaning(meaning) = draft.judgment() else {
        panic!("it is one")
    };
    assert!(matches!(&meaning.body().confidence, Confidence::Stated { words } if words == "quite sure"));
}

#[test]
fn names_of_other_things_name_no_judgment() {
    let decision = Decision::flowers();
    for text in [
        "".to_owned(),
        "embodiment-critique-v1:".to_owned(),
        "forma-result-v1:".to_owned() + &"0".repeat(64),
        decision.admission.record().id().to_string(),
    ] {
        assert!(
            matches!(JudgmentId::parse(&text), Err(JudgmentError::NoName { .. })),
            "{text}"
        );
    }
    let id = draft(decision.target()).judgment().id();
    assert!(JudgmentId::parse(&id.to_string()).is_ok());
}
