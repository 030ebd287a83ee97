//! Edits by someone who knows the format: each one is refused at its step, in its place, and the same package without
//! the edit opens.

use std::io::Cursor;

use package::{Limits, PackageError, Step, open_source};
use refusal::Reason;
use serde_json::{Value, json};

use crate::forge::{COMMANDS, FORMA, Forge, GRAPH, IMPORT, RECEIPTS, SESSION, identity};
use crate::road::road;

pub(crate) fn forge() -> Forge {
    Forge::of(&road().bytes())
}

pub(crate) fn refused(bytes: Vec<u8>) -> PackageError {
    match open_source(Cursor::new(bytes), &Limits::DEFAULT) {
        Ok(_) => panic!("the forgery opened"),
        Err(error) => error,
    }
}

pub(crate) type Edit = fn(&mut Value);

/// Edits members as JSON, stamps everything true again, and expects a refusal that names the step and the place.
fn each_is_refused(cases: &[(&str, Edit, Step, &str)]) {
    let honest = forge();
    open_source(Cursor::new(honest.stamped()), &Limits::DEFAULT).unwrap();
    for (member, edit, step, place) in cases {
        let mut forged = honest.clone();
        forged.edit(member, edit);
        assert_ne!(
            forged.members[*member], honest.members[*member],
            "{place} was not edited"
        );
        let error = refused(forged.stamped());
        assert_eq!(error.step(), *step, "{place}: {error}");
        let text = error.to_string();
        assert!(text.contains(place), "{place}: {text}");
        assert!(text.contains(member), "{member}: {text}");
    }
}

#[test]
fn an_edited_body_is_not_what_it_stands_under() {
    each_is_refused(&[
        (
            FORMA,
            |forma| forma["results"][0]["body"]["permittedUse"] = json!("STUDY_ONLY"),
            Step::Identities,
            "/results/0",
        ),
        (
            FORMA,
            |forma| forma["results"][0]["body"]["limitations"] = json!([]),
            Step::Identities,
            "/results/0",
        ),
        (
            FORMA,
            |forma| forma["plans"][0]["body"]["routes"] = json!([]),
            Step::Identities,
            "/plans/0",
        ),
        (
            FORMA,
            |forma| forma["graphs"][0]["body"]["generatedBy"]["name"] = json!("somebody"),
            Step::Identities,
            "/graphs/0",
        ),
        (
            FORMA,
            |forma| forma["snapshots"][0]["body"]["limitations"] = json!([]),
            Step::Identities,
            "/snapshots/0",
        ),
        (
            FORMA,
            |forma| forma["obligationSets"][0]["body"]["obligations"] = json!([]),
            Step::Identities,
            "/obligationSets/0",
        ),
        (
            FORMA,
            |forma| forma["manifests"][0]["body"]["entries"] = json!([]),
            Step::Identities,
            "/manifests/0",
        ),
        (
            IMPORT,
            |recipe| recipe["body"]["name"] = json!("gentoos"),
            Step::Identities,
            "data/import.json",
        ),
        (
            GRAPH,
            |graph| graph["contexts"][0]["body"]["intent"]["value"]["researchQuestion"] = json!("Is it so?"),
            Step::Identities,
            "/contexts/0",
        ),
    ]);
}

#[test]
fn an_admission_for_one_use_is_not_one_for_another() {
    let mut forged = forge();
    forged.edit(FORMA, |forma| {
        let body = &mut forma["results"][0]["body"];
        assert_eq!(body["permittedUse"], "PRODUCTION");
        body["permittedUse"] = json!("STUDY_ONLY");
        body["inputCommitments"]["requestedUse"] = json!("STUDY_ONLY");
        body["authorizationReference"] = json!("a grant");
        let digest = format!("sha256:{}", "0".repeat(64));
        let id = |tag: &str| format!("{tag}:{}", "0".repeat(64));
        body["study"] = json!({
            "authorizationId": id("study-authorization-v1"),
            "authorizationDigest": digest,
            "freezeId": id("study-freeze-v2"),
            "freezeDigest": digest,
            "protocolId": id("study-protocol-v1"),
            "protocolDigest": digest,
        });
    });
    match refused(forged.stamped()) {
        PackageError::Identity { pointer, .. } => assert_eq!(pointer, "/results/0"),
        other => panic!("{other}"),
    }
}

#[test]
fn an_identity_that_was_edited_is_not_the_hash_of_its_body() {
    let tags = [
        ("snapshots", "snapshotId", "semantic-snapshot-v1"),
        ("obligationSets", "obligationSetId", "semantic-obligations-v1"),
        ("graphs", "graphId", "representation-graph-v2"),
        ("manifests", "manifestId", "forma-knowledge-manifest-v1"),
        ("results", "resultId", "forma-result-v1"),
        ("plans", "planId", "perceptual-plan-v1"),
    ];
    for (table, member, tag) in tags {
        let mut forged = forge();
        forged.edit(FORMA, |forma| {
            let claimed = forma[table][0][member].clone();
            assert_eq!(claimed, identity(tag, &forma[table][0]["body"]), "{table}");
            forma[table][0][member] = json!(format!("{tag}:{}", "0".repeat(64)));
        });
        let error = refused(forged.stamped());
        assert!(matches!(error, PackageError::Identity { .. }), "{table}: {error}");
        assert_eq!(error.refusal().reason(), Reason::Integrity);
    }
}

#[test]
fn a_link_that_leads_nowhere_is_a_broken_reference() {
    each_is_refused(&[
        (
            FORMA,
            |forma| forma["activeResultId"] = json!(format!("forma-result-v1:{}", "0".repeat(64))),
            Step::References,
            "/activeResultId",
        ),
        (
            FORMA,
            |forma| forma["activeVariant"] = json!("billboard"),
            Step::References,
            "/activeVariant",
        ),
        (
            FORMA,
            |forma| forma["contextRef"] = json!(format!("investigation-context-v2:{}", "0".repeat(64))),
            Step::References,
            "/contextRef",
        ),
        (
            FORMA,
            |forma| forma["epistemicBindingsRef"] = json!(format!("sha256:{}", "0".repeat(64))),
            Step::References,
            "/epistemicBindingsRef",
        ),
        (
            FORMA,
            |forma| forma["generationRecordRef"]["generatedBy"]["name"] = json!("somebody"),
            Step::References,
            "/generationRecordRef/generatedBy",
        ),
        (
            FORMA,
            |forma| forma["conjecturalProposalRefs"] = json!([format!("conjectural-proposal-v1:{:064}", 7)]),
            Step::References,
            "/conjecturalProposalRefs",
        ),
        (
            FORMA,
            |forma| forma["staticCapture"]["reason"] = json!(""),
            Step::References,
            "/staticCapture/reason",
        ),
        (
            FORMA,
            |forma| forma["staticCapture"]["status"] = json!("CAPTURED"),
            Step::ClosedDecode,
            "/staticCapture",
        ),
        (
            FORMA,
            |forma| forma["envelopeVersion"] = json!(2),
            Step::References,
            "/envelopeVersion",
        ),
        (
            FORMA,
            |forma| forma["artifacts"][0]["length"] = json!(1),
            Step::References,
            "/artifacts/0",
        ),
        (
            FORMA,
            |forma| forma["artifacts"][0]["role"] = json!("LEAF"),
            Step::References,
            "/artifacts/0",
        ),
        (
            FORMA,
            |forma| drop(forma["artifacts"].as_array_mut().unwrap().remove(3)),
            Step::References,
            "/artifacts",
        ),
        (
            FORMA,
            |forma| forma["artifacts"].as_array_mut().unwrap().swap(0, 1),
            Step::ClosedDecode,
            "/artifacts",
        ),
        (
            FORMA,
            |forma| forma["plans"] = json!([]),
            Step::References,
            "/plans",
        ),
        (
            FORMA,
            |forma| {
                let twice = forma["graphs"][0].clone();
                forma["graphs"].as_array_mut().unwrap().push(twice);
            },
            Step::References,
            "/graphs/1",
        ),
        (
            GRAPH,
            |graph| graph["activeNodeId"] = json!("node:9"),
            Step::References,
            "",
        ),
        (
            GRAPH,
            |graph| graph["edges"] = json!([{"from": "a", "relationship": "REVISES", "to": "b"}]),
            Step::References,
            "",
        ),
        (
            GRAPH,
            |graph| graph["investigationId"] = json!("another"),
            Step::References,
            "",
        ),
        (
            GRAPH,
            |graph| graph["schemaVersion"] = json!(2),
            Step::Identities,
            "/schemaVersion",
        ),
    ]);
}

#[test]
fn the_ledger_says_what_happened_in_an_order_that_could_have() {
    each_is_refused(&[
        (
            COMMANDS,
            |events| events[2]["sequence"] = json!(7),
            Step::References,
            "/2/sequence",
        ),
        (
            COMMANDS,
            |events| drop(events.as_array_mut().unwrap().pop()),
            Step::References,
            "nothing here is the line that made",
        ),
        (
            COMMANDS,
            |events| {
                events[0]["sequence"] = json!(1);
                events[1]["sequence"] = json!(0);
                events.as_array_mut().unwrap().swap(0, 1);
            },
            Step::References,
            "the step before",
        ),
        (
            COMMANDS,
            |events| {
                let mut again = events[0].clone();
                again["sequence"] = json!(events.as_array().unwrap().len());
                events.as_array_mut().unwrap().push(again);
            },
            Step::References,
            "/8/subject",
        ),
        (
            COMMANDS,
            |events| events[0]["detail"] = json!("by hand"),
            Step::References,
            "/0/subject",
        ),
        (
            COMMANDS,
            |events| events[7]["detail"] = json!("STUDY_ONLY"),
            Step::References,
            "/7/subject",
        ),
        (
            COMMANDS,
            |events| events[0]["kind"] = json!("NIL"),
            Step::ClosedDecode,
            "/0/kind",
        ),
        (
            COMMANDS,
            |events| *events = json!({}),
            Step::ClosedDecode,
            "shape",
        ),
    ]);
}

#[test]
fn the_session_projection_is_the_one_that_the_members_give() {
    each_is_refused(&[
        (
            SESSION,
            |session| session["schemaVersion"] = json!(2),
            Step::References,
            "/schemaVersion",
        ),
        (
            SESSION,
            |session| session["algorithm"] = json!("sha256-canonical-investigation-v4"),
            Step::References,
            "/algorithm",
        ),
        (
            SESSION,
            |session| session["kernelVersion"] = json!("another"),
            Step::References,
            "/kernelVersion",
        ),
        (
            SESSION,
            |session| session["analyticalState"]["rowCount"] = json!(5),
            Step::References,
            "/analyticalState/rowCount",
        ),
        (
            SESSION,
            |session| session["analyticalState"]["columnCount"] = json!(3),
            Step::References,
            "/analyticalState/columnCount",
        ),
        (
            SESSION,
            |session| session["datasetFingerprint"] = json!("0".repeat(64)),
            Step::References,
            "/datasetFingerprint",
        ),
        (
            SESSION,
            |session| session["immutableDatasetFingerprint"] = json!("0".repeat(64)),
            Step::References,
            "/immutableDatasetFingerprint",
        ),
        (
            SESSION,
            |session| session["eventHashes"][0] = json!("0".repeat(64)),
            Step::References,
            "/eventHashes",
        ),
        (
            SESSION,
            |session| session["resultHashes"].as_array_mut().unwrap().reverse(),
            Step::References,
            "/resultHashes",
        ),
        (
            SESSION,
            |session| session["findingHashes"] = json!(["0".repeat(64)]),
            Step::References,
            "/findingHashes",
        ),
        (
            SESSION,
            |session| session["nilOutcomeHashes"] = json!(["0".repeat(64)]),
            Step::References,
            "/nilOutcomeHashes",
        ),
        (
            SESSION,
            |session| session["governedEvidence"]["memberDigest"] = json!("0".repeat(64)),
            Step::References,
            "/governedEvidence/memberDigest",
        ),
        (
            SESSION,
            |session| session["governedEvidence"]["envelope"]["uses"] = json!([]),
            Step::References,
            "/governedEvidence/envelope",
        ),
    ]);
}

#[test]
fn receipts_of_other_content_are_not_those_that_were_used() {
    let mut forged = forge();
    forged.edit(RECEIPTS, |receipts| {
        receipts["bundle"]["receipts"][0]["estimand"] = json!("whatever");
    });
    forged.forge_session();
    let error = refused(forged.stamped());
    assert_eq!(error.step(), Step::References, "{error}");
    assert!(error.to_string().contains("the receipts' digest"), "{error}");

    let mut forged = forge();
    forged.edit(RECEIPTS, |receipts| receipts["uses"] = json!([]));
    forged.forge_session();
    let error = refused(forged.stamped());
    assert!(error.to_string().contains("evidenceUses/0"), "{error}");

    let mut forged = forge();
    forged.edit(RECEIPTS, |receipts| {
        let first = receipts["uses"][0].clone();
        receipts["uses"].as_array_mut().unwrap().push(first);
    });
    forged.forge_session();
    assert_eq!(refused(forged.stamped()).step(), Step::References);
}

#[test]
fn a_forgery_that_is_consistent_in_itself_opens_as_what_it_is() {
    let road = road();
    let mut forged = Forge::of(&road.bytes());
    forged.forge_plan(|plan| {
        let elements = plan["variants"][0]["backend"]["elements"].as_array_mut().unwrap();
        let points = elements
            .iter_mut()
            .find(|element| element["primitive"] == "POINTS")
            .unwrap();
        points["parameters"]["opacity"] = json!(0.125);
    });
    let opened = open_source(Cursor::new(forged.stamped()), &Limits::DEFAULT)
        .unwrap_or_else(|error| panic!("hashes prove no author: {error}"));
    // Another plan and another result: it can't pass as the one that was admitted.
    assert_ne!(opened.plan(), road.admission.plan());
    assert_ne!(opened.record(), road.admission.record());
    assert_eq!(
        opened.record().body().permitted_use,
        road.admission.record().body().permitted_use
    );
}
