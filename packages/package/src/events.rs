//! The ledger of what was done: what it must say about this package, and in which order it may say it.

use std::collections::{BTreeMap, BTreeSet};

use evidence::wire::v1::PinnedRef;
use forma::wire::v1::PermittedUse;
use identity::{Digest, Fingerprint, SafeInteger};
use representation::Graph;

use crate::contents::{Bodies, Contents};
use crate::error::{PackageError, Problem};
use crate::members::COMMANDS;
use crate::wire::v4::{Event, EventKind, Origin};

/// One thing that was done: kind, subject, detail.
type Line = (EventKind, String, String);
/// What must have been done before: kind, subject.
type Earlier = (EventKind, String);

/// `id@version`.
fn named(pin: &PinnedRef) -> String {
    format!("{}@{}", pin.id, pin.version)
}

/// By what a graph was proposed: the recipe, or the submitted bytes. What a submitted graph says of itself is not
/// repeated here as if it were so.
fn proposer(contents: &Bodies, graph: &Graph) -> String {
    let links = &contents.links;
    let is_active = contents.results.iter().any(|result| {
        result.id() == links.active_result_id && result.body().input_commitments.graph_id == graph.id()
    });
    if let (true, Origin::Submitted { digest, .. }) = (is_active, &links.generation_record_ref.origin) {
        return format!("submitted {digest}");
    }
    let graph = graph.body();
    graph
        .recipe_ref
        .as_ref()
        .map_or_else(|| graph.generated_by.name.clone(), named)
}

/// The word of a use.
pub(crate) const fn use_word(permitted: PermittedUse) -> &'static str {
    match permitted {
        PermittedUse::Production => "PRODUCTION",
        PermittedUse::StudyOnly => "STUDY_ONLY",
    }
}

/// The lines that the other members call for, in an order that could have happened, each with what precedes it.
fn expected(contents: &Bodies) -> Vec<(Line, Vec<Earlier>)> {
    let mut lines = Vec::new();
    let mut load = Vec::new();
    if let Some(snapshot) = contents.snapshots.first() {
        let subject = snapshot.body().analytical_dataset_fingerprint.to_string();
        load.push((EventKind::Load, subject.clone()));
        lines.push((
            (EventKind::Load, subject, contents.recipe.id().to_string()),
            Vec::new(),
        ));
    }
    let mut analyzed = BTreeSet::new();
    for snapshot in &contents.snapshots {
        let mut analyses = load.clone();
        for source in &snapshot.body().sources {
            let Some(content) = source.analytical_content_ref else {
                continue;
            };
            let subject = content.to_string();
            analyses.push((EventKind::Analyze, subject.clone()));
            let line = (
                EventKind::Analyze,
                subject,
                source.analytical_request_digest.to_string(),
            );
            if analyzed.insert(line.clone()) {
                lines.push((line, load.clone()));
            }
        }
        let normalizer = named(&snapshot.body().normalizer);
        lines.push((
            (EventKind::Derive, snapshot.id().to_string(), normalizer),
            analyses,
        ));
    }
    let mut committed: BTreeMap<&str, String> = BTreeMap::new();
    let mut parents: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for edge in &contents.history.edges {
        parents
            .entry(edge.to.as_str())
            .or_default()
            .push(edge.from.as_str());
    }
    for context in &contents.history.contexts {
        let node_id = context.body().node_id.as_str();
        let mut before = load.clone();
        let parents = parents.get(node_id).into_iter().flatten();
        before.extend(parents.filter_map(|from| Some((EventKind::Commit, committed.get(from)?.clone()))));
        committed.insert(node_id, context.id().to_string());
        lines.push((
            (EventKind::Commit, context.id().to_string(), node_id.to_owned()),
            before,
        ));
    }
    for set in &contents.obligation_sets {
        let body = set.body();
        let before = vec![
            (EventKind::Derive, body.snapshot_id.to_string()),
            (EventKind::Commit, body.context_id.to_string()),
        ];
        lines.push((
            (EventKind::Derive, set.id().to_string(), named(&body.policy_ref)),
            before,
        ));
    }
    for proposal in &contents.proposals {
        let body = proposal.body();
        let before = vec![
            (EventKind::Derive, body.snapshot_id.to_string()),
            (EventKind::Commit, body.context_id.to_string()),
        ];
        let generator = format!("{}@{}", body.generator.name, body.generator.version);
        lines.push(((EventKind::Suppose, proposal.id().to_string(), generator), before));
    }
    for graph in &contents.graphs {
        let mut before = vec![(EventKind::Derive, graph.body().obligation_set_id.to_string())];
        let supposed: BTreeSet<String> = crate::supposed::by(graph)
            .map(|proposal_id| proposal_id.to_string())
            .collect();
        before.extend(supposed.into_iter().map(|id| (EventKind::Suppose, id)));
        lines.push((
            (
                EventKind::Propose,
                graph.id().to_string(),
                proposer(contents, graph),
            ),
            before,
        ));
    }
    for result in &contents.results {
        let body = result.body();
        let before = vec![(EventKind::Propose, body.input_commitments.graph_id.to_string())];
        let detail = use_word(body.permitted_use).to_owned();
        lines.push(((EventKind::Admit, result.id().to_string(), detail), before));
    }
    if let Some(derivation) = &contents.links.derived_from {
        let active = contents.links.active_result_id.to_string();
        let before = vec![(EventKind::Admit, active.clone())];
        lines.push((
            (EventKind::Adapt, active, derivation.result_id.to_string()),
            before,
        ));
    }
    lines
}

/// The ledger of a capture. `analyses` are content and request digests in the order in which they were run.
pub(crate) fn write(contents: &Bodies, analyses: &[(Digest, Digest)]) -> Vec<Event> {
    let run = |line: &Line| {
        analyses
            .iter()
            .position(|(content, request)| content.to_string() == line.1 && request.to_string() == line.2)
    };
    let mut lines: Vec<Line> = expected(contents).into_iter().map(|(line, _)| line).collect();
    // Analyses stand together after the load; the stable sort puts them into the order they were run in.
    let (first, last) = (
        lines.iter().position(|line| line.0 == EventKind::Analyze),
        lines.iter().rposition(|line| line.0 == EventKind::Analyze),
    );
    if let (Some(first), Some(last)) = (first, last)
        && lines[first..=last]
            .iter()
            .all(|line| line.0 == EventKind::Analyze)
    {
        lines[first..=last].sort_by_key(run);
    }
    let number = |(idx, (kind, subject, detail)): (usize, Line)| Event {
        sequence: SafeInteger::new(i64::try_from(idx).unwrap_or(i64::MAX)).unwrap_or_default(),
        kind,
        subject,
        detail,
    };
    lines.into_iter().enumerate().map(number).collect()
}

/// The hash of each event as the session projection lists it.
pub(crate) fn hashes(events: &[Event]) -> Result<Vec<Fingerprint>, PackageError> {
    let hash = |event: &Event| {
        identity::canonical::digest(event).map(|digest| Fingerprint::from_bytes(*digest.as_bytes()))
    };
    let hashed: Result<Vec<_>, _> = events.iter().map(hash).collect();
    hashed.map_err(|error| PackageError::Body {
        member: COMMANDS.to_owned(),
        pointer: String::new(),
        why: error.to_string(),
    })
}

/// The content digests of the analyses in the order in which they were run.
pub(crate) fn results(events: &[Event]) -> Vec<String> {
    events
        .iter()
        .filter(|event| event.kind == EventKind::Analyze)
        .map(|event| event.subject.clone())
        .collect()
}

/// The ledger says exactly what the other members call for, each line once, numbered from 0 without gaps, and nothing
/// before what it rests on.
pub(crate) fn check(contents: &Contents) -> Result<(), PackageError> {
    let mut open: BTreeMap<Line, Vec<Earlier>> = expected(contents).into_iter().collect();
    let mut done: BTreeSet<Earlier> = BTreeSet::new();
    for (idx, event) in contents.events.iter().enumerate() {
        let refuse = |member: &str, problem| {
            Err(PackageError::reference(
                COMMANDS,
                format!("/{idx}/{member}"),
                problem,
            ))
        };
        if usize::try_from(event.sequence.get()).ok() != Some(idx) {
            return refuse(
                "sequence",
                Problem::disagrees("the sequence number", idx, event.sequence.get()),
            );
        }
        let line = (event.kind, event.subject.clone(), event.detail.clone());
        let Some(before) = open.remove(&line) else {
            let known = done.contains(&(line.0, line.1.clone()));
            let problem = if known {
                Problem::Repeated(line.1)
            } else {
                Problem::Dangling(line.1)
            };
            return refuse("subject", problem);
        };
        if let Some((_, missing)) = before.into_iter().find(|earlier| !done.contains(earlier)) {
            return refuse(
                "sequence",
                Problem::disagrees("the step before", missing, "not done yet"),
            );
        }
        done.insert((line.0, line.1));
    }
    match open.into_keys().next() {
        None => Ok(()),
        Some((_, subject, _)) => Err(PackageError::reference(
            COMMANDS,
            "",
            Problem::Dangling(format!("the line that made {subject}")),
        )),
    }
}
