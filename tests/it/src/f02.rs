//! F02: evidence substitution and retraction.
//!
//! **Attack**: a package goes on being shown after one of its receipts was retracted, because its bytes are still whole
//! and its identities still fit; or a receipt keeps its name and gets another content, with every digest of the package made
//! true again. A weaker word is tried in place of the stronger one, and a signer who may not speak of evidence speaks.
//!
//! **Owner**: the evidence owner says what a receipt is and the custody folder's disposition feed says whether it stands;
//! the admission door, adoption and the package reader ask them and decide nothing of it.
//!
//! **Required**: once the folder's key has signed the retraction, `verify` says that the package is not executable now,
//! `render` and `admit` refuse, all with EVIDENCE_UNAVAILABLE / RETRACTED, and nothing is drawn. The history stays: the
//! package is intact, complete, replays exactly and is explained. Withdrawn and superseded are words of their own. A receipt
//! of the same name with another content is found by its digest before anyone asks whether it stands.
//!
//! **Control**: the same package before the retraction, in a custody that never heard of it, and after a withdrawal that
//! was undone, is executable; a retraction of another receipt touches nothing.

use serde_json::{Value, json};

use crate::custodian::{asks, signs, told, with, with_custody};
use crate::forge::{Forge, RECEIPTS};
use crate::program::{self, MAIN_JOB, nemosyne, package, put};

const PACKAGE: &str = "penguins.nemosyne";

/// The name of the first receipt that the recorded result rests on.
fn receipt() -> String {
    let source = std::io::Cursor::new(package().to_vec());
    let opened = package::open_source(source, &package::Limits::DEFAULT).expect("it opens");
    let uses = &opened.record().body().evidence_dispositions;
    uses[0].evidence_use.receipt_id.clone()
}

/// A folder with custody and the package; the receipt's name.
fn scene() -> (tempfile::TempDir, String) {
    let folder = with_custody();
    put(folder.path(), PACKAGE, package());
    (folder, receipt())
}

fn dispose(folder: &std::path::Path, verb: &str, receipt: &str, more: &[&str]) {
    let about = [
        verb,
        "--receipt",
        receipt,
        "--package",
        PACKAGE,
        "--reason",
        "A test says so.",
    ];
    signs(folder, &with(&about, more)).done();
}

fn executable(folder: &std::path::Path) -> (Value, Value) {
    let (code, answer) = told(folder, &["verify", PACKAGE]);
    assert_eq!(code, 0, "what is intact and complete is no failure: {answer}");
    for fact in ["intact", "complete", "replayable"] {
        assert_eq!(answer[fact]["holds"], true, "{fact}: {answer}");
    }
    let found = &answer["executableNow"];
    (found["holds"].clone(), found["refusal"]["reason"].clone())
}

#[test]
fn a_retracted_receipt_takes_what_rests_on_it_out_of_use_and_leaves_its_history() {
    let (folder, receipt) = scene();
    let folder = folder.path();
    assert_eq!(executable(folder).0, true, "the control");
    dispose(folder, "retract", &receipt, &[]);

    assert_eq!(executable(folder), (json!(false), json!("RETRACTED")));
    let ran = asks(folder, &["render", PACKAGE, "--out", "p.png"]).refused();
    assert!(
        ran.err.starts_with("REFUSED EVIDENCE_UNAVAILABLE / RETRACTED\n"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains(&receipt) && !folder.join("p.png").exists(),
        "{}",
        ran.err
    );
    let mut again = MAIN_JOB.to_vec();
    again[11] = "again.nemosyne";
    let ran = asks(folder, &again).refused();
    assert!(
        ran.err.starts_with("REFUSED EVIDENCE_UNAVAILABLE / RETRACTED\n"),
        "{}",
        ran.err
    );
    assert!(!folder.join("again.nemosyne").exists());

    let (code, replayed) = told(folder, &["replay", PACKAGE]);
    assert_eq!(
        (code, &replayed["outcome"]),
        (0, &json!("EXACT_HISTORICAL")),
        "{replayed}"
    );
    asks(folder, &["explain", PACKAGE, "--row", "row:17"]).done();

    let (_, elsewhere) = program::json(folder, &["verify", PACKAGE]);
    assert_eq!(
        elsewhere["executableNow"]["holds"], true,
        "another custody never heard of it"
    );
    let undone = signs(
        folder,
        &[
            "restore",
            "--receipt",
            &receipt,
            "--package",
            PACKAGE,
            "--reason",
            "Never mind.",
        ],
    );
    assert!(undone.refused().err.contains("a retraction is final"));
}

#[test]
fn each_word_of_the_feed_is_an_answer_of_its_own() {
    let (folder, receipt) = scene();
    let folder = folder.path();
    dispose(folder, "supersede", &receipt, &["--by", "a newer receipt"]);
    assert_eq!(executable(folder), (json!(false), json!("SUPERSEDED")));
    dispose(folder, "withdraw", &receipt, &[]);
    assert_eq!(executable(folder), (json!(false), json!("WITHDRAWN")));
    dispose(folder, "restore", &receipt, &[]);
    assert_eq!(executable(folder).0, true, "what was withdrawn may be restored");
    let other = identity::Digest::of(b"another receipt").to_string();
    signs(
        folder,
        &["retract", "--receipt", &other, "--reason", "A test says so."],
    )
    .done();
    assert_eq!(executable(folder).0, true, "a retraction touches what it names");
}

/// The same name, another content: found in the package, before any feed is asked.
#[test]
fn a_receipt_with_another_content_is_another_receipt() {
    let (folder, _) = scene();
    let honest = Forge::of(package());
    let folder = folder.path();
    put(folder, PACKAGE, &honest.stamped());
    assert_eq!(
        executable(folder).0,
        true,
        "the control: an honest package, stamped again"
    );
    let mut forged = honest.clone();
    forged.edit(RECEIPTS, |envelope| {
        let text = envelope.to_string();
        let receipt = &mut envelope["bundle"]["receipts"][0];
        assert!(receipt.is_object(), "{text}");
        receipt["estimand"] = json!("What the forger would like it to be.");
    });
    put(folder, PACKAGE, &forged.stamped());
    let (code, answer) = told(folder, &["verify", PACKAGE]);
    assert_eq!(code, 1, "{answer}");
    let whole = [&answer["intact"]["holds"], &answer["complete"]["holds"]];
    assert!(whole.contains(&&json!(false)), "{answer}");
    assert_eq!(answer["executableNow"]["holds"], false, "{answer}");
    nemosyne(folder, &["render", PACKAGE, "--out", "p.png"]).refused();
    assert!(!folder.join("p.png").exists());
}

#[test]
fn nobody_speaks_of_evidence_without_the_role() {
    let (folder, receipt) = scene();
    let folder = folder.path();
    let new = [
        "custody", "keys", "new", "ben", "--owner", "Ben", "--role", "QUALIFY",
    ];
    asks(folder, &with(&new, &["--passphrase-file", "passphrase"])).done();
    let retract = [
        "custody",
        "retract",
        "--receipt",
        &receipt,
        "--package",
        PACKAGE,
        "--reason",
        "I say so.",
    ];
    let by = |key| with(&retract, &["--key", key, "--passphrase-file", "passphrase"]);
    let ran = asks(folder, &by("ben")).refused();
    assert!(ran.err.contains("the role DISPOSE"), "{}", ran.err);
    assert_eq!(executable(folder).0, true);
    asks(folder, &by("ada")).done();
    assert_eq!(executable(folder).1, "RETRACTED");
}
