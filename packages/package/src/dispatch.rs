//! Which format a file is, before anything else about it is believed.
//!
//! The answer never leads to a second attempt: a package that fails as one version is not tried as another.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use identity::SafeInteger;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::Deserialize;

use crate::container::{Access, Archive, ContainerError};
use crate::error::PackageError;
use crate::legacy::{self, LegacyError};
use crate::limits::Limits;
use crate::members::MANIFEST;
use crate::wire::v4::DIGEST_ALGORITHM;

/// Most bytes of a manifest; one that lists 4,096 members takes 1.4 MB.
pub(crate) const MAX_MANIFEST: usize = 4 << 20;

/// A format version of packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormatVersion {
    /// Before digests had an algorithm.
    V1,
    /// With a canonical investigation digest.
    V2,
    /// With governed receipts.
    V3,
    /// With admission, plan and everything that exact replay needs: the one this crate writes and reads.
    V4,
}

impl FormatVersion {
    /// The number that a manifest states.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
            Self::V3 => 3,
            Self::V4 => 4,
        }
    }
}

/// The format of the package at `path`. V1 to V3 are told apart by their manifest, wherever the archive has it; they
/// are not read further here: [`legacy::open`] does that.
///
/// # Errors
/// [`PackageError::Container`] when there is no archive with a manifest, [`PackageError::Decode`] when the manifest
/// names no version, [`PackageError::Legacy`] when an archive of another encoder has a damaged manifest,
/// [`PackageError::Version`] for a version beyond 4, [`PackageError::Dialect`] for a version 4 with
/// another digest algorithm.
pub fn dispatch(path: &Path) -> Result<FormatVersion, PackageError> {
    match Archive::open(path, &Limits::DEFAULT.container) {
        Ok(mut archive) => of_archive(&mut archive),
        Err(error) => foreign(path, error),
    }
}

/// The format of an archive that was walked.
pub(crate) fn of_archive<R: Read + Seek>(archive: &mut Archive<R>) -> Result<FormatVersion, PackageError> {
    let (text, _) = archive
        .read_small(MANIFEST, MAX_MANIFEST)
        .map_err(PackageError::container)?;
    of_manifest(&text)
}

/// What every version's manifest says about itself.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    format_version: SafeInteger,
    #[serde(default)]
    digest_algorithm: Option<String>,
    #[serde(default)]
    investigation_digest_algorithm: Option<String>,
}

/// The format that a manifest states.
pub(crate) fn of_manifest(text: &[u8]) -> Result<FormatVersion, PackageError> {
    let limits = Limits::DEFAULT.json.with_max_bytes(MAX_MANIFEST);
    let head = match identity::decode::<Head>(text, &limits) {
        Ok(head) => head.into_inner(),
        // Earlier versions are not closed: of two members with one name their programs kept the last.
        Err(error) => {
            return legacy::stated_version(text).ok_or_else(|| PackageError::Decode {
                member: MANIFEST.to_owned(),
                error,
            });
        }
    };
    match head.format_version.get() {
        1 => Ok(FormatVersion::V1),
        2 => Ok(FormatVersion::V2),
        3 => Ok(FormatVersion::V3),
        4 => {
            // The dialect's manifest names its algorithm in the older member.
            let stated = head.digest_algorithm.or(head.investigation_digest_algorithm);
            match stated {
                Some(algorithm) if algorithm != DIGEST_ALGORITHM => Err(PackageError::Dialect { algorithm }),
                Some(_) | None => Ok(FormatVersion::V4),
            }
        }
        found => Err(PackageError::Version { found }),
    }
}

/// Refuses every version but 4, by its number.
pub(crate) fn only_v4(version: FormatVersion) -> Result<(), PackageError> {
    match version {
        FormatVersion::V4 => Ok(()),
        FormatVersion::V1 | FormatVersion::V2 | FormatVersion::V3 => Err(PackageError::Version {
            found: version.number(),
        }),
    }
}

/// Archives of earlier versions were written by other ZIP encoders, which this container refuses. Looks whether the
/// refused file has a whole manifest that states an earlier version or another dialect; if not, the container's refusal
/// stands.
pub(crate) fn foreign(path: &Path, refusal: ContainerError) -> Result<FormatVersion, PackageError> {
    let unreadable = matches!(
        refusal,
        ContainerError::Open {
            access: Access::Missing | Access::Folder | Access::NotAFile | Access::Denied,
            ..
        }
    );
    let manifest = if unreadable { None } else { peek(path) };
    match manifest.map(|text| of_manifest(&text)) {
        Some(Ok(version)) if version < FormatVersion::V4 => Ok(version),
        Some(Err(error @ (PackageError::Version { .. } | PackageError::Dialect { .. }))) => Err(error),
        Some(_) => Err(PackageError::container(refusal)),
        None if unreadable => Err(PackageError::container(refusal)),
        // The manifest decides what the file is: when that is what is damaged, it is what to name.
        None => Err(match legacy::manifest_bytes(path) {
            Err(error @ LegacyError::Container(_)) if error.member() == Some(MANIFEST) => {
                PackageError::Legacy(Box::new(error))
            }
            Ok(_) | Err(_) => PackageError::container(refusal),
        }),
    }
}

const END: u32 = 0x0605_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const LOCAL: u32 = 0x0403_4b50;
/// End record and the longest comment after it.
const TAIL: u64 = 22 + 65_535;
/// The largest directory that is searched.
const MAX_DIRECTORY: u64 = 4 << 20;

/// The manifest of any ZIP archive, when its directory leads to one that is whole: of the declared length, with the
/// declared checksum.
fn peek(path: &Path) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    let len = file.seek(SeekFrom::End(0)).ok()?;
    let tail = read_at(&mut file, len.saturating_sub(TAIL), len.min(TAIL))?;
    let end = (0..tail.len().checked_sub(21)?)
        .rev()
        .find(|at| u32_at(&tail, *at) == Some(END))?;
    let (size, offset) = (u32_at(&tail, end + 12)?, u32_at(&tail, end + 16)?);
    if u64::from(size) > MAX_DIRECTORY {
        return None;
    }
    let directory = read_at(&mut file, u64::from(offset), u64::from(size))?;
    let mut at = 0;
    while u32_at(&directory, at)? == CENTRAL {
        let name_len = usize::from(u16_at(&directory, at + 28)?);
        let rest = usize::from(u16_at(&directory, at + 30)?) + usize::from(u16_at(&directory, at + 32)?);
        let name = directory.get(at + 46..at + 46 + name_len)?;
        if name == MANIFEST.as_bytes() {
            return content(&mut file, directory.get(at..at + 46)?);
        }
        at += 46 + name_len + rest;
    }
    None
}

fn content(file: &mut File, entry: &[u8]) -> Option<Vec<u8>> {
    let (method, checksum) = (u16_at(entry, 10)?, u32_at(entry, 16)?);
    let (stored, bytes, offset) = (
        u32_at(entry, 20)?,
        u32_at(entry, 24)?,
        u64::from(u32_at(entry, 42)?),
    );
    if u64::from(stored.max(bytes)) > MAX_MANIFEST as u64 {
        return None;
    }
    let local = read_at(file, offset, 30)?;
    if u32_at(&local, 0)? != LOCAL {
        return None;
    }
    let names = u64::from(u16_at(&local, 26)?) + u64::from(u16_at(&local, 28)?);
    let data = read_at(file, offset + 30 + names, u64::from(stored))?;
    let text = match method {
        0 => data,
        8 => decompress_to_vec_with_limit(&data, MAX_MANIFEST).ok()?,
        _ => return None,
    };
    (text.len() == bytes as usize && crc32fast::hash(&text) == checksum).then_some(text)
}

fn read_at(file: &mut File, offset: u64, len: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(len).ok()?];
    file.seek(SeekFrom::Start(offset)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}
