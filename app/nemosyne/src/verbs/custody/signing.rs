//! Signing: passphrases from files or the environment, never from the command line.

use custody::wire::v1::StatementKind;
use custody::{Appended, Draft, Passphrase, Shipped};
use knowledge::Date;
use refusal::{Reason, Refusal, Stage};

use super::arguments::{Add, Signing};
use crate::output::{Report, Stop};
use crate::{files, runtime};

/// Most bytes of a body in a file.
const MAX_BODY_BYTES: u64 = 16 << 20;

/// Most bytes of a passphrase's file.
const MAX_PASSPHRASE_BYTES: u64 = 4096;

/// The passphrase in a file, else that of the environment.
pub(super) fn passphrase(file: Option<&std::path::Path>) -> Result<Passphrase, Stop> {
    let text = match file {
        Some(path) => String::from_utf8(files::read_bounded(path, MAX_PASSPHRASE_BYTES)?)
            .map_err(|_| anyhow::anyhow!("the passphrase in {} is no UTF-8", path.display()))?,
        None => std::env::var("NEMOSYNE_PASSPHRASE").map_err(|_| {
            Refusal::new(
                Stage::DecodeIntegrity,
                Reason::NotStated,
                "No passphrase was given.",
            )
            .about("--passphrase-file")
            .next("Name a file with --passphrase-file, or set NEMOSYNE_PASSPHRASE.")
        })?,
    };
    Ok(Passphrase::new(text).map_err(|error| error.refusal())?)
}

/// Signs a body and appends it to the folder; what was just written is remembered as seen.
pub(crate) fn sign(
    signing: &Signing,
    kind: StatementKind,
    body: &[u8],
    expires_on: Option<Date>,
) -> Result<Appended, Stop> {
    let folder = super::folder()?;
    let shipped = Shipped::open().map_err(|error| error.refusal())?;
    let mut signers = Vec::new();
    for (place, key) in signing.keys.iter().enumerate() {
        let files = &signing.passphrase_files;
        let file = files
            .get(place)
            .or_else(|| files.first().filter(|_| files.len() == 1));
        signers.push((key.as_str(), passphrase(file.map(std::path::PathBuf::as_path))?));
    }
    let signers: Vec<(&str, &Passphrase)> = signers.iter().map(|(name, it)| (*name, it)).collect();
    let draft = Draft {
        kind,
        body,
        issued_on: runtime::today()?,
        expires_on,
    };
    let seen = runtime::seen()?;
    let appended = custody::sign_and_append(&folder, &shipped, &signers, &draft, &seen)
        .map_err(|error| error.refusal())?;
    runtime::open_custody(&folder, shipped)?;
    Ok(appended)
}

/// What was written, for people and scripts.
pub(crate) fn tell(report: &mut Report, kind: StatementKind, appended: &Appended) {
    report.pair("statement", format!("{} · {}", appended.revision, kind.word()));
    report.pair("payload", appended.digest);
    report.pair("file", appended.path.display());
    report.member("kind", kind.word());
    report.member("revision", appended.revision);
    report.member("payloadDigest", appended.digest.to_string());
    report.member("bodyDigest", appended.body_digest.to_string());
    report.member("file", appended.path.display().to_string());
}

/// `add`: a body of any kind, as it stands in a file.
pub(super) fn add(arguments: &Add) -> Result<Report, Stop> {
    let body = files::read_bounded(&arguments.file, MAX_BODY_BYTES)?;
    let appended = sign(&arguments.signing, arguments.kind, &body, arguments.expires)?;
    let mut report = Report::new();
    report.line("SIGNED");
    tell(&mut report, arguments.kind, &appended);
    Ok(report)
}
