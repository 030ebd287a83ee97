//! What Rust source may not say.

use crate::rust_text::{
    code_only, inline_modules, is_test_path, line_of, test_functions, used_paths, without_tests, words,
};
use crate::tree::{Member, Tree};

/// The only crates, besides the app group and tests, that open files.
const OPEN_FILES: &[&str] = &["custody", "package", "study"];

const FILES: &[&str] = &["std::fs"];
/// What else no package may reach: the caller hands it in.
const AMBIENT: &[&str] = &[
    "std::env",
    "std::net",
    "std::process",
    "std::time::Instant",
    "std::time::SystemTime",
];

/// Permissions that exist only in a running program.
const CAPABILITIES: &[&str] = &["CurrentUse", "ExecutionAuthorization", "HistoricalInspection"];

/// Unfinished work and tests that cannot fail, as they read without spaces.
const UNFINISHED: &[&str] = &[
    "todo!(",
    "todo![",
    "todo!{",
    "unimplemented!(",
    "#[ignore",
    "assert!(true)",
    "assert!(true,",
];

/// Library roots that lack their opening sentence or their Never line.
#[must_use]
pub fn opening(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.rust() {
        if !(path.ends_with("/src/lib.rs") || path.ends_with("/src/main.rs")) {
            continue;
        }
        let docs: Vec<&str> = text
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .map(str::trim)
            .collect();
        let first: Vec<&str> = docs.iter().copied().take_while(|line| !line.is_empty()).collect();
        let sentence = first.join(" ");
        if !sentence.ends_with('.') || sentence.split_whitespace().count() < 3 {
            found.push(format!(
                "{path} does not open with a sentence that says what it is"
            ));
        }
        if path.ends_with("lib.rs") && !docs.iter().any(|line| line.starts_with("**Never**")) {
            found.push(format!("{path} has no `//! **Never** …` line in its opening"));
        }
    }
    found
}

/// Packages and plugins that reach for what their caller should hand them.
#[must_use]
pub fn ambient(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (member, path, code) in shipped_code(tree) {
        let opens_files = member.group() == "app" || OPEN_FILES.contains(&member.name.as_str());
        let mut forbidden = Vec::new();
        if !opens_files {
            forbidden.extend(FILES);
        }
        if member.group() == "packages" {
            forbidden.extend(AMBIENT);
        }
        let dense: String = code.split_whitespace().collect();
        let imports = used_paths(&code);
        for name in forbidden {
            let within = format!("{name}::");
            if imports
                .iter()
                .any(|import| import == name || import.starts_with(&within))
                || says(&dense, name)
            {
                found.push(format!("{path} uses {name}"));
            }
        }
    }
    found
}

/// Whether dense code names a path as it stands, and not as the start of a longer word.
fn says(dense: &str, path: &str) -> bool {
    dense.match_indices(path).any(|(at, _)| {
        let next = dense[at + path.len()..].chars().next();
        !next.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

/// Packages whose results could follow a hash order.
#[must_use]
pub fn hash_order(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (member, path, code) in shipped_code(tree) {
        if member.group() != "packages" {
            continue;
        }
        for (at, word) in words(&code) {
            if matches!(word, "HashMap" | "HashSet") {
                found.push(format!(
                    "{path}:{} holds a {word}; a BTree keeps one order",
                    line_of(&code, at)
                ));
            }
        }
    }
    found
}

/// Work left undone and tests that cannot fail, in any crate.
#[must_use]
pub fn finished(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.rust() {
        let code = code_only(text);
        let dense: String = code.split_whitespace().collect();
        for mark in UNFINISHED {
            if dense.contains(mark) {
                found.push(format!("{path} says {mark}"));
            }
        }
        for test in test_functions(&code) {
            if test.body.trim().is_empty() {
                found.push(format!("{path}: the test {} is empty", test.name));
            }
        }
    }
    found
}

/// Wire modules that name a capability: a parsed file may describe a permission and never be one.
#[must_use]
pub fn wire(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.rust() {
        let code = code_only(text);
        let is_wire = path.ends_with("/wire.rs") || path.contains("/wire/");
        let parts: Vec<&str> = if is_wire {
            vec![&code]
        } else {
            inline_modules(&code, "wire").collect()
        };
        for part in parts {
            for (_, word) in words(part) {
                if CAPABILITIES.contains(&word) {
                    found.push(format!("{path} names {word} in a wire module"));
                }
            }
        }
    }
    found
}

/// Each source file of a package, plugin or app, as code without tests.
fn shipped_code(tree: &Tree) -> impl Iterator<Item = (&Member, &str, String)> {
    tree.rust().filter_map(|(path, text)| {
        let member = tree
            .crates
            .iter()
            .find(|member| path.starts_with(&format!("{}/", member.folder)))?;
        let is_shipped = member.group() != "tests" && !is_test_path(path) && !path.ends_with("/build.rs");
        is_shipped.then(|| (member, path, without_tests(&code_only(text))))
    })
}
