mod access;
mod any_reading;
mod bad_input;
mod columnar;
mod dirt;
mod graphs;
mod hostile;
mod identity;
mod kinds;
mod progress;
mod properties;
mod same_content;
mod samples;
mod sources;
mod told;
#[cfg(feature = "xlsx")]
mod workbooks;

use crate::{Column, Dataset, ImportError, ImportOptions, Imported, import};

/// Imports under the name `t`, with nothing stated.
fn imported(text: &str) -> Imported {
    import(text.as_bytes(), &ImportOptions::named("t")).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn refused(text: &str) -> ImportError {
    import(text.as_bytes(), &ImportOptions::named("t")).expect_err(text)
}

fn column<'a>(dataset: &'a Dataset, name: &str) -> &'a Column {
    dataset
        .column(name)
        .unwrap_or_else(|| panic!("no column {name} in {dataset:?}"))
}

/// The codes of all notes about a column, or about the file for `None`.
fn notes(imported: &Imported, about: Option<&str>) -> Vec<String> {
    let notes = imported.report.notes().filter(|(column, _)| *column == about);
    notes.map(|(_, note)| note.code.word().to_owned()).collect()
}
