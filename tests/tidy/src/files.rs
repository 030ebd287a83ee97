//! Sizes, origins and what no file may name.

use crate::tree::{File, Tree};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::Path;

const MAX_LINES: usize = 600;
const MAX_BLOB: usize = 256 * 1024;

/// Where data lives.
const DATA: &[&str] = &["assets/samples/", "tests/vectors/"];

/// Paths of machines that write this code. Spelled in two halves, so that this file does not name them either.
const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/fa", "rm/"),
    concat!("/tmp/", "bash"),
    concat!("/tmp/", "spine"),
    concat!(".lib", "rary"),
    concat!("/root/", ".cache"),
];

/// Hosts of package registries.
const REGISTRY_HOSTS: &[&str] = &[
    concat!("crates", ".io"),
    concat!("deb.debian", ".org"),
    concat!("npmjs", ".com"),
    concat!("npmjs", ".org"),
    concat!("proxy.golang", ".org"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
];

/// Source files that hold too much.
#[must_use]
pub fn length(tree: &Tree) -> Vec<String> {
    let is_source = |file: &&File| file.path.ends_with(".rs") || file.path.ends_with(".wgsl");
    let mut found = Vec::new();
    for file in tree.files.iter().filter(is_source) {
        let lines = file.text().map_or(0, |text| text.lines().count());
        if lines > MAX_LINES {
            found.push(format!(
                "{} has {lines} lines; {MAX_LINES} is the most",
                file.path
            ));
        }
    }
    found
}

/// Large files outside the two places for them.
#[must_use]
pub fn blobs(tree: &Tree) -> Vec<String> {
    let may_be_large = |path: &str| path.starts_with("assets/") || path.starts_with("tests/vectors/");
    tree.files
        .iter()
        .filter(|file| file.bytes.len() > MAX_BLOB && !may_be_large(&file.path))
        .map(|file| {
            format!(
                "{} has {} bytes; {MAX_BLOB} is the most",
                file.path,
                file.bytes.len()
            )
        })
        .collect()
}

/// Data without an ORIGIN, and digests in one that do not fit. An ORIGIN speaks for its folder and those below it.
#[must_use]
pub fn origins(tree: &Tree) -> Vec<String> {
    let data = || {
        tree.files
            .iter()
            .filter(|file| DATA.iter().any(|place| file.path.starts_with(place)))
    };
    let origins: Vec<(&str, &str)> = data()
        .filter_map(|file| Some((file.path.strip_suffix("/ORIGIN")?, file.text()?)))
        .filter(|(folder, text)| *folder != "tests/vectors" && !text.trim().is_empty())
        .collect();
    let mut bare: BTreeSet<&str> = data()
        .filter_map(|file| Some(file.path.rsplit_once('/')?.0))
        .collect();
    bare.retain(|folder| {
        !origins
            .iter()
            .any(|(owner, _)| Path::new(folder).starts_with(owner))
    });
    let mut found: Vec<String> = bare
        .iter()
        .map(|folder| format!("{folder} has no ORIGIN that says where its data comes from"))
        .collect();
    for (folder, text) in origins {
        found.extend(wrong_digests(tree, folder, text));
    }
    found
}

/// An ORIGIN may pin its files: a line `file: NAME`, then a line `sha256: HEX`.
fn wrong_digests(tree: &Tree, folder: &str, origin: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut named = String::new();
    for line in origin.lines() {
        if let Some(name) = line.strip_prefix("file: ") {
            named = format!("{folder}/{}", name.trim());
        } else if let Some(stated) = line.strip_prefix("sha256: ") {
            match tree.files.iter().find(|file| file.path == named) {
                None => found.push(format!("{folder}/ORIGIN speaks of {named}, which is not there")),
                Some(file) if hex(&file.bytes) != stated.trim() => {
                    found.push(format!(
                        "{named} does not have the SHA-256 that its ORIGIN states"
                    ));
                }
                Some(_) => {}
            }
        }
    }
    found
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Files that name a path of the machine they were written on.
#[must_use]
pub fn machine_paths(tree: &Tree) -> Vec<String> {
    naming(tree, MACHINE_PATHS)
}

/// Files that name a registry's host. The lock file is Cargo's own.
#[must_use]
pub fn registry_hosts(tree: &Tree) -> Vec<String> {
    naming(tree, REGISTRY_HOSTS)
        .into_iter()
        .filter(|line| !line.starts_with("Cargo.lock:"))
        .collect()
}

fn naming(tree: &Tree, needles: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for file in &tree.files {
        for (number, line) in file.text().unwrap_or_default().lines().enumerate() {
            for needle in needles.iter().filter(|needle| line.contains(**needle)) {
                found.push(format!("{}:{} names {needle}", file.path, number + 1));
            }
        }
    }
    found
}
