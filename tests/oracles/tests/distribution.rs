//! Statistics, bins, densities and cells against statrs (computed) and NumPy, SciPy, pandas (recorded).
#![expect(clippy::unwrap_used, reason = "a test that lacks what it is about has failed")]

use dataset::{Dataset, ImportOptions};
use identity::Finite;
use kernels::wire::v1::distribution::ColumnDistribution;
use kernels::wire::v1::{Content, Request};
use kernels::{analyze, request};
use serde_json::Value;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::statistics::{Data, Distribution, Max, Min, OrderStatistics};

fn recorded() -> Value {
    serde_json::from_str(include_str!("../../vectors/scipy_distribution/recorded.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect()
}

fn penguins() -> Dataset {
    let csv = include_bytes!("../../../assets/samples/penguins.csv");
    dataset::import(csv, &ImportOptions::named("penguins"))
        .unwrap()
        .dataset
}

fn minted(recorded: &Value) -> Dataset {
    let lines: Vec<String> = numbers(&recorded["minted"]).iter().map(f64::to_string).collect();
    let csv = format!("minted\n{}\n", lines.join("\n"));
    dataset::import(csv.as_bytes(), &ImportOptions::named("minted"))
        .unwrap()
        .dataset
}

/// The dataset of a recorded column.
fn dataset_of(recorded: &Value, column: &Value) -> (Dataset, String) {
    let name = column["column"].as_str().unwrap().to_owned();
    let dataset = if name == "minted" {
        minted(recorded)
    } else {
        penguins()
    };
    (dataset, name)
}

fn near(found: f64, expected: f64, relative: f64) -> bool {
    (found - expected).abs() <= relative * expected.abs().max(f64::MIN_POSITIVE)
}

#[track_caller]
fn assert_near(found: f64, expected: f64, relative: f64, what: &str) {
    assert!(
        near(found, expected, relative),
        "{what}: {found} is not {expected}"
    );
}

fn described(dataset: &Dataset, name: &str, settings: &[(&str, &str)]) -> ColumnDistribution {
    let asked = request("distribution", vec![name.to_owned()], settings).unwrap();
    match analyze(dataset, &asked).unwrap().content() {
        Content::Distribution(content) => content.columns[0].clone(),
        content => panic!("not a distribution: {content:?}"),
    }
}

#[test]
fn statistics_agree_to_twelve_digits() {
    let recorded = recorded();
    let probabilities = numbers(&recorded["probabilities"]);
    for column in recorded["columns"].as_array().unwrap() {
        let (dataset, name) = dataset_of(&recorded, column);
        let asked = Request::Statistics {
            columns: vec![name.clone()],
            quantiles: probabilities.iter().map(|p| Finite::new(*p).unwrap()).collect(),
            confidence_level: Finite::new(0.95).unwrap(),
        };
        let analysis = analyze(&dataset, &asked).unwrap();
        let Content::Statistics { columns } = analysis.content() else {
            panic!("statistics were asked for");
        };
        let found = &columns[0];
        assert_eq!(found.count.get(), column["n"].as_i64().unwrap());
        let number = |key: &str| column[key].as_f64().unwrap();
        assert_near(found.mean.unwrap().get(), number("mean"), 1e-12, &name);
        assert_near(
            found.standard_deviation.unwrap().get(),
            number("deviation"),
            1e-12,
            &name,
        );
        let interval = found.mean_interval.as_ref().unwrap();
        let ends = numbers(&column["interval"]);
        assert_near(interval.lower.get(), ends[0], 1e-12, &name);
        assert_near(interval.upper.get(), ends[1], 1e-12, &name);
        for (quantile, expected) in found.quantiles.iter().zip(numbers(&column["quantiles"])) {
            assert_near(quantile.value.get(), expected, 1e-12, &name);
        }

        // statrs on the same numbers.
        let values: Vec<f64> = dataset.column(&name).unwrap().numbers_known().collect();
        let n = values.len() as f64;
        let mut data = Data::new(values);
        assert_near(found.mean.unwrap().get(), data.mean().unwrap(), 1e-12, &name);
        let deviation = data.std_dev().unwrap();
        assert_near(found.standard_deviation.unwrap().get(), deviation, 1e-12, &name);
        assert_eq!(
            (found.minimum.unwrap().get(), found.maximum.unwrap().get()),
            (data.min(), data.max())
        );
        assert_near(data.median(), found.quantiles[4].value.get(), 1e-12, "median");
        let t = StudentsT::new(0.0, 1.0, n - 1.0).unwrap().inverse_cdf(0.975);
        let half = (interval.upper.get() - interval.lower.get()) / 2.0;
        assert_near(
            half,
            t * deviation / n.sqrt(),
            1e-9,
            "half of the interval by statrs' quantile",
        );
    }
}

#[test]
fn shapes_agree() {
    let recorded = recorded();
    for column in recorded["columns"].as_array().unwrap() {
        let (dataset, name) = dataset_of(&recorded, column);
        let found = described(&dataset, &name, &[("parts", "histogram")]);
        for (found, key) in [(found.skewness, "skewness"), (found.excess_kurtosis, "kurtosis")] {
            let expected = column[key].as_f64().unwrap();
            assert!(
                (found.unwrap().get() - expected).abs() < 1e-11,
                "{name} {key}: {found:?}, {expected}"
            );
        }
    }
}

#[test]
fn bins_are_those_of_numpy() {
    let recorded = recorded();
    let rules = [
        ("freedman-diaconis", "fd"),
        ("scott", "scott"),
        ("sturges", "sturges"),
        ("square-root", "sqrt"),
    ];
    let mut compared = 0;
    for column in recorded["columns"].as_array().unwrap() {
        let (dataset, name) = dataset_of(&recorded, column);
        // Whole numbers get fair bins here and not there.
        if dataset
            .column(&name)
            .unwrap()
            .numbers_known()
            .all(|value| value.fract() == 0.0)
        {
            continue;
        }
        for (ours, theirs) in rules {
            let found = described(&dataset, &name, &[("parts", "histogram"), ("bins", ours)]);
            let histogram = found.histogram.unwrap();
            let edges: Vec<f64> = histogram.edges.iter().map(|edge| edge.get()).collect();
            let expected = numbers(&column["edges"][theirs]);
            assert_eq!(edges.len(), expected.len(), "{name} by {ours}");
            for (edge, expected) in edges.iter().zip(&expected) {
                assert_near(*edge, *expected, 1e-14, &name);
            }
            let counts: Vec<i64> = histogram.counts.iter().map(|n| n.get()).collect();
            let expected: Vec<i64> = numbers(&column["counts"][theirs])
                .iter()
                .map(|n| *n as i64)
                .collect();
            assert_eq!(counts, expected, "{name} by {ours}");
            compared += 1;
        }
    }
    assert_eq!(compared, 12);
}

#[test]
fn densities_are_those_of_scipy() {
    let recorded = recorded();
    for column in recorded["columns"].as_array().unwrap() {
        let (dataset, name) = dataset_of(&recorded, column);
        let settings = [
            ("parts", "kernelDensity"),
            ("points", "64"),
            ("bandwidth", "scott"),
        ];
        let density = described(&dataset, &name, &settings).kernel_density.unwrap();
        assert_near(
            density.bandwidth.get(),
            column["scott"].as_f64().unwrap(),
            1e-13,
            &name,
        );
        let expected = numbers(&column["density"]);
        let greatest = expected.iter().copied().fold(0.0, f64::max);
        let bound = density.error_bound.get();
        for (found, expected) in density.density.iter().zip(&expected) {
            let off = (found.get() - expected).abs();
            assert!(
                off <= bound.max(1e-12 * greatest),
                "{name}: {found} is not {expected}, bound {bound:e}"
            );
        }
        // The penguins are summed one by one, the minted numbers by knots.
        assert_eq!(bound < 1e-11 * greatest, name != "minted", "{name}: {bound:e}");
        let silverman = described(&dataset, &name, &[("parts", "kernelDensity"), ("points", "64")]);
        let bandwidth = silverman.kernel_density.unwrap().bandwidth.get();
        assert_near(bandwidth, column["silverman"].as_f64().unwrap(), 1e-12, &name);
    }
}

#[test]
fn cells_are_those_of_numpy() {
    let recorded = recorded();
    let columns = vec!["bill_length_mm".to_owned(), "bill_depth_mm".to_owned()];
    let asked = request("density", columns, &[("bins", "7,5")]).unwrap();
    let analysis = analyze(&penguins(), &asked).unwrap();
    let leaf = analysis.leaf().unwrap();
    let expected = recorded["cells"]["counts"].as_array().unwrap();
    for (i, row) in expected.iter().enumerate() {
        for (j, n) in numbers(row).into_iter().enumerate() {
            let cell = leaf.row_of_key(&format!("cell:{i},{j}"));
            let found = cell.map_or(0.0, |row_idx| leaf.number("count").unwrap()[row_idx]);
            assert_eq!(found, n, "cell {i},{j}");
        }
    }
}

#[test]
fn shares_have_the_intervals_of_their_formula() {
    // Wilson's interval is where the score test's statistic equals the normal quantile: checked with statrs' quantile.
    let z = Normal::standard().inverse_cdf(0.975);
    let found = described(&penguins(), "species", &[]);
    let n = found.count.get() as f64;
    for level in found.levels.unwrap() {
        for end in [level.lower.unwrap().get(), level.upper.unwrap().get()] {
            let statistic = (level.share.get() - end).abs() / (end * (1.0 - end) / n).sqrt();
            assert_near(statistic, z, 1e-9, &level.level);
        }
    }
}
