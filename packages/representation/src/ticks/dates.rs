//! Ticks at round times: years, months, days, hours, minutes or seconds, by the Gregorian calendar, without leap seconds.

use super::{MOST, Tick, TickError, Ticks, inside, interval};

const DAY: f64 = 86_400.0;

/// How far apart ticks stand.
#[derive(Clone, Copy, Debug)]
enum Step {
    Months(i64),
    Seconds(f64),
}

/// Steps from fine to coarse, with how many seconds they take at least.
const STEPS: [(f64, Step); 24] = [
    (1.0, Step::Seconds(1.0)),
    (5.0, Step::Seconds(5.0)),
    (15.0, Step::Seconds(15.0)),
    (30.0, Step::Seconds(30.0)),
    (60.0, Step::Seconds(60.0)),
    (300.0, Step::Seconds(300.0)),
    (900.0, Step::Seconds(900.0)),
    (1_800.0, Step::Seconds(1_800.0)),
    (3_600.0, Step::Seconds(3_600.0)),
    (10_800.0, Step::Seconds(10_800.0)),
    (21_600.0, Step::Seconds(21_600.0)),
    (43_200.0, Step::Seconds(43_200.0)),
    (DAY, Step::Seconds(DAY)),
    (2.0 * DAY, Step::Seconds(2.0 * DAY)),
    (7.0 * DAY, Step::Seconds(7.0 * DAY)),
    (28.0 * DAY, Step::Months(1)),
    (89.0 * DAY, Step::Months(3)),
    (181.0 * DAY, Step::Months(6)),
    (365.0 * DAY, Step::Months(12)),
    (730.0 * DAY, Step::Months(24)),
    (1_826.0 * DAY, Step::Months(60)),
    (3_652.0 * DAY, Step::Months(120)),
    (7_304.0 * DAY, Step::Months(240)),
    (18_262.0 * DAY, Step::Months(600)),
];

/// Seconds of a unit of time, as a UCUM code.
fn seconds(unit: &str) -> Option<f64> {
    let known = [
        ("ns", 1e-9),
        ("us", 1e-6),
        ("ms", 1e-3),
        ("s", 1.0),
        ("min", 60.0),
        ("h", 3_600.0),
        ("d", DAY),
        ("wk", 7.0 * DAY),
    ];
    known
        .iter()
        .find(|(code, _)| *code == unit)
        .map(|(_, secs)| *secs)
}

/// Ticks at round times within times that count from the beginning of 1970 in `unit`; plain numbers where the unit is
/// no fixed time or the times span less than a second or more than calendars grade.
///
/// # Errors
/// As [`inside`].
pub fn dates(min: f64, max: f64, unit: &str, target: usize) -> Result<Ticks, TickError> {
    interval(min, max)?;
    let Some(each) = seconds(unit) else {
        return inside(min, max, target);
    };
    let (from, to) = (min * each, max * each);
    let room = (to - from) / target.max(1) as f64;
    let widest = 1.0e13;
    let step = STEPS
        .iter()
        .find(|(least, _)| *least >= room)
        .map(|(_, step)| *step);
    let step = match step {
        Some(step) if room >= 0.5 => step,
        None if to - from < widest && from.abs() < widest => {
            let years = libm::ceil(room / (365.25 * DAY) / 100.0) * 100.0;
            Step::Months(years as i64 * 12)
        }
        _ => return inside(min, max, target),
    };
    let mut ticks = Vec::new();
    let limit = usize::try_from(MOST).unwrap_or(usize::MAX);
    let mut put = |secs: f64, label: String| {
        if (from..=to).contains(&secs) && ticks.len() < limit {
            let value = secs / each;
            if (min..=max).contains(&value) {
                ticks.push(Tick { value, label });
            }
        }
    };
    match step {
        Step::Seconds(step) => {
            let (first, last) = (libm::ceil(from / step), libm::floor(to / step));
            let mut nth = first;
            while nth <= last {
                put(nth * step, of_seconds(nth * step, step));
                nth += 1.0;
            }
        }
        Step::Months(step) => {
            let month_of = |secs: f64| {
                let (year, month, _) = civil(libm::floor(secs / DAY) as i64);
                year * 12 + i64::from(month) - 1
            };
            let mut month = month_of(from).div_euclid(step) * step;
            while month <= month_of(to) {
                let (year, within) = (month.div_euclid(12), month.rem_euclid(12));
                let label = if step % 12 == 0 {
                    year.to_string()
                } else {
                    format!("{year}-{:02}", within + 1)
                };
                put(days(year, within as u32 + 1) as f64 * DAY, label);
                month += step;
            }
        }
    }
    if ticks.is_empty() {
        return inside(min, max, target);
    }
    Ok(Ticks { min, max, ticks })
}

/// A time as people write it, as fine as the step.
fn of_seconds(secs: f64, step: f64) -> String {
    let day = libm::floor(secs / DAY);
    let (year, month, of_month) = civil(day as i64);
    let within = (secs - day * DAY) as i64;
    let (hour, minute, second) = (within / 3_600, within / 60 % 60, within % 60);
    if step >= DAY || (within == 0 && step >= 3_600.0) {
        format!("{year}-{month:02}-{of_month:02}")
    } else if step >= 60.0 {
        format!("{hour:02}:{minute:02}")
    } else {
        format!("{hour:02}:{minute:02}:{second:02}")
    }
}

/// Days from the beginning of 1970 to the first of a month (Hinnant, chrono-Compatible Low-Level Date Algorithms, 2013).
fn days(year: i64, month: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let shifted = i64::from((month + 9) % 12);
    let of_year = (153 * shifted + 2) / 5;
    let of_all = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    era * 146_097 + of_all - 719_468
}

/// Year, month and day of a day from the beginning of 1970 (as above).
fn civil(day: i64) -> (i64, u32, u32) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    (year, month as u32, of_month as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(min: f64, max: f64, unit: &str) -> Vec<String> {
        let ticks = dates(min, max, unit, 6).unwrap().ticks;
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn times_are_named_as_finely_as_they_stand_apart() {
        // 2012-01-01 is day 15340.
        assert_eq!(
            labels(15_340.0, 15_340.0 + 3653.0, "d"),
            ["2012", "2014", "2016", "2018", "2020", "2022"]
        );
        assert_eq!(
            labels(15_340.0, 15_340.0 + 366.0, "d"),
            ["2012-01", "2012-04", "2012-07", "2012-10", "2013-01"]
        );
        assert_eq!(
            labels(15_340.0 * 86_400.0, 15_340.0 * 86_400.0 + 43_200.0, "s"),
            ["2012-01-01", "03:00", "06:00", "09:00", "12:00"]
        );
        assert_eq!(
            labels(15_399.0, 15_401.0, "d")[1],
            "12:00",
            "half days in between"
        );
        assert_eq!(labels(15_399.0, 15_404.0, "d")[0], "2012-02-29");
        assert_eq!(
            labels(0.0, 4.0, "s"),
            ["00:00:00", "00:00:01", "00:00:02", "00:00:03", "00:00:04"]
        );
    }

    #[test]
    fn what_no_calendar_grades_stays_a_number() {
        assert_eq!(labels(0.0, 10.0, "mo"), labels(0.0, 10.0, "fortnights"));
        assert!(labels(0.0, 0.1, "s").iter().all(|label| !label.contains(':')));
        assert!(dates(0.0, 1e300, "d", 6).is_ok());
        assert!(dates(1.0, 0.0, "d", 6).is_err());
    }

    #[test]
    fn days_and_dates_belong_together() {
        for day in [-719_528, -1, 0, 59, 15_399, 19_723, 2_932_896] {
            let (year, month, of_month) = civil(day);
            assert_eq!(days(year, month) + i64::from(of_month) - 1, day);
        }
        assert_eq!(civil(15_399), (2012, 2, 29));
    }
}
