//! Canonical JSON bytes, closed bounded decoding, and typed SHA-256 identities over both.
//!
//! **Never** knows what a body means: no snapshot, plan or receipt is named here, and no file, clock or network is
//! touched.
//!
//! A value is hashed only as its one canonical text ([`canonical`], RFC 8785), and text becomes a value only through
//! one strict scan ([`decode`]). [`Identity`] says which kind of body was hashed; [`Sealed`] holds a checked body
//! under its identity; [`Envelope`] is how both travel.

pub mod canonical;
mod decode;
mod digest;
mod kind;
mod number;
mod plain;
mod pointer;
mod sealed;
mod set;

pub use crate::canonical::CanonicalError;
pub use crate::decode::{Checked, DecodeError, Limits, Rule, decode, scan};
pub use crate::digest::{Digest, DigestWriter, Fingerprint, IdentityError};
pub use crate::kind::{Identity, Kind, identify};
pub use crate::number::{Finite, MAX_SAFE_INTEGER, NumberError, SafeInteger};
pub use crate::sealed::{Body, Envelope, SealError, Sealed};
pub use crate::set::{DeclaredSet, SetError, SetKey, utf16_cmp};
