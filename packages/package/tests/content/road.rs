//! The real road in small: five rows become an admission.

use std::collections::BTreeMap;

use custody::{Custody, Shipped};
use dataset::{ImportOptions, Imported};
use evidence::wire::v1::PinnedRef;
use evidence::{AdmissionPolicy, EvidenceEnvelope, ProfileRegistry};
use forma::{Admission, FormaInput, RequestedUse};
use identity::{Digest, Finite};
use investigation::wire::v2::EpistemicPurpose;
use investigation::{Context, Draft, Investigation};
use kernels::Analysis;
use kernels::leaf::Columns;
use kernels::wire::v1::Request;
use knowledge::wire::v1::DeviceClass;
use obligations::FixedObligations;
use package::Capture;
use representation::{Graph, Inputs};
use snapshot::Snapshot;

pub(crate) const ROWS: &[u8] = b"species,bill_length_mm,flipper_length_mm,body_mass_g
Adelie,39.1,181,3750
Gentoo,46.1,211,4500
Adelie,,193,3450
Gentoo,50,230,5700
Adelie,38.9,190,3625
Gentoo,45.4,217,5200
";

/// Everything that a capture refers to.
pub(crate) struct Road {
    pub(crate) rows: &'static [u8],
    pub(crate) imported: Imported,
    pub(crate) analyses: Vec<Analysis>,
    pub(crate) receipts: EvidenceEnvelope,
    pub(crate) snapshot: Snapshot,
    pub(crate) investigation: Investigation,
    pub(crate) context: Context,
    pub(crate) obligations: FixedObligations,
    pub(crate) graph: Graph,
    pub(crate) admission: Admission,
    pub(crate) custody: Custody,
}

pub(crate) fn road() -> Road {
    road_of(ROWS, None)
}

/// The same road for other rows with the same columns, grouped or not.
pub(crate) fn road_of(rows: &'static [u8], grouping: Option<&str>) -> Road {
    let custody = Shipped::open().unwrap();
    let options = ImportOptions {
        name: "penguins".to_owned(),
        ..ImportOptions::default()
    };
    let imported = dataset::import(rows, &options).unwrap();
    let dataset = &imported.dataset;
    let foreground = ["flipper_length_mm", "body_mass_g", "bill_length_mm"]
        .map(str::to_owned)
        .to_vec();
    let mut columns = foreground.clone();
    columns.extend(grouping.map(str::to_owned));
    let finite = |value| Finite::new(value).unwrap();
    let requests = [
        Request::Rows { columns },
        Request::Statistics {
            columns: foreground.clone(),
            quantiles: [0.25, 0.5, 0.75].map(finite).to_vec(),
            confidence_level: finite(0.95),
        },
    ];
    let analyses: Vec<Analysis> = requests
        .iter()
        .map(|request| kernels::analyze(dataset, request).unwrap())
        .collect();
    let (bundle, attestation) = kernels::bundle(dataset, &analyses).unwrap();
    let uses = evidence::uses(
        &bundle,
        &attestation,
        &ProfileRegistry::forma_v1(),
        &AdmissionPolicy::forma_v1(),
    )
    .unwrap();
    let snapshot = snapshot::normalize(dataset, &analyses, &uses, &[]).unwrap();
    let receipts = EvidenceEnvelope::new(bundle, &uses).unwrap();

    let mut investigation = Investigation::new("penguins", "test run").unwrap();
    let mut draft = Draft::new("penguins")
        .question("Does flipper length go with body mass?")
        .purpose(EpistemicPurpose::ClaimBearing)
        .scope(custody.scope());
    for variable in &foreground {
        draft = draft.foreground(variable);
    }
    if let Some(grouping) = grouping {
        draft = draft.grouping(grouping);
    }
    let context = draft.commit(&mut investigation, &snapshot).unwrap().clone();
    let obligations = obligations::derive(&snapshot, &context, custody.obligation_policy()).unwrap();
    let leaves: BTreeMap<Digest, Columns> = analyses
        .iter()
        .filter_map(Analysis::leaf)
        .map(|leaf| (leaf.digest(), leaf.clone()))
        .collect();
    let recipe = representation::recipe::named("scatter_volume").unwrap();
    let graph = recipe
        .propose(&Inputs {
            snapshot: &snapshot,
            context: &context,
            obligations: &obligations,
            leaf: leaves.values().next().unwrap(),
            proposals: &[],
            pins: &custody,
        })
        .unwrap();
    let admission = forma::admit(&FormaInput {
        snapshot: &snapshot,
        context: &context,
        obligations: &obligations,
        graph: &graph,
        proposals: &[],
        manifest: custody.manifest(),
        table: custody.table(),
        capability: custody.capability(),
        receipts: receipts.bundle(),
        leaves: &leaves,
        device: DeviceClass::DesktopMonitor,
        requested_use: &RequestedUse::Production,
        authorities: &custody,
    })
    .unwrap_or_else(|refused| panic!("{}", refused.primary()));
    Road {
        rows,
        imported,
        analyses,
        receipts,
        snapshot,
        investigation,
        context,
        obligations,
        graph,
        admission,
        custody,
    }
}

impl Road {
    pub(crate) fn capture(&self) -> Capture<'_> {
        let pin = |pin: &PinnedRef| (pin.clone(), self.custody.artifact(&pin.digest).unwrap());
        let pins = self.custody.pins();
        Capture {
            dataset_bytes: self.rows,
            recipe: &self.imported.recipe,
            dataset: &self.imported.dataset,
            analyses: &self.analyses,
            receipts: self.receipts.to_wire(),
            proposals: Vec::new(),
            promoted_from: None,
            investigation: &self.investigation,
            snapshot: &self.snapshot,
            context: &self.context,
            obligations: self.obligations.set(),
            graph: &self.graph,
            origin: package::wire::v4::Origin::Recipe {},
            manifest: self.custody.manifest(),
            knowledge_artifacts: self
                .custody
                .table()
                .bytes()
                .map(|(digest, bytes)| (*digest, bytes))
                .collect(),
            policies: [
                &pins.obligation_policy,
                &pins.scope,
                &pins.capability,
                &pins.qualification_policy,
            ]
            .map(pin)
            .to_vec(),
            record: self.admission.record(),
            plan: self.admission.plan(),
            active_variant: "desktop",
            derived_from: None,
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.capture()
            .write_to(&mut out)
            .unwrap_or_else(|error| panic!("{error}"));
        out
    }
}
