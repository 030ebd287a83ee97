//! Files as this program meets them: read whole with a bound, every failure a typed refusal.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use package::{Limits, Opened};
use refusal::{Reason, Refusal, Stage};

/// The most bytes a table may have: 2 GiB, as in a package.
const MAX_TABLE_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// Reads a table's exact bytes.
pub(crate) fn read_table(path: &Path) -> Result<Vec<u8>, Refusal> {
    let shown = path.display().to_string();
    let metadata = std::fs::metadata(path).map_err(|error| unreachable(&shown, &error))?;
    if metadata.is_dir() {
        return Err(Refusal::new(
            Stage::DecodeIntegrity,
            Reason::Unreachable,
            format!("{shown} is a folder, not a table."),
        )
        .about(shown)
        .next("Name a CSV or JSON file inside it."));
    }
    if metadata.len() > MAX_TABLE_BYTES {
        return Err(Refusal::new(
            Stage::DecodeIntegrity,
            Reason::Bounds,
            format!(
                "{shown} has {} bytes; the most is {MAX_TABLE_BYTES}.",
                metadata.len()
            ),
        )
        .about(shown)
        .next("Split the table."));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_TABLE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| unreachable(&shown, &error))?;
    Ok(bytes)
}

fn unreachable(shown: &str, error: &std::io::Error) -> Refusal {
    let next = match error.kind() {
        std::io::ErrorKind::NotFound => "Check the path; nothing has that name.",
        std::io::ErrorKind::PermissionDenied => "Ask for permission to read it.",
        _ => "Check the disk and try again.",
    };
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::Unreachable,
        format!("{shown} can't be read: {error}."),
    )
    .about(shown.to_owned())
    .next(next)
}

/// Refuses to write over what is read: the same file, by whatever path.
pub(crate) fn check_other(read: &Path, write: &Path) -> Result<(), Refusal> {
    let same = match (std::fs::canonicalize(read), std::fs::canonicalize(write)) {
        (Ok(read), Ok(write)) => read == write,
        _ => false,
    };
    if !same {
        return Ok(());
    }
    Err(Refusal::new(
        Stage::DecodeIntegrity,
        Reason::AmbiguousReference,
        format!(
            "{} is what is read; writing there would destroy it.",
            write.display()
        ),
    )
    .about(write.display().to_string())
    .next("Name another file with --out."))
}

/// The table's name: the file name without its extension. It is part of the dataset's identity.
pub(crate) fn table_name(path: &Path) -> String {
    path.file_stem()
        .map_or_else(|| "table".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Opens a package; what is wrong with it names the file.
pub(crate) fn open_package(path: &Path) -> Result<Opened, Refusal> {
    package::open(path, &Limits::DEFAULT).map_err(|error| in_file(path, error.refusal()))
}

/// A refusal of what stands in a file names the file, unless it already names something in it.
pub(crate) fn in_file(path: &Path, refusal: Refusal) -> Refusal {
    if refusal.stage() == Stage::DecodeIntegrity && refusal.subjects().is_empty() {
        refusal.about(path.display().to_string())
    } else {
        refusal
    }
}
