//! Sets whose members stand in one declared order, so that a set has one text.

use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

use crate::{Digest, Fingerprint, Identity, Kind};

/// Compares two texts by their UTF-16 code units, the order of RFC 8785 and of declared sets.
///
/// It differs from the order of bytes in one place: a character beyond U+FFFF comes before U+E000..U+FFFF, because
/// its first unit is a surrogate. Works on the bytes in place, without allocating.
#[must_use]
pub fn utf16_cmp(a: &str, b: &str) -> Ordering {
    utf16_cmp_bytes(a.as_bytes(), b.as_bytes())
}

/// [`utf16_cmp`] over bytes that are known to be UTF-8.
pub(crate) fn utf16_cmp_bytes(a: &[u8], b: &[u8]) -> Ordering {
    // Lead bytes order characters by plane; only 0xEE and 0xEF (U+E000..U+FFFF) must move behind 0xF0..0xF4. A
    // difference in a later byte of a character means equal lead bytes, where both orders agree.
    const fn rank(byte: u8) -> u8 {
        match byte {
            0xEE | 0xEF => byte + 0x10,
            0xF0.. => byte - 2,
            _ => byte,
        }
    }
    match a.iter().zip(b).find(|(x, y)| x != y) {
        Some((x, y)) => rank(*x).cmp(&rank(*y)),
        None => a.len().cmp(&b.len()),
    }
}

/// A member of a declared set: the text that places it and that no other member may share.
pub trait SetKey {
    /// The text; equal for two members exactly when they are the same member.
    fn set_key(&self) -> String;
}

impl SetKey for String {
    fn set_key(&self) -> String {
        self.clone()
    }
}

impl<K: Kind> SetKey for Identity<K> {
    fn set_key(&self) -> String {
        self.to_string()
    }
}

impl SetKey for Digest {
    fn set_key(&self) -> String {
        self.to_string()
    }
}

impl SetKey for Fingerprint {
    fn set_key(&self) -> String {
        self.to_string()
    }
}

/// Why a list is no declared set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// Two members share a key. Way out: a member of a set is listed once.
    #[error("set member `{0}` occurs twice")]
    Duplicate(String),
    /// A member stands before its place. Way out: the writer must sort by UTF-16 code units; a reader never does it
    /// in its stead, because the identity covers the order.
    #[error("set member `{key}` must stand before `{after}`")]
    Order {
        /// The member that came too late.
        key: String,
        /// The member it followed.
        after: String,
    },
}

/// A list that is sorted by [`utf16_cmp`] of its keys and holds each key once; a JSON array on the wire.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeclaredSet<T>(Vec<T>);

impl<T: SetKey> DeclaredSet<T> {
    /// Sorts the members.
    ///
    /// # Errors
    /// [`SetError::Duplicate`] when two members share a key; nothing is dropped silently.
    pub fn from_unsorted(members: Vec<T>) -> Result<Self, SetError> {
        let mut keyed: Vec<(String, T)> = members
            .into_iter()
            .map(|member| (member.set_key(), member))
            .collect();
        keyed.sort_by(|a, b| utf16_cmp(&a.0, &b.0));
        match keyed.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(SetError::Duplicate(pair[0].0.clone())),
            None => Ok(Self(keyed.into_iter().map(|(_, member)| member).collect())),
        }
    }

    /// Takes members that must already stand in order.
    ///
    /// # Errors
    /// [`SetError`] when they do not, or when two share a key.
    pub fn from_sorted(members: Vec<T>) -> Result<Self, SetError> {
        let mut last: Option<String> = None;
        for member in &members {
            let key = member.set_key();
            follows(last.as_deref(), &key)?;
            last = Some(key);
        }
        Ok(Self(members))
    }

    /// The member with this key, found by halving.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&T> {
        let idx = self
            .0
            .binary_search_by(|member| utf16_cmp(&member.set_key(), key))
            .ok()?;
        self.0.get(idx)
    }

    /// Whether a member has this key.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

impl<T> DeclaredSet<T> {
    /// The set without members.
    #[must_use]
    pub const fn empty() -> Self {
        Self(Vec::new())
    }

    /// The members in order.
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// How many members there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members in order.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// The members in order, given up.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T> Default for DeclaredSet<T> {
    fn default() -> Self {
        Self::empty()
    }
}

impl<T: fmt::Debug> fmt::Debug for DeclaredSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<'a, T> IntoIterator for &'a DeclaredSet<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> IntoIterator for DeclaredSet<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

fn follows(last: Option<&str>, key: &str) -> Result<(), SetError> {
    match last.map(|last| (last, utf16_cmp(last, key))) {
        None | Some((_, Ordering::Less)) => Ok(()),
        Some((_, Ordering::Equal)) => Err(SetError::Duplicate(key.to_owned())),
        Some((last, Ordering::Greater)) => Err(SetError::Order {
            key: key.to_owned(),
            after: last.to_owned(),
        }),
    }
}

impl<T: Serialize> Serialize for DeclaredSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<'de, T: SetKey + Deserialize<'de>> Deserialize<'de> for DeclaredSet<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<fn() -> T>);

        impl<'de, T: SetKey + Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = DeclaredSet<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array sorted by UTF-16 code units, each member once")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<DeclaredSet<T>, A::Error> {
                let mut members: Vec<T> = Vec::new();
                let mut last = None;
                while let Some(member) = seq.next_element_seed(After {
                    last: &mut last,
                    member: PhantomData,
                })? {
                    members.push(member);
                }
                Ok(DeclaredSet(members))
            }
        }

        /// A member and its place, so that a fault of the order is one of the member.
        struct After<'a, T> {
            last: &'a mut Option<String>,
            member: PhantomData<fn() -> T>,
        }

        impl<'de, T: SetKey + Deserialize<'de>> DeserializeSeed<'de> for After<'_, T> {
            type Value = T;

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
                let member = T::deserialize(deserializer)?;
                let key = member.set_key();
                follows(self.last.as_deref(), &key).map_err(de::Error::custom)?;
                *self.last = Some(key);
                Ok(member)
            }
        }

        deserializer.deserialize_seq(Members(PhantomData))
    }
}
