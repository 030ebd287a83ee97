//! Where a fault of shape stands: from the path that the typed decode was on, back to a byte of the text.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;

use super::closed::Closed;
use super::scan::{Scan, unescape};
use super::{DecodeError, Rule};
use crate::plain::plain_len;
use crate::pointer::push_segment;

pub(super) type Fault = serde_path_to_error::Error<serde_json::Error>;

/// Decodes once more, keeping the path.
pub(super) fn tracked<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    serde_path_to_error::deserialize(Closed(&mut serde_json::Deserializer::from_str(text)))
}

impl<'a> Scan<'a> {
    /// The text with `.0` behind each integer that only a double holds, so that the typed decode sees a double.
    pub(super) fn typed_text(&self) -> Cow<'a, str> {
        if self.wide().is_empty() {
            return Cow::Borrowed(self.text());
        }
        let mut typed = String::with_capacity(self.text().len() + 2 * self.wide().len());
        let mut copied = 0;
        for &end in self.wide() {
            typed.push_str(&self.text()[copied..end]);
            typed.push_str(".0");
            copied = end;
        }
        typed.push_str(&self.text()[copied..]);
        Cow::Owned(typed)
    }

    /// Turns a fault of the typed decode into an error of the scanned text.
    pub(super) fn shape_error(&self, typed: &str, fault: &Fault) -> DecodeError {
        let message = fault.inner().to_string();
        let message = message
            .rsplit_once(" at line ")
            .map_or(&*message, |(message, _)| message);
        let mut place = Place::root(self.text());
        for segment in fault.path().iter() {
            let inner = match segment {
                Segment::Seq { index } => place.item(*index),
                Segment::Map { key } => place.member(key),
                // A variant is a member only where it is tagged from outside.
                Segment::Enum { variant } => place.member(variant).or_else(|| Some(place.clone())),
                Segment::Unknown => None,
            };
            let Some(inner) = inner else { break };
            place = inner;
        }
        if let Some(name) = unknown_member(message) {
            // The path ends at the member, or at its object where the type buffers what it reads.
            let at_member =
                place.name.as_deref() == Some(name) && self.read_until(typed, fault) <= place.value;
            if !at_member && let Some(member) = place.member(name) {
                place = member;
            }
            return DecodeError {
                pointer: place.pointer,
                offset: place.begins,
                rule: Rule::UnknownMember,
            };
        }
        let is_wide = self.wide().binary_search(&skip(place.text, place.value)).is_ok();
        let rule = if is_wide && place.is_number() {
            Rule::UnsafeInteger
        } else {
            Rule::Shape(message.to_owned())
        };
        DecodeError {
            pointer: place.pointer,
            offset: place.value,
            rule,
        }
    }

    /// How far the typed decode had read, in bytes of the scanned text.
    fn read_until(&self, typed: &str, fault: &Fault) -> usize {
        let lines = typed
            .split_inclusive('\n')
            .take(fault.inner().line().saturating_sub(1));
        let read = lines.map(str::len).sum::<usize>() + fault.inner().column();
        let n_wide = self
            .wide()
            .iter()
            .enumerate()
            .take_while(|(idx, end)| *end + 2 * idx < read)
            .count();
        read - 2 * n_wide
    }
}

/// The member that a message of `deny_unknown_fields` names.
fn unknown_member(message: &str) -> Option<&str> {
    let rest = message.strip_prefix("unknown field `")?;
    // From the right: the schema's own names follow, and only the unknown one is hostile.
    let split = rest
        .rsplit_once("`, expected ")
        .or_else(|| rest.rsplit_once("`, there are no fields"));
    split.map(|(name, _)| name)
}

/// A value inside a text that passed the scan.
#[derive(Clone)]
struct Place<'a> {
    text: &'a str,
    pointer: String,
    /// Its member's name.
    name: Option<String>,
    /// Where its member's name begins, or the value itself.
    begins: usize,
    value: usize,
}

impl<'a> Place<'a> {
    fn root(text: &'a str) -> Self {
        let value = space(text, 0);
        Self {
            text,
            pointer: String::new(),
            name: None,
            begins: value,
            value,
        }
    }

    fn is_number(&self) -> bool {
        matches!(self.text.as_bytes()[self.value], b'-' | b'0'..=b'9')
    }

    fn item(&self, n: usize) -> Option<Self> {
        let mut at = self.opened(b'[')?;
        for _ in 0..n {
            at = next(self.text, at)?;
        }
        Some(self.inside(&n.to_string(), None, at, at))
    }

    fn member(&self, name: &str) -> Option<Self> {
        let mut at = self.opened(b'{')?;
        loop {
            let key_ends = skip(self.text, at);
            let raw = &self.text[at + 1..key_ends - 1];
            let value = space(self.text, space(self.text, key_ends) + 1);
            if raw == name || raw.contains('\\') && unescape(raw) == name {
                return Some(self.inside(name, Some(name), at, value));
            }
            at = next(self.text, value)?;
        }
    }

    fn inside(&self, segment: &str, name: Option<&str>, begins: usize, value: usize) -> Self {
        let mut pointer = self.pointer.clone();
        push_segment(&mut pointer, segment);
        Self {
            text: self.text,
            pointer,
            name: name.map(str::to_owned),
            begins,
            value,
        }
    }

    /// The first item or member, when the value is such a container and not empty.
    fn opened(&self, bracket: u8) -> Option<usize> {
        let bytes = self.text.as_bytes();
        if bytes[self.value] != bracket {
            return None;
        }
        let first = space(self.text, self.value + 1);
        (!matches!(bytes[first], b']' | b'}')).then_some(first)
    }
}

/// What follows the comma behind the value that begins here, unless its container ends.
fn next(text: &str, value: usize) -> Option<usize> {
    let behind = space(text, skip(text, value));
    (text.as_bytes()[behind] == b',').then(|| space(text, behind + 1))
}

fn space(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    at + rest.iter().position(|byte| !is_space(byte)).unwrap_or(rest.len())
}

/// The end of the value that begins here.
fn skip(text: &str, begins: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (begins, 0_usize);
    loop {
        match bytes[at] {
            b'"' => at = string_end(bytes, at),
            b'[' | b'{' => {
                depth += 1;
                at += 1;
            }
            b']' | b'}' => {
                depth -= 1;
                at += 1;
            }
            b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            _ => {
                let rest = &bytes[at..];
                let in_token = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
                at += rest.iter().position(|byte| !in_token(byte)).unwrap_or(rest.len());
            }
        }
        if depth == 0 {
            return at;
        }
    }
}

fn string_end(bytes: &[u8], begins: usize) -> usize {
    let mut at = begins + 1;
    loop {
        at += plain_len(&bytes[at..]);
        match bytes[at] {
            b'"' => return at + 1,
            _ => at += 2,
        }
    }
}
