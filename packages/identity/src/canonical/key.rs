//! The serializer of a map's keys.

use core::fmt;

use serde::ser::{Impossible, Serialize, Serializer};

use super::writer::{Fault, Writer, Written};

/// The key of a map: a string or nothing.
pub(super) struct Key<'a>(pub(super) &'a mut Writer);

type NoKey = Impossible<(), Fault>;

macro_rules! not_a_key {
    ($($method:ident($($kind:ty),*) -> $ok:ty;)*) => {
        $(fn $method(self, $(_: $kind),*) -> Result<$ok, Fault> {
            Err(Fault::KeyNotString)
        })*
    };
}

impl Serializer for Key<'_> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = NoKey;
    type SerializeTuple = NoKey;
    type SerializeTupleStruct = NoKey;
    type SerializeTupleVariant = NoKey;
    type SerializeMap = NoKey;
    type SerializeStruct = NoKey;
    type SerializeStructVariant = NoKey;

    fn serialize_str(self, v: &str) -> Written {
        self.0.key(v)
    }

    fn serialize_char(self, v: char) -> Written {
        self.0.key(v.encode_utf8(&mut [0; 4]))
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.0.key(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Written {
        self.0.key(&value.to_string())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Written {
        Err(Fault::KeyNotString)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Written {
        Err(Fault::KeyNotString)
    }

    not_a_key! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_i128(i128) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_u128(u128) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_seq(Option<usize>) -> NoKey;
        serialize_tuple(usize) -> NoKey;
        serialize_tuple_struct(&'static str, usize) -> NoKey;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> NoKey;
        serialize_map(Option<usize>) -> NoKey;
        serialize_struct(&'static str, usize) -> NoKey;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> NoKey;
    }
}
