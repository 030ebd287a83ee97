//! The pixels of one camera in which marks that fill space find who is nearest, and the two passes that fill them.
//!
//! The first signs each pixel with its nearest mark, by depth test; the second paints each signed pixel once. What is
//! costly about a mark's look is paid by the pixel, and not by the mark.

use bevy::prelude::*;
use bevy::render::render_resource::{
    BindGroup, BindGroupEntries, CommandEncoder, Extent3d, LoadOp, Operations, PipelineCache,
    RenderPassColorAttachment, RenderPassDepthStencilAttachment, RenderPassDescriptor, StoreOp,
    TextureDescriptor, TextureDimension, TextureFormat, TextureUsages, TextureView, TextureViewDescriptor,
};
use bevy::render::renderer::RenderDevice;

use super::pipelines::{Kind, Own, Pipelines};
use super::upload::{EVERYTHING, Piece};

/// Who signed; depth; linear color with the distance to the outline; radius.
pub(super) const SIGNED: TextureFormat = TextureFormat::R32Uint;
pub(super) const DEPTH: TextureFormat = TextureFormat::Depth32Float;
pub(super) const TONE: TextureFormat = TextureFormat::Rgba16Float;
pub(super) const RADIUS: TextureFormat = TextureFormat::R16Float;

/// The pictures behind one camera's picture.
pub(super) struct Canvas {
    size: UVec2,
    signed: TextureView,
    depth: TextureView,
    tone: TextureView,
    radius: TextureView,
    paint: BindGroup,
    pub(super) show: BindGroup,
    pub(super) before: BindGroup,
}

impl Canvas {
    pub(super) fn new(
        device: &RenderDevice,
        cache: &PipelineCache,
        pipelines: &Pipelines,
        size: UVec2,
    ) -> Self {
        let [signed, depth, tone, radius] = [SIGNED, DEPTH, TONE, RADIUS].map(|format| {
            let texture = device.create_texture(&TextureDescriptor {
                label: Some("stage canvas"),
                size: Extent3d {
                    width: size.x,
                    height: size.y,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: TextureDimension::D2,
                format,
                usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            texture.create_view(&TextureViewDescriptor::default())
        });
        let paint = device.create_bind_group(
            "stage signed",
            &cache.get_bind_group_layout(&pipelines.signed),
            &BindGroupEntries::single(&signed),
        );
        let show = device.create_bind_group(
            "stage resolve",
            &cache.get_bind_group_layout(&Pipelines::layer(Kind::Resolve)),
            &BindGroupEntries::with_indices(((1, &depth), (2, &tone), (3, &radius))),
        );
        let before = device.create_bind_group(
            "stage before",
            &cache.get_bind_group_layout(&pipelines.before),
            &BindGroupEntries::with_indices(((1, &depth),)),
        );
        Self {
            size,
            signed,
            depth,
            tone,
            radius,
            paint,
            show,
            before,
        }
    }

    pub(super) fn size(&self) -> UVec2 {
        self.size
    }

    /// Draws the pieces: all sign, then all paint, and only within the rectangle that they can reach.
    pub(super) fn fill(
        &self,
        encoder: &mut CommandEncoder,
        frame: &BindGroup,
        pieces: &[&Piece],
        own: &Own<'_>,
        within: URect,
    ) {
        {
            let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
                label: Some("stage marks sign"),
                color_attachments: &[Some(cleared(&self.signed))],
                depth_stencil_attachment: Some(RenderPassDepthStencilAttachment {
                    view: &self.depth,
                    depth_ops: Some(Operations {
                        load: LoadOp::Clear(0.0),
                        store: StoreOp::Store,
                    }),
                    stencil_ops: None,
                }),
                ..default()
            });
            pass.set_bind_group(0, frame, &[]);
            for piece in pieces {
                pass.set_pipeline(own.sign[piece.form as usize]);
                pass.set_bind_group(1, &piece.sides[EVERYTHING as usize], &[]);
                pass.draw(0..piece.form.vertices() * piece.count, 0..1);
            }
        }
        let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("stage marks paint"),
            color_attachments: &[Some(cleared(&self.tone)), Some(cleared(&self.radius))],
            ..default()
        });
        pass.set_bind_group(0, frame, &[]);
        pass.set_bind_group(2, &self.paint, &[]);
        pass.set_scissor_rect(within.min.x, within.min.y, within.width(), within.height());
        for piece in pieces {
            pass.set_pipeline(own.paint[piece.form as usize]);
            pass.set_bind_group(1, &piece.sides[EVERYTHING as usize], &[]);
            pass.draw(0..3, 0..1);
        }
    }
}

fn cleared(view: &TextureView) -> RenderPassColorAttachment<'_> {
    RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: Operations {
            load: LoadOp::Clear(wgpu::Color::TRANSPARENT),
            store: StoreOp::Store,
        },
    }
}
