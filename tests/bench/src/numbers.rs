//! The promised numbers, one function each.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::Scale;
use crate::clock::{Times, side_by_side, slope};
use crate::custody_folder::Kept;
use crate::report::Number;
use crate::synthetic;
use crate::work::{self, Answer, Inquiry};

/// Canonical text with its digest: ours against `serde_json_canonicalizer` with `sha2`, on the same value.
///
/// # Errors
/// When either refuses the value, or both give another digest.
pub fn identity(scale: Scale) -> anyhow::Result<Vec<Number>> {
    let (nodes, rounds) = match scale {
        Scale::Whole => (synthetic::NODES, 11),
        Scale::Tiny => (50, 1),
    };
    let body = synthetic::body(nodes);
    let pair = side_by_side(
        rounds,
        || work::identify(&body),
        || work::identify_with_others(&body),
    )?;
    Ok(vec![
        Number::promised(
            "canonicalize and hash a snapshot-like value",
            format!("{:.2} times as fast", pair.speed()),
            "at least 1 (serde_json_canonicalizer with sha2)",
            pair.speed() >= 1.0,
        ),
        Number::beside("  ours, median", format!("{:.1} ms", pair.ours.median() * 1e3)),
        Number::beside("  theirs, median", format!("{:.1} ms", pair.other.median() * 1e3)),
    ])
}

/// Judging a large package, against hashing the same file with the same SHA-256.
///
/// # Errors
/// When the package can't be written or is not whole; when `once` can't be run.
pub fn verify(scale: Scale, once: Option<&Path>) -> anyhow::Result<Vec<Number>> {
    let (rows, note_bytes, rounds) = match scale {
        Scale::Whole => (20_000, 10_400, 7),
        Scale::Tiny => (40, 100, 1),
    };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("large.nemosyne");
    Inquiry::of_synthetic(synthetic::csv(rows, note_bytes))?.write(&path)?;
    let mib = std::fs::metadata(&path)?.len() as f64 / 1_048_576.0;
    let pair = side_by_side(rounds, || work::verify(&path), || work::hash_file(&path))?;
    let mut numbers = vec![
        Number::promised(
            &format!("verify a package of {mib:.0} MiB"),
            format!("{:.2} of the throughput", pair.speed()),
            "at least 0.7 of hashing the file",
            pair.speed() >= 0.7,
        ),
        Number::beside("  verify, median", format!("{:.0} ms", pair.ours.median() * 1e3)),
        Number::beside(
            "  hashing alone, median",
            format!("{:.0} ms", pair.other.median() * 1e3),
        ),
    ];
    if let Some(once) = once {
        let output = Command::new(once).arg("peak").arg(&path).output()?;
        let text = String::from_utf8(output.stdout)?;
        let bytes: u64 = text
            .trim()
            .parse()
            .with_context(|| format!("once said {text:?}"))?;
        let peak = bytes as f64 / 1_048_576.0;
        numbers.push(Number::promised(
            "  peak memory above baseline",
            format!("{peak:.1} MiB"),
            "under 64 MiB",
            peak < 64.0,
        ));
    }
    Ok(numbers)
}

/// The recipe that the penguins are admitted by.
const RECIPE: &str = "scatter_volume";

/// Admission of the penguins, no reading or writing: from the bytes of the file to an admitted plan, and Forma alone.
///
/// # Errors
/// When the penguins are not admitted.
pub fn admission(scale: Scale) -> anyhow::Result<Vec<Number>> {
    let rounds = match scale {
        Scale::Whole => 201,
        Scale::Tiny => 1,
    };
    let inquiry = Inquiry::of_penguins()?;
    let prepared = inquiry.prepare()?;
    let graph = inquiry.propose(&prepared)?;
    let admitted = |recipe| match inquiry.answer(recipe)? {
        (prepared, Answer::Admitted(decided)) => Ok((prepared, decided)),
        (_, Answer::Refused(refusal)) => bail!("{} / {}", refusal.code(), refusal.reason()),
    };
    let whole = Times::of(rounds, || admitted(Some(RECIPE)))?;
    let both = Times::of(rounds, || admitted(None))?;
    let prepare = Times::of(rounds, || inquiry.prepare())?;
    let forma = Times::of(rounds, || inquiry.admit(&prepared, &graph))?;
    let promised = |name: &str, times: &Times| {
        Number::promised(
            name,
            format!("{:.2} ms median", times.median() * 1e3),
            "under 5 ms",
            times.median() < 5e-3,
        )
    };
    let beside = |name: &str, secs: f64| Number::beside(name, format!("{:.2} ms", secs * 1e3));
    Ok(vec![
        promised("admission of penguins, from bytes to a plan", &whole),
        promised("admission of penguins, Forma alone", &forma),
        beside("  from bytes to a plan, least of the rounds", whole.least()),
        beside("  Forma alone, least of the rounds", forma.least()),
        beside("  from bytes to obligations, median", prepare.median()),
        beside(
            "  from bytes to the answers of every recipe, median",
            both.median(),
        ),
    ])
}

/// Opening a custody folder: 10,000 dispositions in one signed document, and the same in smaller ones beside it.
///
/// # Errors
/// When a folder can't be written or does not open.
pub fn custody(scale: Scale) -> anyhow::Result<Vec<Number>> {
    let (entries, small, rounds) = match scale {
        Scale::Whole => (10_000, 200, 21),
        Scale::Tiny => (20, 5, 1),
    };
    let shipped = custody::Shipped::open()?;
    let whole = Kept::write(entries, entries)?;
    let parts = Kept::write(entries, small)?;
    let one = Times::of(rounds, || whole.open(&shipped))?;
    let many = Times::of(rounds, || parts.open(&shipped))?;
    Ok(vec![
        Number::promised(
            &format!("opening a custody folder of {entries} dispositions, one document"),
            format!("{:.1} ms median", one.median() * 1e3),
            "under 50 ms",
            one.median() < 50e-3,
        ),
        Number::beside(
            "  one document, least of the rounds",
            format!("{:.1} ms", one.least() * 1e3),
        ),
        Number::beside(
            &format!("  the same in documents of {small}, median"),
            format!("{:.1} ms", many.median() * 1e3),
        ),
    ])
}

/// Growth with rows: everything before Forma, then Forma while the device's budget allows.
///
/// # Errors
/// When a step refuses for another reason than the budget.
pub fn growth(scale: Scale) -> anyhow::Result<Vec<Number>> {
    let (sizes, rounds): (&[usize], usize) = match scale {
        Scale::Whole => (&[1_000, 10_000, 100_000, 1_000_000], 3),
        Scale::Tiny => (&[20, 40], 1),
    };
    let (mut prepared, mut decided) = (Vec::new(), Vec::new());
    let mut numbers = Vec::new();
    for &rows in sizes {
        let inquiry = Inquiry::of_synthetic(synthetic::csv(rows, 0))?;
        let secs = Times::of(rounds, || inquiry.prepare())?.median();
        prepared.push((rows, secs));
        let facts = inquiry.prepare()?;
        let mut line = format!("{:.1} ms to obligations", secs * 1e3);
        match inquiry.decide(&facts)? {
            Answer::Admitted(_) => {
                let secs = Times::of(rounds, || inquiry.decide(&facts))?.median();
                decided.push((rows, secs));
                line.push_str(&format!(", {:.1} ms to answers", secs * 1e3));
            }
            Answer::Refused(refusal) => line.push_str(&format!(", then {}", refusal.code())),
        }
        numbers.push(Number::beside(&format!("  {rows} rows"), line));
    }
    let large = |points: &[(usize, f64)]| slope(points.get(1..).unwrap_or_default());
    let (before, after) = (large(&prepared), large(&decided));
    numbers.insert(
        0,
        Number::promised(
            "growth with rows, log-log slope from 10,000 up",
            format!("{before:.2} to obligations, {after:.2} to answers"),
            "at most 1.05",
            scale == Scale::Tiny || (before <= 1.05 && (after.is_nan() || after <= 1.05)),
        ),
    );
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_measured_on_tiny_work_too() {
        let numbers = [
            identity(Scale::Tiny).unwrap(),
            verify(Scale::Tiny, None).unwrap(),
            admission(Scale::Tiny).unwrap(),
            custody(Scale::Tiny).unwrap(),
            growth(Scale::Tiny).unwrap(),
        ];
        assert!(
            numbers
                .iter()
                .all(|numbers| numbers.iter().any(|number| number.holds.is_some()))
        );
    }

    #[test]
    fn ours_and_theirs_give_one_digest() {
        let body = synthetic::body(20);
        let ours = work::identify(&body).unwrap().to_string();
        let theirs = work::identify_with_others(&body).unwrap();
        let hex: String = theirs.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(ours.ends_with(&hex), "{ours} {hex}");
    }

    #[test]
    fn the_slope_of_linear_growth_is_one_and_of_quadratic_growth_two() {
        let points = |power: i32| [1_usize, 10, 100].map(|n| (n, (n as f64).powi(power) * 3e-6));
        assert!((slope(&points(1)) - 1.0).abs() < 1e-9);
        assert!((slope(&points(2)) - 2.0).abs() < 1e-9);
    }
}
