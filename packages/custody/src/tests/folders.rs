//! Folders: what is wrong with one, told apart, each beside a sound one.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;

use identity::Digest;
use refusal::{Code, Reason};
use serde_json::{Value, json};

use super::place::{Place, TODAY, copy, day, private, qualification, says};
use super::{custody, receipt, row_use};
use crate::wire::v1::{Role, StatementKind, Status};
use crate::{CustodyError, Folder, Half, Key, Seen, Word, trust};

/// A folder with three statements.
fn sound() -> Place {
    let place = Place::new();
    place
        .signs(1, StatementKind::Qualification, &qualification("1", 1))
        .unwrap();
    for status in [Status::Withdrawn, Status::Valid] {
        let body = says(&receipt(&row_use(b"r")), status);
        place.signs(1, StatementKind::Disposition, &body).unwrap();
    }
    place
}

fn file(revision: u64) -> String {
    format!("statements/{revision:08}.json")
}

#[test]
fn a_sound_folder_opens_and_says_who_signed() {
    let place = sound();
    let custody = place.opens().unwrap();
    assert_eq!(custody.statements().len(), 3);
    for statement in custody.statements() {
        assert_eq!(
            (statement.word(), statement.signers()[0].owner.as_str()),
            (&Word::Stands, "Ada")
        );
    }
    let text = custody.trust_statement();
    for part in [
        "A test's",
        "at revision 3",
        "3 of 3 statements count",
        "signed by Ada",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(super::custody().trust_statement().ends_with("no signer"));
}

/// Each thing that can be wrong with a folder, and the answer to it; every one is INVALID_INPUT with a next step.
#[test]
fn what_is_wrong_with_a_folder_is_told_apart() {
    type Spoil = fn(&Place);
    type Is = fn(&CustodyError) -> bool;
    let cases: [(&str, Spoil, Is, Reason); 19] = [
        (
            "missing",
            |place| std::fs::remove_dir_all(place.path()).unwrap(),
            |error| matches!(error, CustodyError::FolderMissing { .. }),
            Reason::Unreachable,
        ),
        (
            "no record",
            |place| std::fs::remove_file(place.at("custody.json")).unwrap(),
            |error| matches!(error, CustodyError::NoCustody { .. }),
            Reason::Malformed,
        ),
        (
            "a file",
            |place| {
                std::fs::remove_dir_all(place.path()).unwrap();
                std::fs::write(place.path(), "x").unwrap();
            },
            |error| matches!(error, CustodyError::NoCustody { .. }),
            Reason::Malformed,
        ),
        (
            "the last statement is half there",
            |place| {
                let bytes = std::fs::read(place.at(&file(3))).unwrap();
                std::fs::write(place.at(&file(3)), &bytes[..bytes.len() / 2]).unwrap();
            },
            |error| {
                matches!(
                    error,
                    CustodyError::HalfWritten {
                        half: Half::EndsInItsMiddle,
                        ..
                    }
                )
            },
            Reason::Malformed,
        ),
        (
            "the last statement is empty",
            |place| std::fs::write(place.at(&file(3)), "").unwrap(),
            |error| {
                matches!(
                    error,
                    CustodyError::HalfWritten {
                        half: Half::Empty,
                        ..
                    }
                )
            },
            Reason::Malformed,
        ),
        (
            "a temporary file was left",
            |place| std::fs::write(place.at("statements/.00000004.json.Ab3dEf"), "{").unwrap(),
            |error| {
                matches!(
                    error,
                    CustodyError::HalfWritten {
                        half: Half::LeftOver,
                        ..
                    }
                )
            },
            Reason::Malformed,
        ),
        (
            "a key record ends in its middle",
            |place| std::fs::write(place.at("keys/ada.json"), "{\"schemaVersion\":1,").unwrap(),
            |error| {
                matches!(
                    error,
                    CustodyError::HalfWritten {
                        half: Half::EndsInItsMiddle,
                        ..
                    }
                )
            },
            Reason::Malformed,
        ),
        (
            "a strange file",
            |place| std::fs::write(place.at("statements/notes.txt"), "x").unwrap(),
            |error| matches!(error, CustodyError::Foreign { .. }),
            Reason::UnknownShape,
        ),
        (
            "a gap",
            |place| std::fs::remove_file(place.at(&file(2))).unwrap(),
            |error| {
                matches!(
                    error,
                    CustodyError::Gap {
                        missing: 2,
                        found: 3,
                        ..
                    }
                )
            },
            Reason::Integrity,
        ),
        (
            "two files of one revision",
            |place| {
                assert!(
                    std::fs::copy(place.at(&file(3)), place.at("statements/00000003 (copy).json")).is_ok()
                );
            },
            |error| matches!(error, CustodyError::StatementFork { revision: 3, .. }),
            Reason::Integrity,
        ),
        (
            "a file under another revision's name",
            |place| std::fs::rename(place.at(&file(3)), place.at(&file(4))).unwrap(),
            |error| matches!(error, CustodyError::StatementInvalid { revision: 3, .. }),
            Reason::Malformed,
        ),
        (
            "a payload that was altered",
            |place| {
                place.edit(&file(1), |envelope| {
                    let text = envelope["payload"].as_str().unwrap();
                    let mut bytes =
                        base64::Engine::decode(&base64::engine::general_purpose::STANDARD, text).unwrap();
                    let at = bytes.windows(12).position(|it| it == b"PCVR_HEADSET").unwrap();
                    bytes[at..at + 12].copy_from_slice(b"PCVR_HEADSEX");
                    envelope["payload"] = json!(base64::Engine::encode(
                        &base64::engine::general_purpose::STANDARD,
                        bytes
                    ));
                });
            },
            |error| matches!(error, CustodyError::SignatureInvalid { .. }),
            Reason::Integrity,
        ),
        (
            "a signature of another statement",
            |place| {
                let other: Value =
                    serde_json::from_slice(&std::fs::read(place.at(&file(2))).unwrap()).unwrap();
                place.edit(&file(3), |envelope| {
                    envelope["signatures"] = other["signatures"].clone();
                });
            },
            |error| matches!(error, CustodyError::SignatureInvalid { .. }),
            Reason::Integrity,
        ),
        (
            "another payload type",
            |place| {
                place.edit(&file(1), |envelope| {
                    envelope["payloadType"] = json!("application/vnd.in-toto+json");
                });
            },
            |error| matches!(error, CustodyError::EnvelopeInvalid { .. }),
            Reason::Malformed,
        ),
        (
            "a member that no envelope has",
            |place| place.edit(&file(1), |envelope| envelope["trusted"] = json!(true)),
            |error| matches!(error, CustodyError::FileDecode { .. }),
            Reason::UnknownShape,
        ),
        (
            "a key of another type",
            |place| place.edit("keys/ben.json", |key| key["algorithm"] = json!("RSA")),
            |error| matches!(error, CustodyError::WrongKeyType { .. }),
            Reason::UnknownShape,
        ),
        (
            "a key of a type that nobody knows",
            |place| place.edit("keys/ben.json", |key| key["algorithm"] = json!("DILITHIUM")),
            |error| matches!(error, CustodyError::WrongKeyType { .. }),
            Reason::UnknownShape,
        ),
        (
            "a key under another's identity",
            |place| {
                place.edit("keys/ben.json", |key| {
                    key["keyId"] = json!(Digest::of(b"another"));
                });
            },
            |error| matches!(error, CustodyError::KeyInvalid { .. }),
            Reason::Malformed,
        ),
        (
            "one signer under two names",
            |place| {
                std::fs::copy(place.at("keys/ada.json"), place.at("keys/adele.json")).unwrap();
                place.edit("keys/adele.json", |key| {
                    key["name"] = json!("adele");
                    key["owner"] = json!("Adele");
                });
            },
            |error| {
                matches!(error, CustodyError::OneSignerTwice { .. })
                    && error.to_string().contains("ada and adele are one signer")
            },
            Reason::AmbiguousReference,
        ),
    ];
    for (name, spoil, is, reason) in cases {
        let place = sound();
        assert!(place.opens().is_ok(), "{name}: the control");
        spoil(&place);
        let error = place.opens().expect_err(name);
        assert!(is(&error), "{name}: {error:?}");
        let refusal = error.refusal();
        assert_eq!(
            (refusal.code(), refusal.reason()),
            (Code::InvalidInput, reason),
            "{name}: {error}"
        );
        assert!(
            refusal.retry().is_some() && !refusal.subjects().is_empty(),
            "{name}"
        );
        for word in ["retracted", "expired"] {
            assert!(!error.to_string().contains(word), "{name}: {error}");
        }
    }
}

#[test]
fn a_chain_signed_by_its_own_people_still_keeps_its_rules() {
    let place = sound();
    let other = Place::new();
    other
        .signs(
            1,
            StatementKind::Disposition,
            &says(&receipt(&row_use(b"s")), Status::Valid),
        )
        .unwrap();
    other
        .signs(
            1,
            StatementKind::Disposition,
            &says(&receipt(&row_use(b"t")), Status::Valid),
        )
        .unwrap();
    std::fs::copy(other.at(&file(2)), place.at(&file(2))).unwrap();
    let error = place.opens().unwrap_err();
    assert!(
        matches!(error, CustodyError::StatementFork { revision: 2, .. }),
        "{error}"
    );

    let place = sound();
    let earlier = place.signs_on(
        &[1],
        StatementKind::Disposition,
        &says(&receipt(&row_use(b"s")), Status::Valid),
        "2026-11-30",
        None,
    );
    assert!(
        matches!(earlier, Err(CustodyError::StatementInvalid { .. })),
        "days do not go back"
    );
    let ends = place.signs_on(
        &[1],
        StatementKind::Disposition,
        &says(&receipt(&row_use(b"s")), Status::Valid),
        TODAY,
        Some("2027-01-01"),
    );
    assert!(
        matches!(ends, Err(CustodyError::StatementInvalid { .. })),
        "a disposition does not end"
    );
}

#[test]
fn a_folder_that_was_set_back_is_a_rollback_and_one_that_was_rewritten_a_fork() {
    let place = sound();
    let backup = tempfile::tempdir().unwrap();
    copy(&place.path(), &backup.path().join("custody"));
    let body = says(&receipt(&row_use(b"r")), Status::Retracted);
    place.signs(1, StatementKind::Disposition, &body).unwrap();

    let mut seen = Seen::nothing();
    let opened = place.opens_on(TODAY, &seen).unwrap();
    assert!(seen.note(&opened) && !seen.note(&opened));
    assert!(!seen.note(&custody()));
    let seen = Seen::from_bytes(&seen.to_bytes().unwrap()).unwrap();
    assert!(place.opens_on(TODAY, &seen).is_ok());

    std::fs::remove_file(place.at(&file(4))).unwrap();
    let error = place.opens_on(TODAY, &seen).unwrap_err();
    assert!(
        matches!(
            error,
            CustodyError::Rollback {
                held: 4,
                found: 3,
                ..
            }
        ),
        "{error}"
    );
    assert!(place.opens().is_ok(), "nobody else could tell");
    let old = Folder::open(&backup.path().join("custody"), custody(), day(TODAY), &seen);
    assert!(matches!(old, Err(CustodyError::Rollback { .. })));

    let body = says(&receipt(&row_use(b"r")), Status::Withdrawn);
    place.signs(1, StatementKind::Disposition, &body).unwrap();
    let error = place.opens_on(TODAY, &seen).unwrap_err();
    assert!(
        matches!(error, CustodyError::StatementFork { revision: 4, .. }),
        "{error}"
    );
    assert!(matches!(
        Seen::from_bytes(b"{}"),
        Err(CustodyError::SeenUnreadable { .. })
    ));
}

#[test]
fn a_key_is_trusted_for_its_roles_and_its_days() {
    let place = Place::new();
    let body = says(&receipt(&row_use(b"r")), Status::Valid);
    for (number, why) in [(2, "the role DISPOSE"), (3, "not among")] {
        let refused = place
            .signs(number, StatementKind::Disposition, &body)
            .unwrap_err();
        assert!(
            matches!(refused, CustodyError::MayNotSign { .. }) && refused.to_string().contains(why),
            "{refused}"
        );
        assert_eq!(refused.refusal().code(), Code::UseNotPermitted);
    }
    place.signs(1, StatementKind::Disposition, &body).unwrap();
    let limit = |until: &str, roles: &[Role]| {
        let roles: BTreeSet<Role> = roles.iter().copied().collect();
        let key = Key::new(
            "ada",
            "Ada",
            &private(1).public(),
            &roles,
            day("2026-01-01"),
            Some(day(until)),
        );
        trust(&place.path(), &key.unwrap(), &Seen::nothing()).unwrap();
        place.opens().unwrap().statements()[0].word().clone()
    };
    assert_eq!(limit("2027-01-01", &Role::ALL), Word::Stands);
    let was = limit("2026-11-30", &Role::ALL);
    assert!(
        matches!(&was, Word::NotCounted { why } if why.contains("until 2026-11-30")),
        "{was}"
    );
    let role = limit("2027-01-01", &[Role::Review]);
    assert!(
        matches!(&role, Word::NotCounted { why } if why.contains("the role DISPOSE")),
        "{role}"
    );
    std::fs::remove_file(place.at("keys/ada.json")).unwrap();
    let unknown = place.opens().unwrap();
    let word = unknown.statements()[0].word();
    assert!(
        matches!(word, Word::NotCounted { why } if why.contains("not a trusted key")),
        "{word}"
    );
    assert!(unknown.statements()[0].signers().is_empty());
}

#[test]
fn a_folder_that_may_not_be_read_says_so() {
    let place = sound();
    let path = place.at(&file(2));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        return; // Whoever runs this may read everything.
    }
    assert!(matches!(
        place.opens(),
        Err(CustodyError::FolderUnreadable { .. })
    ));
}

#[test]
fn the_fingerprint_changes_with_whatever_is_read() {
    let place = sound();
    let print = || Folder::fingerprint(&place.path()).unwrap();
    let before = print();
    assert_eq!(before, print());
    place
        .signs(
            1,
            StatementKind::Disposition,
            &says(&receipt(&row_use(b"s")), Status::Valid),
        )
        .unwrap();
    let after = print();
    assert_ne!(before, after);
    place.trusts("cleo", "Cleo", &private(3), &[Role::Review]);
    assert_ne!(after, print());
    std::fs::remove_dir_all(place.path()).unwrap();
    assert!(matches!(
        Folder::fingerprint(&place.path()),
        Err(CustodyError::FolderMissing { .. })
    ));
}

#[test]
fn nothing_is_made_over_something() {
    let place = sound();
    let made = Folder::init(&place.path(), "Another", day(TODAY), &[], [1; 16]);
    assert!(matches!(made, Err(CustodyError::Taken { .. })));
    let key = |name: &str, number: u8| {
        Key::new(
            name,
            "X",
            &private(number).public(),
            &BTreeSet::from([Role::Review]),
            day(TODAY),
            None,
        )
        .unwrap()
    };
    let seen = Seen::nothing();
    assert!(matches!(
        trust(&place.path(), &key("ada", 3), &seen),
        Err(CustodyError::Taken { .. })
    ));
    let twice = trust(&place.path(), &key("adele", 1), &seen);
    assert!(matches!(twice, Err(CustodyError::OneSignerTwice { .. })));
    assert!(trust(&place.path(), &key("cleo", 3), &seen).is_ok());
    for name in ["", "../up", "A", "-x", "a b"] {
        let roles = BTreeSet::from([Role::Review]);
        let made = Key::new(name, "X", &private(4).public(), &roles, day(TODAY), None);
        assert!(matches!(made, Err(CustodyError::KeyInvalid { .. })), "{name}");
    }
}
