//! CSV records: RFC 4180 splitting with the place of each record, and every departure from the format named instead of
//! repaired.
//!
//! The `csv` crate splits; what it would let pass in silence is checked here: an unclosed quoted field, text behind a
//! closing quote, blank lines (skipped by the format, counted for the report). Lines end at LF, CRLF or CR, in one file
//! also at several of them; which ones is counted too.

use csv::{ByteRecord, Reader, ReaderBuilder, Terminator, Trim};

use super::text::{SourceText, n_line_ends};
use crate::error::{ImportError, Place, QuotingFault};
use crate::style::NumberStyle;

/// How a CSV file is structured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) delimiter: u8,
    pub(crate) quote: u8,
    pub(crate) style: NumberStyle,
    /// Whether the first record holds names.
    pub(crate) has_header: bool,
    /// Lines before the table.
    pub(crate) n_skipped: u64,
}

/// How often lines end in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineEnds {
    pub(crate) n_lf: u64,
    pub(crate) n_crlf: u64,
    pub(crate) n_cr: u64,
}

impl LineEnds {
    /// In words, when they differ from line to line.
    pub(crate) fn mixed(self) -> Option<String> {
        let told = [(self.n_lf, "LF"), (self.n_crlf, "CRLF"), (self.n_cr, "CR")];
        let told: Vec<String> = told
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, word)| format!("{n} in {word}"))
            .collect();
        (told.len() > 1).then(|| told.join(", "))
    }
}

/// A reader of `text` that takes everything in and trims nothing.
pub(crate) fn reader(text: &str, delimiter: u8, quote: u8) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .quote(quote)
        .double_quote(true)
        .terminator(Terminator::CRLF)
        .trim(Trim::None)
        .from_reader(text.as_bytes())
}

/// Where the line behind `n` lines begins; `None` when there are not so many.
pub(crate) fn after_lines(text: &str, n: u64) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    for _ in 0..n {
        let n_inside = bytes[at..]
            .iter()
            .position(|byte| matches!(byte, b'\r' | b'\n'))?;
        at += n_inside + 1;
        if bytes[at - 1] == b'\r' && bytes.get(at) == Some(&b'\n') {
            at += 1;
        }
    }
    (at < bytes.len()).then_some(at)
}

/// One record after the other, with its place and its raw bytes.
pub(crate) struct Records<'a> {
    /// The text of the table, without the lines before it.
    text: &'a [u8],
    /// Bytes of the file before [`Self::text`].
    n_before: usize,
    dialect: Dialect,
    reader: Reader<&'a [u8]>,
    pub(crate) record: ByteRecord,
    pub(crate) n_blank_lines: u64,
    pub(crate) line_ends: LineEnds,
    /// Up to where lines are counted, and the line that begins there.
    counted: (usize, u64),
}

/// Where a record begins, in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub(crate) line: u64,
    pub(crate) offset: usize,
}

impl Start {
    pub(crate) fn place(self, row: usize) -> Place {
        Place::Line { line: self.line, row }
    }
}

impl<'a> Records<'a> {
    pub(crate) fn new(source: SourceText<'a>, dialect: Dialect) -> Self {
        let from = after_lines(source.text, dialect.n_skipped).unwrap_or(source.text.len());
        let text = &source.text[from..];
        Self {
            text: text.as_bytes(),
            n_before: source.n_before() + from,
            dialect,
            reader: reader(text, dialect.delimiter, dialect.quote),
            record: ByteRecord::new(),
            n_blank_lines: 0,
            line_ends: LineEnds::default(),
            counted: (0, 1 + dialect.n_skipped),
        }
    }

    /// Reads the next record; `row` is for messages only.
    pub(crate) fn next(&mut self, row: usize) -> Result<Option<Start>, ImportError> {
        let from = offset_of(self.reader.position().byte());
        // Reading from a slice that is UTF-8 already has no way to fail; a failure would be a truncated record.
        let more = self.reader.read_byte_record(&mut self.record).unwrap_or(false);
        if !more {
            return Ok(None);
        }
        let text = self.text;
        let to = offset_of(self.reader.position().byte());
        // The reader's position may stand inside the CRLF of the last line, and before blank lines it skips.
        let n_breaks = text[from..to]
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
        if n_breaks > 0 {
            let inside_crlf = usize::from(from > 0 && text[from - 1] == b'\r' && text[from] == b'\n');
            self.n_blank_lines += n_line_ends(&text[from + inside_crlf..from + n_breaks]);
        }
        let begin = from + n_breaks;
        let (counted, line) = self.counted;
        let line = line + n_line_ends(&text[counted..begin]);
        self.counted = (begin, line);
        match (text[begin..to].last(), text.get(to)) {
            (Some(b'\r'), Some(b'\n')) => self.line_ends.n_crlf += 1,
            (Some(b'\n'), _) if text[..to - 1].ends_with(b"\r") => self.line_ends.n_crlf += 1,
            (Some(b'\r'), _) => self.line_ends.n_cr += 1,
            (Some(b'\n'), _) => self.line_ends.n_lf += 1,
            _ => {}
        }
        let start = Start {
            line,
            offset: self.n_before + begin,
        };
        let raw = &text[begin..to];
        if raw.contains(&self.dialect.quote)
            && let Some((at, fault)) = quoting_fault(raw, self.dialect)
        {
            return Err(ImportError::Quoting {
                place: start.place(row),
                offset: start.offset + at,
                fault,
            });
        }
        Ok(Some(start))
    }
}

/// The text of a field.
pub(crate) fn text_of(field: &[u8]) -> &str {
    std::str::from_utf8(field).expect("fields of UTF-8 text end at ASCII characters")
}

fn offset_of(byte: u64) -> usize {
    usize::try_from(byte).expect("an offset inside a slice fits")
}

/// The first quote of a record that breaks RFC 4180. A quote inside an unquoted field is ordinary text.
fn quoting_fault(raw: &[u8], dialect: Dialect) -> Option<(usize, QuotingFault)> {
    let Dialect { delimiter, quote, .. } = dialect;
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
