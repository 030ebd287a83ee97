//! The one door of admission.
//!
//! Attacked: everything that `forma::admit` takes on trust if a check is missing: a question about another dataset, evidence
//! that is gone, a proposal that weakens what was fixed, a mapping nobody qualified, a budget that is passed, a record
//! that contradicts itself. Owner: Forma, for each stage in the order of the decision, section 10. Required: a refusal at
//! that stage with that reason; the first failing stage is primary and nothing that was found is lost. Control: the same
//! world before it was spoiled is admitted by the same function; where a spoiled thing has a sound form, that too.
//!
//! Every case was watched fail with its check taken out.

mod budget;
mod context;
mod diagnostics;
mod evidence;
mod policy;
mod predicates;
mod record;
mod sound;
mod uses;

use forma::Refused;
use harness::World;
use identity::Identity;
use obligations::ObligationKind;
use refusal::{Reason, Refusal, Stage};

/// What spoils a world.
type Spoil = fn(&mut World);

/// One way to spoil a world, and the answer that is due.
struct Case {
    name: &'static str,
    spoil: Spoil,
    stage: Stage,
    reason: Reason,
    /// Words of the sentence, so that no other check can answer in its place.
    says: &'static str,
}

/// Each case alone: the world is admitted, then it is spoiled, then it is refused as the case says.
fn each(make: fn() -> World, cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let mut world = make();
        if let Err(refused) = world.admit() {
            wrong.push(format!(
                "{}: the control is refused\n{}",
                case.name,
                told(&refused)
            ));
            continue;
        }
        (case.spoil)(&mut world);
        match world.admit() {
            Ok(_) => wrong.push(format!("{}: admitted", case.name)),
            Err(refused) if found(&refused, case.stage, case.reason, case.says).is_none() => {
                wrong.push(format!("{}: refused otherwise\n{}", case.name, told(&refused)));
            }
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The diagnostic of a stage with a reason that says these words.
fn found<'a>(refused: &'a Refused, stage: Stage, reason: Reason, says: &str) -> Option<&'a Refusal> {
    refused.diagnostics.all().iter().find(|refusal| {
        refusal.stage() == stage && refusal.reason() == reason && refusal.cause().text.contains(says)
    })
}

/// Whether an obligation is claimed and not carried, for a reason that says these words.
fn not_carried(refused: &Refused, obligation: Identity<ObligationKind>, says: &str) -> bool {
    let about = obligation.to_string();
    refused.diagnostics.all().iter().any(|refusal| {
        refusal.reason() == Reason::NoLegalBinding
            && refusal.subjects() == [about.as_str()]
            && refusal.cause().text.contains(says)
    })
}

/// Everything that was found, for a failing test.
fn told(refused: &Refused) -> String {
    refused
        .diagnostics
        .all()
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// The refusal of a world that is refused.
fn refused(world: &World) -> Refused {
    match world.admit() {
        Ok(_) => panic!("admitted"),
        Err(refused) => *refused,
    }
}
