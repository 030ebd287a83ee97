//! Custody of what the program trusts: shipped decisions, policies and the disposition feed, each pinned by digest.
//!
//! **Never** decides what is shown, never takes a file's word for its own standing, and never falls back to an older
//! answer: what is missing, altered or rolled back refuses.
//!
//! [`Shipped::open`] compares every shipped file with the digest in this program's source before it reads a word of
//! it. The [`Custody`] that comes out answers for the authorities the program has so far: whether evidence still
//! stands ([`evidence::Dispositions`]), which policies are pinned and which decisions were withdrawn
//! ([`forma::Authorities`]), and by which reference a recipe names its transforms ([`representation::Pins`]). There is
//! no signer yet and no study owner: a study authorization is absent, so study use refuses.

mod authorities;
mod custody;
mod error;
mod feed;
mod shipped;
#[cfg(test)]
mod tests;
pub mod wire;

pub use custody::{Custody, PinnedRefs};
pub use error::CustodyError;
pub use feed::{Feed, Standing};
pub use shipped::Shipped;
