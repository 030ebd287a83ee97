//! What an opened package gives: sealed values of the recorded decision, tables, links and exact bytes.

use conjecture::Proposal;
use dataset::Recipe;
use evidence::EvidenceEnvelope;
use forma::FormaRecord;
use identity::{Digest, Identity};
use investigation::Context;
use knowledge::{Manifest as KnowledgeManifest, Table};
use obligations::{ObligationSet, Policy};
use plan::Plan;
use representation::Graph;
use snapshot::Snapshot;

use crate::contents::History;
use crate::error::PackageError;
use crate::links::{Active, active};
use crate::members::{DATASET, artifact_name};
use crate::open::Opened;
use crate::wire::v4::{
    ArtifactRef, Derivation, Event, GenerationRecord, Identities, InvestigationKind, Manifest, Role, Session,
};

impl Opened {
    fn active(&self) -> Active<'_> {
        active(&self.contents).expect("an opened package's active decision resolved")
    }

    /// The manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The identities of the recorded decision.
    #[must_use]
    pub fn identities(&self) -> &Identities {
        &self.manifest.identities
    }

    /// The V4 digest.
    #[must_use]
    pub fn investigation_digest(&self) -> Identity<InvestigationKind> {
        self.manifest.investigation_digest
    }

    /// The import recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.contents.recipe
    }

    /// The nested V3 projection.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.contents.session
    }

    /// The ledger of what was done.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.contents.events
    }

    /// The receipts with their recorded uses.
    #[must_use]
    pub fn receipts(&self) -> &EvidenceEnvelope {
        &self.contents.receipts
    }

    /// The committed contexts and their lineage.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.contents.history
    }

    /// S of the recorded decision.
    ///
    /// # Panics
    /// Never, and so for the other values of the decision: opening resolved it.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        self.active().snapshot
    }

    /// C of the recorded decision.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.active().context
    }

    /// O of the recorded decision, as it was written down; replay derives it anew before anything rests on it.
    #[must_use]
    pub fn obligations(&self) -> &ObligationSet {
        self.active().obligations
    }

    /// G of the recorded decision.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        self.active().graph
    }

    /// The conjectural proposals that the recorded result shows, by id; what they say is no evidence.
    #[must_use]
    pub fn proposals(&self) -> Vec<Proposal> {
        let shown = &self.contents.links.conjectural_proposal_refs;
        let proposals = self.contents.proposals.iter();
        proposals
            .filter(|proposal| shown.contains(&proposal.id()))
            .cloned()
            .collect()
    }

    /// K of the recorded decision.
    #[must_use]
    pub fn knowledge(&self) -> &KnowledgeManifest {
        self.active().manifest
    }

    /// The artifacts that K names, with the scopes of every context.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.closure.table
    }

    /// The obligation policy that the package carries; whether it is one the program pins is custody's to say.
    #[must_use]
    pub fn obligation_policy(&self) -> &Policy {
        &self.closure.policy
    }

    /// Protocol, freeze and authorization of the study that the recorded result rests on, when it rests on one. Whether
    /// anybody stands behind them is custody's to say.
    #[must_use]
    pub fn study(&self) -> Option<&study::Documents> {
        self.closure.study.as_ref()
    }

    /// The recorded result. A record that says ADMITTED is text: nothing here executes it.
    #[must_use]
    pub fn record(&self) -> &FormaRecord {
        self.active().record
    }

    /// The recorded plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        self.active().plan
    }

    /// The recorded variant.
    #[must_use]
    pub fn active_variant(&self) -> &str {
        &self.contents.links.active_variant
    }

    /// Every recorded result, the active one among them, by id.
    #[must_use]
    pub fn results(&self) -> &[FormaRecord] {
        &self.contents.results
    }

    /// Every recorded plan, by id.
    #[must_use]
    pub fn plans(&self) -> &[Plan] {
        &self.contents.plans
    }

    /// What the recorded result was adapted from, when it was.
    #[must_use]
    pub fn derived_from(&self) -> Option<&Derivation> {
        self.contents.links.derived_from.as_ref()
    }

    /// How the recorded graph came about.
    #[must_use]
    pub fn generation_record(&self) -> &GenerationRecord {
        &self.contents.links.generation_record_ref
    }

    /// Every artifact with its role, by digest.
    #[must_use]
    pub fn artifacts(&self) -> &[ArtifactRef] {
        self.contents.links.artifacts.as_slice()
    }

    /// The digests of the bulk values.
    pub fn leaves(&self) -> impl Iterator<Item = Digest> {
        self.artifacts()
            .iter()
            .filter(|artifact| artifact.role == Role::Leaf)
            .map(|artifact| artifact.digest)
    }

    /// The digest of the rows that marks draw: the bulk values of the analysis whose properties the perspective names, or
    /// of the first row projection where it names none.
    #[must_use]
    pub fn rows(&self) -> Option<Digest> {
        let snapshot = self.snapshot().body();
        let perspective = self.context().body().perspective.as_ref();
        let in_front = perspective.and_then(|perspective| perspective.foreground.first());
        let shown =
            in_front.and_then(|asked| snapshot.nodes.iter().find(|node| node.node_id == asked.node_id));
        let mut sources = snapshot.sources.iter();
        let source = match shown {
            Some(node) => sources.find(|source| source.source_id == node.source_id),
            None => sources.find(|source| source.family == kernels::ROWS),
        };
        source.and_then(|source| source.leaf_ref)
    }

    /// The exact bytes of an artifact, at most `max` of them.
    ///
    /// # Errors
    /// As [`Opened::member`].
    pub fn artifact(&self, digest: &Digest, max: usize) -> Result<Vec<u8>, PackageError> {
        self.member(&artifact_name(digest), max)
    }

    /// The exact imported bytes, at most `max` of them.
    ///
    /// # Errors
    /// As [`Opened::member`].
    pub fn dataset_raw(&self, max: usize) -> Result<Vec<u8>, PackageError> {
        self.member(DATASET, max)
    }
}
