//! The investigation: committed contexts, the edges between them, and which one is active.

use std::collections::{BTreeMap, BTreeSet};

use identity::SafeInteger;

use crate::activation::Ledger;
use crate::draft::from_seal;
use crate::nearest::nearest;
use crate::wire::v2::{Lineage, LineageEdge};
use crate::{Activation, Context, InvestigationError, context};

/// The later node says the same line of inquiry anew.
pub const REVISES: &str = "REVISES";

/// The later node begins another line of inquiry.
pub const BRANCHES_FROM: &str = "BRANCHES_FROM";

/// The most contexts of one investigation.
pub const MAX_CONTEXTS: usize = 65_536;

/// A directed acyclic graph of committed contexts in order of commit. Nodes are added, never changed or removed.
///
/// Every node but the first has one edge from an earlier node, so there are no cycles. It can't be cloned: one
/// investigation in memory issues the activations of one generation.
#[derive(Debug)]
pub struct Investigation {
    investigation_id: String,
    contexts: Vec<Context>,
    edges: Vec<LineageEdge>,
    ledger: Ledger,
}

/// Where a commit will stand.
#[derive(Debug)]
pub(crate) struct Place {
    node_id: String,
    revision: SafeInteger,
    edge: Option<LineageEdge>,
}

impl Place {
    pub(crate) fn node_id(&self) -> &str {
        &self.node_id
    }

    pub(crate) const fn revision(&self) -> SafeInteger {
        self.revision
    }
}

impl Investigation {
    /// An investigation without commits, in the run of the program named `runtime_instance`.
    ///
    /// # Errors
    /// [`InvestigationError::EmptyName`] or [`InvestigationError::Bounds`] for either name.
    pub fn new(
        investigation_id: impl Into<String>,
        runtime_instance: impl Into<String>,
    ) -> Result<Self, InvestigationError> {
        let (investigation_id, runtime_instance) = (investigation_id.into(), runtime_instance.into());
        context::check_name("investigationId", &investigation_id)?;
        context::check_name("runtimeInstance", &runtime_instance)?;
        let ledger = Ledger::begin(runtime_instance);
        Ok(Self {
            investigation_id,
            contexts: Vec::new(),
            edges: Vec::new(),
            ledger,
        })
    }

    /// Reads a stored lineage and activates its active node, in a new generation.
    ///
    /// # Errors
    /// [`InvestigationError::Version`] for another version; [`InvestigationError::Integrity`] or the context's own
    /// refusal for a context that was altered; [`InvestigationError::Lineage`] for a graph that no sequence of commits
    /// makes; [`InvestigationError::UnknownNode`] when the active node is not in it.
    pub fn from_lineage(
        lineage: Lineage,
        runtime_instance: impl Into<String>,
    ) -> Result<Self, InvestigationError> {
        let found = i64::from(lineage.schema_version);
        if found != 1 {
            return Err(InvestigationError::Version {
                what: "lineage",
                found,
            });
        }
        let mut investigation = Self::new(lineage.investigation_id, runtime_instance)?;
        let n_contexts = lineage.contexts.len();
        if n_contexts > MAX_CONTEXTS {
            return Err(InvestigationError::Bounds {
                what: "contexts",
                found: n_contexts,
                limit: MAX_CONTEXTS,
            });
        }
        for envelope in lineage.contexts {
            investigation.contexts.push(envelope.open().map_err(from_seal)?);
        }
        investigation.edges = lineage.edges;
        investigation.check_graph()?;
        investigation.activate(&lineage.active_node_id)?;
        Ok(investigation)
    }

    /// The lineage as it is stored.
    ///
    /// # Errors
    /// [`InvestigationError::NothingCommitted`] when there is no node yet.
    pub fn to_lineage(&self) -> Result<Lineage, InvestigationError> {
        let active = self
            .ledger
            .current()
            .ok_or(InvestigationError::NothingCommitted)?;
        Ok(Lineage {
            schema_version: SafeInteger::from(1),
            investigation_id: self.investigation_id.clone(),
            contexts: self.contexts.iter().map(Context::to_wire).collect(),
            edges: self.edges.clone(),
            active_node_id: active.node_id().to_owned(),
        })
    }

    /// The exact text of its name.
    #[must_use]
    pub fn investigation_id(&self) -> &str {
        &self.investigation_id
    }

    /// All contexts in order of commit.
    #[must_use]
    pub fn contexts(&self) -> &[Context] {
        &self.contexts
    }

    /// All edges in order of creation.
    #[must_use]
    pub fn edges(&self) -> &[LineageEdge] {
        &self.edges
    }

    /// The context at a node.
    #[must_use]
    pub fn context(&self, node_id: &str) -> Option<&Context> {
        self.contexts
            .iter()
            .find(|context| context.body().node_id == node_id)
    }

    /// The activation in force; none before the first commit.
    #[must_use]
    pub const fn activation(&self) -> Option<&Activation> {
        self.ledger.current()
    }

    /// The context in force; none before the first commit.
    #[must_use]
    pub fn active(&self) -> Option<&Context> {
        self.ledger
            .current()
            .and_then(|activation| self.context(activation.node_id()))
    }

    /// Goes to a node, again or for the first time. The context there is exactly the one that was committed; the epoch
    /// is higher than any before, so what was begun for an earlier visit is stale.
    ///
    /// # Errors
    /// [`InvestigationError::UnknownNode`] for a node that is not in the lineage;
    /// [`InvestigationError::EpochsExhausted`] after 2^64 − 1 visits. Either way the active node stays.
    #[doc(alias = "revisit")]
    pub fn activate(&mut self, node_id: &str) -> Result<Activation, InvestigationError> {
        let context = self.context(node_id).ok_or_else(|| self.unknown(node_id))?;
        let activation = self.ledger.prepare(context)?;
        self.ledger.enact(activation.clone());
        Ok(activation)
    }

    /// Whether an activation is the one in force.
    ///
    /// # Errors
    /// [`InvestigationError::Stale`] with the first difference.
    pub fn confirm(&self, activation: &Activation) -> Result<(), InvestigationError> {
        self.ledger
            .confirm(activation)
            .map_err(|why| InvestigationError::Stale {
                node_id: activation.node_id().to_owned(),
                why,
            })
    }

    pub(crate) fn next_place(&self, base: Option<&str>, branches: bool) -> Result<Place, InvestigationError> {
        let n_contexts = self.contexts.len();
        if n_contexts >= MAX_CONTEXTS {
            return Err(InvestigationError::Bounds {
                what: "contexts",
                found: n_contexts,
                limit: MAX_CONTEXTS,
            });
        }
        let base = match base {
            None => self
                .ledger
                .current()
                .map(|activation| activation.node_id().to_owned()),
            Some(base) if self.context(base).is_some() => Some(base.to_owned()),
            Some(base) => return Err(self.unknown(base)),
        };
        // Nodes of a stored lineage may carry any name, so the ordinal alone could be taken.
        let plain = format!("node:{n_contexts}");
        let node_id = if self.context(&plain).is_none() {
            plain
        } else {
            (1..)
                .map(|attempt: u32| format!("{plain}.{attempt}"))
                .find(|name| self.context(name).is_none())
                .expect("a finite lineage leaves a name free")
        };
        let edge = base.map(|from| {
            let relationship = if branches || self.is_revised(&from) {
                BRANCHES_FROM
            } else {
                REVISES
            };
            LineageEdge {
                from,
                to: node_id.clone(),
                relationship: relationship.to_owned(),
            }
        });
        let revision = i64::try_from(n_contexts)
            .ok()
            .and_then(|ordinal| SafeInteger::new(ordinal).ok());
        let revision = revision.expect("the bound on contexts is far below 2^53");
        Ok(Place {
            node_id,
            revision,
            edge,
        })
    }

    /// Adds a context at the place made for it. All that can refuse comes before the first change.
    pub(crate) fn add(&mut self, context: Context, place: Place) -> Result<&Context, InvestigationError> {
        let activation = self.ledger.prepare(&context)?;
        let idx = self.contexts.len();
        self.contexts.push(context);
        self.edges.extend(place.edge);
        self.ledger.enact(activation);
        Ok(&self.contexts[idx])
    }

    #[cfg(test)]
    pub(crate) const fn exhaust_epochs(&mut self) {
        self.ledger.skip_to_last();
    }

    fn is_revised(&self, node_id: &str) -> bool {
        self.edges
            .iter()
            .any(|edge| edge.from == node_id && edge.relationship == REVISES)
    }

    fn unknown(&self, node_id: &str) -> InvestigationError {
        let known = self
            .contexts
            .iter()
            .map(|context| context.body().node_id.as_str());
        InvestigationError::UnknownNode {
            node_id: node_id.to_owned(),
            nearest: nearest(node_id, known),
        }
    }

    /// The invariants of a graph that only commits have made.
    fn check_graph(&self) -> Result<(), InvestigationError> {
        let refuse = |why: String| Err(InvestigationError::Lineage { why });
        let mut places = BTreeMap::new();
        for (idx, context) in self.contexts.iter().enumerate() {
            let body = context.body();
            if body.investigation_id != self.investigation_id {
                return Err(InvestigationError::WrongSubject {
                    what: "investigation",
                    expected: self.investigation_id.clone(),
                    found: body.investigation_id.clone(),
                });
            }
            let revision = i64::from(body.context_revision);
            if usize::try_from(revision).ok() != Some(idx) {
                return refuse(format!("commit {idx} has revision {revision}"));
            }
            if places.insert(body.node_id.as_str(), idx).is_some() {
                return refuse(format!("node `{}` occurs twice", body.node_id));
            }
        }
        if self.edges.len() + 1 != places.len().max(1) {
            let (n_edges, n_nodes) = (self.edges.len(), places.len());
            return refuse(format!(
                "{n_nodes} nodes and {n_edges} edges; every node but the first has one parent"
            ));
        }
        let mut revised = BTreeSet::new();
        for (edge, (idx, context)) in self.edges.iter().zip(self.contexts.iter().enumerate().skip(1)) {
            let to = &context.body().node_id;
            if edge.to != *to {
                return refuse(format!(
                    "the edge of commit {idx} leads to `{}` instead of `{to}`",
                    edge.to
                ));
            }
            if places
                .get(edge.from.as_str())
                .is_none_or(|&from_idx| from_idx >= idx)
            {
                return refuse(format!(
                    "`{to}` comes from `{}`, which was not committed before it",
                    edge.from
                ));
            }
            match edge.relationship.as_str() {
                BRANCHES_FROM => {}
                REVISES if revised.insert(edge.from.as_str()) => {}
                REVISES => return refuse(format!("`{}` is revised twice", edge.from)),
                other => return refuse(format!("unknown relationship `{other}`")),
            }
        }
        Ok(())
    }
}
