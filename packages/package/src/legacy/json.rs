//! Legacy JSON as the programs that wrote it read it: the last of two members with one name counts, members nobody
//! knows are kept, numbers are doubles.
//!
//! Looser than [`identity::decode`], and for packages of versions 1 to 3 alone. What JavaScript would take and Rust
//! can't hold is refused: half of a surrogate pair, and a number beyond the doubles.

use std::fmt;

use identity::{CanonicalError, Digest, canonical};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value};

use super::error::LegacyError;
use super::limits::LegacyLimits;
use crate::limits::weight;

/// Decodes a member.
pub(super) fn parse(member: &'static str, bytes: &[u8], limits: &LegacyLimits) -> Result<Value, LegacyError> {
    let text = std::str::from_utf8(bytes).map_err(|error| LegacyError::NotText {
        member,
        offset: error.valid_up_to(),
    })?;
    let needed = weight(bytes);
    if needed > limits.max_working_bytes {
        return Err(LegacyError::TooLarge {
            what: format!("{member}, decoded,"),
            bytes: needed as u64,
            limit: limits.max_working_bytes as u64,
        });
    }
    serde_json::from_str(text).map_err(|error| LegacyError::NotJson {
        member,
        line: error.line(),
        column: error.column(),
        why: error.to_string(),
    })
}

/// How often the object that a text holds has a member, where decoding would keep the last one alone.
pub(super) fn occurrences(text: &[u8], name: &str) -> usize {
    struct Count<'a>(&'a str);

    impl<'de> Visitor<'de> for Count<'_> {
        type Value = usize;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<usize, A::Error> {
            let mut found = 0;
            while let Some((key, IgnoredAny)) = members.next_entry::<String, IgnoredAny>()? {
                found += usize::from(key == self.0);
            }
            Ok(found)
        }
    }

    let mut decoder = serde_json::Deserializer::from_slice(text);
    serde::Deserializer::deserialize_map(&mut decoder, Count(name)).unwrap_or(0)
}

/// A value as JavaScript holds it: every number a double.
#[derive(Clone, Copy, Debug)]
pub(super) struct Js<'a>(pub(super) &'a Value);

impl Serialize for Js<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Number(number) => match number.as_f64() {
                Some(double) => serializer.serialize_f64(double),
                None => serializer.serialize_unit(),
            },
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => serializer.collect_seq(items.iter().map(Js)),
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, &Js(value))?;
                }
                map.end()
            }
        }
    }
}

/// 64 hexadecimal digits of the SHA-256 of the canonical text.
pub(super) fn sha256(value: &(impl Serialize + ?Sized)) -> Result<String, CanonicalError> {
    canonical::digest(value).map(|digest| digest.hex())
}

/// 64 hexadecimal digits of the SHA-256 of exact bytes.
pub(super) fn sha256_of(bytes: &[u8]) -> String {
    Digest::of(bytes).hex()
}

/// Whether a text is 64 lowercase hexadecimal digits.
pub(super) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct At<'a> {
    pub(super) member: &'static str,
    pub(super) pointer: String,
    pub(super) value: &'a Value,
}

impl<'a> At<'a> {
    pub(super) fn root(member: &'static str, value: &'a Value) -> Self {
        Self {
            member,
            pointer: String::new(),
            value,
        }
    }

    /// Something is wrong with this value.
    pub(super) fn fault(&self, why: impl Into<String>) -> LegacyError {
        LegacyError::Shape {
            member: self.member,
            pointer: self.pointer.clone(),
            why: why.into(),
        }
    }

    /// This value has no canonical text, which cannot happen for decoded JSON.
    pub(super) fn uncanonical(&self, error: &CanonicalError) -> LegacyError {
        self.fault(error.to_string())
    }

    pub(super) fn object(&self) -> Result<&'a Map<String, Value>, LegacyError> {
        self.value
            .as_object()
            .ok_or_else(|| self.fault("this is no object"))
    }

    pub(super) fn items(&self) -> Result<Vec<Self>, LegacyError> {
        let items = self
            .value
            .as_array()
            .ok_or_else(|| self.fault("this is no array"))?;
        let item = |(idx, value)| Self {
            member: self.member,
            pointer: format!("{}/{idx}", self.pointer),
            value,
        };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// The member of an object, when it is there and not `null`.
    pub(super) fn get(&self, name: &str) -> Option<Self> {
        match self.value.get(name) {
            None | Some(Value::Null) => None,
            Some(value) => Some(Self {
                member: self.member,
                pointer: format!("{}/{}", self.pointer, name.replace('~', "~0").replace('/', "~1")),
                value,
            }),
        }
    }

    /// The member of an object, which must be there.
    pub(super) fn need(&self, name: &str) -> Result<Self, LegacyError> {
        self.object()?;
        self.get(name).ok_or_else(|| LegacyError::Shape {
            member: self.member,
            pointer: format!("{}/{name}", self.pointer),
            why: "this is missing".to_owned(),
        })
    }

    pub(super) fn text(&self) -> Result<&'a str, LegacyError> {
        self.value.as_str().ok_or_else(|| self.fault("this is no text"))
    }

    pub(super) fn number(&self) -> Result<f64, LegacyError> {
        self.value.as_f64().ok_or_else(|| self.fault("this is no number"))
    }

    /// A number that counts.
    pub(super) fn count(&self) -> Result<usize, LegacyError> {
        let number = self.number()?;
        if number >= 0.0 && number.fract() == 0.0 && number <= 9_007_199_254_740_991.0 {
            Ok(number as usize)
        } else {
            Err(self.fault("this is no count"))
        }
    }

    /// For display: the text of a member, when it has one.
    pub(super) fn shown(&self, name: &str) -> Option<String> {
        self.value.get(name).and_then(Value::as_str).map(str::to_owned)
    }

    /// For display: the number of a member, when it has one.
    pub(super) fn shown_number(&self, name: &str) -> Option<f64> {
        self.value.get(name).and_then(Value::as_f64)
    }

    /// For display: the texts of a list, when it has some.
    pub(super) fn shown_texts(&self, name: &str) -> Vec<String> {
        let items = self.value.get(name).and_then(Value::as_array);
        let texts = items.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }
}
