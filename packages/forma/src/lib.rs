//! The one door from meaning to plan: admission with compilation.
//!
//! **Never** invents evidence, weakens an obligation, reads a file, asks a clock or looks anything up that was not
//! handed in.
//!
//! [`admit`] takes what was fixed before (snapshot, context, obligations), what is proposed (a graph), what is known
//! (the pinned manifest) and who may say so (the [`Authorities`]), and answers with an [`Admission`] or a [`Refused`].
//! An [`Admitted`] value exists only as the answer of that function: a decoded record that says `ADMITTED` is text.
//!
//! Stages run in the order of the authority decision, section 10; every stage that can run does, every diagnostic is
//! kept up to a bound, and the first failing stage is primary.

mod added;
mod admit;
mod admitted;
mod authorities;
mod bindings;
mod compile;
mod conjecture_stage;
mod context_stage;
mod coverage;
mod demand;
mod evidence_stage;
mod input;
mod owner;
mod promised;
mod record;
mod said;
mod study;
pub mod wire;

pub use admit::admit;
pub use admitted::{Admission, Admitted, Production, Purpose, Refused, StudyOnly};
pub use authorities::{
    Answer, Authorities, DecisionStanding, Exposure, GrantedMapping, StudyGrant, StudyStanding, Withheld,
    WithheldBecause,
};
pub use compile::{COMPILER_ID, COMPILER_VERSION, compiler_ref};
pub use coverage::supports_route;
pub use demand::{Demand, demand};
pub use input::{FormaInput, RequestedUse};
pub use record::RecordError;
pub use study::{StudyAuthorizationKind, StudyFreezeKind, StudyProtocolKind, controls, running_study};

/// The sealed record of an admission: identity and checked body, inert.
pub type FormaRecord = identity::Sealed<wire::v1::ResultBody>;

impl identity::Kind for wire::v1::ResultBody {
    const TAG: &'static str = "forma-result-v1";
}
