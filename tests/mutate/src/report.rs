//! What a run says: a line a mutant as it goes, a count at the end.

use std::io::{self, Write as _};

use crate::Mutant;
use crate::run::Fate;

/// Says a line to standard output; a reader that went away is no error.
pub fn say(line: &str) {
    drop(writeln!(io::stdout().lock(), "{line}"));
}

/// How many were killed, and which were not.
#[derive(Clone, Debug, Default)]
pub struct Count {
    killed: usize,
    survived: Vec<String>,
}

impl Count {
    /// Counts a mutant and says what became of it.
    pub fn add(&mut self, mutant: &Mutant, fate: &Fate) {
        let (word, by) = match fate {
            Fate::Killed(tests) => ("killed", tests[0].clone()),
            Fate::Broke(how) => ("killed", format!("{}… ({how})", mutant.killed_by)),
            Fate::Survived => ("SURVIVED", mutant.killed_by.clone()),
        };
        say(&format!("{:<4} {word:<9} {by:<70} {}", mutant.id, mutant.guards));
        if *fate == Fate::Survived {
            self.survived.push(format!(
                "{} in {}, line {} of the table",
                mutant.id, mutant.file, mutant.line
            ));
        } else {
            self.killed += 1;
        }
    }

    /// The closing lines.
    #[must_use]
    pub fn closing(&self) -> String {
        let mut lines: Vec<String> = self
            .survived
            .iter()
            .map(|which| format!("survivor: {which}"))
            .collect();
        lines.push(format!(
            "{} killed, {} survived",
            self.killed,
            self.survived.len()
        ));
        lines.join("\n")
    }

    /// Whether every mutant was killed.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.survived.is_empty()
    }
}
