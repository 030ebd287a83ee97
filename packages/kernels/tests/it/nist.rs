//! Statistical Reference Datasets of NIST: mean and standard deviation of badly conditioned data.
//!
//! The vectors certify the pooled standard deviation within treatments of the decimal data. Doubles can't hold those
//! decimals (SmLs07 shares 13 digits), so the bound of each file is what exact arithmetic over the doubles reaches.

use std::fmt::Write as _;

use kernels::wire::v1::Content;

use crate::{answer, codes, record, statistics, table};

struct Case {
    name: &'static str,
    text: &'static str,
    /// Mean and standard deviation of all values: exact rational arithmetic over the doubles, rounded once.
    mean: f64,
    deviation: f64,
    certified_pooled_deviation: f64,
    /// What the rounding of the decimals to doubles costs the pooled standard deviation, relatively, at most.
    error: f64,
}

const CASES: [Case; 5] = [
    Case {
        name: "AtmWtAg",
        text: include_str!("../../../../tests/vectors/nist/AtmWtAg.dat"),
        mean: 107.868_145_060_416_67,
        deviation: 1.734_108_072_387_903_3e-5,
        certified_pooled_deviation: 1.510_483_144_464_10e-5,
        error: 1e-11,
    },
    Case {
        name: "SmLs04",
        text: include_str!("../../../../tests/vectors/nist/SmLs04.dat"),
        mean: 1_000_000.4,
        deviation: 0.136_053_806_632_377_4,
        certified_pooled_deviation: 0.1,
        error: 1e-10,
    },
    Case {
        name: "SmLs05",
        text: include_str!("../../../../tests/vectors/nist/SmLs05.dat"),
        mean: 1_000_000.4,
        deviation: 0.137_293_690_764_173_97,
        certified_pooled_deviation: 0.1,
        error: 1e-10,
    },
    Case {
        name: "SmLs06",
        text: include_str!("../../../../tests/vectors/nist/SmLs06.dat"),
        mean: 1_000_000.4,
        deviation: 0.137_422_487_345_427_8,
        certified_pooled_deviation: 0.1,
        error: 1e-10,
    },
    Case {
        name: "SmLs07",
        text: include_str!("../../../../tests/vectors/nist/SmLs07.dat"),
        mean: 1_000_000_000_000.4,
        deviation: 0.136_058_773_805_466_55,
        certified_pooled_deviation: 0.1,
        error: 1e-4,
    },
];

/// Treatment and response of each line of the data.
fn lines(text: &str) -> Vec<(&str, &str)> {
    let (_, data) = text.rsplit_once("Data:  ").unwrap();
    let pairs = data.lines().skip(1).filter_map(|line| {
        let mut fields = line.split_whitespace();
        fields.next().zip(fields.next())
    });
    pairs.collect()
}

fn within_one_ulp(found: f64, expected: f64) -> bool {
    (found.to_bits() as i64 - expected.to_bits() as i64).abs() <= 1
}

#[test]
fn mean_and_deviation_are_those_of_the_doubles() {
    for case in &CASES {
        let mut csv = "response\n".to_owned();
        for (_, response) in lines(case.text) {
            writeln!(csv, "{response}").unwrap();
        }
        let analysis = answer(&table(&csv), &statistics(&["response"]));
        let record = record(&analysis);
        assert_eq!(record.mean.unwrap().get(), case.mean, "{}", case.name);
        let deviation = record.standard_deviation.unwrap().get();
        assert!(
            within_one_ulp(deviation, case.deviation),
            "{}: {deviation}",
            case.name
        );
        assert!(codes(&analysis).contains(&"CONDITIONING_LOSSY"), "{}", case.name);
    }
}

#[test]
fn pooled_deviations_agree_with_the_certified_values() {
    for case in &CASES {
        let lines = lines(case.text);
        let treatments: Vec<&str> = {
            let mut seen: Vec<&str> = Vec::new();
            for (treatment, _) in &lines {
                if !seen.contains(treatment) {
                    seen.push(treatment);
                }
            }
            seen
        };
        let groups: Vec<Vec<&str>> = treatments
            .iter()
            .map(|wanted| {
                lines
                    .iter()
                    .filter(|(treatment, _)| treatment == wanted)
                    .map(|(_, y)| *y)
                    .collect()
            })
            .collect();
        let headers: Vec<String> = treatments
            .iter()
            .map(|treatment| format!("treatment {treatment}"))
            .collect();
        let mut csv = headers.join(",") + "\n";
        for row_idx in 0..groups[0].len() {
            let row: Vec<&str> = groups.iter().map(|group| group[row_idx]).collect();
            writeln!(csv, "{}", row.join(",")).unwrap();
        }
        let columns: Vec<&str> = headers.iter().map(String::as_str).collect();
        let analysis = answer(&table(&csv), &statistics(&columns));
        let Content::Statistics { columns } = analysis.content() else {
            panic!("statistics were asked for")
        };
        let deviations = columns
            .iter()
            .map(|column| column.standard_deviation.unwrap().get());
        let variances = deviations.map(|deviation| deviation * deviation);
        let pooled = (variances.sum::<f64>() / columns.len() as f64).sqrt();
        let error = (pooled - case.certified_pooled_deviation).abs() / case.certified_pooled_deviation;
        assert!(error < case.error, "{}: {pooled}, off by {error:e}", case.name);
    }
}
