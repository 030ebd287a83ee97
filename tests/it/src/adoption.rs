//! From an admitted plan to something visible.
//!
//! Attacked: the time between. What was admitted under one question, dataset, device, feed, study or run is minted or shown
//! under another; A is left for B and visited again; the same bytes are registered anew; an authorization is used twice.
//! Owner: `adoption`, which rechecks when it mints, when it adopts and for as long as a view stands. Required: a refusal at
//! ADOPTION_RECHECK with the owner's reason, and nothing adopted. Control: the same authorization in the moment it was
//! minted for is adopted and stands.

use adoption::{Adopted, Current, ExecutionAuthorization, Registration, Runtime, mint};
use evidence::Disposition;
use evidence::wire::v1::PinnedRef;
use forma::wire::v1::PermittedUse;
use forma::{Admission, Answer, DecisionStanding, StudyGrant, WithheldBecause};
use harness::{Spec, Told, World, tables};
use investigation::{Activation, Draft};
use knowledge::wire::v1::DeviceClass;
use refusal::{Code, Reason, Refusal, Stage};

const GRANT: &str = "study-7";

/// What is so right now; a test changes one thing.
struct Moment {
    world: World,
    runtime: Runtime,
    registration: Registration,
    activation: Activation,
    device: DeviceClass,
}

impl Moment {
    fn told(&mut self) -> &mut Told {
        &mut self.world.told
    }

    fn of(world: World) -> Self {
        Self {
            runtime: Runtime::new("this run"),
            registration: Registration::new(world.dataset.fingerprint(), 1),
            activation: world.activation.clone(),
            device: DeviceClass::DesktopMonitor,
            world,
        }
    }

    fn now(&self) -> Current<'_> {
        Current {
            runtime: &self.runtime,
            registration: &self.registration,
            activation: &self.activation,
            device: self.device,
            authorities: &self.world.told,
        }
    }

    fn mint(&self, admission: &Admission) -> Result<ExecutionAuthorization, Refusal> {
        match admission {
            Admission::Production(admitted) => mint(admitted, "desktop", &self.now()),
            Admission::StudyOnly(admitted) => mint(admitted, "desktop", &self.now()),
        }
    }

    /// Commits another question, which becomes the active one.
    fn ask_otherwise(&mut self) {
        let draft = Draft::editing(&self.world.context).expect("a committed context can be edited");
        let world = &mut self.world;
        let other = draft
            .question("What else?")
            .commit(&mut world.investigation, &world.snapshot)
            .expect("it is another question")
            .clone();
        self.activation = world
            .investigation
            .activate(&other.body().node_id)
            .expect("it was committed");
    }

    /// Visits the first question again.
    fn revisit(&mut self) {
        let node = self.world.context.body().node_id.clone();
        self.activation = self
            .world
            .investigation
            .activate(&node)
            .expect("it was committed");
    }
}

fn production() -> Moment {
    Moment::of(World::flowers())
}

fn study() -> Moment {
    let mut world = World::of(&Spec {
        recipe: "scatter_stereo",
        ..Spec::flowers()
    });
    world.grant_study(GRANT);
    Moment::of(world)
}

/// A change of the moment, and the answer that is due.
struct Case {
    name: &'static str,
    make: fn() -> Moment,
    change: fn(&mut Moment),
    reason: Reason,
}

fn rows_receipt(world: &World) -> String {
    world.receipts.receipts[0].receipt_id.clone()
}

fn decision(moment: &Moment) -> String {
    let admission = moment.world.admitted();
    let body = admission.record().body();
    let mut rested = body
        .perceptual_qualifications
        .iter()
        .filter(|entry| entry.variant == "desktop" && entry.required)
        .filter_map(|entry| entry.decision.clone());
    rested
        .find(|decision| decision.contains("qualification"))
        .expect("production rests on a decision")
}

const CASES: &[Case] = &[
    Case {
        name: "another question became active",
        make: production,
        change: Moment::ask_otherwise,
        reason: Reason::Stale,
    },
    Case {
        name: "A, then B, then A again",
        make: production,
        change: |moment| {
            moment.ask_otherwise();
            moment.revisit();
            assert_eq!(moment.activation.context_id(), moment.world.context.id());
        },
        reason: Reason::Stale,
    },
    Case {
        name: "the same question activated once more",
        make: production,
        change: Moment::revisit,
        reason: Reason::Stale,
    },
    Case {
        name: "the same bytes registered once more",
        make: production,
        change: |moment| moment.registration = Registration::new(moment.world.dataset.fingerprint(), 2),
        reason: Reason::WrongSubject,
    },
    Case {
        name: "another dataset registered",
        make: production,
        change: |moment| {
            let weeds = World::of(&Spec::of("weeds", tables::WEEDS, tables::FLOWER_AXES, "kind"));
            moment.registration = Registration::new(weeds.dataset.fingerprint(), 1);
        },
        reason: Reason::WrongSubject,
    },
    Case {
        name: "the world was rebuilt",
        make: production,
        change: |moment| moment.runtime = moment.runtime.next_generation(),
        reason: Reason::Stale,
    },
    Case {
        name: "another run of the program",
        make: production,
        change: |moment| moment.runtime = Runtime::new("another run"),
        reason: Reason::Stale,
    },
    Case {
        name: "another device",
        make: production,
        change: |moment| moment.device = DeviceClass::PcvrHeadset,
        reason: Reason::DeviceLacksChannel,
    },
    Case {
        name: "evidence was retracted",
        make: production,
        change: |moment| {
            let receipt = rows_receipt(&moment.world);
            moment
                .told()
                .receipt(&receipt, Disposition::Retracted { revision: 9 });
        },
        reason: Reason::Retracted,
    },
    Case {
        name: "evidence was withdrawn",
        make: production,
        change: |moment| {
            let receipt = rows_receipt(&moment.world);
            moment
                .told()
                .receipt(&receipt, Disposition::Withdrawn { revision: 9 });
        },
        reason: Reason::Withdrawn,
    },
    Case {
        name: "nobody knows whether evidence stands",
        make: production,
        change: |moment| {
            let receipt = rows_receipt(&moment.world);
            moment.told().receipt(
                &receipt,
                Disposition::Unknown {
                    why: "the feed is gone".to_owned(),
                },
            );
        },
        reason: Reason::DispositionUnknown,
    },
    Case {
        name: "the qualification was withdrawn",
        make: production,
        change: |moment| {
            let decision = decision(moment);
            moment.told().decision_is(
                &decision,
                Answer::Known(DecisionStanding::Withdrawn { revision: 3 }),
            );
        },
        reason: Reason::QualificationWithdrawn,
    },
    Case {
        name: "custody forgot the qualification",
        make: production,
        change: |moment| {
            let decision = decision(moment);
            moment.told().decision_is(&decision, Answer::Absent);
        },
        reason: Reason::QualificationWithdrawn,
    },
    Case {
        name: "the qualification is damaged",
        make: production,
        change: |moment| {
            let decision = decision(moment);
            moment
                .told()
                .decision_is(&decision, Answer::Tampered("a bit flipped".to_owned()));
        },
        reason: Reason::QualificationWithdrawn,
    },
    Case {
        name: "the evidence was stated anew",
        make: production,
        change: |moment| {
            let receipt = rows_receipt(&moment.world);
            moment
                .told()
                .receipt(&receipt, Disposition::Valid { revision: 9 });
        },
        reason: Reason::Stale,
    },
    Case {
        name: "the qualification was stated anew",
        make: production,
        change: |moment| {
            let decision = decision(moment);
            moment
                .told()
                .decision_is(&decision, Answer::Known(DecisionStanding::Stands { revision: 9 }));
        },
        reason: Reason::Stale,
    },
    Case {
        name: "another capability table was pinned",
        make: production,
        change: |moment| {
            let capability = moment.world.custody.pins().capability.clone();
            let (id, other) = (capability.id.clone(), moment.world.custody.pins().scope.digest);
            let other = PinnedRef {
                digest: other,
                ..capability
            };
            moment.told().policy_is(&id, Answer::Known(other));
        },
        reason: Reason::UnauthorizedPolicy,
    },
    Case {
        name: "a policy is no longer pinned",
        make: production,
        change: |moment| {
            let id = moment.world.custody.pins().qualification_policy.id.clone();
            moment.told().policy_is(&id, Answer::Absent);
        },
        reason: Reason::UnauthorizedPolicy,
    },
    Case {
        name: "the study ended",
        make: study,
        change: |moment| moment.told().withhold_study(GRANT, WithheldBecause::Ended),
        reason: Reason::WrongAuthorization,
    },
    Case {
        name: "the study's authorization is past its end",
        make: study,
        change: |it| it.told().withhold_study(GRANT, WithheldBecause::Expired),
        reason: Reason::AuthorizationExpired,
    },
    Case {
        name: "the study's authorization names other treatments",
        make: study,
        change: |it| it.told().change_grant(GRANT, |grant| grant.treatments.clear()),
        reason: Reason::WrongAuthorization,
    },
    Case {
        name: "the study's authorization rests on other documents",
        make: study,
        change: |moment| {
            let other = harness::grant("study-8", &moment.world.graph, &moment.world.custody);
            moment
                .told()
                .change_grant(GRANT, |grant| grant.documents = other.documents);
        },
        reason: Reason::WrongAuthorization,
    },
    Case {
        name: "the study's authorization is for other devices",
        make: study,
        change: |it| {
            it.told()
                .change_grant(GRANT, |grant| grant.devices = vec![DeviceClass::PcvrHeadset])
        },
        reason: Reason::WrongAuthorization,
    },
    Case {
        name: "the study is for another scope by now",
        make: study,
        change: |moment| {
            let other = moment.world.custody.scopes()[1].pinned().clone();
            moment.told().change_grant(GRANT, |grant| grant.scope = other);
        },
        reason: Reason::WrongAuthorization,
    },
    Case {
        name: "the study names other mappings by now",
        make: study,
        change: |moment| moment.told().change_grant(GRANT, |grant| grant.mappings.clear()),
        reason: Reason::WrongAuthorization,
    },
    Case {
        name: "the study permits no exposure anymore",
        make: study,
        change: |it| {
            it.told()
                .change_grant(GRANT, |grant| grant.exposure.max_exposures = 0)
        },
        reason: Reason::WrongAuthorization,
    },
    Case {
        name: "the study owner forgot the authorization",
        make: study,
        change: |moment| moment.told().study_is(GRANT, Answer::Absent),
        reason: Reason::NoStudyAuthorization,
    },
    Case {
        name: "the study's authorization is damaged",
        make: study,
        change: |it| {
            it.told()
                .study_is(GRANT, Answer::Tampered("a bit flipped".to_owned()))
        },
        reason: Reason::Integrity,
    },
];

fn due(case: &Case, when: &str, refusal: &Refusal) {
    assert_eq!(
        refusal.stage(),
        Stage::AdoptionRecheck,
        "{}, {when}: {refusal}",
        case.name
    );
    assert_eq!(refusal.reason(), case.reason, "{}, {when}: {refusal}", case.name);
    assert!(
        refusal.retry().is_some(),
        "{}, {when}: it says what to do next",
        case.name
    );
}

fn adopted(moment: &Moment) -> Adopted {
    let admission = moment.world.admitted();
    let authorization = moment
        .mint(&admission)
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    authorization
        .adopt(&moment.now())
        .unwrap_or_else(|refusal| panic!("{refusal}"))
}

#[test]
fn what_changes_between_minting_and_adopting_refuses() {
    for case in CASES {
        let mut moment = (case.make)();
        let admission = moment.world.admitted();
        let authorization = moment
            .mint(&admission)
            .unwrap_or_else(|refusal| panic!("{}: {refusal}", case.name));
        let control = moment
            .mint(&admission)
            .unwrap_or_else(|refusal| panic!("{}: {refusal}", case.name));
        let stands = control.adopt(&moment.now());
        assert!(stands.is_ok(), "{}: the control is not adopted", case.name);
        (case.change)(&mut moment);
        match authorization.adopt(&moment.now()) {
            Ok(_) => panic!("{}: adopted", case.name),
            Err(refusal) => due(case, "adopting", &refusal),
        }
    }
}

#[test]
fn what_changes_while_a_view_stands_ends_it() {
    for case in CASES {
        let mut moment = (case.make)();
        let adopted = adopted(&moment);
        assert!(adopted.recheck(&moment.now()).is_ok(), "{}", case.name);
        (case.change)(&mut moment);
        match adopted.recheck(&moment.now()) {
            Ok(()) => panic!("{}: it still stands", case.name),
            Err(refusal) => {
                due(case, "standing", &refusal);
                let result = adopted.record().id();
                let revoked = adopted.revoke(refusal);
                assert_eq!(revoked.record().id(), result);
                assert_eq!(revoked.refusal.reason(), case.reason);
            }
        }
    }
}

/// A change before minting: a new run, registration or activation may be minted for, because nothing was bound yet; what
/// the plan itself is about may not differ.
#[test]
fn what_changed_before_minting_refuses_unless_it_is_only_a_new_moment() {
    for case in CASES {
        let only_new = [
            "A, then B, then A again",
            "the same question activated once more",
            "the same bytes registered once more",
            "the world was rebuilt",
            "another run of the program",
        ]
        .contains(&case.name);
        let mut moment = (case.make)();
        let admission = moment.world.admitted();
        (case.change)(&mut moment);
        match moment.mint(&admission) {
            Ok(authorization) => {
                assert!(only_new, "{}: minted", case.name);
                assert!(authorization.adopt(&moment.now()).is_ok(), "{}", case.name);
            }
            Err(refusal) => {
                assert!(!only_new, "{}: {refusal}", case.name);
                due(case, "minting", &refusal);
            }
        }
    }
}

#[test]
fn a_refused_adoption_consumes_its_authorization_and_leaves_the_view_in_force() {
    let mut moment = production();
    let admission = moment.world.admitted();
    let in_force = adopted(&moment);
    let late = moment.mint(&admission).expect("nothing changed");
    let before = moment.activation.clone();
    moment.revisit();
    let refused = late.adopt(&moment.now()).expect_err("its moment is over");
    assert_eq!(refused.code(), Code::ContextIncompatible);
    // `late` is gone: using it once more does not compile (see the crate's compile-fail tests). The old view was not
    // touched, and in its own moment it still stands.
    moment.activation = before;
    assert!(in_force.recheck(&moment.now()).is_ok());
    assert_eq!(in_force.record().id(), admission.record().id());
}

/// A grant whose terms were stated anew is another grant: what was minted under the old one is over, a new mint is not.
#[test]
fn a_study_grant_is_bound_with_its_terms() {
    let changes: [fn(&mut StudyGrant); 4] = [
        |grant| grant.exposure.max_seconds += 1,
        |grant| grant.exposure.max_exposures += 1,
        |grant| grant.compiler.version.push('x'),
        |grant| grant.withheld.clear(),
    ];
    for change in changes {
        let mut moment = study();
        let admission = moment.world.admitted();
        let early = moment.mint(&admission).expect("the study runs");
        moment.told().change_grant(GRANT, change);
        let refusal = early.adopt(&moment.now()).expect_err("other terms");
        assert_eq!(refusal.reason(), Reason::WrongAuthorization, "{refusal}");
        assert!(refusal.cause().text.contains("stated anew"), "{refusal}");
        let late = moment
            .mint(&admission)
            .expect("the study runs, under other terms");
        assert!(late.adopt(&moment.now()).is_ok());
    }
}

#[test]
fn exposure_is_bounded_in_a_study_and_nowhere_else() {
    let moment = study();
    let shown = adopted(&moment);
    assert_eq!(shown.permitted_use(), PermittedUse::StudyOnly);
    assert!(shown.exposed_for(599).is_ok(), "the grant says 600 seconds");
    let refusal = shown.exposed_for(600).expect_err("it is over");
    assert_eq!(
        (refusal.stage(), refusal.reason()),
        (Stage::AdoptionRecheck, Reason::AuthorizationExpired)
    );
    let shown = adopted(&production());
    assert_eq!(shown.permitted_use(), PermittedUse::Production);
    assert!(shown.exposed_for(u64::MAX).is_ok());
}

/// The revision is part of the result: what is admitted under another one is another result.
#[test]
fn a_decision_stated_anew_gives_another_result() {
    let mut moment = production();
    let admission = moment.world.admitted();
    let decision = decision(&moment);
    let again = moment.world.admitted();
    assert_eq!(again.record().id(), admission.record().id(), "nothing changed");
    moment
        .told()
        .decision_is(&decision, Answer::Known(DecisionStanding::Stands { revision: 9 }));
    let refusal = moment.mint(&admission).expect_err("it was stated anew");
    assert_eq!(refusal.reason(), Reason::Stale);
    assert!(
        refusal
            .cause()
            .text
            .contains("was stated anew at revision 9; admitted under 0; admit again"),
        "{refusal}"
    );
    let anew = moment.world.admitted();
    assert_ne!(anew.record().id(), admission.record().id());
    assert_eq!(
        anew.plan().id(),
        admission.plan().id(),
        "the picture is the same one"
    );
    assert!(moment.mint(&anew).is_ok());
}

#[test]
fn a_variant_that_the_plan_lacks_is_not_minted() {
    let mut moment = production();
    moment
        .world
        .know(|shelf| shelf.device("STANDALONE_HEADSET", |it| it["maxMarks"] = 1.into()));
    let admission = moment.world.admitted();
    assert!(moment.mint(&admission).is_ok());
    let Admission::Production(admitted) = &admission else {
        panic!("it is production")
    };
    moment.device = DeviceClass::StandaloneHeadset;
    let refusal = mint(admitted, "standalone_headset", &moment.now()).expect_err("it was refused there");
    assert_eq!(
        (refusal.stage(), refusal.reason()),
        (Stage::AdoptionRecheck, Reason::DeviceLacksChannel)
    );
    assert!(
        refusal
            .cause()
            .text
            .contains("no variant standalone_headset; it has desktop"),
        "it names the variants there are: {refusal}"
    );
}

/// What is shown is what was admitted: the adopted view hands out the same plan bytes as the record commits.
#[test]
fn the_adopted_view_is_the_admitted_plan() {
    let moment = production();
    let adopted = adopted(&moment);
    let admission = moment.world.admitted();
    assert_eq!(adopted.plan().id(), admission.record().body().plan_id);
    assert_eq!(adopted.variant().name, "desktop");
    let committed = &admission.record().body().backend_plan_digests;
    let digest = identity::canonical::digest(&adopted.variant().backend).expect("it is canonical");
    assert!(
        committed
            .iter()
            .any(|entry| entry.variant == "desktop" && entry.digest == digest)
    );
}
