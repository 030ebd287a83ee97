//! Whether custody holds the knowledge that a recorded decision was made under.
//!
//! A manifest is captured once per decision, so a custody that has learned since, or another one, has another manifest. That
//! alone takes nothing away: the recorded manifest still holds when custody's own table resolves each of its entries by exact
//! content, and each decision among them still stands. What the package carries itself is never asked.

use custody::Custody;
use forma::{Answer, Authorities as _, DecisionStanding};
use knowledge::wire::v1::{Entry, EntryKind};
use knowledge::{KnowledgeError, Manifest, reference};
use package::Opened;
use refusal::{Reason, Refusal, Stage};

use crate::ReplayError;

/// The recorded manifest, when custody holds all of it.
///
/// # Errors
/// A refusal that names the first entry that custody does not hold, or holds no more.
pub(crate) fn manifest<'a>(opened: &'a Opened, custody: &'a Custody) -> Result<&'a Manifest, Box<Refusal>> {
    let recorded = opened.knowledge();
    if recorded.id() == custody.manifest().id() {
        return Ok(custody.manifest());
    }
    let (body, pins) = (recorded.body(), custody.pins());
    for (what, recorded, here) in [
        (
            "the capability table",
            &body.capability_table_ref,
            &pins.capability,
        ),
        (
            "the qualification policy",
            &body.qualification_policy_ref,
            &pins.qualification_policy,
        ),
    ] {
        if recorded != here {
            return Err(superseded(
                what,
                recorded.digest.to_string(),
                here.digest.to_string(),
            ));
        }
    }
    for entry in &body.entries {
        stands(entry, recorded, custody)?;
    }
    Ok(recorded)
}

fn stands(entry: &Entry, recorded: &Manifest, custody: &Custody) -> Result<(), Box<Refusal>> {
    let name = reference(&entry.id, &entry.version);
    let decides = matches!(entry.kind, EntryKind::Qualification | EntryKind::Contraindication);
    if decides && let Answer::Known(standing) = custody.decision(&name) {
        let replaced_then = match &standing {
            DecisionStanding::Superseded { by, .. } => lists(recorded, by),
            _ => false,
        };
        if let Some(lapse) = standing.lapse()
            && !replaced_then
        {
            let reason = match standing {
                DecisionStanding::Expired { .. } => Reason::NotQualified,
                _ => Reason::QualificationWithdrawn,
            };
            let text = format!("the decision {name}, under which this was admitted, {lapse}");
            return Err(Box::new(
                Refusal::new(Stage::BindingUse, reason, text)
                    .about(name)
                    .next("adapt the package: that makes a new result under what holds now"),
            ));
        }
        if replaced_then {
            return Ok(());
        }
    }
    match custody.table().resolve(entry) {
        Ok(_) => Ok(()),
        Err(KnowledgeError::Absent { .. }) if decides => {
            let text = format!(
                "nobody here holds the decision {name} ({}), under which this was admitted; the copy in the package counts for nothing",
                entry.content_digest
            );
            Err(Box::new(
                Refusal::new(Stage::BindingUse, Reason::NotQualified, text)
                    .about(name)
                    .next("open it in the custody where the decision was signed, or adapt the package"),
            ))
        }
        Err(error) => {
            let here = custody
                .table()
                .pin(&name)
                .map_or_else(|| "nothing of that name".to_owned(), |pin| pin.digest.to_string());
            let mut refusal = superseded(
                "the knowledge",
                format!("{name} ({})", entry.content_digest),
                here,
            );
            *refusal = refusal.about(name).because(error.refusal());
            Err(refusal)
        }
    }
}

fn lists(manifest: &Manifest, name: &str) -> bool {
    let mut entries = manifest.body().entries.iter();
    entries.any(|entry| reference(&entry.id, &entry.version) == name)
}

fn superseded(what: &'static str, recorded: String, here: String) -> Box<Refusal> {
    Box::new(ReplayError::Superseded { what, recorded, here }.refusal())
}
