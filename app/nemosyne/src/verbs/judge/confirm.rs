//! `nemosyne judge confirm`: a person stands by a draft, with a key that this custody trusts to review.

use std::path::Path;

use custody::wire::v1::StatementKind;
use judgment::{Draft, confirmed};

use super::arguments::JudgeConfirm;
use super::{ground, lines, value};
use crate::files;
use crate::output::{Report, Stop};
use crate::runtime;
use crate::verbs::custody::signing;

/// The most bytes of a draft's file: what is more is read as too much by [`Draft::from_bytes`].
const MAX_DRAFT_BYTES: u64 = 128 << 10;

pub(crate) fn run(arguments: &JudgeConfirm) -> Result<Report, Stop> {
    let draft = read(&arguments.file)?;
    if let Some(package) = &arguments.package {
        let opened = files::open_package(package)?;
        draft.resolve(&ground(&opened)).map_err(|error| error.refusal())?;
    }
    let body = draft.to_confirm().map_err(anyhow::Error::from)?;
    let kind = StatementKind::ReviewerStatement;
    let appended = signing::sign(&arguments.signing, kind, &body, None)?;
    // What was signed is read back as custody reads it.
    let id = draft.judgment().id();
    let confirmed = confirmed(&runtime::custody()?, &id).map_err(|error| error.refusal())?;
    let mut report = Report::new();
    report.line("CONFIRMED");
    lines(confirmed.judgment(), &mut report);
    for signer in confirmed.signers() {
        report.pair("confirmed by", format!("{} ({})", signer.owner, signer.name));
    }
    if arguments.package.is_none() {
        report.line("  target         not looked up: no --package was given");
    }
    signing::tell(&mut report, kind, &appended);
    report.member("judgment", value(confirmed.judgment(), "CONFIRMED"));
    Ok(report)
}

fn read(path: &Path) -> Result<Draft, Stop> {
    let bytes = files::read_bounded(path, MAX_DRAFT_BYTES)?;
    Draft::from_bytes(&bytes).map_err(|error| files::in_file(path, error.refusal()).into())
}
