//! Several problems at once: the first failing stage is primary, and every one is kept.

use evidence::Disposition;
use forma::RequestedUse;
use harness::{World, edit};
use refusal::{Code, MAX_DIAGNOSTICS, Reason, Stage};
use representation::wire::v2::Channel;

use super::Spoil;

/// A problem of each stage in the order of stages; the tests add them from the last to the first.
const PROBLEMS: [(Stage, Code, Spoil); 6] = [
    (Stage::DecodeIntegrity, Code::InvalidInput, |world| {
        world.told.policy_is(
            "nemosyne:scope/general",
            forma::Answer::Tampered("torn".to_owned()),
        );
    }),
    (Stage::ContextIdentity, Code::ContextIncompatible, |world| {
        let mut body = world.context.body().clone();
        body.analytical_dataset_fingerprint = World::of(&harness::Spec::of(
            "weeds",
            harness::tables::WEEDS,
            harness::tables::FLOWER_AXES,
            "kind",
        ))
        .dataset
        .fingerprint();
        world.context = identity::Sealed::seal(body).expect("it is a context");
    }),
    (Stage::EvidencePolicy, Code::EvidenceUnavailable, |world| {
        let receipt = world.receipts.receipts[0].receipt_id.clone();
        world
            .told
            .receipt(&receipt, Disposition::Retracted { revision: 2 });
    }),
    (Stage::FixedPolicy, Code::PolicyViolation, |world| {
        world.regraph(|graph| {
            edit::record(graph, "marks.wall_xy", Channel::PositionX)
                .evidence_uses
                .clear();
        });
    }),
    (Stage::BindingUse, Code::UseNotPermitted, |world| {
        world.requested_use = RequestedUse::Study { authorization: None };
    }),
    (Stage::Budget, Code::ResourceUnsatisfiable, |world| {
        world.know(|shelf| shelf.device("DESKTOP_MONITOR", |it| it["maxMarks"] = 1.into()));
    }),
];

#[test]
fn the_first_failing_stage_is_primary_and_all_are_kept() {
    let mut world = World::flowers();
    assert!(world.admit().is_ok());
    for (idx, (stage, code, spoil)) in PROBLEMS.iter().enumerate().rev() {
        spoil(&mut world);
        let refused = super::refused(&world);
        let primary = refused.primary();
        assert_eq!(
            (primary.stage(), primary.code()),
            (*stage, *code),
            "{}",
            super::told(&refused)
        );
        for (stage, code, _) in &PROBLEMS[idx..] {
            let kept = refused
                .diagnostics
                .all()
                .iter()
                .any(|it| it.stage() == *stage && it.code() == *code);
            assert!(kept, "{stage} was lost:\n{}", super::told(&refused));
        }
        let stages: Vec<Stage> = refused
            .diagnostics
            .all()
            .iter()
            .map(refusal::Refusal::stage)
            .collect();
        assert!(stages.is_sorted(), "{stages:?}");
        assert_eq!(refused.diagnostics.dropped(), 0);
    }
}

#[test]
fn what_was_looked_at_is_named_in_a_refusal_too() {
    let mut world = World::flowers();
    let admitted = world.admitted();
    world.device = knowledge::wire::v1::DeviceClass::PcvrHeadset;
    world.requested_use = RequestedUse::Study { authorization: None };
    let refused = super::refused(&world);
    let expected = &admitted.record().body().input_commitments;
    assert_eq!(refused.commitments.graph_id, expected.graph_id);
    assert_eq!(refused.commitments.policy_refs, expected.policy_refs);
    assert_eq!(
        refused.commitments.device,
        knowledge::wire::v1::DeviceClass::PcvrHeadset
    );
    assert_eq!(
        refused.commitments.requested_use,
        forma::wire::v1::PermittedUse::StudyOnly
    );
}

/// Beyond the bound problems are counted, and the first failing stage is still primary.
#[test]
fn the_bound_drops_the_last_and_counts_them() {
    let mut world = World::flowers();
    let weeds = harness::Spec::of(
        "weeds",
        harness::tables::WEEDS,
        harness::tables::FLOWER_AXES,
        "kind",
    );
    let weeds = World::of(&weeds);
    let foreign: Vec<_> = weeds
        .obligations
        .obligations()
        .iter()
        .map(|obligation| obligation.id)
        .collect();
    world.regraph(|graph| {
        for binding in &mut graph.bindings {
            let hue_or_shape = matches!(binding.record.channel, Channel::Hue | Channel::Shape);
            if !hue_or_shape {
                foreign
                    .iter()
                    .for_each(|id| edit::claim(&mut binding.record, *id));
                binding.record.evidence_uses.clear();
            }
        }
    });
    let receipt = world.receipts.receipts[0].receipt_id.clone();
    world
        .told
        .receipt(&receipt, Disposition::Retracted { revision: 2 });
    let refused = super::refused(&world);
    assert_eq!(refused.primary().reason(), Reason::Retracted);
    assert_eq!(refused.diagnostics.all().len(), MAX_DIAGNOSTICS);
    assert!(refused.diagnostics.dropped() > 0);
}
