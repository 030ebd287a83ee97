//! The door of history: a recorded picture under its mark, beside nothing that is in force.

use adoption::Runtime;
use bevy::prelude::*;
use replay::HistoricalInspection;

use crate::StageError;
use crate::banner::Banner;
use crate::embodiment::Embodiment;
use crate::staging::{build, despawn};

/// A picture that is drawn as history. It is no adoption and gives none: whoever holds it can release it.
#[derive(Debug)]
#[must_use = "history stays drawn until it is released"]
pub struct Historical {
    root: Entity,
}

impl Historical {
    /// The root entity, to be asked and never changed.
    #[must_use]
    pub fn root(&self) -> Entity {
        self.root
    }
}

/// Draws what was recorded, under the sentence of the inspection and a border of crosses. What was drawn as history
/// before goes; what is in force is not touched, and history is not drawn over it.
///
/// # Errors
/// [`StageError::OtherRun`] for an inspection of another run, [`StageError::InForce`] while a view is in force,
/// [`StageError::Element`] when the recorded variant is not in the plan, and as [`crate::stage`].
pub fn show_history(
    world: &mut World,
    history: &HistoricalInspection,
    runtime: &Runtime,
) -> Result<Historical, StageError> {
    if !history.belongs_to(runtime) {
        return Err(StageError::OtherRun);
    }
    let mut embodiments = world.query::<&Embodiment>();
    if embodiments.iter(world).any(Embodiment::is_shown) {
        return Err(StageError::InForce);
    }
    let variants = &history.plan().body().variants;
    let variant = variants
        .iter()
        .find(|variant| variant.name == history.variant())
        .ok_or_else(|| StageError::Element {
            element: history.variant().to_owned(),
            why: "the recorded plan has no such variant".to_owned(),
        })?;
    let banner = Some(Banner::history(history.mark()));
    let root = build(world, variant, history.leaves(), banner, true)?;
    leave_all_but(world, Some(root));
    Ok(Historical { root })
}

/// Takes history away, with its entities and buffers.
pub fn release_history(world: &mut World, history: Historical) {
    despawn(world, history.root);
}

/// Takes away whatever is drawn as history: a view comes into force, and nothing is drawn beside it.
pub(crate) fn leave(world: &mut World) {
    leave_all_but(world, None);
}

fn leave_all_but(world: &mut World, kept: Option<Entity>) {
    let mut roots = world.query::<(Entity, &Embodiment)>();
    let gone: Vec<Entity> = roots
        .iter(world)
        .filter(|(root, embodiment)| embodiment.is_history() && Some(*root) != kept)
        .map(|(root, _)| root)
        .collect();
    for root in gone {
        despawn(world, root);
    }
}
