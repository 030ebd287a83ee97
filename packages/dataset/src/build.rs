//! The second look: rows become columns, by the recipe alone.

use std::collections::HashMap;

use crate::column::{
    CellForm, Cells, Column, ColumnKind, STATE_ABSENT, STATE_NULL, STATE_TOKEN, STATE_VALUE,
};
use crate::error::{ImportError, excerpt};
use crate::literal::{self, Literal};
use crate::source::{RawCell, RowPlace, RowSink};
use crate::survey::trim;
use crate::wire::v1::ColumnDecision;

/// Builds every column.
pub(crate) struct Builder<'a> {
    columns: Vec<ColumnBuilder<'a>>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(decisions: &'a [ColumnDecision], n_rows_expected: usize) -> Self {
        let columns = decisions
            .iter()
            .map(|decision| ColumnBuilder::new(decision, n_rows_expected));
        Self {
            columns: columns.collect(),
        }
    }

    pub(crate) fn finish(self) -> Vec<Column> {
        self.columns.into_iter().map(ColumnBuilder::finish).collect()
    }
}

impl RowSink for Builder<'_> {
    fn row(&mut self, place: RowPlace, cells: &[RawCell<'_>]) -> Result<(), ImportError> {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell, place)?;
        }
        Ok(())
    }
}

/// Builds one column, cell by cell.
pub(crate) struct ColumnBuilder<'a> {
    decision: &'a ColumnDecision,
    cells: Cells,
    states: Vec<u8>,
    any_missing: bool,
    /// Levels by their text; looked up, never iterated.
    codes: HashMap<Box<str>, u32>,
}

impl<'a> ColumnBuilder<'a> {
    pub(crate) fn new(decision: &'a ColumnDecision, n_rows_expected: usize) -> Self {
        let cells = match (decision.cells, decision.kind) {
            (CellForm::Integer, _) => Cells::Integer(Vec::with_capacity(n_rows_expected)),
            (CellForm::Decimal, _) => Cells::Decimal(Vec::with_capacity(n_rows_expected)),
            (CellForm::Text, ColumnKind::Categorical) => Cells::Levels {
                codes: Vec::with_capacity(n_rows_expected),
                levels: Vec::new(),
            },
            (CellForm::Text, _) => Cells::Text {
                text: String::new(),
                ends: Vec::with_capacity(n_rows_expected),
            },
        };
        Self {
            decision,
            cells,
            states: Vec::with_capacity(n_rows_expected),
            any_missing: false,
            codes: HashMap::new(),
        }
    }

    pub(crate) fn push(&mut self, cell: &RawCell<'_>, place: RowPlace) -> Result<(), ImportError> {
        let Some(text) = cell.text() else {
            let null = matches!(cell, RawCell::Null);
            self.push_missing(if null { STATE_NULL } else { STATE_ABSENT });
            return Ok(());
        };
        let trimmed = trim(text);
        if let Some(token_idx) = self
            .decision
            .missing_tokens
            .iter()
            .position(|token| literal::is_token(token, trimmed))
        {
            let token_idx = u8::try_from(token_idx).expect("recipes hold at most MAX_TOKENS tokens");
            self.push_missing(STATE_TOKEN + token_idx);
            return Ok(());
        }
        // Text that its author calls text is no number, whatever it looks like.
        let number = cell.numeric(trimmed).unwrap_or("");
        match &mut self.cells {
            Cells::Integer(values) => match literal::classify(number) {
                Literal::Integer { value, .. } => values.push(value),
                _ => return Err(self.unfit(text, place)),
            },
            Cells::Decimal(values) => match literal::classify(number) {
                Literal::Integer { value, .. } => {
                    #[expect(
                        clippy::cast_precision_loss,
                        reason = "a Literal::Integer is within ±(2^53−1)"
                    )]
                    values.push(value as f64);
                }
                Literal::Decimal { .. } => match literal::to_double(number) {
                    Some(value) => values.push(value),
                    None => return Err(self.unfit(text, place)),
                },
                _ => return Err(self.unfit(text, place)),
            },
            Cells::Levels { codes, levels } => {
                let code = match self.codes.get(text) {
                    Some(code) => *code,
                    None => {
                        let code = u32::try_from(levels.len()).map_err(|_| ImportError::Option {
                            what: format!("column `{}` has more levels than fit", self.decision.name),
                        })?;
                        levels.push(text.into());
                        self.codes.insert(text.into(), code);
                        code
                    }
                };
                codes.push(code);
            }
            Cells::Text { text: all, ends } => {
                let fits = match self.decision.kind {
                    ColumnKind::Temporal => literal::is_temporal(text),
                    ColumnKind::Unknown => false,
                    ColumnKind::Numeric | ColumnKind::Categorical | ColumnKind::Text => true,
                };
                if !fits {
                    return Err(self.unfit(text, place));
                }
                match self.decision.kind {
                    ColumnKind::Temporal => all.push_str(&literal::canonical_temporal(text)),
                    ColumnKind::Numeric
                    | ColumnKind::Categorical
                    | ColumnKind::Text
                    | ColumnKind::Unknown => all.push_str(text),
                }
                ends.push(all.len());
            }
        }
        self.states.push(STATE_VALUE);
        Ok(())
    }

    fn push_missing(&mut self, state: u8) {
        self.any_missing = true;
        self.states.push(state);
        match &mut self.cells {
            Cells::Integer(values) => values.push(0),
            Cells::Decimal(values) => values.push(0.0),
            Cells::Levels { codes, .. } => codes.push(0),
            Cells::Text { text, ends } => ends.push(text.len()),
        }
    }

    fn unfit(&self, text: &str, place: RowPlace) -> ImportError {
        let (name, kind) = (&self.decision.name, self.decision.kind);
        ImportError::RecipeMismatch {
            what: format!(
                "{} holds `{}` in the {kind} column `{name}`",
                place.of(name),
                excerpt(text)
            ),
        }
    }

    pub(crate) fn finish(self) -> Column {
        Column {
            name: self.decision.name.clone(),
            kind: self.decision.kind,
            model: self.decision.measurement.model(),
            cells: self.cells,
            states: if self.any_missing { self.states } else { Vec::new() },
            tokens: self.decision.missing_tokens.clone(),
        }
    }
}
