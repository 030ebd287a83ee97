//! Judgments that a person stands by: read from custody's verified statements, and from nowhere else.

use custody::wire::v1::StatementKind;
use custody::{Custody, Signer, Statement};
use identity::{Digest, Limits};
use knowledge::Date;

use crate::draft::Judgment;
use crate::wire::v1::{Confirmation, Verdict};
use crate::{Ground, JudgmentError, JudgmentId};

const MAX_BYTES: usize = 128 << 10;

/// A judgment with the people who stand by it: their trusted keys, with the role of a reviewer, signed it.
///
/// Only [`kept`] makes one, out of a statement that custody verified and that stands:
///
/// ```compile_fail,E0277
/// fn read<T: serde::de::DeserializeOwned>() {}
/// read::<judgment::Confirmed>();
/// ```
///
/// ```compile_fail,E0277
/// fn promote(draft: judgment::Draft) -> judgment::Confirmed { draft.into() }
/// ```
///
/// ```
/// fn look(one: &judgment::Confirmed) -> (&judgment::Judgment, &[custody::Signer]) { (one.judgment(), one.signers()) }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmed {
    judgment: Judgment,
    signers: Vec<Signer>,
    confirmed_on: Date,
    revision: u64,
    statement: Digest,
}

impl Confirmed {
    /// What is judged.
    #[must_use]
    pub const fn judgment(&self) -> &Judgment {
        &self.judgment
    }

    /// Who stands by it, as custody knows them. The author of the words may be somebody else.
    #[must_use]
    pub fn signers(&self) -> &[Signer] {
        &self.signers
    }

    /// The day it was confirmed, as its signer says.
    #[must_use]
    pub const fn confirmed_on(&self) -> Date {
        self.confirmed_on
    }

    /// The statement's place in custody's chain.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The statement's digest, by which it can be withdrawn.
    #[must_use]
    pub const fn statement(&self) -> Digest {
        self.statement
    }

    /// Whether it is about this decision.
    ///
    /// # Errors
    /// As [`Ground::resolve`].
    pub fn resolve(&self, ground: &Ground<'_>) -> Result<(), JudgmentError> {
        ground.resolve(self.judgment.target())
    }
}

/// A reviewer's statement that confirms nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// Its place in the chain.
    pub revision: u64,
    /// The judgment it speaks of, when it can be read.
    pub judgment: Option<JudgmentId>,
    /// Why it confirms nothing.
    pub why: String,
}

/// Every reviewer's statement of a custody: those that confirm, and those that don't, with the reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// Confirmed judgments in the order in which they were signed.
    pub confirmed: Vec<Confirmed>,
    /// The rest, in the same order. Nothing is left out in silence.
    pub set_aside: Vec<SetAside>,
}

/// Reads what custody keeps. The number of judgments, and whether they agree, means nothing to anybody.
#[must_use]
pub fn kept(custody: &Custody) -> Kept {
    let mut kept = Kept::default();
    for statement in custody.statements() {
        if statement.kind() != StatementKind::ReviewerStatement {
            continue;
        }
        let revision = statement.revision();
        match (read(statement), statement.stands()) {
            (Ok(judgment), true) => kept.confirmed.push(Confirmed {
                judgment,
                signers: statement.signers().to_vec(),
                confirmed_on: statement.issued_on(),
                revision,
                statement: statement.digest(),
            }),
            (Ok(judgment), false) => kept.set_aside.push(SetAside {
                revision,
                judgment: Some(judgment.id()),
                why: format!("the confirmation {}", statement.word()),
            }),
            (Err(error), _) => kept.set_aside.push(SetAside {
                revision,
                judgment: None,
                why: error.to_string(),
            }),
        }
    }
    kept
}

/// The confirmation of one judgment.
///
/// # Errors
/// [`JudgmentError::NotConfirmed`] when no standing statement confirms it, with what there is instead.
pub fn confirmed(custody: &Custody, id: &JudgmentId) -> Result<Confirmed, JudgmentError> {
    let Kept { confirmed, set_aside } = kept(custody);
    if let Some(found) = confirmed.into_iter().find(|one| one.judgment.id() == *id) {
        return Ok(found);
    }
    let instead = set_aside.into_iter().find(|one| one.judgment == Some(*id));
    Err(JudgmentError::NotConfirmed {
        id: id.to_string(),
        why: instead.map_or_else(|| "no statement speaks of it".to_owned(), |one| one.why),
    })
}

fn read(statement: &Statement) -> Result<Judgment, JudgmentError> {
    let limits = Limits::new().with_max_bytes(MAX_BYTES);
    let Confirmation {
        schema_version,
        verdict: Verdict::Confirmed,
        judgment,
    } = identity::decode::<Confirmation>(statement.body(), &limits)
        .map_err(JudgmentError::Decode)?
        .into_inner();
    if schema_version.get() != 1 {
        return Err(JudgmentError::Version {
            found: u64::try_from(schema_version.get()).unwrap_or(0),
            expected: 1,
        });
    }
    Judgment::open(judgment)
}
