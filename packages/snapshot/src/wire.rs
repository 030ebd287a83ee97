//! `SemanticSnapshotV1` as it is hashed and stored.

/// Version 1.
pub mod v1 {
    use evidence::wire::v1::{EvidenceUse, PinnedRef};
    use identity::{Digest, Fingerprint, Finite, Identity, SafeInteger};
    use kernels::wire::v1::{Exclusion, Request};
    use serde::{Deserialize, Serialize};

    use crate::{NodeKind, RelationKind, SourceKind};

    /// The closed body. All lists are declared sets in the order the authority decision states (4.2).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct SnapshotBody {
        /// Dataset that was analyzed.
        pub analytical_dataset_fingerprint: Fingerprint,
        /// Kernel that analyzed it.
        pub kernel_version: String,
        /// Words used for producer ids and property paths.
        pub semantic_vocabulary: PinnedRef,
        /// The projection that made this body.
        pub normalizer: PinnedRef,
        /// What was asked for and whether it is there; by family, then request digest.
        pub coverage: Vec<Coverage>,
        /// By source id.
        pub sources: Vec<Source>,
        /// By node id.
        pub nodes: Vec<Node>,
        /// By relation id.
        pub relations: Vec<Relation>,
        /// By code, then source id.
        pub limitations: Vec<Limitation>,
    }

    /// A requested family and its standing.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Coverage {
        /// Family word.
        pub family: String,
        /// Digest of the exact request.
        pub analytical_request_digest: Digest,
        /// `AVAILABLE`, `UNAVAILABLE` or `REFUSED`.
        pub status: String,
    }

    /// One analytical output with its evidence.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Source {
        /// `H(semantic-source-v1, this record without sourceId)`.
        pub source_id: Identity<SourceKind>,
        /// Family word.
        pub family: String,
        /// The exact request.
        pub request: Request,
        /// Digest of the exact request.
        pub analytical_request_digest: Digest,
        /// What the authority supplied; absent when it supplied nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub provenance: Option<Provenance>,
        /// Digest of the analytical content; present exactly when available.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub analytical_content_ref: Option<Digest>,
        /// Digest of the bulk leaf, when the content has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub leaf_ref: Option<Digest>,
        /// Digests of bulk values beside the leaf, in the order of the content, such as the links of a graph.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub further_leaf_refs: Vec<Digest>,
        /// Evidence, by full tuple.
        pub evidence_uses: Vec<EvidenceUse>,
        /// Standing.
        pub state: State,
    }

    /// Method and contracts of an output.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Provenance {
        /// Method name.
        pub method: String,
        /// Method version.
        pub method_version: String,
        /// Parameters in producer order.
        pub parameters: Vec<(String, String)>,
        /// Seed, when stochastic.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub seed: Option<SafeInteger>,
        /// Normalization contract; `none` is said, not implied.
        pub normalization: String,
        /// Missing value contract.
        pub missingness: String,
        /// Sampling contract; `none` is said, not implied.
        pub sampling: String,
        /// `EXACT`, `BINNED`, `SAMPLED`, `ESTIMATED` or `BOUNDED`.
        pub approximation: String,
        /// Rows in the dataset.
        pub total_rows: SafeInteger,
        /// Rows used.
        pub rows_used: SafeInteger,
        /// Rows left out, by reason.
        pub excluded: Vec<Exclusion>,
        /// What the output keeps.
        pub preserves: Vec<String>,
        /// What it gives up.
        pub loses: Vec<String>,
    }

    /// Standing of a source or node.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(
        tag = "status",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum State {
        /// There.
        Available {},
        /// Asked for and not there.
        Unavailable {
            /// Why.
            reason: String,
        },
        /// Its owner refused.
        Refused {
            /// The owner's reason.
            owning_reason: String,
        },
    }

    /// One semantic property.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Node {
        /// `H(semantic-node-v1, {sourceId, producerSemanticId, propertyPath})`.
        pub node_id: Identity<NodeKind>,
        /// Its source.
        pub source_id: Identity<SourceKind>,
        /// Stable producer name, such as `column:body_mass_g` or `projection`.
        pub producer_semantic_id: String,
        /// Property, such as `values`, `mean`, `rowsExcluded`.
        pub property_path: String,
        /// What kind of value it is.
        pub descriptor: Descriptor,
        /// The value, when it is small and available; bulk values are in the source's leaf.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub value: Option<Value>,
        /// `OBSERVED`, `DERIVED` or `IMPUTED`.
        pub epistemic_status: String,
        /// Standing.
        pub state: State,
    }

    /// Label, type, unit and frame of a property.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Descriptor {
        /// As people say it: the column name as written.
        pub label: String,
        /// `number`, `string`, `boolean`, `vector`, `interval`.
        pub value_type: String,
        /// Unit text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub unit: Option<String>,
        /// Standing of the unit: `inferred`, `declared`, `confirmed`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub unit_status: Option<String>,
        /// Measurement scale, such as `ratio`, `nominal`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scale: Option<String>,
        /// Frame of reference, when there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub frame: Option<String>,
    }

    /// A small value.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    pub enum Value {
        /// A number in the descriptor's unit.
        Number(Finite),
        /// Text.
        Text(String),
        /// An interval, lower and upper.
        Interval(Finite, Finite),
    }

    /// A supported relation between two nodes, with the source that is the authority for it.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Relation {
        /// `H(semantic-relation-v1, {type, sourceNodeId, targetNodeId, sourceId})`.
        pub relation_id: Identity<RelationKind>,
        /// `ROW_ALIGNED`: the i-th values belong to one row. The vocabulary is closed.
        #[serde(rename = "type")]
        pub relation_type: String,
        /// From.
        pub source_node_id: Identity<NodeKind>,
        /// To.
        pub target_node_id: Identity<NodeKind>,
        /// Authority.
        pub source_id: Identity<SourceKind>,
    }

    /// A typed limitation.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Limitation {
        /// Closed word, such as `ROWS_EXCLUDED_MISSING`, `UNIT_INFERRED`, `INDEPENDENCE_UNTESTED`.
        pub code: String,
        /// Its source.
        pub source_id: Identity<SourceKind>,
        /// The sentence people read.
        pub description: String,
    }
}
