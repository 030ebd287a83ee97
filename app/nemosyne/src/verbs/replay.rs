//! `nemosyne replay`: the recorded plan again, without choosing anything anew.

use replay::{Outcome, Replay};
use serde_json::json;

use crate::cli;
use crate::files;
use crate::output::{Report, Stop};
use crate::verbs::admit::device;

pub(crate) fn run(arguments: &cli::Replay) -> Result<Report, Stop> {
    let custody = custody::Shipped::open().map_err(|error| error.refusal())?;
    let opened = files::open_package(&arguments.package)?;
    let mut report = Report::new();
    match arguments.adapt {
        Some(wanted) => {
            let adaptation = replay::adapt(&opened, &custody, device(wanted)).map_err(|refused| *refused)?;
            tell_outcome(&adaptation.outcome(), &mut report);
        }
        None => tell(&opened, &replay::replay(&opened, &custody), &mut report),
    }
    Ok(report)
}

fn tell(opened: &package::Opened, replay: &Replay, report: &mut Report) {
    tell_outcome(&replay.outcome, report);
    for check in &replay.checks {
        report.pair("same", format!("{} · {}", check.what, check.identity));
    }
    report.member("recordedPlanId", opened.plan().id().to_string());
    report.member("recordedResultId", opened.record().id().to_string());
    let checks: Vec<_> = replay
        .checks
        .iter()
        .map(|check| json!({ "what": check.what, "identity": check.identity }))
        .collect();
    report.member("checks", checks);
}

/// The word of an outcome.
pub(crate) const fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::ExactHistorical { .. } => "EXACT_HISTORICAL",
        Outcome::CompatibleAdaptation { .. } => "COMPATIBLE_ADAPTATION",
        Outcome::UnsupportedHistorical { .. } => "UNSUPPORTED_HISTORICAL",
    }
}

fn tell_outcome(outcome: &Outcome, report: &mut Report) {
    report.line(word(outcome));
    report.member("outcome", word(outcome));
    match outcome {
        Outcome::ExactHistorical { plan_bytes } => {
            report.pair(
                "plan",
                format!("rebuilt, {} bytes, equal to the recorded ones", plan_bytes.len()),
            );
            report.member("planBytes", plan_bytes.len());
            report.member("planBytesEqual", true);
        }
        Outcome::CompatibleAdaptation {
            result_id,
            differences,
        } => {
            report.pair("new result", result_id);
            for difference in differences {
                report.pair("differs", difference);
            }
            report.member("resultId", result_id.clone());
            report.member("differences", differences.clone());
        }
        Outcome::UnsupportedHistorical { refusal } => report.refuse(refusal),
    }
}
