//! How a CSV file is structured, read off its first records: delimiter, decimal mark, header. Whatever a person states
//! is taken instead.
//!
//! **Delimiter**: the one of comma, semicolon, tab and bar under which the first 50 records agree best: all equally long
//! and longer than one field, else as many as possible as long as the first.
//!
//! **Decimal mark**: a comma when fields are not separated by commas, some field of the first 1,000 records is a number
//! with a decimal comma that can't be a thousands separator (`3,14`, `0,125`, `1.234,56`), and none is a number with a
//! decimal point that can't be one either. Otherwise a point. The machine's locale is never asked.
//!
//! **Header**: of the first record, the fields that are numbers or dates decide.
//! 1. None is: the record holds names.
//! 2. Names stand beside them, and they are distinct years (1000 to 2999), or at least three that increase: names, with a
//!    note.
//! 3. One of them has a decimal point or is a date, and under all of them stand numbers and dates alone: the record is a
//!    row, with a note; columns are named `column_1` and so on.
//! 4. Otherwise nobody can know, and the import asks.
//!
//! A first line `sep=;` is none of the table: it names the delimiter, as spreadsheet programs write it.
//!
//! A first record of another length than all that follow (two at least) is no header of theirs, and is refused by name:
//! it is often a line about the file.

use csv::ByteRecord;

use super::csv_records::{Dialect, after_lines, reader, text_of};
use super::text::SourceText;
use crate::error::ImportError;
use crate::literal::{self, Literal};
use crate::options::{Header, ImportOptions};
use crate::report::{Note, NoteCode};
use crate::style::{NumberStyle, OtherStyle, other_style};
use crate::survey::trim;
use crate::wire::v1::CsvStructure;

/// Delimiters that are looked for, in the order of preference when two fit equally well.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How many records decide about the delimiter.
const N_SAMPLED: usize = 50;

/// How many records decide about decimal mark and header.
const N_LOOKED_AT: usize = 1_000;

/// How many fields of a line a refusal shows.
const N_SHOWN: usize = 8;

/// The dialect that was stated, and where nothing was, the one that fits.
pub(crate) fn detect(
    source: SourceText<'_>,
    options: &ImportOptions,
    notes: &mut Vec<Note>,
) -> Result<Dialect, ImportError> {
    let (mut stated_delimiter, quote) = stated_characters(options)?;
    let mut n_skipped = options.skip_lines as u64;
    if let (0, Some(delimiter)) = (n_skipped, separator_line(source.text)) {
        let text = format!(
            "the first line, `sep={}`, names the delimiter and is no part of the table",
            char::from(delimiter)
        );
        notes.push(Note::new(NoteCode::SeparatorLine, text));
        n_skipped = 1;
        stated_delimiter = stated_delimiter.or(Some(delimiter));
    }
    let Some(from) = after_lines(source.text, n_skipped) else {
        return Err(ImportError::Option {
            what: format!(
                "there are no more than {n_skipped} lines, so nothing is left behind the skipped ones"
            ),
        });
    };
    let text = &source.text[from..];
    let delimiter = stated_delimiter.unwrap_or_else(|| detect_delimiter(text, quote));
    let records = first_records(text, delimiter, quote, N_LOOKED_AT);
    let style = style(&records, delimiter, options, notes)?;
    let has_header = match options.header {
        Some(header) => header == Header::Present,
        None => has_header(&records, style, notes)?,
    };
    if options.delimiter.is_none() {
        note_spaces(&records, notes);
    }
    Ok(Dialect {
        delimiter,
        quote,
        style,
        has_header,
        n_skipped,
    })
}

fn stated_characters(options: &ImportOptions) -> Result<(Option<u8>, u8), ImportError> {
    let text_of = |c: Option<char>, otherwise: u8| c.unwrap_or(char::from(otherwise)).to_string();
    let stated = CsvStructure {
        delimiter: text_of(options.delimiter, DELIMITERS[0]),
        quote: text_of(options.quote, b'"'),
        ..CsvStructure::new(DELIMITERS[0], b'"')
    };
    let (delimiter, quote) = stated.bytes().map_err(|error| ImportError::Option {
        what: error.to_string(),
    })?;
    Ok((options.delimiter.map(|_| delimiter), quote))
}

/// The delimiter that a first line `sep=;` names, as spreadsheet programs write and read it.
fn separator_line(text: &str) -> Option<u8> {
    let (line, _) = text.split_once(['\r', '\n'])?;
    let named = line.strip_prefix("sep=").or_else(|| line.strip_prefix("SEP="))?;
    let structure = CsvStructure {
        delimiter: named.to_owned(),
        ..CsvStructure::new(DELIMITERS[0], b'"')
    };
    structure.bytes().ok().map(|(delimiter, _)| delimiter)
}

/// The first records, as texts.
fn first_records(text: &str, delimiter: u8, quote: u8, n: usize) -> Vec<Vec<String>> {
    let mut reader = reader(text, delimiter, quote);
    let mut record = ByteRecord::new();
    let mut records = Vec::new();
    while records.len() < n && matches!(reader.read_byte_record(&mut record), Ok(true)) {
        records.push(record.iter().map(|field| text_of(field).to_owned()).collect());
    }
    records
}

/// The delimiter under which the first records agree best. With none of the four in the first record, the one under
/// which all others agree; without such a one, the file has one column.
fn detect_delimiter(text: &str, quote: u8) -> u8 {
    let lengths = |delimiter: u8| {
        let mut reader = reader(text, delimiter, quote);
        let mut record = ByteRecord::new();
        let mut lengths = Vec::with_capacity(N_SAMPLED);
        while lengths.len() < N_SAMPLED && matches!(reader.read_byte_record(&mut record), Ok(true)) {
            lengths.push(record.len());
        }
        lengths
    };
    let score = |delimiter: u8| {
        let lengths = lengths(delimiter);
        let header = lengths.first().copied().unwrap_or(0);
        let n_agreeing = lengths.iter().filter(|&&length| length == header).count();
        let splits = header > 1;
        (splits, splits && n_agreeing == lengths.len(), n_agreeing, header)
    };
    let mut best = DELIMITERS[0];
    let mut best_score = score(best);
    for &delimiter in &DELIMITERS[1..] {
        // What does not occur splits nothing, and loses to what does.
        let (splits, ..) = best_score;
        if splits && !text.as_bytes().contains(&delimiter) {
            continue;
        }
        let candidate = score(delimiter);
        let (_, all_agree, ..) = candidate;
        // `A;1,5` falls apart at both: where commas stand between digits alone, they are decimal marks.
        let marks = best == b',' && all_agree && commas_are_marks(text);
        if candidate > best_score || marks {
            (best, best_score) = (delimiter, candidate);
        }
    }
    let (splits, ..) = best_score;
    if !splits {
        let below = |delimiter: &&u8| {
            let lengths = lengths(**delimiter);
            lengths.len() > 2 && lengths[1] > 1 && lengths[1..].iter().all(|length| *length == lengths[1])
        };
        return DELIMITERS.iter().find(below).copied().unwrap_or(best);
    }
    best
}

/// Whether every comma at the beginning of a text stands between two digits.
fn commas_are_marks(text: &str) -> bool {
    const N_BYTES: usize = 64 * 1024;
    let bytes = &text.as_bytes()[..text.len().min(N_BYTES)];
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let mut commas = bytes.iter().enumerate().filter(|(_, byte)| **byte == b',');
    commas.all(|(at, _)| digit(at.checked_sub(1)) && digit(Some(at + 1)))
}

fn style(
    records: &[Vec<String>],
    delimiter: u8,
    options: &ImportOptions,
    notes: &mut Vec<Note>,
) -> Result<NumberStyle, ImportError> {
    let mut decimal = options.decimal_mark;
    if decimal.is_none()
        && delimiter != b','
        && options.thousands != Some(',')
        && let Some(example) = decimal_comma(records)
    {
        let text = format!(
            "numbers such as `{example}` are read with a decimal comma; `--decimal-mark .` takes them for text"
        );
        notes.push(Note::new(NoteCode::DecimalComma, text));
        decimal = Some(',');
    }
    let style = NumberStyle {
        decimal: decimal.unwrap_or('.'),
        thousands: options.thousands,
    };
    match style.fault() {
        Some(what) => Err(ImportError::Option { what }),
        None => Ok(style),
    }
}

/// A number that can only have a decimal comma, when no number can only have a decimal point.
fn decimal_comma(records: &[Vec<String>]) -> Option<&str> {
    let mut example = None;
    for field in records.iter().flatten() {
        let field = trim(field);
        match other_style(field) {
            Some(OtherStyle::Comma | OtherStyle::Grouped('.')) if field.contains(',') => {
                example = example.or(Some(field));
            }
            Some(_) => {}
            None => {
                // `1.234` may be either, `39.1` is a decimal point.
                let grouped = NumberStyle {
                    decimal: ',',
                    thousands: Some('.'),
                };
                let number = field.contains('.') && literal::classify(field) != Literal::Other;
                if number && grouped.plain(field).is_none() {
                    return None;
                }
            }
        }
    }
    example
}

/// What a field of the first record is.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Integer(f64),
    Decimal(f64),
    Date,
    Text,
    Empty,
}

fn shape(field: &str, style: NumberStyle) -> Shape {
    let field = trim(field);
    if field.is_empty() {
        return Shape::Empty;
    }
    if literal::is_temporal(field) {
        return Shape::Date;
    }
    let Some(plain) = style.plain(field) else {
        return Shape::Text;
    };
    let value = literal::to_double(&plain).unwrap_or(f64::MAX);
    match literal::classify(&plain) {
        Literal::Integer { .. } | Literal::UnsafeInteger => Shape::Integer(value),
        Literal::Decimal { .. } => Shape::Decimal(value),
        Literal::Other => Shape::Text,
    }
}

fn has_header(
    records: &[Vec<String>],
    style: NumberStyle,
    notes: &mut Vec<Note>,
) -> Result<bool, ImportError> {
    let Some((first, others)) = records.split_first() else {
        return Ok(true);
    };
    let shown = || {
        first
            .iter()
            .take(N_SHOWN)
            .map(|field| crate::error::excerpt(trim(field)))
            .collect()
    };
    if let Some(second) = others.first()
        && others.len() > 1
        && second.len() != first.len()
        && others.iter().all(|other| other.len() == second.len())
    {
        return Err(ImportError::FirstLineApart {
            first: shown(),
            n_first: first.len(),
            n_others: second.len(),
            n_agreeing: others.len(),
        });
    }
    let shapes: Vec<Shape> = first.iter().map(|field| shape(field, style)).collect();
    let measured = |shape: &Shape| matches!(shape, Shape::Integer(_) | Shape::Decimal(_) | Shape::Date);
    let names_beside = shapes.contains(&Shape::Text);
    let n_measured = shapes.iter().filter(|shape| measured(shape)).count();
    if n_measured == 0 {
        return Ok(true);
    }
    if names_beside && could_be_names(first, &shapes) {
        let example = shapes.iter().position(measured).map_or("", |at| trim(&first[at]));
        let text = format!(
            "{n_measured} of the names are numbers or dates, as `{}`; `--header no` says that the line is a row",
            crate::error::excerpt(example)
        );
        notes.push(Note::new(NoteCode::NumericNames, text));
        return Ok(true);
    }
    let telling = shapes
        .iter()
        .any(|shape| matches!(shape, Shape::Decimal(_) | Shape::Date));
    let fits = |other: &Vec<String>| {
        other.iter().zip(&shapes).all(|(field, above)| {
            let below = shape(field, style);
            let missing = crate::survey::STRONG_TOKENS.contains(&trim(field));
            !measured(above) || measured(&below) || below == Shape::Empty || missing
        })
    };
    if telling && others.iter().all(fits) {
        let text = format!(
            "the first line is taken for a row, not for names, because it holds `{}`; columns are named column_1 to \
             column_{}; `--header yes` says that it holds names",
            shapes
                .iter()
                .position(|shape| matches!(shape, Shape::Decimal(_) | Shape::Date))
                .map_or("", |at| trim(&first[at])),
            first.len()
        );
        notes.push(Note::new(NoteCode::NoHeader, text));
        return Ok(false);
    }
    Err(ImportError::HeaderLooksLikeData { header: shown() })
}

/// Whether the numbers and dates of a first record go on as names do: years, or a sequence of at least three.
fn could_be_names(first: &[String], shapes: &[Shape]) -> bool {
    const FEWEST: usize = 3;
    let numbers: Vec<Shape> = shapes
        .iter()
        .copied()
        .filter(|shape| !matches!(shape, Shape::Text | Shape::Empty))
        .collect();
    let values: Vec<f64> = numbers
        .iter()
        .filter_map(|shape| match shape {
            Shape::Integer(value) | Shape::Decimal(value) => Some(*value),
            Shape::Date | Shape::Text | Shape::Empty => None,
        })
        .collect();
    let year = |shape: &Shape| matches!(shape, Shape::Integer(value) if (1000.0..3000.0).contains(value));
    let mut years = values.clone();
    years.sort_by(f64::total_cmp);
    years.dedup();
    if numbers.iter().all(year) && years.len() == numbers.len() {
        return true;
    }
    let dates: Vec<&str> = first
        .iter()
        .zip(shapes)
        .filter_map(|(field, shape)| (*shape == Shape::Date).then_some(trim(field)))
        .collect();
    let increasing =
        values.windows(2).all(|pair| pair[0] < pair[1]) && dates.windows(2).all(|pair| pair[0] < pair[1]);
    let one_kind = values.is_empty() || dates.is_empty();
    increasing && one_kind && numbers.len() >= FEWEST
}

/// A file of one column whose lines all fall apart at single spaces into equally many pieces.
fn note_spaces(records: &[Vec<String>], notes: &mut Vec<Note>) {
    let n_pieces = |record: &Vec<String>| match record.as_slice() {
        [only] => only.split(' ').filter(|piece| !piece.is_empty()).count(),
        _ => 0,
    };
    let n_first = records.first().map_or(0, n_pieces);
    if n_first > 1 && records.len() > 2 && records.iter().all(|record| n_pieces(record) == n_first) {
        let text = format!(
            "every line looked at has {n_first} pieces with spaces between; `--delimiter ' '` makes them columns"
        );
        notes.push(Note::new(NoteCode::OtherDelimiter, text));
    }
}
