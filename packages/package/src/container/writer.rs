//! Writing an archive: the same members give the same bytes on any machine.
//!
//! Deflate is `miniz_oxide` at level 6 and nothing else: one implementation in Rust, no processor-dependent path, not
//! switched by another crate's features. A test holds the bytes it gives, so an update that changes them is noticed.
//! Readers do not depend on it: they inflate any valid stream.

use std::io::{self, Read, Seek, SeekFrom, Write};

use identity::{Digest, DigestWriter};
use miniz_oxide::deflate::compress_to_vec;

use super::error::{ContainerError, Rule};
use super::layout::{self, Method};
use super::ledger::{Ledger, MemberRecord};
use super::limits::Limits;
use super::names::NameSet;
use super::reader::Member;

/// Contents longer than this are stored. Checking a stored member costs one SHA-256 pass; inflating costs several, so
/// large data stays as it is and small text gets small.
pub const DEFLATE_UP_TO: usize = 1 << 20;

/// The level at which one more step of effort stops paying for text.
const LEVEL: u8 = 6;

const COPY: usize = 128 * 1024;

/// How the caller wants a member to stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// As it is. The member that holds the ledger is written so.
    Stored,
    /// Deflated up to [`DEFLATE_UP_TO`] bytes where that makes it smaller and keeps the ratio; else stored. The choice
    /// follows from the content alone.
    Fitting,
}

/// Writes members in the order of their names; nothing is buffered but one small member.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    offset: u64,
    limits: Limits,
    names: NameSet,
    total: u64,
    members: Vec<Member>,
    records: Vec<MemberRecord>,
}

impl<W: Write> Writer<W> {
    /// Starts an archive within [`Limits::PACKAGE`].
    #[must_use]
    pub fn new(out: W) -> Self {
        Self::with_limits(out, Limits::PACKAGE)
    }

    /// Starts an archive within these limits.
    #[must_use]
    pub fn with_limits(out: W, limits: Limits) -> Self {
        Self {
            out,
            offset: 0,
            limits,
            names: NameSet::default(),
            total: 0,
            members: Vec::new(),
            records: Vec::new(),
        }
    }

    /// Adds a member. Names come sorted by UTF-16 code units.
    ///
    /// # Errors
    /// [`ContainerError::Refused`] for a name, order or size that the reader would refuse; [`ContainerError::Write`].
    /// After an error the archive is incomplete and the writer of no use.
    pub fn add(
        &mut self,
        name: &str,
        content: &[u8],
        compression: Compression,
    ) -> Result<(), ContainerError> {
        let bytes = content.len() as u64;
        let mut record = MemberRecord::stored(name, bytes, Digest::of(content));
        let stream = match compression {
            Compression::Fitting => self.deflate(content),
            Compression::Stored => None,
        };
        let (method, data) = match &stream {
            Some(stream) => (Method::Deflated, stream.as_slice()),
            None => (Method::Stored, content),
        };
        let member = self.admit(name, method, crc32fast::hash(content), bytes, data.len() as u64)?;
        if stream.is_some() {
            record = record.deflated(data.len() as u64, Digest::of(data));
        }
        self.put(&member.header().local())?;
        self.put(data)?;
        self.members.push(member);
        self.records.push(record);
        Ok(())
    }

    /// Adds a member, stored, from a source that is read twice: once to measure it, once to copy it. Takes 128 KiB of
    /// memory whatever the length.
    ///
    /// # Errors
    /// As [`Writer::add`]; [`ContainerError::Source`] when the source fails, [`Rule::SourceChanged`] when the second
    /// reading gives other bytes.
    pub fn add_from<S: Read + Seek>(&mut self, name: &str, source: &mut S) -> Result<(), ContainerError> {
        let failed = |source| ContainerError::Source {
            member: name.to_owned(),
            source,
        };
        let start = source.stream_position().map_err(failed)?;
        let mut buffer = vec![0; COPY];
        let (mut checksum, mut bytes) = (crc32fast::Hasher::new(), 0_u64);
        while let Some(piece) = read_piece(source, &mut buffer).map_err(failed)? {
            checksum.update(piece);
            bytes += piece.len() as u64;
        }
        let member = self.admit(name, Method::Stored, checksum.finalize(), bytes, bytes)?;
        self.put(&member.header().local())?;

        source.seek(SeekFrom::Start(start)).map_err(failed)?;
        let changed = ContainerError::refused(Some(name), self.offset, Rule::SourceChanged);
        let (mut checksum, mut digest) = (crc32fast::Hasher::new(), DigestWriter::new());
        let mut left = bytes;
        while let Some(piece) = read_piece(source, &mut buffer).map_err(failed)? {
            let Some(after) = left.checked_sub(piece.len() as u64) else {
                return Err(changed);
            };
            left = after;
            checksum.update(piece);
            digest.update(piece);
            self.put(piece)?;
        }
        if left != 0 || checksum.finalize() != member.crc32 {
            return Err(changed);
        }
        self.members.push(member);
        self.records
            .push(MemberRecord::stored(name, bytes, digest.finish()));
        Ok(())
    }

    /// The ledger of what was added so far, to be written into the last member.
    ///
    /// # Panics
    /// Never: the names were admitted in order.
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        Ledger::new(self.records.clone()).expect("names were admitted in order and sizes are below 4 GiB")
    }

    /// Writes the directory and the end record, flushes, and gives the output back.
    ///
    /// # Errors
    /// [`ContainerError::Refused`] for an archive of no members or beyond 4 GiB; [`ContainerError::Write`].
    pub fn finish(mut self) -> Result<W, ContainerError> {
        if self.members.is_empty() {
            return Err(ContainerError::refused(None, self.offset, Rule::NoMembers));
        }
        let mut directory = Vec::new();
        for member in &self.members {
            directory.extend_from_slice(&member.header().central(member.offset));
        }
        let beyond = |bytes| ContainerError::refused(None, bytes, Rule::ArchiveBytes { bytes });
        let end = self.offset + (directory.len() + layout::END_LEN) as u64;
        if end >= u64::from(u32::MAX) {
            return Err(beyond(end));
        }
        let (Ok(count), Ok(size), Ok(offset)) = (
            u16::try_from(self.members.len()),
            u32::try_from(directory.len()),
            u32::try_from(self.offset),
        ) else {
            return Err(beyond(end));
        };
        self.put(&directory)?;
        self.put(&layout::end_record(count, size, offset))?;
        let offset = self.offset;
        let flushed = self.out.flush();
        flushed.map_err(|source| ContainerError::Write { offset, source })?;
        Ok(self.out)
    }

    fn deflate(&self, content: &[u8]) -> Option<Vec<u8>> {
        if content.len() > DEFLATE_UP_TO {
            return None;
        }
        let stream = compress_to_vec(content, LEVEL);
        let (bytes, stored) = (content.len() as u64, stream.len() as u64);
        (stored < bytes && self.limits.admits_ratio(bytes, stored)).then_some(stream)
    }

    fn admit(
        &mut self,
        name: &str,
        method: Method,
        crc32: u32,
        bytes: u64,
        stored: u64,
    ) -> Result<Member, ContainerError> {
        let offset = self.offset;
        let refuse = |rule| ContainerError::refused(Some(name), offset, rule);
        let members = self.members.len() + 1;
        if members > self.limits.max_members {
            let limit = self.limits.max_members;
            return Err(refuse(Rule::Members { members, limit }));
        }
        self.names.admit(name).map_err(refuse)?;
        self.limits
            .admit(name, method, bytes, stored, self.total)
            .map_err(refuse)?;
        let end = offset + (layout::LOCAL_LEN + name.len()) as u64 + stored;
        let (Ok(bytes32), Ok(stored_bytes), Ok(offset32), true) = (
            u32::try_from(bytes),
            u32::try_from(stored),
            u32::try_from(offset),
            end < u64::from(u32::MAX),
        ) else {
            return Err(refuse(Rule::ArchiveBytes { bytes: end }));
        };
        self.total += bytes;
        Ok(Member {
            name: name.to_owned(),
            method,
            crc32,
            bytes: bytes32,
            stored_bytes,
            offset: offset32,
        })
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), ContainerError> {
        let offset = self.offset;
        self.out
            .write_all(bytes)
            .map_err(|source| ContainerError::Write { offset, source })?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}

fn read_piece<'a, S: Read>(source: &mut S, buffer: &'a mut [u8]) -> io::Result<Option<&'a [u8]>> {
    loop {
        match source.read(buffer) {
            Ok(0) => return Ok(None),
            Ok(len) => return Ok(Some(&buffer[..len])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
