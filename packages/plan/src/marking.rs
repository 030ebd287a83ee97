//! The mark of conjecture: what is supposed is never shown without a shape of its own, words beside it that say so with
//! its status, and a line on the caveat board with what it assumes. Checked over the finished elements of a variant, for
//! every device, whoever compiled them.

use std::collections::BTreeMap;

use conjecture::wire::v1::Status;
use representation::palette;
use representation::wire::v2::{Binding, BindingRecord, Channel, Range, Semantic};

use crate::PlanError;
use crate::element::{self, Along, LineInk, Shape, Typed};
use crate::wire::v1::{Element, SpatialPlan, Supposed, Supposition};

/// The rule that this module checks.
pub const RULE: &str = "nemosyne:rule/conjecture-is-marked@1";

/// What of its mark a conjecture has in a variant.
#[derive(Default)]
struct Marked {
    shape: bool,
    words: bool,
    board: bool,
}

/// Every conjecture that a binding shows is marked in this variant, and none is drawn that no binding shows.
///
/// # Errors
/// [`PlanError::Unmarked`] with what is missing, [`PlanError::Parameter`] for an element that cannot be read.
pub fn check(backend: &SpatialPlan, bindings: &[Binding]) -> Result<(), PlanError> {
    let mut status: BTreeMap<Supposed, Status> = BTreeMap::new();
    let mut found: BTreeMap<Supposed, Marked> = BTreeMap::new();
    for binding in bindings {
        if let Semantic::Conjectural {
            proposal_id,
            element_id,
            status: own,
            ..
        } = &binding.record.semantic
        {
            let supposed = Supposed {
                element_id: element_id.clone(),
                proposal_id: *proposal_id,
            };
            found.entry(supposed.clone()).or_default();
            if *status.entry(supposed).or_insert(*own) != *own {
                return Err(unmarked(element_id, "one status"));
            }
        }
    }
    for element in &backend.elements {
        let Some(supposed) = &element.supposed else {
            continue;
        };
        let (Some(status), Some(marked)) = (status.get(supposed), found.get_mut(supposed)) else {
            return Err(unmarked(&supposed.element_id, "a binding"));
        };
        match element::read(element)? {
            Typed::Glyph(glyph) => marked.shape |= glyph.shape == Shape::CrossedDiamond,
            Typed::Trajectory(line) => marked.shape |= line.ink == LineInk::Conjecture,
            Typed::Label(label) => {
                marked.words |= says_mark(&label.text, *status);
                marked.board |= says_board(&label.text);
            }
            Typed::Points(_) | Typed::Boxes(_) | Typed::Path(_) | Typed::Links(_) | Typed::Surface(_) => {}
        }
    }
    for (supposed, marked) in found {
        let what = if !marked.shape {
            "a shape of its own"
        } else if !marked.words {
            "words beside it that say `Conjecture:` and its status"
        } else if !marked.board {
            "a line on the caveat board that says what it assumes"
        } else {
            continue;
        };
        return Err(unmarked(&supposed.element_id, what));
    }
    Ok(())
}

fn unmarked(element: &str, what: &'static str) -> PlanError {
    PlanError::Unmarked {
        element: element.to_owned(),
        what,
    }
}

fn says_mark(text: &str, status: Status) -> bool {
    let rest = text.strip_prefix(conjecture::MARK).map(str::trim_start);
    rest.and_then(|rest| rest.strip_prefix(status.spoken()))
        .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

fn says_board(text: &str) -> bool {
    text.strip_prefix(conjecture::BOARD)
        .and_then(|rest| rest.split_once(conjecture::ASSUMING))
        .is_some_and(|(_, assumptions)| !assumptions.trim().is_empty())
}

/// Whether an entry of the index of conjecture says what its binding says, and the element shows what the binding means.
pub(crate) fn exact(
    element: &Element,
    typed: &Typed,
    shown: Channel,
    entry: &Supposition,
    record: Option<&&BindingRecord>,
) -> Result<(), PlanError> {
    let wrong = |why: &str| PlanError::Misexplained {
        element: entry.element_id.clone(),
        property: entry.property.clone(),
        why: why.to_owned(),
    };
    let Some(record) = record else {
        return Err(wrong("its binding is not in the plan"));
    };
    let semantic = Semantic::Conjectural {
        proposal_id: entry.supposed.proposal_id,
        element_id: entry.supposed.element_id.clone(),
        property_path: entry.property_path.clone(),
        status: entry.status,
    };
    let same = record.channel == shown
        && record.semantic == semantic
        && record.primitive_id == entry.primitive_id
        && element.representation_primitive_id == entry.primitive_id
        && element.supposed.as_ref() == Some(&entry.supposed);
    if !same {
        return Err(wrong("it differs from its binding"));
    }
    let axis = |channel| match channel {
        Channel::PositionX => Some(0),
        Channel::PositionY => Some(1),
        Channel::PositionZ => Some(2),
        _ => None,
    };
    let holds = match (&record.range, typed) {
        (Range::Meters { from, to }, Typed::Glyph(glyph)) => axis(shown).is_some_and(|axis| {
            let at = glyph.at[axis];
            from.get().min(to.get()) <= at && at <= from.get().max(to.get())
        }),
        (Range::Meters { from, to }, Typed::Trajectory(line)) => axis(shown).is_some_and(|axis| {
            let at = line.from[axis];
            let level = [Along::X, Along::Y, Along::Z][axis];
            line.level == Some(level)
                && at == line.to[axis]
                && from.get().min(to.get()) <= at
                && at <= from.get().max(to.get())
        }),
        (Range::Shapes { values }, Typed::Glyph(glyph)) => *values == [glyph.shape.word()],
        (Range::Shapes { values }, Typed::Trajectory(_)) => *values == [palette::CONJECTURE_LINE],
        (Range::Text { cap_height }, Typed::Label(label)) => cap_height.get() == label.cap_height,
        _ => false,
    };
    if holds {
        Ok(())
    } else {
        Err(wrong("the element shows it otherwise than its binding"))
    }
}
