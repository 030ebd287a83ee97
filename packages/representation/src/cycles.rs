//! Directed relations end: what is drawn over, held by, derived from or a detail of something is not also the other way
//! round, by however many steps.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::GraphError;
use crate::wire::v2::{Edge, Relation};

/// Whether no directed relation leads back to where it began, each relation by itself.
pub(crate) fn check(edges: &[Edge]) -> Result<(), GraphError> {
    for relation in [
        Relation::Overlay,
        Relation::Contains,
        Relation::DerivesFrom,
        Relation::DetailOf,
    ] {
        let mut leads: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for edge in edges.iter().filter(|edge| edge.relation == relation) {
            leads.entry(&edge.from).or_default().push(&edge.to);
        }
        for start in leads.keys() {
            let mut seen = BTreeSet::new();
            let mut next = vec![*start];
            while let Some(name) = next.pop() {
                for to in leads.get(name).into_iter().flatten() {
                    if to == start {
                        return Err(GraphError::RelationCycle((*start).to_owned()));
                    }
                    if seen.insert(*to) {
                        next.push(to);
                    }
                }
            }
        }
    }
    Ok(())
}
