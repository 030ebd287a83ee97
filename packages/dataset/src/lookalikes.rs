//! Names that look alike and are not the same: letters with composed and decomposed accents, letters of two alphabets
//! with one shape, characters that nobody sees.
//!
//! Such names stay distinct columns, because their author wrote them so; the report shows their code points, because no
//! reader can tell them apart. The table of shapes is a part of the confusables of Unicode Technical Standard 39.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;

use crate::error::excerpt;
use crate::report::{Note, NoteCode};

/// How many code points a note shows of a name.
const N_SHOWN: usize = 12;

/// Cyrillic and Greek letters and the Latin letters of the same shape.
const SHAPES: &str = "аaеeоoрpсcуyхxіiјjѕsԁdһhАAВBЕEКKМMНHОOРPСCТTХXΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνv";

/// One note for each set of names that look alike.
pub(crate) fn note(names: &[String], notes: &mut Vec<Note>) {
    let mut by_look: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (name_idx, name) in names.iter().enumerate() {
        by_look.entry(look(name)).or_default().push(name_idx);
    }
    for alike in by_look.values().filter(|alike| alike.len() > 1) {
        let told: Vec<String> = alike
            .iter()
            .map(|name_idx| {
                let name = &names[*name_idx];
                format!("column {} `{}` ({})", name_idx + 1, excerpt(name), points(name))
            })
            .collect();
        let text = format!("names that look alike and are distinct: {}", told.join(", "));
        notes.push(Note::new(NoteCode::NearNames, text));
    }
}

/// What a name looks like: compatible forms, one alphabet for one shape, without what nobody sees.
fn look(name: &str) -> String {
    let mut shapes = BTreeMap::new();
    let mut pairs = SHAPES.chars();
    while let (Some(shape), Some(latin)) = (pairs.next(), pairs.next()) {
        shapes.insert(shape, latin);
    }
    let seen = name.nfkc().filter(|c| !unseen(*c) && !turns(*c));
    seen.map(|c| shapes.get(&c).copied().unwrap_or(c)).collect()
}

/// Soft hyphen, joiners, marks of direction, word joiner, byte order mark.
fn unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{61c}')
}

/// Embeddings, overrides and isolates of direction.
fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn points(name: &str) -> String {
    let mut told: Vec<String> = name
        .chars()
        .take(N_SHOWN)
        .map(|c| format!("U+{:04X}", u32::from(c)))
        .collect();
    if name.chars().nth(N_SHOWN).is_some() {
        told.push("…".to_owned());
    }
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n_notes(names: &[&str]) -> usize {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut notes = Vec::new();
        note(&names, &mut notes);
        notes.len()
    }

    #[test]
    fn alike_names_are_told_and_others_are_not() {
        assert_eq!(n_notes(&["é", "e\u{301}"]), 1);
        assert_eq!(n_notes(&["mass", "m\u{430}ss"]), 1);
        assert_eq!(n_notes(&["height", "hei\u{200d}ght"]), 1);
        assert_eq!(n_notes(&["ab", "a\u{202e}b"]), 1);
        assert_eq!(
            n_notes(&["é", "e", "E", "mass", "масса", "שם", "نام\u{200c}ها"]),
            0
        );
    }
}
