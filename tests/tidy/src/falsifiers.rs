//! The falsifiers: each is there, says what it attacks, runs, and is worth the guard that it watches.

use crate::tree::Tree;

/// How many there are: the decision's fourteen and three that it missed.
pub const FALSIFIERS: usize = 17;

/// The journeys' list of modules.
pub const MODULES: &str = "tests/it/src/main.rs";

/// The table of guards that are removed to see the falsifiers fail.
pub const MUTANTS: &str = "tests/mutate/mutants.toml";

/// What a falsifier's page says, in this order, each in a paragraph of its own.
const PARAGRAPHS: [&str; 4] = ["Attack", "Owner", "Required", "Control"];

/// The file of a falsifier.
#[must_use]
pub fn file(number: usize) -> String {
    format!("tests/it/src/f{number:02}.rs")
}

/// Falsifiers that are missing, say too little, are not compiled, or that no mutant is to be killed by.
#[must_use]
pub fn whole(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    let modules = tree.text(MODULES).unwrap_or_default();
    let mutants = tree.text(MUTANTS).unwrap_or_default();
    for number in 1..=FALSIFIERS {
        let path = file(number);
        let name = format!("f{number:02}");
        let Some(text) = tree.text(&path) else {
            found.push(format!("{path} is missing"));
            continue;
        };
        let starts: Vec<&str> = paragraphs(text);
        if starts != PARAGRAPHS {
            found.push(format!(
                "{path} does not open with its paragraphs Attack, Owner, Required and Control, in that order"
            ));
        }
        if !modules.lines().any(|line| line == format!("mod {name};")) {
            found.push(format!("{MODULES} does not run {name}"));
        }
        let kills = |line: &str| {
            line.strip_prefix("killed_by = ")
                .is_some_and(|by| by.trim_matches(['"', '\'']).starts_with(&format!("{name}::")))
        };
        if !mutants.lines().any(kills) {
            found.push(format!("{MUTANTS}: no mutant is to be killed by {name}"));
        }
    }
    found
}

/// The first words of a file's opening paragraphs, as far as they are ones that are asked for.
fn paragraphs(text: &str) -> Vec<&'static str> {
    let docs: Vec<&str> = text
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(str::trim)
        .collect();
    docs.iter()
        .enumerate()
        .filter(|(idx, _)| *idx == 0 || docs[idx - 1].is_empty())
        .filter_map(|(_, line)| {
            let line = line.trim_start_matches('*');
            PARAGRAPHS.into_iter().find(|word| {
                line.strip_prefix(word)
                    .is_some_and(|rest| rest.starts_with(|next: char| !next.is_alphanumeric()))
            })
        })
        .collect()
}
