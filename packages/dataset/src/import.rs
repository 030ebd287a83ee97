//! Import: bytes and what is stated about them become a dataset, a recipe and a report; bytes and a recipe become the
//! same dataset again.
//!
//! Both roads end in the same build from the recipe, so an import can't differ from its repetition.

use std::ops::ControlFlow;

use crate::Recipe;
use crate::build::Builder;
use crate::column::{Column, MAX_TOKENS};
use crate::dataset::{Dataset, KeyFault, nearest};
use crate::decide::{Decided, Stated, decide, plural};
use crate::declare::argument;
use crate::error::ImportError;
use crate::held::{self, HeldColumn};
use crate::limits::Limits;
use crate::lookalikes;
use crate::options::{Compression, ImportOptions};
use crate::progress::{Counting, Listener, Phase, tell};
use crate::report::{ImportReport, Note, NoteCode};
use crate::source::{self, RowSink, Source, Structure};
use crate::survey::{Candidate, Survey, Surveyor, candidates};
use crate::wire::v1::RecipeBody;

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

/// Imports a table of any format in [`Format`](crate::Format). What `options` leaves open is inferred by stated rules,
/// and the report says what and why.
///
/// # Errors
/// The first thing in the bytes or the options that can't be taken as it is, with its place. Nothing is repaired.
pub fn import(bytes: &[u8], options: &ImportOptions) -> Result<Imported, ImportError> {
    import_with(bytes, options, &mut |_| ControlFlow::Continue(()))
}

/// [`import`] with somebody who hears how far it is and may stop it. The listener changes nothing else: not the
/// dataset, not the recipe, not the report.
///
/// # Errors
/// As [`import`], and [`ImportError::Canceled`] when the listener says [`ControlFlow::Break`].
pub fn import_with(
    bytes: &[u8],
    options: &ImportOptions,
    listener: &mut Listener<'_>,
) -> Result<Imported, ImportError> {
    let limits = &options.limits;
    if options.name.is_empty() {
        return Err(ImportError::NoName);
    }
    let mut notes = Vec::new();
    tell(listener, Phase::Opening, 0, None)?;
    let (unpacked, compression) = source::unpack(bytes, limits)?;
    let source = source::open(&unpacked, options, &mut notes)?;
    let names = source.names();
    check_options(options, names)?;
    check_applies(options, &source.structure())?;
    lookalikes::note(names, &mut notes);

    let candidates = candidates(options.missing_tokens.as_deref());
    let mut held = source.columns(limits, listener)?;
    let (surveys, n_rows) = match &held {
        Some(columns) => {
            tell(listener, Phase::Surveying, 0, source.n_rows_stated())?;
            let n_rows = columns.first().map_or(0, HeldColumn::n_rows);
            (held::survey_columns(columns, &candidates)?, n_rows)
        }
        None => {
            let mut surveyor = Surveyor::new(names, &candidates);
            let n_rows = read(
                source.as_ref(),
                limits,
                Phase::Surveying,
                source.n_rows_stated(),
                &mut surveyor,
                &mut notes,
                listener,
            )?;
            (surveyor.surveys, n_rows)
        }
    };

    note_unused_tokens(options, &candidates, &surveys, &mut notes);
    let mut decisions = Vec::with_capacity(names.len());
    let mut column_notes = Vec::with_capacity(names.len());
    let mut longest = Vec::with_capacity(names.len());
    for (column_idx, (name, survey)) in names.iter().zip(&surveys).enumerate() {
        let stated = Stated {
            declaration: options
                .declarations
                .iter()
                .find(|declaration| declaration.column == *name),
            tokens_declared: options.missing_tokens.is_some(),
            is_key: options.key.as_deref() == Some(name),
            observation_structure: options.observation_structure,
        };
        let Decided { decision, notes } = decide(name, survey, &candidates, stated)?;
        decisions.push(decision);
        let of_format = held
            .as_mut()
            .map(|columns| std::mem::take(&mut columns[column_idx].notes));
        column_notes.push(of_format.into_iter().flatten().chain(notes).collect());
        longest.push(survey.longest);
    }
    let Structure {
        format,
        encoding,
        csv,
        sheet,
        links,
    } = source.structure();
    let recipe = Recipe::seal(RecipeBody {
        name: options.name.clone(),
        format,
        encoding,
        compression,
        csv,
        sheet,
        links,
        key_column: options.key.clone(),
        columns: decisions,
    })
    .map_err(|error| ImportError::Recipe {
        cause: error.to_string(),
    })?;

    let dataset = build(source.as_ref(), held, &recipe, Some(n_rows), limits, listener)?;
    let report = ImportReport::new(&dataset, &recipe, notes, column_notes, &longest, options);
    Ok(Imported {
        dataset,
        recipe,
        report,
    })
}

/// Says which declared tokens no cell holds: a misspelled one would pass in silence.
fn note_unused_tokens(
    options: &ImportOptions,
    candidates: &[Candidate],
    surveys: &[Survey],
    notes: &mut Vec<Note>,
) {
    for token in options.missing_tokens.iter().flatten() {
        let at = candidates.iter().position(|candidate| candidate.text == *token);
        let is_used =
            |survey: &Survey| at.is_some_and(|at| survey.n_by_token.get(at).is_some_and(|n| *n > 0));
        if !surveys.iter().any(is_used) {
            let token = argument(token);
            notes.push(Note::new(
                NoteCode::TokenUnused,
                format!("`--missing {token}`: no cell holds that text, spelled so"),
            ));
        }
    }
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
    let (unpacked, compression) = source::unpack(bytes, limits)?;
    if compression != body.compression {
        let packed = |compression: Option<Compression>| match compression {
            Some(compression) => format!("packed as {compression}"),
            None => "not packed".to_owned(),
        };
        return Err(ImportError::RecipeMismatch {
            what: format!(
                "they are {} and the recipe says {}",
                packed(compression),
                packed(body.compression)
            ),
        });
    }
    let source = source::reopen(&unpacked, body, limits)?;
    let found = || source.names().iter().map(String::as_str);
    let expected = || body.columns.iter().map(|column| column.name.as_str());
    if !found().eq(expected()) {
        let differs = found()
            .zip(expected())
            .find(|(found, expected)| found != expected);
        let what = match differs {
            Some((found, expected)) => {
                format!("they have a column `{found}` where the recipe has `{expected}`")
            }
            None => format!(
                "they have {}, the recipe has {}",
                plural(source.names().len(), "column"),
                body.columns.len()
            ),
        };
        return Err(ImportError::RecipeMismatch { what });
    }
    let mut silent = |_| ControlFlow::Continue(());
    let held = source.columns(limits, &mut silent)?;
    build(source.as_ref(), held, recipe, None, limits, &mut silent)
}

/// The common end of both roads.
fn build(
    source: &dyn Source,
    held: Option<Vec<HeldColumn>>,
    recipe: &Recipe,
    n_rows_known: Option<usize>,
    limits: &Limits,
    listener: &mut Listener<'_>,
) -> Result<Dataset, ImportError> {
    let body = recipe.body();
    let (columns, n_rows) = match held {
        Some(held) => {
            tell(listener, Phase::Building, 0, n_rows_known)?;
            let columns = held::build_columns(held, &body.columns)?;
            let n_rows = columns.first().map_or(0, Column::n_rows);
            (columns, n_rows)
        }
        None => {
            let mut builder = Builder::new(&body.columns, n_rows_known.unwrap_or(0));
            let n_rows = read(
                source,
                limits,
                Phase::Building,
                n_rows_known,
                &mut builder,
                &mut Vec::new(),
                listener,
            )?;
            (builder.finish(), n_rows)
        }
    };
    tell(listener, Phase::Fingerprinting, 0, Some(n_rows))?;
    let key = body.key_column.as_deref();
    let key_idx = key.and_then(|key| source.names().iter().position(|name| name == key));
    let edges = source.edges().cloned();
    Dataset::assemble(body.name.clone(), columns, n_rows, key_idx, edges).map_err(|fault| {
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

/// One reading of the rows, counted for the listener.
fn read(
    source: &dyn Source,
    limits: &Limits,
    phase: Phase,
    of: Option<usize>,
    sink: &mut dyn RowSink,
    notes: &mut Vec<Note>,
    listener: &mut Listener<'_>,
) -> Result<usize, ImportError> {
    tell(listener, phase, 0, of)?;
    let mut counting = Counting {
        sink,
        listener,
        phase,
        of,
    };
    source.rows(limits, &mut counting, notes)
}

/// Whether the options speak about the format that the file has: what is stated is never passed over.
fn check_applies(options: &ImportOptions, structure: &Structure) -> Result<(), ImportError> {
    let (csv, format) = (structure.csv.is_some(), structure.format);
    let unfit = [
        (
            "encoding",
            "text",
            options.encoding.is_some() && !format.is_text(),
        ),
        (
            "sheet",
            "workbooks",
            options.sheet.is_some() && structure.sheet.is_none(),
        ),
        (
            "ends",
            "graphs",
            options.ends.is_some() && structure.links.is_none(),
        ),
        ("delimiter", "CSV", options.delimiter.is_some() && !csv),
        ("quote", "CSV", options.quote.is_some() && !csv),
        ("decimal-mark", "CSV", options.decimal_mark.is_some() && !csv),
        ("thousands", "CSV", options.thousands.is_some() && !csv),
        ("header", "CSV", options.header.is_some() && !csv),
        ("skip-lines", "CSV", options.skip_lines > 0 && !csv),
    ];
    match unfit.into_iter().find(|(_, _, unfit)| *unfit) {
        Some((flag, about, _)) => Err(ImportError::Option {
            what: format!(
                "--{flag} is about {about}, and this file is read as {}; leave it out",
                format.called()
            ),
        }),
        None => Ok(()),
    }
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
