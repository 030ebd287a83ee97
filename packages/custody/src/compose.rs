//! What ships and what a folder says, put together on one day.
//!
//! A folder adds qualifications and harms and takes permission away. It retires no harm that ships, gives no decision the
//! name of one that ships, and what it takes back stays taken back, whoever else still vouches for it.

use std::collections::{BTreeMap, BTreeSet};

use evidence::wire::v1::PinnedRef;
use forma::DecisionStanding;
use identity::{Digest, Limits};
use knowledge::wire::v1::{Decision, EntryKind};
use knowledge::{Date, Table, reference};

use crate::custody::{FolderView, Lapsed};
use crate::folder::Folder;
use crate::statement::{MAX_BODY_BYTES, Statement, Word};
use crate::study::Studies;
use crate::wire::v1::{self, DispositionBody, SourceKind, StatementKind, Status, Subject};
use crate::{Custody, CustodyError, Feed, Standing};

/// How the names of signed decisions begin.
pub const DECISION_PREFIX: &str = "custody:";

/// A signed decision, read.
struct Signed {
    place: usize,
    name: String,
    decision: Decision,
    pin: PinnedRef,
}

pub(crate) fn compose(shipped: Custody, mut folder: Folder, now: Date) -> Result<Custody, CustodyError> {
    for place in 0..folder.statements.len() {
        let word = counted(&folder, &folder.statements[place], now);
        folder.statements[place].word = word;
    }
    let (feed, last) = dispositions(&shipped, &folder)?;
    let signed = decisions(&shipped, &folder)?;
    for statement in &mut folder.statements {
        if statement.stands() && statement.kind() != StatementKind::Disposition {
            statement.word = later(statement, feed.as_ref(), now);
        }
    }
    let replaced = superseded(&mut folder, &signed);
    let mut lapsed: BTreeMap<String, Lapsed> = BTreeMap::new();
    let mut lapses = Vec::new();
    let mut artifacts: Vec<(Digest, Vec<u8>)> = Vec::new();
    let mut ids = BTreeSet::new();
    for one in &signed {
        let statement = &folder.statements[one.place];
        if statement.stands() {
            if !ids.insert((one.decision.kind, one.decision.id.clone())) {
                return Err(CustodyError::StatementInvalid {
                    revision: statement.revision(),
                    rule: format!(
                        "another version of {} stands; the newer one says which it supersedes",
                        one.decision.id
                    ),
                });
            }
            artifacts.push((one.pin.digest, statement.body().to_vec()));
        } else if let Some(standing) = standing(statement) {
            lapses.push((
                one.pin.digest,
                statement.body().to_vec(),
                statement.word.to_string(),
            ));
            let pin = one.pin.clone();
            lapsed.insert(one.name.clone(), Lapsed { pin, standing });
        }
    }
    for (digest, bytes) in shipped.table().bytes() {
        match shipped_lapse(&shipped, digest, feed.as_ref(), &replaced) {
            Some((pin, standing)) => {
                let how = standing.lapse().unwrap_or_default();
                lapses.push((*digest, bytes.to_vec(), how));
                lapsed.insert(reference(&pin.id, &pin.version), Lapsed { pin, standing });
            }
            None => artifacts.push((*digest, bytes.to_vec())),
        }
    }
    let added = signed
        .iter()
        .map(|one| (one.pin.digest, folder.statements[one.place].body().to_vec()))
        .collect();
    let table = Table::from_artifacts(artifacts)?.with_lapsed(lapses)?;
    let stale = match last {
        Some(last) => shipped
            .freshness()
            .stale(SourceKind::Folder, &folder.record.feed_id, last, now),
        None => None,
    };
    let studies = Studies::of(&folder, now)?;
    let doubts = doubts(&folder)?;
    let view = FolderView {
        folder,
        stale,
        doubts,
        day: now,
    };
    Ok(shipped
        .joined(table, feed, lapsed, added, view)?
        .studying(studies))
}

/// Whether the signers of a statement are trusted for it on its day, and whether its day has come.
fn counted(folder: &Folder, statement: &Statement, now: Date) -> Word {
    let (kind, on) = (statement.kind(), statement.issued_on());
    let mut owners = BTreeSet::new();
    let mut barred = Vec::new();
    for signer in statement.signers() {
        match folder.keys.get(&signer.key_id).map(|key| key.bars(kind, on)) {
            Some(None) => {
                owners.insert(signer.owner.as_str());
            }
            Some(Some(why)) => barred.push(why),
            None => {}
        }
    }
    let threshold = folder.record.thresholds.iter().find(|it| it.kind == kind);
    let needed = threshold
        .and_then(|it| usize::try_from(it.owners.get()).ok())
        .unwrap_or(1);
    if owners.len() >= needed {
        return if on > now {
            Word::NotYet { from: on }
        } else {
            Word::Stands
        };
    }
    let unknown = statement
        .unknown_signers()
        .iter()
        .map(|id| format!("{id} is not a trusted key of this folder"));
    barred.extend(unknown);
    if needed > 1 {
        let owners: Vec<&str> = owners.into_iter().collect();
        barred.insert(
            0,
            format!(
                "{} is signed by {needed} owners, and this one by {} ({})",
                kind.word(),
                owners.len(),
                owners.join(", ")
            ),
        );
    }
    Word::NotCounted {
        why: barred.join("; "),
    }
}

/// The folder's disposition feed, and the day of its last sign of life; none when it never spoke of anything.
fn dispositions(shipped: &Custody, folder: &Folder) -> Result<(Option<Feed>, Option<Date>), CustodyError> {
    let mut statements = Vec::new();
    let mut last: Option<Date> = None;
    let speaking = folder
        .statements
        .iter()
        .filter(|statement| statement.stands() && statement.kind() == StatementKind::Disposition);
    for statement in speaking {
        let refuse = |rule: String| CustodyError::StatementInvalid {
            revision: statement.revision(),
            rule,
        };
        let body = body::<DispositionBody>(statement)?;
        if body.entries.is_empty() && body.as_of.is_none() {
            return Err(refuse(
                "a disposition speaks of something, or says as of when".to_owned(),
            ));
        }
        if body.as_of.is_some_and(|day| day > statement.issued_on()) {
            return Err(refuse("asOf is not after the day it is signed".to_owned()));
        }
        last = last.max(Some(statement.issued_on()));
        let mut subjects = BTreeSet::new();
        for entry in body.entries {
            if ships_as_harm(shipped, &entry.subject) {
                return Err(refuse("a harm that ships is not retired by a folder".to_owned()));
            }
            if !subjects.insert(entry.subject.clone()) {
                return Err(refuse("it speaks of a subject twice".to_owned()));
            }
            statements.push(v1::Statement {
                revision: statement.head.revision,
                issued_on: statement.issued_on().to_string(),
                subject: entry.subject,
                status: entry.status,
                superseded_by: entry.superseded_by,
                reason: entry.reason,
            });
        }
    }
    if last.is_none() {
        return Ok((None, None));
    }
    let feed = Feed::of_folder(&folder.record.feed_id, &folder.record.title, statements)?;
    Ok((Some(feed), last))
}

/// What statements that are not counted would take back. Whoever ceases to be trusted does not thereby vouch for what they
/// took back: until a trusted key says so, nobody knows how it stands.
fn doubts(folder: &Folder) -> Result<Vec<(Subject, String)>, CustodyError> {
    let mut found = Vec::new();
    for statement in &folder.statements {
        let Word::NotCounted { why } = statement.word() else {
            continue;
        };
        if statement.kind() != StatementKind::Disposition {
            continue;
        }
        for entry in body::<DispositionBody>(statement)?.entries {
            if entry.status != Status::Valid {
                let why = format!(
                    "statement {} of {} takes it back, and is signed by nobody who is trusted for that now ({why})",
                    statement.revision(),
                    folder.record.feed_id
                );
                found.push((entry.subject, why));
            }
        }
    }
    Ok(found)
}

fn ships_as_harm(shipped: &Custody, subject: &Subject) -> bool {
    let Subject::Decision { id, version, .. } = subject else {
        return false;
    };
    let name = reference(id, version);
    let mut harms = shipped.table().decisions(EntryKind::Contraindication);
    harms.any(|(held, _)| held == name)
}

/// The qualifications and contraindications of the folder that are counted, standing or not.
fn decisions(shipped: &Custody, folder: &Folder) -> Result<Vec<Signed>, CustodyError> {
    let mut found: Vec<Signed> = Vec::new();
    for (place, statement) in folder.statements.iter().enumerate() {
        let kind = match statement.kind() {
            StatementKind::Qualification => EntryKind::Qualification,
            StatementKind::Contraindication => EntryKind::Contraindication,
            StatementKind::Disposition
            | StatementKind::ProtocolAcceptance
            | StatementKind::ReviewerStatement
            | StatementKind::StudyAuthorization => continue,
        };
        if !statement.stands() {
            continue;
        }
        let decision = body::<Decision>(statement)?;
        let name = reference(&decision.id, &decision.version);
        let rule = |holds: bool, text: String| {
            if holds {
                Ok(())
            } else {
                Err(CustodyError::StatementInvalid {
                    revision: statement.revision(),
                    rule: text,
                })
            }
        };
        rule(
            decision.kind == kind,
            format!(
                "a {} statement holds a {} decision",
                statement.kind().word(),
                statement.kind().word()
            ),
        )?;
        rule(
            decision.id.starts_with(DECISION_PREFIX),
            format!(
                "the id of a signed decision begins with `{DECISION_PREFIX}`, so that it never takes the name of one that ships"
            ),
        )?;
        let authors: Vec<String> = statement
            .signers()
            .iter()
            .filter_map(|signer| folder.keys.get(&signer.key_id))
            .map(crate::Key::author)
            .collect();
        rule(
            authors.contains(&decision.decided_by),
            format!("decidedBy names who signed: {}", authors.join(" or ")),
        )?;
        rule(
            found.iter().all(|other| other.name != name),
            format!("{name} was decided before; a new decision is a new version"),
        )?;
        if let Some(old) = &decision.supersedes {
            let harms = shipped.table().decisions(EntryKind::Contraindication);
            rule(
                !harms.into_iter().any(|(harm, _)| harm == old),
                format!("{old} is a harm that ships, and no folder retires it"),
            )?;
        }
        let pin = PinnedRef {
            id: decision.id.clone(),
            version: decision.version.clone(),
            digest: statement.body_digest(),
        };
        found.push(Signed {
            place,
            name,
            decision,
            pin,
        });
    }
    Ok(found)
}

/// What was said later of a statement that was counted: by its own digest, or as the decision that it holds.
fn later(statement: &Statement, feed: Option<&Feed>, now: Date) -> Word {
    let said = feed.and_then(|feed| {
        let own = feed.statement(&statement.digest());
        let decision = match statement.kind() {
            StatementKind::Qualification | StatementKind::Contraindication => body::<Decision>(statement)
                .ok()
                .map(|it| feed.decision(&it.id, &it.version, &statement.body_digest())),
            _ => None,
        };
        [Some(own), decision]
            .into_iter()
            .flatten()
            .find(Standing::takes_back)
    });
    match said {
        Some(Standing::Withdrawn { revision }) => Word::Withdrawn { revision },
        Some(Standing::Retracted { revision }) => Word::Retracted { revision },
        Some(Standing::Superseded { revision, by }) => Word::Superseded { revision, by },
        Some(Standing::Valid { .. } | Standing::Silent) | None => match statement.expires_on() {
            Some(on) if on < now => Word::Expired { on },
            _ => Word::Stands,
        },
    }
}

/// Marks decisions that a newer one replaced. Replaced once is replaced for good: the end of the newer one does not bring
/// the older one back. Returns what replaced which name, with its revision.
fn superseded(folder: &mut Folder, signed: &[Signed]) -> BTreeMap<(EntryKind, String), (u64, String)> {
    let mut replaced = BTreeMap::new();
    for one in signed {
        if let Some(old) = &one.decision.supersedes {
            let revision = folder.statements[one.place].revision();
            replaced.insert((one.decision.kind, old.clone()), (revision, one.name.clone()));
        }
    }
    for one in signed {
        let statement = &mut folder.statements[one.place];
        if let Some((revision, by)) = replaced.get(&(one.decision.kind, one.name.clone()))
            && statement.stands()
        {
            statement.word = Word::Superseded {
                revision: *revision,
                by: by.clone(),
            };
        }
    }
    replaced
}

/// How a shipped qualification lapsed in this folder, when it did.
fn shipped_lapse(
    shipped: &Custody,
    digest: &Digest,
    feed: Option<&Feed>,
    replaced: &BTreeMap<(EntryKind, String), (u64, String)>,
) -> Option<(PinnedRef, DecisionStanding)> {
    let mut listed = shipped.table().decisions(EntryKind::Qualification);
    let (name, _) =
        listed.find(|(name, _)| shipped.table().pin(name).is_some_and(|pin| pin.digest == *digest))?;
    let pin = shipped.table().pin(name)?;
    let standing = match feed.map(|feed| feed.decision(&pin.id, &pin.version, &pin.digest)) {
        Some(Standing::Withdrawn { revision }) => DecisionStanding::Withdrawn { revision },
        Some(Standing::Retracted { revision }) => DecisionStanding::Retracted { revision },
        Some(Standing::Superseded { revision, by }) => DecisionStanding::Superseded { revision, by },
        Some(Standing::Valid { .. } | Standing::Silent) | None => {
            let (revision, by) = replaced
                .get(&(EntryKind::Qualification, name.to_owned()))?
                .clone();
            DecisionStanding::Superseded { revision, by }
        }
    };
    Some((pin, standing))
}

fn standing(statement: &Statement) -> Option<DecisionStanding> {
    match statement.word() {
        Word::Withdrawn { revision } => Some(DecisionStanding::Withdrawn { revision: *revision }),
        Word::Retracted { revision } => Some(DecisionStanding::Retracted { revision: *revision }),
        Word::Superseded { revision, by } => Some(DecisionStanding::Superseded {
            revision: *revision,
            by: by.clone(),
        }),
        Word::Expired { on } => Some(DecisionStanding::Expired {
            revision: statement.revision(),
            on: on.to_string(),
        }),
        Word::Stands | Word::NotYet { .. } | Word::NotCounted { .. } => None,
    }
}

fn body<T: serde::de::DeserializeOwned>(statement: &Statement) -> Result<T, CustodyError> {
    identity::decode::<T>(statement.body(), &Limits::new().with_max_bytes(MAX_BODY_BYTES))
        .map(identity::Checked::into_inner)
        .map_err(|error| CustodyError::StatementInvalid {
            revision: statement.revision(),
            rule: format!("its body is no {}: {error}", statement.kind().word()),
        })
}

impl Standing {
    /// Whether it takes something back.
    #[must_use]
    pub fn takes_back(&self) -> bool {
        matches!(
            self,
            Self::Withdrawn { .. } | Self::Retracted { .. } | Self::Superseded { .. }
        )
    }
}
