//! What is asked: intent, purpose, perspective, committed context, lineage, activation.
//!
//! **Never** computes, filters or judges; a change that narrows the population is refused here.
//!
//! A [`Draft`] holds what a person is writing and versions nothing. [`Draft::commit`] resolves it against a snapshot
//! and adds one immutable [`Context`] to an [`Investigation`]; nothing ever overwrites it. Going back to a node is an
//! [`Activation`] with a higher [`ActivationEpoch`], so that work begun for an earlier visit is recognized as stale.
//! Source: the authority decision, section 5.1, with its amendment (context version 2).

mod activation;
mod context;
mod draft;
mod error;
mod finding;
pub mod intent;
mod lineage;
mod nearest;
pub mod perspective;
mod scope;
#[cfg(test)]
mod tests;
pub mod text;
pub mod wire;

pub use activation::{Activation, ActivationEpoch, Staleness};
pub use context::{Context, check_against, purpose_word};
pub use draft::{Draft, parse_purpose};
pub use error::InvestigationError;
pub use finding::{finding_kind, finding_name};
pub use intent::IntentText;
pub use lineage::{BRANCHES_FROM, Investigation, MAX_CONTEXTS, REVISES};
pub use nearest::nearest;
pub use perspective::{VariableKind, Viewpoint};
pub use scope::Scope;
pub use wire::v2::EpistemicPurpose;
