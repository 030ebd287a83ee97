//! Memory of a process, as Linux counts it.

use std::fs;

use anyhow::Context as _;

/// By how much `work` raised the highest resident memory of this process above what was resident before, bytes. What
/// it gives is alive until then.
///
/// # Errors
/// Those of `work`, and off Linux.
pub fn grown_by<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<u64> {
    let before = status("VmRSS:")?;
    let made = work()?;
    let highest = status("VmHWM:")?;
    drop(made);
    Ok(highest.saturating_sub(before))
}

/// The highest resident memory of this process so far, bytes.
///
/// # Errors
/// Off Linux.
pub fn highest() -> anyhow::Result<u64> {
    status("VmHWM:")
}

fn status(field: &str) -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with(field));
    let number = line.and_then(|line| line.split_ascii_whitespace().nth(1));
    let kib: u64 = number
        .with_context(|| format!("no {field} of this process"))?
        .parse()?;
    Ok(kib * 1024)
}
