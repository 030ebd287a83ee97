//! One piece of work, a number of times, and nothing else: for the peak of its memory, an instruction counter, a
//! profiler.
//!
//! A count of instructions is the same on a busy machine. Setting up is part of what is counted, so the work costs the
//! difference of two counts:
//!
//! ```sh
//! cargo build --release -p bench --bin once
//! valgrind --tool=callgrind --callgrind-out-file=2.out "$CARGO_TARGET_DIR/release/once" admission 2
//! valgrind --tool=callgrind --callgrind-out-file=1.out "$CARGO_TARGET_DIR/release/once" admission 1
//! callgrind_annotate --inclusive=yes 2.out
//! ```
//!
//! Valgrind shows a processor without SHA instructions, so SHA-256 weighs about 50 instructions a byte there: subtract
//! what stands under `sha2::sha256::compress256`.

use std::path::Path;

use anyhow::{Context as _, bail};
use bench::work::{self, Inquiry};
use bench::{memory, synthetic};

const USAGE: &str = "usage: once identity|others|prepare|decide|admit|admission|custody [TIMES]
       once peak PACKAGE
       once describe TABLE
       once made ROWS";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, argument) = match arguments.as_slice() {
        [name] => (name.as_str(), None),
        [name, argument] => (name.as_str(), Some(argument.as_str())),
        _ => bail!("{USAGE}"),
    };
    if name == "peak" {
        let path = argument.context(USAGE)?;
        let bytes = memory::grown_by(|| work::verify(Path::new(path)))?;
        bench::report::say(&bytes.to_string());
        return Ok(());
    }
    if name == "describe" {
        let bytes = std::fs::read(argument.context(USAGE)?)?;
        bench::report::say(&bench::tables::measured(&bytes)?);
        return Ok(());
    }
    if name == "made" {
        let rows = argument.context(USAGE)?.parse().context(USAGE)?;
        bench::report::say(&bench::tables::measured(&synthetic::csv(rows, 0))?);
        return Ok(());
    }
    let times: usize = argument.unwrap_or("1").parse().context(USAGE)?;
    match name {
        "identity" | "others" => {
            let body = synthetic::body(synthetic::NODES);
            for _ in 0..times {
                if name == "identity" {
                    std::hint::black_box(work::identify(&body)?);
                } else {
                    std::hint::black_box(work::identify_with_others(&body)?);
                }
            }
        }
        "custody" => {
            for number in bench::numbers::custody(bench::Scale::Whole)? {
                bench::report::say(&format!("{}: {}", number.name, number.number));
            }
        }
        "prepare" | "decide" | "admit" | "admission" => {
            let inquiry = Inquiry::of_penguins()?;
            let prepared = inquiry.prepare()?;
            let graph = inquiry.propose(&prepared)?;
            for _ in 0..times {
                match name {
                    "prepare" => drop(std::hint::black_box(inquiry.prepare()?)),
                    "decide" => drop(std::hint::black_box(inquiry.decide(&prepared)?)),
                    "admit" => drop(std::hint::black_box(inquiry.admit(&prepared, &graph)?)),
                    _ => drop(std::hint::black_box(inquiry.answer(None)?)),
                }
            }
        }
        _ => bail!("{USAGE}"),
    }
    Ok(())
}
