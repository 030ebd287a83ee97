//! The keys that a folder trusts: public records, each for stated roles and days.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::VerifyingKey;
use identity::{Digest, SafeInteger};
use knowledge::Date;

use crate::CustodyError;
use crate::wire::v1::{Algorithm, KeyRecord, Role, StatementKind};

/// Most keys of one folder.
pub(crate) const MAX_KEYS: usize = 1_024;

/// One trusted key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    record: KeyRecord,
    key: VerifyingKey,
}

impl Key {
    /// The record of a new key.
    ///
    /// # Errors
    /// [`CustodyError::KeyInvalid`] for a name, an owner or roles that break a rule.
    pub fn new(
        name: &str,
        owner: &str,
        public_key: &[u8; 32],
        roles: &BTreeSet<Role>,
        valid_from: Date,
        valid_until: Option<Date>,
    ) -> Result<Self, CustodyError> {
        Self::from_record(KeyRecord {
            schema_version: SafeInteger::new(1).map_err(|error| invalid(name, &error.to_string()))?,
            name: name.to_owned(),
            key_id: Digest::of(public_key),
            algorithm: Algorithm::Ed25519,
            public_key: STANDARD.encode(public_key),
            owner: owner.to_owned(),
            roles: roles.iter().copied().collect(),
            valid_from,
            valid_until,
        })
    }

    /// Checks every rule of a record. That a record is sound makes its key known, not trusted: [`crate::trust`] does.
    ///
    /// # Errors
    /// [`CustodyError::KeyInvalid`] or [`CustodyError::WrongKeyType`].
    pub fn from_record(record: KeyRecord) -> Result<Self, CustodyError> {
        let name = record.name.as_str();
        let rule = |holds: bool, text: &str| if holds { Ok(()) } else { Err(invalid(name, text)) };
        rule(record.schema_version.get() == 1, "schemaVersion is 1")?;
        rule(
            is_name(name),
            "a name is 1 to 64 lowercase letters, digits, `-`, `_` or `.`, and begins with a letter or digit",
        )?;
        if record.algorithm != Algorithm::Ed25519 {
            return Err(CustodyError::WrongKeyType {
                name: name.to_owned(),
                found: format!("{:?}", record.algorithm),
            });
        }
        rule(!record.owner.trim().is_empty(), "the owner has a name")?;
        rule(!record.roles.is_empty(), "a trusted key has at least one role")?;
        let in_order = record.roles.windows(2).all(|pair| pair[0] < pair[1]);
        rule(in_order, "roles stand in order, each once")?;
        rule(
            record.valid_until.is_none_or(|until| until >= record.valid_from),
            "validUntil is not before validFrom",
        )?;
        let bytes = STANDARD.decode(&record.public_key).ok();
        let Some(bytes) = bytes.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok()) else {
            return Err(CustodyError::WrongKeyType {
                name: name.to_owned(),
                found: "a public key that is not 32 bytes".to_owned(),
            });
        };
        rule(
            Digest::of(&bytes) == record.key_id,
            "keyId is the SHA-256 of the public key, and here it is not",
        )?;
        let key = VerifyingKey::from_bytes(&bytes)
            .map_err(|_| invalid(name, "the public key is no point of the curve"))?;
        rule(!key.is_weak(), "the public key is weak: anyone could sign for it")?;
        Ok(Self { record, key })
    }

    /// What is written down.
    #[must_use]
    pub fn record(&self) -> &KeyRecord {
        &self.record
    }

    /// Name in this folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.record.name
    }

    /// SHA-256 of the public key.
    #[must_use]
    pub fn id(&self) -> Digest {
        self.record.key_id
    }

    /// Whose it is.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.record.owner
    }

    /// Owner and identity, as a decision that this key signs names its author.
    #[must_use]
    pub fn author(&self) -> String {
        format!("{} ({})", self.record.owner, self.record.key_id)
    }

    /// The 32 bytes of the public key.
    #[must_use]
    pub fn public(&self) -> [u8; 32] {
        self.key.to_bytes()
    }

    pub(crate) fn verifying(&self) -> &VerifyingKey {
        &self.key
    }

    /// Why this key may not sign a statement of a kind on a day, when it may not.
    #[must_use]
    pub fn bars(&self, kind: StatementKind, on: Date) -> Option<String> {
        let role = kind.role();
        let record = &self.record;
        if !record.roles.contains(&role) {
            return Some(format!(
                "{} is not trusted with the role {}",
                record.name,
                role.word()
            ));
        }
        if on < record.valid_from {
            return Some(format!(
                "{} is trusted from {} on",
                record.name, record.valid_from
            ));
        }
        match record.valid_until {
            Some(until) if on > until => Some(format!("{} was trusted until {until}", record.name)),
            _ => None,
        }
    }
}

impl StatementKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Contraindication,
        Self::Disposition,
        Self::ProtocolAcceptance,
        Self::Qualification,
        Self::ReviewerStatement,
        Self::StudyAuthorization,
    ];

    /// The role that may sign it.
    #[must_use]
    pub const fn role(self) -> Role {
        match self {
            Self::Qualification | Self::Contraindication => Role::Qualify,
            Self::Disposition => Role::Dispose,
            Self::ProtocolAcceptance => Role::AcceptProtocol,
            Self::StudyAuthorization => Role::AuthorizeStudy,
            Self::ReviewerStatement => Role::Review,
        }
    }

    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Contraindication => "CONTRAINDICATION",
            Self::Disposition => "DISPOSITION",
            Self::ProtocolAcceptance => "PROTOCOL_ACCEPTANCE",
            Self::Qualification => "QUALIFICATION",
            Self::ReviewerStatement => "REVIEWER_STATEMENT",
            Self::StudyAuthorization => "STUDY_AUTHORIZATION",
        }
    }
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 5] = [
        Self::AcceptProtocol,
        Self::AuthorizeStudy,
        Self::Dispose,
        Self::Qualify,
        Self::Review,
    ];

    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AcceptProtocol => "ACCEPT_PROTOCOL",
            Self::AuthorizeStudy => "AUTHORIZE_STUDY",
            Self::Dispose => "DISPOSE",
            Self::Qualify => "QUALIFY",
            Self::Review => "REVIEW",
        }
    }
}

/// The trusted keys of one folder. No public key is here under two names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keyring {
    by_id: BTreeMap<Digest, Key>,
}

impl Keyring {
    /// Takes a key.
    ///
    /// # Errors
    /// [`CustodyError::OneSignerTwice`] when its public key is here under another name,
    /// [`CustodyError::KeyInvalid`] when its name is taken or there are too many keys.
    pub(crate) fn insert(&mut self, key: Key) -> Result<(), CustodyError> {
        if let Some(held) = self.by_id.get(&key.id()) {
            return Err(CustodyError::OneSignerTwice {
                first: held.name().to_owned(),
                second: key.name().to_owned(),
                key_id: key.id().to_string(),
            });
        }
        if self.named(key.name()).is_some() {
            return Err(invalid(key.name(), "another key has this name"));
        }
        if self.by_id.len() == MAX_KEYS {
            return Err(invalid(key.name(), "a folder trusts at most 1024 keys"));
        }
        self.by_id.insert(key.id(), key);
        Ok(())
    }

    /// The key with this identity.
    #[must_use]
    pub fn get(&self, id: &Digest) -> Option<&Key> {
        self.by_id.get(id)
    }

    /// The key with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Key> {
        self.by_id.values().find(|key| key.name() == name)
    }

    /// Every key, by identity.
    pub fn iter(&self) -> impl Iterator<Item = &Key> {
        self.by_id.values()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether nobody is trusted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }
}

/// Names become file names, on any system.
pub(crate) fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(plain) && name.as_bytes()[0].is_ascii_alphanumeric()
}

fn invalid(name: &str, rule: &str) -> CustodyError {
    CustodyError::KeyInvalid {
        name: name.to_owned(),
        rule: rule.to_owned(),
    }
}
