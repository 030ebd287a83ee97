//! Fake authorities, tiny tables and edited proposals.
//!
//! **Never** holds a rule: what is asked here is answered by the packages; only the outside world is made up.
//!
//! [`World`] is everything one admission looks at, owned and open to edits: a sound one is admitted, and a test spoils one
//! thing. [`Told`] stands where custody does and says what a test tells it to. [`edit`] changes a proposal and seals it
//! again, [`Shelf`] changes what is known.

pub mod edit;
mod shelf;
mod study;
pub mod tables;
mod told;
pub mod world;

pub use shelf::{Known, Shelf};
pub use study::{documents, grant};
pub use told::Told;
pub use world::{Spec, World};
