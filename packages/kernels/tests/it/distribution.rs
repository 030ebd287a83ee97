//! Histograms, distribution functions, densities and shares.

use dataset::{ColumnKind, Declaration, ImportOptions, ObservationStructure, Scale};
use kernels::wire::v1::distribution::{ColumnDistribution, DistributionPart};
use kernels::wire::v1::{Content, Request};
use kernels::{Analysis, Filled, KernelError, analyze};
use proptest::prelude::*;
use refusal::{Code, Reason};

use crate::{codes, family_answer, finite, names, on_any_threads, penguins, table, table_with};

const WORD: &str = "distribution";

fn described(analysis: &Analysis) -> &[ColumnDistribution] {
    match analysis.content() {
        Content::Distribution(content) => &content.columns,
        content => panic!("not a distribution: {content:?}"),
    }
}

fn of(csv: &str, settings: &[(&str, &str)]) -> Analysis {
    family_answer(&table(csv), WORD, &["x"], settings)
}

fn edges(record: &ColumnDistribution) -> Vec<f64> {
    let histogram = record.histogram.as_ref().unwrap();
    histogram.edges.iter().map(|edge| edge.get()).collect()
}

fn counts(record: &ColumnDistribution) -> Vec<i64> {
    let histogram = record.histogram.as_ref().unwrap();
    histogram.counts.iter().map(|n| n.get()).collect()
}

#[test]
fn penguins_are_binned_as_numpy_bins_them() {
    // numpy.histogram(bill_length_mm, "fd"): 13 bins from 32.1 to 59.6 over 342 values.
    let analysis = family_answer(&penguins(), WORD, &["bill_length_mm", "body_mass_g"], &[]);
    let records = described(&analysis);
    let lengths = &records[0];
    assert_eq!((lengths.count.get(), lengths.missing.get()), (342, 2));
    assert_eq!(counts(lengths).iter().sum::<i64>(), 342);
    let edges = edges(lengths);
    assert_eq!((edges[0], edges[edges.len() - 1]), (32.1, 59.6));
    // 2 · 9.275 / 342^(1/3) is 2.652…: ⌈27.5 / 2.652⌉ is 11.
    assert_eq!(edges.len(), 12);
    assert_eq!(lengths.histogram.as_ref().unwrap().rule, "freedman-diaconis");
    let masses = &records[1];
    assert_eq!(masses.histogram.as_ref().unwrap().width.get().fract(), 0.0);
    let receipt = &analysis.receipts()[0];
    assert_eq!(receipt.receipt_id, "distribution:bill_length_mm");
    assert!(
        receipt.estimand.contains("histogram of 11 bins of width 2.5 mm"),
        "{}",
        receipt.estimand
    );
    assert_eq!(receipt.sample_support.rows_excluded.get(), 2);
    assert_eq!(receipt.sensitivity.len(), 3, "bins, bandwidth, points");
    assert_eq!(receipt.sensitivity[0].tested_values.len(), 3);
    assert_eq!(
        receipt.uncertainty.as_ref().unwrap().method,
        "dvoretzky-kiefer-wolfowitz-massart"
    );
    let parameters: Vec<&str> = receipt
        .method_provenance
        .parameters
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(
        parameters,
        [
            "bandwidth",
            "bins",
            "confidenceLevel",
            "kernel",
            "parts",
            "points"
        ]
    );
    let unit = |path: &str| {
        let output = analysis
            .outputs()
            .iter()
            .find(|output| output.slot.path == path)
            .unwrap();
        output.measure.unit.clone().map(|(unit, _)| unit)
    };
    assert_eq!(unit("binWidth").as_deref(), Some("mm"));
    assert_eq!(unit("kernelDensity").as_deref(), Some("1/mm"));
    assert_eq!(unit("histogram").as_deref(), Some("rows"));
}

#[test]
fn each_value_is_in_one_bin_and_the_last_bin_is_closed() {
    let analysis = of("x\n0.5\n1.5\n2.5\n4.5\n", &[("bins", "4")]);
    let record = &described(&analysis)[0];
    assert_eq!(edges(record), [0.5, 1.5, 2.5, 3.5, 4.5]);
    assert_eq!(counts(record), [1, 1, 1, 1]);
    let analysis = of("x\n0.5\n1.5\n2.5\n4.5\n", &[("width", "2")]);
    assert_eq!(edges(&described(&analysis)[0]), [0.0, 2.0, 4.0, 6.0]);
    assert_eq!(counts(&described(&analysis)[0]), [2, 1, 1]);
}

#[test]
fn whole_numbers_are_not_split() {
    let csv: String = (1..=12).map(|x| format!("{x}\n")).collect();
    let analysis = of(&format!("x\n{csv}"), &[("bins", "10")]);
    assert_eq!(counts(&described(&analysis)[0]), [2; 6]);
    let texts: Vec<String> = analysis.limitations().iter().map(|one| one.text()).collect();
    assert!(
        texts
            .iter()
            .any(|text| text.contains("6 of 2 whole numbers each are fair")),
        "{texts:?}"
    );
    // Off the lattice the number asked for is the number made.
    let csv: String = (1..=12).map(|x| format!("{x}.5\n")).collect();
    let analysis = of(&format!("x\n{csv}"), &[("bins", "10")]);
    assert_eq!(counts(&described(&analysis)[0]).len(), 10);
}

#[test]
fn the_distribution_function_steps_at_each_value() {
    let analysis = of("x\n3\n1\n1\n2\n", &[("parts", "distributionFunction")]);
    let record = &described(&analysis)[0];
    let function = record.distribution_function.as_ref().unwrap();
    assert!(function.complete && record.histogram.is_none() && record.kernel_density.is_none());
    assert_eq!(function.values, [finite(1.0), finite(2.0), finite(3.0)]);
    let at: Vec<i64> = function.at_or_below.iter().map(|n| n.get()).collect();
    assert_eq!(at, [2, 3, 4]);
    // √(ln(2/0.05) / 8) by Massart's constant 2.
    assert!((function.band.unwrap().get() - 0.6790507578703098).abs() < 1e-12);

    let csv: String = (0..2000).map(|x| format!("{}\n", (x * 7919) % 1999)).collect();
    let analysis = of(&format!("x\n{csv}"), &[("parts", "distributionFunction")]);
    let function = described(&analysis)[0].distribution_function.as_ref().unwrap();
    assert!(!function.complete && function.values.len() <= 257);
    assert_eq!(function.at_or_below.last().unwrap().get(), 2000);
    assert_eq!(function.values.first(), Some(&finite(0.0)));
    for (value, n) in function.values.iter().zip(&function.at_or_below) {
        let expected = (0..2000)
            .filter(|x| f64::from((x * 7919) % 1999) <= value.get())
            .count();
        assert_eq!(n.get() as usize, expected);
    }
    assert!(codes(&analysis).contains(&"BINNED_RESOLUTION"));
}

#[test]
fn a_density_has_its_modes_and_its_units() {
    let humps = "x\n0.1\n0.2\n0.3\n0.15\n9.1\n9.2\n9.3\n9.15\n";
    let analysis = of(humps, &[("bandwidth", "0.5")]);
    let density = described(&analysis)[0].kernel_density.as_ref().unwrap();
    assert_eq!((density.modes.get(), density.rule.as_str()), (2, "stated"));
    assert_eq!(density.density.len(), 256);
    let smooth = of(humps, &[("bandwidth", "50"), ("points", "16")]);
    let density = described(&smooth)[0].kernel_density.as_ref().unwrap();
    assert_eq!((density.modes.get(), density.density.len()), (1, 16));
    let changed = |analysis: &Analysis| {
        analysis.receipts()[0]
            .sensitivity
            .iter()
            .find(|one| one.factor.starts_with("bandwidth"))
            .unwrap()
            .materially_changed
    };
    assert!(!changed(&smooth) && !changed(&analysis));
    assert!(
        changed(&of(humps, &[("bandwidth", "3")])),
        "half of it shows both humps"
    );
}

#[test]
fn levels_have_shares_with_intervals() {
    let analysis = family_answer(&penguins(), WORD, &["species", "sex"], &[]);
    let species = described(&analysis)[0].levels.as_ref().unwrap();
    let found: Vec<(&str, i64)> = species
        .iter()
        .map(|one| (one.level.as_str(), one.count.get()))
        .collect();
    assert_eq!(found, [("Adelie", 152), ("Chinstrap", 68), ("Gentoo", 124)]);
    let adelie = &species[0];
    assert!((adelie.lower.unwrap().get() - 0.390_310_503_571_039_1).abs() < 1e-12);
    assert!((adelie.upper.unwrap().get() - 0.494_694_578_526_954_25).abs() < 1e-12);
    assert_eq!(described(&analysis)[1].missing.get(), 11);
    assert_eq!(
        analysis.receipts()[0].uncertainty.as_ref().unwrap().method,
        "wilson-score"
    );
    let histogram = analysis
        .outputs()
        .iter()
        .find(|output| output.slot.path == "histogram")
        .unwrap();
    assert!(matches!(histogram.filled, Filled::Absent(_)));
}

#[test]
fn values_at_the_ends_are_described_without_a_bin_of_no_width() {
    let cases = [
        ("x\n5\n5\n5\n", vec!["CONSTANT_VALUES"]),
        ("x\n5\n", vec!["TOO_FEW_VALUES"]),
        ("x\n1.7e308\n-1.7e308\n0.5\n", vec!["OUT_OF_RANGE"]),
        ("x\n5e-324\n1e-323\n2e-323\n", vec![]),
        ("x\n9007199254740991\n9007199254740990\n1\n", vec![]),
        ("x\n0.1\n0.2\n1e300\n", vec![]),
    ];
    for (csv, expected) in cases {
        for bins in ["freedman-diaconis", "scott", "sturges", "square-root", "3"] {
            let analysis = of(csv, &[("bins", bins)]);
            let record = &described(&analysis)[0];
            let edges = edges(record);
            assert!(
                edges.windows(2).all(|pair| pair[0] < pair[1]),
                "{csv:?}: {edges:?}"
            );
            assert_eq!(counts(record).iter().sum::<i64>(), record.count.get());
            for code in &expected {
                assert!(codes(&analysis).contains(code), "{csv:?}: {:?}", codes(&analysis));
            }
        }
    }
    let options = ImportOptions::named("t").declare(Declaration::of("x").kind(ColumnKind::Numeric));
    let analysis = family_answer(&table_with("x,y\n,1\n,2\n", &options), WORD, &["x"], &[]);
    assert!(described(&analysis)[0].histogram.is_none());
    assert!(codes(&analysis).contains(&"TOO_FEW_VALUES"));
    assert_eq!(analysis.provenance().rows_used.get(), 0);
}

#[test]
fn a_scale_gives_what_means_something_on_it() {
    let cases = [
        (Scale::Ratio, [true, true, true]),
        (Scale::Ordinal, [true, true, false]),
        (Scale::Circular, [true, false, false]),
        (Scale::Nominal, [false, false, false]),
        (Scale::Identifier, [false, false, false]),
    ];
    for (scale, expected) in cases {
        let options = ImportOptions::named("t").declare(Declaration::of("x").scale(scale));
        let analysis = family_answer(&table_with("x\n1\n2\n4\n", &options), WORD, &["x"], &[]);
        let record = &described(&analysis)[0];
        let found = [
            record.histogram.is_some(),
            record.distribution_function.is_some(),
            record.kernel_density.is_some(),
        ];
        assert_eq!(found, expected, "{scale}");
        assert_eq!(record.skewness.is_some(), expected[2], "{scale}");
        assert_eq!(
            codes(&analysis).contains(&"NOT_MEANINGFUL_ON_SCALE"),
            expected != [true; 3],
            "{scale}"
        );
    }
}

#[test]
fn the_band_needs_rows_that_are_independent() {
    let declared = |structure| {
        let declaration = Declaration {
            observation_structure: Some(structure),
            ..Declaration::of("x")
        };
        let options = ImportOptions::named("t").declare(declaration);
        family_answer(&table_with("x\n1\n2\n4\n", &options), WORD, &["x"], &[])
    };
    let repeated = declared(ObservationStructure::RepeatedMeasures);
    let function = described(&repeated)[0].distribution_function.as_ref().unwrap();
    assert!(function.band.is_none() && repeated.receipts()[0].uncertainty.is_none());
    assert!(codes(&repeated).contains(&"INTERVAL_NOT_GIVEN"));
    let independent = declared(ObservationStructure::Iid);
    let function = described(&independent)[0].distribution_function.as_ref().unwrap();
    assert!(function.band.is_some());
    assert!(!codes(&independent).contains(&"INDEPENDENCE_UNTESTED"));
    assert_eq!(independent.receipts()[0].assumptions[0].status, "satisfied");
    let unknown = declared(ObservationStructure::Unknown);
    assert_eq!(unknown.receipts()[0].assumptions[0].status, "notTestableFromData");
    assert!(codes(&unknown).contains(&"INDEPENDENCE_UNTESTED"));
}

#[test]
fn settings_are_taken_where_they_mean_something() {
    let refused = [
        ("bins", "0"),
        ("bins", "5000"),
        ("bins", "many"),
        ("width", "0"),
        ("width", "-1"),
        ("width", "1e-9"),
        ("bandwidth", "0"),
        ("bandwidth", "wide"),
        ("points", "3"),
        ("points", "100000"),
        ("parts", "histogram,pie"),
        ("level", "1"),
        ("colour", "red"),
    ];
    let dataset = table("x\n1\n2\n4.5\n");
    let ask = |settings: &[(&str, &str)]| {
        let request = kernels::request(WORD, names(&["x"]), settings)?;
        analyze(&dataset, &request)
    };
    for setting in refused {
        let error = ask(&[setting]).unwrap_err();
        assert_eq!(error.refusal().code(), Code::InvalidInput, "{setting:?}: {error}");
    }
    assert!(ask(&[("bins", "3"), ("width", "1")]).is_err());
    for setting in [
        ("bins", "1"),
        ("bins", "scott"),
        ("width", "0.5"),
        ("bandwidth", "scott"),
        ("points", "16"),
        ("parts", "kernelDensity,histogram"),
        ("level", "0.5"),
    ] {
        assert!(ask(&[setting]).is_ok(), "{setting:?}");
    }
    let Request::Distribution(mut request) = kernels::request(WORD, names(&["x"]), &[]).unwrap() else {
        panic!("a distribution was asked for");
    };
    request.parts = vec![DistributionPart::KernelDensity, DistributionPart::Histogram];
    let error = analyze(&dataset, &Request::Distribution(request)).unwrap_err();
    assert!(matches!(error, KernelError::Setting { .. }), "{error}");

    let texts = table("x,note\n1,a\n2,b\n");
    let options = ImportOptions::named("t").declare(Declaration::of("note").kind(ColumnKind::Text));
    let text = table_with("x,note\n1,a\n2,b\n", &options);
    let request = kernels::request(WORD, names(&["note"]), &[]).unwrap();
    let error = analyze(&text, &request).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::MeasurementUnsupported);
    assert!(analyze(&texts, &kernels::request(WORD, names(&["x"]), &[]).unwrap()).is_ok());
}

#[test]
fn threads_do_not_show() {
    let csv: String = (0..150_000_u64)
        .map(|x| format!("{},{}.25\n", x * 7919 % 1009, x * x % 8191))
        .collect();
    let dataset = table(&format!("x,y\n{csv}"));
    let request = kernels::request(WORD, names(&["x", "y"]), &[("points", "16")]).unwrap();
    let analysis = on_any_threads(&dataset, &request);
    assert_eq!(described(&analysis)[1].count.get(), 150_000);
    on_any_threads(&dataset, &crate::statistics(&["x", "y"]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_rows_does_not_show(
        cells in prop::collection::vec((0_usize..4, -50_i32..50, 0_u8..3), 2..40),
        turn in 1_usize..1000,
    ) {
        let line = |(kind, number, level): &(usize, i32, u8)| match kind {
            0 => format!(",{level}l"),
            1 => format!("{number},"),
            _ => format!("{}.{},{level}l", number, kind),
        };
        let lines: Vec<String> = cells.iter().map(line).collect();
        prop_assume!(lines.iter().any(|line| !line.starts_with(',')));
        let mut moved = lines.clone();
        let n = moved.len();
        for idx in 0..n {
            moved.swap(idx, (idx * 7 + turn) % n);
        }
        let options = || {
            let kind = |name: &str, kind| Declaration::of(name).kind(kind);
            ImportOptions::named("t")
                .declare(kind("x", ColumnKind::Numeric))
                .declare(kind("g", ColumnKind::Categorical))
        };
        let of = |lines: &[String]| {
            let dataset = table_with(&format!("x,g\n{}\n", lines.join("\n")), &options());
            family_answer(&dataset, WORD, &["x", "g"], &[("points", "16")])
        };
        let (a, b) = (of(&lines), of(&moved));
        prop_assert_eq!(a.content_bytes(), b.content_bytes());
        let receipts = |analysis: &Analysis| analysis.receipts().iter().map(|receipt| {
            let mut receipt = receipt.clone();
            receipt.method_provenance.dataset_fingerprint = penguins().fingerprint();
            receipt
        }).collect::<Vec<_>>();
        prop_assert_eq!(receipts(&a), receipts(&b));
    }
}

#[test]
fn a_bandwidth_wider_than_the_values_is_disclosed() {
    let said = |bandwidth: &str| {
        let analysis = of(
            "x\n0.5\n1.5\n2.5\n4.5\n",
            &[("parts", "kernelDensity"), ("bandwidth", bandwidth)],
        );
        let mut limitations = analysis.limitations().iter();
        limitations.any(|limitation| limitation.sentence().contains("wider than the range"))
    };
    assert!(said("5") && said("1e300"));
    assert!(!said("3.5") && !said("silverman"));
}
