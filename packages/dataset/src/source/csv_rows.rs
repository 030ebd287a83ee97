//! CSV: RFC 4180 records, with the delimiter detected and every departure from the format named instead of repaired.
//!
//! The `csv` crate splits records; what it would let pass in silence is checked here: an unclosed quoted field, text
//! behind a closing quote, ragged records, blank lines (skipped by the format, counted for the report).

use csv::{ByteRecord, Reader, ReaderBuilder, Terminator, Trim};

use super::text::SourceText;
use super::{RawCell, RowPlace, RowSink, Source, Structure, check_counts, check_names};
use crate::decide::plural;
use crate::error::{ImportError, Place, QuotingFault};
use crate::limits::{Bound, Limits};
use crate::literal::{self, Literal};
use crate::options::{Format, ImportOptions};
use crate::report::{Note, NoteCode};
use crate::wire::v1::CsvStructure;

/// Delimiters that are looked for, in the order of preference when two fit equally well.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How many records decide about the delimiter.
const N_SAMPLED: usize = 50;

/// The two characters that structure a CSV file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dialect {
    delimiter: u8,
    quote: u8,
}

/// A CSV file whose dialect and header are known.
pub(crate) struct CsvRows<'a> {
    source: SourceText<'a>,
    dialect: Dialect,
    names: Vec<String>,
}

impl<'a> CsvRows<'a> {
    /// Opens by what was stated; delimiter and header are looked at.
    pub(crate) fn open(
        source: SourceText<'a>,
        options: &ImportOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Self, ImportError> {
        let dialect = dialect(source, options)?;
        let header = header(source, dialect, options.header_is_names, &options.limits)?;
        if !header.trimmed.is_empty() {
            let n_spaced = plural(header.trimmed.len(), "column name");
            let text = format!("{n_spaced} had spaces around, which are left out");
            notes.push(Note::new(NoteCode::Spaces, text));
        }
        Ok(Self {
            source,
            dialect,
            names: header.names,
        })
    }

    /// Opens by the structure a recipe holds.
    pub(crate) fn reopen(
        source: SourceText<'a>,
        structure: Option<&CsvStructure>,
        limits: &Limits,
    ) -> Result<Self, ImportError> {
        // A sealed recipe of a CSV file has a structure, and one that holds; see `RecipeBody::check`.
        let structure = structure.ok_or_else(|| ImportError::Recipe {
            cause: "it has no CSV structure".to_owned(),
        })?;
        let (delimiter, quote) = structure.bytes().map_err(|error| ImportError::Recipe {
            cause: error.to_string(),
        })?;
        let dialect = Dialect { delimiter, quote };
        let names = header(source, dialect, true, limits)?.names;
        Ok(Self {
            source,
            dialect,
            names,
        })
    }
}

impl Source for CsvRows<'_> {
    fn structure(&self) -> Structure {
        Structure {
            format: Format::Csv,
            encoding: self.source.encoding,
            csv: Some(CsvStructure::new(self.dialect.delimiter, self.dialect.quote)),
        }
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows(
        &self,
        limits: &Limits,
        sink: &mut dyn RowSink,
        notes: &mut Vec<Note>,
    ) -> Result<usize, ImportError> {
        let facts = rows(self.source, self.dialect, self.names.len(), limits, sink)?;
        if facts.n_blank_lines > 0 {
            let n_blank = usize::try_from(facts.n_blank_lines).unwrap_or(usize::MAX);
            let text = format!(
                "{} skipped; they are not counted as rows",
                plural(n_blank, "blank line")
            );
            notes.push(Note::new(NoteCode::BlankLines, text));
        }
        Ok(facts.n_rows)
    }
}

/// The dialect that was stated, or the delimiter that fits best.
fn dialect(source: SourceText<'_>, options: &ImportOptions) -> Result<Dialect, ImportError> {
    let text_of = |c: Option<char>, otherwise: u8| c.unwrap_or(char::from(otherwise)).to_string();
    let stated = CsvStructure {
        delimiter: text_of(options.delimiter, DELIMITERS[0]),
        quote: text_of(options.quote, b'"'),
    };
    let (mut delimiter, quote) = stated.bytes().map_err(|error| ImportError::Option {
        what: error.to_string(),
    })?;
    if options.delimiter.is_none() {
        delimiter = detect_delimiter(source.text, quote);
    }
    Ok(Dialect { delimiter, quote })
}

/// What reading the rows showed besides them.
#[derive(Clone, Copy, Debug, Default)]
struct CsvFacts {
    n_rows: usize,
    n_blank_lines: u64,
}

fn reader(text: &str, dialect: Dialect) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(dialect.delimiter)
        .quote(dialect.quote)
        .double_quote(true)
        .terminator(Terminator::CRLF)
        .trim(Trim::None)
        .from_reader(text.as_bytes())
}

/// The delimiter under which the first records agree best: all equally long and longer than one field, else as many
/// as possible as long as the header. With none of the four in the header, the file has one column.
fn detect_delimiter(text: &str, quote: u8) -> u8 {
    let score = |delimiter: u8| {
        let mut reader = reader(text, Dialect { delimiter, quote });
        let mut record = ByteRecord::new();
        let mut lengths = Vec::with_capacity(N_SAMPLED);
        while lengths.len() < N_SAMPLED && matches!(reader.read_byte_record(&mut record), Ok(true)) {
            lengths.push(record.len());
        }
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
        if candidate > best_score {
            (best, best_score) = (delimiter, candidate);
        }
    }
    best
}

/// One record after the other, with its place and its raw bytes.
struct Records<'a> {
    source: SourceText<'a>,
    dialect: Dialect,
    reader: Reader<&'a [u8]>,
    record: ByteRecord,
    n_blank_lines: u64,
}

/// Where a record begins, in the file.
#[derive(Clone, Copy)]
struct Start {
    line: u64,
    offset: usize,
}

impl<'a> Records<'a> {
    fn new(source: SourceText<'a>, dialect: Dialect) -> Self {
        Self {
            source,
            dialect,
            reader: reader(source.text, dialect),
            record: ByteRecord::new(),
            n_blank_lines: 0,
        }
    }

    /// Reads the next record; `row` is for messages only.
    fn next(&mut self, row: usize) -> Result<Option<Start>, ImportError> {
        let before = self.reader.position().clone();
        let from = offset_of(before.byte());
        // Reading from a slice that is UTF-8 already has no way to fail; a failure would be a truncated record.
        let more = self.reader.read_byte_record(&mut self.record).unwrap_or(false);
        if !more {
            return Ok(None);
        }
        let text = self.source.text.as_bytes();
        let to = offset_of(self.reader.position().byte());
        // The reader's position may stand before the end of the last line, and before blank lines it skips.
        let n_breaks = text[from..to]
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
        let n_newlines = text[from..from + n_breaks]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count() as u64;
        let rest_of_last_line = u64::from(from > 0 && text[from - 1] == b'\r' && text[from] == b'\n');
        self.n_blank_lines += n_newlines - rest_of_last_line.min(n_newlines);
        let start = Start {
            line: before.line() + n_newlines,
            offset: self.source.n_before() + from + n_breaks,
        };
        let raw = &text[from + n_breaks..to];
        if raw.contains(&self.dialect.quote)
            && let Some((at, fault)) = quoting_fault(raw, self.dialect)
        {
            return Err(ImportError::Quoting {
                place: Place::Line {
                    line: start.line,
                    row,
                },
                offset: start.offset + at,
                fault,
            });
        }
        Ok(Some(start))
    }
}

fn offset_of(byte: u64) -> usize {
    usize::try_from(byte).expect("an offset inside a slice fits")
}

/// The first quote of a record that breaks RFC 4180. A quote inside an unquoted field is ordinary text.
fn quoting_fault(raw: &[u8], dialect: Dialect) -> Option<(usize, QuotingFault)> {
    let Dialect { delimiter, quote } = dialect;
    let mut at = 0;
    loop {
        if raw.get(at) == Some(&quote) {
            let opened_at = at;
            at += 1;
            loop {
                match (raw.get(at), raw.get(at + 1)) {
                    (None, _) => return Some((opened_at, QuotingFault::Unclosed)),
                    (Some(byte), Some(next)) if *byte == quote && *next == quote => at += 2,
                    (Some(byte), _) if *byte == quote => break,
                    (Some(_), _) => at += 1,
                }
            }
            match raw.get(at + 1) {
                None | Some(b'\r' | b'\n') => return None,
                Some(next) if *next == delimiter => at += 2,
                Some(_) => return Some((at, QuotingFault::TextAfterClosing)),
            }
        } else {
            let n_plain = raw[at..]
                .iter()
                .position(|byte| *byte == delimiter || matches!(byte, b'\r' | b'\n'))?;
            if raw[at + n_plain] != delimiter {
                return None;
            }
            at += n_plain + 1;
        }
    }
}

/// The names in the header, surrounding spaces removed.
#[derive(Debug)]
struct Header {
    names: Vec<String>,
    /// Positions, from 1, of names that had surrounding spaces.
    trimmed: Vec<usize>,
}

/// Reads and checks the header. `is_names`: somebody said so, even when it looks like data.
fn header(
    source: SourceText<'_>,
    dialect: Dialect,
    is_names: bool,
    limits: &Limits,
) -> Result<Header, ImportError> {
    let mut records = Records::new(source, dialect);
    let Some(start) = records.next(0)? else {
        return Err(ImportError::Blank);
    };
    let mut trimmed = Vec::new();
    let mut names = Vec::with_capacity(records.record.len());
    for (name_idx, field) in records.record.iter().enumerate() {
        let name = text_of(field);
        if name.trim() != name {
            trimmed.push(name_idx + 1);
        }
        names.push(name.trim().to_owned());
    }
    let place = Place::Line {
        line: start.line,
        row: 0,
    };
    check_names(&names, limits, &|_| place.clone())?;
    if !is_names && names.iter().all(|name| literal::classify(name) != Literal::Other) {
        return Err(ImportError::HeaderLooksLikeData {
            header: names.into_iter().take(8).collect(),
        });
    }
    Ok(Header { names, trimmed })
}

/// Hands the rows under the header to `sink`.
fn rows(
    source: SourceText<'_>,
    dialect: Dialect,
    n_columns: usize,
    limits: &Limits,
    sink: &mut dyn RowSink,
) -> Result<CsvFacts, ImportError> {
    let mut records = Records::new(source, dialect);
    records.next(0)?;
    let mut n_rows = 0;
    // A row's cells borrow from the record, which is overwritten by the next, so the vector is rebuilt each time.
    while let Some(start) = records.next(n_rows + 1)? {
        n_rows += 1;
        let place = RowPlace {
            row: n_rows,
            line: start.line,
            offset: start.offset,
        };
        let line = || Place::Line {
            line: start.line,
            row: n_rows,
        };
        if records.record.len() != n_columns {
            return Err(ImportError::Ragged {
                place: line(),
                found: records.record.len(),
                expected: n_columns,
            });
        }
        check_counts(n_rows, n_columns, limits, line())?;
        let mut cells = Vec::with_capacity(n_columns);
        for field in &records.record {
            if field.len() > limits.max_cell_bytes {
                return Err(ImportError::Limit {
                    bound: Bound::CellBytes,
                    limit: limits.max_cell_bytes,
                    place: Some(line()),
                });
            }
            cells.push(RawCell::Field(text_of(field)));
        }
        sink.row(place, &cells)?;
    }
    if n_rows == 0 {
        return Err(ImportError::HeaderOnly { n_columns });
    }
    Ok(CsvFacts {
        n_rows,
        n_blank_lines: records.n_blank_lines,
    })
}

fn text_of(field: &[u8]) -> &str {
    std::str::from_utf8(field).expect("fields of UTF-8 text end at ASCII characters")
}
