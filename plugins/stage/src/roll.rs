//! The row keys of one view, each once under a number, so that a million of them are chosen as bits and found at once.
//!
//! A number holds only as long as the view; what outlives it is told by key.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use crate::scene::Scene;

const NOBODY: u32 = u32::MAX;

/// Keys of a view.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    rosters: Vec<Roster>,
    /// Roster of each set, in the order of the sets; none for symbols of the legend.
    of_sets: Vec<Option<usize>>,
    /// Where the key of a number is written: roster and place.
    written: Vec<(u32, u32)>,
    /// Numbers by the hash of their key, with open addressing.
    slots: Box<[u32]>,
}

/// The keys that some sets share.
#[derive(Debug)]
struct Roster {
    keys: Arc<[Box<str>]>,
    /// Number of each place.
    numbers: Box<[u32]>,
    /// Places by number, rising, where they are not the numbers themselves.
    places: Option<Box<[(u32, u32)]>>,
}

impl Roll {
    /// The keys of a scene's sets; sets that share their keys share a roster.
    pub(crate) fn of(scene: &Scene) -> Self {
        let mut distinct: Vec<Arc<[Box<str>]>> = Vec::new();
        let mut of_sets = Vec::new();
        for set in 0..scene.n_sets() {
            if scene.element_of(set).is_empty() {
                of_sets.push(None);
                continue;
            }
            let keys_of_set = scene.keys_of(set);
            let known = distinct.iter().position(|keys| Arc::ptr_eq(keys, keys_of_set));
            of_sets.push(Some(known.unwrap_or_else(|| {
                distinct.push(Arc::clone(keys_of_set));
                distinct.len() - 1
            })));
        }
        let most: usize = distinct.iter().map(|keys| keys.len()).sum();
        let mut roll = Self {
            rosters: Vec::new(),
            of_sets,
            written: Vec::new(),
            slots: vec![NOBODY; (2 * most).next_power_of_two()].into_boxed_slice(),
        };
        for keys in distinct {
            roll.enter(keys);
        }
        roll
    }

    fn enter(&mut self, keys: Arc<[Box<str>]>) {
        let roster = small(self.rosters.len());
        let mut numbers = Vec::with_capacity(keys.len());
        // The roster is in place before its keys are looked up.
        self.rosters.push(Roster {
            keys: Arc::clone(&keys),
            numbers: Box::default(),
            places: None,
        });
        for (place, key) in keys.iter().enumerate() {
            let slot = self.slot(key);
            if self.slots[slot] == NOBODY {
                self.slots[slot] = small(self.written.len());
                self.written.push((roster, small(place)));
            }
            numbers.push(self.slots[slot]);
        }
        let is_plain = numbers.iter().zip(0..).all(|(number, place)| *number == place);
        let places = (!is_plain).then(|| {
            let mut places: Box<[(u32, u32)]> = numbers.iter().copied().zip(0..).collect();
            places.sort_unstable();
            places
        });
        if let Some(entered) = self.rosters.last_mut() {
            entered.numbers = numbers.into_boxed_slice();
            entered.places = places;
        }
    }

    /// Where the key is, or would be.
    fn slot(&self, key: &str) -> usize {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let mask = self.slots.len() - 1;
        let mut slot = hasher.finish() as usize & mask;
        // Half of the slots are free, so this ends.
        while self.slots[slot] != NOBODY && self.key(self.slots[slot]) != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// How many keys there are.
    pub(crate) fn len(&self) -> usize {
        self.written.len()
    }

    /// The number of a key.
    pub(crate) fn number(&self, key: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        Some(self.slots[self.slot(key)]).filter(|number| *number != NOBODY)
    }

    /// The key of a number that this roll gave.
    pub(crate) fn key(&self, number: u32) -> &str {
        let (roster, place) = self.written[number as usize];
        &self.rosters[roster as usize].keys[place as usize]
    }

    /// Numbers of a set's marks, in their order; none for symbols of the legend.
    pub(crate) fn numbers(&self, set: usize) -> Option<&[u32]> {
        let roster = (*self.of_sets.get(set)?)?;
        Some(&self.rosters[roster].numbers)
    }

    /// The marks of a set that stand for a number.
    pub(crate) fn marks(&self, set: usize, number: u32) -> impl Iterator<Item = usize> {
        let roster = self
            .of_sets
            .get(set)
            .copied()
            .flatten()
            .map(|at| &self.rosters[at]);
        let plain =
            roster.filter(|roster| roster.places.is_none() && (number as usize) < roster.numbers.len());
        let listed = roster.and_then(|roster| roster.places.as_deref()).map(|places| {
            let first = places.partition_point(|(known, _)| *known < number);
            places[first..]
                .iter()
                .take_while(move |(known, _)| *known == number)
        });
        plain
            .map(|_| number as usize)
            .into_iter()
            .chain(listed.into_iter().flatten().map(|(_, place)| *place as usize))
    }
}

/// A scene holds fewer things than a number counts; staging refuses more.
fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(NOBODY - 1)
}
