//! What a column says of time: counts in one unit, from one origin, or the reason why there is no one order.

use dataset::{CellRef, Column, ColumnKind, Scale};

use super::FAMILY;
use super::instant::{self, Instant, Zone};
use crate::error::KernelError;
use crate::limitation::counted;

/// Units of time by UCUM code, with their seconds; a year is the 365.25 days of UCUM.
const UNITS: [(&str, f64); 8] = [
    ("ns", 1e-9),
    ("us", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("min", 60.0),
    ("h", 3_600.0),
    ("d", 86_400.0),
    ("a", 31_557_600.0),
];

/// The codes, for messages.
pub(super) const UNIT_CODES: [&str; 8] = ["ns", "us", "ms", "s", "min", "h", "d", "a"];

/// A double holds whole numbers up to here.
const MAX_EXACT: i64 = 1 << 53;

/// The seconds of a unit of time.
pub(super) fn seconds(unit: &str) -> Option<f64> {
    UNITS
        .iter()
        .find(|(code, _)| *code == unit)
        .map(|(_, seconds)| *seconds)
}

/// Times of rows.
pub(super) struct Times {
    /// One a row, exact.
    pub(super) counts: Vec<f64>,
    /// Their unit.
    pub(super) unit: String,
    /// `utc`, `local` or `asRecorded`.
    pub(super) origin: &'static str,
    /// The unit of slopes when none is stated.
    pub(super) per: &'static str,
    /// Leap seconds, which days of 86,400 seconds do not have.
    pub(super) n_leap: usize,
    /// What was done about leap seconds and months, in a sentence.
    pub(super) calendar: String,
    /// What was done about zones, in a sentence.
    pub(super) zones: String,
}

/// The times of some rows of a column.
pub(super) fn read(column: &Column, rows: &[usize], stated_unit: Option<&str>) -> Result<Times, KernelError> {
    match column.kind() {
        ColumnKind::Temporal => of_texts(column, rows, stated_unit),
        ColumnKind::Numeric => of_numbers(column, rows, stated_unit),
        kind @ (ColumnKind::Categorical | ColumnKind::Text | ColumnKind::Unknown) => {
            Err(KernelError::KindUnsupported {
                column: column.name().to_owned(),
                kind,
                family: FAMILY.word,
                needed: "a TEMPORAL or NUMERIC column for the time",
            })
        }
    }
}

fn of_numbers(column: &Column, rows: &[usize], stated_unit: Option<&str>) -> Result<Times, KernelError> {
    let own = column.model().unit().map(dataset::Unit::text);
    let code = |unit: Option<&str>| UNIT_CODES.into_iter().find(|code| Some(*code) == unit);
    if let (Some(own), Some(stated)) = (own, stated_unit)
        && own != stated
    {
        return Err(KernelError::Setting {
            family: FAMILY.word,
            setting: "unit".to_owned(),
            problem: format!("is {stated}, and {} is in {own}", column.name()),
        });
    }
    let Some(unit) = code(own.or(stated_unit)) else {
        return Err(KernelError::MeaningMissing {
            family: FAMILY.word,
            missing: format!(
                "a unit of time for `{}`: state unit=a for years, or one of {}, or declare it at import",
                column.name(),
                UNIT_CODES.join(", ")
            ),
        });
    };
    let scale = column.model().scale();
    if matches!(
        scale,
        Scale::Nominal | Scale::Ordinal | Scale::Identifier | Scale::Circular
    ) {
        return Err(KernelError::ScaleUnsupported {
            column: column.name().to_owned(),
            scale,
            family: FAMILY.word,
            needed: "a scale on which steps have a length, for the time",
        });
    }
    Ok(Times {
        counts: rows
            .iter()
            .filter_map(|row_idx| column.number(*row_idx).known())
            .collect(),
        unit: unit.to_owned(),
        origin: "asRecorded",
        per: unit,
        n_leap: 0,
        calendar: "the times are numbers".to_owned(),
        zones: "the times are numbers and stay as recorded".to_owned(),
    })
}

fn of_texts(column: &Column, rows: &[usize], stated_unit: Option<&str>) -> Result<Times, KernelError> {
    if stated_unit.is_some() {
        return Err(KernelError::Setting {
            family: FAMILY.word,
            setting: "unit".to_owned(),
            problem: format!("is for times that are numbers, and {} holds dates", column.name()),
        });
    }
    let undetermined = |problem: String| KernelError::Undetermined {
        family: FAMILY.word,
        columns: vec![column.name().to_owned()],
        problem,
    };
    let mut instants = Vec::with_capacity(rows.len());
    for row_idx in rows {
        let CellRef::Text(text) = column.cell(*row_idx) else {
            return Err(undetermined("a row has no time".to_owned()));
        };
        let instant = instant::read(text).ok_or_else(|| undetermined(format!("`{text}` is no date")))?;
        instants.push(instant);
    }
    let n_stated = instants
        .iter()
        .filter(|instant| instant.zone != Zone::Unstated)
        .count();
    if n_stated > 0 && n_stated < instants.len() {
        return Err(undetermined(format!(
            "{} with an offset from UTC and {} without have no common order",
            counted(n_stated, "time"),
            instants.len() - n_stated
        )));
    }
    if instants
        .iter()
        .any(|instant| instant.finer || !instant.nanoseconds.is_multiple_of(1_000))
    {
        return Err(undetermined(
            "times finer than a microsecond are not exact as doubles".to_owned(),
        ));
    }
    let finest = |divisor: u32| {
        instants
            .iter()
            .all(|instant| instant.nanoseconds.is_multiple_of(divisor))
    };
    let (unit, per_second, divisor) = if finest(1_000_000_000) {
        ("s", 1, 1_000_000_000)
    } else if finest(1_000_000) {
        ("ms", 1_000, 1_000_000)
    } else {
        ("us", 1_000_000, 1_000)
    };
    let count = |instant: &Instant| {
        let count = instant.seconds.checked_mul(per_second)? + i64::from(instant.nanoseconds / divisor);
        (count.abs() < MAX_EXACT).then_some(count as f64)
    };
    let counts: Option<Vec<f64>> = instants.iter().map(count).collect();
    let counts = counts
        .ok_or_else(|| undetermined("microseconds so far from 1970 are not exact as doubles".to_owned()))?;
    let n_leap = instants.iter().filter(|instant| instant.leap).count();
    let n_months = instants.iter().filter(|instant| instant.month_only).count();
    let mut calendar = Vec::new();
    if n_leap > 0 {
        calendar.push(format!(
            "{} counted as the second that follows",
            counted(n_leap, "leap second")
        ));
    }
    if n_months > 0 {
        let months = counted(n_months, "month");
        calendar.push(format!(
            "{months} without a day at its beginning, so steps of a month have 28 to 31 days"
        ));
    }
    let mut offsets: Vec<Zone> = instants.iter().map(|instant| instant.zone).collect();
    offsets.dedup();
    let several = offsets.iter().any(|zone| *zone != offsets[0]);
    let zones = match (n_stated > 0, several) {
        (false, _) => {
            "no zone is stated: times are local, and hours that a change of clocks repeats or skips can't be told"
        }
        (true, false) => "one offset from UTC is stated everywhere; times are counted in UTC",
        (true, true) => "offsets from UTC differ; times are counted in UTC",
    };
    Ok(Times {
        counts,
        unit: unit.to_owned(),
        origin: if n_stated > 0 { "utc" } else { "local" },
        per: "d",
        n_leap,
        calendar: if calendar.is_empty() {
            "no leap second is written".to_owned()
        } else {
            calendar.join("; ")
        },
        zones: zones.to_owned(),
    })
}
