//! The name of a judgment, of either kind.

use std::fmt;

use identity::{Identity, Kind as _};

use crate::JudgmentError;
use crate::wire::v1::{CritiqueBody, MeaningBody};

/// The identity of a critique or of a meaning judgment; the tag tells which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JudgmentId {
    /// A critique's.
    Critique(Identity<CritiqueBody>),
    /// A meaning judgment's.
    Meaning(Identity<MeaningBody>),
}

impl JudgmentId {
    /// Reads `embodiment-critique-v1:…` or `human-meaning-judgment-v1:…`.
    ///
    /// # Errors
    /// [`JudgmentError::NoName`] for any other text.
    pub fn parse(text: &str) -> Result<Self, JudgmentError> {
        let parsed = if text.starts_with(MeaningBody::TAG) {
            Identity::parse(text).map(Self::Meaning)
        } else {
            Identity::parse(text).map(Self::Critique)
        };
        parsed.map_err(|error| JudgmentError::NoName {
            found: text.chars().take(120).collect(),
            why: error.to_string(),
        })
    }

    /// The tag and the first twelve digits, for a line that a person reads.
    #[must_use]
    pub fn short(&self) -> String {
        match self {
            Self::Critique(id) => id.short(),
            Self::Meaning(id) => id.short(),
        }
    }
}

impl fmt::Display for JudgmentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Critique(id) => id.fmt(f),
            Self::Meaning(id) => id.fmt(f),
        }
    }
}
