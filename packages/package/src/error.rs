//! What can be wrong with a package: the step of judgement, the member, the place in it, and what to do about it.

use std::convert::Infallible;
use std::fmt;

use identity::{DecodeError, Rule, SealError};
use refusal::{Reason, Refusal, Stage};

use crate::container::ContainerError;
use crate::legacy::LegacyError;
use crate::save::SaveError;

/// The steps of judgement in their order. Each assumes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The archive's records.
    Container,
    /// Format version, dialect, layout, and the manifest itself.
    Manifest,
    /// Every member has its recorded length and digest.
    MemberDigests,
    /// Every JSON member is closed, bounded and canonical.
    ClosedDecode,
    /// Every reference resolves exactly once.
    References,
    /// Every identity is the hash of its body.
    Identities,
    /// The V4 digest commits exactly this content.
    Digest,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Container => "container",
            Self::Manifest => "manifest",
            Self::MemberDigests => "member digests",
            Self::ClosedDecode => "closed decode",
            Self::References => "references",
            Self::Identities => "identities",
            Self::Digest => "digest",
        })
    }
}

/// A package could not be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// The archive itself. Way out: the inner error says.
    #[error("{error}")]
    Container {
        /// At which step: the records of the archive, or the digests of its members.
        step: Step,
        /// What is wrong.
        #[source]
        error: ContainerError,
    },
    /// A package of another format version. It is never read as this one. Way out: open it with the program of its
    /// version, or build it again.
    #[error("this is a package of format version {found}; this program replays version 4 only")]
    Version {
        /// The version that its manifest states.
        found: i64,
    },
    /// Format version 4 with another digest algorithm: another program's dialect. Way out: build it again.
    #[error(
        "the manifest says format version 4 with the digest algorithm {algorithm:?}, which is another dialect than {:?}",
        crate::wire::v4::DIGEST_ALGORITHM
    )]
    Dialect {
        /// The algorithm that it states.
        algorithm: String,
    },
    /// An archive of an earlier version whose manifest can't be believed. Way out: the inner error says.
    #[error("{0}")]
    Legacy(#[source] Box<LegacyError>),
    /// A member that must be there, or must not. Way out: fetch the package again.
    #[error("{member:?} {rule}")]
    Layout {
        /// The member.
        member: String,
        /// What is wrong.
        rule: LayoutRule,
    },
    /// The manifest contradicts itself. Way out: fetch the package again.
    #[error("the manifest's {field} is {found}, and it must be {expected}")]
    Manifest {
        /// The member of the manifest.
        field: &'static str,
        /// What must stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A member is not the JSON it must be. Way out: fetch the package again, or build it again.
    #[error("{member}: {error}")]
    Decode {
        /// The member.
        member: String,
        /// Pointer, offset and rule.
        #[source]
        error: DecodeError,
    },
    /// A member says the right thing in other bytes than the canonical ones. Way out: build the package again.
    #[error("{member} is not in canonical form from byte {offset} on")]
    NotCanonical {
        /// The member.
        member: String,
        /// The first byte that differs.
        offset: usize,
    },
    /// More JSON than can be checked in bounded memory. Way out: split the investigation over several packages.
    #[error("{member} would take {needed} bytes to check, and {limit} are allowed{}", if *together { " for all members together" } else { "" })]
    TooLarge {
        /// The member.
        member: String,
        /// What it would take.
        needed: usize,
        /// What it may.
        limit: usize,
        /// Whether the limit is on all decoded members together.
        together: bool,
    },
    /// A body breaks a rule of its kind. Way out: build the package again.
    #[error("{member} at `{pointer}`: {why}")]
    Body {
        /// The member.
        member: String,
        /// Where the body stands.
        pointer: String,
        /// The kind's own sentence.
        why: String,
    },
    /// A body does not hash to the identity it stands under. Way out: fetch the package again; an identity is never
    /// corrected.
    #[error("{member} at `{pointer}`: it stands under {claimed}, and it hashes to {computed}")]
    Identity {
        /// The member.
        member: String,
        /// Where the body stands.
        pointer: String,
        /// The identity that is claimed.
        claimed: String,
        /// The identity of what is there.
        computed: String,
    },
    /// A reference that doesn't resolve exactly once. Way out: build the package again.
    #[error("{member} at `{pointer}`: {problem}")]
    Reference {
        /// The member.
        member: String,
        /// Where the reference stands.
        pointer: String,
        /// What is wrong with it.
        problem: Problem,
    },
    /// The V4 digest is of other content. Way out: fetch the package again.
    #[error("the manifest claims {claimed}, and the content is {computed}")]
    Digest {
        /// The digest that is claimed.
        claimed: String,
        /// The digest of the content.
        computed: String,
    },
    /// The file could not be saved. Way out: the inner error says; what was there before is unchanged.
    #[error("{0}")]
    Save(#[source] Box<SaveError<Infallible>>),
    /// What was to be captured does not belong together. Way out: capture what one admission produced.
    #[error("this can't be captured: {why}")]
    Capture {
        /// What does not fit.
        why: String,
    },
}

/// What is wrong with the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutRule {
    /// A required member.
    #[error("is missing, and every package has it")]
    Missing,
    /// A member that the format doesn't have.
    #[error("is not a member of this format")]
    Unknown,
    /// An artifact whose name is not the digest of its content.
    #[error("is not named by the digest of its content")]
    Misnamed,
}

/// What is wrong with a reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Nothing has the name.
    #[error("nothing here is {0}")]
    Dangling(String),
    /// Two things have the name, or a table is out of order.
    #[error("{0} is not listed once, in order")]
    Repeated(String),
    /// A thing that nothing refers to.
    #[error("nothing refers to {0}")]
    Unreferenced(String),
    /// A captured artifact that isn't in the package.
    #[error("the artifact {0} is not in the package")]
    ArtifactMissing(String),
    /// Two places say different things.
    #[error("{what} is {found} here and {expected} elsewhere")]
    Disagrees {
        /// What is said.
        what: &'static str,
        /// What the owner says.
        expected: String,
        /// What is said here.
        found: String,
    },
    /// The owner of the value refuses it.
    #[error("{}", .0.cause().text)]
    Refused(Box<Refusal>),
}

impl Problem {
    pub(crate) fn disagrees(what: &'static str, expected: impl ToString, found: impl ToString) -> Self {
        Self::Disagrees {
            what,
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}

impl PackageError {
    pub(crate) fn container(error: ContainerError) -> Self {
        Self::Container {
            step: Step::Container,
            error,
        }
    }

    pub(crate) fn member(error: ContainerError) -> Self {
        Self::Container {
            step: Step::MemberDigests,
            error,
        }
    }

    pub(crate) fn reference(member: &str, pointer: impl Into<String>, problem: Problem) -> Self {
        Self::Reference {
            member: member.to_owned(),
            pointer: pointer.into(),
            problem,
        }
    }

    pub(crate) fn seal<E: fmt::Display>(member: &str, pointer: String, error: SealError<E>) -> Self {
        let member = member.to_owned();
        match error {
            SealError::IdentityMismatch { claimed, computed } => Self::Identity {
                member,
                pointer,
                claimed,
                computed,
            },
            other => Self::Body {
                member,
                pointer,
                why: other.to_string(),
            },
        }
    }

    /// The step of judgement that failed.
    #[must_use]
    pub fn step(&self) -> Step {
        match self {
            Self::Container { step, .. } => *step,
            Self::Save(_) => Step::Container,
            Self::Version { .. }
            | Self::Dialect { .. }
            | Self::Legacy(_)
            | Self::Layout { .. }
            | Self::Manifest { .. } => Step::Manifest,
            Self::Decode { .. } | Self::NotCanonical { .. } | Self::TooLarge { .. } => Step::ClosedDecode,
            Self::Reference { .. } | Self::Capture { .. } => Step::References,
            Self::Body { .. } | Self::Identity { .. } => Step::Identities,
            Self::Digest { .. } => Step::Digest,
        }
    }

    fn reason(&self) -> Reason {
        match self {
            Self::Container { error, .. } => error.refusal().reason(),
            Self::Save(_) => Reason::Unreachable,
            Self::Version { .. } => Reason::VersionUnsupported,
            Self::Dialect { .. } => Reason::Dialect,
            Self::Legacy(error) => error.refusal().reason(),
            Self::Decode { error, .. } => match error.rule {
                Rule::UnknownMember => Reason::UnknownShape,
                Rule::Depth | Rule::Bytes | Rule::StringLength | Rule::Items | Rule::Members => {
                    Reason::Bounds
                }
                _ => Reason::Malformed,
            },
            Self::TooLarge { .. } => Reason::Bounds,
            Self::NotCanonical { .. } | Self::Body { .. } => Reason::Malformed,
            Self::Layout {
                rule: LayoutRule::Missing,
                ..
            } => Reason::Malformed,
            Self::Layout {
                rule: LayoutRule::Unknown,
                ..
            } => Reason::UnknownShape,
            Self::Layout {
                rule: LayoutRule::Misnamed,
                ..
            }
            | Self::Manifest { .. }
            | Self::Identity { .. }
            | Self::Digest { .. } => Reason::Integrity,
            Self::Reference {
                problem: Problem::ArtifactMissing(_),
                ..
            } => Reason::ArtifactMissing,
            Self::Reference {
                problem: Problem::Refused(inner),
                ..
            } => inner.reason(),
            Self::Reference { .. } | Self::Capture { .. } => Reason::AmbiguousReference,
        }
    }

    fn next_step(&self) -> &'static str {
        match self {
            Self::Version { found: 1..=3 } => {
                "look at it with `nemosyne inspect`, or admit its data anew, which gives a new result"
            }
            Self::Version { .. } => "open it with a program of its version, or build it again from its data",
            Self::Dialect { .. } => {
                "build the package again with this program: other dialects are not replayed"
            }
            Self::TooLarge { .. } => "split the investigation over several packages",
            Self::Capture { .. } => "capture the values of one admission together",
            Self::Identity { .. } | Self::Digest { .. } | Self::Manifest { .. } => {
                "the package was edited after it was written: fetch an intact copy, or build it again"
            }
            _ => "fetch an intact copy, or build the package again from its data",
        }
    }

    /// The refusal that every surface shows, at `DECODE_INTEGRITY`.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        match self {
            Self::Container { error, .. } => return error.refusal(),
            Self::Save(error) => return error.refusal_with(|never| match *never {}),
            Self::Legacy(error) => return error.refusal(),
            _ => {}
        }
        let refusal =
            Refusal::new(Stage::DecodeIntegrity, self.reason(), self.to_string()).next(self.next_step());
        match self {
            Self::Layout { member, .. } | Self::TooLarge { member, .. } => {
                refusal.about(member.escape_debug().to_string())
            }
            Self::Manifest { field, .. } => refusal.about(crate::members::MANIFEST).at((*field).to_owned()),
            Self::Decode { member, error } => refusal
                .about(member.as_str())
                .at(format!("`{}`, byte {}", error.pointer, error.offset)),
            Self::NotCanonical { member, offset } => {
                refusal.about(member.as_str()).at(format!("byte {offset}"))
            }
            Self::Reference {
                member,
                pointer,
                problem: Problem::Refused(inner),
            } => refusal
                .about(member.as_str())
                .at(format!("`{pointer}`"))
                .because((**inner).clone()),
            Self::Body { member, pointer, .. }
            | Self::Identity { member, pointer, .. }
            | Self::Reference { member, pointer, .. } => {
                refusal.about(member.as_str()).at(format!("`{pointer}`"))
            }
            Self::Container { .. }
            | Self::Save(_)
            | Self::Version { .. }
            | Self::Dialect { .. }
            | Self::Legacy(_)
            | Self::Digest { .. }
            | Self::Capture { .. } => refusal,
        }
    }
}

impl From<ContainerError> for PackageError {
    /// While writing: the archive could not take what was given.
    fn from(error: ContainerError) -> Self {
        Self::container(error)
    }
}

impl From<SaveError<PackageError>> for PackageError {
    fn from(error: SaveError<PackageError>) -> Self {
        match error.without_content() {
            Ok(error) => Self::Save(Box::new(error)),
            Err(content) => content,
        }
    }
}
