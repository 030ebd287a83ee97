//! Context and identity: everything handed in speaks about the same thing, under policies the program pins.

use forma::Answer;
use harness::{Spec, World, tables};
use identity::{Digest, Sealed};
use refusal::{Reason, Stage};

use super::{Case, Spoil, each};

fn weeds() -> World {
    World::of(&Spec::of("weeds", tables::WEEDS, tables::FLOWER_AXES, "kind"))
}

/// The same table and question with one analysis more: another snapshot under the same context.
fn richer() -> World {
    World::of(&Spec {
        more: vec![Spec::statistics(&["height_cm"])],
        ..Spec::flowers()
    })
}

/// The same table with another question: another context over the same snapshot.
fn asked_otherwise() -> World {
    World::of(&Spec {
        question: "What else?".to_owned(),
        ..Spec::flowers()
    })
}

#[test]
fn what_is_about_something_else_is_refused() {
    let cases: [(&str, Spoil, &str); 6] = [
        (
            "the question is about another dataset",
            |world| {
                let mut body = world.context.body().clone();
                body.analytical_dataset_fingerprint = weeds().dataset.fingerprint();
                world.context = Sealed::seal(body).expect("it is a context");
            },
            "committed for another dataset",
        ),
        (
            "the obligations are of another snapshot",
            |world| {
                let richer = richer();
                assert_eq!(richer.context.id(), world.context.id());
                world.obligations = richer.obligations;
            },
            "derived from another snapshot",
        ),
        (
            "the obligations are of another context",
            |world| {
                let other = asked_otherwise();
                assert_eq!(other.snapshot.id(), world.snapshot.id());
                world.obligations = other.obligations;
            },
            "derived for another context",
        ),
        (
            "the graph is of another snapshot",
            |world| world.regraph(|graph| graph.snapshot_id = richer().snapshot.id()),
            "proposed for another snapshot",
        ),
        (
            "the graph is of another context",
            |world| world.regraph(|graph| graph.context_id = asked_otherwise().context.id()),
            "proposed for another context",
        ),
        (
            "the graph is of other obligations",
            |world| world.regraph(|graph| graph.obligation_set_id = asked_otherwise().obligations.id()),
            "proposed under other obligations",
        ),
    ];
    each(
        World::flowers,
        &cases.map(|(name, spoil, says)| Case {
            name,
            spoil,
            stage: Stage::ContextIdentity,
            reason: Reason::WrongSubject,
            says,
        }),
    );
}

const POLICIES: [&str; 4] = [
    "nemosyne:policy/obligations",
    "nemosyne:scope/general",
    "nemosyne:policy/qualification",
    "nemosyne:policy/capability",
];

#[test]
fn each_policy_that_took_part_is_a_pinned_one() {
    for policy in POLICIES {
        let mut world = World::flowers();
        let pin = match forma::Authorities::policy(&world.told, policy) {
            Answer::Known(pin) => pin,
            other => panic!("{policy}: {other:?}"),
        };
        world.told.pin(&pin);
        assert!(world.admit().is_ok(), "{policy}: the control is refused");
        let mut newer = pin.clone();
        newer.version = "2".to_owned();
        let mut altered = pin.clone();
        altered.digest = Digest::of(b"altered");
        for (answer, stage, reason, says) in [
            (
                Answer::Known(newer),
                Stage::FixedPolicy,
                Reason::UnauthorizedPolicy,
                "at version 2",
            ),
            (
                Answer::Known(altered),
                Stage::FixedPolicy,
                Reason::UnauthorizedPolicy,
                "is pinned at version",
            ),
            (
                Answer::Absent,
                Stage::FixedPolicy,
                Reason::UnauthorizedPolicy,
                "pins no policy",
            ),
            (
                Answer::Tampered("a bit flipped".to_owned()),
                Stage::DecodeIntegrity,
                Reason::Integrity,
                "a bit flipped",
            ),
        ] {
            world.told.policy_is(policy, answer);
            let refused = super::refused(&world);
            let found = super::found(&refused, stage, reason, says)
                .unwrap_or_else(|| panic!("{policy}: {}", super::told(&refused)));
            assert_eq!(found.subjects(), [policy]);
        }
    }
}

#[test]
fn the_capability_table_is_the_one_the_manifest_pins() {
    each(
        World::flowers,
        &[
            Case {
                name: "a table with more room than the pinned one",
                spoil: |world| world.capability.basis.push("More.".to_owned()),
                stage: Stage::FixedPolicy,
                reason: Reason::UnauthorizedPolicy,
                says: "not the one that the manifest pins",
            },
            Case {
                name: "a manifest that pins a table nobody has",
                spoil: |world| {
                    let mut body = world.manifest.body().clone();
                    body.capability_table_ref.version = "7".to_owned();
                    world.told.pin(&body.capability_table_ref);
                    world.manifest = Sealed::seal(body).expect("it is a manifest");
                },
                stage: Stage::FixedPolicy,
                reason: Reason::ArtifactMissing,
                says: "nemosyne:policy/capability@7",
            },
        ],
    );
}
