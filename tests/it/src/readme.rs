//! Every command of the README, as a reader would type it.
//!
//! Attacked: a README that promises what does not run. Owner: the front door `x` and the program. Required: each command of
//! the `sh` blocks ends with status 0 and leaves what it says. Control: the same commands with a letter changed do not.
//!
//! `./x demo` and `./x nemosyne …` are run as the built program in a folder that looks like the repository, so that no
//! output lands in the checkout; building it is what Cargo just did. The commands of [`ELSEWHERE`] are not run from here:
//! they are the suite that runs this test, and what takes its place in continuous integration.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::program::{Ran, nemosyne};

/// Commands that this test does not run: the suite itself, its lints, its benches and its mutants.
const ELSEWHERE: [&str; 4] = ["./x test", "./x lint", "./x bench", "./x mutate"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the checkout is there")
}

fn readme() -> String {
    std::fs::read_to_string(repository().join("README.md")).expect("there is a README")
}

/// A folder with the repository's assets in it.
fn looks_like_it() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(repository().join("assets"), folder.path().join("assets")).expect("a link");
    folder
}

/// Words as a shell splits them; double quotes hold a word together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut open, mut begun) = (String::new(), false, false);
    for c in command.chars() {
        match c {
            '"' => {
                open = !open;
                begun = true;
            }
            ' ' if !open => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            other => {
                word.push(other);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

fn run(folder: &Path, command: &str) -> Ran {
    let words = words(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["./x", "nemosyne", arguments @ ..] => nemosyne(folder, arguments),
        ["./x", "demo", ..] => nemosyne(folder, &words[1..]),
        other => panic!("{other:?} is not a command this test knows how to run"),
    }
}

#[test]
fn every_command_of_the_readme_runs() {
    let folder = looks_like_it();
    let commands = tidy::readme::commands(&readme());
    assert!(commands.len() >= 8, "{commands:?}");
    let mut ran = 0;
    for command in &commands {
        if ELSEWHERE.contains(&command.as_str()) {
            continue;
        }
        let answer = run(folder.path(), command);
        assert_eq!(answer.code, 0, "{command}\n{}{}", answer.out, answer.err);
        ran += 1;
    }
    assert!(ran >= 6, "{commands:?}");
    for left in [
        "penguins.nemosyne",
        "penguins.png",
        "nemosyne-demo/penguins.nemosyne",
        "nemosyne-demo/penguins.png",
    ] {
        assert!(folder.path().join(left).is_file(), "{left} was not left");
    }
}

/// The list of what is left out is no hiding place: each of it stands in the README, and the front door has it.
#[test]
fn what_is_not_run_here_is_there() {
    let commands = tidy::readme::commands(&readme());
    let front_door = std::fs::read_to_string(repository().join("x")).expect("there is a front door");
    let verbs = tidy::readme::verbs(&front_door);
    for command in ELSEWHERE {
        assert!(
            commands.iter().any(|known| known == command),
            "{command} is not in the README"
        );
        let verb = command
            .strip_prefix("./x ")
            .expect("it goes through the front door");
        assert!(verbs.contains(verb), "{verb}");
    }
}

#[test]
fn a_command_that_is_not_so_fails_here() {
    let folder = looks_like_it();
    for command in [
        "./x nemosyne import assets/samples/pinguins.csv",
        "./x nemosyne verify penguins.nemosyne",
        "./x nemosyne explane penguins.nemosyne",
    ] {
        assert_ne!(run(folder.path(), command).code, 0, "{command}");
    }
}
