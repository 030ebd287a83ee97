//! Dates and times as ISO 8601 text, so that a CSV of the same content has the same identity.
//!
//! A day is `2007-11-11`, an instant without a zone `2007-11-11T09:30:15`, one of a time zone the same in UTC with `Z`
//! behind, a time of day `09:30:15`. Seconds are always written; a fraction only when it is not zero, without zeros at
//! its end. Years are those of the proleptic Gregorian calendar from 0000 to 9999, as ISO 8601 writes them with four
//! digits; beyond there is no text.

use arrow_schema::TimeUnit;

const SECS_A_DAY: i64 = 86_400;

pub(super) fn per_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

/// A day counted from 1970-01-01.
pub(super) fn day(days: i64) -> Option<Box<str>> {
    let mut text = Text::new();
    text.day(days)?;
    Some(text.finish())
}

/// An instant counted in `per_second` parts of a second from 1970-01-01T00:00:00.
pub(super) fn instant(count: i64, per_second: i64, utc: bool) -> Option<Box<str>> {
    let (secs, part) = (count.div_euclid(per_second), count.rem_euclid(per_second));
    let mut text = Text::new();
    text.day(secs.div_euclid(SECS_A_DAY))?;
    text.push(b'T');
    text.time(secs.rem_euclid(SECS_A_DAY), part, per_second);
    if utc {
        text.push(b'Z');
    }
    Some(text.finish())
}

/// A time of day counted in `per_second` parts of a second from midnight; `None` outside one day.
pub(super) fn time(count: i64, per_second: i64) -> Option<Box<str>> {
    let (secs, part) = (count.div_euclid(per_second), count.rem_euclid(per_second));
    if !(0..SECS_A_DAY).contains(&secs) {
        return None;
    }
    let mut text = Text::new();
    text.time(secs, part, per_second);
    Some(text.finish())
}

/// Enough for `2007-11-11T09:30:15.123456789Z`.
struct Text {
    bytes: [u8; 32],
    len: usize,
}

impl Text {
    fn new() -> Self {
        Self {
            bytes: [0; 32],
            len: 0,
        }
    }

    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    fn digits(&mut self, value: i64, n_digits: u32) {
        for place in (0..n_digits).rev() {
            let digit = value / 10_i64.pow(place) % 10;
            self.push(b'0' + u8::try_from(digit).expect("a digit"));
        }
    }

    /// Days to a calendar date, after H. Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
    fn day(&mut self, days: i64) -> Option<()> {
        // 0000-01-01 and 9999-12-31.
        if !(-719_528..=2_932_896).contains(&days) {
            return None;
        }
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 {
            shifted_month + 3
        } else {
            shifted_month - 9
        };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        self.digits(year, 4);
        self.push(b'-');
        self.digits(month, 2);
        self.push(b'-');
        self.digits(day, 2);
        Some(())
    }

    fn time(&mut self, secs: i64, part: i64, per_second: i64) {
        self.digits(secs / 3_600, 2);
        self.push(b':');
        self.digits(secs / 60 % 60, 2);
        self.push(b':');
        self.digits(secs % 60, 2);
        if part > 0 {
            self.push(b'.');
            self.digits(part, per_second.ilog10());
            while self.bytes[self.len - 1] == b'0' {
                self.len -= 1;
            }
        }
    }

    fn finish(self) -> Box<str> {
        let text = std::str::from_utf8(&self.bytes[..self.len]).expect("digits and marks are ASCII");
        Box::from(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{day, instant, time};

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (11_323, "2001-01-01"),
            (-25_509, "1900-02-28"),
            (-25_508, "1900-03-01"),
            (-719_528, "0000-01-01"),
            (2_932_896, "9999-12-31"),
        ] {
            assert_eq!(day(days).as_deref(), Some(expected));
            assert!(crate::literal::is_temporal(expected));
        }
        assert_eq!(day(-719_529), None);
        assert_eq!(day(2_932_897), None);
        assert_eq!(day(i64::MAX), None);
    }

    #[test]
    fn instants_keep_exactly_what_they_hold() {
        for (count, per_second, utc, expected) in [
            (0, 1, false, "1970-01-01T00:00:00"),
            (978_307_260_000_000, 1_000_000, false, "2001-01-01T00:01:00"),
            (-1, 1_000, true, "1969-12-31T23:59:59.999Z"),
            (1_500, 1_000, false, "1970-01-01T00:00:01.5"),
            (
                1_577_134_800_018_226_901,
                1_000_000_000,
                true,
                "2019-12-23T21:00:00.018226901Z",
            ),
            (10_000_000, 1_000_000_000, false, "1970-01-01T00:00:00.01"),
        ] {
            assert_eq!(instant(count, per_second, utc).as_deref(), Some(expected));
            assert!(crate::literal::is_temporal(expected), "{expected}");
        }
        assert_eq!(instant(i64::MAX, 1, false), None);
        assert_eq!(instant(i64::MIN, 1_000, false), None);
    }

    #[test]
    fn times_of_day_stay_inside_their_day() {
        assert_eq!(time(34_215, 1).as_deref(), Some("09:30:15"));
        assert_eq!(
            time(86_399_999_999, 1_000_000).as_deref(),
            Some("23:59:59.999999")
        );
        assert_eq!(time(86_400, 1), None);
        assert_eq!(time(-1, 1), None);
    }
}
