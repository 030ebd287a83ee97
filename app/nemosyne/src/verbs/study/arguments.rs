//! What can be typed after `study`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use knowledge::Date;

use crate::cli::{Asking, Device};

/// `study`.
#[derive(Debug, Args)]
pub(crate) struct Study {
    #[command(subcommand)]
    pub(crate) step: Step,
}

/// The steps before a session, in their order.
#[derive(Debug, Subcommand)]
pub(crate) enum Step {
    /// Print a protocol to start from.
    Template(Template),
    /// Write the picture that a recipe proposes for a table, and say what a study of it has to name.
    Treatment(Treatment),
    /// Freeze: pin protocol, treatments, mappings, harms, claims, devices and bounds under one identity.
    Freeze(Freeze),
    /// Write an acceptance of protocol and freeze, for somebody who does not run the study to sign.
    Accept(Accept),
    /// Write an authorization of a freeze, for somebody else to sign.
    Authorize(Authorize),
    /// Show a document of a study: protocol, freeze, acceptance or authorization, or those in a package.
    Show(Show),
}

impl Step {
    pub(crate) fn json(&self) -> bool {
        match self {
            Self::Template(_) => false,
            Self::Treatment(it) => it.json,
            Self::Freeze(it) => it.json,
            Self::Accept(it) => it.json,
            Self::Authorize(it) => it.json,
            Self::Show(it) => it.json,
        }
    }
}

/// `study template`.
#[derive(Debug, Args)]
pub(crate) struct Template {}

/// `study treatment`.
#[derive(Debug, Args)]
pub(crate) struct Treatment {
    /// What is asked.
    #[command(flatten)]
    pub(crate) asking: Asking,
    /// The recipe that proposes.
    #[arg(long, value_name = "NAME")]
    pub(crate) recipe: String,
    /// The graph to write.
    #[arg(long, value_name = "GRAPH.json")]
    pub(crate) out: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `study freeze`.
#[derive(Debug, Args)]
pub(crate) struct Freeze {
    /// The protocol, as `study template` prints one.
    #[arg(long, value_name = "FILE")]
    pub(crate) protocol: PathBuf,
    /// A condition of the protocol and the picture it shows: a graph, or a package with one.
    #[arg(long, value_name = "CONDITION=GRAPH|PKG", required = true)]
    pub(crate) treatment: Vec<String>,
    /// A mapping that is executed for a claim although nobody qualified it, with the harm that is known of it.
    #[arg(long, value_name = "CHANNEL:ARRANGEMENT:CLAIM[:ID@VERSION]")]
    pub(crate) control: Vec<String>,
    /// A claim that no result of the study may be shown for in production; every control's claim is one.
    #[arg(long, value_name = "CLAIM")]
    pub(crate) withhold: Vec<String>,
    /// A device on which treatments may run.
    #[arg(long, value_enum, required = true)]
    pub(crate) device: Vec<Device>,
    /// Longest exposure of one participant to one treatment.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) max_seconds: u32,
    /// Most exposures of one participant.
    #[arg(long, value_name = "N")]
    pub(crate) max_exposures: u32,
    /// The freeze to write.
    #[arg(long, value_name = "FREEZE.json")]
    pub(crate) out: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `study accept`.
#[derive(Debug, Args)]
pub(crate) struct Accept {
    /// The protocol.
    #[arg(long, value_name = "FILE")]
    pub(crate) protocol: PathBuf,
    /// The freeze.
    #[arg(long, value_name = "FREEZE.json")]
    pub(crate) freeze: PathBuf,
    /// Who accepts, by name and office.
    #[arg(long, value_name = "WHO")]
    pub(crate) by: String,
    /// The approval under which.
    #[arg(long, value_name = "REFERENCE")]
    pub(crate) ethics: String,
    /// On which day.
    #[arg(long, value_name = "DATE")]
    pub(crate) on: Date,
    /// The body to write; `custody add` signs it.
    #[arg(long, value_name = "ACCEPTANCE.json")]
    pub(crate) out: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `study authorize`.
#[derive(Debug, Args)]
pub(crate) struct Authorize {
    /// The freeze.
    #[arg(long, value_name = "FREEZE.json")]
    pub(crate) freeze: PathBuf,
    /// The name by which it will be asked for.
    #[arg(long, value_name = "NAME")]
    pub(crate) reference: String,
    /// Who authorizes, by name and office.
    #[arg(long, value_name = "WHO")]
    pub(crate) by: String,
    /// First day.
    #[arg(long, value_name = "DATE")]
    pub(crate) from: Date,
    /// Last day.
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Date,
    /// Only these devices of the freeze.
    #[arg(long, value_enum)]
    pub(crate) device: Vec<Device>,
    /// A shorter exposure than the freeze allows.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) max_seconds: Option<u32>,
    /// Fewer exposures than the freeze allows.
    #[arg(long, value_name = "N")]
    pub(crate) max_exposures: Option<u32>,
    /// The body to write; `custody add` signs it.
    #[arg(long, value_name = "AUTHORIZATION.json")]
    pub(crate) out: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `study show`.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// A document of a study, or the package of a study's result.
    pub(crate) file: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}
