//! Sealing a body, and opening the envelope it travelled in.

use identity::{Body, CanonicalError, Envelope, Kind, Limits, Rule, SealError, Sealed, decode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Note {
    words: Vec<String>,
    mean: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a note without words")]
struct Wordless;

impl Kind for Note {
    const TAG: &'static str = "note-v2";
}

impl Body for Note {
    const ID_MEMBER: &'static str = "noteId";
    const SCHEMA_VERSION: u64 = 2;
    type Invalid = Wordless;

    fn check(&self) -> Result<(), Wordless> {
        if self.words.is_empty() {
            Err(Wordless)
        } else {
            Ok(())
        }
    }
}

fn note() -> Note {
    Note {
        words: vec!["b".to_owned(), "a".to_owned()],
        mean: 1.5,
    }
}

/// SHA-256 of `{"body":{"mean":1.5,"words":["b","a"]},"tag":"note-v2"}` by another implementation.
const ID: &str = "note-v2:36f65fc52b6fa265fa472be4cf3ee6ff2585611db44d16b592ae56f491951b0f";

fn wire() -> Value {
    json!({"schemaVersion": 2, "noteId": ID, "body": {"words": ["b", "a"], "mean": 1.5}})
}

fn open(wire: &Value) -> Result<Sealed<Note>, SealError<Wordless>> {
    let bytes = serde_json::to_vec(wire).expect("a text");
    decode::<Envelope<Note>>(&bytes, &Limits::default())
        .expect("an envelope")
        .into_inner()
        .open()
}

#[test]
fn what_is_sealed_opens_again() {
    let sealed = Sealed::seal(note()).expect("a note");
    assert_eq!(sealed.id().to_string(), ID);
    assert_eq!(sealed.body(), &note());
    assert_eq!(serde_json::to_value(sealed.to_wire()).expect("a value"), wire());
    assert_eq!(open(&wire()), Ok(sealed.clone()));

    let text = sealed.to_canonical().expect("a text");
    let expected =
        format!(r#"{{"body":{{"mean":1.5,"words":["b","a"]}},"noteId":"{ID}","schemaVersion":2}}"#);
    assert_eq!(String::from_utf8_lossy(&text), expected);
    assert_eq!(
        identity::canonical::to_vec(&sealed.to_wire()).expect("a text"),
        text
    );
    let envelope = decode::<Envelope<Note>>(&text, &Limits::default())
        .expect("an envelope")
        .into_inner();
    assert_eq!(
        (envelope.claimed_id(), envelope.schema_version()),
        (sealed.id(), 2)
    );
    assert_eq!(envelope.open().map(Sealed::into_body), Ok(note()));
}

#[test]
fn an_altered_envelope_does_not_open() {
    let mut altered = wire();
    altered["body"]["mean"] = json!(1.6);
    let refused = open(&altered).expect_err("another body");
    assert!(
        matches!(&refused, SealError::IdentityMismatch { claimed, computed } if claimed == ID && computed != ID)
    );

    let mut swapped = wire();
    swapped["body"]["words"] = json!(["a", "b"]);
    assert!(matches!(open(&swapped), Err(SealError::IdentityMismatch { .. })));

    let mut newer = wire();
    newer["schemaVersion"] = json!(3);
    assert_eq!(
        open(&newer),
        Err(SealError::SchemaVersion {
            found: 3,
            expected: 2
        })
    );

    let mut wordless = wire();
    wordless["body"]["words"] = json!([]);
    assert_eq!(open(&wordless), Err(SealError::Invalid(Wordless)));
    assert!(open(&wire()).is_ok());
}

#[test]
fn what_cannot_be_hashed_is_not_sealed() {
    let holed = Note {
        mean: f64::NAN,
        ..note()
    };
    let refused = SealError::Canonical(CanonicalError::NonFinite {
        pointer: "/mean".to_owned(),
    });
    assert_eq!(Sealed::seal(holed), Err(refused));
    let wordless = Note {
        words: Vec::new(),
        ..note()
    };
    assert_eq!(Sealed::seal(wordless), Err(SealError::Invalid(Wordless)));
    assert!(Sealed::seal(note()).is_ok());
}

#[test]
fn an_envelope_is_closed() {
    let refusal = |change: fn(&mut Value)| {
        let mut wire = wire();
        change(&mut wire);
        let bytes = serde_json::to_vec(&wire).expect("a text");
        let refused = decode::<Envelope<Note>>(&bytes, &Limits::default()).expect_err("no envelope");
        (refused.pointer, refused.rule)
    };
    let shape = |(pointer, rule): (String, Rule), words: &str| {
        assert!(
            matches!(&rule, Rule::Shape(message) if message.contains(words)),
            "{rule}"
        );
        pointer
    };
    assert_eq!(
        refusal(|wire| wire["status"] = json!("ADMITTED")),
        ("/status".to_owned(), Rule::UnknownMember)
    );
    assert_eq!(
        refusal(|wire| wire["body"]["status"] = json!(1)),
        ("/body/status".to_owned(), Rule::UnknownMember)
    );
    let without = |member: &'static str| {
        let mut wire = wire();
        wire.as_object_mut().expect("an object").remove(member);
        let bytes = serde_json::to_vec(&wire).expect("a text");
        let refused = decode::<Envelope<Note>>(&bytes, &Limits::default()).expect_err("no envelope");
        assert!(refused.to_string().contains(member), "{refused}");
    };
    without("body");
    without("noteId");
    without("schemaVersion");
    let other = |wire: &mut Value| wire["noteId"] = json!(ID.replace("note-v2", "note-v1"));
    assert_eq!(shape(refusal(other), "kind `note-v2`"), "/noteId");
    assert_eq!(
        shape(refusal(|wire| wire["schemaVersion"] = json!("2")), "u64"),
        "/schemaVersion"
    );
    assert_eq!(shape(refusal(|wire| *wire = json!([2, ID, {}])), "sequence"), "");
    // Without the strict scan in front, a member given twice is refused as well.
    let twice = serde_json::to_string(&wire())
        .expect("a text")
        .replacen('{', r#"{"schemaVersion":2,"#, 1);
    let refused = serde_json::from_str::<Envelope<Note>>(&twice).expect_err("a member twice");
    assert!(
        refused.to_string().contains("duplicate field `schemaVersion`"),
        "{refused}"
    );
    assert!(serde_json::from_value::<Envelope<Note>>(wire()).is_ok());
}
