//! `nemosyne verify`: five separate facts about a package; of a picture, which plan it shows.
//!
//! Exit status 1 when the package is not intact or not complete; the other facts are told and change nothing.

use refusal::Refusal;
use replay::Finding;
use serde_json::{Value, json};

use crate::cli::Verify;
use crate::files;
use crate::historic;
use crate::output::{Report, Stop, to_value};
use crate::runtime;
use crate::verbs::verify_picture;

pub(crate) fn run(arguments: &Verify) -> Result<Report, Stop> {
    let file = &arguments.file;
    if verify_picture::is_picture(file) {
        return verify_picture::run(file, arguments.package.as_deref());
    }
    if arguments.package.is_some() {
        return Err(anyhow::anyhow!("--package goes with a picture: name a PNG before it").into());
    }
    if let Some(looked) = historic::look(file) {
        return Ok(historic::verify(file, &looked));
    }
    let custody = runtime::custody()?;
    let judgment = replay::judge(file, &custody);
    let mut report = Report::new();
    tell(&judgment, &mut report);
    for needed in [&judgment.intact, &judgment.complete] {
        if let Some(refusal) = needed.fact.refusal() {
            report.refuse(&files::in_file(file, refusal.clone()));
        }
    }
    Ok(report)
}

/// Puts the five facts into a report.
pub(crate) fn tell(judgment: &replay::Judgment, report: &mut Report) {
    let facts = [
        ("intact", "intact", &judgment.intact),
        ("complete", "complete", &judgment.complete),
        ("replayable", "replayable", &judgment.replayable),
        ("executable now", "executableNow", &judgment.executable_now),
        ("trusted by", "trustedBy", &judgment.trusted_by),
    ];
    for (label, member, finding) in facts {
        let mark = if finding.fact.holds() { "yes" } else { "no " };
        report.line(format!("  {mark}  {label:<15} {}", finding.sentence));
        report.member(member, fact(finding));
    }
    if let Some(replay) = &judgment.replay {
        report.member("outcome", replay.outcome.word());
    }
}

/// One fact for scripts.
pub(crate) fn fact(finding: &Finding) -> Value {
    let refusal: Option<&Refusal> = finding.fact.refusal();
    json!({
        "holds": finding.fact.holds(),
        "sentence": finding.sentence,
        "refusal": refusal.map(to_value),
    })
}
