//! `inspect` of format versions 1 to 3.

use knowledge::Date;
use package::legacy::{DigestFact, LegacyPackage};
use serde_json::{Value, json};

use super::{Part, labelled, receipt_line, stated};
use crate::output::Report;

/// Milliseconds of a day.
const DAY_MS: f64 = 86_400_000.0;

pub(super) fn report(package: &LegacyPackage) -> Report {
    let manifest = package.manifest();
    let mut report = Report::new();
    report.line(format!(
        "format version {} · session {} · exported {} · kernel {}",
        package.version().number(),
        manifest.session_id,
        day(manifest.created_at_ms),
        manifest.kernel_version
    ));
    report.line(package.facts().intact.sentence);
    report.line(format!(
        "Inspectable only: {}.",
        package.re_execution().cause().text
    ));
    report.member("formatVersion", package.version().number());
    report.member("sessionId", manifest.session_id.clone());
    report.member("kernelVersion", manifest.kernel_version.clone());
    report.member("executable", false);
    report.member("strength", package.strength().word());
    let digest = match package.digest() {
        DigestFact::Equal(digest) => json!({ "status": "EQUAL", "digest": digest }),
        DigestFact::NotRecorded => json!({ "status": "NOT_RECORDED" }),
        DigestFact::NotRecomputable(why) => json!({ "status": "NOT_RECOMPUTABLE", "why": why }),
    };
    report.member("investigationDigest", digest);
    for part in [
        dataset(package),
        question(package),
        ledger(package),
        results(package),
        observations(package),
        findings(package),
        annotations(package),
        discoveries(package),
        receipts(package),
        decision(package),
        outcomes(package),
        members(package),
    ] {
        part.tell(&mut report);
    }
    report
}

fn dataset(package: &LegacyPackage) -> Part {
    let dataset = package.dataset();
    let mut lines = vec![
        labelled("name", &dataset.name),
        labelled(
            "size",
            format!("{} rows, {} columns", dataset.n_rows(), dataset.columns.len()),
        ),
        labelled("recorded as", package.manifest().dataset.text()),
        labelled("identity", dataset.fingerprint()),
    ];
    lines.extend(dataset.n_edges.map(|n| labelled("edges", n)));
    lines.extend(package.state().map(|state| {
        let size = format!("{} rows, {} columns", state.n_rows, state.n_columns);
        labelled("at the end", format!("version {}, {size}", state.dataset_version))
    }));
    let mut columns = Vec::new();
    for column in &dataset.columns {
        let n_missing = dataset.n_missing(&column.name);
        lines.push(labelled(
            "column",
            format!("{} · {} · {n_missing} missing", column.name, column.kind),
        ));
        columns.push(json!({ "name": column.name, "kind": column.kind, "missing": n_missing }));
    }
    let value = json!({
        "name": dataset.name,
        "rows": dataset.n_rows(),
        "columns": columns,
        "edges": dataset.n_edges,
        "recordedIdentity": package.manifest().dataset.text(),
        "fingerprint": dataset.fingerprint(),
        "currentFingerprint": package.state().map(|state| state.fingerprint.clone()),
    });
    Part::new("dataset", "dataset", lines, value)
}

fn question(package: &LegacyPackage) -> Part {
    let Some(context) = &package.manifest().research_context else {
        return Part::new("question", "question", Vec::new(), Value::Null);
    };
    let variables = context.variables_of_interest.join(", ");
    let lines = [
        stated("question", context.research_question.as_deref()),
        stated("hypothesis", context.hypothesis.as_deref()),
        (!variables.is_empty()).then(|| labelled("variables", &variables)),
        stated("task", context.current_task.as_deref()),
        context
            .study_id
            .as_deref()
            .map(|study| labelled("study", format!("{study} (a name; it authorizes nothing)"))),
    ];
    let value = json!({
        "researchQuestion": context.research_question,
        "hypothesis": context.hypothesis,
        "variablesOfInterest": context.variables_of_interest,
        "currentTask": context.current_task,
        "studyId": context.study_id,
    });
    Part::new(
        "question",
        "question",
        lines.into_iter().flatten().collect(),
        value,
    )
}

fn ledger(package: &LegacyPackage) -> Part {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for (idx, event) in package.events().iter().enumerate() {
        let mut line = format!("{:>4}  {:<14} {}", idx + 1, event.kind, event.operation);
        for text in [&event.label, &event.note].into_iter().flatten() {
            line.push_str(" · ");
            line.push_str(text);
        }
        lines.push(line);
        values.push(json!({
            "kind": event.kind,
            "operation": event.operation,
            "label": event.label,
            "note": event.note,
            "datasetVersion": event.dataset_version,
            "timestampMs": event.timestamp_ms,
        }));
    }
    Part::new(
        "ledger (its lineage; this version records no graph)",
        "ledger",
        lines,
        values.into(),
    )
}

fn results(package: &LegacyPackage) -> Part {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for result in package.results() {
        let by = result
            .implementation_version
            .as_deref()
            .unwrap_or("no version stated");
        let standing = result.evidence_status.as_deref().unwrap_or("no standing stated");
        lines.push(format!(
            "{} · {} rows, {} columns · {by} · {standing}",
            result.operation, result.n_rows, result.n_columns
        ));
        lines.extend(
            result
                .warnings
                .iter()
                .map(|warning| format!("  warning: {warning}")),
        );
        values.push(json!({
            "resultId": result.result_id,
            "operation": result.operation,
            "rows": result.n_rows,
            "columns": result.n_columns,
            "implementationVersion": result.implementation_version,
            "evidenceStatus": result.evidence_status,
            "outputFingerprint": result.output_fingerprint,
            "warnings": result.warnings,
        }));
    }
    Part::new(
        "results (recorded, not computed again)",
        "results",
        lines,
        values.into(),
    )
}

fn observations(package: &LegacyPackage) -> Part {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for one in package.observations() {
        let id = one.id.as_deref().unwrap_or("unnamed");
        lines.push(format!("{id}: {}", one.notes));
        if !one.target_ids.is_empty() {
            lines.push(format!("  about {}", one.target_ids.join(", ")));
        }
        values
            .push(json!({ "id": one.id, "notes": one.notes, "targetIds": one.target_ids, "tags": one.tags }));
    }
    Part::new("observations", "observations", lines, values.into())
}

fn findings(package: &LegacyPackage) -> Part {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for one in package.findings() {
        let sure = one.confidence.as_deref().unwrap_or("not stated");
        lines.push(format!("{} (its author's confidence: {sure})", one.title));
        lines.extend(one.description.as_ref().map(|text| format!("  {text}")));
        if !one.observation_ids.is_empty() {
            lines.push(format!("  rests on {}", one.observation_ids.join(", ")));
        }
        values.push(json!({
            "id": one.id,
            "title": one.title,
            "description": one.description,
            "confidence": one.confidence,
            "observationIds": one.observation_ids,
            "resultIds": one.result_ids,
        }));
    }
    Part::new("findings", "findings", lines, values.into())
}

fn annotations(package: &LegacyPackage) -> Part {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for one in package.annotations() {
        let target = one.target_id.as_deref().unwrap_or("nothing");
        lines.push(format!("{} (at {target})", one.text));
        values.push(json!({ "id": one.id, "text": one.text, "targetId": one.target_id }));
    }
    Part::new("annotations", "annotations", lines, values.into())
}

fn discoveries(package: &LegacyPackage) -> Part {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for one in package.discoveries() {
        lines.extend(stated("noticed", one.notice.as_deref()));
        lines.extend(stated("asked", one.question.as_deref()));
        lines.extend(stated("supposed", one.hypothesis.as_deref()));
        for (method, outcome) in &one.tests {
            lines.push(labelled("tested", format!("{method}: {outcome}")));
        }
        lines.extend(stated("concluded", one.conclusion.as_deref()));
        lines.extend(stated("standing", one.status.as_deref()));
        let tests: Vec<Value> = one
            .tests
            .iter()
            .map(|(method, outcome)| json!({ "method": method, "outcome": outcome }))
            .collect();
        values.push(json!({
            "id": one.id,
            "notice": one.notice,
            "question": one.question,
            "hypothesis": one.hypothesis,
            "conclusion": one.conclusion,
            "status": one.status,
            "tests": tests,
        }));
    }
    Part::new("discoveries", "discoveries", lines, values.into())
}

fn receipts(package: &LegacyPackage) -> Part {
    let Some(read) = package.receipts() else {
        return Part::new("receipts", "receipts", Vec::new(), Value::Null);
    };
    let bundle = read.envelope.bundle();
    let mut lines: Vec<String> = bundle.receipts.iter().map(receipt_line).collect();
    let mut uses = Vec::new();
    for one in read.binding.uses() {
        let receipt = one.receipt_id.as_deref().unwrap_or("no receipt");
        lines.push(labelled(
            one.outcome.word(),
            format!(
                "{} uses {receipt} under {}",
                one.consumer_id, one.requirement_profile_id
            ),
        ));
        uses.push(json!({
            "consumerId": one.consumer_id,
            "receiptId": one.receipt_id,
            "requirementProfileId": one.requirement_profile_id,
            "outcome": one.outcome.word(),
        }));
    }
    let classed = read.binding.first_refused().map(|(_, classed)| classed.word());
    lines.push(labelled(
        "governed",
        classed.unwrap_or("yes, under the registry of version 3"),
    ));
    let ids: Vec<&str> = bundle
        .receipts
        .iter()
        .map(|receipt| receipt.receipt_id.as_str())
        .collect();
    let value = json!({
        "memberDigest": read.member_digest,
        "receiptIds": ids,
        "uses": uses,
        "policy": read.binding.policy_id(),
        "refused": classed,
    });
    Part::new("receipts", "receipts", lines, value)
}

fn decision(package: &LegacyPackage) -> Part {
    const HEADING: &str = "representation decision (recorded; no permission)";
    let Some(one) = package.decision() else {
        return Part::new(HEADING, "decision", Vec::new(), Value::Null);
    };
    let mut lines: Vec<String> = [
        stated("chosen", one.candidate.as_deref()),
        stated("family", one.family.as_deref()),
        stated("layout", one.layout.as_deref()),
        stated("status", one.status.as_deref()),
        stated("because", one.explanation.as_deref()),
        one.utility
            .map(|score| labelled("score", format!("{score} (uncalibrated)"))),
        stated("model", one.model.as_deref()),
    ]
    .into_iter()
    .flatten()
    .collect();
    for (label, texts) in [("preserves", &one.preserves), ("loses", &one.loses)] {
        if !texts.is_empty() {
            lines.push(labelled(label, texts.join(", ")));
        }
    }
    for (name, score) in &one.alternatives {
        let score = score.map_or_else(|| "no score".to_owned(), |score| score.to_string());
        lines.push(labelled("instead of", format!("{name} ({score})")));
    }
    let alternatives: Vec<&str> = one.alternatives.iter().map(|(name, _)| name.as_str()).collect();
    let value = json!({
        "id": one.id,
        "candidate": one.candidate,
        "family": one.family,
        "layout": one.layout,
        "status": one.status,
        "utility": one.utility,
        "model": one.model,
        "explanation": one.explanation,
        "preserves": one.preserves,
        "loses": one.loses,
        "alternatives": alternatives,
    });
    Part::new(HEADING, "decision", lines, value)
}

fn outcomes(package: &LegacyPackage) -> Part {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for one in package.nil_outcomes() {
        for (rule, reason) in &one.failed {
            lines.push(format!("{rule}: {reason}"));
        }
        let failed: Vec<Value> = one
            .failed
            .iter()
            .map(|(rule, reason)| json!({ "rule": rule, "reason": reason }))
            .collect();
        values.push(json!({ "id": one.id, "failed": failed }));
    }
    Part::new("without a representation", "nilOutcomes", lines, values.into())
}

fn members(package: &LegacyPackage) -> Part {
    let unread: Vec<&str> = package.unread().collect();
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for (name, bytes) in package.members() {
        let left = if unread.contains(&name.as_str()) {
            " · not part of this version, left unread"
        } else {
            ""
        };
        lines.push(format!("{name} · {bytes} bytes{left}"));
        values.push(json!({ "name": name, "bytes": bytes, "read": left.is_empty() }));
    }
    Part::new("members", "members", lines, values.into())
}

fn day(ms: f64) -> String {
    let date = Date::from_unix_days((ms / DAY_MS).floor() as i64);
    date.map_or_else(|| "on no day of the calendar".to_owned(), |date| date.to_string())
}
