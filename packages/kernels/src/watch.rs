//! How far an analysis is, told to whoever waits for it, and a way to stop.

use std::ops::ControlFlow;

use crate::error::KernelError;

/// What an analysis does at the moment, and how far that is. Phases follow each other in the order of the work of a
/// family; `done` never decreases inside one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, in words a person reads beside the count.
    pub phase: &'static str,
    /// How many cases of it are done: rows, nodes, starts or steps.
    pub done: usize,
    /// Of how many, when that is known.
    pub of: Option<usize>,
}

/// Who is told, and may answer [`ControlFlow::Break`] to stop the analysis with [`KernelError::Canceled`].
pub type Listener<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// A listener in the hands of a family. What was told to stop stops at the next word to it, and nothing of it is left.
pub(crate) struct Watch<'a> {
    listener: &'a mut Listener<'a>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(listener: &'a mut Listener<'_>) -> Self {
        Self { listener }
    }

    /// Tells how far it is.
    ///
    /// # Errors
    /// [`KernelError::Canceled`] when the listener says so.
    pub(crate) fn tell(
        &mut self,
        phase: &'static str,
        done: usize,
        of: Option<usize>,
    ) -> Result<(), KernelError> {
        match (self.listener)(Progress { phase, done, of }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(KernelError::Canceled { doing: phase }),
        }
    }
}
