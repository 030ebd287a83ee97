//! Tests and intervals of dependencies against the distributions of statrs.
#![expect(clippy::unwrap_used, reason = "a test that lacks what it is about has failed")]

use dataset::{Dataset, ImportOptions};
use kernels::wire::v1::{Content, DependencyContent, Test};
use kernels::{Analysis, analyze, request};
use statrs::distribution::{ContinuousCDF, FisherSnedecor, StudentsT};

fn penguins() -> Dataset {
    let csv = include_bytes!("../../../assets/samples/penguins.csv");
    dataset::import(csv, &ImportOptions::named("penguins"))
        .unwrap()
        .dataset
}

fn ask(columns: &[&str], settings: &[(&str, &str)]) -> Analysis {
    let columns = columns.iter().map(|column| (*column).to_owned()).collect();
    analyze(&penguins(), &request("dependency", columns, settings).unwrap()).unwrap()
}

fn content(analysis: &Analysis) -> &DependencyContent {
    match analysis.content() {
        Content::Dependency(content) => content,
        content => panic!("not dependency: {content:?}"),
    }
}

fn degrees(test: &Test) -> Vec<f64> {
    test.degrees.iter().map(|degrees| degrees.get() as f64).collect()
}

fn agree(found: f64, expected: f64, bound: f64) {
    assert!(
        (found - expected).abs() <= bound * expected.abs(),
        "{found} against {expected}"
    );
}

#[test]
fn tails_of_f_are_those_of_statrs() {
    let columns = [
        "bill_length_mm",
        "bill_depth_mm",
        "flipper_length_mm",
        "body_mass_g",
        "species",
        "island",
        "sex",
    ];
    let analysis = ask(&columns, &[("kind", "anova"), ("groups", "species,island,sex")]);
    let mut n_compared = 0;
    for variance in &content(&analysis).variances {
        let test = variance.test.as_ref().unwrap();
        let [between, within] = degrees(test)[..] else {
            panic!("two degrees")
        };
        let expected = FisherSnedecor::new(between, within)
            .unwrap()
            .sf(test.statistic.get());
        // Below that statrs counts down from one.
        if expected > 1e-12 {
            agree(test.p_value.get(), expected, 1e-10);
            n_compared += 1;
        }
    }
    assert!(n_compared > 0, "some tail is long enough to compare");
}

#[test]
fn tails_and_intervals_of_student_are_those_of_statrs() {
    let analysis = ask(
        &["bill_length_mm", "bill_depth_mm", "body_mass_g"],
        &[("kind", "regression"), ("level", "0.9")],
    );
    let fit = &content(&analysis).regressions[0];
    for coefficient in std::iter::once(&fit.intercept).chain(&fit.slopes) {
        let test = coefficient.test.as_ref().unwrap();
        let student = StudentsT::new(0.0, 1.0, degrees(test)[0]).unwrap();
        let expected = 2.0 * student.cdf(-test.statistic.get().abs());
        if expected > 1e-12 {
            agree(test.p_value.get(), expected, 1e-10);
        }
        let half = student.inverse_cdf(0.95) * coefficient.standard_error.get();
        let interval = coefficient.interval.as_ref().unwrap();
        agree(interval.upper.get() - interval.lower.get(), 2.0 * half, 1e-9);
    }
}
