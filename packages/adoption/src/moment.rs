//! The moment an authorization is bound to: this run of the program, this registration, this activation.

use forma::Authorities;
use identity::Fingerprint;
use investigation::Activation;
use knowledge::wire::v1::DeviceClass;

/// One run of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runtime {
    instance: String,
    generation: u64,
}

impl Runtime {
    /// A run with a name that no other run has, in its first generation.
    #[must_use]
    pub fn new(instance: impl Into<String>) -> Self {
        Self {
            instance: instance.into(),
            generation: 1,
        }
    }

    /// The next generation, after the graphics device or the world was rebuilt.
    #[must_use]
    pub fn next_generation(&self) -> Self {
        Self {
            instance: self.instance.clone(),
            generation: self.generation + 1,
        }
    }

    /// The name of the run.
    #[must_use]
    pub fn instance(&self) -> &str {
        &self.instance
    }

    /// The generation, from 1.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }
}

/// One registration of a dataset in this run; registering the same bytes again is another registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    fingerprint: Fingerprint,
    ordinal: u64,
}

impl Registration {
    /// The `ordinal`-th dataset registered in this run.
    #[must_use]
    pub fn new(fingerprint: Fingerprint, ordinal: u64) -> Self {
        Self { fingerprint, ordinal }
    }

    /// Which dataset.
    #[must_use]
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }
}

/// What is so right now, told by its owners; compared with what an authorization is bound to.
#[derive(Clone, Copy)]
#[allow(
    missing_debug_implementations,
    reason = "authorities are capabilities without a printable form"
)]
pub struct Current<'a> {
    /// This run.
    pub runtime: &'a Runtime,
    /// The dataset at hand.
    pub registration: &'a Registration,
    /// The activation in force.
    pub activation: &'a Activation,
    /// The device at hand.
    pub device: DeviceClass,
    /// Evidence, policies, study owner.
    pub authorities: &'a dyn Authorities,
}
