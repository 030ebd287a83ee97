//! Tails of the F distribution against 40-digit arithmetic, closed forms and Student's t.

use super::*;
use crate::student;

/// Degrees between, degrees within, f, tail: the regularized incomplete beta function with 40 digits (mpmath 1.3).
const PRECISE: &[(u64, u64, f64, f64)] = &[
    (1, 1, 0.5, 0.608_173_447_969_392_8),
    (1, 10, 4.96, 0.050_087_650_566_468_19),
    (2, 10, 4.1, 0.050_077_548_481_083_86),
    (4, 20, 27.0, 8.185_726_402_265_558e-8),
    (3, 333, 594.8, 2.333_486_652_073_544_6e-133),
    (8, 189, 1.2, 0.300_996_199_934_436_94),
    (24, 189, 1.37, 0.126_121_353_813_951_7),
    (7, 7, 0.01, 0.999_998_235_602_591_7),
    (6, 9, 330.28, 4.984_390_872_542_831e-10),
    (1, 34, 5_436_385.5, 4.654_041_446_222_217e-90),
    (50, 1000, 2.0, 6.585_830_492_539_122e-5),
    (999, 1000, 1.1, 0.066_037_417_339_058_16),
    (1000, 5, 3.0, 0.107_065_766_646_064_13),
    (2, 1_000_000, 3.0, 0.049_787_516_451_703_33),
];

#[test]
fn tails_agree_with_forty_digits() {
    for (between, within, f, expected) in PRECISE {
        let found = f_tail(*f, *between, *within);
        let error = (found - expected).abs() / expected;
        let bound = if *within > 1_000 { 1e-10 } else { 1e-12 };
        assert!(
            error < bound,
            "F({between}, {within}) beyond {f}: {found}, off by {error:e}"
        );
    }
}

#[test]
fn two_degrees_have_a_closed_form() {
    // P(F > f) = (1 + 2f/ν)^(−ν/2) for two degrees between.
    for (within, f) in [(1_u64, 0.3_f64), (7, 2.5), (300, 12.0), (2, 1e-9), (5, 1e12)] {
        let nu = within as f64;
        let expected = libm::exp(-nu / 2.0 * libm::log1p(2.0 * f / nu));
        let found = f_tail(f, 2, within);
        assert!(
            (found - expected).abs() <= 1e-13 * expected,
            "{within} {f}: {found} {expected}"
        );
    }
}

#[test]
fn one_degree_is_the_square_of_student() {
    for (degrees, t) in [(1_u64, 0.7_f64), (4, 2.776), (30, 1.0), (500, 3.3), (9, 40.0)] {
        let (f, student) = (f_tail(t * t, 1, degrees), student::outside(t, degrees));
        assert!(
            (f - student).abs() <= 1e-13 * student,
            "{degrees} {t}: {f} {student}"
        );
    }
    assert!((student::outside(student::two_sided_quantile(0.95, 12), 12) - 0.05).abs() < 1e-15);
    assert_eq!(
        (
            f_tail(0.0, 3, 4),
            f_tail(f64::INFINITY, 3, 4),
            student::outside(0.0, 4)
        ),
        (1.0, 0.0, 1.0)
    );
}
