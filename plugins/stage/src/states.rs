//! How each mark stands in focus: a byte a mark, kept beside the scene, of which only what changed goes to the device.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{RwLock, RwLockReadGuard};

use crate::scene::Scene;

/// Bits of a mark's state, as the shaders know them.
pub(crate) const HIDDEN: u8 = 1;
pub(crate) const SELECTED: u8 = 2;
pub(crate) const HOVERED: u8 = 4;

/// States of the marks of a scene, then of its solids, shared by both worlds.
#[derive(Debug, Default)]
pub(crate) struct States {
    sets: RwLock<Vec<SetStates>>,
    version: AtomicU64,
}

/// States of one set.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetStates {
    /// One a mark; none at all while no mark ever was in a state.
    bytes: Vec<u8>,
    count: usize,
    /// What the device does not know yet.
    pending: Option<Range<usize>>,
}

impl States {
    pub(crate) fn of(scene: &Scene) -> Self {
        let sets = (0..scene.n_sets()).map(|set| SetStates {
            count: scene.count_of(set),
            ..SetStates::default()
        });
        Self {
            sets: RwLock::new(sets.collect()),
            version: AtomicU64::new(0),
        }
    }

    /// Rises with every change.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// As they stand.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Vec<SetStates>> {
        // Whoever panicked while writing left bytes, and any bytes can be read.
        self.sets
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Changes them.
    pub(crate) fn write(&self, change: impl FnOnce(&mut [SetStates])) {
        let mut sets = self
            .sets
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        change(&mut sets);
        if sets.iter().any(|set| set.pending.is_some()) {
            self.version.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Hands over what the device does not know yet: set, offset in bytes, bytes. Offsets and lengths are multiples of
    /// four, as devices want them; whatever is past the last mark is zero.
    pub(crate) fn take_pending(&self, mut write: impl FnMut(usize, usize, &[u8])) {
        let is_known = self.read().iter().all(|set| set.pending.is_none());
        if is_known {
            return;
        }
        let mut sets = self
            .sets
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        for (at, set) in sets.iter_mut().enumerate() {
            if let Some(range) = set.pending.take() {
                let whole = range.start & !3..range.end.next_multiple_of(4).min(set.bytes.len());
                write(at, whole.start, &set.bytes[whole]);
            }
        }
    }
}

impl SetStates {
    /// How a mark stands.
    pub(crate) fn get(&self, mark: usize) -> u8 {
        self.bytes.get(mark).copied().unwrap_or(0)
    }

    /// Sets how a mark stands.
    pub(crate) fn set(&mut self, mark: usize, state: u8) {
        if mark >= self.count || self.get(mark) == state {
            return;
        }
        if self.bytes.is_empty() {
            self.bytes = vec![0; self.count.next_multiple_of(4)];
        }
        self.bytes[mark] = state;
        self.pending = Some(match self.pending.take() {
            Some(range) => range.start.min(mark)..range.end.max(mark + 1),
            None => mark..mark + 1,
        });
    }
}
