//! Correlations, regressions and analyses of variance: certified values, other programs, what is refused, invariance.

use std::fmt::Write as _;

use dataset::{Dataset, Declaration, ImportOptions, ObservationStructure, Scale};
use kernels::wire::v1::{
    Content, DependencyContent, DependencyRequest, Receipt, Regression, Request, VarianceAnalysis,
};
use kernels::{Analysis, Filled, KernelError, analyze, request, request_about, slots};
use proptest::prelude::*;
use refusal::Reason;

use crate::{answer, codes, names, penguins, table, table_with};

pub(crate) fn ask(columns: &[&str], settings: &[(&str, &str)]) -> Request {
    request("dependency", names(columns), settings).unwrap()
}

pub(crate) fn content(analysis: &Analysis) -> &DependencyContent {
    match analysis.content() {
        Content::Dependency(content) => content,
        content => panic!("not dependency: {content:?}"),
    }
}

pub(crate) fn regression(dataset: &Dataset, columns: &[&str]) -> (Regression, Analysis) {
    let analysis = answer(dataset, &ask(columns, &[("kind", "regression")]));
    (content(&analysis).regressions[0].clone(), analysis)
}

pub(crate) fn anova(dataset: &Dataset, response: &str, group: &str) -> (VarianceAnalysis, Analysis) {
    let analysis = answer(
        dataset,
        &ask(&[response, group], &[("kind", "anova"), ("groups", group)]),
    );
    (content(&analysis).variances[0].clone(), analysis)
}

pub(crate) fn receipt<'a>(analysis: &'a Analysis, id: &str) -> &'a Receipt {
    analysis
        .receipts()
        .iter()
        .find(|receipt| receipt.receipt_id == id)
        .unwrap()
}

pub(crate) fn status<'a>(receipt: &'a Receipt, start: &str) -> &'a str {
    let found = receipt
        .assumptions
        .iter()
        .find(|assumption| assumption.assumption.starts_with(start));
    &found.unwrap().status
}

#[test]
fn the_default_follows_the_kinds_of_columns() {
    let dataset = penguins();
    let columns = names(&["bill_length_mm", "body_mass_g", "species"]);
    let request = request_about(&dataset, "dependency", columns.clone(), &[]).unwrap();
    let analysis = answer(&dataset, &request);
    let ids: Vec<&str> = analysis
        .receipts()
        .iter()
        .map(|receipt| receipt.receipt_id.as_str())
        .collect();
    assert_eq!(
        ids,
        [
            "dependency:pearson:bill_length_mm,body_mass_g",
            "dependency:spearman:bill_length_mm,body_mass_g",
            "dependency:anova:bill_length_mm~species",
            "dependency:anova:body_mass_g~species",
        ]
    );
    assert!(codes(&analysis).contains(&"MANY_COMPARISONS") && codes(&analysis).contains(&"ASSOCIATION_ONLY"));
    for receipt in analysis.receipts() {
        assert!(
            receipt
                .limitations
                .iter()
                .any(|text| text.contains("no cause is shown")),
            "{}",
            receipt.receipt_id
        );
        assert!(
            receipt.uncertainty.is_some()
                && !receipt.sensitivity.is_empty()
                && !receipt.assumptions.is_empty()
        );
    }
    // Without the dataset nobody knows which column names groups, and that is said.
    let unseen = kernels::request("dependency", columns, &[]).unwrap();
    let error = analyze(&dataset, &unseen).unwrap_err();
    assert!(
        matches!(&error, KernelError::KindUnsupported { column, .. } if column == "species"),
        "{error}"
    );
    assert!(error.to_string().contains("groups=NAME"));
    let one = answer(
        &dataset,
        &ask(&["bill_length_mm", "body_mass_g"], &[("kind", "pearson")]),
    );
    assert!(!codes(&one).contains(&"MANY_COMPARISONS"));
}

#[test]
fn outputs_fill_the_slots_of_the_request() {
    let dataset = penguins();
    let columns = [
        "bill_length_mm",
        "bill_depth_mm",
        "body_mass_g",
        "species",
        "island",
    ];
    let all = [
        ("kind", "anova,regression,spearman,pearson"),
        ("groups", "species,island"),
    ];
    for (columns, settings) in [
        (&columns[..], &all[..]),
        (&columns[..2], &[]),
        (&columns[2..4], &[("groups", "species")]),
    ] {
        let request = ask(columns, settings);
        let analysis = answer(&dataset, &request);
        let filled: Vec<_> = analysis
            .outputs()
            .iter()
            .map(|output| output.slot.clone())
            .collect();
        assert_eq!(filled, slots(&request));
        for output in analysis.outputs() {
            assert!(!matches!(output.filled, Filled::Absent(_)), "{:?}", output.slot);
            assert!(family_has(&output.slot.path), "{}", output.slot.path);
        }
        let json = serde_json::to_string(analysis.content()).unwrap();
        assert_eq!(
            serde_json::from_str::<Content>(&json).unwrap(),
            *analysis.content()
        );
    }
    let (_, analysis) = regression(&dataset, &["flipper_length_mm", "body_mass_g"]);
    let slope = analysis
        .outputs()
        .iter()
        .find(|output| output.slot.path == "slope")
        .unwrap();
    assert_eq!(
        slope.measure.unit,
        Some(("g/mm".to_owned(), "inferred".to_owned()))
    );
}

fn family_has(path: &str) -> bool {
    kernels::FAMILIES
        .iter()
        .find(|family| family.word == "dependency")
        .unwrap()
        .paths
        .contains(&path)
}

#[test]
fn what_can_not_be_taken_is_refused() {
    let dataset = table("x,y,z,g\n1,2,3,a\n2,1,3,b\n3,5,8,a\n4,4,8,b\n5,9,14,a\n");
    let refused = |columns: &[&str], settings: &[(&str, &str)]| {
        request("dependency", names(columns), settings)
            .and_then(|request| analyze(&dataset, &request).map(|_| ()))
            .err()
    };
    // Malformed, each beside one that is not.
    for (columns, settings) in [
        (&["x", "y"][..], &[("kind", "kendall")][..]),
        (&["x", "y"], &[("kind", "pearson,pearson")]),
        (&["x", "y"], &[("response", "y")]),
        (&["x", "y"], &[("kind", "regression"), ("response", "z")]),
        (&["x", "y", "g"], &[("groups", "h")]),
        (&["x", "y"], &[("levels", "0.9")]),
    ] {
        let error = refused(columns, settings).unwrap();
        assert_eq!(error.refusal().reason(), Reason::Malformed, "{error}");
    }
    assert!(matches!(
        refused(&["x"], &[]),
        Some(KernelError::ColumnCount { .. })
    ));
    assert!(matches!(
        refused(&["x", "g"], &[("kind", "anova")]),
        Some(KernelError::ColumnCount { .. })
    ));
    assert!(matches!(
        refused(&["x", "y"], &[("level", "1")]),
        Some(KernelError::ConfidenceLevel { .. })
    ));
    assert_eq!(refused(&["x", "y"], &[("level", "0.5")]), None);
    assert_eq!(
        refused(&["x", "y"], &[("kind", "regression"), ("response", "x")]),
        None
    );
    assert_eq!(refused(&["x", "g"], &[("groups", "g")]), None);
    assert!(matches!(
        refused(&["x", "y"], &[("groups", "y")]),
        Some(KernelError::KindUnsupported { .. })
    ));

    // z is x + y in every row but none of both in the other table.
    let error = refused(&["x", "y", "z", "w"], &[]).unwrap();
    assert!(matches!(error, KernelError::UnknownColumn { .. }));
    let sum = table("x,y,z,w\n1,2,3,1\n2,1,3,0\n3,5,8,4\n4,4,8,2\n5,9,14,7\n6,1,7,3\n");
    let near = table("x,y,z,w\n1,2,3,1\n2,1,3,0\n3,5,8,4\n4,4,8,2\n5,9,14.000000001,7\n6,1,7,3\n");
    let request = ask(&["x", "y", "z", "w"], &[("kind", "regression")]);
    let error = analyze(&sum, &request).unwrap_err();
    assert!(matches!(&error, KernelError::Undetermined { .. }), "{error}");
    assert!(error.to_string().contains("z is exactly a combination"));
    let near = answer(&near, &request);
    assert!(
        codes(&near).contains(&"COLLINEAR"),
        "and what is nearly one is disclosed"
    );

    let flat = ask(&["x", "y"], &[("kind", "regression")]);
    let error = analyze(&table("x,y\n1,2\n2,2\n3,2\n"), &flat).unwrap_err();
    assert!(
        matches!(&error, KernelError::Undetermined { problem, .. } if problem.contains("nothing to explain"))
    );
    let error = analyze(&table("x,y\n1,2\n1,3\n1,4\n"), &flat).unwrap_err();
    assert!(
        matches!(&error, KernelError::Undetermined { problem, .. } if problem.contains("it has no slope"))
    );
    answer(&table("x,y\n1,2\n2,2\n3,3\n"), &flat);

    let few = table("x,y,g\n1,2,a\n2,1,b\n,3,a\n");
    for request in [ask(&["x", "y"], &[]), ask(&["x", "g"], &[("groups", "g")])] {
        assert!(matches!(analyze(&few, &request), Err(KernelError::TooFew { .. })));
    }
    let alone = table("y,g\n1,a\n2,b\n3,c\n");
    let request = ask(&["y", "g"], &[("groups", "g")]);
    assert!(matches!(
        analyze(&alone, &request),
        Err(KernelError::TooFew { needed: 4, .. })
    ));
    answer(&table("y,g\n1,a\n2,b\n3,b\n"), &request);

    let declared = |scale| {
        let options = ImportOptions::named("t").declare(Declaration::of("x").scale(scale));
        table_with("x,y\n1,2\n2,1\n3,5\n4,4\n", &options)
    };
    let request = ask(&["x", "y"], &[("kind", "regression")]);
    assert!(matches!(
        analyze(&declared(Scale::Ordinal), &request),
        Err(KernelError::ScaleUnsupported { .. })
    ));
    answer(&declared(Scale::Ratio), &request);
    let both = answer(&declared(Scale::Ordinal), &ask(&["x", "y"], &[]));
    let [pearson, spearman] = &content(&both).correlations[..] else {
        panic!()
    };
    assert!(pearson.coefficient.is_none() && spearman.coefficient.is_some());
    assert!(codes(&both).contains(&"NOT_MEANINGFUL_ON_SCALE"));
}

#[test]
fn constants_have_no_correlation_and_perfect_ones_no_interval() {
    let analysis = answer(&table("x,y\n1,2\n1,3\n1,5\n1,4\n"), &ask(&["x", "y"], &[]));
    for record in &content(&analysis).correlations {
        assert!(record.coefficient.is_none() && record.interval.is_none() && record.test.is_none());
    }
    assert!(codes(&analysis).contains(&"CONSTANT_VALUES"));
    assert!(
        analysis
            .receipts()
            .iter()
            .all(|receipt| receipt.uncertainty.is_none())
    );
    assert!(matches!(analysis.outputs()[0].filled, Filled::Absent(_)));

    let analysis = answer(
        &table("x,y\n1,0.1\n2,0.2\n3,0.3\n4,0.4\n"),
        &ask(&["x", "y"], &[("kind", "spearman")]),
    );
    let record = &content(&analysis).correlations[0];
    assert_eq!(
        (record.coefficient.unwrap().get(), record.interval.clone()),
        (1.0, None)
    );
    assert!(codes(&analysis).contains(&"INTERVAL_NOT_GIVEN"));
    let analysis = answer(
        &table("x,y\n1,0.1\n2,0.2\n3,0.4\n4,0.3\n"),
        &ask(&["x", "y"], &[("kind", "spearman")]),
    );
    assert!(content(&analysis).correlations[0].interval.is_some());
    assert!(!codes(&analysis).contains(&"CONSTANT_VALUES"));
}

#[test]
fn dependent_rows_get_no_interval_and_no_test() {
    let declared = |structure| {
        let declaration = Declaration {
            observation_structure: Some(structure),
            ..Declaration::of("x")
        };
        let csv = "x,y,g\n1,2,a\n2,1,b\n3,5,a\n4,4,b\n5,9,a\n6,7,b\n";
        let dataset = table_with(csv, &ImportOptions::named("t").declare(declaration));
        answer(
            &dataset,
            &ask(
                &["x", "y", "g"],
                &[("kind", "pearson,spearman,regression,anova"), ("groups", "g")],
            ),
        )
    };
    let dependent = declared(ObservationStructure::RepeatedMeasures);
    let found = content(&dependent);
    assert!(
        found
            .correlations
            .iter()
            .all(|one| one.interval.is_none() && one.test.is_none() && one.coefficient.is_some())
    );
    assert!(found.regressions[0].test.is_none() && found.regressions[0].slopes[0].interval.is_none());
    assert!(found.variances[0].test.is_none() && found.variances[0].groups[0].interval.is_none());
    assert!(found.variances[1].test.is_some(), "y was declared nothing");
    assert!(codes(&dependent).contains(&"INTERVAL_NOT_GIVEN"));
    let independent = declared(ObservationStructure::Iid);
    assert!(
        content(&independent)
            .correlations
            .iter()
            .all(|one| one.interval.is_some() && one.test.is_some())
    );
    assert!(!codes(&independent).contains(&"INTERVAL_NOT_GIVEN"));
}

/// As far as two doubles agree, relatively.
fn agree(found: f64, expected: f64, bound: f64, what: &str) {
    assert!(
        (found - expected).abs() <= bound * expected.abs(),
        "{what}: {found} against {expected}"
    );
}

/// Every coefficient recomputed without each row, from the program's own answers over the table without it.
#[test]
fn the_most_influential_row_is_the_one_and_its_number_is_the_refit() {
    let rows = [
        "1,2.5,a", "2,1,b", "3,5.5,a", "4,4,b", "5,9,a", "6,7,b", "7,-30,a", "8,9,b",
    ];
    let csv = |without: Option<usize>| {
        let kept = rows.iter().enumerate().filter(|(idx, _)| Some(*idx) != without);
        kept.fold("x,y,g\n".to_owned(), |csv, (_, row)| csv + row + "\n")
    };
    let request = ask(
        &["x", "y", "g"],
        &[("kind", "pearson,spearman,regression,anova"), ("groups", "g")],
    );
    let quantities = |content: &DependencyContent| {
        [
            content.correlations[0].coefficient.unwrap().get(),
            content.correlations[1].coefficient.unwrap().get(),
            content.regressions[0].slopes[0].estimate.get(),
            content.variances[1].eta_squared.unwrap().get(),
        ]
    };
    let whole = answer(&table(&csv(None)), &request);
    let found = content(&whole);
    let without: Vec<[f64; 4]> = (0..rows.len())
        .map(|idx| quantities(content(&answer(&table(&csv(Some(idx))), &request))))
        .collect();
    let influences = [
        &found.correlations[0].influence,
        &found.correlations[1].influence,
        &found.regressions[0].influence,
        &found.variances[1].influence,
    ];
    for (idx, influence) in influences.into_iter().enumerate() {
        let influence = influence.as_ref().unwrap();
        let change = |row: &usize| (without[*row][idx] - quantities(found)[idx]).abs();
        let most = (0..rows.len())
            .max_by(|a, b| change(a).total_cmp(&change(b)))
            .unwrap();
        assert_eq!(influence.row, format!("row:{}", most + 1), "{idx}: {influence:?}");
        agree(
            influence.without.unwrap().get(),
            without[most][idx],
            1e-14,
            &influence.quantity,
        );
    }
    assert_eq!(
        status(receipt(&whole, "dependency:pearson:x,y"), "no single row"),
        "violated"
    );
    for receipt in whole.receipts() {
        let decides = receipt
            .limitations
            .iter()
            .any(|text| text.starts_with("one row decides"));
        assert_eq!(
            decides,
            status(receipt, "no single row") == "violated",
            "{}",
            receipt.receipt_id
        );
    }
    let steady = answer(&penguins(), &ask(&["flipper_length_mm", "body_mass_g"], &[]));
    assert!(
        steady
            .receipts()
            .iter()
            .all(|receipt| status(receipt, "no single row") == "satisfied")
    );
    assert!(!codes(&steady).contains(&"INFLUENTIAL_ROW"));
}

/// What a test objects to is among the limitations, and what it does not object to is not.
#[test]
fn every_objection_is_a_limitation() {
    let by = |y: &dyn Fn(f64, f64) -> f64| {
        let row = |x: i32| format!("{x},{}\n", y(f64::from(x), f64::from(x * x * 7 % 11 - 5)));
        table(&(1..40).fold("x,y\n".to_owned(), |csv, x| csv + &row(x)))
    };
    let (_, bent) = regression(&by(&|x, noise| x * x + noise), &["x", "y"]);
    assert_eq!(status(&bent.receipts()[0], "the response follows"), "violated");
    assert!(codes(&bent).contains(&"CURVED_RELATION"));
    let (_, straight) = regression(&by(&|x, noise| x + noise), &["x", "y"]);
    assert_eq!(
        status(&straight.receipts()[0], "the response follows"),
        "satisfied"
    );
    assert!(!codes(&straight).contains(&"CURVED_RELATION"));
    let (_, wide) = regression(&by(&|x, noise| x + x * noise), &["x", "y"]);
    assert_eq!(
        status(&wide.receipts()[0], "the residuals spread alike"),
        "violated"
    );
    assert!(codes(&wide).contains(&"UNEQUAL_VARIANCES") && !codes(&straight).contains(&"UNEQUAL_VARIANCES"));
    let skewed = by(&|x, _| (x % 7.0 + 1.0) * (x % 7.0 + 1.0) * if x > 36.0 { 500.0 } else { 1.0 });
    let skewed = answer(&skewed, &ask(&["x", "y"], &[]));
    assert_eq!(
        status(receipt(&skewed, "dependency:pearson:x,y"), "both columns"),
        "violated"
    );
    assert!(codes(&skewed).contains(&"NORMALITY_UNTESTED"));
    let (_, few) = regression(&table("x,y\n1,2\n2,1\n3,5\n4,4\n"), &["x", "y"]);
    assert_eq!(
        status(&few.receipts()[0], "the residuals are normally"),
        "unchecked"
    );
}

fn keyed(rows: &[(Option<f64>, Option<f64>, Option<u8>)], order: &[usize]) -> Dataset {
    let mut csv = "key,x,y,g\n".to_owned();
    let cell = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for idx in order {
        let (x, y, g) = rows[*idx];
        let group = g.map_or_else(String::new, |g| format!("g{g}"));
        writeln!(csv, "k{idx},{},{},{group}", cell(x), cell(y)).unwrap();
    }
    let numeric = |name| Declaration::of(name).kind(dataset::ColumnKind::Numeric);
    let options = ImportOptions::named("t")
        .with_key("key")
        .declare(numeric("x"))
        .declare(numeric("y"))
        .declare(Declaration::of("g").kind(dataset::ColumnKind::Categorical));
    table_with(&csv, &options)
}

fn everything() -> DependencyRequest {
    match ask(
        &["x", "y", "g"],
        &[("kind", "pearson,spearman,regression,anova"), ("groups", "g")],
    ) {
        Request::Dependency(request) => request,
        request => panic!("{request:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_order_of_rows_and_no_number_of_threads_changes_a_byte(
        rows in proptest::collection::vec(
            (
                proptest::option::weighted(0.9, prop_oneof![(-3_i8..3).prop_map(f64::from), -1e6..1e6_f64]),
                proptest::option::weighted(0.9, prop_oneof![(-3_i8..3).prop_map(f64::from), -1e-3..1e9_f64]),
                proptest::option::weighted(0.9, 0_u8..3),
            ),
            4..14,
        ),
        seed in any::<u64>(),
    ) {
        let straight: Vec<usize> = (0..rows.len()).collect();
        let mut shuffled = straight.clone();
        let mut state = seed;
        for idx in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            shuffled.swap(idx, (state >> 33) as usize % (idx + 1));
        }
        let request = Request::Dependency(everything());
        let first = analyze(&keyed(&rows, &straight), &request);
        for n_threads in 1..4 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let again = pool.install(|| analyze(&keyed(&rows, &shuffled), &request));
            match (&first, &again) {
                (Ok(first), Ok(again)) => {
                    prop_assert_eq!(first.content_bytes(), again.content_bytes());
                    let without_fingerprint = |analysis: &Analysis| {
                        let claims = analysis.receipts().iter();
                        claims.map(|one| (one.assumptions.clone(), one.sensitivity.clone(), one.limitations.clone())).collect::<Vec<_>>()
                    };
                    prop_assert_eq!(without_fingerprint(first), without_fingerprint(again));
                }
                (Err(first), Err(again)) => prop_assert_eq!(first, again),
                (first, again) => prop_assert!(false, "{:?} against {:?}", first.is_ok(), again.is_ok()),
            }
        }
    }
}
