//! F14, partial replay and exposure.
//!
//! **Attack.** Everything passes but the last: the last artifact of a package, its last evidence use, the last claim before
//! Forma, the last decision at adoption, the last rows of a view that is staged beside another. Whoever checks in order and
//! acts on the way has opened, admitted or shown a part by then. And a standing that nobody knows is asked for between two
//! times at which it was known.
//!
//! **Owner.** The package loader, Forma, `adoption` and the gate, each for its own last step; the dispositions' owner for
//! UNKNOWN.
//!
//! **Required.** No partial capability: no verb gives a picture, a plan or a chain of such a package, no plan comes from such
//! a proposal, no authorization from such a moment. No partially replaced view: what was in force is in force whole, or
//! gone whole. UNKNOWN refuses whenever it is the answer, whatever the answer was before.
//!
//! **Control.** The same package, proposal and moment without the last failure pass through the same doors.

use std::path::Path;

use evidence::Disposition;
use forma::DecisionStanding;
use harness::World;
use obligations::wire::v1::Class;
use refusal::{Code, Reason};
use serde_json::{Value, json};

use crate::forge::{FORMA, Forge};
use crate::program::{json as run, package, put};
use crate::rig::{Rig, reasons};

const PICTURE: &[u8] = b"a picture of before";

/// What every verb makes of a package; each is refused and leaves what was there.
fn no_verb_gives_anything(folder: &Path, name: &str) {
    let picture = put(folder, "before.png", PICTURE);
    for verb in [
        vec!["verify", name],
        vec!["replay", name],
        vec!["explain", name, "--row", "row:17"],
        vec!["render", name, "--out", "before.png", "--size", "64x36"],
        vec![
            "render",
            name,
            "--out",
            "before.png",
            "--size",
            "64x36",
            "--history",
        ],
    ] {
        let (code, answer) = run(folder, &verb);
        assert_eq!(code, 1, "{verb:?}: {answer}");
        assert!(answer["refusal"]["code"].is_string(), "{verb:?}: {answer}");
        for part in ["planId", "resultId", "picture", "chains"] {
            assert!(answer.get(part).is_none(), "{verb:?} gives {part}: {answer}");
        }
        for fact in ["executableNow", "replayable"] {
            if let Some(fact) = answer.get(fact) {
                assert_eq!(fact["holds"], Value::Bool(false), "{verb:?}: {answer}");
            }
        }
    }
    assert_eq!(std::fs::read(picture).expect("it is there"), PICTURE);
}

#[test]
fn a_package_without_its_last_artifact_gives_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut forge = Forge::of(package());
    put(folder.path(), "sound.nemosyne", &forge.stamped());
    let (code, answer) = run(folder.path(), &["verify", "sound.nemosyne"]);
    assert_eq!(
        (code, &answer["executableNow"]["holds"]),
        (0, &Value::Bool(true)),
        "{answer}"
    );
    let last = forge.artifacts().pop().expect("it has artifacts");
    forge.members.remove(&last);
    put(folder.path(), "short.nemosyne", &forge.stamped());
    no_verb_gives_anything(folder.path(), "short.nemosyne");
}

#[test]
fn a_package_whose_last_evidence_use_resolves_to_nothing_gives_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let forge = Forge::of(package());
    let uses = |forge: &Forge| {
        let forma = forge.json(FORMA);
        let entries = forma["results"][0]["body"]["evidenceDispositions"].clone();
        entries.as_array().expect("a list").clone()
    };
    assert!(uses(&forge).len() > 1, "the others resolve");
    let edits: [fn(&mut Vec<Value>); 2] = [
        |entries| {
            let last = entries.last_mut().expect("it rests on evidence");
            last["evidenceUse"]["receiptContentDigest"] = json!(identity::Digest::of(b"other").to_string());
        },
        |entries| {
            entries.pop();
        },
    ];
    for (idx, edit) in edits.into_iter().enumerate() {
        let mut forge = Forge::of(package());
        forge.forge_result(|result| {
            edit(result["evidenceDispositions"].as_array_mut().expect("a list"));
        });
        assert_eq!(uses(&forge)[0], uses(&Forge::of(package()))[0]);
        let name = format!("other-{idx}.nemosyne");
        put(folder.path(), &name, &forge.stamped());
        no_verb_gives_anything(folder.path(), &name);
    }
}

#[test]
fn a_proposal_whose_last_claim_fails_gives_no_plan() {
    let mut world = World::flowers();
    let sound = world.admitted();
    let obligations = &world.obligations.set().body().obligations;
    let last = obligations
        .iter()
        .rfind(|obligation| obligation.class == Class::MustPreserve)
        .expect("something must be kept")
        .id;
    world.regraph(|body| {
        for binding in &mut body.bindings {
            binding.record.carries.retain(|carried| *carried != last);
        }
    });
    let refused = world.admit().expect_err("one claim is not carried");
    assert_eq!(
        refused.primary().code(),
        Code::PolicyViolation,
        "{}",
        refused.primary()
    );
    let named = |id: &str| {
        let mut all = refused.diagnostics.all().iter();
        all.any(|refusal| refusal.subjects().iter().any(|subject| subject == id))
    };
    assert!(named(&last.to_string()), "it names the claim");
    world.repropose();
    assert_eq!(world.admitted().record().id(), sound.record().id());
}

#[test]
fn evidence_whose_last_use_does_not_stand_gives_no_plan() {
    let mut world = World::flowers();
    let sound = world.admitted();
    let uses = &sound.record().body().evidence_dispositions;
    let last = uses
        .last()
        .expect("it rests on evidence")
        .evidence_use
        .receipt_id
        .clone();
    assert!(uses.iter().any(|entry| entry.evidence_use.receipt_id != last));
    world.told.receipt(&last, Disposition::Retracted { revision: 9 });
    let refused = world.admit().expect_err("one receipt is retracted");
    let all = refused.diagnostics.all();
    assert!(
        all.iter().all(|refusal| refusal.reason() == Reason::Retracted),
        "{all:?}"
    );
    assert_eq!(refused.primary().subjects(), [last.as_str()]);
    world.told = harness::Told::by(world.custody.clone());
    assert_eq!(
        world.admitted().record().id(),
        sound.record().id(),
        "it stands again"
    );
}

#[test]
fn a_moment_whose_last_decision_falls_gives_no_authorization_and_no_half_of_a_view() {
    let mut rig = Rig::new();
    let body = rig.admission.record().body();
    let mut decisions: Vec<String> = body
        .perceptual_qualifications
        .iter()
        .filter(|entry| entry.variant == "desktop")
        .filter_map(|entry| entry.decision.clone())
        .collect();
    decisions.sort();
    decisions.dedup();
    assert!(decisions.len() > 1, "the others stand: {decisions:?}");
    let last = decisions.pop().expect("production rests on decisions");

    // In force, staged beside it, and minted: the last decision falls, and none of the three is left.
    let minted = rig.mint();
    rig.request();
    rig.settle();
    rig.request();
    rig.frame();
    assert_eq!(rig.roots().1, 2, "one in force, one staged");
    rig.told();
    rig.decision_stands(&last, DecisionStanding::Withdrawn { revision: 9 });
    rig.frame();
    let gone = Some(Reason::QualificationWithdrawn);
    assert_eq!(reasons(&rig.told()), [("revoked", gone), ("refused", gone)]);
    assert_eq!((rig.roots(), rig.elements()), ((None, 0), 0));
    assert_eq!(
        rig.try_mint().expect_err("it fell").reason(),
        Reason::QualificationWithdrawn
    );
    rig.request_with(minted, rig.known.leaves.clone());
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("refused", gone)]);
    assert_eq!((rig.roots(), rig.in_force()), ((None, 0), None));

    rig.tell(|told| *told = harness::Told::by(custody::Shipped::open().expect("it ships")));
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)], "all stand again");
}

#[test]
fn a_view_whose_last_rows_are_missing_replaces_nothing() {
    let mut rig = Rig::new();
    rig.request();
    rig.settle();
    rig.told();
    let before = (rig.in_force(), rig.roots(), rig.elements(), rig.entities());
    let mut leaves = rig.known.leaves.clone();
    leaves.pop_last();
    let authorization = rig.mint();
    rig.request_with(authorization, leaves);
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("refused", Some(Reason::Integrity))]);
    assert_eq!(
        (rig.in_force(), rig.roots(), rig.elements(), rig.entities()),
        before
    );
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)], "with all rows it does");
}

/// Known, unknown, known: the answer of before is never the answer of now.
#[test]
fn unknown_is_never_remembered_as_valid() {
    let mut rig = Rig::new();
    let uses = &rig.admission.record().body().evidence_dispositions;
    let last = uses
        .last()
        .expect("it rests on evidence")
        .evidence_use
        .receipt_id
        .clone();
    let told = rig.known.told.clone();
    let unknown = |rig: &mut Rig| {
        rig.tell(|told| {
            let why = "two feeds disagree".to_owned();
            told.receipt(&last, Disposition::Unknown { why });
        });
    };
    for _ in 0..3 {
        let minted = rig.mint();
        unknown(&mut rig);
        assert_eq!(
            rig.try_mint().expect_err("unknown").reason(),
            Reason::DispositionUnknown
        );
        assert!(rig.known.admit().is_err(), "the door asks anew, too");
        rig.request_with(minted, rig.known.leaves.clone());
        rig.settle();
        assert_eq!(
            reasons(&rig.told()),
            [("refused", Some(Reason::DispositionUnknown))]
        );
        rig.tell(|now| *now = told.clone());
        rig.request();
        rig.settle();
        assert_eq!(reasons(&rig.told()), [("adopted", None)], "known again");
        unknown(&mut rig);
        rig.frame();
        assert_eq!(
            reasons(&rig.told()),
            [("revoked", Some(Reason::DispositionUnknown))]
        );
        assert_eq!(rig.roots(), (None, 0));
        rig.tell(|now| *now = told.clone());
        rig.frame();
        assert_eq!(rig.in_force(), None, "what was revoked is not revived");
    }
}
