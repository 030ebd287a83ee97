//! What is looked at: the row under the pointer, the rows that are selected, whether all others are hidden. All by row key.
//!
//! A selection is no filter: the population stays what it is, nothing is counted anew, and no mark gets another number.
//! It outlives the view. Keys that a new view does not have are kept, and counted, until one has them again.

use std::collections::BTreeSet;
use std::sync::Arc;

use bevy::prelude::*;

use crate::roll::Roll;
use crate::states::{HIDDEN, HOVERED, SELECTED};

/// How what is meant joins what is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// In place of everything.
    Only,
    /// Beside it.
    Add,
    /// Taken out of it.
    Remove,
    /// In when it was out, out when it was in.
    Toggle,
}

/// The rows in focus.
#[derive(Resource, Debug, Default)]
pub struct Selection {
    /// Keys of the view that is shown.
    roll: Arc<Roll>,
    /// One bit a number of the roll.
    chosen: Vec<u64>,
    count: usize,
    /// Selected keys that the view does not have.
    elsewhere: BTreeSet<Box<str>>,
    hovered: Option<Box<str>>,
    is_isolated: bool,
    changed: Changed,
}

/// What whoever draws does not know yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Changed {
    #[default]
    Nothing,
    /// These numbers, some maybe twice.
    Numbers(Vec<u32>),
    Everything,
}

impl Selection {
    /// The row under the pointer.
    #[must_use]
    pub fn hovered(&self) -> Option<&str> {
        self.hovered.as_deref()
    }

    /// Whether a row is selected.
    #[must_use]
    pub fn contains(&self, row_key: &str) -> bool {
        match self.roll.number(row_key) {
            Some(number) => self.holds(number),
            None => self.elsewhere.contains(row_key),
        }
    }

    /// Selected rows, those that the view lacks with them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count + self.elsewhere.len()
    }

    /// Whether nothing is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Selected rows that the view which is shown has no mark for.
    #[must_use]
    pub fn n_lacking(&self) -> usize {
        self.elsewhere.len()
    }

    /// Whether everything that is not selected is hidden.
    #[must_use]
    pub fn is_isolated(&self) -> bool {
        self.is_isolated
    }

    /// Keys of the selected rows: those of the view in its order, then the others in theirs.
    pub fn row_keys(&self) -> impl Iterator<Item = &str> {
        let here = self.numbers().map(|number| self.roll.key(number));
        here.chain(self.elsewhere.iter().map(|key| &**key))
    }

    /// The pointer is over a row, or over none.
    pub fn hover(&mut self, row_key: Option<&str>) {
        if self.hovered.as_deref() == row_key {
            return;
        }
        for key in [self.hovered.take().as_deref(), row_key].into_iter().flatten() {
            self.touch(key);
        }
        self.hovered = row_key.map(Box::from);
    }

    /// Selects rows by key.
    pub fn select<'a>(&mut self, row_keys: impl IntoIterator<Item = &'a str>, how: How) {
        let (mut here, mut elsewhere) = (Vec::new(), BTreeSet::new());
        for key in row_keys {
            match self.roll.number(key) {
                Some(number) => here.push(number),
                None => drop(elsewhere.insert(Box::<str>::from(key))),
            }
        }
        here.sort_unstable();
        here.dedup();
        match how {
            How::Only => self.elsewhere = elsewhere,
            How::Add => self.elsewhere.extend(elsewhere),
            How::Remove => self.elsewhere.retain(|key| !elsewhere.contains(key)),
            How::Toggle => {
                self.elsewhere = self.elsewhere.symmetric_difference(&elsewhere).cloned().collect();
            }
        }
        self.select_here(&here, how);
    }

    /// Selects numbers of the roll, each once and rising.
    pub(crate) fn select_here(&mut self, numbers: &[u32], how: How) {
        if how == How::Only {
            let gone: Vec<u32> = self.numbers().collect();
            for number in gone {
                self.put(number, false);
            }
        }
        for number in numbers {
            let is_in = match how {
                How::Only | How::Add => true,
                How::Remove => false,
                How::Toggle => !self.holds(*number),
            };
            self.put(*number, is_in);
        }
        self.settle();
    }

    /// A brush that met nothing of the view: what is selected elsewhere goes, too, when it is to be the only one.
    pub(crate) fn brushed(&mut self, numbers: &[u32], how: How) {
        if how == How::Only {
            self.elsewhere.clear();
        }
        self.select_here(numbers, how);
    }

    /// Hides everything that is not selected. Nothing happens while nothing of the view is selected: an empty view would
    /// say that there is nothing.
    pub fn isolate(&mut self) {
        if !self.is_isolated && self.count > 0 {
            self.is_isolated = true;
            self.changed = Changed::Everything;
        }
    }

    /// Shows everything again; what is selected stays selected.
    pub fn show_all(&mut self) {
        if self.is_isolated {
            self.is_isolated = false;
            self.changed = Changed::Everything;
        }
    }

    /// Lets go of everything: nothing is hovered, selected or hidden.
    pub fn release(&mut self) {
        self.hover(None);
        self.elsewhere.clear();
        self.select_here(&[], How::Only);
        self.show_all();
    }

    /// How the marks of a number stand.
    pub(crate) fn state(&self, number: u32) -> u8 {
        let is_chosen = self.holds(number);
        let hides = self.is_isolated && !is_chosen;
        let is_hovered = self.hovered.as_deref() == Some(self.roll.key(number));
        (u8::from(hides) * HIDDEN) | (u8::from(is_chosen) * SELECTED) | (u8::from(is_hovered) * HOVERED)
    }

    /// The same for numbers from 0, without looking at each key.
    pub(crate) fn states(&self) -> Vec<u8> {
        let mut states: Vec<u8> = (0..self.roll.len())
            .map(|number| {
                let is_chosen = self.chosen[number / 64] >> (number % 64) & 1 == 1;
                (u8::from(self.is_isolated && !is_chosen) * HIDDEN) | (u8::from(is_chosen) * SELECTED)
            })
            .collect();
        if let Some(number) = self.hovered.as_deref().and_then(|key| self.roll.number(key)) {
            states[number as usize] |= HOVERED;
        }
        states
    }

    pub(crate) fn take_changed(&mut self) -> Changed {
        std::mem::take(&mut self.changed)
    }

    pub(crate) fn has_changed(&self) -> bool {
        self.changed != Changed::Nothing
    }

    /// Whether these are the keys by which it counts.
    pub(crate) fn counts_by(&self, roll: &Arc<Roll>) -> bool {
        Arc::ptr_eq(&self.roll, roll)
    }

    /// Whether nothing is in focus.
    pub(crate) fn is_idle(&self) -> bool {
        self.is_empty() && self.hovered.is_none()
    }

    /// Another view is shown: the same keys, by its numbers.
    pub(crate) fn count_by(&mut self, roll: &Arc<Roll>) {
        if self.counts_by(roll) {
            return;
        }
        let old = std::mem::replace(&mut self.roll, Arc::clone(roll));
        let chosen = std::mem::replace(&mut self.chosen, vec![0; self.roll.len().div_ceil(64)]);
        let keys: Vec<Box<str>> = ones(&chosen)
            .map(|number| Box::from(old.key(number)))
            .chain(std::mem::take(&mut self.elsewhere))
            .collect();
        self.count = 0;
        for key in keys {
            match self.roll.number(&key) {
                Some(number) => self.put(number, true),
                None => drop(self.elsewhere.insert(key)),
            }
        }
        self.settle();
        self.changed = Changed::Everything;
    }

    fn holds(&self, number: u32) -> bool {
        let number = number as usize;
        self.chosen
            .get(number / 64)
            .is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn numbers(&self) -> impl Iterator<Item = u32> {
        ones(&self.chosen)
    }

    fn put(&mut self, number: u32, is_in: bool) {
        if self.holds(number) == is_in {
            return;
        }
        self.chosen[number as usize / 64] ^= 1 << (number % 64);
        self.count = if is_in { self.count + 1 } else { self.count - 1 };
        self.changed.mark(number, self.roll.len());
    }

    fn touch(&mut self, key: &str) {
        if let Some(number) = self.roll.number(key) {
            self.changed.mark(number, self.roll.len());
        }
    }

    /// Isolation ends where nothing would be left to see.
    fn settle(&mut self) {
        if self.count == 0 {
            self.show_all();
        }
    }
}

impl Changed {
    fn mark(&mut self, number: u32, of: usize) {
        match self {
            Self::Everything => {}
            // Where many change, all are looked at once and in order.
            Self::Numbers(numbers) if numbers.len() > of / 8 + 16 => *self = Self::Everything,
            Self::Numbers(numbers) => numbers.push(number),
            Self::Nothing => *self = Self::Numbers(vec![number]),
        }
    }
}

/// Places of the bits that are set.
fn ones(words: &[u64]) -> impl Iterator<Item = u32> {
    words.iter().zip(0_u32..).flat_map(|(word, at)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros();
            (bit < 64).then(|| {
                left &= left - 1;
                at * 64 + bit
            })
        })
    })
}
