//! One inquiry from bytes to an admitted plan: the order of the steps, and none of their rules.
//!
//! **Never** decides anything: what a number is, what must be kept, what may be shown and who may say so is answered by
//! the crates it calls, in the order of the main job.
//!
//! [`prepare`] goes from bytes to obligations: import, analysis, snapshot, committed context, obligations fixed before
//! any picture exists. [`Prepared::propose`] lets every recipe propose; [`Prepared::decide`] asks Forma about each
//! proposal and keeps the answers in a stated order. [`Decided::capture`] names what a package holds.

mod decide;
mod order;
mod prepare;

pub use decide::{Candidate, Decided, Outcome, Proposal};
pub use prepare::{Prepared, Question, prepare};
