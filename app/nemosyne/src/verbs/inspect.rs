//! `nemosyne inspect`: what a package of any version records, to read. Nothing is run, admitted or drawn.

mod current;
mod legacy;

use kernels::wire::v1::Receipt;
use serde_json::Value;

use crate::cli::Package;
use crate::files;
use crate::historic;
use crate::output::{Report, Stop};

pub(crate) fn run(arguments: &Package) -> Result<Report, Stop> {
    match historic::look_or_refuse(&arguments.package)? {
        Some(package) => Ok(legacy::report(&package)),
        None => Ok(current::report(&files::open_package(&arguments.package)?)),
    }
}

/// A part of the answer: its heading and lines for people, its value for scripts.
struct Part {
    heading: &'static str,
    member: &'static str,
    lines: Vec<String>,
    value: Value,
}

impl Part {
    fn new(heading: &'static str, member: &'static str, lines: Vec<String>, value: Value) -> Self {
        Self {
            heading,
            member,
            lines,
            value,
        }
    }

    fn tell(self, report: &mut Report) {
        report.line("");
        report.line(self.heading);
        for line in &self.lines {
            report.line(format!("  {line}"));
        }
        if self.lines.is_empty() {
            report.line("  none recorded");
        }
        report.member(self.member, self.value);
    }
}

fn labelled(label: &str, value: impl std::fmt::Display) -> String {
    format!("{label:<14} {value}")
}

/// A labelled line for a text that may not be there.
fn stated(label: &str, text: Option<&str>) -> Option<String> {
    text.map(|text| labelled(label, text))
}

/// A receipt in a line: what of what, over how many rows.
fn receipt_line(receipt: &Receipt) -> String {
    let support = &receipt.sample_support;
    format!(
        "{} · {} · {} of {} rows · {}",
        receipt.receipt_id,
        receipt.estimand,
        support.rows_used.get(),
        support.total_rows.get(),
        receipt.method_provenance.method
    )
}
