//! The exact register against itself, integer arithmetic and extreme doubles.

use super::*;

fn moments(values: &[f64]) -> Moments {
    let mut moments = Moments::new();
    values.iter().for_each(|value| moments.add(*value));
    moments
}

/// A small generator, so that no library decides what is tested.
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(seed), |state| {
        Some(
            state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407),
        )
    })
    .map(|state| state >> 11)
}

fn wild(seed: u64, n: usize) -> Vec<f64> {
    let finite = numbers(seed).map(|bits| f64::from_bits(bits.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    finite.filter(|value| value.is_finite()).take(n).collect()
}

#[test]
fn every_double_comes_back_as_its_own_mean() {
    let edges = [
        0.0,
        5e-324,
        -5e-324,
        f64::MIN_POSITIVE,
        1.0,
        -1.5,
        f64::MAX,
        f64::MIN,
        2.225_073_858_507_201e-308,
    ];
    for value in edges.into_iter().chain(wild(1, 20_000)) {
        assert_eq!(moments(&[value]).mean(), Some(value));
    }
}

#[test]
fn any_order_gives_the_same_bits() {
    let values = wild(2, 500);
    let (mean, deviation) = (moments(&values).mean(), moments(&values).standard_deviation());
    let mut shuffled = values.clone();
    for (idx, random) in numbers(3).take(2_000).enumerate() {
        let n = shuffled.len();
        shuffled.swap(idx % n, random as usize % n);
        if idx % 100 == 0 {
            assert_eq!(
                moments(&shuffled).mean().map(f64::to_bits),
                mean.map(f64::to_bits)
            );
            let again = moments(&shuffled).standard_deviation();
            assert_eq!(again.map(f64::to_bits), deviation.map(f64::to_bits));
        }
    }
    // The control: plain addition does notice the order.
    let plain = [1.0, 1e16, -1e16];
    assert_ne!(plain.iter().sum::<f64>(), plain.iter().rev().sum::<f64>());
    let reversed: Vec<f64> = plain.iter().rev().copied().collect();
    assert_eq!(moments(&plain).mean(), Some(1.0 / 3.0));
    assert_eq!(moments(&reversed).mean(), Some(1.0 / 3.0));
}

#[test]
fn cancellation_leaves_the_small_term() {
    assert_eq!(moments(&[1e300, 3.0, -1e300]).mean(), Some(1.0));
    assert_eq!(
        moments(&[f64::MAX, f64::MAX, f64::MIN, f64::MIN, 5e-324, 15e-324]).mean(),
        Some(5e-324)
    );
    assert_eq!(moments(&[f64::MAX, f64::MAX]).mean(), Some(f64::MAX));
    assert_eq!(moments(&[-1.0, -2.0, -6.0]).mean(), Some(-3.0));
}

#[test]
fn integers_agree_with_integer_arithmetic() {
    for seed in 10..60 {
        let values: Vec<i64> = numbers(seed)
            .take(40)
            .map(|x| x as i64 % 2_000_001 - 1_000_000)
            .collect();
        let doubles: Vec<f64> = values.iter().map(|value| *value as f64).collect();
        let sum: i128 = values.iter().map(|value| i128::from(*value)).sum();
        let squares: i128 = values
            .iter()
            .map(|value| i128::from(*value) * i128::from(*value))
            .sum();
        let n = values.len() as i128;
        let moments = moments(&doubles);
        assert_eq!(moments.mean(), Some(sum as f64 / n as f64));
        let variance = (n * squares - sum * sum) as f64 / (n * (n - 1)) as f64;
        let deviation = moments.standard_deviation().unwrap();
        assert!((deviation - variance.sqrt()).abs() <= f64::EPSILON * deviation);
    }
}

#[test]
fn a_constant_has_no_deviation_and_a_large_offset_costs_nothing() {
    assert_eq!(moments(&[0.1; 1_000]).standard_deviation(), Some(0.0));
    assert_eq!(moments(&[0.1; 1_000]).mean(), Some(0.1));
    let offset = 9_007_199_254_740_000.0;
    assert_eq!(
        moments(&[offset, offset + 1.0, offset + 2.0]).standard_deviation(),
        Some(1.0)
    );
    assert_eq!(
        moments(&[1e-320, 3e-320])
            .standard_deviation()
            .map(|x| x > 1.4e-320 && x < 1.42e-320),
        Some(true)
    );
}

#[test]
fn what_does_not_exist_is_absent() {
    assert_eq!(moments(&[]).mean(), None);
    assert_eq!(moments(&[]).standard_deviation(), None);
    assert_eq!(moments(&[4.0]).standard_deviation(), None);
    assert_eq!(moments(&[4.0, 4.0]).standard_deviation(), Some(0.0));
    assert_eq!(
        moments(&[f64::MAX, f64::MIN]).standard_deviation(),
        None,
        "√2 times the largest double"
    );
    assert_eq!(moments(&[f64::MAX, f64::MIN]).mean(), Some(0.0));
}

#[test]
fn carries_are_taken_before_limbs_overflow() {
    let mut moments = moments(&[1.0, 2.0]);
    moments.sum.pending = MAX_PENDING;
    moments.squares.pending = MAX_PENDING;
    moments.add(-6.0);
    assert_eq!((moments.sum.pending, moments.squares.pending), (1, 1));
    assert_eq!(moments.mean(), Some(-1.0));
    assert_eq!(moments.standard_deviation(), Some(19.0_f64.sqrt()));
}
