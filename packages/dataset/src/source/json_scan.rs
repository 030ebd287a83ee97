//! JSON text, read strictly (RFC 8259) and without losing absent, null or how a number is written.
//!
//! Refused with pointer and offset: nested values in rows, lone surrogates, control characters in strings. There is no
//! recursion; where nesting is allowed at all, [`MAX_DEPTH`] bounds it.

use std::borrow::Cow;

use super::text::SourceText;
use super::{RawCell, escape_pointer};
use crate::error::{ImportError, Place};
use crate::limits::{Bound, Limits};

/// How deep values may nest that are only passed over.
const MAX_DEPTH: usize = 64;

/// What is met in rows, in the order of the text.
pub(crate) enum Event<'a> {
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

/// Who is told.
pub(crate) type OnEvent<'f, 'a> = &'f mut dyn FnMut(Event<'a>) -> Result<(), ImportError>;

/// Reads JSON text from one place on.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    pub(crate) at: usize,
    n_before: usize,
    max_string: usize,
    /// The pointer of the array that holds the rows.
    within: &'static str,
    /// The row and member at hand, for messages.
    row: usize,
    key: Option<String>,
}

impl<'a> Scanner<'a> {
    /// A scanner of `source` that stands at `at`; `within` is the pointer of the array whose rows it will read.
    pub(crate) fn new(source: SourceText<'a>, at: usize, within: &'static str, limits: &Limits) -> Self {
        Self {
            text: source.text,
            at,
            n_before: source.n_before(),
            max_string: limits.max_cell_bytes,
            within,
            row: 0,
            key: None,
        }
    }

    /// An array of row objects, from `[` to behind `]`.
    pub(crate) fn rows(&mut self, on_event: OnEvent<'_, 'a>) -> Result<(), ImportError> {
        self.take(b'[', "an array of row objects")?;
        self.skip_space();
        if self.took(b']') {
            return Ok(());
        }
        loop {
            self.row_object(on_event)?;
            self.skip_space();
            if self.took(b']') {
                return Ok(());
            }
            self.take(b',', "`,` and the next row, or `]` after the last")?;
            self.skip_space();
        }
    }

    /// Row objects, each on lines of its own, up to the end of the file.
    pub(crate) fn lines(&mut self, on_event: OnEvent<'_, 'a>) -> Result<(), ImportError> {
        loop {
            let from = self.at;
            self.skip_space();
            if self.peek().is_none() {
                return Ok(());
            }
            if self.row > 0 && !self.text[from..self.at].contains(['\n', '\r']) {
                return Err(self.expected("a line break between two row objects"));
            }
            self.row_object(on_event)?;
        }
    }

    /// Nothing but white space up to the end.
    pub(crate) fn end(&mut self, expected: &'static str) -> Result<(), ImportError> {
        self.skip_space();
        if self.peek().is_none() {
            return Ok(());
        }
        (self.row, self.key) = (0, None);
        Err(self.expected(expected))
    }

    /// One value of any shape, nested up to [`MAX_DEPTH`], without looking inside more than its brackets demand.
    pub(crate) fn skip_value(&mut self) -> Result<(), ImportError> {
        let mut closers: Vec<u8> = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                Some(open @ (b'{' | b'[')) => {
                    self.at += 1;
                    if closers.len() == MAX_DEPTH {
                        return Err(self.expected("values nested no deeper than 64"));
                    }
                    closers.push(if open == b'{' { b'}' } else { b']' });
                    self.skip_space();
                    if self.peek() != closers.last().copied() {
                        self.skip_name(&closers)?;
                        continue;
                    }
                }
                _ => {
                    if let Err(fault) = self.cell() {
                        return Err(fault.into_error(self));
                    }
                }
            }
            // A value ends here: close what closes, or go on to the next one inside.
            loop {
                self.skip_space();
                let Some(closer) = closers.last().copied() else {
                    return Ok(());
                };
                if self.took(closer) {
                    closers.pop();
                    continue;
                }
                self.take(b',', "`,` or the end of the array or object")?;
                self.skip_space();
                self.skip_name(&closers)?;
                break;
            }
        }
    }

    /// The name and colon before a member, inside an object.
    fn skip_name(&mut self, closers: &[u8]) -> Result<(), ImportError> {
        if closers.last() == Some(&b'}') {
            self.name()?;
        }
        Ok(())
    }

    /// The members of an object whose brace is open, up to behind `}`; `on_member` takes each value, and is told where
    /// its name begins.
    pub(crate) fn members(
        &mut self,
        on_member: &mut dyn FnMut(&mut Self, &str, usize) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        if self.took(b'}') {
            return Ok(());
        }
        loop {
            let offset = self.offset();
            let name = self.name()?;
            on_member(self, &name, offset)?;
            self.skip_space();
            if self.took(b'}') {
                return Ok(());
            }
            self.take(b',', "`,` and the next member, or `}` after the last")?;
            self.skip_space();
        }
    }

    /// `true` or `false`, if that stands here.
    pub(crate) fn truth(&mut self) -> Option<bool> {
        match self.cell() {
            Ok(RawCell::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// A member's name and the colon behind it.
    pub(crate) fn name(&mut self) -> Result<Cow<'a, str>, ImportError> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a member name in double quotes"));
        }
        let name = self.string()?;
        self.skip_space();
        self.take(b':', "`:` after the member name")?;
        self.skip_space();
        Ok(name)
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    pub(crate) fn took(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn take(&mut self, byte: u8, expected: &'static str) -> Result<(), ImportError> {
        if self.took(byte) {
            Ok(())
        } else {
            Err(self.expected(expected))
        }
    }

    pub(crate) fn offset(&self) -> usize {
        self.n_before + self.at
    }

    fn place(&self) -> Place {
        let mut pointer = self.within.to_owned();
        if self.row > 0 {
            pointer.push_str(&format!("/{}", self.row - 1));
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

    pub(crate) fn expected(&self, expected: &'static str) -> ImportError {
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
            let key = self.name()?;
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
