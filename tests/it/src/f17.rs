//! F17, two writers and a killed one.
//!
//! **Attack.** The decision speaks of bytes that were written and of moments that have passed; it does not speak of the
//! moment of writing. Two programs save to one path at once, each with its own decision. A program is killed while it saves:
//! before the first byte, between two, after the last. Someone verifies in just that moment. What stands there afterwards
//! could be the head of one decision with the tail of another, a package that is intact and that nobody admitted; or the
//! last good file could be gone and a half of the next one in its place. The same is done to custody: two people append at
//! once, and each believes that hers is the next revision.
//!
//! **Owner.** The saver of packages, which gives a file its name in one step; the package reader; the custody folder, whose
//! revisions follow each other strictly.
//!
//! **Required.** At every moment the path holds one of the packages that were saved, whole, byte for byte; nothing else stays
//! in the folder; every verification in between says intact. Of appends that ran at once each is either in the folder under
//! a revision of its own, or was refused; the revisions have no gap and no fork, and a folder whose writer was killed opens
//! as it was before or after.
//!
//! **Control.** One writer alone leaves its package, the same bytes each time; and the writers' packages differ, so that a
//! mixture would be seen.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::custodian::{FOLDER, SIGNED, told, with_custody};
use crate::program::{MAIN_JOB, command, nemosyne, put, with_penguins};

const OUT: &str = "penguins.nemosyne";

/// The main job with another question.
fn asking(question: &'static str) -> Vec<&'static str> {
    let mut arguments = MAIN_JOB.to_vec();
    arguments[3] = question;
    arguments
}

const QUESTIONS: [&str; 3] = ["Which is longest?", "Which is heaviest?", "Which is neither?"];

/// What one writer leaves, and how long it takes.
fn alone(question: &'static str) -> (Vec<u8>, Duration) {
    let folder = with_penguins();
    let begun = Instant::now();
    nemosyne(folder.path(), &asking(question)).done();
    (
        fs::read(folder.path().join(OUT)).expect("a package"),
        begun.elapsed(),
    )
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    command(folder)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program was built")
}

/// What a person finds in the folder. A writer that was killed between linking and renaming may leave a hidden name.
fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder)
        .expect("it is there")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| !name.starts_with('.'))
        .collect()
}

/// Ends the reading however the writing ends.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// xorshift64*: the same draws on every machine.
fn draw(state: &mut u64) -> u64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    state.wrapping_mul(0x2545_F491_4F6C_DD1D)
}

#[test]
fn a_writer_alone_leaves_its_own_package_each_time() {
    let (first, _) = alone(QUESTIONS[0]);
    assert!(first == alone(QUESTIONS[0]).0, "the same question twice");
    assert!(first != alone(QUESTIONS[1]).0, "another question");
}

#[test]
fn writers_at_once_leave_one_package_whole() {
    let whole: Vec<Vec<u8>> = QUESTIONS.iter().map(|question| alone(question).0).collect();
    let folder = with_penguins();
    put(folder.path(), OUT, &whole[0]);
    let writing = AtomicBool::new(true);
    let seen = || {
        let bytes = fs::read(folder.path().join(OUT)).expect("something stands there at every moment");
        assert!(whole.contains(&bytes), "a mixture of {} bytes", bytes.len());
    };
    std::thread::scope(|threads| {
        // Reads without a pause, as fast as it can, so that no moment of the writers goes unseen.
        threads.spawn(|| {
            while writing.load(Ordering::Relaxed) {
                seen();
            }
        });
        let _ends = Ends(&writing);
        for _ in 0..2 {
            let writers = QUESTIONS.map(|question| start(folder.path(), &asking(question)));
            nemosyne(folder.path(), &["verify", OUT]).done();
            for mut writer in writers {
                let status = writer.wait().expect("it is ours");
                assert!(status.success(), "a writer beside others: {status}");
            }
            seen();
        }
    });
    nemosyne(folder.path(), &["verify", OUT]).done();
    let expected: BTreeSet<String> = ["penguins.csv", OUT].map(str::to_owned).into();
    assert_eq!(names(folder.path()), expected);
}

#[test]
fn a_killed_writer_leaves_the_old_package_or_the_new_one() {
    let (old, _) = alone(QUESTIONS[0]);
    let (new, took) = alone(QUESTIONS[1]);
    let folder = with_penguins();
    let mut state = 0x9E37_79B9_7F4A_7C15;
    let mut kept = 0;
    for attempt in 0..24 {
        put(folder.path(), OUT, &old);
        let mut writer = start(folder.path(), &asking(QUESTIONS[1]));
        // Every other one late, where the file is written; the rest anywhere.
        let part = draw(&mut state) % 1000;
        let part = if attempt % 2 == 0 { 700 + part / 2 } else { part };
        std::thread::sleep(took * u32::try_from(part).expect("it is small") / 1000);
        writer.kill().expect("it is ours");
        writer.wait().expect("it is ours");
        let left = fs::read(folder.path().join(OUT)).expect("something stands there");
        assert!(
            left == old || left == new,
            "attempt {attempt}: {} bytes",
            left.len()
        );
        kept += usize::from(left == old);
        let expected: BTreeSet<String> = ["penguins.csv", OUT].map(str::to_owned).into();
        assert_eq!(names(folder.path()), expected, "attempt {attempt}");
    }
    assert!(kept > 0, "no attempt was early enough to kill anything");
    nemosyne(folder.path(), &asking(QUESTIONS[1])).done();
    assert!(
        fs::read(folder.path().join(OUT)).expect("a package") == new,
        "left alone, it finishes"
    );
}

/// The arguments that sign a retraction of a receipt that nobody uses.
fn retraction(nth: u64) -> Vec<String> {
    let receipt = identity::Digest::of(&nth.to_le_bytes()).to_string();
    let mut arguments: Vec<String> = [
        "custody",
        "retract",
        "--receipt",
        &receipt,
        "--reason",
        "A test says so.",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.extend(SIGNED.map(str::to_owned));
    arguments.extend(["--custody", FOLDER].map(str::to_owned));
    arguments
}

fn starts(folder: &Path, arguments: &[String]) -> Child {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    start(folder, &arguments)
}

/// The revisions of the folder as `custody list` tells them; it says so when the folder does not open.
fn revisions(folder: &Path) -> Vec<u64> {
    let (code, answer) = told(folder, &["custody", "list"]);
    assert_eq!(code, 0, "{answer}");
    let statements = answer["statements"].as_array().expect("a list");
    statements
        .iter()
        .map(|statement| statement["revision"].as_u64().expect("a number"))
        .collect()
}

#[test]
fn appends_at_once_follow_each_other() {
    let folder = with_custody();
    let folder = folder.path();
    let before = revisions(folder);
    let writers: Vec<Child> = (0..6).map(|nth| starts(folder, &retraction(nth))).collect();
    let mut appended = 0;
    for mut writer in writers {
        let status = writer.wait().expect("it is ours");
        let code = status.code().expect("it ended by itself");
        assert!(code == 0 || code == 1, "appended or refused: {status}");
        appended += usize::from(code == 0);
    }
    assert!(appended > 0, "nobody got through");
    let after = revisions(folder);
    assert_eq!(after.len(), before.len() + appended);
    let all: Vec<u64> = (1..=after.len() as u64).collect();
    assert_eq!(after, all, "no gap, no fork");
}

#[test]
fn a_killed_append_leaves_the_folder_as_before_or_after() {
    let folder = with_custody();
    let folder = folder.path();
    let begun = Instant::now();
    let mut alone = starts(folder, &retraction(1_000));
    assert!(alone.wait().expect("it is ours").success(), "the control");
    let took = begun.elapsed();
    let mut known = revisions(folder).len();
    let mut state = 0x2545_F491_4F6C_DD1D;
    for attempt in 0..8 {
        let mut writer = starts(folder, &retraction(2_000 + attempt));
        let part = u32::try_from(500 + draw(&mut state) % 500).expect("it is small");
        std::thread::sleep(took * part / 1000);
        writer.kill().expect("it is ours");
        writer.wait().expect("it is ours");
        let (code, answer) = told(folder, &["custody", "list"]);
        if code != 0 {
            // What is left of a write that was cut is called that, and nothing is repaired in silence.
            let said = answer.to_string();
            assert!(
                said.contains("half-written") || said.contains("half written"),
                "attempt {attempt}: {said}"
            );
            return;
        }
        let now = revisions(folder);
        assert!(
            now.len() == known || now.len() == known + 1,
            "attempt {attempt}: {now:?}"
        );
        let all: Vec<u64> = (1..=now.len() as u64).collect();
        assert_eq!(now, all, "attempt {attempt}");
        known = now.len();
    }
    assert!(
        starts(folder, &retraction(3_000))
            .wait()
            .expect("it is ours")
            .success()
    );
    assert_eq!(revisions(folder).len(), known + 1, "left alone, it finishes");
}
