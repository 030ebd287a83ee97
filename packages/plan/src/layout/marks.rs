//! Marks: one `POINTS` element a primitive that draws rows.

use std::collections::BTreeSet;

use kernels::InLeaf;
use representation::wire::v2::{
    BindingRecord, Channel, Domain, Form, Placement, Primitive, PrimitiveKind, Range, Semantic,
};
use representation::{TransformKind, palette};
use snapshot::wire::v1::Node;

use super::made::made;
use super::{Inputs, words};
use crate::PlanError;
use crate::element::{AxisPlace, Boxes, Group, Groups, Links, Look, Path, Points, Scaled, Shape};
use crate::wire::v1::Element;

/// Marks of one primitive.
pub(super) struct Marks<'a> {
    primitive: &'a Primitive,
    made: Made,
}

pub(super) enum Made {
    Points(Points),
    Boxes(Boxes),
    Path(Path),
    Links(Links),
}

impl Marks<'_> {
    /// Where they stand.
    pub(super) fn placement(&self) -> Placement {
        self.primitive.placement
    }

    /// Symbols at points, where that is what they are.
    pub(super) fn points(&self) -> Option<&Points> {
        match &self.made {
            Made::Points(points) => Some(points),
            Made::Boxes(_) | Made::Path(_) | Made::Links(_) => None,
        }
    }

    pub(super) fn element(&self, inputs: &Inputs<'_>) -> Result<Element, PlanError> {
        let id = &self.primitive.id;
        let element = match &self.made {
            Made::Points(points) => points.write(id, id),
            Made::Boxes(boxes) => boxes.write(id, id),
            Made::Path(path) => path.write(id, id),
            Made::Links(links) => links.write(id, id),
        }?;
        // A mark is a row: the node it shows, when the snapshot has it, is the rows' identity.
        let rows = rows_of(inputs, self.primitive);
        Ok(match rows {
            Some(node) => element.showing(node.node_id),
            None => element,
        })
    }

    /// How many rows have a mark at most: those of the whole leaf.
    pub(super) fn n_rows(&self, inputs: &Inputs<'_>) -> usize {
        match &self.made {
            Made::Links(_) => inputs.links.map_or(0, |(_, leaf)| leaf.n_rows()),
            Made::Points(_) | Made::Boxes(_) | Made::Path(_) => inputs.leaf.n_rows(),
        }
    }

    /// Every value lies in its scale, every category has its band and its look.
    fn fits(&self, inputs: &Inputs<'_>) -> Result<(), PlanError> {
        match &self.made {
            Made::Points(points) => points.over(inputs.leaf).map(drop),
            Made::Boxes(boxes) => {
                let placer = boxes.over(inputs.leaf)?;
                for row in placer.rows().iter().map(|row| *row as usize) {
                    placer.place(row)?;
                    placer.color(row)?;
                }
                Ok(())
            }
            Made::Path(path) => {
                let placer = path.over(inputs.leaf)?;
                for row in placer.rows() {
                    placer.place(*row as usize)?;
                }
                Ok(())
            }
            Made::Links(links) => {
                let (_, leaf) = inputs.links.ok_or_else(|| no_links(self.primitive))?;
                let placer = links.over(leaf)?;
                for row in 0..placer.n_rows() {
                    placer.ends(row)?;
                }
                Ok(())
            }
        }
    }
}

pub(super) fn no_links(primitive: &Primitive) -> PlanError {
    PlanError::Unsupported {
        primitive: primitive.id.clone(),
        why: "the links between its marks are not here".to_owned(),
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
        let rows = |one: &&Primitive| {
            matches!(
                one.kind,
                PrimitiveKind::PointIdentity | PrimitiveKind::Uncertainty
            )
        };
        // Links lie under what they join.
        let mut here: Vec<&Primitive> = super::at(inputs, placement).filter(rows).collect();
        here.sort_by_key(|primitive| primitive.form != Some(Form::Links));
        for primitive in here {
            let made = made(inputs, primitive)?;
            marks.push(Marks { primitive, made });
        }
    }
    Ok(marks)
}

/// Every value lies in its scale; one pass a column and scale, however many primitives share them.
pub(super) fn fit(marks: &[Marks<'_>], inputs: &Inputs<'_>) -> Result<(), PlanError> {
    let leaf = inputs.leaf;
    let mut done = BTreeSet::new();
    for axis in marks
        .iter()
        .filter_map(Marks::points)
        .flat_map(|points| &points.axes)
    {
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
    marks.iter().try_for_each(|mark| mark.fits(inputs))
}

/// Diameter in meters and opacity: smaller with more rows, smaller and lighter on walls. Neither carries anything.
pub(super) fn size(n_rows: usize, in_volume: bool) -> (f64, f64) {
    let diameter = match n_rows {
        0..=40 => 0.044,
        41..=1_000 => 0.026,
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

/// The node that a binding shows, and where its values stand in the leaf.
pub(super) fn drawn<'a>(
    inputs: &Inputs<'a>,
    record: &BindingRecord,
) -> Result<(&'a Node, InLeaf), PlanError> {
    let missing = || match &record.semantic {
        Semantic::Grounded { node_id, .. } => PlanError::NotInSnapshot(node_id.short()),
        Semantic::Conjectural { element_id, .. } => PlanError::Unsupported {
            primitive: record.primitive_id.clone(),
            why: format!("the conjecture {element_id} has no rows"),
        },
    };
    let node = words::node_of(inputs.snapshot.body(), record).ok_or_else(missing)?;
    let source = words::source_of(inputs.snapshot.body(), node).ok_or_else(missing)?;
    let drawn = kernels::in_leaf(&source.family, &node.producer_semantic_id, &node.property_path);
    let drawn = drawn.ok_or_else(missing)?;
    if source.leaf_ref != Some(inputs.leaf_digest) {
        return Err(PlanError::NotInSnapshot(format!(
            "rows of {}",
            node.producer_semantic_id
        )));
    }
    Ok((node, drawn))
}

/// The node and the one column a binding shows.
pub(super) fn column<'a>(
    inputs: &Inputs<'a>,
    record: &BindingRecord,
) -> Result<(&'a Node, String), PlanError> {
    let (node, drawn) = drawn(inputs, record)?;
    match drawn.columns.as_slice() {
        [column] => Ok((node, column.clone())),
        several => Err(PlanError::Unsupported {
            primitive: record.primitive_id.clone(),
            why: format!("{} columns where one is drawn", several.len()),
        }),
    }
}

/// The scale of a position binding over a column.
pub(super) fn along(column: &str, record: &BindingRecord) -> Result<Scaled, PlanError> {
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
    Scaled::new(kind, (min.get(), max.get()), (from.get(), to.get())).map_err(wrong)
}

pub(super) fn groups(inputs: &Inputs<'_>, primitive: &Primitive) -> Result<Groups, PlanError> {
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
        (Some(hue), None) if primitive.form.is_some() => (hue, hue),
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
    Ok(Groups::By { column, groups })
}

/// The categories of a grouping with their looks, in order.
pub(super) fn looks(
    primitive: &Primitive,
    hue: &BindingRecord,
    shape: &BindingRecord,
) -> Result<Vec<Group>, PlanError> {
    let (Domain::Categories { labels }, Range::Colors { values: colors }) = (&hue.domain, &hue.range) else {
        return Err(vocabulary(primitive));
    };
    // A cuboid has its own form; the shapes of its groups stand in the legend.
    let own: Vec<String> = palette::SHAPES.map(str::to_owned).to_vec();
    let shapes = match &shape.range {
        Range::Shapes { values } => values,
        _ => &own,
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

pub(super) fn vocabulary(primitive: &Primitive) -> PlanError {
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
