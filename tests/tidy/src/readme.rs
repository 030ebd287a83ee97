//! The README's commands: each exists, and each verb of the front door is shown.

use crate::tree::Tree;
use std::collections::BTreeSet;

const README: &str = "README.md";

/// Every command in the README's `sh` blocks, in order; a line that ends in a backslash goes on in the next.
#[must_use]
pub fn commands(readme: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = false;
    let mut pending = String::new();
    for line in readme.lines() {
        if line.trim_start().starts_with("```") {
            open = !open && line.trim() == "```sh";
            continue;
        }
        let line = line.trim();
        if !open || line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(part) = line.strip_suffix('\\') {
            pending.push_str(part.trim_end());
            pending.push(' ');
        } else {
            found.push(std::mem::take(&mut pending) + line);
        }
    }
    found
}

/// The verbs of the front door that do something: the labels of its one `case`, without the default, and without
/// those that only say when they will come.
#[must_use]
pub fn verbs(front_door: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in front_door.lines().skip_while(|line| !line.starts_with("case ")) {
        let Some((labels, body)) = line.strip_prefix("  ").and_then(|line| line.split_once(')')) else {
            continue;
        };
        let is_label =
            |label: &str| !label.is_empty() && label.chars().all(|letter| letter.is_ascii_lowercase());
        if !body.contains("does not exist yet") {
            found.extend(
                labels
                    .split(" | ")
                    .filter(|label| is_label(label))
                    .map(ToOwned::to_owned),
            );
        }
    }
    found
}

/// The program's verbs as the README's table of verbs lists them: rows that start with `` | `verb ``.
#[must_use]
pub fn program_verbs(readme: &str) -> BTreeSet<String> {
    readme
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|row| row.split([' ', '`']).next())
        .filter(|verb| !verb.is_empty() && verb.chars().all(|letter| letter.is_ascii_lowercase()))
        .map(ToOwned::to_owned)
        .collect()
}

/// Commands that do not exist, and verbs that the README does not show.
#[must_use]
pub fn commands_exist(tree: &Tree) -> Vec<String> {
    let Some(readme) = tree.text(README) else {
        return vec![format!("{README} is missing")];
    };
    let front_door = verbs(tree.text("x").unwrap_or_default());
    let program = program_verbs(readme);
    let mut found = Vec::new();
    let mut shown = BTreeSet::new();
    for command in commands(readme) {
        let mut parts = command.split_whitespace();
        let verb = match parts.next() {
            Some("./x") => parts.next().unwrap_or_default(),
            _ => {
                found.push(format!("{README}: `{command}` does not go through ./x"));
                continue;
            }
        };
        if !front_door.contains(verb) {
            found.push(format!(
                "{README}: `{command}` names a verb that ./x does not have"
            ));
        }
        if verb == "nemosyne" && !parts.next().is_some_and(|verb| program.contains(verb)) {
            found.push(format!(
                "{README}: `{command}` names a verb that the table of verbs lacks"
            ));
        }
        shown.insert(verb.to_owned());
    }
    found.extend(
        front_door
            .difference(&shown)
            .map(|verb| format!("{README} does not show ./x {verb}")),
    );
    found
}
