//! Packages that are consistent in themselves and not what happened: they open, they don't replay, they grant nothing.

use std::io::Cursor;

use custody::Shipped;
use knowledge::wire::v1::DeviceClass;
use package::{Limits, Opened, open_source};
use refusal::{Code, Reason, Refusal};
use replay::{Outcome, judge, judge_opened, readmit, replay};
use serde_json::{Value, json};

use crate::forge::{FORMA, Forge};
use crate::road::road;

fn reopened(forge: &Forge) -> Opened {
    open_source(Cursor::new(forge.stamped()), &Limits::DEFAULT).unwrap_or_else(|error| panic!("{error}"))
}

/// The code is the replay's; the owner's reason is kept under it.
fn unsupported(refusal: &Refusal, subject: &str) {
    assert_eq!(refusal.code(), Code::ReplayUnsupported, "{refusal}");
    assert_eq!(refusal.subjects(), [subject]);
    let cause = refusal.cause().upstream.as_deref().expect("the owner's refusal");
    assert_eq!(cause.reason(), Reason::Integrity);
}

fn points(plan: &mut Value) -> &mut Value {
    let elements = plan["variants"][0]["backend"]["elements"].as_array_mut().unwrap();
    elements
        .iter_mut()
        .find(|element| element["primitive"] == "POINTS")
        .unwrap()
}

#[test]
fn an_edited_plan_is_not_what_the_compiler_gives() {
    let custody = Shipped::open().unwrap();
    let mut forged = Forge::of(&road().bytes());
    assert!(
        replay(&reopened(&forged), &custody).outcome.is_exact(),
        "the forger's stamping changes nothing by itself"
    );
    forged.forge_plan(|plan| points(plan)["parameters"]["opacity"] = json!(0.125));
    let opened = reopened(&forged);
    let replayed = replay(&opened, &custody);
    let refusal = replayed
        .outcome
        .refusal()
        .expect("the compiler gives another plan");
    unsupported(refusal, "the plan");
    assert_eq!(replayed.outcome.word(), "UNSUPPORTED_HISTORICAL");
    let departure = replayed.departure.as_ref().expect("it stopped somewhere");
    assert_eq!(
        (departure.step, departure.not_reached.as_slice()),
        ("plan", &["result"][..])
    );
    assert_eq!(departure.recorded, Some(opened.plan().id().to_string()));
    assert!(
        departure
            .places
            .iter()
            .any(|place| { place.pointer.ends_with("/parameters/opacity") && place.recorded == "0.125" }),
        "{:?}",
        departure.places
    );
    assert_eq!(replayed.missing, []);

    let refused = readmit(&opened, &custody, DeviceClass::DesktopMonitor).unwrap_err();
    assert!(
        refused.primary().cause().text.contains("the plan"),
        "{}",
        refused.primary()
    );
    let judgment = judge_opened(&opened, &custody);
    assert!(judgment.intact.fact.holds() && judgment.complete.fact.holds());
    assert!(!judgment.replayable.fact.holds() && !judgment.executable_now.fact.holds());
}

#[test]
fn an_edited_record_is_not_what_the_door_answers() {
    let custody = Shipped::open().unwrap();
    let mut forged = Forge::of(&road().bytes());
    forged.forge_result(|result| {
        let limitations = result["limitations"].as_array_mut().unwrap();
        assert!(!limitations.is_empty());
        limitations.clear();
    });
    let opened = reopened(&forged);
    let replayed = replay(&opened, &custody);
    unsupported(replayed.outcome.refusal().unwrap(), "the result");
    assert_eq!(
        replayed.checks.last().unwrap().what,
        "plan",
        "the plan itself came out as recorded"
    );
    let departure = replayed.departure.as_ref().unwrap();
    assert_eq!((departure.step, departure.not_reached.len()), ("result", 0));
    assert!(
        departure
            .places
            .iter()
            .any(|place| place.pointer.starts_with("/limitations"))
    );
    // Nothing is shown on account of a record that the door would not have made.
    let refused = readmit(&opened, &custody, DeviceClass::DesktopMonitor).unwrap_err();
    let primary = refused.primary();
    assert_eq!(
        (primary.code(), primary.reason()),
        (Code::InvalidInput, Reason::Integrity)
    );
    assert_eq!(primary.subjects(), ["the record"]);
    let honest = reopened(&Forge::of(&road().bytes()));
    for device in [DeviceClass::DesktopMonitor, DeviceClass::PcvrHeadset] {
        assert!(readmit(&honest, &custody, device).is_ok(), "{device:?}");
    }
}

#[test]
fn a_plan_of_a_compiler_that_is_not_here_is_unsupported() {
    let custody = Shipped::open().unwrap();
    let mut forged = Forge::of(&road().bytes());
    forged.forge_plan(|plan| plan["compilerRef"]["version"] = json!("0.0.1"));
    let opened = reopened(&forged);
    let replayed = replay(&opened, &custody);
    let [missing] = replayed.missing.as_slice() else {
        panic!("{:?}", replayed.missing)
    };
    assert_eq!(missing.what, "compiler");
    assert!(missing.recorded.contains("@0.0.1"), "{missing:?}");
    assert_eq!(replayed.departure.as_ref().map(|it| it.step), Some("plan"));
    assert_eq!(
        replayed.checks.last().unwrap().what,
        "knowledge",
        "all before it came out as recorded"
    );
    let refusal = match replayed.outcome {
        Outcome::UnsupportedHistorical { refusal } => refusal,
        other => panic!("{}", other.word()),
    };
    assert_eq!(
        (refusal.code(), refusal.reason()),
        (Code::ReplayUnsupported, Reason::ImplementationMissing)
    );
    let judgment = judge_opened(&opened, &custody);
    assert!(judgment.intact.fact.holds(), "missing here is not damaged there");
    assert!(!judgment.executable_now.fact.holds());
    let history = replay::inspect(&opened, &custody, &adoption::Runtime::new("this run")).unwrap();
    assert_eq!(history.plan(), opened.plan(), "it can still be looked at");
}

#[test]
fn other_data_under_the_same_decision_is_noticed() {
    let custody = Shipped::open().unwrap();
    let mut forged = Forge::of(&road().bytes());
    let raw = forged.members.get_mut("data/dataset.raw").unwrap();
    let at = raw.windows(4).position(|text| text == b"3750").unwrap();
    raw[at] = b'4';
    let opened = reopened(&forged);
    let replayed = replay(&opened, &custody);
    let refusal = replayed.outcome.refusal().unwrap();
    unsupported(refusal, "the dataset");
    assert_eq!(replayed.checks, []);
    assert_eq!(replayed.departure.as_ref().unwrap().not_reached.len(), 10);
    assert!(readmit(&opened, &custody, DeviceClass::DesktopMonitor).is_err());
    let judgment = judge_opened(&opened, &custody);
    assert!(judgment.intact.fact.holds() && judgment.complete.fact.holds());
    assert!(!judgment.replayable.fact.holds() && !judgment.executable_now.fact.holds());
}

#[test]
fn what_does_not_open_is_judged_in_every_fact() {
    let custody = Shipped::open().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.nemosyne");
    let honest = Forge::of(&road().bytes());
    std::fs::write(&path, honest.stamped()).unwrap();
    assert!(judge(&path, &custody).executable_now.fact.holds());

    let mut damaged = honest.stamped();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    std::fs::write(&path, &damaged).unwrap();
    let judgment = judge(&path, &custody);
    for finding in [
        &judgment.intact,
        &judgment.complete,
        &judgment.replayable,
        &judgment.executable_now,
        &judgment.trusted_by,
    ] {
        assert!(!finding.fact.holds(), "{}", finding.sentence);
    }
    assert!(judgment.replay.is_none());

    let mut incomplete = honest.clone();
    let leaf = incomplete.json(FORMA)["artifacts"]
        .as_array()
        .unwrap()
        .iter()
        .find(|artifact| artifact["role"] == "LEAF")
        .map(|artifact| {
            artifact["digest"]
                .as_str()
                .unwrap()
                .replace("sha256:", "artifacts/")
        })
        .unwrap();
    incomplete.members.remove(&leaf);
    std::fs::write(&path, incomplete.stamped()).unwrap();
    let judgment = judge(&path, &custody);
    assert!(judgment.intact.fact.holds(), "{}", judgment.intact.sentence);
    assert_eq!(
        judgment.complete.fact.refusal().unwrap().reason(),
        Reason::ArtifactMissing
    );
    assert!(!judgment.replayable.fact.holds() && !judgment.executable_now.fact.holds());

    let judgment = judge(&folder.path().join("nothing"), &custody);
    assert_eq!(
        judgment.intact.fact.refusal().unwrap().reason(),
        Reason::Unreachable
    );
}
