//! What fails leaves nothing behind: no entity, no buffer, no half of a view; and the view in force survives it.

use std::collections::BTreeMap;
use std::time::Duration;

use adoption_gate::{AdoptionGatePlugin, Gate, Outcome, RefusedState};
use bevy::time::TimeUpdateStrategy;
use evidence::Disposition;
use forma::{DecisionStanding, WithheldBecause};
use harness::World as Known;
use knowledge::wire::v1::DeviceClass;
use plan::Camera as Viewpoint;
use refusal::Reason;
use stage::headless::Headless;
use stage::{DeviceLost, Graphics};

use crate::rig::{GRANT, Rig, reasons};

fn shown(mut rig: Rig) -> Rig {
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
    rig
}

/// Ways to fail that leave the view in force alone: the request itself is wrong.
fn fail(rig: &mut Rig, way: usize) -> Reason {
    let authorization = rig.mint();
    let leaves = rig.known.leaves.clone();
    match way % 4 {
        0 => {
            rig.request_with(authorization, BTreeMap::new());
            Reason::Integrity
        }
        1 => {
            // Minted in the generation before, asked for in this one, with everything else as it was.
            let runtime = rig.moment().runtime;
            rig.change(|moment| moment.runtime = runtime.next_generation());
            let late = rig.mint();
            rig.change(|moment| moment.runtime = runtime);
            rig.request_with(late, leaves);
            drop(authorization);
            Reason::Stale
        }
        2 => {
            let registration = rig.moment().registration;
            let other = adoption::Registration::new(*registration.fingerprint(), 2);
            rig.change(|moment| moment.registration = other);
            let other = rig.mint();
            rig.change(|moment| moment.registration = registration);
            rig.request_with(other, leaves);
            drop(authorization);
            Reason::WrongSubject
        }
        _ => {
            // Rows of another digest under the name of the plan's.
            let wrong = leaves
                .into_values()
                .map(|rows| (identity::Digest::of(b"other"), rows));
            rig.request_with(authorization, wrong.collect());
            Reason::Integrity
        }
    }
}

#[test]
fn a_hundred_refused_adoptions_leak_nothing_and_the_view_in_force_survives_each() {
    let mut rig = shown(Rig::new());
    let (before, roots, elements) = (rig.entities(), rig.roots(), rig.elements());
    let in_force = rig.in_force();
    for way in 0..100 {
        let due = fail(&mut rig, way);
        rig.settle();
        assert_eq!(reasons(&rig.told()), [("refused", Some(due))], "way {way}");
        assert_eq!(
            (rig.in_force(), rig.roots()),
            (in_force.clone(), roots),
            "way {way}"
        );
        assert_eq!(
            rig.refused(),
            None,
            "the view is there, so nothing stands in its place"
        );
    }
    assert_eq!((rig.entities(), rig.elements()), (before, elements));
    rig.request();
    rig.settle();
    assert_eq!(
        reasons(&rig.told()),
        [("adopted", None)],
        "a sound request passes"
    );
    assert_eq!(rig.entities(), before);
}

#[test]
fn what_falls_between_staging_and_the_swap_is_released_a_hundred_times() {
    let mut rig = Rig::new();
    let mut before = None;
    for _ in 0..100 {
        rig.request();
        rig.frame();
        assert_eq!(rig.roots(), (None, 1), "it is staged");
        rig.activate_again();
        rig.frame();
        assert_eq!(reasons(&rig.told()), [("refused", Some(Reason::Stale))]);
        assert_eq!((rig.roots(), rig.elements()), ((None, 0), 0));
        let entities = rig.entities();
        assert_eq!(*before.get_or_insert(entities), entities, "as after the first");
    }
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
}

#[test]
fn refused_adoptions_leave_no_buffer_on_the_device() {
    let graphics = Graphics::open().unwrap();
    let mut headless = Headless::new(graphics, (160, 90), Viewpoint::home(DeviceClass::DesktopMonitor))
        .expect("the target is small");
    headless.app.add_plugins(AdoptionGatePlugin);
    let known = Known::flowers();
    let mut rig = Rig::around(std::mem::take(&mut headless.app), known);
    rig.request();
    headless.app = std::mem::take(&mut rig.app);
    headless.picture().expect("a sound request is drawn");
    let before = headless.held().expect("the device answers");
    assert_eq!(before.embodiments, 1);
    for round in 0..20 {
        rig.app = std::mem::take(&mut headless.app);
        rig.request();
        headless.app = std::mem::take(&mut rig.app);
        // Staged and uploaded beside the one in force, but never shown: its moment is over.
        headless.step();
        rig.app = std::mem::take(&mut headless.app);
        rig.receipts_stand(&Disposition::Unknown {
            why: "the feed is gone".to_owned(),
        });
        headless.app = std::mem::take(&mut rig.app);
        headless.step();
        headless.step();
        let held = headless.held().expect("the device answers");
        assert_eq!(held.embodiments, 0, "round {round}: both are gone");
        rig.app = std::mem::take(&mut headless.app);
        rig.told();
        let sound = rig.known.custody.clone();
        rig.known.told = harness::Told::by(sound);
        rig.tell(|_| ());
        rig.request();
        headless.app = std::mem::take(&mut rig.app);
        // The refused state stands until the view is back.
        while headless.app.world().contains_resource::<RefusedState>() {
            headless.step();
        }
        headless.picture().expect("it is drawn again");
    }
    let after = headless.held().expect("the device answers");
    assert_eq!(after.embodiments, 1);
    if let (Some(before), Some(after)) = (before.allocations, after.allocations) {
        assert!(after <= before + 2, "{before} allocations before, {after} after");
    }
}

#[test]
fn of_two_requests_in_flight_each_is_judged_by_its_own_moment() {
    let mut rig = Rig::new();
    rig.request();
    rig.request();
    rig.frame();
    assert_eq!(rig.roots(), (None, 1), "one is staged, one waits");
    rig.frame();
    let (first, _) = rig.roots();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None), ("adopted", None)]);
    assert_ne!(rig.roots().0, first, "the second took the place of the first");
    assert_eq!(rig.roots().1, 1);

    // The first of two is stale: it is refused before anything is built, and the second is adopted.
    let early = rig.mint();
    rig.activate_again();
    rig.request_with(early, rig.known.leaves.clone());
    rig.request();
    rig.settle();
    assert_eq!(
        reasons(&rig.told()),
        [
            ("revoked", Some(Reason::Stale)),
            ("refused", Some(Reason::Stale)),
            ("adopted", None)
        ]
    );
    assert_eq!(rig.roots().1, 1);
}

#[test]
fn a_request_while_the_device_is_lost_is_refused_before_anything_is_built() {
    let mut rig = Rig::new();
    rig.app.world_mut().insert_resource(DeviceLost {
        why: "unplugged".to_owned(),
    });
    rig.request();
    rig.frame();
    assert_eq!(
        reasons(&rig.told()),
        [("refused", Some(Reason::NoGraphicsDevice))]
    );
    assert_eq!((rig.roots(), rig.elements()), ((None, 0), 0));
    rig.app.world_mut().remove_resource::<DeviceLost>();
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)], "the device is back");
}

/// A device that comes back is the next generation: what was minted for the one before is over, in force or not.
#[test]
fn the_next_generation_ends_everything_minted_before_it() {
    let mut rig = shown(Rig::new());
    let early = rig.mint();
    rig.app.world_mut().insert_resource(DeviceLost {
        why: "unplugged".to_owned(),
    });
    rig.frame();
    assert_eq!(
        reasons(&rig.told()),
        [("revoked", Some(Reason::NoGraphicsDevice))]
    );
    rig.app.world_mut().remove_resource::<DeviceLost>();
    rig.change(|moment| moment.runtime = moment.runtime.next_generation());
    rig.request_with(early, rig.known.leaves.clone());
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("refused", Some(Reason::Stale))]);
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)], "minted anew");
}

#[test]
fn a_study_that_ends_between_staging_and_the_swap_shows_nothing() {
    let mut rig = Rig::study();
    rig.request();
    rig.frame();
    assert_eq!(rig.roots(), (None, 1), "staged");
    let running = rig.known.told.clone();
    rig.tell(|told| told.withhold_study(GRANT, WithheldBecause::Ended));
    rig.frame();
    assert_eq!(
        reasons(&rig.told()),
        [("refused", Some(Reason::WrongAuthorization))]
    );
    assert_eq!(rig.roots(), (None, 0));
    rig.tell(|told| *told = running);
    rig.request();
    rig.settle();
    assert_eq!(
        reasons(&rig.told()),
        [("adopted", None)],
        "while it runs it is shown"
    );
}

/// A study bounds how long a treatment is shown; production is not bounded.
#[test]
fn an_exposure_ends_when_the_grant_says() {
    let mut rig = Rig::study();
    rig.tell(|told| told.change_grant(GRANT, |grant| grant.exposure.max_seconds = 3));
    rig.app
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1)));
    let mut rig = shown(rig);
    rig.frame();
    rig.frame();
    assert!(rig.in_force().is_some(), "two seconds are over");
    rig.frame();
    assert_eq!(
        reasons(&rig.told()),
        [("revoked", Some(Reason::AuthorizationExpired))]
    );

    let mut free = Rig::new();
    free.app
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1000)));
    let mut free = shown(free);
    for _ in 0..10 {
        free.frame();
    }
    assert!(free.in_force().is_some() && free.told().is_empty());
}

/// What is stated anew is another statement: the view that rested on the one before goes, and its result is not revived.
#[test]
fn a_statement_at_another_revision_ends_the_view() {
    let changes: [fn(&mut Rig); 2] = [
        |rig| rig.receipts_stand(&Disposition::Valid { revision: 77 }),
        |rig| {
            let decision = rig.decision();
            rig.decision_stands(&decision, DecisionStanding::Stands { revision: 77 });
        },
    ];
    for change in changes {
        let mut rig = shown(Rig::new());
        change(&mut rig);
        rig.frame();
        let told = rig.told();
        let [Outcome::Revoked(refusal)] = told.as_slice() else {
            panic!("{told:?}")
        };
        assert_eq!(refusal.reason(), Reason::Stale);
        assert!(
            refusal
                .cause()
                .text
                .contains("was stated anew at revision 77; admitted under"),
            "{refusal}"
        );
        assert_eq!(rig.refused().map(|shown| shown.reason()), Some(Reason::Stale));
        assert_eq!(rig.roots(), (None, 0));
        assert!(rig.try_mint().is_err(), "the recorded result is over");
        rig.admission = rig.known.admitted();
        rig.request();
        rig.settle();
        assert_eq!(
            reasons(&rig.told()),
            [("adopted", None)],
            "admitted again, it is shown"
        );
    }
}

/// A gate that is empty has no view and no staged one; its control is every other test here.
#[test]
fn nothing_comes_into_force_by_itself() {
    let mut rig = Rig::new();
    for _ in 0..5 {
        rig.frame();
    }
    assert_eq!((rig.in_force(), rig.roots()), (None, (None, 0)));
    assert!(rig.app.world().resource::<Gate>().is_idle());
}
