//! The survey of held columns: the rules of [`Survey::see`] over whole columns at once.

use rayon::prelude::*;

use super::{Held, HeldColumn, Spelled, unfinite};
use crate::column::STATE_VALUE;
use crate::error::ImportError;
use crate::literal::{self, Literal, MAX_SAFE};
use crate::source::{RawCell, RowPlace};
use crate::survey::{Candidate, Survey};

/// No finite double prints longer.
const LONGEST_REAL: usize = 25;

/// Surveys every column, several at a time. The first column with an error answers for all.
pub(crate) fn survey_columns(
    columns: &[HeldColumn],
    candidates: &[Candidate],
) -> Result<Vec<Survey>, ImportError> {
    let all: Vec<Result<Survey, ImportError>> = columns
        .par_iter()
        .map(|column| survey_column(column, candidates))
        .collect();
    all.into_iter().collect()
}

fn survey_column(column: &HeldColumn, candidates: &[Candidate]) -> Result<Survey, ImportError> {
    let mut survey = Survey::new(candidates.len());
    survey.n_null = column
        .states
        .iter()
        .filter(|&&state| state != STATE_VALUE)
        .count();
    match &column.cells {
        Held::Integers(values) => survey_integers(column, values, candidates, &mut survey),
        Held::Reals(values) => survey_reals(column, values, candidates, &mut survey)?,
        Held::Coded {
            codes,
            texts,
            spelled,
        } => {
            // Each text is seen once with the number of its rows; texts are in the order of first appearance, so
            // the first sighting of anything is the right one.
            let mut n_rows = vec![0_usize; texts.len()];
            let mut first = vec![0_usize; texts.len()];
            for (row_idx, &code) in codes.iter().enumerate() {
                if column.state(row_idx) == STATE_VALUE {
                    let n = &mut n_rows[code as usize];
                    if *n == 0 {
                        first[code as usize] = row_idx;
                    }
                    *n += 1;
                }
            }
            for ((text, &n), row_idx) in texts.iter().zip(&n_rows).zip(first) {
                if n > 0 {
                    let cell = spelled_as(text, *spelled);
                    survey.see(&cell, n, candidates, RowPlace::row(row_idx + 1), &column.name);
                }
            }
        }
        Held::Texts { .. } => {
            let mut scratch = String::new();
            for row_idx in 0..column.n_rows() {
                if column.state(row_idx) == STATE_VALUE {
                    let cell = column.cell(row_idx, &mut scratch);
                    survey.see(&cell, 1, candidates, RowPlace::row(row_idx + 1), &column.name);
                }
            }
        }
    }
    Ok(survey)
}

fn spelled_as(text: &str, spelled: Spelled) -> RawCell<'_> {
    match spelled {
        Spelled::Text => RawCell::String(text.into()),
        Spelled::Number => RawCell::Number(text),
        Spelled::Bool => RawCell::Bool(text == "true"),
    }
}

/// Candidates that an integer's text can equal.
pub(super) fn whole_tokens<'t>(tokens: impl Iterator<Item = &'t str>) -> Vec<(i64, usize)> {
    let whole = tokens.enumerate().filter_map(|(token_idx, token)| {
        let value: i64 = token.parse().ok()?;
        (value.to_string() == token).then_some((value, token_idx))
    });
    whole.collect()
}

/// Candidates that stand for a real: a number equal to it, however written, or the name of what is no number.
pub(super) fn real_tokens<'t>(tokens: impl Iterator<Item = &'t str>) -> Vec<(f64, usize)> {
    let real = tokens.enumerate().filter_map(|(token_idx, token)| {
        let value = match token {
            "NaN" | "nan" => f64::NAN,
            "inf" | "+inf" | "Infinity" | "+Infinity" => f64::INFINITY,
            "-inf" | "-Infinity" => f64::NEG_INFINITY,
            _ if literal::classify(token) == Literal::Other => return None,
            _ => literal::to_double(token)?,
        };
        Some((value, token_idx))
    });
    real.collect()
}

/// Which token a real is; NaN is one value here.
pub(super) fn token_of(value: f64, tokens: &[(f64, usize)]) -> Option<usize> {
    let same = |token: f64| token == value || (token.is_nan() && value.is_nan());
    tokens
        .iter()
        .find(|(token, _)| same(*token))
        .map(|(_, token_idx)| *token_idx)
}

fn survey_integers(column: &HeldColumn, values: &[i64], candidates: &[Candidate], survey: &mut Survey) {
    let tokens = whole_tokens(candidates.iter().map(|candidate| candidate.text.as_str()));
    let (mut least, mut greatest) = (i64::MAX, i64::MIN);
    let (mut first, mut first_unsafe) = (None, None);
    let (mut n, mut safe) = (0_usize, None::<(i64, i64)>);
    for (row_idx, &value) in values.iter().enumerate() {
        if column.state(row_idx) != STATE_VALUE {
            continue;
        }
        if let Some((_, token_idx)) = tokens.iter().find(|(token, _)| *token == value) {
            survey.n_by_token[*token_idx] += 1;
            continue;
        }
        n += 1;
        first = first.or(Some(row_idx));
        least = least.min(value);
        greatest = greatest.max(value);
        if (-MAX_SAFE..=MAX_SAFE).contains(&value) {
            let (low, high) = safe.unwrap_or((value, value));
            safe = Some((low.min(value), high.max(value)));
        } else {
            first_unsafe = first_unsafe.or(Some(row_idx));
        }
    }
    survey.n_values = n;
    survey.n_integers = n;
    (survey.least, survey.greatest) = (safe.map(|(low, _)| low), safe.map(|(_, high)| high));
    if n > 0 {
        survey.longest = least.to_string().len().max(greatest.to_string().len());
    }
    let sighting = |row_idx: usize| {
        Survey::sighting(
            RowPlace::row(row_idx + 1),
            &column.name,
            &values[row_idx].to_string(),
        )
    };
    survey.first_number = first.map(sighting);
    survey.first_undated = first.map(sighting);
    survey.first_unsafe = first_unsafe.map(sighting);
}

fn survey_reals(
    column: &HeldColumn,
    values: &[f64],
    candidates: &[Candidate],
    survey: &mut Survey,
) -> Result<(), ImportError> {
    let tokens = real_tokens(candidates.iter().map(|candidate| candidate.text.as_str()));
    let only_nan = tokens.iter().all(|(token, _)| token.is_nan());
    let (mut n, mut first) = (0_usize, None);
    for (row_idx, &value) in values.iter().enumerate() {
        if column.state(row_idx) != STATE_VALUE {
            continue;
        }
        if !(only_nan && value.is_finite())
            && let Some(token_idx) = token_of(value, &tokens)
        {
            survey.n_by_token[token_idx] += 1;
            continue;
        }
        if !value.is_finite() {
            return Err(ImportError::NotFinite {
                column: column.name.clone(),
                place: RowPlace::row(row_idx + 1).of(&column.name),
                value: unfinite(value),
            });
        }
        n += 1;
        first = first.or(Some(row_idx));
    }
    survey.n_values = n;
    survey.n_decimals = n;
    survey.longest = if n > 0 { LONGEST_REAL } else { 0 };
    let mut scratch = String::new();
    if let Some(row_idx) = first {
        super::push_real(&mut scratch, values[row_idx]);
        let sighting = Survey::sighting(RowPlace::row(row_idx + 1), &column.name, &scratch);
        survey.first_undated = Some(sighting.clone());
        survey.first_number = Some(sighting);
    }
    Ok(())
}
