//! What an authorization is bound to, and the recheck of all of it against the moment.

use evidence::Disposition;
use evidence::wire::v1::EvidenceUse;
use forma::wire::v1::PermittedUse;
use forma::{Answer, DecisionStanding, FormaRecord, Purpose, StudyGrant};
use investigation::Activation;
use plan::Plan;
use plan::wire::v1::Variant;
use refusal::{Reason, Refusal, Stage};

use crate::{Current, Registration, Runtime, study};

pub(crate) const STAGE: Stage = Stage::AdoptionRecheck;

/// Everything an authorization is bound to. The record's identity commits the revisions, so it is bound to them twice:
/// by what it says and by what it is.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) record: FormaRecord,
    pub(crate) plan: Plan,
    variant: usize,
    runtime: Runtime,
    registration: Registration,
    activation: Activation,
    /// Each use with the revision that said VALID.
    evidence: Vec<(EvidenceUse, u64)>,
    /// Each decision that the variant rests on, with the revision at which it stood.
    decisions: Vec<(String, u64)>,
    /// The study owner's grant, for study use.
    study: Option<StudyGrant>,
}

impl Bound {
    /// Binds a variant of a recorded result to the moment.
    ///
    /// # Errors
    /// The study owner's refusal, and a [`Refusal`] for a record whose revisions are none.
    pub(crate) fn to<P: Purpose>(
        record: &FormaRecord,
        plan: &Plan,
        variant: usize,
        now: &Current<'_>,
    ) -> Result<Self, Refusal> {
        let body = record.body();
        let name = &plan.body().variants[variant].name;
        let evidence = body
            .evidence_dispositions
            .iter()
            .map(|entry| {
                let revision = u64::try_from(entry.revision.get()).map_err(|_| no_revision(record))?;
                Ok((entry.evidence_use.clone(), revision))
            })
            .collect::<Result<_, Refusal>>()?;
        let mut decisions: Vec<(String, u64)> = body
            .perceptual_qualifications
            .iter()
            .filter(|entry| &entry.variant == name)
            .filter_map(|entry| Some((entry.decision.clone()?, entry.decision_revision?)))
            .map(|(decision, revision)| {
                let revision = u64::try_from(revision.get()).map_err(|_| no_revision(record))?;
                Ok((decision, revision))
            })
            .collect::<Result<_, Refusal>>()?;
        decisions.sort();
        decisions.dedup();
        let study = match P::USE {
            PermittedUse::Production => None,
            PermittedUse::StudyOnly => {
                let reference = body.authorization_reference.as_deref().unwrap_or_default();
                Some(study::granted(reference, record, plan, variant, now)?)
            }
        };
        Ok(Self {
            record: record.clone(),
            plan: plan.clone(),
            variant,
            runtime: now.runtime.clone(),
            registration: now.registration.clone(),
            activation: now.activation.clone(),
            evidence,
            decisions,
            study,
        })
    }

    pub(crate) fn variant(&self) -> &Variant {
        &self.plan.body().variants[self.variant]
    }

    pub(crate) fn permitted_use(&self) -> PermittedUse {
        self.record.body().permitted_use
    }

    pub(crate) fn exposed_for(&self, seconds: u64) -> Result<(), Refusal> {
        self.study
            .as_ref()
            .map_or(Ok(()), |grant| study::exposed_for(grant, seconds))
    }

    /// Everything once more, in an order that names the nearest cause: this run, the question, the device, the
    /// policies, the evidence, the decisions, the study.
    ///
    /// # Errors
    /// The [`Refusal`] of the first that fails.
    pub(crate) fn recheck(&self, now: &Current<'_>) -> Result<(), Refusal> {
        self.same_run(now)?;
        self.same_question(now)?;
        self.same_device(now)?;
        self.policies_are_pinned(now)?;
        self.evidence_stands(now)?;
        self.decisions_stand(now)?;
        match &self.study {
            Some(bound) => {
                let grant = study::granted(&bound.reference, &self.record, &self.plan, self.variant, now)?;
                study::same(bound, &grant)
            }
            None => Ok(()),
        }
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
        let about = self.variant().backend.dataset_fingerprint;
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
        let variant = self.variant();
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

    /// What devices resolve, which uses a standing permits, what is owed and to whom: by the same policies as admitted.
    fn policies_are_pinned(&self, now: &Current<'_>) -> Result<(), Refusal> {
        for policy in &self.record.body().input_commitments.policy_refs {
            let text = match now.authorities.policy(&policy.id) {
                Answer::Known(known) if known == *policy => continue,
                Answer::Known(known) => format!(
                    "The plan was admitted under {}@{}; {}@{} is pinned now, with other content.",
                    policy.id, policy.version, known.id, known.version
                ),
                Answer::Absent => format!("The policy {}@{} is no longer pinned.", policy.id, policy.version),
                Answer::Tampered(why) => format!("The policy {} is damaged: {why}", policy.id),
            };
            return Err(Refusal::new(STAGE, Reason::UnauthorizedPolicy, text)
                .about(policy.id.clone())
                .next("Admit again, under the policies that are pinned."));
        }
        Ok(())
    }

    fn evidence_stands(&self, now: &Current<'_>) -> Result<(), Refusal> {
        for (evidence_use, admitted) in &self.evidence {
            match now.authorities.disposition(evidence_use) {
                Disposition::Valid { revision } if revision == *admitted => {}
                Disposition::Valid { revision } => {
                    let subject = format!("receipt {}", evidence_use.receipt_id);
                    return Err(
                        stated_anew(&subject, revision, *admitted).about(evidence_use.receipt_id.clone())
                    );
                }
                gone => return Err(gone.refusal(evidence_use).during(STAGE)),
            }
        }
        Ok(())
    }

    fn decisions_stand(&self, now: &Current<'_>) -> Result<(), Refusal> {
        for (decision, admitted) in &self.decisions {
            let text = match now.authorities.decision(decision) {
                Answer::Known(DecisionStanding::Stands { revision }) if revision == *admitted => continue,
                Answer::Known(DecisionStanding::Stands { revision }) => {
                    let subject = format!("decision {decision}");
                    return Err(stated_anew(&subject, revision, *admitted).about(decision.clone()));
                }
                Answer::Known(standing) => match standing.lapse() {
                    Some(lapse) => format!("The qualification {decision} {lapse}."),
                    None => format!("The qualification {decision} does not stand."),
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
}

/// It stands, and it is not what was looked at: whoever stated it again may have stated something else.
fn stated_anew(subject: &str, revision: u64, admitted: u64) -> Refusal {
    Refusal::new(
        STAGE,
        Reason::Stale,
        format!(
            "The {subject} was stated anew at revision {revision}; admitted under {admitted}; admit again."
        ),
    )
    .next("Admit again: the same question, under the revision that stands.")
}

/// A checked record has no such revision; a defect would show here and not as a permission.
fn no_revision(record: &FormaRecord) -> Refusal {
    Refusal::new(
        STAGE,
        Reason::DispositionUnknown,
        "The record names a revision below zero, at which nothing can have stood.",
    )
    .about(record.id().to_string())
    .next("Admit again.")
}
