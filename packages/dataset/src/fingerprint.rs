//! Dataset identity `sha256-canonical-dataset-v1`: the canonical text of a dataset, streamed into SHA-256.
//!
//! The text is one RFC 8785 object with the members `columns` (name and type of each, in declared order), `edges`
//! (only when the dataset has an edge list, even an empty one), `name` and `rows` (each an object of the declared
//! columns). Row keys, units, measurement models and the import recipe are not part of it. A missing cell is `null`
//! whichever way it is missing; the recipe and the columns keep the difference. Numbers are printed as ECMAScript
//! prints them, so the integer 1 and the decimal 1.0 are the same number.
//!
//! Memory: one buffer of [`FLUSH_AT`] bytes plus a row, whatever the dataset's size.

use std::io::Write as _;

use identity::{DigestWriter, Fingerprint, utf16_cmp};

use crate::column::{Cells, Column};
use crate::edges::Edges;

/// How many bytes are gathered before they go to the hash.
const FLUSH_AT: usize = 64 * 1024;

pub(crate) fn fingerprint(
    name: &str,
    columns: &[Column],
    n_rows: usize,
    edges: Option<&Edges>,
) -> Fingerprint {
    let mut digest = DigestWriter::new();
    write(name, columns, n_rows, edges, &mut |bytes| digest.update(bytes));
    digest.finish().into()
}

/// Writes the canonical text piece by piece.
pub(crate) fn write(
    name: &str,
    columns: &[Column],
    n_rows: usize,
    edges: Option<&Edges>,
    out: &mut dyn FnMut(&[u8]),
) {
    let mut buffer = Vec::with_capacity(FLUSH_AT + FLUSH_AT / 4);
    buffer.extend_from_slice(b"{\"columns\":[");
    for (column_idx, column) in columns.iter().enumerate() {
        if column_idx > 0 {
            buffer.push(b',');
        }
        buffer.extend_from_slice(b"{\"name\":");
        push_string(&mut buffer, &column.name);
        buffer.extend_from_slice(b",\"type\":");
        push_string(&mut buffer, column.kind.word());
        buffer.push(b'}');
    }
    buffer.push(b']');
    if let Some(edges) = edges {
        buffer.extend_from_slice(b",\"edges\":");
        buffer.extend_from_slice(edges.canonical());
    }
    buffer.extend_from_slice(b",\"name\":");
    push_string(&mut buffer, name);
    buffer.extend_from_slice(b",\"rows\":[");

    let mut printers: Vec<Printer<'_>> = columns.iter().map(Printer::new).collect();
    printers.sort_by(|a, b| utf16_cmp(&a.column.name, &b.column.name));
    for row_idx in 0..n_rows {
        buffer.push(if row_idx == 0 { b'{' } else { b',' });
        if row_idx > 0 {
            buffer.push(b'{');
        }
        for (printer_idx, printer) in printers.iter_mut().enumerate() {
            if printer_idx > 0 {
                buffer.push(b',');
            }
            printer.print(row_idx, &mut buffer);
        }
        buffer.push(b'}');
        if buffer.len() >= FLUSH_AT {
            out(&buffer);
            buffer.clear();
        }
    }
    buffer.extend_from_slice(b"]}");
    out(&buffer);
}

/// Prints one member of every row: its name once escaped, its levels once escaped.
struct Printer<'a> {
    column: &'a Column,
    member: Vec<u8>,
    levels: Vec<Vec<u8>>,
    decimal: ryu_js::Buffer,
}

impl<'a> Printer<'a> {
    fn new(column: &'a Column) -> Self {
        let mut member = Vec::new();
        push_string(&mut member, &column.name);
        member.push(b':');
        let levels = match &column.cells {
            Cells::Levels { levels, .. } => levels
                .iter()
                .map(|level| {
                    let mut text = Vec::new();
                    push_string(&mut text, level);
                    text
                })
                .collect(),
            Cells::Integer(_) | Cells::Decimal(_) | Cells::Text { .. } => Vec::new(),
        };
        Self {
            column,
            member,
            levels,
            decimal: ryu_js::Buffer::new(),
        }
    }

    fn print(&mut self, row_idx: usize, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(&self.member);
        if self.column.missing(row_idx).is_some() {
            buffer.extend_from_slice(b"null");
            return;
        }
        match &self.column.cells {
            Cells::Integer(values) => {
                write!(buffer, "{}", values[row_idx]).expect("a Vec takes every byte");
            }
            Cells::Decimal(values) => {
                buffer.extend_from_slice(self.decimal.format_finite(values[row_idx]).as_bytes());
            }
            Cells::Levels { codes, .. } => buffer.extend_from_slice(&self.levels[codes[row_idx] as usize]),
            Cells::Text { text, ends } => {
                let start = if row_idx == 0 { 0 } else { ends[row_idx - 1] };
                push_string(buffer, &text[start..ends[row_idx]]);
            }
        }
    }
}

/// A JSON string with the escapes of RFC 8785, section 3.2.2.2, and no others.
fn push_string(buffer: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    buffer.push(b'"');
    let bytes = text.as_bytes();
    let mut plain_from = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        buffer.extend_from_slice(&bytes[plain_from..at]);
        plain_from = at + 1;
        match byte {
            b'"' => buffer.extend_from_slice(b"\\\""),
            b'\\' => buffer.extend_from_slice(b"\\\\"),
            0x08 => buffer.extend_from_slice(b"\\b"),
            0x09 => buffer.extend_from_slice(b"\\t"),
            0x0a => buffer.extend_from_slice(b"\\n"),
            0x0c => buffer.extend_from_slice(b"\\f"),
            0x0d => buffer.extend_from_slice(b"\\r"),
            _ => {
                buffer.extend_from_slice(b"\\u00");
                buffer.push(HEX[usize::from(byte >> 4)]);
                buffer.push(HEX[usize::from(byte & 15)]);
            }
        }
    }
    buffer.extend_from_slice(&bytes[plain_from..]);
    buffer.push(b'"');
}
