//! Dataset identity `sha256-canonical-dataset-v1`: the canonical text of a dataset, streamed into SHA-256.
//!
//! The text is one RFC 8785 object with the members `columns` (name and type of each, in declared order), `edges`
//! (only when the dataset has an edge list, even an empty one), `name` and `rows` (each an object of the declared
//! columns). Row keys, units, measurement models and the import recipe are not part of it. A missing cell is `null`
//! whichever way it is missing; the recipe and the columns keep the difference. Numbers are printed as ECMAScript
//! prints them, so the integer 1 and the decimal 1.0 are the same number.
//!
//! Rows are printed block by block, several blocks at a time, while the blocks before are hashed in their order: the
//! digest is that of the one text, however many threads print.
//!
//! Memory: two rounds of blocks of at most [`MAX_BLOCK`] bytes and a row each, whatever the dataset's size.

use std::ops::Range;

use identity::{DigestWriter, Fingerprint, utf16_cmp};
use rayon::prelude::*;

use crate::column::{Cells, Column};
use crate::edges::Edges;

/// How many bytes are gathered before they go to a reader of the text.
const FLUSH_AT: usize = 64 * 1024;
/// Cells of a block; a block has at least one row.
const BLOCK_CELLS: usize = 32 * 1024;
/// A block that is longer in bytes is printed no further ahead.
const MAX_BLOCK: usize = 1 << 20;
/// Blocks printed at a time, for each thread.
const BLOCKS_A_THREAD: usize = 2;

pub(crate) fn fingerprint(
    name: &str,
    columns: &[Column],
    n_rows: usize,
    edges: Option<&Edges>,
) -> Fingerprint {
    let mut digest = DigestWriter::new();
    digest.update(&before_rows(name, columns, edges));
    let printers = Printers::new(columns);
    let block = (BLOCK_CELLS / columns.len().max(1)).max(1);
    let n_ahead = rayon::current_num_threads().clamp(1, 64) * BLOCKS_A_THREAD;
    let round = |from: usize| -> Vec<Block> {
        let starts = (from..n_rows).step_by(block).take(n_ahead);
        let starts: Vec<usize> = starts.collect();
        starts
            .into_par_iter()
            .map(|start| printers.block(start..(start + block).min(n_rows)))
            .collect()
    };
    let mut printed = round(0);
    while let Some(last) = printed.last() {
        let from = last.rows.end;
        let hash = || {
            for block in &printed {
                printers.finish(block, &mut |bytes| digest.update(bytes));
            }
        };
        let ((), next) = rayon::join(hash, || round(from));
        printed = next;
    }
    digest.update(AFTER_ROWS);
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
    out(&before_rows(name, columns, edges));
    let unprinted = Block {
        rows: 0..n_rows,
        n_printed: 0,
        text: Vec::new(),
    };
    Printers::new(columns).finish(&unprinted, out);
    out(AFTER_ROWS);
}

const AFTER_ROWS: &[u8] = b"]}";

fn before_rows(name: &str, columns: &[Column], edges: Option<&Edges>) -> Vec<u8> {
    let mut text = b"{\"columns\":[".to_vec();
    for (column_idx, column) in columns.iter().enumerate() {
        if column_idx > 0 {
            text.push(b',');
        }
        text.extend_from_slice(b"{\"name\":");
        push_string(&mut text, &column.name);
        text.extend_from_slice(b",\"type\":");
        push_string(&mut text, column.kind.word());
        text.push(b'}');
    }
    text.push(b']');
    if let Some(edges) = edges {
        text.extend_from_slice(b",\"edges\":");
        text.extend_from_slice(edges.canonical());
    }
    text.extend_from_slice(b",\"name\":");
    push_string(&mut text, name);
    text.extend_from_slice(b",\"rows\":[");
    text
}

/// Rows, and the text of the first of them.
struct Block {
    rows: Range<usize>,
    n_printed: usize,
    text: Vec<u8>,
}

/// Every column's printer, in the order of member names.
struct Printers<'a>(Vec<Printer<'a>>);

impl<'a> Printers<'a> {
    fn new(columns: &'a [Column]) -> Self {
        let mut columns: Vec<&Column> = columns.iter().collect();
        columns.sort_by(|a, b| utf16_cmp(&a.name, &b.name));
        let printers = columns.into_iter().enumerate();
        Self(
            printers
                .map(|(member_idx, column)| Printer::new(column, member_idx))
                .collect(),
        )
    }

    fn row(&self, row_idx: usize, text: &mut Vec<u8>) {
        if row_idx > 0 {
            text.push(b',');
        }
        if self.0.is_empty() {
            text.push(b'{');
        }
        for printer in &self.0 {
            printer.print(row_idx, text);
        }
        text.push(b'}');
    }

    fn block(&self, rows: Range<usize>) -> Block {
        let mut text = Vec::with_capacity(FLUSH_AT);
        let mut n_printed = 0;
        for row_idx in rows.clone() {
            if text.len() > MAX_BLOCK {
                break;
            }
            self.row(row_idx, &mut text);
            n_printed += 1;
        }
        Block {
            rows,
            n_printed,
            text,
        }
    }

    /// Hands out a block's text, printing what is not printed yet.
    fn finish(&self, block: &Block, out: &mut dyn FnMut(&[u8])) {
        out(&block.text);
        let mut text = Vec::new();
        for row_idx in block.rows.clone().skip(block.n_printed) {
            self.row(row_idx, &mut text);
            if text.len() >= FLUSH_AT {
                out(&text);
                text.clear();
            }
        }
        out(&text);
    }
}

/// Prints one member of every row.
struct Printer<'a> {
    column: &'a Column,
    /// The name, with what stands before it and the colon behind.
    member: Vec<u8>,
    /// The member whose value is null.
    null: Vec<u8>,
    /// Of a column of levels, the member of each, one behind the other.
    levels: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl<'a> Printer<'a> {
    fn new(column: &'a Column, member_idx: usize) -> Self {
        let mut member = vec![if member_idx == 0 { b'{' } else { b',' }];
        push_string(&mut member, &column.name);
        member.push(b':');
        let null = [member.as_slice(), b"null"].concat();
        let (mut levels, mut ends) = (Vec::new(), Vec::new());
        if let Cells::Levels { levels: texts, .. } = &column.cells {
            ends.reserve_exact(texts.len());
            for text in texts {
                levels.extend_from_slice(&member);
                push_string(&mut levels, text);
                ends.push(levels.len());
            }
        }
        Self {
            column,
            member,
            null,
            levels,
            ends,
        }
    }

    fn print(&self, row_idx: usize, text: &mut Vec<u8>) {
        if self.column.missing(row_idx).is_some() {
            text.extend_from_slice(&self.null);
            return;
        }
        match &self.column.cells {
            Cells::Integer(values) => {
                text.extend_from_slice(&self.member);
                push_integer(text, values[row_idx]);
            }
            Cells::Decimal(values) => {
                text.extend_from_slice(&self.member);
                let mut decimal = ryu_js::Buffer::new();
                text.extend_from_slice(decimal.format_finite(values[row_idx]).as_bytes());
            }
            Cells::Levels { codes, .. } => {
                let code = codes[row_idx] as usize;
                let from = if code == 0 { 0 } else { self.ends[code - 1] };
                text.extend_from_slice(&self.levels[from..self.ends[code]]);
            }
            Cells::Text { text: all, ends } => {
                text.extend_from_slice(&self.member);
                let start = if row_idx == 0 { 0 } else { ends[row_idx - 1] };
                push_string(text, &all[start..ends[row_idx]]);
            }
        }
    }
}

/// An integer in decimal digits, two at a time from the end.
fn push_integer(text: &mut Vec<u8>, value: i64) {
    const PAIRS: &[u8; 200] = b"0001020304050607080910111213141516171819\
        2021222324252627282930313233343536373839\
        4041424344454647484950515253545556575859\
        6061626364656667686970717273747576777879\
        8081828384858687888990919293949596979899";
    let mut digits = [0_u8; 20];
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    while rest >= 100 {
        let pair = usize::try_from(rest % 100).expect("below 100") * 2;
        rest /= 100;
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    let pair = usize::try_from(rest).expect("below 100") * 2;
    if rest >= 10 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    } else {
        at -= 1;
        digits[at] = PAIRS[pair + 1];
    }
    if value < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    text.extend_from_slice(&digits[at..]);
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

#[cfg(test)]
mod tests {
    use super::push_integer;

    #[test]
    fn integers_print_as_the_standard_library_prints_them() {
        let edges = [
            0,
            9,
            10,
            99,
            100,
            101,
            999,
            1_000,
            12_345,
            i64::MAX,
            (1 << 53) - 1,
        ];
        for value in edges
            .into_iter()
            .flat_map(|value| [value, -value])
            .chain([i64::MIN])
        {
            let mut text = Vec::new();
            push_integer(&mut text, value);
            assert_eq!(String::from_utf8(text).unwrap(), value.to_string());
        }
    }
}
