//! How many digits of a number people are told: no more than it has.
//!
//! One rule, in this order:
//!
//! 1. Counts, points in time, and what stands in the data itself (extremes, quantiles on a value), are told as they are: the shortest
//!    text that reads back as the same number.
//! 2. A number with an interval of its own (`mean` beside `meanInterval`) is rounded at the second leading digit of the
//!    interval's half width, and so are the ends of the interval (JCGM 100:2008, 7.2.6: an uncertainty to at most two
//!    digits, the value to the same place).
//! 3. A standard deviation beside a mean is told at most to the spacing of doubles at the mean: digits below it come
//!    from rounding and not from the data.
//! 4. Everything else has at most six leading digits.
//!
//! All digits stand in the content and in the receipts; nothing is computed from what is told here.

use dataset::Scale;

use crate::output::{Filled, Output};

/// Leading digits of a number that states no uncertainty.
pub const UNSTATED: i32 = 6;

/// Half an interval is told with so many leading digits.
const OF_WIDTH: i32 = 2;

/// Beyond these powers of ten a number is told with an exponent.
const PLAIN: std::ops::RangeInclusive<i32> = -5..=15;

/// What stands in an output, as people are told it, without its unit; `None` for many values. `all` are the outputs of the
/// same analysis, among which its interval and its mean are found.
#[must_use]
pub fn told(output: &Output, all: &[Output]) -> Option<String> {
    match &output.filled {
        Filled::Number(number) => Some(number_told(output, number.get(), all)),
        Filled::Interval(lower, upper) => Some(told_interval(Some(lower.get()), Some(upper.get()))),
        Filled::Text(text) => Some(text.clone()),
        Filled::Absent(why) => Some(format!("not given: {why}")),
        Filled::InContent | Filled::InLeaf => None,
    }
}

/// An interval by the same rule, with the end that is missing left open.
#[must_use]
pub fn told_interval(lower: Option<f64>, upper: Option<f64>) -> String {
    let place = lower
        .zip(upper)
        .and_then(|(lower, upper)| place_of_width((upper - lower) / 2.0));
    let end = |value: Option<f64>| match (value, place) {
        (None, _) => "open".to_owned(),
        (Some(value), Some(place)) => at_place(value, place),
        (Some(value), None) => at_place(value, magnitude(value) - UNSTATED + 1),
    };
    format!("{} to {}", end(lower), end(upper))
}

/// A standard error, or a score: to two leading digits.
#[must_use]
pub fn told_error(value: f64) -> String {
    at_place(value, magnitude(value) - OF_WIDTH + 1)
}

fn number_told(output: &Output, value: f64, all: &[Output]) -> String {
    let sibling = |path: &str| {
        let is = |other: &&Output| other.slot.producer == output.slot.producer && other.slot.path == path;
        all.iter().find(is).map(|other| &other.filled)
    };
    let as_it_stands = [Some(Scale::Count), Some(Scale::Temporal)].contains(&output.measure.scale);
    if output.slot.observed || as_it_stands {
        return shortest(value);
    }
    let path = output.slot.path.as_str();
    if matches!(path, "minimum" | "maximum") || path.starts_with("quantile:") && reads_short(value) {
        return shortest(value);
    }
    if let Some(Filled::Interval(lower, upper)) = sibling(&format!("{path}Interval"))
        && let Some(place) = place_of_width((upper.get() - lower.get()) / 2.0)
    {
        return at_place(value, place);
    }
    let mut place = magnitude(value) - UNSTATED + 1;
    if let ("standardDeviation", Some(Filled::Number(mean))) = (path, sibling("mean")) {
        place = place.max(magnitude(mean.get().abs() * f64::EPSILON));
    }
    at_place(value, place)
}

/// Whether its shortest text is within the digits of an unstated number anyway.
fn reads_short(value: f64) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    let limit = usize::try_from(UNSTATED).unwrap_or(0) + 2;
    digits(&shortest(value)) <= limit
}

/// The power of ten at which an interval of this half width is rounded; none for one without width.
fn place_of_width(half: f64) -> Option<i32> {
    (half > 0.0 && half.is_finite()).then(|| magnitude(half) - OF_WIDTH + 1)
}

/// The power of ten of the leading digit; 0 for zero.
fn magnitude(value: f64) -> i32 {
    if value == 0.0 {
        return 0;
    }
    // The text of a number has its exponent exactly; a logarithm may round across a power of ten.
    let text = format!("{:e}", value.abs());
    text.split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0)
}

/// A number rounded at a power of ten, half to even as the shortest texts are, with its zeros.
fn at_place(value: f64, place: i32) -> String {
    let power = magnitude(value);
    if !PLAIN.contains(&power) {
        let digits = usize::try_from((power - place).clamp(0, 16)).unwrap_or(0);
        return signed(format!("{value:.digits$e}"));
    }
    if place <= 0 {
        let digits = usize::try_from(-place).unwrap_or(0).min(17 + 5);
        return signed(format!("{value:.digits$}"));
    }
    // Rounded above the point: through the exponent form, whose rounding is decimal and exact.
    let digits = usize::try_from((power - place).max(0)).unwrap_or(0);
    if power < place {
        return "0".to_owned();
    }
    let rounded: f64 = format!("{value:.digits$e}").parse().unwrap_or(value);
    signed(format!("{rounded:.0}"))
}

/// No minus before a number that was rounded to nothing.
fn signed(text: String) -> String {
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.' | 'e'));
    if is_zero { text.replacen('-', "", 1) } else { text }
}

/// The shortest text that reads back as the number.
fn shortest(value: f64) -> String {
    if PLAIN.contains(&magnitude(value)) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use identity::Finite;

    use super::*;
    use crate::output::{Measure, Shape, Slot};

    fn output(path: &str, filled: Filled) -> Output {
        let shape = match filled {
            Filled::Interval(..) => Shape::Interval,
            _ => Shape::Number,
        };
        Output::new(
            Slot::derived("column:a", path, shape),
            Measure::bare("a", Scale::Ratio),
            filled,
        )
    }

    fn finite(value: f64) -> Finite {
        Finite::new(value).unwrap()
    }

    #[test]
    fn a_number_has_the_digits_that_its_interval_leaves_it() {
        for (mean, half, said, ends) in [
            (4_201.754_385_964_912, 85.3, "4202", "4116 to 4287"),
            (0.012_345_678, 0.000_9, "0.01235", "0.01145 to 0.01325"),
            (5e6, 12_345.6, "5000000", "4988000 to 5012000"),
            (-1.0, 0.25, "-1.00", "-1.25 to -0.75"),
            (1e20, 3e18, "1.000e20", "9.70e19 to 1.030e20"),
        ] {
            let all = [
                output("mean", Filled::Number(finite(mean))),
                output(
                    "meanInterval",
                    Filled::Interval(finite(mean - half), finite(mean + half)),
                ),
            ];
            assert_eq!(told(&all[0], &all).unwrap(), said);
            assert_eq!(told(&all[1], &all).unwrap(), ends);
        }
    }

    #[test]
    fn without_an_interval_six_digits_are_told_and_no_more_than_doubles_have() {
        let alone = |value: f64| {
            let all = [output("mean", Filled::Number(finite(value)))];
            told(&all[0], &all).unwrap()
        };
        assert_eq!(alone(2.0 / 3.0), "0.666667");
        assert_eq!(alone(-0.0), "0.00000");
        assert_eq!(alone(123_456_789.0), "123457000");
        assert_eq!(alone(1e-9 / 3.0), "3.33333e-10");
        // Doubles at 1e12 lie 1.2e-4 apart, so a spread of 0.1 has three digits there.
        let all = [
            output("mean", Filled::Number(finite(1e12 + 0.2))),
            output("standardDeviation", Filled::Number(finite(0.100_047_9))),
        ];
        assert_eq!(told(&all[1], &all).unwrap(), "0.1000");
        let near = [
            output("mean", Filled::Number(finite(0.2))),
            output("standardDeviation", Filled::Number(finite(0.100_047_9))),
        ];
        assert_eq!(told(&near[1], &near).unwrap(), "0.100048");
    }

    #[test]
    fn what_stands_in_the_data_is_told_as_it_is() {
        let all = [output("maximum", Filled::Number(finite(5_412_345.678)))];
        assert_eq!(told(&all[0], &all).unwrap(), "5412345.678");
        let count = Output::new(
            Slot::derived("column:a", "count", Shape::Number),
            Measure::bare("a", Scale::Count),
            Filled::Number(finite(12_345_678.0)),
        );
        assert_eq!(told(&count, &[]).unwrap(), "12345678");
        let many = output("values", Filled::InLeaf);
        assert_eq!(told(&many, &[]), None);
    }
}
