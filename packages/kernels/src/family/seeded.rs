//! A seeded generator with the same stream on every machine: xoshiro256**, its state filled by SplitMix64.
//!
//! Sources: D. Blackman, S. Vigna, Scrambled linear pseudorandom number generators, ACM Transactions on Mathematical
//! Software 47 (2021) 36; G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA
//! (2014) 453. Integers below a bound have no modulo bias: D. Lemire, Fast random integer generation in an interval,
//! ACM Transactions on Modeling and Computer Simulation 29 (2019) 3. Shuffles are Fisher and Yates's, in the form of
//! R. Durstenfeld, Communications of the ACM 7 (1964) 420. It is no source of secrets.
//!
//! One seed has many streams, so that what one part of a method draws does not depend on how much another drew.

/// The generator.
#[derive(Clone, Debug)]
pub(crate) struct Seeded {
    state: [u64; 4],
}

/// The increment of SplitMix64, odd and near `2^64 / φ`.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The next output of SplitMix64.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(GOLDEN);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Seeded {
    /// The stream with a number under a seed.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut state = seed;
        let mut state = split_mix(&mut state).wrapping_add(stream.wrapping_mul(GOLDEN));
        Self {
            state: std::array::from_fn(|_| split_mix(&mut state)),
        }
    }

    /// 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        let [_, s1, _, _] = self.state;
        let bits = s1.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        self.state[2] ^= self.state[0];
        self.state[3] ^= self.state[1];
        self.state[1] ^= self.state[2];
        self.state[0] ^= self.state[3];
        self.state[2] ^= s1 << 17;
        self.state[3] = self.state[3].rotate_left(45);
        bits
    }

    /// A natural number below `bound`, each equally likely; 0 when the bound is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        if bound == 0 {
            return 0;
        }
        // Of the 2^64 outputs, so many are left over when they are dealt evenly.
        let left_over = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.bits()) * u128::from(bound);
            if product as u64 >= left_over {
                return (product >> 64) as usize;
            }
        }
    }

    /// A multiple of `2^−53` in `[0, 1)`, each equally likely.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// `n_chosen` different numbers below `n`, ascending; every such set equally likely.
    pub(crate) fn subset(&mut self, n: usize, n_chosen: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..n).collect();
        self.shuffle(&mut places, n_chosen);
        places.truncate(n_chosen);
        places.sort_unstable();
        places
    }

    /// Puts `n_front` items in front, every choice in every order equally likely; all of them for a full shuffle.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T], n_front: usize) {
        for idx in 0..n_front.min(items.len()) {
            let other = idx + self.below(items.len() - idx);
            items.swap(idx, other);
        }
    }
}

#[cfg(test)]
#[path = "../tests/seeded.rs"]
mod tests;
