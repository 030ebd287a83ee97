//! What is asked, of a table or of a package, as `admit` and `context` share it.

use custody::Custody;
use inquiry::{Anew, Further, Grouping, Prepared, Question, Step};
use investigation::wire::v2::{EpistemicPurpose, Perspective};
use investigation::{perspective, purpose_word};
use refusal::{Reason, Refusal, Stage};

use crate::cli::{Asking, Purpose, Viewpoint};
use crate::output::{Report, Stop};
use crate::verbs::analyze;
use crate::{files, runtime};

/// Goes as far as the obligations: everything that is fixed before a picture is proposed.
pub(crate) fn prepare(asking: &Asking, custody: &Custody) -> Result<Prepared, Stop> {
    let perspective = asking
        .perspective
        .as_deref()
        .map(|path| {
            let bytes = files::read_perspective(path)?;
            perspective::from_json(&bytes).map_err(|error| files::in_file(path, error.refusal()))
        })
        .transpose()?;
    if files::is_package(&asking.file) {
        return again(asking, perspective, custody);
    }
    if let Some(flag) = of_packages(asking) {
        return Err(only_packages(asking, flag).into());
    }
    let bytes = files::read_table(&asking.file)?;
    let options = asking.table.options(&asking.file)?;
    let Some(text) = asking.question.clone() else {
        return Err(unstated(
            "question",
            "The question is not stated.",
            "Ask with --question TEXT.",
        )
        .into());
    };
    let question = Question {
        text,
        purpose: asking.purpose.map(purpose),
        foreground: asking.foreground.clone(),
        grouping: asking.group.clone(),
        viewpoint: asking.viewpoint.map(viewpoint).unwrap_or_default(),
        perspective,
        further: further(asking)?,
        draws: asking.draw.clone(),
        requires: asking.require.clone(),
    };
    if question.foreground.is_empty() && question.perspective.is_none() && question.draws.is_none() {
        return Err(unstated(
            "foreground",
            "No variable is put in front.",
            "Name three quantitative columns with --foreground A,B,C.",
        )
        .into());
    }
    inquiry::prepare(bytes, &options, &question, custody, runtime::instance())
        .map_err(|refusal| files::in_file(&asking.file, refusal).into())
}

/// The families that are named, each with its settings.
fn further(asking: &Asking) -> Result<Vec<Further>, Refusal> {
    let mut asked: Vec<Further> = Vec::new();
    for family in &asking.family {
        if asked.iter().any(|known| known.family == *family) {
            let refusal = Refusal::new(
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                format!("The family {family} is named twice."),
            )
            .about(family.clone())
            .next("Name each family once.");
            return Err(refusal);
        }
        asked.push(Further {
            family: family.clone(),
            ..Further::default()
        });
    }
    if let Some(family) = &asking.draw
        && !asking.family.contains(family)
    {
        asked.push(Further {
            family: family.clone(),
            ..Further::default()
        });
    }
    for set in &asking.set {
        let parts = set
            .split_once('=')
            .and_then(|(name, value)| Some((name.split_once('.')?, value)));
        let Some(((family, name), value)) = parts else {
            return Err(analyze::malformed(
                set,
                "FAMILY.NAME=VALUE, as in --set density.bins=20",
            ));
        };
        let Some(one) = asked.iter_mut().find(|one| one.family == family) else {
            let refusal = Refusal::new(
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                format!("--set {set} is about {family}, which neither --family nor --draw names."),
            )
            .about(family)
            .next(format!(
                "Name it with --family {family}, or leave the setting out."
            ));
            return Err(refusal);
        };
        if name == "columns" {
            one.columns = Some(value.split(',').map(str::to_owned).collect());
        } else {
            one.settings.push((name.to_owned(), value.to_owned()));
        }
    }
    Ok(asked)
}

/// What a table alone can be asked: of a package the facts are fixed.
fn only_tables(asking: &Asking) -> Option<Refusal> {
    let (flag, about) = match (asking.family.as_slice(), &asking.draw, &asking.require) {
        ([], None, None) => return None,
        ([], None, Some(profile)) => ("--require", profile.clone()),
        ([], Some(family), _) => ("--draw", family.clone()),
        (families, ..) => ("--family", families.join(",")),
    };
    let refusal = Refusal::new(
        Stage::ContextIdentity,
        Reason::UnresolvedPerspective,
        format!(
            "{flag} asks for analyses of the table, and a package holds those that it holds: a further one is a new analysis with \
            receipts and a snapshot of its own."
        ),
    )
    .about(about)
    .next("Ask the table itself with `nemosyne admit FILE`, or look without a picture: `nemosyne analyze PKG --family NAME`.");
    Some(refusal)
}

fn again(asking: &Asking, perspective: Option<Perspective>, custody: &Custody) -> Result<Prepared, Stop> {
    if let Some(refusal) = only_tables(asking) {
        return Err(refusal.into());
    }
    if let Some(flag) = asking.table.given() {
        let refusal = Refusal::new(
            Stage::DecodeIntegrity,
            Reason::AmbiguousReference,
            "How the table of a package is read was settled when it was imported.",
        )
        .about(flag.trim_start_matches('-'))
        .next(format!("Leave {flag} out, or ask the table itself."));
        return Err(refusal.into());
    }
    let opened = files::open_package(&asking.file)?;
    let facts = replay::rerun(&opened).map_err(|error| error.refusal())?;
    let step = match &asking.revisit {
        Some(node) => Step::Revisit { node: node.clone() },
        None => Step::Commit {
            from: asking.from.clone(),
            branches: asking.branch,
        },
    };
    let anew = Anew {
        text: asking.question.clone(),
        purpose: asking.purpose.map(purpose),
        foreground: (!asking.foreground.is_empty()).then(|| asking.foreground.clone()),
        grouping: match (&asking.group, asking.ungrouped) {
            (Some(column), _) => Grouping::By(column.clone()),
            (None, true) => Grouping::Dropped,
            (None, false) => Grouping::Kept,
        },
        viewpoint: asking.viewpoint.map(viewpoint),
        perspective,
        step,
    };
    Ok(inquiry::again(
        &opened,
        &facts,
        &anew,
        custody,
        runtime::instance(),
    )?)
}

/// The place in the lineage, for people and scripts.
pub(crate) fn tell_place(prepared: &Prepared, report: &mut Report) {
    let context = prepared.context().body();
    let investigation = prepared.investigation();
    let edge = investigation
        .edges()
        .iter()
        .find(|edge| edge.to == context.node_id);
    let from = edge.map_or_else(
        || "the first".to_owned(),
        |edge| format!("{} {}", edge.relationship, edge.from),
    );
    report.pair(
        "node",
        format!(
            "{} of {}, {from}; {}",
            context.node_id,
            investigation.contexts().len(),
            purpose_word(context.epistemic_purpose)
        ),
    );
    report.member("node", context.node_id.clone());
    report.member("contexts", investigation.contexts().len());
    report.member("activationEpoch", prepared.activation().epoch().get().get());
}

fn of_packages(asking: &Asking) -> Option<&'static str> {
    [
        (asking.from.is_some(), "--from"),
        (asking.branch, "--branch"),
        (asking.revisit.is_some(), "--revisit"),
        (asking.ungrouped, "--ungrouped"),
    ]
    .into_iter()
    .find_map(|(given, flag)| given.then_some(flag))
}

fn only_packages(asking: &Asking, flag: &str) -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::AmbiguousReference,
        format!(
            "{flag} is about the lineage of a package, and {} is a table.",
            asking.file.display()
        ),
    )
    .about(flag)
    .next("Admit the table with --out PKG first, then ask the package anew.")
}

fn unstated(what: &str, text: &str, next: &str) -> Refusal {
    Refusal::new(Stage::DecodeIntegrity, Reason::NotStated, text)
        .about(what)
        .next(next)
}

const fn purpose(purpose: Purpose) -> EpistemicPurpose {
    match purpose {
        Purpose::ClaimBearing => EpistemicPurpose::ClaimBearing,
        Purpose::Exploratory => EpistemicPurpose::ExploratoryAbduction,
    }
}

const fn viewpoint(viewpoint: Viewpoint) -> investigation::Viewpoint {
    match viewpoint {
        Viewpoint::Compare => investigation::Viewpoint::Compare,
        Viewpoint::Locate => investigation::Viewpoint::Locate,
        Viewpoint::Overview => investigation::Viewpoint::Overview,
        Viewpoint::Inspect => investigation::Viewpoint::Inspect,
    }
}
