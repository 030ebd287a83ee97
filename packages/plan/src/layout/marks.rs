//! Marks: one `POINTS` element a primitive that draws rows.

use std::collections::BTreeSet;

use kernels::leaf::Columns;
use representation::wire::v2::{
    BindingRecord, Channel, Domain, Placement, Primitive, PrimitiveKind, Range, Semantic,
};
use representation::{Scale, TransformKind, palette, volume};
use snapshot::wire::v1::Node;

use super::{Inputs, words};
use crate::PlanError;
use crate::element::{AxisPlace, Group, Groups, Look, Points, Shape};
use crate::wire::v1::Element;

/// How far marks of a wall stand in front of it, in meters.
const OFF_WALL: f64 = 0.004;

const POSITIONS: [Channel; 3] = [Channel::PositionX, Channel::PositionY, Channel::PositionZ];

/// Marks of one primitive.
pub(super) struct Marks<'a> {
    primitive: &'a Primitive,
    points: Points,
}

impl Marks<'_> {
    /// Where they stand.
    pub(super) fn placement(&self) -> Placement {
        self.primitive.placement
    }

    /// What is drawn.
    pub(super) fn points(&self) -> &Points {
        &self.points
    }

    pub(super) fn element(&self, inputs: &Inputs<'_>) -> Result<Element, PlanError> {
        let element = self.points.write(&self.primitive.id, &self.primitive.id)?;
        // A mark is a row: the node it shows, when the snapshot has it, is the rows' identity.
        let rows = rows_of(inputs, self.primitive);
        Ok(match rows {
            Some(node) => element.showing(node.node_id),
            None => element,
        })
    }
}

/// All marks in drawing order: walls first, so that the volume is drawn over them.
pub(super) fn read<'a>(inputs: &Inputs<'a>) -> Result<Vec<Marks<'a>>, PlanError> {
    let mut marks = Vec::new();
    for placement in [
        Placement::WallXz,
        Placement::WallZy,
        Placement::WallXy,
        Placement::Volume,
    ] {
        let rows = |one: &&Primitive| one.kind == PrimitiveKind::PointIdentity;
        for primitive in super::at(inputs, placement).filter(rows) {
            marks.push(Marks {
                primitive,
                points: points(inputs, primitive)?,
            });
        }
    }
    Ok(marks)
}

/// Every value lies in its scale; one pass a column and scale, however many primitives share them.
pub(super) fn fit(marks: &[Marks<'_>], leaf: &Columns) -> Result<(), PlanError> {
    let mut done = BTreeSet::new();
    for axis in marks.iter().flat_map(|mark| &mark.points.axes) {
        let AxisPlace::Column { column, scale, .. } = axis else {
            continue;
        };
        let key = (
            column.clone(),
            scale.kind(),
            scale.min().to_bits(),
            scale.max().to_bits(),
        );
        if !done.insert(key) {
            continue;
        }
        let missing = || PlanError::NotInLeaf {
            column: column.clone(),
            needed: "numbers",
        };
        for value in leaf.number(column).ok_or_else(missing)? {
            scale.apply(*value).map_err(|error| PlanError::Transform {
                column: column.clone(),
                error,
            })?;
        }
    }
    for mark in marks {
        mark.points.over(leaf)?;
    }
    Ok(())
}

fn points(inputs: &Inputs<'_>, primitive: &Primitive) -> Result<Points, PlanError> {
    let fixed = match primitive.placement {
        Placement::WallXy => Some((2, volume::Z_MIN + OFF_WALL)),
        Placement::WallXz => Some((1, volume::Y_MIN + OFF_WALL)),
        Placement::WallZy => Some((0, volume::X_MIN + OFF_WALL)),
        _ => None,
    };
    let place = |axis: usize| match (fixed, record(inputs, primitive, POSITIONS[axis])?) {
        (Some((at, plane)), None) if at == axis => Ok(AxisPlace::Fixed(plane)),
        (Some((at, _)), Some(_)) if at == axis => Err(PlanError::Unsupported {
            primitive: primitive.id.clone(),
            why: "a wall has no depth to show a variable on".to_owned(),
        }),
        (_, Some(record)) => {
            let (_, column) = column(inputs, record)?;
            let Along { scale, from, to } = along(column, record)?;
            Ok(AxisPlace::Column {
                column: column.to_owned(),
                scale,
                from,
                to,
            })
        }
        (_, None) => Err(PlanError::Unbound {
            primitive: primitive.id.clone(),
            channel: POSITIONS[axis],
        }),
    };
    let (diameter, opacity) = size(inputs.leaf.n_rows(), primitive.placement == Placement::Volume);
    Ok(Points {
        leaf: inputs.leaf_digest,
        rows: None,
        axes: [place(0)?, place(1)?, place(2)?],
        diameter,
        opacity,
        groups: groups(inputs, primitive)?,
    })
}

/// Diameter in meters and opacity: smaller with more rows, smaller and lighter on walls. Neither carries anything.
fn size(n_rows: usize, in_volume: bool) -> (f64, f64) {
    let diameter = match n_rows {
        0..=1_000 => 0.026,
        1_001..=10_000 => 0.016,
        10_001..=100_000 => 0.010,
        _ => 0.006,
    };
    if in_volume {
        (diameter, 0.95)
    } else {
        (diameter * 0.625, 0.6)
    }
}

/// The one binding of a primitive on a channel.
pub(super) fn record<'a>(
    inputs: &Inputs<'a>,
    primitive: &Primitive,
    channel: Channel,
) -> Result<Option<&'a BindingRecord>, PlanError> {
    let mut found = inputs
        .graph
        .body()
        .bindings
        .iter()
        .map(|binding| &binding.record)
        .filter(|record| record.primitive_id == primitive.id && record.channel == channel);
    let first = found.next();
    if found.next().is_some() {
        let why = format!("two variables on {}", representation::channel::word(channel));
        return Err(PlanError::Unsupported {
            primitive: primitive.id.clone(),
            why,
        });
    }
    Ok(first)
}

/// The node and column a binding shows.
pub(super) fn column<'a>(
    inputs: &Inputs<'a>,
    record: &BindingRecord,
) -> Result<(&'a Node, &'a str), PlanError> {
    let missing = || match &record.semantic {
        Semantic::Grounded { node_id, .. } => PlanError::NotInSnapshot(node_id.short()),
        Semantic::Conjectural { element_id, .. } => PlanError::Unsupported {
            primitive: record.primitive_id.clone(),
            why: format!("the conjecture {element_id} has no rows"),
        },
    };
    let node = words::node_of(inputs.snapshot.body(), record).ok_or_else(missing)?;
    let leaf = words::source_of(inputs.snapshot.body(), node).and_then(|source| source.leaf_ref);
    if leaf != Some(inputs.leaf_digest) {
        return Err(PlanError::NotInSnapshot(format!(
            "rows of {}",
            node.producer_semantic_id
        )));
    }
    Ok((
        node,
        node.producer_semantic_id
            .strip_prefix("column:")
            .ok_or_else(missing)?,
    ))
}

/// A checked position binding.
pub(super) struct Along {
    pub(super) scale: Scale,
    from: f64,
    to: f64,
}

/// The scale of a position binding over a column.
pub(super) fn along(column: &str, record: &BindingRecord) -> Result<Along, PlanError> {
    let wrong = |error| PlanError::Transform {
        column: column.to_owned(),
        error,
    };
    let kind = TransformKind::of(&record.transform).map_err(wrong)?;
    let (Domain::Interval { min, max }, Range::Meters { from, to }) = (&record.domain, &record.range) else {
        return Err(PlanError::Unsupported {
            primitive: record.primitive_id.clone(),
            why: "positions go from an interval to meters".to_owned(),
        });
    };
    let scale = kind
        .scale(min.get(), max.get(), from.get(), to.get())
        .map_err(wrong)?;
    Ok(Along {
        scale,
        from: from.get(),
        to: to.get(),
    })
}

fn groups(inputs: &Inputs<'_>, primitive: &Primitive) -> Result<Groups, PlanError> {
    let hue = record(inputs, primitive, Channel::Hue)?;
    let shape = record(inputs, primitive, Channel::Shape)?;
    let (hue, shape) = match (hue, shape) {
        (None, None) => {
            let color = crate::element::rgb(palette::UNGROUPED_COLOR);
            let shape = Shape::named(palette::UNGROUPED_SHAPE);
            let (color, shape) = color.zip(shape).ok_or_else(|| vocabulary(primitive))?;
            return Ok(Groups::One(Look { color, shape }));
        }
        (Some(hue), Some(shape)) if hue.semantic == shape.semantic && hue.domain == shape.domain => {
            (hue, shape)
        }
        (Some(_), Some(_)) => {
            return Err(PlanError::Unsupported {
                primitive: primitive.id.clone(),
                why: "hue and shape show different groupings".to_owned(),
            });
        }
        (Some(_), None) => {
            return Err(PlanError::Unbound {
                primitive: primitive.id.clone(),
                channel: Channel::Shape,
            });
        }
        (None, Some(_)) => {
            return Err(PlanError::Unbound {
                primitive: primitive.id.clone(),
                channel: Channel::Hue,
            });
        }
    };
    let (_, column) = column(inputs, hue)?;
    let groups = looks(primitive, hue, shape)?;
    Ok(Groups::By {
        column: column.to_owned(),
        groups,
    })
}

/// The categories of a grouping with their looks, in order.
pub(super) fn looks(
    primitive: &Primitive,
    hue: &BindingRecord,
    shape: &BindingRecord,
) -> Result<Vec<Group>, PlanError> {
    let (Domain::Categories { labels }, Range::Colors { values: colors }, Range::Shapes { values: shapes }) =
        (&hue.domain, &hue.range, &shape.range)
    else {
        return Err(vocabulary(primitive));
    };
    labels
        .iter()
        .enumerate()
        .map(|(at, label)| {
            let color = colors.get(at).and_then(|text| crate::element::rgb(text));
            let shape = shapes.get(at).and_then(|word| Shape::named(word));
            let (color, shape) = color.zip(shape).ok_or_else(|| vocabulary(primitive))?;
            Ok(Group {
                label: label.clone(),
                look: Look { color, shape },
            })
        })
        .collect()
}

fn vocabulary(primitive: &Primitive) -> PlanError {
    PlanError::Unsupported {
        primitive: primitive.id.clone(),
        why: "its groups have no color and shape of the palette".to_owned(),
    }
}

/// The `rowKeys` node of the marks' source.
fn rows_of<'a>(inputs: &Inputs<'a>, primitive: &Primitive) -> Option<&'a Node> {
    let body = inputs.snapshot.body();
    let shown = inputs
        .graph
        .body()
        .bindings
        .iter()
        .filter(|binding| binding.record.primitive_id == primitive.id)
        .find_map(|binding| words::node_of(body, &binding.record))?;
    body.nodes
        .iter()
        .find(|node| node.source_id == shown.source_id && node.property_path == "rowKeys")
}
