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

/// The policy file.
pub mod policy {
    /// Version 1.
    pub mod v1 {
        use evidence::wire::v1::PinnedRef;
        use identity::SafeInteger;
        use serde::Deserialize;

        use crate::wire::v1::{Activation, Class, Predicate};

        /// The closed policy: which meaning becomes which obligation.
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct PolicyFile {
            /// 1.
            pub schema_version: SafeInteger,
            /// Name.
            pub id: String,
            /// Version text.
            pub version: String,
            /// What it is for, in a sentence.
            pub statement: String,
            /// The policy scopes it covers, pinned.
            pub scopes: Vec<PinnedRef>,
            /// What becomes an obligation.
            pub rules: Vec<Rule>,
            /// What deliberately becomes none. Whatever neither list names is refused.
            pub silences: Vec<Silence>,
            /// Predicates that no rule derives yet; with those of the rules they are all sixteen.
            pub underived: Vec<Underived>,
        }

        /// One rule.
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct Rule {
            /// Family word, or `any`.
            pub family: String,
            /// Kind of property.
            pub property_kind: PropertyKind,
            /// Role in the perspective.
            pub role: RoleFilter,
            /// Purpose of the context.
            pub purpose: PurposeFilter,
            /// When it applies.
            pub condition: Condition,
            /// The predicate that must hold.
            pub predicate: Predicate,
            /// How binding it is.
            pub class: Class,
            /// Requirement profile of the evidence, or `null` when none is needed.
            pub required_profile: Option<String>,
            /// Limitation codes to show with it where the source states them; `*` alone means all.
            pub limitations_to_expose: Vec<String>,
            /// The route to a deferred detail; exactly for `PROGRESSIVE`.
            pub activation: Option<Activation>,
            /// What the rule says, for people.
            pub sentence: String,
        }

        /// A combination that becomes no obligation, with the reason.
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct Silence {
            /// Family word, or `any`.
            pub family: String,
            /// Kinds of property.
            pub property_kinds: Vec<PropertyKind>,
            /// Role in the perspective.
            pub role: RoleFilter,
            /// Why nothing is owed.
            pub reason: String,
        }

        /// A predicate that no rule derives yet.
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct Underived {
            /// The predicate.
            pub predicate: Predicate,
            /// Why.
            pub reason: String,
        }

        /// The closed kinds of property that a rule may be about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub enum PropertyKind {
            /// A source as a whole.
            Output,
            /// A source that was asked for and is not there.
            Coverage,
            /// Values of a column of numbers, row by row.
            QuantitativeValues,
            /// Values of a column of labels, row by row.
            CategoricalValues,
            /// The names of rows.
            RowKeys,
            /// How many rows were used, left out, in all.
            RowCounts,
            /// A relation between properties.
            Relation,
            /// A mean.
            Mean,
            /// The interval of a mean.
            MeanInterval,
            /// A standard deviation.
            StandardDeviation,
            /// How many values there are.
            Count,
            /// How many cells have no value.
            Missing,
            /// A least or greatest value.
            Extreme,
            /// A quantile.
            Quantile,
            /// A property that its available source could not supply.
            AbsentProperty,
            /// A number, text or interval that an analysis beyond rows and statistics found.
            Finding,
            /// Many values that such an analysis found, of which one is greater than another.
            FindingAmounts,
            /// Many values that such an analysis found, which name groups.
            FindingGroups,
            /// Many values that such an analysis found, and that are neither: intervals, places of a layout, ends of links.
            FindingValues,
        }

        /// What the perspective does with it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub enum RoleFilter {
            /// It stands in front, or it is the source of what stands in front.
            Foreground,
            /// It groups the rows.
            Grouping,
            /// It is held constant.
            HeldConstant,
            /// It is the comparison frame.
            ComparisonFrame,
            /// It is the temporal frame.
            TemporalFrame,
            /// The perspective does not name it.
            Background,
            /// Any of these.
            Any,
        }

        /// For which purpose a rule applies.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        pub enum PurposeFilter {
            /// Claims that rest on evidence.
            #[serde(rename = "CLAIM_BEARING")]
            ClaimBearing,
            /// Exploration.
            #[serde(rename = "EXPLORATORY_ABDUCTION")]
            ExploratoryAbduction,
            /// Both.
            #[serde(rename = "any")]
            Any,
        }

        /// What must hold of the property for a rule to apply.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub enum Condition {
            /// Nothing.
            Always,
            /// Its source states a limitation.
            LimitationsPresent,
            /// It is neither observed nor derived.
            Imputed,
        }
    }
}
