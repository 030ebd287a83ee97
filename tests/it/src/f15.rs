//! F15, conjecture laundering.
//!
//! Attack: what somebody merely supposed is walked, step by step, to where it looks like something known. The same file is
//! offered under a question that bears claims. A proposal sealed for one table is handed in with another. A package in which
//! the conjecture was honestly marked is edited: the status is moved nearer to the data, in the binding or in the proposal;
//! the purpose of the recorded question becomes claim-bearing; a binding calls itself grounded; the words beside the mark,
//! the line on the board or the shape are taken away or made to look like data; a grounded primitive comes to rest on the
//! conjecture; the proposal is named as the evidence that qualifies a mapping; a promotion is written where the conjecture
//! stands. Every digest and every identity is made true again each time, so that nothing but the rule itself can refuse.
//! The decision of the seam missed it: section 12 asks what forges evidence, and this forges none. It relabels.
//!
//! Owner: `conjecture` for statuses, dependencies and belonging; `representation` for the line between grounded and
//! conjectural in graphs; Forma for purpose and marking on every device; the plan and package loader for everything written
//! down.
//!
//! Required: CLAIM_NOT_ADMISSIBLE / CONJECTURE_AS_CLAIM where conjecture would claim or be relied on, CONTEXT_INCOMPATIBLE
//! where it belongs elsewhere, POLICY_VIOLATION where its mark is dropped, INVALID_INPUT where a record contradicts itself;
//! no package is written and no archive opens. A promotion exists only as a new decision over another snapshot that names
//! what it came from.
//!
//! Control: through the same doors, the exploratory admission draws the conjecture marked on every device variant, its
//! package verifies and replays exactly, and EXPLAIN leads from the mark to assumptions and generator and to no receipt; the
//! archive that was taken apart and put together without an edit opens; a promotion over new data is written.

mod archive;
mod submitted;

use std::io::Cursor;
use std::path::Path;

use harness::{Spec, World, edit, tables};
use investigation::EpistemicPurpose;
use knowledge::wire::v1::EntryKind;
use package::{Limits, Opened};
use refusal::{Code, Reason};
use representation::wire::v2::{Channel, Edge, Relation, Semantic};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{self, nemosyne, put, with_penguins};

const FILE: &str = "conjecture.json";

/// The arguments of the exploratory admission, with changes.
fn arguments<'a>(table: &'a str, change: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let mut arguments = vec![
        "admit",
        table,
        "--question",
        "What would a richer diet do?",
        "--foreground",
        "flipper_length_mm,body_mass_g,bill_length_mm",
        "--group",
        "species",
        "--purpose",
        "exploratory",
        "--conjecture",
        FILE,
        "--out",
        "supposed.nemosyne",
    ];
    for (flag, value) in change {
        match arguments.iter().position(|it| it == flag) {
            Some(at) => arguments[at + 1] = value,
            None => arguments.extend([flag, value]),
        }
    }
    arguments
}

/// A folder with the penguins and what is supposed about them.
fn folder() -> TempDir {
    let folder = with_penguins();
    put(folder.path(), FILE, tables::PENGUIN_CONJECTURE);
    folder
}

/// The package of the exploratory admission, made once.
fn package() -> &'static [u8] {
    static PACKAGE: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| {
        let folder = folder();
        nemosyne(folder.path(), &arguments("penguins.csv", &[])).done();
        std::fs::read(folder.path().join("supposed.nemosyne")).expect("it was written")
    });
    &PACKAGE
}

fn refused(folder: &Path, arguments: &[&str], code: Code, reason: Reason) -> String {
    let ran = nemosyne(folder, arguments).refused();
    let said = ran.out + &ran.err;
    assert!(
        said.contains(&format!("REFUSED {code} / {reason}")),
        "{code} / {reason} expected: {said}"
    );
    said
}

#[test]
fn the_exploratory_admission_draws_it_marked_verifies_replays_and_explains() {
    let folder = folder();
    let ran = nemosyne(folder.path(), &arguments("penguins.csv", &[])).done();
    assert!(
        ran.out
            .contains("counterfactual, not evidence: a well-fed Adelie"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("assumes only mass changes"), "{}", ran.out);
    nemosyne(folder.path(), &["verify", "supposed.nemosyne"]).done();
    let replayed = nemosyne(folder.path(), &["replay", "supposed.nemosyne"]).done();
    assert!(replayed.out.contains("EXACT_HISTORICAL"), "{}", replayed.out);
    let told = nemosyne(
        folder.path(),
        &["explain", "supposed.nemosyne", "--property", "well-fed"],
    )
    .done()
    .out;
    for words in [
        "conjecture.well-fed.volume/position_y  shows the conjecture well-fed, counterfactual",
        "no receipt stands behind it",
        "assumes    only mass changes",
        "rests on   body_mass_g",
        "generator  person the authors of Nemosyne 1, trusted for nothing",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(!told.contains("  receipt "), "{told}");
    let row = nemosyne(folder.path(), &["explain", "supposed.nemosyne", "--row", "17"])
        .done()
        .out;
    assert!(row.contains("  receipt ") && !row.contains("conjecture"), "{row}");

    let opened = open(package()).expect("it opens");
    let variants = &opened.plan().body().variants;
    assert_eq!(variants.len(), 3);
    for variant in variants {
        for name in ["well-fed", "divide"] {
            let texts: Vec<String> = variant
                .backend
                .elements
                .iter()
                .filter(|element| {
                    element
                        .supposed
                        .as_ref()
                        .is_some_and(|supposed| supposed.element_id == name)
                })
                .filter_map(|element| plan::element::Label::read(element).ok())
                .map(|label| label.text)
                .collect();
            let says = |start: &str| texts.iter().any(|text| text.starts_with(start));
            assert!(
                says("Conjecture: ") && says("Conjecture, not evidence: "),
                "{name}: {texts:?}"
            );
        }
    }
    assert!(
        !format!("{:?}", opened.snapshot().body()).contains("well-fed"),
        "the snapshot never holds it"
    );
}

#[test]
fn the_same_conjecture_bears_no_claim() {
    let folder = folder();
    let said = refused(
        folder.path(),
        &arguments("penguins.csv", &[("--purpose", "claim-bearing")]),
        Code::ClaimNotAdmissible,
        Reason::ConjectureAsClaim,
    );
    assert!(said.contains("only supposed"), "{said}");
    assert!(
        !folder.path().join("supposed.nemosyne").exists(),
        "a refusal leaves no package"
    );
    nemosyne(folder.path(), &arguments("penguins.csv", &[])).done();
}

#[test]
fn a_proposal_for_another_snapshot_or_question_belongs_elsewhere() {
    let folder = folder();
    let (code, answer) = program::json(folder.path(), &arguments("penguins.csv", &[]));
    assert_eq!(code, 0, "{answer}");
    let sealed = answer["conjecture"][0].to_string();
    put(folder.path(), "sealed.json", sealed.as_bytes());
    let text = String::from_utf8(tables::PENGUINS.to_vec()).expect("it is text");
    let (shorter, _) = text.trim_end().rsplit_once('\n').expect("it has rows");
    put(folder.path(), "fewer.csv", format!("{shorter}\n").as_bytes());
    for change in [
        arguments("fewer.csv", &[("--conjecture", "sealed.json")]),
        arguments(
            "penguins.csv",
            &[("--conjecture", "sealed.json"), ("--question", "And the bill?")],
        ),
    ] {
        refused(
            folder.path(),
            &change,
            Code::ContextIncompatible,
            Reason::WrongSubject,
        );
    }
    let (code, again) = program::json(
        folder.path(),
        &arguments("penguins.csv", &[("--conjecture", "sealed.json")]),
    );
    assert_eq!(code, 0, "{again}");
    assert_eq!(again["resultId"], answer["resultId"]);
}

#[test]
fn a_status_nearer_than_its_ground_is_refused_before_anything_is_drawn() {
    let folder = folder();
    let mut draft: Value = serde_json::from_slice(tables::PENGUIN_CONJECTURE).expect("it is JSON");
    draft["elements"][1]["dependsOn"] = json!([{ "kind": "ELEMENT", "elementId": "well-fed" }]);
    put(folder.path(), FILE, draft.to_string().as_bytes());
    refused(
        folder.path(),
        &arguments("penguins.csv", &[]),
        Code::ClaimNotAdmissible,
        Reason::ConjectureAsClaim,
    );
    draft["elements"][1]["status"] = json!("COUNTERFACTUAL");
    put(folder.path(), FILE, draft.to_string().as_bytes());
    nemosyne(folder.path(), &arguments("penguins.csv", &[])).done();
}

/// Promotion: another decision, over data that was not there, which names what it came from.
#[test]
fn promotion_is_a_new_decision_over_new_evidence_and_never_a_relabeling() {
    let folder = folder();
    nemosyne(folder.path(), &arguments("penguins.csv", &[])).done();
    let named = "supposed.nemosyne#well-fed";
    let promote = |table, change: &[(&'static str, &'static str)]| {
        let mut arguments = arguments(
            table,
            &[("--purpose", "claim-bearing"), ("--out", "claim.nemosyne")],
        );
        let at = arguments
            .iter()
            .position(|it| *it == "--conjecture")
            .expect("it is there");
        arguments.drain(at..at + 2);
        arguments.extend(["--promoted-from", named]);
        for (flag, value) in change {
            let at = arguments.iter().position(|it| it == flag).expect("it is there");
            arguments[at + 1] = value;
        }
        arguments
    };
    refused(
        folder.path(),
        &promote("penguins.csv", &[]),
        Code::ClaimNotAdmissible,
        Reason::ConjectureAsClaim,
    );
    let mut text = String::from_utf8(tables::PENGUINS.to_vec()).expect("it is text");
    let columns = text.lines().next().expect("a header").split(',').count();
    assert_eq!(columns, 8);
    text.push_str("Adelie,Torgersen,39,18,192,5600,male,2009\n");
    put(folder.path(), "fed.csv", text.as_bytes());
    refused(
        folder.path(),
        &promote("fed.csv", &[("--promoted-from", "supposed.nemosyne#no-such")]),
        Code::InvalidInput,
        Reason::AmbiguousReference,
    );
    refused(
        folder.path(),
        &promote("fed.csv", &[("--purpose", "exploratory")]),
        Code::ContextIncompatible,
        Reason::ScopeMismatch,
    );
    assert!(!folder.path().join("claim.nemosyne").exists());
    nemosyne(folder.path(), &promote("fed.csv", &[])).done();
    let bytes = std::fs::read(folder.path().join("claim.nemosyne")).expect("it was written");
    let claim = open(&bytes).expect("it opens");
    let earlier = open(&std::fs::read(folder.path().join("supposed.nemosyne")).expect("it is there"))
        .expect("it opens");
    let promoted = claim
        .generation_record()
        .promoted_from
        .as_ref()
        .expect("it names what it came from");
    assert_eq!(promoted.element_id, "well-fed");
    assert_eq!(promoted.proposal_id, earlier.proposals()[0].id());
    let derived = claim.derived_from().expect("it names the package");
    assert_eq!(derived.investigation_digest, earlier.investigation_digest());
    assert!(claim.proposals().is_empty() && claim.plan().body().conjecture_index.is_empty());
    nemosyne(folder.path(), &["replay", "claim.nemosyne"]).done();
}

fn world() -> World {
    let mut world = World::of(&Spec {
        purpose: EpistemicPurpose::ExploratoryAbduction,
        ..Spec::flowers()
    });
    let draft = serde_json::from_str(tables::FLOWER_CONJECTURE).expect("it is JSON");
    world
        .suppose(&draft)
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    world
}

/// A graph that drops part of the mark of one conjecture, at the admission door, whatever the device.
#[test]
fn a_graph_that_drops_the_mark_is_refused_whole() {
    assert!(world().admit().is_ok(), "the control");
    let path_of = |semantic: &Semantic| match semantic {
        Semantic::Conjectural {
            element_id,
            property_path,
            ..
        } if element_id == "giant" => property_path.clone(),
        _ => String::new(),
    };
    for (path, missing) in [
        ("status", "a shape of its own"),
        ("label", "words beside it"),
        ("assumptions", "a line on the caveat board"),
    ] {
        let mut world = world();
        world.regraph(|graph| {
            assert_eq!(edit::remove(graph, |record| path_of(&record.semantic) == path), 1);
        });
        let refused = world.admit().expect_err(path);
        let primary = refused.primary();
        assert_eq!(
            (primary.code(), primary.reason()),
            (Code::PolicyViolation, Reason::ObligationWeakened),
            "{primary}"
        );
        assert!(primary.cause().text.contains(missing), "{primary}");
        assert_eq!(primary.policy(), Some(plan::marking::RULE));
    }
    let mut world = world();
    world.regraph(|graph| edit::primitive(graph, "conjecture").limitations.clear());
    assert_eq!(
        world.admit().expect_err("no caveat").primary().reason(),
        Reason::ObligationWeakened
    );
    let mut alone = self::world();
    alone.regraph(|graph| {
        edit::remove(graph, |record| path_of(&record.semantic) != "");
    });
    let refused = alone.admit().expect_err("its ground is hidden");
    assert!(
        refused.primary().cause().text.contains("that it rests on"),
        "{}",
        refused.primary()
    );
}

#[test]
fn a_binding_shows_its_conjecture_as_the_proposal_has_it() {
    let spoil = |change: fn(&mut World)| {
        let mut world = world();
        change(&mut world);
        let refused = world.admit().expect_err("spoiled");
        (refused.primary().code(), refused.primary().reason())
    };
    let status = spoil(|world| {
        world.regraph(|graph| {
            for binding in &mut graph.bindings {
                if let Semantic::Conjectural {
                    element_id, status, ..
                } = &mut binding.record.semantic
                    && element_id == "kin"
                {
                    *status = conjecture::wire::v1::Status::Imputed;
                    if let representation::wire::v2::Domain::Categories { labels } =
                        &mut binding.record.domain
                    {
                        *labels = vec!["IMPUTED".to_owned()];
                    }
                }
            }
        });
    });
    assert_eq!(status, (Code::ClaimNotAdmissible, Reason::ConjectureAsClaim));
    let absent = spoil(|world| world.proposals.clear());
    assert_eq!(absent, (Code::ClaimNotAdmissible, Reason::ConjectureAsClaim));
    let other_axis = spoil(|world| {
        world.regraph(|graph| {
            for binding in &mut graph.bindings {
                if let Semantic::Conjectural { property_path, .. } = &mut binding.record.semantic {
                    match property_path.as_str() {
                        "values/0" => *property_path = "values/1".to_owned(),
                        "values/1" => *property_path = "values/0".to_owned(),
                        _ => {}
                    }
                }
            }
        });
    });
    assert_eq!(other_axis, (Code::ContextIncompatible, Reason::WrongSubject));
    let unshown = spoil(|world| {
        world.regraph(|graph| {
            edit::remove(graph, |record| {
                matches!(record.semantic, Semantic::Conjectural { .. })
            });
        });
    });
    assert_eq!(unshown, (Code::ContextIncompatible, Reason::WrongSubject));
}

/// In graphs nothing grounded rests on conjecture, and conjecture neither claims nor poses as data.
#[test]
fn a_graph_keeps_the_line_between_grounded_and_supposed() {
    let world = world();
    let body = world.graph.body();
    assert!(edit::try_reseal(body.clone()).is_ok(), "the control");
    let refusal = |change: &dyn Fn(&mut representation::wire::v2::GraphBody)| {
        let mut body = body.clone();
        change(&mut body);
        edit::try_reseal(body).expect_err("it crosses the line")
    };
    let told = refusal(&|graph| {
        graph.edges.push(Edge {
            from: "marks.volume".to_owned(),
            to: "conjecture".to_owned(),
            relation: Relation::DerivesFrom,
        });
        graph.edges.sort();
    });
    assert!(told.contains("would rest on the conjecture"), "{told}");
    let supposed = |graph: &representation::wire::v2::GraphBody, channel| {
        let found = graph.bindings.iter().find(|binding| {
            binding.record.channel == channel
                && matches!(binding.record.semantic, Semantic::Conjectural { .. })
        });
        found.expect("it is there").clone()
    };
    let told = refusal(&|graph| {
        let fallback = supposed(graph, Channel::PositionX).binding_id;
        edit::record(graph, "marks.volume", Channel::PositionX).fallback_binding_ids = vec![fallback];
    });
    assert!(told.contains("would rest on the conjecture"), "{told}");
    let order = world.obligations.set().body().obligations[0].id;
    for (spoil, why) in [
        (
            (|record, order| edit::claim(record, order))
                as fn(&mut representation::wire::v2::BindingRecord, _),
            "carries no obligation",
        ),
        (
            |record, _| record.primitive_id = "marks.volume".to_owned(),
            "a primitive of its own",
        ),
    ] {
        let told = refusal(&|graph| {
            let id = supposed(graph, Channel::PositionX).binding_id;
            let found = graph.bindings.iter_mut().find(|binding| binding.binding_id == id);
            spoil(&mut found.expect("it is there").record, order);
        });
        assert!(told.contains(why), "{told}");
    }
    let told = refusal(&|graph| {
        let id = supposed(graph, Channel::Shape).binding_id;
        let found = graph.bindings.iter_mut().find(|binding| binding.binding_id == id);
        found.expect("it is there").record.range = representation::wire::v2::Range::Shapes {
            values: vec!["circle".to_owned()],
        };
    });
    assert!(told.contains("one of data"), "{told}");
    let told = refusal(&|graph| {
        edit::record(graph, "marks.volume", Channel::Shape).range = representation::wire::v2::Range::Shapes {
            values: vec!["crossed_diamond".to_owned(), "circle".to_owned()],
        };
    });
    assert!(told.contains("a shape of conjecture"), "{told}");
}

/// A qualification whose evidence is a conjecture qualifies nothing.
#[test]
fn a_conjecture_is_no_qualification_evidence() {
    let mut world = World::flowers();
    assert!(world.admit().is_ok(), "the control");
    let proposal = self::world().proposals[0].id().to_string();
    let mut body = world.manifest.body().clone();
    let mut entries = body.entries.iter_mut();
    let entry = entries.find(|entry| entry.kind == EntryKind::Qualification);
    entry.expect("something is qualified").evidence_refs = vec![proposal];
    world.manifest = identity::Sealed::seal(body).expect("a manifest");
    let refused = world.admit().expect_err("it rests on a conjecture");
    assert_eq!(
        (refused.primary().code(), refused.primary().reason()),
        (Code::ClaimNotAdmissible, Reason::ConjectureAsClaim),
        "{}",
        refused.primary()
    );
}

fn open(bytes: &[u8]) -> Result<Opened, package::PackageError> {
    package::open_source(Cursor::new(bytes.to_vec()), &Limits::DEFAULT)
}
