//! What statistics exist, and what is said when they do not.

use dataset::{Declaration, ImportOptions, ObservationStructure, Scale};

use crate::{answer, codes, finite, record, rows, statistics, statistics_at, table, table_with};

#[test]
fn one_value_has_a_mean_and_no_spread() {
    let dataset = table("x,y\n5,1\n,2\n");
    let analysis = answer(&dataset, &statistics(&["x"]));
    let one = record(&analysis);
    assert_eq!((one.count.get(), one.missing.get()), (1, 1));
    assert_eq!(one.mean, Some(finite(5.0)));
    assert_eq!((one.standard_deviation, one.mean_interval.clone()), (None, None));
    assert_eq!((one.minimum, one.maximum), (Some(finite(5.0)), Some(finite(5.0))));
    assert_eq!(one.quantiles.len(), 3);
    assert_eq!(codes(&analysis), ["ROWS_EXCLUDED_MISSING", "TOO_FEW_VALUES"]);
    let text = String::from_utf8(analysis.content_bytes().to_vec()).unwrap();
    assert!(
        !text.contains("standardDeviation") && !text.contains("null"),
        "absent, not null: {text}"
    );

    let analysis = answer(&dataset, &statistics(&["y"]));
    assert!(record(&analysis).standard_deviation.is_some() && record(&analysis).mean_interval.is_some());
    assert_eq!(codes(&analysis), ["INDEPENDENCE_UNTESTED", "NORMALITY_UNTESTED"]);
}

#[test]
fn no_value_has_no_statistic() {
    let options = ImportOptions::named("t").declare(Declaration::of("x").kind(dataset::ColumnKind::Numeric));
    let dataset = table_with("x,y\n,1\n,2\n", &options);
    let analysis = answer(&dataset, &statistics(&["x"]));
    let none = record(&analysis);
    assert_eq!((none.count.get(), none.missing.get()), (0, 2));
    assert_eq!((none.mean, none.minimum, none.quantiles.len()), (None, None, 0));
    assert_eq!(analysis.receipts()[0].sample_support.rows_used.get(), 0);
    assert_eq!(analysis.provenance().rows_used.get(), 0);
    assert_eq!(analysis.provenance().excluded[0].row_count.get(), 2);
    assert_eq!(codes(&analysis), ["ROWS_EXCLUDED_MISSING", "TOO_FEW_VALUES"]);
}

#[test]
fn constants_are_named() {
    let analysis = answer(&table("x\n0.1\n0.1\n0.1\n"), &statistics(&["x"]));
    let constant = record(&analysis);
    assert_eq!(
        (constant.mean, constant.standard_deviation),
        (Some(finite(0.1)), Some(finite(0.0)))
    );
    let interval = constant.mean_interval.as_ref().unwrap();
    assert_eq!((interval.lower, interval.upper), (finite(0.1), finite(0.1)));
    assert!(codes(&analysis).contains(&"CONSTANT_VALUES"));
    assert!(!codes(&answer(&table("x\n0.1\n0.1\n0.2\n"), &statistics(&["x"]))).contains(&"CONSTANT_VALUES"));
}

#[test]
fn a_scale_without_sums_has_no_mean() {
    let cases = [
        (Scale::Ratio, true, true),
        (Scale::Ordinal, false, true),
        (Scale::Nominal, false, false),
        (Scale::Circular, false, false),
        (Scale::Identifier, false, false),
    ];
    for (scale, has_mean, has_quantiles) in cases {
        let options = ImportOptions::named("t").declare(Declaration::of("x").scale(scale));
        let analysis = answer(&table_with("x\n1\n2\n4\n", &options), &statistics(&["x"]));
        let found = record(&analysis);
        assert_eq!(found.mean.is_some(), has_mean, "{scale}");
        assert_eq!(found.mean_interval.is_some(), has_mean, "{scale}");
        assert_eq!(!found.quantiles.is_empty(), has_quantiles, "{scale}");
        assert!(found.minimum.is_some(), "{scale}");
        assert_eq!(
            codes(&analysis).contains(&"NOT_MEANINGFUL_ON_SCALE"),
            !has_mean,
            "{scale}"
        );
    }
}

#[test]
fn dependent_rows_get_no_interval() {
    let declared = |structure| {
        let declaration = Declaration {
            observation_structure: Some(structure),
            ..Declaration::of("x")
        };
        let options = ImportOptions::named("t").declare(declaration);
        answer(&table_with("x\n1\n2\n4\n", &options), &statistics(&["x"]))
    };
    let repeated = declared(ObservationStructure::RepeatedMeasures);
    assert!(record(&repeated).mean_interval.is_none() && record(&repeated).standard_deviation.is_some());
    assert!(repeated.receipts()[0].uncertainty.is_none() && repeated.receipts()[0].assumptions.is_empty());
    assert!(codes(&repeated).contains(&"INTERVAL_NOT_GIVEN"));

    let independent = declared(ObservationStructure::Iid);
    assert!(record(&independent).mean_interval.is_some());
    assert_eq!(
        independent.receipts()[0].assumptions[0].detail,
        "declared independent and identically distributed at import; the data can't show it"
    );
    assert_eq!(independent.receipts()[0].assumptions[0].status, "satisfied");
    assert!(!codes(&independent).contains(&"INDEPENDENCE_UNTESTED"));
    assert!(!codes(&independent).contains(&"INTERVAL_NOT_GIVEN"));
}

#[test]
fn what_exceeds_the_doubles_is_absent() {
    let analysis = answer(&table("x\n1.7e308\n-1.7e308\n"), &statistics(&["x"]));
    let wide = record(&analysis);
    assert_eq!(
        (wide.mean, wide.standard_deviation, wide.mean_interval.clone()),
        (Some(finite(0.0)), None, None)
    );
    assert!(codes(&analysis).contains(&"OUT_OF_RANGE"));
    let analysis = answer(&table("x\n1.7e307\n-1.7e307\n"), &statistics(&["x"]));
    assert!(
        record(&analysis).standard_deviation.is_some(),
        "its interval is too wide, its deviation is not"
    );
    assert_eq!(record(&analysis).mean_interval, None);
    let analysis = answer(&table("x\n1.7e300\n-1.7e300\n"), &statistics(&["x"]));
    assert!(record(&analysis).mean_interval.is_some() && !codes(&analysis).contains(&"OUT_OF_RANGE"));
}

#[test]
fn the_level_widens_the_interval() {
    let dataset = table("x\n1\n2\n4\n8\n");
    let width = |level: f64| {
        let analysis = answer(&dataset, &statistics_at(&["x"], &[], level));
        let interval = record(&analysis).mean_interval.clone().unwrap();
        interval.upper.get() - interval.lower.get()
    };
    assert!(width(0.5) < width(0.9) && width(0.9) < width(0.99));
    // t(0.975, 3) = 3.182446305284 times s/√n with s² = 115/12.
    assert!((width(0.95) - 2.0 * 3.182_446_305_283_708 * (115.0_f64 / 48.0).sqrt()).abs() < 1e-13);
}

#[test]
fn exclusions_tell_which_columns_lack_a_value() {
    let analysis = answer(
        &table("a,b,c\n1,2,x\n,2,x\n,,x\n1,,y\n,2,y\n"),
        &rows(&["a", "b", "c"]),
    );
    let excluded: Vec<(Vec<String>, i64)> = analysis
        .provenance()
        .excluded
        .iter()
        .map(|exclusion| (exclusion.columns.clone(), exclusion.row_count.get()))
        .collect();
    let of = |names: &[&str]| crate::names(names);
    assert_eq!(excluded, [(of(&["a"]), 2), (of(&["a", "b"]), 1), (of(&["b"]), 1)]);
    assert!(
        codes(&analysis).contains(&"CATEGORY_WITHOUT_ROWS"),
        "no complete row has c = y"
    );
    assert_eq!(analysis.leaf().unwrap().categories("c").unwrap().0, ["x"]);
}

/// The standing of the mean's normality, with its detail.
fn normality(csv: &str, level: f64) -> (String, String, bool) {
    let analysis = answer(&table(csv), &statistics_at(&["x"], &[], level));
    let assumption = &analysis.receipts()[0].assumptions[1];
    assert_eq!(assumption.assumption, "the mean is about normally distributed");
    let is_limited = codes(&analysis).contains(&"NORMALITY_UNTESTED");
    (assumption.status.clone(), assumption.detail.clone(), is_limited)
}

#[test]
fn the_mean_is_normal_when_cochrans_rule_says_so() {
    let column = |n: usize, outliers: usize| {
        let plain = (0..n - outliers).map(|idx| format!("{}\n", idx % 7));
        let far = (0..outliers).map(|_| "90\n".to_owned());
        format!("x\n{}", plain.chain(far).collect::<String>())
    };
    // Even values: little skewness.
    let (status, detail, is_limited) = normality(&column(30, 0), 0.95);
    assert_eq!((status.as_str(), is_limited), ("satisfied", false), "{detail}");
    assert!(
        detail.contains("Cochran 1977") && detail.contains("there are 30"),
        "{detail}"
    );
    // One value far out of 31: a skewness of about 5.2 asks for 670.
    let (status, detail, is_limited) = normality(&column(31, 1), 0.95);
    assert_eq!((status.as_str(), is_limited), ("unchecked", true), "{detail}");
    assert!(detail.starts_with("the check does not support it"), "{detail}");
    // Too few to know their skewness, and a level the rule does not speak of.
    for (csv, level) in [(column(29, 0), 0.95), (column(30, 0), 0.99)] {
        let (status, detail, is_limited) = normality(&csv, level);
        assert_eq!((status.as_str(), is_limited), ("unchecked", true), "{detail}");
    }
    assert_eq!(
        normality(&column(1000, 40), 0.95).0,
        "satisfied",
        "many values make up for skewness"
    );
}

#[test]
fn generated_data_of_nist_come_out_exactly() {
    // NumAcc1 to NumAcc4 of the Statistical Reference Datasets, made by their definition: a middle value, then 1,000
    // times in turn one below and one above. Mean and standard deviation are certified exactly.
    let alternating = |middle: &str, below: &str, above: &str| {
        let pairs = format!("{below}\n{above}\n").repeat(500);
        format!("x\n{middle}\n{pairs}")
    };
    let cases = [
        (
            "x\n10000001\n10000003\n10000002\n".to_owned(),
            10_000_002.0,
            1.0,
            15.0,
        ),
        (alternating("1.2", "1.1", "1.3"), 1.2, 0.1, 14.0),
        (
            alternating("1000000.2", "1000000.1", "1000000.3"),
            1_000_000.2,
            0.1,
            9.0,
        ),
        (
            alternating("10000000.2", "10000000.1", "10000000.3"),
            10_000_000.2,
            0.1,
            8.0,
        ),
    ];
    for (csv, mean, deviation, digits) in cases {
        let analysis = answer(&table(&csv), &statistics(&["x"]));
        let found = record(&analysis);
        let correct = |found: f64, certified: f64| -libm::log10(((found - certified) / certified).abs());
        assert!(correct(found.mean.unwrap().get(), mean) >= 15.0, "{mean}");
        let spread = found.standard_deviation.unwrap().get();
        assert!(correct(spread, deviation) >= digits, "{mean}: {spread}");
        let lossy = codes(&analysis).contains(&"CONDITIONING_LOSSY");
        assert_eq!(lossy, digits < 12.0, "{mean}: a loss of digits is said");
    }
}
