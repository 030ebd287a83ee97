//! A custody folder that is not what it should be, and what a sound one does.
//!
//! Attacked: the folder, through the program: missing, not readable, half-written, with a gap, forked, set back, with keys of
//! another type or one signer under two names, with statements that expired, were taken back, or are about something else;
//! and a package that brings its own qualification along. Owner: custody. Required: each its own answer; expiry is never
//! called tampering, absence is never called retraction, and nobody is promoted by what a file says of itself. Control: one
//! sound folder, in which a signed qualification admits what is refused elsewhere.

use std::path::Path;

use serde_json::{Value, json};

use crate::custodian::{FOLDER, asks, key, qualify, signs, told, with, with_custody};
use crate::program::{self, MAIN_JOB, nemosyne};

const STEREO: [&str; 4] = ["--recipe", "scatter_stereo", "--device", "pcvr"];

fn stereo() -> Vec<&'static str> {
    with(&MAIN_JOB, &STEREO)
}

fn statement(folder: &Path, revision: u64) -> std::path::PathBuf {
    folder.join(FOLDER).join(format!("statements/{revision:08}.json"))
}

/// A sound folder with a qualification and two dispositions.
fn sound() -> tempfile::TempDir {
    let folder = with_custody();
    signs(folder.path(), &qualify("pcvr")).done();
    let receipt = identity::Digest::of(b"some receipt").to_string();
    for verb in ["withdraw", "restore"] {
        signs(
            folder.path(),
            &[verb, "--receipt", &receipt, "--reason", "A test says so."],
        )
        .done();
    }
    folder
}

fn edit(path: &Path, edit: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_slice(&std::fs::read(path).expect("it is there")).expect("it is JSON");
    edit(&mut value);
    std::fs::write(path, value.to_string()).expect("there is room");
}

#[test]
fn a_signed_qualification_admits_in_its_custody_and_nowhere_else() {
    let folder = with_custody();
    let folder = folder.path();
    let ran = asks(folder, &stereo()).refused();
    assert!(
        ran.err.starts_with("REFUSED USE_NOT_PERMITTED / NOT_QUALIFIED\n"),
        "{}",
        ran.err
    );

    let (code, signed) = told(
        folder,
        &with(&with(&["custody"], &qualify("pcvr")), &crate::custodian::SIGNED),
    );
    assert_eq!(code, 0, "{signed}");
    let decision = signed["decision"].as_str().expect("it has a name").to_owned();
    let (code, admitted) = told(folder, &stereo());
    assert_eq!(
        (code, &admitted["permittedUse"]),
        (0, &json!("PRODUCTION")),
        "{admitted}"
    );
    nemosyne(folder, &stereo()).refused();

    let (_, here) = told(folder, &["verify", "penguins.nemosyne"]);
    assert_eq!(here["executableNow"]["holds"], true, "{here}");
    assert!(
        here["trustedBy"]["sentence"]
            .as_str()
            .is_some_and(|it| it.contains("Ada Example")),
        "{here}"
    );
    let (_, elsewhere) = program::json(folder, &["verify", "penguins.nemosyne"]);
    assert_eq!(elsewhere["intact"]["holds"], true);
    let refusal = &elsewhere["executableNow"]["refusal"];
    assert_eq!(
        refusal["code"], "USE_NOT_PERMITTED",
        "an archive's own promotion is ignored: {elsewhere}"
    );
    let text = refusal["cause"]["text"].as_str().unwrap_or_default();
    assert!(
        text.contains(&decision) && text.contains("the copy in the package counts for nothing"),
        "{text}"
    );
    assert_eq!(elsewhere["trustedBy"]["holds"], false);
    let drawn = nemosyne(folder, &["render", "penguins.nemosyne", "--out", "p.png"]).refused();
    assert!(!folder.join("p.png").exists(), "{}", drawn.err);

    signs(folder, &["withdraw", &decision, "--reason", "A test says so."]).done();
    let ran = asks(folder, &stereo()).refused();
    assert!(ran.err.starts_with("REFUSED USE_NOT_PERMITTED"), "{}", ran.err);
    assert!(ran.err.contains("was withdrawn at revision 2"), "{}", ran.err);
    let (_, after) = told(folder, &["verify", "penguins.nemosyne"]);
    assert_eq!(
        after["executableNow"]["refusal"]["reason"], "QUALIFICATION_WITHDRAWN",
        "{after}"
    );
    assert_eq!(after["replayable"]["holds"], true, "{after}");
}

/// What custody learns takes nothing from what was admitted before; nor does a package made elsewhere lose by it.
#[test]
fn a_recorded_manifest_holds_as_long_as_each_of_its_entries_does() {
    let folder = with_custody();
    let folder = folder.path();
    nemosyne(folder, &MAIN_JOB).done();
    signs(folder, &qualify("pcvr")).done();
    let (_, answer) = told(folder, &["verify", "penguins.nemosyne"]);
    assert_eq!(answer["executableNow"]["holds"], true, "{answer}");
    assert_eq!(answer["trustedBy"]["holds"], true, "{answer}");
    let about = [
        "withdraw",
        "position-order-headset@1",
        "--reason",
        "A test says so.",
    ];
    signs(folder, &about).done();
    let (_, answer) = told(folder, &["verify", "penguins.nemosyne"]);
    let text = answer["executableNow"]["refusal"]["cause"]["text"]
        .as_str()
        .unwrap_or_default();
    assert!(
        text.contains("position-order-headset@1") && text.contains("was withdrawn"),
        "{answer}"
    );
}

/// What is wrong, how it is done, and what the answer says.
type Case = (&'static str, fn(&Path), &'static str, &'static str);

const CASES: &[Case] = &[
    (
        "missing",
        |folder| std::fs::remove_dir_all(folder.join(FOLDER)).expect("it was there"),
        "UNREACHABLE",
        "there is nothing at custody",
    ),
    (
        "no custody folder",
        |folder| std::fs::remove_file(folder.join(FOLDER).join("custody.json")).expect("it was there"),
        "MALFORMED",
        "is no custody folder",
    ),
    (
        "the last statement half-written",
        |folder| {
            let path = statement(folder, 3);
            let bytes = std::fs::read(&path).expect("it is there");
            std::fs::write(&path, &bytes[..bytes.len() / 3]).expect("there is room");
        },
        "MALFORMED",
        "half-written: its JSON ends in its middle",
    ),
    (
        "a writer that did not finish",
        |folder| {
            std::fs::write(folder.join(FOLDER).join("statements/.00000004.json.x1"), "{")
                .expect("there is room");
        },
        "MALFORMED",
        "half-written: it is the temporary file",
    ),
    (
        "a gap",
        |folder| std::fs::remove_file(statement(folder, 2)).expect("it was there"),
        "INTEGRITY",
        "has a gap: revision 2 is missing",
    ),
    (
        "a fork",
        |folder| {
            let copy = folder.join(FOLDER).join("statements/00000003 (conflict).json");
            std::fs::copy(statement(folder, 3), copy).expect("there is room");
        },
        "INTEGRITY",
        "parts at revision 3",
    ),
    (
        "set back",
        |folder| std::fs::remove_file(statement(folder, 3)).expect("it was there"),
        "INTEGRITY",
        "is at revision 2, and 3 was seen before: a rollback",
    ),
    (
        "altered",
        |folder| {
            let other = std::fs::read(statement(folder, 2)).expect("it is there");
            let other: Value = serde_json::from_slice(&other).expect("it is JSON");
            edit(&statement(folder, 3), |it| {
                it["signatures"] = other["signatures"].clone()
            });
        },
        "INTEGRITY",
        "was altered after it was signed",
    ),
    (
        "a key of another type",
        |folder| {
            edit(&folder.join(FOLDER).join("keys/ada.json"), |it| {
                it["algorithm"] = json!("RSA")
            })
        },
        "UNKNOWN_SHAPE",
        "of the wrong type",
    ),
    (
        "one signer under two names",
        |folder| {
            let keys = folder.join(FOLDER).join("keys");
            std::fs::copy(keys.join("ada.json"), keys.join("eve.json")).expect("there is room");
            edit(&keys.join("eve.json"), |it| {
                it["name"] = json!("eve");
                it["owner"] = json!("Eve");
            });
        },
        "AMBIGUOUS_REFERENCE",
        "ada and eve are one signer under two names",
    ),
    (
        "a strange file",
        |folder| std::fs::write(folder.join(FOLDER).join("keys/notes.txt"), "x").expect("there is room"),
        "UNKNOWN_SHAPE",
        "does not belong there",
    ),
];

/// Each through `admit`, which is refused rather than going on without the folder that was named.
#[test]
fn what_is_wrong_with_a_folder_is_said_and_nothing_goes_on_without_it() {
    for (name, spoil, reason, says) in CASES {
        let folder = sound();
        let folder = folder.path();
        told(folder, &MAIN_JOB);
        spoil(folder);
        let (code, answer) = told(folder, &MAIN_JOB);
        assert_eq!(code, 1, "{name}: {answer}");
        let refusal = &answer["refusal"];
        assert_eq!(
            (&refusal["code"], &refusal["reason"]),
            (&json!("INVALID_INPUT"), &json!(reason)),
            "{name}: {answer}"
        );
        let text = refusal["cause"]["text"].as_str().unwrap_or_default();
        assert!(text.contains(says), "{name}: {text}");
        for word in ["RETRACTED", "retracted", "expired"] {
            assert!(!answer.to_string().contains(word), "{name}: {answer}");
        }
        assert!(
            refusal["retryCondition"].as_str().is_some_and(|it| it.len() > 10),
            "{name}: {answer}"
        );
    }
}

#[test]
fn a_sound_folder_goes_on() {
    let folder = sound();
    let (code, answer) = told(folder.path(), &MAIN_JOB);
    assert_eq!(code, 0, "{answer}");
    let (code, listed) = told(folder.path(), &["custody", "list"]);
    assert_eq!((code, &listed["revision"]), (0, &json!(3)), "{listed}");
    let words: Vec<&Value> = listed["statements"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| &it["word"])
        .collect();
    assert_eq!(words, ["STANDS"; 3]);
}

/// Unreadable for the one who runs it: nothing to try where that one may read everything.
#[test]
#[cfg(unix)]
fn a_folder_that_may_not_be_read_says_so() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = sound();
    let path = statement(folder.path(), 1);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("it is ours");
    let refused = std::fs::read(&path).is_err();
    let (code, answer) = told(folder.path(), &MAIN_JOB);
    assert_eq!(code, i32::from(refused), "{answer}");
    if refused {
        assert_eq!(answer["refusal"]["reason"], "UNREACHABLE", "{answer}");
    }
}

/// Expired, about another mapping, signed by nobody who is trusted: the folder opens, the statement does not count, and the
/// refusal says which it is.
#[test]
fn a_statement_that_does_not_count_says_why() {
    let expired = with_custody();
    let folder = expired.path();
    let past = with(&qualify("pcvr"), &["--expires", "2020-01-01"]);
    assert!(
        signs(folder, &past).refused().err.contains("before its first"),
        "nobody signs what is over"
    );

    let other = with_custody();
    signs(other.path(), &qualify("standalone")).done();
    let ran = asks(other.path(), &stereo()).refused();
    assert!(
        ran.err.contains("covers a standalone headset only"),
        "{}",
        ran.err
    );
    assert!(
        !ran.err.contains("withdrawn") && !ran.err.contains("altered"),
        "{}",
        ran.err
    );

    let distrusted = with_custody();
    let folder = distrusted.path();
    key(folder, "ben", "Ben");
    signs(folder, &qualify("pcvr")).done();
    let (code, _) = told(folder, &stereo());
    assert_eq!(code, 0, "the control");
    std::fs::remove_file(folder.join(FOLDER).join("keys/ada.json")).expect("it was there");
    let (_, listed) = told(folder, &["custody", "list"]);
    assert_eq!(listed["statements"][0]["word"], "NOT_COUNTED", "{listed}");
    let ran = asks(folder, &stereo()).refused();
    assert!(
        ran.err.starts_with("REFUSED USE_NOT_PERMITTED / NOT_QUALIFIED\n"),
        "{}",
        ran.err
    );
}

/// The rule that a refusal names is found where it points.
#[test]
fn a_reader_can_follow_a_refusal_to_its_rule() {
    let folder = with_custody();
    let folder = folder.path();
    let ran = asks(folder, &stereo()).refused();
    let rule = ran
        .err
        .lines()
        .find_map(|line| line.trim().strip_prefix("rule "))
        .expect("it names a rule")
        .trim();
    let shown = asks(folder, &["custody", "show", rule]).done();
    assert!(
        shown
            .out
            .contains("Only inside a study whose owner authorized exactly this treatment"),
        "{}",
        shown.out
    );
    for (reference, says) in [
        (
            "nemosyne:policy/obligations@1",
            "Of two rows, the one with the greater value is seen to have it.",
        ),
        ("nemosyne:policy/freshness@1", "stale, not retracted"),
        ("depth-monitor@1", "population"),
        ("forma-row-projection/v1", "requirement profile"),
        ("ada", "Ada Example"),
    ] {
        let shown = asks(folder, &["custody", "show", reference]).done();
        assert!(shown.out.contains(says), "{reference}: {}", shown.out);
    }
    let missing = asks(folder, &["custody", "show", "nobody@9"]).refused();
    assert!(
        missing.err.contains("holds nothing that is named nobody@9"),
        "{}",
        missing.err
    );
}

#[test]
fn a_private_key_stays_private() {
    let folder = with_custody();
    let path = folder.path().join(FOLDER).join("private/ada.pem");
    let text = std::fs::read_to_string(&path).expect("it is there");
    assert!(text.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----"));
    std::fs::write(folder.path().join("passphrase"), "wrong\n").expect("there is room");
    let ran = signs(folder.path(), &qualify("pcvr")).refused();
    assert!(
        ran.err
            .contains("the passphrase does not open the private key ada"),
        "{}",
        ran.err
    );
    std::fs::write(folder.path().join("passphrase"), "correct horse\n").expect("there is room");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).expect("it is ours");
        let ran = signs(folder.path(), &qualify("pcvr")).refused();
        assert!(ran.err.contains("may be read by others"), "{}", ran.err);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
    }
    signs(folder.path(), &qualify("pcvr")).done();
}
