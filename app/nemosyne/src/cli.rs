//! What can be typed: verbs and their arguments, before any of it means anything.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::table::ImportArguments;
use crate::verbs::judge::Judge;

/// Data given a body in space, shown only where it may be, with the reason why.
#[derive(Debug, Parser)]
#[command(name = "nemosyne", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    /// Custody folder: whom to trust beyond what ships. Else NEMOSYNE_CUSTODY, else the user's own when it exists.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) custody: Option<PathBuf>,
    /// What to do; without a verb the workbench opens.
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Run the main job on bundled data: admit, package, verify, replay, render; then open the window.
    Demo(Demo),
    /// Read a table; print typed columns, units, missing values and the dataset's identity.
    Import(Import),
    /// Run one analysis of a table; print what was found and on what it rests.
    Analyze(Analyze),
    /// Go from a table, or a package asked anew, to an admitted plan and a package, or to a typed refusal.
    Admit(Admit),
    /// Print the fixed decision context for a proposer: snapshot, question, obligations, policies, tables, skeleton.
    Context(Context),
    /// Say whether a graph keeps the grammar, and if not, where it breaks it.
    CheckGraph(CheckGraph),
    /// Judge a package: intact, complete, replayable, executable now, trusted by whom. Or a picture: whose it is.
    Verify(Verify),
    /// Compute recorded receipts again from the package's own bytes, and compare every value.
    Recompute(Recompute),
    /// Rebuild the recorded plan without choosing anything again.
    Replay(Replay),
    /// Draw a package to a PNG, without a window.
    Render(Render),
    /// Follow a mark or a property to its receipt.
    Explain(Explain),
    /// Read what a package of any format version records, without running anything.
    Inspect(Package),
    /// Open a package in the window.
    Open(Open),
    /// Write and show what a study agrees before it begins; nothing here permits anything by itself.
    Study(crate::verbs::study::Study),
    /// Show, sign and take back what this machine trusts: keys, decisions, dispositions.
    #[command(subcommand)]
    Custody(crate::verbs::custody::Custody),
    /// Say what in a picture misleads, or what was understood; until a person signs it, it is a draft.
    Judge(Box<Judge>),
    /// Show what a refusal code means, how it arises, what to do.
    ExplainRefusal(ExplainRefusal),
}

/// `demo`.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Folder for the picture and the package; made when it is not there.
    #[arg(long, default_value = "nemosyne-demo")]
    pub(crate) out: PathBuf,
    /// Don't open a window, even with a display.
    #[arg(long)]
    pub(crate) no_window: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `import`.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// A table: CSV, TSV, JSON rows or lines, a JSON graph, Parquet, Arrow; packed with gzip or not.
    pub(crate) file: PathBuf,
    /// How it is read.
    #[command(flatten)]
    pub(crate) table: ImportArguments,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `analyze`.
#[derive(Debug, Args)]
pub(crate) struct Analyze {
    /// A table, or a package whose table is meant.
    #[arg(value_name = "FILE|PKG")]
    pub(crate) file: PathBuf,
    /// The family of analyses.
    #[arg(long, value_name = "NAME")]
    pub(crate) family: String,
    /// Its columns; every numeric one when none are named.
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// A free parameter; the family has defaults for the rest.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// A requirement profile that every receipt must satisfy, such as `inferential-claim/v1`.
    #[arg(long, value_name = "PROFILE")]
    pub(crate) require: Option<String>,
    /// How a table is read.
    #[command(flatten)]
    pub(crate) table: ImportArguments,
    /// Print one JSON object, with all digits.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `recompute`.
#[derive(Debug, Args)]
pub(crate) struct Recompute {
    /// The `.nemosyne` file.
    pub(crate) package: PathBuf,
    /// The receipt; all of them when none is named.
    #[arg(long, value_name = "ID")]
    pub(crate) receipt: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is asked, of a table or of a recorded analytical state.
#[derive(Debug, Args)]
pub(crate) struct Asking {
    /// A table, or a package to ask anew.
    #[arg(value_name = "FILE|PKG")]
    pub(crate) file: PathBuf,
    /// The question the picture is to answer; of a package, the recorded one stays when none is stated.
    #[arg(long, value_name = "TEXT")]
    pub(crate) question: Option<String>,
    /// What the picture is for. Never assumed; of a package, the recorded one stays.
    #[arg(long, value_enum)]
    pub(crate) purpose: Option<Purpose>,
    /// Three quantitative columns for x, y, z; with --draw, the columns that the analysis is asked about.
    #[arg(long, value_name = "A,B,C", value_delimiter = ',')]
    pub(crate) foreground: Vec<String>,
    /// A categorical column for hue and shape.
    #[arg(long, value_name = "COLUMN", conflicts_with = "ungrouped")]
    pub(crate) group: Option<String>,
    /// Drop the recorded grouping.
    #[arg(long)]
    pub(crate) ungrouped: bool,
    /// Families of analyses beside the rows; they enter the package with their receipts.
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub(crate) family: Vec<String>,
    /// Put what a family found in front instead of the rows: cluster, density, dependency, distribution, graph, projection
    /// or temporal, asked about the foreground and the group.
    #[arg(long, value_name = "FAMILY", conflicts_with = "perspective")]
    pub(crate) draw: Option<String>,
    /// A free parameter of a family, or its columns: `density.columns=a,b`.
    #[arg(long, value_name = "FAMILY.NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// A requirement profile that the receipts of these families must satisfy, such as `inferential-claim/v1`; those of
    /// the statistics when no family is named.
    #[arg(long, value_name = "PROFILE")]
    pub(crate) require: Option<String>,
    /// What the viewer does there.
    #[arg(long, value_enum)]
    pub(crate) viewpoint: Option<Viewpoint>,
    /// A whole perspective as JSON, instead of foreground, group and viewpoint.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["foreground", "group", "ungrouped", "viewpoint"])]
    pub(crate) perspective: Option<PathBuf>,
    /// Of a package: continue from this node instead of the recorded active one.
    #[arg(long, value_name = "NODE", conflicts_with = "revisit")]
    pub(crate) from: Option<String>,
    /// Of a package: begin another line of inquiry.
    #[arg(long, conflicts_with = "revisit")]
    pub(crate) branch: bool,
    /// Of a package: go back to this node, exactly as it was committed.
    #[arg(long, value_name = "NODE")]
    pub(crate) revisit: Option<String>,
    /// How a table is read.
    #[command(flatten)]
    pub(crate) table: ImportArguments,
}

/// `admit`.
#[derive(Debug, Args)]
pub(crate) struct Admit {
    /// What is asked.
    #[command(flatten)]
    pub(crate) asking: Asking,
    /// Only this recipe; otherwise every applicable one proposes.
    #[arg(long, value_name = "NAME", conflicts_with = "graph")]
    pub(crate) recipe: Option<String>,
    /// Submit this RepresentationGraph 2.0.0 instead of letting recipes propose.
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,
    /// What is only supposed: a JSON file of conjecture, drawn under a mark of its own. For exploratory questions.
    #[arg(long, value_name = "FILE")]
    pub(crate) conjecture: Vec<PathBuf>,
    /// The conjecture of an earlier package that this decision answers with evidence of its own.
    #[arg(long, value_name = "PKG#ELEMENT")]
    pub(crate) promoted_from: Option<String>,
    /// A confirmed judgment that moved the author of the graph to propose it; recorded, and counted for nothing.
    #[arg(long, value_name = "JUDGMENT_ID", requires = "graph")]
    pub(crate) inspired_by: Vec<String>,
    /// Write the admitted graph to a file, as `--graph` takes it: something to start from.
    #[arg(long, value_name = "FILE")]
    pub(crate) graph_out: Option<PathBuf>,
    /// Whether the result is to be shown as a claim or inside a study.
    #[arg(long = "use", value_enum, default_value = "production")]
    pub(crate) requested_use: Use,
    /// Study authorization to ask the study's owner for; it permits study use alone.
    #[arg(long, value_name = "REFERENCE")]
    pub(crate) authorization: Option<String>,
    /// Device that must be able to show it.
    #[arg(long, value_enum, default_value = "desktop")]
    pub(crate) device: Device,
    /// Package to write; replaced only by a whole new one.
    #[arg(long, value_name = "PKG")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `context`.
#[derive(Debug, Args)]
pub(crate) struct Context {
    /// What is asked.
    #[command(flatten)]
    pub(crate) asking: Asking,
    /// Print one JSON object: enough to write a graph for `admit --graph`.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `check-graph`.
#[derive(Debug, Args)]
pub(crate) struct CheckGraph {
    /// A RepresentationGraph 2.0.0, body or envelope.
    pub(crate) file: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A package.
#[derive(Debug, Args)]
pub(crate) struct Package {
    /// The `.nemosyne` file.
    pub(crate) package: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `verify`.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The `.nemosyne` file, or a PNG that `render` wrote.
    #[arg(value_name = "PKG|PNG")]
    pub(crate) file: PathBuf,
    /// Of a PNG: the package it is said to be of. It is drawn again from that, and every pixel compared.
    #[arg(long, value_name = "PKG")]
    pub(crate) package: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `replay`.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The `.nemosyne` file.
    pub(crate) package: PathBuf,
    /// Adapt the recorded question to another device: an explicit act with a new result.
    #[arg(long, value_enum, value_name = "DEVICE")]
    pub(crate) adapt: Option<Device>,
    /// Package of the adapted result to write; the old one is not touched.
    #[arg(long, value_name = "PKG", requires = "adapt")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `render`.
#[derive(Debug, Args)]
pub(crate) struct Render {
    /// The `.nemosyne` file.
    pub(crate) package: PathBuf,
    /// PNG to write.
    #[arg(long, value_name = "PNG")]
    pub(crate) out: PathBuf,
    /// Width and height in pixels: 1280x720 for a view, 1240x1754 for a sheet (A4 at 150 dots an inch).
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub(crate) size: Option<(u32, u32)>,
    /// Where to look from: `home`, `front`, `top`, `side`, or around what home looks at by yaw and pitch in degrees and a
    /// distance in meters, as in `30,20,3.5`.
    #[arg(long, value_name = "NAME|YAW,PITCH,METERS", value_parser = camera, default_value = "home", allow_hyphen_values = true)]
    pub(crate) camera: Camera,
    /// Colors of paper and ink.
    #[arg(long, value_enum, default_value = "light")]
    pub(crate) theme: Theme,
    /// Draw this many times as wide and high, and average: 1 for a view, 2 for a sheet.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub(crate) supersample: Option<u32>,
    /// Leave the paper out: what is drawn stays, as opaque as it is.
    #[arg(long)]
    pub(crate) transparent: bool,
    /// A page for a paper's supplement: home and three sides, legend, caveats and identities. What does not fit goes to
    /// further pages, beside it under names that end in -2 and on.
    #[arg(long, conflicts_with_all = ["history", "transparent", "camera"])]
    pub(crate) sheet: bool,
    /// Variant to draw.
    #[arg(long, value_enum)]
    pub(crate) device: Option<Device>,
    /// Draw what was recorded, under a visible mark, whether or not it may be used now.
    #[arg(long, conflicts_with = "device")]
    pub(crate) history: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `explain`.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The `.nemosyne` file.
    pub(crate) package: PathBuf,
    /// Row key of a mark.
    #[arg(long, value_name = "KEY", conflicts_with = "property")]
    pub(crate) row: Option<String>,
    /// A family, or the identity of a source: what that analysis found, drawn or not.
    #[arg(long, value_name = "FAMILY|ID", conflicts_with = "row")]
    pub(crate) source: Option<String>,
    /// `ELEMENT/CHANNEL`, as in `marks.wall_xy/position_x`, or the name of a conjecture; with `--source` a property of
    /// the analysis, `PRODUCER/PATH` or the path alone.
    #[arg(long, value_name = "ID")]
    pub(crate) property: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `open`.
#[derive(Debug, Args)]
pub(crate) struct Open {
    /// The `.nemosyne` file.
    pub(crate) package: PathBuf,
    /// Look at what was recorded, under a visible mark, whether or not it may be used now.
    #[arg(long)]
    pub(crate) history: bool,
}

/// `explain-refusal`.
#[derive(Debug, Args)]
pub(crate) struct ExplainRefusal {
    /// One of the ten codes, or a code and its reason; without one, all are listed.
    #[arg(value_name = "CODE[/REASON]")]
    pub(crate) code: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Purpose {
    /// Carries claims that rest on evidence.
    ClaimBearing,
    /// Explores; conjecture is allowed, and marked.
    Exploratory,
}

/// Viewpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Viewpoint {
    /// Compare rows with each other.
    Compare,
    /// Find where something lies.
    Locate,
    /// See the whole.
    Overview,
    /// Look at one row.
    Inspect,
}

/// Use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Use {
    /// Shown as a claim.
    Production,
    /// Inside an authorized study.
    Study,
}

/// Device class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Device {
    /// A flat monitor.
    Desktop,
    /// A headset on a PC.
    Pcvr,
    /// A headset by itself.
    Standalone,
}

/// Where to look from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Camera {
    /// One of the places that plans name.
    Named(&'static str),
    /// Around what home looks at: degrees around the vertical and above the horizontal, and meters away.
    Around([f64; 3]),
}

/// Colors of paper and ink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Theme {
    /// Dark ink on light paper.
    Light,
    /// Light ink on dark paper.
    Dark,
}

/// Parses `WxH`. What a device can draw is its own matter.
fn size(text: &str) -> Result<(u32, u32), String> {
    let parsed = text
        .split_once('x')
        .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match parsed {
        Some((w, h)) if (16..=65_536).contains(&w) && (16..=65_536).contains(&h) => Ok((w, h)),
        Some(_) => Err("each side is between 16 and 65536 pixels".to_owned()),
        None => Err("write width and height as 1280x720".to_owned()),
    }
}

/// Parses the name of a place, or three numbers.
pub(crate) fn camera(text: &str) -> Result<Camera, String> {
    if let Some(name) = ["home", "front", "top", "side"]
        .into_iter()
        .find(|name| *name == text)
    {
        return Ok(Camera::Named(name));
    }
    let numbers: Vec<f64> = text
        .split(',')
        .filter_map(|part| part.trim().parse().ok())
        .collect();
    match numbers.as_slice() {
        [yaw, pitch, meters] if text.split(',').count() == 3 => {
            let [yaw, pitch, meters] = [*yaw, *pitch, *meters];
            if !(-360.0..=360.0).contains(&yaw) {
                Err("the yaw is between -360 and 360 degrees".to_owned())
            } else if !(-89.0..=89.0).contains(&pitch) {
                Err("the pitch is between -89 and 89 degrees; `top` looks straight down".to_owned())
            } else if !(0.2..=30.0).contains(&meters) {
                Err("the distance is between 0.2 and 30 meters".to_owned())
            } else {
                Ok(Camera::Around([yaw, pitch, meters]))
            }
        }
        _ => Err("name home, front, top or side, or give yaw,pitch,meters as in 30,20,3.5".to_owned()),
    }
}
