//! From held columns to columns, by the recipe alone: the rules of [`crate::build`] over whole columns at once.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::survey::{real_tokens, token_of, whole_tokens};
use super::{Held, HeldColumn};
use crate::build::ColumnBuilder;
use crate::column::{CellForm, Cells, Column, ColumnKind, STATE_TOKEN, STATE_VALUE};
use crate::error::ImportError;
use crate::literal::{self, MAX_SAFE};
use crate::source::RowPlace;
use crate::wire::v1::ColumnDecision;

/// Builds every column, several at a time. Each held column is given up as its column is made.
pub(crate) fn build_columns(
    held: Vec<HeldColumn>,
    decisions: &[ColumnDecision],
) -> Result<Vec<Column>, ImportError> {
    let built: Vec<Result<Column, ImportError>> = held
        .into_par_iter()
        .zip(decisions)
        .map(|(held, decision)| build_column(held, decision))
        .collect();
    built.into_iter().collect()
}

fn build_column(held: HeldColumn, decision: &ColumnDecision) -> Result<Column, ImportError> {
    let tokens = || decision.missing_tokens.iter().map(String::as_str);
    let made = |cells, states: Vec<u8>| Column {
        name: decision.name.clone(),
        kind: decision.kind,
        model: decision.measurement.model(),
        cells,
        states: if states.iter().all(|&state| state == STATE_VALUE) {
            Vec::new()
        } else {
            states
        },
        tokens: decision.missing_tokens.clone(),
    };
    match (held.cells, decision.cells) {
        (Held::Integers(mut values), CellForm::Integer) => {
            let tokens = whole_tokens(tokens());
            let mut states = held.states;
            hide(&mut values, &mut states, 0, |value| {
                let found = tokens.iter().find(|(token, _)| token == value);
                found.map(|(_, token_idx)| *token_idx)
            });
            match values
                .iter()
                .position(|value| !(-MAX_SAFE..=MAX_SAFE).contains(value))
            {
                Some(row_idx) => Err(unfit(row_idx, decision)),
                None => Ok(made(Cells::Integer(values), states)),
            }
        }
        (Held::Reals(mut values), CellForm::Decimal) => {
            let tokens = real_tokens(tokens());
            let mut states = held.states;
            hide(&mut values, &mut states, 0.0, |value| token_of(*value, &tokens));
            // What is missing holds 0 by now.
            if let Some(row_idx) = values.iter().position(|value| !value.is_finite()) {
                return Err(unfit(row_idx, decision));
            }
            // Adding +0 turns −0 into 0 and leaves every other value alone.
            values.iter_mut().for_each(|value| *value += 0.0);
            Ok(made(Cells::Decimal(values), states))
        }
        (Held::Coded { codes, texts, .. }, CellForm::Text) if decision.kind != ColumnKind::Unknown => {
            let (codes, levels, states) = levels(codes, texts, held.states, decision)?;
            Ok(made(Cells::Levels { codes, levels }, states))
        }
        (cells, _) => {
            let held = HeldColumn { cells, ..held };
            cell_by_cell(&held, decision)
        }
    }
}

/// Turns values that are missing tokens into placeholders.
fn hide<T: Copy>(
    values: &mut [T],
    states: &mut Vec<u8>,
    placeholder: T,
    token: impl Fn(&T) -> Option<usize>,
) {
    for row_idx in 0..values.len() {
        if states.get(row_idx).is_some_and(|&state| state != STATE_VALUE) {
            values[row_idx] = placeholder;
        } else if let Some(token_idx) = token(&values[row_idx]) {
            if states.is_empty() {
                states.resize(values.len(), STATE_VALUE);
            }
            states[row_idx] = token_state(token_idx);
            values[row_idx] = placeholder;
        }
    }
}

fn unfit(row_idx: usize, decision: &ColumnDecision) -> ImportError {
    let (name, kind) = (&decision.name, decision.kind);
    let place = RowPlace::row(row_idx + 1).of(name);
    ImportError::RecipeMismatch {
        what: format!("{place} holds what does not fit the {kind} column `{name}`"),
    }
}

fn token_state(token_idx: usize) -> u8 {
    STATE_TOKEN + u8::try_from(token_idx).expect("recipes hold at most MAX_TOKENS tokens")
}

type Levels = (Vec<u32>, Vec<Box<str>>, Vec<u8>);

/// The texts without those that stand for "no value", and the codes that go with them; each text is judged once.
fn levels(
    mut codes: Vec<u32>,
    texts: Vec<Box<str>>,
    mut states: Vec<u8>,
    decision: &ColumnDecision,
) -> Result<Levels, ImportError> {
    enum Is {
        Level(u32),
        Token(u8),
        Unfit,
    }
    let mut levels: Vec<Box<str>> = Vec::with_capacity(texts.len());
    let mut any_token = false;
    let mut of_instant: BTreeMap<Box<str>, u32> = BTreeMap::new();
    let is: Vec<Is> = texts
        .into_iter()
        .map(|text| {
            let trimmed = crate::survey::trim(&text);
            let token = decision
                .missing_tokens
                .iter()
                .position(|token| literal::is_token(token, trimmed));
            if let Some(token_idx) = token {
                any_token = true;
                return Is::Token(token_state(token_idx));
            }
            let level =
                |levels: &Vec<Box<str>>| u32::try_from(levels.len()).expect("there were no more codes");
            if decision.kind != ColumnKind::Temporal {
                levels.push(text);
                return Is::Level(level(&levels) - 1);
            }
            if !literal::is_temporal(&text) {
                return Is::Unfit;
            }
            // Several texts may be one instant.
            let next = level(&levels);
            let text: Box<str> = literal::canonical_temporal(&text).into();
            Is::Level(*of_instant.entry(text).or_insert_with_key(|text| {
                levels.push(text.clone());
                next
            }))
        })
        .collect();
    if any_token && states.is_empty() {
        states.resize(codes.len(), STATE_VALUE);
    }
    for (row_idx, code) in codes.iter_mut().enumerate() {
        if states.get(row_idx).is_some_and(|&state| state != STATE_VALUE) {
            *code = 0;
            continue;
        }
        match is[*code as usize] {
            Is::Level(level) => *code = level,
            Is::Token(state) => {
                states[row_idx] = state;
                *code = 0;
            }
            Is::Unfit => return Err(unfit(row_idx, decision)),
        }
    }
    Ok((codes, levels, states))
}

/// What no rule above covers, as a source of rows would give it.
fn cell_by_cell(held: &HeldColumn, decision: &ColumnDecision) -> Result<Column, ImportError> {
    let mut builder = ColumnBuilder::new(decision, held.n_rows());
    let mut scratch = String::new();
    for row_idx in 0..held.n_rows() {
        let cell = held.cell(row_idx, &mut scratch);
        builder.push(&cell, RowPlace::row(row_idx + 1))?;
    }
    Ok(builder.finish())
}
