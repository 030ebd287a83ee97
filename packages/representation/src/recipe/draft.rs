//! What every recipe's graph is made of: marks on axes, axes with their words, a legend, the caveat board, the title.
//!
//! A recipe says which properties stand on which axis and which marks draw them ([`Picture`]); everything else follows.

use std::collections::BTreeSet;

use identity::{Finite, Identity, utf16_cmp};
use obligations::ObligationKind;
use obligations::wire::v1::{Activation, Obligation, Predicate};
use snapshot::wire::v1::{Node, Source};

use super::Inputs;
use super::variables::{Grouping, source_of};
use crate::error::RecipeError;
use crate::graph::{Graph, bind, seal};
use crate::ticks;
use crate::wire::v2::{
    Binding, BindingRecord, Channel, Domain, Edge, Fidelity, Form, GeneratedBy, GraphBody, Placement,
    Primitive, PrimitiveKind, Range, Relation, Semantic,
};
use crate::{grammar, palette, volume};

pub(super) const LEGEND: &str = "legend";
pub(super) const CAVEATS: &str = "caveats";
const TITLE: &str = "title";

/// Where an axis stands and runs.
pub(super) struct Axis {
    pub(super) channel: Channel,
    pub(super) primitive: &'static str,
    pub(super) placement: Placement,
    pub(super) from: f64,
    pub(super) to: f64,
}

pub(super) const AXES: [Axis; 3] = [
    Axis {
        channel: Channel::PositionX,
        primitive: "axis.x",
        placement: Placement::AxisX,
        from: volume::X_MIN,
        to: volume::X_MAX,
    },
    Axis {
        channel: Channel::PositionY,
        primitive: "axis.y",
        placement: Placement::AxisY,
        from: volume::Y_MIN,
        to: volume::Y_MAX,
    },
    Axis {
        channel: Channel::PositionZ,
        primitive: "axis.z",
        placement: Placement::AxisZ,
        from: volume::Z_MIN,
        to: volume::Z_MAX,
    },
];

/// What an axis measures.
#[derive(Clone)]
pub(super) struct Measured<'a> {
    pub(super) node: &'a Node,
    pub(super) domain: Domain,
    pub(super) limitation: Option<&'static str>,
    /// Whether the axis has words; places of a layout have none, because they measure nothing.
    pub(super) has_words: bool,
}

/// One primitive that draws marks.
pub(super) struct Shown<'a> {
    pub(super) id: &'static str,
    pub(super) kind: PrimitiveKind,
    pub(super) placement: Placement,
    pub(super) form: Option<Form>,
    /// By axis: what is shown there, if not what the axis measures. `None` leaves the axis out.
    pub(super) on: [Option<On<'a>>; 3],
    /// Whether positions carry order.
    pub(super) carries: bool,
    pub(super) is_grouped: bool,
    /// Numbers as colors: the axis whose values they repeat.
    pub(super) ramp: Option<usize>,
    pub(super) limitations: Vec<&'static str>,
}

/// What stands on an axis of a primitive.
#[derive(Clone)]
pub(super) enum On<'a> {
    /// What the axis measures.
    Axis,
    /// Another property, over a domain that the axis' range stands for.
    Other(&'a Node, Domain),
}

/// Links between marks.
pub(super) struct Joined<'a> {
    pub(super) node: &'a Node,
    pub(super) width: f64,
}

/// What a recipe decides.
pub(super) struct Picture<'a> {
    pub(super) recipe: (&'static str, &'static str),
    pub(super) source: &'a Source,
    pub(super) axes: [Option<Measured<'a>>; 3],
    pub(super) grouping: Option<Grouping<'a>>,
    pub(super) shown: Vec<Shown<'a>>,
    pub(super) joined: Option<Joined<'a>>,
    /// Whether the board has much to say and stands in smaller letters.
    pub(super) is_full: bool,
    /// What the board says of how the picture is read.
    pub(super) readings: Vec<&'static str>,
}

impl<'a> Picture<'a> {
    /// The graph.
    ///
    /// # Errors
    /// [`RecipeError`] when something has no pin, or the snapshot lacks what the caveat board must say.
    pub(super) fn graph(self, inputs: &'a Inputs<'a>) -> Result<Graph, RecipeError> {
        let (id, version) = self.recipe;
        let recipe_ref = inputs.pins.recipe(id).ok_or_else(|| RecipeError::Unpinned {
            what: "recipe",
            id: id.to_owned(),
        })?;
        let mut draft = Draft {
            inputs,
            picture: &self,
            bindings: Vec::new(),
        };
        draft.marks()?;
        draft.axes()?;
        draft.legend()?;
        let codes = draft.caveats()?;
        let primitives = draft.primitives(codes);
        let edges = draft.edges(&primitives);
        let mut body = GraphBody {
            snapshot_id: inputs.snapshot.id(),
            context_id: inputs.context.id(),
            obligation_set_id: inputs.obligations.set().id(),
            recipe_ref: Some(recipe_ref),
            primitives,
            edges,
            bindings: draft.bindings,
            generated_by: GeneratedBy {
                kind: "RECIPE".to_owned(),
                name: id.to_owned(),
                version: version.to_owned(),
            },
        };
        super::conjecture::add(&mut body, inputs)?;
        body.bindings.sort_by_key(|binding| binding.binding_id);
        seal(body)
    }
}

pub(super) struct Draft<'a, 'p> {
    pub(super) inputs: &'a Inputs<'a>,
    pub(super) picture: &'p Picture<'a>,
    bindings: Vec<Binding>,
}

impl<'a> Draft<'a, '_> {
    fn marks(&mut self) -> Result<(), RecipeError> {
        for shown in &self.picture.shown {
            for axis in 0..3 {
                self.position(shown, axis)?;
            }
            if shown.is_grouped {
                self.membership(shown.id, shown.form.is_none())?;
            }
            if let Some(axis) = shown.ramp {
                self.ramp(shown, axis)?;
            }
        }
        if let Some(joined) = &self.picture.joined {
            let record = BindingRecord {
                channel: Channel::Connection,
                range: Range::Lines {
                    width: meters(joined.width)?,
                },
                ..self.record(JOINED, joined.node, "identity")?
            };
            self.push(record)?;
        }
        Ok(())
    }

    fn position(&mut self, shown: &Shown<'a>, axis: usize) -> Result<(), RecipeError> {
        let (Some(on), Some(measured)) = (&shown.on[axis], &self.picture.axes[axis]) else {
            return Ok(());
        };
        let (node, domain, limitation) = match on {
            On::Axis => (measured.node, measured.domain.clone(), measured.limitation),
            On::Other(node, domain) => (*node, domain.clone(), None),
        };
        let Axis {
            channel, from, to, ..
        } = AXES[axis];
        let is_band = matches!(domain, Domain::Categories { .. });
        let carries = if shown.carries {
            self.about(
                node,
                &[Predicate::Order, Predicate::Difference, Predicate::Sequence],
            )
        } else {
            Vec::new()
        };
        let record = BindingRecord {
            channel,
            domain,
            range: Range::Meters {
                from: meters(from)?,
                to: meters(to)?,
            },
            unit: node.descriptor.unit.clone(),
            order_constraint: if is_band { "NONE" } else { "INCREASING" }.to_owned(),
            carries,
            limitations: codes(shown.limitations.iter().copied().chain(limitation)),
            ..self.record(shown.id, node, if is_band { "band" } else { "linear" })?
        };
        self.push(record)
    }

    /// Hue and shape together; they claim nothing, because the legend and EXPLAIN say the group in words. A cuboid has
    /// no other shape: its hue stands beside its place.
    fn membership(&mut self, primitive: &str, has_shape: bool) -> Result<(), RecipeError> {
        let Some(Grouping { node, labels }) = &self.picture.grouping else {
            return Ok(());
        };
        let count = labels.len();
        let (node, domain) = (
            *node,
            Domain::Categories {
                labels: labels.clone(),
            },
        );
        let values = |all: &[&str]| all.iter().take(count).map(|value| (*value).to_owned()).collect();
        let hue = BindingRecord {
            channel: Channel::Hue,
            domain: domain.clone(),
            range: Range::Colors {
                values: values(&palette::COLORS),
            },
            fidelity: Fidelity::Surrogate,
            ..self.record(primitive, node, "categorical")?
        };
        self.push(hue)?;
        if !has_shape {
            return Ok(());
        }
        let shape = BindingRecord {
            channel: Channel::Shape,
            domain,
            range: Range::Shapes {
                values: values(&palette::SHAPES),
            },
            fidelity: Fidelity::Surrogate,
            ..self.record(primitive, node, "categorical")?
        };
        self.push(shape)
    }

    /// The values of an axis once more as colors, for the eye; it claims nothing.
    fn ramp(&mut self, shown: &Shown<'a>, axis: usize) -> Result<(), RecipeError> {
        let Some(measured) = &self.picture.axes[axis] else {
            return Ok(());
        };
        let is_signed = matches!(&measured.domain, Domain::Interval { min, .. } if min.get() < 0.0);
        let stops: &[&str] = if is_signed {
            &palette::DIVERGING
        } else {
            &palette::SEQUENTIAL
        };
        let record = BindingRecord {
            channel: Channel::Luminance,
            domain: measured.domain.clone(),
            range: Range::Colors {
                values: stops.iter().map(|stop| (*stop).to_owned()).collect(),
            },
            unit: measured.node.descriptor.unit.clone(),
            fidelity: Fidelity::Surrogate,
            ..self.record(shown.id, measured.node, "linear")?
        };
        self.push(record)
    }

    fn axes(&mut self) -> Result<(), RecipeError> {
        for (axis, measured) in AXES.iter().zip(&self.picture.axes) {
            let Some(measured) = measured.as_ref().filter(|measured| measured.has_words) else {
                continue;
            };
            let record = BindingRecord {
                domain: measured.domain.clone(),
                unit: measured.node.descriptor.unit.clone(),
                carries: self.about(measured.node, &[Predicate::Units]),
                limitations: codes(measured.limitation),
                ..self.text(axis.primitive, measured.node)?
            };
            self.push(record)?;
        }
        Ok(())
    }

    fn legend(&mut self) -> Result<(), RecipeError> {
        let Some(Grouping { node, labels }) = &self.picture.grouping else {
            return Ok(());
        };
        let record = BindingRecord {
            domain: Domain::Categories {
                labels: labels.clone(),
            },
            ..self.text(LEGEND, node)?
        };
        self.push(record)?;
        self.membership(LEGEND, true)
    }

    fn primitives(&self, codes_stated: Vec<String>) -> Vec<Primitive> {
        let routes: BTreeSet<&Activation> = self
            .obligations()
            .filter_map(|obligation| obligation.activation.as_ref())
            .collect();
        let routes: Vec<Activation> = routes.into_iter().cloned().collect();
        let words = |id: &str, placement, limitations| Primitive {
            id: id.to_owned(),
            kind: PrimitiveKind::Annotation,
            placement,
            form: None,
            routes: Vec::new(),
            limitations,
        };
        let mut primitives: Vec<Primitive> = self
            .picture
            .shown
            .iter()
            .map(|shown| Primitive {
                id: shown.id.to_owned(),
                kind: shown.kind,
                placement: shown.placement,
                form: shown.form,
                routes: match shown.kind {
                    PrimitiveKind::PointIdentity => routes.clone(),
                    _ => Vec::new(),
                },
                limitations: codes(shown.limitations.iter().copied()),
            })
            .collect();
        if self.picture.joined.is_some() {
            primitives.push(Primitive {
                id: JOINED.to_owned(),
                kind: PrimitiveKind::PointIdentity,
                placement: Placement::Volume,
                form: Some(Form::Links),
                routes,
                limitations: Vec::new(),
            });
        }
        for (axis, measured) in AXES.iter().zip(&self.picture.axes) {
            if let Some(measured) = measured.as_ref().filter(|measured| measured.has_words) {
                primitives.push(words(axis.primitive, axis.placement, codes(measured.limitation)));
            }
        }
        if self.picture.grouping.is_some() {
            primitives.push(words(LEGEND, Placement::Legend, Vec::new()));
        }
        primitives.push(words(CAVEATS, Placement::CaveatBoard, codes_stated));
        primitives.push(words(TITLE, Placement::Title, Vec::new()));
        primitives
    }

    /// Axes coordinate with the marks they measure, walls, legend and caveats with the first of them; intervals lie over
    /// the marks they belong to.
    fn edges(&self, primitives: &[Primitive]) -> Vec<Edge> {
        let mut edges = Vec::new();
        let mut link = |from: &str, to: &str, relation| {
            edges.push(Edge {
                from: from.to_owned(),
                to: to.to_owned(),
                relation,
            });
        };
        let all = &self.picture.shown;
        let Some(first) = all.first() else {
            return edges;
        };
        for (index, axis) in AXES.iter().enumerate() {
            let has_words = self.picture.axes[index].as_ref().is_some_and(|it| it.has_words);
            for shown in all.iter().filter(|shown| has_words && shown.on[index].is_some()) {
                link(axis.primitive, shown.id, Relation::CoordinatesWith);
            }
        }
        for shown in all.iter().skip(1) {
            match shown.kind {
                PrimitiveKind::Uncertainty => link(shown.id, first.id, Relation::Overlay),
                _ => link(shown.id, first.id, Relation::CoordinatesWith),
            }
        }
        if self.picture.joined.is_some() {
            link(JOINED, first.id, Relation::CoordinatesWith);
        }
        for primitive in primitives {
            match primitive.placement {
                Placement::CaveatBoard => link(&primitive.id, first.id, Relation::CoordinatesWith),
                Placement::Legend => {
                    for shown in all.iter().filter(|shown| shown.is_grouped) {
                        link(&primitive.id, shown.id, Relation::CoordinatesWith);
                    }
                }
                _ => {}
            }
        }
        edges.sort();
        edges.dedup();
        edges
    }

    pub(super) fn text(&self, primitive: &str, node: &Node) -> Result<BindingRecord, RecipeError> {
        let cap_height = if self.picture.is_full && primitive == CAVEATS {
            volume::FULL_BOARD_CAP
        } else {
            volume::TEXT_CAP
        };
        Ok(BindingRecord {
            channel: Channel::Text,
            domain: Domain::Statement {},
            range: Range::Text {
                cap_height: meters(cap_height)?,
            },
            unit: node.descriptor.unit.clone(),
            ..self.record(primitive, node, "identity")?
        })
    }

    /// A record that claims nothing yet.
    fn record(&self, primitive: &str, node: &Node, transform: &str) -> Result<BindingRecord, RecipeError> {
        let source = source_of(self.inputs, node)?;
        Ok(BindingRecord {
            primitive_id: primitive.to_owned(),
            semantic: Semantic::Grounded {
                source_id: node.source_id,
                node_id: node.node_id,
                property_path: node.property_path.clone(),
                status: node.epistemic_status.clone(),
            },
            evidence_uses: source.evidence_uses.clone(),
            channel: Channel::Text,
            transform: self
                .inputs
                .pins
                .transform(transform)
                .ok_or_else(|| RecipeError::Unpinned {
                    what: "transform",
                    id: transform.to_owned(),
                })?,
            domain: Domain::Statement {},
            range: Range::Text {
                cap_height: meters(volume::TEXT_CAP)?,
            },
            unit: None,
            order_constraint: "NONE".to_owned(),
            fidelity: Fidelity::Direct,
            carries: Vec::new(),
            limitations: Vec::new(),
            fallback_binding_ids: Vec::new(),
        })
    }

    pub(super) fn push(&mut self, record: BindingRecord) -> Result<(), RecipeError> {
        debug_assert_eq!(
            record.order_constraint,
            crate::TransformKind::of(&record.transform)
                .map_or("NONE", |kind| grammar::order_of(kind, &record.range)),
        );
        self.bindings.push(bind(record)?);
        Ok(())
    }

    pub(super) fn obligations(&self) -> impl Iterator<Item = &'a Obligation> + use<'a> {
        self.inputs.obligations.set().body().obligations.iter()
    }

    /// Obligations of these predicates about this node, sorted.
    fn about(&self, node: &Node, predicates: &[Predicate]) -> Vec<Identity<ObligationKind>> {
        self.owed(predicates, |owed| {
            owed.semantic_source_ref.node_id == Some(node.node_id)
        })
    }

    /// Obligations of these predicates about this source or any of its nodes, sorted.
    pub(super) fn of_source(
        &self,
        source: &Source,
        predicates: &[Predicate],
    ) -> Vec<Identity<ObligationKind>> {
        self.owed(predicates, |owed| {
            owed.semantic_source_ref.source_id == source.source_id
        })
    }

    fn owed(
        &self,
        predicates: &[Predicate],
        is_about: impl Fn(&Obligation) -> bool,
    ) -> Vec<Identity<ObligationKind>> {
        let asked = |owed: &&Obligation| predicates.contains(&owed.requirement_predicate_ref.predicate);
        let mut ids: Vec<_> = self
            .obligations()
            .filter(asked)
            .filter(|owed| is_about(owed))
            .map(|owed| owed.id)
            .collect();
        ids.sort_unstable();
        ids
    }
}

/// The primitive of links.
pub(super) const JOINED: &str = "marks.links";

/// An axis over numbers from `min` to `max`.
pub(super) fn numbers<'a>(node: &'a Node, min: f64, max: f64) -> Result<Measured<'a>, RecipeError> {
    let column = || node.descriptor.label.clone();
    let (ticks, limitation) = ticks::domain(min, max, ticks::TARGET).map_err(|error| RecipeError::Axis {
        column: column(),
        error,
    })?;
    let domain = ticks.domain().map_err(|_| RecipeError::Axis {
        column: column(),
        error: ticks::TickError::NoInterval {
            min: ticks.min,
            max: ticks.max,
        },
    })?;
    Ok(Measured {
        node,
        domain,
        limitation,
        has_words: true,
    })
}

pub(super) fn meters(value: f64) -> Result<Finite, RecipeError> {
    Finite::new(value).map_err(|_| RecipeError::Unbindable("a place in the stage frame".to_owned()))
}

pub(super) fn codes<'a>(codes: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let codes: BTreeSet<&str> = codes.into_iter().collect();
    let mut codes: Vec<String> = codes.into_iter().map(str::to_owned).collect();
    codes.sort_by(|a, b| utf16_cmp(a, b));
    codes
}
