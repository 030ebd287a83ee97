//! `nemosyne render`: a package as a PNG, drawn through the same gate as in the window.

use std::path::Path;

use knowledge::wire::v1::DeviceClass;
use package::save::save_atomic;
use plan::Camera;
use refusal::{Reason, Refusal, Stage};
use serde_json::json;
use stage::headless::Headless;
use stage::{Graphics, StageError};

use crate::cli::{self, Render};
use crate::files;
use crate::output::{Report, Stop};
use crate::show;
use crate::verbs::admit::device;
use crate::verbs::verify;
use crate::viewed::{Inspected, Viewed};

pub(crate) fn run(arguments: &Render) -> Result<Report, Stop> {
    files::check_other(&arguments.package, &arguments.out)?;
    if arguments.history {
        return look_back(arguments);
    }
    let viewed = Viewed::open(&arguments.package, arguments.device.map(device))?;
    let camera = camera(arguments.camera, viewed.device);
    let mut report = Report::new();
    draw(&viewed, camera, arguments.size, &arguments.out, &mut report)?;
    Ok(report)
}

fn camera(camera: cli::Camera, device: DeviceClass) -> Camera {
    match camera {
        cli::Camera::Home => Camera::home(device),
        cli::Camera::Front => Camera::front(),
        cli::Camera::Top => Camera::top(),
        cli::Camera::Side => Camera::side(),
    }
}

/// Draws what was recorded, under its mark; says beside it whether it could be used now.
fn look_back(arguments: &Render) -> Result<Report, Stop> {
    let inspected = Inspected::open(&arguments.package)?;
    let camera = camera(arguments.camera, inspected.device());
    let refuse = |error: StageError| Stop::from(error.refusal());
    let mut headless = Graphics::open()
        .and_then(|graphics| Headless::new(graphics, arguments.size, camera))
        .map_err(refuse)?;
    show::history(&mut headless.app, &inspected)?;
    let history = &inspected.history;
    let (plan_id, result_id) = (history.plan().id().to_string(), history.record().id().to_string());
    let bytes = headless
        .picture()
        .and_then(|picture| {
            picture.to_png(&[
                ("Software", concat!("Nemosyne ", env!("CARGO_PKG_VERSION"))),
                ("Title", &inspected.question()),
                ("Plan", &plan_id),
                ("Result", &result_id),
                ("Mark", history.mark()),
            ])
        })
        .map_err(refuse)?;
    write(&arguments.out, &bytes)?;
    let mut report = Report::new();
    let (width, height) = arguments.size;
    report.pair(
        "picture",
        format!(
            "{} · {width}x{height} · variant {} · as history",
            arguments.out.display(),
            history.variant()
        ),
    );
    report.pair("mark", history.mark());
    report.pair("now", &inspected.judgment.executable_now.sentence);
    report.member("picture", arguments.out.display().to_string());
    report.member("variant", history.variant());
    report.member("planId", plan_id);
    report.member("resultId", result_id);
    report.member("history", true);
    report.member("mark", history.mark());
    report.member("executableNow", verify::fact(&inspected.judgment.executable_now));
    Ok(report)
}

/// Draws what `viewed` shows from `camera` and saves it.
pub(crate) fn draw(
    viewed: &Viewed,
    camera: Camera,
    size: (u32, u32),
    out: &Path,
    report: &mut Report,
) -> Result<(), Stop> {
    let bytes = picture(viewed, camera, size)?;
    write(out, &bytes)?;
    report.pair(
        "picture",
        format!(
            "{} · {}x{} · variant {}",
            out.display(),
            size.0,
            size.1,
            viewed.variant()?.name
        ),
    );
    tell_switch(viewed, report)?;
    report.member("picture", out.display().to_string());
    report.member("variant", viewed.variant()?.name.clone());
    report.member("planId", viewed.readmitted.admission.plan().id().to_string());
    Ok(())
}

/// Another admitted variant than the recorded one is an adaptation, and said to be one. The package stays what it is.
fn tell_switch(viewed: &Viewed, report: &mut Report) -> Result<(), Stop> {
    let (recorded, shown) = (viewed.opened.active_variant(), viewed.variant()?.name.as_str());
    if shown == recorded {
        return Ok(());
    }
    let (old, new) = (
        viewed.opened.record().id(),
        viewed.readmitted.admission.record().id(),
    );
    report.pair(
        "adaptation",
        format!("{shown} instead of the recorded {recorded} · result {new} from {old}"),
    );
    report.member(
        "adaptation",
        json!({
            "variant": shown,
            "recordedVariant": recorded,
            "resultId": new.to_string(),
            "derivedFrom": old.to_string(),
        }),
    );
    Ok(())
}

/// The PNG, with the identities of what it shows as its metadata.
fn picture(viewed: &Viewed, camera: Camera, size: (u32, u32)) -> Result<Vec<u8>, Stop> {
    let refuse = |error: StageError| Stop::from(error.refusal());
    let mut headless = Graphics::open()
        .and_then(|graphics| Headless::new(graphics, size, camera))
        .map_err(refuse)?;
    show::request(&mut headless.app, viewed)?;
    let plan_id = viewed.readmitted.admission.plan().id().to_string();
    let result_id = viewed.readmitted.admission.record().id().to_string();
    let picture = headless.picture().map_err(refuse)?;
    picture
        .to_png(&[
            ("Software", concat!("Nemosyne ", env!("CARGO_PKG_VERSION"))),
            ("Title", &viewed.question()),
            ("Plan", &plan_id),
            ("Result", &result_id),
        ])
        .map_err(refuse)
}

fn write(out: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    save_atomic(out, |file| file.write_all(bytes)).map_err(|error| {
        error.refusal_with(|error: &std::io::Error| {
            Refusal::new(
                Stage::DecodeIntegrity,
                Reason::Unreachable,
                format!("The picture can't be written: {error}."),
            )
            .about(out.display().to_string())
            .next("Check the disk and try again.")
        })
    })
}
