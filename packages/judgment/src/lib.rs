//! What people say about an embodiment: attributed critiques and meaning judgments, each about one exact thing.
//!
//! **Never** evidence, never a qualification, never a rank or a prior: nothing here can be handed to a kernel, a
//! policy, Forma or custody's knowledge, and no count of judgments means anything.
//!
//! A judgment has an identity of its own and two states, which are two types. A [`Draft`] is whatever somebody typed, a
//! script wrote or a model read out of a text; it can be read, [resolved](Draft::resolve) and shown. It stays a draft
//! however often it is copied, until a person signs it: [`Draft::to_confirm`] gives the body of a reviewer's statement,
//! custody signs and keeps it, and only [`kept`] turns a statement that custody verified into a [`Confirmed`]. Whatever
//! a file says about its own state takes no part.
//!
//! A confirmed judgment may inspire a proposal, which then names it and is judged like any other.
//! Source: the authority decision, sections 11 and 12 (F08).

mod body;
mod confirmed;
mod draft;
mod error;
mod id;
mod target;
#[cfg(test)]
mod tests;
pub mod wire;

pub use body::{BodyError, Critique, MAX_NAME, MAX_TEXT, Meaning, is_name};
pub use confirmed::{Confirmed, Kept, SetAside, confirmed, kept};
pub use draft::{Draft, Judgment};
pub use error::JudgmentError;
pub use id::JudgmentId;
pub use target::Ground;
