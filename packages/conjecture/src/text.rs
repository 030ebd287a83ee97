//! What may be written: canonical text without anything that changes how the words around it are read.

use investigation::text::is_canonical;

use crate::ConjectureError;

/// Characters that turn the direction of text, and so what a line seems to say.
const fn turns(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text of 1 to `most` characters.
pub(crate) fn text(what: &'static str, text: &str, most: usize) -> Result<(), ConjectureError> {
    let found = text.chars().count();
    if found > most {
        return Err(ConjectureError::TooMany {
            what,
            found,
            most,
            unit: "characters",
        });
    }
    if !is_canonical(text) || text.chars().any(|one| one.is_control() || turns(one)) {
        return Err(ConjectureError::Text {
            what,
            text: text.escape_debug().to_string(),
        });
    }
    Ok(())
}

/// A name of an element: lowercase letters, digits, `-` and `_`.
pub(crate) fn name(name: &str) -> Result<(), ConjectureError> {
    text("an element's name", name, crate::MOST_ID)?;
    let fits = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '-' || one == '_';
    if name.chars().all(fits) {
        Ok(())
    } else {
        Err(ConjectureError::Text {
            what: "an element's name",
            text: name.escape_debug().to_string(),
        })
    }
}
