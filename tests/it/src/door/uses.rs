//! Binding and use: what people are known to read may be shown as a claim; the rest only inside an authorized study.

use forma::wire::v1::PermittedUse;
use forma::{Admission, Answer, DecisionStanding, RequestedUse};
use harness::{Spec, World, edit};
use obligations::wire::v1::Predicate;
use refusal::{Code, Reason, Stage};

use super::{Case, each, found, refused};

const STAGE: Stage = Stage::BindingUse;
const GRANT: &str = "study-7";

/// A proposal whose marks claim what nobody has shown that people read.
fn stereo() -> World {
    World::of(&Spec {
        recipe: "scatter_stereo",
        ..Spec::flowers()
    })
}

fn studied() -> World {
    let mut world = stereo();
    world.grant_study(GRANT);
    world
}

/// The decision on which the order of a column rests.
fn order_decision(world: &World) -> String {
    let order = world.owed(Predicate::Order, Some("height_cm"));
    let admission = world.admitted();
    let body = admission.record().body();
    let carriers: Vec<_> = body
        .coverage
        .iter()
        .filter(|entry| entry.variant == "desktop" && entry.obligation_id == order)
        .flat_map(|entry| entry.binding_ids.clone())
        .collect();
    body.perceptual_qualifications
        .iter()
        .filter(|entry| entry.variant == "desktop" && carriers.contains(&entry.binding_id))
        .find_map(|entry| entry.decision.clone())
        .expect("production rests on a decision")
}

#[test]
fn production_needs_a_decision_that_stands() {
    each(
        World::flowers,
        &[
            Case {
                name: "the decision was withdrawn",
                spoil: |world| {
                    let decision = order_decision(world);
                    world.told.decision_is(
                        &decision,
                        Answer::Known(DecisionStanding::Withdrawn { revision: 3 }),
                    );
                },
                stage: STAGE,
                reason: Reason::NotQualified,
                says: "was withdrawn",
            },
            Case {
                name: "custody does not know the decision",
                spoil: |world| {
                    let decision = order_decision(world);
                    world.told.decision_is(&decision, Answer::Absent);
                },
                stage: STAGE,
                reason: Reason::NotQualified,
                says: "custody does not know whether",
            },
            Case {
                name: "the decision is damaged",
                spoil: |world| {
                    let decision = order_decision(world);
                    world
                        .told
                        .decision_is(&decision, Answer::Tampered("a bit flipped".to_owned()));
                },
                stage: STAGE,
                reason: Reason::NotQualified,
                says: "a bit flipped",
            },
            Case {
                name: "a table from elsewhere promotes itself",
                spoil: |world| {
                    let decision = order_decision(world);
                    world.know(|shelf| {
                        shelf.edit(&decision, |content| {
                            content["statement"] = "People read anything.".into();
                        });
                    });
                    let id = decision.split('@').next().expect("id@version").to_owned();
                    world
                        .told
                        .policy_is(&id, forma::Authorities::policy(&world.custody, &id));
                },
                stage: STAGE,
                reason: Reason::NotQualified,
                says: "custody does not hold the decision",
            },
        ],
    );
}

#[test]
fn a_mapping_without_decision_is_study_only() {
    let world = stereo();
    let refused = refused(&world);
    let primary = refused.primary();
    assert_eq!(
        (primary.code(), primary.reason(), primary.stage()),
        (Code::UseNotPermitted, Reason::NotQualified, STAGE)
    );
    let text = &primary.cause().text;
    assert!(
        text.contains("position_") && text.contains("ORDER"),
        "the missing qualification is named: {text}"
    );
    // Depth on a monitor is worse than unproven, and the answer for z says so.
    assert!(
        found(&refused, STAGE, Reason::NotQualified, "is known to mislead").is_some(),
        "{}",
        super::told(&refused)
    );

    let world = studied();
    match world.admitted() {
        Admission::StudyOnly(admitted) => {
            let body = admitted.record().body();
            assert_eq!(body.permitted_use, PermittedUse::StudyOnly);
            assert_eq!(body.authorization_reference.as_deref(), Some(GRANT));
        }
        Admission::Production(_) => panic!("a study became production"),
    }
    match World::flowers().admitted() {
        Admission::Production(admitted) => {
            let body = admitted.record().body();
            assert_eq!(body.permitted_use, PermittedUse::Production);
            assert_eq!(body.authorization_reference, None);
        }
        Admission::StudyOnly(_) => panic!("production became a study"),
    }
}

#[test]
fn a_study_needs_its_owner() {
    each(
        studied,
        &[
            Case {
                name: "no authorization is named",
                spoil: |world| world.requested_use = RequestedUse::Study { authorization: None },
                stage: STAGE,
                reason: Reason::NoStudyAuthorization,
                says: "without an authorization",
            },
            Case {
                name: "the owner knows no such authorization",
                spoil: |world| world.told.study_is(GRANT, Answer::Absent),
                stage: STAGE,
                reason: Reason::NoStudyAuthorization,
                says: "knows no authorization study-7",
            },
            Case {
                name: "it is past its end",
                spoil: |world| world.told.change_grant(GRANT, |grant| grant.expired = true),
                stage: STAGE,
                reason: Reason::AuthorizationExpired,
                says: "past its end",
            },
            Case {
                name: "the study does not run",
                spoil: |world| world.told.change_grant(GRANT, |grant| grant.live = false),
                stage: STAGE,
                reason: Reason::WrongAuthorization,
                says: "is not running",
            },
            Case {
                name: "it is for other treatments",
                spoil: |world| {
                    let other = World::flowers().graph.id();
                    world
                        .told
                        .change_grant(GRANT, |grant| grant.treatments = vec![other]);
                },
                stage: STAGE,
                reason: Reason::WrongAuthorization,
                says: "names other treatments",
            },
            Case {
                name: "it is damaged",
                spoil: |world| {
                    world
                        .told
                        .study_is(GRANT, Answer::Tampered("a bit flipped".to_owned()));
                },
                stage: Stage::DecodeIntegrity,
                reason: Reason::Integrity,
                says: "a bit flipped",
            },
        ],
    );
}

#[test]
fn a_grant_rescues_nothing_that_was_fixed() {
    let mut world = studied();
    assert!(world.admit().is_ok());
    let order = world.owed(Predicate::Order, Some("width_cm"));
    world.regraph(|graph| edit::carriers(graph, order).for_each(|record| record.carries.clear()));
    world.grant_study(GRANT);
    let refused = refused(&world);
    assert!(
        found(
            &refused,
            Stage::FixedPolicy,
            Reason::ObligationUncovered,
            "Nothing in the picture"
        )
        .is_some()
    );
}
