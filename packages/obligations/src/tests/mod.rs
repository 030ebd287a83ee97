//! What the crate promises, each refusal beside a control that passes.

mod derived;
#[path = "../../../investigation/src/tests/fixture.rs"]
mod fixture;
mod origins;
mod policies;
mod stored;

use fixture::Build;
use investigation::{Context, Draft, EpistemicPurpose, Investigation, Scope};
use snapshot::{Snapshot, SnapshotView as _};

use crate::wire::v1::{Class, Obligation, Predicate};
use crate::{FixedObligations, Policy, predicate_word};

const POLICY: &str = include_str!("../../../../assets/policies/obligations-v1.json");
const SCOPE: &[u8] = include_bytes!("../../../../assets/policies/scope-v1.json");

fn policy() -> Policy {
    Policy::from_bytes(POLICY.as_bytes()).unwrap()
}

fn draft() -> Draft {
    Draft::new("penguins")
        .question("Does flipper length separate the species?")
        .purpose(EpistemicPurpose::ClaimBearing)
        .foreground("flipper_length_mm")
        .foreground("body_mass_g")
        .foreground("bill_length_mm")
        .grouping("species")
        .scope(&Scope::from_bytes(SCOPE).unwrap())
}

fn commit(draft: &Draft, snapshot: &Snapshot) -> Context {
    let mut investigation = Investigation::new("penguins", "run").unwrap();
    draft.commit(&mut investigation, snapshot).unwrap().clone()
}

fn derived(draft: &Draft, build: &Build) -> (Snapshot, FixedObligations) {
    let snapshot = build.seal();
    let fixed = crate::derive(&snapshot, &commit(draft, &snapshot), &policy()).unwrap();
    (snapshot, fixed)
}

/// One line an obligation: class, predicate, what it is about, what to expose.
fn line(obligation: &Obligation, snapshot: &Snapshot) -> String {
    let class = match obligation.class {
        Class::MustPreserve => "MUST",
        Class::Progressive => "PROGRESSIVE",
        Class::Optional => "OPTIONAL",
    };
    let meant = &obligation.semantic_source_ref;
    let producer = meant
        .node_id
        .and_then(|id| snapshot.node(id))
        .map(|node| node.producer_semantic_id.clone());
    let whole = snapshot
        .source(meant.source_id)
        .map(|source| source.family.clone());
    let limits = obligation.limitations_to_expose.join(" ");
    let predicate = predicate_word(obligation.requirement_predicate_ref.predicate);
    let about = producer.or(whole).unwrap();
    format!(
        "{class} {predicate} {about}/{} [{limits}]",
        obligation.property_or_relation
    )
}

fn lines(snapshot: &Snapshot, fixed: &FixedObligations) -> Vec<String> {
    let mut lines: Vec<String> = fixed
        .obligations()
        .iter()
        .map(|obligation| line(obligation, snapshot))
        .collect();
    lines.sort();
    lines
}

fn of(fixed: &FixedObligations, predicate: Predicate) -> Vec<&Obligation> {
    fixed.of_predicate(predicate).collect()
}
