use super::{Seeded, split_mix};

#[test]
fn the_streams_are_those_of_the_reference_programs() {
    // Outputs of Vigna's splitmix64.c from the seed 1234567.
    let mut state = 1_234_567;
    let outputs: Vec<u64> = (0..3).map(|_| split_mix(&mut state)).collect();
    assert_eq!(
        outputs,
        [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423
        ]
    );
    // Outputs of xoshiro256starstar.c from the state 1, 2, 3, 4.
    let mut seeded = Seeded { state: [1, 2, 3, 4] };
    let outputs: Vec<u64> = (0..5).map(|_| seeded.bits()).collect();
    assert_eq!(
        outputs,
        [
            11_520,
            0,
            1_509_978_240,
            1_215_971_899_390_074_240,
            1_216_172_134_540_287_360
        ]
    );
}

#[test]
fn a_seed_and_a_stream_fix_the_numbers() {
    let first = |seed, stream| Seeded::new(seed, stream).bits();
    assert_eq!(first(7, 1), first(7, 1));
    assert_ne!(first(7, 1), first(7, 2));
    assert_ne!(first(7, 1), first(8, 1));
    // The stream under a seed is not the next seed's.
    assert_ne!(first(7, 1), first(8, 0));
}

#[test]
fn integers_have_no_bias_and_stay_below_their_bound() {
    let mut seeded = Seeded::new(3, 0);
    let mut counts = [0_i64; 6];
    for _ in 0..60_000 {
        counts[seeded.below(6)] += 1;
    }
    // χ² with five degrees passes 20.5 once in a thousand seeds.
    let chi: f64 = counts
        .iter()
        .map(|n| ((n - 10_000) * (n - 10_000)) as f64 / 10_000.0)
        .sum();
    assert!(chi < 20.5, "{counts:?}");
    assert_eq!((seeded.below(1), seeded.below(0)), (0, 0));
}

#[test]
fn subsets_and_shuffles_keep_everything_once() {
    let mut seeded = Seeded::new(11, 0);
    let subset = seeded.subset(50, 20);
    assert_eq!(subset.len(), 20);
    assert!(subset.windows(2).all(|pair| pair[0] < pair[1]) && subset[19] < 50);
    assert_eq!(seeded.subset(4, 9), [0, 1, 2, 3]);
    let mut items: Vec<usize> = (0..50).collect();
    seeded.shuffle(&mut items, 50);
    assert_ne!(items, (0..50).collect::<Vec<_>>());
    items.sort_unstable();
    assert_eq!(items, (0..50).collect::<Vec<_>>());
    assert!((0..100).all(|_| (0.0..1.0).contains(&seeded.unit())));
}
