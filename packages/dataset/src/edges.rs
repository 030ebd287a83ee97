//! Edge lists: the links of a graph dataset, part of its identity, with every member kept.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Why an edge list was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EdgeError {
    /// An edge has no `source` or `target`. Way out: name both ends.
    #[error("edge {edge} has no `{member}`")]
    NoEnd {
        /// Which edge, from 1.
        edge: usize,
        /// The missing member.
        member: &'static str,
    },
    /// An end is neither a text nor a number. Way out: use a row key or a row index.
    #[error("`{member}` of edge {edge} is neither a text nor a number")]
    BadEnd {
        /// Which edge, from 1.
        edge: usize,
        /// The member.
        member: &'static str,
    },
    /// `weight` is not a number. Way out: leave it out, or give a finite number.
    #[error("`weight` of edge {edge} is not a number")]
    BadWeight {
        /// Which edge, from 1.
        edge: usize,
    },
    /// Some member can't be written canonically. Way out: integers within ±(2^53−1), finite numbers, bounded depth.
    #[error("edge {edge} has no canonical text: {cause}")]
    NotCanonical {
        /// Which edge, from 1.
        edge: usize,
        /// What the canonical writer said.
        cause: String,
    },
}

impl EdgeError {
    /// Which edge, from 1.
    #[must_use]
    pub fn edge(&self) -> usize {
        match self {
            Self::NoEnd { edge, .. }
            | Self::BadEnd { edge, .. }
            | Self::BadWeight { edge }
            | Self::NotCanonical { edge, .. } => *edge,
        }
    }

    /// The refusal every surface shows.
    #[must_use]
    pub fn refusal(&self) -> refusal::Refusal {
        let edge = self.edge();
        refusal::Refusal::new(
            refusal::Stage::DecodeIntegrity,
            refusal::Reason::Malformed,
            self.to_string(),
        )
        .at(format!("/edges/{}", edge - 1))
        .next("correct the edge and import again")
    }
}

/// A checked edge list. An end `0` and an end `"0"` are different ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges {
    edges: Vec<Map<String, Value>>,
    /// The canonical text of the whole list, written when it was checked.
    canonical: Vec<u8>,
    /// The rows that the ends name, counted from 0, when an import resolved them.
    rows: Option<Vec<[usize; 2]>>,
    directed: Option<bool>,
    multigraph: Option<bool>,
}

impl Edges {
    /// The names of what edges state beside `source` and `target`, each once, in UTF-16 order.
    #[must_use]
    pub fn members(&self) -> Vec<String> {
        let beside = |name: &&String| *name != "source" && *name != "target";
        let names: BTreeSet<&String> = self.edges.iter().flat_map(Map::keys).filter(beside).collect();
        let mut names: Vec<String> = names.into_iter().cloned().collect();
        names.sort_by(|a, b| identity::utf16_cmp(a, b));
        names
    }

    /// Checks an edge list: `source` and `target` are texts or numbers, `weight` (if there) is a number, and every
    /// member has a canonical text. An empty list is not the same as none: it is part of the identity.
    ///
    /// # Errors
    /// The first edge that breaks a rule, counted from 1.
    pub fn new(edges: Vec<Map<String, Value>>) -> Result<Self, EdgeError> {
        let mut canonical = vec![b'['];
        for (edge_idx, members) in edges.iter().enumerate() {
            let edge = edge_idx + 1;
            for member in ["source", "target"] {
                match members.get(member) {
                    Some(Value::String(_) | Value::Number(_)) => {}
                    Some(_) => return Err(EdgeError::BadEnd { edge, member }),
                    None => return Err(EdgeError::NoEnd { edge, member }),
                }
            }
            if members.get("weight").is_some_and(|weight| !weight.is_number()) {
                return Err(EdgeError::BadWeight { edge });
            }
            let text = identity::canonical::to_vec(members).map_err(|error| EdgeError::NotCanonical {
                edge,
                cause: error.to_string(),
            })?;
            if edge_idx > 0 {
                canonical.push(b',');
            }
            canonical.extend_from_slice(&text);
        }
        canonical.push(b']');
        Ok(Self {
            edges,
            canonical,
            rows: None,
            directed: None,
            multigraph: None,
        })
    }

    /// The same edges with the rows their ends name, and what the source says about them.
    pub(crate) fn resolved(
        mut self,
        rows: Vec<[usize; 2]>,
        directed: Option<bool>,
        multigraph: Option<bool>,
    ) -> Self {
        debug_assert_eq!(rows.len(), self.edges.len(), "one pair of rows an edge");
        self.rows = Some(rows);
        (self.directed, self.multigraph) = (directed, multigraph);
        self
    }

    /// The rows of source and target of each edge, counted from 0; `None` when nobody resolved the ends.
    #[must_use]
    pub fn rows(&self) -> Option<&[[usize; 2]]> {
        self.rows.as_deref()
    }

    /// Whether the edges have a direction; `None` when the source does not say. No part of the dataset's identity.
    #[must_use]
    pub fn directed(&self) -> Option<bool> {
        self.directed
    }

    /// Whether the source says that two rows may be linked more than once; `None` when it does not say.
    #[must_use]
    pub fn multigraph(&self) -> Option<bool> {
        self.multigraph
    }

    /// The edges, in the order of the source, with all their members.
    #[must_use]
    pub fn as_slice(&self) -> &[Map<String, Value>] {
        &self.edges
    }

    pub(crate) fn canonical(&self) -> &[u8] {
        &self.canonical
    }
}
