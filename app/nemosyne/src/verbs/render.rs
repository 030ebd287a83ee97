//! `nemosyne render`: a package as a PNG, drawn through the same gate as in the window.

use std::path::{Path, PathBuf};

use identity::Digest;
use serde_json::json;
use stage::StageError;
use stage::headless::Cutout;

use crate::cli::Render;
use crate::files;
use crate::output::{Report, Stop};
use crate::picture::{Background, Entries, Sight, Subject};
use crate::sheet;
use crate::show;
use crate::verbs::admit::device;
use crate::verbs::verify;
use crate::viewed::{Inspected, Viewed};

/// Pixels of a view when none are stated.
pub(crate) const VIEW: (u32, u32) = (1280, 720);

/// Pixels of a page: A4 at 150 dots an inch.
const PAGE: (u32, u32) = (1240, 1754);

pub(crate) fn run(arguments: &Render) -> Result<Report, Stop> {
    files::check_other(&arguments.package, &arguments.out)?;
    let sight = Sight {
        camera: arguments.camera,
        size: arguments
            .size
            .unwrap_or(if arguments.sheet { PAGE } else { VIEW }),
        theme: arguments.theme,
        supersample: arguments.supersample.unwrap_or(1 + u32::from(arguments.sheet)),
        background: if arguments.transparent {
            Background::Transparent
        } else {
            Background::Paper
        },
    };
    if arguments.history {
        return look_back(arguments, &sight);
    }
    let viewed = Viewed::open(&arguments.package, arguments.device.map(device))?;
    let mut report = Report::new();
    if arguments.sheet {
        draw_sheet(&viewed, &sight, &arguments.out, &mut report)?;
    } else {
        draw(&viewed, &sight, &arguments.out, &mut report)?;
    }
    Ok(report)
}

/// Draws the pages and saves each beside the first.
fn draw_sheet(viewed: &Viewed, sight: &Sight, out: &Path, report: &mut Report) -> Result<(), Stop> {
    let pages = sheet::pages(viewed, sight)?;
    let (width, height) = sight.size;
    let mut written = Vec::new();
    for (nth, page) in pages.iter().enumerate() {
        let path = if nth == 0 {
            out.to_owned()
        } else {
            beside(out, nth + 1)
        };
        let entries = viewed
            .entries(sight)?
            .and("Page", &format!("{} of {}", nth + 1, pages.len()));
        let bytes = sight
            .to_png(&Cutout::from(page), &entries)
            .map_err(|error| Stop::from(error.refusal()))?;
        files::write(&path, &bytes)?;
        report.pair(
            "page",
            format!(
                "{} · {width}x{height} · {} of {} · variant {}",
                path.display(),
                nth + 1,
                pages.len(),
                viewed.variant()?.name
            ),
        );
        if nth == 0 {
            tell(&path, &bytes, sight, &entries, report);
        }
        written.push(json!({
            "picture": path.display().to_string(),
            "digest": Digest::of(&bytes).to_string(),
            "bytes": bytes.len(),
        }));
    }
    tell_switch(viewed, report)?;
    report.member("pages", written);
    Ok(())
}

/// `a.png` with its number: `a-2.png`.
fn beside(out: &Path, number: usize) -> PathBuf {
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let ending = out
        .extension()
        .map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    out.with_file_name(format!("{stem}-{number}{ending}"))
}

/// Draws what was recorded, under its mark; says beside it whether it could be used now.
fn look_back(arguments: &Render, sight: &Sight) -> Result<Report, Stop> {
    let inspected = Inspected::open(&arguments.package)?;
    let pixels = of_history(&inspected, sight)?;
    let entries = inspected.entries(sight);
    let bytes = sight
        .to_png(&pixels, &entries)
        .map_err(|error| Stop::from(error.refusal()))?;
    files::write(&arguments.out, &bytes)?;
    let history = &inspected.history;
    let mut report = Report::new();
    let (width, height) = sight.size;
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
    tell(&arguments.out, &bytes, sight, &entries, &mut report);
    report.member("history", true);
    report.member("mark", history.mark());
    report.member("executableNow", verify::fact(&inspected.judgment.executable_now));
    Ok(report)
}

/// Draws what `viewed` shows and saves it.
pub(crate) fn draw(viewed: &Viewed, sight: &Sight, out: &Path, report: &mut Report) -> Result<(), Stop> {
    let pixels = of_view(viewed, sight)?;
    let entries = viewed.entries(sight)?;
    let bytes = sight
        .to_png(&pixels, &entries)
        .map_err(|error| Stop::from(error.refusal()))?;
    files::write(out, &bytes)?;
    let (width, height) = sight.size;
    report.pair(
        "picture",
        format!(
            "{} · {width}x{height} · variant {}",
            out.display(),
            viewed.variant()?.name
        ),
    );
    tell_switch(viewed, report)?;
    tell(out, &bytes, sight, &entries, report);
    Ok(())
}

/// What was written, for scripts.
fn tell(out: &Path, bytes: &[u8], sight: &Sight, entries: &Entries, report: &mut Report) {
    report.member("picture", out.display().to_string());
    report.member("bytes", bytes.len());
    report.member("digest", Digest::of(bytes).to_string());
    report.member("width", sight.size.0);
    report.member("height", sight.size.1);
    report.member("transparent", sight.background == Background::Transparent);
    report.member("supersample", sight.supersample);
    for (key, text) in entries.iter() {
        let name = match key {
            "Plan" => "planId",
            "Result" => "resultId",
            "Snapshot" => "snapshotId",
            "Dataset" => "datasetFingerprint",
            "Variant" => "variant",
            "Compiler" => "compiler",
            "Camera" => "camera",
            "Theme" => "theme",
            "Software" => "software",
            _ => continue,
        };
        report.member(name, text);
    }
}

/// Another admitted variant than the recorded one is an adaptation, and said to be one. The package stays what it is.
pub(crate) fn tell_switch(viewed: &Viewed, report: &mut Report) -> Result<(), Stop> {
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

/// The pixels of what is admitted now.
pub(crate) fn of_view(viewed: &Viewed, sight: &Sight) -> Result<Cutout, Stop> {
    let refuse = |error: StageError| Stop::from(error.refusal());
    let mut headless = sight.open(viewed.device).map_err(refuse)?;
    show::request(&mut headless.app, viewed)?;
    sight.take(&mut headless).map_err(refuse)
}

/// The pixels of what was recorded, under its mark.
pub(crate) fn of_history(inspected: &Inspected, sight: &Sight) -> Result<Cutout, Stop> {
    let refuse = |error: StageError| Stop::from(error.refusal());
    let mut headless = sight.open(inspected.device()).map_err(refuse)?;
    show::history(&mut headless.app, inspected)?;
    sight.take(&mut headless).map_err(refuse)
}

impl Viewed {
    /// What a picture of it says of itself.
    ///
    /// # Errors
    /// As [`Viewed::variant`].
    pub(crate) fn entries(&self, sight: &Sight) -> Result<Entries, Stop> {
        let admission = &self.readmitted.admission;
        let subject = Subject {
            question: self.question(),
            plan: admission.plan(),
            record: admission.record(),
            dataset: self
                .opened
                .snapshot()
                .body()
                .analytical_dataset_fingerprint
                .to_string(),
            variant: &self.variant()?.name,
        };
        Ok(Entries::of(&subject, sight))
    }
}

impl Inspected {
    /// What a picture of it says of itself.
    pub(crate) fn entries(&self, sight: &Sight) -> Entries {
        let history = &self.history;
        let subject = Subject {
            question: self.question(),
            plan: history.plan(),
            record: history.record(),
            dataset: self
                .opened
                .snapshot()
                .body()
                .analytical_dataset_fingerprint
                .to_string(),
            variant: history.variant(),
        };
        Entries::of(&subject, sight).and("Mark", history.mark())
    }
}
