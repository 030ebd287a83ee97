//! Which graphs are well formed: the closed pair table of relations, the limits, and the rules of bindings.

mod conjecture;

use std::collections::{BTreeMap, BTreeSet};

use identity::{Identity, utf16_cmp};
use snapshot::NodeKind;
use snapshot::wire::v1::{Node, SnapshotBody, Source};

use crate::error::GraphError;
use crate::palette;
use crate::transform::TransformKind;
use crate::wire::v2::{
    Binding, BindingRecord, Channel, Domain, Edge, GraphBody, Primitive, PrimitiveKind, Range, Relation,
    Semantic,
};
use crate::{BindingKind, channel, cycles};

/// Most primitives of a graph.
pub const MOST_PRIMITIVES: usize = 16;
/// Most edges of a graph.
pub const MOST_EDGES: usize = 32;
/// Most bindings of a graph.
pub const MOST_BINDINGS: usize = 128;
/// Most characters of a primitive's name.
pub const MOST_NAME: usize = 64;

use PrimitiveKind as K;
use Relation as R;

/// The closed pair table: what may relate to what, and how. Marks that share a frame coordinate with each other, and
/// may be compared where unit, frame and support agree ([`check_against`]).
pub const PAIRS: [(PrimitiveKind, PrimitiveKind, &[Relation]); 10] = [
    (
        K::PointIdentity,
        K::PointIdentity,
        &[R::CoordinatesWith, R::ComparesWith],
    ),
    (
        K::PointIdentity,
        K::Uncertainty,
        &[R::Overlay, R::CoordinatesWith],
    ),
    (K::PointIdentity, K::DetailExpansion, &[R::DetailOf]),
    (K::Uncertainty, K::PointIdentity, &[R::Overlay]),
    (K::Annotation, K::PointIdentity, &[R::CoordinatesWith]),
    (K::Annotation, K::Uncertainty, &[R::CoordinatesWith]),
    (K::DetailExpansion, K::PointIdentity, &[R::DetailOf]),
    (K::DetailExpansion, K::Annotation, &[R::DetailOf]),
    (
        K::Conjecture,
        K::PointIdentity,
        &[R::Overlay, R::DerivesFrom, R::CoordinatesWith],
    ),
    (K::Annotation, K::Conjecture, &[R::CoordinatesWith]),
];

/// Whether the pair table has the relation.
#[must_use]
pub fn allows(from: PrimitiveKind, to: PrimitiveKind, relation: Relation) -> bool {
    PAIRS
        .iter()
        .any(|(a, b, relations)| *a == from && *b == to && relations.contains(&relation))
}

/// Every rule that the graph alone can break.
///
/// # Errors
/// The first rule broken; see [`GraphError`].
pub fn check(graph: &GraphBody) -> Result<(), GraphError> {
    most("primitives", graph.primitives.len(), MOST_PRIMITIVES)?;
    most("edges", graph.edges.len(), MOST_EDGES)?;
    most("bindings", graph.bindings.len(), MOST_BINDINGS)?;
    word(
        "kind of proposer",
        &graph.generated_by.kind,
        &["RECIPE", "PERSON", "SCRIPT", "MODEL"],
    )?;
    let mut primitives = BTreeMap::new();
    for primitive in &graph.primitives {
        most(
            "characters in a primitive's name",
            primitive.id.chars().count(),
            MOST_NAME,
        )?;
        if primitive.id.is_empty() || primitives.insert(primitive.id.as_str(), primitive).is_some() {
            return Err(GraphError::Order {
                what: "primitives",
                key: primitive.id.clone(),
            });
        }
        texts_in_order("limitations", &primitive.limitations)?;
        in_order("routes", &primitive.routes, |route| route.verb.clone())?;
    }
    edges(&graph.edges, &primitives)?;
    cycles::check(&graph.edges)?;
    bindings(&graph.bindings, &primitives)
}

fn edges(edges: &[Edge], primitives: &BTreeMap<&str, &Primitive>) -> Result<(), GraphError> {
    in_order("edges", edges, |edge| format!("{} -> {}", edge.from, edge.to))?;
    for edge in edges {
        if edge.from == edge.to {
            return Err(GraphError::SelfEdge(edge.from.clone()));
        }
        let end = |name: &str| {
            primitives
                .get(name)
                .map(|primitive| primitive.kind)
                .ok_or_else(|| GraphError::Dangling {
                    what: "an edge",
                    name: name.to_owned(),
                })
        };
        let (from, to) = (end(&edge.from)?, end(&edge.to)?);
        conjecture::edge(edge, from, to)?;
        if !allows(from, to, edge.relation) {
            return Err(GraphError::NoSuchRelation {
                from,
                to,
                relation: edge.relation,
            });
        }
    }
    Ok(())
}

fn bindings(bindings: &[Binding], primitives: &BTreeMap<&str, &Primitive>) -> Result<(), GraphError> {
    let ids: Vec<Identity<BindingKind>> = bindings.iter().map(|binding| binding.binding_id).collect();
    in_order("bindings", &ids, Identity::to_string)?;
    let mut by_id = BTreeMap::new();
    let mut shown: BTreeSet<(&str, Channel, String)> = BTreeSet::new();
    for binding in bindings {
        let computed = identity::identify::<BindingKind, _>(&binding.record)?;
        if computed != binding.binding_id {
            return Err(GraphError::BindingIdentity {
                claimed: binding.binding_id.to_string(),
                computed: computed.to_string(),
            });
        }
        by_id.insert(binding.binding_id, &binding.record);
        let record = &binding.record;
        if !primitives.contains_key(record.primitive_id.as_str()) {
            return Err(GraphError::Dangling {
                what: "a binding",
                name: record.primitive_id.clone(),
            });
        }
        conjecture::record(record, primitives)?;
        let meant = match &record.semantic {
            Semantic::Grounded { node_id, .. } => node_id.to_string(),
            Semantic::Conjectural {
                proposal_id,
                element_id,
                property_path,
                ..
            } => {
                format!("{proposal_id}\n{element_id}\n{property_path}")
            }
        };
        if !shown.insert((&record.primitive_id, record.channel, meant)) {
            return Err(GraphError::Twice {
                primitive: record.primitive_id.clone(),
                channel: record.channel,
            });
        }
        self::record(record)?;
    }
    for binding in bindings {
        hue_has_company(binding, bindings)?;
        fallbacks(binding.binding_id, &by_id)?;
        conjecture::fallbacks(&binding.record, &by_id)?;
    }
    Ok(())
}

fn record(record: &BindingRecord) -> Result<(), GraphError> {
    if let Semantic::Grounded { status, .. } = &record.semantic {
        word("grounded status", status, &["OBSERVED", "DERIVED", "IMPUTED"])?;
    }
    let uses = &record.evidence_uses;
    if let Some(pair) = uses
        .windows(2)
        .find(|pair| !evidence::compare_uses(&pair[0], &pair[1]).is_lt())
    {
        return Err(GraphError::Order {
            what: "evidence uses",
            key: pair[1].receipt_id.clone(),
        });
    }
    in_order("carried obligations", &record.carries, Identity::to_string)?;
    texts_in_order("limitations", &record.limitations)?;
    let wrong = |why: String| GraphError::Channel {
        primitive: record.primitive_id.clone(),
        channel: record.channel,
        why,
    };
    let refused = |error| GraphError::Transform {
        primitive: record.primitive_id.clone(),
        error,
    };
    let transform = TransformKind::of(&record.transform).map_err(refused)?;
    channel::legal(record.channel, transform, &record.domain, &record.range).map_err(wrong)?;
    transform.fits(&record.domain, &record.range).map_err(refused)?;
    domain(&record.domain).map_err(wrong)?;
    range(&record.range).map_err(wrong)?;
    let truth = order_of(transform, &record.range);
    if record.order_constraint != truth {
        word(
            "order constraint",
            &record.order_constraint,
            &["INCREASING", "DECREASING", "NONE"],
        )?;
        return Err(wrong(format!(
            "it promises {}, its transform and range give {truth}",
            record.order_constraint
        )));
    }
    Ok(())
}

/// What a transform over a range does to order: `INCREASING`, `DECREASING` or `NONE`.
#[must_use]
pub fn order_of(transform: TransformKind, range: &Range) -> &'static str {
    match range {
        Range::Meters { from, to } if transform.keeps_order() && from < to => "INCREASING",
        Range::Meters { from, to } if transform.keeps_order() && from > to => "DECREASING",
        Range::Meters { .. }
        | Range::Colors { .. }
        | Range::Shapes { .. }
        | Range::Lines { .. }
        | Range::Text { .. } => "NONE",
    }
}

fn domain(domain: &Domain) -> Result<(), String> {
    let Domain::Categories { labels } = domain else {
        return Ok(());
    };
    let mut seen = BTreeSet::new();
    match labels.iter().find(|label| !seen.insert(label.as_str())) {
        Some(twice) => Err(format!("category `{twice}` occurs twice")),
        None => Ok(()),
    }
}

fn range(range: &Range) -> Result<(), String> {
    let (values, known): (&[String], fn(&str) -> bool) = match range {
        Range::Colors { values } => (values, palette::is_color),
        Range::Shapes { values } => (values, |word| {
            palette::is_shape(word) || palette::is_conjecture_shape(word)
        }),
        Range::Text { cap_height } if cap_height.get() <= 0.0 => {
            return Err("letters have no height".to_owned());
        }
        Range::Lines { width } if width.get() <= 0.0 => return Err("lines have no width".to_owned()),
        Range::Text { .. } | Range::Lines { .. } | Range::Meters { .. } => return Ok(()),
    };
    if let Some(other) = values.iter().find(|value| !known(value)) {
        return Err(format!("`{other}` is not in the palette's vocabulary"));
    }
    let distinct: BTreeSet<&String> = values.iter().collect();
    if distinct.len() == values.len() {
        Ok(())
    } else {
        Err("two categories would look the same".to_owned())
    }
}

/// A hue that carries anything stands beside a shape that carries the same.
fn hue_has_company(binding: &Binding, all: &[Binding]) -> Result<(), GraphError> {
    let record = &binding.record;
    if record.channel != Channel::Hue || record.carries.is_empty() {
        return Ok(());
    }
    let company = all.iter().any(|other| {
        other.record.channel == Channel::Shape
            && other.record.primitive_id == record.primitive_id
            && other.record.semantic == record.semantic
            && other.record.carries == record.carries
    });
    if company {
        return Ok(());
    }
    Err(GraphError::Channel {
        primitive: record.primitive_id.clone(),
        channel: Channel::Hue,
        why: "hue alone carries nothing; a shape must carry the same".to_owned(),
    })
}

fn fallbacks(
    start: Identity<BindingKind>,
    by_id: &BTreeMap<Identity<BindingKind>, &BindingRecord>,
) -> Result<(), GraphError> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<Identity<BindingKind>> = vec![start];
    while let Some(id) = next.pop() {
        let record = by_id.get(&id).ok_or_else(|| GraphError::Dangling {
            what: "a fallback",
            name: id.to_string(),
        })?;
        for fallback in &record.fallback_binding_ids {
            if *fallback == start {
                return Err(GraphError::FallbackCycle(start.short()));
            }
            if seen.insert(*fallback) {
                next.push(*fallback);
            }
        }
    }
    Ok(())
}

/// Every rule between a graph and the snapshot it says it shows: bindings describe nodes as the snapshot does and rest
/// on their evidence, and what is compared shares unit, frame and support. A shared receipt makes nothing comparable.
///
/// # Errors
/// The first rule broken.
pub fn check_against(
    graph: &GraphBody,
    snapshot_id: Identity<SnapshotBody>,
    snapshot: &SnapshotBody,
) -> Result<(), GraphError> {
    if graph.snapshot_id != snapshot_id {
        return Err(GraphError::OtherSnapshot {
            found: graph.snapshot_id.to_string(),
            expected: snapshot_id.to_string(),
        });
    }
    for binding in &graph.bindings {
        described(&binding.record, snapshot).map_err(|why| GraphError::Snapshot {
            primitive: binding.record.primitive_id.clone(),
            why,
        })?;
    }
    incomparable(graph, snapshot).next().map_or(Ok(()), Err)
}

/// Every comparison of things that do not share unit, frame and support: [`GraphError::Incomparable`].
pub fn incomparable<'a>(
    graph: &'a GraphBody,
    snapshot: &'a SnapshotBody,
) -> impl Iterator<Item = GraphError> + 'a {
    graph
        .edges
        .iter()
        .filter(|edge| edge.relation == Relation::ComparesWith)
        .filter_map(move |edge| {
            let why = comparable(graph, edge, snapshot).err()?;
            Some(GraphError::Incomparable {
                from: edge.from.clone(),
                to: edge.to.clone(),
                why,
            })
        })
}

fn described(record: &BindingRecord, snapshot: &SnapshotBody) -> Result<(), String> {
    let Semantic::Grounded {
        source_id,
        node_id,
        property_path,
        status,
    } = &record.semantic
    else {
        return Ok(());
    };
    let node = node(snapshot, *node_id).ok_or_else(|| format!("the snapshot has no {}", node_id.short()))?;
    let source =
        source(snapshot, node).ok_or_else(|| format!("the snapshot has no {}", node.source_id.short()))?;
    if node.source_id != *source_id
        || node.property_path != *property_path
        || node.epistemic_status != *status
    {
        return Err(format!(
            "it describes {} otherwise than the snapshot",
            node.producer_semantic_id
        ));
    }
    if record.unit != node.descriptor.unit && matches!(record.domain, Domain::Interval { .. }) {
        return Err(format!(
            "it gives {} another unit than the snapshot",
            node.descriptor.label
        ));
    }
    if record.evidence_uses != source.evidence_uses {
        return Err(format!(
            "it rests on other evidence than the {} analysis",
            source.family
        ));
    }
    Ok(())
}

fn comparable(graph: &GraphBody, edge: &Edge, snapshot: &SnapshotBody) -> Result<(), String> {
    let quantities = |primitive: &str| -> BTreeMap<Channel, &Node> {
        let of = |binding: &'_ Binding| match &binding.record.semantic {
            Semantic::Grounded { node_id, .. } => node(snapshot, *node_id),
            Semantic::Conjectural { .. } => None,
        };
        graph
            .bindings
            .iter()
            .filter(|binding| binding.record.primitive_id == primitive)
            .filter(|binding| matches!(binding.record.range, Range::Meters { .. }))
            .filter_map(|binding| Some((binding.record.channel, of(binding)?)))
            .collect()
    };
    let (from, to) = (quantities(&edge.from), quantities(&edge.to));
    let mut shared = 0_usize;
    for (channel, one) in &from {
        let Some(other) = to.get(channel) else { continue };
        shared += 1;
        let (one_unit, other_unit) = (&one.descriptor.unit, &other.descriptor.unit);
        if one_unit != other_unit {
            let name = |unit: &Option<String>| unit.clone().unwrap_or_else(|| "no unit".to_owned());
            return Err(format!(
                "on {} one is in {}, the other in {}",
                channel::word(*channel),
                name(one_unit),
                name(other_unit)
            ));
        }
        if one.descriptor.frame != other.descriptor.frame {
            return Err(format!("their frames differ on {}", channel::word(*channel)));
        }
        if !same_rows(snapshot, one, other) {
            return Err(format!(
                "other rows stand behind them on {}",
                channel::word(*channel)
            ));
        }
    }
    if shared == 0 {
        Err("they share no quantity".to_owned())
    } else {
        Ok(())
    }
}

/// Whether the same rows stand behind two nodes, as their owner can vouch for: one source, or two that left no row of the
/// dataset out. Equal counts of left out rows say nothing about which rows they are.
fn same_rows(snapshot: &SnapshotBody, one: &Node, other: &Node) -> bool {
    if one.source_id == other.source_id {
        return true;
    }
    let whole = |node: &Node| {
        let provenance = source(snapshot, node).and_then(|source| source.provenance.as_ref());
        provenance.is_some_and(|provenance| {
            provenance.excluded.is_empty() && provenance.rows_used == provenance.total_rows
        })
    };
    whole(one) && whole(other)
}

fn node(snapshot: &SnapshotBody, id: Identity<NodeKind>) -> Option<&Node> {
    snapshot.nodes.iter().find(|node| node.node_id == id)
}

fn source<'a>(snapshot: &'a SnapshotBody, node: &Node) -> Option<&'a Source> {
    snapshot
        .sources
        .iter()
        .find(|source| source.source_id == node.source_id)
}

fn most(what: &'static str, found: usize, most: usize) -> Result<(), GraphError> {
    if found > most {
        Err(GraphError::TooMany { what, found, most })
    } else {
        Ok(())
    }
}

fn word(what: &'static str, word: &str, known: &[&str]) -> Result<(), GraphError> {
    if known.contains(&word) {
        Ok(())
    } else {
        Err(GraphError::Word {
            what,
            word: word.to_owned(),
        })
    }
}

fn in_order<T: Ord, F: Fn(&T) -> String>(what: &'static str, list: &[T], key: F) -> Result<(), GraphError> {
    match list.windows(2).find(|pair| pair[0] >= pair[1]) {
        Some(pair) => Err(GraphError::Order {
            what,
            key: key(&pair[1]),
        }),
        None => Ok(()),
    }
}

fn texts_in_order(what: &'static str, list: &[String]) -> Result<(), GraphError> {
    match list.windows(2).find(|pair| utf16_cmp(&pair[0], &pair[1]).is_ge()) {
        Some(pair) => Err(GraphError::Order {
            what,
            key: pair[1].clone(),
        }),
        None => Ok(()),
    }
}
