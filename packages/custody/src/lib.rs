//! Custody of what the program trusts: what ships, pinned by digest, and what a folder's keys have signed.
//!
//! **Never** decides what is shown, never takes a file's word for its own standing, and never falls back to an older
//! answer: what is missing, altered or rolled back refuses. It knows no clock and no chance: days and entropy come in.
//!
//! [`Shipped::open`] compares every shipped file with the digest in this program's source before it reads a word of
//! it. [`Folder::open`] puts a custody folder over that: trusted public keys, and statements as DSSE envelopes signed with
//! ed25519, consecutive and chained by digest. The [`Custody`] that comes out answers for the authorities of the program:
//! whether evidence still stands ([`evidence::Dispositions`]), which policies are pinned and which decisions stand
//! ([`forma::Authorities`]), and by which reference a recipe names its transforms ([`representation::Pins`]).
//!
//! A folder is written by [`Folder::init`], [`new_key`], [`trust`] and [`sign_and_append`]. Statements that do not count
//! (expired, taken back, signed by nobody who is trusted for it) stay readable: [`Custody::statements`] says of each how it
//! stands. What was seen of a folder is kept outside of it, in [`Seen`], so that setting it back is noticed.
//!
//! Whoever can write a folder, its `keys/` included, decides whom it trusts. Signatures keep a folder honest against
//! everybody else: those who send statements, who sync it, who keep its backups.

mod append;
mod authorities;
mod chain;
mod compose;
mod custody;
pub mod dsse;
mod error;
mod feed;
mod folder;
mod freshness;
mod keys;
mod private_key;
mod seen;
mod shipped;
mod statement;
mod study;
#[cfg(test)]
mod tests;
pub mod wire;

pub use append::{Appended, Draft, append, new_key, sign_and_append, trust};
pub use compose::DECISION_PREFIX;
pub use custody::{Custody, Lapsed, PinnedRefs};
pub use error::{CustodyError, Half};
pub use feed::{Feed, Spoken, Standing};
pub use folder::Folder;
pub use freshness::Freshness;
pub use keys::{Key, Keyring};
pub use private_key::{Entropy, Passphrase, PrivateKey};
pub use seen::Seen;
pub use shipped::Shipped;
pub use statement::{MAX_BODY_BYTES, Signer, Statement, Word};
