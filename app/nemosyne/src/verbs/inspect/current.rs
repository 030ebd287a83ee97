//! `inspect` of format version 4.

use investigation::wire::v2::Intent;
use package::Opened;
use serde_json::{Value, json};

use super::{Part, labelled, receipt_line, stated};
use crate::output::Report;

pub(super) fn report(opened: &Opened) -> Report {
    let record = opened.record().body();
    let mut report = Report::new();
    let digest = opened.investigation_digest().to_string();
    report.line(format!("format version 4 · {digest}"));
    report.line("Intact and complete. Whether it may be shown now is for `nemosyne verify` to say.");
    report.member("formatVersion", 4);
    report.member(
        "investigationDigest",
        json!({ "status": "EQUAL", "digest": digest }),
    );
    for part in [
        current_dataset(opened),
        current_question(opened),
        current_ledger(opened),
        current_receipts(opened),
        current_decision(opened),
    ] {
        part.tell(&mut report);
    }
    Part::new(
        "limitations",
        "limitations",
        record.limitations.clone(),
        record.limitations.clone().into(),
    )
    .tell(&mut report);
    report
}

fn current_dataset(opened: &Opened) -> Part {
    let recipe = opened.recipe().body();
    let state = &opened.session().analytical_state;
    let mut lines = vec![
        labelled("name", &recipe.name),
        labelled(
            "size",
            format!("{} rows, {} columns", state.row_count.get(), recipe.columns.len()),
        ),
        labelled("identity", opened.identities().dataset_fingerprint),
    ];
    let mut columns = Vec::new();
    for column in &recipe.columns {
        lines.push(labelled(
            "column",
            format!("{} · {}", column.name, column.kind.word()),
        ));
        columns.push(json!({ "name": column.name, "kind": column.kind.word() }));
    }
    let value = json!({
        "name": recipe.name,
        "rows": state.row_count.get(),
        "columns": columns,
        "fingerprint": opened.identities().dataset_fingerprint.to_string(),
    });
    Part::new("dataset", "dataset", lines, value)
}

fn current_question(opened: &Opened) -> Part {
    let context = opened.context();
    let purpose = investigation::purpose_word(context.body().epistemic_purpose);
    let mut lines = vec![labelled("purpose", purpose), labelled("context", context.id())];
    let mut value = json!({ "purpose": purpose, "contextId": context.id().to_string() });
    if let Intent::Present { value: intent } = &context.body().intent {
        lines.extend(stated("question", intent.research_question.as_deref()));
        lines.extend(stated("hypothesis", intent.hypothesis.as_deref()));
        lines.extend(
            intent
                .variables_of_interest
                .as_ref()
                .map(|names| labelled("variables", names.join(", "))),
        );
        lines.extend(stated("task", intent.current_task.as_deref()));
        value["researchQuestion"] = json!(intent.research_question);
        value["hypothesis"] = json!(intent.hypothesis);
        value["variablesOfInterest"] = json!(intent.variables_of_interest);
        value["currentTask"] = json!(intent.current_task);
    }
    Part::new("question", "question", lines, value)
}

fn current_ledger(opened: &Opened) -> Part {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for event in opened.events() {
        let kind = serde_json::to_value(event.kind).unwrap_or(Value::Null);
        let word = kind.as_str().unwrap_or_default().to_lowercase();
        lines.push(format!(
            "{:>4}  {word:<14} {} · {}",
            event.sequence.get() + 1,
            event.subject,
            event.detail
        ));
        values.push(json!({ "kind": kind, "subject": event.subject, "detail": event.detail }));
    }
    Part::new("ledger", "ledger", lines, values.into())
}

fn current_receipts(opened: &Opened) -> Part {
    let envelope = opened.receipts();
    let receipts = &envelope.bundle().receipts;
    let mut lines: Vec<String> = receipts.iter().map(receipt_line).collect();
    let mut uses = Vec::new();
    for one in envelope.uses() {
        lines.push(labelled(
            "used",
            format!(
                "{} by {} under {}",
                one.receipt_id, one.consumer_id, one.requirement_profile_id
            ),
        ));
        uses.push(json!({
            "consumerId": one.consumer_id,
            "receiptId": one.receipt_id,
            "requirementProfileId": one.requirement_profile_id,
        }));
    }
    let ids: Vec<&str> = receipts
        .iter()
        .map(|receipt| receipt.receipt_id.as_str())
        .collect();
    Part::new(
        "receipts",
        "receipts",
        lines,
        json!({ "receiptIds": ids, "uses": uses }),
    )
}

fn current_decision(opened: &Opened) -> Part {
    let record = opened.record().body();
    let used = serde_json::to_value(record.permitted_use).unwrap_or(Value::Null);
    let lines = vec![
        labelled("result", opened.record().id()),
        labelled("plan", opened.plan().id()),
        labelled("variant", opened.active_variant()),
        labelled("admitted for", used.as_str().unwrap_or_default()),
        labelled("obligations", opened.obligations().id()),
    ];
    let value = json!({
        "resultId": opened.record().id().to_string(),
        "planId": opened.plan().id().to_string(),
        "variant": opened.active_variant(),
        "permittedUse": used,
        "obligationSetId": opened.obligations().id().to_string(),
    });
    Part::new(
        "decision (recorded; admitted when it was written)",
        "decision",
        lines,
        value,
    )
}
