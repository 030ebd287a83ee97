//! Sums of products: any split and any order give the same state, and taking a row away undoes it.

use proptest::prelude::*;

use super::*;

fn same(a: &Gram, b: &Gram) -> bool {
    let n = a.sums.len();
    a.n == b.n
        && (0..n).all(|i| a.sum(i) == b.sum(i) && a.powers[i] == b.powers[i])
        && (0..n).all(|i| (0..n).all(|j| a.about_means(i, j) == b.about_means(i, j)))
}

fn of(rows: &[(f64, f64)]) -> Gram {
    let (x, y): (Vec<f64>, Vec<f64>) = rows.iter().copied().unzip();
    Gram::of(&[&x, &y])
}

fn pairs() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let number = prop_oneof![
        any::<f64>().prop_filter("finite", |value| value.is_finite()),
        (-3_i32..3).prop_map(f64::from),
        Just(f64::MAX),
        Just(5e-324),
    ];
    proptest::collection::vec((number.clone(), number), 0..12)
}

proptest! {
    #[test]
    fn merging_is_associative_and_commutative_and_equals_the_whole(a in pairs(), b in pairs(), c in pairs()) {
        let whole = of(&[a.clone(), b.clone(), c.clone()].concat());
        let left = of(&a).merge(of(&b)).merge(of(&c));
        let right = of(&c).merge(of(&b).merge(of(&a)));
        prop_assert!(same(&whole, &left) && same(&whole, &right));
        prop_assert!(same(&whole.clone().finish(), &whole));
    }

    #[test]
    fn taking_a_row_away_undoes_it(rows in pairs(), last in pairs()) {
        prop_assume!(!last.is_empty());
        let (x, y) = last[0];
        let more = of(&[rows.clone(), vec![(x, y)]].concat()).without(&[x, y]);
        let fewer = of(&rows);
        prop_assert!(more.n == fewer.n && more.about_means(0, 1) == fewer.about_means(0, 1));
        prop_assert!(more.about_means(1, 1) == fewer.about_means(1, 1));
    }

    #[test]
    fn no_sum_of_squares_about_the_mean_is_negative(rows in pairs()) {
        let gram = of(&rows);
        prop_assert!(!gram.about_means(0, 0).is_negative() && !gram.about_means(1, 1).is_negative());
    }
}

#[test]
fn chunks_on_threads_equal_the_whole() {
    let x: Vec<f64> = (0..40_000).map(|idx| f64::from(idx) * 0.1).collect();
    let y: Vec<f64> = x.iter().map(|x| x * x).collect();
    let whole = Gram::of(&[&x, &y]);
    for n_threads in 1..4 {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .unwrap();
        let parts = pool.install(|| Gram::of_columns(&[x.clone(), y.clone()]));
        assert!(same(&whole, &parts), "{n_threads} threads");
    }
}

#[test]
fn a_small_table_by_hand() {
    // n·Σxy − Σx·Σy = 3·(2 + 6 + 15) − 6·10 over (1,2) (2,3) (3,5).
    let gram = of(&[(1.0, 2.0), (2.0, 3.0), (3.0, 5.0)]);
    assert_eq!(gram.about_means(0, 1).scaled(-2148).get(), Some(9.0));
    assert_eq!(gram.about_means(0, 0).scaled(-2148).get(), Some(6.0));
    assert_eq!((gram.n(), gram.mean(0), gram.power(0)), (3, 2.0, 1074));
}
