//! A recorded decision: result, plan and inputs name each other, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use evidence::wire::v1::PinnedRef;
use forma::FormaRecord;
use identity::{Digest, Sealed, canonical};
use investigation::Context;
use knowledge::wire::v1::{EntryKind, ManifestBody};
use obligations::ObligationSet;
use plan::Plan;
use plan::wire::v1::Scalar;
use representation::Graph;
use representation::wire::v2::Binding;

use crate::error::{PackageError, Problem};
use crate::members::FORMA;
use crate::references::{Checked, Tables, context, dangling, fault, meaning, same};

/// A result with its plan: both speak of the same five inputs, and every name in them is one of those inputs' names.
pub(crate) fn check(tables: &Tables<'_>, result: &FormaRecord, at: &str) -> Checked {
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
    crate::supposed::decision(result, graph, context, manifest, &in_inputs)?;
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
            if let Some(supposed) = &element.supposed {
                crate::supposed::element(tables, supposed, &at)?;
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
