//! `PerceptualEmbodimentPlanV1` with its nested spatial plan, as hashed and stored.
//!
//! Members are declared in the order of the canonical text, so that writing it moves nothing.

/// Version 1.
pub mod v1 {
    use std::cmp::Ordering;
    use std::collections::BTreeMap;

    use conjecture::wire::v1::{ProposalBody, Status};
    use evidence::wire::v1::{EvidenceUse, PinnedRef};
    use identity::{Digest, Fingerprint, Finite, Identity, SafeInteger};
    use investigation::wire::v2::ContextBody;
    use knowledge::wire::v1::{DeviceClass, ManifestBody};
    use obligations::ObligationKind;
    use obligations::wire::v1::{Activation, ObligationSetBody};
    use representation::BindingKind;
    use representation::wire::v2::{Binding, Channel, GraphBody};
    use serde::{Deserialize, Serialize};
    use snapshot::wire::v1::SnapshotBody;
    use snapshot::{NodeKind, SourceKind};

    /// The plan.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct PlanBody {
        /// Bindings, by id.
        pub bindings: Vec<Binding>,
        /// Compiler implementation.
        pub compiler_ref: PinnedRef,
        /// Every property of every variant that shows conjecture, by variant, element, property: none of them rests on
        /// evidence, and none stands in the explanation index.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conjecture_index: Vec<Supposition>,
        /// Context.
        pub context_id: Identity<ContextBody>,
        /// Every data-bearing property of every variant, by variant, element, property.
        pub explanation_index: Vec<Explanation>,
        /// Graph that was compiled.
        pub graph_id: Identity<GraphBody>,
        /// Knowledge.
        pub knowledge_manifest_id: Identity<ManifestBody>,
        /// Obligations.
        pub obligation_set_id: Identity<ObligationSetBody>,
        /// Routes offered, sorted.
        pub routes: Vec<Activation>,
        /// Snapshot.
        pub snapshot_id: Identity<SnapshotBody>,
        /// Variants, by name.
        pub variants: Vec<Variant>,
    }

    /// One device's form of the plan.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Variant {
        /// The backend plan.
        pub backend: SpatialPlan,
        /// Digest of the backend plan's canonical bytes.
        pub backend_digest: Digest,
        /// Channels used, sorted.
        pub channels: Vec<Channel>,
        /// Device class it applies to.
        pub device: DeviceClass,
        /// Elements in the backend plan.
        pub element_count: SafeInteger,
        /// Marks drawn, all elements together.
        pub mark_count: SafeInteger,
        /// Bytes of the instance buffers this variant uploads.
        pub memory_bytes: SafeInteger,
        /// `desktop`, `standalone_headset` or `stereo_headset`.
        pub name: String,
    }

    /// `SpatialEmbodimentPlanV1`: at most 1,024 elements of at most 64 scalar parameters.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct SpatialPlan {
        /// Dataset.
        pub dataset_fingerprint: Fingerprint,
        /// Elements in drawing order.
        pub elements: Vec<Element>,
        /// Graph.
        pub graph_id: Identity<GraphBody>,
        /// 1.
        pub schema_version: SafeInteger,
    }

    /// One element of the backend; `crate::element` documents the parameters of each primitive.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Element {
        /// Unique in the plan.
        pub id: String,
        /// Parameters; keys and units in `crate::element`.
        pub parameters: BTreeMap<String, Scalar>,
        /// What is drawn.
        pub primitive: ElementKind,
        /// Primitive it belongs to.
        pub representation_primitive_id: String,
        /// Snapshot node it shows, when it shows one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub semantic_node_id: Option<Identity<NodeKind>>,
        /// Conjecture it shows, when it shows one; then it looks like no data.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub supposed: Option<Supposed>,
    }

    /// An element of a conjectural proposal.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Supposed {
        /// Its name in the proposal.
        pub element_id: String,
        /// The proposal.
        pub proposal_id: Identity<ProposalBody>,
    }

    /// Property -> binding -> primitive -> supposed element -> status. There is no receipt at its end.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Supposition {
        /// Variant.
        pub variant: String,
        /// Element of the backend.
        pub element_id: String,
        /// Property of the element: a channel word.
        pub property: String,
        /// Binding.
        pub binding_id: Identity<BindingKind>,
        /// Primitive.
        pub primitive_id: String,
        /// Property path of the supposed element.
        pub property_path: String,
        /// Its status.
        pub status: Status,
        /// What is supposed.
        pub supposed: Supposed,
    }

    /// What the backend draws.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum ElementKind {
        /// One mark a row of a leaf.
        Points,
        /// One cuboid a row of a leaf.
        Boxes,
        /// A line through rows of a leaf.
        Path,
        /// One line a row of a leaf.
        Links,
        /// A flat quad.
        Surface,
        /// A line segment.
        Trajectory,
        /// One symbol, as in a legend.
        Glyph,
        /// A line of text.
        Label,
    }

    /// A scalar parameter.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    pub enum Scalar {
        /// Number.
        Number(Finite),
        /// Text.
        Text(String),
        /// Yes or no.
        Flag(bool),
    }

    /// Property -> binding -> primitive -> source -> claim, receipt, profile.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Explanation {
        /// Binding.
        pub binding_id: Identity<BindingKind>,
        /// Obligations it carries.
        pub carries: Vec<Identity<ObligationKind>>,
        /// Element.
        pub element_id: String,
        /// Evidence uses: claim, receipt, profile, policy.
        pub evidence_uses: Vec<EvidenceUse>,
        /// Node.
        pub node_id: Identity<NodeKind>,
        /// Primitive.
        pub primitive_id: String,
        /// Property of the element: a channel word.
        pub property: String,
        /// Source.
        pub source_id: Identity<SourceKind>,
        /// Variant.
        pub variant: String,
    }

    impl Ord for Explanation {
        /// By variant, element and property, which name an entry; then by what it says.
        fn cmp(&self, other: &Self) -> Ordering {
            let named = (&self.variant, &self.element_id, &self.property);
            let says = |it: &Self| (it.binding_id, it.source_id, it.node_id);
            named
                .cmp(&(&other.variant, &other.element_id, &other.property))
                .then_with(|| says(self).cmp(&says(other)))
                .then_with(|| self.primitive_id.cmp(&other.primitive_id))
                .then_with(|| self.evidence_uses.cmp(&other.evidence_uses))
                .then_with(|| self.carries.cmp(&other.carries))
        }
    }

    impl PartialOrd for Explanation {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }
}
