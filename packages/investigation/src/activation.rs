//! Activation: which committed context is in force right now, in this run of the program. Never hashed, never stored.

use core::fmt;
use core::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

use identity::Identity;

use crate::wire::v2::ContextBody;
use crate::{Context, InvestigationError};

/// Counts activations inside one generation. It only increments: it never wraps and never starts again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActivationEpoch(NonZeroU64);

impl ActivationEpoch {
    pub(crate) const FIRST: Self = Self(NonZeroU64::MIN);
    #[cfg(test)]
    pub(crate) const LAST: Self = Self(NonZeroU64::MAX);

    fn next(self) -> Result<Self, InvestigationError> {
        self.0
            .checked_add(1)
            .map(Self)
            .ok_or(InvestigationError::EpochsExhausted)
    }

    /// The number, from 1.
    #[must_use]
    pub const fn get(self) -> NonZeroU64 {
        self.0
    }
}

impl fmt::Display for ActivationEpoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// One visit of one committed context. Only an [`Investigation`](crate::Investigation) makes one, and no parser does:
///
/// ```compile_fail,E0277
/// let text = "{}";
/// let forged: investigation::Activation = serde_json::from_str(text).expect("an activation");
/// ```
///
/// ```
/// # use identity::Identity;
/// # use investigation::wire::v2::ContextBody;
/// fn read(activation: &investigation::Activation) -> (Identity<ContextBody>, u64) {
///     (activation.context_id(), activation.epoch().get().get())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    context_id: Identity<ContextBody>,
    investigation_id: String,
    node_id: String,
    runtime_instance: String,
    generation: NonZeroU64,
    epoch: ActivationEpoch,
}

impl Activation {
    /// The context that is in force.
    #[must_use]
    pub const fn context_id(&self) -> Identity<ContextBody> {
        self.context_id
    }

    /// The investigation it belongs to.
    #[must_use]
    pub fn investigation_id(&self) -> &str {
        &self.investigation_id
    }

    /// Its node in the lineage.
    #[must_use]
    pub fn node_id(&self) -> &str {
        &self.node_id
    }

    /// The run of the program, as the program named it.
    #[must_use]
    pub fn runtime_instance(&self) -> &str {
        &self.runtime_instance
    }

    /// Which investigation in memory issued it; a new number each time one is made, also within one run.
    #[must_use]
    pub const fn generation(&self) -> NonZeroU64 {
        self.generation
    }

    /// Which visit this is inside the generation.
    #[must_use]
    pub const fn epoch(&self) -> ActivationEpoch {
        self.epoch
    }
}

/// Why an activation is no longer the current one, in the order in which it is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Staleness {
    /// Nothing is active yet.
    #[error("no context is active")]
    NoActiveContext,
    /// Another context is active.
    #[error("another context is active")]
    Context,
    /// The same content is active at another node.
    #[error("another node is active")]
    Node,
    /// It was issued by another run of the program.
    #[error("it was issued by another run of the program")]
    Runtime,
    /// It was issued by an investigation that was reloaded since.
    #[error("the investigation was reloaded since")]
    Generation,
    /// The context was left and visited again since.
    #[error("the context was left and visited again since")]
    Epoch,
}

/// How many generations this process has begun.
static GENERATIONS: AtomicU64 = AtomicU64::new(0);

/// Issues activations. It exists once for an investigation in memory and can't be copied, so that two of them never
/// issue the same epoch of one generation.
#[derive(Debug)]
pub(crate) struct Ledger {
    runtime_instance: String,
    generation: NonZeroU64,
    last: Option<ActivationEpoch>,
    current: Option<Activation>,
}

impl Ledger {
    pub(crate) fn begin(runtime_instance: String) -> Self {
        let before = GENERATIONS.fetch_add(1, Ordering::Relaxed);
        let generation = NonZeroU64::MIN.saturating_add(before);
        Self {
            runtime_instance,
            generation,
            last: None,
            current: None,
        }
    }

    /// The next activation of a context, not yet in force.
    pub(crate) fn prepare(&self, context: &Context) -> Result<Activation, InvestigationError> {
        let epoch = self
            .last
            .map_or(Ok(ActivationEpoch::FIRST), ActivationEpoch::next)?;
        Ok(Activation {
            context_id: context.id(),
            investigation_id: context.body().investigation_id.clone(),
            node_id: context.body().node_id.clone(),
            runtime_instance: self.runtime_instance.clone(),
            generation: self.generation,
            epoch,
        })
    }

    /// Puts a prepared activation in force.
    pub(crate) fn enact(&mut self, activation: Activation) {
        self.last = Some(activation.epoch);
        self.current = Some(activation);
    }

    pub(crate) const fn current(&self) -> Option<&Activation> {
        self.current.as_ref()
    }

    pub(crate) fn confirm(&self, activation: &Activation) -> Result<(), Staleness> {
        let current = self.current.as_ref().ok_or(Staleness::NoActiveContext)?;
        let checks = [
            (current.context_id == activation.context_id, Staleness::Context),
            (current.node_id == activation.node_id, Staleness::Node),
            (
                current.runtime_instance == activation.runtime_instance,
                Staleness::Runtime,
            ),
            (current.generation == activation.generation, Staleness::Generation),
            (current.epoch == activation.epoch, Staleness::Epoch),
        ];
        checks
            .into_iter()
            .find(|(holds, _)| !holds)
            .map_or(Ok(()), |(_, staleness)| Err(staleness))
    }

    #[cfg(test)]
    pub(crate) const fn skip_to_last(&mut self) {
        self.last = Some(ActivationEpoch::LAST);
    }
}
