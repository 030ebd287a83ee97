//! The title, the legend and the caveats.

use investigation::wire::v2::Intent;
use representation::wire::v2::{BindingRecord, Channel, Placement, Primitive, Range};

use super::{Inputs, Statement, marks, statements, words};
use crate::PlanError;
use crate::element::{Align, Facing, Glyph, LINE_PITCH, Label, LabelInk, Surface, SurfaceInk, VAlign};
use crate::wire::v1::Element;

/// Left and right end of the board in the plane of the back wall, in meters.
const LEFT: f64 = 0.86;
const RIGHT: f64 = 2.2;
/// Upper end, and the lowest the lower end may come.
const TOP: f64 = 1.2;
const LOWEST: f64 = -0.14;
const PLANE: f64 = -0.6;
/// How far text stands in front of the board.
const OFF_BOARD: f64 = 0.006;
const PAD: f64 = 0.04;
/// Gap between two sentences, in cap heights.
const PARAGRAPH: f64 = 0.85;

/// Longest category name in the legend; EXPLAIN tells it whole.
const MOST_CATEGORY: usize = 32;
/// Longest question over the picture; the record holds it whole.
const MOST_QUESTION: usize = 140;

const TITLE_CAP: f64 = 0.043;
const TITLE_AT: [f64; 3] = [-0.85, 1.41, 0.6];
const TITLE_WRAP: f64 = 2.9;

pub(super) fn draw(inputs: &Inputs<'_>, elements: &mut Vec<Element>) -> Result<(), PlanError> {
    title(inputs, elements)?;
    let mut board = Board {
        y: TOP - PAD,
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
    let bottom = board.y - PAD;
    if bottom < LOWEST {
        let cap = text_of(inputs, owner)?.unwrap_or(representation::volume::TEXT_CAP);
        let most = libm::floor((TOP - LOWEST - 2.0 * PAD) / (cap * LINE_PITCH)) as usize;
        return Err(PlanError::BoardFull {
            needed: board.lines.max(most + 1),
            most,
        });
    }
    let surface = Surface {
        origin: [LEFT, bottom, PLANE],
        u: [RIGHT - LEFT, 0.0, 0.0],
        v: [0.0, TOP - bottom, 0.0],
        ink: SurfaceInk::Board,
    };
    elements.push(surface.write("board", &owner.id)?);
    elements.append(&mut board.elements);
    Ok(())
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
    let label = Label {
        text: words::cut(&question.unwrap_or_else(named), MOST_QUESTION),
        at: TITLE_AT,
        cap_height: super::plain_cap(inputs, TITLE_CAP),
        align: Align::Start,
        valign: VAlign::Middle,
        facing: Facing::Viewer,
        ink: LabelInk::Ink,
        wrap_width: Some(TITLE_WRAP),
        along: None,
    };
    elements.push(label.write(&primitive.id, &primitive.id)?);
    Ok(())
}

/// What stands on the board, from the top down.
struct Board {
    y: f64,
    elements: Vec<Element>,
    lines: usize,
}

const INNER_LEFT: f64 = LEFT + PAD;
const INNER: f64 = RIGHT - LEFT - 2.0 * PAD;

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
        let label = line(heading, INNER_LEFT, self.y, cap, LabelInk::Muted, INNER);
        super::put(
            &mut self.elements,
            label.write(&format!("{}.heading", primitive.id), &primitive.id)?,
            shows,
        );
        self.lines += 1;
        self.y -= cap * (1.0 + PARAGRAPH);
        let diameter = cap * 1.15;
        let mut x = INNER_LEFT;
        for (nth, group) in marks::looks(primitive, hue, shape)?.into_iter().enumerate() {
            let name = words::elide(&group.label, MOST_CATEGORY);
            let name = if name.is_empty() {
                "(empty text)".to_owned()
            } else {
                name
            };
            let needed = diameter + 0.5 * cap + words::width(&name, cap);
            if x > INNER_LEFT && x + needed > INNER_LEFT + INNER {
                x = INNER_LEFT;
                self.y -= cap * LINE_PITCH;
            }
            if x == INNER_LEFT {
                self.lines += 1;
            }
            let glyph = Glyph {
                at: [x + diameter / 2.0, self.y - cap / 2.0, PLANE + OFF_BOARD],
                diameter,
                shape: group.look.shape,
                color: group.look.color,
            };
            let glyph = glyph.write(&format!("{}.{nth}.glyph", primitive.id), &primitive.id)?;
            super::put(&mut self.elements, glyph, shows);
            let label = line(name, x + diameter + 0.5 * cap, self.y, cap, LabelInk::Ink, INNER);
            let label = label.write(&format!("{}.{nth}.label", primitive.id), &primitive.id)?;
            super::put(&mut self.elements, label, shows);
            x += needed + 1.2 * cap;
        }
        self.y -= cap * (1.0 + 1.6 * PARAGRAPH);
        Ok(())
    }

    fn caveats(&mut self, primitive: &Primitive, cap: f64, said: &[Statement]) -> Result<(), PlanError> {
        let said: Vec<&Statement> = said
            .iter()
            .filter(|statement| statement.primitive == primitive.id)
            .collect();
        for (nth, statement) in said.iter().enumerate() {
            let n_lines = words::lines(&statement.text, cap, INNER).len();
            let label = line(
                statement.text.clone(),
                INNER_LEFT,
                self.y,
                cap,
                LabelInk::Caveat,
                INNER,
            );
            let label = label.write(&format!("{}.{nth}", primitive.id), &primitive.id)?;
            super::put(&mut self.elements, label, statement.node);
            self.lines += n_lines;
            self.y -= words::height(n_lines, cap);
            if nth + 1 < said.len() {
                self.y -= cap * PARAGRAPH;
            }
        }
        Ok(())
    }
}

fn line(text: String, x: f64, y: f64, cap_height: f64, ink: LabelInk, wrap: f64) -> Label {
    Label {
        text,
        at: [x, y, PLANE + OFF_BOARD],
        cap_height,
        align: Align::Start,
        valign: VAlign::Top,
        facing: Facing::Front,
        ink,
        wrap_width: Some(wrap),
        along: None,
    }
}

/// The cap height of a text binding, in meters.
pub(super) fn cap(record: &BindingRecord) -> Result<f64, PlanError> {
    match &record.range {
        Range::Text { cap_height } => Ok(cap_height.get()),
        Range::Meters { .. } | Range::Colors { .. } | Range::Shapes { .. } => Err(PlanError::Unsupported {
            primitive: record.primitive_id.clone(),
            why: "text has a cap height".to_owned(),
        }),
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
