//! Pages as the decoders of the `parquet` crate take them: each is looked at once it is decompressed and before it is
//! decoded.
//!
//! What is checked is what those decoders take for granted, where they would stop the program: that levels cover their
//! values and lie in their page, that an encoding goes with its type, that keys come behind their dictionary.
//!
//! Source: <https://github.com/apache/parquet-format>, `Encodings.md`.

use std::sync::Arc;

use bytes::Bytes;
use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, SerializedPageReader};

use super::deltas;

/// Types and lengths of a column's values, and whether a value may be missing.
#[derive(Clone, Copy, Debug)]
struct Shape {
    physical: Type,
    /// Bytes of a value of fixed length.
    width: Option<usize>,
    optional: bool,
}

/// One chunk of one column, as a collection of row groups.
pub(super) struct OneChunk<R> {
    pub(super) file: Arc<ParquetMetaData>,
    pub(super) group_idx: usize,
    pub(super) column_idx: usize,
    pub(super) chunk: Arc<R>,
    /// Bytes that the texts of one page may come to.
    pub(super) max_bytes: usize,
}

impl<R: ChunkReader + 'static> RowGroups for OneChunk<R> {
    fn num_rows(&self) -> usize {
        usize::try_from(self.file.row_group(self.group_idx).num_rows()).unwrap_or(0)
    }

    fn column_chunks(&self, column_idx: usize) -> Result<Box<dyn PageIterator>, ParquetError> {
        if column_idx != self.column_idx {
            return Err(broken("another column was asked for"));
        }
        let column = self.file.row_group(self.group_idx).column(column_idx);
        let described = column.column_descr();
        let physical = described.physical_type();
        let shape = Shape {
            physical,
            width: match physical {
                Type::INT32 | Type::FLOAT => Some(4),
                Type::INT64 | Type::DOUBLE => Some(8),
                Type::INT96 => Some(12),
                Type::FIXED_LEN_BYTE_ARRAY => usize::try_from(described.type_length()).ok(),
                Type::BOOLEAN | Type::BYTE_ARRAY => None,
            },
            optional: described.max_def_level() > 0,
        };
        if described.max_def_level() > 1 || described.max_rep_level() > 0 || shape.width == Some(0) {
            return Err(broken("the column is not flat"));
        }
        let pages = SerializedPageReader::new(Arc::clone(&self.chunk), column, self.num_rows(), None)?;
        Ok(Box::new(Once(Some(Box::new(Sound {
            pages,
            shape,
            n_dictionary: None,
            max_bytes: self.max_bytes,
        })))))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.file.row_group(self.group_idx)))
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.file
    }
}

/// The pages of one chunk, given once.
struct Once(Option<Box<dyn PageReader>>);

impl Iterator for Once {
    type Item = Result<Box<dyn PageReader>, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(Ok)
    }
}

impl PageIterator for Once {}

/// Pages that were looked at.
struct Sound<R: ChunkReader> {
    pages: SerializedPageReader<R>,
    shape: Shape,
    n_dictionary: Option<u32>,
    max_bytes: usize,
}

impl<R: ChunkReader> Iterator for Sound<R> {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<R: ChunkReader> PageReader for Sound<R> {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let Some(page) = self.pages.get_next_page()? else {
            return Ok(None);
        };
        match &page {
            Page::DictionaryPage {
                num_values, encoding, ..
            } => {
                if !matches!(encoding, Encoding::PLAIN | Encoding::PLAIN_DICTIONARY) {
                    return Err(broken("a dictionary in an encoding of its own"));
                }
                self.n_dictionary = Some(*num_values);
            }
            Page::DataPage {
                buf,
                num_values,
                encoding,
                def_level_encoding,
                ..
            } => {
                let (values, n_known) = if self.shape.optional {
                    levels_in_front(buf, *def_level_encoding, *num_values)?
                } else {
                    (buf.clone(), u64::from(*num_values))
                };
                self.check_values(*encoding, &values, n_known)?;
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                num_rows,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let n_levels = usize::try_from(*def_levels_byte_len).unwrap_or(usize::MAX);
                if num_rows != num_values || *rep_levels_byte_len != 0 || n_levels > buf.len() {
                    return Err(broken("the levels of a page do not fit its rows"));
                }
                let n_known = if self.shape.optional {
                    check_levels(&buf[..n_levels], *num_values)?
                } else {
                    u64::from(*num_values)
                };
                self.check_values(*encoding, &buf[n_levels..], n_known)?;
            }
        }
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.pages.skip_next_page()
    }
}

impl<R: ChunkReader> Sound<R> {
    fn check_values(&self, encoding: Encoding, values: &[u8], n_known: u64) -> Result<(), ParquetError> {
        let numbers = matches!(self.shape.physical, Type::INT32 | Type::INT64);
        let bytes = matches!(self.shape.physical, Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY);
        let goes_together = match encoding {
            Encoding::PLAIN => true,
            Encoding::RLE => self.shape.physical == Type::BOOLEAN,
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY => {
                self.shape.physical != Type::BOOLEAN
                    && self.n_dictionary.is_some()
                    && values.first().is_none_or(|width| *width <= 32)
            }
            Encoding::DELTA_BINARY_PACKED => numbers,
            Encoding::DELTA_LENGTH_BYTE_ARRAY => self.shape.physical == Type::BYTE_ARRAY,
            Encoding::DELTA_BYTE_ARRAY => bytes,
            Encoding::BYTE_STREAM_SPLIT => self
                .shape
                .width
                .is_some_and(|width| values.len().is_multiple_of(width)),
            _ => false,
        };
        if !goes_together {
            return Err(broken("a page is encoded as its type can't be"));
        }
        // The decoders of other types look at every key themselves.
        let by_key = matches!(encoding, Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY);
        if by_key && self.shape.physical == Type::FIXED_LEN_BYTE_ARRAY {
            check_keys(values, n_known, self.n_dictionary.unwrap_or(0))?;
        }
        match encoding {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => deltas::check_lengths(values, n_known).map_err(broken)?,
            Encoding::DELTA_BYTE_ARRAY => {
                deltas::check_prefixed(values, n_known, self.max_bytes).map_err(broken)?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn broken(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// Checks levels that say their own length. Answers what stands behind them, and how many values are known.
fn levels_in_front(page: &Bytes, encoding: Encoding, n_values: u32) -> Result<(Bytes, u64), ParquetError> {
    let short = || broken("the levels of a page are longer than the page");
    if encoding != Encoding::RLE {
        return Err(broken(
            "the levels of a page are in an encoding that nobody writes any more",
        ));
    }
    let length = page.first_chunk::<4>().ok_or_else(short)?;
    let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| short())?;
    let to = length
        .checked_add(4)
        .filter(|&to| to <= page.len())
        .ok_or_else(short)?;
    let n_known = check_levels(&page[4..to], n_values)?;
    Ok((page.slice(to..), n_known))
}

/// Levels of one bit must cover every value and lie in their bytes. Answers how many are 1.
fn check_levels(levels: &[u8], n_values: u32) -> Result<u64, ParquetError> {
    let mut n_known = 0;
    for_each_run(levels, 1, u64::from(n_values), &mut |run| {
        n_known += match run {
            Run::Same { value, n } => n * u64::from(value != 0),
            Run::Packed { bytes, n } => {
                let bit =
                    |at: u64| usize::try_from(at / 8).is_ok_and(|byte| bytes[byte] >> (at % 8) & 1 == 1);
                (0..n).filter(|&at| bit(at)).count() as u64
            }
        };
        Ok(())
    })?;
    Ok(n_known)
}

/// Keys, behind the byte that says how many bits each has, must lie in their dictionary.
fn check_keys(keys: &[u8], n_keys: u64, n_dictionary: u32) -> Result<(), ParquetError> {
    let Some((&width, keys)) = keys.split_first() else {
        return Ok(());
    };
    let lies = |key: u64| {
        if key < u64::from(n_dictionary) {
            Ok(())
        } else {
            Err(broken("a key lies outside its dictionary"))
        }
    };
    for_each_run(keys, width, n_keys, &mut |run| match run {
        Run::Same { value, .. } => lies(value),
        Run::Packed { bytes, n } => {
            let mut bits = bytes
                .iter()
                .flat_map(|byte| (0..8).map(move |at| u64::from(byte >> at & 1)));
            for _ in 0..n {
                let key = (0..width).fold(0, |key, at| key | bits.next().unwrap_or(0) << at);
                lies(key)?;
            }
            Ok(())
        }
    })
}

/// A part of what the hybrid of runs and packed bits holds.
enum Run<'a> {
    Same { value: u64, n: u64 },
    Packed { bytes: &'a [u8], n: u64 },
}

/// Walks the hybrid of runs and packed bits until `n_values` values were seen; what pads the last of them is left out.
fn for_each_run(
    bytes: &[u8],
    width: u8,
    n_values: u64,
    take: &mut dyn FnMut(Run<'_>) -> Result<(), ParquetError>,
) -> Result<(), ParquetError> {
    let short = || broken("a page ends before its values");
    let (mut at, mut n_left) = (0_usize, n_values);
    while n_left > 0 {
        let mut indicator = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *bytes.get(at).ok_or_else(short)?;
            at += 1;
            indicator |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        let count = indicator >> 1;
        if count == 0 {
            return Err(broken("a page holds a run of nothing"));
        }
        let packed = indicator & 1 == 1;
        let n_bytes = if packed {
            count.saturating_mul(u64::from(width))
        } else {
            u64::from(width.div_ceil(8))
        };
        let to = usize::try_from(n_bytes).ok().and_then(|n| at.checked_add(n));
        let part = to.and_then(|to| bytes.get(at..to)).ok_or_else(short)?;
        at += part.len();
        let n = n_left.min(if packed { count.saturating_mul(8) } else { count });
        n_left -= n;
        take(if packed {
            Run::Packed { bytes: part, n }
        } else {
            let value = part
                .iter()
                .rev()
                .fold(0, |value, &byte| value << 8 | u64::from(byte));
            Run::Same { value, n }
        })?;
    }
    Ok(())
}
