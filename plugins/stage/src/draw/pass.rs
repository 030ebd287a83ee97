//! The pass of one camera: what is behind the volume, the volume, what is in front of it.

use bevy::camera::{MainPassResolutionOverride, Viewport};
use bevy::prelude::*;
use bevy::render::camera::ExtractedCamera;
use bevy::render::render_phase::TrackedRenderPass;
use bevy::render::render_resource::{BindGroup, PipelineCache, RenderPassDescriptor, RenderPipeline};
use bevy::render::renderer::{RenderContext, ViewQuery};
use bevy::render::view::{ExtractedView, Msaa, ViewTarget};

use super::pipelines::{Kind, Pipelines};
use super::upload::{BEHIND, EVERYTHING, IN_FRONT, Items, OnDevice, Uploaded};
use super::views::{View, Views, fills_space};
use super::{DRAWN, Extracted, Seen};
use crate::scene::MarkSet;

pub(super) fn draw(
    camera: ViewQuery<(
        &ExtractedCamera,
        &ExtractedView,
        &ViewTarget,
        &Msaa,
        Option<&MainPassResolutionOverride>,
    )>,
    extracted: Res<Extracted>,
    on_device: Res<OnDevice>,
    views: Res<Views>,
    pipelines: Res<Pipelines>,
    cache: Res<PipelineCache>,
    mut context: RenderContext,
) {
    let entity = camera.entity();
    let (camera, view, target, msaa, resolution) = camera.into_inner();
    let shown: Vec<(&Seen, &Uploaded)> = extracted
        .embodiments
        .iter()
        .filter(|seen| seen.shown)
        .filter_map(|seen| Some((seen, on_device.embodiments.get(&seen.number)?)))
        .collect();
    let (Some(prepared), Some(pipelines)) = (
        views.0.get(&entity),
        pipelines.of(&cache, view.target_format, msaa.samples()),
    ) else {
        return;
    };
    if shown.is_empty() {
        return;
    }
    let mut pass = context.begin_tracked_render_pass(RenderPassDescriptor {
        label: Some("stage"),
        color_attachments: &[Some(target.get_color_attachment())],
        depth_stencil_attachment: None,
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    });
    if let Some(viewport) = Viewport::from_viewport_and_override(camera.viewport.as_ref(), resolution) {
        pass.set_camera_viewport(&viewport);
    }
    pass.set_bind_group(0, &prepared.group, &[]);
    let mut brush = Brush {
        pass,
        pipelines,
        view: prepared,
    };
    for (seen, uploaded) in shown {
        brush.embodiment(seen, uploaded);
        seen.progress.reached(DRAWN);
    }
}

struct Brush<'a> {
    pass: TrackedRenderPass<'a>,
    pipelines: [&'a RenderPipeline; 4],
    view: &'a View,
}

impl<'a> Brush<'a> {
    fn embodiment(&mut self, seen: &Seen, uploaded: &'a Uploaded) {
        let sets = || seen.scene.sets.iter().zip(&uploaded.sets).enumerate();
        self.items(Kind::Surfaces, uploaded.surfaces.as_ref(), BEHIND);
        self.items(Kind::Lines, uploaded.lines.as_ref(), BEHIND);
        for (_, (set, there)) in sets().filter(|(_, (set, _))| !fills_space(set)) {
            if self.side(set, seen) == BEHIND {
                self.marks(&there.sides[EVERYTHING as usize], 0..there.count);
            } else if set.plane.is_none() && !set.is_still {
                self.marks(&there.sides[BEHIND as usize], 0..there.count);
            }
        }
        self.text(uploaded, BEHIND);
        for (index, (_, there)) in sets().filter(|(_, (set, _))| fills_space(set)) {
            let group = self
                .view
                .orders
                .get(&(seen.number, index))
                .map_or(&there.sides[EVERYTHING as usize], |order| &order.group);
            self.marks(group, 0..there.count);
        }
        self.items(Kind::Surfaces, uploaded.surfaces.as_ref(), IN_FRONT);
        self.items(Kind::Lines, uploaded.lines.as_ref(), IN_FRONT);
        for (_, (set, there)) in sets().filter(|(_, (set, _))| !fills_space(set)) {
            if set.plane.is_none() && !set.is_still {
                self.marks(&there.sides[IN_FRONT as usize], 0..there.count);
            } else if self.side(set, seen) == IN_FRONT {
                self.marks(&there.sides[EVERYTHING as usize], 0..there.count);
            }
        }
        for (index, (_, there)) in sets() {
            if let Some(mark) = seen
                .emphasis
                .get(index)
                .copied()
                .flatten()
                .filter(|mark| *mark < there.count)
            {
                self.marks(&there.accent, mark..mark + 1);
            }
        }
        self.text(uploaded, IN_FRONT);
    }

    /// Flat marks stay together: their wall is behind the volume or in front of it. Symbols are parted one by one.
    fn side(&self, set: &MarkSet, seen: &Seen) -> u32 {
        if set.plane.is_none() {
            return IN_FRONT;
        }
        let Some((low, high)) = seen.scene.volume else {
            return BEHIND;
        };
        let slack = Vec3::splat(1e-4);
        let eye = self.view.eye;
        let below = set.high.cmple(low + slack) & eye.cmplt(low);
        let above = set.low.cmpge(high - slack) & eye.cmpgt(high);
        if (below | above).any() { IN_FRONT } else { BEHIND }
    }

    fn text(&mut self, uploaded: &'a Uploaded, side: u32) {
        self.items(Kind::Text, uploaded.outlines.as_ref(), side);
        self.items(Kind::Text, uploaded.letters.as_ref(), side);
    }

    fn items(&mut self, kind: Kind, items: Option<&'a Items>, side: u32) {
        if let Some(items) = items {
            self.draw(kind, &items.sides[side as usize], 0..items.count);
        }
    }

    fn marks(&mut self, group: &'a BindGroup, range: std::ops::Range<u32>) {
        self.draw(Kind::Marks, group, range);
    }

    fn draw(&mut self, kind: Kind, group: &'a BindGroup, range: std::ops::Range<u32>) {
        self.pass.set_render_pipeline(self.pipelines[kind as usize]);
        self.pass.set_bind_group(1, group, &[]);
        self.pass.draw(0..4, range);
    }
}
