//! What the members say: first as claimed by the texts, then with every body under the identity it hashes to.

use conjecture::Proposal;
use evidence::EvidenceEnvelope;
use evidence::wire::v1::ReceiptEnvelope;
use forma::FormaRecord;
use identity::{Body, Envelope, Identity, Sealed};
use investigation::Context;
use investigation::wire::v2::{Lineage, LineageEdge};
use knowledge::Manifest as KnowledgeManifest;
use obligations::ObligationSet;
use plan::Plan;
use representation::Graph;
use snapshot::Snapshot;

use crate::error::{PackageError, Problem};
use crate::members::{FORMA, GRAPH, IMPORT, RECEIPTS};
use crate::wire::v4::{Event, Forma, Session};

/// The decoded members. Nothing in them is believed yet.
#[derive(Debug)]
pub(crate) struct Claimed {
    pub(crate) recipe: Envelope<dataset::wire::v1::RecipeBody>,
    pub(crate) session: Session,
    pub(crate) events: Vec<Event>,
    pub(crate) receipts: ReceiptEnvelope,
    pub(crate) lineage: Lineage,
    pub(crate) forma: Forma,
}

/// Everything that the members say, every body sealed.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) bodies: Bodies,
    pub(crate) events: Vec<Event>,
    pub(crate) session: Session,
}

impl std::ops::Deref for Contents {
    type Target = Bodies;

    fn deref(&self) -> &Bodies {
        &self.bodies
    }
}

/// The bodies and the links between them; ledger and projection follow from these.
#[derive(Debug)]
pub(crate) struct Bodies {
    pub(crate) recipe: dataset::Recipe,
    pub(crate) receipts: EvidenceEnvelope,
    pub(crate) history: History,
    pub(crate) snapshots: Vec<Snapshot>,
    pub(crate) obligation_sets: Vec<ObligationSet>,
    pub(crate) proposals: Vec<Proposal>,
    pub(crate) graphs: Vec<Graph>,
    pub(crate) manifests: Vec<KnowledgeManifest>,
    pub(crate) results: Vec<FormaRecord>,
    pub(crate) plans: Vec<Plan>,
    /// `investigation/forma.json` with its tables taken out.
    pub(crate) links: Forma,
}

/// The committed contexts and how they follow from each other.
#[derive(Clone, Debug)]
pub struct History {
    pub(crate) investigation_id: String,
    pub(crate) contexts: Vec<Context>,
    pub(crate) edges: Vec<LineageEdge>,
    pub(crate) active_node_id: String,
}

impl History {
    /// The investigation's name.
    #[must_use]
    pub fn investigation_id(&self) -> &str {
        &self.investigation_id
    }

    /// All committed contexts in order of commit.
    #[must_use]
    pub fn contexts(&self) -> &[Context] {
        &self.contexts
    }

    /// How they follow from each other.
    #[must_use]
    pub fn edges(&self) -> &[LineageEdge] {
        &self.edges
    }

    /// The node that was active when the package was written. Being active is not stored: opening it here activates
    /// nothing.
    #[must_use]
    pub fn active_node_id(&self) -> &str {
        &self.active_node_id
    }

    /// The lineage as it is stored, for a running investigation to continue from.
    #[must_use]
    pub fn to_lineage(&self) -> Lineage {
        Lineage {
            schema_version: identity::SafeInteger::from(1),
            investigation_id: self.investigation_id.clone(),
            contexts: self.contexts.iter().map(Context::to_wire).collect(),
            edges: self.edges.clone(),
            active_node_id: self.active_node_id.clone(),
        }
    }
}

impl Claimed {
    /// Every table lists each identity once, in order.
    pub(crate) fn check_tables(&self) -> Result<(), PackageError> {
        in_order("snapshots", &self.forma.snapshots)?;
        in_order("obligationSets", &self.forma.obligation_sets)?;
        if !self.forma.proposals.is_empty() {
            in_order("proposals", &self.forma.proposals)?;
        }
        in_order("graphs", &self.forma.graphs)?;
        in_order("manifests", &self.forma.manifests)?;
        in_order("results", &self.forma.results)?;
        in_order("plans", &self.forma.plans)
    }

    /// Hashes every body and compares it with the identity it stands under.
    pub(crate) fn seal(self) -> Result<Contents, PackageError> {
        let Self {
            recipe,
            session,
            events,
            receipts,
            lineage,
            mut forma,
        } = self;
        let recipe = recipe
            .open()
            .map_err(|error| PackageError::seal(IMPORT, String::new(), error))?;
        let receipts = EvidenceEnvelope::open(receipts).map_err(|error| {
            PackageError::reference(RECEIPTS, "", Problem::Refused(Box::new(error.refusal())))
        })?;
        let history = History {
            investigation_id: lineage.investigation_id,
            contexts: open_all(GRAPH, "contexts", lineage.contexts)?,
            edges: lineage.edges,
            active_node_id: lineage.active_node_id,
        };
        if lineage.schema_version.get() != 1 {
            let why = format!("lineage version {} is not 1", lineage.schema_version.get());
            return Err(PackageError::Body {
                member: GRAPH.to_owned(),
                pointer: "/schemaVersion".to_owned(),
                why,
            });
        }
        let bodies = Bodies {
            recipe,
            receipts,
            history,
            snapshots: open_all(FORMA, "snapshots", std::mem::take(&mut forma.snapshots))?,
            obligation_sets: open_all(
                FORMA,
                "obligationSets",
                std::mem::take(&mut forma.obligation_sets),
            )?,
            proposals: open_all(FORMA, "proposals", std::mem::take(&mut forma.proposals))?,
            graphs: open_all(FORMA, "graphs", std::mem::take(&mut forma.graphs))?,
            manifests: open_all(FORMA, "manifests", std::mem::take(&mut forma.manifests))?,
            results: open_all(FORMA, "results", std::mem::take(&mut forma.results))?,
            plans: open_all(FORMA, "plans", std::mem::take(&mut forma.plans))?,
            links: forma,
        };
        Ok(Contents {
            bodies,
            events,
            session,
        })
    }
}

fn in_order<B: Body>(table: &str, envelopes: &[Envelope<B>]) -> Result<(), PackageError> {
    if envelopes.is_empty() {
        let problem = Problem::Dangling(format!("an entry of {table}"));
        return Err(PackageError::reference(FORMA, format!("/{table}"), problem));
    }
    for (idx, pair) in envelopes.windows(2).enumerate() {
        let claimed: Identity<B> = pair[1].claimed_id();
        if pair[0].claimed_id() >= claimed {
            let problem = Problem::Repeated(claimed.to_string());
            return Err(PackageError::reference(
                FORMA,
                format!("/{table}/{}", idx + 1),
                problem,
            ));
        }
    }
    Ok(())
}

fn open_all<B: Body>(
    member: &str,
    table: &str,
    envelopes: Vec<Envelope<B>>,
) -> Result<Vec<Sealed<B>>, PackageError> {
    let open = |(idx, envelope): (usize, Envelope<B>)| {
        envelope
            .open()
            .map_err(|error| PackageError::seal(member, format!("/{table}/{idx}"), error))
    };
    envelopes.into_iter().enumerate().map(open).collect()
}
