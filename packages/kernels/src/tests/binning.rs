//! Edges and counts, on ordinary numbers and at the ends of the doubles.

use identity::{Finite, SafeInteger};
use proptest::prelude::*;

use super::*;

fn spread(values: &[f64]) -> Spread {
    let surveyed = crate::shape::Survey::of_all(values);
    let (least, greatest) = surveyed.extent.unwrap();
    Spread {
        n: values.len(),
        least,
        greatest,
        interquartile_range: crate::summary::interquartile_range(&mut values.to_vec()),
        deviation: surveyed.deviation_of_all(),
        whole: surveyed.whole,
    }
}

fn number(bins: i32) -> BinRule {
    BinRule::Number {
        bins: SafeInteger::from(bins),
    }
}

fn width(width: f64) -> BinRule {
    BinRule::Width {
        width: Finite::new(width).unwrap(),
    }
}

const RULES: [BinRule; 4] = [
    BinRule::FreedmanDiaconis {},
    BinRule::Scott {},
    BinRule::Sturges {},
    BinRule::SquareRoot {},
];

fn check(values: &[f64], rule: BinRule, n_axes: u32) -> Axis {
    let axis = cut(&spread(values), rule, n_axes, MAX_BINS).unwrap();
    assert!(
        axis.edges.windows(2).all(|pair| pair[0] < pair[1]),
        "{rule:?} {values:?}: {axis:?}"
    );
    assert!(axis.width > 0.0 && axis.n_bins() <= MAX_BINS);
    let counts = BinCounts::of_all(&axis, values);
    assert_eq!(counts.iter().sum::<u64>(), values.len() as u64);
    let last = axis.n_bins() - 1;
    for (bin, n) in counts.iter().enumerate() {
        let (low, high) = (axis.edges[bin], axis.edges[bin + 1]);
        let inside = |value: &&f64| **value >= low && (**value < high || bin == last && **value == high);
        assert_eq!(
            *n,
            values.iter().filter(inside).count() as u64,
            "{rule:?}, bin {bin}"
        );
    }
    axis
}

#[test]
fn a_bin_takes_its_lower_end_and_the_last_both() {
    let values = [0.0, 0.5, 1.0, 1.5, 2.0];
    let axis = check(&values, number(2), 1);
    assert_eq!(axis.edges, [0.0, 1.0, 2.0]);
    assert_eq!(BinCounts::of_all(&axis, &values), [2, 3]);
    let axis = check(&values, width(1.0), 1);
    assert_eq!(axis.edges, [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(BinCounts::of_all(&axis, &values), [2, 2, 1]);
}

#[test]
fn whole_numbers_are_counted_fairly() {
    // 1 to 12, each once: ten equal bins would hold one or two of them each.
    let values: Vec<f64> = (1..=12).map(f64::from).collect();
    let axis = check(&values, number(10), 1);
    assert_eq!((axis.width, axis.n_bins()), (2.0, 6));
    assert_eq!(BinCounts::of_all(&axis, &values), [2; 6]);
    assert_eq!(axis.notes.len(), 1);
    let axis = check(&values, number(12), 1);
    assert_eq!((axis.width, axis.n_bins(), axis.notes.len()), (1.0, 12, 0));
    for rule in RULES {
        let axis = check(&values, rule, 1);
        assert_eq!(axis.width.fract(), 0.0, "{rule:?}");
        assert!(axis.edges.iter().all(|edge| edge.fract() == 0.0));
    }
    // The same values off the lattice are cut as asked.
    let shifted: Vec<f64> = values.iter().map(|value| value + 0.5).collect();
    assert_eq!(check(&shifted, number(10), 1).n_bins(), 10);
    assert_eq!(check(&values, width(2.5), 1).notes.len(), 1);
}

#[test]
fn a_rule_without_a_width_gives_way_and_says_so() {
    let values = [1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 9.25];
    let axis = check(&values, BinRule::FreedmanDiaconis {}, 1);
    assert_eq!((axis.rule, axis.notes.len()), ("sturges", 1));
    let axis = check(&values, BinRule::Scott {}, 1);
    assert_eq!((axis.rule, axis.notes.len()), ("scott", 0));
}

#[test]
fn no_bin_is_without_width() {
    let extremes: [&[f64]; 10] = [
        &[7.0],
        &[0.1, 0.1],
        &[f64::MAX, f64::MAX],
        &[f64::MIN],
        &[f64::MIN, f64::MAX],
        &[-1e308, 0.0, 1.5e308],
        &[5e-324, 1e-323, 1.5e-323],
        &[0.0, 5e-324],
        &[1e16, 1e16 + 2.0, 1e16 + 4.0],
        &[1.0, 1.0 + f64::EPSILON, 1.0 + 2.0 * f64::EPSILON],
    ];
    for values in extremes {
        for rule in RULES.into_iter().chain([number(1), number(7), number(4096)]) {
            check(values, rule, 1);
            check(values, rule, 3);
        }
    }
}

#[test]
fn too_many_bins_are_limited_and_said_or_refused() {
    let mut values: Vec<f64> = (0..400).map(|x| f64::from(x) + 0.25).collect();
    values.push(1e12 + 0.5);
    let axis = check(&values, BinRule::FreedmanDiaconis {}, 1);
    assert_eq!((axis.n_bins(), axis.notes.len()), (MAX_BINS, 1));
    assert!(cut(&spread(&values), width(1.0), 1, MAX_BINS).is_err());
    assert!(cut(&spread(&values), width(1e9), 1, MAX_BINS).is_ok());
    assert!(cut(&spread(&[1e16, 1e16 + 2.0]), width(0.5), 1, MAX_BINS).is_err());
    assert!(cut(&spread(&[1.0, 2.0]), width(-1.0), 1, MAX_BINS).is_err());
}

#[test]
fn counts_merge_in_any_order() {
    let values: Vec<f64> = (0..1000).map(|x| f64::from(x * 7919 % 997) / 8.0).collect();
    let axis = check(&values, BinRule::Scott {}, 1);
    let of = |part: &[f64]| BinCounts::of((&axis, part));
    let (a, b, c) = (&values[..100], &values[100..577], &values[577..]);
    let whole = of(&values).finish();
    assert_eq!(of(a).merge(of(b)).merge(of(c)).finish(), whole);
    assert_eq!(of(c).merge(of(a).merge(of(b))).finish(), whole);
    assert_ne!(of(a).merge(of(b)).finish(), whole);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_value_lies_in_one_bin(
        values in prop::collection::vec(prop_oneof![
            -1e3..1e3,
            any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(|x| x + 0.0),
            (-20_i32..20).prop_map(f64::from),
        ], 1..60),
        whole in prop::collection::vec((-1000_i32..1000).prop_map(f64::from), 1..60),
    ) {
        for rule in RULES.into_iter().chain([number(5)]) {
            check(&values, rule, 1);
            check(&values, rule, 2);
            check(&whole, rule, 1);
        }
    }
}
