//! `PerceptualEmbodimentPlanV1` with its nested spatial plan, as hashed and stored.

/// Version 1.
pub mod v1 {
    use std::collections::BTreeMap;

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
        /// Snapshot.
        pub snapshot_id: Identity<SnapshotBody>,
        /// Context.
        pub context_id: Identity<ContextBody>,
        /// Obligations.
        pub obligation_set_id: Identity<ObligationSetBody>,
        /// Graph that was compiled.
        pub graph_id: Identity<GraphBody>,
        /// Knowledge.
        pub knowledge_manifest_id: Identity<ManifestBody>,
        /// Compiler implementation.
        pub compiler_ref: PinnedRef,
        /// Bindings, by id.
        pub bindings: Vec<Binding>,
        /// Variants, by name.
        pub variants: Vec<Variant>,
        /// Every data-bearing property of every variant, by variant, element, property.
        pub explanation_index: Vec<Explanation>,
        /// Routes offered, sorted.
        pub routes: Vec<Activation>,
    }

    /// One device's form of the plan.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Variant {
        /// `desktop`, `standalone_headset` or `stereo_headset`.
        pub name: String,
        /// Device class it applies to.
        pub device: DeviceClass,
        /// Elements in the backend plan.
        pub element_count: SafeInteger,
        /// Marks drawn, all elements together.
        pub mark_count: SafeInteger,
        /// Channels used, sorted.
        pub channels: Vec<Channel>,
        /// Bytes of the instance buffers this variant uploads.
        pub memory_bytes: SafeInteger,
        /// Digest of the backend plan's canonical bytes.
        pub backend_digest: Digest,
        /// The backend plan.
        pub backend: SpatialPlan,
    }

    /// `SpatialEmbodimentPlanV1`: at most 1,024 elements of at most 64 scalar parameters.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct SpatialPlan {
        /// 1.
        pub schema_version: SafeInteger,
        /// Dataset.
        pub dataset_fingerprint: Fingerprint,
        /// Graph.
        pub graph_id: Identity<GraphBody>,
        /// Elements in drawing order.
        pub elements: Vec<Element>,
    }

    /// One element of the backend; `crate::element` documents the parameters of each primitive.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Element {
        /// Unique in the plan.
        pub id: String,
        /// Snapshot node it shows, when it shows one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub semantic_node_id: Option<Identity<NodeKind>>,
        /// Primitive it belongs to.
        pub representation_primitive_id: String,
        /// What is drawn.
        pub primitive: ElementKind,
        /// Parameters; keys and units in `crate::element`.
        pub parameters: BTreeMap<String, Scalar>,
    }

    /// What the backend draws.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum ElementKind {
        /// One mark a row of a leaf.
        Points,
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
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Explanation {
        /// Variant.
        pub variant: String,
        /// Element.
        pub element_id: String,
        /// Property of the element: a channel word.
        pub property: String,
        /// Binding.
        pub binding_id: Identity<BindingKind>,
        /// Primitive.
        pub primitive_id: String,
        /// Source.
        pub source_id: Identity<SourceKind>,
        /// Node.
        pub node_id: Identity<NodeKind>,
        /// Evidence uses: claim, receipt, profile, policy.
        pub evidence_uses: Vec<EvidenceUse>,
        /// Obligations it carries.
        pub carries: Vec<Identity<ObligationKind>>,
    }
}
