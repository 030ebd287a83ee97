//! Files as this program meets them: read whole with a bound, every failure a typed refusal.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use package::{Limits, Opened};
use refusal::{Reason, Refusal, Stage};

/// The most bytes a table may have: 2 GiB, as in a package.
const MAX_TABLE_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// The most bytes a perspective may have: 1 MiB.
const MAX_PERSPECTIVE_BYTES: u64 = 1024 * 1024;

/// Whether a path names a package rather than a table: by its name, or by how its bytes begin.
pub(crate) fn is_package(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut start));
    // A workbook is a ZIP archive too; its first member has a name that no package has.
    let first_name = start.get(30..).unwrap_or_default();
    let workbook = ["[Content_Types]", "_rels/", "docProps/", "xl/", "mimetype"]
        .iter()
        .any(|name| first_name.starts_with(name.as_bytes()));
    path.extension().is_some_and(|extension| extension == "nemosyne")
        || (read.is_ok() && start.starts_with(b"PK\x03\x04") && !workbook)
}

/// Reads a submitted graph's exact bytes, up to the bound on submitted graphs.
pub(crate) fn read_graph(path: &Path) -> Result<Vec<u8>, Refusal> {
    let most = u64::try_from(inquiry::MAX_GRAPH_BYTES).unwrap_or(u64::MAX);
    read_small(path, most)?.map_err(|length| inquiry::too_large(length).about(path.display().to_string()))
}

/// Reads a perspective's exact bytes.
pub(crate) fn read_perspective(path: &Path) -> Result<Vec<u8>, Refusal> {
    read_small(path, MAX_PERSPECTIVE_BYTES)?.map_err(|length| {
        Refusal::new(
            Stage::DecodeIntegrity,
            Reason::Bounds,
            format!("The perspective has {length} bytes; the most is {MAX_PERSPECTIVE_BYTES}."),
        )
        .about(path.display().to_string())
        .next("Say it within the limit.")
    })
}

/// The bytes, or how many there are when they are too many.
fn read_small(path: &Path, most: u64) -> Result<Result<Vec<u8>, u64>, Refusal> {
    let shown = path.display().to_string();
    let mut bytes = Vec::new();
    let length = File::open(path)
        .and_then(|file| {
            let length = file.metadata()?.len();
            file.take(most + 1).read_to_end(&mut bytes)?;
            Ok(length)
        })
        .map_err(|error| unreachable(&shown, &error))?;
    let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if read > most {
        Ok(Err(length.max(read)))
    } else {
        Ok(Ok(bytes))
    }
}

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
    if !metadata.is_file() {
        return Err(Refusal::new(
            Stage::DecodeIntegrity,
            Reason::Unreachable,
            format!("{shown} is a pipe or a device, not a file."),
        )
        .about(shown)
        .next("Write what comes out of it to a file, and name that."));
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

/// Reads a small file whole, with a bound.
pub(crate) fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, Refusal> {
    let shown = path.display().to_string();
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
        .map_err(|error| unreachable(&shown, &error))?;
    if bytes.len() as u64 > most {
        return Err(Refusal::new(
            Stage::DecodeIntegrity,
            Reason::Bounds,
            format!("{shown} has more than {most} bytes."),
        )
        .about(shown)
        .next("Name the file that is meant."));
    }
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

/// Whether a file begins with these bytes.
pub(crate) fn begins_with(path: &Path, start: &[u8]) -> Result<bool, Refusal> {
    let shown = path.display().to_string();
    let file = File::open(path).map_err(|error| unreachable(&shown, &error))?;
    let mut bytes = Vec::new();
    file.take(start.len() as u64)
        .read_to_end(&mut bytes)
        .map_err(|error| unreachable(&shown, &error))?;
    Ok(bytes == start)
}

/// Writes a file; what was there before stays whole until the new one is.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    let shown = path.display().to_string();
    package::save::save_atomic(path, |out| out.write_all(bytes)).map_err(|error| {
        error.refusal_with(|error: &std::io::Error| {
            let text = format!("{shown} can't be written: {error}.");
            Refusal::new(Stage::DecodeIntegrity, Reason::Unreachable, text)
                .about(shown.clone())
                .next("Check the disk and try again.")
        })
    })
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

/// The table's name: the file name without its extension, and without `.gz` behind that. It is part of the dataset's
/// identity, so a table has one name packed or not.
pub(crate) fn table_name(path: &Path) -> String {
    let packed = path.extension().is_some_and(|extension| extension == "gz");
    let unpacked = path.with_extension("");
    let path = if packed { unpacked.as_path() } else { path };
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
