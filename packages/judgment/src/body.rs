//! What a judgment must satisfy to be one, whoever wrote it down.

use identity::{Body, Kind, Sealed};

use crate::wire::v1::{Author, Confidence, CritiqueBody, Instrument, MeaningBody, Target};

/// The longest free text, in bytes.
pub const MAX_TEXT: usize = 4_096;
/// The longest name, in bytes.
pub const MAX_NAME: usize = 256;

/// A critique with its identity.
pub type Critique = Sealed<CritiqueBody>;
/// A meaning judgment with its identity.
pub type Meaning = Sealed<MeaningBody>;

/// A judgment that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// A text is empty, or not in the form in which texts are compared. Way out: write it in Unicode NFC without white
    /// space at its ends.
    #[error("{member} is empty, or not trimmed and in Unicode NFC")]
    Text {
        /// The member.
        member: &'static str,
    },
    /// A text is too long. Way out: shorten it.
    #[error("{member} has {bytes} bytes; the most is {most}")]
    TooLong {
        /// The member.
        member: &'static str,
        /// Its length.
        bytes: usize,
        /// The bound.
        most: usize,
    },
    /// A name has a line break or another control character. Way out: leave it out.
    #[error("{member} has a control character in it")]
    Control {
        /// The member.
        member: &'static str,
    },
}

impl Kind for CritiqueBody {
    const TAG: &'static str = "embodiment-critique-v1";
}

impl Body for CritiqueBody {
    const ID_MEMBER: &'static str = "critiqueId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = BodyError;

    fn check(&self) -> Result<(), BodyError> {
        text("says", &self.says)?;
        if let Some(suggestion) = &self.suggests {
            text("suggests", suggestion)?;
        }
        said(&self.target, &self.author, &self.instrument)
    }
}

impl Kind for MeaningBody {
    const TAG: &'static str = "human-meaning-judgment-v1";
}

impl Body for MeaningBody {
    const ID_MEMBER: &'static str = "meaningJudgmentId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = BodyError;

    fn check(&self) -> Result<(), BodyError> {
        text("asked", &self.asked)?;
        text("answered", &self.answered)?;
        if let Confidence::Stated { words } = &self.confidence {
            name("confidence.words", words)?;
        }
        said(&self.target, &self.author, &self.instrument)
    }
}

/// What both kinds say of how they came about.
fn said(target: &Target, author: &Author, instrument: &Instrument) -> Result<(), BodyError> {
    name("target.variant", &target.variant)?;
    name("author.name", &author.name)?;
    if let Instrument::ModelParsed { model } = instrument {
        name("instrument.model", model)?;
    }
    Ok(())
}

/// Free text: lines are allowed, other control characters are not.
fn text(member: &'static str, text: &str) -> Result<(), BodyError> {
    bounded(member, text, MAX_TEXT)?;
    if text.chars().any(|letter| letter.is_control() && letter != '\n') {
        return Err(BodyError::Control { member });
    }
    Ok(())
}

/// A name: one line.
fn name(member: &'static str, text: &str) -> Result<(), BodyError> {
    bounded(member, text, MAX_NAME)?;
    if text.chars().any(char::is_control) {
        return Err(BodyError::Control { member });
    }
    Ok(())
}

/// Whether a text can be the name of an author or signer: one line, at most [`MAX_NAME`] bytes, NFC, not empty.
#[must_use]
pub fn is_name(text: &str) -> bool {
    name("name", text).is_ok()
}

fn bounded(member: &'static str, text: &str, most: usize) -> Result<(), BodyError> {
    let bytes = text.len();
    if bytes > most {
        return Err(BodyError::TooLong { member, bytes, most });
    }
    if !investigation::text::is_canonical(text) {
        return Err(BodyError::Text { member });
    }
    Ok(())
}
