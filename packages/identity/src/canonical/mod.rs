//! The one text of a value: RFC 8785, the JSON Canonicalization Scheme, written straight into bytes.
//!
//! Members stand in the order of their UTF-16 code units, numbers have the text ECMAScript gives a double, strings
//! escape only what they must. What has no such text is refused instead of being bent: NaN and infinities at any
//! depth, integers beyond ±(2^53 − 1), single-precision numbers, keys that are not strings, and a key that occurs
//! twice. A double may be larger than 2^53: its text is exact for that double.
//!
//! Values take the JSON form that `serde_json` gives them (a unit variant is a string, bytes are an array of
//! numbers), except that no number or boolean becomes a key.

mod key;
mod order;
mod writer;

use serde::Serialize;

use crate::Digest;
use writer::Writer;

/// How deep arrays and objects may nest in a canonical text.
pub const MAX_DEPTH: usize = 128;

/// Why a value has no canonical text. Each variant points at the value (RFC 6901).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    /// A double is NaN or infinite. Way out: state why the value is missing; hold doubles as [`crate::Finite`].
    #[error("the number at `{pointer}` is not finite")]
    NonFinite {
        /// Where it stands.
        pointer: String,
    },
    /// An integer lies beyond ±(2^53 − 1). Way out: write large identifiers as strings.
    #[error("the integer {value} at `{pointer}` lies beyond ±(2^53 − 1)")]
    UnsafeInteger {
        /// Where it stands.
        pointer: String,
        /// Its decimal text.
        value: String,
    },
    /// A number has single precision, so its decimal text would depend on who widens it. Way out: hold it as `f64`.
    #[error("the number at `{pointer}` has single precision")]
    SinglePrecision {
        /// Where it stands.
        pointer: String,
    },
    /// A map has a key that is not a string. Way out: spell the key.
    #[error("a key in the object at `{pointer}` is not a string")]
    KeyNotString {
        /// The object.
        pointer: String,
    },
    /// An object has a key twice, as when a flattened map repeats a field. Way out: rename one of the two.
    #[error("the key at `{pointer}` occurs twice")]
    DuplicateKey {
        /// The member that repeats the key.
        pointer: String,
    },
    /// Arrays and objects nest deeper than [`MAX_DEPTH`]. Way out: refer to parts by identity instead of nesting.
    #[error("the value at `{pointer}` nests deeper than {MAX_DEPTH}")]
    Depth {
        /// The first container too deep.
        pointer: String,
    },
    /// The value's own `Serialize` refused, or used a private form of `serde_json`. Way out: the message says.
    #[error("the value at `{pointer}` cannot be written: {message}")]
    Unwritable {
        /// The last value that was begun.
        pointer: String,
        /// What was wrong.
        message: String,
    },
}

impl CanonicalError {
    /// Where the value stands (RFC 6901); empty for the root.
    #[must_use]
    pub fn pointer(&self) -> &str {
        match self {
            Self::NonFinite { pointer }
            | Self::UnsafeInteger { pointer, .. }
            | Self::SinglePrecision { pointer }
            | Self::KeyNotString { pointer }
            | Self::DuplicateKey { pointer }
            | Self::Depth { pointer }
            | Self::Unwritable { pointer, .. } => pointer,
        }
    }
}

/// The canonical text of a value, UTF-8.
///
/// ```
/// let text = identity::canonical::to_vec(&serde_json::json!({"b": [1.0, 1e21], "a": "€"}))?;
/// assert_eq!(text, r#"{"a":"€","b":[1,1e+21]}"#.as_bytes());
/// # Ok::<(), identity::CanonicalError>(())
/// ```
///
/// # Errors
/// [`CanonicalError`] when the value has none; nothing of it is returned then.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, CanonicalError> {
    let mut writer = Writer::new();
    writer.value(value)?;
    Ok(writer.into_bytes())
}

/// [`to_vec`] into a buffer that already has room for `capacity` bytes, for a text whose length is known: it then takes
/// no more memory than the text.
///
/// # Errors
/// As [`to_vec`].
pub fn to_vec_with_capacity<T: Serialize + ?Sized>(
    value: &T,
    capacity: usize,
) -> Result<Vec<u8>, CanonicalError> {
    let mut writer = Writer::with_capacity(capacity);
    writer.value(value)?;
    Ok(writer.into_bytes())
}

/// The SHA-256 of a value's canonical text.
///
/// # Errors
/// As [`to_vec`].
pub fn digest<T: Serialize + ?Sized>(value: &T) -> Result<Digest, CanonicalError> {
    to_vec(value).map(|text| Digest::of(&text))
}

/// The text that `H(tag, body)` hashes: `{"body":…,"tag":…}`.
pub(crate) fn tagged<T: Serialize + ?Sized>(tag: &str, body: &T) -> Result<Vec<u8>, CanonicalError> {
    let mut writer = Writer::new();
    writer.raw(br#"{"body":"#);
    writer.value(body)?;
    writer.raw(br#","tag":"#);
    writer.text(tag);
    writer.raw(b"}");
    Ok(writer.into_bytes())
}
