//! The chain of a folder's statements: consecutive, each naming the one before, each signature verified.

use std::collections::BTreeMap;

use identity::{Digest, Rule};

use crate::dsse::{self, Fault};
use crate::keys::Keyring;
use crate::seen::Seen;
use crate::statement::{self, NoPayload, Signer, Statement, Word};
use crate::wire::v1::{FolderRecord, StatementKind};
use crate::{CustodyError, Half};

/// One file of statements: its name, and its bytes.
pub(crate) type File = (String, Vec<u8>);

/// The name of the file of a revision.
pub(crate) fn file_name(revision: u64) -> String {
    format!("{revision:08}.json")
}

/// Reads and verifies every statement. What depends on the day is judged later.
pub(crate) fn verify(
    record: &FolderRecord,
    keys: &Keyring,
    files: Vec<File>,
) -> Result<Vec<Statement>, CustodyError> {
    let mut by_revision: BTreeMap<u64, (String, Statement)> = BTreeMap::new();
    for (file, bytes) in files {
        let statement = read(&file, &bytes, keys)?;
        let revision = statement.revision();
        if let Some((first, _)) = by_revision.get(&revision) {
            return Err(CustodyError::StatementFork {
                feed: record.feed_id.clone(),
                revision,
                why: format!("{first} and {file} both are revision {revision}"),
            });
        }
        by_revision.insert(revision, (file, statement));
    }
    let mut chain: Vec<Statement> = Vec::with_capacity(by_revision.len());
    for (revision, (file, statement)) in by_revision {
        let expected = chain.last().map_or(1, |before| before.revision() + 1);
        if revision != expected {
            return Err(CustodyError::Gap {
                feed: record.feed_id.clone(),
                missing: expected,
                found: revision,
            });
        }
        if file != file_name(revision) {
            return Err(CustodyError::StatementInvalid {
                revision,
                rule: format!(
                    "its file is named {file}, and revision {revision} is {}",
                    file_name(revision)
                ),
            });
        }
        follows(record, chain.last(), &statement)?;
        chain.push(statement);
    }
    Ok(chain)
}

/// Whether a statement continues the one before.
pub(crate) fn follows(
    record: &FolderRecord,
    before: Option<&Statement>,
    statement: &Statement,
) -> Result<(), CustodyError> {
    let revision = statement.revision();
    let rule = |holds: bool, text: String| {
        if holds {
            Ok(())
        } else {
            Err(CustodyError::StatementInvalid { revision, rule: text })
        }
    };
    let head = &statement.head;
    rule(head.schema_version.get() == 1, "schemaVersion is 1".to_owned())?;
    rule(
        head.feed_id == record.feed_id,
        format!(
            "it belongs to the feed {}, and this folder is {}",
            head.feed_id, record.feed_id
        ),
    )?;
    if head.previous != before.map(Statement::digest) {
        let name = |digest: Option<Digest>| digest.map_or_else(|| "none".to_owned(), |it| it.to_string());
        return Err(CustodyError::StatementFork {
            feed: record.feed_id.clone(),
            revision,
            why: format!(
                "it was signed as the successor of {}, and before it stands {}",
                name(head.previous),
                name(before.map(Statement::digest))
            ),
        });
    }
    rule(
        before.is_none_or(|before| before.issued_on() <= head.issued_on),
        format!("it is dated {}, before the one that it follows", head.issued_on),
    )?;
    rule(
        head.expires_on.is_none_or(|end| end >= head.issued_on),
        "its last day is before its first".to_owned(),
    )?;
    rule(
        head.kind != StatementKind::Disposition || head.expires_on.is_none(),
        "a disposition has no last day: it holds until a later one".to_owned(),
    )
}

/// Whether the chain continues what was seen of its feed.
pub(crate) fn continues(record: &FolderRecord, chain: &[Statement], seen: &Seen) -> Result<(), CustodyError> {
    let Some((revision, digest)) = seen.of(&record.feed_id) else {
        return Ok(());
    };
    let last = chain.last().map_or(0, Statement::revision);
    if last < revision {
        return Err(CustodyError::Rollback {
            feed: record.feed_id.clone(),
            held: i64::try_from(revision).unwrap_or(i64::MAX),
            found: i64::try_from(last).unwrap_or(i64::MAX),
        });
    }
    let there = chain.iter().find(|statement| statement.revision() == revision);
    match there {
        Some(statement) if statement.digest() != digest => Err(CustodyError::StatementFork {
            feed: record.feed_id.clone(),
            revision,
            why: format!(
                "it was seen here as {digest}, and now it is {}",
                statement.digest()
            ),
        }),
        _ => Ok(()),
    }
}

fn read(file: &str, bytes: &[u8], keys: &Keyring) -> Result<Statement, CustodyError> {
    let path = format!("statements/{file}");
    let signed = dsse::open(bytes).map_err(|fault| match fault {
        Fault::Decode(error) => decode_error(&path, bytes, error),
        Fault::Rule(rule) => CustodyError::EnvelopeInvalid {
            path: path.clone(),
            rule,
        },
    })?;
    let (head, body) = statement::split(&signed.payload).map_err(|fault| match fault {
        NoPayload::Decode(error) => CustodyError::FileDecode {
            path: path.clone(),
            error,
        },
        NoPayload::NotCanonical => CustodyError::EnvelopeInvalid {
            path: path.clone(),
            rule: "its payload is not written as payloads are: canonical JSON with the body first".to_owned(),
        },
    })?;
    if head.revision.get() < 1 {
        return Err(CustodyError::EnvelopeInvalid {
            path,
            rule: "revisions count from 1".to_owned(),
        });
    }
    let (mut signers, mut unknown) = (Vec::new(), Vec::new());
    for (key_id, signature) in &signed.signatures {
        let Some(key) = keys.get(key_id) else {
            unknown.push(*key_id);
            continue;
        };
        if !dsse::verifies(key.verifying(), &signed.payload, signature) {
            return Err(CustodyError::SignatureInvalid {
                path,
                key: key.name().to_owned(),
            });
        }
        signers.push(Signer {
            key_id: key.id(),
            name: key.name().to_owned(),
            owner: key.owner().to_owned(),
        });
    }
    Ok(Statement {
        digest: Digest::of(&signed.payload),
        head,
        payload: signed.payload,
        body,
        signers,
        unknown,
        word: Word::Stands,
    })
}

/// A text that ends in its middle was half written; any other fault is another shape.
pub(crate) fn decode_error(path: &str, bytes: &[u8], error: identity::DecodeError) -> CustodyError {
    let whole = bytes.trim_ascii_end().len();
    if matches!(error.rule, Rule::Syntax(_)) && error.offset >= whole {
        CustodyError::HalfWritten {
            path: path.to_owned(),
            half: Half::EndsInItsMiddle,
        }
    } else {
        CustodyError::FileDecode {
            path: path.to_owned(),
            error,
        }
    }
}
