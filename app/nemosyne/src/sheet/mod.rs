//! A sheet: one page for a paper's supplement, and further pages for what does not fit on it.
//!
//! From the top: the question; home and three sides, without the boards that stand before a viewer; then once, in full,
//! what those say, and the identities by which all of it can be checked. No date stands on it: a package records none.
//! Lengths are in units of which the page is 1240 wide, as A4 has pixels at 150 dots an inch.

mod flow;
mod views;

use std::collections::BTreeSet;

use forma::Admission;
use investigation::wire::v2::EpistemicPurpose;
use plan::element::{self, LabelInk, Typed};
use plan::wire::v1::Element;
use representation::wire::v2::Placement;
use stage::headless::Picture;
use stage::{Ink, StageError};

use self::flow::Flow;
use self::views::{legend, views};
use crate::output::Stop;
use crate::picture::{SOFTWARE, Sight};
use crate::viewed::Viewed;

const WIDTH: f32 = 1240.0;
const MARGIN: f32 = 90.0;
const GUTTER: f32 = 24.0;
/// Height of a view by its width.
const SHAPE: f32 = 0.86;

/// Sizes of type, and from line to line.
const TITLE: f32 = 29.0;
const TEXT: f32 = 16.5;
const SMALL: f32 = 14.0;
const LEADING: f32 = 1.36;

/// A page holds at least this much below its head, or its views would not fit on it.
const LOWEST: f32 = 1.2;

/// The pages.
///
/// # Errors
/// As [`Sight::take`]; [`StageError::NoLetters`] for a question in letters that the typeface lacks; a refusal for a page that
/// is too low for its views.
pub(crate) fn pages(viewed: &Viewed, sight: &Sight) -> Result<Vec<Picture>, Stop> {
    let refuse = |error: StageError| Stop::from(error.refusal());
    if (sight.size.1 as f32) < sight.size.0 as f32 * LOWEST || sight.size.0 < 400 {
        return Err(anyhow::anyhow!(
            "a sheet is at least 400 pixels wide and {LOWEST} times as high as wide: {}x{} is not",
            sight.size.0,
            sight.size.1
        )
        .into());
    }
    let words = Words::of(viewed)?;
    let views = views(viewed, sight)?;
    let legend = legend(viewed, sight)?;
    let mut flow = Flow::new(sight).map_err(refuse)?;
    flow.has_letters(&words).map_err(refuse)?;
    flow.head(&words);
    flow.views(&views, &words);
    if let Some(legend) = &legend {
        flow.picture(legend);
    }
    flow.columns("What the picture says of itself", &words.caveats);
    flow.table("Identities", &words.identities);
    Ok(flow.finish(&words))
}

/// Everything that is set in type.
struct Words {
    question: String,
    /// What it is for and on what it is shown.
    standing: String,
    /// Set when the result is for a study alone.
    study: bool,
    captions: [String; 4],
    caveats: Vec<(String, Ink)>,
    identities: Vec<(&'static str, String)>,
}

impl Words {
    fn of(viewed: &Viewed) -> Result<Self, Stop> {
        let admission = &viewed.readmitted.admission;
        let (plan, variant) = (admission.plan(), viewed.variant()?);
        let study = matches!(admission, Admission::StudyOnly(_));
        let titles = [Placement::AxisX, Placement::AxisY, Placement::AxisZ].map(|placement| {
            let title =
                |element: &&Element| element.id == format!("{}.title", element.representation_primitive_id);
            labels(viewed, placement, &variant.backend.elements, title)
                .pop()
                .map(|(text, _)| text)
        });
        let question = viewed.question();
        let body = plan.body();
        Ok(Self {
            question: if question.trim().is_empty() {
                "No question was recorded.".to_owned()
            } else {
                question
            },
            standing: format!(
                "{} · {} · variant {}",
                if study {
                    "STUDY ONLY: shown inside an authorized study, not for use as a claim"
                } else {
                    "admitted for production"
                },
                match viewed.opened.context().body().epistemic_purpose {
                    EpistemicPurpose::ClaimBearing => "claim-bearing",
                    EpistemicPurpose::ExploratoryAbduction => "exploratory",
                },
                variant.name
            ),
            study,
            captions: captions(&titles),
            caveats: labels(viewed, Placement::CaveatBoard, &variant.backend.elements, |_| {
                true
            }),
            identities: vec![
                ("plan", plan.id().to_string()),
                ("result", admission.record().id().to_string()),
                (
                    "dataset",
                    viewed
                        .opened
                        .snapshot()
                        .body()
                        .analytical_dataset_fingerprint
                        .to_string(),
                ),
                ("snapshot", body.snapshot_id.to_string()),
                ("context", body.context_id.to_string()),
                ("package", viewed.opened.investigation_digest().to_string()),
                (
                    "compiler",
                    format!("{}@{}", body.compiler_ref.id, body.compiler_ref.version),
                ),
                ("drawn by", SOFTWARE.to_owned()),
            ],
        })
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        let caveats = self.caveats.iter().map(|(text, _)| text.as_str());
        [self.question.as_str()]
            .into_iter()
            .chain(self.captions.iter().map(String::as_str))
            .chain(caveats)
    }
}

/// Texts of the labels of primitives that stand there.
fn labels(
    viewed: &Viewed,
    placement: Placement,
    elements: &[Element],
    which: impl Fn(&&Element) -> bool,
) -> Vec<(String, Ink)> {
    let there = primitives(viewed, |at| at == placement);
    elements
        .iter()
        .filter(|element| there.contains(&element.representation_primitive_id))
        .filter(which)
        .filter_map(|element| match element::read(element) {
            Ok(Typed::Label(label)) => Some((
                label.text,
                match label.ink {
                    LabelInk::Ink => Ink::Ink,
                    LabelInk::Muted => Ink::Muted,
                    LabelInk::Caveat => Ink::Caveat,
                    LabelInk::Conjecture => Ink::Conjecture,
                },
            )),
            _ => None,
        })
        .collect()
}

fn primitives(viewed: &Viewed, which: impl Fn(Placement) -> bool) -> BTreeSet<String> {
    let primitives = &viewed.opened.graph().body().primitives;
    let there = primitives.iter().filter(|primitive| which(primitive.placement));
    there.map(|primitive| primitive.id.clone()).collect()
}

fn captions([x, y, z]: &[Option<String>; 3]) -> [String; 4] {
    let said = |side: &str, parts: [(&Option<String>, &str); 2]| {
        let parts: Vec<String> = parts
            .iter()
            .filter_map(|(title, way)| Some(format!("{} {way}", title.as_ref()?)))
            .collect();
        if parts.is_empty() {
            side.to_owned()
        } else {
            format!("{side}: {}", parts.join(", "))
        }
    };
    [
        "From home".to_owned(),
        said("From the front", [(x, "across"), (y, "up")]),
        said("From above", [(x, "across"), (z, "toward the reader")]),
        said("From the right", [(z, "to the left"), (y, "up")]),
    ]
}
