//! Snapshots by the real road: a table is imported, analyzed, and normalized with the evidence of its receipts.

use dataset::{ColumnKind, Declaration, ImportOptions, Scale};
use identity::Finite;
use kernels::wire::v1::Request;
use snapshot::Snapshot;
use snapshot::wire::v1::State;

const PENGUINS: &str = include_str!("../../../../assets/samples/penguins.csv");

/// A table and what is asked of it.
#[derive(Clone)]
pub(crate) struct Build {
    pub(crate) name: &'static str,
    pub(crate) csv: String,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) projections: Vec<Vec<&'static str>>,
    pub(crate) statistics: Vec<&'static str>,
    pub(crate) absent: Vec<(Request, State)>,
}

/// The bundled penguins; the unit of the body mass was checked, those of the lengths are inferred.
pub(crate) fn penguins() -> Build {
    let checked = Declaration {
        confirmed: true,
        ..Declaration::of("body_mass_g").scale(Scale::Ratio).unit("g")
    };
    Build {
        name: "penguins",
        csv: PENGUINS.to_owned(),
        declarations: vec![checked],
        projections: vec![vec![
            "flipper_length_mm",
            "body_mass_g",
            "bill_length_mm",
            "species",
        ]],
        statistics: vec!["body_mass_g"],
        absent: Vec::new(),
    }
}

/// A column of a small table.
pub(crate) struct Column {
    name: &'static str,
    kind: ColumnKind,
    scale: Scale,
}

pub(crate) fn numbers(name: &'static str, scale: Scale) -> Column {
    Column {
        name,
        kind: ColumnKind::Numeric,
        scale,
    }
}

pub(crate) fn labels(name: &'static str, scale: Scale) -> Column {
    Column {
        name,
        kind: ColumnKind::Categorical,
        scale,
    }
}

/// Twelve full rows of some columns.
pub(crate) fn table(columns: &[Column], projections: &[&[&'static str]]) -> Build {
    let mut csv = columns
        .iter()
        .map(|column| column.name)
        .collect::<Vec<_>>()
        .join(",");
    for row in 0..12 {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| match column.kind {
                ColumnKind::Numeric => format!("{row}.5"),
                _ => ["low", "middle", "high"][row % 3].to_owned(),
            })
            .collect();
        csv = format!("{csv}\n{}", cells.join(","));
    }
    let declare = |column: &Column| Declaration::of(column.name).kind(column.kind).scale(column.scale);
    Build {
        name: "table",
        csv: format!("{csv}\n"),
        declarations: columns.iter().map(declare).collect(),
        projections: projections.iter().map(|columns| columns.to_vec()).collect(),
        statistics: Vec::new(),
        absent: Vec::new(),
    }
}

pub(crate) fn rows(columns: &[&str]) -> Request {
    Request::Rows {
        columns: columns.iter().map(|column| (*column).to_owned()).collect(),
    }
}

impl Build {
    pub(crate) fn seal(&self) -> Snapshot {
        let mut options = ImportOptions::named(self.name);
        options.declarations = self.declarations.clone();
        let dataset = dataset::import(self.csv.as_bytes(), &options)
            .expect("the table is sound")
            .dataset;
        let mut requests: Vec<Request> = self.projections.iter().map(|columns| rows(columns)).collect();
        if !self.statistics.is_empty() {
            requests.push(Request::Statistics {
                columns: self
                    .statistics
                    .iter()
                    .map(|column| (*column).to_owned())
                    .collect(),
                quantiles: vec![Finite::new(0.5).expect("finite")],
                confidence_level: Finite::new(0.95).expect("finite"),
            });
        }
        let analyses: Vec<_> = requests
            .iter()
            .map(|request| kernels::analyze(&dataset, request).expect("the request can be answered"))
            .collect();
        let (bundle, attestation) = kernels::bundle(&dataset, &analyses).expect("receipts");
        let (profiles, policy) = (
            evidence::ProfileRegistry::forma_v1(),
            evidence::admission_policy(),
        );
        let uses = evidence::uses(&bundle, &attestation, &profiles, &policy).expect("uses");
        snapshot::normalize(&dataset, &analyses, &uses, &self.absent).expect("a snapshot")
    }
}
