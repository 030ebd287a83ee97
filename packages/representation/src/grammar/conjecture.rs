//! The line between what is grounded and what is supposed, in graphs: neither stands where the other does, nothing grounded
//! rests on conjecture, and conjecture claims nothing, rests on nothing and looks like no data.

use std::collections::BTreeMap;

use identity::Identity;

use crate::error::GraphError;
use crate::wire::v2::{
    BindingRecord, Channel, Domain, Edge, Placement, Primitive, PrimitiveKind, Range, Relation, Semantic,
};
use crate::{BindingKind, palette};

/// Whatever rests on a conjecture is one: no relation that means "comes from", "is part of" or "is compared with" leads from
/// what is grounded to what is not.
pub(super) fn edge(edge: &Edge, from: PrimitiveKind, to: PrimitiveKind) -> Result<(), GraphError> {
    let grounded = from != PrimitiveKind::Conjecture && to == PrimitiveKind::Conjecture;
    if grounded && edge.relation != Relation::CoordinatesWith {
        return Err(GraphError::GroundedOnConjecture {
            from: edge.from.clone(),
            to: edge.to.clone(),
        });
    }
    Ok(())
}

pub(super) fn record(
    record: &BindingRecord,
    primitives: &BTreeMap<&str, &Primitive>,
) -> Result<(), GraphError> {
    let Some(primitive) = primitives.get(record.primitive_id.as_str()) else {
        return Ok(());
    };
    let wrong = |why: &str| {
        Err(GraphError::Conjecture {
            primitive: record.primitive_id.clone(),
            why: why.to_owned(),
        })
    };
    let shapes: &[String] = match &record.range {
        Range::Shapes { values } => values,
        Range::Meters { .. } | Range::Colors { .. } | Range::Lines { .. } | Range::Text { .. } => &[],
    };
    let Semantic::Conjectural { status, .. } = &record.semantic else {
        if primitive.kind == PrimitiveKind::Conjecture {
            return wrong("what is grounded does not stand among conjecture");
        }
        if shapes.iter().any(|shape| palette::is_conjecture_shape(shape)) {
            return wrong("data does not take a shape of conjecture");
        }
        return Ok(());
    };
    let on_board = primitive.placement == Placement::CaveatBoard && record.channel == Channel::Text;
    if primitive.kind != PrimitiveKind::Conjecture && !on_board {
        return wrong("conjecture stands on a primitive of its own, or is said on the caveat board");
    }
    if !record.carries.is_empty() {
        return wrong("a conjecture carries no obligation");
    }
    if !record.evidence_uses.is_empty() {
        return wrong("a conjecture rests on no evidence; what speaks for it stands in its proposal");
    }
    match record.channel {
        Channel::PositionX | Channel::PositionY | Channel::PositionZ | Channel::Text => Ok(()),
        Channel::Shape => {
            let labels = vec![status.word().to_owned()];
            if record.domain != (Domain::Categories { labels }) {
                return wrong("its shape shows another status than its own");
            }
            if shapes.len() == 1 && palette::is_conjecture_shape(&shapes[0]) {
                Ok(())
            } else {
                wrong("its shape is one of data")
            }
        }
        Channel::Length
        | Channel::Area
        | Channel::Luminance
        | Channel::Hue
        | Channel::Orientation
        | Channel::Opacity
        | Channel::Connection
        | Channel::Containment => wrong("a conjecture is shown by position, shape and words"),
    }
}

/// A grounded binding does not fall back on a conjectural one.
pub(super) fn fallbacks(
    record: &BindingRecord,
    by_id: &BTreeMap<Identity<BindingKind>, &BindingRecord>,
) -> Result<(), GraphError> {
    if matches!(record.semantic, Semantic::Conjectural { .. }) {
        return Ok(());
    }
    for fallback in &record.fallback_binding_ids {
        if let Some(other) = by_id.get(fallback)
            && matches!(other.semantic, Semantic::Conjectural { .. })
        {
            return Err(GraphError::GroundedOnConjecture {
                from: record.primitive_id.clone(),
                to: other.primitive_id.clone(),
            });
        }
    }
    Ok(())
}
