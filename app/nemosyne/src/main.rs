//! The program `nemosyne`: command line, window and composition of the plugins.
//!
//! **Never** holds a rule: what may be shown, what a number is and who may say so is decided in the packages.

mod cli;
mod conjecture;
mod explain;
mod files;
mod findings;
mod historic;
mod output;
mod picture;
mod runtime;
mod sheet;
mod show;
mod table;
mod verbs;
mod viewed;
mod window;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Verb};
use crate::output::conclude;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = u8::from(error.use_stderr()) * 2;
            return match error.print() {
                Ok(()) => ExitCode::from(code),
                Err(_) => ExitCode::from(2),
            };
        }
    };
    runtime::choose_custody(cli.custody);
    match cli.verb {
        None => conclude(verbs::open::welcome(), false),
        Some(Verb::Demo(arguments)) => conclude(verbs::demo::run(&arguments), arguments.json),
        Some(Verb::Import(arguments)) => conclude(verbs::import::run(&arguments), arguments.json),
        Some(Verb::Analyze(arguments)) => conclude(verbs::analyze::run(&arguments), arguments.json),
        Some(Verb::Admit(arguments)) => conclude(verbs::admit::run(&arguments), arguments.json),
        Some(Verb::Context(arguments)) => conclude(verbs::context::run(&arguments), arguments.json),
        Some(Verb::CheckGraph(arguments)) => conclude(verbs::check_graph::run(&arguments), arguments.json),
        Some(Verb::Verify(arguments)) => conclude(verbs::verify::run(&arguments), arguments.json),
        Some(Verb::Recompute(arguments)) => conclude(verbs::recompute::run(&arguments), arguments.json),
        Some(Verb::Replay(arguments)) => conclude(verbs::replay::run(&arguments), arguments.json),
        Some(Verb::Render(arguments)) => conclude(verbs::render::run(&arguments), arguments.json),
        Some(Verb::Explain(arguments)) => conclude(verbs::explain::run(&arguments), arguments.json),
        Some(Verb::Inspect(arguments)) => conclude(verbs::inspect::run(&arguments), arguments.json),
        Some(Verb::Open(arguments)) => conclude(verbs::open::run(&arguments), false),
        Some(Verb::Study(arguments)) => conclude(verbs::study::run(&arguments), arguments.step.json()),
        Some(Verb::Custody(arguments)) => conclude(verbs::custody::run(&arguments), arguments.json()),
        Some(Verb::Judge(arguments)) => conclude(verbs::judge::run(&arguments), arguments.json()),
        Some(Verb::ExplainRefusal(arguments)) => {
            conclude(verbs::explain_refusal::run(&arguments), arguments.json)
        }
    }
}
