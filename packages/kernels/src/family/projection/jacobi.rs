//! Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations.
//!
//! G. H. Golub, C. F. Van Loan, Matrix Computations, 4th edition (2013), 8.5. Rotations are orthogonal to rounding, so
//! eigenvectors are too, whatever the gaps between eigenvalues; eigenvalues have an absolute error of a few units in the
//! last place of the greatest. O(d³) a sweep; about ten sweeps.

/// Sweeps before giving up; ten are usual, and convergence is quadratic.
const MAX_SWEEPS: usize = 60;

/// A square matrix by rows.
#[derive(Clone, Debug)]
pub(super) struct Square {
    pub(super) n: usize,
    pub(super) at: Vec<f64>,
}

impl Square {
    pub(super) fn zero(n: usize) -> Self {
        Self {
            n,
            at: vec![0.0; n * n],
        }
    }

    pub(super) fn get(&self, i: usize, j: usize) -> f64 {
        self.at[i * self.n + j]
    }

    pub(super) fn set(&mut self, i: usize, j: usize, value: f64) {
        self.at[i * self.n + j] = value;
    }

    /// The greatest magnitude.
    pub(super) fn greatest(&self) -> f64 {
        self.at.iter().fold(0.0, |greatest: f64, x| greatest.max(x.abs()))
    }
}

/// Eigenvalues from the greatest, never negative, with their unit vectors.
pub(super) struct Eigen {
    pub(super) values: Vec<f64>,
    /// One vector after the other.
    pub(super) vectors: Vec<Vec<f64>>,
}

/// Of a symmetric matrix without negative eigenvalues; one that rounding made negative is zero. The entry of the
/// greatest magnitude of each vector is positive; of entries alike to nine digits the first counts.
pub(super) fn eigen(matrix: &Square) -> Eigen {
    let n = matrix.n;
    let mut a = matrix.clone();
    let mut v = Square::zero(n);
    (0..n).for_each(|i| v.set(i, i, 1.0));
    let bound = f64::EPSILON * f64::EPSILON * matrix.greatest();
    for _ in 0..MAX_SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                if a.get(p, q).abs() > bound {
                    rotate(&mut a, &mut v, p, q);
                    rotated = true;
                }
            }
        }
        if !rotated {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| a.get(*j, *j).total_cmp(&a.get(*i, *i)));
    Eigen {
        values: order.iter().map(|i| a.get(*i, *i).max(0.0) + 0.0).collect(),
        vectors: order
            .iter()
            .map(|i| signed((0..n).map(|row| v.get(row, *i)).collect()))
            .collect(),
    }
}

/// One rotation that makes the entry at `(p, q)` zero.
fn rotate(a: &mut Square, v: &mut Square, p: usize, q: usize) {
    let tau = (a.get(q, q) - a.get(p, p)) / (2.0 * a.get(p, q));
    let root = (1.0 + tau * tau).sqrt();
    let t = if tau >= 0.0 {
        1.0 / (tau + root)
    } else {
        1.0 / (tau - root)
    };
    let cosine = 1.0 / (1.0 + t * t).sqrt();
    let sine = t * cosine;
    for k in 0..a.n {
        let (x, y) = (a.get(k, p), a.get(k, q));
        a.set(k, p, cosine * x - sine * y);
        a.set(k, q, sine * x + cosine * y);
    }
    for k in 0..a.n {
        let (x, y) = (a.get(p, k), a.get(q, k));
        a.set(p, k, cosine * x - sine * y);
        a.set(q, k, sine * x + cosine * y);
        let (x, y) = (v.get(k, p), v.get(k, q));
        v.set(k, p, cosine * x - sine * y);
        v.set(k, q, sine * x + cosine * y);
    }
    a.set(p, q, 0.0);
    a.set(q, p, 0.0);
}

fn signed(vector: Vec<f64>) -> Vec<f64> {
    let greatest = vector.iter().fold(0.0_f64, |greatest, x| greatest.max(x.abs()));
    let leading = vector.iter().find(|x| x.abs() >= greatest * (1.0 - 1e-9));
    let turn = leading.is_some_and(|x| *x < 0.0);
    vector
        .into_iter()
        .map(|x| if turn { 0.0 - x } else { x + 0.0 })
        .collect()
}

impl Eigen {
    /// The greatest deviation of the vectors' products from those of orthonormal vectors.
    pub(super) fn orthogonality(&self) -> f64 {
        let mut residual = 0.0_f64;
        for (i, a) in self.vectors.iter().enumerate() {
            for (j, b) in self.vectors.iter().enumerate().skip(i) {
                let product: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
                residual = residual.max((product - if i == j { 1.0 } else { 0.0 }).abs());
            }
        }
        residual
    }

    /// The greatest deviation of the matrix made again from its parts, relative to its greatest entry.
    pub(super) fn reconstruction(&self, matrix: &Square) -> f64 {
        let mut residual = 0.0_f64;
        for i in 0..matrix.n {
            for j in i..matrix.n {
                let parts = self.values.iter().zip(&self.vectors);
                let again: f64 = parts.map(|(value, vector)| value * vector[i] * vector[j]).sum();
                residual = residual.max((again - matrix.get(i, j)).abs());
            }
        }
        residual / matrix.greatest()
    }
}

#[cfg(test)]
#[path = "../../tests/jacobi.rs"]
mod tests;
