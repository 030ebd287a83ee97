//! What a crate may link, from the resolved graph.

use crate::tree::Tree;

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

/// A front door that builds the program with other features than the tests': Cargo joins the features of what it is
/// asked to build, tests included, and one library that differs compiles all of Bevy above it again.
#[must_use]
pub fn compiled_once(tree: &Tree) -> Vec<String> {
    let front_door = tree.text("x").unwrap_or_default();
    let builds = |line: &&str| {
        let code = line.split('#').next().unwrap_or_default();
        code.contains("--bin nemosyne") || code.contains("-p nemosyne")
    };
    let joined = |line: &&str| line.contains("--workspace --bin nemosyne --test ");
    let (right, wrong): (Vec<&str>, Vec<&str>) = front_door.lines().filter(builds).partition(joined);
    let mut found: Vec<String> = wrong
        .iter()
        .map(|line| format!("x: `{}` builds the program alone", line.trim()))
        .collect();
    if right.is_empty() {
        found.push("x does not build the program as part of the workspace".to_owned());
    }
    found
}
