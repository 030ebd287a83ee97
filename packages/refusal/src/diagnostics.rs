//! Every problem found, in stage order, with the first failing stage in front.

use crate::{Refusal, Stage};

/// The most diagnostics kept; what comes after is counted.
pub const MAX_DIAGNOSTICS: usize = 256;

/// A bounded collection of refusals from all stages that could run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    kept: Vec<Refusal>,
    dropped: usize,
}

impl Diagnostics {
    /// None so far.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one. Past [`MAX_DIAGNOSTICS`] an earlier stage still displaces the last of a later one, so that the
    /// primary is never lost.
    pub fn push(&mut self, refusal: Refusal) {
        let place = self.kept.partition_point(|kept| kept.stage() <= refusal.stage());
        self.kept.insert(place, refusal);
        if self.kept.len() > MAX_DIAGNOSTICS {
            self.kept.pop();
            self.dropped += 1;
        }
    }

    /// Adds what another stage found.
    pub fn extend(&mut self, other: Self) {
        self.dropped += other.dropped;
        for refusal in other.kept {
            self.push(refusal);
        }
    }

    /// The first refusal of the first failing stage.
    #[must_use]
    pub fn primary(&self) -> Option<&Refusal> {
        self.kept.first()
    }

    /// All kept, in stage order.
    #[must_use]
    pub fn all(&self) -> &[Refusal] {
        &self.kept
    }

    /// How many did not fit.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Whether nothing was refused.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether a stage has failed.
    #[must_use]
    pub fn failed(&self, stage: Stage) -> bool {
        self.kept.iter().any(|refusal| refusal.stage() == stage)
    }
}
