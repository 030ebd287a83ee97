//! The documents of a study as they are hashed, signed and stored; inert, they grant nothing.

/// Version 1: protocol, acceptance, authorization.
pub mod v1 {
    use evidence::wire::v1::PinnedRef;
    use forma::{StudyFreezeKind, StudyProtocolKind};
    use identity::{Envelope, Identity, SafeInteger};
    use knowledge::Date;
    use knowledge::wire::v1::DeviceClass;
    use serde::{Deserialize, Serialize};

    use super::v2::FreezeBody;

    /// What is asked, of whom, and what will be done with the answers; written before anybody is asked.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ProtocolBody {
        /// Title.
        pub title: String,
        /// The question that the study is to answer.
        pub question: String,
        /// What is expected, at least one, by id.
        pub hypotheses: Vec<Hypothesis>,
        /// Who sees what.
        pub design: Design,
        /// What participants do, by id.
        pub tasks: Vec<Task>,
        /// Who can take part.
        pub population: String,
        /// Who or what is left out of the analysis, and when.
        pub exclusion: Vec<String>,
        /// What is measured, by id; at least one is primary.
        pub outcome_measures: Vec<Outcome>,
        /// How many participants are planned.
        pub planned_n: SafeInteger,
        /// When it ends before or at that number.
        pub stopping_rule: String,
        /// How the answers are analyzed.
        pub analysis: String,
        /// The ethics application or waiver that it stands under.
        pub ethics_reference: String,
    }

    /// An expectation.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Hypothesis {
        /// Name within the protocol.
        pub id: String,
        /// Whether it is tested or looked for.
        pub kind: HypothesisKind,
        /// In a sentence.
        pub statement: String,
    }

    /// Tested or looked for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum HypothesisKind {
        /// Stated before, tested.
        Confirmatory,
        /// Looked for.
        Exploratory,
    }

    /// Who sees what.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Design {
        /// How participants meet conditions.
        pub arrangement: Arrangement,
        /// The conditions, by id.
        pub conditions: Vec<Condition>,
        /// How the order of conditions is balanced.
        pub counterbalancing: String,
    }

    /// How participants meet conditions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Arrangement {
        /// Everybody meets every condition.
        WithinSubjects,
        /// Everybody meets one.
        BetweenSubjects,
        /// Some factors within, some between.
        Mixed,
        /// There is one condition.
        SingleArm,
    }

    /// A condition.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Condition {
        /// Name within the protocol; a treatment of the freeze names it.
        pub id: String,
        /// Whether it is what is studied or what it is compared with.
        pub role: ConditionRole,
        /// In a sentence.
        pub statement: String,
    }

    /// Studied, or compared with.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum ConditionRole {
        /// What is studied.
        Treatment,
        /// What it is compared with.
        Control,
    }

    /// What a participant does.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Task {
        /// Name within the protocol.
        pub id: String,
        /// What a participant is told to do, word for word.
        pub instruction: String,
        /// What is read, such as `COMPARE_RELATIVE`.
        pub reading_task: String,
        /// Longest time for it.
        pub max_seconds: SafeInteger,
    }

    /// What is measured.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Outcome {
        /// Name within the protocol.
        pub id: String,
        /// Whether the study is decided by it.
        pub role: OutcomeRole,
        /// In a sentence.
        pub statement: String,
        /// Unit, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub unit: Option<String>,
    }

    /// Deciding or not.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum OutcomeRole {
        /// It decides.
        Primary,
        /// It is told beside.
        Secondary,
    }

    /// That somebody read protocol and freeze and accepts both. They stand in it whole, so a signature covers every word.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct AcceptanceBody {
        /// The protocol.
        pub protocol: Envelope<ProtocolBody>,
        /// The freeze.
        pub freeze: Envelope<FreezeBody>,
        /// Who accepts, by name and office.
        pub accepted_by: String,
        /// On which day.
        pub accepted_on: Date,
        /// The approval under which: an ethics vote, a waiver.
        pub ethics_approval: String,
    }

    /// That the frozen study may run, within bounds.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct AuthorizationBody {
        /// The name by which it is asked for; used once in a custody folder.
        pub reference: String,
        /// Protocol.
        pub protocol_id: Identity<StudyProtocolKind>,
        /// Freeze.
        pub freeze_id: Identity<StudyFreezeKind>,
        /// Who authorizes, by name and office.
        pub authorized_by: String,
        /// The policy scope, that of the freeze.
        pub scope: PinnedRef,
        /// Some or all of the freeze's devices, in order.
        pub devices: Vec<DeviceClass>,
        /// At most the freeze's exposure.
        pub exposure: ExposureBound,
        /// First day.
        pub valid_from: Date,
        /// Last day.
        pub expires_on: Date,
    }

    /// Bounds of exposure.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ExposureBound {
        /// Longest exposure of one participant to one treatment, in seconds.
        pub max_seconds: SafeInteger,
        /// Most exposures of one participant.
        pub max_exposures: SafeInteger,
    }
}

/// Version 2: the freeze.
pub mod v2 {
    use evidence::wire::v1::PinnedRef;
    use forma::StudyProtocolKind;
    use identity::Identity;
    use investigation::wire::v2::ContextBody;
    use knowledge::wire::v1::{DeviceClass, ManifestBody, Mapping};
    use obligations::wire::v1::{ObligationSetBody, Predicate};
    use representation::wire::v2::GraphBody;
    use serde::{Deserialize, Serialize};
    use snapshot::wire::v1::SnapshotBody;

    use super::v1::ExposureBound;

    /// `study-freeze-v2`: exactly what may be executed.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct FreezeBody {
        /// The protocol it is for.
        pub protocol_id: Identity<StudyProtocolKind>,
        /// What is shown, by graph.
        pub treatments: Vec<Treatment>,
        /// Every mapping that is executed without being qualified for its claim, in order.
        pub control_mappings: Vec<ControlMapping>,
        /// The known harms that were accepted, by `id@version`: those that the mappings name.
        pub accepted_contraindications: Vec<String>,
        /// Claims that no result of this study may be shown for in production, in order.
        pub withheld_claims: Vec<Predicate>,
        /// Bounds of exposure.
        pub exposure: ExposureBound,
        /// Device classes, in order.
        pub devices: Vec<DeviceClass>,
        /// The policy scope under which every treatment was committed.
        pub scope: PinnedRef,
        /// The knowledge under which the treatments were frozen.
        pub knowledge_manifest_id: Identity<ManifestBody>,
        /// The compiler with which the treatments were frozen.
        pub compiler_ref: PinnedRef,
    }

    /// One picture, exactly.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Treatment {
        /// The condition of the protocol in which it is shown.
        pub condition: String,
        /// G.
        pub graph_id: Identity<GraphBody>,
        /// S.
        pub snapshot_id: Identity<SnapshotBody>,
        /// C.
        pub context_id: Identity<ContextBody>,
        /// O.
        pub obligation_set_id: Identity<ObligationSetBody>,
    }

    /// A mapping that is executed for a claim although nobody qualified it.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ControlMapping {
        /// Channel and arrangement.
        pub mapping: Mapping,
        /// The claim it carries.
        pub claim: Predicate,
        /// The harm that is known of it, by `id@version`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub contraindication: Option<String>,
    }
}
