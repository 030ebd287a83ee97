//! What people hand in that is not what it should be.
//!
//! Attacked: the program by accident: empty and broken tables, columns that are not what is asked of them, folders where
//! files belong, folders that can't be written, a disk that is full. Owner: the importer, the kernels, the investigation,
//! and the saver of packages. Required: a typed answer that names the place and says what to do next; never a half-written
//! package, and the one that was there before stays whole. Control: the good table beside each bad one, through the same
//! command; and the odd tables that are no mistake, which are admitted with their caveats.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::{self, MAIN_JOB, command, nemosyne, put, with_penguins, with_table};

const GOOD: &str = "a,b,c\n1,2,3\n2,4,1\n3,1,2\n";
const BEFORE: &[u8] = b"what was saved before";

fn admit<'a>(table: &'a str, foreground: &'a str) -> Vec<&'a str> {
    vec![
        "admit",
        table,
        "--question",
        "What goes with what?",
        "--foreground",
        foreground,
        "--purpose",
        "claim-bearing",
        "--out",
        "out.nemosyne",
    ]
}

/// A table, what is asked of it, and the answer.
struct Bad {
    name: &'static str,
    table: Vec<u8>,
    foreground: &'static str,
    code: &'static str,
    reason: &'static str,
    /// Words of the answer that name the place.
    place: &'static [&'static str],
}

fn bad(
    name: &'static str,
    table: impl AsRef<[u8]>,
    foreground: &'static str,
    code: &'static str,
    reason: &'static str,
    place: &'static [&'static str],
) -> Bad {
    Bad {
        name,
        table: table.as_ref().to_vec(),
        foreground,
        code,
        reason,
        place,
    }
}

fn tables() -> Vec<Bad> {
    let invalid = "INVALID_INPUT";
    let unsupported = ("SEMANTICS_UNSUPPORTED", "MEASUREMENT_UNSUPPORTED");
    let long = format!("a,b,c\n1,2,{}\n2,4,1\n3,1,2\n", "9".repeat(10_000));
    vec![
        bad(
            "an empty file",
            "",
            "a,b,c",
            invalid,
            "MALFORMED",
            &["table.csv", "zero bytes"],
        ),
        bad(
            "a header only",
            "a,b,c\n",
            "a,b,c",
            invalid,
            "MALFORMED",
            &["table.csv", "header of 3 columns"],
        ),
        bad(
            "no value in a column",
            "a,b,c\n,2,3\n,4,1\n",
            "a,b,c",
            unsupported.0,
            unsupported.1,
            &["`a`"],
        ),
        bad(
            "no row that has all values",
            "a,b,c\n1,2,\n,2,3\n1,,3\n",
            "a,b,c",
            "CLAIM_NOT_ADMISSIBLE",
            "INVALID",
            &["a, b, c"],
        ),
        bad(
            "not UTF-8",
            b"a,b,c\n1,2,\xff\n2,4,1\n",
            "a,b,c",
            invalid,
            "MALFORMED",
            &["byte 10"],
        ),
        bad(
            "ragged rows",
            "a,b,c\n1,2,3\n2,4\n3,1,2\n",
            "a,b,c",
            invalid,
            "MALFORMED",
            &["line 3", "2 fields"],
        ),
        bad(
            "10,000 characters where a number is expected",
            long,
            "a,b,c",
            unsupported.0,
            unsupported.1,
            &["`c`", "line 2"],
        ),
        bad(
            "two columns of one name",
            "a,a,c\n1,2,3\n2,4,1\n",
            "a,b,c",
            invalid,
            "AMBIGUOUS_REFERENCE",
            &["columns 1 and 2", "`a`"],
        ),
        bad(
            "a name that is nearly one",
            "flipper,b,c\n1,2,3\n2,4,1\n",
            "fliper,b,c",
            invalid,
            "AMBIGUOUS_REFERENCE",
            &["`fliper`", "did you mean `flipper`"],
        ),
        bad(
            "a name that is like none",
            GOOD,
            "zzzzzz,b,c",
            invalid,
            "AMBIGUOUS_REFERENCE",
            &["`zzzzzz`"],
        ),
        bad(
            "groups on an axis",
            "a,b,c\nx,2,3\ny,4,1\nx,1,2\n",
            "a,b,c",
            unsupported.0,
            unsupported.1,
            &["`a`", "CATEGORICAL"],
        ),
        bad(
            "text where numbers are expected",
            "a,b,c\n1,2,3\n2,4,1\nmany,1,2\n4,5,6\n",
            "a,b,c",
            unsupported.0,
            unsupported.1,
            &["`a`", "`many` at line 4 (row 3)"],
        ),
        bad(
            "a column twice",
            GOOD,
            "a,a,b",
            invalid,
            "AMBIGUOUS_REFERENCE",
            &["`a` twice"],
        ),
        bad(
            "two columns for three axes",
            GOOD,
            "a,b",
            "BINDING_UNAVAILABLE",
            "NO_LEGAL_BINDING",
            &["exactly 3"],
        ),
    ]
}

#[test]
fn a_bad_table_gets_an_answer_that_names_the_place() {
    let mut wrong = Vec::new();
    for case in tables() {
        let folder = with_table("table.csv", &case.table);
        put(folder.path(), "out.nemosyne", BEFORE);
        let arguments = admit("table.csv", case.foreground);
        let (code, answer) = program::json(folder.path(), &arguments);
        let refusal = &answer["refusal"];
        if code != 1 || refusal["code"] != case.code || refusal["reason"] != case.reason {
            wrong.push(format!("{}: {code} {answer}", case.name));
            continue;
        }
        let said = nemosyne(folder.path(), &arguments).refused().err;
        for word in case.place {
            if !said.contains(word) {
                wrong.push(format!("{}: `{word}` is not said\n{said}", case.name));
            }
        }
        if refusal["retryCondition"].as_str().is_none_or(str::is_empty) {
            wrong.push(format!("{}: no next step\n{said}", case.name));
        }
        assert_eq!(
            fs::read(folder.path().join("out.nemosyne")).expect("it is there"),
            BEFORE,
            "{}",
            case.name
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let folder = with_table("table.csv", GOOD);
    put(folder.path(), "out.nemosyne", BEFORE);
    nemosyne(folder.path(), &admit("table.csv", "a,b,c")).done();
    assert_ne!(
        fs::read(folder.path().join("out.nemosyne")).expect("it is there"),
        BEFORE
    );
}

/// One row, a column that never varies and a cell of 10,000 characters are no mistakes: they are shown, and what they can't
/// say stands beside them.
#[test]
fn an_odd_table_is_admitted_with_its_caveats() {
    let long = format!("a,b,c,d\n1,2,3,{}\n2,4,1,y\n3,1,2,z\n", "x".repeat(10_000));
    for (name, table, caveat) in [
        ("one row", "a,b,c\n1,2,3\n".to_owned(), "TOO_FEW_VALUES"),
        (
            "a column that never varies",
            "a,b,c\n1,2,3\n1,4,1\n1,1,2\n".to_owned(),
            "CONSTANT_DOMAIN",
        ),
        ("a cell of 10,000 characters", long, "INDEPENDENCE_UNTESTED"),
    ] {
        let folder = with_table("table.csv", table);
        let (code, answer) = program::json(folder.path(), &admit("table.csv", "a,b,c"));
        assert_eq!(code, 0, "{name}: {answer}");
        let caveats = answer["limitations"].as_array().expect("a list");
        assert!(caveats.iter().any(|code| code == caveat), "{name}: {caveats:?}");
        nemosyne(folder.path(), &["verify", "out.nemosyne"]).done();
    }
}

#[test]
fn a_path_that_is_no_table_is_named() {
    let folder = with_table("good.csv", GOOD);
    fs::create_dir(folder.path().join("tables")).expect("there is room");
    for (path, says) in [
        ("tables", "is a folder"),
        ("no such.csv", "no such.csv"),
        ("good.csv/x", "good.csv/x"),
    ] {
        for arguments in [admit(path, "a,b,c"), vec!["import", path]] {
            let (code, answer) = program::json(folder.path(), &arguments);
            let refusal = &answer["refusal"];
            assert_eq!((code, &refusal["reason"]), (1, &"UNREACHABLE".into()), "{answer}");
            assert_eq!(refusal["subjectRefs"][0], path, "{answer}");
            assert!(
                refusal["cause"]["text"]
                    .as_str()
                    .is_some_and(|text| text.contains(says)),
                "{answer}"
            );
            assert!(refusal["retryCondition"].is_string(), "{answer}");
        }
    }
    for verb in ["verify", "replay", "explain"] {
        for (path, says) in [
            ("tables", "folder"),
            ("no such.nemosyne", "no such.nemosyne"),
            ("good.csv", "good.csv"),
        ] {
            let ran = nemosyne(folder.path(), &[verb, path]);
            assert_eq!(ran.code, 1, "{verb} {path}");
            let said = format!("{}{}", ran.out, ran.err);
            assert!(
                said.contains("INVALID_INPUT") && said.contains(says),
                "{verb} {path}: {said}"
            );
        }
    }
    nemosyne(folder.path(), &["import", "good.csv"]).done();
}

/// A file system mounted on a folder, until it is dropped.
struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    fn on(folder: &'a Path, options: &str) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(folder)
            .output();
        mounted
            .is_ok_and(|output| output.status.success())
            .then_some(Self(folder))
    }

    fn remount(&self, options: &str) {
        let done = Command::new("mount")
            .args(["-o", &format!("remount,{options}")])
            .arg(self.0)
            .status();
        assert!(done.is_ok_and(|status| status.success()), "remount {options}");
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let gone = Command::new("umount").arg(self.0).status();
        assert!(
            gone.is_ok_and(|status| status.success()),
            "{} stays mounted",
            self.0.display()
        );
    }
}

fn penguins_to<'a>(out: &'a str, question: &'a str) -> [&'a str; 12] {
    let mut arguments: [&str; 12] = MAIN_JOB;
    arguments[3] = question;
    arguments[11] = out;
    arguments
}

/// Read-only to everybody, root included, where the machine lets a test mount; to this user otherwise.
#[test]
fn a_folder_that_cannot_be_written_keeps_its_package() {
    let folder = with_penguins();
    let shelf = folder.path().join("shelf");
    fs::create_dir(&shelf).expect("there is room");
    let mounted = Mounted::on(&shelf, "size=4m");
    nemosyne(
        folder.path(),
        &penguins_to("shelf/p.nemosyne", "What goes with what?"),
    )
    .done();
    let before = fs::read(shelf.join("p.nemosyne")).expect("it was saved");
    let lock = |locked: bool| match &mounted {
        Some(mounted) => mounted.remount(if locked { "ro" } else { "rw" }),
        None => {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(if locked { 0o555 } else { 0o755 });
            fs::set_permissions(&shelf, mode).expect("it is ours");
        }
    };
    lock(true);
    let (code, answer) = program::json(folder.path(), &penguins_to("shelf/p.nemosyne", "What else?"));
    lock(false);
    assert_eq!(
        (code, &answer["refusal"]["reason"]),
        (1, &"UNREACHABLE".into()),
        "{answer}"
    );
    let text = answer["refusal"]["cause"]["text"].as_str().unwrap_or_default();
    assert!(
        text.contains("shelf") && text.contains("can't be written"),
        "{text}"
    );
    assert!(answer["refusal"]["retryCondition"].is_string(), "{answer}");
    assert!(
        fs::read(shelf.join("p.nemosyne")).expect("it is still there") == before,
        "it was touched"
    );
    nemosyne(folder.path(), &penguins_to("shelf/p.nemosyne", "What else?")).done();
    assert!(fs::read(shelf.join("p.nemosyne")).expect("it is there") != before);
}

/// A disk of one MiB, nearly full; where the machine lets no test mount, a limit on the size of files instead.
#[test]
fn a_full_disk_keeps_the_package_that_was_there() {
    let folder = with_penguins();
    let shelf = folder.path().join("shelf");
    fs::create_dir(&shelf).expect("there is room");
    let mounted = Mounted::on(&shelf, "size=1m");
    nemosyne(
        folder.path(),
        &penguins_to("shelf/p.nemosyne", "What goes with what?"),
    )
    .done();
    let before = fs::read(shelf.join("p.nemosyne")).expect("it was saved");
    let arguments = penguins_to("shelf/p.nemosyne", "What else?");
    let output = if mounted.is_some() {
        let room = (1 << 20) - before.len() - (24 << 10);
        put(&shelf, "everything else", &vec![7; room]);
        command(folder.path()).args(arguments).arg("--json").output()
    } else {
        let limited = "ulimit -f 16; trap '' XFSZ; exec \"$0\" \"$@\"";
        let program = command(folder.path());
        let mut shell = Command::new("bash");
        shell
            .current_dir(folder.path())
            .args(["-c", limited])
            .arg(program.get_program())
            .args(arguments)
            .arg("--json");
        shell.output()
    };
    let output = output.expect("it ran");
    let said = String::from_utf8(output.stdout).expect("it speaks UTF-8");
    let answer: serde_json::Value =
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
    assert_eq!(
        (output.status.code(), &answer["refusal"]["reason"]),
        (Some(1), &"UNREACHABLE".into()),
        "{answer}"
    );
    let text = answer["refusal"]["cause"]["text"].as_str().unwrap_or_default();
    assert!(text.contains("shelf") && text.contains("unchanged"), "{text}");
    assert!(answer["refusal"]["retryCondition"].is_string(), "{answer}");
    assert!(
        fs::read(shelf.join("p.nemosyne")).expect("it is still there") == before,
        "it was touched"
    );
    let left: Vec<_> = fs::read_dir(&shelf)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert!(left.len() <= 2, "what was begun is gone: {left:?}");
    if mounted.is_some() {
        fs::remove_file(shelf.join("everything else")).expect("it is ours");
    }
    nemosyne(folder.path(), &arguments).done();
    assert!(fs::read(shelf.join("p.nemosyne")).expect("it is there") != before);
}

#[test]
fn a_place_to_save_that_is_none_is_named() {
    let folder = with_penguins();
    fs::create_dir(folder.path().join("tables")).expect("there is room");
    for (out, says) in [("no folder/p.nemosyne", "no folder"), ("tables", "tables")] {
        let (code, answer) = program::json(folder.path(), &penguins_to(out, "What goes with what?"));
        assert_eq!(
            (code, &answer["refusal"]["reason"]),
            (1, &"UNREACHABLE".into()),
            "{answer}"
        );
        let text = answer["refusal"]["cause"]["text"].as_str().unwrap_or_default();
        assert!(text.contains(says), "{text}");
    }
}

/// Long names in a table with much to be said of it do not fit the board. The answer is about the candidate that came
/// furthest, not about the one that was refused first, and says what became of each.
#[test]
fn the_candidate_that_came_furthest_is_answered_about() {
    let names: Vec<String> = (0..3)
        .map(|idx| format!("{}{idx}", "long name ".repeat(5)))
        .collect();
    let mut table = format!("{},kind\n", names.join(","));
    for idx in 0..7 {
        table.push_str(&format!("1,2,3,{}{idx}\n", "long group ".repeat(8)));
    }
    table.push_str("1,,3,none\n");
    let foreground = names.join(",");
    let mut arguments = admit("table.csv", &foreground);
    arguments.extend(["--group", "kind"]);
    let folder = with_table("table.csv", table);
    let (code, answer) = program::json(folder.path(), &arguments);
    assert_eq!(code, 1, "{answer}");
    let told = |recipe: &str| {
        let candidates = answer["candidates"].as_array().expect("a list");
        let candidate = candidates.iter().find(|it| it["proposer"] == recipe);
        candidate.unwrap_or_else(|| panic!("{recipe}: {answer}"))["refusal"]["stage"].clone()
    };
    assert_eq!(
        (told("scatter_volume"), told("scatter_stereo")),
        ("BUDGET".into(), "BINDING_USE".into())
    );
    assert_eq!(answer["refusal"]["code"], "RESOURCE_UNSATISFIABLE", "{answer}");
    let said = nemosyne(folder.path(), &arguments).refused().err;
    for line in [
        "scatter_volume: refused, RESOURCE_UNSATISFIABLE",
        "scatter_stereo: refused, USE_NOT_PERMITTED",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
}

/// What must be stated is asked for, each in its own words: a purpose, a question that says something.
#[test]
fn what_is_not_stated_is_asked_for_and_never_assumed() {
    let folder = with_table("t.csv", GOOD);
    let stated = admit("t.csv", "a,b,c");
    let without_purpose: Vec<&str> = stated
        .iter()
        .copied()
        .filter(|word| !["--purpose", "claim-bearing"].contains(word))
        .collect();
    let mut blank = stated.clone();
    blank[3] = " \u{a0}\t";
    for (arguments, words) in [(without_purpose, "purpose"), (blank, "question")] {
        let (code, answer) = program::json(folder.path(), &arguments);
        let refusal = &answer["refusal"];
        assert_eq!(
            (code, refusal["reason"].as_str()),
            (1, Some("NOT_STATED")),
            "{answer}"
        );
        assert!(refusal.to_string().contains(words), "{refusal}");
        assert!(refusal["retryCondition"].is_string(), "{refusal}");
    }
    assert_eq!(program::json(folder.path(), &stated).0, 0);
}

/// A mistyped `--out` must not cost the data: what is read is never written over, by whatever path it is named.
#[test]
fn nothing_is_written_over_what_is_read() {
    let folder = with_table("t.csv", GOOD);
    let mut onto_itself = admit("t.csv", "a,b,c");
    onto_itself[9] = "./t.csv";
    let (code, answer) = program::json(folder.path(), &onto_itself);
    assert_eq!(
        (code, answer["refusal"]["reason"].as_str()),
        (1, Some("AMBIGUOUS_REFERENCE")),
        "{answer}"
    );
    assert_eq!(fs::read(folder.path().join("t.csv")).unwrap(), GOOD.as_bytes());
    assert_eq!(program::json(folder.path(), &admit("t.csv", "a,b,c")).0, 0);
    let package = fs::read(folder.path().join("out.nemosyne")).unwrap();
    let (code, answer) = program::json(
        folder.path(),
        &["render", "out.nemosyne", "--out", "out.nemosyne"],
    );
    assert_eq!(
        (code, answer["refusal"]["reason"].as_str()),
        (1, Some("AMBIGUOUS_REFERENCE")),
        "{answer}"
    );
    assert_eq!(fs::read(folder.path().join("out.nemosyne")).unwrap(), package);
}

/// A legend of empty boxes, or of equal names, tells groups apart for nobody: neither is drawn.
#[test]
fn a_legend_that_cannot_be_read_is_refused() {
    let table = |groups: [&str; 3]| {
        let rows: Vec<String> = (0..12)
            .map(|row| format!("{row},{},{},{}\n", row * 3 % 7, row * 5 % 11, groups[row % 3]))
            .collect();
        format!("a,b,c,g\n{}", rows.concat())
    };
    let ask = |folder: &Path| {
        let mut arguments = admit("t.csv", "a,b,c");
        arguments.extend(["--group", "g"]);
        program::json(folder, &arguments)
    };
    let render = ["render", "out.nemosyne", "--out", "out.png", "--size", "320x180"];

    let latin = with_table("t.csv", table(["x", "y", "z"]));
    assert_eq!(ask(latin.path()).0, 0);
    assert_eq!(program::json(latin.path(), &render).0, 0);

    let boxes = with_table("t.csv", table(["\u{732b}", "\u{72ac}", "\u{9ce5}"]));
    assert_eq!(ask(boxes.path()).0, 0);
    let (code, answer) = program::json(boxes.path(), &render);
    assert_eq!(
        (code, answer["refusal"]["reason"].as_str()),
        (1, Some("ACCESSIBILITY_UNMET")),
        "{answer}"
    );
    assert!(!boxes.path().join("out.png").exists());

    let equal = with_table("t.csv", table(["x", "x\u{200b}", "x\u{ad}"]));
    let (code, answer) = ask(equal.path());
    assert_eq!(
        (code, answer["refusal"]["reason"].as_str()),
        (1, Some("NO_LEGAL_BINDING")),
        "{answer}"
    );
}
