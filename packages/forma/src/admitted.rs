//! The answers: admitted for a purpose, or refused.

use std::marker::PhantomData;

use plan::Plan;
use refusal::{Diagnostics, Refusal};

use crate::FormaRecord;
use crate::wire::v1::{InputCommitments, PermittedUse};

mod sealed {
    pub trait Sealed {}
}

/// A purpose an embodiment can be admitted for. Sealed: [`Production`] and [`StudyOnly`] are all there are, and no
/// conversion between them exists.
pub trait Purpose: sealed::Sealed {
    /// The permitted use this purpose stands for.
    const USE: PermittedUse;
}

/// May be shown as a claim.
#[derive(Debug)]
pub enum Production {}

/// May be executed only inside the authorized study.
#[derive(Debug)]
pub enum StudyOnly {}

impl sealed::Sealed for Production {}
impl sealed::Sealed for StudyOnly {}
impl Purpose for Production {
    const USE: PermittedUse = PermittedUse::Production;
}
impl Purpose for StudyOnly {
    const USE: PermittedUse = PermittedUse::StudyOnly;
}

/// An admitted embodiment. Only [`crate::admit`] makes one; it can't be cloned, decoded or converted.
///
/// ```compile_fail
/// fn forge(record: forma::FormaRecord, plan: plan::Plan) -> forma::Admitted<forma::Production> {
///     forma::Admitted { record, plan, purpose: std::marker::PhantomData }
/// }
/// ```
///
/// ```compile_fail
/// fn promote(study: forma::Admitted<forma::StudyOnly>) -> forma::Admitted<forma::Production> {
///     study.into()
/// }
/// ```
///
/// ```compile_fail
/// fn copy(one: &forma::Admitted<forma::Production>) -> forma::Admitted<forma::Production> {
///     one.clone()
/// }
/// ```
#[derive(Debug)]
pub struct Admitted<P: Purpose> {
    record: FormaRecord,
    plan: Plan,
    purpose: PhantomData<P>,
}

impl<P: Purpose> Admitted<P> {
    pub(crate) fn new(record: FormaRecord, plan: Plan) -> Self {
        Self {
            record,
            plan,
            purpose: PhantomData,
        }
    }

    /// The inert record.
    #[must_use]
    pub fn record(&self) -> &FormaRecord {
        &self.record
    }

    /// The inert plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// Admitted, for one purpose or the other.
#[derive(Debug)]
pub enum Admission {
    /// For production.
    Production(Admitted<Production>),
    /// For one study.
    StudyOnly(Admitted<StudyOnly>),
}

impl Admission {
    /// The inert record.
    #[must_use]
    pub fn record(&self) -> &FormaRecord {
        match self {
            Self::Production(admitted) => admitted.record(),
            Self::StudyOnly(admitted) => admitted.record(),
        }
    }

    /// The inert plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        match self {
            Self::Production(admitted) => admitted.plan(),
            Self::StudyOnly(admitted) => admitted.plan(),
        }
    }
}

/// Refused: every diagnostic, and what was looked at. Carries no plan and no capability.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Every problem found, in stage order.
    pub diagnostics: Diagnostics,
    /// What was looked at.
    pub commitments: Box<InputCommitments>,
}

impl Refused {
    /// The first refusal of the first failing stage.
    ///
    /// # Panics
    /// Never: a `Refused` is built only from a non-empty collection.
    #[must_use]
    pub fn primary(&self) -> &Refusal {
        self.diagnostics
            .primary()
            .expect("a refused admission has at least one diagnostic")
    }
}
