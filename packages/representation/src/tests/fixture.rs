//! The real road up to obligations: a table is imported, analyzed, normalized, asked about, and what must be kept is
//! derived under the shipped policy. Shared by the tests of `plan`.

use std::collections::BTreeMap;

use dataset::{Declaration, ImportOptions};
use evidence::wire::v1::PinnedRef;
use identity::{Digest, Finite};
use investigation::{Context, Draft, EpistemicPurpose, Investigation, Scope};
use kernels::leaf::Columns;
use kernels::wire::v1::Request;
use obligations::{FixedObligations, Policy};
use snapshot::Snapshot;
use snapshot::wire::v1::State;

pub(crate) const PENGUINS: &str = include_str!("../../../../assets/samples/penguins.csv");
const SCOPE: &[u8] = include_bytes!("../../../../assets/policies/scope-v1.json");
const POLICY: &[u8] = include_bytes!("../../../../assets/policies/obligations-v1.json");

/// What is asked of a table.
#[derive(Clone)]
pub(crate) struct Ask {
    pub(crate) csv: String,
    pub(crate) foreground: Vec<String>,
    pub(crate) grouping: Option<String>,
    pub(crate) question: String,
    pub(crate) purpose: EpistemicPurpose,
    /// Columns that are projected in one analysis; by default all that are asked about.
    pub(crate) projections: Option<Vec<Vec<String>>>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) absent: Vec<(Request, State)>,
}

/// The penguins, asked about three measures.
pub(crate) fn penguins() -> Ask {
    ask(PENGUINS, ["flipper_length_mm", "body_mass_g", "bill_length_mm"])
}

/// A table, asked about three columns.
pub(crate) fn ask(csv: &str, foreground: [&str; 3]) -> Ask {
    Ask {
        csv: csv.to_owned(),
        foreground: foreground.map(str::to_owned).to_vec(),
        grouping: None,
        question: "Does flipper length separate the species?".to_owned(),
        purpose: EpistemicPurpose::ClaimBearing,
        projections: None,
        declarations: Vec::new(),
        absent: Vec::new(),
    }
}

/// Everything that is fixed before a picture is proposed.
pub(crate) struct Road {
    pub(crate) snapshot: Snapshot,
    pub(crate) context: Context,
    pub(crate) obligations: FixedObligations,
    pub(crate) leaves: BTreeMap<Digest, Columns>,
}

impl Ask {
    pub(crate) fn grouped(mut self, column: &str) -> Self {
        self.grouping = Some(column.to_owned());
        self
    }

    pub(crate) fn road(&self) -> Road {
        let mut options = ImportOptions::named("table");
        options.declarations = self.declarations.clone();
        let dataset = dataset::import(self.csv.as_bytes(), &options).unwrap().dataset;
        let all = || self.foreground.iter().chain(&self.grouping).cloned().collect();
        let projections = self.projections.clone().unwrap_or_else(|| vec![all()]);
        let mut requests: Vec<Request> = projections
            .into_iter()
            .map(|columns| Request::Rows { columns })
            .collect();
        requests.push(Request::Statistics {
            columns: self.foreground.clone(),
            quantiles: vec![Finite::new(0.5).unwrap()],
            confidence_level: Finite::new(0.95).unwrap(),
        });
        let analyses: Vec<_> = requests
            .iter()
            .map(|request| kernels::analyze(&dataset, request).unwrap())
            .collect();
        let (bundle, attestation) = kernels::bundle(&dataset, &analyses).unwrap();
        let (profiles, policy) = (
            evidence::ProfileRegistry::forma_v1(),
            evidence::admission_policy(),
        );
        let uses = evidence::uses(&bundle, &attestation, &profiles, &policy).unwrap();
        let snapshot = snapshot::normalize(&dataset, &analyses, &uses, &self.absent).unwrap();
        let mut investigation = Investigation::new("table", "run").unwrap();
        let mut draft = Draft::new("table")
            .question(&self.question)
            .purpose(self.purpose)
            .scope(&Scope::from_bytes(SCOPE).unwrap());
        for variable in &self.foreground {
            draft = draft.foreground(variable);
        }
        if let Some(grouping) = &self.grouping {
            draft = draft.grouping(grouping);
        }
        let context = draft.commit(&mut investigation, &snapshot).unwrap().clone();
        let policy = Policy::from_bytes(POLICY).unwrap();
        let obligations = obligations::derive(&snapshot, &context, &policy).unwrap();
        let leaves = analyses
            .iter()
            .filter_map(kernels::Analysis::leaf)
            .map(|leaf| (leaf.digest(), leaf.clone()))
            .collect();
        Road {
            snapshot,
            context,
            obligations,
            leaves,
        }
    }
}

impl Road {
    /// The rows that the first foreground variable comes from.
    pub(crate) fn leaf(&self) -> (Digest, &Columns) {
        let node_id = self.context.body().perspective.as_ref().unwrap().foreground[0].node_id;
        let node = snapshot::node(&self.snapshot, node_id).unwrap();
        let digest = snapshot::source(&self.snapshot, node.source_id)
            .unwrap()
            .leaf_ref
            .unwrap();
        (digest, &self.leaves[&digest])
    }
}

/// Pins that know every transform and recipe by a digest of its name, except the one left out.
pub(crate) struct NamedPins(pub(crate) Option<&'static str>);

impl NamedPins {
    pub(crate) fn pinned(&self, id: &str) -> Option<PinnedRef> {
        (self.0 != Some(id)).then(|| PinnedRef {
            id: id.to_owned(),
            version: "1.0.0".to_owned(),
            digest: Digest::of(id.as_bytes()),
        })
    }
}
