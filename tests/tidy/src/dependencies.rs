//! What a crate may link, from the resolved graph.

use crate::tree::Tree;
use std::collections::BTreeSet;

/// What no package may link, at any depth: a name, or the start of one where it ends in `*`.
const NOT_IN_PACKAGES: &[&str] = &[
    "bevy*", "egui*", "eframe", "wgpu*", "naga", "winit", "openxr*", // engines and windows
    "hyper", "reqwest", "tokio", "ureq", "socket2", // networks
];

/// Libraries that only the named crates or groups may name in their own manifests.
const SOLE_USERS: &[(&str, &[&str])] = &[
    ("openxr*", &["headset"]),
    ("bevy_mod_openxr", &["headset"]),
    ("bevy_mod_xr", &["headset"]),
    ("bevy_xr_utils", &["headset"]),
    ("egui*", &["workbench", "study_room", "field_view", "app"]),
    ("bevy_egui", &["workbench", "study_room", "field_view", "app"]),
];

/// What the program and the tests must agree on, with everything below it.
const COMPILED_ONCE: &[&str] = &["bevy", "bevy_egui"];

fn matches(pattern: &str, name: &str) -> bool {
    pattern
        .strip_suffix('*')
        .map_or(pattern == name, |start| name.starts_with(start))
}

/// Packages that link something they must not, and through whom.
#[must_use]
pub fn engine_free(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for member in tree.crates.iter().filter(|member| member.group() == "packages") {
        for linked in tree.linked.below(&member.name) {
            if NOT_IN_PACKAGES.iter().any(|pattern| matches(pattern, &linked)) {
                found.push(format!("{} links {linked}", member.name));
            }
        }
    }
    found
}

/// Crates that name a library in their manifest that belongs to others.
#[must_use]
pub fn sole_users(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for member in tree.crates.iter().filter(|member| member.group() != "tests") {
        for dependency in &member.dependencies {
            for (pattern, users) in SOLE_USERS {
                let allowed = users
                    .iter()
                    .any(|user| *user == member.name || *user == member.group());
                if matches(pattern, &dependency.name) && !allowed {
                    found.push(format!(
                        "{} names {}; only {} may",
                        member.name,
                        dependency.name,
                        users.join(", ")
                    ));
                }
            }
        }
    }
    found
}

/// Crates at or below Bevy that the program alone would build with other features than the workspace does. Each such
/// crate is compiled twice, and all of Bevy above it with it.
#[must_use]
pub fn one_feature_set(tree: &Tree) -> Vec<String> {
    let mut engine: BTreeSet<String> = COMPILED_ONCE.iter().map(ToString::to_string).collect();
    for name in COMPILED_ONCE {
        engine.extend(tree.built.below(name));
    }
    tree.features
        .program
        .difference(&tree.features.workspace)
        .filter(|line| line.split(' ').next().is_some_and(|name| engine.contains(name)))
        .map(|line| format!("./x demo builds `{line}`, the workspace builds it with other features"))
        .collect()
}
