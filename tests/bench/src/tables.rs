//! What a person asks of a table first: what is in it, and how each column is distributed.

use anyhow::{Context as _, anyhow};
use dataset::{ColumnKind, Dataset, ImportOptions};
use kernels::Analysis;

/// Import with identity, then statistics of every NUMERIC column and the distribution of every column that has one,
/// receipts included: what Polars is asked beside.
///
/// # Errors
/// When the bytes are no table or an analysis is refused.
pub fn describe(bytes: &[u8]) -> anyhow::Result<(Dataset, Vec<Analysis>)> {
    let dataset = dataset::import(bytes, &ImportOptions::named("table"))?.dataset;
    let of_kind = |wanted: &[ColumnKind]| -> Vec<String> {
        let columns = dataset.columns().iter();
        let of_kind = columns.filter(|column| wanted.contains(&column.kind()));
        of_kind.map(|column| column.name().to_owned()).collect()
    };
    let asked = [
        ("statistics", of_kind(&[ColumnKind::Numeric]), &[][..]),
        (
            "distribution",
            of_kind(&[ColumnKind::Numeric, ColumnKind::Categorical]),
            &[("parts", "histogram")][..],
        ),
    ];
    let mut analyses = Vec::new();
    for (family, columns, settings) in asked {
        let request = kernels::request(family, columns, settings)?;
        analyses.push(kernels::analyze(&dataset, &request)?);
    }
    kernels::bundle(&dataset, &analyses)?;
    Ok((dataset, analyses))
}

/// How long [`describe`] took and the highest resident memory of this process, as `secs peakBytes threads`: one line
/// that the bench reads.
///
/// # Errors
/// Those of [`describe`], and off Linux.
pub fn measured(bytes: &[u8]) -> anyhow::Result<String> {
    let start = std::time::Instant::now();
    let made = describe(bytes)?;
    let secs = start.elapsed().as_secs_f64();
    drop(made);
    let peak = crate::memory::highest()?;
    let threads = std::thread::available_parallelism()?;
    Ok(format!("{secs} {peak} {threads}"))
}

/// What a measuring process said.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Wall time of the work alone, seconds.
    pub secs: f64,
    /// Highest resident memory of the process, bytes.
    pub peak: f64,
    /// Threads it could use.
    pub threads: usize,
}

impl Measured {
    /// Reads what [`measured`] wrote.
    ///
    /// # Errors
    /// When it is something else.
    pub fn read(output: &std::process::Output) -> anyhow::Result<Self> {
        let said = String::from_utf8_lossy(&output.stdout);
        let last = said.lines().last().unwrap_or_default();
        let mut parts = last.split_ascii_whitespace();
        let mut number = || parts.next().and_then(|part| part.parse::<f64>().ok());
        let three = number().zip(number()).zip(number());
        let ((secs, peak), threads) = three
            .ok_or_else(|| anyhow!("{}", String::from_utf8_lossy(&output.stderr)))
            .with_context(|| format!("the measuring process said {last:?}"))?;
        Ok(Self {
            secs,
            peak,
            threads: threads as usize,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_is_answered() {
        let csv = crate::synthetic::csv(50, 0);
        let (dataset, analyses) = describe(&csv).unwrap();
        assert_eq!(dataset.n_rows(), 50);
        assert!(analyses.iter().all(|analysis| !analysis.receipts().is_empty()));
    }
}
