//! `nemosyne judge list`: what people stand by, in this custody.

use judgment::{Confirmed, Kept, kept};
use serde_json::{Value, json};

use super::arguments::JudgeList;
use super::{ground, lines, value};
use crate::files;
use crate::output::{Report, Stop, to_value};
use crate::runtime;

pub(crate) fn run(arguments: &JudgeList) -> Result<Report, Stop> {
    let custody = runtime::custody()?;
    let opened = match &arguments.package {
        Some(path) => Some(files::open_package(path)?),
        None => None,
    };
    let Kept { confirmed, set_aside } = kept(&custody);
    let mut report = Report::new();
    let mut shown = Vec::new();
    let mut elsewhere = Vec::new();
    for one in &confirmed {
        match opened.as_ref().map(|opened| one.resolve(&ground(opened))) {
            None | Some(Ok(())) => {
                tell(one, &mut report);
                shown.push(told(one));
            }
            Some(Err(error)) => elsewhere.push(json!({
                "judgmentId": one.judgment().id().to_string(),
                "refusal": to_value(&error.refusal()),
            })),
        }
    }
    if shown.is_empty() {
        report.line("no confirmed judgment");
    }
    if !elsewhere.is_empty() {
        report.line(format!("{} more are about something else", elsewhere.len()));
    }
    for aside in &set_aside {
        report.line(format!(
            "not counted: revision {}{}: {}",
            aside.revision,
            aside
                .judgment
                .map_or_else(String::new, |id| format!(", {}", id.short())),
            aside.why
        ));
    }
    report.line("None of these is evidence, and none of them changes what may be shown.");
    let set_aside: Vec<Value> = set_aside
        .iter()
        .map(|aside| {
            json!({
                "revision": aside.revision,
                "judgmentId": aside.judgment.map(|id| id.to_string()),
                "why": aside.why,
            })
        })
        .collect();
    report.member("judgments", shown);
    report.member("elsewhere", elsewhere);
    report.member("setAside", set_aside);
    Ok(report)
}

fn tell(one: &Confirmed, report: &mut Report) {
    report.line("CONFIRMED");
    lines(one.judgment(), report);
    for signer in one.signers() {
        report.pair(
            "confirmed by",
            format!("{} ({}) on {}", signer.owner, signer.name, one.confirmed_on()),
        );
    }
    report.line("");
}

fn told(one: &Confirmed) -> Value {
    let mut told = value(one.judgment(), "CONFIRMED");
    told["confirmedOn"] = one.confirmed_on().to_string().into();
    told["revision"] = one.revision().into();
    told["statement"] = one.statement().to_string().into();
    told["signers"] = one
        .signers()
        .iter()
        .map(
            |signer| json!({ "owner": signer.owner, "key": signer.name, "keyId": signer.key_id.to_string() }),
        )
        .collect();
    told
}
