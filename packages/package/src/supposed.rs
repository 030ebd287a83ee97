//! What is supposed, in a package: proposals that belong to the decision that shows them, shown for exploration alone, and
//! evidence for nothing.

use std::collections::BTreeSet;

use conjecture::wire::v1::ProposalBody;
use forma::FormaRecord;
use identity::{Identity, Sealed};
use investigation::{Context, EpistemicPurpose};
use knowledge::wire::v1::ManifestBody;
use plan::wire::v1::Supposed;
use refusal::{Reason, Refusal, Stage};
use representation::Graph;
use representation::wire::v2::{BindingRecord, Semantic};

use snapshot::Snapshot;

use crate::Opened;
use crate::contents::{Bodies, Contents};
use crate::error::{PackageError, Problem};
use crate::references::{ById, Checked, Tables, context, dangling, fault, meaning, same};
use crate::wire::v4::{Derivation, PromotedFrom};

/// The proposals that a graph shows.
pub(crate) fn by(graph: &Graph) -> impl Iterator<Item = Identity<ProposalBody>> {
    let bindings = graph.body().bindings.iter();
    bindings.filter_map(|binding| match &binding.record.semantic {
        Semantic::Conjectural { proposal_id, .. } => Some(*proposal_id),
        Semantic::Grounded { .. } => None,
    })
}

fn as_claim(pointer: String, text: String) -> PackageError {
    let refusal = Refusal::new(Stage::EvidencePolicy, Reason::ConjectureAsClaim, text)
        .next("Ask the author for the package as it was written; conjecture becomes a claim by a new decision alone.");
    fault(pointer, Problem::Refused(Box::new(refusal)))
}

/// Every proposal is about a snapshot and a context of the package, as its own rules say.
pub(crate) fn proposals(contents: &Bodies, tables: &Tables<'_>) -> Checked {
    for (idx, proposal) in contents.proposals.iter().enumerate() {
        let at = format!("/proposals/{idx}/body");
        let body = proposal.body();
        meaning(tables, body.snapshot_id, &at)?;
        let context = context(tables, body.context_id, &at)?;
        let snapshot = contents.snapshots.iter().find(|one| one.id() == body.snapshot_id);
        let Some(snapshot) = snapshot else {
            return Err(dangling(format!("{at}/snapshotId"), body.snapshot_id));
        };
        conjecture::check_against(proposal, snapshot, context)
            .map_err(|error| fault(at, Problem::Refused(Box::new(error.refusal()))))?;
    }
    Ok(())
}

/// A conjectural binding shows an element of a proposal of its own snapshot and context, with the status it has there.
pub(crate) fn binding(
    proposals: &ById<'_, ProposalBody>,
    graph: &Graph,
    record: &BindingRecord,
    at: &str,
) -> Checked {
    let Semantic::Conjectural {
        proposal_id,
        element_id,
        property_path,
        status,
    } = &record.semantic
    else {
        return Ok(());
    };
    let Some((_, proposal)) = proposals.get(proposal_id) else {
        return Err(dangling(format!("{at}/semantic/proposalId"), proposal_id));
    };
    let (body, shown) = (proposal.body(), graph.body());
    let pointer = format!("{at}/semantic/proposalId");
    same(
        "investigation/forma.json",
        &*pointer,
        "the graph's snapshot",
        &shown.snapshot_id,
        &body.snapshot_id,
    )?;
    same(
        "investigation/forma.json",
        &*pointer,
        "the graph's context",
        &shown.context_id,
        &body.context_id,
    )?;
    let Some(element) =
        conjecture::element(proposal, element_id).filter(|element| element.has(property_path))
    else {
        return Err(dangling(
            format!("{at}/semantic/elementId"),
            format!("{element_id}/{property_path}"),
        ));
    };
    if element.status == *status {
        return Ok(());
    }
    Err(as_claim(
        format!("{at}/semantic/status"),
        format!(
            "A binding shows the conjecture {element_id} as {}; its proposal says {}.",
            status.word(),
            element.status.word()
        ),
    ))
}

/// An element of the backend shows a conjecture that is there.
pub(crate) fn element(tables: &Tables<'_>, supposed: &Supposed, at: &str) -> Checked {
    let found = tables
        .proposals
        .get(&supposed.proposal_id)
        .and_then(|(_, proposal)| conjecture::element(proposal, &supposed.element_id));
    match found {
        Some(_) => Ok(()),
        None => Err(dangling(format!("{at}/supposed"), &supposed.element_id)),
    }
}

/// A result states the proposals that its graph shows, shows them for exploration alone, and rests on knowledge that none of
/// them is evidence for.
pub(crate) fn decision(
    result: &FormaRecord,
    graph: &Graph,
    context: &Context,
    manifest: &Sealed<ManifestBody>,
    at: &str,
) -> Checked {
    let stated = &result.body().input_commitments.conjectural_proposal_ids;
    if let Some(pair) = stated.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(fault(
            format!("{at}/conjecturalProposalIds"),
            Problem::Repeated(pair[1].to_string()),
        ));
    }
    let shown: BTreeSet<_> = by(graph).collect();
    if shown != stated.iter().copied().collect() {
        return Err(fault(
            format!("{at}/conjecturalProposalIds"),
            Problem::disagrees("the proposals that the graph shows", "others", "these"),
        ));
    }
    match context.body().epistemic_purpose {
        EpistemicPurpose::ClaimBearing if !shown.is_empty() => {
            return Err(as_claim(
                format!("{at}/contextId"),
                "The question is to bear claims, and the result shows what is only supposed.".to_owned(),
            ));
        }
        EpistemicPurpose::ClaimBearing | EpistemicPurpose::ExploratoryAbduction => {}
    }
    for entry in &manifest.body().entries {
        let mut named = entry.evidence_refs.iter().chain([&entry.authority_ref]);
        if named.any(|text| conjecture::is_named_by(text)) {
            return Err(as_claim(
                format!("{at}/knowledgeManifestId"),
                format!(
                    "The knowledge entry {}@{} gives a conjecture as its evidence; a conjecture qualifies nothing.",
                    entry.id, entry.version
                ),
            ));
        }
    }
    Ok(())
}

/// The references of `investigation/forma.json`: exactly what the active result shows, and a promotion that happened
/// elsewhere: what a decision answers with evidence is not part of that decision.
pub(crate) fn links(contents: &Contents, record: &FormaRecord) -> Checked {
    let links = &contents.links;
    let shown = &record.body().input_commitments.conjectural_proposal_ids;
    if &links.conjectural_proposal_refs != shown {
        let names = |ids: &[Identity<ProposalBody>]| match ids {
            [] => "none".to_owned(),
            some => some
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", "),
        };
        return Err(fault(
            "/conjecturalProposalRefs".to_owned(),
            Problem::disagrees(
                "the set of proposals that the active result shows",
                names(shown),
                names(&links.conjectural_proposal_refs),
            ),
        ));
    }
    let Some(promoted) = &links.generation_record_ref.promoted_from else {
        return Ok(());
    };
    if links.derived_from.is_none() {
        return Err(fault(
            "/derivedFrom".to_owned(),
            Problem::Dangling("the package that the promoted conjecture stands in".to_owned()),
        ));
    }
    if contents
        .proposals
        .iter()
        .any(|proposal| proposal.id() == promoted.proposal_id)
    {
        return Err(as_claim(
            "/generationRecordRef/promotedFrom".to_owned(),
            format!(
                "The conjecture {} would be promoted where it stands; a promotion is a new decision over evidence of its own.",
                promoted.element_id
            ),
        ));
    }
    Ok(())
}

/// What a decision records that answers an earlier conjecture with evidence of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    /// The conjecture.
    pub promoted_from: PromotedFrom,
    /// The package it stands in.
    pub derived_from: Derivation,
}

/// The record of a promotion: `element_id` of `earlier` is answered by a decision over `snapshot` in `context`.
///
/// # Errors
/// A [`Refusal`] when the earlier package supposes no such thing, when the new question is not to bear claims, and when it
/// rests on the same snapshot: then nothing was learned since, and the conjecture would only be relabeled.
pub fn promote(
    earlier: &Opened,
    element_id: &str,
    snapshot: &Snapshot,
    context: &Context,
) -> Result<Promotion, Refusal> {
    let proposals = earlier.proposals();
    let held = proposals
        .iter()
        .find(|proposal| conjecture::element(proposal, element_id).is_some());
    let Some(proposal) = held else {
        return Err(Refusal::new(
            Stage::DecodeIntegrity,
            Reason::AmbiguousReference,
            format!("The earlier package supposes nothing named {element_id}."),
        )
        .about(element_id)
        .next("`nemosyne explain` on the earlier package lists what it supposes."));
    };
    if context.body().epistemic_purpose != EpistemicPurpose::ClaimBearing {
        return Err(Refusal::new(
            Stage::ContextIdentity,
            Reason::ScopeMismatch,
            "A promotion answers a conjecture with a claim, and this question explores.",
        )
        .about(context.id().to_string())
        .next("Ask with --purpose claim-bearing."));
    }
    if proposal.body().snapshot_id == snapshot.id() {
        return Err(Refusal::new(
            Stage::EvidencePolicy,
            Reason::ConjectureAsClaim,
            format!(
                "The conjecture {element_id} would be promoted over the very snapshot it was supposed about; nothing was learned since."
            ),
        )
        .about(proposal.id().to_string())
        .next("Bring evidence that was not there: other data, another analysis."));
    }
    Ok(Promotion {
        promoted_from: PromotedFrom {
            element_id: element_id.to_owned(),
            proposal_id: proposal.id(),
        },
        derived_from: Derivation {
            investigation_digest: earlier.investigation_digest(),
            result_id: earlier.record().id(),
            differences: vec![format!(
                "evidence of {} instead of the conjecture {element_id}",
                snapshot.id().short()
            )],
        },
    })
}
