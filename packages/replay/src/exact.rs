//! Whether what is recorded is what happens: every step again, nothing chosen again.

use custody::Custody;
use forma::{FormaInput, RequestedUse};
use identity::{Sealed, canonical};
use kernels::InProcess;
use package::Opened;
use refusal::{Code, Reason, Refusal, Stage};

use crate::implementations::{self, Missing};
use crate::recorded::Recorded;
use crate::rerun::{differs, rerun_along, same};
use crate::trail::{Check, Departure, Trail};
use crate::{ReplayError, Rerun};

/// The three outcomes of replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The recorded closure is whole, and the recorded decision and plan bytes were reproduced.
    ExactHistorical {
        /// The plan's canonical bytes, recorded and rebuilt alike.
        plan_bytes: Vec<u8>,
    },
    /// A new result was derived from the recorded one, by [`crate::adapt`] alone.
    CompatibleAdaptation {
        /// The new result.
        result_id: String,
        /// In what it differs.
        differences: Vec<String>,
    },
    /// It can be inspected and not reproduced.
    UnsupportedHistorical {
        /// Why.
        refusal: Box<Refusal>,
    },
}

impl Outcome {
    /// The word on every surface.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::ExactHistorical { .. } => "EXACT_HISTORICAL",
            Self::CompatibleAdaptation { .. } => "COMPATIBLE_ADAPTATION",
            Self::UnsupportedHistorical { .. } => "UNSUPPORTED_HISTORICAL",
        }
    }

    /// Whether the recorded plan was reproduced.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        matches!(self, Self::ExactHistorical { .. })
    }

    /// Why not, when it was not.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::UnsupportedHistorical { refusal } => Some(refusal),
            Self::ExactHistorical { .. } | Self::CompatibleAdaptation { .. } => None,
        }
    }
}

/// The answer of [`replay`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// What became of it.
    pub outcome: Outcome,
    /// What came out as recorded, in order, up to the first step that did not.
    pub checks: Vec<Check>,
    /// Where it stopped, when it did.
    pub departure: Option<Departure>,
    /// Every implementation that the record needs and this program lacks, whichever of them stopped it.
    pub missing: Vec<Missing>,
}

/// Repeats a recorded decision: dataset, analyses, receipts, snapshot, obligations, then the pinned compiler through
/// the admission door, with the recorded answers of the authorities. Of custody only the pinned implementations take
/// part; what it knows or thinks now does not: [`crate::readmit`] asks for that.
#[must_use]
pub fn replay(opened: &Opened, custody: &Custody) -> Replay {
    attempt(opened, custody).0
}

/// The replay, with the facts it computed or why it could not.
pub(crate) fn attempt(opened: &Opened, custody: &Custody) -> (Replay, Result<Rerun, ReplayError>) {
    let mut trail = Trail::starting(implementations::missing(opened, custody));
    let facts = rerun_along(&InProcess, opened, &mut kernels::unheard, &mut trail);
    let stopped = |trail: &Trail, error: &ReplayError| {
        let outcome = unsupported(error, &trail.missing);
        (outcome, Some(trail.departure(error)))
    };
    let (outcome, departure) = match &facts {
        Err(error) => stopped(&trail, error),
        Ok(facts) => match exact(opened, custody, facts, &mut trail) {
            Ok(plan_bytes) => (Outcome::ExactHistorical { plan_bytes }, None),
            Err(error) => stopped(&trail, &error),
        },
    };
    let replay = Replay {
        outcome,
        checks: trail.checks,
        departure,
        missing: trail.missing,
    };
    (replay, facts)
}

/// Whatever stopped a replay, the answer is `REPLAY_UNSUPPORTED`; the owner's own refusal stays as its cause.
fn unsupported(error: &ReplayError, missing: &[Missing]) -> Outcome {
    let mut cause = error.refusal();
    if cause.code() == Code::ReplayUnsupported {
        for other in missing.iter().map(|missing| missing.recorded.as_str()) {
            if !cause.subjects().iter().any(|subject| subject == other) {
                cause = cause.about(other);
            }
        }
        return Outcome::UnsupportedHistorical {
            refusal: Box::new(cause),
        };
    }
    let text = format!(
        "No implementation here reproduces what is recorded: {}",
        cause.cause().text
    );
    let mut refusal = Refusal::new(Stage::DecodeIntegrity, Reason::ImplementationMissing, text)
        .next("inspect the package as history, or admit its data anew");
    for subject in cause.subjects() {
        refusal = refusal.about(subject.as_str());
    }
    Outcome::UnsupportedHistorical {
        refusal: Box::new(refusal.because(cause)),
    }
}

fn exact(
    opened: &Opened,
    custody: &Custody,
    facts: &Rerun,
    trail: &mut Trail,
) -> Result<Vec<u8>, ReplayError> {
    trail.held("context", opened.context().id());
    trail.step("obligations");

    let recorded = opened.record().body();
    let refused = |what, refusal: Refusal| ReplayError::Refused {
        what,
        refusal: Box::new(refusal),
    };
    let obligations = obligations::reopen(
        opened.obligations(),
        facts.snapshot(),
        opened.context(),
        opened.obligation_policy(),
    )
    .map_err(|error| refused("deriving obligations again", error.refusal()))?;
    trail.held("obligations", obligations.id());
    trail.held("graph", opened.graph().id());
    trail.held("knowledge", opened.knowledge().id());

    trail.step("plan");
    if let Some(missing) = implementations::compiling(opened, custody).first() {
        return Err(missing.error());
    }
    let capability = opened
        .table()
        .capability(&opened.knowledge().body().capability_table_ref)
        .map_err(|error| refused("resolving the capability table", error.refusal()))?;
    let requested_use = requested(opened);
    let authorities = Recorded::of(recorded, opened.table(), opened.study());
    let admission = forma::admit(&FormaInput {
        snapshot: facts.snapshot(),
        context: opened.context(),
        obligations: &obligations,
        graph: opened.graph(),
        proposals: &opened.proposals(),
        manifest: opened.knowledge(),
        table: opened.table(),
        capability,
        receipts: facts.receipts().bundle(),
        leaves: facts.leaves(),
        device: recorded.input_commitments.device,
        requested_use: &requested_use,
        authorities: &authorities,
    })
    .map_err(|error| refused("admitting again", error.primary().clone()))?;
    let plan_bytes = bytes(opened.plan())?;
    if bytes(admission.plan())? != plan_bytes {
        trail.compare(opened.plan().body(), admission.plan().body());
        return Err(differs("the plan", opened.plan().id(), admission.plan().id()));
    }
    trail.held("plan", opened.plan().id());
    trail.step("result");
    if admission.record().id() != opened.record().id() {
        trail.compare(recorded, admission.record().body());
    }
    same("the result", opened.record().id(), admission.record().id())?;
    trail.held("result", opened.record().id());
    // Admitted only by the recorded answers of the authorities: it was compared, and goes no further.
    drop(admission);
    Ok(plan_bytes)
}

/// The use that the record asked for.
pub(crate) fn requested(opened: &Opened) -> RequestedUse {
    let record = opened.record().body();
    match record.input_commitments.requested_use {
        forma::wire::v1::PermittedUse::Production => RequestedUse::Production,
        forma::wire::v1::PermittedUse::StudyOnly => RequestedUse::Study {
            authorization: record.authorization_reference.clone(),
        },
    }
}

fn bytes<B: identity::Body>(sealed: &Sealed<B>) -> Result<Vec<u8>, ReplayError> {
    canonical::to_vec(sealed.body()).map_err(|error| differs("the plan", "a canonical text", error))
}
