//! The authorization, its recheck, the adoption it is consumed by.

use forma::wire::v1::PermittedUse;
use forma::{Admitted, FormaRecord, Purpose};
use plan::Plan;
use plan::wire::v1::Variant;
use refusal::{Reason, Refusal};

use crate::Current;
use crate::bound::{Bound, STAGE};

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
/// since it was admitted. It is bound to the result, the variant, this run and its generation, the registration, the
/// activation, the policies, each evidence use and each qualification decision at the revision under which it was
/// admitted, the purpose, and in a study to the owner's grant as it stands now.
///
/// # Errors
/// A [`Refusal`] at stage `ADOPTION_RECHECK`: stale activation, other dataset, other device, evidence or qualification
/// that no longer stands or stands at another revision, a policy that is no longer pinned, a study that ended.
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
    let bound = Bound::to::<P>(record, plan, index, now)?;
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
        self.bound.variant()
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

    /// For what it may be shown: a view that is for a study alone says so wherever it is seen.
    #[must_use]
    pub fn permitted_use(&self) -> PermittedUse {
        self.bound.permitted_use()
    }

    /// Whether it could still be adopted: what is staged under one that could not is released at once.
    ///
    /// # Errors
    /// The [`Refusal`] of the first recheck that fails.
    pub fn recheck(&self, now: &Current<'_>) -> Result<(), Refusal> {
        self.bound.recheck(now)
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
        self.bound.variant()
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

    /// For what it may be shown.
    #[must_use]
    pub fn permitted_use(&self) -> PermittedUse {
        self.bound.permitted_use()
    }

    /// Whether a view that has been in force for so many seconds may stay: a study bounds how long one participant is
    /// exposed to one treatment. Outside a study time bounds nothing.
    ///
    /// # Errors
    /// A [`Refusal`] once the bound is passed; revoke it.
    pub fn exposed_for(&self, seconds: u64) -> Result<(), Refusal> {
        self.bound.exposed_for(seconds)
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
