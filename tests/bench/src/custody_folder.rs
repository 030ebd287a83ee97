//! Custody folders of a given size, signed by a key of their own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use custody::wire::v1::{Disposed, DispositionBody, Role, StatementKind, Status, Subject};
use custody::{Custody, Draft, Entropy, Folder, Key, Passphrase, PrivateKey, Seen, Shipped};
use identity::Digest;
use knowledge::Date;
use tempfile::TempDir;

/// A folder whose disposition feed has a number of entries.
#[derive(Debug)]
pub struct Kept {
    folder: TempDir,
    today: Date,
}

impl Kept {
    /// Writes `entries` dispositions into statements of `each`.
    ///
    /// # Errors
    /// When the folder can't be written.
    pub fn write(entries: usize, each: usize) -> anyhow::Result<Self> {
        let kept = Self {
            folder: tempfile::tempdir()?,
            today: "2026-12-01".parse()?,
        };
        let path = kept.path();
        Folder::init(&path, "A bench's", kept.today, &[], [1; 16])?;
        let (key, _) = PrivateKey::generate(&Entropy::new([3; 64]), &Passphrase::new("bench")?)?;
        let roles = BTreeSet::from([Role::Dispose]);
        let trusted = Key::new("bench", "A bench", &key.public(), &roles, kept.today, None)?;
        custody::trust(&path, &trusted, &Seen::nothing())?;
        let shipped = Shipped::open()?;
        let receipts: Vec<usize> = (0..entries).collect();
        for part in receipts.chunks(each) {
            let body = DispositionBody {
                as_of: None,
                entries: part.iter().map(|number| entry(*number)).collect(),
            };
            let draft = Draft {
                kind: StatementKind::Disposition,
                body: &identity::canonical::to_vec(&body)?,
                issued_on: kept.today,
                expires_on: None,
            };
            custody::append(&path, &shipped, &[&key], &draft, &Seen::nothing())?;
        }
        Ok(kept)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("custody")
    }

    /// Opens it as the program does, over what ships.
    ///
    /// # Errors
    /// When it does not open, or says something else than was signed.
    pub fn open(&self, shipped: &Custody) -> anyhow::Result<Custody> {
        let custody = open(&self.path(), shipped, self.today)?;
        let feed = custody.feeds().last().context("it has a feed")?;
        anyhow::ensure!(custody.statements().iter().all(custody::Statement::stands));
        anyhow::ensure!(
            feed.statements()
                .last()
                .is_some_and(|it| it.status == Status::Retracted)
        );
        Ok(custody)
    }
}

fn open(path: &Path, shipped: &Custody, today: Date) -> anyhow::Result<Custody> {
    Ok(Folder::open(path, shipped.clone(), today, &Seen::nothing())?)
}

fn entry(number: usize) -> Disposed {
    Disposed {
        reason: format!("Notice {number} of a register of retractions."),
        status: Status::Retracted,
        subject: Subject::Receipt {
            receipt_content_digest: Digest::of(&number.to_le_bytes()),
        },
        superseded_by: None,
    }
}
