//! What is so right now, kept by whoever owns each fact.

use std::sync::Arc;

use adoption::{Current, Registration, Runtime};
use bevy::prelude::*;
use forma::Authorities;
use investigation::Activation;
use knowledge::wire::v1::DeviceClass;

/// The facts against which every view is rechecked in every frame. Change a field and the next pass of the gate judges
/// by it.
#[derive(Resource, Clone)]
#[allow(
    missing_debug_implementations,
    reason = "authorities are capabilities without a printable form"
)]
pub struct Moment {
    /// This run.
    pub runtime: Runtime,
    /// The dataset at hand.
    pub registration: Registration,
    /// The activation in force.
    pub activation: Activation,
    /// The device at hand.
    pub device: DeviceClass,
    /// Evidence, policies, study owner.
    pub authorities: Arc<dyn Authorities + Send + Sync>,
}

impl Moment {
    /// As `adoption` takes it.
    #[must_use]
    pub fn current(&self) -> Current<'_> {
        Current {
            runtime: &self.runtime,
            registration: &self.registration,
            activation: &self.activation,
            device: self.device,
            authorities: &*self.authorities,
        }
    }
}
