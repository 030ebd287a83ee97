//! Evidence through its public door, over receipts that the kernel really issues.
#![expect(clippy::unwrap_used, reason = "a test that lacks what it is about has failed")]

mod bundles;
mod claims;
mod envelopes;
mod package_v3;
mod resolutions;
mod used;

use std::collections::BTreeMap;

use dataset::{Dataset, ImportOptions};
use evidence::wire::v1::EvidenceUse;
use evidence::{ProfileRegistry, admission_policy, uses};
use identity::Finite;
use kernels::wire::v1::{Attestation, Receipt, ReceiptBundle, Request};

fn table(csv: &str) -> Dataset {
    dataset::import(csv.as_bytes(), &ImportOptions::named("table"))
        .unwrap()
        .dataset
}

/// Receipts `rows:mass_kg,length_m`, `descriptive:mass_kg` and `descriptive:length_m`, one row of five excluded.
fn issued() -> (ReceiptBundle, Attestation) {
    issued_for(&table("mass_kg,length_m\n1,2\n2,\n3,5\n4,7\n5,11\n"))
}

fn issued_for(dataset: &Dataset) -> (ReceiptBundle, Attestation) {
    let columns = || vec!["mass_kg".to_owned(), "length_m".to_owned()];
    let confidence_level = Finite::new(0.95).unwrap();
    let requests = [
        Request::Rows { columns: columns() },
        Request::Statistics {
            columns: columns(),
            quantiles: Vec::new(),
            confidence_level,
        },
    ];
    let analyses = requests.map(|request| kernels::analyze(dataset, &request).unwrap());
    kernels::bundle(dataset, &analyses).unwrap()
}

fn minted(bundle: &ReceiptBundle, attestation: &Attestation) -> BTreeMap<String, EvidenceUse> {
    uses(
        bundle,
        attestation,
        &ProfileRegistry::forma_v1(),
        &admission_policy(),
    )
    .unwrap()
}

const ROWS: &str = "rows:mass_kg,length_m";
const SUMMARY: &str = "descriptive:mass_kg";

fn receipt<'a>(bundle: &'a mut ReceiptBundle, id: &str) -> &'a mut Receipt {
    bundle
        .receipts
        .iter_mut()
        .find(|receipt| receipt.receipt_id == id)
        .unwrap()
}
