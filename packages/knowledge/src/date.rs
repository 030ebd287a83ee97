//! Days of the proleptic Gregorian calendar, as values: nothing here asks a clock.

use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A day that exists, spelled `YYYY-MM-DD`, years 0001 to 9999. Orders as the calendar does.
///
/// ```
/// let day: knowledge::Date = "2026-12-01".parse()?;
/// assert_eq!(day.days_since(&"2026-11-30".parse()?), 1);
/// assert!("2026-02-29".parse::<knowledge::Date>().is_err());
/// # Ok::<(), knowledge::NoDate>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// A text is no day. Way out: write `YYYY-MM-DD`, a day that exists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no date, YYYY-MM-DD")]
pub struct NoDate {
    /// What was there, at most 40 characters of it.
    pub found: String,
}

impl Date {
    /// Reads `YYYY-MM-DD`.
    ///
    /// # Errors
    /// [`NoDate`] for any other text and for days that do not exist.
    pub fn parse(text: &str) -> Result<Self, NoDate> {
        let read = || {
            let mut parts = text.split('-');
            let mut number = |digits: usize| {
                let part = parts.next()?;
                let plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
                plain.then(|| part.parse::<u16>().ok()).flatten()
            };
            let (year, month, day) = (number(4)?, number(2)?, number(2)?);
            (parts.next().is_none()).then_some((year, month, day))
        };
        let no_date = || NoDate {
            found: text.chars().take(40).collect(),
        };
        let (year, month, day) = read().ok_or_else(no_date)?;
        let (month, day) = (
            u8::try_from(month).map_err(|_| no_date())?,
            u8::try_from(day).map_err(|_| no_date())?,
        );
        if (1..=days_in(year, month)).contains(&day) {
            Ok(Self { year, month, day })
        } else {
            Err(no_date())
        }
    }

    /// The day that lies `days` after 1970-01-01, as a clock counts; none outside the years 0001 to 9999.
    #[must_use]
    pub fn from_unix_days(days: i64) -> Option<Self> {
        // Hinnant, "chrono-compatible low-level date algorithms", civil_from_days.
        let shifted = days.checked_add(719_468)?;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 {
            shifted_month + 3
        } else {
            shifted_month - 9
        };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        (1..=9_999).contains(&year).then_some(())?;
        Some(Self {
            year: u16::try_from(year).ok()?,
            month: u8::try_from(month).ok()?,
            day: u8::try_from(day).ok()?,
        })
    }

    /// Days after 1970-01-01.
    #[must_use]
    pub fn unix_days(&self) -> i64 {
        // Hinnant, days_from_civil.
        let (month, day) = (i64::from(self.month), i64::from(self.day));
        let year = i64::from(self.year) - i64::from(month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let shifted_month = if month > 2 { month - 3 } else { month + 9 };
        let day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
        let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + of_era - 719_468
    }

    /// How many days this one lies after another; negative when it lies before.
    #[must_use]
    pub fn days_since(&self, other: &Self) -> i64 {
        self.unix_days() - other.unix_days()
    }
}

const fn days_in(year: u16, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 0,
    }
}

impl core::str::FromStr for Date {
    type Err = NoDate;

    fn from_str(text: &str) -> Result<Self, NoDate> {
        Self::parse(text)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl de::Visitor<'_> for Text {
            type Value = Date;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a day as YYYY-MM-DD")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Date, E> {
                Date::parse(text).map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn days_are_counted_as_the_calendar_does() {
        let day = |text: &str| Date::parse(text).unwrap();
        for (text, days) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2026-12-01", 20_788),
        ] {
            assert_eq!(day(text).unix_days(), days, "{text}");
            assert_eq!(Date::from_unix_days(days), Some(day(text)));
            assert_eq!(day(text).to_string(), text);
        }
        for days in (-719_162..2_932_897).step_by(97) {
            let found = Date::from_unix_days(days).unwrap();
            assert_eq!(found.unix_days(), days, "{found}");
            assert_eq!(day(&found.to_string()), found);
        }
        assert!(day("2026-12-01") > day("2026-11-30"));
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-1-1",
            "26-01-01",
            "+026-01-01",
            "2026-01-01T00",
            "2026-01-01-",
            "",
            "soon",
        ] {
            assert!(Date::parse(text).is_err(), "{text}");
        }
        assert_eq!(Date::from_unix_days(i64::MAX), None);
        assert_eq!(Date::from_unix_days(3_000_000), None);
    }
}
