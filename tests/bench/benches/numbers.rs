//! `./x bench`: the promised numbers, then one table. Exit status 1 when one is missed.

use std::path::Path;
use std::process::ExitCode;

use bench::Scale;
use bench::report::{Table, say};
use bench::{numbers, polars};

fn main() -> anyhow::Result<ExitCode> {
    // Cargo builds `once` in the same profile and says where.
    let once = Path::new(env!("CARGO_BIN_EXE_once"));
    let mut table = Table::default();
    table.extend(numbers::identity(Scale::Whole)?);
    table.extend(numbers::verify(Scale::Whole, Some(once))?);
    table.extend(numbers::admission(Scale::Whole)?);
    table.extend(numbers::custody(Scale::Whole)?);
    table.extend(numbers::growth(Scale::Whole)?);
    table.extend(polars::compare(once)?);
    table.extend(polars::many(once, 16_000_000)?);
    say(&table.to_string());
    Ok(if table.holds() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
