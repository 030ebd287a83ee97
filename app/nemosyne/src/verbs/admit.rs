//! `nemosyne admit`: from a table, or a package asked anew, to an admitted plan and a package, or to a typed refusal.

use std::path::Path;

use custody::Custody;
use forma::{Admission, RequestedUse};
use inquiry::{Candidate, Decided, Outcome, Prepared, Question, Submitted};
use judgment::JudgmentId;
use knowledge::wire::v1::DeviceClass;
use obligations::wire::v1::Class;
use package::wire::v4::{Inspiration, Origin};
use package::{Capture, Promotion};
use refusal::{Diagnostics, Reason, Refusal, Stage};
use serde_json::{Value, json};

use crate::cli::{Admit, Device, Use};
use crate::conjecture;
use crate::files;
use crate::output::{self, Report, Stop, to_value};
use crate::runtime;
use crate::verbs::asked;

/// An inquiry with its answers.
pub(crate) struct Answered {
    pub(crate) custody: Custody,
    pub(crate) prepared: Prepared,
    pub(crate) decided: Decided,
    /// What moved the author of a submitted graph; for the record alone.
    pub(crate) inspired_by: Vec<Inspiration>,
}

pub(crate) fn run(arguments: &Admit) -> Result<Report, Stop> {
    if let Some(out) = &arguments.out {
        files::check_other(&arguments.asking.file, out)?;
    }
    let answered = answer(arguments)?;
    let promotion = promotion(arguments, &answered)?;
    let mut report = Report::new();
    tell(&answered, &mut report)?;
    for one in &answered.inspired_by {
        report.pair(
            "inspired by",
            format!(
                "{} · {}, confirmed by {}; it counts for nothing",
                one.judgment_id, one.author, one.confirmed_by
            ),
        );
    }
    let inspired_by: Vec<&str> = answered
        .inspired_by
        .iter()
        .map(|one| one.judgment_id.as_str())
        .collect();
    report.member("inspiredBy", inspired_by);
    if let Some(path) = &arguments.graph_out {
        save_graph(&answered, path, &mut report)?;
    }
    match &arguments.out {
        Some(path) => save_as(&answered, path, promotion, &mut report)?,
        None => report.line("  package        none: no --out was given"),
    }
    Ok(report)
}

/// Runs the inquiry; an answer in which nothing was admitted is a refusal.
pub(crate) fn answer(arguments: &Admit) -> Result<Answered, Stop> {
    let custody = runtime::custody()?;
    // What is handed in is read first: a graph that is none costs no analysis.
    let submitted = arguments.graph.as_deref().map(submitted).transpose()?;
    let inspired_by = inspirations(&arguments.inspired_by, &custody)?;
    let mut prepared = asked::prepare(&arguments.asking, &custody)?;
    for path in &arguments.conjecture {
        let bytes = files::read_table(path)?;
        prepared
            .suppose(&bytes)
            .map_err(|refusal| files::in_file(path, refusal))?;
    }
    let requested_use = match arguments.requested_use {
        Use::Production => match &arguments.authorization {
            None => RequestedUse::Production,
            Some(reference) => return Err(study_only(reference).into()),
        },
        Use::Study => RequestedUse::Study {
            authorization: arguments.authorization.clone(),
        },
    };
    let device = device(arguments.device);
    let decided = match &submitted {
        Some(submitted) => prepared.decide_submitted(submitted, &custody, &custody, device, &requested_use),
        None => prepared.decide(
            &custody,
            &custody,
            arguments.recipe.as_deref(),
            device,
            &requested_use,
        )?,
    };
    Ok(Answered {
        inspired_by,
        ..concluded(custody, prepared, decided)?
    })
}

/// The judgments that are named, each confirmed in this custody, by id.
fn inspirations(named: &[String], custody: &Custody) -> Result<Vec<Inspiration>, Stop> {
    let mut found = Vec::new();
    for text in named {
        let id = JudgmentId::parse(text).map_err(|error| error.refusal())?;
        let confirmed = judgment::confirmed(custody, &id).map_err(|error| error.refusal())?;
        let owners: Vec<&str> = confirmed
            .signers()
            .iter()
            .map(|signer| signer.owner.as_str())
            .collect();
        found.push(Inspiration {
            judgment_id: id.to_string(),
            author: confirmed.judgment().author().name.clone(),
            confirmed_by: owners.join(", "),
        });
    }
    found.sort_by(|one, other| one.judgment_id.cmp(&other.judgment_id));
    found.dedup();
    Ok(found)
}

/// Reads a graph from outside.
pub(crate) fn submitted(path: &Path) -> Result<Submitted, Stop> {
    let bytes = files::read_graph(path)?;
    inquiry::submit(&bytes).map_err(|found| Stop::Refused(Box::new(found)))
}

/// What is asked of a table in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) options: &'a dataset::ImportOptions,
    pub(crate) question: &'a Question,
    pub(crate) recipe: Option<&'a str>,
    pub(crate) device: DeviceClass,
    pub(crate) requested_use: &'a RequestedUse,
}

/// The inquiry over a table in memory, for `demo`.
pub(crate) fn inquire(bytes: Vec<u8>, asked: &Asked<'_>) -> Result<Answered, Stop> {
    let custody = runtime::custody()?;
    let prepared = inquiry::prepare(
        bytes,
        asked.options,
        asked.question,
        &custody,
        runtime::instance(),
    )?;
    let decided = prepared.decide(
        &custody,
        &custody,
        asked.recipe,
        asked.device,
        asked.requested_use,
    )?;
    concluded(custody, prepared, decided)
}

fn concluded(custody: Custody, prepared: Prepared, decided: Decided) -> Result<Answered, Stop> {
    if decided.recommended().is_none() {
        return Err(not_admitted(decided.candidates()));
    }
    Ok(Answered {
        custody,
        prepared,
        decided,
        inspired_by: Vec::new(),
    })
}

/// A study's authorization does not carry over to production.
fn study_only(reference: &str) -> Refusal {
    Refusal::new(
        Stage::BindingUse,
        Reason::StudyOnly,
        format!("The authorization {reference} permits study use; production was asked for."),
    )
    .about(reference)
    .under("nemosyne:policy/qualification")
    .next("Ask with --use study, or for production without an authorization.")
}

/// The device class of a device word.
pub(crate) const fn device(device: Device) -> DeviceClass {
    match device {
        Device::Desktop => DeviceClass::DesktopMonitor,
        Device::Pcvr => DeviceClass::PcvrHeadset,
        Device::Standalone => DeviceClass::StandaloneHeadset,
    }
}

/// Why no candidate was admitted: everything against the one that came furthest, and a word on each.
fn not_admitted(candidates: &[Candidate]) -> Stop {
    let found = match candidates.first().map(|candidate| &candidate.outcome) {
        Some(Outcome::Refused(_, refused)) => refused.diagnostics.clone(),
        Some(Outcome::NotProposed(refusal)) => {
            let mut found = Diagnostics::new();
            found.push(refusal.as_ref().clone());
            found
        }
        Some(Outcome::Admitted(..)) | None => Diagnostics::new(),
    };
    let each = candidates.iter().map(|candidate| output::Candidate {
        line: format!("{}: {}", named(candidate), outcome_text(candidate)),
        value: candidate_json(candidate),
    });
    Stop::NotAdmitted(Box::new(found), each.collect())
}

pub(crate) fn tell(answered: &Answered, report: &mut Report) -> Result<(), Stop> {
    let Answered {
        prepared, decided, ..
    } = answered;
    let Some((_, admission)) = decided.recommended() else {
        return Err(anyhow::anyhow!("an answer without admission was not refused").into());
    };
    let record = admission.record().body();
    let used = match admission {
        Admission::Production(_) => "PRODUCTION",
        Admission::StudyOnly(_) => "STUDY_ONLY",
    };
    let device = decided.device();
    let variant = admission
        .plan()
        .body()
        .variants
        .iter()
        .find(|variant| variant.device == device);
    let variant_name = variant.map_or("", |variant| variant.name.as_str());
    report.line(format!("ADMITTED for {used}"));
    let dataset = prepared.dataset();
    report.pair(
        "dataset",
        format!(
            "{} · {} rows · {}",
            dataset.name(),
            dataset.n_rows(),
            dataset.fingerprint()
        ),
    );
    report.pair("snapshot", prepared.snapshot().id());
    report.pair("context", prepared.context().id());
    asked::tell_place(prepared, report);
    report.pair("obligations", prepared.obligations().set().id());
    report.pair("graph", record.input_commitments.graph_id);
    report.pair("plan", admission.plan().id());
    report.pair("result", admission.record().id());
    let count = |class: Class, status: &str| {
        record
            .coverage
            .iter()
            .filter(|entry| entry.variant == variant_name && entry.class == class && entry.status == status)
            .count()
    };
    report.pair(
        "on",
        format!(
            "{variant_name}: {} must be kept and are; {} deferred behind a route; {} optional left out",
            count(Class::MustPreserve, "COVERED"),
            count(Class::Progressive, "DEFERRED"),
            count(Class::Optional, "OMITTED")
        ),
    );
    for refused in &record.refused_variants {
        report.pair(
            "not on",
            format!("{}: {}", refused.variant, refused.refusal.cause.text),
        );
    }
    tell_further(prepared, report);
    conjecture::tell(prepared.proposals(), report);
    for code in &record.limitations {
        report.pair("caveat", code);
    }
    for candidate in decided.candidates() {
        report.pair(
            "candidate",
            format!("{}: {}", named(candidate), outcome_text(candidate)),
        );
    }
    report.member("admission", "ADMITTED");
    report.member("permittedUse", used);
    report.member("device", format!("{device:?}"));
    report.member("variant", variant_name);
    report.member("dataset", dataset.fingerprint().to_string());
    report.member("snapshotId", prepared.snapshot().id().to_string());
    report.member("contextId", prepared.context().id().to_string());
    report.member("obligationSetId", prepared.obligations().set().id().to_string());
    report.member("graphId", record.input_commitments.graph_id.to_string());
    report.member("planId", admission.plan().id().to_string());
    report.member("resultId", admission.record().id().to_string());
    report.member("limitations", record.limitations.clone());
    report.member(
        "candidates",
        decided
            .candidates()
            .iter()
            .map(candidate_json)
            .collect::<Vec<_>>(),
    );
    Ok(())
}

/// What was analyzed beside the rows: in the package, and not in the picture.
fn tell_further(prepared: &Prepared, report: &mut Report) {
    let mut not_drawn = Vec::new();
    let body = prepared.snapshot().body();
    let perspective = prepared.context().body().perspective.as_ref();
    let first = perspective.and_then(|perspective| perspective.foreground.first());
    let node = first.and_then(|first| body.nodes.iter().find(|node| node.node_id == first.node_id));
    let source = node.and_then(|node| {
        body.sources
            .iter()
            .find(|source| source.source_id == node.source_id)
    });
    let drawn = source.map(|source| source.analytical_request_digest);
    for analysis in prepared.analyses() {
        let is_usual = [kernels::ROWS, kernels::STATISTICS].contains(&analysis.family());
        if is_usual || drawn == Some(analysis.request_digest()) {
            continue;
        }
        let columns = analysis.request().columns().join(", ");
        let about = if columns.is_empty() { "the links" } else { &columns };
        let receipts = analysis.receipts().iter();
        let receipts: Vec<&str> = receipts.map(|receipt| receipt.receipt_id.as_str()).collect();
        report.pair(
            "not drawn",
            format!(
                "{} of {about}: in the package, not in front; draw it with --draw; receipts {}",
                analysis.family(),
                receipts.join(" ")
            ),
        );
        not_drawn.push(json!({ "family": analysis.family(), "receipts": receipts }));
    }
    report.member("notDrawn", not_drawn);
    let coverage = serde_json::to_value(&prepared.snapshot().body().coverage).unwrap_or(Value::Null);
    report.member("coverage", coverage);
}

fn origin(origin: &Origin) -> Value {
    match origin {
        Origin::Recipe {} => json!({ "kind": "RECIPE" }),
        Origin::Submitted { digest, bytes } => {
            json!({ "kind": "SUBMITTED", "digest": digest.to_string(), "bytes": bytes })
        }
    }
}

/// A submitted graph's name is what the file says of itself, and is marked as that.
fn named(candidate: &Candidate) -> String {
    match &candidate.origin {
        Origin::Recipe {} => candidate.proposer.clone(),
        Origin::Submitted { .. } => format!("submitted, calls itself {}", candidate.proposer),
    }
}

fn outcome_text(candidate: &Candidate) -> String {
    match &candidate.outcome {
        Outcome::Admitted(..) => "admitted".to_owned(),
        Outcome::Refused(_, refused) => {
            let primary = refused.primary();
            format!("refused, {} / {}", primary.code(), primary.reason())
        }
        Outcome::NotProposed(refusal) => format!("does not apply: {}", refusal.cause().text),
    }
}

fn candidate_json(candidate: &Candidate) -> Value {
    match &candidate.outcome {
        Outcome::Admitted(graph, admission) => json!({
            "proposer": candidate.proposer,
            "origin": origin(&candidate.origin),
            "outcome": "ADMITTED",
            "graphId": graph.id().to_string(),
            "resultId": admission.record().id().to_string(),
        }),
        Outcome::Refused(graph, refused) => json!({
            "proposer": candidate.proposer,
            "origin": origin(&candidate.origin),
            "outcome": "REFUSED",
            "graphId": graph.id().to_string(),
            "refusal": to_value(refused.primary()),
        }),
        Outcome::NotProposed(refusal) => json!({
            "proposer": candidate.proposer,
            "origin": origin(&candidate.origin),
            "outcome": "NOT_PROPOSED",
            "refusal": to_value(refusal),
        }),
    }
}

/// The conjecture that this decision answers, checked against the package that holds it.
fn promotion(arguments: &Admit, answered: &Answered) -> Result<Option<Promotion>, Refusal> {
    let Some(named) = &arguments.promoted_from else {
        return Ok(None);
    };
    let Some((path, element)) = named.rsplit_once('#') else {
        return Err(Refusal::new(
            Stage::DecodeIntegrity,
            Reason::Malformed,
            format!("{named} names no element."),
        )
        .about(named.clone())
        .next("Write the package, #, and the name of the conjecture: earlier.nemosyne#heavy."));
    };
    let earlier = files::open_package(Path::new(path))?;
    package::promote(
        &earlier,
        element,
        answered.prepared.snapshot(),
        answered.prepared.context(),
    )
    .map(Some)
}

/// Writes the body of the admitted graph: a proposal like any other once it is handed in again.
fn save_graph(answered: &Answered, path: &Path, report: &mut Report) -> Result<(), Stop> {
    let Some((graph, _)) = answered.decided.recommended() else {
        return Ok(());
    };
    let text = identity::canonical::to_vec(graph.body()).map_err(anyhow::Error::from)?;
    files::write(path, &text)?;
    report.pair("graph file", path.display());
    report.member("graphFile", path.display().to_string());
    Ok(())
}

/// Writes the package; the file that was there before stays whole until the new one is.
pub(crate) fn save(answered: &Answered, path: &Path, report: &mut Report) -> Result<(), Stop> {
    save_as(answered, path, None, report)
}

fn save_as(
    answered: &Answered,
    path: &Path,
    promotion: Option<Promotion>,
    report: &mut Report,
) -> Result<(), Stop> {
    let mut capture = Capture {
        inspired_by: answered.inspired_by.clone(),
        ..answered.decided.capture(&answered.prepared, &answered.custody)?
    };
    if let Some(promotion) = promotion {
        report.pair("promoted from", &promotion.derived_from.differences[0]);
        capture.derived_from = Some(promotion.derived_from);
        capture.promoted_from = Some(promotion.promoted_from);
    }
    let written = capture.write(path).map_err(|error| error.refusal())?;
    report.pair(
        "package",
        format!(
            "{} · {} bytes · {}",
            path.display(),
            written.bytes,
            written.sha256
        ),
    );
    report.member("package", path.display().to_string());
    report.member("packageDigest", written.sha256.to_string());
    Ok(())
}
