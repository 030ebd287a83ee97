//! `nemosyne recompute`: every value of a receipt again, from the package's own bytes.

use refusal::{Reason, Refusal, Stage};
use replay::{Compared, Recomputed};
use serde_json::{Value, json};

use crate::cli::Recompute;
use crate::files;
use crate::findings;
use crate::output::{Report, Stop};

pub(crate) fn run(arguments: &Recompute) -> Result<Report, Stop> {
    let opened = files::open_package(&arguments.package)?;
    let again = replay::recompute(&opened, arguments.receipt.as_deref()).map_err(|error| error.refusal())?;
    let mut report = Report::new();
    report.line(if again.is_equal() {
        format!("EQUAL: {} values came out as recorded", again.values())
    } else {
        "DIFFERENT: not every value came out as recorded".to_owned()
    });
    if let Some(kernel) = &again.another_kernel {
        report.pair(
            "kernel",
            format!(
                "the package names {}, this program has {}: numbers of another kernel need not come out the same",
                kernel.recorded, kernel.here
            ),
        );
    }
    for analysis in &again.analyses {
        let columns = analysis.columns.join(", ");
        let about = if columns.is_empty() { "the links" } else { &columns };
        report.line("");
        report.line(format!("{} of {about}", analysis.family));
        for one in analysis.compared() {
            tell(one, &mut report);
        }
        for one in &analysis.receipts {
            let name = one.name.as_deref().unwrap_or_default();
            let receipts = &opened.receipts().bundle().receipts;
            let receipt = receipts.iter().find(|receipt| receipt.receipt_id == name);
            if let Some(standing) = receipt.and_then(findings::inferential) {
                report.pair(
                    "as inference",
                    format!("{name} under {}: {}", standing.profile_id(), standing.sentence()),
                );
                if let Some(first) = standing.lacking().first() {
                    report.pair("", first.way_out());
                }
            }
        }
    }
    report.member("equal", again.is_equal());
    report.member("values", again.values());
    let kernel = again
        .another_kernel
        .as_ref()
        .map(|kernel| json!({ "recorded": kernel.recorded, "here": kernel.here }));
    report.member("anotherKernel", kernel);
    report.member(
        "analyses",
        again.analyses.iter().map(analysis_json).collect::<Vec<_>>(),
    );
    if !again.is_equal() {
        let about = arguments.receipt.clone().unwrap_or_else(|| "receipts".to_owned());
        report.refuse(&different(&about, again.another_kernel.is_some()));
    }
    Ok(report)
}

fn different(about: &str, another_kernel: bool) -> Refusal {
    let (reason, text, next) = if another_kernel {
        (
            Reason::ImplementationMissing,
            "The values were computed by another kernel, and this one gives others.",
            "Recompute with a program that has the kernel, or admit the table anew with this one.",
        )
    } else {
        (
            Reason::Integrity,
            "The same kernel gives other values from the package's own bytes than the package records.",
            "Trust the recomputed values; fetch the package from its author, or build it again from its data.",
        )
    };
    Refusal::new(Stage::DecodeIntegrity, reason, text)
        .about(about)
        .next(next)
}

fn tell(one: &Compared, report: &mut Report) {
    let name = one.name.clone().unwrap_or_default();
    let what = if name.is_empty() {
        one.what.to_owned()
    } else {
        format!("{} {name}", one.what)
    };
    if one.is_equal() {
        report.pair(
            "equal",
            format!("{what} · {} values · {}", one.values, one.recorded),
        );
        return;
    }
    let recomputed = one
        .recomputed
        .map_or_else(|| "nothing".to_owned(), |digest| digest.to_string());
    report.pair(
        "different",
        format!("{what} · recorded {} · recomputed {recomputed}", one.recorded),
    );
    for place in &one.differences {
        let digit = place
            .digit
            .map_or_else(String::new, |digit| format!(", from digit {digit} on"));
        report.pair(
            "",
            format!(
                "{}: recorded {}, recomputed {}{digit}",
                place.pointer, place.recorded, place.recomputed
            ),
        );
    }
    if one.more > 0 {
        report.pair("", format!("and {} places more", one.more));
    }
}

fn analysis_json(analysis: &Recomputed) -> Value {
    json!({
        "family": analysis.family,
        "columns": analysis.columns,
        "requestDigest": analysis.request.to_string(),
        "compared": analysis.compared().map(compared_json).collect::<Vec<_>>(),
    })
}

fn compared_json(one: &Compared) -> Value {
    let differences = one.differences.iter().map(|place| {
        json!({
            "pointer": place.pointer,
            "recorded": place.recorded,
            "recomputed": place.recomputed,
            "digit": place.digit,
        })
    });
    json!({
        "what": one.what,
        "name": one.name,
        "equal": one.is_equal(),
        "values": one.values,
        "recorded": one.recorded.to_string(),
        "recomputed": one.recomputed.map(|digest| digest.to_string()),
        "differences": differences.collect::<Vec<_>>(),
        "more": one.more,
    })
}
