//! The import report: what was found, what was decided and why, and what looks odd, for people and for programs.

use rayon::prelude::*;

use crate::Recipe;
use crate::column::Column;
use crate::dataset::Dataset;
use crate::declare::argument;
use crate::oddities::{self, Seen};
use crate::options::ImportOptions;
use crate::wire::v1::{
    ColumnDecision, ColumnSummary, CountedToken, GraphSummary, NoteText, RecipeBody, ReportBody,
};
use crate::words::words;

words! {
    /// What kind of oddity a note is about. None of them stops an import.
    NoteCode, "note code";
    /// A usual missing token was kept as a value.
    TokenKept = "TOKEN_KEPT",
    /// A declared missing token that no cell holds.
    TokenUnused = "TOKEN_UNUSED",
    /// Values or names with spaces around.
    Spaces = "SPACES",
    /// Decimals with more digits than a double distinguishes.
    Precision = "PRECISION",
    /// JSON strings that look like numbers.
    QuotedNumbers = "QUOTED_NUMBERS",
    /// Mostly numbers, with some text between.
    MixedKinds = "MIXED_KINDS",
    /// Every value is the same.
    Constant = "CONSTANT",
    /// No row has a value.
    AllMissing = "ALL_MISSING",
    /// An extreme value far from the others that is often written for "no value".
    PossibleMissingCode = "POSSIBLE_MISSING_CODE",
    /// Texts that differ only in case, spaces or Unicode form.
    NearLevels = "NEAR_LEVELS",
    /// A very long value.
    LongValue = "LONG_VALUE",
    /// Blank lines were skipped.
    BlankLines = "BLANK_LINES",
    /// A byte order mark was left out.
    ByteOrderMark = "BYTE_ORDER_MARK",
    /// Numbers held in single precision, each widened exactly.
    SinglePrecision = "SINGLE_PRECISION",
    /// Instants of a time zone, written in UTC.
    TimeZone = "TIME_ZONE",
    /// Durations, read as whole numbers of their unit.
    Duration = "DURATION",
    /// Results of formulas, taken as values.
    Formulas = "FORMULAS",
    /// Parts of a workbook that are not read.
    NotRead = "NOT_READ",
    /// A column that could name the rows.
    PossibleKey = "POSSIBLE_KEY",
    /// Lines end in more than one way.
    MixedLineEnds = "MIXED_LINE_ENDS",
    /// Control characters that a wrong encoding brings.
    ControlCharacters = "CONTROL_CHARACTERS",
    /// A decimal comma was detected.
    DecimalComma = "DECIMAL_COMMA",
    /// Texts that would be numbers in another style.
    OtherNumbers = "OTHER_NUMBERS",
    /// Names in the header that are numbers or dates.
    NumericNames = "NUMERIC_NAMES",
    /// The first line was taken for a row.
    NoHeader = "NO_HEADER",
    /// A first line that names the delimiter.
    SeparatorLine = "SEPARATOR_LINE",
    /// Another delimiter would make columns of one.
    OtherDelimiter = "OTHER_DELIMITER",
    /// Integers that are perhaps codes of groups.
    PossibleGroups = "POSSIBLE_GROUPS",
    /// Values far from all others.
    FarValues = "FAR_VALUES",
    /// Texts that look like dates.
    DatesAsText = "DATES_AS_TEXT",
    /// A column's name that is one of its values too.
    NameAsValue = "NAME_AS_VALUE",
    /// Something about the links of a graph.
    Links = "LINKS",
    /// Names that look alike and are distinct.
    NearNames = "NEAR_NAMES",
}

/// Something odd that a person should look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which kind of oddity.
    pub code: NoteCode,
    /// In a sentence.
    pub text: String,
}

impl Note {
    pub(crate) fn new(code: NoteCode, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }
}

/// What an import found and decided. [`std::fmt::Display`] is for people, [`ImportReport::to_wire`] for programs.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportReport {
    pub(crate) body: ReportBody,
    /// A few values of each column, shortened; shown to people only.
    pub(crate) samples: Vec<String>,
}

impl ImportReport {
    pub(crate) fn new(
        dataset: &Dataset,
        recipe: &Recipe,
        notes: Vec<Note>,
        column_notes: Vec<Vec<Note>>,
        longest: &[usize],
        options: &ImportOptions,
    ) -> Self {
        let body = recipe.body();
        let of_columns = dataset
            .columns()
            .par_iter()
            .zip(&body.columns)
            .zip(column_notes)
            .zip(longest);
        let (columns, samples) = of_columns
            .map(|(((column, decision), notes), longest)| {
                let longest = *longest;
                summarize(column, decision, notes, longest, body, options)
            })
            .unzip();
        let body = ReportBody {
            name: dataset.name().to_owned(),
            fingerprint: dataset.fingerprint().to_string(),
            recipe_id: recipe.id().to_string(),
            format: body.format,
            encoding: body.encoding,
            sheet: body.sheet.clone(),
            compression: body.compression,
            csv: body.csv.clone(),
            graph: dataset.edges().map(|edges| GraphSummary {
                n_links: edges.as_slice().len(),
                ends: body.links.as_ref().and_then(|links| links.ends.clone()),
                directed: edges.directed(),
                multigraph: edges.multigraph(),
                members: edges.members(),
            }),
            stated: stated(options),
            key_column: body.key_column.clone(),
            n_rows: dataset.n_rows(),
            columns,
            notes: notes.into_iter().map(written).collect(),
        };
        Self { body, samples }
    }

    /// The report as `--json` prints it.
    #[must_use]
    pub fn to_wire(&self) -> &ReportBody {
        &self.body
    }

    /// Every note with the column it is about; `None` is the file as a whole.
    pub fn notes(&self) -> impl Iterator<Item = (Option<&str>, &NoteText)> {
        let of_columns = self.body.columns.iter();
        let of_columns =
            of_columns.flat_map(|column| column.notes.iter().map(|note| (Some(column.name.as_str()), note)));
        self.body.notes.iter().map(|note| (None, note)).chain(of_columns)
    }
}

/// What a column shows: the summary, and a sample of its values.
fn summarize(
    column: &Column,
    decision: &ColumnDecision,
    mut notes: Vec<Note>,
    longest: usize,
    body: &RecipeBody,
    options: &ImportOptions,
) -> (ColumnSummary, String) {
    let n_distinct = column.n_distinct();
    let n_missing = column.n_missing();
    let seen = Seen {
        n_distinct,
        n_missing,
        longest,
    };
    oddities::note_values(column, seen, &mut notes);
    if body.csv.is_some() && options.header.is_none() {
        oddities::note_name_as_value(column, &mut notes);
    }
    let other = [
        NoteCode::OtherNumbers,
        NoteCode::MixedKinds,
        NoteCode::DatesAsText,
    ];
    let names = notes.iter().all(|note| !other.contains(&note.code));
    if body.key_column.is_none() && names && oddities::could_be_key(column, seen) {
        notes.push(Note::new(
            NoteCode::PossibleKey,
            format!(
                "every value is different; `--key {}` would name the rows by it",
                argument(column.name())
            ),
        ));
    }
    let span = oddities::span(column);
    let range = column.range();
    let tokens = column.missing_tokens().iter().zip(column.n_by_token());
    let summary = ColumnSummary {
        name: column.name().to_owned(),
        kind: column.kind(),
        cells: decision.cells,
        why: decision.why.clone(),
        measurement: decision.measurement.clone(),
        n_values: column.n_rows() - n_missing,
        n_missing,
        n_null: column.n_null(),
        n_absent: column.n_absent(),
        missing_tokens: tokens
            .map(|(token, count)| CountedToken {
                token: token.clone(),
                count,
            })
            .collect(),
        n_distinct,
        min: range.map(|(min, _)| min),
        max: range.map(|(_, max)| max),
        first: span.as_ref().map(|(first, _)| first.clone()),
        last: span.map(|(_, last)| last),
        notes: notes.into_iter().map(written).collect(),
    };
    (summary, oddities::sample(column))
}

fn written(note: Note) -> NoteText {
    NoteText {
        code: note.code,
        text: note.text,
    }
}

/// Which of the things a person can state about a whole file were stated, by the names of their flags.
fn stated(options: &ImportOptions) -> Vec<String> {
    let all = [
        ("format", options.format.is_some()),
        ("encoding", options.encoding.is_some()),
        ("sheet", options.sheet.is_some()),
        ("delimiter", options.delimiter.is_some()),
        ("quote", options.quote.is_some()),
        ("header", options.header.is_some()),
        ("skip-lines", options.skip_lines > 0),
        ("decimal-mark", options.decimal_mark.is_some()),
        ("thousands", options.thousands.is_some()),
        ("ends", options.ends.is_some()),
        ("missing", options.missing_tokens.is_some()),
        ("key", options.key.is_some()),
    ];
    let told = all.iter().filter(|(_, stated)| *stated);
    told.map(|(flag, _)| (*flag).to_owned()).collect()
}
