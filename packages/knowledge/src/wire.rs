//! The knowledge manifest and the content of its entries.

/// Version 1.
pub mod v1 {
    use evidence::wire::v1::PinnedRef;
    use identity::{Digest, SafeInteger};
    use obligations::wire::v1::Predicate;
    use representation::wire::v2::Channel;
    use serde::{Deserialize, Serialize};

    /// `FormaKnowledgeManifestV1`: captured once a decision.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ManifestBody {
        /// By kind, id, version.
        pub entries: Vec<Entry>,
        /// The capability table of devices and channels.
        pub capability_table_ref: PinnedRef,
        /// The policy that says which uses a qualification permits.
        pub qualification_policy_ref: PinnedRef,
    }

    /// One entry; its content is resolved from the closed local table by digest.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Entry {
        /// Kind.
        pub kind: EntryKind,
        /// Name.
        pub id: String,
        /// Version text.
        pub version: String,
        /// Digest of the entry's artifact.
        pub content_digest: Digest,
        /// Who owns it.
        pub authority_ref: String,
        /// Where it holds, in words.
        pub scope: String,
        /// `PRIOR_ART`, `DOMAIN_CONVENTION`, `HUMAN_JUDGMENT` or `CONTROLLED_STUDY`.
        pub evidence_basis: String,
        /// Citations.
        pub evidence_refs: Vec<String>,
        /// Limits.
        pub limitations: Vec<String>,
        /// Contraindications by `id@version`.
        pub contraindication_refs: Vec<String>,
        /// Qualification by `id@version`, when the entry has one.
        pub qualification_ref: Option<String>,
        /// What it replaces, by `id@version`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub supersedes_ref: Option<String>,
    }

    /// The closed kinds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum EntryKind {
        /// A transform implementation.
        Transform,
        /// A channel.
        Channel,
        /// A recipe.
        Recipe,
        /// A scoped decision that a mapping is qualified.
        Qualification,
        /// A known harm.
        Contraindication,
    }

    /// The artifact behind a transform, channel or recipe entry.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Definition {
        /// `TRANSFORM`, `CHANNEL` or `RECIPE`.
        pub kind: EntryKind,
        /// Name.
        pub id: String,
        /// Version.
        pub version: String,
        /// What it does, in a sentence.
        pub statement: String,
        /// Exact rules, in order; the program's implementation is tested against them.
        pub rules: Vec<String>,
        /// Who owns it.
        pub authority: String,
        /// `PRIOR_ART` or `DOMAIN_CONVENTION`.
        pub evidence_basis: String,
        /// Citations.
        pub evidence: Vec<String>,
        /// Limits.
        pub limitations: Vec<String>,
    }

    /// The artifact behind a qualification or contraindication: one scoped decision.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Decision {
        /// `QUALIFICATION` or `CONTRAINDICATION`.
        pub kind: EntryKind,
        /// Name.
        pub id: String,
        /// Version.
        pub version: String,
        /// The decision in a sentence.
        pub statement: String,
        /// Which mappings.
        pub mappings: Vec<Mapping>,
        /// For which predicates. Empty means any, in a contraindication; a qualification names them.
        pub claims: Vec<Predicate>,
        /// For which tasks: `COMPARE_RELATIVE`, `READ_VALUE`, `TRACE_PATH`, …; empty means any.
        pub tasks: Vec<String>,
        /// On which device classes; empty means any.
        pub devices: Vec<DeviceClass>,
        /// Most marks it covers, where the evidence has such a bound.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub max_marks: Option<SafeInteger>,
        /// Which population, in words.
        pub population: String,
        /// Qualification: which accessibility needs it covers; empty means that none is. Contraindication: under
        /// which needs it holds; empty means always.
        pub accessibility: Vec<String>,
        /// Permitted use: `PRODUCTION` when qualified, `STUDY_ONLY` when contraindicated (as a declared control).
        pub permitted_use: String,
        /// `PRIOR_ART`, `DOMAIN_CONVENTION`, `HUMAN_JUDGMENT` or `CONTROLLED_STUDY`.
        pub evidence_basis: String,
        /// Date of the decision, `YYYY-MM-DD`.
        pub decided_on: String,
        /// Who decided.
        pub decided_by: String,
        /// Citations it rests on.
        pub evidence: Vec<String>,
        /// Limits, read with the decision.
        pub limitations: Vec<String>,
        /// 1 for the first revision.
        pub revision: SafeInteger,
        /// What it replaces, by `id@version`; what is replaced no longer decides.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub supersedes: Option<String>,
    }

    /// A channel in an arrangement.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Mapping {
        /// Channel.
        pub channel: Channel,
        /// Arrangement.
        pub arrangement: Arrangement,
    }

    /// How marks stand to the scale they are read against.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Arrangement {
        /// On a plane, against a common aligned scale.
        AlignedCommonScale,
        /// Free in a volume, depth included.
        FreeVolume,
        /// Per mark, no scale (hue, shape).
        PerMark,
        /// Words on a board or label.
        Board,
    }

    /// Device classes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum DeviceClass {
        /// A flat monitor.
        DesktopMonitor,
        /// A headset on a PC.
        PcvrHeadset,
        /// A headset by itself.
        StandaloneHeadset,
    }

    /// Kinds of the policies that stand beside the entries.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum PolicyKind {
        /// What each device class resolves.
        CapabilityTable,
        /// Which uses a standing permits, and what needs no standing.
        QualificationPolicy,
        /// For which tasks, domain and needs a context asks.
        Scope,
    }

    /// What each device class resolves; an asset pinned by digest.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct CapabilityTable {
        /// 1.
        pub schema_version: SafeInteger,
        /// `CAPABILITY_TABLE`.
        pub kind: PolicyKind,
        /// Name.
        pub id: String,
        /// Version text.
        pub version: String,
        /// One record a device class.
        pub devices: Vec<DeviceCapability>,
        /// Where the figures come from.
        pub basis: Vec<String>,
    }

    /// One device class.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct DeviceCapability {
        /// Class.
        pub device: DeviceClass,
        /// Channels it resolves.
        pub channels: Vec<Channel>,
        /// Most marks.
        pub max_marks: SafeInteger,
        /// Most elements.
        pub max_elements: SafeInteger,
        /// Most bytes on the graphics device.
        pub max_bytes: SafeInteger,
        /// Smallest legible cap height at the reading distance of the variant, in meters.
        pub min_cap_height: identity::Finite,
        /// Reading distance in meters.
        pub reading_distance: identity::Finite,
        /// Where this record's figures come from.
        pub basis: Vec<String>,
    }

    /// Task, domain and accessibility scope of a context; an asset pinned by digest.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct PolicyScope {
        /// 1.
        pub schema_version: SafeInteger,
        /// `SCOPE`.
        pub kind: PolicyKind,
        /// Name.
        pub id: String,
        /// Version text.
        pub version: String,
        /// The scope in a sentence.
        pub statement: String,
        /// Viewpoint purposes a context may have, such as `COMPARE`; `investigation` asks for these.
        pub tasks: Vec<String>,
        /// What people are to read, such as `COMPARE_RELATIVE`, sorted; a decision must cover these.
        pub reading_tasks: Vec<String>,
        /// The kind of data, as a word.
        pub domain: String,
        /// Accessibility needs that are declared, sorted; empty when none is.
        pub accessibility: Vec<String>,
    }

    /// Which uses a standing permits, and which predicates need legibility alone; an asset pinned by digest.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct QualificationPolicy {
        /// 1.
        pub schema_version: SafeInteger,
        /// `QUALIFICATION_POLICY`.
        pub kind: PolicyKind,
        /// Name.
        pub id: String,
        /// Version text.
        pub version: String,
        /// What text that can be read carries by itself.
        pub legible_text: LegibleText,
        /// In which task each claim is read; a predicate without a record belongs to any task.
        pub read_in: Vec<ReadIn>,
        /// Permitted uses of each standing.
        pub permitted_uses: Vec<StandingUses>,
        /// The rules in words, in order.
        pub rules: Vec<String>,
        /// Date of the decision, `YYYY-MM-DD`.
        pub decided_on: String,
        /// Who decided.
        pub decided_by: String,
    }

    /// The legibility rule.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct LegibleText {
        /// The mapping: text on a board or label.
        pub mapping: Mapping,
        /// Predicates it may carry.
        pub predicates: Vec<Predicate>,
        /// When it is legible.
        pub condition: String,
        /// Why no perceptual qualification is asked for.
        pub reason: String,
    }

    /// The tasks in which a predicate is read.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ReadIn {
        /// Predicate.
        pub predicate: Predicate,
        /// Tasks, sorted, at least one.
        pub tasks: Vec<String>,
    }

    /// The uses that a standing permits.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct StandingUses {
        /// `QUALIFIED`, `UNVALIDATED` or `CONTRAINDICATED`.
        pub standing: String,
        /// `PRODUCTION`, `STUDY_ONLY`.
        pub uses: Vec<String>,
        /// Under which condition.
        pub condition: String,
    }
}
