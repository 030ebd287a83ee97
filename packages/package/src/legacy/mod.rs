//! Packages of format versions 1, 2 and 3, opened to be looked at.
//!
//! [`open`] walks the archive, reads the manifest by the rules of the version it states and of no other, decodes the
//! members, and computes again what is recorded about them: the dataset's identity, the counts, the receipts' digest,
//! and the investigation digest from the recorded ledger. What fails is refused with member and place, and never tried
//! as another version. What comes out is a [`LegacyPackage`]: inert values, each with what the format can vouch for.
//!
//! Nothing here leads to admission. A legacy package holds no snapshot, no obligations and no plan; its results came from
//! kernels that are not here, so running it again is `REPLAY_UNSUPPORTED`. A member that a later version would read, such
//! as `investigation/forma.json`, is one that this version doesn't have, and is left unread.
//!
//! ```compile_fail,E0277
//! fn promote(legacy: package::legacy::LegacyPackage) -> package::Opened {
//!     legacy.into()
//! }
//! ```
//!
//! Source: the authority decision, sections 4.3, 9 and 11.

mod archive;
mod data;
mod digest;
mod error;
mod facts;
mod json;
mod ledger;
mod limits;
mod manifest;
mod names;
mod reading;
mod records;

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use evidence::{Binding, HistoricEnvelope};
use serde_json::Value;

use self::archive::LegacyArchive;
use self::json::{At, parse};
use self::ledger::Ledger;
use self::reading::{is_read, need, read};
use crate::container::{Access, ContainerError};
use crate::dispatch::FormatVersion;

pub use data::{LegacyColumn, LegacyDataset};
pub use error::LegacyError;
pub use facts::{Facts, Stated, Strength};
pub use ledger::{
    AnalyticalState, LegacyAnnotation, LegacyEvent, LegacyFinding, LegacyObservation, LegacyResult,
};
pub use limits::LegacyLimits;
pub use manifest::{
    DigestAlgorithm, EvidenceSummary, LegacyManifest, RecordedIdentity, RepresentationModel, ResearchContext,
};
pub use names::EntryNameRule;
pub use records::{LegacyDecision, LegacyDiscovery, LegacyNilOutcome};

pub(crate) const MANIFEST: &str = "manifest.json";
const DATASET: &str = "data/dataset.raw";
const COMMANDS: &str = "investigation/commands.log";
const DECISION: &str = "investigation/representation.json";
const DISCOVERIES: &str = "investigation/discoveries.json";
const NIL_OUTCOMES: &str = "investigation/nil-outcomes.json";
const RECEIPTS: &str = "investigation/evidence-receipts.json";

/// What became of the investigation digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DigestFact {
    /// Computed again from the recorded ledger, and equal.
    Equal(String),
    /// The manifest records none, which versions 1 and 2 allow.
    NotRecorded,
    /// It commits the outcome of analyses that the package doesn't record.
    NotRecomputable(String),
}

/// The receipts of version 3 and what the registry of version 3 says about their uses.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyReceipts {
    /// The closed envelope.
    pub envelope: HistoricEnvelope,
    /// Each recorded use with its outcome, under the registry of version 3 and no other.
    pub binding: Binding,
    /// SHA-256 of the member's exact bytes, as recorded and as found.
    pub member_digest: String,
}

/// A package of version 1, 2 or 3 whose recorded facts hold. It grants nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyPackage {
    manifest: LegacyManifest,
    dataset: LegacyDataset,
    ledger: Ledger,
    decision: Option<LegacyDecision>,
    discoveries: Vec<LegacyDiscovery>,
    nil_outcomes: Vec<LegacyNilOutcome>,
    receipts: Option<LegacyReceipts>,
    digest: DigestFact,
    members: Vec<(String, u64)>,
}

/// Opens the package at `path`.
///
/// # Errors
/// The first [`LegacyError`], with member and place. Nothing of the package is given then.
pub fn open(path: &Path, limits: &LegacyLimits) -> Result<LegacyPackage, LegacyError> {
    read(&mut walk(path, limits)?, limits)
}

/// [`open`] for bytes that something else holds.
///
/// # Errors
/// As [`open`].
pub fn open_source(source: impl Read + Seek, limits: &LegacyLimits) -> Result<LegacyPackage, LegacyError> {
    read(&mut LegacyArchive::walk(source, limits)?, limits)
}

/// The manifest's bytes, from an archive of whichever version.
pub(crate) fn manifest_bytes(path: &Path) -> Result<Vec<u8>, LegacyError> {
    let limits = &LegacyLimits::DEFAULT;
    let mut archive = walk(path, limits)?;
    need(&mut archive, MANIFEST, "every package has a manifest")
}

/// The version that a manifest states when it is read as these versions read it; none for any other.
pub(crate) fn stated_version(manifest: &[u8]) -> Option<FormatVersion> {
    let value = parse_manifest(manifest, &LegacyLimits::DEFAULT).ok()?;
    manifest::version_of(&At::root(MANIFEST, &value)).ok()
}

/// The last of two members with one name counts, save for the one that decides how all others are read.
fn parse_manifest(text: &[u8], limits: &LegacyLimits) -> Result<Value, LegacyError> {
    let value = parse(MANIFEST, text, limits)?;
    match json::occurrences(text, "formatVersion") {
        0 | 1 => Ok(value),
        _ => Err(LegacyError::Shape {
            member: MANIFEST,
            pointer: "/formatVersion".to_owned(),
            why: "this is stated more than once".to_owned(),
        }),
    }
}

fn walk(path: &Path, limits: &LegacyLimits) -> Result<LegacyArchive<File>, LegacyError> {
    let refuse = |access, source| {
        LegacyError::Container(ContainerError::Open {
            path: path.to_owned(),
            access,
            source,
        })
    };
    // Asked before opening: opening a pipe would wait for its writer.
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => refuse(Access::Missing, Some(error)),
        std::io::ErrorKind::PermissionDenied => refuse(Access::Denied, Some(error)),
        _ => refuse(Access::Other, Some(error)),
    })?;
    if metadata.is_dir() {
        return Err(refuse(Access::Folder, None));
    }
    if !metadata.is_file() {
        return Err(refuse(Access::NotAFile, None));
    }
    let file = File::open(path).map_err(|error| refuse(Access::Denied, Some(error)))?;
    LegacyArchive::walk(file, limits)
}

impl LegacyPackage {
    /// The format version.
    #[must_use]
    pub fn version(&self) -> FormatVersion {
        self.manifest.version
    }

    /// The manifest.
    #[must_use]
    pub fn manifest(&self) -> &LegacyManifest {
        &self.manifest
    }

    /// The dataset as it was loaded.
    #[must_use]
    pub fn dataset(&self) -> &LegacyDataset {
        &self.dataset
    }

    /// What was done, in order. These formats carry no graph of the investigation: this is its lineage.
    #[must_use]
    pub fn events(&self) -> &[LegacyEvent] {
        &self.ledger.events
    }

    /// Recorded analysis results.
    #[must_use]
    pub fn results(&self) -> &[LegacyResult] {
        &self.ledger.results
    }

    /// What people saw.
    #[must_use]
    pub fn observations(&self) -> &[LegacyObservation] {
        &self.ledger.observations
    }

    /// What people concluded.
    #[must_use]
    pub fn findings(&self) -> &[LegacyFinding] {
        &self.ledger.findings
    }

    /// Notes pinned in space.
    #[must_use]
    pub fn annotations(&self) -> &[LegacyAnnotation] {
        &self.ledger.annotations
    }

    /// The dataset that the ledger leads to; none when analyses would have to be run to know it.
    #[must_use]
    pub fn state(&self) -> Option<&AnalyticalState> {
        self.ledger.state.as_ref()
    }

    /// The recorded representation decision.
    #[must_use]
    pub fn decision(&self) -> Option<&LegacyDecision> {
        self.decision.as_ref()
    }

    /// Discovery episodes.
    #[must_use]
    pub fn discoveries(&self) -> &[LegacyDiscovery] {
        &self.discoveries
    }

    /// Outcomes without a feasible representation.
    #[must_use]
    pub fn nil_outcomes(&self) -> &[LegacyNilOutcome] {
        &self.nil_outcomes
    }

    /// The receipts; version 3 alone has them.
    #[must_use]
    pub fn receipts(&self) -> Option<&LegacyReceipts> {
        self.receipts.as_ref()
    }

    /// What became of the investigation digest.
    #[must_use]
    pub fn digest(&self) -> &DigestFact {
        &self.digest
    }

    /// Every member by cleaned name, with the length of its content in bytes.
    #[must_use]
    pub fn members(&self) -> &[(String, u64)] {
        &self.members
    }

    /// Members that this version doesn't have; they were compared with their checksums and not read.
    pub fn unread(&self) -> impl Iterator<Item = &str> {
        let names = self.members.iter().map(|(name, _)| name.as_str());
        names.filter(|name| !is_read(name, self.manifest.version))
    }
}
