//! What this crate refuses, and what to do about it.

use identity::{DecodeError, Rule};
use refusal::{Reason, Refusal, Stage};

use crate::{Staleness, VariableKind};

/// Why something was not committed, not read or not activated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvestigationError {
    /// The draft names no purpose. Way out: choose one of the two; none is ever assumed.
    #[error("the purpose is not stated")]
    PurposeNotStated,
    /// The word names no purpose. Way out: use one of the two words.
    #[error("`{found}` is not a purpose")]
    UnknownPurpose {
        /// The word.
        found: String,
    },
    /// The draft names no policy scope. Way out: name the scope document under which it asks.
    #[error("the policy scope is not stated")]
    ScopeNotStated,
    /// The scope does not cover the viewpoint purpose. Way out: another viewpoint, or a scope that covers it.
    #[error("the policy scope `{scope}` does not cover {task}")]
    OutsideScope {
        /// Name of the scope.
        scope: String,
        /// The viewpoint purpose.
        task: &'static str,
    },
    /// A perspective without a foreground variable. Way out: name at least one, or commit without a perspective.
    #[error("the perspective puts no variable in front")]
    NothingForeground,
    /// A variable stands in front twice, or groups and stands in front. Way out: name it once.
    #[error("`{variable}` is named twice")]
    NamedTwice {
        /// The variable.
        variable: String,
    },
    /// No column has this name. Way out: the nearest name, if one is near.
    #[error("no variable is called `{variable}`")]
    UnknownVariable {
        /// The name that was asked for.
        variable: String,
        /// The known name most like it.
        nearest: Option<String>,
        /// All known names, sorted.
        known: Vec<String>,
    },
    /// The rows of a variable were asked for and are not there. Way out: the reason says.
    #[error("`{variable}` is not available: {why}")]
    Unavailable {
        /// The variable.
        variable: String,
        /// The owner's reason.
        why: String,
    },
    /// No single row projection holds all the variables. Way out: one analysis of the rows of all of them.
    #[error("no row projection holds {} together", variables.join(", "))]
    NotTogether {
        /// The variables.
        variables: Vec<String>,
    },
    /// Several row projections of the same width hold the variables. Way out: a perspective that names nodes.
    #[error("several row projections hold {}", variables.join(", "))]
    Ambiguous {
        /// The variables.
        variables: Vec<String>,
        /// The sources.
        sources: Vec<String>,
    },
    /// A reference leads to nothing usable in the snapshot. Way out: a snapshot that holds it.
    #[error("{reference} does not resolve: {why}")]
    Unresolved {
        /// The reference.
        reference: String,
        /// Why.
        why: String,
    },
    /// The column's scale can't carry what was asked of it. Way out: the other kind, or a declared scale.
    #[error("`{variable}` is {scale} and can't stand in front as {}", asked.word())]
    Measurement {
        /// The column.
        variable: String,
        /// Its scale.
        scale: String,
        /// What it was asked to be.
        asked: VariableKind,
    },
    /// The member would choose rows. Way out: a new analysis of those rows.
    #[error("`{member}` would narrow the population")]
    NarrowsPopulation {
        /// The member.
        member: String,
    },
    /// A perspective has no such member. Way out: the nearest name, if one is near.
    #[error("a perspective has no member `{member}`")]
    UnknownMember {
        /// The member.
        member: String,
        /// The known member most like it.
        nearest: Option<String>,
    },
    /// A word outside a closed list. Way out: one of the allowed words.
    #[error("`{found}` is not a word for {field}; allowed: {allowed}")]
    UnknownWord {
        /// The field.
        field: &'static str,
        /// The word.
        found: String,
        /// The words there are.
        allowed: String,
    },
    /// Held-constant nodes are not sorted by identity, or one occurs twice. Way out: the writer must sort them.
    #[error("held-constant nodes must be sorted by identity, each once")]
    HeldConstantOrder,
    /// An item of the variables of interest has no letters. Way out: leave it out or name it.
    #[error("variable of interest {} is empty", idx + 1)]
    EmptyVariable {
        /// Its place, from 0.
        idx: usize,
    },
    /// A stored text is not in canonical form (NFC, trimmed, not empty). Way out: the writer must normalize it; a
    /// reader never does, because the identity covers the text.
    #[error("{field} is not in canonical form")]
    NotCanonical {
        /// The field.
        field: &'static str,
    },
    /// A name is empty. Way out: give it one.
    #[error("{field} is empty")]
    EmptyName {
        /// The field.
        field: &'static str,
    },
    /// More than a limit allows. Way out: say less.
    #[error("{what}: {found} is beyond the limit of {limit}")]
    Bounds {
        /// What is too long or too many.
        what: &'static str,
        /// How much there is.
        found: usize,
        /// How much may be.
        limit: usize,
    },
    /// Another version of a shape. Way out: a program that reads it.
    #[error("{what} version {found} is not known here")]
    Version {
        /// Of what.
        what: &'static str,
        /// The version.
        found: i64,
    },
    /// A negative revision. Way out: revisions count commits from 0.
    #[error("revision {found} is negative")]
    Revision {
        /// The revision.
        found: i64,
    },
    /// A text is not JSON of the expected shape. Way out: the pointer and offset say where.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A context was altered after it was committed. Way out: fetch it again; an identity is never corrected.
    #[error("a committed context was altered: {why}")]
    Integrity {
        /// What differs.
        why: String,
    },
    /// The lineage is no graph that commits make. Way out: fetch it again from its owner.
    #[error("the lineage is malformed: {why}")]
    Lineage {
        /// What is wrong.
        why: String,
    },
    /// Another investigation or dataset than the one at hand. Way out: use the one it belongs to.
    #[error("it belongs to {what} {found}, not to {expected}")]
    WrongSubject {
        /// What differs.
        what: &'static str,
        /// The one at hand.
        expected: String,
        /// The one that was given.
        found: String,
    },
    /// The lineage has no such node. Way out: the nearest name, if one is near.
    #[error("the lineage has no node `{node_id}`")]
    UnknownNode {
        /// The node.
        node_id: String,
        /// The known node most like it.
        nearest: Option<String>,
    },
    /// Nothing was committed yet. Way out: commit first.
    #[error("nothing was committed yet")]
    NothingCommitted,
    /// Work for an activation that is no longer in force. Way out: begin again under the current one.
    #[error("the activation of `{node_id}` is no longer current: {why}")]
    Stale {
        /// The node it was for.
        node_id: String,
        /// The first difference.
        why: Staleness,
    },
    /// The generation has no epoch left. Way out: reload the investigation, which begins a new generation.
    #[error("this generation has no activation epoch left")]
    EpochsExhausted,
}

impl InvestigationError {
    fn reason(&self) -> Reason {
        match self {
            Self::PurposeNotStated
            | Self::ScopeNotStated
            | Self::NothingForeground
            | Self::NothingCommitted => Reason::NotStated,
            Self::UnknownPurpose { .. }
            | Self::NamedTwice { .. }
            | Self::HeldConstantOrder
            | Self::EmptyVariable { .. }
            | Self::NotCanonical { .. }
            | Self::EmptyName { .. }
            | Self::Revision { .. }
            | Self::Lineage { .. } => Reason::Malformed,
            Self::UnknownVariable { .. } | Self::Ambiguous { .. } | Self::UnknownNode { .. } => {
                Reason::AmbiguousReference
            }
            Self::UnknownMember { .. } | Self::UnknownWord { .. } | Self::Version { .. } => {
                Reason::UnknownShape
            }
            Self::Bounds { .. } | Self::EpochsExhausted => Reason::Bounds,
            Self::Decode(error) => reason_of_rule(&error.rule),
            Self::Integrity { .. } => Reason::Integrity,
            Self::Measurement { .. } => Reason::MeasurementUnsupported,
            Self::NarrowsPopulation { .. } => Reason::NarrowsPopulation,
            Self::Unavailable { .. } | Self::NotTogether { .. } | Self::Unresolved { .. } => {
                Reason::UnresolvedPerspective
            }
            Self::OutsideScope { .. } => Reason::ScopeMismatch,
            Self::WrongSubject { .. } => Reason::WrongSubject,
            Self::Stale { .. } => Reason::Stale,
        }
    }

    /// The refusal that people and programs see.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let stage = match self {
            Self::Decode(_) | Self::Integrity { .. } | Self::Lineage { .. } => Stage::DecodeIntegrity,
            Self::Measurement { .. } => Stage::EvidencePolicy,
            _ => Stage::ContextIdentity,
        };
        let refusal = Refusal::new(stage, self.reason(), self.sentence()).next(self.way_out());
        match self {
            Self::Decode(error) => refusal.at(format!("{} at byte {}", error.pointer, error.offset)),
            Self::UnknownPurpose { found } => refusal.about(found),
            Self::OutsideScope { scope, .. } => refusal.about(scope),
            Self::NamedTwice { variable }
            | Self::UnknownVariable { variable, .. }
            | Self::Unavailable { variable, .. }
            | Self::Measurement { variable, .. } => refusal.about(variable),
            Self::NotTogether { variables } => variables.iter().fold(refusal, Refusal::about),
            Self::Ambiguous { variables, sources } => {
                variables.iter().chain(sources).fold(refusal, Refusal::about)
            }
            Self::Unresolved { reference, .. } => refusal.about(reference),
            Self::NarrowsPopulation { member } | Self::UnknownMember { member, .. } => refusal.about(member),
            Self::UnknownWord { field, .. } | Self::NotCanonical { field } | Self::EmptyName { field } => {
                refusal.at(*field)
            }
            Self::UnknownNode { node_id, .. } | Self::Stale { node_id, .. } => refusal.about(node_id),
            Self::WrongSubject { found, .. } => refusal.about(found),
            _ => refusal,
        }
    }

    fn sentence(&self) -> String {
        match self {
            Self::PurposeNotStated => "The purpose is not stated, and it is never assumed. There are two: CLAIM_BEARING \
                carries claims that rest on evidence; EXPLORATORY_ABDUCTION explores, where conjecture is allowed and \
                marked as such."
                .to_owned(),
            Self::NarrowsPopulation { member } => format!(
                "`{member}` would choose which rows count. A perspective says what stands in front of the same rows; \
                a part of the rows is another population with its own support, receipts and snapshot."
            ),
            Self::UnknownVariable { variable, nearest: Some(nearest), .. } => {
                format!("No variable is called `{variable}`; the nearest is `{nearest}`.")
            }
            Self::UnknownVariable { variable, nearest: None, known } => {
                let first = known.iter().take(12).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = if known.len() > 12 { format!(" and {} more", known.len() - 12) } else { String::new() };
                format!("No variable is called `{variable}`. There are: {first}{more}.")
            }
            Self::Measurement { variable, scale, asked } => {
                let why = match (scale.as_str(), asked) {
                    ("unknown", _) => "nobody stated what its values measure",
                    ("identifier", _) => "its values name individuals, so neither order nor group can be read from them",
                    ("circular", VariableKind::Quantitative) => {
                        "its values wrap around, so \"greater\" has no meaning on an axis"
                    }
                    ("ordinal", VariableKind::Quantitative) => "its values have an order but no distances",
                    (_, VariableKind::Quantitative) => "its values name groups, so they have no place on an axis",
                    (_, VariableKind::Categorical) => "its values are numbers, not names of groups",
                };
                format!("`{variable}` is {scale} and was asked for as {}: {why}.", asked.word())
            }
            _ => {
                let mut text = self.to_string();
                if let Some(first) = text.get(..1) {
                    text = format!("{}{}", first.to_uppercase(), &text[1..]);
                }
                if !text.ends_with('.') {
                    text.push('.');
                }
                text
            }
        }
    }

    fn way_out(&self) -> String {
        match self {
            Self::PurposeNotStated | Self::UnknownPurpose { .. } => {
                "State `claim-bearing` or `exploratory` and commit again."
            }
            Self::ScopeNotStated => "Name the policy scope document under which this is asked.",
            Self::OutsideScope { .. } => "Choose a viewpoint purpose that the scope lists, or another scope.",
            Self::NothingForeground => "Name at least one foreground variable.",
            Self::NamedTwice { .. } => "Name each variable once.",
            Self::UnknownVariable { nearest: Some(nearest), .. } => {
                return format!("Ask for `{nearest}`, or import a dataset that has the column.");
            }
            Self::UnknownVariable { .. } => "Ask for one of the variables there are.",
            Self::Unavailable { .. } => "Remove the cause that the analysis names, and analyze again.",
            Self::NotTogether { .. } => "Run one analysis of the rows of all these variables, and commit against its snapshot.",
            Self::Ambiguous { .. } => "Name the nodes instead of the variables.",
            Self::Unresolved { .. } => "Commit against a snapshot that holds what is referred to.",
            Self::Measurement { variable, asked: VariableKind::Quantitative, .. } => {
                return format!(
                    "Ask for `{variable}` as the grouping variable, choose a column of numbers, or import again with \
                    --declare COLUMN:interval for `{variable}` if its numbers have distances."
                );
            }
            Self::Measurement { variable, asked: VariableKind::Categorical, .. } => {
                return format!(
                    "Ask for `{variable}` as a foreground variable, choose a column of labels, or import again with \
                    --declare COLUMN:CATEGORICAL for `{variable}` if its values name groups."
                );
            }
            Self::NarrowsPopulation { .. } => {
                "Make a new analysis of the rows you mean, and commit a context against its snapshot."
            }
            Self::UnknownMember { nearest: Some(nearest), .. } => return format!("Did you mean `{nearest}`?"),
            Self::UnknownMember { .. } => "Leave the member out.",
            Self::UnknownWord { allowed, .. } => return format!("Use one of: {allowed}."),
            Self::HeldConstantOrder | Self::NotCanonical { .. } | Self::Revision { .. } => {
                "Write the value in its canonical form; a reader never corrects it."
            }
            Self::EmptyVariable { .. } => "Name the variable or leave the item out.",
            Self::EmptyName { .. } => "Give it a name.",
            Self::Bounds { .. } => "Say it within the limit.",
            Self::Version { .. } => "Open it with a program that knows this version.",
            Self::Decode(_) => "Correct the text at the named place.",
            Self::Integrity { .. } | Self::Lineage { .. } => "Fetch it again from its owner; do not repair it by hand.",
            Self::WrongSubject { .. } => "Use the investigation and the snapshot that belong together.",
            Self::UnknownNode { nearest: Some(nearest), .. } => return format!("The nearest node is `{nearest}`."),
            Self::UnknownNode { .. } => "Choose a node of this lineage.",
            Self::NothingCommitted => "Commit a context first.",
            Self::Stale { .. } => "Begin again under the context that is active now.",
            Self::EpochsExhausted => "Reload the investigation; that begins a new generation.",
        }
        .to_owned()
    }
}

fn reason_of_rule(rule: &Rule) -> Reason {
    match rule {
        Rule::UnknownMember => Reason::UnknownShape,
        Rule::Depth | Rule::Bytes | Rule::StringLength | Rule::Items | Rule::Members => Reason::Bounds,
        _ => Reason::Malformed,
    }
}
