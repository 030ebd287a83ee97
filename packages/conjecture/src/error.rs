//! Why something is no proposal, or not one for the question at hand.

use identity::{CanonicalError, DecodeError};
use refusal::{Reason, Refusal, Stage};

/// One thing that is wrong with a proposal.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConjectureError {
    /// The file is no draft and no proposal. Way out: the pointer and the rule say where and why.
    #[error("the file holds no conjecture: {0}")]
    Decode(DecodeError),
    /// Too much of something. Way out: fewer, or shorter.
    #[error("{what}: {found} {unit}, at most {most}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// Found.
        found: usize,
        /// Most.
        most: usize,
        /// What is counted.
        unit: &'static str,
    },
    /// Nothing where something must be. Way out: state at least one.
    #[error("{what} has no {of}")]
    Nothing {
        /// What lacks it.
        what: &'static str,
        /// What it lacks.
        of: &'static str,
    },
    /// A text that is empty, has blanks at its ends, is not NFC, or holds control or direction characters. Way out: plain
    /// text on one line.
    #[error("{what} is no plain text: `{text}`")]
    Text {
        /// Which text.
        what: &'static str,
        /// The text, escaped.
        text: String,
    },
    /// A list is out of order or names something twice. Way out: sort it, name each thing once.
    #[error("{what} must be sorted and each named once; `{key}` is not")]
    Repeated {
        /// The list.
        what: &'static str,
        /// The first that is wrong.
        key: String,
    },
    /// One receipt speaks for and against. Way out: decide which.
    #[error("`{element}` names receipt {receipt} as supporting and as contradicting")]
    BothWays {
        /// Element.
        element: String,
        /// Receipt.
        receipt: String,
    },
    /// A range that does not hold its quantity, or is about none. Way out: `lower <= value <= upper`.
    #[error("`{element}`: the range {lower} to {upper} holds no quantity of it")]
    Range {
        /// Element.
        element: String,
        /// Lower end.
        lower: f64,
        /// Upper end.
        upper: f64,
    },
    /// An imputed element that names nothing it was filled in from. Way out: name the nodes, or call it hypothesized.
    #[error("`{0}` is IMPUTED and names no variable that it was filled in from")]
    ImputedFromNothing(String),
    /// It depends on something that is not there. Way out: name what is there.
    #[error("`{element}` depends on {name}, which is not there")]
    Dangling {
        /// Element.
        element: String,
        /// What it names.
        name: String,
    },
    /// An element depends on itself, directly or through others. Way out: break the circle.
    #[error("`{0}` depends on itself")]
    Circle(String),
    /// An element calls itself nearer to the data than what it rests on. Way out: the status of what it rests on, or one
    /// that is farther.
    #[error(
        "`{element}` is {status} and rests on `{ground}`, which is {ground_status}; what depends on conjecture is conjecture"
    )]
    NearerThanItsGround {
        /// Element.
        element: String,
        /// Its status.
        status: &'static str,
        /// What it rests on.
        ground: String,
        /// The status of that.
        ground_status: &'static str,
    },
    /// A name that is nothing here. Way out: one of the known ones.
    #[error("no {what} is named `{name}`; there are {}", known.join(", "))]
    Unknown {
        /// What was looked for.
        what: &'static str,
        /// The name.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The proposal belongs to another snapshot or context. Way out: propose again for the one at hand.
    #[error("it belongs to another {what}: {found}, not {expected}")]
    Other {
        /// `snapshot` or `context`.
        what: &'static str,
        /// Its own.
        found: String,
        /// The one at hand.
        expected: String,
    },
    /// Its quantities are not those of the foreground. Way out: one value a foreground variable, in their order.
    #[error(
        "`{element}` needs values of the {needed} foreground variables and of nothing else, in their order"
    )]
    NotTheForeground {
        /// Element.
        element: String,
        /// How many.
        needed: usize,
    },
    /// A quantity in another unit than the snapshot's. Way out: convert it, and say so in an assumption.
    #[error("`{element}` gives {variable} in {stated}; the data is in {expected}")]
    Unit {
        /// Element.
        element: String,
        /// Variable.
        variable: String,
        /// Its unit.
        stated: String,
        /// The snapshot's.
        expected: String,
    },
    /// Evidence that the snapshot does not rest on. Way out: its own evidence uses.
    #[error("`{element}` names the use of receipt {receipt}, which is not the snapshot's")]
    NoSuchEvidence {
        /// Element.
        element: String,
        /// Receipt.
        receipt: String,
    },
    /// A relation to a row that is not drawn. Way out: the key of a row that is.
    #[error("`{element}` relates a row that is not drawn: `{key}`")]
    NoSuchRow {
        /// Element.
        element: String,
        /// The key.
        key: String,
    },
    /// The content does not hash to the identity it stands under. Way out: get it again; an identity is never edited.
    #[error("it claims {claimed} and hashes to {computed}")]
    Identity {
        /// As written.
        claimed: String,
        /// As computed.
        computed: String,
    },
    /// Another schema version. Way out: a program that reads it.
    #[error("schema version {found}, not {expected}")]
    Version {
        /// As written.
        found: u64,
        /// Read here.
        expected: u64,
    },
    /// A value has no canonical text; a defect.
    #[error("it has no canonical text: {0}")]
    Canonical(CanonicalError),
}

impl ConjectureError {
    /// As a refusal, at the stage that owns the broken rule.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let (stage, reason, next) = match self {
            Self::Decode(_) => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "Write elements, generator and rationale as the README shows.",
            ),
            Self::TooMany { .. } => (
                Stage::DecodeIntegrity,
                Reason::Bounds,
                "Suppose less at a time, in fewer words.",
            ),
            Self::Nothing { .. } => (
                Stage::DecodeIntegrity,
                Reason::NotStated,
                "State at least one; a conjecture without assumptions is a claim.",
            ),
            Self::Text { .. } | Self::Version { .. } | Self::Canonical(_) => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "Write plain text on one line; names of elements are lowercase letters, digits, - and _.",
            ),
            Self::Range { .. } => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "A range holds the value it is about.",
            ),
            Self::Repeated { .. } | Self::Dangling { .. } | Self::Circle(_) | Self::Unknown { .. } => (
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                "Name each thing once, only what is there, and nothing by itself.",
            ),
            Self::NoSuchRow { .. } => (
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                "Name rows that are drawn, such as row:17.",
            ),
            Self::Identity { .. } => (
                Stage::DecodeIntegrity,
                Reason::Integrity,
                "Get it again from its author; an identity is never edited.",
            ),
            Self::BothWays { .. } | Self::ImputedFromNothing(_) | Self::NearerThanItsGround { .. } => (
                Stage::EvidencePolicy,
                Reason::ConjectureAsClaim,
                "Call it what it is: imputed, hypothesized or counterfactual, and never nearer to the data than its ground.",
            ),
            Self::Other { .. } => (
                Stage::ContextIdentity,
                Reason::WrongSubject,
                "Propose again for the data and the question at hand.",
            ),
            Self::NotTheForeground { .. } => (
                Stage::ContextIdentity,
                Reason::UnresolvedPerspective,
                "Give one value for each foreground variable.",
            ),
            Self::Unit { .. } => (
                Stage::EvidencePolicy,
                Reason::IncompatibleFrames,
                "Convert the value and say so in an assumption.",
            ),
            Self::NoSuchEvidence { .. } => (
                Stage::EvidencePolicy,
                Reason::MissingRequired,
                "Name receipts of this snapshot, or none.",
            ),
        };
        let refusal =
            Refusal::new(stage, reason, format!("The conjecture does not hold: {self}.")).next(next);
        match self {
            Self::Decode(error) => refusal.at(format!("byte {}, `{}`", error.offset, error.pointer)),
            Self::BothWays { element, .. }
            | Self::Range { element, .. }
            | Self::ImputedFromNothing(element)
            | Self::Dangling { element, .. }
            | Self::Circle(element)
            | Self::NearerThanItsGround { element, .. }
            | Self::NotTheForeground { element, .. }
            | Self::Unit { element, .. }
            | Self::NoSuchEvidence { element, .. }
            | Self::NoSuchRow { element, .. } => refusal.about(element.clone()),
            Self::Other { found, .. } => refusal.about(found.clone()),
            Self::Unknown { name, .. } => refusal.about(name.clone()),
            Self::TooMany { .. }
            | Self::Nothing { .. }
            | Self::Text { .. }
            | Self::Repeated { .. }
            | Self::Identity { .. }
            | Self::Version { .. }
            | Self::Canonical(_) => refusal,
        }
    }
}
