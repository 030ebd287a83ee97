//! Linear systems over integers, solved without rounding.
//!
//! Fraction-free Gauss-Jordan elimination: every entry on the way is a minor of the matrix, so divisions leave nothing
//! over and entries grow only as determinants do. For a matrix of sums of products about means (positive semidefinite)
//! the leading minors are determinants of Gram matrices, so no pivot has to be looked for: the first one that is zero
//! shows the first column that is exactly a combination of those before it.
//!
//! Time is about `2·p³` products of integers whose length grows to `p` times that of the entries.
//!
//! Source: E. H. Bareiss, Sylvester's identity and multistep integer-preserving Gaussian elimination, Mathematics of
//! Computation 22 (1968) 565.

use crate::exact::integer::Integer;

/// The solution of `A·x = b`, with `A⁻¹`, over a common denominator.
pub(crate) struct Solution {
    /// The determinant of `A`, positive.
    pub(crate) determinant: Integer,
    /// `determinant · x`.
    pub(crate) numerators: Vec<Integer>,
    /// `determinant · A⁻¹`, by rows.
    pub(crate) adjugate: Vec<Vec<Integer>>,
}

/// Solves for a positive semidefinite matrix; `Err` is the index of the first column that depends on those before it.
pub(crate) fn solve(matrix: &[Vec<Integer>], right: &[Integer]) -> Result<Solution, usize> {
    let n = matrix.len();
    let unit = |i: usize, j: usize| Integer::new(u64::from(i == j));
    let mut rows: Vec<Vec<Integer>> = (0..n)
        .map(|i| {
            let mut row = matrix[i].clone();
            row.push(right[i].clone());
            row.extend((0..n).map(|j| unit(i, j)));
            row
        })
        .collect();
    let mut before = Integer::new(1);
    for k in 0..n {
        let pivot_row = rows[k].clone();
        let pivot = &pivot_row[k];
        if pivot.is_zero() {
            return Err(k);
        }
        for (i, row) in rows.iter_mut().enumerate() {
            if i == k {
                continue;
            }
            let factor = row[k].clone();
            for (entry, above) in row.iter_mut().zip(&pivot_row) {
                let next = entry.times(pivot).minus(&factor.times(above));
                *entry = next.divided_exactly(&before);
            }
        }
        before = pivot.clone();
    }
    let numerators = rows.iter().map(|row| row[n].clone()).collect();
    let adjugate = rows.into_iter().map(|mut row| row.split_off(n + 1)).collect();
    Ok(Solution {
        determinant: before,
        numerators,
        adjugate,
    })
}

/// The greatest eigenvalue of a symmetric matrix, by Jacobi's rotations in a fixed order; the relative error is a few
/// units of rounding for each column.
///
/// Source: G. H. Golub, C. F. Van Loan, Matrix Computations (2013), 8.5.
pub(crate) fn greatest_eigenvalue(mut matrix: Vec<Vec<f64>>) -> f64 {
    const MAX_SWEEPS: usize = 60;
    let n = matrix.len();
    for _ in 0..MAX_SWEEPS {
        let off: f64 = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| matrix[i][j].abs())
            .fold(0.0, f64::max);
        let size = (0..n).map(|i| matrix[i][i].abs()).fold(0.0, f64::max);
        if off <= f64::EPSILON / 4.0 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut matrix, p, q);
            }
        }
    }
    (0..n).map(|i| matrix[i][i]).fold(0.0, f64::max)
}

fn rotate(matrix: &mut [Vec<f64>], p: usize, q: usize) {
    if matrix[p][q] == 0.0 {
        return;
    }
    let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
    let t = theta.signum() / (theta.abs() + libm::hypot(theta, 1.0));
    let c = 1.0 / libm::hypot(t, 1.0);
    let s = t * c;
    let (app, aqq, apq) = (matrix[p][p], matrix[q][q], matrix[p][q]);
    matrix[p][p] = app - t * apq;
    matrix[q][q] = aqq + t * apq;
    matrix[p][q] = 0.0;
    matrix[q][p] = 0.0;
    for i in (0..matrix.len()).filter(|i| *i != p && *i != q) {
        let (aip, aiq) = (matrix[i][p], matrix[i][q]);
        matrix[i][p] = c * aip - s * aiq;
        matrix[p][i] = matrix[i][p];
        matrix[i][q] = s * aip + c * aiq;
        matrix[q][i] = matrix[i][q];
    }
}

#[cfg(test)]
#[path = "tests/solve.rs"]
mod tests;
