//! Why an import is refused: each way names the place in the file and the way out.

use std::borrow::Cow;
use std::fmt;

use refusal::{Reason, Refusal, Stage};

use crate::decide::plural;
use crate::edges::EdgeError;
use crate::encoding::Encoding;
use crate::limits::Bound;
use crate::options::Format;
pub use crate::place::Place;
use crate::progress::Phase;

/// Why bytes did not become a dataset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The options give the dataset no name. Way out: name it; the name is part of its identity.
    #[error("the dataset has no name")]
    NoName,
    /// The file has no bytes. Way out: check that the export finished.
    #[error("the file is empty: zero bytes")]
    ZeroBytes,
    /// The file has only white space. Way out: as for zero bytes.
    #[error("the file is empty: nothing but white space")]
    Blank,
    /// CSV with a header and nothing under it. Way out: export the rows too.
    #[error("the file has a header of {n_columns} columns and no row under it")]
    HeaderOnly {
        /// Columns in the header.
        n_columns: usize,
    },
    /// A table without rows: an empty JSON array, or a file of columns without any. Way out: export the rows too.
    #[error("the table has no rows")]
    NoRows,
    /// JSON rows without any member. Way out: give the rows members.
    #[error("no row has a member, so there are no columns")]
    NoColumns,
    /// A known format that import does not read. Way out: export as CSV.
    #[error("this is {found}, which import does not read yet")]
    UnsupportedFormat {
        /// What the first bytes say it is.
        found: &'static str,
    },
    /// A variant of a format that import reads otherwise. Way out: as the text says.
    #[error("this is {found}, which import does not read")]
    UnsupportedVariant {
        /// What it is.
        found: String,
        /// How to write the same content so that it is read.
        instead: &'static str,
    },
    /// The file breaks the rules of its own format. Way out: write it again from its origin.
    #[error("the {} file is damaged{}: {what}", format.called(), at(place.as_ref()))]
    Damaged {
        /// The format.
        format: Format,
        /// Where, when it is known.
        place: Option<Place>,
        /// What is wrong.
        what: String,
    },
    /// A column whose cells are no numbers, texts, booleans, dates or times. Way out: flatten or leave it out.
    #[error("column `{column}` holds {found}; cells must be numbers, texts, booleans, dates or times")]
    UnsupportedColumn {
        /// The column.
        column: String,
        /// What its cells are.
        found: String,
    },
    /// NaN or an infinity in a column of numbers, not declared as a missing token. Way out: declare it so.
    #[error("column `{column}` holds {value} at {place}, which is no number")]
    NotFinite {
        /// The column.
        column: String,
        /// Where.
        place: Place,
        /// `NaN`, `inf` or `-inf`, as it is declared.
        value: &'static str,
    },
    /// A cell of a workbook whose formula failed. Way out: repair it, or declare its text as a missing token.
    #[error("{place} holds the error {error}")]
    ErrorCell {
        /// The cell.
        place: Place,
        /// As the spreadsheet shows it.
        error: String,
    },
    /// Cells of a workbook merged in or under the row of names. Way out: unmerge them.
    #[error("{place} is merged with its neighbors, so one value would stand for many")]
    MergedCells {
        /// The first of them.
        place: Place,
    },
    /// A value of a workbook outside the columns that have a name. Way out: name the column, or clear the cell.
    #[error("{place} holds a value beside the table, which is as wide as its first row")]
    BesideTable {
        /// The cell.
        place: Place,
    },
    /// A date or time outside the years 0000 to 9999 of ISO 8601. Way out: write it as a number or a text.
    #[error("column `{column}` holds a date at {place} that lies outside the years 0000 to 9999")]
    BeyondCalendar {
        /// The column.
        column: String,
        /// Where.
        place: Place,
    },
    /// Bytes that are not UTF-8, with no encoding stated. Way out: state the encoding under which the place reads right,
    /// or save as UTF-8.
    #[error(
        "byte {offset} (0x{byte:02x}) in line {line} is not UTF-8{}",
        readings(suggestions)
    )]
    NotUtf8 {
        /// Offset of the first bad byte.
        offset: usize,
        /// That byte.
        byte: u8,
        /// The line it stands in, from 1.
        line: u64,
        /// What the place would say in likely encodings.
        suggestions: Vec<Suggestion>,
    },
    /// Bytes that the stated encoding does not have. Way out: state another.
    #[error("byte {offset} (0x{byte:02x}) in line {line} is not {encoding}, which was stated")]
    NotInEncoding {
        /// The stated encoding.
        encoding: Encoding,
        /// Offset of the first bad byte.
        offset: usize,
        /// That byte.
        byte: u8,
        /// The line it stands in, from 1.
        line: u64,
    },
    /// A byte order mark that says something else than the person. Way out: leave the encoding out.
    #[error("the file begins with the byte order mark of {marked}, but {stated} was stated")]
    EncodingContradicted {
        /// What the mark says.
        marked: Encoding,
        /// What was stated.
        stated: Encoding,
    },
    /// A NUL character, which no text file has. Way out: state UTF-16 if it is that, or export as UTF-8 text.
    #[error("byte {offset} in line {line} is NUL, so this is not a text file{}", if *looks_utf16 { " in UTF-8; it looks like UTF-16" } else { "" })]
    NotText {
        /// Its offset.
        offset: usize,
        /// The line it stands in, from 1.
        line: u64,
        /// Whether every second byte is NUL, as in UTF-16 without a byte order mark.
        looks_utf16: bool,
    },
    /// gzip data that is damaged or cut short. Way out: get the file again.
    #[error(
        "the gzip data {} near byte {offset}, {n_unpacked} bytes into what it holds",
        if *cut_short { "ends" } else { "is damaged" }
    )]
    Gzip {
        /// How many bytes came out before.
        n_unpacked: usize,
        /// Offset in the packed file up to which it was read.
        offset: usize,
        /// Whether the end is missing.
        cut_short: bool,
    },
    /// A column without a name. Way out: name it.
    #[error("column {position} has no name")]
    EmptyColumnName {
        /// Which column, from 1.
        position: usize,
        /// Where.
        place: Place,
    },
    /// Two columns with one name. Way out: rename one.
    #[error("columns {first} and {second} are both named `{name}`")]
    DuplicateColumn {
        /// The name.
        name: String,
        /// The first of the two, from 1.
        first: usize,
        /// The second of the two, from 1.
        second: usize,
    },
    /// Names in the header are numbers, so it may be data. Way out: say which it is, or skip the line.
    #[error("the first line may be data or names: {}", header.join(", "))]
    HeaderLooksLikeData {
        /// The first names, at most eight.
        header: Vec<String>,
    },
    /// A first line of another length than all that follow, so it is no header of theirs. Way out: skip it.
    #[error(
        "the first line has {} ({}) and the {n_agreeing} after it have {n_others}, so it holds no names for them",
        plural(*n_first, "field"),
        first.join(", ")
    )]
    FirstLineApart {
        /// Its first fields, at most eight.
        first: Vec<String>,
        /// How many fields it has.
        n_first: usize,
        /// How many the records after it have.
        n_others: usize,
        /// How many records after it were looked at.
        n_agreeing: usize,
    },
    /// A record with more or fewer fields than the first. Way out: correct that line.
    #[error("{place} has {}, {than} has {expected}", plural(*found, "field"))]
    Ragged {
        /// Where.
        place: Place,
        /// Fields found.
        found: usize,
        /// Fields in the header, or in the first row of a file without one.
        expected: usize,
        /// `the header` or `the first row`.
        than: &'static str,
    },
    /// Quotes that do not pair up. Way out: double every quote inside a quoted field and close the field.
    #[error("{place}: {fault}")]
    Quoting {
        /// The record.
        place: Place,
        /// Byte offset of the quote.
        offset: usize,
        /// What is wrong with it.
        fault: QuotingFault,
    },
    /// Bytes that are not the JSON expected there. Way out: correct the file.
    #[error("{place}: expected {expected}")]
    JsonSyntax {
        /// Where.
        place: Place,
        /// What would have been right.
        expected: &'static str,
    },
    /// An array or object inside a row. Way out: flatten it into members of its own.
    #[error("{place} is {found}; rows must be flat")]
    Nested {
        /// Where.
        place: Place,
        /// `an array` or `an object`.
        found: &'static str,
    },
    /// A member twice in one row. Way out: keep one.
    #[error("{place} appears twice in its row")]
    DuplicateMember {
        /// The second one.
        place: Place,
    },
    /// A JSON graph that is not built as one. Way out: as the text says.
    #[error("{place}: {what}")]
    Graph {
        /// Where.
        place: Place,
        /// What is wrong there.
        what: String,
    },
    /// A link that is none. Way out: correct it.
    #[error("{place}: {fault}")]
    Link {
        /// The link.
        place: Place,
        /// What is wrong with it.
        fault: EdgeError,
    },
    /// A link whose end names no node. Way out: add the node, or say what the ends name.
    #[error("{place} is {end}, which names no node by {by}")]
    UnknownEnd {
        /// The end.
        place: Place,
        /// What it says, with quotes when it is text.
        end: String,
        /// What ends were taken to name.
        by: String,
    },
    /// The options name a column that is not there. Way out: use a name of the file.
    #[error("there is no column `{name}` to {purpose}{}", suggestion(nearest.as_deref()))]
    UnknownColumn {
        /// The name.
        name: String,
        /// What it was named for.
        purpose: &'static str,
        /// The nearest name there is.
        nearest: Option<String>,
    },
    /// An option that can't be followed. Way out: as the text says.
    #[error("{what}")]
    Option {
        /// What is wrong with it.
        what: String,
    },
    /// A value of a column declared NUMERIC that is not an exact finite number. Way out: declare another kind, or
    /// declare the text as a missing token.
    #[error("column `{column}` is declared NUMERIC, but {place} holds `{value}`, which is {problem}")]
    NotANumber {
        /// The column.
        column: String,
        /// Where.
        place: Place,
        /// The value, shortened.
        value: String,
        /// In which way it is no number.
        problem: &'static str,
    },
    /// A value of a column declared TEMPORAL that is not an ISO date. Way out: as for [`Self::NotANumber`].
    #[error(
        "column `{column}` is declared TEMPORAL, but {place} holds `{value}`, which is not an ISO 8601 date"
    )]
    NotADate {
        /// The column.
        column: String,
        /// Where.
        place: Place,
        /// The value, shortened.
        value: String,
    },
    /// A row without a key. Way out: fill it in, or choose another key column.
    #[error("row {row} has no value in the key column `{column}`")]
    KeyMissing {
        /// The key column.
        column: String,
        /// The row, from 1.
        row: usize,
    },
    /// Two rows with one key. Way out: choose a column whose values are unique.
    #[error("rows {first_row} and {row} both have the key `{key}` in column `{column}`")]
    KeyRepeated {
        /// The key column.
        column: String,
        /// The key.
        key: String,
        /// The first of the two, from 1.
        first_row: usize,
        /// The second of the two, from 1.
        row: usize,
    },
    /// A bound was passed. Way out: take a part of the data, or raise the bound.
    #[error("more than {limit} {bound}{}", at(place.as_ref()))]
    Limit {
        /// Which bound.
        bound: Bound,
        /// Its value.
        limit: usize,
        /// Where it was passed.
        place: Option<Place>,
    },
    /// Whoever waited for the import stopped it. Way out: import again.
    #[error("the import was stopped while {}; nothing of it is kept", phase.says())]
    Canceled {
        /// What it was doing.
        phase: Phase,
    },
    /// The bytes are not those the recipe was made for. Way out: use the file of the recipe, or import afresh.
    #[error("the recipe does not fit these bytes: {what}")]
    RecipeMismatch {
        /// What differs.
        what: String,
    },
    /// The recipe itself could not be sealed. Cannot happen for what [`crate::import`] decides; kept typed.
    #[error("the import recipe is invalid: {cause}")]
    Recipe {
        /// What is wrong with it.
        cause: String,
    },
}

/// An encoding that bytes may be in, and what the place of the first bad byte would say in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The encoding.
    pub encoding: Encoding,
    /// The text around the place; empty when there is nothing to compare.
    pub reading: String,
}

/// What is wrong with a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotingFault {
    /// The file ends inside a quoted field.
    Unclosed,
    /// Something other than a delimiter follows a closing quote.
    TextAfterClosing,
}

impl fmt::Display for QuotingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unclosed => "a quoted field is never closed",
            Self::TextAfterClosing => "text follows the closing quote of a field",
        })
    }
}

fn readings(suggestions: &[Suggestion]) -> String {
    let told: Vec<String> = suggestions
        .iter()
        .map(|suggestion| match suggestion.reading.as_str() {
            "" => format!("looks like {}", suggestion.encoding),
            reading => format!("reads `{}` as {}", excerpt(reading), suggestion.encoding),
        })
        .collect();
    if told.is_empty() {
        String::new()
    } else {
        format!("; it {}", told.join(", "))
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn at(place: Option<&Place>) -> String {
    place.map_or_else(String::new, |place| format!(", at {place}"))
}

/// A value short enough to stand in a message, cut at a character.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX: usize = 60;
    match text.char_indices().nth(MAX) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

impl ImportError {
    /// The refusal every surface shows: INVALID_INPUT at DECODE_INTEGRITY, with the place and the way out.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let mut refusal =
            Refusal::new(Stage::DecodeIntegrity, self.reason(), self.to_string()).next(self.next_step());
        if let Some(place) = self.place() {
            refusal = refusal.at(place.to_string());
        }
        match self {
            Self::DuplicateColumn { name, .. } | Self::UnknownColumn { name, .. } => refusal.about(name),
            Self::NotANumber { column, .. }
            | Self::NotADate { column, .. }
            | Self::NotFinite { column, .. }
            | Self::BeyondCalendar { column, .. }
            | Self::UnsupportedColumn { column, .. }
            | Self::KeyMissing { column, .. }
            | Self::KeyRepeated { column, .. } => refusal.about(column),
            _ => refusal,
        }
    }

    fn reason(&self) -> Reason {
        match self {
            Self::NoName => Reason::NotStated,
            Self::UnsupportedFormat { .. }
            | Self::UnsupportedVariant { .. }
            | Self::UnsupportedColumn { .. } => Reason::UnknownShape,
            Self::DuplicateColumn { .. }
            | Self::UnknownColumn { .. }
            | Self::UnknownEnd { .. }
            | Self::KeyRepeated { .. } => Reason::AmbiguousReference,
            Self::Limit { .. } => Reason::Bounds,
            Self::RecipeMismatch { .. } => Reason::Integrity,
            Self::Canceled { .. } => Reason::Unreachable,
            _ => Reason::Malformed,
        }
    }

    /// Where in the file the problem stands, when it stands somewhere.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::NotUtf8 { offset, .. }
            | Self::NotInEncoding { offset, .. }
            | Self::Gzip { offset, .. }
            | Self::NotText { offset, .. } => Some(Place::Offset(*offset)),
            Self::EmptyColumnName { place, .. }
            | Self::Ragged { place, .. }
            | Self::Quoting { place, .. }
            | Self::JsonSyntax { place, .. }
            | Self::Nested { place, .. }
            | Self::Graph { place, .. }
            | Self::Link { place, .. }
            | Self::UnknownEnd { place, .. }
            | Self::DuplicateMember { place }
            | Self::NotANumber { place, .. }
            | Self::NotADate { place, .. }
            | Self::NotFinite { place, .. }
            | Self::ErrorCell { place, .. }
            | Self::MergedCells { place }
            | Self::BesideTable { place }
            | Self::BeyondCalendar { place, .. } => Some(place.clone()),
            Self::Limit { place, .. } | Self::Damaged { place, .. } => place.clone(),
            _ => None,
        }
    }

    fn next_step(&self) -> Cow<'static, str> {
        match self {
            Self::NotUtf8 { suggestions, .. } => match suggestions.as_slice() {
                [] => "state the encoding with --encoding NAME, or save the file as UTF-8".into(),
                [first, ..] => format!(
                    "state the encoding that reads right, as in --encoding {}, or save the file as UTF-8",
                    first.encoding
                )
                .into(),
            },
            other => other.way_out().into(),
        }
    }

    fn way_out(&self) -> &'static str {
        match self {
            Self::NoName => "name the dataset",
            Self::ZeroBytes | Self::Blank => "check that the export finished, then import again",
            Self::HeaderOnly { .. } | Self::NoRows | Self::NoColumns => {
                "export the rows as well, then import again"
            }
            Self::UnsupportedFormat { .. } => "export the table as CSV in UTF-8, then import that",
            Self::NotUtf8 { .. } => "state the encoding with --encoding NAME, or save the file as UTF-8",
            Self::NotInEncoding { .. } => {
                "state another encoding with --encoding NAME, or save the file as UTF-8"
            }
            Self::EncodingContradicted { .. } => {
                "leave --encoding out; the byte order mark is taken at its word"
            }
            Self::NotText {
                looks_utf16: true, ..
            } => "state --encoding UTF-16LE or UTF-16BE, or save the file as UTF-8",
            Self::NotText { .. } => "export the table as text in UTF-8, then import that",
            Self::Gzip { .. } => "get the file again from where it came from",
            Self::UnsupportedVariant { instead, .. } => instead,
            Self::Damaged { .. } => "write the file again from where it came, then import that",
            Self::UnsupportedColumn { .. } => "flatten the column into columns of their own, or leave it out",
            Self::NotFinite { .. } => "declare that spelling as a missing token, or take the rows out",
            Self::ErrorCell { .. } => "repair the formula, or declare the error's text with --missing TOKEN",
            Self::MergedCells { .. } => "unmerge the cells and write the value into each, then import again",
            Self::BesideTable { .. } => {
                "clear the cell, give its column a name, or name another sheet with --sheet NAME"
            }
            Self::BeyondCalendar { .. } => "write the column as numbers or as texts, then import that",
            Self::EmptyColumnName { .. } => "give every column a name",
            Self::DuplicateColumn { .. } => "rename one of the two columns",
            Self::HeaderLooksLikeData { .. } => {
                "state --header yes if the line holds names, --header no if it is a row, --skip-lines 1 if it is neither"
            }
            Self::FirstLineApart { .. } => {
                "leave the line out with --skip-lines 1, or correct it if it is the header"
            }
            Self::Ragged { .. } => "correct that line, or quote fields that hold the delimiter",
            Self::Quoting { .. } => "double each quote inside a quoted field, and close the field",
            Self::JsonSyntax { .. } => "correct the JSON there; rows are flat objects",
            Self::Graph { .. } => "correct the graph as the sentence says, or export its nodes as a table",
            Self::Link { .. } => "correct the link and import again",
            Self::UnknownEnd { .. } => {
                "add the node, or say what ends name with --ends COLUMN or --ends @position"
            }
            Self::Nested { .. } => "flatten the value into members of its own",
            Self::DuplicateMember { .. } => "keep one of the two members",
            Self::UnknownColumn { .. } => "use the name of a column of the file",
            Self::Option { .. } => "change the option as the sentence says",
            Self::NotADate { .. } => {
                "write dates as 2024-05-31 or 2024-05, with a time as 2024-05-31 09:30:15 or 2024-05-31T09:30:15Z, and import again; or leave the kind out, and they stay text"
            }
            Self::NotANumber { .. } => {
                "declare another kind with --declare COLUMN:KIND, or the text as \"no value\" with --missing TEXT"
            }
            Self::KeyMissing { .. } | Self::KeyRepeated { .. } => {
                "choose a --key column whose values are all there and unique, or none to number the rows"
            }
            Self::Limit { .. } => "take a part of the data, or raise the limit",
            Self::Canceled { .. } => "import again and let it finish",
            Self::RecipeMismatch { .. } => "use the file the recipe was made for, or import afresh",
            Self::Recipe { .. } => "report this as a defect of the import",
        }
    }
}
