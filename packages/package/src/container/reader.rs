//! Opening an archive: every record is walked and compared before any byte of content is looked at.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use identity::utf16_cmp;

use super::error::{Access, ContainerError, Rule};
use super::layout::{
    self, CENTRAL_LEN, CENTRAL_SIGNATURE, END_LEN, END_SIGNATURE, Header, LOCAL_LEN, LOCAL_SIGNATURE, Method,
    ZIP64_LOCATOR_SIGNATURE, get16, get32,
};
use super::limits::Limits;
use super::names::{MAX_NAME_BYTES, NameRule, NameSet};
use super::stream::Buffers;

/// A placeholder that says "the real value stands in a ZIP64 record".
const ELSEWHERE_16: u16 = u16::MAX;
const ELSEWHERE_32: u32 = u32::MAX;

/// The most a directory may take, bytes. 4,096 entries with the longest names take 1.2 MB; the rest is room for telling
/// a foreign archive what exactly is wrong with it.
const MAX_DIRECTORY: u32 = 8 << 20;

/// One member as both of its headers describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub(super) name: String,
    pub(super) method: Method,
    pub(super) crc32: u32,
    pub(super) bytes: u32,
    pub(super) stored_bytes: u32,
    pub(super) offset: u32,
}

impl Member {
    /// The name: a plain relative path with `/`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How its bytes stand in the file.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Declared length of the content, bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        u64::from(self.bytes)
    }

    /// Length in the file, bytes.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        u64::from(self.stored_bytes)
    }

    /// Where its data starts in the file.
    #[must_use]
    pub fn data_offset(&self) -> u64 {
        u64::from(self.offset) + LOCAL_LEN as u64 + self.name.len() as u64
    }

    fn end(&self) -> u64 {
        self.data_offset() + self.stored_bytes()
    }

    pub(super) fn header(&self) -> Header<'_> {
        Header {
            name: &self.name,
            method: self.method,
            crc32: self.crc32,
            stored_bytes: self.stored_bytes,
            bytes: self.bytes,
        }
    }
}

/// An archive whose records have all been walked. Its contents have not: they are checked as they are streamed, and
/// against the [`ledger`](super::ledger).
#[derive(Debug)]
pub struct Archive<R> {
    pub(super) source: R,
    pub(super) members: Vec<Member>,
    pub(super) buffers: Buffers,
    len: u64,
}

impl Archive<File> {
    /// Opens the file at `path` for reading and walks it.
    ///
    /// # Errors
    /// [`ContainerError::Open`] when there is no readable regular file, [`ContainerError::Read`] when the disk fails,
    /// [`ContainerError::Refused`] with the first broken rule.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, ContainerError> {
        // Asked before opening: opening a pipe would wait for its writer.
        let metadata = fs::metadata(path).map_err(|source| cannot_open(path, source))?;
        check_regular(path, &metadata)?;
        let file = File::open(path).map_err(|source| cannot_open(path, source))?;
        let metadata = file.metadata().map_err(|source| cannot_open(path, source))?;
        check_regular(path, &metadata)?;
        Self::walk(file, limits)
    }
}

impl<R: Read + Seek> Archive<R> {
    /// Walks an archive that something else opened.
    ///
    /// # Errors
    /// [`ContainerError::Read`] when the source fails, [`ContainerError::Refused`] with the first broken rule.
    pub fn walk(mut source: R, limits: &Limits) -> Result<Self, ContainerError> {
        let len = source
            .seek(SeekFrom::End(0))
            .map_err(|source| ContainerError::Read { offset: 0, source })?;
        let end = read_end(&mut source, len, limits)?;
        let members = read_directory(&mut source, &end, limits)?;
        check_places(&mut source, &members, &end)?;
        Ok(Self {
            source,
            members,
            buffers: Buffers::default(),
            len,
        })
    }

    /// The same archive, its source behind something else that reads the same bytes.
    #[must_use]
    pub fn map_source<S>(self, wrap: impl FnOnce(R) -> S) -> Archive<S> {
        Archive {
            source: wrap(self.source),
            members: self.members,
            buffers: self.buffers,
            len: self.len,
        }
    }

    /// The members, sorted by the UTF-16 code units of their names; the order in the file is the same.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The member with this name.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Member> {
        let at = self
            .members
            .binary_search_by(|member| utf16_cmp(&member.name, name));
        at.ok().and_then(|at| self.members.get(at))
    }

    /// Length of the whole file, bytes.
    #[must_use]
    pub fn archive_bytes(&self) -> u64 {
        self.len
    }
}

fn cannot_open(path: &Path, source: io::Error) -> ContainerError {
    let access = match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Access::Missing,
        io::ErrorKind::PermissionDenied => Access::Denied,
        _ => Access::Other,
    };
    ContainerError::Open {
        path: path.to_owned(),
        access,
        source: Some(source),
    }
}

fn check_regular(path: &Path, metadata: &fs::Metadata) -> Result<(), ContainerError> {
    let access = if metadata.is_file() {
        return Ok(());
    } else if metadata.is_dir() {
        Access::Folder
    } else {
        Access::NotAFile
    };
    Err(ContainerError::Open {
        path: path.to_owned(),
        access,
        source: None,
    })
}

fn read_at<R: Read + Seek>(source: &mut R, offset: u64, len: usize) -> Result<Vec<u8>, ContainerError> {
    let mut bytes = vec![0; len];
    source
        .seek(SeekFrom::Start(offset))
        .and_then(|_| source.read_exact(&mut bytes))
        .map_err(|source| ContainerError::Read { offset, source })?;
    Ok(bytes)
}

/// The end record, understood: how many members, and where their directory is.
struct End {
    members: u16,
    directory_size: u32,
    directory: u32,
    offset: u64,
}

fn read_end<R: Read + Seek>(source: &mut R, len: u64, limits: &Limits) -> Result<End, ContainerError> {
    let refuse = |offset, rule| Err(ContainerError::refused(None, offset, rule));
    if len == 0 {
        return refuse(0, Rule::EmptyFile);
    }
    if len >= u64::from(ELSEWHERE_32) {
        return refuse(0, Rule::ArchiveBytes { bytes: len });
    }
    let Some(offset) = len.checked_sub(END_LEN as u64) else {
        return Err(diagnose_missing_end(source, len)?);
    };
    let record = read_at(source, offset, END_LEN)?;
    if get32(&record, 0) != END_SIGNATURE {
        return Err(diagnose_missing_end(source, len)?);
    }
    if get16(&record, 20) != 0 {
        return refuse(offset + 20, Rule::ArchiveComment);
    }
    let (this_disk, directory_disk) = (get16(&record, 4), get16(&record, 6));
    let (here, members) = (get16(&record, 8), get16(&record, 10));
    let (directory_size, directory) = (get32(&record, 12), get32(&record, 16));
    let placeholder = [this_disk, directory_disk, here, members].contains(&ELSEWHERE_16)
        || [directory_size, directory].contains(&ELSEWHERE_32);
    if placeholder || has_zip64_locator(source, offset)? {
        return refuse(offset, Rule::Zip64);
    }
    if this_disk != 0 || directory_disk != 0 || here != members {
        return refuse(offset + 4, Rule::MultiDisk);
    }
    if members == 0 {
        return refuse(offset + 10, Rule::NoMembers);
    }
    if usize::from(members) > limits.max_members {
        let rule = Rule::Members {
            members: usize::from(members),
            limit: limits.max_members,
        };
        return refuse(offset + 10, rule);
    }
    let directory_end = u64::from(directory) + u64::from(directory_size);
    if directory_end > offset {
        return refuse(offset + 12, Rule::OutsideArchive);
    }
    if directory_end < offset {
        let bytes = offset - directory_end;
        // Bytes put in front move everything by the same distance; bytes put in between do not.
        let moved = read_at(source, u64::from(directory) + bytes, 4)?;
        let rule = if get32(&moved, 0) == CENTRAL_SIGNATURE {
            Rule::LeadingBytes { bytes }
        } else {
            Rule::Gap { bytes }
        };
        return refuse(directory_end, rule);
    }
    if directory_size > MAX_DIRECTORY {
        return refuse(offset + 12, Rule::DirectoryCount);
    }
    let expected = layout::end_record(members, directory_size, directory);
    if record != expected {
        let rule = Rule::Constant {
            record: "end record",
            field: "value",
        };
        return refuse(offset, rule);
    }
    Ok(End {
        members,
        directory_size,
        directory,
        offset,
    })
}

fn has_zip64_locator<R: Read + Seek>(source: &mut R, end: u64) -> Result<bool, ContainerError> {
    let Some(locator) = end.checked_sub(20) else {
        return Ok(false);
    };
    Ok(get32(&read_at(source, locator, 4)?, 0) == ZIP64_LOCATOR_SIGNATURE)
}

/// Why there is no end record at the end: a comment, bytes after it, a cut file, or no archive at all.
fn diagnose_missing_end<R: Read + Seek>(source: &mut R, len: u64) -> Result<ContainerError, ContainerError> {
    let window = len.min(END_LEN as u64 + u64::from(u16::MAX));
    let start = len - window;
    let window = usize::try_from(window).expect("at most 65,557 bytes");
    let tail = read_at(source, start, window)?;
    let found = (0..tail.len().saturating_sub(END_LEN - 1))
        .rev()
        .find(|at| get32(&tail, *at) == END_SIGNATURE);
    if let Some(at) = found {
        let after = tail.len() - at - END_LEN;
        let rule = if usize::from(get16(&tail, at + 20)) == after {
            Rule::ArchiveComment
        } else {
            Rule::TrailingBytes { bytes: after as u64 }
        };
        return Ok(ContainerError::refused(None, start + (at + END_LEN) as u64, rule));
    }
    let head = read_at(source, 0, tail.len().min(4))?;
    let starts_like_one = LOCAL_SIGNATURE.to_le_bytes().starts_with(&head);
    let rule = if starts_like_one {
        Rule::Truncated
    } else {
        Rule::NotAnArchive
    };
    Ok(ContainerError::refused(None, len, rule))
}

fn read_directory<R: Read + Seek>(
    source: &mut R,
    end: &End,
    limits: &Limits,
) -> Result<Vec<Member>, ContainerError> {
    let size = usize::try_from(end.directory_size).expect("at most 8 MiB");
    let directory = read_at(source, u64::from(end.directory), size)?;
    let mut members: Vec<Member> = Vec::with_capacity(usize::from(end.members));
    let mut names = NameSet::default();
    let mut total = 0;
    let mut at = 0;
    for _ in 0..end.members {
        let offset = u64::from(end.directory) + at as u64;
        let (member, len) = parse_entry(&directory[at..], offset)?;
        let refuse = |rule| ContainerError::refused(Some(&member.name), offset, rule);
        names.admit(&member.name).map_err(refuse)?;
        if member.method == Method::Stored && member.bytes != member.stored_bytes {
            return Err(refuse(Rule::StoredSize));
        }
        limits
            .admit(
                &member.name,
                member.method,
                member.bytes(),
                member.stored_bytes(),
                total,
            )
            .map_err(refuse)?;
        total += member.bytes();
        at += len;
        members.push(member);
    }
    if at != directory.len() {
        return Err(ContainerError::refused(
            None,
            end.offset + 10,
            Rule::DirectoryCount,
        ));
    }
    Ok(members)
}

/// One central entry at the start of `bytes`, which stand at `offset` of the file, and its length.
fn parse_entry(bytes: &[u8], offset: u64) -> Result<(Member, usize), ContainerError> {
    let refuse = |member: Option<&str>, field: usize, rule| {
        Err(ContainerError::refused(member, offset + field as u64, rule))
    };
    if bytes.len() < CENTRAL_LEN {
        return refuse(None, 0, Rule::DirectoryCount);
    }
    if get32(bytes, 0) != CENTRAL_SIGNATURE {
        let record = "central entry";
        return refuse(None, 0, Rule::Signature { record });
    }
    let (name_len, extra_len, comment_len) = (get16(bytes, 28), get16(bytes, 30), get16(bytes, 32));
    let name_len = usize::from(name_len);
    let Some(raw_name) = bytes.get(CENTRAL_LEN..CENTRAL_LEN + name_len) else {
        return refuse(None, 28, Rule::DirectoryCount);
    };
    let shown = String::from_utf8_lossy(&raw_name[..name_len.min(MAX_NAME_BYTES)]).into_owned();
    let member = Some(shown.as_str());
    if name_len > MAX_NAME_BYTES {
        return refuse(member, 28, Rule::Name(NameRule::TooLong));
    }
    let Ok(name) = std::str::from_utf8(raw_name) else {
        return refuse(member, CENTRAL_LEN, Rule::Name(NameRule::NotUtf8));
    };
    let (stored_bytes, size, local) = (get32(bytes, 20), get32(bytes, 24), get32(bytes, 42));
    if [stored_bytes, size, local].contains(&ELSEWHERE_32) {
        return refuse(member, 20, Rule::Zip64);
    }
    let flags = get16(bytes, 8);
    if flags & 0x2041 != 0 {
        return refuse(member, 8, Rule::Encrypted);
    }
    if flags & 0x0008 != 0 {
        return refuse(member, 8, Rule::DataDescriptor);
    }
    let code = get16(bytes, 10);
    let Some(method) = Method::from_code(code) else {
        return refuse(member, 10, Rule::Method(code));
    };
    if get16(bytes, 34) != 0 {
        return refuse(member, 34, Rule::MultiDisk);
    }
    if let Some(rule) = kind_of_file(name, get32(bytes, 38)) {
        return refuse(member, 38, rule);
    }
    if extra_len != 0 {
        return refuse(member, 30, Rule::ExtraField);
    }
    if comment_len != 0 {
        return refuse(member, 32, Rule::MemberComment);
    }
    let parsed = Member {
        name: name.to_owned(),
        method,
        crc32: get32(bytes, 16),
        bytes: size,
        stored_bytes,
        offset: local,
    };
    let expected = parsed.header().central(local);
    if let Some((at, field)) = layout::central_difference(&bytes[..expected.len()], &expected) {
        let record = "central entry";
        return refuse(member, at, Rule::Constant { record, field });
    }
    let len = expected.len();
    Ok((parsed, len))
}

/// The rule that a link, directory or device breaks. The upper half of the attributes is a Unix mode whatever the
/// "made by" field says, because readers take it for one.
fn kind_of_file(name: &str, external: u32) -> Option<Rule> {
    const DOS_DIRECTORY: u32 = 0x10;
    match (external >> 16) & 0o170_000 {
        0o120_000 => Some(Rule::Symlink),
        0o040_000 => Some(Rule::Directory),
        0 | 0o100_000 if name.ends_with('/') || external & DOS_DIRECTORY != 0 => Some(Rule::Directory),
        0 | 0o100_000 => None,
        _ => Some(Rule::SpecialFile),
    }
}

/// Members stand back to back from byte 0 to the directory, each behind the local header its entry calls for.
fn check_places<R: Read + Seek>(source: &mut R, members: &[Member], end: &End) -> Result<(), ContainerError> {
    let mut next = 0;
    for member in members {
        let refuse = |offset, rule| Err(ContainerError::refused(Some(&member.name), offset, rule));
        let offset = u64::from(member.offset);
        if offset < next {
            return refuse(offset, Rule::Overlap);
        }
        if offset > next {
            let bytes = offset - next;
            let rule = if next == 0 {
                Rule::LeadingBytes { bytes }
            } else {
                Rule::Gap { bytes }
            };
            return refuse(next, rule);
        }
        if member.end() > u64::from(end.directory) {
            return refuse(offset, Rule::OutsideArchive);
        }
        let expected = member.header().local();
        let found = read_at(source, offset, expected.len())?;
        check_local(member, &found, &expected)?;
        next = member.end();
    }
    if next < u64::from(end.directory) {
        let bytes = u64::from(end.directory) - next;
        return Err(ContainerError::refused(None, next, Rule::Gap { bytes }));
    }
    Ok(())
}

fn check_local(member: &Member, found: &[u8], expected: &[u8]) -> Result<(), ContainerError> {
    let Some((at, field)) = layout::local_difference(found, expected) else {
        return Ok(());
    };
    let rule = if get32(found, 0) != LOCAL_SIGNATURE {
        Rule::Signature {
            record: "local header",
        }
    } else if get16(found, 28) != 0 {
        Rule::ExtraField
    } else {
        Rule::LocalDiffers { field }
    };
    let offset = u64::from(member.offset) + at as u64;
    Err(ContainerError::refused(Some(&member.name), offset, rule))
}
