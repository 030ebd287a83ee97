//! What was captured comes back, the same everywhere.

use std::io::Cursor;

use identity::{Digest, canonical};
use package::container::{Archive, Limits as ContainerLimits, Method};
use package::wire::v4::{Derivation, EventKind, Inspiration, Role};
use package::{Fact, FormatVersion, Limits, Step, dispatch, examine, open, open_source};

use crate::forge::{Forge, RECEIPTS, SESSION};
use crate::road::{ROWS, road, road_of};

#[test]
fn what_was_captured_comes_back() {
    let road = road();
    let opened =
        open_source(Cursor::new(road.bytes()), &Limits::DEFAULT).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(opened.record(), road.admission.record());
    assert_eq!(opened.plan(), road.admission.plan());
    assert_eq!(opened.graph(), &road.graph);
    assert_eq!(opened.obligations(), road.obligations.set());
    assert_eq!(opened.context(), &road.context);
    assert_eq!(opened.snapshot(), &road.snapshot);
    assert_eq!(opened.recipe(), &road.imported.recipe);
    assert_eq!(opened.knowledge(), road.custody.manifest());
    assert_eq!(opened.receipts().to_wire(), road.receipts.to_wire());
    assert_eq!(
        opened.obligation_policy().pinned(),
        road.custody.obligation_policy().pinned()
    );
    assert_eq!(opened.active_variant(), "desktop");
    assert_eq!(opened.history().contexts(), road.investigation.contexts());
    assert_eq!(opened.dataset_raw(1 << 20).unwrap(), ROWS);
    assert!(opened.derived_from().is_none());
    for analysis in &road.analyses {
        let content = opened.artifact(&analysis.content_digest(), 1 << 20).unwrap();
        assert_eq!(content, analysis.content_bytes());
    }
    let leaf = road.analyses[0].leaf_bytes().unwrap();
    assert_eq!(opened.leaves().collect::<Vec<_>>(), [Digest::of(leaf)]);
    assert_eq!(opened.artifact(&Digest::of(leaf), 1 << 20).unwrap(), leaf);
    let kinds: Vec<EventKind> = opened.events().iter().map(|event| event.kind).collect();
    let road_taken = [
        EventKind::Load,
        EventKind::Analyze,
        EventKind::Analyze,
        EventKind::Derive,
        EventKind::Commit,
        EventKind::Derive,
        EventKind::Propose,
        EventKind::Admit,
    ];
    assert_eq!(kinds, road_taken);
    let run: Vec<String> = road
        .analyses
        .iter()
        .map(|analysis| analysis.content_digest().to_string())
        .collect();
    let ledger: Vec<&String> = opened.events()[1..3].iter().map(|event| &event.subject).collect();
    assert_eq!(
        ledger,
        run.iter().collect::<Vec<_>>(),
        "analyses stand in the order in which they were run"
    );
    let roles = |role| {
        opened
            .artifacts()
            .iter()
            .filter(|artifact| artifact.role == role)
            .count()
    };
    assert_eq!(
        (roles(Role::Content), roles(Role::Leaf), roles(Role::Policy)),
        (2, 1, 4)
    );
}

#[test]
fn two_folders_hold_the_same_bytes() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let paths = [
        a.path().join("one.nemosyne"),
        b.path().join("another name.nemosyne"),
    ];
    let written = paths.each_ref().map(|path| road().capture().write(path).unwrap());
    let bytes = paths.each_ref().map(|path| std::fs::read(path).unwrap());
    assert_eq!(written[0], written[1]);
    assert!(bytes[0] == bytes[1]);
    assert_eq!(written[0].sha256, Digest::of(&bytes[0]));
    assert_eq!(written[0].bytes, bytes[0].len() as u64);
    let opened = open(&paths[0], &Limits::DEFAULT).unwrap();
    assert_eq!(opened.investigation_digest(), written[0].investigation_digest);
    assert_eq!(opened.manifest().manifest_id, written[0].manifest_id);
    assert_eq!(dispatch(&paths[0]).unwrap(), FormatVersion::V4);
    let (verdict, again) = examine(&paths[0], &Limits::DEFAULT);
    assert_eq!((verdict.intact, verdict.complete), (Fact::Holds, Fact::Holds));
    assert!(again.is_some());
}

#[test]
fn the_digest_commits_content_and_not_its_compression() {
    let road = road();
    let bytes = road.bytes();
    let opened = open_source(Cursor::new(bytes.clone()), &Limits::DEFAULT).unwrap();
    let forge = Forge::of(&bytes);
    assert_eq!(
        forge.stamped(),
        bytes,
        "the forger computes the same digests by a road of its own"
    );

    // The same members, all stored.
    let mut writer = package::container::Writer::new(Vec::new());
    for (name, content) in forge.members.iter().filter(|(name, _)| *name != "manifest.json") {
        writer
            .add(name, content, package::container::Compression::Stored)
            .unwrap();
    }
    let records = writer.ledger().records().to_vec();
    let stored = forge.stamped_with(|manifest| manifest["members"] = serde_json::to_value(&records).unwrap());
    let manifest = Forge::of(&stored).members["manifest.json"].clone();
    writer
        .add(
            "manifest.json",
            &manifest,
            package::container::Compression::Stored,
        )
        .unwrap();
    let again = writer.finish().unwrap();
    assert_ne!(again.len(), bytes.len());
    let mut archive = Archive::walk(Cursor::new(again.clone()), &ContainerLimits::PACKAGE).unwrap();
    assert_eq!(archive.member(SESSION).unwrap().method(), Method::Stored);
    assert!(archive.digest(SESSION).is_ok());
    let uncompressed = open_source(Cursor::new(again), &Limits::DEFAULT).unwrap();
    assert_eq!(uncompressed.investigation_digest(), opened.investigation_digest());
    assert_ne!(uncompressed.manifest().manifest_id, opened.manifest().manifest_id);
}

#[test]
fn the_session_is_the_v3_projection() {
    let forge = Forge::of(&road().bytes());
    let session = forge.json(SESSION);
    assert_eq!(session["algorithm"], "sha256-canonical-investigation-v3");
    assert_eq!(session["schemaVersion"], 3);
    assert_eq!(session["analyticalState"]["rowCount"], 6);
    assert_eq!(session["analyticalState"]["columnCount"], 4);
    assert_eq!(session["governedEvidence"]["envelope"], forge.json(RECEIPTS));
    let member = Digest::of(&forge.members[RECEIPTS]).hex();
    assert_eq!(session["governedEvidence"]["memberDigest"], member);
    for text in forge
        .members
        .iter()
        .filter(|(name, _)| name.ends_with(".json") || name.ends_with(".log"))
    {
        let value: serde_json::Value = serde_json::from_slice(text.1).unwrap();
        assert_eq!(
            &canonical::to_vec(&value).unwrap(),
            text.1,
            "{} is canonical",
            text.0
        );
    }
}

#[test]
fn lineage_of_an_adaptation_is_kept() {
    let road = road();
    let first = open_source(Cursor::new(road.bytes()), &Limits::DEFAULT).unwrap();
    let other = road_of(ROWS, Some("species"));
    let derived_from = Derivation {
        investigation_digest: first.investigation_digest(),
        result_id: other.admission.record().id(),
        differences: vec!["device: a headset instead of a monitor".to_owned()],
    };
    let capture = package::Capture {
        derived_from: Some(derived_from.clone()),
        ..road.capture()
    };
    let mut bytes = Vec::new();
    capture.write_to(&mut bytes).unwrap();
    let adapted = open_source(Cursor::new(bytes), &Limits::DEFAULT).unwrap();
    assert_eq!(adapted.derived_from(), Some(&derived_from));
    assert_ne!(adapted.investigation_digest(), first.investigation_digest());
    let last = adapted.events().last().unwrap();
    assert_eq!(last.kind, EventKind::Adapt, "the act is in the ledger");
    assert_eq!(last.subject, adapted.record().id().to_string());
    assert_eq!(last.detail, derived_from.result_id.to_string());
    assert!(first.events().iter().all(|event| event.kind != EventKind::Adapt));

    // Nothing is adapted from itself, or without a difference.
    let itself = Derivation {
        result_id: first.record().id(),
        ..derived_from.clone()
    };
    let equal = Derivation {
        differences: vec![" ".to_owned()],
        ..derived_from
    };
    for derivation in [itself, equal] {
        let capture = package::Capture {
            derived_from: Some(derivation),
            ..road.capture()
        };
        let error = capture.write_to(&mut Vec::new()).unwrap_err();
        assert_eq!(error.step(), Step::References, "{error}");
    }
}

/// How a graph came to the door is kept, and a graph that no recipe signs is not passed off as a recipe's.
#[test]
fn a_submitted_graph_is_recorded_as_submitted() {
    use package::wire::v4::Origin;
    let road = road();
    let origin = Origin::Submitted {
        digest: identity::Digest::of(b"a file"),
        bytes: 6,
    };
    let capture = package::Capture {
        origin: origin.clone(),
        ..road.capture()
    };
    let mut bytes = Vec::new();
    capture.write_to(&mut bytes).unwrap();
    let opened = open_source(Cursor::new(bytes), &Limits::DEFAULT).unwrap();
    assert_eq!(opened.generation_record().origin, origin);
    let proposed = opened
        .events()
        .iter()
        .find(|event| event.kind == EventKind::Propose)
        .unwrap();
    assert!(
        proposed.detail.starts_with("submitted sha256:"),
        "{}",
        proposed.detail
    );
}

#[test]
fn what_inspired_a_proposal_is_kept_and_changes_nothing_else() {
    let road = road();
    let plain = open_source(Cursor::new(road.bytes()), &Limits::DEFAULT).unwrap();
    let inspiration = |digit: &str, tag: &str| Inspiration {
        judgment_id: format!("{tag}:{}", digit.repeat(64)),
        author: "Ada Example".to_owned(),
        confirmed_by: "Rea Reviewer".to_owned(),
    };
    let (critique, meaning) = (
        inspiration("1", "embodiment-critique-v1"),
        inspiration("2", "human-meaning-judgment-v1"),
    );
    let written = |inspired_by: Vec<Inspiration>| {
        let mut bytes = Vec::new();
        let capture = package::Capture {
            inspired_by,
            ..road.capture()
        };
        capture.write_to(&mut bytes).map(|_| bytes)
    };
    let bytes = written(vec![critique.clone(), meaning.clone()]).unwrap();
    let inspired = open_source(Cursor::new(bytes), &Limits::DEFAULT).unwrap();
    assert_eq!(
        inspired.generation_record().inspired_by,
        [critique.clone(), meaning.clone()]
    );
    assert_eq!(
        inspired.identities(),
        plain.identities(),
        "the decision is the same"
    );

    let no_judgment = Inspiration {
        judgment_id: plain.record().id().to_string(),
        ..critique.clone()
    };
    let nobody = Inspiration {
        confirmed_by: " ".to_owned(),
        ..critique.clone()
    };
    for refused in [
        vec![no_judgment],
        vec![nobody],
        vec![critique.clone(), critique.clone()],
        vec![meaning, critique],
    ] {
        let error = written(refused).unwrap_err();
        assert_eq!(error.step(), Step::References, "{error}");
    }
}

#[test]
fn what_does_not_belong_together_is_not_written() {
    let road = road();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.nemosyne");
    road.capture().write(&path).unwrap();
    let before = std::fs::read(&path).unwrap();
    let mut without_knowledge = road.capture();
    without_knowledge.knowledge_artifacts.remove(0);
    without_knowledge.policies.clear();
    let mut altered = road.capture();
    altered.knowledge_artifacts[0].1 = b"{}";
    let other_variant = package::Capture {
        active_variant: "billboard",
        ..road.capture()
    };
    let mut receipts = road.receipts.to_wire().clone();
    receipts.bundle.receipts[0].limitations.clear();
    receipts.bundle.receipts[0].estimand.push('!');
    let other_receipts = package::Capture {
        receipts: &receipts,
        ..road.capture()
    };
    let no_analyses = package::Capture {
        analyses: &[],
        ..road.capture()
    };
    for (capture, step) in [
        (without_knowledge, Step::References),
        (altered, Step::Identities),
        (other_variant, Step::References),
        (other_receipts, Step::References),
        (no_analyses, Step::References),
    ] {
        let error = capture.write(&path).unwrap_err();
        assert_eq!(error.step(), step, "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), before, "the last good file stays");
    }
    let missing = folder.path().join("no such folder/x.nemosyne");
    let error = road.capture().write(&missing).unwrap_err();
    assert!(error.refusal().cause().text.contains("does not exist"), "{error}");
}

#[test]
fn real_penguins_in_groups_stay_within_the_bounds() {
    let rows = include_bytes!("../../../../assets/samples/penguins.csv");
    let road = road_of(rows, Some("species"));
    let bytes = road.bytes();
    let opened = open_source(Cursor::new(bytes), &Limits::DEFAULT).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(opened.plan(), road.admission.plan());
    assert_eq!(opened.session().analytical_state.row_count.get(), 344);
}
