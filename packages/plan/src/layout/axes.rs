//! Axes: walls, frame, grid lines at ticks, axis lines, tick labels, titles.

use representation::wire::v2::{BindingRecord, Channel, Domain, Placement, Primitive, PrimitiveKind, Range};
use representation::{Scale, TransformKind, ticks, volume};
use snapshot::wire::v1::Node;

use super::{Inputs, marks, words};
use crate::PlanError;
use crate::element::{
    Align, Along, Band, Facing, Label, LabelInk, LineInk, Surface, SurfaceInk, Trajectory, VAlign,
};
use crate::wire::v1::Element;

const NAMES: [&str; 3] = ["x", "y", "z"];
const CHANNELS: [Channel; 3] = [Channel::PositionX, Channel::PositionY, Channel::PositionZ];
const PLACEMENTS: [Placement; 3] = [Placement::AxisX, Placement::AxisY, Placement::AxisZ];
const ALONG: [Along; 3] = [Along::X, Along::Y, Along::Z];
const LOW: [f64; 3] = [volume::X_MIN, volume::Y_MIN, volume::Z_MIN];
const HIGH: [f64; 3] = [volume::X_MAX, volume::Y_MAX, volume::Z_MAX];

/// How far grid lines stand in front of a wall, in meters; marks stand further.
const OFF_WALL: f64 = 0.0015;
const GRID_WIDTH: f64 = 0.002;
const FRAME_WIDTH: f64 = 0.003;
const AXIS_WIDTH: f64 = 0.005;

/// Gap between an axis line and its tick labels, in meters; below the front edge it is wider, so that the corner label
/// of x passes under that of z.
const GAP: f64 = 0.035;
const GAP_BELOW: f64 = 0.05;

/// How far the tick labels of x descend in the home view, a meter of title: wider titles stand lower. The title is
/// centered below the edge a little to the left, wider ones more so, and never begins before `LEFTMOST`.
const DESCENT: f64 = 0.185;
const LEFTMOST: f64 = -0.9;
const MIDDLE: f64 = -0.12;

/// Room for tick labels in the home view, in meters of label width along x and in labels along y and z: the edges are seen
/// at an angle, the labels are not.
const ROOM_X: f64 = 1.0;
/// Widest line of the title of x.
const WRAP_X: f64 = 1.2;
/// Distance of two rows of labels in cap heights.
const ROW: f64 = 3.4;
/// Room for the labels of bands along y and z, in meters.
const ROOM_OF_BANDS: f64 = 0.5;
/// Where the title of z ends in the home view, and how wide it may be for that, in meters.
const BEFORE_BOARD: f64 = 1.18;
const WRAP_Z: f64 = 0.78;
const MOST_Y: usize = 14;
const MOST_Z: usize = 8;

pub(super) struct Axes<'a> {
    axes: [Option<Axis<'a>>; 3],
    /// Lower ends of the volume: where the back wall stands is its third.
    low: [f64; 3],
}

struct Axis<'a> {
    node: &'a Node,
    runs: Runs,
    primitive: Option<&'a Primitive>,
    text: Option<&'a BindingRecord>,
}

/// What an axis runs over.
enum Runs {
    Numbers(Scale, Vec<ticks::Tick>),
    Bands(Band),
}

/// A place with words along an axis, in meters.
struct Named {
    at: f64,
    label: String,
}

impl<'a> Axes<'a> {
    pub(super) fn read(inputs: &Inputs<'a>) -> Result<Self, PlanError> {
        Ok(Self {
            axes: [axis(inputs, 0)?, axis(inputs, 1)?, axis(inputs, 2)?],
            low: [LOW[0], LOW[1], super::back(inputs)],
        })
    }

    /// Where across and up are read: at the front of the floor, or where nothing stands in depth, at the foot of the back
    /// wall itself.
    fn front(&self) -> f64 {
        if self.axes[2].is_some() {
            HIGH[2]
        } else {
            self.low[2]
        }
    }

    /// Wall surfaces and the grid lines on them.
    pub(super) fn walls(&self, inputs: &Inputs<'_>, elements: &mut Vec<Element>) -> Result<(), PlanError> {
        let [x0, y0, z0] = self.low;
        let (dx, dy, dz) = (HIGH[0] - x0, HIGH[1] - y0, HIGH[2] - z0);
        let wall = |origin, u, v| Surface {
            origin,
            u,
            v,
            ink: SurfaceInk::Wall,
        };
        // Third entry: the axis a wall is flat in. Edges are ordered so that u x v points into the volume.
        let walls = [
            (
                Placement::WallXz,
                "xz",
                1,
                wall([x0, y0, z0], [0.0, 0.0, dz], [dx, 0.0, 0.0]),
            ),
            (
                Placement::WallZy,
                "zy",
                0,
                wall([x0, y0, HIGH[2]], [0.0, 0.0, -dz], [0.0, dy, 0.0]),
            ),
            (
                Placement::WallXy,
                "xy",
                2,
                wall([x0, y0, z0], [dx, 0.0, 0.0], [0.0, dy, 0.0]),
            ),
        ];
        for (placement, name, flat, surface) in walls {
            let Some(primitive) = super::at(inputs, placement).next() else {
                continue;
            };
            elements.push(surface.write(&format!("wall.{name}"), &primitive.id)?);
            for (index, axis) in self.axes.iter().enumerate().filter(|(index, _)| *index != flat) {
                let Some(axis) = axis else { continue };
                let across = 3 - index - flat;
                let Runs::Numbers(_, ticks) = &axis.runs else {
                    continue;
                };
                for (nth, tick) in ticks.iter().enumerate() {
                    let mut from = [0.0; 3];
                    from[index] = axis.at(tick.value)?;
                    from[flat] = self.low[flat] + OFF_WALL;
                    from[across] = self.low[across];
                    let mut to = from;
                    to[across] = HIGH[across];
                    let line = Trajectory {
                        from,
                        to,
                        width: GRID_WIDTH,
                        ink: LineInk::Grid,
                        level: None,
                    };
                    let owner = axis.primitive.unwrap_or(primitive);
                    elements.push(line.write(&format!("grid.{name}.{}.{nth}", NAMES[index]), &owner.id)?);
                }
            }
        }
        Ok(())
    }

    /// The edges of the volume, and the three that axes are read along.
    pub(super) fn lines(&self, inputs: &Inputs<'_>, elements: &mut Vec<Element>) -> Result<(), PlanError> {
        let marks = |primitive: &&Primitive| primitive.kind == PrimitiveKind::PointIdentity;
        let Some(owner) = inputs.graph.body().primitives.iter().find(marks) else {
            return Ok(());
        };
        // Around places that measure nothing stands no box.
        if self.axes.iter().flatten().all(|axis| axis.primitive.is_none()) {
            return Ok(());
        }
        let walls: Vec<Placement> = inputs
            .graph
            .body()
            .primitives
            .iter()
            .map(|primitive| primitive.placement)
            .collect();
        let has = |placement| walls.contains(&placement);
        let none = !has(Placement::WallXy) && !has(Placement::WallXz) && !has(Placement::WallZy);
        let mut nth = 0;
        for along in 0..3 {
            let (a, b) = ((along + 1) % 3, (along + 2) % 3);
            for (high_a, high_b) in [(false, false), (true, false), (false, true), (true, true)] {
                // An edge is drawn when it borders a wall that is there; all twelve when there is none.
                let borders = |axis: usize, high: bool| {
                    let wall = [Placement::WallZy, Placement::WallXz, Placement::WallXy][axis];
                    !high && has(wall)
                };
                if !(none || borders(a, high_a) || borders(b, high_b)) {
                    continue;
                }
                let mut from = self.low;
                from[a] = if high_a { HIGH[a] } else { self.low[a] };
                from[b] = if high_b { HIGH[b] } else { self.low[b] };
                let mut to = from;
                to[along] = HIGH[along];
                let line = Trajectory {
                    from,
                    to,
                    width: FRAME_WIDTH,
                    ink: LineInk::Frame,
                    level: None,
                };
                elements.push(line.write(&format!("frame.{nth}"), &owner.id)?);
                nth += 1;
            }
        }
        for (index, axis) in self.axes.iter().enumerate() {
            let Some(Axis {
                primitive: Some(primitive),
                ..
            }) = axis
            else {
                continue;
            };
            let (from, to) = edge(index, self.low, self.front());
            let line = Trajectory {
                from,
                to,
                width: AXIS_WIDTH,
                ink: LineInk::Axis,
                level: None,
            };
            elements.push(line.write(&format!("{}.line", primitive.id), &primitive.id)?);
        }
        Ok(())
    }

    /// Tick labels and titles.
    pub(super) fn labels(&self, _inputs: &Inputs<'_>, elements: &mut Vec<Element>) -> Result<(), PlanError> {
        let mut titles = Vec::new();
        for (index, axis) in self.axes.iter().enumerate() {
            let Some(axis) = axis else { continue };
            let (Some(primitive), Some(text)) = (axis.primitive, axis.text) else {
                continue;
            };
            let cap_height = super::board::cap(text)?;
            let label = |text: String, at, align, valign, ink, wrap_width| Label {
                text,
                at,
                cap_height,
                align,
                valign,
                facing: Facing::Viewer,
                ink,
                wrap_width,
                along: Some(ALONG[index]),
            };
            let node = Some(axis.node.node_id);
            let front = self.front() + GAP;
            let (named, rows) = axis.named(index, cap_height)?;
            let widths = named
                .iter()
                .map(|(_, named)| words::width(&named.label, cap_height));
            let widest = widths.fold(0.0, f64::max);
            for (
                nth,
                Named {
                    at: along,
                    label: said,
                },
            ) in &named
            {
                let (along, row) = (*along, (nth % rows) as f64);
                let (at, align, valign) = match index {
                    0 => (
                        [along, LOW[1] - GAP_BELOW - row * ROW * cap_height, front],
                        Align::Center,
                        VAlign::Top,
                    ),
                    1 => ([LOW[0] - GAP, along, front], Align::End, VAlign::Middle),
                    _ => (
                        [HIGH[0] + GAP, LOW[1] - GAP / 2.0, along + GAP / 2.0],
                        Align::Start,
                        VAlign::Middle,
                    ),
                };
                let said = label(said.clone(), at, align, valign, LabelInk::Muted, None);
                super::put(
                    elements,
                    said.write(&format!("{}.tick.{nth}", primitive.id), &primitive.id)?,
                    node,
                );
            }
            let descriptor = &axis.node.descriptor;
            let title = match &axis.runs {
                Runs::Numbers(..) => words::axis_title(&descriptor.label, descriptor.unit.as_deref()),
                Runs::Bands(_) => words::elide(&descriptor.label, words::MOST_NAME),
            };
            let seen = words::looks(&title);
            if titles.contains(&seen) {
                return Err(PlanError::Unsupported {
                    primitive: primitive.id.clone(),
                    why: format!("two axes would both be titled {seen:?}"),
                });
            }
            titles.push(seen);
            let (at, align, valign, wrap) = match index {
                0 => {
                    let wide = words::width(&title, cap_height).min(WRAP_X);
                    let lower = (rows - 1) as f64 * ROW * cap_height;
                    let below = LOW[1] - GAP_BELOW - 2.3 * cap_height - DESCENT * wide - lower;
                    let left = (MIDDLE - 0.6 * wide).max(LEFTMOST);
                    ([left, below, front], Align::Start, VAlign::Top, WRAP_X)
                }
                1 => (
                    [LOW[0] - 0.2, HIGH[1] + 0.075, front],
                    Align::Start,
                    VAlign::Bottom,
                    2.1,
                ),
                _ => {
                    // Below its labels: before the board begins where one line has the room, else from its labels on.
                    let below = LOW[1] - 0.14;
                    if words::width(&title, cap_height) <= WRAP_Z {
                        ([BEFORE_BOARD, below, 0.42], Align::End, VAlign::Top, 1.5)
                    } else {
                        let beside = HIGH[0] + GAP + widest + 0.055;
                        ([beside, below, 0.42], Align::Start, VAlign::Top, 1.5)
                    }
                }
            };
            let said = label(title, at, align, valign, LabelInk::Ink, Some(wrap));
            super::put(
                elements,
                said.write(&format!("{}.title", primitive.id), &primitive.id)?,
                node,
            );
        }
        Ok(())
    }
}

impl Axes<'_> {
    /// Where a value of an axis stands, in meters; nothing where the axis is not.
    pub(super) fn place(&self, index: usize, value: f64) -> Option<Result<f64, PlanError>> {
        Some(self.axes.get(index)?.as_ref()?.at(value))
    }
}

impl Axis<'_> {
    fn at(&self, value: f64) -> Result<f64, PlanError> {
        let column = || self.node.descriptor.label.clone();
        match &self.runs {
            Runs::Numbers(scale, _) => scale.apply(value).map_err(|error| PlanError::Transform {
                column: column(),
                error,
            }),
            Runs::Bands(_) => Err(PlanError::NotInLeaf {
                column: column(),
                needed: "numbers",
            }),
        }
    }

    /// The places with words, by their number, and in how many rows they stand below each other.
    fn named(&self, index: usize, cap_height: f64) -> Result<(Vec<(usize, Named)>, usize), PlanError> {
        match &self.runs {
            Runs::Numbers(_, ticks) => {
                let keep = thinning(index, ticks, cap_height);
                let kept = ticks.iter().enumerate().step_by(keep).map(|(nth, tick)| {
                    let at = self.at(tick.value)?;
                    let label = tick.label.clone();
                    Ok((nth, Named { at, label }))
                });
                Ok((kept.collect::<Result<_, PlanError>>()?, 1))
            }
            Runs::Bands(band) => {
                let widths = band.labels.iter().map(|label| words::width(label, cap_height));
                let crowded = widths.fold(0.0, f64::max) + cap_height > band.width();
                let rows = if index == 0 && crowded { 2 } else { 1 };
                let room = match index {
                    0 => band.width() * rows as f64 - cap_height,
                    _ => ROOM_OF_BANDS,
                };
                let named = band.labels.iter().enumerate().map(|(nth, label)| {
                    let at = band.middle(nth);
                    let label = short(label, room, cap_height);
                    (nth, Named { at, label })
                });
                Ok((named.collect(), rows))
            }
        }
    }
}

/// A label that fits its room, its end cut where it must be; EXPLAIN tells it whole.
fn short(label: &str, room: f64, cap_height: f64) -> String {
    let label = words::elide(label, usize::MAX);
    if words::width(&label, cap_height) <= room {
        return label;
    }
    let mut cut: String = label;
    while cut.chars().count() > 1 && words::width(&format!("{cut}…"), cap_height) > room {
        cut.pop();
    }
    format!("{}…", cut.trim_end())
}

/// Every how many ticks one is labelled, so that labels stay apart in the home view.
fn thinning(index: usize, ticks: &[ticks::Tick], cap_height: f64) -> usize {
    let most = match index {
        0 => {
            let widest = ticks
                .iter()
                .map(|tick| words::width(&tick.label, cap_height))
                .fold(0.0, f64::max);
            let needed = widest + cap_height;
            (libm::floor(ROOM_X / needed) as usize + 1).max(2)
        }
        1 => MOST_Y,
        _ => MOST_Z,
    };
    ticks.len().div_ceil(most).max(1)
}

/// The edge of the volume that an axis is read along.
fn edge(index: usize, low: [f64; 3], front: f64) -> ([f64; 3], [f64; 3]) {
    let mut from = match index {
        0 | 1 => [low[0], low[1], front],
        _ => [HIGH[0], low[1], low[2]],
    };
    let mut to = from;
    from[index] = low[index];
    to[index] = HIGH[index];
    (from, to)
}

fn axis<'a>(inputs: &Inputs<'a>, index: usize) -> Result<Option<Axis<'a>>, PlanError> {
    let disagree = || PlanError::AxesDisagree { axis: NAMES[index] };
    let body = inputs.graph.body();
    // An interval lies over what it belongs to, and is measured by the same axis in its own numbers.
    let is_interval = |record: &BindingRecord| {
        body.primitives.iter().any(|primitive| {
            primitive.id == record.primitive_id && primitive.kind == PrimitiveKind::Uncertainty
        })
    };
    let on_axis = || {
        let records = body.bindings.iter().map(|binding| &binding.record);
        records.filter(|record| record.channel == CHANNELS[index] && super::is_grounded(record))
    };
    let mut measured = on_axis().filter(|record| !is_interval(record));
    let primitive = super::at(inputs, PLACEMENTS[index]).next();
    let Some(record) = measured.next() else {
        return Ok(None);
    };
    if measured.any(|other| {
        other.semantic != record.semantic
            || other.domain != record.domain
            || other.range != record.range
            || other.transform != record.transform
    }) {
        return Err(disagree());
    }
    if on_axis().any(|other| is_interval(other) && other.range != record.range) {
        return Err(disagree());
    }
    let mut supposed = inputs.graph.body().bindings.iter().map(|binding| &binding.record);
    if supposed.any(|other| {
        other.channel == CHANNELS[index]
            && !super::is_grounded(other)
            && (other.domain != record.domain
                || other.range != record.range
                || other.transform != record.transform
                || other.unit != record.unit)
    }) {
        return Err(disagree());
    }
    let (node, drawn) = marks::drawn(inputs, record)?;
    let runs = runs(
        index,
        node,
        drawn.columns.first().map_or("", String::as_str),
        record,
    )?;
    let text = match primitive {
        Some(primitive) => marks::record(inputs, primitive, Channel::Text)?,
        None => None,
    };
    if let Some(text) = text
        && (text.semantic != record.semantic || !says_domain(&text.domain, &record.domain))
    {
        return Err(disagree());
    }
    Ok(Some(Axis {
        node,
        runs,
        primitive,
        text,
    }))
}

fn runs(index: usize, node: &Node, column: &str, record: &BindingRecord) -> Result<Runs, PlanError> {
    if let (Domain::Categories { labels }, Range::Meters { from, to }) = (&record.domain, &record.range) {
        return Ok(Runs::Bands(Band {
            column: column.to_owned(),
            labels: labels.clone(),
            from: from.get(),
            to: to.get(),
        }));
    }
    let scale = marks::along(column, record)?.scale;
    let (low, high) = (scale.apply(scale.min()), scale.apply(scale.max()));
    let in_volume = |at: &Result<f64, _>| {
        at.as_ref()
            .is_ok_and(|at| (LOW[index]..=HIGH[index]).contains(at))
    };
    if !in_volume(&low) || !in_volume(&high) {
        return Err(PlanError::Unsupported {
            primitive: record.primitive_id.clone(),
            why: format!("the {} axis leaves the volume", NAMES[index]),
        });
    }
    let is_clock = matches!(node.descriptor.frame.as_deref(), Some("utc" | "local"));
    let unit = node.descriptor.unit.as_deref();
    let found = match (scale.kind(), unit) {
        (TransformKind::Log10, _) => ticks::decades(scale.min(), scale.max(), ticks::TARGET),
        (_, Some(unit)) if is_clock => ticks::dates(scale.min(), scale.max(), unit, ticks::TARGET),
        _ => ticks::inside(scale.min(), scale.max(), ticks::TARGET),
    };
    let found = found.map_err(|error| PlanError::Ticks {
        axis: NAMES[index],
        error,
    })?;
    Ok(Runs::Numbers(scale, found.ticks))
}

/// An axis text states the domain that the marks are placed by, or makes no statement about a domain.
fn says_domain(text: &Domain, marks: &Domain) -> bool {
    text == marks || *text == (Domain::Statement {})
}
