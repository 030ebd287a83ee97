//! The authorization, its recheck, the adoption it is consumed by.

use evidence::Disposition;
use evidence::wire::v1::EvidenceUse;
use forma::wire::v1::{PermittedUse, StudyRef};
use forma::{Admitted, Answer, FormaRecord, Purpose};
use investigation::Activation;
use plan::Plan;
use plan::wire::v1::Variant;
use refusal::{Reason, Refusal, Stage};

use crate::{Current, Registration, Runtime};

const STAGE: Stage = Stage::AdoptionRecheck;

/// Everything an authorization is bound to.
#[derive(Debug)]
struct Bound {
    record: FormaRecord,
    plan: Plan,
    variant: usize,
    runtime: Runtime,
    registration: Registration,
    activation: Activation,
    evidence: Vec<EvidenceUse>,
    decisions: Vec<String>,
    study: Option<(String, StudyRef)>,
}

/// Permission to stage one variant of one admitted result, in this run, at this activation. Not cloneable, not
/// storable, consumed by [`adopt`](Self::adopt).
///
/// ```compile_fail
/// fn copy(one: &adoption::ExecutionAuthorization) -> adoption::ExecutionAuthorization { one.clone() }
/// ```
///
/// ```compile_fail
/// fn forge() -> adoption::ExecutionAuthorization { adoption::ExecutionAuthorization { bound: Default::default() } }
/// ```
///
/// ```compile_fail
/// fn read<T: serde::de::DeserializeOwned>() {}
/// read::<adoption::ExecutionAuthorization>();
/// ```
///
/// ```compile_fail
/// fn write<T: serde::Serialize>() {}
/// write::<adoption::ExecutionAuthorization>();
/// ```
///
/// ```compile_fail
/// fn twice(one: adoption::ExecutionAuthorization, now: &adoption::Current<'_>) {
///     let first = one.adopt(now);
///     let second = one.adopt(now);
/// }
/// ```
#[derive(Debug)]
#[must_use = "an authorization that is dropped shows nothing"]
pub struct ExecutionAuthorization {
    bound: Bound,
}

/// Proof that one staged view is in force; whoever shows it holds this.
///
/// ```compile_fail
/// fn copy(one: &adoption::Adopted) -> adoption::Adopted { one.clone() }
/// ```
#[derive(Debug)]
#[must_use = "a view without its adoption must not be shown"]
pub struct Adopted {
    bound: Bound,
}

/// A view that had to go, with the reason shown in its place.
#[derive(Debug)]
pub struct Revoked {
    record: FormaRecord,
    /// Why it went.
    pub refusal: Refusal,
}

impl Revoked {
    /// The result that was in force.
    #[must_use]
    pub fn record(&self) -> &FormaRecord {
        &self.record
    }
}

/// Mints an authorization for `variant` of an admitted result, after checking everything that could have changed
/// since it was admitted.
///
/// # Errors
/// A [`Refusal`] at stage `ADOPTION_RECHECK`: stale activation, other dataset, other device, evidence or qualification
/// that no longer stands, a study that ended.
pub fn mint<P: Purpose>(
    admitted: &Admitted<P>,
    variant: &str,
    now: &Current<'_>,
) -> Result<ExecutionAuthorization, Refusal> {
    let record = admitted.record();
    let plan = admitted.plan();
    let Some(index) = plan
        .body()
        .variants
        .iter()
        .position(|known| known.name == variant)
    else {
        return Err(Refusal::new(
            STAGE,
            Reason::DeviceLacksChannel,
            format!("The plan has no variant {variant}; it has {}.", names(plan)),
        )
        .about(plan.id().to_string())
        .next("Choose a variant of the plan, or admit for this device."));
    };
    let mut decisions: Vec<String> = record
        .body()
        .perceptual_qualifications
        .iter()
        .filter(|entry| entry.variant == variant && entry.required)
        .filter_map(|entry| entry.decision.clone())
        .collect();
    decisions.sort();
    decisions.dedup();
    let bound = Bound {
        record: record.clone(),
        plan: plan.clone(),
        variant: index,
        runtime: now.runtime.clone(),
        registration: now.registration.clone(),
        activation: now.activation.clone(),
        evidence: record
            .body()
            .evidence_dispositions
            .iter()
            .map(|s| s.evidence_use.clone())
            .collect(),
        decisions,
        study: match P::USE {
            PermittedUse::Production => None,
            PermittedUse::StudyOnly => record
                .body()
                .authorization_reference
                .clone()
                .zip(record.body().study.clone()),
        },
    };
    bound.recheck(now)?;
    Ok(ExecutionAuthorization { bound })
}

fn names(plan: &Plan) -> String {
    plan.body()
        .variants
        .iter()
        .map(|variant| variant.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

impl ExecutionAuthorization {
    /// The variant to stage.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.bound.plan.body().variants[self.bound.variant]
    }

    /// The plan it belongs to.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.bound.plan
    }

    /// The record it rests on.
    #[must_use]
    pub fn record(&self) -> &FormaRecord {
        &self.bound.record
    }

    /// Rechecks everything and turns into the adoption; afterwards the authorization is gone either way.
    ///
    /// # Errors
    /// The [`Refusal`] of the first recheck that fails; whatever was staged must be released, and the view that was
    /// in force stays.
    pub fn adopt(self, now: &Current<'_>) -> Result<Adopted, Refusal> {
        self.bound.recheck(now)?;
        Ok(Adopted { bound: self.bound })
    }
}

impl Adopted {
    /// The variant in force.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.bound.plan.body().variants[self.bound.variant]
    }

    /// The plan in force.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.bound.plan
    }

    /// The record in force.
    #[must_use]
    pub fn record(&self) -> &FormaRecord {
        &self.bound.record
    }

    /// Whether it still stands.
    ///
    /// # Errors
    /// The [`Refusal`] because of which it no longer does; revoke it.
    pub fn recheck(&self, now: &Current<'_>) -> Result<(), Refusal> {
        self.bound.recheck(now)
    }

    /// Ends it; the refusal is what is shown instead.
    #[must_use]
    pub fn revoke(self, refusal: Refusal) -> Revoked {
        Revoked {
            record: self.bound.record,
            refusal,
        }
    }
}

impl Bound {
    fn recheck(&self, now: &Current<'_>) -> Result<(), Refusal> {
        self.same_run(now)?;
        self.same_question(now)?;
        self.same_device(now)?;
        self.evidence_stands(now)?;
        self.decisions_stand(now)?;
        self.study_runs(now)
    }

    fn same_run(&self, now: &Current<'_>) -> Result<(), Refusal> {
        if &self.runtime != now.runtime {
            return Err(Refusal::new(
                STAGE,
                Reason::Stale,
                format!(
                    "The authorization was minted in generation {} of run {}; this is generation {} of run {}.",
                    self.runtime.generation(),
                    self.runtime.instance(),
                    now.runtime.generation(),
                    now.runtime.instance()
                ),
            )
            .about(self.record.id().to_string())
            .next("Admit again in this run."));
        }
        Ok(())
    }

    fn same_question(&self, now: &Current<'_>) -> Result<(), Refusal> {
        let about = self.plan.body().variants[self.variant]
            .backend
            .dataset_fingerprint;
        if &self.registration != now.registration || now.registration.fingerprint() != &about {
            return Err(Refusal::new(
                STAGE,
                Reason::WrongSubject,
                "Another dataset is registered than the one the plan was admitted for.",
            )
            .about(now.registration.fingerprint().to_string())
            .next("Admit again for the dataset at hand."));
        }
        let committed = self.record.body().input_commitments.context_id;
        if now.activation.context_id() != committed || &self.activation != now.activation {
            return Err(Refusal::new(
                STAGE,
                Reason::Stale,
                "The question was changed or activated anew since the plan was admitted.",
            )
            .about(committed.to_string())
            .next("Admit again for the active question."));
        }
        Ok(())
    }

    fn same_device(&self, now: &Current<'_>) -> Result<(), Refusal> {
        let variant = &self.plan.body().variants[self.variant];
        if variant.device != now.device {
            return Err(Refusal::new(
                STAGE,
                Reason::DeviceLacksChannel,
                format!(
                    "Variant {} is for {:?}, this is {:?}.",
                    variant.name, variant.device, now.device
                ),
            )
            .about(self.record.id().to_string())
            .next("Choose the variant of this device."));
        }
        Ok(())
    }

    fn evidence_stands(&self, now: &Current<'_>) -> Result<(), Refusal> {
        for evidence_use in &self.evidence {
            match now.authorities.disposition(evidence_use) {
                Disposition::Valid { .. } => {}
                gone => return Err(gone.refusal(evidence_use).during(STAGE)),
            }
        }
        Ok(())
    }

    fn decisions_stand(&self, now: &Current<'_>) -> Result<(), Refusal> {
        for decision in &self.decisions {
            let text = match now.authorities.decision(decision) {
                Answer::Known(standing) => match standing.lapse() {
                    None => continue,
                    Some(lapse) => format!("The qualification {decision} {lapse}."),
                },
                Answer::Absent => format!("Custody no longer knows the qualification {decision}."),
                Answer::Tampered(why) => format!("The custody of {decision} is damaged: {why}"),
            };
            return Err(Refusal::new(STAGE, Reason::QualificationWithdrawn, text)
                .about(decision.clone())
                .next("Admit again; what rested on this decision may be study-only now."));
        }
        Ok(())
    }

    fn study_runs(&self, now: &Current<'_>) -> Result<(), Refusal> {
        let Some((reference, documents)) = &self.study else {
            return Ok(());
        };
        let grant =
            forma::running_study(now.authorities, reference).map_err(|refusal| refusal.during(STAGE))?;
        let text = if &grant.documents != documents {
            format!("The study authorization {reference} rests on other documents by now.")
        } else if !grant.treatments.contains(&self.plan.body().graph_id) {
            format!("The study authorization {reference} names other treatments by now.")
        } else if !grant.devices.contains(&now.device) {
            format!("The study authorization {reference} is not for {:?}.", now.device)
        } else {
            return Ok(());
        };
        Err(Refusal::new(STAGE, Reason::WrongAuthorization, text)
            .about(reference.clone())
            .next("Ask the study's owner for a current authorization."))
    }
}
