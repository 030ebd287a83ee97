//! The main job through the program, from a table to a package and back.
//!
//! Attacked: a step that is faked, a package that differs from run to run, a replay that chooses again, an explanation that
//! ends before the receipt, a script that can't read the answer. Owner: the program as a whole. Required: the command of
//! the product's page is admitted for production; twice it writes the same bytes; five facts hold; the plan comes back byte
//! for byte; every chain reaches a receipt and its profile. Control: the refusals beside them.

use package::Limits;
use replay::Outcome;
use serde_json::Value;

use crate::program::{self, MAIN_JOB, json, main_job, nemosyne, texts, with_penguins};

const PKG: &str = "penguins.nemosyne";

#[test]
fn the_command_of_the_main_job_is_admitted_for_production() {
    let folder = with_penguins();
    let ran = nemosyne(folder.path(), &MAIN_JOB).done();
    assert!(ran.out.starts_with("ADMITTED for PRODUCTION\n"), "{}", ran.out);
    assert!(ran.out.contains("344 rows"), "{}", ran.out);
    assert!(ran.err.is_empty(), "{}", ran.err);
    assert!(folder.path().join(PKG).is_file());
    let (code, answer) = json(folder.path(), &MAIN_JOB);
    assert_eq!(code, 0);
    assert_eq!(answer["status"], "done");
    assert_eq!(answer["admission"], "ADMITTED");
    assert_eq!(answer["permittedUse"], "PRODUCTION");
    assert_eq!(answer["variant"], "desktop");
}

#[test]
fn the_same_question_writes_the_same_bytes() {
    let (one, two) = (main_job(), main_job());
    let read = |folder: &tempfile::TempDir| std::fs::read(folder.path().join(PKG)).expect("a package");
    assert!(read(&one) == read(&two), "two runs differ");
    let mut other: Vec<&str> = MAIN_JOB.to_vec();
    other[3] = "What else?";
    nemosyne(two.path(), &other).done();
    assert!(read(&one) != read(&two), "another question is another package");
}

#[test]
fn five_facts_hold() {
    let folder = main_job();
    let ran = nemosyne(folder.path(), &["verify", PKG]).done();
    for fact in ["intact", "complete", "replayable", "executable now", "trusted by"] {
        let line = ran
            .out
            .lines()
            .find(|line| line.contains(fact))
            .unwrap_or_else(|| panic!("{fact}: {}", ran.out));
        assert!(line.trim_start().starts_with("yes"), "{line}");
    }
    let (code, answer) = json(folder.path(), &["verify", PKG]);
    assert_eq!((code, &answer["status"]), (0, &Value::from("done")));
    for fact in ["intact", "complete", "replayable", "executableNow", "trustedBy"] {
        assert_eq!(answer[fact]["holds"], true, "{fact}: {answer}");
        assert!(
            !answer[fact]["sentence"].as_str().unwrap_or_default().is_empty(),
            "{fact}"
        );
    }
    assert_eq!(answer["outcome"], "EXACT_HISTORICAL");
}

#[test]
fn the_recorded_plan_comes_back_byte_for_byte() {
    let folder = main_job();
    let ran = nemosyne(folder.path(), &["replay", PKG]).done();
    assert!(ran.out.starts_with("EXACT_HISTORICAL\n"), "{}", ran.out);
    let (_, answer) = json(folder.path(), &["replay", PKG]);
    assert_eq!(answer["outcome"], "EXACT_HISTORICAL");
    assert_eq!(answer["planBytesEqual"], true);

    let opened = package::open(&folder.path().join(PKG), &Limits::DEFAULT).expect("it opens");
    let custody = custody::Shipped::open().expect("it ships");
    match replay::replay(&opened, &custody).outcome {
        Outcome::ExactHistorical { plan_bytes } => {
            let member = opened
                .member("investigation/forma.json", 64 << 20)
                .expect("it is a member");
            let recorded: Value = serde_json::from_slice(&member).expect("it is JSON");
            let recorded =
                identity::canonical::to_vec(&recorded["plans"][0]["body"]).expect("it is canonical");
            assert!(
                plan_bytes == recorded,
                "the rebuilt plan differs from the recorded bytes"
            );
            assert_eq!(answer["planBytes"], plan_bytes.len());
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_chain_reaches_a_receipt_and_its_profile() {
    let folder = main_job();
    let ran = nemosyne(folder.path(), &["explain", PKG, "--row", "17"]).done();
    for word in [
        "flipper_length_mm",
        "binding",
        "source",
        "claim",
        "receipt",
        "profile",
        "forma-row-projection/v1",
    ] {
        assert!(ran.out.contains(word), "{word}: {}", ran.out);
    }
    let (_, answer) = json(folder.path(), &["explain", PKG, "--row", "17"]);
    let chains = answer["chains"].as_array().expect("chains");
    assert!(chains.len() >= 9, "a volume and three walls: {}", chains.len());
    for chain in chains {
        assert!(
            chain["explanation"]["evidenceUses"][0]["receiptId"].is_string(),
            "{chain}"
        );
        assert!(chain["value"].is_string(), "{chain}");
    }
    let (_, all) = json(folder.path(), &["explain", PKG]);
    let all = all["chains"].as_array().expect("chains");
    assert!(all.len() > chains.len());
    for chain in all {
        for step in ["explanation", "binding", "node", "source"] {
            assert!(chain[step].is_object(), "{step}: {chain}");
        }
    }
    // A row that was left out is not drawn, and the answer says so instead of naming another.
    let (code, refused) = json(folder.path(), &["explain", PKG, "--row", "no such row"]);
    assert_eq!(
        (code, &refused["refusal"]["code"]),
        (1, &Value::from("INVALID_INPUT"))
    );
}

/// The value that `explain` tells for a row is the table's own.
#[test]
fn a_row_is_explained_with_its_own_values() {
    let folder = main_job();
    let table = std::str::from_utf8(harness::tables::PENGUINS).expect("it is text");
    let header: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    let column = header
        .iter()
        .position(|name| *name == "flipper_length_mm")
        .expect("a column");
    for row in [1_usize, 17, 200, 344] {
        let cells: Vec<&str> = table.lines().nth(row).expect("a row").split(',').collect();
        let (code, answer) = json(folder.path(), &["explain", PKG, "--row", &row.to_string()]);
        assert_eq!(code, 0, "{answer}");
        let told = answer["chains"]
            .as_array()
            .expect("chains")
            .iter()
            .find_map(|chain| {
                let is_it = chain["node"]["producerSemanticId"] == "column:flipper_length_mm";
                is_it.then(|| chain["value"].as_str().unwrap_or_default().to_owned())
            });
        assert_eq!(told, Some(format!("{} mm", cells[column])), "row {row}");
    }
}

fn is_identity(text: &str) -> bool {
    text.split_once(':').is_some_and(|(tag, digest)| {
        !tag.is_empty()
            && digest.len() == 64
            && digest
                .bytes()
                .all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase())
    })
}

#[test]
fn scripts_get_one_object_with_status_and_identities_as_texts() {
    let folder = main_job();
    let mut main = MAIN_JOB.to_vec();
    main.truncate(10);
    let verbs: [&[&str]; 6] = [
        &main,
        &["import", "penguins.csv"],
        &["verify", PKG],
        &["replay", PKG],
        &["explain", PKG, "--row", "17"],
        &["explain-refusal", "USE_NOT_PERMITTED"],
    ];
    for verb in verbs {
        let (code, answer) = json(folder.path(), verb);
        assert_eq!((code, &answer["status"]), (0, &Value::from("done")), "{verb:?}");
        let object = answer.as_object().expect("an object");
        for (name, value) in object.iter().filter(|(name, _)| name.ends_with("Id")) {
            assert!(
                value.as_str().is_some_and(is_identity),
                "{verb:?} {name}: {value}"
            );
        }
        for (at, text) in texts(&answer) {
            if text.starts_with("sha256:") || text.contains("-v1:") || text.contains("-v2:") {
                let whole = is_identity(text) || text.contains(' ');
                assert!(whole, "{verb:?} {at}: {text}");
            }
        }
    }
    let (code, refused) = json(folder.path(), &["verify", "no such file"]);
    assert_eq!((code, &refused["status"]), (1, &Value::from("refused")));
    for member in ["code", "stage", "reason"] {
        assert!(refused["refusal"][member].is_string(), "{refused}");
    }
}

#[test]
fn misuse_is_not_a_refusal() {
    let folder = with_penguins();
    for arguments in [
        &["admit"][..],
        &["frobnicate"],
        &["verify"],
        &["render", PKG, "--out", "a.png", "--size", "huge"],
    ] {
        let ran = nemosyne(folder.path(), arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.out.is_empty(), "{arguments:?}: {}", ran.out);
    }
    assert_eq!(
        nemosyne(folder.path(), &["--version"]).done().out.trim(),
        "nemosyne 0.1.0"
    );
}

/// Purpose is asked for, never assumed.
#[test]
fn without_a_purpose_nothing_is_admitted() {
    let folder = with_penguins();
    let mut arguments: Vec<&str> = MAIN_JOB.to_vec();
    let purpose = arguments
        .iter()
        .position(|it| *it == "--purpose")
        .expect("it is there");
    arguments.drain(purpose..purpose + 2);
    let ran = nemosyne(folder.path(), &arguments).refused();
    assert!(ran.err.contains("purpose"), "{}", ran.err);
    assert!(!folder.path().join(PKG).exists());
    assert!(!program::package().is_empty());
}
