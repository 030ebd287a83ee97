//! `nemosyne study freeze | accept | authorize`: the documents that are signed, or pinned by one that is.

use std::path::Path;

use identity::{Envelope, Identity, Limits, SafeInteger};
use knowledge::wire::v1::DeviceClass;
use refusal::{Reason, Refusal, Stage};
use representation::Graph;
use representation::wire::v2::GraphBody;
use study::wire::v1::{AcceptanceBody, AuthorizationBody, ExposureBound};
use study::wire::v2::{FreezeBody, Treatment};
use study::{Acceptance, Authorization, Protocol, StudyError};

use super::arguments::{Accept, Authorize, Freeze};
use super::{read, write, wrong};
use crate::cli::Device;
use crate::files;
use crate::output::{Report, Stop};
use crate::runtime;
use crate::verbs::admit::device;

/// How a package begins; a graph begins with a brace.
const PACKAGE: &[u8] = b"PK";

pub(crate) fn freeze(arguments: &Freeze) -> Result<Report, Stop> {
    let protocol = read_protocol(&arguments.protocol)?;
    let custody = runtime::custody()?;
    let mut treatments = Vec::new();
    for named in &arguments.treatment {
        let Some((condition, path)) = named.split_once('=') else {
            return Err(not_stated(format!(
                "`{named}` names no condition; write CONDITION=FILE, as in stereo=graph.json."
            )));
        };
        let graph = graph(Path::new(path))?;
        let body = graph.body();
        treatments.push(Treatment {
            condition: condition.to_owned(),
            graph_id: graph.id(),
            snapshot_id: body.snapshot_id,
            context_id: body.context_id,
            obligation_set_id: body.obligation_set_id,
        });
    }
    treatments.sort_by_key(|treatment| treatment.graph_id);
    let mut control_mappings = Vec::new();
    for text in &arguments.control {
        control_mappings.push(study::control(text).map_err(|error| error.refusal())?);
    }
    control_mappings.sort();
    control_mappings.dedup();
    let mut accepted_contraindications: Vec<String> = control_mappings
        .iter()
        .filter_map(|control| control.contraindication.clone())
        .collect();
    accepted_contraindications.sort();
    accepted_contraindications.dedup();
    let mut withheld_claims = Vec::new();
    for claim in &arguments.withhold {
        withheld_claims.push(study::claim(claim).map_err(|error| error.refusal())?);
    }
    withheld_claims.sort();
    withheld_claims.dedup();
    let body = FreezeBody {
        protocol_id: tagged(&protocol.id().to_string())?,
        treatments,
        control_mappings,
        accepted_contraindications,
        withheld_claims,
        exposure: ExposureBound {
            max_seconds: SafeInteger::from(arguments.max_seconds),
            max_exposures: SafeInteger::from(arguments.max_exposures),
        },
        devices: devices(&arguments.device),
        scope: custody.pins().scope.clone(),
        knowledge_manifest_id: custody.manifest().id(),
        compiler_ref: custody.pins().compiler.clone(),
    };
    let freeze = study::freeze(body, &protocol).map_err(|error| error.refusal())?;
    write(&arguments.out, &freeze.to_wire())?;
    let mut report = Report::new();
    report.line("FROZEN; it permits nothing before it is accepted and authorized");
    report.pair("protocol", protocol.id());
    report.pair("freeze", freeze.id());
    report.pair("file", arguments.out.display());
    report.member("protocolId", protocol.id().to_string());
    report.member("freezeId", freeze.id().to_string());
    report.member("freeze", arguments.out.display().to_string());
    Ok(report)
}

pub(crate) fn accept(arguments: &Accept) -> Result<Report, Stop> {
    let protocol = read_protocol(&arguments.protocol)?;
    let freeze = read_freeze(&arguments.freeze)?;
    let acceptance = Acceptance::seal(AcceptanceBody {
        protocol: protocol.to_wire(),
        freeze: freeze.to_wire(),
        accepted_by: arguments.by.clone(),
        accepted_on: arguments.on,
        ethics_approval: arguments.ethics.clone(),
    })
    .map_err(|error| error.refusal())?;
    write(&arguments.out, acceptance.body())?;
    let mut report = Report::new();
    report.line("WRITTEN, not signed: it counts once a key with that role signs it into custody");
    report.pair("freeze", freeze.id());
    report.pair("file", arguments.out.display());
    report.pair(
        "next",
        format!(
            "nemosyne custody add {} --kind PROTOCOL_ACCEPTANCE --key NAME",
            arguments.out.display()
        ),
    );
    report.member("protocolId", protocol.id().to_string());
    report.member("freezeId", freeze.id().to_string());
    report.member("body", arguments.out.display().to_string());
    Ok(report)
}

pub(crate) fn authorize(arguments: &Authorize) -> Result<Report, Stop> {
    let freeze = read_freeze(&arguments.freeze)?;
    let frozen = freeze.body();
    let bound = |own: Option<u32>, frozen: SafeInteger| own.map_or(frozen, SafeInteger::from);
    let authorization = Authorization::seal(AuthorizationBody {
        reference: arguments.reference.clone(),
        protocol_id: frozen.protocol_id,
        freeze_id: tagged(&freeze.id().to_string())?,
        authorized_by: arguments.by.clone(),
        scope: frozen.scope.clone(),
        devices: if arguments.device.is_empty() {
            frozen.devices.clone()
        } else {
            devices(&arguments.device)
        },
        exposure: ExposureBound {
            max_seconds: bound(arguments.max_seconds, frozen.exposure.max_seconds),
            max_exposures: bound(arguments.max_exposures, frozen.exposure.max_exposures),
        },
        valid_from: arguments.from,
        expires_on: arguments.until,
    })
    .map_err(|error| match error {
        identity::SealError::Invalid(error) => Stop::from(error.refusal()),
        other => Stop::from(anyhow::Error::from(other)),
    })?;
    write(&arguments.out, authorization.body())?;
    let mut report = Report::new();
    report.line("WRITTEN, not signed: it counts once a key with that role signs it into custody");
    report.pair("reference", &authorization.body().reference);
    report.pair("freeze", freeze.id());
    report.pair("file", arguments.out.display());
    report.pair(
        "next",
        format!(
            "nemosyne custody add {} --kind STUDY_AUTHORIZATION --key NAME",
            arguments.out.display()
        ),
    );
    report.member("reference", authorization.body().reference.clone());
    report.member("authorizationId", authorization.id().to_string());
    report.member("freezeId", freeze.id().to_string());
    report.member("body", arguments.out.display().to_string());
    Ok(report)
}

fn read_protocol(path: &Path) -> Result<Protocol, Stop> {
    study::read_protocol(&read(path)?).map_err(wrong(path))
}

fn read_freeze(path: &Path) -> Result<study::Freeze, Stop> {
    study::read_freeze(&read(path)?).map_err(wrong(path))
}

/// The graph of a file: the envelope that `study treatment` writes, or the one that a package records.
fn graph(path: &Path) -> Result<Graph, Stop> {
    if files::begins_with(path, PACKAGE)? {
        return Ok(files::open_package(path)?.graph().clone());
    }
    let what = "treatment's graph";
    let bytes = files::read_bounded(path, MAX_GRAPH)?;
    let limits = Limits::new().with_max_bytes(usize::try_from(MAX_GRAPH).unwrap_or(usize::MAX));
    let envelope = identity::decode::<Envelope<GraphBody>>(&bytes, &limits)
        .map_err(|error| wrong(path)(StudyError::Decode { what, error }))?
        .into_inner();
    envelope.open().map_err(|error| {
        Stop::from(
            Refusal::new(
                Stage::DecodeIntegrity,
                Reason::Integrity,
                format!("The graph is not what it claims to be: {error}."),
            )
            .about(path.display().to_string())
            .next("Write it again with `nemosyne study treatment`."),
        )
    })
}

/// Most bytes of a graph.
const MAX_GRAPH: u64 = 4 * 1024 * 1024;

fn devices(words: &[Device]) -> Vec<DeviceClass> {
    let mut devices: Vec<DeviceClass> = words.iter().map(|word| device(*word)).collect();
    devices.sort_unstable();
    devices.dedup();
    devices
}

/// An identity under the name that other documents carry it by: the same tag, so the same text.
fn tagged<K: identity::Kind>(text: &str) -> Result<Identity<K>, Stop> {
    Identity::parse(text).map_err(|error| Stop::from(anyhow::Error::from(error)))
}

fn not_stated(text: String) -> Stop {
    Stop::from(
        Refusal::new(Stage::DecodeIntegrity, Reason::NotStated, text)
            .next("Name for each treatment the condition of the protocol in which it is shown."),
    )
}
