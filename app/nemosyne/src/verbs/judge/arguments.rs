//! What can be typed after `nemosyne judge`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use judgment::wire::v1;
use knowledge::Date;

use crate::verbs::custody::Signing;

/// `judge`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Judge {
    /// What to do with drafts; without it, one is made.
    #[command(subcommand)]
    pub(crate) act: Option<JudgeAct>,
    /// The draft that is made.
    #[command(flatten)]
    pub(crate) draft: JudgeDraft,
}

impl Judge {
    /// Whether one JSON object is printed.
    pub(crate) fn json(&self) -> bool {
        match &self.act {
            None => self.draft.json,
            Some(JudgeAct::Confirm(act)) => act.signing.json,
            Some(JudgeAct::List(act)) => act.json,
        }
    }
}

/// What to do with drafts.
#[derive(Debug, Subcommand)]
pub(crate) enum JudgeAct {
    /// Stand by a draft: sign it with a trusted key that may review.
    Confirm(JudgeConfirm),
    /// List what people stand by.
    List(JudgeList),
}

/// `judge PKG`.
#[derive(Debug, Args)]
pub(crate) struct JudgeDraft {
    /// The `.nemosyne` file that is judged.
    pub(crate) package: Option<PathBuf>,
    /// A binding, or the `ELEMENT/CHANNEL` that it shows.
    #[arg(long, value_name = "ID", conflicts_with = "obligation")]
    pub(crate) binding: Option<String>,
    /// An obligation.
    #[arg(long, value_name = "ID")]
    pub(crate) obligation: Option<String>,
    /// Variant that was looked at; the recorded one unless another is named.
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    /// A critique of the picture, or what a reader understood.
    #[arg(long, value_enum)]
    pub(crate) kind: Option<JudgmentKind>,
    /// The author's words; for a meaning judgment, the reader's answer.
    #[arg(long, value_name = "TEXT")]
    pub(crate) says: Option<String>,
    /// What kind of thing a critique is about.
    #[arg(long, value_enum)]
    pub(crate) aspect: Option<Aspect>,
    /// Whether it misleads or helps.
    #[arg(long, value_enum)]
    pub(crate) effect: Option<Effect>,
    /// How badly it misleads.
    #[arg(long, value_enum)]
    pub(crate) severity: Option<Severity>,
    /// What would be better.
    #[arg(long, value_name = "TEXT")]
    pub(crate) suggests: Option<String>,
    /// The question that a reader was asked.
    #[arg(long, value_name = "TEXT")]
    pub(crate) asked: Option<String>,
    /// How sure the reader was, in the reader's words.
    #[arg(long, value_name = "TEXT")]
    pub(crate) confidence: Option<String>,
    /// Whether the answer is what the picture claims.
    #[arg(long, value_enum, default_value = "not-judged")]
    pub(crate) agreement: Agreement,
    /// Whose words they are.
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
    /// How that name is known.
    #[arg(long, value_enum, default_value = "self")]
    pub(crate) identified: Identified,
    /// How it was taken down.
    #[arg(long, value_enum)]
    pub(crate) instrument: Option<Instrument>,
    /// The model that read it out of a text.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// The day it was said; today unless another is given.
    #[arg(long, value_name = "DATE")]
    pub(crate) on: Option<Date>,
    /// File for the draft.
    #[arg(long, value_name = "FILE")]
    pub(crate) draft_out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `judge confirm`.
#[derive(Debug, Args)]
pub(crate) struct JudgeConfirm {
    /// The draft.
    pub(crate) file: PathBuf,
    /// Package that the draft must be about.
    #[arg(long, value_name = "PKG")]
    pub(crate) package: Option<PathBuf>,
    /// With which key.
    #[command(flatten)]
    pub(crate) signing: Signing,
}

/// `judge list`.
#[derive(Debug, Args)]
pub(crate) struct JudgeList {
    /// Only what is about this `.nemosyne` file.
    pub(crate) package: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Kind of judgment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum JudgmentKind {
    /// What in the picture misleads or helps.
    Critique,
    /// What a reader understood.
    Meaning,
}

/// What a critique is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Aspect {
    /// Where marks stand.
    Position,
    /// How long or large marks are.
    Size,
    /// Color.
    Color,
    /// Shape.
    Shape,
    /// Depth and perspective.
    Depth,
    /// Something hides something else.
    Occlusion,
    /// Axes, ticks and units.
    Scale,
    /// Labels and legend.
    Label,
    /// Caveats and what is left out.
    Caveat,
    /// Motion and comfort.
    Comfort,
    /// Anything else.
    Other,
}

/// Whether it misleads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Effect {
    /// It misleads.
    Misleads,
    /// It helps.
    Helps,
}

/// How badly it misleads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Severity {
    /// It can be noticed and read around.
    Minor,
    /// It makes reading harder or less sure.
    Serious,
    /// The wrong thing is understood.
    WrongMeaning,
}

/// Whether an answer is what the picture claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agreement {
    /// It is.
    Matched,
    /// Something else was understood.
    Misunderstood,
    /// It can't be told.
    Inconclusive,
    /// Nobody compared them.
    NotJudged,
}

/// How an author's name is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Identified {
    /// The author stated it.
    #[value(name = "self")]
    SelfStated,
    /// A study gave a code.
    StudyCode,
    /// Somebody else wrote it down.
    Observer,
}

/// How a judgment was taken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Instrument {
    /// At the desk.
    Desk,
    /// In the headset.
    Headset,
    /// By a script.
    Script,
    /// A model read it out of a text.
    Model,
}

impl Aspect {
    pub(super) const fn wire(self) -> v1::Aspect {
        match self {
            Self::Position => v1::Aspect::Position,
            Self::Size => v1::Aspect::Size,
            Self::Color => v1::Aspect::Color,
            Self::Shape => v1::Aspect::Shape,
            Self::Depth => v1::Aspect::Depth,
            Self::Occlusion => v1::Aspect::Occlusion,
            Self::Scale => v1::Aspect::Scale,
            Self::Label => v1::Aspect::Label,
            Self::Caveat => v1::Aspect::Caveat,
            Self::Comfort => v1::Aspect::Comfort,
            Self::Other => v1::Aspect::Other,
        }
    }
}

impl Agreement {
    pub(super) const fn wire(self) -> v1::Agreement {
        match self {
            Self::Matched => v1::Agreement::Matched,
            Self::Misunderstood => v1::Agreement::Misunderstood,
            Self::Inconclusive => v1::Agreement::Inconclusive,
            Self::NotJudged => v1::Agreement::NotJudged,
        }
    }
}

impl Severity {
    pub(super) const fn wire(self) -> v1::Severity {
        match self {
            Self::Minor => v1::Severity::Minor,
            Self::Serious => v1::Severity::Serious,
            Self::WrongMeaning => v1::Severity::WrongMeaning,
        }
    }
}

impl Identified {
    pub(super) const fn wire(self) -> v1::IdentifiedBy {
        match self {
            Self::SelfStated => v1::IdentifiedBy::SelfStated,
            Self::StudyCode => v1::IdentifiedBy::StudyCode,
            Self::Observer => v1::IdentifiedBy::NamedByObserver,
        }
    }
}
