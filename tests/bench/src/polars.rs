//! The same table asked the same things by Polars, in turn, on the same machine.
//!
//! Polars comes as a wheel and the table in the npm package `vega-datasets`, both of a stated version and both fetched
//! once beside the build. Without network, Python or npm nothing is compared, and the table of numbers says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::report::Number;
use crate::tables::Measured;

const POLARS: &str = "polars==2.1.0";
const TABLES: &str = "vega-datasets@3.2.1";
const ARCHIVE: &str = "vega-datasets-3.2.1.tgz";
const TABLE: &str = "package/data/flights-3m.parquet";

/// Reads, describes with the same quantiles, and makes a histogram of every numeric column and counts of every text
/// column. Its clock starts after the module is loaded, as ours starts after the process is.
const SCRIPT: &str = r#"
import resource, sys, time
import polars as pl
start = time.perf_counter()
table = pl.read_parquet(sys.argv[1])
described = table.describe(percentiles=(0.05, 0.25, 0.5, 0.75, 0.95))
shapes = []
for name in table.columns:
    column = table[name]
    if column.dtype.is_numeric():
        shapes.append(column.hist(bin_count=100))
    elif column.dtype == pl.String:
        shapes.append(column.value_counts())
secs = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(secs, peak, pl.thread_pool_size())
"#;

/// Rounds of each, in turn.
const ROUNDS: usize = 7;

/// Import, statistics and distribution of `flights-3m.parquet` (3 million rows), receipts included, against Polars.
///
/// # Errors
/// When a measuring process fails.
pub fn compare(once: &Path) -> anyhow::Result<Vec<Number>> {
    let fetched = folder().and_then(|folder| fetch(&folder).map(|()| folder));
    let folder = match fetched {
        Ok(folder) => folder,
        Err(error) => {
            let name = "3 million flights described, against Polars";
            return Ok(vec![Number::beside(name, format!("not compared: {error:#}"))]);
        }
    };
    let table = folder.join(TABLE);
    let ours = || measure(Command::new(once).arg("describe").arg(&table));
    let theirs = || {
        let mut python = Command::new(folder.join("python/bin/python"));
        measure(python.args(["-c", SCRIPT]).arg(&table))
    };
    ours()?;
    theirs()?;
    let (mut times, mut peaks, mut both) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let (ours, theirs) = if round % 2 == 0 {
            let ours = ours()?;
            (ours, theirs()?)
        } else {
            let theirs = theirs()?;
            (ours()?, theirs)
        };
        times.push(ours.secs / theirs.secs);
        peaks.push(ours.peak / theirs.peak);
        both.push((ours, theirs));
    }
    let (time, peak) = (median(times), median(peaks));
    let of = |which: &dyn Fn(&(Measured, Measured)) -> f64| median(both.iter().map(which).collect());
    let mib = 1_048_576.0;
    let threads = both.first().map_or((0, 0), |(a, b)| (a.threads, b.threads));
    Ok(vec![
        Number::promised(
            "3 million flights described, wall time against Polars",
            format!("{time:.2} times its"),
            "at most 2",
            time <= 2.0,
        ),
        Number::promised(
            "  peak memory against Polars",
            format!("{peak:.2} times its"),
            "at most 1.5",
            peak <= 1.5,
        ),
        Number::beside(
            "  ours, medians",
            format!(
                "{:.2} s, {:.0} MiB, {} threads",
                of(&|p| p.0.secs),
                of(&|p| p.0.peak) / mib,
                threads.0
            ),
        ),
        Number::beside(
            "  Polars 2.1.0, medians",
            format!(
                "{:.2} s, {:.0} MiB, {} threads",
                of(&|p| p.1.secs),
                of(&|p| p.1.peak) / mib,
                threads.1
            ),
        ),
    ])
}

/// The same of made rows, as many as `rows`, alone.
///
/// # Errors
/// When the measuring process fails.
pub fn many(once: &Path, rows: usize) -> anyhow::Result<Vec<Number>> {
    let found = measure(Command::new(once).arg("made").arg(rows.to_string()))?;
    let gib = found.peak / (1024.0 * 1_048_576.0);
    Ok(vec![Number::promised(
        &format!("{rows} made rows described, peak memory"),
        format!("{gib:.2} GiB, {:.0} s", found.secs),
        "under 8 GiB",
        gib < 8.0,
    )])
}

fn measure(command: &mut Command) -> anyhow::Result<Measured> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Measured::read(&output)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn folder() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(3).context("no target folder")?;
    let folder = target.join("polars");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn fetch(folder: &Path) -> anyhow::Result<()> {
    let run = |command: &mut Command| -> anyhow::Result<()> {
        let output = command.current_dir(folder).stdin(Stdio::null()).output();
        let output = output.with_context(|| format!("{:?} is missing", command.get_program()))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{}", said.lines().last().unwrap_or("a fetching command failed"));
    };
    if !folder.join("python/bin/python").exists() {
        run(Command::new("python3").args(["-m", "venv", "python"]))?;
    }
    let ready = Command::new(folder.join("python/bin/python"))
        .args(["-c", "import polars"])
        .output();
    if !ready.is_ok_and(|output| output.status.success()) {
        run(Command::new(folder.join("python/bin/pip")).args(["install", "--quiet", POLARS]))?;
    }
    if !folder.join(TABLE).exists() {
        run(Command::new("npm").args(["pack", "--silent", TABLES]))?;
        run(Command::new("tar").args(["xzf", ARCHIVE, TABLE]))?;
    }
    Ok(())
}
