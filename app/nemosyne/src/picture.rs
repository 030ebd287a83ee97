//! Pictures as this program takes them: how one is asked for, what it says of itself, and how that is read again.
//!
//! A PNG says in iTXt entries what it shows, so that a picture that was cut off from its package finds back:
//!
//! | key | text |
//! |---|---|
//! | `Software` | program and version |
//! | `Title` | the question |
//! | `Plan` | identity of the admitted plan |
//! | `Result` | identity of the decision that admitted it |
//! | `Snapshot` | identity of the semantic snapshot |
//! | `Dataset` | fingerprint of the dataset |
//! | `Variant` | variant of the plan that is drawn |
//! | `Compiler` | compiler of the plan, with its version |
//! | `Camera` | `home`, `front`, `top`, `side`, or yaw and pitch in degrees and the distance in meters |
//! | `Theme` | colors of paper and ink |
//! | `Supersample` | samples a side of each pixel |
//! | `Background` | `paper` or `none` |
//! | `Mark` | of history: the sentence over it |
//! | `Page` | of a sheet: its number and how many there are |
//!
//! Anyone can write such entries: they are a claim, which `verify PNG --package PKG` holds against the package.

use std::collections::BTreeMap;

use forma::FormaRecord;
use knowledge::wire::v1::DeviceClass;
use plan::{Camera as Place, Plan};
use stage::headless::{Cutout, Headless};
use stage::{Graphics, StageError, Theme};

use crate::cli::{self, Camera};

/// The program's name and version.
pub(crate) const SOFTWARE: &str = concat!("Nemosyne ", env!("CARGO_PKG_VERSION"));

/// How a picture is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sight {
    pub(crate) camera: Camera,
    pub(crate) size: (u32, u32),
    pub(crate) theme: cli::Theme,
    pub(crate) supersample: u32,
    pub(crate) background: Background,
}

/// What is behind what is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Background {
    /// The theme's paper.
    Paper,
    /// Nothing.
    Transparent,
}

impl Sight {
    /// From home, on light paper.
    pub(crate) const fn home(size: (u32, u32)) -> Self {
        Self {
            camera: Camera::Named("home"),
            size,
            theme: cli::Theme::Light,
            supersample: 1,
            background: Background::Paper,
        }
    }

    /// Where that is for a device.
    fn place(&self, device: DeviceClass) -> Place {
        let home = Place::home(device);
        match self.camera {
            Camera::Named(name) => Place::named(name, device).unwrap_or(home),
            Camera::Around(around) => orbit(home, around),
        }
    }

    /// An app that looks from there; what is to be seen is still to be asked for.
    ///
    /// # Errors
    /// As [`Graphics::open`] and [`Headless::supersampled`].
    pub(crate) fn open(&self, device: DeviceClass) -> Result<Headless, StageError> {
        let graphics = Graphics::open()?;
        let mut headless = Headless::supersampled(graphics, self.size, self.supersample, self.place(device))?;
        headless.app.insert_resource(colors(self.theme));
        Ok(headless)
    }

    /// The pixels of what is shown.
    ///
    /// # Errors
    /// As [`Headless::picture`].
    pub(crate) fn take(&self, headless: &mut Headless) -> Result<Cutout, StageError> {
        match self.background {
            Background::Paper => Ok(Cutout::from(&headless.picture()?)),
            Background::Transparent => headless.cutout(),
        }
    }

    /// The pixels as PNG.
    ///
    /// # Errors
    /// As [`Cutout::to_png`].
    pub(crate) fn to_png(&self, pixels: &Cutout, entries: &Entries) -> Result<Vec<u8>, StageError> {
        let entries: Vec<(&str, &str)> = entries
            .0
            .iter()
            .map(|(key, text)| (*key, text.as_str()))
            .collect();
        match self.background {
            Background::Paper => pixels.to_opaque().to_png(&entries),
            Background::Transparent => pixels.to_png(&entries),
        }
    }

    /// The camera, as a picture says it and the command line takes it.
    pub(crate) fn camera_text(&self) -> String {
        match self.camera {
            Camera::Named(name) => name.to_owned(),
            Camera::Around([yaw, pitch, meters]) => format!("{yaw},{pitch},{meters}"),
        }
    }

    pub(crate) fn theme_text(&self) -> &'static str {
        match self.theme {
            cli::Theme::Light => "light",
            cli::Theme::Dark => "dark",
        }
    }

    /// What a picture says of how it was taken, read back; nothing when it does not say it as this program does.
    pub(crate) fn said(entries: &BTreeMap<String, String>, size: (u32, u32)) -> Option<Self> {
        let said = |key: &str| entries.get(key).map(String::as_str);
        Some(Self {
            camera: cli::camera(said("Camera")?).ok()?,
            size,
            theme: match said("Theme")? {
                "light" => cli::Theme::Light,
                "dark" => cli::Theme::Dark,
                _ => return None,
            },
            supersample: said("Supersample")?
                .parse()
                .ok()
                .filter(|n| (1..=8).contains(n))?,
            background: match said("Background")? {
                "paper" => Background::Paper,
                "none" => Background::Transparent,
                _ => return None,
            },
        })
    }
}

/// The colors of a theme.
pub(crate) fn colors(theme: cli::Theme) -> Theme {
    match theme {
        cli::Theme::Light => Theme::light(),
        cli::Theme::Dark => Theme::dark(),
    }
}

/// Around what a place looks at: 0 yaw looks from the front, positive from the right.
fn orbit(home: Place, [yaw, pitch, meters]: [f64; 3]) -> Place {
    let (yaw, pitch) = (yaw.to_radians(), pitch.to_radians());
    let out = [yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos()];
    Place {
        eye: std::array::from_fn(|axis| home.target[axis] + meters * out[axis]),
        ..home
    }
}

/// What a picture says of itself, in the order in which it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries(Vec<(&'static str, String)>);

/// What a picture shows.
pub(crate) struct Subject<'a> {
    pub(crate) question: String,
    pub(crate) plan: &'a Plan,
    pub(crate) record: &'a FormaRecord,
    pub(crate) dataset: String,
    pub(crate) variant: &'a str,
}

impl Entries {
    /// What is shown and how it was taken.
    pub(crate) fn of(subject: &Subject<'_>, sight: &Sight) -> Self {
        let plan = subject.plan.body();
        let compiler = &plan.compiler_ref;
        let background = match sight.background {
            Background::Paper => "paper",
            Background::Transparent => "none",
        };
        Self(vec![
            ("Software", SOFTWARE.to_owned()),
            ("Title", subject.question.clone()),
            ("Plan", subject.plan.id().to_string()),
            ("Result", subject.record.id().to_string()),
            ("Snapshot", plan.snapshot_id.to_string()),
            ("Dataset", subject.dataset.clone()),
            ("Variant", subject.variant.to_owned()),
            ("Compiler", format!("{}@{}", compiler.id, compiler.version)),
            ("Camera", sight.camera_text()),
            ("Theme", sight.theme_text().to_owned()),
            ("Supersample", sight.supersample.to_string()),
            ("Background", background.to_owned()),
        ])
    }

    /// One more.
    pub(crate) fn and(mut self, key: &'static str, text: &str) -> Self {
        self.0.push((key, text.to_owned()));
        self
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(key, text)| (*key, text.as_str()))
    }
}
