//! A scoped decision: what it must say to count, and what it covers.

use crate::KnowledgeError;
use crate::artifact::{increasing, is_date, rule, sorted, spoken};
use crate::wire::v1::{Decision, EntryKind};

pub(crate) const PRODUCTION: &str = "PRODUCTION";
pub(crate) const STUDY_ONLY: &str = "STUDY_ONLY";

/// How the identities of what this program makes begin. That a picture was admitted, executed in a study, or proposed is an
/// observation about the program; it says nothing of what people read.
const OWN_WORK: [&str; 6] = [
    "conjectural-proposal-v1:",
    "forma-result-v1:",
    "perceptual-plan-v1:",
    "representation-graph-v2:",
    "study-authorization-v1:",
    "study-freeze-v2:",
];

/// Every rule of a decision. A qualification is scoped in every direction: mapping, claim, task, device; only a
/// harm may be general.
pub(crate) fn check(name: &str, it: &Decision) -> Result<(), KnowledgeError> {
    rule(
        !it.mappings.is_empty(),
        name,
        "a decision names at least one mapping",
    )?;
    increasing(name, "mappings", &it.mappings)?;
    increasing(name, "claims", &it.claims)?;
    increasing(name, "devices", &it.devices)?;
    sorted(name, "tasks", &it.tasks)?;
    sorted(name, "accessibility", &it.accessibility)?;
    for (member, text) in [
        ("statement", &it.statement),
        ("population", &it.population),
        ("decidedBy", &it.decided_by),
    ] {
        spoken(name, member, text)?;
    }
    for text in it.evidence.iter().chain(&it.limitations) {
        spoken(name, "list of texts", text)?;
    }
    rule(!it.evidence.is_empty(), name, "a decision cites what it rests on")?;
    rule(!it.limitations.is_empty(), name, "a decision states its limits")?;
    rule(is_date(&it.decided_on), name, "decidedOn is a date, YYYY-MM-DD")?;
    rule(it.revision.get() >= 1, name, "revisions count from 1")?;
    rule(
        it.max_marks.is_none_or(|most| most.get() > 0),
        name,
        "maxMarks is positive",
    )?;
    let basis = [
        "PRIOR_ART",
        "DOMAIN_CONVENTION",
        "HUMAN_JUDGMENT",
        "CONTROLLED_STUDY",
    ];
    rule(
        basis.contains(&it.evidence_basis.as_str()),
        name,
        "evidenceBasis is one of the closed words",
    )?;
    rule(
        it.supersedes.as_deref() != Some(name),
        name,
        "a decision does not replace itself",
    )?;
    match it.kind {
        EntryKind::Qualification => {
            let scoped = !it.claims.is_empty() && !it.tasks.is_empty() && !it.devices.is_empty();
            rule(
                scoped,
                name,
                "a qualification names its claims, tasks and devices",
            )?;
            rule(
                it.permitted_use == PRODUCTION,
                name,
                "a qualification permits PRODUCTION",
            )?;
            let own = |text: &String| OWN_WORK.iter().any(|tag| text.trim_start().starts_with(tag));
            rule(
                !it.evidence.iter().all(own),
                name,
                "a qualification rests on evidence about people; a result, plan, proposal or study document of this \
                 program is none by itself",
            )
        }
        EntryKind::Contraindication => {
            rule(
                it.max_marks.is_none(),
                name,
                "a contraindication has no bound on marks",
            )?;
            rule(
                it.permitted_use == STUDY_ONLY,
                name,
                "a contraindication permits STUDY_ONLY, as a control",
            )
        }
        EntryKind::Transform | EntryKind::Channel | EntryKind::Recipe => {
            rule(false, name, "a decision is a QUALIFICATION or a CONTRAINDICATION")
        }
    }
}
