//! `scatter_volume` and `scatter_stereo`: three quantitative variables on x, y, z, an optional grouping on hue with shape.

use std::collections::BTreeSet;

use identity::{Finite, Identity, utf16_cmp};
use obligations::ObligationKind;
use obligations::wire::v1::{Activation, Obligation, Predicate};
use snapshot::wire::v1::{Node, Source, State};

use super::Inputs;
use super::variables::{Grouping, Variable, grouping, source_of, variable};
use crate::error::RecipeError;
use crate::graph::{Graph, bind, seal};
use crate::ticks;
use crate::wire::v2::{
    Binding, BindingRecord, Channel, Domain, Edge, Fidelity, GeneratedBy, GraphBody, Placement, Primitive,
    PrimitiveKind, Range, Relation, Semantic,
};
use crate::{grammar, palette, volume};

/// Limitation code: positions in the volume carry nothing; the walls do.
pub const DEPTH_CLAIMS_NOTHING: &str = "DEPTH_CLAIMS_NOTHING";

/// Limitation code: positions in the volume claim order, which no study has yet shown for this display.
pub const STEREO_POSITION_UNVALIDATED: &str = "STEREO_POSITION_UNVALIDATED";

const AXES: [Axis; 3] = [
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

const VOLUME: &str = "marks.volume";
const WALLS: [(&str, Placement, [usize; 2]); 3] = [
    ("marks.wall_xy", Placement::WallXy, [0, 1]),
    ("marks.wall_xz", Placement::WallXz, [0, 2]),
    ("marks.wall_zy", Placement::WallZy, [2, 1]),
];
const LEGEND: &str = "legend";
const CAVEATS: &str = "caveats";
const TITLE: &str = "title";

struct Axis {
    channel: Channel,
    primitive: &'static str,
    placement: Placement,
    from: f64,
    to: f64,
}

struct Draft<'a> {
    inputs: &'a Inputs<'a>,
    source: &'a Source,
    variables: [Variable<'a>; 3],
    grouping: Option<Grouping<'a>>,
    walls: bool,
    bindings: Vec<Binding>,
}

pub(super) fn propose(
    id: &'static str,
    version: &'static str,
    walls: bool,
    inputs: &Inputs<'_>,
) -> Result<Graph, RecipeError> {
    let recipe_ref = inputs.pins.recipe(id).ok_or_else(|| RecipeError::Unpinned {
        what: "recipe",
        id: id.to_owned(),
    })?;
    let mut draft = Draft::read(id, walls, inputs)?;
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

impl<'a> Draft<'a> {
    fn read(recipe: &'static str, walls: bool, inputs: &'a Inputs<'a>) -> Result<Self, RecipeError> {
        let perspective = inputs
            .context
            .body()
            .perspective
            .as_ref()
            .ok_or(RecipeError::NoPerspective)?;
        let asked = &perspective.foreground;
        let mut seen = BTreeSet::new();
        if let Some(twice) = asked.iter().find(|variable| !seen.insert(variable.node_id)) {
            return Err(RecipeError::Duplicate(twice.variable.clone()));
        }
        let [x, y, z] = asked.as_slice() else {
            return Err(RecipeError::Foreground {
                recipe,
                needed: 3,
                found: asked.len(),
            });
        };
        if inputs.leaf.n_rows() == 0 {
            return Err(RecipeError::NoRows);
        }
        let (x, y, z) = (variable(inputs, x)?, variable(inputs, y)?, variable(inputs, z)?);
        let grouping = perspective
            .grouping
            .as_ref()
            .map(|asked| grouping(inputs, asked))
            .transpose()?;
        for other in [y.node, z.node]
            .into_iter()
            .chain(grouping.as_ref().map(|grouping| grouping.node))
        {
            if other.source_id != x.node.source_id {
                return Err(RecipeError::NotAligned {
                    first: x.node.descriptor.label.clone(),
                    second: other.descriptor.label.clone(),
                });
            }
        }
        let source = source_of(inputs, x.node)?;
        Ok(Self {
            inputs,
            source,
            variables: [x, y, z],
            grouping,
            walls,
            bindings: Vec::new(),
        })
    }

    fn marks(&mut self) -> Result<(), RecipeError> {
        let (volume_carries, limitation) = if self.walls {
            (false, DEPTH_CLAIMS_NOTHING)
        } else {
            (true, STEREO_POSITION_UNVALIDATED)
        };
        for axis in 0..3 {
            self.position(VOLUME, axis, volume_carries, &[limitation])?;
        }
        self.membership(VOLUME)?;
        if self.walls {
            for (wall, _, axes) in WALLS {
                for axis in axes {
                    self.position(wall, axis, true, &[])?;
                }
                self.membership(wall)?;
            }
        }
        Ok(())
    }

    fn position(
        &mut self,
        primitive: &str,
        axis: usize,
        carries: bool,
        limitations: &[&str],
    ) -> Result<(), RecipeError> {
        let Axis {
            channel, from, to, ..
        } = AXES[axis];
        let variable = &self.variables[axis];
        let carries = if carries {
            self.about(
                variable.node,
                &[Predicate::Order, Predicate::Difference, Predicate::Sequence],
            )
        } else {
            Vec::new()
        };
        let record = BindingRecord {
            channel,
            domain: domain(variable)?,
            range: Range::Meters {
                from: meters(from)?,
                to: meters(to)?,
            },
            unit: variable.node.descriptor.unit.clone(),
            order_constraint: "INCREASING".to_owned(),
            carries,
            limitations: codes(limitations.iter().copied().chain(variable.limitation)),
            ..self.record(primitive, variable.node, "linear")?
        };
        self.push(record)
    }

    /// Hue and shape together; they claim nothing, because the legend and EXPLAIN say the group in words.
    fn membership(&mut self, primitive: &str) -> Result<(), RecipeError> {
        let Some(Grouping { node, labels }) = &self.grouping else {
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
        let shape = BindingRecord {
            channel: Channel::Shape,
            domain,
            range: Range::Shapes {
                values: values(&palette::SHAPES),
            },
            fidelity: Fidelity::Surrogate,
            ..self.record(primitive, node, "categorical")?
        };
        self.push(hue)?;
        self.push(shape)
    }

    fn axes(&mut self) -> Result<(), RecipeError> {
        for (axis, Axis { primitive, .. }) in AXES.iter().enumerate() {
            let variable = &self.variables[axis];
            let record = BindingRecord {
                domain: domain(variable)?,
                unit: variable.node.descriptor.unit.clone(),
                carries: self.about(variable.node, &[Predicate::Units]),
                limitations: codes(variable.limitation),
                ..self.text(primitive, variable.node)?
            };
            self.push(record)?;
        }
        Ok(())
    }

    fn legend(&mut self) -> Result<(), RecipeError> {
        let Some(Grouping { node, labels }) = &self.grouping else {
            return Ok(());
        };
        let record = BindingRecord {
            domain: Domain::Categories {
                labels: labels.clone(),
            },
            ..self.text(LEGEND, node)?
        };
        self.push(record)?;
        self.membership(LEGEND)
    }

    /// The caveat board: every sentence is a text binding on the node it is about. Returns the codes it states.
    fn caveats(&mut self) -> Result<Vec<String>, RecipeError> {
        let inputs = self.inputs;
        let mut stated = BTreeSet::new();
        let mut sources: Vec<&Source> = vec![self.source];
        for source in &inputs.snapshot.body().sources {
            if source.source_id != self.source.source_id && self.owes(source) {
                sources.push(source);
            }
        }
        for source in sources {
            self.projection(source, &mut stated)?;
        }
        let mut stated: Vec<String> = stated.into_iter().collect();
        stated.sort_by(|a, b| utf16_cmp(a, b));
        Ok(stated)
    }

    fn projection(&mut self, source: &'a Source, stated: &mut BTreeSet<String>) -> Result<(), RecipeError> {
        let inputs = self.inputs;
        let main = source.source_id == self.source.source_id;
        let find = |producer: &str, path: &str| {
            inputs.snapshot.body().nodes.iter().find(|node| {
                node.source_id == source.source_id
                    && node.producer_semantic_id == producer
                    && node.property_path == path
            })
        };
        for (path, predicates) in [
            ("rowsUsed", &[Predicate::Support][..]),
            ("rowsExcluded", &[Predicate::Missingness]),
            (
                "totalRows",
                &[Predicate::Approximation, Predicate::EpistemicStatus],
            ),
        ] {
            let node = find("projection", path).ok_or_else(|| {
                RecipeError::Unbindable(format!("{path} of the {} analysis", source.family))
            })?;
            let carries = self.of_source(source, predicates);
            let record = BindingRecord {
                carries,
                ..self.text(CAVEATS, node)?
            };
            self.push(record)?;
        }
        let mut limits: BTreeSet<&str> = inputs
            .snapshot
            .body()
            .limitations
            .iter()
            .filter(|limitation| limitation.source_id == source.source_id)
            .map(|limitation| limitation.code.as_str())
            .collect();
        for obligation in self
            .obligations()
            .filter(|owed| owed.semantic_source_ref.source_id == source.source_id)
        {
            limits.extend(obligation.limitations_to_expose.iter().map(String::as_str));
        }
        if main {
            limits.extend(self.variables.iter().filter_map(|variable| variable.limitation));
        }
        let carries = self.of_source(source, &[Predicate::Limitation]);
        if !limits.is_empty() || !carries.is_empty() {
            let node = if main {
                Some(self.variables[0].node)
            } else {
                inputs.snapshot.body().nodes.iter().find(|node| {
                    node.source_id == source.source_id && node.producer_semantic_id.starts_with("column:")
                })
            };
            let node =
                node.ok_or_else(|| RecipeError::Unbindable(format!("the limits of {}", source.family)))?;
            let limitations = codes(limits.iter().copied());
            let record = BindingRecord {
                carries,
                limitations,
                ..self.text(CAVEATS, node)?
            };
            self.push(record)?;
        }
        stated.extend(limits.into_iter().map(str::to_owned));
        if main {
            let depth = if self.walls {
                DEPTH_CLAIMS_NOTHING
            } else {
                STEREO_POSITION_UNVALIDATED
            };
            stated.insert(depth.to_owned());
            // What is not there has no node of its own: the sentence that says so stands with the rows that are.
            let mut carries: Vec<Identity<ObligationKind>> = self
                .obligations()
                .filter(|owed| owed.requirement_predicate_ref.predicate == Predicate::Unavailability)
                .map(|owed| owed.id)
                .collect();
            carries.sort_unstable();
            let node = find("projection", "rowKeys")
                .ok_or_else(|| RecipeError::Unbindable("the keys of the rows".to_owned()))?;
            let limitations = codes([depth]);
            let record = BindingRecord {
                carries,
                limitations,
                ..self.text(CAVEATS, node)?
            };
            self.push(record)?;
        }
        Ok(())
    }

    fn primitives(&self, codes_stated: Vec<String>) -> Vec<Primitive> {
        let routes: BTreeSet<&Activation> = self
            .obligations()
            .filter_map(|obligation| obligation.activation.as_ref())
            .collect();
        let routes: Vec<Activation> = routes.into_iter().cloned().collect();
        let marks = |id: &str, placement, limitations: &[&str]| Primitive {
            id: id.to_owned(),
            kind: PrimitiveKind::PointIdentity,
            placement,
            routes: routes.clone(),
            limitations: codes(limitations.iter().copied()),
        };
        let words = |id: &str, placement, limitations| Primitive {
            id: id.to_owned(),
            kind: PrimitiveKind::Annotation,
            placement,
            routes: Vec::new(),
            limitations,
        };
        let depth = if self.walls {
            DEPTH_CLAIMS_NOTHING
        } else {
            STEREO_POSITION_UNVALIDATED
        };
        let mut primitives = vec![marks(VOLUME, Placement::Volume, &[depth])];
        if self.walls {
            primitives.extend(WALLS.iter().map(|(id, placement, _)| marks(id, *placement, &[])));
        }
        primitives.extend(
            AXES.iter()
                .zip(&self.variables)
                .map(|(axis, variable)| words(axis.primitive, axis.placement, codes(variable.limitation))),
        );
        if self.grouping.is_some() {
            primitives.push(words(LEGEND, Placement::Legend, Vec::new()));
        }
        primitives.push(words(CAVEATS, Placement::CaveatBoard, codes_stated));
        primitives.push(words(TITLE, Placement::Title, Vec::new()));
        primitives
    }

    /// Axes coordinate with the marks they measure, legend and caveats with the volume, walls with the volume.
    fn edges(&self, primitives: &[Primitive]) -> Vec<Edge> {
        let mut edges = Vec::new();
        let mut link = |from: &str, to: &str| {
            edges.push(Edge {
                from: from.to_owned(),
                to: to.to_owned(),
                relation: Relation::CoordinatesWith,
            });
        };
        for (index, axis) in AXES.iter().enumerate() {
            link(axis.primitive, VOLUME);
            for (wall, _, axes) in WALLS.iter().filter(|_| self.walls) {
                if axes.contains(&index) {
                    link(axis.primitive, wall);
                }
            }
        }
        for primitive in primitives {
            match primitive.placement {
                Placement::WallXy | Placement::WallXz | Placement::WallZy | Placement::CaveatBoard => {
                    link(&primitive.id, VOLUME);
                }
                Placement::Legend => {
                    link(&primitive.id, VOLUME);
                    for (wall, ..) in WALLS.iter().filter(|_| self.walls) {
                        link(&primitive.id, wall);
                    }
                }
                Placement::Volume
                | Placement::AxisX
                | Placement::AxisY
                | Placement::AxisZ
                | Placement::Title => {}
            }
        }
        edges.sort();
        edges
    }

    fn text(&self, primitive: &str, node: &Node) -> Result<BindingRecord, RecipeError> {
        Ok(BindingRecord {
            channel: Channel::Text,
            domain: Domain::Statement {},
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

    fn push(&mut self, record: BindingRecord) -> Result<(), RecipeError> {
        debug_assert_eq!(
            record.order_constraint,
            crate::TransformKind::of(&record.transform)
                .map_or("NONE", |kind| grammar::order_of(kind, &record.range)),
        );
        self.bindings.push(bind(record)?);
        Ok(())
    }

    fn obligations(&self) -> impl Iterator<Item = &'a Obligation> + use<'a> {
        self.inputs.obligations.set().body().obligations.iter()
    }

    /// Obligations of these predicates about this node, sorted.
    fn about(&self, node: &Node, predicates: &[Predicate]) -> Vec<Identity<ObligationKind>> {
        let mut ids: Vec<_> = self
            .obligations()
            .filter(|obligation| obligation.semantic_source_ref.node_id == Some(node.node_id))
            .filter(|obligation| predicates.contains(&obligation.requirement_predicate_ref.predicate))
            .map(|obligation| obligation.id)
            .collect();
        ids.sort_unstable();
        ids
    }

    /// Obligations of these predicates about this source or any of its nodes, sorted.
    fn of_source(&self, source: &Source, predicates: &[Predicate]) -> Vec<Identity<ObligationKind>> {
        let mut ids: Vec<_> = self
            .obligations()
            .filter(|obligation| obligation.semantic_source_ref.source_id == source.source_id)
            .filter(|obligation| predicates.contains(&obligation.requirement_predicate_ref.predicate))
            .map(|obligation| obligation.id)
            .collect();
        ids.sort_unstable();
        ids
    }

    /// Whether the caveat board must speak of another projection of rows.
    fn owes(&self, source: &Source) -> bool {
        let predicates = [
            Predicate::Support,
            Predicate::Missingness,
            Predicate::Approximation,
            Predicate::EpistemicStatus,
            Predicate::Limitation,
        ];
        source.family == "rows"
            && matches!(source.state, State::Available {})
            && !self.of_source(source, &predicates).is_empty()
    }
}

fn domain(variable: &Variable<'_>) -> Result<Domain, RecipeError> {
    let column = || variable.node.descriptor.label.clone();
    variable.ticks.domain().map_err(|_| RecipeError::Axis {
        column: column(),
        error: ticks::TickError::NoInterval {
            min: variable.ticks.min,
            max: variable.ticks.max,
        },
    })
}

fn meters(value: f64) -> Result<Finite, RecipeError> {
    Finite::new(value).map_err(|_| RecipeError::Unbindable("a place in the stage frame".to_owned()))
}

fn codes<'a>(codes: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let codes: BTreeSet<&str> = codes.into_iter().collect();
    let mut codes: Vec<String> = codes.into_iter().map(str::to_owned).collect();
    codes.sort_by(|a, b| utf16_cmp(a, b));
    codes
}
