//! Dates and times as numbers: ISO 8601 texts become whole counts since the beginning of 1970.
//!
//! A calendar date is counted in days of the proleptic Gregorian calendar by the algorithm of H. Hinnant
//! (chrono-Compatible Low-Level Date Algorithms, 2013). Days have 86,400 seconds: a leap second, written `:60`, is the
//! second that follows it, as POSIX counts, and every such text is counted. `YYYY-MM` is the first moment of the month.
//! Counts are exact: in seconds, or in milliseconds or microseconds when fractions need it; finer fractions are refused
//! by the family, since a double could not hold them.

/// Whether a text says where it stands on the globe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    /// An offset from UTC in minutes.
    Offset(i32),
    /// None.
    Unstated,
}

/// A moment as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instant {
    /// Seconds since 1970-01-01T00:00, UTC when an offset is stated.
    pub(super) seconds: i64,
    /// What is beyond the seconds, in billionths.
    pub(super) nanoseconds: u32,
    pub(super) zone: Zone,
    /// Whether it was written as the 61st second of a minute.
    pub(super) leap: bool,
    /// Whether only year and month are stated.
    pub(super) month_only: bool,
    /// Whether digits beyond billionths were stated and are not zero.
    pub(super) finer: bool,
}

/// Reads the forms that import takes for TEMPORAL; `None` for anything else.
pub(super) fn read(text: &str) -> Option<Instant> {
    let bytes = text.as_bytes();
    let number = |start: usize, len: usize| -> Option<i64> {
        let digits = bytes.get(start..start + len)?;
        digits.iter().try_fold(0, |value: i64, byte| {
            byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0'))
        })
    };
    let (year, month) = (number(0, 4)?, number(5, 2)?);
    if !(1..=12).contains(&month) || bytes.get(4) != Some(&b'-') {
        return None;
    }
    let month_only = bytes.len() == 7;
    let day = if month_only {
        1
    } else {
        number(8, 2).filter(|_| bytes.get(7) == Some(&b'-'))?
    };
    let midnight = days_from_civil(year, month, day) * 86_400;
    let mut instant = Instant {
        seconds: midnight,
        nanoseconds: 0,
        zone: Zone::Unstated,
        leap: false,
        month_only,
        finer: false,
    };
    if bytes.len() <= 10 {
        return (month_only || bytes.len() == 10).then_some(instant);
    }
    let (hour, minute) = (number(11, 2)?, number(14, 2)?);
    instant.seconds += hour * 3_600 + minute * 60;
    let mut at = 16;
    if bytes.get(at) == Some(&b':') {
        let second = number(at + 1, 2)?;
        instant.leap = second == 60;
        instant.seconds += second;
        at += 3;
        if bytes.get(at) == Some(&b'.') {
            let digits: Vec<u8> = bytes[at + 1..]
                .iter()
                .copied()
                .take_while(u8::is_ascii_digit)
                .collect();
            at += 1 + digits.len();
            instant.finer = digits.iter().skip(9).any(|digit| *digit != b'0');
            let padded = digits.iter().copied().chain(std::iter::repeat(b'0')).take(9);
            instant.nanoseconds = padded.fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        }
    }
    match bytes.get(at) {
        None => Some(instant),
        Some(b'Z') if at + 1 == bytes.len() => {
            instant.zone = Zone::Offset(0);
            Some(instant)
        }
        Some(sign @ (b'+' | b'-')) if at + 6 == bytes.len() => {
            let minutes = number(at + 1, 2)? * 60 + number(at + 4, 2)?;
            let offset = if *sign == b'-' { -minutes } else { minutes };
            instant.seconds -= offset * 60;
            instant.zone = Zone::Offset(i32::try_from(offset).ok()?);
            Some(instant)
        }
        Some(_) => None,
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant, `days_from_civil`).
pub(super) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
#[path = "../../tests/instant.rs"]
mod tests;
