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

const SECTIONS: [&str; 6] = [
    "## What it means",
    "## How it arises",
    "## Reasons",
    "## From the command line",
    "## What to do",
    "## Tests",
];

/// The table of how each code is reached.
pub const TABLE: &str = "assets/refusals/README.md";

/// Where the reasons stand, each with its code.
pub const REASONS: &str = "packages/refusal/src/reason.rs";

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
    let mut known: BTreeSet<String> = CODES.iter().map(|(code, _)| page(code)).collect();
    known.insert(TABLE.to_owned());
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

/// Reasons that their code's page does not list, and codes whose way in the table is none of their page's commands.
#[must_use]
pub fn reached(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    let reasons = tree.text(REASONS).unwrap_or_default();
    let Some(table) = tree.text(TABLE) else {
        return vec![format!("{TABLE} is missing")];
    };
    for (code, variant) in CODES {
        let path = page(code);
        let Some(text) = tree.text(&path) else { continue };
        let of_code = format!("= {variant} \"");
        for word in reasons.lines().filter_map(|line| {
            let (_, word) = line.split_once(&of_code)?;
            word.split('"').next()
        }) {
            if !text
                .lines()
                .any(|line| line.starts_with(&format!("- `{word}`: ")))
            {
                found.push(format!("{path} does not list the reason {word}"));
            }
        }
        let row = table
            .lines()
            .find(|line| line.starts_with(&format!("| [{code}]({code}.md) |")));
        let command = row.and_then(|row| row.split('`').nth(1));
        match command {
            None => found.push(format!("{TABLE} has no row with a command for {code}")),
            Some(command) if !one_line(text).contains(command) => {
                found.push(format!("{TABLE}: `{command}` is not on the page of {code}"));
            }
            Some(_) => {}
        }
    }
    found
}

/// A text with continued lines joined.
fn one_line(text: &str) -> String {
    text.replace("\\\n", "")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
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
