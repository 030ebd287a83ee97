//! Dates against counts known from elsewhere, and every day of four centuries against its neighbor.

use super::*;

#[test]
fn known_moments() {
    // Seconds since 1970 as `date -u +%s -d TEXT` gives them.
    for (text, seconds) in [
        ("1970-01-01", 0),
        ("1970-01", 0),
        ("2000-03-01T00:00:00Z", 951_868_800),
        ("2024-02-29T12:30:15Z", 1_709_209_815),
        ("2024-02-29 12:30:15+05:30", 1_709_190_015),
        ("2024-02-29T12:30-08:00", 1_709_238_600),
        ("1969-12-31T23:59:59Z", -1),
        ("0001-01-01", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ] {
        assert_eq!(read(text).map(|instant| instant.seconds), Some(seconds), "{text}");
    }
    let fraction = read("2020-01-01T00:00:00.0251Z").unwrap();
    assert_eq!((fraction.nanoseconds, fraction.finer), (25_100_000, false));
    assert!(read("2020-01-01T00:00:00.0000000001").unwrap().finer);
    let leap = read("2016-12-31T23:59:60Z").unwrap();
    assert!(leap.leap && leap.seconds == read("2017-01-01T00:00:00Z").unwrap().seconds);
    assert_eq!(read("2020-01-01").unwrap().zone, Zone::Unstated);
    assert_eq!(read("2020-01-01T00:00-00:30").unwrap().zone, Zone::Offset(-30));
    for text in [
        "",
        "2020",
        "2020-13",
        "2020-01-1",
        "2020-01-01T",
        "2020-01-01T00:00Zx",
        "x020-01-01",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn days_follow_each_other_through_a_whole_cycle() {
    let mut before = days_from_civil(1599, 12, 31);
    for year in 1600..2001 {
        for month in 1..13 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let n_days = match month {
                2 => 28 + i64::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            for day in 1..=n_days {
                let days = days_from_civil(year, month, day);
                assert_eq!(days, before + 1, "{year}-{month}-{day}");
                before = days;
            }
        }
    }
}
