use super::{Square, eigen};

fn symmetric(n: usize, entry: impl Fn(usize, usize) -> f64) -> Square {
    let mut matrix = Square::zero(n);
    for i in 0..n {
        for j in 0..n {
            matrix.set(i, j, entry(i.min(j), i.max(j)));
        }
    }
    matrix
}

#[test]
fn known_eigenvalues_come_out() {
    // The second difference of n points has the eigenvalues 2 − 2 cos(π k / (n + 1)).
    let n = 64;
    let entry = |i: usize, j: usize| match j - i {
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    };
    let matrix = symmetric(n, entry);
    let eigen = eigen(&matrix);
    for (idx, value) in eigen.values.iter().enumerate() {
        let angle = std::f64::consts::PI * (n - idx) as f64 / (n + 1) as f64;
        assert!(
            (value - (2.0 - 2.0 * libm::cos(angle))).abs() < 1e-13,
            "{idx}: {value}"
        );
    }
    assert!(eigen.orthogonality() < 1e-13 && eigen.reconstruction(&matrix) < 1e-13);
}

#[test]
fn equal_and_zero_eigenvalues_have_orthogonal_vectors() {
    // All ones: one eigenvalue n, the others zero.
    let matrix = symmetric(7, |_, _| 1.0);
    let ones = eigen(&matrix);
    assert!((ones.values[0] - 7.0).abs() < 1e-14);
    assert!(
        ones.values[1..]
            .iter()
            .all(|value| (0.0..1e-14).contains(value) && !value.is_sign_negative())
    );
    assert!(ones.orthogonality() < 1e-14 && ones.reconstruction(&matrix) < 1e-14);
    assert!(ones.vectors[0].iter().all(|x| *x > 0.0));
    let identity = eigen(&symmetric(3, |i, j| if i == j { 1.0 } else { 0.0 }));
    assert_eq!(identity.values, [1.0; 3]);
    assert_eq!(identity.vectors[2], [0.0, 0.0, 1.0]);
}

#[test]
fn the_leading_entry_is_positive_and_the_first_counts_on_a_tie() {
    let of = |r: f64| eigen(&symmetric(2, |i, j| if i == j { 1.0 } else { r }));
    for r in [0.5, -0.5] {
        let eigen = of(r);
        assert!(
            eigen.vectors.iter().all(|vector| vector[0] > 0.0),
            "{r}: {:?}",
            eigen.vectors
        );
    }
    assert!(of(-0.5).vectors[0][1] < 0.0);
}
