//! What the gate lets through, what it refuses, and what stays meanwhile. No renderer.

use adoption_gate::{Gate, Moment, Outcome, RefusedState};
use bevy::prelude::*;
use refusal::Reason;
use stage::DeviceLost;

use crate::rig::{Rig, reasons};

fn shown() -> Rig {
    let mut rig = Rig::new();
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
    rig
}

#[test]
fn an_authorized_view_is_staged_hidden_and_adopted_in_a_later_frame() {
    let mut rig = Rig::new();
    rig.request();
    rig.frame();
    assert_eq!(rig.roots(), (None, 1), "staged, not shown");
    assert!(rig.app.world().resource::<Gate>().in_force().is_none());
    rig.frame();
    let (root, count) = rig.roots();
    assert!(root.is_some() && count == 1);
    assert_eq!(rig.elements(), rig.planned_elements(), "one entity an element");
    assert!(rig.app.world().resource::<Gate>().in_force().is_some());
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
}

#[test]
fn a_second_view_takes_the_place_of_the_first_and_nothing_of_it_remains() {
    let mut rig = shown();
    let (first, _) = rig.roots();
    rig.request();
    rig.frame();
    assert_eq!(
        rig.roots(),
        (first, 2),
        "the first is shown while the second is staged"
    );
    rig.frame();
    let (second, count) = rig.roots();
    assert!(second.is_some() && second != first && count == 1);
    assert_eq!(rig.elements(), rig.planned_elements());
}

#[test]
fn a_stale_authorization_is_refused_and_released() {
    let mut rig = Rig::new();
    let authorization = rig.mint();
    rig.activate_again();
    rig.request_with(authorization, rig.known.leaves.clone());
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("refused", Some(Reason::Stale))]);
    assert_eq!(
        (rig.roots(), rig.elements()),
        ((None, 0), 0),
        "what was staged is released"
    );
    assert_eq!(
        rig.app.world().resource::<RefusedState>().refusal.reason(),
        Reason::Stale,
        "the reason stands where the view would"
    );
    rig.request();
    rig.settle();
    assert_eq!(
        reasons(&rig.told()),
        [("adopted", None)],
        "minted anew, it passes"
    );
    assert!(rig.app.world().get_resource::<RefusedState>().is_none());
}

#[test]
fn a_request_that_is_refused_leaves_the_view_in_force_untouched() {
    let mut rig = shown();
    let before = rig.roots();
    let authorization = rig.mint();
    rig.request_with(authorization, std::collections::BTreeMap::new());
    rig.settle();
    assert_eq!(
        reasons(&rig.told()),
        [("refused", Some(Reason::Integrity))],
        "its rows were not given"
    );
    assert_eq!(rig.roots(), before);
    assert_eq!(rig.elements(), rig.planned_elements());
    assert!(rig.app.world().get_resource::<RefusedState>().is_none());
}

/// Changes one fact while a view is in force; the pass of the same frame must revoke it.
fn revoked_by(change: impl FnOnce(&mut Rig)) -> Reason {
    let mut rig = shown();
    rig.frame();
    assert!(rig.roots().0.is_some(), "it stands while nothing changes");
    change(&mut rig);
    rig.frame();
    assert_eq!((rig.roots(), rig.elements()), ((None, 0), 0));
    assert!(rig.app.world().resource::<Gate>().in_force().is_none());
    let told = rig.told();
    let [Outcome::Revoked(refusal)] = told.as_slice() else {
        panic!("{told:?}")
    };
    assert_eq!(&rig.app.world().resource::<RefusedState>().refusal, &**refusal);
    refusal.reason()
}

#[test]
fn whatever_falls_takes_the_view_with_it_within_the_frame() {
    assert_eq!(revoked_by(Rig::withdraw_evidence), Reason::Withdrawn);
    assert_eq!(revoked_by(Rig::activate_again), Reason::Stale);
    assert_eq!(
        revoked_by(|rig| {
            let mut moment = rig.app.world_mut().resource_mut::<Moment>();
            moment.runtime = moment.runtime.next_generation();
        }),
        Reason::Stale
    );
    assert_eq!(
        revoked_by(|rig| {
            let device = knowledge::wire::v1::DeviceClass::PcvrHeadset;
            rig.app.world_mut().resource_mut::<Moment>().device = device;
        }),
        Reason::DeviceLacksChannel
    );
    assert_eq!(
        revoked_by(|rig| {
            rig.app.world_mut().insert_resource(DeviceLost {
                why: "unplugged".to_owned(),
            });
        }),
        Reason::NoGraphicsDevice
    );
    assert_eq!(
        revoked_by(|rig| {
            rig.app.world_mut().remove_resource::<Moment>();
        }),
        Reason::DispositionUnknown
    );
}

#[test]
fn evidence_that_falls_between_staging_and_adoption_stops_the_swap() {
    let mut rig = shown();
    rig.request();
    rig.frame();
    assert_eq!(rig.roots().1, 2, "staged beside the one in force");
    rig.withdraw_evidence();
    rig.frame();
    assert_eq!(
        reasons(&rig.told()),
        [
            ("revoked", Some(Reason::Withdrawn)),
            ("refused", Some(Reason::Withdrawn))
        ]
    );
    assert_eq!((rig.roots(), rig.elements()), ((None, 0), 0));
}

#[test]
fn a_device_that_is_lost_while_staging_refuses_and_releases() {
    let mut rig = Rig::new();
    rig.request();
    rig.frame();
    rig.app.world_mut().insert_resource(DeviceLost {
        why: "unplugged".to_owned(),
    });
    rig.settle();
    assert_eq!(
        reasons(&rig.told()),
        [("refused", Some(Reason::NoGraphicsDevice))]
    );
    assert_eq!(rig.roots(), (None, 0));
}

#[test]
fn going_back_to_an_earlier_question_does_not_revive_its_view() {
    let mut rig = Rig::new();
    let first = rig.mint();
    let activation = rig.known.activation.clone();
    rig.activate_again();
    let elsewhere = rig.app.world().resource::<Moment>().activation.clone();
    assert_ne!(activation, elsewhere, "the same question, at another epoch");
    rig.activate_again();
    rig.request_with(first, rig.known.leaves.clone());
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("refused", Some(Reason::Stale))]);
}

#[test]
fn the_gate_works_after_every_system_that_can_change_a_fact() {
    let mut rig = shown();
    rig.app.add_systems(PostUpdate, |mut moment: ResMut<Moment>| {
        moment.runtime = moment.runtime.next_generation();
    });
    rig.frame();
    assert_eq!(
        rig.roots(),
        (None, 0),
        "changed in PostUpdate, gone in the same frame"
    );
}
