//! Buffers of an embodiment: made once when it is staged, dropped when it is released.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntries, Buffer, BufferInitDescriptor, BufferUsages, Extent3d, FilterMode,
    PipelineCache, Sampler, SamplerDescriptor, TextureDataOrder, TextureDescriptor, TextureDimension,
    TextureFormat, TextureUsages, TextureView, TextureViewDescriptor,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bytemuck::{Pod, Zeroable};

use super::pipelines::{Kind, Pipelines};
use super::{Device, Extracted, UPLOADED};
use crate::scene::{MarkSet, Scene};

/// `Layer` of the shaders.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Layer {
    box_min: [f32; 4],
    box_max: [f32; 4],
    plane_u: [f32; 4],
    plane_v: [f32; 4],
    opacity: f32,
    side: u32,
    sorted: u32,
    accent: u32,
}

pub(super) const BEHIND: u32 = 0;
pub(super) const IN_FRONT: u32 = 1;
pub(super) const EVERYTHING: u32 = 2;

/// The bind groups of one kind of item, behind the volume and in front of it.
pub(super) struct Items {
    pub(super) sides: [BindGroup; 2],
    pub(super) count: u32,
}

/// The marks of one element.
pub(super) struct Set {
    pub(super) marks: Buffer,
    pub(super) count: u32,
    /// By side; for marks that fill space only the last is used, and only while a view has not sorted them.
    pub(super) sides: [BindGroup; 3],
    pub(super) sorted: Buffer,
    pub(super) accent: BindGroup,
}

/// One embodiment on the device.
pub(super) struct Uploaded {
    pub(super) sets: Vec<Set>,
    pub(super) lines: Option<Items>,
    pub(super) surfaces: Option<Items>,
    pub(super) outlines: Option<Items>,
    pub(super) letters: Option<Items>,
}

/// All embodiments on the device, by number.
#[derive(Resource)]
pub(super) struct OnDevice {
    pub(super) embodiments: BTreeMap<u64, Uploaded>,
    smooth: Sampler,
}

impl FromWorld for OnDevice {
    fn from_world(world: &mut World) -> Self {
        let device = world.resource::<RenderDevice>();
        let smooth = device.create_sampler(&SamplerDescriptor {
            label: Some("stage text"),
            mag_filter: FilterMode::Linear,
            min_filter: FilterMode::Linear,
            ..default()
        });
        Self {
            embodiments: BTreeMap::new(),
            smooth,
        }
    }
}

/// Makes what is new and drops what is gone. Nothing is written for what is already there.
pub(super) fn upload(extracted: Res<Extracted>, mut on_device: ResMut<OnDevice>, on: Device<'_>) {
    let OnDevice { embodiments, smooth } = &mut *on_device;
    embodiments.retain(|number, _| extracted.embodiments.iter().any(|seen| seen.number == *number));
    for seen in &extracted.embodiments {
        embodiments.entry(seen.number).or_insert_with(|| {
            let made = Maker {
                device: &on.device,
                queue: &on.queue,
                cache: &on.cache,
                scene: &seen.scene,
            }
            .make(smooth);
            seen.progress.reached(UPLOADED);
            made
        });
    }
}

struct Maker<'a> {
    device: &'a RenderDevice,
    queue: &'a RenderQueue,
    cache: &'a PipelineCache,
    scene: &'a Scene,
}

impl Maker<'_> {
    fn make(&self, smooth: &Sampler) -> Uploaded {
        let scene = self.scene;
        let atlas = self.atlas();
        let letters = self.storage("stage letters", &scene.letters);
        let text = |accent| {
            letters.as_ref().map(|buffer| Items {
                sides: [BEHIND, IN_FRONT].map(|side| {
                    let layer = self.layer(side, |layer| layer.accent = accent);
                    self.device.create_bind_group(
                        "stage text",
                        &self.cache.get_bind_group_layout(&Pipelines::layer(Kind::Text)),
                        &BindGroupEntries::sequential((
                            layer.as_entire_binding(),
                            buffer.as_entire_binding(),
                            &atlas,
                            smooth,
                        )),
                    )
                }),
                count: count(scene.letters.len()),
            })
        };
        let (outlines, letters) = (text(1), text(0));
        Uploaded {
            sets: scene.sets.iter().map(|set| self.set(set)).collect(),
            lines: self.items(Kind::Lines, "stage lines", &scene.lines),
            surfaces: self.items(Kind::Surfaces, "stage surfaces", &scene.surfaces),
            outlines,
            letters,
        }
    }

    fn set(&self, set: &MarkSet) -> Set {
        let marks = self.buffer("stage marks", bytemuck::cast_slice(&set.marks));
        let unsorted = self.buffer("stage order", &[0; 4]);
        let group = |side, accent| {
            let layer = self.layer(side, |layer| {
                flatten(layer, set);
                layer.accent = accent;
            });
            self.marks(&layer, &marks, &unsorted)
        };
        Set {
            sides: [group(BEHIND, 0), group(IN_FRONT, 0), group(EVERYTHING, 0)],
            sorted: self.layer(EVERYTHING, |layer| {
                flatten(layer, set);
                layer.sorted = 1;
            }),
            accent: group(EVERYTHING, 1),
            count: count(set.marks.len()),
            marks,
        }
    }

    fn marks(&self, layer: &Buffer, marks: &Buffer, order: &Buffer) -> BindGroup {
        marks_group(self.device, self.cache, layer, marks, order)
    }

    fn items<T: Pod>(&self, kind: Kind, label: &'static str, items: &[T]) -> Option<Items> {
        let buffer = self.storage(label, items)?;
        let layout = self.cache.get_bind_group_layout(&Pipelines::layer(kind));
        let sides = [BEHIND, IN_FRONT].map(|side| {
            let layer = self.layer(side, |_| ());
            self.device.create_bind_group(
                label,
                &layout,
                &BindGroupEntries::sequential((layer.as_entire_binding(), buffer.as_entire_binding())),
            )
        });
        Some(Items {
            sides,
            count: count(items.len()),
        })
    }

    fn storage<T: Pod>(&self, label: &'static str, items: &[T]) -> Option<Buffer> {
        (!items.is_empty()).then(|| self.buffer(label, bytemuck::cast_slice(items)))
    }

    fn buffer(&self, label: &'static str, contents: &[u8]) -> Buffer {
        self.device.create_buffer_with_data(&BufferInitDescriptor {
            label: Some(label),
            contents,
            usage: BufferUsages::STORAGE,
        })
    }

    fn layer(&self, side: u32, adjust: impl FnOnce(&mut Layer)) -> Buffer {
        let (low, high, there) = match self.scene.volume {
            Some((low, high)) => (low, high, 1.0),
            None => (Vec3::ZERO, Vec3::ZERO, 0.0),
        };
        let mut layer = Layer {
            box_min: low.extend(there).to_array(),
            box_max: high.extend(there).to_array(),
            plane_u: [0.0; 4],
            plane_v: [0.0; 4],
            opacity: 1.0,
            side,
            sorted: 0,
            accent: 0,
        };
        adjust(&mut layer);
        self.device.create_buffer_with_data(&BufferInitDescriptor {
            label: Some("stage layer"),
            contents: bytemuck::bytes_of(&layer),
            usage: BufferUsages::UNIFORM,
        })
    }

    fn atlas(&self) -> TextureView {
        let atlas = &self.scene.atlas;
        let descriptor = TextureDescriptor {
            label: Some("stage glyphs"),
            size: Extent3d {
                width: count(atlas.width),
                height: count(atlas.height),
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            format: TextureFormat::R8Unorm,
            usage: TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        };
        self.device
            .create_texture_with_data(
                self.queue,
                &descriptor,
                TextureDataOrder::LayerMajor,
                &atlas.texels,
            )
            .create_view(&TextureViewDescriptor::default())
    }
}

/// Binds marks in a given order.
pub(super) fn marks_group(
    device: &RenderDevice,
    cache: &PipelineCache,
    layer: &Buffer,
    marks: &Buffer,
    order: &Buffer,
) -> BindGroup {
    device.create_bind_group(
        "stage marks",
        &cache.get_bind_group_layout(&Pipelines::layer(Kind::Marks)),
        &BindGroupEntries::sequential((
            layer.as_entire_binding(),
            marks.as_entire_binding(),
            order.as_entire_binding(),
        )),
    )
}

fn flatten(layer: &mut Layer, set: &MarkSet) {
    layer.opacity = set.opacity;
    layer.plane_v[3] = if set.is_still { 1.0 } else { 0.0 };
    if let Some(plane) = set.plane {
        layer.plane_u = plane.u.extend(1.0).to_array();
        layer.plane_v = plane.v.extend(1.0).to_array();
    }
}

/// Staging refuses what would not fit long before a count could.
fn count(items: usize) -> u32 {
    u32::try_from(items).unwrap_or(u32::MAX)
}
