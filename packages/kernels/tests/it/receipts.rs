//! Receipts are complete, and say where each statement comes from.

use dataset::{Declaration, ImportOptions, Scale};
use kernels::wire::v1::{MeasurementContext, Receipt};
use kernels::{KERNEL_VERSION, METHOD_VERSION, ROWS_METHOD, STATISTICS_METHOD, bundle};
use serde_json::Value;

use crate::{answer, penguins, rows, statistics, table, table_with};

fn json(receipt: &Receipt) -> Value {
    serde_json::to_value(receipt).unwrap()
}

const MEMBERS: [&str; 12] = [
    "assumptions",
    "claimId",
    "estimand",
    "geometry",
    "limitations",
    "measurementContext",
    "methodProvenance",
    "receiptId",
    "sampleSupport",
    "sensitivity",
    "stability",
    "uncertainty",
];

#[test]
fn a_receipt_has_twelve_members() {
    let dataset = penguins();
    for request in [rows(&["body_mass_g", "species"]), statistics(&["body_mass_g"])] {
        for receipt in answer(&dataset, &request).receipts() {
            let json = json(receipt);
            let mut members: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
            members.sort_unstable();
            assert_eq!(members, MEMBERS);
            assert_eq!(json["geometry"], Value::Null);
            assert_eq!(json["sensitivity"], Value::Array(Vec::new()));
        }
    }
}

#[test]
fn a_summary_says_what_it_rests_on() {
    let dataset = penguins();
    let analysis = answer(&dataset, &statistics(&["body_mass_g", "flipper_length_mm"]));
    assert_eq!(analysis.receipts().len(), 2);
    let receipt = &analysis.receipts()[0];
    assert_eq!(receipt.receipt_id, "descriptive:body_mass_g");
    assert_eq!(
        receipt.estimand,
        "count, mean, interval of the mean, standard deviation, extremes and quantiles of body_mass_g (g) over the rows \
         of dataset penguins that have a value"
    );
    let support = &receipt.sample_support;
    assert_eq!(
        (
            support.total_rows.get(),
            support.rows_used.get(),
            support.rows_excluded.get()
        ),
        (344, 342, 2)
    );
    assert_eq!(
        (
            support.policy.as_str(),
            support.exclusion_reasons[0].reason.as_str()
        ),
        ("completeCase", "missing")
    );
    let uncertainty = receipt.uncertainty.as_ref().unwrap();
    assert_eq!(uncertainty.method, "student-t");
    let (lower, upper) = (uncertainty.lower.unwrap().get(), uncertainty.upper.unwrap().get());
    assert!(lower < upper);
    let half = 1.966_945_129_327_218 * uncertainty.standard_error.unwrap().get();
    assert!(((upper - lower) / 2.0 - half).abs() < 1e-9);
    let statuses: Vec<&str> = receipt
        .assumptions
        .iter()
        .map(|assumption| assumption.status.as_str())
        .collect();
    assert_eq!(statuses, ["notTestableFromData", "satisfied"]);

    let provenance = &receipt.method_provenance;
    assert_eq!(
        (provenance.method.as_str(), provenance.method_version.as_str()),
        (STATISTICS_METHOD, METHOD_VERSION)
    );
    assert_eq!(provenance.kernel_version, KERNEL_VERSION);
    assert_eq!(provenance.dataset_fingerprint, dataset.fingerprint());
    let parameters: Vec<(&str, &str)> = provenance
        .parameters
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(
        parameters,
        [
            ("confidenceLevel", "0.95"),
            ("interval", "student-t"),
            ("quantileType", "7"),
            ("quantiles", "0.25,0.5,0.75"),
            ("standardDeviationDenominator", "n-1"),
        ]
    );
}

#[test]
fn measurement_is_inferred_until_someone_declares_it() {
    let record = |options: &ImportOptions| {
        let analysis = answer(&table_with("mass_kg,x\n1,1\n2,1\n", options), &rows(&["mass_kg"]));
        match &analysis.receipts()[0].measurement_context {
            MeasurementContext::Established {
                records,
                semantic_admission_policy,
                ..
            } => {
                assert_eq!(semantic_admission_policy.as_deref(), Some("allowInferred"));
                records[0].clone()
            }
            MeasurementContext::NotEstablished {} => panic!("a ratio scale was inferred"),
        }
    };
    let inferred = record(&ImportOptions::named("t"));
    assert_eq!(
        (inferred.model.scale.as_str(), inferred.status.as_str()),
        ("ratio", "inferred")
    );
    assert!(!inferred.basis.is_empty());
    assert_eq!(inferred.model.observation_structure, "unknown");
    let declaration = Declaration::of("mass_kg").scale(Scale::Ratio).unit("kg");
    let declared = record(&ImportOptions::named("t").declare(declaration));
    assert_eq!(declared.status, "declared");

    let unknown = ImportOptions::named("t").declare(Declaration::of("x").scale(Scale::Unknown));
    let analysis = answer(&table_with("x,y\n1,1\n2,1\n", &unknown), &rows(&["x"]));
    assert_eq!(
        analysis.receipts()[0].measurement_context,
        MeasurementContext::NotEstablished {}
    );
}

#[test]
fn a_projection_says_whose_rows_it_left_out() {
    let dataset = penguins();
    let receipt = &answer(&dataset, &rows(&["body_mass_g", "species"])).receipts()[0].clone();
    assert_eq!(receipt.receipt_id, "rows:body_mass_g,species");
    assert!(receipt.uncertainty.is_none(), "nothing is estimated");
    assert_eq!(receipt.method_provenance.method, ROWS_METHOD);
    let representative = &receipt.assumptions[1];
    assert_eq!(representative.status, "notTestableFromData");
    assert_eq!(
        representative.detail,
        "2 of 344 rows lack a value, and why is not recorded"
    );
    assert!(
        receipt
            .limitations
            .contains(&"2 rows excluded: missing".to_owned())
    );

    let whole = &answer(&dataset, &rows(&["species", "island"])).receipts()[0].clone();
    assert_eq!(whole.assumptions[1].status, "satisfied");
    assert_eq!(whole.sample_support.policy, "fullDataset");
    assert!(whole.limitations.is_empty());
}

#[test]
fn different_columns_never_share_a_name() {
    let dataset = table("\"a,b\",c,a,\"b,c\"\n1,2,3,4\n5,6,7,8\n");
    let id = |columns: &[&str]| answer(&dataset, &rows(columns)).receipts()[0].receipt_id.clone();
    assert_eq!(id(&["a,b", "c"]), "rows:a\\,b,c");
    assert_ne!(id(&["a,b", "c"]), id(&["a", "b,c"]));
}

#[test]
fn the_kernel_attests_who_may_use_what() {
    let dataset = penguins();
    let analyses = [
        answer(&dataset, &statistics(&["body_mass_g"])),
        answer(&dataset, &rows(&["body_mass_g"])),
    ];
    let (bundle, attestation) = bundle(&dataset, &analyses).unwrap();
    assert_eq!(
        (bundle.schema_version.as_str(), bundle.kernel_version.as_str()),
        ("1", KERNEL_VERSION)
    );
    assert_eq!(bundle.receipts.len(), 2);
    let consumers: Vec<(&str, &[String])> = attestation
        .consumers
        .iter()
        .map(|consumer| (consumer.consumer_id.as_str(), consumer.receipt_ids.as_slice()))
        .collect();
    let (rows, statistics) = (
        ["rows:body_mass_g".to_owned()],
        ["descriptive:body_mass_g".to_owned()],
    );
    assert_eq!(
        consumers,
        [
            ("nemosyne:consumer/forma-rows/v1", &rows[..]),
            ("nemosyne:consumer/forma-statistics/v1", &statistics[..]),
        ]
    );
}
