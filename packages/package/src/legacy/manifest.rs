//! The manifest of a legacy package: what each version must state, may state, and must not.
//!
//! Members that nobody knows are kept out of the way, as in the programs that wrote these formats; the receipts' digest
//! means something in version 3 alone, and is not looked at in the others, whatever it holds.

use serde_json::{Map, Value};

use super::error::LegacyError;
use super::json::{At, is_sha256};
use crate::dispatch::FormatVersion;
use crate::wire::v4::{DATASET_ALGORITHM, SESSION_ALGORITHM};

/// The algorithm text of version 2.
const DIGEST_V2: &str = "sha256-canonical-investigation-v2";

/// What the manifest says the dataset is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedIdentity {
    /// A decimal hash of the dataset's name and size. It does not depend on any value.
    SeedHash(String),
    /// `sha256-canonical-dataset-v1`, 64 digits.
    Sha256(String),
}

impl RecordedIdentity {
    /// The text in the manifest.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::SeedHash(text) | Self::Sha256(text) => text,
        }
    }
}

/// What an investigation digest commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestAlgorithm {
    /// The lossy projection of version 1, also of version 2 when its manifest names no algorithm.
    Schema1,
    /// A hash of every entity.
    Canonical2,
    /// The same, and the receipts.
    Canonical3,
}

impl DigestAlgorithm {
    /// The text on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Schema1 => "schema 1, which names no algorithm",
            Self::Canonical2 => DIGEST_V2,
            Self::Canonical3 => SESSION_ALGORITHM,
        }
    }
}

/// Counts of what people recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvidenceSummary {
    /// Observations.
    pub observations: usize,
    /// Findings.
    pub findings: usize,
    /// Annotations.
    pub annotations: usize,
}

/// The model that ranked representations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepresentationModel {
    /// Its version.
    pub fitness_model_version: String,
    /// Digest of its file, when one was recorded.
    pub artifact_hash: Option<String>,
}

/// What the investigation was about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResearchContext {
    /// The question.
    pub research_question: Option<String>,
    /// The hypothesis.
    pub hypothesis: Option<String>,
    /// Variables of interest, in order.
    pub variables_of_interest: Vec<String>,
    /// The task at hand.
    pub current_task: Option<String>,
    /// A study's name. It authorizes nothing.
    pub study_id: Option<String>,
    /// The six members that a digest commits, `null` ones left out.
    pub(super) committed: Map<String, Value>,
}

/// `manifest.json` of versions 1 to 3.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyManifest {
    /// 1, 2 or 3.
    pub version: FormatVersion,
    /// The session that exported it.
    pub session_id: String,
    /// Name of the dataset.
    pub dataset_name: String,
    /// Identity of the dataset as it was loaded.
    pub dataset: RecordedIdentity,
    /// Identity of the dataset as it was when exported; always there in version 3.
    pub analytical_dataset: Option<String>,
    /// Version of the kernel.
    pub kernel_version: String,
    /// Version of the kernel of the receipts; always there in version 3.
    pub analytical_kernel_version: Option<String>,
    /// When it was exported, milliseconds since 1970, by the exporter's clock.
    pub created_at_ms: f64,
    /// Entries of the ledger.
    pub command_count: usize,
    /// Discoveries.
    pub discovery_count: Option<usize>,
    /// Recorded outcomes without a feasible representation.
    pub nil_outcome_count: Option<usize>,
    /// The investigation digest; always there in version 3.
    pub investigation_digest: Option<String>,
    /// What that digest commits.
    pub digest_algorithm: DigestAlgorithm,
    /// Digest of the receipts' exact bytes; version 3 alone.
    pub receipt_digest: Option<String>,
    /// What the investigation was about.
    pub research_context: Option<ResearchContext>,
    /// The model that ranked representations.
    pub representation_model: Option<RepresentationModel>,
    /// Counts of what people recorded.
    pub evidence_summary: Option<EvidenceSummary>,
}

/// The version that a legacy manifest states; none when it is no version of this reader's.
pub(super) fn version_of(root: &At<'_>) -> Result<FormatVersion, LegacyError> {
    let stated = root.need("formatVersion")?;
    let number = stated.number()?;
    [FormatVersion::V1, FormatVersion::V2, FormatVersion::V3]
        .into_iter()
        .find(|version| version.number() as f64 == number)
        .ok_or_else(|| LegacyError::Version {
            found: stated.value.to_string(),
        })
}

/// Reads a manifest by the rules of the version it states, and of no other.
pub(super) fn read(root: &At<'_>) -> Result<LegacyManifest, LegacyError> {
    let version = version_of(root)?;
    let is_v3 = version == FormatVersion::V3;
    let text = |name: &str| root.need(name)?.text().map(str::to_owned);
    let maybe_text = |name: &str| match root.get(name) {
        Some(at) => at.text().map(|text| Some(text.to_owned())),
        None => Ok(None),
    };
    let maybe_count = |name: &str| root.get(name).map(|at| at.count()).transpose();
    let digest = |name: &str| {
        let at = root.need(name)?;
        let text = at.text()?;
        if is_sha256(text) {
            Ok(text.to_owned())
        } else {
            Err(at.fault("these are not 64 lowercase hexadecimal digits"))
        }
    };
    let filled = |name: &str| {
        let at = root.need(name)?;
        match at.text()? {
            "" => Err(at.fault("this is empty")),
            text => Ok(text.to_owned()),
        }
    };
    root.need("environment")?.object()?;
    let dataset = recorded_identity(root, version)?;
    Ok(LegacyManifest {
        version,
        session_id: text("sessionId")?,
        dataset_name: text("datasetName")?,
        dataset,
        analytical_dataset: if is_v3 {
            Some(digest("analyticalDatasetFingerprint")?)
        } else {
            maybe_text("analyticalDatasetFingerprint")?
        },
        kernel_version: if is_v3 {
            filled("kernelVersion")?
        } else {
            text("kernelVersion")?
        },
        analytical_kernel_version: if is_v3 {
            Some(filled("analyticalKernelVersion")?)
        } else {
            maybe_text("analyticalKernelVersion")?
        },
        created_at_ms: root.need("createdAt")?.number()?,
        command_count: root.need("commandCount")?.count()?,
        discovery_count: maybe_count("discoveryCount")?,
        nil_outcome_count: maybe_count("nilOutcomeCount")?,
        investigation_digest: if is_v3 {
            Some(digest("investigationDigest")?)
        } else {
            maybe_text("investigationDigest")?
        },
        digest_algorithm: algorithm(root, version)?,
        receipt_digest: if is_v3 {
            Some(digest("evidenceReceiptDigest")?)
        } else {
            None
        },
        research_context: root.get("researchContext").map(|at| context(&at)).transpose()?,
        representation_model: root.get("representationModel").map(|at| model(&at)).transpose()?,
        evidence_summary: root.get("evidenceSummary").map(|at| summary(&at)).transpose()?,
    })
}

fn recorded_identity(root: &At<'_>, version: FormatVersion) -> Result<RecordedIdentity, LegacyError> {
    let at = root.need("datasetFingerprint")?;
    let text = at.text()?.to_owned();
    let algorithm = root.get("datasetIdentityAlgorithm");
    match &algorithm {
        Some(named) if named.text()? != DATASET_ALGORITHM => {
            return Err(named.fault(format!("this is not {DATASET_ALGORITHM}")));
        }
        None if version != FormatVersion::V1 => {
            root.need("datasetIdentityAlgorithm")?;
        }
        Some(_) | None => {}
    }
    if is_sha256(&text) {
        return Ok(RecordedIdentity::Sha256(text));
    }
    let is_decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if version == FormatVersion::V1 && algorithm.is_none() && is_decimal {
        Ok(RecordedIdentity::SeedHash(text))
    } else {
        Err(at.fault("this is no dataset identity of this format version"))
    }
}

fn algorithm(root: &At<'_>, version: FormatVersion) -> Result<DigestAlgorithm, LegacyError> {
    let stated = root
        .get("investigationDigestAlgorithm")
        .map(|at| at.text())
        .transpose()?;
    match (version, stated) {
        (FormatVersion::V1 | FormatVersion::V2, None) => Ok(DigestAlgorithm::Schema1),
        (FormatVersion::V2, Some(DIGEST_V2)) => Ok(DigestAlgorithm::Canonical2),
        (FormatVersion::V3, Some(SESSION_ALGORITHM)) => Ok(DigestAlgorithm::Canonical3),
        (_, stated) => Err(LegacyError::Algorithm {
            version,
            algorithm: stated.unwrap_or("none").to_owned(),
        }),
    }
}

fn context(at: &At<'_>) -> Result<ResearchContext, LegacyError> {
    at.object()?;
    let mut committed = Map::new();
    for name in [
        "studyId",
        "researchQuestion",
        "hypothesis",
        "variablesOfInterest",
        "currentTask",
        "observerMode",
    ] {
        if let Some(member) = at.get(name) {
            committed.insert(name.to_owned(), member.value.clone());
        }
    }
    Ok(ResearchContext {
        research_question: at.shown("researchQuestion"),
        hypothesis: at.shown("hypothesis"),
        variables_of_interest: at.shown_texts("variablesOfInterest"),
        current_task: at.shown("currentTask"),
        study_id: at.shown("studyId"),
        committed,
    })
}

fn model(at: &At<'_>) -> Result<RepresentationModel, LegacyError> {
    Ok(RepresentationModel {
        fitness_model_version: at.need("fitnessModelVersion")?.text()?.to_owned(),
        artifact_hash: at
            .get("fitnessModelArtifactHash")
            .map(|hash| hash.text().map(str::to_owned))
            .transpose()?,
    })
}

fn summary(at: &At<'_>) -> Result<EvidenceSummary, LegacyError> {
    Ok(EvidenceSummary {
        observations: at.need("observationsCount")?.count()?,
        findings: at.need("findingsCount")?.count()?,
        annotations: at.need("annotationsCount")?.count()?,
    })
}
