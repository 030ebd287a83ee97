//! `nemosyne study show`: what a document says, in lines.

use std::path::Path;

use forma::GrantedMapping;
use obligations::predicate_word;
use serde_json::json;
use study::wire::v1::{AuthorizationBody, ExposureBound};
use study::{Acceptance, Freeze, Protocol};

use super::arguments::Show;
use super::{read, wrong};
use crate::files;
use crate::output::{Report, Stop};

pub(crate) fn run(arguments: &Show) -> Result<Report, Stop> {
    let path = arguments.file.as_path();
    let mut report = Report::new();
    if files::begins_with(path, b"PK")? {
        return package(path, report);
    }
    let bytes = read(path)?;
    // The kinds differ in the members they have, and decoding is closed: at most one of them reads.
    if let Ok(found) = study::read_protocol(&bytes) {
        protocol(&found, &mut report);
    } else if let Ok(found) = study::read_freeze(&bytes) {
        freeze(&found, &mut report);
    } else if let Ok(found) = AuthorizationBody::read(&bytes) {
        authorization(found.body(), &found.id().to_string(), &mut report);
    } else {
        let found = Acceptance::read(&bytes).map_err(wrong(path))?;
        report.line("ACCEPTANCE");
        report.pair("accepted by", &found.body().accepted_by);
        report.pair("on", found.accepted_on());
        report.pair("approval", &found.body().ethics_approval);
        protocol(found.protocol(), &mut report);
        freeze(found.freeze(), &mut report);
    }
    Ok(report)
}

/// What a study's package rests on. Whether anybody stands behind it is for custody to say, and `verify` asks.
fn package(path: &Path, mut report: Report) -> Result<Report, Stop> {
    let opened = files::open_package(path)?;
    let Some(documents) = opened.study() else {
        report.line("NO STUDY: the recorded result rests on none");
        report.member("study", json!(null));
        return Ok(report);
    };
    protocol(documents.protocol(), &mut report);
    freeze(documents.freeze(), &mut report);
    let found = documents.authorization();
    authorization(found.body(), &found.id().to_string(), &mut report);
    Ok(report)
}

fn protocol(protocol: &Protocol, report: &mut Report) {
    let body = protocol.body();
    report.line(format!("PROTOCOL {}", protocol.id()));
    report.pair("title", &body.title);
    report.pair("question", &body.question);
    for hypothesis in &body.hypotheses {
        report.pair(&hypothesis.id, &hypothesis.statement);
    }
    for condition in &body.design.conditions {
        report.pair("condition", format!("{}: {}", condition.id, condition.statement));
    }
    for measure in &body.outcome_measures {
        report.pair("measure", format!("{}: {}", measure.id, measure.statement));
    }
    report.pair("planned", format!("{} participants", body.planned_n.get()));
    report.pair("ethics", &body.ethics_reference);
    report.member("protocolId", protocol.id().to_string());
    report.member("title", body.title.clone());
}

fn freeze(freeze: &Freeze, report: &mut Report) {
    let body = freeze.body();
    report.line(format!("FREEZE {}", freeze.id()));
    for treatment in &body.treatments {
        report.pair(
            "treatment",
            format!("{} shows {}", treatment.condition, treatment.graph_id),
        );
    }
    let controls: Vec<String> = body
        .control_mappings
        .iter()
        .map(|control| {
            GrantedMapping {
                mapping: control.mapping,
                claim: control.claim,
                contraindication: control.contraindication.clone(),
            }
            .word()
        })
        .collect();
    for control in &controls {
        report.pair("control", control);
    }
    let withheld: Vec<&str> = body
        .withheld_claims
        .iter()
        .map(|claim| predicate_word(*claim))
        .collect();
    report.pair("withheld", withheld.join(", "));
    report.pair("devices", format!("{:?}", body.devices));
    report.pair("exposure", exposure(body.exposure));
    report.pair("scope", format!("{}@{}", body.scope.id, body.scope.version));
    report.pair("knowledge", body.knowledge_manifest_id);
    report.pair(
        "compiler",
        format!("{}@{}", body.compiler_ref.id, body.compiler_ref.version),
    );
    report.member("freezeId", freeze.id().to_string());
    report.member(
        "treatments",
        body.treatments
            .iter()
            .map(|treatment| json!({ "condition": treatment.condition, "graphId": treatment.graph_id.to_string() }))
            .collect::<Vec<_>>(),
    );
    report.member("controls", controls);
    report.member("withheld", withheld);
}

fn authorization(body: &AuthorizationBody, id: &str, report: &mut Report) {
    report.line(format!("AUTHORIZATION {id}"));
    report.pair("reference", &body.reference);
    report.pair("by", &body.authorized_by);
    report.pair("for freeze", body.freeze_id);
    report.pair("days", format!("{} to {}", body.valid_from, body.expires_on));
    report.pair("on devices", format!("{:?}", body.devices));
    report.pair("at most", exposure(body.exposure));
    report.member("authorizationId", id);
    report.member("reference", body.reference.clone());
    report.member("validFrom", body.valid_from.to_string());
    report.member("expiresOn", body.expires_on.to_string());
}

fn exposure(bound: ExposureBound) -> String {
    format!(
        "{} s a treatment, {} exposures a participant",
        bound.max_seconds.get(),
        bound.max_exposures.get()
    )
}
