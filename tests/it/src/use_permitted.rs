//! What may be shown as a claim, and what only inside a study.
//!
//! Attacked: the border between the two: study use without its owner, a recipe whose mapping nobody qualified asked for in
//! production, a study's package edited into production, with every digest made true again. Owner: Forma and the
//! qualification owner. Required: USE_NOT_PERMITTED, the missing qualification by name; a study's record stays one. Control:
//! production with qualified mappings, and the same study with its owner's grant.

use custody::{Custody, Shipped};
use dataset::ImportOptions;
use forma::wire::v1::PermittedUse;
use forma::{Admission, RequestedUse};
use harness::{Told, tables};
use identity::Digest;
use inquiry::{Prepared, Question};
use investigation::EpistemicPurpose;
use knowledge::wire::v1::DeviceClass;
use package::Limits;
use representation::Graph;
use serde_json::{Value, json};

use crate::forge::{FORMA, Forge};
use crate::program::{self, MAIN_JOB, nemosyne, put, with_penguins};

const GRANT: &str = "study-7";

fn asked(change: &[(&str, &str)]) -> Vec<String> {
    let mut arguments: Vec<String> = MAIN_JOB.map(str::to_owned).to_vec();
    for (flag, value) in change {
        match arguments.iter().position(|it| it == flag) {
            Some(at) => arguments[at + 1] = (*value).to_owned(),
            None => arguments.extend([(*flag).to_owned(), (*value).to_owned()]),
        }
    }
    arguments
}

fn run(change: &[(&str, &str)]) -> (i32, Value, bool) {
    let folder = with_penguins();
    let arguments = asked(change);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (code, answer) = program::json(folder.path(), &arguments);
    (code, answer, folder.path().join("penguins.nemosyne").exists())
}

#[test]
fn study_use_without_its_owner_is_not_permitted() {
    for change in [
        &[("--use", "study")][..],
        &[("--use", "study"), ("--authorization", "study-7")],
    ] {
        let (code, answer, written) = run(change);
        assert_eq!(code, 1, "{answer}");
        assert_eq!(answer["refusal"]["code"], "USE_NOT_PERMITTED", "{answer}");
        assert_eq!(answer["refusal"]["reason"], "NO_STUDY_AUTHORIZATION", "{answer}");
        assert!(!written, "a refusal leaves no package");
    }
    let (code, answer, written) = run(&[]);
    assert_eq!(
        (code, &answer["permittedUse"], written),
        (0, &Value::from("PRODUCTION"), true)
    );
}

#[test]
fn a_mapping_nobody_qualified_is_not_for_production() {
    let folder = with_penguins();
    let arguments = asked(&[("--recipe", "scatter_stereo")]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = nemosyne(folder.path(), &arguments).refused();
    assert!(
        ran.err.starts_with("REFUSED USE_NOT_PERMITTED / NOT_QUALIFIED\n"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("Missing: ") && ran.err.contains("ORDER"),
        "{}",
        ran.err
    );
    let (code, answer, written) = run(&[("--recipe", "scatter_stereo"), ("--device", "pcvr")]);
    assert_eq!((code, written), (1, false));
    assert_eq!(answer["refusal"]["code"], "USE_NOT_PERMITTED", "{answer}");
    let text = answer["refusal"]["cause"]["text"].as_str().unwrap_or_default();
    assert!(text.contains("no decision qualifies position_"), "{text}");
    let (code, answer, _) = run(&[("--recipe", "scatter_volume")]);
    assert_eq!((code, &answer["permittedUse"]), (0, &Value::from("PRODUCTION")));
}

struct Study {
    custody: Custody,
    prepared: Prepared,
    graph: Graph,
    admission: Admission,
}

fn study() -> Study {
    let custody = Shipped::open().expect("it ships");
    let question = Question {
        text: "Is depth read on a monitor?".to_owned(),
        purpose: Some(EpistemicPurpose::ClaimBearing),
        foreground: tables::FLOWER_AXES.map(str::to_owned).to_vec(),
        grouping: Some("kind".to_owned()),
        ..Question::default()
    };
    let bytes = tables::FLOWERS.as_bytes().to_vec();
    let prepared = inquiry::prepare(
        bytes,
        &ImportOptions::named("flowers"),
        &question,
        &custody,
        "this run",
    )
    .unwrap_or_else(|refusal| panic!("{refusal}"));
    let mut proposed = prepared
        .propose(&custody, Some("scatter_stereo"))
        .expect("it is a recipe");
    let (_, graph) = proposed.remove(0);
    let graph = graph.unwrap_or_else(|refusal| panic!("{refusal}"));
    let mut told = Told::by(custody.clone());
    told.study_runs(harness::grant(GRANT, &graph, &custody));
    let requested = RequestedUse::Study {
        authorization: Some(GRANT.to_owned()),
    };
    let admission = prepared
        .admit(&graph, &custody, &told, DeviceClass::DesktopMonitor, &requested)
        .unwrap_or_else(|refused| panic!("{}", refused.primary()));
    Study {
        custody,
        prepared,
        graph,
        admission,
    }
}

fn studied() -> Vec<u8> {
    let study = study();
    let documents = harness::documents(GRANT, &study.graph, &study.custody);
    let mut capture = study
        .prepared
        .capture(
            &study.graph,
            package::wire::v4::Origin::Recipe {},
            &study.admission,
            &study.custody,
            DeviceClass::DesktopMonitor,
        )
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    for text in documents.texts() {
        capture.knowledge_artifacts.push((Digest::of(text), text));
    }
    let mut bytes = Vec::new();
    capture
        .write_to(&mut bytes)
        .unwrap_or_else(|error| panic!("{error}"));
    bytes
}

#[test]
fn with_its_owners_grant_a_study_is_admitted_as_one() {
    let study = study();
    assert!(matches!(study.admission, Admission::StudyOnly(_)));
    let body = study.admission.record().body();
    assert_eq!(body.permitted_use, PermittedUse::StudyOnly);
    assert_eq!(body.authorization_reference.as_deref(), Some(GRANT));
}

/// The package of a study is intact and says what it is; without the study's owner nothing executes it.
#[test]
fn a_studys_package_permits_nothing_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "study.nemosyne", &studied());
    let (code, answer) = program::json(folder.path(), &["verify", "study.nemosyne"]);
    assert_eq!(code, 0, "{answer}");
    assert_eq!(
        (&answer["intact"]["holds"], &answer["complete"]["holds"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(answer["executableNow"]["holds"], false, "{answer}");
    assert_eq!(
        answer["executableNow"]["refusal"]["code"], "USE_NOT_PERMITTED",
        "{answer}"
    );
    let ran = nemosyne(folder.path(), &["render", "study.nemosyne", "--out", "study.png"]).refused();
    assert!(ran.err.contains("USE_NOT_PERMITTED"), "{}", ran.err);
    assert!(!folder.path().join("study.png").exists());
}

fn to_production(result: &mut Value) {
    assert_eq!(result["permittedUse"], "STUDY_ONLY");
    result["permittedUse"] = json!("PRODUCTION");
    result["inputCommitments"]["requestedUse"] = json!("PRODUCTION");
    result["authorizationReference"] = Value::Null;
    result.as_object_mut().expect("an object").remove("study");
}

/// The study's documents go out of the package with everything that names them.
pub(crate) fn drop_documents(forge: &mut Forge) {
    let forma = forge.json(FORMA);
    let artifacts = forma["artifacts"].as_array().expect("a list").clone();
    let (study, rest): (Vec<Value>, Vec<Value>) = artifacts
        .into_iter()
        .partition(|artifact| artifact["role"] == "STUDY");
    assert_eq!(study.len(), 3);
    for artifact in study {
        let digest = artifact["digest"].as_str().expect("a digest");
        forge.members.remove(&digest.replace("sha256:", "artifacts/"));
    }
    forge.edit(FORMA, |forma| forma["artifacts"] = rest.into());
}

/// Three forgers, each better than the one before. None of them gets a package that executes.
#[test]
fn a_study_edited_into_production_does_not_reopen() {
    let honest = Forge::of(&studied());
    package::open_source(std::io::Cursor::new(honest.stamped()), &Limits::DEFAULT)
        .expect("the control opens");

    let mut careless = honest.clone();
    careless.edit(FORMA, |forma| {
        forma["results"][0]["body"]["permittedUse"] = json!("PRODUCTION");
    });
    let mut careful = honest.clone();
    careful.forge_result(to_production);
    drop_documents(&mut careful);
    let mut thorough = honest.clone();
    thorough.forge_result(|result| {
        to_production(result);
        for entry in result["perceptualQualifications"].as_array_mut().expect("a list") {
            entry["qualification"] = json!("QUALIFIED");
        }
    });
    drop_documents(&mut thorough);
    let folder = tempfile::tempdir().expect("a folder");
    for (forger, bytes, opens) in [
        ("unstamped", careless.bytes(), false),
        ("careless", careless.stamped(), false),
        ("careful", careful.stamped(), false),
        ("thorough", thorough.stamped(), true),
    ] {
        put(folder.path(), "study.nemosyne", &bytes);
        let (code, answer) = program::json(folder.path(), &["verify", "study.nemosyne"]);
        assert_eq!(answer["executableNow"]["holds"], false, "{forger}: {answer}");
        if !opens {
            assert_eq!(
                (code, &answer["intact"]["holds"]),
                (1, &json!(false)),
                "{forger}: {answer}"
            );
        }
        let ran = nemosyne(folder.path(), &["render", "study.nemosyne", "--out", "study.png"]).refused();
        assert!(!folder.path().join("study.png").exists(), "{forger}: {}", ran.err);
    }
}
