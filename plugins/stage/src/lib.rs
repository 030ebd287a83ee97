//! The only spawner of embodiments: an authorized variant becomes entities, and its marks become one draw an element.
//!
//! **Never** decides what may be seen: it stages under an authorization and shows under an adoption; what is drawn as
//! history is drawn under a visible mark, beside nothing that is in force.
//!
//! [`stage`] builds a variant off screen, [`is_ready`] says when it could be drawn without waiting, [`show`] swaps it in
//! under an [`adoption::Adopted`] and releases what was there. Marks are uploaded once, at most 24 bytes each; a camera
//! that stands still uploads nothing. [`show_history`] draws a recorded picture under its mark; a view that is for a
//! study alone carries a mark of its own. [`Picking`] answers with row keys, and [`Focus`] says in row keys what is
//! hovered, selected, brushed and isolated. [`stage_best`] takes of several admitted variants the largest that fits. [`headless`] takes pictures without a window.

mod aim;
mod banner;
mod brush;
mod bvh;
mod camera;
mod draw;
mod embodiment;
mod error;
mod focus;
mod governor;
mod graphics;
pub mod headless;
mod history;
mod motion;
mod outline;
pub mod page;
mod pick;
mod picture;
mod plugin;
mod read;
mod roll;
mod scene;
mod selection;
mod solid;
mod staging;
mod states;
#[cfg(test)]
mod tests;
mod text;
mod theme;

pub use aim::{Aim, Eye};
pub use brush::Brush;
pub use camera::OrbitCamera;
pub use embodiment::{EmbodiedElement, Embodiment, Emphasis};
pub use error::StageError;
pub use focus::Focus;
pub use governor::{Budget, Choice, Governor, Measured, PassedOver, WhyNot, stage_best};
pub use graphics::Graphics;
pub use history::{Historical, release_history, show_history};
pub use motion::{MOST_IN_MOTION, Motion, Passage, WhyCut};
pub use pick::{Picked, Picking};
pub use plugin::{DeviceLost, RefusedState, StagePlugin, StageSystems};
pub use scene::BYTES_PER_MARK;
pub use selection::{How, Selection};
pub use staging::{Shown, Staged, Without, is_ready, refuse, release, release_staged, show, stage};
pub use theme::{Ink, Theme};
