//! What a person may state before an import; whatever is left out is inferred and shown.

use crate::column::ColumnKind;
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
}

words! {
    /// The encoding of the source.
    Encoding, "encoding";
    /// UTF-8 without a byte order mark.
    Utf8 = "UTF-8",
    /// UTF-8 behind a byte order mark, which is no part of the text.
    Utf8Bom = "UTF-8-BOM",
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
    /// CSV: the first line holds names even if all of them are numbers.
    pub header_is_names: bool,
    /// The column whose values name the rows; `None` numbers them.
    pub key: Option<String>,
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
            header_is_names: false,
            key: None,
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

    /// States the unit.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }
}
