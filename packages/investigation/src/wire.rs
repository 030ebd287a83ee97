//! Committed context as it is hashed and stored.

/// Version 2 (version 1 was amended before anything shipped).
pub mod v2 {
    use evidence::wire::v1::PinnedRef;
    use identity::{Fingerprint, Identity, SafeInteger};
    use serde::{Deserialize, Serialize};
    use snapshot::NodeKind;

    /// The committed context; see the decision, section 5.1 with its amendment.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ContextBody {
        /// Exact text of the investigation's name; never normalized.
        pub investigation_id: String,
        /// Stable node of the lineage graph; not a hash.
        pub node_id: String,
        /// Ordinal of the commit.
        pub context_revision: SafeInteger,
        /// Dataset.
        pub analytical_dataset_fingerprint: Fingerprint,
        /// Required; never defaulted.
        pub epistemic_purpose: EpistemicPurpose,
        /// The intent, or its legacy absence.
        pub intent: Intent,
        /// The perspective, or none.
        pub perspective: Option<Perspective>,
        /// Task, domain and accessibility scope, pinned; not an authorization.
        pub policy_scope_ref: PinnedRef,
    }

    /// What the embodiment is for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum EpistemicPurpose {
        /// Carries claims that rest on evidence.
        ClaimBearing,
        /// Explores; conjecture is allowed and marked.
        ExploratoryAbduction,
    }

    /// Intent, present or absent for legacy reasons.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(
        tag = "status",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Intent {
        /// The canonical intent.
        Present {
            /// The value.
            value: IntentValue,
        },
        /// A historical investigation that recorded none. Written with braces, because serde lets unknown members
        /// pass beside a tag without content.
        LegacyAbsent {},
    }

    /// `InvestigationIntentV1`: NFC, trimmed, empty becomes absent.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct IntentValue {
        /// 1.
        pub schema_version: SafeInteger,
        /// The question.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub research_question: Option<String>,
        /// The hypothesis.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hypothesis: Option<String>,
        /// Variables in the order stated; an empty list is not an absent one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub variables_of_interest: Option<Vec<String>>,
        /// The task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub current_task: Option<String>,
    }

    /// Perspective V1 after the decision: what stands in front, from where, compared with what.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Perspective {
        /// 1.
        pub schema_version: SafeInteger,
        /// Foreground variables in order: x, y, z for a volume.
        pub foreground: Vec<Foreground>,
        /// A categorical variable that groups, or none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub grouping: Option<Foreground>,
        /// `COMPARE`, `LOCATE`, `OVERVIEW`, `INSPECT`.
        pub viewpoint_purpose: String,
        /// Held constant, by node.
        pub held_constant: Vec<Identity<NodeKind>>,
        /// Existing comparison frame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub comparison_frame: Option<Identity<NodeKind>>,
        /// Existing temporal frame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub temporal_frame: Option<Identity<NodeKind>>,
    }

    /// A foreground variable: node of the snapshot and its kind.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Foreground {
        /// The `values` node of the rows source.
        pub node_id: Identity<NodeKind>,
        /// Column name, for people.
        pub variable: String,
        /// `QUANTITATIVE` or `CATEGORICAL`.
        pub kind: String,
    }

    /// The lineage graph: committed nodes and edges.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Lineage {
        /// 1.
        pub schema_version: SafeInteger,
        /// Investigation name.
        pub investigation_id: String,
        /// Committed contexts in order of commit.
        pub contexts: Vec<identity::Envelope<ContextBody>>,
        /// Edges in order of creation; acyclic.
        pub edges: Vec<LineageEdge>,
        /// Node that was active when captured.
        pub active_node_id: String,
    }

    /// `from` led to `to`.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct LineageEdge {
        /// Earlier node.
        pub from: String,
        /// Later node.
        pub to: String,
        /// `REVISES` or `BRANCHES_FROM`.
        pub relationship: String,
    }
}

/// The policy scope document.
pub mod scope {
    /// Version 1.
    pub mod v1 {
        use identity::{DeclaredSet, SafeInteger};
        use serde::Deserialize;

        /// Task, domain and accessibility scope of a context.
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct ScopeFile {
            /// 1.
            pub schema_version: SafeInteger,
            /// `SCOPE`.
            pub kind: String,
            /// Name.
            pub id: String,
            /// Version text.
            pub version: String,
            /// What it covers, in a sentence.
            pub statement: String,
            /// Viewpoint purposes it covers: `COMPARE`, `LOCATE`, `OVERVIEW`, `INSPECT`.
            pub tasks: Vec<String>,
            /// What people are to read under it, such as `COMPARE_RELATIVE`, sorted; decisions must cover these.
            pub reading_tasks: DeclaredSet<String>,
            /// The kind of data, as a word.
            pub domain: String,
            /// Needs that every embodiment must meet, sorted.
            pub accessibility: DeclaredSet<String>,
        }
    }
}
