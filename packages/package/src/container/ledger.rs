//! The ledger: for every member but the one that holds it, length and digest of the content, and of the bytes in the
//! file where those differ.
//!
//! The member that holds the ledger answers for its own bytes: it is stored, its content has one canonical spelling,
//! and it states its own identity with that statement left out.

use std::io::{Read, Seek};

use identity::{Digest, SetKey, utf16_cmp};

use super::error::{ContainerError, Rule};
use super::layout::Method;
use super::reader::{Archive, Member};
use super::stream::Streamed;

pub use wire::v1::MemberRecord;

/// How the ledger is written down.
pub mod wire {
    /// Version 1.
    pub mod v1 {
        use identity::Digest;
        use serde::{Deserialize, Serialize};

        /// One member's line. Written in the manifest of the package.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct MemberRecord {
            /// The member's name.
            pub name: String,
            /// Length of the content, bytes.
            pub bytes: u64,
            /// SHA-256 of the content.
            pub sha256: Digest,
            /// The deflate stream in the file; left out for a stored member.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub deflated: Option<DeflatedRecord>,
        }

        /// The deflate stream as it stands in the file.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct DeflatedRecord {
            /// Length of the stream, bytes.
            pub bytes: u64,
            /// SHA-256 of the stream.
            pub sha256: Digest,
        }
    }
}

impl MemberRecord {
    /// The line of a stored member.
    #[must_use]
    pub fn stored(name: impl Into<String>, bytes: u64, sha256: Digest) -> Self {
        Self {
            name: name.into(),
            bytes,
            sha256,
            deflated: None,
        }
    }

    /// The same content, deflated.
    #[must_use]
    pub fn deflated(mut self, bytes: u64, sha256: Digest) -> Self {
        self.deflated = Some(wire::v1::DeflatedRecord { bytes, sha256 });
        self
    }

    /// Whether the member that was read is the one recorded.
    fn check(&self, found: &Streamed) -> Result<(), Rule> {
        if found.bytes != self.bytes {
            return Err(Rule::RecordedLength);
        }
        if found.content != self.sha256 {
            return Err(Rule::ContentDigest);
        }
        match &self.deflated {
            Some(stream) if stream.bytes != found.stored_bytes || stream.sha256 != found.stored => {
                Err(Rule::StoredDigest)
            }
            _ => Ok(()),
        }
    }

    /// Whether both headers of the member say what is recorded.
    fn check_shape(&self, member: &Member) -> Result<(), Rule> {
        let method = if self.deflated.is_some() {
            Method::Deflated
        } else {
            Method::Stored
        };
        if member.method() != method {
            return Err(Rule::StoredDigest);
        }
        if member.bytes() != self.bytes {
            return Err(Rule::RecordedLength);
        }
        match &self.deflated {
            Some(stream) if stream.bytes != member.stored_bytes() => Err(Rule::StoredDigest),
            _ => Ok(()),
        }
    }
}

impl SetKey for MemberRecord {
    fn set_key(&self) -> String {
        self.name.clone()
    }
}

/// Lines sorted by name, each name once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    records: Vec<MemberRecord>,
}

impl Ledger {
    /// Takes lines as read; refuses wrong order instead of sorting.
    ///
    /// # Errors
    /// [`Rule::Duplicate`] or [`Rule::Order`], naming the member.
    pub fn new(records: Vec<MemberRecord>) -> Result<Self, ContainerError> {
        for pair in records.windows(2) {
            let (a, b) = (&pair[0].name, &pair[1].name);
            let rule = match utf16_cmp(a, b) {
                std::cmp::Ordering::Less => continue,
                std::cmp::Ordering::Equal => Rule::Duplicate,
                std::cmp::Ordering::Greater => Rule::Order { after: a.clone() },
            };
            return Err(ContainerError::refused(Some(b), 0, rule));
        }
        Ok(Self { records })
    }

    /// The lines, sorted.
    #[must_use]
    pub fn records(&self) -> &[MemberRecord] {
        &self.records
    }

    /// The line of one member.
    #[must_use]
    pub fn record(&self, name: &str) -> Option<&MemberRecord> {
        let at = self
            .records
            .binary_search_by(|record| utf16_cmp(&record.name, name));
        at.ok().and_then(|at| self.records.get(at))
    }

    /// Compares the ledger with the archive's headers, reading no content: the same members, `holder` aside, of the
    /// same lengths, stored the same way.
    ///
    /// # Errors
    /// The first member that differs: [`Rule::Unlisted`], [`Rule::Absent`], [`Rule::RecordedLength`],
    /// [`Rule::StoredDigest`], [`Rule::LedgerDeflated`].
    pub fn check_listing<R: Read + Seek>(
        &self,
        archive: &Archive<R>,
        holder: &str,
    ) -> Result<(), ContainerError> {
        let holding = |rule| ContainerError::refused(Some(holder), 0, rule);
        let own = archive
            .member(holder)
            .ok_or_else(|| holding(Rule::NoSuchMember))?;
        if own.method() != Method::Stored {
            return Err(holding(Rule::LedgerDeflated));
        }
        for record in &self.records {
            if record.name == holder || archive.member(&record.name).is_none() {
                return Err(ContainerError::refused(Some(&record.name), 0, Rule::Absent));
            }
        }
        for member in archive.members().iter().filter(|member| member.name() != holder) {
            let refuse = |rule| ContainerError::refused(Some(member.name()), member.data_offset(), rule);
            let record = self.record(member.name()).ok_or_else(|| refuse(Rule::Unlisted))?;
            record.check_shape(member).map_err(refuse)?;
        }
        Ok(())
    }

    /// Compares one member that was read with its line.
    ///
    /// # Errors
    /// [`Rule::Unlisted`], [`Rule::RecordedLength`], [`Rule::ContentDigest`], [`Rule::StoredDigest`].
    pub fn check_member<R: Read + Seek>(
        &self,
        archive: &Archive<R>,
        name: &str,
        found: &Streamed,
    ) -> Result<(), ContainerError> {
        let offset = archive.member(name).map_or(0, Member::data_offset);
        let refuse = |rule| ContainerError::refused(Some(name), offset, rule);
        let record = self.record(name).ok_or_else(|| refuse(Rule::Unlisted))?;
        record.check(found).map_err(refuse)
    }

    /// Reads every listed member once, in the order of the file, and compares it with its line.
    ///
    /// # Errors
    /// As [`Ledger::check_listing`], [`Archive::stream`] and [`Ledger::check_member`], for the first member that fails.
    pub fn check_contents<R: Read + Seek>(
        &self,
        archive: &mut Archive<R>,
        holder: &str,
    ) -> Result<(), ContainerError> {
        self.check_listing(archive, holder)?;
        for record in &self.records {
            let found = archive.digest(&record.name)?;
            self.check_member(archive, &record.name, &found)?;
        }
        Ok(())
    }
}
