//! Packages (`.nemosyne`): a strict ZIP container, its reproducible writer, and saving that never loses the last good file.
//!
//! **Never** decides what content means or whether it may be used: no admission, qualification, window, clock or network
//! appears here. This crate opens files because a caller names them, and finds none by itself.
//!
//! Judgement runs in a fixed order and each step assumes the one before it: the container first ([`container`]: every
//! byte of the file has a place and a check), then the ledger of members ([`container::ledger`]: every content has its
//! recorded digest), then what the members say.

//!
//! # Content
//! [`open`] goes through the steps of [`Step`] in order and gives an [`Opened`]: sealed values and exact bytes, and no
//! capability, whatever the file says about itself. [`examine`] answers the same as two facts, *intact* and *complete*.
//! [`dispatch`] tells versions and dialects apart; a package that fails as one is not tried as another.
//! [`Capture`] writes what one admission produced: the same values give the same bytes on any machine. Packages of
//! versions 1 to 3 are looked at by [`legacy`], which leads nowhere else.
//!
//! # Bounds
//! Judging takes less than 64 MiB whatever the package. Contents that need not be understood (raw data, leaves) are
//! streamed past the digest. JSON members are held and decoded whole, so they are bounded more tightly than the
//! container bounds them: [`Limits::DEFAULT`] has 12 MiB a member and 32 MiB for all together, estimated before
//! anything is decoded, and refuses beyond that with [`PackageError::TooLarge`]; the writer refuses alike.

mod accessors;
mod capture;
mod closure;
pub mod container;
mod contents;
mod decision;
mod dispatch;
mod error;
mod events;
pub mod legacy;
mod limits;
mod links;
mod manifest;
pub mod members;
mod open;
mod references;
pub mod save;
mod supposed;
pub mod wire;

pub use capture::{Capture, Written};
pub use contents::History;
pub use dispatch::{FormatVersion, dispatch};
pub use error::{LayoutRule, PackageError, Problem, Step};
pub use limits::Limits;
pub use open::{Fact, Opened, Source, Verdict, examine, open, open_source};
pub use supposed::{Promotion, promote};
