//! What is supposed: admitted for exploration alone, as its proposal says it, marked on every device, and evidence for
//! nothing.

use std::collections::{BTreeMap, BTreeSet};

use conjecture::wire::v1::{Dependency, Element, ProposalBody};
use conjecture::{ASSUMPTIONS, LABEL, Proposal, STATUS};
use identity::Identity;
use investigation::EpistemicPurpose;
use refusal::{Diagnostics, Reason, Refusal, Stage};
use representation::limitation::NOT_EVIDENCE;
use representation::wire::v2::{
    Binding, BindingRecord, Channel, Placement, Primitive, PrimitiveKind, Range, Semantic,
};

use crate::{FormaInput, compile};

/// An element by proposal and name.
type Named<'a> = (Identity<ProposalBody>, &'a str);

pub(crate) fn check(input: &FormaInput<'_>, found: &mut Diagnostics) {
    as_evidence(input, found);
    let shown = shown(input);
    if shown.is_empty() && input.proposals.is_empty() {
        return;
    }
    purpose(input, found);
    proposals(input, &shown, found);
    for binding in &input.graph.body().bindings {
        as_proposed(input, binding, found);
    }
    for element in shown {
        marked(input, element, found);
    }
}

/// The elements that some binding shows.
fn shown<'a>(input: &FormaInput<'a>) -> BTreeSet<Named<'a>> {
    let bindings = &input.graph.body().bindings;
    bindings
        .iter()
        .filter_map(|binding| match &binding.record.semantic {
            Semantic::Conjectural {
                proposal_id,
                element_id,
                ..
            } => Some((*proposal_id, element_id.as_str())),
            Semantic::Grounded { .. } => None,
        })
        .collect()
}

fn as_claim(text: String) -> Refusal {
    Refusal::new(Stage::EvidencePolicy, Reason::ConjectureAsClaim, text)
        .next("Keep conjecture in an exploratory decision; a claim needs evidence and a decision of its own.")
}

/// No piece of knowledge rests on a conjecture or is owned by one.
fn as_evidence(input: &FormaInput<'_>, found: &mut Diagnostics) {
    for entry in &input.manifest.body().entries {
        let mut named = entry.evidence_refs.iter().chain([&entry.authority_ref]);
        if let Some(reference) = named.find(|text| conjecture::is_named_by(text)) {
            found.push(
                as_claim(format!(
                    "The knowledge entry {}@{} gives a conjecture as its evidence; a conjecture qualifies nothing.",
                    entry.id, entry.version
                ))
                .about(reference.clone()),
            );
        }
    }
}

fn purpose(input: &FormaInput<'_>, found: &mut Diagnostics) {
    match input.context.body().epistemic_purpose {
        EpistemicPurpose::ExploratoryAbduction => {}
        EpistemicPurpose::ClaimBearing => found.push(
            as_claim(
                "The question is to bear claims, and the proposal shows what is only supposed.".to_owned(),
            )
            .about(input.context.id().to_string()),
        ),
    }
}

/// Each proposal is about what is at hand, and shown.
fn proposals(input: &FormaInput<'_>, shown: &BTreeSet<Named<'_>>, found: &mut Diagnostics) {
    if let Err(error) = conjecture::check_together(input.proposals) {
        found.push(error.refusal());
    }
    for proposal in input.proposals {
        if let Err(error) = conjecture::check_against(proposal, input.snapshot, input.context) {
            found.push(error.refusal());
        }
        if let Some((_, leaf)) = compile::rows_leaf(input)
            && let Err(error) = conjecture::check_rows(proposal, leaf)
        {
            found.push(error.refusal());
        }
        if !shown.iter().any(|(id, _)| *id == proposal.id()) {
            found.push(
                Refusal::new(
                    Stage::ContextIdentity,
                    Reason::WrongSubject,
                    "A conjectural proposal is part of the decision, and nothing in the picture shows it.",
                )
                .about(proposal.id().to_string())
                .next("Leave it out, or bind its elements."),
            );
        }
    }
}

/// The element of a proposal of this decision.
fn element<'a>(input: &FormaInput<'a>, (proposal_id, element_id): Named<'_>) -> Option<&'a Element> {
    let proposal: &Proposal = input
        .proposals
        .iter()
        .find(|proposal| proposal.id() == proposal_id)?;
    conjecture::element(proposal, element_id)
}

/// A binding shows a conjecture as its proposal has it.
fn as_proposed(input: &FormaInput<'_>, binding: &Binding, found: &mut Diagnostics) {
    let record = &binding.record;
    let Semantic::Conjectural {
        proposal_id,
        element_id,
        property_path,
        status,
    } = &record.semantic
    else {
        return;
    };
    let primitive = &record.primitive_id;
    let Some(element) = element(input, (*proposal_id, element_id)) else {
        found.push(
            as_claim(format!(
                "Binding on {primitive} shows the conjecture {element_id}; no such conjecture is part of this decision."
            ))
            .about(proposal_id.to_string()),
        );
        return;
    };
    if element.status != *status {
        found.push(
            as_claim(format!(
                "Binding on {primitive} shows {element_id} as {}; its proposal says {}.",
                status.word(),
                element.status.word()
            ))
            .about(binding.binding_id.to_string()),
        );
    }
    if let Err(why) = fits(input, record, element, property_path) {
        found.push(
            Refusal::new(
                Stage::ContextIdentity,
                Reason::WrongSubject,
                format!("Binding on {primitive} shows {element_id} otherwise than its proposal: {why}."),
            )
            .about(binding.binding_id.to_string())
            .next("Bind each property of the conjecture to what it is."),
        );
    }
}

/// A property is shown on the channel that it belongs to: quantities along the axis of their own variable and in its unit.
fn fits(input: &FormaInput<'_>, record: &BindingRecord, element: &Element, path: &str) -> Result<(), String> {
    if !element.has(path) {
        return Err(format!("it has no {path}"));
    }
    let expected = match record.channel {
        Channel::Shape => path == STATUS,
        Channel::Text => path == LABEL || path == ASSUMPTIONS,
        _ => {
            let quantities = element.quantities();
            let Some((_, quantity)) = quantities.iter().find(|(known, _)| known == path) else {
                return Err(format!("{path} has no place on an axis"));
            };
            let of_axis = |other: &&Binding| {
                other.record.channel == record.channel && matches!(other.record.range, Range::Meters { .. })
            };
            let axis = input
                .graph
                .body()
                .bindings
                .iter()
                .filter(of_axis)
                .find_map(|other| match &other.record.semantic {
                    Semantic::Grounded { node_id, .. } => Some((*node_id, &other.record.unit)),
                    Semantic::Conjectural { .. } => None,
                });
            axis == Some((quantity.node_id, &record.unit)) && record.unit == quantity.unit
        }
    };
    if expected {
        Ok(())
    } else {
        Err(format!("{path} does not belong there"))
    }
}

/// What of the mark of conjecture a graph binds for one element.
#[derive(Default)]
struct Bound {
    shape: bool,
    words: bool,
    board: bool,
    stated: bool,
}

/// The mark is bound whatever the device: a shape, words beside it, a line on the caveat board, the code; and what a shown
/// conjecture rests on is shown as well.
fn marked(input: &FormaInput<'_>, shown: Named<'_>, found: &mut Diagnostics) {
    let graph = input.graph.body();
    let primitives: BTreeMap<&str, &Primitive> = graph
        .primitives
        .iter()
        .map(|primitive| (primitive.id.as_str(), primitive))
        .collect();
    let mut bound = Bound::default();
    for record in graph.bindings.iter().map(|binding| &binding.record) {
        let Some(primitive) = primitives.get(record.primitive_id.as_str()) else {
            continue;
        };
        let Semantic::Conjectural {
            proposal_id,
            element_id,
            property_path,
            ..
        } = &record.semantic
        else {
            continue;
        };
        if (*proposal_id, element_id.as_str()) != shown {
            continue;
        }
        let on_board = primitive.placement == Placement::CaveatBoard;
        let is_text = record.channel == Channel::Text;
        bound.shape |= record.channel == Channel::Shape;
        bound.words |= is_text && !on_board && property_path == LABEL;
        bound.board |= is_text && on_board && property_path == ASSUMPTIONS;
        bound.stated |= primitive.kind == PrimitiveKind::Conjecture
            && primitive.limitations.iter().any(|code| code == NOT_EVIDENCE);
    }
    let missing = [
        (bound.shape, "a shape of its own"),
        (bound.words, "words beside it that say so"),
        (
            bound.board,
            "a line on the caveat board that says what it assumes",
        ),
        (bound.stated, "its caveat CONJECTURE_NOT_EVIDENCE"),
    ];
    for (_, what) in missing.into_iter().filter(|(is_bound, _)| !is_bound) {
        found.push(weakened(
            shown,
            &format!("is shown without {what}; conjecture is never shown unmarked"),
        ));
    }
    let rests_on = element(input, shown).map(|element| element.depends_on.as_slice());
    for dependency in rests_on.unwrap_or_default() {
        if let Dependency::Element { element_id } = dependency
            && !self::shown(input).contains(&(shown.0, element_id.as_str()))
        {
            found.push(weakened(
                shown,
                &format!("is shown without the conjecture {element_id} that it rests on"),
            ));
        }
    }
}

fn weakened((proposal_id, element_id): Named<'_>, what: &str) -> Refusal {
    Refusal::new(
        Stage::FixedPolicy,
        Reason::ObligationWeakened,
        format!("The conjecture {element_id} {what}."),
    )
    .about(proposal_id.to_string())
    .under(plan::marking::RULE)
    .next("Bind shape, words and board line, as the scatter recipes do.")
}
