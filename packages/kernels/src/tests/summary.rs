//! Quantiles and order independence of whole summaries.

use super::*;

fn finites(values: &[f64]) -> Vec<Finite> {
    values.iter().map(|value| Finite::new(*value).unwrap()).collect()
}

fn type_7(values: &[f64], probabilities: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    quantiles(&mut values, &finites(probabilities))
        .iter()
        .map(|quantile| quantile.value.get())
        .collect()
}

#[test]
fn quantiles_are_type_7() {
    // R: quantile(c(1,2,4,8,16), c(0,.1,.25,.5,.75,.9,1), type=7)
    let found = type_7(
        &[16.0, 1.0, 8.0, 2.0, 4.0],
        &[0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0],
    );
    let expected = [1.0, 1.4, 2.0, 4.0, 8.0, 12.8, 16.0];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-14, "{found} is not {expected}");
    }
    assert_eq!(type_7(&[5.0], &[0.0, 0.3, 1.0]), [5.0, 5.0, 5.0]);
    assert_eq!(type_7(&[], &[0.5]), [0.0; 0]);
}

#[test]
fn selection_agrees_with_sorting() {
    let values: Vec<f64> = (0..997_u64).map(|x| (x * 7_919 % 997 / 3) as f64).collect();
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let probabilities: Vec<f64> = (0..=100).map(|x| f64::from(x) / 100.0).collect();
    for (probability, found) in probabilities.iter().zip(type_7(&values, &probabilities)) {
        let place = probability * 996.0;
        let (low, high) = (sorted[place as usize], sorted[(place as usize + 1).min(996)]);
        assert_eq!(found, between(low, high, place.fract()), "{probability}");
    }
}

#[test]
fn extremes_of_the_doubles_do_not_overflow() {
    assert_eq!(between(f64::MIN, f64::MAX, 0.5), 0.0);
    assert_eq!(between(0.1, 0.1, 0.3), 0.1);
    assert_eq!(
        type_7(&[f64::MAX, f64::MIN], &[0.0, 0.5, 1.0]),
        [f64::MIN, 0.0, f64::MAX]
    );
}
