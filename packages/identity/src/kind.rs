//! `H(tag, body)`: identities that know at compile time what they name.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::canonical::{self, CanonicalError};
use crate::digest::{self, Digest, Hex, IdentityError};

/// What an identity names: a snapshot, a plan, a result. The tag goes into the hash and before the colon.
pub trait Kind {
    /// The tag text, such as `semantic-snapshot-v1`.
    const TAG: &'static str;
}

/// The SHA-256 of one kind of body, spelled `tag:` and 64 lowercase digits.
///
/// Made only by [`identify`] or by reading its checked text. Identities of two kinds never mix:
///
/// ```compile_fail,E0308
/// # struct Plan; impl identity::Kind for Plan { const TAG: &'static str = "perceptual-plan-v1"; }
/// # struct Snapshot; impl identity::Kind for Snapshot { const TAG: &'static str = "semantic-snapshot-v1"; }
/// # let text = format!("perceptual-plan-v1:{}", "0".repeat(64));
/// let plan = identity::Identity::<Plan>::parse(&text)?;
/// let snapshot: identity::Identity<Snapshot> = plan;
/// # Ok::<(), identity::IdentityError>(())
/// ```
///
/// ```compile_fail,E0308
/// # struct Plan; impl identity::Kind for Plan { const TAG: &'static str = "perceptual-plan-v1"; }
/// # struct Snapshot; impl identity::Kind for Snapshot { const TAG: &'static str = "semantic-snapshot-v1"; }
/// # fn same(a: identity::Identity<Plan>, b: identity::Identity<Snapshot>) -> bool {
/// a == b
/// # }
/// ```
///
/// Nobody writes one down from bytes:
///
/// ```compile_fail,E0423
/// # struct Plan; impl identity::Kind for Plan { const TAG: &'static str = "perceptual-plan-v1"; }
/// let forged: identity::Identity<Plan> = identity::Identity([0; 32], core::marker::PhantomData);
/// ```
///
/// The same lines with matching kinds compile:
///
/// ```
/// # struct Plan; impl identity::Kind for Plan { const TAG: &'static str = "perceptual-plan-v1"; }
/// # let text = format!("perceptual-plan-v1:{}", "0".repeat(64));
/// let plan = identity::Identity::<Plan>::parse(&text)?;
/// let same: identity::Identity<Plan> = plan;
/// assert!(plan == same && same.to_string() == text);
/// # Ok::<(), identity::IdentityError>(())
/// ```
pub struct Identity<K: Kind>([u8; 32], PhantomData<fn() -> K>);

impl<K: Kind> Identity<K> {
    /// Reads `tag:` and 64 lowercase digits.
    ///
    /// # Errors
    /// [`IdentityError::Tag`] when the text names another kind, [`IdentityError::Hex`] when the digits are wrong.
    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let Some(hex) = text.strip_prefix(K::TAG).and_then(|rest| rest.strip_prefix(':')) else {
            let found = text.rsplit_once(':').map_or(text, |(tag, _)| tag);
            return Err(IdentityError::Tag {
                expected: K::TAG,
                found: digest::excerpt(found),
            });
        };
        let bytes = digest::bytes_from_hex(hex).ok_or_else(|| IdentityError::Hex {
            tag: K::TAG,
            found: digest::excerpt(hex),
        })?;
        Ok(Self(bytes, PhantomData))
    }

    /// The tag and the first twelve digits: enough for a person to tell two apart, never enough to name one.
    #[must_use]
    pub fn short(&self) -> String {
        format!("{}:{}", K::TAG, &Hex::of(&self.0).as_str()[..12])
    }

    /// The 64 digits without the tag.
    #[must_use]
    pub fn hex(&self) -> String {
        Hex::of(&self.0).as_str().to_owned()
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// `H(tag, body)`: the SHA-256 of the canonical text of `{"body":…,"tag":…}`.
///
/// The body must not contain its own identity.
///
/// # Errors
/// [`CanonicalError`] when the body has no canonical text; never otherwise.
pub fn identify<K: Kind, T: Serialize + ?Sized>(body: &T) -> Result<Identity<K>, CanonicalError> {
    let text = canonical::tagged(K::TAG, body)?;
    Ok(Identity(*Digest::of(&text).as_bytes(), PhantomData))
}

impl<K: Kind> Clone for Identity<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Kind> Copy for Identity<K> {}

impl<K: Kind> PartialEq for Identity<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K: Kind> Eq for Identity<K> {}

impl<K: Kind> PartialOrd for Identity<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Kind> Ord for Identity<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl<K: Kind> Hash for Identity<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<K: Kind> fmt::Display for Identity<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(K::TAG)?;
        f.write_str(":")?;
        f.write_str(Hex::of(&self.0).as_str())
    }
}

impl<K: Kind> fmt::Debug for Identity<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<K: Kind> core::str::FromStr for Identity<K> {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        Self::parse(text)
    }
}

impl<K: Kind> Serialize for Identity<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        digest::serialize_hex(serializer, K::TAG, ":", &self.0)
    }
}

impl<'de, K: Kind> Deserialize<'de> for Identity<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        digest::from_text(deserializer, K::TAG, Self::parse)
    }
}
