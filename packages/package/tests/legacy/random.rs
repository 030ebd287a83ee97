//! Bytes at random: never a panic, and never intact with other content.

use std::panic::catch_unwind;

use crate::{FIXTURES, by_name, bytes, opened};

/// xorshift64*: the same places on every machine.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap()
    }
}

/// Opens, and says whether it came out as a package.
fn intact(bytes: &[u8]) -> bool {
    catch_unwind(|| opened(bytes).is_ok()).expect("opening never panics")
}

#[test]
fn noise_is_no_package() {
    let mut draw = Draw(0x9E37_79B9_7F4A_7C15);
    for round in 0..1000 {
        let mut noise: Vec<u8> = (0..draw.below(400)).map(|_| draw.next() as u8).collect();
        // Half of it starts and ends like an archive.
        if round % 2 == 0 {
            noise.splice(0..0, *b"PK\x03\x04");
            noise.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
            noise.extend((0..8).map(|_| (draw.next() % 3) as u8));
            noise.extend([0, 0]);
        }
        assert!(!intact(&noise), "round {round}");
    }
}

#[test]
fn a_mutated_fixture_is_refused_or_says_the_same() {
    let mut draw = Draw(0x0123_4567_89AB_CDEF);
    let (mut refused, mut same) = (0, 0);
    for name in FIXTURES {
        let whole = bytes(name);
        let content = by_name(&whole);
        for round in 0..200 {
            let mut changed = whole.clone();
            match round % 5 {
                0 | 1 => {
                    for _ in 0..=draw.below(3) {
                        let at = draw.below(changed.len());
                        changed[at] ^= 1 << draw.below(8);
                    }
                }
                2 => {
                    let at = draw.below(changed.len());
                    changed.truncate(at);
                }
                3 => {
                    let at = draw.below(changed.len());
                    changed.insert(at, draw.next() as u8);
                }
                _ => {
                    let (from, to) = (draw.below(changed.len()), draw.below(changed.len()));
                    let len = draw.below(64).min(changed.len() - from.max(to));
                    changed.copy_within(from..from + len, to);
                }
            }
            if intact(&changed) {
                assert_eq!(by_name(&changed), content, "{name}, round {round}");
                same += 1;
            } else {
                refused += 1;
            }
        }
        assert!(intact(&whole), "{name}");
    }
    assert!(refused > 1500 && same > 0, "{refused} refused, {same} unchanged");
}

/// The text of each member mutated under good checksums: whatever still opens says what it says truly.
#[test]
fn mutated_members_never_panic() {
    let mut draw = Draw(0xFEED_F00D_CAFE_0001);
    for name in FIXTURES {
        let members = crate::contents(&bytes(name));
        for _ in 0..60 {
            let mut changed = members.clone();
            let member = draw.below(changed.len());
            let text = &mut changed[member].1;
            for _ in 0..=draw.below(2) {
                let at = draw.below(text.len());
                match draw.below(4) {
                    0 => text[at] = b"0123456789-eE.\"\\{}[],:ntf"[draw.below(24)],
                    1 => {
                        text.remove(at);
                    }
                    2 => text.insert(at, b"\"{}[],0"[draw.below(7)]),
                    _ => text[at] = draw.next() as u8,
                }
            }
            intact(&crate::packed(&changed));
        }
    }
}
