//! From a survey to a decision: what kind a column is, what stands for "no value" in it, what it measures, and why.
//!
//! Kinds, in this order, unless one is declared:
//! 1. no value at all: UNKNOWN;
//! 2. every value a number: TEXT when one begins with a zero that arithmetic would drop, when an integer lies beyond
//!    ±(2^53−1), when a number lies beyond the range of doubles, or when all are integers with a plus sign (these are
//!    identifiers); else NUMERIC, held as exact integers when all are;
//! 3. some values numbers and some not: TEXT;
//! 4. every value an ISO 8601 date or date-time: TEMPORAL;
//! 5. at most 12 distinct texts, or at most 1,000 that occur four times on average, none longer than 200 bytes:
//!    CATEGORICAL; JSON booleans are the texts `true` and `false`;
//! 6. else TEXT.
//!
//! "No value" stands in every column for the empty cell and for declared tokens. Without a declaration, the usual
//! spellings (`NA`, `N/A`, `n/a`, `#N/A`, `<NA>`, `NaN`, `nan`, `NULL`, `null`) do too, and `.`, `-`, `--` only among
//! numbers and dates. `NA` stays a value where all other values are two capital letters: there it is a code.

use identity::utf16_cmp;

use crate::column::{CellForm, ColumnKind};
use crate::declare::argument;
use crate::error::ImportError;
use crate::measure::{Basis, BasisSource, MeasurementModel, ObservationStructure, Scale, Status};
use crate::options::Declaration;
use crate::report::{Note, NoteCode};
use crate::style::OtherStyle;
use crate::survey::{Candidate, Firmness, MAX_LEVELS, Sighting, Survey};
use crate::units;
use crate::wire::v1::{ColumnDecision, Measurement};

/// A column with this many distinct texts or fewer is CATEGORICAL however few rows there are.
const FEW_LEVELS: usize = 12;
/// Above [`FEW_LEVELS`], each text must occur this often on average.
const ROWS_PER_LEVEL: usize = 4;
/// A longer text is no name of a group; bytes.
const MAX_LEVEL_BYTES: usize = 200;

/// A decision and what to tell about it.
pub(crate) struct Decided {
    pub(crate) decision: ColumnDecision,
    pub(crate) notes: Vec<Note>,
}

/// What an import states about one column.
#[derive(Clone, Copy)]
pub(crate) struct Stated<'a> {
    pub(crate) declaration: Option<&'a Declaration>,
    pub(crate) tokens_declared: bool,
    pub(crate) is_key: bool,
    /// What is stated about the rows of every column.
    pub(crate) observation_structure: Option<ObservationStructure>,
}

pub(crate) fn decide(
    name: &str,
    survey: &Survey,
    candidates: &[Candidate],
    stated: Stated<'_>,
) -> Result<Decided, ImportError> {
    let mut notes = Vec::new();
    let declared_kind = stated.declaration.and_then(|declaration| declaration.kind);
    let (kind, why) = match declared_kind {
        Some(kind) => {
            check_declared(name, kind, survey)?;
            (kind, "declared".to_owned())
        }
        None => infer_kind(survey, candidates),
    };
    let missing_tokens = tokens(survey, candidates, stated.tokens_declared, kind, &mut notes);
    let cells = match kind {
        ColumnKind::Numeric if survey.n_decimals == 0 => CellForm::Integer,
        ColumnKind::Numeric => CellForm::Decimal,
        ColumnKind::Categorical | ColumnKind::Temporal | ColumnKind::Text | ColumnKind::Unknown => {
            CellForm::Text
        }
    };
    note_oddities(survey, kind, &mut notes);
    let identifies = kind == ColumnKind::Text && survey.n_values > 0 && survey.n_numbers() == survey.n_values;
    let model = model(name, kind, survey, identifies, stated);
    let decision = ColumnDecision {
        name: name.to_owned(),
        kind,
        cells,
        why,
        missing_tokens,
        measurement: Measurement::of(&model),
    };
    Ok(Decided { decision, notes })
}

/// Whether every value fits the declared kind.
fn check_declared(name: &str, kind: ColumnKind, survey: &Survey) -> Result<(), ImportError> {
    let refuse = |sighting: &Sighting, problem| ImportError::NotANumber {
        column: name.to_owned(),
        place: sighting.place.clone(),
        value: sighting.value.clone(),
        problem,
    };
    match kind {
        ColumnKind::Unknown => Err(ImportError::Option {
            what: format!("column `{name}` is declared UNKNOWN, which states nothing; leave the kind out"),
        }),
        ColumnKind::Numeric => match (&survey.first_text, &survey.first_unsafe, &survey.first_overflow) {
            (Some(text), ..) if survey.n_quoted_numbers == survey.n_values - survey.n_numbers() => {
                Err(refuse(text, "a JSON string and not a number"))
            }
            (Some(text), ..) => Err(refuse(text, "not a number")),
            (None, Some(integer), _) => Err(refuse(
                integer,
                "an integer beyond ±(2^53−1), not exact as a number",
            )),
            (None, None, Some(number)) => Err(refuse(number, "beyond the range of double precision")),
            (None, None, None) => Ok(()),
        },
        ColumnKind::Temporal => match &survey.first_undated {
            Some(value) => Err(ImportError::NotADate {
                column: name.to_owned(),
                place: value.place.clone(),
                value: value.value.clone(),
            }),
            None => Ok(()),
        },
        ColumnKind::Categorical | ColumnKind::Text => Ok(()),
    }
}

fn infer_kind(survey: &Survey, candidates: &[Candidate]) -> (ColumnKind, String) {
    let (n_values, n_numbers) = (survey.n_values, survey.n_numbers());
    if n_values == 0 {
        return (ColumnKind::Unknown, "there is no value in any row".to_owned());
    }
    let values = plural(n_values, "value");
    if n_numbers == n_values {
        let identifier = |what: &str, sighting: &Sighting| {
            let why = format!(
                "{what}: `{}` at {}, so these are identifiers",
                sighting.value, sighting.place
            );
            (ColumnKind::Text, why)
        };
        if let Some(padded) = &survey.first_padded {
            return identifier("a value begins with a zero that arithmetic would drop", padded);
        }
        if let Some(integer) = &survey.first_unsafe {
            return identifier("an integer beyond ±(2^53−1) would not stay exact", integer);
        }
        if let Some(number) = &survey.first_overflow {
            let what = "a number lies beyond the range of double precision";
            return (
                ColumnKind::Text,
                format!("{what}: `{}` at {}", number.value, number.place),
            );
        }
        if survey.n_plus == n_values {
            return (
                ColumnKind::Text,
                "every value begins with a plus sign, so these are identifiers".to_owned(),
            );
        }
        let why = match (survey.n_integers, survey.n_decimals) {
            (_, 0) => format!("all of {values} are integers"),
            (0, _) => format!("all of {values} are decimal numbers"),
            (n_integers, n_decimals) => {
                format!("all of {values} are numbers, {n_decimals} decimal, {n_integers} written as integers")
            }
        };
        return (ColumnKind::Numeric, why);
    }
    if let (Some(text), true) = (&survey.first_text, n_numbers > 0) {
        let why = format!(
            "mixed kinds: {n_numbers} of {values} are numbers, but `{}` at {} is not",
            text.value, text.place
        );
        return (ColumnKind::Text, why);
    }
    if survey.n_dates == n_values {
        return (
            ColumnKind::Temporal,
            format!("all of {values} are ISO 8601 dates"),
        );
    }
    // What only means "no value" among numbers is a value here, and so is `NA` among codes; both count as levels.
    let weak = || {
        let counted = candidates.iter().zip(&survey.n_by_token);
        let code = |candidate: &Candidate| candidate.text == "NA" && !survey.not_alpha2;
        counted.filter(move |(candidate, n)| {
            **n > 0
                && match candidate.firmness {
                    Firmness::Weak => true,
                    Firmness::Strong => code(candidate),
                    Firmness::Always => false,
                }
        })
    };
    let n_levels = survey.n_distinct_texts() + weak().count();
    let n_texts = n_values + weak().map(|(_, n)| n).sum::<usize>();
    let levels = plural(n_levels, "distinct text");
    let texts = plural(n_texts, "value");
    if survey.longest > MAX_LEVEL_BYTES {
        return (
            ColumnKind::Text,
            format!("the longest value has {} bytes", survey.longest),
        );
    }
    if survey.too_many_levels {
        return (
            ColumnKind::Text,
            format!("more than {MAX_LEVELS} distinct texts in {texts}"),
        );
    }
    if survey.n_bools == n_texts {
        return (
            ColumnKind::Categorical,
            format!("all of {texts} are true or false"),
        );
    }
    if n_levels <= FEW_LEVELS || n_levels * ROWS_PER_LEVEL <= n_texts {
        return (ColumnKind::Categorical, format!("{levels} in {texts}"));
    }
    (
        ColumnKind::Text,
        format!("{levels} in {texts} are too many for groups"),
    )
}

/// The texts that stand for "no value" in a column of `kind`, in UTF-16 order.
fn tokens(
    survey: &Survey,
    candidates: &[Candidate],
    declared: bool,
    kind: ColumnKind,
    notes: &mut Vec<Note>,
) -> Vec<String> {
    let only_numbers = survey.n_numbers() == survey.n_values;
    let among_numbers = matches!(
        kind,
        ColumnKind::Numeric | ColumnKind::Temporal | ColumnKind::Unknown
    ) || only_numbers;
    let codes = !among_numbers && !survey.not_alpha2;
    let mut kept = Vec::new();
    for (candidate, &n) in candidates.iter().zip(&survey.n_by_token) {
        let missing = match candidate.firmness {
            Firmness::Always => n > 0 || declared,
            Firmness::Strong => n > 0 && !(codes && candidate.text == "NA"),
            Firmness::Weak => n > 0 && among_numbers,
        };
        if missing {
            kept.push(candidate.text.clone());
        } else if n > 0 {
            let text = format!(
                "`{}` is kept as a value {}; `--missing {}` says that it means \"no value\"",
                candidate.text,
                times(n),
                argument(&candidate.text)
            );
            notes.push(Note::new(NoteCode::TokenKept, text));
        }
    }
    kept.sort_by(|a, b| utf16_cmp(a, b));
    kept
}

fn note_oddities(survey: &Survey, kind: ColumnKind, notes: &mut Vec<Note>) {
    let numeric = kind == ColumnKind::Numeric;
    if survey.n_spaced > 0 {
        let kept = if numeric {
            "read without them"
        } else {
            "kept as they are"
        };
        let text = format!("{} with spaces around, {kept}", plural(survey.n_spaced, "value"));
        notes.push(Note::new(NoteCode::Spaces, text));
    }
    if numeric && survey.n_long > 0 {
        let text = format!(
            "{} with more digits than double precision distinguishes; the nearest double is held",
            plural(survey.n_long, "value")
        );
        notes.push(Note::new(NoteCode::Precision, text));
    }
    if !numeric && survey.n_quoted_numbers > 0 {
        let text = format!(
            "{} look like numbers but are JSON strings, so they stay text",
            plural(survey.n_quoted_numbers, "value")
        );
        notes.push(Note::new(NoteCode::QuotedNumbers, text));
    }
    let n_texts = survey.n_values - survey.n_numbers();
    if let (false, Some((style, example))) = (numeric, &survey.first_other_style)
        && survey.n_other_style * 2 >= n_texts
    {
        let flag = match style {
            OtherStyle::Grouped(mark) => format!("`--thousands {}` reads them", argument(&mark.to_string())),
            OtherStyle::Comma => "`--decimal-mark ,` reads them".to_owned(),
            OtherStyle::Either => {
                "`--thousands ,` or `--decimal-mark ,` reads them; only the author knows which".to_owned()
            }
        };
        let text = format!(
            "{}, such as `{example}`, would be numbers if marks between digits were declared: {flag}",
            plural(survey.n_other_style, "text")
        );
        notes.push(Note::new(NoteCode::OtherNumbers, text));
    } else if let (ColumnKind::Text, Some(text)) = (kind, &survey.first_text)
        && survey.n_numbers() > survey.n_values / 2
    {
        let text = format!(
            "mostly numbers; if `{}` means \"no value\", say so with `--missing {}`",
            text.value,
            argument(&text.value)
        );
        notes.push(Note::new(NoteCode::MixedKinds, text));
    }
}

fn model(
    name: &str,
    kind: ColumnKind,
    survey: &Survey,
    identifies: bool,
    stated: Stated<'_>,
) -> MeasurementModel {
    let declaration = stated.declaration;
    let firmness = match declaration {
        Some(declaration) if declaration.confirmed => Status::Confirmed,
        Some(_) | None => Status::Declared,
    };
    let said = |what: &str| {
        let verb = if firmness == Status::Confirmed {
            "confirmed"
        } else {
            "declared"
        };
        Basis::new(BasisSource::Declaration, format!("the {what} is {verb}"))
    };
    let mut unit_basis = None;
    let unit = match declaration.and_then(|declaration| declaration.unit.as_deref()) {
        Some(written) => {
            unit_basis = Some(said("unit"));
            Some(units::named(written, firmness))
        }
        None if kind == ColumnKind::Numeric => units::infer(name).map(|(unit, basis)| {
            unit_basis = Some(basis);
            unit
        }),
        None => None,
    };
    let (scale, status, scale_basis) = match declaration.and_then(|declaration| declaration.scale) {
        Some(scale) => (scale, firmness, said("scale")),
        None if stated.is_key => {
            let basis = Basis::new(
                BasisSource::Declaration,
                "the column is declared as the key of the rows",
            );
            (Scale::Identifier, Status::Declared, basis)
        }
        None => {
            let (scale, basis) = infer_scale(name, kind, survey, identifies, unit.as_ref());
            (scale, Status::Inferred, basis)
        }
    };
    let structure = declaration
        .and_then(|declaration| declaration.observation_structure)
        .or(stated.observation_structure);
    let mut basis = vec![scale_basis];
    basis.extend(unit_basis);
    basis.extend(structure.map(|_| said("observation structure")));
    MeasurementModel {
        scale,
        observation_structure: structure.unwrap_or(ObservationStructure::Unknown),
        unit,
        status,
        basis,
    }
}

fn infer_scale(
    name: &str,
    kind: ColumnKind,
    survey: &Survey,
    identifies: bool,
    unit: Option<&crate::measure::Unit>,
) -> (Scale, Basis) {
    let by_values = |scale, why: &str| (scale, Basis::new(BasisSource::CellValues, why));
    let by_name = |scale, why: String| (scale, Basis::new(BasisSource::ColumnName, why));
    let lower = name.to_lowercase();
    let pieces: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|piece| !piece.is_empty())
        .collect();
    let names_id = matches!(
        pieces.last(),
        Some(&("id" | "uid" | "uuid" | "key" | "code" | "zip"))
    );
    match kind {
        ColumnKind::Unknown => return by_values(Scale::Unknown, "there is no value to judge by"),
        ColumnKind::Categorical => return by_values(Scale::Nominal, "the values name groups"),
        ColumnKind::Temporal => return by_values(Scale::Temporal, "the values are dates"),
        ColumnKind::Text if identifies => {
            return by_values(Scale::Identifier, "the values are digits that identify");
        }
        ColumnKind::Text if names_id => {
            return by_name(Scale::Identifier, format!("`{name}` names an identifier"));
        }
        ColumnKind::Text => return by_values(Scale::Unknown, "the values are free text"),
        ColumnKind::Numeric => {}
    }
    if let Some(unit) = unit
        && let Some((scale, why)) = units::scale_of(unit)
    {
        return by_name(scale, format!("the unit {} {why}", unit.text()));
    }
    let has = |words: &[&str]| pieces.iter().any(|piece| words.contains(piece));
    let integers = survey.n_decimals == 0;
    let (least, greatest) = (survey.least.unwrap_or(0), survey.greatest.unwrap_or(0));
    if has(&["latitude", "longitude", "lat", "lon", "lng"]) {
        return by_name(Scale::SpatialCoordinate, format!("`{name}` names a coordinate"));
    }
    if has(&["year", "yr"]) && integers && (1..=9999).contains(&least) && greatest <= 9999 {
        return by_name(
            Scale::Temporal,
            format!("`{name}` names a year and every value could be one"),
        );
    }
    if has(&["count", "counts", "n", "num", "number"]) && integers && least >= 0 && !has(&["sample", "id"]) {
        return by_name(
            Scale::Count,
            format!("`{name}` names a count and every value is an integer from 0 up"),
        );
    }
    if names_id && integers {
        return by_name(Scale::Identifier, format!("`{name}` names an identifier"));
    }
    by_values(
        Scale::Interval,
        "numbers without a known unit: differences are taken to mean something, a true zero is not assumed",
    )
}

pub(crate) fn plural(n: usize, thing: &str) -> String {
    if n == 1 {
        format!("1 {thing}")
    } else {
        format!("{n} {thing}s")
    }
}

pub(crate) fn times(n: usize) -> String {
    if n == 1 {
        "once".to_owned()
    } else {
        format!("{n} times")
    }
}
