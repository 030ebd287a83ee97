//! Time: medians, ratios of alternating rounds, slopes.

use std::time::{Duration, Instant};

/// Durations of one piece of work, sorted.
#[derive(Clone, Debug)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Runs `work` once to warm up, then `rounds` times against the clock; what it gives is dropped off the clock.
    ///
    /// # Errors
    /// The first error of `work`.
    pub fn of<T>(rounds: usize, mut work: impl FnMut() -> anyhow::Result<T>) -> anyhow::Result<Self> {
        work()?;
        let times = (0..rounds.max(1))
            .map(|_| timed(&mut work))
            .collect::<anyhow::Result<_>>()?;
        Ok(Self::sorted(times))
    }

    fn sorted(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    /// The middle one, seconds.
    #[must_use]
    pub fn median(&self) -> f64 {
        self.0
            .get(self.0.len() / 2)
            .map_or(f64::NAN, Duration::as_secs_f64)
    }

    /// The shortest one, seconds: the work with the least of what else the machine did.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.0.first().map_or(f64::NAN, Duration::as_secs_f64)
    }
}

fn timed<T>(work: &mut impl FnMut() -> anyhow::Result<T>) -> anyhow::Result<Duration> {
    let start = Instant::now();
    let made = std::hint::black_box(work()?);
    let time = start.elapsed();
    drop(made);
    Ok(time)
}

/// Two pieces of work that took turns.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Ours.
    pub ours: Times,
    /// What ours is compared with.
    pub other: Times,
    ratios: Vec<f64>,
}

impl Pair {
    /// How many times as fast ours is: the median over rounds of the other's time through ours. 1 is equal, more is
    /// faster.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.ratios
            .get(self.ratios.len() / 2)
            .copied()
            .unwrap_or(f64::NAN)
    }
}

/// Lets two pieces of work take turns, `rounds` times each, after one round to warm up. Which goes first changes from
/// round to round.
///
/// # Errors
/// The first error of either.
pub fn side_by_side<T, U>(
    rounds: usize,
    mut ours: impl FnMut() -> anyhow::Result<T>,
    mut other: impl FnMut() -> anyhow::Result<U>,
) -> anyhow::Result<Pair> {
    ours()?;
    other()?;
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for round in 0..rounds.max(1) {
        if round % 2 == 0 {
            a.push(timed(&mut ours)?);
            b.push(timed(&mut other)?);
        } else {
            b.push(timed(&mut other)?);
            a.push(timed(&mut ours)?);
        }
    }
    let mut ratios: Vec<f64> = a
        .iter()
        .zip(&b)
        .map(|(a, b)| b.as_secs_f64() / a.as_secs_f64())
        .collect();
    ratios.sort_unstable_by(f64::total_cmp);
    Ok(Pair {
        ours: Times::sorted(a),
        other: Times::sorted(b),
        ratios,
    })
}

/// The slope of the least-squares line through `(ln n, ln seconds)`: 1 is linear growth. NaN for fewer than two
/// distinct sizes.
#[must_use]
pub fn slope(points: &[(usize, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .map(|(n, secs)| ((*n as f64).ln(), secs.ln()))
        .collect();
    let n = logs.len() as f64;
    let (x, y) = logs
        .iter()
        .fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let (above, below) = logs.iter().fold((0.0, 0.0), |(above, below), point| {
        (
            above + (point.0 - x) * (point.1 - y),
            below + (point.0 - x) * (point.0 - x),
        )
    });
    above / below
}
