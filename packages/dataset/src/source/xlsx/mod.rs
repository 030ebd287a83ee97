//! Excel workbooks (XLSX): one sheet, one row of names, the rows under it.
//!
//! The first row that has a cell holds the names, from its first to its last cell; the columns below it are the table.
//! Rows without any cell are left out and counted. A number is a JSON number as ECMAScript prints it, a text a JSON
//! string, a boolean a JSON boolean, an empty cell the empty text. A date is ISO 8601: a whole day count a day, a fraction
//! of a day a time, else both, to the millisecond that Excel keeps. A duration is its number of days. Results of
//! formulas are taken as they were last computed.
//!
//! Refused with their place: error cells, unless their text is declared as a missing token; cells merged in or under the
//! row of names; values beside the table.

mod container;

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{DataRef, Dimensions, ExcelDateTime, Reader as _, SheetType, Xlsx, XlsxError};

use super::{RawCell, RowPlace, RowSink, Source, Structure, check_counts, check_names};
use crate::decide::plural;
use crate::error::{ImportError, Place};
use crate::limits::{Bound, Limits};
use crate::options::Format;
use crate::report::{Note, NoteCode};

/// Names of other sheets that a note shows.
const N_SHOWN: usize = 5;

/// Whether bytes are a workbook.
pub(crate) fn detect(bytes: &[u8]) -> bool {
    container::is_workbook(bytes)
}

/// A value of a sheet, as it is handed out.
#[derive(Clone, Debug)]
enum Value {
    Number(String),
    Text(String),
    Bool(bool),
}

/// The table of a sheet.
pub(crate) struct Workbook {
    sheet: String,
    names: Vec<String>,
    /// Rows that have a cell, by their number in the sheet, from 1, and the cells by their column in the table.
    rows: BTreeMap<u32, Vec<(usize, Value)>>,
}

fn damaged(error: &XlsxError) -> ImportError {
    ImportError::Damaged {
        format: Format::Xlsx,
        place: None,
        what: error.to_string(),
    }
}

/// Where a cell stands, as a spreadsheet shows it: column letters and row number.
fn cell_name(row: u32, column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        let letter = u8::try_from((rest - 1) % 26).expect("below 26");
        letters.push(char::from(b'A' + letter));
        rest = (rest - 1) / 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{letters}{}", u64::from(row) + 1)
}

impl Workbook {
    /// Opens the sheet that is named, or the first one. `declared` are texts that stand for "no value".
    pub(crate) fn open(
        bytes: &[u8],
        sheet: Option<&str>,
        declared: &[String],
        limits: &Limits,
        notes: &mut Vec<Note>,
    ) -> Result<Self, ImportError> {
        container::check(bytes, limits)?;
        let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
        let sheets: Vec<String> = workbook
            .sheets_metadata()
            .iter()
            .filter(|sheet| sheet.typ == SheetType::WorkSheet)
            .map(|sheet| sheet.name.clone())
            .collect();
        let quoted = |names: &[&String]| {
            let shown: Vec<String> = names
                .iter()
                .take(N_SHOWN)
                .map(|name| format!("`{name}`"))
                .collect();
            format!(
                "{}{}",
                shown.join(", "),
                if names.len() > N_SHOWN { ", …" } else { "" }
            )
        };
        let name = match sheet {
            Some(name) => sheets
                .iter()
                .find(|known| *known == name)
                .ok_or_else(|| ImportError::Option {
                    what: format!(
                        "there is no sheet `{name}`; the workbook has {}",
                        quoted(&sheets.iter().collect::<Vec<_>>())
                    ),
                })?,
            None => sheets.first().ok_or(ImportError::NoRows)?,
        };
        let others: Vec<&String> = sheets.iter().filter(|other| *other != name).collect();
        if !others.is_empty() {
            let text = format!(
                "other sheets are not read: {}; `--sheet NAME` reads one of them",
                quoted(&others)
            );
            notes.push(Note::new(NoteCode::NotRead, text));
        }
        let merged = workbook
            .merge_cells_by_sheet_name(name)
            .map_err(|error| damaged(&error))?;
        let mut table = Table {
            sheet: name.clone(),
            declared,
            limits,
            merged,
            header: None,
            n_cells: 0,
            n_formulas: 0,
            rows: BTreeMap::new(),
        };
        table.read(&mut workbook)?;
        table.finish(notes)
    }
}

/// The row of names: its number from 0, and where it begins.
struct Header {
    row: u32,
    first: u32,
    names: Vec<String>,
}

/// A table while its cells come in.
struct Table<'a> {
    sheet: String,
    declared: &'a [String],
    limits: &'a Limits,
    merged: Vec<Dimensions>,
    header: Option<Header>,
    n_cells: usize,
    n_formulas: usize,
    rows: BTreeMap<u32, Vec<(usize, Value)>>,
}

impl Table<'_> {
    fn place(&self, row: u32, column: u32) -> Place {
        Place::Cell {
            sheet: self.sheet.clone(),
            cell: cell_name(row, column),
        }
    }

    fn read(&mut self, workbook: &mut Xlsx<Cursor<&[u8]>>) -> Result<(), ImportError> {
        let sheet = self.sheet.clone();
        let mut cells = workbook
            .worksheet_cells_reader(&sheet)
            .map_err(|error| damaged(&error))?;
        let mut names: Vec<(u32, u32, Value)> = Vec::new();
        while let Some(cell) = cells
            .next_cell_with_formula_metadata()
            .map_err(|error| damaged(&error))?
        {
            let (row, column) = cell.pos;
            self.n_formulas += usize::from(cell.formula.is_some());
            let Some(value) = self.value(cell.value, row, column)? else {
                continue;
            };
            self.n_cells += 1;
            if self.n_cells > self.limits.max_cells {
                return Err(self.over(Bound::Cells, self.limits.max_cells, row, column));
            }
            match names.first() {
                None => names.push((row, column, value)),
                Some((header, ..)) if *header == row => names.push((row, column, value)),
                Some((header, ..)) if *header > row => {
                    return Err(self.beside(row, column));
                }
                Some(_) => {
                    if self.header.is_none() {
                        self.header = Some(self.header_of(&names)?);
                    }
                    self.take(row, column, value)?;
                }
            }
        }
        if self.header.is_none() && !names.is_empty() {
            self.header = Some(self.header_of(&names)?);
        }
        Ok(())
    }

    fn over(&self, bound: Bound, limit: usize, row: u32, column: u32) -> ImportError {
        ImportError::Limit {
            bound,
            limit,
            place: Some(self.place(row, column)),
        }
    }

    fn beside(&self, row: u32, column: u32) -> ImportError {
        ImportError::BesideTable {
            place: self.place(row, column),
        }
    }

    fn header_of(&self, cells: &[(u32, u32, Value)]) -> Result<Header, ImportError> {
        let columns = || cells.iter().map(|(_, column, _)| *column);
        let (Some(first), Some(last), Some((row, ..))) = (columns().min(), columns().max(), cells.first())
        else {
            return Err(ImportError::NoColumns);
        };
        let width = usize::try_from(last - first)
            .unwrap_or(usize::MAX)
            .saturating_add(1);
        if width > self.limits.max_columns {
            return Err(self.over(Bound::Columns, self.limits.max_columns, *row, last));
        }
        let mut names = vec![String::new(); width];
        for (_, column, value) in cells {
            let text = match value {
                Value::Number(text) | Value::Text(text) => text.trim().to_owned(),
                Value::Bool(value) => value.to_string(),
            };
            names[(*column - first) as usize] = text;
        }
        check_names(&names, self.limits, &|name_idx| {
            let offset = u32::try_from(name_idx).unwrap_or(u32::MAX);
            self.place(*row, first.saturating_add(offset))
        })?;
        // Merged cells above the names are titles; in and under them one value would stand for many.
        if let Some(merged) = self.merged.iter().find(|merged| merged.end.0 >= *row) {
            return Err(ImportError::MergedCells {
                place: self.place(merged.start.0, merged.start.1),
            });
        }
        Ok(Header {
            row: *row,
            first,
            names,
        })
    }

    fn take(&mut self, row: u32, column: u32, value: Value) -> Result<(), ImportError> {
        let Some(header) = &self.header else {
            return Err(self.beside(row, column));
        };
        let column_idx = column.checked_sub(header.first).map(|offset| offset as usize);
        let Some(column_idx) = column_idx.filter(|&at| at < header.names.len() && row > header.row) else {
            return Err(self.beside(row, column));
        };
        let n_columns = header.names.len();
        let cells = self.rows.entry(row + 1).or_default();
        if cells.iter().any(|(at, _)| *at == column_idx) {
            let what = format!("cell {} is there twice", cell_name(row, column));
            return Err(ImportError::Damaged {
                format: Format::Xlsx,
                place: None,
                what,
            });
        }
        cells.push((column_idx, value));
        let n_rows = self.rows.len();
        let place = || self.place(row, column);
        check_counts(n_rows, n_columns, self.limits, place())
    }

    /// A cell's value; `None` for an empty one.
    fn value(&self, cell: DataRef<'_>, row: u32, column: u32) -> Result<Option<Value>, ImportError> {
        let value = match cell {
            DataRef::Empty => return Ok(None),
            DataRef::Int(value) => Value::Number(value.to_string()),
            DataRef::Float(value) => number(value).ok_or_else(|| self.not_finite(row, column))?,
            DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
                Value::Text(text)
            }
            DataRef::SharedString(text) => Value::Text(text.to_owned()),
            DataRef::Bool(value) => Value::Bool(value),
            DataRef::DateTime(date) if date.is_duration() => {
                number(date.as_f64()).ok_or_else(|| self.not_finite(row, column))?
            }
            DataRef::DateTime(date) => match iso(date) {
                Some(text) => Value::Text(text),
                None => {
                    return Err(ImportError::BeyondCalendar {
                        column: cell_name(row, column),
                        place: self.place(row, column),
                    });
                }
            },
            DataRef::Error(error) => {
                let text = error.to_string();
                if !self.declared.contains(&text) {
                    return Err(ImportError::ErrorCell {
                        place: self.place(row, column),
                        error: text,
                    });
                }
                Value::Text(text)
            }
        };
        if let Value::Text(text) = &value
            && text.len() > self.limits.max_cell_bytes
        {
            return Err(self.over(Bound::CellBytes, self.limits.max_cell_bytes, row, column));
        }
        Ok(Some(value))
    }

    fn not_finite(&self, row: u32, column: u32) -> ImportError {
        ImportError::NotFinite {
            column: cell_name(row, column),
            place: self.place(row, column),
            value: "inf",
        }
    }

    fn finish(self, notes: &mut Vec<Note>) -> Result<Workbook, ImportError> {
        let Some(header) = self.header else {
            return Err(ImportError::NoRows);
        };
        let Some(last) = self.rows.keys().next_back() else {
            return Err(ImportError::HeaderOnly {
                n_columns: header.names.len(),
            });
        };
        // Row numbers count from 1 here, and the header's from 0.
        let spanned = (*last - header.row) as usize - 1;
        let n_blank = spanned.saturating_sub(self.rows.len());
        if n_blank > 0 {
            let text = format!(
                "{} left out; they are not counted as rows",
                plural(n_blank, "blank row")
            );
            notes.push(Note::new(NoteCode::BlankLines, text));
        }
        if self.n_formulas > 0 {
            let text = format!(
                "{} the result of a formula, taken as it was last computed",
                if self.n_formulas == 1 {
                    "1 cell holds".to_owned()
                } else {
                    format!("{} cells each hold", self.n_formulas)
                }
            );
            notes.push(Note::new(NoteCode::Formulas, text));
        }
        Ok(Workbook {
            sheet: self.sheet,
            names: header.names,
            rows: self.rows,
        })
    }
}

fn number(value: f64) -> Option<Value> {
    value.is_finite().then(|| {
        let mut buffer = ryu_js::Buffer::new();
        Value::Number(buffer.format_finite(value + 0.0).to_owned())
    })
}

/// A date, a time of day or both; `None` outside Excel's calendar, which ends with the year 9999.
fn iso(date: ExcelDateTime) -> Option<String> {
    let serial = date.as_f64();
    if !(0.0..2_958_466.0).contains(&serial) {
        return None;
    }
    let (year, month, day, hour, minute, second, milli) = date.to_ymd_hms_milli();
    let days = format!("{year:04}-{month:02}-{day:02}");
    let fraction = match milli {
        0 => String::new(),
        _ => format!(".{milli:03}").trim_end_matches('0').to_owned(),
    };
    let time = format!("{hour:02}:{minute:02}:{second:02}{fraction}");
    Some(if serial.fract() == 0.0 {
        days
    } else if serial < 1.0 {
        time
    } else {
        format!("{days}T{time}")
    })
}

impl Source for Workbook {
    fn structure(&self) -> Structure {
        Structure {
            sheet: Some(self.sheet.clone()),
            ..Structure::binary(Format::Xlsx)
        }
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn n_rows_stated(&self) -> Option<usize> {
        Some(self.rows.len())
    }

    fn rows(
        &self,
        _limits: &Limits,
        sink: &mut dyn RowSink,
        _notes: &mut Vec<Note>,
    ) -> Result<usize, ImportError> {
        for (row_idx, (line, values)) in self.rows.iter().enumerate() {
            let mut cells: Vec<RawCell<'_>> = vec![RawCell::Field(""); self.names.len()];
            for (column_idx, value) in values {
                cells[*column_idx] = match value {
                    Value::Number(text) => RawCell::Number(text),
                    Value::Text(text) => RawCell::String(text.into()),
                    Value::Bool(value) => RawCell::Bool(*value),
                };
            }
            let place = RowPlace {
                line: u64::from(*line),
                ..RowPlace::row(row_idx + 1)
            };
            sink.row(place, &cells)?;
        }
        Ok(self.rows.len())
    }
}
