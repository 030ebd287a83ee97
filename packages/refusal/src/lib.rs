//! The ten codes with which the program says no, the stages that say it, and the causes they keep.
//!
//! **Never** knows what was refused beyond its name: no dataset, plan, package, clock or screen appears here, and a
//! refusal never carries a plan or a capability.
//!
//! Every crate's error enum turns into a [`Refusal`] through one function of that crate. The command line, the desk
//! and the headset show the same [`Refusal`] with the same words. Source: the authority decision, section 10.

mod code;
mod diagnostics;
mod reason;
#[cfg(test)]
mod tests;
pub mod wire;

pub use code::{Code, Stage};
pub use diagnostics::{Diagnostics, MAX_DIAGNOSTICS};
pub use reason::Reason;

use std::borrow::Cow;
use std::fmt;

/// The most subjects one refusal names; the rest is counted in [`Cause::unnamed`].
pub const MAX_SUBJECTS: usize = 64;

/// One refusal: what was refused, where, why, and what to do next.
///
/// The code follows from the reason, so the two can never disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    stage: Stage,
    reason: Reason,
    subjects: Vec<String>,
    policy: Option<String>,
    cause: Box<Cause>,
    retry: Option<String>,
}

/// Why, in a sentence a researcher understands, with the place and the refusal underneath if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// A plain sentence that names the object and what is wrong with it.
    pub text: String,
    /// Where: a JSON pointer with byte offset, a line and column, a member name.
    pub place: Option<String>,
    /// How many subjects there are beyond those that are named.
    pub unnamed: u64,
    /// The refusal of the owner upstream, kept whole.
    pub upstream: Option<Box<Refusal>>,
}

impl Refusal {
    /// A refusal at `stage` for `reason`, with the sentence that explains it.
    #[must_use]
    pub fn new(stage: Stage, reason: Reason, text: impl Into<String>) -> Self {
        let cause = Cause {
            text: text.into(),
            place: None,
            unnamed: 0,
            upstream: None,
        };
        Self {
            stage,
            reason,
            subjects: Vec::new(),
            policy: None,
            cause: Box::new(cause),
            retry: None,
        }
    }

    /// Names a subject: a column, an identity, a file, a binding. Past [`MAX_SUBJECTS`] the name is dropped and
    /// counted.
    #[must_use]
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        if self.subjects.len() < MAX_SUBJECTS {
            self.subjects.push(subject.into());
        } else {
            self.cause.unnamed += 1;
        }
        self
    }

    /// Names the policy, profile or decision that owns the rule.
    #[must_use]
    pub fn under(mut self, policy: impl Into<String>) -> Self {
        self.policy = Some(policy.into());
        self
    }

    /// Says where in the input the problem stands.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.cause.place = Some(place.into());
        self
    }

    /// Says what to do next.
    #[must_use]
    pub fn next(mut self, step: impl Into<String>) -> Self {
        self.retry = Some(step.into());
        self
    }

    /// Keeps the upstream owner's refusal as the cause.
    #[must_use]
    pub fn because(mut self, upstream: Self) -> Self {
        self.cause.upstream = Some(Box::new(upstream));
        self
    }

    /// The same refusal found while running another stage.
    #[must_use]
    pub fn during(mut self, stage: Stage) -> Self {
        self.stage = stage;
        self
    }

    /// The closed code; determines behavior.
    #[must_use]
    pub fn code(&self) -> Code {
        self.reason.code()
    }

    /// The stage that refused.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The typed reason.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The named subjects, at most [`MAX_SUBJECTS`].
    #[must_use]
    pub fn subjects(&self) -> &[String] {
        &self.subjects
    }

    /// The policy that owns the rule, when one does.
    #[must_use]
    pub fn policy(&self) -> Option<&str> {
        self.policy.as_deref()
    }

    /// The sentence, place and upstream refusal.
    #[must_use]
    pub fn cause(&self) -> &Cause {
        &self.cause
    }

    /// What to do next.
    #[must_use]
    pub fn retry(&self) -> Option<&str> {
        self.retry.as_deref()
    }

    /// The command that shows the page of this code with the line of this reason.
    #[must_use]
    pub fn read(&self) -> String {
        format!("nemosyne explain-refusal {}/{}", self.code(), self.reason)
    }
}

/// A text on one line: what breaks lines becomes a visible sign. Names and values come from files; a name that could
/// begin a line could pose as a line of the program's own.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    let breaks = |letter| {
        matches!(
            letter,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    if !text.contains(breaks) {
        return Cow::Borrowed(text);
    }
    let shown = |letter| if breaks(letter) { '\u{240a}' } else { letter };
    Cow::Owned(text.chars().map(shown).collect())
}

/// The form a person reads; the command line, desk and headset all print this, one line a fact whatever the facts'
/// texts hold. Its last line says where to read more; `{:#}` leaves that line out, for a refusal that stands among
/// others.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "REFUSED {} / {}", self.code(), self.reason)?;
        writeln!(f, "  why      {}", one_line(&self.cause.text))?;
        if let Some(place) = &self.cause.place {
            writeln!(f, "  where    {}", one_line(place))?;
        }
        if !self.subjects.is_empty() {
            write!(f, "  subject  {}", one_line(&self.subjects.join(", ")))?;
            match self.cause.unnamed {
                0 => writeln!(f)?,
                more => writeln!(f, " and {more} more")?,
            }
        }
        writeln!(f, "  stage    {}", self.stage)?;
        if let Some(policy) = &self.policy {
            writeln!(f, "  rule     {}", one_line(policy))?;
        }
        let mut upstream = self.cause.upstream.as_deref();
        while let Some(inner) = upstream {
            writeln!(
                f,
                "  cause    {} / {}: {}",
                inner.code(),
                inner.reason,
                one_line(&inner.cause.text)
            )?;
            upstream = inner.cause.upstream.as_deref();
        }
        if let Some(next) = &self.retry {
            writeln!(f, "  next     {}", one_line(next))?;
        }
        if !f.alternate() {
            writeln!(f, "  read     {}", self.read())?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}
