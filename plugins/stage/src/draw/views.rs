//! What each camera needs: its uniform, and the canvas on which marks that fill space are drawn.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::prelude::*;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntries, Buffer, BufferDescriptor, BufferUsages, PipelineCache,
};
use bevy::render::view::{ExtractedView, Msaa};
use bytemuck::{Pod, Zeroable};

use super::canvas::Canvas;
use super::pipelines::Pipelines;
use super::upload::OnDevice;
use super::{Device, Extracted, READY, Written};
use crate::theme::{CATEGORIES, INKS, Theme};

/// `Frame` of the shaders.
#[derive(Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Frame {
    clip_from_world: [[f32; 4]; 4],
    eye: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    viewport: [f32; 4],
    corner: [f32; 4],
    light: [f32; 4],
    inks: [[f32; 4]; INKS],
    named: [[f32; 4]; CATEGORIES],
}

/// One camera.
pub(super) struct View {
    frame: Frame,
    buffer: Buffer,
    pub(super) group: BindGroup,
    pub(super) eye: Vec3,
    pub(super) canvas: Option<Canvas>,
    /// What the canvas shows: embodiments, each with the version of its states.
    shows: Vec<(u64, u64)>,
    /// Whether the canvas shows something else than it should.
    is_stale: AtomicBool,
}

impl View {
    /// Whether the canvas has to be drawn again; asked once a frame, by whoever draws it.
    pub(super) fn takes_stale(&self) -> bool {
        self.is_stale.swap(false, Ordering::Relaxed)
    }
}

impl View {
    /// The pixels that marks between two corners of a box can reach, with room for the marks themselves; everything when
    /// a corner is not before the eye.
    pub(super) fn reach(&self, boxes: impl Iterator<Item = (Vec3, Vec3, f32)>) -> URect {
        let clip_from_world = Mat4::from_cols_array_2d(&self.frame.clip_from_world);
        let [width, height, scale, _] = self.frame.viewport;
        let size = Vec2::new(width, height);
        let everything = URect::from_corners(UVec2::ZERO, size.as_uvec2());
        let (mut low, mut high) = (Vec2::MAX, Vec2::MIN);
        for (least, most, diameter) in boxes {
            for corner in 0..8_u32 {
                let pick = |axis: usize| {
                    if (corner >> axis) & 1 == 0 {
                        least[axis]
                    } else {
                        most[axis]
                    }
                };
                let clip = clip_from_world * Vec3::new(pick(0), pick(1), pick(2)).extend(1.0);
                if clip.w <= 1e-3 {
                    return everything;
                }
                let at = (clip.truncate().truncate() / clip.w * Vec2::new(0.5, -0.5) + 0.5) * size;
                let room = Vec2::splat(diameter * scale / clip.w + 4.0);
                (low, high) = (low.min(at - room), high.max(at + room));
            }
        }
        let whole = |at: Vec2| at.clamp(Vec2::ZERO, size).as_uvec2();
        let (low, high) = (whole(low.floor()), whole(high.ceil()));
        if low.cmplt(high).all() {
            URect::from_corners(low, high)
        } else {
            URect::from_corners(UVec2::ZERO, UVec2::ONE)
        }
    }
}

/// All cameras, by their entity in the render world.
#[derive(Resource, Default)]
pub(super) struct Views(pub(super) BTreeMap<Entity, View>);

/// Writes what changed: a camera's uniform when it moved, and nothing else, however many marks there are.
pub(super) fn prepare(
    mut views: ResMut<Views>,
    mut written: ResMut<Written>,
    cameras: Query<(Entity, &ExtractedView)>,
    extracted: Res<Extracted>,
    on_device: Res<OnDevice>,
    pipelines: Res<Pipelines>,
    on: Device<'_>,
) {
    let Device { device, queue, cache } = on;
    views.0.retain(|entity, _| cameras.contains(*entity));
    let shows: Vec<(u64, u64)> = extracted
        .embodiments
        .iter()
        .filter(|seen| seen.shown && on_device.embodiments.contains_key(&seen.number))
        .map(|seen| {
            (
                seen.number,
                2 * seen.states.version() + u64::from(seen.moving.is_some()),
            )
        })
        .collect();
    // At most one view is shown, so one number says how far whatever moves is on its way.
    let moving = extracted.embodiments.iter().filter(|seen| seen.shown);
    let way = moving
        .filter_map(|seen| seen.moving.as_ref().map(|(_, way)| *way))
        .next()
        .unwrap_or(1.0);
    for (entity, camera) in &cameras {
        let frame = frame(camera, &extracted.theme, way);
        let view = views.0.entry(entity).or_insert_with(|| {
            let buffer = device.create_buffer(&BufferDescriptor {
                label: Some("stage frame"),
                size: size_of::<Frame>() as u64,
                usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let group = device.create_bind_group(
                "stage frame",
                &cache.get_bind_group_layout(&pipelines.frame),
                &BindGroupEntries::single(buffer.as_entire_binding()),
            );
            View {
                frame: Frame::zeroed(),
                buffer,
                group,
                eye: Vec3::ZERO,
                canvas: None,
                shows: Vec::new(),
                is_stale: AtomicBool::new(true),
            }
        });
        if view.frame != frame {
            let bytes = bytemuck::bytes_of(&frame);
            queue.write_buffer(&view.buffer, 0, bytes);
            written.0 += bytes.len() as u64;
            view.frame = frame;
            view.eye = Vec4::from_array(frame.eye).truncate();
            view.is_stale.store(true, Ordering::Relaxed);
        }
        if view.shows != shows {
            view.shows.clone_from(&shows);
            view.is_stale.store(true, Ordering::Relaxed);
        }
        let size = camera.viewport.zw().max(UVec2::ONE);
        if view.canvas.as_ref().map(Canvas::size) != Some(size) {
            view.canvas = Some(Canvas::new(&device, &cache, &pipelines, size));
            view.is_stale.store(true, Ordering::Relaxed);
        }
    }
}

/// Tells the main world which embodiments could be drawn now without waiting for anything.
pub(super) fn report(
    extracted: Res<Extracted>,
    on_device: Res<OnDevice>,
    pipelines: Res<Pipelines>,
    cache: Res<PipelineCache>,
    cameras: Query<(&ExtractedView, &Msaa)>,
) {
    let compiled = pipelines.own(&cache).is_some()
        && cameras
            .iter()
            .all(|(view, msaa)| pipelines.of(&cache, view.target_format, msaa.samples()).is_some());
    let failure = pipelines.failure(&cache);
    for seen in &extracted.embodiments {
        if let Some(why) = &failure {
            seen.progress.fails(why);
        }
        if compiled && on_device.embodiments.contains_key(&seen.number) {
            seen.progress.reached(READY);
        }
    }
}

/// Toward the light of the room: from above, the front and a little from the left.
const ROOM_LIGHT: Vec3 = Vec3::new(-0.35, 0.85, 0.4);

fn frame(camera: &ExtractedView, theme: &Theme, way: f32) -> Frame {
    let (inks, named) = theme.linear();
    let world_from_view = camera.world_from_view.to_matrix();
    let view_from_world = world_from_view.inverse();
    let clip_from_world = camera
        .clip_from_world
        .unwrap_or(camera.clip_from_view * view_from_world);
    let is_orthographic = camera.clip_from_view.w_axis.w == 1.0;
    let place = camera.world_from_view.translation();
    let forward = camera.world_from_view.forward().as_vec3();
    // Parallel rays come from an eye far behind the picture.
    let eye = if is_orthographic {
        place - forward * 1e4
    } else {
        place
    };
    let height = camera.viewport.w as f32;
    // Half the light goes with the viewer, so that what faces them is always lit.
    let light = (0.5 * ROOM_LIGHT.normalize() - 0.8 * forward).normalize_or_zero();
    Frame {
        clip_from_world: clip_from_world.to_cols_array_2d(),
        eye: eye.extend(1.0).to_array(),
        right: camera.world_from_view.right().extend(0.0).to_array(),
        up: camera.world_from_view.up().extend(0.0).to_array(),
        viewport: [
            camera.viewport.z as f32,
            height,
            0.5 * height * camera.clip_from_view.y_axis.y,
            0.0,
        ],
        corner: [
            camera.viewport.x as f32,
            camera.viewport.y as f32,
            camera.clip_from_view.w_axis.z,
            way,
        ],
        light: light.extend(0.0).to_array(),
        inks,
        named,
    }
}
