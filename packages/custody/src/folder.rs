//! A custody folder on disk: `custody.json`, `keys/`, `private/`, `statements/`.
//!
//! Whoever may write here decides whom the program trusts; that is what the folder is for. Reading takes the shared lock
//! of `custody.json` and writing the exclusive one, so nobody reads a statement that is just being written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use identity::{Digest, DigestWriter, Limits, SafeInteger};
use knowledge::Date;

use crate::chain;
use crate::compose::compose;
use crate::keys::{Key, Keyring, MAX_KEYS};
use crate::seen::Seen;
use crate::statement::Statement;
use crate::wire::v1::{FolderKind, FolderRecord, KeyRecord, Threshold};
use crate::{Custody, CustodyError, Half, dsse};

pub(crate) const RECORD: &str = "custody.json";
pub(crate) const KEYS: &str = "keys";
pub(crate) const PRIVATE: &str = "private";
pub(crate) const STATEMENTS: &str = "statements";

/// Most statements of one folder.
const MAX_STATEMENTS: usize = 100_000;

/// Most bytes of `custody.json` or of a public key.
const MAX_RECORD_BYTES: usize = 64 * 1024;

/// A folder, read and verified: the keys it trusts and the chain of its statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) record: FolderRecord,
    pub(crate) keys: Keyring,
    pub(crate) statements: Vec<Statement>,
}

impl Folder {
    /// Opens the folder over what ships: every signature verified, the chain whole and not shorter than what was seen, and
    /// each statement judged on the day `now`.
    ///
    /// # Errors
    /// [`CustodyError`], a different one for each thing that can be wrong: see its variants from
    /// [`CustodyError::FolderMissing`] on. A statement that expired, was taken back, is dated in the future or was signed
    /// by someone who is not trusted for it is no error; it does not count, and [`Statement::word`] says why.
    pub fn open(path: &Path, shipped: Custody, now: Date, seen: &Seen) -> Result<Custody, CustodyError> {
        let folder = Self::read(path, seen)?;
        compose(shipped, folder, now)
    }

    /// Reads and verifies the folder, without judging what counts today.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn read(path: &Path, seen: &Seen) -> Result<Self, CustodyError> {
        let lock = lock_file(path)?;
        // Where a file system has no locks, a reader may meet a writer and say so; it never reads half a file silently.
        let held = lock.lock_shared();
        let folder = Self::read_locked(path, seen);
        drop(held);
        folder
    }

    pub(crate) fn read_locked(path: &Path, seen: &Seen) -> Result<Self, CustodyError> {
        let bytes = read(path, RECORD, MAX_RECORD_BYTES)?;
        let record: FolderRecord = decode(RECORD, &bytes)?;
        check_record(&record)?;
        let mut keys = Keyring::default();
        for (file, bytes) in listed(path, KEYS, MAX_KEYS, MAX_RECORD_BYTES)? {
            let place = format!("{KEYS}/{file}");
            let key = Key::from_record(key_record(&place, &bytes)?)?;
            if file != format!("{}.json", key.name()) {
                return Err(CustodyError::KeyInvalid {
                    name: key.name().to_owned(),
                    rule: format!(
                        "its file is named {place}, and it would be {KEYS}/{}.json",
                        key.name()
                    ),
                });
            }
            keys.insert(key)?;
        }
        let files = listed(path, STATEMENTS, MAX_STATEMENTS, dsse::MAX_BYTES)?;
        let statements = chain::verify(&record, &keys, files)?;
        chain::continues(&record, &statements, seen)?;
        Ok(Self {
            path: path.to_path_buf(),
            record,
            keys,
            statements,
        })
    }

    /// Makes a folder that trusts nobody and says nothing yet.
    ///
    /// # Errors
    /// [`CustodyError::Taken`] when the path holds something already, [`CustodyError::Unwritable`].
    pub fn init(
        path: &Path,
        title: &str,
        created_on: Date,
        thresholds: &[Threshold],
        entropy: [u8; 16],
    ) -> Result<(), CustodyError> {
        let occupied = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
        if occupied || path.is_file() {
            return Err(CustodyError::Taken {
                path: path.display().to_string(),
            });
        }
        let feed_id: String = entropy.iter().map(|byte| format!("{byte:02x}")).collect();
        let record = FolderRecord {
            schema_version: SafeInteger::new(1).map_err(|error| invalid_record(&error.to_string()))?,
            kind: FolderKind::CustodyFolder,
            feed_id: format!("custody:{feed_id}"),
            title: title.to_owned(),
            created_on,
            thresholds: thresholds.to_vec(),
        };
        check_record(&record)?;
        for part in [KEYS, PRIVATE, STATEMENTS] {
            fs::create_dir_all(path.join(part)).map_err(|error| unwritable(&path.join(part), &error))?;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let private = path.join(PRIVATE);
            fs::set_permissions(&private, fs::Permissions::from_mode(0o700))
                .map_err(|error| unwritable(&private, &error))?;
        }
        crate::append::write_json(&path.join(RECORD), &record)
    }

    /// A cheap mark of what is there: names, lengths and times of change of the record, the keys and the statements. When
    /// it changes, or when the day does, open the folder again.
    ///
    /// # Errors
    /// [`CustodyError::FolderMissing`] or [`CustodyError::FolderUnreadable`].
    pub fn fingerprint(path: &Path) -> Result<Digest, CustodyError> {
        let mut marks: BTreeMap<String, (u64, u128)> = BTreeMap::new();
        let mut mark = |name: String, at: &Path| match fs::metadata(at) {
            Ok(metadata) => {
                let changed = metadata.modified().ok();
                let nanos = changed
                    .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
                    .map_or(0, |elapsed| elapsed.as_nanos());
                marks.insert(name, (metadata.len(), nanos));
                Ok(())
            }
            Err(error) => Err(unreadable(path, &error)),
        };
        mark(RECORD.to_owned(), &path.join(RECORD))?;
        for part in [KEYS, STATEMENTS] {
            for entry in entries(path, part)? {
                mark(format!("{part}/{entry}"), &path.join(part).join(&entry))?;
            }
        }
        let mut digest = DigestWriter::new();
        for (name, (len, nanos)) in &marks {
            digest.update(name.as_bytes());
            digest.update(&[0]);
            digest.update(&len.to_le_bytes());
            digest.update(&nanos.to_le_bytes());
        }
        Ok(digest.finish())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What people call it.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.record.title
    }

    /// Name of the feed that its statements make.
    #[must_use]
    pub fn feed_id(&self) -> &str {
        &self.record.feed_id
    }

    /// The keys that it trusts.
    #[must_use]
    pub fn keys(&self) -> &Keyring {
        &self.keys
    }

    /// Every statement in order; each says whether it counts.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// Revision of the last statement; 0 when nothing was said.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.statements.last().map_or(0, Statement::revision)
    }
}

fn check_record(record: &FolderRecord) -> Result<(), CustodyError> {
    let rule = |holds: bool, text: &str| if holds { Ok(()) } else { Err(invalid_record(text)) };
    rule(record.schema_version.get() == 1, "schemaVersion is 1")?;
    rule(
        !record.title.trim().is_empty() && !record.feed_id.trim().is_empty(),
        "title and feedId have a text",
    )?;
    let in_order = record
        .thresholds
        .windows(2)
        .all(|pair| pair[0].kind < pair[1].kind);
    rule(in_order, "thresholds stand by kind, each once")?;
    rule(
        record
            .thresholds
            .iter()
            .all(|it| (1..=16).contains(&it.owners.get())),
        "a threshold is 1 to 16 owners",
    )
}

fn invalid_record(rule: &str) -> CustodyError {
    CustodyError::invalid(RECORD, rule)
}

/// The file whose lock stands for the folder's.
pub(crate) fn lock_file(path: &Path) -> Result<File, CustodyError> {
    let found = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if !found.is_dir() {
        return Err(CustodyError::NoCustody {
            path: path.display().to_string(),
            why: "it is a file, not a folder".to_owned(),
        });
    }
    File::open(path.join(RECORD)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => CustodyError::NoCustody {
            path: path.display().to_string(),
            why: format!("there is no {RECORD} in it"),
        },
        _ => unreadable(&path.join(RECORD), &error),
    })
}

/// The names of what lies in a part of the folder, in order. A part that is not there is empty: version control keeps no
/// empty folders.
fn entries(path: &Path, part: &str) -> Result<Vec<String>, CustodyError> {
    let at = path.join(part);
    let listing = match fs::read_dir(&at) {
        Ok(listing) => listing,
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_dir() => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(&at, &error)),
    };
    let mut names = Vec::new();
    for entry in listing {
        let entry = entry.map_err(|error| unreadable(&at, &error))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The JSON files of a part of the folder. What is left over of writing is told as half-written; whatever else does not
/// belong there is told by its name, for an unread file is an unread statement.
fn listed(path: &Path, part: &str, most: usize, most_bytes: usize) -> Result<Vec<chain::File>, CustodyError> {
    let names = entries(path, part)?;
    if names.len() > most {
        return Err(CustodyError::invalid(
            part,
            format!("it holds {} files, and {most} is the most", names.len()),
        ));
    }
    let mut files = Vec::with_capacity(names.len());
    for name in names {
        let place = format!("{part}/{name}");
        let temporary = name.starts_with('.')
            || name.ends_with('~')
            || [".part", ".tmp", ".new", ".swp"]
                .iter()
                .any(|end| name.ends_with(end));
        if temporary {
            return Err(CustodyError::HalfWritten {
                path: place,
                half: Half::LeftOver,
            });
        }
        if !name.ends_with(".json") {
            return Err(CustodyError::Foreign { path: place });
        }
        files.push((name, read(path, &place, most_bytes)?));
    }
    Ok(files)
}

fn read(path: &Path, place: &str, most: usize) -> Result<Vec<u8>, CustodyError> {
    let at = path.join(place);
    let file = File::open(&at).map_err(|error| unreadable(&at, &error))?;
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    file.take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(&at, &error))?;
    if bytes.is_empty() {
        return Err(CustodyError::HalfWritten {
            path: place.to_owned(),
            half: Half::Empty,
        });
    }
    Ok(bytes)
}

fn decode<T: serde::de::DeserializeOwned>(place: &str, bytes: &[u8]) -> Result<T, CustodyError> {
    identity::decode::<T>(bytes, &Limits::new().with_max_bytes(MAX_RECORD_BYTES))
        .map(identity::Checked::into_inner)
        .map_err(|error| chain::decode_error(place, bytes, error))
}

/// A key of an algorithm that nobody here knows is a key of the wrong type, and not a broken file.
fn key_record(place: &str, bytes: &[u8]) -> Result<KeyRecord, CustodyError> {
    decode(place, bytes).map_err(|error| match error {
        CustodyError::FileDecode { path, error } if error.pointer == "/algorithm" => {
            CustodyError::WrongKeyType {
                name: path,
                found: error.rule.to_string(),
            }
        }
        other => other,
    })
}

pub(crate) fn unreadable(path: &Path, error: &io::Error) -> CustodyError {
    let shown = path.display().to_string();
    match error.kind() {
        io::ErrorKind::NotFound => CustodyError::FolderMissing { path: shown },
        _ => CustodyError::FolderUnreadable {
            path: shown,
            why: error.to_string(),
        },
    }
}

pub(crate) fn unwritable(path: &Path, error: &io::Error) -> CustodyError {
    CustodyError::Unwritable {
        path: path.display().to_string(),
        why: error.to_string(),
    }
}
