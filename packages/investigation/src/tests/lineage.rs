use identity::{Envelope, Limits, canonical, decode};
use refusal::Reason;

use super::fixture::{Build, penguins};
use super::{begun, draft, scope};
use crate::wire::v2::{ContextBody, Lineage};
use crate::{
    BRANCHES_FROM, Context, Draft, EpistemicPurpose, Investigation, InvestigationError, REVISES, Staleness,
};

fn bytes(investigation: &Investigation) -> Vec<u8> {
    canonical::to_vec(&investigation.to_lineage().unwrap()).unwrap()
}

fn reopen(bytes: &[u8]) -> Result<Investigation, InvestigationError> {
    let lineage = decode::<Lineage>(bytes, &Limits::default())?.into_inner();
    Investigation::from_lineage(lineage, "another run")
}

/// A question, its revision, and a branch from the question.
fn three() -> (Investigation, Vec<Context>) {
    let snapshot = penguins().seal();
    let mut investigation = begun();
    let first = draft().commit(&mut investigation, &snapshot).unwrap().clone();
    let second = Draft::editing(&first)
        .unwrap()
        .question("Is mass enough?")
        .commit(&mut investigation, &snapshot);
    let second = second.unwrap().clone();
    let third = Draft::editing(&first)
        .unwrap()
        .purpose(EpistemicPurpose::ExploratoryAbduction);
    let third = third.commit(&mut investigation, &snapshot).unwrap().clone();
    (investigation, vec![first, second, third])
}

#[test]
fn an_edit_makes_a_node_and_never_overwrites() {
    let (investigation, contexts) = three();
    assert_eq!(investigation.contexts(), contexts);
    let nodes: Vec<&str> = contexts
        .iter()
        .map(|context| context.body().node_id.as_str())
        .collect();
    assert_eq!(nodes, ["node:0", "node:1", "node:2"]);
    let revisions: Vec<i64> = contexts
        .iter()
        .map(|context| context.body().context_revision.into())
        .collect();
    assert_eq!(revisions, [0, 1, 2]);
    let edges: Vec<(&str, &str, &str)> = investigation
        .edges()
        .iter()
        .map(|edge| (edge.from.as_str(), edge.to.as_str(), edge.relationship.as_str()))
        .collect();
    assert_eq!(
        edges,
        [("node:0", "node:1", REVISES), ("node:0", "node:2", BRANCHES_FROM)]
    );
    // A change of purpose alone is a change.
    assert_ne!(contexts[0].id(), contexts[2].id());
    assert_eq!(contexts[0].body().perspective, contexts[2].body().perspective);
}

#[test]
fn a_new_draft_continues_the_active_node_and_may_branch() {
    let (mut investigation, _) = three();
    let snapshot = penguins().seal();
    investigation.activate("node:1").unwrap();
    draft()
        .hypothesis("Yes")
        .commit(&mut investigation, &snapshot)
        .unwrap();
    draft()
        .hypothesis("No")
        .branching()
        .commit(&mut investigation, &snapshot)
        .unwrap();
    let last: Vec<(&str, &str)> = investigation.edges()[2..]
        .iter()
        .map(|edge| (edge.from.as_str(), edge.relationship.as_str()))
        .collect();
    assert_eq!(last, [("node:1", REVISES), ("node:3", BRANCHES_FROM)]);
}

#[test]
fn a_revisit_restores_exactly_and_is_a_new_activation() {
    let (mut investigation, contexts) = three();
    let before = bytes(&investigation);
    let away = investigation.activation().unwrap().clone();
    let back = investigation.activate("node:0").unwrap();
    assert_eq!(investigation.active(), Some(&contexts[0]));
    assert_eq!(back.context_id(), contexts[0].id());
    assert!(back.epoch() > away.epoch());
    let again = investigation.activate("node:2").unwrap();
    assert_eq!(again.context_id(), away.context_id());
    assert!(again.epoch() > back.epoch());
    // A to B to A: the first visit of A is stale although A is active.
    let stale = investigation.confirm(&away).unwrap_err();
    assert_eq!(
        stale,
        InvestigationError::Stale {
            node_id: "node:2".to_owned(),
            why: Staleness::Epoch
        }
    );
    assert_eq!(stale.refusal().reason(), Reason::Stale);
    investigation.confirm(&again).unwrap();
    assert_eq!(bytes(&investigation), before);
}

#[test]
fn an_activation_is_stale_for_the_first_thing_that_differs() {
    let (mut investigation, _) = three();
    let snapshot = penguins().seal();
    let current = investigation.activation().unwrap().clone();
    let stored = bytes(&investigation);
    let why = |investigation: &Investigation| match investigation.confirm(&current) {
        Err(InvestigationError::Stale { why, .. }) => Some(why),
        _ => None,
    };
    assert_eq!(why(&investigation), None);
    assert_eq!(why(&begun()), Some(Staleness::NoActiveContext));
    let lineage = || {
        decode::<Lineage>(&stored, &Limits::default())
            .unwrap()
            .into_inner()
    };
    let reloaded = Investigation::from_lineage(lineage(), "run").unwrap();
    assert_eq!(why(&reloaded), Some(Staleness::Generation));
    assert_ne!(reloaded.activation().unwrap().generation(), current.generation());
    let restarted = Investigation::from_lineage(lineage(), "another run").unwrap();
    assert_eq!(why(&restarted), Some(Staleness::Runtime));
    draft().commit(&mut investigation, &snapshot).unwrap();
    assert_eq!(why(&investigation), Some(Staleness::Context));
}

#[test]
fn epochs_run_out_instead_of_starting_again() {
    let (mut investigation, contexts) = three();
    let snapshot = penguins().seal();
    investigation.exhaust_epochs();
    let before = (bytes(&investigation), investigation.activation().unwrap().clone());
    assert_eq!(
        investigation.activate("node:0"),
        Err(InvestigationError::EpochsExhausted)
    );
    let edit = Draft::editing(&contexts[0]).unwrap().question("Another?");
    assert_eq!(
        edit.commit(&mut investigation, &snapshot).unwrap_err(),
        InvestigationError::EpochsExhausted
    );
    assert_eq!(
        (bytes(&investigation), investigation.activation().unwrap().clone()),
        before
    );
    assert_eq!(
        InvestigationError::EpochsExhausted.refusal().reason(),
        Reason::Bounds
    );
    // Reloading begins a generation with epochs of its own.
    let mut reloaded = reopen(&before.0).unwrap();
    edit.commit(&mut reloaded, &snapshot).unwrap();
}

#[test]
fn a_failing_commit_leaves_everything_untouched() {
    let (mut investigation, contexts) = three();
    let snapshot = penguins().seal();
    let editing = || Draft::editing(&contexts[1]).unwrap();
    let (_, other) = three();
    let failing: Vec<(Draft, Reason)> = vec![
        (Draft::new("penguins").scope(&scope()), Reason::NotStated),
        (
            Draft::new("penguins").purpose(EpistemicPurpose::ClaimBearing),
            Reason::NotStated,
        ),
        (editing().variables_of_interest(["a", " "]), Reason::Malformed),
        (
            editing().question("x".repeat(crate::intent::MAX_TEXT + 1)),
            Reason::Bounds,
        ),
        (editing().foreground("no_such"), Reason::AmbiguousReference),
        (
            editing().clear_foreground().foreground("species"),
            Reason::MeasurementUnsupported,
        ),
        (
            editing().clear_foreground().grouping("species"),
            Reason::NotStated,
        ),
        (editing().foreground("body_mass_g"), Reason::Malformed),
        (
            Draft::new("whales")
                .purpose(EpistemicPurpose::ClaimBearing)
                .scope(&scope()),
            Reason::WrongSubject,
        ),
    ];
    let before = (bytes(&investigation), investigation.activation().unwrap().clone());
    for (draft, reason) in &failing {
        let error = draft.commit(&mut investigation, &snapshot).unwrap_err();
        assert_eq!(error.refusal().reason(), *reason, "{error}");
        assert_eq!(bytes(&investigation), before.0);
        assert_eq!(investigation.activation(), Some(&before.1));
    }
    let other_snapshot = Build {
        projections: vec![vec!["flipper_length_mm", "body_mass_g"]],
        ..penguins()
    }
    .seal();
    let unresolved = Draft::editing(&other[1])
        .unwrap()
        .commit(&mut investigation, &other_snapshot)
        .unwrap_err();
    assert_eq!(unresolved.refusal().reason(), Reason::UnresolvedPerspective);
    assert_eq!(
        (bytes(&investigation), investigation.activation().unwrap()),
        (before.0, &before.1)
    );
    // The control: the same draft without its fault.
    editing()
        .variables_of_interest(["a", "b"])
        .commit(&mut investigation, &snapshot)
        .unwrap();
    assert_eq!(investigation.contexts().len(), 4);
    assert!(investigation.activation().unwrap().epoch() > before.1.epoch());
}

#[test]
fn a_base_that_is_not_there_is_refused_with_the_nearest() {
    let (mut investigation, _) = three();
    let error = investigation.activate("node:11").unwrap_err();
    let nearest = Some("node:1".to_owned());
    assert_eq!(
        error,
        InvestigationError::UnknownNode {
            node_id: "node:11".to_owned(),
            nearest
        }
    );
    let mut fresh = begun();
    let (_, contexts) = three();
    let edit = Draft::editing(&contexts[2]).unwrap();
    assert!(matches!(
        edit.commit(&mut fresh, &penguins().seal()),
        Err(InvestigationError::UnknownNode { .. })
    ));
    edit.commit(&mut investigation, &penguins().seal()).unwrap();
}

#[test]
fn a_lineage_survives_being_stored() {
    let (mut investigation, contexts) = three();
    investigation.activate("node:1").unwrap();
    let stored = bytes(&investigation);
    let mut reloaded = reopen(&stored).unwrap();
    assert_eq!(bytes(&reloaded), stored);
    assert_eq!(reloaded.contexts(), contexts);
    assert_eq!(reloaded.active(), Some(&contexts[1]));
    draft().commit(&mut reloaded, &penguins().seal()).unwrap();
    assert_eq!(
        reloaded.edges().last().map(|edge| edge.from.as_str()),
        Some("node:1")
    );
    assert_eq!(
        begun().to_lineage().unwrap_err(),
        InvestigationError::NothingCommitted
    );
}

#[test]
fn a_lineage_that_no_commits_make_is_refused() {
    let (investigation, _) = three();
    let good = || investigation.to_lineage().unwrap();
    Investigation::from_lineage(good(), "run").unwrap();
    type Fault = fn(&mut Lineage);
    let faults: [(&str, Fault, Reason); 14] = [
        (
            "cycle",
            |l| l.edges[0].from = "node:2".to_owned(),
            Reason::Malformed,
        ),
        (
            "self edge",
            |l| l.edges[0].from = "node:1".to_owned(),
            Reason::Malformed,
        ),
        (
            "dangling edge",
            |l| l.edges[1].from = "node:9".to_owned(),
            Reason::Malformed,
        ),
        (
            "edge to elsewhere",
            |l| l.edges[1].to = "node:1".to_owned(),
            Reason::Malformed,
        ),
        ("orphan", |l| drop(l.edges.pop()), Reason::Malformed),
        (
            "two parents",
            |l| l.edges.push(l.edges[1].clone()),
            Reason::Malformed,
        ),
        (
            "revised twice",
            |l| l.edges[1].relationship = REVISES.to_owned(),
            Reason::Malformed,
        ),
        (
            "unknown edge",
            |l| l.edges[0].relationship = "INSPIRES".to_owned(),
            Reason::Malformed,
        ),
        ("order", |l| l.contexts.swap(1, 2), Reason::Malformed),
        (
            "twice",
            |l| l.contexts[2] = l.contexts[1].clone(),
            Reason::Malformed,
        ),
        ("gap", |l| drop(l.contexts.remove(0)), Reason::Malformed),
        (
            "another investigation",
            |l| l.investigation_id = "whales".to_owned(),
            Reason::WrongSubject,
        ),
        (
            "nothing active",
            |l| l.active_node_id = "node:9".to_owned(),
            Reason::AmbiguousReference,
        ),
        (
            "version",
            |l| l.schema_version = super::int(2),
            Reason::UnknownShape,
        ),
    ];
    for (name, fault, reason) in faults {
        let mut lineage = good();
        fault(&mut lineage);
        let error = Investigation::from_lineage(lineage, "run").unwrap_err();
        assert_eq!(error.refusal().reason(), reason, "{name}: {error}");
    }
}

#[test]
fn an_altered_context_is_found() {
    let (investigation, _) = three();
    let stored = String::from_utf8(bytes(&investigation)).unwrap();
    reopen(stored.as_bytes()).unwrap();
    for (from, to, reason) in [
        ("Is mass enough?", "Is mass enough!", Reason::Integrity),
        ("EXPLORATORY_ABDUCTION", "CLAIM_BEARING", Reason::Integrity),
        (
            "\"nodeId\":\"node:1\"",
            "\"nodeId\":\"node:7\"",
            Reason::Integrity,
        ),
        ("\"schemaVersion\":2", "\"schemaVersion\":1", Reason::UnknownShape),
        (
            "\"contextRevision\":1",
            "\"contextRevision\":-1",
            Reason::Malformed,
        ),
        (
            "\"perspective\":{",
            "\"perspective\":{\"filter\":1,",
            Reason::UnknownShape,
        ),
        (
            "\"status\":\"PRESENT\"",
            "\"status\":\"LEGACY_ABSENT\"",
            Reason::UnknownShape,
        ),
    ] {
        assert!(stored.contains(from), "{from}");
        let error = reopen(stored.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert_eq!(error.refusal().reason(), reason, "{from}: {error}");
    }
}

#[test]
fn a_context_travels_in_its_envelope() {
    let (_, contexts) = three();
    let text = contexts[0].to_canonical().unwrap();
    let envelope = decode::<Envelope<ContextBody>>(&text, &Limits::default())
        .unwrap()
        .into_inner();
    assert_eq!(envelope.open().unwrap(), contexts[0]);
    assert!(
        contexts[0]
            .id()
            .to_string()
            .starts_with("investigation-context-v2:")
    );
}

#[test]
fn node_names_of_a_stored_lineage_are_not_taken_again() {
    let (investigation, contexts) = three();
    let mut lineage = investigation.to_lineage().unwrap();
    let mut body = contexts[2].body().clone();
    body.node_id = "node:3".to_owned();
    lineage.contexts[2] = identity::Sealed::seal(body).unwrap().to_wire();
    lineage.edges[1].to = "node:3".to_owned();
    lineage.active_node_id = "node:3".to_owned();
    let mut reloaded = Investigation::from_lineage(lineage, "run").unwrap();
    let context = draft().commit(&mut reloaded, &penguins().seal()).unwrap();
    assert_eq!(context.body().node_id, "node:3.1");
}

#[test]
fn a_legacy_absence_of_intent_stays_one() {
    let snapshot = penguins().seal();
    let mut investigation = begun();
    let legacy = draft()
        .without_recorded_intent()
        .commit(&mut investigation, &snapshot)
        .unwrap()
        .clone();
    let edit = Draft::editing(&legacy).unwrap();
    let kept = edit
        .clone()
        .purpose(EpistemicPurpose::ExploratoryAbduction)
        .commit(&mut investigation, &snapshot);
    assert_eq!(
        kept.unwrap().body().intent,
        crate::wire::v2::Intent::LegacyAbsent {}
    );
    let stated = edit
        .question("Why?")
        .commit(&mut investigation, &snapshot)
        .unwrap();
    assert_ne!(stated.body().intent, crate::wire::v2::Intent::LegacyAbsent {});
}

#[test]
fn investigations_have_names() {
    for (investigation, run) in [("", "run"), ("penguins", "")] {
        let error = Investigation::new(investigation, run).unwrap_err();
        assert!(matches!(error, InvestigationError::EmptyName { .. }));
    }
    let error = Investigation::new("x".repeat(5000), "run").unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::Bounds);
}
