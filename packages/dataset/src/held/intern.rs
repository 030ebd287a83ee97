//! Texts of a column kept once each, as long as they repeat.

use std::hash::{BuildHasher as _, Hash, RandomState};

use super::{Held, Spelled};

/// With more distinct texts than this, a column's texts are kept one after the other instead. What repeats so little
/// gains nothing by a dictionary.
const MAX_KEPT: usize = 1 << 19;

/// The texts of a column so far.
#[derive(Debug)]
pub(crate) struct Interned {
    spelled: Spelled,
    codes: Vec<u32>,
    texts: Vec<Box<str>>,
    /// Beside each text the count it is printed from, where texts are known by counts.
    counts: Vec<i64>,
    slots: Slots,
    /// Once there are too many texts: all of them, one after the other.
    run_on: Option<(String, Vec<usize>)>,
}

impl Interned {
    pub(crate) fn new(spelled: Spelled, n_rows: usize) -> Self {
        Self {
            spelled,
            codes: Vec::with_capacity(n_rows),
            texts: Vec::new(),
            counts: Vec::new(),
            slots: Slots::new(),
            run_on: None,
        }
    }

    /// Takes a row without a value.
    pub(crate) fn push_none(&mut self) {
        match &mut self.run_on {
            Some((text, ends)) => ends.push(text.len()),
            None => self.codes.push(0),
        }
    }

    /// The code of a text; `None` when texts are no longer kept once each. A code stays good for [`Self::push_code`].
    pub(crate) fn code_of(&mut self, text: &str) -> Option<u32> {
        if self.run_on.is_some() {
            return None;
        }
        let texts = &self.texts;
        match self.slots.find(text, |code| *texts[code as usize] == *text) {
            Found::Code(code) => Some(code),
            Found::Free(at) => self.keep(at, || text.into()),
        }
    }

    /// The code of the text of a count, printed by `print` when it is new; a column is known by texts or by counts,
    /// never by both.
    pub(crate) fn code_of_count<E>(
        &mut self,
        count: i64,
        print: impl FnOnce() -> Result<Box<str>, E>,
    ) -> Result<Option<u32>, E> {
        if self.run_on.is_some() {
            return Ok(None);
        }
        let counts = &self.counts;
        match self.slots.find(&count, |code| counts[code as usize] == count) {
            Found::Code(code) => Ok(Some(code)),
            Found::Free(at) => {
                let text = print()?;
                let code = self.keep(at, || text);
                if code.is_some() {
                    self.counts.push(count);
                }
                Ok(code)
            }
        }
    }

    fn keep(&mut self, at: usize, text: impl FnOnce() -> Box<str>) -> Option<u32> {
        if self.texts.len() == MAX_KEPT {
            self.run_on();
            return None;
        }
        let code = u32::try_from(self.texts.len()).expect("MAX_KEPT fits");
        self.texts.push(text());
        self.slots.fill(at, code);
        Some(code)
    }

    pub(crate) fn push_code(&mut self, code: u32) {
        match &mut self.run_on {
            Some((text, ends)) => {
                text.push_str(&self.texts[code as usize]);
                ends.push(text.len());
            }
            None => self.codes.push(code),
        }
    }

    /// Takes a row's text after there was no code for it.
    pub(crate) fn push_text(&mut self, new: &str) {
        let (text, ends) = self.run_on.get_or_insert_default();
        text.push_str(new);
        ends.push(text.len());
    }

    fn run_on(&mut self) {
        let mut text = String::new();
        let mut ends = Vec::with_capacity(self.codes.capacity());
        for code in &self.codes {
            // A row without a value holds code 0; its text is hidden by its state.
            text.push_str(&self.texts[*code as usize]);
            ends.push(text.len());
        }
        self.codes = Vec::new();
        self.counts = Vec::new();
        self.slots = Slots::new();
        self.run_on = Some((text, ends));
    }

    pub(crate) fn finish(self) -> Held {
        match self.run_on {
            Some((text, ends)) => Held::Texts {
                text,
                ends,
                spelled: self.spelled,
            },
            None => Held::Coded {
                codes: self.codes,
                texts: self.texts,
                spelled: self.spelled,
            },
        }
    }
}

/// Where codes are found by the hash of what they stand for: open addressing with linear probing. The hash is keyed
/// anew each time, so that no file can aim at one slot; codes are only looked up, and their order is that of the rows.
#[derive(Debug)]
struct Slots {
    hasher: RandomState,
    /// Code and hash; a power of two of them.
    slots: Vec<Option<(u32, u64)>>,
    n_filled: usize,
    /// Of what was looked for last.
    hash: u64,
}

enum Found {
    Code(u32),
    /// Where it belongs.
    Free(usize),
}

impl Slots {
    fn new() -> Self {
        Self {
            hasher: RandomState::new(),
            slots: vec![None; 64],
            n_filled: 0,
            hash: 0,
        }
    }

    fn find<K: Hash + ?Sized>(&mut self, key: &K, is: impl Fn(u32) -> bool) -> Found {
        self.hash = self.hasher.hash_one(key);
        let mut at = self.home(self.hash);
        while let Some((code, hash)) = self.slots[at] {
            if hash == self.hash && is(code) {
                return Found::Code(code);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        Found::Free(at)
    }

    /// Where a hash is looked for first.
    fn home(&self, hash: u64) -> usize {
        let mask = self.slots.len() as u64 - 1;
        usize::try_from(hash & mask).expect("below the number of slots")
    }

    /// Fills the place that [`Self::find`] just found free; keeps at least half of the places free.
    fn fill(&mut self, at: usize, code: u32) {
        self.slots[at] = Some((code, self.hash));
        self.n_filled += 1;
        if self.n_filled * 2 <= self.slots.len() {
            return;
        }
        let wider = vec![None; self.slots.len() * 2];
        let filled = std::mem::replace(&mut self.slots, wider);
        for (code, hash) in filled.into_iter().flatten() {
            let mut at = self.home(hash);
            while self.slots[at].is_some() {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = Some((code, hash));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_the_order_of_first_appearance() {
        let mut interned = Interned::new(Spelled::Text, 0);
        for n in [3, 1, 3, 2, 1] {
            let code = interned.code_of(&format!("t{n}")).unwrap();
            interned.push_code(code);
        }
        let Held::Coded { codes, texts, .. } = interned.finish() else {
            panic!("three texts are few");
        };
        assert_eq!(codes, [0, 1, 0, 2, 1]);
        assert_eq!(
            texts.iter().map(|text| &**text).collect::<Vec<_>>(),
            ["t3", "t1", "t2"]
        );
    }

    #[test]
    fn too_many_texts_run_on_and_none_is_lost() {
        let mut interned = Interned::new(Spelled::Text, 0);
        let n_rows = MAX_KEPT + 3;
        for row_idx in 0..n_rows {
            let count = i64::try_from(row_idx).unwrap();
            let text = || row_idx.to_string();
            match interned
                .code_of_count(count, || Ok::<_, ()>(text().into()))
                .unwrap()
            {
                Some(code) => interned.push_code(code),
                None => interned.push_text(&text()),
            }
        }
        interned.push_none();
        // A code from before stays good.
        interned.push_code(7);
        let Held::Texts { text, ends, .. } = interned.finish() else {
            panic!("these are too many");
        };
        assert_eq!(ends.len(), n_rows + 2);
        for row_idx in [0, 1, MAX_KEPT - 1, MAX_KEPT, n_rows - 1] {
            let start = if row_idx == 0 { 0 } else { ends[row_idx - 1] };
            assert_eq!(text[start..ends[row_idx]], row_idx.to_string());
        }
        assert_eq!(ends[n_rows - 1], ends[n_rows]);
        assert_eq!(&text[ends[n_rows]..], "7");
    }
}
