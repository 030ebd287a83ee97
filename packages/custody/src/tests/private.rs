//! Private keys: standard files, encrypted, for their owner alone.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;

use super::custody;
use super::place::{Place, TODAY, day, entropy, passphrase, qualification};
use crate::wire::v1::{Role, StatementKind};
use crate::{CustodyError, Draft, Key, Passphrase, PrivateKey, Seen, new_key, sign_and_append, trust};

fn mine(place: &Place) -> PrivateKey {
    PrivateKey::open(&place.at("private/dora.pem"), "dora", &passphrase()).unwrap()
}

#[test]
fn a_key_is_made_encrypted_and_signs() {
    let place = Place::new();
    let public = new_key(&place.path(), "dora", &passphrase(), &entropy(9)).unwrap();
    let text = std::fs::read_to_string(place.at("private/dora.pem")).unwrap();
    assert!(
        text.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"),
        "{text}"
    );
    let mode = |path| std::fs::metadata(place.at(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("private/dora.pem"), mode("private")), (0o600, 0o700));
    assert_eq!(mine(&place).public(), public);

    let roles = BTreeSet::from([Role::Qualify]);
    let key = Key::new("dora", "Dora", &public, &roles, day(TODAY), None).unwrap();
    let mut body = qualification("1", 1);
    body["decidedBy"] = key.author().into();
    let body = serde_json::to_vec(&body).unwrap();
    let draft = Draft {
        kind: StatementKind::Qualification,
        body: &body,
        issued_on: day(TODAY),
        expires_on: None,
    };
    let sign = |passphrase: &Passphrase| {
        sign_and_append(
            &place.path(),
            &custody(),
            &[("dora", passphrase)],
            &draft,
            &Seen::nothing(),
        )
    };
    assert!(
        matches!(sign(&passphrase()), Err(CustodyError::MayNotSign { why, .. }) if why.contains("not among")),
        "a key that is not trusted signs nothing"
    );
    trust(&place.path(), &key, &Seen::nothing()).unwrap();
    let wrong = sign(&Passphrase::new("incorrect horse").unwrap());
    assert!(matches!(wrong, Err(CustodyError::WrongPassphrase { .. })));
    assert_eq!(sign(&passphrase()).unwrap().revision, 1);
    assert_eq!(place.opens().unwrap().statements()[0].signers()[0].owner, "Dora");

    let again = new_key(&place.path(), "dora", &passphrase(), &entropy(8));
    assert!(matches!(again, Err(CustodyError::Taken { .. })));
    assert!(matches!(
        Passphrase::new("\n"),
        Err(CustodyError::EmptyPassphrase)
    ));
}

#[test]
fn a_key_that_others_may_read_does_not_sign() {
    let place = Place::new();
    new_key(&place.path(), "dora", &passphrase(), &entropy(9)).unwrap();
    let path = place.at("private/dora.pem");
    for mode in [0o640, 0o604, 0o620, 0o666] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        let found = PrivateKey::open(&path, "dora", &passphrase());
        assert!(
            matches!(found, Err(CustodyError::ReadableByOthers { .. })),
            "{mode:o} {found:?}"
        );
    }
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o400)).unwrap();
    mine(&place);
}

#[test]
fn what_is_no_encrypted_ed25519_key_is_told_apart() {
    let place = Place::new();
    new_key(&place.path(), "dora", &passphrase(), &entropy(9)).unwrap();
    let path = place.at("private/dora.pem");
    let text = std::fs::read_to_string(&path).unwrap();
    let open = |text: &str| {
        std::fs::write(&path, text).unwrap();
        PrivateKey::open(&path, "dora", &passphrase())
    };
    assert!(open(&text).is_ok());
    for (text, says) in [
        ("", "no PEM"),
        (
            "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJ\n-----END PRIVATE KEY-----\n",
            "only as an",
        ),
        (&text.replace("ENCRYPTED ", ""), "only as an"),
        (&text[..200], "no PEM"),
    ] {
        let found = open(text);
        assert!(
            matches!(&found, Err(CustodyError::KeyUnreadable { why, .. }) if why.contains(says)),
            "{says} {found:?}"
        );
    }
    let missing = PrivateKey::open(&place.at("private/eve.pem"), "eve", &passphrase());
    assert!(matches!(missing, Err(CustodyError::NoPrivateKey { .. })));
}
