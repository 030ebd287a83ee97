//! The explanation index: for every property that shows data, the binding it comes from. Properties that show conjecture
//! stand in an index of their own, at whose end there is no receipt.

use identity::Identity;
use representation::Graph;
use representation::channel::word;
use representation::wire::v2::{Binding, Channel, Semantic};
use snapshot::NodeKind;

use crate::PlanError;
use crate::element::{self, Along, Typed};
use crate::wire::v1::{Element, Explanation, SpatialPlan, Supposed, Supposition};

/// The properties of an element that show data, by channel: positions, looks and connections of what is drawn over
/// a leaf, the text of a label and the look of a glyph that name a node; of an element that shows conjecture its place, its shape
/// and its words. Everything else is decoration and means nothing.
///
/// # Errors
/// [`PlanError::Parameter`] when the element cannot be read.
pub fn properties(element: &Element) -> Result<Vec<Channel>, PlanError> {
    Ok(shown(element, &element::read(element)?))
}

/// [`properties`] of an element that was read.
pub(crate) fn shown(element: &Element, typed: &Typed) -> Vec<Channel> {
    if element.supposed.is_some() {
        return supposes(typed);
    }
    let shows = element.semantic_node_id.is_some();
    match typed {
        Typed::Points(_) | Typed::Boxes(_) | Typed::Path(_) | Typed::Links(_) => {
            let channels = crate::shows::of(typed).into_iter();
            channels.map(|shown| shown.channel).collect()
        }
        Typed::Label(_) if shows => vec![Channel::Text],
        Typed::Glyph(_) if shows => vec![Channel::Hue, Channel::Shape],
        Typed::Label(_) | Typed::Glyph(_) | Typed::Surface(_) | Typed::Trajectory(_) => Vec::new(),
    }
}

const POSITIONS: [(Along, Channel); 3] = [
    (Along::X, Channel::PositionX),
    (Along::Y, Channel::PositionY),
    (Along::Z, Channel::PositionZ),
];

/// What an element of conjecture shows.
fn supposes(typed: &Typed) -> Vec<Channel> {
    let position = |wanted: fn(Along, Option<Along>) -> bool, named: Option<Along>| {
        let held = POSITIONS
            .into_iter()
            .filter(move |(axis, _)| wanted(*axis, named));
        held.map(|(_, channel)| channel)
    };
    match typed {
        Typed::Glyph(glyph) => position(|axis, flat| flat != Some(axis), glyph.flat)
            .chain([Channel::Shape])
            .collect(),
        Typed::Trajectory(line) => position(|axis, level| level == Some(axis), line.level)
            .chain([Channel::Shape])
            .collect(),
        Typed::Label(_) => vec![Channel::Text],
        Typed::Points(_) | Typed::Boxes(_) | Typed::Path(_) | Typed::Links(_) | Typed::Surface(_) => {
            Vec::new()
        }
    }
}

/// The index of conjecture of one variant, by element and property.
///
/// # Errors
/// [`PlanError::Unexplained`] when no binding, or more than one, stands behind a property that shows conjecture.
pub fn suppositions(
    variant: &str,
    backend: &SpatialPlan,
    graph: &Graph,
) -> Result<Vec<Supposition>, PlanError> {
    let mut index = Vec::new();
    for element in &backend.elements {
        let Some(supposed) = &element.supposed else {
            continue;
        };
        for channel in properties(element)? {
            index.push(suppose(
                variant,
                element,
                supposed,
                channel,
                &graph.body().bindings,
            )?);
        }
    }
    index.sort();
    Ok(index)
}

fn suppose(
    variant: &str,
    element: &Element,
    supposed: &Supposed,
    channel: Channel,
    bindings: &[Binding],
) -> Result<Supposition, PlanError> {
    let unexplained = || PlanError::Unexplained {
        element: element.id.clone(),
        property: word(channel).to_owned(),
    };
    let mut fitting = bindings.iter().filter_map(|binding| {
        let record = &binding.record;
        let Semantic::Conjectural {
            proposal_id,
            element_id,
            property_path,
            status,
        } = &record.semantic
        else {
            return None;
        };
        let fits = record.channel == channel
            && record.primitive_id == element.representation_primitive_id
            && *proposal_id == supposed.proposal_id
            && *element_id == supposed.element_id;
        fits.then(|| Supposition {
            variant: variant.to_owned(),
            element_id: element.id.clone(),
            property: word(channel).to_owned(),
            binding_id: binding.binding_id,
            primitive_id: record.primitive_id.clone(),
            property_path: property_path.clone(),
            status: *status,
            supposed: supposed.clone(),
        })
    });
    let found = fitting.next().ok_or_else(unexplained)?;
    if fitting.next().is_some() {
        return Err(unexplained());
    }
    Ok(found)
}

/// The index of one variant, by element and property.
///
/// # Errors
/// [`PlanError::Unexplained`] when no binding, or more than one, stands behind a property that shows data.
pub fn index(variant: &str, backend: &SpatialPlan, graph: &Graph) -> Result<Vec<Explanation>, PlanError> {
    let bindings = &graph.body().bindings;
    let mut index = Vec::new();
    for element in &backend.elements {
        if !may_show(element) || element.supposed.is_some() {
            continue;
        }
        for channel in properties(element)? {
            index.push(explain(variant, element, channel, bindings)?);
        }
    }
    index.sort_by(|a, b| key(a).cmp(&key(b)));
    Ok(index)
}

/// Whether an element can show data at all: lines and walls, which are most of them, need not be read to see that they
/// do not.
fn may_show(element: &Element) -> bool {
    element.primitive.draws_rows() || element.semantic_node_id.is_some()
}

/// What the index is sorted by: variant, element, property.
pub(crate) fn key(entry: &Explanation) -> (&str, &str, &str) {
    (&entry.variant, &entry.element_id, &entry.property)
}

fn explain(
    variant: &str,
    element: &Element,
    channel: Channel,
    bindings: &[Binding],
) -> Result<Explanation, PlanError> {
    let unexplained = || PlanError::Unexplained {
        element: element.id.clone(),
        property: word(channel).to_owned(),
    };
    // Marks name no node of their own: each of their channels shows another one.
    let meant = match element.primitive {
        kind if kind.draws_rows() => None,
        _ => element.semantic_node_id,
    };
    let mut fitting = bindings.iter().filter_map(|binding| {
        let record = &binding.record;
        let Semantic::Grounded {
            source_id, node_id, ..
        } = &record.semantic
        else {
            return None;
        };
        let fits = record.channel == channel
            && record.primitive_id == element.representation_primitive_id
            && meant.is_none_or(|meant: Identity<NodeKind>| meant == *node_id);
        fits.then_some((binding, *source_id, *node_id))
    });
    let (binding, source_id, node_id) = fitting.next().ok_or_else(unexplained)?;
    if fitting.next().is_some() {
        return Err(unexplained());
    }
    Ok(Explanation {
        variant: variant.to_owned(),
        element_id: element.id.clone(),
        property: word(channel).to_owned(),
        binding_id: binding.binding_id,
        primitive_id: binding.record.primitive_id.clone(),
        source_id,
        node_id,
        evidence_uses: binding.record.evidence_uses.clone(),
        carries: binding.record.carries.clone(),
    })
}
