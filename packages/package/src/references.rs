//! Every reference between members resolves exactly once, and nothing stands there that nothing refers to.

use std::collections::{BTreeMap, BTreeSet};

use evidence::wire::v1::EvidenceUse;
use identity::{Body, Digest, Identity, Sealed, canonical};
use investigation::{Context, Investigation};
use knowledge::wire::v1::ManifestBody;
use obligations::ObligationSet;
use representation::Graph;
use representation::wire::v2::Semantic;
use snapshot::Snapshot;

use crate::contents::{Bodies, Contents};
use crate::decision;
use crate::error::{PackageError, Problem};
use crate::members::{FORMA, GRAPH, RECEIPTS};
use crate::wire::v4::Role;

pub(crate) type Checked = Result<(), PackageError>;

/// A table by identity, with each value's place in it.
pub(crate) type ById<'a, B> = BTreeMap<Identity<B>, (usize, &'a Sealed<B>)>;

fn by_id<B: Body>(table: &[Sealed<B>]) -> ById<'_, B> {
    table
        .iter()
        .enumerate()
        .map(|(idx, value)| (value.id(), (idx, value)))
        .collect()
}

pub(crate) fn same<T: PartialEq + ToString>(
    member: &str,
    pointer: impl Into<String>,
    what: &'static str,
    expected: &T,
    found: &T,
) -> Checked {
    if expected == found {
        return Ok(());
    }
    let problem = Problem::disagrees(what, expected.to_string(), found.to_string());
    Err(PackageError::reference(member, pointer, problem))
}

pub(crate) fn fault(pointer: String, problem: Problem) -> PackageError {
    PackageError::reference(FORMA, pointer, problem)
}

pub(crate) fn dangling(pointer: String, name: impl ToString) -> PackageError {
    fault(pointer, Problem::Dangling(name.to_string()))
}

/// All tables, ready to be looked up.
pub(crate) struct Tables<'a> {
    pub(crate) contexts: BTreeMap<Identity<investigation::wire::v2::ContextBody>, &'a Context>,
    pub(crate) sets: ById<'a, obligations::wire::v1::ObligationSetBody>,
    pub(crate) proposals: ById<'a, conjecture::wire::v1::ProposalBody>,
    pub(crate) graphs: ById<'a, representation::wire::v2::GraphBody>,
    pub(crate) manifests: ById<'a, ManifestBody>,
    pub(crate) plans: ById<'a, plan::wire::v1::PlanBody>,
    pub(crate) meanings: BTreeMap<Identity<snapshot::wire::v1::SnapshotBody>, Meaning<'a>>,
}

/// What a snapshot offers to refer to.
pub(crate) struct Meaning<'a> {
    pub(crate) sources: BTreeSet<Identity<snapshot::SourceKind>>,
    pub(crate) nodes: BTreeMap<Identity<snapshot::NodeKind>, Identity<snapshot::SourceKind>>,
    pub(crate) uses: BTreeSet<&'a EvidenceUse>,
    pub(crate) leaves: BTreeSet<String>,
}

impl<'a> Meaning<'a> {
    fn of(snapshot: &'a Snapshot) -> Self {
        let body = snapshot.body();
        Self {
            sources: body.sources.iter().map(|source| source.source_id).collect(),
            nodes: body
                .nodes
                .iter()
                .map(|node| (node.node_id, node.source_id))
                .collect(),
            uses: body
                .sources
                .iter()
                .flat_map(|source| &source.evidence_uses)
                .collect(),
            leaves: body
                .sources
                .iter()
                .flat_map(|source| source.leaf_ref.iter().chain(&source.further_leaf_refs))
                .map(|leaf| leaf.to_string())
                .collect(),
        }
    }

    pub(crate) fn source(&self, id: Identity<snapshot::SourceKind>, pointer: &str) -> Checked {
        if self.sources.contains(&id) {
            Ok(())
        } else {
            Err(dangling(format!("{pointer}/sourceId"), id))
        }
    }

    pub(crate) fn node(
        &self,
        source: Identity<snapshot::SourceKind>,
        node: Identity<snapshot::NodeKind>,
        pointer: &str,
    ) -> Checked {
        match self.nodes.get(&node) {
            Some(owner) if *owner == source => Ok(()),
            Some(owner) => same(
                FORMA,
                format!("{pointer}/sourceId"),
                "the node's source",
                owner,
                &source,
            ),
            None => Err(dangling(format!("{pointer}/nodeId"), node)),
        }
    }

    pub(crate) fn evidence(&self, uses: &[EvidenceUse], pointer: &str) -> Checked {
        match uses.iter().find(|one| !self.uses.contains(one)) {
            None => Ok(()),
            Some(one) => Err(dangling(
                pointer.to_owned(),
                format!("the use of receipt {}", one.receipt_id),
            )),
        }
    }
}

/// Follows every reference between the sealed bodies.
pub(crate) fn check(contents: &Contents) -> Checked {
    lineage(contents)?;
    let tables = Tables {
        contexts: contents
            .history
            .contexts
            .iter()
            .map(|context| (context.id(), context))
            .collect(),
        sets: by_id(&contents.obligation_sets),
        proposals: by_id(&contents.proposals),
        graphs: by_id(&contents.graphs),
        manifests: by_id(&contents.manifests),
        plans: by_id(&contents.plans),
        meanings: contents
            .snapshots
            .iter()
            .map(|snapshot| (snapshot.id(), Meaning::of(snapshot)))
            .collect(),
    };
    evidence(contents)?;
    for (idx, set) in contents.obligation_sets.iter().enumerate() {
        obligation_set(&tables, set, &format!("/obligationSets/{idx}/body"))?;
    }
    crate::supposed::proposals(contents, &tables)?;
    for (idx, graph) in contents.graphs.iter().enumerate() {
        proposal(&tables, graph, &format!("/graphs/{idx}/body"))?;
    }
    for (idx, result) in contents.results.iter().enumerate() {
        decision::check(&tables, result, &format!("/results/{idx}/body"))?;
    }
    orphans(contents)?;
    crate::links::check(contents)
}

/// The contexts are what a sequence of commits makes, and the active one is the recorded one.
fn lineage(contents: &Bodies) -> Checked {
    let history = &contents.history;
    // Checks what only commits can have made; the investigation it gives is dropped, and with it its activation.
    let checked = Investigation::from_lineage(history.to_lineage(), "package inspection");
    checked
        .map(drop)
        .map_err(|error| PackageError::reference(GRAPH, "", Problem::Refused(Box::new(error.refusal()))))?;
    let active = history
        .contexts
        .iter()
        .find(|context| context.body().node_id == history.active_node_id);
    let found = contents.links.context_ref;
    match active {
        Some(context) => same(FORMA, "/contextRef", "the active context", &context.id(), &found),
        None => Err(PackageError::reference(
            GRAPH,
            "/activeNodeId",
            Problem::Dangling(history.active_node_id.clone()),
        )),
    }
}

/// Every evidence use of a snapshot finds the receipt it names in the envelope, with the digests it names, and the use
/// is recorded there once.
fn evidence(contents: &Bodies) -> Checked {
    let bundle = contents.receipts.bundle();
    let uncanonical = |error: identity::CanonicalError| PackageError::Body {
        member: RECEIPTS.to_owned(),
        pointer: error.pointer().to_owned(),
        why: error.to_string(),
    };
    let bundle_digest = canonical::digest(bundle).map_err(uncanonical)?;
    let mut receipts: BTreeMap<&str, Digest> = BTreeMap::new();
    for receipt in &bundle.receipts {
        receipts.insert(
            receipt.receipt_id.as_str(),
            canonical::digest(receipt).map_err(uncanonical)?,
        );
    }
    let recorded: BTreeSet<(&str, &str, &str)> = contents
        .receipts
        .uses()
        .iter()
        .map(|one| {
            (
                one.consumer_id.as_str(),
                one.receipt_id.as_str(),
                one.requirement_profile_id.as_str(),
            )
        })
        .collect();
    for (snapshot_idx, snapshot) in contents.snapshots.iter().enumerate() {
        let body = snapshot.body();
        let at = format!("/snapshots/{snapshot_idx}/body");
        let fingerprint = &bundle.dataset_fingerprint;
        same(
            FORMA,
            format!("{at}/analyticalDatasetFingerprint"),
            "the dataset",
            fingerprint,
            &body.analytical_dataset_fingerprint,
        )?;
        same(
            FORMA,
            format!("{at}/kernelVersion"),
            "the kernel",
            &bundle.kernel_version,
            &body.kernel_version,
        )?;
        for (source_idx, source) in body.sources.iter().enumerate() {
            for (use_idx, one) in source.evidence_uses.iter().enumerate() {
                let at = format!("{at}/sources/{source_idx}/evidenceUses/{use_idx}");
                same(FORMA, &*at, "the dataset", fingerprint, &one.dataset_fingerprint)?;
                same(
                    FORMA,
                    &*at,
                    "the kernel",
                    &bundle.kernel_version,
                    &one.kernel_version,
                )?;
                same(
                    FORMA,
                    &*at,
                    "the receipts' digest",
                    &bundle_digest,
                    &one.bundle_content_digest,
                )?;
                let Some(digest) = receipts.get(one.receipt_id.as_str()) else {
                    return Err(dangling(at, format!("receipt {}", one.receipt_id)));
                };
                same(
                    FORMA,
                    &*at,
                    "the receipt's digest",
                    digest,
                    &one.receipt_content_digest,
                )?;
                let triple = (
                    one.consumer_id.as_str(),
                    one.receipt_id.as_str(),
                    one.requirement_profile_id.as_str(),
                );
                if !recorded.contains(&triple) {
                    return Err(dangling(
                        at,
                        format!("the use of receipt {} by {}", one.receipt_id, one.consumer_id),
                    ));
                }
            }
        }
    }
    Ok(())
}

fn obligation_set(tables: &Tables<'_>, set: &ObligationSet, at: &str) -> Checked {
    let body = set.body();
    let meaning = meaning(tables, body.snapshot_id, at)?;
    context(tables, body.context_id, at)?;
    for (idx, obligation) in body.obligations.iter().enumerate() {
        let at = format!("{at}/obligations/{idx}");
        let subject = &obligation.semantic_source_ref;
        meaning.source(subject.source_id, &format!("{at}/semanticSourceRef"))?;
        if let Some(node) = subject.node_id {
            meaning.node(subject.source_id, node, &format!("{at}/semanticSourceRef"))?;
        }
        meaning.evidence(&obligation.evidence_use_refs, &format!("{at}/evidenceUseRefs"))?;
    }
    Ok(())
}

fn proposal(tables: &Tables<'_>, graph: &Graph, at: &str) -> Checked {
    let body = graph.body();
    let meaning = meaning(tables, body.snapshot_id, at)?;
    context(tables, body.context_id, at)?;
    let Some((_, set)) = tables.sets.get(&body.obligation_set_id) else {
        return Err(dangling(format!("{at}/obligationSetId"), body.obligation_set_id));
    };
    same(
        FORMA,
        format!("{at}/snapshotId"),
        "the obligations' snapshot",
        &set.body().snapshot_id,
        &body.snapshot_id,
    )?;
    same(
        FORMA,
        format!("{at}/contextId"),
        "the obligations' context",
        &set.body().context_id,
        &body.context_id,
    )?;
    let fixed: BTreeSet<_> = set
        .body()
        .obligations
        .iter()
        .map(|obligation| obligation.id)
        .collect();
    for (idx, binding) in body.bindings.iter().enumerate() {
        let at = format!("{at}/bindings/{idx}/record");
        match &binding.record.semantic {
            Semantic::Grounded {
                source_id, node_id, ..
            } => {
                meaning.node(*source_id, *node_id, &format!("{at}/semantic"))?;
            }
            Semantic::Conjectural { .. } => {
                crate::supposed::binding(&tables.proposals, graph, &binding.record, &at)?;
            }
        }
        meaning.evidence(&binding.record.evidence_uses, &format!("{at}/evidenceUses"))?;
        if let Some(id) = binding.record.carries.iter().find(|id| !fixed.contains(id)) {
            return Err(dangling(format!("{at}/carries"), id));
        }
    }
    Ok(())
}

pub(crate) fn meaning<'t, 'a>(
    tables: &'t Tables<'a>,
    id: Identity<snapshot::wire::v1::SnapshotBody>,
    at: &str,
) -> Result<&'t Meaning<'a>, PackageError> {
    tables
        .meanings
        .get(&id)
        .ok_or_else(|| dangling(format!("{at}/snapshotId"), id))
}

pub(crate) fn context<'a>(
    tables: &Tables<'a>,
    id: Identity<investigation::wire::v2::ContextBody>,
    at: &str,
) -> Result<&'a Context, PackageError> {
    tables
        .contexts
        .get(&id)
        .copied()
        .ok_or_else(|| dangling(format!("{at}/contextId"), id))
}

/// Every value is there because a result rests on it.
fn orphans(contents: &Bodies) -> Checked {
    let inputs = || {
        contents
            .results
            .iter()
            .map(|result| &result.body().input_commitments)
    };
    unreferenced(
        "snapshots",
        &contents.snapshots,
        inputs().map(|inputs| inputs.snapshot_id).collect(),
    )?;
    unreferenced(
        "obligationSets",
        &contents.obligation_sets,
        inputs().map(|inputs| inputs.obligation_set_id).collect(),
    )?;
    unreferenced(
        "proposals",
        &contents.proposals,
        inputs()
            .flat_map(|inputs| inputs.conjectural_proposal_ids.iter().copied())
            .collect(),
    )?;
    unreferenced(
        "graphs",
        &contents.graphs,
        inputs().map(|inputs| inputs.graph_id).collect(),
    )?;
    unreferenced(
        "manifests",
        &contents.manifests,
        inputs().map(|inputs| inputs.knowledge_manifest_id).collect(),
    )?;
    unreferenced(
        "plans",
        &contents.plans,
        contents
            .results
            .iter()
            .map(|result| result.body().plan_id)
            .collect(),
    )
}

fn unreferenced<B: Body>(table: &str, values: &[Sealed<B>], used: BTreeSet<Identity<B>>) -> Checked {
    match values.iter().position(|value| !used.contains(&value.id())) {
        None => Ok(()),
        Some(idx) => Err(fault(
            format!("/{table}/{idx}"),
            Problem::Unreferenced(values[idx].id().to_string()),
        )),
    }
}

/// Every artifact that the bodies refer to, with the one role it is needed in.
pub(crate) fn artifacts(contents: &Bodies) -> Result<BTreeMap<Digest, Role>, PackageError> {
    let mut needed = BTreeMap::new();
    let mut need = |digest: Digest, role: Role| match needed.insert(digest, role) {
        Some(other) if other != role => {
            let problem = Problem::disagrees("the role", format!("{other:?}"), format!("{role:?}"));
            Err(fault(format!("/artifacts/{digest}"), problem))
        }
        _ => Ok(()),
    };
    for source in contents
        .snapshots
        .iter()
        .flat_map(|snapshot| &snapshot.body().sources)
    {
        if let Some(content) = source.analytical_content_ref {
            need(content, Role::Content)?;
        }
        for leaf in source.leaf_ref.iter().chain(&source.further_leaf_refs) {
            need(*leaf, Role::Leaf)?;
        }
    }
    for manifest in &contents.manifests {
        let body = manifest.body();
        for entry in &body.entries {
            need(entry.content_digest, Role::Knowledge)?;
        }
        need(body.capability_table_ref.digest, Role::Policy)?;
        need(body.qualification_policy_ref.digest, Role::Policy)?;
    }
    for set in &contents.obligation_sets {
        need(set.body().policy_ref.digest, Role::Policy)?;
    }
    for context in &contents.history.contexts {
        need(context.body().policy_scope_ref.digest, Role::Policy)?;
    }
    for study in contents
        .results
        .iter()
        .filter_map(|result| result.body().study.as_ref())
    {
        need(study.protocol_digest, Role::Study)?;
        need(study.freeze_digest, Role::Study)?;
        need(study.authorization_digest, Role::Study)?;
    }
    Ok(needed)
}
