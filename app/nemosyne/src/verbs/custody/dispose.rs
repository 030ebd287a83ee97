//! `withdraw`, `retract`, `supersede`, `restore`, `refresh`: what stands and what no longer does.

use custody::wire::v1::{Disposed, DispositionBody, StatementKind, Status, Subject};
use custody::{Custody, Statement};
use refusal::{Reason, Refusal, Stage};

use super::arguments::{Dispose, Refresh, digest};
use super::signing;
use crate::output::{Report, Stop};
use crate::{files, runtime};

pub(super) fn run(arguments: &Dispose, status: Status, by: Option<&str>) -> Result<Report, Stop> {
    let subjects = subjects(arguments)?;
    let body = DispositionBody {
        as_of: None,
        entries: subjects
            .iter()
            .map(|(subject, _)| Disposed {
                reason: arguments.reason.clone(),
                status,
                subject: subject.clone(),
                superseded_by: by.map(str::to_owned),
            })
            .collect(),
    };
    let body = identity::canonical::to_vec(&body).map_err(anyhow::Error::from)?;
    let kind = StatementKind::Disposition;
    let appended = signing::sign(&arguments.signing, kind, &body, None)?;
    let word = match status {
        Status::Valid => "VALID",
        Status::Superseded => "SUPERSEDED",
        Status::Withdrawn => "WITHDRAWN",
        Status::Retracted => "RETRACTED",
    };
    let mut report = Report::new();
    for (_, name) in &subjects {
        report.line(format!("{word} {name}"));
    }
    signing::tell(&mut report, kind, &appended);
    report.member("disposition", word);
    let names: Vec<String> = subjects.into_iter().map(|(_, name)| name).collect();
    report.member("subjects", names);
    Ok(report)
}

pub(super) fn refresh(arguments: &Refresh) -> Result<Report, Stop> {
    let today = runtime::today()?;
    let body = DispositionBody {
        as_of: Some(today),
        entries: Vec::new(),
    };
    let body = identity::canonical::to_vec(&body).map_err(anyhow::Error::from)?;
    let kind = StatementKind::Disposition;
    let appended = signing::sign(&arguments.signing, kind, &body, None)?;
    let mut report = Report::new();
    report.line(format!(
        "Nothing else is known to have been taken back up to {today}."
    ));
    signing::tell(&mut report, kind, &appended);
    Ok(report)
}

/// The subjects that are meant, each with a name for people.
fn subjects(arguments: &Dispose) -> Result<Vec<(Subject, String)>, Stop> {
    let about = &arguments.about;
    if let Some(dataset_fingerprint) = about.dataset {
        let name = format!("dataset {dataset_fingerprint}");
        return Ok(vec![(Subject::Dataset { dataset_fingerprint }, name)]);
    }
    if let Some(receipt) = &about.receipt {
        return receipts(receipt, arguments.package.as_deref());
    }
    let reference = about.reference.as_deref().unwrap_or_default();
    let custody = runtime::custody()?;
    Ok(vec![subject(&custody, reference)?])
}

fn receipts(receipt: &str, package: Option<&std::path::Path>) -> Result<Vec<(Subject, String)>, Stop> {
    let of = |receipt_content_digest| {
        let name = format!("receipt {receipt_content_digest}");
        (
            Subject::Receipt {
                receipt_content_digest,
            },
            name,
        )
    };
    if let Some(digest) = digest(receipt) {
        return Ok(vec![of(digest)]);
    }
    let Some(package) = package else {
        return Err(Refusal::new(
            Stage::DecodeIntegrity,
            Reason::NotStated,
            format!("{receipt} is no digest, and no package was named in which it is a receipt's name."),
        )
        .about(receipt.to_owned())
        .next("Give the digest of the receipt's content, or name the package with --package.")
        .into());
    };
    let opened = files::open_package(package)?;
    let mut found: Vec<(Subject, String)> = opened
        .record()
        .body()
        .evidence_dispositions
        .iter()
        .filter(|entry| entry.evidence_use.receipt_id == receipt)
        .map(|entry| of(entry.evidence_use.receipt_content_digest))
        .collect();
    found.sort();
    found.dedup();
    if found.is_empty() {
        let known: Vec<&str> = opened
            .record()
            .body()
            .evidence_dispositions
            .iter()
            .map(|entry| entry.evidence_use.receipt_id.as_str())
            .collect();
        return Err(Refusal::new(
            Stage::DecodeIntegrity,
            Reason::AmbiguousReference,
            format!(
                "The result in {} rests on no receipt {receipt}.",
                package.display()
            ),
        )
        .about(receipt.to_owned())
        .next(format!("It rests on {}.", known.join(", ")))
        .into());
    }
    Ok(found)
}

/// A decision by name, or a statement by revision or digest; a statement that holds a decision stands for that.
fn subject(custody: &Custody, reference: &str) -> Result<(Subject, String), Refusal> {
    let pin = custody
        .table()
        .pin(reference)
        .or_else(|| custody.lapsed(reference).map(|lapsed| lapsed.pin.clone()));
    if let Some(pin) = pin {
        let name = format!("{}@{}", pin.id, pin.version);
        let subject = Subject::Decision {
            id: pin.id,
            version: pin.version,
            digest: pin.digest,
        };
        return Ok((subject, name));
    }
    let meant = statement(custody, reference).ok_or_else(|| {
        Refusal::new(
            Stage::DecodeIntegrity,
            Reason::AmbiguousReference,
            format!("Custody holds nothing that is named {reference}."),
        )
        .about(reference.to_owned())
        .next("See `nemosyne custody list`.")
    })?;
    let held = custody
        .table()
        .iter()
        .find(|(digest, _)| **digest == meant.body_digest())
        .map(|(_, artifact)| artifact.reference());
    if let Some(name) = held {
        return subject(custody, &name);
    }
    let subject = Subject::Statement {
        payload_digest: meant.digest(),
    };
    Ok((
        subject,
        format!("statement {} ({})", meant.revision(), meant.kind().word()),
    ))
}

/// A statement by revision, payload digest or body digest.
pub(super) fn statement<'a>(custody: &'a Custody, reference: &str) -> Option<&'a Statement> {
    let (revision, digest) = (reference.parse::<u64>().ok(), digest(reference));
    custody.statements().iter().find(|it| {
        Some(it.revision()) == revision || Some(it.digest()) == digest || Some(it.body_digest()) == digest
    })
}
