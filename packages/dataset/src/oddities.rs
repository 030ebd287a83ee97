//! What looks odd in the values of a column: told in the report, never changed.
//!
//! **Far values**: with quartiles q1 and q3 (nearest rank) and q3 greater than q1, a number below q1 − 3·(q3 − q1) or above
//! q3 + 3·(q3 − q1). These are Tukey's outer fences (*Exploratory Data Analysis*, 1977); a far value may be right.
//!
//! **Dates as text**: at least nine in ten values have three parts, two of them a day and a month (as number or English
//! name) and one a year of four digits, first or last. They stay text; their years are told.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;

use crate::column::{CellRef, Column, ColumnKind};
use crate::declare::{argument, declared_name};
use crate::measure::Scale;
use crate::report::{Note, NoteCode};

/// The longest text in a sample, in characters.
const MAX_SAMPLED: usize = 24;
/// How many values a sample shows.
const N_SAMPLED: usize = 6;
/// How long a sample is, in characters.
const MAX_SAMPLE: usize = 64;
/// A longer value is worth a note; bytes.
const LONG_VALUE: usize = 1_000;
/// Numbers often written for "no value".
const MISSING_CODES: [f64; 9] = [
    -9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0,
];
/// How many interquartile ranges from the quartiles the fences stand.
const FENCES: f64 = 3.0;
/// With more distinct integers, nobody takes them for codes.
const MAX_CODES: usize = 12;
/// With fewer values, quartiles say little.
const FEWEST_FOR_FENCES: usize = 12;
/// How many far values a note shows.
const N_FAR_SHOWN: usize = 3;

/// What was counted about a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) n_distinct: usize,
    pub(crate) n_missing: usize,
    pub(crate) longest: usize,
}

/// Tells what is odd about the values.
pub(crate) fn note_values(column: &Column, seen: Seen, notes: &mut Vec<Note>) {
    let n_values = column.n_rows() - seen.n_missing;
    if n_values == 0 {
        notes.push(Note::new(NoteCode::AllMissing, "no row has a value"));
    } else if seen.n_distinct == 1 && n_values > 1 {
        notes.push(Note::new(NoteCode::Constant, "every value is the same"));
    }
    if seen.longest > LONG_VALUE {
        notes.push(Note::new(
            NoteCode::LongValue,
            format!("the longest value has {} bytes; it is kept whole", seen.longest),
        ));
    }
    if let Some(value) = missing_code(column) {
        let text = format!(
            "{value} lies far from all other values and is often written for \"no value\"; `--missing {value}` says so"
        );
        notes.push(Note::new(NoteCode::PossibleMissingCode, text));
    } else {
        note_far_values(column, notes);
    }
    if let Some(levels) = column.levels() {
        note_near_levels(levels, notes);
    }
    let codes = column.as_integers().is_some() && column.model().scale() == Scale::Interval;
    if codes && (2..=MAX_CODES).contains(&seen.n_distinct) && seen.n_distinct * 4 <= n_values {
        let text = format!(
            "{} distinct integers; if they are codes of groups, `--declare {}` says so",
            seen.n_distinct,
            argument(&format!("{}:CATEGORICAL", declared_name(column.name())))
        );
        notes.push(Note::new(NoteCode::PossibleGroups, text));
    }
    note_dates(column, notes);
}

/// Tells that a name in the header is a value of its column too: perhaps the first line is a row.
pub(crate) fn note_name_as_value(column: &Column, notes: &mut Vec<Note>) {
    let found = column
        .levels()
        .is_some_and(|levels| levels.iter().any(|level| **level == *column.name()));
    if found {
        let text = "the name is one of the values too; `--header no` says that the first line is a row";
        notes.push(Note::new(NoteCode::NameAsValue, text));
    }
}

/// The earliest and the latest text of a TEMPORAL column, as texts are ordered.
pub(crate) fn span(column: &Column) -> Option<(String, String)> {
    if column.kind() != ColumnKind::Temporal {
        return None;
    }
    let mut span: Option<(&str, &str)> = None;
    for_each_text(column, &mut |text, _| {
        span = Some(span.map_or((text, text), |(first, last)| (first.min(text), last.max(text))));
    });
    span.map(|(first, last)| (first.to_owned(), last.to_owned()))
}

/// An extreme that is a usual missing code and further from its neighbor than all others are spread.
fn missing_code(column: &Column) -> Option<f64> {
    let (min, max) = column.range()?;
    if !MISSING_CODES.contains(&min) && !MISSING_CODES.contains(&max) {
        return None;
    }
    let known = || (0..column.n_rows()).filter_map(|row_idx| column.number(row_idx).known());
    let least_but_min = known().filter(|value| *value > min).fold(f64::INFINITY, f64::min);
    let greatest_but_max = known()
        .filter(|value| *value < max)
        .fold(f64::NEG_INFINITY, f64::max);
    if least_but_min >= max || greatest_but_max <= min {
        return None;
    }
    if MISSING_CODES.contains(&min) && least_but_min - min > max - least_but_min {
        return Some(min);
    }
    (MISSING_CODES.contains(&max) && max - greatest_but_max > greatest_but_max - min).then_some(max)
}

fn note_near_levels(levels: &[Box<str>], notes: &mut Vec<Note>) {
    let mut by_fold: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for level in levels {
        let folded: String = level.trim().to_lowercase().nfc().collect();
        by_fold.entry(folded).or_default().push(level);
    }
    for near in by_fold.values().filter(|near| near.len() > 1) {
        let quoted: Vec<String> = near
            .iter()
            .map(|level| format!("`{}`", shortened(level)))
            .collect();
        let text = format!(
            "{} differ only in case, spaces or Unicode form",
            quoted.join(" and ")
        );
        notes.push(Note::new(NoteCode::NearLevels, text));
    }
}

fn note_far_values(column: &Column, notes: &mut Vec<Note>) {
    if column.kind() != ColumnKind::Numeric {
        return;
    }
    let mut values: Vec<f64> = column.numbers_known().collect();
    if values.len() < FEWEST_FOR_FENCES {
        return;
    }
    let rank = |values: &mut Vec<f64>, quarter: usize| {
        let nearest = (values.len() * quarter).div_ceil(4) - 1;
        *values.select_nth_unstable_by(nearest, f64::total_cmp).1
    };
    let (q1, q3) = (rank(&mut values, 1), rank(&mut values, 3));
    let reach = FENCES * (q3 - q1);
    let (low, high) = (q1 - reach, q3 + reach);
    if reach <= 0.0 || !low.is_finite() || !high.is_finite() {
        return;
    }
    let far = |value: f64| value < low || value > high;
    let n_far = values.iter().filter(|value| far(**value)).count();
    if n_far == 0 {
        return;
    }
    let shown: Vec<String> = (0..column.n_rows())
        .filter_map(|row_idx| {
            let value = column.number(row_idx).known().filter(|value| far(*value))?;
            Some(format!("{} in row {}", number(value), row_idx + 1))
        })
        .take(N_FAR_SHOWN)
        .collect();
    let beyond = [
        ("below", low, values.iter().any(|value| *value < low)),
        ("above", high, values.iter().any(|value| *value > high)),
    ];
    let sides: Vec<String> = beyond
        .iter()
        .filter(|(_, _, any)| *any)
        .map(|(side, fence, _)| format!("{side} {}", rounded(*fence)))
        .collect();
    let text = format!(
        "{} far out, {}: {}{}",
        if n_far == 1 {
            "1 value is".to_owned()
        } else {
            format!("{n_far} values are")
        },
        sides.join(" or "),
        shown.join(", "),
        if n_far > N_FAR_SHOWN { ", …" } else { "" }
    );
    notes.push(Note::new(NoteCode::FarValues, text));
}

fn note_dates(column: &Column, notes: &mut Vec<Note>) {
    if !matches!(column.kind(), ColumnKind::Text | ColumnKind::Categorical) {
        return;
    }
    let (mut n_values, mut n_dates) = (0, 0);
    let mut example = None;
    let mut years: Option<(u32, u32)> = None;
    for_each_text(column, &mut |text, n_rows| {
        n_values += n_rows;
        if let Some(year) = year_of_date(text) {
            n_dates += n_rows;
            example = example.or(Some(text));
            years = Some(years.map_or((year, year), |(first, last)| (first.min(year), last.max(year))));
        }
    });
    if let (Some(example), Some((first, last))) = (example, years)
        && n_dates * 10 >= n_values * 9
    {
        let text = format!(
            "{} dates written as `{}` with years from {first} to {last}; they stay text, because only ISO dates \
             (1998-06-12) are read as dates",
            if n_dates == 1 {
                "1 value looks like".to_owned()
            } else {
                format!("{n_dates} values look like")
            },
            shortened(example)
        );
        notes.push(Note::new(NoteCode::DatesAsText, text));
    }
}

/// The year of a text that looks like a date but is no ISO date.
fn year_of_date(text: &str) -> Option<u32> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    if text.len() > 32 {
        return None;
    }
    let date = text
        .split_once([' ', 'T'])
        .filter(|(_, time)| time.contains(':'))
        .map_or(text, |(date, _)| date);
    let mut parts = date
        .split([' ', '/', '-', '.', ','])
        .filter(|part| !part.is_empty());
    let (a, b, c) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let year = |part: &str| {
        let year: u32 = (part.len() == 4).then(|| part.parse().ok())??;
        (1000..3000).contains(&year).then_some(year)
    };
    let month_name = |part: &str| {
        let start: String = part.chars().take(3).flat_map(char::to_lowercase).collect();
        part.chars().all(char::is_alphabetic) && MONTHS.contains(&start.as_str())
    };
    let small = |part: &str| part.len() <= 2 && part.parse().is_ok_and(|n: u32| (1..=31).contains(&n));
    let rest = |one: &str, other: &str| {
        (small(one) && small(other)) || (month_name(one) && small(other)) || (small(one) && month_name(other))
    };
    match (year(a), year(c)) {
        (None, Some(year)) if rest(a, b) => Some(year),
        (Some(year), None) if rest(b, c) => Some(year),
        _ => None,
    }
}

/// Every text with the number of its rows, in the order of first appearance: each once where the column keeps them
/// so, else row by row.
fn for_each_text<'c>(column: &'c Column, take: &mut dyn FnMut(&'c str, usize)) {
    match column.counted_texts() {
        Some(counted) => counted.into_iter().for_each(|(text, n_rows)| take(text, n_rows)),
        None => texts(column).for_each(|text| take(text, 1)),
    }
}

fn texts(column: &Column) -> impl Iterator<Item = &str> {
    (0..column.n_rows()).filter_map(|row_idx| match column.cell(row_idx) {
        CellRef::Text(text) => Some(text),
        CellRef::Number(_) | CellRef::Integer(_) | CellRef::Missing(_) => None,
    })
}

/// Whether a column could name the rows.
pub(crate) fn could_be_key(column: &Column, seen: Seen) -> bool {
    const FEWEST_ROWS: usize = 3;
    let texts = matches!(column.kind(), ColumnKind::Text | ColumnKind::Categorical);
    texts && seen.n_missing == 0 && column.n_rows() >= FEWEST_ROWS && seen.n_distinct == column.n_rows()
}

/// The first few values that differ, shortened; empty for numbers and dates, whose ranges say more.
pub(crate) fn sample(column: &Column) -> String {
    let shown: Vec<&str> = match column.levels() {
        Some(levels) => levels.iter().take(N_SAMPLED + 1).map(AsRef::as_ref).collect(),
        None if column.kind() == ColumnKind::Text => {
            let mut first: Vec<&str> = Vec::new();
            for text in texts(column) {
                if first.len() > N_SAMPLED {
                    break;
                }
                if !first.contains(&text) {
                    first.push(text);
                }
            }
            first
        }
        None => Vec::new(),
    };
    // Commas between texts that hold commas would make other texts of them.
    let between = if shown.iter().any(|text| text.contains(',')) {
        " · "
    } else {
        ", "
    };
    let mut sample = String::new();
    for (at, text) in shown.iter().enumerate() {
        let next = shortened(text);
        let full = sample.chars().count() + next.chars().count() > MAX_SAMPLE;
        if at == N_SAMPLED || (at > 0 && full) {
            sample.push_str(between);
            sample.push('…');
            break;
        }
        if at > 0 {
            sample.push_str(between);
        }
        sample.push_str(&next);
    }
    sample
}

/// A fence to six significant digits: it is a rule of thumb, and its last digits are noise.
fn rounded(fence: f64) -> String {
    number(format!("{fence:.5e}").parse().unwrap_or(fence))
}

/// A number as ECMAScript prints it.
pub(crate) fn number(value: f64) -> String {
    ryu_js::Buffer::new().format_finite(value).to_owned()
}

fn shortened(text: &str) -> String {
    let one_line: String = text
        .chars()
        .map(|c| if c.is_control() { '␣' } else { c })
        .collect();
    match one_line.char_indices().nth(MAX_SAMPLED) {
        Some((at, _)) => format!("{}…", &one_line[..at]),
        None => one_line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_that_are_not_iso() {
        for (text, year) in [
            ("Jun 12 1998", Some(1998)),
            ("12 June 1998", Some(1998)),
            ("6/12/2046", Some(2046)),
            ("31.12.1999", Some(1999)),
            ("1998/6/12", Some(1998)),
            ("11/11/07", None),
            ("6/12/1998 14:30", Some(1998)),
            ("10.1000/1998", None),
            ("Jun 12", None),
            ("1-2-3", None),
            ("Room 12 2001", None),
            ("Section 4 of 1998", None),
        ] {
            assert_eq!(year_of_date(text), year, "{text}");
        }
    }
}
