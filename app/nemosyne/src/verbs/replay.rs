//! `nemosyne replay`: the recorded plan again, without choosing anything anew; beside it, what may be done with it now.
//!
//! Exit status 1 when the recorded decision is not reproduced, or an adaptation is refused. That history can be read and
//! that it may not be shown now are two facts, and both are told.

use adoption::Runtime;
use custody::Custody;
use package::Opened;
use replay::{Departure, Outcome, Replay};
use serde_json::{Value, json};

use crate::cli;
use crate::files;
use crate::historic;
use crate::output::{Report, Stop, to_value};
use crate::runtime;
use crate::verbs::admit::device;
use crate::verbs::verify::fact;

pub(crate) fn run(arguments: &cli::Replay) -> Result<Report, Stop> {
    if let Some(out) = &arguments.out {
        files::check_other(&arguments.package, out)?;
    }
    if let Some(package) = historic::look_or_refuse(&arguments.package)? {
        return Ok(historic::replay(&package));
    }
    let custody = runtime::custody()?;
    let opened = files::open_package(&arguments.package)?;
    let mut report = Report::new();
    match arguments.adapt {
        Some(wanted) => adapt(&opened, &custody, wanted, arguments, &mut report)?,
        None => tell(&opened, &custody, &mut report),
    }
    Ok(report)
}

/// Derives a new result for a device, and writes its package when asked to.
fn adapt(
    opened: &Opened,
    custody: &Custody,
    wanted: cli::Device,
    arguments: &cli::Replay,
    report: &mut Report,
) -> Result<(), Stop> {
    let adaptation = replay::adapt(opened, custody, device(wanted)).map_err(|refused| *refused)?;
    let outcome = adaptation.outcome();
    report.line(outcome.word());
    report.member("outcome", outcome.word());
    report.pair("new result", adaptation.admission.record().id());
    report.pair("derived from", adaptation.derived_from.result_id);
    report.pair("variant", &adaptation.variant);
    for difference in &adaptation.derived_from.differences {
        report.pair("differs", difference);
    }
    report.member("resultId", adaptation.admission.record().id().to_string());
    report.member("planId", adaptation.admission.plan().id().to_string());
    report.member("variant", adaptation.variant.clone());
    report.member(
        "derivedFrom",
        json!({
            "investigationDigest": adaptation.derived_from.investigation_digest.to_string(),
            "resultId": adaptation.derived_from.result_id.to_string(),
        }),
    );
    report.member("differences", adaptation.derived_from.differences.clone());
    match &arguments.out {
        Some(path) => {
            let written = adaptation.write(opened, custody, path)?;
            report.pair(
                "package",
                format!(
                    "{} · {} bytes · {}",
                    path.display(),
                    written.bytes,
                    written.sha256
                ),
            );
            report.member("package", path.display().to_string());
            report.member("packageDigest", written.sha256.to_string());
        }
        None => report.line("  package        none: no --out was given"),
    }
    Ok(())
}

fn tell(opened: &Opened, custody: &Custody, report: &mut Report) {
    let judgment = replay::judge_opened(opened, custody);
    if let Some(replay) = &judgment.replay {
        report.line(replay.outcome.word());
        report.member("outcome", replay.outcome.word());
        tell_replay(replay, report);
    }
    tell_history(opened, custody, report);
    let now = &judgment.executable_now;
    report.pair("shown now", &now.sentence);
    report.member("executableNow", fact(now));
    report.member("recordedPlanId", opened.plan().id().to_string());
    report.member("recordedResultId", opened.record().id().to_string());
    if let Some(refusal) = judgment
        .replay
        .as_ref()
        .and_then(|replay| replay.outcome.refusal())
    {
        report.refuse(refusal);
    }
}

fn tell_replay(replay: &Replay, report: &mut Report) {
    if let Outcome::ExactHistorical { plan_bytes } = &replay.outcome {
        report.pair(
            "plan",
            format!("rebuilt, {} bytes, equal to the recorded ones", plan_bytes.len()),
        );
        report.member("planBytes", plan_bytes.len());
        report.member("planBytesEqual", true);
    }
    for check in &replay.checks {
        report.pair("same", format!("{} · {}", check.what, check.identity));
    }
    let checks: Vec<_> = replay
        .checks
        .iter()
        .map(|check| json!({ "what": check.what, "identity": check.identity }))
        .collect();
    report.member("checks", checks);
    if let Some(departure) = &replay.departure {
        tell_departure(departure, report);
    }
    for missing in &replay.missing {
        report.pair(
            "missing",
            format!("{} {} (here: {})", missing.what, missing.recorded, missing.here),
        );
    }
    let missing: Vec<_> = replay
        .missing
        .iter()
        .map(|it| json!({ "what": it.what, "recorded": it.recorded, "here": it.here }))
        .collect();
    report.member("missing", missing);
}

fn tell_departure(departure: &Departure, report: &mut Report) {
    let step = departure.step;
    match (&departure.recorded, &departure.rebuilt) {
        (Some(recorded), Some(rebuilt)) => {
            report.pair(
                "differs",
                format!("{step} · recorded {recorded} · rebuilt {rebuilt}"),
            );
        }
        _ => report.pair("stopped at", step),
    }
    for place in &departure.places {
        report.pair(
            "at",
            format!(
                "{} · recorded {} · rebuilt {}",
                place.pointer, place.recorded, place.rebuilt
            ),
        );
    }
    if departure.more > 0 {
        report.pair("at", format!("{} places more", departure.more));
    }
    if !departure.not_reached.is_empty() {
        report.pair("not reached", departure.not_reached.join(", "));
    }
    let places: Vec<Value> = departure
        .places
        .iter()
        .map(|it| json!({ "pointer": it.pointer, "recorded": it.recorded, "rebuilt": it.rebuilt }))
        .collect();
    report.member(
        "departure",
        json!({
            "step": step,
            "recorded": departure.recorded,
            "rebuilt": departure.rebuilt,
            "places": places,
            "morePlaces": departure.more,
            "notReached": departure.not_reached,
        }),
    );
}

/// Whether the record can be looked at as history, and what it says; whatever may be done with it now.
fn tell_history(opened: &Opened, custody: &Custody, report: &mut Report) {
    let runtime = Runtime::new(runtime::instance());
    match replay::inspect(opened, custody, &runtime) {
        Ok(history) => {
            report.pair("history", format!("readable · {}", history.mark()));
            report.member("history", json!({ "readable": true, "mark": history.mark() }));
        }
        Err(error) => {
            let refusal = error.refusal();
            report.pair("history", format!("not shown: {}", refusal.cause().text));
            report.member(
                "history",
                json!({ "readable": false, "refusal": to_value(&refusal) }),
            );
        }
    }
    if let Some(derivation) = opened.derived_from() {
        report.pair(
            "adapted from",
            format!(
                "{}, as the record says: {}",
                derivation.result_id,
                derivation.differences.join("; ")
            ),
        );
        report.member(
            "derivedFrom",
            json!({
                "investigationDigest": derivation.investigation_digest.to_string(),
                "resultId": derivation.result_id.to_string(),
                "differences": derivation.differences,
            }),
        );
    }
}
