//! A walk over the page headers of a Parquet column chunk, before any page is decompressed.
//!
//! A page header is one struct of the Thrift compact protocol in front of the page's bytes. Only what bounds the work is
//! read: the kind of page, its sizes, how many values it holds, and whether they are keys of a dictionary.
//!
//! Source: <https://github.com/apache/parquet-format>, `parquet.thrift`, and
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>.

/// What the pages of a chunk say they hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pages {
    /// Bytes of all pages once decompressed.
    pub(super) n_bytes: usize,
    /// Values of all data pages; in a flat column these are rows.
    pub(super) n_values: usize,
    /// Whether there is a dictionary and every data page holds keys of it.
    pub(super) by_dictionary: bool,
}

/// What is wrong with a chunk: the offset inside it, and the rule.
pub(super) type Fault = (usize, &'static str);

const DATA_PAGE: i64 = 0;
const INDEX_PAGE: i64 = 1;
const DICTIONARY_PAGE: i64 = 2;
const DATA_PAGE_V2: i64 = 3;
const PLAIN_DICTIONARY: i64 = 2;
const RLE_DICTIONARY: i64 = 8;

/// Deeper than any page header nests.
const MAX_DEPTH: usize = 16;

/// Walks the pages of a chunk until `n_values` values were announced.
pub(super) fn walk(chunk: &[u8], n_values: usize) -> Result<Pages, Fault> {
    let mut pages = Pages::default();
    let mut scan = Scan { bytes: chunk, at: 0 };
    let mut has_dictionary = false;
    let mut only_keys = true;
    while pages.n_values < n_values {
        let from = scan.at;
        let header = scan.header()?;
        let (Some(stored), Some(n_bytes)) = (header.stored, header.decompressed) else {
            return Err((from, "a page does not say how long it is"));
        };
        if stored > chunk.len() - scan.at {
            return Err((from, "a page is longer than its column"));
        }
        pages.n_bytes = pages.n_bytes.saturating_add(n_bytes);
        match header.kind {
            Some(DATA_PAGE | DATA_PAGE_V2) => {
                let Some(n) = header.n_values else {
                    return Err((from, "a page does not say how many values it holds"));
                };
                pages.n_values += n;
                only_keys &= matches!(header.encoding, Some(PLAIN_DICTIONARY | RLE_DICTIONARY));
            }
            Some(DICTIONARY_PAGE) => {
                // Every value of a dictionary takes bytes, so a count beyond them promises what is not there.
                if header.n_values.is_none_or(|n| n > n_bytes) {
                    return Err((from, "a dictionary holds more values than bytes"));
                }
                if has_dictionary {
                    return Err((from, "a second dictionary in one column"));
                }
                has_dictionary = true;
            }
            Some(INDEX_PAGE) => {}
            _ => return Err((from, "a page of an unknown kind")),
        }
        scan.at += stored;
    }
    if pages.n_values != n_values {
        return Err((scan.at, "the pages hold more values than the column"));
    }
    pages.by_dictionary = has_dictionary && only_keys;
    Ok(pages)
}

#[derive(Default)]
struct Header {
    kind: Option<i64>,
    decompressed: Option<usize>,
    stored: Option<usize>,
    n_values: Option<usize>,
    encoding: Option<i64>,
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Thrift compact types.
const STOP: u8 = 0;
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

impl Scan<'_> {
    fn fault<T>(&self, what: &'static str) -> Result<T, Fault> {
        Err((self.at, what))
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        let Some(&byte) = self.bytes.get(self.at) else {
            return self.fault("the column ends inside a page header");
        };
        self.at += 1;
        Ok(byte)
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        self.fault("a number in a page header never ends")
    }

    fn zigzag(&mut self) -> Result<i64, Fault> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn size(&mut self) -> Result<usize, Fault> {
        let at = self.at;
        usize::try_from(self.zigzag()?).map_err(|_| (at, "a size below zero in a page header"))
    }

    fn skip_bytes(&mut self, n: u64) -> Result<(), Fault> {
        match usize::try_from(n) {
            Ok(n) if n <= self.bytes.len() - self.at => {
                self.at += n;
                Ok(())
            }
            _ => self.fault("the column ends inside a page header"),
        }
    }

    /// The next field of a struct: its number and type; `None` at the end.
    fn field(&mut self, last: &mut i64) -> Result<Option<(i64, u8)>, Fault> {
        let byte = self.byte()?;
        let kind = byte & 0x0f;
        if kind == STOP {
            return Ok(None);
        }
        *last = match i64::from(byte >> 4) {
            0 => self.zigzag()?,
            delta => last.saturating_add(delta),
        };
        Ok(Some((*last, kind)))
    }

    fn header(&mut self) -> Result<Header, Fault> {
        let mut header = Header::default();
        let mut last = 0;
        while let Some((number, kind)) = self.field(&mut last)? {
            match (number, kind) {
                (1, I16..=I64) => header.kind = Some(self.zigzag()?),
                (2, I16..=I64) => header.decompressed = Some(self.size()?),
                (3, I16..=I64) => header.stored = Some(self.size()?),
                (5 | 7 | 8, STRUCT) => self.inner(number, &mut header)?,
                _ => self.skip(kind, 0)?,
            }
        }
        Ok(header)
    }

    /// The header of one kind of page: values first; their encoding is field 2, in version 2 field 4.
    fn inner(&mut self, outer: i64, header: &mut Header) -> Result<(), Fault> {
        let encoding = if outer == 8 { 4 } else { 2 };
        let mut last = 0;
        while let Some((number, kind)) = self.field(&mut last)? {
            match (number, kind) {
                (1, I16..=I64) => header.n_values = Some(self.size()?),
                (number, I16..=I64) if number == encoding => header.encoding = Some(self.zigzag()?),
                _ => self.skip(kind, 0)?,
            }
        }
        Ok(())
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return self.fault("a page header nests too deep");
        }
        match kind {
            TRUE | FALSE => Ok(()),
            BYTE => self.skip_bytes(1),
            I16..=I64 => self.varint().map(|_| ()),
            DOUBLE => self.skip_bytes(8),
            BINARY => {
                let n = self.varint()?;
                self.skip_bytes(n)
            }
            LIST | SET => {
                let head = self.byte()?;
                let n = match head >> 4 {
                    15 => self.varint()?,
                    n => u64::from(n),
                };
                self.skip_all(n, &[head & 0x0f], depth)
            }
            MAP => {
                let n = self.varint()?;
                if n == 0 {
                    return Ok(());
                }
                let kinds = self.byte()?;
                self.skip_all(n, &[kinds >> 4, kinds & 0x0f], depth)
            }
            STRUCT => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    self.skip(kind, depth + 1)?;
                }
                Ok(())
            }
            _ => self.fault("a page header has a field of an unknown type"),
        }
    }

    fn skip_all(&mut self, n: u64, kinds: &[u8], depth: usize) -> Result<(), Fault> {
        // Every element takes at least a byte here; elements that take none are no part of page headers.
        if n > (self.bytes.len() - self.at) as u64 {
            return self.fault("a list in a page header is longer than its column");
        }
        for _ in 0..n {
            for &kind in kinds {
                // Inside lists and maps a boolean takes a byte.
                let kind = if matches!(kind, TRUE | FALSE) { BYTE } else { kind };
                self.skip(kind, depth + 1)?;
            }
        }
        Ok(())
    }
}
