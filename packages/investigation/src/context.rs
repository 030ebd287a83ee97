//! The committed context: checked, hashed, immutable.

use identity::{Body, Kind, Sealed};
use snapshot::Snapshot;

use crate::wire::v2::{ContextBody, EpistemicPurpose};
use crate::{InvestigationError, intent, perspective};

/// A committed context with its identity.
pub type Context = Sealed<ContextBody>;

/// The longest name of an investigation or node, in bytes.
pub(crate) const MAX_NAME: usize = 4096;

impl Kind for ContextBody {
    const TAG: &'static str = "investigation-context-v2";
}

impl Body for ContextBody {
    const ID_MEMBER: &'static str = "contextId";
    const SCHEMA_VERSION: u64 = 2;
    type Invalid = InvestigationError;

    fn check(&self) -> Result<(), InvestigationError> {
        check_name("investigationId", &self.investigation_id)?;
        check_name("nodeId", &self.node_id)?;
        if i64::from(self.context_revision) < 0 {
            return Err(InvestigationError::Revision {
                found: self.context_revision.into(),
            });
        }
        check_name("policyScopeRef/id", &self.policy_scope_ref.id)?;
        check_name("policyScopeRef/version", &self.policy_scope_ref.version)?;
        intent::check(&self.intent)?;
        self.perspective.as_ref().map_or(Ok(()), perspective::check)
    }
}

/// A name is exact text: anything but empty or endless, never normalized.
pub(crate) fn check_name(field: &'static str, name: &str) -> Result<(), InvestigationError> {
    if name.is_empty() {
        return Err(InvestigationError::EmptyName { field });
    }
    if name.len() > MAX_NAME {
        return Err(InvestigationError::Bounds {
            what: field,
            found: name.len(),
            limit: MAX_NAME,
        });
    }
    Ok(())
}

/// Whether a context belongs to a snapshot: same dataset, and every reference of the perspective resolves to the node
/// that the context names, with a kind that the node's scale supports.
///
/// # Errors
/// [`InvestigationError::WrongSubject`] for another dataset, then whatever does not resolve.
pub fn check_against(context: &Context, snapshot: &Snapshot) -> Result<(), InvestigationError> {
    let ours = context.body().analytical_dataset_fingerprint;
    let theirs = snapshot.body().analytical_dataset_fingerprint;
    if ours != theirs {
        return Err(InvestigationError::WrongSubject {
            what: "dataset",
            expected: ours.to_string(),
            found: theirs.to_string(),
        });
    }
    match &context.body().perspective {
        None => Ok(()),
        Some(committed) => perspective::check_resolved(committed, snapshot.body()),
    }
}

/// The word of a purpose on every surface.
#[must_use]
pub const fn purpose_word(purpose: EpistemicPurpose) -> &'static str {
    match purpose {
        EpistemicPurpose::ClaimBearing => "CLAIM_BEARING",
        EpistemicPurpose::ExploratoryAbduction => "EXPLORATORY_ABDUCTION",
    }
}
