//! The doors: stage under an authorization, show under an adoption, release. There is no other way in.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use adoption::{Adopted, ExecutionAuthorization};
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::renderer::RenderDevice;
use forma::wire::v1::PermittedUse;
use identity::Digest;
use kernels::leaf::Columns;
use plan::wire::v1::Variant;
use refusal::Refusal;

use crate::banner::Banner;
use crate::draw::upload;
use crate::embodiment::{EmbodiedElement, Embodiment};
use crate::plugin::{DeviceLost, Letters, NextNumber, RefusedState};
use crate::scene::{BYTES_PER_MARK, Scene};
use crate::{StageError, history, motion, read};

/// A view that was built off screen and is not drawn. Release it or show it; dropped, its entities stay hidden.
#[derive(Debug)]
#[must_use = "a staged view holds entities and device memory until it is shown or released"]
pub struct Staged {
    root: Entity,
    backend: Digest,
}

impl Staged {
    /// Bytes of its buffers and textures, as built.
    pub(crate) fn bytes(&self, world: &World) -> u64 {
        let embodiment = world.get::<Embodiment>(self.root);
        embodiment.map_or(0, |embodiment| embodiment.device_bytes() as u64)
    }
}

/// The view that is drawn.
#[derive(Debug)]
#[must_use = "the shown view stays until it is released"]
pub struct Shown {
    root: Entity,
}

impl Shown {
    /// The root entity, to be asked and never changed.
    #[must_use]
    pub fn root(&self) -> Entity {
        self.root
    }
}

/// Whether a renderer will ever draw what is staged here; without one, staging ends with the numbers.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HasRenderer(pub(crate) bool);

impl HasRenderer {
    pub(crate) fn of(app: &App) -> Self {
        Self(app.get_sub_app(RenderApp).is_some())
    }
}

/// Primitives and elements that are not drawn, by id, because whoever takes the picture sets them beside it: a sheet has the title, the legend
/// and the caveats once and not in each of its views. The mark over what is no claim is always drawn.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Without(pub BTreeSet<String>);

/// Builds the authorized variant off screen: one root, one child an element, hidden.
///
/// # Errors
/// [`StageError::LeafMissing`], [`StageError::Element`] or [`StageError::OverBudget`]; nothing was spawned then.
pub fn stage(
    world: &mut World,
    authorization: &ExecutionAuthorization,
    leaves: &BTreeMap<Digest, Columns>,
) -> Result<Staged, StageError> {
    let variant = authorization.variant();
    let banner = match authorization.permitted_use() {
        PermittedUse::Production => None,
        PermittedUse::StudyOnly => Some(Banner::study()),
    };
    let root = build(world, variant, leaves, banner, false)?;
    Ok(Staged {
        root,
        backend: variant.backend_digest,
    })
}

/// Reads a variant and spawns its entities: hidden when it is to be adopted, drawn when it is history.
pub(crate) fn build(
    world: &mut World,
    variant: &Variant,
    leaves: &BTreeMap<Digest, Columns>,
    banner: Option<Banner<'_>>,
    is_history: bool,
) -> Result<Entity, StageError> {
    let backend = match world.get_resource::<Without>() {
        Some(without) => {
            let mut backend = variant.backend.clone();
            backend.elements.retain(|element| {
                !without.0.contains(&element.representation_primitive_id) && !without.0.contains(&element.id)
            });
            Cow::Owned(backend)
        }
        None => Cow::Borrowed(&variant.backend),
    };
    let scene = world
        .get_resource_mut::<Letters>()
        .ok_or_else(|| StageError::Font("the stage was not added to this app".to_owned()))
        .and_then(|mut letters| {
            let mut scene = read::scene(&backend, leaves, &mut letters.0)?;
            if let Some(banner) = banner {
                banner.put_over(&mut scene, variant.device, &mut letters.0)?;
            }
            Ok(scene)
        })?;
    fits(world, &scene)?;
    let mut next = world.get_resource_or_init::<NextNumber>();
    next.0 += 1;
    let number = next.0;
    let mut embodiment = Embodiment::over(number, scene);
    (embodiment.shown, embodiment.is_history) = (is_history, is_history);
    embodiment.backend = Some(variant.backend_digest);
    embodiment.primitives = variant
        .backend
        .elements
        .iter()
        .map(|element| (element.id.clone(), element.representation_primitive_id.clone()))
        .collect();
    if !world.get_resource::<HasRenderer>().is_some_and(|has| has.0) {
        embodiment.progress.skip();
    }
    let root = world
        .spawn((Name::new(format!("embodiment {number}")), embodiment))
        .id();
    for element in &backend.elements {
        world.spawn((
            EmbodiedElement {
                id: element.id.clone(),
                primitive: element.representation_primitive_id.clone(),
            },
            ChildOf(root),
        ));
    }
    Ok(root)
}

/// Whether the staged view could be drawn now without waiting: buffers on the device, pipelines compiled.
///
/// # Errors
/// [`StageError::Device`] when it never will be, [`StageError::Released`] when its entities are gone.
pub fn is_ready(world: &World, staged: &Staged) -> Result<bool, StageError> {
    if let Some(lost) = world.get_resource::<DeviceLost>() {
        return Err(StageError::Device(lost.why.clone()));
    }
    let embodiment = world.get::<Embodiment>(staged.root).ok_or(StageError::Released)?;
    match embodiment.progress.failure() {
        Some(why) => Err(StageError::Device(why.to_owned())),
        None => Ok(embodiment.progress.is_ready()),
    }
}

/// Shows the staged view in place of the one that was shown, between two frames: afterwards one view is drawn, and
/// the old one's entities and buffers are gone, as is history that was drawn. With [`crate::Motion`], marks of rows that both
/// have are then on their way for a moment, see [`Embodiment::is_moving`].
///
/// # Errors
/// [`StageError::OtherVariant`] when the adoption is for something else, [`StageError::Released`] when the staged
/// entities are gone. Then the staged view is released and the old one is handed back untouched.
pub fn show(
    world: &mut World,
    staged: Staged,
    adopted: &Adopted,
    old: Option<Shown>,
) -> Result<Shown, (StageError, Option<Shown>)> {
    let adopts = adopted.variant().backend_digest;
    if adopts != staged.backend {
        let error = StageError::OtherVariant {
            staged: staged.backend.to_string(),
            adopted: adopts.to_string(),
        };
        release_staged(world, staged);
        return Err((error, old));
    }
    let Some(mut embodiment) = world.get_mut::<Embodiment>(staged.root) else {
        return Err((StageError::Released, old));
    };
    embodiment.shown = true;
    history::leave(world);
    world.remove_resource::<RefusedState>();
    if let Some(old) = old {
        motion::begin(world, old.root, staged.root, adopted.variant().device);
        release(world, old);
    }
    Ok(Shown { root: staged.root })
}

/// Takes a view away, with its entities and buffers.
pub fn release(world: &mut World, shown: Shown) {
    despawn(world, shown.root);
}

/// Takes a staged view away, with its entities and buffers.
pub fn release_staged(world: &mut World, staged: Staged) {
    despawn(world, staged.root);
}

/// Takes the shown view away and says why, in its place.
pub fn refuse(world: &mut World, shown: Option<Shown>, refusal: Refusal) {
    if let Some(shown) = shown {
        release(world, shown);
    }
    world.insert_resource(RefusedState { refusal });
}

pub(crate) fn despawn(world: &mut World, root: Entity) {
    if let Ok(root) = world.get_entity_mut(root) {
        root.despawn();
    }
}

/// Holds the scene against the device's limits before anything is uploaded.
fn fits(world: &World, scene: &Scene) -> Result<(), StageError> {
    let Some(device) = world.get_resource::<RenderDevice>() else {
        return Ok(());
    };
    let limits = device.limits();
    let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let needed = scene.largest_buffer() as u64;
    if needed > most {
        let what = "the largest buffer of the view".to_owned();
        return Err(StageError::OverBudget {
            what,
            needed,
            allowed: most,
            unit: "bytes",
        });
    }
    let in_a_piece = upload::marks_in_a_piece(&limits).max(1);
    let pieces: usize = scene
        .sets
        .iter()
        .filter(|set| upload::fills_space(set))
        .map(|set| set.marks.len().div_ceil(in_a_piece))
        .sum();
    let allowed = u64::from(upload::MOST_PIECES) / 2;
    if pieces as u64 > allowed {
        let bytes = in_a_piece as u64 * BYTES_PER_MARK as u64;
        return Err(StageError::OverBudget {
            what: "the marks of the view".to_owned(),
            needed: pieces as u64 * bytes,
            allowed: allowed * bytes,
            unit: "bytes",
        });
    }
    let (needed, allowed) = (
        scene.atlas.height as u64,
        u64::from(limits.max_texture_dimension_2d),
    );
    if needed > allowed {
        let what = "the letters of the view".to_owned();
        return Err(StageError::OverBudget {
            what,
            needed,
            allowed,
            unit: "texels",
        });
    }
    Ok(())
}
