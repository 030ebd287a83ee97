//! A judgment speaks of what is there, or refuses by name.

use harness::Spec;
use refusal::Code;

use super::{Decision, draft};
use crate::JudgmentError;
use crate::wire::v1::{Part, Target};

#[test]
fn what_is_there_resolves() {
    let decision = Decision::flowers();
    let ground = decision.ground();
    for part in [decision.binding(), decision.obligation()] {
        let target = ground.target("desktop", part).unwrap();
        assert_eq!(draft(target).resolve(&ground), Ok(()));
    }
}

/// Each identity of a target in turn is taken from another decision.
#[test]
fn a_judgment_about_something_else_is_refused_by_name() {
    let (here, there) = (
        Decision::flowers(),
        Decision::of(&Spec {
            question: "Another question?".to_owned(),
            ..Spec::flowers()
        }),
    );
    let penguins = Decision::of(&Spec::penguins());
    let (own, other, third) = (here.target(), there.target(), penguins.target());
    let cases: [(&str, Target); 4] = [
        (
            "result",
            Target {
                result_id: other.result_id,
                ..own.clone()
            },
        ),
        (
            "plan",
            Target {
                plan_id: other.plan_id,
                ..own.clone()
            },
        ),
        (
            "context",
            Target {
                context_id: other.context_id,
                ..own.clone()
            },
        ),
        (
            "snapshot",
            Target {
                snapshot_id: third.snapshot_id,
                ..own.clone()
            },
        ),
    ];
    for (expected, target) in cases {
        let error = draft(target).resolve(&here.ground()).unwrap_err();
        let JudgmentError::OtherSubject { what, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(*what, expected);
        assert_eq!(error.refusal().code(), Code::ContextIncompatible);
        assert!(error.refusal().cause().text.contains(expected));
    }
    assert_eq!(draft(own).resolve(&here.ground()), Ok(()));
    assert!(draft(other).resolve(&here.ground()).is_err());
}

#[test]
fn parts_that_are_not_there_are_refused_by_name() {
    let (here, there) = (Decision::flowers(), Decision::of(&Spec::penguins()));
    let ground = here.ground();
    let own = here.target();

    let variant = Target {
        variant: "hologram".to_owned(),
        ..own.clone()
    };
    let error = draft(variant).resolve(&ground).unwrap_err();
    assert!(
        matches!(&error, JudgmentError::NoVariant { known, .. } if known.contains(&"desktop".to_owned()))
    );

    let foreign = Target {
        part: there.binding(),
        ..own.clone()
    };
    let error = draft(foreign).resolve(&ground).unwrap_err();
    assert!(matches!(error, JudgmentError::NoBinding { .. }), "{error}");
    assert_eq!(error.refusal().code(), Code::InvalidInput);

    // An identity of one kind that happens to be right for nothing here.
    let Part::Obligation { obligation_id } = there.obligation() else {
        panic!("it is one")
    };
    let foreign = Target {
        part: Part::Obligation { obligation_id },
        ..own.clone()
    };
    let error = draft(foreign).resolve(&ground).unwrap_err();
    assert!(matches!(error, JudgmentError::NoObligation { .. }), "{error}");

    assert_eq!(draft(own).resolve(&ground), Ok(()));
}
