//! Columns: typed values in columnar storage, with four states a cell that never run into each other.

use std::ops::Range;
use std::slice::Iter;

use rayon::slice::ParallelSliceMut as _;

use crate::measure::MeasurementModel;
use crate::words::words;

words! {
    /// What kind of values a column holds.
    ColumnKind, "column kind";
    /// Numbers: exact integers within ±(2^53−1), or finite doubles.
    Numeric = "NUMERIC",
    /// Few distinct texts that name groups.
    Categorical = "CATEGORICAL",
    /// ISO 8601 dates or date-times, kept as text.
    Temporal = "TEMPORAL",
    /// Any text: names, identifiers, remarks, mixed kinds.
    Text = "TEXT",
    /// No value at all, so nothing can be said.
    Unknown = "UNKNOWN",
}

words! {
    /// How the cells are held; part of the import recipe, so that nothing is inferred again.
    CellForm, "cell form";
    /// Integers within ±(2^53−1).
    Integer = "INTEGER",
    /// Finite IEEE 754 doubles.
    Decimal = "DECIMAL",
    /// UTF-8 text.
    Text = "TEXT",
}

words! {
    /// Why a cell has no value.
    Missing, "missing state";
    /// JSON `null`.
    Null = "NULL",
    /// The row has no such member.
    Absent = "ABSENT",
    /// A text that stands for "no value"; [`Column::missing_token`] says which.
    Token = "TOKEN",
}

/// Why a measured value is missing; the same three states as a cell's.
pub type MissingReason = Missing;

/// Why a value that is there can't be given as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedReason {
    /// The column's kind is not [`ColumnKind::Numeric`], so its text is not read as a number.
    NotNumeric(ColumnKind),
}

/// A value, a stated gap, or a stated refusal; never NaN and never a silent zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measured<T> {
    /// The value.
    Known(T),
    /// There is none, and this is how it is missing.
    Missing(MissingReason),
    /// There is one, but not of this kind.
    Refused(RefusedReason),
}

impl<T> Measured<T> {
    /// The value, if known.
    pub fn known(self) -> Option<T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Missing(_) | Self::Refused(_) => None,
        }
    }
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellRef<'a> {
    /// A finite double, in the column's unit; never −0.
    Number(f64),
    /// An exact integer within ±(2^53−1), in the column's unit.
    Integer(i64),
    /// Text exactly as in the source.
    Text(&'a str),
    /// No value.
    Missing(Missing),
}

/// Values in columnar form; a missing row holds a placeholder that its state hides.
#[derive(Clone, Debug)]
pub(crate) enum Cells {
    Integer(Vec<i64>),
    Decimal(Vec<f64>),
    /// A dictionary of used texts in order of first appearance; always in CATEGORICAL columns, and where a file's
    /// texts repeat.
    Levels {
        codes: Vec<u32>,
        levels: Vec<Box<str>>,
    },
    /// One text after the other; `ends[row]` is where the row's text ends.
    Text {
        text: String,
        ends: Vec<usize>,
    },
}

impl Cells {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Integer(values) => values.len(),
            Self::Decimal(values) => values.len(),
            Self::Levels { codes, .. } => codes.len(),
            Self::Text { ends, .. } => ends.len(),
        }
    }
}

/// Integers that span less are counted in a bit map; 2 MiB of bits.
const MAX_BIT_MAP: u64 = 1 << 24;

pub(crate) const STATE_VALUE: u8 = 0;
pub(crate) const STATE_NULL: u8 = 1;
pub(crate) const STATE_ABSENT: u8 = 2;
/// This and up: the index of the missing token.
pub(crate) const STATE_TOKEN: u8 = 3;

/// The most missing tokens a column can tell apart.
pub(crate) const MAX_TOKENS: usize = (u8::MAX - STATE_TOKEN) as usize;

/// A named, typed column. Rows are counted from 0 in code; people see them from 1.
#[derive(Clone, Debug)]
pub struct Column {
    pub(crate) name: String,
    pub(crate) kind: ColumnKind,
    pub(crate) model: MeasurementModel,
    pub(crate) cells: Cells,
    /// One state a row; empty when no row is missing.
    pub(crate) states: Vec<u8>,
    pub(crate) tokens: Vec<String>,
}

/// Equal name, kind, meaning, missing tokens and cells, however the cells are stored.
impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        let described = |column: &Self| (column.kind, column.n_rows());
        described(self) == described(other)
            && self.name == other.name
            && self.model == other.model
            && self.tokens == other.tokens
            && self.states == other.states
            && match (&self.cells, &other.cells) {
                (Cells::Integer(a), Cells::Integer(b)) => a == b,
                (Cells::Decimal(a), Cells::Decimal(b)) => a == b,
                (Cells::Levels { .. } | Cells::Text { .. }, Cells::Levels { .. } | Cells::Text { .. }) => {
                    (0..self.n_rows()).all(|row_idx| self.cell(row_idx) == other.cell(row_idx))
                }
                _ => false,
            }
    }
}

impl Column {
    /// The column's name, unique in its dataset.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What kind of values it holds.
    #[must_use]
    pub fn kind(&self) -> ColumnKind {
        self.kind
    }

    /// What the values mean.
    #[must_use]
    pub fn model(&self) -> &MeasurementModel {
        &self.model
    }

    /// How many rows.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        self.cells.len()
    }

    /// One cell.
    ///
    /// # Panics
    /// As a slice does, when `row_idx` is not below [`Column::n_rows`].
    #[must_use]
    pub fn cell(&self, row_idx: usize) -> CellRef<'_> {
        if let Some(missing) = self.missing(row_idx) {
            return CellRef::Missing(missing);
        }
        match &self.cells {
            Cells::Integer(values) => CellRef::Integer(values[row_idx]),
            Cells::Decimal(values) => CellRef::Number(values[row_idx]),
            Cells::Levels { codes, levels } => CellRef::Text(&levels[codes[row_idx] as usize]),
            Cells::Text { text, ends } => {
                let start = if row_idx == 0 { 0 } else { ends[row_idx - 1] };
                CellRef::Text(&text[start..ends[row_idx]])
            }
        }
    }

    /// The cell as a double. Integers within ±(2^53−1) are exact; text is refused, never coerced.
    ///
    /// # Panics
    /// As a slice does, when `row_idx` is not below [`Column::n_rows`].
    #[must_use]
    pub fn number(&self, row_idx: usize) -> Measured<f64> {
        match self.cell(row_idx) {
            CellRef::Number(value) => Measured::Known(value),
            #[expect(
                clippy::cast_precision_loss,
                reason = "import keeps integers within ±(2^53−1), where f64 is exact"
            )]
            CellRef::Integer(value) => Measured::Known(value as f64),
            CellRef::Text(_) => Measured::Refused(RefusedReason::NotNumeric(self.kind)),
            CellRef::Missing(missing) => Measured::Missing(missing),
        }
    }

    /// The numbers of a NUMERIC column whose cells are doubles, one a row; `None` for other columns and when a row is
    /// missing, so that no placeholder can be read as a value.
    #[must_use]
    pub fn as_decimals(&self) -> Option<&[f64]> {
        match &self.cells {
            Cells::Decimal(values) if self.states.is_empty() => Some(values),
            Cells::Decimal(_) | Cells::Integer(_) | Cells::Levels { .. } | Cells::Text { .. } => None,
        }
    }

    /// As [`Column::as_decimals`], of a column whose cells are exact integers.
    #[must_use]
    pub fn as_integers(&self) -> Option<&[i64]> {
        match &self.cells {
            Cells::Integer(values) if self.states.is_empty() => Some(values),
            Cells::Decimal(_) | Cells::Integer(_) | Cells::Levels { .. } | Cells::Text { .. } => None,
        }
    }

    /// One answer a row in order: the number as a double, or `None` where the row is missing. `None` in place of the
    /// iterator when the column is not NUMERIC: its text is not read as numbers. Integers are exact, as in
    /// [`Column::number`].
    #[must_use]
    pub fn numbers(&self) -> Option<Numbers<'_>> {
        self.numbers_in(0..self.n_rows())
    }

    /// [`Column::numbers`] of some rows, counted from 0.
    ///
    /// # Panics
    /// As a slice does, when the rows end behind [`Column::n_rows`].
    #[must_use]
    pub fn numbers_in(&self, rows: Range<usize>) -> Option<Numbers<'_>> {
        let values = match &self.cells {
            Cells::Integer(values) => Values::Integers(values[rows.clone()].iter()),
            Cells::Decimal(values) => Values::Decimals(values[rows.clone()].iter()),
            Cells::Levels { .. } | Cells::Text { .. } => return None,
        };
        let states = match self.states.as_slice() {
            [] => None,
            states => Some(states[rows].iter()),
        };
        Some(Numbers { values, states })
    }

    /// The numbers of the rows that have one, in the order of the rows; nothing for a column that is not NUMERIC.
    pub fn numbers_known(&self) -> impl Iterator<Item = f64> + '_ {
        self.numbers().into_iter().flatten().flatten()
    }

    /// Whether each row has a value, in the order of the rows; the cheap way to ask all of them.
    pub fn validity(&self) -> impl ExactSizeIterator<Item = bool> + '_ {
        let n_rows = self.n_rows();
        (0..n_rows).map(|row_idx| self.states.get(row_idx).is_none_or(|&state| state == STATE_VALUE))
    }

    /// Whether every row has a value.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.n_missing() == 0
    }

    /// How a row is missing; `None` when it has a value.
    ///
    /// # Panics
    /// As a slice does, when some row is missing and `row_idx` is not below [`Column::n_rows`].
    #[must_use]
    pub fn missing(&self, row_idx: usize) -> Option<Missing> {
        if self.states.is_empty() {
            return None;
        }
        match self.states[row_idx] {
            STATE_VALUE => None,
            STATE_NULL => Some(Missing::Null),
            STATE_ABSENT => Some(Missing::Absent),
            _ => Some(Missing::Token),
        }
    }

    /// Which token stands for the missing value; `None` for values, null and absent cells.
    ///
    /// # Panics
    /// As a slice does, when some row is missing and `row_idx` is not below [`Column::n_rows`].
    #[must_use]
    pub fn missing_token(&self, row_idx: usize) -> Option<&str> {
        let state = *self.states.get(row_idx)?;
        let token_idx = state.checked_sub(STATE_TOKEN)?;
        Some(&self.tokens[usize::from(token_idx)])
    }

    /// The texts that stand for "no value" here, in UTF-16 order.
    #[must_use]
    pub fn missing_tokens(&self) -> &[String] {
        &self.tokens
    }

    /// How many rows have no value, however they are missing.
    #[must_use]
    pub fn n_missing(&self) -> usize {
        self.states.iter().filter(|&&state| state != STATE_VALUE).count()
    }

    /// How many cells are JSON `null`.
    #[must_use]
    pub fn n_null(&self) -> usize {
        self.n_in_state(STATE_NULL)
    }

    /// How many rows lack the member altogether.
    #[must_use]
    pub fn n_absent(&self) -> usize {
        self.n_in_state(STATE_ABSENT)
    }

    /// How many cells hold each missing token, in the order of [`Column::missing_tokens`].
    #[must_use]
    pub fn n_by_token(&self) -> Vec<usize> {
        let mut counts = vec![0; self.tokens.len()];
        for &state in &self.states {
            if let Some(token_idx) = state.checked_sub(STATE_TOKEN) {
                counts[usize::from(token_idx)] += 1;
            }
        }
        counts
    }

    /// The distinct texts of a CATEGORICAL column in order of first appearance; `None` for other kinds.
    #[must_use]
    pub fn levels(&self) -> Option<&[Box<str>]> {
        match &self.cells {
            Cells::Levels { levels, .. } if self.kind == ColumnKind::Categorical => Some(levels),
            Cells::Levels { .. } | Cells::Integer(_) | Cells::Decimal(_) | Cells::Text { .. } => None,
        }
    }

    /// The index of a row's text in [`Column::levels`]; `None` when it is missing or the column has no levels.
    ///
    /// # Panics
    /// As a slice does, when `row_idx` is not below [`Column::n_rows`].
    #[must_use]
    pub fn level_idx(&self, row_idx: usize) -> Option<usize> {
        match &self.cells {
            Cells::Levels { codes, .. }
                if self.kind == ColumnKind::Categorical && self.missing(row_idx).is_none() =>
            {
                Some(codes[row_idx] as usize)
            }
            Cells::Levels { .. } | Cells::Integer(_) | Cells::Decimal(_) | Cells::Text { .. } => None,
        }
    }

    /// How many distinct values there are, missing ones left out. Takes time and memory in proportion to the rows.
    #[must_use]
    pub fn n_distinct(&self) -> usize {
        let rows = || (0..self.n_rows()).filter(|&row_idx| self.missing(row_idx).is_none());
        match &self.cells {
            Cells::Integer(values) => {
                // Missing rows hold 0, which is harmless for the span of a bit map.
                let (least, greatest) = values.iter().fold((0, 0), |(least, greatest), &value| {
                    (value.min(least), value.max(greatest))
                });
                let span = greatest.abs_diff(least);
                if span < MAX_BIT_MAP {
                    let mut seen = vec![0_u64; usize::try_from(span / 64 + 1).expect("MAX_BIT_MAP fits")];
                    for row_idx in rows() {
                        let bit = values[row_idx].abs_diff(least);
                        seen[usize::try_from(bit / 64).expect("MAX_BIT_MAP fits")] |= 1 << (bit % 64);
                    }
                    return seen.iter().map(|bits| bits.count_ones() as usize).sum();
                }
                let mut seen: Vec<i64> = rows().map(|row_idx| values[row_idx]).collect();
                seen.par_sort_unstable();
                seen.dedup();
                seen.len()
            }
            Cells::Decimal(values) => {
                let mut seen: Vec<u64> = rows().map(|row_idx| values[row_idx].to_bits()).collect();
                seen.par_sort_unstable();
                seen.dedup();
                seen.len()
            }
            Cells::Levels { levels, .. } => levels.len(),
            Cells::Text { .. } => {
                let mut seen: Vec<&str> = rows()
                    .filter_map(|row_idx| match self.cell(row_idx) {
                        CellRef::Text(text) => Some(text),
                        CellRef::Number(_) | CellRef::Integer(_) | CellRef::Missing(_) => None,
                    })
                    .collect();
                seen.par_sort_unstable();
                seen.dedup();
                seen.len()
            }
        }
    }

    /// The texts of the column and how many rows each has, where they are kept once each; in the order of first
    /// appearance. `None` where every row has its own.
    pub(crate) fn counted_texts(&self) -> Option<Vec<(&str, usize)>> {
        let Cells::Levels { codes, levels } = &self.cells else {
            return None;
        };
        let mut counted: Vec<(&str, usize)> = levels.iter().map(|level| (level.as_ref(), 0)).collect();
        for (&code, has_value) in codes.iter().zip(self.validity()) {
            if has_value {
                counted[code as usize].1 += 1;
            }
        }
        Some(counted)
    }

    /// The least and the greatest number; `None` when the column is not numeric or has no value.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        self.numbers_known().fold(None, |range, value| match range {
            None => Some((value, value)),
            Some((min, max)) => Some((value.min(min), value.max(max))),
        })
    }

    fn n_in_state(&self, wanted: u8) -> usize {
        self.states.iter().filter(|&&state| state == wanted).count()
    }
}

/// The numbers of a column, one answer a row; see [`Column::numbers`].
#[derive(Clone, Debug)]
pub struct Numbers<'a> {
    values: Values<'a>,
    states: Option<Iter<'a, u8>>,
}

#[derive(Clone, Debug)]
enum Values<'a> {
    Integers(Iter<'a, i64>),
    Decimals(Iter<'a, f64>),
}

impl Iterator for Numbers<'_> {
    type Item = Option<f64>;

    #[inline]
    fn next(&mut self) -> Option<Option<f64>> {
        let value = match &mut self.values {
            #[expect(
                clippy::cast_precision_loss,
                reason = "import keeps integers within ±(2^53−1), where f64 is exact"
            )]
            Values::Integers(values) => *values.next()? as f64,
            Values::Decimals(values) => *values.next()?,
        };
        let has_value = match &mut self.states {
            Some(states) => *states.next()? == STATE_VALUE,
            None => true,
        };
        Some(has_value.then_some(value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.values {
            Values::Integers(values) => values.size_hint(),
            Values::Decimals(values) => values.size_hint(),
        }
    }
}

impl ExactSizeIterator for Numbers<'_> {}
