//! What is supposed, added to a recipe's graph: one primitive for all marks of conjecture, their words, and the lines that
//! the caveat board says about them.

use conjecture::wire::v1::{Dependency, Element, Payload};
use conjecture::{ASSUMPTIONS, LABEL, Proposal, STATUS};
use identity::Finite;

use super::Inputs;
use crate::error::RecipeError;
use crate::graph::bind;
use crate::palette;
use crate::volume;
use crate::wire::v2::{
    BindingRecord, Channel, Domain, Edge, Fidelity, GraphBody, Placement, Primitive, PrimitiveKind, Range,
    Relation, Semantic,
};

/// Limitation code: what stands under this mark is supposed, not known.
pub const NOT_EVIDENCE: &str = "CONJECTURE_NOT_EVIDENCE";

/// The primitive that all conjecture stands on.
const PRIMITIVE: &str = "conjecture";

/// Adds every element of every proposal. The axes stay as the data made them.
pub(super) fn add(graph: &mut GraphBody, inputs: &Inputs<'_>) -> Result<(), RecipeError> {
    if inputs.proposals.is_empty() {
        return Ok(());
    }
    conjecture::check_together(inputs.proposals)?;
    let primitive = |graph: &GraphBody, wanted: fn(&Primitive) -> bool| {
        let found = graph.primitives.iter().find(|primitive| wanted(primitive));
        found
            .cloned()
            .ok_or_else(|| RecipeError::Unbindable("conjecture".to_owned()))
    };
    let marks = primitive(graph, |one| {
        one.kind == PrimitiveKind::PointIdentity && one.placement == Placement::Volume
    })?;
    let board = primitive(graph, |one| one.placement == Placement::CaveatBoard)?;
    let mut rests_on_data = false;
    for proposal in inputs.proposals {
        conjecture::check_against(proposal, inputs.snapshot, inputs.context)?;
        conjecture::check_rows(proposal, inputs.leaf)?;
        for element in &proposal.body().elements {
            let from_data = |one: &Dependency| matches!(one, Dependency::Node { .. });
            rests_on_data |= element.depends_on.iter().any(from_data)
                || matches!(element.payload, Payload::Relation { .. });
            let add = Add {
                inputs,
                proposal,
                element,
            };
            let mut records = add.positions(graph, &marks.id)?;
            records.push(add.shape()?);
            records.push(add.text(PRIMITIVE, LABEL)?);
            records.push(add.text(&board.id, ASSUMPTIONS)?);
            for record in records {
                graph.bindings.push(bind(record)?);
            }
        }
    }
    fill(graph, &board.id)?;
    let place = graph.primitives.iter().position(|one| one.id == board.id);
    graph.primitives.insert(
        place.unwrap_or(graph.primitives.len()),
        Primitive {
            id: PRIMITIVE.to_owned(),
            kind: PrimitiveKind::Conjecture,
            placement: Placement::Volume,
            form: None,
            routes: marks.routes.clone(),
            limitations: vec![NOT_EVIDENCE.to_owned()],
        },
    );
    let mut link = |from: &str, to: &str, relation| {
        graph.edges.push(Edge {
            from: from.to_owned(),
            to: to.to_owned(),
            relation,
        });
    };
    link(PRIMITIVE, &marks.id, Relation::CoordinatesWith);
    link(&board.id, PRIMITIVE, Relation::CoordinatesWith);
    if rests_on_data {
        link(PRIMITIVE, &marks.id, Relation::DerivesFrom);
    }
    graph.edges.sort();
    Ok(())
}

/// The board has more to say, all of it in letters of one height: a little smaller, and as legible as every device asks.
fn fill(graph: &mut GraphBody, board: &str) -> Result<(), RecipeError> {
    for binding in &mut graph.bindings {
        let record = &mut binding.record;
        if record.primitive_id == board && record.channel == Channel::Text {
            record.range = letters(volume::FULL_BOARD_CAP)?;
            *binding = bind(record.clone())?;
        }
    }
    Ok(())
}

fn letters(cap_height: f64) -> Result<Range, RecipeError> {
    let cap_height =
        Finite::new(cap_height).map_err(|_| RecipeError::Unbindable("the height of letters".to_owned()))?;
    Ok(Range::Text { cap_height })
}

/// One element on its way into a graph.
struct Add<'a> {
    inputs: &'a Inputs<'a>,
    proposal: &'a Proposal,
    element: &'a Element,
}

impl Add<'_> {
    /// A record that claims nothing and rests on nothing.
    fn record(
        &self,
        primitive: &str,
        channel: Channel,
        path: &str,
        transform: &str,
    ) -> Result<BindingRecord, RecipeError> {
        let unpinned = || RecipeError::Unpinned {
            what: "transform",
            id: transform.to_owned(),
        };
        Ok(BindingRecord {
            carries: Vec::new(),
            channel,
            domain: Domain::Statement {},
            evidence_uses: Vec::new(),
            fallback_binding_ids: Vec::new(),
            fidelity: Fidelity::Experimental,
            limitations: vec![NOT_EVIDENCE.to_owned()],
            order_constraint: "NONE".to_owned(),
            primitive_id: primitive.to_owned(),
            range: letters(volume::TEXT_CAP)?,
            semantic: Semantic::Conjectural {
                proposal_id: self.proposal.id(),
                element_id: self.element.element_id.clone(),
                property_path: path.to_owned(),
                status: self.element.status,
            },
            transform: self.inputs.pins.transform(transform).ok_or_else(unpinned)?,
            unit: None,
        })
    }

    /// Along the axes that the data already has.
    fn positions(&self, graph: &GraphBody, marks: &str) -> Result<Vec<BindingRecord>, RecipeError> {
        let mut records = Vec::new();
        for (path, quantity) in self.element.quantities() {
            let shown = graph.bindings.iter().map(|binding| &binding.record).find(|record| {
                record.primitive_id == marks
                    && matches!(record.range, Range::Meters { .. })
                    && matches!(&record.semantic, Semantic::Grounded { node_id, .. } if *node_id == quantity.node_id)
            });
            let Some(axis) = shown else {
                return Err(RecipeError::Unbindable(format!(
                    "the conjecture {}",
                    self.element.element_id
                )));
            };
            if let Domain::Interval { min, max } = axis.domain
                && !(min..=max).contains(&quantity.value)
            {
                let node = snapshot::node(self.inputs.snapshot, quantity.node_id);
                return Err(RecipeError::OffTheAxis {
                    element: self.element.element_id.clone(),
                    column: node.map_or_else(String::new, |node| node.descriptor.label.clone()),
                    value: quantity.value.get(),
                    min: min.get(),
                    max: max.get(),
                });
            }
            records.push(BindingRecord {
                domain: axis.domain.clone(),
                range: axis.range.clone(),
                unit: axis.unit.clone(),
                order_constraint: axis.order_constraint.clone(),
                transform: axis.transform.clone(),
                ..self.record(PRIMITIVE, axis.channel, &path, "linear")?
            });
        }
        Ok(records)
    }

    /// The shape that says that it is conjecture; its category is the status.
    fn shape(&self) -> Result<BindingRecord, RecipeError> {
        let shape = match self.element.payload {
            Payload::Value { .. } => palette::CONJECTURE_MARK,
            Payload::Level { .. } | Payload::Relation { .. } => palette::CONJECTURE_LINE,
        };
        Ok(BindingRecord {
            domain: Domain::Categories {
                labels: vec![self.element.status.word().to_owned()],
            },
            range: Range::Shapes {
                values: vec![shape.to_owned()],
            },
            ..self.record(PRIMITIVE, Channel::Shape, STATUS, "categorical")?
        })
    }

    fn text(&self, primitive: &str, path: &str) -> Result<BindingRecord, RecipeError> {
        self.record(primitive, Channel::Text, path, "identity")
    }
}
