//! The run of bytes in a JSON string that stand for themselves; both the writer and the scanner live on it.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// How many leading bytes are neither a quote, a backslash nor a control character.
pub(crate) fn plain_len(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks();
    for (idx, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // Bit tricks after Mycroft: the lowest flag of each mask is exact, flags above it may be false, and only
        // the lowest is used.
        let special = below(word, 0x20) | equal(word, b'"') | equal(word, b'\\');
        if special != 0 {
            return idx * 8 + special.trailing_zeros() as usize / 8;
        }
    }
    let plain = rest.iter().position(|byte| !is_plain(*byte));
    words.len() * 8 + plain.unwrap_or(rest.len())
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
