//! Conjectural proposals: what somebody supposes about data, in a form that can be drawn, marked and never mistaken.
//!
//! **Never** becomes evidence: nothing here enters a snapshot, carries an obligation, qualifies a mapping or is relabeled.
//!
//! A [`Proposal`] belongs to exactly one snapshot and one committed context. Its elements are few and small: a supposed
//! row ([`Payload::Value`](wire::v1::Payload)), a reference level of one variable, a stated relation between two rows.
//! Each says what it assumes, what it depends on, which receipts speak for and against it, and either how uncertain it is
//! or why nobody knows. People write a [`Draft`](wire::v1::Draft) with column names; [`propose`] resolves the names
//! against a context and seals the result. [`check_against`] and [`check_rows`] say whether a proposal fits the snapshot
//! and the rows at hand.
//!
//! # What depends on conjecture is conjecture
//!
//! Statuses have one order, by their distance from the data: `IMPUTED` (filled in by a rule from values that are there),
//! `HYPOTHESIZED` (supposed to be so), `COUNTERFACTUAL` (supposed although it is not so). An element is at least as far
//! from the data as everything it depends on. An imputed one names the nodes of the snapshot that it was filled in from.
//!
//! # Promotion
//!
//! There is none in place. A later decision over other evidence may name the element it came from; the proposal itself
//! stays what it was. Source: the authority decision, sections 4.2 and 12, with its amendment on conjecture.

mod against;
mod body;
mod draft;
mod error;
#[cfg(test)]
mod tests;
mod text;
pub mod wire;

pub use against::{check_against, check_rows, check_together};
pub use draft::{propose, read};
pub use error::ConjectureError;

use wire::v1::{Element, Payload, ProposalBody, Quantity, Status};

/// A proposal that keeps its own rules, under its identity.
pub type Proposal = identity::Sealed<ProposalBody>;

impl identity::Kind for ProposalBody {
    const TAG: &'static str = "conjectural-proposal-v1";
}

/// Most elements of a proposal.
pub const MOST_ELEMENTS: usize = 8;
/// Most assumptions of an element.
pub const MOST_ASSUMPTIONS: usize = 3;
/// Most things an element depends on.
pub const MOST_DEPENDENCIES: usize = 8;
/// Most evidence uses on either side of an element.
pub const MOST_USES: usize = 16;
/// Most quantities of a supposed row.
pub const MOST_QUANTITIES: usize = 3;
/// Most parts of its generation that a proposal says cannot be had any more.
pub const MOST_UNAVAILABLE: usize = 8;
/// Most characters of an element's name.
pub const MOST_ID: usize = 32;
/// Most characters of an element's label.
pub const MOST_LABEL: usize = 40;
/// Most characters of an assumption, a statement of uncertainty or a reason.
pub const MOST_SENTENCE: usize = 120;
/// Most characters of a rationale.
pub const MOST_RATIONALE: usize = 1_000;

/// What every label of a conjectural mark begins with.
pub const MARK: &str = "Conjecture:";
/// What every line on the caveat board about a conjecture begins with.
pub const BOARD: &str = "Conjecture, not evidence:";

/// What stands between the label and the assumptions in such a line.
pub const ASSUMING: &str = ", assuming ";

/// Property path of the words beside the mark.
pub const LABEL: &str = "label";
/// Property path of the status, which the mark's shape shows.
pub const STATUS: &str = "status";
/// Property path of the assumptions, which the caveat board says.
pub const ASSUMPTIONS: &str = "assumptions";

/// The element of this name.
#[must_use]
pub fn element<'a>(proposal: &'a Proposal, element_id: &str) -> Option<&'a Element> {
    let elements = &proposal.body().elements;
    elements.iter().find(|element| element.element_id == element_id)
}

/// Whether a text names a proposal: as evidence or authority it counts for nothing.
#[must_use]
pub fn is_named_by(text: &str) -> bool {
    text.contains(<ProposalBody as identity::Kind>::TAG)
}

impl Status {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Imputed => "IMPUTED",
            Self::Hypothesized => "HYPOTHESIZED",
            Self::Counterfactual => "COUNTERFACTUAL",
        }
    }

    /// The word in pictures.
    #[must_use]
    pub const fn spoken(self) -> &'static str {
        match self {
            Self::Imputed => "imputed",
            Self::Hypothesized => "hypothesized",
            Self::Counterfactual => "counterfactual",
        }
    }
}

impl Element {
    /// The quantities of the payload with their property paths: `values/0` and so on, or `value`.
    #[must_use]
    pub fn quantities(&self) -> Vec<(String, &Quantity)> {
        match &self.payload {
            Payload::Value { values } => values
                .iter()
                .enumerate()
                .map(|(at, quantity)| (format!("values/{at}"), quantity))
                .collect(),
            Payload::Level { value } => vec![("value".to_owned(), value)],
            Payload::Relation { .. } => Vec::new(),
        }
    }

    /// Whether a property path names something of this element.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        [LABEL, STATUS, ASSUMPTIONS].contains(&path)
            || self.quantities().iter().any(|(known, _)| known == path)
    }

    /// The words beside the mark: `Conjecture: hypothesized, a heavier bird`.
    #[must_use]
    pub fn mark_text(&self) -> String {
        format!("{MARK} {}, {}", self.status.spoken(), self.label)
    }

    /// The line on the caveat board: what is supposed and what that assumes. The status stands beside the mark.
    #[must_use]
    pub fn board_text(&self) -> String {
        format!("{BOARD} {}{ASSUMING}{}", self.label, self.assumptions.join("; "))
    }
}
