//! Evidence: does every receipt resolve, stand, and support its claim?

use std::collections::BTreeMap;

use evidence::wire::v1::EvidenceUse;
use evidence::{Claim, Disposition, Resolution, Resolver};
use identity::{Digest, SafeInteger};
use refusal::{Diagnostics, Reason, Refusal, Stage};
use snapshot::wire::v1::{Source, State};

use crate::FormaInput;
use crate::wire::v1::EvidenceDisposition;

const STAGE: Stage = Stage::EvidencePolicy;

/// Resolves every evidence use of the snapshot's available sources; returns the standing of each that stands.
pub(crate) fn check(input: &FormaInput<'_>, found: &mut Diagnostics) -> Vec<EvidenceDisposition> {
    let mut standing = BTreeMap::new();
    let resolver = Resolver::new(input.receipts);
    for source in &input.snapshot.body().sources {
        if source.state != (State::Available {}) {
            continue;
        }
        if source.evidence_uses.is_empty() {
            found.push(no_evidence(source));
        }
        for evidence_use in &source.evidence_uses {
            if standing.contains_key(evidence_use) {
                continue;
            }
            match judge(input, &resolver, evidence_use) {
                Ok(record) => {
                    standing.insert(evidence_use.clone(), record);
                }
                Err(refusal) => found.push(*refusal),
            }
        }
        leaf(input, source, found);
    }
    let mut standing: Vec<EvidenceDisposition> = standing.into_values().collect();
    standing.sort_by(|a, b| evidence::compare_uses(&a.evidence_use, &b.evidence_use));
    standing
}

fn no_evidence(source: &Source) -> Refusal {
    Refusal::new(
        STAGE,
        Reason::MissingRequired,
        format!(
            "The {} analysis has no receipt that a governed consumer may use.",
            source.family
        ),
    )
    .about(source.source_id.to_string())
    .next("Run the analysis again with a kernel that issues receipts for it.")
}

fn judge(
    input: &FormaInput<'_>,
    resolver: &Resolver<'_>,
    evidence_use: &EvidenceUse,
) -> Result<EvidenceDisposition, Box<Refusal>> {
    let resolved = match resolver.resolve(evidence_use) {
        Resolution::Resolved(resolved) => resolved,
        unresolved => {
            return Err(Box::new(unresolved.refusal(evidence_use).during(STAGE)));
        }
    };
    let subject = evidence_use.receipt_id.clone();
    let revision = match input.authorities.disposition(evidence_use) {
        Disposition::Valid { revision } => revision,
        other => return Err(Box::new(other.refusal(evidence_use).during(STAGE))),
    };
    match resolved.claim() {
        Claim::Eligible => {}
        other => return Err(Box::new(other.refusal(&subject).during(STAGE))),
    }
    let revision = i64::try_from(revision)
        .ok()
        .and_then(|revision| SafeInteger::new(revision).ok());
    let Some(revision) = revision else {
        return Err(Box::new(
            Refusal::new(
                STAGE,
                Reason::DispositionUnknown,
                "The disposition feed's revision is out of range.",
            )
            .about(subject),
        ));
    };
    Ok(EvidenceDisposition {
        evidence_use: evidence_use.clone(),
        disposition: "VALID".to_owned(),
        revision,
        analytical_disposition: "ELIGIBLE".to_owned(),
    })
}

/// The bulk values are the ones the source names.
fn leaf(input: &FormaInput<'_>, source: &Source, found: &mut Diagnostics) {
    let leaves = source.leaf_ref.iter().chain(&source.further_leaf_refs);
    leaves.for_each(|digest| named(input, source, digest, found));
}

fn named(input: &FormaInput<'_>, source: &Source, digest: &Digest, found: &mut Diagnostics) {
    let refusal = match input.leaves.get(digest) {
        None => Refusal::new(
            STAGE,
            Reason::MissingRequired,
            format!("The values of the {} analysis are not here.", source.family),
        ),
        Some(columns) if &columns.digest() != digest => Refusal::new(
            Stage::DecodeIntegrity,
            Reason::Integrity,
            format!(
                "The values of the {} analysis are not the ones its content names.",
                source.family
            ),
        ),
        Some(_) => return,
    };
    found.push(
        refusal
            .about(digest.to_string())
            .next("Open the package again, or run the analysis again."),
    );
}
