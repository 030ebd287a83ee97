//! `nemosyne custody`: what this machine trusts, shown, signed and taken back.

mod arguments;
mod decide;
mod dispose;
mod keys;
mod list;
mod show;
pub(crate) mod signing;

use std::path::PathBuf;

pub(crate) use arguments::{Custody, Signing};
use arguments::{Init, KeysVerb};
use custody::Folder;
use custody::wire::v1::{StatementKind, Threshold};
use identity::SafeInteger;
use refusal::{Reason, Refusal, Stage};

use crate::output::{Report, Stop};
use crate::runtime;

impl Custody {
    /// Whether one JSON object is asked for.
    pub(crate) const fn json(&self) -> bool {
        match self {
            Self::List(it) => it.json,
            Self::Show(it) => it.json,
            Self::Init(it) => it.json,
            Self::Keys(KeysVerb::List(it)) => it.json,
            Self::Keys(KeysVerb::New(it)) => it.json,
            Self::Keys(KeysVerb::Trust(it)) => it.json,
            Self::Add(it) => it.signing.json,
            Self::Qualify(it) | Self::Contraindicate(it) => it.signing.json,
            Self::Withdraw(it) | Self::Retract(it) | Self::Restore(it) => it.signing.json,
            Self::Supersede(it) => it.signed.signing.json,
            Self::Refresh(it) => it.signing.json,
        }
    }
}

pub(crate) fn run(arguments: &Custody) -> Result<Report, Stop> {
    match arguments {
        Custody::List(_) => list::run(),
        Custody::Show(it) => show::run(&it.reference),
        Custody::Init(it) => init(it),
        Custody::Keys(KeysVerb::List(_)) => keys::list(),
        Custody::Keys(KeysVerb::New(it)) => keys::new(it),
        Custody::Keys(KeysVerb::Trust(it)) => keys::trust(it),
        Custody::Add(it) => signing::add(it),
        Custody::Qualify(it) => decide::run(it, StatementKind::Qualification),
        Custody::Contraindicate(it) => decide::run(it, StatementKind::Contraindication),
        Custody::Withdraw(it) => dispose::run(it, custody::wire::v1::Status::Withdrawn, None),
        Custody::Retract(it) => dispose::run(it, custody::wire::v1::Status::Retracted, None),
        Custody::Restore(it) => dispose::run(it, custody::wire::v1::Status::Valid, None),
        Custody::Supersede(it) => dispose::run(
            &it.signed,
            custody::wire::v1::Status::Superseded,
            Some(it.by.as_str()),
        ),
        Custody::Refresh(it) => dispose::refresh(it),
    }
}

fn init(arguments: &Init) -> Result<Report, Stop> {
    let folder = match runtime::custody_folder() {
        Some(folder) => folder,
        None => runtime::own_custody_folder().ok_or_else(nowhere)?,
    };
    let mut thresholds = Vec::new();
    for (kind, owners) in &arguments.require {
        let owners = SafeInteger::new(i64::from(*owners)).map_err(anyhow::Error::from)?;
        thresholds.push(Threshold { kind: *kind, owners });
    }
    thresholds.sort_by_key(|threshold| threshold.kind);
    let mut entropy = [0; 16];
    random(&mut entropy)?;
    Folder::init(&folder, &arguments.title, runtime::today()?, &thresholds, entropy)
        .map_err(|error| error.refusal())?;
    let mut report = Report::new();
    report.line(format!("custody folder made at {}", folder.display()));
    report.line("  It trusts nobody yet: nemosyne custody keys new NAME --owner WHO --role ROLE --passphrase-file FILE");
    report.member("folder", folder.display().to_string());
    Ok(report)
}

/// The folder that is written to; reading may do without one, writing may not.
fn folder() -> Result<PathBuf, Refusal> {
    runtime::custody_folder().ok_or_else(nowhere)
}

fn nowhere() -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::NotStated,
        "There is no custody folder: none was named, and the user has none.",
    )
    .about("--custody")
    .next("Name one with --custody or NEMOSYNE_CUSTODY, or make one with `nemosyne custody init`.")
}

fn random(bytes: &mut [u8]) -> Result<(), Stop> {
    getrandom::fill(bytes)
        .map_err(|error| anyhow::anyhow!("the system gives no random bytes: {error}").into())
}
