//! How far an import is, told to whoever waits for it, and a way to stop.

use std::ops::ControlFlow;

use crate::error::ImportError;
use crate::source::{RawCell, RowPlace, RowSink};

/// After this many rows the listener is asked again.
const ROWS_BETWEEN: usize = 16_384;

/// What an import does at the moment, in the order of its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Opening the file: format, encoding, names.
    Opening,
    /// Reading the columns of a file that holds columns.
    Decoding,
    /// Looking at every cell before anything is decided.
    Surveying,
    /// Making columns by what was decided.
    Building,
    /// Hashing the canonical text.
    Fingerprinting,
}

impl Phase {
    /// What a person reads beside the count.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            Self::Opening => "opening the file",
            Self::Decoding => "reading the columns",
            Self::Surveying => "looking at the cells",
            Self::Building => "building columns",
            Self::Fingerprinting => "computing the identity",
        }
    }
}

/// How far a phase is. What is counted is rows, or columns where whole columns are read; `done` never decreases
/// inside a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The phase.
    pub phase: Phase,
    /// How much of it is done.
    pub done: usize,
    /// Of how much, when that is known.
    pub of: Option<usize>,
}

/// Who is told, and may answer [`ControlFlow::Break`] to stop the import with [`ImportError::Canceled`].
pub type Listener<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// Tells the listener; an import that was told to stop stops here, and nothing of it is left.
pub(crate) fn tell(
    listener: &mut Listener<'_>,
    phase: Phase,
    done: usize,
    of: Option<usize>,
) -> Result<(), ImportError> {
    match listener(Progress { phase, done, of }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ImportError::Canceled { phase }),
    }
}

/// A sink that counts what passes through.
pub(crate) struct Counting<'a, 'l> {
    pub(crate) sink: &'a mut dyn RowSink,
    pub(crate) listener: &'a mut Listener<'l>,
    pub(crate) phase: Phase,
    pub(crate) of: Option<usize>,
}

impl RowSink for Counting<'_, '_> {
    fn row(&mut self, place: RowPlace, cells: &[RawCell<'_>]) -> Result<(), ImportError> {
        self.sink.row(place, cells)?;
        if place.row.is_multiple_of(ROWS_BETWEEN) {
            tell(self.listener, self.phase, place.row, self.of)?;
        }
        Ok(())
    }
}
