//! The permission: given when two hands signed for the same frozen study, within its days and bounds.

use std::collections::BTreeSet;

use forma::StudyGrant;
use knowledge::Date;

use crate::wire::v1::ExposureBound;
use crate::{Acceptance, Authorization, Documents, StudyError, authorization};

/// Who signed, as custody knows them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signer {
    /// Identity of the key.
    pub key: String,
    /// Whose key it is.
    pub owner: String,
}

/// A document with those who signed it; custody verified the signatures, and that the signers are trusted for it.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a, T> {
    /// The document.
    pub document: &'a T,
    /// Who signed it.
    pub signers: &'a [Signer],
}

/// The permission of an authorization on a day.
///
/// # Errors
/// [`StudyError::Another`] when the two are not for one protocol and one freeze; [`StudyError::Unsigned`];
/// [`StudyError::OneHand`] when one key or one owner signed both; [`StudyError::Wider`] when the authorization allows more
/// than was frozen; [`StudyError::AcceptedLate`]; [`StudyError::NotYet`] and [`StudyError::Expired`] by the day.
pub fn grant(
    authorization: Signed<'_, Authorization>,
    acceptance: Signed<'_, Acceptance>,
    today: Date,
) -> Result<StudyGrant, StudyError> {
    let documents = Documents::of(acceptance.document, authorization.document)?;
    two_hands(authorization.signers, acceptance.signers)?;
    within(&documents)?;
    let body = authorization.document.body();
    let accepted = acceptance.document.accepted_on();
    if body.valid_from < accepted {
        return Err(StudyError::AcceptedLate {
            accepted,
            from: body.valid_from,
        });
    }
    if today < body.valid_from {
        return Err(StudyError::NotYet {
            from: body.valid_from,
        });
    }
    if body.expires_on < today {
        return Err(StudyError::Expired { on: body.expires_on });
    }
    Ok(documents.terms())
}

/// Two keys of one owner are one hand.
fn two_hands(authorizing: &[Signer], accepting: &[Signer]) -> Result<(), StudyError> {
    for (what, signers) in [
        (authorization::WHAT, authorizing),
        ("protocol acceptance", accepting),
    ] {
        if signers.is_empty() {
            return Err(StudyError::Unsigned { what });
        }
    }
    let same = authorizing.iter().find(|one| {
        accepting
            .iter()
            .any(|other| other.key == one.key || other.owner == one.owner)
    });
    match same {
        Some(signer) => Err(StudyError::OneHand {
            who: signer.owner.clone(),
        }),
        None => Ok(()),
    }
}

/// An authorization is for the freeze's scope, and for nothing that was not frozen.
fn within(documents: &Documents) -> Result<(), StudyError> {
    let (freeze, authorization) = (documents.freeze().body(), documents.authorization().body());
    let wider = |what: String| Err(StudyError::Wider { what });
    if authorization.scope != freeze.scope {
        return wider(format!(
            "it is for scope {}@{}, the freeze for {}@{}",
            authorization.scope.id, authorization.scope.version, freeze.scope.id, freeze.scope.version
        ));
    }
    let frozen: BTreeSet<_> = freeze.devices.iter().collect();
    if let Some(device) = authorization
        .devices
        .iter()
        .find(|device| !frozen.contains(device))
    {
        return wider(format!("{device:?} was not frozen"));
    }
    let more = |own: ExposureBound, bound: ExposureBound| {
        own.max_seconds.get() > bound.max_seconds.get() || own.max_exposures.get() > bound.max_exposures.get()
    };
    if more(authorization.exposure, freeze.exposure) {
        return wider("its exposure is longer or more frequent".to_owned());
    }
    Ok(())
}
