//! Sources: bytes of a known format become rows of raw cells, without a word about what the cells mean.
//!
//! A format is one file that opens bytes into a [`Source`], an arm in [`open`] (what was stated, the rest detected) and
//! an arm in [`reopen`] (the recipe, nothing detected). Import knows none of them by name.

pub(crate) mod columnar;
pub(crate) mod csv_dialect;
pub(crate) mod csv_records;
pub(crate) mod csv_rows;
pub(crate) mod gzip;
pub(crate) mod json_rows;
pub(crate) mod json_scan;
pub(crate) mod node_link;
pub(crate) mod text;
#[cfg(feature = "xlsx")]
pub(crate) mod xlsx;

use std::borrow::Cow;
use std::collections::BTreeMap;

use self::json_rows::{JsonRows, Layout};
use crate::edges::Edges;
use crate::error::{ImportError, Place};
use crate::held::HeldColumn;
use crate::limits::{Bound, Limits};
use crate::options::{Compression, Encoding, Format, ImportOptions};
use crate::progress::Listener;
use crate::report::Note;
use crate::wire::v1::{CsvStructure, LinkStructure, RecipeBody};

/// What the recipe says about a source besides its columns: enough to open the same bytes without detecting anything.
#[derive(Clone, Debug)]
pub(crate) struct Structure {
    pub(crate) format: Format,
    /// Text alone.
    pub(crate) encoding: Option<Encoding>,
    /// CSV alone.
    pub(crate) csv: Option<CsvStructure>,
    /// Workbooks alone.
    pub(crate) sheet: Option<String>,
    /// Graphs alone.
    pub(crate) links: Option<LinkStructure>,
}

impl Structure {
    /// What a format of text says that is structured in no other way.
    pub(crate) fn of(format: Format, encoding: Encoding) -> Self {
        Self {
            encoding: Some(encoding),
            ..Self::binary(format)
        }
    }

    /// What a format says that is no text.
    pub(crate) fn binary(format: Format) -> Self {
        Self {
            format,
            encoding: None,
            csv: None,
            sheet: None,
            links: None,
        }
    }
}

/// The bytes of a file without what is packed around them.
pub(crate) fn unpack<'a>(
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<(Cow<'a, [u8]>, Option<Compression>), ImportError> {
    if gzip::is_packed(bytes) {
        return Ok((Cow::Owned(gzip::unpack(bytes, limits)?), Some(Compression::Gzip)));
    }
    Ok((Cow::Borrowed(bytes), None))
}

/// An opened file: its columns are known by name, and its rows can be read as often as needed.
pub(crate) trait Source {
    /// What the recipe keeps of how the file was opened.
    fn structure(&self) -> Structure;

    /// The columns in declared order, checked by [`check_names`].
    fn names(&self) -> &[String];

    /// Hands every row to `sink` and answers how many there are. `notes` takes what only shows while reading; the
    /// second reading of an import throws its notes away.
    fn rows(
        &self,
        limits: &Limits,
        sink: &mut dyn RowSink,
        notes: &mut Vec<Note>,
    ) -> Result<usize, ImportError>;

    /// How many rows there are, when the file says so before they are read; for progress alone.
    fn n_rows_stated(&self) -> Option<usize> {
        None
    }

    /// Every column at once, for a file that holds columns; [`Self::rows`] gives the same cells. `None` where a file holds
    /// rows.
    fn columns(
        &self,
        _limits: &Limits,
        _listener: &mut Listener<'_>,
    ) -> Result<Option<Vec<HeldColumn>>, ImportError> {
        Ok(None)
    }

    /// The links, when the file is a graph.
    fn edges(&self) -> Option<&Edges> {
        None
    }
}

/// Opens bytes by what was stated about them; the rest is detected. Oddities go to `notes`.
pub(crate) fn open<'a>(
    bytes: &'a [u8],
    options: &ImportOptions,
    notes: &mut Vec<Note>,
) -> Result<Box<dyn Source + 'a>, ImportError> {
    let limits = &options.limits;
    check_size(bytes, limits)?;
    let begins_as = columnar::detect(bytes).or_else(|| detect_workbook(bytes));
    let format = options.format.or(begins_as);
    if let (Some(stated), Some(begins_as)) = (format, begins_as)
        && stated != begins_as
    {
        let (stated, begins_as) = (stated.called(), begins_as.called());
        return Err(ImportError::Option {
            what: format!(
                "the file begins as {begins_as} does, so it is not read as {stated}; leave the format out"
            ),
        });
    }
    if let Some(format @ (Format::Parquet | Format::Arrow)) = format {
        return Ok(Box::new(columnar::Columnar::open(bytes, format, limits)?));
    }
    #[cfg(feature = "xlsx")]
    if format == Some(Format::Xlsx) {
        let declared = options.missing_tokens.as_deref().unwrap_or_default();
        let sheet = options.sheet.as_deref();
        let workbook = xlsx::Workbook::open(bytes, sheet, declared, limits, notes)?;
        return Ok(Box::new(workbook));
    }
    let decoded = text::decode(bytes, options.encoding, limits)?;
    text::note_encoding(&decoded, notes);
    if let Some(found) = json_rows::map(decoded.source().text) {
        return Err(ImportError::UnsupportedVariant {
            found: found.to_owned(),
            instead: "write the properties of its features as a table, one row a feature, with longitude and latitude \
                      as columns where places matter, and import that",
        });
    }
    match options
        .format
        .unwrap_or_else(|| json_rows::detect(decoded.source().text))
    {
        Format::JsonRows => Ok(Box::new(JsonRows::open(decoded, Layout::Array, limits)?)),
        Format::JsonLines => Ok(Box::new(JsonRows::open(decoded, Layout::Lines, limits)?)),
        Format::NodeLink => Ok(Box::new(node_link::NodeLink::open(decoded, options, notes)?)),
        Format::Csv => Ok(Box::new(csv_rows::CsvRows::open(decoded, options, notes)?)),
        other @ (Format::Parquet | Format::Arrow | Format::Xlsx) => Err(not_read(other)),
    }
}

/// XLSX when the bytes are a workbook. Without the feature, text refuses a workbook by its name.
#[cfg(feature = "xlsx")]
fn detect_workbook(bytes: &[u8]) -> Option<Format> {
    xlsx::detect(bytes).then_some(Format::Xlsx)
}

/// Workbooks are not read by this build.
#[cfg(not(feature = "xlsx"))]
fn detect_workbook(_bytes: &[u8]) -> Option<Format> {
    None
}

/// What is left when every format that is read was asked.
fn not_read(format: Format) -> ImportError {
    ImportError::UnsupportedVariant {
        found: format!("a file of the format {}", format.called()),
        instead: "save the table as CSV in UTF-8, then import that",
    }
}

/// The bytes of a file, against the limits.
fn check_size(bytes: &[u8], limits: &Limits) -> Result<(), ImportError> {
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
    Ok(())
}

/// Opens bytes by a recipe alone.
pub(crate) fn reopen<'a>(
    bytes: &'a [u8],
    recipe: &RecipeBody,
    limits: &Limits,
) -> Result<Box<dyn Source + 'a>, ImportError> {
    check_size(bytes, limits)?;
    if let Format::Parquet | Format::Arrow = recipe.format {
        return Ok(Box::new(columnar::Columnar::open(bytes, recipe.format, limits)?));
    }
    #[cfg(feature = "xlsx")]
    if recipe.format == Format::Xlsx {
        let tokens = recipe.columns.iter().flat_map(|column| &column.missing_tokens);
        let declared: Vec<String> = tokens.cloned().collect();
        let sheet = recipe.sheet.as_deref();
        let workbook = xlsx::Workbook::open(bytes, sheet, &declared, limits, &mut Vec::new())?;
        return Ok(Box::new(workbook));
    }
    let decoded = text::decode(bytes, recipe.encoding, limits)?;
    if let Some(expected) = recipe.encoding
        && decoded.encoding != expected
    {
        return Err(ImportError::RecipeMismatch {
            what: format!("they are {} and the recipe says {}", decoded.encoding, expected),
        });
    }
    match recipe.format {
        other @ (Format::Parquet | Format::Arrow | Format::Xlsx) => Err(not_read(other)),
        Format::Csv => Ok(Box::new(csv_rows::CsvRows::reopen(
            decoded,
            recipe.csv.as_ref(),
            limits,
        )?)),
        Format::JsonRows => Ok(Box::new(JsonRows::open(decoded, Layout::Array, limits)?)),
        Format::JsonLines => Ok(Box::new(JsonRows::open(decoded, Layout::Lines, limits)?)),
        Format::NodeLink => Ok(Box::new(node_link::NodeLink::reopen(
            decoded,
            recipe.links.as_ref(),
            limits,
        )?)),
    }
}

/// A cell as the source writes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RawCell<'a> {
    /// A CSV field: text that may stand for anything.
    Field(&'a str),
    /// A field of a file that writes numbers in a style of its own: as written, and as programs write it when it is a
    /// number in that style.
    Styled {
        written: &'a str,
        plain: Option<Cow<'a, str>>,
    },
    /// A JSON string: text that its author calls text.
    String(Cow<'a, str>),
    /// A JSON number, as written.
    Number(&'a str),
    /// A JSON boolean.
    Bool(bool),
    /// JSON null.
    Null,
    /// No such member in this row.
    Absent,
}

impl RawCell<'_> {
    /// The cell's text; `None` for null and absent.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Field(text) | Self::Number(text) | Self::Styled { written: text, .. } => Some(text),
            Self::String(text) => Some(text),
            Self::Bool(true) => Some("true"),
            Self::Bool(false) => Some("false"),
            Self::Null | Self::Absent => None,
        }
    }
}

impl RawCell<'_> {
    /// What of the cell may be read as a number; `trimmed` is its text without surrounding spaces.
    pub(crate) fn numeric<'s>(&'s self, trimmed: &'s str) -> Option<&'s str> {
        match self {
            Self::Field(_) | Self::Number(_) => Some(trimmed),
            Self::Styled { plain, .. } => plain.as_deref(),
            Self::String(_) | Self::Bool(_) | Self::Null | Self::Absent => None,
        }
    }
}

/// Where a row stands; cheap to make for every row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPlace {
    /// The data row, from 1.
    pub(crate) row: usize,
    /// CSV: the line where the record begins. Else 0.
    pub(crate) line: u64,
    /// Byte offset where the row begins; [`NO_OFFSET`] where the format holds columns and a row begins nowhere.
    pub(crate) offset: usize,
    /// JSON: the pointer of the array that holds the rows.
    pub(crate) within: &'static str,
}

/// See [`RowPlace::offset`].
const NO_OFFSET: usize = usize::MAX;

impl RowPlace {
    /// The place of a row in a file of columns; `row` counts from 1.
    pub(crate) fn row(row: usize) -> Self {
        Self {
            row,
            line: 0,
            offset: NO_OFFSET,
            within: "",
        }
    }

    /// The place of one cell, for messages.
    pub(crate) fn of(self, column: &str) -> Place {
        if self.line > 0 {
            return Place::Line {
                line: self.line,
                row: self.row,
            };
        }
        if self.offset == NO_OFFSET {
            return Place::Row { row: self.row };
        }
        Place::Pointer {
            pointer: format!("{}/{}/{}", self.within, self.row - 1, escape_pointer(column)),
            offset: self.offset,
        }
    }
}

/// A reference token of RFC 6901.
pub(crate) fn escape_pointer(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// What takes the rows of a source, one after the other.
pub(crate) trait RowSink {
    /// Takes one row; `cells` has one cell for each column.
    fn row(&mut self, place: RowPlace, cells: &[RawCell<'_>]) -> Result<(), ImportError>;
}

/// Refuses empty and repeated names. Names that only look the same stay distinct; the report warns of them.
pub(crate) fn check_names(
    names: &[String],
    limits: &Limits,
    place: &dyn Fn(usize) -> Place,
) -> Result<(), ImportError> {
    if names.len() > limits.max_columns {
        return Err(ImportError::Limit {
            bound: Bound::Columns,
            limit: limits.max_columns,
            place: Some(place(limits.max_columns)),
        });
    }
    let mut positions = BTreeMap::new();
    for (name_idx, name) in names.iter().enumerate() {
        if name.is_empty() {
            return Err(ImportError::EmptyColumnName {
                position: name_idx + 1,
                place: place(name_idx),
            });
        }
        if name.len() > limits.max_cell_bytes {
            return Err(ImportError::Limit {
                bound: Bound::CellBytes,
                limit: limits.max_cell_bytes,
                place: Some(place(name_idx)),
            });
        }
        if let Some(first) = positions.insert(name.as_str(), name_idx) {
            return Err(ImportError::DuplicateColumn {
                name: name.clone(),
                first: first + 1,
                second: name_idx + 1,
            });
        }
    }
    Ok(())
}

/// Checks the row and cell counts before a row is taken.
pub(crate) fn check_counts(
    row: usize,
    n_columns: usize,
    limits: &Limits,
    place: Place,
) -> Result<(), ImportError> {
    let (bound, limit) = if row > limits.max_rows {
        (Bound::Rows, limits.max_rows)
    } else if row.saturating_mul(n_columns) > limits.max_cells {
        (Bound::Cells, limits.max_cells)
    } else {
        return Ok(());
    };
    Err(ImportError::Limit {
        bound,
        limit,
        place: Some(place),
    })
}
