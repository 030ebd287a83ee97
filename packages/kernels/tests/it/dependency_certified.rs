//! Certified values of NIST and what SciPy and statsmodels say, for correlations, regressions and analyses of variance.
use std::fmt::Write as _;

use dataset::Dataset;
use kernels::wire::v1::{Coefficient, Correlation};

use crate::dependency::{anova, ask, content, receipt, regression, status};
use crate::{answer, codes, penguins, table};

/// Digits that agree: the negative decimal logarithm of the relative error.
fn digits(found: f64, certified: f64) -> f64 {
    if found == certified {
        return 17.0;
    }
    -libm::log10((found - certified).abs() / certified.abs())
}

fn agree(found: f64, expected: f64, bound: f64, what: &str) {
    assert!(
        (found - expected).abs() <= bound * expected.abs(),
        "{what}: {found} against {expected}"
    );
}

/// Value pairs of a NIST file after its line `Data:`.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    let (_, data) = text.rsplit_once("Data: ").unwrap();
    let fields = data.lines().skip(1).filter_map(|line| {
        let mut fields = line.split_whitespace();
        fields.next().zip(fields.next())
    });
    fields.collect()
}

#[test]
fn norris_has_its_certified_digits() {
    let mut csv = "y,x\n".to_owned();
    for (y, x) in pairs(include_str!("../../../../tests/vectors/nist/Norris.dat")) {
        writeln!(csv, "{y},{x}").unwrap();
    }
    let dataset = table(&csv);
    let request = ask(&["y", "x"], &[("kind", "regression"), ("response", "y")]);
    let analysis = answer(&dataset, &request);
    let fit = &content(&analysis).regressions[0];
    let certified = [
        (fit.intercept.estimate, -0.262323073774029),
        (fit.intercept.standard_error, 0.232818234301152),
        (fit.slopes[0].estimate, 1.00211681802045),
        (fit.slopes[0].standard_error, 0.429796848199937e-3),
        (fit.residual_standard_deviation, 0.884796396144373),
        (fit.r_squared, 0.999993745883712),
        (fit.test.as_ref().unwrap().statistic, 5436385.54079785),
    ];
    for (found, certified) in certified {
        let digits = digits(found.get(), certified);
        assert!(digits > 13.0, "{found} against {certified}: {digits}");
    }
    assert_eq!(
        receipt(&analysis, "dependency:regression:y~x")
            .sample_support
            .rows_used
            .get(),
        36
    );
}

fn longley() -> Dataset {
    table(include_str!("../../../../tests/vectors/dependency/longley.csv"))
}

#[test]
fn longley_has_its_certified_digits() {
    let columns = ["GNPDEFL", "GNP", "UNEMP", "ARMED", "POP", "YEAR", "TOTEMP"];
    let (fit, analysis) = regression(&longley(), &columns);
    // Certified by NIST (StRD, Longley), estimate and standard deviation.
    let certified = [
        (-3482258.63459582, 890420.383607373),
        (15.0618722713733, 84.9149257747669),
        (-0.358191792925910e-01, 0.334910077722432e-01),
        (-2.02022980381683, 0.488399681651699),
        (-1.03322686717359, 0.214274163161675),
        (-0.511041056535807e-01, 0.226073200069370),
        (1829.15146461355, 455.478499142212),
    ];
    let found: Vec<&Coefficient> = std::iter::once(&fit.intercept).chain(&fit.slopes).collect();
    for (coefficient, (estimate, error)) in found.iter().zip(certified) {
        let (a, b) = (
            digits(coefficient.estimate.get(), estimate),
            digits(coefficient.standard_error.get(), error),
        );
        assert!(a > 12.0 && b > 12.0, "{}: {a} and {b} digits", coefficient.term);
    }
    assert!(digits(fit.residual_standard_deviation.get(), 304.854073561965) > 13.0);
    assert!(digits(fit.r_squared.get(), 0.995479004577296) > 13.0);
    assert!(digits(fit.test.as_ref().unwrap().statistic.get(), 330.285339234588) > 12.0);
    assert!(codes(&analysis).contains(&"COLLINEAR"));
    let receipt = &analysis.receipts()[0];
    assert_eq!(status(receipt, "no predictor is nearly"), "violated");
    // Condition number of the standardized predictors: 110.5 by a singular value decomposition of numpy.
    agree(
        fit.condition_number.get(),
        110.544_153_442_313_59,
        1e-10,
        "condition number",
    );
}

#[test]
fn one_predictor_is_not_collinear() {
    let (fit, analysis) = regression(&longley(), &["YEAR", "TOTEMP"]);
    agree(fit.condition_number.get(), 1.0, 1e-14, "condition number");
    assert!(!codes(&analysis).contains(&"COLLINEAR"));
}

struct Certified {
    text: String,
    between: f64,
    within: f64,
    f: f64,
    r_squared: f64,
    deviation: f64,
    digits: f64,
    states_loss: bool,
}

fn certified() -> Vec<Certified> {
    const SMLS01: &str = include_str!("../../../../tests/vectors/nist/SmLs01.dat");
    const SMLS02: &str = include_str!("../../../../tests/vectors/nist/SmLs02.dat");
    const SMLS06: &str = include_str!("../../../../tests/vectors/nist/SmLs06.dat");
    let small = |text: &str, digits, states_loss| Certified {
        text: text.to_owned(),
        between: 1.68,
        within: 1.80,
        f: 21.0,
        r_squared: 4.827_586_206_896_55e-1,
        deviation: 0.1,
        digits,
        states_loss,
    };
    let middle = |text: &str, digits, states_loss| Certified {
        between: 16.08,
        within: 18.0,
        f: 201.0,
        r_squared: 4.718_309_859_154_93e-1,
        ..small(text, digits, states_loss)
    };
    let large = |text: &str, digits, states_loss| Certified {
        between: 160.08,
        within: 180.0,
        f: 2001.0,
        r_squared: 4.707_127_734_650_67e-1,
        ..small(text, digits, states_loss)
    };
    vec![
        Certified {
            text: include_str!("../../../../tests/vectors/nist/SiRstv.dat").to_owned(),
            between: 5.114_626_16e-2,
            within: 2.166_365_6e-1,
            f: 1.180_462_374_402_55,
            r_squared: 1.909_990_390_511_29e-1,
            deviation: 1.040_760_683_346_56e-1,
            digits: 12.0,
            states_loss: false,
        },
        small(SMLS01, 13.0, false),
        middle(SMLS02, 13.0, false),
        large(&SMLS06.replace("1000000.", "1."), 13.0, false),
        small(
            include_str!("../../../../tests/vectors/nist/SmLs04.dat"),
            9.0,
            true,
        ),
        middle(
            include_str!("../../../../tests/vectors/nist/SmLs05.dat"),
            9.0,
            true,
        ),
        large(SMLS06, 9.0, true),
        small(
            include_str!("../../../../tests/vectors/nist/SmLs07.dat"),
            3.0,
            true,
        ),
        middle(
            include_str!("../../../../tests/vectors/nist/SmLs08.dat"),
            3.0,
            true,
        ),
        large(&SMLS06.replace("1000000.", "1000000000000."), 3.0, true),
        Certified {
            text: include_str!("../../../../tests/vectors/nist/AtmWtAg.dat").to_owned(),
            between: 3.638_341_875e-9,
            within: 1.049_517_291_666_67e-8,
            f: 1.594_673_356_779_30e1,
            r_squared: 2.574_265_445_383_21e-1,
            deviation: 1.510_483_144_464_10e-5,
            digits: 8.0,
            states_loss: true,
        },
    ]
}

#[test]
fn analyses_of_variance_have_their_certified_digits() {
    for (idx, case) in certified().iter().enumerate() {
        let mut csv = "group,y\n".to_owned();
        for (group, y) in pairs(&case.text) {
            writeln!(csv, "g{group},{y}").unwrap();
        }
        let (found, analysis) = anova(&table(&csv), "y", "group");
        for (what, found, certified) in [
            ("between", found.between_sum_of_squares, case.between),
            ("within", found.within_sum_of_squares, case.within),
            ("f", found.test.as_ref().unwrap().statistic, case.f),
            ("eta squared", found.eta_squared.unwrap(), case.r_squared),
            ("deviation", found.within_standard_deviation, case.deviation),
        ] {
            let digits = digits(found.get(), certified);
            assert!(
                digits >= case.digits,
                "case {idx}, {what}: {found} against {certified}, {digits} digits"
            );
        }
        assert_eq!(
            codes(&analysis).contains(&"CONDITIONING_LOSSY"),
            case.states_loss,
            "case {idx}"
        );
    }
}

#[test]
fn other_programs_say_the_same_of_penguins() {
    let recorded: serde_json::Value =
        serde_json::from_str(include_str!("../../../../tests/vectors/dependency/recorded.json")).unwrap();
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let columns = [
        "bill_length_mm",
        "bill_depth_mm",
        "flipper_length_mm",
        "body_mass_g",
    ];
    let analysis = answer(&penguins(), &ask(&columns, &[]));
    let found = &content(&analysis).correlations;
    assert_eq!(found.len(), 12);
    for (pair, found) in recorded["pairs"].as_array().unwrap().iter().zip(found.chunks(2)) {
        let [pearson, spearman] = found else {
            panic!("two kinds a pair")
        };
        assert_eq!(
            (pair["first"].as_str(), pair["second"].as_str()),
            (Some(&*pearson.first), Some(&*pearson.second))
        );
        let interval = |record: &Correlation| record.interval.clone().unwrap();
        for (what, found, expected, bound) in [
            ("pearson", pearson.coefficient.unwrap(), &pair["pearson"], 1e-12),
            ("lower", interval(pearson).lower, &pair["lower"], 1e-12),
            ("upper", interval(pearson).upper, &pair["upper"], 1e-12),
            (
                "p",
                pearson.test.as_ref().unwrap().p_value,
                &pair["pearsonP"],
                1e-11,
            ),
            (
                "spearman",
                spearman.coefficient.unwrap(),
                &pair["spearman"],
                1e-12,
            ),
            (
                "spearman p",
                spearman.test.as_ref().unwrap().p_value,
                &pair["spearmanP"],
                1e-11,
            ),
        ] {
            agree(found.get(), number(expected), bound, what);
        }
    }
    for expected in recorded["regressions"].as_array().unwrap() {
        let columns: Vec<&str> = expected["predictors"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|name| name.as_str())
            .collect();
        let columns = [columns, vec!["body_mass_g"]].concat();
        let (fit, analysis) = regression(&penguins(), &columns);
        let coefficients: Vec<&Coefficient> = std::iter::once(&fit.intercept).chain(&fit.slopes).collect();
        for (idx, coefficient) in coefficients.iter().enumerate() {
            let interval = coefficient.interval.as_ref().unwrap();
            agree(
                coefficient.estimate.get(),
                number(&expected["params"][idx]),
                1e-11,
                "estimate",
            );
            agree(
                coefficient.standard_error.get(),
                number(&expected["bse"][idx]),
                1e-11,
                "error",
            );
            agree(
                interval.lower.get(),
                number(&expected["lower"][idx]),
                1e-11,
                "lower",
            );
            agree(
                interval.upper.get(),
                number(&expected["upper"][idx]),
                1e-11,
                "upper",
            );
            agree(
                coefficient.test.as_ref().unwrap().p_value.get(),
                number(&expected["p"][idx]),
                1e-9,
                "p",
            );
        }
        agree(
            fit.r_squared.get(),
            number(&expected["rSquared"]),
            1e-12,
            "r squared",
        );
        agree(
            fit.test.as_ref().unwrap().statistic.get(),
            number(&expected["f"]),
            1e-11,
            "f",
        );
        agree(
            fit.test.as_ref().unwrap().p_value.get(),
            number(&expected["fP"]),
            1e-9,
            "f p",
        );
        agree(
            fit.residual_standard_deviation.get(),
            number(&expected["residual"]),
            1e-12,
            "residual",
        );
        let details: Vec<&str> = analysis.receipts()[0]
            .assumptions
            .iter()
            .map(|one| one.detail.as_str())
            .collect();
        for statistic in ["koenkerF", "resetF", "jb"] {
            let text = format!("statistic {:.4}", number(&expected[statistic]));
            assert!(
                details.iter().any(|detail| detail.contains(&text)),
                "{statistic} {text}: {details:?}"
            );
        }
    }
    for expected in recorded["anovas"].as_array().unwrap() {
        let (found, analysis) = anova(&penguins(), expected["response"].as_str().unwrap(), "species");
        let test = found.test.as_ref().unwrap();
        agree(test.statistic.get(), number(&expected["f"]), 1e-11, "f");
        agree(test.p_value.get(), number(&expected["p"]), 1e-9, "p");
        let text = format!("statistic {:.4}", number(&expected["leveneF"]));
        let spread = analysis.receipts()[0]
            .assumptions
            .iter()
            .find(|one| one.assumption == "the groups spread alike");
        assert!(spread.unwrap().detail.contains(&text), "{text}: {spread:?}");
        let objects = number(&expected["leveneP"]) < 0.05;
        assert_eq!(spread.unwrap().status == "violated", objects);
        assert_eq!(codes(&analysis).contains(&"UNEQUAL_VARIANCES"), objects);
    }
}
