//! Representation graphs: primitives, typed bindings, channels, transforms, the recipes that propose them.
//!
//! **Never** admits anything, and never weakens an obligation.
//!
//! A [`Recipe`] turns a snapshot, a committed question and the fixed obligations into a [`Graph`]: what would be drawn,
//! by which [`channel`], through which [`TransformKind`], over which axis ends ([`ticks`]), carrying which obligations.
//! [`grammar`] says which graphs are well formed, whoever proposed them. Positions are in the stage frame ([`volume`]).

pub mod channel;
mod cycles;
mod error;
pub mod grammar;
mod graph;
pub mod palette;
pub mod recipe;
#[cfg(test)]
mod tests;
pub mod ticks;
mod transform;
pub mod volume;
pub mod wire;

pub use error::{GraphError, RecipeError, TransformError};
pub use graph::{Graph, bind};
pub use recipe::{Inputs, Pins, Recipe, ScatterStereo, ScatterVolume};
pub use transform::{Scale, TransformKind};

/// The recipes of this program.
pub mod recipes {
    pub use crate::recipe::{all, in_front, named, settings_to_draw};
}

/// Limitation codes that recipes state.
pub mod limitation {
    pub use crate::recipe::{
        DEPTH_CLAIMS_NOTHING, GROUPS_NOT_TOLD_APART, LAYOUT_MEASURES_NOTHING, LINE_IS_ORDER_ONLY,
        NOT_EVIDENCE, STEREO_POSITION_UNVALIDATED,
    };
    pub use crate::ticks::{CONSTANT_DOMAIN, NEARLY_CONSTANT_DOMAIN};
}

/// Marks the identity of a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {}

impl identity::Kind for BindingKind {
    const TAG: &'static str = "perceptual-binding-v1";
}

impl identity::Kind for wire::v2::GraphBody {
    const TAG: &'static str = "representation-graph-v2";
}
