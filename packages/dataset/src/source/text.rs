//! From bytes to text: what kind of file it is, its byte order mark, and UTF-8 or nothing.

use crate::error::ImportError;
use crate::limits::{Bound, Limits};
use crate::options::{Encoding, Format};
use crate::report::{Note, NoteCode};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// First bytes of formats that people export by mistake.
const KNOWN_FORMATS: &[(&[u8], &str)] = &[
    (b"PK\x03\x04", "a ZIP archive or a spreadsheet (XLSX)"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow IPC file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"%PDF", "a PDF document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document (XLS)"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x89PNG", "a PNG image"),
];

/// A file's text, with what stood before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceText<'a> {
    pub(crate) text: &'a str,
    pub(crate) encoding: Encoding,
}

impl SourceText<'_> {
    /// How many bytes stand before [`Self::text`]; offsets in messages count them.
    pub(crate) fn n_before(&self) -> usize {
        match self.encoding {
            Encoding::Utf8 => 0,
            Encoding::Utf8Bom => BOM.len(),
        }
    }
}

pub(crate) fn decode<'a>(bytes: &'a [u8], limits: &Limits) -> Result<SourceText<'a>, ImportError> {
    if bytes.is_empty() {
        return Err(ImportError::ZeroBytes);
    }
    if bytes.len() > limits.max_bytes {
        return Err(ImportError::Limit {
            bound: Bound::Bytes,
            limit: limits.max_bytes,
            place: None,
        });
    }
    if let Some((_, found)) = KNOWN_FORMATS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(ImportError::UnsupportedFormat { found });
    }
    let (encoding, rest) = match bytes.strip_prefix(BOM) {
        Some(rest) => (Encoding::Utf8Bom, rest),
        None => (Encoding::Utf8, bytes),
    };
    let n_before = bytes.len() - rest.len();
    let text = std::str::from_utf8(rest).map_err(|error| {
        let offset = n_before + error.valid_up_to();
        ImportError::NotUtf8 {
            offset,
            byte: bytes[offset],
            guess: guess(bytes),
        }
    })?;
    if let Some(at) = text.bytes().position(|byte| byte == 0) {
        return Err(ImportError::NotText {
            offset: n_before + at,
        });
    }
    if text.trim().is_empty() {
        return Err(ImportError::Blank);
    }
    Ok(SourceText { text, encoding })
}

/// Says what of the encoding a person can't see in the table.
pub(crate) fn note_encoding(source: SourceText<'_>, notes: &mut Vec<Note>) {
    if source.encoding == Encoding::Utf8Bom {
        let text = "the file begins with a byte order mark, which is left out";
        notes.push(Note::new(NoteCode::ByteOrderMark, text));
    }
}

fn guess(bytes: &[u8]) -> &'static str {
    let n_nul = bytes.iter().take(1024).filter(|&&byte| byte == 0).count();
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        "it is probably UTF-16"
    } else if n_nul > 0 {
        "it is probably not a text file"
    } else {
        "it is probably Windows-1252 or Latin-1"
    }
}

/// JSON when the text begins with `{`, or with `[` and then `{`, `]` or the end; else CSV.
pub(crate) fn detect(text: &str) -> Format {
    let mut significant = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    match (significant.next(), significant.next()) {
        (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), None | Some(b'{' | b']')) => Format::JsonRows,
        _ => Format::Csv,
    }
}
