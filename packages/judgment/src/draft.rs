//! A judgment that nobody has confirmed.

use identity::{CanonicalError, Limits, SafeInteger, SealError, canonical};
use knowledge::Date;

use crate::body::{BodyError, Critique, Meaning};
use crate::target::Ground;
use crate::wire::v1::{
    Author, Confirmation, CritiqueBody, Document, Instrument, MeaningBody, Target, Verdict,
};
use crate::{JudgmentError, JudgmentId};

const MAX_BYTES: usize = 64 << 10;

/// A critique or a meaning judgment, with its identity. It says nothing about who stands by it.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgment {
    /// What in the picture misleads or helps.
    Critique(Critique),
    /// What a reader understood.
    Meaning(Meaning),
}

impl Judgment {
    /// Its name.
    #[must_use]
    pub fn id(&self) -> JudgmentId {
        match self {
            Self::Critique(critique) => JudgmentId::Critique(critique.id()),
            Self::Meaning(meaning) => JudgmentId::Meaning(meaning.id()),
        }
    }

    /// `EMBODIMENT_CRITIQUE` or `HUMAN_MEANING_JUDGMENT`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Critique(_) => "EMBODIMENT_CRITIQUE",
            Self::Meaning(_) => "HUMAN_MEANING_JUDGMENT",
        }
    }

    /// Exactly what it is about.
    #[must_use]
    pub const fn target(&self) -> &Target {
        match self {
            Self::Critique(critique) => &critique.body().target,
            Self::Meaning(meaning) => &meaning.body().target,
        }
    }

    /// Whose words they are.
    #[must_use]
    pub const fn author(&self) -> &Author {
        match self {
            Self::Critique(critique) => &critique.body().author,
            Self::Meaning(meaning) => &meaning.body().author,
        }
    }

    /// How it was taken down.
    #[must_use]
    pub const fn instrument(&self) -> &Instrument {
        match self {
            Self::Critique(critique) => &critique.body().instrument,
            Self::Meaning(meaning) => &meaning.body().instrument,
        }
    }

    /// The day it was said.
    #[must_use]
    pub const fn said_on(&self) -> Date {
        match self {
            Self::Critique(critique) => critique.body().said_on,
            Self::Meaning(meaning) => meaning.body().said_on,
        }
    }

    /// In the author's words.
    #[must_use]
    pub fn says(&self) -> &str {
        match self {
            Self::Critique(critique) => &critique.body().says,
            Self::Meaning(meaning) => &meaning.body().answered,
        }
    }

    /// As it is written to a file.
    #[must_use]
    pub fn to_wire(&self) -> Document {
        match self {
            Self::Critique(critique) => Document::Critique(critique.to_wire()),
            Self::Meaning(meaning) => Document::Meaning(meaning.to_wire()),
        }
    }

    pub(crate) fn open(document: Document) -> Result<Self, JudgmentError> {
        match document {
            Document::Critique(envelope) => envelope.open().map(Self::Critique),
            Document::Meaning(envelope) => envelope.open().map(Self::Meaning),
        }
        .map_err(sealed)
    }
}

/// A judgment that nobody has confirmed: typed, written by a script, or read out of a text by a model.
///
/// Reading one from a file, or parsing it from what a model wrote, gives a draft and never anything else:
///
/// ```compile_fail,E0308
/// fn read(bytes: &[u8]) -> judgment::Confirmed {
///     judgment::Draft::from_bytes(bytes).expect("a file")
/// }
/// ```
///
/// ```
/// fn read(bytes: &[u8]) -> judgment::Draft {
///     judgment::Draft::from_bytes(bytes).expect("a file")
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Draft(Judgment);

impl Draft {
    /// A critique, with its texts in Unicode NFC and trimmed.
    ///
    /// # Errors
    /// [`JudgmentError::Body`] for a text that is empty, too long or has control characters in it.
    pub fn critique(mut body: CritiqueBody) -> Result<Self, JudgmentError> {
        form(&mut body.says);
        body.suggests.iter_mut().for_each(form);
        form(&mut body.author.name);
        Critique::seal(body)
            .map(|sealed| Self(Judgment::Critique(sealed)))
            .map_err(sealed)
    }

    /// A meaning judgment, with its texts in Unicode NFC and trimmed.
    ///
    /// # Errors
    /// As [`Draft::critique`].
    pub fn meaning(mut body: MeaningBody) -> Result<Self, JudgmentError> {
        form(&mut body.asked);
        form(&mut body.answered);
        form(&mut body.author.name);
        Meaning::seal(body)
            .map(|sealed| Self(Judgment::Meaning(sealed)))
            .map_err(sealed)
    }

    /// Reads a draft's file, at most 64 KiB.
    ///
    /// # Errors
    /// [`JudgmentError::Decode`] for another shape, [`JudgmentError::Altered`] when its content does not hash to its
    /// name, [`JudgmentError::Body`] when it breaks a rule.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, JudgmentError> {
        let limits = Limits::new().with_max_bytes(MAX_BYTES);
        let document = identity::decode::<Document>(bytes, &limits)
            .map_err(JudgmentError::Decode)?
            .into_inner();
        Judgment::open(document).map(Self)
    }

    /// The canonical text for a file.
    ///
    /// # Errors
    /// None in practice: what was sealed has a canonical text.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CanonicalError> {
        canonical::to_vec(&self.0.to_wire())
    }

    /// What is judged.
    #[must_use]
    pub const fn judgment(&self) -> &Judgment {
        &self.0
    }

    /// Whether it is about this decision.
    ///
    /// # Errors
    /// As [`Ground::resolve`].
    pub fn resolve(&self, ground: &Ground<'_>) -> Result<(), JudgmentError> {
        ground.resolve(self.0.target())
    }

    /// The body of the reviewer's statement with which a person confirms it: canonical text, for custody to sign.
    ///
    /// # Errors
    /// None in practice, as [`Draft::to_bytes`].
    pub fn to_confirm(&self) -> Result<Vec<u8>, CanonicalError> {
        canonical::to_vec(&Confirmation {
            schema_version: SafeInteger::from(1),
            verdict: Verdict::Confirmed,
            judgment: self.0.to_wire(),
        })
    }
}

/// The form in which texts are compared; an empty one stays, and is refused by its check.
fn form(text: &mut String) {
    *text = investigation::text::canonical(text).unwrap_or_default();
}

fn sealed(error: SealError<BodyError>) -> JudgmentError {
    match error {
        SealError::Invalid(error) => JudgmentError::Body(error),
        SealError::Canonical(error) => JudgmentError::Canonical(error),
        SealError::IdentityMismatch { claimed, computed } => JudgmentError::Altered { claimed, computed },
        SealError::SchemaVersion { found, expected } => JudgmentError::Version { found, expected },
    }
}
