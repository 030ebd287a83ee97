//! What can be wrong with a package of format version 1, 2 or 3: the member, the place in it, and what to do.

use refusal::{Reason, Refusal, Stage};

use super::names::EntryNameRule;
use crate::container::{ContainerError, Fault, Rule};
use crate::dispatch::FormatVersion;

/// A legacy package was refused.
#[derive(Debug, thiserror::Error)]
pub enum LegacyError {
    /// The archive itself, or the file. Way out: the inner error says.
    #[error("{0}")]
    Container(#[source] ContainerError),
    /// The name of an entry. Way out: fetch the package from its author; no program wrote such a name.
    #[error("entry {entry:?} at byte {offset}: {rule}")]
    Name {
        /// The name as it stands in the archive.
        entry: String,
        /// Where its record stands.
        offset: u64,
        /// What is wrong with it.
        rule: EntryNameRule,
    },
    /// Two entries with one cleaned name. Way out: as for [`LegacyError::Name`].
    #[error(
        "entries {first:?} and {second:?} (byte {offset}) are both {name:?} once their names are decoded"
    )]
    Duplicate {
        /// The cleaned name.
        name: String,
        /// The earlier entry.
        first: String,
        /// The later entry.
        second: String,
        /// Where the later record stands.
        offset: u64,
    },
    /// A bound was passed. Way out: none for the format; export less with the program that wrote it.
    #[error("{what} takes {bytes} bytes, and {limit} are allowed")]
    TooLarge {
        /// What is too large.
        what: String,
        /// What it takes.
        bytes: u64,
        /// What it may.
        limit: u64,
    },
    /// Another format version than the three. Way out: open it as what it is.
    #[error("this is a package of format version {found}, and not 1, 2 or 3")]
    Version {
        /// The stated version, as written.
        found: String,
    },
    /// A digest algorithm that the version doesn't have. It is not tried as another version. Way out: fetch the package
    /// again.
    #[error("format version {} does not have the digest algorithm {algorithm:?}", .version.number())]
    Algorithm {
        /// The version.
        version: FormatVersion,
        /// The algorithm that is stated.
        algorithm: String,
    },
    /// A member that must be there and hold something. Way out: fetch the package again.
    #[error("{member} is missing or empty, and {why}")]
    Missing {
        /// The member.
        member: &'static str,
        /// Why it must be there.
        why: &'static str,
    },
    /// A member that is not UTF-8. Way out: fetch the package again.
    #[error("{member}, byte {offset}: this is not UTF-8")]
    NotText {
        /// The member.
        member: &'static str,
        /// The first byte that is no text.
        offset: usize,
    },
    /// A member that is not JSON. Way out: fetch the package again.
    #[error("{member}, line {line}, column {column}: {why}")]
    NotJson {
        /// The member.
        member: &'static str,
        /// Line from 1.
        line: usize,
        /// Column from 1.
        column: usize,
        /// What the parser says.
        why: String,
    },
    /// A value of another shape than the format has there. Way out: fetch the package again.
    #[error("{member} at `{pointer}`: {why}")]
    Shape {
        /// The member.
        member: &'static str,
        /// Where the value stands.
        pointer: String,
        /// What is wrong with it.
        why: String,
    },
    /// Two places of the package contradict each other. Way out: fetch the package again; it was edited or damaged.
    #[error("{member} at `{pointer}`: {what} is recorded as {recorded}, and it is {found}{note}")]
    Disagrees {
        /// The member with the recorded value.
        member: &'static str,
        /// Where it stands.
        pointer: String,
        /// What is compared.
        what: &'static str,
        /// What is recorded.
        recorded: String,
        /// What is there.
        found: String,
        /// What else may explain it; empty, or a clause.
        note: &'static str,
    },
    /// The closed receipts of version 3. Way out: the inner error says.
    #[error("investigation/evidence-receipts.json: {0}")]
    Receipts(#[source] evidence::EvidenceError),
}

impl LegacyError {
    pub(super) fn container(member: Option<&str>, offset: u64, rule: Rule) -> Self {
        Self::Container(ContainerError::Refused(Fault {
            member: member.map(str::to_owned),
            offset,
            rule,
        }))
    }

    /// The member that is to blame, when one is.
    #[must_use]
    pub fn member(&self) -> Option<&str> {
        match self {
            Self::Container(error) => error.fault()?.member.as_deref(),
            Self::Name { entry, .. } => Some(entry),
            Self::Duplicate { name, .. } => Some(name),
            Self::Missing { member, .. }
            | Self::NotText { member, .. }
            | Self::NotJson { member, .. }
            | Self::Shape { member, .. }
            | Self::Disagrees { member, .. } => Some(member),
            Self::Receipts(_) => Some(super::RECEIPTS),
            Self::TooLarge { .. } => None,
            Self::Version { .. } | Self::Algorithm { .. } => Some(super::MANIFEST),
        }
    }

    fn reason(&self) -> Reason {
        match self {
            Self::Container(error) => error.refusal().reason(),
            Self::Name { .. } | Self::NotText { .. } | Self::NotJson { .. } | Self::Missing { .. } => {
                Reason::Malformed
            }
            Self::Duplicate { .. } => Reason::AmbiguousReference,
            Self::TooLarge { .. } => Reason::Bounds,
            Self::Version { .. } => Reason::VersionUnsupported,
            Self::Algorithm { .. } => Reason::Dialect,
            Self::Shape { .. } => Reason::UnknownShape,
            Self::Disagrees { .. } => Reason::Integrity,
            Self::Receipts(error) => error.refusal().reason(),
        }
    }

    fn next_step(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "export a smaller investigation with the program that wrote it",
            Self::Version { .. } => "open it with `nemosyne verify`, which tells versions apart",
            Self::Disagrees { .. } | Self::Duplicate { .. } | Self::Name { .. } => {
                "the package was edited or damaged after it was written: fetch an intact copy"
            }
            _ => "fetch an intact copy, or export the investigation again with the program that wrote it",
        }
    }

    /// The refusal that every surface shows, at `DECODE_INTEGRITY`.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        if let Self::Container(error) = self {
            return error.refusal();
        }
        let refusal =
            Refusal::new(Stage::DecodeIntegrity, self.reason(), self.to_string()).next(self.next_step());
        let refusal = match self.member() {
            Some(member) => refusal.about(member.escape_debug().to_string()),
            None => refusal,
        };
        match self {
            Self::Name { offset, .. } | Self::Duplicate { offset, .. } => {
                refusal.at(format!("byte {offset}"))
            }
            Self::NotText { offset, .. } => refusal.at(format!("byte {offset}")),
            Self::NotJson { line, column, .. } => refusal.at(format!("line {line}, column {column}")),
            Self::Shape { pointer, .. } | Self::Disagrees { pointer, .. } => {
                refusal.at(format!("`{pointer}`"))
            }
            Self::Version { .. } => refusal.at("`/formatVersion`"),
            Self::Algorithm { .. } => refusal.at("`/investigationDigestAlgorithm`"),
            Self::Receipts(error) => match error.refusal().cause().place.clone() {
                Some(place) => refusal.at(place).because(error.refusal()),
                None => refusal.because(error.refusal()),
            },
            Self::Container(_) | Self::TooLarge { .. } | Self::Missing { .. } => refusal,
        }
    }
}
