//! What is supposed, drawn: a hollow diamond with a cross in it for a row that is not in the data, broken lines for levels
//! and relations, and words off the data that a thin line leads to.

use conjecture::wire::v1::{Element as Supposition, Payload};
use conjecture::{LABEL, Proposal};
use representation::wire::v2::{BindingRecord, Channel, Placement, Primitive, PrimitiveKind, Semantic};
use representation::{palette, volume};

use super::axes::Axes;
use super::marks::Marks;
use super::room::Room;
use super::{Inputs, board};
use crate::PlanError;
use crate::element::{Align, Along, Facing, Glyph, Label, LabelInk, LineInk, Shape, Trajectory, VAlign};
use crate::wire::v1::{Element, Supposed};

/// Diameter of a supposed row, in meters: larger than any row of data.
const DIAMETER: f64 = 0.05;
const DIAMETER_ON_WALL: f64 = 0.036;
/// How far conjecture stands in front of a wall, in meters: before the rows of data.
const OFF_WALL: f64 = 0.008;
const WIDTH: f64 = 0.008;
const LEADER_WIDTH: f64 = 0.002;
/// Widest lines that are tried for the words, in meters.
const WRAPS: [f64; 3] = [0.86, 1.25, 2.4];

const LOW: [f64; 3] = [volume::X_MIN, volume::Y_MIN, volume::Z_MIN];
const HIGH: [f64; 3] = [volume::X_MAX, volume::Y_MAX, volume::Z_MAX];
const ALONG: [Along; 3] = [Along::X, Along::Y, Along::Z];
const POSITIONS: [Channel; 3] = [Channel::PositionX, Channel::PositionY, Channel::PositionZ];
/// Walls by the axis they are flat in.
const WALLS: [(Placement, &str, usize); 3] = [
    (Placement::WallZy, "wall_zy", 0),
    (Placement::WallXz, "wall_xz", 1),
    (Placement::WallXy, "wall_xy", 2),
];

pub(super) fn draw(
    inputs: &Inputs<'_>,
    axes: &Axes<'_>,
    marks: &[Marks<'_>],
    elements: &mut Vec<Element>,
) -> Result<(), PlanError> {
    let primitives = &inputs.graph.body().primitives;
    let Some(primitive) = primitives
        .iter()
        .find(|one| one.kind == PrimitiveKind::Conjecture)
    else {
        return Ok(());
    };
    let mut drawn = Vec::new();
    for proposal in inputs.proposals {
        for element in &proposal.body().elements {
            let one = One {
                inputs,
                axes,
                marks,
                primitive,
                proposal,
                element,
            };
            if one.is_bound() {
                let anchors = one.marks(elements)?;
                drawn.push((one, anchors));
            }
        }
    }
    // Legend and caveats are one column; no other words come between them.
    let column: Vec<&str> = primitives
        .iter()
        .filter(|one| matches!(one.placement, Placement::Legend | Placement::CaveatBoard))
        .map(|one| one.id.as_str())
        .collect();
    let mut room = Room::around(inputs.device.device, elements, &column)?;
    for (one, anchors) in drawn {
        one.words(&anchors, &mut room, elements)?;
    }
    Ok(())
}

/// One supposed element with what it is drawn from.
struct One<'a> {
    inputs: &'a Inputs<'a>,
    axes: &'a Axes<'a>,
    marks: &'a [Marks<'a>],
    primitive: &'a Primitive,
    proposal: &'a Proposal,
    element: &'a Supposition,
}

impl<'a> One<'a> {
    /// The record of this element on the primitive of conjecture.
    fn record(&self, channel: Channel, path: Option<&str>) -> Option<&'a BindingRecord> {
        let records = self
            .inputs
            .graph
            .body()
            .bindings
            .iter()
            .map(|binding| &binding.record);
        records
            .filter(|record| record.primitive_id == self.primitive.id && record.channel == channel)
            .find(|record| {
                matches!(&record.semantic, Semantic::Conjectural { proposal_id, element_id, property_path, .. }
                    if *proposal_id == self.proposal.id()
                        && *element_id == self.element.element_id
                        && path.is_none_or(|path| property_path == path))
            })
    }

    fn is_bound(&self) -> bool {
        [Channel::Shape, Channel::Text]
            .into_iter()
            .chain(POSITIONS)
            .any(|channel| self.record(channel, None).is_some())
    }

    fn push(&self, elements: &mut Vec<Element>, element: Element) {
        elements.push(element.supposing(Supposed {
            element_id: self.element.element_id.clone(),
            proposal_id: self.proposal.id(),
        }));
    }

    fn id(&self, what: &str) -> String {
        format!("{}.{}.{what}", self.primitive.id, self.element.element_id)
    }

    /// Draws the marks; returns the places that words can lead to.
    fn marks(&self, elements: &mut Vec<Element>) -> Result<Vec<[f64; 3]>, PlanError> {
        let Some(shape) = self.record(Channel::Shape, None) else {
            return Err(PlanError::Unmarked {
                element: self.element.element_id.clone(),
                what: "a shape of its own",
            });
        };
        let mut places: Vec<(usize, f64)> = Vec::new();
        for (path, quantity) in self.element.quantities() {
            let axis = (0..3).find(|axis| self.record(POSITIONS[*axis], Some(&path)).is_some());
            let Some(axis) = axis else {
                return Err(PlanError::Unbound {
                    primitive: self.primitive.id.clone(),
                    channel: Channel::PositionX,
                });
            };
            let Some(at) = self.axes.place(axis, quantity.value.get()) else {
                return Err(self.unsupported("its axis is not drawn"));
            };
            places.push((axis, at?));
        }
        places.sort_by_key(|(axis, _)| *axis);
        let wanted = match &self.element.payload {
            Payload::Value { .. } => palette::CONJECTURE_MARK,
            Payload::Level { .. } | Payload::Relation { .. } => palette::CONJECTURE_LINE,
        };
        if !matches!(&shape.range, representation::wire::v2::Range::Shapes { values } if *values == [wanted])
        {
            return Err(self.unsupported("its shape is that of another kind of conjecture"));
        }
        match (&self.element.payload, places.as_slice()) {
            (Payload::Value { .. }, [(0, x), (1, y), (2, z)]) => self.row([*x, *y, *z], elements),
            (Payload::Level { .. }, [(axis, at)]) => self.level(*axis, *at, elements),
            (Payload::Relation { from_row, to_row }, []) => self.relation(from_row, to_row, elements),
            _ => Err(self.unsupported("its values do not span the axes")),
        }
    }

    fn unsupported(&self, why: &str) -> PlanError {
        PlanError::Unsupported {
            primitive: self.id("mark"),
            why: why.to_owned(),
        }
    }

    /// The walls that are there.
    fn walls(&self) -> impl Iterator<Item = (&'static str, usize)> + use<'_> {
        let there = |placement| self.marks.iter().any(|marks| marks.placement() == placement);
        WALLS
            .into_iter()
            .filter(move |(placement, ..)| there(*placement))
            .map(|(_, name, flat)| (name, flat))
    }

    fn row(&self, at: [f64; 3], elements: &mut Vec<Element>) -> Result<Vec<[f64; 3]>, PlanError> {
        let color = crate::element::rgb(palette::CONJECTURE_COLOR).unwrap_or_default();
        let glyph = |at, diameter, flat| Glyph {
            at,
            diameter,
            shape: Shape::CrossedDiamond,
            color,
            facing: Facing::Viewer,
            flat,
        };
        for (name, flat) in self.walls() {
            let mut on_wall = at;
            on_wall[flat] = LOW[flat] + OFF_WALL;
            let glyph = glyph(on_wall, DIAMETER_ON_WALL, Some(ALONG[flat]));
            self.push(elements, glyph.write(&self.id(name), &self.primitive.id)?);
        }
        let glyph = glyph(at, DIAMETER, None);
        self.push(elements, glyph.write(&self.id("volume"), &self.primitive.id)?);
        Ok(vec![at])
    }

    fn line(
        &self,
        name: &str,
        ends: [[f64; 3]; 2],
        level: Option<Along>,
        elements: &mut Vec<Element>,
    ) -> Result<(), PlanError> {
        let line = Trajectory {
            from: ends[0],
            to: ends[1],
            width: WIDTH,
            ink: LineInk::Conjecture,
            level,
        };
        self.push(elements, line.write(&self.id(name), &self.primitive.id)?);
        Ok(())
    }

    /// A line across every wall that has the axis; where there is none, the outline of the plane in the volume.
    fn level(&self, axis: usize, at: f64, elements: &mut Vec<Element>) -> Result<Vec<[f64; 3]>, PlanError> {
        let level = Some(ALONG[axis]);
        let mut anchors = Vec::new();
        for (name, flat) in self.walls().filter(|(_, flat)| *flat != axis) {
            let across = 3 - axis - flat;
            let mut ends = [LOW, LOW];
            for end in &mut ends {
                end[axis] = at;
                end[flat] = LOW[flat] + OFF_WALL;
            }
            ends[1][across] = HIGH[across];
            self.line(name, ends, level, elements)?;
            anchors.extend(ends);
        }
        if !anchors.is_empty() {
            return Ok(anchors);
        }
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        let corner = |high_a: bool, high_b: bool| {
            let mut corner = LOW;
            corner[axis] = at;
            corner[a] = if high_a { HIGH[a] } else { LOW[a] };
            corner[b] = if high_b { HIGH[b] } else { LOW[b] };
            corner
        };
        let round = [
            corner(false, false),
            corner(true, false),
            corner(true, true),
            corner(false, true),
        ];
        for nth in 0..4 {
            let ends = [round[nth], round[(nth + 1) % 4]];
            self.line(&format!("edge_{nth}"), ends, level, elements)?;
        }
        Ok(round.to_vec())
    }

    /// A line between the two rows wherever rows are drawn.
    fn relation(
        &self,
        from_row: &str,
        to_row: &str,
        elements: &mut Vec<Element>,
    ) -> Result<Vec<[f64; 3]>, PlanError> {
        let leaf = self.inputs.leaf;
        let row = |key: &str| {
            leaf.row_of_key(key)
                .ok_or_else(|| self.unsupported(&format!("no row `{key}` is drawn")))
        };
        let (from, to) = (row(from_row)?, row(to_row)?);
        let mut anchors = Vec::new();
        for marks in self.marks {
            let Some(points) = marks.points() else { continue };
            let placer = points.over(leaf)?;
            let mut ends = [placer.place(from)?, placer.place(to)?];
            let wall = WALLS
                .into_iter()
                .find(|(placement, ..)| *placement == marks.placement());
            if let Some((_, _, flat)) = wall {
                ends.iter_mut().for_each(|end| end[flat] = LOW[flat] + OFF_WALL);
            }
            let name = wall.map_or("volume", |(_, name, _)| name);
            self.line(name, ends, None, elements)?;
            if wall.is_none() {
                anchors.push(std::array::from_fn(|axis| (ends[0][axis] + ends[1][axis]) / 2.0));
            }
        }
        Ok(anchors)
    }

    /// The words, off the data and off all other words, with a thin line to the mark.
    fn words(
        &self,
        anchors: &[[f64; 3]],
        room: &mut Room,
        elements: &mut Vec<Element>,
    ) -> Result<(), PlanError> {
        let Some(record) = self.record(Channel::Text, Some(LABEL)) else {
            return Ok(());
        };
        let cap_height = board::cap(record)?;
        let text = self.element.mark_text();
        let found = room.find(&text, cap_height, &WRAPS, anchors);
        let Some(found) = found else {
            return Err(PlanError::NoPlace {
                element: self.element.element_id.clone(),
            });
        };
        let leader = Trajectory {
            from: found.anchor,
            to: found.end,
            width: LEADER_WIDTH,
            ink: LineInk::Axis,
            level: None,
        };
        elements.push(leader.write(&self.id("leader"), &self.primitive.id)?);
        let label = Label {
            text,
            at: found.at,
            cap_height,
            align: Align::Start,
            valign: VAlign::Top,
            facing: Facing::Viewer,
            ink: LabelInk::Conjecture,
            wrap_width: Some(found.wrap),
            along: None,
        };
        self.push(elements, label.write(&self.id("label"), &self.primitive.id)?);
        Ok(())
    }
}
