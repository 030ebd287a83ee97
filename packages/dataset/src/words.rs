//! Closed vocabularies: each word has one spelling on every surface, and an unknown word is refused.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

/// A closed vocabulary with one spelling a member.
pub trait Word: Copy + Sized + 'static {
    /// What the vocabulary is about, for messages.
    const WHAT: &'static str;
    /// Every member.
    const ALL: &'static [Self];
    /// The one spelling.
    fn word(self) -> &'static str;
    /// The member with this spelling.
    fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|member| member.word() == text)
    }
}

/// Serializes a member as its word; wire types name this with `#[serde(with)]`, so that domain enums need no serde.
pub(crate) fn serialize<W: Word, S: Serializer>(member: &W, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(member.word())
}

/// Decodes a word; an unknown one is an error that names the vocabulary.
pub(crate) fn deserialize<'de, W: Word, D: Deserializer<'de>>(deserializer: D) -> Result<W, D::Error> {
    let text = String::deserialize(deserializer)?;
    W::parse(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is not a {}", W::WHAT)))
}

/// The same for a member that may be left out; wire types name it with `#[serde(with)]` beside `default` and
/// `skip_serializing_if`.
pub(crate) mod option {
    use serde::{Deserializer, Serializer};

    use super::Word;

    /// Serializes the member; one that is left out never gets here.
    pub(crate) fn serialize<W: Word, S: Serializer>(
        member: &Option<W>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match member {
            Some(member) => super::serialize(member, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Decodes a word; null is not a word.
    pub(crate) fn deserialize<'de, W: Word, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<W>, D::Error> {
        super::deserialize(deserializer).map(Some)
    }
}

macro_rules! words {
    ($(#[$outer:meta])* $name:ident, $what:literal; $($(#[$doc:meta])* $member:ident = $word:literal),+ $(,)?) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $member),+ }

        impl $crate::words::Word for $name {
            const WHAT: &'static str = $what;
            const ALL: &'static [Self] = &[$(Self::$member),+];
            fn word(self) -> &'static str {
                $name::word(self)
            }
        }

        impl $name {
            /// The one spelling of this word on every surface.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$member => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}
pub(crate) use words;
