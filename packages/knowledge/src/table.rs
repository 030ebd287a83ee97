//! The closed local table: exact bytes by digest, names that resolve to one of them or refuse.

use std::collections::{BTreeMap, BTreeSet};

use evidence::wire::v1::PinnedRef;
use identity::Digest;

use crate::KnowledgeError;
use crate::artifact::{Artifact, reference};
use crate::manifest::{MAX_ENTRIES, Manifest};
use crate::wire::v1::{
    CapabilityTable, Decision, Definition, Entry, EntryKind, PolicyScope, QualificationPolicy,
};

/// A manifest's entries with its two policies, and as many scopes again.
const MAX_ARTIFACTS: usize = 2 * MAX_ENTRIES;

/// Artifacts by digest, and the one digest of each name. Closed once built: nothing is added or fetched later.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    artifacts: BTreeMap<Digest, Stored>,
    names: BTreeMap<String, Digest>,
    /// Decisions by kind and name: every question goes through them.
    decisions: BTreeMap<EntryKind, BTreeMap<String, Digest>>,
    /// Names that a decision of the kind replaces.
    replaced: BTreeMap<EntryKind, BTreeSet<String>>,
    /// Decisions that were held and count no more, by name, with how they lapsed. They decide nothing; a refusal names them.
    lapsed: BTreeMap<String, (Decision, String)>,
}

#[derive(Clone, Debug, PartialEq)]
struct Stored {
    bytes: Vec<u8>,
    content: Artifact,
}

impl Table {
    /// Builds the table from pinned bytes. An artifact that occurs twice is held once.
    ///
    /// # Errors
    /// [`KnowledgeError::Tampered`] when bytes do not hash to their digest, [`KnowledgeError::Decode`] or
    /// [`KnowledgeError::Invalid`] when they are no artifact, [`KnowledgeError::Ambiguous`] when two artifacts share
    /// a name, [`KnowledgeError::Bounds`] beyond 512 artifacts.
    pub fn from_artifacts<B: Into<Vec<u8>>>(
        artifacts: impl IntoIterator<Item = (Digest, B)>,
    ) -> Result<Self, KnowledgeError> {
        let mut table = Self {
            artifacts: BTreeMap::new(),
            names: BTreeMap::new(),
            decisions: BTreeMap::new(),
            replaced: BTreeMap::new(),
            lapsed: BTreeMap::new(),
        };
        for (digest, bytes) in artifacts {
            table.hold(digest, bytes.into())?;
        }
        Ok(table)
    }

    /// Remembers decisions that were held and count no more, each with how it lapsed (`was withdrawn at revision 3`), so
    /// that a refusal can say so. They never decide anything.
    ///
    /// # Errors
    /// As [`Self::from_artifacts`], and [`KnowledgeError::Invalid`] for an artifact that is no decision.
    pub fn with_lapsed<B: Into<Vec<u8>>>(
        mut self,
        lapsed: impl IntoIterator<Item = (Digest, B, String)>,
    ) -> Result<Self, KnowledgeError> {
        for (digest, bytes, how) in lapsed {
            let artifact = Artifact::read(&digest, &bytes.into())?;
            let name = artifact.reference();
            let Artifact::Decision(decision) = artifact else {
                return Err(KnowledgeError::invalid(&name, "only a decision lapses"));
            };
            self.lapsed.insert(name, (decision, how));
        }
        Ok(self)
    }

    /// Decisions that were held and count no more, by name, with how they lapsed.
    pub fn lapsed(&self) -> impl Iterator<Item = (&str, &Decision, &str)> {
        self.lapsed
            .iter()
            .map(|(name, (decision, how))| (name.as_str(), decision, how.as_str()))
    }

    /// Builds the table that a manifest and some scopes need, asking `fetch` for each artifact by digest; for a
    /// package that carries its own closure.
    ///
    /// # Errors
    /// [`KnowledgeError::Absent`] when `fetch` has nothing, otherwise as [`Self::from_artifacts`] and
    /// [`Self::closes`].
    pub fn gather(
        manifest: &Manifest,
        scopes: &[PinnedRef],
        mut fetch: impl FnMut(&Digest) -> Option<Vec<u8>>,
    ) -> Result<Self, KnowledgeError> {
        let body = manifest.body();
        let entries = body.entries.iter().map(|entry| {
            (
                reference(&entry.id, &entry.version),
                Some(entry.kind),
                entry.content_digest,
            )
        });
        let policies = [&body.capability_table_ref, &body.qualification_policy_ref]
            .into_iter()
            .chain(scopes)
            .map(|pin| (reference(&pin.id, &pin.version), None, pin.digest));
        let mut found = Vec::new();
        for (name, kind, digest) in entries.chain(policies) {
            let bytes = fetch(&digest).ok_or(KnowledgeError::Absent {
                reference: name,
                kind,
            })?;
            found.push((digest, bytes));
        }
        let table = Self::from_artifacts(found)?;
        table.closes(manifest)?;
        for scope in scopes {
            table.scope(scope)?;
        }
        Ok(table)
    }

    fn hold(&mut self, digest: Digest, bytes: Vec<u8>) -> Result<(), KnowledgeError> {
        let found = Digest::of(&bytes);
        if found != digest {
            return Err(KnowledgeError::Tampered {
                reference: digest.to_string(),
                pinned: digest.to_string(),
                found: found.to_string(),
            });
        }
        if self.artifacts.contains_key(&digest) {
            return Ok(());
        }
        if self.artifacts.len() == MAX_ARTIFACTS {
            return Err(KnowledgeError::Bounds {
                what: "knowledge artifacts",
                found: MAX_ARTIFACTS + 1,
                most: MAX_ARTIFACTS,
            });
        }
        let content = Artifact::read(&digest, &bytes)?;
        let name = content.reference();
        if self.names.insert(name.clone(), digest).is_some() {
            return Err(KnowledgeError::Ambiguous { reference: name });
        }
        if let Artifact::Decision(it) = &content {
            self.decisions.entry(it.kind).or_default().insert(name, digest);
            self.replaced
                .entry(it.kind)
                .or_default()
                .extend(it.supersedes.clone());
        }
        self.artifacts.insert(digest, Stored { bytes, content });
        Ok(())
    }

    /// The artifact with exactly this name, version and digest.
    ///
    /// # Errors
    /// [`KnowledgeError::Absent`] when the name and version are not here, [`KnowledgeError::Tampered`] when they are
    /// and the content is another.
    pub fn find(&self, id: &str, version: &str, digest: &Digest) -> Result<&Artifact, KnowledgeError> {
        let name = reference(id, version);
        let Some(held) = self.names.get(&name) else {
            return Err(KnowledgeError::Absent {
                reference: name,
                kind: None,
            });
        };
        match self.artifacts.get(held) {
            Some(stored) if held == digest => Ok(&stored.content),
            _ => Err(KnowledgeError::Tampered {
                reference: name,
                pinned: digest.to_string(),
                found: held.to_string(),
            }),
        }
    }

    /// The artifact behind a manifest entry, which must say what the entry says of it.
    ///
    /// # Errors
    /// As [`Self::find`]; [`KnowledgeError::Disagrees`] when kind, authority, basis, evidence, limits or
    /// predecessor differ.
    pub fn resolve(&self, entry: &Entry) -> Result<&Artifact, KnowledgeError> {
        let artifact = self
            .find(&entry.id, &entry.version, &entry.content_digest)
            .map_err(|error| match error {
                KnowledgeError::Absent { reference, .. } => KnowledgeError::Absent {
                    reference,
                    kind: Some(entry.kind),
                },
                other => other,
            })?;
        let disagree = |member| KnowledgeError::Disagrees {
            reference: artifact.reference(),
            member,
        };
        let (kind, authority, basis, evidence, limitations, supersedes) = match artifact {
            Artifact::Definition(it) => (
                it.kind,
                &it.authority,
                &it.evidence_basis,
                &it.evidence,
                &it.limitations,
                &None,
            ),
            Artifact::Decision(it) => (
                it.kind,
                &it.decided_by,
                &it.evidence_basis,
                &it.evidence,
                &it.limitations,
                &it.supersedes,
            ),
            Artifact::Capability(_) | Artifact::Policy(_) | Artifact::Scope(_) => {
                return Err(disagree("kind"));
            }
        };
        let members = [
            ("kind", kind == entry.kind),
            ("authorityRef", authority == &entry.authority_ref),
            ("evidenceBasis", basis == &entry.evidence_basis),
            ("evidenceRefs", evidence == &entry.evidence_refs),
            ("limitations", limitations == &entry.limitations),
            ("supersedesRef", supersedes == &entry.supersedes_ref),
        ];
        match members.into_iter().find(|(_, same)| !same) {
            Some((member, _)) => Err(disagree(member)),
            None => Ok(artifact),
        }
    }

    /// Whether every entry and policy of a manifest resolves here, exactly once.
    ///
    /// # Errors
    /// The first that does not, as [`Self::resolve`] and [`Self::find`].
    pub fn closes(&self, manifest: &Manifest) -> Result<(), KnowledgeError> {
        for entry in &manifest.body().entries {
            self.resolve(entry)?;
        }
        self.capability(&manifest.body().capability_table_ref)?;
        self.policy(&manifest.body().qualification_policy_ref)?;
        Ok(())
    }

    /// The capability table with exactly this pin.
    ///
    /// # Errors
    /// As [`Self::find`]; [`KnowledgeError::Disagrees`] when the artifact is of another kind.
    pub fn capability(&self, pin: &PinnedRef) -> Result<&CapabilityTable, KnowledgeError> {
        match self.find(&pin.id, &pin.version, &pin.digest)? {
            Artifact::Capability(it) => Ok(it),
            other => Err(KnowledgeError::Disagrees {
                reference: other.reference(),
                member: "kind",
            }),
        }
    }

    /// The qualification policy with exactly this pin.
    ///
    /// # Errors
    /// As [`Self::capability`].
    pub fn policy(&self, pin: &PinnedRef) -> Result<&QualificationPolicy, KnowledgeError> {
        match self.find(&pin.id, &pin.version, &pin.digest)? {
            Artifact::Policy(it) => Ok(it),
            other => Err(KnowledgeError::Disagrees {
                reference: other.reference(),
                member: "kind",
            }),
        }
    }

    /// The scope with exactly this pin.
    ///
    /// # Errors
    /// As [`Self::capability`].
    pub fn scope(&self, pin: &PinnedRef) -> Result<&PolicyScope, KnowledgeError> {
        match self.find(&pin.id, &pin.version, &pin.digest)? {
            Artifact::Scope(it) => Ok(it),
            other => Err(KnowledgeError::Disagrees {
                reference: other.reference(),
                member: "kind",
            }),
        }
    }

    /// The pin of an artifact by its `id@version`, whatever its kind.
    #[must_use]
    pub fn pin(&self, name: &str) -> Option<PinnedRef> {
        let digest = self.names.get(name)?;
        let content = &self.artifacts.get(digest)?.content;
        Some(PinnedRef {
            id: content.id().to_owned(),
            version: content.version().to_owned(),
            digest: *digest,
        })
    }

    /// Every artifact with its digest, by digest.
    pub fn iter(&self) -> impl Iterator<Item = (&Digest, &Artifact)> {
        self.artifacts
            .iter()
            .map(|(digest, stored)| (digest, &stored.content))
    }

    /// The exact bytes of every artifact, by digest; what a package carries.
    pub fn bytes(&self) -> impl Iterator<Item = (&Digest, &[u8])> {
        self.artifacts
            .iter()
            .map(|(digest, stored)| (digest, stored.bytes.as_slice()))
    }

    /// How many artifacts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.artifacts.len()
    }

    /// Whether the table holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.artifacts.is_empty()
    }

    /// Definitions of one kind, by `id@version`.
    pub fn definitions(&self, kind: EntryKind) -> impl Iterator<Item = (&str, &Definition)> {
        self.named().filter_map(move |(name, artifact)| match artifact {
            Artifact::Definition(it) if it.kind == kind => Some((name, it)),
            _ => None,
        })
    }

    /// Decisions of one kind that no other decision of this table replaces, by `id@version`.
    pub fn decisions(&self, kind: EntryKind) -> impl Iterator<Item = (&str, &Decision)> {
        let of_kind = self.decisions.get(&kind).into_iter().flatten();
        of_kind.filter_map(move |(name, digest)| match &self.artifacts.get(digest)?.content {
            Artifact::Decision(it) if !self.is_replaced(name, kind) => Some((name.as_str(), it)),
            _ => None,
        })
    }

    /// Only a decision of the same kind replaces one: a qualification never retires a known harm.
    fn is_replaced(&self, name: &str, kind: EntryKind) -> bool {
        self.replaced.get(&kind).is_some_and(|names| names.contains(name))
    }

    fn named(&self) -> impl Iterator<Item = (&str, &Artifact)> {
        self.names
            .iter()
            .filter_map(|(name, digest)| Some((name.as_str(), &self.artifacts.get(digest)?.content)))
    }
}
