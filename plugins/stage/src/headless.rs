//! Pictures without a window: an app over an offscreen target, stepped until what is shown is drawn completely.

use std::sync::mpsc;

use bevy::asset::RenderAssetUsages;
use bevy::camera::RenderTarget;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{
    BufferDescriptor, BufferUsages, CommandEncoderDescriptor, Extent3d, MapMode, PollType,
    TexelCopyBufferInfo, TexelCopyBufferLayout, TextureDimension, TextureFormat, TextureUsages,
};
use bevy::render::renderer::RenderDevice;
use bevy::render::texture::GpuImage;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;

use crate::camera::OrbitCamera;
use crate::embodiment::Embodiment;
use crate::graphics::Graphics;
pub use crate::picture::{Apart, Cutout, Kept, Picture};
use crate::picture::{Light, matte};
use crate::theme::Ink;
use crate::{DeviceLost, RefusedState, StageError, StagePlugin, Theme, draw};

/// Updates after which something that was asked for and never became visible is an error: each update waits for the
/// device, so this bounds work and not time.
const MOST_UPDATES: u32 = 512;

/// What a picture is called where a device has no room for it.
pub(crate) const PICTURE: &str = "the picture";

/// The most pixels a side for each pixel of the picture.
pub const MOST_SUPERSAMPLE: u32 = 8;

/// What a device holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Embodiments with buffers.
    pub embodiments: usize,
    /// Pieces of device memory, where the driver's allocator counts them.
    pub allocations: Option<usize>,
}

/// An app without a window that can be looked at.
#[allow(missing_debug_implementations, reason = "an app has no printable form")]
pub struct Headless {
    /// The app; add plugins and systems before the first step.
    pub app: App,
    graphics: Graphics,
    target: Handle<Image>,
    /// Pixels of the target; `supersample` of them a side make one of the picture.
    size: UVec2,
    supersample: u32,
    is_finished: bool,
}

impl Headless {
    /// An app with the stage, one camera at `viewpoint` and a target of `size` pixels.
    ///
    /// # Errors
    /// [`StageError::OverBudget`] when the device has no texture of that size; [`StageError::Font`] from the stage.
    pub fn new(graphics: Graphics, size: (u32, u32), viewpoint: plan::Camera) -> Result<Self, StageError> {
        Self::supersampled(graphics, size, 1, viewpoint)
    }

    /// The same with a target `supersample` times as wide and high, from 1 to [`MOST_SUPERSAMPLE`]: pictures are its
    /// averages in linear light and have `size` pixels.
    ///
    /// # Errors
    /// As [`Self::new`], for the larger target and for the buffer that it is read back through.
    pub fn supersampled(
        graphics: Graphics,
        size: (u32, u32),
        supersample: u32,
        viewpoint: plan::Camera,
    ) -> Result<Self, StageError> {
        let supersample = supersample.clamp(1, MOST_SUPERSAMPLE);
        let limits = graphics.device().limits();
        let side = |pixels: u32| pixels.max(1).saturating_mul(supersample);
        let size = UVec2::new(side(size.0), side(size.1));
        let bytes = (stride(size) * u64::from(size.y), limits.max_buffer_size);
        let texels = (
            u64::from(size.max_element()),
            u64::from(limits.max_texture_dimension_2d),
        );
        for ((needed, allowed), unit) in [(texels, "texels"), (bytes, "bytes")] {
            if needed > allowed {
                return Err(StageError::OverBudget {
                    what: PICTURE.to_owned(),
                    needed,
                    allowed,
                    unit,
                });
            }
        }
        let mut app = App::new();
        app.add_plugins(
            DefaultPlugins
                .set(graphics.render_plugin(true))
                .set(WindowPlugin {
                    primary_window: None,
                    exit_condition: ExitCondition::DontExit,
                    ..default()
                })
                .disable::<WinitPlugin>()
                .disable::<LogPlugin>()
                .disable::<PipelinedRenderingPlugin>(),
        );
        app.add_plugins(StagePlugin::new()?);
        let mut image = Image::new_uninit(
            Extent3d {
                width: size.x,
                height: size.y,
                depth_or_array_layers: 1,
            },
            TextureDimension::D2,
            TextureFormat::Rgba8UnormSrgb,
            RenderAssetUsages::RENDER_WORLD,
        );
        image.texture_descriptor.usage |= TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
        let target = app.world_mut().resource_mut::<Assets<Image>>().add(image);
        app.world_mut().spawn((
            OrbitCamera::new(viewpoint),
            RenderTarget::Image(target.clone().into()),
        ));
        Ok(Self {
            app,
            graphics,
            target,
            size,
            supersample,
            is_finished: false,
        })
    }

    /// One update with its drawing.
    pub fn step(&mut self) {
        if !self.is_finished {
            self.app.finish();
            self.app.cleanup();
            self.is_finished = true;
        }
        self.app.update();
    }

    /// Waits until the device has drawn what was stepped.
    ///
    /// # Errors
    /// [`StageError::Device`] when the device fails.
    pub fn finish(&self) -> Result<(), StageError> {
        self.graphics
            .device()
            .poll(wait())
            .map(drop)
            .map_err(|error| StageError::Device(error.to_string()))
    }

    /// Steps until the shown embodiment is drawn, then reads the picture back.
    ///
    /// # Errors
    /// [`StageError::Refused`] when the request was refused, [`StageError::NothingShown`] when none was made,
    /// [`StageError::Device`] when the device fails.
    pub fn picture(&mut self) -> Result<Picture, StageError> {
        Ok(self.light()?.to_picture())
    }

    /// What the last step drew, whether or not anything is shown.
    ///
    /// # Errors
    /// [`StageError::Device`] when the device fails or nothing was stepped yet.
    pub fn seen(&self) -> Result<Picture, StageError> {
        Ok(self.read_back()?.to_picture())
    }

    /// The same as [`Self::picture`] without its paper: what is drawn, as opaque as it is. It is drawn over black paper and over white, and
    /// the paper that shows through is what differs. So the soft edges of paper around text and marks, which keep them
    /// apart from what they lie on, become gaps in that and no halo on another page.
    ///
    /// # Errors
    /// As [`Self::picture`].
    pub fn cutout(&mut self) -> Result<Cutout, StageError> {
        let theme = self.app.world().resource::<Theme>().clone();
        let mut over = |paper| {
            let theme = theme.clone().with(Ink::Paper, paper);
            self.app.insert_resource(theme);
            self.light()
        };
        let (black, white) = (over(Color::BLACK), over(Color::WHITE));
        self.app.insert_resource(theme);
        // Once more, so that nobody finds the paper of before.
        self.step();
        Ok(matte(&black?, &white?))
    }

    /// Looks from another place from now on.
    pub fn look_from(&mut self, viewpoint: plan::Camera) {
        let world = self.app.world_mut();
        for mut camera in world.query::<&mut OrbitCamera>().iter_mut(world) {
            camera.go(viewpoint);
        }
    }

    fn light(&mut self) -> Result<Light, StageError> {
        for _ in 0..MOST_UPDATES {
            self.step();
            if let Some(refused) = self.app.world().get_resource::<RefusedState>() {
                return Err(StageError::Refused(Box::new(refused.refusal.clone())));
            }
            if let Some(lost) = self.app.world().get_resource::<DeviceLost>() {
                return Err(StageError::Device(lost.why.clone()));
            }
            let world = self.app.world_mut();
            let is_drawn = world.query::<&Embodiment>().iter(world).any(Embodiment::is_drawn);
            if is_drawn {
                // The camera or the emphasis may have moved in the update that drew: once more, for this state.
                self.step();
                return self.read_back();
            }
            self.finish()?;
        }
        Err(StageError::NothingShown {
            updates: MOST_UPDATES,
        })
    }

    /// What the device holds once everything that was released is gone from it.
    ///
    /// # Errors
    /// [`StageError::Device`] when the device does not answer.
    pub fn held(&self) -> Result<Held, StageError> {
        self.finish()?;
        let device = self.graphics.device();
        let report = device.wgpu_device().generate_allocator_report();
        Ok(Held {
            embodiments: draw::on_device(&self.app),
            allocations: report.map(|report| report.allocations.len()),
        })
    }

    fn read_back(&self) -> Result<Light, StageError> {
        let device: &RenderDevice = self.graphics.device();
        let gone = |why: &str| StageError::Device(why.to_owned());
        let image = self
            .app
            .get_sub_app(RenderApp)
            .and_then(|render| render.world().get_resource::<RenderAssets<GpuImage>>())
            .and_then(|images| images.get(&self.target))
            .ok_or_else(|| gone("the target was not made"))?;
        let stride = stride(self.size);
        let buffer = device.create_buffer(&BufferDescriptor {
            label: Some("stage picture"),
            size: stride * u64::from(self.size.y),
            usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            image.texture.as_image_copy(),
            TexelCopyBufferInfo {
                buffer: &buffer,
                layout: TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: u32::try_from(stride).ok(),
                    rows_per_image: None,
                },
            },
            Extent3d {
                width: self.size.x,
                height: self.size.y,
                depth_or_array_layers: 1,
            },
        );
        self.graphics.queue().submit([encoder.finish()]);
        let slice = buffer.slice(..);
        let (sender, receiver) = mpsc::channel();
        slice.map_async(MapMode::Read, move |result| {
            // The receiver waits below; it is gone only if this function has already failed.
            drop(sender.send(result));
        });
        device
            .poll(wait())
            .map_err(|error| StageError::Device(error.to_string()))?;
        receiver
            .recv()
            .map_err(|error| gone(&error.to_string()))?
            .map_err(|error| gone(&error.to_string()))?;
        let bytes = slice.get_mapped_range();
        Ok(Light::of(
            &bytes,
            usize::try_from(stride).unwrap_or(usize::MAX),
            (self.size.x, self.size.y),
            self.supersample,
        ))
    }
}

/// Bytes of a row of a target as it is read back.
fn stride(size: UVec2) -> u64 {
    RenderDevice::align_copy_bytes_per_row(size.x as usize * 4) as u64
}

fn wait() -> PollType {
    PollType::Wait {
        submission_index: None,
        timeout: None,
    }
}

/// One picture of what `setup` makes visible: opens the device, builds the app, steps until drawn, encodes.
///
/// `setup` adds what shows something, such as the adoption gate with its request.
///
/// # Errors
/// As [`Graphics::open`], [`Headless::new`] and [`Headless::picture`]; or what `setup` returns.
pub fn capture(
    size: (u32, u32),
    viewpoint: plan::Camera,
    setup: impl FnOnce(&mut App) -> Result<(), StageError>,
) -> Result<Vec<u8>, StageError> {
    let mut headless = Headless::new(Graphics::open()?, size, viewpoint)?;
    setup(&mut headless.app)?;
    headless.picture()?.to_png(&[("Software", "Nemosyne")])
}
