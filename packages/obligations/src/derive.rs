//! Deriving: a function of snapshot, context and policy, and of nothing else.

use std::collections::BTreeMap;

use evidence::compare_uses;
use evidence::wire::v1::EvidenceUse;
use identity::{Identity, SafeInteger, SealError, Sealed, utf16_cmp};
use investigation::wire::v2::Perspective;
use investigation::{Context, EpistemicPurpose};
use snapshot::wire::v1::SnapshotBody;
use snapshot::{NodeKind, Snapshot, SnapshotView as _};

use crate::body::{PREDICATE_VERSION, Preimage, predicate_word};
use crate::policy::{ALL_LIMITATIONS, covers_family, covers_role};
use crate::subject::{Subject, subjects};
use crate::wire::policy::v1::{PurposeFilter, RoleFilter, Rule};
use crate::wire::v1::{Obligation, ObligationSetBody, Predicate, PredicateRef};
use crate::{FixedObligations, ObligationError, ObligationKind, Origin, Policy, origin};

/// Fixes what every honest embodiment of this snapshot under this context must keep.
///
/// The same three values give the same set, whatever the order of the policy's rules.
///
/// # Errors
/// [`ObligationError::Context`] when the context does not belong to the snapshot; [`ObligationError::OutsideScope`] when
/// the policy does not cover the context's scope; [`ObligationError::NothingForeground`] for a context without a
/// perspective; [`ObligationError::NoRule`] and [`ObligationError::UnknownProperty`] for a meaning that the policy does
/// not name; [`ObligationError::MissingEvidence`] when a rule asks for evidence that the source does not have.
pub fn derive(
    snapshot: &Snapshot,
    context: &Context,
    policy: &Policy,
) -> Result<FixedObligations, ObligationError> {
    investigation::check_against(context, snapshot)?;
    let scope = &context.body().policy_scope_ref;
    if !policy.scopes().contains(scope) {
        let (policy, scope) = (
            policy.pinned().id.clone(),
            format!("{}@{}", scope.id, scope.version),
        );
        return Err(ObligationError::OutsideScope { policy, scope });
    }
    let perspective = context
        .body()
        .perspective
        .as_ref()
        .ok_or(ObligationError::NothingForeground)?;
    let derived = all(
        snapshot.body(),
        perspective,
        context.body().epistemic_purpose,
        policy,
    )?;
    let body = ObligationSetBody {
        snapshot_id: snapshot.id(),
        context_id: context.id(),
        policy_ref: policy.pinned().clone(),
        obligations: derived.obligations,
    };
    let set = Sealed::seal(body).map_err(from_seal)?;
    Ok(FixedObligations::new(set, derived.rules, derived.outside))
}

/// The obligations by id, the rule that each comes from, and what stands outside.
struct Derived {
    obligations: Vec<Obligation>,
    rules: BTreeMap<Identity<ObligationKind>, Origin>,
    outside: BTreeMap<Identity<NodeKind>, Origin>,
}

/// What the policy derives.
fn all(
    snapshot: &SnapshotBody,
    perspective: &Perspective,
    purpose: EpistemicPurpose,
    policy: &Policy,
) -> Result<Derived, ObligationError> {
    let mut fixed: BTreeMap<Identity<ObligationKind>, Obligation> = BTreeMap::new();
    let mut rules = BTreeMap::new();
    let mut outside = BTreeMap::new();
    for subject in subjects(snapshot, perspective)? {
        if let (RoleFilter::Background, Some(node)) = (subject.role, subject.node) {
            outside.insert(node.node_id, origin::of_outside(policy, &subject));
        }
        let mut known = is_silent(policy, &subject);
        for rule in policy
            .rules()
            .iter()
            .filter(|rule| speaks(rule, &subject, purpose))
        {
            known = true;
            let status = subject.node.map(|node| node.epistemic_status.as_str());
            if rule.condition.holds(has_limitations(snapshot, &subject), status) {
                let obligation = oblige(snapshot, &subject, rule)?;
                rules.insert(obligation.id, origin::of_rule(policy, rule));
                fixed.insert(obligation.id, obligation);
            }
        }
        if !known {
            return Err(ObligationError::NoRule {
                policy: policy.pinned().id.clone(),
                subject: subject.name(),
                role: subject.role,
            });
        }
    }
    refuse_conflicts(fixed.values())?;
    Ok(Derived {
        obligations: fixed.into_values().collect(),
        rules,
        outside,
    })
}

/// The obligations by id.
#[cfg(test)]
pub(crate) fn obligations(
    snapshot: &SnapshotBody,
    perspective: &Perspective,
    purpose: EpistemicPurpose,
    policy: &Policy,
) -> Result<Vec<Obligation>, ObligationError> {
    all(snapshot, perspective, purpose, policy).map(|derived| derived.obligations)
}

pub(crate) fn from_seal(error: SealError<ObligationError>) -> ObligationError {
    match error {
        SealError::Invalid(invalid) => invalid,
        other => ObligationError::Integrity {
            why: other.to_string(),
        },
    }
}

fn speaks(rule: &Rule, subject: &Subject<'_>, purpose: EpistemicPurpose) -> bool {
    let purpose = match rule.purpose {
        PurposeFilter::Any => true,
        PurposeFilter::ClaimBearing => purpose == EpistemicPurpose::ClaimBearing,
        PurposeFilter::ExploratoryAbduction => purpose == EpistemicPurpose::ExploratoryAbduction,
    };
    purpose
        && rule.property_kind == subject.kind
        && covers_family(&rule.family, &subject.source.family)
        && covers_role(rule.role, subject.role)
}

fn is_silent(policy: &Policy, subject: &Subject<'_>) -> bool {
    policy.silences().iter().any(|silence| {
        silence.property_kinds.contains(&subject.kind)
            && covers_family(&silence.family, &subject.source.family)
            && covers_role(silence.role, subject.role)
    })
}

fn has_limitations(snapshot: &SnapshotBody, subject: &Subject<'_>) -> bool {
    snapshot
        .limitations
        .iter()
        .any(|limitation| limitation.source_id == subject.source.source_id)
}

fn oblige(
    snapshot: &SnapshotBody,
    subject: &Subject<'_>,
    rule: &Rule,
) -> Result<Obligation, ObligationError> {
    let semantic_source_ref = subject.reference();
    let property_or_relation = subject.property.clone();
    let version = SafeInteger::new(PREDICATE_VERSION).expect("the version is 1");
    let requirement_predicate_ref = PredicateRef {
        predicate: rule.predicate,
        version,
    };
    let evidence_use_refs = evidence_of(subject, rule)?;
    let limitations_to_expose = limitations_of(snapshot, subject, rule);
    let preimage = Preimage {
        semantic_source_ref: &semantic_source_ref,
        property_or_relation: &property_or_relation,
        class: rule.class,
        requirement_predicate_ref,
        evidence_use_refs: &evidence_use_refs,
        limitations_to_expose: &limitations_to_expose,
        activation: rule.activation.as_ref(),
    };
    Ok(Obligation {
        id: preimage.identify()?,
        semantic_source_ref,
        property_or_relation,
        class: rule.class,
        requirement_predicate_ref,
        evidence_use_refs,
        limitations_to_expose,
        activation: rule.activation.clone(),
    })
}

/// The uses that meet the rule's profile. Of the statistics, which are claims column by column, only the claim about
/// this column counts.
fn evidence_of(subject: &Subject<'_>, rule: &Rule) -> Result<Vec<EvidenceUse>, ObligationError> {
    let Some(profile) = &rule.required_profile else {
        return Ok(Vec::new());
    };
    let claim = match (subject.source.family.as_str(), subject.variable()) {
        ("statistics", Some(variable)) => Some(format!("descriptive:{variable}")),
        _ => None,
    };
    let mut uses: Vec<EvidenceUse> = subject
        .source
        .evidence_uses
        .iter()
        .filter(|evidence_use| evidence_use.requirement_profile_id == *profile)
        .filter(|evidence_use| {
            claim
                .as_ref()
                .is_none_or(|claim| evidence_use.receipt_id == *claim)
        })
        .cloned()
        .collect();
    uses.sort_by(compare_uses);
    uses.dedup();
    if uses.is_empty() {
        let predicate = predicate_word(rule.predicate);
        return Err(ObligationError::MissingEvidence {
            subject: subject.name(),
            profile: profile.clone(),
            predicate,
        });
    }
    Ok(uses)
}

/// The codes of the rule that the source states. That a unit was inferred qualifies only the columns whose unit was.
fn limitations_of(snapshot: &SnapshotBody, subject: &Subject<'_>, rule: &Rule) -> Vec<String> {
    let asks_all = rule
        .limitations_to_expose
        .iter()
        .any(|code| code == ALL_LIMITATIONS);
    let unit_stands = rule.predicate == Predicate::Units
        && subject
            .node
            .is_some_and(|node| node.descriptor.unit_status.as_deref() != Some("inferred"));
    let mut codes: Vec<String> = snapshot
        .limitations_of(subject.source.source_id)
        .filter(|limitation| asks_all || rule.limitations_to_expose.contains(&limitation.code))
        .filter(|limitation| !(unit_stands && limitation.code == "UNIT_INFERRED"))
        .map(|limitation| limitation.code.clone())
        .collect();
    codes.sort_by(|a, b| utf16_cmp(a, b));
    codes.dedup();
    codes
}

/// One predicate of one thing has one obligation. A node with two roles could otherwise be owed twice, differently.
fn refuse_conflicts<'a>(obligations: impl Iterator<Item = &'a Obligation>) -> Result<(), ObligationError> {
    let mut seen = BTreeMap::new();
    for obligation in obligations {
        let predicate = obligation.requirement_predicate_ref.predicate;
        let key = (
            &obligation.semantic_source_ref,
            obligation.property_or_relation.as_str(),
            predicate,
        );
        if seen.insert(key, obligation.id).is_some() {
            return Err(ObligationError::Conflict {
                property: obligation.property_or_relation.clone(),
                predicate: predicate_word(predicate),
            });
        }
    }
    Ok(())
}
