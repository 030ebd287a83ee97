//! What is active, what the manifest, the session projection and the artifact list say of it.

use std::collections::BTreeMap;

use forma::FormaRecord;
use identity::{Digest, Fingerprint, SafeInteger, canonical};
use investigation::Context;
use knowledge::Manifest as KnowledgeManifest;
use obligations::ObligationSet;
use plan::Plan;
use representation::Graph;
use snapshot::Snapshot;

use crate::contents::{Bodies, Contents};
use crate::error::{PackageError, Problem};
use crate::events;
use crate::members::{FORMA, MANIFEST, RECEIPTS, SESSION};
use crate::references::{artifacts, same};
use crate::wire::v4::{
    ArtifactRef, DATASET_ALGORITHM, Event, Identities, Manifest, Origin, SESSION_ALGORITHM, SOFTWARE,
    Session, StaticCapture,
};

type Checked = Result<(), PackageError>;

/// The recorded decision, value by value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) context: &'a Context,
    pub(crate) obligations: &'a ObligationSet,
    pub(crate) graph: &'a Graph,
    pub(crate) manifest: &'a KnowledgeManifest,
    pub(crate) record: &'a FormaRecord,
    pub(crate) plan: &'a Plan,
}

/// Looks the active decision up.
pub(crate) fn active(contents: &Bodies) -> Result<Active<'_>, PackageError> {
    let dangling =
        |pointer: &str, name: String| PackageError::reference(FORMA, pointer, Problem::Dangling(name));
    let wanted = contents.links.active_result_id;
    let record = contents.results.iter().find(|result| result.id() == wanted);
    let record = record.ok_or_else(|| dangling("/activeResultId", wanted.to_string()))?;
    let body = record.body();
    let inputs = &body.input_commitments;
    macro_rules! find {
        ($table:expr, $id:expr) => {
            $table
                .iter()
                .find(|value| value.id() == $id)
                .ok_or_else(|| dangling("/activeResultId", $id.to_string()))?
        };
    }
    Ok(Active {
        snapshot: find!(contents.snapshots, inputs.snapshot_id),
        context: find!(contents.history.contexts, inputs.context_id),
        obligations: find!(contents.obligation_sets, inputs.obligation_set_id),
        graph: find!(contents.graphs, inputs.graph_id),
        manifest: find!(contents.manifests, inputs.knowledge_manifest_id),
        plan: find!(contents.plans, body.plan_id),
        record,
    })
}

/// The links of `investigation/forma.json`, the ledger and the session projection.
pub(crate) fn check(contents: &Contents) -> Checked {
    let links = &contents.links;
    same(
        FORMA,
        "/envelopeVersion",
        "the envelope version",
        &1,
        &links.envelope_version.get(),
    )?;
    let StaticCapture::None { reason } = &links.static_capture;
    if reason.is_empty() {
        let problem = Problem::Dangling("a reason why nothing is captured".to_owned());
        return Err(PackageError::reference(FORMA, "/staticCapture/reason", problem));
    }
    let active = active(contents)?;
    same(
        FORMA,
        "/contextRef",
        "the active result's context",
        &active.context.id(),
        &links.context_ref,
    )?;
    crate::supposed::links(contents, active.record)?;
    let bindings = digest_of(&active.plan.body().bindings)?;
    same(
        FORMA,
        "/epistemicBindingsRef",
        "the bindings' digest",
        &bindings,
        &links.epistemic_bindings_ref,
    )?;
    if links.generation_record_ref.generated_by != active.graph.body().generated_by {
        let problem = Problem::disagrees("the author of the graph", "another", "this");
        return Err(PackageError::reference(
            FORMA,
            "/generationRecordRef/generatedBy",
            problem,
        ));
    }
    let graph = active.graph.body();
    let is_by_recipe = graph.recipe_ref.is_some() && graph.generated_by.kind == "RECIPE";
    if links.generation_record_ref.origin == (Origin::Recipe {}) && !is_by_recipe {
        let problem = Problem::disagrees("how the graph came about", "SUBMITTED", "RECIPE");
        return Err(PackageError::reference(
            FORMA,
            "/generationRecordRef/origin",
            problem,
        ));
    }
    if !active
        .plan
        .body()
        .variants
        .iter()
        .any(|variant| variant.name == links.active_variant)
    {
        let problem = Problem::Dangling(format!("variant {}", links.active_variant));
        return Err(PackageError::reference(FORMA, "/activeVariant", problem));
    }
    derivation(contents)?;
    events::check(contents)?;
    session(contents, &active)
}

/// An adaptation is of another result, and says in what it differs.
fn derivation(contents: &Contents) -> Checked {
    let Some(derivation) = &contents.links.derived_from else {
        return Ok(());
    };
    if derivation.result_id == contents.links.active_result_id {
        let problem = Problem::disagrees("the result it was adapted from", "another result", "itself");
        return Err(PackageError::reference(FORMA, "/derivedFrom/resultId", problem));
    }
    if derivation
        .differences
        .iter()
        .all(|difference| difference.trim().is_empty())
    {
        let problem = Problem::Dangling("a difference from what it was adapted from".to_owned());
        return Err(PackageError::reference(
            FORMA,
            "/derivedFrom/differences",
            problem,
        ));
    }
    Ok(())
}

fn digest_of<T: serde::Serialize>(value: &T) -> Result<Digest, PackageError> {
    canonical::digest(value).map_err(|error| PackageError::Body {
        member: FORMA.to_owned(),
        pointer: error.pointer().to_owned(),
        why: error.to_string(),
    })
}

/// The V3 projection is the one that the other members give.
fn session(contents: &Contents, active: &Active<'_>) -> Checked {
    let session = &contents.session;
    let fingerprint = &active.snapshot.body().analytical_dataset_fingerprint;
    let at = |pointer: &str, what: &'static str, expected: &dyn ToString, found: &dyn ToString| {
        same(SESSION, pointer, what, &expected.to_string(), &found.to_string())
    };
    at("/schemaVersion", "the version", &3, &session.schema_version.get())?;
    at(
        "/algorithm",
        "the algorithm",
        &SESSION_ALGORITHM,
        &session.algorithm,
    )?;
    at(
        "/datasetFingerprint",
        "the dataset",
        fingerprint,
        &session.dataset_fingerprint,
    )?;
    at(
        "/immutableDatasetFingerprint",
        "the dataset",
        fingerprint,
        &session.immutable_dataset_fingerprint,
    )?;
    at(
        "/kernelVersion",
        "the kernel",
        &contents.receipts.bundle().kernel_version,
        &session.kernel_version,
    )?;
    let state = &session.analytical_state;
    at(
        "/analyticalState/datasetVersion",
        "the dataset's version",
        &1,
        &state.dataset_version.get(),
    )?;
    at(
        "/analyticalState/datasetFingerprint",
        "the dataset",
        fingerprint,
        &state.dataset_fingerprint,
    )?;
    let columns = contents.recipe.body().columns.len();
    at(
        "/analyticalState/columnCount",
        "the number of columns",
        &columns,
        &state.column_count.get(),
    )?;
    let rows = contents
        .snapshots
        .iter()
        .flat_map(|snapshot| &snapshot.body().sources)
        .filter_map(|source| source.provenance.as_ref())
        .find(|provenance| provenance.total_rows != state.row_count);
    if let Some(provenance) = rows {
        at(
            "/analyticalState/rowCount",
            "the number of rows",
            &provenance.total_rows.get(),
            &state.row_count.get(),
        )?;
    }
    let text = |hashes: &[Fingerprint]| {
        hashes
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    at(
        "/eventHashes",
        "the list of event hashes",
        &text(&events::hashes(&contents.events)?),
        &text(&session.event_hashes),
    )?;
    let results: Vec<String> = events::results(&contents.events)
        .iter()
        .map(|digest| digest.replace("sha256:", ""))
        .collect();
    at(
        "/resultHashes",
        "the list of result hashes",
        &results.join(" "),
        &text(&session.result_hashes),
    )?;
    for (pointer, hashes) in [
        ("/structureHashes", &session.structure_hashes),
        ("/observationHashes", &session.observation_hashes),
        ("/findingHashes", &session.finding_hashes),
        ("/annotationHashes", &session.annotation_hashes),
        ("/discoveryEpisodeHashes", &session.discovery_episode_hashes),
        ("/nilOutcomeHashes", &session.nil_outcome_hashes),
    ] {
        if let Some(hash) = hashes.first() {
            let problem = Problem::Dangling(format!("the entity with hash {hash}"));
            return Err(PackageError::reference(SESSION, pointer, problem));
        }
    }
    if session.governed_evidence.envelope != *contents.receipts.to_wire() {
        let problem = Problem::disagrees(
            "the receipt envelope",
            format!("the value of {RECEIPTS}"),
            "another",
        );
        return Err(PackageError::reference(
            SESSION,
            "/governedEvidence/envelope",
            problem,
        ));
    }
    // A canonical member: the digest of its bytes is the digest of its value.
    let member = digest_of(contents.receipts.to_wire())?;
    at(
        "/governedEvidence/memberDigest",
        "the digest of the receipts",
        &member.hex(),
        &session.governed_evidence.member_digest,
    )
}

/// The projection of a capture.
pub(crate) fn project(contents: &Bodies, ledger: &[Event], n_rows: usize) -> Result<Session, PackageError> {
    let active = active(contents)?;
    let dataset_fingerprint = active.snapshot.body().analytical_dataset_fingerprint;
    let bare = |digest: Digest| Fingerprint::from_bytes(*digest.as_bytes());
    let results = events::results(ledger);
    let result_hashes = results
        .iter()
        .filter_map(|digest| Digest::parse(digest).ok())
        .map(bare)
        .collect();
    Ok(Session {
        schema_version: SafeInteger::from(3),
        algorithm: SESSION_ALGORITHM.to_owned(),
        dataset_fingerprint,
        immutable_dataset_fingerprint: dataset_fingerprint,
        kernel_version: contents.receipts.bundle().kernel_version.clone(),
        analytical_state: crate::wire::v4::AnalyticalState {
            dataset_version: SafeInteger::from(1),
            dataset_fingerprint,
            row_count: count(n_rows),
            column_count: count(contents.recipe.body().columns.len()),
        },
        event_hashes: events::hashes(ledger)?,
        result_hashes,
        structure_hashes: Vec::new(),
        observation_hashes: Vec::new(),
        finding_hashes: Vec::new(),
        annotation_hashes: Vec::new(),
        discovery_episode_hashes: Vec::new(),
        nil_outcome_hashes: Vec::new(),
        governed_evidence: crate::wire::v4::GovernedEvidence {
            envelope: contents.receipts.to_wire().clone(),
            member_digest: bare(digest_of(contents.receipts.to_wire())?),
        },
    })
}

fn count(value: usize) -> SafeInteger {
    let value = i64::try_from(value)
        .ok()
        .and_then(|value| SafeInteger::new(value).ok());
    value.expect("nothing in memory is counted beyond 2^53")
}

/// The artifact list, the bodies' needs and the members are the same set.
pub(crate) fn check_artifacts(contents: &Contents, members: &BTreeMap<Digest, u64>) -> Checked {
    let needed = artifacts(contents)?;
    let listed: &[ArtifactRef] = contents.links.artifacts.as_slice();
    for (idx, artifact) in listed.iter().enumerate() {
        let at = format!("/artifacts/{idx}");
        let digest = artifact.digest;
        let problem = match (needed.get(&digest), members.get(&digest)) {
            (None, _) => Problem::Unreferenced(digest.to_string()),
            (Some(role), _) if *role != artifact.role => {
                Problem::disagrees("the role", format!("{role:?}"), format!("{:?}", artifact.role))
            }
            (Some(_), None) => Problem::ArtifactMissing(digest.to_string()),
            (Some(_), Some(bytes)) if *bytes != artifact.length => {
                Problem::disagrees("the length", bytes, artifact.length)
            }
            (Some(_), Some(_)) => continue,
        };
        return Err(PackageError::reference(FORMA, at, problem));
    }
    let is_listed = |digest: &Digest| contents.links.artifacts.contains_key(&digest.to_string());
    if let Some(digest) = needed.keys().find(|digest| !is_listed(digest)) {
        return Err(PackageError::reference(
            FORMA,
            "/artifacts",
            Problem::Dangling(digest.to_string()),
        ));
    }
    match members.keys().find(|digest| !is_listed(digest)) {
        None => Ok(()),
        Some(digest) => {
            let name = crate::members::artifact_name(digest);
            Err(PackageError::reference(
                &name,
                "",
                Problem::Unreferenced(digest.to_string()),
            ))
        }
    }
}

/// The identities of the active decision.
pub(crate) fn identities(active: &Active<'_>) -> Identities {
    Identities {
        dataset_fingerprint: active.snapshot.body().analytical_dataset_fingerprint,
        dataset_identity_algorithm: DATASET_ALGORITHM.to_owned(),
        snapshot_id: active.snapshot.id(),
        context_id: active.context.id(),
        obligation_set_id: active.obligations.id(),
        graph_id: active.graph.id(),
        knowledge_manifest_id: active.manifest.id(),
        plan_id: active.plan.id(),
        result_id: active.record.id(),
    }
}

/// The manifest states the active decision and the software behind it.
pub(crate) fn check_manifest(contents: &Contents, manifest: &Manifest) -> Checked {
    let active = active(contents)?;
    let expected = identities(&active);
    let found = &manifest.identities;
    let at = |member: &str, what: &'static str, expected: &dyn ToString, found: &dyn ToString| {
        same(
            MANIFEST,
            format!("/identities/{member}"),
            what,
            &expected.to_string(),
            &found.to_string(),
        )
    };
    at(
        "datasetFingerprint",
        "the dataset",
        &expected.dataset_fingerprint,
        &found.dataset_fingerprint,
    )?;
    at(
        "datasetIdentityAlgorithm",
        "the algorithm",
        &expected.dataset_identity_algorithm,
        &found.dataset_identity_algorithm,
    )?;
    at(
        "snapshotId",
        "the snapshot",
        &expected.snapshot_id,
        &found.snapshot_id,
    )?;
    at(
        "contextId",
        "the context",
        &expected.context_id,
        &found.context_id,
    )?;
    at(
        "obligationSetId",
        "the obligation set",
        &expected.obligation_set_id,
        &found.obligation_set_id,
    )?;
    at("graphId", "the graph", &expected.graph_id, &found.graph_id)?;
    at(
        "knowledgeManifestId",
        "the knowledge",
        &expected.knowledge_manifest_id,
        &found.knowledge_manifest_id,
    )?;
    at("planId", "the plan", &expected.plan_id, &found.plan_id)?;
    at("resultId", "the result", &expected.result_id, &found.result_id)?;
    let software = &manifest.software;
    same(
        MANIFEST,
        "/software/name",
        "the software",
        &SOFTWARE.to_owned(),
        &software.name,
    )?;
    let kernel = &contents.receipts.bundle().kernel_version;
    same(
        MANIFEST,
        "/software/kernelVersion",
        "the kernel",
        kernel,
        &software.kernel_version,
    )?;
    if software.compiler != active.plan.body().compiler_ref {
        let problem = Problem::disagrees(
            "the compiler",
            &active.plan.body().compiler_ref.id,
            &software.compiler.id,
        );
        return Err(PackageError::reference(MANIFEST, "/software/compiler", problem));
    }
    Ok(())
}
