//! Why a plan is not made, or one that was written down is not believed.

use identity::CanonicalError;
use knowledge::wire::v1::DeviceClass;
use refusal::{Reason, Refusal, Stage};
use representation::channel;
use representation::ticks::TickError;
use representation::wire::v2::Channel;
use representation::{GraphError, TransformError};

/// One thing that is wrong with a plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The layout has no form for this primitive. Way out: a recipe of this program.
    #[error("`{primitive}`: {why}")]
    Unsupported {
        /// Primitive.
        primitive: String,
        /// What is not supported.
        why: String,
    },
    /// The primitive lacks a binding that it needs to be drawn. Way out: bind it.
    #[error("`{primitive}` has no binding on {}", channel::word(*channel))]
    Unbound {
        /// Primitive.
        primitive: String,
        /// Channel.
        channel: Channel,
    },
    /// Two primitives measure one axis differently. Way out: one variable, domain and range an axis.
    #[error("the {axis} axis would have two scales")]
    AxesDisagree {
        /// `x`, `y` or `z`.
        axis: &'static str,
    },
    /// Two primitives show one group differently, so that a legend would not be the marks'. Way out: one look a group.
    #[error("one group would have two looks: {} differs between primitives", channel::word(*channel))]
    LooksDisagree {
        /// Hue or shape.
        channel: Channel,
    },
    /// The snapshot does not hold what a binding names. Way out: propose for the snapshot at hand.
    #[error("the snapshot does not hold {0}")]
    NotInSnapshot(String),
    /// The leaf does not hold the column, or not as the kind that is needed. Way out: the leaf the source names.
    #[error("the rows do not hold `{column}` as {needed}")]
    NotInLeaf {
        /// Column.
        column: String,
        /// `numbers` or `categories`.
        needed: &'static str,
    },
    /// A row past the end of the leaf. Way out: rows from zero to the leaf's count.
    #[error("there is no row {row_idx}; there are {n_rows}")]
    NoSuchRow {
        /// Asked for.
        row_idx: usize,
        /// There are.
        n_rows: usize,
    },
    /// A group of the leaf that the element has no look for. Way out: compile for this leaf.
    #[error("category `{0}` has no color and shape in this element")]
    NoSuchGroup(String),
    /// A value does not fit its scale; it is never clamped. Way out: a domain that holds every value.
    #[error("`{column}`: {error}")]
    Transform {
        /// Column.
        column: String,
        /// What the transform said.
        error: TransformError,
    },
    /// The axis has no ticks. Way out: another domain.
    #[error("the {axis} axis has no ticks: {error}")]
    Ticks {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// What the ticks said.
        error: TickError,
    },
    /// The caveats do not fit the board in letters that can be read. Nothing is dropped or shrunk to fit.
    #[error("the caveats need {needed} lines at a readable size; the board holds {most}")]
    BoardFull {
        /// Lines needed.
        needed: usize,
        /// Lines there is room for.
        most: usize,
    },
    /// Letters would be smaller than people can read on the device. Way out: larger text in the graph.
    #[error("`{primitive}` has letters of {cap_height} m; {device:?} needs {least} m")]
    TooSmall {
        /// Primitive.
        primitive: String,
        /// Its cap height in meters.
        cap_height: f64,
        /// Least the device needs, in meters.
        least: f64,
        /// Device.
        device: DeviceClass,
    },
    /// The device does not resolve a channel that the graph uses. Way out: another device or recipe.
    #[error("{device:?} does not resolve {}", channel::word(*channel))]
    DeviceLacksChannel {
        /// Device.
        device: DeviceClass,
        /// Channel.
        channel: Channel,
    },
    /// More than the device carries. Way out: a device with a larger budget, or an analysis that aggregates.
    #[error("{device:?} would need {needed} {what}; it carries {most}")]
    OverBudget {
        /// Device.
        device: DeviceClass,
        /// Elements, marks or bytes.
        what: &'static str,
        /// Needed.
        needed: usize,
        /// Most.
        most: usize,
    },
    /// More than the contract of plans holds.
    #[error("{found} {what}; at most {most}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// Found.
        found: usize,
        /// Most.
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
    /// A parameter is missing, unknown, of the wrong type or out of its bounds. Way out: [`crate::element`] lists them.
    #[error("element `{element}`, parameter `{key}`: {why}")]
    Parameter {
        /// Element.
        element: String,
        /// Parameter.
        key: String,
        /// What is wrong.
        why: String,
    },
    /// A recorded number or digest is not the one its content gives.
    #[error("variant `{variant}` records {what} {recorded}; its content gives {computed}")]
    Recorded {
        /// Variant.
        variant: String,
        /// Which record.
        what: &'static str,
        /// As written.
        recorded: String,
        /// As computed.
        computed: String,
    },
    /// A variant's name and device do not belong together, or it is about something else than the plan.
    #[error("variant `{variant}`: {why}")]
    Variant {
        /// Variant.
        variant: String,
        /// What is wrong.
        why: String,
    },
    /// A conjecture is shown without its mark: a shape of its own, words beside it, and a line on the caveat board.
    #[error("the conjecture `{element}` is shown without {what}")]
    Unmarked {
        /// Element of the proposal.
        element: String,
        /// What is missing.
        what: &'static str,
    },
    /// The words of a conjecture find no place off the data and off all other words. Way out: fewer conjectures, or shorter
    /// labels; nothing is dropped or shrunk to fit.
    #[error("the words of the conjecture `{element}` find no free place in the picture")]
    NoPlace {
        /// Element of the proposal.
        element: String,
    },
    /// A property that shows data has no entry in the explanation index. Way out: compile again; nothing is repaired.
    #[error("{property} of `{element}` shows data that nothing explains")]
    Unexplained {
        /// Element.
        element: String,
        /// Property.
        property: String,
    },
    /// An entry of the explanation index explains nothing that is there, or explains it as something else.
    #[error("the explanation of {property} of `{element}` is wrong: {why}")]
    Misexplained {
        /// Element.
        element: String,
        /// Property.
        property: String,
        /// What is wrong.
        why: String,
    },
    /// A binding breaks the grammar.
    #[error("{0}")]
    Graph(#[from] GraphError),
    /// A value has no canonical text; a defect.
    #[error("a value has no canonical text: {0}")]
    Canonical(#[from] CanonicalError),
}

impl PlanError {
    /// As a refusal, at the stage that owns the broken rule.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let text = format!("The plan does not hold: {self}.");
        let (stage, reason, next) = match self {
            Self::Graph(error) => return error.refusal(),
            Self::Transform { column, error } => return error.refusal().about(column.clone()),
            Self::Unsupported { .. }
            | Self::Unbound { .. }
            | Self::AxesDisagree { .. }
            | Self::LooksDisagree { .. } => (
                Stage::BindingUse,
                Reason::NoLegalBinding,
                "Propose with a recipe of this program.",
            ),
            Self::NotInSnapshot(_) => (
                Stage::ContextIdentity,
                Reason::WrongSubject,
                "Propose again for the snapshot at hand.",
            ),
            Self::NotInLeaf { .. } | Self::NoSuchRow { .. } | Self::NoSuchGroup(_) => (
                Stage::DecodeIntegrity,
                Reason::Integrity,
                "Hand in the rows that the source names by digest.",
            ),
            Self::Unmarked { element, .. } => {
                return Refusal::new(Stage::FixedPolicy, Reason::ObligationWeakened, text)
                    .about(element.clone())
                    .under(crate::marking::RULE)
                    .next("Bind its shape and its words, and say on the caveat board what it assumes.");
            }
            Self::NoPlace { element } => {
                return Refusal::new(Stage::Budget, Reason::AccessibilityUnmet, text)
                    .about(element.clone())
                    .next("Suppose less at a time, or give shorter labels.");
            }
            Self::Ticks { .. } => (Stage::BindingUse, Reason::OutsideDomain, "Choose another domain."),
            Self::BoardFull { .. } | Self::TooSmall { .. } => (
                Stage::Budget,
                Reason::AccessibilityUnmet,
                "Ask for fewer variables or shorter names; what must be said is never dropped or shrunk.",
            ),
            Self::DeviceLacksChannel { .. } => (
                Stage::Budget,
                Reason::DeviceLacksChannel,
                "Ask for another device or another recipe.",
            ),
            Self::OverBudget { .. } => (
                Stage::Budget,
                Reason::OverBudget,
                "Ask for a device with a larger budget, or for an analysis that aggregates; nothing is sampled.",
            ),
            Self::TooMany { .. } => (Stage::DecodeIntegrity, Reason::Bounds, "Compile a smaller plan."),
            Self::Order { .. } | Self::Parameter { .. } | Self::Variant { .. } | Self::Canonical(_) => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "Compile the plan again with this program.",
            ),
            Self::Recorded { .. } | Self::Unexplained { .. } | Self::Misexplained { .. } => (
                Stage::DecodeIntegrity,
                Reason::Integrity,
                "Compile the plan again; a plan is never repaired.",
            ),
        };
        Refusal::new(stage, reason, text).next(next)
    }
}
