//! Buffers of an embodiment: made once when it is staged, dropped when it is released.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntries, Buffer, BufferInitDescriptor, BufferUsages, Extent3d, FilterMode, Origin3d,
    PipelineCache, Sampler, SamplerDescriptor, TexelCopyBufferLayout, TexelCopyTextureInfo, Texture,
    TextureAspect, TextureDataOrder, TextureDescriptor, TextureDimension, TextureFormat, TextureUsages,
    TextureView, TextureViewDescriptor, WgpuLimits,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bytemuck::{Pod, Zeroable};

use super::moving::Moved;
use super::pipelines::{Form, Kind, Pipelines};
use super::{Device, Extracted, UPLOADED, Written};
use crate::scene::{Body, Mark, MarkSet, Scene, SolidSet};

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
    accent: u32,
    pub(super) slot: u32,
    pub(super) width: u32,
    pub(super) moves: u32,
    pad: [u32; 2],
}

/// Pieces that can sign pixels at the same time.
pub(crate) const MOST_PIECES: u32 = 255;

pub(super) const BEHIND: u32 = 0;
pub(super) const IN_FRONT: u32 = 1;
pub(super) const EVERYTHING: u32 = 2;

/// The bind groups of one kind of item, behind the volume and in front of it.
pub(super) struct Items {
    pub(super) sides: [BindGroup; 2],
    pub(super) count: u32,
}

/// Marks of one element in buffers that the device allows; most elements need one piece.
pub(super) struct Piece {
    pub(super) count: u32,
    /// By side.
    pub(super) sides: [BindGroup; 3],
    pub(super) accent: BindGroup,
    pub(super) form: Form,
    /// The box of its middles, and its largest diameter, in meters.
    pub(super) extent: (Vec3, Vec3, f32),
    /// Places, looks, states.
    pub(super) textures: [Texture; 3],
    /// Marks in a row of its textures.
    pub(super) width: u32,
    /// The number by which its marks sign pixels; 0 for marks that do not fill space.
    pub(super) slot: u32,
}

/// The marks of one element.
pub(super) struct Set {
    pub(super) pieces: Vec<Piece>,
}

/// One embodiment on the device.
pub(super) struct Uploaded {
    pub(super) sets: Vec<Set>,
    pub(super) solids: Vec<Set>,
    pub(super) lines: Option<Items>,
    pub(super) surfaces: Option<Items>,
    pub(super) outlines: Option<Items>,
    pub(super) letters: Option<Items>,
}

/// All embodiments on the device, by number.
#[derive(Resource)]
pub(super) struct OnDevice {
    pub(super) embodiments: BTreeMap<u64, Uploaded>,
    /// What is drawn in their place while they move.
    pub(super) moved: BTreeMap<u64, Moved>,
    smooth: Sampler,
}

impl OnDevice {
    /// Slots are few: a number that is free again is given again.
    fn slots(&self) -> Vec<u32> {
        let leaving = self.moved.values().flat_map(|moved| &moved.leaving);
        let pieces = self
            .embodiments
            .values()
            .flat_map(|uploaded| uploaded.sets.iter().chain(&uploaded.solids))
            .chain(leaving);
        let taken: Vec<u32> = pieces
            .flat_map(|set| &set.pieces)
            .map(|piece| piece.slot)
            .collect();
        (1..=MOST_PIECES)
            .rev()
            .filter(|slot| !taken.contains(slot))
            .collect()
    }
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
            moved: BTreeMap::new(),
            smooth,
        }
    }
}

/// Makes what is new and drops what is gone. Nothing is written for what is already there.
pub(super) fn upload(
    extracted: Res<Extracted>,
    mut on_device: ResMut<OnDevice>,
    mut written: ResMut<Written>,
    on: Device<'_>,
) {
    on_device
        .embodiments
        .retain(|number, _| extracted.embodiments.iter().any(|seen| seen.number == *number));
    for seen in &extracted.embodiments {
        if on_device.embodiments.contains_key(&seen.number) {
            continue;
        }
        let mut slots = on_device.slots();
        let made = Maker {
            device: &on.device,
            queue: &on.queue,
            cache: &on.cache,
            scene: &seen.scene,
        }
        .make(&on_device.smooth, &mut slots);
        match made {
            Some(made) => {
                on_device.embodiments.insert(seen.number, made);
                seen.progress.reached(UPLOADED);
            }
            None => seen.progress.fails("more marks than this device can hold apart"),
        }
    }
    let OnDevice { moved, .. } = &mut *on_device;
    moved.retain(|number, moved| {
        extracted.embodiments.iter().any(|seen| {
            let trails = seen.moving.as_ref().map(|(trails, _)| trails);
            seen.number == *number && trails.is_some_and(|trails| moved.is_of(trails))
        })
    });
    for seen in &extracted.embodiments {
        let (Some((trails, _)), Some(there)) = (&seen.moving, on_device.embodiments.get(&seen.number)) else {
            continue;
        };
        if on_device.moved.contains_key(&seen.number) {
            continue;
        }
        let maker = Maker {
            device: &on.device,
            queue: &on.queue,
            cache: &on.cache,
            scene: &seen.scene,
        };
        let made = Moved::make(&maker, there, trails, &on_device.smooth, &mut on_device.slots());
        if let Some(made) = made {
            on_device.moved.insert(seen.number, made);
        }
    }
    for seen in &extracted.embodiments {
        if let Some(uploaded) = on_device.embodiments.get(&seen.number) {
            seen.states.take_pending(|set, from, states| {
                if let Some(set) = uploaded.sets.iter().chain(&uploaded.solids).nth(set) {
                    written.0 += set.write_states(&on.queue, from, states);
                }
            });
        }
    }
}

impl Set {
    /// Tells the device how marks stand from one of them on; returns the bytes written.
    fn write_states(&self, queue: &RenderQueue, from: usize, states: &[u8]) -> u64 {
        let mut first = 0;
        let mut bytes = 0;
        for piece in &self.pieces {
            let count = piece.count as usize;
            let low = from.max(first);
            let high = (from + states.len()).min(first + count);
            if low < high {
                piece.write_states(queue, low - first, &states[low - from..high - from]);
                bytes += (high - low) as u64;
            }
            first += count;
        }
        bytes
    }
}

impl Piece {
    /// Row by row at both ends, and all whole rows between at once.
    fn write_states(&self, queue: &RenderQueue, mut from: usize, mut states: &[u8]) {
        let width = self.width as usize;
        while !states.is_empty() {
            let (column, row) = (from % width, from / width);
            let (across, rows) = if column == 0 && states.len() >= width {
                (width, states.len() / width)
            } else {
                ((width - column).min(states.len()), 1)
            };
            let (now, rest) = states.split_at(across * rows);
            queue.write_texture(
                TexelCopyTextureInfo {
                    texture: &self.textures[2],
                    mip_level: 0,
                    origin: Origin3d {
                        x: count(column),
                        y: count(row),
                        z: 0,
                    },
                    aspect: TextureAspect::All,
                },
                now,
                TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(count(across)),
                    rows_per_image: None,
                },
                Extent3d {
                    width: count(across),
                    height: count(rows),
                    depth_or_array_layers: 1,
                },
            );
            (from, states) = (from + across * rows, rest);
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Maker<'a> {
    pub(super) device: &'a RenderDevice,
    pub(super) queue: &'a RenderQueue,
    pub(super) cache: &'a PipelineCache,
    pub(super) scene: &'a Scene,
}

impl Maker<'_> {
    /// Nothing when marks need more pieces than there are numbers for; staging refuses that before.
    pub(super) fn make(&self, smooth: &Sampler, slots: &mut Vec<u32>) -> Option<Uploaded> {
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
        let sets = scene.sets.iter().map(|set| self.set(set, slots));
        let sets: Vec<Set> = sets.collect::<Option<_>>()?;
        let solids = scene.solids.iter().map(|set| self.solids(set, slots));
        Some(Uploaded {
            solids: solids.collect::<Option<_>>()?,
            sets,
            lines: self.items(Kind::Lines, "stage lines", &scene.lines),
            surfaces: self.items(Kind::Surfaces, "stage surfaces", &scene.surfaces),
            outlines,
            letters,
        })
    }

    pub(super) fn set(&self, set: &MarkSet, slots: &mut Vec<u32>) -> Option<Set> {
        let most = marks_in_a_piece(&self.device.limits());
        let pieces = set.marks.chunks(most.max(1)).map(|marks| {
            let slot = if fills_space(set) { slots.pop()? } else { 0 };
            Some(self.piece(set, marks, slot))
        });
        Some(Set {
            pieces: pieces.collect::<Option<_>>()?,
        })
    }

    fn piece(&self, set: &MarkSet, marks: &[Mark], slot: u32) -> Piece {
        let place = |mark: &Mark| {
            let [x, y, z] = mark.position;
            [x, y, z, mark.diameter]
        };
        let places: Vec<[f32; 4]> = marks.iter().map(place).collect();
        let looks: Vec<u32> = marks.iter().map(|mark| mark.look).collect();
        let extent = marks
            .iter()
            .fold((Vec3::MAX, Vec3::MIN, 0.0), |(low, high, most), mark| {
                let at = Vec3::from_array(mark.position);
                (low.min(at), high.max(at), mark.diameter.max(most))
            });
        self.rows_of(&places, &looks, Form::of(&looks), extent, slot, |layer| {
            flatten(layer, set)
        })
    }

    fn solids(&self, set: &SolidSet, slots: &mut Vec<u32>) -> Option<Set> {
        // Two texels an item.
        let most = marks_in_a_piece(&self.device.limits()) / 2;
        let pieces = set.solids.chunks(most.max(1)).map(|solids| {
            let slot = if set.is_sheer() { 0 } else { slots.pop()? };
            let places: Vec<[f32; 4]> = solids
                .iter()
                .flat_map(|solid| {
                    let ([ax, ay, az], [bx, by, bz]) = (solid.a, solid.b);
                    [[ax, ay, az, solid.width], [bx, by, bz, 0.0]]
                })
                .collect();
            let looks: Vec<u32> = solids.iter().map(|solid| solid.look).collect();
            let extent = solids
                .iter()
                .fold((Vec3::MAX, Vec3::MIN, 0.0), |(low, high, most), solid| {
                    let (a, b) = (Vec3::from_array(solid.a), Vec3::from_array(solid.b));
                    (low.min(a.min(b)), high.max(a.max(b)), solid.width.max(most))
                });
            let form = match set.body {
                Body::Boxes => Form::Boxes,
                Body::Stretches => Form::Stretches,
            };
            let opacity = set.opacity;
            Some(self.rows_of(&places, &looks, form, extent, slot, |layer| {
                layer.opacity = opacity
            }))
        });
        Some(Set {
            pieces: pieces.collect::<Option<_>>()?,
        })
    }

    fn rows_of(
        &self,
        places: &[[f32; 4]],
        looks: &[u32],
        form: Form,
        extent: (Vec3, Vec3, f32),
        slot: u32,
        adjust: impl Fn(&mut Layer),
    ) -> Piece {
        let states = vec![0_u8; looks.len()];
        // Even, so that the two texels of a solid lie in one row.
        let width = count(places.len().next_multiple_of(2)).clamp(2, widest(&self.device.limits()));
        let textures = [
            self.places(places, width),
            self.rows(
                "stage looks",
                TextureFormat::R32Uint,
                bytemuck::cast_slice(looks),
                width,
            ),
            self.rows("stage states", TextureFormat::R8Uint, &states, width),
        ];
        let [at, looks_of, states] = textures
            .each_ref()
            .map(|texture| texture.create_view(&TextureViewDescriptor::default()));
        // What stands comes from nowhere; what is bound in that place is not read.
        let views = [at.clone(), looks_of, states, at];
        let (sides, accent) = self.groups(&views, |layer| {
            adjust(layer);
            (layer.slot, layer.width) = (slot, width);
        });
        Piece {
            count: count(looks.len()),
            sides,
            accent,
            form,
            extent,
            slot,
            textures,
            width,
        }
    }

    pub(super) fn places(&self, places: &[[f32; 4]], width: u32) -> Texture {
        let bytes = bytemuck::cast_slice(places);
        self.rows("stage places", TextureFormat::Rgba32Float, bytes, width)
    }

    /// Binds places, looks, states and origins: by side, and for the accent.
    pub(super) fn groups(
        &self,
        views: &[TextureView; 4],
        adjust: impl Fn(&mut Layer),
    ) -> ([BindGroup; 3], BindGroup) {
        let group = |side, accent| {
            let layer = self.layer(side, |layer| {
                adjust(layer);
                layer.accent = accent;
            });
            let [places, looks, states, origins] = views;
            self.device.create_bind_group(
                "stage marks",
                &self.cache.get_bind_group_layout(&Pipelines::layer(Kind::Marks)),
                &BindGroupEntries::sequential((layer.as_entire_binding(), places, looks, states, origins)),
            )
        };
        (
            [group(BEHIND, 0), group(IN_FRONT, 0), group(EVERYTHING, 0)],
            group(EVERYTHING, 1),
        )
    }

    /// A texture with a texel a mark, row by row. Shaders read one texel much faster than one element of a buffer on
    /// drivers that run on a processor, and as fast elsewhere.
    fn rows(&self, label: &'static str, format: TextureFormat, bytes: &[u8], width: u32) -> Texture {
        let texel = format.block_copy_size(None).unwrap_or(1) as usize;
        let height = count(bytes.len() / texel).div_ceil(width).max(1);
        let mut padded = bytes.to_vec();
        padded.resize(width as usize * height as usize * texel, 0);
        self.texture(label, format, [width, height], &padded)
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
            accent: 0,
            slot: 0,
            width: 1,
            moves: 0,
            pad: [0; 2],
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
        let size = [count(atlas.width), count(atlas.height)];
        self.texture("stage glyphs", TextureFormat::R8Unorm, size, &atlas.texels)
            .create_view(&TextureViewDescriptor::default())
    }

    fn texture(
        &self,
        label: &'static str,
        format: TextureFormat,
        [width, height]: [u32; 2],
        texels: &[u8],
    ) -> Texture {
        let descriptor = TextureDescriptor {
            label: Some(label),
            size: Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            format,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        };
        self.device
            .create_texture_with_data(self.queue, &descriptor, TextureDataOrder::LayerMajor, texels)
    }
}

/// Marks in a row of their textures.
fn widest(limits: &WgpuLimits) -> u32 {
    (limits.max_texture_dimension_2d.min(4096) & !1).max(2)
}

/// Marks that one piece can hold: its textures are so wide and so high at most, and a pixel is signed with 24 bits of
/// index.
pub(crate) fn marks_in_a_piece(limits: &WgpuLimits) -> usize {
    let texels = u64::from(widest(limits)) * u64::from(limits.max_texture_dimension_2d);
    usize::try_from(texels.clamp(1, 1 << 24)).unwrap_or(1 << 24)
}

/// Whether the set stands in the volume, so that its marks hide each other by distance.
pub(crate) fn fills_space(set: &MarkSet) -> bool {
    set.plane.is_none() && !set.element.is_empty() && !set.marks.is_empty()
}

pub(super) fn flatten(layer: &mut Layer, set: &MarkSet) {
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
