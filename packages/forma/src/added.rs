//! What a candidate shows beyond its claims. Supported meaning that a candidate adds is judged by the policy that fixed the
//! obligations: it is what the snapshot says, with its caveats, in the place that the perspective gave it, or it waits for
//! a decision context of its own.

use std::collections::{BTreeMap, BTreeSet};

use identity::Identity;
use obligations::ObligationKind;
use obligations::wire::v1::{Class, Predicate};
use refusal::{Diagnostics, Reason, Refusal, Stage};
use representation::wire::v2::{BindingRecord, Channel, Domain, Placement, Semantic};
use snapshot::wire::v1::Node;

use crate::coverage::{Spans, span_of, spread};
use crate::{FormaInput, owner};

/// Everything that bindings show, whether or not they claim anything by it.
pub(crate) fn check(input: &FormaInput<'_>, spans: &Spans<'_>, found: &mut Diagnostics) {
    let graph = input.graph.body();
    let boards: BTreeSet<&str> = graph
        .primitives
        .iter()
        .filter(|primitive| primitive.placement == Placement::CaveatBoard)
        .map(|primitive| primitive.id.as_str())
        .collect();
    let mandatory: BTreeMap<Identity<ObligationKind>, Predicate> = input
        .obligations
        .of_class(Class::MustPreserve)
        .map(|owed| (owed.id, owed.requirement_predicate_ref.predicate))
        .collect();
    for binding in &graph.bindings {
        let record = &binding.record;
        // The board says counts and limitations, and no value of what it is bound to.
        if boards.contains(record.primitive_id.as_str()) && record.channel == Channel::Text {
            continue;
        }
        let Semantic::Grounded { node_id, .. } = &record.semantic else {
            continue;
        };
        let Some(node) = snapshot::node(input.snapshot, *node_id) else {
            continue;
        };
        outside(input, record, node, found);
        let carried = record
            .carries
            .iter()
            .filter_map(|id| Some((*id, *mandatory.get(id)?)));
        if let Some((obligation, predicate)) = carried.min_by_key(|(_, predicate)| *predicate) {
            narrowed(input, record, node, spans, (obligation, predicate), found);
        }
    }
}

/// Meaning that the perspective does not name is not smuggled in: what it would oblige to was never fixed.
fn outside(input: &FormaInput<'_>, record: &BindingRecord, node: &Node, found: &mut Diagnostics) {
    let Some(rule) = input.obligations.outside(node.node_id) else {
        return;
    };
    let text = format!(
        "{} shows {} of {}, which the committed perspective does not name; what it obliges to was not fixed before the \
        candidate. Start a new decision context that names it. The rule: {}",
        record.primitive_id, node.property_path, node.descriptor.label, rule.sentence
    );
    found.push(
        Refusal::new(Stage::FixedPolicy, Reason::ObligationUncovered, text)
            .about(node.node_id.to_string())
            .under(rule.rule.clone())
            .next("Commit a context that puts it in front or groups by it, or leave it out of the picture."),
    );
}

fn is_ordered(predicate: Predicate) -> bool {
    matches!(
        predicate,
        Predicate::Order | Predicate::Sequence | Predicate::Difference
    )
}

/// What must be kept is kept for every value: an axis over a part of them is a weaker obligation.
fn narrowed(
    input: &FormaInput<'_>,
    record: &BindingRecord,
    node: &Node,
    spans: &Spans<'_>,
    (obligation, predicate): (Identity<ObligationKind>, Predicate),
    found: &mut Diagnostics,
) {
    let source = snapshot::source(input.snapshot, node.source_id);
    let span = source.and_then(|source| span_of(source, node, spans));
    let (Domain::Interval { min, max }, Some((least, greatest))) = (&record.domain, span) else {
        return;
    };
    if min.get() <= least && greatest <= max.get() {
        if is_ordered(predicate)
            && let Err(why) = spread(record, node, span)
        {
            let text = format!(
                "{} keeps what must be kept too small to be seen: {why}.",
                record.primitive_id
            );
            found.push(
                owner::refuse(input, obligation, Reason::ObligationWeakened, &text)
                    .about(obligation.to_string())
                    .next("Give the values a fair part of their axis."),
            );
        }
        return;
    }
    let text = format!(
        "{} keeps {} of {} from {} to {} only; the data runs from {least} to {greatest}.",
        record.primitive_id,
        obligations::predicate_word(predicate),
        node.descriptor.label,
        min.get(),
        max.get()
    );
    found.push(
        owner::refuse(input, obligation, Reason::ObligationWeakened, &text)
            .about(obligation.to_string())
            .next("Take a domain that holds every value."),
    );
}
