//! `./x mutate`: removes guards from a copy of the tree and sees the falsifiers fail.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use mutate::report::{Count, say};
use mutate::run::Built;
use mutate::scratch::{Scratch, TABLE};
use mutate::{Mutant, Table};

fn main() -> anyhow::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let root = PathBuf::from(arguments.next().context("usage: mutate ROOT [--sample | ID…]")?);
    let wanted: Vec<String> = arguments.collect();
    let target = std::env::var_os("CARGO_TARGET_DIR").context("CARGO_TARGET_DIR names the target folder")?;
    let table = Table::parse(&std::fs::read_to_string(root.join(TABLE)).context(TABLE)?)?;
    let chosen = chosen(&table, &wanted)?;

    let begun = Instant::now();
    let copy = Scratch::of(&root, Path::new(&target).join("mutate/tree"), &table)?;
    say(&format!(
        "{} of {} mutants; all are written into {}",
        chosen.len(),
        table.mutants.len(),
        copy.root.display()
    ));
    let built = Built::of(&copy.root)?;
    say(&format!(
        "built in {} s; {} libraries of others were compiled for it",
        begun.elapsed().as_secs(),
        built.n_foreign
    ));
    let count = judge(&built, &chosen);
    built.clear()?;
    let count = count?;
    say(&format!("took {} s", begun.elapsed().as_secs()));
    say(&count.closing());
    Ok(if count.is_clean() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The control, then each mutant.
fn judge(built: &Built, chosen: &[&Mutant]) -> anyhow::Result<Count> {
    let tests = built.tests()?;
    let under = |filter: &str| -> Vec<String> {
        tests
            .iter()
            .filter(|test| test.starts_with(filter))
            .cloned()
            .collect()
    };
    for mutant in chosen {
        ensure!(
            !under(&mutant.killed_by).is_empty(),
            "{TABLE} line {}: {} names {}, and no journey is called so",
            mutant.line,
            mutant.id,
            mutant.killed_by
        );
    }
    let mut falsifiers: Vec<String> = Table::falsifiers(chosen)
        .iter()
        .flat_map(|filter| under(filter))
        .collect();
    falsifiers.sort();
    falsifiers.dedup();
    built.control(&falsifiers)?;
    say(&format!(
        "control: {} tests pass with every guard in place",
        falsifiers.len()
    ));
    let mut count = Count::default();
    for mutant in chosen {
        count.add(mutant, &built.fate(mutant, &under(&mutant.killed_by))?);
    }
    Ok(count)
}

fn chosen<'a>(table: &'a Table, wanted: &[String]) -> anyhow::Result<Vec<&'a Mutant>> {
    if wanted == ["--sample"] {
        return Ok(table.mutants.iter().filter(|mutant| mutant.sample).collect());
    }
    for id in wanted {
        ensure!(
            table.mutants.iter().any(|mutant| &mutant.id == id),
            "{TABLE} holds no mutant {id}"
        );
    }
    Ok(table
        .mutants
        .iter()
        .filter(|mutant| wanted.is_empty() || wanted.contains(&mutant.id))
        .collect())
}
