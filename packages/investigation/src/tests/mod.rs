//! What the crate promises, each refusal beside a control that passes.

pub(crate) mod fixture;
mod lineage;
mod perspectives;
mod texts;

use crate::{Draft, EpistemicPurpose, Investigation, InvestigationError, Scope};

/// Shorthand for a safe integer.
pub(crate) fn int(value: i32) -> identity::SafeInteger {
    identity::SafeInteger::from(value)
}

pub(crate) const SCOPE: &[u8] = include_bytes!("../../../../assets/policies/scope-v1.json");

pub(crate) fn scope() -> Scope {
    Scope::from_bytes(SCOPE).unwrap()
}

pub(crate) fn begun() -> Investigation {
    Investigation::new("penguins", "run").unwrap()
}

/// A draft that commits against the penguins.
pub(crate) fn draft() -> Draft {
    Draft::new("penguins")
        .question("Does flipper length separate the species?")
        .purpose(EpistemicPurpose::ClaimBearing)
        .foreground("flipper_length_mm")
        .foreground("body_mass_g")
        .foreground("bill_length_mm")
        .grouping("species")
        .scope(&scope())
}

pub(crate) fn refuses(draft: &Draft, build: &fixture::Build) -> InvestigationError {
    let mut investigation = begun();
    let error = draft.commit(&mut investigation, &build.seal()).unwrap_err();
    assert!(investigation.contexts().is_empty() && investigation.activation().is_none());
    error
}

pub(crate) fn commits(draft: &Draft, build: &fixture::Build) {
    draft.commit(&mut begun(), &build.seal()).unwrap();
}
