//! Everything one admission looks at, owned and open to edits.

use std::collections::BTreeMap;

use conjecture::Proposal;
use custody::{Custody, Shipped};
use dataset::{Dataset, ImportOptions};
use evidence::ProfileRegistry;
use forma::{Admission, FormaInput, Refused, RequestedUse};
use identity::{Digest, Finite, Identity};
use investigation::wire::v2::EpistemicPurpose;
use investigation::{Activation, Context, Draft, Investigation};
use kernels::leaf::Columns;
use kernels::wire::v1::{ReceiptBundle, Request};
use knowledge::wire::v1::{CapabilityTable, DeviceClass};
use knowledge::{Manifest, Table};
use obligations::wire::v1::{Obligation, Predicate};
use obligations::{FixedObligations, ObligationKind, Policy};
use refusal::Refusal;
use representation::wire::v2::GraphBody;
use representation::{Graph, Inputs};
use serde_json::{Value, json};
use snapshot::Snapshot;
use snapshot::wire::v1::{Node, State};

use crate::{Shelf, Told, edit, tables};

/// What a world is made from.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The table's bytes.
    pub bytes: Vec<u8>,
    /// How it is imported.
    pub options: ImportOptions,
    /// Columns for x, y, z.
    pub foreground: Vec<String>,
    /// Grouping column.
    pub grouping: Option<String>,
    /// Purpose.
    pub purpose: EpistemicPurpose,
    /// The question.
    pub question: String,
    /// Analyses besides the projection of rows and the statistics of the foreground.
    pub more: Vec<Request>,
    /// Analyses that are asked for and not there.
    pub unavailable: Vec<(Request, State)>,
    /// The recipe that proposes.
    pub recipe: &'static str,
}

impl Spec {
    /// Flowers by height, width and mass, grouped by kind.
    #[must_use]
    pub fn flowers() -> Self {
        Self::of("flowers", tables::FLOWERS, tables::FLOWER_AXES, "kind")
    }

    /// Penguins as in the main job.
    #[must_use]
    pub fn penguins() -> Self {
        Self::of("penguins", tables::PENGUINS, tables::PENGUIN_AXES, "species")
    }

    /// A table with three foreground columns and a grouping, in claim-bearing inquiry.
    #[must_use]
    pub fn of(name: &str, bytes: impl AsRef<[u8]>, foreground: [&str; 3], grouping: &str) -> Self {
        Self {
            bytes: bytes.as_ref().to_vec(),
            options: ImportOptions {
                name: name.to_owned(),
                ..ImportOptions::default()
            },
            foreground: foreground.map(str::to_owned).to_vec(),
            grouping: Some(grouping.to_owned()),
            purpose: EpistemicPurpose::ClaimBearing,
            question: "What goes with what?".to_owned(),
            more: Vec::new(),
            unavailable: Vec::new(),
            recipe: "scatter_volume",
        }
    }

    /// The statistics that an inquiry asks for of some columns.
    #[must_use]
    pub fn statistics(columns: &[&str]) -> Request {
        let finite = |value: f64| Finite::new(value).expect("these are finite");
        Request::Statistics {
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            quantiles: [0.25, 0.5, 0.75].map(finite).to_vec(),
            confidence_level: finite(0.95),
        }
    }
}

/// Everything one admission looks at. Made the way the program makes it; then a test spoils one thing.
#[derive(Debug)]
pub struct World {
    /// What ships, unspoiled.
    pub custody: Custody,
    /// The dataset.
    pub dataset: Dataset,
    /// S.
    pub snapshot: Snapshot,
    /// The lineage that issues activations.
    pub investigation: Investigation,
    /// C.
    pub context: Context,
    /// The activation of C.
    pub activation: Activation,
    /// O.
    pub obligations: FixedObligations,
    /// G.
    pub graph: Graph,
    /// What is supposed; nothing, unless a test supposes something.
    pub proposals: Vec<Proposal>,
    /// K.
    pub manifest: Manifest,
    /// K.
    pub table: Table,
    /// B.
    pub capability: CapabilityTable,
    /// E.
    pub receipts: ReceiptBundle,
    /// Rows by digest.
    pub leaves: BTreeMap<Digest, Columns>,
    /// Device asked for.
    pub device: DeviceClass,
    /// Use asked for.
    pub requested_use: RequestedUse,
    /// The outside.
    pub told: Told,
    recipe: &'static str,
}

impl World {
    /// A sound world of flowers.
    #[must_use]
    pub fn flowers() -> Self {
        Self::of(&Spec::flowers())
    }

    /// Goes the road from bytes to a proposal.
    ///
    /// # Panics
    /// When a step refuses: what is made here is sound.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        Self::try_of(spec).unwrap_or_else(|refusal| panic!("{refusal}"))
    }

    /// As [`World::of`].
    ///
    /// # Errors
    /// The refusal of the first step that refuses.
    ///
    /// # Panics
    /// When what ships does not open.
    pub fn try_of(spec: &Spec) -> Result<Self, Box<Refusal>> {
        let custody = Shipped::open().unwrap_or_else(|error| panic!("{error}"));
        let imported =
            dataset::import(&spec.bytes, &spec.options).map_err(|error| Box::new(error.refusal()))?;
        let dataset = imported.dataset;
        let mut columns = spec.foreground.clone();
        columns.extend(spec.grouping.clone());
        let foreground: Vec<&str> = spec.foreground.iter().map(String::as_str).collect();
        let mut requests = vec![Request::Rows { columns }, Spec::statistics(&foreground)];
        requests.extend(spec.more.iter().cloned());
        let analyses = requests
            .iter()
            .map(|request| kernels::analyze(&dataset, request).map_err(|error| Box::new(error.refusal())))
            .collect::<Result<Vec<_>, _>>()?;
        let (receipts, attestation) =
            kernels::bundle(&dataset, &analyses).map_err(|error| Box::new(error.refusal()))?;
        let uses = evidence::uses(
            &receipts,
            &attestation,
            &ProfileRegistry::forma_v1(),
            &evidence::admission_policy(),
        )
        .map_err(|error| Box::new(error.refusal()))?;
        let snapshot = snapshot::normalize(&dataset, &analyses, &uses, &spec.unavailable)
            .map_err(|error| Box::new(error.refusal()))?;
        let mut investigation = Investigation::new(dataset.name(), "this run").expect("both are names");
        let mut draft = Draft::new(investigation.investigation_id())
            .question(&spec.question)
            .purpose(spec.purpose)
            .scope(custody.scope());
        for variable in &spec.foreground {
            draft = draft.foreground(variable);
        }
        if let Some(grouping) = &spec.grouping {
            draft = draft.grouping(grouping);
        }
        let context = draft
            .commit(&mut investigation, &snapshot)
            .cloned()
            .map_err(|error| Box::new(error.refusal()))?;
        let activation = investigation
            .activate(&context.body().node_id)
            .map_err(|error| Box::new(error.refusal()))?;
        let obligations = obligations::derive(&snapshot, &context, custody.obligation_policy())
            .map_err(|error| Box::new(error.refusal()))?;
        let leaves: BTreeMap<Digest, Columns> = analyses
            .iter()
            .filter_map(kernels::Analysis::leaf)
            .map(|leaf| (leaf.digest(), leaf.clone()))
            .collect();
        let leaf = analyses
            .iter()
            .find_map(kernels::Analysis::rows)
            .expect("rows were asked for");
        let graph = propose(
            &custody,
            &snapshot,
            &context,
            &obligations,
            leaf,
            &[],
            spec.recipe,
        )?;
        Ok(Self {
            manifest: custody.manifest().clone(),
            table: custody.table().clone(),
            capability: custody.capability().clone(),
            told: Told::by(custody.clone()),
            custody,
            dataset,
            snapshot,
            investigation,
            context,
            activation,
            obligations,
            graph,
            proposals: Vec::new(),
            receipts,
            leaves,
            device: DeviceClass::DesktopMonitor,
            requested_use: RequestedUse::Production,
            recipe: spec.recipe,
        })
    }

    /// Asks the door.
    ///
    /// # Errors
    /// [`Refused`] with every diagnostic.
    pub fn admit(&self) -> Result<Admission, Box<Refused>> {
        forma::admit(&self.input()).map_err(Box::new)
    }

    /// What a study of this picture has to name.
    #[must_use]
    pub fn controls(&self) -> Vec<forma::GrantedMapping> {
        forma::controls(&self.input())
    }

    fn input(&self) -> FormaInput<'_> {
        FormaInput {
            snapshot: &self.snapshot,
            context: &self.context,
            obligations: &self.obligations,
            graph: &self.graph,
            proposals: &self.proposals,
            manifest: &self.manifest,
            table: &self.table,
            capability: &self.capability,
            receipts: &self.receipts,
            leaves: &self.leaves,
            device: self.device,
            requested_use: &self.requested_use,
            authorities: &self.told,
        }
    }

    /// Admits what is sound.
    ///
    /// # Panics
    /// When it is not.
    #[must_use]
    pub fn admitted(&self) -> Admission {
        self.admit().unwrap_or_else(|refused| {
            let all: Vec<String> = refused
                .diagnostics
                .all()
                .iter()
                .map(ToString::to_string)
                .collect();
            panic!("not admitted:\n{}", all.join("\n"))
        })
    }

    /// Changes the proposal and seals it again.
    pub fn regraph(&mut self, change: impl FnOnce(&mut GraphBody)) {
        let mut body = self.graph.body().clone();
        change(&mut body);
        self.graph = edit::reseal(body);
    }

    /// Changes what is known; the outside pins it all, so that only the change itself can be refused.
    ///
    /// # Panics
    /// When the result is no knowledge.
    pub fn know(&mut self, change: impl FnOnce(&mut Shelf)) {
        let mut shelf = Shelf::of(&self.table);
        change(&mut shelf);
        let known = shelf.open();
        for name in shelf.names("") {
            let pin = known.table.pin(name).expect("a shelf's table has its names");
            self.told.pin(&pin);
        }
        self.table = known.table;
        self.manifest = known.manifest;
        self.capability = known.capability;
    }

    /// Derives obligations under a changed policy, which the outside pins, and lets the recipe propose again.
    ///
    /// # Panics
    /// When the result is no policy, or the recipe does not propose.
    pub fn govern(&mut self, change: impl FnOnce(&mut Value)) {
        let pinned = self.custody.obligation_policy().pinned();
        let bytes = self
            .custody
            .artifact(&pinned.digest)
            .expect("custody holds its policies");
        let mut file: Value = serde_json::from_slice(bytes).expect("policies are JSON");
        change(&mut file);
        list_underived(&mut file);
        let policy =
            Policy::from_bytes(file.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        self.told.pin(policy.pinned());
        self.obligations = obligations::derive(&self.snapshot, &self.context, &policy)
            .unwrap_or_else(|error| panic!("{error}"));
        self.repropose();
    }

    /// Adds a rule: foreground values must keep a predicate more.
    pub fn demand(&mut self, predicate: &str) {
        self.govern(|file| {
            let rules = file["rules"].as_array_mut().expect("rules are a list");
            rules.push(rule("quantitativeValues", "foreground", predicate));
        });
    }

    /// Lets the recipe propose again.
    ///
    /// # Panics
    /// When it does not.
    pub fn repropose(&mut self) {
        let leaf = self.leaves.values().next().expect("rows were asked for");
        self.graph = propose(
            &self.custody,
            &self.snapshot,
            &self.context,
            &self.obligations,
            leaf,
            &self.proposals,
            self.recipe,
        )
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    }

    /// Supposes what a draft says, and lets the recipe propose again.
    ///
    /// # Errors
    /// The refusal of a conjecture that does not hold here.
    ///
    /// # Panics
    /// When the recipe does not propose.
    pub fn suppose(&mut self, draft: &Value) -> Result<(), Box<Refusal>> {
        let proposal = conjecture::read(draft.to_string().as_bytes(), &self.snapshot, &self.context)
            .map_err(|error| Box::new(error.refusal()))?;
        self.proposals = vec![proposal];
        self.repropose();
        Ok(())
    }

    /// Asks for study use and grants it for the graph at hand: the study names whatever nobody is known to read in it.
    pub fn grant_study(&mut self, reference: &str) {
        self.requested_use = RequestedUse::Study {
            authorization: Some(reference.to_owned()),
        };
        let mut grant = crate::grant(reference, &self.graph, &self.custody);
        let controls = grant.devices.iter().flat_map(|device| {
            forma::controls(&FormaInput {
                device: *device,
                ..self.input()
            })
        });
        grant.mappings = controls.collect();
        grant.withheld = grant.mappings.iter().map(|named| named.claim).collect();
        self.told.study_runs(grant);
    }

    /// The obligation of a predicate about a column; of a source as a whole when no column is named.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn obligation(&self, predicate: Predicate, column: Option<&str>) -> &Obligation {
        let about = |obligation: &Obligation| {
            let node = obligation
                .semantic_source_ref
                .node_id
                .and_then(|id| snapshot::node(&self.snapshot, id));
            match (column, node) {
                (None, _) => true,
                (Some(column), Some(node)) => node.producer_semantic_id == format!("column:{column}"),
                (Some(_), None) => false,
            }
        };
        self.obligations
            .of_predicate(predicate)
            .find(|obligation| about(obligation))
            .unwrap_or_else(|| panic!("nothing owes {predicate:?} of {column:?}"))
    }

    /// The identity of [`World::obligation`].
    #[must_use]
    pub fn owed(&self, predicate: Predicate, column: Option<&str>) -> Identity<ObligationKind> {
        self.obligation(predicate, column).id
    }

    /// A node of the snapshot by family, producer and path.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn node(&self, family: &str, producer: &str, path: &str) -> &Node {
        let body = self.snapshot.body();
        let family_of = |node: &Node| {
            let source = body
                .sources
                .iter()
                .find(|source| source.source_id == node.source_id);
            source.map(|source| source.family.clone())
        };
        body.nodes
            .iter()
            .find(|node| {
                node.producer_semantic_id == producer
                    && node.property_path == path
                    && family_of(node).as_deref() == Some(family)
            })
            .unwrap_or_else(|| panic!("no {family} {producer}/{path}"))
    }
}

fn propose(
    custody: &Custody,
    snapshot: &Snapshot,
    context: &Context,
    obligations: &FixedObligations,
    leaf: &Columns,
    proposals: &[Proposal],
    recipe: &str,
) -> Result<Graph, Box<Refusal>> {
    let recipe = representation::recipes::named(recipe).unwrap_or_else(|| panic!("no recipe {recipe}"));
    recipe
        .propose(&Inputs {
            snapshot,
            context,
            obligations,
            leaf,
            proposals,
            pins: custody,
        })
        .map_err(|error| Box::new(error.refusal()))
}

/// A rule of the obligation policy that binds whatever happens.
#[must_use]
pub fn rule(property_kind: &str, role: &str, predicate: &str) -> Value {
    json!({
        "family": "rows",
        "propertyKind": property_kind,
        "role": role,
        "purpose": "any",
        "condition": "always",
        "predicate": predicate,
        "class": "MUST_PRESERVE",
        "requiredProfile": "forma-row-projection/v1",
        "limitationsToExpose": [],
        "activation": null,
        "sentence": "As a test demands.",
    })
}

/// The predicates that no rule derives are exactly those that the rules leave over.
fn list_underived(file: &mut Value) {
    let rules = file["rules"].as_array().expect("rules are a list");
    let underived: Vec<Value> = ALL
        .iter()
        .filter(|word| rules.iter().all(|rule| rule["predicate"] != **word))
        .map(|word| json!({ "predicate": word, "reason": "No rule of this test." }))
        .collect();
    file["underived"] = underived.into();
}

const ALL: [&str; 16] = [
    "ORDER",
    "RATIO",
    "DIFFERENCE",
    "IDENTITY",
    "MEMBERSHIP",
    "RELATION",
    "SEQUENCE",
    "UNITS",
    "SUPPORT",
    "MISSINGNESS",
    "UNCERTAINTY",
    "APPROXIMATION",
    "LIMITATION",
    "UNAVAILABILITY",
    "DETAIL_AVAILABLE",
    "EPISTEMIC_STATUS",
];
