//! Snapshots through their public door, over analyses that the kernel really makes.
#![expect(clippy::unwrap_used, reason = "a test that lacks what it is about has failed")]

mod bodies;
mod identities;
mod normalized;

use std::collections::BTreeMap;

use dataset::{Dataset, ImportOptions};
use evidence::wire::v1::EvidenceUse;
use evidence::{ProfileRegistry, admission_policy};
use identity::Finite;
use kernels::Analysis;
use kernels::wire::v1::Request;
use snapshot::{Snapshot, normalize};

const MEASURES: [&str; 3] = ["flipper_length_mm", "body_mass_g", "bill_length_mm"];

fn penguins() -> Dataset {
    let csv = include_bytes!("../../../../assets/samples/penguins.csv");
    dataset::import(csv, &ImportOptions::named("penguins"))
        .unwrap()
        .dataset
}

fn table(csv: &str) -> Dataset {
    dataset::import(csv.as_bytes(), &ImportOptions::named("table"))
        .unwrap()
        .dataset
}

fn names(columns: &[&str]) -> Vec<String> {
    columns.iter().map(|column| (*column).to_owned()).collect()
}

fn rows(columns: &[&str]) -> Request {
    Request::Rows {
        columns: names(columns),
    }
}

fn statistics(columns: &[&str]) -> Request {
    let finite = |value: f64| Finite::new(value).unwrap();
    let quantiles = vec![finite(0.25), finite(0.75)];
    Request::Statistics {
        columns: names(columns),
        quantiles,
        confidence_level: finite(0.95),
    }
}

fn analyses(dataset: &Dataset, requests: &[Request]) -> Vec<Analysis> {
    requests
        .iter()
        .map(|request| kernels::analyze(dataset, request).unwrap())
        .collect()
}

fn uses(dataset: &Dataset, analyses: &[Analysis]) -> BTreeMap<String, EvidenceUse> {
    let (bundle, attestation) = kernels::bundle(dataset, analyses).unwrap();
    evidence::uses(
        &bundle,
        &attestation,
        &ProfileRegistry::forma_v1(),
        &admission_policy(),
    )
    .unwrap()
}

fn snapshot_of(dataset: &Dataset, requests: &[Request]) -> Snapshot {
    let analyses = analyses(dataset, requests);
    normalize(dataset, &analyses, &uses(dataset, &analyses), &[]).unwrap()
}

/// Rows of four columns and statistics of the three measures.
fn penguin_snapshot() -> Snapshot {
    let mut columns = MEASURES.to_vec();
    columns.push("species");
    snapshot_of(&penguins(), &[rows(&columns), statistics(&MEASURES)])
}
