//! The three ZIP records, encoded by one function for writer and reader alike.
//!
//! Source: PKWARE APPNOTE 6.3.10, sections 4.3.7 (local header), 4.3.12 (central entry), 4.3.16 (end record).

use std::fmt;

/// Length of a local header without its name, bytes.
pub(super) const LOCAL_LEN: usize = 30;
/// Length of a central entry without its name, bytes.
pub(super) const CENTRAL_LEN: usize = 46;
/// Length of the end record, bytes.
pub(super) const END_LEN: usize = 22;

pub(super) const LOCAL_SIGNATURE: u32 = 0x0403_4b50;
pub(super) const CENTRAL_SIGNATURE: u32 = 0x0201_4b50;
pub(super) const END_SIGNATURE: u32 = 0x0605_4b50;
pub(super) const ZIP64_LOCATOR_SIGNATURE: u32 = 0x0706_4b50;

/// Unix, specification 2.0.
const MADE_BY: u16 = 0x0314;
/// Specification 2.0: deflate.
const NEEDED: u16 = 20;
/// Bit 11: the name is UTF-8.
const FLAGS: u16 = 0x0800;
/// Midnight.
const TIME: u16 = 0;
/// 1980-01-01, the first day the format knows.
const DATE: u16 = 0x0021;
/// A regular file, `rw-r--r--`.
const EXTERNAL: u32 = 0o100_644 << 16;

/// How a member's bytes stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// As they are.
    Stored,
    /// As one raw deflate stream (RFC 1951).
    Deflated,
}

impl Method {
    pub(super) const fn code(self) -> u16 {
        match self {
            Self::Stored => 0,
            Self::Deflated => 8,
        }
    }

    pub(super) const fn from_code(code: u16) -> Option<Self> {
        match code {
            0 => Some(Self::Stored),
            8 => Some(Self::Deflated),
            _ => None,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stored => "stored",
            Self::Deflated => "deflated",
        })
    }
}

/// What differs between one member's headers and another's; all else is constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header<'a> {
    pub(super) name: &'a str,
    pub(super) method: Method,
    pub(super) crc32: u32,
    pub(super) stored_bytes: u32,
    pub(super) bytes: u32,
}

impl Header<'_> {
    /// The local header with its name.
    pub(super) fn local(&self) -> Vec<u8> {
        let mut record = Vec::with_capacity(LOCAL_LEN + self.name.len());
        put32(&mut record, LOCAL_SIGNATURE);
        self.shared(&mut record);
        record.extend_from_slice(self.name.as_bytes());
        record
    }

    /// The central entry with its name, for a local header at `offset`.
    pub(super) fn central(&self, offset: u32) -> Vec<u8> {
        let mut record = Vec::with_capacity(CENTRAL_LEN + self.name.len());
        put32(&mut record, CENTRAL_SIGNATURE);
        put16(&mut record, MADE_BY);
        self.shared(&mut record);
        put16(&mut record, 0); // comment length
        put16(&mut record, 0); // disk
        put16(&mut record, 0); // internal attributes
        put32(&mut record, EXTERNAL);
        put32(&mut record, offset);
        record.extend_from_slice(self.name.as_bytes());
        record
    }

    /// The run of fields that both records carry in the same order.
    fn shared(&self, record: &mut Vec<u8>) {
        let name_len = u16::try_from(self.name.len()).expect("names are admitted up to 240 bytes");
        put16(record, NEEDED);
        put16(record, FLAGS);
        put16(record, self.method.code());
        put16(record, TIME);
        put16(record, DATE);
        put32(record, self.crc32);
        put32(record, self.stored_bytes);
        put32(record, self.bytes);
        put16(record, name_len);
        put16(record, 0); // extra length
    }
}

/// The end record for `members` whose directory of `size` bytes starts at `offset`.
pub(super) fn end_record(members: u16, size: u32, offset: u32) -> [u8; END_LEN] {
    let mut record = Vec::with_capacity(END_LEN);
    put32(&mut record, END_SIGNATURE);
    put16(&mut record, 0); // this disk
    put16(&mut record, 0); // the directory's disk
    put16(&mut record, members);
    put16(&mut record, members);
    put32(&mut record, size);
    put32(&mut record, offset);
    put16(&mut record, 0); // comment length
    record.try_into().expect("the fields above are 22 bytes")
}

const LOCAL_FIELDS: &[(usize, &str)] = &[
    (0, "signature"),
    (4, "version needed"),
    (6, "flags"),
    (8, "method"),
    (10, "time"),
    (12, "date"),
    (14, "checksum"),
    (18, "stored size"),
    (22, "size"),
    (26, "name length"),
    (28, "extra length"),
    (LOCAL_LEN, "name"),
];

const CENTRAL_FIELDS: &[(usize, &str)] = &[
    (0, "signature"),
    (4, "version made by"),
    (6, "version needed"),
    (8, "flags"),
    (10, "method"),
    (12, "time"),
    (14, "date"),
    (16, "checksum"),
    (20, "stored size"),
    (24, "size"),
    (28, "name length"),
    (30, "extra length"),
    (32, "comment length"),
    (34, "disk"),
    (36, "internal attributes"),
    (38, "external attributes"),
    (42, "offset"),
    (CENTRAL_LEN, "name"),
];

/// Where two local headers first differ: byte index and the field's name.
pub(super) fn local_difference(found: &[u8], expected: &[u8]) -> Option<(usize, &'static str)> {
    difference(found, expected, LOCAL_FIELDS)
}

/// Where two central entries first differ: byte index and the field's name.
pub(super) fn central_difference(found: &[u8], expected: &[u8]) -> Option<(usize, &'static str)> {
    difference(found, expected, CENTRAL_FIELDS)
}

fn difference(
    found: &[u8],
    expected: &[u8],
    fields: &[(usize, &'static str)],
) -> Option<(usize, &'static str)> {
    let at = if found.len() == expected.len() {
        found.iter().zip(expected).position(|(a, b)| a != b)?
    } else {
        found.len().min(expected.len())
    };
    let field = fields.partition_point(|(start, _)| *start <= at);
    Some((at, fields[field.saturating_sub(1)].1))
}

/// The little-endian number at `at`; the caller has checked the length.
pub(super) fn get16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// The little-endian number at `at`; the caller has checked the length.
pub(super) fn get32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn put16(record: &mut Vec<u8>, value: u16) {
    record.extend_from_slice(&value.to_le_bytes());
}

fn put32(record: &mut Vec<u8>, value: u32) {
    record.extend_from_slice(&value.to_le_bytes());
}
