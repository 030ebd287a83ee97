//! The table of mutants: read, and checked as far as it can be without the tree.

use std::collections::BTreeSet;

use serde::Deserialize;
use toml::Spanned;

/// How many mutants the sample has.
pub const SAMPLE: usize = 6;

/// One guard, and what stands in its place once it is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// `M` and a number; ascending down the table.
    pub id: String,
    /// The file, from the root.
    pub file: String,
    /// A text that stands once in the file and holds `original` once; `original` itself when the table names none.
    pub within: String,
    /// The expression that is the guard.
    pub original: String,
    /// The expression without it.
    pub mutated: String,
    /// Start of the names of the tests that must fail.
    pub killed_by: String,
    /// What the guard is for, in one sentence.
    pub guards: String,
    /// Whether it belongs to the sample that every submission runs.
    pub sample: bool,
    /// Its line in the table.
    pub line: usize,
}

/// What is wrong with the table. Each names the line; the way out is to correct that line.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It is not TOML of this shape.
    #[error("mutants.toml: {0}")]
    Shape(String),
    /// Ids do not ascend, or one occurs twice.
    #[error("mutants.toml line {line}: {id} does not stand after the one before it")]
    Order {
        /// Where.
        line: usize,
        /// Which.
        id: String,
    },
    /// An entry changes nothing or says nothing.
    #[error("mutants.toml line {line}: {id} {what}")]
    Entry {
        /// Where.
        line: usize,
        /// Which.
        id: String,
        /// What is wrong.
        what: &'static str,
    },
    /// The sample is not of the size that was agreed.
    #[error("mutants.toml: the sample has {0} mutants, and it is fixed at {SAMPLE}")]
    Sample(usize),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    mutant: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: Spanned<String>,
    file: String,
    within: Option<String>,
    original: String,
    mutated: String,
    killed_by: String,
    guards: String,
    #[serde(default)]
    sample: bool,
}

/// All mutants, in the order of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The mutants.
    pub mutants: Vec<Mutant>,
}

impl Table {
    /// Reads the table.
    ///
    /// # Errors
    /// [`TableError`], which names the line.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let file: File = toml::from_str(text).map_err(|error| TableError::Shape(error.to_string()))?;
        let mut mutants = Vec::new();
        let mut last = 0;
        for entry in file.mutant {
            let line = 1 + text[..entry.id.span().start].matches('\n').count();
            let mutant = entry.mutant(line);
            mutant.check()?;
            let number = mutant.number().unwrap_or_default();
            if number <= last {
                return Err(TableError::Order { line, id: mutant.id });
            }
            last = number;
            mutants.push(mutant);
        }
        let sample = mutants.iter().filter(|mutant| mutant.sample).count();
        if sample != SAMPLE {
            return Err(TableError::Sample(sample));
        }
        Ok(Self { mutants })
    }

    /// The falsifiers that are named, each once.
    #[must_use]
    pub fn falsifiers(mutants: &[&Mutant]) -> BTreeSet<String> {
        mutants.iter().map(|mutant| mutant.killed_by.clone()).collect()
    }
}

impl Entry {
    fn mutant(self, line: usize) -> Mutant {
        Mutant {
            id: self.id.into_inner(),
            file: self.file,
            within: self.within.unwrap_or_else(|| self.original.clone()),
            original: self.original,
            mutated: self.mutated,
            killed_by: self.killed_by,
            guards: self.guards,
            sample: self.sample,
            line,
        }
    }
}

impl Mutant {
    fn number(&self) -> Option<u32> {
        self.id.strip_prefix('M')?.parse().ok()
    }

    fn check(&self) -> Result<(), TableError> {
        let wrong = |what| {
            Err(TableError::Entry {
                line: self.line,
                id: self.id.clone(),
                what,
            })
        };
        if self.number().is_none() {
            return wrong("is not called M and a number");
        }
        if self.original.trim().is_empty() || self.original == self.mutated {
            return wrong("changes nothing");
        }
        if self.within.matches(&self.original).count() != 1 {
            return wrong("does not have its original once in what it stands within");
        }
        if !self.killed_by.contains("::") {
            return wrong("names no falsifier as `module::` or `module::test`");
        }
        if !self.guards.ends_with('.') {
            return wrong("does not say in a sentence what it guards");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, more: &str) -> String {
        format!(
            "[[mutant]]\nid = \"{id}\"\nfile = \"a.rs\"\noriginal = \"a < b\"\nmutated = \"false\"\n\
             killed_by = \"f01::\"\nguards = \"Order is kept.\"\nsample = true\n{more}\n"
        )
    }

    fn table(change: impl Fn(usize, String) -> String) -> String {
        (1..=SAMPLE)
            .map(|number| change(number, entry(&format!("M{number:02}"), "")))
            .collect()
    }

    #[test]
    fn a_sound_table_is_read_with_its_lines() {
        let read = Table::parse(&table(|_, text| text)).unwrap();
        assert_eq!(read.mutants.len(), SAMPLE);
        assert_eq!(read.mutants[0].line, 2);
        assert_eq!(read.mutants[1].line, 11);
        assert_eq!(read.mutants[1].within, "a < b");
    }

    #[test]
    fn what_is_wrong_with_a_table_is_named_with_its_line() {
        let at = |wanted: usize, from: &'static str, to: &'static str| {
            let text = table(|number, text| {
                if number == wanted {
                    text.replace(from, to)
                } else {
                    text
                }
            });
            Table::parse(&text).unwrap_err().to_string()
        };
        assert!(at(2, "\"M02\"", "\"M01\"").contains("line 11: M01 does not stand after"));
        assert!(at(1, "\"M01\"", "\"X1\"").contains("line 2: X1 is not called"));
        assert!(at(3, "\"false\"", "\"a < b\"").contains("changes nothing"));
        assert!(at(1, "f01::", "f01").contains("names no falsifier"));
        assert!(at(1, "kept.", "kept").contains("does not say in a sentence"));
        assert!(at(1, "sample = true", "sample = false").contains("has 5 mutants"));
        assert!(at(1, "sample = true", "sampled = true").contains("unknown field `sampled`"));
        let within = |text: &'static str| at(1, "sample = true", text);
        assert!(within("sample = true\nwithin = \"if a > b\"").contains("once in what it stands within"));
    }
}
