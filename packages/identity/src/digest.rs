//! SHA-256 values and their two spellings: `sha256:` before an artifact's digest, bare hex for a dataset.

use core::fmt;
use std::io;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};

/// Why a text is no identity, digest or fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// The text before the colon names another kind, or there is no colon. Way out: pass the identity of the kind
    /// that is asked for.
    #[error("expected an identity of kind `{expected}`, found `{found}`")]
    Tag {
        /// The tag this kind carries.
        expected: &'static str,
        /// What stood in its place, at most 80 characters of it.
        found: String,
    },
    /// The hash is not 64 lowercase hexadecimal digits. Way out: copy the identity whole; capitals are not accepted,
    /// so that one identity has one text.
    #[error("expected 64 lowercase hexadecimal digits after `{tag}`, found `{found}`")]
    Hex {
        /// What precedes the digits; empty for a fingerprint.
        tag: &'static str,
        /// What stood in their place, at most 80 characters of it.
        found: String,
    },
}

pub(crate) fn excerpt(text: &str) -> String {
    text.chars().take(80).collect()
}

/// The two digits of every byte.
const PAIRS: [[u8; 2]; 256] = {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [DIGITS[byte >> 4], DIGITS[byte & 15]];
        byte += 1;
    }
    pairs
};

/// 64 lowercase digits of 32 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Hex([u8; 64]);

impl Hex {
    pub(crate) fn of(bytes: &[u8; 32]) -> Self {
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(bytes) {
            pair.copy_from_slice(&PAIRS[usize::from(*byte)]);
        }
        Self(text)
    }

    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).expect("hexadecimal digits are ASCII")
    }
}

/// Serializes `prefix`, a separator and 64 digits as one text, without the formatting machinery: canonical texts are
/// mostly identities.
pub(crate) fn serialize_hex<S: Serializer>(
    serializer: S,
    prefix: &str,
    separator: &str,
    bytes: &[u8; 32],
) -> Result<S::Ok, S::Error> {
    let mut room = [0; 128];
    let mut len = 0;
    for part in [prefix.as_bytes(), separator.as_bytes(), &Hex::of(bytes).0] {
        match room.get_mut(len..len + part.len()) {
            Some(place) => place.copy_from_slice(part),
            None => {
                return serializer
                    .collect_str(&format_args!("{prefix}{separator}{}", Hex::of(bytes).as_str()));
            }
        }
        len += part.len();
    }
    serializer.serialize_str(core::str::from_utf8(&room[..len]).expect("it was copied from texts"))
}

pub(crate) fn bytes_from_hex(text: &str) -> Option<[u8; 32]> {
    let digits: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
    }
    Some(bytes)
}

const fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// Deserializes a type from its text through `parse`, borrowing where the input allows it.
pub(crate) fn from_text<'de, D, T>(
    deserializer: D,
    expecting: &'static str,
    parse: fn(&str) -> Result<T, IdentityError>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    struct Text<T> {
        expecting: &'static str,
        parse: fn(&str) -> Result<T, IdentityError>,
    }

    impl<T> de::Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a `{}` text", self.expecting)
        }

        fn visit_str<E: de::Error>(self, v: &str) -> Result<T, E> {
            (self.parse)(v).map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Text { expecting, parse })
}

/// The SHA-256 of exact bytes, spelled `sha256:` and 64 lowercase digits; the name of an artifact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    const PREFIX: &'static str = "sha256:";

    /// Hashes bytes that are at hand; [`DigestWriter`] hashes bytes that stream by.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Takes 32 bytes that are already a SHA-256.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads `sha256:` and 64 lowercase digits.
    ///
    /// # Errors
    /// [`IdentityError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let hex = text
            .strip_prefix(Self::PREFIX)
            .ok_or_else(|| IdentityError::Tag {
                expected: "sha256",
                found: excerpt(text),
            })?;
        let bytes = bytes_from_hex(hex).ok_or_else(|| IdentityError::Hex {
            tag: Self::PREFIX,
            found: excerpt(hex),
        })?;
        Ok(Self(bytes))
    }

    /// The 64 digits without the prefix.
    #[must_use]
    pub fn hex(&self) -> String {
        Hex::of(&self.0).as_str().to_owned()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::PREFIX)?;
        f.write_str(Hex::of(&self.0).as_str())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::str::FromStr for Digest {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        Self::parse(text)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_hex(serializer, Self::PREFIX, "", &self.0)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer, "sha256", Self::parse)
    }
}

/// Hashes what is written into it, in constant memory.
///
/// ```
/// use std::io::Write as _;
/// let mut writer = identity::DigestWriter::new();
/// writer.write_all(b"ab")?;
/// writer.write_all(b"c")?;
/// assert_eq!(writer.finish(), identity::Digest::of(b"abc"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct DigestWriter {
    state: Sha256,
    n_bytes: u64,
}

impl DigestWriter {
    /// Starts with no bytes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.state.update(bytes);
        self.n_bytes += bytes.len() as u64;
    }

    /// How many bytes were taken so far.
    #[must_use]
    pub const fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// The digest of everything that was written.
    #[must_use]
    pub fn finish(self) -> Digest {
        Digest(self.state.finalize().into())
    }
}

impl fmt::Debug for DigestWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DigestWriter")
            .field("n_bytes", &self.n_bytes)
            .finish_non_exhaustive()
    }
}

impl io::Write for DigestWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The identity of a dataset's content, 64 bare lowercase digits (`sha256-canonical-dataset-v1`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Takes the 32 bytes a dataset hashed to.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads 64 lowercase digits.
    ///
    /// # Errors
    /// [`IdentityError::Hex`] for any other text.
    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        bytes_from_hex(text).map(Self).ok_or_else(|| IdentityError::Hex {
            tag: "",
            found: excerpt(text),
        })
    }

    /// The 64 digits.
    #[must_use]
    pub fn hex(&self) -> String {
        Hex::of(&self.0).as_str().to_owned()
    }
}

impl From<Digest> for Fingerprint {
    fn from(digest: Digest) -> Self {
        Self(digest.0)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Hex::of(&self.0).as_str())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::str::FromStr for Fingerprint {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        Self::parse(text)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_hex(serializer, "", "", &self.0)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer, "64 hexadecimal digits", Self::parse)
    }
}
