//! Closed, bounded decoding: one strict scan finds every fault of the text, then the typed decode finds those of
//! its shape. Both say where (pointer and byte offset) and which rule.

mod closed;
mod place;
mod scan;

use core::ops::Deref;

use serde::de::DeserializeOwned;

use closed::Closed;
use scan::Scan;

/// How much a text may hold. Every limit is a refusal of its own, and none is a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole text.
    pub max_bytes: usize,
    /// How deep arrays and objects nest; `[]` is 1. Values above 127 act as 127.
    pub max_depth: usize,
    /// Bytes of one string or key, decoded, as UTF-8.
    pub max_string: usize,
    /// Items of one array.
    pub max_items: usize,
    /// Members of one object.
    pub max_members: usize,
}

impl Limits {
    /// 256 MiB, depth 64, strings of 1 MiB, 4,194,304 items an array, 1,048,576 members an object.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            max_bytes: 256 << 20,
            max_depth: 64,
            max_string: 1 << 20,
            max_items: 4 << 20,
            max_members: 1 << 20,
        }
    }

    /// The same limits with another bound on the whole text.
    #[must_use]
    pub const fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

/// Which rule a text broke.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    /// The text opens with a byte order mark. Way out: write UTF-8 without one.
    #[error("a byte order mark")]
    Bom,
    /// The bytes are not UTF-8. Way out: the writer must encode UTF-8.
    #[error("bytes that are not UTF-8")]
    Utf8,
    /// An object has a member twice, compared after unescaping. Way out: keep one.
    #[error("a member that occurs twice")]
    DuplicateMember,
    /// An object has a member that its schema does not know. Way out: read it with the schema that does.
    #[error("a member that the schema does not know")]
    UnknownMember,
    /// A number is NaN or infinite, by name or by overflow. Way out: state why the value is missing.
    #[error("a number that is not finite")]
    NonFinite,
    /// An integer beyond ±(2^53 − 1), where an integer is asked for or where no double has just this text.
    /// Way out: write large identifiers as strings.
    #[error("an integer beyond ±(2^53 − 1)")]
    UnsafeInteger,
    /// A string escapes half of a surrogate pair. Way out: the writer must escape whole characters.
    #[error("half of a surrogate pair")]
    LoneSurrogate,
    /// Something follows the value. Way out: one text holds one value.
    #[error("bytes after the value")]
    TrailingBytes,
    /// Arrays and objects nest too deep ([`Limits::max_depth`]).
    #[error("nesting beyond the limit")]
    Depth,
    /// The text is too long ([`Limits::max_bytes`]).
    #[error("more bytes than the limit")]
    Bytes,
    /// A string is too long ([`Limits::max_string`]).
    #[error("a string longer than the limit")]
    StringLength,
    /// An array has too many items ([`Limits::max_items`]).
    #[error("more items than the limit")]
    Items,
    /// An object has too many members ([`Limits::max_members`]).
    #[error("more members than the limit")]
    Members,
    /// The text is not JSON. Way out: what was expected stands in the variant.
    #[error("no JSON: {0}")]
    Syntax(&'static str),
    /// The value is JSON but not of this shape: a missing member, another type, a value its type refuses.
    #[error("another shape: {0}")]
    Shape(String),
}

impl Rule {
    /// The rule's name, for a refusal that outlives the wording here.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Bom => "BOM",
            Self::Utf8 => "UTF8",
            Self::DuplicateMember => "DUPLICATE_MEMBER",
            Self::UnknownMember => "UNKNOWN_MEMBER",
            Self::NonFinite => "NON_FINITE",
            Self::UnsafeInteger => "UNSAFE_INTEGER",
            Self::LoneSurrogate => "LONE_SURROGATE",
            Self::TrailingBytes => "TRAILING_BYTES",
            Self::Depth => "DEPTH",
            Self::Bytes => "BYTES",
            Self::StringLength => "STRING_LENGTH",
            Self::Items => "ITEMS",
            Self::Members => "MEMBERS",
            Self::Syntax(_) => "SYNTAX",
            Self::Shape(_) => "SHAPE",
        }
    }
}

/// A text that was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{rule} at byte {offset}, `{pointer}`")]
pub struct DecodeError {
    /// The value, member or container that broke the rule (RFC 6901); empty for the root.
    pub pointer: String,
    /// Where it begins, or for a fault inside a token where the fault begins; bytes from the start.
    pub offset: usize,
    /// The rule it broke.
    pub rule: Rule,
}

/// A value that came through [`decode`]. Nothing else makes one.
///
/// ```compile_fail,E0423
/// let forged = identity::Checked(1);
/// ```
///
/// ```
/// let checked: identity::Checked<u8> = identity::decode(b"1", &identity::Limits::default())?;
/// assert_eq!(checked.into_inner(), 1);
/// # Ok::<(), identity::DecodeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked<T>(T);

impl<T> Checked<T> {
    /// The value.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Checked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Scans a text whole, then decodes it.
///
/// The scan knows no types. It refuses a byte order mark, bytes that are not UTF-8, members that occur twice, lone
/// surrogates, numbers that overflow a double, bytes after the value, and what exceeds the limits. It reads each
/// byte once, keeps no more than the open keys, and does not recurse.
///
/// An integer beyond ±(2^53 − 1), which is a number without fraction and exponent, is refused unless it is exactly
/// the text that RFC 8785 gives to a double (`10000000000000000`, but not `10000000000000001`): a finite double
/// that was written must be readable. Such a number is handed on as a double, so a type that asks for an integer
/// refuses it too, under the same rule.
///
/// A struct is read from an object alone, not from an array of its fields, except behind `serde`'s buffering
/// (`flatten`, `untagged`, `tag`), where the pointer of a fault of shape also ends at the buffered value.
///
/// # Errors
/// [`DecodeError`] for the first fault in the text; then for the first fault of the shape.
pub fn decode<T: DeserializeOwned>(bytes: &[u8], limits: &Limits) -> Result<Checked<T>, DecodeError> {
    let scan = Scan::run(bytes, limits)?;
    let text = scan.typed_text();
    match T::deserialize(Closed(&mut serde_json::Deserializer::from_str(&text))) {
        Ok(value) => Ok(Checked(value)),
        Err(_) => match place::tracked::<T>(&text) {
            Ok(value) => Ok(Checked(value)),
            Err(fault) => Err(scan.shape_error(&text, &fault)),
        },
    }
}

/// Scans a text whole without decoding it.
///
/// # Errors
/// As [`decode`], for faults of the text alone.
pub fn scan(bytes: &[u8], limits: &Limits) -> Result<(), DecodeError> {
    Scan::run(bytes, limits).map(|_| ())
}
