//! Groups: the same for every order of the rows, refused where they have no meaning, told with what they rest on.

use std::ops::ControlFlow;

use dataset::{Dataset, Declaration, ImportOptions, Scale};
use kernels::wire::v1::{ClusterContent, Content, Request};
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
    request("cluster", names(columns), settings).unwrap()
}

fn content(analysis: &Analysis) -> &ClusterContent {
    match analysis.content() {
        Content::Cluster(content) => content,
        content => panic!("not groups: {content:?}"),
    }
}

fn sizes(analysis: &Analysis) -> Vec<i64> {
    content(analysis)
        .groups
        .iter()
        .map(|group| group.size.get())
        .collect()
}

/// Two blobs, one far point, and a key column.
fn blobs() -> Vec<String> {
    let mut rows = Vec::new();
    for idx in 0..30 {
        let (dx, dy) = (f64::from(idx * 7 % 11) / 10.0, f64::from(idx * 5 % 13) / 10.0);
        rows.push(format!("a{idx},{},{}", 1.0 + dx, 2.0 + dy));
        rows.push(format!("b{idx},{},{}", 9.0 + dx, 8.0 + dy));
    }
    rows.push("far,30,-20".to_owned());
    rows
}

fn keyed(rows: &[String]) -> Dataset {
    let options = ImportOptions::named("table").with_key("id");
    table_with(&format!("id,x,y\n{}\n", rows.join("\n")), &options)
}

const METHODS: [&[(&str, &str)]; 4] = [
    &[
        ("method", "hdbscan"),
        ("min-size", "4"),
        ("min-points", "3"),
        ("repetitions", "4"),
    ],
    &[("method", "dbscan"), ("repetitions", "4")],
    &[
        ("method", "dbscan"),
        ("epsilon", "0.3"),
        ("standardize", "zscore"),
        ("repetitions", "4"),
    ],
    &[
        ("method", "kmeans"),
        ("k", "3"),
        ("starts", "3"),
        ("repetitions", "4"),
    ],
];

#[test]
fn penguins_fall_into_two_groups_that_return() {
    let analysis = answer(&penguins(), &asked(&MEASURES, &[]));
    let found = content(&analysis);
    assert_eq!((found.total_rows.get(), found.rows_used.get()), (344, 342));
    // Gentoo, and the two others together; as scikit-learn says of the standardized columns.
    assert_eq!(
        (sizes(&analysis), found.noise_rows.unwrap().get()),
        (vec![218, 122], 2)
    );
    assert!(
        found.groups.iter().all(|group| group.jaccard.get() > 0.95),
        "{found:?}"
    );
    assert!(found.adjusted_rand_index.get() > 0.9);
    let receipt = &analysis.receipts()[0];
    assert_eq!(
        receipt.receipt_id,
        "cluster:hdbscan:bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g"
    );
    let geometry = receipt.geometry.as_ref().unwrap();
    assert_eq!(
        (geometry.metric.as_str(), geometry.transformations.len()),
        ("euclidean", 1)
    );
    assert_eq!(
        receipt.stability.as_ref().unwrap().score,
        found.adjusted_rand_index
    );
    let factors: Vec<&str> = receipt
        .sensitivity
        .iter()
        .map(|one| one.factor.as_str())
        .collect();
    assert_eq!(factors, ["minPoints", "minSize", "standardize"]);
    let changed: Vec<bool> = receipt
        .sensitivity
        .iter()
        .map(|one| one.materially_changed)
        .collect();
    assert_eq!(changed, [false, false, true], "{:?}", receipt.sensitivity);
    assert!(receipt.uncertainty.is_none() && codes(&analysis).contains(&"INTERVAL_NOT_GIVEN"));
    for code in [
        "STANDARDIZED",
        "NOISE_POINTS",
        "FREE_PARAMETER",
        "ROWS_EXCLUDED_MISSING",
    ] {
        assert!(codes(&analysis).contains(&code), "{code}");
    }

    let leaf = analysis.leaf().unwrap();
    assert_eq!((leaf.n_rows(), leaf.digest()), (342, found.leaf));
    let (labels, of_row) = leaf.categories("cluster").unwrap();
    assert_eq!(labels, ["c1", "c2", "noise"]);
    let (standings, standing_of) = leaf.categories("standing").unwrap();
    assert_eq!(standings, ["member", "noise"]);
    let strengths = leaf.number("strength").unwrap();
    for row_idx in 0..342 {
        let is_noise = labels[of_row[row_idx] as usize] == "noise";
        assert_eq!(is_noise, standings[standing_of[row_idx] as usize] == "noise");
        assert_eq!(is_noise, strengths[row_idx] == 0.0);
    }
    assert!(strengths.iter().all(|strength| (0.0..=1.0).contains(strength)) && strengths.contains(&1.0));
}

#[test]
fn columns_of_one_unit_keep_it_and_others_are_standardized() {
    let dataset = penguins();
    let lengths = answer(&dataset, &asked(&["bill_length_mm", "bill_depth_mm"], &[]));
    assert!(!codes(&lengths).contains(&"STANDARDIZED"));
    assert!(
        lengths.receipts()[0]
            .geometry
            .as_ref()
            .unwrap()
            .transformations
            .is_empty()
    );
    let core = lengths
        .outputs()
        .iter()
        .find(|output| output.slot.path == "coreDistances")
        .unwrap();
    assert_eq!(core.measure.unit.as_ref().unwrap().0, "mm");
    let mixed = answer(&dataset, &asked(&["bill_length_mm", "body_mass_g"], &[]));
    assert!(codes(&mixed).contains(&"STANDARDIZED"));
    let core = mixed
        .outputs()
        .iter()
        .find(|output| output.slot.path == "coreDistances")
        .unwrap();
    assert_eq!(core.measure.unit, None);
    let stated = asked(&["bill_length_mm", "bill_depth_mm"], &[("standardize", "zscore")]);
    assert!(codes(&answer(&dataset, &stated)).contains(&"STANDARDIZED"));
}

#[test]
fn what_is_said_follows_from_the_request() {
    let dataset = keyed(&blobs());
    for settings in METHODS {
        let request = asked(&["x", "y"], settings);
        let analysis = answer(&dataset, &request);
        let said: Vec<_> = analysis
            .outputs()
            .iter()
            .map(|output| output.slot.clone())
            .collect();
        assert_eq!(said, slots(&request), "{settings:?}");
        let family = kernels::family(&request);
        let text = String::from_utf8(analysis.content_bytes().to_vec()).unwrap();
        for output in analysis.outputs() {
            let path = output.slot.path.as_str();
            assert!(family.paths.contains(&path), "{path}");
            let is_vector = output.slot.shape == Shape::Vector;
            let is_elsewhere = matches!(output.filled, Filled::InContent | Filled::InLeaf);
            assert_eq!(is_vector, is_elsewhere, "{path}");
        }
        assert!(!text.contains("null"), "absent, not null: {text}");
        let parsed: Content = serde_json::from_str(&text).unwrap();
        assert_eq!(&parsed, analysis.content());
        let limits = kernels::leaf::LeafLimits::DEFAULT;
        let leaf = kernels::leaf::Columns::from_bytes(analysis.leaf_bytes().unwrap(), &limits).unwrap();
        assert_eq!(&leaf, analysis.leaf().unwrap());
    }
}

#[test]
fn groups_are_numbered_by_center_and_noise_is_no_group() {
    let dataset = keyed(&blobs());
    for settings in &METHODS[..3] {
        let analysis = answer(&dataset, &asked(&["x", "y"], settings));
        let found = content(&analysis);
        assert_eq!(
            (sizes(&analysis), found.noise_rows.unwrap().get()),
            (vec![30, 30], 1),
            "{settings:?}"
        );
        assert!(found.groups[0].center[0] < found.groups[1].center[0]);
        let leaf = analysis.leaf().unwrap();
        let label = |key: &str| {
            let (labels, of_row) = leaf.categories("cluster").unwrap();
            labels[of_row[leaf.row_of_key(key).unwrap()] as usize].clone()
        };
        assert_eq!(
            (label("a3"), label("b3"), label("far")),
            ("c1".into(), "c2".into(), "noise".into())
        );
    }
    // k-means has no noise: not zero rows of it, but no such thing.
    let analysis = answer(&dataset, &asked(&["x", "y"], METHODS[3]));
    assert_eq!(
        (sizes(&analysis), content(&analysis).noise_rows),
        (vec![30, 30, 1], None)
    );
    assert!(!codes(&analysis).contains(&"NOISE_POINTS"));
    let centers = &content(&analysis).groups;
    assert_eq!(centers[2].center, [crate::finite(30.0), crate::finite(-20.0)]);
}

#[test]
fn where_there_are_no_groups_none_are_told() {
    // Equal steps: everything joins at one distance, so nothing persists.
    let rows: Vec<String> = (0..40).map(|idx| format!("r{idx},{idx},0")).collect();
    let analysis = answer(&keyed(&rows), &asked(&["x", "y"], &[("min-size", "5")]));
    assert_eq!(
        (sizes(&analysis), content(&analysis).noise_rows.unwrap().get()),
        (vec![], 40)
    );
    assert!(codes(&analysis).contains(&"NOISE_POINTS") && codes(&analysis).contains(&"CONSTANT_VALUES"));
    assert_eq!(
        analysis.leaf().unwrap().categories("cluster").unwrap().0,
        ["noise"]
    );
    // The same with a gap has two.
    let rows: Vec<String> = (0..40)
        .map(|idx| format!("r{idx},{},0", idx + idx / 20 * 50))
        .collect();
    assert_eq!(
        sizes(&answer(&keyed(&rows), &asked(&["x", "y"], &[("min-size", "5")]))),
        [20, 20]
    );
}

#[test]
fn equal_rows_are_no_denser_than_rows_that_can_be_told_apart() {
    let mut rows: Vec<String> = (0..8).map(|idx| format!("e{idx},5,5")).collect();
    rows.extend((0..20).map(|idx| format!("a{idx},{},1", f64::from(idx) / 100.0)));
    rows.extend((0..20).map(|idx| format!("b{idx},{},9", f64::from(idx) / 100.0)));
    let analysis = answer(
        &keyed(&rows),
        &asked(&["x", "y"], &[("min-size", "5"), ("min-points", "3")]),
    );
    assert_eq!(sizes(&analysis), [20, 20, 8]);
    assert!(
        content(&analysis)
            .groups
            .iter()
            .all(|group| group.excess_of_mass.unwrap().get() > 0.0)
    );
}

#[test]
fn what_has_no_meaning_is_refused() {
    let dataset = penguins();
    let refused = |columns: &[&str], settings: &[(&str, &str)]| {
        request("cluster", names(columns), settings).and_then(|request| analyze(&dataset, &request))
    };
    let two = ["bill_length_mm", "body_mass_g"];
    assert!(matches!(
        refused(&two, &[("method", "kmeans")]),
        Err(KernelError::MeaningMissing {
            family: "cluster",
            ..
        })
    ));
    assert!(refused(&two, &[("method", "kmeans"), ("k", "3"), ("repetitions", "2")]).is_ok());
    for (settings, wrong) in [
        ([("method", "kmeans"), ("k", "1")], "k"),
        ([("method", "dbscan"), ("epsilon", "0")], "epsilon"),
        ([("method", "dbscan"), ("min-points", "0")], "min-points"),
        ([("method", "hdbscan"), ("min-size", "1")], "min-size"),
        ([("method", "hdbscan"), ("repetitions", "1")], "repetitions"),
        ([("method", "hdbscan"), ("k", "3")], "k"),
        ([("method", "hdbscan"), ("standardize", "log")], "standardize"),
    ] {
        match refused(&two, &settings) {
            Err(KernelError::Setting { setting, .. }) => assert_eq!(setting, wrong),
            other => panic!("{settings:?}: {other:?}"),
        }
    }
    assert!(matches!(
        refused(&["species"], &[]),
        Err(KernelError::KindUnsupported { .. })
    ));
    let circular = ImportOptions::named("t").declare(Declaration::of("x").scale(Scale::Circular));
    let few = table_with("x\n1\n2\n3\n4\n5\n6\n", &circular);
    assert!(matches!(
        analyze(&few, &asked(&["x"], &[])),
        Err(KernelError::ScaleUnsupported {
            scale: Scale::Circular,
            ..
        })
    ));
    let few = |csv: &str, settings: &[(&str, &str)]| analyze(&table(csv), &asked(&["x"], settings));
    assert!(matches!(
        few("x\n1\n2\n3\n", &[]),
        Err(KernelError::TooFew { needed: 5, .. })
    ));
    assert!(few("x\n1\n2\n3\n4\n9\n", &[]).is_ok());
    assert!(matches!(
        few("x\n3\n3\n3\n3\n3\n", &[]),
        Err(KernelError::Undetermined { .. })
    ));
    let three = [("method", "kmeans"), ("k", "3"), ("repetitions", "2")];
    assert!(matches!(
        few("x\n1\n2\n1\n2\n1\n2\n", &three),
        Err(KernelError::TooFew {
            what: "different rows",
            ..
        })
    ));
    assert!(few("x\n1\n2\n1\n2\n1\n3\n", &three).is_ok());
    let wide = "x\n1e200\n-1e200\n2e200\n1\n2\n3\n";
    assert!(matches!(
        few(wide, &[("standardize", "none")]),
        Err(KernelError::Undetermined { .. })
    ));
    assert!(few(wide, &[]).is_ok(), "standardized it has an answer");
    // As recorded these have distances beyond the doubles, which the sensitivity says and does not wait for.
    let wide = table("x,y\n6e153,6e153\n-6e153,-6e153\n1,5\n2,3\n3,9\n5e153,4\n");
    let analysis = analyze(
        &wide,
        &asked(&["x", "y"], &[("min-size", "2"), ("min-points", "2")]),
    )
    .unwrap();
    let last = analysis.receipts()[0].sensitivity.last().unwrap();
    assert_eq!(last.tested_values, ["none: no answer"]);
}

#[test]
fn too_many_rows_are_refused_and_not_sampled() {
    let csv: String = std::iter::once("x\n".to_owned())
        .chain((0..100_001).map(|idx| format!("{idx}\n")))
        .collect();
    let dataset = table(&csv);
    match analyze(&dataset, &asked(&["x"], &[])) {
        Err(KernelError::TooMany {
            method, found, limit, ..
        }) => {
            assert_eq!((method, found, limit), ("HDBSCAN", 100_001, 100_000));
        }
        other => panic!("{:?}", other.map(|analysis| analysis.content_digest())),
    }
}

#[test]
fn the_seed_is_in_the_answer_and_groups_by_density_do_not_hang_on_it() {
    let dataset = penguins();
    let with = |seed: &str| {
        answer(
            &dataset,
            &asked(&MEASURES, &[("seed", seed), ("repetitions", "3")]),
        )
    };
    let (one, other) = (with("1"), with("2"));
    assert_eq!(one.leaf_bytes(), other.leaf_bytes());
    assert_eq!(one.provenance().seed.unwrap().get(), 1);
    let seeded = |analysis: &Analysis| {
        let parameters = &analysis.receipts()[0].method_provenance.parameters;
        parameters
            .iter()
            .find(|(name, _)| name == "seed")
            .unwrap()
            .1
            .clone()
    };
    assert_eq!((seeded(&one), seeded(&other)), ("1".to_owned(), "2".to_owned()));
    assert_eq!(with("2").content_bytes(), other.content_bytes());
}

#[test]
fn threads_do_not_show() {
    let dataset = keyed(&blobs());
    for settings in METHODS {
        let request = asked(&["x", "y"], settings);
        let on = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(n_threads)
                .build()
                .unwrap();
            pool.install(|| answer(&dataset, &request))
        };
        let one = on(1);
        assert!(one == on(2) && one == on(3), "{settings:?}");
    }
}

#[test]
fn who_waits_is_told_and_can_stop() {
    let dataset = keyed(&blobs());
    let request = asked(&["x", "y"], METHODS[0]);
    let mut phases = Vec::new();
    let told = kernels::analyze_with(&dataset, &request, &mut |progress| {
        phases.push(progress.phase);
        ControlFlow::Continue(())
    });
    assert_eq!(told.unwrap(), answer(&dataset, &request));
    phases.dedup();
    assert_eq!(phases.len(), 4, "reading and three of its own: {phases:?}");
    for phase in phases {
        let stopped = kernels::analyze_with(&dataset, &request, &mut |progress| {
            if progress.phase == phase {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(stopped, Err(KernelError::Canceled { doing: phase }));
    }
}

/// The values of a leaf by key.
fn by_key(analysis: &Analysis) -> Vec<(String, String, Vec<u64>)> {
    let leaf = analysis.leaf().unwrap();
    let (labels, of_row) = leaf.categories("cluster").unwrap();
    let mut rows: Vec<_> = (0..leaf.n_rows())
        .map(|row_idx| {
            let numbers = ["distance", "strength", "coreDistance"]
                .iter()
                .filter_map(|name| Some(leaf.number(name)?[row_idx].to_bits()));
            let label = labels[of_row[row_idx] as usize].clone();
            (leaf.row_key(row_idx), label, numbers.collect())
        })
        .collect();
    rows.sort();
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn the_order_of_rows_does_not_show(
        cells in proptest::collection::vec((0_i32..9, 0_i32..9, 0_u8..12), 14..40),
        seed in 0_usize..1000,
    ) {
        // Small integers: many ties, many equal rows, some missing.
        let rows: Vec<String> = cells
            .iter()
            .enumerate()
            .map(|(idx, (x, y, gap))| if *gap == 0 {
                format!("k{idx},,{y}")
            } else {
                format!("k{idx},{x},{y}")
            })
            .collect();
        let mut moved = rows.clone();
        let n = moved.len();
        for idx in 0..n {
            moved.swap(idx, (idx * 7 + seed) % n);
        }
        let (dataset, other) = (keyed(&rows), keyed(&moved));
        for settings in METHODS {
            let request = asked(&["x", "y"], settings);
            match (analyze(&dataset, &request), analyze(&other, &request)) {
                (Ok(one), Ok(two)) => {
                    // The leaf's digest is of the rows in their order; all else is equal byte for byte.
                    let mut told = content(&two).clone();
                    told.leaf = content(&one).leaf;
                    prop_assert_eq!(content(&one), &told);
                    prop_assert_eq!(by_key(&one), by_key(&two));
                    prop_assert_eq!(&one.receipts()[0].sensitivity, &two.receipts()[0].sensitivity);
                }
                (Err(one), Err(two)) => prop_assert_eq!(one, two),
                (one, two) => prop_assert!(false, "{:?} against {:?}", one.err(), two.err()),
            }
        }
    }
}
