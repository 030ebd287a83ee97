//! What can be typed after `nemosyne custody`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use custody::wire::v1::{Role, StatementKind};
use identity::{Digest, Fingerprint};
use knowledge::Date;
use knowledge::wire::v1::{DeviceClass, Mapping};
use obligations::wire::v1::Predicate;
use serde::de::DeserializeOwned;

/// Verbs of custody.
#[derive(Debug, Subcommand)]
pub(crate) enum Custody {
    /// Everything that is trusted: what ships, the folder's statements and how each stands.
    List(Json),
    /// A policy, decision, statement, profile or key in full: what follows `rule` in a refusal can be looked up here.
    Show(Show),
    /// Make a custody folder.
    Init(Init),
    /// The keys that the folder trusts.
    #[command(subcommand)]
    Keys(KeysVerb),
    /// Sign a statement whose body is in a file.
    Add(Add),
    /// Sign that a mapping is qualified: read correctly by people, for stated claims, tasks and devices.
    Qualify(Decide),
    /// Sign that a mapping is known to mislead.
    Contraindicate(Decide),
    /// Take back a statement, decision, receipt or dataset; a later word may restore it.
    Withdraw(Dispose),
    /// Say that one of these was wrong; nothing restores it.
    Retract(Dispose),
    /// Say that another took its place.
    Supersede(Supersede),
    /// Say that what was withdrawn stands again.
    Restore(Dispose),
    /// Sign that up to today nothing else is known to have been taken back.
    Refresh(Refresh),
}

/// Verbs of keys.
#[derive(Debug, Subcommand)]
pub(crate) enum KeysVerb {
    /// The keys with their roles and days.
    List(Json),
    /// Make a key, encrypted under a passphrase, and trust it.
    New(KeyNew),
    /// Trust the public key in a record that another folder wrote (keys/NAME.json).
    Trust(KeyTrust),
}

#[derive(Debug, Args)]
pub(crate) struct Json {
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// `id@version` or `id` of a policy or decision, revision or digest of a statement, name of a profile or key.
    #[arg(value_name = "REF")]
    pub(crate) reference: String,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// What people call it.
    #[arg(long, default_value = "Custody")]
    pub(crate) title: String,
    /// A kind that several owners must sign, as `QUALIFICATION=2`.
    #[arg(long, value_name = "KIND=N", value_parser = threshold)]
    pub(crate) require: Vec<(StatementKind, u8)>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct KeyNew {
    /// Name of the key: lowercase letters, digits, `-`, `_`, `.`.
    pub(crate) name: String,
    /// The person or body whose key it is.
    #[arg(long, value_name = "WHO")]
    pub(crate) owner: String,
    /// What it may sign: QUALIFY, DISPOSE, ACCEPT_PROTOCOL, AUTHORIZE_STUDY, REVIEW.
    #[arg(long = "role", value_name = "ROLE", value_delimiter = ',', required = true, value_parser = word::<Role>)]
    pub(crate) roles: Vec<Role>,
    /// File with the passphrase; else NEMOSYNE_PASSPHRASE.
    #[arg(long, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// Last day of trust.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) valid_until: Option<Date>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct KeyTrust {
    /// The public record.
    pub(crate) file: PathBuf,
    /// Name under which it is trusted here; else its own.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Roles here; else those of the record.
    #[arg(long = "role", value_name = "ROLE", value_delimiter = ',', value_parser = word::<Role>)]
    pub(crate) roles: Vec<Role>,
    /// Last day of trust here; else that of the record.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) valid_until: Option<Date>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// With which keys.
#[derive(Debug, Args)]
pub(crate) struct Signing {
    /// Key that signs; several for a kind that several owners sign.
    #[arg(long = "key", value_name = "NAME", required = true)]
    pub(crate) keys: Vec<String>,
    /// File with the passphrase, one for each key in order; else NEMOSYNE_PASSPHRASE for all. Never an argument, which others could read.
    #[arg(long = "passphrase-file", value_name = "FILE")]
    pub(crate) passphrase_files: Vec<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// The body, JSON.
    pub(crate) file: PathBuf,
    /// What it is: QUALIFICATION, CONTRAINDICATION, DISPOSITION, PROTOCOL_ACCEPTANCE, STUDY_AUTHORIZATION or REVIEWER_STATEMENT.
    #[arg(long, value_name = "KIND", value_parser = word::<StatementKind>)]
    pub(crate) kind: StatementKind,
    /// Its last day.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) expires: Option<Date>,
    #[command(flatten)]
    pub(crate) signing: Signing,
}

#[derive(Debug, Args)]
pub(crate) struct Decide {
    /// Channel in its arrangement, as `position_x:FREE_VOLUME`.
    #[arg(long = "mapping", value_name = "CHANNEL:ARRANGEMENT", value_delimiter = ',', required = true, value_parser = mapping)]
    pub(crate) mappings: Vec<Mapping>,
    /// What it carries: ORDER, RATIO, DIFFERENCE, …
    #[arg(long = "claim", value_name = "PREDICATE", value_delimiter = ',', value_parser = word::<Predicate>)]
    pub(crate) claims: Vec<Predicate>,
    /// In which task: COMPARE_RELATIVE, READ_VALUE, TRACE_PATH, …
    #[arg(long = "task", value_name = "TASK", value_delimiter = ',')]
    pub(crate) tasks: Vec<String>,
    /// On which device: desktop, pcvr, standalone.
    #[arg(long = "device", value_name = "DEVICE", value_delimiter = ',', value_parser = device)]
    pub(crate) devices: Vec<DeviceClass>,
    /// Who was studied, in words.
    #[arg(long, value_name = "TEXT")]
    pub(crate) population: String,
    /// What it rests on, a citation each.
    #[arg(long, value_name = "TEXT", required = true)]
    pub(crate) evidence: Vec<String>,
    /// How far it does not reach, a sentence each.
    #[arg(long, value_name = "TEXT", required = true)]
    pub(crate) limits: Vec<String>,
    /// The decision in a sentence; else it is put together from the rest.
    #[arg(long, value_name = "TEXT")]
    pub(crate) statement: Option<String>,
    /// PRIOR_ART, DOMAIN_CONVENTION, HUMAN_JUDGMENT or CONTROLLED_STUDY.
    #[arg(long, value_name = "WORD", default_value = "CONTROLLED_STUDY")]
    pub(crate) basis: String,
    /// Accessibility needs that it covers (a qualification) or holds under (a contraindication).
    #[arg(long, value_name = "NEED", value_delimiter = ',')]
    pub(crate) accessibility: Vec<String>,
    /// Most marks that it covers.
    #[arg(long, value_name = "N")]
    pub(crate) max_marks: Option<i64>,
    /// Name; else `custody:` and what it is about.
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// Version.
    #[arg(long = "decision-version", value_name = "TEXT", default_value = "1")]
    pub(crate) version: String,
    /// Decision that it replaces, `id@version`.
    #[arg(long, value_name = "REF")]
    pub(crate) supersedes: Option<String>,
    /// Its last day.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) expires: Option<Date>,
    #[command(flatten)]
    pub(crate) signing: Signing,
}

#[derive(Debug, Args)]
#[group(id = "subject", required = true, multiple = true)]
pub(crate) struct About {
    /// A decision by `id@version`, or a statement by revision or digest.
    #[arg(value_name = "REF", group = "subject")]
    pub(crate) reference: Option<String>,
    /// A receipt: the digest of its content, or its name in --package.
    #[arg(long, value_name = "DIGEST|ID", group = "subject", conflicts_with_all = ["reference", "dataset"])]
    pub(crate) receipt: Option<String>,
    /// A dataset by its fingerprint, and with it every receipt about it.
    #[arg(long, value_name = "FINGERPRINT", group = "subject", value_parser = fingerprint, conflicts_with = "reference")]
    pub(crate) dataset: Option<Fingerprint>,
}

#[derive(Debug, Args)]
pub(crate) struct Dispose {
    #[command(flatten)]
    pub(crate) about: About,
    /// Package in which the receipt's name is looked up.
    #[arg(long, value_name = "PKG", requires = "receipt")]
    pub(crate) package: Option<PathBuf>,
    /// Why, in a sentence.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
    #[command(flatten)]
    pub(crate) signing: Signing,
}

#[derive(Debug, Args)]
pub(crate) struct Supersede {
    #[command(flatten)]
    pub(crate) signed: Dispose,
    /// What takes its place.
    #[arg(long, value_name = "REF")]
    pub(crate) by: String,
}

#[derive(Debug, Args)]
pub(crate) struct Refresh {
    #[command(flatten)]
    pub(crate) signing: Signing,
}

/// A closed word, read as the wire reads it.
fn word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(serde_json::Value::from(text.to_uppercase().replace('-', "_")))
        .map_err(|error| error.to_string())
}

fn mapping(text: &str) -> Result<Mapping, String> {
    let (channel, arrangement) = text
        .split_once(':')
        .ok_or_else(|| "write channel and arrangement as position_x:FREE_VOLUME".to_owned())?;
    let channel =
        serde_json::from_value(serde_json::Value::from(channel)).map_err(|error| error.to_string())?;
    Ok(Mapping {
        channel,
        arrangement: word(arrangement)?,
    })
}

fn device(text: &str) -> Result<DeviceClass, String> {
    match text {
        "desktop" => Ok(DeviceClass::DesktopMonitor),
        "pcvr" => Ok(DeviceClass::PcvrHeadset),
        "standalone" => Ok(DeviceClass::StandaloneHeadset),
        _ => Err("desktop, pcvr or standalone".to_owned()),
    }
}

fn threshold(text: &str) -> Result<(StatementKind, u8), String> {
    let (kind, owners) = text
        .split_once('=')
        .ok_or_else(|| "write kind and number as QUALIFICATION=2".to_owned())?;
    let owners = owners.parse().map_err(|_| "the number is 1 to 16".to_owned())?;
    Ok((word(kind)?, owners))
}

fn fingerprint(text: &str) -> Result<Fingerprint, String> {
    Fingerprint::parse(text).map_err(|error| error.to_string())
}

/// A digest, when the text is one.
pub(crate) fn digest(text: &str) -> Option<Digest> {
    Digest::parse(text).ok()
}
