//! How a judgment is written down.

/// Version 1.
pub mod v1 {
    use forma::wire::v1::ResultBody;
    use identity::{Envelope, Identity, SafeInteger};
    use investigation::wire::v2::ContextBody;
    use knowledge::Date;
    use obligations::ObligationKind;
    use plan::wire::v1::PlanBody;
    use representation::BindingKind;
    use serde::{Deserialize, Serialize};
    use snapshot::wire::v1::SnapshotBody;

    /// `EmbodimentCritiqueV1`: what in the picture misleads or helps.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct CritiqueBody {
        /// Exactly what it is about.
        pub target: Target,
        /// What kind of thing in the picture.
        pub aspect: Aspect,
        /// Whether it misleads or helps.
        pub effect: Effect,
        /// In the author's words.
        pub says: String,
        /// What would be better, in the author's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub suggests: Option<String>,
        /// Whose critique it is.
        pub author: Author,
        /// How it was taken down.
        pub instrument: Instrument,
        /// The day it was said.
        pub said_on: Date,
    }

    /// `HumanMeaningJudgmentV1`: what a reader understood.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct MeaningBody {
        /// Exactly what it is about.
        pub target: Target,
        /// The question that the reader was asked.
        pub asked: String,
        /// The answer, in the reader's words.
        pub answered: String,
        /// How sure the reader was, as stated.
        pub confidence: Confidence,
        /// Whether the answer is what the target claims.
        pub agreement: Agreement,
        /// Who read the picture.
        pub author: Author,
        /// How it was taken down.
        pub instrument: Instrument,
        /// The day it was said.
        pub said_on: Date,
    }

    /// Exactly one thing in one view of one result, asked in one context about one snapshot.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Target {
        /// The admitted result.
        pub result_id: Identity<ResultBody>,
        /// Its plan.
        pub plan_id: Identity<PlanBody>,
        /// The variant that was looked at.
        pub variant: String,
        /// What in it.
        pub part: Part,
        /// The question in which it was looked at.
        pub context_id: Identity<ContextBody>,
        /// What was known.
        pub snapshot_id: Identity<SnapshotBody>,
    }

    /// What in a variant is judged.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Part {
        /// A binding: how something is shown.
        Binding {
            /// The binding.
            binding_id: Identity<BindingKind>,
        },
        /// An obligation: what must be recoverable.
        Obligation {
            /// The obligation.
            obligation_id: Identity<ObligationKind>,
        },
    }

    /// What kind of thing in the picture a critique is about.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Aspect {
        /// Where marks stand.
        Position,
        /// How long or large marks are.
        Size,
        /// Color.
        Color,
        /// Shape.
        Shape,
        /// Depth and perspective.
        Depth,
        /// Something hides something else.
        Occlusion,
        /// Axes, ticks and units.
        Scale,
        /// Labels and legend.
        Label,
        /// Caveats and what is left out.
        Caveat,
        /// Motion and comfort.
        Comfort,
        /// Anything else; the words say what.
        Other,
    }

    /// Whether it misleads or helps.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Effect {
        /// It misleads.
        Misleads {
            /// How badly.
            severity: Severity,
        },
        /// It helps.
        Helps {},
    }

    /// How badly something misleads, by its author.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Severity {
        /// It can be noticed and read around.
        Minor,
        /// It makes reading harder or less sure.
        Serious,
        /// The wrong thing is understood.
        WrongMeaning,
    }

    /// How sure a reader was.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(
        tag = "status",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Confidence {
        /// The reader did not say.
        NotStated {},
        /// The reader said.
        Stated {
            /// As stated: never turned into a number here.
            words: String,
        },
    }

    /// Whether an answer is what the target claims, as its author sees it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Agreement {
        /// It is.
        Matched,
        /// Something else was understood.
        Misunderstood,
        /// It can't be told.
        Inconclusive,
        /// Nobody compared them.
        NotJudged,
    }

    /// Whose words they are.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Author {
        /// A name or a participant's code.
        pub name: String,
        /// How the name is known.
        pub identified_by: IdentifiedBy,
    }

    /// How an author's name is known. None of these is a proof; the signature of a confirmation is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum IdentifiedBy {
        /// The author stated it.
        SelfStated,
        /// A study gave the author a code.
        StudyCode,
        /// Somebody else wrote it down.
        NamedByObserver,
    }

    /// How a judgment was taken down.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(
        tag = "kind",
        rename_all = "SCREAMING_SNAKE_CASE",
        rename_all_fields = "camelCase",
        deny_unknown_fields
    )]
    pub enum Instrument {
        /// At the desk.
        Desk {},
        /// In the headset.
        Headset {},
        /// By a script.
        Script {},
        /// A model read it out of something that was said or written.
        ModelParsed {
            /// Name and version of the model, as stated.
            model: String,
        },
    }

    /// One of the two, under its own identity.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub enum Document {
        /// A critique.
        Critique(Envelope<CritiqueBody>),
        /// A meaning judgment.
        Meaning(Envelope<MeaningBody>),
    }

    /// The body of a reviewer's signed statement: a person stands by this judgment.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct Confirmation {
        /// 1.
        pub schema_version: SafeInteger,
        /// `CONFIRMED`.
        pub verdict: Verdict,
        /// What is confirmed, whole.
        pub judgment: Document,
    }

    /// What a reviewer says of a judgment.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Verdict {
        /// It is what its author said, and a person stands by it.
        Confirmed,
    }
}
