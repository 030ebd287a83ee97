//! The serializer behind [`super::to_vec`].

use core::fmt::{self, Write as _};

use serde::ser::{self, Serialize, Serializer};

use super::key::Key;
use super::order::{Open, Repeated};
use super::{CanonicalError, MAX_DEPTH};
use crate::number::MAX_SAFE_INTEGER;
use crate::plain::plain_len;

/// What went wrong, before it is known where.
#[derive(Debug)]
pub(super) enum Fault {
    NonFinite,
    UnsafeInteger(Box<str>),
    SinglePrecision,
    KeyNotString,
    DuplicateKey,
    Depth,
    Message(Box<str>),
}

impl From<Repeated> for Fault {
    fn from(_: Repeated) -> Self {
        Self::DuplicateKey
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Fault {}

impl ser::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Message(message.to_string().into())
    }
}

pub(super) type Written = Result<(), Fault>;

pub(super) struct Writer {
    out: Vec<u8>,
    open: Open,
    shown: String,
    refused: bool,
}

impl Writer {
    /// With room for the text of a small body: most bodies are small, and growing step by step costs more than they do.
    pub(super) fn new() -> Self {
        Self::with_capacity(2048)
    }

    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            out: Vec::with_capacity(capacity),
            open: Open::new(),
            shown: String::new(),
            refused: false,
        }
    }

    pub(super) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        let written = value.serialize(&mut *self);
        let pointer = || self.open.pointer();
        let fault = match written {
            Ok(()) if self.refused => Fault::Message("its Serialize went on after a refusal".into()),
            Ok(()) => return Ok(()),
            Err(fault) => fault,
        };
        Err(match fault {
            Fault::NonFinite => CanonicalError::NonFinite { pointer: pointer() },
            Fault::UnsafeInteger(value) => CanonicalError::UnsafeInteger {
                pointer: pointer(),
                value: value.into(),
            },
            Fault::SinglePrecision => CanonicalError::SinglePrecision { pointer: pointer() },
            Fault::KeyNotString => CanonicalError::KeyNotString { pointer: pointer() },
            Fault::DuplicateKey => CanonicalError::DuplicateKey { pointer: pointer() },
            Fault::Depth => CanonicalError::Depth { pointer: pointer() },
            Fault::Message(message) => CanonicalError::Unwritable {
                pointer: pointer(),
                message: message.into(),
            },
        })
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    pub(super) fn text(&mut self, text: &str) {
        quote(&mut self.out, text);
    }

    fn integer(&mut self, magnitude: u64, negative: bool) -> Written {
        if magnitude > MAX_SAFE_INTEGER.unsigned_abs() {
            let sign = if negative { "-" } else { "" };
            return Err(Fault::UnsafeInteger(format!("{sign}{magnitude}").into()));
        }
        if negative {
            self.out.push(b'-');
        }
        let mut digits = [0; 20];
        let mut first = digits.len();
        let mut rest = magnitude;
        loop {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.raw(&digits[first..]);
        Ok(())
    }

    fn begin_array(&mut self) -> Written {
        if self.open.depth() == MAX_DEPTH {
            return Err(Fault::Depth);
        }
        self.open.array();
        self.out.push(b'[');
        Ok(())
    }

    fn begin_object(&mut self) -> Written {
        if self.open.depth() == MAX_DEPTH {
            return Err(Fault::Depth);
        }
        self.open.object();
        self.out.push(b'{');
        Ok(())
    }

    fn end(&mut self, bracket: u8) -> Written {
        self.open.close(&mut self.out)?;
        self.out.push(bracket);
        Ok(())
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        if self.open.item() {
            self.out.push(b',');
        }
        let written = value.serialize(&mut *self);
        self.note(written)
    }

    /// Remembers a refusal, in case the body's `Serialize` swallows it and goes on.
    fn note(&mut self, written: Written) -> Written {
        self.refused |= written.is_err();
        written
    }

    pub(super) fn key(&mut self, key: &str) -> Written {
        let follows = self.open.member(key).map_err(Fault::from);
        self.refused |= follows.is_err();
        if follows? {
            self.out.push(b',');
        }
        self.open.member_begins(self.out.len());
        quote(&mut self.out, key);
        self.out.push(b':');
        Ok(())
    }

    fn member_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        let written = value.serialize(&mut *self);
        self.open.member_ends(self.out.len());
        self.note(written)
    }

    fn member<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Written {
        self.key(key)?;
        self.member_value(value)
    }
}

fn quote(out: &mut Vec<u8>, text: &str) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut rest = text.as_bytes();
    out.push(b'"');
    loop {
        let (plain, special) = rest.split_at(plain_len(rest));
        out.extend_from_slice(plain);
        let Some((&byte, after)) = special.split_first() else {
            break;
        };
        match byte {
            b'"' => out.extend_from_slice(br#"\""#),
            b'\\' => out.extend_from_slice(br"\\"),
            0x08 => out.extend_from_slice(br"\b"),
            b'\t' => out.extend_from_slice(br"\t"),
            b'\n' => out.extend_from_slice(br"\n"),
            0x0C => out.extend_from_slice(br"\f"),
            b'\r' => out.extend_from_slice(br"\r"),
            control => {
                out.extend_from_slice(br"\u00");
                out.push(DIGITS[usize::from(control >> 4)]);
                out.push(DIGITS[usize::from(control & 15)]);
            }
        }
        rest = after;
    }
    out.push(b'"');
}

/// An array, or an object, or one of them inside the object that names an enum's variant.
pub(super) struct Compound<'a> {
    writer: &'a mut Writer,
    in_variant: bool,
}

impl<'a> Compound<'a> {
    fn end(self, bracket: u8) -> Written {
        self.writer.end(bracket)?;
        if self.in_variant {
            self.writer.open.member_ends(self.writer.out.len());
            self.writer.end(b'}')?;
        }
        Ok(())
    }
}

impl<'a> Serializer for &'a mut Writer {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    fn serialize_bool(self, v: bool) -> Written {
        self.raw(if v { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_i8(self, v: i8) -> Written {
        self.serialize_i64(v.into())
    }

    fn serialize_i16(self, v: i16) -> Written {
        self.serialize_i64(v.into())
    }

    fn serialize_i32(self, v: i32) -> Written {
        self.serialize_i64(v.into())
    }

    fn serialize_i64(self, v: i64) -> Written {
        self.integer(v.unsigned_abs(), v < 0)
    }

    fn serialize_i128(self, v: i128) -> Written {
        match u64::try_from(v.unsigned_abs()) {
            Ok(magnitude) => self.integer(magnitude, v < 0),
            Err(_) => Err(Fault::UnsafeInteger(v.to_string().into())),
        }
    }

    fn serialize_u8(self, v: u8) -> Written {
        self.integer(v.into(), false)
    }

    fn serialize_u16(self, v: u16) -> Written {
        self.integer(v.into(), false)
    }

    fn serialize_u32(self, v: u32) -> Written {
        self.integer(v.into(), false)
    }

    fn serialize_u64(self, v: u64) -> Written {
        self.integer(v, false)
    }

    fn serialize_u128(self, v: u128) -> Written {
        match u64::try_from(v) {
            Ok(magnitude) => self.integer(magnitude, false),
            Err(_) => Err(Fault::UnsafeInteger(v.to_string().into())),
        }
    }

    fn serialize_f32(self, _: f32) -> Written {
        Err(Fault::SinglePrecision)
    }

    fn serialize_f64(self, v: f64) -> Written {
        if !v.is_finite() {
            return Err(Fault::NonFinite);
        }
        // Both texts agree for an integral double; this one is faster and needs no sign for negative zero.
        if v.abs() <= MAX_SAFE_INTEGER as f64 && v as i64 as f64 == v {
            return self.serialize_i64(v as i64);
        }
        self.raw(ryu_js::Buffer::new().format_finite(v).as_bytes());
        Ok(())
    }

    fn serialize_char(self, v: char) -> Written {
        self.text(v.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, v: &str) -> Written {
        self.text(v);
        Ok(())
    }

    fn serialize_bytes(self, v: &[u8]) -> Written {
        self.collect_seq(v)
    }

    fn serialize_none(self) -> Written {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.raw(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        self.begin_object()?;
        self.member(variant, value)?;
        self.end(b'}')
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'a>, Fault> {
        self.begin_array()?;
        Ok(Compound {
            writer: self,
            in_variant: false,
        })
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'a>, Fault> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>, Fault> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a>, Fault> {
        self.begin_object()?;
        self.key(variant)?;
        self.begin_array()?;
        Ok(Compound {
            writer: self,
            in_variant: true,
        })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'a>, Fault> {
        self.begin_object()?;
        Ok(Compound {
            writer: self,
            in_variant: false,
        })
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Compound<'a>, Fault> {
        // Raw text and arbitrary-precision numbers pass through serde under these names, unseen by any check.
        if name.starts_with("$serde_json::private::") {
            return Err(Fault::Message("it is raw JSON text, which is not checked".into()));
        }
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a>, Fault> {
        self.begin_object()?;
        self.key(variant)?;
        self.begin_object()?;
        Ok(Compound {
            writer: self,
            in_variant: true,
        })
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Written {
        let mut shown = core::mem::take(&mut self.shown);
        shown.clear();
        let written = write!(shown, "{value}").map_err(ser::Error::custom);
        self.text(&shown);
        self.shown = shown;
        written
    }
}

impl ser::SerializeSeq for Compound<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.writer.item(value)
    }

    fn end(self) -> Written {
        self.end(b']')
    }
}

impl ser::SerializeTuple for Compound<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.writer.item(value)
    }

    fn end(self) -> Written {
        self.end(b']')
    }
}

impl ser::SerializeTupleStruct for Compound<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.writer.item(value)
    }

    fn end(self) -> Written {
        self.end(b']')
    }
}

impl ser::SerializeTupleVariant for Compound<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.writer.item(value)
    }

    fn end(self) -> Written {
        self.end(b']')
    }
}

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        let written = key.serialize(Key(self.writer));
        self.writer.note(written)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.writer.member_value(value)
    }

    fn end(self) -> Written {
        self.end(b'}')
    }
}

impl ser::SerializeStruct for Compound<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.writer.member(key, value)
    }

    fn end(self) -> Written {
        self.end(b'}')
    }
}

impl ser::SerializeStructVariant for Compound<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.writer.member(key, value)
    }

    fn end(self) -> Written {
        self.end(b'}')
    }
}
