//! Guards taken out one at a time, so that each falsifier is seen to fail without what it is there to defend.
//!
//! **Never** edits the tree it is called from: what it changes is a scratch copy, and the copy's program is deleted after
//! the run.
//!
//! `mutants.toml` is the table: one guard an entry, with the expression that holds it, what stands there once it is gone,
//! and the falsifier that must notice. All of them are written into one copy of the tree at once, each as a choice that the
//! variable `NEMOSYNE_MUTANT` makes at run time, so that the copy is built once and not once a mutant. First every
//! falsifier that the table names runs on the copy with no guard removed and must pass: a falsifier that fails anyway kills
//! nothing. Then each mutant runs its own falsifier and must fail it. A mutant that survives is a guard that no falsifier
//! watches.
//!
//! ```sh
//! ./x mutate
//! ./x mutate --sample
//! ./x mutate M07 M12
//! ```

pub mod report;
pub mod run;
pub mod schemata;
pub mod scratch;
pub mod table;

pub use schemata::VARIABLE;
pub use table::{Mutant, Table};
