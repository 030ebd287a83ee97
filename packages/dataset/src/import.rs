//! Import: bytes and what is stated about them become a dataset, a recipe and a report; bytes and a recipe become the
//! same dataset again.
//!
//! Both roads end in the same build from the recipe, so an import can't differ from its repetition.

use crate::Recipe;
use crate::build::Builder;
use crate::column::MAX_TOKENS;
use crate::dataset::{Dataset, KeyFault, nearest};
use crate::decide::{Decided, Stated, decide, plural};
use crate::error::ImportError;
use crate::limits::Limits;
use crate::options::{Encoding, Format, ImportOptions};
use crate::report::{ImportReport, Note, NoteCode};
use crate::source::csv_rows::{self, Dialect};
use crate::source::text::{self, SourceText};
use crate::source::{RowSink, json_rows};
use crate::survey::{Surveyor, candidates};
use crate::wire::v1::{CsvStructure, RecipeBody};

/// What an import gives.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The dataset.
    pub dataset: Dataset,
    /// Every decision, so that the same bytes give the same dataset again.
    pub recipe: Recipe,
    /// What was found and decided, and why.
    pub report: ImportReport,
}

/// Imports CSV or JSON rows. What `options` leaves open is inferred by stated rules, and the report says what and why.
///
/// # Errors
/// The first thing in the bytes or the options that can't be taken as it is, with its place. Nothing is repaired.
pub fn import(bytes: &[u8], options: &ImportOptions) -> Result<Imported, ImportError> {
    let limits = &options.limits;
    if options.name.is_empty() {
        return Err(ImportError::NoName);
    }
    let source = text::decode(bytes, limits)?;
    let format = options.format.unwrap_or_else(|| text::detect(source.text));
    let mut notes = Vec::new();
    if source.encoding == Encoding::Utf8Bom {
        let text = "the file begins with a byte order mark, which is left out";
        notes.push(Note::new(NoteCode::ByteOrderMark, text));
    }

    let (structure, names) = match format {
        Format::Csv => {
            let dialect = dialect(source, options)?;
            let header = csv_rows::header(source, dialect, options.header_is_names, limits)?;
            if !header.trimmed.is_empty() {
                let n_spaced = plural(header.trimmed.len(), "column name");
                let text = format!("{n_spaced} had spaces around, which are left out");
                notes.push(Note::new(NoteCode::Spaces, text));
            }
            (Some(dialect), header.names)
        }
        Format::JsonRows => (None, json_rows::names(source, limits)?),
    };
    check_options(options, &names)?;

    let candidates = candidates(options.missing_tokens.as_deref());
    let mut surveyor = Surveyor::new(&names, &candidates);
    let n_rows = read(source, structure, &names, limits, &mut surveyor, &mut notes)?;

    let mut decisions = Vec::with_capacity(names.len());
    let mut column_notes = Vec::with_capacity(names.len());
    let mut longest = Vec::with_capacity(names.len());
    for (name, survey) in names.iter().zip(&surveyor.surveys) {
        let stated = Stated {
            declaration: options
                .declarations
                .iter()
                .find(|declaration| declaration.column == *name),
            tokens_declared: options.missing_tokens.is_some(),
            is_key: options.key.as_deref() == Some(name),
        };
        let Decided { decision, notes } = decide(name, survey, &candidates, stated)?;
        decisions.push(decision);
        column_notes.push(notes);
        longest.push(survey.longest);
    }
    let recipe = Recipe::seal(RecipeBody {
        name: options.name.clone(),
        format,
        encoding: source.encoding,
        csv: structure.map(|dialect| CsvStructure::new(dialect.delimiter, dialect.quote)),
        key_column: options.key.clone(),
        columns: decisions,
    })
    .map_err(|error| ImportError::Recipe {
        cause: error.to_string(),
    })?;

    let dataset = build(source, &names, &recipe, n_rows, limits)?;
    let report = ImportReport::new(&dataset, &recipe, notes, column_notes, &longest);
    Ok(Imported {
        dataset,
        recipe,
        report,
    })
}

/// Imports by a recipe alone, inferring nothing, within the default limits.
///
/// # Errors
/// [`ImportError::RecipeMismatch`] when the bytes are not those of the recipe, and whatever [`import`] says of them.
pub fn reimport(bytes: &[u8], recipe: &Recipe) -> Result<Dataset, ImportError> {
    reimport_within(bytes, recipe, &Limits::DEFAULT)
}

/// [`reimport`] within other limits; no limit changes the outcome other than by refusing it.
///
/// # Errors
/// As [`reimport`].
pub fn reimport_within(bytes: &[u8], recipe: &Recipe, limits: &Limits) -> Result<Dataset, ImportError> {
    let body = recipe.body();
    let source = text::decode(bytes, limits)?;
    if source.encoding != body.encoding {
        return Err(ImportError::RecipeMismatch {
            what: format!(
                "they are {} and the recipe says {}",
                source.encoding, body.encoding
            ),
        });
    }
    let expected = || body.columns.iter().map(|column| column.name.as_str());
    let names = match dialect_of(recipe)? {
        Some(dialect) => csv_rows::header(source, dialect, true, limits)?.names,
        None => json_rows::names(source, limits)?,
    };
    if !names.iter().map(String::as_str).eq(expected()) {
        let differs = names
            .iter()
            .map(String::as_str)
            .zip(expected())
            .find(|(found, expected)| found != expected);
        let what = match differs {
            Some((found, expected)) => {
                format!("they have a column `{found}` where the recipe has `{expected}`")
            }
            None => format!(
                "they have {}, the recipe has {}",
                plural(names.len(), "column"),
                body.columns.len()
            ),
        };
        return Err(ImportError::RecipeMismatch { what });
    }
    build(source, &names, recipe, 0, limits)
}

/// The common end of both roads.
fn build(
    source: SourceText<'_>,
    names: &[String],
    recipe: &Recipe,
    n_rows_expected: usize,
    limits: &Limits,
) -> Result<Dataset, ImportError> {
    let body = recipe.body();
    let mut builder = Builder::new(&body.columns, n_rows_expected);
    let n_rows = read(
        source,
        dialect_of(recipe)?,
        names,
        limits,
        &mut builder,
        &mut Vec::new(),
    )?;
    let columns = builder.finish();
    let key = body.key_column.as_deref();
    let key_idx = key.and_then(|key| names.iter().position(|name| name == key));
    Dataset::assemble(body.name.clone(), columns, n_rows, key_idx, None).map_err(|fault| {
        let column = key.unwrap_or_default().to_owned();
        match fault {
            KeyFault::Missing { row_idx } => ImportError::KeyMissing {
                column,
                row: row_idx + 1,
            },
            KeyFault::Repeated {
                first_row_idx,
                row_idx,
                key,
            } => ImportError::KeyRepeated {
                column,
                key: crate::error::excerpt(&key),
                first_row: first_row_idx + 1,
                row: row_idx + 1,
            },
        }
    })
}

fn read(
    source: SourceText<'_>,
    structure: Option<Dialect>,
    names: &[String],
    limits: &Limits,
    sink: &mut dyn RowSink,
    notes: &mut Vec<Note>,
) -> Result<usize, ImportError> {
    let Some(dialect) = structure else {
        return json_rows::rows(source, names, limits, sink);
    };
    let facts = csv_rows::rows(source, dialect, names.len(), limits, sink)?;
    if facts.n_blank_lines > 0 {
        let n_blank = usize::try_from(facts.n_blank_lines).unwrap_or(usize::MAX);
        let text = format!(
            "{} skipped; they are not counted as rows",
            plural(n_blank, "blank line")
        );
        notes.push(Note::new(NoteCode::BlankLines, text));
    }
    Ok(facts.n_rows)
}

fn dialect_of(recipe: &Recipe) -> Result<Option<Dialect>, ImportError> {
    let structure = recipe.body().csv.as_ref().map(CsvStructure::bytes).transpose();
    let structure = structure.map_err(|error| ImportError::Recipe {
        cause: error.to_string(),
    })?;
    Ok(structure.map(|(delimiter, quote)| Dialect { delimiter, quote }))
}

fn dialect(source: SourceText<'_>, options: &ImportOptions) -> Result<Dialect, ImportError> {
    let text_of = |c: Option<char>, otherwise: u8| c.unwrap_or(char::from(otherwise)).to_string();
    let checked = |delimiter: Option<char>| {
        let structure = CsvStructure {
            delimiter: text_of(delimiter, csv_rows::DELIMITERS[0]),
            quote: text_of(options.quote, b'"'),
        };
        structure.bytes().map_err(|error| ImportError::Option {
            what: error.to_string(),
        })
    };
    let (mut delimiter, quote) = checked(options.delimiter)?;
    if options.delimiter.is_none() {
        delimiter = csv_rows::detect_delimiter(source.text, quote);
    }
    Ok(Dialect { delimiter, quote })
}

/// Whether the options speak about columns that are there, each once.
fn check_options(options: &ImportOptions, names: &[String]) -> Result<(), ImportError> {
    let known = |name: &str, purpose| {
        if names.iter().any(|known| known == name) {
            return Ok(());
        }
        Err(ImportError::UnknownColumn {
            name: name.to_owned(),
            purpose,
            nearest: nearest(name, names.iter().map(String::as_str)).map(str::to_owned),
        })
    };
    if let Some(key) = &options.key {
        known(key, "name the rows")?;
    }
    for (declaration_idx, declaration) in options.declarations.iter().enumerate() {
        let name = &declaration.column;
        known(name, "declare")?;
        let earlier = &options.declarations[..declaration_idx];
        if earlier.iter().any(|earlier| earlier.column == *name) {
            return Err(ImportError::Option {
                what: format!("column `{name}` is declared twice; put all of it in one declaration"),
            });
        }
        if declaration
            .unit
            .as_deref()
            .is_some_and(|unit| unit.trim().is_empty())
        {
            return Err(ImportError::Option {
                what: format!("the unit declared for column `{name}` is empty; leave it out instead"),
            });
        }
    }
    let n_tokens = options.missing_tokens.as_ref().map_or(0, Vec::len);
    if n_tokens >= MAX_TOKENS {
        return Err(ImportError::Option {
            what: format!(
                "{n_tokens} missing tokens are too many; at most {} can be told apart",
                MAX_TOKENS - 1
            ),
        });
    }
    match options
        .missing_tokens
        .iter()
        .flatten()
        .find(|token| token.trim() != token.as_str())
    {
        Some(token) => Err(ImportError::Option {
            what: format!("the missing token `{token}` has spaces around; cells are compared without theirs"),
        }),
        None => Ok(()),
    }
}
