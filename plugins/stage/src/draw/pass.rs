//! The pass of one camera: what is behind the volume, the volume, what is in front of it.

use bevy::camera::{MainPassResolutionOverride, Viewport};
use bevy::prelude::*;
use bevy::render::camera::ExtractedCamera;
use bevy::render::render_phase::TrackedRenderPass;
use bevy::render::render_resource::{BindGroup, PipelineCache, RenderPassDescriptor, RenderPipeline};
use bevy::render::renderer::{RenderContext, ViewQuery};
use bevy::render::view::{ExtractedView, Msaa, ViewTarget};

use super::canvas::Canvas;
use super::moving::Moved;
use super::pipelines::{Form, KINDS, Kind, Pipelines};
use super::upload::{BEHIND, EVERYTHING, IN_FRONT, Items, OnDevice, Piece, Set, Uploaded, fills_space};
use super::views::{View, Views};
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
    let shown: Vec<Shown<'_>> = extracted
        .embodiments
        .iter()
        .filter(|seen| seen.shown)
        .filter_map(|seen| {
            Some(Shown {
                seen,
                there: on_device.embodiments.get(&seen.number)?,
                moved: seen.moving.as_ref().and(on_device.moved.get(&seen.number)),
            })
        })
        .collect();
    let (Some(prepared), Some(raster), Some(own)) = (
        views.0.get(&entity),
        pipelines.of(&cache, view.target_format, msaa.samples()),
        pipelines.own(&cache),
    ) else {
        return;
    };
    if shown.is_empty() {
        return;
    }
    let mut pieces: Vec<&Piece> = Vec::new();
    let mut sheer: Vec<&Piece> = Vec::new();
    for shown in &shown {
        pieces.extend(
            shown
                .sets()
                .filter(|(set, _)| fills_space(set))
                .flat_map(|(_, there)| &there.pieces),
        );
        // Solids do not move: they go with the axes, and come with them.
        if shown.moved.is_some() {
            continue;
        }
        for (set, there) in shown.seen.scene.solids.iter().zip(&shown.there.solids) {
            if set.is_sheer() {
                sheer.extend(&there.pieces);
            } else {
                pieces.extend(&there.pieces);
            }
        }
    }
    let within = prepared.reach(pieces.iter().map(|piece| piece.extent));
    let canvas = prepared
        .canvas
        .as_ref()
        .filter(|_| !pieces.is_empty() || !sheer.is_empty());
    if let Some(canvas) = canvas
        && prepared.takes_stale()
    {
        canvas.fill(context.command_encoder(), &prepared.group, &pieces, &own, within);
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
        pipelines: raster,
        view: prepared,
    };
    for shown in &shown {
        brush.behind(shown);
    }
    if let Some(canvas) = canvas {
        if !pieces.is_empty() {
            brush.resolve(canvas, within, camera.viewport.as_ref());
        }
        brush.sheer(canvas, &sheer);
    }
    for shown in &shown {
        brush.in_front(shown);
        shown.seen.progress.reached(DRAWN);
    }
}

/// An embodiment that is drawn, as it stands or on its way.
struct Shown<'a> {
    seen: &'a Seen,
    there: &'a Uploaded,
    moved: Option<&'a Moved>,
}

impl<'a> Shown<'a> {
    /// Its sets of marks with their pieces: on the way, what goes is among them and the symbols of the legend are not.
    fn sets(&self) -> impl Iterator<Item = (&'a MarkSet, &'a Set)> {
        let (own, leaving) = match (self.moved, &self.seen.moving) {
            (Some(moved), Some((trails, _))) => (&moved.sets, trails.leaving.iter().zip(&moved.leaving)),
            _ => (&self.there.sets, [].iter().zip(&[])),
        };
        let is_on_its_way = self.moved.is_some();
        let own = self.seen.scene.sets.iter().zip(own);
        own.filter(move |(set, _)| !(is_on_its_way && set.element.is_empty()))
            .chain(leaving)
    }
}

struct Brush<'a> {
    pass: TrackedRenderPass<'a>,
    pipelines: [&'a RenderPipeline; KINDS],
    view: &'a View,
}

impl<'a> Brush<'a> {
    fn behind(&mut self, shown: &Shown<'a>) {
        if let Some(moved) = shown.moved {
            self.beside(shown, BEHIND);
            return self.text(&moved.label, BEHIND);
        }
        self.items(Kind::Surfaces, shown.there.surfaces.as_ref(), BEHIND);
        self.items(Kind::Lines, shown.there.lines.as_ref(), BEHIND);
        self.beside(shown, BEHIND);
        self.text(shown.there, BEHIND);
    }

    fn resolve(&mut self, canvas: &'a Canvas, within: URect, viewport: Option<&Viewport>) {
        let corner = viewport.map_or(UVec2::ZERO, |viewport| viewport.physical_position);
        self.pass.set_scissor_rect(
            corner.x + within.min.x,
            corner.y + within.min.y,
            within.width(),
            within.height(),
        );
        self.pass
            .set_render_pipeline(self.pipelines[Kind::Resolve as usize]);
        self.pass.set_bind_group(1, &canvas.show, &[]);
        self.pass.draw(0..3, 0..1);
        let size = canvas.size();
        self.pass.set_scissor_rect(corner.x, corner.y, size.x, size.y);
    }

    /// What can be seen through, over what is solid.
    fn sheer(&mut self, canvas: &'a Canvas, pieces: &[&'a Piece]) {
        for piece in pieces {
            let kind = if piece.form == Form::Boxes {
                Kind::SheerBoxes
            } else {
                Kind::SheerStretches
            };
            self.pass.set_render_pipeline(self.pipelines[kind as usize]);
            self.pass
                .set_bind_group(1, &piece.sides[EVERYTHING as usize], &[]);
            self.pass.set_bind_group(2, &canvas.before, &[]);
            self.pass.draw(0..piece.form.vertices() * piece.count, 0..1);
        }
    }

    fn in_front(&mut self, shown: &Shown<'a>) {
        if let (Some(moved), Some((trails, _))) = (shown.moved, &shown.seen.moving) {
            self.beside(shown, IN_FRONT);
            self.symbols(trails.label.sets.iter().zip(&moved.label.sets));
            return self.text(&moved.label, IN_FRONT);
        }
        let (seen, uploaded) = (shown.seen, shown.there);
        self.items(Kind::Surfaces, uploaded.surfaces.as_ref(), IN_FRONT);
        self.items(Kind::Lines, uploaded.lines.as_ref(), IN_FRONT);
        self.beside(shown, IN_FRONT);
        for (set, emphasis) in uploaded.sets.iter().zip(&seen.emphasis) {
            let mut first = 0;
            for piece in &set.pieces {
                if let Some(mark) = emphasis.filter(|mark| (first..first + piece.count).contains(mark)) {
                    self.marks(&piece.accent, mark - first..mark - first + 1);
                }
                first += piece.count;
            }
        }
        self.text(uploaded, IN_FRONT);
    }

    /// Marks that do not fill space: on walls, and symbols.
    fn beside(&mut self, shown: &Shown<'a>, side: u32) {
        for (set, there) in shown.sets() {
            if fills_space(set) {
                continue;
            }
            let is_parted = set.plane.is_none() && !set.is_still;
            if !is_parted && self.side(set, shown.seen) != side {
                continue;
            }
            let group = if is_parted { side } else { EVERYTHING };
            for piece in &there.pieces {
                self.marks(&piece.sides[group as usize], 0..piece.count);
            }
        }
    }

    /// The border of a mark over the picture.
    fn symbols(&mut self, sets: impl Iterator<Item = (&'a MarkSet, &'a Set)>) {
        for piece in sets.flat_map(|(_, there)| &there.pieces) {
            self.marks(&piece.sides[EVERYTHING as usize], 0..piece.count);
        }
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

    /// Three vertices a mark in one instance: drivers that run on a processor set each instance up anew.
    fn marks(&mut self, group: &'a BindGroup, marks: std::ops::Range<u32>) {
        self.pass
            .set_render_pipeline(self.pipelines[Kind::Marks as usize]);
        self.pass.set_bind_group(1, group, &[]);
        self.pass.draw(3 * marks.start..3 * marks.end, 0..1);
    }

    fn draw(&mut self, kind: Kind, group: &'a BindGroup, range: std::ops::Range<u32>) {
        self.pass.set_render_pipeline(self.pipelines[kind as usize]);
        self.pass.set_bind_group(1, group, &[]);
        self.pass.draw(0..4, range);
    }
}
