//! The run of bytes in a JSON string that stand for themselves; both the writer and the scanner live on it.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// How many leading bytes are neither a quote, a backslash nor a control character.
pub(crate) fn plain_len(bytes: &[u8]) -> usize {
    let mut chunks = bytes.chunks_exact(8);
    let mut len = 0;
    for chunk in &mut chunks {
        let word = chunk
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte));
        // Bit tricks after Mycroft: the lowest flag of each mask is exact, flags above it may be false, and only
        // the lowest is used.
        let special = below(word, 0x20) | equal(word, b'"') | equal(word, b'\\');
        if special != 0 {
            return len + special.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    let rest = chunks.remainder();
    len + rest
        .iter()
        .position(|byte| !is_plain(*byte))
        .unwrap_or(rest.len())
}

const fn is_plain(byte: u8) -> bool {
    byte >= 0x20 && byte != b'"' && byte != b'\\'
}

const fn below(word: u64, bound: u8) -> u64 {
    word.wrapping_sub(ONES * bound as u64) & !word & HIGHS
}

const fn equal(word: u64, byte: u8) -> u64 {
    let word = word ^ (ONES * byte as u64);
    word.wrapping_sub(ONES) & !word & HIGHS
}
