//! Reading contents: one pass in fixed buffers, hashed and checked on the way.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

use identity::{Digest, DigestWriter};
use miniz_oxide::inflate::stream::{InflateState, MinReset, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

use super::error::{ContainerError, Rule};
use super::layout::Method;
use super::reader::{Archive, Member};

/// Read at a time, bytes: small enough to stay in a core's second-level cache between reading, checksum and digest.
const READ: usize = 128 * 1024;
/// Inflated at a time, bytes.
const INFLATE: usize = 64 * 1024;

/// What a member turned out to be once all of it was read and its checksum held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streamed {
    /// SHA-256 of the content.
    pub content: Digest,
    /// SHA-256 of the bytes in the file: of the deflate stream for a deflated member, else the same as `content`.
    pub stored: Digest,
    /// Length of the content, bytes.
    pub bytes: u64,
    /// Length in the file, bytes.
    pub stored_bytes: u64,
}

/// The only memory that streaming takes, whatever the archive: 192 KiB and the state of one inflater.
#[derive(Default)]
pub(super) struct Buffers {
    read: Vec<u8>,
    inflated: Vec<u8>,
    inflater: Option<Box<InflateState>>,
}

impl fmt::Debug for Buffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffers").finish_non_exhaustive()
    }
}

/// Receives content piece by piece.
pub(super) type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> io::Result<()>;

impl<R: Read + Seek> Archive<R> {
    /// Reads all of a member and gives its content to `sink` piece by piece. The pieces are not to be trusted until
    /// this returns: length and checksum are known only at the end, and the digest is for the caller to compare.
    ///
    /// # Errors
    /// [`ContainerError::Refused`] when there is no such member or its data breaks a rule, [`ContainerError::Sink`]
    /// when `sink` fails, [`ContainerError::Read`] when the source does.
    pub fn stream(
        &mut self,
        name: &str,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<Streamed, ContainerError> {
        let member = self.find(name)?;
        match member.method {
            Method::Stored => self.stream_stored(&member, sink),
            Method::Deflated => self.stream_deflated(&member, sink),
        }
    }

    /// Reads all of a member for its digests alone.
    ///
    /// # Errors
    /// As [`Archive::stream`].
    pub fn digest(&mut self, name: &str) -> Result<Streamed, ContainerError> {
        self.stream(name, &mut |_| Ok(()))
    }

    /// Reads a member of at most `max` bytes into memory. The digests are those of the very bytes returned.
    ///
    /// # Errors
    /// As [`Archive::stream`]; [`Rule::ReadBytes`] when the member is larger.
    pub fn read_small(&mut self, name: &str, max: usize) -> Result<(Vec<u8>, Streamed), ContainerError> {
        let member = self.find(name)?;
        let len = match usize::try_from(member.bytes()) {
            Ok(len) if len <= max => len,
            _ => {
                let rule = Rule::ReadBytes {
                    bytes: member.bytes(),
                    limit: max as u64,
                };
                return Err(ContainerError::refused(Some(name), member.data_offset(), rule));
            }
        };
        let mut content = Vec::with_capacity(len);
        let streamed = self.stream(name, &mut |piece| {
            content.extend_from_slice(piece);
            Ok(())
        })?;
        Ok((content, streamed))
    }

    fn find(&self, name: &str) -> Result<Member, ContainerError> {
        let missing = || ContainerError::refused(Some(name), 0, Rule::NoSuchMember);
        self.member(name).cloned().ok_or_else(missing)
    }

    fn seek_data(&mut self, member: &Member) -> Result<(), ContainerError> {
        let offset = member.data_offset();
        self.source
            .seek(SeekFrom::Start(offset))
            .map_err(|source| ContainerError::Read { offset, source })?;
        self.buffers.read.resize(READ, 0);
        Ok(())
    }

    fn stream_stored(&mut self, member: &Member, sink: Sink<'_>) -> Result<Streamed, ContainerError> {
        self.seek_data(member)?;
        let mut content = Content::new(member);
        let mut left = member.stored_bytes();
        while left > 0 {
            let piece = next_piece(&mut self.source, &mut self.buffers.read, &mut left, member)?;
            content.take(piece, sink)?;
        }
        let (digest, bytes) = content.finish()?;
        Ok(Streamed {
            content: digest,
            stored: digest,
            bytes,
            stored_bytes: bytes,
        })
    }

    fn stream_deflated(&mut self, member: &Member, sink: Sink<'_>) -> Result<Streamed, ContainerError> {
        self.seek_data(member)?;
        let Self { source, buffers, .. } = self;
        buffers.inflated.resize(INFLATE, 0);
        let inflater = buffers
            .inflater
            .get_or_insert_with(|| InflateState::new_boxed(DataFormat::Raw));
        inflater.reset_as(MinReset);

        let mut content = Content::new(member);
        let mut stored = DigestWriter::new();
        let mut left = member.stored_bytes();
        let mut input: &[u8] = &[];
        loop {
            if input.is_empty() && left > 0 {
                input = next_piece(source, &mut buffers.read, &mut left, member)?;
                stored.update(input);
            }
            let step = inflate(inflater, input, &mut buffers.inflated, MZFlush::None);
            input = &input[step.bytes_consumed..];
            content.take(&buffers.inflated[..step.bytes_written], sink)?;
            let exhausted = input.is_empty() && left == 0;
            let stuck = step.bytes_consumed == 0 && step.bytes_written == 0;
            match step.status {
                Ok(MZStatus::StreamEnd) if exhausted => break,
                Ok(MZStatus::StreamEnd) => return Err(content.refuse(Rule::AfterDeflate)),
                Ok(_) if !stuck => {}
                Ok(_) | Err(MZError::Buf) if exhausted => {
                    let bytes = content.bytes;
                    return Err(content.refuse(Rule::InflatesShort { bytes }));
                }
                Ok(_) | Err(_) => return Err(content.refuse(Rule::Inflate)),
            }
        }
        let (digest, bytes) = content.finish()?;
        Ok(Streamed {
            content: digest,
            stored: stored.finish(),
            bytes,
            stored_bytes: member.stored_bytes(),
        })
    }
}

fn next_piece<'a, R: Read>(
    source: &mut R,
    buffer: &'a mut [u8],
    left: &mut u64,
    member: &Member,
) -> Result<&'a [u8], ContainerError> {
    let len = usize::try_from(*left).map_or(buffer.len(), |left| left.min(buffer.len()));
    let piece = &mut buffer[..len];
    source.read_exact(piece).map_err(|source| ContainerError::Read {
        offset: member.data_offset() + member.stored_bytes() - *left,
        source,
    })?;
    *left -= len as u64;
    Ok(piece)
}

/// A content on its way: counted against the declared size, checksummed, hashed once, handed on.
struct Content<'a> {
    member: &'a Member,
    bytes: u64,
    checksum: crc32fast::Hasher,
    digest: DigestWriter,
}

impl<'a> Content<'a> {
    fn new(member: &'a Member) -> Self {
        Self {
            member,
            bytes: 0,
            checksum: crc32fast::Hasher::new(),
            digest: DigestWriter::new(),
        }
    }

    fn refuse(&self, rule: Rule) -> ContainerError {
        ContainerError::refused(Some(&self.member.name), self.member.data_offset(), rule)
    }

    fn take(&mut self, piece: &[u8], sink: Sink<'_>) -> Result<(), ContainerError> {
        self.bytes += piece.len() as u64;
        if self.bytes > self.member.bytes() {
            return Err(self.refuse(Rule::InflatesLong));
        }
        self.checksum.update(piece);
        self.digest.update(piece);
        sink(piece).map_err(|source| ContainerError::Sink {
            member: self.member.name.clone(),
            source,
        })
    }

    fn finish(self) -> Result<(Digest, u64), ContainerError> {
        if self.bytes < self.member.bytes() {
            return Err(self.refuse(Rule::InflatesShort { bytes: self.bytes }));
        }
        if self.checksum.clone().finalize() != self.member.crc32 {
            return Err(self.refuse(Rule::Checksum));
        }
        Ok((self.digest.finish(), self.bytes))
    }
}
