//! The disposition feed: append-only, strictly increasing, and silent about what it was not told.

use std::collections::BTreeMap;

use evidence::wire::v1::EvidenceUse;
use identity::{Digest, Limits, SafeInteger};
use knowledge::is_date;

use crate::CustodyError;
use crate::wire::v1::{DispositionFeed, Statement, Status, Subject};

const MAX_BYTES: usize = 16 << 20;

/// A feed whose statements were checked, with the last word on each subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Feed {
    wire: DispositionFeed,
    digest: Digest,
    last: BTreeMap<Subject, usize>,
}

/// What one feed says about a subject. A subject it was never told about is [`Standing::Silent`], which permits
/// nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It stands since this revision.
    Valid {
        /// Revision of the statement.
        revision: u64,
    },
    /// Something newer took its place.
    Superseded {
        /// Revision of the statement.
        revision: u64,
        /// What took its place.
        by: String,
    },
    /// Its owner took it back.
    Withdrawn {
        /// Revision of the statement.
        revision: u64,
    },
    /// It was wrong.
    Retracted {
        /// Revision of the statement.
        revision: u64,
    },
    /// Nothing was said.
    Silent,
}

/// What one feed says of the three subjects that a use of a receipt falls under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// Of every receipt of this kernel for this consumer under this profile.
    pub issuance: Standing,
    /// Of the dataset.
    pub dataset: Standing,
    /// Of the receipt itself.
    pub receipt: Standing,
}

impl Standing {
    /// The word for people.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Valid { .. } => "VALID",
            Self::Superseded { .. } => "SUPERSEDED",
            Self::Withdrawn { .. } => "WITHDRAWN",
            Self::Retracted { .. } => "RETRACTED",
            Self::Silent => "no statement",
        }
    }

    /// Graver words hold over lighter ones; between equals the later one does.
    pub(crate) const fn gravity(&self) -> (u8, u64) {
        match self {
            Self::Silent => (0, 0),
            Self::Valid { revision } => (1, *revision),
            Self::Superseded { revision, .. } => (2, *revision),
            Self::Withdrawn { revision } => (3, *revision),
            Self::Retracted { revision } => (4, *revision),
        }
    }
}

impl Feed {
    /// Reads a feed.
    ///
    /// # Errors
    /// [`CustodyError::Decode`] for text of another shape, [`CustodyError::Invalid`] for a feed that breaks a rule:
    /// revisions strictly increase and end at the feed's, dates do not go back, and nothing follows a retraction of the
    /// same subject.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CustodyError> {
        let limits = Limits::new().with_max_bytes(MAX_BYTES);
        let wire = identity::decode::<DispositionFeed>(bytes, &limits)
            .map_err(CustodyError::Decode)?
            .into_inner();
        let last = check(&wire)?;
        Ok(Self {
            wire,
            digest: Digest::of(bytes),
            last,
        })
    }

    /// Name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.wire.feed_id
    }

    /// Revision of the last statement.
    #[must_use]
    pub fn revision(&self) -> i64 {
        self.wire.revision.get()
    }

    /// Digest of its exact bytes.
    #[must_use]
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// The statements in order.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.wire.statements
    }

    /// The bytes of this feed with one statement more, at the next revision.
    ///
    /// # Errors
    /// [`CustodyError::Invalid`] when the longer feed would break a rule.
    pub fn appended(
        &self,
        issued_on: &str,
        subject: Subject,
        status: Status,
        superseded_by: Option<String>,
        reason: &str,
    ) -> Result<Vec<u8>, CustodyError> {
        let revision = SafeInteger::new(self.revision() + 1)
            .map_err(|error| CustodyError::invalid(self.id(), error.to_string()))?;
        let mut wire = self.wire.clone();
        wire.revision = revision;
        wire.statements.push(Statement {
            revision,
            issued_on: issued_on.to_owned(),
            subject,
            status,
            superseded_by,
            reason: reason.to_owned(),
        });
        check(&wire)?;
        identity::canonical::to_vec(&wire)
            .map_err(|error| CustodyError::invalid(self.id(), error.to_string()))
    }

    /// The feed that the counted dispositions of a folder make. Several statements may share a revision: one signed
    /// document may speak of many subjects.
    pub(crate) fn of_folder(
        id: &str,
        issued_by: &str,
        statements: Vec<Statement>,
    ) -> Result<Self, CustodyError> {
        let one = SafeInteger::new(1).map_err(|error| CustodyError::invalid(id, error.to_string()))?;
        let revision = statements.last().map_or(one, |statement| statement.revision);
        let wire = DispositionFeed {
            schema_version: one,
            feed_id: id.to_owned(),
            issued_by: issued_by.to_owned(),
            revision,
            statements,
        };
        let last = rules(&wire)?;
        Ok(Self {
            digest: Digest::of(id.as_bytes()),
            wire,
            last,
        })
    }

    /// Takes a newer state of this feed: every statement seen before stands in it unchanged.
    ///
    /// # Errors
    /// [`CustodyError::Rollback`] for a lower revision, [`CustodyError::Fork`] for another name or history.
    pub fn advance(&self, newer: Self) -> Result<Self, CustodyError> {
        let fork = |agreed| CustodyError::Fork {
            held: self.id().to_owned(),
            found: newer.id().to_owned(),
            agreed,
        };
        if newer.id() != self.id() || newer.wire.issued_by != self.wire.issued_by {
            return Err(fork(0));
        }
        if newer.revision() < self.revision() {
            return Err(CustodyError::Rollback {
                feed: self.id().to_owned(),
                held: self.revision(),
                found: newer.revision(),
            });
        }
        let common = self
            .statements()
            .iter()
            .zip(newer.statements())
            .take_while(|(a, b)| a == b)
            .count();
        if common < self.statements().len() {
            let agreed = self.statements()[..common]
                .last()
                .map_or(0, |statement| statement.revision.get());
            return Err(fork(agreed));
        }
        if newer.revision() == self.revision() || newer.statements()[common].revision.get() > self.revision()
        {
            Ok(newer)
        } else {
            Err(fork(self.revision()))
        }
    }

    /// How this feed speaks of one use of a receipt: of its issuance, of its dataset, of the receipt itself.
    #[must_use]
    pub fn evidence(&self, evidence_use: &EvidenceUse) -> Spoken {
        let of = |subject: &Subject| self.said(subject).map_or(Standing::Silent, standing);
        Spoken {
            issuance: of(&Subject::Issuance {
                kernel_version: evidence_use.kernel_version.clone(),
                consumer_id: evidence_use.consumer_id.clone(),
                requirement_profile_id: evidence_use.requirement_profile_id.clone(),
            }),
            dataset: of(&Subject::Dataset {
                dataset_fingerprint: evidence_use.dataset_fingerprint,
            }),
            receipt: of(&Subject::Receipt {
                receipt_content_digest: evidence_use.receipt_content_digest,
            }),
        }
    }

    /// How a signed statement of a folder stands.
    #[must_use]
    pub fn statement(&self, payload_digest: &Digest) -> Standing {
        let subject = Subject::Statement {
            payload_digest: *payload_digest,
        };
        self.said(&subject).map_or(Standing::Silent, standing)
    }

    /// How a knowledge decision or policy stands.
    #[must_use]
    pub fn decision(&self, id: &str, version: &str, digest: &Digest) -> Standing {
        let subject = Subject::Decision {
            id: id.to_owned(),
            version: version.to_owned(),
            digest: *digest,
        };
        self.said(&subject).map_or(Standing::Silent, standing)
    }

    /// Another digest that this feed knows under a decision's name, if any.
    #[must_use]
    pub fn other_content(&self, id: &str, version: &str, digest: &Digest) -> Option<&Digest> {
        self.statements()
            .iter()
            .find_map(|statement| match &statement.subject {
                Subject::Decision {
                    id: other,
                    version: at,
                    digest: content,
                } if other == id && at == version && content != digest => Some(content),
                _ => None,
            })
    }

    fn said(&self, subject: &Subject) -> Option<&Statement> {
        self.last
            .get(subject)
            .and_then(|place| self.wire.statements.get(*place))
    }
}

fn standing(statement: &Statement) -> Standing {
    let revision = statement.revision.to_u64().unwrap_or(0);
    match statement.status {
        Status::Valid => Standing::Valid { revision },
        Status::Superseded => Standing::Superseded {
            revision,
            by: statement.superseded_by.clone().unwrap_or_default(),
        },
        Status::Withdrawn => Standing::Withdrawn { revision },
        Status::Retracted => Standing::Retracted { revision },
    }
}

/// The rules of a feed that is one file: each statement has a revision of its own, and there is at least one.
fn check(wire: &DispositionFeed) -> Result<BTreeMap<Subject, usize>, CustodyError> {
    let refuse = |rule: &str| Err(CustodyError::invalid(&wire.feed_id, rule));
    let again = wire
        .statements
        .windows(2)
        .find(|pair| pair[0].revision == pair[1].revision);
    if let Some(pair) = again {
        let revision = pair[1].revision.get();
        return refuse(&format!(
            "revisions strictly increase from 1; {revision} does not"
        ));
    }
    if wire.statements.is_empty() {
        return refuse("a feed holds at least one statement");
    }
    rules(wire)
}

/// The rules of every feed.
fn rules(wire: &DispositionFeed) -> Result<BTreeMap<Subject, usize>, CustodyError> {
    let refuse = |rule: &str| Err(CustodyError::invalid(&wire.feed_id, rule));
    if wire.schema_version.get() != 1 {
        return refuse("schemaVersion is 1");
    }
    if wire.feed_id.trim().is_empty() || wire.issued_by.trim().is_empty() {
        return refuse("feed and issuer have a name");
    }
    let mut last: BTreeMap<Subject, usize> = BTreeMap::new();
    let mut before: Option<&Statement> = None;
    for (place, statement) in wire.statements.iter().enumerate() {
        let revision = statement.revision.get();
        if revision < 1 || before.is_some_and(|before| before.revision.get() > revision) {
            return refuse(&format!(
                "revisions strictly increase from 1; {revision} does not"
            ));
        }
        if !is_date(&statement.issued_on) {
            return refuse(&format!("revision {revision} has no date, YYYY-MM-DD"));
        }
        if before.is_some_and(|before| before.issued_on > statement.issued_on) {
            return refuse(&format!("revision {revision} is dated before the one it follows"));
        }
        if statement.reason.trim().is_empty() {
            return refuse(&format!("revision {revision} gives no reason"));
        }
        let by = statement.superseded_by.as_deref();
        if (statement.status == Status::Superseded) != by.is_some_and(|by| !by.trim().is_empty())
            || by == Some("")
        {
            return refuse(&format!(
                "revision {revision}: supersededBy goes with SUPERSEDED, and only with it"
            ));
        }
        if let Some(earlier) = last.insert(statement.subject.clone(), place)
            && wire.statements[earlier].status == Status::Retracted
        {
            return refuse(&format!(
                "revision {revision} speaks of what was retracted; a retraction is final"
            ));
        }
        before = Some(statement);
    }
    match before {
        Some(statement) if statement.revision == wire.revision => Ok(last),
        Some(_) => refuse("the feed's revision is that of its last statement"),
        None => Ok(last),
    }
}
