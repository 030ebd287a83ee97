//! What can be wrong with a transform, a graph or a proposal, and how each becomes a refusal.

use identity::CanonicalError;
use refusal::{Reason, Refusal, Stage};

use crate::channel::word;
use crate::wire::v2::{Channel, PrimitiveKind, Relation};

/// Why a transform gave no value. Values are never clamped, wrapped or guessed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TransformError {
    /// The table has no such transform. Way out: use one of [`crate::TransformKind::ALL`].
    #[error("transform {id}@{version} is not known")]
    Unknown {
        /// Name asked for.
        id: String,
        /// Version asked for.
        version: String,
    },
    /// The value is NaN or infinite. Way out: leave the row out by an analysis that says so.
    #[error("{0} is not a number that can be placed")]
    NotFinite(f64),
    /// The value lies outside the domain. Way out: choose a domain that holds every value shown.
    #[error("{value} lies outside the domain from {min} to {max}; values are never clamped")]
    OutsideDomain {
        /// The value.
        value: f64,
        /// Lower end.
        min: f64,
        /// Upper end.
        max: f64,
    },
    /// A logarithm of zero or less. Way out: `linear` or `symlog`.
    #[error("log10 of {0} does not exist; `linear` or `symlog` take such values")]
    NoLogarithm(f64),
    /// A root of a negative number. Way out: `linear` or `symlog`.
    #[error("the square root of {0} is not real; `linear` or `symlog` take such values")]
    NoRoot(f64),
    /// The domain has no extent, its ends are swapped, or its width is no double. Way out: a wider or scaled domain.
    #[error("the domain from {min} to {max} has no finite, positive width")]
    EmptyDomain {
        /// Lower end.
        min: f64,
        /// Upper end.
        max: f64,
    },
    /// All values would land on one place. Way out: a range with extent.
    #[error("the range from {from} to {to} is a point")]
    FlatRange {
        /// At the lower end.
        from: f64,
        /// At the upper end.
        to: f64,
    },
    /// The transform does not take this kind of domain or give this kind of range. Way out: the table of channels.
    #[error("transform {transform} does not go from {domain} to {range}")]
    Mismatch {
        /// Transform.
        transform: &'static str,
        /// Kind of domain.
        domain: &'static str,
        /// Kind of range.
        range: &'static str,
    },
    /// The number names no category. Way out: codes of the same leaf as the domain.
    #[error("{value} names no category; there are {count}")]
    NoCategory {
        /// The value.
        value: f64,
        /// Categories there are.
        count: usize,
    },
    /// The number is no rank. Way out: ranks come from a kernel; ties share the mean, so halves are allowed.
    #[error("{0} is no rank: ranks are whole, or half where two rows tie")]
    NotARank(f64),
}

impl TransformError {
    /// As a refusal of the binding stage.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let (reason, next) = match self {
            Self::Unknown { .. } => (
                Reason::UnknownTransform,
                "Use a transform of the knowledge manifest.",
            ),
            Self::Mismatch { .. } | Self::FlatRange { .. } => (
                Reason::NoLegalBinding,
                "Choose a transform, domain and range that belong together.",
            ),
            Self::NoLogarithm(_) | Self::NoRoot(_) => (
                Reason::OutsideDomain,
                "Use the linear or symlog transform; values are never moved to fit.",
            ),
            Self::NotFinite(_)
            | Self::OutsideDomain { .. }
            | Self::EmptyDomain { .. }
            | Self::NoCategory { .. }
            | Self::NotARank(_) => (
                Reason::OutsideDomain,
                "Choose a domain that holds every value shown; values are never moved to fit.",
            ),
        };
        Refusal::new(
            Stage::BindingUse,
            reason,
            format!("A value cannot be shown: {self}."),
        )
        .next(next)
    }
}

/// Why a graph is not one this contract can hold.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// More than the contract holds. Way out: fewer.
    #[error("{found} {what}; at most {most}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A list is out of order or names something twice. Way out: sort it, name each thing once.
    #[error("{what} must be sorted and each named once; `{key}` is not")]
    Order {
        /// The list.
        what: &'static str,
        /// The first that is wrong.
        key: String,
    },
    /// A name points at nothing. Way out: name a primitive or binding of this graph.
    #[error("{what} names `{name}`, which this graph does not have")]
    Dangling {
        /// Who names it.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// An edge from a primitive to itself. Way out: drop it.
    #[error("`{0}` has an edge to itself")]
    SelfEdge(String),
    /// The pair table has no such relation. Way out: a relation of [`crate::grammar::PAIRS`].
    #[error("{from:?} -> {to:?} has no relation {relation:?}")]
    NoSuchRelation {
        /// From.
        from: PrimitiveKind,
        /// To.
        to: PrimitiveKind,
        /// Relation.
        relation: Relation,
    },
    /// A binding's identity is not that of its record. Way out: seal the record with [`crate::bind`].
    #[error("binding {claimed} has a record that hashes to {computed}")]
    BindingIdentity {
        /// As written.
        claimed: String,
        /// As computed.
        computed: String,
    },
    /// Fallbacks lead back to where they began. Way out: an order that ends.
    #[error("the fallbacks of {0} lead back to it")]
    FallbackCycle(String),
    /// A directed relation leads back to where it began. Way out: drop one of its edges.
    #[error("the directed relations of `{0}` lead back to it")]
    RelationCycle(String),
    /// A word outside a closed vocabulary. Way out: the words the field documents.
    #[error("`{word}` is no {what}")]
    Word {
        /// Which vocabulary.
        what: &'static str,
        /// The word.
        word: String,
    },
    /// The channel does not take this transform, domain or range. Way out: the table of channels.
    #[error("{} on `{primitive}`: {why}", word(*channel))]
    Channel {
        /// Primitive.
        primitive: String,
        /// Channel.
        channel: Channel,
        /// What does not fit.
        why: String,
    },
    /// Two bindings of one primitive show one property on one channel, so a mark could not say which it means.
    #[error("`{primitive}` shows one property twice on {}", word(*channel))]
    Twice {
        /// Primitive.
        primitive: String,
        /// Channel.
        channel: Channel,
    },
    /// A transform refused the domain or range.
    #[error("binding on `{primitive}`: {error}")]
    Transform {
        /// Primitive.
        primitive: String,
        /// What it said.
        error: TransformError,
    },
    /// The binding describes a property otherwise than the snapshot. Way out: copy it from the snapshot.
    #[error("binding on `{primitive}`: {why}")]
    Snapshot {
        /// Primitive.
        primitive: String,
        /// What differs.
        why: String,
    },
    /// The graph belongs to another snapshot. Way out: propose again for this one.
    #[error("the graph is about {found}, not about {expected}")]
    OtherSnapshot {
        /// As written in the graph.
        found: String,
        /// The snapshot at hand.
        expected: String,
    },
    /// Compared things do not share unit, frame and support. Way out: an analysis that makes them comparable.
    #[error("`{from}` cannot be compared with `{to}`: {why}")]
    Incomparable {
        /// From.
        from: String,
        /// To.
        to: String,
        /// What differs.
        why: String,
    },
    /// A conjectural binding claims something, rests on evidence, looks like data, or stands among data; or a grounded one
    /// stands among conjecture. Way out: bindings of conjecture stand on a primitive of theirs, marked and claiming nothing.
    #[error("binding on `{primitive}`: {why}")]
    Conjecture {
        /// Primitive.
        primitive: String,
        /// What is wrong.
        why: String,
    },
    /// Something grounded would depend on a conjecture. Way out: turn the relation round, or drop it.
    #[error("`{from}` is grounded and would rest on the conjecture `{to}`")]
    GroundedOnConjecture {
        /// What is grounded.
        from: String,
        /// What is not.
        to: String,
    },
    /// A record has no canonical text. Way out: none; report it.
    #[error("a binding has no canonical text: {0}")]
    Canonical(#[from] CanonicalError),
}

impl GraphError {
    /// As a refusal, at the stage that owns the broken rule.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let (stage, reason, next) = match self {
            Self::TooMany { .. } => (Stage::DecodeIntegrity, Reason::Bounds, "Propose a smaller graph."),
            Self::Order { .. }
            | Self::SelfEdge(_)
            | Self::FallbackCycle(_)
            | Self::RelationCycle(_)
            | Self::Canonical(_) => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "Build the graph with this program's recipes or seals.",
            ),
            Self::Word { .. } => (
                Stage::DecodeIntegrity,
                Reason::UnknownShape,
                "Use the words of the contract.",
            ),
            Self::Dangling { .. } | Self::Twice { .. } => (
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                "Name each thing once, and only what is there.",
            ),
            Self::BindingIdentity { .. } => (
                Stage::DecodeIntegrity,
                Reason::Integrity,
                "Seal the record again; an identity is never edited.",
            ),
            Self::NoSuchRelation { .. } => (
                Stage::FixedPolicy,
                Reason::RelationUnsupported,
                "Use a relation of the pair table, or none.",
            ),
            Self::Channel { .. } => (
                Stage::BindingUse,
                Reason::NoLegalBinding,
                "Choose a channel that can carry this property.",
            ),
            Self::Transform { error, .. } => {
                return error.refusal().because(Refusal::new(
                    Stage::BindingUse,
                    Reason::NoLegalBinding,
                    self.to_string(),
                ));
            }
            Self::Snapshot { .. } | Self::OtherSnapshot { .. } => (
                Stage::ContextIdentity,
                Reason::WrongSubject,
                "Propose again for the snapshot at hand.",
            ),
            Self::Conjecture { .. } | Self::GroundedOnConjecture { .. } => (
                Stage::EvidencePolicy,
                Reason::ConjectureAsClaim,
                "Keep conjecture on a primitive of its own, marked, claiming nothing, and let nothing grounded rest on it.",
            ),
            Self::Incomparable { .. } => (
                Stage::EvidencePolicy,
                Reason::IncompatibleFrames,
                "Ask for an analysis over the same rows and units; a shared receipt is not enough.",
            ),
        };
        Refusal::new(
            stage,
            reason,
            format!("The proposed graph does not hold: {self}."),
        )
        .next(next)
    }
}

/// Why a recipe proposes nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecipeError {
    /// The context has no perspective. Way out: commit one with foreground variables.
    #[error("the question names no foreground variables")]
    NoPerspective,
    /// Too few or too many foreground variables. Way out: exactly as many as the recipe has axes.
    #[error("{recipe} needs exactly {needed} quantitative foreground variables; the question names {found}")]
    Foreground {
        /// Recipe.
        recipe: &'static str,
        /// Axes it has.
        needed: usize,
        /// Variables there are.
        found: usize,
    },
    /// The recipe draws what another analysis finds. Way out: draw that one, or let another recipe propose.
    #[error("{recipe} draws what {needed} finds; what stands in front is of {found}")]
    OtherFamily {
        /// Recipe.
        recipe: &'static str,
        /// Family that it draws.
        needed: &'static str,
        /// Family of what stands in front.
        found: String,
    },
    /// What the analysis found does not fit the recipe. Way out: as `next` says.
    #[error("{recipe} does not fit: {why}")]
    Unfit {
        /// Recipe.
        recipe: &'static str,
        /// What does not fit.
        why: String,
        /// What to do.
        next: &'static str,
    },
    /// One variable stands on two axes. Way out: three different ones.
    #[error("`{0}` is asked for twice; each axis shows another variable")]
    Duplicate(String),
    /// The variable is of the wrong kind for its place. Way out: a quantitative one on axes, a categorical one to group.
    #[error("`{variable}` is {found}; {place} needs {needed}")]
    WrongKind {
        /// Variable.
        variable: String,
        /// What it is.
        found: String,
        /// Where it was asked for.
        place: &'static str,
        /// What is needed there.
        needed: &'static str,
    },
    /// The snapshot does not hold the variable's values as available rows. Way out: run the row projection.
    #[error("the snapshot holds no available rows of `{0}`")]
    NotInSnapshot(String),
    /// The variables come from different row projections, so which values belong to one row is unknown.
    #[error(
        "`{first}` and `{second}` come from different row projections; which values belong together is unknown"
    )]
    NotAligned {
        /// One variable.
        first: String,
        /// The other.
        second: String,
    },
    /// The leaf does not hold the column as the snapshot says. Way out: hand in the leaf the source names.
    #[error("the rows do not hold `{0}` as the snapshot describes it")]
    NotInLeaf(String),
    /// No row is left to draw. Way out: variables that some row has all values of.
    #[error("no row has a value for every foreground variable; there is nothing to draw")]
    NoRows,
    /// More categories than people can tell apart by hue and shape. Way out: fewer, or no grouping.
    #[error("`{column}` has {count} categories; hue with shape tells at most {most} apart")]
    TooManyCategories {
        /// Column.
        column: String,
        /// Its categories.
        count: usize,
        /// Most that can be told apart.
        most: usize,
    },
    /// The recipe or transform is not pinned by the knowledge at hand. Way out: a manifest that holds it.
    #[error("{what} `{id}` is not in the pinned knowledge")]
    Unpinned {
        /// Recipe or transform.
        what: &'static str,
        /// Name.
        id: String,
    },
    /// The column's numbers cannot span an axis. Way out: another unit or scale.
    #[error("`{column}` cannot span an axis: {error}")]
    Axis {
        /// Column.
        column: String,
        /// What the ticks said.
        error: crate::ticks::TickError,
    },
    /// What must be kept cannot be bound to anything in the snapshot.
    #[error("an obligation about {0} can be bound to nothing in the snapshot")]
    Unbindable(String),
    /// A supposed value lies off the axis that the data gives. Way out: a value on the axis; conjecture moves no axis.
    #[error("the conjecture `{element}` supposes {value} of `{column}`, whose axis goes from {min} to {max}")]
    OffTheAxis {
        /// Element.
        element: String,
        /// Column.
        column: String,
        /// Supposed value.
        value: f64,
        /// Lower end of the axis.
        min: f64,
        /// Upper end.
        max: f64,
    },
    /// A conjecture does not fit the snapshot, the question or the rows.
    #[error("{0}")]
    Conjecture(#[from] conjecture::ConjectureError),
    /// The proposal breaks the grammar; a defect of the recipe.
    #[error("the proposal does not hold: {0}")]
    Graph(#[from] GraphError),
    /// The proposal has no canonical text; a defect of the recipe.
    #[error("the proposal has no canonical text: {0}")]
    Canonical(#[from] CanonicalError),
}

impl RecipeError {
    /// As a refusal.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let (stage, reason, next) = match self {
            Self::NoPerspective => (
                Stage::ContextIdentity,
                Reason::NotStated,
                "Name the foreground variables, in order x, y, z.",
            ),
            Self::Foreground { .. } => (
                Stage::BindingUse,
                Reason::NoLegalBinding,
                "Name exactly three quantitative variables, in order x, y, z.",
            ),
            Self::OtherFamily { .. } => (
                Stage::BindingUse,
                Reason::FamilyUnsupported,
                "Draw what this recipe draws, with --draw, or let the other recipes propose.",
            ),
            Self::Unfit { next, .. } => (Stage::BindingUse, Reason::NoLegalBinding, *next),
            Self::Duplicate(_) => (
                Stage::BindingUse,
                Reason::NoLegalBinding,
                "Name three different variables, in order x, y, z.",
            ),
            Self::WrongKind { .. } => (
                Stage::BindingUse,
                Reason::MeasurementUnsupported,
                "Put a quantitative variable on the axis; a categorical one can group the marks.",
            ),
            Self::NotInSnapshot(_) | Self::NotInLeaf(_) => (
                Stage::ContextIdentity,
                Reason::UnresolvedPerspective,
                "Run the row projection of these columns first.",
            ),
            Self::NotAligned { .. } => (
                Stage::ContextIdentity,
                Reason::InventedMeaning,
                "Project all variables in one analysis of rows.",
            ),
            Self::NoRows => (
                Stage::EvidencePolicy,
                Reason::MissingRequired,
                "Choose variables that some row has all values of.",
            ),
            Self::TooManyCategories { .. } => (
                Stage::BindingUse,
                Reason::NoLegalBinding,
                "Group by a column with at most eight categories, or leave the grouping out: EXPLAIN on a mark reads its row.",
            ),
            Self::Unpinned { what, .. } => {
                let reason = if *what == "transform" {
                    Reason::UnknownTransform
                } else {
                    Reason::ArtifactMissing
                };
                (
                    Stage::BindingUse,
                    reason,
                    "Use a knowledge manifest that pins it.",
                )
            }
            Self::Axis { .. } => (
                Stage::BindingUse,
                Reason::OutsideDomain,
                "Rescale the column, or choose another variable.",
            ),
            Self::OffTheAxis { .. } => (
                Stage::BindingUse,
                Reason::OutsideDomain,
                "Suppose a value on the axis; the data alone says where axes end.",
            ),
            Self::Conjecture(error) => return error.refusal(),
            Self::Unbindable(_) => (
                Stage::FixedPolicy,
                Reason::ObligationUncovered,
                "Choose a recipe that shows it, or fix the snapshot.",
            ),
            Self::Graph(error) => return error.refusal(),
            Self::Canonical(_) => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "Report this: it is a defect.",
            ),
        };
        let refusal = Refusal::new(stage, reason, format!("No picture is proposed: {self}.")).next(next);
        match self {
            Self::Duplicate(column)
            | Self::NotInSnapshot(column)
            | Self::NotInLeaf(column)
            | Self::WrongKind { variable: column, .. }
            | Self::TooManyCategories { column, .. }
            | Self::Axis { column, .. } => refusal.about(column.clone()),
            Self::NotAligned { first, second } => refusal.about(first.clone()).about(second.clone()),
            Self::Unpinned { id, .. } => refusal.about(id.clone()),
            Self::OtherFamily { recipe, .. } | Self::Unfit { recipe, .. } => {
                refusal.about((*recipe).to_owned())
            }
            Self::NoPerspective
            | Self::Foreground { .. }
            | Self::NoRows
            | Self::OffTheAxis { .. }
            | Self::Conjecture(_)
            | Self::Unbindable(_)
            | Self::Graph(_)
            | Self::Canonical(_) => refusal,
        }
    }
}
