//! Pipelines: one a kind of item for each kind of target, and those of marks that fill space.

use bevy::asset::{AssetId, uuid_handle};
use bevy::prelude::*;
use bevy::render::render_resource::binding_types::{
    sampler, storage_buffer_read_only_sized, texture_2d, texture_depth_2d, uniform_buffer_sized,
};
use bevy::render::render_resource::{
    BindGroupLayoutDescriptor, BindGroupLayoutEntries, BlendState, CachedPipelineState,
    CachedRenderPipelineId, ColorTargetState, ColorWrites, CompareFunction, DepthBiasState,
    DepthStencilState, FragmentState, MultisampleState, PipelineCache, PrimitiveState, PrimitiveTopology,
    RenderPipeline, RenderPipelineDescriptor, SamplerBindingType, ShaderStages, StencilState, TextureFormat,
    TextureSampleType, VertexState,
};
use bevy::render::view::{ExtractedView, Msaa};
use bevy::shader::{Shader, ShaderCacheError, ShaderDefVal};

use super::canvas;

/// What is drawn by one pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Marks,
    Lines,
    Surfaces,
    Text,
    Resolve,
    /// Cuboids that can be seen through.
    SheerBoxes,
    /// Stretches of line that can be seen through.
    SheerStretches,
}

macro_rules! source {
    ($($name:literal),+) => {
        concat!($(include_str!(concat!("../../../../assets/shaders/", $name, ".wgsl")),)+)
    };
}

/// How many there are.
pub(super) const KINDS: usize = 7;

impl Kind {
    pub(super) const ALL: [Self; KINDS] = [
        Self::Marks,
        Self::Lines,
        Self::Surfaces,
        Self::Text,
        Self::Resolve,
        Self::SheerBoxes,
        Self::SheerStretches,
    ];

    fn shader(self) -> (Handle<Shader>, &'static str, &'static str) {
        match self {
            Self::Marks => (MARKS, "marks", source!("frame", "shapes", "rows", "marks")),
            Self::Lines => (LINES, "lines", source!("frame", "lines")),
            Self::Surfaces => (SURFACES, "surfaces", source!("frame", "surfaces")),
            Self::Text => (TEXT, "text", source!("frame", "text")),
            Self::Resolve => (RESOLVE, "resolve", source!("frame", "resolve")),
            Self::SheerBoxes | Self::SheerStretches => SOLID_IDS,
        }
    }
}

/// What a piece consists of: marks by the shapes they have, since the fewer there are, the cheaper a pixel; cuboids;
/// stretches of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    Discs,
    Few,
    All,
    Boxes,
    Stretches,
}

/// How many there are.
const FORMS: usize = 5;

impl Form {
    const EACH: [Self; FORMS] = [Self::Discs, Self::Few, Self::All, Self::Boxes, Self::Stretches];

    /// Vertices that draw one.
    pub(super) const fn vertices(self) -> u32 {
        match self {
            Self::Discs | Self::Few | Self::All => 3,
            Self::Boxes => 18,
            Self::Stretches => 6,
        }
    }

    fn defs(self) -> Vec<ShaderDefVal> {
        match self {
            Self::Discs => vec!["DISCS".into()],
            Self::Few => vec!["FEW".into()],
            Self::Boxes => vec!["BOXES".into()],
            Self::All | Self::Stretches => Vec::new(),
        }
    }

    /// Of marks with these looks, the shape above the color.
    pub(super) fn of(looks: &[u32]) -> Self {
        match looks.iter().map(|look| (look >> 24) & 15).max().unwrap_or(0) {
            0 => Self::Discs,
            1..=3 => Self::Few,
            _ => Self::All,
        }
    }
}

/// What marks that fill space go through before the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Sign,
    Paint,
}

/// The pipelines of these steps, by [`Form`].
pub(super) struct Own<'a> {
    pub(super) sign: [&'a RenderPipeline; FORMS],
    pub(super) paint: [&'a RenderPipeline; FORMS],
}

const MARKS: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a01");
const LINES: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a02");
const SURFACES: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a03");
const TEXT: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a04");
const RESOLVE: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a05");
const IDS: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a06");
const PAINT: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a07");
const SOLID_PAINT: Handle<Shader> = uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a08");
const SOLID_IDS: (Handle<Shader>, &str, &str) = (
    uuid_handle!("5a1f0c52-6f0b-4f0e-9d70-0d2b3f1f6a09"),
    "solid_ids",
    source!("frame", "shapes", "solids", "solid_ids"),
);

/// Puts the embedded shaders where pipelines find them; they need no file at run time.
pub(super) fn add_shaders(app: &mut App) {
    let Some(mut shaders) = app.world_mut().get_resource_mut::<Assets<Shader>>() else {
        return;
    };
    let own = [
        (IDS, "ids", source!("frame", "shapes", "rows", "ids")),
        (PAINT, "paint", source!("frame", "shapes", "rows", "paint")),
        (
            SOLID_PAINT,
            "solid_paint",
            source!("frame", "shapes", "solids", "solid_paint"),
        ),
    ];
    for (handle, name, source) in Kind::ALL.map(Kind::shader).into_iter().chain(own) {
        let id: AssetId<Shader> = handle.id();
        // Inserting under a fixed id fails only for a stale generation, which a fixed id does not have.
        if let Err(error) = shaders.insert(id, Shader::from_wgsl(source, format!("stage/{name}.wgsl"))) {
            error!("the shader {name} could not be added: {error}");
        }
    }
}

/// The raster pipelines of one kind of target.
type Made = (TextureFormat, u32, [CachedRenderPipelineId; KINDS]);

/// Layouts, and the pipelines made so far by target format and samples.
#[derive(Resource)]
pub(super) struct Pipelines {
    pub(super) frame: BindGroupLayoutDescriptor,
    pub(super) signed: BindGroupLayoutDescriptor,
    /// The depth of what is solid, for what is seen through.
    pub(super) before: BindGroupLayoutDescriptor,
    made: Vec<Made>,
    own: Option<[[CachedRenderPipelineId; FORMS]; 2]>,
}

impl FromWorld for Pipelines {
    fn from_world(_: &mut World) -> Self {
        let frame = BindGroupLayoutDescriptor::new(
            "stage frame",
            &BindGroupLayoutEntries::single(ShaderStages::VERTEX_FRAGMENT, uniform_buffer_sized(false, None)),
        );
        let signed = BindGroupLayoutDescriptor::new(
            "stage signed",
            &BindGroupLayoutEntries::single(ShaderStages::FRAGMENT, texture_2d(TextureSampleType::Uint)),
        );
        let before = BindGroupLayoutDescriptor::new(
            "stage before",
            &BindGroupLayoutEntries::with_indices(ShaderStages::FRAGMENT, ((1, texture_depth_2d()),)),
        );
        Self {
            frame,
            signed,
            before,
            made: Vec::new(),
            own: None,
        }
    }
}

impl Pipelines {
    /// The layout of the second bind group.
    pub(super) fn layer(kind: Kind) -> BindGroupLayoutDescriptor {
        let both = ShaderStages::VERTEX_FRAGMENT;
        let layer = uniform_buffer_sized(false, None);
        let items = storage_buffer_read_only_sized(false, None);
        let numbers = texture_2d(TextureSampleType::Float { filterable: false });
        let words = texture_2d(TextureSampleType::Uint);
        match kind {
            Kind::Marks | Kind::SheerBoxes | Kind::SheerStretches => BindGroupLayoutDescriptor::new(
                "stage marks",
                &BindGroupLayoutEntries::sequential(both, (layer, numbers, words, words, numbers)),
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
            Kind::Resolve => BindGroupLayoutDescriptor::new(
                "stage resolve",
                &BindGroupLayoutEntries::with_indices(
                    ShaderStages::FRAGMENT,
                    ((1, texture_depth_2d()), (2, numbers), (3, numbers)),
                ),
            ),
        }
    }

    fn ids(&self, format: TextureFormat, samples: u32) -> Option<[CachedRenderPipelineId; KINDS]> {
        self.made
            .iter()
            .find(|made| made.0 == format && made.1 == samples)
            .map(|made| made.2)
    }

    /// What the device's compiler said, when it can't compile one of them.
    pub(super) fn failure(&self, cache: &PipelineCache) -> Option<String> {
        let raster = self.made.iter().flat_map(|made| made.2);
        raster
            .chain(self.own.iter().flatten().flatten().copied())
            .map(|id| cache.get_render_pipeline_state(id))
            .find_map(|state| match state {
                // These two pass once the shader is extracted.
                CachedPipelineState::Err(
                    ShaderCacheError::ShaderNotLoaded(_) | ShaderCacheError::ShaderImportNotYetAvailable,
                ) => None,
                CachedPipelineState::Err(error) => Some(error.to_string()),
                _ => None,
            })
    }

    /// The raster pipelines of a target, once all are compiled.
    pub(super) fn of<'a>(
        &self,
        cache: &'a PipelineCache,
        format: TextureFormat,
        samples: u32,
    ) -> Option<[&'a RenderPipeline; KINDS]> {
        let ids = self.ids(format, samples)?;
        let made: Vec<&RenderPipeline> = ids
            .iter()
            .map(|id| cache.get_render_pipeline(*id))
            .collect::<Option<_>>()?;
        made.try_into().ok()
    }

    /// The pipelines of marks that fill space, once all are compiled.
    pub(super) fn own<'a>(&self, cache: &'a PipelineCache) -> Option<Own<'a>> {
        let made = |ids: [CachedRenderPipelineId; FORMS]| -> Option<[&'a RenderPipeline; FORMS]> {
            let made: Option<Vec<_>> = ids.iter().map(|id| cache.get_render_pipeline(*id)).collect();
            made?.try_into().ok()
        };
        let [sign, paint] = self.own?;
        Some(Own {
            sign: made(sign)?,
            paint: made(paint)?,
        })
    }
}

/// Orders the pipelines of every camera's target, before anything is staged: so a view never waits for a compiler.
pub(super) fn queue(
    mut pipelines: ResMut<Pipelines>,
    cache: Res<PipelineCache>,
    views: Query<(&ExtractedView, &Msaa)>,
) {
    if pipelines.own.is_none() {
        let made = [Step::Sign, Step::Paint]
            .map(|step| Form::EACH.map(|form| cache.queue_render_pipeline(own(step, form, &pipelines))));
        pipelines.own = Some(made);
    }
    for (view, msaa) in &views {
        let (format, samples) = (view.target_format, msaa.samples());
        if pipelines.ids(format, samples).is_none() {
            let ids = Kind::ALL
                .map(|kind| cache.queue_render_pipeline(descriptor(kind, &pipelines, format, samples)));
            pipelines.made.push((format, samples, ids));
        }
    }
}

fn own(step: Step, form: Form, pipelines: &Pipelines) -> RenderPipelineDescriptor {
    let target = |format| {
        Some(ColorTargetState {
            format,
            blend: None,
            write_mask: ColorWrites::ALL,
        })
    };
    let is_solid = matches!(form, Form::Boxes | Form::Stretches);
    let (shader, targets) = match step {
        Step::Paint => (
            if is_solid { SOLID_PAINT } else { PAINT },
            vec![target(canvas::TONE), target(canvas::RADIUS)],
        ),
        Step::Sign => (
            if is_solid { SOLID_IDS.0 } else { IDS },
            vec![target(canvas::SIGNED)],
        ),
    };
    let mut layout = vec![pipelines.frame.clone(), Pipelines::layer(Kind::Marks)];
    let mut depth = None;
    if step == Step::Paint {
        layout.push(pipelines.signed.clone());
    } else {
        depth = Some(DepthStencilState {
            format: canvas::DEPTH,
            depth_write_enabled: Some(true),
            // Far is 0. Of marks at one depth the last is on top, as when they are picked.
            depth_compare: Some(CompareFunction::GreaterEqual),
            stencil: StencilState::default(),
            bias: DepthBiasState::default(),
        });
    }
    let defs = form.defs();
    RenderPipelineDescriptor {
        label: Some(format!("stage {step:?} {form:?}").into()),
        layout,
        vertex: VertexState {
            shader: shader.clone(),
            shader_defs: defs.clone(),
            entry_point: Some("vertex".into()),
            ..default()
        },
        depth_stencil: depth,
        fragment: Some(FragmentState {
            shader,
            shader_defs: defs,
            entry_point: Some("fragment".into()),
            targets,
        }),
        ..default()
    }
}

fn descriptor(
    kind: Kind,
    pipelines: &Pipelines,
    format: TextureFormat,
    samples: u32,
) -> RenderPipelineDescriptor {
    let (shader, name, _) = kind.shader();
    let mut layout = vec![pipelines.frame.clone(), Pipelines::layer(kind)];
    let mut defs: Vec<ShaderDefVal> = Vec::new();
    if matches!(kind, Kind::SheerBoxes | Kind::SheerStretches) {
        layout.push(pipelines.before.clone());
        defs.push("THROUGH".into());
    }
    if kind == Kind::SheerBoxes {
        defs.push("BOXES".into());
    }
    RenderPipelineDescriptor {
        label: Some(format!("stage {name}").into()),
        layout,
        vertex: VertexState {
            shader: shader.clone(),
            shader_defs: defs.clone(),
            entry_point: Some("vertex".into()),
            ..default()
        },
        primitive: PrimitiveState {
            topology: match kind {
                Kind::Lines | Kind::Surfaces | Kind::Text => PrimitiveTopology::TriangleStrip,
                Kind::Marks | Kind::Resolve | Kind::SheerBoxes | Kind::SheerStretches => {
                    PrimitiveTopology::TriangleList
                }
            },
            ..default()
        },
        multisample: MultisampleState {
            count: samples,
            ..default()
        },
        fragment: Some(FragmentState {
            shader,
            shader_defs: defs,
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
