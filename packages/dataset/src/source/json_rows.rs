//! JSON rows: one array of flat objects, read strictly (RFC 8259) and without losing absent, null or how a number is
//! written.
//!
//! Refused with pointer and offset: nested values, a member twice in a row, lone surrogates, control characters in
//! strings, bytes after the array. There is no recursion, so depth needs no bound.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::text::SourceText;
use super::{RawCell, RowPlace, RowSink, Source, Structure, check_counts, check_names, escape_pointer};
use crate::error::{ImportError, Place};
use crate::limits::{Bound, Limits};
use crate::options::Format;
use crate::report::Note;

/// JSON rows whose member names are known.
pub(crate) struct JsonRows<'a> {
    source: SourceText<'a>,
    names: Vec<String>,
}

impl<'a> JsonRows<'a> {
    pub(crate) fn open(source: SourceText<'a>, limits: &Limits) -> Result<Self, ImportError> {
        let names = names(source, limits)?;
        Ok(Self { source, names })
    }
}

impl Source for JsonRows<'_> {
    fn structure(&self) -> Structure {
        Structure {
            format: Format::JsonRows,
            encoding: self.source.encoding,
            csv: None,
        }
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows(
        &self,
        limits: &Limits,
        sink: &mut dyn RowSink,
        _notes: &mut Vec<Note>,
    ) -> Result<usize, ImportError> {
        rows(self.source, &self.names, limits, sink)
    }
}

/// The names of all members in order of first appearance. Reads the whole text, so what it accepts, [`rows`] accepts.
fn names(source: SourceText<'_>, limits: &Limits) -> Result<Vec<String>, ImportError> {
    let mut names = Names::default();
    let mut firsts: Vec<(usize, usize)> = Vec::new();
    let mut n_rows = 0;
    walk(source, limits, &mut |event| {
        match event {
            Event::Row { row, .. } => n_rows = row,
            Event::Member { row, key, offset, .. } => {
                let (name_idx, _) = names
                    .take(row, &key, offset, true)?
                    .expect("names are learned here");
                if name_idx == firsts.len() {
                    firsts.push((row, offset));
                    if firsts.len() > limits.max_columns {
                        return Err(ImportError::Limit {
                            bound: Bound::Columns,
                            limit: limits.max_columns,
                            place: Some(place_of(row, &key, offset)),
                        });
                    }
                }
            }
            Event::RowEnd => {}
        }
        Ok(())
    })?;
    if n_rows == 0 {
        return Err(ImportError::NoRows);
    }
    if names.names.is_empty() {
        return Err(ImportError::NoColumns);
    }
    check_names(&names.names, limits, &|name_idx| {
        let (row, offset) = firsts[name_idx.min(firsts.len() - 1)];
        place_of(row, &names.names[name_idx.min(firsts.len() - 1)], offset)
    })?;
    Ok(names.names)
}

/// Hands the rows to `sink`, one cell for each of `columns`. Answers the number of rows.
fn rows(
    source: SourceText<'_>,
    columns: &[String],
    limits: &Limits,
    sink: &mut dyn RowSink,
) -> Result<usize, ImportError> {
    let mut names = Names::default();
    for column in columns {
        names.learn(column);
    }
    let mut cells: Vec<RawCell<'_>> = vec![RawCell::Absent; columns.len()];
    let mut current = None;
    let mut n_rows = 0;
    walk(source, limits, &mut |event| {
        match event {
            Event::Row { row, offset } => {
                n_rows = row;
                check_counts(
                    row,
                    columns.len(),
                    limits,
                    Place::Pointer {
                        pointer: format!("/{}", row - 1),
                        offset,
                    },
                )?;
                cells.fill(RawCell::Absent);
                current = Some(RowPlace { row, line: 0, offset });
            }
            Event::Member {
                row,
                key,
                offset,
                cell,
            } => {
                let Some((name_idx, _)) = names.take(row, &key, offset, false)? else {
                    return Err(ImportError::RecipeMismatch {
                        what: format!(
                            "{} is a member the recipe does not know",
                            place_of(row, &key, offset)
                        ),
                    });
                };
                cells[name_idx] = cell;
            }
            Event::RowEnd => {
                let place = current.take().expect("a row begins before it ends");
                sink.row(place, &cells)?;
            }
        }
        Ok(())
    })?;
    if n_rows == 0 {
        return Err(ImportError::NoRows);
    }
    Ok(n_rows)
}

/// Names seen so far, and in which row each was seen last.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    by_name: BTreeMap<String, usize>,
    last_row: Vec<usize>,
    /// Where the next member of a row that repeats the order of the one before is found.
    expected: usize,
}

impl Names {
    fn learn(&mut self, name: &str) -> usize {
        let name_idx = self.names.len();
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), name_idx);
        self.last_row.push(0);
        name_idx
    }

    /// The index of `key` and whether it is new; `None` when it is unknown and not to be learned.
    fn take(
        &mut self,
        row: usize,
        key: &str,
        offset: usize,
        learn: bool,
    ) -> Result<Option<(usize, bool)>, ImportError> {
        let guessed = self.names.get(self.expected).is_some_and(|name| name == key);
        let known = if guessed {
            Some(self.expected)
        } else {
            self.by_name.get(key).copied()
        };
        let (name_idx, is_new) = match known {
            Some(name_idx) => (name_idx, false),
            None if learn => (self.learn(key), true),
            None => return Ok(None),
        };
        if self.last_row[name_idx] == row {
            return Err(ImportError::DuplicateMember {
                place: place_of(row, key, offset),
            });
        }
        self.last_row[name_idx] = row;
        self.expected = if name_idx + 1 < self.names.len() {
            name_idx + 1
        } else {
            0
        };
        Ok(Some((name_idx, is_new)))
    }
}

fn place_of(row: usize, key: &str, offset: usize) -> Place {
    Place::Pointer {
        pointer: format!("/{}/{}", row - 1, escape_pointer(key)),
        offset,
    }
}

enum Event<'a> {
    Row {
        row: usize,
        offset: usize,
    },
    Member {
        row: usize,
        key: Cow<'a, str>,
        offset: usize,
        cell: RawCell<'a>,
    },
    RowEnd,
}

type OnEvent<'f, 'a> = &'f mut dyn FnMut(Event<'a>) -> Result<(), ImportError>;

fn walk<'a>(source: SourceText<'a>, limits: &Limits, on_event: OnEvent<'_, 'a>) -> Result<(), ImportError> {
    let mut scanner = Scanner {
        text: source.text,
        at: 0,
        n_before: source.n_before(),
        max_string: limits.max_cell_bytes,
        row: 0,
        key: None,
    };
    scanner.skip_space();
    if scanner.peek() == Some(b'{') {
        return Err(
            scanner.expected("one array of row objects at the top (node and link graphs are not read yet)")
        );
    }
    scanner.take(b'[', "an array of row objects")?;
    scanner.skip_space();
    if !scanner.took(b']') {
        loop {
            scanner.row_object(on_event)?;
            scanner.skip_space();
            if scanner.took(b']') {
                break;
            }
            scanner.take(b',', "`,` and the next row, or `]` after the last")?;
            scanner.skip_space();
        }
    }
    scanner.skip_space();
    if scanner.peek().is_some() {
        scanner.row = 0;
        return Err(scanner.expected("the end of the file after the array"));
    }
    Ok(())
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    n_before: usize,
    max_string: usize,
    /// The row and member at hand, for messages.
    row: usize,
    key: Option<String>,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn took(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn take(&mut self, byte: u8, expected: &'static str) -> Result<(), ImportError> {
        if self.took(byte) {
            Ok(())
        } else {
            Err(self.expected(expected))
        }
    }

    fn offset(&self) -> usize {
        self.n_before + self.at
    }

    fn place(&self) -> Place {
        let mut pointer = String::new();
        if self.row > 0 {
            pointer = format!("/{}", self.row - 1);
        }
        if let Some(key) = &self.key {
            pointer.push('/');
            pointer.push_str(&escape_pointer(key));
        }
        Place::Pointer {
            pointer,
            offset: self.offset(),
        }
    }

    fn expected(&self, expected: &'static str) -> ImportError {
        ImportError::JsonSyntax {
            place: self.place(),
            expected,
        }
    }

    fn row_object(&mut self, on_event: OnEvent<'_, 'a>) -> Result<(), ImportError> {
        self.row += 1;
        let row = self.row;
        let offset = self.offset();
        self.take(b'{', "a row object")?;
        on_event(Event::Row { row, offset })?;
        self.skip_space();
        if self.took(b'}') {
            return on_event(Event::RowEnd);
        }
        loop {
            let offset = self.offset();
            if self.peek() != Some(b'"') {
                return Err(self.expected("a member name in double quotes"));
            }
            let key = self.string()?;
            self.skip_space();
            self.take(b':', "`:` after the member name")?;
            self.skip_space();
            let cell = match self.cell() {
                Ok(cell) => cell,
                Err(at) => {
                    self.key = Some(key.into_owned());
                    return Err(at.into_error(self));
                }
            };
            on_event(Event::Member {
                row,
                key,
                offset,
                cell,
            })?;
            self.skip_space();
            if self.took(b'}') {
                return on_event(Event::RowEnd);
            }
            self.take(b',', "`,` and the next member, or `}` after the last")?;
            self.skip_space();
        }
    }

    fn cell(&mut self) -> Result<RawCell<'a>, CellFault> {
        match self.peek() {
            Some(b'"') => Ok(RawCell::String(
                self.string()
                    .map_err(|error| CellFault::Inside(Box::new(error)))?,
            )),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'n') => self.word("null", RawCell::Null),
            Some(b't') => self.word("true", RawCell::Bool(true)),
            Some(b'f') => self.word("false", RawCell::Bool(false)),
            Some(b'[') => Err(CellFault::Nested("an array")),
            Some(b'{') => Err(CellFault::Nested("an object")),
            _ => Err(CellFault::Expected("a string, a number, true, false or null")),
        }
    }

    fn word(&mut self, word: &'static str, cell: RawCell<'a>) -> Result<RawCell<'a>, CellFault> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(cell)
        } else {
            Err(CellFault::Expected("a string, a number, true, false or null"))
        }
    }

    /// RFC 8259, section 6.
    fn number(&mut self) -> Result<RawCell<'a>, CellFault> {
        let from = self.at;
        self.took(b'-');
        if !self.took(b'0') && self.digits() == 0 {
            return Err(CellFault::Expected("a digit after the minus sign"));
        }
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(CellFault::Expected("a number without leading zeros"));
        }
        if self.took(b'.') && self.digits() == 0 {
            return Err(CellFault::Expected("a digit after the decimal point"));
        }
        if self.took(b'e') || self.took(b'E') {
            let _signed = self.took(b'+') || self.took(b'-');
            if self.digits() == 0 {
                return Err(CellFault::Expected("a digit in the exponent"));
            }
        }
        Ok(RawCell::Number(&self.text[from..self.at]))
    }

    fn digits(&mut self) -> usize {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - from
    }

    fn string(&mut self) -> Result<Cow<'a, str>, ImportError> {
        self.at += 1;
        let from = self.at;
        let mut owned: Option<String> = None;
        let mut plain_from = from;
        loop {
            match self.peek() {
                None => return Err(self.expected("the closing quote of a string")),
                Some(b'"') => break,
                Some(b'\\') => {
                    let text = owned.get_or_insert_default();
                    text.push_str(&self.text[plain_from..self.at]);
                    self.at += 1;
                    let escaped = self.escape()?;
                    owned.get_or_insert_default().push(escaped);
                    plain_from = self.at;
                }
                Some(0..=0x1f) => return Err(self.expected("control characters in strings to be escaped")),
                Some(_) => self.at += 1,
            }
        }
        let text = match owned {
            Some(mut text) => {
                text.push_str(&self.text[plain_from..self.at]);
                Cow::Owned(text)
            }
            None => Cow::Borrowed(&self.text[from..self.at]),
        };
        if text.len() > self.max_string {
            return Err(ImportError::Limit {
                bound: Bound::CellBytes,
                limit: self.max_string,
                place: Some(self.place()),
            });
        }
        self.at += 1;
        Ok(text)
    }

    fn escape(&mut self) -> Result<char, ImportError> {
        let byte = self.peek();
        let plain = match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.expected("one of \" \\ / b f n r t u after the backslash")),
        };
        self.at += 1;
        Ok(plain)
    }

    fn unicode(&mut self) -> Result<char, ImportError> {
        const LONE: &str = "a surrogate pair; half of one is no character";
        let first = self.hex4()?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        if first >= 0xdc00 || !self.text.as_bytes()[self.at..].starts_with(b"\\u") {
            return Err(self.expected(LONE));
        }
        self.at += 2;
        let second = self.hex4()?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(self.expected(LONE));
        }
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
            .ok_or_else(|| self.expected(LONE))
    }

    fn hex4(&mut self) -> Result<u32, ImportError> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.expected("four hexadecimal digits after \\u"));
            };
            value = value * 16 + digit;
            self.at += 1;
        }
        Ok(value)
    }
}

/// What is wrong with a value, before its pointer is known.
enum CellFault {
    Expected(&'static str),
    Nested(&'static str),
    Inside(Box<ImportError>),
}

impl CellFault {
    fn into_error(self, scanner: &Scanner<'_>) -> ImportError {
        match self {
            Self::Expected(expected) => scanner.expected(expected),
            Self::Nested(found) => ImportError::Nested {
                place: scanner.place(),
                found,
            },
            // Made before the member was known; the scanner has not moved since.
            Self::Inside(error) => match *error {
                ImportError::JsonSyntax { expected, .. } => scanner.expected(expected),
                ImportError::Limit { bound, limit, .. } => ImportError::Limit {
                    bound,
                    limit,
                    place: Some(scanner.place()),
                },
                other => other,
            },
        }
    }
}
