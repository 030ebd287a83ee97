//! One inquiry from bytes to an admitted plan: the order of the steps, and none of their rules.
//!
//! **Never** decides anything: what a number is, what must be kept, what may be shown and who may say so is answered by
//! the crates it calls, in the order of the main job.
//!
//! [`prepare`] goes from bytes to obligations, [`prepare_by`] with analyses from a port of the caller's choice: import, analysis, snapshot, committed context, obligations fixed before
//! any picture exists; [`again`] does so over the facts of a package, as the next node of its lineage.
//! [`Prepared::propose`] lets every recipe propose, [`submit`] reads a proposal from outside, for which [`disclose`] says
//! everything that is fixed. [`Prepared::decide`] and [`Prepared::decide_submitted`] ask Forma about each proposal and keep
//! the answers in a stated order. [`Decided::capture`] names what a package holds.

mod again;
mod decide;
mod disclosed;
mod further;
mod order;
mod place;
mod prepare;
mod submitted;
mod vocabulary;
pub mod wire;

pub use again::{Anew, Grouping, Step, again};
pub use decide::{Candidate, Decided, Outcome, Proposal};
pub use disclosed::disclose;
pub use further::Further;
pub use prepare::{Prepared, Question, prepare, prepare_by, required};
pub use submitted::{LIMITS, MAX_GRAPH_BYTES, Submitted, submit, too_large};
