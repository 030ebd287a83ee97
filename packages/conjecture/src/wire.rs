//! `ConjecturalProposalV1` as it is hashed and stored, and the draft that people write.

/// Version 1.
pub mod v1 {
    use evidence::wire::v1::EvidenceUse;
    use identity::{Digest, Finite, Identity};
    use investigation::wire::v2::ContextBody;
    use serde::{Deserialize, Serialize};
    use snapshot::NodeKind;
    use snapshot::wire::v1::SnapshotBody;

    /// What is supposed, by whom, about which snapshot, for which question.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ProposalBody {
        /// The one context it belongs to.
        pub context_id: Identity<ContextBody>,
        /// By element id, at most eight.
        pub elements: Vec<Element>,
        /// Where it came from; provenance only, trusted for nothing.
        pub generator: Generator,
        /// Why anybody should look at it.
        pub rationale: String,
        /// The one snapshot it belongs to.
        pub snapshot_id: Identity<SnapshotBody>,
    }

    /// Who or what supposed it.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Generator {
        /// The script or model that was run, by the digest of its bytes, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub artifact_digest: Option<Digest>,
        /// Kind.
        pub kind: GeneratorKind,
        /// Name.
        pub name: String,
        /// What of the generation cannot be had any more; nothing of it is needed to read the proposal.
        #[serde(default)]
        pub unavailable: Vec<String>,
        /// Version.
        pub version: String,
    }

    /// The closed kinds of generators.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum GeneratorKind {
        /// A person.
        Person,
        /// A script.
        Script,
        /// A model.
        Model,
    }

    /// One thing that is supposed.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Element {
        /// What must be so for it to hold; at least one, in the author's order.
        pub assumptions: Vec<String>,
        /// Receipts that speak against it, by tuple.
        pub contradicting: Vec<EvidenceUse>,
        /// What it rests on, sorted.
        pub depends_on: Vec<Dependency>,
        /// Name, unique in the proposal.
        pub element_id: String,
        /// What people call it.
        pub label: String,
        /// What is supposed.
        pub payload: Payload,
        /// How far from the data.
        pub status: Status,
        /// Receipts that speak for it, by tuple.
        pub supporting: Vec<EvidenceUse>,
        /// How uncertain it is, or why that is not known.
        pub uncertainty: Uncertainty,
    }

    /// How far from the data, nearest first; the order is that of propagation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Status {
        /// Filled in by a rule from values that are there.
        Imputed,
        /// Supposed to be so.
        Hypothesized,
        /// Supposed although it is not so.
        Counterfactual,
    }

    /// What an element rests on.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Dependency {
        /// Another element of the same proposal.
        Element {
            /// Its name.
            element_id: String,
        },
        /// A node of the snapshot.
        Node {
            /// The node.
            node_id: Identity<NodeKind>,
        },
    }

    /// What is supposed; closed, and each kind has a form in the scatter recipes.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Payload {
        /// A row that is not in the data: a value for each foreground variable, in their order.
        Value {
            /// The values.
            values: Vec<Quantity>,
        },
        /// A reference level of one foreground variable.
        Level {
            /// The level.
            value: Quantity,
        },
        /// A relation between two rows.
        Relation {
            /// Key of the one row.
            from_row: String,
            /// Key of the other.
            to_row: String,
        },
    }

    /// A number of a variable.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Quantity {
        /// The variable's node in the snapshot.
        pub node_id: Identity<NodeKind>,
        /// Unit, as the snapshot has it; absent where the snapshot has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub unit: Option<String>,
        /// The number, in that unit.
        pub value: Finite,
    }

    /// How uncertain an element is said to be.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Uncertainty {
        /// Stated by its author.
        Stated {
            /// Ranges of the payload's quantities, by node; empty where words must do.
            ranges: Vec<Range>,
            /// What the ranges are, or the uncertainty in words.
            text: String,
        },
        /// Not known.
        Unavailable {
            /// Why.
            reason: String,
        },
    }

    /// The range of one quantity; `lower <= value <= upper`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Range {
        /// Lower end, in the quantity's unit.
        pub lower: Finite,
        /// The quantity's node.
        pub node_id: Identity<NodeKind>,
        /// Upper end, in the quantity's unit.
        pub upper: Finite,
    }

    /// What people write: the same with column names for nodes and receipt names for evidence uses, bound to nothing yet.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Draft {
        /// In any order.
        pub elements: Vec<DraftElement>,
        /// Where it came from.
        pub generator: Generator,
        /// Why anybody should look at it.
        pub rationale: String,
    }

    /// One thing that is supposed, by names.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct DraftElement {
        /// What must be so for it to hold.
        pub assumptions: Vec<String>,
        /// Names of receipts that speak against it.
        #[serde(default)]
        pub contradicting: Vec<String>,
        /// What it rests on.
        #[serde(default)]
        pub depends_on: Vec<DraftDependency>,
        /// Name.
        pub element_id: String,
        /// What people call it.
        pub label: String,
        /// What is supposed.
        pub payload: DraftPayload,
        /// How far from the data.
        pub status: Status,
        /// Names of receipts that speak for it.
        #[serde(default)]
        pub supporting: Vec<String>,
        /// How uncertain it is, or why that is not known.
        pub uncertainty: DraftUncertainty,
    }

    /// What a drafted element rests on.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum DraftDependency {
        /// Another element.
        Element {
            /// Its name.
            element_id: String,
        },
        /// A foreground or grouping variable.
        Variable {
            /// The column.
            variable: String,
        },
    }

    /// What is supposed, by column names.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum DraftPayload {
        /// A row that is not in the data.
        Value {
            /// A value for each foreground variable, in any order.
            values: Vec<DraftQuantity>,
        },
        /// A reference level.
        Level {
            /// The level.
            value: DraftQuantity,
        },
        /// A relation between two rows.
        Relation {
            /// Key of the one row.
            from_row: String,
            /// Key of the other.
            to_row: String,
        },
    }

    /// A number of a column.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct DraftQuantity {
        /// Unit; must be the snapshot's.
        #[serde(default)]
        pub unit: Option<String>,
        /// The number.
        pub value: Finite,
        /// The column.
        pub variable: String,
    }

    /// How uncertain a drafted element is said to be.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum DraftUncertainty {
        /// Stated by its author.
        Stated {
            /// Ranges by column.
            #[serde(default)]
            ranges: Vec<DraftRange>,
            /// What the ranges are, or the uncertainty in words.
            text: String,
        },
        /// Not known.
        Unavailable {
            /// Why.
            reason: String,
        },
    }

    /// The range of one column's number.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct DraftRange {
        /// Lower end.
        pub lower: Finite,
        /// Upper end.
        pub upper: Finite,
        /// The column.
        pub variable: String,
    }
}
