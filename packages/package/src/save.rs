//! Saving so that at every moment the path holds either the old file whole or the new one whole.
//!
//! The new file grows beside the old one, is synced, takes its name in one step, and the folder is synced after it. On
//! Linux it grows without a name where the file system allows, so that even a killed process leaves nothing behind.

use std::convert::Infallible;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;
use refusal::{Reason, Refusal, Stage};

use crate::container::ContainerError;

#[cfg(test)]
mod tests;

const BUFFER: usize = 128 * 1024;

/// A file could not be saved. What stood at the path before still stands there, byte for byte.
#[derive(Debug, thiserror::Error)]
pub enum SaveError<E> {
    /// The folder isn't there. Way out: create it, or choose another.
    #[error("the folder {} does not exist", folder.display())]
    MissingFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// A file stands where the folder should be. Way out: choose another path.
    #[error("{} is not a folder", folder.display())]
    NotAFolder {
        /// The path that should be a folder.
        folder: PathBuf,
    },
    /// The path names a folder. Way out: add a file name.
    #[error("{} is a folder, not a file", path.display())]
    IsFolder {
        /// The path.
        path: PathBuf,
    },
    /// The path names a pipe, socket or device, or a link that leads nowhere. Way out: choose another path.
    #[error("{} is not a regular file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The folder or its disk can't be written. Way out: choose another folder or change its permissions.
    #[error("the folder {} can't be written: {source}", folder.display())]
    ReadOnly {
        /// The folder.
        folder: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file is marked read-only. Way out: lift the mark, or save under another name.
    #[error("{} is marked read-only", path.display())]
    Protected {
        /// The path.
        path: PathBuf,
    },
    /// No room: the disk is full, a quota is used up, or files may not get this large. Way out: free space or choose
    /// another disk.
    #[error("no room left after {written} bytes of {}: {source}", path.display())]
    NoRoom {
        /// The path.
        path: PathBuf,
        /// How much was taken before it stopped, bytes.
        written: u64,
        /// The system's answer.
        source: io::Error,
    },
    /// Any other answer of the system. Way out: as its text says.
    #[error("{} could not be saved ({doing}): {source}", path.display())]
    System {
        /// The path.
        path: PathBuf,
        /// What was being done.
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// What was to be saved could not be made.
    #[error("{0}")]
    Content(E),
}

/// Saves at `path` what `write` writes. A link is followed: the file it leads to is replaced, the link stays.
///
/// When `write` fails because the disk did, the disk's failure is reported; otherwise its own error comes back as
/// [`SaveError::Content`].
///
/// # Errors
/// [`SaveError`]. In each case the previous file is untouched, and nothing new stays in the folder.
pub fn save_atomic<T, E>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, SaveError<E>> {
    let path = &landing(path)?;
    let folder = folder_of(path);
    let file =
        AtomicWriteFile::open(path).map_err(|source| classify(path, &folder, 0, "creating", source))?;
    let mut out = Watched {
        out: BufWriter::with_capacity(BUFFER, file),
        written: 0,
        failure: None,
    };
    let made = write(&mut out);
    let flushed = out.flush();
    let Watched {
        out,
        written,
        failure,
    } = out;
    // Dropping the file discards it; the buffer must not write to it any more.
    let (file, _unwritten) = out.into_parts();
    let failed = |doing, source| classify(path, &folder, written, doing, source);
    match (made, failure) {
        (Err(_), Some(source)) => Err(failed("writing", source)),
        (Err(error), None) => Err(SaveError::Content(error)),
        (Ok(_), Some(source)) => Err(failed("writing", source)),
        (Ok(made), None) => {
            flushed.map_err(|source| failed("writing", source))?;
            // Synced here so that a disk that fails now is still answered by discarding.
            file.sync_all().map_err(|source| failed("syncing", source))?;
            file.commit().map_err(|source| failed("renaming", source))?;
            Ok(made)
        }
    }
}

/// Where the file will stand: the path itself, or what a link there leads to.
fn landing<E>(path: &Path) -> Result<PathBuf, SaveError<E>> {
    let owned = || path.to_owned();
    if path.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(SaveError::IsFolder { path: owned() });
    }
    let folder = folder_of(path);
    match fs::metadata(&folder) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(SaveError::NotAFolder { folder }),
        Err(source) if source.kind() == io::ErrorKind::NotFound => {
            return Err(SaveError::MissingFolder { folder });
        }
        Err(source) if source.kind() == io::ErrorKind::NotADirectory => {
            return Err(SaveError::NotAFolder { folder });
        }
        Err(source) => return Err(classify(path, &folder, 0, "looking at the folder", source)),
    }
    let looking = |source| classify(path, &folder, 0, "looking at the file", source);
    let there = match fs::symlink_metadata(path) {
        Ok(there) => there,
        Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(owned()),
        Err(source) => return Err(looking(source)),
    };
    let (path, there) = if there.is_symlink() {
        let target = fs::canonicalize(path).map_err(|_| SaveError::NotAFile { path: owned() })?;
        let there = fs::metadata(&target).map_err(looking)?;
        (target, there)
    } else {
        (owned(), there)
    };
    if there.is_dir() {
        Err(SaveError::IsFolder { path })
    } else if !there.is_file() {
        Err(SaveError::NotAFile { path })
    } else if there.permissions().readonly() {
        Err(SaveError::Protected { path })
    } else {
        Ok(path)
    }
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn classify<E>(
    path: &Path,
    folder: &Path,
    written: u64,
    doing: &'static str,
    source: io::Error,
) -> SaveError<E> {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            SaveError::NoRoom {
                path,
                written,
                source,
            }
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => SaveError::ReadOnly {
            folder: folder.to_owned(),
            source,
        },
        io::ErrorKind::IsADirectory => SaveError::IsFolder { path },
        _ => SaveError::System { path, doing, source },
    }
}

/// Remembers the disk's own failure, so that it isn't lost inside whatever error the content's maker makes of it. Once
/// failed, it takes nothing more.
struct Watched<W> {
    out: W,
    written: u64,
    failure: Option<io::Error>,
}

impl<W> Watched<W> {
    fn fail(&mut self, error: io::Error) -> io::Error {
        let told = same_answer(&error);
        self.failure = Some(error);
        told
    }
}

fn same_answer(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(failure) = &self.failure {
            return Err(same_answer(failure));
        }
        match self.out.write(bytes) {
            Ok(len) => {
                self.written += len as u64;
                Ok(len)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => Err(self.fail(error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(failure) = &self.failure {
            return Err(same_answer(failure));
        }
        self.out.flush().map_err(|error| self.fail(error))
    }
}

impl<E: std::fmt::Display> SaveError<E> {
    /// The refusal that every surface shows; `content` answers for an error of the content's maker.
    pub fn refusal_with(&self, content: impl FnOnce(&E) -> Refusal) -> Refusal {
        let (subject, next) = match self {
            Self::Content(error) => return content(error),
            Self::MissingFolder { folder } => (folder, "create the folder or name another one"),
            Self::NotAFolder { folder } => (folder, "name a path inside a folder"),
            Self::IsFolder { path } => (path, "add a file name, for example package.nemosyne"),
            Self::NotAFile { path } => (path, "name another file"),
            Self::ReadOnly { folder, .. } => (
                folder,
                "name a folder that this user may write, or change its permissions",
            ),
            Self::Protected { path } => (path, "make the file writable, or save under another name"),
            Self::NoRoom { path, .. } => (path, "free space on that disk, or save on another one"),
            Self::System { path, .. } => (path, "check the disk or network folder, then try again"),
        };
        let text = format!("{self}; what was saved there before is unchanged");
        Refusal::new(Stage::DecodeIntegrity, Reason::Unreachable, text)
            .about(subject.display().to_string())
            .next(next)
    }
}

impl<E> SaveError<E> {
    /// The failure of the disk alone.
    ///
    /// # Errors
    /// The error of the content's maker, when it was that.
    pub fn without_content(self) -> Result<SaveError<Infallible>, E> {
        Ok(match self {
            Self::Content(error) => return Err(error),
            Self::MissingFolder { folder } => SaveError::MissingFolder { folder },
            Self::NotAFolder { folder } => SaveError::NotAFolder { folder },
            Self::IsFolder { path } => SaveError::IsFolder { path },
            Self::NotAFile { path } => SaveError::NotAFile { path },
            Self::ReadOnly { folder, source } => SaveError::ReadOnly { folder, source },
            Self::Protected { path } => SaveError::Protected { path },
            Self::NoRoom {
                path,
                written,
                source,
            } => SaveError::NoRoom {
                path,
                written,
                source,
            },
            Self::System { path, doing, source } => SaveError::System { path, doing, source },
        })
    }
}

impl SaveError<ContainerError> {
    /// The refusal that every surface shows.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        self.refusal_with(ContainerError::refusal)
    }
}
