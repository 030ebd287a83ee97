//! From what a person or a script writes to a sealed proposal.

use evidence::wire::v1::EvidenceUse;
use identity::{Envelope, Identity, Limits, SealError, Sealed, utf16_cmp};
use investigation::Context;
use investigation::wire::v2::Foreground;
use snapshot::{NodeKind, Snapshot};

use crate::wire::v1::{
    Dependency, Draft, DraftDependency, DraftElement, DraftPayload, DraftQuantity, DraftUncertainty, Element,
    Payload, ProposalBody, Quantity, Range, Uncertainty,
};
use crate::{ConjectureError, Proposal, check_against};

/// Most bytes of a file with a proposal or a draft of one: 256 KiB.
pub(crate) const MOST_BYTES: usize = 256 << 10;

/// Reads a file: a draft, whose names are resolved here and which is then sealed, or a proposal under its identity. Both
/// must fit the snapshot and the context.
///
/// # Errors
/// [`ConjectureError::Decode`] for what is neither, and everything that [`propose`] and [`check_against`] refuse.
pub fn read(bytes: &[u8], snapshot: &Snapshot, context: &Context) -> Result<Proposal, ConjectureError> {
    let limits = Limits::new().with_max_bytes(MOST_BYTES);
    let as_draft = match identity::decode::<Draft>(bytes, &limits) {
        Ok(draft) => return propose(draft.into_inner(), snapshot, context),
        Err(error) => error,
    };
    let Ok(envelope) = identity::decode::<Envelope<ProposalBody>>(bytes, &limits) else {
        return Err(ConjectureError::Decode(as_draft));
    };
    let proposal = envelope.into_inner().open().map_err(from_seal)?;
    check_against(&proposal, snapshot, context)?;
    Ok(proposal)
}

/// Resolves the names of a draft and seals it for this snapshot and this context.
///
/// # Errors
/// [`ConjectureError::Unknown`] for a name that is nothing here, and every rule of proposals.
pub fn propose(draft: Draft, snapshot: &Snapshot, context: &Context) -> Result<Proposal, ConjectureError> {
    let names = Names { snapshot, context };
    let mut elements = draft
        .elements
        .into_iter()
        .map(|element| names.element(element))
        .collect::<Result<Vec<Element>, _>>()?;
    elements.sort_by(|a, b| utf16_cmp(&a.element_id, &b.element_id));
    let proposal = Sealed::seal(ProposalBody {
        context_id: context.id(),
        elements,
        generator: draft.generator,
        rationale: draft.rationale,
        snapshot_id: snapshot.id(),
    })
    .map_err(from_seal)?;
    check_against(&proposal, snapshot, context)?;
    Ok(proposal)
}

fn from_seal(error: SealError<ConjectureError>) -> ConjectureError {
    match error {
        SealError::Invalid(error) => error,
        SealError::Canonical(error) => ConjectureError::Canonical(error),
        SealError::IdentityMismatch { claimed, computed } => ConjectureError::Identity { claimed, computed },
        SealError::SchemaVersion { found, expected } => ConjectureError::Version { found, expected },
    }
}

struct Names<'a> {
    snapshot: &'a Snapshot,
    context: &'a Context,
}

impl Names<'_> {
    fn element(&self, draft: DraftElement) -> Result<Element, ConjectureError> {
        let mut depends_on = draft
            .depends_on
            .into_iter()
            .map(|one| match one {
                DraftDependency::Element { element_id } => Ok(Dependency::Element { element_id }),
                DraftDependency::Variable { variable } => {
                    self.node(&variable).map(|node_id| Dependency::Node { node_id })
                }
            })
            .collect::<Result<Vec<_>, _>>()?;
        depends_on.sort();
        Ok(Element {
            assumptions: draft.assumptions,
            contradicting: self.uses(&draft.contradicting)?,
            depends_on,
            element_id: draft.element_id,
            label: draft.label,
            payload: self.payload(draft.payload)?,
            status: draft.status,
            supporting: self.uses(&draft.supporting)?,
            uncertainty: self.uncertainty(draft.uncertainty)?,
        })
    }

    fn payload(&self, draft: DraftPayload) -> Result<Payload, ConjectureError> {
        Ok(match draft {
            DraftPayload::Value { values } => {
                let mut values = values
                    .into_iter()
                    .map(|value| self.quantity(value))
                    .collect::<Result<Vec<_>, _>>()?;
                let order: Vec<_> = self.foreground().map(|variable| variable.node_id).collect();
                values.sort_by_key(|value| order.iter().position(|node| *node == value.node_id));
                Payload::Value { values }
            }
            DraftPayload::Level { value } => Payload::Level {
                value: self.quantity(value)?,
            },
            DraftPayload::Relation { from_row, to_row } => Payload::Relation { from_row, to_row },
        })
    }

    fn quantity(&self, draft: DraftQuantity) -> Result<Quantity, ConjectureError> {
        Ok(Quantity {
            node_id: self.node(&draft.variable)?,
            unit: draft.unit,
            value: draft.value,
        })
    }

    fn uncertainty(&self, draft: DraftUncertainty) -> Result<Uncertainty, ConjectureError> {
        Ok(match draft {
            DraftUncertainty::Unavailable { reason } => Uncertainty::Unavailable { reason },
            DraftUncertainty::Stated { ranges, text } => {
                let mut ranges = ranges
                    .into_iter()
                    .map(|range| {
                        Ok(Range {
                            lower: range.lower,
                            node_id: self.node(&range.variable)?,
                            upper: range.upper,
                        })
                    })
                    .collect::<Result<Vec<_>, ConjectureError>>()?;
                ranges.sort_by_key(|range| range.node_id);
                Uncertainty::Stated { ranges, text }
            }
        })
    }

    fn foreground(&self) -> impl Iterator<Item = &Foreground> {
        let perspective = self.context.body().perspective.iter();
        perspective.flat_map(|perspective| &perspective.foreground)
    }

    fn node(&self, variable: &str) -> Result<Identity<NodeKind>, ConjectureError> {
        let grouping = self.context.body().perspective.iter();
        let grouping = grouping.filter_map(|perspective| perspective.grouping.as_ref());
        self.foreground()
            .chain(grouping)
            .find(|known| known.variable == variable)
            .map(|known| known.node_id)
            .ok_or_else(|| ConjectureError::Unknown {
                what: "variable of the question",
                name: variable.to_owned(),
                known: self.foreground().map(|known| known.variable.clone()).collect(),
            })
    }

    /// The uses of the named receipts, as the snapshot has them, by tuple.
    fn uses(&self, receipts: &[String]) -> Result<Vec<EvidenceUse>, ConjectureError> {
        let sources = &self.snapshot.body().sources;
        let all = || sources.iter().flat_map(|source| &source.evidence_uses);
        let mut found = Vec::new();
        for receipt in receipts {
            let before = found.len();
            found.extend(all().filter(|one| one.receipt_id == *receipt).cloned());
            if found.len() == before {
                return Err(ConjectureError::Unknown {
                    what: "receipt of the snapshot",
                    name: receipt.clone(),
                    known: all().map(|one| one.receipt_id.clone()).collect(),
                });
            }
        }
        found.sort_by(evidence::compare_uses);
        found.dedup();
        Ok(found)
    }
}
