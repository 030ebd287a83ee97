//! The ten refusal codes, their pages, and the tests that the pages name.

use crate::rust_text::{code_only, is_test_path, test_functions, words};
use crate::tree::Tree;
use std::collections::BTreeSet;

/// Each code as every surface prints it, and its variant in the `refusal` crate.
pub const CODES: [(&str, &str); 10] = [
    ("INVALID_INPUT", "InvalidInput"),
    ("SEMANTICS_UNSUPPORTED", "SemanticsUnsupported"),
    ("EVIDENCE_UNAVAILABLE", "EvidenceUnavailable"),
    ("CLAIM_NOT_ADMISSIBLE", "ClaimNotAdmissible"),
    ("CONTEXT_INCOMPATIBLE", "ContextIncompatible"),
    ("POLICY_VIOLATION", "PolicyViolation"),
    ("BINDING_UNAVAILABLE", "BindingUnavailable"),
    ("RESOURCE_UNSATISFIABLE", "ResourceUnsatisfiable"),
    ("USE_NOT_PERMITTED", "UseNotPermitted"),
    ("REPLAY_UNSUPPORTED", "ReplayUnsupported"),
];

const SECTIONS: [&str; 4] = [
    "## What it means",
    "## How it arises",
    "## What to do",
    "## Tests",
];

/// Where the journeys are that fire a code through a real door.
const JOURNEYS: &str = "tests/it/";

/// The page of a code.
#[must_use]
pub fn page(code: &str) -> String {
    format!("assets/refusals/{code}.md")
}

/// Codes without a whole page, and pages without a code.
#[must_use]
pub fn pages(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (code, _) in CODES {
        let path = page(code);
        let Some(text) = tree.text(&path) else {
            found.push(format!("{path} is missing"));
            continue;
        };
        if !text.starts_with(&format!("# {code}\n")) {
            found.push(format!("{path} does not start with its code"));
        }
        for section in SECTIONS {
            if !text.lines().any(|line| line == section) {
                found.push(format!("{path} lacks `{section}`"));
            }
        }
        for field in ["Fires:", "Control:"] {
            if field_of(text, field).is_none() {
                found.push(format!("{path} lacks its line `{field}`"));
            }
        }
    }
    let known: BTreeSet<String> = CODES.iter().map(|(code, _)| page(code)).collect();
    for file in tree
        .files
        .iter()
        .filter(|file| file.path.starts_with("assets/refusals/"))
    {
        if !known.contains(&file.path) {
            found.push(format!("{} is the page of no code", file.path));
        }
    }
    found
}

/// Pages that name a test that does not exist, and pages that name none although a journey speaks of their code.
#[must_use]
pub fn tests(tree: &Tree) -> Vec<String> {
    let sources: Vec<(&str, &str, String)> = tree
        .rust()
        .filter(|(path, text)| is_test_path(path) || text.contains("#[test]"))
        .map(|(path, text)| (path, text, code_only(text)))
        .collect();
    let known: BTreeSet<&str> = sources
        .iter()
        .flat_map(|(_, _, code)| test_functions(code))
        .map(|test| test.name)
        .collect();
    let mut found = Vec::new();
    for (code, variant) in CODES {
        let path = page(code);
        let Some(text) = tree.text(&path) else { continue };
        let spoken_of = sources.iter().any(|(path, text, own)| {
            path.starts_with(JOURNEYS)
                && (text.contains(&format!("\"{code}\"")) || words(own).any(|(_, word)| word == variant))
        });
        for field in ["Fires:", "Control:"] {
            let line = field_of(text, field).unwrap_or_default();
            let named: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
            if named.is_empty() && spoken_of {
                found.push(format!(
                    "{path}: tests speak of {code}, and `{field}` names none of them"
                ));
            }
            for name in named.into_iter().filter(|name| !known.contains(name)) {
                found.push(format!(
                    "{path}: `{field}` names {name}, and no test is called that"
                ));
            }
        }
    }
    found
}

/// What stands behind a field, up to the next field or an empty line.
fn field_of(text: &str, field: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(field));
    let first = lines.next()?.strip_prefix(field)?;
    let rest = lines
        .take_while(|line| !line.is_empty() && !line.starts_with("Fires:") && !line.starts_with("Control:"));
    Some(std::iter::once(first).chain(rest).collect::<Vec<_>>().join(" "))
}
