//! F07, exact replay.
//!
//! **Attack.** A decision was made under what was known then. Since then a mapping was qualified, another qualification was
//! taken back, a receipt was retracted; or the compiler, a transform, an artifact that the decision rests on is not to be had
//! any more. A replay that asks today's knowledge tells another story under the old name; one that takes the nearest version
//! tells it more quietly still; one that forgets today's word shows as current what nobody may show any more; and one that
//! is helpful adapts without being asked.
//!
//! **Owner.** Session, package and replay: what happened is rebuilt from the recorded closure with the pinned
//! implementations. Custody and the admission door: what may be shown now. The two are asked separately and answered side
//! by side.
//!
//! **Required.** Whatever custody learns, the recorded plan comes back byte for byte, step by step the same, and without
//! choosing anything again. Retraction and withdrawal leave the history readable under a mark and refuse execution, both in
//! one answer. A dependency that is not here is named and gives REPLAY_UNSUPPORTED; what can still be read stays readable, and
//! nothing nearest takes its place. Where a step comes out differently, the replay says which, and at which place. A
//! different device, variant or knowledge is an adaptation: an explicit act with a new result, its lineage and its
//! differences; a study's treatment is never adapted.
//!
//! **Control.** The same package in the same program before custody learned anything: exact, executable. An admission from
//! the data under the changed custody does come out differently, so that what changed does matter.

use std::path::Path;

use evidence::wire::v1::PinnedRef;
use forma::RequestedUse;
use harness::{Shelf, Told};
use knowledge::Table;
use representation::Pins;
use serde_json::{Value, json};

use crate::custodian::{asks, qualify, signs, told, with, with_custody};
use crate::f10;
use crate::forge::{FORMA, Forge};
use crate::program::{self, MAIN_JOB, nemosyne, package, put};
use crate::road::road;

const PKG: &str = "old.nemosyne";

fn scene() -> tempfile::TempDir {
    let folder = with_custody();
    put(folder.path(), PKG, package());
    folder
}

/// The replay's answer, which is exact, and what of it must never change.
fn exact(folder: &Path) -> (Value, [Value; 4]) {
    let (code, answer) = told(folder, &["replay", PKG]);
    assert_eq!(
        (code, &answer["outcome"], &answer["planBytesEqual"]),
        (0, &json!("EXACT_HISTORICAL"), &json!(true)),
        "{answer}"
    );
    assert_eq!(
        (&answer["missing"], &answer["departure"]),
        (&json!([]), &Value::Null),
        "{answer}"
    );
    let kept = ["checks", "planBytes", "recordedPlanId", "recordedResultId"].map(|it| answer[it].clone());
    (answer, kept)
}

fn executable(folder: &Path) -> (Value, Value) {
    let (_, answer) = told(folder, &["verify", PKG]);
    let now = &answer["executableNow"];
    (now["holds"].clone(), now["refusal"]["reason"].clone())
}

fn receipt() -> String {
    let source = std::io::Cursor::new(package().to_vec());
    let opened = package::open_source(source, &package::Limits::DEFAULT).expect("it opens");
    let uses = &opened.record().body().evidence_dispositions;
    uses[0].evidence_use.receipt_id.clone()
}

#[test]
fn what_custody_learns_does_not_change_what_happened() {
    let folder = scene();
    let folder = folder.path();
    let (_, before) = exact(folder);
    assert_eq!(executable(folder).0, true);
    let stereo = ["--recipe", "scatter_stereo", "--device", "pcvr"];
    let mut asked = with(&MAIN_JOB, &stereo);
    asked[11] = "new.nemosyne";
    asks(folder, &asked).refused();

    signs(folder, &qualify("pcvr")).done();
    let (answer, after) = exact(folder);
    assert_eq!(before, after, "a qualification was added");
    assert_eq!(answer["executableNow"]["holds"], true, "{answer}");
    assert_eq!(answer["history"]["readable"], true, "{answer}");
    assert_eq!(executable(folder).0, true, "what it rests on is still held");

    // What was learned matters to those who ask now.
    let (code, now) = told(folder, &asked);
    assert_eq!(code, 0, "{now}");
    let opened = |name: &str| package::open(&folder.join(name), &package::Limits::DEFAULT).expect("it opens");
    assert_ne!(
        opened("new.nemosyne").identities().knowledge_manifest_id,
        opened(PKG).identities().knowledge_manifest_id
    );
}

#[test]
fn a_withdrawn_qualification_leaves_history_exact_and_refuses_execution() {
    let folder = scene();
    let folder = folder.path();
    let (_, before) = exact(folder);
    let withdraw = [
        "withdraw",
        "position-order-monitor@1",
        "--reason",
        "A test says so.",
    ];
    signs(folder, &withdraw).done();
    let (answer, after) = exact(folder);
    assert_eq!(before, after);
    assert_eq!(
        (
            &answer["executableNow"]["holds"],
            &answer["executableNow"]["refusal"]["code"]
        ),
        (&json!(false), &json!("USE_NOT_PERMITTED")),
        "{answer}"
    );
    let ran = asks(folder, &["render", PKG, "--out", "old.png"]).refused();
    assert!(!folder.join("old.png").exists(), "{}", ran.err);
    // In a custody that never heard of it, the same file is executable.
    let (_, elsewhere) = program::json(folder, &["verify", PKG]);
    assert_eq!(elsewhere["executableNow"]["holds"], true, "{elsewhere}");
}

/// Both facts stand in one answer, for people and for scripts.
#[test]
fn a_retracted_receipt_is_told_beside_the_history_that_stays_readable() {
    let folder = scene();
    let folder = folder.path();
    let (_, before) = exact(folder);
    let retract = [
        "retract",
        "--receipt",
        &receipt(),
        "--package",
        PKG,
        "--reason",
        "A test says so.",
    ];
    signs(folder, &retract).done();
    let (answer, after) = exact(folder);
    assert_eq!(before, after, "a newer feed rewrites nothing");
    assert_eq!(answer["history"]["readable"], true);
    let mark = answer["history"]["mark"].as_str().unwrap_or_default();
    assert!(
        mark.starts_with("HISTORICAL") && mark.contains("RETRACTED"),
        "{mark}"
    );
    let refusal = &answer["executableNow"]["refusal"];
    assert_eq!(
        (&refusal["code"], &refusal["reason"]),
        (&json!("EVIDENCE_UNAVAILABLE"), &json!("RETRACTED")),
        "{answer}"
    );
    let said = asks(folder, &["replay", PKG]).done().out;
    let line = |label: &str| {
        let found = said.lines().find(|line| line.trim_start().starts_with(label));
        found.unwrap_or_else(|| panic!("{label}: {said}")).to_owned()
    };
    assert!(line("history").contains("readable"), "{said}");
    assert!(line("shown now").contains("Not executable now"), "{said}");
    assert_eq!(executable(folder), (json!(false), json!("RETRACTED")));
}

/// Replays a package that lacks something; the refusal and the answer.
fn unsupported(bytes: &[u8]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), PKG, bytes);
    let (code, answer) = program::json(folder.path(), &["replay", PKG]);
    assert_eq!(code, 1, "{answer}");
    assert_eq!(answer["refusal"]["code"], "REPLAY_UNSUPPORTED", "{answer}");
    let ran = nemosyne(folder.path(), &["render", PKG, "--out", "old.png"]).refused();
    assert!(!folder.path().join("old.png").exists(), "{}", ran.err);
    answer
}

struct Theirs<'a> {
    table: &'a Table,
    here: &'a custody::Custody,
}

impl Theirs<'_> {
    fn pin(&self, pinned: Option<PinnedRef>) -> Option<PinnedRef> {
        pinned.and_then(|pin| self.table.pin(&format!("{}@{}", pin.id, pin.version)))
    }
}

impl Pins for Theirs<'_> {
    fn transform(&self, id: &str) -> Option<PinnedRef> {
        self.pin(self.here.transform(id))
    }

    fn recipe(&self, id: &str) -> Option<PinnedRef> {
        self.pin(self.here.recipe(id))
    }
}

#[test]
fn a_dependency_that_is_not_here_is_named_and_nothing_takes_its_place() {
    // The compiler: recorded under a version that this program does not have.
    let mut older = Forge::of(package());
    older.forge_plan(|plan| plan["compilerRef"]["version"] = json!("0.0.1"));
    let answer = unsupported(&older.stamped());
    assert_eq!(answer["outcome"], "UNSUPPORTED_HISTORICAL");
    assert_eq!(answer["refusal"]["reason"], "IMPLEMENTATION_MISSING");
    assert_eq!(answer["missing"][0]["what"], "compiler", "{answer}");
    let named = answer["missing"][0]["recorded"].as_str().unwrap_or_default();
    assert!(named.contains("@0.0.1"), "{named}");
    assert_eq!(answer["history"]["readable"], true, "{answer}");
    assert_eq!(answer["departure"]["step"], "plan", "{answer}");
    assert!(
        answer["checks"].as_array().is_some_and(|checks| checks.len() > 8),
        "what can be repeated was: {answer}"
    );

    // A transform: the same name and version, another definition, from a program that has it.
    let road = road();
    let mut shelf = Shelf::of(road.custody.table());
    shelf.edit("linear@1.0.0", |transform| {
        transform["statement"] = json!("Maps an interval to a range, as some later program does.");
    });
    let known = shelf.open();
    let told_there = Told::by(road.custody.clone());
    let pins = Theirs {
        table: &known.table,
        here: &road.custody,
    };
    let graph = f10::proposed(&road, "scatter_volume", &pins);
    let leaves = f10::leaves(&road);
    let production = RequestedUse::Production;
    let admission = forma::admit(&f10::input(
        &road,
        &graph,
        &known,
        &leaves,
        &production,
        &told_there,
    ))
    .unwrap_or_else(|refused| panic!("{}", refused.primary()));
    let answer = unsupported(&f10::captured(&road, &graph, &admission, &known, &[]));
    assert_eq!(answer["refusal"]["reason"], "IMPLEMENTATION_MISSING", "{answer}");
    assert_eq!(answer["missing"][0]["what"], "transform", "{answer}");
    let named = answer["missing"][0]["recorded"].as_str().unwrap_or_default();
    assert!(named.starts_with("linear@1.0.0 sha256:"), "{named}");

    // An artifact: listed, needed, and not in the archive.
    let mut incomplete = Forge::of(package());
    let leaf = incomplete.json(FORMA)["artifacts"]
        .as_array()
        .and_then(|listed| listed.iter().find(|it| it["role"] == "LEAF").cloned())
        .and_then(|it| it["digest"].as_str().map(str::to_owned))
        .expect("rows were recorded");
    incomplete
        .members
        .remove(&leaf.replace("sha256:", "artifacts/"))
        .expect("it was there");
    let answer = unsupported(&incomplete.stamped());
    assert_eq!(answer["refusal"]["reason"], "ARTIFACT_MISSING", "{answer}");
    assert!(answer.to_string().contains(&leaf), "{answer}");

    // The control: nothing is missing.
    let folder = scene();
    exact(folder.path());
}

#[test]
fn where_a_step_comes_out_differently_it_is_named_with_its_place() {
    let mut forged = Forge::of(package());
    forged.forge_plan(|plan| {
        let elements = plan["variants"][0]["backend"]["elements"]
            .as_array_mut()
            .expect("elements");
        let points = elements
            .iter_mut()
            .find(|element| element["primitive"] == "POINTS");
        points.expect("rows are drawn")["parameters"]["opacity"] = json!(0.125);
    });
    let answer = unsupported(&forged.stamped());
    let departure = &answer["departure"];
    assert_eq!(departure["step"], "plan", "{departure}");
    assert_eq!(departure["notReached"], json!(["result"]), "{departure}");
    let place = &departure["places"][0];
    assert!(
        place["pointer"]
            .as_str()
            .is_some_and(|at| at.ends_with("/parameters/opacity")),
        "{departure}"
    );
    assert_eq!(place["recorded"], "0.125", "{departure}");
    assert_eq!(answer["missing"], json!([]), "everything is here; it was edited");
}

#[test]
fn an_adaptation_is_an_explicit_act_with_a_new_result() {
    let folder = scene();
    let folder = folder.path();
    let recorded = package().to_vec();
    let adapt = ["replay", PKG, "--adapt", "pcvr", "--out", "new.nemosyne"];
    let (code, answer) = told(folder, &adapt);
    assert_eq!(
        (code, &answer["outcome"]),
        (0, &json!("COMPATIBLE_ADAPTATION")),
        "{answer}"
    );
    let old = package::open(&folder.join(PKG), &package::Limits::DEFAULT).expect("it opens");
    assert_eq!(answer["derivedFrom"]["resultId"], old.record().id().to_string());
    assert_ne!(answer["resultId"], old.record().id().to_string());
    let differences = answer["differences"].to_string();
    for part in [
        "PcvrHeadset instead of DesktopMonitor",
        "stereo_headset instead of desktop",
    ] {
        assert!(differences.contains(part), "{differences}");
    }
    assert!(
        std::fs::read(folder.join(PKG)).expect("it is there") == recorded,
        "the old package is not touched"
    );
    // The new one is a result of its own: it replays exactly, and says where it comes from.
    let (code, again) = told(folder, &["replay", "new.nemosyne"]);
    assert_eq!(
        (code, &again["outcome"], &again["recordedResultId"]),
        (0, &json!("EXACT_HISTORICAL"), &answer["resultId"]),
        "{again}"
    );
    assert_eq!(again["derivedFrom"]["resultId"], old.record().id().to_string());
    // Nothing differs for the recorded device; and without being asked, nothing adapts.
    asks(folder, &["replay", PKG, "--adapt", "desktop"]).refused();
    asks(folder, &["replay", PKG, "--out", "third.nemosyne"]);
    assert!(!folder.join("third.nemosyne").exists());
    asks(folder, &["replay", PKG, "--adapt", "pcvr", "--out", PKG]).refused();
    assert!(std::fs::read(folder.join(PKG)).expect("it is there") == recorded);
}

#[test]
fn a_studys_treatment_is_never_adapted() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "study.nemosyne", &f10::studied());
    let adapt = [
        "replay",
        "study.nemosyne",
        "--adapt",
        "pcvr",
        "--out",
        "new.nemosyne",
    ];
    let (code, answer) = program::json(folder.path(), &adapt);
    assert_eq!(
        (code, &answer["refusal"]["code"], &answer["refusal"]["reason"]),
        (1, &json!("USE_NOT_PERMITTED"), &json!("STUDY_ONLY")),
        "{answer}"
    );
    assert!(!folder.path().join("new.nemosyne").exists());
}
