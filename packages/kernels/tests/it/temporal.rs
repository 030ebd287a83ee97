//! Series in the order of time: order, gaps, zones, trends, what other programs say, what is refused, invariance.

use std::fmt::Write as _;

use dataset::{Dataset, Declaration, ImportOptions, ObservationStructure, Scale};
use kernels::wire::v1::{Content, Receipt, Request, TemporalContent};
use kernels::{Analysis, Filled, KernelError, analyze, request, request_about, slots};
use proptest::prelude::*;
use refusal::Reason;

use crate::{answer, codes, names, table, table_with};

fn ask(columns: &[&str], settings: &[(&str, &str)]) -> Request {
    request("temporal", names(columns), settings).unwrap()
}

fn content(analysis: &Analysis) -> &TemporalContent {
    match analysis.content() {
        Content::Temporal(content) => content,
        content => panic!("not temporal: {content:?}"),
    }
}

fn status<'a>(receipt: &'a Receipt, start: &str) -> &'a str {
    let found = receipt
        .assumptions
        .iter()
        .find(|assumption| assumption.assumption.starts_with(start));
    &found.unwrap().status
}

fn agree(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() <= 1e-12 * expected.abs(),
        "{what}: {found} against {expected}"
    );
}

/// Keys of the leaf's rows in its order.
fn keys(analysis: &Analysis) -> Vec<String> {
    let leaf = analysis.leaf().unwrap();
    (0..leaf.n_rows()).map(|row_idx| leaf.row_key(row_idx)).collect()
}

#[test]
fn scipy_says_the_same_of_trends() {
    let recorded: serde_json::Value =
        serde_json::from_str(include_str!("../../../../tests/vectors/temporal/recorded.json")).unwrap();
    for trend in recorded["trends"].as_array().unwrap() {
        let numbers = |name: &str| {
            trend[name]
                .as_array()
                .unwrap()
                .iter()
                .map(|value| value.as_f64().unwrap())
        };
        let mut csv = "when,y\n".to_owned();
        for (time, value) in numbers("time").zip(numbers("values")) {
            writeln!(csv, "{time},{value}").unwrap();
        }
        let analysis = answer(&table(&csv), &ask(&["when", "y"], &[("unit", "a")]));
        let found = &content(&analysis).trends[0];
        let number = |name: &str| trend[name].as_f64().unwrap();
        let interval = found.interval.as_ref().unwrap();
        agree(found.slope.unwrap().get(), number("slope"), "slope");
        agree(interval.lower.get(), number("lower"), "lower");
        agree(interval.upper.get(), number("upper"), "upper");
        agree(found.kendall_tau.unwrap().get(), number("tau"), "tau");
        agree(found.test.as_ref().unwrap().p_value.get(), number("tauP"), "p");
        agree(found.line_slope.unwrap().get(), number("ols"), "line");
        agree(
            found.line_standard_error.unwrap().get(),
            number("olsError"),
            "error",
        );
        let scaled = answer(&table(&csv), &ask(&["when", "y"], &[("unit", "a"), ("per", "d")]));
        let scaled = content(&scaled).trends[0].slope.unwrap().get();
        agree(scaled, number("slope") / 365.25, "per day");
    }
}

#[test]
fn the_nile_is_autocorrelated_and_that_is_said() {
    let nile = table(include_str!("../../../../tests/vectors/temporal/nile.csv"));
    let analysis = answer(&nile, &ask(&["year", "volume"], &[("unit", "a")]));
    assert!(codes(&analysis).contains(&"AUTOCORRELATION_PRESENT"));
    let trend = &analysis.receipts()[1];
    assert_eq!(trend.receipt_id, "temporal:trend:volume");
    assert_eq!(status(trend, "values near in time"), "violated");
    assert!(
        trend
            .limitations
            .iter()
            .any(|text| text.contains("times as wide")),
        "{:?}",
        trend.limitations
    );
    assert!(trend.uncertainty.is_some() && !trend.sensitivity.is_empty());
    let even = table("t,y\n1,2\n2,3\n3,2\n4,3\n5,6\n6,7\n7,6\n8,7\n9,10\n10,11\n");
    let even = answer(&even, &ask(&["t", "y"], &[("unit", "d")]));
    assert!(!codes(&even).contains(&"AUTOCORRELATION_PRESENT"));
    assert_eq!(status(&even.receipts()[1], "values near in time"), "satisfied");
}

#[test]
fn rows_are_put_in_the_order_of_time_and_ties_in_that_of_keys() {
    let options = ImportOptions::named("t").with_key("id");
    let dataset = table_with(
        "id,day,y\nb,2020-01-03,3\nc,2020-01-01,1\nz,2020-01-02,2\na,2020-01-02,5\nd,,7\n",
        &options,
    );
    let analysis = answer(&dataset, &ask(&["day", "y"], &[]));
    assert_eq!(keys(&analysis), ["c", "a", "z", "b"]);
    let leaf = analysis.leaf().unwrap();
    assert_eq!(leaf.number("day").unwrap()[0], 1_577_836_800.0);
    assert_eq!(leaf.number("y").unwrap(), [1.0, 5.0, 2.0, 3.0]);
    let found = content(&analysis);
    assert_eq!(
        (found.tied.get(), found.time_unit.as_str(), found.origin.as_str()),
        (1, "s", "local")
    );
    assert!(
        codes(&analysis).contains(&"TIES_PRESENT") && codes(&analysis).contains(&"ROWS_EXCLUDED_MISSING")
    );
    assert_eq!(
        status(&analysis.receipts()[0], "every row has one place"),
        "violated"
    );

    let plain = answer(
        &table("day,y\n2020-01-02,2\n2020-01-01,1\n2020-01-03,4\n"),
        &ask(&["day", "y"], &[]),
    );
    assert_eq!(keys(&plain), ["row:2", "row:1", "row:3"]);
    assert!(!codes(&plain).contains(&"TIES_PRESENT"));
    let sorted = answer(
        &table("day,y\n2020-01-01,1\n2020-01-02,2\n2020-01-03,4\n"),
        &ask(&["day", "y"], &[]),
    );
    assert_eq!(keys(&sorted), ["row:1", "row:2", "row:3"]);
    // One unit a day, though times are counted in seconds.
    agree(content(&sorted).trends[0].slope.unwrap().get(), 1.5, "slope");
    assert_eq!(content(&sorted).trends[0].per, "d");
}

#[test]
fn gaps_are_told_by_the_rows_around_them() {
    let csv = "day,y\n2020-01-01,1\n2020-01-02,2\n2020-01-03,2\n2020-01-10,4\n2020-01-11,3\n";
    let analysis = answer(&table(csv), &ask(&["day", "y"], &[]));
    let found = content(&analysis);
    assert_eq!(
        (found.gap_count.get(), found.median_step.unwrap().get()),
        (1, 86_400.0)
    );
    assert_eq!(
        (found.gaps[0].after.as_str(), found.gaps[0].before.as_str()),
        ("row:3", "row:4")
    );
    assert_eq!(found.gaps[0].step.get(), 7.0 * 86_400.0);
    assert!(codes(&analysis).contains(&"GAPS_PRESENT"));
    let order = &analysis.receipts()[0];
    assert_eq!(
        (order.receipt_id.as_str(), status(order, "no step is longer")),
        ("temporal:order:day", "violated")
    );
    assert!(
        !order.sensitivity[0].materially_changed,
        "{:?}",
        order.sensitivity
    );
    let wide = answer(&table(csv), &ask(&["day", "y"], &[("gap", "8")]));
    assert_eq!(content(&wide).gap_count.get(), 0);
    assert!(!codes(&wide).contains(&"GAPS_PRESENT"));
    assert!(
        wide.receipts()[0].sensitivity[0].materially_changed,
        "a smaller factor finds it"
    );
}

#[test]
fn zones_are_brought_together_or_refused() {
    let read = |times: [&str; 3]| {
        let csv = format!("t,y\n{},1\n{},2\n{},3\n", times[0], times[1], times[2]);
        analyze(&table(&csv), &ask(&["t", "y"], &[]))
    };
    let mixed = read([
        "2020-01-01T00:00:00+02:00",
        "2019-12-31T23:00:00Z",
        "2020-01-01T01:00:00Z",
    ])
    .unwrap();
    assert_eq!(content(&mixed).origin, "utc");
    assert_eq!(
        mixed.leaf().unwrap().number("t").unwrap()[0],
        1_577_836_800.0 - 7_200.0
    );
    assert_eq!(keys(&mixed), ["row:1", "row:2", "row:3"]);
    let detail = |analysis: &Analysis| {
        let found = analysis.receipts()[0]
            .assumptions
            .iter()
            .find(|one| one.assumption == "times have one origin");
        found.unwrap().detail.clone()
    };
    assert!(detail(&mixed).contains("offsets from UTC differ"));
    let local = read([
        "2020-01-01T00:00:00",
        "2020-01-01T01:00:00",
        "2020-01-01T02:00:00",
    ])
    .unwrap();
    assert!(detail(&local).contains("no zone is stated") && content(&local).origin == "local");
    let error = read([
        "2020-01-01T00:00:00Z",
        "2020-01-01T01:00:00",
        "2020-01-01T02:00:00Z",
    ])
    .unwrap_err();
    assert!(
        matches!(&error, KernelError::Undetermined { problem, .. } if problem.contains("no common order"))
    );

    let leap = read([
        "2016-12-31T23:59:59Z",
        "2016-12-31T23:59:60Z",
        "2017-01-01T00:00:01Z",
    ])
    .unwrap();
    assert_eq!(status(&leap.receipts()[0], "days have 86,400"), "violated");
    assert_eq!(status(&mixed.receipts()[0], "days have 86,400"), "satisfied");
}

#[test]
fn times_are_exact_or_refused() {
    let millis = table("epoch_ms,y\n1577836800123,1\n1577836800124,2\n1577836800126,4\n");
    let analysis = answer(&millis, &ask(&["epoch_ms", "y"], &[]));
    let exact = [1_577_836_800_123.0, 1_577_836_800_124.0, 1_577_836_800_126.0];
    assert_eq!(analysis.leaf().unwrap().number("epoch_ms").unwrap(), exact);
    assert_eq!(
        (
            content(&analysis).time_unit.as_str(),
            content(&analysis).origin.as_str()
        ),
        ("ms", "asRecorded")
    );
    agree(
        content(&analysis).trends[0].slope.unwrap().get(),
        1.0,
        "per millisecond",
    );

    let written =
        table("t,y\n2020-01-01T00:00:00.123Z,1\n2020-01-01T00:00:00.124Z,2\n2020-01-01T00:00:00.126Z,4\n");
    let analysis = answer(&written, &ask(&["t", "y"], &[("per", "s")]));
    assert_eq!(analysis.leaf().unwrap().number("t").unwrap(), exact);
    agree(
        content(&analysis).trends[0].slope.unwrap().get(),
        1000.0,
        "per second",
    );
    let finer =
        table("t,y\n2020-01-01T00:00:00.1234567Z,1\n2020-01-01T00:00:01Z,2\n2020-01-01T00:00:02Z,4\n");
    assert!(matches!(
        analyze(&finer, &ask(&["t", "y"], &[])),
        Err(KernelError::Undetermined { .. })
    ));
    let zeros =
        table("t,y\n2020-01-01T00:00:00.1234560Z,1\n2020-01-01T00:00:01Z,2\n2020-01-01T00:00:02Z,4\n");
    assert_eq!(content(&answer(&zeros, &ask(&["t", "y"], &[]))).time_unit, "us");
}

#[test]
fn what_can_not_be_taken_is_refused() {
    let dataset =
        table("t,y,g,day\n1,2,a,2020-01-01\n2,3,b,2020-01-02\n3,5,a,2020-01-03\n4,4,b,2020-01-04\n");
    let refused = |columns: &[&str], settings: &[(&str, &str)]| {
        request("temporal", names(columns), settings)
            .and_then(|request| analyze(&dataset, &request).map(|_| ()))
            .err()
    };
    let unit = [("unit", "s")];
    assert_eq!(refused(&["t", "y"], &unit), None);
    assert_eq!(
        refused(
            &["day", "t", "y"],
            &[("per", "a"), ("gap", "2"), ("level", "0.9")]
        ),
        None
    );
    let error = refused(&["t", "y"], &[]).unwrap();
    assert!(matches!(error, KernelError::MeaningMissing { .. }));
    assert_eq!(error.refusal().reason(), Reason::InventedMeaning);
    for settings in [
        &[("unit", "weeks")][..],
        &[("per", "d"), ("gap", "0.5")],
        &[("time", "z")],
        &[("gab", "2")],
    ] {
        let error = refused(&["day", "y"], settings).unwrap();
        assert_eq!(error.refusal().reason(), Reason::Malformed, "{error}");
    }
    assert!(
        matches!(refused(&["day", "y"], &unit), Some(KernelError::Setting { .. })),
        "dates have a unit"
    );
    assert!(matches!(
        refused(&["day"], &[]),
        Some(KernelError::ColumnCount { .. })
    ));
    assert!(matches!(
        refused(&["g", "y"], &[]),
        Some(KernelError::KindUnsupported { .. })
    ));
    assert!(matches!(
        refused(&["day", "g"], &[]),
        Some(KernelError::KindUnsupported { .. })
    ));
    assert!(matches!(
        refused(&["day", "y"], &[("level", "0")]),
        Some(KernelError::ConfidenceLevel { .. })
    ));
    let one = table("day,y\n2020-01-01,1\n2020-01-02,\n");
    assert!(matches!(
        analyze(&one, &ask(&["day", "y"], &[])),
        Err(KernelError::TooFew { .. })
    ));
    let declared = |scale| {
        let options = ImportOptions::named("t").declare(Declaration::of("y").scale(scale));
        answer(
            &table_with("day,y\n2020-01-01,1\n2020-01-02,2\n2020-01-03,4\n", &options),
            &ask(&["day", "y"], &[]),
        )
    };
    assert_eq!(content(&declared(Scale::Ordinal)).trends[0].slope, None);
    assert!(codes(&declared(Scale::Ordinal)).contains(&"NOT_MEANINGFUL_ON_SCALE"));
    assert!(content(&declared(Scale::Ratio)).trends[0].slope.is_some());
}

#[test]
fn the_default_time_is_the_only_column_of_dates() {
    let dataset = table("y,day,z\n1,2020-01-01,4\n2,2020-01-02,3\n3,2020-01-03,7\n");
    let request = request_about(&dataset, "temporal", names(&["y", "day", "z"]), &[]).unwrap();
    let Request::Temporal(asked) = &request else {
        panic!("{request:?}")
    };
    assert_eq!(asked.time, "day");
    let analysis = answer(&dataset, &request);
    let ids: Vec<&str> = analysis
        .receipts()
        .iter()
        .map(|receipt| receipt.receipt_id.as_str())
        .collect();
    assert_eq!(
        ids,
        ["temporal:order:day", "temporal:trend:y", "temporal:trend:z"]
    );
    assert!(codes(&analysis).contains(&"MANY_COMPARISONS"));
    let stated = request_about(
        &dataset,
        "temporal",
        names(&["y", "day"]),
        &[("time", "y"), ("unit", "d")],
    )
    .unwrap();
    assert!(matches!(stated, Request::Temporal(asked) if asked.time == "y"));
}

#[test]
fn dependent_rows_get_no_interval_unless_time_is_their_order() {
    let declared = |structure| {
        let declaration = Declaration {
            observation_structure: Some(structure),
            ..Declaration::of("y")
        };
        let csv = "day,y\n2020-01-01,1\n2020-01-02,2\n2020-01-03,2\n2020-01-04,4\n2020-01-05,3\n";
        let options = ImportOptions::named("t").declare(declaration);
        answer(&table_with(csv, &options), &ask(&["day", "y"], &[]))
    };
    let grouped = declared(ObservationStructure::Grouped);
    let trend = &content(&grouped).trends[0];
    assert!(trend.interval.is_none() && trend.test.is_none() && trend.slope.is_some());
    assert!(codes(&grouped).contains(&"INTERVAL_NOT_GIVEN") && grouped.receipts()[1].uncertainty.is_none());
    let sequence = declared(ObservationStructure::TemporalSequence);
    assert!(
        content(&sequence).trends[0].interval.is_some() && !codes(&sequence).contains(&"INTERVAL_NOT_GIVEN")
    );
}

#[test]
fn too_many_rows_for_pairs_keep_their_line_and_say_so() {
    let long = |n: usize| {
        let rows = (0..n).map(|idx| format!("{idx},{}\n", 2 * idx + idx * idx * 7 % 11));
        table(&rows.fold("t,y\n".to_owned(), |csv, row| csv + &row))
    };
    let analysis = answer(&long(3_001), &ask(&["t", "y"], &[("unit", "s")]));
    let trend = &content(&analysis).trends[0];
    assert!(trend.slope.is_none() && trend.interval.is_none() && trend.line_slope.is_some());
    assert!(
        analysis
            .limitations()
            .iter()
            .any(|one| one.sentence().contains("up to 3000 rows"))
    );
    let analysis = answer(&long(300), &ask(&["t", "y"], &[("unit", "s")]));
    assert!(content(&analysis).trends[0].slope.is_some());
}

#[test]
fn outputs_fill_the_slots_of_the_request() {
    let dataset = table("day,depth_mm,y\n2020-01-01,4,1\n2020-01-02,3,2\n2020-01-04,7,2\n2020-01-05,6,9\n");
    let request = ask(&["day", "depth_mm", "y"], &[]);
    let analysis = answer(&dataset, &request);
    let filled: Vec<_> = analysis
        .outputs()
        .iter()
        .map(|output| output.slot.clone())
        .collect();
    assert_eq!(filled, slots(&request));
    let family = kernels::FAMILIES
        .iter()
        .find(|family| family.word == "temporal")
        .unwrap();
    for output in analysis.outputs() {
        assert!(!matches!(output.filled, Filled::Absent(_)), "{:?}", output.slot);
        assert!(
            family.paths.contains(&output.slot.path.as_str()),
            "{}",
            output.slot.path
        );
    }
    let slope = analysis
        .outputs()
        .iter()
        .find(|output| output.slot.path == "slope")
        .unwrap();
    assert_eq!(
        slope.measure.unit,
        Some(("mm/d".to_owned(), "inferred".to_owned()))
    );
    assert!(analysis.receipts()[1].estimand.contains("mm per d"));
    let json = serde_json::to_string(analysis.content()).unwrap();
    assert_eq!(
        serde_json::from_str::<Content>(&json).unwrap(),
        *analysis.content()
    );
    assert_eq!(content(&analysis).leaf, analysis.leaf().unwrap().digest());
}

fn keyed(rows: &[(Option<i32>, Option<f64>)], order: &[usize]) -> Dataset {
    let mut csv = "key,t,y\n".to_owned();
    for idx in order {
        let (time, value) = rows[*idx];
        let time = time.map_or_else(String::new, |time| time.to_string());
        let value = value.map_or_else(String::new, |value| value.to_string());
        writeln!(csv, "k{idx},{time},{value}").unwrap();
    }
    let numeric = |name| Declaration::of(name).kind(dataset::ColumnKind::Numeric);
    let options = ImportOptions::named("t")
        .with_key("key")
        .declare(numeric("t"))
        .declare(numeric("y"));
    table_with(&csv, &options)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_order_of_rows_and_no_number_of_threads_changes_a_byte(
        rows in proptest::collection::vec(
            (
                proptest::option::weighted(0.9, -4_i32..9),
                proptest::option::weighted(0.9, prop_oneof![(-3_i8..3).prop_map(f64::from), -1e6..1e6_f64]),
            ),
            3..14,
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
        let request = ask(&["t", "y"], &[("unit", "d")]);
        let first = analyze(&keyed(&rows, &straight), &request);
        for n_threads in 1..4 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let again = pool.install(|| analyze(&keyed(&rows, &shuffled), &request));
            match (&first, &again) {
                (Ok(first), Ok(again)) => {
                    // Rows are keyed, so the leaf is the same too, byte for byte.
                    prop_assert_eq!(first.content_bytes(), again.content_bytes());
                    prop_assert_eq!(first.leaf_bytes(), again.leaf_bytes());
                }
                (Err(first), Err(again)) => prop_assert_eq!(first, again),
                (first, again) => prop_assert!(false, "{:?} against {:?}", first.is_ok(), again.is_ok()),
            }
        }
    }
}
