//! Every reference between members resolves exactly once, and nothing stands there that nothing refers to.

use std::collections::{BTreeMap, BTreeSet};

use evidence::wire::v1::{EvidenceUse, PinnedRef};
use forma::FormaRecord;
use identity::{Body, Digest, Identity, Sealed, canonical};
use investigation::{Context, Investigation};
use knowledge::wire::v1::{EntryKind, ManifestBody};
use obligations::ObligationSet;
use plan::Plan;
use plan::wire::v1::Scalar;
use representation::Graph;
use representation::wire::v2::{Binding, Semantic};
use snapshot::Snapshot;

use crate::contents::{Bodies, Contents};
use crate::error::{PackageError, Problem};
use crate::members::{FORMA, GRAPH, RECEIPTS};
use crate::wire::v4::Role;

type Checked = Result<(), PackageError>;

/// A table by identity, with each value's place in it.
type ById<'a, B> = BTreeMap<Identity<B>, (usize, &'a Sealed<B>)>;

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

fn fault(pointer: String, problem: Problem) -> PackageError {
    PackageError::reference(FORMA, pointer, problem)
}

fn dangling(pointer: String, name: impl ToString) -> PackageError {
    fault(pointer, Problem::Dangling(name.to_string()))
}

/// All tables, ready to be looked up.
struct Tables<'a> {
    contexts: BTreeMap<Identity<investigation::wire::v2::ContextBody>, &'a Context>,
    sets: ById<'a, obligations::wire::v1::ObligationSetBody>,
    graphs: ById<'a, representation::wire::v2::GraphBody>,
    manifests: ById<'a, ManifestBody>,
    plans: ById<'a, plan::wire::v1::PlanBody>,
    meanings: BTreeMap<Identity<snapshot::wire::v1::SnapshotBody>, Meaning<'a>>,
}

/// What a snapshot offers to refer to.
struct Meaning<'a> {
    sources: BTreeSet<Identity<snapshot::SourceKind>>,
    nodes: BTreeMap<Identity<snapshot::NodeKind>, Identity<snapshot::SourceKind>>,
    uses: BTreeSet<&'a EvidenceUse>,
    leaves: BTreeSet<String>,
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
                .filter_map(|source| source.leaf_ref)
                .map(|leaf| leaf.to_string())
                .collect(),
        }
    }

    fn source(&self, id: Identity<snapshot::SourceKind>, pointer: &str) -> Checked {
        if self.sources.contains(&id) {
            Ok(())
        } else {
            Err(dangling(format!("{pointer}/sourceId"), id))
        }
    }

    fn node(
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

    fn evidence(&self, uses: &[EvidenceUse], pointer: &str) -> Checked {
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
    for (idx, graph) in contents.graphs.iter().enumerate() {
        proposal(&tables, graph, &format!("/graphs/{idx}/body"))?;
    }
    for (idx, result) in contents.results.iter().enumerate() {
        decision(&tables, result, &format!("/results/{idx}/body"))?;
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
            Semantic::Conjectural { proposal_id, .. } => {
                return Err(dangling(format!("{at}/semantic/proposalId"), proposal_id));
            }
        }
        meaning.evidence(&binding.record.evidence_uses, &format!("{at}/evidenceUses"))?;
        if let Some(id) = binding.record.carries.iter().find(|id| !fixed.contains(id)) {
            return Err(dangling(format!("{at}/carries"), id));
        }
    }
    Ok(())
}

/// A result with its plan: both speak of the same five inputs, and every name in them is one of those inputs' names.
fn decision(tables: &Tables<'_>, result: &FormaRecord, at: &str) -> Checked {
    let body = result.body();
    let inputs = &body.input_commitments;
    let in_inputs = format!("{at}/inputCommitments");
    let Some((_, graph)) = tables.graphs.get(&inputs.graph_id) else {
        return Err(dangling(format!("{in_inputs}/graphId"), inputs.graph_id));
    };
    let Some((_, manifest)) = tables.manifests.get(&inputs.knowledge_manifest_id) else {
        return Err(dangling(
            format!("{in_inputs}/knowledgeManifestId"),
            inputs.knowledge_manifest_id,
        ));
    };
    let Some((plan_idx, plan)) = tables.plans.get(&body.plan_id) else {
        return Err(dangling(format!("{at}/planId"), body.plan_id));
    };
    let proposed = graph.body();
    same(
        FORMA,
        format!("{in_inputs}/snapshotId"),
        "the graph's snapshot",
        &proposed.snapshot_id,
        &inputs.snapshot_id,
    )?;
    same(
        FORMA,
        format!("{in_inputs}/contextId"),
        "the graph's context",
        &proposed.context_id,
        &inputs.context_id,
    )?;
    let set = &proposed.obligation_set_id;
    same(
        FORMA,
        format!("{in_inputs}/obligationSetId"),
        "the graph's obligations",
        set,
        &inputs.obligation_set_id,
    )?;
    let set = tables.sets.get(set).map(|(_, set)| *set);
    let context = context(tables, inputs.context_id, &in_inputs)?;
    policies(result, set, context, manifest, &in_inputs)?;
    knowledge(graph, result, manifest, at)?;

    let planned = plan.body();
    let in_plan = format!("/plans/{plan_idx}/body");
    same(
        FORMA,
        format!("{in_plan}/snapshotId"),
        "the result's snapshot",
        &inputs.snapshot_id,
        &planned.snapshot_id,
    )?;
    same(
        FORMA,
        format!("{in_plan}/contextId"),
        "the result's context",
        &inputs.context_id,
        &planned.context_id,
    )?;
    let set_id = &inputs.obligation_set_id;
    same(
        FORMA,
        format!("{in_plan}/obligationSetId"),
        "the result's obligations",
        set_id,
        &planned.obligation_set_id,
    )?;
    same(
        FORMA,
        format!("{in_plan}/graphId"),
        "the result's graph",
        &inputs.graph_id,
        &planned.graph_id,
    )?;
    let knowledge_id = &inputs.knowledge_manifest_id;
    same(
        FORMA,
        format!("{in_plan}/knowledgeManifestId"),
        "the result's knowledge",
        knowledge_id,
        &planned.knowledge_manifest_id,
    )?;
    agree(
        proposed.bindings == planned.bindings,
        format!("{in_plan}/bindings"),
        "the graph's bindings",
    )?;
    agree(
        body.explanation_index == planned.explanation_index,
        format!("{at}/explanationIndex"),
        "the plan's explanation index",
    )?;
    let compiler = body.compiler_and_transform_refs.first();
    agree(
        compiler == Some(&planned.compiler_ref),
        format!("{at}/compilerAndTransformRefs/0"),
        "the plan's compiler",
    )?;
    embodiment(tables, plan, graph, &in_plan)?;
    outcome(result, plan, set, at)
}

fn agree(holds: bool, pointer: String, what: &'static str) -> Checked {
    if holds {
        Ok(())
    } else {
        Err(fault(pointer, Problem::disagrees(what, "another", "this")))
    }
}

/// The policies a result names are those of its obligations, its context and its knowledge.
fn policies(
    result: &FormaRecord,
    set: Option<&ObligationSet>,
    context: &Context,
    manifest: &Sealed<ManifestBody>,
    at: &str,
) -> Checked {
    let mut expected: Vec<&PinnedRef> = vec![
        &context.body().policy_scope_ref,
        &manifest.body().qualification_policy_ref,
        &manifest.body().capability_table_ref,
    ];
    expected.extend(set.map(|set| &set.body().policy_ref));
    expected.sort();
    expected.dedup();
    let found: Vec<&PinnedRef> = result.body().input_commitments.policy_refs.iter().collect();
    agree(
        expected == found,
        format!("{at}/policyRefs"),
        "the policies of the inputs",
    )
}

/// Recipe, transforms and decisions are entries of the manifest.
fn knowledge(graph: &Graph, result: &FormaRecord, manifest: &Sealed<ManifestBody>, at: &str) -> Checked {
    let entries: BTreeMap<(EntryKind, &str, &str), Digest> = manifest
        .body()
        .entries
        .iter()
        .map(|entry| {
            (
                (entry.kind, entry.id.as_str(), entry.version.as_str()),
                entry.content_digest,
            )
        })
        .collect();
    let holds = |kind, pin: &PinnedRef| {
        entries.get(&(kind, pin.id.as_str(), pin.version.as_str())) == Some(&pin.digest)
    };
    let name = |pin: &PinnedRef| format!("{}@{}", pin.id, pin.version);
    let body = graph.body();
    if let Some(recipe) = &body.recipe_ref
        && !holds(EntryKind::Recipe, recipe)
    {
        return Err(dangling(format!("{at}/inputCommitments/graphId"), name(recipe)));
    }
    let used: BTreeSet<&PinnedRef> = body
        .bindings
        .iter()
        .map(|binding| &binding.record.transform)
        .collect();
    if let Some(transform) = used.iter().find(|pin| !holds(EntryKind::Transform, pin)) {
        return Err(dangling(
            format!("{at}/inputCommitments/graphId"),
            name(transform),
        ));
    }
    let stated: BTreeSet<&PinnedRef> = result.body().compiler_and_transform_refs.iter().skip(1).collect();
    agree(
        stated == used,
        format!("{at}/compilerAndTransformRefs"),
        "the graph's transforms",
    )?;
    let mut decisions: BTreeSet<String> = manifest
        .body()
        .entries
        .iter()
        .filter(|entry| matches!(entry.kind, EntryKind::Qualification | EntryKind::Contraindication))
        .map(|entry| format!("{}@{}", entry.id, entry.version))
        .collect();
    // Legible text is carried by the policy itself.
    decisions.insert(name(&manifest.body().qualification_policy_ref));
    for (idx, entry) in result.body().perceptual_qualifications.iter().enumerate() {
        if let Some(decision) = entry
            .decision
            .as_ref()
            .filter(|decision| !decisions.contains(*decision))
        {
            return Err(dangling(
                format!("{at}/perceptualQualifications/{idx}/decision"),
                decision,
            ));
        }
    }
    Ok(())
}

/// Every element of every variant is of the graph's primitives, the snapshot's nodes and the snapshot's leaves.
fn embodiment(tables: &Tables<'_>, plan: &Plan, graph: &Graph, at: &str) -> Checked {
    let body = plan.body();
    let meaning = meaning(tables, body.snapshot_id, at)?;
    let primitives: BTreeSet<&str> = graph
        .body()
        .primitives
        .iter()
        .map(|primitive| primitive.id.as_str())
        .collect();
    let mut properties: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (variant_idx, variant) in body.variants.iter().enumerate() {
        let at = format!("{at}/variants/{variant_idx}");
        same(
            FORMA,
            format!("{at}/backend/graphId"),
            "the plan's graph",
            &body.graph_id,
            &variant.backend.graph_id,
        )?;
        let digest = canonical::digest(&variant.backend).map_err(|error| PackageError::Body {
            member: FORMA.to_owned(),
            pointer: format!("{at}/backend{}", error.pointer()),
            why: error.to_string(),
        })?;
        same(
            FORMA,
            format!("{at}/backendDigest"),
            "the backend's digest",
            &digest,
            &variant.backend_digest,
        )?;
        for (idx, element) in variant.backend.elements.iter().enumerate() {
            let at = format!("{at}/backend/elements/{idx}");
            if !properties.insert((&variant.name, &element.id)) {
                return Err(fault(format!("{at}/id"), Problem::Repeated(element.id.clone())));
            }
            if !primitives.contains(element.representation_primitive_id.as_str()) {
                return Err(dangling(at, &element.representation_primitive_id));
            }
            if let Some(node) = element
                .semantic_node_id
                .filter(|node| !meaning.nodes.contains_key(node))
            {
                return Err(dangling(format!("{at}/semanticNodeId"), node));
            }
            if let Some(Scalar::Text(leaf)) = element.parameters.get("leaf")
                && !meaning.leaves.contains(leaf)
            {
                return Err(dangling(format!("{at}/parameters/leaf"), leaf));
            }
        }
    }
    let bindings: BTreeMap<_, &Binding> = body
        .bindings
        .iter()
        .map(|binding| (binding.binding_id, binding))
        .collect();
    for (idx, entry) in body.explanation_index.iter().enumerate() {
        let at = format!("{at}/explanationIndex/{idx}");
        if !properties.contains(&(entry.variant.as_str(), entry.element_id.as_str())) {
            return Err(dangling(format!("{at}/elementId"), &entry.element_id));
        }
        let Some(binding) = bindings.get(&entry.binding_id) else {
            return Err(dangling(format!("{at}/bindingId"), entry.binding_id));
        };
        let record = &binding.record;
        same(
            FORMA,
            format!("{at}/primitiveId"),
            "the binding's primitive",
            &record.primitive_id,
            &entry.primitive_id,
        )?;
        meaning.node(entry.source_id, entry.node_id, &at)?;
        agree(
            record.evidence_uses == entry.evidence_uses,
            format!("{at}/evidenceUses"),
            "the binding's evidence",
        )?;
        agree(
            record.carries == entry.carries,
            format!("{at}/carries"),
            "what the binding carries",
        )?;
    }
    Ok(())
}

/// Coverage, omissions, qualifications and digests of a result are about its plan and its obligations.
fn outcome(result: &FormaRecord, plan: &Plan, set: Option<&ObligationSet>, at: &str) -> Checked {
    let body = result.body();
    let fixed: BTreeSet<_> = set
        .iter()
        .flat_map(|set| &set.body().obligations)
        .map(|obligation| obligation.id)
        .collect();
    let variants: BTreeSet<&str> = plan
        .body()
        .variants
        .iter()
        .map(|variant| variant.name.as_str())
        .collect();
    let bindings: BTreeSet<_> = plan
        .body()
        .bindings
        .iter()
        .map(|binding| binding.binding_id)
        .collect();
    let resolved: BTreeSet<_> = body.resolved_binding_ids.iter().copied().collect();
    agree(
        resolved == bindings,
        format!("{at}/resolvedBindingIds"),
        "the plan's bindings",
    )?;
    let digests: BTreeSet<(&str, Digest)> = plan
        .body()
        .variants
        .iter()
        .map(|variant| (variant.name.as_str(), variant.backend_digest))
        .collect();
    let stated: BTreeSet<(&str, Digest)> = body
        .backend_plan_digests
        .iter()
        .map(|entry| (entry.variant.as_str(), entry.digest))
        .collect();
    agree(
        digests == stated,
        format!("{at}/backendPlanDigests"),
        "the plan's backends",
    )?;
    for (idx, entry) in body.coverage.iter().enumerate() {
        let at = format!("{at}/coverage/{idx}");
        if !variants.contains(entry.variant.as_str()) {
            return Err(dangling(format!("{at}/variant"), &entry.variant));
        }
        if !fixed.contains(&entry.obligation_id) {
            return Err(dangling(format!("{at}/obligationId"), entry.obligation_id));
        }
        if let Some(id) = entry.binding_ids.iter().find(|id| !bindings.contains(id)) {
            return Err(dangling(format!("{at}/bindingIds"), id));
        }
    }
    for (idx, entry) in body.omissions.iter().enumerate() {
        if !fixed.contains(&entry.obligation_id) {
            return Err(dangling(
                format!("{at}/omissions/{idx}/obligationId"),
                entry.obligation_id,
            ));
        }
    }
    for (idx, entry) in body.perceptual_qualifications.iter().enumerate() {
        if !bindings.contains(&entry.binding_id) {
            return Err(dangling(
                format!("{at}/perceptualQualifications/{idx}/bindingId"),
                entry.binding_id,
            ));
        }
    }
    match body
        .refused_variants
        .iter()
        .position(|refused| variants.contains(refused.variant.as_str()))
    {
        None => Ok(()),
        Some(idx) => {
            let name = body.refused_variants[idx].variant.clone();
            Err(fault(
                format!("{at}/refusedVariants/{idx}"),
                Problem::Repeated(name),
            ))
        }
    }
}

fn meaning<'t, 'a>(
    tables: &'t Tables<'a>,
    id: Identity<snapshot::wire::v1::SnapshotBody>,
    at: &str,
) -> Result<&'t Meaning<'a>, PackageError> {
    tables
        .meanings
        .get(&id)
        .ok_or_else(|| dangling(format!("{at}/snapshotId"), id))
}

fn context<'a>(
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
        if let Some(leaf) = source.leaf_ref {
            need(leaf, Role::Leaf)?;
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
    Ok(needed)
}
