//! This run of the program: its name, its day, and whom it trusts.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use custody::{Custody, Folder, Seen, Shipped};
use etcetera::BaseStrategy as _;
use knowledge::Date;
use package::save::save_atomic;
use refusal::{Reason, Refusal, Stage};

/// A name no other run has: process and start time. It binds capabilities to this run and is hashed nowhere.
pub(crate) fn instance() -> &'static str {
    static INSTANCE: OnceLock<String> = OnceLock::new();
    INSTANCE.get_or_init(|| {
        let started = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |elapsed| elapsed.as_nanos());
        format!("run-{}-{started}", std::process::id())
    })
}

/// The custody folder that was asked for on the command line.
static CHOSEN: OnceLock<Option<PathBuf>> = OnceLock::new();

/// Takes the folder that the command line names; the first word holds for the whole run.
pub(crate) fn choose_custody(folder: Option<PathBuf>) {
    CHOSEN.get_or_init(|| folder);
}

/// Where the custody folder is: as the command line says, else `NEMOSYNE_CUSTODY`, else the user's own when it exists.
pub(crate) fn custody_folder() -> Option<PathBuf> {
    let chosen = CHOSEN.get().cloned().flatten();
    let named = || std::env::var_os("NEMOSYNE_CUSTODY").filter(|path| !path.is_empty());
    chosen
        .or_else(|| named().map(PathBuf::from))
        .or_else(|| own_custody_folder().filter(|path| is_there(path)))
}

/// Only what is surely absent is absent: a link that leads nowhere and a folder that may not be entered are there, and
/// opening them says what is wrong.
fn is_there(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// Where a user's own custody folder is, or would be.
pub(crate) fn own_custody_folder() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.data_dir().join("nemosyne").join("custody"))
}

/// What this run trusts: what ships, with the custody folder over it when there is one.
///
/// # Errors
/// The refusal of what ships, of the folder, or of the record of what was seen of folders. A folder that was named and
/// does not open is never left out.
pub(crate) fn custody() -> Result<Custody, Refusal> {
    let shipped = Shipped::open().map_err(|error| error.refusal())?;
    match custody_folder() {
        None => Ok(shipped),
        Some(folder) => open_custody(&folder, shipped),
    }
}

/// Opens a custody folder over what ships, today, and takes note of what was seen.
pub(crate) fn open_custody(folder: &Path, shipped: Custody) -> Result<Custody, Refusal> {
    let mut seen = seen()?;
    let custody = Folder::open(folder, shipped, today()?, &seen).map_err(|error| error.refusal())?;
    if seen.note(&custody) {
        remember(&custody)?;
    }
    Ok(custody)
}

/// Today, by the clock of this machine, in Greenwich.
pub(crate) fn today() -> Result<Date, Refusal> {
    let unset = || {
        Refusal::new(
            Stage::DecodeIntegrity,
            Reason::NotStated,
            "The clock of this machine names no day between the years 1 and 9999.",
        )
        .next("Set the clock.")
    };
    let elapsed = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_err(|_| unset())?;
    i64::try_from(elapsed.as_secs() / 86_400)
        .ok()
        .and_then(Date::from_unix_days)
        .ok_or_else(unset)
}

/// What was seen of custody folders so far; kept outside of them, so that setting one back is noticed.
pub(crate) fn seen() -> Result<Seen, Refusal> {
    let path = seen_file()?;
    match std::fs::read(&path) {
        Ok(bytes) => {
            Seen::from_bytes(&bytes).map_err(|error| error.refusal().about(path.display().to_string()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Seen::nothing()),
        Err(error) => Err(not_kept(&path, &error)),
    }
}

/// Takes note of a folder that was opened or written; the record is read again under its lock, for others write it too.
pub(crate) fn remember(custody: &Custody) -> Result<(), Refusal> {
    let path = seen_file()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| not_kept(&path, &error))?;
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path.with_extension("lock"))
        .map_err(|error| not_kept(&path, &error))?;
    let held = lock.lock();
    let mut seen = seen()?;
    if seen.note(custody) {
        let bytes = seen.to_bytes().map_err(|error| error.refusal())?;
        save_atomic(&path, |file| file.write_all(&bytes))
            .map_err(|error| error.refusal_with(|error: &io::Error| not_kept(&path, error)))?;
    }
    drop(held);
    Ok(())
}

fn seen_file() -> Result<PathBuf, Refusal> {
    let base = etcetera::choose_base_strategy()
        .map_err(|error| not_kept(Path::new("HOME"), &io::Error::other(error.to_string())))?;
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    Ok(state.join("nemosyne").join("custody-seen.json"))
}

fn not_kept(path: &Path, error: &io::Error) -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::Unreachable,
        format!(
            "What was seen of custody folders is kept in {}, and that can't be reached: {error}.",
            path.display()
        ),
    )
    .about(path.display().to_string())
    .next("Set XDG_STATE_HOME to a folder you may write to; without it nobody notices a folder that was set back.")
}
