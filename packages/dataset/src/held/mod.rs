//! Columns as a file with typed columns holds them: before anything is decided about them, without a text per cell.
//!
//! What a held cell means is what its text would mean, so that decisions come out as for a text of the same content:
//! an integer is a JSON number without point, a real one with a point, and a text a JSON string. [`HeldColumn::cell`]
//! states that correspondence; `survey` and `build` are the same rules over whole columns, and the tests hold both
//! roads together.

mod build;
mod intern;
mod survey;

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::column::{STATE_ABSENT, STATE_VALUE};
use crate::error::ImportError;
use crate::report::Note;
use crate::source::{RawCell, RowPlace, RowSink};

pub(crate) use build::build_columns;
pub(crate) use intern::Interned;
pub(crate) use survey::survey_columns;

/// How the texts of a held column are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelled {
    /// As a JSON string: its author calls it text.
    Text,
    /// As a JSON number: a decimal, or an integer too large for the others.
    Number,
    /// As the JSON words `true` and `false`.
    Bool,
}

/// The cells of a column; a row without a value holds a placeholder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Held {
    Integers(Vec<i64>),
    /// May hold NaN and infinities: what the survey says of them is not decided here.
    Reals(Vec<f64>),
    /// Few distinct texts in the order of first appearance, and which of them each row has.
    Coded {
        codes: Vec<u32>,
        texts: Vec<Box<str>>,
        spelled: Spelled,
    },
    /// One text after the other; `ends[row]` is where the row's text ends.
    Texts {
        text: String,
        ends: Vec<usize>,
        spelled: Spelled,
    },
}

impl Held {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Reals(values) => values.len(),
            Self::Coded { codes, .. } => codes.len(),
            Self::Texts { ends, .. } => ends.len(),
        }
    }
}

/// A column of a file, held.
#[derive(Clone, Debug)]
pub(crate) struct HeldColumn {
    pub(crate) name: String,
    pub(crate) cells: Held,
    /// `STATE_VALUE` or `STATE_NULL` a row; empty when every row has a value.
    pub(crate) states: Vec<u8>,
    /// What the format says about the column that a person should know.
    pub(crate) notes: Vec<Note>,
}

impl HeldColumn {
    pub(crate) fn n_rows(&self) -> usize {
        self.cells.len()
    }

    fn state(&self, row_idx: usize) -> u8 {
        self.states.get(row_idx).copied().unwrap_or(STATE_VALUE)
    }

    /// The cell as a source of rows would hand it out; `scratch` takes the text of a number.
    pub(crate) fn cell<'s>(&'s self, row_idx: usize, scratch: &'s mut String) -> RawCell<'s> {
        match self.state(row_idx) {
            STATE_VALUE => {}
            STATE_ABSENT => return RawCell::Absent,
            _ => return RawCell::Null,
        }
        let spell = |text, spelled| match spelled {
            Spelled::Text => RawCell::String(Cow::Borrowed(text)),
            Spelled::Number => RawCell::Number(text),
            Spelled::Bool => RawCell::Bool(text == "true"),
        };
        match &self.cells {
            Held::Integers(values) => {
                scratch.clear();
                write!(scratch, "{}", values[row_idx]).expect("a String takes every character");
                RawCell::Number(scratch)
            }
            Held::Reals(values) => {
                scratch.clear();
                push_real(scratch, values[row_idx]);
                RawCell::Number(scratch)
            }
            Held::Coded {
                codes,
                texts,
                spelled,
            } => spell(&texts[codes[row_idx] as usize], *spelled),
            Held::Texts { text, ends, spelled } => {
                let start = if row_idx == 0 { 0 } else { ends[row_idx - 1] };
                spell(&text[start..ends[row_idx]], *spelled)
            }
        }
    }
}

/// A real as text: as ECMAScript prints it, with `.0` behind a whole number, because a column of reals holds decimals
/// whatever their values.
fn push_real(text: &mut String, value: f64) {
    if !value.is_finite() {
        text.push_str(unfinite(value));
        return;
    }
    let mut buffer = ryu_js::Buffer::new();
    let printed = buffer.format_finite(value + 0.0);
    text.push_str(printed);
    if !printed.bytes().any(|byte| matches!(byte, b'.' | b'e')) {
        text.push_str(".0");
    }
}

/// What a value that is no number is called.
fn unfinite(value: f64) -> &'static str {
    if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "inf"
    } else {
        "-inf"
    }
}

/// Hands held columns out row by row: the slow road, with the same answer as the fast one.
pub(crate) fn rows(columns: &[HeldColumn], sink: &mut dyn RowSink) -> Result<usize, ImportError> {
    let n_rows = columns.first().map_or(0, HeldColumn::n_rows);
    let mut scratch = vec![String::new(); columns.len()];
    for row_idx in 0..n_rows {
        let cells: Vec<RawCell<'_>> = columns
            .iter()
            .zip(&mut scratch)
            .map(|(column, scratch)| column.cell(row_idx, scratch))
            .collect();
        sink.row(RowPlace::row(row_idx + 1), &cells)?;
    }
    Ok(n_rows)
}
