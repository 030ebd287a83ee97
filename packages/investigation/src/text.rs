//! The text of an intent: Unicode NFC, trimmed as ECMAScript trims, empty becomes absent.

use unicode_normalization::UnicodeNormalization as _;

/// Whether ECMAScript's `String.prototype.trim` strips the character: its `WhiteSpace` and `LineTerminator`
/// productions (ECMA-262, sections 12.2 and 12.3).
///
/// It differs from Rust's `char::is_whitespace` in two characters: U+FEFF is stripped, U+0085 is kept.
#[must_use]
pub const fn is_trimmed(character: char) -> bool {
    matches!(
        character,
        '\u{9}'..='\u{d}'
            | '\u{20}'
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// The canonical form of a text: NFC, then both ends trimmed, inner white space kept; `None` when nothing is left.
///
/// The form of a canonical text is the text itself: a part of an NFC text is NFC.
#[must_use]
pub fn canonical(text: &str) -> Option<String> {
    let composed: String = text.nfc().collect();
    let trimmed = composed.trim_matches(is_trimmed);
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// Whether a text already is its own canonical form.
#[must_use]
pub fn is_canonical(text: &str) -> bool {
    canonical(text).is_some_and(|form| form == text)
}
