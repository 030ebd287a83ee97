//! `nemosyne demo`: the main job on bundled data, step by step, then the window if there is a display.

use std::path::Path;
use std::time::Instant;

use forma::RequestedUse;
use inquiry::Question;
use investigation::wire::v2::EpistemicPurpose;
use knowledge::wire::v1::DeviceClass;
use refusal::{Reason, Refusal, Stage};

use crate::cli::Demo;
use crate::output::{Report, Stop};
use crate::picture::Sight;
use crate::verbs::{admit, render, verify};
use crate::viewed::Viewed;
use crate::window;

/// The bundled table: Palmer penguins, see `assets/samples/ORIGIN`.
const PENGUINS: &[u8] = include_bytes!("../../../../assets/samples/penguins.csv");

pub(crate) fn run(arguments: &Demo) -> Result<Report, Stop> {
    let started = Instant::now();
    let out = &arguments.out;
    std::fs::create_dir_all(out).map_err(|error| unwritable(out, &error))?;
    let package = out.join("penguins.nemosyne");
    let picture = out.join("penguins.png");

    let mut report = Report::new();
    report.line("1  admit");
    let asked = admit::Asked {
        options: &dataset::ImportOptions::named("penguins"),
        question: &question(),
        recipe: None,
        device: DeviceClass::DesktopMonitor,
        requested_use: &RequestedUse::Production,
    };
    let answered = admit::inquire(PENGUINS.to_vec(), &asked)?;
    admit::tell(&answered, &mut report)?;
    admit::save(&answered, &package, &mut report)?;

    report.line("2  verify");
    let viewed = Viewed::open(&package, None)?;
    verify::tell(&viewed.judgment(), &mut report);

    report.line("3  render");
    render::draw(&viewed, &Sight::home(render::VIEW), &picture, &mut report)?;
    report.member("secondsToPicture", started.elapsed().as_secs_f64());

    if arguments.no_window || !window::has_display() {
        report.line("4  no window: open it with `nemosyne open` on a machine with a display");
    } else {
        report.line("4  window");
        window::show(viewed)?;
    }
    Ok(report)
}

fn question() -> Question {
    Question {
        further: Vec::new(),
        draws: None,
        requires: None,
        text: "Does flipper length separate the species?".to_owned(),
        purpose: Some(EpistemicPurpose::ClaimBearing),
        foreground: ["flipper_length_mm", "body_mass_g", "bill_length_mm"]
            .map(str::to_owned)
            .to_vec(),
        grouping: Some("species".to_owned()),
        ..Question::default()
    }
}

fn unwritable(folder: &Path, error: &std::io::Error) -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::Unreachable,
        format!("The folder {} can't be made: {error}.", folder.display()),
    )
    .about(folder.display().to_string())
    .next("Name a folder you may write to with --out.")
}
