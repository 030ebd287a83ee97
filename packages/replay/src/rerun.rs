//! The facts computed again: from the exact bytes to the snapshot, compared with the record step by step.

use std::collections::BTreeMap;

use dataset::Dataset;
use evidence::{AdmissionPolicy, EvidenceEnvelope, ProfileRegistry};
use identity::Digest;
use kernels::leaf::Columns;
use kernels::wire::v1::Request;
use kernels::{Analysis, AnalyticalPort, InProcess, Listener};
use package::wire::v4::EventKind;
use package::{Limits, Opened};
use snapshot::Snapshot;
use snapshot::wire::v1::State;

use crate::trail::Trail;
use crate::{ReplayError, implementations};

/// What the recorded bytes, recipe and requests give with the implementations of this program: equal to the record in
/// every identity and digest. Only [`rerun`] makes one, so whoever holds it need not believe the package.
#[derive(Debug)]
pub struct Rerun {
    dataset: Dataset,
    bytes: Vec<u8>,
    analyses: Vec<Analysis>,
    receipts: EvidenceEnvelope,
    leaves: BTreeMap<Digest, Columns>,
    snapshot: Snapshot,
}

impl Rerun {
    /// The dataset.
    #[must_use]
    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// The exact bytes it was imported from.
    #[must_use]
    pub fn dataset_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The analyses in the order in which they were run.
    #[must_use]
    pub fn analyses(&self) -> &[Analysis] {
        &self.analyses
    }

    /// The receipts with their uses.
    #[must_use]
    pub fn receipts(&self) -> &EvidenceEnvelope {
        &self.receipts
    }

    /// The bulk values by digest.
    #[must_use]
    pub fn leaves(&self) -> &BTreeMap<Digest, Columns> {
        &self.leaves
    }

    /// The snapshot.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }
}

/// Imports, analyzes, governs and normalizes again what the package records.
///
/// # Errors
/// [`ReplayError::ImplementationMissing`] when kernel, normalizer or evidence path are of another version,
/// [`ReplayError::Differs`] or [`ReplayError::Refused`] at the first step that does not repeat,
/// [`ReplayError::Package`] when the file changed since it was opened.
pub fn rerun(opened: &Opened) -> Result<Rerun, ReplayError> {
    rerun_by(&InProcess, opened, &mut kernels::unheard)
}

/// As [`rerun`], with the analyses answered by a port of the caller's choice, and somebody who is told how far they are.
///
/// # Errors
/// As [`rerun`]; a canceled analysis is [`ReplayError::Refused`], and nothing of it is left.
pub fn rerun_by(
    port: &dyn AnalyticalPort,
    opened: &Opened,
    listener: &mut Listener<'_>,
) -> Result<Rerun, ReplayError> {
    rerun_along(port, opened, listener, &mut Trail::starting(Vec::new()))
}

/// As [`rerun`], noting each step.
pub(crate) fn rerun_along(
    port: &dyn AnalyticalPort,
    opened: &Opened,
    listener: &mut Listener<'_>,
    trail: &mut Trail,
) -> Result<Rerun, ReplayError> {
    if let Some(missing) = implementations::facts(opened).first() {
        return Err(missing.error());
    }
    let recorded = opened.snapshot().body();
    let bytes = raw(opened)?;
    let dataset = import(opened, &bytes)?;
    trail.held("dataset", dataset.fingerprint());
    let analyses = analyze(port, opened, &dataset, listener, trail)?;

    trail.step("receipts");
    let refused = |what| {
        move |refusal| ReplayError::Refused {
            what,
            refusal: Box::new(refusal),
        }
    };
    let (bundle, attestation) = kernels::bundle(&dataset, &analyses)
        .map_err(|error| refused("bundling receipts")(error.refusal()))?;
    let (registry, policy) = (ProfileRegistry::forma_v1(), AdmissionPolicy::forma_v1());
    let uses = evidence::uses(&bundle, &attestation, &registry, &policy)
        .map_err(|error| refused("governing receipts")(error.refusal()))?;
    let receipts = EvidenceEnvelope::new(bundle, &uses)
        .map_err(|error| refused("governing receipts")(error.refusal()))?;
    let digest = |envelope: &EvidenceEnvelope| {
        identity::canonical::digest(envelope.to_wire())
            .map_or_else(|error| error.to_string(), |digest| digest.to_string())
    };
    if receipts.to_wire() != opened.receipts().to_wire() {
        trail.compare(opened.receipts().to_wire(), receipts.to_wire());
        return Err(differs(
            "the receipts",
            digest(opened.receipts()),
            digest(&receipts),
        ));
    }
    trail.held("receipts", digest(&receipts));
    trail.step("snapshot");
    let unavailable: Vec<(Request, State)> = recorded
        .sources
        .iter()
        .filter(|source| source.analytical_content_ref.is_none())
        .map(|source| (source.request.clone(), source.state.clone()))
        .collect();
    let snapshot = snapshot::normalize(&dataset, &analyses, &uses, &unavailable)
        .map_err(|error| refused("normalizing")(error.refusal()))?;
    if snapshot.id() != opened.snapshot().id() {
        trail.compare(recorded, snapshot.body());
    }
    same("the snapshot", opened.snapshot().id(), snapshot.id())?;
    trail.held("snapshot", snapshot.id());
    let leaves = analyses
        .iter()
        .flat_map(Analysis::leaves_with_bytes)
        .map(|(leaf, _)| (leaf.digest(), leaf.clone()))
        .collect();
    Ok(Rerun {
        dataset,
        bytes,
        analyses,
        receipts,
        leaves,
        snapshot,
    })
}

pub(crate) fn raw(opened: &Opened) -> Result<Vec<u8>, ReplayError> {
    let most = usize::try_from(Limits::DEFAULT.container.max_member_bytes).unwrap_or(usize::MAX);
    Ok(opened.dataset_raw(most)?)
}

pub(crate) fn import(opened: &Opened, bytes: &[u8]) -> Result<Dataset, ReplayError> {
    let dataset = dataset::reimport(bytes, opened.recipe()).map_err(|error| ReplayError::Refused {
        what: "importing again",
        refusal: Box::new(error.refusal()),
    })?;
    same(
        "the dataset",
        opened.identities().dataset_fingerprint,
        dataset.fingerprint(),
    )?;
    Ok(dataset)
}

/// Runs every recorded analysis again, in the recorded order.
fn analyze(
    port: &dyn AnalyticalPort,
    opened: &Opened,
    dataset: &Dataset,
    listener: &mut Listener<'_>,
    trail: &mut Trail,
) -> Result<Vec<Analysis>, ReplayError> {
    let sources = &opened.snapshot().body().sources;
    let mut by_request = BTreeMap::new();
    for source in sources
        .iter()
        .filter(|source| source.analytical_content_ref.is_some())
    {
        by_request.insert(source.analytical_request_digest.to_string(), source);
    }
    let run = opened
        .events()
        .iter()
        .filter(|event| event.kind == EventKind::Analyze);
    let mut analyses = Vec::new();
    for event in run {
        // Another snapshot of the same package may rest on other analyses.
        let Some(source) = by_request.get(&event.detail) else {
            continue;
        };
        trail.step("analysis");
        let answered = port.analyze(dataset, &source.request, listener);
        let analysis = answered.map_err(|error| ReplayError::Refused {
            what: "analyzing again",
            refusal: Box::new(error.refusal()),
        })?;
        let text =
            |digest: Option<Digest>| digest.map_or_else(|| "none".to_owned(), |digest| digest.to_string());
        let content = Some(analysis.content_digest());
        same(
            "the content of an analysis",
            text(source.analytical_content_ref),
            text(content),
        )?;
        trail.held("analysis", analysis.content_digest());
        trail.step("values");
        let leaf = analysis.leaf().map(Columns::digest);
        same("the values of an analysis", text(source.leaf_ref), text(leaf))?;
        let further: Vec<Digest> = analysis.further_leaves().map(Columns::digest).collect();
        let texts = |leaves: &[Digest]| {
            leaves
                .iter()
                .map(Digest::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        };
        same(
            "the further values of an analysis",
            texts(&source.further_leaf_refs),
            texts(&further),
        )?;
        for leaf in leaf.into_iter().chain(further) {
            trail.held("values", leaf);
        }
        analyses.push(analysis);
    }
    Ok(analyses)
}

pub(crate) fn differs(what: &'static str, recorded: impl ToString, rebuilt: impl ToString) -> ReplayError {
    ReplayError::Differs {
        what,
        recorded: recorded.to_string(),
        rebuilt: rebuilt.to_string(),
    }
}

pub(crate) fn same<T: PartialEq + ToString>(
    what: &'static str,
    recorded: T,
    rebuilt: T,
) -> Result<(), ReplayError> {
    if recorded == rebuilt {
        Ok(())
    } else {
        Err(differs(what, recorded, rebuilt))
    }
}
