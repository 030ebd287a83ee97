//! Recipes: fixed ways of turning a committed question into a proposed graph. They propose, and never admit.

mod caveats;
mod conjecture;
mod draft;
mod drawing;
mod found;
mod front;
mod scatter;
mod variables;

pub use conjecture::NOT_EVIDENCE;
pub use drawing::{in_front, settings_to_draw};
pub use found::{GROUPS_NOT_TOLD_APART, LAYOUT_MEASURES_NOTHING, LINE_IS_ORDER_ONLY};
pub use scatter::{DEPTH_CLAIMS_NOTHING, STEREO_POSITION_UNVALIDATED};

use evidence::wire::v1::PinnedRef;
use investigation::Context;
use kernels::leaf::Columns;
use obligations::FixedObligations;
use snapshot::Snapshot;

use crate::Graph;
use crate::error::RecipeError;

/// The pinned references of the knowledge at hand, by name.
pub trait Pins {
    /// The transform's reference: id, version and the digest of its definition.
    fn transform(&self, id: &str) -> Option<PinnedRef>;
    /// The recipe's reference.
    fn recipe(&self, id: &str) -> Option<PinnedRef>;
}

/// Everything a recipe may look at.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations, reason = "pins have no printable form")]
pub struct Inputs<'a> {
    /// What is known.
    pub snapshot: &'a Snapshot,
    /// What is asked.
    pub context: &'a Context,
    /// What must be kept; a recipe can point at obligations, never change them.
    pub obligations: &'a FixedObligations,
    /// The rows that the foreground variables' source names by digest: the ends of the axes and the categories come
    /// from here.
    pub leaf: &'a Columns,
    /// What is supposed: shown under a mark, and claimed by nothing.
    pub proposals: &'a [::conjecture::Proposal],
    /// Pinned references.
    pub pins: &'a dyn Pins,
}

/// A way of proposing graphs.
pub trait Recipe: Sync {
    /// Name in the knowledge manifest and on the command line.
    fn id(&self) -> &'static str;

    /// Version of the rule.
    fn version(&self) -> &'static str;

    /// What it proposes, in a sentence.
    fn statement(&self) -> &'static str;

    /// Proposes a graph for the committed question.
    ///
    /// # Errors
    /// [`RecipeError`] when the recipe does not apply; it never drops a variable or an obligation to make one fit.
    fn propose(&self, inputs: &Inputs<'_>) -> Result<Graph, RecipeError>;
}

/// Three quantitative variables as a volume of marks with their projections on three walls. The walls carry order; the
/// volume adds to them and claims nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScatterVolume;

impl Recipe for ScatterVolume {
    fn id(&self) -> &'static str {
        "scatter_volume"
    }

    fn version(&self) -> &'static str {
        "1.0.0"
    }

    fn statement(&self) -> &'static str {
        "three quantitative variables as marks in a volume, with their projections on three walls that carry order"
    }

    fn propose(&self, inputs: &Inputs<'_>) -> Result<Graph, RecipeError> {
        scatter::propose(self.id(), self.version(), true, inputs)
    }
}

/// The same volume without walls: its marks' positions in space claim order themselves. No shipped decision covers
/// that, so it is the treatment of a study, not a picture for claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScatterStereo;

impl Recipe for ScatterStereo {
    fn id(&self) -> &'static str {
        "scatter_stereo"
    }

    fn version(&self) -> &'static str {
        "1.0.0"
    }

    fn statement(&self) -> &'static str {
        "three quantitative variables as marks in a volume whose positions in depth claim order; for studies"
    }

    fn propose(&self, inputs: &Inputs<'_>) -> Result<Graph, RecipeError> {
        scatter::propose(self.id(), self.version(), false, inputs)
    }
}

static ALL: [&dyn Recipe; 10] = [
    &ScatterVolume,
    &ScatterStereo,
    &found::HISTOGRAM_WALL,
    &found::BAR_FIELD,
    &found::DENSITY_TERRAIN,
    &found::CLUSTER_ISLANDS,
    &found::NODE_LINK_SPACE,
    &found::TIME_RIBBON,
    &found::CORRELATION_PLANE,
    &found::INTERVAL_FIELD,
];

/// All recipes, in the order in which equal candidates are recommended.
#[must_use]
pub fn all() -> &'static [&'static dyn Recipe] {
    &ALL
}

/// The recipe of this name.
#[must_use]
pub fn named(id: &str) -> Option<&'static dyn Recipe> {
    ALL.iter().copied().find(|recipe| recipe.id() == id)
}
