//! Long integers against machine integers, and division against multiplication.

use proptest::prelude::*;

use super::*;

fn of(value: i128) -> Integer {
    let magnitude = value.unsigned_abs();
    let limbs = (0..4).map(|idx| (magnitude >> (32 * idx)) as u32).collect();
    Integer::of(value < 0, Magnitude(limbs).trimmed())
}

fn long() -> impl Strategy<Value = Integer> {
    (any::<bool>(), proptest::collection::vec(any::<u32>(), 1..12))
        .prop_map(|(negative, limbs)| Integer::of(negative, Magnitude(limbs).trimmed()))
}

proptest! {
    #[test]
    fn small_integers_do_what_machine_integers_do(a in any::<i64>(), b in any::<i64>()) {
        let (wide_a, wide_b) = (i128::from(a), i128::from(b));
        prop_assert_eq!(of(wide_a).times(&of(wide_b)), of(wide_a * wide_b));
        prop_assert_eq!(of(wide_a).plus(&of(wide_b)), of(wide_a + wide_b));
        prop_assert_eq!(of(wide_a).minus(&of(wide_b)), of(wide_a - wide_b));
    }

    #[test]
    fn a_product_divided_by_one_factor_is_the_other(a in long(), b in long(), zeros in 0_usize..70) {
        prop_assume!(!b.is_zero());
        let shift = Integer::of(false, Magnitude(vec![1]).shifted_up(zeros / 32));
        let shift = shift.times(&Integer::new(1 << (zeros % 32)));
        let b = b.times(&shift);
        prop_assert_eq!(a.times(&b).divided_exactly(&b), a.clone());
        prop_assert_eq!(a.times(&shift).shifted_down(zeros), a);
    }

    #[test]
    fn a_scaled_double_is_the_nearest_one(a in any::<i64>(), b in 1_i64..) {
        prop_assert_eq!(of(i128::from(a)).scaled(0).get(), Some(a as f64));
        prop_assert_eq!(Scaled::new(a as f64).get(), Some(a as f64));
        let quotient = of(i128::from(a)).scaled(0).over(of(i128::from(b)).scaled(0)).get();
        let expected = a as f64 / b as f64;
        prop_assert!((quotient.unwrap() - expected).abs() <= 4.0 * f64::EPSILON * expected.abs());
        let root = of(i128::from(b)).scaled(0).root().get();
        prop_assert_eq!(root, Some((b as f64).sqrt()));
    }
}

#[test]
fn exponents_beyond_the_doubles_are_kept_until_the_end() {
    let tiny = Integer::new(3).scaled(-2148);
    assert_eq!(tiny.over(tiny).get(), Some(1.0));
    assert_eq!(tiny.get(), Some(0.0));
    assert_eq!(
        Integer::new(3).negated().scaled(-2148).get().unwrap().to_bits(),
        0
    );
    assert_eq!(Integer::new(3).scaled(2000).get(), None);
    assert_eq!(
        Integer::new(9).scaled(-2148).root().get(),
        Integer::new(3).scaled(-1074).get()
    );
    assert_eq!(Integer::new(0).scaled(5).root().get(), Some(0.0));
}
