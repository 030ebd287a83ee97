//! What a run says: lines as it goes, one table at its end.

use std::fmt;
use std::io::{self, Write as _};

/// One number with its target.
#[derive(Clone, Debug)]
pub struct Number {
    /// What was measured.
    pub name: String,
    /// As measured, with its unit.
    pub number: String,
    /// As promised; empty when nothing is.
    pub target: String,
    /// Whether the promise holds; none without one.
    pub holds: Option<bool>,
}

impl Number {
    /// A number with a promise.
    #[must_use]
    pub fn promised(name: &str, number: String, target: &str, holds: bool) -> Self {
        Self {
            name: name.to_owned(),
            number,
            target: target.to_owned(),
            holds: Some(holds),
        }
    }

    /// A number that stands beside the others.
    #[must_use]
    pub fn beside(name: &str, number: String) -> Self {
        Self {
            name: name.to_owned(),
            number,
            target: String::new(),
            holds: None,
        }
    }
}

/// The table.
#[derive(Clone, Debug, Default)]
pub struct Table(Vec<Number>);

impl Table {
    /// Adds rows.
    pub fn extend(&mut self, numbers: Vec<Number>) {
        self.0.extend(numbers);
    }

    /// Whether every promise holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.0.iter().all(|number| number.holds != Some(false))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["name", "number", "target", ""].map(str::to_owned);
        let rows: Vec<[String; 4]> = std::iter::once(head)
            .chain(self.0.iter().map(|number| {
                let verdict = match number.holds {
                    Some(true) => "holds",
                    Some(false) => "misses",
                    None => "",
                };
                [
                    number.name.clone(),
                    number.number.clone(),
                    number.target.clone(),
                    verdict.to_owned(),
                ]
            }))
            .collect();
        let width = |column: usize| {
            rows.iter()
                .map(|row| row.get(column).map_or(0, |cell| cell.chars().count()))
                .max()
                .unwrap_or(0)
        };
        let widths = [width(0), width(1), width(2)];
        for [name, number, target, verdict] in &rows {
            let [a, b, c] = widths;
            writeln!(
                f,
                "{}",
                format!("{name:a$}  {number:>b$}  {target:c$}  {verdict}").trim_end()
            )?;
        }
        Ok(())
    }
}

/// Says a line on the standard output.
pub fn say(line: &str) {
    // Nobody listening is no failure of what was measured.
    let _heard = writeln!(io::stdout().lock(), "{line}");
}
