//! Whether a proposal is about the snapshot, the context and the rows at hand.

use evidence::wire::v1::EvidenceUse;
use investigation::Context;
use kernels::leaf::Columns;
use snapshot::wire::v1::State;
use snapshot::{Snapshot, SnapshotView as _};

use crate::wire::v1::{Dependency, Element, Payload, Quantity};
use crate::{ConjectureError, Proposal};

/// The proposal belongs to this snapshot and this context, its quantities are of their foreground variables in their
/// units, what it depends on is there, and the evidence it names is the snapshot's.
///
/// Whether conjecture may be shown at all is the purpose's to say, and the admission door asks it.
///
/// # Errors
/// The first thing that does not fit.
pub fn check_against(
    proposal: &Proposal,
    snapshot: &Snapshot,
    context: &Context,
) -> Result<(), ConjectureError> {
    let body = proposal.body();
    let other = |what, found: String, expected: String| ConjectureError::Other {
        what,
        found,
        expected,
    };
    if body.snapshot_id != snapshot.id() {
        return Err(other(
            "snapshot",
            body.snapshot_id.to_string(),
            snapshot.id().to_string(),
        ));
    }
    if body.context_id != context.id() {
        return Err(other(
            "context",
            body.context_id.to_string(),
            context.id().to_string(),
        ));
    }
    for element in &body.elements {
        quantities(element, snapshot, context)?;
        for dependency in &element.depends_on {
            if let Dependency::Node { node_id } = dependency
                && snapshot.node(*node_id).is_none()
            {
                return Err(ConjectureError::Dangling {
                    element: element.element_id.clone(),
                    name: node_id.to_string(),
                });
            }
        }
        for one in element.supporting.iter().chain(&element.contradicting) {
            if !is_of(snapshot, one) {
                return Err(ConjectureError::NoSuchEvidence {
                    element: element.element_id.clone(),
                    receipt: one.receipt_id.clone(),
                });
            }
        }
    }
    Ok(())
}

fn is_of(snapshot: &Snapshot, one: &EvidenceUse) -> bool {
    let sources = &snapshot.body().sources;
    sources.iter().any(|source| source.evidence_uses.contains(one))
}

fn quantities(element: &Element, snapshot: &Snapshot, context: &Context) -> Result<(), ConjectureError> {
    let foreground: Vec<_> = context
        .body()
        .perspective
        .iter()
        .flat_map(|perspective| &perspective.foreground)
        .map(|variable| variable.node_id)
        .collect();
    let quantities: Vec<&Quantity> = element.quantities().into_iter().map(|(_, one)| one).collect();
    if let Payload::Value { .. } = &element.payload {
        let named: Vec<_> = quantities.iter().map(|one| one.node_id).collect();
        if named != foreground {
            return Err(ConjectureError::NotTheForeground {
                element: element.element_id.clone(),
                needed: foreground.len(),
            });
        }
    }
    for quantity in quantities {
        let node = snapshot
            .node(quantity.node_id)
            .filter(|node| matches!(node.state, State::Available {}) && foreground.contains(&node.node_id));
        let Some(node) = node else {
            return Err(ConjectureError::NotTheForeground {
                element: element.element_id.clone(),
                needed: foreground.len(),
            });
        };
        if quantity.unit != node.descriptor.unit {
            let name = |unit: &Option<String>| unit.clone().unwrap_or_else(|| "no unit".to_owned());
            return Err(ConjectureError::Unit {
                element: element.element_id.clone(),
                variable: node.descriptor.label.clone(),
                stated: name(&quantity.unit),
                expected: name(&node.descriptor.unit),
            });
        }
    }
    Ok(())
}

/// Relations are between rows that are drawn.
///
/// # Errors
/// [`ConjectureError::NoSuchRow`] for the first key that no row has.
pub fn check_rows(proposal: &Proposal, leaf: &Columns) -> Result<(), ConjectureError> {
    for element in &proposal.body().elements {
        if let Payload::Relation { from_row, to_row } = &element.payload {
            for key in [from_row, to_row] {
                if leaf.row_of_key(key).is_none() {
                    return Err(ConjectureError::NoSuchRow {
                        element: element.element_id.clone(),
                        key: key.clone(),
                    });
                }
            }
        }
    }
    Ok(())
}

/// Proposals that are shown together: no two elements share a name, and there are few enough to be read.
///
/// # Errors
/// [`ConjectureError::Repeated`] or [`ConjectureError::TooMany`].
pub fn check_together(proposals: &[Proposal]) -> Result<(), ConjectureError> {
    let elements = || proposals.iter().flat_map(|proposal| &proposal.body().elements);
    crate::body::most(
        "elements of all proposals",
        elements().count(),
        crate::MOST_ELEMENTS,
    )?;
    let mut seen = std::collections::BTreeSet::new();
    match elements().find(|element| !seen.insert(element.element_id.as_str())) {
        Some(twice) => Err(ConjectureError::Repeated {
            what: "elements of all proposals",
            key: twice.element_id.clone(),
        }),
        None => Ok(()),
    }
}
