//! `qualify` and `contraindicate`: a scoped decision from its parts.

use std::collections::BTreeSet;

use custody::DECISION_PREFIX;
use custody::wire::v1::StatementKind;
use identity::SafeInteger;
use knowledge::reference;
use knowledge::wire::v1::{Decision, EntryKind, Mapping};
use refusal::{Reason, Refusal, Stage};

use super::arguments::Decide;
use super::signing;
use crate::output::{Report, Stop};
use crate::runtime;

pub(super) fn run(arguments: &Decide, kind: StatementKind) -> Result<Report, Stop> {
    let decision = decision(arguments, kind)?;
    let body = identity::canonical::to_vec(&decision).map_err(anyhow::Error::from)?;
    let appended = signing::sign(&arguments.signing, kind, &body, arguments.expires)?;
    let name = reference(&decision.id, &decision.version);
    let mut report = Report::new();
    report.line(match kind {
        StatementKind::Contraindication => format!("CONTRAINDICATED {name}"),
        _ => format!("QUALIFIED {name}"),
    });
    report.pair("decision", &decision.statement);
    signing::tell(&mut report, kind, &appended);
    report.member("decision", name);
    Ok(report)
}

fn decision(arguments: &Decide, kind: StatementKind) -> Result<Decision, Stop> {
    let folder = super::folder()?;
    let seen = runtime::seen()?;
    let folder = custody::Folder::read(&folder, &seen).map_err(|error| error.refusal())?;
    let signer = arguments.signing.keys.first().map_or("", String::as_str);
    let Some(key) = folder.keys().named(signer) else {
        return Err(Refusal::new(
            Stage::BindingUse,
            Reason::WrongAuthorization,
            format!("This folder trusts no key {signer}."),
        )
        .about(signer.to_owned())
        .next("See `nemosyne custody keys list`, or make it with `nemosyne custody keys new`.")
        .into());
    };
    let qualifies = kind == StatementKind::Qualification;
    let sorted = |texts: &[String]| {
        texts
            .iter()
            .cloned()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    };
    let mut mappings = arguments.mappings.clone();
    mappings.sort_unstable();
    mappings.dedup();
    let mut claims = arguments.claims.clone();
    claims.sort_unstable();
    claims.dedup();
    let mut devices = arguments.devices.clone();
    devices.sort_unstable();
    devices.dedup();
    let safe = |number: i64| SafeInteger::new(number).map_err(anyhow::Error::from);
    let mut decision = Decision {
        kind: if qualifies {
            EntryKind::Qualification
        } else {
            EntryKind::Contraindication
        },
        id: String::new(),
        version: arguments.version.clone(),
        statement: String::new(),
        mappings,
        claims,
        tasks: sorted(&arguments.tasks),
        devices,
        max_marks: arguments.max_marks.map(safe).transpose()?,
        population: arguments.population.clone(),
        accessibility: sorted(&arguments.accessibility),
        permitted_use: if qualifies { "PRODUCTION" } else { "STUDY_ONLY" }.to_owned(),
        evidence_basis: arguments.basis.clone(),
        decided_on: runtime::today()?.to_string(),
        decided_by: key.author(),
        evidence: arguments.evidence.clone(),
        limitations: arguments.limits.clone(),
        revision: safe(1)?,
        supersedes: arguments.supersedes.clone(),
    };
    decision.id = match &arguments.id {
        Some(id) if id.starts_with(DECISION_PREFIX) => id.clone(),
        Some(id) => format!("{DECISION_PREFIX}{id}"),
        None => named(&decision),
    };
    decision.statement = arguments
        .statement
        .clone()
        .unwrap_or_else(|| sentence(&decision, qualifies));
    Ok(decision)
}

/// A name from what it is about.
fn named(decision: &Decision) -> String {
    let mut parts: Vec<String> = decision.mappings.iter().map(mapping_text).collect();
    parts.extend(decision.claims.iter().map(|claim| plain(claim)));
    parts.extend(decision.devices.iter().map(|device| plain(device)));
    format!(
        "{DECISION_PREFIX}{}",
        parts.join("-").to_lowercase().replace('_', "-")
    )
}

fn sentence(decision: &Decision, qualifies: bool) -> String {
    let mappings: Vec<String> = decision.mappings.iter().map(mapping_text).collect();
    let any = |words: Vec<String>, any: &str| {
        if words.is_empty() {
            any.to_owned()
        } else {
            words.join(", ")
        }
    };
    format!(
        "{} {} for {} in {} on {}.",
        mappings.join(", "),
        if qualifies { "can be read" } else { "misleads" },
        any(
            decision.claims.iter().map(|claim| plain(claim)).collect(),
            "any claim"
        ),
        any(decision.tasks.clone(), "any task"),
        any(
            decision.devices.iter().map(|device| plain(device)).collect(),
            "any device"
        ),
    )
}

fn mapping_text(mapping: &Mapping) -> String {
    format!("{}-{}", plain(&mapping.channel), plain(&mapping.arrangement))
}

/// The word of a closed vocabulary.
fn plain<T: serde::Serialize>(word: &T) -> String {
    serde_json::to_value(word)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}
