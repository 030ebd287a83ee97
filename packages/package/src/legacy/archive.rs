//! The archive of a legacy package: a ZIP file that another program's encoder wrote.
//!
//! Looser than the container of version 4, since the encoder chose times, attributes, extra fields, order and data
//! descriptors; and no looser than that. Every byte belongs to a record, records don't overlap, local header and
//! directory agree, each content has its declared length and CRC-32, and cleaned names are unique. Bounds are checked
//! on declared sizes before anything is inflated; a stream that gives more than declared is refused.
//!
//! Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.9, 4.3.12, 4.3.16.

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::error::LegacyError;
use super::limits::LegacyLimits;
use super::names::clean;
use crate::container::{ContainerError, Rule};

const END: u32 = 0x0605_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const LOCAL: u32 = 0x0403_4b50;
const DESCRIPTOR: u32 = 0x0807_4b50;
const END_LEN: u64 = 22;
const CENTRAL_LEN: usize = 46;
const LOCAL_LEN: u64 = 30;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Bit 0: encrypted.
const ENCRYPTED: u16 = 1;
/// Bit 3: sizes and checksum follow the data.
const DESCRIBED: u16 = 8;
/// Bit 11: the name is UTF-8.
const UTF8: u16 = 0x0800;

/// One entry, as directory and local header describe it.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    flags: u16,
    method: u16,
    crc32: u32,
    stored: u32,
    bytes: u32,
    /// Of the local header.
    offset: u64,
    /// Of the content.
    data: u64,
}

impl Entry {
    fn refuse(&self, offset: u64, rule: Rule) -> LegacyError {
        LegacyError::container(Some(&self.name), offset, rule)
    }
}

/// An archive whose records were all walked; contents are checked as they are read.
#[derive(Debug)]
pub(super) struct LegacyArchive<R> {
    source: R,
    entries: BTreeMap<String, Entry>,
}

impl<R: Read + Seek> LegacyArchive<R> {
    /// Walks every record.
    pub(super) fn walk(mut source: R, limits: &LegacyLimits) -> Result<Self, LegacyError> {
        let len = source
            .seek(SeekFrom::End(0))
            .map_err(|source| LegacyError::Container(ContainerError::Read { offset: 0, source }))?;
        if len == 0 {
            return Err(LegacyError::container(None, 0, Rule::EmptyFile));
        }
        if len > limits.max_archive_bytes {
            return Err(LegacyError::TooLarge {
                what: "the archive".to_owned(),
                bytes: len,
                limit: limits.max_archive_bytes,
            });
        }
        let end = find_end(&mut source, len)?;
        let mut entries = directory(&mut source, &end, limits)?;
        places(&mut source, &mut entries, end.directory)?;
        let mut by_name = BTreeMap::new();
        for (raw, entry) in entries {
            let (name, offset) = (entry.name.clone(), entry.offset);
            if let Some((first, _)) = by_name.insert(name.clone(), (raw.clone(), entry)) {
                return Err(LegacyError::Duplicate {
                    name,
                    first,
                    second: raw,
                    offset,
                });
            }
        }
        let entries = by_name.into_iter().map(|(name, (_, entry))| (name, entry));
        Ok(Self {
            source,
            entries: entries.collect(),
        })
    }

    /// Cleaned names with the lengths of their contents, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, u64)> {
        self.entries
            .iter()
            .map(|(name, entry)| (name.as_str(), u64::from(entry.bytes)))
    }

    /// The content under a cleaned name, with its length and checksum as declared.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, LegacyError> {
        let Some(entry) = self.entries.get(name) else {
            return Ok(None);
        };
        let data = read_at(&mut self.source, entry.data, entry.stored as usize)?;
        let content = if entry.method == STORED {
            data
        } else {
            inflate(entry, &data)?
        };
        if crc32fast::hash(&content) == entry.crc32 {
            Ok(Some(content))
        } else {
            Err(entry.refuse(entry.data, Rule::Checksum))
        }
    }
}

fn inflate(entry: &Entry, data: &[u8]) -> Result<Vec<u8>, LegacyError> {
    let mut out = vec![0; entry.bytes as usize];
    let mut state = Box::<DecompressorOxide>::default();
    let (status, taken, given) = decompress(
        &mut state,
        data,
        &mut out,
        0,
        TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
    );
    let rule = match status {
        TINFLStatus::Done if given < out.len() => Rule::InflatesShort { bytes: given as u64 },
        TINFLStatus::Done if taken < data.len() => Rule::AfterDeflate,
        TINFLStatus::Done => return Ok(out),
        TINFLStatus::HasMoreOutput => Rule::InflatesLong,
        _ => Rule::Inflate,
    };
    Err(entry.refuse(entry.data, rule))
}

struct End {
    entries: usize,
    directory: u64,
    directory_len: usize,
}

/// The end record: the last one whose comment ends the file.
fn find_end<R: Read + Seek>(source: &mut R, len: u64) -> Result<End, LegacyError> {
    let window = len.min(END_LEN + u64::from(u16::MAX));
    let start = len - window;
    let tail = read_at(source, start, window as usize)?;
    let at = (0..=tail.len().saturating_sub(END_LEN as usize))
        .rev()
        .find(|at| {
            u32_at(&tail, *at) == Some(END)
                && u16_at(&tail, at + 20).map(|comment| at + END_LEN as usize + usize::from(comment))
                    == Some(tail.len())
        });
    let Some(at) = at else {
        let head = read_at(source, 0, len.min(4) as usize)?;
        let rule = if LOCAL.to_le_bytes().starts_with(&head) {
            Rule::Truncated
        } else {
            Rule::NotAnArchive
        };
        return Err(LegacyError::container(None, len, rule));
    };
    let offset = start + at as u64;
    let refuse = |rule| Err(LegacyError::container(None, offset, rule));
    let short = |field| u16_at(&tail, at + field).unwrap_or_default();
    let long = |field| u32_at(&tail, at + field).unwrap_or_default();
    let (here, entries) = (short(8), short(10));
    let (directory_len, directory) = (long(12), long(16));
    if entries == u16::MAX || directory_len == u32::MAX || directory == u32::MAX {
        return refuse(Rule::Zip64);
    }
    if short(4) != 0 || short(6) != 0 || here != entries {
        return refuse(Rule::MultiDisk);
    }
    if entries == 0 {
        return refuse(Rule::NoMembers);
    }
    let directory_end = u64::from(directory) + u64::from(directory_len);
    if directory_end > offset {
        return refuse(Rule::OutsideArchive);
    }
    if directory_end < offset {
        let bytes = offset - directory_end;
        return Err(LegacyError::container(None, directory_end, Rule::Gap { bytes }));
    }
    Ok(End {
        entries: usize::from(entries),
        directory: u64::from(directory),
        directory_len: directory_len as usize,
    })
}

/// Every directory entry with the name as written, in the order of the directory; sizes within bounds.
fn directory<R: Read + Seek>(
    source: &mut R,
    end: &End,
    limits: &LegacyLimits,
) -> Result<Vec<(String, Entry)>, LegacyError> {
    if end.entries > limits.max_entries {
        let rule = Rule::Members {
            members: end.entries,
            limit: limits.max_entries,
        };
        return Err(LegacyError::container(None, end.directory, rule));
    }
    if end.directory_len > limits.max_directory_bytes {
        return Err(LegacyError::container(None, end.directory, Rule::DirectoryCount));
    }
    let text = read_at(source, end.directory, end.directory_len)?;
    let mut entries = Vec::with_capacity(end.entries);
    let (mut at, mut total) = (0, 0_u64);
    for _ in 0..end.entries {
        let offset = end.directory + at as u64;
        let broken = || LegacyError::container(None, offset, Rule::DirectoryCount);
        let record = text.get(at..at + CENTRAL_LEN).ok_or_else(broken)?;
        if u32_at(record, 0) != Some(CENTRAL) {
            let record = "directory entry";
            return Err(LegacyError::container(None, offset, Rule::Signature { record }));
        }
        let short = |field| u16_at(record, field).unwrap_or_default();
        let long = |field| u32_at(record, field).unwrap_or_default();
        let name_len = usize::from(short(28));
        let after = usize::from(short(30)) + usize::from(short(32));
        let name = at + CENTRAL_LEN;
        let spelled = text.get(name..name + name_len).ok_or_else(broken)?;
        text.get(name + name_len..name + name_len + after)
            .ok_or_else(broken)?;
        at = name + name_len + after;
        let raw = spell(spelled, short(8));
        let name = clean(&raw).map_err(|rule| LegacyError::Name {
            entry: raw.clone(),
            offset,
            rule,
        })?;
        let entry = Entry {
            name,
            flags: short(8),
            method: short(10),
            crc32: long(16),
            stored: long(20),
            bytes: long(24),
            offset: u64::from(long(42)),
            data: 0,
        };
        total += u64::from(entry.bytes);
        bounds(&entry, offset, total, limits)?;
        entries.push((raw, entry));
    }
    if at == text.len() {
        Ok(entries)
    } else {
        Err(LegacyError::container(
            None,
            end.directory + at as u64,
            Rule::DirectoryCount,
        ))
    }
}

fn bounds(entry: &Entry, offset: u64, total: u64, limits: &LegacyLimits) -> Result<(), LegacyError> {
    if [entry.stored, entry.bytes].contains(&u32::MAX) || entry.offset == u64::from(u32::MAX) {
        return Err(entry.refuse(offset, Rule::Zip64));
    }
    if entry.flags & ENCRYPTED != 0 {
        return Err(entry.refuse(offset, Rule::Encrypted));
    }
    if ![STORED, DEFLATED].contains(&entry.method) {
        return Err(entry.refuse(offset, Rule::Method(entry.method)));
    }
    if entry.method == STORED && entry.stored != entry.bytes {
        return Err(entry.refuse(offset, Rule::StoredSize));
    }
    let bytes = u64::from(entry.bytes);
    if bytes > limits.max_entry_bytes {
        let limit = limits.max_entry_bytes;
        return Err(entry.refuse(offset, Rule::MemberBytes { bytes, limit }));
    }
    if total > limits.max_total_bytes {
        let limit = limits.max_total_bytes;
        return Err(entry.refuse(offset, Rule::TotalBytes { limit }));
    }
    Ok(())
}

/// Local headers agree with the directory, and the entries lie back to back from byte 0 to the directory.
fn places<R: Read + Seek>(
    source: &mut R,
    entries: &mut [(String, Entry)],
    directory: u64,
) -> Result<(), LegacyError> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|idx| entries[*idx].1.offset);
    let mut expected = 0;
    for idx in order {
        let (raw, entry) = &mut entries[idx];
        if entry.offset < expected {
            return Err(entry.refuse(entry.offset, Rule::Overlap));
        }
        if entry.offset > expected {
            let bytes = entry.offset - expected;
            return Err(LegacyError::container(None, expected, Rule::Gap { bytes }));
        }
        if entry.offset + LOCAL_LEN > directory {
            return Err(entry.refuse(entry.offset, Rule::OutsideArchive));
        }
        let record = read_at(source, entry.offset, LOCAL_LEN as usize)?;
        entry.data = local(source, raw, entry, &record)?;
        let end = entry.data + u64::from(entry.stored);
        if end > directory {
            return Err(entry.refuse(entry.offset, Rule::OutsideArchive));
        }
        expected = end;
        if entry.flags & DESCRIBED != 0 {
            expected += descriptor(source, entry, end, directory)?;
        }
    }
    if expected == directory {
        Ok(())
    } else {
        let bytes = directory - expected;
        Err(LegacyError::container(None, expected, Rule::Gap { bytes }))
    }
}

/// Where the content starts, once the local header says what the directory says.
fn local<R: Read + Seek>(
    source: &mut R,
    raw: &str,
    entry: &Entry,
    record: &[u8],
) -> Result<u64, LegacyError> {
    let differs = |field| Err(entry.refuse(entry.offset, Rule::LocalDiffers { field }));
    if u32_at(record, 0) != Some(LOCAL) {
        let record = "local header";
        return Err(entry.refuse(entry.offset, Rule::Signature { record }));
    }
    let short = |field| u16_at(record, field).unwrap_or_default();
    let long = |field| u32_at(record, field).unwrap_or_default();
    if short(6) != entry.flags {
        return differs("flags");
    }
    if short(8) != entry.method {
        return differs("method");
    }
    let later = entry.flags & DESCRIBED != 0;
    for (field, at, known) in [
        ("checksum", 14, entry.crc32),
        ("stored size", 18, entry.stored),
        ("size", 22, entry.bytes),
    ] {
        if long(at) != known && !(later && long(at) == 0) {
            return differs(field);
        }
    }
    let (name_len, extra_len) = (usize::from(short(26)), u64::from(short(28)));
    let spelled = read_at(source, entry.offset + LOCAL_LEN, name_len)?;
    if spell(&spelled, entry.flags) != raw {
        return differs("name");
    }
    Ok(entry.offset + LOCAL_LEN + name_len as u64 + extra_len)
}

/// Length of the data descriptor behind a content, once it says what the directory says.
fn descriptor<R: Read + Seek>(
    source: &mut R,
    entry: &Entry,
    at: u64,
    directory: u64,
) -> Result<u64, LegacyError> {
    let room = (directory - at).min(16) as usize;
    let record = read_at(source, at, room)?;
    let signed = u32_at(&record, 0) == Some(DESCRIPTOR);
    let from = if signed { 4 } else { 0 };
    let says = [from, from + 4, from + 8].map(|field| u32_at(&record, field));
    if says == [Some(entry.crc32), Some(entry.stored), Some(entry.bytes)] {
        Ok(from as u64 + 12)
    } else {
        let field = "data descriptor";
        Err(entry.refuse(at, Rule::LocalDiffers { field }))
    }
}

/// A name as its writer meant it: UTF-8 when flagged or when it is that, else one character a byte.
fn spell(bytes: &[u8], flags: u16) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) if flags & UTF8 != 0 => String::from_utf8_lossy(bytes).into_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

fn read_at<R: Read + Seek>(source: &mut R, offset: u64, len: usize) -> Result<Vec<u8>, LegacyError> {
    let mut bytes = Vec::new();
    source
        .seek(SeekFrom::Start(offset))
        .and_then(|_| source.take(len as u64).read_to_end(&mut bytes))
        .map_err(|source| LegacyError::Container(ContainerError::Read { offset, source }))?;
    if bytes.len() == len {
        Ok(bytes)
    } else {
        Err(LegacyError::container(
            None,
            offset + bytes.len() as u64,
            Rule::OutsideArchive,
        ))
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}
