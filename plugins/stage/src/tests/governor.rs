//! Which variant is taken: the largest that fits by what was measured, each other with its reason.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use identity::Digest;

use super::{marks, scene};
use crate::embodiment::Embodiment;
use crate::governor::{Budget, Candidate, Choice, Governor, WINDOW, WhyNot};
use crate::{PassedOver, StagePlugin};

fn candidates() -> Vec<Candidate> {
    [("small", 10), ("whole", 1000), ("twin", 1000), ("half", 500)]
        .map(|(variant, n_marks)| Candidate {
            variant: variant.to_owned(),
            n_marks,
            backend: Digest::of(variant.as_bytes()),
        })
        .to_vec()
}

/// Chooses; a variant needs ten bytes a mark, and the device has buffers for `most` marks. Also what was built, and what was
/// taken back.
fn choose(governor: &Governor, budget: Budget, most: u64) -> (Choice, Vec<u64>, Vec<u64>) {
    let candidates = candidates();
    let (mut built, mut dropped) = (Vec::new(), Vec::new());
    let chosen = governor.choose(
        &candidates,
        budget,
        |at| {
            let n_marks = candidates[at].n_marks;
            built.push(n_marks);
            Ok::<_, ()>(if n_marks > most {
                Err("no buffer".to_owned())
            } else {
                Ok((n_marks, 10 * n_marks))
            })
        },
        |n_marks| dropped.push(n_marks),
    );
    (chosen.unwrap().1, built, dropped)
}

fn passed(variant: &str, n_marks: u64, why: WhyNot) -> PassedOver {
    PassedOver {
        variant: variant.to_owned(),
        n_marks,
        why,
    }
}

#[test]
fn without_a_bound_the_most_marks_are_taken_and_of_equals_the_first() {
    let (choice, built, dropped) = choose(&Governor::default(), Budget::default(), u64::MAX);
    assert_eq!(
        (choice.variant.as_deref(), choice.n_marks, choice.view_bytes),
        (Some("whole"), 1000, 10_000)
    );
    assert!(choice.passed_over.is_empty() && dropped.is_empty());
    assert_eq!(built, [1000], "nothing else is built");
    assert_eq!(
        choice.to_string(),
        "Variant whole is shown: 1000 marks in 10000 bytes on the device."
    );
}

#[test]
fn what_the_device_or_the_budget_has_no_room_for_is_passed_over_with_its_reason() {
    let budget = Budget {
        view_bytes: Some(400),
        ..Budget::default()
    };
    let (choice, built, dropped) = choose(&Governor::default(), budget, 700);
    assert_eq!(choice.variant.as_deref(), Some("small"));
    let bytes = WhyNot::Bytes {
        needed: 5000,
        allowed: 400,
    };
    let device = || WhyNot::Device("no buffer".to_owned());
    assert_eq!(
        choice.passed_over,
        [
            passed("whole", 1000, device()),
            passed("twin", 1000, device()),
            passed("half", 500, bytes)
        ]
    );
    assert_eq!(
        (built, dropped),
        (vec![1000, 1000, 500, 10], vec![500]),
        "what was too large is taken back"
    );
}

#[test]
fn where_nothing_fits_nothing_is_taken() {
    let (choice, _, _) = choose(&Governor::default(), Budget::default(), 9);
    assert_eq!((choice.variant, choice.passed_over.len()), (None, 4));
    let (choice, _, _) = choose(&Governor::default(), Budget::default(), 10);
    assert_eq!(choice.variant.as_deref(), Some("small"));
}

/// An app that shows a view with the backend of one of the candidates, after some frames of so many milliseconds.
fn watched(backend: &str, n_marks: usize, frames: usize, millis: u64, budget: Budget) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin));
    app.add_plugins(StagePlugin::new().unwrap());
    app.insert_resource(budget);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(millis)));
    let keys: Vec<String> = (0..n_marks).map(|row| row.to_string()).collect();
    let at: Vec<_> = keys.iter().map(|key| (key.as_str(), [0.0; 3], 0)).collect();
    let mut embodiment = Embodiment::over(1, scene(vec![marks("x", None, &at)]));
    embodiment.shown = true;
    embodiment.backend = Some(Digest::of(backend.as_bytes()));
    app.world_mut().spawn(embodiment);
    for _ in 0..frames {
        app.update();
    }
    app
}

#[test]
fn a_view_that_was_measured_to_be_too_slow_is_not_taken_again_nor_one_with_more_marks() {
    let budget = Budget {
        frame: Some(Duration::from_millis(40)),
        ..Budget::default()
    };
    let of = |frames, millis| {
        let app = watched("half", 500, frames, millis, budget);
        let (choice, _, _) = choose(app.world().resource(), budget, u64::MAX);
        choice
    };
    let slow = of(WINDOW + 8, 60);
    assert_eq!(slow.variant.as_deref(), Some("small"));
    let why = WhyNot::Slow {
        measured: Duration::from_millis(60),
        allowed: Duration::from_millis(40),
    };
    assert_eq!(slow.passed_over[0], passed("whole", 1000, why));
    assert_eq!((slow.passed_over.len(), slow.measured.n_marks), (3, 500));
    assert_eq!(slow.measured.frame, Some(Duration::from_millis(60)));
    let quick = of(WINDOW + 8, 30);
    assert_eq!(
        (quick.variant.as_deref(), quick.passed_over.len()),
        (Some("whole"), 0)
    );
    let not_yet = of(WINDOW, 60);
    assert_eq!(
        not_yet.variant.as_deref(),
        Some("whole"),
        "a window that is not full says nothing"
    );
    assert_eq!(not_yet.measured.frame, None);
    // A budget that was raised since counts.
    let app = watched("half", 500, WINDOW + 8, 60, budget);
    let raised = Budget {
        frame: Some(Duration::from_millis(60)),
        ..Budget::default()
    };
    let (choice, _, _) = choose(app.world().resource(), raised, u64::MAX);
    assert_eq!(choice.variant.as_deref(), Some("whole"));
}

#[test]
fn one_long_frame_is_no_median() {
    let budget = Budget {
        frame: Some(Duration::from_millis(40)),
        ..Budget::default()
    };
    let mut app = watched("half", 500, WINDOW + 8, 30, budget);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(3)));
    app.update();
    app.update();
    let measured = app.world().resource::<Governor>().measured().unwrap();
    assert_eq!(measured.frame, Some(Duration::from_millis(30)));
}
