//! `custody keys`: whom the folder trusts, and for what.

use std::collections::BTreeSet;

use custody::wire::v1::{KeyRecord, Role};
use custody::{Entropy, Folder, Key};
use identity::Limits;
use refusal::{Reason, Refusal, Stage};
use serde_json::{Value, json};

use super::arguments::{KeyNew, KeyTrust};
use super::signing::passphrase;
use crate::output::{Report, Stop};
use crate::{files, runtime};

const MAX_RECORD_BYTES: u64 = 64 * 1024;

pub(super) fn list() -> Result<Report, Stop> {
    let folder = super::folder()?;
    let folder = Folder::read(&folder, &runtime::seen()?).map_err(|error| error.refusal())?;
    let mut report = Report::new();
    if folder.keys().is_empty() {
        report.line("This folder trusts nobody yet.");
    }
    for key in folder.keys().iter() {
        report.line(line(key));
        report.pair("key", key.id());
    }
    report.member("keys", folder.keys().iter().map(value).collect::<Vec<_>>());
    Ok(report)
}

pub(super) fn new(arguments: &KeyNew) -> Result<Report, Stop> {
    let folder = super::folder()?;
    let passphrase = passphrase(arguments.passphrase_file.as_deref())?;
    let mut bytes = [0; 64];
    super::random(&mut bytes)?;
    let public = custody::new_key(&folder, &arguments.name, &passphrase, &Entropy::new(bytes))
        .map_err(|error| error.refusal())?;
    let roles: BTreeSet<Role> = arguments.roles.iter().copied().collect();
    let key = Key::new(
        &arguments.name,
        &arguments.owner,
        &public,
        &roles,
        runtime::today()?,
        arguments.valid_until,
    )
    .map_err(|error| error.refusal())?;
    trusted(&folder, &key)
}

pub(super) fn trust(arguments: &KeyTrust) -> Result<Report, Stop> {
    let folder = super::folder()?;
    let bytes = files::read_bounded(&arguments.file, MAX_RECORD_BYTES)?;
    let limits = Limits::new().with_max_bytes(bytes.len());
    let record = identity::decode::<KeyRecord>(&bytes, &limits)
        .map_err(|error| {
            Refusal::new(
                Stage::DecodeIntegrity,
                Reason::Malformed,
                format!("That is no record of a key: {error}."),
            )
            .about(arguments.file.display().to_string())
            .next("Take keys/NAME.json from the folder of whoever signs.")
        })?
        .into_inner();
    let own = Key::from_record(record).map_err(|error| error.refusal())?;
    let roles: BTreeSet<Role> = if arguments.roles.is_empty() {
        own.record().roles.iter().copied().collect()
    } else {
        arguments.roles.iter().copied().collect()
    };
    let key = Key::new(
        arguments.name.as_deref().unwrap_or(own.name()),
        own.owner(),
        &own.public(),
        &roles,
        own.record().valid_from,
        arguments.valid_until.or(own.record().valid_until),
    )
    .map_err(|error| error.refusal())?;
    trusted(&folder, &key)
}

fn trusted(folder: &std::path::Path, key: &Key) -> Result<Report, Stop> {
    custody::trust(folder, key, &runtime::seen()?).map_err(|error| error.refusal())?;
    let mut report = Report::new();
    report.line(format!("TRUSTED {}", line(key)));
    report.pair("key", key.id());
    report.member("key", value(key));
    Ok(report)
}

fn line(key: &Key) -> String {
    let roles: Vec<&str> = key.record().roles.iter().map(|role| role.word()).collect();
    let until = key
        .record()
        .valid_until
        .map_or_else(String::new, |until| format!(" until {until}"));
    format!(
        "{} · {} · {} · from {}{until}",
        key.name(),
        key.owner(),
        roles.join(", "),
        key.record().valid_from
    )
}

/// The public record.
pub(super) fn value(key: &Key) -> Value {
    serde_json::to_value(key.record()).unwrap_or_else(|_| json!(null))
}
