//! Four pipelines for each kind of target: marks, lines, surfaces, text.

use bevy::asset::{AssetId, uuid_handle};
use bevy::prelude::*;
use bevy::render::render_resource::binding_types::{
    sampler, storage_buffer_read_only_sized, texture_2d, uniform_buffer_sized,
};
use bevy::render::render_resource::{
    BindGroupLayoutDescriptor, BindGroupLayoutEntries, BlendState, CachedPipelineState,
    CachedRenderPipelineId, ColorTargetState, ColorWrites, FragmentState, MultisampleState, PipelineCache,
    PrimitiveState, PrimitiveTopology, RenderPipeline, RenderPipelineDescriptor, SamplerBindingType,
    ShaderStages, TextureFormat, TextureSampleType, VertexState,
};
use bevy::render::view::{ExtractedView, Msaa};
use bevy::shader::{Shader, ShaderCacheError};

/// What is drawn by one pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Marks,
    Lines,
    Surfaces,
    Text,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Marks, Self::Lines, Self::Surfaces, Self::Text];

    fn shader(self) -> (Handle<Shader>, &'static str, &'static str) {
        match self {
            Self::Marks => (
                MARKS,
                "marks",
                concat!(
                    include_str!("../../../../assets/shaders/frame.wgsl"),
                    include_str!("../../../../assets/shaders/marks.wgsl")
                ),
            ),
            Self::Lines => (
                LINES,
                "lines",
                concat!(
                    include_str!("../../../../assets/shaders/frame.wgsl"),
                    include_str!("../../../../assets/shaders/lines.wgsl")
                ),
            ),
            Self::Surfaces => (
                SURFACES,
                "surfaces",
                concat!(
                    include_str!("../../../../assets/shaders/frame.wgsl"),
                    include_str!("../../../../assets/shaders/surfaces.wgsl")
                ),
            ),
            Self::Text => (
                TEXT,
                "text",
                concat!(
                    include_str!("../../../../assets/shaders/frame.wgsl"),
                    include_str!("../../../../assets/shaders/text.wgsl")
                ),
            ),
        }
    }
}

const MARKS: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a01");
const LINES: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a02");
const SURFACES: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a03");
const TEXT: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a04");

/// Puts the embedded shaders where pipelines find them; they need no file at run time.
pub(super) fn add_shaders(app: &mut App) {
    let Some(mut shaders) = app.world_mut().get_resource_mut::<Assets<Shader>>() else {
        return;
    };
    for kind in Kind::ALL {
        let (handle, name, source) = kind.shader();
        let id: AssetId<Shader> = handle.id();
        // Inserting under a fixed id fails only for a stale generation, which a fixed id does not have.
        if let Err(error) = shaders.insert(id, Shader::from_wgsl(source, format!("stage/{name}.wgsl"))) {
            error!("the shader {name} could not be added: {error}");
        }
    }
}

/// Layouts, and the pipelines made so far by target format and samples.
#[derive(Resource)]
pub(super) struct Pipelines {
    pub(super) frame: BindGroupLayoutDescriptor,
    made: Vec<(TextureFormat, u32, [CachedRenderPipelineId; 4])>,
}

impl FromWorld for Pipelines {
    fn from_world(_: &mut World) -> Self {
        let frame = BindGroupLayoutDescriptor::new(
            "stage frame",
            &BindGroupLayoutEntries::single(ShaderStages::VERTEX_FRAGMENT, uniform_buffer_sized(false, None)),
        );
        Self {
            frame,
            made: Vec::new(),
        }
    }
}

impl Pipelines {
    /// The layout of the second bind group.
    pub(super) fn layer(kind: Kind) -> BindGroupLayoutDescriptor {
        let both = ShaderStages::VERTEX_FRAGMENT;
        let layer = uniform_buffer_sized(false, None);
        let items = storage_buffer_read_only_sized(false, None);
        match kind {
            Kind::Marks => BindGroupLayoutDescriptor::new(
                "stage marks",
                &BindGroupLayoutEntries::sequential(both, (layer, items, items)),
            ),
            Kind::Lines | Kind::Surfaces => BindGroupLayoutDescriptor::new(
                "stage items",
                &BindGroupLayoutEntries::sequential(both, (layer, items)),
            ),
            Kind::Text => BindGroupLayoutDescriptor::new(
                "stage text",
                &BindGroupLayoutEntries::sequential(
                    both,
                    (
                        layer,
                        items,
                        texture_2d(TextureSampleType::Float { filterable: true }),
                        sampler(SamplerBindingType::Filtering),
                    ),
                ),
            ),
        }
    }

    fn ids(&self, format: TextureFormat, samples: u32) -> Option<[CachedRenderPipelineId; 4]> {
        self.made
            .iter()
            .find(|made| made.0 == format && made.1 == samples)
            .map(|made| made.2)
    }

    /// What the device's compiler said, when it can't compile one of them.
    pub(super) fn failure(&self, cache: &PipelineCache) -> Option<String> {
        let mut ids = self.made.iter().flat_map(|made| made.2);
        ids.find_map(|id| match cache.get_render_pipeline_state(id) {
            // These two pass once the shader is extracted.
            CachedPipelineState::Err(
                ShaderCacheError::ShaderNotLoaded(_) | ShaderCacheError::ShaderImportNotYetAvailable,
            ) => None,
            CachedPipelineState::Err(error) => Some(error.to_string()),
            _ => None,
        })
    }

    /// The four pipelines of a target, once all are compiled.
    pub(super) fn of<'a>(
        &self,
        cache: &'a PipelineCache,
        format: TextureFormat,
        samples: u32,
    ) -> Option<[&'a RenderPipeline; 4]> {
        let [a, b, c, d] = self.ids(format, samples)?;
        Some([
            cache.get_render_pipeline(a)?,
            cache.get_render_pipeline(b)?,
            cache.get_render_pipeline(c)?,
            cache.get_render_pipeline(d)?,
        ])
    }
}

/// Orders the pipelines of every camera's target, before anything is staged: so a view never waits for a compiler.
pub(super) fn queue(
    mut pipelines: ResMut<Pipelines>,
    cache: Res<PipelineCache>,
    views: Query<(&ExtractedView, &Msaa)>,
) {
    for (view, msaa) in &views {
        let (format, samples) = (view.target_format, msaa.samples());
        if pipelines.ids(format, samples).is_none() {
            let ids = Kind::ALL
                .map(|kind| cache.queue_render_pipeline(descriptor(kind, &pipelines.frame, format, samples)));
            pipelines.made.push((format, samples, ids));
        }
    }
}

fn descriptor(
    kind: Kind,
    frame: &BindGroupLayoutDescriptor,
    format: TextureFormat,
    samples: u32,
) -> RenderPipelineDescriptor {
    let (shader, name, _) = kind.shader();
    RenderPipelineDescriptor {
        label: Some(format!("stage {name}").into()),
        layout: vec![frame.clone(), Pipelines::layer(kind)],
        vertex: VertexState {
            shader: shader.clone(),
            entry_point: Some("vertex".into()),
            ..default()
        },
        primitive: PrimitiveState {
            topology: PrimitiveTopology::TriangleStrip,
            ..default()
        },
        multisample: MultisampleState {
            count: samples,
            ..default()
        },
        fragment: Some(FragmentState {
            shader,
            entry_point: Some("fragment".into()),
            targets: vec![Some(ColorTargetState {
                format,
                blend: Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: ColorWrites::ALL,
            })],
            ..default()
        }),
        ..default()
    }
}
