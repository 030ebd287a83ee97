//! A custody folder to try things on: three people, their keys, and what they sign.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::custody;
use crate::wire::v1::{Role, StatementKind, Status, Subject, Threshold};
use crate::{
    Appended, Custody, CustodyError, Draft, Entropy, Folder, Key, Passphrase, PrivateKey, Seen, append, trust,
};

pub(super) const TODAY: &str = "2026-12-01";

pub(super) fn day(text: &str) -> knowledge::Date {
    text.parse().unwrap()
}

/// The key of a person, by a number.
pub(super) fn private(number: u8) -> PrivateKey {
    PrivateKey::of_seed([number; 32])
}

pub(super) struct Place {
    folder: TempDir,
}

impl Place {
    /// Ada may sign everything, Ben qualifies alone, both from 2026 on; Cleo is unknown.
    pub(super) fn new() -> Self {
        Self::with(&[])
    }

    pub(super) fn with(thresholds: &[Threshold]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = Self { folder };
        Folder::init(&place.path(), "A test's", day("2026-01-01"), thresholds, [7; 16]).unwrap();
        place.trusts("ada", "Ada", &private(1), &Role::ALL);
        place.trusts("ben", "Ben", &private(2), &[Role::Qualify]);
        place
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("custody")
    }

    pub(super) fn at(&self, file: &str) -> PathBuf {
        self.path().join(file)
    }

    pub(super) fn trusts(&self, name: &str, owner: &str, key: &PrivateKey, roles: &[Role]) {
        let roles: BTreeSet<Role> = roles.iter().copied().collect();
        let key = Key::new(name, owner, &key.public(), &roles, day("2026-01-01"), None).unwrap();
        trust(&self.path(), &key, &Seen::nothing()).unwrap();
    }

    pub(super) fn signs(
        &self,
        number: u8,
        kind: StatementKind,
        body: &Value,
    ) -> Result<Appended, CustodyError> {
        self.signs_on(&[number], kind, body, TODAY, None)
    }

    pub(super) fn signs_on(
        &self,
        numbers: &[u8],
        kind: StatementKind,
        body: &Value,
        on: &str,
        until: Option<&str>,
    ) -> Result<Appended, CustodyError> {
        let body = serde_json::to_vec(body).unwrap();
        let draft = Draft {
            kind,
            body: &body,
            issued_on: day(on),
            expires_on: until.map(day),
        };
        let keys: Vec<PrivateKey> = numbers.iter().map(|number| private(*number)).collect();
        append(
            &self.path(),
            &custody(),
            &keys.iter().collect::<Vec<_>>(),
            &draft,
            &Seen::nothing(),
        )
    }

    pub(super) fn opens(&self) -> Result<Custody, CustodyError> {
        self.opens_on(TODAY, &Seen::nothing())
    }

    pub(super) fn opens_on(&self, on: &str, seen: &Seen) -> Result<Custody, CustodyError> {
        Folder::open(&self.path(), custody(), day(on), seen)
    }

    pub(super) fn edit(&self, file: &str, edit: impl FnOnce(&mut Value)) {
        let path = self.at(file);
        let mut value: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        edit(&mut value);
        std::fs::write(path, serde_json::to_vec(&value).unwrap()).unwrap();
    }
}

/// A qualification of depth in a volume for order in a PC headset, under a version.
pub(super) fn qualification(version: &str, decided_by: u8) -> Value {
    let owner = match decided_by {
        1 => "Ada",
        2 => "Ben",
        _ => "Cleo",
    };
    json!({
        "kind": "QUALIFICATION",
        "id": "custody:depth-order",
        "version": version,
        "statement": "In a PC headset, which of two marks lies farther along an axis of a volume can be read.",
        "mappings": [
            { "channel": "position_x", "arrangement": "FREE_VOLUME" },
            { "channel": "position_y", "arrangement": "FREE_VOLUME" },
            { "channel": "position_z", "arrangement": "FREE_VOLUME" }
        ],
        "claims": ["ORDER"],
        "tasks": ["COMPARE_RELATIVE"],
        "devices": ["PCVR_HEADSET"],
        "population": "The twelve people of a test.",
        "accessibility": [],
        "permittedUse": "PRODUCTION",
        "evidenceBasis": "CONTROLLED_STUDY",
        "decidedOn": TODAY,
        "decidedBy": format!("{owner} ({})", private(decided_by).id()),
        "evidence": ["A study that this test invents."],
        "limitations": ["It never took place."],
        "revision": 1
    })
}

pub(super) fn says(subject: &Subject, status: Status) -> Value {
    let mut entry = json!({ "subject": subject, "status": status, "reason": "A test says so." });
    if status == Status::Superseded {
        entry["supersededBy"] = json!("another");
    }
    json!({ "entries": [entry] })
}

/// Decisions of the place's table by name.
pub(super) fn decision(custody: &Custody, version: &str) -> Subject {
    let pin = custody
        .table()
        .pin(&format!("custody:depth-order@{version}"))
        .unwrap();
    Subject::Decision {
        id: pin.id,
        version: pin.version,
        digest: pin.digest,
    }
}

pub(super) fn passphrase() -> Passphrase {
    Passphrase::new("correct horse\n").unwrap()
}

pub(super) fn entropy(number: u8) -> Entropy {
    Entropy::new([number; 64])
}

pub(super) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
