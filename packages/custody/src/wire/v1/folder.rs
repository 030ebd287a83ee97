//! A custody folder: who is trusted, and what was signed.

use identity::{Digest, SafeInteger};
use knowledge::Date;
use serde::{Deserialize, Serialize};

use super::{Status, Subject};

/// `custody.json`: that a folder is one, and its own name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FolderRecord {
    /// 1.
    pub schema_version: SafeInteger,
    /// `CUSTODY_FOLDER`.
    pub kind: FolderKind,
    /// Name of the feed that the statements of this folder make; no other folder has it.
    pub feed_id: String,
    /// What people call it.
    pub title: String,
    /// The day it was made.
    pub created_on: Date,
    /// Kinds that more than one owner must sign, by kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<Threshold>,
}

/// The kind of a folder record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FolderKind {
    /// A custody folder.
    CustodyFolder,
}

/// How many owners must sign a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Threshold {
    /// Kind.
    pub kind: StatementKind,
    /// Owners, at least 1; two keys of one owner are one.
    pub owners: SafeInteger,
}

/// `keys/NAME.json`: a public key that this folder trusts, and for what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyRecord {
    /// 1.
    pub schema_version: SafeInteger,
    /// The file's name without its ending.
    pub name: String,
    /// SHA-256 of the 32 bytes of the public key.
    pub key_id: Digest,
    /// `ED25519`.
    pub algorithm: Algorithm,
    /// The 32 bytes in base64.
    pub public_key: String,
    /// The person or body whose key it is.
    pub owner: String,
    /// What it may sign, in order.
    pub roles: Vec<Role>,
    /// First day of trust.
    pub valid_from: Date,
    /// Last day of trust.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Date>,
}

/// A signature algorithm. All but one are read in order to be refused by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Algorithm {
    /// RFC 8032. The one that is trusted.
    Ed25519,
    /// Not trusted.
    Ed448,
    /// Not trusted.
    EcdsaP256,
    /// Not trusted.
    EcdsaP384,
    /// Not trusted.
    Rsa,
}

/// What a key may sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Role {
    /// Acceptances of a study protocol.
    AcceptProtocol,
    /// Study authorizations.
    AuthorizeStudy,
    /// Dispositions: what stands and what no longer does.
    Dispose,
    /// Qualifications and contraindications.
    Qualify,
    /// Reviewers' statements.
    Review,
}

/// One signed statement: a DSSE envelope, <https://github.com/secure-systems-lab/dsse>.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Envelope {
    /// What the payload is.
    pub payload_type: String,
    /// The exact bytes that were signed, in base64.
    pub payload: String,
    /// Who signed.
    pub signatures: Vec<Signature>,
}

/// One signature of an envelope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// Identity of the key, as [`KeyRecord::key_id`].
    pub keyid: Digest,
    /// 64 bytes in base64.
    pub sig: String,
}

/// What is signed. Its bytes are the canonical text of its head, with the body's exact bytes in their place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Payload<B> {
    /// What it says; the shape depends on the kind.
    pub body: B,
    /// Last day on which it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_on: Option<Date>,
    /// The folder's feed.
    pub feed_id: String,
    /// The day it was signed.
    pub issued_on: Date,
    /// Kind.
    pub kind: StatementKind,
    /// Digest of the payload before; absent in the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Digest>,
    /// 1 for the first, then one more each.
    pub revision: SafeInteger,
    /// 1.
    pub schema_version: SafeInteger,
}

/// A [`Payload`] without its body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Head {
    /// Last day on which it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_on: Option<Date>,
    /// The folder's feed.
    pub feed_id: String,
    /// The day it was signed.
    pub issued_on: Date,
    /// Kind.
    pub kind: StatementKind,
    /// Digest of the payload before; absent in the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<Digest>,
    /// 1 for the first, then one more each.
    pub revision: SafeInteger,
    /// 1.
    pub schema_version: SafeInteger,
}

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StatementKind {
    /// A known harm; the body is a `knowledge::wire::v1::Decision`.
    Contraindication,
    /// What stands and what no longer does; the body is a [`DispositionBody`].
    Disposition,
    /// A study protocol was accepted.
    ProtocolAcceptance,
    /// A mapping is qualified; the body is a `knowledge::wire::v1::Decision`.
    Qualification,
    /// What a reviewer says.
    ReviewerStatement,
    /// A frozen study may run.
    StudyAuthorization,
}

/// The body of a disposition. One document may speak of many subjects, under one signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DispositionBody {
    /// Up to this day the signer knows of nothing else that was taken back. Alone, it is a sign of life.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Date>,
    /// Each subject once.
    pub entries: Vec<Disposed>,
}

/// How one subject stands from here on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Disposed {
    /// Why, in a sentence.
    pub reason: String,
    /// How it stands.
    pub status: Status,
    /// About what.
    pub subject: Subject,
    /// What took its place; present exactly when superseded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
}

/// How old a source's last word may be; an asset pinned by digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Freshness {
    /// 1.
    pub schema_version: SafeInteger,
    /// `FRESHNESS_POLICY`.
    pub kind: FreshnessKind,
    /// Name.
    pub id: String,
    /// Version text.
    pub version: String,
    /// One record a kind of source.
    pub sources: Vec<Source>,
    /// The rules in words, in order.
    pub rules: Vec<String>,
    /// Date of the decision.
    pub decided_on: Date,
    /// Who decided.
    pub decided_by: String,
}

/// The kind of a freshness policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FreshnessKind {
    /// A freshness policy.
    FreshnessPolicy,
}

/// How old the last word of one kind of source may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Source {
    /// Kind.
    pub source: SourceKind,
    /// Most days since its last statement or sign of life; no bound when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_age_days: Option<SafeInteger>,
    /// Why this bound.
    pub reason: String,
}

/// Where dispositions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SourceKind {
    /// The feed that ships with the program.
    Shipped,
    /// A custody folder.
    Folder,
}
