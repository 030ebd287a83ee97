//! The door itself: every stage in order, then one answer.

use std::collections::BTreeMap;

use conjecture::Proposal;
use evidence::wire::v1::PinnedRef;
use identity::{Digest, SealError, Sealed};
use kernels::leaf::Columns;
use knowledge::wire::v1::DeviceCapability;
use obligations::wire::v1::Activation;
use plan::PlanError;
use plan::wire::v1::PlanBody;
use refusal::{Diagnostics, Reason, Refusal, Stage};

use crate::bindings::{self, Standing};
use crate::compile::{self, Compiled, Drafted, variant_name};
use crate::coverage::{self, Spans};
use crate::wire::v1::{
    BackendDigest, EvidenceDisposition, InputCommitments, PermittedUse, RefusedVariant, ResultBody,
};
use crate::{
    Admission, Admitted, FormaInput, Refused, RequestedUse, StudyGrant, compiler_ref, conjecture_stage,
    context_stage, evidence_stage, study,
};

/// Admits the proposed graph for the requested use on the requested device, or refuses it.
///
/// Deterministic: the same input and the same authority answers give the same record and plan bytes.
///
/// # Errors
/// [`Refused`] with every diagnostic; the primary one is the first of the first failing stage.
pub fn admit(input: &FormaInput<'_>) -> Result<Admission, Refused> {
    let commitments = commitments(input);
    let mut found = Diagnostics::new();
    context_stage::check(input, &mut found);
    let dispositions = evidence_stage::check(input, &mut found);
    conjecture_stage::check(input, &mut found);
    let spans = compile::rows_leaf(input).map_or_else(Spans::new, |(_, leaf)| coverage::spans(leaf));
    bindings::fixed_policy(input, &spans, &mut found);
    let grant = study::check(input, &mut found);
    let variants = variants(input, grant.as_deref(), &spans, &mut found);
    if found.is_empty() {
        match seal(input, commitments.clone(), dispositions, grant, variants) {
            Ok(admission) => return Ok(admission),
            Err(refusal) => found.push(*refusal),
        }
    }
    Err(Refused {
        diagnostics: found,
        commitments: Box::new(commitments),
    })
}

fn commitments(input: &FormaInput<'_>) -> InputCommitments {
    let mut policy_refs = vec![
        input.obligations.set().body().policy_ref.clone(),
        input.context.body().policy_scope_ref.clone(),
        input.manifest.body().qualification_policy_ref.clone(),
        input.manifest.body().capability_table_ref.clone(),
    ];
    policy_refs.sort();
    policy_refs.dedup();
    let mut conjectural_proposal_ids: Vec<_> = input.proposals.iter().map(Proposal::id).collect();
    conjectural_proposal_ids.sort_unstable();
    InputCommitments {
        snapshot_id: input.snapshot.id(),
        context_id: input.context.id(),
        obligation_set_id: input.obligations.set().id(),
        graph_id: input.graph.id(),
        conjectural_proposal_ids,
        knowledge_manifest_id: input.manifest.id(),
        policy_refs,
        device: input.device,
        requested_use: match input.requested_use {
            RequestedUse::Production => PermittedUse::Production,
            RequestedUse::Study { .. } => PermittedUse::StudyOnly,
        },
    }
}

/// Everything about the variants: those that stand, those that don't.
#[derive(Default)]
struct Variants {
    compiled: Vec<Compiled>,
    standing: Vec<Standing>,
    refused: Vec<RefusedVariant>,
}

/// Compiles each device class's variant; the requested one must stand, the others are recorded if they don't.
fn variants(
    input: &FormaInput<'_>,
    grant: Option<&StudyGrant>,
    spans: &Spans<'_>,
    found: &mut Diagnostics,
) -> Variants {
    let mut variants = Variants::default();
    let Some(leaf) = compile::rows_leaf(input) else {
        found.push(
            Refusal::new(
                Stage::EvidencePolicy,
                Reason::MissingRequired,
                "The graph draws no rows whose values are here.",
            )
            .next("Bind the marks to a row projection of the snapshot."),
        );
        return variants;
    };
    let mut devices: BTreeMap<&str, &DeviceCapability> = BTreeMap::new();
    for device in &input.capability.devices {
        devices.insert(variant_name(device.device), device);
    }
    let wanted = variant_name(input.device);
    if !devices.contains_key(wanted) {
        found.push(
            Refusal::new(
                Stage::Budget,
                Reason::DeviceLacksChannel,
                format!("The capability table does not describe {:?}.", input.device),
            )
            .next("Choose a device of the capability table."),
        );
    }
    for (name, device) in devices {
        match variant(input, grant, leaf, (name, device), spans, &variants.compiled) {
            Ok((compiled, standing)) => {
                variants.compiled.push(compiled);
                variants.standing.push(standing);
            }
            Err(refused) if name == wanted => found.extend(refused),
            Err(refused) => {
                variants
                    .refused
                    .extend(refused.primary().map(|refusal| RefusedVariant {
                        variant: name.to_owned(),
                        refusal: refusal.to_wire(),
                    }));
            }
        }
    }
    variants
}

fn variant(
    input: &FormaInput<'_>,
    grant: Option<&StudyGrant>,
    leaf: (Digest, &Columns),
    (name, device): (&str, &DeviceCapability),
    spans: &Spans<'_>,
    others: &[Compiled],
) -> Result<(Compiled, Standing), Diagnostics> {
    if let Some(refusal) = grant.and_then(|grant| study::device(grant, device.device)) {
        let mut found = Diagnostics::new();
        found.push(refusal);
        return Err(found);
    }
    let drafted = compile::variant(input, leaf, device);
    let said = drafted.as_ref().ok().map(Drafted::said);
    let mut standing = bindings::standing(input, grant, name, device, spans, said.as_ref());
    drop(said);
    let mut found = std::mem::take(&mut standing.broken);
    found.extend(std::mem::take(&mut standing.unpermitted));
    let compiled = match drafted {
        Ok(drafted) if found.is_empty() => drafted.compile(others),
        Ok(_) => return Err(found),
        Err(refusal) => Err(refusal),
    };
    match compiled {
        Ok(compiled) => Ok((compiled, standing)),
        Err(refusal) => {
            found.push(*refusal);
            Err(found)
        }
    }
}

fn seal(
    input: &FormaInput<'_>,
    input_commitments: InputCommitments,
    evidence_dispositions: Vec<EvidenceDisposition>,
    grant: Option<Box<StudyGrant>>,
    variants: Variants,
) -> Result<Admission, Box<Refusal>> {
    let graph = input.graph.body();
    let Variants {
        compiled,
        standing,
        refused,
    } = variants;
    let mut explanation_index = Vec::new();
    let mut conjecture_index = Vec::new();
    let mut compiled_variants = Vec::new();
    for mut compiled in compiled {
        explanation_index.append(&mut compiled.explanations);
        conjecture_index.append(&mut compiled.suppositions);
        compiled_variants.push(compiled.variant);
    }
    explanation_index.sort();
    conjecture_index.sort();
    let mut routes: Vec<Activation> = graph
        .primitives
        .iter()
        .flat_map(|p| p.routes.iter().cloned())
        .collect();
    routes.sort();
    routes.dedup();
    let plan = Sealed::seal(PlanBody {
        snapshot_id: input.snapshot.id(),
        context_id: input.context.id(),
        obligation_set_id: input.obligations.set().id(),
        graph_id: input.graph.id(),
        knowledge_manifest_id: input.manifest.id(),
        compiler_ref: compiler_ref(),
        bindings: graph.bindings.clone(),
        variants: compiled_variants,
        explanation_index: explanation_index.clone(),
        conjecture_index,
        routes,
    })
    .map_err(|error| contradiction(&error))?;
    let permitted_use = input_commitments.requested_use;
    let (authorization_reference, documents) = grant.map_or((None, None), |grant| {
        (Some(grant.reference), Some(grant.documents))
    });
    let mut body = ResultBody {
        fixed_obligation_set_id: input_commitments.obligation_set_id,
        knowledge_manifest_id: input_commitments.knowledge_manifest_id,
        input_commitments,
        evidence_dispositions,
        perceptual_qualifications: Vec::new(),
        permitted_use,
        authorization_reference,
        coverage: Vec::new(),
        omissions: Vec::new(),
        resolved_binding_ids: graph.bindings.iter().map(|binding| binding.binding_id).collect(),
        compiler_and_transform_refs: transforms(input),
        plan_id: plan.id(),
        backend_plan_digests: plan
            .body()
            .variants
            .iter()
            .map(|variant| BackendDigest {
                variant: variant.name.clone(),
                digest: variant.backend_digest,
            })
            .collect(),
        explanation_index,
        limitations: limitations(input),
        refused_variants: refused,
        study: documents,
    };
    for standing in standing {
        body.perceptual_qualifications.extend(standing.qualifications);
        body.coverage.extend(standing.coverage);
        body.omissions.extend(standing.omissions);
    }
    body.perceptual_qualifications.sort();
    body.perceptual_qualifications.dedup();
    body.coverage.sort();
    body.omissions.sort();
    body.resolved_binding_ids.sort_unstable();
    let record = Sealed::seal(body)
        .map_err(|error| defect(&format!("The admission record contradicts itself: {error}")))?;
    Ok(match permitted_use {
        PermittedUse::Production => Admission::Production(Admitted::new(record, plan)),
        PermittedUse::StudyOnly => Admission::StudyOnly(Admitted::new(record, plan)),
    })
}

/// The compiler, then the transforms in use by id.
fn transforms(input: &FormaInput<'_>) -> Vec<PinnedRef> {
    let mut used: Vec<PinnedRef> = input
        .graph
        .body()
        .bindings
        .iter()
        .map(|binding| binding.record.transform.clone())
        .collect();
    used.sort();
    used.dedup();
    used.insert(0, compiler_ref());
    used
}

fn limitations(input: &FormaInput<'_>) -> Vec<String> {
    let graph = input.graph.body();
    let mut codes: Vec<String> = input
        .snapshot
        .body()
        .limitations
        .iter()
        .map(|l| l.code.clone())
        .collect();
    codes.extend(
        graph
            .primitives
            .iter()
            .flat_map(|primitive| primitive.limitations.iter().cloned()),
    );
    codes.extend(
        graph
            .bindings
            .iter()
            .flat_map(|binding| binding.record.limitations.iter().cloned()),
    );
    codes.sort();
    codes.dedup();
    codes
}

/// The picture has elements of its own, such as walls and grid lines; a primitive that takes the name of one is the
/// proposer's to change. Any other contradiction of a compiled plan is a defect of this program.
fn contradiction(error: &SealError<PlanError>) -> Box<Refusal> {
    let SealError::Invalid(PlanError::Order {
        what: "elements",
        key,
    }) = error
    else {
        return defect(&format!("The compiled plan contradicts itself: {error}"));
    };
    Box::new(
        Refusal::new(
            Stage::DecodeIntegrity,
            Reason::AmbiguousReference,
            format!("The picture has an element `{key}` of its own, and a primitive takes its name."),
        )
        .about(key.clone())
        .next("Give the primitive another name."),
    )
}

fn defect(text: &str) -> Box<Refusal> {
    Box::new(
        Refusal::new(Stage::DecodeIntegrity, Reason::Malformed, text)
            .next("Report this with the input: it is a defect of the program, not of your data."),
    )
}
