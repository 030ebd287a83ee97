//! Components: orthogonal, the same for every order of the rows, with intervals that a jackknife confirms.

use dataset::{Dataset, Declaration, ImportOptions, ObservationStructure, Scale};
use kernels::wire::v1::{Content, ProjectionContent, Request};
use kernels::{Analysis, Filled, KernelError, Shape, analyze, request, slots};
use proptest::prelude::*;

use crate::{answer, codes, names, penguins, table, table_with};

const MEASURES: [&str; 4] = [
    "bill_length_mm",
    "bill_depth_mm",
    "flipper_length_mm",
    "body_mass_g",
];

fn asked(columns: &[&str], settings: &[(&str, &str)]) -> Request {
    request("projection", names(columns), settings).unwrap()
}

fn content(analysis: &Analysis) -> &ProjectionContent {
    match analysis.content() {
        Content::Projection(content) => content,
        content => panic!("no components: {content:?}"),
    }
}

fn variances(analysis: &Analysis) -> Vec<f64> {
    content(analysis)
        .components
        .iter()
        .map(|one| one.variance.get())
        .collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Three columns that depend on each other, deterministic and not normal.
fn rows(n: usize) -> Vec<[f64; 3]> {
    let wave = |idx: usize, by: usize, modulus: usize| (idx * by % modulus) as f64 / modulus as f64;
    (0..n)
        .map(|idx| {
            let (a, b, c) = (wave(idx, 37, 101), wave(idx, 53, 89), wave(idx, 29, 97));
            [10.0 * a * a, 6.0 * a + 3.0 * b, 4.0 * c - 2.0 * b + a]
        })
        .collect()
}

fn dataset_of(rows: &[[f64; 3]]) -> Dataset {
    let lines: Vec<String> = rows.iter().map(|[x, y, z]| format!("{x},{y},{z}")).collect();
    table(&format!("x,y,z\n{}\n", lines.join("\n")))
}

#[test]
fn penguins_have_one_direction_of_size() {
    let analysis = answer(&penguins(), &asked(&MEASURES, &[]));
    let found = content(&analysis);
    assert_eq!(
        (
            found.total_rows.get(),
            found.rows_used.get(),
            found.components.len()
        ),
        (344, 342, 3)
    );
    assert_eq!(
        found.total_variance.get(),
        4.0,
        "of correlations, the number of columns"
    );
    let first = &found.components[0];
    let interval = first.variance_ratio_interval.as_ref().unwrap();
    assert!((first.variance_ratio.get() - 0.6884).abs() < 1e-4);
    assert!(interval.lower < first.variance_ratio && first.variance_ratio < interval.upper);
    assert_eq!(interval.method, "infinitesimal-jackknife");
    let receipt = &analysis.receipts()[0];
    let uncertainty = receipt.uncertainty.as_ref().unwrap();
    assert_eq!(
        (uncertainty.lower, uncertainty.upper),
        (Some(interval.lower), Some(interval.upper))
    );
    assert!(receipt.geometry.is_some() && receipt.sensitivity.len() == 2);
    let found_codes = codes(&analysis);
    for code in [
        "SIGN_ARBITRARY",
        "STANDARDIZED",
        "INDEPENDENCE_UNTESTED",
        "ROWS_EXCLUDED_MISSING",
    ] {
        assert!(found_codes.contains(&code), "{code}");
    }
    assert!(!found_codes.contains(&"COLLINEAR") && !found_codes.contains(&"INTERVAL_NOT_GIVEN"));
}

#[test]
fn scores_are_centered_orthogonal_and_as_wide_as_said() {
    for settings in [
        [("components", "4"), ("standardize", "zscore")],
        [("components", "4"), ("standardize", "none")],
    ] {
        let analysis = answer(&penguins(), &asked(&MEASURES, &settings));
        let found = content(&analysis);
        assert!(found.orthogonality_residual.get() < 1e-12 && found.reconstruction_residual.get() < 1e-12);
        assert!((found.explained_ratio.get() - 1.0).abs() < 1e-14);
        let leaf = analysis.leaf().unwrap();
        assert_eq!((leaf.n_rows(), leaf.digest()), (342, found.leaf));
        let scores: Vec<&[f64]> = found
            .components
            .iter()
            .map(|one| leaf.number(&one.label).unwrap())
            .collect();
        let widest = variances(&analysis)[0];
        for (i, a) in scores.iter().enumerate() {
            let n = a.len() as f64;
            assert!(a.iter().sum::<f64>().abs() < 1e-9 * n * widest.sqrt());
            for (j, b) in scores.iter().enumerate() {
                let expected = if i == j { variances(&analysis)[i] } else { 0.0 };
                let covariance = dot(a, b) / (n - 1.0);
                assert!(
                    (covariance - expected).abs() < 1e-12 * widest,
                    "{i} {j}: {covariance} {expected}"
                );
            }
        }
        for (i, a) in found.components.iter().enumerate() {
            let loadings: Vec<f64> = a.loadings.iter().map(|x| x.get()).collect();
            let greatest = loadings.iter().fold(0.0_f64, |greatest, x| greatest.max(x.abs()));
            assert!(
                loadings.contains(&greatest),
                "the leading loading is positive: {loadings:?}"
            );
            for (j, b) in found.components.iter().enumerate() {
                let other: Vec<f64> = b.loadings.iter().map(|x| x.get()).collect();
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((dot(&loadings, &other) - expected).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn units_are_told_where_there_is_one() {
    let dataset = penguins();
    let unit = |columns: &[&str], settings: &[(&str, &str)], path: &str| {
        let analysis = answer(&dataset, &asked(columns, settings));
        let output = analysis
            .outputs()
            .iter()
            .find(|output| output.slot.path == path)
            .unwrap();
        output.measure.unit.clone().map(|(unit, _)| unit)
    };
    let lengths = ["bill_length_mm", "bill_depth_mm"];
    assert_eq!(unit(&lengths, &[], "variance").as_deref(), Some("(mm)²"));
    assert_eq!(unit(&lengths, &[], "scores").as_deref(), Some("mm"));
    assert_eq!(unit(&lengths, &[("standardize", "zscore")], "scores"), None);
    assert_eq!(
        unit(
            &["bill_length_mm", "body_mass_g"],
            &[("standardize", "none")],
            "scores"
        ),
        None
    );

    // A sum of squares of millimetres and of grams is no quantity.
    let status = |columns: &[&str], settings: &[(&str, &str)]| {
        let analysis = answer(&dataset, &asked(columns, settings));
        let assumptions = &analysis.receipts()[0].assumptions;
        let one = assumptions
            .iter()
            .find(|one| one.assumption.contains("one unit"))
            .unwrap();
        one.status.clone()
    };
    assert_eq!(
        status(&["bill_length_mm", "body_mass_g"], &[("standardize", "none")]),
        "violated"
    );
    assert_eq!(status(&["bill_length_mm", "body_mass_g"], &[]), "satisfied");
    assert_eq!(status(&lengths, &[]), "satisfied");
}

#[test]
fn the_intervals_are_those_of_a_jackknife() {
    // Tukey's: leave each row out, and look how the number moves. Near the infinitesimal one at this size.
    let all = rows(120);
    for standardize in ["none", "zscore"] {
        let settings = [("standardize", standardize), ("components", "3")];
        let request = asked(&["x", "y", "z"], &settings);
        let analysis = answer(&dataset_of(&all), &request);
        let n = all.len() as f64;
        let told: Vec<(Vec<f64>, Vec<f64>)> = (0..all.len())
            .map(|out| {
                let mut others = all.clone();
                others.remove(out);
                let one = answer(&dataset_of(&others), &request);
                let ratios = content(&one)
                    .components
                    .iter()
                    .map(|one| one.variance_ratio.get());
                (variances(&one), ratios.collect())
            })
            .collect();
        let error = |values: Vec<f64>| {
            let mean = values.iter().sum::<f64>() / n;
            ((n - 1.0) / n * values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>()).sqrt()
        };
        // Student's t for 119 degrees at 0.95, as anywhere in tables.
        let t = 1.980_099_876;
        for (idx, one) in content(&analysis).components.iter().enumerate() {
            let jackknife = error(told.iter().map(|(variances, _)| variances[idx]).collect());
            let interval = one.variance_interval.as_ref().unwrap();
            let ours =
                libm::log(interval.upper.get() / interval.lower.get()) / (2.0 * t) * one.variance.get();
            assert!(
                (ours / jackknife - 1.0).abs() < 0.05,
                "{standardize} {idx}: {ours} against {jackknife}"
            );
            let jackknife = error(told.iter().map(|(_, ratios)| ratios[idx]).collect());
            let interval = one.variance_ratio_interval.as_ref().unwrap();
            let logit = |p: f64| libm::log(p / (1.0 - p));
            let ratio = one.variance_ratio.get();
            let width = (logit(interval.upper.get()) - logit(interval.lower.get())) / (2.0 * t);
            let ours = width * ratio * (1.0 - ratio);
            assert!(
                (ours / jackknife - 1.0).abs() < 0.05,
                "{standardize} {idx}: {ours} against {jackknife}"
            );
        }
    }
}

#[test]
fn an_offset_costs_no_digits() {
    let near: Vec<[f64; 3]> = (0..50_i32)
        .map(|idx| {
            [
                f64::from(idx * 7 % 13),
                f64::from(idx * 5 % 11 + idx),
                f64::from(idx * 3 % 17),
            ]
        })
        .collect();
    let far: Vec<[f64; 3]> = near.iter().map(|row| row.map(|x| x + 1e12)).collect();
    for standardize in ["none", "zscore"] {
        let request = asked(&["x", "y", "z"], &[("standardize", standardize)]);
        let (near, far) = (
            answer(&dataset_of(&near), &request),
            answer(&dataset_of(&far), &request),
        );
        for (near, far) in variances(&near).iter().zip(variances(&far)) {
            assert!(
                (near / far - 1.0).abs() < 1e-12,
                "{standardize}: {near} against {far}"
            );
        }
    }
}

#[test]
fn directions_of_like_variance_are_said_not_to_be_determined() {
    // Four corners of a square vary alike in every direction; those of a flat one do not.
    let corners = |height: f64| {
        let four = format!("1,0\n-1,0\n0,{height}\n0,-{height}\n");
        table(&format!("x,y\n{}", four.repeat(15)))
    };
    let request = asked(&["x", "y"], &[("standardize", "none")]);
    let limitation = |height: f64| {
        let analysis = answer(&corners(height), &request);
        let found = analysis
            .limitations()
            .iter()
            .find(|limitation| limitation.code().word() == "DIRECTION_UNDETERMINED");
        found.and_then(|limitation| limitation.subject().map(str::to_owned))
    };
    assert_eq!(limitation(1.0).as_deref(), Some("pc1 and pc2"));
    assert_eq!(limitation(0.98).as_deref(), Some("pc1 and pc2"));
    assert_eq!(limitation(0.2), None);
}

#[test]
fn what_does_not_vary_has_no_variance_and_is_said_to() {
    let lines: Vec<String> = rows(40)
        .iter()
        .map(|[x, y, _]| format!("{x},{y},{}", x + y))
        .collect();
    let dataset = table(&format!("x,y,z\n{}\n", lines.join("\n")));
    let analysis = answer(&dataset, &asked(&["x", "y", "z"], &[("standardize", "none")]));
    let last = &content(&analysis).components[2];
    assert_eq!(last.variance.get(), 0.0);
    assert!(last.variance_interval.is_none() && last.variance_ratio_interval.is_none());
    assert!(codes(&analysis).contains(&"COLLINEAR") && codes(&analysis).contains(&"INTERVAL_NOT_GIVEN"));
    let output = analysis
        .outputs()
        .iter()
        .find(|output| output.slot.producer == "component:3" && output.slot.path == "varianceInterval")
        .unwrap();
    assert!(matches!(output.filled, Filled::Absent(_)));
    let analysis = answer(&dataset_of(&rows(40)), &asked(&["x", "y", "z"], &[]));
    assert!(!codes(&analysis).contains(&"COLLINEAR"));
}

#[test]
fn dependent_rows_get_no_interval() {
    let declared = |structure| {
        let declaration = |name: &str| Declaration {
            observation_structure: Some(structure),
            ..Declaration::of(name)
        };
        let options = ImportOptions::named("t")
            .declare(declaration("x"))
            .declare(declaration("y"));
        let dataset = table_with("x,y\n1,2\n2,1\n4,5\n7,3\n", &options);
        answer(&dataset, &asked(&["x", "y"], &[]))
    };
    let repeated = declared(ObservationStructure::RepeatedMeasures);
    assert!(content(&repeated).components[0].variance_interval.is_none());
    assert!(repeated.receipts()[0].uncertainty.is_none() && codes(&repeated).contains(&"INTERVAL_NOT_GIVEN"));
    let independent = declared(ObservationStructure::Iid);
    assert!(content(&independent).components[0].variance_interval.is_some());
    assert!(!codes(&independent).contains(&"INDEPENDENCE_UNTESTED"));
}

#[test]
fn what_is_said_follows_from_the_request() {
    for settings in [
        &[][..],
        &[("components", "1")],
        &[("components", "2"), ("standardize", "none")],
    ] {
        let request = asked(&["x", "y", "z"], settings);
        let analysis = answer(&dataset_of(&rows(30)), &request);
        let said: Vec<_> = analysis
            .outputs()
            .iter()
            .map(|output| output.slot.clone())
            .collect();
        assert_eq!(said, slots(&request), "{settings:?}");
        for output in analysis.outputs() {
            assert!(
                kernels::family(&request)
                    .paths
                    .contains(&output.slot.path.as_str())
            );
            let is_elsewhere = matches!(output.filled, Filled::InContent | Filled::InLeaf);
            assert_eq!(
                output.slot.shape == Shape::Vector,
                is_elsewhere,
                "{}",
                output.slot.path
            );
        }
        let text = String::from_utf8(analysis.content_bytes().to_vec()).unwrap();
        assert!(!text.contains("null"), "absent, not null: {text}");
        assert_eq!(
            &serde_json::from_str::<Content>(&text).unwrap(),
            analysis.content()
        );
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    let dataset = penguins();
    let refused = |columns: &[&str], settings: &[(&str, &str)]| {
        request("projection", names(columns), settings).and_then(|request| analyze(&dataset, &request))
    };
    let two = ["bill_length_mm", "body_mass_g"];
    assert!(matches!(
        refused(&two[..1], &[]),
        Err(KernelError::ColumnCount { found: 1, .. })
    ));
    assert!(refused(&two, &[]).is_ok());
    for n in ["0", "3"] {
        assert!(matches!(
            refused(&two, &[("components", n)]),
            Err(KernelError::Setting { .. })
        ));
    }
    assert!(matches!(
        refused(&two, &[("level", "1")]),
        Err(KernelError::ConfidenceLevel { .. })
    ));
    assert!(matches!(
        refused(&["species", "body_mass_g"], &[]),
        Err(KernelError::KindUnsupported { .. })
    ));
    let ordinal = ImportOptions::named("t").declare(Declaration::of("x").scale(Scale::Ordinal));
    let of =
        |csv: &str, options: &ImportOptions| analyze(&table_with(csv, options), &asked(&["x", "y"], &[]));
    assert!(matches!(
        of("x,y\n1,2\n2,1\n4,5\n", &ordinal),
        Err(KernelError::ScaleUnsupported {
            scale: Scale::Ordinal,
            ..
        })
    ));
    let plain = ImportOptions::named("t");
    assert!(of("x,y\n1,2\n2,1\n4,5\n", &plain).is_ok());
    assert!(matches!(
        of("x,y\n1,2\n2,1\n4,\n", &plain),
        Err(KernelError::TooFew { needed: 3, .. })
    ));
    assert!(matches!(
        of("x,y\n1,2\n1,2\n1,2\n", &plain),
        Err(KernelError::Undetermined { .. })
    ));
}

fn keyed(rows: &[String]) -> Dataset {
    let options = ImportOptions::named("table").with_key("id");
    table_with(&format!("id,x,y,z\n{}\n", rows.join("\n")), &options)
}

#[test]
fn threads_do_not_show() {
    let dataset = dataset_of(&rows(200));
    let request = asked(&["x", "y", "z"], &[]);
    let on = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .unwrap();
        pool.install(|| answer(&dataset, &request))
    };
    assert!(on(1) == on(2) && on(1) == on(3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_order_of_rows_does_not_show(
        cells in proptest::collection::vec((-9_i32..9, -1e6_f64..1e6, 0_i32..4, 0_u8..9), 6..40),
        seed in 0_usize..1000,
    ) {
        let rows: Vec<String> = cells
            .iter()
            .enumerate()
            .map(|(idx, (x, y, z, gap))| if *gap == 0 {
                format!("k{idx},{x},,{z}")
            } else {
                format!("k{idx},{x},{y},{z}")
            })
            .collect();
        let mut moved = rows.clone();
        let n = moved.len();
        for idx in 0..n {
            moved.swap(idx, (idx * 7 + seed) % n);
        }
        for settings in [[("standardize", "none")], [("standardize", "zscore")]] {
            let request = asked(&["x", "y", "z"], &settings);
            match (analyze(&keyed(&rows), &request), analyze(&keyed(&moved), &request)) {
                (Ok(one), Ok(two)) => {
                    let mut told = content(&two).clone();
                    told.leaf = content(&one).leaf;
                    prop_assert_eq!(content(&one), &told);
                    let (ours, theirs) = (one.leaf().unwrap(), two.leaf().unwrap());
                    for row_idx in 0..ours.n_rows() {
                        let other = theirs.row_of_key(&ours.row_key(row_idx)).unwrap();
                        for label in ["pc1", "pc2", "pc3"] {
                            let (a, b) = (ours.number(label).unwrap()[row_idx], theirs.number(label).unwrap()[other]);
                            prop_assert_eq!(a.to_bits(), b.to_bits());
                        }
                    }
                }
                (Err(one), Err(two)) => prop_assert_eq!(one, two),
                (one, two) => prop_assert!(false, "{:?} against {:?}", one.err(), two.err()),
            }
        }
    }
}
