//! `custody list`: everything that is trusted, and how each statement stands.

use custody::{Custody, Statement};
use knowledge::reference;
use knowledge::wire::v1::EntryKind;
use serde_json::{Value, json};

use crate::output::{Report, Stop};
use crate::runtime;

pub(super) fn run() -> Result<Report, Stop> {
    let custody = runtime::custody()?;
    let mut report = Report::new();
    report.line(custody.trust_statement());
    policies(&custody, &mut report);
    decisions(&custody, &mut report);
    report.line("");
    match custody.folder() {
        None => report.line("No custody folder: nothing was signed here."),
        Some(folder) => {
            report.line(format!("statements of {}, {}", folder.title(), folder.feed_id()));
            for statement in folder.statements() {
                report.pair(
                    &format!("{:>4}  {}", statement.revision(), statement.word().word()),
                    line(statement),
                );
            }
            report.member("folder", folder.path().display().to_string());
            report.member("feedId", folder.feed_id());
            report.member("revision", folder.revision());
        }
    }
    report.member("trust", custody.trust_statement());
    report.member("manifestId", custody.manifest().id().to_string());
    report.member(
        "statements",
        custody.statements().iter().map(value).collect::<Vec<_>>(),
    );
    Ok(report)
}

fn policies(custody: &Custody, report: &mut Report) {
    let pins = custody.pins();
    let pinned = [
        &pins.obligation_policy,
        &pins.capability,
        &pins.qualification_policy,
        custody.freshness().pinned(),
    ]
    .into_iter()
    .chain(custody.scopes().iter().map(investigation::Scope::pinned));
    report.line("");
    report.line("policies");
    let mut names = Vec::new();
    for pin in pinned {
        let name = reference(&pin.id, &pin.version);
        report.line(format!("  {name}"));
        names.push(name);
    }
    report.member("policies", names);
}

fn decisions(custody: &Custody, report: &mut Report) {
    report.line("");
    report.line("decisions");
    let mut all = Vec::new();
    for kind in [EntryKind::Qualification, EntryKind::Contraindication] {
        for (name, decision) in custody.table().decisions(kind) {
            report.line(format!("  {name}: {}", decision.statement));
            all.push(json!({ "decision": name, "kind": decision.kind, "word": "STANDS", "decidedBy": decision.decided_by }));
        }
    }
    for (name, lapsed) in custody.all_lapsed() {
        let how = lapsed.standing.lapse().unwrap_or_default();
        report.line(format!("  {name} {how}"));
        all.push(json!({ "decision": name, "word": "LAPSED", "how": how }));
    }
    report.member("decisions", all);
}

/// A statement in a line.
pub(super) fn line(statement: &Statement) -> String {
    let signers: Vec<&str> = statement
        .signers()
        .iter()
        .map(|signer| signer.owner.as_str())
        .collect();
    let signers = if signers.is_empty() {
        "nobody who is known here".to_owned()
    } else {
        signers.join(", ")
    };
    let mut text = format!(
        "{} · {} · signed by {signers}",
        statement.kind().word(),
        statement.issued_on()
    );
    if let Some(end) = statement.expires_on() {
        text.push_str(&format!(" · until {end}"));
    }
    if !statement.stands() {
        text.push_str(&format!(" · {}", statement.word()));
    }
    text
}

/// A statement as an object.
pub(super) fn value(statement: &Statement) -> Value {
    let signers: Vec<Value> = statement
        .signers()
        .iter()
        .map(|signer| json!({ "name": signer.name, "owner": signer.owner, "keyId": signer.key_id }))
        .collect();
    json!({
        "revision": statement.revision(),
        "kind": statement.kind(),
        "word": statement.word().word(),
        "how": statement.word().to_string(),
        "issuedOn": statement.issued_on(),
        "expiresOn": statement.expires_on(),
        "payloadDigest": statement.digest(),
        "bodyDigest": statement.body_digest(),
        "signers": signers,
        "unknownSigners": statement.unknown_signers(),
    })
}
