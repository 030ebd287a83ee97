//! The import report as a person reads it: how the file was read and which flag reads it otherwise, the columns in a
//! table, why each is what it is, and what looks odd.
//!
//! Wide tables stay short: columns side by side that are alike in everything but their values' range become one line,
//! columns with the same reasons share one, and so do columns with the same note.

use std::fmt;

use crate::column::{CellForm, ColumnKind};
use crate::decide::{plural, times};
use crate::declare::{argument, declared_name};
use crate::measure::{ObservationStructure, Scale, Status};
use crate::oddities::number;
use crate::options::{Compression, Header};
use crate::report::{ImportReport, NoteCode};
use crate::wire::v1::{ColumnSummary, CsvStructure, Measurement, NoteText, ReportBody};

/// The widest name in the table of columns, in characters; longer ones are cut there and whole below it.
const MAX_NAME: usize = 28;
/// Where flags stand at the latest, in characters behind what they change.
const MAX_TOLD: usize = 48;
/// So many columns alike in a row become one line.
const FEWEST_FOLDED: usize = 6;
/// A table with fewer columns shows each.
const FEWEST_WIDE: usize = 24;
/// So many columns with far values have a line each.
const MOST_FAR: usize = 8;
/// How many names a line about several columns shows.
const N_NAMES: usize = 4;

/// Writes one line, whatever stands in the names: they come from the file, and a name that breaks a line could pose as
/// a line of the report.
macro_rules! say {
    ($f:expr, $($told:tt)+) => {
        writeln!($f, "{}", refusal::one_line(format!($($told)+).trim_end()))
    };
}

impl fmt::Display for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = &self.body;
        let (rows, columns) = (plural(body.n_rows, "row"), plural(body.columns.len(), "column"));
        let links = body
            .graph
            .as_ref()
            .map(|graph| format!(", {}", plural(graph.n_links, "link")));
        say!(f, "{}: {rows}, {columns}{}", body.name, links.unwrap_or_default())?;
        say!(f, "")?;
        write_reading(f, body)?;
        say!(f, "")?;
        write_table(f, &body.columns, &self.samples)?;
        say!(f, "")?;
        write_reasons(f, &body.columns)?;
        write_notes(f, body)
    }
}

/// How the file was read: what, how, and the flag that says otherwise.
fn write_reading(f: &mut fmt::Formatter<'_>, body: &ReportBody) -> fmt::Result {
    let how = |flag: &str| {
        if body.stated.iter().any(|stated| stated == flag) {
            "stated"
        } else {
            "detected"
        }
    };
    let packed = match body.compression {
        Some(Compression::Gzip) => " inside gzip",
        None => "",
    };
    let mut lines = vec![(
        "format",
        format!("{}{packed}, {}", body.format.called(), how("format")),
        "--format",
    )];
    if let Some(encoding) = body.encoding {
        lines.push((
            "encoding",
            format!("{encoding}, {}", how("encoding")),
            "--encoding",
        ));
    }
    if let Some(sheet) = &body.sheet {
        let how = if body.stated.iter().any(|stated| stated == "sheet") {
            "stated"
        } else {
            "the first"
        };
        lines.push(("sheet", format!("`{sheet}`, {how}"), "--sheet NAME"));
    }
    if let Some(csv) = &body.csv {
        lines.extend(csv_lines(csv, &how));
    }
    if let Some(graph) = &body.graph {
        let ends = match &graph.ends {
            Some(column) => format!("name nodes by `{column}`"),
            None => "name nodes by their place, from 0".to_owned(),
        };
        let mut beside = String::new();
        if !graph.members.is_empty() {
            let names: Vec<&str> = graph.members.iter().map(String::as_str).collect();
            beside = format!("; each may state {}", some(&names));
        }
        let directed = match graph.directed {
            Some(true) => "directed",
            Some(false) => "undirected",
            None => "direction not stated",
        };
        lines.push((
            "links",
            format!("{}, {directed}; their ends {ends}{beside}", graph.n_links),
            "--ends COLUMN or --ends @position",
        ));
    }
    let key = match &body.key_column {
        Some(key) => format!("known by `{key}`"),
        None if body.n_rows == 1 => "known by place, row:1".to_owned(),
        None => format!("known by place, row:1 to row:{}", body.n_rows),
    };
    lines.push(("rows", key, "--key COLUMN"));
    lines.push(("no value", missing(body), "--missing TOKEN"));
    let width = lines
        .iter()
        .map(|(_, told, _)| told.chars().count())
        .max()
        .unwrap_or(0)
        .min(MAX_TOLD);
    for (what, told, flag) in lines {
        say!(f, "  {what:<12} {told:<width$}  {flag}")?;
    }
    say!(
        f,
        "  {:<12} {}, of name, columns and rows",
        "fingerprint",
        body.fingerprint
    )?;
    say!(f, "  {:<12} {}", "recipe", body.recipe_id)
}

fn csv_lines(
    csv: &CsvStructure,
    how: &dyn Fn(&str) -> &'static str,
) -> Vec<(&'static str, String, &'static str)> {
    let delimiter = match csv.delimiter.as_str() {
        "," => "comma",
        ";" => "semicolon",
        "\t" => "tab",
        "|" => "bar",
        " " => "space",
        other => other,
    };
    let line = 1 + csv.skip_lines.unwrap_or(0);
    let header = match (csv.header, csv.skip_lines) {
        (Some(Header::Absent), None) => format!("none, {}", how("header")),
        (Some(Header::Absent), Some(_)) => format!("none, {}; rows from line {line}", how("header")),
        (Some(Header::Present) | None, _) => format!("line {line}, {}", how("header")),
    };
    let mark = if csv.decimal_mark.is_some() {
        "comma"
    } else {
        "point"
    };
    let between = match csv.thousands.as_deref() {
        Some(mark) => format!("`{mark}` between thousands"),
        None => "no thousands mark".to_owned(),
    };
    let mut lines = vec![
        (
            "delimiter",
            format!("{delimiter}, {}", how("delimiter")),
            "--delimiter",
        ),
        ("header", header, "--header yes|no, --skip-lines N"),
        (
            "numbers",
            format!("decimal {mark}, {}; {between}", how("decimal-mark")),
            "--decimal-mark, --thousands",
        ),
    ];
    if csv.quote != "\"" {
        lines.insert(
            1,
            ("quote", format!("{}, {}", csv.quote, how("quote")), "--quote"),
        );
    }
    lines
}

/// What stood for "no value" anywhere, and how often.
fn missing(body: &ReportBody) -> String {
    let mut tokens: Vec<(String, usize)> = Vec::new();
    let mut add = |word: String, count: usize| {
        if count == 0 {
            return;
        }
        match tokens.iter_mut().find(|(known, _)| *known == word) {
            Some((_, total)) => *total += count,
            None => tokens.push((word, count)),
        }
    };
    for column in &body.columns {
        for (word, count) in ways(column) {
            add(word, count);
        }
    }
    let instead = if body.stated.iter().any(|stated| stated == "missing") {
        "; stated, so `NA` and the other usual texts are values"
    } else {
        ""
    };
    if tokens.is_empty() {
        return format!("in no cell{instead}");
    }
    let told: Vec<String> = tokens
        .iter()
        .map(|(word, count)| format!("{word} {}", times(*count)))
        .collect();
    format!("{}{instead}", told.join(", "))
}

/// How the values of a column are missing, each with its count.
fn ways(column: &ColumnSummary) -> Vec<(String, usize)> {
    let mut ways: Vec<(String, usize)> = column
        .missing_tokens
        .iter()
        .map(|counted| {
            let word = if counted.token.is_empty() {
                "empty".to_owned()
            } else {
                format!("`{}`", counted.token)
            };
            (word, counted.count)
        })
        .collect();
    ways.push(("null".to_owned(), column.n_null));
    ways.push(("absent".to_owned(), column.n_absent));
    ways.retain(|(_, count)| *count > 0);
    ways
}

fn write_table(f: &mut fmt::Formatter<'_>, columns: &[ColumnSummary], samples: &[String]) -> fmt::Result {
    let mut lines: Vec<[String; 6]> = vec![
        [
            "column",
            "kind",
            "scale",
            "values",
            "missing",
            "range, groups or texts",
        ]
        .map(str::to_owned),
    ];
    for run in runs(columns) {
        lines.push(line(&columns[run.clone()], &samples[run]));
    }
    let mut widths = [0; 5];
    for cells in &lines {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let [name, kind, scale, values, missing] = widths;
    for cells in lines {
        say!(
            f,
            "  {:<name$}  {:<kind$}  {:<scale$}  {:>values$}  {:>missing$}  {}",
            cells[0],
            cells[1],
            cells[2],
            cells[3],
            cells[4],
            cells[5]
        )?;
    }
    Ok(())
}

/// The columns, those alike side by side together.
fn runs(columns: &[ColumnSummary]) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if columns.len() >= FEWEST_WIDE && alike(&columns[run.start], column) => {
                run.end = at + 1;
            }
            _ => runs.push(at..at + 1),
        }
    }
    let short = |run: std::ops::Range<usize>| {
        let folded = run.len() >= FEWEST_FOLDED;
        let singles: Vec<_> = if folded {
            vec![run.clone()]
        } else {
            run.map(|at| at..at + 1).collect()
        };
        singles
    };
    runs.into_iter().flat_map(short).collect()
}

fn alike(a: &ColumnSummary, b: &ColumnSummary) -> bool {
    let unit = |column: &ColumnSummary| column.measurement.unit.as_ref().map(|unit| unit.written.clone());
    a.kind == ColumnKind::Numeric
        && b.kind == ColumnKind::Numeric
        && a.measurement.scale == b.measurement.scale
        && unit(a) == unit(b)
        && a.cells == b.cells
}

fn line(run: &[ColumnSummary], samples: &[String]) -> [String; 6] {
    let first = &run[0];
    let (name, range) = if run.len() == 1 {
        (cut(&first.name), range(first, &samples[0]))
    } else {
        let last = &run[run.len() - 1];
        let min = run
            .iter()
            .filter_map(|column| column.min)
            .fold(f64::INFINITY, f64::min);
        let max = run
            .iter()
            .filter_map(|column| column.max)
            .fold(f64::NEG_INFINITY, f64::max);
        let unit = unit_of(&first.measurement);
        (
            format!("{} … {}", cut(&first.name), cut(&last.name)),
            format!(
                "{} columns, all within {} to {}{unit}",
                run.len(),
                number(min),
                number(max)
            ),
        )
    };
    let scale = match first.measurement.scale {
        Scale::Unknown => String::new(),
        scale => scale.to_string(),
    };
    [
        name,
        first.kind.to_string(),
        scale,
        within(run.iter().map(|column| column.n_values)),
        within(run.iter().map(|column| column.n_missing)),
        range,
    ]
}

/// One count, or the least and the greatest of several.
fn within(counts: impl Iterator<Item = usize> + Clone) -> String {
    match (counts.clone().min(), counts.max()) {
        (Some(least), Some(greatest)) if least < greatest => format!("{least}–{greatest}"),
        (least, _) => least.unwrap_or(0).to_string(),
    }
}

fn unit_of(measurement: &Measurement) -> String {
    measurement
        .unit
        .as_ref()
        .map_or_else(String::new, |unit| format!(" {}", unit.written))
}

fn range(column: &ColumnSummary, sample: &str) -> String {
    match (column.kind, column.min, column.max, &column.first, &column.last) {
        (_, Some(min), Some(max), ..) => {
            format!(
                "{} to {}{}",
                number(min),
                number(max),
                unit_of(&column.measurement)
            )
        }
        (_, _, _, Some(first), Some(last)) => format!("{first} to {last}"),
        (ColumnKind::Categorical, ..) => format!("{}: {sample}", plural(column.n_distinct, "group")),
        (ColumnKind::Text, ..) => format!("{} distinct: {sample}", column.n_distinct),
        _ => String::new(),
    }
}

fn cut(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}

/// Why each column is what it is; columns with the same reasons share a line.
fn write_reasons(f: &mut fmt::Formatter<'_>, columns: &[ColumnSummary]) -> fmt::Result {
    say!(f, "  why")?;
    let mut told: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    let wide = columns.len() >= FEWEST_WIDE;
    for column in columns {
        let reasons = reasons(column, wide);
        match told.iter_mut().find(|(_, known)| *known == reasons) {
            Some((names, _)) => names.push(&column.name),
            None => told.push((vec![&column.name], reasons)),
        }
    }
    let told: Vec<(String, Vec<String>)> = told
        .into_iter()
        .map(|(names, reasons)| (some(&names), reasons))
        .collect();
    let fits = |names: &&str| names.chars().count() <= MAX_NAME;
    let names = || told.iter().map(|(names, _)| names.as_str());
    let width = names()
        .filter(fits)
        .map(|names| names.chars().count())
        .max()
        .unwrap_or(0);
    for (names, reasons) in &told {
        // A name that is wider than the margin pushes its line to the right and begins no other.
        let mut margin = names.as_str();
        for reason in reasons {
            say!(f, "    {margin:<width$}  {reason}")?;
            margin = "";
        }
    }
    Ok(())
}

/// The reasons; in a wide table without the counts in which columns differ that are otherwise alike.
fn reasons(column: &ColumnSummary, wide: bool) -> Vec<String> {
    let measurement = &column.measurement;
    let mut basis = measurement.basis.iter().map(|basis| basis.rationale.as_str());
    let why = match (column.kind, column.cells) {
        (ColumnKind::Numeric, CellForm::Integer) if wide => "all values are integers",
        (ColumnKind::Numeric, CellForm::Decimal) if wide => "all values are numbers",
        _ => column.why.as_str(),
    };
    let mut reasons = vec![format!("{}: {why}", column.kind)];
    reasons.push(said(
        measurement.scale.word(),
        measurement.status,
        basis.next().unwrap_or_default(),
        "scale",
    ));
    if let Some(unit) = &measurement.unit {
        let written = if unit.written == unit.text {
            String::new()
        } else {
            format!(" (written {})", unit.written)
        };
        reasons.push(said(
            &format!("unit {}{written}", unit.text),
            unit.status,
            basis.next().unwrap_or_default(),
            "unit",
        ));
    }
    if measurement.observation_structure != ObservationStructure::Unknown {
        reasons.push(format!(
            "observations {}: declared",
            measurement.observation_structure
        ));
    }
    let ways = ways(column);
    if ways.len() > usize::from(wide) {
        let told: Vec<String> = ways
            .iter()
            .map(|(word, count)| format!("{word} {}", times(*count)))
            .collect();
        reasons.push(format!("missing: {}", told.join(", ")));
    }
    // The name stands in the margin already, and without it columns share their reasons.
    let own = format!("the name `{}`", column.name);
    reasons
        .iter()
        .map(|reason| reason.replace(&own, "the name"))
        .collect()
}

/// A statement about measurement with its firmness; what was declared needs no reason.
fn said(what: &str, status: Status, why: &str, of: &str) -> String {
    let what = if what == Scale::Unknown.word() {
        format!("{of} unknown")
    } else {
        what.to_owned()
    };
    match status {
        Status::Inferred => format!("{what}, inferred: {why}"),
        Status::Declared | Status::Confirmed if why.starts_with("the column") => format!("{what}: {why}"),
        Status::Declared | Status::Confirmed => format!("{what}: {status}"),
    }
}

/// The oddities, the file's own first; columns with the same one share a line.
fn write_notes(f: &mut fmt::Formatter<'_>, body: &ReportBody) -> fmt::Result {
    let mut told: Vec<(Vec<&str>, &str, String)> = Vec::new();
    let mut far: Vec<(&str, &NoteText)> = Vec::new();
    for column in &body.columns {
        for note in &column.notes {
            if note.code == NoteCode::FarValues {
                far.push((&column.name, note));
                continue;
            }
            let shared = shared(note, &column.name);
            match told.iter_mut().find(|(_, _, known)| *known == shared) {
                Some((names, ..)) => names.push(&column.name),
                None => told.push((vec![&column.name], &note.text, shared)),
            }
        }
    }
    if body.notes.is_empty() && told.is_empty() && far.is_empty() {
        return Ok(());
    }
    say!(f, "")?;
    say!(f, "  worth a look")?;
    for note in &body.notes {
        say!(f, "    {}", note.text)?;
    }
    for (names, own, shared) in told {
        let text = if names.len() == 1 { own } else { &shared };
        say!(f, "    {}: {text}", some(&names))?;
    }
    write_far(f, &far)
}

/// A note's text as other columns may have it too: with COLUMN for the name in what it says to type.
fn shared(note: &NoteText, name: &str) -> String {
    match note.code {
        NoteCode::PossibleGroups => {
            let (_, rest) = note.text.split_once(' ').unwrap_or_default();
            let flag = argument(&format!("{}:CATEGORICAL", declared_name(name)));
            format!("few {}", rest.replace(&flag, "COLUMN:CATEGORICAL"))
        }
        NoteCode::PossibleKey => note.text.replace(&argument(name), "COLUMN"),
        _ => note.text.clone(),
    }
}

/// The far values, one line a column, or one line in all when there are many; and what far means.
fn write_far(f: &mut fmt::Formatter<'_>, far: &[(&str, &NoteText)]) -> fmt::Result {
    if far.is_empty() {
        return Ok(());
    }
    if far.len() > MOST_FAR {
        // The text of such a note begins with how many values there are.
        let counted: Vec<String> = far
            .iter()
            .take(MOST_FAR)
            .map(|(name, note)| format!("{} in {name}", note.text.split(' ').next().unwrap_or_default()))
            .collect();
        say!(
            f,
            "    values are far out in {} columns: {}, …; --json tells each",
            far.len(),
            counted.join(", ")
        )?;
    } else {
        for (name, note) in far {
            say!(f, "    {name}: {}", note.text)?;
        }
    }
    say!(
        f,
        "    (far out is 3 interquartile ranges beyond the middle half of the values; it may be right)"
    )
}

/// A few names, and how many more.
fn some(names: &[&str]) -> String {
    let mut shown = names.iter().take(N_NAMES).copied().collect::<Vec<_>>().join(", ");
    if names.len() > N_NAMES {
        shown.push_str(&format!(" and {} more", names.len() - N_NAMES));
    }
    shown
}
