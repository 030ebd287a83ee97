//! What each camera needs: its uniform, and the marks that fill space in the order far to near.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntries, Buffer, BufferDescriptor, BufferUsages, PipelineCache,
};
use bevy::render::view::{ExtractedView, Msaa};
use bytemuck::{Pod, Zeroable};

use super::pipelines::Pipelines;
use super::upload::{OnDevice, marks_group};
use super::{Device, Extracted, READY};
use crate::scene::MarkSet;
use crate::theme::INKS;

/// `Frame` of the shaders.
#[derive(Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Frame {
    clip_from_world: [[f32; 4]; 4],
    eye: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    viewport: [f32; 4],
    inks: [[f32; 4]; INKS],
}

/// One camera.
pub(super) struct View {
    frame: Frame,
    buffer: Buffer,
    pub(super) group: BindGroup,
    pub(super) eye: Vec3,
    forward: Vec3,
    /// By embodiment and set.
    pub(super) orders: BTreeMap<(u64, usize), Order>,
}

/// The drawing order of one set for one camera.
pub(super) struct Order {
    buffer: Buffer,
    pub(super) group: BindGroup,
    forward: Vec3,
}

/// All cameras, by their entity in the render world.
#[derive(Resource, Default)]
pub(super) struct Views(pub(super) BTreeMap<Entity, View>);

/// Writes what changed: a camera's uniform when it moved, an order when the direction of sight turned.
pub(super) fn prepare(
    mut views: ResMut<Views>,
    cameras: Query<(Entity, &ExtractedView)>,
    extracted: Res<Extracted>,
    on_device: Res<OnDevice>,
    pipelines: Res<Pipelines>,
    on: Device<'_>,
) {
    let Device { device, queue, cache } = on;
    views.0.retain(|entity, _| cameras.contains(*entity));
    for (entity, camera) in &cameras {
        let frame = frame(camera, extracted.theme.linear());
        let forward = camera.world_from_view.forward().as_vec3();
        let eye = Vec4::from_array(frame.eye).truncate();
        let view = views.0.entry(entity).or_insert_with(|| {
            let buffer = device.create_buffer(&BufferDescriptor {
                label: Some("stage frame"),
                size: size_of::<Frame>() as u64,
                usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytemuck::bytes_of(&frame));
            let group = device.create_bind_group(
                "stage frame",
                &cache.get_bind_group_layout(&pipelines.frame),
                &BindGroupEntries::single(buffer.as_entire_binding()),
            );
            View {
                frame,
                buffer,
                group,
                eye,
                forward,
                orders: BTreeMap::new(),
            }
        });
        if view.frame != frame {
            queue.write_buffer(&view.buffer, 0, bytemuck::bytes_of(&frame));
            (view.frame, view.eye, view.forward) = (frame, eye, forward);
        }
        view.orders
            .retain(|(number, _), _| on_device.embodiments.contains_key(number));
        for seen in &extracted.embodiments {
            let Some(uploaded) = on_device.embodiments.get(&seen.number) else {
                continue;
            };
            for (index, set) in seen
                .scene
                .sets
                .iter()
                .enumerate()
                .filter(|(_, set)| fills_space(set))
            {
                let key = (seen.number, index);
                if view
                    .orders
                    .get(&key)
                    .is_some_and(|order| order.forward == view.forward)
                {
                    continue;
                }
                let nearest_last = far_to_near(set, view.forward);
                let order = view.orders.entry(key).or_insert_with(|| {
                    let buffer = device.create_buffer(&BufferDescriptor {
                        label: Some("stage order"),
                        size: (nearest_last.len() * size_of::<u32>()) as u64,
                        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
                        mapped_at_creation: false,
                    });
                    let set = &uploaded.sets[index];
                    let group = marks_group(&device, &cache, &set.sorted, &set.marks, &buffer);
                    Order {
                        buffer,
                        group,
                        forward: view.forward,
                    }
                });
                order.forward = view.forward;
                queue.write_buffer(&order.buffer, 0, bytemuck::cast_slice(&nearest_last));
            }
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
    let compiled = cameras
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

/// Whether the set stands in the volume, so that its marks hide each other by distance.
pub(super) fn fills_space(set: &MarkSet) -> bool {
    set.plane.is_none() && !set.element.is_empty() && !set.marks.is_empty()
}

fn far_to_near(set: &MarkSet, forward: Vec3) -> Vec<u32> {
    let mut keyed: Vec<(f32, u32)> = set
        .marks
        .iter()
        .zip(0..)
        .map(|(mark, index)| (Vec3::from_array(mark.position).dot(forward), index))
        .collect();
    keyed.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    keyed.into_iter().map(|(_, index)| index).collect()
}

fn frame(camera: &ExtractedView, inks: [[f32; 4]; INKS]) -> Frame {
    let world_from_view = camera.world_from_view.to_matrix();
    let view_from_world = world_from_view.inverse();
    let clip_from_world = camera
        .clip_from_world
        .unwrap_or(camera.clip_from_view * view_from_world);
    let is_orthographic = camera.clip_from_view.w_axis.w == 1.0;
    let place = camera.world_from_view.translation();
    // Parallel rays come from an eye far behind the picture.
    let eye = if is_orthographic {
        place - camera.world_from_view.forward() * 1e4
    } else {
        place
    };
    let height = camera.viewport.w as f32;
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
        inks,
    }
}
