//! From bytes to text: byte order marks, UTF-8, or an encoding that somebody stated; nothing is guessed in silence.
//!
//! Without a statement, a byte order mark decides (UTF-8, UTF-16), else the bytes are UTF-8. What is not UTF-8 is
//! refused at its first bad byte, and the refusal shows what the place would say in the encodings that are likely: a
//! person can tell `café` from `cafй`, a program can only guess. Decoding is strict: a byte that the encoding does not
//! have is refused, never replaced.

use std::borrow::Cow;

use encoding_rs::DecoderResult;

use crate::decide::plural;
use crate::encoding::Encoding;
use crate::error::{ImportError, Suggestion};
use crate::limits::{Bound, Limits};
use crate::report::{Note, NoteCode};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// First bytes of formats that people export by mistake.
const KNOWN_FORMATS: &[(&[u8], &str)] = &[
    (b"PK\x03\x04", "a ZIP archive or a spreadsheet (XLSX)"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow IPC file"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"%PDF", "a PDF document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document (XLS)"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xfe\0\0", "text in UTF-32"),
    (b"\0\0\xfe\xff", "text in UTF-32"),
];

/// In these encodings a bad byte is shown, in this order.
const LIKELY: [Encoding; 8] = [
    Encoding::ShiftJis,
    Encoding::EucKr,
    Encoding::Gbk,
    Encoding::Windows1252,
    Encoding::Macintosh,
    Encoding::Windows1250,
    Encoding::Windows1251,
    Encoding::Koi8R,
];
/// How many of them.
const N_SHOWN: usize = 3;

/// A file's text, with what stood before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceText<'a> {
    pub(crate) text: &'a str,
    pub(crate) encoding: Encoding,
}

impl SourceText<'_> {
    /// How many bytes stand before [`Self::text`]; offsets in messages count them. Of a file in another encoding, offsets
    /// count its text in UTF-8.
    pub(crate) fn n_before(&self) -> usize {
        match self.encoding {
            Encoding::Utf8Bom => BOM.len(),
            _ => 0,
        }
    }
}

/// Text that was decoded, and whether the bytes could stay where they are.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    text: Cow<'a, str>,
    pub(crate) encoding: Encoding,
}

impl Decoded<'_> {
    pub(crate) fn source(&self) -> SourceText<'_> {
        SourceText {
            text: &self.text,
            encoding: self.encoding,
        }
    }

    /// How many control characters of the range U+0080 to U+009F there are, but for U+0085, which ends lines on some
    /// machines; text has none, so they are a sign of another encoding.
    pub(crate) fn n_controls(&self) -> usize {
        if self.encoding == Encoding::Utf8 && self.text.is_ascii() {
            return 0;
        }
        self.text
            .chars()
            .filter(|c| ('\u{80}'..='\u{9f}').contains(c) && *c != '\u{85}')
            .count()
    }
}

/// Decodes a source that is text. `stated` is what a person or a recipe says its encoding is.
pub(crate) fn decode<'a>(
    bytes: &'a [u8],
    stated: Option<Encoding>,
    limits: &Limits,
) -> Result<Decoded<'a>, ImportError> {
    if bytes.is_empty() {
        return Err(ImportError::ZeroBytes);
    }
    let over = || ImportError::Limit {
        bound: Bound::Bytes,
        limit: limits.max_bytes,
        place: None,
    };
    if bytes.len() > limits.max_bytes {
        return Err(over());
    }
    if let Some((_, found)) = KNOWN_FORMATS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(ImportError::UnsupportedFormat { found });
    }
    let (marked, rest) = marked(bytes);
    let encoding = match (marked, stated) {
        (Some(marked), None) => marked,
        (Some(Encoding::Utf8Bom), Some(Encoding::Utf8 | Encoding::Utf8Bom)) => Encoding::Utf8Bom,
        (Some(marked), Some(stated)) if marked == stated => marked,
        (Some(marked), Some(stated)) => return Err(ImportError::EncodingContradicted { marked, stated }),
        (None, None | Some(Encoding::Utf8 | Encoding::Utf8Bom)) => Encoding::Utf8,
        (None, Some(stated)) => stated,
    };
    let text = match encoding {
        Encoding::Utf8 | Encoding::Utf8Bom => Cow::Borrowed(utf8(bytes, rest)?),
        other => Cow::Owned(strictly(bytes, rest, other)?),
    };
    if text.len() > limits.max_bytes {
        return Err(over());
    }
    let n_before = if encoding == Encoding::Utf8Bom {
        BOM.len()
    } else {
        0
    };
    if let Some(at) = text.bytes().position(|byte| byte == 0) {
        return Err(ImportError::NotText {
            offset: n_before + at,
            line: line_of(&text.as_bytes()[..at]),
            looks_utf16: marked.is_none() && looks_utf16(bytes).is_some(),
        });
    }
    if text.trim().is_empty() {
        return Err(ImportError::Blank);
    }
    Ok(Decoded { text, encoding })
}

/// What the byte order mark says, and what stands behind it.
fn marked(bytes: &[u8]) -> (Option<Encoding>, &[u8]) {
    for (mark, encoding) in [
        (BOM, Encoding::Utf8Bom),
        (b"\xff\xfe".as_slice(), Encoding::Utf16Le),
        (b"\xfe\xff".as_slice(), Encoding::Utf16Be),
    ] {
        if let Some(rest) = bytes.strip_prefix(mark) {
            return (Some(encoding), rest);
        }
    }
    (None, bytes)
}

fn utf8<'a>(bytes: &[u8], rest: &'a [u8]) -> Result<&'a str, ImportError> {
    std::str::from_utf8(rest).map_err(|error| {
        let at = error.valid_up_to();
        ImportError::NotUtf8 {
            offset: bytes.len() - rest.len() + at,
            byte: rest[at],
            line: line_of(&rest[..at]),
            suggestions: suggestions(rest, at),
        }
    })
}

fn strictly(bytes: &[u8], rest: &[u8], encoding: Encoding) -> Result<String, ImportError> {
    let mut decoder = encoding.decoder().new_decoder_without_bom_handling();
    let capacity = decoder.max_utf8_buffer_length_without_replacement(rest.len());
    let mut text = String::with_capacity(capacity.unwrap_or(rest.len()));
    let (result, n_read) = decoder.decode_to_string_without_replacement(rest, &mut text, true);
    match result {
        DecoderResult::InputEmpty => {
            text.shrink_to_fit();
            Ok(text)
        }
        DecoderResult::OutputFull | DecoderResult::Malformed(_, _) => {
            let n_behind = match result {
                DecoderResult::Malformed(n_bad, n_after) => usize::from(n_bad) + usize::from(n_after),
                DecoderResult::OutputFull | DecoderResult::InputEmpty => 0,
            };
            let at = n_read.saturating_sub(n_behind).min(rest.len().saturating_sub(1));
            Err(ImportError::NotInEncoding {
                encoding,
                offset: bytes.len() - rest.len() + at,
                byte: rest[at],
                line: line_of(text.as_bytes()),
            })
        }
    }
}

/// The line in which the text before a place ends, from 1.
fn line_of(before: &[u8]) -> u64 {
    1 + n_line_ends(before)
}

/// How many lines end in `bytes`: at LF, at CRLF, at CR alone.
pub(crate) fn n_line_ends(bytes: &[u8]) -> u64 {
    let n_feeds = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let bare = bytes
        .iter()
        .enumerate()
        .filter(|(at, byte)| **byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    (n_feeds + bare.count()) as u64
}

/// UTF-16 without a byte order mark: nearly every second byte of Western text is zero.
fn looks_utf16(bytes: &[u8]) -> Option<Encoding> {
    let start = &bytes[..bytes.len().min(1024)];
    let n_zero = |parity: usize| {
        start
            .iter()
            .skip(parity)
            .step_by(2)
            .filter(|&&byte| byte == 0)
            .count()
    };
    let enough = start.len() / 4;
    match (n_zero(0) > enough, n_zero(1) > enough) {
        (false, true) => Some(Encoding::Utf16Le),
        (true, false) => Some(Encoding::Utf16Be),
        _ => None,
    }
}

/// What the place around a bad byte says in likely encodings: those in which the whole file has no bad byte, no
/// control character in the upper range, and a letter at the place.
fn suggestions(bytes: &[u8], at: usize) -> Vec<Suggestion> {
    if let Some(encoding) = looks_utf16(bytes) {
        return vec![Suggestion {
            encoding,
            reading: String::new(),
        }];
    }
    let from = at
        - bytes[..at]
            .iter()
            .rev()
            .take(16)
            .take_while(|byte| is_inside(**byte))
            .count();
    let to = at
        + 1
        + bytes[at + 1..]
            .iter()
            .take(24)
            .take_while(|byte| is_inside(**byte))
            .count();
    let mut found: Vec<Suggestion> = Vec::new();
    for encoding in LIKELY {
        let whole = encoding
            .decoder()
            .decode_without_bom_handling_and_without_replacement(bytes);
        let Some(whole) = whole else { continue };
        if whole
            .chars()
            .any(|c| ('\u{80}'..='\u{9f}').contains(&c) || c == '\u{fffd}')
        {
            continue;
        }
        let (reading, _) = encoding.decoder().decode_without_bom_handling(&bytes[from..to]);
        let reading = reading.trim().to_owned();
        let letters = reading.chars().any(|c| !c.is_ascii() && c.is_alphanumeric());
        let new = found.iter().all(|known| known.reading != reading);
        // A double-byte encoding that fits by chance turns letters into rare ones; it comes first only if it alone fits.
        if (letters || encoding == Encoding::Windows1252) && new {
            found.push(Suggestion { encoding, reading });
        }
    }
    found.sort_by_key(|suggestion| {
        matches!(
            suggestion.encoding,
            Encoding::Gbk | Encoding::EucKr | Encoding::ShiftJis
        ) && mostly_ascii(bytes)
    });
    found.truncate(N_SHOWN);
    found
}

fn is_inside(byte: u8) -> bool {
    !matches!(byte, b'\n' | b'\r' | b',' | b';' | b'\t' | b'|' | b'"')
}

/// Whether text is Western in the main: Asian text has as many bytes beyond ASCII as within.
fn mostly_ascii(bytes: &[u8]) -> bool {
    let n_high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    n_high * 4 < bytes.len()
}

/// Says what of the encoding a person can't see in the table.
pub(crate) fn note_encoding(decoded: &Decoded<'_>, notes: &mut Vec<Note>) {
    if decoded.encoding == Encoding::Utf8Bom {
        let text = "the file begins with a byte order mark, which is left out";
        notes.push(Note::new(NoteCode::ByteOrderMark, text));
    }
    let n_controls = decoded.n_controls();
    if n_controls > 0 {
        let text = format!(
            "{} of the range U+0080 to U+009F: text has none, so the encoding is perhaps not {}; `--encoding` states \
             another",
            plural(n_controls, "control character"),
            decoded.encoding
        );
        notes.push(Note::new(NoteCode::ControlCharacters, text));
    }
}
