//! `nemosyne judge`: what people say about a picture, as drafts and as what a person stands by.

mod arguments;
mod confirm;
mod draft;
mod list;

pub(crate) use arguments::Judge;
use arguments::JudgeAct;
use judgment::wire::v1::{Confidence, Effect, Instrument, Part};
use judgment::{Ground, Judgment};
use package::Opened;
use serde::Serialize;
use serde_json::{Value, json};

use crate::output::{Report, Stop};

pub(crate) fn run(arguments: &Judge) -> Result<Report, Stop> {
    match &arguments.act {
        None => draft::run(&arguments.draft),
        Some(JudgeAct::Confirm(act)) => confirm::run(act),
        Some(JudgeAct::List(act)) => list::run(act),
    }
}

/// What a package's judgments can be about.
pub(crate) fn ground(opened: &Opened) -> Ground<'_> {
    Ground {
        record: opened.record(),
        plan: opened.plan(),
        obligations: opened.obligations(),
        context: opened.context(),
        snapshot: opened.snapshot(),
    }
}

/// The lines that people read.
fn lines(judgment: &Judgment, report: &mut Report) {
    let target = judgment.target();
    report.pair("judgment", judgment.id());
    report.pair(
        "about",
        match target.part {
            Part::Binding { binding_id } => format!("{binding_id} on {}", target.variant),
            Part::Obligation { obligation_id } => format!("{obligation_id} on {}", target.variant),
        },
    );
    report.pair("in", target.result_id);
    match judgment {
        Judgment::Critique(critique) => {
            let body = critique.body();
            let effect = match body.effect {
                Effect::Misleads { severity } => format!("misleads, {}", word(&severity)),
                Effect::Helps {} => "helps".to_owned(),
            };
            report.pair(
                "says",
                format!("{} ({effect}): {}", word(&body.aspect), body.says),
            );
            if let Some(suggestion) = &body.suggests {
                report.pair("suggests", suggestion);
            }
        }
        Judgment::Meaning(meaning) => {
            let body = meaning.body();
            report.pair("asked", &body.asked);
            report.pair("answered", &body.answered);
            report.pair(
                "confidence",
                match &body.confidence {
                    Confidence::Stated { words } => words.as_str(),
                    Confidence::NotStated {} => "not stated",
                },
            );
            report.pair("against claim", word(&body.agreement));
        }
    }
    let author = judgment.author();
    report.pair(
        "by",
        format!(
            "{} ({}) on {}, {}",
            author.name,
            word(&author.identified_by),
            judgment.said_on(),
            match judgment.instrument() {
                Instrument::Desk {} => "at the desk".to_owned(),
                Instrument::Headset {} => "in the headset".to_owned(),
                Instrument::Script {} => "by a script".to_owned(),
                Instrument::ModelParsed { model } => format!("parsed by the model {model}"),
            }
        ),
    );
}

/// The object that scripts read.
fn value(judgment: &Judgment, state: &str) -> Value {
    json!({
        "judgmentId": judgment.id().to_string(),
        "kind": judgment.word(),
        "state": state,
        "document": serde_json::to_value(judgment.to_wire()).unwrap_or(Value::Null),
    })
}

/// A closed word as people read it: `WRONG_MEANING` becomes `wrong meaning`.
fn word<T: Serialize>(word: &T) -> String {
    let word = serde_json::to_value(word).unwrap_or(Value::Null);
    word.as_str().unwrap_or_default().to_lowercase().replace('_', " ")
}
