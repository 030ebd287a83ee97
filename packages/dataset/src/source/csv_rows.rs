//! CSV: names from the header or `column_1` and so on without one, then one row of raw cells for each record.
//!
//! How the file is structured is detected in [`super::csv_dialect`] or comes from a recipe; how records are split, in
//! [`super::csv_records`].

use super::csv_dialect;
use super::csv_records::{Dialect, LineEnds, Records, text_of};
use super::text::Decoded;
use super::{RawCell, RowPlace, RowSink, Source, Structure, check_counts, check_names};
use crate::decide::plural;
use crate::error::{ImportError, Place};
use crate::limits::{Bound, Limits};
use crate::options::{Format, Header, ImportOptions};
use crate::report::{Note, NoteCode};
use crate::style::NumberStyle;
use crate::wire::v1::CsvStructure;

/// A CSV file whose dialect and header are known.
pub(crate) struct CsvRows<'a> {
    decoded: Decoded<'a>,
    dialect: Dialect,
    names: Vec<String>,
}

impl<'a> CsvRows<'a> {
    /// Opens by what was stated; the rest is looked at.
    pub(crate) fn open(
        decoded: Decoded<'a>,
        options: &ImportOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Self, ImportError> {
        let dialect = csv_dialect::detect(decoded.source(), options, notes)?;
        let Names { names, n_spaced } = names(&decoded, dialect, &options.limits)?;
        if n_spaced > 0 {
            let text = format!(
                "{} had spaces around, which are left out",
                plural(n_spaced, "column name")
            );
            notes.push(Note::new(NoteCode::Spaces, text));
        }
        Ok(Self {
            decoded,
            dialect,
            names,
        })
    }

    /// Opens by the structure a recipe holds.
    pub(crate) fn reopen(
        decoded: Decoded<'a>,
        structure: Option<&CsvStructure>,
        limits: &Limits,
    ) -> Result<Self, ImportError> {
        // A sealed recipe of a CSV file has a structure, and one that holds; see `RecipeBody::check`.
        let structure = structure.ok_or_else(|| ImportError::Recipe {
            cause: "it has no CSV structure".to_owned(),
        })?;
        let (delimiter, quote) = structure.bytes().map_err(|error| ImportError::Recipe {
            cause: error.to_string(),
        })?;
        let dialect = Dialect {
            delimiter,
            quote,
            style: structure.style(),
            has_header: structure.header != Some(Header::Absent),
            n_skipped: structure.skip_lines.unwrap_or(0),
        };
        let names = names(&decoded, dialect, limits)?.names;
        Ok(Self {
            decoded,
            dialect,
            names,
        })
    }
}

impl Source for CsvRows<'_> {
    fn structure(&self) -> Structure {
        let dialect = self.dialect;
        let style = dialect.style;
        Structure {
            csv: Some(CsvStructure {
                header: (!dialect.has_header).then_some(Header::Absent),
                skip_lines: (dialect.n_skipped > 0).then_some(dialect.n_skipped),
                decimal_mark: (style.decimal != NumberStyle::PLAIN.decimal)
                    .then(|| style.decimal.to_string()),
                thousands: style.thousands.map(String::from),
                ..CsvStructure::new(dialect.delimiter, dialect.quote)
            }),
            ..Structure::of(Format::Csv, self.decoded.encoding)
        }
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows(
        &self,
        limits: &Limits,
        sink: &mut dyn RowSink,
        notes: &mut Vec<Note>,
    ) -> Result<usize, ImportError> {
        let facts = rows(&self.decoded, self.dialect, self.names.len(), limits, sink)?;
        if facts.n_blank_lines > 0 {
            let n_blank = usize::try_from(facts.n_blank_lines).unwrap_or(usize::MAX);
            let text = format!(
                "{} skipped; they are not counted as rows",
                plural(n_blank, "blank line")
            );
            notes.push(Note::new(NoteCode::BlankLines, text));
        }
        if let Some(mixed) = facts.line_ends.mixed() {
            let text = format!("lines end in different ways, {mixed}; all are read as line ends");
            notes.push(Note::new(NoteCode::MixedLineEnds, text));
        }
        Ok(facts.n_rows)
    }
}

/// What reading the rows showed besides them.
#[derive(Clone, Copy, Debug)]
struct CsvFacts {
    n_rows: usize,
    n_blank_lines: u64,
    line_ends: LineEnds,
}

/// The names of the columns, surrounding spaces removed.
struct Names {
    names: Vec<String>,
    /// How many had surrounding spaces.
    n_spaced: usize,
}

fn names(decoded: &Decoded<'_>, dialect: Dialect, limits: &Limits) -> Result<Names, ImportError> {
    let mut records = Records::new(decoded.source(), dialect);
    let Some(start) = records.next(usize::from(!dialect.has_header))? else {
        return Err(ImportError::Blank);
    };
    let mut n_spaced = 0;
    let mut names = Vec::with_capacity(records.record.len());
    for (name_idx, field) in records.record.iter().enumerate() {
        if !dialect.has_header {
            names.push(format!("column_{}", name_idx + 1));
            continue;
        }
        let name = text_of(field);
        n_spaced += usize::from(name.trim() != name);
        names.push(name.trim().to_owned());
    }
    let place = start.place(0);
    check_names(&names, limits, &|_| place.clone())?;
    Ok(Names { names, n_spaced })
}

/// Hands the rows under the header, or all of them, to `sink`.
fn rows(
    decoded: &Decoded<'_>,
    dialect: Dialect,
    n_columns: usize,
    limits: &Limits,
    sink: &mut dyn RowSink,
) -> Result<CsvFacts, ImportError> {
    let mut records = Records::new(decoded.source(), dialect);
    if dialect.has_header {
        records.next(0)?;
    }
    let plain = dialect.style == NumberStyle::PLAIN;
    let mut n_rows = 0;
    // A row's cells borrow from the record, which is overwritten by the next, so the vector is rebuilt each time.
    while let Some(start) = records.next(n_rows + 1)? {
        n_rows += 1;
        let place = RowPlace {
            row: n_rows,
            line: start.line,
            offset: start.offset,
            within: "",
        };
        let line = || Place::Line {
            line: start.line,
            row: n_rows,
        };
        if records.record.len() != n_columns {
            return Err(ImportError::Ragged {
                place: line(),
                found: records.record.len(),
                expected: n_columns,
                than: if dialect.has_header {
                    "the header"
                } else {
                    "the first row"
                },
            });
        }
        check_counts(n_rows, n_columns, limits, line())?;
        let mut cells = Vec::with_capacity(n_columns);
        for field in &records.record {
            if field.len() > limits.max_cell_bytes {
                return Err(ImportError::Limit {
                    bound: Bound::CellBytes,
                    limit: limits.max_cell_bytes,
                    place: Some(line()),
                });
            }
            let written = text_of(field);
            cells.push(if plain {
                RawCell::Field(written)
            } else {
                RawCell::Styled {
                    written,
                    plain: dialect.style.plain(crate::survey::trim(written)),
                }
            });
        }
        sink.row(place, &cells)?;
    }
    if n_rows == 0 {
        return Err(ImportError::HeaderOnly { n_columns });
    }
    Ok(CsvFacts {
        n_rows,
        n_blank_lines: records.n_blank_lines,
        line_ends: records.line_ends,
    })
}
