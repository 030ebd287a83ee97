//! Several variants are asked for at once, under a budget: one is shown, or none and the old view stays.

use std::sync::Arc;
use std::time::Duration;

use adoption::ExecutionAuthorization;
use adoption_gate::Gate;
use bevy::prelude::*;
use refusal::{Code, Reason};
use stage::{Budget, Choice, Embodiment, WhyNot};

use crate::rig::{Rig, reasons};

fn request_best(rig: &mut Rig, authorizations: Vec<ExecutionAuthorization>) {
    let leaves = Arc::new(rig.known.leaves.clone());
    let mut gate = rig.app.world_mut().resource_mut::<Gate>();
    gate.request_best(authorizations, leaves);
}

fn bytes(rig: &mut Rig) -> u64 {
    let world = rig.app.world_mut();
    let mut roots = world.query::<&Embodiment>();
    roots.single(world).unwrap().device_bytes() as u64
}

fn allow(rig: &mut Rig, budget: Budget) {
    rig.app.insert_resource(budget);
}

#[test]
fn a_view_beyond_the_budget_is_refused_and_the_old_one_stays() {
    let mut rig = Rig::new();
    rig.request();
    rig.settle();
    let (shown, in_force, needed) = (rig.roots(), rig.in_force(), bytes(&mut rig));
    rig.told();
    let budget = |view_bytes| Budget {
        view_bytes: Some(view_bytes),
        ..Budget::default()
    };
    allow(&mut rig, budget(needed - 1));
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("refused", Some(Reason::OverBudget))]);
    assert_eq!(Reason::OverBudget.code(), Code::ResourceUnsatisfiable);
    assert_eq!(
        (rig.roots(), rig.in_force()),
        (shown, in_force),
        "untouched, and nothing is left staged"
    );
    assert!(rig.refused().is_none());
    let choice = rig.app.world().resource::<Choice>().clone();
    assert_eq!(choice.variant, None);
    let allowed = needed - 1;
    assert_eq!(choice.passed_over[0].why, WhyNot::Bytes { needed, allowed });
    // One byte more, and it is shown.
    allow(&mut rig, budget(needed));
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
    let choice = rig.app.world().resource::<Choice>();
    assert_eq!(
        (choice.variant.as_deref(), choice.view_bytes),
        (Some("desktop"), needed)
    );
}

#[test]
fn a_view_that_was_too_slow_is_refused_where_frames_have_a_budget() {
    let mut rig = Rig::new();
    allow(
        &mut rig,
        Budget {
            frame: Some(Duration::from_nanos(1)),
            ..Budget::default()
        },
    );
    rig.request();
    rig.settle();
    for _ in 0..64 {
        rig.frame();
    }
    rig.told();
    let in_force = rig.in_force();
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("refused", Some(Reason::OverBudget))]);
    assert_eq!(rig.in_force(), in_force);
    allow(&mut rig, Budget::default());
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
}

#[test]
fn what_no_longer_stands_is_left_out_of_what_is_chosen_from() {
    let mut rig = Rig::new();
    let stale = [rig.mint(), rig.mint(), rig.mint()];
    rig.activate_again();
    let fresh = rig.mint();
    let [one, two, three] = stale;
    request_best(&mut rig, vec![one, fresh]);
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
    request_best(&mut rig, vec![two, three]);
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("refused", Some(Reason::Stale))]);
    request_best(&mut rig, Vec::new());
    assert!(rig.app.world().resource::<Gate>().is_idle());
}
