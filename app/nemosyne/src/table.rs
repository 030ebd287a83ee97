//! How a table is read, as every verb that reads one lets it be stated.

use std::path::Path;

use clap::{Args, ValueEnum};
use dataset::{Declaration, Encoding, Ends, Format, Header, ImportOptions, ObservationStructure, Word};
use refusal::{Reason, Refusal, Stage};

use crate::files;

/// Under what the flags stand in a verb's help.
const TABLE: &str = "How the table is read (what is not stated is detected; `import` shows it)";

/// What may be stated about a table; the rest is detected, and `import` shows it.
#[derive(Debug, Default, Args)]
pub(crate) struct ImportArguments {
    /// Column whose values name the rows; they must be there and unique.
    #[arg(long, help_heading = TABLE, value_name = "COLUMN")]
    pub(crate) key: Option<String>,
    /// What a column is: a kind or a scale, and its unit. A column that holds `:` stands in double quotes.
    #[arg(long, help_heading = TABLE, value_name = "COLUMN:TYPE:UNIT", value_parser = declaration)]
    pub(crate) declare: Vec<Declaration>,
    /// Column whose declaration was checked against the origin of the data.
    #[arg(long, help_heading = TABLE, value_name = "COLUMN")]
    pub(crate) confirm: Vec<String>,
    /// Text that stands for "no value" in every column, instead of the usual ones.
    #[arg(long, help_heading = TABLE, value_name = "TOKEN", allow_hyphen_values = true)]
    pub(crate) missing: Vec<String>,
    /// How rows depend on each other: iid, grouped, repeatedMeasures, …; of one column with its name before.
    #[arg(long, help_heading = TABLE, value_name = "[COLUMN:]STRUCTURE", value_parser = observations)]
    pub(crate) observations: Vec<(Option<String>, ObservationStructure)>,
    /// CSV, JSON_ROWS, JSON_LINES, JSON_NODE_LINK, PARQUET, ARROW or XLSX, in any case.
    #[arg(long, help_heading = TABLE, value_parser = format)]
    pub(crate) format: Option<Format>,
    /// Encoding of a text that is not UTF-8: windows-1252, UTF-16LE, Shift_JIS, …
    #[arg(long, help_heading = TABLE, value_parser = encoding)]
    pub(crate) encoding: Option<Encoding>,
    /// CSV: what stands between fields: a character, or tab, space.
    #[arg(long, help_heading = TABLE, value_name = "CHARACTER", value_parser = character, allow_hyphen_values = true)]
    pub(crate) delimiter: Option<char>,
    /// CSV: what stands around fields, else `"`.
    #[arg(long, help_heading = TABLE, value_name = "CHARACTER", value_parser = character)]
    pub(crate) quote: Option<char>,
    /// CSV: `.` or `,`; the machine's language does not matter.
    #[arg(long, help_heading = TABLE, value_name = "MARK", value_parser = character)]
    pub(crate) decimal_mark: Option<char>,
    /// CSV: what stands between groups of three digits; never detected.
    #[arg(long, help_heading = TABLE, value_name = "MARK", value_parser = character)]
    pub(crate) thousands: Option<char>,
    /// CSV: whether the first line holds names.
    #[arg(long, help_heading = TABLE, value_enum)]
    pub(crate) header: Option<HasHeader>,
    /// CSV: lines at the beginning that are no part of the table.
    #[arg(long, help_heading = TABLE, value_name = "N")]
    pub(crate) skip_lines: Option<usize>,
    /// Workbooks: the sheet, else the first.
    #[arg(long, help_heading = TABLE, value_name = "NAME")]
    pub(crate) sheet: Option<String>,
    /// Graphs: the column that ends of links name, or @position for places in the list from 0.
    #[arg(long, help_heading = TABLE, value_name = "COLUMN|@position", value_parser = ends)]
    pub(crate) ends: Option<Ends>,
}

/// Whether the first line holds names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HasHeader {
    /// It does.
    Yes,
    /// It is a row; columns are named column_1 and so on.
    No,
}

impl ImportArguments {
    /// What a table's path and these arguments say about its import.
    pub(crate) fn options(&self, path: &Path) -> Result<ImportOptions, Refusal> {
        Ok(ImportOptions {
            name: files::table_name(path),
            format: self.format,
            encoding: self.encoding,
            delimiter: self.delimiter,
            quote: self.quote,
            decimal_mark: self.decimal_mark,
            thousands: self.thousands,
            header: self.header.map(|header| match header {
                HasHeader::Yes => Header::Present,
                HasHeader::No => Header::Absent,
            }),
            skip_lines: self.skip_lines.unwrap_or(0),
            sheet: self.sheet.clone(),
            key: self.key.clone(),
            ends: self.ends.clone(),
            declarations: self.declarations().map_err(|error| error.refusal())?,
            missing_tokens: (!self.missing.is_empty()).then(|| self.missing.clone()),
            observation_structure: self.of_all_rows()?,
            ..ImportOptions::default()
        })
    }

    /// The first flag that is given here, if any is.
    pub(crate) fn given(&self) -> Option<&'static str> {
        [
            (self.key.is_some(), "--key"),
            (!self.declare.is_empty(), "--declare"),
            (!self.confirm.is_empty(), "--confirm"),
            (!self.missing.is_empty(), "--missing"),
            (!self.observations.is_empty(), "--observations"),
            (self.format.is_some(), "--format"),
            (self.encoding.is_some(), "--encoding"),
            (self.delimiter.is_some(), "--delimiter"),
            (self.quote.is_some(), "--quote"),
            (self.decimal_mark.is_some(), "--decimal-mark"),
            (self.thousands.is_some(), "--thousands"),
            (self.header.is_some(), "--header"),
            (self.skip_lines.is_some(), "--skip-lines"),
            (self.sheet.is_some(), "--sheet"),
            (self.ends.is_some(), "--ends"),
        ]
        .into_iter()
        .find_map(|(given, flag)| given.then_some(flag))
    }

    /// The declarations, one a column.
    fn declarations(&self) -> Result<Vec<Declaration>, dataset::ImportError> {
        let of_rows = self.observations.iter().filter_map(|(column, structure)| {
            let column = column.clone()?;
            Some(Declaration::of(column).observations(*structure))
        });
        let mut joined: Vec<Declaration> = Vec::new();
        for declaration in self.declare.iter().cloned().chain(of_rows) {
            match joined.iter_mut().find(|known| known.column == declaration.column) {
                Some(known) => *known = known.clone().join(declaration)?,
                None => joined.push(declaration),
            }
        }
        for column in &self.confirm {
            let declared = joined.iter_mut().find(|known| known.column == *column);
            let declared = declared.ok_or_else(|| dataset::ImportError::Option {
                what: format!("nothing is declared about `{column}`, so there is nothing to confirm"),
            })?;
            declared.confirmed = true;
        }
        Ok(joined)
    }

    fn of_all_rows(&self) -> Result<Option<ObservationStructure>, Refusal> {
        let mut of_all = self.observations.iter().filter(|(column, _)| column.is_none());
        let first = of_all.next().map(|(_, structure)| *structure);
        match of_all.next() {
            Some(_) => Err(Refusal::new(
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                "The structure of all rows is stated twice.",
            )
            .about("observations")
            .next(
                "State --observations once for all rows, and as COLUMN:STRUCTURE for a column that differs.",
            )),
            None => Ok(first),
        }
    }
}

fn declaration(text: &str) -> Result<Declaration, String> {
    Declaration::parse(text).map_err(|error| error.to_string())
}

fn observations(text: &str) -> Result<(Option<String>, ObservationStructure), String> {
    Declaration::parse_observations(text).map_err(|error| error.to_string())
}

fn format(text: &str) -> Result<Format, String> {
    let word = text.to_uppercase().replace('-', "_");
    let all = || Format::ALL.iter().map(|format| format.word()).collect::<Vec<_>>();
    Format::parse(&word).ok_or_else(|| format!("the formats are {}", all().join(", ")))
}

fn encoding(text: &str) -> Result<Encoding, String> {
    Encoding::of_label(text).ok_or_else(|| {
        "no encoding of the WHATWG standard has this label; windows-1252, ISO-8859-2, UTF-16LE, Shift_JIS and gb18030 \
         are such labels"
            .to_owned()
    })
}

/// One character, or the word for one that is hard to type.
fn character(text: &str) -> Result<char, String> {
    match text {
        "tab" | "\\t" => return Ok('\t'),
        "space" => return Ok(' '),
        "comma" => return Ok(','),
        "point" => return Ok('.'),
        "semicolon" => return Ok(';'),
        "bar" => return Ok('|'),
        _ => {}
    }
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => Ok(only),
        _ => Err("write one character, or tab, space, comma, point, semicolon, bar".to_owned()),
    }
}

fn ends(text: &str) -> Result<Ends, String> {
    match text {
        "@position" => Ok(Ends::Position),
        "" => Err("name a column, or write @position".to_owned()),
        column => Ok(Ends::Column(column.to_owned())),
    }
}
