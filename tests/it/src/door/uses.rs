//! Binding and use: what people are known to read may be shown as a claim; the rest only inside an authorized study.

use forma::wire::v1::PermittedUse;
use forma::{Admission, Answer, DecisionStanding, GrantedMapping, RequestedUse, WithheldBecause};
use harness::{Spec, World, edit};
use knowledge::wire::v1::DeviceClass;
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
                spoil: |world| world.told.withhold_study(GRANT, WithheldBecause::Expired),
                stage: STAGE,
                reason: Reason::AuthorizationExpired,
                says: "past its end",
            },
            Case {
                name: "the study does not run",
                spoil: |world| world.told.withhold_study(GRANT, WithheldBecause::Ended),
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
                name: "it is not valid yet",
                spoil: |world| world.told.withhold_study(GRANT, WithheldBecause::NotYet),
                stage: STAGE,
                reason: Reason::WrongAuthorization,
                says: "is not valid yet",
            },
            Case {
                name: "it rests on nothing",
                spoil: |world| world.told.withhold_study(GRANT, WithheldBecause::Unfounded),
                stage: STAGE,
                reason: Reason::WrongAuthorization,
                says: "does not count",
            },
            Case {
                name: "it is for other devices",
                spoil: |world| {
                    world
                        .told
                        .change_grant(GRANT, |grant| grant.devices = vec![DeviceClass::PcvrHeadset]);
                },
                stage: STAGE,
                reason: Reason::WrongAuthorization,
                says: "is not for DesktopMonitor",
            },
            Case {
                name: "it is for another scope",
                spoil: |world| {
                    let other = world.custody.scopes()[1].pinned().clone();
                    world.told.change_grant(GRANT, |grant| grant.scope = other);
                },
                stage: STAGE,
                reason: Reason::WrongAuthorization,
                says: "is for the scope",
            },
            Case {
                name: "it was frozen under other knowledge",
                spoil: |world| {
                    let mut less = World::flowers();
                    less.know(|shelf| shelf.remove("symlog@1.0.0"));
                    let other = less.manifest.id();
                    world.told.change_grant(GRANT, |grant| grant.knowledge = other);
                },
                stage: STAGE,
                reason: Reason::WrongAuthorization,
                says: "under other knowledge",
            },
            Case {
                name: "it was frozen with another compiler",
                spoil: |world| {
                    world
                        .told
                        .change_grant(GRANT, |grant| grant.compiler.version = "0.0.1".to_owned());
                },
                stage: STAGE,
                reason: Reason::WrongAuthorization,
                says: "with compiler 0.0.1",
            },
            Case {
                name: "it names no mapping",
                spoil: |world| world.told.change_grant(GRANT, |grant| grant.mappings.clear()),
                stage: STAGE,
                reason: Reason::NotQualified,
                says: "does not name what this rests on",
            },
            Case {
                name: "it names the mapping for another claim",
                spoil: |world| {
                    world.told.change_grant(GRANT, |grant| {
                        for named in &mut grant.mappings {
                            named.claim = Predicate::Ratio;
                        }
                        grant.withheld.push(Predicate::Ratio);
                    });
                },
                stage: STAGE,
                reason: Reason::NotQualified,
                says: "position_x:FREE_VOLUME:ORDER",
            },
            Case {
                name: "it does not name the harm that is known",
                spoil: |world| {
                    world.told.change_grant(GRANT, |grant| {
                        grant.mappings.retain(|named| named.contraindication.is_none());
                    });
                },
                stage: STAGE,
                reason: Reason::NotQualified,
                says: "position_z:FREE_VOLUME:ORDER:depth-monitor@1",
            },
            Case {
                name: "it does not withhold the claim from production",
                spoil: |world| world.told.change_grant(GRANT, |grant| grant.withheld.clear()),
                stage: STAGE,
                reason: Reason::NotQualified,
                says: "does not withhold ORDER",
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

/// A known harm stays the cause of the refusal, in production and in a study that does not name it.
#[test]
fn a_known_harm_is_the_cause() {
    let mut unnamed = studied();
    unnamed.told.change_grant(GRANT, |grant| {
        grant.mappings.retain(|named| named.contraindication.is_none());
    });
    for world in [stereo(), unnamed] {
        let refused = refused(&world);
        let harm = refused
            .diagnostics
            .all()
            .iter()
            .filter(|refusal| refusal.reason() == Reason::NotQualified)
            .find_map(|refusal| refusal.cause().upstream.as_deref())
            .expect("depth on a monitor is contraindicated");
        assert_eq!(harm.reason(), Reason::Contraindicated);
        assert_eq!(harm.subjects(), ["depth-monitor@1"]);
    }
}

/// A picture that a study holds as its treatment is refused in production as what it is; a qualified one is not.
#[test]
fn a_treatment_asked_for_in_production_is_study_only() {
    let mut world = studied();
    world.requested_use = RequestedUse::Production;
    let refused = refused(&world);
    let primary = refused.primary();
    assert_eq!(
        (primary.code(), primary.reason()),
        (Code::UseNotPermitted, Reason::StudyOnly)
    );
    assert!(primary.cause().text.contains(GRANT), "{primary}");

    let mut world = World::flowers();
    world.grant_study(GRANT);
    world.requested_use = RequestedUse::Production;
    assert!(matches!(world.admitted(), Admission::Production(_)));
}

/// On another device than those of the grant the variant is left out, and the record says so.
#[test]
fn a_variant_of_another_device_is_left_out() {
    let mut world = studied();
    assert_eq!(world.admitted().plan().body().variants.len(), 3);
    world
        .told
        .change_grant(GRANT, |grant| grant.devices = vec![DeviceClass::DesktopMonitor]);
    let admission = world.admitted();
    assert_eq!(admission.plan().body().variants.len(), 1);
    let left_out = &admission.record().body().refused_variants;
    assert_eq!(left_out.len(), 2);
    assert!(
        left_out
            .iter()
            .all(|one| one.refusal.cause.text.contains("is not for"))
    );
}

/// What a study has to name is what its grant must hold, and nothing is named for what is qualified.
#[test]
fn a_study_names_exactly_what_nobody_is_known_to_read() {
    let needed =
        |world: &World| -> Vec<String> { world.controls().iter().map(GrantedMapping::word).collect() };
    assert_eq!(
        needed(&stereo()),
        [
            "position_x:FREE_VOLUME:ORDER",
            "position_y:FREE_VOLUME:ORDER",
            "position_z:FREE_VOLUME:ORDER:depth-monitor@1",
        ]
    );
    assert!(needed(&World::flowers()).is_empty());
    let mut world = studied();
    let controls = world.controls();
    world.told.change_grant(GRANT, |grant| {
        grant.mappings = controls;
        grant.devices = vec![DeviceClass::DesktopMonitor];
    });
    assert!(world.admit().is_ok());
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
