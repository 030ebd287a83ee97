//! Why custody does not open, or does not take a feed.

use std::path::PathBuf;

use identity::DecodeError;
use knowledge::KnowledgeError;
use refusal::{Reason, Refusal, Stage};

/// What can be wrong with what the program trusts.
#[derive(Debug, thiserror::Error)]
pub enum CustodyError {
    /// A shipped file is not the one this program pins. Way out: install the program again; a pinned digest is never
    /// corrected to fit.
    #[error("the shipped file {path} is pinned as {pinned}, but its content is {found}")]
    Tampered {
        /// Path below `assets`.
        path: String,
        /// The digest in the source.
        pinned: String,
        /// The digest of what is there.
        found: String,
    },
    /// A file that the program needs is not among what ships. Way out: install the program again.
    #[error("the shipped file {path} is missing")]
    Missing {
        /// Path below `assets`.
        path: String,
    },
    /// The shipped manifest has another identity than the pinned one, so this program would name the same knowledge
    /// differently. Way out: a defect of the program; report it.
    #[error("the knowledge manifest is pinned as {pinned}, but comes out as {found}")]
    Manifest {
        /// The identity in the source.
        pinned: String,
        /// The identity that was computed.
        found: String,
    },
    /// A shipped entry or policy of the knowledge table is not what it should be. Way out: as the inner error says.
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
    /// The shipped obligation policy can't be read. Way out: as the inner error says.
    #[error(transparent)]
    Obligations(#[from] obligations::ObligationError),
    /// A shipped scope can't be read. Way out: as the inner error says.
    #[error(transparent)]
    Scope(#[from] investigation::InvestigationError),
    /// A disposition feed is no JSON of its closed shape. Way out: take the feed again from its issuer.
    #[error("the disposition feed can't be read: {0}")]
    Decode(DecodeError),
    /// A disposition feed breaks a rule. Way out: take the feed again from its issuer.
    #[error("the disposition feed {feed} is not valid: {rule}")]
    Invalid {
        /// Name of the feed.
        feed: String,
        /// The rule.
        rule: String,
    },
    /// A feed is older than the one at hand; accepting it would bring back what was withdrawn. Way out: take the
    /// newest feed.
    #[error("the disposition feed {feed} is at revision {found}, and {held} was seen before: a rollback")]
    Rollback {
        /// Name of the feed.
        feed: String,
        /// Revision at hand.
        held: i64,
        /// Revision offered.
        found: i64,
    },
    /// A feed says something else about a revision that was seen before, or carries another name. Way out: ask its
    /// issuer which of the two is theirs.
    #[error("the disposition feed {found} does not continue {held}: they part after revision {agreed}")]
    Fork {
        /// Name of the feed at hand.
        held: String,
        /// Name of the feed offered.
        found: String,
        /// Last revision on which both agree; 0 when none.
        agreed: i64,
    },
    /// There is no custody folder at the path. Nothing was retracted by that. Way out: check the path, or make one with
    /// `nemosyne custody init`.
    #[error("there is nothing at {path}: no custody folder, and so no word on what it would say")]
    FolderMissing {
        /// The path.
        path: String,
    },
    /// The folder or a file in it can't be read. Way out: as the system's answer says.
    #[error("{path} can't be read: {why}")]
    FolderUnreadable {
        /// The path.
        path: String,
        /// The system's answer.
        why: String,
    },
    /// What lies at the path is no custody folder. Way out: name the folder that holds `custody.json`.
    #[error("{path} is no custody folder: {why}")]
    NoCustody {
        /// The path.
        path: String,
        /// What is missing.
        why: String,
    },
    /// Writing was interrupted. Nothing is repaired in silence. Way out: as [`Half`] says.
    #[error("{path} is half-written: {half}")]
    HalfWritten {
        /// The file, from the folder.
        path: String,
        /// How it shows.
        half: Half,
    },
    /// A file in the folder is no JSON of its closed shape. Way out: take it again from whoever wrote it.
    #[error("{path} can't be read: {error}")]
    FileDecode {
        /// The file, from the folder.
        path: String,
        /// What is wrong, and where.
        error: DecodeError,
    },
    /// A file lies where only keys or statements do. Way out: move it elsewhere.
    #[error("{path} does not belong there: only JSON files of keys and statements do")]
    Foreign {
        /// The file, from the folder.
        path: String,
    },
    /// An envelope breaks a rule. Way out: take it again from whoever signed it.
    #[error("{path} is no signed statement: {rule}")]
    EnvelopeInvalid {
        /// The file, from the folder.
        path: String,
        /// The rule.
        rule: String,
    },
    /// A trusted key did not sign what lies here: the payload or the signature was altered. Way out: take the statement
    /// again from its signer.
    #[error("the signature of {key} does not fit {path}: it was altered after it was signed")]
    SignatureInvalid {
        /// The file, from the folder.
        path: String,
        /// The key that it names.
        key: String,
    },
    /// A revision is missing. Way out: restore the missing statement; without it nobody knows what it said.
    #[error("the feed {feed} has a gap: revision {missing} is missing, and {found} follows")]
    Gap {
        /// Name of the feed.
        feed: String,
        /// The first that is missing.
        missing: u64,
        /// The next that is there.
        found: u64,
    },
    /// Two histories meet. Way out: ask the signers which one is theirs, and keep the files of that one.
    #[error("the feed {feed} parts at revision {revision}: {why}")]
    StatementFork {
        /// Name of the feed.
        feed: String,
        /// Where.
        revision: u64,
        /// How it shows.
        why: String,
    },
    /// A statement breaks a rule. Way out: as the rule says; its signer makes a new one.
    #[error("statement {revision} is not valid: {rule}")]
    StatementInvalid {
        /// Its revision.
        revision: u64,
        /// The rule.
        rule: String,
    },
    /// A key record breaks a rule. Way out: trust the key again with `nemosyne custody keys trust`.
    #[error("the key {name} is not valid: {rule}")]
    KeyInvalid {
        /// Its name.
        name: String,
        /// The rule.
        rule: String,
    },
    /// A key is of another algorithm than ed25519. Way out: make an ed25519 key.
    #[error("the key {name} is of the wrong type ({found}); statements are signed with ed25519")]
    WrongKeyType {
        /// Its name.
        name: String,
        /// What it is.
        found: String,
    },
    /// One public key has two names, so one signer could count twice. Way out: remove one of the two records.
    #[error("{first} and {second} are one signer under two names: both have the key {key_id}")]
    OneSignerTwice {
        /// One name.
        first: String,
        /// The other.
        second: String,
        /// The key.
        key_id: String,
    },
    /// There is no private key of this name. Way out: make it with `nemosyne custody keys new`, or sign where it lies.
    #[error("there is no private key {name} at {}", path.display())]
    NoPrivateKey {
        /// Its name.
        name: String,
        /// Where it would be.
        path: PathBuf,
    },
    /// A private key may be read by others, so anybody may have signed with it. Way out: `chmod 600`; when others had
    /// access, make a new key.
    #[error("the private key {} may be read by others: its mode is {mode:o}", path.display())]
    ReadableByOthers {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// A private key file is no encrypted PKCS#8 key. Way out: as the text says.
    #[error("the private key {} can't be read: {why}", path.display())]
    KeyUnreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The passphrase does not open the key. Way out: give the right one; nobody can recover it.
    #[error("the passphrase does not open the private key {name}")]
    WrongPassphrase {
        /// Its name.
        name: String,
    },
    /// A passphrase has no characters. Way out: give one.
    #[error("the passphrase is empty")]
    EmptyPassphrase,
    /// A new key could not be encrypted. Way out: a defect of the program; report it.
    #[error("the new key could not be encrypted: {why}")]
    Encrypting {
        /// Why not.
        why: String,
    },
    /// The key is not trusted for this. Way out: have the folder's owner trust it with the role, or sign with another.
    #[error("{name} may not sign this: {why}")]
    MayNotSign {
        /// Its name.
        name: String,
        /// Why not.
        why: String,
    },
    /// What was to be signed is not what its kind asks for. Way out: as the rule says.
    #[error("this is no {kind} to sign: {rule}")]
    BodyInvalid {
        /// The word of the kind.
        kind: &'static str,
        /// The rule.
        rule: String,
    },
    /// Something is there already. Way out: choose another name.
    #[error("{path} is there already, and nothing is written over it")]
    Taken {
        /// The path.
        path: String,
    },
    /// The folder can't be written. What was there before still is. Way out: as the system's answer says.
    #[error("{path} can't be written: {why}")]
    Unwritable {
        /// The path.
        path: String,
        /// The system's answer.
        why: String,
    },
    /// The record of what was seen can't be read, so nobody can tell whether a folder was set back. Way out: restore it,
    /// or remove it when you know that every folder is the newest.
    #[error("the record of what was seen of custody folders can't be read: {why}")]
    SeenUnreadable {
        /// Why not.
        why: String,
    },
}

/// How a file shows that its writing was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// It ends in the middle of its JSON.
    EndsInItsMiddle,
    /// It has no bytes.
    Empty,
    /// It is the temporary file of a writer that did not come to its end.
    LeftOver,
}

impl core::fmt::Display for Half {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::EndsInItsMiddle => "its JSON ends in its middle",
            Self::Empty => "it is empty",
            Self::LeftOver => "it is the temporary file of a writer that did not finish",
        })
    }
}

impl CustodyError {
    pub(crate) fn invalid(feed: &str, rule: impl Into<String>) -> Self {
        Self::Invalid {
            feed: feed.to_owned(),
            rule: rule.into(),
        }
    }

    /// The refusal that says this.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        const STAGE: Stage = Stage::DecodeIntegrity;
        const AGAIN: &str = "Install the program again; a pinned digest is never corrected to fit.";
        const FEED: &str = "Take the newest feed again from its issuer.";
        match self {
            Self::Tampered { path, .. } => Refusal::new(STAGE, Reason::Integrity, self.to_string())
                .about(path.clone())
                .next(AGAIN),
            Self::Missing { path } => Refusal::new(STAGE, Reason::Unreachable, self.to_string())
                .about(path.clone())
                .next(AGAIN),
            Self::Manifest { found, .. } => Refusal::new(STAGE, Reason::Integrity, self.to_string())
                .about(found.clone())
                .next(AGAIN),
            Self::Knowledge(error) => error.refusal(),
            Self::Obligations(error) => error.refusal(),
            Self::Scope(error) => error.refusal(),
            Self::Decode(error) => Refusal::new(STAGE, Reason::Malformed, self.to_string())
                .at(format!("{} at byte {}", error.pointer, error.offset))
                .next(FEED),
            Self::Invalid { feed, .. } => Refusal::new(STAGE, Reason::Malformed, self.to_string())
                .about(feed.clone())
                .next(FEED),
            Self::Rollback { feed, .. } => Refusal::new(STAGE, Reason::Integrity, self.to_string())
                .about(feed.clone())
                .next(FEED),
            Self::Fork { found, .. } => Refusal::new(STAGE, Reason::Integrity, self.to_string())
                .about(found.clone())
                .next("Ask the issuer which of the two feeds is theirs."),
            _ => self.folder_refusal(),
        }
    }

    /// The refusals of a folder.
    fn folder_refusal(&self) -> Refusal {
        let (reason, subject, next) = match self {
            Self::FolderMissing { path } => (
                Reason::Unreachable,
                path.as_str(),
                "Check the path, or make a folder with `nemosyne custody init`.",
            ),
            Self::FolderUnreadable { path, .. } => (
                Reason::Unreachable,
                path.as_str(),
                "Ask for permission to read it, or check the disk.",
            ),
            Self::NoCustody { path, .. } => (
                Reason::Malformed,
                path.as_str(),
                "Name the folder that holds custody.json, or make one with `nemosyne custody init`.",
            ),
            Self::HalfWritten { path, half } => (
                Reason::Malformed,
                path.as_str(),
                match half {
                    Half::LeftOver => {
                        "Look whether a writer still runs; if none does, remove this file. No statement is lost: it was never appended."
                    }
                    Half::EndsInItsMiddle | Half::Empty => {
                        "Take the file again from its signer or a backup. If it is the last statement and nobody has it, remove it and sign again."
                    }
                },
            ),
            Self::FileDecode { path, error } => {
                let reason = match error.rule {
                    identity::Rule::UnknownMember => Reason::UnknownShape,
                    _ => Reason::Malformed,
                };
                (
                    reason,
                    path.as_str(),
                    "Take the file again from whoever wrote it.",
                )
            }
            Self::Foreign { path } => (
                Reason::UnknownShape,
                path.as_str(),
                "Move the file out of the folder; a file that is not read could be a statement that is not heard.",
            ),
            Self::EnvelopeInvalid { path, .. } => (
                Reason::Malformed,
                path.as_str(),
                "Take the statement again from whoever signed it.",
            ),
            Self::SignatureInvalid { path, .. } => (
                Reason::Integrity,
                path.as_str(),
                "Take the statement again from its signer; a signature is never corrected to fit.",
            ),
            Self::Gap { feed, .. } => (
                Reason::Integrity,
                feed.as_str(),
                "Restore the missing statement: without it nobody knows what it said.",
            ),
            Self::StatementFork { feed, .. } => (
                Reason::Integrity,
                feed.as_str(),
                "Ask the signers which history is theirs, and keep the files of that one.",
            ),
            Self::StatementInvalid { .. } => (
                Reason::Malformed,
                "statement",
                "Correct what the rule names; its signer makes a new statement.",
            ),
            Self::KeyInvalid { name, .. } => (
                Reason::Malformed,
                name.as_str(),
                "Trust the key again with `nemosyne custody keys trust`.",
            ),
            Self::WrongKeyType { name, .. } => (
                Reason::UnknownShape,
                name.as_str(),
                "Make an ed25519 key with `nemosyne custody keys new`.",
            ),
            Self::OneSignerTwice { second, .. } => (
                Reason::AmbiguousReference,
                second.as_str(),
                "Remove one of the two records from keys/.",
            ),
            Self::NoPrivateKey { name, .. } => (
                Reason::Unreachable,
                name.as_str(),
                "Make the key with `nemosyne custody keys new`, or sign where its private half lies.",
            ),
            Self::ReadableByOthers { .. } => (
                Reason::Integrity,
                "private key",
                "Take the rights from others (chmod 600); when others had access, make a new key.",
            ),
            Self::KeyUnreadable { .. } => (
                Reason::Malformed,
                "private key",
                "Use an encrypted PKCS#8 key, as `nemosyne custody keys new` makes.",
            ),
            Self::WrongPassphrase { name } => (
                Reason::Integrity,
                name.as_str(),
                "Give the right passphrase; nobody can recover it.",
            ),
            Self::EmptyPassphrase => (Reason::NotStated, "passphrase", "Give a passphrase."),
            Self::MayNotSign { name, .. } => (
                Reason::WrongAuthorization,
                name.as_str(),
                "Have the folder's owner trust the key with the role (`nemosyne custody keys trust`), or sign with another.",
            ),
            Self::BodyInvalid { kind, .. } => (Reason::Malformed, *kind, "Correct what the rule names."),
            Self::Taken { path } => (Reason::AmbiguousReference, path.as_str(), "Choose another name."),
            Self::Unwritable { path, .. } => (
                Reason::Unreachable,
                path.as_str(),
                "Ask for permission to write there, or check the disk. What was there before still is.",
            ),
            Self::SeenUnreadable { .. } => (
                Reason::Malformed,
                "seen",
                "Restore it from a backup, or remove it when you know that every folder is the newest.",
            ),
            _ => (
                Reason::Malformed,
                "custody",
                "Report this: it is a defect of the program.",
            ),
        };
        let stage = match self {
            Self::MayNotSign { .. } => Stage::BindingUse,
            _ => Stage::DecodeIntegrity,
        };
        let refusal = Refusal::new(stage, reason, self.to_string())
            .about(subject)
            .next(next);
        match self {
            Self::FileDecode { error, .. } => {
                refusal.at(format!("{} at byte {}", error.pointer, error.offset))
            }
            _ => refusal,
        }
    }
}
