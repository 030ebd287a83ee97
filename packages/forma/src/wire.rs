//! `FormaResult` record as hashed and stored; inert, grants nothing.

/// Version 1.
pub mod v1 {
    use conjecture::wire::v1::ProposalBody;
    use evidence::wire::v1::{EvidenceUse, PinnedRef};
    use identity::{Digest, Identity, SafeInteger};
    use investigation::wire::v2::ContextBody;
    use knowledge::wire::v1::{DeviceClass, ManifestBody, Mapping};
    use obligations::ObligationKind;
    use obligations::wire::v1::{Class, ObligationSetBody, Predicate};
    use plan::wire::v1::{Explanation, PlanBody};
    use representation::BindingKind;
    use representation::wire::v2::GraphBody;
    use serde::{Deserialize, Serialize};
    use snapshot::wire::v1::SnapshotBody;

    use crate::study::{StudyAuthorizationKind, StudyFreezeKind, StudyProtocolKind};

    /// The record of an admission.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ResultBody {
        /// Study authorization, when the use rests on one.
        pub authorization_reference: Option<String>,
        /// Backend digests by variant.
        pub backend_plan_digests: Vec<BackendDigest>,
        /// Compiler first, then transforms by id.
        pub compiler_and_transform_refs: Vec<PinnedRef>,
        /// What covers each obligation on each variant, by variant and obligation.
        pub coverage: Vec<Coverage>,
        /// Standing of every evidence use, by tuple.
        pub evidence_dispositions: Vec<EvidenceDisposition>,
        /// The plan's index.
        pub explanation_index: Vec<Explanation>,
        /// Obligations.
        pub fixed_obligation_set_id: Identity<ObligationSetBody>,
        /// Identities of everything that went in.
        pub input_commitments: InputCommitments,
        /// Knowledge.
        pub knowledge_manifest_id: Identity<ManifestBody>,
        /// Limitation codes, sorted.
        pub limitations: Vec<String>,
        /// Optional obligations left out, with the reason.
        pub omissions: Vec<Omission>,
        /// Standing of every binding on every variant, by variant and binding.
        pub perceptual_qualifications: Vec<PerceptualQualification>,
        /// Permitted use.
        pub permitted_use: PermittedUse,
        /// Plan.
        pub plan_id: Identity<PlanBody>,
        /// Variants refused for this device class or budget, with the refusal.
        pub refused_variants: Vec<RefusedVariant>,
        /// Bindings that resolved, sorted.
        pub resolved_binding_ids: Vec<Identity<BindingKind>>,
        /// The study's documents, when the use rests on one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub study: Option<StudyRef>,
    }

    /// The documents of the study that a study-only result rests on. Identities name what was agreed; digests name the
    /// canonical texts, which a package carries.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct StudyRef {
        /// Authorization.
        pub authorization_id: Identity<StudyAuthorizationKind>,
        /// Digest of its text.
        pub authorization_digest: Digest,
        /// Freeze.
        pub freeze_id: Identity<StudyFreezeKind>,
        /// Digest of its text.
        pub freeze_digest: Digest,
        /// Protocol.
        pub protocol_id: Identity<StudyProtocolKind>,
        /// Digest of its text.
        pub protocol_digest: Digest,
    }

    /// What went in.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct InputCommitments {
        /// Snapshot.
        pub snapshot_id: Identity<SnapshotBody>,
        /// Context.
        pub context_id: Identity<ContextBody>,
        /// Obligations.
        pub obligation_set_id: Identity<ObligationSetBody>,
        /// Graph.
        pub graph_id: Identity<GraphBody>,
        /// Conjectural proposals that it shows, sorted; none of them is evidence.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conjectural_proposal_ids: Vec<Identity<ProposalBody>>,
        /// Knowledge.
        pub knowledge_manifest_id: Identity<ManifestBody>,
        /// Policies by id: obligation, evidence, qualification, admission.
        pub policy_refs: Vec<PinnedRef>,
        /// Device asked for.
        pub device: DeviceClass,
        /// Use asked for.
        pub requested_use: PermittedUse,
    }

    /// Production or study.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum PermittedUse {
        /// May be shown as a claim.
        Production,
        /// Only inside one authorized study.
        StudyOnly,
    }

    /// Standing of one use when admitted.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct EvidenceDisposition {
        /// The use.
        pub evidence_use: EvidenceUse,
        /// `VALID` in an admitted result.
        pub disposition: String,
        /// Revision of the feed that said so.
        pub revision: SafeInteger,
        /// Existing claim disposition, `ELIGIBLE` in an admitted result.
        pub analytical_disposition: String,
    }

    /// Standing of one mapping for one claim on one variant.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct PerceptualQualification {
        /// Variant.
        pub variant: String,
        /// Binding.
        pub binding_id: Identity<BindingKind>,
        /// Mapping.
        pub mapping: Mapping,
        /// Claim carried, or none when the binding claims nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub claim: Option<Predicate>,
        /// `QUALIFIED`, `UNVALIDATED` or `CONTRAINDICATED`.
        pub qualification: String,
        /// Deciding entry by `id@version`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub decision: Option<String>,
        /// Whether production depends on it.
        pub required: bool,
    }

    /// What covers an obligation on a variant.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Coverage {
        /// Variant.
        pub variant: String,
        /// Obligation.
        pub obligation_id: Identity<ObligationKind>,
        /// Its class.
        pub class: Class,
        /// Its predicate.
        pub predicate: Predicate,
        /// `COVERED`, `DEFERRED` or `OMITTED`.
        pub status: String,
        /// Bindings that carry it.
        pub binding_ids: Vec<Identity<BindingKind>>,
        /// The plain sentence.
        pub sentence: String,
    }

    /// An optional obligation left out.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Omission {
        /// Variant.
        pub variant: String,
        /// Obligation.
        pub obligation_id: Identity<ObligationKind>,
        /// Why.
        pub reason: String,
    }

    /// Digest of a variant's backend plan.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct BackendDigest {
        /// Variant.
        pub variant: String,
        /// Digest.
        pub digest: Digest,
    }

    /// A variant that could not be made executable.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct RefusedVariant {
        /// Variant.
        pub variant: String,
        /// Why.
        pub refusal: refusal::wire::v1::Refusal,
    }
}
