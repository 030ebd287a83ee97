//! Components against scikit-learn (recorded).
#![expect(clippy::unwrap_used, reason = "a test that lacks what it is about has failed")]

use dataset::ImportOptions;
use kernels::wire::v1::Content;
use kernels::{analyze, request};
use serde_json::Value;

fn numbers(values: &Value) -> Vec<f64> {
    let values = values.as_array().unwrap().iter();
    values.map(|value| value.as_f64().unwrap()).collect()
}

#[test]
fn components_agree_with_scikit_learn_up_to_sign() {
    let text = include_str!("../../vectors/scikit_learn/recorded.json");
    let all: Value = serde_json::from_str(text).unwrap();
    for recorded in all["tables"].as_array().unwrap() {
        let name = recorded["table"].as_str().unwrap();
        let csv: &[u8] = match name {
            "iris" => include_bytes!("../../vectors/scikit_learn/iris.csv"),
            "wine" => include_bytes!("../../vectors/scikit_learn/wine.csv"),
            _ => include_bytes!("../../../assets/samples/penguins.csv"),
        };
        let dataset = dataset::import(csv, &ImportOptions::named(name)).unwrap().dataset;
        let columns: Vec<String> = recorded["columns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|column| column.as_str().unwrap().to_owned())
            .collect();
        let n_columns = columns.len().to_string();
        let settings = [
            ("components", n_columns.as_str()),
            ("standardize", recorded["standardize"].as_str().unwrap()),
        ];
        let request = request("projection", columns, &settings).unwrap();
        let analysis = analyze(&dataset, &request).unwrap();
        let Content::Projection(content) = analysis.content() else {
            panic!("components were asked for");
        };
        let fit = &recorded["pca"];
        let (variances, ratios) = (numbers(&fit["variances"]), numbers(&fit["ratios"]));
        assert_eq!(variances.len(), content.components.len());
        for (idx, one) in content.components.iter().enumerate() {
            let what = format!("{name} {} {}", recorded["standardize"], one.label);
            // Both find eigenvalues to an absolute error of a few units in the last place of the greatest.
            let near = |ours: f64, theirs: f64, of: f64| (ours - theirs).abs() < 1e-13 * of + 1e-12 * theirs;
            assert!(near(one.variance.get(), variances[idx], variances[0]), "{what}");
            assert!(near(one.variance_ratio.get(), ratios[idx], 1.0), "{what}");
            let theirs = numbers(&fit["loadings"][idx]);
            let product: f64 = one.loadings.iter().zip(&theirs).map(|(x, y)| x.get() * y).sum();
            for (our, their) in one.loadings.iter().zip(&theirs) {
                assert!(
                    (our.get() - product.signum() * their).abs() < 1e-8,
                    "{what}: {our} against {their}"
                );
            }
        }
    }
}
