//! The pages of the ten codes, run as a reader would run them.
//!
//! Attacked: a page that has become untrue: a command that no longer refuses, or refuses for another reason; a refusal whose
//! last line leads nowhere; a reason that no page explains. Owner: the refusal vocabulary. Required: the commands of a page,
//! typed at the root of the tree, end in the code and reason that the page states; from the message's last line a reader
//! comes to the page, to the reason's own item and to the rule that owns it. Control: beside it, on the same page, the
//! nearest commands that are answered.

use std::path::Path;
use std::process::{Command, Stdio};

use refusal::Code;
use serde_json::Value;

use crate::program::{Ran, json, nemosyne};

/// One way to a code: what is typed, and the reason that answers it.
struct Door {
    code: Code,
    reason: String,
    refused: String,
    answered: String,
}

fn page(code: Code) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, answer) = json(folder.path(), &["explain-refusal", code.word()]);
    assert_eq!(status, 0, "{answer}");
    answer["page"].as_str().expect("a page").to_owned()
}

fn door(code: Code) -> Option<Door> {
    let page = page(code);
    let (_, section) = page.split_once("\n## From the command line\n")?;
    let (section, _) = section.split_once("\n## ").unwrap_or((section, ""));
    let (refused, answered) = section
        .split_once("\nAnswered:\n")
        .expect("each door has a control");
    let block = |text: &str| {
        let (_, block) = text.split_once("```sh\n").expect("commands");
        block.split_once("\n```").expect("their end").0.to_owned()
    };
    let reason = refused
        .trim()
        .lines()
        .next()
        .and_then(|line| line.split('`').nth(3));
    Some(Door {
        code,
        reason: reason.expect("the first line states code and reason").to_owned(),
        refused: block(refused),
        answered: block(answered),
    })
}

/// Runs commands in a folder that looks like the root of the tree; `./x nemosyne` is the built program.
fn shell(commands: &str) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for name in ["assets", "tests"] {
        std::os::unix::fs::symlink(root.join(name), folder.path().join(name)).expect("a link");
    }
    let program = env!("CARGO_BIN_EXE_nemosyne");
    let front_door = format!("#!/bin/sh\nshift\nexec '{program}' \"$@\"\n");
    let path = folder.path().join("x");
    std::fs::write(&path, front_door).expect("there is room");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, executable).expect("it is ours");
    let ran = Command::new("sh")
        .args(["-eu", "-c", commands])
        .current_dir(folder.path())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env("XDG_DATA_HOME", folder.path().join("data"))
        .env("XDG_STATE_HOME", folder.path().join("state"))
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    Ran {
        code: ran.status.code().expect("it ended by itself"),
        out: String::from_utf8(ran.stdout).expect("it speaks UTF-8"),
        err: String::from_utf8(ran.stderr).expect("it speaks UTF-8"),
    }
}

#[test]
fn the_commands_of_each_page_are_refused_as_it_says() {
    for door in Code::ALL.into_iter().filter_map(door) {
        let ran = shell(&door.refused);
        let said = format!("{}{}", ran.out, ran.err);
        let (code, reason) = (door.code, &door.reason);
        assert_eq!(ran.code, 1, "{code}: {said}");
        assert!(
            said.lines()
                .any(|line| line == format!("REFUSED {code} / {reason}")),
            "{code} / {reason}: {said}"
        );
        let read = format!("  read     nemosyne explain-refusal {code}/{reason}");
        assert_eq!(said.lines().last(), Some(read.as_str()), "{said}");
    }
}

#[test]
fn beside_each_refusal_stands_a_command_that_is_answered() {
    for door in Code::ALL.into_iter().filter_map(door) {
        let ran = shell(&door.answered);
        assert_eq!(ran.code, 0, "{}: {}{}", door.code, ran.out, ran.err);
    }
}

/// From the message to the rule: the last line names the command; its answer starts with what the reason means and holds the
/// rule that owns it; and the refusal as an object says the same.
#[test]
fn a_reader_comes_from_the_message_to_the_rule() {
    let folder = crate::program::with_table("t.csv", "a,b,c\n1,2,3\n2,3,1\n3,1,2\n");
    let asked = [
        "admit",
        "t.csv",
        "--question",
        "Which?",
        "--purpose",
        "claim-bearing",
        "--foreground",
        "a,b,c",
        "--recipe",
        "scatter_stereo",
    ];
    let said = nemosyne(folder.path(), &asked).refused().err;
    let last = said.lines().last().expect("it says something");
    let next = last
        .trim()
        .strip_prefix("read     nemosyne ")
        .expect("where to read");
    let (_, answer) = json(folder.path(), &asked);
    assert_eq!(answer["read"], Value::from(format!("nemosyne {next}")));
    let words: Vec<&str> = next.split(' ').collect();
    let read = nemosyne(folder.path(), &words).done().out;
    assert!(
        read.starts_with("USE_NOT_PERMITTED / NOT_QUALIFIED: nobody has shown"),
        "{read}"
    );
    let rule = "Rule: `nemosyne:policy/qualification@1`, which is `assets/policies/qualification-v1.json`";
    assert!(read.contains(rule), "{read}");
    let owner = answer["refusal"]["owningPolicyRef"]
        .as_str()
        .expect("a policy owns it");
    assert!(rule.contains(owner), "{owner}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let policy =
        std::fs::read(root.join("assets/policies/qualification-v1.json")).expect("the rule is there");
    let policy: Value = serde_json::from_slice(&policy).expect("it is JSON");
    assert_eq!(policy["id"], "nemosyne:policy/qualification", "{policy}");
    let (status, answer) = json(folder.path(), &["explain-refusal", "USE_NOT_PERMITTED/RETRACTED"]);
    assert_eq!(
        (status, &answer["refusal"]["code"]),
        (1, &Value::from("INVALID_INPUT"))
    );
}
