//! Only what a trusted reviewer signed is confirmed.

use std::collections::BTreeSet;

use custody::wire::v1::{Role, StatementKind};
use custody::{Custody, Entropy, Folder, Key, Passphrase, PrivateKey, Seen, Shipped, append, trust};
use knowledge::Date;
use refusal::Code;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Decision, draft, meaning_of};
use crate::{Draft, Judgment, JudgmentError, confirmed, kept};

fn today() -> Date {
    Date::parse("2026-12-01").unwrap()
}

/// A folder that trusts Rea to review and Quinn to qualify.
struct Place {
    folder: TempDir,
    rea: PrivateKey,
    quinn: PrivateKey,
}

impl Place {
    fn new() -> Self {
        let key = |number: u8| {
            let passphrase = Passphrase::new("a test's").unwrap();
            PrivateKey::generate(&Entropy::new([number; 64]), &passphrase)
                .unwrap()
                .0
        };
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
            rea: key(1),
            quinn: key(2),
        };
        let path = place.folder.path().join("custody");
        Folder::init(&path, "A test's", today(), &[], [7; 16]).unwrap();
        for (name, owner, key, role) in [
            ("rea", "Rea Reviewer", &place.rea, Role::Review),
            ("quinn", "Quinn Qualifier", &place.quinn, Role::Qualify),
        ] {
            let roles = BTreeSet::from([role]);
            let key = Key::new(name, owner, &key.public(), &roles, today(), None).unwrap();
            trust(&path, &key, &Seen::nothing()).unwrap();
        }
        place
    }

    fn signs(&self, key: &PrivateKey, body: &[u8]) -> Result<u64, custody::CustodyError> {
        let draft = custody::Draft {
            kind: StatementKind::ReviewerStatement,
            body,
            issued_on: today(),
            expires_on: None,
        };
        let path = self.folder.path().join("custody");
        let shipped = Shipped::open().unwrap();
        append(&path, &shipped, &[key], &draft, &Seen::nothing()).map(|appended| appended.revision)
    }

    fn opens(&self) -> Custody {
        let path = self.folder.path().join("custody");
        Folder::open(&path, Shipped::open().unwrap(), today(), &Seen::nothing()).unwrap()
    }
}

#[test]
fn a_signature_of_a_reviewer_confirms_and_nothing_else_does() {
    let decision = Decision::flowers();
    let (critique, meaning) = (
        draft(decision.target()),
        Draft::meaning(meaning_of(decision.target())).unwrap(),
    );
    let place = Place::new();
    let id = critique.judgment().id();
    let error = confirmed(&place.opens(), &id).unwrap_err();
    assert!(matches!(error, JudgmentError::NotConfirmed { .. }), "{error}");
    assert_eq!(error.refusal().code(), Code::InvalidInput);

    // A key that may do something else may not do this.
    assert!(
        place
            .signs(&place.quinn, &critique.to_confirm().unwrap())
            .is_err()
    );
    // A draft is no confirmation, whoever signs it.
    place.signs(&place.rea, &critique.to_bytes().unwrap()).unwrap();
    // A confirmation whose judgment was changed confirms nothing.
    let mut altered: Value = serde_json::from_slice(&critique.to_confirm().unwrap()).unwrap();
    altered["judgment"]["critique"]["body"]["says"] = json!("All is well.");
    place
        .signs(&place.rea, &serde_json::to_vec(&altered).unwrap())
        .unwrap();
    let kept_so_far = kept(&place.opens());
    assert!(kept_so_far.confirmed.is_empty(), "{kept_so_far:?}");
    assert_eq!(kept_so_far.set_aside.len(), 2, "nothing is left out in silence");
    assert!(confirmed(&place.opens(), &id).is_err());

    for one in [&critique, &meaning] {
        place.signs(&place.rea, &one.to_confirm().unwrap()).unwrap();
    }
    let custody = place.opens();
    let found = kept(&custody);
    let ids: Vec<_> = found.confirmed.iter().map(|one| one.judgment().id()).collect();
    assert_eq!(ids, [critique.judgment().id(), meaning.judgment().id()]);
    let one = confirmed(&custody, &id).unwrap();
    assert_eq!(one.judgment(), critique.judgment());
    assert_eq!(one.signers()[0].owner, "Rea Reviewer");
    assert_eq!(one.confirmed_on(), today());
    assert_eq!(one.resolve(&decision.ground()), Ok(()));
    let Judgment::Critique(_) = one.judgment() else {
        panic!("it is one")
    };

    // Whatever custody keeps of judgments, what it knows and what it is made of for decisions stays as it ships.
    let shipped = Shipped::open().unwrap();
    assert_eq!(custody.manifest().id(), shipped.manifest().id());
    assert_eq!(custody.table().len(), shipped.table().len());
}
