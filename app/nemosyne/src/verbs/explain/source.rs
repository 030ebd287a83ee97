//! `nemosyne explain --source`: what an analysis found, drawn or not, and the receipts behind it.

use kernels::Output;
use kernels::wire::v1::Receipt;
use package::Opened;
use refusal::{Reason, Refusal, Stage};
use serde_json::{Value, json};
use snapshot::SnapshotView as _;
use snapshot::wire::v1::{Node, Source, State};

use crate::findings;
use crate::output::{Report, Stop};

pub(super) fn run(opened: &Opened, name: &str, property: Option<&str>) -> Result<Report, Stop> {
    let sources = &opened.snapshot().body().sources;
    let named: Vec<&Source> = sources
        .iter()
        .filter(|source| source.family == name || source.source_id.to_string() == name)
        .collect();
    if named.is_empty() {
        let mut known: Vec<&str> = sources.iter().map(|source| source.family.as_str()).collect();
        known.sort_unstable();
        known.dedup();
        let refusal = Refusal::new(
            Stage::DecodeIntegrity,
            Reason::AmbiguousReference,
            format!("The package holds no analysis named {name}."),
        )
        .about(name)
        .next(format!(
            "Name one of {}, or the identity of a source.",
            known.join(", ")
        ));
        return Err(refusal.into());
    }
    let mut report = Report::new();
    report.line(opened.snapshot().id().to_string());
    let mut told = Vec::new();
    let mut n_found = 0;
    for source in named {
        let nodes: Vec<&Node> = opened.snapshot().nodes_of(source.source_id).collect();
        let asked: Vec<&Node> = nodes
            .iter()
            .copied()
            .filter(|node| is_named(node, property))
            .collect();
        n_found += asked.len();
        if asked.is_empty() && property.is_some() {
            continue;
        }
        tell(opened, source, &nodes, &asked, &mut report);
        told.push(source_json(opened, source, &nodes, &asked));
    }
    if let (Some(property), 0) = (property, n_found) {
        return Err(unknown(opened, name, property).into());
    }
    report.member("snapshotId", opened.snapshot().id().to_string());
    report.member("sources", told);
    Ok(report)
}

/// `PRODUCER/PATH`, or the path alone.
fn is_named(node: &Node, property: Option<&str>) -> bool {
    property.is_none_or(|name| {
        node.property_path == name || format!("{}/{}", node.producer_semantic_id, node.property_path) == name
    })
}

fn unknown(opened: &Opened, source: &str, property: &str) -> Refusal {
    let body = opened.snapshot().body();
    let of_source = |node: &&Node| {
        let found = opened.snapshot().source(node.source_id);
        found.is_some_and(|found| found.family == source || found.source_id.to_string() == source)
    };
    let names: Vec<String> = body
        .nodes
        .iter()
        .filter(of_source)
        .map(|node| format!("{}/{}", node.producer_semantic_id, node.property_path))
        .collect();
    let near = investigation::nearest(property, names.iter().map(String::as_str));
    let next = near.map_or_else(
        || "Leave --property out: all of them are listed.".to_owned(),
        |near| format!("The nearest is {near}; without --property all are listed."),
    );
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::AmbiguousReference,
        format!("No property of {source} is named {property}."),
    )
    .about(property)
    .next(next)
}

fn receipts<'a>(opened: &'a Opened, source: &'a Source) -> impl Iterator<Item = &'a Receipt> {
    let receipts = &opened.receipts().bundle().receipts;
    let of_source = |receipt: &&Receipt| {
        let mut uses = source.evidence_uses.iter();
        uses.any(|one| one.receipt_id == receipt.receipt_id)
    };
    receipts.iter().filter(of_source)
}

/// Whether a receipt is about what is asked: about its column, or about more than columns.
fn speaks_of(receipt: &Receipt, asked: &[&Node]) -> bool {
    let columns = &receipt.sample_support.columns;
    asked.iter().any(|node| {
        let column = node.producer_semantic_id.strip_prefix("column:");
        column.is_none_or(|column| columns.iter().any(|known| known == column))
    })
}

fn tell(opened: &Opened, source: &Source, nodes: &[&Node], asked: &[&Node], report: &mut Report) {
    let columns = source.request.columns().join(", ");
    let about = if columns.is_empty() { "the links" } else { &columns };
    report.line("");
    report.line(format!("{} of {about}", source.family));
    report.pair("source", source.source_id);
    match &source.state {
        State::Available {} => {}
        State::Unavailable { reason } => report.pair("not there", reason),
        State::Refused { owning_reason } => report.pair("refused", owning_reason),
    }
    if let Some(provenance) = &source.provenance {
        report.pair(
            "method",
            format!("{} {}", provenance.method, provenance.method_version),
        );
        if let Some(seed) = provenance.seed {
            report.pair("seed", seed.get());
        }
    }
    if let Some(digest) = source.analytical_content_ref {
        report.pair("content", digest);
    }
    if let Some(digest) = source.leaf_ref {
        report.pair("values", digest);
    }
    report.line("");
    let outputs: Vec<Output> = nodes.iter().map(|node| findings::output_of(node)).collect();
    for node in asked {
        let output = findings::output_of(node);
        report.line(format!(
            "  {}/{}  {}",
            node.producer_semantic_id,
            node.property_path,
            findings::said(&output, &outputs)
        ));
    }
    for one in &source.evidence_uses {
        let receipt = receipts(opened, source).find(|receipt| receipt.receipt_id == one.receipt_id);
        if receipt.is_some_and(|receipt| !speaks_of(receipt, asked)) {
            continue;
        }
        report.line("");
        let lines = receipt.map(findings::receipt_lines).unwrap_or_default();
        for line in lines {
            report.line(line);
        }
        report.pair("receipt", one.receipt_content_digest);
        report.pair(
            "profile",
            format!("{} under {}", one.requirement_profile_id, one.admission_policy_id),
        );
    }
}

fn source_json(opened: &Opened, source: &Source, nodes: &[&Node], asked: &[&Node]) -> Value {
    let outputs: Vec<Output> = nodes.iter().map(|node| findings::output_of(node)).collect();
    let properties = asked.iter().map(|node| {
        json!({
            "node": serde_json::to_value(node).unwrap_or(Value::Null),
            "told": findings::said(&findings::output_of(node), &outputs),
        })
    });
    json!({
        "source": serde_json::to_value(source).unwrap_or(Value::Null),
        "properties": properties.collect::<Vec<_>>(),
        "receipts": receipts(opened, source).map(findings::receipt_json).collect::<Vec<_>>(),
    })
}
