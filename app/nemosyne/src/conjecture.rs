//! What is supposed, in words: by whom, assuming what, and that no receipt stands behind it.

use conjecture::Proposal;
use conjecture::wire::v1::{Dependency, Element, GeneratorKind, Payload, Quantity, Uncertainty};
use package::Opened;
use plan::wire::v1::Supposition;
use serde_json::{Value, json};
use snapshot::Snapshot;

use crate::output::Report;

/// One chain: property, binding, supposed element, assumptions, generator.
#[derive(Debug)]
pub(crate) struct Supposed<'a> {
    pub(crate) shown: &'a Supposition,
    pub(crate) proposal: &'a Proposal,
    pub(crate) element: &'a Element,
}

/// The chains of the active variant that a name means; all of them without one.
pub(crate) fn chains<'a>(
    opened: &'a Opened,
    proposals: &'a [Proposal],
    name: Option<&str>,
) -> Vec<Supposed<'a>> {
    let index = &opened.plan().body().conjecture_index;
    index
        .iter()
        .filter(|entry| entry.variant == opened.active_variant())
        .filter(|entry| {
            name.is_none_or(|name| {
                format!("{}/{}", entry.element_id, entry.property) == name
                    || entry.element_id == name
                    || entry.primitive_id == name
                    || entry.supposed.element_id == name
                    || entry.supposed.proposal_id.to_string() == name
                    || entry.binding_id.to_string() == name
            })
        })
        .filter_map(|shown| {
            let proposal = proposals
                .iter()
                .find(|one| one.id() == shown.supposed.proposal_id)?;
            let element = conjecture::element(proposal, &shown.supposed.element_id)?;
            Some(Supposed {
                shown,
                proposal,
                element,
            })
        })
        .collect()
}

/// The lines people read.
pub(crate) fn lines(chain: &Supposed<'_>, snapshot: &Snapshot) -> Vec<String> {
    let Supposed {
        shown,
        proposal,
        element,
    } = chain;
    let mut lines = vec![
        format!(
            "{}/{}  shows the conjecture {}, {}: {}",
            shown.element_id,
            shown.property,
            element.element_id,
            element.status.spoken(),
            element.label
        ),
        format!(
            "  binding    {} shows its {}",
            shown.binding_id.short(),
            shown.property_path
        ),
        "  carries    nothing: it is supposed, not known, and no receipt stands behind it".to_owned(),
        format!("  supposes   {}", what(element, snapshot)),
    ];
    lines.extend(
        element
            .assumptions
            .iter()
            .map(|text| format!("  assumes    {text}")),
    );
    for dependency in &element.depends_on {
        lines.push(match dependency {
            Dependency::Element { element_id } => format!("  rests on   the conjecture {element_id}"),
            Dependency::Node { node_id } => format!("  rests on   {}", name_of(snapshot, *node_id)),
        });
    }
    lines.push(match &element.uncertainty {
        Uncertainty::Stated { ranges, text } => {
            let ranges: Vec<String> = ranges
                .iter()
                .map(|range| {
                    format!(
                        "{} {} to {}",
                        name_of(snapshot, range.node_id),
                        range.lower.get(),
                        range.upper.get()
                    )
                })
                .chain([text.clone()])
                .collect();
            format!("  uncertain  {}", ranges.join("; "))
        }
        Uncertainty::Unavailable { reason } => format!("  uncertain  not known: {reason}"),
    });
    for (word, uses) in [
        ("speaks for", &element.supporting),
        ("speaks not", &element.contradicting),
    ] {
        lines.extend(
            uses.iter()
                .map(|one| format!("  {word} receipt {}", one.receipt_id)),
        );
    }
    let generator = &proposal.body().generator;
    let kind = match generator.kind {
        GeneratorKind::Person => "person",
        GeneratorKind::Script => "script",
        GeneratorKind::Model => "model",
    };
    lines.push(format!(
        "  generator  {kind} {} {}, trusted for nothing",
        generator.name, generator.version
    ));
    lines.push(format!(
        "  proposal   {} because {}",
        proposal.id().short(),
        proposal.body().rationale
    ));
    lines
}

/// The object scripts read.
pub(crate) fn json(chain: &Supposed<'_>) -> Value {
    json!({
        "supposition": serde_json::to_value(chain.shown).unwrap_or(Value::Null),
        "element": serde_json::to_value(chain.element).unwrap_or(Value::Null),
        "generator": serde_json::to_value(&chain.proposal.body().generator).unwrap_or(Value::Null),
        "rationale": chain.proposal.body().rationale,
        "receipts": [],
    })
}

/// What an admission says about what it shows and does not know.
pub(crate) fn tell(proposals: &[Proposal], report: &mut Report) {
    for proposal in proposals {
        for element in &proposal.body().elements {
            report.pair(
                "conjecture",
                format!("{}, not evidence: {}", element.status.spoken(), element.label),
            );
            for assumption in &element.assumptions {
                report.pair("", format!("assumes {assumption}"));
            }
        }
    }
    report.member(
        "conjecture",
        proposals
            .iter()
            .map(|proposal| serde_json::to_value(proposal.to_wire()).unwrap_or(Value::Null))
            .collect::<Vec<_>>(),
    );
}

fn what(element: &Element, snapshot: &Snapshot) -> String {
    let said = |quantity: &Quantity| {
        let unit = quantity
            .unit
            .as_deref()
            .map_or(String::new(), |unit| format!(" {unit}"));
        format!(
            "{} = {}{unit}",
            name_of(snapshot, quantity.node_id),
            quantity.value.get()
        )
    };
    match &element.payload {
        Payload::Value { values } => format!(
            "a row that is not in the data: {}",
            values.iter().map(said).collect::<Vec<_>>().join(", ")
        ),
        Payload::Level { value } => format!("a level: {}", said(value)),
        Payload::Relation { from_row, to_row } => format!("a relation between {from_row} and {to_row}"),
    }
}

fn name_of(snapshot: &Snapshot, node_id: identity::Identity<snapshot::NodeKind>) -> String {
    snapshot::node(snapshot, node_id).map_or_else(|| node_id.short(), |node| node.descriptor.label.clone())
}
