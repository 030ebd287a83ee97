//! The decision context as it is printed for a proposer. It is written and never read back: what a proposer hands in is a
//! graph, and nothing else.

/// Version 1.
pub mod v1 {
    use evidence::wire::v1::{EvidenceUse, PinnedRef};
    use identity::{Digest, Envelope, Fingerprint, Finite, Identity, SafeInteger};
    use investigation::wire::v2::ContextBody;
    use knowledge::wire::v1::{Arrangement, DeviceCapability, DeviceClass, ManifestBody};
    use obligations::ObligationKind;
    use obligations::wire::v1::{Activation, Class, ObligationSetBody, Predicate};
    use representation::wire::v2::{Channel, GraphBody};
    use serde::Serialize;
    use snapshot::wire::v1::SnapshotBody;
    use snapshot::{NodeKind, SourceKind};

    /// Everything that is fixed before a candidate exists, and every closed table that a candidate is judged by.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct DecisionContext {
        /// 1.
        pub schema_version: SafeInteger,
        /// The dataset.
        pub dataset: Table,
        /// S: what is known.
        pub snapshot: Envelope<SnapshotBody>,
        /// C: what is asked.
        pub context: Envelope<ContextBody>,
        /// O: what must be kept.
        pub obligation_set: Envelope<ObligationSetBody>,
        /// O again, an obligation an entry, in words.
        pub obligations: Vec<Owed>,
        /// The pinned policies that took part.
        pub policies: Vec<PinnedPolicy>,
        /// K: the pinned knowledge.
        pub knowledge_manifest: Envelope<ManifestBody>,
        /// What each device class resolves.
        pub devices: Vec<DeviceCapability>,
        /// The channels.
        pub channels: Vec<ChannelRow>,
        /// The transforms.
        pub transforms: Vec<TransformRow>,
        /// The recipes of this program, which a graph may follow and need not.
        pub recipes: Vec<PinnedRef>,
        /// Which mappings people are known to read, or to misread, here. All others are UNVALIDATED: for studies alone.
        pub mappings: Vec<MappingRow>,
        /// Kinds of primitives.
        pub primitive_kinds: Vec<&'static str>,
        /// Placements, each with the kind that is drawn there.
        pub placements: Vec<PlacementRow>,
        /// The pair table of relations.
        pub relations: Vec<PairRow>,
        /// Other closed words.
        pub words: ClosedWords,
        /// The volume, in meters.
        pub volume: Volume,
        /// Colors and shapes of categories, in order.
        pub palette: Palette,
        /// Foreground variables in order, for x, y, z.
        pub foreground: Vec<AxisRow>,
        /// The grouping, when there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub grouping: Option<GroupingRow>,
        /// The routes that deferred details need; a primitive offers these and no others.
        pub routes: Vec<Activation>,
        /// Bounds on a submitted graph.
        pub bounds: Bounds,
        /// How identities are computed.
        pub identities: Vec<IdentityRow>,
        /// An empty graph with the exact identities, to be filled.
        pub graph: GraphBody,
    }

    /// The dataset.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Table {
        /// Name.
        pub name: String,
        /// Identity.
        pub fingerprint: Fingerprint,
        /// Rows.
        pub rows: u64,
        /// Columns in order.
        pub columns: Vec<String>,
    }

    /// One obligation.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Owed {
        /// Identity, for `carries`.
        pub obligation_id: Identity<ObligationKind>,
        /// How binding it is.
        pub class: Class,
        /// The predicate.
        pub predicate: Predicate,
        /// In a sentence.
        pub sentence: String,
        /// The rule it comes from: policy, version, rule.
        pub rule: String,
        /// What the rule says.
        pub rule_sentence: String,
        /// The source it is about.
        pub source_id: Identity<SourceKind>,
        /// The node it is about, when it is about one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub node_id: Option<Identity<NodeKind>>,
        /// Limitation codes that must be shown with it.
        pub limitations_to_expose: Vec<String>,
        /// Channels whose form carries it.
        pub channels: Vec<&'static str>,
        /// Property paths of nodes that carry it; empty when its own node does.
        pub paths: Vec<&'static str>,
        /// What a binding needs to carry it.
        pub demand: &'static str,
    }

    /// A pinned policy.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct PinnedPolicy {
        /// What it decides.
        pub decides: &'static str,
        /// Name, version, digest.
        pub pinned: PinnedRef,
        /// What it says, in a sentence.
        pub statement: String,
    }

    /// A channel.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ChannelRow {
        /// Word.
        pub channel: Channel,
        /// What it is.
        pub statement: &'static str,
        /// Digest of its definition, when the knowledge pins one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub digest: Option<Digest>,
        /// Transforms it takes.
        pub transforms: Vec<&'static str>,
        /// Predicates whose form it has.
        pub carries: Vec<Predicate>,
    }

    /// A transform, pinned as a binding must name it.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct TransformRow {
        /// As a binding names it.
        pub pinned: PinnedRef,
        /// Whether greater values always come out further along.
        pub keeps_order: bool,
        /// What it does.
        pub statement: String,
    }

    /// What is known of a mapping.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct MappingRow {
        /// Device class.
        pub device: DeviceClass,
        /// Channel.
        pub channel: Channel,
        /// Arrangement.
        pub arrangement: Arrangement,
        /// For which claim.
        pub predicate: Predicate,
        /// `QUALIFIED` or `CONTRAINDICATED`.
        pub standing: &'static str,
        /// By which decision.
        pub decision: String,
    }

    /// A placement.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct PlacementRow {
        /// Word.
        pub placement: &'static str,
        /// Kind that is drawn there.
        pub kind: &'static str,
    }

    /// A row of the pair table.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct PairRow {
        /// From.
        pub from: representation::wire::v2::PrimitiveKind,
        /// To.
        pub to: representation::wire::v2::PrimitiveKind,
        /// Relations there may be.
        pub relations: Vec<representation::wire::v2::Relation>,
    }

    /// Other closed words.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ClosedWords {
        /// Kinds of proposers.
        pub generated_by: Vec<&'static str>,
        /// Fidelities.
        pub fidelity: Vec<&'static str>,
        /// Order constraints.
        pub order_constraint: Vec<&'static str>,
        /// Kinds of domains.
        pub domain: Vec<&'static str>,
        /// Kinds of ranges.
        pub range: Vec<&'static str>,
    }

    /// The data volume, in meters in the stage frame.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Volume {
        /// Left and right.
        pub x: [Finite; 2],
        /// Floor and top.
        pub y: [Finite; 2],
        /// Back and front.
        pub z: [Finite; 2],
        /// Cap height of text that is bound to data.
        pub cap_height: Finite,
    }

    /// Colors and shapes.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Palette {
        /// sRGB.
        pub colors: Vec<&'static str>,
        /// Names.
        pub shapes: Vec<&'static str>,
    }

    /// A foreground variable.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct AxisRow {
        /// Channel along its axis.
        pub channel: &'static str,
        /// Column.
        pub variable: String,
        /// Its unit, when one is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub unit: Option<String>,
        /// Its node.
        pub node_id: Identity<NodeKind>,
        /// Its source.
        pub source_id: Identity<SourceKind>,
        /// Property path.
        pub property_path: String,
        /// Epistemic status.
        pub status: String,
        /// Evidence uses, to be copied unchanged.
        pub evidence_uses: Vec<EvidenceUse>,
        /// Least and greatest value.
        pub values: [Finite; 2],
        /// A domain with round ends that holds every value.
        pub domain: [Finite; 2],
        /// Limitation code of that domain, when it had to be widened.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub limitation: Option<&'static str>,
    }

    /// The grouping.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct GroupingRow {
        /// Column.
        pub variable: String,
        /// Its node.
        pub node_id: Identity<NodeKind>,
        /// Its source.
        pub source_id: Identity<SourceKind>,
        /// Property path.
        pub property_path: String,
        /// Epistemic status.
        pub status: String,
        /// Evidence uses, to be copied unchanged.
        pub evidence_uses: Vec<EvidenceUse>,
        /// Categories in the order of their codes.
        pub labels: Vec<String>,
    }

    /// Bounds.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Bounds {
        /// Most bytes of the text.
        pub bytes: usize,
        /// Most primitives.
        pub primitives: usize,
        /// Most edges.
        pub edges: usize,
        /// Most bindings.
        pub bindings: usize,
        /// Most characters of a primitive's name.
        pub name_characters: usize,
        /// Most categories that hue with shape tells apart.
        pub categories: usize,
    }

    /// How an identity is computed.
    #[derive(Clone, Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct IdentityRow {
        /// Member that holds it.
        pub member: &'static str,
        /// Tag.
        pub tag: &'static str,
        /// Rule.
        pub rule: &'static str,
    }
}
