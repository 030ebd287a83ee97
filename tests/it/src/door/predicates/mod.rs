//! The closed predicates: a binding that claims an obligation must have the form that carries it, in the compiled picture.
//!
//! Each case spoils every binding that carries one obligation, so that nothing else can rescue it. Predicates that the
//! shipped policy does not derive are demanded by a policy of the test, which the outside pins.

mod marks;
mod positions;
mod words;

use harness::{World, edit};
use identity::{Finite, Identity};
use obligations::ObligationKind;
use obligations::wire::v1::Predicate;
use refusal::{Reason, Stage};
use representation::wire::v2::BindingRecord;

use super::Case;

const X: Option<&str> = Some("height_cm");

/// A binding is claimed and does not carry, for this reason.
const fn not_carried(name: &'static str, spoil: fn(&mut World), says: &'static str) -> Case {
    Case {
        name,
        spoil,
        stage: Stage::BindingUse,
        reason: Reason::NoLegalBinding,
        says,
    }
}

/// Changes every record that carries an obligation.
fn all(world: &mut World, carried: Identity<ObligationKind>, change: impl Fn(&mut BindingRecord)) {
    world.regraph(|graph| edit::carriers(graph, carried).for_each(change));
}

fn finite(value: f64) -> Finite {
    Finite::new(value).expect("it is finite")
}

fn pin(world: &World, transform: &str) -> evidence::wire::v1::PinnedRef {
    world.custody.pins().transforms[transform].clone()
}

/// Study use asks for no qualification, so that a predicate can be looked at alone.
fn in_a_study(mut world: World) -> World {
    world.grant_study("study-7");
    world
}

/// Changes the carriers of an obligation about the first variable.
fn spoil_x(world: &mut World, predicate: Predicate, change: impl Fn(&mut BindingRecord)) {
    let owed = world.owed(predicate, X);
    all(world, owed, change);
}
