//! The obligation set as a value: checked, hashed, and still not believed.

use evidence::compare_uses;
use evidence::wire::v1::EvidenceUse;
use identity::{Body, Identity, Kind, Sealed, identify, utf16_cmp};
use serde::Serialize;

use crate::wire::v1::{
    Activation, Class, Obligation, ObligationSetBody, Predicate, PredicateRef, SemanticRef,
};
use crate::{ObligationError, ObligationKind};

/// An obligation set with its identity. It may have come from a file: only
/// [`FixedObligations`](crate::FixedObligations) are known to be what the policy demands.
pub type ObligationSet = Sealed<ObligationSetBody>;

/// The version of all predicates.
pub const PREDICATE_VERSION: i64 = 1;

/// The verbs of the interaction language that a route may name.
pub const VERBS: [&str; 21] = [
    "ANNOTATE",
    "COLLAPSE",
    "COMPARE",
    "CONCLUDE",
    "EXPAND",
    "EXPAND_DETAIL",
    "EXPLAIN",
    "FOCUS",
    "HIDE",
    "HYPOTHESISE",
    "ISOLATE",
    "OBSERVE",
    "PREFER",
    "QUESTION",
    "REJECT",
    "REQUEST_ALTERNATIVE",
    "RETURN",
    "SELECT",
    "SHOW",
    "TRACE",
    "ZOOM",
];

impl Kind for ObligationSetBody {
    const TAG: &'static str = "semantic-obligations-v1";
}

impl Body for ObligationSetBody {
    const ID_MEMBER: &'static str = "obligationSetId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = ObligationError;

    fn check(&self) -> Result<(), ObligationError> {
        for obligation in &self.obligations {
            check_obligation(obligation)?;
        }
        match self.obligations.windows(2).find(|pair| pair[0].id >= pair[1].id) {
            None => Ok(()),
            Some(pair) => Err(malformed(&pair[1], "it must stand before its neighbor, once")),
        }
    }
}

fn check_obligation(obligation: &Obligation) -> Result<(), ObligationError> {
    if Preimage::of(obligation).identify()? != obligation.id {
        return Err(malformed(obligation, "its identity is not that of its content"));
    }
    if i64::from(obligation.requirement_predicate_ref.version) != PREDICATE_VERSION {
        return Err(malformed(obligation, "its predicate has another version"));
    }
    if obligation.property_or_relation.is_empty() {
        return Err(malformed(obligation, "it names no property"));
    }
    if obligation
        .evidence_use_refs
        .windows(2)
        .any(|pair| compare_uses(&pair[0], &pair[1]).is_ge())
    {
        return Err(malformed(obligation, "its evidence must be sorted, each once"));
    }
    if obligation
        .limitations_to_expose
        .windows(2)
        .any(|pair| utf16_cmp(&pair[0], &pair[1]).is_ge())
    {
        return Err(malformed(obligation, "its limitations must be sorted, each once"));
    }
    check_route(obligation.class, obligation.activation.as_ref()).map_err(|why| malformed(obligation, why))
}

/// A deferred detail has a route, and nothing else has one.
pub(crate) fn check_route(class: Class, activation: Option<&Activation>) -> Result<(), &'static str> {
    match (class, activation) {
        (Class::Progressive, None) => Err("it is PROGRESSIVE and names no route"),
        (Class::MustPreserve | Class::Optional, Some(_)) => Err("only a PROGRESSIVE one has a route"),
        (Class::Progressive, Some(route)) if !VERBS.contains(&route.verb.as_str()) => {
            Err("its route names no verb of the interaction language")
        }
        (Class::Progressive, Some(route)) if route.sentence.trim().is_empty() => {
            Err("its route does not say what a person does")
        }
        _ => Ok(()),
    }
}

fn malformed(obligation: &Obligation, why: &str) -> ObligationError {
    ObligationError::Malformed {
        obligation: obligation.id.to_string(),
        why: why.to_owned(),
    }
}

/// The record without its id, as it is hashed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Preimage<'a> {
    pub(crate) semantic_source_ref: &'a SemanticRef,
    pub(crate) property_or_relation: &'a str,
    pub(crate) class: Class,
    pub(crate) requirement_predicate_ref: PredicateRef,
    pub(crate) evidence_use_refs: &'a [EvidenceUse],
    pub(crate) limitations_to_expose: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) activation: Option<&'a Activation>,
}

impl<'a> Preimage<'a> {
    pub(crate) fn of(obligation: &'a Obligation) -> Self {
        Self {
            semantic_source_ref: &obligation.semantic_source_ref,
            property_or_relation: &obligation.property_or_relation,
            class: obligation.class,
            requirement_predicate_ref: obligation.requirement_predicate_ref,
            evidence_use_refs: &obligation.evidence_use_refs,
            limitations_to_expose: &obligation.limitations_to_expose,
            activation: obligation.activation.as_ref(),
        }
    }

    /// `H(semantic-obligation-v1, the record without id)`.
    pub(crate) fn identify(&self) -> Result<Identity<ObligationKind>, ObligationError> {
        identify(self).map_err(|error| ObligationError::Integrity {
            why: error.to_string(),
        })
    }
}

/// All sixteen predicates.
pub(crate) const PREDICATES: [Predicate; 16] = [
    Predicate::Order,
    Predicate::Ratio,
    Predicate::Difference,
    Predicate::Identity,
    Predicate::Membership,
    Predicate::Relation,
    Predicate::Sequence,
    Predicate::Units,
    Predicate::Support,
    Predicate::Missingness,
    Predicate::Uncertainty,
    Predicate::Approximation,
    Predicate::Limitation,
    Predicate::Unavailability,
    Predicate::DetailAvailable,
    Predicate::EpistemicStatus,
];

/// The word of a predicate on every surface.
#[must_use]
pub const fn predicate_word(predicate: Predicate) -> &'static str {
    match predicate {
        Predicate::Order => "ORDER",
        Predicate::Ratio => "RATIO",
        Predicate::Difference => "DIFFERENCE",
        Predicate::Identity => "IDENTITY",
        Predicate::Membership => "MEMBERSHIP",
        Predicate::Relation => "RELATION",
        Predicate::Sequence => "SEQUENCE",
        Predicate::Units => "UNITS",
        Predicate::Support => "SUPPORT",
        Predicate::Missingness => "MISSINGNESS",
        Predicate::Uncertainty => "UNCERTAINTY",
        Predicate::Approximation => "APPROXIMATION",
        Predicate::Limitation => "LIMITATION",
        Predicate::Unavailability => "UNAVAILABILITY",
        Predicate::DetailAvailable => "DETAIL_AVAILABLE",
        Predicate::EpistemicStatus => "EPISTEMIC_STATUS",
    }
}
