//! What a piece of text is, looked at alone: an integer, a decimal, an ISO date, or neither.
//!
//! Numbers: optional sign, digits with an optional point, an optional exponent. `inf`, `nan`, hexadecimal, digit
//! groups and the decimal comma are not numbers, unless a [`NumberStyle`] says how a file writes them. Dates: ISO 8601 calendar dates `YYYY-MM` and `YYYY-MM-DD`, the
//! latter with an optional time `HH:MM[:SS[.fff]]` and offset `Z` or `±HH:MM`, all within their ranges.

use std::borrow::Cow;

/// The greatest integer that a double and every JSON reader hold exactly.
pub(crate) const MAX_SAFE: i64 = (1 << 53) - 1;

/// A double has at most this many significant decimal digits in its shortest form.
const MAX_SIGNIFICANT: usize = 17;

/// How a text reads as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Literal {
    /// An integer within ±[`MAX_SAFE`]. `padded`: it begins with a zero that arithmetic would drop.
    Integer { value: i64, padded: bool, plus: bool },
    /// An integer beyond ±[`MAX_SAFE`].
    UnsafeInteger,
    /// A number with point or exponent. `padded` as above; `long`: more digits than a double distinguishes.
    Decimal { padded: bool, long: bool },
    /// Not a number.
    Other,
}

/// Reads `text` (already free of surrounding spaces) as a number without computing its double.
pub(crate) fn classify(text: &str) -> Literal {
    let bytes = text.as_bytes();
    let (negative, plus, digits_at) = match bytes.first() {
        Some(b'-') => (true, false, 1),
        Some(b'+') => (false, true, 1),
        Some(b'0'..=b'9' | b'.') => (false, false, 0),
        _ => return Literal::Other,
    };
    let body = &bytes[digits_at..];
    let n_whole = count_digits(body);
    let padded = n_whole > 1 && body[0] == b'0';
    if n_whole == body.len() {
        return whole(&body[..n_whole], negative, padded, plus);
    }
    let mut rest = &body[n_whole..];
    let mut n_fraction = 0;
    if rest.first() == Some(&b'.') {
        n_fraction = count_digits(&rest[1..]);
        rest = &rest[1 + n_fraction..];
    }
    if n_whole + n_fraction == 0 {
        return Literal::Other;
    }
    let mantissa = &body[..body.len() - rest.len()];
    if let Some(b'e' | b'E') = rest.first() {
        let exponent = match rest.get(1) {
            Some(b'+' | b'-') => &rest[2..],
            _ => &rest[1..],
        };
        if exponent.is_empty() || count_digits(exponent) != exponent.len() {
            return Literal::Other;
        }
    } else if !rest.is_empty() {
        return Literal::Other;
    }
    let long = mantissa.len() > MAX_SIGNIFICANT && n_significant(mantissa) > MAX_SIGNIFICANT;
    Literal::Decimal { padded, long }
}

fn count_digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn whole(digits: &[u8], negative: bool, padded: bool, plus: bool) -> Literal {
    if digits.is_empty() {
        return Literal::Other;
    }
    let mut value: i64 = 0;
    for digit in digits {
        // MAX_SAFE * 10 + 9 fits an i64, so this can't overflow before the check.
        value = value * 10 + i64::from(digit - b'0');
        if value > MAX_SAFE {
            return Literal::UnsafeInteger;
        }
    }
    let value = if negative { -value } else { value };
    Literal::Integer { value, padded, plus }
}

fn n_significant(mantissa: &[u8]) -> usize {
    let digits = || mantissa.iter().filter(|byte| byte.is_ascii_digit());
    let leading = digits().take_while(|&&byte| byte == b'0').count();
    let trailing = digits().rev().take_while(|&&byte| byte == b'0').count();
    digits().count().saturating_sub(leading + trailing)
}

/// The finite double nearest to a [`Literal`] that is a number; `None` past the range of doubles, on the side of 0 too.
/// −0 becomes 0.
pub(crate) fn to_double(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let vanishes = value == 0.0 && mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    // Adding +0 turns −0 into 0 and leaves every other value alone.
    (value.is_finite() && !vanishes).then_some(value + 0.0)
}

/// Whether a cell holds a missing token: the same text, or the same number in other digits, as `-999` and `-999.0`. A
/// number with leading zeros is a code and stands for itself alone.
pub(crate) fn is_token(token: &str, text: &str) -> bool {
    if token == text {
        return true;
    }
    let starts = |text: &str| {
        let first = text.as_bytes().first();
        matches!(first, Some(b'0'..=b'9' | b'-' | b'+' | b'.'))
    };
    if !starts(token) || !starts(text) {
        return false;
    }
    let number = |text: &str| match classify(text) {
        Literal::Integer { padded: false, .. } | Literal::Decimal { padded: false, .. } => to_double(text),
        Literal::Integer { .. } | Literal::Decimal { .. } | Literal::UnsafeInteger | Literal::Other => None,
    };
    number(token).is_some_and(|token| number(text) == Some(token))
}

/// Whether `text` is an ISO 8601 date or date-time of the supported forms.
pub(crate) fn is_temporal(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(year), Some(b'-'), Some(month)) = (number(bytes, 0, 4), bytes.get(4), number(bytes, 5, 2))
    else {
        return false;
    };
    if !(1..=12).contains(&month) {
        return false;
    }
    if bytes.len() == 7 {
        return true;
    }
    let (Some(b'-'), Some(day)) = (bytes.get(7), number(bytes, 8, 2)) else {
        return false;
    };
    if day == 0 || day > days_in(year, month) {
        return false;
    }
    match bytes.get(10) {
        None => true,
        Some(b'T' | b' ') => is_time(&bytes[11..]),
        Some(_) => false,
    }
}

/// The one text of an instant: [`is_temporal`] text with `T` before the time, seconds always, a fraction only when it is
/// not zero and without zeros at its end, and `Z` for an offset of zero. Days and months are texts of their own: a day is
/// not its midnight.
pub(crate) fn canonical_temporal(text: &str) -> Cow<'_, str> {
    let Some((day, rest)) = text.split_at_checked(10) else {
        return Cow::Borrowed(text);
    };
    let Some(time) = rest.get(1..) else {
        return Cow::Borrowed(text);
    };
    let (clock, offset) = match time.find(['Z', '+', '-']) {
        Some(at) => time.split_at(at),
        None => (time, ""),
    };
    let clock = match clock.split_once('.') {
        Some((whole, fraction)) => match fraction.trim_end_matches('0') {
            "" => whole.to_owned(),
            fraction => format!("{whole}.{fraction}"),
        },
        None if clock.len() == 5 => format!("{clock}:00"),
        None => clock.to_owned(),
    };
    let offset = match offset {
        "+00:00" | "-00:00" => "Z",
        offset => offset,
    };
    let canonical = format!("{day}T{clock}{offset}");
    if canonical == text {
        return Cow::Borrowed(text);
    }
    Cow::Owned(canonical)
}

fn number(bytes: &[u8], start: usize, len: usize) -> Option<u32> {
    let digits = bytes.get(start..start + len)?;
    digits.iter().try_fold(0, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0'))
    })
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

fn is_time(bytes: &[u8]) -> bool {
    let (Some(hour), Some(b':'), Some(minute)) = (number(bytes, 0, 2), bytes.get(2), number(bytes, 3, 2))
    else {
        return false;
    };
    if hour > 23 || minute > 59 {
        return false;
    }
    let mut rest = &bytes[5..];
    if rest.first() == Some(&b':') {
        // 60 is a leap second.
        match number(rest, 1, 2) {
            Some(second) if second <= 60 => rest = &rest[3..],
            _ => return false,
        }
        if rest.first() == Some(&b'.') {
            let n_digits = count_digits(&rest[1..]);
            if n_digits == 0 {
                return false;
            }
            rest = &rest[1 + n_digits..];
        }
    }
    match rest {
        [] | [b'Z'] => true,
        [b'+' | b'-', _, _, b':', _, _] => {
            number(rest, 1, 2).is_some_and(|hours| hours <= 23)
                && number(rest, 4, 2).is_some_and(|minutes| minutes <= 59)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(value: i64) -> Literal {
        Literal::Integer {
            value,
            padded: false,
            plus: false,
        }
    }

    #[test]
    fn numbers_and_what_is_not_one() {
        let decimal = Literal::Decimal {
            padded: false,
            long: false,
        };
        for (text, expected) in [
            ("0", integer(0)),
            ("-0", integer(0)),
            ("42", integer(42)),
            ("-9007199254740991", integer(-MAX_SAFE)),
            ("9007199254740991", integer(MAX_SAFE)),
            ("9007199254740992", Literal::UnsafeInteger),
            ("123456789012345678901234567890", Literal::UnsafeInteger),
            ("39.1", decimal),
            (".5", decimal),
            ("5.", decimal),
            ("-1e-7", decimal),
            ("1E+21", decimal),
            ("0.1", decimal),
            ("inf", Literal::Other),
            ("-inf", Literal::Other),
            ("NaN", Literal::Other),
            ("0x10", Literal::Other),
            ("1,5", Literal::Other),
            ("1_000", Literal::Other),
            ("1e", Literal::Other),
            ("1e+", Literal::Other),
            (".", Literal::Other),
            ("-", Literal::Other),
            ("+", Literal::Other),
            ("-.e5", Literal::Other),
            ("1.2.3", Literal::Other),
            ("12abc", Literal::Other),
            ("", Literal::Other),
        ] {
            assert_eq!(classify(text), expected, "{text}");
        }
    }

    #[test]
    fn padding_signs_and_length_are_seen() {
        assert!(matches!(
            classify("007"),
            Literal::Integer {
                value: 7,
                padded: true,
                ..
            }
        ));
        assert!(matches!(classify("-01.5"), Literal::Decimal { padded: true, .. }));
        assert!(matches!(classify("+49"), Literal::Integer { plus: true, .. }));
        let long = |text| matches!(classify(text), Literal::Decimal { long: true, .. });
        assert!(long("0.123456789012345678"));
        assert!(!long("0.12345678901234567"));
        assert!(!long("0.100000000000000000000"));
        assert!(!long("1000000000000.4"));
    }

    #[test]
    fn doubles_round_trip_and_never_leave_the_finite() {
        for value in [0.1, 5e-324, f64::MAX, 1e21, 39.1, -2.5] {
            assert_eq!(to_double(&format!("{value:e}")), Some(value));
        }
        assert_eq!(to_double("1e999"), None);
        assert_eq!(
            to_double("1e-400"),
            None,
            "a number that is not 0 does not become 0"
        );
        assert_eq!(to_double("0.000e-400"), Some(0.0));
        assert!(to_double("-0.0").is_some_and(|zero| zero.is_sign_positive()));
    }

    #[test]
    fn a_number_is_a_token_in_any_digits_but_a_code_is_not() {
        for (token, text) in [
            ("-999", "-999.0"),
            ("-999.0", "-999"),
            ("1e3", "1000"),
            ("NA", "NA"),
        ] {
            assert!(is_token(token, text), "{token} {text}");
        }
        for (token, text) in [
            ("999", "0999"),
            ("-999", "999"),
            ("NA", "N/A"),
            ("-", "-1"),
            ("1,5", "1.5"),
        ] {
            assert!(!is_token(token, text), "{token} {text}");
        }
    }

    #[test]
    fn dates() {
        for text in [
            "2007-11",
            "2007-11-11",
            "2024-02-29",
            "2000-02-29",
            "2007-11-11T09:30",
            "2007-11-11 09:30:15",
            "2007-11-11T09:30:15.250Z",
            "2007-11-11T23:59:60+05:30",
        ] {
            assert!(is_temporal(text), "{text}");
        }
        for text in [
            "2007",
            "2007-13",
            "2007-00-01",
            "2007-11-00",
            "2007-11-31",
            "2023-02-29",
            "1900-02-29",
            "11/11/2007",
            "2007-1-1",
            "2007-11-11T24:00",
            "2007-11-11T09",
            "2007-11-11T09:30:61",
            "2007-11-11T09:30:15.",
            "2007-11-11T09:30+5",
            "2007-11-11x",
            "2007-11-11T09:30+05:3é",
        ] {
            assert!(!is_temporal(text), "{text}");
        }
    }

    #[test]
    fn one_instant_has_one_text() {
        for (text, canonical) in [
            ("2007-11", "2007-11"),
            ("2007-11-11", "2007-11-11"),
            ("2007-11-11 09:30", "2007-11-11T09:30:00"),
            ("2007-11-11T09:30:15.000", "2007-11-11T09:30:15"),
            ("2007-11-11 09:30:15.250", "2007-11-11T09:30:15.25"),
            ("2007-11-11T09:30:15.0010Z", "2007-11-11T09:30:15.001Z"),
            ("2007-11-11 09:30+00:00", "2007-11-11T09:30:00Z"),
            ("2007-11-11T09:30:15-00:00", "2007-11-11T09:30:15Z"),
            ("2007-11-11T23:59:60+05:30", "2007-11-11T23:59:60+05:30"),
        ] {
            assert!(is_temporal(text) && is_temporal(canonical), "{text}");
            assert_eq!(canonical_temporal(text), canonical);
            assert_eq!(canonical_temporal(canonical), canonical, "{text}");
        }
    }
}
