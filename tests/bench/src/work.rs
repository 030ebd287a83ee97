//! The pieces of work that are measured, as a caller of the packages does them.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use custody::Custody;
use dataset::ImportOptions;
use forma::RequestedUse;
use identity::{Digest, DigestWriter, Identity};
use inquiry::{Decided, Prepared, Question};
use investigation::wire::v2::EpistemicPurpose;
use knowledge::wire::v1::DeviceClass;
use refusal::Refusal;

use crate::synthetic::{Body, BodyKind, Tagged};

/// The sample of the main job.
const PENGUINS: &[u8] = include_bytes!("../../../assets/samples/penguins.csv");

/// Canonicalizes and hashes with this program.
///
/// # Errors
/// When the body has no canonical text.
pub fn identify(body: &Body) -> anyhow::Result<Identity<BodyKind>> {
    Ok(identity::identify::<BodyKind, _>(body)?)
}

/// Canonicalizes and hashes the same value with other people's libraries; the digest of the same bytes.
///
/// # Errors
/// When the library refuses the value.
pub fn identify_with_others(body: &Body) -> anyhow::Result<[u8; 32]> {
    use sha2::Digest as _;
    let tag = <BodyKind as identity::Kind>::TAG;
    let text = serde_json_canonicalizer::to_vec(&Tagged { body, tag })?;
    Ok(sha2::Sha256::digest(&text).into())
}

/// Bytes, and what is asked of them.
#[derive(Clone, Debug)]
pub struct Inquiry {
    custody: Custody,
    bytes: Vec<u8>,
    options: ImportOptions,
    question: Question,
}

/// How an inquiry ended.
#[derive(Debug)]
pub enum Answer {
    /// With a plan.
    Admitted(Box<Decided>),
    /// With the refusal of the first recipe, as when a device's budget is too small.
    Refused(Box<Refusal>),
}

impl Inquiry {
    /// The main job: 344 penguins, three measurements, grouped by species.
    ///
    /// # Errors
    /// When what ships does not open.
    pub fn of_penguins() -> anyhow::Result<Self> {
        Self::new(
            "penguins.csv",
            PENGUINS.to_vec(),
            "Does flipper length separate the species?",
            ["flipper_length_mm", "body_mass_g", "bill_length_mm"],
            Some("species"),
        )
    }

    /// The table that [`crate::synthetic::csv`] makes.
    ///
    /// # Errors
    /// When what ships does not open.
    pub fn of_synthetic(csv: Vec<u8>) -> anyhow::Result<Self> {
        let foreground = ["length_mm", "mass_g", "depth_mm"];
        Self::new(
            "synthetic.csv",
            csv,
            "How do length, mass and depth go together?",
            foreground,
            None,
        )
    }

    fn new(
        name: &str,
        bytes: Vec<u8>,
        text: &str,
        foreground: [&str; 3],
        grouping: Option<&str>,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            custody: custody::Shipped::open()?,
            bytes,
            options: ImportOptions {
                name: name.to_owned(),
                ..ImportOptions::default()
            },
            question: Question {
                text: text.to_owned(),
                purpose: Some(EpistemicPurpose::ClaimBearing),
                foreground: foreground.map(str::to_owned).to_vec(),
                grouping: grouping.map(str::to_owned),
                ..Question::default()
            },
        })
    }

    /// From bytes to obligations.
    ///
    /// # Errors
    /// The refusal of the step that refuses.
    pub fn prepare(&self) -> anyhow::Result<Prepared> {
        inquiry::prepare(
            self.bytes.clone(),
            &self.options,
            &self.question,
            &self.custody,
            "bench",
        )
        .map_err(|refusal| told(&refusal))
    }

    /// From obligations to the answers of every recipe.
    ///
    /// # Errors
    /// When no recipe gives an answer.
    pub fn decide(&self, prepared: &Prepared) -> anyhow::Result<Answer> {
        self.decide_by(prepared, None)
    }

    fn decide_by(&self, prepared: &Prepared, recipe: Option<&str>) -> anyhow::Result<Answer> {
        let decided = prepared
            .decide(
                &self.custody,
                &self.custody,
                recipe,
                DeviceClass::DesktopMonitor,
                &RequestedUse::Production,
            )
            .map_err(|refusal| told(&refusal))?;
        if decided.recommended().is_some() {
            return Ok(Answer::Admitted(Box::new(decided)));
        }
        let refused = decided
            .candidates()
            .iter()
            .find_map(|candidate| match &candidate.outcome {
                inquiry::Outcome::Refused(_, refused) => Some(refused.primary().clone()),
                inquiry::Outcome::NotProposed(refusal) => Some(refusal.as_ref().clone()),
                inquiry::Outcome::Admitted(..) => None,
            });
        refused
            .map(|refusal| Answer::Refused(Box::new(refusal)))
            .context("no recipe proposed anything")
    }

    /// What the first recipe proposes.
    ///
    /// # Errors
    /// When it does not apply.
    pub fn propose(&self, prepared: &Prepared) -> anyhow::Result<representation::Graph> {
        let proposals = prepared
            .propose(&self.custody, None)
            .map_err(|refusal| told(&refusal))?;
        let (_, first) = proposals.into_iter().next().context("no recipe")?;
        first.map_err(|refusal| told(&refusal))
    }

    /// Forma alone.
    ///
    /// # Errors
    /// The refusal.
    pub fn admit(
        &self,
        prepared: &Prepared,
        graph: &representation::Graph,
    ) -> anyhow::Result<forma::Admission> {
        let device = DeviceClass::DesktopMonitor;
        prepared
            .admit(
                graph,
                &self.custody,
                &self.custody,
                device,
                &RequestedUse::Production,
            )
            .map_err(|refused| told(refused.primary()))
    }

    /// All stages: from bytes to the answers of every recipe, or of the one named.
    ///
    /// # Errors
    /// The refusal of the step that refuses.
    pub fn answer(&self, recipe: Option<&str>) -> anyhow::Result<(Prepared, Answer)> {
        let prepared = self.prepare()?;
        let answer = self.decide_by(&prepared, recipe)?;
        Ok((prepared, answer))
    }

    /// Writes the package of what is admitted.
    ///
    /// # Errors
    /// When nothing is admitted or the package can't be written.
    pub fn write(&self, path: &Path) -> anyhow::Result<package::Written> {
        let (prepared, answer) = self.answer(None)?;
        match answer {
            Answer::Admitted(decided) => {
                let capture = decided
                    .capture(&prepared, &self.custody)
                    .map_err(|refusal| told(&refusal))?;
                Ok(capture.write(path)?)
            }
            Answer::Refused(refusal) => Err(told(&refusal)),
        }
    }
}

fn told(refusal: &Refusal) -> anyhow::Error {
    anyhow!(
        "{} / {}: {}",
        refusal.code(),
        refusal.reason(),
        refusal.cause().text
    )
}

/// Judges a package as `verify` does: intact and complete.
///
/// # Errors
/// When it is not both.
pub fn verify(path: &Path) -> anyhow::Result<package::Opened> {
    let (_, opened) = package::examine(path, &package::Limits::DEFAULT);
    opened.with_context(|| format!("{} is not whole", path.display()))
}

/// Hashes a file with the same SHA-256, and does nothing else.
///
/// # Errors
/// When it can't be read.
pub fn hash_file(path: &Path) -> anyhow::Result<Digest> {
    let mut file = File::open(path)?;
    let mut digest = DigestWriter::new();
    let mut buffer = vec![0; 128 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(digest.finish()),
            len => digest.update(&buffer[..len]),
        }
    }
}
