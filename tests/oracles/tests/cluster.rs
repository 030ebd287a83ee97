//! Groups against scikit-learn (recorded), the hdbscan crate and linfa-clustering.
#![expect(clippy::unwrap_used, reason = "a test that lacks what it is about has failed")]

use std::collections::BTreeMap;

use dataset::{Dataset, ImportOptions};
use kernels::wire::v1::{ClusterContent, Content};
use kernels::{Analysis, analyze, request};
use linfa::DatasetBase;
use linfa::traits::Fit;
use serde_json::Value;

fn recorded() -> Vec<Value> {
    let text = include_str!("../../vectors/scikit_learn/recorded.json");
    let all: Value = serde_json::from_str(text).unwrap();
    all["tables"].as_array().unwrap().clone()
}

fn table(name: &str) -> Dataset {
    let csv: &[u8] = match name {
        "iris" => include_bytes!("../../vectors/scikit_learn/iris.csv"),
        "wine" => include_bytes!("../../vectors/scikit_learn/wine.csv"),
        _ => include_bytes!("../../../assets/samples/penguins.csv"),
    };
    dataset::import(csv, &ImportOptions::named(name)).unwrap().dataset
}

fn columns(recorded: &Value) -> Vec<String> {
    let names = recorded["columns"].as_array().unwrap();
    names
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

fn answer(recorded: &Value, settings: &[(&str, &str)]) -> Analysis {
    let standardize = recorded["standardize"].as_str().unwrap();
    let all: Vec<(&str, &str)> = settings
        .iter()
        .copied()
        .chain([("standardize", standardize), ("repetitions", "2")])
        .collect();
    let request = request("cluster", columns(recorded), &all).unwrap();
    analyze(&table(recorded["table"].as_str().unwrap()), &request).unwrap()
}

fn content(analysis: &Analysis) -> &ClusterContent {
    match analysis.content() {
        Content::Cluster(content) => content,
        content => panic!("not groups: {content:?}"),
    }
}

/// −1 for noise, as the others write it.
fn labels(analysis: &Analysis) -> Vec<i64> {
    let (labels, codes) = analysis.leaf().unwrap().categories("cluster").unwrap();
    let number = |code: &u32| {
        let label = &labels[*code as usize];
        label
            .strip_prefix('c')
            .map_or(-1, |number| number.parse().unwrap())
    };
    codes.iter().map(number).collect()
}

fn integers(values: &Value) -> Vec<i64> {
    values
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value.as_i64().unwrap())
        .collect()
}

fn numbers(values: &Value) -> Vec<f64> {
    values
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value.as_f64().unwrap())
        .collect()
}

/// Whether both put the same rows together and call the same rows noise.
fn same_groups(ours: &[i64], theirs: &[i64]) -> bool {
    let (mut there, mut back) = (BTreeMap::from([(-1, -1)]), BTreeMap::from([(-1, -1)]));
    ours.len() == theirs.len()
        && ours.iter().zip(theirs).all(|(our, their)| {
            *there.entry(*our).or_insert(*their) == *their && *back.entry(*their).or_insert(*our) == *our
        })
}

/// The rows of the space, as given or in sample standard deviations.
fn rows(recorded: &Value) -> Vec<Vec<f64>> {
    let dataset = table(recorded["table"].as_str().unwrap());
    let names = columns(recorded);
    let row = |row_idx: usize| {
        let values = names
            .iter()
            .map(|name| dataset.column(name).unwrap().number(row_idx).known());
        values.collect::<Option<Vec<f64>>>()
    };
    let mut rows: Vec<Vec<f64>> = (0..dataset.n_rows()).filter_map(row).collect();
    if recorded["standardize"] == "zscore" {
        let n = rows.len() as f64;
        for dim in 0..names.len() {
            let mean = rows.iter().map(|row| row[dim]).sum::<f64>() / n;
            let squares: f64 = rows.iter().map(|row| (row[dim] - mean).powi(2)).sum();
            let deviation = (squares / (n - 1.0)).sqrt();
            rows.iter_mut()
                .for_each(|row| row[dim] = (row[dim] - mean) / deviation);
        }
    }
    rows
}

/// Where scikit-learn's own labels change when the rows are moved, no labels can be identical to them.
fn moves_with_rows(recorded: &Value) -> bool {
    let table = (
        recorded["table"].as_str().unwrap(),
        recorded["standardize"].as_str().unwrap(),
    );
    matches!(table, ("wine", "zscore") | ("penguins", "none"))
}

/// The one row whose place in the others' answer is an accident of their order of rows.
///
/// Row 41 of wine as recorded has its core distance to rows of two groups at once, the mutual reachability at which the
/// groups join. Of 60 orders of the rows, scikit-learn 1.9.1 puts it into the smaller group in 57, into the greater in 2,
/// and calls it noise in 1. Here it goes with its nearest row, 21, whatever the order.
const BETWEEN: (usize, usize) = (40, 20);

/// Whether the groups are the same, but for the row between two of them.
fn same_but_between(recorded: &Value, analysis: &Analysis, theirs: &[i64]) -> bool {
    let (mut ours, mut theirs) = (labels(analysis), theirs.to_vec());
    if recorded["table"] == "wine" && ours.len() == theirs.len() {
        assert_eq!(ours[BETWEEN.0], ours[BETWEEN.1]);
        ours.remove(BETWEEN.0);
        theirs.remove(BETWEEN.0);
    }
    same_groups(&ours, &theirs)
}

#[test]
fn hdbscan_agrees_with_scikit_learn() {
    let mut n_compared = 0;
    for recorded in recorded().iter().filter(|recorded| !moves_with_rows(recorded)) {
        for fit in recorded["hdbscan"].as_array().unwrap() {
            let (min_size, min_points) = (fit["minSize"].to_string(), fit["minPoints"].to_string());
            let analysis = answer(
                recorded,
                &[
                    ("method", "hdbscan"),
                    ("min-size", &min_size),
                    ("min-points", &min_points),
                ],
            );
            let theirs = integers(&fit["labels"]);
            let what = format!("{} {} {min_size}", recorded["table"], recorded["standardize"]);
            assert!(
                same_but_between(recorded, &analysis, &theirs),
                "{what}: {:?}",
                labels(&analysis)
            );
            n_compared += 1;
            let is_between = |row_idx: usize| recorded["table"] == "wine" && row_idx == BETWEEN.0;
            let strengths = analysis.leaf().unwrap().number("strength").unwrap();
            for (row_idx, (ours, theirs)) in strengths.iter().zip(numbers(&fit["strengths"])).enumerate() {
                let is_near = (ours - theirs).abs() < 1e-12 || is_between(row_idx);
                assert!(is_near, "{what}: strength {ours} against {theirs}");
            }
        }
    }
    assert_eq!(n_compared, 12);
}

#[test]
fn hdbscan_agrees_with_the_crate_of_that_name() {
    for recorded in recorded().iter().filter(|recorded| !moves_with_rows(recorded)) {
        let rows = rows(recorded);
        for min_size in [5, 8, 15] {
            let params = hdbscan::HdbscanHyperParams::builder()
                .min_cluster_size(min_size)
                .min_samples(5)
                .build();
            let theirs = hdbscan::Hdbscan::new(&rows, params).cluster().unwrap();
            let theirs: Vec<i64> = theirs.into_iter().map(i64::from).collect();
            let min_size = min_size.to_string();
            let settings = [
                ("method", "hdbscan"),
                ("min-size", min_size.as_str()),
                ("min-points", "5"),
            ];
            let analysis = answer(recorded, &settings);
            assert!(
                same_but_between(recorded, &analysis, &theirs),
                "{} {} {min_size}: {:?} against {theirs:?}",
                recorded["table"],
                recorded["standardize"],
                labels(&analysis)
            );
        }
    }
}

#[test]
fn dbscan_agrees_with_scikit_learn_but_for_tied_borders() {
    for recorded in recorded() {
        let fit = &recorded["dbscan"];
        let epsilon = fit["epsilon"].to_string();
        let settings = [
            ("method", "dbscan"),
            ("epsilon", epsilon.as_str()),
            ("min-points", "5"),
        ];
        let analysis = answer(&recorded, &settings);
        let (ours, theirs) = (labels(&analysis), integers(&fit["labels"]));
        let (words, codes) = analysis.leaf().unwrap().categories("standing").unwrap();
        let is_core: Vec<bool> = codes.iter().map(|code| words[*code as usize] == "core").collect();
        let what = format!("{} {}", recorded["table"], recorded["standardize"]);
        assert_eq!(
            is_core,
            integers(&fit["cores"])
                .iter()
                .map(|core| *core == 1)
                .collect::<Vec<_>>(),
            "{what}"
        );
        // Noise is the same everywhere, and cores are grouped alike. A border row near cores of two groups goes to
        // the nearer one here and to the first one found there.
        let noise = |labels: &[i64]| labels.iter().map(|label| *label == -1).collect::<Vec<_>>();
        assert_eq!(noise(&ours), noise(&theirs), "{what}");
        let cores = |labels: &[i64]| -> Vec<i64> {
            let of_cores = labels.iter().zip(&is_core).filter(|(_, is_core)| **is_core);
            of_cores.map(|(label, _)| *label).collect()
        };
        assert!(same_groups(&cores(&ours), &cores(&theirs)), "{what}");
    }
}

#[test]
fn k_means_finds_what_fifty_starts_of_scikit_learn_find() {
    for recorded in recorded() {
        let fit = &recorded["kmeans"];
        let analysis = answer(&recorded, &[("method", "kmeans"), ("k", "3"), ("starts", "20")]);
        let (ours, theirs) = (content(&analysis), fit["inertia"].as_f64().unwrap());
        let what = format!("{} {}", recorded["table"], recorded["standardize"]);
        let inertia = ours.inertia.unwrap().get();
        assert!(
            (inertia / theirs - 1.0).abs() < 1e-12,
            "{what}: {inertia} against {theirs}"
        );
        assert!(
            same_groups(&labels(&analysis), &integers(&fit["labels"])),
            "{what}"
        );
        let silhouette = ours.silhouette.unwrap().get();
        assert!(
            (silhouette - fit["silhouette"].as_f64().unwrap()).abs() < 1e-12,
            "{what}"
        );
    }
}

#[test]
fn k_means_finds_what_linfa_finds_on_separated_groups() {
    let corners = [(0.0, 0.0), (20.0, 0.0), (0.0, 30.0)];
    let mut at = Vec::new();
    for idx in 0..90_u32 {
        let (x, y) = corners[idx as usize % 3];
        at.push([
            x + f64::from(idx * 7 % 11) / 5.0,
            y + f64::from(idx * 5 % 13) / 5.0,
        ]);
    }
    let csv: Vec<String> = at.iter().map(|[x, y]| format!("{x},{y}")).collect();
    let csv = format!("x,y\n{}\n", csv.join("\n"));
    let dataset = dataset::import(csv.as_bytes(), &ImportOptions::named("corners"))
        .unwrap()
        .dataset;
    let settings = [("method", "kmeans"), ("k", "3"), ("standardize", "none")];
    let request = request("cluster", vec!["x".to_owned(), "y".to_owned()], &settings).unwrap();
    let analysis = analyze(&dataset, &request).unwrap();
    let records = ndarray::Array2::from(at);
    let model = linfa_clustering::KMeans::params(3)
        .n_runs(10)
        .tolerance(1e-12)
        .fit(&DatasetBase::from(records))
        .unwrap();
    // linfa's inertia is the mean over rows.
    let (ours, theirs) = (content(&analysis).inertia.unwrap().get(), model.inertia() * 90.0);
    assert!((ours / theirs - 1.0).abs() < 1e-12, "{ours} against {theirs}");
    let mut centers: Vec<Vec<f64>> = model
        .centroids()
        .outer_iter()
        .map(|center| center.to_vec())
        .collect();
    centers.sort_by(|a, b| a.partial_cmp(b).unwrap());
    for (ours, theirs) in content(&analysis).groups.iter().zip(&centers) {
        for (our, their) in ours.center.iter().zip(theirs) {
            assert!(
                (our.get() - their).abs() < 1e-12 * (1.0 + their.abs()),
                "{our} against {their}"
            );
        }
    }
}
