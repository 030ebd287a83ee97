//! The standing of a claim: does the analysis support what it is used for?

use std::fmt;

use kernels::wire::v1::{MeasurementContext, MeasurementRecord, Receipt};
use refusal::{Reason, Refusal, Stage};

use crate::profile::{FORMA_GRAPH, Profile};

/// How a claim stands; only [`Claim::Eligible`] may be shown as a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// The receipt supports the claim.
    Eligible,
    /// A person must first confirm what a column measures.
    RequiresHuman,
    /// The analysis is wrong for this claim: an assumption is violated, or the measurement was rejected.
    Invalid,
    /// There is nothing to claim: no row entered.
    Abstain,
    /// Nobody said what is measured: the number can be recomputed and refuted, but not affirmed.
    MachineFalsificationOnly,
    /// The receipt leaves open what the profile asks for.
    Unresolved,
}

impl Claim {
    /// The word on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Eligible => "ELIGIBLE",
            Self::RequiresHuman => "REQUIRES_HUMAN",
            Self::Invalid => "INVALID",
            Self::Abstain => "ABSTAIN",
            Self::MachineFalsificationOnly => "MACHINE_FALSIFICATION_ONLY",
            Self::Unresolved => "UNRESOLVED",
        }
    }

    /// The refusal for a claim that is not taken; `subject` names the receipt. Total, so that nobody reads silence as
    /// a yes.
    #[must_use]
    pub fn refusal(self, subject: &str) -> Refusal {
        let (reason, text, next) = match self {
            Self::Eligible => (
                Reason::ClaimInvalid,
                "is eligible, but this use of it is not",
                "See the refusal it accompanies.",
            ),
            Self::RequiresHuman => (
                Reason::AssumptionUnmet,
                "rests on a measurement that a person must confirm",
                "Import again with --declare COLUMN:SCALE:UNIT, and --confirm COLUMN once it was checked.",
            ),
            Self::Invalid => (
                Reason::ClaimInvalid,
                "is invalid: its method's assumptions or its measurement do not hold",
                "Choose an analysis that fits the data.",
            ),
            Self::Abstain => (
                Reason::ClaimAbstained,
                "says nothing, because no row entered",
                "Choose columns that have values.",
            ),
            Self::MachineFalsificationOnly => (
                Reason::MachineFalsificationOnly,
                "can only be recomputed, because nobody said what its columns measure",
                "Import again with --declare COLUMN:SCALE for at least one column.",
            ),
            Self::Unresolved => (
                Reason::AssumptionUnmet,
                "leaves open what its profile asks for",
                "Establish what is open, or run an analysis that does.",
            ),
        };
        Refusal::new(
            Stage::EvidencePolicy,
            reason,
            format!("The claim {subject} {text}."),
        )
        .about(subject)
        .next(next)
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How the claim of a receipt stands under a profile; the first of these that applies: invalid, abstain, machine
/// falsification only, requires human, unresolved, eligible.
#[must_use]
pub fn claim_standing(receipt: &Receipt, profile: &Profile) -> Claim {
    if profile.violated(receipt).is_some() {
        return Claim::Invalid;
    }
    let established = match &receipt.measurement_context {
        MeasurementContext::NotEstablished {} => None,
        MeasurementContext::Established {
            records,
            semantic_admission_policy,
            analytical_admission,
        } => {
            if analytical_admission
                .as_ref()
                .is_some_and(|admission| admission.status != "admitted")
            {
                return Claim::Invalid;
            }
            Some((records, semantic_admission_policy))
        }
    };
    if receipt.sample_support.rows_used.get() < 1 {
        return Claim::Abstain;
    }
    // Links are counted and not measured: of a graph that names no column nobody need say what it measures.
    let is_of_links = profile.id() == FORMA_GRAPH && receipt.sample_support.columns.is_empty();
    match established {
        None if is_of_links => {}
        None => return Claim::MachineFalsificationOnly,
        Some((records, policy)) => {
            if records
                .iter()
                .any(|record| needs_human(record, policy.as_deref()))
            {
                return Claim::RequiresHuman;
            }
        }
    }
    if profile.unresolved(receipt).is_some() || profile.missing_axis(receipt).is_some() {
        return Claim::Unresolved;
    }
    Claim::Eligible
}

fn needs_human(record: &MeasurementRecord, policy: Option<&str>) -> bool {
    let enough: &[&str] = match policy {
        Some("requireConfirmed") => &["confirmed"],
        Some("requireDeclared") => &["confirmed", "declared"],
        _ => &["confirmed", "declared", "inferred", "unknown"],
    };
    !enough.contains(&record.status.as_str())
}
