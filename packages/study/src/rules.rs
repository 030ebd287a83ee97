//! The rules that every document of a study follows: texts that say something, lists that are sets, numbers in bounds.

use identity::{Body, Checked, Limits, SafeInteger, SealError, utf16_cmp};
use serde::de::DeserializeOwned;

use crate::StudyError;

/// Most bytes of one document.
pub const MAX_BYTES: usize = 1 << 20;

/// Most bytes of one text.
pub const MAX_TEXT: usize = 8 * 1024;

/// Most items of one list.
pub const MAX_ITEMS: usize = 64;

/// One document while it is judged.
#[derive(Clone, Copy)]
pub(crate) struct Rules(pub(crate) &'static str);

impl Rules {
    pub(crate) fn holds(self, holds: bool, rule: impl Into<String>) -> Result<(), StudyError> {
        if holds {
            Ok(())
        } else {
            Err(StudyError::Invalid {
                what: self.0,
                rule: rule.into(),
            })
        }
    }

    /// A text that says something and can be shown: not blank, bounded, no control characters but line ends.
    pub(crate) fn text(self, member: &str, text: &str) -> Result<(), StudyError> {
        self.holds(!text.trim().is_empty(), format!("{member} is empty"))?;
        self.holds(
            text.len() <= MAX_TEXT,
            format!("{member} is longer than {MAX_TEXT} bytes"),
        )?;
        let shown = |letter: char| !letter.is_control() || letter == '\n';
        self.holds(
            text.chars().all(shown),
            format!("{member} holds control characters"),
        )
    }

    /// A name: ASCII without spaces, at most 64 characters.
    pub(crate) fn name(self, member: &str, name: &str) -> Result<(), StudyError> {
        let plain = (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic());
        self.holds(
            plain,
            format!("{member} is a name: ASCII without spaces, at most 64 characters"),
        )
    }

    pub(crate) fn count(self, member: &str, len: usize, least: usize) -> Result<(), StudyError> {
        self.holds(
            (least..=MAX_ITEMS).contains(&len),
            format!("{member} has {len} items, {least} to {MAX_ITEMS} are allowed"),
        )
    }

    /// Names in order of UTF-16 code units, each once.
    pub(crate) fn names<'a>(
        self,
        member: &str,
        least: usize,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<(), StudyError> {
        let names: Vec<&str> = names.collect();
        self.count(member, names.len(), least)?;
        for name in &names {
            self.name(member, name)?;
        }
        let sorted = names.windows(2).all(|pair| utf16_cmp(pair[0], pair[1]).is_lt());
        self.holds(
            sorted,
            format!("{member} stand in order of their names, each once"),
        )
    }

    pub(crate) fn increasing<T: Ord>(
        self,
        member: &str,
        least: usize,
        items: &[T],
    ) -> Result<(), StudyError> {
        self.count(member, items.len(), least)?;
        let sorted = items.windows(2).all(|pair| pair[0] < pair[1]);
        self.holds(sorted, format!("{member} stand in order, each once"))
    }

    pub(crate) fn within(self, member: &str, number: SafeInteger, most: i64) -> Result<(), StudyError> {
        self.holds(
            (1..=most).contains(&number.get()),
            format!("{member} is {}, 1 to {most} is allowed", number.get()),
        )
    }
}

/// Reads a document closed and bounded; what it says is judged later.
pub(crate) fn decode<T: DeserializeOwned>(what: &'static str, bytes: &[u8]) -> Result<T, StudyError> {
    let limits = Limits {
        max_bytes: MAX_BYTES,
        max_depth: 16,
        max_string: MAX_TEXT,
        max_items: 4 * MAX_ITEMS,
        max_members: 4 * MAX_ITEMS,
    };
    identity::decode::<T>(bytes, &limits)
        .map(Checked::into_inner)
        .map_err(|error| StudyError::Decode { what, error })
}

/// What can be wrong with a body or its envelope, as an error of this crate.
pub(crate) fn sealing(what: &'static str) -> impl Fn(SealError<StudyError>) -> StudyError {
    move |error| match error {
        SealError::Invalid(inner) => inner,
        SealError::Canonical(error) => StudyError::Invalid {
            what,
            rule: error.to_string(),
        },
        SealError::IdentityMismatch { claimed, computed } => StudyError::Altered {
            what,
            claimed,
            computed,
        },
        SealError::SchemaVersion { found, expected } => StudyError::Version {
            what,
            found,
            expected,
        },
    }
}

/// The identity of a document under the name that results carry it by: the same tag, so the same text.
pub(crate) fn named<B: Body, K: identity::Kind>(document: &identity::Sealed<B>) -> identity::Identity<K> {
    identity::Identity::parse(&document.id().to_string()).expect("both kinds have one tag")
}
