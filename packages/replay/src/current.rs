//! What may be done now: the admission door again, with what was just computed and what custody says at present.

use std::collections::BTreeMap;

use custody::Custody;
use forma::wire::v1::InputCommitments;
use forma::{Admission, FormaInput, Refused, RequestedUse};
use identity::Digest;
use kernels::leaf::Columns;
use knowledge::Manifest;
use knowledge::wire::v1::DeviceClass;
use obligations::FixedObligations;
use package::Opened;
use package::wire::v4::{Derivation, Inspiration, Origin};
use plan::Plan;
use refusal::{Diagnostics, Reason, Refusal, Stage};
use representation::{Graph, Inputs};

use crate::exact::requested;
use crate::{Outcome, ReplayError, Rerun, held, rerun};

/// A recorded decision that was admitted anew.
#[derive(Debug)]
pub struct Readmitted {
    /// The admission, for the running program to adopt.
    pub admission: Admission,
    /// The obligations, derived anew.
    pub obligations: FixedObligations,
    /// What the decision rests on, computed anew.
    pub facts: Rerun,
}

impl Readmitted {
    /// The bulk values by digest.
    #[must_use]
    pub fn leaves(&self) -> &BTreeMap<Digest, Columns> {
        self.facts.leaves()
    }
}

/// Admits the recorded decision again for a device: dataset, analyses, receipts and snapshot are computed anew, the
/// obligations are derived anew under custody's policy, knowledge and capabilities are custody's own, and so is every
/// answer about standing. The package gives the question and the proposed graph, which the door judges like any other.
///
/// For the recorded device the plan is the recorded one; the result is, too, unless dispositions have moved on.
///
/// # Errors
/// [`Refused`], with the first reason in front; a record that is not what the door answers was edited. The recorded
/// knowledge is used as long as custody holds each of its entries and each still stands; when one does not, or when policies
/// have changed since, the recorded decision is not admitted: [`adapt`] makes a new one.
pub fn readmit(opened: &Opened, custody: &Custody, device: DeviceClass) -> Result<Readmitted, Box<Refused>> {
    let facts = rerun(opened).map_err(|error| refused(opened, device, &error))?;
    let (admission, obligations) = readmit_with(opened, custody, device, &facts)?;
    Ok(Readmitted {
        admission,
        obligations,
        facts,
    })
}

pub(crate) fn readmit_with(
    opened: &Opened,
    custody: &Custody,
    device: DeviceClass,
    facts: &Rerun,
) -> Result<(Admission, FixedObligations), Box<Refused>> {
    let superseded = |what, recorded: String, here: String| {
        let error = ReplayError::Superseded { what, recorded, here };
        Err(refused(opened, device, &error))
    };
    let manifest = held::manifest(opened, custody).map_err(|refusal| refused_by(opened, device, *refusal))?;
    if opened.plan().body().compiler_ref != forma::compiler_ref() {
        let (recorded, here) = (&opened.plan().body().compiler_ref, forma::compiler_ref());
        return superseded(
            "the compiler",
            format!("{}@{}", recorded.id, recorded.version),
            format!("{}@{}", here.id, here.version),
        );
    }
    let obligations = obligations::reopen(
        opened.obligations(),
        facts.snapshot(),
        opened.context(),
        custody.obligation_policy(),
    )
    .map_err(|error| refused_by(opened, device, error.refusal()))?;
    let admission = admit(
        opened,
        custody,
        manifest,
        device,
        facts,
        &obligations,
        opened.graph(),
        &requested(opened),
    )?;
    if admission.plan().id() != opened.plan().id() {
        let (recorded, here) = (opened.plan().id(), admission.plan().id());
        return superseded("the plan", recorded.to_string(), here.to_string());
    }
    unedited(opened, &admission).map_err(|error| refused(opened, device, &error))?;
    Ok((admission, obligations))
}

/// Whether the record is the one that was just made, but for the device it is for and the revisions at which evidence and
/// decisions stand: a record that says more or less than the door answers was edited, and nothing is shown on its account.
fn unedited(opened: &Opened, admission: &Admission) -> Result<(), ReplayError> {
    let answered = admission.record().body();
    let mut recorded = opened.record().body().clone();
    recorded.input_commitments.device = answered.input_commitments.device;
    for (entry, now) in recorded
        .evidence_dispositions
        .iter_mut()
        .zip(&answered.evidence_dispositions)
    {
        entry.revision = now.revision;
    }
    for (entry, now) in recorded
        .perceptual_qualifications
        .iter_mut()
        .zip(&answered.perceptual_qualifications)
    {
        entry.decision_revision = now.decision_revision;
    }
    if recorded == *answered {
        return Ok(());
    }
    Err(ReplayError::Differs {
        what: "the record",
        recorded: opened.record().id().to_string(),
        rebuilt: admission.record().id().to_string(),
    })
}

/// A new result that was derived from a recorded one.
#[derive(Debug)]
pub struct Adaptation {
    /// The admission, under an identity of its own.
    pub admission: Admission,
    /// The graph that was admitted: the recorded one, or what the recorded recipe proposes now.
    pub graph: Graph,
    /// How that graph came to the door: as recorded, or by the recipe now.
    pub origin: Origin,
    /// What inspired it, as recorded; nothing when the recipe proposed anew.
    pub inspired_by: Vec<Inspiration>,
    /// The obligations, derived now.
    pub obligations: FixedObligations,
    /// What the decision rests on, computed anew.
    pub facts: Rerun,
    /// The lineage, for the package of the new result.
    pub derived_from: Derivation,
    /// The variant of the plan that is shown on the device it was adapted to.
    pub variant: String,
}

impl Adaptation {
    /// `COMPATIBLE_ADAPTATION`, with the new result and its differences.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::CompatibleAdaptation {
            result_id: self.admission.record().id().to_string(),
            differences: self.derived_from.differences.clone(),
        }
    }
}

/// Derives a new result from a recorded one, for a device, under the knowledge, policies and compiler of this program.
/// The question stays; obligations are derived now, and if they or the knowledge differ, the recorded recipe proposes
/// again. Nothing is ever called the old result.
///
/// # Errors
/// [`Refused`] by the door; for a study's frozen treatment, which is never adapted; for a graph of no recipe whose
/// obligations have changed; and when nothing differs, so that there is nothing to adapt.
pub fn adapt(opened: &Opened, custody: &Custody, device: DeviceClass) -> Result<Adaptation, Box<Refused>> {
    let requested_use = requested(opened);
    if matches!(requested_use, RequestedUse::Study { .. }) {
        let text = "A study's frozen treatment is not adapted.";
        let refusal = Refusal::new(Stage::BindingUse, Reason::StudyOnly, text)
            .about(opened.record().id().to_string())
            .next("Admit a new result from the data, for production.");
        return Err(refused_by(opened, device, refusal));
    }
    let facts = rerun(opened).map_err(|error| refused(opened, device, &error))?;
    let obligations = obligations::derive(facts.snapshot(), opened.context(), custody.obligation_policy())
        .map_err(|error| refused_by(opened, device, error.refusal()))?;
    let (graph, origin) = propose(opened, custody, device, &facts, &obligations)?;
    let admission = admit(
        opened,
        custody,
        custody.manifest(),
        device,
        &facts,
        &obligations,
        &graph,
        &requested_use,
    )?;
    let variant = variant_for(opened, admission.plan(), device)?;
    let differences = differences(opened, custody, &admission, &obligations, &graph, &variant);
    if admission.record().id() == opened.record().id() || differences.is_empty() {
        let text = "The result would be the recorded one, so there is nothing to adapt.";
        let refusal = Refusal::new(Stage::FixedPolicy, Reason::NotStated, text)
            .about(opened.record().id().to_string())
            .next("Open the package as it is.");
        return Err(refused_by(opened, device, refusal));
    }
    let derived_from = Derivation {
        investigation_digest: opened.investigation_digest(),
        result_id: opened.record().id(),
        differences,
    };
    let recorded = opened.generation_record();
    let is_recorded = graph.id() == opened.graph().id();
    Ok(Adaptation {
        admission,
        graph,
        origin,
        inspired_by: if is_recorded {
            recorded.inspired_by.clone()
        } else {
            Vec::new()
        },
        obligations,
        facts,
        derived_from,
        variant,
    })
}

/// The variant of a plan for a device.
fn variant_for(opened: &Opened, plan: &Plan, device: DeviceClass) -> Result<String, Box<Refused>> {
    let mut variants = plan.body().variants.iter();
    match variants.find(|variant| variant.device == device) {
        Some(variant) => Ok(variant.name.clone()),
        None => {
            let text = format!("The plan has no variant for {device:?}.");
            let refusal = Refusal::new(Stage::Budget, Reason::DeviceLacksChannel, text)
                .about(plan.id().to_string())
                .next("Adapt it to a device that the plan has a variant for.");
            Err(refused_by(opened, device, refusal))
        }
    }
}

/// The recorded graph where it still speaks of the same obligations and knowledge; else the recipe's new proposal.
fn propose(
    opened: &Opened,
    custody: &Custody,
    device: DeviceClass,
    facts: &Rerun,
    obligations: &FixedObligations,
) -> Result<(Graph, Origin), Box<Refused>> {
    let recorded = opened.graph();
    let origin = &opened.generation_record().origin;
    if obligations.id() == opened.obligations().id() && opened.knowledge().id() == custody.manifest().id() {
        return Ok((recorded.clone(), origin.clone()));
    }
    // What a submitted graph says of a recipe is its own claim.
    let recipe = recorded
        .body()
        .recipe_ref
        .as_ref()
        .filter(|_| *origin == Origin::Recipe {})
        .and_then(|pin| representation::recipe::named(&pin.id));
    let leaf = opened.rows().and_then(|rows| facts.leaves().get(&rows));
    let (Some(recipe), Some(leaf)) = (recipe, leaf) else {
        let text = "Obligations or knowledge have changed, and no recipe of this program proposed the recorded graph.";
        let refusal = Refusal::new(Stage::BindingUse, Reason::NoLegalBinding, text)
            .about(recorded.id().to_string())
            .next("Admit a new result from the data.");
        return Err(refused_by(opened, device, refusal));
    };
    let inputs = Inputs {
        snapshot: facts.snapshot(),
        context: opened.context(),
        obligations,
        leaf,
        proposals: &opened.proposals(),
        pins: custody,
    };
    recipe
        .propose(&inputs)
        .map(|graph| (graph, Origin::Recipe {}))
        .map_err(|error| refused_by(opened, device, error.refusal()))
}

fn differences(
    opened: &Opened,
    custody: &Custody,
    admission: &Admission,
    obligations: &FixedObligations,
    graph: &Graph,
    variant: &str,
) -> Vec<String> {
    let (old, new) = (opened.record().body(), admission.record().body());
    let mut found = Vec::new();
    let mut note = |what: &str, before: String, now: String| {
        if before != now {
            found.push(format!("{what}: {now} instead of {before}"));
        }
    };
    let device = |class: DeviceClass| format!("{class:?}");
    note(
        "device",
        device(old.input_commitments.device),
        device(new.input_commitments.device),
    );
    note("variant", opened.active_variant().to_owned(), variant.to_owned());
    note(
        "obligations",
        opened.obligations().id().to_string(),
        obligations.id().to_string(),
    );
    note("graph", opened.graph().id().to_string(), graph.id().to_string());
    note(
        "knowledge",
        opened.knowledge().id().to_string(),
        custody.manifest().id().to_string(),
    );
    note(
        "plan",
        opened.plan().id().to_string(),
        admission.plan().id().to_string(),
    );
    let compiler = |pin: &evidence::wire::v1::PinnedRef| format!("{}@{}", pin.id, pin.version);
    note(
        "compiler",
        compiler(&opened.plan().body().compiler_ref),
        compiler(&admission.plan().body().compiler_ref),
    );
    let revisions = |body: &forma::wire::v1::ResultBody| {
        let mut revisions: Vec<i64> = body
            .evidence_dispositions
            .iter()
            .map(|entry| entry.revision.get())
            .collect();
        revisions.sort_unstable();
        revisions.dedup();
        format!("{revisions:?}")
    };
    note("disposition revisions", revisions(old), revisions(new));
    found
}

#[expect(clippy::too_many_arguments, reason = "the door asks for each of them")]
fn admit(
    opened: &Opened,
    custody: &Custody,
    manifest: &Manifest,
    device: DeviceClass,
    facts: &Rerun,
    obligations: &FixedObligations,
    graph: &Graph,
    requested_use: &RequestedUse,
) -> Result<Admission, Box<Refused>> {
    forma::admit(&FormaInput {
        snapshot: facts.snapshot(),
        context: opened.context(),
        obligations,
        graph,
        proposals: &opened.proposals(),
        manifest,
        table: custody.table(),
        capability: custody.capability(),
        receipts: facts.receipts().bundle(),
        leaves: facts.leaves(),
        device,
        requested_use,
        authorities: custody,
    })
    .map_err(Box::new)
}

fn refused(opened: &Opened, device: DeviceClass, error: &ReplayError) -> Box<Refused> {
    refused_by(opened, device, error.refusal())
}

fn refused_by(opened: &Opened, device: DeviceClass, refusal: Refusal) -> Box<Refused> {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(refusal);
    let recorded = opened.record().body().input_commitments.clone();
    Box::new(Refused {
        diagnostics,
        commitments: Box::new(InputCommitments { device, ..recorded }),
    })
}
