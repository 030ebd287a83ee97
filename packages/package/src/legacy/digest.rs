//! The three investigation digests, computed again from what the package records.
//!
//! Schema 1 is a lossy projection. Version 2 hashes every entity by itself, once clocks and capture names are taken off
//! the places where replay made new ones, and commits the list of hashes. Version 3 is version 2 with the receipts:
//! their values as parsed, and the digest of their exact bytes.

use identity::CanonicalError;
use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::{Map, Value, json};

use super::data::LegacyDataset;
use super::json::{Js, sha256, sha256_of};
use super::ledger::{AnalyticalState, LegacyResult};
use super::manifest::{DigestAlgorithm, LegacyManifest, RecordedIdentity};

/// Capture metadata at the root of an entity.
const ROOT_METADATA: [&str; 8] = [
    "timestamp",
    "generatedAt",
    "recordedAt",
    "createdAt",
    "savedAt",
    "sessionId",
    "eventId",
    "decisionTimestamp",
];
/// Clocks inside a provenance.
const PROVENANCE_METADATA: [&str; 2] = ["timestamp", "generatedAt"];
/// Entities that an event carries a copy of.
const EMBEDDED: [&str; 3] = ["observationEntity", "findingEntity", "annotationEntity"];

/// Everything that a digest may commit.
pub(super) struct Committed<'a> {
    pub(super) manifest: &'a LegacyManifest,
    pub(super) dataset: &'a LegacyDataset,
    pub(super) state: &'a AnalyticalState,
    pub(super) events: &'a [Value],
    /// The results that events carry, in their order.
    pub(super) results: &'a [LegacyResult],
    pub(super) decision: Option<&'a Value>,
    pub(super) discoveries: &'a [Value],
    pub(super) nil_outcomes: &'a [Value],
    /// The receipts' kernel, parsed member and exact bytes; version 3 alone.
    pub(super) receipts: Option<(&'a str, &'a Value, &'a [u8])>,
}

/// The digest under the algorithm that the manifest names.
pub(super) fn compute(committed: &Committed<'_>) -> Result<String, CanonicalError> {
    match committed.manifest.digest_algorithm {
        DigestAlgorithm::Schema1 => sha256(&Js(&schema_1(committed))),
        DigestAlgorithm::Canonical2 => sha256(&Js(&Value::Object(canonical(committed, 2)?))),
        DigestAlgorithm::Canonical3 => {
            let mut root = canonical(committed, 3)?;
            if let Some((_, envelope, bytes)) = committed.receipts {
                root.insert(
                    "governedEvidence".to_owned(),
                    json!({ "envelope": envelope, "memberDigest": sha256_of(bytes) }),
                );
            }
            sha256(&Js(&Value::Object(root)))
        }
    }
}

/// The identity of the dataset as it was when the package was written. Early version 1 had none that depends on values,
/// so what it recorded is taken as it stands.
fn current<'a>(committed: &'a Committed<'_>) -> &'a str {
    let computed = &committed.state.fingerprint;
    match &committed.manifest.dataset {
        RecordedIdentity::SeedHash(_) => committed.state.recorded_fingerprint.as_ref().unwrap_or(computed),
        RecordedIdentity::Sha256(_) => computed,
    }
}

fn original(committed: &Committed<'_>) -> String {
    match &committed.manifest.dataset {
        RecordedIdentity::SeedHash(_) => committed.dataset.seed_hash(),
        RecordedIdentity::Sha256(_) => committed.dataset.fingerprint().to_owned(),
    }
}

fn state(committed: &Committed<'_>) -> Value {
    json!({
        "datasetVersion": committed.state.dataset_version,
        "datasetFingerprint": current(committed),
        "rowCount": committed.state.n_rows,
        "columnCount": committed.state.n_columns,
    })
}

/// These members of an object, those that are not there left out.
fn project(value: &Value, names: &[&str]) -> Map<String, Value> {
    let present = names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), value.get(name)?.clone())));
    present.collect()
}

fn entities<'a>(committed: &Committed<'a>, kind: &str, member: &str) -> Vec<&'a Value> {
    let events = committed.events.iter();
    let of_kind = events.filter(|event| event.get("kind").and_then(Value::as_str) == Some(kind));
    of_kind
        .filter_map(|event| event.get(member))
        .filter(|entity| !entity.is_null())
        .collect()
}

fn schema_1(committed: &Committed<'_>) -> Value {
    let observations = entities(committed, "observation", "observationEntity");
    let findings = entities(committed, "finding", "findingEntity");
    let annotations = entities(committed, "annotation", "annotationEntity");
    let commands: Vec<Value> = committed
        .events
        .iter()
        .map(|event| {
            let mut command = project(event, &["datasetVersion", "datasetFingerprint"]);
            // An event whose command names no operation gives its kind.
            let op = match event.get("command").filter(|command| !command.is_null()) {
                Some(command) if command.get("op").is_some() => command.get("op"),
                _ => event.get("kind"),
            };
            command.extend(op.map(|op| ("op".to_owned(), op.clone())));
            Value::Object(command)
        })
        .collect();
    let mut root = json!({
        "schemaVersion": 1,
        "datasetFingerprint": current(committed),
        "kernelVersion": committed.manifest.kernel_version,
        "immutableDatasetFingerprint": original(committed),
        "commandStream": commands,
        "analyticalState": state(committed),
        "evidenceLedger": {
            "resultsCount": committed.results.len(),
            "eventsCount": committed.events.len(),
            "observationCount": observations.len(),
            "findingCount": findings.len(),
            "annotationCount": annotations.len(),
            "findings": findings.iter().map(|one| project(one, &["id", "title", "confidence"])).collect::<Vec<_>>(),
            "observations": observations.iter().map(|one| project(one, &["id", "notes"])).collect::<Vec<_>>(),
        },
        "discoveryEpisodes": committed.discoveries,
    });
    let context = committed.manifest.research_context.as_ref();
    root["researchContext"] = context.map_or_else(
        || json!({}),
        |context| {
            let whole = Value::Object(context.committed.clone());
            project(&whole, &["studyId", "researchQuestion", "hypothesis"]).into()
        },
    );
    if let Some(decision) = committed.decision {
        root["representationDecision"] = decision_1(decision);
    }
    root
}

/// What schema 1 commits of a representation decision.
fn decision_1(decision: &Value) -> Value {
    let mut projected = project(
        decision,
        &[
            "utilityScore",
            "decisionStatus",
            "decisionMargin",
            "fitnessModelVersion",
            "explanation",
            "preserves",
            "loses",
        ],
    );
    let mut put = |name: &str, value: Option<&Value>| {
        projected.extend(value.map(|value| (name.to_owned(), value.clone())));
    };
    put("representationFamily", decision.get("chosenFamily"));
    put("candidateId", decision.get("chosenCandidateId"));
    put("layout", decision.get("chosenLayout"));
    let candidate = match decision.get("chosenCandidateId") {
        Some(Value::String(id)) => id.clone(),
        Some(other) => other.to_string(),
        None => "undefined".to_owned(),
    };
    put("strategyId", Some(&json!(format!("strategy_{candidate}"))));
    let artifact = decision.get("fitnessModelArtifactHash").unwrap_or(&Value::Null);
    put("fitnessModelArtifactHash", Some(artifact));
    let runner_up = match decision.get("runnerUp") {
        Some(runner_up @ Value::Object(_)) => {
            project(runner_up, &["candidateId", "family", "layout", "score"]).into()
        }
        _ => Value::Null,
    };
    put("runnerUp", Some(&runner_up));
    let ranked = decision.get("rankedCandidates").and_then(Value::as_array);
    let alternatives: Vec<Value> = ranked
        .into_iter()
        .flatten()
        .skip(1)
        .map(|one| project(one, &["candidateId", "family", "layout", "score", "disqualified"]).into())
        .collect();
    put("rankedAlternatives", Some(&json!(alternatives)));
    Value::Object(projected)
}

/// The root of versions 2 and 3, without the receipts.
fn canonical(committed: &Committed<'_>, schema: u8) -> Result<Map<String, Value>, CanonicalError> {
    let mut outputs = committed.results.iter();
    let events: Vec<Value> = committed
        .events
        .iter()
        .map(|event| semantic_event(event, &mut outputs))
        .collect();
    let results: Vec<&Value> = events
        .iter()
        .filter_map(|event| event.get("result"))
        .filter(|result| !result.is_null())
        .collect();
    let hashes = |values: Vec<&Value>| {
        let hashed = values.into_iter().map(entity_hash);
        hashed.collect::<Result<Vec<String>, CanonicalError>>()
    };
    let kernel = match committed.receipts {
        Some((kernel, ..)) => kernel,
        None if committed.manifest.kernel_version.is_empty() => "unknown",
        None => &committed.manifest.kernel_version,
    };
    let context = committed.manifest.research_context.as_ref();
    let context = Value::Object(
        context
            .map(|context| context.committed.clone())
            .unwrap_or_default(),
    );
    let root = json!({
        "schemaVersion": schema,
        "algorithm": committed.manifest.digest_algorithm.word(),
        "datasetFingerprint": current(committed),
        "immutableDatasetFingerprint": original(committed),
        "kernelVersion": kernel,
        "analyticalState": state(committed),
        "eventHashes": hashes(events.iter().collect())?,
        "resultHashes": hashes(results)?,
        "structureHashes": hashes(entities(committed, "structure", "structureSet"))?,
        "observationHashes": hashes(entities(committed, "observation", "observationEntity"))?,
        "findingHashes": hashes(entities(committed, "finding", "findingEntity"))?,
        "annotationHashes": hashes(entities(committed, "annotation", "annotationEntity"))?,
        "discoveryEpisodeHashes": hashes(committed.discoveries.iter().collect())?,
        "nilOutcomeHashes": hashes(committed.nil_outcomes.iter().collect())?,
        "researchContextHash": entity_hash(&context)?,
    });
    let Value::Object(mut root) = root else {
        return Ok(Map::new());
    };
    if let Some(decision) = committed.decision {
        root.insert(
            "representationStateHash".to_owned(),
            json!(entity_hash(decision)?),
        );
    }
    Ok(root)
}

/// An event with the output of its result replaced by that output's identity.
fn semantic_event<'a>(event: &Value, outputs: &mut impl Iterator<Item = &'a LegacyResult>) -> Value {
    let Some(Value::Object(result)) = event.get("result") else {
        return event.clone();
    };
    let without = |members: &Map<String, Value>, name: &str| -> Map<String, Value> {
        let kept = members.iter().filter(|(member, _)| member.as_str() != name);
        kept.map(|(member, value)| (member.clone(), value.clone()))
            .collect()
    };
    let mut result = without(result, "dataset");
    let output = outputs.next().map(|output| output.output_fingerprint.as_str());
    result.insert("outputDatasetFingerprint".to_owned(), json!(output));
    let mut semantic = event
        .as_object()
        .map(|event| without(event, "result"))
        .unwrap_or_default();
    semantic.insert("result".to_owned(), Value::Object(result));
    Value::Object(semantic)
}

/// The hash of one entity without its capture metadata.
fn entity_hash(entity: &Value) -> Result<String, CanonicalError> {
    sha256(&Semantic {
        value: entity,
        is_root: true,
        parent: None,
    })
}

/// A value as a digest commits it.
struct Semantic<'a> {
    value: &'a Value,
    is_root: bool,
    parent: Option<&'a str>,
}

impl Semantic<'_> {
    fn leaves_out(&self, name: &str) -> bool {
        (self.is_root && ROOT_METADATA.contains(&name))
            || (self.parent == Some("provenance") && PROVENANCE_METADATA.contains(&name))
            || (self.parent.is_some_and(|parent| EMBEDDED.contains(&parent)) && name == "timestamp")
    }
}

impl Serialize for Semantic<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Array(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for value in items {
                    seq.serialize_element(&Semantic {
                        value,
                        is_root: false,
                        parent: self.parent,
                    })?;
                }
                seq.end()
            }
            Value::Object(members) => {
                let mut map = serializer.serialize_map(None)?;
                for (name, value) in members {
                    if !self.leaves_out(name) {
                        let parent = Some(name.as_str());
                        map.serialize_entry(
                            name,
                            &Semantic {
                                value,
                                is_root: false,
                                parent,
                            },
                        )?;
                    }
                }
                map.end()
            }
            other => Js(other).serialize(serializer),
        }
    }
}
