//! How the content of a package is written down.

/// Format version 4.
pub mod v4 {
    use conjecture::wire::v1::ProposalBody;
    use evidence::wire::v1::{PinnedRef, ReceiptEnvelope};
    use forma::wire::v1::ResultBody;
    use identity::{DeclaredSet, Digest, Envelope, Fingerprint, Identity, Kind, SafeInteger, SetKey};
    use investigation::wire::v2::ContextBody;
    use knowledge::wire::v1::ManifestBody as KnowledgeBody;
    use obligations::wire::v1::ObligationSetBody;
    use plan::wire::v1::PlanBody;
    use representation::wire::v2::{GeneratedBy, GraphBody};
    use serde::{Deserialize, Serialize};
    use snapshot::wire::v1::SnapshotBody;

    pub use crate::container::ledger::wire::v1::{DeflatedRecord, MemberRecord};

    /// The version that a manifest of this format states.
    pub const FORMAT_VERSION: u32 = 4;
    /// The algorithm of the investigation digest, which is also the tag that is hashed.
    pub const DIGEST_ALGORITHM: &str = "sha256-canonical-investigation-v4";
    /// The algorithm text of the nested V3 projection. A manifest that carries it is another dialect.
    pub const SESSION_ALGORITHM: &str = "sha256-canonical-investigation-v3";
    /// The algorithm of the dataset fingerprint.
    pub const DATASET_ALGORITHM: &str = "sha256-canonical-dataset-v1";
    /// The name of the software that writes this format.
    pub const SOFTWARE: &str = "nemosyne";

    /// Marks the investigation digest: what the V4 digest names.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum InvestigationKind {}

    impl Kind for InvestigationKind {
        const TAG: &'static str = DIGEST_ALGORITHM;
    }

    /// Marks the identity of a manifest, computed with `manifestId` left out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ManifestKind {}

    impl Kind for ManifestKind {
        const TAG: &'static str = "package-manifest-v4";
    }

    /// `manifest.json`: every other member by length and digest, and the identities that are the recorded decision.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Manifest {
        /// 4.
        pub format_version: SafeInteger,
        /// [`DIGEST_ALGORITHM`].
        pub digest_algorithm: String,
        /// The digest that commits all meaning of the package.
        pub investigation_digest: Identity<InvestigationKind>,
        /// Every member but the manifest, sorted by UTF-16 code units of the names.
        pub members: DeclaredSet<MemberRecord>,
        /// The recorded decision.
        pub identities: Identities,
        /// Who wrote it.
        pub software: Software,
        /// The identity of all the above.
        pub manifest_id: Identity<ManifestKind>,
    }

    /// The identities of the active decision.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Identities {
        /// The dataset.
        pub dataset_fingerprint: Fingerprint,
        /// [`DATASET_ALGORITHM`].
        pub dataset_identity_algorithm: String,
        /// S.
        pub snapshot_id: Identity<SnapshotBody>,
        /// C.
        pub context_id: Identity<ContextBody>,
        /// O.
        pub obligation_set_id: Identity<ObligationSetBody>,
        /// G.
        pub graph_id: Identity<GraphBody>,
        /// K.
        pub knowledge_manifest_id: Identity<KnowledgeBody>,
        /// The plan.
        pub plan_id: Identity<PlanBody>,
        /// The admitted result.
        pub result_id: Identity<ResultBody>,
    }

    /// The program that made the content. No clock, no host, no user.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Software {
        /// [`SOFTWARE`].
        pub name: String,
        /// Version of the program.
        pub version: String,
        /// Version of the kernel that computed the analyses.
        pub kernel_version: String,
        /// The compiler of the active plan.
        pub compiler: PinnedRef,
    }

    /// `investigation/session.json`: the V3 semantic projection, an unchanged nested component.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Session {
        /// 3.
        pub schema_version: SafeInteger,
        /// [`SESSION_ALGORITHM`].
        pub algorithm: String,
        /// The dataset that was analyzed.
        pub dataset_fingerprint: Fingerprint,
        /// The dataset as it was imported; the same in this format's first slice.
        pub immutable_dataset_fingerprint: Fingerprint,
        /// The kernel of the receipts.
        pub kernel_version: String,
        /// Version and size of the analyzed dataset.
        pub analytical_state: AnalyticalState,
        /// SHA-256 of the canonical text of each ledger event, in order.
        pub event_hashes: Vec<Fingerprint>,
        /// SHA-256 of the canonical text of each analysis content, in order of analysis.
        pub result_hashes: Vec<Fingerprint>,
        /// Empty: structures are not recorded yet.
        pub structure_hashes: Vec<Fingerprint>,
        /// Empty: observations are not recorded yet.
        pub observation_hashes: Vec<Fingerprint>,
        /// Empty: findings are not recorded yet.
        pub finding_hashes: Vec<Fingerprint>,
        /// Empty: annotations are not recorded yet.
        pub annotation_hashes: Vec<Fingerprint>,
        /// Empty: there is no discovery store.
        pub discovery_episode_hashes: Vec<Fingerprint>,
        /// Empty: semantic commands join the ledger later.
        pub nil_outcome_hashes: Vec<Fingerprint>,
        /// The receipts, verbatim, and the digest of their member.
        pub governed_evidence: GovernedEvidence,
    }

    /// The dataset as analyzed.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct AnalyticalState {
        /// 1.
        pub dataset_version: SafeInteger,
        /// Its identity.
        pub dataset_fingerprint: Fingerprint,
        /// Rows.
        pub row_count: SafeInteger,
        /// Columns.
        pub column_count: SafeInteger,
    }

    /// The V3 projection's evidence member.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct GovernedEvidence {
        /// The envelope's value.
        pub envelope: ReceiptEnvelope,
        /// SHA-256 of the exact bytes of `investigation/evidence-receipts.json`.
        pub member_digest: Fingerprint,
    }

    /// One line of `investigation/commands.log`, which is a canonical JSON array of them.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Event {
        /// Strictly consecutive from 0.
        pub sequence: SafeInteger,
        /// What was done.
        pub kind: EventKind,
        /// What came of it, as identity text.
        pub subject: String,
        /// By what or from what: see [`EventKind`].
        pub detail: String,
    }

    /// What the ledger knows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum EventKind {
        /// A dataset was imported: its fingerprint, by the recipe's identity.
        Load,
        /// A kernel answered: the digest of the content, for the digest of the request.
        Analyze,
        /// A snapshot was normalized, by the normalizer; or obligations were fixed, by the policy: `id@version`.
        Derive,
        /// A context was committed, at a node.
        Commit,
        /// A conjectural proposal was put forward, by the name and version of its generator.
        Suppose,
        /// A graph was proposed: by a recipe (`id@version`), by the bytes that were submitted (`submitted`, digest), or
        /// by the author's name.
        Propose,
        /// A result was admitted, for a use.
        Admit,
        /// The active result was adapted, from another result: an explicit act, never the old result.
        Adapt,
    }

    /// `investigation/forma.json`: tables of immutable values, each under its identity, and what is active.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Forma {
        /// 1.
        pub envelope_version: SafeInteger,
        /// Snapshots by id.
        pub snapshots: Vec<Envelope<SnapshotBody>>,
        /// Obligation sets by id.
        pub obligation_sets: Vec<Envelope<ObligationSetBody>>,
        /// Conjectural proposals by id; none where nothing is supposed.
        pub proposals: Vec<Envelope<ProposalBody>>,
        /// Representation graphs by id.
        pub graphs: Vec<Envelope<GraphBody>>,
        /// Knowledge manifests by id.
        pub manifests: Vec<Envelope<KnowledgeBody>>,
        /// Admitted results by id.
        pub results: Vec<Envelope<ResultBody>>,
        /// Plans by id.
        pub plans: Vec<Envelope<PlanBody>>,
        /// The active context, which stands in `investigation/graph.json`.
        pub context_ref: Identity<ContextBody>,
        /// The proposals that the active result shows, by id; empty where it shows none.
        pub conjectural_proposal_refs: Vec<Identity<ProposalBody>>,
        /// Digest of the canonical text of the active plan's bindings.
        pub epistemic_bindings_ref: Digest,
        /// How the active graph came about.
        pub generation_record_ref: GenerationRecord,
        /// Whether a picture is captured: not yet.
        pub static_capture: StaticCapture,
        /// The active result.
        pub active_result_id: Identity<ResultBody>,
        /// The active variant of its plan.
        pub active_variant: String,
        /// What the active result was adapted from, when it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub derived_from: Option<Derivation>,
        /// Every artifact by digest, each with the one role it is needed in.
        pub artifacts: DeclaredSet<ArtifactRef>,
    }

    /// Who or what proposed the active graph, and what of that can't be had any more.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct GenerationRecord {
        /// As the graph says of itself.
        pub generated_by: GeneratedBy,
        /// How the graph came to the door, as the program that wrote the package saw it.
        pub origin: Origin,
        /// Artifacts of the generation that were never captured; none of them is needed for replay.
        pub unavailable: Vec<String>,
        /// The conjecture that this decision answers with evidence of its own, when it answers one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub promoted_from: Option<PromotedFrom>,
    }

    /// A conjecture of an earlier decision. It stays what it was: its proposal is not part of this package.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct PromotedFrom {
        /// The element.
        pub element_id: String,
        /// Its proposal.
        pub proposal_id: Identity<ProposalBody>,
    }

    /// How a graph came to the door.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Origin {
        /// A recipe of the program proposed it in the same run.
        Recipe {},
        /// It was submitted from outside. Whatever it says of where it came from is its own claim, believed by nobody.
        Submitted {
            /// SHA-256 of the exact bytes that were submitted.
            digest: Digest,
            /// How many they were.
            bytes: u64,
        },
    }

    /// A captured picture. Captured ones come with a later slice of the same version and are refused here.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(
        tag = "status",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum StaticCapture {
        /// No picture.
        None {
            /// Why.
            reason: String,
        },
    }

    /// Lineage of a compatible adaptation.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Derivation {
        /// The investigation digest of the package it was adapted from.
        pub investigation_digest: Identity<InvestigationKind>,
        /// The result it was adapted from.
        pub result_id: Identity<ResultBody>,
        /// In what the new result differs, in sentences.
        pub differences: Vec<String>,
    }

    /// One artifact, in `artifacts/` under the hexadecimal digits of its digest.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ArtifactRef {
        /// SHA-256 of the exact bytes.
        pub digest: Digest,
        /// What it is needed as.
        pub role: Role,
        /// Bytes.
        pub length: u64,
    }

    impl SetKey for ArtifactRef {
        fn set_key(&self) -> String {
            self.digest.to_string()
        }
    }

    /// What an artifact is needed as.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Role {
        /// The content of an analysis.
        Content,
        /// Its bulk values.
        Leaf,
        /// An entry of a knowledge manifest.
        Knowledge,
        /// Obligation policy, scope, qualification policy, capability table.
        Policy,
        /// Protocol, freeze or authorization of the study that a result rests on.
        Study,
    }

    /// What the V4 digest commits: the V3 projection, every member by length and digest, the decision, the software.
    /// How members are compressed is not part of it.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Commitment<'a> {
        /// 4.
        pub schema_version: SafeInteger,
        /// The nested V3 projection.
        pub session: &'a Session,
        /// Every member but the manifest.
        pub members: Vec<CommittedMember<'a>>,
        /// The recipe.
        pub import_recipe_id: Identity<dataset::wire::v1::RecipeBody>,
        /// The decision.
        pub identities: &'a Identities,
        /// The software.
        pub software: &'a Software,
    }

    /// One member as the V4 digest commits it.
    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct CommittedMember<'a> {
        /// Name.
        pub name: &'a str,
        /// Length of the content.
        pub bytes: u64,
        /// SHA-256 of the content.
        pub sha256: Digest,
    }
}
