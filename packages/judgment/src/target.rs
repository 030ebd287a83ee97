//! Whether what a judgment is about is there.

use forma::FormaRecord;
use identity::{Identity, Kind};
use investigation::Context;
use obligations::ObligationSet;
use plan::Plan;
use snapshot::Snapshot;

use crate::JudgmentError;
use crate::wire::v1::{Part, Target};

/// One recorded decision, against which targets are resolved: what a package holds.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The admitted result.
    pub record: &'a FormaRecord,
    /// Its plan.
    pub plan: &'a Plan,
    /// What must be kept.
    pub obligations: &'a ObligationSet,
    /// What was asked.
    pub context: &'a Context,
    /// What was known.
    pub snapshot: &'a Snapshot,
}

impl Ground<'_> {
    /// The target with which a judgment names one part of one variant of this decision.
    ///
    /// # Errors
    /// As [`Ground::resolve`].
    pub fn target(&self, variant: &str, part: Part) -> Result<Target, JudgmentError> {
        let target = Target {
            result_id: self.record.id(),
            plan_id: self.plan.id(),
            variant: variant.to_owned(),
            part,
            context_id: self.context.id(),
            snapshot_id: self.snapshot.id(),
        };
        self.resolve(&target)?;
        Ok(target)
    }

    /// Whether the target is in this decision: the same result, plan, context and snapshot, a variant that the plan
    /// has, and a binding that the variant shows or an obligation that was fixed.
    ///
    /// # Errors
    /// [`JudgmentError::OtherSubject`] for a judgment about another decision, [`JudgmentError::NoVariant`],
    /// [`JudgmentError::NoBinding`] or [`JudgmentError::NoObligation`] for a part that is not there.
    pub fn resolve(&self, target: &Target) -> Result<(), JudgmentError> {
        same("result", target.result_id, self.record.id())?;
        same("plan", target.plan_id, self.plan.id())?;
        same("context", target.context_id, self.context.id())?;
        same("snapshot", target.snapshot_id, self.snapshot.id())?;
        let variants = &self.plan.body().variants;
        if !variants.iter().any(|variant| variant.name == target.variant) {
            return Err(JudgmentError::NoVariant {
                variant: target.variant.clone(),
                known: variants.iter().map(|variant| variant.name.clone()).collect(),
            });
        }
        match target.part {
            Part::Binding { binding_id } => {
                let mut shown = self.plan.body().explanation_index.iter();
                if !shown.any(|entry| entry.variant == target.variant && entry.binding_id == binding_id) {
                    return Err(JudgmentError::NoBinding {
                        binding: binding_id.to_string(),
                        variant: target.variant.clone(),
                    });
                }
            }
            Part::Obligation { obligation_id } => {
                let mut fixed = self.obligations.body().obligations.iter();
                if !fixed.any(|obligation| obligation.id == obligation_id) {
                    return Err(JudgmentError::NoObligation {
                        obligation: obligation_id.to_string(),
                        set: self.obligations.id().to_string(),
                    });
                }
            }
        }
        Ok(())
    }
}

fn same<K: Kind>(what: &'static str, about: Identity<K>, here: Identity<K>) -> Result<(), JudgmentError> {
    if about == here {
        Ok(())
    } else {
        Err(JudgmentError::OtherSubject {
            what,
            about: about.to_string(),
            here: here.to_string(),
        })
    }
}
