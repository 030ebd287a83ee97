//! Who may import whom: one table, and the rules read from it.

use crate::tree::{Kind, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// The layer table. Groups from the ground up; within a group, a crate may import those before it.
pub const LAYERS: &[(&str, &[&str])] = &[
    (
        "packages",
        &[
            // words
            "identity",
            "refusal",
            // facts
            "dataset",
            "kernels",
            "evidence",
            "snapshot",
            // inquiry
            "investigation",
            "conjecture",
            "nil",
            // meaning to plan
            "obligations",
            "representation",
            "knowledge",
            "plan",
            "forma",
            "adoption",
            // custody
            "study",
            "custody",
            "judgment",
            "package",
            "replay",
            "inquiry",
            // typed records
            "warrant",
            "record",
            // the field runtime
            "versor",
            "vault",
            "proof",
            "dialogue",
            "formation",
        ],
    ),
    (
        "plugins",
        &[
            "work_queue",
            "stage",
            "adoption_gate",
            "pointing",
            "headset",
            "workbench",
            "study_room",
            "field_view",
        ],
    ),
    ("app", &["nemosyne", "nemosyne_quest"]),
    (
        "tests",
        &["harness", "tidy", "mutate", "oracles", "pixels", "bench"],
    ),
];

/// The one crate that makes fake authorities: for tests alone.
const HARNESS: &str = "harness";

/// Crates that anyone's tests may use, and nobody else. `tests/it` is no crate: it is a test of the program, and stands
/// in its manifest.
const FOR_TESTS: &[&str] = &[HARNESS, "tidy", "bench"];

/// A crate's place in the table: group, then position within it.
fn place(name: &str) -> Option<(usize, usize)> {
    LAYERS.iter().enumerate().find_map(|(group, (_, crates))| {
        crates
            .iter()
            .position(|listed| *listed == name)
            .map(|position| (group, position))
    })
}

/// Crates outside the table or in the wrong folder, and edges that point upward.
#[must_use]
pub fn upward(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for member in &tree.crates {
        let Some(own) = place(&member.name) else {
            found.push(format!(
                "{} is not in the layer table (tests/tidy/src/layers.rs)",
                member.name
            ));
            continue;
        };
        let folder = format!("{}/{}", LAYERS[own.0].0, member.name);
        if member.folder != folder {
            found.push(format!(
                "{} lives in {}, not in {folder}",
                member.name, member.folder
            ));
        }
        for dependency in &member.dependencies {
            if !tree.is_member(&dependency.name) {
                continue;
            }
            let is_test = dependency.kind == Kind::Dev || member.group() == "tests";
            if FOR_TESTS.contains(&dependency.name.as_str()) {
                if !is_test {
                    found.push(format!(
                        "{} uses {}, which is for tests only",
                        member.name, dependency.name
                    ));
                }
            } else if place(&dependency.name).is_some_and(|other| other >= own) {
                found.push(format!(
                    "{} imports {}, which is not below it",
                    member.name, dependency.name
                ));
            }
        }
    }
    found
}

/// Crates that reach themselves through members. A package's own tests may use the harness, which uses the package:
/// Cargo allows that one loop, and so does this rule.
#[must_use]
pub fn cycles(tree: &Tree) -> Vec<String> {
    let edges: BTreeMap<&str, Vec<&str>> = tree
        .crates
        .iter()
        .map(|member| {
            let below = member
                .dependencies
                .iter()
                .filter(|dependency| !(dependency.kind == Kind::Dev && dependency.name == HARNESS))
                .filter(|dependency| tree.is_member(&dependency.name))
                .map(|dependency| dependency.name.as_str())
                .collect();
            (member.name.as_str(), below)
        })
        .collect();
    let reaches_itself = |start: &str| {
        let mut seen = BTreeSet::new();
        let mut open = edges[start].clone();
        while let Some(next) = open.pop() {
            if next == start {
                return true;
            }
            if seen.insert(next) {
                open.extend(&edges[next]);
            }
        }
        false
    };
    edges
        .keys()
        .filter(|name| reaches_itself(name))
        .map(|name| format!("{name} reaches itself"))
        .collect()
}
