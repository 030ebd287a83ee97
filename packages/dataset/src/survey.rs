//! The first look at a source: what each column's cells are, counted, before anything is decided.

use std::collections::BTreeSet;

use crate::error::{ImportError, Place, excerpt};
use crate::literal::{self, Literal};
use crate::source::{RawCell, RowPlace, RowSink};
use crate::style::{OtherStyle, other_style};

/// Texts that are counted apart as possible missing tokens when none are declared. What becomes of them depends on
/// the column: see `decide`.
pub(crate) const STRONG_TOKENS: [&str; 9] =
    ["NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null"];
/// Texts that mean "no value" only among numbers and dates.
pub(crate) const WEAK_TOKENS: [&str; 3] = [".", "-", "--"];

/// More distinct texts than this and a column can't be CATEGORICAL; counting stops there.
pub(crate) const MAX_LEVELS: usize = 1_000;

/// How firmly a text stands for "no value".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Firmness {
    /// The empty cell, and what was declared.
    Always,
    /// [`STRONG_TOKENS`].
    Strong,
    /// [`WEAK_TOKENS`].
    Weak,
}

/// A text that may stand for "no value".
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) text: String,
    pub(crate) firmness: Firmness,
}

/// The candidates of an import: the empty cell, and the declared texts or else the inferred set.
pub(crate) fn candidates(declared: Option<&[String]>) -> Vec<Candidate> {
    let candidate = |text: &str, firmness| Candidate {
        text: text.to_owned(),
        firmness,
    };
    let mut all = vec![candidate("", Firmness::Always)];
    match declared {
        Some(texts) => {
            for text in texts {
                if all.iter().all(|known| known.text != *text) {
                    all.push(candidate(text, Firmness::Always));
                }
            }
        }
        None => {
            all.extend(STRONG_TOKENS.map(|text| candidate(text, Firmness::Strong)));
            all.extend(WEAK_TOKENS.map(|text| candidate(text, Firmness::Weak)));
        }
    }
    all
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Sighting {
    pub(crate) place: Place,
    pub(crate) value: String,
}

/// What the cells of one column are.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) n_null: usize,
    pub(crate) n_absent: usize,
    /// How often each candidate occurs.
    pub(crate) n_by_token: Vec<usize>,
    /// Cells that are none of the above.
    pub(crate) n_values: usize,
    pub(crate) n_integers: usize,
    pub(crate) n_decimals: usize,
    /// Integers with a leading plus.
    pub(crate) n_plus: usize,
    pub(crate) n_dates: usize,
    pub(crate) n_bools: usize,
    /// JSON strings that would read as numbers if they were not strings.
    pub(crate) n_quoted_numbers: usize,
    /// Values with spaces around them.
    pub(crate) n_spaced: usize,
    /// Decimals with more digits than a double distinguishes.
    pub(crate) n_long: usize,
    pub(crate) least: Option<i64>,
    pub(crate) greatest: Option<i64>,
    pub(crate) first_padded: Option<Sighting>,
    pub(crate) first_unsafe: Option<Sighting>,
    pub(crate) first_overflow: Option<Sighting>,
    pub(crate) first_number: Option<Sighting>,
    pub(crate) first_text: Option<Sighting>,
    pub(crate) first_undated: Option<Sighting>,
    /// Fields that would be numbers if the file wrote them in another style, and the first of them.
    pub(crate) n_other_style: usize,
    pub(crate) first_other_style: Option<(OtherStyle, String)>,
    /// Whether a text other than a candidate is anything but two capital letters.
    pub(crate) not_alpha2: bool,
    pub(crate) longest: usize,
    /// Distinct texts that are not numbers; counted up to [`MAX_LEVELS`] and only compared, never iterated.
    distinct: BTreeSet<Box<str>>,
    pub(crate) too_many_levels: bool,
}

impl Survey {
    pub(crate) fn n_numbers(&self) -> usize {
        self.n_integers + self.n_decimals
    }

    pub(crate) fn n_distinct_texts(&self) -> usize {
        self.distinct.len()
    }

    pub(crate) fn new(n_candidates: usize) -> Self {
        Self {
            n_by_token: vec![0; n_candidates],
            ..Self::default()
        }
    }

    pub(crate) fn sighting(place: RowPlace, column: &str, text: &str) -> Sighting {
        Sighting {
            place: place.of(column),
            value: excerpt(text),
        }
    }

    /// Sees a cell that `n` rows have, the first of them at `place`.
    pub(crate) fn see(
        &mut self,
        cell: &RawCell<'_>,
        n: usize,
        candidates: &[Candidate],
        place: RowPlace,
        column: &str,
    ) {
        let text = match cell {
            RawCell::Null => {
                self.n_null += n;
                return;
            }
            RawCell::Absent => {
                self.n_absent += n;
                return;
            }
            RawCell::Bool(value) => {
                self.n_bools += n;
                if *value { "true" } else { "false" }
            }
            RawCell::Field(text) | RawCell::Number(text) | RawCell::Styled { written: text, .. } => text,
            RawCell::String(text) => text.as_ref(),
        };
        let trimmed = trim(text);
        if let Some(token_idx) = find_token(trimmed, candidates) {
            self.n_by_token[token_idx] += n;
            return;
        }
        self.n_values += n;
        self.longest = self.longest.max(text.len());
        self.n_spaced += n * usize::from(trimmed.len() != text.len());
        let sighting = || Some(Self::sighting(place, column, text));
        let number = cell.numeric(trimmed);
        let literal = number.map_or(Literal::Other, literal::classify);
        let number = number.unwrap_or(trimmed);
        let padded = match literal {
            Literal::Integer { value, padded, plus } => {
                self.n_integers += n;
                self.n_plus += n * usize::from(plus);
                self.least = Some(self.least.map_or(value, |least| least.min(value)));
                self.greatest = Some(self.greatest.map_or(value, |greatest| greatest.max(value)));
                padded
            }
            Literal::UnsafeInteger => {
                self.n_integers += n;
                if self.first_unsafe.is_none() {
                    self.first_unsafe = sighting();
                }
                false
            }
            Literal::Decimal { padded, long } => {
                self.n_decimals += n;
                self.n_long += n * usize::from(long);
                // Only an exponent or hundreds of digits can leave the range of doubles.
                let may_overflow =
                    number.len() > 300 || number.bytes().any(|byte| matches!(byte, b'e' | b'E'));
                if may_overflow && self.first_overflow.is_none() && literal::to_double(number).is_none() {
                    self.first_overflow = sighting();
                }
                padded
            }
            Literal::Other => {
                self.see_text(cell, n, text, trimmed, &sighting);
                return;
            }
        };
        if padded && self.first_padded.is_none() {
            self.first_padded = sighting();
        }
        if self.first_number.is_none() {
            self.first_number = sighting();
        }
        if self.first_undated.is_none() {
            self.first_undated = sighting();
        }
    }

    fn see_text(
        &mut self,
        cell: &RawCell<'_>,
        n: usize,
        text: &str,
        trimmed: &str,
        sighting: &dyn Fn() -> Option<Sighting>,
    ) {
        if self.first_text.is_none() {
            self.first_text = sighting();
        }
        if matches!(cell, RawCell::String(_)) && literal::classify(trimmed) != Literal::Other {
            self.n_quoted_numbers += n;
        }
        if matches!(cell, RawCell::Field(_) | RawCell::Styled { .. })
            && let Some(other) = other_style(trimmed)
        {
            self.n_other_style += n;
            if self.first_other_style.is_none() {
                self.first_other_style = sighting().map(|sighting| (other, sighting.value));
            }
        }
        if literal::is_temporal(text) {
            self.n_dates += n;
        } else if self.first_undated.is_none() {
            self.first_undated = sighting();
        }
        self.not_alpha2 |= !(trimmed.len() == 2 && trimmed.bytes().all(|byte| byte.is_ascii_uppercase()));
        if !self.too_many_levels && !self.distinct.contains(text) {
            if self.distinct.len() < MAX_LEVELS {
                self.distinct.insert(text.into());
            } else {
                self.too_many_levels = true;
            }
        }
    }
}

/// A cell's text without the spaces and tabs around it.
pub(crate) fn trim(text: &str) -> &str {
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.last()) {
        (Some(first), Some(last)) if *first > b' ' && *last > b' ' => text,
        _ => text.trim_matches([' ', '\t']),
    }
}

fn find_token(trimmed: &str, candidates: &[Candidate]) -> Option<usize> {
    if trimmed.is_empty() {
        return Some(0);
    }
    let is = |candidate: &Candidate| literal::is_token(&candidate.text, trimmed);
    candidates.iter().position(is)
}

/// Surveys every column.
#[derive(Debug)]
pub(crate) struct Surveyor<'a> {
    names: &'a [String],
    candidates: &'a [Candidate],
    pub(crate) surveys: Vec<Survey>,
}

impl<'a> Surveyor<'a> {
    pub(crate) fn new(names: &'a [String], candidates: &'a [Candidate]) -> Self {
        Self {
            names,
            candidates,
            surveys: names.iter().map(|_| Survey::new(candidates.len())).collect(),
        }
    }
}

impl RowSink for Surveyor<'_> {
    fn row(&mut self, place: RowPlace, cells: &[RawCell<'_>]) -> Result<(), ImportError> {
        for ((survey, cell), name) in self.surveys.iter_mut().zip(cells).zip(self.names) {
            survey.see(cell, 1, self.candidates, place, name);
        }
        Ok(())
    }
}
