//! Where in a graph a rule of the grammar was broken, as a JSON pointer into its body.

use identity::Identity;
use investigation::nearest;
use representation::wire::v2::{BindingRecord, Edge, GraphBody};
use representation::{BindingKind, GraphError, TransformKind, grammar};

/// The pointer of the first place that breaks the rule; none when the rule has no one place.
pub(crate) fn of(error: &GraphError, body: &GraphBody) -> Option<String> {
    match error {
        GraphError::TooMany { what, most, .. } => match *what {
            "primitives" | "edges" | "bindings" => Some(format!("/{what}/{most}")),
            _ => body
                .primitives
                .iter()
                .position(|primitive| primitive.id.chars().count() > grammar::MOST_NAME)
                .map(|idx| format!("/primitives/{idx}/id")),
        },
        GraphError::SelfEdge(name) => edge(body, |edge| edge.from == *name && edge.to == *name),
        GraphError::NoSuchRelation { from, to, relation } => {
            let kind = |name: &str| {
                let primitive = body.primitives.iter().find(|primitive| primitive.id == name);
                primitive.map(|primitive| primitive.kind)
            };
            edge(body, |edge| {
                edge.relation == *relation && kind(&edge.from) == Some(*from) && kind(&edge.to) == Some(*to)
            })
        }
        GraphError::Dangling { what, name } => match *what {
            "an edge" => edge(body, |edge| edge.from == *name || edge.to == *name),
            "a binding" => binding(body, |record| record.primitive_id == *name)
                .map(|at| format!("{at}/record/primitiveId")),
            _ => binding(body, |record| {
                record
                    .fallback_binding_ids
                    .iter()
                    .any(|id| id.to_string() == *name)
            })
            .map(|at| format!("{at}/record/fallbackBindingIds")),
        },
        GraphError::Order { what, key } => order(what, key, body),
        GraphError::BindingIdentity { claimed, .. } => {
            let is = |id: &Identity<BindingKind>| id.to_string() == *claimed;
            let idx = body.bindings.iter().position(|binding| is(&binding.binding_id))?;
            Some(format!("/bindings/{idx}/bindingId"))
        }
        GraphError::RelationCycle(name) => edge(body, |edge| edge.from == *name),
        GraphError::FallbackCycle(short) => {
            let idx = body
                .bindings
                .iter()
                .position(|binding| binding.binding_id.short() == *short)?;
            Some(format!("/bindings/{idx}/record/fallbackBindingIds"))
        }
        GraphError::Channel {
            primitive, channel, ..
        }
        | GraphError::Twice { primitive, channel } => binding(body, |record| {
            record.primitive_id == *primitive && record.channel == *channel
        })
        .map(|at| format!("{at}/record")),
        GraphError::Transform { primitive, .. } => binding(body, |record| {
            record.primitive_id == *primitive
                && TransformKind::of(&record.transform)
                    .and_then(|kind| kind.fits(&record.domain, &record.range))
                    .is_err()
        })
        .map(|at| format!("{at}/record/transform")),
        GraphError::Incomparable { from, to, .. } => edge(body, |edge| edge.from == *from && edge.to == *to),
        _ => None,
    }
}

/// What to do, with the nearest name of the graph, when a name points at nothing.
pub(crate) fn nearest_name(error: &GraphError, body: &GraphBody) -> Option<String> {
    let GraphError::Dangling { name, .. } = error else {
        return None;
    };
    let known = body.primitives.iter().map(|primitive| primitive.id.as_str());
    nearest(name, known).map(|name| format!("The nearest primitive of the graph is `{name}`."))
}

fn edge(body: &GraphBody, is: impl Fn(&Edge) -> bool) -> Option<String> {
    let idx = body.edges.iter().position(is)?;
    Some(format!("/edges/{idx}"))
}

fn binding(body: &GraphBody, is: impl Fn(&BindingRecord) -> bool) -> Option<String> {
    let idx = body.bindings.iter().position(|binding| is(&binding.record))?;
    Some(format!("/bindings/{idx}"))
}

fn order(what: &str, key: &str, body: &GraphBody) -> Option<String> {
    match what {
        "primitives" => {
            let idx = body
                .primitives
                .iter()
                .rposition(|primitive| primitive.id == key)?;
            Some(format!("/primitives/{idx}/id"))
        }
        "edges" => {
            let named = |edge: &Edge| format!("{} -> {}", edge.from, edge.to) == key;
            let idx = body.edges.iter().rposition(named)?;
            Some(format!("/edges/{idx}"))
        }
        "bindings" => {
            let idx = body
                .bindings
                .iter()
                .rposition(|binding| binding.binding_id.to_string() == key)?;
            Some(format!("/bindings/{idx}/bindingId"))
        }
        "routes" => {
            let idx = body
                .primitives
                .iter()
                .position(|primitive| primitive.routes.windows(2).any(|pair| pair[0] >= pair[1]))?;
            Some(format!("/primitives/{idx}/routes"))
        }
        "evidence uses" => binding(body, |record| {
            record
                .evidence_uses
                .windows(2)
                .any(|pair| !evidence::compare_uses(&pair[0], &pair[1]).is_lt())
        })
        .map(|at| format!("{at}/record/evidenceUses")),
        "carried obligations" => binding(body, |record| {
            record.carries.windows(2).any(|pair| pair[0] >= pair[1])
        })
        .map(|at| format!("{at}/record/carries")),
        _ => None,
    }
}
