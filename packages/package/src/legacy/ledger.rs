//! The ledger of a legacy package: what was done, in order, and what people wrote down on the way.
//!
//! From version 2 on every entry is an event. Version 1 may hold bare analysis requests instead; what came of those is
//! not recorded, so the state at the end is unknown without running them, which nothing here does.

use serde_json::Value;

use super::data::LegacyDataset;
use super::error::LegacyError;
use super::json::At;

const KINDS: [&str; 15] = [
    "load",
    "analysis",
    "structure",
    "recommendation",
    "embodiment",
    "preview",
    "undo",
    "redo",
    "seek",
    "reset",
    "observation",
    "finding",
    "annotation",
    "remediation",
    "refusal",
];
/// Kinds that change which dataset is current.
const MUTATING: [&str; 6] = ["load", "analysis", "undo", "redo", "seek", "reset"];
/// Steps that can be undone; older ones were forgotten.
const MAX_FRAMES: usize = 50;

/// One entry of the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyEvent {
    /// Its kind; `request` for a bare analysis request of version 1.
    pub kind: String,
    /// The operation.
    pub operation: String,
    /// The label its author gave it.
    pub label: Option<String>,
    /// Version of the dataset.
    pub dataset_version: Option<f64>,
    /// When, milliseconds since 1970, by the recorder's clock.
    pub timestamp_ms: Option<f64>,
    /// A sentence that it carries: an observation, an intervention, a deviation, a refusal.
    pub note: Option<String>,
}

/// One recorded analysis result. It was computed by a kernel that is not here.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyResult {
    /// Its name.
    pub result_id: Option<String>,
    /// The operation.
    pub operation: String,
    /// Version of the implementation.
    pub implementation_version: Option<String>,
    /// Standing that its author gave it.
    pub evidence_status: Option<String>,
    /// Rows of its output.
    pub n_rows: usize,
    /// Columns of its output.
    pub n_columns: usize,
    /// Identity of its output, computed here.
    pub output_fingerprint: String,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// Something that a person saw.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyObservation {
    /// Name.
    pub id: Option<String>,
    /// What was written.
    pub notes: String,
    /// What it points at.
    pub target_ids: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
}

/// Something that a person concluded.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyFinding {
    /// Name.
    pub id: Option<String>,
    /// Title.
    pub title: String,
    /// Description.
    pub description: Option<String>,
    /// How sure its author was, in a word.
    pub confidence: Option<String>,
    /// Observations it rests on.
    pub observation_ids: Vec<String>,
    /// Results it rests on.
    pub result_ids: Vec<String>,
}

/// A note pinned in space.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyAnnotation {
    /// Name.
    pub id: Option<String>,
    /// What was written.
    pub text: String,
    /// What it points at.
    pub target_id: Option<String>,
}

/// The dataset that was current when the package was written.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyticalState {
    /// Version.
    pub dataset_version: f64,
    /// `sha256-canonical-dataset-v1`, computed here.
    pub fingerprint: String,
    /// Rows.
    pub n_rows: usize,
    /// Columns.
    pub n_columns: usize,
    /// What the last event that changed it recorded as its identity.
    pub recorded_fingerprint: Option<String>,
}

/// The ledger with everything read from it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ledger {
    pub(super) events: Vec<LegacyEvent>,
    pub(super) results: Vec<LegacyResult>,
    pub(super) observations: Vec<LegacyObservation>,
    pub(super) findings: Vec<LegacyFinding>,
    pub(super) annotations: Vec<LegacyAnnotation>,
    /// None when bare requests would have to be run first.
    pub(super) state: Option<AnalyticalState>,
}

/// What a dataset is at one point of the ledger.
#[derive(Clone, Debug, PartialEq)]
struct Shape {
    fingerprint: String,
    n_rows: usize,
    n_columns: usize,
}

impl Shape {
    fn of(dataset: &LegacyDataset) -> Self {
        Self {
            fingerprint: dataset.fingerprint().to_owned(),
            n_rows: dataset.n_rows(),
            n_columns: dataset.columns.len(),
        }
    }
}

/// The steps that undo, redo and seek move over, as the recorded ones were moved over.
struct History {
    original: Shape,
    current: Shape,
    frames: Vec<(Shape, Shape)>,
    at: Option<usize>,
}

impl History {
    fn new(original: Shape) -> Self {
        Self {
            current: original.clone(),
            original,
            frames: Vec::new(),
            at: None,
        }
    }

    fn push(&mut self, after: Shape) {
        self.frames.truncate(self.at.map_or(0, |at| at + 1));
        self.frames.push((self.current.clone(), after.clone()));
        if self.frames.len() > MAX_FRAMES {
            self.frames.remove(0);
        }
        self.at = self.frames.len().checked_sub(1);
        self.current = after;
    }

    fn undo(&mut self) {
        if let Some(at) = self.at {
            self.current = self.frames[at].0.clone();
            self.at = at.checked_sub(1);
        }
    }

    fn redo(&mut self) {
        let next = self.at.map_or(0, |at| at + 1);
        self.seek_to(next);
    }

    fn seek(&mut self, index: f64) {
        if let Some(last) = self.frames.len().checked_sub(1) {
            self.seek_to(index.clamp(0.0, last as f64) as usize);
        }
    }

    fn seek_to(&mut self, index: usize) {
        if let Some((_, after)) = self.frames.get(index) {
            self.current = after.clone();
            self.at = Some(index);
        }
    }
}

impl Ledger {
    pub(super) fn read(log: &At<'_>, dataset: &LegacyDataset, all_events: bool) -> Result<Self, LegacyError> {
        let mut ledger = Self {
            events: Vec::new(),
            results: Vec::new(),
            observations: Vec::new(),
            findings: Vec::new(),
            annotations: Vec::new(),
            state: None,
        };
        let mut history = History::new(Shape::of(dataset));
        let (mut version, mut recorded) = (1.0, None);
        let (mut events_only, mut any) = (true, false);
        for item in log.items()? {
            item.object()?;
            any = true;
            let Some(kind) = item.get("kind") else {
                if all_events {
                    item.need("kind")?;
                }
                events_only = false;
                ledger.events.push(request(&item));
                continue;
            };
            let word = kind.text()?;
            if !KINDS.contains(&word) {
                return Err(kind.fault(format!("{word:?} is no kind of event")));
            }
            ledger.events.push(event(&item, word));
            ledger.entities(&item, word, &mut history)?;
            if MUTATING.contains(&word) {
                version = item.shown_number("datasetVersion").unwrap_or(version);
                recorded = item.shown("datasetFingerprint").or(recorded);
            }
        }
        if events_only && any {
            ledger.state = Some(AnalyticalState {
                dataset_version: version,
                fingerprint: history.current.fingerprint,
                n_rows: history.current.n_rows,
                n_columns: history.current.n_columns,
                recorded_fingerprint: recorded,
            });
        }
        Ok(ledger)
    }

    /// What an event carries, and where it moves the current dataset.
    fn entities(&mut self, item: &At<'_>, kind: &str, history: &mut History) -> Result<(), LegacyError> {
        let result = item
            .get("result")
            .map(|result| read_result(&result))
            .transpose()?;
        match kind {
            "load" => history.current = history.original.clone(),
            "reset" => history.push(history.original.clone()),
            "undo" => history.undo(),
            "redo" => history.redo(),
            "seek" => {
                let command = item.need("command")?;
                if let Some(index) = command.shown_number("index") {
                    history.seek(index);
                }
            }
            "analysis" => {
                if let Some((_, shape)) = &result {
                    history.push(shape.clone());
                }
            }
            "observation" => {
                let entity = item.need("observationEntity")?;
                self.observations.push(LegacyObservation {
                    id: entity.shown("id"),
                    notes: entity.shown("notes").unwrap_or_default(),
                    target_ids: entity.shown_texts("targetIds"),
                    tags: entity.shown_texts("tags"),
                });
            }
            "finding" => {
                let entity = item.need("findingEntity")?;
                self.findings.push(LegacyFinding {
                    id: entity.shown("id"),
                    title: entity.shown("title").unwrap_or_default(),
                    description: entity.shown("description"),
                    confidence: entity.shown("confidence"),
                    observation_ids: entity.shown_texts("observationIds"),
                    result_ids: entity.shown_texts("resultIds"),
                });
            }
            "annotation" => {
                let entity = item.need("annotationEntity")?;
                self.annotations.push(LegacyAnnotation {
                    id: entity.shown("id"),
                    text: entity.shown("text").unwrap_or_default(),
                    target_id: entity.shown("targetId"),
                });
            }
            _ => {}
        }
        self.results.extend(result.map(|(result, _)| result));
        Ok(())
    }
}

fn read_result(at: &At<'_>) -> Result<(LegacyResult, Shape), LegacyError> {
    let output = LegacyDataset::read(&at.need("dataset")?)?;
    let shape = Shape::of(&output);
    let spec = at.get("spec");
    let result = LegacyResult {
        result_id: at.shown("resultId"),
        operation: spec.map_or_else(|| "unknown".to_owned(), |spec| operation(&spec)),
        implementation_version: at.shown("implementationVersion"),
        evidence_status: at.shown("evidenceStatus"),
        n_rows: shape.n_rows,
        n_columns: shape.n_columns,
        output_fingerprint: shape.fingerprint.clone(),
        warnings: at.shown_texts("warnings"),
    };
    Ok((result, shape))
}

/// The operation that a command or an analysis request names.
fn operation(command: &At<'_>) -> String {
    let nested = command.get("operation");
    let named = command
        .shown("op")
        .or_else(|| nested.as_ref().and_then(|nested| nested.shown("op")))
        .or_else(|| command.shown("operation"));
    named.unwrap_or_else(|| "unknown".to_owned())
}

fn request(item: &At<'_>) -> LegacyEvent {
    LegacyEvent {
        kind: "request".to_owned(),
        operation: operation(item),
        label: item.shown("label"),
        dataset_version: item.shown_number("datasetVersion"),
        timestamp_ms: None,
        note: None,
    }
}

fn event(item: &At<'_>, kind: &str) -> LegacyEvent {
    let command = item.get("command");
    let note = ["observation", "intervention", "deviation"]
        .into_iter()
        .find_map(|name| item.shown(name));
    let refused = item
        .value
        .get("refusalEvent")
        .filter(|refusal| !refusal.is_null());
    LegacyEvent {
        kind: kind.to_owned(),
        operation: command.as_ref().map_or_else(|| kind.to_owned(), operation),
        label: command.and_then(|command| command.shown("label")),
        dataset_version: item.shown_number("datasetVersion"),
        timestamp_ms: item.shown_number("timestamp"),
        note: note.or_else(|| refused.map(Value::to_string)),
    }
}
