//! What the program trusts, opened: the knowledge table, the policies, the scopes and the feeds.

use std::collections::BTreeMap;

use evidence::wire::v1::PinnedRef;
use identity::Digest;
use investigation::Scope;
use knowledge::wire::v1::{CapabilityTable, EntryKind, PolicyScope, QualificationPolicy};
use knowledge::{KnowledgeError, Manifest, Table};
use obligations::Policy;

use crate::{CustodyError, Feed, Standing};

/// Everything pinned that a decision is made under, by reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedRefs {
    /// Which obligations are fixed.
    pub obligation_policy: PinnedRef,
    /// The scope for general use.
    pub scope: PinnedRef,
    /// What devices resolve.
    pub capability: PinnedRef,
    /// Which uses a standing permits.
    pub qualification_policy: PinnedRef,
    /// Transforms by id.
    pub transforms: BTreeMap<String, PinnedRef>,
    /// Recipes by id.
    pub recipes: BTreeMap<String, PinnedRef>,
    /// The compiler of this program.
    pub compiler: PinnedRef,
}

/// What the program trusts. Made only from bytes that hash to their pins ([`crate::Shipped::open`]); a feed is taken
/// only as the continuation of the one at hand.
#[derive(Clone, Debug)]
pub struct Custody {
    table: Table,
    manifest: Manifest,
    capability: CapabilityTable,
    obligation_policy: Policy,
    scopes: Vec<Scope>,
    pins: PinnedRefs,
    feeds: Vec<Feed>,
    artifacts: BTreeMap<Digest, Vec<u8>>,
    digest: Digest,
}

impl Custody {
    pub(crate) fn assemble(
        table: Table,
        obligation_policy: Policy,
        scopes: Vec<Scope>,
        feed: Feed,
        artifacts: BTreeMap<Digest, Vec<u8>>,
        digest: Digest,
    ) -> Result<Self, CustodyError> {
        let general = scopes.first().map(|scope| scope.pinned().clone());
        let scope = general.ok_or_else(|| CustodyError::Missing {
            path: crate::shipped::SCOPE.to_owned(),
        })?;
        for known in obligation_policy.scopes() {
            table.scope(known)?;
        }
        let pin = |name: &str| {
            table.pin(name).ok_or_else(|| KnowledgeError::Absent {
                reference: name.to_owned(),
                kind: None,
            })
        };
        let by_id = |kind| {
            table
                .definitions(kind)
                .filter_map(|(name, definition)| Some((definition.id.clone(), table.pin(name)?)))
                .collect()
        };
        let pins = PinnedRefs {
            obligation_policy: obligation_policy.pinned().clone(),
            scope,
            capability: pin("nemosyne:policy/capability@1")?,
            qualification_policy: pin("nemosyne:policy/qualification@1")?,
            transforms: by_id(EntryKind::Transform),
            recipes: by_id(EntryKind::Recipe),
            compiler: forma::compiler_ref(),
        };
        let manifest = table.manifest(&pins.capability, &pins.qualification_policy)?;
        let capability = table.capability(&pins.capability)?.clone();
        Ok(Self {
            table,
            manifest,
            capability,
            obligation_policy,
            scopes,
            pins,
            feeds: vec![feed],
            artifacts,
            digest,
        })
    }

    /// The closed knowledge table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The manifest of everything in it.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What devices resolve.
    #[must_use]
    pub fn capability(&self) -> &CapabilityTable {
        &self.capability
    }

    /// Which uses a standing permits, and what legible text carries.
    ///
    /// # Errors
    /// None: the policy was resolved when custody opened.
    pub fn qualification_policy(&self) -> Result<&QualificationPolicy, KnowledgeError> {
        self.table.policy(&self.pins.qualification_policy)
    }

    /// Which obligations are fixed.
    #[must_use]
    pub fn obligation_policy(&self) -> &Policy {
        &self.obligation_policy
    }

    /// The scope for general use, for a context to commit to.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scopes[0]
    }

    /// Every scope that ships, the general one first.
    #[must_use]
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// What a context's scope says, by its exact pin.
    ///
    /// # Errors
    /// [`KnowledgeError::Absent`] for a scope that does not ship, [`KnowledgeError::Tampered`] for another content.
    pub fn scope_of(&self, pin: &PinnedRef) -> Result<&PolicyScope, KnowledgeError> {
        self.table.scope(pin)
    }

    /// Everything pinned, by reference.
    #[must_use]
    pub fn pins(&self) -> &PinnedRefs {
        &self.pins
    }

    /// The exact bytes of a shipped file, for a package to carry.
    #[must_use]
    pub fn artifact(&self, digest: &Digest) -> Option<&[u8]> {
        self.artifacts.get(digest).map(Vec::as_slice)
    }

    /// Every shipped file by digest.
    pub fn artifacts(&self) -> impl Iterator<Item = (&Digest, &[u8])> {
        self.artifacts
            .iter()
            .map(|(digest, bytes)| (digest, bytes.as_slice()))
    }

    /// The disposition feeds, the program's own first.
    #[must_use]
    pub fn feeds(&self) -> &[Feed] {
        &self.feeds
    }

    /// The program's own disposition feed.
    #[must_use]
    pub fn feed(&self) -> &Feed {
        &self.feeds[0]
    }

    /// Takes a newer state of the feed with the same name.
    ///
    /// # Errors
    /// [`CustodyError::Decode`] or [`CustodyError::Invalid`] for bytes that are no feed, [`CustodyError::Rollback`]
    /// for an older state, [`CustodyError::Fork`] for one that does not continue the feed at hand.
    pub fn with_feed(mut self, bytes: &[u8]) -> Result<Self, CustodyError> {
        let newer = Feed::from_bytes(bytes)?;
        let place = self
            .feeds
            .iter()
            .position(|feed| feed.id() == newer.id())
            .unwrap_or(0);
        self.feeds[place] = self.feeds[place].advance(newer)?;
        Ok(self)
    }

    /// Adds a second source. Where two sources disagree nobody is believed, so a source can only take permission
    /// away, never give what the others do not.
    ///
    /// # Errors
    /// As [`Self::with_feed`]; [`CustodyError::Fork`] for a source of a name that is already here.
    pub fn with_source(mut self, bytes: &[u8]) -> Result<Self, CustodyError> {
        let other = Feed::from_bytes(bytes)?;
        if self.feeds.iter().any(|feed| feed.id() == other.id()) {
            return Err(CustodyError::Fork {
                held: other.id().to_owned(),
                found: other.id().to_owned(),
                agreed: 0,
            });
        }
        self.feeds.push(other);
        Ok(self)
    }

    /// How a knowledge decision or policy of the table stands by each feed that speaks of it.
    pub(crate) fn standings(&self, pin: &PinnedRef) -> impl Iterator<Item = (&Feed, Standing)> {
        self.feeds
            .iter()
            .map(|feed| (feed, feed.decision(&pin.id, &pin.version, &pin.digest)))
    }

    /// Digest over the paths and digests of everything that ships.
    #[must_use]
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// Who is trusted, in words, for `verify`.
    #[must_use]
    pub fn trust_statement(&self) -> String {
        let feeds: Vec<String> = self
            .feeds
            .iter()
            .map(|feed| format!("{} at revision {}", feed.id(), feed.revision()))
            .collect();
        format!(
            "shipped decisions pinned in this program: {} entries, digest {}; dispositions: {}; no signer",
            self.manifest.body().entries.len(),
            self.digest,
            feeds.join(", ")
        )
    }
}
