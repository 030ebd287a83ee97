//! Looking at history: a capability to draw a recorded plan under a visible mark, and to do nothing else.

use std::collections::BTreeMap;

use adoption::Runtime;
use custody::Custody;
use evidence::{Disposition, Dispositions as _};
use forma::FormaRecord;
use forma::wire::v1::PermittedUse;
use identity::{Digest, Identity};
use kernels::leaf::{Columns, LeafLimits};
use package::wire::v4::InvestigationKind;
use package::{Limits, Opened};
use plan::Plan;

use crate::ReplayError;

/// Permission to draw a recorded plan as history, in one run of the program.
///
/// It holds what is drawn and the mark that is drawn over it. It is minted here alone, not copied, not stored, and not
/// turned into what makes a view current:
///
/// ```compile_fail,E0599
/// fn copy(one: &replay::HistoricalInspection) -> replay::HistoricalInspection { one.clone() }
/// ```
///
/// ```compile_fail,E0277
/// fn read<T: serde::de::DeserializeOwned>() {}
/// read::<replay::HistoricalInspection>();
/// ```
///
/// ```compile_fail,E0277
/// fn promote(history: replay::HistoricalInspection) -> adoption::Adopted { history.into() }
/// ```
///
/// ```compile_fail,E0308
/// fn mint(history: &replay::HistoricalInspection, now: &adoption::Current<'_>) {
///     let _ = adoption::mint::<forma::Production>(history, "desktop", now);
/// }
/// ```
///
/// ```
/// fn look(history: &replay::HistoricalInspection) -> (&plan::Plan, &str) { (history.plan(), history.mark()) }
/// ```
#[derive(Debug)]
pub struct HistoricalInspection {
    package: Identity<InvestigationKind>,
    runtime: Runtime,
    record: FormaRecord,
    plan: Plan,
    variant: String,
    leaves: BTreeMap<Digest, Columns>,
    mark: String,
}

impl HistoricalInspection {
    /// The package that is inspected.
    #[must_use]
    pub fn package(&self) -> Identity<InvestigationKind> {
        self.package
    }

    /// Whether this is the run it was minted in; in any other it draws nothing.
    #[must_use]
    pub fn belongs_to(&self, runtime: &Runtime) -> bool {
        self.runtime == *runtime
    }

    /// The recorded result.
    #[must_use]
    pub fn record(&self) -> &FormaRecord {
        &self.record
    }

    /// The recorded plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The recorded variant.
    #[must_use]
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// The recorded bulk values.
    #[must_use]
    pub fn leaves(&self) -> &BTreeMap<Digest, Columns> {
        &self.leaves
    }

    /// The sentence that stands over the picture as long as it is shown.
    #[must_use]
    pub fn mark(&self) -> &str {
        &self.mark
    }
}

/// Permits looking at a package as history, in this run.
///
/// # Errors
/// [`ReplayError::StudyProhibits`] for a study's package unless the study's owner says that it runs;
/// [`ReplayError::Refused`] when the recorded values can't be read; [`ReplayError::Package`] when the file changed.
pub fn inspect(
    opened: &Opened,
    custody: &Custody,
    runtime: &Runtime,
) -> Result<HistoricalInspection, ReplayError> {
    let record = opened.record();
    if record.body().permitted_use == PermittedUse::StudyOnly {
        study(record, custody)?;
    }
    let most = Limits::DEFAULT.container.max_member_bytes;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut leaves = BTreeMap::new();
    for digest in opened.leaves() {
        let bytes = opened.artifact(&digest, most)?;
        let columns =
            Columns::from_bytes(&bytes, &LeafLimits::DEFAULT).map_err(|error| ReplayError::Refused {
                what: "reading recorded values",
                refusal: Box::new(error.refusal()),
            })?;
        leaves.insert(digest, columns);
    }
    Ok(HistoricalInspection {
        package: opened.investigation_digest(),
        runtime: runtime.clone(),
        record: record.clone(),
        plan: opened.plan().clone(),
        variant: opened.active_variant().to_owned(),
        leaves,
        mark: mark(record, custody),
    })
}

fn study(record: &FormaRecord, custody: &Custody) -> Result<(), ReplayError> {
    let reference = record
        .body()
        .authorization_reference
        .as_deref()
        .unwrap_or_default();
    let why = match forma::running_study(custody, reference) {
        Ok(grant) if Some(&grant.documents) == record.body().study.as_ref() => return Ok(()),
        Ok(_) => format!("the authorization {reference} is for another study by now"),
        Err(refusal) => refusal.cause().text.clone(),
    };
    Err(ReplayError::StudyProhibits { why })
}

fn mark(record: &FormaRecord, custody: &Custody) -> String {
    let mut doubts: Vec<String> = Vec::new();
    for entry in &record.body().evidence_dispositions {
        let standing = custody.disposition(&entry.evidence_use);
        if !matches!(standing, Disposition::Valid { .. }) {
            doubts.push(format!(
                "{} is {} now",
                entry.evidence_use.receipt_id,
                standing.word()
            ));
        }
    }
    doubts.sort();
    let doubts = if doubts.is_empty() {
        String::new()
    } else {
        format!("; {}", doubts.join("; "))
    };
    format!("HISTORICAL: a recorded picture, not admitted for use now{doubts}")
}
