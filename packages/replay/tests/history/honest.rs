//! Packages that are what they say.

use std::io::Cursor;
use std::ops::ControlFlow;

use adoption::{Current, Registration, Runtime};
use custody::Shipped;
use investigation::Investigation;
use kernels::InProcess;
use knowledge::wire::v1::DeviceClass;
use package::{Fact, Limits, Opened, open, open_source};
use replay::{Outcome, ReplayError, adapt, inspect, judge, readmit, replay, rerun, rerun_by};

use crate::road::{ROWS, Road, road};

fn opened(road: &Road) -> Opened {
    open_source(Cursor::new(road.bytes()), &Limits::DEFAULT).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_recorded_plan_is_rebuilt_byte_for_byte() {
    let road = road();
    let replayed = replay(&opened(&road), &Shipped::open().unwrap());
    let Outcome::ExactHistorical { plan_bytes } = &replayed.outcome else {
        panic!("{}", replayed.outcome.refusal().unwrap())
    };
    assert_eq!(
        *plan_bytes,
        identity::canonical::to_vec(road.admission.plan().body()).unwrap()
    );
    assert_eq!(replayed.outcome.word(), "EXACT_HISTORICAL");
    let steps: Vec<&str> = replayed.checks.iter().map(|check| check.what).collect();
    let expected = [
        "dataset",
        "analysis",
        "values",
        "analysis",
        "receipts",
        "snapshot",
        "context",
        "obligations",
        "graph",
        "knowledge",
        "plan",
        "result",
    ];
    assert_eq!(steps, expected);
    assert_eq!(
        replayed.checks.last().unwrap().identity,
        road.admission.record().id().to_string()
    );
}

#[test]
fn the_facts_come_from_the_bytes_again() {
    let road = road();
    let facts = rerun(&opened(&road)).unwrap();
    assert_eq!(facts.dataset().fingerprint(), road.imported.dataset.fingerprint());
    assert_eq!(facts.dataset_bytes(), ROWS);
    assert_eq!(facts.snapshot(), &road.snapshot);
    assert_eq!(facts.receipts(), &road.receipts);
    assert_eq!(facts.analyses().len(), road.analyses.len());
}

#[test]
fn a_repetition_stops_when_told() {
    let road = road();
    let opened = opened(&road);
    let stopped = rerun_by(&InProcess, &opened, &mut |_| ControlFlow::Break(()));
    let Err(ReplayError::Refused { what, refusal }) = stopped else {
        panic!("it was told to stop")
    };
    assert_eq!(what, "analyzing again");
    assert!(refusal.to_string().contains("canceled"), "{refusal}");
    let facts = rerun_by(&InProcess, &opened, &mut kernels::unheard).unwrap();
    assert_eq!(facts.snapshot(), &road.snapshot);
}

#[test]
fn five_facts_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("penguins.nemosyne");
    road().capture().write(&path).unwrap();
    let judgment = judge(&path, &Shipped::open().unwrap());
    for finding in [
        &judgment.intact,
        &judgment.complete,
        &judgment.replayable,
        &judgment.executable_now,
        &judgment.trusted_by,
    ] {
        assert_eq!(finding.fact, Fact::Holds, "{}", finding.sentence);
        assert!(finding.sentence.ends_with('.'), "{}", finding.sentence);
    }
    assert!(
        judgment.trusted_by.sentence.contains("not signed"),
        "{}",
        judgment.trusted_by.sentence
    );
}

#[test]
fn what_is_readmitted_can_be_adopted_in_this_run() {
    let road = road();
    let (package, custody) = (opened(&road), Shipped::open().unwrap());
    let readmitted = readmit(&package, &custody, DeviceClass::DesktopMonitor).unwrap();
    assert_eq!(readmitted.admission.plan(), package.plan());
    assert_eq!(readmitted.admission.record(), package.record());
    assert_eq!(readmitted.leaves().len(), 1);
    let forma::Admission::Production(admitted) = &readmitted.admission else {
        panic!("for production")
    };

    let mut continued = Investigation::from_lineage(package.history().to_lineage(), "this run").unwrap();
    let activation = continued.activate(package.history().active_node_id()).unwrap();
    let runtime = Runtime::new("this run");
    let registration = Registration::new(readmitted.facts.dataset().fingerprint(), 1);
    let now = Current {
        runtime: &runtime,
        registration: &registration,
        activation: &activation,
        device: DeviceClass::DesktopMonitor,
        authorities: &custody,
    };
    let authorization = adoption::mint(admitted, package.active_variant(), &now).unwrap();
    let adopted = authorization.adopt(&now).unwrap();
    assert_eq!(adopted.plan(), package.plan());
}

#[test]
fn another_device_is_an_adaptation_with_lineage() {
    let road = road();
    let (package, custody) = (opened(&road), Shipped::open().unwrap());
    let adapted =
        adapt(&package, &custody, DeviceClass::PcvrHeadset).unwrap_or_else(|no| panic!("{}", no.primary()));
    assert_ne!(adapted.admission.record().id(), package.record().id());
    assert_eq!(adapted.derived_from.result_id, package.record().id());
    assert_eq!(
        adapted.derived_from.investigation_digest,
        package.investigation_digest()
    );
    assert!(
        adapted.derived_from.differences[0].contains("PcvrHeadset"),
        "{:?}",
        adapted.derived_from.differences
    );
    assert_eq!(adapted.outcome().word(), "COMPATIBLE_ADAPTATION");

    assert_eq!(adapted.variant, "stereo_headset");
    let told = &adapted.derived_from.differences;
    assert!(
        told.iter()
            .any(|line| line == "variant: stereo_headset instead of desktop"),
        "{told:?}"
    );

    // What was adapted is written and replays as a result of its own.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("adapted.nemosyne");
    adapted
        .write(&package, &custody, &path)
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    let again = open(&path, &Limits::DEFAULT).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.derived_from(), Some(&adapted.derived_from));
    assert_eq!(again.record(), adapted.admission.record());
    assert_eq!(again.active_variant(), "stereo_headset");
    assert_eq!(again.context().id(), package.context().id(), "the question stays");
    assert!(replay(&again, &custody).outcome.is_exact());

    // Nothing differs for the recorded device, so there is nothing to adapt.
    let refused = adapt(&package, &custody, DeviceClass::DesktopMonitor).unwrap_err();
    assert!(
        refused.primary().cause().text.contains("nothing to adapt"),
        "{}",
        refused.primary()
    );
}

#[test]
fn history_is_looked_at_under_a_mark_in_its_own_run() {
    let road = road();
    let (package, custody) = (opened(&road), Shipped::open().unwrap());
    let runtime = Runtime::new("this run");
    let history = inspect(&package, &custody, &runtime).unwrap();
    assert!(history.mark().starts_with("HISTORICAL"), "{}", history.mark());
    assert_eq!(history.plan(), package.plan());
    assert_eq!(history.variant(), "desktop");
    assert_eq!(history.leaves().values().next(), road.analyses[0].leaf());
    assert!(history.belongs_to(&runtime));
    assert!(!history.belongs_to(&runtime.next_generation()));
    assert!(!history.belongs_to(&Runtime::new("another run")));
}
