//! The recorded analytical state of a package, asked anew: the next node of its lineage.

use custody::Custody;
use investigation::wire::v2::{EpistemicPurpose, Perspective};
use investigation::{Context, Draft, Investigation, InvestigationError, Viewpoint};
use package::Opened;
use refusal::{Reason, Refusal, Stage};
use replay::Rerun;

use crate::Prepared;
use crate::prepare::fix;

/// What is asked anew. Whatever is not stated stays as the node says that it continues.
#[derive(Clone, Debug, Default)]
pub struct Anew {
    /// The question.
    pub text: Option<String>,
    /// What the picture is for.
    pub purpose: Option<EpistemicPurpose>,
    /// Quantitative foreground columns in order: x, y, z.
    pub foreground: Option<Vec<String>>,
    /// The grouping.
    pub grouping: Grouping,
    /// What the viewer does there.
    pub viewpoint: Option<Viewpoint>,
    /// A whole perspective instead of foreground, grouping and viewpoint.
    pub perspective: Option<Perspective>,
    /// Where the lineage goes on.
    pub step: Step,
}

/// The grouping, asked anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// As it is.
    #[default]
    Kept,
    /// By this column.
    By(String),
    /// None.
    Dropped,
}

/// Where the lineage goes on. The nodes that are there are never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A new node after the named one; after the recorded active one when none is named. It revises a node that is the
    /// end of its line; else it begins a branch, and so it does when that is asked for.
    Commit {
        /// The node it continues.
        from: Option<String>,
        /// Whether it begins another line of inquiry.
        branches: bool,
    },
    /// Back to a node, exactly as it was committed, under a new activation epoch.
    Revisit {
        /// The node.
        node: String,
    },
}

impl Default for Step {
    fn default() -> Self {
        Self::Commit {
            from: None,
            branches: false,
        }
    }
}

impl Anew {
    /// Whether nothing but the place in the lineage is stated.
    fn is_silent(&self) -> bool {
        self.text.is_none()
            && self.purpose.is_none()
            && self.foreground.is_none()
            && self.grouping == Grouping::Kept
            && self.viewpoint.is_none()
            && self.perspective.is_none()
    }
}

/// Commits or revisits in the lineage that a package holds, over the facts that were computed again from it; the package
/// itself stays as it is. Obligations are derived now, from nothing that the package says of obligations.
///
/// # Errors
/// The [`Refusal`] of the first step that refuses: an unknown node, a perspective that no recorded analysis covers or
/// that would narrow the population, a commit that says nothing new.
pub fn again(
    opened: &Opened,
    facts: &Rerun,
    anew: &Anew,
    custody: &Custody,
    runtime_instance: &str,
) -> Result<Prepared, Refusal> {
    let mut investigation = Investigation::from_lineage(opened.history().to_lineage(), runtime_instance)
        .map_err(|error| error.refusal())?;
    match &anew.step {
        Step::Revisit { node } => {
            if !anew.is_silent() {
                return Err(both(node));
            }
            investigation.activate(node).map_err(|error| error.refusal())?;
        }
        Step::Commit { from, branches } => {
            if anew.is_silent() {
                return Err(nothing_new());
            }
            let base = match from {
                Some(node) => {
                    // Going there first gives the lineage's own answer for a node that is not in it.
                    investigation.activate(node).map_err(|error| error.refusal())?;
                    node.clone()
                }
                None => opened.history().active_node_id().to_owned(),
            };
            let base = investigation.context(&base).cloned().ok_or_else(nothing_new)?;
            commit(&mut investigation, &base, *branches, facts, anew, custody)?;
        }
    }
    let dataset = facts.dataset().clone();
    let fixed = fix(&mut investigation, facts.snapshot(), custody)?;
    Ok(Prepared {
        bytes: facts.dataset_bytes().to_vec(),
        dataset,
        recipe: opened.recipe().clone(),
        report: None,
        analyses: facts.analyses().to_vec(),
        receipts: facts.receipts().clone(),
        leaves: facts.leaves().clone(),
        snapshot: facts.snapshot().clone(),
        investigation,
        activation: fixed.activation,
        obligations: fixed.obligations,
        proposals: Vec::new(),
    })
}

fn commit(
    investigation: &mut Investigation,
    base: &Context,
    branches: bool,
    facts: &Rerun,
    anew: &Anew,
    custody: &Custody,
) -> Result<(), Refusal> {
    let scope = &base.body().policy_scope_ref;
    let scope = custody
        .scopes()
        .iter()
        .find(|known| known.pinned() == scope)
        .ok_or_else(|| {
            Refusal::new(
                Stage::ContextIdentity,
                Reason::ScopeMismatch,
                format!(
                    "The node stands under the scope {}@{}, which is none that this program pins.",
                    scope.id, scope.version
                ),
            )
            .about(scope.id.clone())
            .next("Ask the table itself with `nemosyne admit FILE`.")
        })?;
    let mut draft = Draft::editing(base).map_err(|error| error.refusal())?;
    if let Some(text) = &anew.text {
        if investigation::text::canonical(text).is_none() {
            return Err(crate::prepare::blank());
        }
        draft = draft.question(text);
    }
    if let Some(purpose) = anew.purpose {
        draft = draft.purpose(purpose);
    }
    draft = viewed(draft, base, anew)?.scope(scope);
    if branches {
        draft = draft.branching();
    }
    draft
        .commit(investigation, facts.snapshot())
        .map(|_| ())
        .map_err(|error| uncovered(&error, facts))
}

/// The perspective: the one that is handed in, or the committed one with what is said anew.
fn viewed(draft: Draft, base: &Context, anew: &Anew) -> Result<Draft, Refusal> {
    if let Some(perspective) = &anew.perspective {
        return draft.perspective(perspective).map_err(|error| error.refusal());
    }
    let committed = base.body().perspective.as_ref();
    let names = |list: &[investigation::wire::v2::Foreground]| -> Vec<(String, String)> {
        let named = list.iter();
        named
            .map(|asked| (asked.variable.clone(), asked.kind.clone()))
            .collect()
    };
    let mut draft = draft;
    if anew.foreground.is_some() || anew.grouping != Grouping::Kept {
        draft = draft.clear_foreground();
        draft = match (&anew.foreground, committed) {
            (Some(foreground), _) => foreground.iter().fold(draft, Draft::foreground),
            (None, Some(committed)) => {
                let add = |draft: Draft, (variable, kind): (String, String)| match kind.as_str() {
                    "CATEGORICAL" => draft.foreground_categorical(variable),
                    _ => draft.foreground(variable),
                };
                names(&committed.foreground).into_iter().fold(draft, add)
            }
            (None, None) => draft,
        };
        let kept = committed.and_then(|committed| committed.grouping.as_ref());
        draft = match (&anew.grouping, kept) {
            (Grouping::By(column), _) => draft.grouping(column),
            (Grouping::Kept, Some(kept)) => draft.grouping(&kept.variable),
            (Grouping::Kept, None) | (Grouping::Dropped, _) => draft,
        };
    }
    Ok(match anew.viewpoint {
        Some(viewpoint) => draft.viewpoint(viewpoint),
        None => draft,
    })
}

/// A column of the dataset that no recorded analysis covers is a new analysis, not another point of view.
fn uncovered(error: &InvestigationError, facts: &Rerun) -> Refusal {
    let InvestigationError::UnknownVariable { variable, .. } = error else {
        return error.refusal();
    };
    let columns = facts.dataset().columns();
    if columns.iter().all(|column| column.name() != variable) {
        return error.refusal();
    }
    Refusal::new(
        Stage::ContextIdentity,
        Reason::UnresolvedPerspective,
        format!(
            "`{variable}` is a column of the data, but no recorded analysis projects its rows: to put it in front is a new \
            analysis with receipts and a snapshot of its own, not another view of this one."
        ),
    )
    .about(variable.clone())
    .next("Ask the table itself with `nemosyne admit FILE`, naming this column.")
}

fn nothing_new() -> Refusal {
    Refusal::new(
        Stage::ContextIdentity,
        Reason::NotStated,
        "Nothing is asked anew of the package: question, purpose, foreground, grouping and viewpoint are as recorded.",
    )
    .next("State what is new, go back to a node with --revisit NODE, or look at the recorded decision with `nemosyne replay`.")
}

fn both(node: &str) -> Refusal {
    Refusal::new(
        Stage::ContextIdentity,
        Reason::AmbiguousReference,
        format!(
            "`{node}` is revisited exactly as it was committed; what is asked anew needs a node of its own."
        ),
    )
    .about(node)
    .next("Leave out what is new, or continue from the node with --from NODE.")
}
