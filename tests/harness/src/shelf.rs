//! What is known, as files that a test may change, take away or add to.

use std::collections::BTreeMap;

use evidence::wire::v1::PinnedRef;
use identity::Digest;
use knowledge::wire::v1::CapabilityTable;
use knowledge::{Manifest, Table};
use serde_json::Value;

/// Artifacts by `id@version`.
#[derive(Clone, Debug)]
pub struct Shelf(BTreeMap<String, Vec<u8>>);

/// A table with the manifest of everything in it and its capability table.
#[derive(Clone, Debug)]
pub struct Known {
    /// The closed table.
    pub table: Table,
    /// Its manifest.
    pub manifest: Manifest,
    /// What devices resolve.
    pub capability: CapabilityTable,
}

impl Shelf {
    /// Name of the capability table.
    pub const CAPABILITY: &str = "nemosyne:policy/capability@1";
    /// Name of the qualification policy.
    pub const QUALIFICATION: &str = "nemosyne:policy/qualification@1";

    /// Everything in a table.
    #[must_use]
    pub fn of(table: &Table) -> Self {
        let bytes: BTreeMap<Digest, &[u8]> = table.bytes().map(|(digest, bytes)| (*digest, bytes)).collect();
        let name = |artifact: &knowledge::Artifact| artifact.reference();
        Self(
            table
                .iter()
                .map(|(digest, artifact)| (name(artifact), bytes[digest].to_vec()))
                .collect(),
        )
    }

    /// Changes an artifact; its digest changes with it.
    ///
    /// # Panics
    /// When nothing has that name.
    pub fn edit(&mut self, name: &str, change: impl FnOnce(&mut Value)) {
        let bytes = self
            .0
            .get_mut(name)
            .unwrap_or_else(|| panic!("no artifact {name}"));
        let mut value = serde_json::from_slice(bytes).expect("artifacts are JSON");
        change(&mut value);
        *bytes = value.to_string().into_bytes();
    }

    /// Changes the record of one device class in the capability table.
    ///
    /// # Panics
    /// When the table does not describe it.
    pub fn device(&mut self, class: &str, change: impl FnOnce(&mut Value)) {
        self.edit(Self::CAPABILITY, |table| {
            let devices = table["devices"].as_array_mut().expect("devices are a list");
            let device = devices.iter_mut().find(|device| device["device"] == class);
            change(device.unwrap_or_else(|| panic!("no device {class}")));
        });
    }

    /// Takes an artifact away.
    ///
    /// # Panics
    /// When nothing has that name.
    pub fn remove(&mut self, name: &str) {
        assert!(self.0.remove(name).is_some(), "no artifact {name}");
    }

    /// The names that begin with a text.
    pub fn names<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .keys()
            .map(String::as_str)
            .filter(move |name| name.starts_with(prefix))
    }

    /// Opens them as custody opens what ships.
    ///
    /// # Panics
    /// When they are no knowledge.
    #[must_use]
    pub fn open(&self) -> Known {
        let artifacts = self.0.values().map(|bytes| (Digest::of(bytes), bytes.clone()));
        let table = Table::from_artifacts(artifacts).unwrap_or_else(|error| panic!("{error}"));
        let pin = |name: &str| -> PinnedRef { table.pin(name).unwrap_or_else(|| panic!("no {name}")) };
        let capability_pin = pin(Self::CAPABILITY);
        let manifest = table
            .manifest(&capability_pin, &pin(Self::QUALIFICATION))
            .unwrap_or_else(|error| panic!("{error}"));
        let capability = table
            .capability(&capability_pin)
            .unwrap_or_else(|error| panic!("{error}"))
            .clone();
        Known {
            table,
            manifest,
            capability,
        }
    }
}
