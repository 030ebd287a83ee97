//! Mutants written into source: each guard becomes a choice made by a variable at run time.
//!
//! The choice is read once a call site and kept. A file is changed from its end to its start, so that no replacement moves
//! the place of another.

use std::ops::Range;

use crate::Mutant;

/// The variable that names the mutant in force; without it every guard stands.
pub const VARIABLE: &str = "NEMOSYNE_MUTANT";

/// What does not fit between the table and the tree. The way out is to write the table's line anew after the source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemataError {
    /// The guard is gone from the file, or there are two like it.
    #[error("mutants.toml line {line}: {id}: {file} holds {times} times, not once: {text}")]
    NotOnce {
        /// The line of the table.
        line: usize,
        /// The mutant.
        id: String,
        /// The file.
        file: String,
        /// How often the text stands there.
        times: usize,
        /// The text.
        text: String,
    },
    /// Two mutants change the same text.
    #[error("mutants.toml line {line}: {id} changes text that another mutant of {file} changes too")]
    Overlap {
        /// The line of the table.
        line: usize,
        /// The mutant.
        id: String,
        /// The file.
        file: String,
    },
}

/// The source of one file with all its mutants in it. All of `mutants` are of this file.
///
/// # Errors
/// [`SchemataError`] when a guard is not found once, or two overlap.
pub fn apply(source: &str, mutants: &[&Mutant]) -> Result<String, SchemataError> {
    let mut places = Vec::new();
    for mutant in mutants {
        places.push((place(source, mutant)?, *mutant));
    }
    places.sort_by_key(|(range, _)| range.start);
    for pair in places.windows(2) {
        if pair[0].0.end > pair[1].0.start {
            let mutant = pair[1].1;
            return Err(SchemataError::Overlap {
                line: mutant.line,
                id: mutant.id.clone(),
                file: mutant.file.clone(),
            });
        }
    }
    let mut changed = source.to_owned();
    for (range, mutant) in places.into_iter().rev() {
        changed.replace_range(range, &choice(mutant));
    }
    Ok(changed)
}

/// Where the guard stands.
fn place(source: &str, mutant: &Mutant) -> Result<Range<usize>, SchemataError> {
    let mut around = source.match_indices(&mutant.within);
    let (Some((start, _)), None) = (around.next(), around.next()) else {
        return Err(SchemataError::NotOnce {
            line: mutant.line,
            id: mutant.id.clone(),
            file: mutant.file.clone(),
            times: source.matches(&mutant.within).count(),
            text: mutant.within.clone(),
        });
    };
    // The table was checked: the original stands in there.
    let start = start + mutant.within.find(&mutant.original).unwrap_or_default();
    Ok(start..start + mutant.original.len())
}

fn choice(mutant: &Mutant) -> String {
    let Mutant {
        id,
        original,
        mutated,
        ..
    } = mutant;
    format!(
        "(if {{ static CHOSEN: std::sync::OnceLock<bool> = std::sync::OnceLock::new(); *CHOSEN.get_or_init(|| \
         std::env::var_os(\"{VARIABLE}\").is_some_and(|id| id == \"{id}\")) }} {{ {mutated} }} else {{ {original} }})"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(id: &str, within: &str, original: &str) -> Mutant {
        Mutant {
            id: id.to_owned(),
            file: "a.rs".to_owned(),
            within: within.to_owned(),
            original: original.to_owned(),
            mutated: "false".to_owned(),
            killed_by: "f01::".to_owned(),
            guards: "Order.".to_owned(),
            sample: false,
            line: 7,
        }
    }

    const SOURCE: &str = "if a < b { x() }\nif c < d { y() }\n";

    #[test]
    fn each_guard_becomes_a_choice_and_the_rest_stays() {
        let (one, two) = (
            mutant("M01", "a < b", "a < b"),
            mutant("M02", "if c < d", "c < d"),
        );
        for order in [[&one, &two], [&two, &one]] {
            let changed = apply(SOURCE, &order).unwrap();
            assert!(changed.starts_with("if (if {"), "{changed}");
            assert!(changed.contains("id == \"M01\")) } { false } else { a < b }) { x() }\nif (if {"));
            assert!(changed.ends_with("id == \"M02\")) } { false } else { c < d }) { y() }\n"));
        }
        assert_eq!(apply(SOURCE, &[]).unwrap(), SOURCE);
    }

    #[test]
    fn a_guard_that_is_gone_or_ambiguous_is_named_with_its_line() {
        let gone = apply(SOURCE, &[&mutant("M01", "a > b", "a > b")]).unwrap_err();
        assert!(
            gone.to_string().contains("line 7: M01: a.rs holds 0 times"),
            "{gone}"
        );
        let twice = apply(SOURCE, &[&mutant("M01", "if ", "if ")]).unwrap_err();
        assert!(
            matches!(twice, SchemataError::NotOnce { times: 2, .. }),
            "{twice}"
        );
    }

    #[test]
    fn two_mutants_do_not_share_a_text() {
        let one = mutant("M01", "a < b", "a < b");
        let two = mutant("M02", "if a < b", "if a");
        assert!(matches!(
            apply(SOURCE, &[&one, &two]).unwrap_err(),
            SchemataError::Overlap { .. }
        ));
    }
}
