//! One artifact of the table: exact bytes, read as one of the closed kinds, checked before anything uses it.

use std::cmp::Ordering;

use identity::{Digest, Limits, utf16_cmp};
use serde::{Deserialize, Serialize};

use crate::KnowledgeError;
use crate::wire::v1::{CapabilityTable, Decision, Definition, EntryKind, PolicyScope, QualificationPolicy};

/// Most bytes of one artifact; the largest shipped one has under a tenth of it.
pub(crate) const MAX_BYTES: usize = 64 * 1024;

/// The content of an artifact. What it holds was checked; only [`crate::Table`] hands one out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Artifact {
    /// A transform, channel or recipe.
    Definition(Definition),
    /// A qualification or contraindication.
    Decision(Decision),
    /// What devices resolve.
    Capability(CapabilityTable),
    /// Which uses a standing permits.
    Policy(QualificationPolicy),
    /// Task, domain and accessibility scope.
    Scope(PolicyScope),
}

/// `id@version`, the name of an entry inside one manifest.
#[must_use]
pub fn reference(id: &str, version: &str) -> String {
    format!("{id}@{version}")
}

#[derive(Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum AnyKind {
    Transform,
    Channel,
    Recipe,
    Qualification,
    Contraindication,
    CapabilityTable,
    QualificationPolicy,
    Scope,
}

/// Looks at the kind alone; the typed decode that follows is closed.
#[derive(Deserialize)]
struct Head {
    kind: AnyKind,
}

impl Artifact {
    /// Reads bytes whose digest was already compared.
    pub(crate) fn read(digest: &Digest, bytes: &[u8]) -> Result<Self, KnowledgeError> {
        let head: Head = decode(digest, bytes)?;
        let artifact = match head.kind {
            AnyKind::Transform | AnyKind::Channel | AnyKind::Recipe => {
                Self::Definition(decode(digest, bytes)?)
            }
            AnyKind::Qualification | AnyKind::Contraindication => Self::Decision(decode(digest, bytes)?),
            AnyKind::CapabilityTable => Self::Capability(decode(digest, bytes)?),
            AnyKind::QualificationPolicy => Self::Policy(decode(digest, bytes)?),
            AnyKind::Scope => Self::Scope(decode(digest, bytes)?),
        };
        artifact.check()?;
        Ok(artifact)
    }

    /// `id@version`.
    #[must_use]
    pub fn reference(&self) -> String {
        reference(self.id(), self.version())
    }

    /// Name.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Definition(it) => &it.id,
            Self::Decision(it) => &it.id,
            Self::Capability(it) => &it.id,
            Self::Policy(it) => &it.id,
            Self::Scope(it) => &it.id,
        }
    }

    /// Version text.
    #[must_use]
    pub fn version(&self) -> &str {
        match self {
            Self::Definition(it) => &it.version,
            Self::Decision(it) => &it.version,
            Self::Capability(it) => &it.version,
            Self::Policy(it) => &it.version,
            Self::Scope(it) => &it.version,
        }
    }

    /// The entry kind, unless it is a policy that stands beside the entries.
    #[must_use]
    pub fn entry_kind(&self) -> Option<EntryKind> {
        match self {
            Self::Definition(it) => Some(it.kind),
            Self::Decision(it) => Some(it.kind),
            Self::Capability(_) | Self::Policy(_) | Self::Scope(_) => None,
        }
    }

    fn check(&self) -> Result<(), KnowledgeError> {
        let name = self.reference();
        name_is_plain(&name, self.id(), self.version())?;
        match self {
            Self::Definition(it) => definition(&name, it),
            Self::Decision(it) => crate::decision::check(&name, it),
            Self::Capability(it) => crate::policy::check_capability(&name, it),
            Self::Policy(it) => crate::policy::check_qualification(&name, it),
            Self::Scope(it) => crate::policy::check_scope(&name, it),
        }
    }
}

fn decode<T: serde::de::DeserializeOwned>(digest: &Digest, bytes: &[u8]) -> Result<T, KnowledgeError> {
    identity::decode::<T>(bytes, &Limits::new().with_max_bytes(MAX_BYTES))
        .map(identity::Checked::into_inner)
        .map_err(|error| KnowledgeError::Decode {
            digest: digest.to_string(),
            error,
        })
}

fn definition(name: &str, it: &Definition) -> Result<(), KnowledgeError> {
    rule(
        !it.rules.is_empty(),
        name,
        "a definition states at least one rule",
    )?;
    spoken(name, "statement", &it.statement)?;
    spoken(name, "authority", &it.authority)?;
    let basis = matches!(it.evidence_basis.as_str(), "PRIOR_ART" | "DOMAIN_CONVENTION");
    rule(
        basis,
        name,
        "a definition rests on PRIOR_ART or DOMAIN_CONVENTION",
    )?;
    for text in it.rules.iter().chain(&it.evidence).chain(&it.limitations) {
        spoken(name, "list of texts", text)?;
    }
    Ok(())
}

/// The word an enum has on the wire.
pub(crate) fn word<T: Serialize>(value: &T) -> String {
    let text = identity::canonical::to_vec(value).expect("a unit variant has a canonical text");
    String::from_utf8_lossy(&text).trim_matches('"').to_owned()
}

pub(crate) fn rule(holds: bool, reference: &str, text: &str) -> Result<(), KnowledgeError> {
    if holds {
        Ok(())
    } else {
        Err(KnowledgeError::invalid(reference, text))
    }
}

/// A text that says something.
pub(crate) fn spoken(reference: &str, member: &str, text: &str) -> Result<(), KnowledgeError> {
    rule(!text.trim().is_empty(), reference, &format!("{member} is empty"))
}

/// Names travel inside `id@version` and inside sentences.
pub(crate) fn name_is_plain(reference: &str, id: &str, version: &str) -> Result<(), KnowledgeError> {
    let plain = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && c != '@');
    rule(
        plain(id) && plain(version),
        reference,
        "id and version are ASCII without spaces and without `@`",
    )
}

pub(crate) fn increasing<T: Ord>(reference: &str, member: &str, items: &[T]) -> Result<(), KnowledgeError> {
    let sorted = items.windows(2).all(|pair| pair[0] < pair[1]);
    rule(sorted, reference, &format!("{member} stand in order, each once"))
}

pub(crate) fn sorted(reference: &str, member: &str, items: &[String]) -> Result<(), KnowledgeError> {
    for item in items {
        spoken(reference, member, item)?;
    }
    let sorted = items
        .windows(2)
        .all(|pair| utf16_cmp(&pair[0], &pair[1]) == Ordering::Less);
    rule(
        sorted,
        reference,
        &format!("{member} stand in order of UTF-16 code units, each once"),
    )
}

/// Whether a text is `YYYY-MM-DD`, a day that exists.
#[must_use]
pub fn is_date(text: &str) -> bool {
    crate::Date::parse(text).is_ok()
}
