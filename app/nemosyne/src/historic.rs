//! Packages of format versions 1 to 3 at the command line: told apart, looked at, never run.

use std::path::Path;

use package::legacy::{self, Facts, LegacyError, LegacyLimits, LegacyPackage, Stated};
use package::{FormatVersion, PackageError};
use refusal::Refusal;
use serde_json::{Value, json};

use crate::files;
use crate::output::{Report, to_value};

/// The package at `path` when it states version 1, 2 or 3; nothing for every other file. What fails as one version is
/// not tried as another.
pub(crate) fn look(path: &Path) -> Option<Result<LegacyPackage, LegacyError>> {
    match package::dispatch(path) {
        Ok(FormatVersion::V1 | FormatVersion::V2 | FormatVersion::V3) => {
            Some(legacy::open(path, &LegacyLimits::DEFAULT))
        }
        Err(PackageError::Legacy(error)) => Some(Err(*error)),
        Ok(FormatVersion::V4) | Err(_) => None,
    }
}

/// The same, where a package that is refused stops the verb.
pub(crate) fn look_or_refuse(path: &Path) -> Result<Option<LegacyPackage>, Refusal> {
    look(path)
        .transpose()
        .map_err(|error| files::in_file(path, error.refusal()))
}

/// `verify`: the five facts, and what the version's own registry says about the receipts.
pub(crate) fn verify(path: &Path, looked: &Result<LegacyPackage, LegacyError>) -> Report {
    let mut report = Report::new();
    let facts = match looked {
        Ok(package) => {
            report.member("formatVersion", package.version().number());
            report.member("strength", package.strength().word());
            package.facts()
        }
        Err(error) => Facts::refused(error),
    };
    for (label, member, stated) in [
        ("intact", "intact", &facts.intact),
        ("complete", "complete", &facts.complete),
        ("replayable", "replayable", &facts.replayable),
        ("executable now", "executableNow", &facts.executable_now),
        ("trusted by", "trustedBy", &facts.trusted_by),
    ] {
        say(&mut report, label, member, stated);
    }
    if let Some(evidence) = &facts.evidence {
        say(&mut report, "evidence", "evidence", evidence);
    }
    report.member("outcome", "UNSUPPORTED_HISTORICAL");
    if let Err(error) = looked {
        report.refuse(&files::in_file(path, error.refusal()));
    }
    report
}

fn say(report: &mut Report, label: &str, member: &str, stated: &Stated) {
    let mark = if stated.fact.holds() { "yes" } else { "no " };
    report.line(format!("  {mark}  {label:<15} {}", stated.sentence));
    report.member(member, fact(stated));
}

fn fact(stated: &Stated) -> Value {
    json!({
        "holds": stated.fact.holds(),
        "sentence": stated.sentence,
        "refusal": stated.fact.refusal().map(to_value),
    })
}

/// `replay`: unsupported, beside what can be inspected.
pub(crate) fn replay(package: &LegacyPackage) -> Report {
    let mut report = Report::new();
    report.line("UNSUPPORTED_HISTORICAL");
    report.member("outcome", "UNSUPPORTED_HISTORICAL");
    let inspectable = inspectable(package);
    for line in &inspectable {
        report.pair("inspectable", line);
    }
    report.member("inspectable", inspectable);
    report.member("executable", false);
    report.refuse(&package.re_execution());
    report
}

/// What there is to look at, a line a kind.
fn inspectable(package: &LegacyPackage) -> Vec<String> {
    let dataset = package.dataset();
    let mut lines = vec![
        format!(
            "dataset {}: {} rows, {} columns",
            dataset.name,
            dataset.n_rows(),
            dataset.columns.len()
        ),
        format!("ledger: {} entries", package.events().len()),
    ];
    for (what, n) in [
        ("results", package.results().len()),
        ("observations", package.observations().len()),
        ("findings", package.findings().len()),
        ("annotations", package.annotations().len()),
        ("discoveries", package.discoveries().len()),
        ("outcomes without a representation", package.nil_outcomes().len()),
        (
            "representation decision",
            usize::from(package.decision().is_some()),
        ),
        (
            "receipts",
            package
                .receipts()
                .map_or(0, |receipts| receipts.envelope.bundle().receipts.len()),
        ),
    ] {
        if n > 0 {
            lines.push(format!("{what}: {n}"));
        }
    }
    lines
}

/// `explain`: refused, since no mark of these versions has a chain to its receipt.
pub(crate) fn unexplained(package: &LegacyPackage) -> Refusal {
    let replay = package.re_execution();
    let text = format!(
        "Format version {} records no plan and no explanation index: no mark has a recorded chain to a receipt.",
        package.version().number()
    );
    Refusal::new(replay.stage(), replay.reason(), text)
        .about(format!("format version {}", package.version().number()))
        .next("read what it does record with `nemosyne inspect`, or admit its data anew")
}
