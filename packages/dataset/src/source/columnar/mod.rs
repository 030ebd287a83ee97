//! Files of typed columns: Parquet, and Arrow IPC as a file or a stream.
//!
//! Both are read a run of rows at a time, several columns at once, into [`crate::held`] columns; nothing of the file's own
//! arrays outlives its run. Every length that the file states is checked against the file and the limits before
//! anything is made from it, by our own walk over its frames: the libraries that decode them see checked frames only.

mod arrow_ipc;
mod deltas;
mod gather;
mod iso;
mod pages;
mod parquet_file;
mod sound;

use arrow_schema::Field;

use self::arrow_ipc::Ipc;
use self::parquet_file::Parquet;
use super::{RowSink, Source, Structure, check_names};
use crate::error::{ImportError, Place};
use crate::held::{self, HeldColumn};
use crate::limits::{Bound, Limits};
use crate::options::Format;
use crate::progress::Listener;
use crate::report::Note;

/// First bytes of a Parquet file with a readable and with an encrypted footer.
const PARQUET: [&[u8]; 2] = [b"PAR1", b"PARE"];
/// First bytes of an Arrow IPC file, of a stream, and of the first version of Feather, which is neither.
const ARROW: [&[u8]; 3] = [b"ARROW1", b"\xff\xff\xff\xff", b"FEA1"];

/// The format by the first bytes, when it is one of these.
pub(crate) fn detect(bytes: &[u8]) -> Option<Format> {
    let begins = |magics: &[&[u8]]| magics.iter().any(|magic| bytes.starts_with(magic));
    if begins(&PARQUET) {
        Some(Format::Parquet)
    } else if begins(&ARROW) {
        Some(Format::Arrow)
    } else {
        None
    }
}

/// A column of a file, of a type that is read.
struct Known {
    field: Field,
    note: Option<Note>,
}

enum Reader<'a> {
    Parquet(Parquet<'a>),
    Ipc(Ipc<'a>),
}

/// A file of columns whose names and types are known.
pub(crate) struct Columnar<'a> {
    format: Format,
    names: Vec<String>,
    columns: Vec<Known>,
    n_rows: usize,
    reader: Reader<'a>,
}

impl<'a> Columnar<'a> {
    /// Opens a file of a format that [`detect`] knows.
    pub(crate) fn open(bytes: &'a [u8], format: Format, limits: &Limits) -> Result<Self, ImportError> {
        let mut reader = if format == Format::Parquet {
            Reader::Parquet(Parquet::open(bytes, limits)?)
        } else {
            Reader::Ipc(Ipc::open(bytes)?)
        };
        let fields = match &reader {
            Reader::Parquet(parquet) => parquet.fields(),
            Reader::Ipc(ipc) => ipc.fields(),
        };
        if fields.is_empty() {
            return Err(ImportError::NoColumns);
        }
        let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
        check_names(&names, limits, &|_| Place::Row { row: 0 })?;
        let columns = fields
            .into_iter()
            .map(|field| {
                let note = gather::check_type(&field)?;
                Ok(Known { field, note })
            })
            .collect::<Result<Vec<Known>, ImportError>>()?;
        let n_rows = match &mut reader {
            Reader::Parquet(parquet) => {
                parquet.check(limits)?;
                parquet.n_rows()
            }
            Reader::Ipc(ipc) => {
                ipc.check(limits)?;
                ipc.n_rows()
            }
        };
        if n_rows == 0 {
            return Err(ImportError::NoRows);
        }
        Ok(Self {
            format,
            names,
            columns,
            n_rows,
            reader,
        })
    }
}

impl Source for Columnar<'_> {
    fn structure(&self) -> Structure {
        Structure::binary(self.format)
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn n_rows_stated(&self) -> Option<usize> {
        Some(self.n_rows)
    }

    fn rows(
        &self,
        limits: &Limits,
        sink: &mut dyn RowSink,
        _notes: &mut Vec<Note>,
    ) -> Result<usize, ImportError> {
        let mut silent = |_| std::ops::ControlFlow::Continue(());
        let held = self.columns(limits, &mut silent)?.unwrap_or_default();
        held::rows(&held, sink)
    }

    fn columns(
        &self,
        limits: &Limits,
        listener: &mut Listener<'_>,
    ) -> Result<Option<Vec<HeldColumn>>, ImportError> {
        let gathers = self.columns.iter().map(|known| {
            gather::Gather::new(&known.field, known.note.clone(), self.format, self.n_rows, limits)
        });
        let gathers = gathers.collect();
        let gathered = match &self.reader {
            Reader::Parquet(parquet) => parquet.gather(gathers, listener)?,
            Reader::Ipc(ipc) => ipc.gather(gathers, listener)?,
        };
        Ok(Some(gathered))
    }
}

/// Rows and cells that a file promises, against the limits.
fn check_promised(n_rows: usize, n_columns: usize, limits: &Limits) -> Result<(), ImportError> {
    let (bound, limit) = if n_rows > limits.max_rows {
        (Bound::Rows, limits.max_rows)
    } else if n_columns > limits.max_columns {
        (Bound::Columns, limits.max_columns)
    } else if n_rows.saturating_mul(n_columns) > limits.max_cells {
        (Bound::Cells, limits.max_cells)
    } else {
        return Ok(());
    };
    Err(ImportError::Limit {
        bound,
        limit,
        place: None,
    })
}

/// Adds to the bytes that a file decompresses to, within the limit.
fn check_decompressed(so_far: &mut usize, more: usize, limits: &Limits) -> Result<(), ImportError> {
    *so_far = so_far.saturating_add(more);
    if *so_far <= limits.max_bytes {
        return Ok(());
    }
    Err(ImportError::Limit {
        bound: Bound::Decompressed,
        limit: limits.max_bytes,
        place: None,
    })
}
