//! Whether what is recorded is what happens: every step again, nothing chosen again.

use custody::Custody;
use forma::{FormaInput, RequestedUse};
use identity::{Sealed, canonical};
use package::Opened;
use refusal::{Code, Reason, Refusal, Stage};

use crate::recorded::Recorded;
use crate::rerun::{differs, same};
use crate::{ReplayError, Rerun, rerun};

/// One thing that came out as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was compared.
    pub what: &'static str,
    /// Its identity, the same in the record and anew.
    pub identity: String,
}

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
}

/// Repeats a recorded decision: dataset, analyses, receipts, snapshot, obligations, then the pinned compiler through
/// the admission door, with the recorded answers of the authorities. Custody takes no part in history; it is asked by
/// [`crate::readmit`].
#[must_use]
pub fn replay(opened: &Opened, _custody: &Custody) -> Replay {
    let facts = rerun(opened);
    replay_with(opened, facts.as_ref())
}

pub(crate) fn replay_with(opened: &Opened, facts: Result<&Rerun, &ReplayError>) -> Replay {
    let mut checks = Vec::new();
    let outcome = match facts {
        Err(error) => unsupported(error),
        Ok(facts) => match exact(opened, facts, &mut checks) {
            Ok(plan_bytes) => Outcome::ExactHistorical { plan_bytes },
            Err(error) => unsupported(&error),
        },
    };
    Replay { outcome, checks }
}

/// Whatever stopped a replay, the answer is `REPLAY_UNSUPPORTED`; the owner's own refusal stays as its cause.
fn unsupported(error: &ReplayError) -> Outcome {
    let cause = error.refusal();
    if cause.code() == Code::ReplayUnsupported {
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

fn exact(opened: &Opened, facts: &Rerun, checks: &mut Vec<Check>) -> Result<Vec<u8>, ReplayError> {
    let mut held = |what, identity: String| checks.push(Check { what, identity });
    held("dataset", facts.dataset().fingerprint().to_string());
    for analysis in facts.analyses() {
        held("analysis", analysis.content_digest().to_string());
    }
    for digest in facts.leaves().keys() {
        held("values", digest.to_string());
    }
    held("snapshot", facts.snapshot().id().to_string());
    held("context", opened.context().id().to_string());

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
    held("obligations", obligations.id().to_string());
    held("graph", opened.graph().id().to_string());
    held("knowledge", opened.knowledge().id().to_string());

    let compiler = forma::compiler_ref();
    let planned = &opened.plan().body().compiler_ref;
    if *planned != compiler {
        let name = |pin: &evidence::wire::v1::PinnedRef| format!("{}@{} {}", pin.id, pin.version, pin.digest);
        return Err(ReplayError::ImplementationMissing {
            what: "compiler",
            recorded: name(planned),
            here: name(&compiler),
        });
    }
    let capability = opened
        .table()
        .capability(&opened.knowledge().body().capability_table_ref)
        .map_err(|error| refused("resolving the capability table", error.refusal()))?;
    let requested_use = requested(opened);
    let authorities = Recorded::of(recorded, opened.table());
    let admission = forma::admit(&FormaInput {
        snapshot: facts.snapshot(),
        context: opened.context(),
        obligations: &obligations,
        graph: opened.graph(),
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
        return Err(differs("the plan", opened.plan().id(), admission.plan().id()));
    }
    held("plan", opened.plan().id().to_string());
    same("the result", opened.record().id(), admission.record().id())?;
    held("result", opened.record().id().to_string());
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
