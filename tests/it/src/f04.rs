//! F04 · A study leaks into production.
//!
//! **Attack.** A picture that nobody is known to read was executed in a study, and it worked. Now somebody shows it as a
//! claim: asks for it in production; hands the study's authorization to production; edits the use in the archive and makes
//! every digest true again; adapts the recorded result; or stretches the authorization to another picture, device or scope,
//! past its last day, past its end, without an acceptance, or with an acceptance by the hand that authorized it. Or the study
//! itself is offered as the evidence that qualifies its own mapping.
//!
//! **Owner.** The study owner (custody, by the rules of `study`), Forma for permitted use, the package reader for the
//! archive, the qualification owner for promotion. Decision, section 7 and F04.
//!
//! **Required.** `USE_NOT_PERMITTED`, each time with the reason that fits: `NOT_QUALIFIED`, `STUDY_ONLY`,
//! `NO_STUDY_AUTHORIZATION`, `WRONG_AUTHORIZATION`, `AUTHORIZATION_EXPIRED`; for the edited archive `INVALID_INPUT`. Nothing is
//! written and nothing is drawn. A qualification that is signed later gives a new result under an identity of its own; the
//! study's package stays what it was.
//!
//! **Control.** The same frozen study, accepted by one hand and authorized by another, is admitted through the same command,
//! for study use alone; its package is intact, replays, and executes where its custody is and nowhere else.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::forge::{FORMA, Forge, identity};
use crate::program::{self, QUESTION, Ran, nemosyne, with_penguins};
use crate::use_permitted::drop_documents;

const STEREO: &str = "position_x:FREE_VOLUME:ORDER";
const REFERENCE: &str = "depth-1";

/// A laboratory: the penguins, a custody folder with the keys of two hands, a protocol.
struct Lab {
    folder: TempDir,
}

/// What an authorization says, besides what it is for.
struct Terms<'a> {
    reference: &'a str,
    from: &'a str,
    until: &'a str,
    devices: &'a [&'a str],
    key: &'a str,
    edit: Option<fn(&mut Value)>,
}

const SOUND: Terms<'static> = Terms {
    reference: REFERENCE,
    from: "2020-02-01",
    until: "2999-12-31",
    devices: &[],
    key: "lab",
    edit: None,
};

impl Lab {
    fn new() -> Self {
        let lab = Self {
            folder: with_penguins(),
        };
        lab.put("pass", b"correct horse battery staple\n");
        lab.done(&["custody", "init", "--custody", "custody"]);
        for (name, owner, roles) in [
            ("board", "The review board", &["ACCEPT_PROTOCOL"][..]),
            (
                "lab",
                "The laboratory",
                &["ACCEPT_PROTOCOL", "AUTHORIZE_STUDY", "DISPOSE"],
            ),
            ("panel", "The reading panel", &["QUALIFY"]),
        ] {
            let mut arguments = vec!["custody", "keys", "new", name, "--owner", owner];
            for role in roles {
                arguments.extend(["--role", role]);
            }
            arguments.extend(["--passphrase-file", "pass", "--custody", "custody"]);
            lab.done(&arguments);
        }
        let protocol = lab.done(&["study", "template"]);
        lab.put("protocol.json", protocol.as_bytes());
        lab
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path().join(name), bytes).expect("there is room");
    }

    fn read(&self, name: &str) -> Value {
        let bytes = std::fs::read(self.path().join(name)).expect("it was written");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn done(&self, arguments: &[&str]) -> String {
        nemosyne(self.path(), arguments).done().out
    }

    fn json(&self, arguments: &[&str]) -> (i32, Value) {
        program::json(self.path(), arguments)
    }

    /// Proposes the picture and freezes it for a headset.
    fn freeze(&self) {
        let mut arguments = vec!["study", "treatment"];
        arguments.extend(asked());
        arguments.extend(["--out", "graph.json"]);
        let (code, answer) = self.json(&arguments);
        assert_eq!(code, 0, "{answer}");
        let on_headset = &answer["controls"][1];
        assert_eq!(on_headset["device"], "PcvrHeadset");
        let controls: Vec<&str> = on_headset["controls"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(controls.first(), Some(&STEREO), "{answer}");
        let mut arguments = vec!["study", "freeze", "--protocol", "protocol.json"];
        arguments.extend(["--treatment", "stereo=graph.json", "--withhold", "ORDER"]);
        for control in &controls {
            arguments.extend(["--control", control]);
        }
        arguments.extend(["--device", "pcvr", "--max-seconds", "600", "--max-exposures", "4"]);
        arguments.extend(["--out", "freeze.json"]);
        self.done(&arguments);
    }

    fn sign(&self, file: &str, kind: &str, key: &str) {
        let mut arguments = vec!["custody", "add", file, "--kind", kind, "--key", key];
        arguments.extend(["--passphrase-file", "pass", "--custody", "custody"]);
        self.done(&arguments);
    }

    fn accept(&self, key: &str) {
        let mut arguments = vec!["study", "accept", "--protocol", "protocol.json"];
        arguments.extend(["--freeze", "freeze.json", "--by", "The review board"]);
        arguments.extend(["--ethics", "Vote 7 of 2020", "--on", "2020-01-15"]);
        arguments.extend(["--out", "acceptance.json"]);
        self.done(&arguments);
        self.sign("acceptance.json", "PROTOCOL_ACCEPTANCE", key);
    }

    fn authorize(&self, terms: &Terms<'_>) {
        let mut arguments = vec!["study", "authorize", "--freeze", "freeze.json"];
        arguments.extend([
            "--reference",
            terms.reference,
            "--by",
            "The head of the laboratory",
        ]);
        arguments.extend(["--from", terms.from, "--until", terms.until]);
        for device in terms.devices {
            arguments.extend(["--device", device]);
        }
        arguments.extend(["--out", "authorization.json"]);
        self.done(&arguments);
        if let Some(edit) = terms.edit {
            let mut body = self.read("authorization.json");
            edit(&mut body);
            self.put("authorization.json", body.to_string().as_bytes());
        }
        self.sign("authorization.json", "STUDY_AUTHORIZATION", terms.key);
    }

    /// A later statement takes the authorization back; it stands at revision 2.
    fn end(&self) {
        let mut arguments = vec!["custody", "withdraw", "2", "--reason", "The study is over."];
        arguments.extend([
            "--key",
            "lab",
            "--passphrase-file",
            "pass",
            "--custody",
            "custody",
        ]);
        self.done(&arguments);
    }

    /// The reading panel qualifies order in a free volume on a headset.
    fn qualify(&self, evidence: &[&str]) -> Ran {
        let mut arguments = vec![
            "custody",
            "qualify",
            "--claim",
            "ORDER",
            "--task",
            "COMPARE_RELATIVE",
        ];
        for channel in [
            "position_x:FREE_VOLUME",
            "position_y:FREE_VOLUME",
            "position_z:FREE_VOLUME",
        ] {
            arguments.extend(["--mapping", channel]);
        }
        arguments.extend(["--device", "pcvr", "--population", "The adults of report 7."]);
        for one in evidence {
            arguments.extend(["--evidence", one]);
        }
        arguments.extend(["--limits", "It never took place.", "--key", "panel"]);
        arguments.extend(["--passphrase-file", "pass", "--custody", "custody"]);
        nemosyne(self.path(), &arguments)
    }

    /// A running study.
    fn running() -> Self {
        let lab = Self::new();
        lab.freeze();
        lab.accept("board");
        lab.authorize(&SOUND);
        lab
    }

    fn admit(&self, more: &[&str]) -> (i32, Value) {
        let mut arguments = vec!["admit"];
        arguments.extend(asked());
        arguments.extend(["--custody", "custody"]);
        arguments.extend(more);
        self.json(&arguments)
    }

    fn admit_study(&self, reference: &str, out: &str) -> (i32, Value) {
        self.admit(&[
            "--device",
            "pcvr",
            "--use",
            "study",
            "--authorization",
            reference,
            "--out",
            out,
        ])
    }

    /// The study as it is admitted, in `study.nemosyne`.
    fn executed(&self) -> Value {
        let (code, answer) = self.admit_study(REFERENCE, "study.nemosyne");
        assert_eq!(code, 0, "{answer}");
        assert_eq!(answer["permittedUse"], "STUDY_ONLY", "{answer}");
        answer
    }
}

/// The picture, as `admit` and `study treatment` take it.
fn asked() -> Vec<&'static str> {
    vec![
        "penguins.csv",
        "--question",
        QUESTION,
        "--foreground",
        "flipper_length_mm,body_mass_g,bill_length_mm",
        "--purpose",
        "claim-bearing",
        "--recipe",
        "scatter_stereo",
    ]
}

fn not_permitted(ran: &(i32, Value), reason: &str, says: &str) {
    let (code, answer) = ran;
    let refusal = &answer["refusal"];
    assert_eq!(*code, 1, "{answer}");
    assert_eq!(refusal["code"], "USE_NOT_PERMITTED", "{answer}");
    assert_eq!(refusal["reason"], reason, "{answer}");
    let text = refusal["cause"]["text"].as_str().unwrap_or_default();
    assert!(text.contains(says), "{says}: {text}");
}

#[test]
fn a_frozen_study_that_two_hands_signed_is_executed_as_a_study() {
    let lab = Lab::new();
    not_permitted(
        &lab.admit(&["--device", "pcvr", "--out", "claim.nemosyne"]),
        "NOT_QUALIFIED",
        "nobody has shown",
    );
    lab.freeze();
    not_permitted(
        &lab.admit_study(REFERENCE, "study.nemosyne"),
        "NO_STUDY_AUTHORIZATION",
        "knows no authorization",
    );
    lab.accept("board");
    lab.authorize(&SOUND);
    assert!(!lab.path().join("claim.nemosyne").exists());
    lab.executed();

    let (code, answer) = lab.json(&["verify", "study.nemosyne", "--custody", "custody"]);
    assert_eq!(code, 0, "{answer}");
    for fact in ["intact", "complete", "replayable", "executableNow"] {
        assert_eq!(answer[fact]["holds"], true, "{fact}: {answer}");
    }
    let (code, answer) = lab.json(&["study", "show", "study.nemosyne"]);
    assert_eq!((code, &answer["reference"]), (0, &json!(REFERENCE)), "{answer}");

    // Where nobody holds the authorization it is history, and nothing draws it.
    let (_, answer) = lab.json(&["verify", "study.nemosyne"]);
    assert_eq!(answer["intact"]["holds"], true, "{answer}");
    assert_eq!(answer["executableNow"]["holds"], false, "{answer}");
    assert_eq!(
        answer["executableNow"]["refusal"]["reason"], "NO_STUDY_AUTHORIZATION",
        "{answer}"
    );
    nemosyne(lab.path(), &["render", "study.nemosyne", "--out", "study.png"]).refused();
    assert!(!lab.path().join("study.png").exists());
}

#[test]
fn a_study_is_no_way_into_production() {
    let lab = Lab::running();
    lab.executed();
    not_permitted(
        &lab.admit(&["--device", "pcvr", "--out", "claim.nemosyne"]),
        "STUDY_ONLY",
        "frozen treatment of the study of depth-1",
    );
    not_permitted(
        &lab.admit(&[
            "--device",
            "pcvr",
            "--authorization",
            REFERENCE,
            "--out",
            "claim.nemosyne",
        ]),
        "STUDY_ONLY",
        "permits study use",
    );
    for device in ["desktop", "pcvr", "standalone"] {
        not_permitted(
            &lab.json(&[
                "replay",
                "study.nemosyne",
                "--adapt",
                device,
                "--custody",
                "custody",
            ]),
            "STUDY_ONLY",
            "not adapted",
        );
    }
    assert!(!lab.path().join("claim.nemosyne").exists());
}

/// The forger says PRODUCTION wherever the archive says STUDY_ONLY, takes the study's documents out, and stamps every digest.
#[test]
fn an_archive_that_was_edited_into_production_does_not_open() {
    let lab = Lab::running();
    lab.executed();
    let bytes = std::fs::read(lab.path().join("study.nemosyne")).expect("it was written");
    let honest = Forge::of(&bytes);
    lab.put("again.nemosyne", &honest.stamped());
    let (code, answer) = lab.json(&["verify", "again.nemosyne", "--custody", "custody"]);
    assert_eq!(
        (code, &answer["executableNow"]["holds"]),
        (0, &json!(true)),
        "the control: {answer}"
    );

    type Edit = fn(&mut Value);
    let use_alone: Edit = |result| result["permittedUse"] = json!("PRODUCTION");
    let whole: Edit = |result| {
        result["permittedUse"] = json!("PRODUCTION");
        result["inputCommitments"]["requestedUse"] = json!("PRODUCTION");
        let members = result.as_object_mut().expect("an object");
        members.insert("authorizationReference".to_owned(), Value::Null);
        members.remove("study");
    };
    let renamed: Edit = |result| result["authorizationReference"] = json!("depth-2");
    for (name, edit) in [
        ("the use alone", use_alone),
        ("the use and all that names it", whole),
        ("the reference", renamed),
    ] {
        let mut forged = honest.clone();
        if name == "the use and all that names it" {
            drop_documents(&mut forged);
        }
        forged.forge_result(edit);
        lab.put("forged.nemosyne", &forged.stamped());
        let (code, answer) = lab.json(&["verify", "forged.nemosyne", "--custody", "custody"]);
        let opens = [&answer["intact"]["holds"], &answer["complete"]["holds"]] == [true, true];
        assert_eq!((code, opens), (1, false), "{name}: {answer}");
        assert_eq!(answer["executableNow"]["holds"], false, "{name}: {answer}");
        let ran = nemosyne(
            lab.path(),
            &[
                "render",
                "forged.nemosyne",
                "--out",
                "forged.png",
                "--custody",
                "custody",
            ],
        )
        .refused();
        assert!(ran.err.contains("INVALID_INPUT"), "{name}: {}", ran.err);
        assert!(!lab.path().join("forged.png").exists());
    }
}

#[test]
fn an_authorization_is_for_its_picture_device_and_name() {
    let lab = Lab::running();
    lab.executed();
    let mut other = vec!["admit"];
    other.extend(asked());
    other[5] = "body_mass_g,flipper_length_mm,bill_length_mm";
    assert_eq!(other[4], "--foreground");
    other.extend([
        "--device",
        "pcvr",
        "--use",
        "study",
        "--authorization",
        REFERENCE,
        "--custody",
        "custody",
    ]);
    not_permitted(&lab.json(&other), "WRONG_AUTHORIZATION", "names other treatments");
    not_permitted(
        &lab.admit(&[
            "--device",
            "standalone",
            "--use",
            "study",
            "--authorization",
            REFERENCE,
        ]),
        "WRONG_AUTHORIZATION",
        "is not for StandaloneHeadset",
    );
    not_permitted(
        &lab.admit(&["--device", "pcvr", "--use", "study", "--authorization", "depth-9"]),
        "NO_STUDY_AUTHORIZATION",
        "knows no authorization depth-9",
    );
    not_permitted(
        &lab.admit(&["--device", "pcvr", "--use", "study"]),
        "NO_STUDY_AUTHORIZATION",
        "without an authorization",
    );
}

#[test]
fn an_authorization_has_days_and_an_end() {
    let lab = Lab::new();
    lab.freeze();
    lab.accept("board");
    let terms = |reference, from, until| Terms {
        reference,
        from,
        until,
        ..SOUND
    };
    lab.authorize(&SOUND);
    lab.authorize(&terms("over", "2020-02-01", "2020-12-31"));
    lab.authorize(&terms("early", "2998-01-01", "2999-12-31"));
    lab.executed();
    not_permitted(
        &lab.admit_study("over", "x.nemosyne"),
        "AUTHORIZATION_EXPIRED",
        "its last day was 2020-12-31",
    );
    not_permitted(
        &lab.admit_study("early", "x.nemosyne"),
        "WRONG_AUTHORIZATION",
        "its first day is 2998-01-01",
    );
    lab.end();
    not_permitted(
        &lab.admit_study(REFERENCE, "x.nemosyne"),
        "WRONG_AUTHORIZATION",
        "was ended",
    );
    let (_, answer) = lab.json(&["verify", "study.nemosyne", "--custody", "custody"]);
    assert_eq!(
        answer["intact"]["holds"], true,
        "what was executed can be read: {answer}"
    );
    assert_eq!(
        answer["executableNow"]["refusal"]["reason"], "WRONG_AUTHORIZATION",
        "{answer}"
    );
    assert!(!lab.path().join("x.nemosyne").exists());
}

#[test]
fn a_study_does_not_say_yes_to_itself() {
    let lab = Lab::new();
    lab.freeze();
    lab.authorize(&SOUND);
    not_permitted(
        &lab.admit_study(REFERENCE, "x.nemosyne"),
        "WRONG_AUTHORIZATION",
        "nobody in this folder accepted",
    );
    lab.accept("lab");
    not_permitted(
        &lab.admit_study(REFERENCE, "x.nemosyne"),
        "WRONG_AUTHORIZATION",
        "does not say yes to itself",
    );
    lab.accept("board");
    lab.executed();
}

#[test]
fn an_authorization_allows_no_more_than_was_accepted() {
    let lab = Lab::new();
    lab.freeze();
    lab.accept("board");
    lab.authorize(&SOUND);
    lab.authorize(&Terms {
        reference: "wider",
        devices: &["pcvr", "standalone"],
        ..SOUND
    });
    lab.authorize(&Terms {
        reference: "elsewhere",
        edit: Some(|body| body["scope"]["id"] = json!("nemosyne:policy/scope-color-vision")),
        ..SOUND
    });
    lab.executed();
    not_permitted(
        &lab.admit_study("wider", "x.nemosyne"),
        "WRONG_AUTHORIZATION",
        "StandaloneHeadset was not frozen",
    );
    not_permitted(
        &lab.admit_study("elsewhere", "x.nemosyne"),
        "WRONG_AUTHORIZATION",
        "it is for scope",
    );

    // Frozen, accepted and authorized for another scope than the question was committed under.
    let mut freeze = lab.read("freeze.json");
    freeze["body"]["scope"]["id"] = json!("nemosyne:policy/scope-color-vision");
    freeze["freezeId"] = json!(identity("study-freeze-v2", &freeze["body"]));
    lab.put("freeze.json", freeze.to_string().as_bytes());
    lab.accept("board");
    lab.authorize(&Terms {
        reference: "other-scope",
        ..SOUND
    });
    not_permitted(
        &lab.admit_study("other-scope", "x.nemosyne"),
        "WRONG_AUTHORIZATION",
        "is for the scope",
    );
}

/// The study's success qualifies nothing. A decision that cites evidence does, and gives another result.
#[test]
fn a_later_qualification_gives_a_new_result_and_leaves_the_study_one() {
    let lab = Lab::running();
    let studied = lab.executed();
    let result = studied["resultId"].as_str().expect("an identity").to_owned();
    let own_work = lab.qualify(&[&result]);
    assert_ne!(own_work.code, 0, "{own_work:?}");
    assert!(own_work.err.contains("evidence about people"), "{}", own_work.err);
    not_permitted(
        &lab.admit(&["--device", "pcvr", "--out", "claim.nemosyne"]),
        "STUDY_ONLY",
        "frozen treatment",
    );
    lab.qualify(&["Report 7 of the reading panel", &result]).done();
    let (code, answer) = lab.admit(&["--device", "pcvr", "--out", "claim.nemosyne"]);
    assert_eq!(
        (code, &answer["permittedUse"]),
        (0, &json!("PRODUCTION")),
        "{answer}"
    );
    assert_ne!(answer["resultId"], studied["resultId"]);
    assert_eq!(answer["graphId"], studied["graphId"], "the same picture");
    let (code, answer) = lab.json(&["verify", "claim.nemosyne", "--custody", "custody"]);
    assert_eq!(code, 0, "{answer}");
    assert_eq!(answer["replayable"]["holds"], true, "{answer}");

    let stored =
        Forge::of(&std::fs::read(lab.path().join("study.nemosyne")).expect("it is there")).json(FORMA);
    assert_eq!(stored["results"][0]["body"]["permittedUse"], "STUDY_ONLY");
    let (_, answer) = lab.json(&["verify", "study.nemosyne", "--custody", "custody"]);
    assert_eq!(answer["replayable"]["holds"], true, "{answer}");
    let said = answer["executableNow"].to_string();
    assert!(!said.contains("Production"), "{said}");
}
