//! From bytes to obligations.

use std::collections::BTreeMap;

use conjecture::Proposal;
use custody::Custody;
use dataset::{Dataset, ImportOptions, ImportReport, Imported, Recipe};
use evidence::{EvidenceEnvelope, Profile, ProfileRegistry};
use forma::Admission;
use identity::Digest;
use investigation::wire::v2::{EpistemicPurpose, Perspective};
use investigation::{Activation, Context, Draft, Investigation, Scope, Viewpoint};
use kernels::leaf::Columns;
use kernels::{Analysis, AnalyticalPort, InProcess, Listener};
use knowledge::wire::v1::DeviceClass;
use obligations::FixedObligations;
use package::Capture;
use package::wire::v4::Origin;
use refusal::{Reason, Refusal, Stage};
use representation::Graph;
use snapshot::wire::v1::{Node, Source, State};
use snapshot::{Snapshot, SnapshotView as _};

use crate::further::{self, Further, InFront};

/// What is asked of a table.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The question, as the picture's title will say it.
    pub text: String,
    /// What the picture is for; asked for, never assumed.
    pub purpose: Option<EpistemicPurpose>,
    /// Quantitative foreground columns in order: x, y, z.
    pub foreground: Vec<String>,
    /// Categorical column that groups the rows.
    pub grouping: Option<String>,
    /// What the viewer does there; comparing when nothing is said.
    pub viewpoint: Viewpoint,
    /// A whole perspective instead of foreground, grouping and viewpoint; its nodes must be those of the snapshot.
    pub perspective: Option<Perspective>,
    /// Analyses beside the rows and what describes them; they enter the snapshot and the package.
    pub further: Vec<Further>,
    /// The family whose findings stand in front instead of the rows: it is asked about the foreground and the grouping,
    /// unless it stands among [`Self::further`] with columns of its own.
    pub draws: Option<String>,
    /// A requirement profile that the receipts of these analyses must satisfy; those of the statistics when there are
    /// none.
    pub requires: Option<String>,
}

/// Everything that is fixed before any picture is proposed.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) bytes: Vec<u8>,
    pub(crate) dataset: Dataset,
    pub(crate) recipe: Recipe,
    pub(crate) report: Option<ImportReport>,
    pub(crate) analyses: Vec<Analysis>,
    pub(crate) receipts: EvidenceEnvelope,
    pub(crate) leaves: BTreeMap<Digest, Columns>,
    pub(crate) snapshot: Snapshot,
    pub(crate) investigation: Investigation,
    pub(crate) activation: Activation,
    pub(crate) obligations: FixedObligations,
    pub(crate) proposals: Vec<Proposal>,
}

/// Imports, analyzes, normalizes, commits and derives; `runtime_instance` names this run of the program.
///
/// # Errors
/// The [`Refusal`] of the first step that refuses.
pub fn prepare(
    bytes: Vec<u8>,
    options: &ImportOptions,
    question: &Question,
    custody: &Custody,
    runtime_instance: &str,
) -> Result<Prepared, Refusal> {
    let nobody = &mut kernels::unheard;
    prepare_by(
        &InProcess,
        nobody,
        bytes,
        options,
        question,
        custody,
        runtime_instance,
    )
}

/// As [`prepare`], with the analyses answered by a port of the caller's choice, and somebody who is told how far they are.
/// What is stopped leaves nothing.
///
/// # Errors
/// As [`prepare`]; the refusal of a canceled analysis says so.
pub fn prepare_by(
    port: &dyn AnalyticalPort,
    listener: &mut Listener<'_>,
    bytes: Vec<u8>,
    options: &ImportOptions,
    question: &Question,
    custody: &Custody,
    runtime_instance: &str,
) -> Result<Prepared, Refusal> {
    if investigation::text::canonical(&question.text).is_none() {
        return Err(blank());
    }
    let imported = dataset::import(&bytes, options).map_err(|error| error.refusal())?;
    let dataset = &imported.dataset;
    let analyses = analyze(port, listener, &imported, question)?;
    let (bundle, attestation) = kernels::bundle(dataset, &analyses).map_err(|error| error.refusal())?;
    let registry = ProfileRegistry::forma_v1();
    let uses = evidence::uses(&bundle, &attestation, &registry, &evidence::admission_policy())
        .map_err(|error| error.refusal())?;
    let receipts = EvidenceEnvelope::new(bundle, &uses).map_err(|error| error.refusal())?;
    satisfied(&analyses, question, &registry)?;
    let snapshot = snapshot::normalize(dataset, &analyses, &uses, &[]).map_err(|error| error.refusal())?;
    let mut investigation =
        Investigation::new(dataset.name(), runtime_instance).map_err(|error| error.refusal())?;
    commit(&mut investigation, &snapshot, question, custody)?;
    let Fixed {
        activation,
        obligations,
    } = fix(&mut investigation, &snapshot, custody)?;
    let leaves = analyses
        .iter()
        .flat_map(Analysis::leaves_with_bytes)
        .map(|(columns, _)| (columns.digest(), columns.clone()))
        .collect();
    let Imported {
        dataset,
        recipe,
        report,
    } = imported;
    Ok(Prepared {
        bytes,
        dataset,
        recipe,
        report: Some(report),
        analyses,
        receipts,
        leaves,
        snapshot,
        investigation,
        activation,
        obligations,
        proposals: Vec::new(),
    })
}

/// What is fixed once a context is active.
pub(crate) struct Fixed {
    pub(crate) activation: Activation,
    pub(crate) obligations: FixedObligations,
}

/// Derives the obligations of the active context and activates it for what is proposed under them.
pub(crate) fn fix(
    investigation: &mut Investigation,
    snapshot: &Snapshot,
    custody: &Custody,
) -> Result<Fixed, Refusal> {
    let context = investigation.active().cloned().ok_or_else(blank)?;
    let obligations = obligations::derive(snapshot, &context, custody.obligation_policy())
        .map_err(|error| error.refusal())?;
    let activation = investigation
        .activate(&context.body().node_id)
        .map_err(|error| error.refusal())?;
    Ok(Fixed {
        activation,
        obligations,
    })
}

pub(crate) fn blank() -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::NotStated,
        "The question is blank.",
    )
    .about("question")
    .next("Say in a sentence what the picture is to answer.")
}

/// The analyses that a foreground question needs: the rows themselves, then what describes each variable.
fn analyze(
    port: &dyn AnalyticalPort,
    listener: &mut Listener<'_>,
    imported: &Imported,
    question: &Question,
) -> Result<Vec<Analysis>, Refusal> {
    let dataset = &imported.dataset;
    let (foreground, columns) = columns(dataset, question);
    let known: Vec<&str> = dataset.columns().iter().map(dataset::Column::name).collect();
    if let Some(refusal) = further::undrawn(foreground.iter().map(String::as_str), &known) {
        return Err(refusal);
    }
    let in_front = InFront {
        dataset,
        foreground: &foreground,
        with_grouping: &columns,
    };
    let requests = further::requests(in_front, &question.further, question.draws.as_deref())?;
    requests
        .iter()
        .map(|request| {
            port.analyze(dataset, request, listener).map_err(|error| {
                let asked = question
                    .further
                    .iter()
                    .find(|asked| asked.family == request.family());
                let refusal = asked.map_or_else(|| error.refusal(), |asked| asked.placed(&error));
                placed(refusal, &imported.report)
            })
        })
        .collect()
}

/// Whether the receipts satisfy the profile that is asked for by name.
fn satisfied(analyses: &[Analysis], question: &Question, registry: &ProfileRegistry) -> Result<(), Refusal> {
    let Some(profile_id) = &question.requires else {
        return Ok(());
    };
    let profile = required(profile_id, registry)?;
    let asked = |analysis: &&Analysis| {
        if question.further.is_empty() {
            analysis.family() == kernels::STATISTICS
        } else {
            question
                .further
                .iter()
                .any(|asked| asked.family == analysis.family())
        }
    };
    let mut receipts = analyses.iter().filter(asked).flat_map(Analysis::receipts);
    match receipts.find_map(|receipt| evidence::standing(receipt, profile).refusal()) {
        Some(refusal) => Err(refusal),
        None => Ok(()),
    }
}

/// The profile of that name on the Forma path.
///
/// # Errors
/// A [`Refusal`] that names the profiles there are.
pub fn required<'a>(profile_id: &str, registry: &'a ProfileRegistry) -> Result<&'a Profile, Refusal> {
    registry.get(profile_id).ok_or_else(|| {
        let known: Vec<&str> = registry.profiles().iter().map(Profile::id).collect();
        Refusal::new(
            Stage::DecodeIntegrity,
            Reason::AmbiguousReference,
            format!("There is no requirement profile {profile_id}."),
        )
        .about(profile_id)
        .next(format!("Name one of {}.", known.join(", ")))
    })
}

/// The foreground columns, and all columns that are asked for, in the order of the table: what stands on which axis is a
/// point of view, and no analysis knows of it.
fn columns(dataset: &Dataset, question: &Question) -> (Vec<String>, Vec<String>) {
    let (mut foreground, grouping) = match &question.perspective {
        Some(perspective) => {
            let names = perspective.foreground.iter();
            let grouping = perspective.grouping.as_ref();
            (
                names.map(|asked| asked.variable.clone()).collect(),
                grouping.map(|asked| asked.variable.clone()),
            )
        }
        None => (question.foreground.clone(), question.grouping.clone()),
    };
    let place = |name: &String| {
        let place = dataset.columns().iter().position(|column| column.name() == name);
        place.unwrap_or(usize::MAX)
    };
    foreground.sort_by_key(place);
    let mut all = foreground.clone();
    all.extend(grouping);
    all.sort_by_key(place);
    (foreground, all)
}

/// A column that can't be what was asked of it: the import saw where, and said so.
fn placed(refusal: Refusal, report: &ImportReport) -> Refusal {
    let kind_of = |subject: &String| {
        let column = report
            .to_wire()
            .columns
            .iter()
            .find(|column| &column.name == subject)?;
        Some(format!("column {subject}: {}", column.why))
    };
    match refusal.subjects().iter().find_map(kind_of) {
        Some(place) if refusal.reason() == Reason::MeasurementUnsupported => refusal.at(place),
        _ => refusal,
    }
}

fn commit(
    investigation: &mut Investigation,
    snapshot: &Snapshot,
    question: &Question,
    custody: &Custody,
) -> Result<(), Refusal> {
    let mut draft = Draft::new(investigation.investigation_id())
        .question(&question.text)
        .scope(custody.scope());
    if let Some(purpose) = question.purpose {
        draft = draft.purpose(purpose);
    }
    if let Some(perspective) = &question.perspective {
        draft = draft.perspective(perspective).map_err(|error| error.refusal())?;
    } else if let Some(family) = &question.draws {
        draft = found(draft, snapshot, family)?.viewpoint(question.viewpoint);
    } else {
        for variable in &question.foreground {
            draft = draft.foreground(variable);
        }
        if let Some(grouping) = &question.grouping {
            draft = draft.grouping(grouping);
        }
        draft = draft.viewpoint(question.viewpoint);
    }
    draft
        .commit(investigation, snapshot)
        .map(|_| ())
        .map_err(|error| error.refusal())
}

/// Puts what a family found in front: every property that a picture of it shows, as far as it is there.
fn found(draft: Draft, snapshot: &Snapshot, family: &str) -> Result<Draft, Refusal> {
    let body = snapshot.body();
    let of_family = |source: &&Source| source.family == family && source.state == (State::Available {});
    let source = body.sources.iter().find(of_family);
    let in_front = source.map_or_else(Vec::new, |source| {
        representation::recipes::in_front(&source.request)
    });
    let nodes: Vec<(&Source, &Node)> = in_front
        .iter()
        .filter_map(|(producer, path)| {
            let source = source?;
            let node = body.find_in(source.source_id, producer, path)?;
            (node.state == (State::Available {})).then_some((source, node))
        })
        .collect();
    if nodes.is_empty() {
        return Err(Refusal::new(
            Stage::EvidencePolicy,
            Reason::FamilyUnsupported,
            format!("Nothing that {family} found can stand in front."),
        )
        .about(family)
        .next("Draw cluster, density, dependency, distribution, graph, projection or temporal; rows and statistics are drawn by naming their columns."));
    }
    let in_front = nodes.into_iter();
    Ok(in_front.fold(draft, |draft, (source, node)| draft.finding(source, node)))
}

impl Prepared {
    /// Adds what a file supposes: a draft with column names, or a sealed proposal. Every proposal that follows shows it,
    /// marked; whether it may be shown is the door's to say.
    ///
    /// # Errors
    /// The [`Refusal`] of a conjecture that does not hold here.
    pub fn suppose(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let refuse = |error: conjecture::ConjectureError| error.refusal();
        let proposal = conjecture::read(bytes, &self.snapshot, self.context()).map_err(refuse)?;
        conjecture::check_rows(&proposal, self.rows()?).map_err(refuse)?;
        self.proposals.push(proposal);
        self.proposals.sort_by_key(Proposal::id);
        conjecture::check_together(&self.proposals).map_err(refuse)
    }

    /// What is supposed.
    #[must_use]
    pub fn proposals(&self) -> &[Proposal] {
        &self.proposals
    }

    /// What a package of an admission holds; `device` chooses the variant that is shown, `origin` says how the graph came
    /// to the door.
    ///
    /// # Errors
    /// A [`Refusal`] when the plan has no variant for the device.
    pub fn capture<'a>(
        &'a self,
        graph: &'a Graph,
        origin: Origin,
        admission: &'a Admission,
        custody: &'a Custody,
        device: DeviceClass,
    ) -> Result<Capture<'a>, Refusal> {
        let plan = admission.plan();
        let Some(variant) = plan
            .body()
            .variants
            .iter()
            .find(|variant| variant.device == device)
        else {
            return Err(Refusal::new(
                Stage::AdoptionRecheck,
                Reason::DeviceLacksChannel,
                format!("The plan has no variant for {device:?}."),
            )
            .about(plan.id().to_string())
            .next("Admit for this device."));
        };
        let pins = custody.pins();
        let policies = [
            &pins.obligation_policy,
            &pins.capability,
            &pins.qualification_policy,
        ]
        .into_iter()
        .chain(custody.scopes().iter().map(Scope::pinned))
        .filter_map(|pin| Some((pin.clone(), custody.artifact(&pin.digest)?)))
        .collect();
        Ok(Capture {
            dataset_bytes: &self.bytes,
            recipe: &self.recipe,
            dataset: &self.dataset,
            analyses: &self.analyses,
            receipts: self.receipts.to_wire(),
            investigation: &self.investigation,
            snapshot: &self.snapshot,
            context: self.context(),
            obligations: self.obligations.set(),
            proposals: self.proposals.clone(),
            graph,
            origin,
            inspired_by: Vec::new(),
            manifest: custody.manifest(),
            knowledge_artifacts: custody
                .artifacts()
                .map(|(digest, bytes)| (*digest, bytes))
                .collect(),
            policies,
            record: admission.record(),
            plan,
            active_variant: &variant.name,
            derived_from: None,
            promoted_from: None,
        })
    }

    /// The dataset.
    #[must_use]
    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// What the import found; nothing when the dataset came out of a package.
    #[must_use]
    pub fn report(&self) -> Option<&ImportReport> {
        self.report.as_ref()
    }

    /// The analyses.
    #[must_use]
    pub fn analyses(&self) -> &[Analysis] {
        &self.analyses
    }

    /// Receipts with their uses.
    #[must_use]
    pub fn receipts(&self) -> &EvidenceEnvelope {
        &self.receipts
    }

    /// Bulk values by digest.
    #[must_use]
    pub fn leaves(&self) -> &BTreeMap<Digest, Columns> {
        &self.leaves
    }

    /// The values that are drawn, one mark a row: of the rows that are asked about, or of what an analysis found where
    /// that stands in front.
    ///
    /// # Errors
    /// A [`Refusal`] when no analysis left any.
    pub fn rows(&self) -> Result<&Columns, Refusal> {
        let body = self.snapshot.body();
        let perspective = self.context().body().perspective.as_ref();
        let first = perspective.and_then(|perspective| perspective.foreground.first());
        let node = first.and_then(|first| body.node(first.node_id));
        let source = node.and_then(|node| body.source(node.source_id));
        let leaf = source.and_then(|source| source.leaf_ref);
        leaf.and_then(|leaf| self.leaves.get(&leaf)).ok_or_else(|| {
            Refusal::new(
                Stage::EvidencePolicy,
                Reason::MissingRequired,
                "No analysis left values that could be drawn row by row.",
            )
            .next("Name at least one foreground column.")
        })
    }

    /// What is known.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// What is asked.
    ///
    /// # Panics
    /// Never: a prepared inquiry has committed its context.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.investigation
            .active()
            .expect("a prepared inquiry has an active context")
    }

    /// The lineage, for revisits and branches.
    #[must_use]
    pub fn investigation(&self) -> &Investigation {
        &self.investigation
    }

    /// The lineage, to commit to; what was decided for an earlier activation is stale afterwards.
    pub fn investigation_mut(&mut self) -> &mut Investigation {
        &mut self.investigation
    }

    /// The activation under which it was prepared.
    #[must_use]
    pub fn activation(&self) -> &Activation {
        &self.activation
    }

    /// What must be kept.
    #[must_use]
    pub fn obligations(&self) -> &FixedObligations {
        &self.obligations
    }
}
