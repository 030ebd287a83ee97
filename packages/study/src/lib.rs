//! What a study agreed before it began, and the permission that follows: protocol, freeze, acceptance, authorization.
//!
//! **Never** runs a session, records a participant, qualifies a mapping, reads a clock, or lets a study say yes to itself.
//!
//! A [`Protocol`] says what is asked and of whom. A [`Freeze`] (`study-freeze-v2`) pins the treatments to exact graphs, and
//! names every mapping that is executed without being qualified, every harm that was accepted, every claim that is withheld
//! from production, and the bounds of exposure. An [`Acceptance`] holds both, whole; somebody who is not running the study
//! signs it. An [`Authorization`] names them by identity, within days, devices and bounds; somebody else signs that. The
//! signatures are custody's. [`grant`] takes both and a day, and gives the [`forma::StudyGrant`] that admission asks for,
//! or says why not. A result of a study stays one: it is an observation, and no document here turns it into a claim.
//! Source: the authority decision, section 7.

mod acceptance;
mod authorization;
mod documents;
mod error;
mod freeze;
mod grant;
mod protocol;
mod rules;
mod template;
#[cfg(test)]
mod tests;
pub mod wire;

pub use acceptance::Acceptance;
pub use authorization::Authorization;
pub use documents::Documents;
pub use error::StudyError;
pub use freeze::{Freeze, claim, control, freeze, read_freeze};
pub use grant::{Signed, Signer, grant};
pub use protocol::{Protocol, read_protocol};
pub use rules::{MAX_BYTES, MAX_ITEMS, MAX_TEXT};
pub use template::template;
