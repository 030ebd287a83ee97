//! The kernel through its public door, over imported datasets.
#![expect(clippy::unwrap_used, reason = "a test that lacks what it is about has failed")]

mod caveats;
mod cluster;
mod density;
mod dependency;
mod dependency_certified;
mod distribution;
mod graph;
mod leaf;
mod leaves;
mod nist;
mod penguins;
mod projection;
mod receipts;
mod requests;
mod statistics;
mod temporal;

use dataset::{Dataset, ImportOptions};
use identity::Finite;
use kernels::wire::v1::{ColumnStatistics, Content, Request};
use kernels::{Analysis, analyze};

/// The dataset of a CSV text, with nothing stated but its name.
fn table(csv: &str) -> Dataset {
    table_with(csv, &ImportOptions::named("table"))
}

fn table_with(csv: &str, options: &ImportOptions) -> Dataset {
    dataset::import(csv.as_bytes(), options).unwrap().dataset
}

fn penguins() -> Dataset {
    let csv = include_bytes!("../../../../assets/samples/penguins.csv");
    dataset::import(csv, &ImportOptions::named("penguins"))
        .unwrap()
        .dataset
}

fn finite(value: f64) -> Finite {
    Finite::new(value).unwrap()
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
    statistics_at(columns, &[0.25, 0.5, 0.75], 0.95)
}

fn statistics_at(columns: &[&str], quantiles: &[f64], level: f64) -> Request {
    Request::Statistics {
        columns: names(columns),
        quantiles: quantiles.iter().map(|p| finite(*p)).collect(),
        confidence_level: finite(level),
    }
}

fn answer(dataset: &Dataset, request: &Request) -> Analysis {
    analyze(dataset, request).unwrap()
}

/// The record of the only column of a statistics answer.
fn record(analysis: &Analysis) -> &ColumnStatistics {
    match analysis.content() {
        Content::Statistics { columns } if columns.len() == 1 => &columns[0],
        content => panic!("not the statistics of one column: {content:?}"),
    }
}

/// The codes of an answer's limitations, each once.
fn codes(analysis: &Analysis) -> Vec<&'static str> {
    let mut codes: Vec<&str> = analysis
        .limitations()
        .iter()
        .map(|limitation| limitation.code().word())
        .collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The answer of a family with stated settings.
fn family_answer(dataset: &Dataset, word: &str, columns: &[&str], settings: &[(&str, &str)]) -> Analysis {
    let request = kernels::request(word, names(columns), settings).unwrap();
    let analysis = answer(dataset, &request);
    let filled: Vec<kernels::Slot> = analysis
        .outputs()
        .iter()
        .map(|output| output.slot.clone())
        .collect();
    assert_eq!(
        filled,
        kernels::slots(&request),
        "outputs fill the slots of the request in order"
    );
    analysis
}

/// The same answer on one, two and three threads.
fn on_any_threads(dataset: &Dataset, request: &Request) -> Analysis {
    let on = |n: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| answer(dataset, request))
    };
    let one = on(1);
    assert_eq!(on(2), one, "two threads");
    assert_eq!(on(3), one, "three threads");
    one
}
