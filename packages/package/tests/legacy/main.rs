//! Packages of format versions 1 to 3 through their public door, over fixtures that another program minted.
#![expect(clippy::unwrap_used, reason = "a test that lacks what it is about has failed")]

mod archive;
mod corrupt;
mod goldens;
mod random;

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};
use std::path::PathBuf;

use package::legacy::{LegacyError, LegacyLimits, LegacyPackage, open_source};
use serde_json::Value;
use zip::write::SimpleFileOptions;

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const DATASET: &str = "data/dataset.raw";
pub(crate) const COMMANDS: &str = "investigation/commands.log";
pub(crate) const RECEIPTS: &str = "investigation/evidence-receipts.json";

pub(crate) const FIXTURES: [&str; 9] = [
    "v1-decimal",
    "v1-requests",
    "v2",
    "v2-unlabeled",
    "v2-plain",
    "v3-governed",
    "v3-no-uses",
    "v3-supplementary",
    "v3-with-forma",
];

pub(crate) fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/legacy");
    folder.join(format!("{name}.nemosyne"))
}

pub(crate) fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap()
}

pub(crate) fn opened(bytes: &[u8]) -> Result<LegacyPackage, LegacyError> {
    open_source(Cursor::new(bytes), &LegacyLimits::DEFAULT)
}

pub(crate) fn fixture(name: &str) -> LegacyPackage {
    opened(&bytes(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The contents of an archive by name, for forging others.
pub(crate) fn contents(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let read = |idx| {
        let mut member = archive.by_index(idx).unwrap();
        let mut content = Vec::new();
        member.read_to_end(&mut content).unwrap();
        (member.name().unwrap().into_owned(), content)
    };
    (0..archive_len(bytes)).map(read).collect()
}

fn archive_len(bytes: &[u8]) -> usize {
    zip::ZipArchive::new(Cursor::new(bytes)).unwrap().len()
}

/// An archive of these members, as another encoder writes it.
pub(crate) fn packed(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer
            .start_file(name.as_str(), SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A fixture with one member's JSON changed and everything else as it was.
pub(crate) fn edited(name: &str, member: &str, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut members = contents(&bytes(name));
    let content = members.iter_mut().find(|(named, _)| named == member).unwrap();
    let mut value: Value = serde_json::from_slice(&content.1).unwrap();
    change(&mut value);
    content.1 = serde_json::to_vec_pretty(&value).unwrap();
    packed(&members)
}

/// Contents by name, to tell whether two archives say the same.
pub(crate) fn by_name(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    contents(bytes).into_iter().collect()
}
