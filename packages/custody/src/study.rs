//! The study owner: what the folder's acceptances and authorizations say on its day.
//!
//! A reference is used once. An authorization that was taken back, expired or is not counted is held all the same, so that
//! the answer says why it permits nothing: absence and an end are different answers.

use std::collections::BTreeMap;

use forma::{Answer, StudyStanding, Withheld, WithheldBecause};
use identity::{Digest, Identity};
use knowledge::Date;
use representation::wire::v2::GraphBody;
use study::wire::v1::AuthorizationBody;
use study::{Acceptance, Authorization, Documents, Signed, Signer, StudyError};

use crate::CustodyError;
use crate::folder::Folder;
use crate::statement::{Statement, Word};
use crate::wire::v1::StatementKind;

/// What the folder says of studies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Studies {
    by_reference: BTreeMap<String, StudyStanding>,
    treatments: BTreeMap<Identity<GraphBody>, String>,
    texts: BTreeMap<Digest, Vec<u8>>,
}

/// An acceptance with its statement.
struct Accepted<'a> {
    statement: &'a Statement,
    acceptance: Acceptance,
    signers: Vec<Signer>,
}

impl Studies {
    /// The answer for a reference.
    pub(crate) fn answer(&self, reference: &str) -> Answer<StudyStanding> {
        self.by_reference
            .get(reference)
            .cloned()
            .map_or(Answer::Absent, Answer::Known)
    }

    /// The reference of a running study that holds a graph as its treatment.
    pub(crate) fn treatment(&self, graph: Identity<GraphBody>) -> Option<String> {
        self.treatments.get(&graph).cloned()
    }

    /// The documents of running studies, for packages to carry.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&Digest, &Vec<u8>)> {
        self.texts.iter()
    }

    /// Reads the folder's statements, each of which was judged before.
    ///
    /// # Errors
    /// [`CustodyError::StatementInvalid`] for a counted statement whose body is none of its kind, and for a reference that is
    /// used twice.
    pub(crate) fn of(folder: &Folder, now: Date) -> Result<Self, CustodyError> {
        let accepted = accepted(folder)?;
        let mut studies = Self::default();
        let mut uncounted = Vec::new();
        for statement in of_kind(folder, StatementKind::StudyAuthorization) {
            let Some(authorization) = read(statement, AuthorizationBody::read)? else {
                continue;
            };
            let reference = authorization.body().reference.clone();
            if let Word::NotCounted { why } = statement.word() {
                uncounted.push((
                    reference,
                    withheld(WithheldBecause::Unfounded, format!("it is not counted: {why}.")),
                ));
                continue;
            }
            if studies.by_reference.contains_key(&reference) {
                return Err(CustodyError::StatementInvalid {
                    revision: statement.revision(),
                    rule: format!(
                        "the reference {reference} was used before; another authorization has another"
                    ),
                });
            }
            let standing = studies.stand(statement, &authorization, &accepted, now);
            studies.by_reference.insert(reference, standing);
        }
        // What nobody trusted signed takes no name from what somebody trusted did.
        for (reference, standing) in uncounted {
            studies.by_reference.entry(reference).or_insert(standing);
        }
        Ok(studies)
    }

    fn stand(
        &mut self,
        statement: &Statement,
        authorization: &Authorization,
        accepted: &[Accepted<'_>],
        now: Date,
    ) -> StudyStanding {
        if let Some(because) = because(statement.word()) {
            return withheld(because, format!("the statement {}.", statement.word()));
        }
        let body = authorization.body();
        let about: Vec<&Accepted<'_>> = accepted
            .iter()
            .filter(|one| Documents::of(&one.acceptance, authorization).is_ok())
            .collect();
        let signers = signers(statement);
        let mut why = format!(
            "nobody in this folder accepted its protocol {} and freeze {}.",
            body.protocol_id.short(),
            body.freeze_id.short()
        );
        let mut because_of = WithheldBecause::Unfounded;
        for one in about {
            if !one.statement.stands() {
                why = format!(
                    "the acceptance of its protocol at revision {} {}.",
                    one.statement.revision(),
                    one.statement.word()
                );
                continue;
            }
            let answer = study::grant(
                Signed {
                    document: authorization,
                    signers: &signers,
                },
                Signed {
                    document: &one.acceptance,
                    signers: &one.signers,
                },
                now,
            );
            match answer {
                Ok(grant) => {
                    if let Ok(documents) = Documents::of(&one.acceptance, authorization) {
                        for text in documents.texts() {
                            self.texts.insert(Digest::of(text), text.clone());
                        }
                    }
                    for graph in &grant.treatments {
                        self.treatments
                            .entry(*graph)
                            .or_insert_with(|| grant.reference.clone());
                    }
                    return StudyStanding::Runs(Box::new(grant));
                }
                Err(error) => {
                    because_of = error.because();
                    why = format!("{error}.");
                }
            }
        }
        withheld(because_of, why)
    }
}

/// Every acceptance that is counted, standing or not.
fn accepted(folder: &Folder) -> Result<Vec<Accepted<'_>>, CustodyError> {
    let mut found = Vec::new();
    for statement in of_kind(folder, StatementKind::ProtocolAcceptance) {
        if let Some(acceptance) = read(statement, Acceptance::read)? {
            found.push(Accepted {
                statement,
                acceptance,
                signers: signers(statement),
            });
        }
    }
    Ok(found)
}

fn of_kind(folder: &Folder, kind: StatementKind) -> impl Iterator<Item = &Statement> {
    folder
        .statements
        .iter()
        .filter(move |statement| statement.kind() == kind)
}

/// The body of a statement. One that is not counted may hold anything; one that is must hold what its kind says.
fn read<T>(
    statement: &Statement,
    read: impl FnOnce(&[u8]) -> Result<T, StudyError>,
) -> Result<Option<T>, CustodyError> {
    match read(statement.body()) {
        Ok(body) => Ok(Some(body)),
        Err(_) if matches!(statement.word(), Word::NotCounted { .. }) => Ok(None),
        Err(error) => Err(CustodyError::StatementInvalid {
            revision: statement.revision(),
            rule: error.to_string(),
        }),
    }
}

/// Everybody who signed and is known here, trusted for it or not: a hand is a hand.
fn signers(statement: &Statement) -> Vec<Signer> {
    statement
        .signers()
        .iter()
        .map(|signer| Signer {
            key: signer.key_id.to_string(),
            owner: signer.owner.clone(),
        })
        .collect()
}

fn because(word: &Word) -> Option<WithheldBecause> {
    match word {
        Word::Stands => None,
        Word::Withdrawn { .. } | Word::Retracted { .. } | Word::Superseded { .. } => {
            Some(WithheldBecause::Ended)
        }
        Word::Expired { .. } => Some(WithheldBecause::Expired),
        Word::NotYet { .. } => Some(WithheldBecause::NotYet),
        Word::NotCounted { .. } => Some(WithheldBecause::Unfounded),
    }
}

fn withheld(because: WithheldBecause, why: String) -> StudyStanding {
    StudyStanding::Withheld(Withheld { because, why })
}
