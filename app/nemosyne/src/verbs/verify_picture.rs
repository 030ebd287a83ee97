//! `nemosyne verify PNG`: which plan a picture says it shows, and whether the package draws that picture.
//!
//! What a PNG says of itself is text that anyone can write. With `--package` three facts are told: whether the package holds
//! what the picture names, whether that can be drawn here and now, and whether it comes out the same, pixel for pixel.

use std::collections::BTreeMap;
use std::path::Path;

use knowledge::wire::v1::DeviceClass;
use refusal::{Reason, Refusal, Stage};
use serde_json::{Value, json};
use stage::headless::{Apart, Cutout, Kept};

use crate::files;
use crate::output::{Report, Stop, to_value};
use crate::picture::Sight;
use crate::sheet;
use crate::verbs::render;
use crate::viewed::{Inspected, Viewed};

/// The most bytes of a picture's file: 256 MiB.
const MOST_BYTES: u64 = 256 << 20;

/// How every PNG begins.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Entries that name what is shown: the package has to hold each of them.
const NAMED: [&str; 6] = ["Plan", "Result", "Snapshot", "Dataset", "Variant", "Compiler"];

/// Whether a file is a picture and no package.
pub(crate) fn is_picture(file: &Path) -> bool {
    files::begins_with(file, SIGNATURE).unwrap_or(false)
}

pub(crate) fn run(file: &Path, package: Option<&Path>) -> Result<Report, Stop> {
    let bytes = files::read_bounded(file, MOST_BYTES)?;
    let about = |refusal: Refusal| files::in_file(file, refusal);
    let kept = Kept::read(&bytes).map_err(|error| about(error.refusal()))?;
    let Some(plan) = kept.entries.get("Plan") else {
        return Err(about(nameless()).into());
    };
    let mut report = Report::new();
    report.line(format!("  says of itself  {plan}"));
    for (key, text) in kept.entries.iter().filter(|(key, _)| *key != "Plan") {
        report.line(format!("    {key:<13} {text}"));
    }
    report.member("entries", json!(kept.entries));
    report.member("width", kept.pixels.width);
    report.member("height", kept.pixels.height);
    let Some(package) = package else {
        report.line("  Nothing vouches for these words. Name the package with --package to have it drawn again and compared.");
        return Ok(report);
    };
    Drawn::from(package, &kept)?.tell(&kept, &mut report);
    Ok(report)
}

fn nameless() -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::NotStated,
        "The picture names no plan: what it shows can't be told from it.",
    )
    .next("Name a PNG that `nemosyne render` wrote; programs that edit pictures often drop what is written in them.")
}

fn other(what: &str) -> Refusal {
    Refusal::new(Stage::DecodeIntegrity, Reason::WrongSubject, what.to_owned())
        .next("Name the package that the picture is of, or render it anew.")
}

/// What the package says, where the picture has words, and what it draws.
struct Drawn {
    /// By key: what the package holds.
    holds: BTreeMap<&'static str, String>,
    again: Again,
}

enum Again {
    /// How far the pixels are apart.
    Apart(Apart),
    /// Words about the taking that this version does not know, or none.
    Untold(&'static str),
}

impl Drawn {
    fn from(package: &Path, kept: &Kept) -> Result<Self, Stop> {
        let said = |key: &str| kept.entries.get(key).map(String::as_str);
        let size = (kept.pixels.width, kept.pixels.height);
        let sight = Sight::said(&kept.entries, size);
        let unknown = "It does not say how it was taken, or in words that this version does not know.";
        // Only what is asked of the package; how it was taken does not enter here.
        let any = sight.unwrap_or(Sight::home(size));
        let (entries, pixels) = if said("Mark").is_some() {
            let inspected = Inspected::open(package)?;
            let pixels = sight
                .map(|sight| render::of_history(&inspected, &sight))
                .transpose()?;
            (inspected.entries(&any), pixels)
        } else {
            let viewed = Viewed::open(package, said("Variant").and_then(device))?;
            let entries = viewed.entries(&any)?;
            let is_named = entries
                .iter()
                .any(|(key, text)| key == "Plan" && said(key) == Some(text));
            // What is another plan is not drawn to be compared.
            let pixels = match (sight.filter(|_| is_named), said("Page")) {
                (None, _) => None,
                (Some(sight), None) => Some(render::of_view(&viewed, &sight)?),
                (Some(sight), Some(page)) => {
                    let number = page
                        .split(' ')
                        .next()
                        .and_then(|number| number.parse::<usize>().ok());
                    let pages = sheet::pages(&viewed, &sight)?;
                    let page = number.and_then(|number| pages.get(number.checked_sub(1)?));
                    page.map(Cutout::from)
                }
            };
            (entries, pixels)
        };
        let again = match pixels {
            Some(pixels) => pixels
                .apart(&kept.pixels)
                .map_or(Again::Untold("It has another size."), Again::Apart),
            None => Again::Untold(unknown),
        };
        let holds = entries
            .iter()
            .filter(|(key, _)| NAMED.contains(key) || *key == "Mark" || *key == "Title")
            .map(|(key, text)| (key, text.to_owned()))
            .collect();
        Ok(Self { holds, again })
    }

    fn tell(&self, kept: &Kept, report: &mut Report) {
        let differ: Vec<&str> = self
            .holds
            .iter()
            .filter(|(key, text)| kept.entries.get(**key) != Some(*text))
            .map(|(key, _)| *key)
            .collect();
        let (holds, sentence) = if differ.is_empty() {
            (
                true,
                "The package holds what the picture names, word for word.".to_owned(),
            )
        } else {
            let parts: Vec<String> = differ
                .iter()
                .map(|key| {
                    let said = kept.entries.get(*key).map_or("nothing", String::as_str);
                    format!("{key}: the picture says {said}, the package {}", self.holds[key])
                })
                .collect();
            (
                false,
                format!("The package holds something else. {}.", parts.join("; ")),
            )
        };
        fact(
            report,
            "of the package",
            "ofPackage",
            holds,
            &sentence,
            "the picture names what the package does not hold",
        );
        let (holds, sentence) = match &self.again {
            Again::Apart(apart) if apart.pixels == 0 => (
                true,
                "Drawn again from the package, every pixel is the same.".to_owned(),
            ),
            Again::Apart(apart) => {
                let is_near = apart.is_within(&Apart::TOLERANCE);
                let verdict = if is_near {
                    "as two graphics drivers may differ"
                } else {
                    "more than two graphics drivers differ"
                };
                let sentence = format!(
                    "Drawn again from the package, {} pixels differ, by {} of 255 at most and {:.4} in the mean: {verdict}.",
                    apart.pixels, apart.most, apart.mean
                );
                (is_near, sentence)
            }
            Again::Untold(why) => {
                report.line(format!("  -    pixels          {why}"));
                report.member("pixels", Value::Null);
                return;
            }
        };
        fact(
            report,
            "pixels",
            "pixels",
            holds,
            &sentence,
            "the package draws another picture",
        );
    }
}

fn fact(report: &mut Report, label: &str, member: &str, holds: bool, sentence: &str, otherwise: &str) {
    report.line(format!(
        "  {}  {label:<15} {sentence}",
        if holds { "yes" } else { "no " }
    ));
    let refusal = (!holds).then(|| other(&format!("Of the picture and the package: {otherwise}.")));
    report.member(
        member,
        json!({ "holds": holds, "sentence": sentence, "refusal": refusal.as_ref().map(to_value) }),
    );
    if let Some(refusal) = refusal {
        report.refuse(&refusal);
    }
}

/// The device of a variant's name.
fn device(variant: &str) -> Option<DeviceClass> {
    [
        DeviceClass::DesktopMonitor,
        DeviceClass::PcvrHeadset,
        DeviceClass::StandaloneHeadset,
    ]
    .into_iter()
    .find(|device| plan::variant_name(*device) == variant)
}
