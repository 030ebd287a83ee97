//! `nemosyne judge PKG`: a draft about one thing in one package.

use std::path::Path;

use identity::Identity;
use judgment::Draft;
use judgment::wire::v1::{Author, Confidence, CritiqueBody, Effect, Instrument, MeaningBody, Part, Target};
use package::Opened;
use package::save::save_atomic;
use refusal::{Reason, Refusal, Stage};

use super::arguments as typed;
use super::arguments::JudgeDraft;
use super::{ground, lines, value};
use crate::files;
use crate::output::{Report, Stop};
use crate::runtime;

pub(crate) fn run(arguments: &JudgeDraft) -> Result<Report, Stop> {
    let package = needed(arguments.package.as_deref(), "a package")?;
    if let Some(out) = &arguments.draft_out {
        files::check_other(package, out)?;
    }
    let opened = files::open_package(package)?;
    let variant = match &arguments.variant {
        Some(variant) => variant.as_str(),
        None => opened.active_variant(),
    };
    let part = part(arguments, &opened, variant)?;
    let target = ground(&opened)
        .target(variant, part)
        .map_err(|error| error.refusal())?;
    let draft = draft(arguments, target)?;
    let mut report = Report::new();
    report.line("DRAFT: nobody has confirmed it");
    lines(draft.judgment(), &mut report);
    report.member("judgment", value(draft.judgment(), "DRAFT"));
    match &arguments.draft_out {
        Some(path) => {
            write(&draft, path)?;
            report.pair("draft", path.display());
            report.member("draft", path.display().to_string());
        }
        None => report.line("  draft          not kept: no --draft-out was given"),
    }
    Ok(report)
}

fn draft(arguments: &JudgeDraft, target: Target) -> Result<Draft, Stop> {
    let says = needed(arguments.says.clone(), "--says")?;
    let author = Author {
        name: needed(arguments.by.clone(), "--by")?,
        identified_by: arguments.identified.wire(),
    };
    let instrument = instrument(arguments)?;
    let said_on = match arguments.on {
        Some(day) => day,
        None => runtime::today()?,
    };
    let drafted = match needed(arguments.kind, "--kind")? {
        typed::JudgmentKind::Critique => Draft::critique(CritiqueBody {
            target,
            aspect: needed(arguments.aspect, "--aspect")?.wire(),
            effect: effect(arguments)?,
            says,
            suggests: arguments.suggests.clone(),
            author,
            instrument,
            said_on,
        }),
        typed::JudgmentKind::Meaning => Draft::meaning(MeaningBody {
            target,
            asked: needed(arguments.asked.clone(), "--asked")?,
            answered: says,
            confidence: match &arguments.confidence {
                Some(words) => Confidence::Stated { words: words.clone() },
                None => Confidence::NotStated {},
            },
            agreement: arguments.agreement.wire(),
            author,
            instrument,
            said_on,
        }),
    };
    drafted.map_err(|error| error.refusal().into())
}

fn effect(arguments: &JudgeDraft) -> Result<Effect, Refusal> {
    match needed(arguments.effect, "--effect")? {
        typed::Effect::Misleads => Ok(Effect::Misleads {
            severity: needed(arguments.severity, "--severity")?.wire(),
        }),
        typed::Effect::Helps => Ok(Effect::Helps {}),
    }
}

fn instrument(arguments: &JudgeDraft) -> Result<Instrument, Refusal> {
    Ok(match needed(arguments.instrument, "--instrument")? {
        typed::Instrument::Model => Instrument::ModelParsed {
            model: needed(arguments.model.clone(), "--model")?,
        },
        typed::Instrument::Desk => Instrument::Desk {},
        typed::Instrument::Headset => Instrument::Headset {},
        typed::Instrument::Script => Instrument::Script {},
    })
}

/// What is judged: a binding by its identity or by what it shows, or an obligation by its identity.
fn part(arguments: &JudgeDraft, opened: &Opened, variant: &str) -> Result<Part, Refusal> {
    match (&arguments.binding, &arguments.obligation) {
        (Some(name), _) => binding(opened, variant, name),
        (None, Some(text)) => Ok(Part::Obligation {
            obligation_id: Identity::parse(text).map_err(|error| no_name(text, &error.to_string()))?,
        }),
        (None, None) => Err(Refusal::new(
            Stage::DecodeIntegrity,
            Reason::NotStated,
            "A judgment is about one thing, and none was named.",
        )
        .next(format!(
            "Name one with --binding or --obligation. {variant} shows {}.",
            properties(opened, variant).join(", ")
        ))),
    }
}

fn binding(opened: &Opened, variant: &str, name: &str) -> Result<Part, Refusal> {
    if let Ok(binding_id) = Identity::parse(name) {
        return Ok(Part::Binding { binding_id });
    }
    let index = &opened.plan().body().explanation_index;
    let found = index
        .iter()
        .find(|entry| entry.variant == variant && format!("{}/{}", entry.element_id, entry.property) == name);
    match found {
        Some(entry) => Ok(Part::Binding {
            binding_id: entry.binding_id,
        }),
        None => Err(no_name(
            name,
            &format!(
                "it is neither a binding nor something that {variant} shows: {}",
                properties(opened, variant).join(", ")
            ),
        )),
    }
}

/// `element/channel` of everything that a variant shows.
fn properties(opened: &Opened, variant: &str) -> Vec<String> {
    let index = &opened.plan().body().explanation_index;
    index
        .iter()
        .filter(|entry| entry.variant == variant)
        .map(|entry| format!("{}/{}", entry.element_id, entry.property))
        .collect()
}

fn no_name(name: &str, why: &str) -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::AmbiguousReference,
        format!("{name} names nothing to judge: {why}."),
    )
    .about(name)
    .next("Copy a name from `nemosyne explain PKG --json`.")
}

/// Never assumed: a judgment says what its author said.
fn needed<T>(given: Option<T>, what: &str) -> Result<T, Refusal> {
    given.ok_or_else(|| {
        Refusal::new(
            Stage::DecodeIntegrity,
            Reason::NotStated,
            format!("{what} was not given, and it is not assumed."),
        )
        .about(what)
        .next("Say it; `nemosyne judge --help` lists what there is.")
    })
}

fn write(draft: &Draft, path: &Path) -> Result<(), Stop> {
    let bytes = draft.to_bytes().map_err(anyhow::Error::from)?;
    save_atomic(path, |file| file.write_all(&bytes)).map_err(|error| {
        error.refusal_with(|error: &std::io::Error| {
            Refusal::new(
                Stage::DecodeIntegrity,
                Reason::Unreachable,
                format!("The draft can't be written: {error}."),
            )
            .about(path.display().to_string())
            .next("Check the disk and try again.")
        })
    })?;
    Ok(())
}
