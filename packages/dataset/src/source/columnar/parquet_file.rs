//! Parquet: row groups of column chunks, each chunk read by itself.
//!
//! Source: <https://parquet.apache.org/docs/file-format/>. Flat columns only; compressed with snappy, gzip, lz4 or zstd.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::basic::CompressionCodec;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};
use rayon::prelude::*;

use super::gather::{Gather, is_text};
use super::sound::OneChunk;
use super::{check_decompressed, check_promised, pages};
use crate::error::{ImportError, Place};
use crate::held::HeldColumn;
use crate::limits::Limits;
use crate::options::Format;
use crate::progress::{Listener, Phase, tell};

/// The magic number, in front and behind.
const MAGIC: &[u8] = b"PAR1";
const ENCRYPTED: &[u8] = b"PARE";
/// Bytes behind the footer: its length and the magic number.
const TAIL: usize = 8;
/// Rows of one column that are decoded at a time.
const BATCH: usize = 1 << 16;
/// Rows of every column between two words to the listener.
const ROUND: usize = BATCH * 4;

/// A Parquet file whose footer was read.
pub(super) struct Parquet<'a> {
    bytes: &'a [u8],
    metadata: Arc<ParquetMetaData>,
    /// Every text as a text.
    plain: ArrowReaderMetadata,
    /// Every text as a key of a dictionary.
    keyed: ArrowReaderMetadata,
    n_rows: usize,
    max_bytes: usize,
    /// Row group by row group, column by column; empty until [`Self::check`].
    chunks: Vec<Vec<Chunk>>,
}

/// A column chunk: where it lies, and what its pages hold.
struct Chunk {
    from: usize,
    to: usize,
    by_dictionary: bool,
}

fn damaged(what: impl Into<String>, place: Option<usize>) -> ImportError {
    ImportError::Damaged {
        format: Format::Parquet,
        place: place.map(Place::Offset),
        what: what.into(),
    }
}

fn said(error: &ParquetError) -> ImportError {
    damaged(error.to_string(), None)
}

impl<'a> Parquet<'a> {
    pub(super) fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, ImportError> {
        let metadata = footer(bytes)?;
        let n_columns = metadata.file_metadata().schema_descr().num_columns();
        let mut n_rows = 0_usize;
        for group in metadata.row_groups() {
            let n = usize::try_from(group.num_rows())
                .map_err(|_| damaged("a row group has fewer than no rows", None))?;
            n_rows = n_rows.saturating_add(n);
            check_promised(n_rows, n_columns, limits)?;
        }
        let metadata = Arc::new(metadata);
        let (plain, keyed) = schemas(&metadata)?;
        Ok(Self {
            bytes,
            metadata,
            plain,
            keyed,
            n_rows,
            max_bytes: limits.max_bytes,
            chunks: Vec::new(),
        })
    }

    /// Checks what the chunks promise, once every column is known to be flat.
    pub(super) fn check(&mut self, limits: &Limits) -> Result<(), ImportError> {
        self.chunks = self.check_chunks(limits)?;
        Ok(())
    }

    pub(super) fn fields(&self) -> Vec<Field> {
        let fields = self.plain.schema().fields().iter();
        fields.map(|field| field.as_ref().clone()).collect()
    }

    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Walks every page header; what a chunk promises must lie in the file and within the limits.
    fn check_chunks(&self, limits: &Limits) -> Result<Vec<Vec<Chunk>>, ImportError> {
        let mut n_bytes = 0;
        let mut all = Vec::with_capacity(self.metadata.num_row_groups());
        for group in self.metadata.row_groups() {
            let n_rows = usize::try_from(group.num_rows()).unwrap_or(0);
            let mut chunks = Vec::with_capacity(group.num_columns());
            for column in group.columns() {
                let name = column.column_descr().name();
                let unread = match column.compression_codec() {
                    CompressionCodec::BROTLI => Some("brotli"),
                    CompressionCodec::LZO => Some("LZO"),
                    _ => None,
                };
                if let Some(codec) = unread {
                    return Err(ImportError::UnsupportedVariant {
                        found: format!("a Parquet file compressed with {codec}"),
                        instead: "write it again compressed with zstd, snappy, gzip or lz4, or not at all",
                    });
                }
                let outside = || damaged(format!("column `{name}` lies outside the file"), None);
                let from = column
                    .dictionary_page_offset()
                    .unwrap_or(column.data_page_offset());
                let from = usize::try_from(from).map_err(|_| outside())?;
                let len = usize::try_from(column.compressed_size()).map_err(|_| outside())?;
                let to = from
                    .checked_add(len)
                    .filter(|&to| to <= self.bytes.len())
                    .ok_or_else(outside)?;
                if usize::try_from(column.num_values()) != Ok(n_rows) {
                    let what = format!("column `{name}` does not have a value or a null in every row");
                    return Err(damaged(what, Some(from)));
                }
                let pages = pages::walk(&self.bytes[from..to], n_rows)
                    .map_err(|(at, what)| damaged(format!("column `{name}`: {what}"), Some(from + at)))?;
                check_decompressed(&mut n_bytes, pages.n_bytes, limits)?;
                chunks.push(Chunk {
                    from,
                    to,
                    by_dictionary: pages.by_dictionary,
                });
            }
            all.push(chunks);
        }
        Ok(all)
    }

    /// Reads every column, a round of rows at a time.
    pub(super) fn gather(
        &self,
        gathers: Vec<Gather>,
        listener: &mut Listener<'_>,
    ) -> Result<Vec<HeldColumn>, ImportError> {
        let mut columns: Vec<Reading<'_>> = gathers
            .into_iter()
            .enumerate()
            .map(|(column_idx, gather)| Reading {
                file: self,
                column_idx,
                gather,
                group_idx: 0,
                group_ends: 0,
                reader: None,
            })
            .collect();
        let mut done = 0;
        while done < self.n_rows {
            tell(listener, Phase::Decoding, done, Some(self.n_rows))?;
            done = (done + ROUND).min(self.n_rows);
            let read: Vec<Result<(), ImportError>> = columns
                .par_iter_mut()
                .map(|column| column.read_to(done))
                .collect();
            read.into_iter().collect::<Result<(), ImportError>>()?;
        }
        Ok(columns.into_iter().map(|column| column.gather.finish()).collect())
    }
}

/// The footer, once it lies in the file.
fn footer(bytes: &[u8]) -> Result<ParquetMetaData, ImportError> {
    if bytes.starts_with(ENCRYPTED) || bytes.ends_with(ENCRYPTED) {
        return Err(ImportError::UnsupportedVariant {
            found: "an encrypted Parquet file".to_owned(),
            instead: "write it again without encryption",
        });
    }
    if bytes.len() < MAGIC.len() + TAIL || !bytes.ends_with(MAGIC) {
        let what = "it does not end with `PAR1`, so it was not written to its end";
        return Err(damaged(what, Some(bytes.len())));
    }
    let tail_at = bytes.len() - TAIL;
    let n_footer = u32::from_le_bytes([
        bytes[tail_at],
        bytes[tail_at + 1],
        bytes[tail_at + 2],
        bytes[tail_at + 3],
    ]);
    let n_footer = usize::try_from(n_footer).unwrap_or(usize::MAX);
    match tail_at.checked_sub(n_footer) {
        Some(from) if from >= MAGIC.len() => {
            ParquetMetaDataReader::decode_metadata(&bytes[from..tail_at]).map_err(|error| said(&error))
        }
        _ => Err(damaged("its footer is longer than the file", Some(tail_at))),
    }
}

/// How columns are to be read, texts in two ways.
fn schemas(
    metadata: &Arc<ParquetMetaData>,
) -> Result<(ArrowReaderMetadata, ArrowReaderMetadata), ImportError> {
    let stated = ArrowReaderMetadata::try_new(Arc::clone(metadata), ArrowReaderOptions::new())
        .map_err(|error| said(&error))?;
    let read_as = |text: DataType| {
        let fields = stated.schema().fields().iter().map(|field| {
            if is_text(field.data_type()) {
                Arc::new(field.as_ref().clone().with_data_type(text.clone()))
            } else {
                Arc::clone(field)
            }
        });
        let schema =
            Schema::new_with_metadata(fields.collect::<Vec<_>>(), stated.schema().metadata().clone());
        let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
        ArrowReaderMetadata::try_new(Arc::clone(metadata), options).map_err(|error| said(&error))
    };
    let keyed = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    Ok((read_as(DataType::LargeUtf8)?, read_as(keyed)?))
}

/// A column that is being read.
struct Reading<'a> {
    file: &'a Parquet<'a>,
    column_idx: usize,
    gather: Gather,
    /// The row group that comes next.
    group_idx: usize,
    /// How many rows there are once the row group at hand is read.
    group_ends: usize,
    reader: Option<ParquetRecordBatchReader>,
}

impl Reading<'_> {
    /// Reads until there are at least `n_rows` rows.
    fn read_to(&mut self, n_rows: usize) -> Result<(), ImportError> {
        while self.gather.n_rows() < n_rows {
            let Some(reader) = &mut self.reader else {
                self.next_group()?;
                continue;
            };
            match reader.next() {
                Some(Ok(batch)) => {
                    let array: &ArrayRef = batch.column(0);
                    self.gather.push(array)?;
                }
                Some(Err(error)) => return Err(self.broken(&error.to_string())),
                None => {
                    self.reader = None;
                    if self.gather.n_rows() != self.group_ends {
                        return Err(self.broken("a row group has fewer rows than it says"));
                    }
                }
            }
            if self.gather.n_rows() > self.group_ends {
                return Err(self.broken("a row group has more rows than it says"));
            }
        }
        Ok(())
    }

    fn broken(&self, what: &str) -> ImportError {
        let name = &self.file.plain.schema().fields()[self.column_idx].name().clone();
        let row = self.gather.n_rows() + 1;
        ImportError::Damaged {
            format: Format::Parquet,
            place: Some(Place::Row { row }),
            what: format!("column `{name}`: {what}"),
        }
    }

    fn next_group(&mut self) -> Result<(), ImportError> {
        let group_idx = self.group_idx;
        let Some(chunks) = self.file.chunks.get(group_idx) else {
            return Err(self.broken("there are fewer rows than the file says"));
        };
        self.group_idx += 1;
        let chunk = &chunks[self.column_idx];
        let group = self.file.metadata.row_group(group_idx);
        self.group_ends += usize::try_from(group.num_rows()).unwrap_or(0);
        let metadata = if chunk.by_dictionary {
            &self.file.keyed
        } else {
            &self.file.plain
        };
        let window = Window {
            bytes: Bytes::copy_from_slice(&self.file.bytes[chunk.from..chunk.to]),
            from: chunk.from,
        };
        let one = OneChunk {
            file: Arc::clone(&self.file.metadata),
            group_idx,
            column_idx: self.column_idx,
            chunk: Arc::new(window),
            max_bytes: self.file.max_bytes,
        };
        let only = ProjectionMask::leaves(metadata.parquet_schema(), [self.column_idx]);
        let fields = Some(metadata.schema().fields());
        let reader = parquet_to_arrow_field_levels(metadata.parquet_schema(), only, fields)
            .and_then(|levels| ParquetRecordBatchReader::try_new_with_row_groups(&levels, &one, BATCH, None));
        self.reader = Some(reader.map_err(|error| self.broken(&error.to_string()))?);
        Ok(())
    }
}

/// The bytes of one chunk, at their place in the file; the rest of the file is out of reach.
struct Window {
    bytes: Bytes,
    from: usize,
}

impl Window {
    fn slice(&self, start: u64, len: Option<usize>) -> Result<Bytes, ParquetError> {
        let from = usize::try_from(start)
            .ok()
            .and_then(|start| start.checked_sub(self.from));
        let to = match (from, len) {
            (Some(from), Some(len)) => from.checked_add(len),
            (_, None) => Some(self.bytes.len()),
            (None, _) => None,
        };
        match (from, to) {
            (Some(from), Some(to)) if from <= to && to <= self.bytes.len() => Ok(self.bytes.slice(from..to)),
            _ => Err(ParquetError::EOF("a page reaches beyond its column".to_owned())),
        }
    }
}

impl Length for Window {
    fn len(&self) -> u64 {
        (self.from + self.bytes.len()) as u64
    }
}

impl ChunkReader for Window {
    type T = Cursor<Bytes>;

    fn get_read(&self, start: u64) -> Result<Cursor<Bytes>, ParquetError> {
        self.slice(start, None).map(Cursor::new)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.slice(start, Some(length))
    }
}
