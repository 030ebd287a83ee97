//! Arrow IPC: record batches one after the other, in a file with an index behind or in a stream without.
//!
//! Source: <https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc>. Feather
//! version 2 is the file. Buffers may be compressed with lz4 or zstd.

use std::ops::Range;
use std::sync::Arc;

use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{Block, CompressionType, Message, MessageHeader, MetadataVersion, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use rayon::prelude::*;

use super::gather::Gather;
use super::{check_decompressed, check_promised};
use crate::error::{ImportError, Place};
use crate::held::HeldColumn;
use crate::limits::Limits;
use crate::options::Format;
use crate::progress::{Listener, Phase, tell};

const FILE: &[u8] = b"ARROW1";
const FEATHER_1: &[u8] = b"FEA1";
/// In front of a message, since version 0.15 of the format.
const CONTINUES: [u8; 4] = [0xff; 4];
/// Bytes behind the footer of a file: its length and the magic number.
const TAIL: usize = 4 + FILE.len();
/// In front of a compressed buffer: its length once decompressed.
const LENGTH_BEFORE: usize = 8;
/// That length, when the buffer is not compressed after all.
const AS_IT_IS: i64 = -1;

/// A message whose parts lie in the file.
#[derive(Clone, Debug)]
struct Frame {
    /// The flatbuffer alone.
    head: Range<usize>,
    body: Range<usize>,
}

/// An Arrow file or stream whose frames lie in the file.
pub(super) struct Ipc<'a> {
    bytes: &'a [u8],
    schema: SchemaRef,
    /// Dictionaries and record batches in the order in which they count.
    frames: Vec<Frame>,
    n_rows: usize,
}

fn damaged(what: impl Into<String>, at: usize) -> ImportError {
    ImportError::Damaged {
        format: Format::Arrow,
        place: Some(Place::Offset(at)),
        what: what.into(),
    }
}

fn said(error: &ArrowError, at: usize) -> ImportError {
    damaged(error.to_string(), at)
}

impl<'a> Ipc<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ImportError> {
        if bytes.starts_with(FEATHER_1) {
            return Err(ImportError::UnsupportedVariant {
                found: "a Feather file of version 1".to_owned(),
                instead: "write it again as Feather version 2, Arrow IPC, Parquet or CSV",
            });
        }
        let (schema, frames) = if bytes.starts_with(FILE) {
            file(bytes)?
        } else {
            stream(bytes)?
        };
        Ok(Self {
            bytes,
            schema,
            frames,
            n_rows: 0,
        })
    }

    /// Checks what the frames promise, once every column is known to be flat.
    pub(super) fn check(&mut self, limits: &Limits) -> Result<(), ImportError> {
        self.n_rows = self.check_frames(limits)?;
        Ok(())
    }

    pub(super) fn fields(&self) -> Vec<Field> {
        self.schema
            .fields()
            .iter()
            .map(|field| field.as_ref().clone())
            .collect()
    }

    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Whether every buffer lies in its body and decompresses within the limits. Answers how many rows there are.
    fn check_frames(&self, limits: &Limits) -> Result<usize, ImportError> {
        let n_columns = self.schema.fields().len();
        let (mut n_rows, mut n_bytes) = (0_usize, 0_usize);
        for frame in &self.frames {
            let at = frame.head.start;
            let message = message(self.bytes, &frame.head)?;
            if let Some(batch) = message.header_as_record_batch() {
                let widths = self.schema.fields().iter().map(|field| field.data_type());
                let widths = widths_of(widths, batch);
                let n = self.check_batch(batch, &widths, frame, &mut n_bytes, limits)?;
                n_rows = n_rows.saturating_add(n);
                check_promised(n_rows, n_columns, limits)?;
            } else if let Some(dictionary) = message.header_as_dictionary_batch() {
                let batch = dictionary
                    .data()
                    .ok_or_else(|| damaged("a dictionary without texts", at))?;
                let texts = self
                    .schema
                    .fields()
                    .iter()
                    .find_map(|field| match field.data_type() {
                        #[expect(deprecated, reason = "the id is what a dictionary is known by here")]
                        DataType::Dictionary(_, texts) if field.dict_id() == Some(dictionary.id()) => {
                            Some(texts)
                        }
                        _ => None,
                    });
                let texts = texts.ok_or_else(|| damaged("a dictionary that no column has", at))?;
                let widths = widths_of([texts.as_ref()].into_iter(), batch);
                let n = self.check_batch(batch, &widths, frame, &mut n_bytes, limits)?;
                check_promised(n, 1, limits)?;
            } else {
                return Err(damaged("a message that is neither a batch nor a dictionary", at));
            }
        }
        Ok(n_rows)
    }

    fn check_batch(
        &self,
        batch: RecordBatch<'_>,
        widths: &[usize],
        frame: &Frame,
        n_bytes: &mut usize,
        limits: &Limits,
    ) -> Result<usize, ImportError> {
        let at = frame.head.start;
        let n_rows =
            usize::try_from(batch.length()).map_err(|_| damaged("a batch has fewer than no rows", at))?;
        for node in batch.nodes().into_iter().flatten() {
            if !(0..=node.length()).contains(&node.null_count()) {
                return Err(damaged("a column of a batch has more nulls than rows", at));
            }
            if usize::try_from(node.length()) != Ok(n_rows) {
                return Err(damaged("a column of a batch is not as long as the batch", at));
            }
        }
        // What the decoder takes one after the other, whatever the batch holds.
        for count in batch.variadicBufferCounts().into_iter().flatten() {
            let n_buffers = batch.buffers().map_or(0, |buffers| buffers.len());
            if usize::try_from(count).is_err() || usize::try_from(count).is_ok_and(|count| count > n_buffers)
            {
                return Err(damaged("a batch promises buffers that it does not have", at));
            }
        }
        let compressed = match batch.compression() {
            None => false,
            Some(compression) => match compression.codec() {
                CompressionType::LZ4_FRAME | CompressionType::ZSTD => true,
                _ => {
                    return Err(ImportError::UnsupportedVariant {
                        found: "an Arrow file compressed with an unknown codec".to_owned(),
                        instead: "write it again compressed with zstd or lz4, or not at all",
                    });
                }
            },
        };
        let body = &self.bytes[frame.body.clone()];
        for (buffer_idx, buffer) in batch.buffers().into_iter().flatten().enumerate() {
            let range = usize::try_from(buffer.offset())
                .ok()
                .zip(usize::try_from(buffer.length()).ok());
            let held = range.and_then(|(from, len)| body.get(from..from.checked_add(len)?));
            let Some(held) = held else {
                return Err(damaged("a buffer lies outside its batch", at));
            };
            let mut n = held.len();
            if compressed && n > 0 {
                let Some(length) = held.first_chunk::<LENGTH_BEFORE>() else {
                    return Err(damaged("a compressed buffer does not say how long it is", at));
                };
                n = match i64::from_le_bytes(*length) {
                    AS_IT_IS => n - LENGTH_BEFORE,
                    length => usize::try_from(length)
                        .map_err(|_| damaged("a compressed buffer is shorter than nothing", at))?,
                };
                check_decompressed(n_bytes, n, limits)?;
            }
            if !n.is_multiple_of(widths.get(buffer_idx).copied().unwrap_or(1)) {
                return Err(damaged("a buffer ends inside a value", at));
            }
        }
        Ok(n_rows)
    }

    /// Reads every batch, its columns side by side.
    pub(super) fn gather(
        &self,
        mut gathers: Vec<Gather>,
        listener: &mut Listener<'_>,
    ) -> Result<Vec<HeldColumn>, ImportError> {
        let mut dictionaries = Default::default();
        let mut done = 0;
        for frame in &self.frames {
            tell(listener, Phase::Decoding, done, Some(self.n_rows))?;
            let at = frame.head.start;
            let message = message(self.bytes, &frame.head)?;
            let version: MetadataVersion = message.version();
            // Copied, so that every buffer begins where its numbers may.
            let body = self.bytes[frame.body.clone()].to_vec().into();
            if let Some(dictionary) = message.header_as_dictionary_batch() {
                read_dictionary(&body, dictionary, &self.schema, &mut dictionaries, &version)
                    .map_err(|error| said(&error, at))?;
                continue;
            }
            let Some(batch) = message.header_as_record_batch() else {
                continue;
            };
            let read: Vec<Result<(), ImportError>> = gathers
                .par_iter_mut()
                .enumerate()
                .map(|(column_idx, gather)| {
                    let schema = Arc::clone(&self.schema);
                    let only = [column_idx];
                    let batch = read_record_batch(&body, batch, schema, &dictionaries, Some(&only), &version)
                        .map_err(|error| said(&error, at))?;
                    gather.push(batch.column(0))
                })
                .collect();
            read.into_iter().collect::<Result<(), ImportError>>()?;
            done += usize::try_from(batch.length()).unwrap_or(0);
        }
        Ok(gathers.into_iter().map(Gather::finish).collect())
    }
}

/// How many bytes a value has in each buffer of a batch of flat columns; 1 where a buffer holds bits or bytes.
fn widths_of<'t>(types: impl Iterator<Item = &'t DataType>, batch: RecordBatch<'_>) -> Vec<usize> {
    let mut variadic = batch.variadicBufferCounts().into_iter().flatten();
    let mut widths = Vec::new();
    for data_type in types {
        match data_type {
            DataType::Null => {}
            DataType::Utf8 => widths.extend([1, 4, 1]),
            DataType::LargeUtf8 => widths.extend([1, 8, 1]),
            DataType::Utf8View => {
                widths.extend([1, 16]);
                // No more than there are buffers, whatever the batch says.
                let n = variadic.next().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
                let n_buffers = batch.buffers().map_or(0, |buffers| buffers.len());
                widths.extend(std::iter::repeat_n(1, n.min(n_buffers)));
            }
            DataType::Dictionary(keys, _) => widths.extend([1, keys.primitive_width().unwrap_or(1)]),
            other => widths.extend([1, other.primitive_width().unwrap_or(1)]),
        }
    }
    widths
}

fn message<'b>(bytes: &'b [u8], head: &Range<usize>) -> Result<Message<'b>, ImportError> {
    arrow_ipc::root_as_message(&bytes[head.clone()])
        .map_err(|error| damaged(format!("a message can't be read: {error}"), head.start))
}

fn little_endian(bytes: &[u8], at: usize) -> Option<i32> {
    let length = bytes.get(at..)?.first_chunk::<4>()?;
    Some(i32::from_le_bytes(*length))
}

fn schema_of(schema: arrow_ipc::Schema<'_>, at: usize) -> Result<SchemaRef, ImportError> {
    if !schema.endianness().equals_to_target_endianness() {
        return Err(ImportError::UnsupportedVariant {
            found: "an Arrow file of a machine with another byte order".to_owned(),
            instead: "write it again on a machine with the usual byte order, or as Parquet or CSV",
        });
    }
    try_fb_to_schema(schema)
        .map(Arc::new)
        .map_err(|error| said(&error, at))
}

/// The parts of a file, as its footer lists them.
fn file(bytes: &[u8]) -> Result<(SchemaRef, Vec<Frame>), ImportError> {
    let not_ended = || {
        damaged(
            "it does not end with `ARROW1`, so it was not written to its end",
            bytes.len(),
        )
    };
    if bytes.len() < FILE.len() + TAIL || !bytes.ends_with(FILE) {
        return Err(not_ended());
    }
    let tail_at = bytes.len() - TAIL;
    let n_footer = little_endian(bytes, tail_at).and_then(|n| usize::try_from(n).ok());
    let from = n_footer
        .and_then(|n| tail_at.checked_sub(n))
        .filter(|&from| from >= FILE.len());
    let Some(from) = from else {
        return Err(damaged("its footer is longer than the file", tail_at));
    };
    let footer = arrow_ipc::root_as_footer(&bytes[from..tail_at])
        .map_err(|error| damaged(format!("its footer can't be read: {error}"), from))?;
    let schema = footer
        .schema()
        .ok_or_else(|| damaged("its footer names no columns", from))?;
    let schema = schema_of(schema, from)?;
    let blocks = footer.dictionaries().into_iter().flatten();
    let blocks = blocks.chain(footer.recordBatches().into_iter().flatten());
    let frames = blocks
        .map(|block| frame_of(bytes, block))
        .collect::<Result<Vec<Frame>, ImportError>>()?;
    Ok((schema, frames))
}

fn frame_of(bytes: &[u8], block: &Block) -> Result<Frame, ImportError> {
    let part = |n: i64| usize::try_from(n).ok();
    let parts = || {
        let from = part(block.offset())?;
        let body_from = from.checked_add(part(i64::from(block.metaDataLength()))?)?;
        let body_to = body_from.checked_add(part(block.bodyLength())?)?;
        let prefix = if bytes.get(from..)?.starts_with(&CONTINUES) {
            8
        } else {
            4
        };
        let head = from + prefix..body_from;
        (head.start <= head.end && body_to <= bytes.len()).then_some(Frame {
            head,
            body: body_from..body_to,
        })
    };
    let at = part(block.offset()).unwrap_or(0);
    parts().ok_or_else(|| damaged("a batch lies outside the file", at))
}

/// The parts of a stream, one behind the other.
fn stream(bytes: &[u8]) -> Result<(SchemaRef, Vec<Frame>), ImportError> {
    let mut at = 0;
    let mut schema: Option<SchemaRef> = None;
    let mut frames = Vec::new();
    while at < bytes.len() {
        let from = at;
        let ends = || damaged("it ends inside a message", from);
        if bytes[at..].starts_with(&CONTINUES) {
            at += CONTINUES.len();
        }
        let n_head = little_endian(bytes, at).ok_or_else(ends)?;
        at += 4;
        if n_head == 0 {
            break;
        }
        let n_head = usize::try_from(n_head).map_err(|_| damaged("a message of less than no bytes", from))?;
        let body_from = at
            .checked_add(n_head)
            .filter(|&to| to <= bytes.len())
            .ok_or_else(ends)?;
        let head = at..body_from;
        let message = message(bytes, &head)?;
        let n_body = usize::try_from(message.bodyLength())
            .map_err(|_| damaged("a message with less than no body", from))?;
        let to = body_from
            .checked_add(n_body)
            .filter(|&to| to <= bytes.len())
            .ok_or_else(ends)?;
        match (message.header_type(), &schema) {
            (MessageHeader::Schema, None) => {
                let stated = message.header_as_schema().ok_or_else(ends)?;
                schema = Some(schema_of(stated, from)?);
            }
            (MessageHeader::Schema, Some(_)) => return Err(damaged("a second list of columns", from)),
            (_, None) => return Err(damaged("rows come before the list of columns", from)),
            (_, Some(_)) => frames.push(Frame {
                head,
                body: body_from..to,
            }),
        }
        at = to;
    }
    match schema {
        Some(schema) => Ok((schema, frames)),
        None => Err(damaged("it names no columns", 0)),
    }
}
