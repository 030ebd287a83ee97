//! `nemosyne check-graph`: whether a graph keeps the grammar. It admits nothing, and needs no data to say so.

use crate::cli::CheckGraph;
use crate::output::{Report, Stop};
use crate::verbs::admit;

pub(crate) fn run(arguments: &CheckGraph) -> Result<Report, Stop> {
    let submitted = admit::submitted(&arguments.file)?;
    let graph = submitted.graph();
    let body = graph.body();
    let mut report = Report::new();
    report.line("WELL FORMED, which is not admitted");
    report.pair("graph", graph.id());
    report.pair("calls itself", submitted.claimed());
    report.pair("snapshot", body.snapshot_id);
    report.pair("context", body.context_id);
    report.pair("obligations", body.obligation_set_id);
    report.pair(
        "holds",
        format!(
            "{} primitives, {} edges, {} bindings",
            body.primitives.len(),
            body.edges.len(),
            body.bindings.len()
        ),
    );
    report.member("graphId", graph.id().to_string());
    report.member("claimed", submitted.claimed());
    report.member("bytesDigest", submitted.digest().to_string());
    report.member("snapshotId", body.snapshot_id.to_string());
    report.member("contextId", body.context_id.to_string());
    report.member("obligationSetId", body.obligation_set_id.to_string());
    Ok(report)
}
