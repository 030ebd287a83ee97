//! Judging a package takes less than 64 MiB whatever it holds, as long as it fits its bounds, and what doesn't fit is
//! refused before it is decoded.
//!
//! The packages are built in one process and opened in another, a fresh one each, so that what building took doesn't
//! hide what opening takes.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops where something fails")]
#![expect(clippy::print_stdout, reason = "the measured process answers on its output")]

#[path = "content/forge.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod forge;
#[path = "content/road.rs"]
mod road;

use std::path::Path;
use std::process::Command;

use package::{Limits, open};
use serde_json::{Value, json};

use forge::{COMMANDS, FORMA, Forge, GRAPH, RECEIPTS, SESSION};

const MIB: u64 = 1 << 20;
const MEASURED: &str = "PACKAGE_TO_MEASURE";

/// Resident memory of this process, bytes.
fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    let kib: u64 = line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap();
    kib * 1024
}

/// Opens the package in a fresh process: how much that grew it, and what came of it.
fn measure(path: &Path) -> (u64, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "judging_takes_less_than_64_mib",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(MEASURED, path)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find_map(|line| line.split_once("GREW "));
    let (_, answer) = line.unwrap_or_else(|| panic!("no answer in {text}"));
    let (grown, outcome) = answer.split_once(' ').unwrap();
    (grown.parse().unwrap(), outcome.to_owned())
}

fn measured_process(path: &Path) {
    let (before, text_before) = (memory("VmRSS"), memory("RssFile"));
    let outcome = match open(path, &Limits::DEFAULT) {
        Ok(opened) => format!("opened {}", opened.manifest().members.len()),
        Err(error) => format!("{}: {error}", error.step()),
    };
    // The program's own pages that are run here for the first time come out of its file: how many those are depends on
    // what else is linked beside, and says nothing of the package.
    let text = memory("RssFile").saturating_sub(text_before);
    println!(
        "GREW {} {outcome}",
        (memory("VmHWM") - before).saturating_sub(text)
    );
}

type Edit = fn(&mut Value);
/// What is put into which members, and what opening it must come to.
type Case = (&'static str, &'static [(&'static str, Edit)], &'static str);

fn repeated(value: Value, times: usize) -> Value {
    Value::from(vec![value; times])
}

const CASES: &[Case] = &[
    ("as it was written", &[(FORMA, |_| {})], "opened"),
    (
        "eleven strings of a megabyte",
        &[(FORMA, |forma| {
            forma["generationRecordRef"]["unavailable"] = repeated(json!("x".repeat(1 << 20)), 11);
        })],
        "opened",
    ),
    (
        "as many short strings as fit",
        &[(FORMA, |forma| {
            forma["generationRecordRef"]["unavailable"] = repeated(json!("é"), 250_000);
        })],
        "opened",
    ),
    (
        "more short strings than fit",
        &[(FORMA, |forma| {
            forma["generationRecordRef"]["unavailable"] = repeated(json!(""), 5_000_000);
        })],
        "closed decode",
    ),
    (
        "columns of a tagged request",
        &[(FORMA, |forma| {
            forma["snapshots"][0]["body"]["sources"][0]["request"]["columns"] = repeated(json!("x"), 250_000);
        })],
        "identities",
    ),
    (
        "parameters of an element",
        &[(FORMA, |forma| {
            let members = (0..120_000).map(|n| (format!("p{n}"), json!(n)));
            forma["plans"][0]["body"]["variants"][0]["backend"]["elements"][0]["parameters"] =
                members.collect();
        })],
        "identities",
    ),
    (
        "events",
        &[(COMMANDS, |events| {
            let event = events[0].clone();
            events.as_array_mut().unwrap().extend(vec![event; 7_000]);
        })],
        "references",
    ),
    (
        "contexts",
        &[(GRAPH, |graph| {
            let context = graph["contexts"][0].clone();
            graph["contexts"] = repeated(context, 1_200);
        })],
        "references",
    ),
    (
        "limitations of a receipt",
        &[(RECEIPTS, |receipts| {
            receipts["bundle"]["receipts"][0]["limitations"] = repeated(json!("x"), 250_000);
        })],
        "references",
    ),
    (
        "every member full of long strings",
        &[
            (FORMA, |forma| {
                forma["generationRecordRef"]["unavailable"] = repeated(json!("x".repeat(1 << 20)), 11);
            }),
            (RECEIPTS, |receipts| {
                receipts["bundle"]["receipts"][0]["limitations"] = repeated(json!("x".repeat(1 << 20)), 7);
            }),
            (SESSION, |session| {
                session["governedEvidence"]["envelope"]["bundle"]["receipts"][0]["limitations"] =
                    repeated(json!("x".repeat(1 << 20)), 7);
            }),
        ],
        "references",
    ),
];

#[test]
fn judging_takes_less_than_64_mib() {
    if let Some(path) = std::env::var_os(MEASURED) {
        measured_process(Path::new(&path));
        return;
    }
    let honest = Forge::of(&road::road().bytes());
    let folder = tempfile::tempdir().unwrap();
    let mut most = 0;
    for (n, (what, edits, expected)) in CASES.iter().enumerate() {
        let mut forged = honest.clone();
        for (member, edit) in *edits {
            forged.edit(member, edit);
        }
        let path = folder.path().join(format!("{n}.nemosyne"));
        std::fs::write(&path, forged.stamped()).unwrap();
        let (grown, outcome) = measure(&path);
        assert!(outcome.starts_with(expected), "{what}: {outcome}");
        assert!(
            grown < 64 * MIB,
            "{what} grew the process by {grown} bytes: {outcome}"
        );
        println!("{:>5.1} MiB for {what}: {outcome}", grown as f64 / MIB as f64);
        most = most.max(grown);
    }
    assert!(
        most > 16 * MIB,
        "nothing here came near the bound, so this test shows little: {most} bytes"
    );
}
