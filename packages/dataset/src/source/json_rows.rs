//! JSON rows: one array of flat objects, or one flat object a line.
//!
//! Columns are the members of all rows in order of first appearance; a row that lacks one has it absent, which is not
//! null. Refused with pointer and offset: nested values, a member twice in a row, bytes after the array.

use std::collections::BTreeMap;

use super::json_scan::{Event, OnEvent, Scanner};
use super::text::{Decoded, SourceText};
use super::{RawCell, RowPlace, RowSink, Source, Structure, check_counts, check_names, escape_pointer};
use crate::encoding::Encoding;
use crate::error::{ImportError, Place};
use crate::limits::{Bound, Limits};
use crate::options::Format;
use crate::report::Note;

/// Where row objects stand in a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// In one array, which is the whole text.
    Array,
    /// One a line.
    Lines,
    /// In an array inside: its pointer, and where it begins.
    Inside(&'static str, usize),
}

impl Layout {
    fn within(self) -> &'static str {
        match self {
            Self::Array | Self::Lines => "",
            Self::Inside(pointer, _) => pointer,
        }
    }
}

/// JSON rows whose member names are known.
pub(crate) struct JsonRows<'a> {
    decoded: Decoded<'a>,
    layout: Layout,
    names: Vec<String>,
}

impl<'a> JsonRows<'a> {
    pub(crate) fn open(decoded: Decoded<'a>, layout: Layout, limits: &Limits) -> Result<Self, ImportError> {
        let names = names(decoded.source(), layout, limits)?;
        Ok(Self {
            decoded,
            layout,
            names,
        })
    }
}

impl Source for JsonRows<'_> {
    fn structure(&self) -> Structure {
        let format = match self.layout {
            Layout::Lines => Format::JsonLines,
            Layout::Array | Layout::Inside(..) => Format::JsonRows,
        };
        Structure::of(format, self.decoded.encoding)
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows(
        &self,
        limits: &Limits,
        sink: &mut dyn RowSink,
        _notes: &mut Vec<Note>,
    ) -> Result<usize, ImportError> {
        rows(self.decoded.source(), self.layout, &self.names, limits, sink)
    }
}

/// The format of a text. It is JSON when it begins with `[` and then `{`, `]` or the end, or with `{` and then a name or
/// `}`: a graph when the object at the top has a member `nodes`, lines when another object follows it, else rows. What
/// does not begin so is CSV.
pub(crate) fn detect(text: &str) -> Format {
    let mut significant = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    match (significant.next(), significant.next()) {
        // An array of arrays is no table here, and no CSV either: it is refused as what it is.
        (Some(b'['), None | Some(b'{' | b']' | b'[')) => Format::JsonRows,
        (Some(b'{'), Some(b'"' | b'}')) => of_object(text),
        _ => Format::Csv,
    }
}

/// What a text holds that is a map: GeoJSON or TopoJSON, by the type at its top and what goes with it.
pub(crate) fn map(text: &str) -> Option<&'static str> {
    let may_be = text.contains("\"Feature") || text.contains("\"Topology\"");
    if !may_be || !text.trim_start().starts_with('{') {
        return None;
    }
    let source = SourceText {
        text,
        encoding: Encoding::Utf8,
    };
    let mut scanner = Scanner::new(source, 0, "", &Limits::DEFAULT);
    scanner.skip_space();
    scanner.took(b'{');
    scanner.skip_space();
    let (mut kind, mut holds) = (None, [false; 3]);
    let read = scanner.members(&mut |scanner, name, _| {
        scanner.skip_space();
        if name == "type" {
            let rest = &text[scanner.offset()..];
            let is = |word: &str| rest.starts_with(word);
            kind = ["\"FeatureCollection\"", "\"Feature\"", "\"Topology\""]
                .iter()
                .position(|word| is(word));
        }
        for (holds, member) in holds.iter_mut().zip(["features", "geometry", "arcs"]) {
            *holds |= name == member;
        }
        scanner.skip_value()
    });
    // What is broken is refused at its place by whoever reads it.
    read.ok()?;
    match kind {
        Some(2) if holds[2] => Some("a TopoJSON map"),
        Some(at @ 0..=1) if holds[at] => Some("a GeoJSON map"),
        _ => None,
    }
}

fn of_object(text: &str) -> Format {
    let source = SourceText {
        text,
        encoding: Encoding::Utf8,
    };
    let mut scanner = Scanner::new(source, 0, "", &Limits::DEFAULT);
    scanner.skip_space();
    scanner.took(b'{');
    scanner.skip_space();
    let mut has_nodes = false;
    let read = scanner.members(&mut |scanner, name, _| {
        has_nodes |= name == "nodes";
        scanner.skip_value()
    });
    scanner.skip_space();
    match read {
        _ if has_nodes => Format::NodeLink,
        Ok(()) if scanner.peek() == Some(b'{') => Format::JsonLines,
        // A first line that is broken, with lines of the kind after it.
        Err(_) if text.contains("\n{") => Format::JsonLines,
        Ok(()) | Err(_) => Format::JsonRows,
    }
}

fn walk<'a>(
    source: SourceText<'a>,
    layout: Layout,
    limits: &Limits,
    on_event: OnEvent<'_, 'a>,
) -> Result<(), ImportError> {
    match layout {
        Layout::Array => {
            let mut scanner = Scanner::new(source, 0, "", limits);
            scanner.skip_space();
            if scanner.peek() == Some(b'{') {
                return Err(scanner.expected(
                    "one array of row objects at the top, or an object on each line, or an object with `nodes` and `links`",
                ));
            }
            scanner.rows(on_event)?;
            scanner.end("the end of the file after the array")
        }
        Layout::Lines => Scanner::new(source, 0, "", limits).lines(on_event),
        Layout::Inside(pointer, at) => Scanner::new(source, at, pointer, limits).rows(on_event),
    }
}

/// The names of all members in order of first appearance. Reads the whole text, so what it accepts, [`rows`] accepts.
pub(crate) fn names(
    source: SourceText<'_>,
    layout: Layout,
    limits: &Limits,
) -> Result<Vec<String>, ImportError> {
    let mut names = Names::of(layout);
    let mut firsts: Vec<(usize, usize)> = Vec::new();
    let mut n_rows = 0;
    walk(source, layout, limits, &mut |event| {
        match event {
            Event::Row { row, .. } => n_rows = row,
            Event::Member { row, key, offset, .. } => {
                let (name_idx, _) = names
                    .take(row, &key, offset, true)?
                    .expect("names are learned here");
                if name_idx == firsts.len() {
                    firsts.push((row, offset));
                    if firsts.len() > limits.max_columns {
                        return Err(ImportError::Limit {
                            bound: Bound::Columns,
                            limit: limits.max_columns,
                            place: Some(place_of(layout.within(), row, &key, offset)),
                        });
                    }
                }
            }
            Event::RowEnd => {}
        }
        Ok(())
    })?;
    if n_rows == 0 {
        return Err(ImportError::NoRows);
    }
    if names.names.is_empty() {
        return Err(ImportError::NoColumns);
    }
    check_names(&names.names, limits, &|name_idx| {
        let (row, offset) = firsts[name_idx.min(firsts.len() - 1)];
        place_of(
            layout.within(),
            row,
            &names.names[name_idx.min(firsts.len() - 1)],
            offset,
        )
    })?;
    Ok(names.names)
}

/// Hands the rows to `sink`, one cell for each of `columns`. Answers the number of rows.
pub(crate) fn rows(
    source: SourceText<'_>,
    layout: Layout,
    columns: &[String],
    limits: &Limits,
    sink: &mut dyn RowSink,
) -> Result<usize, ImportError> {
    let mut names = Names::of(layout);
    for column in columns {
        names.learn(column);
    }
    let mut cells: Vec<RawCell<'_>> = vec![RawCell::Absent; columns.len()];
    let mut current = None;
    let mut n_rows = 0;
    walk(source, layout, limits, &mut |event| {
        match event {
            Event::Row { row, offset } => {
                n_rows = row;
                check_counts(
                    row,
                    columns.len(),
                    limits,
                    Place::Pointer {
                        pointer: format!("{}/{}", layout.within(), row - 1),
                        offset,
                    },
                )?;
                cells.fill(RawCell::Absent);
                current = Some(RowPlace {
                    row,
                    line: 0,
                    offset,
                    within: layout.within(),
                });
            }
            Event::Member {
                row,
                key,
                offset,
                cell,
            } => {
                let Some((name_idx, _)) = names.take(row, &key, offset, false)? else {
                    return Err(ImportError::RecipeMismatch {
                        what: format!(
                            "{} is a member the recipe does not know",
                            place_of(layout.within(), row, &key, offset)
                        ),
                    });
                };
                cells[name_idx] = cell;
            }
            Event::RowEnd => {
                let place = current.take().expect("a row begins before it ends");
                sink.row(place, &cells)?;
            }
        }
        Ok(())
    })?;
    if n_rows == 0 {
        return Err(ImportError::NoRows);
    }
    Ok(n_rows)
}

/// Names seen so far, and in which row each was seen last.
#[derive(Default)]
struct Names {
    within: &'static str,
    names: Vec<String>,
    by_name: BTreeMap<String, usize>,
    last_row: Vec<usize>,
    /// Where the next member of a row that repeats the order of the one before is found.
    expected: usize,
}

impl Names {
    fn of(layout: Layout) -> Self {
        Self {
            within: layout.within(),
            ..Self::default()
        }
    }

    fn learn(&mut self, name: &str) -> usize {
        let name_idx = self.names.len();
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), name_idx);
        self.last_row.push(0);
        name_idx
    }

    /// The index of `key` and whether it is new; `None` when it is unknown and not to be learned.
    fn take(
        &mut self,
        row: usize,
        key: &str,
        offset: usize,
        learn: bool,
    ) -> Result<Option<(usize, bool)>, ImportError> {
        let guessed = self.names.get(self.expected).is_some_and(|name| name == key);
        let known = if guessed {
            Some(self.expected)
        } else {
            self.by_name.get(key).copied()
        };
        let (name_idx, is_new) = match known {
            Some(name_idx) => (name_idx, false),
            None if learn => (self.learn(key), true),
            None => return Ok(None),
        };
        if self.last_row[name_idx] == row {
            return Err(ImportError::DuplicateMember {
                place: place_of(self.within, row, key, offset),
            });
        }
        self.last_row[name_idx] = row;
        self.expected = if name_idx + 1 < self.names.len() {
            name_idx + 1
        } else {
            0
        };
        Ok(Some((name_idx, is_new)))
    }
}

fn place_of(within: &str, row: usize, key: &str, offset: usize) -> Place {
    Place::Pointer {
        pointer: format!("{within}/{}/{}", row - 1, escape_pointer(key)),
        offset,
    }
}
