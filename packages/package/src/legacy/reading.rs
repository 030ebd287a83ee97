//! Reading a legacy package: the order of the steps, and what must agree with what.

use std::io::{Read, Seek};

use evidence::HistoricEnvelope;
use serde_json::Value;

use super::archive::LegacyArchive;
use super::data::LegacyDataset;
use super::digest::{self, Committed};
use super::error::LegacyError;
use super::json::{At, is_sha256, parse, sha256_of};
use super::ledger::Ledger;
use super::limits::LegacyLimits;
use super::manifest::{self, DigestAlgorithm, LegacyManifest, RecordedIdentity};
use super::records::{LegacyDecision, LegacyDiscovery, LegacyNilOutcome};
use super::{
    COMMANDS, DATASET, DECISION, DISCOVERIES, DigestFact, LegacyPackage, LegacyReceipts, MANIFEST,
    NIL_OUTCOMES, RECEIPTS, parse_manifest,
};
use crate::dispatch::FormatVersion;

pub(super) fn need<R: Read + Seek>(
    archive: &mut LegacyArchive<R>,
    member: &'static str,
    why: &'static str,
) -> Result<Vec<u8>, LegacyError> {
    match archive.read(member)? {
        Some(bytes) if !bytes.is_empty() => Ok(bytes),
        Some(_) | None => Err(LegacyError::Missing { member, why }),
    }
}

pub(super) fn read<R: Read + Seek>(
    archive: &mut LegacyArchive<R>,
    limits: &LegacyLimits,
) -> Result<LegacyPackage, LegacyError> {
    let text = need(archive, MANIFEST, "every package has a manifest")?;
    let value = parse_manifest(&text, limits)?;
    let manifest = manifest::read(&At::root(MANIFEST, &value))?;
    let receipts = if manifest.version == FormatVersion::V3 {
        Some(read_receipts(archive, &manifest, limits)?)
    } else {
        None
    };

    let text = need(archive, DATASET, "every package has the dataset that was loaded")?;
    let value = parse(DATASET, &text, limits)?;
    let dataset = LegacyDataset::read(&At::root(DATASET, &value))?;
    drop((text, value));
    check_dataset(&manifest, &dataset)?;

    let log = read_log(archive, &manifest, limits)?;
    let log_at = At::root(COMMANDS, &log);
    let events_alone = manifest.version != FormatVersion::V1;
    let ledger = Ledger::read(&log_at, &dataset, events_alone)?;
    if events_alone {
        agree(
            "commandCount",
            "the number of ledger entries",
            manifest.command_count,
            ledger.events.len(),
        )?;
    }

    let decision = optional(
        archive,
        DECISION,
        manifest.representation_model.is_some(),
        "the manifest names a representation model",
        limits,
    )?;
    let discoveries = optional(
        archive,
        DISCOVERIES,
        manifest.discovery_count.unwrap_or(0) > 0,
        "the manifest counts discoveries",
        limits,
    )?;
    let nil_outcomes = optional(
        archive,
        NIL_OUTCOMES,
        manifest.nil_outcome_count.unwrap_or(0) > 0,
        "the manifest counts outcomes without a representation",
        limits,
    )?;
    let episodes = listed(DISCOVERIES, discoveries.as_ref(), "episodes")?;
    let outcomes = listed(NIL_OUTCOMES, nil_outcomes.as_ref(), "outcomes")?;
    if let Some(counted) = manifest.discovery_count {
        agree(
            "discoveryCount",
            "the number of discoveries",
            counted,
            episodes.len(),
        )?;
    }
    if let Some(counted) = manifest.nil_outcome_count {
        let what = "the number of outcomes without a representation";
        agree("nilOutcomeCount", what, counted, outcomes.len())?;
    }
    if let Some(counted) = manifest.evidence_summary {
        let found = [
            ledger.observations.len(),
            ledger.findings.len(),
            ledger.annotations.len(),
        ];
        for (field, what, counted, found) in [
            (
                "evidenceSummary/observationsCount",
                "the number of observations",
                counted.observations,
                found[0],
            ),
            (
                "evidenceSummary/findingsCount",
                "the number of findings",
                counted.findings,
                found[1],
            ),
            (
                "evidenceSummary/annotationsCount",
                "the number of annotations",
                counted.annotations,
                found[2],
            ),
        ] {
            agree(field, what, counted, found)?;
        }
    }
    check_state(&manifest, &ledger)?;

    let read_decision = decision
        .as_ref()
        .map(|value| LegacyDecision::read(&At::root(DECISION, value)));
    let read_discoveries = episodes
        .iter()
        .map(LegacyDiscovery::read)
        .collect::<Result<_, _>>()?;
    let read_outcomes = outcomes
        .iter()
        .map(LegacyNilOutcome::read)
        .collect::<Result<_, _>>()?;
    let values = |items: &[At<'_>]| items.iter().map(|item| item.value.clone()).collect::<Vec<_>>();
    let digest = match &ledger.state {
        None => unknown_state(&manifest),
        Some(state) => check_digest(&Committed {
            manifest: &manifest,
            dataset: &dataset,
            state,
            events: log.as_array().map_or(&[], Vec::as_slice),
            results: &ledger.results,
            decision: decision.as_ref(),
            discoveries: &values(&episodes),
            nil_outcomes: &values(&outcomes),
            receipts: receipts.as_ref().map(|(read, value, bytes)| {
                let kernel = read.envelope.bundle().kernel_version.as_str();
                (kernel, value, bytes.as_slice())
            }),
        })?,
    };
    let members: Vec<(String, u64)> = archive
        .names()
        .map(|(name, bytes)| (name.to_owned(), bytes))
        .collect();
    // Members that this version doesn't read are part of the file, and their checksums are part of its integrity.
    for (name, _) in members
        .iter()
        .filter(|(name, _)| !is_read(name, manifest.version))
    {
        archive.read(name)?;
    }
    Ok(LegacyPackage {
        decision: read_decision.transpose()?,
        discoveries: read_discoveries,
        nil_outcomes: read_outcomes,
        receipts: receipts.map(|(read, ..)| read),
        manifest,
        dataset,
        ledger,
        digest,
        members,
    })
}

/// Whether a version reads the member with this cleaned name.
pub(super) fn is_read(name: &str, version: FormatVersion) -> bool {
    matches!(
        name,
        MANIFEST | DATASET | COMMANDS | DECISION | DISCOVERIES | NIL_OUTCOMES
    ) || (name == RECEIPTS && version == FormatVersion::V3)
}

fn disagrees(field: &str, what: &'static str, recorded: String, found: String) -> LegacyError {
    LegacyError::Disagrees {
        member: MANIFEST,
        pointer: format!("/{field}"),
        what,
        recorded,
        found,
        note: "",
    }
}

fn agree(field: &str, what: &'static str, recorded: usize, found: usize) -> Result<(), LegacyError> {
    if recorded == found {
        Ok(())
    } else {
        Err(disagrees(field, what, recorded.to_string(), found.to_string()))
    }
}

/// Member digest, closed shape, and the identities that the manifest repeats, in this order.
fn read_receipts<R: Read + Seek>(
    archive: &mut LegacyArchive<R>,
    manifest: &LegacyManifest,
    limits: &LegacyLimits,
) -> Result<(LegacyReceipts, Value, Vec<u8>), LegacyError> {
    let bytes = need(archive, RECEIPTS, "format version 3 always has receipts")?;
    let member_digest = sha256_of(&bytes);
    let recorded = manifest.receipt_digest.clone().unwrap_or_default();
    if recorded != member_digest {
        let what = "the digest of investigation/evidence-receipts.json";
        return Err(disagrees("evidenceReceiptDigest", what, recorded, member_digest));
    }
    let value = parse(RECEIPTS, &bytes, limits)?;
    let closed = identity::Limits::new();
    let envelope = HistoricEnvelope::from_bytes(&bytes, &closed).map_err(LegacyError::Receipts)?;
    let bundle = envelope.bundle();
    for (field, what, recorded, found) in [
        (
            "analyticalDatasetFingerprint",
            "the dataset of the receipts",
            &manifest.analytical_dataset,
            bundle.dataset_fingerprint.hex(),
        ),
        (
            "analyticalKernelVersion",
            "the kernel of the receipts",
            &manifest.analytical_kernel_version,
            bundle.kernel_version.clone(),
        ),
    ] {
        let recorded = recorded.clone().unwrap_or_default();
        if recorded != found {
            return Err(disagrees(field, what, recorded, found));
        }
    }
    let binding = envelope.bind();
    let read = LegacyReceipts {
        envelope,
        binding,
        member_digest,
    };
    Ok((read, value, bytes))
}

fn check_dataset(manifest: &LegacyManifest, dataset: &LegacyDataset) -> Result<(), LegacyError> {
    let found = match &manifest.dataset {
        RecordedIdentity::SeedHash(_) => dataset.seed_hash(),
        RecordedIdentity::Sha256(_) => dataset.fingerprint().to_owned(),
    };
    if manifest.dataset.text() == found {
        return Ok(());
    }
    // One build of the writer hashed large datasets in another order of members.
    let note = if dataset.n_rows() >= 50_000 {
        "; a build of the writer hashed 50,000 rows and more in another way, which is not repeated here"
    } else {
        ""
    };
    Err(LegacyError::Disagrees {
        member: DATASET,
        pointer: String::new(),
        what: "the identity of the dataset",
        recorded: manifest.dataset.text().to_owned(),
        found,
        note,
    })
}

fn read_log<R: Read + Seek>(
    archive: &mut LegacyArchive<R>,
    manifest: &LegacyManifest,
    limits: &LegacyLimits,
) -> Result<Value, LegacyError> {
    let why = "the manifest counts ledger entries";
    if manifest.command_count > 0 {
        return parse(COMMANDS, &need(archive, COMMANDS, why)?, limits);
    }
    match archive.read(COMMANDS)? {
        Some(bytes) if !bytes.is_empty() => parse(COMMANDS, &bytes, limits),
        Some(_) | None => Ok(Value::Array(Vec::new())),
    }
}

fn optional<R: Read + Seek>(
    archive: &mut LegacyArchive<R>,
    member: &'static str,
    needed: bool,
    why: &'static str,
    limits: &LegacyLimits,
) -> Result<Option<Value>, LegacyError> {
    match archive.read(member)? {
        Some(bytes) if !bytes.is_empty() => Ok(Some(parse(member, &bytes, limits)?)),
        Some(_) | None if needed => Err(LegacyError::Missing { member, why }),
        Some(_) | None => Ok(None),
    }
}

fn listed<'a>(
    member: &'static str,
    store: Option<&'a Value>,
    list: &str,
) -> Result<Vec<At<'a>>, LegacyError> {
    match store {
        Some(store) => At::root(member, store).need(list)?.items(),
        None => Ok(Vec::new()),
    }
}

/// The dataset that the ledger leads to is the one that the manifest names.
fn check_state(manifest: &LegacyManifest, ledger: &Ledger) -> Result<(), LegacyError> {
    let (Some(recorded), Some(state)) = (&manifest.analytical_dataset, &ledger.state) else {
        return Ok(());
    };
    if !is_sha256(recorded) || *recorded == state.fingerprint {
        return Ok(());
    }
    let what = "the dataset that the ledger leads to";
    let found = state.fingerprint.clone();
    Err(disagrees(
        "analyticalDatasetFingerprint",
        what,
        recorded.clone(),
        found,
    ))
}

fn unknown_state(manifest: &LegacyManifest) -> DigestFact {
    match &manifest.investigation_digest {
        Some(_) => DigestFact::NotRecomputable(
            "its ledger holds analysis requests without their results, and the kernel that ran them is not here"
                .to_owned(),
        ),
        None => DigestFact::NotRecorded,
    }
}

fn check_digest(committed: &Committed<'_>) -> Result<DigestFact, LegacyError> {
    let Some(recorded) = &committed.manifest.investigation_digest else {
        return Ok(DigestFact::NotRecorded);
    };
    let found = digest::compute(committed).map_err(|error| LegacyError::Shape {
        member: COMMANDS,
        pointer: error.pointer().to_owned(),
        why: error.to_string(),
    })?;
    if *recorded == found {
        return Ok(DigestFact::Equal(found));
    }
    let note = match committed.manifest.digest_algorithm {
        DigestAlgorithm::Schema1 => "; an early build wrote 64 digits here that are no SHA-256",
        DigestAlgorithm::Canonical2 | DigestAlgorithm::Canonical3 => "",
    };
    Err(LegacyError::Disagrees {
        member: MANIFEST,
        pointer: "/investigationDigest".to_owned(),
        what: "the digest of the investigation",
        recorded: recorded.clone(),
        found,
        note,
    })
}
