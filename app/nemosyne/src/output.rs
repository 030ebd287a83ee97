//! How a verb ends, and how that is said: to a person in lines, to a script in one JSON object.

use std::io::Write;
use std::process::ExitCode;

use refusal::{Diagnostics, Refusal};
use serde_json::{Map, Value, json};

/// What a verb that did its work has to say.
#[derive(Debug, Default)]
pub(crate) struct Report {
    text: String,
    members: Map<String, Value>,
    refusal: Option<Box<Refusal>>,
}

impl Report {
    /// Nothing to say yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a line for people: one, whatever stands in it. What files say must not pose as what the program says.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(&refusal::one_line(line.as_ref()));
        self.text.push('\n');
    }

    /// Adds the lines of a text that was made line by line where its names are known.
    pub(crate) fn lines(&mut self, text: impl AsRef<str>) {
        for line in text.as_ref().lines() {
            self.line(line);
        }
    }

    /// Adds a labelled line for people.
    pub(crate) fn pair(&mut self, label: &str, value: impl std::fmt::Display) {
        self.line(format!("  {label:<14} {value}"));
    }

    /// What was reported ends in a refusal: said last, and the exit status is 1.
    pub(crate) fn refuse(&mut self, refusal: &Refusal) {
        self.refusal.get_or_insert_with(|| Box::new(refusal.clone()));
    }

    /// Adds a member for scripts.
    pub(crate) fn member(&mut self, name: &str, value: impl Into<Value>) {
        self.members.insert(name.to_owned(), value.into());
    }
}

/// Why a verb did not do its work.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A typed refusal, with everything else that was found.
    Refused(Box<Diagnostics>),
    /// Nothing was admitted: what was found against the candidate that came furthest, and what became of each.
    NotAdmitted(Box<Diagnostics>, Vec<Candidate>),
    /// The program was used wrongly or has a defect.
    Misuse(anyhow::Error),
}

/// What became of a candidate, in a line and as an object.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) line: String,
    pub(crate) value: Value,
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        let mut found = Diagnostics::new();
        found.push(refusal);
        Self::Refused(Box::new(found))
    }
}

impl From<Box<Refusal>> for Stop {
    fn from(refusal: Box<Refusal>) -> Self {
        Self::from(*refusal)
    }
}

impl From<forma::Refused> for Stop {
    fn from(refused: forma::Refused) -> Self {
        Self::Refused(Box::new(refused.diagnostics))
    }
}

impl From<anyhow::Error> for Stop {
    fn from(error: anyhow::Error) -> Self {
        Self::Misuse(error)
    }
}

/// Says how it ended: to standard output when it was done or as JSON, else to standard error. A reader that closed its
/// end early is not an error.
pub(crate) fn conclude(ended: Result<Report, Stop>, as_json: bool) -> ExitCode {
    let (code, text, value) = match ended {
        Ok(report) => {
            let (mut members, mut text) = (report.members, report.text);
            let refusal = report.refusal.as_deref();
            members.insert(
                "status".to_owned(),
                if refusal.is_some() { "refused" } else { "done" }.into(),
            );
            if let Some(refusal) = refusal {
                members.insert("refusal".to_owned(), to_value(refusal));
                members.insert("read".to_owned(), refusal.read().into());
                text.push('\n');
                text.push_str(&refusal.to_string());
            }
            (u8::from(refusal.is_some()), text, Value::Object(members))
        }
        Err(Stop::Refused(found)) => (1, refusal_text(&found) + &read(&found), refusal_json(&found)),
        Err(Stop::NotAdmitted(found, candidates)) => {
            let (mut text, mut value) = (refusal_text(&found), refusal_json(&found));
            for candidate in &candidates {
                let line = refusal::one_line(&candidate.line);
                text.push_str(&format!("  candidate      {line}\n"));
            }
            text.push_str(&read(&found));
            value["candidates"] = candidates.into_iter().map(|candidate| candidate.value).collect();
            (1, text, value)
        }
        Err(Stop::Misuse(error)) => {
            let text = format!("error: {}\n", refusal::one_line(&format!("{error:#}")));
            (
                2,
                text,
                json!({ "status": "error", "message": format!("{error:#}") }),
            )
        }
    };
    let text = visible(&text);
    let written = if as_json {
        writeln!(std::io::stdout().lock(), "{value}")
    } else if code == 0 {
        std::io::stdout().lock().write_all(text.as_bytes())
    } else {
        std::io::stderr().lock().write_all(text.as_bytes())
    };
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let said = writeln!(
                std::io::stderr().lock(),
                "error: the answer can't be written: {error}"
            );
            // Nobody to tell: the exit status still does.
            drop(said);
            ExitCode::from(2)
        }
        _ => ExitCode::from(code),
    }
}

/// Text from files and packages as a terminal may show it: control characters and marks that turn the direction of
/// writing become visible, so that a name can neither move the cursor nor reverse a sentence.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match u32::from(letter) {
            0x0A => shown.push(letter),
            code @ 0..0x20 => shown.extend(char::from_u32(0x2400 + code)),
            code @ (0x7F..=0x9F | 0x61C | 0x200E | 0x200F | 0x2028..=0x202E | 0x2066..=0x2069) => {
                shown.push_str(&format!("<U+{code:04X}>"));
            }
            _ => shown.push(letter),
        }
    }
    shown
}

fn refusal_text(found: &Diagnostics) -> String {
    let mut text = String::new();
    for (index, refusal) in found.all().iter().enumerate() {
        if index == 1 {
            text.push_str("\nfound as well:\n");
        }
        if index == 6 {
            text.push_str(&format!(
                "… and {} more; --json lists all\n",
                found.all().len() - index + found.dropped()
            ));
            break;
        }
        text.push_str(&format!("{refusal:#}"));
    }
    text
}

/// The last line: where to read more.
fn read(found: &Diagnostics) -> String {
    let read = found.primary().map(Refusal::read);
    read.map_or_else(String::new, |read| format!("  read     {read}\n"))
}

fn refusal_json(found: &Diagnostics) -> Value {
    let all: Vec<Value> = found.all().iter().map(to_value).collect();
    json!({
        "status": "refused",
        "refusal": found.primary().map(to_value),
        "read": found.primary().map(Refusal::read),
        "diagnostics": all,
        "droppedDiagnostics": found.dropped(),
    })
}

/// The `RefusalV1` object.
pub(crate) fn to_value(refusal: &Refusal) -> Value {
    serde_json::to_value(refusal.to_wire()).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn a_name_can_neither_move_the_cursor_nor_reverse_a_sentence() {
        assert_eq!(visible("a\u{1b}[31mb\u{7}\n"), "a\u{241b}[31mb\u{2407}\n");
        assert_eq!(visible("x\u{202e}y"), "x<U+202E>y");
        assert_eq!(
            visible("flipper_length_mm Länge 長さ"),
            "flipper_length_mm Länge 長さ"
        );
    }
}
