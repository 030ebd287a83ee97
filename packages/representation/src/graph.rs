//! Graphs as checked values, and the seals of their parts.

use identity::{Body, CanonicalError, SealError, Sealed, identify};

use crate::error::{GraphError, RecipeError};
use crate::grammar;
use crate::wire::v2::{Binding, BindingRecord, GraphBody};

/// A graph that keeps the grammar, under its identity. It is still only a proposal.
pub type Graph = Sealed<GraphBody>;

impl Body for GraphBody {
    const ID_MEMBER: &'static str = "graphId";
    const SCHEMA_VERSION: u64 = 2;
    type Invalid = GraphError;

    fn check(&self) -> Result<(), GraphError> {
        grammar::check(self)
    }
}

/// Seals a record under its identity.
///
/// # Errors
/// [`CanonicalError`] when the record has no canonical text; never for a record of this contract.
pub fn bind(record: BindingRecord) -> Result<Binding, CanonicalError> {
    Ok(Binding {
        binding_id: identify(&record)?,
        record,
    })
}

pub(crate) fn seal(body: GraphBody) -> Result<Graph, RecipeError> {
    Sealed::seal(body).map_err(|error| match error {
        SealError::Invalid(error) => RecipeError::Graph(error),
        SealError::Canonical(error) => RecipeError::Canonical(error),
        SealError::IdentityMismatch { claimed, computed } => {
            RecipeError::Graph(GraphError::BindingIdentity { claimed, computed })
        }
        SealError::SchemaVersion { found, .. } => RecipeError::Graph(GraphError::Word {
            what: "schema version",
            word: found.to_string(),
        }),
    })
}
