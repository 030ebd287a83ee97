//! What an analysis found, as something that stands in front: named by family, producer and property.

use snapshot::SnapshotView as _;
use snapshot::wire::v1::{Node, SnapshotBody, Source, State};

use crate::InvestigationError;
use crate::perspective::{Asked, ROWS_FAMILY, VariableKind};

/// The name of a property of an analysis: `density:cells:counts`.
#[must_use]
pub fn finding_name(source: &Source, node: &Node) -> String {
    format!(
        "{}:{}:{}",
        source.family, node.producer_semantic_id, node.property_path
    )
}

/// What a property of an analysis is in front as: names of groups where its scale says so, else numbers.
#[must_use]
pub fn finding_kind(node: &Node) -> VariableKind {
    let scale = node.descriptor.scale.as_deref();
    if VariableKind::Categorical.supported_by(scale) {
        VariableKind::Categorical
    } else {
        VariableKind::Quantitative
    }
}

/// The properties meant by variables that are all of one analysis beyond the rows; nothing when the first is not.
///
/// # Errors
/// [`InvestigationError::NotTogether`] when some are of another analysis, [`InvestigationError::Ambiguous`] when several
/// analyses have them all, [`InvestigationError::Unavailable`] for one that its analysis could not give, and
/// [`InvestigationError::Measurement`] for one that is asked for as the other kind.
pub(crate) fn found<'a>(
    asked: &[&Asked],
    snapshot: &'a SnapshotBody,
) -> Result<Option<Vec<&'a Node>>, InvestigationError> {
    let node = |source: &Source, asked: &Asked| {
        snapshot.nodes_of(source.source_id).find(|node| {
            asked.node_id.is_none_or(|node_id| node_id == node.node_id)
                && finding_name(source, node) == asked.variable
        })
    };
    let analyses = || {
        snapshot
            .sources
            .iter()
            .filter(|source| source.family != ROWS_FAMILY)
    };
    if !analyses().any(|source| asked.first().is_some_and(|first| node(source, first).is_some())) {
        return Ok(None);
    }
    let names = || asked.iter().map(|asked| asked.variable.clone()).collect();
    let holding: Vec<(&Source, Vec<&Node>)> = analyses()
        .filter_map(|source| {
            let nodes: Option<Vec<&Node>> = asked.iter().map(|asked| node(source, asked)).collect();
            Some((source, nodes?))
        })
        .collect();
    let nodes = match holding.as_slice() {
        [] => return Err(InvestigationError::NotTogether { variables: names() }),
        [(_, nodes)] => nodes.clone(),
        several => {
            return Err(InvestigationError::Ambiguous {
                variables: names(),
                sources: several
                    .iter()
                    .map(|(source, _)| source.source_id.to_string())
                    .collect(),
            });
        }
    };
    for (asked, node) in asked.iter().zip(&nodes) {
        let variable = asked.variable.clone();
        let why = match &node.state {
            State::Available {} => None,
            State::Unavailable { reason } => Some(reason.clone()),
            State::Refused { owning_reason } => Some(owning_reason.clone()),
        };
        if let Some(why) = why {
            return Err(InvestigationError::Unavailable { variable, why });
        }
        if finding_kind(node) != asked.kind {
            return Err(InvestigationError::Measurement {
                variable,
                scale: node
                    .descriptor
                    .scale
                    .clone()
                    .unwrap_or_else(|| "unknown".to_owned()),
                asked: asked.kind,
            });
        }
    }
    Ok(Some(nodes))
}
