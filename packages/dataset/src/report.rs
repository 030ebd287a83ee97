//! The import report: what was found, what was decided and why, and what looks odd, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;

use unicode_normalization::UnicodeNormalization as _;

use crate::Recipe;
use crate::column::{Column, ColumnKind};
use crate::dataset::Dataset;
use crate::decide::plural;
use crate::measure::BasisSource;
use crate::wire::v1::{ColumnSummary, CountedToken, NoteText, ReportBody};
use crate::words::words;

words! {
    /// What kind of oddity a note is about. None of them stops an import.
    NoteCode, "note code";
    /// A usual missing token was kept as a value.
    TokenKept = "TOKEN_KEPT",
    /// Values or names with spaces around.
    Spaces = "SPACES",
    /// Decimals with more digits than a double distinguishes.
    Precision = "PRECISION",
    /// JSON strings that look like numbers.
    QuotedNumbers = "QUOTED_NUMBERS",
    /// Mostly numbers, with some text between.
    MixedKinds = "MIXED_KINDS",
    /// Every value is the same.
    Constant = "CONSTANT",
    /// No row has a value.
    AllMissing = "ALL_MISSING",
    /// An extreme value far from the others that is often written for "no value".
    PossibleMissingCode = "POSSIBLE_MISSING_CODE",
    /// Texts that differ only in case, spaces or Unicode form.
    NearLevels = "NEAR_LEVELS",
    /// A very long value.
    LongValue = "LONG_VALUE",
    /// Blank lines were skipped.
    BlankLines = "BLANK_LINES",
    /// A byte order mark was left out.
    ByteOrderMark = "BYTE_ORDER_MARK",
    /// A column that could name the rows.
    PossibleKey = "POSSIBLE_KEY",
    /// Lines end in more than one way.
    MixedLineEnds = "MIXED_LINE_ENDS",
    /// Control characters that a wrong encoding brings.
    ControlCharacters = "CONTROL_CHARACTERS",
    /// A decimal comma was detected.
    DecimalComma = "DECIMAL_COMMA",
    /// Texts that would be numbers in another style.
    OtherNumbers = "OTHER_NUMBERS",
    /// Names in the header that are numbers or dates.
    NumericNames = "NUMERIC_NAMES",
    /// The first line was taken for a row.
    NoHeader = "NO_HEADER",
    /// Another delimiter would make columns of one.
    OtherDelimiter = "OTHER_DELIMITER",
    /// Something about the links of a graph.
    Links = "LINKS",
    /// Names that look alike and are distinct.
    NearNames = "NEAR_NAMES",
}

/// Something odd that a person should look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which kind of oddity.
    pub code: NoteCode,
    /// In a sentence.
    pub text: String,
}

impl Note {
    pub(crate) fn new(code: NoteCode, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }
}

/// What an import found and decided. [`fmt::Display`] is for people, [`ImportReport::to_wire`] for programs.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportReport {
    body: ReportBody,
    /// The first levels of each column, shortened; shown to people only.
    samples: Vec<Option<String>>,
}

/// The longest text in a sample, in characters.
const MAX_SAMPLED: usize = 24;
/// How many levels a sample shows.
const N_SAMPLED: usize = 6;
/// A longer value is worth a note; bytes.
const LONG_VALUE: usize = 1_000;
/// Numbers often written for "no value".
const MISSING_CODES: [f64; 9] = [
    -9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0,
];

impl ImportReport {
    pub(crate) fn new(
        dataset: &Dataset,
        recipe: &Recipe,
        notes: Vec<Note>,
        mut column_notes: Vec<Vec<Note>>,
        longest: &[usize],
    ) -> Self {
        let body = recipe.body();
        let mut columns = Vec::with_capacity(body.columns.len());
        let mut samples = Vec::with_capacity(body.columns.len());
        for (column_idx, (column, decision)) in dataset.columns().iter().zip(&body.columns).enumerate() {
            let mut notes = std::mem::take(&mut column_notes[column_idx]);
            let n_distinct = column.n_distinct();
            let n_missing = column.n_missing();
            note_values(column, n_distinct, n_missing, longest[column_idx], &mut notes);
            if body.key_column.is_none() && could_be_key(column, n_distinct, n_missing) {
                notes.push(Note::new(
                    NoteCode::PossibleKey,
                    "every value is different; it could name the rows",
                ));
            }
            let range = column.range();
            let tokens = column.missing_tokens().iter().zip(column.n_by_token());
            columns.push(ColumnSummary {
                name: column.name().to_owned(),
                kind: column.kind(),
                cells: decision.cells,
                why: decision.why.clone(),
                measurement: decision.measurement.clone(),
                n_values: column.n_rows() - n_missing,
                n_missing,
                n_null: column.n_null(),
                n_absent: column.n_absent(),
                missing_tokens: tokens
                    .map(|(token, count)| CountedToken {
                        token: token.clone(),
                        count,
                    })
                    .collect(),
                n_distinct,
                min: range.map(|(min, _)| min),
                max: range.map(|(_, max)| max),
                notes: notes.into_iter().map(written).collect(),
            });
            samples.push(column.levels().map(sample));
        }
        let body = ReportBody {
            name: dataset.name().to_owned(),
            fingerprint: dataset.fingerprint().to_string(),
            recipe_id: recipe.id().to_string(),
            format: body.format,
            encoding: body.encoding,
            csv: body.csv.clone(),
            key_column: body.key_column.clone(),
            n_rows: dataset.n_rows(),
            columns,
            notes: notes.into_iter().map(written).collect(),
        };
        Self { body, samples }
    }

    /// The report as `--json` prints it.
    #[must_use]
    pub fn to_wire(&self) -> &ReportBody {
        &self.body
    }

    /// Every note with the column it is about; `None` is the file as a whole.
    pub fn notes(&self) -> impl Iterator<Item = (Option<&str>, &NoteText)> {
        let of_columns = self.body.columns.iter();
        let of_columns =
            of_columns.flat_map(|column| column.notes.iter().map(|note| (Some(column.name.as_str()), note)));
        self.body.notes.iter().map(|note| (None, note)).chain(of_columns)
    }
}

fn written(note: Note) -> NoteText {
    NoteText {
        code: note.code,
        text: note.text,
    }
}

fn note_values(column: &Column, n_distinct: usize, n_missing: usize, longest: usize, notes: &mut Vec<Note>) {
    let n_values = column.n_rows() - n_missing;
    if n_values == 0 {
        notes.push(Note::new(NoteCode::AllMissing, "no row has a value"));
    } else if n_distinct == 1 && n_values > 1 {
        notes.push(Note::new(NoteCode::Constant, "every value is the same"));
    }
    if longest > LONG_VALUE {
        notes.push(Note::new(
            NoteCode::LongValue,
            format!("the longest value has {longest} bytes; it is kept whole"),
        ));
    }
    if let Some(value) = missing_code(column) {
        let text = format!("{value} lies far from all other values and is often written for \"no value\"");
        notes.push(Note::new(NoteCode::PossibleMissingCode, text));
    }
    if let Some(levels) = column.levels() {
        note_near_levels(levels, notes);
    }
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

fn could_be_key(column: &Column, n_distinct: usize, n_missing: usize) -> bool {
    const FEWEST_ROWS: usize = 3;
    let texts = matches!(column.kind(), ColumnKind::Text | ColumnKind::Categorical);
    texts && n_missing == 0 && column.n_rows() >= FEWEST_ROWS && n_distinct == column.n_rows()
}

fn sample(levels: &[Box<str>]) -> String {
    let shown: Vec<String> = levels
        .iter()
        .take(N_SAMPLED)
        .map(|level| shortened(level))
        .collect();
    let more = if levels.len() > N_SAMPLED { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
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

/// Writes one line, whatever stands in the names: they come from the file, and a name that breaks a line could pose as
/// a line of the report.
macro_rules! say {
    ($f:expr, $($told:tt)+) => {
        writeln!($f, "{}", refusal::one_line(&format!($($told)+)))
    };
}

impl fmt::Display for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = &self.body;
        let (rows, columns) = (plural(body.n_rows, "row"), plural(body.columns.len(), "column"));
        say!(f, "{}: {rows}, {columns}", body.name)?;
        match &body.csv {
            Some(csv) => {
                let delimiter = match csv.delimiter.as_str() {
                    "," => "comma",
                    ";" => "semicolon",
                    "\t" => "tab",
                    "|" => "bar",
                    other => other,
                };
                say!(
                    f,
                    "  source       {}, {}, fields between {delimiter}s",
                    body.format,
                    body.encoding
                )?;
            }
            None => {
                say!(f, "  source       {}, {}", body.format, body.encoding)?;
            }
        }
        match &body.key_column {
            Some(key) => say!(f, "  rows         known by `{key}`")?,
            None => say!(
                f,
                "  rows         known by their place, row:1 to row:{}",
                body.n_rows
            )?,
        }
        say!(f, "  fingerprint  {}", body.fingerprint)?;
        say!(f, "  recipe       {}", body.recipe_id)?;
        for note in &body.notes {
            say!(f, "  note         {}", note.text)?;
        }
        for (column, sample) in body.columns.iter().zip(&self.samples) {
            say!(f, "")?;
            write_column(f, column, sample.as_deref())?;
        }
        Ok(())
    }
}

fn write_column(f: &mut fmt::Formatter<'_>, column: &ColumnSummary, sample: Option<&str>) -> fmt::Result {
    let measurement = &column.measurement;
    say!(f, "  {}", column.name)?;
    say!(f, "    kind       {}: {}", column.kind, column.why)?;
    let reason = |source: &[BasisSource], skip: usize| {
        let mut basis = measurement.basis.iter().skip(skip);
        basis
            .find(|basis| source.contains(&basis.source))
            .map_or("", |basis| basis.rationale.as_str())
    };
    let all = [
        BasisSource::ColumnName,
        BasisSource::CellValues,
        BasisSource::Declaration,
    ];
    say!(
        f,
        "    scale      {} ({}): {}",
        measurement.scale,
        measurement.status,
        reason(&all, 0)
    )?;
    if let Some(unit) = &measurement.unit {
        let written = if unit.written == unit.text {
            String::new()
        } else {
            format!(" (written {})", unit.written)
        };
        say!(
            f,
            "    unit       {}{written}, {}: {}",
            unit.text,
            unit.status,
            reason(&all, 1)
        )?;
    }
    let mut values = format!(
        "    values     {}, {} distinct",
        column.n_values, column.n_distinct
    );
    if let (Some(min), Some(max)) = (column.min, column.max) {
        let unit = measurement
            .unit
            .as_ref()
            .map_or_else(String::new, |unit| format!(" {}", unit.written));
        values.push_str(&format!(", {min} to {max}{unit}"));
    }
    if let Some(sample) = sample
        && column.n_values > 0
    {
        values.push_str(&format!(": {sample}"));
    }
    say!(f, "{values}")?;
    if column.n_missing > 0 {
        let mut ways = Vec::new();
        for counted in column.missing_tokens.iter().filter(|counted| counted.count > 0) {
            let token = if counted.token.is_empty() {
                "empty".to_owned()
            } else {
                format!("`{}`", counted.token)
            };
            ways.push(format!("{token} {}", counted.count));
        }
        for (word, count) in [("null", column.n_null), ("absent", column.n_absent)] {
            if count > 0 {
                ways.push(format!("{word} {count}"));
            }
        }
        say!(f, "    missing    {} ({})", column.n_missing, ways.join(", "))?;
    }
    for note in &column.notes {
        say!(f, "    note       {}", note.text)?;
    }
    Ok(())
}
