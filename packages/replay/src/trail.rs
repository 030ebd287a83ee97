//! How far a replay came: what came out as recorded, where it stopped, what was not reached.

use serde::Serialize;
use serde_json::Value;

use crate::{Missing, ReplayError};

/// The steps of a replay, in order. `analysis` and `values` occur once for each.
pub const STEPS: [&str; 11] = [
    "dataset",
    "analysis",
    "values",
    "receipts",
    "snapshot",
    "context",
    "obligations",
    "graph",
    "knowledge",
    "plan",
    "result",
];

/// The most places of a difference that are listed; the rest is counted.
pub const MAX_PLACES: usize = 16;

/// One thing that came out as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was compared.
    pub what: &'static str,
    /// Its identity, the same in the record and anew.
    pub identity: String,
}

/// Where a replay stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The step, one of [`STEPS`].
    pub step: &'static str,
    /// The record's identity, when both sides have one.
    pub recorded: Option<String>,
    /// What came out instead.
    pub rebuilt: Option<String>,
    /// Where the two differ, at most [`MAX_PLACES`].
    pub places: Vec<Place>,
    /// How many places more.
    pub more: usize,
    /// The steps after it, which were not taken.
    pub not_reached: Vec<&'static str>,
}

/// One place at which a value came out differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// JSON pointer into the body.
    pub pointer: String,
    /// The recorded text, shortened; `absent` where there is none.
    pub recorded: String,
    /// The rebuilt text, likewise.
    pub rebuilt: String,
}

/// The steps taken so far.
#[derive(Debug)]
pub(crate) struct Trail {
    at: &'static str,
    pub(crate) checks: Vec<Check>,
    places: Vec<Place>,
    more: usize,
    pub(crate) missing: Vec<Missing>,
}

impl Trail {
    pub(crate) fn starting(missing: Vec<Missing>) -> Self {
        Self {
            at: STEPS[0],
            checks: Vec::new(),
            places: Vec::new(),
            more: 0,
            missing,
        }
    }

    /// The step that is taken now.
    pub(crate) fn step(&mut self, what: &'static str) {
        self.at = what;
    }

    /// The step came out as recorded.
    pub(crate) fn held(&mut self, what: &'static str, identity: impl ToString) {
        self.at = what;
        self.checks.push(Check {
            what,
            identity: identity.to_string(),
        });
    }

    /// Notes where two bodies differ.
    pub(crate) fn compare<T: Serialize>(&mut self, recorded: &T, rebuilt: &T) {
        if let (Ok(recorded), Ok(rebuilt)) = (serde_json::to_value(recorded), serde_json::to_value(rebuilt)) {
            let mut found = Vec::new();
            walk(String::new(), &recorded, &rebuilt, &mut found);
            self.more = found.len().saturating_sub(MAX_PLACES);
            found.truncate(MAX_PLACES);
            self.places = found;
        }
    }

    /// Where it stopped, and why.
    pub(crate) fn departure(&self, error: &ReplayError) -> Departure {
        let (recorded, rebuilt) = match error {
            ReplayError::Differs {
                recorded, rebuilt, ..
            } => (Some(recorded.clone()), Some(rebuilt.clone())),
            ReplayError::ImplementationMissing { recorded, .. } => (Some(recorded.clone()), None),
            ReplayError::Package(_)
            | ReplayError::Refused { .. }
            | ReplayError::Superseded { .. }
            | ReplayError::NoReceipt { .. }
            | ReplayError::StudyProhibits { .. } => (None, None),
        };
        let after = STEPS.iter().position(|step| *step == self.at);
        Departure {
            step: self.at,
            recorded,
            rebuilt,
            places: self.places.clone(),
            more: self.more,
            not_reached: after.map_or_else(Vec::new, |at| STEPS[at + 1..].to_vec()),
        }
    }
}

/// The innermost places that differ, in the recorded order.
pub(crate) fn walk(pointer: String, recorded: &Value, rebuilt: &Value, found: &mut Vec<Place>) {
    match (recorded, rebuilt) {
        _ if recorded == rebuilt => {}
        (Value::Object(old), Value::Object(new)) => {
            let added = new.keys().filter(|name| !old.contains_key(*name));
            for name in old.keys().chain(added) {
                let (old, new) = (old.get(name), new.get(name));
                let escaped = name.replace('~', "~0").replace('/', "~1");
                either(format!("{pointer}/{escaped}"), old, new, found);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            for idx in 0..old.len().max(new.len()) {
                either(format!("{pointer}/{idx}"), old.get(idx), new.get(idx), found);
            }
        }
        _ => found.push(Place {
            pointer,
            recorded: short(Some(recorded)),
            rebuilt: short(Some(rebuilt)),
        }),
    }
}

fn either(pointer: String, recorded: Option<&Value>, rebuilt: Option<&Value>, found: &mut Vec<Place>) {
    match (recorded, rebuilt) {
        (Some(recorded), Some(rebuilt)) => walk(pointer, recorded, rebuilt, found),
        _ => found.push(Place {
            pointer,
            recorded: short(recorded),
            rebuilt: short(rebuilt),
        }),
    }
}

/// The value's text, at most 80 characters of it.
fn short(value: Option<&Value>) -> String {
    let Some(value) = value else {
        return "absent".to_owned();
    };
    let text = value.to_string();
    if text.chars().count() <= 80 {
        return text;
    }
    text.chars().take(79).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{MAX_PLACES, Trail, walk};
    use crate::ReplayError;

    #[test]
    fn differences_are_named_where_they_stand() {
        let mut found = Vec::new();
        walk(
            String::new(),
            &json!({ "a": [1, 2, { "b/c": "x" }], "same": 1, "gone": true }),
            &json!({ "a": [1, 3, { "b/c": "y" }, 4], "same": 1, "new": null }),
            &mut found,
        );
        let told: Vec<String> = found
            .iter()
            .map(|place| format!("{} {} {}", place.pointer, place.recorded, place.rebuilt))
            .collect();
        assert_eq!(
            told,
            [
                "/a/1 2 3",
                "/a/2/b~1c \"x\" \"y\"",
                "/a/3 absent 4",
                "/gone true absent",
                "/new absent null"
            ]
        );
        let mut none = Vec::new();
        walk(String::new(), &json!([1]), &json!([1]), &mut none);
        assert!(none.is_empty());
    }

    #[test]
    fn what_is_not_listed_is_counted() {
        let mut trail = Trail::starting(Vec::new());
        let (old, new): (Vec<usize>, Vec<usize>) = ((0..40).collect(), (1..41).collect());
        trail.held("dataset", "d");
        trail.step("plan");
        trail.compare(&old, &new);
        let departure = trail.departure(&ReplayError::Differs {
            what: "the plan",
            recorded: "a".to_owned(),
            rebuilt: "b".to_owned(),
        });
        assert_eq!((departure.places.len(), departure.more), (MAX_PLACES, 24));
        assert_eq!((departure.step, departure.not_reached), ("plan", vec!["result"]));
    }
}
