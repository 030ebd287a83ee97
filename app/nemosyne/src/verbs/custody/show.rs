//! `custody show`: one thing in full, so that a reader of a refusal finds the rule that it names.

use custody::Custody;
use evidence::ProfileRegistry;
use evidence::wire::v1::PinnedRef;
use knowledge::reference;
use refusal::{Reason, Refusal, Stage};
use serde_json::Value;

use super::{dispose, keys, list};
use crate::output::{Report, Stop};
use crate::runtime;

pub(super) fn run(reference: &str) -> Result<Report, Stop> {
    let custody = runtime::custody()?;
    let mut report = Report::new();
    let found = policy(&custody, reference, &mut report)
        || artifact(&custody, reference, &mut report)
        || statement(&custody, reference, &mut report)
        || profile(reference, &mut report)
        || key(&custody, reference, &mut report)
        || manifest(&custody, reference, &mut report);
    if found {
        return Ok(report);
    }
    Err(Refusal::new(
        Stage::DecodeIntegrity,
        Reason::AmbiguousReference,
        format!("Custody holds nothing that is named {reference}."),
    )
    .about(reference.to_owned())
    .next("See `nemosyne custody list` for what there is.")
    .into())
}

/// A policy that stands beside the table: its content is among the shipped files.
fn policy(custody: &Custody, asked: &str, report: &mut Report) -> bool {
    let pins = custody.pins();
    let beside = [
        &pins.obligation_policy,
        custody.freshness().pinned(),
        &pins.compiler,
    ];
    let Some(pin) = beside.into_iter().find(|pin| names(pin, asked)) else {
        return false;
    };
    head(report, pin);
    if let Some(bytes) = custody.artifact(&pin.digest) {
        content(report, bytes);
    } else {
        report.line("It is part of this program; its digest is that of its name and version.");
    }
    true
}

/// Whatever the closed table holds, and what lapsed in the folder.
fn artifact(custody: &Custody, asked: &str, report: &mut Report) -> bool {
    let exact = custody.table().pin(asked);
    let by_id = || {
        let mut all = custody.table().iter();
        all.find(|(_, artifact)| artifact.id() == asked)
            .and_then(|(_, artifact)| custody.table().pin(&artifact.reference()))
    };
    let lapsed = custody.lapsed(asked);
    let Some(pin) = exact.or_else(by_id).or_else(|| lapsed.map(|it| it.pin.clone())) else {
        return false;
    };
    head(report, &pin);
    if let Some(how) = lapsed.and_then(|it| it.standing.lapse()) {
        report.line(format!("It {how}."));
        report.member("lapsed", how);
    }
    let signed = custody
        .statements()
        .iter()
        .find(|it| it.body_digest() == pin.digest);
    if let Some(statement) = signed {
        report.line(format!(
            "statement {}: {}",
            statement.revision(),
            list::line(statement)
        ));
        report.member("statement", list::value(statement));
    }
    if let Some(bytes) = custody.artifact(&pin.digest) {
        content(report, bytes);
    }
    true
}

fn statement(custody: &Custody, asked: &str, report: &mut Report) -> bool {
    let Some(statement) = dispose::statement(custody, asked) else {
        return false;
    };
    report.line(format!(
        "statement {}: {}",
        statement.revision(),
        list::line(statement)
    ));
    report.pair("payload", statement.digest());
    report.member("statement", list::value(statement));
    content(report, statement.body());
    true
}

fn profile(asked: &str, report: &mut Report) -> bool {
    let registry = ProfileRegistry::forma_v1();
    let Some(profile) = registry.get(asked) else {
        return false;
    };
    report.line(format!(
        "requirement profile {} · {}",
        profile.id(),
        profile.digest()
    ));
    report.member("name", profile.id().to_owned());
    report.member("digest", profile.digest().to_string());
    report.line(format!("{profile:#?}"));
    true
}

fn key(custody: &Custody, asked: &str, report: &mut Report) -> bool {
    let Some(key) = custody.folder().and_then(|folder| folder.keys().named(asked)) else {
        return false;
    };
    let value = keys::value(key);
    report.member("key", value.clone());
    tell(report, &value, 0);
    true
}

fn manifest(custody: &Custody, asked: &str, report: &mut Report) -> bool {
    let id = custody.manifest().id().to_string();
    if asked != id && asked != "forma-knowledge-manifest-v1" {
        return false;
    }
    report.line(id.as_str());
    let mut entries = Vec::new();
    for entry in &custody.manifest().body().entries {
        let name = reference(&entry.id, &entry.version);
        report.line(format!("  {name} · {} · {}", entry.authority_ref, entry.scope));
        entries.push(name);
    }
    report.member("manifestId", id);
    report.member("entries", entries);
    true
}

fn names(pin: &PinnedRef, asked: &str) -> bool {
    asked == pin.id || asked == reference(&pin.id, &pin.version)
}

fn head(report: &mut Report, pin: &PinnedRef) {
    let name = reference(&pin.id, &pin.version);
    report.line(format!("{name} · {}", pin.digest));
    report.member("name", name);
    report.member("digest", pin.digest.to_string());
}

fn content(report: &mut Report, bytes: &[u8]) {
    match serde_json::from_slice::<Value>(bytes) {
        Ok(value) => {
            tell(report, &value, 0);
            report.member("content", value);
        }
        Err(_) => report.line(String::from_utf8_lossy(bytes)),
    }
}

/// A value for people: members by name, sentences as sentences.
fn tell(report: &mut Report, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth + 1);
    let Value::Object(members) = value else {
        report.line(format!("{indent}{}", plain(value)));
        return;
    };
    for (name, member) in members {
        match member {
            Value::Array(items) if items.iter().any(Value::is_object) => {
                report.line(format!("{indent}{name}"));
                for item in items {
                    rule(report, item, depth + 1);
                }
            }
            Value::Array(items)
                if items
                    .iter()
                    .any(|item| item.as_str().is_some_and(|it| it.contains(' '))) =>
            {
                report.line(format!("{indent}{name}"));
                for item in items {
                    report.line(format!("{indent}  - {}", plain(item)));
                }
            }
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(plain).collect();
                report.line(format!("{indent}{name}: {}", items.join(", ")));
            }
            Value::Object(_) => {
                report.line(format!("{indent}{name}"));
                tell(report, member, depth + 1);
            }
            _ => report.line(format!("{indent}{name}: {}", plain(member))),
        }
    }
}

/// A rule among rules: its sentence or reason first, then what it applies to.
fn rule(report: &mut Report, item: &Value, depth: usize) {
    let indent = "  ".repeat(depth + 1);
    let Value::Object(members) = item else {
        report.line(format!("{indent}- {}", plain(item)));
        return;
    };
    let said = ["sentence", "statement", "reason", "condition"];
    let sentence = said.iter().find_map(|name| {
        members
            .get(*name)
            .filter(|it| it.as_str().is_some_and(|text| text.contains(' ')))
            .map(|it| (*name, it))
    });
    let rest: Vec<String> = members
        .iter()
        .filter(|(name, value)| sentence.is_none_or(|(said, _)| said != name.as_str()) && !empty(value))
        .map(|(name, value)| format!("{name} {}", plain(value)))
        .collect();
    match sentence {
        Some((_, text)) => report.line(format!("{indent}- {} [{}]", plain(text), rest.join("; "))),
        None => report.line(format!("{indent}- {}", rest.join("; "))),
    }
}

fn empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| format!("{name} {}", plain(value)))
            .collect::<Vec<_>>()
            .join(", "),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}
