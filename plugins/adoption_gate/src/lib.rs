//! The gate between an authorization and what is seen: stage off screen, recheck, one swap, and revocation.
//!
//! **Never** mints an authorization, and never keeps a view for which its facts no longer stand.
//!
//! All of it happens in [`Last`], after everything that could have changed a fact in this frame and before the renderer
//! looks: a view whose facts fell in this frame is already gone from this frame's picture, and a swap falls between two
//! frames. In each frame, in this order: the view in force is rechecked against [`Moment`] and revoked when it no longer
//! stands; a staged view that is ready is adopted and swapped in; the next request is staged. A request that fails at
//! any step is released, and the view that was in force stays untouched. What is staged is rechecked in every frame, too,
//! and released as soon as it can no longer be adopted.
//!
//! [`Watch`] notices that the custody behind the moment changed while the program runs, off the main thread.

mod gate;
mod moment;
mod watch;

use bevy::prelude::*;

pub use gate::{Gate, Outcome};
pub use moment::Moment;
pub use stage::RefusedState;
pub use watch::{Authority, AuthorityLost, Watch};

/// When the gate works.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GateSystems {
    /// Recheck, swap, stage; in [`Last`]. Systems that change facts or ask for views run before it.
    Pass,
    /// What was noticed about custody is taken in; in [`PreUpdate`].
    Watch,
}

/// Adds the gate. It needs the stage ([`stage::StagePlugin`]) and, before anything can be adopted, a [`Moment`].
#[derive(Clone, Copy, Debug, Default)]
pub struct AdoptionGatePlugin;

impl Plugin for AdoptionGatePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Gate>()
            .add_message::<Outcome>()
            .add_systems(PreUpdate, watch::watch.in_set(GateSystems::Watch))
            .add_systems(Last, gate::pass.in_set(GateSystems::Pass));
    }
}
