//! The strict scan: JSON after RFC 8259, and every rule of closed decoding that needs no type.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{DecodeError, Limits, Rule};
use crate::number::MAX_SAFE_INTEGER;
use crate::plain::plain_len;
use crate::pointer::push_segment;

/// Nesting that `serde_json` follows without its own refusal.
const DEEPEST: usize = 127;

/// Objects with fewer members are searched, not indexed.
const FEW: usize = 16;

/// What is open, innermost last.
enum Frame<'a> {
    Array {
        n_items: usize,
    },
    Object {
        first_key: usize,
        ascending: bool,
        index: Option<BTreeSet<Cow<'a, str>>>,
    },
}

/// A text that passed the scan.
pub(super) struct Scan<'a> {
    text: &'a str,
    /// Where integers end that only a double can hold.
    wide: Vec<usize>,
}

impl<'a> Scan<'a> {
    pub(super) fn run(bytes: &'a [u8], limits: &Limits) -> Result<Self, DecodeError> {
        let refuse = |offset, rule| DecodeError {
            pointer: String::new(),
            offset,
            rule,
        };
        if bytes.len() > limits.max_bytes {
            return Err(refuse(limits.max_bytes, Rule::Bytes));
        }
        if [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"]
            .iter()
            .any(|mark| bytes.starts_with(mark))
        {
            return Err(refuse(0, Rule::Bom));
        }
        let (text, cut) = match core::str::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(fault) => {
                let valid = core::str::from_utf8(&bytes[..fault.valid_up_to()]);
                (valid.expect("UTF-8 up to the first fault"), true)
            }
        };
        let mut scanner = Scanner {
            text,
            bytes: text.as_bytes(),
            at: 0,
            limits,
            cut,
            frames: Vec::new(),
            keys: Vec::new(),
            wide: Vec::new(),
        };
        scanner.document()?;
        Ok(Self {
            text,
            wide: scanner.wide,
        })
    }

    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    pub(super) fn wide(&self) -> &[usize] {
        &self.wide
    }
}

struct Scanner<'a, 'l> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    limits: &'l Limits,
    /// The text stops where the input stops being UTF-8.
    cut: bool,
    frames: Vec<Frame<'a>>,
    /// The keys of all open objects, unescaped.
    keys: Vec<Cow<'a, str>>,
    wide: Vec<usize>,
}

/// Which value a fault is reported at.
#[derive(Clone, Copy)]
enum At {
    /// The item or member whose turn it is.
    Value,
    /// The array or object around it.
    Container,
}

impl<'a> Scanner<'a, '_> {
    fn document(&mut self) -> Result<(), DecodeError> {
        loop {
            self.space();
            let opened = self.value()?;
            if opened {
                continue;
            }
            if self.value_ended()? {
                return Ok(());
            }
        }
    }

    /// Reads a scalar or opens a container; true when a value inside it must follow.
    fn value(&mut self) -> Result<bool, DecodeError> {
        let Some(&byte) = self.bytes.get(self.at) else {
            return Err(self.ended(At::Value));
        };
        match byte {
            b'"' => {
                self.string(At::Value)?;
            }
            b'{' => {
                self.deeper()?;
                let first_key = self.keys.len();
                self.frames.push(Frame::Object {
                    first_key,
                    ascending: true,
                    index: None,
                });
                self.at += 1;
                self.space();
                if self.bytes.get(self.at) == Some(&b'}') {
                    self.close();
                } else {
                    self.key()?;
                    return Ok(true);
                }
            }
            b'[' => {
                self.deeper()?;
                self.frames.push(Frame::Array { n_items: 0 });
                self.at += 1;
                self.space();
                if self.bytes.get(self.at) == Some(&b']') {
                    self.close();
                } else {
                    self.item()?;
                    return Ok(true);
                }
            }
            b'-' | b'0'..=b'9' => self.number()?,
            b't' => self.literal("true")?,
            b'f' => self.literal("false")?,
            b'n' => self.literal("null")?,
            b'N' | b'I' if self.named_non_finite(self.at) => {
                return Err(self.refuse(At::Value, self.at, Rule::NonFinite));
            }
            _ => return Err(self.refuse(At::Value, self.at, Rule::Syntax("expected a value"))),
        }
        Ok(false)
    }

    /// Goes on after a value: closes what ends here and opens the next item or member. True at the end of the text.
    fn value_ended(&mut self) -> Result<bool, DecodeError> {
        loop {
            self.space();
            let next = self.bytes.get(self.at).copied();
            let (bracket, expected) = match self.frames.last() {
                None if next.is_none() && !self.cut => return Ok(true),
                None if next.is_none() => return Err(self.ended(At::Container)),
                None => return Err(self.refuse(At::Container, self.at, Rule::TrailingBytes)),
                Some(Frame::Array { .. }) => (b']', "expected `,` or `]`"),
                Some(Frame::Object { .. }) => (b'}', "expected `,` or `}`"),
            };
            match next {
                None => return Err(self.ended(At::Container)),
                Some(byte) if byte == bracket => self.close(),
                Some(b',') => {
                    self.at += 1;
                    self.space();
                    if bracket == b']' {
                        self.item()?;
                    } else {
                        self.key()?;
                    }
                    return Ok(false);
                }
                Some(_) => return Err(self.refuse(At::Container, self.at, Rule::Syntax(expected))),
            }
        }
    }

    fn deeper(&mut self) -> Result<(), DecodeError> {
        if self.frames.len() >= self.limits.max_depth.min(DEEPEST) {
            return Err(self.refuse(At::Value, self.at, Rule::Depth));
        }
        Ok(())
    }

    fn close(&mut self) {
        self.at += 1;
        if let Some(Frame::Object { first_key, .. }) = self.frames.pop() {
            self.keys.truncate(first_key);
        }
    }

    fn item(&mut self) -> Result<(), DecodeError> {
        if let Some(Frame::Array { n_items }) = self.frames.last_mut() {
            *n_items += 1;
            if *n_items > self.limits.max_items {
                return Err(self.refuse(At::Value, self.at, Rule::Items));
            }
        }
        Ok(())
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<(), DecodeError> {
        let begins = self.at;
        match self.bytes.get(begins) {
            Some(b'"') => {}
            None => return Err(self.ended(At::Container)),
            Some(_) => {
                return Err(self.refuse(At::Container, begins, Rule::Syntax("expected a member's name")));
            }
        }
        let escaped = self.string(At::Container)?;
        let raw = &self.text[begins + 1..self.at - 1];
        let key = if escaped {
            Cow::Owned(unescape(raw))
        } else {
            Cow::Borrowed(raw)
        };
        if self.repeats(key) {
            return Err(self.refuse(At::Value, begins, Rule::DuplicateMember));
        }
        if let Some(Frame::Object { first_key, .. }) = self.frames.last()
            && self.keys.len() - first_key > self.limits.max_members
        {
            return Err(self.refuse(At::Value, begins, Rule::Members));
        }
        self.space();
        match self.bytes.get(self.at) {
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            None => Err(self.ended(At::Value)),
            Some(_) => Err(self.refuse(At::Value, self.at, Rule::Syntax("expected `:`"))),
        }
    }

    /// Adds a key to the innermost object; true when the object has it already. Keys that ascend, as in canonical
    /// text, are compared with their neighbor alone; few keys are searched; many are indexed.
    fn repeats(&mut self, key: Cow<'a, str>) -> bool {
        let mut repeats = false;
        if let Some(Frame::Object {
            first_key,
            ascending,
            index,
        }) = self.frames.last_mut()
        {
            let keys = &self.keys[*first_key..];
            *ascending &= keys.last().is_none_or(|last| *last < key);
            repeats = if *ascending {
                false
            } else if keys.len() < FEW {
                keys.contains(&key)
            } else {
                !index
                    .get_or_insert_with(|| keys.iter().cloned().collect())
                    .insert(key.clone())
            };
        }
        self.keys.push(key);
        repeats
    }

    /// Reads a string from its opening quote to behind its closing one; true when it has escapes.
    fn string(&mut self, at: At) -> Result<bool, DecodeError> {
        let begins = self.at;
        let mut n_saved = 0;
        self.at += 1;
        loop {
            self.at += plain_len(&self.bytes[self.at..]);
            match self.bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => n_saved += self.escape(at)?,
                Some(_) => {
                    return Err(self.refuse(at, self.at, Rule::Syntax("a control character in a string")));
                }
                None => return Err(self.ended(at)),
            }
        }
        if self.at - begins - 1 - n_saved > self.limits.max_string {
            return Err(self.refuse(at, begins, Rule::StringLength));
        }
        self.at += 1;
        Ok(n_saved > 0)
    }

    /// Reads an escape; answers how many bytes shorter the character is than its escape.
    fn escape(&mut self, at: At) -> Result<usize, DecodeError> {
        let begins = self.at;
        let Some(&letter) = self.bytes.get(begins + 1) else {
            self.at = self.bytes.len();
            return Err(self.ended(at));
        };
        self.at += 2;
        match letter {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(1),
            b'u' => {
                let unit = self.hex4(at)?;
                match unit {
                    0xD800..=0xDBFF => {
                        if self.bytes.len() - self.at < 2 && b"\\u".starts_with(&self.bytes[self.at..]) {
                            return Err(self.ended(at));
                        }
                        if !self.bytes[self.at..].starts_with(b"\\u") {
                            return Err(self.refuse(at, begins, Rule::LoneSurrogate));
                        }
                        self.at += 2;
                        match self.hex4(at)? {
                            0xDC00..=0xDFFF => Ok(12 - 4),
                            _ => Err(self.refuse(at, begins, Rule::LoneSurrogate)),
                        }
                    }
                    0xDC00..=0xDFFF => Err(self.refuse(at, begins, Rule::LoneSurrogate)),
                    0..0x80 => Ok(6 - 1),
                    0x80..0x800 => Ok(6 - 2),
                    _ => Ok(6 - 3),
                }
            }
            _ => Err(self.refuse(at, begins, Rule::Syntax("an unknown escape"))),
        }
    }

    fn hex4(&mut self, at: At) -> Result<u16, DecodeError> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(&byte) = self.bytes.get(self.at) else {
                return Err(self.ended(at));
            };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(self.refuse(at, self.at, Rule::Syntax("expected four hexadecimal digits")));
            };
            unit = unit << 4 | digit as u16;
            self.at += 1;
        }
        Ok(unit)
    }

    fn number(&mut self) -> Result<(), DecodeError> {
        let begins = self.at;
        if self.bytes[begins] == b'-' {
            self.at += 1;
            if self.named_non_finite(self.at) {
                return Err(self.refuse(At::Value, begins, Rule::NonFinite));
            }
        }
        let integer_begins = self.at;
        let n_integer = self.digits()?;
        if n_integer > 1 && self.bytes[integer_begins] == b'0' {
            return Err(self.refuse(
                At::Value,
                integer_begins,
                Rule::Syntax("a number with a leading zero"),
            ));
        }
        let mut is_integer = true;
        let mut n_exponent = 0;
        if self.bytes.get(self.at) == Some(&b'.') {
            is_integer = false;
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            is_integer = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            n_exponent = self.digits()?;
        }
        let token = &self.text[begins..self.at];
        let digits = &token[usize::from(token.starts_with('-'))..];
        // Below these lengths nothing can overflow.
        if n_exponent >= 3 || n_integer > 200 {
            let value: f64 = token.parse().expect("a JSON number is a number");
            if !value.is_finite() {
                return Err(self.refuse(At::Value, begins, Rule::NonFinite));
            }
        }
        if is_integer && n_integer > 15 && !digits.parse::<i64>().is_ok_and(|n| n <= MAX_SAFE_INTEGER) {
            let value: f64 = token.parse().expect("a JSON number is a number");
            if ryu_js::Buffer::new().format_finite(value) != token {
                return Err(self.refuse(At::Value, begins, Rule::UnsafeInteger));
            }
            self.wide.push(self.at);
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<usize, DecodeError> {
        let rest = &self.bytes[self.at..];
        let n = rest
            .iter()
            .position(|byte| !byte.is_ascii_digit())
            .unwrap_or(rest.len());
        self.at += n;
        match n {
            0 if n == rest.len() => Err(self.ended(At::Value)),
            0 => Err(self.refuse(At::Value, self.at, Rule::Syntax("expected a digit"))),
            n => Ok(n),
        }
    }

    fn named_non_finite(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        rest.starts_with(b"NaN") || rest.starts_with(b"Infinity")
    }

    fn literal(&mut self, literal: &'static str) -> Result<(), DecodeError> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(literal.as_bytes()) {
            self.at += literal.len();
            Ok(())
        } else if literal.as_bytes().starts_with(rest) {
            self.at = self.bytes.len();
            Err(self.ended(At::Value))
        } else {
            Err(self.refuse(At::Value, self.at, Rule::Syntax("expected a value")))
        }
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    /// The text ended too early, or it stopped being UTF-8 here.
    fn ended(&self, at: At) -> DecodeError {
        let rule = if self.cut {
            Rule::Utf8
        } else {
            Rule::Syntax("the text ends too early")
        };
        self.refuse(at, self.bytes.len(), rule)
    }

    fn refuse(&self, at: At, offset: usize, rule: Rule) -> DecodeError {
        let mut segments = Vec::new();
        let mut end = self.keys.len();
        for frame in self.frames.iter().rev() {
            match frame {
                Frame::Array { n_items } => {
                    segments.push(n_items.checked_sub(1).map(|idx| Cow::Owned(idx.to_string())));
                }
                Frame::Object { first_key, .. } => {
                    segments.push(self.keys[*first_key..end].last().map(|key| Cow::Borrowed(&**key)));
                    end = *first_key;
                }
            }
        }
        let innermost = match at {
            At::Value => 0,
            At::Container => 1,
        };
        let mut pointer = String::new();
        for segment in segments.iter().skip(innermost).rev().flatten() {
            push_segment(&mut pointer, segment);
        }
        DecodeError {
            pointer,
            offset,
            rule,
        }
    }
}

/// The text of a string that passed the scan.
pub(super) fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((plain, escape)) = rest.split_once('\\') {
        text.push_str(plain);
        let (letter, after) = escape.split_at(1);
        rest = after;
        match letter {
            "b" => text.push('\u{8}'),
            "f" => text.push('\u{c}'),
            "n" => text.push('\n'),
            "r" => text.push('\r'),
            "t" => text.push('\t'),
            "u" => {
                let unit = |hex: &str| u16::from_str_radix(hex, 16).expect("four digits, as scanned");
                let first = unit(&rest[..4]);
                rest = &rest[4..];
                let second = matches!(first, 0xD800..=0xDBFF).then(|| unit(&rest[2..6]));
                if second.is_some() {
                    rest = &rest[6..];
                }
                let units = core::iter::once(first).chain(second);
                text.extend(char::decode_utf16(units).map(|c| c.expect("whole pairs, as scanned")));
            }
            same => text.push_str(same),
        }
    }
    text.push_str(rest);
    text
}
