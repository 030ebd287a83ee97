//! What every honest embodiment must keep, fixed before any candidate exists.
//!
//! **Never** sees a candidate, a graph, a device or a plan.
//!
//! [`derive`] reads a snapshot, a committed context and a pinned [`Policy`], and fixes the obligations. Nothing else
//! makes [`FixedObligations`]: a stored set is only believed after [`reopen`] derived it anew and found it equal.
//! Obligations are symbolic, of sixteen closed predicates; there are no scripts and no thresholds. A combination that
//! the policy does not name is refused. Source: the authority decision, section 5.2.

mod body;
mod derive;
mod error;
mod fixed;
mod origin;
mod policy;
mod sentence;
mod subject;
#[cfg(test)]
mod tests;
pub mod wire;

pub use body::{ObligationSet, PREDICATE_VERSION, VERBS, predicate_word};
pub use derive::derive;
pub use error::ObligationError;
pub use fixed::{Difference, FixedObligations, Origin, compare, reopen};
pub use policy::Policy;
pub use sentence::sentence;

/// Marks the identity of an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObligationKind {}

impl identity::Kind for ObligationKind {
    const TAG: &'static str = "semantic-obligation-v1";
}
