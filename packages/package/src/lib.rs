//! Packages (`.nemosyne`): a strict ZIP container, its reproducible writer, and saving that never loses the last good file.
//!
//! **Never** decides what content means or whether it may be used: no admission, qualification, window, clock or network
//! appears here. This crate opens files because a caller names them, and finds none by itself.
//!
//! Judgement runs in a fixed order and each step assumes the one before it: the container first ([`container`]: every
//! byte of the file has a place and a check), then the ledger of members ([`container::ledger`]: every content has its
//! recorded digest), then what the members say.

pub mod container;
pub mod save;
