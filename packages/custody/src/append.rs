//! Writing: keys and statements, each whole or not at all, and each tried before it is written.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;
use identity::{Digest, SafeInteger, canonical};
use knowledge::Date;
use serde::Serialize;

use crate::chain::{file_name, follows};
use crate::compose::compose;
use crate::folder::{Folder, KEYS, PRIVATE, STATEMENTS, lock_file, unwritable};
use crate::keys::{Key, is_name};
use crate::private_key::{Entropy, Passphrase, PrivateKey};
use crate::seen::Seen;
use crate::statement::{self, MAX_BODY_BYTES, Signer, Statement, Word};
use crate::wire::v1::{Head, StatementKind};
use crate::{Custody, CustodyError, dsse};

/// What is to be signed.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// Kind.
    pub kind: StatementKind,
    /// The body, JSON of the kind's shape. What is signed is its canonical text.
    pub body: &'a [u8],
    /// Today.
    pub issued_on: Date,
    /// Its last day, if it has one.
    pub expires_on: Option<Date>,
}

/// A statement that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Its revision.
    pub revision: u64,
    /// Digest of its payload.
    pub digest: Digest,
    /// Digest of its body's exact bytes.
    pub body_digest: Digest,
    /// Where it lies.
    pub path: PathBuf,
}

/// Signs a statement with each named key and appends it to the folder's chain. Before anything is written the folder is
/// opened with the statement in it, so that what would not open, or would not count, is refused here.
///
/// # Errors
/// [`CustodyError`] of the folder, of a key or its passphrase; [`CustodyError::MayNotSign`] for a key without the role or
/// outside its days; [`CustodyError::BodyInvalid`] for a body of another shape, [`CustodyError::StatementInvalid`] for one
/// that contradicts what stands; [`CustodyError::Unwritable`].
pub fn sign_and_append(
    path: &Path,
    shipped: &Custody,
    signers: &[(&str, &Passphrase)],
    draft: &Draft<'_>,
    seen: &Seen,
) -> Result<Appended, CustodyError> {
    let mut private = Vec::with_capacity(signers.len());
    for (name, passphrase) in signers {
        private.push(open_private(path, name, passphrase)?);
    }
    append(path, shipped, &private.iter().collect::<Vec<_>>(), draft, seen)
}

/// As [`sign_and_append`], with keys that are open already.
///
/// # Errors
/// As [`sign_and_append`].
pub fn append(
    path: &Path,
    shipped: &Custody,
    keys: &[&PrivateKey],
    draft: &Draft<'_>,
    seen: &Seen,
) -> Result<Appended, CustodyError> {
    let body = canonical_body(draft)?;
    let lock = lock_file(path)?;
    let held = lock.lock();
    let mut folder = Folder::read_locked(path, seen)?;
    let mut known = Vec::with_capacity(keys.len());
    for key in keys {
        known.push((signer(&folder, key, draft)?, *key));
    }
    let before = folder.statements.last();
    let head = Head {
        expires_on: draft.expires_on,
        feed_id: folder.record.feed_id.clone(),
        issued_on: draft.issued_on,
        kind: draft.kind,
        previous: before.map(Statement::digest),
        revision: revision(folder.revision() + 1)?,
        schema_version: revision(1)?,
    };
    let payload = statement::assemble(&head, &body).map_err(|error| unsignable(draft, &error.to_string()))?;
    let (head, place) =
        statement::split(&payload).map_err(|error| unsignable(draft, &format!("{error:?}")))?;
    let appended = Statement {
        digest: Digest::of(&payload),
        head,
        body: place,
        signers: known.iter().map(|(signer, _)| signer.clone()).collect(),
        unknown: Vec::new(),
        word: Word::Stands,
        payload,
    };
    follows(&folder.record, before, &appended)?;
    let keys: Vec<(Digest, &ed25519_dalek::SigningKey)> = known
        .iter()
        .map(|(signer, key)| (signer.key_id, key.signing()))
        .collect();
    let envelope = dsse::sign(&appended.payload, &keys);
    let written = Appended {
        revision: appended.revision(),
        digest: appended.digest(),
        body_digest: appended.body_digest(),
        path: path.join(STATEMENTS).join(file_name(appended.revision())),
    };
    folder.statements.push(appended);
    tried(shipped, folder, draft)?;
    write_json(&written.path, &envelope)?;
    drop(held);
    Ok(written)
}

/// Opens the folder with the new statement as its last; it must count.
fn tried(shipped: &Custody, folder: Folder, draft: &Draft<'_>) -> Result<(), CustodyError> {
    let custody = compose(shipped.clone(), folder, draft.issued_on)?;
    let last = custody.statements().last();
    match last.map(Statement::word) {
        Some(Word::Stands) | None => Ok(()),
        Some(word) => Err(CustodyError::BodyInvalid {
            kind: draft.kind.word(),
            rule: format!("the statement would not count: it {word}"),
        }),
    }
}

fn canonical_body(draft: &Draft<'_>) -> Result<Vec<u8>, CustodyError> {
    let limits = identity::Limits::new().with_max_bytes(MAX_BODY_BYTES);
    let value = identity::decode::<serde_json::Value>(draft.body, &limits)
        .map_err(|error| unsignable(draft, &error.to_string()))?
        .into_inner();
    if !value.is_object() {
        return Err(unsignable(draft, "a body is an object"));
    }
    canonical::to_vec(&value).map_err(|error| unsignable(draft, &error.to_string()))
}

fn open_private(path: &Path, name: &str, passphrase: &Passphrase) -> Result<PrivateKey, CustodyError> {
    if !is_name(name) {
        return Err(CustodyError::KeyInvalid {
            name: name.to_owned(),
            rule: "that is no name of a key".to_owned(),
        });
    }
    PrivateKey::open(&path.join(PRIVATE).join(format!("{name}.pem")), name, passphrase)
}

/// The trusted key behind a private one; it must be allowed to sign this.
fn signer(folder: &Folder, key: &PrivateKey, draft: &Draft<'_>) -> Result<Signer, CustodyError> {
    let Some(trusted) = folder.keys.get(&key.id()) else {
        return Err(CustodyError::MayNotSign {
            name: key.id().to_string(),
            why: "it is not among the trusted keys of this folder".to_owned(),
        });
    };
    if let Some(why) = trusted.bars(draft.kind, draft.issued_on) {
        return Err(CustodyError::MayNotSign {
            name: trusted.name().to_owned(),
            why,
        });
    }
    Ok(Signer {
        key_id: trusted.id(),
        name: trusted.name().to_owned(),
        owner: trusted.owner().to_owned(),
    })
}

/// Makes a key pair: the private half encrypted under `private/`, for its owner's eyes alone. The public half is
/// returned, and trusted only once [`trust`] writes it.
///
/// # Errors
/// [`CustodyError::Taken`] when there is a private key of this name, [`CustodyError::KeyInvalid`],
/// [`CustodyError::Unwritable`].
pub fn new_key(
    path: &Path,
    name: &str,
    passphrase: &Passphrase,
    entropy: &Entropy,
) -> Result<[u8; 32], CustodyError> {
    if !is_name(name) {
        return Err(CustodyError::KeyInvalid {
            name: name.to_owned(),
            rule: "a name is 1 to 64 lowercase letters, digits, `-`, `_` or `.`".to_owned(),
        });
    }
    drop(lock_file(path)?);
    let (key, pem) = PrivateKey::generate(entropy, passphrase)?;
    let at = path.join(PRIVATE).join(format!("{name}.pem"));
    std::fs::create_dir_all(path.join(PRIVATE)).map_err(|error| unwritable(&at, &error))?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(&at).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => CustodyError::Taken {
            path: at.display().to_string(),
        },
        _ => unwritable(&at, &error),
    })?;
    file.write_all(pem.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(|error| unwritable(&at, &error))?;
    Ok(key.public())
}

/// Trusts a key: writes its public record. A record of the same name and key is replaced, so that roles and days can be
/// changed; one of the same name and another key is not.
///
/// # Errors
/// [`CustodyError::OneSignerTwice`] when the key is trusted under another name, [`CustodyError::Taken`] when the name
/// belongs to another key, and [`CustodyError`] of the folder.
pub fn trust(path: &Path, key: &Key, seen: &Seen) -> Result<(), CustodyError> {
    let lock = lock_file(path)?;
    let held = lock.lock();
    let folder = Folder::read_locked(path, seen)?;
    if let Some(other) = folder.keys.get(&key.id())
        && other.name() != key.name()
    {
        return Err(CustodyError::OneSignerTwice {
            first: other.name().to_owned(),
            second: key.name().to_owned(),
            key_id: key.id().to_string(),
        });
    }
    let at = path.join(KEYS).join(format!("{}.json", key.name()));
    if folder
        .keys
        .named(key.name())
        .is_some_and(|named| named.id() != key.id())
    {
        return Err(CustodyError::Taken {
            path: at.display().to_string(),
        });
    }
    std::fs::create_dir_all(path.join(KEYS)).map_err(|error| unwritable(&at, &error))?;
    write_json(&at, key.record())?;
    drop(held);
    Ok(())
}

/// Writes a file so that its name holds the whole of it or what was there before.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), CustodyError> {
    let unwritten = |error: &std::io::Error| unwritable(path, error);
    let text = canonical::to_vec(value).map_err(|error| CustodyError::Unwritable {
        path: path.display().to_string(),
        why: error.to_string(),
    })?;
    let mut file = AtomicWriteFile::open(path).map_err(|error| unwritten(&error))?;
    file.write_all(&text)
        .and_then(|()| file.write_all(b"\n"))
        .and_then(|()| file.commit())
        .map_err(|error| unwritten(&error))
}

fn revision(number: u64) -> Result<SafeInteger, CustodyError> {
    let beyond = || CustodyError::StatementInvalid {
        revision: number,
        rule: "there are no more revisions".to_owned(),
    };
    i64::try_from(number)
        .ok()
        .and_then(|number| SafeInteger::new(number).ok())
        .ok_or_else(beyond)
}

fn unsignable(draft: &Draft<'_>, rule: &str) -> CustodyError {
    CustodyError::BodyInvalid {
        kind: draft.kind.word(),
        rule: rule.to_owned(),
    }
}
