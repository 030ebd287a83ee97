//! The graphics device: opened before the app, so that its absence is an answer and not a panic.

use std::sync::Arc;

use bevy::render::RenderPlugin;
use bevy::render::renderer::{
    RenderAdapter, RenderAdapterInfo, RenderDevice, RenderInstance, RenderQueue, WgpuWrapper,
};
use bevy::render::settings::{RenderCreation, RenderResources};
use bevy::tasks::block_on;

use crate::StageError;

/// An opened graphics device.
#[derive(Clone)]
#[allow(missing_debug_implementations, reason = "a device has no printable form")]
pub struct Graphics {
    resources: RenderResources,
    name: String,
}

impl Graphics {
    /// Opens the best device there is; Mesa's software driver counts.
    ///
    /// # Errors
    /// [`StageError::NoGraphicsDevice`] when no driver answers.
    pub fn open() -> Result<Self, StageError> {
        Self::open_with(None)
    }

    /// The same, with limits at most as given: for tests of what a small device refuses.
    ///
    /// # Errors
    /// [`StageError::NoGraphicsDevice`] when no driver answers, or none within these limits.
    pub fn open_with(limits: Option<wgpu::Limits>) -> Result<Self, StageError> {
        Self::open_on(
            wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY),
            limits,
        )
    }

    /// The same, through these interfaces alone.
    ///
    /// # Errors
    /// [`StageError::NoGraphicsDevice`] when no driver answers through them.
    pub fn open_on(backends: wgpu::Backends, limits: Option<wgpu::Limits>) -> Result<Self, StageError> {
        let none = |why: &dyn std::fmt::Display| StageError::NoGraphicsDevice(why.to_string());
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends,
            ..wgpu::InstanceDescriptor::new_without_display_handle_from_env()
        });
        let adapter = block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        }))
        .map_err(|error| none(&error))?;
        let info = adapter.get_info();
        let name = format!("{} ({:?})", info.name, info.backend);
        let most = adapter.limits();
        let (device, queue) = block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("nemosyne"),
            // Nothing beyond the portable core: the same pictures on every device that opens.
            required_features: adapter.features() & wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES,
            required_limits: limits.map_or(most.clone(), |limits| most.or_worse_values_from(&limits)),
            ..Default::default()
        }))
        .map_err(|error| none(&error))?;
        let resources = RenderResources(
            RenderDevice::from(device),
            RenderQueue(Arc::new(WgpuWrapper::new(queue))),
            RenderAdapterInfo(WgpuWrapper::new(info)),
            RenderAdapter(Arc::new(WgpuWrapper::new(adapter))),
            RenderInstance(Arc::new(WgpuWrapper::new(instance))),
        );
        Ok(Self { resources, name })
    }

    /// Name of the device and of the interface through which it is reached.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The renderer over this device, for `DefaultPlugins.set(…)`. With `synchronous`, pipelines are compiled where
    /// they are first needed: slower to start, and the first frame is complete.
    #[must_use]
    pub fn render_plugin(&self, synchronous: bool) -> RenderPlugin {
        RenderPlugin {
            render_creation: RenderCreation::Manual(self.resources.clone()),
            synchronous_pipeline_compilation: synchronous,
            ..Default::default()
        }
    }

    pub(crate) fn device(&self) -> &RenderDevice {
        &self.resources.0
    }

    pub(crate) fn queue(&self) -> &RenderQueue {
        &self.resources.1
    }
}
