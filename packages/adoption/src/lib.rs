//! Execution authorizations: minted by the running program, bound to the moment, consumed once.
//!
//! **Never** reads or writes one: an authorization has no text form, and no decoded value turns into one.
//!
//! The way from an admitted plan to something visible has three steps, and each consumes the one before:
//! [`mint`] after every recheck gives an [`ExecutionAuthorization`]; its holder stages the view off screen;
//! [`ExecutionAuthorization::adopt`] rechecks once more and gives the [`Adopted`] value under which the view is shown.
//! [`Adopted::recheck`] says each frame whether it still stands; once it doesn't, the view goes.
//!
//! What stood at one revision does not stand at another: evidence, decisions and study grants are bound to the revision
//! or the terms under which the result was admitted, and what is stated anew is admitted anew.

mod authorization;
mod bound;
mod moment;
mod study;

pub use authorization::{Adopted, ExecutionAuthorization, Revoked, mint};
pub use moment::{Current, Registration, Runtime};
