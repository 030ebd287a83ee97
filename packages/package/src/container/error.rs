//! What can be wrong with an archive: the rule, the member and the byte, and what to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use refusal::{Reason, Refusal, Stage};

use super::names::NameRule;

/// An archive could not be opened, read, judged or written.
#[derive(Debug, thiserror::Error)]
pub enum ContainerError {
    /// The file can't be opened. Way out: name an existing package file this user may read.
    #[error("{}: {access}", path.display())]
    Open {
        /// The file as the caller named it.
        path: PathBuf,
        /// What stood in the way.
        access: Access,
        /// The system's answer, when it gave one.
        #[source]
        source: Option<io::Error>,
    },
    /// Reading failed in the middle. Way out: check the disk or the network folder and try again.
    #[error("reading stopped at byte {offset}: {source}")]
    Read {
        /// Byte in the file.
        offset: u64,
        /// The system's answer.
        source: io::Error,
    },
    /// Writing failed in the middle. Way out: free space or choose another folder.
    #[error("writing stopped at byte {offset}: {source}")]
    Write {
        /// Byte in the file.
        offset: u64,
        /// The system's answer.
        source: io::Error,
    },
    /// A source given to the writer could not be read.
    #[error("{member:?} could not be read for packing: {source}")]
    Source {
        /// The member it was to become.
        member: String,
        /// The source's answer.
        source: io::Error,
    },
    /// Whoever receives a member's bytes stopped.
    #[error("the receiver of {member:?} stopped: {source}")]
    Sink {
        /// The member being read.
        member: String,
        /// The receiver's answer.
        source: io::Error,
    },
    /// The archive breaks a rule, or (writing) would.
    #[error("{0}")]
    Refused(Fault),
}

/// One broken rule and where it is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The member, when the rule is about one. Names from a hostile file are shown escaped.
    pub member: Option<String>,
    /// The byte of the file where the offending record, field or data stands.
    pub offset: u64,
    /// The rule.
    pub rule: Rule,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(member) = &self.member {
            write!(f, "{member:?}, ")?;
        }
        write!(f, "byte {}: {}", self.offset, self.rule)
    }
}

/// Why a file can't be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Access {
    /// Nothing is there.
    #[error("there is no such file")]
    Missing,
    /// A directory is there.
    #[error("this is a folder, not a package file")]
    Folder,
    /// A pipe, socket or device is there.
    #[error("this is not a regular file")]
    NotAFile,
    /// This user may not read it.
    #[error("this user may not read the file")]
    Denied,
    /// Any other answer of the system.
    #[error("the file can't be opened")]
    Other,
}

/// The rules of the container, one for each way to break it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    /// A file of no bytes.
    #[error("the file is empty")]
    EmptyFile,
    /// Nothing in it looks like an archive.
    #[error("this is not a package: it has no archive records")]
    NotAnArchive,
    /// Starts like an archive, but the end record is not where it must be.
    #[error("the file ends before its end record")]
    Truncated,
    /// Bytes after the end record.
    #[error("{bytes} bytes follow the end record")]
    TrailingBytes {
        /// How many.
        bytes: u64,
    },
    /// The end record carries a comment.
    #[error("the archive carries a comment")]
    ArchiveComment,
    /// Bytes before the first member.
    #[error("{bytes} bytes stand before the first member")]
    LeadingBytes {
        /// How many.
        bytes: u64,
    },
    /// Bytes that belong to no record.
    #[error("{bytes} bytes here belong to no member")]
    Gap {
        /// How many.
        bytes: u64,
    },
    /// Two records claim the same bytes.
    #[error("this record overlaps another one")]
    Overlap,
    /// A record points past the end of what can hold it.
    #[error("this record points outside the archive")]
    OutsideArchive,
    /// Part of a set of volumes.
    #[error("the archive claims to be split over several disks")]
    MultiDisk,
    /// ZIP64 records or placeholders.
    #[error("ZIP64 records are not part of this format")]
    Zip64,
    /// An archive of nothing.
    #[error("the archive has no members")]
    NoMembers,
    /// The directory and the end record count differently.
    #[error("the directory does not match the end record's count and size")]
    DirectoryCount,
    /// A record that does not start with its signature.
    #[error("no {record} starts here")]
    Signature {
        /// Which record was expected.
        record: &'static str,
    },
    /// A header field with another value than the format's constant.
    #[error("the {field} in the {record} is not the one this format writes")]
    Constant {
        /// The record.
        record: &'static str,
        /// The field.
        field: &'static str,
    },
    /// The local header says something else than the central entry.
    #[error("local header and directory disagree about the {field}")]
    LocalDiffers {
        /// The field.
        field: &'static str,
    },
    /// Encrypted, or with an encrypted directory.
    #[error("the member is encrypted")]
    Encrypted,
    /// Sizes written after the data.
    #[error("the member uses a data descriptor")]
    DataDescriptor,
    /// A method other than stored and deflated.
    #[error("compression method {0} is not stored or deflated")]
    Method(u16),
    /// Extra fields.
    #[error("the member carries extra fields")]
    ExtraField,
    /// A comment on a member.
    #[error("the member carries a comment")]
    MemberComment,
    /// A symbolic link.
    #[error("the member is a symbolic link")]
    Symlink,
    /// A directory.
    #[error("the member is a directory")]
    Directory,
    /// A device, socket or pipe.
    #[error("the member is not a regular file")]
    SpecialFile,
    /// The name itself.
    #[error("{0}")]
    Name(NameRule),
    /// The same name twice.
    #[error("the name appears twice")]
    Duplicate,
    /// Two names that some system takes for one.
    #[error("the name meets {with:?} where case or accents are not told apart")]
    Collides {
        /// The earlier name.
        with: String,
    },
    /// Names out of order.
    #[error("names are sorted by UTF-16 code units, and this one follows {after:?}")]
    Order {
        /// The name before.
        after: String,
    },
    /// Too many members.
    #[error("{members} members, and the limit is {limit}")]
    Members {
        /// How many are declared.
        members: usize,
        /// The limit.
        limit: usize,
    },
    /// The file is too large to be addressed without ZIP64.
    #[error("the archive is {bytes} bytes, and an archive stays below 4 GiB")]
    ArchiveBytes {
        /// The size.
        bytes: u64,
    },
    /// One member too large.
    #[error("{bytes} bytes, and the limit for a member is {limit}")]
    MemberBytes {
        /// The declared size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// One JSON member too large.
    #[error("{bytes} bytes, and the limit for a JSON member is {limit}")]
    JsonBytes {
        /// The declared size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// All members together too large.
    #[error("with this member the contents pass the limit of {limit} bytes in all")]
    TotalBytes {
        /// The limit.
        limit: u64,
    },
    /// Inflates too far.
    #[error("the member inflates by more than the limit of {limit} to 1")]
    Ratio {
        /// The limit.
        limit: u64,
    },
    /// Larger than the caller of this one read allows.
    #[error("{bytes} bytes, and at most {limit} were asked for")]
    ReadBytes {
        /// The declared size.
        bytes: u64,
        /// The caller's limit.
        limit: u64,
    },
    /// A stored member whose two sizes differ.
    #[error("a stored member declares two different sizes")]
    StoredSize,
    /// Not a deflate stream.
    #[error("the deflate stream is damaged")]
    Inflate,
    /// The stream ends short of the declared size.
    #[error("the deflate stream gives {bytes} bytes, fewer than declared")]
    InflatesShort {
        /// What it gave.
        bytes: u64,
    },
    /// The stream goes past the declared size.
    #[error("the deflate stream gives more bytes than declared")]
    InflatesLong,
    /// Bytes between the end of the stream and the end of the member.
    #[error("bytes follow the end of the deflate stream")]
    AfterDeflate,
    /// The content's CRC-32.
    #[error("the content does not match its checksum")]
    Checksum,
    /// The content's SHA-256.
    #[error("the content does not match its recorded digest")]
    ContentDigest,
    /// The length in the ledger.
    #[error("the length is not the recorded one")]
    RecordedLength,
    /// The compressed bytes' SHA-256, or the way the member is stored.
    #[error("the bytes in the file do not match their recorded digest")]
    StoredDigest,
    /// A member the ledger doesn't have.
    #[error("the ledger does not list this member")]
    Unlisted,
    /// A ledger line without a member.
    #[error("the ledger lists this member, and the archive does not have it")]
    Absent,
    /// The member that holds the ledger is deflated.
    #[error("the member that holds the ledger must be stored, not deflated")]
    LedgerDeflated,
    /// Asked for a member that isn't there.
    #[error("the archive has no such member")]
    NoSuchMember,
    /// A source that gave other bytes when read again.
    #[error("the source changed while it was packed")]
    SourceChanged,
}

impl Rule {
    /// The reason word under `INVALID_INPUT`.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self {
            Self::Members { .. }
            | Self::ArchiveBytes { .. }
            | Self::MemberBytes { .. }
            | Self::JsonBytes { .. }
            | Self::TotalBytes { .. }
            | Self::Ratio { .. }
            | Self::ReadBytes { .. } => Reason::Bounds,
            Self::Truncated
            | Self::Constant { .. }
            | Self::LocalDiffers { .. }
            | Self::Inflate
            | Self::InflatesShort { .. }
            | Self::InflatesLong
            | Self::AfterDeflate
            | Self::Checksum
            | Self::ContentDigest
            | Self::RecordedLength
            | Self::StoredDigest
            | Self::SourceChanged => Reason::Integrity,
            Self::Duplicate | Self::Collides { .. } | Self::Unlisted | Self::Absent | Self::NoSuchMember => {
                Reason::AmbiguousReference
            }
            _ => Reason::Malformed,
        }
    }

    /// What to do next.
    #[must_use]
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::EmptyFile | Self::Truncated => {
                "the copy is incomplete: fetch the file again, or build the package again from its data"
            }
            Self::NotAnArchive => "name a .nemosyne package; to bring data in, use the import command",
            Self::SourceChanged => "close the program that writes to the source, then save again",
            Self::ReadBytes { .. } | Self::NoSuchMember => {
                "this is a defect of the caller: report it with the package"
            }
            _ => match self.reason() {
                Reason::Bounds => {
                    "split the data over several packages, or leave out members that are not needed"
                }
                Reason::Integrity => {
                    "the file was damaged or edited after it was written: fetch an intact copy, or build the package again"
                }
                _ => {
                    "this file was not written by this program: build the package again with it, or ask its author to"
                }
            },
        }
    }
}

impl ContainerError {
    pub(super) fn refused(member: Option<&str>, offset: u64, rule: Rule) -> Self {
        Self::Refused(Fault {
            member: member.map(str::to_owned),
            offset,
            rule,
        })
    }

    /// The broken rule, when a rule was broken.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Refused(fault) => Some(fault),
            _ => None,
        }
    }

    /// The refusal that every surface shows: `INVALID_INPUT` at `DECODE_INTEGRITY`.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let refuse =
            |reason, next: &str| Refusal::new(Stage::DecodeIntegrity, reason, self.to_string()).next(next);
        match self {
            Self::Open { path, .. } => refuse(
                Reason::Unreachable,
                "name an existing package file that this user may read",
            )
            .about(path.display().to_string()),
            Self::Read { offset, .. } => refuse(
                Reason::Unreachable,
                "check the disk or network folder, then try again",
            )
            .at(format!("byte {offset}")),
            Self::Write { offset, .. } => {
                refuse(Reason::Unreachable, "free space there or choose another folder")
                    .at(format!("byte {offset}"))
            }
            Self::Source { member, .. } => refuse(
                Reason::Unreachable,
                "check that the source can be read, then try again",
            )
            .about(member.as_str()),
            Self::Sink { member, .. } => refuse(
                Reason::Unreachable,
                "free space where the content goes, then try again",
            )
            .about(member.as_str()),
            Self::Refused(fault) => {
                let refusal =
                    refuse(fault.rule.reason(), fault.rule.next_step()).at(format!("byte {}", fault.offset));
                match &fault.member {
                    Some(member) => refusal.about(member.escape_debug().to_string()),
                    None => refusal,
                }
            }
        }
    }
}
