//! What a person may state before an import; whatever is left out is inferred and shown.

use crate::column::ColumnKind;
pub use crate::encoding::Encoding;
use crate::limits::Limits;
use crate::measure::{ObservationStructure, Scale};
use crate::words::words;

words! {
    /// The format of the source.
    Format, "source format";
    /// Delimited text, RFC 4180.
    Csv = "CSV",
    /// A JSON array of flat objects.
    JsonRows = "JSON_ROWS",
    /// One flat JSON object a line (NDJSON).
    JsonLines = "JSON_LINES",
    /// A JSON graph: an object with `nodes` and `links` or `edges`.
    NodeLink = "JSON_NODE_LINK",
    /// Apache Parquet.
    Parquet = "PARQUET",
    /// Arrow IPC, as a file (also called Feather, version 2) or as a stream.
    Arrow = "ARROW",
    /// An Excel workbook, one sheet of it.
    Xlsx = "XLSX",
}

impl Format {
    /// What people call it.
    #[must_use]
    pub const fn called(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::JsonRows => "JSON rows",
            Self::JsonLines => "JSON lines",
            Self::NodeLink => "JSON graph",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow IPC",
            Self::Xlsx => "Excel",
        }
    }

    /// Whether the file is text, in some encoding.
    #[must_use]
    pub const fn is_text(self) -> bool {
        match self {
            Self::Csv | Self::JsonRows | Self::JsonLines | Self::NodeLink => true,
            Self::Parquet | Self::Arrow | Self::Xlsx => false,
        }
    }
}

words! {
    /// What is packed around the source.
    Compression, "compression";
    /// gzip, RFC 1952; one member or several.
    Gzip = "GZIP",
}

words! {
    /// Whether a CSV file has a line of names.
    Header, "header presence";
    /// The first record holds names.
    Present = "PRESENT",
    /// The first record is a row; columns are named `column_1`, `column_2` and so on.
    Absent = "ABSENT",
}

/// What the ends of links name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// A member of the nodes, whose values are there and unique.
    Column(String),
    /// The place of the node in the list, from 0.
    Position,
}

/// What to state about an import. The default states nothing but a placeholder name.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The dataset's name; part of its identity.
    pub name: String,
    /// The format; `None` looks at the first characters.
    pub format: Option<Format>,
    /// CSV: the delimiter, one ASCII character; `None` looks for comma, semicolon, tab and bar.
    pub delimiter: Option<char>,
    /// CSV: the quote, one ASCII character; `None` is `"`.
    pub quote: Option<char>,
    /// The encoding of a text format; `None` takes a byte order mark at its word, and UTF-8 otherwise.
    pub encoding: Option<Encoding>,
    /// CSV: the decimal mark, point or comma; `None` looks for a comma where nothing speaks against it.
    pub decimal_mark: Option<char>,
    /// CSV: what stands between groups of three digits; `None` is nothing, and is never guessed.
    pub thousands: Option<char>,
    /// CSV: whether the first record holds names; `None` looks at it.
    pub header: Option<Header>,
    /// CSV: how many lines at the beginning of the file are no part of the table.
    pub skip_lines: usize,
    /// How the rows depend on each other, for every column that declares nothing else.
    pub observation_structure: Option<ObservationStructure>,
    /// XLSX: the sheet; `None` takes the first.
    pub sheet: Option<String>,
    /// The column whose values name the rows; `None` numbers them.
    pub key: Option<String>,
    /// Graphs: what the ends of links name; `None` is the key column, else looks at the ends.
    pub ends: Option<Ends>,
    /// What is known about columns.
    pub declarations: Vec<Declaration>,
    /// The texts that stand for "no value", in every column, instead of the inferred ones. The empty cell always
    /// does.
    pub missing_tokens: Option<Vec<String>>,
    /// Bounds.
    pub limits: Limits,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            name: "dataset".to_owned(),
            format: None,
            delimiter: None,
            quote: None,
            encoding: None,
            decimal_mark: None,
            thousands: None,
            header: None,
            skip_lines: 0,
            observation_structure: None,
            sheet: None,
            key: None,
            ends: None,
            declarations: Vec::new(),
            missing_tokens: None,
            limits: Limits::DEFAULT,
        }
    }
}

impl ImportOptions {
    /// Options that state only the name.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// The same with a key column.
    #[must_use]
    pub fn with_key(mut self, column: impl Into<String>) -> Self {
        self.key = Some(column.into());
        self
    }

    /// The same with one more declaration.
    #[must_use]
    pub fn declare(mut self, declaration: Declaration) -> Self {
        self.declarations.push(declaration);
        self
    }
}

/// What is known about one column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// The column's name.
    pub column: String,
    /// Its kind; every value must fit it.
    pub kind: Option<ColumnKind>,
    /// Its scale of measurement.
    pub scale: Option<Scale>,
    /// Its unit, a UCUM code or any text.
    pub unit: Option<String>,
    /// How its rows depend on each other.
    pub observation_structure: Option<ObservationStructure>,
    /// Whether this was checked against the origin of the data.
    pub confirmed: bool,
}

impl Declaration {
    /// A declaration about `column` that states nothing yet.
    #[must_use]
    pub fn of(column: impl Into<String>) -> Self {
        Self {
            column: column.into(),
            ..Self::default()
        }
    }

    /// States the kind.
    #[must_use]
    pub fn kind(mut self, kind: ColumnKind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// States the scale.
    #[must_use]
    pub fn scale(mut self, scale: Scale) -> Self {
        self.scale = Some(scale);
        self
    }

    /// States how the rows depend on each other.
    #[must_use]
    pub fn observations(mut self, structure: ObservationStructure) -> Self {
        self.observation_structure = Some(structure);
        self
    }

    /// States the unit.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }
}
