//! Bounds on the content of a package, as a value.

use crate::container;

/// What one value of a decoded text takes beside its text: the header of a string or number in its list, the list's
/// spare room, and what a tagged value is buffered in. Measured in `tests/memory.rs`.
pub(crate) const VALUE_BYTES: usize = 96;

/// Bounds on one package. Checking takes less than 64 MiB of memory whatever the package holds, so a member that must
/// be held and decoded whole is bounded more tightly than the container bounds JSON: its bytes stand in memory beside
/// the values they become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The archive's own bounds.
    pub container: container::Limits,
    /// Most bytes of one member that is decoded.
    pub max_decoded_bytes: usize,
    /// Most bytes that all decoded members may take together, estimated before any of them is decoded: their text,
    /// and 96 bytes for each JSON value and key in it.
    pub max_working_bytes: usize,
    /// How deep the JSON nests, how long its strings and lists are.
    pub json: identity::Limits,
}

impl Limits {
    /// The container's bounds, 12 MiB a decoded member, 32 MiB of working memory.
    pub const DEFAULT: Self = Self {
        container: container::Limits::PACKAGE,
        max_decoded_bytes: 12 << 20,
        max_working_bytes: 32 << 20,
        json: identity::Limits::new(),
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// An upper estimate of the memory that a JSON text takes once decoded: its bytes, and [`VALUE_BYTES`] for each value
/// and each key, counted by the marks between them outside strings. One pass, no memory.
pub(crate) fn weight(text: &[u8]) -> usize {
    let (mut values, mut in_string, mut escaped) = (1_usize, false, false);
    for byte in text {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
        } else {
            match byte {
                b'"' => in_string = true,
                b',' | b':' | b'[' | b'{' => values += 1,
                _ => {}
            }
        }
    }
    text.len().saturating_add(values.saturating_mul(VALUE_BYTES))
}
