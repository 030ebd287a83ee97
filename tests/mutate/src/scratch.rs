//! The scratch copy: what git tracks, with every mutant written in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::{Mutant, Table, schemata};

/// The table's place in the tree.
pub const TABLE: &str = "tests/mutate/mutants.toml";

/// A copy of the tree, kept between runs so that only what changed is built again.
#[derive(Debug)]
pub struct Scratch {
    /// Its root.
    pub root: PathBuf,
}

impl Scratch {
    /// Brings the copy at `root` up to date with the tree at `from`, mutants included. Files that did not change keep
    /// their time, and Cargo its work.
    ///
    /// # Errors
    /// When git does not answer, a file can't be read or written, or the table and the tree do not fit.
    pub fn of(from: &Path, root: PathBuf, table: &Table) -> anyhow::Result<Self> {
        let mut mutated = changed(from, table)?;
        let tracked = tracked(from)?;
        for path in &tracked {
            let content = match mutated.remove(path) {
                Some(text) => text.into_bytes(),
                None => fs::read(from.join(path)).with_context(|| path.clone())?,
            };
            put(&root.join(path), &content)?;
        }
        ensure!(
            mutated.is_empty(),
            "git does not track {}",
            mutated.into_keys().collect::<Vec<_>>().join(", ")
        );
        forget(&root, &root, &tracked)?;
        Ok(Self { root })
    }
}

/// Every file of the table with its mutants in it.
///
/// # Errors
/// When a file can't be read, or a guard of the table is not found in it once.
pub fn changed(from: &Path, table: &Table) -> anyhow::Result<BTreeMap<String, String>> {
    let mut by_file: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in &table.mutants {
        by_file.entry(&mutant.file).or_default().push(mutant);
    }
    let mut mutated = BTreeMap::new();
    for (file, mutants) in by_file {
        let source = fs::read_to_string(from.join(file))
            .with_context(|| format!("{TABLE} line {}: {file}", mutants[0].line))?;
        mutated.insert(file.to_owned(), schemata::apply(&source, &mutants)?);
    }
    Ok(mutated)
}

/// What git tracks, or would, and is there.
fn tracked(from: &Path) -> anyhow::Result<BTreeSet<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(from)
        .output()
        .context("git lists the files to copy")?;
    ensure!(listed.status.success(), "git ls-files: {}", listed.status);
    let listed = String::from_utf8(listed.stdout).context("git names files in UTF-8")?;
    Ok(listed
        .split('\0')
        .filter(|path| !path.is_empty() && from.join(path).is_file())
        .map(str::to_owned)
        .collect())
}

fn put(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|known| known == content) {
        return Ok(());
    }
    let folder = path.parent().context("a file stands in a folder")?;
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    fs::write(path, content).with_context(|| path.display().to_string())
}

/// Deletes from the copy what the tree no longer has.
fn forget(root: &Path, folder: &Path, tracked: &BTreeSet<String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            forget(root, &path, tracked)?;
        } else if !tracked.contains(&path.strip_prefix(root)?.to_string_lossy().replace('\\', "/")) {
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This repository: the table is true of it.
    #[test]
    fn every_guard_of_the_table_stands_where_the_table_says() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = fs::read_to_string(root.join(TABLE)).unwrap();
        let table = Table::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        assert!(table.mutants.len() >= 30, "{} mutants", table.mutants.len());
        let changed = changed(&root, &table).unwrap_or_else(|error| panic!("{error:#}"));
        assert!(changed.values().all(|text| text.contains(schemata::VARIABLE)));
    }

    #[test]
    fn a_copy_follows_the_tree_and_keeps_what_did_not_change() {
        let from = tempfile::tempdir().unwrap();
        let to = tempfile::tempdir().unwrap();
        let git = Command::new("git")
            .arg("init")
            .arg("-q")
            .current_dir(from.path())
            .status();
        assert!(git.unwrap().success());
        let write = |name: &str, text: &str| put(&from.path().join(name), text.as_bytes()).unwrap();
        write("a/one.rs", "1");
        write("a/two.rs", "2");
        let none = Table { mutants: Vec::new() };
        let copy = || Scratch::of(from.path(), to.path().to_owned(), &none).unwrap();
        let time = |name: &str| fs::metadata(to.path().join(name)).unwrap().modified().unwrap();
        copy();
        let before = time("a/one.rs");
        fs::remove_file(from.path().join("a/two.rs")).unwrap();
        write("a/three.rs", "3");
        copy();
        assert_eq!(time("a/one.rs"), before);
        assert!(to.path().join("a/three.rs").is_file() && !to.path().join("a/two.rs").exists());
    }
}
