//! The drawing itself: buffers uploaded once, one pass a camera in which whatever is farther comes first.
//!
//! The marks that fill space stand in a box; what lies outside a face of it is drawn before the box or after it,
//! depending on the eye's side of that face. The marks themselves are drawn before, on a [`canvas`] where
//! each pixel is signed by the nearest and then painted once: none is sorted, nothing is written for them when the camera
//! moves, and nothing is drawn anew while it stands still. Edges are soft without multisampling.

mod canvas;
mod moving;
mod pass;
mod pipelines;
pub(crate) mod upload;
mod views;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use bevy::core_pipeline::Core3dSystems;
use bevy::core_pipeline::core_3d::{main_opaque_pass_3d, main_transparent_pass_3d};
use bevy::core_pipeline::schedule::Core3d;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::render::render_resource::PipelineCache;
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::{Extract, ExtractSchedule, GpuResourceAppExt, Render, RenderApp, RenderSystems};

use crate::embodiment::Embodiment;
use crate::motion::Trails;
use crate::scene::Scene;
use crate::states::States;
use crate::theme::Theme;

/// How far an embodiment has come on the device; shared by both worlds.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    state: AtomicU32,
    failure: OnceLock<String>,
}

const UPLOADED: u32 = 1;
const READY: u32 = 2;
const DRAWN: u32 = 3;

impl Progress {
    /// Buffers are on the device and every pipeline that a camera needs is compiled.
    pub(crate) fn is_ready(&self) -> bool {
        self.state.load(Ordering::Acquire) >= READY
    }

    /// It was drawn completely at least once.
    pub(crate) fn is_drawn(&self) -> bool {
        self.state.load(Ordering::Acquire) == DRAWN
    }

    /// Nothing will be drawn in this app; staging ends with the numbers.
    pub(crate) fn skip(&self) {
        self.state.fetch_max(READY, Ordering::AcqRel);
    }

    /// Why it can never be drawn here.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    fn fails(&self, why: &str) {
        self.failure.get_or_init(|| why.to_owned());
    }

    fn reached(&self, state: u32) {
        self.state.fetch_max(state, Ordering::AcqRel);
    }
}

/// What the render world knows of one embodiment.
#[derive(Clone, Debug)]
struct Seen {
    number: u64,
    scene: Arc<Scene>,
    progress: Arc<Progress>,
    states: Arc<States>,
    /// Where its marks come from while it moves, and how far they are.
    moving: Option<(Arc<Trails>, f32)>,
    shown: bool,
    /// Index of the emphasized mark in each set.
    emphasis: Vec<Option<u32>>,
}

/// The device, for systems that make something on it.
#[derive(SystemParam)]
struct Device<'w> {
    device: Res<'w, RenderDevice>,
    queue: Res<'w, RenderQueue>,
    cache: Res<'w, PipelineCache>,
}

/// Bytes written to the queue by the drawing so far.
#[derive(Resource, Default)]
struct Written(u64);

#[derive(Resource, Default)]
struct Extracted {
    embodiments: Vec<Seen>,
    theme: Theme,
}

fn extract(
    mut extracted: ResMut<Extracted>,
    embodiments: Extract<Query<&Embodiment>>,
    theme: Extract<Res<Theme>>,
) {
    extracted.embodiments.clear();
    extracted.embodiments.extend(embodiments.iter().map(|embodiment| {
        Seen {
            number: embodiment.number,
            scene: Arc::clone(&embodiment.scene),
            progress: Arc::clone(&embodiment.progress),
            states: Arc::clone(&embodiment.states),
            moving: embodiment
                .moving
                .as_ref()
                .map(|moving| (Arc::clone(&moving.trails), moving.t())),
            shown: embodiment.shown,
            emphasis: embodiment.emphasis.clone(),
        }
    }));
    extracted.embodiments.sort_by_key(|seen| seen.number);
    if extracted.theme != **theme {
        extracted.theme = theme.clone();
    }
}

/// Adds the drawing to an app that has a renderer; does nothing in one without.
pub(crate) fn plugin(app: &mut App) {
    pipelines::add_shaders(app);
    let Some(render_app) = app.get_sub_app_mut(RenderApp) else {
        return;
    };
    render_app
        .init_resource::<Extracted>()
        .init_resource::<Written>()
        .init_gpu_resource::<pipelines::Pipelines>()
        .init_gpu_resource::<upload::OnDevice>()
        .init_gpu_resource::<views::Views>()
        .add_systems(ExtractSchedule, extract)
        .add_systems(
            Render,
            (
                pipelines::queue.in_set(RenderSystems::PrepareResources),
                upload::upload.in_set(RenderSystems::PrepareResources),
                views::prepare.in_set(RenderSystems::PrepareBindGroups),
                views::report.in_set(RenderSystems::Cleanup),
            ),
        )
        .add_systems(
            Core3d,
            pass::draw
                .in_set(Core3dSystems::MainPass)
                .after(main_opaque_pass_3d)
                .before(main_transparent_pass_3d),
        );
}

/// How many embodiments have buffers on the device.
pub(crate) fn on_device(app: &App) -> usize {
    let render = app.get_sub_app(RenderApp);
    render
        .and_then(|render| render.world().get_resource::<upload::OnDevice>())
        .map_or(0, |on_device| on_device.embodiments.len())
}

/// Bytes that the drawing has written to the device's queue so far; buffers are filled where they are made.
#[cfg(test)]
pub(crate) fn written(app: &App) -> u64 {
    let render = app.get_sub_app(RenderApp);
    render
        .and_then(|render| render.world().get_resource::<Written>())
        .map_or(0, |written| written.0)
}
