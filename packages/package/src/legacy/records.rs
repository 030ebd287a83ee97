//! What else a legacy package records: the representation decision, discoveries, outcomes without a representation.

use serde_json::Value;

use super::error::LegacyError;
use super::json::At;

/// A recorded choice of a representation. It carries no permission and can't be executed.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyDecision {
    /// Name.
    pub id: Option<String>,
    /// The chosen candidate.
    pub candidate: Option<String>,
    /// Its family.
    pub family: Option<String>,
    /// Its layout.
    pub layout: Option<String>,
    /// Its standing, in its author's word.
    pub status: Option<String>,
    /// An uncalibrated score.
    pub utility: Option<f64>,
    /// The model that scored it.
    pub model: Option<String>,
    /// Why, as the program that chose it said.
    pub explanation: Option<String>,
    /// What it claims to preserve.
    pub preserves: Vec<String>,
    /// What it says is lost.
    pub loses: Vec<String>,
    /// The other candidates in order: name and score.
    pub alternatives: Vec<(String, Option<f64>)>,
}

/// One discovery episode.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyDiscovery {
    /// Name.
    pub id: Option<String>,
    /// What was noticed.
    pub notice: Option<String>,
    /// The question it raised.
    pub question: Option<String>,
    /// The hypothesis.
    pub hypothesis: Option<String>,
    /// The conclusion.
    pub conclusion: Option<String>,
    /// Its standing, in its author's word.
    pub status: Option<String>,
    /// Tests: method and outcome.
    pub tests: Vec<(String, String)>,
}

/// A recorded outcome in which no representation was feasible.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyNilOutcome {
    /// Name.
    pub id: Option<String>,
    /// The rules that failed: name and reason.
    pub failed: Vec<(String, String)>,
}

impl LegacyDecision {
    pub(super) fn read(at: &At<'_>) -> Result<Self, LegacyError> {
        at.object()?;
        let ranked = at.value.get("rankedCandidates").and_then(Value::as_array);
        let alternatives = ranked.into_iter().flatten().skip(1).map(|one| {
            let name = one.get("candidateId").or_else(|| one.get("family"));
            let name = name.and_then(Value::as_str).unwrap_or("unnamed").to_owned();
            (name, one.get("score").and_then(Value::as_f64))
        });
        Ok(Self {
            id: at.shown("id"),
            candidate: at.shown("chosenCandidateId"),
            family: at.shown("chosenFamily"),
            layout: at.shown("chosenLayout"),
            status: at.shown("decisionStatus"),
            utility: at.shown_number("utilityScore"),
            model: at.shown("fitnessModelVersion"),
            explanation: at.shown("explanation"),
            preserves: at.shown_texts("preserves"),
            loses: at.shown_texts("loses"),
            alternatives: alternatives.collect(),
        })
    }
}

fn pairs(at: &At<'_>, list: &str, first: &str, second: &str) -> Vec<(String, String)> {
    let items = at.value.get(list).and_then(Value::as_array);
    let text = |item: &Value, name: &str| {
        let text = item.get(name).and_then(Value::as_str);
        text.unwrap_or("not stated").to_owned()
    };
    let items = items.into_iter().flatten();
    items
        .map(|item| (text(item, first), text(item, second)))
        .collect()
}

impl LegacyDiscovery {
    pub(super) fn read(at: &At<'_>) -> Result<Self, LegacyError> {
        at.object()?;
        Ok(Self {
            id: at.shown("discoveryId"),
            notice: at.shown("notice"),
            question: at.shown("question"),
            hypothesis: at.shown("hypothesis"),
            conclusion: at.shown("conclusion"),
            status: at.shown("validationStatus"),
            tests: pairs(at, "analyticalTests", "method", "outcome"),
        })
    }
}

impl LegacyNilOutcome {
    pub(super) fn read(at: &At<'_>) -> Result<Self, LegacyError> {
        at.object()?;
        let failed = at.value.get("traces").and_then(Value::as_array);
        let failed = failed.into_iter().flatten().filter(|trace| {
            let passed = trace.get("passed").and_then(Value::as_bool);
            passed == Some(false)
        });
        let text = |item: &Value, name: &str| {
            let text = item.get(name).and_then(Value::as_str);
            text.unwrap_or("not stated").to_owned()
        };
        Ok(Self {
            id: at.shown("nilId"),
            failed: failed
                .map(|trace| (text(trace, "ruleName"), text(trace, "reason")))
                .collect(),
        })
    }
}
