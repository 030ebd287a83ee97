//! Systems solved without rounding, checked by multiplying back.

use proptest::prelude::*;

use super::*;

fn of(value: i64) -> Integer {
    let magnitude = Integer::new(value.unsigned_abs());
    if value < 0 { magnitude.negated() } else { magnitude }
}

fn products(rows: &[Vec<i64>]) -> Vec<Vec<Integer>> {
    let n = rows[0].len();
    let dot = |i: usize, j: usize| of(rows.iter().map(|row| row[i] * row[j]).sum());
    (0..n).map(|i| (0..n).map(|j| dot(i, j)).collect()).collect()
}

fn times(row: &[Integer], column: &[Integer]) -> Integer {
    let terms = row.iter().zip(column).map(|(a, b)| a.times(b));
    terms.fold(Integer::new(0), |sum, term| sum.plus(&term))
}

proptest! {
    #[test]
    fn a_solution_multiplies_back(
        rows in (1_usize..6).prop_flat_map(|n| {
            proptest::collection::vec(proptest::collection::vec(-1_000_000_i64..1_000_000, n), n..9)
        }),
        right in proptest::collection::vec(-1_000_000_i64..1_000_000, 6),
    ) {
        let matrix = products(&rows);
        let right: Vec<Integer> = right.iter().take(matrix.len()).map(|value| of(*value)).collect();
        let Ok(solution) = solve(&matrix, &right) else { return Ok(()) };
        prop_assert!(!solution.determinant.is_negative());
        for (i, row) in matrix.iter().enumerate() {
            prop_assert_eq!(times(row, &solution.numerators), right[i].times(&solution.determinant));
            for j in 0..matrix.len() {
                let column: Vec<Integer> = solution.adjugate.iter().map(|row| row[j].clone()).collect();
                let expected = if i == j { solution.determinant.clone() } else { of(0) };
                prop_assert_eq!(times(row, &column), expected);
            }
        }
    }
}

#[test]
fn the_first_column_that_depends_on_others_is_named() {
    let rows = [vec![1, 2, 3], vec![4, 5, 9], vec![6, 7, 13], vec![1, 0, 1]];
    let right = [of(1), of(2), of(3)];
    assert_eq!(
        solve(&products(&rows), &right).err(),
        Some(2),
        "the third is the sum of both"
    );
    assert_eq!(
        solve(&products(&[vec![0, 1], vec![0, 2]]), &right[..2]).err(),
        Some(0)
    );
    let rows = [vec![1, 2, 3], vec![4, 5, 9], vec![6, 7, 13], vec![1, 0, 2]];
    assert!(solve(&products(&rows), &right).is_ok());
}

#[test]
fn the_greatest_eigenvalue_of_small_matrices() {
    assert!((greatest_eigenvalue(vec![vec![2.0, 1.0], vec![1.0, 2.0]]) - 3.0).abs() < 1e-15);
    // The second difference matrix of order 4: 2 − 2·cos(4π/5).
    let matrix = (0_i32..4).map(|i| {
        (0_i32..4)
            .map(|j| [2.0, -1.0, 0.0, 0.0][(i - j).unsigned_abs() as usize])
            .collect()
    });
    let expected = 2.0 + 2.0 * libm::cos(std::f64::consts::PI / 5.0);
    assert!((greatest_eigenvalue(matrix.collect()) - expected).abs() < 4e-15);
    assert_eq!(greatest_eigenvalue(vec![vec![5.0]]), 5.0);
}
