//! Obligations as they are hashed and stored.

/// Version 1.
pub mod v1 {
    use evidence::wire::v1::{EvidenceUse, PinnedRef};
    use identity::{Identity, SafeInteger};
    use investigation::wire::v2::ContextBody;
    use serde::{Deserialize, Serialize};
    use snapshot::wire::v1::SnapshotBody;
    use snapshot::{NodeKind, SourceKind};

    use crate::ObligationKind;

    /// Everything an honest picture must keep, fixed before any picture is proposed.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ObligationSetBody {
        /// The snapshot it is about.
        pub snapshot_id: Identity<SnapshotBody>,
        /// The context it was derived for.
        pub context_id: Identity<ContextBody>,
        /// The pinned policy that was applied.
        pub policy_ref: PinnedRef,
        /// By id, no id twice.
        pub obligations: Vec<Obligation>,
    }

    /// One obligation.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Obligation {
        /// `H(semantic-obligation-v1, this record without id)`.
        pub id: Identity<ObligationKind>,
        /// What it is about.
        pub semantic_source_ref: SemanticRef,
        /// Property path or relation type.
        pub property_or_relation: String,
        /// How binding it is.
        pub class: Class,
        /// Which closed predicate must hold.
        pub requirement_predicate_ref: PredicateRef,
        /// Evidence behind it, by full tuple.
        pub evidence_use_refs: Vec<EvidenceUse>,
        /// Limitation codes that must be shown with it, sorted.
        pub limitations_to_expose: Vec<String>,
        /// The route for a deferred detail.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub activation: Option<Activation>,
    }

    /// A node or, for whole outputs, a source.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct SemanticRef {
        /// Source.
        pub source_id: Identity<SourceKind>,
        /// Node, when the obligation is about one property.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub node_id: Option<Identity<NodeKind>>,
    }

    /// Class of an obligation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Class {
        /// Every executable variant covers it.
        MustPreserve,
        /// The overview may defer it behind a working route.
        Progressive,
        /// May be omitted with a record.
        Optional,
    }

    /// The closed predicates, version 1.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Predicate {
        /// Greater stays greater.
        Order,
        /// Ratios can be read.
        Ratio,
        /// Differences can be read.
        Difference,
        /// Which row a mark is.
        Identity,
        /// Which group a row belongs to.
        Membership,
        /// Which things are related.
        Relation,
        /// What came before what.
        Sequence,
        /// The unit is stated.
        Units,
        /// How many rows stand behind it.
        Support,
        /// What is missing is stated.
        Missingness,
        /// How uncertain it is.
        Uncertainty,
        /// Whether it is exact.
        Approximation,
        /// What it can't say.
        Limitation,
        /// That something asked for is not there.
        Unavailability,
        /// That more can be asked for.
        DetailAvailable,
        /// Observed, derived, imputed or conjectured.
        EpistemicStatus,
    }

    /// Predicate with version.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct PredicateRef {
        /// The predicate.
        pub predicate: Predicate,
        /// 1.
        pub version: SafeInteger,
    }

    /// The NIL route that brings a deferred detail.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Activation {
        /// NIL verb, such as `EXPLAIN`.
        pub verb: String,
        /// What a person does, in a sentence.
        pub sentence: String,
    }
}
