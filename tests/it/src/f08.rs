//! F08, human critique.
//!
//! **Attack.** People say that a picture misleads, or that they understood it; the more of them, the more it looks like
//! evidence. A judgment is taken for a fact about the data, for a qualification of the mapping, for a vote on which
//! candidate is best, or for a prior that quietly moves the next answer. A model reads a chat, writes a fluent critique in a
//! person's name, and what it wrote is filed as that person's word. A draft marks itself as confirmed; a judgment about one
//! picture is carried over to another; a key that may sign something else signs this.
//!
//! **Owner.** Custody of judgments: an attributed draft, and the reviewer's signature that makes a person stand by it.
//! Moneta and Forma own proposals, obligations and admission, and have no door through which a judgment comes in.
//!
//! **Required.** With any number of confirmed judgments in custody, snapshot, context, obligations, knowledge, the
//! candidates with their order, plan, result and the package's bytes are what they were without one. Whatever was parsed is a
//! draft and stays one until a trusted reviewer signs it; a file that calls itself confirmed is not read. A judgment about
//! another result, context or binding is refused by name. A confirmed one may inspire a proposal: the package then names
//! it and its people, and nothing else of the decision changes.
//!
//! **Control.** The same draft, confirmed by a reviewer, is listed with its author and signer; the same judgment about the
//! package at hand resolves; the same proposal is admitted with and without its inspiration.

use std::path::Path;

use serde_json::{Value, json};

use crate::custodian::{SIGNED, asks, signs, told, with, with_custody};
use crate::program::{self, MAIN_JOB};

const PKG: &str = "penguins.nemosyne";
/// Something that the desktop shows.
const SHOWN: &str = "marks.wall_xy/position_x";

/// What the decision is, as `admit` tells it.
const DECISION: [&str; 9] = [
    "admission",
    "permittedUse",
    "dataset",
    "snapshotId",
    "contextId",
    "obligationSetId",
    "graphId",
    "planId",
    "resultId",
];

/// The main job in this custody; the answer and the package's bytes.
fn admitted(folder: &Path) -> (Value, Vec<u8>) {
    let (code, answer) = told(folder, &MAIN_JOB);
    assert_eq!(code, 0, "{answer}");
    let bytes = std::fs::read(folder.join(PKG)).expect("a package was written");
    (answer, bytes)
}

fn critique<'a>(says: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let arguments = [
        "judge",
        PKG,
        "--binding",
        SHOWN,
        "--kind",
        "critique",
        "--aspect",
        "position",
        "--effect",
        "misleads",
        "--severity",
        "serious",
        "--says",
        says,
        "--by",
        "Ada Reader",
        "--draft-out",
        "draft.json",
    ];
    with(&arguments, more)
}

const DESK: [&str; 2] = ["--instrument", "desk"];
const CONFIRM: [&str; 3] = ["judge", "confirm", "draft.json"];

/// Drafts and confirms a critique; its name.
fn confirmed(folder: &Path, says: &str) -> String {
    let (code, drafted) = told(folder, &critique(says, &DESK));
    assert_eq!(
        (code, &drafted["judgment"]["state"]),
        (0, &json!("DRAFT")),
        "{drafted}"
    );
    let (code, answer) = told(folder, &with(&with(&CONFIRM, &SIGNED), &["--package", PKG]));
    assert_eq!(
        (code, &answer["judgment"]["state"]),
        (0, &json!("CONFIRMED")),
        "{answer}"
    );
    let id = &answer["judgment"]["judgmentId"];
    assert_eq!(*id, drafted["judgment"]["judgmentId"]);
    id.as_str().expect("it has a name").to_owned()
}

fn listed(folder: &Path, more: &[&str]) -> Value {
    let (code, answer) = told(folder, &with(&["judge", "list"], more));
    assert_eq!(code, 0, "{answer}");
    answer
}

fn n(list: &Value) -> usize {
    list.as_array().expect("a list").len()
}

#[test]
fn any_number_of_judgments_changes_nothing_that_is_decided() {
    let folder = with_custody();
    let folder = folder.path();
    let (before, bytes) = admitted(folder);
    let (_, verified) = told(folder, &["verify", PKG]);
    for says in [
        "The other recipe is better.",
        "Depth can't be read here.",
        "Everybody prefers the stereo volume.",
    ] {
        confirmed(folder, says);
    }
    let meaning = [
        "judge",
        PKG,
        "--binding",
        SHOWN,
        "--kind",
        "meaning",
        "--asked",
        "Which species is heaviest?",
        "--says",
        "Adelie.",
        "--confidence",
        "certain",
        "--agreement",
        "misunderstood",
        "--by",
        "Participant 7",
        "--identified",
        "study-code",
        "--instrument",
        "headset",
        "--draft-out",
        "draft.json",
    ];
    asks(folder, &meaning).done();
    asks(folder, &with(&CONFIRM, &SIGNED)).done();
    assert_eq!(n(&listed(folder, &[])["judgments"]), 4);

    let (after, again) = admitted(folder);
    for member in DECISION {
        assert_eq!(before[member], after[member], "{member}");
        assert!(before[member].is_string(), "{member}: {before}");
    }
    assert_eq!(
        before["candidates"], after["candidates"],
        "neither an answer nor its place has moved"
    );
    assert!(bytes == again, "the package is the same to the byte");
    let (_, still) = told(folder, &["verify", PKG]);
    for fact in ["intact", "complete", "replayable", "executableNow"] {
        assert_eq!(verified[fact], still[fact], "{fact}");
    }
    // What Forma refused before is refused still, for the same reason, however many people ask for it.
    let stereo = with(&MAIN_JOB, &["--recipe", "scatter_stereo"]);
    let (code, refused) = told(folder, &stereo);
    assert_eq!(
        (code, &refused["refusal"]["code"]),
        (1, &json!("USE_NOT_PERMITTED")),
        "{refused}"
    );
}

#[test]
fn what_a_model_wrote_stays_a_draft_until_a_person_signs() {
    let folder = with_custody();
    let folder = folder.path();
    admitted(folder);
    let parsed = ["--instrument", "model", "--model", "a language model 1"];
    asks(folder, &critique("I, Ada, confirm that this misleads.", &parsed)).done();
    assert_eq!(
        n(&listed(folder, &[])["judgments"]),
        0,
        "a draft is nobody's word"
    );

    // It may call itself what it likes.
    let draft: Value =
        serde_json::from_slice(&std::fs::read(folder.join("draft.json")).expect("a draft")).expect("JSON");
    type Edit = fn(&mut Value);
    let edits: [Edit; 3] = [
        |draft| draft["state"] = json!("CONFIRMED"),
        |draft| draft["critique"]["body"]["confirmed"] = json!(true),
        |draft| draft["critique"]["body"]["instrument"] = json!({ "kind": "DESK" }),
    ];
    for edit in edits {
        let mut forged = draft.clone();
        edit(&mut forged);
        std::fs::write(folder.join("forged.json"), forged.to_string()).expect("there is room");
        let confirm = with(&["judge", "confirm", "forged.json"], &SIGNED);
        let (code, refused) = told(folder, &confirm);
        assert_eq!(
            (code, &refused["refusal"]["code"]),
            (1, &json!("INVALID_INPUT")),
            "{refused}"
        );
    }
    // Nobody confirms with a key that may do something else.
    let new = [
        "custody",
        "keys",
        "new",
        "ben",
        "--owner",
        "Ben",
        "--role",
        "QUALIFY,DISPOSE",
        "--passphrase-file",
        "passphrase",
    ];
    asks(folder, &new).done();
    let by_ben = ["--key", "ben", "--passphrase-file", "passphrase"];
    let (code, refused) = told(folder, &with(&CONFIRM, &by_ben));
    assert_eq!(code, 1, "{refused}");
    assert_eq!(n(&listed(folder, &[])["judgments"]), 0);

    asks(folder, &with(&CONFIRM, &SIGNED)).done();
    let list = listed(folder, &[PKG]);
    assert_eq!(n(&list["judgments"]), 1, "{list}");
    let one = &list["judgments"][0];
    assert_eq!(one["signers"][0]["owner"], "Ada Example");
    assert_eq!(
        one["document"]["critique"]["body"]["instrument"],
        json!({ "kind": "MODEL_PARSED", "model": "a language model 1" }),
        "confirming hides nothing of how it came about"
    );
    // Taken back, it is nobody's word again, and the list says so.
    let statement = one["statement"].as_str().expect("a digest").to_owned();
    signs(folder, &["withdraw", &statement, "--reason", "I misread it."]).done();
    let list = listed(folder, &[]);
    assert_eq!((n(&list["judgments"]), n(&list["setAside"])), (0, 1), "{list}");
    let why = list["setAside"][0]["why"].as_str().unwrap_or_default();
    assert!(why.contains("was withdrawn"), "{why}");
    // In a custody that does not trust the signer there is nothing.
    let (_, elsewhere) = program::json(folder, &["judge", "list"]);
    assert_eq!((n(&elsewhere["judgments"]), n(&elsewhere["setAside"])), (0, 0));
}

#[test]
fn a_judgment_is_about_what_it_names_and_nothing_else() {
    let folder = with_custody();
    let folder = folder.path();
    admitted(folder);
    confirmed(folder, "The third wall is hidden.");
    let other = [
        "admit",
        "penguins.csv",
        "--question",
        "Does body mass separate the species?",
        "--foreground",
        "flipper_length_mm,body_mass_g,bill_length_mm",
        "--purpose",
        "claim-bearing",
        "--out",
        "other.nemosyne",
    ];
    asks(folder, &other).done();
    // The draft at hand is about the first package.
    let carried = with(&with(&CONFIRM, &SIGNED), &["--package", "other.nemosyne"]);
    let (code, refused) = told(folder, &carried);
    assert_eq!(
        (code, &refused["refusal"]["code"], &refused["refusal"]["reason"]),
        (1, &json!("CONTEXT_INCOMPATIBLE"), &json!("WRONG_SUBJECT")),
        "{refused}"
    );
    let here = listed(folder, &[PKG]);
    assert_eq!((n(&here["judgments"]), n(&here["elsewhere"])), (1, 0));
    let there = listed(folder, &["other.nemosyne"]);
    assert_eq!((n(&there["judgments"]), n(&there["elsewhere"])), (0, 1));

    // A binding or an obligation that this picture does not have.
    let foreign = format!("perceptual-binding-v1:{}", "0".repeat(64));
    let mut arguments = critique("It is there.", &DESK);
    arguments[3] = &foreign;
    let (code, refused) = told(folder, &arguments);
    assert_eq!(
        (code, &refused["refusal"]["reason"]),
        (1, &json!("AMBIGUOUS_REFERENCE")),
        "{refused}"
    );
    let text = refused["refusal"]["cause"]["text"].as_str().unwrap_or_default();
    assert!(text.contains(&foreign), "{text}");
    // What was not said is not assumed.
    let (code, refused) = told(folder, &critique("It is there.", &[]));
    assert_eq!(
        (code, &refused["refusal"]["reason"]),
        (1, &json!("NOT_STATED")),
        "{refused}"
    );
    asks(folder, &critique("It is there.", &DESK)).done();
}

/// The proposal of the recipe, handed in from outside.
fn graph(folder: &Path) {
    let forma = crate::forge::Forge::of(&std::fs::read(folder.join(PKG)).expect("a package"))
        .json(crate::forge::FORMA);
    let body = forma["graphs"][0]["body"].to_string();
    std::fs::write(folder.join("graph.json"), body).expect("there is room");
}

#[test]
fn a_confirmed_judgment_may_inspire_a_proposal_and_counts_for_nothing() {
    let folder = with_custody();
    let folder = folder.path();
    admitted(folder);
    graph(folder);
    let (_, drafted) = told(folder, &critique("Move the legend.", &DESK));
    let id = drafted["judgment"]["judgmentId"]
        .as_str()
        .expect("a name")
        .to_owned();
    let mut proposed = with(&MAIN_JOB, &["--graph", "graph.json"]);
    proposed[11] = "plain.nemosyne";
    let (code, plain) = told(folder, &proposed);
    assert_eq!(code, 0, "{plain}");
    let mut inspired = with(&proposed, &["--inspired-by", &id]);
    inspired[11] = "inspired.nemosyne";

    let (code, refused) = told(folder, &inspired);
    assert_eq!(
        (code, &refused["refusal"]["code"]),
        (1, &json!("INVALID_INPUT")),
        "a draft inspires nothing that is attributed: {refused}"
    );
    assert!(!folder.join("inspired.nemosyne").exists());
    asks(folder, &with(&CONFIRM, &SIGNED)).done();
    let (code, answer) = told(folder, &inspired);
    assert_eq!(code, 0, "{answer}");
    for member in DECISION {
        assert_eq!(answer[member], plain[member], "{member}");
    }
    let recorded = |name: &str| {
        let opened = package::open(&folder.join(name), &package::Limits::DEFAULT).expect("it opens");
        (
            opened.generation_record().inspired_by.clone(),
            opened.identities().clone(),
        )
    };
    let (named, identities) = recorded("inspired.nemosyne");
    assert_eq!(named.len(), 1);
    assert_eq!(
        (
            named[0].judgment_id.as_str(),
            named[0].author.as_str(),
            named[0].confirmed_by.as_str()
        ),
        (id.as_str(), "Ada Reader", "Ada Example")
    );
    let (none, same) = recorded("plain.nemosyne");
    assert!(none.is_empty());
    assert_eq!(identities, same, "the decision is the same");
    // Named by nobody here, or no judgment at all.
    for unknown in [
        format!("embodiment-critique-v1:{}", "0".repeat(64)),
        "resultId".to_owned(),
    ] {
        let mut arguments = with(&proposed, &["--inspired-by", &unknown]);
        arguments[11] = "unknown.nemosyne";
        let (code, refused) = told(folder, &arguments);
        assert_eq!(
            (code, &refused["refusal"]["code"]),
            (1, &json!("INVALID_INPUT")),
            "{refused}"
        );
        assert!(!folder.join("unknown.nemosyne").exists());
    }
}
