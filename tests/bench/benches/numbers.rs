//! `./x bench`: the promised numbers, then one table. Exit status 1 when one is missed.

use std::path::Path;
use std::process::ExitCode;

use bench::Scale;
use bench::numbers;
use bench::report::{Table, say};

fn main() -> anyhow::Result<ExitCode> {
    // Cargo builds `once` in the same profile and says where.
    let once = Path::new(env!("CARGO_BIN_EXE_once"));
    let mut table = Table::default();
    table.extend(numbers::identity(Scale::Whole)?);
    table.extend(numbers::verify(Scale::Whole, Some(once))?);
    table.extend(numbers::admission(Scale::Whole)?);
    table.extend(numbers::custody(Scale::Whole)?);
    table.extend(numbers::growth(Scale::Whole)?);
    say(&table.to_string());
    Ok(if table.holds() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
