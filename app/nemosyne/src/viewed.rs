//! A package that is looked at: what it recorded, and whether it may be shown now.

use std::path::Path;

use adoption::Runtime;
use custody::Custody;
use identity::Digest;
use kernels::leaf::Columns;
use knowledge::wire::v1::DeviceClass;
use obligations::wire::v1::Class;
use package::Opened;
use plan::wire::v1::Variant;
use refusal::{Reason, Refusal, Stage};
use replay::{HistoricalInspection, Judgment, Readmitted};

use crate::explain::Shown;
use crate::output::Stop;
use crate::{files, runtime};

/// Everything that is needed to show a package and to explain what is shown.
pub(crate) struct Viewed {
    pub(crate) custody: Custody,
    pub(crate) opened: Opened,
    pub(crate) readmitted: Readmitted,
    pub(crate) device: DeviceClass,
    rows: Digest,
}

impl Viewed {
    /// Opens a package and has it admitted now; `device` is the recorded one unless another is asked for.
    ///
    /// # Errors
    /// The refusal of the package, or of the door.
    pub(crate) fn open(path: &Path, device: Option<DeviceClass>) -> Result<Self, Stop> {
        let custody = runtime::custody()?;
        let opened = files::open_package(path)?;
        let device = device.unwrap_or(opened.record().body().input_commitments.device);
        let readmitted = replay::readmit(&opened, &custody, device).map_err(|refused| *refused)?;
        let rows = opened.rows().ok_or_else(|| {
            Refusal::new(
                Stage::DecodeIntegrity,
                Reason::ArtifactMissing,
                "The package holds no rows to draw.",
            )
            .next("Ask its author for the whole package.")
        })?;
        Ok(Self {
            custody,
            opened,
            readmitted,
            device,
            rows,
        })
    }

    /// The variant for the device.
    ///
    /// # Errors
    /// A refusal when the plan has none.
    pub(crate) fn variant(&self) -> Result<&Variant, Refusal> {
        let plan = self.readmitted.admission.plan();
        plan.body()
            .variants
            .iter()
            .find(|variant| variant.device == self.device)
            .ok_or_else(|| {
                Refusal::new(
                    Stage::AdoptionRecheck,
                    Reason::DeviceLacksChannel,
                    format!("The plan has no variant for {:?}.", self.device),
                )
                .about(plan.id().to_string())
                .next("Admit for this device, or choose one of the plan's variants.")
            })
    }

    /// The rows that are drawn.
    ///
    /// # Errors
    /// A refusal when the rows that were computed anew are not the recorded ones.
    pub(crate) fn leaf(&self) -> Result<&Columns, Refusal> {
        self.readmitted.leaves().get(&self.rows).ok_or_else(|| {
            Refusal::new(
                Stage::DecodeIntegrity,
                Reason::ArtifactMissing,
                "The recorded rows were not computed anew.",
            )
            .about(self.rows.to_string())
            .next("Verify the package.")
        })
    }

    /// What explains any property of what is shown.
    ///
    /// # Errors
    /// As [`Self::variant`] and [`Self::leaf`].
    pub(crate) fn shown(&self) -> Result<Shown<'_>, Refusal> {
        Ok(Shown {
            plan: self.readmitted.admission.plan(),
            record: self.readmitted.admission.record(),
            snapshot: self.opened.snapshot(),
            receipts: self.opened.receipts().bundle(),
            leaf: self.leaf()?,
            variant: self.variant()?,
        })
    }

    /// The five facts.
    pub(crate) fn judgment(&self) -> Judgment {
        replay::judge_opened(&self.opened, &self.custody)
    }

    /// What was asked, or that nothing was recorded.
    pub(crate) fn question(&self) -> String {
        question(&self.opened)
    }

    /// What must be kept, with how it stands on the shown variant: class, status, sentence.
    pub(crate) fn coverage(&self) -> Vec<(Class, String, String)> {
        let name = self.variant().map_or("", |variant| variant.name.as_str());
        let mut rows: Vec<(Class, String, String)> = self
            .readmitted
            .admission
            .record()
            .body()
            .coverage
            .iter()
            .filter(|entry| entry.variant == name)
            .map(|entry| (entry.class, entry.status.clone(), entry.sentence.clone()))
            .collect();
        rows.sort();
        rows
    }
}

/// A package that is looked at as history: what was recorded, and beside it what may be done with it now.
pub(crate) struct Inspected {
    pub(crate) opened: Opened,
    pub(crate) history: HistoricalInspection,
    pub(crate) judgment: Judgment,
    pub(crate) runtime: Runtime,
}

impl Inspected {
    /// Opens a package for inspection; whether it may be used now is told and changes nothing.
    ///
    /// # Errors
    /// The refusal of the package, or of a study that is not running.
    pub(crate) fn open(path: &Path) -> Result<Self, Stop> {
        let custody = runtime::custody()?;
        let opened = files::open_package(path)?;
        let runtime = Runtime::new(runtime::instance());
        let history = replay::inspect(&opened, &custody, &runtime).map_err(|error| error.refusal())?;
        let judgment = replay::judge_opened(&opened, &custody);
        Ok(Self {
            opened,
            history,
            judgment,
            runtime,
        })
    }

    /// The recorded device.
    pub(crate) fn device(&self) -> DeviceClass {
        self.opened.record().body().input_commitments.device
    }

    /// What was asked, or that nothing was recorded.
    pub(crate) fn question(&self) -> String {
        question(&self.opened)
    }
}

fn question(opened: &Opened) -> String {
    use investigation::wire::v2::Intent;
    match &opened.context().body().intent {
        Intent::Present { value } => value.research_question.clone().unwrap_or_default(),
        Intent::LegacyAbsent {} => "No question was recorded.".to_owned(),
    }
}
