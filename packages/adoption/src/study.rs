//! The study owner's grant at every recheck: running, for this treatment on this device in this scope, unchanged.

use std::collections::BTreeSet;

use forma::{FormaRecord, StudyGrant};
use obligations::wire::v1::Class;
use plan::Plan;
use refusal::{Reason, Refusal};

use crate::Current;
use crate::bound::STAGE;

/// Asks the study's owner anew and holds the answer against what is to be shown.
///
/// # Errors
/// A [`Refusal`]: unknown, damaged, expired, ended, or for other documents, treatments, devices, scopes, mappings or
/// exposures.
pub(crate) fn granted(
    reference: &str,
    record: &FormaRecord,
    plan: &Plan,
    variant: usize,
    now: &Current<'_>,
) -> Result<StudyGrant, Refusal> {
    let grant = forma::running_study(now.authorities, reference).map_err(|refusal| refusal.during(STAGE))?;
    match lacks(&grant, record, plan, variant) {
        None => Ok(*grant),
        Some(text) => Err(refused(reference, Reason::WrongAuthorization, text)),
    }
}

/// What a grant falls short of.
fn lacks(grant: &StudyGrant, record: &FormaRecord, plan: &Plan, variant: usize) -> Option<String> {
    let reference = &grant.reference;
    let variant = &plan.body().variants[variant];
    if record.body().study.as_ref() != Some(&grant.documents) {
        return Some(format!(
            "The study authorization {reference} rests on other documents by now."
        ));
    }
    if !grant.treatments.contains(&plan.body().graph_id) {
        return Some(format!(
            "The study authorization {reference} names other treatments by now."
        ));
    }
    if !grant.devices.contains(&variant.device) {
        return Some(format!(
            "The study authorization {reference} does not cover {:?}.",
            variant.device
        ));
    }
    if !record.body().input_commitments.policy_refs.contains(&grant.scope) {
        return Some(format!(
            "The study authorization {reference} is for the scope {}@{}, which is not the question's.",
            grant.scope.id, grant.scope.version
        ));
    }
    if let Some(sentence) = ungranted(grant, record, &variant.name) {
        return Some(format!(
            "The study authorization {reference} names no mapping that carries: {sentence}"
        ));
    }
    if grant.exposure.max_seconds == 0 || grant.exposure.max_exposures == 0 {
        return Some(format!(
            "The study authorization {reference} permits no exposure at all."
        ));
    }
    None
}

/// The first obligation that must be kept and whose carriers are neither qualified nor named by the grant.
fn ungranted<'a>(grant: &StudyGrant, record: &'a FormaRecord, variant: &str) -> Option<&'a str> {
    let body = record.body();
    let carried: BTreeSet<_> = body
        .perceptual_qualifications
        .iter()
        .filter(|entry| entry.variant == variant)
        .filter(|entry| {
            entry.qualification == "QUALIFIED"
                || grant.mappings.iter().any(|granted| {
                    granted.mapping == entry.mapping
                        && Some(granted.claim) == entry.claim
                        && granted.contraindication == entry.decision
                })
        })
        .map(|entry| (entry.binding_id, entry.claim))
        .collect();
    body.coverage
        .iter()
        .filter(|entry| entry.variant == variant && entry.class == Class::MustPreserve)
        .find(|entry| {
            !entry
                .binding_ids
                .iter()
                .any(|id| carried.contains(&(*id, Some(entry.predicate))))
        })
        .map(|entry| entry.sentence.as_str())
}

/// Whether a grant is the one that was bound: a grant whose terms were stated anew is another one.
///
/// # Errors
/// A [`Refusal`] that names the first term that differs.
pub(crate) fn same(bound: &StudyGrant, now: &StudyGrant) -> Result<(), Refusal> {
    let terms = [
        ("documents", bound.documents == now.documents),
        ("treatments", bound.treatments == now.treatments),
        ("mappings", bound.mappings == now.mappings),
        ("withheld claims", bound.withheld == now.withheld),
        ("devices", bound.devices == now.devices),
        ("scope", bound.scope == now.scope),
        ("knowledge", bound.knowledge == now.knowledge),
        ("compiler", bound.compiler == now.compiler),
        ("exposure", bound.exposure == now.exposure),
    ];
    match terms.into_iter().find(|(_, same)| !same) {
        None => Ok(()),
        Some((term, _)) => Err(refused(
            &bound.reference,
            Reason::WrongAuthorization,
            format!(
                "The study authorization {} was stated anew: its {term} changed since.",
                bound.reference
            ),
        )),
    }
}

/// Whether one participant may still be exposed after so many seconds.
///
/// # Errors
/// A [`Refusal`] once the longest exposure is over.
pub(crate) fn exposed_for(grant: &StudyGrant, seconds: u64) -> Result<(), Refusal> {
    let most = grant.exposure.max_seconds;
    if seconds < most {
        return Ok(());
    }
    Err(refused(
        &grant.reference,
        Reason::AuthorizationExpired,
        format!(
            "The study authorization {} bounds one exposure to {most} s, and this one is over.",
            grant.reference
        ),
    ))
}

fn refused(reference: &str, reason: Reason, text: String) -> Refusal {
    Refusal::new(STAGE, reason, text)
        .about(reference.to_owned())
        .next("Ask the study's owner for a current authorization.")
}
