//! What the program trusts, opened: the knowledge table, the policies, the scopes and the feeds.

use std::collections::{BTreeMap, BTreeSet};

use evidence::wire::v1::PinnedRef;
use forma::DecisionStanding;
use identity::Digest;
use investigation::Scope;
use knowledge::wire::v1::{CapabilityTable, EntryKind, PolicyScope, QualificationPolicy};
use knowledge::{Date, KnowledgeError, Manifest, Table};
use obligations::Policy;

use crate::folder::Folder;
use crate::study::Studies;
use crate::wire::v1::{StatementKind, Subject};
use crate::{CustodyError, Feed, Freshness, Standing, Statement};

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

/// A decision that custody held and that counts no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lapsed {
    /// Its exact name and content.
    pub pin: PinnedRef,
    /// How it lapsed.
    pub standing: DecisionStanding,
}

/// The folder that was composed in, on its day.
#[derive(Clone, Debug)]
pub(crate) struct FolderView {
    pub(crate) folder: Folder,
    pub(crate) stale: Option<String>,
    /// What statements that are not counted would take back, and why they are not.
    pub(crate) doubts: Vec<(Subject, String)>,
    pub(crate) day: Date,
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
    freshness: Freshness,
    lapsed: BTreeMap<String, Lapsed>,
    studies: Studies,
    folder: Option<FolderView>,
}

impl Custody {
    pub(crate) fn assemble(
        table: Table,
        obligation_policy: Policy,
        scopes: Vec<Scope>,
        freshness: Freshness,
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
            freshness,
            lapsed: BTreeMap::new(),
            studies: Studies::default(),
            folder: None,
        })
    }

    /// This custody with a folder in it: another table with its manifest, one more feed, and what lapsed.
    pub(crate) fn joined(
        mut self,
        table: Table,
        feed: Option<Feed>,
        lapsed: BTreeMap<String, Lapsed>,
        added: Vec<(Digest, Vec<u8>)>,
        view: FolderView,
    ) -> Result<Self, CustodyError> {
        if let Some(feed) = feed {
            if let Some(held) = self.feeds.iter().find(|held| held.id() == feed.id()) {
                return Err(CustodyError::Fork {
                    held: held.id().to_owned(),
                    found: feed.id().to_owned(),
                    agreed: 0,
                });
            }
            self.feeds.push(feed);
        }
        self.manifest = table.manifest(&self.pins.capability, &self.pins.qualification_policy)?;
        self.table = table;
        self.lapsed = lapsed;
        self.artifacts.extend(added);
        self.folder = Some(view);
        Ok(self)
    }

    /// This custody with what its folder says of studies; their documents join the artifacts, for packages to carry.
    pub(crate) fn studying(mut self, studies: Studies) -> Self {
        let texts = studies.texts().map(|(digest, text)| (*digest, text.clone()));
        self.artifacts.extend(texts);
        self.studies = studies;
        self
    }

    /// What the folder says of studies.
    pub(crate) fn studies(&self) -> &Studies {
        &self.studies
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

    /// How old a source's last word may be.
    #[must_use]
    pub fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    /// The folder that is part of this custody, if one is.
    #[must_use]
    pub fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref().map(|view| &view.folder)
    }

    /// The day for which the folder was judged.
    #[must_use]
    pub fn day(&self) -> Option<Date> {
        self.folder.as_ref().map(|view| view.day)
    }

    /// Every statement of the folder in order, verified; each says whether it counts.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        self.folder().map_or(&[], Folder::statements)
    }

    /// A decision that was held and counts no more, by `id@version`.
    #[must_use]
    pub fn lapsed(&self, decision: &str) -> Option<&Lapsed> {
        self.lapsed.get(decision)
    }

    /// Every decision that was held and counts no more, by `id@version`.
    pub fn all_lapsed(&self) -> impl Iterator<Item = (&str, &Lapsed)> {
        self.lapsed.iter().map(|(name, lapsed)| (name.as_str(), lapsed))
    }

    /// Why the folder's word is too old to vouch for anything, when it is.
    pub(crate) fn stale(&self) -> Option<&str> {
        self.folder.as_ref()?.stale.as_deref()
    }

    /// Why nobody knows how a subject stands, when a statement that is not counted would take it back.
    pub(crate) fn doubt(&self, concerns: impl Fn(&Subject) -> bool) -> Option<&str> {
        let doubts = &self.folder.as_ref()?.doubts;
        let (_, why) = doubts.iter().find(|(subject, _)| concerns(subject))?;
        Some(why)
    }

    /// The revision of the folder at which a decision was signed; 0 for one that ships.
    pub(crate) fn decided_at(&self, decision: &str) -> u64 {
        let Some(pin) = self.table.pin(decision) else {
            return 0;
        };
        self.statements()
            .iter()
            .find(|statement| Self::is_entry(statement) && statement.body_digest() == pin.digest)
            .map_or(0, Statement::revision)
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
        let shipped = self.manifest.body().entries.len()
            - self.statements().iter().filter(|it| Self::is_entry(it)).count();
        let mut text = format!(
            "shipped decisions pinned in this program: {shipped} entries, digest {}; dispositions: {}; ",
            self.digest,
            feeds.join(", ")
        );
        match self.folder() {
            None => text.push_str("no signer"),
            Some(folder) => {
                let standing = folder.statements().iter().filter(|it| it.stands());
                let signers: BTreeSet<&str> = standing
                    .clone()
                    .flat_map(|it| it.signers().iter().map(|signer| signer.owner.as_str()))
                    .collect();
                let signers: Vec<&str> = signers.into_iter().collect();
                text.push_str(&format!(
                    "custody folder {} ({}) at revision {}: {} of {} statements count, signed by {}",
                    folder.path().display(),
                    folder.title(),
                    folder.revision(),
                    standing.count(),
                    folder.statements().len(),
                    if signers.is_empty() {
                        "nobody".to_owned()
                    } else {
                        signers.join(", ")
                    }
                ));
            }
        }
        text
    }

    /// Whether a statement's decision is an entry of the manifest.
    fn is_entry(statement: &Statement) -> bool {
        statement.stands()
            && matches!(
                statement.kind(),
                StatementKind::Qualification | StatementKind::Contraindication
            )
    }
}
