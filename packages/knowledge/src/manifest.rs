//! The manifest: what one decision used, by exact name and digest, sealed under its identity.

use std::collections::BTreeMap;

use evidence::wire::v1::PinnedRef;
use identity::{Body, Digest, SealError, Sealed, utf16_cmp};

use crate::KnowledgeError;
use crate::artifact::{Artifact, name_is_plain, reference, rule, sorted, spoken, word};
use crate::table::Table;
use crate::wire::v1::{Decision, Definition, DeviceClass, Entry, EntryKind, ManifestBody};

/// Most entries of one manifest.
pub(crate) const MAX_ENTRIES: usize = 256;

/// A checked manifest under its identity.
pub type Manifest = Sealed<ManifestBody>;

impl Body for ManifestBody {
    const ID_MEMBER: &'static str = "manifestId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = KnowledgeError;

    fn check(&self) -> Result<(), KnowledgeError> {
        const NAME: &str = "manifest";
        if self.entries.len() > MAX_ENTRIES {
            return Err(KnowledgeError::Bounds {
                what: "manifest entries",
                found: self.entries.len(),
                most: MAX_ENTRIES,
            });
        }
        for pin in [&self.capability_table_ref, &self.qualification_policy_ref] {
            name_is_plain(&reference(&pin.id, &pin.version), &pin.id, &pin.version)?;
        }
        let in_order = self
            .entries
            .windows(2)
            .all(|pair| order(&pair[0], &pair[1]).is_lt());
        rule(in_order, NAME, "entries stand by kind, id and version, each once")?;
        let mut kinds: BTreeMap<String, EntryKind> = BTreeMap::new();
        for entry in &self.entries {
            let name = reference(&entry.id, &entry.version);
            if kinds.insert(name.clone(), entry.kind).is_some() {
                return Err(KnowledgeError::Ambiguous { reference: name });
            }
        }
        for entry in &self.entries {
            check_entry(entry, &kinds)?;
        }
        Ok(())
    }
}

fn check_entry(entry: &Entry, kinds: &BTreeMap<String, EntryKind>) -> Result<(), KnowledgeError> {
    let name = reference(&entry.id, &entry.version);
    name_is_plain(&name, &entry.id, &entry.version)?;
    spoken(&name, "authorityRef", &entry.authority_ref)?;
    spoken(&name, "scope", &entry.scope)?;
    for text in entry.evidence_refs.iter().chain(&entry.limitations) {
        spoken(&name, "list of texts", text)?;
    }
    let basis = [
        "PRIOR_ART",
        "DOMAIN_CONVENTION",
        "HUMAN_JUDGMENT",
        "CONTROLLED_STUDY",
    ];
    rule(
        basis.contains(&entry.evidence_basis.as_str()),
        &name,
        "evidenceBasis is one of the closed words",
    )?;
    sorted(&name, "contraindicationRefs", &entry.contraindication_refs)?;
    let points = |to: &String, kind: EntryKind| match kinds.get(to) {
        Some(found) if *found == kind => Ok(()),
        Some(_) => Err(KnowledgeError::invalid(
            &name,
            format!("{to} is no {}", word(&kind)),
        )),
        None => Err(KnowledgeError::Absent {
            reference: to.clone(),
            kind: Some(kind),
        }),
    };
    for to in &entry.contraindication_refs {
        points(to, EntryKind::Contraindication)?;
    }
    if let Some(to) = &entry.qualification_ref {
        points(to, EntryKind::Qualification)?;
    }
    rule(
        entry.supersedes_ref.as_ref() != Some(&name),
        &name,
        "an entry does not replace itself",
    )
}

/// By kind, id, version, each in order of UTF-16 code units of its text.
fn order(a: &Entry, b: &Entry) -> core::cmp::Ordering {
    utf16_cmp(&word(&a.kind), &word(&b.kind))
        .then_with(|| utf16_cmp(&a.id, &b.id))
        .then_with(|| utf16_cmp(&a.version, &b.version))
}

impl Table {
    /// The manifest of everything in this table.
    ///
    /// # Errors
    /// [`KnowledgeError`] when a policy is not in the table, or when the table does not make a valid manifest.
    pub fn manifest(&self, capability: &PinnedRef, policy: &PinnedRef) -> Result<Manifest, KnowledgeError> {
        self.capability(capability)?;
        self.policy(policy)?;
        let mut entries: Vec<Entry> = self
            .iter()
            .filter_map(|(digest, artifact)| match artifact {
                Artifact::Definition(it) => Some(of_definition(self, digest, it)),
                Artifact::Decision(it) => Some(of_decision(self, digest, it)),
                Artifact::Capability(_) | Artifact::Policy(_) | Artifact::Scope(_) => None,
            })
            .collect();
        entries.sort_by(order);
        let body = ManifestBody {
            entries,
            capability_table_ref: capability.clone(),
            qualification_policy_ref: policy.clone(),
        };
        Sealed::seal(body).map_err(|error| match error {
            SealError::Invalid(error) => error,
            other @ (SealError::Canonical(_)
            | SealError::IdentityMismatch { .. }
            | SealError::SchemaVersion { .. }) => KnowledgeError::invalid("manifest", other.to_string()),
        })
    }
}

fn of_definition(table: &Table, digest: &Digest, it: &Definition) -> Entry {
    let about_channel = |decision: &Decision| {
        it.kind == EntryKind::Channel
            && decision
                .mappings
                .iter()
                .any(|mapping| word(&mapping.channel) == it.id)
    };
    Entry {
        kind: it.kind,
        id: it.id.clone(),
        version: it.version.clone(),
        content_digest: *digest,
        authority_ref: it.authority.clone(),
        scope: "Any dataset, task and device; grammar, capability table and qualifications narrow it."
            .to_owned(),
        evidence_basis: it.evidence_basis.clone(),
        evidence_refs: it.evidence.clone(),
        limitations: it.limitations.clone(),
        contraindication_refs: harms(table, about_channel),
        qualification_ref: None,
        supersedes_ref: None,
    }
}

fn of_decision(table: &Table, digest: &Digest, it: &Decision) -> Entry {
    let qualifies = it.kind == EntryKind::Qualification;
    let touches = |harm: &Decision| {
        qualifies
            && harm.mappings.iter().any(|mapping| it.mappings.contains(mapping))
            && (harm.devices.is_empty() || harm.devices.iter().any(|device| it.devices.contains(device)))
    };
    let name = reference(&it.id, &it.version);
    Entry {
        kind: it.kind,
        id: it.id.clone(),
        version: it.version.clone(),
        content_digest: *digest,
        authority_ref: it.decided_by.clone(),
        scope: scope(it),
        evidence_basis: it.evidence_basis.clone(),
        evidence_refs: it.evidence.clone(),
        limitations: it.limitations.clone(),
        contraindication_refs: harms(table, touches),
        qualification_ref: qualifies.then_some(name),
        supersedes_ref: it.supersedes.clone(),
    }
}

fn harms(table: &Table, touches: impl Fn(&Decision) -> bool) -> Vec<String> {
    let mut refs: Vec<String> = table
        .decisions(EntryKind::Contraindication)
        .filter(|(_, decision)| touches(decision))
        .map(|(name, _)| name.to_owned())
        .collect();
    refs.sort_by(|a, b| utf16_cmp(a, b));
    refs
}

/// The scope of a decision in words.
fn scope(it: &Decision) -> String {
    let list = |words: Vec<String>, any: &str| {
        if words.is_empty() {
            any.to_owned()
        } else {
            words.join(", ")
        }
    };
    let claims = list(it.claims.iter().map(word).collect(), "any claim");
    let tasks = list(it.tasks.clone(), "any task");
    let devices = list(
        it.devices
            .iter()
            .map(|class| device_words(*class).to_owned())
            .collect(),
        "any device",
    );
    let needs = if it.accessibility.is_empty() {
        String::new()
    } else {
        format!("; accessibility: {}", it.accessibility.join(", "))
    };
    let bound = it
        .max_marks
        .map(|most| format!("; at most {most} marks"))
        .unwrap_or_default();
    format!(
        "{claims}; {tasks}; {devices}{needs}{bound}; population: {}",
        it.population
    )
}

/// A device class as people say it.
pub(crate) const fn device_words(class: DeviceClass) -> &'static str {
    match class {
        DeviceClass::DesktopMonitor => "a monitor",
        DeviceClass::PcvrHeadset => "a PC headset",
        DeviceClass::StandaloneHeadset => "a standalone headset",
    }
}
