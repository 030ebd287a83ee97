//! How a receipt stands under a profile that somebody asks for by name, and what would make it stand.

use kernels::wire::v1::Receipt;
use refusal::{Reason, Refusal, Stage};

use crate::claim::{Claim, claim_standing};
use crate::profile::{Axis, Profile};

/// A receipt held to a profile; only [`standing`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    receipt_id: String,
    profile_id: &'static str,
    claim: Claim,
    lacking: Vec<Lacking>,
}

/// One thing that a receipt lacks under a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lacking {
    /// Something it does not state.
    Axis(Axis),
    /// An assumption that does not hold, or that nobody established.
    Assumption {
        /// The assumption.
        assumption: String,
        /// `violated`, `unchecked` or `notTestableFromData`.
        status: String,
        /// How that was found.
        detail: String,
    },
}

/// Holds a receipt to a profile and names everything that it lacks: assumptions first, then axes, each in the order in
/// which the receipt and the profile state them.
#[must_use]
pub fn standing(receipt: &Receipt, profile: &Profile) -> Standing {
    let minds = |status: &str| match status {
        "violated" => profile.refuses_violated(),
        "unchecked" | "notTestableFromData" => profile.refuses_unresolved(),
        _ => false,
    };
    let assumptions = receipt
        .assumptions
        .iter()
        .filter(|assumption| minds(&assumption.status))
        .map(|assumption| Lacking::Assumption {
            assumption: assumption.assumption.clone(),
            status: assumption.status.clone(),
            detail: assumption.detail.clone(),
        });
    let axes = profile
        .required_axes()
        .iter()
        .filter(|axis| !axis.is_stated(receipt))
        .map(|axis| Lacking::Axis(*axis));
    Standing {
        receipt_id: receipt.receipt_id.clone(),
        profile_id: profile.id(),
        claim: claim_standing(receipt, profile),
        lacking: assumptions.chain(axes).collect(),
    }
}

impl Standing {
    /// Whether the receipt satisfies the profile and its claim may be made.
    #[must_use]
    pub fn is_satisfied(&self) -> bool {
        self.lacking.is_empty() && self.claim == Claim::Eligible
    }

    /// The profile it was held to.
    #[must_use]
    pub const fn profile_id(&self) -> &'static str {
        self.profile_id
    }

    /// How its claim stands.
    #[must_use]
    pub const fn claim(&self) -> Claim {
        self.claim
    }

    /// Everything that it lacks.
    #[must_use]
    pub fn lacking(&self) -> &[Lacking] {
        &self.lacking
    }

    /// In a sentence: `satisfied`, or everything that is lacking.
    #[must_use]
    pub fn sentence(&self) -> String {
        if self.is_satisfied() {
            return "satisfied".to_owned();
        }
        if self.lacking.is_empty() {
            return format!("not satisfied: the claim is {}", self.claim);
        }
        let each: Vec<String> = self.lacking.iter().map(Lacking::sentence).collect();
        format!("not satisfied: {}", each.join("; "))
    }

    /// The refusal of whoever asked for the profile; none for a receipt that satisfies it.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        if self.is_satisfied() {
            return None;
        }
        let Some(first) = self.lacking.first() else {
            return Some(self.claim.refusal(&self.receipt_id).under(self.profile_id));
        };
        let reason = match first {
            Lacking::Axis(_) => Reason::RequiredAxisMissing,
            Lacking::Assumption { .. } => Reason::AssumptionUnmet,
        };
        let each: Vec<String> = self.lacking.iter().map(Lacking::sentence).collect();
        let text = format!("Receipt {} lacks: {}.", self.receipt_id, each.join("; "));
        let refusal = Refusal::new(Stage::EvidencePolicy, reason, text)
            .about(self.receipt_id.clone())
            .under(self.profile_id)
            .next(first.way_out());
        Some(refusal)
    }
}

impl Lacking {
    /// What is lacking.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Axis(axis) => format!("its {} is not stated", axis.word()),
            Self::Assumption {
                assumption,
                status,
                detail,
            } => {
                let how = match status.as_str() {
                    "violated" => "does not hold",
                    "unchecked" => "was not checked",
                    _ => "can't be tested from the data",
                };
                format!("that {assumption} {how} ({detail})")
            }
        }
    }

    /// What would establish it.
    #[must_use]
    pub fn way_out(&self) -> &'static str {
        match self {
            Self::Axis(Axis::MeasurementContextEstablished) => {
                "Say at import what the columns measure: --declare COLUMN:ratio:UNIT."
            }
            Self::Axis(Axis::Uncertainty) => {
                "Ask a family that estimates with an interval, on a column with at least two different values; a declared dependence of the rows leaves no interval."
            }
            Self::Axis(_) => "Run an analysis that states it, on data that allow it.",
            Self::Assumption {
                assumption, status, ..
            } if assumption == kernels::ROWS_INDEPENDENT && status != "violated" => {
                "Data can't show it. If the rows were drawn independently, say so at import: --observations iid."
            }
            Self::Assumption { status, .. } if status == "violated" => {
                "Choose an analysis that does not assume it, such as the counts of --family distribution, or the rows themselves."
            }
            Self::Assumption { .. } => {
                "Look at --family distribution, which shows the shape that the interval rests on, or choose what does not assume it: its counts and quantiles, or the rows themselves."
            }
        }
    }
}
