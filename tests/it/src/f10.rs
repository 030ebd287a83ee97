//! F10, forged ADMITTED.
//!
//! **Attack.** Somebody writes a package that says of itself what was never decided, and is good at it: every length, digest
//! and identity is made true again, so that the archive agrees with itself from the container to the last reference. Six
//! forgers come by. One turns a study's result into a production result. One does the same and writes QUALIFIED beside
//! every mapping. One never had a decision: a qualification is invented, carried as an artifact under its own true digest,
//! and named as the ground of an admission for a proposal that Forma refuses. One edits the record's coverage, so that
//! what was deferred counts as shown. One grafts another person's admitted result onto these data. One writes the
//! permission itself into the envelope. A consistent archive looks exactly like an honest one; digests say what it is, and
//! nothing about who decided it.
//!
//! **Owner.** The package loader for what must resolve and agree; the replay owner for whether the record is what the
//! pinned compiler gives; Forma and custody for whether it may be shown now. The mint of execution authorizations takes
//! nothing but a fresh admission.
//!
//! **Required.** No forgery is executable now, none is drawn, and none leads to an authorization. Where the loader can tell,
//! the package does not open; where only the decision's owners can, it opens as a record, and the door refuses with a typed
//! reason. An archive's own promotion is never asked about.
//!
//! **Control.** The honest package, through the same verbs: intact, complete, replayable, executable now, and drawn. And
//! the forger's own stamping, without an edit, which changes nothing.

use forma::{Admission, FormaInput, RequestedUse};
use harness::{Known, Shelf, Told};
use identity::Digest;
use knowledge::wire::v1::DeviceClass;
use package::Capture;
use representation::{Graph, Inputs, Pins};
use serde_json::{Value, json};

use crate::forge::{COMMANDS, FORMA, Forge, MANIFEST};
use crate::program::{json, nemosyne, put};
use crate::road::{Road, road, road_of};
use crate::use_permitted::drop_documents;

const PKG: &str = "one.nemosyne";
const PNG: &str = "one.png";
const GRANT: &str = "study-10";
const DECISION: &str = "position-order-monitor@1";

/// What came of a package at the command line.
struct Met {
    verified: Value,
    rendered: i32,
    drawn: bool,
}

fn met(bytes: &[u8]) -> Met {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    put(folder.path(), PKG, bytes);
    let (_, verified) = json(folder.path(), &["verify", PKG]);
    let ran = nemosyne(folder.path(), &["render", PKG, "--out", PNG, "--size", "160x90"]);
    Met {
        verified,
        rendered: ran.code,
        drawn: folder.path().join(PNG).exists(),
    }
}

fn holds(met: &Met, fact: &str) -> bool {
    met.verified[fact]["holds"] == true
}

/// Refused wherever it could become a picture; returns the code and reason with which the door, or the loader, said so.
fn refused(forger: &str, bytes: &[u8]) -> (String, String) {
    let met = met(bytes);
    assert!(!holds(&met, "executableNow"), "{forger}: {}", met.verified);
    assert_eq!((met.rendered, met.drawn), (1, false), "{forger}");
    let refusal = &met.verified["executableNow"]["refusal"];
    let word = |member: &str| refusal[member].as_str().unwrap_or_default().to_owned();
    (word("code"), word("reason"))
}

/// Refused by the loader: it does not even open.
fn does_not_open(forger: &str, bytes: &[u8]) {
    let (code, _) = refused(forger, bytes);
    assert_eq!(code, "INVALID_INPUT", "{forger}");
    let met = met(bytes);
    assert!(
        !holds(&met, "intact") || !holds(&met, "complete"),
        "{forger}: {}",
        met.verified
    );
}

/// The proposal that Forma refuses for production: order read off free positions in a volume.
fn stereo(road: &Road) -> Graph {
    proposed(road, "scatter_stereo", &road.custody)
}

/// What a recipe proposes under some pins.
pub(crate) fn proposed(road: &Road, recipe: &str, pins: &dyn Pins) -> Graph {
    let recipe = representation::recipe::named(recipe).expect("it is a recipe");
    let leaf = road.analyses.iter().find_map(kernels::Analysis::rows);
    recipe
        .propose(&Inputs {
            snapshot: &road.snapshot,
            context: &road.context,
            obligations: &road.obligations,
            leaf: leaf.expect("rows were projected"),
            proposals: &[],
            pins,
        })
        .unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn input<'a>(
    road: &'a Road,
    graph: &'a Graph,
    known: &'a Known,
    leaves: &'a std::collections::BTreeMap<Digest, kernels::leaf::Columns>,
    requested_use: &'a RequestedUse,
    authorities: &'a Told,
) -> FormaInput<'a> {
    FormaInput {
        snapshot: &road.snapshot,
        context: &road.context,
        obligations: &road.obligations,
        graph,
        proposals: &[],
        manifest: &known.manifest,
        table: &known.table,
        capability: &known.capability,
        receipts: road.receipts.bundle(),
        leaves,
        device: DeviceClass::DesktopMonitor,
        requested_use,
        authorities,
    }
}

pub(crate) fn leaves(road: &Road) -> std::collections::BTreeMap<Digest, kernels::leaf::Columns> {
    let leaves = road.analyses.iter().filter_map(kernels::Analysis::leaf);
    leaves.map(|leaf| (leaf.digest(), leaf.clone())).collect()
}

/// The package of an admission under some knowledge, written by the program's own writer.
pub(crate) fn captured(
    road: &Road,
    graph: &Graph,
    admission: &Admission,
    known: &Known,
    documents: &[Vec<u8>],
) -> Vec<u8> {
    let mut capture = Capture {
        graph,
        manifest: &known.manifest,
        knowledge_artifacts: known
            .table
            .bytes()
            .map(|(digest, bytes)| (*digest, bytes))
            .collect(),
        record: admission.record(),
        plan: admission.plan(),
        ..road.capture()
    };
    for text in documents {
        capture.knowledge_artifacts.push((Digest::of(text), text));
    }
    let mut bytes = Vec::new();
    capture
        .write_to(&mut bytes)
        .unwrap_or_else(|error| panic!("{error}"));
    bytes
}

/// A study's package: admitted under a grant that nobody here has given.
pub(crate) fn studied() -> Vec<u8> {
    let road = road();
    let known = Shelf::of(road.custody.table()).open();
    let graph = stereo(&road);
    let mut told = Told::by(road.custody.clone());
    let documents = harness::documents(GRANT, &graph, &road.custody);
    told.study_runs(documents.terms());
    let requested = RequestedUse::Study {
        authorization: Some(GRANT.to_owned()),
    };
    let leaves = leaves(&road);
    let admission = forma::admit(&input(&road, &graph, &known, &leaves, &requested, &told))
        .unwrap_or_else(|refused| panic!("{}", refused.primary()));
    captured(&road, &graph, &admission, &known, documents.texts())
}

fn to_production(result: &mut Value) {
    assert_eq!(result["permittedUse"], "STUDY_ONLY");
    result["permittedUse"] = json!("PRODUCTION");
    result["inputCommitments"]["requestedUse"] = json!("PRODUCTION");
    let members = result.as_object_mut().expect("a record");
    members.insert("authorizationReference".to_owned(), Value::Null);
    members.remove("study");
}

/// The ledger's word for the use, made to agree with the record.
fn say_production(forged: &mut Forge) {
    forged.edit(COMMANDS, |events| {
        for event in events.as_array_mut().expect("a ledger") {
            if event["kind"] == "ADMIT" {
                event["detail"] = json!("PRODUCTION");
            }
        }
    });
    forged.forge_session();
}

#[test]
fn the_honest_package_is_executable_and_drawn() {
    let honest = road().bytes();
    let restamped = Forge::of(&honest).stamped();
    for (what, bytes) in [("as written", &honest), ("stamped again", &restamped)] {
        let met = met(bytes);
        for fact in ["intact", "complete", "replayable", "executableNow", "trustedBy"] {
            assert!(holds(&met, fact), "{what}: {fact}: {}", met.verified);
        }
        assert_eq!((met.rendered, met.drawn), (0, true), "{what}");
    }
}

#[test]
fn a_studys_result_relabelled_as_production_is_refused() {
    let honest = Forge::of(&studied());
    let (code, _) = refused("nobody", &honest.stamped());
    assert_eq!(code, "USE_NOT_PERMITTED", "a study without its owner");

    let mut flipped = honest.clone();
    flipped.forge_result(to_production);
    drop_documents(&mut flipped);
    say_production(&mut flipped);
    does_not_open("flipped", &flipped.stamped());

    let mut thorough = honest;
    drop_documents(&mut thorough);
    thorough.forge_result(|result| {
        to_production(result);
        for entry in result["perceptualQualifications"].as_array_mut().expect("a list") {
            entry["qualification"] = json!("QUALIFIED");
            if entry["decision"].is_null() {
                entry["decision"] = json!(DECISION);
            }
            if entry["decisionRevision"].is_null() {
                entry["decisionRevision"] = json!(0);
            }
        }
    });
    say_production(&mut thorough);
    let (code, reason) = refused("thorough", &thorough.stamped());
    assert_eq!(
        (code.as_str(), reason.as_str()),
        ("USE_NOT_PERMITTED", "NOT_QUALIFIED"),
        "the door knows no such qualification"
    );
}

/// The forger runs this very program, with knowledge of their own: the archive is what an honest one would be, and even
/// replays by its own lights.
#[test]
fn an_invented_qualification_qualifies_nothing_here() {
    let road = road();
    let mut shelf = Shelf::of(road.custody.table());
    shelf.edit(DECISION, |decision| {
        let mappings = decision["mappings"].as_array_mut().expect("a list");
        for channel in ["position_x", "position_y", "position_z"] {
            mappings.push(json!({ "channel": channel, "arrangement": "FREE_VOLUME" }));
        }
        mappings.sort_by_key(|mapping| {
            (
                mapping["channel"].as_str().unwrap_or_default().to_owned(),
                mapping["arrangement"].as_str().unwrap_or_default().to_owned(),
            )
        });
    });
    shelf.remove("depth-monitor@1");
    let known = shelf.open();
    // The forger's custody vouches for it: their own program would say so.
    let mut told = Told::by(road.custody.clone());
    told.pin(&known.table.pin(DECISION).expect("it was edited, not removed"));
    let (leaves, production) = (leaves(&road), RequestedUse::Production);

    // Under what this program knows, the proposal is refused.
    let graph = stereo(&road);
    let ours = Shelf::of(road.custody.table()).open();
    let honest = Told::by(road.custody.clone());
    let honest = forma::admit(&input(&road, &graph, &ours, &leaves, &production, &honest));
    assert!(honest.is_err(), "the proposal is one that Forma refuses");

    let forged = forma::admit(&input(&road, &graph, &known, &leaves, &production, &told))
        .unwrap_or_else(|refused| panic!("{}", refused.primary()));
    let bytes = captured(&road, &graph, &forged, &known, &[]);
    let met = met(&bytes);
    assert!(
        holds(&met, "intact") && holds(&met, "complete"),
        "it agrees with itself: {}",
        met.verified
    );
    let (code, _) = refused("invented", &bytes);
    assert!(
        ["POLICY_VIOLATION", "USE_NOT_PERMITTED", "BINDING_UNAVAILABLE"].contains(&code.as_str()),
        "{code}"
    );
    assert!(!holds(&met, "trustedBy"), "{}", met.verified);
}

#[test]
fn edited_coverage_is_not_what_the_door_answers() {
    let honest = Forge::of(&road().bytes());
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit); 3] = [
        ("deferred becomes shown", |result| {
            let coverage = result["coverage"].as_array_mut().expect("a list");
            let deferred = coverage.iter_mut().find(|entry| entry["status"] == "DEFERRED");
            deferred.expect("something is deferred")["status"] = json!("COVERED");
        }),
        ("a caveat is struck out", |result| {
            let limitations = result["limitations"].as_array_mut().expect("a list");
            assert!(limitations.pop().is_some());
        }),
        ("a refused variant is forgotten", |result| {
            let refused = result["refusedVariants"].as_array_mut().expect("a list");
            if refused.pop().is_none() {
                result["omissions"] = json!([]);
                result["coverage"].as_array_mut().expect("a list").pop();
            }
        }),
    ];
    for (forger, edit) in edits {
        let mut forged = honest.clone();
        forged.forge_result(edit);
        let bytes = forged.stamped();
        refused(forger, &bytes);
        let met = met(&bytes);
        assert!(!holds(&met, "replayable"), "{forger}: {}", met.verified);
    }
}

/// Another person's admission, of other data, under this package's dataset.
#[test]
fn a_grafted_result_is_refused() {
    const OTHERS: &[u8] = b"species,bill_length_mm,flipper_length_mm,body_mass_g
Adelie,39.2,181,3750
Gentoo,46.1,219,4500
Adelie,36.7,193,3450
Gentoo,50,230,5700
";
    let (own, other) = (
        Forge::of(&road().bytes()),
        Forge::of(&road_of(OTHERS, None).bytes()),
    );

    // The whole envelope of the other, its manifest's identities included.
    let mut transplanted = own.clone();
    transplanted.put(FORMA, &other.json(FORMA));
    let identities = other.json(MANIFEST)["identities"].clone();
    transplanted.edit(MANIFEST, |manifest| manifest["identities"] = identities);
    does_not_open("transplanted", &transplanted.stamped());

    // Their result and plan, with the inputs rewritten to be ours.
    let (ours, theirs) = (own.json(FORMA), other.json(FORMA));
    let mut grafted = own.clone();
    let inputs = ours["results"][0]["body"]["inputCommitments"].clone();
    grafted.forge_plan(|plan| {
        let mut body = theirs["plans"][0]["body"].clone();
        for id in [
            "snapshotId",
            "contextId",
            "obligationSetId",
            "graphId",
            "knowledgeManifestId",
        ] {
            body[id] = ours["plans"][0]["body"][id].clone();
        }
        for variant in body["variants"].as_array_mut().expect("variants") {
            variant["backend"]["graphId"] = ours["plans"][0]["body"]["graphId"].clone();
            variant["backend"]["datasetFingerprint"] =
                ours["plans"][0]["body"]["variants"][0]["backend"]["datasetFingerprint"].clone();
        }
        *plan = body;
    });
    grafted.forge_result(|result| {
        let (plan, digests, index) = (
            result["planId"].clone(),
            result["backendPlanDigests"].clone(),
            result["explanationIndex"].clone(),
        );
        *result = theirs["results"][0]["body"].clone();
        result["inputCommitments"] = inputs;
        result["planId"] = plan;
        result["backendPlanDigests"] = digests;
        result["explanationIndex"] = index;
        result["fixedObligationSetId"] = ours["results"][0]["body"]["fixedObligationSetId"].clone();
        result["knowledgeManifestId"] = ours["results"][0]["body"]["knowledgeManifestId"].clone();
    });
    does_not_open("grafted", &grafted.stamped());
}

/// A permission that is written down is a member nobody knows, wherever it stands.
#[test]
fn a_capability_that_is_written_down_is_refused() {
    let honest = Forge::of(&road().bytes());
    type Edit = fn(&mut Forge);
    let edits: [(&str, Edit); 3] = [
        ("in the envelope", |forged| {
            forged.edit(FORMA, |forma| {
                forma["executionAuthorization"] = json!({ "variant": "desktop", "purpose": "PRODUCTION" });
            });
        }),
        ("in the record", |forged| {
            forged.forge_result(|result| result["status"] = json!("ADMITTED"));
        }),
        ("in the manifest", |forged| {
            forged.edit(MANIFEST, |manifest| manifest["trusted"] = json!(true));
        }),
    ];
    for (forger, edit) in edits {
        let mut forged = honest.clone();
        edit(&mut forged);
        does_not_open(forger, &forged.stamped());
    }
}
