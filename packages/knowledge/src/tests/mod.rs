//! The table and its answers, over the shipped entries and over altered copies of them.

mod answers;
mod resolution;
mod rules;

use evidence::wire::v1::PinnedRef;
use identity::Digest;

use crate::wire::v1::{Arrangement, Mapping};
use crate::{KnowledgeError, Manifest, Table};
use representation::wire::v2::Channel;

macro_rules! shipped {
    ($($path:literal),+ $(,)?) => {
        &[$(($path, include_bytes!(concat!("../../../../assets/", $path)) as &[u8])),+]
    };
}

/// Enough of what ships to ask every kind of question.
pub(crate) const SHIPPED: &[(&str, &[u8])] = shipped![
    "knowledge/transforms/linear.json",
    "knowledge/channels/position_z.json",
    "knowledge/channels/text.json",
    "knowledge/recipes/scatter_volume.json",
    "knowledge/qualifications/position-order-monitor.json",
    "knowledge/qualifications/position-order-headset.json",
    "knowledge/qualifications/path-trace-headset.json",
    "knowledge/contraindications/absolute-height-headset.json",
    "knowledge/contraindications/area-ratio.json",
    "knowledge/contraindications/depth-monitor.json",
    "knowledge/contraindications/hue-color-vision.json",
    "knowledge/contraindications/opacity-ratio.json",
    "policies/capability-v1.json",
    "policies/qualification-v1.json",
    "policies/scope-v1.json",
    "policies/scope-color-vision-v1.json",
];

/// The shipped bytes after `edit`, each pinned by its own digest.
pub(crate) fn edited(edit: impl Fn(&str, &mut serde_json::Value)) -> Vec<(Digest, Vec<u8>)> {
    SHIPPED
        .iter()
        .map(|(path, bytes)| {
            let mut value: serde_json::Value = serde_json::from_slice(bytes).unwrap();
            let before = value.clone();
            edit(path, &mut value);
            let bytes = if value == before {
                bytes.to_vec()
            } else {
                serde_json::to_vec(&value).unwrap()
            };
            (Digest::of(&bytes), bytes)
        })
        .collect()
}

pub(crate) fn table() -> Table {
    Table::from_artifacts(edited(|_, _| ())).unwrap()
}

pub(crate) fn pin(table: &Table, name: &str) -> PinnedRef {
    table.pin(name).unwrap()
}

pub(crate) fn manifest(table: &Table) -> Manifest {
    try_manifest(table).unwrap()
}

pub(crate) fn try_manifest(table: &Table) -> Result<Manifest, KnowledgeError> {
    table.manifest(
        &pin(table, "nemosyne:policy/capability@1"),
        &pin(table, "nemosyne:policy/qualification@1"),
    )
}

pub(crate) const fn on(channel: Channel, arrangement: Arrangement) -> Mapping {
    Mapping { channel, arrangement }
}

/// The error an edit of the shipped bytes leads to; the unedited bytes make a table.
pub(crate) fn refused(edit: impl Fn(&str, &mut serde_json::Value)) -> KnowledgeError {
    assert!(Table::from_artifacts(edited(|_, _| ())).is_ok());
    match Table::from_artifacts(edited(edit)).and_then(|table| try_manifest(&table)) {
        Ok(_) => panic!("the edit was accepted"),
        Err(error) => error,
    }
}
