//! The numbers of the house, measured.
//!
//! **Never** draws: no engine, no window and no graphics device is linked here, so a bench builds packages alone.
//!
//! A number is a function of a [`Scale`]: whole for `./x bench`, tiny under test, where only its answers are checked.
//! Ratios compare two pieces of work round by round in one run ([`clock::side_by_side`]): a machine that slows down
//! slows both. That is why these benches keep their own clock: criterion times one piece of work after another.

pub mod clock;
pub mod custody_folder;
pub mod memory;
pub mod numbers;
pub mod polars;
pub mod report;
pub mod synthetic;
pub mod tables;
pub mod work;

/// How much work a number does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// What the house promises.
    Whole,
    /// Enough to see that the answers are right.
    Tiny,
}
