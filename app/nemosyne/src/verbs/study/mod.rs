//! `nemosyne study`: what is agreed before a session. Every verb here writes or shows a document; none permits anything.

mod arguments;
mod freeze;
mod show;
mod treatment;

use std::path::Path;

use identity::canonical;
use package::save::save_atomic;
use refusal::{Reason, Refusal, Stage};
use serde::Serialize;

pub(crate) use arguments::{Step, Study};

use crate::files;
use crate::output::{Report, Stop};

pub(crate) fn run(arguments: &Study) -> Result<Report, Stop> {
    match &arguments.step {
        Step::Template(_) => template(),
        Step::Treatment(it) => treatment::run(it),
        Step::Freeze(it) => freeze::freeze(it),
        Step::Accept(it) => freeze::accept(it),
        Step::Authorize(it) => freeze::authorize(it),
        Step::Show(it) => show::run(it),
    }
}

fn template() -> Result<Report, Stop> {
    let text = serde_json::to_string_pretty(&study::template()).map_err(anyhow::Error::from)?;
    let mut report = Report::new();
    for line in text.lines() {
        report.line(line);
    }
    Ok(report)
}

/// Reads a document of a study.
fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    files::read_bounded(path, study::MAX_BYTES as u64)
}

/// Writes a document in its canonical text; the file that was there before stays whole until the new one is.
fn write<T: Serialize>(path: &Path, document: &T) -> Result<(), Stop> {
    let text = canonical::to_vec(document).map_err(anyhow::Error::from)?;
    save_atomic(path, |file| file.write_all(&text)).map_err(|error| {
        Stop::from(error.refusal_with(|error: &std::io::Error| {
            Refusal::new(
                Stage::DecodeIntegrity,
                Reason::Unreachable,
                format!("The document can't be written: {error}."),
            )
            .about(path.display().to_string())
            .next("Check the disk and try again.")
        }))
    })
}

/// A document that broke a rule, with the file it came from.
fn wrong(path: &Path) -> impl Fn(study::StudyError) -> Stop {
    move |error| Stop::from(error.refusal().about(path.display().to_string()))
}
