//! Replay of packages: exact, adapted, or unsupported, and what may be done with a package now.
//!
//! **Never** chooses anything again for the past, never believes a package about the present, and never turns history
//! into permission.
//!
//! Three questions stay apart:
//!
//! - *Is it what happened?* [`replay`] computes the dataset, the analyses, the receipts, the snapshot, the obligations
//!   and the plan again with the pinned implementations and compares each with the record. Equal throughout is
//!   `EXACT_HISTORICAL`; a missing implementation, or anything that differs, is `UNSUPPORTED_HISTORICAL`.
//! - *May it be shown now?* [`readmit`] asks the one admission door again, with what was just computed, the program's own
//!   knowledge and custody's present answers. Nothing that the package says about its own standing takes part.
//! - *What may be done with it otherwise?* [`inspect`] gives a [`HistoricalInspection`], which draws under a visible
//!   mark and can't become a current view; [`adapt`] makes a new result with its lineage.
//!
//! [`judge`] answers all of it as five facts; [`recompute`] compares every value of every receipt. Source: the authority decision, section 9.2.

mod current;
mod error;
mod exact;
mod held;
mod implementations;
mod inspection;
mod judgment;
mod recompute;
mod recorded;
mod rerun;
mod trail;
mod written;

pub use current::{Adaptation, Readmitted, adapt, readmit};
pub use error::ReplayError;
pub use exact::{Outcome, Replay, replay};
pub use implementations::Missing;
pub use inspection::{HistoricalInspection, inspect};
pub use judgment::{Finding, Judgment, judge, judge_opened};
pub use recompute::{Compared, Difference, Recomputation, Recomputed, recompute};
pub use rerun::{Rerun, rerun, rerun_by};
pub use trail::{Check, Departure, MAX_PLACES, Place, STEPS};
