//! Moments beyond the second, and the survey they rest on, against merging in any order.

use super::*;

fn shape(values: &[f64]) -> (f64, f64) {
    Shape::of_all(Survey::of_all(values).center().unwrap(), values).unwrap()
}

#[test]
fn skewness_and_kurtosis_are_those_of_the_definition() {
    // Exact by hand: mean 3, squares 50/5 = 10, cubes 150/5 = 30, fourths 1394/5 over 10².
    let values = [0.0, 1.0, 2.0, 3.0, 9.0];
    let (skewness, kurtosis) = shape(&values);
    assert!(
        (skewness - 36.0 / libm::pow(10.0, 1.5)).abs() < 1e-12,
        "{skewness}"
    );
    assert!((kurtosis - (278.8 / 100.0 - 3.0)).abs() < 1e-12, "{kurtosis}");
    assert!(shape(&[-2.0, -1.0, 0.0, 1.0, 2.0]).0.abs() < 1e-13);
}

#[test]
fn shapes_do_not_know_the_unit() {
    let values = [0.0, 1.0, 2.0, 3.0, 9.0];
    for factor in [1e-300, 1e-10, 1e10, 1e307] {
        let scaled: Vec<f64> = values.iter().map(|value| value * factor).collect();
        let (found, expected) = (shape(&scaled), shape(&values));
        assert!(
            (found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12,
            "{factor}: {found:?}"
        );
    }
    assert_eq!(Survey::of_all(&[5.0, 5.0]).center(), None);
    assert_eq!(Survey::of_all(&[]).center(), None);
}

#[test]
fn parts_merge_in_any_order() {
    let values: Vec<f64> = (0..999).map(|x| f64::from(x * 7919 % 997) / 7.0 - 40.0).collect();
    let (a, b, c) = (&values[..1], &values[1..400], &values[400..]);
    let whole = Survey::of(&values).finish();
    let of = Survey::of;
    assert_eq!(of(a).merge(of(b)).merge(of(c)).finish(), whole);
    assert_eq!(of(c).merge(of(b).merge(of(a))).finish(), whole);
    assert_eq!(of(&[]).merge(of(&values)).merge(of(&[])).finish(), whole);
    assert_ne!(of(a).merge(of(b)).finish(), whole);
    let center = whole.center().unwrap();
    let of = |part| Shape::of((center, part));
    assert_eq!(of(a).merge(of(b)).merge(of(c)), of(&values));
    assert_eq!(of(b).merge(of(c).merge(of(a))), of(&values));
    assert_ne!(of(a).merge(of(b)), of(&values));
}

#[test]
fn blocks_of_small_integers_are_the_same_sums() {
    let mut values: Vec<f64> = (0..10_000).map(|x| f64::from(x * 7919 % 4093 - 2000)).collect();
    let one_by_one = |values: &[f64]| {
        let mut moments = Moments::new();
        values.iter().for_each(|value| moments.add(*value));
        (moments.mean(), moments.standard_deviation())
    };
    for odd in [None, Some(0.5), Some(8_388_609.0), Some(-3e9), Some(1e300)] {
        values[5000] = odd.unwrap_or(3.0);
        let (n, mean, deviation) = Moments::of(&values).finish();
        assert_eq!((n, (mean, deviation)), (10_000, one_by_one(&values)), "{odd:?}");
    }
}
