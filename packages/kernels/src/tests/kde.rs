//! Densities: one value, both ways of adding, and the number of modes.

use super::*;

fn sorted(n: usize) -> Vec<f64> {
    // Two humps: sums of four uniform numbers, half of them moved by 10.
    let mut state = 7_u64;
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut values: Vec<f64> = (0..n)
        .map(|idx| (0..4).map(|_| uniform()).sum::<f64>() * 3.0 + if idx % 2 == 0 { 10.0 } else { 0.0 })
        .collect();
    values.sort_by(f64::total_cmp);
    values
}

fn direct(values: &[f64], bandwidth: f64, n_points: usize) -> Estimate {
    estimate(values, &Kept::Values(values), bandwidth, n_points).unwrap()
}

#[test]
fn one_value_is_one_curve() {
    let found = direct(&[5.0], 2.0, 13);
    assert_eq!((found.from, found.to, found.modes), (-1.0, 11.0, 1));
    for (idx, density) in found.density.iter().enumerate() {
        let z = (idx as f64 - 6.0) / 2.0;
        let expected = libm::exp(-z * z / 2.0) / (2.0 * PI).sqrt() / 2.0;
        assert!(
            (density - expected).abs() <= found.error_bound,
            "{idx}: {density}"
        );
    }
}

#[test]
fn knots_stay_within_their_bound() {
    let values = sorted(DIRECT + 500);
    for bandwidth in [0.05, 0.4, 3.0] {
        let kept = keep(&values, bandwidth);
        assert!(matches!(kept, Kept::Knots { .. }));
        let knots = estimate(&values, &kept, bandwidth, 64).unwrap();
        let exact = direct(&values, bandwidth, 64);
        let off = knots
            .density
            .iter()
            .zip(&exact.density)
            .map(|(a, b)| (a - b).abs());
        let worst = off.fold(0.0, f64::max);
        assert!(
            worst <= knots.error_bound,
            "{bandwidth}: {worst:e} of {:e}",
            knots.error_bound
        );
        assert!(worst > 0.0 && exact.error_bound < 1e-10);
        assert!(knots.error_bound < 1e-5 / bandwidth, "{:e}", knots.error_bound);
    }
}

#[test]
fn a_density_integrates_to_one() {
    let values = sorted(300);
    let found = direct(&values, 0.5, 1000);
    let step = (found.to - found.from) / 999.0;
    let total: f64 = found.density.iter().sum::<f64>() * step;
    // Less what lies beyond three bandwidths of the outermost values.
    assert!((total - 1.0).abs() < 1e-3, "{total}");
}

#[test]
fn modes_are_counted_once_each() {
    let values = sorted(400);
    assert_eq!(direct(&values, 1.0, 256).modes, 2);
    assert_eq!(direct(&values, 8.0, 256).modes, 1);
    assert!(direct(&values, 0.05, 2048).modes > 10);
    assert_eq!(modes(&[0.0, 1.0, 1.0, 1.0, 0.0, 2.0, 0.0], 0.0), 2);
    assert_eq!(
        modes(&[0.0, 1.0, 0.9, 1.0, 0.0], 0.1),
        1,
        "a dip within the error is none"
    );
}

#[test]
fn weights_merge_in_any_order() {
    let values = sorted(900);
    let empty = Knots {
        least: values[0],
        distance: (values[899] - values[0]) / 50.0,
        weights: vec![0; 51],
    };
    let of = |part| Knots::of((&empty, part));
    let (a, b) = values.split_at(333);
    let whole = of(&values).finish();
    assert_eq!(of(a).merge(of(b)).finish(), whole);
    assert_eq!(of(b).merge(of(a)).finish(), whole);
    assert_eq!(whole.iter().sum::<u64>(), 900 * WEIGHT);
    assert_ne!(of(a).finish(), whole);
}

#[test]
fn what_doubles_cannot_hold_is_not_given() {
    assert!(
        estimate(
            &[f64::MIN, f64::MAX],
            &Kept::Values(&[f64::MIN, f64::MAX]),
            1.0,
            16
        )
        .is_none()
    );
    assert!(estimate(&[0.0, 1.0], &Kept::Values(&[0.0, 1.0]), 5e-324, 16).is_none());
    assert!(estimate(&[0.0, 1.0], &Kept::Values(&[0.0, 1.0]), 1.0, 16).is_some());
}
