//! The title, the legend and the caveats.

use investigation::wire::v2::Intent;
use knowledge::wire::v1::DeviceClass;
use representation::wire::v2::{BindingRecord, Channel, Placement, Primitive, Range};

use super::{Inputs, Statement, marks, statements, words};
use crate::element::{Align, Facing, Glyph, LINE_PITCH, Label, LabelInk, VAlign};
use crate::wire::v1::Element;
use crate::{Camera, PlanError};

/// Gap between two paragraphs and between two sentences of one, in cap heights.
const BREAK: f64 = 1.4;
const PARAGRAPH: f64 = 1.05;

/// The gap between two sentences on a full board.
const CLOSER: f64 = 0.92;

/// Longest category name in the legend; EXPLAIN tells it whole.
const MOST_CATEGORY: usize = 32;
/// Longest question over the picture; the record holds it whole.
const MOST_QUESTION: usize = 140;

const TITLE_CAP: f64 = 0.043;
const TITLE_AT: [f64; 3] = [-0.85, 1.41, 0.6];
/// Upper left in the viewer's frame.
const TITLE_STILL: [f64; 3] = [-1.62, 0.85, 3.2];
const TITLE_WRAP: f64 = 2.9;

/// Whether title, legend and caveats stand still before the viewer.
fn still(device: DeviceClass) -> bool {
    device == DeviceClass::DesktopMonitor
}

pub(super) fn draw(inputs: &Inputs<'_>, elements: &mut Vec<Element>) -> Result<(), PlanError> {
    title(inputs, elements)?;
    let mut board = Board {
        column: Column::of(inputs.device.device, fullness(inputs)?),
        down: 0.0,
        elements: Vec::new(),
        lines: 0,
    };
    let mut owner: Option<&Primitive> = None;
    for primitive in super::at(inputs, Placement::Legend) {
        owner = Some(primitive);
        board.legend(inputs, primitive)?;
    }
    let context = inputs.context.body();
    let said = statements(
        inputs.graph.body(),
        inputs.snapshot.body(),
        inputs.proposals,
        context.epistemic_purpose,
        inputs.device.device,
    );
    for primitive in super::at(inputs, Placement::CaveatBoard) {
        owner = Some(primitive);
        let text = text_of(inputs, primitive)?;
        let cap = text.unwrap_or_else(|| super::plain_cap(inputs, representation::volume::TEXT_CAP));
        board.caveats(primitive, cap, &said)?;
    }
    let Some(owner) = owner else { return Ok(()) };
    let room = board.column.height;
    if board.down > room {
        let cap = text_of(inputs, owner)?.unwrap_or(representation::volume::TEXT_CAP);
        let most = libm::floor(room / (cap * LINE_PITCH)) as usize;
        return Err(PlanError::BoardFull {
            needed: board.lines.max(most + 1),
            most,
        });
    }
    elements.append(&mut board.elements);
    Ok(())
}

/// How much the board has to say.
#[derive(Clone, Copy)]
enum Fullness {
    Usual,
    /// Of conjecture as well: it begins right below the title, and ends above the title of z.
    Supposing,
    /// Of what an analysis found, with the caveats of its method.
    Found,
    /// The same beside a picture without depth, which leaves it more room.
    FoundFlat,
}

fn fullness(inputs: &Inputs<'_>) -> Result<Fullness, PlanError> {
    if !inputs.proposals.is_empty() {
        return Ok(Fullness::Supposing);
    }
    for primitive in super::at(inputs, Placement::CaveatBoard) {
        let cap = text_of(inputs, primitive)?;
        if cap.is_some_and(|cap| cap < representation::volume::TEXT_CAP) {
            let has_depth = super::back(inputs) <= representation::volume::Z_MIN;
            return Ok(if has_depth {
                Fullness::Found
            } else {
                Fullness::FoundFlat
            });
        }
    }
    Ok(Fullness::Usual)
}

/// Where the words stand: a column beside the volume. On a monitor it stands still before the viewer, so that no view
/// of the data is without its caveats and none is covered by them. In a headset, where nothing may cling to the head,
/// it has its place in the room, across the home view.
struct Column {
    /// Upper left corner, in meters.
    corner: [f64; 3],
    right: [f64; 3],
    up: [f64; 3],
    facing: Facing,
    /// Meters.
    width: f64,
    height: f64,
}

impl Column {
    /// Beside the volume as seen from home, at the reading distance of the device. Where conjecture has to be spoken of as
    /// well it begins higher, right below the title, and ends above the title of z.
    fn of(device: DeviceClass, fullness: Fullness) -> Self {
        let home = Camera::home(device);
        let (right, up, forward) = home.basis();
        // Distance from the eye; right and up of the middle of the picture; width and height of the column.
        let (away, beside, above, width, height) = match device {
            DeviceClass::DesktopMonitor => match fullness {
                Fullness::Usual => (3.2, 0.45, 0.66, 1.18, 1.56),
                Fullness::Supposing => (3.2, 0.45, 0.74, 1.18, 1.49),
                Fullness::Found => (3.2, 0.44, 0.75, 1.22, 1.67),
                Fullness::FoundFlat => (3.2, 0.24, 0.75, 1.42, 1.67),
            },
            DeviceClass::PcvrHeadset | DeviceClass::StandaloneHeadset => (2.2, 0.46, 0.75, 1.25, 1.85),
        };
        if still(device) {
            let (right, up) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
            return Self {
                corner: [beside, above, away],
                right,
                up,
                facing: Facing::Still,
                width,
                height,
            };
        }
        let corner = std::array::from_fn(|axis| {
            home.eye[axis] + away * forward[axis] + beside * right[axis] + above * up[axis]
        });
        Self {
            corner,
            right,
            up,
            facing: Facing::Viewer,
            width,
            height,
        }
    }

    /// The point `along` meters from the left edge and `down` meters below the upper one.
    fn at(&self, along: f64, down: f64) -> [f64; 3] {
        std::array::from_fn(|axis| self.corner[axis] + along * self.right[axis] - down * self.up[axis])
    }

    /// A line of text that begins there.
    fn line(&self, text: String, along: f64, down: f64, cap_height: f64, ink: LabelInk) -> Label {
        Label {
            text,
            at: self.at(along, down),
            cap_height,
            align: Align::Start,
            valign: VAlign::Top,
            facing: self.facing,
            ink,
            wrap_width: Some(self.width - along),
            along: None,
        }
    }
}

/// The question, over all; what the record says when there is none.
fn title(inputs: &Inputs<'_>, elements: &mut Vec<Element>) -> Result<(), PlanError> {
    let Some(primitive) = super::at(inputs, Placement::Title).next() else {
        return Ok(());
    };
    let context = inputs.context.body();
    let question = match &context.intent {
        Intent::Present { value } => value.research_question.clone(),
        Intent::LegacyAbsent { .. } => None,
    };
    let named = || {
        let foreground = context
            .perspective
            .as_ref()
            .map(|perspective| perspective.foreground.as_slice());
        let names: Vec<String> = foreground
            .unwrap_or_default()
            .iter()
            .map(|variable| words::elide(&variable.variable, words::MOST_NAME))
            .collect();
        format!("{} (no question stated)", names.join(", "))
    };
    let is_still = still(inputs.device.device);
    let label = Label {
        text: words::cut(&question.unwrap_or_else(named), MOST_QUESTION),
        at: if is_still { TITLE_STILL } else { TITLE_AT },
        cap_height: super::plain_cap(inputs, TITLE_CAP),
        align: Align::Start,
        valign: VAlign::Middle,
        facing: if is_still { Facing::Still } else { Facing::Viewer },
        ink: LabelInk::Ink,
        wrap_width: Some(TITLE_WRAP),
        along: None,
    };
    elements.push(label.write(&primitive.id, &primitive.id)?);
    Ok(())
}

/// What stands on the board, from the top down.
struct Board {
    column: Column,
    /// Meters below the upper edge.
    down: f64,
    elements: Vec<Element>,
    lines: usize,
}

impl Board {
    fn legend(&mut self, inputs: &Inputs<'_>, primitive: &Primitive) -> Result<(), PlanError> {
        let unbound = |channel| PlanError::Unbound {
            primitive: primitive.id.clone(),
            channel,
        };
        let text = marks::record(inputs, primitive, Channel::Text)?.ok_or_else(|| unbound(Channel::Text))?;
        let hue = marks::record(inputs, primitive, Channel::Hue)?.ok_or_else(|| unbound(Channel::Hue))?;
        let shape =
            marks::record(inputs, primitive, Channel::Shape)?.ok_or_else(|| unbound(Channel::Shape))?;
        let (node, _) = marks::column(inputs, hue)?;
        let cap = cap(text)?;
        let shows = Some(node.node_id);
        let heading = words::elide(&node.descriptor.label, MOST_CATEGORY);
        let label = self.column.line(heading, 0.0, self.down, cap, LabelInk::Muted);
        super::put(
            &mut self.elements,
            label.write(&format!("{}.heading", primitive.id), &primitive.id)?,
            shows,
        );
        self.lines += 1;
        self.down += cap * (1.0 + PARAGRAPH);
        let diameter = cap * 1.15;
        let mut x = 0.0;
        let mut written: Vec<String> = Vec::new();
        for (nth, group) in marks::looks(primitive, hue, shape)?.into_iter().enumerate() {
            let name = words::elide(&group.label, MOST_CATEGORY);
            let name = if name.is_empty() {
                "(empty text)".to_owned()
            } else {
                name
            };
            let seen = words::looks(&name);
            if written.contains(&seen) {
                return Err(PlanError::Unsupported {
                    primitive: primitive.id.clone(),
                    why: format!("two groups would both be written {name:?} in the legend"),
                });
            }
            written.push(seen);
            let needed = diameter + 0.5 * cap + words::width(&name, cap);
            if x > 0.0 && x + needed > self.column.width {
                x = 0.0;
                self.down += cap * LINE_PITCH;
            }
            if x == 0.0 {
                self.lines += 1;
            }
            let glyph = Glyph {
                at: self.column.at(x + diameter / 2.0, self.down + cap / 2.0),
                diameter,
                shape: group.look.shape,
                color: group.look.color,
                facing: self.column.facing,
                flat: None,
            };
            let glyph = glyph.write(&format!("{}.{nth}.glyph", primitive.id), &primitive.id)?;
            super::put(&mut self.elements, glyph, shows);
            let label = self
                .column
                .line(name, x + diameter + 0.5 * cap, self.down, cap, LabelInk::Ink);
            let label = label.write(&format!("{}.{nth}.label", primitive.id), &primitive.id)?;
            super::put(&mut self.elements, label, shows);
            x += needed + 1.2 * cap;
        }
        self.down += cap * (1.0 + 2.0 * BREAK);
        Ok(())
    }

    fn caveats(&mut self, primitive: &Primitive, cap: f64, said: &[Statement]) -> Result<(), PlanError> {
        let said: Vec<&Statement> = said
            .iter()
            .filter(|statement| statement.primitive == primitive.id)
            .collect();
        for (nth, statement) in said.iter().enumerate() {
            let n_lines = words::lines(&statement.text, cap, self.column.width).len();
            let ink = if statement.supposed.is_some() {
                LabelInk::Conjecture
            } else if statement.is_first {
                LabelInk::Caveat
            } else {
                LabelInk::Muted
            };
            let label = self.column.line(statement.text.clone(), 0.0, self.down, cap, ink);
            let label = label.write(&format!("{}.{nth}", primitive.id), &primitive.id)?;
            let label = match &statement.supposed {
                Some(supposed) => label.supposing(supposed.clone()),
                None => label,
            };
            super::put(&mut self.elements, label, statement.node);
            self.lines += n_lines;
            self.down += words::height(n_lines, cap);
            if let Some(next) = said.get(nth + 1) {
                self.down += cap
                    * if statement.is_first && !next.is_first {
                        BREAK
                    } else if cap < representation::volume::TEXT_CAP {
                        CLOSER
                    } else {
                        PARAGRAPH
                    };
            }
        }
        Ok(())
    }
}

/// The cap height of a text binding, in meters.
pub(super) fn cap(record: &BindingRecord) -> Result<f64, PlanError> {
    match &record.range {
        Range::Text { cap_height } => Ok(cap_height.get()),
        Range::Meters { .. } | Range::Colors { .. } | Range::Shapes { .. } | Range::Lines { .. } => {
            Err(PlanError::Unsupported {
                primitive: record.primitive_id.clone(),
                why: "text has a cap height".to_owned(),
            })
        }
    }
}

/// The one cap height of a primitive's text bindings.
fn text_of(inputs: &Inputs<'_>, primitive: &Primitive) -> Result<Option<f64>, PlanError> {
    let mut caps = inputs
        .graph
        .body()
        .bindings
        .iter()
        .map(|binding| &binding.record)
        .filter(|record| record.primitive_id == primitive.id && record.channel == Channel::Text)
        .map(cap);
    let Some(first) = caps.next().transpose()? else {
        return Ok(None);
    };
    for other in caps {
        if other? != first {
            let why = "its sentences have letters of different heights".to_owned();
            return Err(PlanError::Unsupported {
                primitive: primitive.id.clone(),
                why,
            });
        }
    }
    Ok(Some(first))
}
